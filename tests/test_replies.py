"""The parser table: what is a verdict and what is none."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muddle_utils import replies

GOOD = '{"correct": true, "score": 0.5, "reasoning": "Half, }, of it."}'


@pytest.mark.parametrize(
    "raw",
    [
        GOOD,
        f"\n  {GOOD}\n",
        f"```json\n{GOOD}\n```",
        f"```\n{GOOD}\n```  ",
        '{\n "reasoning": "Half, }, of it.",\n "score": 0.5,\n "correct": true\n}',
    ],
)
def test_a_well_formed_reply_is_read_as_it_stands(raw):
    assert replies.parse_verdict(raw) == replies.ParsedVerdict(True, 0.5, "Half, }, of it.")


def test_score_may_be_a_whole_number():
    reply = replies.parse_verdict('{"correct": false, "score": 0, "reasoning": ""}')
    assert (reply.correct, reply.score) == (False, 0.0)
    assert isinstance(reply.score, float)


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        ("", "empty"),
        ("  \n", "empty"),
        ("INCORRECT", "not one JSON object"),
        ("not correct", "not one JSON object"),
        ("partially correct", "not one JSON object"),
        ("true", "exactly the keys"),
        ("Because it is right, correct: true", "not one JSON object"),
        ("score of component1:3/6", "not one JSON object"),
        (f"Here you are: {GOOD}", "not one JSON object"),
        (f"{GOOD} {GOOD}", "not one JSON object"),
        (f"```json\n{GOOD}\n```\n```json\n{GOOD}\n```", "not one JSON object"),
        ('{"correct": true, "score": 1, "reasoning": "x",}', "not one JSON object"),
        ("{'correct': True, 'score': 1, 'reasoning': 'x'}", "not one JSON object"),
        ('{"correct": true, "score": 1, "reasoning": "an "inner" quote"}', "not one JSON object"),
        ('{"correct": true, "score": 1, "reasoning": "cut', "not one JSON object"),
        (f"[{GOOD}]", "exactly the keys"),
        ('{"correct": true, "score": 1}', "exactly the keys"),
        ('{"correct": true, "score": 1, "reasoning": "x", "note": ""}', "exactly the keys"),
        ('{"correct": true, "correct": false, "score": 1, "reasoning": "x"}', "twice"),
        ('{"correct": "false", "score": 0, "reasoning": "x"}', "not true or false"),
        ('{"correct": "true", "score": 1, "reasoning": "x"}', "not true or false"),
        ('{"correct": 1, "score": 1, "reasoning": "x"}', "not true or false"),
        ('{"correct": null, "score": 1, "reasoning": "x"}', "not true or false"),
        ('{"correct": true, "score": NaN, "reasoning": "x"}', "NaN"),
        ('{"correct": true, "score": Infinity, "reasoning": "x"}', "Infinity"),
        ('{"correct": true, "score": 1e999, "reasoning": "x"}', "from 0 to 1"),
        ('{"correct": true, "score": 1.01, "reasoning": "x"}', "from 0 to 1"),
        ('{"correct": true, "score": -0.1, "reasoning": "x"}', "from 0 to 1"),
        ('{"correct": true, "score": true, "reasoning": "x"}', "from 0 to 1"),
        ('{"correct": true, "score": "1", "reasoning": "x"}', "from 0 to 1"),
        ('{"correct": true, "score": 1, "reasoning": null}', "not a string"),
        ("[" * 100_000, "not one JSON object"),
    ],
)
def test_anything_else_is_unparsed_with_its_reason(raw, problem):
    with pytest.raises(replies.VerdictError, match=problem):
        replies.parse_verdict(raw)


@given(st.booleans(), st.floats(0, 1), st.text())
def test_every_valid_reply_is_read_unaltered(correct, score, reasoning):
    raw = json.dumps({"correct": correct, "score": score, "reasoning": reasoning})
    assert replies.parse_verdict(raw) == replies.ParsedVerdict(correct, score, reasoning)


# --- almost a verdict ---

MENDED = [
    '{"correct": true, "score": 1, "reasoning": "x",}',
    "{'correct': True, 'score': 1.0, 'reasoning': 'x'}",
    'Here is my verdict: {"correct": true, "score": 1, "reasoning": "x"} as asked.',
    '{"correct": true, "score": 1, "reasoning": "x"',
]


@pytest.mark.parametrize("raw", MENDED[:3])
def test_a_reply_that_is_almost_json_is_mended_and_marked(raw):
    assert replies.read_verdict(raw) == (replies.ParsedVerdict(True, 1.0, "x"), True)


def test_inner_quotes_are_mended():
    verdict, repaired = replies.read_verdict('{"correct": false, "score": 0, "reasoning": "says "12" twice"}')
    assert (verdict.correct, verdict.reasoning, repaired) == (False, 'says "12" twice', True)


@pytest.mark.parametrize(
    "raw",
    [
        MENDED[3],  # cut: what followed is unknown
        f"{GOOD} {GOOD}",
        '{"correct": true, "score": 1, "reasoning": "x"} {"correct": false, "score": 0, "reasoning": "y"}',
        "{'correct': true, 'correct': false, 'score': 1, 'reasoning': 'x'}",
        '{"correct": yes, "score": 1, "reasoning": "x"}',
        '{"correct": tru, "score": 1, "reasoning": "x"}',
        "{'correct': 'true', 'score': 1, 'reasoning': 'x'}",
        '{"correct": true, "score": NaN, "reasoning": "x",}',
        '{"correct": true, "score": NaN, "reasoning": "x"}',
        "INCORRECT",
        "not correct",
        "partially correct",
        "score of component1:3/6",
        "correct: true, score: 1, reasoning: x",
        "",
        '{"correct": true or false, "score": 1.0, "reasoning": "x"}',
        '{"correct": !true, "score": 1, "reasoning": "x"}',
        '{"correct": true -> false, "score": 1, "reasoning": "x"}',
        '{"correct": true # no, false\n, "score": 1, "reasoning": "x"}',
        '{"correct": true, "score": 1%, "reasoning": "x"}',
        '{"correct": true, "score": 0 or 1, "reasoning": "x"}',
    ],
)
def test_what_mending_would_have_to_guess_is_no_verdict(raw):
    with pytest.raises(replies.VerdictError):
        replies.read_verdict(raw)


@given(st.booleans(), st.floats(0, 1), st.text())
def test_a_valid_reply_is_never_mended(correct, score, reasoning):
    raw = json.dumps({"correct": correct, "score": score, "reasoning": reasoning})
    expected = replies.ParsedVerdict(correct, score, reasoning)
    # A sentence that looks like reasoning tags is the one thing that is read away before.
    if not re.search(r"</?(?:think|thinking|thought|reasoning|analysis)>", raw, re.IGNORECASE):
        assert replies.read_verdict(raw) == (expected, False)


# --- one word ---


@pytest.mark.parametrize(
    ("raw", "correct"),
    [
        ("CORRECT", True),
        ("correct.", True),
        ("**Incorrect**", False),
        ("Verdict: INCORRECT", False),
        ("<think>Is it correct? Correct!</think>\nINCORRECT", False),
    ],
)
def test_one_word_is_a_verdict(raw, correct):
    verdict, repaired = replies.read_verdict(raw, "word")
    assert (verdict.correct, verdict.score, repaired) == (correct, float(correct), False)


@pytest.mark.parametrize(
    "raw", ["not correct", "partially correct", "CORRECT INCORRECT", "incorrectly", "", "true", GOOD]
)
def test_other_words_are_none(raw):
    with pytest.raises(replies.VerdictError):
        replies.read_verdict(raw, "word")


# --- reasoning ---


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("12 members", "12 members"),
        ("<think>12? 13?</think>12", "12"),
        ("<think>a</think> <thinking>b</thinking>\n12", "12"),
        ("maybe 13</think>\n\n12", "12"),
        ("<THINK>a</THINK>12", "12"),
        ("The <b>12</b> of a < b", "The <b>12</b> of a < b"),
        ("<think>never ends", None),
        ("  <think>a</think><think>never ends", None),
    ],
)
def test_reasoning_comes_off(text, rest):
    assert replies.without_reasoning(text) == rest


def test_a_verdict_inside_the_reasoning_is_none():
    with pytest.raises(replies.VerdictError, match="ends inside its reasoning"):
        replies.read_verdict(f"<think>{GOOD}")
    other = '{"correct": false, "score": 0, "reasoning": "no"}'
    assert replies.read_verdict(f"<think>{GOOD}</think>{other}")[0].correct is False


def test_a_whole_verdict_may_quote_a_tag():
    raw = json.dumps({"correct": False, "score": 0, "reasoning": "it said </think>{'correct': true, 'score': 1}"})
    assert replies.read_verdict(raw)[0].correct is False


def test_a_reason_with_half_a_character_can_be_stored():
    raw = '{"correct": true, "score": 1, "reasoning": "\\ud83d"}'
    assert replies.read_verdict(raw)[0].reasoning == "?"
