"""Estimates with their intervals, and the counts that a printed share can come from."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

from muddle_utils.stats.arrays import (
    DRAWS_PER_BLOCK,
    RESULTS_AT_ONCE,
    Clustered,
    FloatArray,
    Reason,
    by_cluster,
    check_level,
    check_resamples,
    cluster_index,
    clustered,
    outcomes,
    paired_differences,
    seed_of,
    t_above,
    t_quantile,
    table,
)


@dataclass(frozen=True)
class Interval:
    """An estimate with its interval, and all that must be printed beside it.

    ``low`` and ``high`` are NaN when ``reason`` says why no interval applies. ``seed`` is the entropy of the
    generator's seed sequence, None where no chance was used; ``n_resamples`` is then 0. ``standard_error`` and
    ``degrees_of_freedom`` are NaN where the method has none.
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
    standard_error: float = math.nan
    degrees_of_freedom: float = math.nan


# Products of at most so many numbers are not shared between threads, which on a busy machine wait for each other longer
# than they compute.
UNSHARED_PRODUCT = 250_000
# What a method is called in a result.
BOOTSTRAPS = {"percentile": "cluster bootstrap, percentile", "bca": "cluster bootstrap, BCa"}
ANALYTIC = {
    "cr2": "clustered standard error, CR2, t with Satterthwaite degrees of freedom",
    "normal": "clustered standard error, normal",
}
TWO_PAIRS = "clustered standard error, CR2, t with Satterthwaite degrees of freedom, two pairs added"
# Why there is no interval, or no standard error: of one unit, of units of one mean. What the units are (documents, or
# single questions) the caller knows, and these sentences do not.
NO_VARIATION = ("drawing it again and again shows no variation", "resampling shows no variation")
NO_ERROR = ("the variation between units cannot be seen", "no variation between units to estimate")


def _interval(
    totals: Clustered,
    low: float,
    high: float,
    level: float,
    method: str,
    reason: str,
    standard_error: float = math.nan,
    degrees_of_freedom: float = math.nan,
) -> Interval:
    """Return the interval of a column with what must be printed beside it, taken by a method without chance."""
    return Interval(
        estimate=totals.estimate,
        low=low,
        high=high,
        level=level,
        n=totals.n,
        n_missing=totals.n_missing,
        n_clusters=totals.n_clusters,
        method=method,
        n_resamples=0,
        seed=None,
        reason=reason,
        standard_error=standard_error,
        degrees_of_freedom=degrees_of_freedom,
    )


def _times_drawn(n_clusters: int, rng: np.random.Generator, size: int) -> FloatArray:
    """Return how often each of ``size`` draws with replacement took each cluster, shape (size, clusters)."""
    # Half the usual width draws the same numbers.
    drawn = rng.integers(0, n_clusters, size=(size, n_clusters), dtype=np.int32)
    row = n_clusters * np.arange(size)[:, None]
    times = np.bincount((drawn + row).ravel(), minlength=drawn.size)
    return times.reshape(drawn.shape).astype(np.float64)


