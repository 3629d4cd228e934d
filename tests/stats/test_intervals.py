import itertools
import math

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize
from scipy import stats as scipy_stats
from statsmodels.stats.proportion import proportion_confint

from muddle_utils import stats
from muddle_utils.stats import intervals

NAN = float("nan")
LOPSIDED = ["a"] * 17 + ["b"] + ["c"] * 2 + ["d"] * 5 + ["e"] * 2 + ["f"] * 3
units = st.sampled_from([(0.0, 1.0), (0.0, 0.5, 1.0), (-1.0, 0.0, 1.0), (0.0, 1 / 3, 2 / 3, 1.0), (0.0, 0.1, 0.7)])


def rng(seed=0):
    return np.random.default_rng(seed)


def outcomes(n, seed=3, share=0.6):
    return (rng(seed).random(n) < share).astype(float)


def totals(values, clusters):
    """Sums and counts by cluster, in order of the labels."""
    names = sorted(set(clusters))
    members = [[v for v, c in zip(values, clusters, strict=True) if c == name] for name in names]
    return np.array([sum(m) for m in members]), np.array([len(m) for m in members], dtype=float), members


# --- Many columns at once ---


def columns_with_gaps(unit, seed):
    """Thirty questions, nine columns; column 3 lacks cluster b, column 4 all but one, column 5 everything."""
    values = rng(seed).choice(unit, size=(len(LOPSIDED), 9))
    values[rng(seed + 1).random(values.shape) < 0.1] = NAN
    values[np.array(LOPSIDED) == "b", 3] = NAN
    values[np.array(LOPSIDED) != "a", 4] = NAN
    values[:, 5] = NAN
    values[:, 6] = 1
    return values


@settings(max_examples=25, deadline=None)
@given(units, st.integers(0, 1000), st.sampled_from(["percentile", "bca"]))
def test_a_column_among_others_is_the_column_alone_to_the_last_bit(unit, seed, method):
    values = columns_with_gaps(unit, seed)
    together = stats.cluster_bootstrap_means(values, LOPSIDED, rng(seed), 200, method=method)
    for column, interval in zip(values.T, together, strict=True):
        alone = stats.cluster_bootstrap_mean(column, LOPSIDED, rng(seed), 200, method=method)
        np.testing.assert_equal(interval, alone)


def test_a_column_without_a_unit_is_the_column_alone_to_rounding():
    values = np.column_stack([rng(1).normal(size=len(LOPSIDED)), outcomes(len(LOPSIDED))])
    together = stats.cluster_bootstrap_means(values, LOPSIDED, rng(2), 300)
    for column, interval in zip(values.T, together, strict=True):
        alone = stats.cluster_bootstrap_mean(column, LOPSIDED, rng(2), 300)
        assert (interval.low, interval.high) == pytest.approx((alone.low, alone.high), abs=1e-13)


def test_columns_of_equally_many_documents_share_their_draws():
    # A column and what it lacks of 1: their resampled means add up to 1 draw by draw, so their ends mirror each other.
    right = outcomes(len(LOPSIDED))
    first, second = stats.cluster_bootstrap_means(np.column_stack([right, 1 - right]), LOPSIDED, rng(5), 999)
    assert first.low == pytest.approx(1 - second.high, abs=1e-15)
    assert first.high == pytest.approx(1 - second.low, abs=1e-15)


def test_columns_that_lack_another_document_each_are_drawn_together(monkeypatch):
    drawn, times_drawn = [], intervals._times_drawn
    monkeypatch.setattr(intervals, "_times_drawn", lambda n, *rest: drawn.append(n) or times_drawn(n, *rest))
    values = np.column_stack([outcomes(len(LOPSIDED), seed) for seed in range(8)])
    for number, document in enumerate("abcdef"):
        values[np.array(LOPSIDED) == document, number] = NAN
    found = stats.cluster_bootstrap_means(values, LOPSIDED, rng(1), 100)
    assert [interval.n_clusters for interval in found] == [5] * 6 + [6] * 2
    assert sorted(drawn) == [5, 6]


