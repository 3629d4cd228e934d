"""What a study's page says in sentences: the study in a few lines, its claims, its methods, and what to mind.

Every number is counted from rows or read from a table's CSV; no sentence holds one of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import pandas as pd

from muddle_utils.analysis.answers import read_frames
from muddle_utils.analysis.claims import points
from muddle_utils.analysis.frames import TablesError, analysis_command, as_records, ordered, rows_digest
from muddle_utils.inference import client
from muddle_utils.runs.executed import ANALYSES, BESIDE, Executed, beside_of, own_analyses, shown
from muddle_utils.runs.release.provenance import Rows, analysis_doubts
from muddle_utils.runs.stored import remake
from muddle_utils.study.labels import CONDITION_NAMES, MODALITY_NAMES, dollars, modality_names, value_text
from muddle_utils.study.paths import Study
from muddle_utils.study.records import CONDITIONS, MODALITIES
from muddle_utils.study.rows import RowsError
from muddle_utils.study.store import StoreError


@dataclass(frozen=True)
class Claim:
    """One claim with its numbers, all as texts: its sentence, of whom, and ``missing``, why there are no numbers."""

    text: str
    about: str
    verdict: str
    numbers: Sequence[tuple[str, str]]
    missing: str


# --- Claims ---------------------------------------------------------------------------------------------------------


_COUNTS: Final = {"n_pairs": "Pairs", "n_documents": "Source documents", "p": "p", "p_holm": "p (Holm)"}


QUESTIONS: Final = {
    "RQ1": "RQ1, topic: hard negatives against as many random distractors",
    "RQ2": "RQ2, length: more documents against fewer",
    "RQ3": "RQ3, modality: the same documents as text, images or PDF",
    "RQ4": "RQ4, model: the same questions asked of several models",
}


def claims_of(frame: pd.DataFrame) -> dict[str, list[Claim]]:
    """Return the rows of table ``claims`` as claims by research question; columns that it lacks are left out."""
    found: dict[str, list[Claim]] = {}
    for row in as_records(frame):
        known = {name: value for name, value in row.items() if not pd.isna(value) and value != ""}
        question = str(known.get("research_question", ""))
        found.setdefault(QUESTIONS.get(question, question or "Other claims"), []).append(_claim(known))
    return found


def _claim(row: Mapping[str, Any]) -> Claim:
    claim, why = str(row.get("claim", "")), str(row.get("not_applicable", ""))
    heading = f"Difference [{row['level']} % interval]" if "level" in row else "Difference [interval]"
    numbers = [(heading, _together(_difference(row, why)))] if "difference" in row else []
    numbers += [(heading, value_text(_number(row, name), name)) for name, heading in _COUNTS.items() if name in row]
    about = (str(row.get("model", "")), modality_names(str(row.get("modality", ""))))
    return Claim(
        _together(claim),
        ", ".join(part for part in about if part),
        str(row.get("verdict", "")),
        numbers,
        "" if "difference" in row or why in claim else why,
    )


def _together(text: str) -> str:
    """Return a text in which the two ends of an interval stay on one line."""
    return re.sub(r"(\[[^\[\], ]{1,12},) (?=[^\[\], ]{1,12}\])", "\\1\u00a0", text)


def _number(row: Mapping[str, Any], name: str) -> int | float:
    """Return a count as a whole number and a p-value as a fraction, whatever the file made of it."""
    return int(row[name]) if name.startswith("n_") else float(row[name])


def _difference(row: Mapping[str, Any], why: str) -> str:
    estimate = f"{points(float(row['difference']))} points"
    if {"low", "high"} <= row.keys():
        return f"{estimate} [{points(float(row['low']))}, {points(float(row['high']))}]"
    return f"{estimate} ({why or 'without interval'})"


def numbered(name: str) -> tuple[tuple[int, str], ...]:
    """Return a name as a key that sorts ``figure_10`` after ``figure_9``."""
    return tuple((int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", name))


# --- Methods --------------------------------------------------------------------------------------------------------


def methods_of(rows: Rows, frames: Mapping[str, pd.DataFrame]) -> list[tuple[str, list[str]]]:
    """Return how the study was made, in sentences by heading; ``frames`` are its tables by name."""
    return [
        ("Design", _design(rows)),
        ("Pairing", [_PAIRING]),
        ("Estimates and intervals", _uses(frames, "method", "No table has an interval yet.")),
        ("Tests", [*_uses(frames, "test", "No table has a test yet."), *_families(frames)]),
        ("Judge", _judging(rows)),
        ("Failures", [_FAILURES]),
    ]


_PAIRING: Final = (
    "A difference is the mean of the differences question by question, over the questions answered and judged in both "
    "arms: first arm minus second. Questions about one source document stand or fall together, so documents, and not "
    "questions, are what intervals resample or cluster by, unless a method below says otherwise."
)
_FAILURES: Final = (
    "A request that no route can carry, a response that failed, was refused or cut, and a verdict that cannot be read "
    "stay what they are, each with its cause: none is scored, and none is taken for a wrong answer. Table coverage "
    "counts them and bounds the accuracy by taking all of them for wrong, and all for right."
)


def _design(rows: Rows) -> list[str]:
    if not rows.questions or not rows.cells:
        return ["The questions and cells of this study are not on disk."]
    conditions = ordered(pd.Series([cell.condition for cell in rows.cells]), CONDITIONS)
    named = ", ".join(CONDITION_NAMES.get(name, name) for name in conditions)
    unanswerable = sum(question.answer_format == "None" for question in rows.questions)
    sources = {question.document_id for question in rows.questions}
    accidental = sum(bool(cell.accidental_hard_negatives) for cell in rows.cells)
    return [
        f"{len(rows.questions):,} questions about {len(sources):,} source documents, {unanswerable:,} of them without "
        f"an answer in their source, make {len(rows.cells):,} cells over the conditions {named}. Control shows a "
        "question's source alone; HN-k adds k hard negatives, documents near its topic; Random-k adds k documents "
        "drawn at random. The two arms of one k differ in topic and not in the number of documents.",
        "Which documents are drawn, and where the source stands among them, is seeded by the name of the question or "
        "cell: it is the same for every model and modality.",
        f"{accidental:,} cells of the random arms hold a document that is as near to the source as a hard negative.",
    ]


def _uses(frames: Mapping[str, pd.DataFrame], column: str, nothing: str) -> list[str]:
    """Return every text of a column of the tables, each with the tables that have it."""
    users: dict[str, list[str]] = {}
    for name in sorted(frames, key=numbered):
        if column in frames[name].columns:
            for text in frames[name][column].dropna().unique():
                users.setdefault(str(text), []).append(name)
    return [f"{text[:1].upper()}{text[1:]} (in {', '.join(names)})." for text, names in users.items()] or [nothing]


def _families(frames: Mapping[str, pd.DataFrame]) -> list[str]:
    """Return how many comparisons Holm's adjustment spans, by table and research question."""
    said = []
    for name in sorted(frames, key=numbered):
        frame = frames[name]
        if {"p_holm", "n_family", "research_question"} <= set(frame.columns):
            sizes = frame.dropna(subset=["p_holm", "n_family"])[["research_question", "n_family"]].drop_duplicates()
            families = [f"{row['n_family']} comparisons of {row['research_question']}" for row in as_records(sizes)]
            said += [f"Holm's adjustment spans {', '.join(families)} (in {name})."] if families else []
    return said


