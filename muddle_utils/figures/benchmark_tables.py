"""What a scoring shows: its tables with their captions, the summary on the screen, and the file of every row."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import pandas as pd

from muddle_utils.analysis import benchmark_scores

# Shown by the face beside the tables that are made of them.
from muddle_utils.analysis.benchmark_scores import disagreement_rows as disagreement_rows
from muddle_utils.analysis.benchmark_scores import prediction_coverage as prediction_coverage
from muddle_utils.analysis.benchmark_scores import scored_frame as scored_frame
from muddle_utils.analysis.frames import ordered
from muddle_utils.analysis.reliability import judge_agreement
from muddle_utils.analysis.tables import N_RESAMPLES, SEED, generator
from muddle_utils.figures.writers import save_table
from muddle_utils.study.paths import Study
from muddle_utils.study.records import ANSWERED, Join

MISSING_WORDS: Final = {
    "wrong": "a question without a prediction counts as wrong",
    "exclude": "questions without a prediction are left out, so systems that leave out what they find hard look better",
}
FIGURE_CAPTION: Final = (
    "V2 scores of each system with 95 % intervals over documents; in paired differences, right of zero the first "
    "system is better."
)


class Titled(NamedTuple):
    """A table, what it shows, and what has to be known to read it."""

    table: pd.DataFrame
    caption: str
    notes: str = ""


def tables_of(
    frame: pd.DataFrame, joins: Sequence[Join], missing: str = "wrong", n_resamples: int = N_RESAMPLES, seed: int = SEED
) -> dict[str, Titled]:
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
    counted = f"{MISSING_WORDS[missing][0].upper()}{MISSING_WORDS[missing][1:]}." if missing in MISSING_WORDS else ""
    judges = ordered(frame["judge"], ())
    made = {
        "scores": Titled(
            benchmark_scores.scores(frame, missing),
            "Accuracy, recall, precision and F1 by MMLongBench-Doc-V2, and by its first scorer without a judge.",
            f"{counted} least and most are the values if all unjudged responses turn out wrong, or right.",
        ),
        "breakdown": Titled(
            benchmark_scores.breakdown(frame, missing),
            "Accuracy by stratum, evidence source, document type, task type, answer format and need to be seen.",
            f"{counted} Strata are disjoint; a question may have several evidence sources. Task type and requires "
            "visual are labels that a model made.",
        ),
        "interplay": Titled(
            benchmark_scores.interplay(frame, missing),
            "Accuracy by whether the evidence is a chart or figure, against whether the page has to be seen.",
            counted,
        ),
        "disagreements": Titled(
            benchmark_scores.disagreements(frame),
            "Where the first scorer and V2 disagree, by the rule that decided the first scorer's score.",
            "gap is the row's part of V2's accuracy minus the first scorer's, over judged responses. One example each.",
        ),
        "systems": Titled(
            benchmark_scores.between_systems(frame, missing),
            "Paired differences in V2 accuracy between systems, on the same questions.",
            "p is the exact McNemar test, p (documents) the sign-flip test with documents as units, Holm's over pairs.",
        ),
        "predictions": Titled(benchmark_scores.prediction_coverage(joins), "What each predictions file holds."),
    }
    rng = generator(seed, "score agreement")
    agreement = judge_agreement(benchmark_scores.ratings(frame), judges, rng, n_resamples)
    made["score_judges"] = Titled(agreement, "How far the judges agree.")
    return made


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


def save_all(made: Mapping[str, Titled], study: Study, metadata: Mapping[str, Any] | None = None) -> None:
    """Write every table and the figure under the study's figures."""
    from muddle_utils.figures.style import save_figure  # matplotlib, which no other command needs
    from muddle_utils.figures.systems import figure_systems

    for name, titled in made.items():
        save_table(name, titled.table, study, titled.caption, titled.notes, metadata)
    parts = [first_judge(made[name].table) for name in ("scores", "breakdown", "systems")]
    save_figure("figure_systems", figure_systems(*parts), study, FIGURE_CAPTION, parts[0], metadata)


def missing_notice(joins: Sequence[Join], missing: str) -> str:
    """Return what to know first of a score: how many questions count as wrong for want of a prediction, or nothing."""
    lacking = [
        (found.system, sum(row.status not in ANSWERED for row in found.rows), len(found.rows)) for found in joins
    ]
    said = "; ".join(f"{system}: {n:,} of {of:,} questions" for system, n, of in lacking if n)
    if not said or missing != "wrong":
        return ""
    return f"{said} have no prediction and count as wrong; --missing exclude leaves them out"
