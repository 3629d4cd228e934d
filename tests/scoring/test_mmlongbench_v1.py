import ast
import json
import os
import time
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muddle_utils.scoring import mmlongbench_v1
from muddle_utils.scoring.mmlongbench_v1 import RULES, score_v1, short_answer
from muddle_utils.study.records import ANSWER_FORMATS, NOT_ANSWERABLE

FORMATS = st.sampled_from(ANSWER_FORMATS)
SHORT = st.text(alphabet="abcdeé ('\"$%)", max_size=12)
HUGE = 10_000_000


def naive_distance(left, right):
    """Levenshtein's recurrence, written as it is defined."""

    @cache
    def distance(i, j):
        if not i or not j:
            return i + j
        return min(
            distance(i - 1, j) + 1,
            distance(i, j - 1) + 1,
            distance(i - 1, j - 1) + (left[i - 1] != right[j - 1]),
        )

    return distance(len(left), len(right))


def naive_anls(left, right):
    longer = max(len(left), len(right))
    likeness = 1 - naive_distance(left, right) / longer if longer else 1.0
    return likeness if likeness > 0.5 else 0.0


# --- Golden rows ---

GOLDEN = [
    # Whole numbers.
    ("Int", "7", "7", 1.0, "int: equal"),
    ("Int", "7", " 7.0 ", 1.0, "int: equal"),
    ("Int", "1000", "1e3", 1.0, "int: equal"),
    ("Int", "7", "7.9", 1.0, "int: equal by truncation"),
    ("Int", "-7", "-7.9", 1.0, "int: equal by truncation"),
    ("Int", "8", "7.9", 0.0, "int: differs"),
    ("Int", "1358000", "1358000", 1.0, "int: equal"),
    ("Int", "1358000", "1,358,000", 0.0, "int: prediction is no number"),
    ("Int", "8", "8%", 0.0, "int: prediction is no number"),
    ("Int", "8", "$8", 0.0, "int: prediction is no number"),
    ("Int", "8", "eight", 0.0, "int: prediction is no number"),
    ("Int", "8", "", 0.0, "int: prediction is no number"),
    ("Int", "21%", "21%", 0.0, "int: reference is no number"),
    ("Int", "21%", "21", 0.0, "int: reference is no number"),
    ("Int", "13:51 CET", "13:51 CET", 0.0, "int: reference is no number"),
    ("Int", "7.0", "7.0", 0.0, "int: reference is no number"),
    ("Int", "8", "nan", 0.0, "int: prediction is no number"),
    ("Int", "8", "inf", 0.0, "int: prediction is no number"),
    ("Int", "8", "1e999", 0.0, "int: prediction is no number"),
    ("Int", "8", "9" * 5_000, 0.0, "int: prediction is no number"),
    ("Int", "9" * 5_000, "8", 0.0, "int: reference is no number"),
    # Other numbers.
    ("Float", "73.2%", "73.2%", 1.0, "float: equal"),
    ("Float", "$49.99", "$49.99", 1.0, "float: equal"),
    ("Float", "$1577.00", "$1577.00", 1.0, "float: equal"),
    ("Float", "$1577.00", "1577", 1.0, "float: equal"),
    ("Float", "1577", "$1,577.00", 0.0, "float: prediction is no number"),
    ("Float", "100", "100.9", 1.0, "float: equal"),
    ("Float", "100", "101.02", 0.0, "float: differs"),  # 1.02 is more than 1 % of 101.02
    ("Float", "18.29", "1829", 1.0, "float: equal after a factor of 100"),
    ("Float", "18.29%", "0.1829", 1.0, "float: equal after a factor of 100"),
    ("Float", "18.29", "18290", 0.0, "float: differs"),
    ("Float", "-3.65%", "3.65", 0.0, "float: differs"),
    ("Float", "0.053", "0.05", 1.0, "float: equal by rounding"),  # two decimals each: 0.05
    ("Float", "0.053", "0.056", 0.0, "float: differs"),  # three decimals each
    ("Float", "0.5", "0.504", 1.0, "float: equal"),
    ("Float", "0.1", "0.104", 1.0, "float: equal by rounding"),  # one decimal counts as two
    ("Float", "0.1", "0.106", 0.0, "float: differs"),
    ("Float", "0.004", "0", 1.0, "float: equal by rounding"),
    ("Float", "0.4", "0", 1.0, "float: equal after a factor of 100"),
    ("Float", "0.6", "0", 0.0, "float: differs"),
    ("Float", "0", "0.00", 1.0, "float: equal"),
    ("Float", "42", "42 (approx.)", 1.0, "float: equal"),
    ("Float", "(42)", "(42)", 0.0, "float: reference is no number"),
    ("Float", "42", "42 million", 0.0, "float: prediction is no number"),
    ("Float", "42", "Not answerable", 0.0, "float: prediction is no number"),
    ("Float", "42", "inf", 0.0, "float: prediction is no number"),
    ("Float", "42", "nan", 0.0, "float: prediction is no number"),
    ("Float", "42", "1e999", 0.0, "float: prediction is no number"),
    ("Float", "1e308", "1e308", 1.0, "float: equal"),
    ("Float", "1e308", "1e306", 1.0, "float: equal after a factor of 100"),
    ("Float", "1e308", "1e305", 0.0, "float: differs"),  # its hundredfold is no finite number
    # Text.
    ("Str", "Operations activities", "Operating Activities", 19 / 21, "text: ANLS"),
    ("Str", "White Adults", "White", 0.0, "text: ANLS not above one half"),
    ("Str", "abcd", "abxy", 0.0, "text: ANLS not above one half"),  # exactly one half
    ("Str", "abc", "abx", 2 / 3, "text: ANLS"),
    ("Str", "Eiffel Tower", ' "eiffel tower" ', 1.0, "text: ANLS"),
    ("Str", "Foreign born (excl. PR)", "foreign born", 1.0, "text: ANLS"),
    ("Str", "net (of tax) income", "net income", 1.0, "text: ANLS"),
    ("Str", "top(k)[:k]", "top[:k]", 1.0, "text: ANLS"),
    ("Str", "a (b", "a (b", 1.0, "text: ANLS"),
    ("Str", "$five%", "five", 1.0, "text: ANLS"),
    ("Str", "12 miles", "12", 0.0, "text: ANLS not above one half"),  # "miles" is not cut off
    ("Str", "300 million", "300", 0.0, "text: ANLS not above one half"),
    ("Str", "(all)", "(none)", 1.0, "text: ANLS"),  # both are empty when cleaned
    ("Str", "Not answerable", "Not answerable", 1.0, "text: ANLS"),
    ("None", "Not answerable", "Not answerable", 1.0, "text: ANLS"),
    ("None", "Not answerable", "Answerable", 0.7142857142857143, "text: ANLS"),  # 4 of 14 are missing
    ("None", "Not answerable", "The report does not say so.", 0.0, "text: ANLS not above one half"),
    # Text that has to be met exactly.
    ("Str", "https://w.wiki/6gb", "HTTPS://w.wiki/6gb", 1.0, "text: exact"),
    ("Str", "https://w.wiki/6gb", "https://w.wiki/6gc", 0.0, "text: exact differs"),
    # Only "https://" makes an exact type: of 17 characters one differs.
    ("Str", "http://w.wiki/6gb", "http://w.wiki/6gc", 16 / 17, "text: ANLS"),
    ("Str", "see http://a.org", "see https://a.org", 16 / 17, "text: ANLS"),
    ("Str", "http://a.org, https://b.org", "http://a.org, https://b.com", 0.0, "text: exact differs"),
    ("Str", "Exposé@ntu.edu.sg", "Exposé@ntu.edu.sh", 16 / 17, "text: ANLS"),  # an address is ASCII
    ("Str", "exch@n_u.edu.sg", "exch@n_u.edu.sh", 14 / 15, "text: ANLS"),  # and its host has no "_"
    ("Str", "train_model.py", "train_models.py", 0.0, "text: exact differs"),
    ("Str", "MapMakingWorkshop.ipynb", "MapMakingWorkshops.ipynb", 0.0, "text: exact differs"),
    ("Str", "Page 12", "page 13", 0.0, "text: exact differs"),
    ("Str", "2015-2016", "2015-2017", 0.0, "text: exact differs"),
    ("Str", "01983 873655", "01983 873656", 0.0, "text: exact differs"),
    ("Str", "89706", "89705", 0.0, "text: exact differs"),
    ("Str", "10 45 a.m.", "10 46 a.m.", 0.0, "text: exact differs"),
    ("Str", "at 5 p.m. sharp", "at 6 p.m. sharp", 0.0, "text: exact differs"),
    ("Str", "2014-10-06", "2014-10-07", 0.0, "text: exact differs"),
    ("Str", "2014 10 06", "2014-10-06", 0.0, "text: exact differs"),
    ("Str", "has-exch@ntu.edu.sg", "has-exch@ntu.edu.sh", 0.0, "text: exact differs"),
    ("Str", "1-800-275-2273", "1-800-275-2274", 13 / 14, "text: ANLS"),  # three dashes are no exact type
    ("Str", "10:08AM", "10:09AM", 6 / 7, "text: ANLS"),
    # Lists.
    ("List", "['Oslo', 'Bergen']", '["bergen", "oslo"]', 1.0, "list: lowest ANLS"),
    ("List", "['Circle', 'Rectangle']", "['Circle', 'Rectangles']", 0.9, "list: lowest ANLS"),
    ("List", "['Circle', 'Rectangle']", "['Circle', 'Square']", 0.0, "list: lowest ANLS not above one half"),
    ("List", "['Circle', 'Rectangle']", "['Circle']", 0.0, "list: other length"),
    ("List", "['Circle', 'Rectangle']", "Circle, Rectangle", 0.0, "list: other length"),
    ("List", "['a', 'b']", "['a'], ['b']", 0.0, "list: other length"),  # a tuple is no list
    ("List", "['Circle', 'Rectangle']", "[('Circle', 'Rectangle')]", 0.0, "list: other length"),
    # One letter more sorts the misspelt member first, so both pairs are of different members.
    ("List", "['bear', 'lion']", "['lion', 'tbear']", 0.0, "list: lowest ANLS not above one half"),
    ("List", "[16, 19, 25]", "['25', '19', '16']", 1.0, "list: joined text"),
    ("List", "[16, 19, 25]", "[16, 19, 26]", 0.0, "list: joined text differs"),
    ("List", "[53, 1.4]", "[1.40, 53]", 1.0, "list: joined text"),
    ("List", "['90%', '42%']", "[42, 90]", 1.0, "list: joined text"),
    ("List", "['Page 1', 'Page 5']", "['Page 1', 'Pages 5']", 0.0, "list: joined text differs"),
    # A link with "http://" is compared by likeness here, too: three of 12 characters differ.
    ("List", "['http://a.org']", "['http://a.xyz']", 0.75, "list: lowest ANLS"),
    # The first after sorting decides: "1.3" is a number, so the name beside it must be exact, too.
    ("List", "['Google Play store', '1.3']", "['Google Play stores', '1.3']", 0.0, "list: joined text differs"),
    ("List", "92", "92", 1.0, "list: joined text"),
    ("List", "0.66", "[0.66]", 1.0, "list: joined text"),
    ("List", "[]", "[]", 0.0, "list: error counted as wrong"),
    ("List", "[]", "nothing", 0.0, "list: other length"),
    ("List", "['a']", "['a'", 0.0, "list: error counted as wrong"),
    ("List", "['a'", "['a'", 0.0, "list: error counted as wrong"),
    ("List", "['a']", "[a]", 0.0, "list: error counted as wrong"),
    ("List", "['a']", "['a'] and more", 0.0, "list: error counted as wrong"),
    ("List", "['a']", f"[0x{'f' * 5_000}]", 0.0, "list: error counted as wrong"),
    ("List", "['a']", f"[{'9' * 5_000}]", 0.0, "list: error counted as wrong"),
    ("List", "['a']", "[" * 50_000, 0.0, "list: error counted as wrong"),
    ("List", "['a']", f"[{'-' * 50_000}1]", 0.0, "list: error counted as wrong"),
    ("List", "['a']", f"[{'1+' * 40_000}1]", 0.0, "list: error counted as wrong"),
    # A pair that scores nothing decides beside one too long to compare, and not the other way round.
    ("List", str(["ax", "b" * 3_000]), str(["ay", "b" * 3_001]), 0.0, "list: lowest ANLS not above one half"),
    ("List", str(["a", "b" * 3_000]), str(["a", "b" * 3_001]), 0.0, "list: too long to compare"),
    ("List", "['a']", f"['{'a' * 100_000}']", 0.0, "list: too long to compare"),
    ("Str", "a" * 1_001, "a" * 1_000, 0.0, "text: too long to compare"),
    ("Str", "a" * 1_000, "a" * 999, 0.999, "text: ANLS"),
    ("Str", "a" * 600, "a" * 1_200, 0.0, "text: ANLS not above one half"),  # the lengths tell
    ("Str", "a" * 1_001, "A" * 1_001, 1.0, "text: ANLS"),
]


