"""Regression with clustered errors and clusters that share something, against matrices written from definitions."""

import itertools

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats as distributions

from muddle_utils import stats


def made_up(seed=0, n=60, n_clusters=9):
    rng = np.random.default_rng(seed)
    clusters = rng.integers(0, n_clusters, n)
    terms = np.column_stack([np.ones(n), rng.normal(0.1, 0.4, n) + 0.3 * (clusters % 2)])
    values = rng.integers(-1, 2, n) + 0.4 * rng.normal(size=n_clusters)[clusters]
    return values, terms, clusters


def inverse_root(matrix):
    sizes, vectors = np.linalg.eigh(matrix)
    return vectors @ np.diag(np.where(sizes > 1e-9, 1 / np.sqrt(np.maximum(sizes, 1e-9)), 0)) @ vectors.T


def naive(values, terms, groups, share):
    """Return estimates, errors and degrees of freedom with all matrices of rows by rows; ``share(g, h)`` links two."""
    n = len(values)
    inverse = np.linalg.inv(terms.T @ terms)
    hat = terms @ inverse @ terms.T
    params = inverse @ terms.T @ values
    found = []
    names = sorted(set(groups))
    for term in range(terms.shape[1]):
        by_group = []
        for name in names:
            own = groups == name
            block = inverse_root(np.eye(own.sum()) - hat[np.ix_(own, own)])
            row = np.zeros(n)
            row[own] = block @ (terms @ inverse)[own, term]
            by_group.append((np.eye(n) - hat) @ row)
        by_group = np.array(by_group)
        results = []
        for linked in (lambda g, h: g == h, share):
            links = np.array([[float(linked(g, h)) for h in names] for g in names])
            form = by_group.T @ links @ by_group
            results.append((values @ form @ values, np.trace(form) ** 2 / np.trace(form @ form)))
        found.append((params[term], max(each[0] for each in results) ** 0.5, min(each[1] for each in results)))
    return found


@pytest.mark.parametrize("seed", range(4))
def test_coefficients_errors_and_freedom_are_those_of_the_whole_matrices(seed):
    values, terms, clusters = made_up(seed)
    found = stats.clustered_regression(values, terms, clusters)
    for interval, (estimate, error, freedom) in zip(
        found, naive(values, terms, clusters, lambda g, h: g == h), strict=True
    ):
        assert interval.estimate == pytest.approx(estimate, abs=1e-12)
        assert interval.standard_error == pytest.approx(error, rel=1e-9)
        assert interval.degrees_of_freedom == pytest.approx(freedom, rel=1e-9)
        reach = distributions.t.ppf(0.975, freedom) * error
        assert (interval.low, interval.high) == pytest.approx((estimate - reach, estimate + reach), rel=1e-9)
        assert stats.p_value_of(interval) == pytest.approx(2 * distributions.t.sf(abs(estimate) / error, freedom))
    assert [each.estimate for each in found] == pytest.approx(sm.OLS(values, terms).fit().params.tolist())


def test_a_constant_alone_is_the_clustered_mean():
    values, terms, clusters = made_up()
    (interval,) = stats.clustered_regression(values, terms[:, :1], clusters)
    mean = stats.clustered_mean(values, clusters)
    assert interval.standard_error == pytest.approx(mean.standard_error, rel=1e-12)
    assert interval.degrees_of_freedom == pytest.approx(mean.degrees_of_freedom, rel=1e-12)


def test_missing_rows_are_counted_and_the_order_of_rows_changes_no_bit():
    values, terms, clusters = made_up()
    values[3], terms[5, 1] = np.nan, np.nan
    found = stats.clustered_regression(values, terms, clusters)
    assert [(each.n, each.n_missing, each.n_clusters) for each in found] == [(58, 2, 9)] * 2
    order = np.random.default_rng(1).permutation(60)
    assert stats.clustered_regression(values[order], terms[order], clusters[order]) == found