def test_a_document_without_a_value_is_not_among_those_drawn():
    values = outcomes(len(LOPSIDED))
    values[np.array(LOPSIDED) == "a"] = NAN
    kept = [label for label in LOPSIDED if label != "a"]
    both = stats.cluster_bootstrap_means(np.column_stack([values, outcomes(30)]), LOPSIDED, rng(1), 400)
    without = stats.cluster_bootstrap_mean(values[~np.isnan(values)], kept, rng(1), 400)
    assert (both[0].low, both[0].high, both[0].n_clusters) == (without.low, without.high, 5)
    assert (both[0].n_missing, both[1].n_clusters) == (17, 6)


def test_how_much_is_held_at_once_changes_nothing(monkeypatch):
    values = columns_with_gaps((0.0, 1 / 3, 1.0), 4)
    whole = stats.cluster_bootstrap_means(values, LOPSIDED, rng(7), 150)
    monkeypatch.setattr(intervals, "DRAWS_PER_BLOCK", 250)
    monkeypatch.setattr(intervals, "UNSHARED_PRODUCT", 1)
    monkeypatch.setattr(intervals, "RESULTS_AT_ONCE", 300)
    np.testing.assert_equal(stats.cluster_bootstrap_means(values, LOPSIDED, rng(7), 150), whole)


@settings(max_examples=20, deadline=None)
@given(units, st.integers(0, 1000), st.sampled_from(["percentile", "bca"]))
def test_the_order_of_rows_changes_no_bit_even_of_thirds(unit, seed, method):
    values = rng(seed).choice(unit, size=len(LOPSIDED))
    order = rng(seed + 1).permutation(len(values))
    first = stats.cluster_bootstrap_mean(values, LOPSIDED, rng(1), 100, method=method)
    moved = stats.cluster_bootstrap_mean(values[order], np.array(LOPSIDED)[order], rng(1), 100, method=method)
    np.testing.assert_equal(first, moved)
    np.testing.assert_equal(
        stats.clustered_mean(values, LOPSIDED), stats.clustered_mean(values[order], np.array(LOPSIDED)[order])
    )


def test_no_columns_and_no_questions():
    assert stats.cluster_bootstrap_means(np.zeros((4, 0)), ["a", "b", "c", "d"], rng()) == []
    nothing = stats.cluster_bootstrap_means(np.zeros((0, 2)), [], rng())
    assert [interval.reason for interval in nothing] == ["no values", "no values"]


def test_a_table_of_another_shape_or_with_an_infinity_is_refused():
    with pytest.raises(ValueError, match=r"values must have shape \(questions, columns\), not \(3,\)"):
        stats.cluster_bootstrap_means([1, 0, 1], ["a", "b", "c"], rng())
    with pytest.raises(ValueError, match="values holds an infinite value at row 1"):
        stats.cluster_bootstrap_means([[1, 0], [1, math.inf]], ["a", "b"], rng())
    with pytest.raises(ValueError, match="equal length, not 2 and 3"):
        stats.cluster_bootstrap_means([[1, 0], [1, 1]], ["a", "b", "c"], rng())
    with pytest.raises(ValueError, match="method must be one of percentile, bca, not 'basic'"):
        stats.cluster_bootstrap_mean([1, 0], ["a", "b"], rng(), method="basic")


@given(st.lists(st.floats(-3, 3), min_size=1, max_size=40), st.floats(0, 1))
def test_the_quantile_is_numpys_to_the_last_bit(values, share):
    assert intervals._quantile(np.array(values), share) == np.quantile(values, share)


# --- BCa ---


@pytest.mark.parametrize("share", [0.5, 0.9, 0.97])
def test_bca_of_single_questions_is_scipys(share):
    values = outcomes(90, share=share)
    labels = [f"{number:02d}" for number in range(90)]
    ours = stats.cluster_bootstrap_mean(values, labels, rng(7), 2000, 0.9, "bca")
    theirs = scipy_stats.bootstrap(
        (values,), np.mean, method="BCa", n_resamples=2000, confidence_level=0.9, rng=rng(7)
    ).confidence_interval
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1e-12)
    assert ours.method == "cluster bootstrap, BCa"