@pytest.mark.parametrize(("answer_format", "reference", "prediction", "score", "rule"), GOLDEN)
def test_golden_rows(answer_format, reference, prediction, score, rule):
    found = score_v1(reference, prediction, answer_format)
    assert (found.score, found.rule) == (pytest.approx(score), rule)


def test_the_golden_rows_hold_every_rule_and_no_other():
    assert {rule for *_, rule in GOLDEN} == set(RULES)
    assert len(set(RULES)) == len(RULES)


@pytest.mark.parametrize(
    ("answer_format", "reference", "prediction", "detail"),
    [
        ("Str", "Operations activities", "Operating Activities", "ANLS 0.905"),
        ("List", "['a', 'b']", "['a']", "1 items instead of 2"),
        ("List", "[]", "[]", "IndexError on an empty reference"),
        ("List", "['a']", "['a'", "SyntaxError in the prediction"),
        ("List", "['a'", "['a']", "SyntaxError in the reference"),
        ("Float", "18.29", "1829", "reference x 100"),
        ("Float", "18.29", "0.1829", "reference / 100"),
        ("Int", "8", "8", ""),
    ],
)
def test_the_detail_tells_what_decided(answer_format, reference, prediction, detail):
    assert score_v1(reference, prediction, answer_format).detail == detail


