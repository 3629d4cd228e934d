"""Topic or length: what the arms differ by at equal tokens, estimated within the question (paper, Limitations).

Both arms of a question have its source, so that what makes a source long and its questions hard stands on both sides
and falls out. What is left is the length that the study itself varies. A model that compares questions with each other
takes the source's own length for it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from muddle_utils import stats
from muddle_utils.analysis.comparisons import units_of
from muddle_utils.analysis.frames import arranged
from muddle_utils.analysis.tables import groups, known, method_of, reason_of, tokens_of, typed

# Random distractors and hard negatives at the same k: the topical gap of RQ1.
_TOPICAL: Final = (("random-2", "hn-2"), ("random-4", "hn-4"))
# The arms that differ in length and hardly in topic.
_LENGTH: Final = ["control", "random-2", "random-4"]
EQUAL_TOKENS: Final = "random − HN at equal tokens"
_NO_PAIR: Final = "no pair has judged answers and known tokens"
BETWEEN_ARMS: Final = "tokens doubled, between the arms"
LENGTH_ALONE: Final = "tokens doubled, control and random"
_COLUMNS: Final = (
    *("model", "modality", "effect", "difference", "low", "high", "p", "unadjusted", "tokens_ratio", "n_pairs"),
    *("n_questions", "n_documents", "n_clusters", "n_missing", "tokens_by", "not_applicable", "method"),
)


class Effect(NamedTuple):
    """One effect: a coefficient, what it is multiplied by, and which questions it rests on, shape (questions,).

    ``pairs`` are the differences behind a comparison of arms, shape (questions, k values), in outcomes and log tokens.
    """

    name: str
    interval: stats.Interval
    times: float
    used: NDArray[np.bool_]
    pairs: tuple[NDArray[np.float64], NDArray[np.float64]] | None = None


def within_question(
    outcomes: NDArray[np.float64],
    log_tokens: NDArray[np.float64],
    conditions: Sequence[str],
    clusters: Sequence[object] | NDArray[np.generic],
) -> list[Effect]:
    """Return the effects of ``length_effects`` whose arms were asked.

    Args:
        outcomes: shape (questions, conditions), 1, 0, NaN where not judged.
        log_tokens: shape (questions, conditions), NaN where unknown.
        conditions: what the columns are.
        clusters: shape (questions,), labels for ``stats``.
    """
    place = {name: column for column, name in enumerate(conditions)}
    labels = np.asarray(clusters, dtype=object)
    doubling, found = math.log(2), []
    if pairs := [[place[name] for name in pair] for pair in _TOPICAL if place.keys() >= set(pair)]:
        first, second = np.array(pairs).T
        gaps, lengths = outcomes[:, first] - outcomes[:, second], log_tokens[:, first] - log_tokens[:, second]
        terms = np.column_stack([np.ones(lengths.size), lengths.ravel()])
        topic, length = stats.clustered_regression(gaps.ravel(), terms, np.repeat(labels, len(pairs)))
        used = np.asarray((~np.isnan(gaps + lengths)).any(axis=1))
        found = [Effect(EQUAL_TOKENS, topic, 1.0, used, (gaps, lengths)), Effect(BETWEEN_ARMS, length, doubling, used)]
    arms = [place[name] for name in _LENGTH if name in place]
    if len(arms) > 1:
        known_at = ~np.isnan(outcomes[:, arms] + log_tokens[:, arms])
        # A question with one answer left varies in nothing.
        known_at &= known_at.sum(axis=1, keepdims=True) > 1
        y, x = (np.where(known_at, each[:, arms], 0.0) for each in (outcomes, log_tokens))
        n = np.maximum(known_at.sum(axis=1, keepdims=True), 1)
        y, x = (np.where(known_at, each - each.sum(axis=1, keepdims=True) / n, math.nan) for each in (y, x))
        (length,) = stats.clustered_regression(y.ravel(), x.reshape(-1, 1), np.repeat(labels, len(arms)))
        found.append(Effect(LENGTH_ALONE, length, doubling, np.asarray(known_at.any(axis=1))))
    return found


def length_effects(frame: pd.DataFrame) -> pd.DataFrame:
    """Return what topic and length do to accuracy, in percentage points, by model and modality.

    ``random − HN at equal tokens`` and ``tokens doubled, between the arms`` are the constant, and log 2 times the
    slope, of a regression of a question's outcome among random distractors minus that among hard negatives on the
    difference of their log tokens, both k stacked; ``unadjusted`` is the mean gap of the same pairs, and
    ``tokens_ratio`` the geometric mean of the tokens among random distractors over those among hard negatives.
    ``tokens doubled, control and random`` is log 2 times the slope of the outcome on log tokens, each less its mean
    over the question, in the arms without hard negatives. All hold if nothing else differs between the arms.
    ``n_pairs`` counts what is regressed: pairs of answers, in the last row answers.

    Args:
        frame: the long frame of answerable questions.

    Raises:
        TablesError: a question has two rows in one arm; the message names the first.
    """
    rows: list[dict[str, object]] = []
    for (model, modality), series in groups(arranged(frame), ["model", "modality"]):
        tokens, tokens_by = tokens_of(series)
        sizes = tokens.to_numpy(dtype=float, na_value=math.nan)
        judged = series["correct"].where(series["judged"]).astype("Float64").to_numpy(dtype=float, na_value=math.nan)
        series = series.assign(outcome=judged, log_tokens=np.log(np.where(sizes > 0, sizes, math.nan)))
        wide = series.pivot(index="question_id", columns="condition", values=["outcome", "log_tokens"])
        units = units_of(series)
        labels = units.clusters.reindex(wide.index).to_numpy(dtype=object)
        names = list(wide["outcome"].columns)
        sized = not (series["outcome"] + series["log_tokens"]).isna().all()
        why = "" if sized else "no judged answer has known tokens" if series["judged"].any() else "no judged answer"
        for each in within_question(wide["outcome"].to_numpy(), wide["log_tokens"].to_numpy(), names, labels):
            row: dict[str, object] = {"model": model, "modality": modality, "tokens_by": tokens_by if sized else ""}
            row |= _row(each, units.text) | ({"not_applicable": why} if why else {})
            row["n_documents"] = units.documents.reindex(wide.index[each.used]).nunique()
            rows.append(row)
    return typed(rows, _COLUMNS)


def _row(effect: Effect, units: str) -> dict[str, object]:
    """Return an effect in percentage points, with its interval, p and counts."""
    interval, points = effect.interval, 100 * effect.times
    row: dict[str, object] = {
        "effect": effect.name,
        "difference": known(points * interval.estimate),
        "low": known(points * interval.low),
        "high": known(points * interval.high),
        "p": known(stats.p_value_of(interval)),
        "n_pairs": interval.n,
        "n_questions": int(effect.used.sum()),
        "n_clusters": interval.n_clusters,
        "n_missing": interval.n_missing,
        "not_applicable": reason_of(interval.reason, units) if interval.n else _NO_PAIR,
        "method": "" if interval.reason else f"least squares within the question, {method_of(interval, units=units)}",
    }
    if effect.pairs and effect.used.any():
        gaps, lengths = effect.pairs
        both = ~np.isnan(gaps + lengths)
        row |= {"unadjusted": 100 * float(gaps[both].mean()), "tokens_ratio": math.exp(lengths[both].mean())}
    return row
