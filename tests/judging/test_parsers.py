"""The parser table: what is a verdict and what is none."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muddle_utils.judging import parsers
from muddle_utils.scoring import reply_text

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
    assert parsers.parse_verdict(raw) == parsers.ParsedVerdict(True, 0.5, "Half, }, of it.")


def test_score_may_be_a_whole_number():
    reply = parsers.parse_verdict('{"correct": false, "score": 0, "reasoning": ""}')
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
    with pytest.raises(parsers.VerdictError, match=problem):
        parsers.parse_verdict(raw)


@given(st.booleans(), st.floats(0, 1), st.text())
def test_every_valid_reply_is_read_unaltered(correct, score, reasoning):
    raw = json.dumps({"correct": correct, "score": score, "reasoning": reasoning})
    assert parsers.parse_verdict(raw) == parsers.ParsedVerdict(correct, score, reasoning)


# --- almost a verdict ---

MENDED = [
    '{"correct": true, "score": 1, "reasoning": "x",}',
    "{'correct': True, 'score': 1.0, 'reasoning': 'x'}",
    'Here is my verdict: {"correct": true, "score": 1, "reasoning": "x"} as asked.',
    '{"correct": true, "score": 1, "reasoning": "x"',
]


@pytest.mark.parametrize("raw", MENDED[:3])
def test_a_reply_that_is_almost_json_is_mended_and_marked(raw):
    assert parsers.read_verdict(raw) == (parsers.ParsedVerdict(True, 1.0, "x"), True)


def test_inner_quotes_are_mended():
    verdict, repaired = parsers.read_verdict('{"correct": false, "score": 0, "reasoning": "says "12" twice"}')
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
    with pytest.raises(parsers.VerdictError):
        parsers.read_verdict(raw)


@given(st.booleans(), st.floats(0, 1), st.text())
def test_a_valid_reply_is_never_mended(correct, score, reasoning):
    raw = json.dumps({"correct": correct, "score": score, "reasoning": reasoning})
    expected = parsers.ParsedVerdict(correct, score, reasoning)
    # A sentence that looks like reasoning tags is the one thing that is read away before.
    if not re.search(r"</?(?:think|thinking|thought|reasoning|analysis)>", raw, re.IGNORECASE):
        assert parsers.read_verdict(raw) == (expected, False)


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
    verdict, repaired = parsers.read_verdict(raw, "word")
    assert (verdict.correct, verdict.score, repaired) == (correct, float(correct), False)


@pytest.mark.parametrize(
    "raw", ["not correct", "partially correct", "CORRECT INCORRECT", "incorrectly", "", "true", GOOD]
)
def test_other_words_are_none(raw):
    with pytest.raises(parsers.VerdictError):
        parsers.read_verdict(raw, "word")


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
    assert reply_text.without_reasoning(text) == rest


def test_a_verdict_inside_the_reasoning_is_none():
    with pytest.raises(parsers.VerdictError, match="ends inside its reasoning"):
        parsers.read_verdict(f"<think>{GOOD}")
    other = '{"correct": false, "score": 0, "reasoning": "no"}'
    assert parsers.read_verdict(f"<think>{GOOD}</think>{other}")[0].correct is False


def test_a_whole_verdict_may_quote_a_tag():
    raw = json.dumps({"correct": False, "score": 0, "reasoning": "it said </think>{'correct': true, 'score': 1}"})
    assert parsers.read_verdict(raw)[0].correct is False


def test_a_reason_with_half_a_character_can_be_stored():
    raw = '{"correct": true, "score": 1, "reasoning": "\\ud83d"}'
    assert parsers.read_verdict(raw)[0].reasoning == "?"


# --- the verdict of MMLongBench-Doc-V2 ---

SAME = '{"equivalent": true, "abstained": false, "reasoning": "Half, }, of it."}'


@pytest.mark.parametrize("raw", [SAME, f" {SAME}\n", f"```json\n{SAME}\n```", f"<think>{GOOD}</think>{SAME}"])
def test_an_equivalence_is_read_as_it_stands(raw):
    wanted = parsers.ParsedVerdict(True, 1.0, "Half, }, of it.", abstained=False)
    assert parsers.read_verdict(raw, "equivalence") == (wanted, False)


@pytest.mark.parametrize(
    "raw",
    [
        SAME[:-1] + ",}",
        SAME.replace("true", "True").replace("false", "False").replace('"', "'"),
        f"Here it is: {SAME}",
        SAME.replace('"equivalent"', "'equivalent'"),
    ],
)
def test_an_equivalence_that_is_almost_json_is_mended_and_marked(raw):
    parsed, repaired = parsers.read_verdict(raw, "equivalence")
    assert (parsed.correct, parsed.score, parsed.abstained, repaired) == (True, 1.0, False, True)


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        ("", "empty"),
        ("equivalent", "not one JSON object"),
        ("null", "exactly the keys equivalent, abstained and reasoning"),
        (f"[{SAME}]", "exactly the keys"),
        (GOOD, "exactly the keys"),
        (SAME.replace(', "abstained": false', ""), "exactly the keys"),
        (SAME[:-1] + ', "score": 1}', "exactly the keys"),
        (SAME.replace("true", '"true"'), "equivalent is 'true', not true or false"),
        (SAME.replace("true", "1"), "equivalent is 1, not true or false"),
        (SAME.replace("true", "null"), "equivalent is None, not true or false"),
        (SAME.replace("false", '"false"'), "abstained is 'false', not true or false"),
        (SAME.replace("false", "0"), "abstained is 0, not true or false"),
        (SAME.replace('"Half, }, of it."', "7"), "reasoning is 7, not a string"),
        (SAME.replace('"abstained"', '"equivalent"'), "twice"),
        (SAME[:-12], "not one JSON object"),
        (f"{SAME} {SAME}", "not one JSON object"),
        (SAME.replace('"equivalent"', '"Equivalent"'), "exactly the keys"),
        (f"<think>{SAME}", "ends inside its reasoning"),
    ],
)
def test_anything_else_is_no_equivalence(raw, problem):
    with pytest.raises(parsers.VerdictError) as raised:
        parsers.read_verdict(raw, "equivalence")
    assert problem in str(raised.value)


def test_the_schema_is_what_the_parser_takes():
    for parser, schema in parsers.SCHEMAS.items():
        assert set(schema["properties"]) == set(schema["required"])
        values = {"boolean": True, "number": 1, "string": "x"}
        raw = json.dumps({name: values[kind["type"]] for name, kind in schema["properties"].items()})
        assert parsers.read_verdict(raw, parser)[0].correct is True


# --- reasoning in long texts ---

_NAMES = r"(?:think|thinking|thought|reasoning|analysis)"


def plainly_without(text):
    """Say the rule with three patterns, which are slow on long texts."""
    if not re.search(rf"</?{_NAMES}>", text, re.IGNORECASE):
        return text
    rest = re.sub(rf"<({_NAMES})>.*?</\1>", "", text, flags=re.DOTALL | re.IGNORECASE)
    if re.match(rf"<{_NAMES}>", rest.lstrip(), re.IGNORECASE):
        return None
    return re.sub(rf".*</{_NAMES}>", "", rest, flags=re.DOTALL | re.IGNORECASE).strip()


_PARTS = ["<think>", "</think>", "<THINK>", "</Think>", "<thought>", "</thought>", "<thi", "nk>", "x", "\n", " ", "</"]


@given(st.lists(st.sampled_from(_PARTS), max_size=12).map("".join))
def test_reasoning_is_taken_off_as_the_plain_patterns_would(text):
    assert reply_text.without_reasoning(text) == plainly_without(text)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("<think>" * 100_000, None),
        ("12 " + "<think>" * 100_000, ("12 " + "<think>" * 100_000).strip()),
        ("<think></think>" * 100_000 + "12", "12"),
        ("<think></thought>" * 50_000 + "12", None),
        ("x" * 1_000_000 + "<think>", "x" * 1_000_000 + "<think>"),
    ],
    ids=["open", "mentioned", "closed", "crossed", "late"],
)
def test_a_long_text_of_tags_is_read_in_no_time(text, wanted):
    assert reply_text.without_reasoning(text) == wanted
