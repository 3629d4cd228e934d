"""Paired differences and their tests: exact McNemar, sign-flip, clustered t, Cochran, equivalence, pooling, Holm."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from muddle_utils.stats.arrays import (
    DRAWS_PER_BLOCK,
    Clustered,
    FloatArray,
    IntArray,
    binary,
    by_cluster,
    by_k,
    check_resamples,
    cluster_index,
    clustered,
    mean,
    on_a_lattice,
    outcomes,
    pair_of,
    paired_differences,
    seed_of,
    t_above,
    t_quantile,
    table,
)
from muddle_utils.stats.intervals import NO_ERROR, clustered_error

# The exact sign-flip test adds at most this many probabilities, some seconds; more units are to be drawn.
MOST_ADDITIONS = 1_000_000_000


@dataclass(frozen=True)
class PairedDifference:
    """Mean of ``a - b`` over the ``n`` questions that have both; ``n_missing`` questions lack one or both."""

    difference: float
    mean_a: float
    mean_b: float
    n: int
    n_missing: int
    reason: str = ""


@dataclass(frozen=True)
class McNemar:
    """Two-sided exact McNemar test on ``n`` pairs, of which ``only_a`` and ``only_b`` are discordant.

    ``n`` is None where only the discordant counts were known. ``note`` says so when there was nothing to test.
    """

    p_value: float
    mid_p: float
    only_a: int
    only_b: int
    n: int | None
    n_missing: int
    method: str
    note: str = ""


@dataclass(frozen=True)
class SignFlip:
    """Two-sided sign-flip test that the mean of ``n`` differences is 0.

    ``n_nonzero`` of what is flipped are not 0: of the questions, or of the ``n_clusters`` where whole clusters are
    flipped (None where they are not).
    """

    p_value: float
    difference: float
    n: int
    n_nonzero: int
    n_missing: int
    method: str
    n_resamples: int
    seed: int | None
    note: str = ""
    n_clusters: int | None = None


@dataclass(frozen=True)
class ClusteredTest:
    """Two-sided t test that the mean of ``n`` differences in ``n_clusters`` clusters is 0."""

    p_value: float
    statistic: float
    degrees_of_freedom: float
    difference: float
    standard_error: float
    n: int
    n_missing: int
    n_clusters: int
    method: str
    note: str = ""


@dataclass(frozen=True)
class Equivalence:
    """Two one-sided t tests that a mean difference lies between -``margin`` and ``margin``.

    ``p_above`` is of the test that it is above -margin, ``p_below`` that it is below margin, and ``p_value`` the
    larger. ``low`` and ``high`` end the interval of level 1 - 2 (1 - ``level``). ``equivalent`` is True where that
    interval is inside the margin; False says only that this was not shown, which ``reason`` may explain.
    """

    equivalent: bool
    p_value: float
    p_above: float
    p_below: float
    difference: float
    low: float
    high: float
    margin: float
    level: float
    standard_error: float
    degrees_of_freedom: float
    n: int
    n_missing: int
    n_clusters: int
    method: str
    reason: str = ""


@dataclass(frozen=True)
class CochranQ:
    """Cochran's test that ``n`` questions are right equally often in each of ``n_conditions``.

    ``n_discordant`` questions are right in some conditions and wrong in others; no other counts. ``p_value`` is from
    the chi-square distribution, ``permutation_p`` from ``n_resamples`` permutations, NaN if no generator was given.
    """

    p_value: float
    permutation_p: float
    q: float
    degrees_of_freedom: int
    n: int
    n_discordant: int
    n_missing: int
    n_conditions: int
    method: str
    n_resamples: int
    seed: int | None
    note: str = ""
    n_clusters: int | None = None


@dataclass(frozen=True)
class PooledPairs:
    """The gap pooled over k with every (question, k) a pair of its own, as the paper pools it."""

    difference: float
    n_pairs: int
    n_questions: int
    n_missing: int
    mcnemar: McNemar
    reason: str = ""


@dataclass(frozen=True)
class PooledQuestion:
    """The gap pooled over k with each question counted once, as the mean of its gaps.

    ``n_incomplete`` of the ``n_questions`` have a pair at some k only.
    """

    difference: float
    n_questions: int
    n_pairs: int
    n_incomplete: int
    n_missing: int
    sign_flip: SignFlip
    reason: str = ""


@dataclass(frozen=True)
class HolmAdjustment:
    """P-values of one declared family, adjusted; ``family_size`` is to be printed with them."""

    adjusted: tuple[float, ...]
    family_size: int


def paired_difference(a: ArrayLike, b: ArrayLike) -> PairedDifference:
    """Return the mean per-question difference on the questions that have a value in both arms.

    Formula: (1/n) sum_i (a_i - b_i), over the n rows where neither is NaN (paper, section 4.2). The two means are
    over the same n rows, so their difference is the difference.

    Args:
        a: shape (questions,), one arm's outcomes.
        b: shape (questions,), the other arm's, the same questions in the same order.

    Raises:
        ValueError: the shapes differ or a value is infinite.

    >>> paired_difference([1, 1, 0, float("nan")], [1, 0, 0, 1])
    PairedDifference(difference=0.3333333333333333, mean_a=0.6666666666666666, mean_b=0.3333333333333333, n=3, \
n_missing=1, reason='')
    """
    left, right, both = pair_of(a, b)
    n = int(both.sum())
    return PairedDifference(
        difference=mean(left[both] - right[both]),
        mean_a=mean(left[both]),
        mean_b=mean(right[both]),
        n=n,
        n_missing=len(both) - n,
        reason="" if n else "no question has a value in both arms",
    )


def _binomial_tail(k: int, n: int) -> tuple[int, int]:
    """Return the binomial coefficients of n up to k, summed, and the last of them: exact integers."""
    coefficient = total = 1
    for i in range(k):
        coefficient = coefficient * (n - i) // (i + 1)
        total += coefficient
    return total, coefficient


def exact_mcnemar_counts(only_a: int, only_b: int, n: int | None = None, n_missing: int = 0) -> McNemar:
    """Return the exact two-sided McNemar test from the two discordant counts, with the mid-p value beside it.

    Formula: with m = min(only_a, only_b) and d = only_a + only_b, p = min(1, 2 P(X <= m)) and
    mid-p = min(1, 2 P(X <= m) - P(X = m)) for X ~ Binomial(d, 1/2), in integer arithmetic. It is the sign test, and
    the exact sign-flip test of 0/1 differences; of the usual tests it alone gives the paper's three p-values at whole
    counts. Assumes that pairs are independent, which questions on one document need not be.

    Reference: McNemar (1947), Psychometrika 12; Fagerland, Lydersen and Laake (2013), BMC Med. Res. Methodol. 13:91.

    Raises:
        ValueError: a count is negative, or there are more discordant pairs than pairs.

    >>> round(exact_mcnemar_counts(38, 19).p_value, 5), round(exact_mcnemar_counts(38, 19).mid_p, 4)
    (0.01635, 0.0119)
    >>> exact_mcnemar_counts(0, 0, n=15).note
    'no discordant pairs: p is 1 by definition'
    """
    if only_a < 0 or only_b < 0 or n_missing < 0:
        raise ValueError(f"counts of pairs cannot be negative: {only_a}, {only_b}, {n_missing}")
    discordant = only_a + only_b
    if n is not None and discordant > n:
        raise ValueError(f"{discordant} discordant pairs cannot come from n = {n} pairs")
    if n == 0:
        return McNemar(math.nan, math.nan, 0, 0, 0, n_missing, "exact McNemar", "no pairs: not applicable")
    total, last = _binomial_tail(min(only_a, only_b), discordant)
    return McNemar(
        p_value=min(1.0, 2 * total / 2**discordant),
        mid_p=min(1.0, (2 * total - last) / 2**discordant),
        only_a=only_a,
        only_b=only_b,
        n=n,
        n_missing=n_missing,
        method="exact McNemar",
        note="" if discordant else "no discordant pairs: p is 1 by definition",
    )


def exact_mcnemar(a: ArrayLike, b: ArrayLike) -> McNemar:
    """Return the exact two-sided McNemar test of two arms on the questions answered in both.

    Formula, assumptions and reference as in ``exact_mcnemar_counts``.

    Args:
        a: shape (questions,), 0 or 1 or NaN.
        b: shape (questions,), the same questions in the same order.

    Raises:
        ValueError: the shapes differ, or a value is neither 0 nor 1 nor NaN.

    >>> exact_mcnemar([1, 1, 1, 0, 1], [0, 0, 0, 0, 1]).p_value
    0.25
    """
    left, right, both = pair_of(a, b)
    left, right = binary(left[both], "a"), binary(right[both], "b")
    return exact_mcnemar_counts(
        only_a=int((left > right).sum()),
        only_b=int((right > left).sum()),
        n=len(left),
        n_missing=len(both) - len(left),
    )


def _exact_sign_flip(differences: FloatArray) -> float:
    """Return P(|sum of +-differences| >= |their sum|), by convolving one two-point distribution a difference."""
    lattice = on_a_lattice(differences)
    if lattice is None:
        raise ValueError("differences have no common unit of at least 1/60: pass a generator to draw signs")
    steps = lattice[0] // np.gcd.reduce(lattice[0])
    sizes = np.abs(steps)
    reach = int(sizes.sum())
    if reach * len(sizes) > MOST_ADDITIONS:
        raise ValueError(
            f"an exact test of {len(sizes)} differences with {2 * reach + 1} possible sums is too large: "
            "pass a generator to draw signs"
        )
    probability = np.ones(1)
    for step in sizes:
        wider = np.zeros(len(probability) + 2 * step)
        wider[: len(probability)] += probability / 2
        wider[2 * step :] += probability / 2
        probability = wider
    sums = np.arange(-reach, reach + 1)
    return min(1.0, math.fsum(probability[np.abs(sums) >= abs(int(steps.sum()))]))


def _sampled_sign_flip(differences: FloatArray, rng: np.random.Generator, n_resamples: int) -> float:
    check_resamples(n_resamples)
    # The tolerance keeps a flipped sum that equals the observed one from being lost to rounding.
    threshold = abs(math.fsum(differences)) - 1e-9 * float(np.abs(differences).sum())
    block = max(1, DRAWS_PER_BLOCK // len(differences))
    as_extreme = 0
    for start in range(0, n_resamples, block):
        size = (min(block, n_resamples - start), len(differences))
        signs = rng.integers(0, 2, size=size) * 2 - 1
        as_extreme += int((np.abs(signs @ differences) >= threshold).sum())
    return (1 + as_extreme) / (1 + n_resamples)


def question_sign_flip(
    differences: ArrayLike, rng: np.random.Generator | None = None, n_resamples: int = 10_000
) -> SignFlip:
    """Return the two-sided sign-flip (paired permutation) test that the mean difference is 0.

    Formula: p = P(|sum s_i d_i| >= |sum d_i|) with independent fair signs s_i. Without a generator it is exact: the
    distribution of the sum is convolved question by question, which needs differences that are multiples of a common
    unit (0/1 outcomes, or their means over a few k); on 0/1 outcomes it then equals the exact McNemar test. With a
    generator, signs are drawn and p = (1 + as extreme) / (1 + n_resamples), never 0. Assumes that under the null a
    question's difference is as likely d as -d, and independent questions; ``cluster_sign_flip`` needs independent
    documents only.

    Reference: Fisher (1935), The Design of Experiments, section 21; Phipson and Smyth (2010) for the added 1.

    Args:
        differences: shape (questions,), NaN where a question has none.
        rng: the generator, or None for the exact test.
        n_resamples: number of drawn sign vectors, unused in the exact test.

    Raises:
        ValueError: the exact test is asked of differences without a common unit of at least 1/60, or of so many and
            so different ones that it would take too long.

    >>> question_sign_flip([1, 1, 1, 0, -1]).p_value  # (1 + 4 + 4 + 1) / 16
    0.625
    """
    column = outcomes(differences, "differences")
    return _sign_flip(column, np.arange(len(column)), rng, n_resamples, None)


def cluster_sign_flip(
    differences: ArrayLike,
    clusters: Sequence[object] | NDArray[np.generic],
    rng: np.random.Generator | None = None,
    n_resamples: int = 10_000,
) -> SignFlip:
    """Return the two-sided sign-flip test that the mean difference is 0, with whole clusters flipped.

    Formula: p = P(|sum_g s_g D_g| >= |sum_g D_g|) with independent fair signs s_g and D_g the sum of the differences
    in cluster g. Exact or drawn as in ``question_sign_flip``, which it equals if every question is a cluster of its
    own. Assumes independent clusters (documents), in each of which, under the null, all differences are as likely as
    all of them with the other sign; it says nothing about questions on one document. With G clusters p is at least
    2 / 2^G, so that five or fewer can never reach 5 %.

    Reference: Fisher (1935), The Design of Experiments, section 21; Phipson and Smyth (2010) for the added 1; Canay,
    Romano and Shaikh (2017), Econometrica 85, for flipping clusters.

    Args:
        differences: shape (questions,), NaN where a question has none.
        clusters: shape (questions,), labels (document ids) or integers; None, NaN and "" are refused.
        rng: the generator, or None for the exact test.
        n_resamples: number of drawn sign vectors, unused in the exact test.

    Returns:
        The test; ``difference`` is the mean over questions, ``n_nonzero`` the number of clusters that can be flipped.

    Raises:
        ValueError: shapes differ, a label is missing, or as ``question_sign_flip``.

    >>> cluster_sign_flip([1, 1, 1, 0, -1], ["a", "a", "b", "b", "c"]).p_value  # 2, 1, -1: 6 of 8 sums reach 2
    0.75
    """
    column = outcomes(differences, "differences")
    index, n_clusters = cluster_index(clusters, ~np.isnan(column), "differences")
    return _sign_flip(column, index, rng, n_resamples, n_clusters)


def _sign_flip(
    column: FloatArray, index: IntArray, rng: np.random.Generator | None, n_resamples: int, n_clusters: int | None
) -> SignFlip:
    """Return the sign-flip test of the units that ``index`` numbers."""
    [totals] = by_cluster(column[:, None], index, int(index.max(initial=-1)) + 1)
    # Sorted, so that the drawn signs do not depend on the order of rows.
    units = np.sort(totals.sums[np.abs(totals.means) > totals.rounding])
    note, p_value = "", math.nan
    if not totals.n:
        note = "no differences"
    elif not len(units):
        what = "difference is 0" if n_clusters is None else "unit's differences add up to 0"
        note, p_value = f"every {what}: p is 1 by definition", 1.0
    elif rng is not None:
        p_value = _sampled_sign_flip(units / totals.parts, rng, n_resamples)
    else:
        p_value = _exact_sign_flip(units)
    drawn = rng is not None and not note
    unit = "" if n_clusters is None else ", whole clusters"
    return SignFlip(
        p_value=p_value,
        difference=totals.estimate,
        n=totals.n,
        n_nonzero=len(units),
        n_missing=totals.n_missing,
        method=f"{'exact' if rng is None else 'sampled'} sign-flip{unit}",
        n_resamples=n_resamples if drawn else 0,
        seed=seed_of(rng) if rng is not None and drawn else None,
        note=note,
        n_clusters=n_clusters,
    )


def clustered_test(differences: ArrayLike, clusters: Sequence[object] | NDArray[np.generic]) -> ClusteredTest:
    """Return the two-sided t test that the mean difference is 0, with its clustered standard error.

    Formula: statistic = mean / SE, compared with Student's distribution, where SE and the degrees of freedom are those
    of ``clustered_mean`` with method "cr2"; p < 1 - level is then the same as that 0 lies outside its interval. With
    every question a cluster of its own it is the paired t test. Assumes independent clusters (documents).

    Reference: Bell and McCaffrey (2002), Survey Methodology 28; Pustejovsky and Tipton (2018), Journal of Business and
    Economic Statistics 36.

    Args:
        differences: shape (questions,), NaN where a question has none.
        clusters: shape (questions,), labels (document ids) or integers; None, NaN and "" are refused.

    Returns:
        The test; p is NaN, with a note, if there is no variation between clusters to compare the mean with.

    Raises:
        ValueError: shapes differ, a label is missing, or a value is infinite.

    >>> test = clustered_test([1, 1, 0, 1], ["a", "b", "c", "d"])
    >>> round(test.statistic, 6), round(test.degrees_of_freedom, 6), round(test.p_value, 4)
    (3.0, 3.0, 0.0577)
    """
    totals = clustered(differences, clusters, "differences")
    note = totals.why_not(*NO_ERROR)
    error = freedom = statistic = p_value = math.nan
    if not note:
        error, freedom = clustered_error(totals)
        statistic = totals.estimate / error
        p_value = 2 * t_above(abs(statistic), freedom)
    return ClusteredTest(
        p_value=p_value,
        statistic=statistic,
        degrees_of_freedom=freedom,
        difference=totals.estimate,
        standard_error=error,
        n=totals.n,
        n_missing=totals.n_missing,
        n_clusters=totals.n_clusters,
        method="clustered t, CR2 with Satterthwaite degrees of freedom",
        note=note,
    )


def _skewness(totals: Clustered) -> float:
    """Return the skewness of a mean's sampling distribution, from the clusters' deviations as CR2 weighs them."""
    parts = totals.residuals / np.sqrt(1 - totals.counts / totals.n)
    return float((parts**3).sum() / (parts**2).sum() ** 1.5)


def _unskewed(statistic: float, skewness: float) -> float:
    """Return Hall's cubic transformation of a t statistic, which never falls as the statistic rises."""
    return statistic + skewness * statistic**2 / 3 + skewness**2 * statistic**3 / 27 + skewness / 6


