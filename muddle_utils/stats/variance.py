"""Where the variance of outcomes lies: between questions, between runs, between judges; and what more of each buys.

Components are estimated by the method of moments: sums of squares of the cell means of every factor and combination of
factors are set equal to their expectations, which are linear in the components. In a complete design this is analysis
of variance; with values missing it stays unbiased, as long as what is missing has nothing to do with the outcomes.
Nothing is taken to be normal. An estimate can come out negative: it is kept, and flagged where it is cut at 0.
"""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from muddle_utils.stats.arrays import FloatArray, IntArray, Reason, cluster_index, outcomes, refuse_infinite

FACTORS: Final = ("question", "run", "judge")
# Fewer levels than this say little about the variance between all there could be.
_FEW_LEVELS: Final = 4
_ALL_THE_SAME: Final = Reason("every value is the same", "no variance to divide")


@dataclass(frozen=True)
class ReplicateVariance:
    """Variance components of ``n_values`` outcomes of ``n_questions`` questions, each asked in several runs.

    ``mean`` counts every question once. ``between_run`` is the variance of one question's outcomes between runs,
    ``between_question`` that of the questions' expected outcomes; ``se_between_run`` and ``se_between_question`` are
    what each contributes to the standard error of ``mean``, in its units, to be added as squares. ``clamped`` says
    that the estimate of ``between_question`` was negative and is given as 0. ``accuracies`` are the means of the runs
    over the questions that each answered, with their numbers in ``n_by_replicate`` and their variance in
    ``variance_of_accuracies``. ``n_questions_left_out`` questions have no value; ``n_missing`` values are NaN in all.
    """

    mean: float | None
    between_run: float | None
    between_question: float | None
    se_between_run: float | None
    se_between_question: float | None
    icc: float | None
    clamped: bool
    n0: float | None
    accuracies: tuple[float | None, ...]
    n_by_replicate: tuple[int, ...]
    variance_of_accuracies: float | None
    n_questions: int
    n_values: int
    n_questions_left_out: int
    n_missing: int
    reason: str = ""


@dataclass(frozen=True)
class Component:
    """One variance component, of a factor or of a combination of factors with ``n_levels`` levels.

    ``estimate`` may be negative; ``variance`` is then 0 and ``cut`` says so. ``share`` is of the sum of all variances.
    ``standard_error`` is what the component contributes to that of the mean, to be added as squares. All are NaN where
    ``reason`` says why.
    """

    name: str
    estimate: float
    variance: float
    cut: bool
    share: float
    standard_error: float
    n_levels: int
    reason: str = ""


@dataclass(frozen=True)
class CrossedVariance:
    """Variance components of ``n`` outcomes of questions, each in several runs, each read by several judges.

    ``mean`` counts every question once. ``se_question``, ``se_run`` and ``se_judge`` are the parts of its
    ``standard_error``, to be added as squares. The part of runs is that of every component with a run but no judge,
    the part of judges that of every component with a judge. The last component is the interaction of all factors
    together with chance. NaN where ``reason`` says why, as where every value is the same, or where ``notes`` say what
    cannot be told.
    """

    mean: float
    standard_error: float
    se_question: float
    se_run: float
    se_judge: float
    components: tuple[Component, ...]
    n: int
    n_missing: int
    n_questions: int
    n_runs: int
    n_judges: int
    method: str
    notes: tuple[str, ...]
    reason: str = ""


@dataclass(frozen=True)
class DesignOption:
    """The standard error that the mean would have in a complete design of this size, and its ratio to today's."""

    name: str
    n_questions: int
    n_runs: int
    n_judges: int
    standard_error: float
    ratio: float
    reason: str = ""


@dataclass(frozen=True)
class ClusterCorrelation:
    """How alike two values of one cluster are: the intraclass correlation of ``n`` values in ``n_clusters`` clusters.

    ``estimate`` may be negative; ``icc`` is then 0 and ``cut`` says so. ``mean_size`` is n / n_clusters and
    ``size_variation`` the standard deviation of the sizes divided by it, as ``power.design_effect`` takes them.
    """

    icc: float
    estimate: float
    cut: bool
    n: int
    n_missing: int
    n_clusters: int
    mean_size: float
    size_variation: float
    method: str
    reason: str = ""


