"""How small a gap a paired study can see: exact power of the exact McNemar test.

A study of n questions asked in two arms is described by two numbers: the gap, and the discordance, the share of
questions right in one arm only. No chance is used: everything is a sum over binomial probabilities. Questions that
share documents count for fewer than they are; that part, by design effect, is an approximation and says so.
"""

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

import numpy as np

from muddle_utils.stats.arrays import FloatArray, IntArray

# Beyond so many questions the sums get slow, and no benchmark goes.
MAX_QUESTIONS: Final = 100_000
_EXACT: Final = "exact McNemar, exact power for independent questions"


@dataclass(frozen=True)
class PairedPower:
    """Power of the two-sided exact McNemar test at level ``alpha`` against ``gap`` with ``n_questions`` questions.

    ``n_effective`` is the number of independent questions that these are worth, ``n_questions`` / ``design_effect``;
    ``approximate`` says that the two differ. With ``gap`` 0 the power is the size of the test.
    """

    power: float
    gap: float
    discordance: float
    alpha: float
    n_questions: int
    n_documents: int | None
    icc: float
    design_effect: float
    n_effective: int
    approximate: bool
    method: str
    reason: str = ""


@dataclass(frozen=True)
class DetectableGap(PairedPower):
    """The smallest gap that the test finds with probability ``power``, NaN where ``reason`` says why there is none."""


@dataclass(frozen=True)
class QuestionsToSettle:
    """How many questions find ``gap`` with probability ``power`` or more.

    Power does not rise steadily with the number of questions. ``n_questions`` is the number from which it never again
    falls below ``power``; ``n_first`` the first at which it reaches it. Both are None where ``reason`` says why, and so
    is ``n_documents`` where questions were taken for independent.
    """

    n_questions: int | None
    n_first: int | None
    n_documents: int | None
    gap: float
    power: float
    discordance: float
    alpha: float
    questions_per_document: float
    icc: float
    design_effect: float
    approximate: bool
    method: str
    reason: str = ""


# --- The test and its power ---------------------------------------------------------------------------------------


@functools.lru_cache(maxsize=32)
def _critical_values(n: int, alpha: float) -> IntArray:
    """Return, for 0 to n discordant pairs, the largest smaller count at which the test rejects, -1 for none.

    In whole numbers: with T(d, c) the sum of the binomial coefficients of d up to c, T(d + 1, c) = 2 T(d, c) - C(d, c),
    and the critical value never falls as d grows.
    """
    limit = Fraction(alpha)
    values = np.full(n + 1, -1, dtype=np.int64)
    # The candidate c is the critical value plus 1; its tail and last coefficient are carried from d to d + 1.
    c, tail, last = 0, 1, 1
    for d in range(n + 1):
        while 2 * tail * limit.denominator <= limit.numerator << d:
            last = last * (d - c) // (c + 1)
            c += 1
            tail += last
        values[d] = c - 1
        tail, last = 2 * tail - last, last * (d + 1) // (d + 1 - c)
    values.setflags(write=False)
    return values


def _conditional_power(n: int, share: float, alpha: float) -> FloatArray:
    """Return the chance to reject at 0 to n discordant pairs, of which each favours one arm with probability share."""
    from scipy import special

    critical = _critical_values(_rounded_up(n), alpha)[: n + 1]
    d, some = np.arange(n + 1), critical >= 0
    c = np.maximum(critical, 0)
    low, high = special.bdtr(c, d, share), special.bdtr(c, d, 1 - share)
    return np.where(some, np.minimum(1.0, low + high), 0.0)


def _rounded_up(n: int) -> int:
    """Return the next power of 2, so that few tables of critical values serve all numbers of questions."""
    return 1 << max(8, n.bit_length())


def _share(gap: float, discordance: float) -> float:
    """Return the share of discordant pairs that favour the better arm."""
    return min(1.0, 0.5 + abs(gap) / (2 * discordance)) if discordance else 0.5


def _power(n: int, gap: float, discordance: float, alpha: float) -> float:
    top = _discordant_range(n, discordance)[1]
    return float(_power_at([n], _conditional_power(top, _share(gap, discordance), alpha), discordance)[0])


def _discordant_range(n: int, discordance: float) -> tuple[int, int]:
    """Return between which numbers of discordant pairs all but 1e-20 of their distribution lies."""
    reach = 10 * math.sqrt(n * discordance * (1 - discordance)) + 10
    return max(0, int(n * discordance - reach)), min(n, int(n * discordance + reach))