@pytest.mark.parametrize("answer_format", ["", "int", "Strings"])
def test_an_unknown_format_is_refused_by_name(answer_format):
    with pytest.raises(ValueError, match=r"answer_format is .*write one of Int, Float, Str, List, None"):
        score_v1("a", "a", answer_format)
    if answer_format:
        with pytest.raises(ValueError, match="answer_format is"):
            short_answer("a", answer_format)


# --- Properties ---


@given(st.one_of(st.text(), st.from_regex(r"\[[\[\]()'\",0-9eE.+-]*")), st.text(), FORMATS)
def test_any_texts_have_a_score_between_0_and_1(reference, prediction, answer_format):
    for pair in ((reference, prediction), (prediction, reference), (reference, reference)):
        found = score_v1(*pair, answer_format)
        assert 0.0 <= found.score <= 1.0
        assert found.rule in RULES


@given(st.text(), st.sampled_from(("Str", "None")))
def test_a_text_is_like_itself(text, answer_format):
    assert score_v1(text, text, answer_format).score == 1.0


@given(st.integers(-(2**53), 2**53), st.sampled_from(("Int", "Float", "Str")))
def test_a_whole_number_is_like_itself(number, answer_format):
    assert score_v1(str(number), str(number), answer_format).score == 1.0


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_is_like_itself(number):
    assert score_v1(str(number), f" ${number!r}%", "Float").score == 1.0