# --- The method of moments ----------------------------------------------------------------------------------------


Term = tuple[int, ...]


def _others(term: Term, n_axes: int) -> Term:
    return tuple(axis for axis in range(n_axes) if axis not in term)


def _moments(values: FloatArray, terms: Sequence[Term]) -> FloatArray | None:
    """Return the components of these combinations of axes, the last of all axes; None if they cannot be told apart.

    With n_s and t_s the number and total of the values in cell s of term S, T_S = sum_s t_s^2 / n_s has expectation
    N mu^2 + sum over terms U of v_U sum over cells of S and U together of n_su^2 / n_s. Taking T of no factor from
    each leaves as many equations as components.
    """
    known = ~np.isnan(values)
    # Measured from one of the values, equal outcomes are exactly 0 and leave no variance by rounding.
    centred, counts = np.where(known, values - values[known][0], 0.0), known.astype(np.float64)
    axes = values.ndim
    squares, expected = [], []
    for term in ((), *terms):
        n = counts.sum(axis=_others(term, axes), keepdims=True)
        total = centred.sum(axis=_others(term, axes), keepdims=True)
        weight = np.divide(1.0, n, out=np.zeros_like(n), where=n > 0)
        squares.append(float((total * total * weight).sum()))
        joint = [counts.sum(axis=_others(tuple({*term, *other}), axes), keepdims=True) for other in terms]
        expected.append([float((cells * cells * weight).sum()) for cells in joint])
    system = np.array(expected[1:]) - np.array(expected[0])
    scaled = system / np.abs(system).max(axis=0, initial=1e-300)
    if np.linalg.matrix_rank(scaled, tol=1e-9) < len(terms):
        return None
    components = np.linalg.solve(system, np.array(squares[1:]) - squares[0])
    # What is left of a component of 0 by rounding is set to 0, so that it is not called negative.
    scale = squares[-1] / float(counts.sum())
    components[np.abs(components) <= 1e-12 * scale] = 0.0
    return np.asarray(components, dtype=np.float64)


def _mean_weights(known: NDArray[np.bool_]) -> FloatArray:
    """Return the weight of each value in the mean that counts every question, the first axis, once."""
    own = known.sum(axis=tuple(range(1, known.ndim)), keepdims=True)
    return np.asarray(known / np.maximum(own, 1) / max(1, int((own > 0).sum())), dtype=np.float64)


def _variance_of_mean(weights: FloatArray, term: Term) -> float:
    """Return by how much a component of 1 enters the variance of the weighted mean: sum over cells of weight^2."""
    cells = weights.sum(axis=_others(term, weights.ndim))
    return float((cells * cells).sum())


# --- Questions and runs -------------------------------------------------------------------------------------------


def _column_means(values: FloatArray) -> tuple[list[float | None], IntArray]:
    """Return mean and count of each column's values, None for a column without any."""
    n = (~np.isnan(values)).sum(axis=0)
    sums = np.nansum(values, axis=0)
    return [float(total / count) if count else None for total, count in zip(sums, n, strict=True)], n


def _why_no_components(n_questions: int, n_values: int) -> str:
    if n_values == 0:
        return "no values"
    if n_values == n_questions:
        return "no question has two runs: the variance between runs is unknown"
    if n_questions == 1:
        return "one question: the variance between questions is unknown"
    return ""


def _table(values: ArrayLike, shape: str, n_axes: int) -> FloatArray:
    table = np.asarray(values, dtype=np.float64)
    if table.ndim != n_axes:
        raise ValueError(f"values must have shape ({shape}), not {table.shape}")
    refuse_infinite(table, "values")
    return table