def _skewed(value: float, skewness: float) -> float:
    """Return the statistic whose transformation this is."""
    moved = value - skewness / 6
    root = math.cbrt(1 + skewness * moved)
    # (root - 1) / (skewness / 3), without dividing by a skewness that may be 0.
    return 3 * moved / (root**2 + root + 1)


def equivalence(
    differences: ArrayLike,
    clusters: Sequence[object] | NDArray[np.generic],
    margin: float,
    level: float = 0.95,
) -> Equivalence:
    """Return two one-sided clustered t tests that the mean difference is smaller than a margin either way.

    Formula: add two pairs, as ``clustered_difference`` does, and let d, SE and df be mean, standard error and degrees
    of freedom of the enlarged column, and u_g the deviations E_g / (1 - p_g)^(1/2) that SE is made of, whose skewness
    is s = sum_g u_g^3 / (sum_g u_g^2)^(3/2). With Hall's transformation h(t) = t + s t^2 / 3 + s^2 t^3 / 27 + s / 6,
    p_above = P(T_df >= h((d + margin) / SE)) and p_below = P(T_df >= -h((d - margin) / SE)). Equivalence is shown if
    both are below 1 - level, which is the same as that the interval of level 1 - 2 (1 - level), 90 % for 95 %, that
    runs between d - SE h^-1(t) and d - SE h^-1(-t), cut at -1 and 1, lies inside the margin. That a test of no
    difference is not significant shows nothing of the kind. The margin is to be declared before the data are seen.

    A loss that few questions or documents carry makes the plain tests too lenient: where by chance few of them were
    drawn, both the mean and its standard error are small. The pairs and the transformation take back most of that, not
    all: a loss of one margin that is in one document of twenty, of which 85 hold four or five, is called equivalent in
    some 6 % of studies instead of 5 %. Assumes independent clusters (documents).

    Reference: Schuirmann (1987), Journal of Pharmacokinetics and Biopharmaceutics 15; Lakens (2017), Social
    Psychological and Personality Science 8; Hall (1992), Journal of the Royal Statistical Society B 54, for the
    transformation; Bonett and Price (2012) as in ``clustered_difference``.

    Args:
        differences: shape (questions,), from -1 to 1, NaN where a question has none.
        clusters: shape (questions,), labels (document ids) or integers; None, NaN and "" are refused.
        margin: the largest difference that counts as none, between 0 and 1.
        level: 1 minus the error rate of each test, above 1/2.

    Returns:
        The tests; ``difference`` is the plain mean, ``standard_error`` and ``degrees_of_freedom`` are of the enlarged
        column. All but the difference are NaN, with a reason, where documents show no variation: nothing then says
        how much they might vary.

    Raises:
        ValueError: the margin is not between 0 and 1, level is out of range, a difference is outside -1 to 1, or as
            ``clustered_test``.

    >>> few = [1] * 4 + [-1] * 4 + [0] * 192
    >>> test = equivalence(few, range(200), margin=0.05)
    >>> test.equivalent, round(test.p_value, 4), round(test.low, 3), round(test.high, 3)
    (True, 0.0008, -0.026, 0.026)
    """
    if not 0 < margin < 1:
        raise ValueError(f"margin must be between 0 and 1, such as 0.05, not {margin}")
    if not 0.5 < level < 1:
        raise ValueError(f"level must be between 0.5 and 1 for two one-sided tests, such as 0.95, not {level}")
    totals = clustered(paired_differences(differences), clusters, "differences")
    reason = totals.why_not(*NO_ERROR)
    error = freedom = p_above = p_below = low = high = math.nan
    if not reason:
        enlarged = totals.with_two_pairs()
        error, freedom = clustered_error(enlarged)
        middle, skewness, t = enlarged.estimate, _skewness(enlarged), t_quantile(level, freedom)
        p_above = t_above(_unskewed((middle + margin) / error, skewness), freedom)
        p_below = t_above(-_unskewed((middle - margin) / error, skewness), freedom)
        low = max(-1.0, middle - error * _skewed(t, skewness))
        high = min(1.0, middle - error * _skewed(-t, skewness))
    return Equivalence(
        equivalent=not reason and max(p_above, p_below) < 1 - level,
        p_value=max(p_above, p_below),
        p_above=p_above,
        p_below=p_below,
        difference=totals.estimate,
        low=low,
        high=high,
        margin=margin,
        level=level,
        standard_error=error,
        degrees_of_freedom=freedom,
        n=totals.n,
        n_missing=totals.n_missing,
        n_clusters=totals.n_clusters,
        method="two one-sided clustered t tests, CR2 with Satterthwaite degrees of freedom, two pairs added, Hall's "
        "transformation",
        reason=reason,
    )


