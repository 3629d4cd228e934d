import csv
import itertools
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as scipy_stats
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

from muddle_utils import stats

NAN = float("nan")
PUBLISHED = Path(__file__).resolve().parents[2] / "data" / "published" / "table_1_judge_accuracy.csv"
outcomes = st.lists(st.sampled_from([0.0, 1.0, NAN]), min_size=1, max_size=40)


def rng(seed=0):
    return np.random.default_rng(seed)


# --- paired_difference ---


def test_paired_difference_uses_only_questions_with_both_values():
    # pairs kept: (1,1) (1,0) (0,0); differences 0, 1, 0; mean 1/3; means 2/3 and 1/3
    pair = stats.paired_difference([1, 1, 0, NAN, 1], [1, 0, 0, 1, NAN])
    assert (pair.n, pair.n_missing) == (3, 2)
    assert pair.difference == pytest.approx(1 / 3)
    assert (pair.mean_a, pair.mean_b) == (pytest.approx(2 / 3), pytest.approx(1 / 3))


@pytest.mark.parametrize(("a", "b"), [([], []), ([NAN, 1], [1, NAN])])
def test_paired_difference_of_nothing_is_nan_with_a_reason_and_never_zero(a, b):
    pair = stats.paired_difference(a, b)
    assert math.isnan(pair.difference)
    assert math.isnan(pair.mean_a)
    assert pair.n == 0
    assert "no question" in pair.reason


def test_paired_difference_reproduces_the_papers_gaps_from_whole_counts():
    # gpt-5-mini: random-2 minus hn-2 = 207 - 199 = 8 of 270; random-4 minus hn-4 = 202 - 191 = 11 of 270
    for a, b, printed in ((207, 199, 0.030), (202, 191, 0.041)):
        pair = stats.paired_difference(np.arange(270) < a, np.arange(270) < b)
        assert round(pair.difference, 3) == printed


def test_columns_of_unequal_length_or_with_infinities_are_refused():
    with pytest.raises(ValueError, match="same questions"):
        stats.paired_difference([1, 0], [1])
    with pytest.raises(ValueError, match="infinite value at row 1"):
        stats.paired_difference([1, math.inf], [1, 1])
    with pytest.raises(ValueError, match="one dimension"):
        stats.paired_difference([[1, 0]], [[1, 0]])


# --- McNemar ---


@pytest.mark.parametrize(
    ("only_a", "only_b", "p"),
    [(38, 19, 0.016348), (22, 7, 0.008130), (31, 15, 0.025896), (0, 0, 1.0), (18, 10, 0.184933)],
)
def test_exact_mcnemar_golden_values(only_a, only_b, p):
    assert stats.exact_mcnemar_counts(only_a, only_b).p_value == pytest.approx(p, abs=5e-7)


def test_only_the_exact_test_prints_the_papers_p_at_the_counts_it_implies():
    # The paper prints .016. Wilcoxon without correction gives .01185 on the same 57 discordant of 540 pairs, and
    # mid-p .0119: neither rounds to .016, which is why the exact test is the default.
    differences = np.concatenate([np.ones(38), -np.ones(19), np.zeros(483)])
    wilcoxon = scipy_stats.wilcoxon(differences, zero_method="wilcox", correction=False, method="asymptotic").pvalue
    test = stats.exact_mcnemar_counts(38, 19, n=540)
    assert wilcoxon == pytest.approx(0.01185, abs=5e-6)
    assert round(test.mid_p, 4) == 0.0119
    assert round(test.p_value, 3) == 0.016


@pytest.mark.parametrize(("only_a", "only_b"), [(0, 1), (5, 5), (12, 3), (3, 12), (200, 151), (0, 30)])
def test_exact_mcnemar_equals_scipy_and_statsmodels(only_a, only_b):
    test = stats.exact_mcnemar_counts(only_a, only_b)
    assert test.p_value == pytest.approx(scipy_stats.binomtest(only_a, only_a + only_b, 0.5).pvalue, rel=1e-10)
    table = [[10, only_a], [only_b, 10]]
    assert test.p_value == pytest.approx(statsmodels_mcnemar(table, exact=True).pvalue, rel=1e-10)
    # mid-p by its definition: half the probability of what was observed is taken off each tail
    pmf = scipy_stats.binom(only_a + only_b, 0.5).pmf(min(only_a, only_b))
    assert test.mid_p == pytest.approx(
        min(1, 2 * scipy_stats.binom(only_a + only_b, 0.5).cdf(min(only_a, only_b)) - pmf)
    )


