"""Topic or length: the models that compare conditions at equal tokens, as tidy tables (paper, Limitations).

One logit GEE, one linear mixed model and the least squares beside it for each model and modality, all from ``stats``.
What does not converge, lies on the boundary or cannot be estimated stands in ``notes`` or ``not_applicable``.
"""

from __future__ import annotations

import contextlib
import math
import multiprocessing
import os
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Final, NamedTuple

import numpy as np
import pandas as pd

from muddle_utils import stats
from muddle_utils.analysis.frames import arranged, ordered
from muddle_utils.analysis.tables import groups, known, reason_of, tokens_of, typed
from muddle_utils.rendering.workers import available_cores
from muddle_utils.stats.regression import length_design, overlap_notes
from muddle_utils.study.records import CONDITIONS

# At equal tokens, random distractors minus hard negatives: the topical gap of RQ1.
TOPICAL: Final = (("random-2", "hn-2"), ("random-4", "hn-4"))
_SERIES: Final = ["model", "modality"]
# So many models of answers are fitted here; more would keep one core waiting for the other.
_FEW: Final = 6
ESTIMATORS: Final = 3
THREAD_VARIABLES: Final = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS")


class Fits(NamedTuple):
    """The two models of one model's answers in one modality, whose tokens they rest on, and what they cannot say.

    ``ols_notes`` are those of the least squares beside the mixed model. ``reason`` says why there is nothing to fit at
    all.
    """

    model: str
    modality: str
    tokens_by: str
    gee: stats.LogitGee
    mixed: stats.LinearMixed
    ols_notes: tuple[str, ...]
    reason: str


def fit_length_models(frame: pd.DataFrame) -> list[Fits]:
    """Return the models of each model and modality of a long frame that was asked more than one condition.

    The reference is the control, or the first condition where there is none. The frame must hold answerable questions
    only.

    Raises:
        TablesError: a question has two rows in one arm; the message names the first.
    """
    series = [(key, rows) for key, rows in groups(arranged(frame), _SERIES) if rows["condition"].nunique() > 1]
    if len(series) <= _FEW:
        return [_fit(key, rows) for key, rows in series]
    # Every fit takes most of a second: many are shared out among processes, which give the same numbers.
    context = multiprocessing.get_context("spawn")
    with _one_thread_each(), ProcessPoolExecutor(available_cores(), mp_context=context) as pool:
        return list(pool.map(_fit, *zip(*series, strict=True)))


@contextlib.contextmanager
def _one_thread_each() -> Iterator[None]:
    """Let processes that are started in here do linear algebra in one thread, unless the caller has set another number.

    As many processes as cores, each with as many threads, wait for each other: the matrices of a document are small.
    """
    absent = [name for name in THREAD_VARIABLES if name not in os.environ]
    os.environ.update(dict.fromkeys(absent, "1"))
    try:
        yield
    finally:
        for name in absent:
            os.environ.pop(name, None)


def _fit(key: tuple[str, ...], series: pd.DataFrame) -> Fits:
    """Return the models of one model's answers in one modality."""
    conditions = ordered(series["condition"], CONDITIONS)
    tokens, tokens_by = tokens_of(series)
    outcomes = series["correct"].where(series["judged"]).astype("Float64").to_numpy(dtype=float, na_value=math.nan)
    sizes = tokens.to_numpy(dtype=float, na_value=math.nan)
    sizes = np.where(sizes > 0, sizes, math.nan)
    given = (
        outcomes,
        np.log(sizes),
        *(series[name].to_numpy(dtype=object) for name in ("condition", "question_id", "document_id")),
    )
    contrasts = [pair for pair in TOPICAL if set(pair) <= set(conditions)]
    gee = stats.logit_gee(*given, reference=conditions[0], contrasts=contrasts)
    mixed = stats.linear_mixed(*given, reference=conditions[0], contrasts=contrasts)
    design = length_design(*given, reference=conditions[0], interaction=True, logit=False)
    answered, sized = (not np.isnan(each).all() for each in (outcomes, outcomes + sizes))
    reason = "" if sized else "no judged answer has known tokens" if answered else "no judged answer"
    return Fits(
        key[0],
        key[1],
        tokens_by if sized else "",
        gee,
        mixed,
        (*design.notes, *overlap_notes(design, contrasts)),
        reason,
    )


class _Estimator(NamedTuple):
    """One of the three estimators of a ``Fits``; ``converged`` is None where nothing was fitted."""

    name: str
    method: str
    effects: Sequence[stats.MarginalEffect]
    coefficients: Sequence[stats.Coefficient]
    fit: stats.LogitGee | stats.LinearMixed
    converged: bool | None
    reason: str
    notes: Sequence[str]


