"""Scores from the definitions: files worked out by hand, naive formulas, bounds, and orders that change nothing."""

import dataclasses
import random

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest
from scored_rows import (
    ABSTAINING,
    EMPTY,
    GUESSING,
    PERFECT,
    REFERENCES,
    of_system,
    scored_row,
)

from muddle_utils.analysis import benchmark_scores
from muddle_utils.analysis.frames import TablesError
from muddle_utils.analysis.reliability import judge_agreement
from muddle_utils.judging.mmlongbench_v2 import is_unanswerable
from muddle_utils.study.records import Question


def table(rows, missing="wrong"):
    found = benchmark_scores.scores(benchmark_scores.scored_frame(rows), missing)
    return {(row.scorer, row.metric): row for row in found.itertuples()}


def values(rows, missing="wrong", scorer="V2"):
    found = table(rows, missing)
    return [found[scorer, metric].value for metric in benchmark_scores.METRICS]


def test_a_perfect_file_scores_one_in_everything():
    assert values(PERFECT) == [1, 1, 1, 1]
    assert values(PERFECT, scorer="v1") == [1, 1, 1, 1]


def test_an_empty_file_is_all_wrong_and_has_no_precision():
    accuracy, recall, precision, f1 = values(EMPTY)
    assert (accuracy, recall, f1) == (0, 0, 0)
    assert precision is pd.NA
    found = table(EMPTY)
    assert found["V2", "precision"].not_applicable == "no question was answered"
    assert found["V2", "accuracy"].n_missing == 5
    excluded = table(EMPTY, "exclude")
    assert all(row.value is pd.NA and row.not_applicable for row in excluded.values()), "no row is left to be scored"
    assert excluded["V2", "accuracy"].n_missing == 5


def test_abstaining_always_earns_the_unanswerable_questions_and_no_more():
    accuracy, recall, precision, f1 = values(ABSTAINING)
    assert (accuracy, recall, f1) == (2 / 5, 0, 0)
    assert precision is pd.NA


def test_guessing_always_pays_in_precision():
    # 2 right of 5; of 3 answerable 2; of 5 answered 2; F1 = 2 * 2 / (5 + 3).
    assert values(GUESSING) == pytest.approx([2 / 5, 2 / 3, 2 / 5, 1 / 2])


def test_a_missing_prediction_is_wrong_but_not_answered_and_can_be_left_out():
    rows = [scored_row("q1", "no prediction"), *GUESSING[1:]]
    # Wrong: 1 of 5, 1 of 3, 1 of 4 answered, F1 = 2 / (4 + 3). Left out: 1 of 4, 1 of 2, 1 of 4, F1 = 2 / (4 + 2).
    assert values(rows) == pytest.approx([1 / 5, 1 / 3, 1 / 4, 2 / 7])
    assert values(rows, "exclude") == pytest.approx([1 / 4, 1 / 2, 1 / 4, 1 / 3])
    with pytest.raises(TablesError, match="missing = 'ignore'"):
        values(rows, "ignore")


@pytest.mark.parametrize("missing", benchmark_scores.MISSING)
def test_answering_twice_and_differently_raises_no_precision(missing):
    # q3 is wrong: 2 right of 5, of 3 answerable 2, of 5 answered 2, F1 = 4 / 8. Answered twice it is wrong, too.
    rows = [*GUESSING[:2], scored_row("q3", "two different responses", v1_answer=""), *GUESSING[3:]]
    assert values(rows, missing) == values(GUESSING, missing) == pytest.approx([2 / 5, 2 / 3, 2 / 5, 1 / 2])
    by_v1 = [scored_row(name, equivalent=True, v1=1.0) for name in ("q1", "q2")] + rows[2:]
    assert values(by_v1, missing, "v1") == pytest.approx([2 / 5, 2 / 3, 2 / 5, 1 / 2])
    assert table(rows, missing)["V2", "accuracy"].n_missing == 1
    # So is an unanswerable one.
    rows = [*GUESSING[:4], scored_row("q5", "two different responses")]
    assert values(rows, missing) == values(GUESSING, missing)
    # Beside a system that is right there it lost the question; it is not left out.
    other = [dataclasses.replace(row, system="b") for row in PERFECT]
    pair = benchmark_scores.between_systems(benchmark_scores.scored_frame([*rows, *other]), missing).iloc[0]
    assert (pair["n_questions"], pair["second_only"], pair["n_open"]) == (5, 3, 0)