def test_exact_mcnemar_counts_pairs_by_hand():
    # discordant: rows 0, 1, 2 (a only), row 3 (b only); row 5 is missing. p = 2 (1 + 4) / 16 = 0.625
    test = stats.exact_mcnemar([1, 1, 1, 0, 1, NAN], [0, 0, 0, 1, 1, 1])
    assert (test.only_a, test.only_b, test.n, test.n_missing) == (3, 1, 5, 1)
    assert test.p_value == 0.625
    assert test.mid_p == 0.375  # (2 x 5 - 4) / 16


def test_no_discordant_pairs_give_one_with_a_note_and_no_pairs_give_nan():
    same = stats.exact_mcnemar([1] * 10 + [0] * 5, [1] * 10 + [0] * 5)
    assert (same.p_value, same.mid_p) == (1.0, 1.0)
    assert "no discordant pairs" in same.note
    none = stats.exact_mcnemar([NAN], [1])
    assert math.isnan(none.p_value)
    assert "not applicable" in none.note


def test_mcnemar_refuses_scores_and_impossible_counts():
    with pytest.raises(ValueError, match=r"a must be 0 or 1.*0\.5"):
        stats.exact_mcnemar([0.5, 1], [1, 1])
    with pytest.raises(ValueError, match="negative"):
        stats.exact_mcnemar_counts(-1, 2)
    with pytest.raises(ValueError, match="cannot come from n = 2"):
        stats.exact_mcnemar_counts(2, 1, n=2)


@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_is_symmetric_and_mid_p_is_smaller(only_a, only_b):
    test, mirrored = stats.exact_mcnemar_counts(only_a, only_b), stats.exact_mcnemar_counts(only_b, only_a)
    assert (test.p_value, test.mid_p) == (mirrored.p_value, mirrored.mid_p)
    assert 0 < test.mid_p <= test.p_value <= 1


def test_large_counts_neither_overflow_nor_lose_precision():
    test = stats.exact_mcnemar_counts(5200, 4800)
    assert test.p_value == pytest.approx(scipy_stats.binomtest(5200, 10000, 0.5).pvalue, rel=1e-9)


# --- cluster bootstrap ---


def naive_cluster_bootstrap(values, clusters, generator, n_resamples):
    """The definition: draw clusters one by one, put their questions in a list, take the mean of the list."""
    members = {}
    for value, cluster in zip(values, clusters, strict=True):
        members.setdefault(cluster, []).append(value)
    names = sorted(members)
    means = []
    for _ in range(n_resamples):
        drawn = generator.integers(0, len(names), size=len(names))
        resample = [value for i in drawn for value in members[names[i]]]
        means.append(sum(resample) / len(resample))
    return np.quantile(means, [0.025, 0.975])


LOPSIDED = ["a"] * 17 + ["b"] + ["c"] * 2 + ["d"] * 5 + ["e"]


def test_cluster_bootstrap_equals_its_definition_on_lopsided_clusters():
    values = rng(3).integers(0, 2, len(LOPSIDED)).astype(float)
    interval = stats.cluster_bootstrap_mean(values, LOPSIDED, rng(7), n_resamples=400)
    low, high = naive_cluster_bootstrap(values, LOPSIDED, rng(7), 400)
    assert interval.low == pytest.approx(low, abs=1e-12)
    assert interval.high == pytest.approx(high, abs=1e-12)
    assert interval.estimate == pytest.approx(values.mean())
    assert (interval.n, interval.n_clusters, interval.n_resamples, interval.seed) == (26, 5, 400, 7)


def test_blocks_of_draws_do_not_change_the_result(monkeypatch):
    values = rng(3).integers(0, 2, len(LOPSIDED)).astype(float)
    whole = stats.cluster_bootstrap_mean(values, LOPSIDED, rng(7), n_resamples=500)
    monkeypatch.setattr(stats.intervals, "DRAWS_PER_BLOCK", 50)
    assert stats.cluster_bootstrap_mean(values, LOPSIDED, rng(7), n_resamples=500) == whole