def _power_at(ns: Sequence[int], conditional: FloatArray, discordance: float) -> FloatArray:
    """Return the power at each number of questions, averaged over the number of discordant pairs."""
    from scipy import special

    powers = []
    for n in ns:
        low, high = _discordant_range(n, discordance)
        d = np.arange(low, high + 1)
        log_weight = special.gammaln(n + 1) - special.gammaln(d + 1) - special.gammaln(n - d + 1)
        log_weight += special.xlogy(d, discordance) + special.xlog1py(n - d, -discordance)
        powers.append(min(1.0, math.fsum(np.exp(log_weight) * conditional[low : high + 1])))
    return np.array(powers)


def _check(discordance: float, alpha: float, icc: float, gap: float = 0.0, power: float = 0.5) -> None:
    if not 0 <= discordance <= 1:
        raise ValueError(f"discordance must be a share between 0 and 1, not {discordance}")
    if not abs(gap) <= discordance:
        raise ValueError(f"gap = {gap} is larger than discordance = {discordance}: only discordant pairs make a gap")
    if not 0 < alpha < 1:
        raise ValueError(f"alpha must be between 0 and 1, such as 0.05, not {alpha}")
    if not 0 < power < 1:
        raise ValueError(f"power must be between 0 and 1, such as 0.8, not {power}")
    if not 0 <= icc <= 1:
        raise ValueError(f"icc must be between 0 and 1, not {icc}; take a negative estimate for 0")


def _check_n(n_questions: int, n_documents: int | None) -> None:
    if not 1 <= n_questions <= MAX_QUESTIONS:
        raise ValueError(f"n_questions must be between 1 and {MAX_QUESTIONS}, not {n_questions}")
    if n_documents is not None and not 1 <= n_documents <= n_questions:
        raise ValueError(f"n_documents must be between 1 and n_questions = {n_questions}, not {n_documents}")


def design_effect(questions_per_document: float, icc: float, size_variation: float = 0.0) -> float:
    """Return by how much sharing documents inflates the variance of a mean over questions.

    Formula: 1 + (m (1 + v^2) - 1) icc, with m the mean number of questions a document and v the standard deviation of
    that number divided by m; m (1 + v^2) is the size of document that the average question is in. Never below 1.

    Reference: Kish (1965), Survey Sampling, section 5.4; Eldridge, Ashby and Kerry (2006), International Journal of
    Epidemiology 35, for documents of unequal size.

    Args:
        questions_per_document: m, 1 or more.
        icc: correlation of the differences of two questions on one document, as ``cluster_correlation`` estimates it.
        size_variation: v, 0 for documents with equally many questions.

    Raises:
        ValueError: questions_per_document is below 1, icc is not between 0 and 1, or size_variation is negative.

    >>> design_effect(270 / 90, 0.1), design_effect(270 / 90, 0.0)
    (1.2, 1.0)
    """
    if questions_per_document < 1:
        raise ValueError(f"questions_per_document must be 1 or more, not {questions_per_document}")
    if not size_variation >= 0:
        raise ValueError(f"size_variation must be 0 or more, not {size_variation}")
    _check(1.0, 0.05, icc)
    return 1 + (questions_per_document * (1 + size_variation**2) - 1) * icc


def _of_study(n_questions: int, n_documents: int | None, icc: float, variation: float) -> tuple[float, int]:
    """Return the design effect and the number of independent questions that these are worth, rounded down."""
    if n_documents is None:
        if icc:
            raise ValueError(f"icc = {icc} needs n_documents: it says how alike questions on one document are")
        return 1.0, n_questions
    effect = design_effect(n_questions / n_documents, icc, variation)
    # The tolerance keeps 270 / 1.0 from becoming 269 by rounding.
    return effect, max(1, math.floor(n_questions / effect + 1e-9))


def _method(effect: float) -> str:
    if effect == 1:
        return _EXACT
    return f"exact McNemar on the questions divided by a design effect of {effect:.3g}: approximate"