def _permuted_q(rows: IntArray, rng: np.random.Generator, n_resamples: int) -> float:
    """Return the share of permutations within rows whose column totals spread as far as those seen, or further."""
    check_resamples(n_resamples)
    # Rows of equal numbers cannot be permuted, and nothing but the sum of squared totals changes in Cochran's Q.
    rows = rows[np.ptp(rows, axis=1) > 0]
    # Sorted, so that what is drawn does not depend on the order of questions.
    rows = rows[np.lexsort(rows.T)]
    spread = (rows.sum(axis=0) ** 2).sum()
    block = max(1, DRAWS_PER_BLOCK // max(1, rows.size))
    as_extreme = 0
    for start in range(0, n_resamples, block):
        size = min(block, n_resamples - start)
        permuted = rng.permuted(np.broadcast_to(rows, (size, *rows.shape)), axis=2)
        as_extreme += int(((permuted.sum(axis=1) ** 2).sum(axis=1) >= spread).sum())
    return (1 + as_extreme) / (1 + n_resamples)


def cochran_q(
    outcomes: ArrayLike,
    rng: np.random.Generator | None = None,
    n_resamples: int = 10_000,
    clusters: Sequence[object] | NDArray[np.generic] | None = None,
) -> CochranQ:
    """Return Cochran's Q test that the share of right answers is the same in all conditions.

    Formula: over the questions with an outcome in each of the k conditions, with C_j right answers in condition j,
    R_i of question i and T in all, Q = (k - 1) (k sum C_j^2 - T^2) / (k T - sum R_i^2), compared with the chi-square
    distribution of k - 1 degrees of freedom. For two conditions Q is McNemar's statistic without correction. The
    chi-square distribution is good from some 24 / k discordant questions on. With a generator, permutation_p =
    (1 + as extreme) / (1 + n_resamples) over permutations of the conditions inside each question, never 0, which is
    right for any number of them.

    Both assume independent questions, each under the null as likely right in one condition as in another. With
    ``clusters``, the conditions of all questions in a cluster (document) are permuted together, and permutation_p
    assumes independent clusters only; Q and the chi-square p-value remain as they are.

    Reference: Cochran (1950), Biometrika 37; Tate and Brown (1970), Journal of the American Statistical Association
    65, for how many questions it takes; Phipson and Smyth (2010) for the added 1.

    Args:
        outcomes: shape (questions, conditions), 0, 1 or NaN.
        rng: the generator for permutations, or None for the chi-square distribution alone.
        n_resamples: number of permutations, unused without a generator.
        clusters: shape (questions,), labels (document ids) or integers, or None where each question is its own.

    Returns:
        The test; ``n_missing`` questions lack an outcome in a condition. p is NaN, with a note, if none is discordant.

    Raises:
        ValueError: there are fewer than two conditions, an outcome is neither 0 nor 1 nor NaN, clusters are given
            without a generator, or their number differs.

    >>> test = cochran_q([[1, 1, 0], [1, 0, 0], [1, 1, 0], [1, 1, 1], [0, 1, 0]])
    >>> test.q, test.degrees_of_freedom, round(test.p_value, 4)  # 2 (3 (16 + 16 + 1) - 81) / (27 - 19)
    (4.5, 2, 0.1054)
    """
    rows = table(outcomes, "outcomes", "conditions")
    if rows.shape[1] < 2:
        raise ValueError(f"outcomes must have two or more conditions to compare, not {rows.shape[1]}")
    if clusters is not None and rng is None:
        raise ValueError("clusters are for the permutations, which need a generator: pass rng")
    known = np.asarray(~np.isnan(rows).any(axis=1))
    if len(wrong := np.flatnonzero(~((rows == 0) | (rows == 1) | np.isnan(rows)).all(axis=1))):
        raise ValueError(f"outcomes must be 0 or 1 for Cochran's Q, not {rows[wrong[0]].tolist()} at row {wrong[0]}")
    units, n_clusters = np.flatnonzero(known), None
    if clusters is not None:
        index, n_clusters = cluster_index(clusters, known, "outcomes")
        units = index[known]
    complete = rows[known].astype(np.int64)
    n_conditions = rows.shape[1]
    right, total = complete.sum(axis=0), int(complete.sum())
    n_discordant = int((np.ptp(complete, axis=1) > 0).sum())
    note = "" if n_discordant else "no question differs between conditions"
    if not len(complete):
        note = "no question has an outcome in every condition"
    q = p_value = permutation_p = math.nan
    if not note:
        from scipy.special import chdtrc

        inside = n_conditions * total - int((complete.sum(axis=1) ** 2).sum())
        q = (n_conditions - 1) * (n_conditions * int((right**2).sum()) - total**2) / inside
        p_value = float(chdtrc(n_conditions - 1, q))
        if rng is not None:
            sums = np.zeros((int(units.max()) + 1, n_conditions), dtype=np.int64)
            np.add.at(sums, units, complete)
            permutation_p = _permuted_q(sums, rng, n_resamples)
    drawn = rng is not None and not note
    permuted = f", permutations {'inside questions' if clusters is None else 'of whole clusters'}" if drawn else ""
    return CochranQ(
        p_value=p_value,
        permutation_p=permutation_p,
        q=q,
        degrees_of_freedom=n_conditions - 1,
        n=len(complete),
        n_discordant=n_discordant,
        n_missing=len(rows) - len(complete),
        n_conditions=n_conditions,
        method=f"Cochran's Q, chi-square{permuted}",
        n_resamples=n_resamples if drawn else 0,
        seed=seed_of(rng) if rng is not None and drawn else None,
        note=note,
        n_clusters=n_clusters,
    )


def question_differences(a: ArrayLike, b: ArrayLike) -> FloatArray:
    """Return each question's mean difference over the k at which it has both arms, NaN where it has none.

    Formula: d_i = (1/m_i) sum_k (a_ik - b_ik) over the m_i values of k where neither is NaN. Give the result to
    ``question_sign_flip`` for a test and to ``cluster_bootstrap_mean``, with documents, for an interval.

    Args:
        a: shape (questions, k values), one arm.
        b: the same shape, the other arm.

    Returns:
        Shape (questions,).

    Raises:
        ValueError: the shapes differ or are not two-dimensional, or a value is infinite.

    >>> question_differences([[1, 1], [1, float("nan")]], [[0, 1], [1, 0]])
    array([0.5, 0. ])
    """
    left, right = by_k(a, b)
    gaps = left - right
    n = (~np.isnan(gaps)).sum(axis=1)
    return np.where(n > 0, np.nansum(gaps, axis=1) / np.maximum(n, 1), np.nan)


def pooled_pairs(a: ArrayLike, b: ArrayLike) -> PooledPairs:
    """Return the gap and the exact McNemar test over all (question, k) pairs, as the paper pools them.

    Formula: mean of a_ik - b_ik over all pairs without NaN, and ``exact_mcnemar`` on the same pairs. It counts each
    question once a k and takes the pairs for independent, which a shared source and nested distractors make
    doubtful: print it beside ``pooled_question``, not instead (paper, section 5.2).

    Args:
        a: shape (questions, k values), 0, 1 or NaN.
        b: the same shape, the other arm.

    Raises:
        ValueError: the shapes differ, or a value is neither 0 nor 1 nor NaN.

    >>> pooled_pairs([[1, 1], [1, 0]], [[0, 1], [0, 0]]).difference
    0.5
    """
    left, right = by_k(a, b)
    pair = paired_difference(left.ravel(), right.ravel())
    return PooledPairs(
        difference=pair.difference,
        n_pairs=pair.n,
        n_questions=int((~np.isnan(left - right)).any(axis=1).sum()),
        n_missing=pair.n_missing,
        mcnemar=exact_mcnemar(left.ravel(), right.ravel()),
        reason=pair.reason,
    )


def pooled_question(
    a: ArrayLike, b: ArrayLike, rng: np.random.Generator | None = None, n_resamples: int = 10_000
) -> PooledQuestion:
    """Return the gap and the sign-flip test with each question counted once, as its mean over k.

    Formula: mean of ``question_differences`` and ``question_sign_flip`` of them. This is the headline: the unit is
    the question, so agreement of its answers at two k cannot pass for evidence. A question with a pair at some k only
    enters with what it has and is counted in ``n_incomplete``.

    Args:
        a: shape (questions, k values), 0, 1 or NaN.
        b: the same shape, the other arm.
        rng: the generator, or None for the exact test.
        n_resamples: number of drawn sign vectors, unused in the exact test.

    Raises:
        ValueError: as ``question_differences`` and ``question_sign_flip``.

    >>> pooled_question([[1, 1], [1, 0]], [[0, 1], [0, 0]]).difference
    0.5
    """
    left, right = by_k(a, b)
    pairs_of = (~np.isnan(left - right)).sum(axis=1)
    test = question_sign_flip(question_differences(left, right), rng, n_resamples)
    return PooledQuestion(
        difference=test.difference,
        n_questions=test.n,
        n_pairs=int(pairs_of.sum()),
        n_incomplete=int(((pairs_of > 0) & (pairs_of < left.shape[1])).sum()),
        n_missing=test.n_missing,
        sign_flip=test,
        reason="" if test.n else "no question has a value in both arms at any k",
    )


def holm(p_values: ArrayLike) -> HolmAdjustment:
    """Return Holm's step-down adjustment over one declared family.

    Formula: with p_(1) <= ... <= p_(m), adjusted p_(i) = max over j <= i of min(1, (m - j + 1) p_(j)). Assumes
    nothing about dependence. A NaN (a test that did not apply) stays NaN and still counts in m: it was declared.

    Reference: Holm (1979), Scandinavian Journal of Statistics 6.

    Args:
        p_values: shape (m,).

    Raises:
        ValueError: a p-value is outside 0 to 1.

    >>> [round(p, 3) for p in holm([0.008, 0.016, 0.026]).adjusted]
    [0.024, 0.032, 0.032]
    """
    column = outcomes(p_values, "p_values")
    if ((column < 0) | (column > 1)).any():
        raise ValueError("a p-value must be between 0 and 1")
    order = np.argsort(column, kind="stable")  # NaN sorts last, so it only enlarges the family
    steps = np.minimum(1.0, column[order] * np.arange(len(column), 0, -1))
    adjusted = np.empty_like(column)
    adjusted[order] = np.fmax.accumulate(steps)
    adjusted[np.isnan(column)] = np.nan
    return HolmAdjustment(adjusted=tuple(adjusted.tolist()), family_size=len(column))
