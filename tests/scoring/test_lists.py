import pytest
from hypothesis import given
from hypothesis import strategies as st

from muddle_utils.scoring import abstention, lists, squad
from muddle_utils.scoring.numbers import numbers_in
from muddle_utils.scoring.rule_judge.judge import judge_by_rules

NBSP, THIN, NARROW, MINUS = "\u00a0", "\u2009", "\u202f", "\u2212"


def values(text):
    return [number.value for number in numbers_in(text)]


# --- text ---


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("  Net\u00a0Income ", "net income"),
        ("\u201cParis.\u201d", "paris"),
        ("5\u201310\u00a0%", "5-10 %"),
        (f"{MINUS}5.5", "-5.5"),
        ("co\u00adoperate\u200b", "cooperate"),
        ("\ufb01nance", "finance"),
        ("", ""),
    ],
)
def test_normalise_answer(text, expected):
    assert squad.normalise_answer(text) == expected


@given(st.text())
def test_normalise_answer_is_idempotent(text):
    once = squad.normalise_answer(text)
    assert squad.normalise_answer(once) == once


# --- SQuAD ---


@pytest.mark.parametrize(
    ("prediction", "references", "em", "f1"),
    [
        ("The Eiffel Tower!", ["eiffel tower"], 1.0, 1.0),
        # tokens red, house against red, door: 2 x 1 / (2 + 2)
        ("red house", ["red door"], 0.0, 0.5),
        # the best reference counts: blue house shares 1 of 2 and 2; red brick house 2 of 2 and 3 -> 4 / 5
        ("red house", ["blue house", "red brick house"], 0.0, 0.8),
        # repeated tokens count as often as they occur: 2 x 1 / (3 + 1)
        ("no no no", ["no"], 0.0, 0.5),
        ("", [""], 1.0, 1.0),
        ("the", [""], 1.0, 1.0),
        ("", ["x"], 0.0, 0.0),
        ("Not answerable.", ["Not answerable"], 1.0, 1.0),
        ("answerable", ["Not answerable"], 0.0, 0.0),
        ("Not answerable", ["answerable questions"], 0.0, 0.0),
        ("1,234", ["1234"], 1.0, 1.0),
        ("same", "same", 1.0, 1.0),
    ],
)
def test_exact_match_and_token_f1_by_hand(prediction, references, em, f1):
    assert squad.exact_match(prediction, references) == em
    assert squad.token_f1(prediction, references) == pytest.approx(f1)


def test_no_reference_is_an_error_and_not_a_zero():
    for metric in (squad.exact_match, squad.token_f1):
        with pytest.raises(ValueError, match="references is empty"):
            metric("x", [])


@given(st.text(), st.text())
def test_f1_is_symmetric_bounded_and_one_where_em_is_one(a, b):
    f1 = squad.token_f1(a, b)
    assert 0 <= f1 <= 1
    assert f1 == pytest.approx(squad.token_f1(b, a))
    assert squad.exact_match(a, b) == 0 or f1 == 1


# --- abstention ---

ABSTENTIONS = [
    "Not answerable",
    "Not answerable.",
    "**Not answerable**",
    "Answer: Not answerable",
    "N/A",
    "n.a.",
    "unknown",
    "Unanswerable",
    "The question is not answerable",
    "The question is unanswerable.",
    "cannot be determined from the documents",
    "The question cannot be answered using the documents.",
    "It can't be answered.",
    "I don't know",
    "I don\u2019t know.",
    "I don't know what the value is.",
    "I could not find this in the report.",
    "Unable to determine.",
    "I'm sorry, but I can't help with that.",
    "Based on the provided documents, the answer cannot be determined.",
    "The documents do not contain the answer.",
    "The document doesn\u2019t mention this.",
    "The provided text does not specify the amount.",
    "The report makes no mention of it.",
    "None of the documents mention it.",
    "Neither document contains the answer.",
    "There is no information about this in the document.",
    "No information available in the documents",
    "Not mentioned in the report",
    "Not specified.",
    "The revenue for 2020 is not provided in the documents.",
    "Insufficient information to answer",
    "Not answerable. The document gives only 2019 figures.",
    "Not answerable or 0 or none",
]
ANSWERS = [
    "",
    "answerable",
    "The loan was not provided until 2019",
    "The company did not disclose its revenue in 2019",
    "No answer sheet is needed",
    "Unknown Pleasures",
    "unknown soldiers",
    "Don't know/refused: 5%",
    "I don't know was chosen by 12%",
    "not until 2019",
    "Not in Europe",
    "Cannot be opened without a key",
    "The data are not available in Germany",
    "It was not included",
    "No evidence of fraud",
    "available",
    "None",
    "no",
    "No",
    "NA",
    "The 223 questions marked Not answerable",
    "Not answerable, but it is probably 7",
    "I don't know, but my guess is 42",
]


@pytest.mark.parametrize("text", ABSTENTIONS)
def test_declining_is_an_abstention(text):
    assert abstention.is_abstention(text)


@pytest.mark.parametrize("text", ANSWERS)
def test_an_answer_is_no_abstention_whatever_words_it_holds(text):
    assert not abstention.is_abstention(text)


# --- lists ---


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("['a', 'b']", ("a", "b")),
        ('["a", "b, c"]', ("a", "b, c")),
        ("[\"Singapore 'A' Level\", 'Diploma (IB)']", ("Singapore 'A' Level", "Diploma (IB)")),
        ("[16, 2.50]", ("16", "2.50")),
        ("[1, NaN]", ("1", "NaN")),
        ("[]", ()),
        ("", ()),
        ("[a]", ("a",)),
        ("[a, b]", ("a", "b")),
        ("a, b", ("a", "b")),
        ("a", ("a",)),
        ("$35,000, $40,684", ("$35,000", "$40,684")),
        ("Football (Soccer, indoor), Running", ("Football (Soccer, indoor)", "Running")),
        ("16,19,25", ("16", "19", "25")),
        ("['unclosed, b", ("['unclosed, b",)),
    ],
)
def test_list_items(text, items):
    assert lists.list_items(text) == items


def test_a_list_is_never_executed(tmp_path):
    trap = tmp_path / "executed"
    text = f"[open({str(trap)!r}, 'w').write('x')]"
    assert lists.list_items(text)
    assert not trap.exists()
    assert not judge_by_rules("", "['x']", text).correct
    assert not trap.exists()
    # multiplication would be evaluated by eval, and is not a literal
    assert lists.list_items("['a' * 3]") == ("a' * 3",)


@pytest.mark.parametrize("text", ["[" * 100_000 + "]" * 100_000, "[" * 150 + "]" * 150, "[\\d, '\\x']", "[\x00]"])
def test_hostile_lists_neither_crash_nor_warn(text):
    lists.list_items(text)