def test_bca_of_unequal_clusters_is_scipys_on_their_totals():
    # 0/1 outcomes, because scipy misses ties with the estimate where sums are rounded.
    values = outcomes(len(LOPSIDED))
    sums, counts, _ = totals(values, LOPSIDED)

    def ratio(s, c, axis):
        return s.sum(axis=axis) / c.sum(axis=axis)

    theirs = scipy_stats.bootstrap(
        (sums, counts), ratio, paired=True, method="BCa", n_resamples=3000, rng=rng(7)
    ).confidence_interval
    ours = stats.cluster_bootstrap_mean(values, LOPSIDED, rng(7), 3000, method="bca")
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_bca_of_unequal_clusters_by_its_definition(seed):
    values = outcomes(len(LOPSIDED), seed)
    _, _, members = totals(values, LOPSIDED)
    generator = rng(11)
    means = []
    for _ in range(500):
        drawn = generator.integers(0, len(members), size=len(members))
        means.append(np.mean([value for i in drawn for value in members[i]]))
    estimate = values.mean()
    below = np.mean([(m < estimate - 1e-12) + 0.5 * (abs(m - estimate) <= 1e-12) for m in means])
    without = [np.mean([v for j, m in enumerate(members) if j != i for v in m]) for i in range(len(members))]
    fall = np.mean(without) - np.array(without)
    acceleration = (fall**3).sum() / (6 * (fall**2).sum() ** 1.5)
    bias = scipy_stats.norm.ppf(below)
    tails = []
    for tail in (0.025, 0.975):
        z = bias + scipy_stats.norm.ppf(tail)
        tails.append(scipy_stats.norm.cdf(bias + z / (1 - acceleration * z)))
    ours = stats.cluster_bootstrap_mean(values, LOPSIDED, rng(11), 500, method="bca")
    assert (ours.low, ours.high) == pytest.approx(tuple(np.quantile(means, tails)), abs=1e-12)


def test_bca_leans_to_the_long_tail_and_stays_inside_the_range():
    values = np.array([0.0] * 4 + [1.0] * 56)
    plain, leaning = (
        stats.cluster_bootstrap_mean(values, np.arange(60), rng(3), 4000, method=m) for m in ("percentile", "bca")
    )
    assert leaning.low < plain.low
    assert leaning.high <= plain.high <= 1


@pytest.mark.parametrize(
    ("n_resamples", "level", "method", "reason"),
    [
        (1, 0.95, "percentile", "both ends"),
        (1, 0.95, "bca", "BCa is undefined"),
        (500, 1 - 1e-13, "bca", "BCa is undefined"),
    ],
)
def test_where_no_interval_can_be_drawn_the_reason_stands_instead(n_resamples, level, method, reason):
    # One odd question in 40: the acceleration is about 1/6, too large for a quantile beyond 6.
    values = np.array([1.0] + [0.0] * 39)
    interval = stats.cluster_bootstrap_mean(values, np.arange(40), rng(2), n_resamples, level, method)
    assert reason in interval.reason
    assert math.isnan(interval.low)
    assert math.isnan(interval.high)
    assert (interval.n_resamples, interval.seed, interval.n) == (0, None, 40)


# --- Clustered standard errors ---


def matrix_cr2(values, clusters):
    """Bell and McCaffrey's variance and Satterthwaite's degrees of freedom of an intercept, with whole matrices."""
    names = sorted(set(clusters))
    rows = [np.flatnonzero(np.array(clusters) == name) for name in names]
    n = len(values)
    design = np.ones((n, 1))
    bread = np.linalg.inv(design.T @ design)
    hat = design @ bread @ design.T
    residual = values - hat @ values
    variance, directions = 0.0, []
    for row in rows:
        eigenvalues, vectors = np.linalg.eigh(np.eye(len(row)) - hat[np.ix_(row, row)])
        root = vectors @ np.diag(eigenvalues**-0.5) @ vectors.T
        weights = (bread @ design[row].T @ root).ravel()
        variance += (weights @ residual[row]) ** 2
        directions.append((np.eye(n) - hat)[row].T @ weights)
    gram = np.array([[a @ b for b in directions] for a in directions])
    return variance, np.trace(gram) ** 2 / np.trace(gram @ gram)


