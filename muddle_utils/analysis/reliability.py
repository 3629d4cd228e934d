"""How far the numbers can be relied on: several judges on the same answers, and several runs of the same questions.

``read_ratings`` puts the judges' verdicts on one answer side by side; the other functions turn that, or the long frames
of several runs, into tidy tables. As in ``tables``, what cannot be computed is missing with its reason in
``not_applicable``; a study with one judge or one run gets a table of one row that says so.

The coefficients are those of ``agreement``, the variances those of ``stats``.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import pandas as pd

from muddle_utils.analysis.answers import read_frame
from muddle_utils.analysis.frames import (
    DOCUMENTS,
    ONCE,
    TWO_WAY,
    TablesError,
    arranged,
    as_records,
    clusters_of,
    clusters_text,
    join,
)
from muddle_utils.analysis.tables import ARM, N_RESAMPLES, groups, reason_of, single, typed
from muddle_utils.stats import (
    CrossedVariance,
    Interval,
    agreement,
    crossed_variance,
    design_options,
    replicate_variance,
)
from muddle_utils.study.paths import Study
from muddle_utils.study.records import MAJORITY

_ANSWERS: Final = "answers to one question in one arm"
RATING_COLUMNS: Final = tuple(
    "cell_id question_id document_id cluster model modality condition question reference text".split()
)


def read_ratings(
    study: Study, models: Sequence[str], modalities: Sequence[str], judges: Sequence[str], replicate: int = 1
) -> pd.DataFrame:
    """Return one row for each answered response, with each judge's verdict on it in a column of the judge's name.

    Columns are RATING_COLUMNS and a nullable boolean one for each of ``judges``: True for right, missing where the
    judge has no verdict on just this question, reference and answer. Rows are in the order of the long frame.

    Raises:
        RowsError: a row file is missing or damaged; the message names it and the notebook to run.
        StoreError: the database cannot be read.
        TablesError: a judge has changed half-way, or has the name of another column.
    """
    judges = list(dict.fromkeys(judges))
    if taken := [judge for judge in judges if judge in (*RATING_COLUMNS, MAJORITY)]:
        raise TablesError(f"judges: {taken[0]!r} is the name of a column of its own: give that judge another name")
    frames = [read_frame(study, models, modalities, judge, replicate) for judge in judges or [""]]
    answered = frames[0]["answered"]
    ratings = frames[0].loc[answered, list(RATING_COLUMNS)].reset_index(drop=True)
    return ratings.assign(
        **{judge: frame.loc[answered, "correct"].array for judge, frame in zip(judges, frames, strict=False)}
    )


def _matrix(ratings: pd.DataFrame, judges: Sequence[str]) -> np.ndarray[Any, np.dtype[np.object_]]:
    """Return the verdicts as an array of shape (judges, answers), None where there is none."""
    columns = [[None if pd.isna(value) else bool(value) for value in ratings[judge]] for judge in judges]
    return np.array(columns, dtype=object).reshape(len(judges), len(ratings))


def _why_alone(judges: Sequence[str]) -> str:
    """Return why these judges cannot be compared, empty if they can."""
    if len(judges) > 1:
        return ""
    return f"{'one judge' if judges else 'no judge'}: agreement takes two or more, named with --judge"


# --- Judges -------------------------------------------------------------------------------------------------------


_AGREEMENT_COLUMNS: Final = (
    *("judges", "agreement", "agreement_low", "agreement_high", "coefficient", "value", "low", "high"),
    *("n", "n_missing", "not_applicable", "method"),
)


def _ends(interval: Interval | None, reason: str, units: str) -> dict[str, object]:
    """Return the ends of a coefficient's interval and how it was made, or why it or the coefficient is missing."""
    if reason or interval is None:
        return {"not_applicable": reason}
    if interval.reason:
        return {"not_applicable": f"interval: {reason_of(interval.reason, units)}"}
    method = f"{interval.method}, over {units}, {interval.n_resamples} resamples"
    if interval.seed is not None:
        method += f", seed {interval.seed}"
    return {"low": interval.low, "high": interval.high, "method": method}


def _clusters(ratings: pd.DataFrame) -> tuple[list[object], str]:
    """Return each answer's cluster, and what is drawn: of clusters that overlap the sources are."""
    labels, units = clusters_of(ratings).reindex(ratings["question_id"]), clusters_text(ratings)
    return list(labels), DOCUMENTS if units == TWO_WAY else units


