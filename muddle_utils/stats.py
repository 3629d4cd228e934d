"""The statistics of the study, as pure functions on arrays.

Every effect here is a few points on a few hundred questions that share documents, so three things matter more than
the choice of test: pairs are pairs, documents are the clusters, and no number is printed without its n. Each result
therefore carries its counts, its method and, where chance was used, the seed and the number of resamples.

Conventions. An outcome is a float, 1 for correct and 0 for wrong; NaN marks a question that was not answered or not
judged, is left out, and is counted in ``n_missing``. What cannot be computed is NaN with the reason in ``reason``;
what should not have been asked (shapes that differ, a score of 2 in a test for 0 and 1) raises ValueError. Nothing
here is zero because data were missing. The random generator is always passed in.

This module reads no files, knows no models or conditions, and rounds nothing: only tables round.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

# Resampled cluster indices are drawn in blocks of this many numbers, which bounds memory to some 30 MB.
_DRAWS_PER_BLOCK = 2_000_000


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


@dataclass(frozen=True)
class SignFlip:
    """Two-sided sign-flip test that the mean of ``n`` differences, ``n_nonzero`` of them not 0, is 0."""

    p_value: float
    difference: float
    n: int
    n_nonzero: int
    n_missing: int
    method: str
    n_resamples: int
    seed: int | None
    note: str = ""


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


def _column(values: ArrayLike, name: str) -> FloatArray:
    column = np.asarray(values, dtype=np.float64)
    if column.ndim != 1:
        raise ValueError(f"{name} must have one dimension, not shape {column.shape}")
    if np.isinf(column).any():
        raise ValueError(f"{name} holds an infinite value at row {int(np.flatnonzero(np.isinf(column))[0])}")
    return column


def _pair(a: ArrayLike, b: ArrayLike) -> tuple[FloatArray, FloatArray, NDArray[np.bool_]]:
    """Return both columns and the mask of rows that have both values."""
    left, right = _column(a, "a"), _column(b, "b")
    if left.shape != right.shape:
        raise ValueError(f"a and b must hold the same questions in the same order, not {len(left)} and {len(right)}")
    return left, right, ~(np.isnan(left) | np.isnan(right))


def _binary(values: FloatArray, name: str) -> FloatArray:
    wrong = np.flatnonzero((values != 0) & (values != 1))
    if len(wrong):
        raise ValueError(f"{name} must be 0 or 1 for an exact McNemar test, not {values[wrong[0]]}")
    return values


def _mean(values: FloatArray) -> float:
    # fsum makes the mean independent of the order of rows, to the last bit.
    return math.fsum(values) / len(values) if len(values) else math.nan


def seed_of(rng: np.random.Generator) -> int | None:
    """Return the entropy that a generator was seeded with, or None where it holds no single whole number."""
    entropy = getattr(rng.bit_generator.seed_seq, "entropy", None)
    return int(entropy) if isinstance(entropy, int) else None


def check_level(level: float) -> None:
    """Refuse a confidence level outside 0 to 1.

    Raises:
        ValueError: naming it.
    """
    if not 0 < level < 1:
        raise ValueError(f"level must be between 0 and 1, such as 0.95, not {level}")


def check_resamples(n_resamples: int) -> None:
    """Refuse to resample less than once.

    Raises:
        ValueError: naming the number.
    """
    if n_resamples < 1:
        raise ValueError(f"n_resamples must be at least 1, not {n_resamples}")


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
    left, right, both = _pair(a, b)
    n = int(both.sum())
    return PairedDifference(
        difference=_mean(left[both] - right[both]),
        mean_a=_mean(left[both]),
        mean_b=_mean(right[both]),
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
    left, right, both = _pair(a, b)
    left, right = _binary(left[both], "a"), _binary(right[both], "b")
    return exact_mcnemar_counts(
        only_a=int((left > right).sum()),
        only_b=int((right > left).sum()),
        n=len(left),
        n_missing=len(both) - len(left),
    )


def cluster_totals(values: FloatArray, labels: Sequence[object]) -> tuple[FloatArray, IntArray]:
    """Return sum and count of the values in each cluster, clusters in sorted order of their labels."""
    if not len(labels):
        return np.zeros(0), np.zeros(0, dtype=np.int64)
    names = np.asarray([_cluster_name(label) for label in labels], dtype=np.str_)
    _, index = np.unique(names, return_inverse=True)
    return np.bincount(index, weights=values).astype(np.float64), np.bincount(index).astype(np.int64)


def _cluster_name(label: object) -> str:
    name = str(label)
    # The strings are how None, NaN, NaT and pandas' NA print: rows without a document, which would form one cluster.
    if name in ("", "None", "nan", "NaT", "<NA>"):
        raise ValueError(f"every question needs a cluster label, such as its document_id; one has {label!r}")
    return name


def _resampled_means(sums: FloatArray, counts: IntArray, rng: np.random.Generator, n_resamples: int) -> FloatArray:
    """Return the ratio of totals in ``n_resamples`` draws of clusters with replacement."""
    n_clusters = len(sums)
    block = max(1, _DRAWS_PER_BLOCK // n_clusters)
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
    column = _column(values, "values")
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
        estimate=_mean(column[present]),
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
    left, right, _ = _pair(a, b)
    return cluster_bootstrap_mean(left - right, clusters, rng, n_resamples, level)


def _on_a_lattice(differences: FloatArray) -> IntArray | None:
    """Return the differences as whole multiples of a common unit, or None if no unit of 1 to 1/60 fits."""
    for parts in range(1, 61):
        scaled = differences * parts
        whole = np.rint(scaled)
        if np.allclose(scaled, whole, rtol=0, atol=1e-9):
            return whole.astype(np.int64)
    return None


def _exact_sign_flip(steps: IntArray) -> float:
    """Return P(|sum of +-steps| >= |sum of steps|), by convolving one two-point distribution a question."""
    reach = int(np.abs(steps).sum())
    probability = np.ones(1)
    for step in np.abs(steps):
        wider = np.zeros(len(probability) + 2 * step)
        wider[: len(probability)] += probability / 2
        wider[2 * step :] += probability / 2
        probability = wider
    sums = np.arange(-reach, reach + 1)
    return min(1.0, math.fsum(probability[np.abs(sums) >= abs(int(steps.sum()))]))


def _sampled_sign_flip(differences: FloatArray, rng: np.random.Generator, n_resamples: int) -> float:
    # The tolerance keeps a flipped sum that equals the observed one from being lost to rounding.
    threshold = abs(math.fsum(differences)) - 1e-9 * float(np.abs(differences).sum())
    block = max(1, _DRAWS_PER_BLOCK // len(differences))
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
    question's difference is as likely d as -d, and independent questions; pass each document's summed difference to
    flip whole documents instead.

    Reference: Fisher (1935), The Design of Experiments, section 21; Phipson and Smyth (2010) for the added 1.

    Args:
        differences: shape (questions,), NaN where a question has none.
        rng: the generator, or None for the exact test.
        n_resamples: number of drawn sign vectors, unused in the exact test.

    Raises:
        ValueError: the exact test is asked of differences without a common unit of at least 1/60.

    >>> question_sign_flip([1, 1, 1, 0, -1]).p_value  # (1 + 4 + 4 + 1) / 16
    0.625
    """
    column = _column(differences, "differences")
    present = column[~np.isnan(column)]
    nonzero = present[present != 0]
    note = "" if len(nonzero) else ("every difference is 0: p is 1 by definition" if len(present) else "no differences")
    exact = rng is None
    if note:
        p_value = 1.0 if len(present) else math.nan
    elif rng is None:
        steps = _on_a_lattice(nonzero)
        if steps is None:
            raise ValueError("differences have no common unit of at least 1/60: pass a generator to draw signs")
        p_value = _exact_sign_flip(steps)
    else:
        check_resamples(n_resamples)
        p_value = _sampled_sign_flip(nonzero, rng, n_resamples)
    return SignFlip(
        p_value=p_value,
        difference=_mean(present),
        n=len(present),
        n_nonzero=len(nonzero),
        n_missing=len(column) - len(present),
        method="exact sign-flip" if exact else "sampled sign-flip",
        n_resamples=0 if exact or note else n_resamples,
        seed=None if rng is None or note else seed_of(rng),
        note=note,
    )


def _by_k(a: ArrayLike, b: ArrayLike) -> tuple[FloatArray, FloatArray]:
    left, right = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    if left.ndim != 2 or left.shape != right.shape:
        raise ValueError(f"a and b must both have shape (questions, k values), not {left.shape} and {right.shape}")
    if np.isinf(left).any() or np.isinf(right).any():
        raise ValueError("a or b holds an infinite value")
    return left, right


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
    left, right = _by_k(a, b)
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
    left, right = _by_k(a, b)
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
    left, right = _by_k(a, b)
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
    column = _column(p_values, "p_values")
    if ((column < 0) | (column > 1)).any():
        raise ValueError("a p-value must be between 0 and 1")
    order = np.argsort(column, kind="stable")  # NaN sorts last, so it only enlarges the family
    steps = np.minimum(1.0, column[order] * np.arange(len(column), 0, -1))
    adjusted = np.empty_like(column)
    adjusted[order] = np.fmax.accumulate(steps)
    adjusted[np.isnan(column)] = np.nan
    return HolmAdjustment(adjusted=tuple(adjusted.tolist()), family_size=len(column))


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