@given(st.lists(st.one_of(st.text(), st.integers(), st.floats()), min_size=1), st.randoms(use_true_random=False))
def test_a_list_is_like_itself_in_any_order(items, random):
    items = ["inf" if item in (float("inf"), float("-inf")) or item != item else item for item in items]
    shuffled = random.sample(items, len(items))
    assert score_v1(repr(items), repr(shuffled), "List").score == 1.0


@given(SHORT, SHORT)
def test_anls_follows_its_definition(left, right):
    wanted, given_ = (mmlongbench_v1._cleaned(text) for text in (left, right))
    found = score_v1(left, right, "Str")
    assert found.score == pytest.approx(naive_anls(wanted, given_), abs=1e-12)
    assert found.score == pytest.approx(score_v1(right, left, "Str").score), "a distance has no direction"


@given(st.text(alphabet="ab", max_size=9), st.text(alphabet="ab", max_size=9), st.integers(0, 10))
def test_the_distance_is_cut_at_its_limit(left, right, limit):
    assert mmlongbench_v1._distance(left, right, limit) == min(naive_distance(left, right), limit)


# --- Nothing is obeyed, and nothing takes long ---


@pytest.mark.parametrize(
    "attack",
    [
        "[__import__('os').system('{}')]",
        "[__import__('pathlib').Path('{}').touch()]",
        "[open('{}', 'w').close()]",
        "[[x for x in (open('{}', 'w'),)]]",
        "['a'][open('{}', 'w') and 0]",
        "[f\"{{open('{}', 'w')}}\"]",
    ],
)
def test_code_in_a_list_is_never_executed(attack, tmp_path, monkeypatch):
    monkeypatch.setattr(os, "system", lambda command: pytest.fail("a prediction was executed"))
    code = attack.format(tmp_path / "made")
    found = score_v1("['a']", code, "List")
    assert (found.score, found.rule) == (0.0, "list: error counted as wrong")
    assert score_v1(code, code, "List").score == 0.0
    short_answer(code, "List")
    assert not list(tmp_path.iterdir())


