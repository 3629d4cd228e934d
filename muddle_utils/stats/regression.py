"""Was it the length or the topic: outcomes explained by condition, log tokens and their interaction.

Hard-negative prompts can be longer than the random ones they are compared with, so that a raw gap holds some effect of
length. The models here compare conditions at equal log tokens. Rows are answers of one model in one modality: give each
model and modality apart. Condition dummies are relative to a reference condition, log tokens are centred on their mean
over the rows used, and every condition may have a slope of its own.

What the rows cannot tell is found before anything is fitted: a condition that is all right or all wrong is left out, a
slope that has no variation of tokens to rest on is dropped, and both are said in ``notes``.
"""

import math
import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from muddle_utils.stats.arrays import FloatArray, IntArray, Reason, check_level, t_above, t_quantile
from muddle_utils.stats.arrays import outcomes as floats

Labels = Sequence[object] | NDArray[np.generic]
Contrasts = Sequence[tuple[str, str]]

LOG_TOKENS: Final = "log tokens"
INTERCEPT: Final = "intercept"
# A linear predictor beyond this is a probability of 0 or 1 to seven digits: separation in all but name.
_EXTREME: Final = 16.0
# Below this share of prompts within the other arm's range of lengths, a comparison at equal length extrapolates.
_LITTLE_OVERLAP: Final = 0.1


@dataclass(frozen=True)
class Coefficient:
    """One fixed effect, on the scale of the model (log odds, or probability); NaN where ``reason`` says why."""

    term: str
    estimate: float
    standard_error: float
    low: float
    high: float
    p_value: float
    reason: str = ""


@dataclass(frozen=True)
class MarginalEffect:
    """An average effect in percentage points over ``n`` rows, NaN where ``reason`` says why.

    ``unadjusted`` is the same contrast without regard to length, the difference of the two conditions' means over
    these rows; it is NaN for the effect of length itself.
    """

    name: str
    estimate: float
    standard_error: float
    low: float
    high: float
    p_value: float
    unadjusted: float
    n: int
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class LengthModel:
    """What every model here says: ``n`` rows of ``n_questions`` questions in ``n_clusters`` documents were used.

    ``n_missing`` rows have no outcome or no tokens; ``n_left_out`` have both but are of a condition left out. Where
    ``reason`` says why no model applies, the coefficients are empty or NaN.
    """

    coefficients: tuple[Coefficient, ...]
    effects: tuple[MarginalEffect, ...]
    converged: bool
    level: float
    n: int
    n_missing: int
    n_left_out: int
    n_questions: int
    n_clusters: int
    reference: str
    mean_log_tokens: float
    method: str
    notes: tuple[str, ...]
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class LogitGee(LengthModel):
    """A logit GEE; ``working_correlation`` is that between two rows of a document.

    ``degrees_of_freedom`` are those of the t distribution behind intervals and p-values.
    """

    working_correlation: float
    covariance: str
    degrees_of_freedom: int


# --- The rows and what they can tell ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Design:
    """The rows used, sorted by document, question and condition, and the design matrix that they support.

    ``asked`` are all conditions, ``levels`` those that have a row here; the first of each is what the dummies are
    relative to, asked for and used. ``slope_of`` is the condition that slopes are relative to, empty for none.
    ``terms`` name the columns of ``matrix``; ``absent`` gives the reason of every term that has none, ``left_out`` that
    of every condition without a row. ``log_tokens`` are centred on ``centre``; questions and documents are numbered
    from 0. ``reason`` says why no model can be fitted at all.
    """

    outcomes: FloatArray
    log_tokens: FloatArray
    conditions: NDArray[np.str_]
    questions: IntArray
    documents: IntArray
    n_questions: int
    n_documents: int
    n_missing: int
    n_left_out: int
    asked: tuple[str, ...]
    levels: tuple[str, ...]
    slope_of: str
    centre: float
    terms: tuple[str, ...]
    matrix: FloatArray
    absent: Mapping[str, str]
    left_out: Mapping[str, str]
    notes: tuple[str, ...]
    reason: str = ""

    def rows_as(self, level: str, log_tokens: FloatArray) -> FloatArray:
        """Return the design rows that answers with these centred log tokens would have in condition ``level``."""
        return _design_rows(self.terms, level, log_tokens)

    def slopes(self) -> FloatArray:
        """Return the derivative of the design rows by log tokens."""
        rows = np.zeros_like(self.matrix)
        for level in self.levels:
            rows[self.conditions == level] = [float(term in (LOG_TOKENS, slope_term(level))) for term in self.terms]
        return rows