def _pair(ratings: pd.DataFrame, a: str, b: str, rng: np.random.Generator, n_resamples: int) -> dict[str, object]:
    left, right = _matrix(ratings, [a, b])
    share = agreement.raw_agreement(left, right)
    clusters, units = _clusters(ratings)
    kappa = agreement.cohen_kappa(left, right, clusters, rng, n_resamples)
    return {
        "judges": f"{a}, {b}",
        "agreement": share.estimate if share.n else None,
        "agreement_low": share.low if share.n else None,
        "agreement_high": share.high if share.n else None,
        "coefficient": "Cohen's kappa",
        "value": kappa.kappa,
        "n": kappa.n,
        "n_missing": kappa.n_missing,
        **_ends(kappa.cluster_interval, kappa.reason, units),
    }


def _together(
    ratings: pd.DataFrame, judges: Sequence[str], rng: np.random.Generator, n_resamples: int
) -> dict[str, object]:
    clusters, units = _clusters(ratings)
    alpha = agreement.krippendorff_alpha(_matrix(ratings, judges), rng, clusters, n_resamples)
    observed = alpha.observed_disagreement
    return {
        "judges": f"all {len(judges)}",
        "agreement": None if observed is None else 1 - observed,
        "coefficient": "Krippendorff's alpha",
        "value": alpha.alpha,
        "n": alpha.n_items,
        "n_missing": alpha.n_items_left_out,
        **_ends(alpha.interval, alpha.reason, units),
    }


def judge_agreement(
    ratings: pd.DataFrame, judges: Sequence[str], rng: np.random.Generator, n_resamples: int = N_RESAMPLES
) -> pd.DataFrame:
    """Return how far judges agree: a row for each pair of them, and one for all.

    Of a pair, ``agreement`` is the share of the ``n`` answers judged by both that they judge alike, with Wilson's
    interval, which takes answers for independent; ``value`` is Cohen's kappa. Of all, ``n`` answers have two verdicts
    or more, ``agreement`` is one minus the observed disagreement and ``value`` Krippendorff's alpha. ``low`` and
    ``high`` belong to ``value`` and resample source documents. ``n_missing`` answers lack the verdicts needed. Where
    nearly all answers are right, a coefficient is near 0 although the judges hardly ever differ: read both.

    Args:
        ratings: as ``read_ratings`` returns them.
        judges: names of its columns.
        rng: the generator; pairs draw from it in turn.
        n_resamples: number of bootstrap samples of each interval.

    Raises:
        TablesError: a question has two answers in one arm.
    """
    judges = list(dict.fromkeys(judges))
    ratings = arranged(ratings, _ANSWERS)
    if reason := _why_alone(judges):
        return single(_AGREEMENT_COLUMNS, reason, judges=", ".join(judges))
    rows = [_pair(ratings, a, b, rng, n_resamples) for a, b in itertools.combinations(judges, 2)]
    rows.append(_together(ratings, judges, rng, n_resamples))
    return typed([{"not_applicable": "", "method": "", **row} for row in rows], _AGREEMENT_COLUMNS)


def judge_accuracy(ratings: pd.DataFrame, judges: Sequence[str]) -> pd.DataFrame:
    """Return accuracy by model, modality and condition as each judge has it, and as more than half of them do.

    ``judged_by`` is the judge, or ``majority`` where there are two or more. Of the ``n_answered`` answers the majority
    has decided ``n_judged``; on ``n_undecided`` no side has more than half of the judges; the others have no verdict.

    Raises:
        TablesError: a question has two answers in one arm.
    """
    judges = list(dict.fromkeys(judges))
    ratings = arranged(ratings, _ANSWERS)
    rows: list[dict[str, object]] = []
    for key, group in groups(ratings, ARM):
        shared = {**dict(zip(ARM, key, strict=True)), "n_answered": len(group)}
        verdicts = _matrix(group, judges)
        by_name = [(name, row, 0) for name, row in zip(judges, verdicts, strict=True)]
        if len(judges) > 1:
            together = agreement.majority(verdicts, of_all=True)
            by_name.append((MAJORITY, np.array(together.labels, dtype=object), together.n_undecided))
        for name, labels, undecided in by_name:
            known = [label for label in labels if label is not None]
            row = {**shared, "judged_by": name, "n_judged": len(known), "n_undecided": undecided}
            row |= {"accuracy": sum(known) / len(known) if known else None}
            row["not_applicable"] = "" if known else ("no majority" if undecided else "no judged answer")
            rows.append(row)
    return typed(rows, [*ARM, "judged_by", "accuracy", "n_answered", "n_judged", "n_undecided", "not_applicable"])