@pytest.mark.parametrize("seed", range(3))
def test_cr2_is_that_of_the_whole_matrices(seed):
    for clusters in (LOPSIDED, list("aabbbbccccccd"), list("ab" * 5 + "a" * 7)):
        values = rng(seed).normal(size=len(clusters)).round(1)
        variance, freedom = matrix_cr2(values, clusters)
        interval = stats.clustered_mean(values, clusters, 0.9)
        assert interval.standard_error == pytest.approx(math.sqrt(variance), rel=1e-10)
        assert interval.degrees_of_freedom == pytest.approx(freedom, rel=1e-10)
        reach = scipy_stats.t.ppf(0.95, freedom) * math.sqrt(variance)
        assert (interval.low, interval.high) == pytest.approx((values.mean() - reach, values.mean() + reach), rel=1e-10)


def robust_error(values, clusters, corrected):
    _, groups = np.unique(clusters, return_inverse=True)
    model = sm.OLS(values, np.ones(len(values)))
    return float(model.fit(cov_type="cluster", cov_kwds={"groups": groups, "use_correction": corrected}).bse[0])


def test_cr2_of_equal_clusters_is_statsmodels_cr1_and_the_error_of_cluster_means():
    clusters = np.repeat(np.arange(12), 4)
    values = outcomes(48) + np.repeat(rng(5).integers(0, 2, 12), 4)
    interval = stats.clustered_mean(values, clusters)
    means = values.reshape(12, 4).mean(axis=1)
    assert interval.standard_error == pytest.approx(robust_error(values, clusters, corrected=True), rel=1e-10)
    assert interval.standard_error == pytest.approx(means.std(ddof=1) / math.sqrt(12), rel=1e-10)
    assert interval.degrees_of_freedom == pytest.approx(11, rel=1e-10)


def test_cr2_corrects_statsmodels_cr0_cluster_by_cluster():
    values = rng(6).normal(size=len(LOPSIDED))
    sums, counts, _ = totals(values, LOPSIDED)
    squares = (sums - counts * values.mean()) ** 2 / len(values) ** 2
    assert math.sqrt(squares.sum()) == pytest.approx(robust_error(values, LOPSIDED, corrected=False), rel=1e-10)
    corrected = (squares / (1 - counts / len(values))).sum()
    assert stats.clustered_mean(values, LOPSIDED).standard_error == pytest.approx(math.sqrt(corrected), rel=1e-10)


def test_single_questions_give_students_interval():
    values = rng(4).normal(size=25)
    interval = stats.clustered_mean(values, np.arange(25), 0.99)
    expected = scipy_stats.ttest_1samp(values, 0).confidence_interval(0.99)
    assert (interval.low, interval.high) == pytest.approx(tuple(expected), rel=1e-10)
    assert interval.degrees_of_freedom == pytest.approx(24)


@given(st.lists(st.integers(1, 30), min_size=2, max_size=12))
def test_degrees_of_freedom_lie_between_one_and_clusters_less_one(sizes):
    clusters = np.repeat(np.arange(len(sizes)), sizes)
    values = np.concatenate([[0.0] * (len(clusters) - 1), [1.0]])
    freedom = stats.clustered_mean(values, clusters).degrees_of_freedom
    assert 1 - 1e-9 <= freedom <= len(sizes) - 1 + 1e-9
    if len(sizes) == 2:
        assert freedom == pytest.approx(1)


def test_one_large_document_leaves_few_degrees_of_freedom():
    sizes = [120] + [1] * 60
    clusters = np.repeat(np.arange(61), sizes)
    assert stats.clustered_mean(outcomes(180), clusters).degrees_of_freedom < 4


