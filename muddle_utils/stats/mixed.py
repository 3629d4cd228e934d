"""The linear mixed model of outcomes by condition and log tokens, fitted by several optimisers and compared.

A question is asked in every condition and a document has several questions, so the random effects are nested: with one
variance for each, the restricted likelihood has a closed form in two ratios of variances and costs less than a
millisecond. It is maximised here by five optimisers, and can be evaluated where a variance is exactly 0, which
statsmodels cannot: there its MixedLM may return fixed effects of exactly 0.0 and call that converged. It is fitted all
the same, as a witness that shares no code with the rest.
"""

import math
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from muddle_utils.stats.arrays import FloatArray, IntArray, Reason, check_level
from muddle_utils.stats.regression import (
    Coefficient,
    Contrasts,
    Design,
    Fit,
    Labels,
    LengthModel,
    MarginalEffect,
    clustered_ols,
    coefficients_of,
    effects_of,
    length_design,
    overlap_notes,
)

OPTIMISERS: Final = {"lbfgs": "L-BFGS-B", "bfgs": "BFGS", "cg": "CG", "powell": "Powell", "nm": "Nelder-Mead"}
# Both standard deviations start at half the residual one; 0 itself is a stationary point.
_START: Final = 0.5
# Log-likelihoods closer than this are the same maximum, found to the optimisers' tolerance.
_SAME: Final = 1e-4


@dataclass(frozen=True)
class OptimiserFit:
    """Where one optimiser ended: the restricted log-likelihood, the fixed effects by term, and the three variances.

    ``note`` says what is wrong with it, empty if nothing is.
    """

    optimiser: str
    converged: bool
    log_likelihood: float
    fixed_effects: tuple[tuple[str, float], ...]
    document_variance: float
    question_variance: float
    residual_variance: float
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class LinearMixed(LengthModel):
    """A linear mixed model, its rows counted as in ``LengthModel``.

    ``coefficients`` and ``effects`` are those of ``optimiser``, which reached the highest restricted log-likelihood;
    ``ols_coefficients`` and ``ols_effects`` are those of least squares with errors clustered by document, which need
    no random effects to be right. ``optimisers`` has a row for every optimiser. ``question_variance`` is NaN where it
    cannot be told from the documents'.
    """

    ols_coefficients: tuple[Coefficient, ...]
    ols_effects: tuple[MarginalEffect, ...]
    ols_method: str
    document_variance: float
    question_variance: float
    residual_variance: float
    boundary: bool
    log_likelihood: float
    optimiser: str
    optimisers: tuple[OptimiserFit, ...]


# --- The restricted likelihood ------------------------------------------------------------------------------------


class _Solved(NamedTuple):
    """Generalised least squares at given ratios of variances: what the likelihood is made of."""

    log_likelihood: float
    gradient: FloatArray
    fixed_effects: FloatArray
    unscaled_covariance: FloatArray
    residual_variance: float


