import json

import pytest
import without_override
from test_costs import QUESTIONS, answer_to, request, verdict_on

from muddle_utils.inference.requests import pending
from muddle_utils.judging.judges import find_judge
from muddle_utils.judging.judging import unjudged
from muddle_utils.runs import status
from muddle_utils.runs.cli import main
from muddle_utils.study import paths
from muddle_utils.study.paths import Study, StudyError
from muddle_utils.study.records import Exclusion
from muddle_utils.study.rows import write_rows
from muddle_utils.study.store import Store, StoreError

RULES = find_judge("local/rules")
PARTS = {"prompt": "p", "question": "q", "documents": "d", "image setting": "", "parameters": "{}"}


def asked(number, condition="control", **changes):
    return request(number, condition, components=json.dumps(PARTS), **changes)


def older(row, *changed, **changes):
    """Return an answer to an older form of a request, in which these parts were different."""
    parts = {name: "before" if name in changed else value for name, value in PARTS.items()}
    return answer_to(row, fingerprint=f"old {row.fingerprint}", components=json.dumps(parts), **changes)


@pytest.fixture
def study(tmp_path):
    run = Study("s", str(tmp_path / "runs"), str(tmp_path / "figures"))
    write_rows(run.rows("questions"), QUESTIONS.values())
    return run


def plan(study, *requests, lost=()):
    write_rows(study.rows("requests_m_markdown"), requests)
    write_rows(study.rows("lost_markdown"), lost)
    return requests


def test_every_request_is_in_one_column(study):
    rows = plan(
        study,
        *(asked(number) for number in (1, 2)),
        *(asked(number, "hn-2") for number in (1, 2)),
        *(asked(number, "hn-4") for number in (1, 2)),
        asked(1, "random-2", infeasible="pdf_pages", route=""),
        lost=[Exclusion("cell", "q1|random-4", "document not rendered", "x")],
    )
    with Store(study.store) as store:
        store.add_response(answer_to(rows[0], time="2026-03-01T00:00:00+00:00"))
        for row, kind in zip(rows[1:5], ("timeout", "timeout", "context_exceeded", "quota"), strict=True):
            store.add_response(answer_to(row, status="failed", error_class=kind, text="", cost=None))
        todo = pending(rows, store)
    found = status.read_status(study)
    (model,) = found.models
    assert (model.asked, model.answered, model.not_yet_sent, model.lost) == (7, 1, 1, 1)
    assert model.failed == {"timeout": 2, "context_exceeded": 1, "quota": 1}
    assert model.infeasible == {"pdf_pages": 1}
    assert model.answered + sum(model.failed.values()) + sum(model.infeasible.values()) + model.not_yet_sent == 7
    assert model.to_send == {"timeout": 2, "quota": 1, "not yet sent": 1}
    assert sum(model.to_send.values()) == len(todo), "it says what the next run does"
    # Half a dollar was said; what a deadline cost nobody said; too long a request and an empty account cost nothing.
    assert (found.spent_answers, found.spent_verdicts, found.unknown_costs) == (0.5, 0.0, 2)
    assert (found.first, found.last) == ("2026-01-01T00:00:00+00:00", "2026-03-01T00:00:00+00:00")
    text = status.report(found)
    assert "m markdown: 2 timeout: tried again by the next run" in text
    assert "m markdown: 1 context_exceeded: only with --refresh failed" in text
    assert "m markdown: 1 quota: stopped the stage; tried again by the next run" in text
    assert "m markdown: 1 pdf pages limit: infeasible, never sent" in text
    assert "m markdown: 4 to send (2 timeout, 1 quota, 1 not yet sent)" in text
    assert "Spent so far: $0.5000 ($0.5000 for answers, $0 for verdicts), and 2 rows of unknown cost." in text


def test_answers_to_older_requests_say_what_changed(study):
    rows = plan(study, asked(1), asked(2), asked(1, "hn-2"), asked(2, "hn-2"))
    with Store(study.store) as store:
        store.add_response(older(rows[0], "prompt", cost=0.25))
        store.add_response(older(rows[1], "prompt", "parameters", cost=0.5))
        store.add_response(answer_to(rows[2], cell_id="gone|control", components=json.dumps(PARTS)))
        store.add_response(older(rows[3]))
        store.add_response(answer_to(rows[3]))
        store.add_response(answer_to(rows[0], cell_id="canary|markdown", condition="canary"))
        store.add_response(older(rows[2], "question", status="failed", error_class="timeout"))
    found = status.read_status(study)
    assert [(row.changed, row.answers, row.cost, row.asked_anew) for row in found.old_answers] == [
        ("prompt", 1, 0.25, 1),
        ("prompt, parameters", 1, 0.5, 1),
        ("not in the plan any more", 1, 0.5, 0),
        ("the route's own settings", 1, 0.5, 0),
    ]
    (model,) = found.models
    assert model.to_send == {"prompt changed": 1, "prompt, parameters changed": 1, "not yet sent": 1}
    assert "prompt, parameters" in status.report(found)