def slope_term(level: str) -> str:
    """Return the name of the interaction of log tokens with a condition."""
    return f"{LOG_TOKENS} × {level}"


def _design_rows(terms: Sequence[str], level: str, log_tokens: FloatArray) -> FloatArray:
    rows = np.zeros((len(log_tokens), len(terms)))
    for i, term in enumerate(terms):
        if term in (INTERCEPT, level):
            rows[:, i] = 1
        elif term in (LOG_TOKENS, slope_term(level)):
            rows[:, i] = log_tokens
    return rows


@dataclass(frozen=True)
class _Rows:
    outcomes: FloatArray
    log_tokens: FloatArray
    conditions: NDArray[np.str_]
    questions: NDArray[np.str_]
    documents: NDArray[np.str_]

    def __len__(self) -> int:
        return len(self.outcomes)

    def where(self, kept: NDArray[np.bool_] | NDArray[np.intp]) -> "_Rows":
        return _Rows(*(column[kept] for column in vars(self).values()))

    def of(self, level: str) -> "_Rows":
        return self.where(self.conditions == level)


def _labels(values: Labels, name: str, n: int) -> NDArray[np.str_]:
    if len(values) != n:
        raise ValueError(f"{name} must hold one label a row, not {len(values)} for {n} rows")
    labels = np.array([str(value) for value in values], dtype=np.str_)
    # The strings are how None, NaN, NaT and pandas' NA print.
    hollow = np.flatnonzero(np.isin(labels, ["", "None", "nan", "NaT", "<NA>"]))
    if len(hollow):
        raise ValueError(f"{name} must hold one label a row: row {hollow[0]} has {values[hollow[0]]!r}")
    return labels


def _sorted_rows(
    outcomes: ArrayLike, log_tokens: ArrayLike, conditions: Labels, questions: Labels, documents: Labels
) -> _Rows:
    y, x = floats(outcomes, "outcomes"), floats(log_tokens, "log_tokens")
    if len(x) != len(y):
        raise ValueError(f"log_tokens must hold one value a row, not {len(x)} for {len(y)} rows")
    rows = _Rows(
        y,
        x,
        _labels(conditions, "conditions", len(y)),
        _labels(questions, "questions", len(y)),
        _labels(documents, "documents", len(y)),
    )
    _refuse_repeats(rows)
    return rows.where(np.lexsort((rows.conditions, rows.questions, rows.documents)))


def _refuse_repeats(rows: _Rows) -> None:
    pairs = Counter(zip(rows.questions.tolist(), rows.conditions.tolist(), strict=True))
    for (question, condition), times in pairs.items():
        if times > 1:
            raise ValueError(
                f"question {question} has {times} rows in condition {condition}: "
                "give each model, modality and run apart"
            )
    document_of: dict[str, str] = {}
    for question, document in zip(rows.questions.tolist(), rows.documents.tolist(), strict=True):
        if document_of.setdefault(question, document) != document:
            raise ValueError(f"question {question} is in two documents, {document_of[question]} and {document}")


def _refuse_scores(values: FloatArray) -> None:
    wrong = values[(values != 0) & (values != 1)]
    if len(wrong):
        raise ValueError(f"outcomes must be 0 or 1 in a logit model, not {wrong[0]}")


def _varies(values: FloatArray) -> bool:
    return len(values) > 1 and bool(np.ptp(values) > 1e-9 * (1 + np.abs(values).max()))


def _parted(rows: _Rows) -> tuple[bool, bool]:
    """Return whether the right answers all have at least as many tokens as the wrong ones, and whether at most."""
    right, wrong = rows.log_tokens[rows.outcomes == 1], rows.log_tokens[rows.outcomes == 0]
    return bool(right.min() >= wrong.max()), bool(right.max() <= wrong.min())


def _why_left_out(rows: _Rows, known: _Rows, level: str, logit: bool) -> str:
    values = known.of(level).outcomes
    if not len(values):
        return f"no {'answer' if np.isnan(rows.of(level).outcomes).all() else 'tokens known'} of {level}"
    if logit and values.min() == values.max():
        return f"every answer of {level} is {'right' if values[0] else 'wrong'}"
    return ""