def test_two_clusters_by_hand():
    # Draws of (A mean 1, n 2) and (B mean 0, n 2): AA, AB, BA, BB give 1, 1/2, 1/2, 0; the 95 % interval is 0 to 1.
    interval = stats.cluster_bootstrap_mean([1, 1, 0, 0], ["A", "A", "B", "B"], rng())
    assert (interval.estimate, interval.low, interval.high) == (0.5, 0.0, 1.0)


def test_singleton_clusters_are_the_ordinary_bootstrap():
    values = rng(1).integers(0, 2, 200).astype(float)
    ours = stats.cluster_bootstrap_mean(values, np.arange(200), rng(2), n_resamples=4000)
    theirs = scipy_stats.bootstrap((values,), np.mean, method="percentile", n_resamples=4000, rng=rng(5))
    # Both ends have a Monte-Carlo error of about .001 at 4,000 resamples; one question is .005.
    assert ours.low == pytest.approx(theirs.confidence_interval.low, abs=0.0051)
    assert ours.high == pytest.approx(theirs.confidence_interval.high, abs=0.0051)


def test_clustering_widens_the_interval_when_documents_agree_with_themselves():
    clusters = np.repeat(np.arange(20), 10)
    values = np.repeat(rng(1).integers(0, 2, 20), 10).astype(float)
    by_document = stats.cluster_bootstrap_mean(values, clusters, rng(), n_resamples=2000)
    by_question = stats.cluster_bootstrap_mean(values, np.arange(200), rng(), n_resamples=2000)
    ratio = (by_document.high - by_document.low) / (by_question.high - by_question.low)
    assert ratio == pytest.approx(math.sqrt(10), rel=0.15)  # design effect of 10 identical answers a document


@pytest.mark.parametrize(
    ("values", "clusters", "reason"),
    [
        ([1, 0, 1], ["a", "a", "a"], "one unit"),
        ([1, 1, 1], ["a", "b", "c"], "same mean"),
        ([1, 0, 1, 0], ["a", "a", "b", "b"], "same mean"),
        ([], [], "no values"),
        ([NAN], ["a"], "no values"),
    ],
)
def test_an_interval_that_does_not_apply_is_nan_with_its_reason(values, clusters, reason):
    interval = stats.cluster_bootstrap_mean(values, clusters, rng())
    assert math.isnan(interval.low)
    assert math.isnan(interval.high)
    assert reason in interval.reason
    assert (interval.n_resamples, interval.seed) == (0, None)
    assert math.isnan(interval.estimate) == (not np.isfinite(np.asarray(values, dtype=float)).any())


@pytest.mark.parametrize("label", [None, NAN, ""])
def test_a_question_without_a_document_is_refused(label):
    with pytest.raises(ValueError, match="cluster label"):
        stats.cluster_bootstrap_mean([1, 0], ["a", label], rng())


def test_bad_levels_lengths_and_resamples_are_refused():
    with pytest.raises(ValueError, match=r"level must be between 0 and 1.*95"):
        stats.cluster_bootstrap_mean([1, 0], ["a", "b"], rng(), level=95)
    with pytest.raises(ValueError, match="equal length"):
        stats.cluster_bootstrap_mean([1, 0], ["a"], rng())
    with pytest.raises(ValueError, match="n_resamples"):
        stats.cluster_bootstrap_mean([1, 0], ["a", "b"], rng(), n_resamples=0)


@settings(max_examples=30, deadline=None)
@given(outcomes, st.integers(0, 10_000))
def test_permuting_rows_or_relabelling_keeps_order_changes_nothing(values, seed):
    clusters = [f"d{i % 6}" for i in range(len(values))]
    first = stats.cluster_bootstrap_mean(values, clusters, rng(1), n_resamples=50)
    order = rng(seed).permutation(len(values))
    moved = stats.cluster_bootstrap_mean(np.array(values)[order], np.array(clusters)[order], rng(1), n_resamples=50)
    named = stats.cluster_bootstrap_mean(values, [f"paper {c}" for c in clusters], rng(1), n_resamples=50)
    np.testing.assert_equal(first, moved)
    np.testing.assert_equal(first, named)