def _judging(rows: Rows) -> list[str]:
    names = list(dict.fromkeys(row.judge for row in rows.verdicts))
    if not names:
        return ["Nothing is judged yet."]
    given = [str(each.parameters["judge"]) for each in rows.notebooks if each.name == "05_analysis" and each.parameters]
    said = [f"Answers are judged right or wrong by {', '.join(names)}. The prompts are below, word for word."]
    return [*said, *[f"The tables go by {name}." for name in given]]


# --- What a reader has to know --------------------------------------------------------------------------------------


def notices_of(study: Study, rows: Rows, items: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return what is missing, stale or not what it looks like, each in a sentence; commands name no folder."""
    again = f"make them again with {remake(study, public=True)}"
    stale = [f"{said[:-1]}: {again}." for said in [*analysis_doubts(study, rows.notebooks), *_stale(rows, items)]]
    other = origin_doubts(study, rows.notebooks, items, public=True)
    return [*other, *_programs(rows), *_missing(rows), *_not_run(study, rows), *stale, *map(shown, rows.problems)]


def origin_doubts(
    study: Study, notebooks: Iterable[Executed], items: Mapping[str, Mapping[str, Any]], public: bool = False
) -> list[str]:
    """Return whether tables and figures were made of other rows than those on disk, with the command that mends it.

    The digest in the origin of each is compared with that of the rows as they are now, for the models, modalities and
    judges with which its notebook ran. What the notebooks did not make as they were last executed is not compared.

    Args:
        study: whose tables they are.
        notebooks: its executed notebooks.
        items: the entries of its figures manifest.
        public: whether the command is to name no folder.
    """
    now: dict[str, str] = {}
    other, unreadable = [], {}
    for each in own_analyses(study, notebooks):
        number = each.name[:2]
        made = _digests_of(study, items, each)
        if not made or not {"models", "modalities", "judge"} <= each.parameters.keys():
            continue
        try:
            wanted = repr([each.parameters.get(name) for name in _WANTED])
            now[wanted] = now.get(wanted) or _digest_now(study, each.parameters)
        except (RowsError, StoreError, TablesError) as error:
            unreadable[number] = shown(str(error)) if public else str(error)
            continue
        if made != {now[wanted]}:
            other.append(number)
    said = []
    if other:
        said.append(
            f"Tables and figures of notebook {' and '.join(other)} were made of other rows than those on disk, so "
            f"claims and numbers may be out of date: run {remake(study, other, public=public)}"
        )
    if unreadable:
        said.append(
            f"Whether the tables and figures of notebook {' and '.join(unreadable)} were made of the rows on disk "
            f"cannot be told ({next(iter(unreadable.values()))})."
        )
    return said


_WANTED: Final = ("models", "modalities", "judges", "judge", "others")


def _digests_of(study: Study, items: Mapping[str, Mapping[str, Any]], each: Executed) -> set[str]:
    """Return the digests of rows in the origins of what a notebook made as it was last executed."""
    client, modalities, judges = (list(each.parameters.get(name) or ()) for name in _WANTED[:3])
    judge = str(each.parameters.get("judge", ""))
    command = each.parameters.get("command") or analysis_command(
        study, each.name[:2], client, modalities, judges, judge
    )
    origins = [item.get("metadata", {}) for item in items.values()]
    return {str(origin["digest"]) for origin in origins if origin.get("command") == command and origin.get("digest")}


def _digest_now(study: Study, parameters: Mapping[str, Any]) -> str:
    studies = [study, *(replace(study, name=name) for name in beside_of(parameters))]
    client, modalities, judges = (list(parameters.get(name) or ()) for name in _WANTED[:3])
    return rows_digest(read_frames(studies, client, modalities, str(parameters["judge"]), judges))


def _programs(rows: Rows) -> list[str]:
    names = {row.model for row in rows.status.models} | {row.model for row in rows.attempts}
    names |= {row.judge for row in rows.verdicts}
    return [said for name, said in _PROGRAMS.items() if name in names]


_PROGRAMS: Final = {
    client.READER: f"{client.READER} is a lexical program for trying the pipeline: what it answers says nothing about "
    "language models.",
    client.RULES: f"{client.RULES} is a program that compares numbers, names and words: it knows few synonyms.",
}


def _missing(rows: Rows) -> list[str]:
    status = rows.status
    counts = {
        "requests are not sent yet": sum(row.not_yet_sent for row in status.models),
        "requests failed or were refused": sum(sum(row.failed.values()) for row in status.models),
        "cells are lost because a document has no rendering": sum(row.lost for row in status.models),
        "verdicts could not be read": sum(sum(row.unjudged.values()) for row in status.judges),
        "verdicts are of other answers, prompts or parameters": sum(sum(row.stale.values()) for row in status.judges),
        "answers have no verdict yet": sum(row.not_judged for row in status.judges),
        "stored answers belong to requests that the last plan does not hold": sum(
            row.answers for row in status.old_answers
        ),
    }
    nothing = [] if status.models else ["No requests are planned yet."]
    if status.models and not rows.attempts:
        nothing = ["No model was asked yet."]
    return [
        *nothing,
        *(f"{n:,} {what}." for what, n in counts.items() if n),
        *(f"Notebook {each.name.replace('--', ' ')} ended with an error." for each in rows.notebooks if each.failed),
    ]


def _not_run(study: Study, rows: Rows) -> list[str]:
    """Return which analyses are missing; where other studies are set beside this one, notebook 05 is all there is."""
    own = own_analyses(study, rows.notebooks)
    if any(BESIDE in each.name for each in own):
        return []
    undone = [number for number in ANALYSES if number not in {each.name[:2] for each in own}]
    return [
        f"Notebook {number} was not run yet, so what it makes is missing or of an earlier run: "
        f"{remake(study, (number,), public=True)}."
        for number in undone
    ]


def _stale(rows: Rows, items: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return whether tables and figures were made of different rows or questions, or before the last rows came."""
    origins = [item["metadata"] for item in items.values()]
    said = []
    made = {(origin["command"], origin["digest"]) for origin in origins if {"command", "digest"} <= origin.keys()}
    if len(made) > len({command for command, _ in made}):
        said.append("The tables and figures were not all made from the same rows.")
    if len({command.partition(" --only ")[0] for command, _ in made}) > 1:
        said.append("The tables and figures were not all made for the same models, modalities and judges.")
    early = sorted(date for origin in origins if (date := str(origin.get("date", ""))[:10]))[:1]
    if early and early[0] < rows.status.last[:10]:
        said.append(
            f"Tables or figures are of rows up to {early[0]}, and there are rows up to {rows.status.last[:10]}, which "
            "may belong to them."
        )
    return said


def _clock(time: str) -> str:
    """Return the time of a row for people.

    >>> _clock("2026-11-30T03:24:45+00:00")
    '2026-11-30 03:24 UTC'
    """
    return re.sub(r"^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)\S*\+00:00$", r"\1 \2 UTC", time)


def facts_of(rows: Rows) -> list[tuple[str, str]]:
    """Return the study in a few lines: what was asked of whom, how much of it is there, what it cost, and when."""
    status = rows.status
    asked = dict.fromkeys(row.model for row in status.models)
    modalities = ordered(pd.Series([row.modality for row in status.models], dtype="str"), MODALITIES)
    answered, planned = (sum(getattr(row, name) for row in status.models) for name in ("answered", "asked"))
    unknown = f", and {status.unknown_costs:,} rows of unknown cost" if status.unknown_costs else ""
    sources = {question.document_id for question in rows.questions}
    found = [
        ("Questions", f"{len(rows.questions):,}" if rows.questions else ""),
        ("Source documents", f"{len(sources):,}" if sources else ""),
        ("Models", ", ".join(asked)),
        ("Modalities", ", ".join(MODALITY_NAMES.get(name, name) for name in modalities)),
        ("Answered", f"{answered:,} of {planned:,} requests" if status.models else ""),
        ("Judges", ", ".join(dict.fromkeys(row.judge for row in rows.verdicts))),
        ("Spent", f"{dollars(status.spent_answers + status.spent_verdicts)}{unknown}" if status.first else ""),
        ("Rows from", f"{_clock(status.first)} to {_clock(status.last)}" if status.first else ""),
    ]
    return [(name, text) for name, text in found if text]
