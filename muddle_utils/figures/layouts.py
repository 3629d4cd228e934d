"""Tables laid out for reading: which columns, in which words, with which notes. Nothing here computes a number."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

import pandas as pd

from muddle_utils.analysis.frames import as_records, ordered
from muddle_utils.analysis.implied import EXACT, NO_SOLUTION
from muddle_utils.analysis.published import DIGITS
from muddle_utils.figures.writers import escaped_markdown
from muddle_utils.study.labels import (
    CONDITION_NAMES,
    MODALITY_NAMES,
    contrast_name,
    estimate_text,
    modality_names,
    number_text,
    value_text,
)
from muddle_utils.study.records import CONDITIONS, MODALITIES

# --- Discordant pairs ---------------------------------------------------------------------------------------------


def print_discordance(table: pd.DataFrame) -> pd.DataFrame:
    """Return ``discordance`` for reading: a row for each test, a column for each printed p-value.

    A cell has the discordant pairs, first arm only and second arm only right, and their share; or, where no whole
    numbers fit, the nearest p-value. Beside them stand how many p-values a test reproduces, and how likely a test is to
    reproduce all that it did not make.
    """
    names = ["model", "contrast", "p"]
    printed = list(dict.fromkeys(table[names].itertuples(index=False, name=None)))
    rows = []
    for (test, sides), group in table[table["test"].ne("")].groupby(["test", "sides"], sort=False):
        chosen = {key: as_records(group[group[names].eq(list(key)).all(axis=1)]) for key in printed}
        fitting = {key: [row for row in chosen[key] if row["conclusion"] != NO_SOLUTION] for key in printed}
        cells = {
            _heading(key): "; ".join(_pairs_text(row) for row in fitting[key] or chosen[key][:1]) for key in printed
        }
        n_fitting = sum(bool(each) for each in fitting.values())
        chance = math.prod(each[0]["chance"] for each in chosen.values() if each)
        row = {"Test": str(test), "Sides": str(sides), **cells, "Reproduced": f"{n_fitting} of {len(printed)}"}
        rows.append(row | {"By chance": f"{100 * chance:.0f} %"})
    layout = pd.DataFrame(rows, dtype="str")
    layout.attrs["notes"] = " ".join([DISCORDANCE_NOTES, *_other_notes(table)])
    return layout


DISCORDANCE_NOTES: Final = (
    "Pairs right in the first arm only, in the second arm only, and their share of all pairs; where no whole numbers "
    "give the printed p at the printed gap, the nearest p. By chance: how likely a test that did not make the printed "
    "p-values reproduces all of them."
)


def _heading(key: tuple[str, str, float]) -> str:
    return f"{key[0]}, {contrast_name(key[1])}, p = {key[2]:.{DIGITS}f}"


def _other_notes(table: pd.DataFrame) -> list[str]:
    """Return what the exact test finds where the difference may be another than Table 1's."""
    chosen = table[table["test"].eq(EXACT) & table["sides"].eq("two-sided") & table["other_differences"].ne("")]
    return [
        f"{row['model']}, {contrast_name(row['contrast'])}: on the {row['n_pairs']} questions answered in both arms "
        f"the gap may be another than Table 1's; the two-sided exact test then also fits {row['other_differences']}."
        for row in as_records(chosen)
    ]


def _pairs_text(row: Mapping[str, Any]) -> str:
    if row["conclusion"] == NO_SOLUTION:
        return f"none (nearest p {row['p_test']:.4f})"
    return f"{row['a_only']}, {row['b_only']} ({100 * row['discordance']:.1f} % of {row['n_pairs']})"


# --- Intervals of the gaps ----------------------------------------------------------------------------------------


def print_intervals(table: pd.DataFrame) -> pd.DataFrame:
    """Return ``intervals`` for reading: gap and interval, pairs and documents, discordant pairs and their source."""
    rows = [
        {
            "Model": row["model"],
            "Comparison": contrast_name(row["contrast"]),
            "Gap [95 % interval]": estimate_text(row, "gap", "+"),
            "n pairs (documents)": _or_dash(f"{row['n_pairs']} ({row['n_documents']})", row),
            "Only first / only second right": _or_dash(f"{row['a_only']} / {row['b_only']}", row),
            "Discordant pairs from": row["discordance_from"] or "–",
            "p": _or_dash(value_text(row["p"], "p"), row),
            "Power": _or_dash(value_text(row["power"], "power"), row),
        }
        for row in as_records(table)
    ]
    layout = pd.DataFrame(rows, dtype="str")
    layout.attrs["notes"] = "Power: to find a true gap of this size at 5 % with as many pairs and discordant pairs."
    return layout


def _or_dash(text: str, row: Mapping[str, Any]) -> str:
    return "–" if pd.isna(row["n_pairs"]) else text


# --- Lengths ------------------------------------------------------------------------------------------------------


def print_lengths(table: pd.DataFrame) -> pd.DataFrame:
    """Return ``lengths`` for reading: sizes with thousands separators, the excess in percent."""
    return pd.DataFrame(
        [
            {
                "k (added docs)": str(row["k"]),
                "Measure": row["measure"],
                "Hard negatives": f"{row['hard_negatives']:,.0f}",
                "Random": f"{row['random']:,.0f}",
                "Excess": f"{100 * row['excess']:+.1f} %".replace("-", "−"),
                "If length costs accuracy": row["confound"],
            }
            for row in as_records(table)
        ],
        dtype="str",
    )


