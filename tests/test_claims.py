import pandas as pd
import pytest
from made_up_study import tiny

from muddle_utils import claims, comparisons


@pytest.mark.parametrize(
    ("value", "text"), [(0.0352, "+3.5"), (-0.0352, "−3.5"), (0.0, "0.0"), (-0.0004, "0.0"), (0.00051, "+0.1")]
)
def test_points_have_one_decimal_and_no_sign_on_zero(value, text):
    assert claims.points(value) == text


@pytest.mark.parametrize(
    ("low", "high", "p_holm", "verdict"),
    [
        (0.01, 0.05, 0.04, "shown"),
        (-0.05, -0.01, 0.05, "shown"),
        (0.01, 0.05, 0.06, "suggested"),
        (0.01, 0.05, pd.NA, "suggested"),
        (-0.01, 0.05, 0.01, "not shown"),
        (0.0, 0.05, 0.01, "not shown"),
        (pd.NA, pd.NA, 0.01, ""),
    ],
)
def test_a_claim_needs_both_the_interval_and_the_adjusted_test(low, high, p_holm, verdict):
    assert claims.verdict_of({"low": low, "high": high, "p_holm": p_holm}) == verdict


def made(control, random, hard):
    frame = tiny({"control": control, "random-2": random, "hn-2": hard, "random-4": random, "hn-4": hard})
    paired = comparisons.paired(frame)
    return claims.claims(paired, comparisons.equivalent(frame, 0.05))


def test_a_clear_topical_gap_is_shown_with_its_numbers():
    n = 60
    right, wrong = [True] * 50 + [False] * 10, [True] * 30 + [False] * 30
    table = made(right, right, wrong)
    row = table[table["research_question"].eq("RQ1")].iloc[0]
    assert row["verdict"] == "shown"
    assert row["claim"].startswith("Hard negatives cost more than random distractors: Random − HN")
    assert "+33.3 points [" in row["claim"]
    assert f"{n} questions of {n} documents" in row["claim"]
    assert claims.headline(table).startswith("m, Markdown: Hard negatives cost more")


def test_the_other_way_round_is_said_the_other_way_round():
    right, wrong = [True] * 50 + [False] * 10, [True] * 30 + [False] * 30
    row = made(right, wrong, right).iloc[0]
    assert row["claim"].startswith("Hard negatives cost less than random distractors")


def test_nothing_found_is_not_called_nothing_there():
    values = [i % 2 == 0 for i in range(40)]
    moved = [not values[0], *values[1:]]
    table = made(values, values, moved)
    topic = table.iloc[0]
    assert topic["verdict"] == "not shown"
    assert "can be told from zero" in topic["claim"]
    length = table[table["claim"].str.contains("Random-4 stays within|not applicable")]
    assert len(length) > 0


def test_what_does_not_apply_is_a_sentence_with_its_reason():
    table = made([True, False], [True, False], [True, False])
    assert table["claim"].str.contains("not applicable").all()
    assert table["verdict"].eq("").all()
    assert not table["claim"].str.contains("nan|NA").any()


def test_a_study_without_the_arms_says_so():
    frame = tiny({"control": [True, False]})
    table = claims.claims(comparisons.paired(frame), comparisons.equivalent(frame, 0.05))
    assert table.empty
    assert "not applicable" in claims.headline(table)