def _why_no_slope(rows: _Rows, level: str, logit: bool) -> str:
    own = rows.of(level)
    if not _varies(own.log_tokens):
        return f"tokens do not vary within {level}"
    if logit and any(_parted(own)):
        return f"tokens part all right from all wrong answers of {level}"
    return ""


def _one_slope(rows: _Rows, levels: Sequence[str], logit: bool) -> bool:
    """Return whether one slope for all conditions can be estimated."""
    if not any(_varies(rows.of(level).log_tokens) for level in levels):
        return False
    # One slope parts all answers if it parts those of every condition, on the same side.
    sides = [_parted(rows.of(level)) for level in levels] if logit else [(False, False)]
    return not (all(above for above, _ in sides) or all(below for _, below in sides))


def _slopes(rows: _Rows, levels: Sequence[str], logit: bool, interaction: bool) -> tuple[str, dict[str, str]]:
    """Return the condition that slopes are relative to, empty for none, and why others have none of their own."""
    if not interaction:
        if _one_slope(rows, levels, logit):
            return levels[0], {}
        return "", dict.fromkeys(levels, "no slope of log tokens can be told in any condition")
    flat = {level: _why_no_slope(rows, level, logit) for level in levels}
    return next((level for level in levels if not flat[level]), ""), {k: why for k, why in flat.items() if why}


def _why_no_slopes(rows: _Rows, flat: Mapping[str, str], interaction: bool) -> str:
    if flat and interaction and not any(_varies(rows.of(level).log_tokens) for level in flat):
        return "tokens do not vary within any condition"
    return "; ".join(dict.fromkeys(flat.values())) or "no condition is left"


def _little_overlap(log_tokens: FloatArray, conditions: NDArray[np.str_], of: str, within: str) -> bool:
    own, other = log_tokens[conditions == of], log_tokens[conditions == within]
    return bool(np.mean((own >= other.min()) & (own <= other.max())) < _LITTLE_OVERLAP)


def _notes_on_conditions(asked: Sequence[str], levels: Sequence[str], left_out: Mapping[str, str]) -> list[str]:
    notes = [f"{level} is left out: {why}" for level, why in left_out.items()]
    if asked[0] in left_out:
        notes.append(f"conditions are relative to {levels[0]}, since {asked[0]} is left out")
    return notes


def _notes_on_slopes(
    rows: _Rows, levels: Sequence[str], slope_of: str, flat: Mapping[str, str], no_slopes: str
) -> list[str]:
    if not slope_of:
        return [f"all terms of log tokens are dropped, so that nothing is adjusted for length: {no_slopes}"]
    notes = []
    if slope_of != levels[0]:
        notes.append(f"slopes are relative to {slope_of}: {flat[levels[0]]}")
    notes += [
        f"{slope_term(level)} is dropped, {level} takes the slope of {slope_of}: {why}"
        for level, why in flat.items()
        if level != levels[0]
    ]
    far = [level for level in levels[1:] if _little_overlap(rows.log_tokens, rows.conditions, level, levels[0])]
    if far:
        notes.append(
            f"fewer than one in ten prompts of {', '.join(far)} have a length found in {levels[0]}: "
            f"their coefficients, relative to {levels[0]} at equal length, extrapolate"
        )
    return notes


def _why_no_model(known: _Rows, rows: _Rows, levels: Sequence[str], left_out: Mapping[str, str], n_terms: int) -> str:
    if not len(known):
        return "no answer whose outcome and tokens are known"
    if not _varies(known.outcomes):
        return f"every outcome is {known.outcomes[0]:g}"
    if len(levels) < 2:
        # What was left out explains why nothing is left to compare.
        why = "; ".join(left_out.values())
        return Reason("one condition is left", why or f"every row is of {levels[0]}") if levels else why
    if len(np.unique(rows.documents)) == 1:
        return Reason("one source document", "it shows no variation between documents")
    if len(rows) <= n_terms:
        return f"{len(rows)} rows are too few for {n_terms} coefficients"
    return ""