def test_cr2_is_unbiased_where_its_working_model_holds():
    # The mean of SE^2 over 1,000 draws of independent values of variance 1 is 1/30, within four of its own errors.
    generator = rng(8)
    squares = [stats.clustered_mean(generator.normal(size=30), LOPSIDED).standard_error ** 2 for _ in range(1000)]
    assert abs(np.mean(squares) - 1 / 30) < 4 * np.std(squares) / math.sqrt(1000)


def test_the_normal_interval_is_the_sum_over_all_pairs_of_a_cluster():
    values = outcomes(len(LOPSIDED))
    e, n = values - values.mean(), len(values)
    pairs = itertools.permutations(range(n), 2)
    crossed = sum(e[i] * e[j] for i, j in pairs if LOPSIDED[i] == LOPSIDED[j])
    expected = math.sqrt(values.var(ddof=1) / n + crossed / n**2)
    interval = stats.clustered_mean(values, LOPSIDED, method="normal")
    assert interval.standard_error == pytest.approx(expected, rel=1e-12)
    assert interval.high - interval.estimate == pytest.approx(scipy_stats.norm.ppf(0.975) * expected, rel=1e-12)
    assert math.isnan(interval.degrees_of_freedom)


def test_the_normal_interval_of_single_questions_is_the_ordinary_one():
    values = outcomes(50)
    interval = stats.clustered_mean(values, np.arange(50), method="normal")
    assert interval.standard_error == pytest.approx(values.std(ddof=1) / math.sqrt(50), rel=1e-12)


def test_with_few_clusters_the_normal_interval_is_the_narrower_one():
    values = outcomes(len(LOPSIDED))
    cr2, normal = stats.clustered_mean(values, LOPSIDED), stats.clustered_mean(values, LOPSIDED, method="normal")
    assert cr2.high - cr2.low > 1.5 * (normal.high - normal.low)


@settings(max_examples=30)
@given(st.integers(0, 1000), st.floats(-5, 5), st.floats(0.1, 10), st.sampled_from(["cr2", "normal"]))
def test_an_interval_moves_and_stretches_with_its_values(seed, shift, scale, method):
    values = rng(seed).normal(size=len(LOPSIDED))
    plain = stats.clustered_mean(values, LOPSIDED, method=method)
    moved = stats.clustered_mean(shift + scale * values, LOPSIDED, method=method)
    assert moved.low == pytest.approx(shift + scale * plain.low, abs=1e-9)
    assert moved.high == pytest.approx(shift + scale * plain.high, abs=1e-9)


# --- Differences with two pairs added ---


def test_two_pairs_are_added_by_hand():
    # 1, 1, -1, 0 in documents a, a, b, c; with the pairs 1 and -1 five documents of 2, 1, 1, 1, 1 and mean 1/6. Sums of
    # deviations 10/6, -7/6, -1/6, 5/6, -7/6: SE^2 = (100/24 + (49 + 1 + 25 + 49)/30) / 36 = 8.3 / 36.
    interval = stats.clustered_difference([1, 1, -1, 0, NAN], ["a", "a", "b", "c", "c"])
    assert interval.standard_error == pytest.approx(math.sqrt(8.3) / 6, rel=1e-12)
    # p = 1/3 and four times 1/6, so q = 1/6 and four times 1/30; sum p^2 = 8/36, (sum q)^2 - sum q^2 = .09 - 29/900.
    freedom = 1 / (8 / 36 + 0.09 - 29 / 900)
    assert interval.degrees_of_freedom == pytest.approx(freedom, rel=1e-12)
    assert (interval.estimate, interval.low, interval.high) == (0.25, -1, 1)  # 1/6 - 2.91 x .48 is cut
    half = stats.clustered_difference([1, 1, -1, 0], ["a", "a", "b", "c"], level=0.5)
    reach = scipy_stats.t.ppf(0.75, freedom) * math.sqrt(8.3) / 6
    assert (half.low, half.high) == pytest.approx((1 / 6 - reach, 1 / 6 + reach), rel=1e-12)
    assert (interval.n, interval.n_missing, interval.n_clusters, interval.reason) == (4, 1, 3, "")
    assert "two pairs added" in interval.method