def test_rows_of_an_earlier_version_are_of_unknown_origin(study):
    (row,) = plan(study, asked(1))
    with Store(study.store) as store:
        store.add_response(answer_to(row, fingerprint="old", components=""))
    (old,) = status.read_status(study).old_answers
    assert old.changed.startswith("something (stored before")


def test_verdicts_by_what_they_are_worth(study):
    names = ("control", "hn-2", "hn-4", "random-2", "random-4")
    rows = plan(study, *(asked(number, name) for name in names for number in (1, 2)))
    answers = [answer_to(row) for row in rows]
    changes = [
        {},
        {"parser": "json 0"},
        {"judged_digest": "of another answer"},
        {"judge_fingerprint": "of another prompt"},
        {"status": "unjudged", "correct": None, "error_class": "unparsed", "cost": None},
        {"status": "unjudged", "correct": None, "error_class": "context_exceeded", "cost": None, "raw": ""},
        {"status": "unjudged", "correct": None, "error_class": "timeout", "raw": "", "cost": None},
    ]
    with Store(study.store) as store:
        for answer in answers:
            store.add_response(answer)
        # The embedded judge's own verdicts as they would be stored; three answers have none.
        for answer, change in zip(answers, changes, strict=False):
            store.add_verdict(verdict_on(answer, RULES, **change))
        todo = unjudged(answers, QUESTIONS, RULES, store)
    found = status.read_status(study)
    (judge,) = found.judges
    assert (judge.judge, judge.answers, judge.judged, judge.read_again, judge.not_judged) == (
        "local/rules",
        10,
        1,
        1,
        3,
    )
    assert judge.unjudged == {"unparsed": 1, "context_exceeded": 1, "timeout": 1}
    assert judge.stale == {"the answer or its reference changed": 1, "another prompt, model or parameters": 1}
    assert len(todo) == 10 - 1 - 1, "all but the judged one and the one that only --refresh judges again"
    assert found.spent_verdicts == pytest.approx(4 * 0.25)
    assert found.unknown_costs == 2, "the unparsed and the timeout; what was too long was never sent"
    text = status.report(found)
    assert "1 unjudged, context_exceeded: only with --refresh failed" in text
    assert "1 read by another version of the parser: read again for nothing" in text
    # Five without a verdict that counts, two that the next run tries again.
    assert "local/rules of m markdown: 7 stored answers to judge" in text


def test_a_judge_at_an_address_of_its_own_is_not_stale(study):
    (row,) = plan(study, asked(1))
    by_hand = find_judge("openai/gpt-5.4-nano", "", "http://127.0.0.1:9/v1")
    assert by_hand.fingerprint != find_judge("openai/gpt-5.4-nano").fingerprint
    answer = answer_to(row)
    with Store(study.store) as store:
        store.add_response(answer)
        store.add_verdict(verdict_on(answer, by_hand))
    (judge,) = status.read_status(study).judges
    assert (judge.judged, judge.stale) == (1, {})


def test_superseded_rows_are_asked_anew_and_stay_paid_for(study):
    (row,) = plan(study, asked(1))
    answer = answer_to(row)
    with Store(study.store) as store:
        store.add_response(answer)
        store.add_verdict(verdict_on(answer, RULES))
        store.supersede([*store.responses(), *store.verdicts()], "2026-05-01T00:00:00+00:00")
    found = status.read_status(study)
    assert found.models[0].to_send == {"not yet sent": 1}
    assert (found.spent_answers, found.spent_verdicts, found.unknown_costs) == (0.5, 0.25, 0)


def test_a_study_without_a_store_gets_none(study):
    plan(study, asked(1))
    found = status.read_status(study)
    assert found.models[0].not_yet_sent == 1
    assert not study.store.exists()
    text = status.report(found)
    assert "The store is empty." in text
    assert "No answer is stored yet." in text and "belongs to the last plan" not in text
    assert "Nothing is judged yet." in text
    assert "m markdown: 1 to send (1 not yet sent)" in text


