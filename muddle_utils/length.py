"""Topic or length: the models that compare conditions at equal tokens, as tidy tables (paper, Limitations).

One logit GEE, one linear mixed model and the least squares beside it for each model and modality, all from ``stats``.
What does not converge, lies on the boundary or cannot be estimated stands in ``notes`` or ``not_applicable``.
"""

from __future__ import annotations

import math
import multiprocessing
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Final, NamedTuple

import numpy as np
import pandas as pd

from muddle_utils import stats
from muddle_utils.frames import ordered
from muddle_utils.records import CONDITIONS
from muddle_utils.tables import groups, reason_of, tokens_of, typed
from muddle_utils.workers import available_cores

# At equal tokens, random distractors minus hard negatives: the topical gap of RQ1.
TOPICAL: Final = (("random-2", "hn-2"), ("random-4", "hn-4"))
_SERIES: Final = ["model", "modality"]
# So many models of answers are fitted here; more would keep one core waiting for the other.
_FEW: Final = 6


class Fits(NamedTuple):
    """The two models of one model's answers in one modality, and whose tokens they rest on."""

    model: str
    modality: str
    tokens_by: str
    gee: stats.LogitGee
    mixed: stats.LinearMixed


def fit_length_models(frame: pd.DataFrame) -> list[Fits]:
    """Return the models of each model and modality of a long frame that was asked more than one condition.

    The reference is the control, or the first condition where there is none. The frame must hold answerable questions
    only, one row for each question and condition.
    """
    series = [(key, rows) for key, rows in groups(frame, _SERIES) if rows["condition"].nunique() > 1]
    if len(series) <= _FEW:
        return [_fit(key, rows) for key, rows in series]
    # Every fit takes most of a second: many are shared out among processes, which give the same numbers.
    with ProcessPoolExecutor(available_cores(), mp_context=multiprocessing.get_context("spawn")) as pool:
        return list(pool.map(_fit, *zip(*series, strict=True)))


def _fit(key: tuple[str, ...], series: pd.DataFrame) -> Fits:
    """Return the models of one model's answers in one modality."""
    conditions = ordered(series["condition"], CONDITIONS)
    tokens, tokens_by = tokens_of(series)
    outcomes = series["correct"].where(series["judged"]).astype("Float64").to_numpy(dtype=float, na_value=math.nan)
    sizes = tokens.to_numpy(dtype=float, na_value=math.nan)
    given = (
        outcomes,
        np.log(np.where(sizes > 0, sizes, math.nan)),
        *(series[name].to_numpy(dtype=object) for name in ("condition", "question_id", "document_id")),
    )
    contrasts = [pair for pair in TOPICAL if set(pair) <= set(conditions)]
    gee = stats.logit_gee(*given, reference=conditions[0], contrasts=contrasts)
    mixed = stats.linear_mixed(*given, reference=conditions[0], contrasts=contrasts)
    return Fits(key[0], key[1], tokens_by, gee, mixed)


def _each(
    fits: Fits,
) -> Iterable[tuple[str, str, Sequence[stats.MarginalEffect], Sequence[stats.Coefficient], bool, str]]:
    """Yield name, method, effects and coefficients of each estimator, whether it converged, and what to mind."""
    gee, mixed = fits.gee, fits.mixed
    yield "logit GEE", gee.method, gee.effects, gee.coefficients, gee.converged, gee.reason
    yield "linear mixed model", mixed.method, mixed.effects, mixed.coefficients, mixed.converged, mixed.reason
    # It can stand where the mixed model cannot: then its effects have values, and else reasons of their own.
    yield "least squares", mixed.ols_method, mixed.ols_effects, mixed.ols_coefficients, True, ""


def _counts(fit: stats.LogitGee | stats.LinearMixed) -> dict[str, object]:
    return {
        "n_answers": fit.n,
        "n_questions": fit.n_questions,
        "n_documents": fit.n_clusters,
        "n_missing": fit.n_missing,
        "notes": "; ".join(fit.notes),
    }


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value


def length_effects(fits: Iterable[Fits]) -> pd.DataFrame:
    """Return what the conditions differ by at equal tokens, in percentage points, by estimator.

    ``difference`` is the average marginal effect: of a contrast the mean difference in the chance of a right answer at
    the tokens that each prompt has, of ``tokens doubled`` that of twice the tokens. ``unadjusted`` is the same contrast
    without regard to length: what is left of it at equal tokens is topic, as far as the model holds.

    Args:
        fits: as ``fit_length_models`` returns them.
    """
    rows: list[dict[str, object]] = []
    for each in fits:
        for name, method, effects, _, converged, reason in _each(each):
            counts = _counts(each.gee if name == "logit GEE" else each.mixed)
            for effect in effects:
                row: dict[str, object] = {"model": each.model, "modality": each.modality, "estimator": name}
                row |= {"effect": effect.name, "difference": _known(effect.estimate), "low": _known(effect.low)}
                row |= {"high": _known(effect.high), "p": _known(effect.p_value)}
                row |= {"unadjusted": _known(effect.unadjusted), **counts, "converged": converged}
                row |= {"tokens_by": each.tokens_by, "method": method}
                rows.append(row | {"not_applicable": reason_of(effect.reason or reason)})
    columns = [*_SERIES, "estimator", "effect", "difference", "low", "high", "p", "unadjusted", "n_answers"]
    columns += [
        "n_questions",
        "n_documents",
        "n_missing",
        "tokens_by",
        "converged",
        "notes",
        "not_applicable",
        "method",
    ]
    return typed(rows, columns)


def length_coefficients(fits: Iterable[Fits]) -> pd.DataFrame:
    """Return the coefficients of each estimator: log odds of the GEE, probabilities of the others.

    Args:
        fits: as ``fit_length_models`` returns them.
    """
    rows: list[dict[str, object]] = []
    for each in fits:
        for name, method, _, coefficients, _, reason in _each(each):
            fit = each.gee if name == "logit GEE" else each.mixed
            for item in coefficients:
                row: dict[str, object] = {"model": each.model, "modality": each.modality, "estimator": name}
                row |= {"term": item.term, "estimate": _known(item.estimate), "low": _known(item.low)}
                row |= {"high": _known(item.high), "p": _known(item.p_value), "n_answers": fit.n}
                row |= {"n_documents": fit.n_clusters, "method": method}
                rows.append(row | {"not_applicable": reason_of(item.reason or reason)})
    columns = [*_SERIES, "estimator", "term", "estimate", "low", "high", "p", "n_answers", "n_documents"]
    return typed(rows, [*columns, "not_applicable", "method"])


def optimiser_table(fits: Iterable[Fits]) -> pd.DataFrame:
    """Return where each optimiser of the linear mixed model ended; ``chosen`` is the one whose numbers are reported.

    Args:
        fits: as ``fit_length_models`` returns them.
    """
    rows: list[dict[str, object]] = []
    for each in fits:
        for item in each.mixed.optimisers:
            row: dict[str, object] = {"model": each.model, "modality": each.modality, "optimiser": item.optimiser}
            row |= {"chosen": item.optimiser == each.mixed.optimiser, "converged": item.converged}
            row |= {"log_likelihood": _known(item.log_likelihood)}
            for name in ("document_variance", "question_variance", "residual_variance"):
                row[name] = _known(getattr(item, name))
            rows.append(row | {"notes": item.note})
    columns = [*_SERIES, "optimiser", "chosen", "converged", "log_likelihood"]
    return typed(rows, [*columns, "document_variance", "question_variance", "residual_variance", "notes"])
