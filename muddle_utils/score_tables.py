"""What a scoring shows: its tables with their captions, the summary on the screen, and the file of every row."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import pandas as pd

from muddle_utils import scores
from muddle_utils.frames import as_records, ordered
from muddle_utils.gold import Gold
from muddle_utils.predictions import PREDICTED, Join
from muddle_utils.printing import save_table, value_text
from muddle_utils.reliability import judge_agreement
from muddle_utils.study import Study
from muddle_utils.tables import N_RESAMPLES, SEED, generator

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
        frame: as ``scores.scored_frame`` returns it.
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
            scores.scores(frame, missing),
            "Accuracy, recall, precision and F1 by MMLongBench-Doc-V2, and by its first scorer without a judge.",
            f"{counted} least and most are the values if all unjudged responses turn out wrong, or right.",
        ),
        "breakdown": Titled(
            scores.breakdown(frame, missing),
            "Accuracy by stratum, evidence source, document type, task type, answer format and need to be seen.",
            f"{counted} Strata are disjoint; a question may have several evidence sources. Task type and requires "
            "visual are labels that a model made.",
        ),
        "interplay": Titled(
            scores.interplay(frame, missing),
            "Accuracy by whether the evidence is a chart or figure, against whether the page has to be seen.",
            counted,
        ),
        "disagreements": Titled(
            scores.disagreements(frame),
            "Where the first scorer and V2 disagree, by the rule that decided the first scorer's score.",
            "gap is the row's part of V2's accuracy minus the first scorer's, over judged responses. One example each.",
        ),
        "systems": Titled(
            scores.between_systems(frame, missing),
            "Paired differences in V2 accuracy between systems, on the same questions.",
            "p is the exact McNemar test, p (documents) the sign-flip test with documents as units, Holm's over pairs.",
        ),
        "predictions": Titled(scores.coverage(joins), "What each predictions file holds."),
    }
    rng = generator(seed, "score agreement")
    agreement = judge_agreement(scores.ratings(frame), judges, rng, n_resamples)
    made["score_judges"] = Titled(agreement, "How far the judges agree.")
    return made


def origin_of(frame: pd.DataFrame) -> dict[str, str]:
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
    from muddle_utils.score_figures import figure_systems  # matplotlib, which no other command needs
    from muddle_utils.style import save_figure

    for name, titled in made.items():
        save_table(name, titled.table, study, titled.caption, titled.notes, metadata)
    parts = [first_judge(made[name].table) for name in ("scores", "breakdown", "systems")]
    save_figure("figure_systems", figure_systems(*parts), study, FIGURE_CAPTION, parts[0], metadata)


# --- On the screen --------------------------------------------------------------------------------------------------


def _number(value: object) -> str:
    return "–" if pd.isna(value) else f"{float(value):.3f}"  # type: ignore[call-overload, arg-type]


def _estimate(row: Mapping[str, Any]) -> str:
    said = _number(row["value"])
    if not pd.isna(row["low"]):
        said += f" [{_number(row['low'])}, {_number(row['high'])}]"
    if row["n_unjudged"] and not pd.isna(row["least"]):
        said += f" ({_number(row['least'])} to {_number(row['most'])})"
    return said + (f" {row['not_applicable']}" if row["not_applicable"] else "")


def _scores_lines(rows: pd.DataFrame) -> list[str]:
    lines = []
    for row in as_records(rows):
        name = f"{row['scorer']} {row['metric']}"
        lines.append(f"  {name:<14}{_estimate(row):<42}{row['n_questions']:>7,} questions")
    return lines


def summary(made: Mapping[str, Titled], gold: Gold, judges: Mapping[str, str], missing: str) -> str:
    """Return the scores as lines for people: what was scored against what, each value with its interval and n.

    Args:
        made: as ``tables_of`` returns it.
        gold: the annotation.
        judges: the digest of each judge's model, prompt and parameters, by name.
        missing: ``wrong`` or ``exclude``.
    """
    known = gold.name.partition(" + ")[0] in ("v1", "v2")
    pinned = (" (as pinned)" if gold.pinned else " (not the pinned revision)") if known else ""
    n_documents = len({question.document_id for question in gold.questions})
    lines = [
        f"annotation {gold.name}, revision {gold.revision}{pinned}: {len(gold.questions):,} questions of "
        f"{n_documents:,} documents; {MISSING_WORDS[missing]}",
        *(f"judge {name}, fingerprint {digest[:12]}" for name, digest in judges.items()),
        *gold.notes,
    ]
    table = made["scores"].table
    for counts in as_records(made["predictions"].table):
        system = counts["system"]
        n_missing = counts["n_questions"] - counts["n_predicted"]
        lines += ["", f"{system}: {counts['n_predicted']:,} predicted, {n_missing:,} without a usable prediction"]
        own = table[table["system"].eq(system)]
        for judge in ordered(own["judge"], ()):
            rows = own[own["judge"].eq(judge)]
            n_unjudged = int(rows["n_unjudged"].max() or 0)
            head = f" by {judge}, {n_unjudged:,} unjudged" if judge else " by the first scorer (v1), without a judge"
            lines += [head, *_scores_lines(rows)]
    between = made["systems"].table
    for row in as_records(between[between["second"].ne("")]):
        said = f"{row['first']} − {row['second']} by {row['judge']}"
        if pd.isna(row["difference"]):
            lines += ["", f"{said}: {row['not_applicable']}"]
            continue
        numbers = f"{100 * row['difference']:+.1f} points".replace("-", "−")
        if not pd.isna(row["low"]):
            numbers += f" [{100 * row['low']:+.1f}, {100 * row['high']:+.1f}]".replace("-", "−")
        tests = "".join(
            f", {name} {value_text(row[column], column)}"
            for name, column in (("McNemar p", "p"), ("p over documents", "p_document"), ("Holm", "p_holm"))
            if not pd.isna(row[column])
        )
        counted = f"{row['first_only']} to {row['second_only']} of {row['n_questions']:,} questions"
        lines += ["", f"{said}: {numbers}, {counted}{tests}"]
    return "\n".join(lines)


def written(frame: pd.DataFrame, made: Mapping[str, Titled], joins: Sequence[Join], about: Mapping[str, Any]) -> bytes:
    """Return the file of a scoring as JSON: what was scored, all scores, and every row with its verdict.

    Args:
        frame: as ``scores.scored_frame`` returns it.
        made: as ``tables_of`` returns it.
        joins: the systems' answers; rows that found no question are listed.
        about: what was scored against what.
    """
    left_out = [
        {"system": found.system, "place": row.place, "doc_id": row.doc_id, "question": row.question, "why": why}
        for found in joins
        for why, rows in (
            ("matches no question", found.unmatched),
            ("said twice", found.repeated),
            ("answered twice and differently", found.contradicting),
        )
        for row in rows
    ]
    asked = frame.drop_duplicates(["system", "question_id"])
    n_predicted = {
        system: int(rows["status"].eq(PREDICTED).sum()) for system, rows in asked.groupby("system", sort=False)
    }
    tables = {name: json.loads(made[name].table.to_json(orient="records")) for name in ("scores", "systems")}
    rows = json.loads(frame.drop(columns="judge_fingerprint").to_json(orient="records", force_ascii=False))
    whole = {
        **about,
        "n_predicted": n_predicted,
        **tables,
        "left_out": left_out,
        "rows": rows,
    }
    return (json.dumps(whole, indent=1, ensure_ascii=False) + "\n").encode()