def estimators_of(fits: Fits) -> list[_Estimator]:
    """Return the three estimators; there are no notes where nothing could be fitted at all."""
    gee, mixed = fits.gee, fits.mixed
    fitted = any(not math.isnan(item.estimate) for item in mixed.ols_coefficients)
    found = [
        _Estimator(
            "logit GEE",
            gee.method,
            gee.effects,
            gee.coefficients,
            gee,
            None if math.isnan(gee.working_correlation) else gee.converged,
            gee.reason,
            gee.notes,
        ),
        _Estimator(
            "linear mixed model",
            mixed.method,
            mixed.effects,
            mixed.coefficients,
            mixed,
            mixed.converged if mixed.optimisers else None,
            mixed.reason,
            mixed.notes,
        ),
        # It can stand where the mixed model cannot: then its effects have values, and else reasons of their own.
        _Estimator(
            "least squares",
            mixed.ols_method,
            mixed.ols_effects,
            mixed.ols_coefficients,
            mixed,
            True if fitted else None,
            "",
            fits.ols_notes,
        ),
    ]
    return [each._replace(notes=[] if fits.reason else each.notes) for each in found]


def _why(own: str, estimator: _Estimator, fits: Fits) -> str:
    return fits.reason or reason_of(own or estimator.reason)


def length_effects(fits: Iterable[Fits]) -> pd.DataFrame:
    """Return what the conditions differ by at equal tokens, in percentage points, by estimator.

    ``difference`` is the average marginal effect: of a contrast the mean difference in the chance of a right answer at
    the tokens that each prompt has, of ``tokens doubled`` that of twice the tokens. ``unadjusted`` is the same contrast
    without regard to length: what is left of it at equal tokens is topic, as far as the model holds. ``converged`` is
    missing where nothing was fitted, ``tokens_by`` where no tokens are known.

    Args:
        fits: as ``fit_length_models`` returns them.
    """
    rows: list[dict[str, object]] = []
    for each in fits:
        for estimator in estimators_of(each):
            counts = {
                "n_answers": estimator.fit.n,
                "n_questions": estimator.fit.n_questions,
                "n_documents": estimator.fit.n_clusters,
                "n_missing": estimator.fit.n_missing,
                "notes": "; ".join(estimator.notes),
            }
            for effect in estimator.effects:
                row: dict[str, object] = {"model": each.model, "modality": each.modality, "estimator": estimator.name}
                row |= {"effect": effect.name, "difference": known(effect.estimate), "low": known(effect.low)}
                row |= {"high": known(effect.high), "p": known(effect.p_value)}
                row |= {"unadjusted": known(effect.unadjusted), **counts, "converged": estimator.converged}
                row |= {"tokens_by": each.tokens_by, "method": estimator.method}
                rows.append(row | {"not_applicable": _why(effect.reason, estimator, each)})
    columns = [*_SERIES, "estimator", "effect", "difference", "low", "high", "p", "unadjusted", "n_answers"]
    columns += "n_questions n_documents n_missing tokens_by converged notes not_applicable method".split()
    return typed(rows, columns).astype({"converged": "boolean"})


def length_coefficients(fits: Iterable[Fits]) -> pd.DataFrame:
    """Return the coefficients of each estimator: log odds of the GEE, probabilities of the others.

    Args:
        fits: as ``fit_length_models`` returns them.
    """
    rows: list[dict[str, object]] = []
    for each in fits:
        for estimator in estimators_of(each):
            for item in estimator.coefficients:
                row: dict[str, object] = {"model": each.model, "modality": each.modality, "estimator": estimator.name}
                row |= {"term": item.term, "estimate": known(item.estimate), "low": known(item.low)}
                row |= {"high": known(item.high), "p": known(item.p_value), "n_answers": estimator.fit.n}
                row |= {"n_documents": estimator.fit.n_clusters, "method": estimator.method}
                rows.append(row | {"not_applicable": _why(item.reason, estimator, each)})
    columns = [*_SERIES, "estimator", "term", "estimate", "low", "high", "p", "n_answers", "n_documents"]
    return typed(rows, [*columns, "not_applicable", "method"])


def optimiser_table(fits: Iterable[Fits]) -> pd.DataFrame:
    """Return where each optimiser of the linear mixed model ended; ``chosen`` is the one whose numbers are reported.

    Variances are rounded to four significant digits: how near to the optimum an optimiser stops depends, beyond these,
    on the processor.

    Args:
        fits: as ``fit_length_models`` returns them.
    """
    rows: list[dict[str, object]] = []
    for each in fits:
        for item in each.mixed.optimisers:
            row: dict[str, object] = {"model": each.model, "modality": each.modality, "optimiser": item.optimiser}
            row |= {"chosen": item.optimiser == each.mixed.optimiser, "converged": item.converged}
            row |= {"log_likelihood": known(item.log_likelihood)}
            for name in ("document_variance", "question_variance", "residual_variance"):
                row[name] = known(float(f"{getattr(item, name):.4g}"))
            rows.append(row | {"notes": item.note})
    columns = [*_SERIES, "optimiser", "chosen", "converged", "log_likelihood"]
    return typed(rows, [*columns, "document_variance", "question_variance", "residual_variance", "notes"])