_DISAGREEMENT_COLUMNS: Final = (
    *(*ARM, "question_id", "document_id", "cell_id", "question", "reference", "text"),
    *("verdicts", "n_right", "n_wrong", "not_applicable"),
)


def disagreements(ratings: pd.DataFrame, judges: Sequence[str]) -> pd.DataFrame:
    """Return the answers that one judge calls right and another wrong, as texts for a person to decide.

    ``verdicts`` says what each judge says. Rows are by model, modality and condition, the most divided first, then by
    question.

    Raises:
        TablesError: a question has two answers in one arm.
    """
    judges = list(dict.fromkeys(judges))
    ratings = arranged(ratings, _ANSWERS)
    if reason := _why_alone(judges):
        return single(_DISAGREEMENT_COLUMNS, reason)
    verdicts = _matrix(ratings, judges)
    words = {True: "right", False: "wrong", None: "unjudged"}
    n_right = np.array([sum(value is True for value in column) for column in verdicts.T], dtype=int)
    n_wrong = np.array([sum(value is False for value in column) for column in verdicts.T], dtype=int)
    said = ["; ".join(f"{name}: {words[v]}" for name, v in zip(judges, column, strict=True)) for column in verdicts.T]
    whole = ratings[list(RATING_COLUMNS)].assign(verdicts=said, n_right=n_right, n_wrong=n_wrong, not_applicable="")
    differing = whole[np.minimum(n_right, n_wrong) > 0]
    if differing.empty:
        return single(_DISAGREEMENT_COLUMNS, "the judges differ on no answer")
    lead = (differing["n_right"] - differing["n_wrong"]).abs()
    number = differing.groupby(ARM, sort=False).ngroup()
    order = pd.DataFrame({"group": number, "lead": lead}).sort_values(["group", "lead"], kind="stable").index
    return typed(as_records(differing.loc[order]), _DISAGREEMENT_COLUMNS)


# --- Runs ---------------------------------------------------------------------------------------------------------


_REPLICATE_COLUMNS: Final = (
    *(*ARM, "n_questions", "n_replicates", "accuracy_by_run", "mean", "se_between_run", "se_between_question"),
    *("icc", "clamped", "n_repeated", "n_flipped", "flipped_share", "not_applicable"),
)


def _outcomes(frame: pd.DataFrame, replicate: int) -> pd.DataFrame:
    """Return the keys and one column named after the run: 1 right, 0 wrong, NaN not judged."""
    frame = arranged(frame, f"rows of run {replicate}")
    outcomes = frame["correct"].astype("Float64").to_numpy(dtype=float, na_value=math.nan)
    return frame[ONCE].assign(**{str(replicate): outcomes})


def replicate_table(frames_by_replicate: Mapping[int, pd.DataFrame]) -> pd.DataFrame:
    """Return how far runs of the same questions differ, by model, modality and condition.

    ``accuracy_by_run`` gives each run's accuracy over its judged answers. ``mean`` counts each of the ``n_questions``
    judged in any run once; ``se_between_run`` and ``se_between_question`` are the two parts of its standard error, to
    be added as squares: more runs shrink the first alone. ``icc`` is the share of the variance that lies between
    questions. Of the ``n_repeated`` questions judged in two runs or more, ``n_flipped`` came out both right and wrong.

    Args:
        frames_by_replicate: for each run its long frame, as ``frames.read_frame`` returns it.

    Raises:
        TablesError: a frame has two rows for one question in one condition.
    """
    parts = [_outcomes(frame, replicate) for replicate, frame in frames_by_replicate.items()]
    if len(frames_by_replicate) < 2:
        reason = "one run: how far runs differ takes --replicates 2 or more"
        return single(_REPLICATE_COLUMNS, reason, n_replicates=len(frames_by_replicate))
    runs = [str(replicate) for replicate in frames_by_replicate]
    table = arranged(pd.concat([part[ONCE] for part in parts]).drop_duplicates(ignore_index=True))
    for part in parts:
        table = join(table, part, ONCE, "1:1")
    rows = []
    for key, group in groups(table, ARM):
        values = group[runs].to_numpy(dtype=float)
        rows.append({**dict(zip(ARM, key, strict=True)), **_between(values, runs)})
    return typed(rows, _REPLICATE_COLUMNS)