def paired_power(
    n_questions: int,
    gap: float,
    discordance: float,
    *,
    n_documents: int | None = None,
    icc: float = 0.0,
    size_variation: float = 0.0,
    alpha: float = 0.05,
) -> PairedPower:
    """Return the power of the two-sided exact McNemar test, summed exactly.

    Formula: sum over d of P(D = d) P(reject | d), with D ~ Binomial(n, discordance) discordant pairs, of which
    B ~ Binomial(d, (1 + gap / discordance) / 2) favour the better arm; the test rejects when its p-value is alpha or
    less, that is 2 P(X <= min(B, d - B)) <= alpha for X ~ Binomial(d, 1/2). Assumes independent questions. With
    ``n_documents`` and ``icc`` it is that of n / design effect independent questions instead, an approximation to a
    test that keeps documents together, and labelled so.

    Reference: Miettinen (1968), Biometrics 24; Connor (1987), Biometrics 43; ``design_effect`` for the clusters.

    Args:
        n_questions: questions answered in both arms.
        gap: difference of the two accuracies, as a share; its sign does not matter.
        discordance: share of questions right in one arm only; the paper's p-values imply 0.106 (Random - HN pooled).
        n_documents: source documents of the questions, None to take questions for independent.
        icc: correlation of the differences of two questions on one document.
        size_variation: as in ``design_effect``.
        alpha: level of the test.

    Raises:
        ValueError: a share is out of range, the gap exceeds the discordance, there are more documents than questions,
            or icc is given without documents.

    >>> round(paired_power(270, 11 / 270, 29 / 270).power, 3), round(paired_power(270, 0, 29 / 270).power, 3)
    (0.461, 0.031)
    >>> study = paired_power(270, 11 / 270, 29 / 270, n_documents=85, icc=0.1)
    >>> study.n_effective, study.approximate
    (221, True)
    """
    _check(discordance, alpha, icc, gap)
    _check_n(n_questions, n_documents)
    effect, n = _of_study(n_questions, n_documents, icc, size_variation)
    return PairedPower(
        power=_power(n, gap, discordance, alpha),
        gap=gap,
        discordance=discordance,
        alpha=alpha,
        n_questions=n_questions,
        n_documents=n_documents,
        icc=icc,
        design_effect=effect,
        n_effective=n,
        approximate=effect != 1,
        method=_method(effect),
        reason="" if discordance else "no discordant pairs are expected: the test never rejects",
    )


# --- What a study can see, and what it would take -----------------------------------------------------------------


def minimal_detectable_gap(
    n_questions: int,
    n_documents: int | None,
    discordance: float,
    *,
    power: float = 0.8,
    icc: float = 0.0,
    size_variation: float = 0.0,
    alpha: float = 0.05,
) -> DetectableGap:
    """Return the smallest gap that a study of this size finds with the given probability.

    Formula: the gap at which ``paired_power`` is ``power``; at a given discordance power rises with the gap, so it is
    found by bisection, to 1e-9. Assumptions and reference as there.

    Args:
        n_questions: questions answered in both arms.
        n_documents: their source documents, None to take questions for independent.
        discordance: share of questions right in one arm only.
        power: the probability wanted.
        icc: as in ``paired_power``.
        size_variation: as in ``design_effect``.
        alpha: level of the test.

    Raises:
        ValueError: as ``paired_power``, or power is not between 0 and 1.

    >>> round(minimal_detectable_gap(270, 85, 0.106).gap, 4)
    0.0575
    >>> minimal_detectable_gap(30, 10, 0.106).reason
    'even with every discordant pair in one direction the power is 0.0914'
    """
    _check(discordance, alpha, icc, power=power)
    _check_n(n_questions, n_documents)
    effect, n = _of_study(n_questions, n_documents, icc, size_variation)
    gap, reason, best = math.nan, "", _power(n, discordance, discordance, alpha)
    if best < power:
        reason = f"even with every discordant pair in one direction the power is {best:.3g}"
    elif _power(n, 0.0, discordance, alpha) >= power:
        gap = 0.0
    else:
        low, gap = 0.0, discordance
        while gap - low > 1e-9:
            middle = (low + gap) / 2
            low, gap = (low, middle) if _power(n, middle, discordance, alpha) >= power else (middle, gap)
    return DetectableGap(
        gap=gap,
        power=power,
        discordance=discordance,
        alpha=alpha,
        n_questions=n_questions,
        n_documents=n_documents,
        icc=icc,
        design_effect=effect,
        n_effective=n,
        approximate=effect != 1,
        method=_method(effect),
        reason=reason,
    )


