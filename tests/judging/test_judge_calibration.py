"""Judges against labelled answers."""

import asyncio
import dataclasses
import json
from pathlib import Path

import pytest
from conftest import completion

from muddle_utils.inference import client
from muddle_utils.inference.prompts import judged_texts
from muddle_utils.inference.routes import find_model
from muddle_utils.judging import judge_calibration
from muddle_utils.judging.judge_calibration import CalibrationPair, as_text, judge_pairs, part_of, read_pairs, validate
from muddle_utils.judging.judges import Judge, find_judge
from muddle_utils.study.rows import RowsError, write_rows
from muddle_utils.study.store import Store


def pair(number, correct, rule="value"):
    name = f"{rule}-{number:02d}"
    return CalibrationPair(
        name, rule, "How many?", str(number), f"answer {name}", correct, float(correct), correct, False, ""
    )


# Of ten pairs the judge below passes those of even number: 3 wrong ones passed, 2 right ones failed.
PAIRS = [pair(n, correct=n not in (0, 1, 2, 3, 4)) for n in range(10)]


@pytest.fixture
def even_judge(chat_server, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789")
    monkeypatch.setattr(client, "FIRST_WAIT", 0.01)

    def respond(number, body):
        _, reference, _ = judged_texts(body["messages"][0]["content"])
        passed = int(reference) % 2 == 0
        return 200, {}, completion(json.dumps({"correct": passed, "score": float(passed), "reasoning": "even"}))

    chat_server.respond = respond
    return Judge("even", find_model("openai/even", api_base=chat_server.url), parameters={"max_tokens": 99})


def judge(pairs, judge, path):
    with Store(path) as store:
        return asyncio.run(judge_pairs(pairs, judge, store, progress=False))


def test_accuracy_kappa_and_confusions_by_hand(even_judge, chat_server, tmp_path):
    verdicts = judge(PAIRS, even_judge, tmp_path / "s.sqlite")
    result = validate(PAIRS, verdicts, even_judge.name, "all")
    # Labels: 0-4 wrong, 5-9 right. Passed: 0, 2, 4, 6, 8. Alike: 1, 3 (failed), 6, 8 (passed): 4 of 10.
    assert (result.n, result.n_judged, result.n_unjudged) == (10, 10, 0)
    assert result.accuracy.estimate == 0.4
    # Chance agreement: both pass half, so .5; kappa = (.4 - .5) / (1 - .5) = -.2.
    assert result.kappa.kappa == pytest.approx(-0.2)
    (rule,) = result.rules
    assert (rule.n_agree, rule.false_correct, rule.false_incorrect) == (4, 3, 3)
    assert rule.pairs == ("value-00", "value-02", "value-04", "value-05", "value-07", "value-09")
    assert result.score_gap == pytest.approx(0.6)
    text = as_text(result)
    assert "accuracy 0.400 [0.168, 0.687]" in text, "the Wilson interval of 4 of 10"
    assert "value-00 value-02" in text
    judge(PAIRS, even_judge, tmp_path / "s.sqlite")
    assert len(chat_server.requests) == 10, "a second validation asks nobody"


def test_the_half_to_be_reported_names_no_pair(even_judge, tmp_path):
    result = validate(PAIRS, judge(PAIRS, even_judge, tmp_path / "s.sqlite"), even_judge.name, "held_out")
    assert result.rules[0].false_correct == 3
    assert "value-0" not in as_text(result)


def test_what_cannot_be_read_is_unjudged_and_no_error_of_the_judge(even_judge, chat_server, tmp_path):
    respond = chat_server.respond
    chat_server.respond = lambda number, body: (
        (200, {}, completion("hm")) if '"3"' in body["messages"][0]["content"] else respond(number, body)
    )
    result = validate(PAIRS, judge(PAIRS, even_judge, tmp_path / "s.sqlite"), "even", "all")
    assert (result.n_judged, result.n_unjudged) == (9, 1)
    assert result.accuracy.estimate == pytest.approx(3 / 9)


def test_a_perfect_judge_and_one_that_says_the_same_to_all():
    def verdicts(said):
        from muddle_utils.inference.client import Reply
        from muddle_utils.judging.judging import _verdict

        responses, questions = judge_calibration._as_rows(PAIRS)
        rules = find_judge("local/rules")
        raw = {p.pair_id: json.dumps({"correct": said(p), "score": 1.0, "reasoning": ""}) for p in PAIRS}
        return {
            row.cell_id: _verdict(row, questions[row.cell_id], rules, Reply("answered", raw[row.cell_id]), "")
            for row in responses
        }

    perfect = validate(PAIRS, verdicts(lambda p: p.correct), "p", "all")
    assert (perfect.accuracy.estimate, perfect.kappa.kappa) == (1.0, 1.0)
    same = validate(PAIRS, verdicts(lambda p: True), "s", "all")
    assert same.accuracy.estimate == 0.5
    assert same.kappa.kappa == pytest.approx(0.0)
    assert "accuracy 0.500" in as_text(same)


def test_no_pairs_are_refused():
    with pytest.raises(ValueError, match="no labelled pair is in the part 'tuning'"):
        validate([], {}, "j", "tuning")


def test_a_damaged_file_of_pairs_is_named(tmp_path):
    path = tmp_path / "mine.jsonl"
    path.write_text('{"pair_id": "a"}\n')
    with pytest.raises(RowsError, match=r"mine.jsonl, line 1: missing field 'rule'"):
        read_pairs(path)


def test_a_pair_that_stands_twice_is_refused(tmp_path):
    path = tmp_path / "mine.jsonl"
    write_rows(path, [PAIRS[0], PAIRS[1], PAIRS[0]])
    with pytest.raises(RowsError, match="the pair_id 'value-00' stands 2 times"):
        read_pairs(path)


def test_the_halves_are_fixed_by_name_alone():
    pairs = read_pairs()
    halves = {part: [p.pair_id for p in pairs if part_of(p.pair_id) == part] for part in judge_calibration.PARTS}
    assert {part: len(names) for part, names in halves.items()} == {"tuning": 163, "held_out": 178}
    assert part_of("value-01") == part_of(dataclasses.replace(pairs[0], pair_id="value-01").pair_id)
    rules = {p.rule for p in pairs}
    assert all({p.rule for p in pairs if part_of(p.pair_id) == part} == rules for part in judge_calibration.PARTS)


def test_the_embedded_judge_holds_what_the_readme_says(tmp_path):
    pairs = [p for p in read_pairs() if part_of(p.pair_id) == "held_out"]
    result = validate(pairs, judge(pairs, find_judge("local/rules"), tmp_path / "s.sqlite"), "local/rules", "held_out")
    assert result.n_judged == len(pairs)
    assert result.accuracy.estimate >= 0.90
    assert result.kappa.interval.low > 0.70
    assert sum(row.false_correct for row in result.rules if row.rule == "injection") == 0
    readme = (Path(__file__).resolve().parents[2] / "README.md").read_text()
    said = [result.accuracy.estimate, result.accuracy.low, result.accuracy.high]
    said += [result.kappa.kappa, result.kappa.interval.low, result.kappa.interval.high]
    assert "agrees on {:.3f} [{:.3f}, {:.3f}], kappa {:.3f} [{:.3f}, {:.3f}]".format(*said) in readme


def test_under_the_rubric_of_v2_it_goes_by_the_labels_of_v2(tmp_path):
    pairs = [p for p in read_pairs() if part_of(p.pair_id) == "held_out"]
    asked = find_judge("local/rules", rubric="equivalence")
    verdicts = judge(pairs, asked, tmp_path / "s.sqlite")
    result = validate(pairs, verdicts, "local/rules", "held_out", "equivalence")
    assert result.score_gap is None
    wrong = sum(row.false_correct + row.false_incorrect for row in result.rules)
    assert wrong == sum(bool(verdicts[p.pair_id].correct) != p.equivalent for p in pairs)
    abstained = sum(verdicts[p.pair_id].abstained == p.abstained for p in pairs)
    said = "{:.3f} [{:.3f}, {:.3f}] of whether they are equivalent, and on {} of {} of whether they decline"
    interval = (result.accuracy.estimate, result.accuracy.low, result.accuracy.high)
    assert said.format(*interval, abstained, len(pairs)) in README


README = " ".join((Path(__file__).resolve().parents[2] / "README.md").read_text().split())