def _between(values: np.ndarray[Any, np.dtype[np.float64]], runs: Sequence[str]) -> dict[str, object]:
    result = replicate_variance(values)
    known = ~np.isnan(values)
    repeated = known.sum(axis=1) > 1
    right, wrong = (values == 1).any(axis=1), (values == 0).any(axis=1)
    n_repeated, n_flipped = int(repeated.sum()), int((right & wrong).sum())
    each = ["–" if accuracy is None else f"{accuracy:.6g}" for accuracy in result.accuracies]
    return {
        "n_questions": result.n_questions,
        "n_replicates": len(runs),
        "accuracy_by_run": "; ".join(f"{run}: {accuracy}" for run, accuracy in zip(runs, each, strict=True)),
        "mean": result.mean,
        "se_between_run": result.se_between_run,
        "se_between_question": result.se_between_question,
        "icc": result.icc,
        # Without an estimate nothing was cut off.
        "clamped": None if result.between_question is None else result.clamped,
        "n_repeated": n_repeated,
        "n_flipped": n_flipped,
        "flipped_share": n_flipped / n_repeated if n_repeated else None,
        "not_applicable": result.reason,
    }


_VARIANCE_COLUMNS: Final = (
    *(*ARM, "n_questions", "n_runs", "n_judges", "mean", "standard_error", "se_question", "se_run", "se_judge"),
    *("se_twice_questions", "se_one_more_run", "se_one_more_judge", "notes", "not_applicable", "method"),
)
_OPTIONS: Final = {
    "twice the questions": "se_twice_questions",
    "one more run": "se_one_more_run",
    "one more judge": "se_one_more_judge",
}


def variance_table(ratings_by_run: Mapping[int, pd.DataFrame], judges: Sequence[str]) -> pd.DataFrame:
    """Return which part of an accuracy's standard error comes from questions, runs and judges, and what more would buy.

    ``se_question``, ``se_run`` and ``se_judge`` add up as squares to ``standard_error``; the last three columns are the
    standard errors of a complete design with more of one of them. A part that has one level is missing: one run says
    nothing about runs. Questions count as independent here, so for the interval of an accuracy take ``table_1``.

    Args:
        ratings_by_run: for each run what ``read_ratings`` returns.
        judges: names of its columns.

    Raises:
        TablesError: a run has two answers to one question in one arm.
    """
    judges = list(dict.fromkeys(judges))
    by_run = {run: arranged(ratings, f"{_ANSWERS} of run {run}") for run, ratings in ratings_by_run.items()}
    if len(ratings_by_run) < 2 and len(judges) < 2:
        reason = "one run and one judge: to part them takes --replicates 2 or more, or a second --judge"
        return single(_VARIANCE_COLUMNS, reason, n_runs=len(ratings_by_run), n_judges=len(judges))
    whole = pd.concat([ratings.assign(run=run) for run, ratings in by_run.items()], ignore_index=True)
    rows = []
    for key, group in groups(whole, ARM):
        wide = group.pivot(index="question_id", columns="run", values=judges).astype("Float64")
        shape = (len(wide), len(judges), wide.shape[1] // max(len(judges), 1))
        values = wide.to_numpy(dtype=float, na_value=math.nan).reshape(shape).transpose(0, 2, 1)
        rows.append({**dict(zip(ARM, key, strict=True)), **_parts(crossed_variance(values))})
    return typed(rows, _VARIANCE_COLUMNS)


def _parts(result: CrossedVariance) -> dict[str, object]:
    row: dict[str, object] = {
        "n_questions": result.n_questions,
        "n_runs": result.n_runs,
        "n_judges": result.n_judges,
        **{
            name: None if math.isnan(getattr(result, name)) else getattr(result, name)
            for name in ("mean", "standard_error", "se_question", "se_run", "se_judge")
        },
        "notes": "; ".join(result.notes),
        "not_applicable": result.reason,
        "method": result.method,
    }
    if not result.reason:
        for option in design_options(result):
            if option.name in _OPTIONS and not math.isnan(option.standard_error):
                row[_OPTIONS[option.name]] = option.standard_error
    return row
