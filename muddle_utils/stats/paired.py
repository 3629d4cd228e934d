"""Paired differences and their tests: exact McNemar, sign-flip, pooling over k, Holm."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from muddle_utils.stats.arrays import (
    DRAWS_PER_BLOCK,
    FloatArray,
    IntArray,
    binary,
    by_k,
    check_resamples,
    mean,
    outcomes,
    pair_of,
    seed_of,
)


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
    column = outcomes(differences, "differences")
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
        difference=mean(present),
        n=len(present),
        n_nonzero=len(nonzero),
        n_missing=len(column) - len(present),
        method="exact sign-flip" if exact else "sampled sign-flip",
        n_resamples=0 if exact or note else n_resamples,
        seed=None if rng is None or note else seed_of(rng),
        note=note,
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