def test_an_unjudged_response_is_never_wrong_and_opens_bounds():
    rows = [scored_row("q1"), *GUESSING[1:]]
    found = table(rows)
    # Over the four judged: q2 right, q3 to q5 wrong. Unjudged q1 is answerable.
    wanted = {
        "accuracy": (1 / 4, 1 / 5, 2 / 5),
        "recall": (1 / 2, 1 / 3, 2 / 3),
        "precision": (1 / 4, 1 / 5, 2 / 5),
        "f1": (2 / 6, 2 / 8, 4 / 8),
    }
    for metric, (value, least, most) in wanted.items():
        row = found["V2", metric]
        assert (row.value, row.least, row.most) == pytest.approx((value, least, most)), metric
        assert row.n_unjudged == 1


def test_an_unjudged_response_to_an_unanswerable_question_can_only_be_a_clean_decline():
    rows = [*GUESSING[:3], scored_row("q4"), GUESSING[4]]
    found = table(rows)
    # q1, q2 right. Best: q4 abstains and is right; worst: it committed itself.
    assert (found["V2", "accuracy"].least, found["V2", "accuracy"].most) == pytest.approx((2 / 5, 3 / 5))
    assert (found["V2", "precision"].least, found["V2", "precision"].most) == pytest.approx((2 / 5, 2 / 4))
    assert (found["V2", "f1"].least, found["V2", "f1"].most) == pytest.approx((4 / 8, 4 / 7))


outcome = st.sampled_from(["right", "wrong", "abstained", "no prediction", "unjudged"])


def drawn_rows(outcomes):
    rows = []
    for name, kind in zip(REFERENCES, outcomes, strict=True):
        unanswerable = name in ("q4", "q5")
        if kind in ("no prediction", "unjudged"):
            rows.append(scored_row(name, **({"status": kind} if kind == "no prediction" else {})))
        else:
            abstained = kind == "abstained" or (kind == "right" and unanswerable)
            rows.append(scored_row(name, equivalent=kind == "right", abstained=abstained, v1=float(kind == "right")))
    return rows


def unknown(rows):
    """Whether some of these were answered, and none of the answers was judged."""
    open_ = [row.verdict == "unjudged" for row in rows if row.status == "predicted"]
    return bool(open_) and all(open_)


def naive(rows):
    judged = [row for row in rows if row.verdict != "unjudged"]
    right = [row for row in judged if row.equivalent and row.stratum != "unanswerable"]
    answerable = [row for row in judged if row.stratum != "unanswerable"]
    answered = [row for row in judged if row.status == "predicted" and not row.abstained]
    accuracy = sum(bool(row.equivalent) for row in judged) / len(judged) if judged else None
    recall = len(right) / len(answerable) if answerable else None
    precision = len(right) / len(answered) if answered else None
    f1 = 0.0 if not precision or not recall else 2 * precision * recall / (precision + recall)
    no_recall = not answerable or unknown([row for row in rows if row.stratum != "unanswerable"])
    return [None if unknown(rows) else accuracy, *((None, precision, None) if no_recall else (recall, precision, f1))]


@given(st.lists(outcome, min_size=5, max_size=5))
def test_scores_are_those_of_the_definition(outcomes):
    rows = drawn_rows(outcomes)
    for given_, wanted in zip(values(rows), naive(rows), strict=True):
        assert (given_ is pd.NA) if wanted is None else given_ == pytest.approx(wanted)