def length_design(
    outcomes: ArrayLike,
    log_tokens: ArrayLike,
    conditions: Labels,
    questions: Labels,
    documents: Labels,
    *,
    reference: str,
    interaction: bool,
    logit: bool,
) -> Design:
    """Return the rows that can be used and the design matrix that they support.

    A condition without an answer is left out, and with ``logit`` one whose answers are all right or all wrong, because
    its log odds are infinite. A condition has a slope of its own if tokens vary within it and, with ``logit``, do not
    part its right from its wrong answers; otherwise it shares that of the reference. If the reference has none, slopes
    are relative to the first condition that has one.

    Raises:
        ValueError: as ``logit_gee``.
    """
    rows = _sorted_rows(outcomes, log_tokens, conditions, questions, documents)
    names = [str(level) for level in np.unique(rows.conditions)]
    if reference not in names:
        raise ValueError(
            f"reference {reference!r} is not among the conditions: {', '.join(names) or 'there is no row'}"
        )
    asked = (reference, *(level for level in names if level != reference))
    known = rows.where(~np.isnan(rows.outcomes) & ~np.isnan(rows.log_tokens))
    if logit:
        _refuse_scores(known.outcomes)
    reasons = {level: _why_left_out(rows, known, level, logit) for level in asked}
    left_out = {level: why for level, why in reasons.items() if why}
    levels = tuple(level for level in asked if level not in left_out)
    used = known.where(np.isin(known.conditions, levels))
    slope_of, flat = _slopes(used, levels, logit, interaction) if levels else ("", {})
    no_slopes = _why_no_slopes(used, flat, interaction)
    own = [level for level in levels if interaction and slope_of not in ("", level) and level not in flat]
    terms = (INTERCEPT, *levels[1:], *((LOG_TOKENS,) if slope_of else ()), *(slope_term(level) for level in own))
    centre = math.fsum(used.log_tokens) / len(used) if len(used) else math.nan
    centred, matrix = used.log_tokens - centre, np.zeros((len(used), len(terms)))
    for level in levels:
        here = used.conditions == level
        matrix[here] = _design_rows(terms, level, centred[here])
    question_names, question = np.unique(used.questions, return_inverse=True)
    document_names, document = np.unique(used.documents, return_inverse=True)
    notes = _notes_on_conditions(asked, levels, left_out) if levels else []
    if len(levels) > 1:
        notes += _notes_on_slopes(used, levels, slope_of, flat, no_slopes)
    return Design(
        outcomes=used.outcomes,
        log_tokens=centred,
        conditions=used.conditions,
        questions=question.astype(np.int64),
        documents=document.astype(np.int64),
        n_questions=len(question_names),
        n_documents=len(document_names),
        n_missing=len(rows) - len(known),
        n_left_out=len(known) - len(used),
        asked=asked,
        levels=levels,
        slope_of=slope_of,
        centre=centre,
        terms=terms,
        matrix=matrix,
        absent=_absent(asked, terms, left_out, flat, no_slopes, interaction),
        left_out=left_out,
        notes=tuple(notes),
        reason=_why_no_model(known, used, levels, left_out, len(terms)),
    )


def _whole_terms(asked: Sequence[str], interaction: bool) -> dict[str, str]:
    """Return every term that a model of these conditions can have, in order, with the condition that it is about."""
    slopes = {slope_term(level): level for level in asked[1:]} if interaction else {}
    return {INTERCEPT: asked[0], **{level: level for level in asked[1:]}, LOG_TOKENS: asked[0], **slopes}


def _absent(
    asked: Sequence[str],
    terms: Sequence[str],
    left_out: Mapping[str, str],
    flat: Mapping[str, str],
    no_slopes: str,
    interaction: bool,
) -> dict[str, str]:
    """Return the reason of every term of the whole model that these rows give no column."""
    reasons = {}
    for term, level in _whole_terms(asked, interaction).items():
        if term in terms:
            continue
        why = left_out.get(level, "") or (flat.get(level, "") if term != level else "")
        # A condition that is neither left out nor flat has no term because others are relative to it.
        why = why or ("slopes" if term != level else "conditions") + f" are relative to {level}"
        reasons[term] = no_slopes if term == LOG_TOKENS else why
    return reasons


# --- Estimates and their uncertainty ------------------------------------------------------------------------------


_NO_ERROR: Final = Reason("the standard error is 0", "no variation to judge by")


@dataclass(frozen=True)
class Fit:
    """Coefficients with their covariance, and the degrees of freedom (infinite for a normal) of their intervals."""

    params: FloatArray
    covariance: FloatArray
    degrees_of_freedom: float
    level: float
    reason: str = ""