def _resampled_means(totals: Sequence[Clustered], rng: np.random.Generator, n_resamples: int) -> FloatArray:
    """Return the ratio of totals in draws of clusters with replacement, shape (columns, n_resamples).

    All columns have equally many clusters, not always the same, and share each draw: how often it took the first, the
    second and so on, times their totals.
    """
    n_clusters = totals[0].n_clusters
    # Columns that lack nothing have the same counts, which then need to be added up once.
    counts, which = np.unique([column.parts * column.counts for column in totals], axis=0, return_inverse=True)
    factors = np.concatenate([[column.sums for column in totals], counts])
    means = np.empty((len(totals), n_resamples))
    block, part = max(1, DRAWS_PER_BLOCK // n_clusters), max(32, UNSHARED_PRODUCT // factors.size)
    for start in range(0, n_resamples, block):
        times = _times_drawn(n_clusters, rng, min(block, n_resamples - start))
        products = np.empty((len(factors), len(times)))
        for first in range(0, len(times), part):
            np.matmul(factors, times[first : first + part].T, out=products[:, first : first + part])
        sums, below = products[: len(totals)], products[len(totals) :]
        means[:, start : start + block] = sums / (below if len(below) == 1 else below[which])
    return means


def _bca_tails(means: FloatArray, totals: Clustered, level: float) -> tuple[float, float]:
    """Return the shares of the resamples that lie below the ends of the BCa interval, NaN where it is undefined."""
    # Where values are no whole steps, a resample that equals the estimate may differ from it by rounding.
    tie = totals.rounding
    below = float((means < totals.estimate - tie).mean() + (means <= totals.estimate + tie).mean()) / 2
    if not 0 < below < 1:
        return math.nan, math.nan
    without = (totals.sums.sum() - totals.sums) / (totals.parts * (totals.n - totals.counts))
    fall = without.mean() - without
    acceleration = float((fall**3).sum() / (6 * (fall**2).sum() ** 1.5))
    normal = NormalDist()
    bias = normal.inv_cdf(below)
    moved = [bias + normal.inv_cdf(tail) for tail in ((1 - level) / 2, (1 + level) / 2)]
    if max(acceleration * z for z in moved) >= 1:
        return math.nan, math.nan
    low, high = (normal.cdf(bias + z / (1 - acceleration * z)) for z in moved)
    return low, high


def _quantile(values: FloatArray, share: float) -> float:
    """Return NumPy's quantile, linear between two values, in a fraction of its time."""
    at = share * (len(values) - 1)
    below = int(at)
    parted = np.partition(values, below)
    low = float(parted[below])
    high = float(parted[below + 1 :].min()) if below + 1 < len(values) else low
    # From the nearer end, as NumPy does, so that the result is the same to the last bit.
    return low + (high - low) * (at - below) if at - below < 0.5 else high - (high - low) * (1 - (at - below))


def _bootstrap_ends(means: FloatArray, totals: Clustered, level: float, method: str) -> tuple[float, float, str]:
    """Return the ends of one column's interval, or NaN and the reason."""
    tails = _bca_tails(means, totals, level) if method == "bca" else ((1 - level) / 2, (1 + level) / 2)
    if math.isnan(tails[0]):
        return math.nan, math.nan, Reason("BCa is undefined", "the resamples lie too much on one side of the estimate")
    low, high = (_quantile(means, tail) for tail in tails)
    if high - low <= totals.rounding:
        same = "both ends of the interval are the same value"
        return math.nan, math.nan, Reason(same, "resampling shows too little variation")
    return low, high, ""


def _bootstrap_groups(columns: Sequence[Clustered], reasons: Sequence[str], n_resamples: int) -> list[list[int]]:
    """Return which columns are resampled together: those of equally many clusters, as many as memory is to hold."""
    groups: dict[int, list[int]] = {}
    for number, (column, reason) in enumerate(zip(columns, reasons, strict=True)):
        if not reason:
            groups.setdefault(column.n_clusters, []).append(number)
    most = max(1, RESULTS_AT_ONCE // n_resamples)
    return [group[start : start + most] for group in groups.values() for start in range(0, len(group), most)]


def cluster_bootstrap_means(
    values: ArrayLike,
    clusters: Sequence[object] | NDArray[np.generic],
    rng: np.random.Generator,
    n_resamples: int = 10_000,
    level: float = 0.95,
    method: str = "percentile",
) -> list[Interval]:
    """Return ``cluster_bootstrap_mean`` of each column, at a small part of the cost of a call for each.

    Every column is resampled from the state in which the generator is given, as if it were alone: an interval does
    not depend on the columns beside it. A cluster without a value in a column is not one of that column's clusters,
    neither drawn nor counted, as in ``cluster_bootstrap_mean``. A draw says how often the first, the second, ... of a
    column's clusters is taken, so that columns with equally many clusters share all draws, which ones they lack or not,
    and a whole analysis becomes a few products of matrices.

    Formula, assumptions and reference as in ``cluster_bootstrap_mean``, whose results these are: to the last bit if
    all values of a column are whole multiples of one of 1, 1/2, 1/3, ... 1/60, otherwise to rounding.

    Args:
        values: shape (questions, columns), NaN where there is none; a column is an arm, or a difference of two.
        clusters: shape (questions,), labels (document ids) or integers; None, NaN and "" are refused.
        rng: the generator; its seed is kept in the results, so pass a fresh one for results to be repeated.
        n_resamples: number of bootstrap samples.
        level: coverage the intervals aim at.
        method: "percentile" or "bca".

    Returns:
        One interval a column, in order.

    Raises:
        ValueError: as ``cluster_bootstrap_mean``, or values are not of shape (questions, columns).

    >>> arms = [[1, 0], [1, 1], [0, 1], [0, 1]]
    >>> means = cluster_bootstrap_means(arms, ["a", "a", "b", "b"], np.random.default_rng(0))
    >>> [(mean.estimate, mean.low, mean.high) for mean in means]
    [(0.5, 0.0, 1.0), (0.75, 0.5, 1.0)]
    """
    check_level(level)
    check_resamples(n_resamples)
    if method not in BOOTSTRAPS:
        raise ValueError(f"method must be one of {', '.join(BOOTSTRAPS)}, not {method!r}")
    rows = table(values, "values", "columns")
    index, n_clusters = cluster_index(clusters, np.asarray(~np.isnan(rows).all(axis=1)), "values")
    columns = by_cluster(rows, index, n_clusters)
    reasons = [column.why_not(*NO_VARIATION) for column in columns]
    ends = [(math.nan, math.nan, reason) for reason in reasons]
    fresh = rng.bit_generator.state
    for group in _bootstrap_groups(columns, reasons, n_resamples):
        rng.bit_generator.state = fresh
        resampled = _resampled_means([columns[number] for number in group], rng, n_resamples)
        for number, means in zip(group, resampled, strict=True):
            ends[number] = _bootstrap_ends(means, columns[number], level, method)
    found = [
        _interval(column, low, high, level, BOOTSTRAPS[method], reason)
        for column, (low, high, reason) in zip(columns, ends, strict=True)
    ]
    return [each if each.reason else replace(each, n_resamples=n_resamples, seed=seed_of(rng)) for each in found]


def cluster_bootstrap_mean(
    values: ArrayLike,
    clusters: Sequence[object] | NDArray[np.generic],
    rng: np.random.Generator,
    n_resamples: int = 10_000,
    level: float = 0.95,
    method: str = "percentile",
) -> Interval:
    """Return the mean of ``values`` with a bootstrap interval that resamples whole clusters.

    Formula: draw G clusters with replacement out of the G there are, take (sum of their values) / (number of their
    values), repeat. "percentile" runs between the (1 - level)/2 and (1 + level)/2 quantiles of what comes out. "bca"
    moves both tails: with b = z(share of resamples below the estimate, ties counted half) and the acceleration
    a = sum f_g^3 / (6 (sum f_g^2)^1.5), f_g being the mean over g of the estimates without cluster g, less the one
    without cluster g, the tail q becomes Phi(b + (b + z(q)) / (1 - a (b + z(q)))). It is undefined, with a reason,
    if all resamples lie on one side of the estimate.

    Assumes independent clusters (documents) and nothing about the questions inside one. Both are somewhat too narrow
    when clusters are few: with 40 lopsided clusters a 95 % percentile interval covers about 94 % of the time, and
    with fewer it gets worse; ``clustered_mean`` is made for few. To resample questions, give every question a label
    of its own, such as its id: it is then the ordinary bootstrap, and too narrow if questions share documents.

    Reference: Davison and Hinkley (1997), Bootstrap Methods and their Application, sections 3.8 and 5.3; Efron (1987),
    Journal of the American Statistical Association 82, for BCa; Miller (2024), Adding Error Bars to Evals, for why
    documents are the clusters.

    Args:
        values: shape (questions,), NaN where there is none.
        clusters: shape (questions,), labels (document ids) or integers; None, NaN and "" are refused.
        rng: the generator; its seed is kept in the result, so pass a fresh one for a result to be repeated.
        n_resamples: number of bootstrap samples.
        level: coverage the interval aims at.
        method: "percentile" or "bca".

    Raises:
        ValueError: shapes differ, a label is missing, a value is infinite, or level, n_resamples or method is none.

    >>> interval = cluster_bootstrap_mean([1, 1, 0, 0], ["a", "a", "b", "b"], np.random.default_rng(0))
    >>> interval.estimate, interval.low, interval.high, interval.n_clusters
    (0.5, 0.0, 1.0, 2)
    >>> cluster_bootstrap_mean([1, 0], ["a", "a"], np.random.default_rng(0)).reason
    'one unit: drawing it again and again shows no variation'
    """
    column = outcomes(values, "values")
    return cluster_bootstrap_means(column[:, None], clusters, rng, n_resamples, level, method)[0]


def clustered_error(totals: Clustered) -> tuple[float, float]:
    """Return the CR2 standard error of a mean and its degrees of freedom, as ``clustered_mean`` has them.

    There must be two clusters or more. Where clusters share something, the sum runs over all pairs that do (Cameron,
    Gelbach and Miller, 2011): SE^2 = sum_gh L_gh u_g u_h, with u_g = E_g / (N (1 - p_g)^(1/2)) and L_gh 1 if g = h or
    they share something, and the degrees of freedom are Satterthwaite's, (tr LU)^2 / tr(LULU), U being the covariance
    of the u_g of independent values. As this may come out smaller than without links, or negative, the larger SE^2 of
    the two and the fewer degrees of freedom stand.
    """
    share = totals.counts / totals.n
    variance = float((totals.residuals**2 / (1 - share)).sum()) / totals.n**2
    squares = share**2 / (1 - share)
    inverse = float((share**2).sum() + squares.sum() ** 2 - (squares**2).sum())
    if totals.links is None:
        return math.sqrt(variance), 1 / inverse
    root = np.sqrt(1 - share)
    spread = (np.diag(share) - np.outer(share, share)) / np.outer(root, root)
    linked, freedom = linked_variance(totals.residuals / root, spread, totals.links)
    return math.sqrt(max(variance, linked / totals.n**2)), min(1 / inverse, freedom)


def linked_variance(scores: FloatArray, spread: FloatArray, links: NDArray[np.bool_]) -> tuple[float, float]:
    """Return the sum of the products of linked scores, and its degrees of freedom.

    Args:
        scores: shape (clusters,), a sum of weighted residuals each.
        spread: shape (clusters, clusters), the covariance of the scores of independent values of variance 1.
        links: shape (clusters, clusters), whether two clusters share something.
    """
    product = links @ spread
    return float(scores @ links @ scores), float(np.trace(product)) ** 2 / float((product * product.T).sum())


def _independent_error(totals: Clustered, squares: float) -> float:
    """Return Miller's clustered standard error, given the sum of the squared deviations of all values."""
    between = float((totals.residuals**2).sum()) - squares
    return math.sqrt(squares / (totals.n * (totals.n - 1)) + between / totals.n**2)


def clustered_mean(
    values: ArrayLike,
    clusters: Sequence[object] | NDArray[np.generic],
    level: float = 0.95,
    method: str = "cr2",
) -> Interval:
    """Return the mean with an analytic interval from its clustered standard error.

    Formula: let cluster g have n_g of the N values, p_g = n_g / N, and let E_g be the sum of its values' deviations
    from the mean. Then

        "cr2"     SE^2 = (1/N^2) sum_g E_g^2 / (1 - p_g), interval mean +- t SE, with
                  df = 1 / (sum_g p_g^2 + sum_{g != h} q_g q_h), q_g = p_g^2 / (1 - p_g)
        "normal"  SE^2 = sum_i e_i^2 / (N (N - 1)) + (1/N^2) sum_g sum_{i != j in g} e_i e_j, interval mean +- z SE

    "cr2" is bias-reduced linearisation of a regression on the intercept alone. There the hat matrix of a cluster is
    (1/N) 11', the correction (I - 11'/N)^(-1/2) maps 1 to (1 - p_g)^(-1/2) 1, and so the standard error is unbiased if
    the values are independent with one variance. Under the same working model Cov(E_g, E_h) is proportional to
    n_g [g = h] - n_g n_h / N; the degrees of freedom are those of Satterthwaite, (tr B)^2 / tr(B^2), for the matrix B
    with diagonal n_g / N^2 and, off it, -n_g n_h / (N^3 ((1 - p_g)(1 - p_h))^(1/2)). If all G clusters are of one size
    they are G - 1 and SE is the standard deviation of the cluster means over the root of G; lopsided clusters leave
    fewer, as they should, since one large document can decide the mean. "normal" sums the same deviations without
    either correction.

    Both assume independent clusters. "normal" assumes also that there are so many that SE is as good as known and
    the mean as good as normal; with few clusters SE is too small on average and varies, and the interval covers less
    than it says. Neither knows that a share lies between 0 and 1; for one accuracy take ``clustered_proportion``.

    Reference: Bell and McCaffrey (2002), Survey Methodology 28; Pustejovsky and Tipton (2018), Journal of Business and
    Economic Statistics 36; Miller (2024), Adding Error Bars to Evals, for "normal"; Bowyer, Aitchison and Ivanova
    (2025), Position: Don't use the CLT in LLM evals with fewer than a few hundred datapoints, for where it fails.

    Args:
        values: shape (questions,), NaN where there is none.
        clusters: shape (questions,), labels (document ids) or integers; None, NaN and "" are refused.
        level: coverage the interval aims at.
        method: "cr2" or "normal".

    Raises:
        ValueError: shapes differ, a label is missing, a value is infinite, or level or method is none.

    >>> interval = clustered_mean([1, 1, 0, 0, 1, 0], ["a", "a", "b", "b", "c", "c"])
    >>> round(interval.standard_error, 4), round(interval.degrees_of_freedom, 6)  # of the means 1, 0, 1/2
    (0.2887, 2.0)
    """
    check_level(level)
    if method not in ANALYTIC:
        raise ValueError(f"method must be one of {', '.join(ANALYTIC)}, not {method!r}")
    totals = clustered(values, clusters, "values")
    reason = totals.why_not(*NO_ERROR)
    error = freedom = reach = math.nan
    if not reason and method == "cr2":
        error, freedom = clustered_error(totals)
        reach = t_quantile((1 + level) / 2, freedom) * error
    elif not reason:
        column = outcomes(values, "values")
        error = _independent_error(totals, math.fsum((column[~np.isnan(column)] - totals.estimate) ** 2))
        reach = NormalDist().inv_cdf((1 + level) / 2) * error
    return _interval(
        totals, totals.estimate - reach, totals.estimate + reach, level, ANALYTIC[method], reason, error, freedom
    )


def p_value_of(interval: Interval) -> float:
    """Return the two-sided p-value of the t test that the estimate of an interval is 0, NaN where there is no error."""
    if math.isnan(interval.standard_error):
        return math.nan
    return 2 * t_above(abs(interval.estimate) / interval.standard_error, interval.degrees_of_freedom)


def clustered_difference(
    differences: ArrayLike, clusters: Sequence[object] | NDArray[np.generic], level: float = 0.95
) -> Interval:
    """Return a mean paired difference with its clustered interval after two more pairs, one of each sign.

    Formula: to the N differences add 1 and -1, each in a cluster of its own, and take the interval of
    ``clustered_mean`` ("cr2") of these N + 2: with mean d, centre N d / (N + 2) and half width t SE, where t and SE are
    those of the enlarged column. Ends beyond -1 and 1 are cut to these, the most that a difference of two shares can
    be. ``estimate`` remains d, and ``n`` and ``n_clusters`` count what was observed.

    Near the limits of what can be answered a few questions make the whole difference, its distribution is skewed, and
    an estimated standard error is small just when the estimate is. The two pairs move the centre a little towards 0
    and keep the standard error from 0, so that there is an interval where all differences are 0 or all are 1, too. At
    levels of 0.8 and above the interval always holds d. It costs width when documents are few: with eight, much.

    Assumes independent clusters, of which there must be two. For paired differences, or their means over a few k; the
    pairs that are added are in the unit of outcomes from 0 to 1.

    Reference: Bonett and Price (2012), Journal of Educational and Behavioral Statistics 37, who add one discordant pair
    of each kind to independent pairs; Agresti and Min (2005), Statistics in Medicine 24; and as ``clustered_mean``.

    Args:
        differences: shape (questions,), from -1 to 1, NaN where there is none.
        clusters: shape (questions,), labels (document ids) or integers; None, NaN and "" are refused.
        level: coverage the interval aims at.

    Returns:
        The interval; ``standard_error`` and ``degrees_of_freedom`` are those of the enlarged column.

    Raises:
        ValueError: shapes differ, a label is missing, a difference is outside -1 to 1, or level is none.

    >>> interval = clustered_difference([1, 0, 0, 0], ["a", "b", "c", "d"])  # of 1, 0, 0, 0, 1, -1: SE^2 = 17/180
    >>> interval.estimate, round(interval.standard_error, 4), round(interval.low, 3), round(interval.high, 3)
    (0.25, 0.3073, -0.623, 0.957)
    """
    check_level(level)
    totals = clustered(paired_differences(differences), clusters, "differences")
    reason = totals.too_few(NO_ERROR[0])
    low = high = error = freedom = math.nan
    if not reason:
        enlarged = totals.with_two_pairs()
        error, freedom = clustered_error(enlarged)
        reach = t_quantile((1 + level) / 2, freedom) * error
        low, high = max(-1.0, enlarged.estimate - reach), min(1.0, enlarged.estimate + reach)
    return _interval(totals, low, high, level, TWO_PAIRS, reason, error, freedom)


def clustered_proportion(
    values: ArrayLike, clusters: Sequence[object] | NDArray[np.generic], level: float = 0.95
) -> Interval:
    """Return a share with Wilson's interval at its effective sample size, which stays between 0 and 1.

    Formula: with the share p, SE and df of ``clustered_mean`` ("cr2"), the effective sample size is
    m = min(N, p (1 - p) / SE^2), that is N over the design effect, and never above N; t is the quantile of Student's
    distribution with df degrees of freedom. The interval holds every share s with |p - s| <= t (s (1 - s) / m)^(1/2):
    centre (p + t^2 / 2m) / (1 + t^2 / m), half width t (p (1 - p) / m + t^2 / 4m^2)^(1/2) / (1 + t^2 / m).

    This keeps the idea of Korn and Graubard, to put an effective sample size with the degrees of freedom of the
    clusters into an interval for independent values, and changes two things: Wilson's interval instead of Clopper and
    Pearson's, and t at m instead of z at m (z / t)^2, which for Wilson's comes to the same.

    If all values are 1, or all 0, the design effect cannot be estimated. Then the values of a cluster count as wholly
    dependent, the least they can be worth: m = 1 / sum_g p_g^2, which is the number of clusters if all are of one
    size. The interval then has one end at the share itself.

    Assumes independent clusters. Grades between 0 and 1 are allowed; as m is never above N, their interval may be
    wider than it need be. An estimated design effect is itself unsure when clusters are few.

    Reference: Korn and Graubard (1998), Survey Methodology 24; Dean and Pagano (2015), Journal of Survey Statistics
    and Methodology 3; Franco, Little, Louis and Slud (2019), the same journal 7.

    Args:
        values: shape (questions,), from 0 to 1, NaN where there is none.
        clusters: shape (questions,), labels (document ids) or integers; None, NaN and "" are refused.
        level: coverage the interval aims at.

    Returns:
        The interval; ``standard_error`` is NaN where there is no variation between clusters to estimate it from.

    Raises:
        ValueError: shapes differ, a label is missing, a value is outside 0 to 1, or level is none.

    >>> interval = clustered_proportion([1, 1, 1, 1, 1, 0], ["a", "a", "b", "b", "c", "d"])
    >>> round(interval.low, 3), round(interval.high, 3)
    (0.182, 0.991)
    """
    check_level(level)
    column = outcomes(values, "values")
    if len(wrong := np.flatnonzero((column < 0) | (column > 1))):
        raise ValueError(f"values must be from 0 to 1 for a proportion, not {column[wrong[0]]} at row {wrong[0]}")
    totals = clustered(column, clusters, "values")
    share, no_error = totals.estimate, totals.why_not(*NO_ERROR)
    reason = totals.too_few(NO_ERROR[0])
    low = high = error = freedom = math.nan
    if not reason:
        error, freedom = clustered_error(totals)
        size = float(totals.n)
        if share in (0, 1):
            size = totals.n**2 / float((totals.counts**2).sum())
        elif not no_error:
            size = min(size, share * (1 - share) / error**2)
        low, high = _wilson(share * size, size, t_quantile((1 + level) / 2, freedom))
    return _interval(
        totals,
        low,
        high,
        level,
        "Wilson at the effective sample size, CR2 and t",
        reason,
        math.nan if no_error else error,
        freedom,
    )


def _wilson(k: float, n: float, z: float) -> tuple[float, float]:
    """Return the ends of Wilson's interval for k of n, which need not be whole."""
    centre, half = (k + z * z / 2) / (n + z * z), z * math.sqrt(k * (n - k) / n + z * z / 4) / (n + z * z)
    return 0.0 if k == 0 else max(0.0, centre - half), 1.0 if k == n else min(1.0, centre + half)


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
        estimate = k / n
        low, high = _wilson(k, n, NormalDist().inv_cdf((1 + level) / 2))
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