def test_answers_that_no_judge_has_seen_are_left_to_do(study):
    (one, two) = plan(study, asked(1), asked(2))
    with Store(study.store) as store:
        store.add_response(answer_to(one))
        store.add_response(answer_to(two))
    text = status.report(status.read_status(study))
    assert "m markdown: 2 stored answers to judge\n  muddle run --study s --model m" in text
    assert "nothing is left to do" not in text


def test_a_run_ends_with_what_came_out_what_is_missing_and_what_goes_on(study):
    header = "model,modality,condition,accuracy,low,high,n_asked,n_judged,n_documents\n"
    paths.resolve(study.figures).mkdir(parents=True)
    (study.figures / "table_1.csv").write_text(
        f"{header}m,markdown,control,0.25,0.1,0.41,8,7,2\nm,pdf,control,,,,8,0,\n"
    )
    (study.figures / "claims.csv").write_text("research_question,claim\nRQ1,No gap.\nRQ2,Another.\n")
    (one, two, _) = plan(study, asked(1), asked(2), asked(3))
    with Store(study.store) as store:
        store.add_response(answer_to(one))
        store.add_response(answer_to(two, status="failed", error_class="timeout", text=""))
        store.add_verdict(
            verdict_on(answer_to(one), RULES, status="unparsed", correct=None, score=None, error_class="unparsed")
        )
    text = status.ending(study, "", analysed=True)
    assert "m      markdown  control    0.250 [0.100, 0.410]           7 of 8          2" in text
    assert "m      pdf       control    -                              0 of 8" in text
    assert "No gap." in text and "Another." not in text
    assert "Not scored:\n  m markdown: 1 timeout: tried again by the next run" in text
    assert "m markdown: 2 to send" in text and "muddle run --study s" in text and "Spent so far: $" in text
    assert "0.250 [" not in status.ending(study, "", analysed=False)


def test_a_study_that_has_planned_nothing(study):
    text = status.report(status.read_status(study))
    assert "No requests are planned yet" in text
    assert "The next run plans the requests" in text and "nothing is left to do" not in text


def test_an_empty_store_does_not_contradict_itself(study):
    plan(study, asked(1))
    with Store(study.store):
        pass
    text = status.report(status.read_status(study))
    assert "The store is empty." in text and "No answer is stored yet." in text
    assert "m markdown: 1 to send" in text and "belongs to the last plan" not in text


def test_json_says_the_same(study):
    (row,) = plan(study, asked(1))
    with Store(study.store) as store:
        store.add_response(answer_to(row, status="failed", error_class="timeout", text="", cost=None))
    said = json.loads(status.as_json(status.read_status(study)))
    assert said["models"][0]["failed"] == {"timeout": 1}
    assert said["study"] == "s"


def test_an_unknown_study_names_those_there_are(tmp_path):
    with pytest.raises(StudyError, match="there is none yet"):
        paths.find_study("x", str(tmp_path / "runs"))
    for name in ("demo", "gpt", ".cache"):
        (tmp_path / "runs" / name).mkdir(parents=True)
    with pytest.raises(StudyError, match=r"study 'x' is unknown below .*: there are demo, gpt$"):
        paths.find_study("x", str(tmp_path / "runs"))
    assert paths.find_study("gpt", str(tmp_path / "runs")).name == "gpt"


def test_a_broken_store_is_said(study):
    plan(study, asked(1))
    study.store.write_bytes(b"this is no database, " * 100)
    with pytest.raises(StoreError, match=r"store\.sqlite"):
        status.read_status(study)


def test_a_study_that_cannot_be_written_has_a_status(study):
    (row,) = plan(study, asked(1))
    with Store(study.store) as store:
        store.add_response(answer_to(row))
    with without_override.read_only(study.folder):
        places = ("--runs-dir", study.runs_dir, "--figures-dir", study.figures_dir)
        done = without_override.muddle("status", "--study", "s", *places)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.strip() == status.report(status.read_status(study))


@pytest.mark.parametrize("command", ["status", "export", "predictions"])
@pytest.mark.parametrize(
    ("write", "what"),
    [
        (lambda path: path.mkdir(), "it is a folder, not a database"),
        (lambda path: path.write_bytes(b""), "it is an empty file, not a database"),
        (lambda path: path.write_text("rows"), "it is another file, not a database"),
    ],
)
def test_what_is_no_store_is_not_taken_for_none(study, capsys, command, write, what):
    plan(study, asked(1))
    write(study.store)
    named = ["--study", "s"] if command == "status" else ["s"]
    options = ["--model", "m"] if command == "predictions" else []
    assert main([command, *named, "--runs-dir", study.runs_dir, *options]) == 1
    said = capsys.readouterr()
    assert said.err.startswith(f"muddle: {study.store}: {what}. Restore it") and not said.out