@pytest.mark.parametrize("seed", range(4))
def test_it_is_the_clustered_interval_of_the_column_with_the_pairs_in_it(seed):
    values = rng(seed).choice([-1.0, -0.5, 0.0, 0.0, 1.0] if seed % 2 else [-0.31, 0.0, 0.123], size=len(LOPSIDED))
    interval = stats.clustered_difference(values, LOPSIDED, 0.9)
    enlarged = np.append(values, [1, -1])
    variance, freedom = matrix_cr2(enlarged, [*LOPSIDED, "plus", "minus"])
    reach = scipy_stats.t.ppf(0.95, freedom) * math.sqrt(variance)
    expected = (enlarged.mean() - reach, enlarged.mean() + reach)
    assert (interval.low, interval.high) == pytest.approx(expected, rel=1e-10)
    assert interval.estimate == pytest.approx(values.mean())


def test_with_many_single_questions_it_is_bonett_and_prices_interval():
    only_a, only_b, n = 130, 70, 4000
    values = np.repeat([1.0, -1.0, 0.0], [only_a, only_b, n - only_a - only_b])
    plus, minus = (only_a + 1) / (n + 2), (only_b + 1) / (n + 2)
    reach = scipy_stats.norm.ppf(0.975) * math.sqrt((plus + minus - (plus - minus) ** 2) / (n + 2))
    interval = stats.clustered_difference(values, np.arange(n))
    assert (interval.low, interval.high) == pytest.approx((plus - minus - reach, plus - minus + reach), abs=2e-5)


def test_where_all_differences_are_equal_there_is_an_interval_too():
    nothing = stats.clustered_difference(np.zeros(30), LOPSIDED)
    assert nothing.estimate == 0
    assert nothing.low == pytest.approx(-nothing.high, abs=1e-15)
    assert 0.05 < nothing.high < 0.2
    everything = stats.clustered_difference(np.ones(30), LOPSIDED)
    assert everything.estimate == everything.high == 1
    assert everything.low < 0.95


@settings(max_examples=80)
@given(
    st.lists(st.sampled_from([-1.0, -0.5, 0.0, 0.25, 1.0]), min_size=2, max_size=40),
    st.integers(2, 9),
    st.sampled_from([0.8, 0.95, 0.999]),
)
def test_it_holds_the_estimate_stays_within_1_and_turns_with_the_sign(values, n_clusters, level):
    clusters = np.arange(len(values)) % n_clusters
    interval = stats.clustered_difference(values, clusters, level)
    assert -1 <= interval.low <= interval.estimate <= interval.high <= 1
    assert interval.high - interval.low > 1e-3
    turned = stats.clustered_difference([-value for value in values], clusters, level)
    assert (turned.low, turned.high) == pytest.approx((-interval.high, -interval.low), abs=1e-12)


def test_pairs_added_matter_less_the_more_questions_there_are():
    values = np.tile([1.0, 0.0, 0.0, -1.0, 0.0, 0.0, 1.0, 0.0], 400)
    clusters = np.arange(len(values)) // 2
    ours, plain = stats.clustered_difference(values, clusters), stats.clustered_mean(values, clusters)
    assert (ours.low, ours.high) == pytest.approx((plain.low, plain.high), abs=2e-4)


def test_near_the_ceiling_it_covers_where_the_plain_interval_covers_too_little():
    # 40 documents of 3 questions, right in one arm only with probability .035 and never in the other only; each
    # interval's misses in the same 1,500 studies.
    generator, clusters = rng(21), np.repeat(np.arange(40), 3)
    missed = np.zeros(2)
    for _ in range(1500):
        by_document = generator.beta(0.7, 19.3, 40)
        values = (generator.random(120) < np.repeat(by_document, 3)).astype(float)
        for which, function in enumerate((stats.clustered_difference, stats.clustered_mean)):
            interval = function(values, clusters)
            missed[which] += not interval.low <= 0.035 <= interval.high
    assert missed[0] / 1500 < 0.05 + 3 * math.sqrt(0.05 * 0.95 / 1500)
    assert missed[1] / 1500 > 0.05 + 3 * math.sqrt(0.05 * 0.95 / 1500)