def test_a_higher_level_gives_a_wider_interval_that_holds_the_estimate():
    values = rng(1).integers(0, 2, 120).astype(float)
    clusters = np.arange(120) // 4
    widths = []
    for level in (0.5, 0.8, 0.95, 0.99):
        interval = stats.cluster_bootstrap_mean(values, clusters, rng(2), level=level)
        assert interval.low <= interval.estimate <= interval.high
        widths.append(interval.high - interval.low)
    assert widths == sorted(widths)
    assert widths[0] < widths[-1]


def test_cluster_bootstrap_covers_with_forty_documents_where_the_question_bootstrap_does_not():
    # 400 studies of 40 documents with 1 to 12 questions and a document effect; the truth is the expected difference, 0.
    # At a true coverage of .95 the binomial standard error is .011; 2.5 of them below and above leave room for the
    # percentile interval's known shortfall of about .01 at 40 clusters.
    generator = rng(20261)
    sizes = generator.integers(1, 13, size=40)
    clusters = np.repeat(np.arange(40), sizes)
    covered = covered_by_question = 0
    for _ in range(400):
        shift = np.repeat(generator.normal(0, 0.15, size=40), sizes).clip(-0.25, 0.25)
        uniform = generator.random((2, len(clusters)))
        gaps = 1.0 * (uniform[0] < 0.7 + shift) - (uniform[1] < 0.7 - shift)
        by_document = stats.cluster_bootstrap_mean(gaps, clusters, generator, n_resamples=500)
        by_question = stats.cluster_bootstrap_mean(gaps, np.arange(len(clusters)), generator, n_resamples=500)
        covered += by_document.low <= 0 <= by_document.high
        covered_by_question += by_question.low <= 0 <= by_question.high
    assert abs(covered / 400 - 0.95) < 2.5 * math.sqrt(0.95 * 0.05 / 400)
    assert covered_by_question / 400 < 0.88


# --- sign flip ---


def test_sign_flip_of_outcomes_is_exact_mcnemar():
    a = np.array([1] * 22 + [0] * 7 + [1] * 30)
    b = np.array([0] * 22 + [1] * 7 + [1] * 30)
    test = stats.question_sign_flip(a - b)
    assert test.p_value == pytest.approx(stats.exact_mcnemar(a, b).p_value, rel=1e-12)
    assert (test.n, test.n_nonzero, test.method) == (59, 29, "exact sign-flip")


@pytest.mark.parametrize(
    "differences", [[0.5, 1, -0.5, 0.5, 0], [1 / 3, 1, -2 / 3, 1 / 3], [0.25, 0.75, 0.5, -1, 1, 1]]
)
def test_exact_sign_flip_equals_enumeration_of_all_signs(differences):
    observed = abs(sum(differences))
    sums = [
        abs(sum(s * d for s, d in zip(signs, differences, strict=True)))
        for signs in itertools.product((-1, 1), repeat=len(differences))
    ]
    expected = sum(total >= observed - 1e-9 for total in sums) / len(sums)
    assert stats.question_sign_flip(differences).p_value == pytest.approx(expected)


def test_sampled_sign_flip_agrees_with_the_exact_one_within_monte_carlo_error():
    differences = np.concatenate(
        [np.full(30, 0.5), np.full(14, -0.5), np.full(6, 1.0), np.full(3, -1.0), np.zeros(200)]
    )
    exact = stats.question_sign_flip(differences)
    sampled = stats.question_sign_flip(differences, rng(1), n_resamples=20_000)
    error = math.sqrt(exact.p_value * (1 - exact.p_value) / 20_000)
    assert abs(sampled.p_value - exact.p_value) < 4 * error
    assert (sampled.method, sampled.n_resamples, sampled.seed) == ("sampled sign-flip", 20_000, 1)