def replicate_variance(values: ArrayLike) -> ReplicateVariance:
    """Return how much of the variance of outcomes lies between runs of a question and how much between questions.

    Formula: the one-way random-effects model y_ij = mu + q_i + e_ij, question i with n_i runs, by the method of
    moments. With a questions, N = sum n_i values and the grand mean over all values,
    MSW = sum_ij (y_ij - mean_i)^2 / (N - a), MSB = sum_i n_i (mean_i - mean)^2 / (a - 1) and
    n0 = (N - sum_i n_i^2 / N) / (a - 1): between_run = MSW, between_question = (MSB - MSW) / n0, taken for 0 when
    negative (``clamped``), and icc = between_question / (between_question + between_run). In a balanced design n0 is
    the number of runs. The mean reported counts each question once, (1/a) sum_i mean_i, so that its standard error
    has the parts sqrt(between_question / a) and sqrt(between_run sum_i 1/n_i) / a. Only the second shrinks with more
    runs. Assumes independent questions and runs that differ by chance alone; a run that is better throughout shows
    in ``variance_of_accuracies`` (with ddof 1), which without missing values is otherwise about between_run / a, and
    in ``crossed_variance``.

    Reference: Searle, Casella and McCulloch (1992), Variance Components, chapter 3.

    Args:
        values: shape (questions, replicates), 0 or 1 or a score, NaN where a question was not answered or judged.

    Raises:
        ValueError: values are not two-dimensional, or one is infinite.

    >>> result = replicate_variance([[1, 1], [0, 1], [0, 0]])  # MSW = 1/6, MSB = 1/2
    >>> round(result.between_run, 4), round(result.between_question, 4), round(result.icc, 4), result.accuracies[0]
    (0.1667, 0.1667, 0.5, 0.3333333333333333)
    >>> replicate_variance([[1], [0]]).reason
    'no question has two runs: the variance between runs is unknown'
    """
    table = _table(values, "questions, replicates", 2)
    accuracies, n_by_replicate = _column_means(table)
    known = [accuracy for accuracy in accuracies if accuracy is not None]
    answered = ~np.isnan(table).all(axis=1)
    kept = table[answered]
    means, n_runs = _column_means(kept.T)
    a, n = len(kept), int(n_runs.sum())
    result = ReplicateVariance(
        mean=float(np.array(means, dtype=np.float64).mean()) if a else None,
        between_run=None,
        between_question=None,
        se_between_run=None,
        se_between_question=None,
        icc=None,
        clamped=False,
        n0=None,
        accuracies=tuple(accuracies),
        n_by_replicate=tuple(int(count) for count in n_by_replicate),
        variance_of_accuracies=float(np.var(known, ddof=1)) if len(known) > 1 else None,
        n_questions=a,
        n_values=n,
        n_questions_left_out=int((~answered).sum()),
        n_missing=int(np.isnan(table).sum()),
        reason=_why_no_components(a, n),
    )
    return _with_components(result, kept, n_runs) if n > a else result


def _with_components(result: ReplicateVariance, kept: FloatArray, n_runs: IntArray) -> ReplicateVariance:
    """Return the result with its components, from questions that have a value, at least one of them two."""
    a, n = result.n_questions, result.n_values
    if np.nanmin(kept) == np.nanmax(kept):
        return replace(result, reason=result.reason or _ALL_THE_SAME)
    found = _moments(kept, ((0,), (0, 1)) if a > 1 else ((0, 1),))
    if found is None:  # cannot be: a question with two runs and a second question are all that it takes
        return replace(result, reason="the components cannot be told apart")
    weights, between_run = _mean_weights(~np.isnan(kept)), float(found[-1])
    result = replace(
        result,
        between_run=between_run,
        se_between_run=math.sqrt(between_run * _variance_of_mean(weights, (0, 1))),
    )
    if a == 1:
        return result
    between_question = max(0.0, float(found[0]))
    total = between_question + between_run
    return replace(
        result,
        between_question=between_question,
        se_between_question=math.sqrt(between_question * _variance_of_mean(weights, (0,))),
        icc=between_question / total,
        clamped=bool(found[0] < 0),
        n0=(n - float((n_runs**2).sum()) / n) / (a - 1),
    )