def _first(limit: int, conditional: FloatArray, discordance: float, power: float) -> int | None:
    """Return the first number of questions up to a limit that has this power, where power never falls with more."""
    if _power_at([limit], conditional, discordance)[0] < power:
        return None
    low, high = 0, limit
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _power_at([middle], conditional, discordance)[0] >= power else (middle, high)
    return high


def _settled(gap: float, discordance: float, power: float, alpha: float, limit: int) -> tuple[int, int] | None:
    """Return the number of independent questions from which power stays, and at which it first is, up to a limit.

    The lowest power at any larger number of discordant pairs never falls as that number grows, and so neither does its
    mean over the number of discordant pairs as questions are added. Where that mean reaches the target, power has
    reached it for good; the true number is found by going down from there. The highest power at any smaller number
    bounds the first in the same way.
    """
    # There is room above the limit's own discordant pairs for the lowest power beyond them.
    reach = math.ceil(limit * discordance + 12 * math.sqrt(limit * discordance) + 200)
    conditional = _conditional_power(reach, _share(gap, discordance), alpha)
    floor: FloatArray = np.minimum.accumulate(conditional[::-1])[::-1]
    stays = _first(limit, floor, discordance, power)
    if stays is None:
        return None
    while stays > 1 and _power_at([stays - 1], conditional, discordance)[0] >= power:
        stays -= 1
    first = _first(stays, np.maximum.accumulate(conditional), discordance, power) or stays
    while _power_at([first], conditional, discordance)[0] < power:
        first += 1
    return stays, first


def questions_to_settle(
    gap: float,
    discordance: float,
    *,
    power: float = 0.8,
    questions_per_document: float | None = None,
    icc: float = 0.0,
    size_variation: float = 0.0,
    alpha: float = 0.05,
) -> QuestionsToSettle:
    """Return how many questions would settle whether there is a gap of this size.

    Formula: the smallest n from which ``paired_power`` is at least ``power`` at n and at every larger number, and the
    first at which it is. An exact test's power goes up and down like the teeth of a saw as questions are added, because
    its size does; a study planned at a lucky n may lose power when one question is dropped. With ``icc`` the number is
    multiplied by the design effect of documents with ``questions_per_document`` questions, and rounded up: an
    approximation. More questions on the same documents are then worth less and less, so that the documents are given,
    too. Assumptions and reference as in ``paired_power``.

    Args:
        gap: difference of the two accuracies, as a share.
        discordance: share of questions right in one arm only.
        power: the probability to find the gap.
        questions_per_document: mean number of questions a document, None to take questions for independent.
        icc: correlation of the differences of two questions on one document.
        size_variation: as in ``design_effect``.
        alpha: level of the test.

    Raises:
        ValueError: as ``paired_power``, or power is not between 0 and 1.

    >>> answer = questions_to_settle(0.035, 0.106)
    >>> answer.n_questions, answer.n_first
    (718, 718)
    >>> questions_to_settle(0.0, 0.106).reason
    'there is no gap to find'
    """
    _check(discordance, alpha, icc, gap, power)
    if questions_per_document is None and icc:
        raise ValueError(f"icc = {icc} needs questions_per_document: it says how alike questions on one document are")
    size = 1.0 if questions_per_document is None else questions_per_document
    effect = design_effect(size, icc, size_variation)
    found, reason = None, "" if gap else "there is no gap to find"
    # The limit is raised step by step, because the tables it needs grow with it.
    limit = 2_000 if gap else 0
    while gap and found is None and limit // 10 < MAX_QUESTIONS:
        found = _settled(gap, discordance, power, alpha, min(limit, MAX_QUESTIONS))
        limit *= 10
    stays = first = documents = None
    if found is not None:
        stays, first = (math.ceil(n * effect - 1e-9) for n in found)
        documents = None if questions_per_document is None else math.ceil(stays / questions_per_document - 1e-9)
    elif gap:
        reason = f"it takes more than {MAX_QUESTIONS} independent questions"
    return QuestionsToSettle(
        n_questions=stays,
        n_first=first,
        n_documents=documents,
        gap=gap,
        power=power,
        discordance=discordance,
        alpha=alpha,
        questions_per_document=size,
        icc=icc,
        design_effect=effect,
        approximate=effect != 1,
        method=_method(effect),
        reason=reason,
    )