class _Nested:
    """The restricted likelihood of y = X b + document + question + residual, as a function of two ratios.

    The ratios are document variance / residual variance and question variance / residual variance. With Z = [X y] all
    that is needed of the rows is Z'Z and the sum of Z's rows in every question: a question of m rows has covariance
    I + r J, whose inverse is I - r / (1 + m r) J, and a document adds one more rank on its questions.
    """

    def __init__(self, design: Design) -> None:
        z = np.column_stack([design.matrix, design.outcomes])
        self.n, self.p = design.matrix.shape
        self.cross = z.T @ z
        # Rows are sorted by document and question, so both are runs of rows.
        starts = _run_starts(design.questions)
        self.sums: FloatArray = np.add.reduceat(z, starts, axis=0)
        self.sizes: FloatArray = np.diff([*starts, self.n]).astype(np.float64)
        self.documents = _run_starts(design.documents[starts])

    def _by_document(self, values: FloatArray) -> FloatArray:
        totals: FloatArray = np.add.reduceat(values, self.documents, axis=0)
        return totals

    def solve(self, document: float, question: float) -> _Solved:
        """Return the profiled fit at these ratios, with the gradient of the log-likelihood by them."""
        m, s = self.sizes, self.sums
        h = 1 / (1 + m * question)
        t, w = self._by_document(s * h[:, None]), self._by_document(m * h)
        u, v = self._by_document(s * (m * h * h)[:, None]), self._by_document((m * h) ** 2)
        e = 1 / (1 + document * w)
        g = document * e
        a = self.cross - (s * (question * h)[:, None]).T @ s - (t * g[:, None]).T @ t
        x, right = a[:-1, :-1], a[:-1, -1]
        unscaled = np.asarray(np.linalg.inv(x), dtype=np.float64)
        params = unscaled @ right
        contrast = np.append(-params, 1.0)
        degrees = self.n - self.p
        rss = float(contrast @ a @ contrast)
        scale = rss / degrees
        log_det = float(np.log1p(m * question).sum() + np.log1p(document * w).sum())
        log_likelihood = -0.5 * (
            degrees * (math.log(2 * math.pi * scale) + 1) + log_det + float(np.linalg.slogdet(x)[1])
        )
        # Derivatives of Z'V^-1 Z by each ratio; those of the log determinant stand beside them.
        crossed = (u * g[:, None]).T @ t
        by_ratio = (
            (-(t * (e * e)[:, None]).T @ t, float((w * e).sum())),
            (
                crossed + crossed.T - (s * (h * h)[:, None]).T @ s - (t * (g * g * v)[:, None]).T @ t,
                float((m * h).sum() - (g * v).sum()),
            ),
        )
        gradient = [
            -0.5 * (float(contrast @ d @ contrast) / scale + by_det + float(np.trace(unscaled @ d[:-1, :-1])))
            for d, by_det in by_ratio
        ]
        return _Solved(log_likelihood, np.array(gradient), params, unscaled, scale)


def _run_starts(numbers: IntArray) -> IntArray:
    return np.flatnonzero(np.r_[True, np.diff(numbers) != 0]).astype(np.int64)


# --- Optimisers ---------------------------------------------------------------------------------------------------


class _Found(NamedTuple):
    optimiser: str
    converged: bool
    ratios: tuple[float, float]
    solved: _Solved


def _ratios(roots: FloatArray) -> tuple[float, float]:
    """Return both ratios of variances from their square roots, the second 0 if only documents vary."""
    return float(roots[0] ** 2), float(roots[1] ** 2) if len(roots) > 1 else 0.0


def _objective(model: _Nested) -> Callable[[FloatArray], tuple[float, FloatArray]]:
    def negative(roots: FloatArray) -> tuple[float, FloatArray]:
        solved = model.solve(*_ratios(roots))
        return -solved.log_likelihood, -2 * roots * solved.gradient[: len(roots)]

    return negative


def _maximise(model: _Nested, optimiser: str, n_ratios: int) -> _Found:
    from scipy import optimize

    minimize: Any = optimize.minimize  # its overloads know no callable objective of a varying method
    negative, start = _objective(model), np.full(n_ratios, _START)
    if optimiser in ("powell", "nm"):
        # The default tolerances leave the fixed effects loose in the fourth digit.
        options = {"xtol": 1e-6, "ftol": 1e-12} if optimiser == "powell" else {"xatol": 1e-6, "fatol": 1e-9}
        result = minimize(lambda r: negative(r)[0], start, method=OPTIMISERS[optimiser], options=options)
    else:
        result = minimize(negative, start, jac=True, method=OPTIMISERS[optimiser])
    ratios = _ratios(np.atleast_1d(result.x))
    return _Found(optimiser, bool(result.success), ratios, model.solve(*ratios))


def _on_the_boundary(model: _Nested, best: _Found) -> _Found:
    """Return the fit with every ratio set to exactly 0 that is as likely so; optimisers only come near."""
    for i in range(2):
        ratios = (0.0, best.ratios[1]) if i == 0 else (best.ratios[0], 0.0)
        solved = model.solve(*ratios)
        if solved.log_likelihood >= best.solved.log_likelihood - 1e-7:
            best = best._replace(ratios=ratios, solved=solved)
    return best


