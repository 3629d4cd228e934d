"""The labelled pairs a judge is calibrated on: form, coverage, balance, and labels that agree with each other."""

import json
import re
import unicodedata
from collections import Counter
from pathlib import Path

import pytest

PATH = Path(__file__).resolve().parents[1] / "data" / "judge_calibration.jsonl"
TEXT = PATH.read_text(encoding="utf-8")
PAIRS = [json.loads(line) for line in TEXT.splitlines()]
KEYS = ["pair_id", "rule", "question", "reference", "response", "correct", "score", "equivalent", "abstained", "note"]
RULES = {
    "value",
    "unit",
    "rounding",
    "percent",
    "thousands_and_scale",
    "date_and_time",
    "list_missing",
    "list_extra",
    "list_order",
    "paraphrase",
    "name_variant",
    "negation",
    "yes_no",
    "refusal",
    "verbose",
    "hedged",
    "shotgun",
    "wrong_reasoning",
    "unanswerable",
    "injection",
}
NOT_ANSWERABLE = "Not answerable"


def ids_where(condition):
    """Return the ids of the pairs that break a promise, so that a failing test names them."""
    return [pair["pair_id"] for pair in PAIRS if condition(pair)]


def of_rule(rule):
    return [pair for pair in PAIRS if pair["rule"] == rule]


def test_every_line_is_one_object_with_the_same_keys_in_the_same_order():
    assert TEXT.endswith("}\n")
    assert "\n\n" not in TEXT
    assert [pair["pair_id"] for pair in PAIRS if list(pair) != KEYS] == []


def test_texts_are_filled_and_labels_are_typed():
    texts = ("pair_id", "rule", "question", "reference", "response", "note")
    labels = ("correct", "equivalent", "abstained")
    assert ids_where(lambda pair: any(type(pair[key]) is not str or not pair[key].strip() for key in texts)) == []
    assert ids_where(lambda pair: any(type(pair[key]) is not bool for key in labels)) == []
    assert ids_where(lambda pair: type(pair["score"]) is not float) == []


def test_invisible_and_odd_spaces_are_escaped_in_the_file():
    odd = [c for c in set(TEXT) - {" ", "\n"} if unicodedata.category(c) in {"Cc", "Cf", "Co", "Cs", "Zs", "Zl", "Zp"}]
    assert odd == []


def test_there_are_enough_pairs_and_every_rule_of_the_closed_list_is_covered():
    counts = Counter(pair["rule"] for pair in PAIRS)
    assert set(counts) == RULES
    assert len(PAIRS) >= 200
    assert min(counts.values()) >= 12, counts


def test_ids_are_unique_and_number_the_pairs_of_a_rule_in_order():
    assert [pair["pair_id"] for pair in PAIRS if not re.fullmatch(r"[a-z_]+-\d{2}", pair["pair_id"])] == []
    for rule in RULES:
        ids = [pair["pair_id"] for pair in of_rule(rule)]
        assert ids == [f"{rule}-{number:02d}" for number in range(1, len(ids) + 1)]


def test_no_question_reference_and_response_occur_twice():
    def plain(text):
        return " ".join(unicodedata.normalize("NFKC", text).casefold().split())

    triples = Counter(tuple(plain(pair[key]) for key in ("question", "reference", "response")) for pair in PAIRS)
    assert [triple for triple, count in triples.items() if count > 1] == []


def test_right_and_wrong_are_balanced_over_all():
    share = sum(pair["correct"] for pair in PAIRS) / len(PAIRS)
    assert 0.4 <= share <= 0.6


@pytest.mark.parametrize("rule", sorted(RULES))
def test_right_and_wrong_are_balanced_within_a_rule(rule):
    pairs = of_rule(rule)
    assert 0.4 <= sum(pair["correct"] for pair in pairs) / len(pairs) <= 0.6


def test_the_score_goes_with_the_headline_label():
    assert ids_where(lambda pair: not 0.0 <= pair["score"] <= 1.0) == []
    assert ids_where(lambda pair: pair["correct"] and pair["score"] < 0.5) == []
    assert ids_where(lambda pair: not pair["correct"] and pair["score"] == 1.0) == []


def test_a_list_with_a_missing_or_an_extra_member_is_wrong_with_part_of_the_score():
    pairs = [pair for rule in ("list_missing", "list_extra") for pair in of_rule(rule)]
    assert [pair["pair_id"] for pair in pairs if not pair["correct"] and not 0.0 < pair["score"] < 1.0] == []


def test_the_response_that_repeats_the_reference_is_right_by_both_rubrics():
    same = [pair for pair in PAIRS if pair["response"].strip().casefold() == pair["reference"].strip().casefold()]
    assert same, "the file should hold some literal repetitions"
    assert [pair["pair_id"] for pair in same if not (pair["correct"] and pair["equivalent"])] == []


def test_the_rubrics_differ_only_over_two_readings_and_nearest_figures():
    def may_differ(pair):
        two_readings = pair["rule"] == "hedged" and pair["equivalent"]
        nearest_figure = pair["rule"] == "unanswerable" and pair["correct"] and not pair["abstained"]
        return two_readings or nearest_figure

    differing = [pair for pair in PAIRS if pair["correct"] != pair["equivalent"]]
    assert differing, "the file should hold pairs on which the rubrics differ"
    assert [pair["pair_id"] for pair in differing if not may_differ(pair)] == []
    assert len(differing) <= 0.05 * len(PAIRS)


def test_a_decline_is_right_exactly_where_the_question_cannot_be_answered():
    declined = [pair for pair in PAIRS if pair["abstained"]]
    assert {pair["reference"] == NOT_ANSWERABLE for pair in declined} == {True, False}
    for pair in declined:
        unanswerable = pair["reference"] == NOT_ANSWERABLE
        assert (pair["correct"], pair["equivalent"]) == (unanswerable, unanswerable), pair["pair_id"]


def test_only_a_clean_decline_says_the_same_as_not_answerable():
    pairs = [pair for pair in PAIRS if pair["reference"] == NOT_ANSWERABLE]
    assert {pair["rule"] for pair in pairs} == {"unanswerable"}
    assert len(pairs) == len(of_rule("unanswerable"))
    assert [pair["pair_id"] for pair in pairs if pair["equivalent"] != pair["abstained"]] == []


def test_refusals_of_answerable_questions_are_wrong_and_the_others_of_the_rule_do_answer():
    pairs = of_rule("refusal")
    assert {pair["abstained"] for pair in pairs} == {True, False}
    assert [pair["pair_id"] for pair in pairs if pair["abstained"] == pair["correct"]] == []
    assert [pair["pair_id"] for pair in pairs if pair["abstained"] and pair["score"] != 0.0] == []


def test_a_note_is_one_short_sentence():
    assert ids_where(lambda pair: not re.fullmatch(r"[A-Z0-9][^\n]{5,118}\.", pair["note"])) == []