def _tested(estimate: float, variance: float, fit: Fit) -> tuple[float, float, float, float]:
    """Return standard error, both ends of the interval and p, NaN where there is no standard error."""
    # A standard error of rounding size is none.
    if fit.reason or not variance > 1e-14 * (1 + estimate * estimate):
        return math.nan, math.nan, math.nan, math.nan
    error = math.sqrt(variance)
    reach = t_quantile((1 + fit.level) / 2, fit.degrees_of_freedom) * error
    return error, estimate - reach, estimate + reach, 2 * t_above(abs(estimate) / error, fit.degrees_of_freedom)


def coefficients_of(design: Design, fit: Fit | None) -> tuple[Coefficient, ...]:
    """Return every coefficient of the whole model, NaN with its reason where the rows give none."""
    rows = []
    for term in (*design.terms, *design.absent):
        estimate, tested, why = math.nan, (math.nan,) * 4, design.absent.get(term, design.reason)
        if fit is not None and term in design.terms:
            i = design.terms.index(term)
            estimate, why = float(fit.params[i]), fit.reason
            tested = _tested(estimate, float(fit.covariance[i, i]), fit)
            why = why or (_NO_ERROR if math.isnan(tested[0]) else "")
        rows.append(Coefficient(term, estimate, *tested, reason=why))
    order = [INTERCEPT, *design.asked, LOG_TOKENS, *map(slope_term, design.asked)]
    return tuple(sorted(rows, key=lambda row: order.index(row.term)))


@dataclass(frozen=True)
class _Average:
    """An average over rows as a function of the coefficients: its value and gradient, as shares."""

    name: str
    value: float
    gradient: FloatArray
    unadjusted: float
    n: int
    reason: str = ""