def _row(found: _Found, terms: Sequence[str], question_known: bool, note: str = "") -> OptimiserFit:
    scale = found.solved.residual_variance
    return OptimiserFit(
        optimiser=found.optimiser,
        converged=found.converged,
        log_likelihood=found.solved.log_likelihood,
        fixed_effects=tuple(zip(terms, found.solved.fixed_effects.tolist(), strict=True)),
        document_variance=found.ratios[0] * scale,
        question_variance=found.ratios[1] * scale if question_known else math.nan,
        residual_variance=scale,
        note=note or ("" if found.converged else "did not converge"),
    )


def _witness(design: Design, model: _Nested, optimiser: str, question_known: bool) -> OptimiserFit:
    """Return statsmodels' own fit, checked against generalised least squares at the variances that it reports."""
    from statsmodels.regression.mixed_linear_model import MixedLM, VCSpec

    name, nothing = f"statsmodels {optimiser}", tuple((term, math.nan) for term in design.terms)
    names, dummies = [], []
    for number in range(design.n_documents):
        own = design.questions[design.documents == number]
        here = np.unique(own)
        names.append([str(question) for question in here])
        dummies.append((own[:, None] == here).astype(np.float64))
    components = {"exog_vc": VCSpec(["question"], [names], [dummies])} if question_known else {}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # they come at every fit near a variance of 0 and are said in notes
            intercepts = np.ones((len(design.outcomes), 1))
            fit = MixedLM(design.outcomes, design.matrix, design.documents, intercepts, **components).fit(
                method=optimiser
            )
    except (np.linalg.LinAlgError, ValueError) as error:
        return OptimiserFit(name, False, math.nan, nothing, math.nan, math.nan, math.nan, f"failed: {error}")
    scale = float(fit.scale)
    document_variance = float(fit.cov_re[0, 0])
    question_variance = float(fit.vcomp[0]) if question_known else 0.0
    fixed = np.asarray(fit.fe_params, dtype=np.float64)
    # Its scale is made from its fixed effects, so the ratios are the ones it ended at whatever they are.
    expected = model.solve(document_variance / scale, question_variance / scale)
    return OptimiserFit(
        optimiser=name,
        converged=bool(fit.converged),
        log_likelihood=float(fit.llf),
        fixed_effects=tuple(zip(design.terms, fixed.tolist(), strict=True)),
        document_variance=document_variance,
        question_variance=question_variance if question_known else math.nan,
        residual_variance=scale,
        note=_why_wrong(design.terms, fixed, expected) or ("" if fit.converged else "did not converge"),
    )


def _why_wrong(terms: Sequence[str], fixed: FloatArray, expected: _Solved) -> str:
    """Return which fixed effects are not those that follow from the variances, empty if all are."""
    errors = np.sqrt(np.diag(expected.unscaled_covariance) * expected.residual_variance)
    wrong = np.flatnonzero(~(np.abs(fixed - expected.fixed_effects) < 0.01 * errors))
    if not len(wrong):
        return ""
    worst = int(wrong[np.argmax(np.abs(fixed - expected.fixed_effects)[wrong] / errors[wrong])])
    return (
        f"wrong fixed effects: {terms[worst]} is given as {fixed[worst]:.4g}, "
        f"but {expected.fixed_effects[worst]:.4g} follows from the variances given with it"
    )


def _on_optimisers(rows: Sequence[OptimiserFit], best: OptimiserFit, errors: FloatArray) -> list[str]:
    """Return the sentences on optimisers that failed or that differ from the best."""
    notes = [f"{row.optimiser}: {row.note}" for row in rows if row.note]
    ours = np.array([value for _, value in best.fixed_effects])
    for row in rows:
        short = best.log_likelihood - row.log_likelihood
        apart = np.abs(np.array([value for _, value in row.fixed_effects]) - ours) / errors
        if not row.note and (short > _SAME or bool((apart > 0.01).any())):
            notes.append(
                f"{row.optimiser} differs from {best.optimiser}: log-likelihood lower by {short:.2g}, "
                f"fixed effects apart by up to {float(apart.max()):.2g} standard errors"
            )
    return notes


# --- The model ----------------------------------------------------------------------------------------------------