# --- Questions in documents ---------------------------------------------------------------------------------------


def cluster_correlation(values: ArrayLike, clusters: Sequence[object] | NDArray[np.generic]) -> ClusterCorrelation:
    """Return the intraclass correlation of the values of one cluster, for design effects and power.

    Formula: the one-way random-effects model of ``replicate_variance``, a cluster for a question and its values for
    runs: icc = between / (between + within), negative estimates cut at 0. Give each question's paired difference and
    its document. With a few dozen documents of a few questions its error is large, some 0.1: try a range of it.

    Reference: Donner (1986), International Statistical Review 54.

    Args:
        values: shape (questions,), NaN where there is none.
        clusters: shape (questions,), labels.

    Raises:
        ValueError: shapes differ, a label is missing, or a value is infinite.

    >>> alike = cluster_correlation([1, 1, 0, 0, 1, 0], ["a", "a", "b", "b", "c", "c"])  # MSB = 1/2, MSW = 1/6
    >>> round(alike.icc, 4), alike.mean_size, alike.size_variation
    (0.5, 2.0, 0.0)
    """
    column = outcomes(values, "values")
    known = ~np.isnan(column)
    index, n_clusters = cluster_index(clusters, known, "values")
    kept, index = column[known], index[known]
    sizes = np.bincount(index, minlength=n_clusters)
    order = np.argsort(index, kind="stable")
    place = np.arange(len(kept)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    table = np.full((n_clusters, int(sizes.max(initial=0))), math.nan)
    table[index[order], place] = kept[order]
    return _correlation(table, sizes, len(column) - len(kept))


def _correlation(table: FloatArray, sizes: IntArray, n_missing: int) -> ClusterCorrelation:
    n, a = int(sizes.sum()), len(sizes)
    reason = ""
    if n == 0:
        reason = "no values"
    elif a == 1:
        reason = Reason("one {unit}", "the variance between clusters is unknown", "cluster")
    elif n == a:
        reason = Reason("one value a {unit}", "the variance within clusters is unknown", "cluster")
    found = None if reason else _moments(table, ((0,), (0, 1)))
    total = 0.0 if found is None else float(found.sum())
    if not reason and not total > 0:
        reason = _ALL_THE_SAME
    estimate = math.nan if reason or found is None else float(found[0]) / total
    mean_size = n / a if a else math.nan
    return ClusterCorrelation(
        icc=max(0.0, estimate) if not reason else math.nan,
        estimate=estimate,
        cut=estimate < 0,
        n=n,
        n_missing=n_missing,
        n_clusters=a,
        mean_size=mean_size,
        size_variation=float(np.std(sizes)) / mean_size if a else math.nan,
        method="one-way analysis of variance",
        reason=reason,
    )


# --- Questions, runs and judges -----------------------------------------------------------------------------------


class _Crossed(NamedTuple):
    """The values without empty levels, and the combinations of the factors that have two levels or more."""

    values: FloatArray
    sizes: dict[str, int]
    terms: dict[str, Term]


def _crossed(table: FloatArray) -> _Crossed:
    known = ~np.isnan(table)
    for axis in range(3):
        present = known.any(axis=_others((axis,), 3))
        table, known = np.compress(present, table, axis=axis), np.compress(present, known, axis=axis)
    sizes = dict(zip(FACTORS, table.shape, strict=True))
    varying = [axis for axis in range(3) if table.shape[axis] > 1]
    terms = [term for size in range(1, len(varying) + 1) for term in itertools.combinations(varying, size)]
    names = {" × ".join(FACTORS[axis] for axis in term): term for term in terms}
    if len(varying) > 1:
        names = {**dict(list(names.items())[:-1]), "residual": terms[-1]}
    return _Crossed(table, sizes, names)


def _why_not_crossed(crossed: _Crossed) -> str:
    if not crossed.values.size:
        return "no values"
    if crossed.sizes["question"] == 1:
        return "one question: the variance between questions is unknown"
    return ""


def _notes(crossed: _Crossed) -> list[str]:
    notes = []
    for factor in ("run", "judge"):
        n = crossed.sizes[factor]
        if n == 1:
            notes.append(f"one {factor}: its variance is unknown and stands in the other components")
        elif n < _FEW_LEVELS:
            freedom = f"{n - 1} degree{'s' if n > 2 else ''} of freedom"
            notes.append(f"{n} {factor}s: the variance between {factor}s rests on {freedom}")
    return notes


def _part(components: Sequence[Component], terms: dict[str, Term], axis: int) -> float:
    """Return the standard error from the components whose last factor is this one, NaN if there is none."""
    own = [component.standard_error for component in components if terms[component.name][-1] == axis]
    return math.hypot(*own) if own else math.nan


def crossed_variance(values: ArrayLike) -> CrossedVariance:
    """Return how much of the variance of outcomes lies between questions, runs and judges and in what they share.

    Formula: y_qrj = mu + q + r + j + (qr) + (qj) + (rj) + e, all random and independent; components by the method of
    moments (Henderson's first), which in a complete design are those of the analysis of variance. A factor with one
    level is left out with all that contains it. The mean counts each question once, and its standard error is the
    square root of the sum over components of v_U times the sum over the cells of U of their squared weight: v_q / Q,
    v_r / R, v_qr / (QR) and so on in a complete design. ``se_judge`` is the error from having asked these judges and no
    others; without it the standard error is for judges given. Assumes that runs and judges are draws from those there
    could be, that run 1 of one question has something in common with run 1 of another (where it has not, v_r is 0 but
    for chance), independent questions, and values missing by chance. Questions that share documents are less
    independent than that: the standard error clustered by document is then the larger one.

    Reference: Searle, Casella and McCulloch (1992), Variance Components, chapter 5; Brennan (2001), Generalizability
    Theory, chapter 3.

    Args:
        values: shape (questions, runs, judges), 0 or 1 or a score, NaN where there is no verdict.

    Raises:
        ValueError: values are not three-dimensional, or one is infinite.

    >>> result = crossed_variance([[[1, 1], [1, 0]], [[0, 0], [0, 1]], [[1, 1], [1, 1]]])
    >>> [(c.name, round(c.estimate, 3)) for c in result.components if c.name in ("question", "judge", "residual")]
    [('question', 0.083), ('judge', 0.0), ('residual', 0.25)]
    >>> result.mean, result.n, round(result.standard_error, 3), round(result.se_question, 3)
    (0.6666666666666666, 12, 0.22, 0.167)
    """
    table = _table(values, "questions, runs, judges", 3)
    crossed = _crossed(table)
    reason = _why_not_crossed(crossed)
    known = ~np.isnan(crossed.values)
    weights = _mean_weights(known)
    found = None if reason else _moments(crossed.values, tuple(crossed.terms.values()))
    if not reason and found is None:
        reason = "too much is missing to tell the components apart"
    elif found is not None and not found.any():
        # No more than an accuracy of 1 has a standard error of 0.
        found, reason = None, _ALL_THE_SAME
    components = _components(crossed, weights, found, reason)
    parts = [_part(components, crossed.terms, axis) for axis in range(3)]
    standard_error = math.nan if reason else math.hypot(*(part for part in parts if not math.isnan(part)))
    notes = [] if reason else _notes(crossed)
    notes += [f"the variance of {c.name} is estimated as {c.estimate:.3g} and cut at 0" for c in components if c.cut]
    notes += [
        f"the part of the {factor}s is estimated as 0, which does not show that they do not matter"
        for factor, part in zip(FACTORS, parts, strict=True)
        if part == 0
    ]
    return CrossedVariance(
        mean=float((weights[known] * crossed.values[known]).sum()) if known.any() else math.nan,
        standard_error=standard_error,
        se_question=parts[0],
        se_run=parts[1],
        se_judge=parts[2],
        components=components,
        n=int(known.sum()),
        n_missing=int(np.isnan(table).sum()),
        n_questions=crossed.sizes["question"],
        n_runs=crossed.sizes["run"],
        n_judges=crossed.sizes["judge"],
        method="method of moments, questions, runs and judges random",
        notes=tuple(notes),
        reason=reason,
    )


def _components(crossed: _Crossed, weights: FloatArray, found: FloatArray | None, reason: str) -> tuple[Component, ...]:
    estimates = np.full(len(crossed.terms), math.nan) if found is None else found
    total = float(np.maximum(estimates, 0).sum())
    components = []
    for (name, term), estimate in zip(crossed.terms.items(), estimates.tolist(), strict=True):
        variance = max(0.0, estimate) if found is not None else math.nan
        components.append(
            Component(
                name=name,
                estimate=estimate,
                variance=variance,
                cut=estimate < 0,
                share=variance / total if total > 0 else math.nan,
                standard_error=math.sqrt(variance * _variance_of_mean(weights, term)),
                n_levels=math.prod(crossed.values.shape[axis] for axis in term),
                reason=reason,
            )
        )
    return tuple(components)


def projected_error(result: CrossedVariance, n_questions: int, n_runs: int, n_judges: int) -> float:
    """Return the standard error that the mean would have in a complete design of this size.

    Formula: the square root of the sum over components of v_U divided by the number of cells of U. A factor that had
    one level has no component, so that more of it shrinks nothing that is known: the result is then NaN.

    Raises:
        ValueError: a number is below 1.

    >>> result = crossed_variance([[[1, 1], [1, 0]], [[0, 0], [0, 1]], [[1, 1], [1, 1]]])
    >>> round(projected_error(result, 3, 2, 2), 3), round(projected_error(result, 30, 2, 2), 3)
    (0.22, 0.07)
    """
    wanted = dict(zip(FACTORS, (n_questions, n_runs, n_judges), strict=True))
    if min(wanted.values()) < 1:
        raise ValueError(f"n_questions, n_runs and n_judges must be 1 or more, not {n_questions}, {n_runs}, {n_judges}")
    now = dict(zip(FACTORS, (result.n_questions, result.n_runs, result.n_judges), strict=True))
    if result.reason or any(now[factor] == 1 and wanted[factor] > 1 for factor in FACTORS):
        return math.nan
    varying = [factor for factor in FACTORS if now[factor] > 1]
    total = 0.0
    for component in result.components:
        factors = varying if component.name == "residual" else component.name.split(" × ")
        total += component.variance / math.prod(wanted[factor] for factor in factors)
    return math.sqrt(total)


def design_options(result: CrossedVariance) -> tuple[DesignOption, ...]:
    """Return what twice the questions, one more or twice the runs, one more or twice the judges would buy.

    The first option is a complete design of today's size, which the others' ``ratio`` refers to. A factor with one
    level is unknown, and what more of it would buy is NaN with its reason.

    >>> result = crossed_variance([[[1, 1], [1, 0]], [[0, 0], [0, 1]], [[1, 1], [1, 1]]])
    >>> [(option.name, round(option.ratio, 2)) for option in design_options(result)][:3]
    [('as it is', 1.0), ('twice the questions', 0.71), ('one more run', 0.93)]
    """
    q, r, j = result.n_questions, result.n_runs, result.n_judges
    sizes = {
        "as it is": (q, r, j),
        "twice the questions": (2 * q, r, j),
        "one more run": (q, r + 1, j),
        "twice the runs": (q, 2 * r, j),
        "one more judge": (q, r, j + 1),
        "twice the judges": (q, r, 2 * j),
    }
    options = []
    today = math.nan if result.reason else projected_error(result, q, r, j)
    for name, size in sizes.items():
        error = math.nan if result.reason else projected_error(result, *size)
        reason = result.reason
        if not reason and math.isnan(error):
            reason = f"one {'run' if size[1] > r else 'judge'}: what more would buy is unknown"
        options.append(DesignOption(name, *size, error, error / today if today > 0 else math.nan, reason))
    return tuple(options)