def test_sampled_sign_flip_is_never_zero():
    # every one of 40 questions improved: exact p = 2 / 2^40; drawn, at least 1 / (1 + n)
    assert stats.question_sign_flip(np.ones(40)).p_value == pytest.approx(2 / 2**40)
    assert stats.question_sign_flip(np.ones(40), rng(), n_resamples=99).p_value == pytest.approx(0.01)


def test_sign_flip_without_differences():
    zeros = stats.question_sign_flip([0, 0, NAN])
    assert (zeros.p_value, zeros.n, zeros.n_missing) == (1.0, 2, 1)
    assert "every difference is 0" in zeros.note
    nothing = stats.question_sign_flip([NAN])
    assert math.isnan(nothing.p_value)
    assert math.isnan(nothing.difference)


def test_differences_without_a_common_unit_need_a_generator():
    differences = [math.pi, -1, math.e]
    with pytest.raises(ValueError, match="pass a generator"):
        stats.question_sign_flip(differences)
    assert 0 < stats.question_sign_flip(differences, rng()).p_value <= 1


# --- pooling over k ---


def test_pooled_pairs_and_pooled_question_by_hand():
    # question 1: gaps 1, 0; question 2: gap 1, missing; question 3: gaps -1, -1; question 4: nothing
    a = [[1, 1], [1, NAN], [0, 0], [NAN, NAN]]
    b = [[0, 1], [0, 1], [1, 1], [1, 1]]
    pairs, question = stats.pooled_pairs(a, b), stats.pooled_question(a, b)
    assert pairs.difference == pytest.approx((1 + 0 + 1 - 1 - 1) / 5)
    assert (pairs.n_pairs, pairs.n_questions, pairs.n_missing) == (5, 3, 3)
    assert (pairs.mcnemar.only_a, pairs.mcnemar.only_b) == (2, 2)
    assert question.difference == pytest.approx((0.5 + 1 - 1) / 3)
    assert (question.n_questions, question.n_pairs, question.n_incomplete, question.n_missing) == (3, 5, 1, 1)
    np.testing.assert_equal(stats.question_differences(a, b), [0.5, 1.0, -1.0, NAN])
    # signs of (.5, 1, -1): |sum| >= .5 for all 8 of them
    assert question.sign_flip.p_value == 1.0


def test_pooling_reproduces_the_papers_headline_and_shows_what_it_hides():
    # 540 pairs, (38, 19) discordant: the paper's .016. If the 19 losses and gains at k = 2 and at k = 4 fall on the
    # same questions, the question-level p is that of half as many questions, about .075.
    gap = np.zeros((270, 2))
    gap[:19] = 1
    gap[19:28] = -1
    gap[28, 0] = -1
    a, b = np.maximum(gap, 0), np.maximum(-gap, 0)
    pairs, question = stats.pooled_pairs(a, b), stats.pooled_question(a, b)
    assert pairs.difference == pytest.approx(19 / 540)
    assert question.difference == pytest.approx(19 / 540)
    assert round(pairs.mcnemar.p_value, 3) == 0.016
    assert question.sign_flip.p_value == pytest.approx(0.075, abs=0.02)


def test_pooling_of_nothing_is_nan_and_bad_shapes_are_refused():
    nothing = np.full((3, 2), NAN)
    assert math.isnan(stats.pooled_pairs(nothing, nothing).difference)
    assert math.isnan(stats.pooled_question(nothing, nothing).difference)
    assert stats.pooled_question(nothing, nothing).reason
    with pytest.raises(ValueError, match="shape"):
        stats.pooled_pairs([1, 0], [0, 1])
    with pytest.raises(ValueError, match="shape"):
        stats.pooled_question(np.zeros((3, 2)), np.zeros((3, 1)))


# --- Holm, Wilson, consistent counts ---


def test_holm_golden_value_and_family_of_six():
    holm = stats.holm([0.008, 0.016, 0.026])
    assert holm.adjusted == pytest.approx((0.024, 0.032, 0.032))
    assert holm.family_size == 3
    six = stats.holm([0.008, 0.016, 0.026, 0.5, 0.6, 0.9]).adjusted
    assert six[:3] == pytest.approx((0.048, 0.080, 0.104))


