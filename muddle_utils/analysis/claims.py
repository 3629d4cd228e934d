"""What a study shows, as one sentence a research question, model and modality, written by rule from the tables.

A difference is ``shown`` when its clustered interval leaves out zero and its test still stands after Holm's adjustment
over the declared family; ``suggested`` when only the interval does; else ``not shown``. Not shown is not the same as
absent: for that there is the equivalence test.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import pandas as pd

from muddle_utils.analysis.frames import as_records
from muddle_utils.analysis.tables import typed
from muddle_utils.study.labels import contrast_name

ALPHA: Final = 0.05
# Of so many documents or fewer, flipping all signs alike is already more than 5 % of all ways: 2 in 2 ** 5.
FEW_DOCUMENTS: Final = 5
# With one document of twenty where all is lost, an interval over fewer than this holds the truth too seldom: see the
# scenarios "a heavy loss in one document of 20" of the calibration.
FEW_FOR_EQUIVALENCE: Final = 30
COLUMNS: Final = (
    *("research_question", "claim", "model", "modality", "difference", "low", "high", "level", "n_pairs"),
    *("n_documents", "p", "p_holm", "verdict", "not_applicable", "method"),
)
# By comparison, what it says when the second arm is worse, better, or not told apart.
_WORDS: Final = {
    "topic": (
        "Hard negatives cost more than random distractors",
        "Hard negatives cost less than random distractors",
        "No difference between hard negatives and random distractors can be told from zero",
    ),
    "length": (
        "Random distractors cost accuracy against the source alone",
        "Accuracy is higher among random distractors than with the source alone",
        "No cost of random distractors can be told from zero",
    ),
    "both": (
        "Hard negatives cost accuracy against the source alone",
        "Accuracy is higher among hard negatives than with the source alone",
        "No cost of hard negatives can be told from zero",
    ),
    "modality": (
        "The first modality gives more right answers than the second",
        "The first modality gives fewer right answers than the second",
        "No difference between the two modalities can be told from zero",
    ),
}
_KINDS: Final = {"control − random-2": "length", "control − random-4": "length", "control − hn-4": "both"}


def points(value: float) -> str:
    """Return a share as signed percentage points to one decimal, with a minus sign and none on zero."""
    text = f"{100 * value:+.1f}"
    return text.lstrip("+-") if float(text) == 0 else text.replace("-", "−")


def verdict_of(row: Mapping[str, Any]) -> str:
    """Return ``shown``, ``suggested`` or ``not shown``, or empty where no interval applies."""
    if pd.isna(row["low"]):
        return ""
    if float(row["low"]) <= 0 <= float(row["high"]):
        return "not shown"
    return "shown" if not pd.isna(row["p_holm"]) and float(row["p_holm"]) <= ALPHA else "suggested"


def _kind(row: Mapping[str, Any]) -> str:
    """Return which sentences a row of ``paired`` takes, empty if it is no headline."""
    if row["research_question"] == "RQ3":
        return "modality"
    return "topic" if row["pooling"] == "question" else _KINDS.get(row["contrast"], "")


def _number(n: int, of: str) -> str:
    return f"{n:,} {of}" if n == 1 else f"{n:,} {of}s"


def _counted(row: Mapping[str, Any]) -> str:
    counted = f"{_number(row['n_pairs'], 'question')} of {_number(row['n_documents'], 'document')}"
    return counted if _n_clusters(row) == row["n_documents"] else f"{counted} in {_number(_n_clusters(row), 'cluster')}"


def _n_clusters(row: Mapping[str, Any]) -> int:
    """Return how many are independent: documents, or the clusters of those that share hard negatives."""
    return int(row.get("n_clusters", row["n_documents"]))


def _p(row: Mapping[str, Any]) -> float | None:
    """Return the p-value of the test that keeps documents together, None where there is none."""
    value = row.get("p_document", row["p"])
    return None if pd.isna(value) else float(value)


def _doubt(row: Mapping[str, Any]) -> str:
    """Return why a difference whose interval leaves out zero is not shown."""
    if (n := _n_clusters(row)) <= FEW_DOCUMENTS:
        units = _number(n, "document" if n == row["n_documents"] else "cluster")
        return f", but no sign-flip test of {units} can reach 5 %"
    if (p := _p(row)) is None or p > ALPHA:
        return ", but its test does not reach 5 %" + ("" if p is None else f" (p = {p:.3f})")
    return f", but not after Holm's adjustment over the {row['n_family']} comparisons of {row['research_question']}"


def _sentence(row: Mapping[str, Any], kind: str, verdict: str) -> str:
    contrast = contrast_name(row["contrast"])
    if pd.isna(row["difference"]):
        return f"{contrast}: not applicable, {row['not_applicable'] or 'no difference'}."
    value = f"{contrast} is {points(row['difference'])} points"
    if not verdict:
        why = row["no_interval"] or "no interval"
        return f"{value} on {_counted(row)}, and no interval applies: {why}."
    worse, better, same = _WORDS[kind]
    said = {"not shown": same}.get(verdict, worse if float(row["difference"]) > 0 else better)
    doubt = _doubt(row) if verdict == "suggested" else ""
    return f"{said}{doubt}: {value} [{points(row['low'])}, {points(row['high'])}] on {_counted(row)}."


def _kept(row: Mapping[str, Any]) -> dict[str, object]:
    """Return what a claim takes over from its row."""
    return {name: row[name] for name in COLUMNS if name in row} | {"level": 95, "p": _p(row)}


def claims_table(paired: pd.DataFrame, equivalence: pd.DataFrame) -> pd.DataFrame:
    """Return the study's claims, one a row: RQ1 pooled over k, RQ2 against the control, RQ3, and equivalence.

    ``low`` and ``high`` end the interval of ``level`` percent: 95, of the claim on equivalence, whose tests are
    one-sided, 90.

    Args:
        paired: as ``comparisons.paired`` returns it.
        equivalence: as ``comparisons.equivalent`` returns it.
    """
    rows: list[dict[str, object]] = []
    for row in as_records(paired):
        if kind := _kind(row):
            verdict = verdict_of(row)
            rows.append(_kept(row) | {"claim": _sentence(row, kind, verdict), "verdict": verdict})
    for row in as_records(equivalence):
        if row["contrast"] == "control − random-4":
            rows.append(_equivalence(row))
    order = {name: place for place, name in enumerate(("RQ1", "RQ2", "RQ3"))}
    rows.sort(key=lambda row: order[str(row["research_question"])])
    return typed(rows, COLUMNS)


def _equivalence(row: Mapping[str, Any]) -> dict[str, object]:
    margin = f"{100 * row['margin']:g} points"
    kept = _kept(row) | {"research_question": "RQ2", "low": row["low_90"], "high": row["high_90"], "level": 90}
    if row["not_applicable"]:
        return kept | {
            "claim": f"Whether Random-4 stays within {margin} of Control: not applicable, {row['not_applicable']}."
        }
    inside = bool(row["equivalent"])
    said = (
        f"Random-4 stays within {margin} of Control"
        if inside
        else f"That Random-4 stays within {margin} of Control is not shown"
    )
    ends = f"the 90 % interval of Control − Random-4 is [{points(row['low_90'])}, {points(row['high_90'])}] points"
    few = inside and _n_clusters(row) < FEW_FOR_EQUIVALENCE
    doubt = " On so few a loss that is heavy and rare may not show, and the interval be too short." if few else ""
    return kept | {
        "claim": f"{said}: {ends} on {_counted(row)}.{doubt}",
        "verdict": "shown" if inside else "not shown",
    }