def test_a_difference_beyond_1_is_refused_by_row():
    with pytest.raises(ValueError, match=r"differences must be from -1 to 1, not -1\.5 at row 1"):
        stats.clustered_difference([1, -1.5, NAN], ["a", "b", "c"])


# --- Proportions ---


@pytest.mark.parametrize("share", [0.1, 0.5, 0.95])
def test_the_proportion_solves_wilsons_equation_at_the_effective_size(share):
    values = outcomes(len(LOPSIDED), 9, share)
    interval = stats.clustered_proportion(values, LOPSIDED)
    variance, freedom = matrix_cr2(values, LOPSIDED)
    p, n, t = values.mean(), len(values), scipy_stats.t.ppf(0.975, freedom)
    size = min(n, p * (1 - p) / variance)

    def beyond(s):
        return (p - s) ** 2 - t**2 * s * (1 - s) / size

    assert interval.low == pytest.approx(optimize.brentq(beyond, 0, p, xtol=1e-14), abs=1e-9)
    assert interval.high == pytest.approx(optimize.brentq(beyond, p, 1, xtol=1e-14), abs=1e-9)
    assert interval.degrees_of_freedom == pytest.approx(freedom)
    assert interval.standard_error == pytest.approx(math.sqrt(variance))


def test_the_proportion_of_many_single_questions_is_wilsons():
    values = outcomes(4000, share=0.9)
    interval = stats.clustered_proportion(values, np.arange(4000))
    expected = proportion_confint(values.sum(), 4000, method="wilson")
    assert (interval.low, interval.high) == pytest.approx(expected, abs=2e-5)


def test_the_effective_size_is_never_above_the_number_of_questions():
    # Every document has one right and one wrong: the clusters vary less than chance, the design effect counts as 1.
    values, clusters = [1.0, 0.0] * 10, np.repeat(np.arange(10), 2)
    interval = stats.clustered_proportion(values, clusters)
    t = scipy_stats.t.ppf(0.975, 9)
    assert interval.high - interval.low == pytest.approx(2 * t * math.sqrt(20 / 4 + t * t / 4) / (20 + t * t))
    assert math.isnan(interval.standard_error)
    assert interval.reason == ""


def test_all_right_counts_each_document_once():
    # Five documents of equal size, df 4, t 2.776: the share may be as low as 1 / (1 + t^2 / 5) = 0.3934.
    interval = stats.clustered_proportion(np.ones(20), np.repeat(np.arange(5), 4))
    assert (interval.low, interval.high) == (pytest.approx(1 / (1 + scipy_stats.t.ppf(0.975, 4) ** 2 / 5)), 1.0)
    wrong = stats.clustered_proportion(np.zeros(20), np.repeat(np.arange(5), 4))
    assert (wrong.low, wrong.high) == (0.0, pytest.approx(1 - interval.low))
    lopsided = stats.clustered_proportion(np.ones(20), [0] * 16 + [1, 2, 3, 4])
    assert lopsided.low < interval.low
    assert lopsided.reason == ""


@settings(max_examples=60)
@given(st.lists(st.sampled_from([0.0, 1.0]), min_size=2, max_size=40), st.integers(2, 9))
def test_a_proportion_stays_between_0_and_1_and_has_a_width(values, n_clusters):
    clusters = np.arange(len(values)) % n_clusters
    interval = stats.clustered_proportion(values, clusters)
    if min(n_clusters, len(values)) < 2:
        return
    assert 0 <= interval.low <= interval.estimate <= interval.high <= 1
    assert interval.high - interval.low > 1e-6
    mirrored = stats.clustered_proportion(1 - np.array(values), clusters)
    assert (mirrored.low, mirrored.high) == pytest.approx((1 - interval.high, 1 - interval.low), abs=1e-12)


def test_a_share_outside_0_to_1_is_refused_by_row():
    with pytest.raises(ValueError, match=r"from 0 to 1 for a proportion, not 1\.5 at row 1"):
        stats.clustered_proportion([1, 1.5, NAN], ["a", "b", "c"])