def headline(table: pd.DataFrame) -> str:
    """Return the verdict on RQ1 as Markdown, one sentence for each model and modality, in order."""
    rows = [row for row in as_records(table) if row["research_question"] == "RQ1"]
    if not rows:
        return "RQ1 is not applicable: no model was asked both kinds of distractor at both sizes."
    return " ".join(f"{_asked(row)}: {escaped_markdown(row['claim'])}" for row in rows)


def listed(table: pd.DataFrame) -> str:
    """Return all claims as a Markdown list, the study's own words escaped."""
    rows = as_records(table)
    lines = [f"- **{row['research_question']}** ({_asked(row)}): {escaped_markdown(row['claim'])}" for row in rows]
    return "\n".join(lines) or "No comparison applies."


def _asked(row: Mapping[str, Any]) -> str:
    return escaped_markdown(f"{row['model']}, {modality_names(row['modality'])}")


def print_table_1(table: pd.DataFrame) -> pd.DataFrame:
    """Return ``table_1`` in the paper's layout: a row for each model and condition, a column for each modality.

    Each cell holds accuracy and interval; beside it n asked/answered/judged, and how many source documents the judged
    questions are about. What was not asked is a dash.
    """
    cells = {
        (row["model"], row["condition"], row["modality"]): (
            estimate_text(row) + _marked(row),
            f"{row['n_asked']:,}/{row['n_answered']:,}/{row['n_judged']:,} ({row['n_documents']:,})",
        )
        for row in as_records(table)
    }
    modalities = [name for name in MODALITIES if name in set(table["modality"])]
    conditions = ordered(table["condition"], CONDITIONS)
    rows = []
    for model in table["model"].unique():
        for condition in conditions:
            row = {"Model": model, "Condition": CONDITION_NAMES.get(condition, condition)}
            for name in modalities:
                value, counts = cells.get((model, condition, name), ("–", "–"))
                row[MODALITY_NAMES[name]] = value
                row[f"n (documents), {MODALITY_NAMES[name]}"] = counts
            rows.append(row)
    layout = pd.DataFrame(rows, dtype="str")
    remarks = [f"{_named_cell(row)}: {row['remark']}." for row in as_records(table) if row["remark"]]
    counted = "n (documents): questions asked/answered/judged, and source documents of the judged. –: not asked."
    layout.attrs["notes"] = " ".join([counted, *remarks])
    return layout


def _marked(row: Mapping[str, Any]) -> str:
    """Return the mark of an estimate that rests on a route that shows the model something else."""
    return " (not comparable)" if row["remark"] else ""


def _named_cell(row: Mapping[str, Any]) -> str:
    modality = MODALITY_NAMES.get(row["modality"], row["modality"])
    return f"{row['model']}, {modality}, {CONDITION_NAMES.get(row['condition'], row['condition'])}"


def _p_text(p: float) -> str:
    return "not applicable" if pd.isna(p) else number_text(p, "p")


def print_paired(table: pd.DataFrame) -> pd.DataFrame:
    """Return ``paired`` for reading: difference and interval, n and documents, discordant pairs, p and Holm's p."""
    rows = []
    for row in as_records(table):
        p_holm = "–" if pd.isna(row["p_holm"]) else f"{number_text(row['p_holm'], 'p')} (of {row['n_family']})"
        rows.append(
            {
                "RQ": row["research_question"],
                "Comparison": contrast_name(row["contrast"]),
                "Model": row["model"],
                "Modality": modality_names(row["modality"]),
                "Difference [95 % interval]": estimate_text(row, "difference", "+") + _marked(row),
                "n (documents)": f"{row['n_pairs']:,} ({row['n_documents']:,})",
                "Only first / only second right": f"{row['a_only']} / {row['b_only']}",
                "p, questions": _p_text(row["p"]),
                "p, documents": _p_text(row["p_document"]),
                "Holm (family size)": p_holm,
            }
        )
    layout = pd.DataFrame(rows, dtype="str")
    remarks = [
        f"{contrast_name(row['contrast'])}, {row['model']}: {contrast_name(row['remark'])}."
        for row in as_records(table)
        if row["remark"] and row["pooling"] != "pairs"
    ]
    explained = (
        "Difference: first arm minus second, over the n questions (or pairs) answered and judged in both. "
        "p, questions: exact two-sided McNemar test; pooled over k, exact sign-flip test of each question's mean; it "
        "takes questions for independent. p, documents: sign-flip test of whole source documents, the headline. Holm: "
        "adjusts the latter within one research question, over all its models and modalities."
    )
    layout.attrs["notes"] = " ".join([explained, *remarks])
    return layout


def print_disagreements(table: pd.DataFrame, n_rows: int = 50, n_chars: int = 160) -> pd.DataFrame:
    """Return ``disagreements`` for reading: the first ``n_rows``, each text cut to ``n_chars`` characters."""
    names = {"question": "Question", "reference": "Reference", "text": "Answer", "verdicts": "Verdicts"}
    rows = [
        {
            "Model": row["model"],
            "Modality": MODALITY_NAMES.get(row["modality"], row["modality"]),
            "Condition": CONDITION_NAMES.get(row["condition"], row["condition"]),
            **{heading: _cut(row[name], n_chars) for name, heading in names.items()},
            "Not applicable": row["not_applicable"],
        }
        for row in as_records(table.head(n_rows))
    ]
    layout = pd.DataFrame(rows, dtype="str")
    if table["not_applicable"].eq("").all():
        layout = layout.drop(columns="Not applicable", errors="ignore")
    if table["cell_id"].ne("").any():
        layout.attrs["notes"] = f"{len(layout):,} of {len(table):,} answers, long texts cut; the CSV file holds all."
    return layout


def _cut(text: str, n_chars: int) -> str:
    return text if len(text) <= n_chars else f"{text[: n_chars - 1]}…"