@given(st.lists(outcome, min_size=5, max_size=5))
def test_bounds_hold_every_way_the_unjudged_can_turn_out(outcomes):
    rows = drawn_rows(outcomes)
    found = table(rows)
    for kind in ("right", "wrong", "abstained"):
        turned = drawn_rows([kind if name == "unjudged" else name for name in outcomes])
        for metric, value in zip(benchmark_scores.METRICS, naive(turned), strict=True):
            row = found["V2", metric]
            if value is not None:
                assert row.least - 1e-12 <= value <= row.most + 1e-12


def test_v1_scores_are_fractional():
    rows = [
        scored_row("q1", equivalent=False, v1=0.75),
        scored_row("q2", equivalent=True, v1=1.0),
        scored_row("q3", "no prediction"),
        scored_row("q4", equivalent=False, abstained=True, v1=1.0),
        scored_row("q5", equivalent=False, v1=0.25),
    ]
    # Answerable are q1 to q3 with 0.75 + 1 + 0; answered are q1, q2 and q5.
    assert values(rows, scorer="v1") == pytest.approx([3 / 5, 1.75 / 3, 1.75 / 3, 3.5 / 6])
    assert values(rows, "exclude", "v1") == pytest.approx([3 / 4, 1.75 / 2, 1.75 / 3, 3.5 / 5])


def test_an_interval_stands_with_its_counts_and_method():
    for row in table(GUESSING).values():
        if not pd.isna(row.low):
            assert row.low <= row.value <= row.high
            assert row.n_documents == 2
            assert "95 %" in row.method
            assert "source documents" in row.method
        else:
            assert row.not_applicable or "without an interval" in row.method


def test_strata_are_disjoint_and_follow_the_rules():
    made = {row.question_id: row.stratum for row in PERFECT}
    assert made == {
        "q1": "single-page",
        "q2": "cross-page",
        "q3": "cross-page",
        "q4": "unanswerable",
        "q5": "unanswerable",
    }


def test_the_breakdown_counts_every_slice():
    found = benchmark_scores.breakdown(benchmark_scores.scored_frame(GUESSING))
    counts = {(row.facet, row.slice): (row.n_questions, row.value) for row in found.itertuples()}
    assert counts["stratum", "single-page"] == (1, 1)
    assert counts["stratum", "cross-page"] == (2, 0.5)
    assert counts["stratum", "unanswerable"] == (2, 0)
    assert counts["evidence source", "Table"] == (2, 0.5)
    assert counts["evidence source", "none named, answerable"] == (1, 0)
    assert counts["task type", "not labelled"] == (1, 0)
    assert counts["requires visual", "yes"] == (2, 0.5)
    assert counts["requires visual", "not labelled"] == (1, 0)
    assert sum(n for (facet, _), (n, _) in counts.items() if facet == "stratum") == 5


def test_charts_and_what_has_to_be_seen_are_told_apart():
    found = benchmark_scores.interplay(benchmark_scores.scored_frame(GUESSING))
    counts = {(row.chart_or_figure, row.requires_visual): row.n_questions for row in found.itertuples()}
    assert counts == {(True, True): 1, (True, False): 1, (False, True): 1, (False, False): 1}


def test_disagreements_say_how_and_sum_to_the_difference():
    rows = [
        scored_row("q1", equivalent=True, v1=0.0),
        scored_row("q2", equivalent=True, v1=0.9),
        scored_row("q3", equivalent=False, v1=0.6),
        scored_row("q4", equivalent=False, v1=1.0, v1_rule="text: exact"),
        scored_row("q5", equivalent=True, v1=1.0),
    ]
    frame = benchmark_scores.scored_frame(rows)
    found = benchmark_scores.disagreements(frame)
    assert sorted(found["kind"]) == [
        "v1 partly right, V2 right",
        "v1 partly right, V2 wrong",
        "v1 right, V2 wrong",
        "v1 wrong, V2 right",
    ]
    assert found["gap"].sum() == pytest.approx(3 / 5 - 3.5 / 5)
    assert benchmark_scores.disagreement_rows(frame)["question_id"].tolist() == ["q4", "q1", "q3", "q2"]
    agreed = benchmark_scores.disagreements(benchmark_scores.scored_frame(PERFECT))
    assert agreed["not_applicable"].tolist() == ["v1 and V2 agree on every judged response"]