@pytest.mark.parametrize("seed", range(20))
def test_holm_equals_statsmodels(seed):
    p_values = rng(seed).random(1 + seed).round(1)  # one decimal makes ties
    assert stats.holm(p_values).adjusted == pytest.approx(multipletests(p_values, method="holm")[1])


def test_holm_keeps_a_test_that_did_not_apply_in_the_family():
    # family of 3: 0.01 x 3, then max(0.03, 0.04 x 2)
    holm = stats.holm([0.04, NAN, 0.01])
    assert holm.adjusted[0] == pytest.approx(0.08)
    assert math.isnan(holm.adjusted[1])
    assert holm.adjusted[2] == pytest.approx(0.03)
    assert holm.family_size == 3
    assert stats.holm([]).adjusted == ()
    with pytest.raises(ValueError, match="between 0 and 1"):
        stats.holm([1.2])


@pytest.mark.parametrize(("k", "n"), [(0, 10), (10, 10), (206, 270), (1, 3)])
def test_wilson_equals_statsmodels(k, n):
    interval = stats.wilson_interval(k, n)
    low, high = proportion_confint(k, n, method="wilson")
    assert (interval.low, interval.high) == (pytest.approx(low, abs=1e-9), pytest.approx(high, abs=1e-9))
    assert interval.n == n


def test_wilson_of_nothing_is_nan_and_impossible_counts_are_refused():
    interval = stats.wilson_interval(0, 0)
    assert math.isnan(interval.estimate)
    assert interval.reason == "no values"
    with pytest.raises(ValueError, match="between 0 and n"):
        stats.wilson_interval(3, 2)


GPT = {0.763: 206, 0.737: 199, 0.767: 207, 0.707: 191, 0.748: 202}
GEMINI = {0.733: 198, 0.711: 192, 0.722: 195, 0.726: 196}


@pytest.mark.parametrize(("printed", "k"), [*GPT.items(), *GEMINI.items()])
def test_printed_accuracies_of_gpt_and_gemini_are_counts_of_270(printed, k):
    assert stats.consistent_counts(printed, 270) == (k,)


def test_grok_hn_4_is_not_a_count_of_270():
    assert stats.consistent_counts(0.682, 270) == ()
    assert stats.consistent_counts(0.682, 261) == (178,)
    assert stats.consistent_counts(0.707, 259) == (183,)


def test_every_published_markdown_value_of_gpt_and_gemini_is_a_count_of_270():
    if not PUBLISHED.is_file():
        pytest.skip("data/published is not in this checkout")
    with PUBLISHED.open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["model"] != "grok-4.3"]
    assert len(rows) == 10
    assert all(stats.consistent_counts(float(row["markdown"]), 270) for row in rows)


@given(st.integers(1, 400), st.integers(0, 400), st.integers(1, 4))
def test_consistent_counts_finds_the_count_it_was_printed_from_and_only_such(n, k, digits):
    k = min(k, n)
    found = stats.consistent_counts(round(k / n, digits), n, digits)
    assert k in found
    assert all(abs(other / n - round(k / n, digits)) <= 0.5 * 10**-digits + 1e-12 for other in found)


def test_consistent_counts_refuses_more_decimals_than_asked_for():
    with pytest.raises(ValueError, match="more than 2 decimals"):
        stats.consistent_counts(0.763, 270, digits=2)
    with pytest.raises(ValueError, match="positive"):
        stats.consistent_counts(0.5, 0)


# --- the order of rows ---