def _inverse(predictor: FloatArray, logit: bool) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the mean of a linear predictor and its first two derivatives."""
    if not logit:
        return predictor, np.ones_like(predictor), np.zeros_like(predictor)
    p = 1 / (1 + np.exp(-predictor))
    return p, p * (1 - p), p * (1 - p) * (1 - 2 * p)


def _contrast(design: Design, params: FloatArray, a: str, b: str, logit: bool) -> _Average:
    here = (design.conditions == a) | (design.conditions == b)
    name, n_terms = f"{a} − {b}", len(design.terms)
    why = "; ".join(design.left_out.get(level, f"no row of {level}") for level in (a, b) if level not in design.levels)
    if why:
        return _Average(name, math.nan, np.full(n_terms, math.nan), math.nan, 0, why)
    x = design.log_tokens[here]
    as_a, as_b = design.rows_as(a, x), design.rows_as(b, x)
    (p_a, d_a, _), (p_b, d_b, _) = _inverse(as_a @ params, logit), _inverse(as_b @ params, logit)
    means = [design.outcomes[design.conditions == level].mean() for level in (a, b)]
    gradient = (d_a[:, None] * as_a - d_b[:, None] * as_b).mean(axis=0)
    return _Average(name, float((p_a - p_b).mean()), gradient, float(means[0] - means[1]), len(x))


def _pooled(parts: Sequence[_Average]) -> _Average:
    return _Average(
        name="pooled",
        value=math.fsum(part.value for part in parts) / len(parts),
        gradient=np.mean([part.gradient for part in parts], axis=0),
        unadjusted=math.fsum(part.unadjusted for part in parts) / len(parts),
        n=sum(part.n for part in parts),
        reason="; ".join(dict.fromkeys(part.reason for part in parts if part.reason)),
    )


def _doubling(design: Design, params: FloatArray, logit: bool) -> _Average:
    name = "tokens doubled"
    if not design.slope_of:
        return _Average(name, math.nan, np.full(len(params), math.nan), math.nan, 0, design.absent[LOG_TOKENS])
    _, first, second = _inverse(design.matrix @ params, logit)
    by_tokens = design.slopes()
    slopes = by_tokens @ params
    gradient = ((second * slopes)[:, None] * design.matrix + first[:, None] * by_tokens).mean(axis=0)
    step = math.log(2)
    return _Average(name, step * float((first * slopes).mean()), step * gradient, math.nan, len(slopes))


def effects_of(design: Design, fit: Fit | None, contrasts: Contrasts, logit: bool) -> tuple[MarginalEffect, ...]:
    """Return the contrasts at equal log tokens, pooled over them, and the effect of doubling the tokens, in points."""
    params = np.full(len(design.terms), math.nan) if fit is None else fit.params
    averages = [_contrast(design, params, a, b, logit) for a, b in contrasts]
    averages += [_pooled(averages)] if len(averages) > 1 else []
    averages.append(_doubling(design, params, logit))
    effects = []
    for average in averages:
        points, unadjusted = 100 * average.value, 100 * average.unadjusted
        tested, why = (math.nan,) * 4, average.reason or design.reason or ("" if fit is None else fit.reason)
        if fit is not None and not average.reason:
            variance = float(average.gradient @ fit.covariance @ average.gradient)
            tested = _tested(points, 1e4 * variance, fit)
            why = why or (_NO_ERROR if math.isnan(tested[0]) else "")
        effects.append(MarginalEffect(average.name, points, *tested, unadjusted, average.n, why))
    return tuple(effects)


def overlap_notes(design: Design, contrasts: Contrasts) -> tuple[str, ...]:
    """Return a sentence for every contrast whose two conditions hardly share a range of lengths."""
    x, conditions = design.log_tokens, design.conditions
    return tuple(
        f"{a} and {b} hardly share a range of lengths: their contrast at equal length is an extrapolation"
        for a, b in contrasts
        if a in design.levels and b in design.levels and design.slope_of
        if _little_overlap(x, conditions, a, b) or _little_overlap(x, conditions, b, a)
    )


def why_no_errors(design: Design) -> str:
    """Return why documents are too few for cluster-robust standard errors, empty if they are not."""
    p = len(design.terms)
    if design.n_documents > p:
        return ""
    return f"{design.n_documents} source documents are too few for robust standard errors of {p} coefficients"


# --- The models ---------------------------------------------------------------------------------------------------


def clustered_ols(design: Design, level: float) -> Fit:
    """Return ordinary least squares with cluster-robust errors (CR1) and a t of documents minus 1."""
    from statsmodels.regression.linear_model import OLS

    result = OLS(design.outcomes, design.matrix).fit(cov_type="cluster", cov_kwds={"groups": design.documents})
    return Fit(
        params=np.asarray(result.params, dtype=np.float64),
        covariance=np.asarray(result.cov_params(), dtype=np.float64),
        degrees_of_freedom=design.n_documents - 1,
        level=level,
        reason=why_no_errors(design),
    )


def _fit_gee(design: Design, level: float) -> tuple[Fit, float, bool]:
    """Return the GEE fit, the working correlation and whether it converged."""
    from statsmodels.genmod.cov_struct import Exchangeable
    from statsmodels.genmod.families import Binomial
    from statsmodels.genmod.generalized_estimating_equations import GEE

    structure: Any = Exchangeable()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # convergence is reported from the result
        model = GEE(design.outcomes, design.matrix, design.documents, family=Binomial(), cov_struct=structure)
        result = model.fit(maxiter=200, cov_type="bias_reduced")
    params = np.asarray(result.params, dtype=np.float64)
    covariance = np.asarray(result.cov_params(), dtype=np.float64)
    sound = np.isfinite(params).all() and np.isfinite(covariance).all()
    if not sound or np.abs(design.matrix @ params).max() > _EXTREME:
        reason: str = Reason("the answers are all but parted by the model", "its coefficients run away")
    else:
        reason = why_no_errors(design)
    fit = Fit(params, covariance, design.n_documents - 1, level, reason)
    return fit, float(structure.dep_params), bool(result.converged)


def logit_gee(
    outcomes: ArrayLike,
    log_tokens: ArrayLike,
    conditions: Labels,
    questions: Labels,
    documents: Labels,
    *,
    reference: str,
    contrasts: Contrasts,
    interaction: bool = True,
    level: float = 0.95,
) -> LogitGee:
    """Return a logit model of the outcomes by condition and log tokens, its uncertainty clustered by document.

    Formula: logit P(y = 1) = b0 + b_c + (g0 + g_c)(x - mean x), with x the log tokens, b_c and g_c relative to the
    reference condition, fitted by generalised estimating equations with one correlation between any two rows of a
    document. Standard errors are the bias-reduced sandwich of Mancl and DeRouen over documents: documents of unequal
    size make the plain one too small even when there are many. Intervals and p use a t distribution with
    documents - 1 degrees of freedom. A contrast a − b is the mean, over the rows of a and b at the tokens that each
    has, of P(y = 1) in a minus that in b, times 100; ``pooled`` is the mean of the contrasts, ``tokens doubled`` is
    log 2 times the mean derivative by x. Their errors are by the delta method. Assumes independent documents, and
    effects of length that are linear in log tokens on the logit scale; the coefficients, not their errors, are right
    if the correlation is of another form. Rows must be missing for reasons that do not depend on the outcome.

    Before fitting, conditions without answers, or all right or all wrong, are left out, and slopes that have no
    variation of tokens within a condition to rest on, or that would part right from wrong answers, are dropped:
    ``notes`` says which and why.

    Reference: Liang and Zeger (1986), Biometrika 73; Mancl and DeRouen (2001), Biometrics 57; Albert and Anderson
    (1984), Biometrika 71, for separation.

    Args:
        outcomes: shape (rows,), 0 or 1, NaN where there is no judged answer.
        log_tokens: shape (rows,), natural logarithm of the prompt's tokens, NaN where unknown.
        conditions: shape (rows,), labels.
        questions: shape (rows,), labels; a question has one row a condition at most.
        documents: shape (rows,), labels of the source documents, the clusters.
        reference: the condition that others are relative to.
        contrasts: pairs of conditions (a, b) whose difference a − b at equal log tokens is wanted.
        interaction: whether each condition has a slope of its own.
        level: coverage the intervals aim at.

    Raises:
        ValueError: lengths differ, a label is missing, an outcome is not 0 or 1, a value is infinite, a question has
            two rows in one condition or two documents, the reference is no condition, or level is out of range.

    >>> rng, question, document = np.random.default_rng(2), [*range(80)] * 2, [i // 4 for i in range(80)] * 2
    >>> arms, right = ["random"] * 80 + ["hard"] * 80, rng.random(160) < 0.7
    >>> pair = ("random", "hard")
    >>> fit = logit_gee(
    ...     right, rng.normal(11, 0.3, 160), arms, question, document, reference="hard", contrasts=[pair]
    ... )
    >>> [coefficient.term for coefficient in fit.coefficients]
    ['intercept', 'random', 'log tokens', 'log tokens × random']
    >>> gap = fit.effects[0]
    >>> gap.name, round(gap.estimate, 1), round(gap.low, 1), round(gap.high, 1), fit.n, fit.n_clusters
    ('random − hard', 1.9, -10.8, 14.6, 160, 20)
    """
    check_level(level)
    design = length_design(
        outcomes, log_tokens, conditions, questions, documents, reference=reference, interaction=interaction, logit=True
    )
    covariance = "bias-reduced sandwich (Mancl and DeRouen)"
    empty = LogitGee(
        coefficients=coefficients_of(design, None),
        effects=effects_of(design, None, contrasts, logit=True),
        working_correlation=math.nan,
        covariance=covariance,
        degrees_of_freedom=max(0, design.n_documents - 1),
        converged=False,
        level=level,
        n=len(design.outcomes),
        n_missing=design.n_missing,
        n_left_out=design.n_left_out,
        n_questions=design.n_questions,
        n_clusters=design.n_documents,
        reference=design.levels[0] if design.levels else "",
        mean_log_tokens=design.centre,
        method=f"logit GEE, exchangeable within documents, {covariance}, t with documents − 1 degrees of freedom",
        notes=(*design.notes, *overlap_notes(design, contrasts)),
        reason=design.reason,
    )
    return empty if design.reason else _with_gee(empty, design, contrasts)


def _with_gee(empty: LogitGee, design: Design, contrasts: Contrasts) -> LogitGee:
    try:
        fit, correlation, converged = _fit_gee(design, empty.level)
    except np.linalg.LinAlgError:
        return replace(empty, reason=Reason("the model cannot be fitted", "its equations are singular"))
    runaway = bool(fit.reason) and fit.reason != why_no_errors(design)
    notes = empty.notes if converged else (*empty.notes, "the fit did not converge: do not rely on it")
    return replace(
        empty,
        coefficients=coefficients_of(replace(design, reason=fit.reason), None if runaway else fit),
        effects=effects_of(replace(design, reason=fit.reason), None if runaway else fit, contrasts, logit=True),
        working_correlation=correlation,
        converged=converged and not runaway,
        notes=notes,
        reason=fit.reason,
    )