# --- What cannot be computed ---

INTERVALS = {
    "percentile": lambda v, c: stats.cluster_bootstrap_mean(v, c, rng(), 200),
    "bca": lambda v, c: stats.cluster_bootstrap_mean(v, c, rng(), 200, method="bca"),
    "cr2": stats.clustered_mean,
    "normal": lambda v, c: stats.clustered_mean(v, c, method="normal"),
    "proportion": stats.clustered_proportion,
    "difference": stats.clustered_difference,
}


@pytest.mark.parametrize("name", INTERVALS)
@pytest.mark.parametrize(
    ("values", "clusters", "reason", "n"),
    [
        ([], [], "no values", 0),
        ([NAN, NAN], ["a", "b"], "no values", 0),
        ([1, 0, 1], ["a", "a", "a"], "one unit", 3),
        ([1, 0, NAN], ["a", "a", "b"], "one unit", 2),
        ([1, 1, 1], ["a", "a", "a"], "one unit", 3),
        ([0, 0, 0, NAN], ["a", "b", "c", "c"], "same mean", 3),
        ([0.1, 0.1, 0.1], ["a", "b", "c"], "same mean", 3),
        ([1, 0, 0, 1], ["a", "a", "b", "b"], "same mean", 4),
    ],
)
def test_no_interval_without_variation_between_clusters(name, values, clusters, reason, n):
    interval = INTERVALS[name](values, clusters)
    assert (interval.n, interval.n_missing, interval.n_resamples) == (n, len(values) - n, 0)
    assert math.isnan(interval.estimate) == (n == 0)
    if name in ("proportion", "difference") and reason == "same mean":
        assert interval.low < interval.high
        return
    assert reason in interval.reason
    assert all(math.isnan(end) for end in (interval.low, interval.high, interval.standard_error))


@pytest.mark.parametrize("name", INTERVALS)
def test_what_should_not_be_asked_is_refused(name):
    with pytest.raises(ValueError, match=r"(values|differences) holds an infinite value at row 2"):
        INTERVALS[name]([1, 0, -math.inf], ["a", "b", "c"])
    with pytest.raises(ValueError, match=r"(values|differences) and clusters must have equal length, not 2 and 1"):
        INTERVALS[name]([1, 0], ["a"])
    with pytest.raises(ValueError, match="cluster label"):
        INTERVALS[name]([1, 0], ["a", None])
    with pytest.raises(ValueError, match="one dimension"):
        INTERVALS[name]([[1, 0], [1, 0]], ["a", "b"])


@pytest.mark.parametrize("name", INTERVALS)
def test_a_row_without_a_value_needs_no_label_and_equal_labels_are_one_cluster(name):
    labelled = INTERVALS[name]([1, 0, 1, NAN], ["1", 1, "b", None])
    np.testing.assert_equal(labelled, INTERVALS[name]([1, 0, 1, NAN], ["a", "a", "b", "c"]))
    assert labelled.n_clusters == 2


def test_levels_and_methods_out_of_range_are_refused():
    for function in (stats.clustered_mean, stats.clustered_difference, stats.clustered_proportion):
        with pytest.raises(ValueError, match="level must be between 0 and 1"):
            function([1, 0], ["a", "b"], level=95)
    with pytest.raises(ValueError, match="method must be one of cr2, normal, not 'cr3'"):
        stats.clustered_mean([1, 0], ["a", "b"], method="cr3")


@pytest.mark.parametrize("size", [1e-12, 1e-3, 1e5, 1e12, 1e100])
def test_values_of_any_size_are_neither_lost_nor_overflow(size):
    values = size * np.array([1.0, 2.0, 4.0, 8.0])
    interval = stats.clustered_mean(values, list("abcd"))
    assert interval.estimate == pytest.approx(3.75 * size)
    assert interval.high > interval.low
    drawn = stats.cluster_bootstrap_mean(values, list("abcd"), rng(), 500)
    assert size <= drawn.low < drawn.high <= 8 * size