def test_two_systems_are_compared_question_by_question():
    frame = benchmark_scores.scored_frame([*PERFECT, *of_system(GUESSING, "b")])
    found = benchmark_scores.between_systems(frame).iloc[0]
    assert (found["first"], found["second"]) == ("a", "b")
    assert found["difference"] == pytest.approx(3 / 5)
    assert (found["first_only"], found["second_only"], found["n_questions"], found["n_documents"]) == (3, 0, 5, 2)
    assert found["p"] == pytest.approx(binomtest(3, 3).pvalue)
    assert found["low"] <= found["difference"] <= found["high"] <= 1
    swapped = benchmark_scores.between_systems(
        benchmark_scores.scored_frame([*of_system(GUESSING, "b"), *PERFECT])
    ).iloc[0]
    assert swapped["difference"] == pytest.approx(-3 / 5)
    assert swapped["p"] == found["p"]


def test_an_unjudged_question_counts_for_neither_system():
    rows = [scored_row("q1"), *PERFECT[1:]]
    found = benchmark_scores.between_systems(benchmark_scores.scored_frame([*rows, *of_system(GUESSING, "b")])).iloc[0]
    assert (found["n_questions"], found["n_open"]) == (4, 1)


def test_systems_that_agree_have_no_test_and_one_alone_no_row():
    same = benchmark_scores.between_systems(benchmark_scores.scored_frame([*PERFECT, *of_system(PERFECT, "b")])).iloc[0]
    assert same["difference"] == 0
    assert pd.isna(same["p"])
    assert "agree on every question" in same["not_applicable"]
    alone = benchmark_scores.between_systems(benchmark_scores.scored_frame(PERFECT)).iloc[0]
    assert alone["not_applicable"] == "one system: nothing to compare"


def test_systems_scored_against_different_questions_are_refused():
    frame = benchmark_scores.scored_frame([*PERFECT, *of_system(GUESSING[:3], "b")])
    with pytest.raises(TablesError, match="scored against different questions"):
        benchmark_scores.between_systems(frame)


def test_the_order_of_rows_changes_no_table():
    rows = [*PERFECT, *of_system(GUESSING, "b")]
    frame = benchmark_scores.scored_frame(rows)
    makers = (
        benchmark_scores.scores,
        benchmark_scores.breakdown,
        benchmark_scores.interplay,
        benchmark_scores.disagreements,
        benchmark_scores.between_systems,
    )
    first = [make(frame) for make in makers]
    for seed in range(5):
        mixed = [*random.Random(seed).sample(PERFECT, 5), *random.Random(seed + 9).sample(rows[5:], 5)]
        for make, wanted in zip(makers, first, strict=True):
            pd.testing.assert_frame_equal(make(benchmark_scores.scored_frame(mixed)), wanted)


def test_a_question_twice_is_refused():
    with pytest.raises(TablesError, match="rows of one question"):
        benchmark_scores.scored_frame([PERFECT[0], PERFECT[0]])


def test_judges_are_compared_on_the_same_responses():
    frame = benchmark_scores.scored_frame([*PERFECT, *of_system(GUESSING, "a", "other")])
    rated = benchmark_scores.ratings(frame)
    assert rated[["local/rules", "other"]].sum().tolist() == [5, 2]
    found = judge_agreement(rated, ["local/rules", "other"], np.random.default_rng(0), 200)
    assert found["agreement"].iloc[0] == pytest.approx(2 / 5)


def test_unanswerable_is_how_the_reference_begins():
    made = [
        Question("q", "a", "?", answer, "None", (), (), "")
        for answer in ("Not answerable", "Not answerable or 0", "None")
    ]
    assert [is_unanswerable(question) for question in made] == [True, True, False]