def linear_mixed(
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
    optimisers: Sequence[str] = tuple(OPTIMISERS),
    witnesses: Sequence[str] = ("lbfgs",),
) -> LinearMixed:
    """Return a linear mixed model of the outcomes by condition and log tokens, with documents and questions random.

    Formula: y = b0 + b_c + (g0 + g_c)(x - mean x) + u_document + v_question + e, with x the log tokens, b_c and g_c
    relative to the reference condition, u, v and e independent normal; by restricted maximum likelihood. On outcomes of
    0 and 1 it is a linear probability model: effects are differences of probability, contrasts and ``tokens doubled``
    as in ``logit_gee``. Intervals and p-values take the estimates for normal and the random effects for rightly
    specified: a condition's effect is taken to be the same in every document. Least squares with errors clustered by
    document (CR1, t with documents - 1 degrees of freedom) makes no such assumption and stands beside it.

    Every optimiser starts from the same values. The highest log-likelihood wins, is also tried with each variance at
    exactly 0, and ``notes`` say where optimisers differ, did not converge, or ended on the boundary. With one question
    a document the two variances cannot be parted and the questions' is left out. Conditions and slopes that the rows
    cannot tell are left out as in ``logit_gee``; a condition all right or all wrong stays.

    Reference: Laird and Ware (1982), Biometrics 38; Bates, Mächler, Bolker and Walker (2015), Journal of Statistical
    Software 67, for the profiled criterion and the comparison of optimisers; Cameron and Miller (2015), Journal of
    Human Resources 50, for the clustered errors.

    Args:
        outcomes: shape (rows,), 0 or 1 or a score, NaN where there is none.
        log_tokens: shape (rows,), natural logarithm of the prompt's tokens, NaN where unknown.
        conditions: shape (rows,), labels.
        questions: shape (rows,), labels; a question has one row a condition at most.
        documents: shape (rows,), labels of the source documents.
        reference: the condition that others are relative to.
        contrasts: pairs of conditions (a, b) whose difference a − b at equal log tokens is wanted.
        interaction: whether each condition has a slope of its own.
        level: coverage the intervals aim at.
        optimisers: names among ``OPTIMISERS``.
        witnesses: optimisers with which statsmodels' MixedLM is fitted beside them, by its names.

    Raises:
        ValueError: as ``logit_gee``, but scores are taken; or an optimiser is unknown.

    >>> y = [[0.1, 0.4], [0.5, 0.6], [0.9, 0.7], [0.4, 0.8]]
    >>> rows = [(y[q][c], "ab"[c], q, q // 2) for q in range(4) for c in range(2)]
    >>> values, arms, question, document = zip(*rows, strict=True)
    >>> fit = linear_mixed(values, [1.0] * 8, arms, question, document, reference="a", contrasts=[("b", "a")])
    >>> round(fit.effects[0].estimate, 6), fit.n, fit.n_questions, fit.n_clusters
    (15.0, 8, 4, 2)
    """
    check_level(level)
    if unknown := [name for name in optimisers if name not in OPTIMISERS]:
        raise ValueError(f"optimisers: {unknown[0]!r} is none of {', '.join(OPTIMISERS)}")
    if not optimisers:
        raise ValueError("optimisers names none: take one or more")
    design = length_design(
        outcomes,
        log_tokens,
        conditions,
        questions,
        documents,
        reference=reference,
        interaction=interaction,
        logit=False,
    )
    empty = LinearMixed(
        coefficients=coefficients_of(design, None),
        effects=effects_of(design, None, contrasts, logit=False),
        ols_coefficients=coefficients_of(design, None),
        ols_effects=effects_of(design, None, contrasts, logit=False),
        document_variance=math.nan,
        question_variance=math.nan,
        residual_variance=math.nan,
        boundary=False,
        log_likelihood=math.nan,
        optimiser="",
        optimisers=(),
        converged=False,
        level=level,
        n=len(design.outcomes),
        n_missing=design.n_missing,
        n_left_out=design.n_left_out,
        n_questions=design.n_questions,
        n_clusters=design.n_documents,
        reference=design.levels[0] if design.levels else "",
        mean_log_tokens=design.centre,
        method="linear mixed model, restricted maximum likelihood, random document and question, normal intervals",
        ols_method="least squares, errors clustered by document (CR1), t with documents − 1 degrees of freedom",
        notes=(*design.notes, *overlap_notes(design, contrasts)),
        reason=design.reason,
    )
    return empty if design.reason else _fitted(empty, design, contrasts, optimisers, witnesses)


