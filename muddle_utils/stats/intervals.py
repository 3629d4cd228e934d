"""Estimates with their intervals, and the counts that a printed share can come from."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

from muddle_utils.stats.arrays import (
    DRAWS_PER_BLOCK,
    FloatArray,
    IntArray,
    check_level,
    check_resamples,
    cluster_totals,
    mean,
    outcomes,
    pair_of,
    seed_of,
)


@dataclass(frozen=True)
class Interval:
    """An estimate with its interval, and all that must be printed beside it.

    ``low`` and ``high`` are NaN when ``reason`` says why no interval applies. ``seed`` is the entropy of the
    generator's seed sequence, None where no chance was used; ``n_resamples`` is then 0.
    """

    estimate: float
    low: float
    high: float
    level: float
    n: int
    n_missing: int
    n_clusters: int
    method: str
    n_resamples: int
    seed: int | None
    reason: str = ""


def _resampled_means(sums: FloatArray, counts: IntArray, rng: np.random.Generator, n_resamples: int) -> FloatArray:
    """Return the ratio of totals in ``n_resamples`` draws of clusters with replacement."""
    n_clusters = len(sums)
    block = max(1, DRAWS_PER_BLOCK // n_clusters)
    means = np.empty(n_resamples)
    for start in range(0, n_resamples, block):
        stop = min(start + block, n_resamples)
        drawn = rng.integers(0, n_clusters, size=(stop - start, n_clusters))
        means[start:stop] = sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
    return means


def _why_no_interval(n: int, n_clusters: int, cluster_means: FloatArray) -> str:
    if n == 0:
        return "no values"
    if n_clusters == 1:
        return "one cluster: drawing it again and again shows no variation"
    if np.ptp(cluster_means) <= 1e-12 * np.abs(cluster_means).max():
        return "every cluster has the same mean: resampling shows no variation"
    return ""


def cluster_bootstrap_mean(
    values: ArrayLike,
    clusters: Sequence[object] | NDArray[np.generic],
    rng: np.random.Generator,
    n_resamples: int = 10_000,
    level: float = 0.95,
) -> Interval:
    """Return the mean of ``values`` with a percentile bootstrap interval that resamples whole clusters.

    Formula: draw G clusters with replacement out of the G there are, take (sum of their values) / (number of their
    values), repeat; the interval runs between the (1 - level)/2 and (1 + level)/2 quantiles. Assumes independent
    clusters (documents) and nothing about the questions inside one. It is somewhat too narrow when clusters are few:
    with 40 lopsided clusters a 95 % interval covers about 94 % of the time, and with fewer it gets worse. With one
    question a cluster it is the ordinary bootstrap.

    Reference: Davison and Hinkley (1997), Bootstrap Methods and their Application, section 3.8; Miller (2024),
    Adding Error Bars to Evals, for why documents are the clusters.

    Args:
        values: shape (questions,), NaN where there is none.
        clusters: shape (questions,), labels (document ids) or integers; None, NaN and "" are refused.
        rng: the generator; its seed is kept in the result, so pass a fresh one for a result to be repeated.
        n_resamples: number of bootstrap samples.
        level: coverage the interval aims at.

    Raises:
        ValueError: shapes differ, a label is missing, a value is infinite, or level or n_resamples is out of range.

    >>> interval = cluster_bootstrap_mean([1, 1, 0, 0], ["a", "a", "b", "b"], np.random.default_rng(0))
    >>> interval.estimate, interval.low, interval.high, interval.n_clusters
    (0.5, 0.0, 1.0, 2)
    >>> cluster_bootstrap_mean([1, 0], ["a", "a"], np.random.default_rng(0)).reason
    'one cluster: drawing it again and again shows no variation'
    """
    check_level(level)
    check_resamples(n_resamples)
    column = outcomes(values, "values")
    if len(clusters) != len(column):
        raise ValueError(f"values and clusters must have equal length, not {len(column)} and {len(clusters)}")
    present = ~np.isnan(column)
    sums, counts = cluster_totals(
        column[present], [label for label, kept in zip(clusters, present, strict=True) if kept]
    )
    n = int(present.sum())
    reason = _why_no_interval(n, len(sums), sums / counts if n else sums)
    low = high = math.nan
    if not reason:
        means = _resampled_means(sums, counts, rng, n_resamples)
        low, high = (float(q) for q in np.quantile(means, [(1 - level) / 2, (1 + level) / 2]))
    return Interval(
        estimate=mean(column[present]),
        low=low,
        high=high,
        level=level,
        n=n,
        n_missing=len(column) - n,
        n_clusters=len(sums),
        method="cluster bootstrap, percentile",
        n_resamples=0 if reason else n_resamples,
        seed=None if reason else seed_of(rng),
        reason=reason,
    )


def cluster_bootstrap_difference(
    a: ArrayLike,
    b: ArrayLike,
    clusters: Sequence[object] | NDArray[np.generic],
    rng: np.random.Generator,
    n_resamples: int = 10_000,
    level: float = 0.95,
) -> Interval:
    """Return the paired mean difference with a percentile bootstrap interval that resamples whole clusters.

    Formula: ``cluster_bootstrap_mean`` of a_i - b_i over the questions that have both, so that a question stays with
    its pair and a document with its questions. Assumptions and reference as there.

    Args:
        a: shape (questions,), one arm's outcomes, NaN where there is none.
        b: shape (questions,), the same questions in the same order.
        clusters: shape (questions,), labels; rng, n_resamples and level as in ``cluster_bootstrap_mean``.
        rng: the generator.
        n_resamples: number of bootstrap samples.
        level: coverage the interval aims at.

    Raises:
        ValueError: as ``cluster_bootstrap_mean``, or the arms have different shapes.

    >>> cluster_bootstrap_difference([1, 1, 0], [1, 0, 0], ["a", "b", "c"], np.random.default_rng(0)).estimate
    0.3333333333333333
    """
    left, right, _ = pair_of(a, b)
    return cluster_bootstrap_mean(left - right, clusters, rng, n_resamples, level)


def wilson_interval(k: int, n: int, level: float = 0.95) -> Interval:
    """Return the share k/n with Wilson's score interval.

    Formula: centre (k + z^2/2) / (n + z^2), half width z sqrt(k (n - k) / n + z^2 / 4) / (n + z^2). Assumes
    independent questions, so it is for describing counts and for comparison, never for a headline on clustered data;
    ``n_clusters`` equals n to say so.

    Reference: Wilson (1927), Journal of the American Statistical Association 22.

    Raises:
        ValueError: k is not between 0 and n, or level is out of range.

    >>> interval = wilson_interval(206, 270)
    >>> round(interval.low, 3), round(interval.high, 3)
    (0.709, 0.81)
    """
    check_level(level)
    if not 0 <= k <= n:
        raise ValueError(f"k = {k} must be between 0 and n = {n}")
    estimate = low = high = math.nan
    if n:
        z = NormalDist().inv_cdf((1 + level) / 2)
        centre, half = (k + z * z / 2) / (n + z * z), z * math.sqrt(k * (n - k) / n + z * z / 4) / (n + z * z)
        estimate, low, high = k / n, max(0.0, centre - half), min(1.0, centre + half)
    return Interval(
        estimate=estimate,
        low=low,
        high=high,
        level=level,
        n=n,
        n_missing=0,
        n_clusters=n,
        method="Wilson, independent questions",
        n_resamples=0,
        seed=None,
        reason="" if n else "no values",
    )


def consistent_counts(value: float, n: int, digits: int = 3) -> tuple[int, ...]:
    """Return every whole count k for which k/n prints as ``value`` at ``digits`` decimals.

    Formula: all k with |k/n - value| <= 10^-digits / 2, in integer arithmetic, ties counted either way. An empty
    result proves that a published accuracy does not come from n questions.

    Raises:
        ValueError: n is not positive, or value has more decimals than ``digits``.

    >>> consistent_counts(0.763, 270), consistent_counts(0.682, 270), consistent_counts(0.682, 261)
    ((206,), (), (178,))
    """
    if n < 1:
        raise ValueError(f"n must be positive, not {n}")
    shift = 10**digits
    printed = round(value * shift)
    if abs(value * shift - printed) > 1e-6:
        raise ValueError(f"{value} has more than {digits} decimals")
    nearest = printed * n // shift
    reach = n // shift + 2
    return tuple(
        k for k in range(max(0, nearest - reach), min(n, nearest + reach) + 1) if 2 * abs(k * shift - printed * n) <= n
    )
