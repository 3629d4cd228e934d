"""What a scoring shows: its tables, where they come from, and what to know first."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, Final

import pandas as pd

from muddle_utils.analysis import benchmark_scores

# Shown by the face beside the tables that are made of them.
from muddle_utils.analysis.benchmark_scores import disagreement_rows as disagreement_rows
from muddle_utils.analysis.benchmark_scores import prediction_coverage as prediction_coverage
from muddle_utils.analysis.benchmark_scores import scored_frame as scored_frame
from muddle_utils.analysis.frames import ordered
from muddle_utils.analysis.reliability import judge_agreement
from muddle_utils.analysis.tables import N_RESAMPLES, SEED, generator
from muddle_utils.figures.items import SCORE_ITEMS
from muddle_utils.study.paths import Study
from muddle_utils.study.records import ANSWERED, Join

MISSING_WORDS: Final = {
    "wrong": "a question without a prediction counts as wrong",
    "exclude": "questions without a prediction are left out, so systems that leave out what they find hard look better",
}


def tables_of(
    frame: pd.DataFrame, joins: Sequence[Join], missing: str = "wrong", n_resamples: int = N_RESAMPLES, seed: int = SEED
) -> dict[str, pd.DataFrame]:
    """Return every table of a scoring by its file's name.

    Args:
        frame: as ``benchmark_scores.scored_frame`` returns it.
        joins: the systems' answers that it was made from.
        missing: ``wrong`` or ``exclude``.
        n_resamples: resamples of the intervals of agreement between judges.
        seed: of that resampling.

    Raises:
        TablesError: ``missing`` is neither.
    """
    judges = ordered(frame["judge"], ())
    rng = generator(seed, "score agreement")
    return {
        "scores": benchmark_scores.scores(frame, missing),
        "breakdown": benchmark_scores.breakdown(frame, missing),
        "interplay": benchmark_scores.interplay(frame, missing),
        "disagreements": benchmark_scores.disagreements(frame),
        "systems": benchmark_scores.between_systems(frame, missing),
        "predictions": benchmark_scores.prediction_coverage(joins),
        "score_judges": judge_agreement(benchmark_scores.ratings(frame), judges, rng, n_resamples),
    }


def scores_origin(frame: pd.DataFrame) -> dict[str, str]:
    """Return the day of the last verdict, and a digest of what the scores rest on, in whatever order it stands."""
    keys = ["system", "judge", "question_id"]
    columns = [*keys, "reference", "response", "status", "verdict", "equivalent", "abstained", "v1_score"]
    rows = frame[columns].astype("str").sort_values(keys).to_csv(index=False, lineterminator="\n").encode()
    return {"date": str(frame["judged_on"].max()), "digest": hashlib.sha256(rows).hexdigest()}


def first_judge(table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of the first judge, those of the first scorer included."""
    judge = next((name for name in table["judge"] if name), "")
    return table[table["judge"].isin([judge, ""])]


def save_all(made: Mapping[str, pd.DataFrame], study: Study, metadata: Mapping[str, Any], missing: str) -> None:
    """Write every table and the figure under the study's figures; ``made`` and ``missing`` as in ``tables_of``."""
    from muddle_utils.figures.show import Show  # matplotlib, which no other command needs
    from muddle_utils.figures.systems import figure_systems

    show = Show(study, metadata, SCORE_ITEMS)
    words = MISSING_WORDS[missing]
    for name, table in made.items():
        show(name, table, counted=f"{words[0].upper()}{words[1:]}.")
    parts = [first_judge(made[name]) for name in ("scores", "breakdown", "systems")]
    show("figure_systems", parts[0], figure_systems(*parts))


def missing_notice(joins: Sequence[Join], missing: str) -> str:
    """Return what to know first of a score: how many questions count as wrong for want of a prediction, or nothing."""
    lacking = [
        (found.system, sum(row.status not in ANSWERED for row in found.rows), len(found.rows)) for found in joins
    ]
    said = "; ".join(f"{system}: {n:,} of {of:,} questions" for system, n, of in lacking if n)
    if not said or missing != "wrong":
        return ""
    return f"{said} have no prediction and count as wrong; --missing exclude leaves them out"