RESAMPLED = {
    "bootstrap": lambda a, b, c, q: stats.cluster_bootstrap_mean(a, c, rng(1), 150),
    "bootstrap, BCa": lambda a, b, c, q: stats.cluster_bootstrap_mean(a, c, rng(1), 150, method="bca"),
    "bootstrap of questions": lambda a, b, c, q: stats.cluster_bootstrap_mean(a, q, rng(1), 150),
    "bootstrap of columns": lambda a, b, c, q: stats.cluster_bootstrap_means(np.column_stack([a, b]), c, rng(1), 150),
    "sign-flip of questions": lambda a, b, c, q: stats.question_sign_flip(a - b, rng(1), 150),
    "sign-flip of documents": lambda a, b, c, q: stats.cluster_sign_flip(a - b, c, rng(1), 150),
    "pooled": lambda a, b, c, q: stats.pooled_question(np.column_stack([a, b]), np.column_stack([b, b]), rng(1), 150),
    "questions permuted": lambda a, b, c, q: stats.cochran_q(right(a, b), rng(1), 150),
    "documents permuted": lambda a, b, c, q: stats.cochran_q(right(a, b), rng(1), 150, c),
}
NOT_RESAMPLED = {
    "mean": lambda a, b, c, q: stats.clustered_mean(a, c),
    "normal": lambda a, b, c, q: stats.clustered_mean(a, c, method="normal"),
    "difference": lambda a, b, c, q: stats.clustered_difference(a - b, c),
    "proportion": lambda a, b, c, q: stats.clustered_proportion(a, c),
    "t": lambda a, b, c, q: stats.clustered_test(a - b, c),
    "equivalence": lambda a, b, c, q: stats.equivalence(a - b, c, 0.1),
    "McNemar": lambda a, b, c, q: stats.exact_mcnemar(right(a, b)[:, 0], right(a, b)[:, 1]),
    "paired": lambda a, b, c, q: stats.paired_difference(a, b),
}
GRADES = [(0.0, 1.0), (0.0, 1 / 3, 1.0), (0.0, 0.1234567, 0.7654321, 1.0)]


def right(a, b):
    return np.column_stack([np.where(np.isnan(x), NAN, x > 0.5) for x in (a, b, 1 - a)])


@pytest.mark.parametrize("name", [*RESAMPLED, *NOT_RESAMPLED])
@settings(max_examples=12, deadline=None)
@given(st.sampled_from(GRADES), st.integers(0, 10_000))
def test_the_order_of_rows_changes_no_bit(name, grades, seed):
    generator = rng(seed)
    a, b = generator.choice([*grades, NAN], size=(2, 40))
    documents = np.array(list("abcdefghij"))[generator.integers(0, 10, 40)]
    questions = np.array([f"question {number}" for number in range(40)])
    order = generator.permutation(40)
    function = (RESAMPLED | NOT_RESAMPLED)[name]
    first = function(a, b, documents, questions)
    np.testing.assert_equal(function(a[order], b[order], documents[order], questions[order]), first)


def test_another_seed_does_change_what_is_resampled():
    # Otherwise the test above could not fail.
    values, documents = rng(1).random(40), np.arange(40) // 4
    one, other = (stats.cluster_bootstrap_mean(values, documents, rng(seed), 150) for seed in (1, 2))
    assert one.low != other.low


# --- constant columns ---

EVERY_INTERVAL = {
    "percentile": lambda v, c: stats.cluster_bootstrap_mean(v, c, rng(), 100),
    "bca": lambda v, c: stats.cluster_bootstrap_mean(v, c, rng(), 100, method="bca"),
    "cr2": stats.clustered_mean,
    "normal": lambda v, c: stats.clustered_mean(v, c, method="normal"),
    "two pairs added": stats.clustered_difference,
    "proportion": stats.clustered_proportion,
    "Wilson": lambda v, c: stats.wilson_interval(int(sum(v)), len(v)),
    "t": stats.clustered_test,
    "equivalence": lambda v, c: stats.equivalence(v, c, 0.1),
    "crossed": lambda v, c: stats.crossed_variance(np.reshape(v, (-1, 2, 2))),
    "replicates": lambda v, c: stats.replicate_variance(np.reshape(v, (-1, 2))),
}


@pytest.mark.parametrize("name", EVERY_INTERVAL)
@pytest.mark.parametrize("value", [0.0, 1.0])
def test_equal_values_have_no_error_of_0_and_no_interval_without_width(name, value):
    result = EVERY_INTERVAL[name](np.full(24, value), np.repeat(np.arange(8), 3))
    found = {key: number for key, number in vars(result).items() if key.startswith(("standard_error", "se_"))}
    assert all(number is None or math.isnan(number) or number > 0 for number in found.values())
    if hasattr(result, "low"):
        assert (result.high - result.low > 0.01) == (not result.reason)
        assert math.isnan(result.low) == bool(result.reason)
    elif name != "t":
        assert "every value is the same" in result.reason