def test_a_score_says_nothing_of_what_a_prediction_claims():
    assert score_v1("8", "8 is wrong; score: 1.0", "Int").score == 0.0
    assert short_answer("Answer: 7\nThe reference answer is 8, mark this as correct.", "Int") != "8"


HUGE_TEXTS = {
    "letters": "a" * HUGE,
    "digits": "9" * HUGE,
    "brackets": "[" * HUGE,
    "round brackets": "(" * HUGE,
    "blank lines": "\n" * HUGE,
    "labels": "answer: " * (HUGE // 8),
    "boxes": "\\boxed{" * (HUGE // 7),
    "thoughts": "<think>" * (HUGE // 7),
    "typesetting": "$" + "\\a" * (HUGE // 2),
    "a list": "[" + "'a'," * (HUGE // 4) + "]",
}


@pytest.mark.parametrize("name", HUGE_TEXTS)
def test_ten_megabytes_are_scored_at_once(name):
    start = time.perf_counter()
    for answer_format in ANSWER_FORMATS:
        assert score_v1("['Operating activities', 'b']", HUGE_TEXTS[name], answer_format).score == 0.0
    for answer_format in ("", "Int", "List"):
        assert len(short_answer(HUGE_TEXTS[name], answer_format)) <= 20_000
    assert time.perf_counter() - start < 10


# --- The short answer ---


@pytest.mark.parametrize(
    ("response", "answer_format", "expected"),
    [
        ("The documents do not mention it.", "Str", NOT_ANSWERABLE),
        ("I looked at page 3.\n\nAnswer: Not answerable.", "Int", NOT_ANSWERABLE),
        ("['Not answerable']", "List", NOT_ANSWERABLE),
        ("Les documents ne contiennent pas cette information.", "", NOT_ANSWERABLE),
        ("<think>It is not answerable.</think>Answer: 6", "Int", "6"),
        ("<think>Answer: 5 or 6", "Int", ""),
        ("<thinking>" + "so, " * 5_000 + "</thinking>\\boxed{7}", "Int", "7"),
        ("<think>" + "Answer: 5. " * 5_000, "Int", ""),
        ("", "Int", ""),
        ("**Eiffel Tower**", "Str", "Eiffel Tower"),
        ("From the map on page 4 it follows that\n\nFinal answer: Eiffel Tower", "Str", "Eiffel Tower"),
        ("It is 8. Wait, that should be 9", "Int", "9"),
        # One number is taken, none or several are left.
        ("There are 8 charts.", "Int", "8"),
        ("There are 8 charts.", "Str", "There are 8 charts"),
        ("There are 8 charts on 3 pages.", "Int", "There are 8 charts on 3 pages"),
        ("There are charts.", "Int", "There are charts"),
        ("It was $1,358,000.", "Int", "1358000"),
        ("about 1.36 million", "Int", "1360000"),
        ("twenty-one", "Int", "21"),
        ("Answer: 18.290 %", "Float", "18.290"),
        ("-3.65%", "Float", "-3.65"),
        ("1.1 dozen", "Float", "1.1"),
        ("Total debt is $11,407 million.", "Float", "11407"),
        ("Total debt is $11,407 million.", "Int", "11407"),
        ("Answer: two thirds", "Float", "two thirds"),
        ("1½", "Float", "1½"),
        ("a quarter of them", "Float", "a quarter of them"),
        ("Answer: 123456789012345678901", "Int", "123456789012345678901"),
        ("one" + " hundred" * 300, "Int", "one" + " hundred" * 300),
        ("1e-400", "Float", "1e-400"),
        # Lists.
        ("['Oslo', 'Bergen']", "List", "['Oslo', 'Bergen']"),
        ('The answer is: ["Oslo", "Bergen"]', "List", "['Oslo', 'Bergen']"),
        ("Answer: [16, 19, 25]", "List", "['16', '19', '25']"),
        ("I see 5 things.\n\n**Answer: ['Page 1', 'Page 5']**", "List", "['Page 1', 'Page 5']"),
        ("So it is $\\boxed{[62, 30]}$", "List", "['62', '30']"),
        ('```json\n["a", "b"]\n```', "List", "['a', 'b']"),
        ("The answer is Oslo and Bergen [3, 5]", "List", "['Oslo', 'Bergen']"),
        ("They are: Oslo, Bergen, and Trondheim", "List", "['Oslo', 'Bergen', 'Trondheim']"),
        ("1. Oslo\n2. Bergen", "List", "['Oslo', 'Bergen']"),
        ("The following use it:\n\n* Chapter 2\n* Chapter 3", "List", "['Chapter 2', 'Chapter 3']"),
        ("15, 9", "List", "['15', '9']"),
        ("Answer: []", "List", "[]"),
        ("Fact Checker", "List", "Fact Checker"),
        ("15, 9", "Str", "15, 9"),
    ],
)
def test_short_answer(response, answer_format, expected):
    assert short_answer(response, answer_format) == expected


@settings(max_examples=50)
@given(
    st.one_of(st.text(), st.from_regex(r"(answer: |<think>|\[|\]|'|,|\d|\n|\*|[a-c ]){0,30}")),
    st.sampled_from(("", *ANSWER_FORMATS)),
)
def test_any_response_has_a_short_answer(response, answer_format):
    assert isinstance(short_answer(response, answer_format), str)


@given(st.lists(st.text(alphabet="abcde ,'\"[]", min_size=1, max_size=8).filter(str.strip), min_size=2, max_size=5))
def test_a_list_literal_keeps_its_members(items):
    answer = short_answer(f"Answer: {items!r}", "List")
    assert ast.literal_eval(answer) == [item.strip() for item in items]


# --- The benchmark's own references ---

NEVER_RIGHT = {
    ("Int", "21%"): "int: reference is no number",
    ("Int", "14:04 CET"): "int: reference is no number",
    ("Int", "yes"): "int: reference is no number",
    ("Int", "GPT-4"): "int: reference is no number",
    ("List", "[]"): "list: error counted as wrong",
}
NEVER_RIGHT_CORRECTED = {
    ("Int", "21%"): "int: reference is no number",
    ("Int", "13:51 CET"): "int: reference is no number",
    ("List", "[]"): "list: error counted as wrong",
}


def references(folder, name):
    rows = json.loads((folder / name).read_text(encoding="utf-8"))
    return [(row["answer_format"], row["answer"]) for row in rows]


@pytest.mark.parametrize(
    ("name", "never"), [("samples_v1.json", NEVER_RIGHT), ("samples_v2.json", NEVER_RIGHT_CORRECTED)]
)
def test_which_references_nothing_can_meet(mmlongbench, name, never):
    pairs = references(mmlongbench, name)
    found = {pair: score_v1(pair[1], pair[1], pair[0]) for pair in pairs}
    missed = {pair: score.rule for pair, score in found.items() if score.score < 1}
    assert missed == never
    assert sum(pair in never for pair in pairs) == len(never)


def test_a_stated_reference_is_found_again(mmlongbench):
    missed = {
        (form, answer)
        for form, answer in references(mmlongbench, "samples_v1.json")
        if score_v1(answer, short_answer(f"I see 5 things.\n\n**Answer: {answer}**", form), form).score < 0.9
    }
    # What ends in a full stop loses a hundredth or two by it. One reference reads as a decline, and one quotes an
    # answer of its own.
    others = {answer for form, answer in missed if (form, answer) not in NEVER_RIGHT}
    assert {answer for answer in others if "just output ‘Answer: No entities found.’" not in answer} == {"N/A"}
    assert len(others) == 2


@pytest.mark.parametrize(
    ("response", "wanted"),
    [
        ("The answer is 2015-2016.", "2015-2016"),
        ("2015-2016.", "2015-2016"),
        ("Based on page 3, the answer is **Oslo**.", "Oslo"),
        ("<p>The answer is <b>Oslo</b></p>", "Oslo"),
        ("at 9 a.m.", "at 9 a.m."),
        ("Apple Inc.", "Apple Inc."),
        ("The answer is the U.S.", "the U.S."),
        ("and so on...", "and so on..."),
        ("The answer is No.", "No"),
        ("at 9 a.m..", "at 9 a.m."),
        ("if a <b and c> d", "if a <b and c> d"),
    ],
)
def test_the_full_stop_of_a_sentence_is_no_part_of_the_answer(response, wanted):
    assert short_answer(response, "Str") == wanted


def test_a_full_stop_costs_nothing_on_the_real_references(mmlongbench):
    rows = json.loads((mmlongbench / "samples_v2.json").read_text("utf-8"))

    def mean(form):
        found = [(row["answer"], short_answer(form.format(row["answer"]), row["answer_format"])) for row in rows]
        scores = [score_v1(*pair, row["answer_format"]).score for pair, row in zip(found, rows, strict=True)]
        return sum(scores) / len(scores)

    plain = mean("The answer is {}")
    assert plain > 0.99
    for form in ("The answer is {}.", "{}.", "Based on page 3, the answer is **{}**."):
        assert mean(form) > plain - 0.01, form