def _fitted(
    empty: LinearMixed, design: Design, contrasts: Contrasts, optimisers: Sequence[str], witnesses: Sequence[str]
) -> LinearMixed:
    ols = clustered_ols(design, empty.level)
    beside = replace(
        empty,
        ols_coefficients=coefficients_of(design, ols),
        ols_effects=effects_of(design, ols, contrasts, logit=False),
    )
    model = _Nested(design)
    if reason := _why_no_random_effects(design, model):
        without = replace(design, reason=reason)
        return replace(
            beside,
            coefficients=coefficients_of(without, None),
            effects=effects_of(without, None, contrasts, logit=False),
            reason=reason,
        )
    unknown = _why_no_question_variance(model)
    found = [_maximise(model, name, 1 if unknown else 2) for name in optimisers]
    rows = [_row(one, design.terms, not unknown) for one in found]
    rows += [_witness(design, model, name, not unknown) for name in witnesses]
    # The first of equals wins, so that the last digits do not depend on who came closest by chance.
    highest = max(one.solved.log_likelihood for one in found)
    best = _on_the_boundary(model, next(one for one in found if one.solved.log_likelihood > highest - 1e-8))
    return _with_random_effects(beside, design, contrasts, best, rows, unknown)


def _why_no_random_effects(design: Design, model: _Nested) -> str:
    if len(model.documents) == model.n:
        return Reason("every document has one row", "its variance cannot be told from the residual's")
    # If answers to a question differ only as conditions and tokens explain, the likelihood rises without bound as the
    # residual variance goes to 0.
    index = design.questions if model.sizes.max() > 1 else design.documents
    z = np.column_stack([design.matrix, design.outcomes])
    means = np.column_stack([np.bincount(index, weights=column) for column in z.T]) / np.bincount(index)[:, None]
    within = z - means[index]
    fitted = within[:, :-1] @ np.linalg.lstsq(within[:, :-1], within[:, -1], rcond=None)[0]
    if float(((within[:, -1] - fitted) ** 2).sum()) <= 1e-10 * float(design.outcomes @ design.outcomes):
        unit = "question" if model.sizes.max() > 1 else "document"
        same = f"the answers to one {unit} differ by nothing but what the model explains"
        return Reason(same, "no residual variance is left")
    return ""


def _why_no_question_variance(model: _Nested) -> str:
    if len(model.documents) == len(model.sizes):
        return "one question a document: the document variance is that of document and question together"
    if model.sizes.max() == 1:
        return "one answer a question: the residual variance is that of question and residual together"
    return ""


def _with_random_effects(
    beside: LinearMixed,
    design: Design,
    contrasts: Contrasts,
    best: _Found,
    rows: Sequence[OptimiserFit],
    unknown: str,
) -> LinearMixed:
    solved = best.solved
    fit = Fit(
        params=solved.fixed_effects,
        covariance=solved.unscaled_covariance * solved.residual_variance,
        degrees_of_freedom=math.inf,
        level=beside.level,
    )
    winner = _row(best, design.terms, not unknown)
    notes = [*beside.notes, unknown] if unknown else [*beside.notes]
    estimated = ("document",) if unknown else ("document", "question")
    at_zero = [name for name, ratio in zip(estimated, best.ratios, strict=False) if ratio == 0]
    if at_zero:
        notes.append(
            f"on the boundary: the {' and the '.join(at_zero)} variance is estimated as 0, where the errors of the "
            "fixed effects are less reliable; compare those clustered by document"
        )
    notes += _on_optimisers(rows, winner, np.sqrt(np.diag(fit.covariance)))
    if not best.converged:
        notes.append("the best optimiser did not report convergence: do not rely on its fit")
    return replace(
        beside,
        coefficients=coefficients_of(design, fit),
        effects=effects_of(design, fit, contrasts, logit=False),
        document_variance=winner.document_variance,
        question_variance=winner.question_variance,
        residual_variance=winner.residual_variance,
        boundary=bool(at_zero),
        log_likelihood=winner.log_likelihood,
        optimiser=winner.optimiser,
        optimisers=tuple(rows),
        converged=winner.converged,
        notes=tuple(notes),
    )