def test_what_cannot_be_estimated_has_its_reason():
    values, terms, clusters = made_up()

    def reasons(*given):
        found = stats.clustered_regression(*given)
        assert all(np.isnan(each.low) and np.isnan(each.standard_error) for each in found)
        assert all(np.isnan(stats.p_value_of(each)) for each in found)
        return {each.reason.partition(":")[0] for each in found}

    assert reasons(values, terms, np.zeros(60)) == {"one unit"}
    assert reasons(values, terms, clusters % 2) == {"2 units for 2 coefficients"}
    assert reasons(values, np.ones((60, 2)), clusters) == {"the terms do not vary apart from each other"}
    assert reasons(values * 0, terms, clusters) == {"the standard error is 0"}
    assert reasons(values * np.nan, terms, clusters) == {"no values"}
    all_linked = [frozenset({"h", f"s{name}"}) for name in clusters]
    assert reasons(values, terms, all_linked) == {"every unit shares something with every other"}
    with pytest.raises(ValueError, match="equal length"):
        stats.clustered_regression(values[:3], terms, clusters)


# --- clusters that share something ---


def overlapping(clusters, n_shared=4):
    """Return the label of each row: its source, and two of the distractors in a ring."""
    return [frozenset({f"s{g}", f"h{g % n_shared}", f"h{(g + 1) % n_shared}"}) for g in clusters]


@pytest.mark.parametrize("seed", range(4))
def test_overlapping_clusters_sum_over_all_rows_that_share_something(seed):
    values, terms, clusters = made_up(seed, n_clusters=12)
    labels = overlapping(clusters, 12)
    share = {(g, h): bool(labels[i] & labels[j]) for (i, g), (j, h) in itertools.product(enumerate(clusters), repeat=2)}
    expected = naive(values, terms, clusters, lambda g, h: share[g, h])
    for interval, (_, error, freedom) in zip(stats.clustered_regression(values, terms, labels), expected, strict=True):
        assert interval.standard_error == pytest.approx(error, rel=1e-9)
        assert interval.degrees_of_freedom == pytest.approx(freedom, rel=1e-9)
    ((_, error, freedom),) = naive(values, terms[:, :1], clusters, lambda g, h: share[g, h])
    mean = stats.clustered_mean(values, labels)
    assert (mean.standard_error, mean.degrees_of_freedom) == pytest.approx((error, freedom), rel=1e-9)


def test_with_one_distractor_a_source_it_is_the_sum_of_two_one_way_variances_less_their_intersection():
    # Cameron, Gelbach and Miller (2011): V = V(source) + V(distractor) - V(both), here without small-sample factors.
    rng = np.random.default_rng(5)
    source = np.repeat(np.arange(200), 2)
    distractor = (source * 7) % 60
    values = rng.normal(size=60)[distractor] + rng.normal(size=400)
    deviations = values - values.mean()

    def one_way(labels):
        return sum(deviations[labels == name].sum() ** 2 for name in set(labels)) / 400**2

    both = source * 1000 + distractor
    expected = one_way(source) + one_way(distractor) - one_way(both)
    labels = [frozenset({f"s{a}", f"h{b}"}) for a, b in zip(source, distractor, strict=True)]
    error = stats.clustered_mean(values, labels).standard_error
    assert error**2 == pytest.approx(expected * 200 / 199, rel=1e-9)  # CR2 of 200 equal clusters
    assert error > 1.5 * stats.clustered_mean(values, source).standard_error


def test_the_label_of_one_source_that_shares_nothing_changes_nothing():
    values, _, clusters = made_up()
    alone = [frozenset({f"s{g}"}) for g in clusters]
    one, other = stats.clustered_difference(values / 4, clusters), stats.clustered_difference(values / 4, alone)
    assert (one.low, one.high, one.n_clusters) == pytest.approx((other.low, other.high, other.n_clusters))


def test_where_every_source_shares_with_every_other_there_is_no_interval():
    labels = [frozenset({"h", f"s{number}"}) for number in range(6)]
    for interval in (
        stats.clustered_difference([1, 0, 0, 1, 0, 0], labels),
        stats.clustered_mean([1, 0, 0, 1, 0, 0], labels),
        stats.clustered_proportion([1, 0, 0, 1, 0, 0], labels),
    ):
        assert np.isnan(interval.low)
        assert interval.reason.startswith("every unit shares something with every other")
    assert stats.equivalence([1, 0, 0, 1, 0, 0], labels, 0.05).reason.startswith("every unit shares")
