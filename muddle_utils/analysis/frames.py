"""A study's rows to one long frame: a row for every cell, model and modality that is asked.

``long_frame`` has one row for every (cell, model, modality) that the study asks, answered or not, so that a gap is a
row with a reason and never a smaller denominator. What tables, figures and the failure browser do with frames alike
(orders, joins that lose no row, refused duplicates) is here too.

The module reads no files (see ``answers``), computes no table (see ``tables``) and judges no answer.
"""

from __future__ import annotations

import hashlib
import json
import math
import shlex
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from muddle_utils.study.errors import MuddleError
from muddle_utils.study.paths import Study
from muddle_utils.study.records import (
    CONDITIONS,
    MODALITIES,
    Cell,
    Document,
    Exclusion,
    Question,
    Rendering,
    Request,
    Response,
    Verdict,
)
from muddle_utils.study.rows import digest

KEYS: Final = ["cell_id", "model", "modality"]
# What may occur once: one answer to one question in one arm.
ONCE: Final = ["model", "modality", "condition", "question_id"]
FRAME_TYPES: Final[dict[str, str]] = {
    "question_id": "str",
    "cell_id": "str",
    "condition": "str",
    "k": "int64",
    "distractor_type": "str",
    "model": "str",
    "modality": "str",
    "document_id": "str",
    "cluster": "str",
    "document_type": "str",
    "answer_format": "str",
    "skill": "str",
    "question": "str",
    "reference": "str",
    "n_pages": "Int64",
    "n_chars": "Int64",
    "status": "str",
    "cause": "str",
    "reason": "str",
    "text": "str",
    "finish_reason": "str",
    "answered": "bool",
    "judged": "bool",
    "correct": "boolean",
    "score": "Float64",
    "exact_match": "Float64",
    "f1": "Float64",
    "abstained": "boolean",
    "judge": "str",
    "reasoning": "str",
    "confidence": "Float64",
    "read_from": "str",
    "tokens_in": "Int64",
    "tokens_least": "Int64",
    "tokens_estimate": "Int64",
    "cost": "Float64",
    "n_response_chars": "Int64",
    "route": "str",
    "comparable": "bool",
    "fingerprint": "str",
    "prompt_digest": "str",
    "cell_digest": "str",
    "judge_fingerprint": "str",
    "time": "str",
    "limit": "str",
    "limit_size": "Int64",
    "limit_most": "Int64",
}
# What differs between two runs of the same results: prices, times, and digests of parts that tables never look at.
UNSTABLE: Final = frozenset({"cost", "time", "fingerprint"})
# What other columns say in words, and the digest with them: the cause, and the documents of the cells.
_IN_WORDS: Final = frozenset({"limit", "limit_size", "limit_most", "cluster"})
# Between the names of all that a question shares, where clusters overlap.
_AND: Final = "\n"
# What is taken for independent, by how the sources of a study share hard negatives.
DOCUMENTS: Final = "source documents"
SOURCE_CLUSTERS: Final = "source clusters"
TWO_WAY: Final = "source documents and shared hard negatives"


class TablesError(MuddleError, ValueError):
    """Rows that cannot make a table; the message names them and the mend."""


def as_records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return a frame's rows as mappings from column to value."""
    return [{str(name): value for name, value in row.items()} for row in frame.to_dict("records")]


def refuse_duplicates(frame: pd.DataFrame, keys: list[str], what: str) -> None:
    """Refuse a frame in which two rows share ``keys``; ``what`` names the rows in the message.

    Raises:
        TablesError: there are such rows; the message gives the first one's key.
    """
    repeated = frame[frame.duplicated(keys, keep=False)]
    if len(repeated):
        first = ", ".join(f"{key} = {repeated.iloc[0][key]!r}" for key in keys)
        raise TablesError(f"{len(repeated)} {what} share a key, the first being {first}: pass one row a key")


def join(left: pd.DataFrame, right: pd.DataFrame, on: list[str], validate: str) -> pd.DataFrame:
    """Return ``left`` with the columns of ``right``; every row of ``left`` stays, once."""
    joined = left.merge(right, on=on, how="left", validate=validate)  # type: ignore[arg-type]
    assert len(joined) == len(left), f"a merge on {on} changed {len(left)} rows into {len(joined)}"
    return joined


def ordered(values: Iterable[str], order: Sequence[str]) -> list[str]:
    """Return the distinct values, those in ``order`` first and as they stand there, the others as they first appear."""
    present = list(dict.fromkeys(values))
    return [value for value in order if value in present] + [value for value in present if value not in order]


def places(values: pd.Series[Any], order: Sequence[str]) -> pd.Series[Any]:
    """Return each value's place in ``order``; unknown values come after it, as they first appear."""
    known = list(dict.fromkeys([*order, *values]))
    return values.map({value: place for place, value in enumerate(known)})


def in_order(frame: pd.DataFrame, questions: Sequence[Question]) -> pd.DataFrame:
    """Return the rows by model as they first appear, then modality, condition and question as the study has them."""
    order = pd.DataFrame(
        {
            "model": places(frame["model"], ()),
            "modality": places(frame["modality"], MODALITIES),
            "condition": places(frame["condition"], CONDITIONS),
            "question": places(frame["question_id"], [question.question_id for question in questions]),
        }
    ).sort_values(["model", "modality", "condition", "question"], kind="stable")
    return frame.loc[order.index].reset_index(drop=True)


def arranged(frame: pd.DataFrame, what: str = "rows of one question in one arm") -> pd.DataFrame:
    """Return a frame's rows by model, modality, condition and question, for tables that no order of rows changes.

    Models stand as the frame first names them, which is the order in which they were asked; modalities and conditions
    in that of the study, others and questions by name.

    Args:
        frame: the long frame, or one with the columns ONCE.
        what: what its rows are, for the message.

    Raises:
        TablesError: a question has two rows in one arm; the message names the first.
    """
    refuse_duplicates(frame, ONCE, what)
    codes = [_ranks(frame["question_id"], ()), _ranks(frame["condition"], CONDITIONS)]
    codes += [_ranks(frame["modality"], MODALITIES), pd.factorize(frame["model"])[0]]
    return frame.iloc[np.lexsort(codes)].reset_index(drop=True)


def _ranks(values: pd.Series[Any], order: Sequence[str]) -> NDArray[np.int64]:
    """Return each value's place: those in ``order`` as they stand there, then the others by name."""
    codes, found = pd.factorize(values, sort=True)
    known = [*order, *(name for name in found if name not in order)]
    return np.array([known.index(name) for name in found], dtype=np.int64)[codes] if order else codes


def total_size(document_ids: Sequence[str], sizes: Mapping[str, int]) -> int | None:
    """Return the summed size of a cell's documents, None where one of them has no size."""
    return sum(sizes[name] for name in document_ids) if all(name in sizes for name in document_ids) else None


# --- What is not independent ------------------------------------------------------------------------------------


def cluster_labels(questions: Sequence[Question], cells: Sequence[Cell]) -> dict[str, str]:
    """Return each question's cluster: the sources that share a hard negative with its own or are each other's.

    These are the connected components, named by their first source. Where one of them holds more than half of the
    questions there are too few to tell how they vary. Clusters then overlap: a question's label names its source and
    its hard negatives, and any two questions that share one of them are taken for dependent, which is the two-way
    clustering by source and distractor of Cameron, Gelbach and Miller (2011).
    """
    source_of = {question.question_id: question.document_id for question in questions}
    shared: dict[str, set[str]] = {name: {name} for name in source_of.values()}
    for cell in cells:
        if cell.question_id in source_of and cell.distractor_type == "hard_negative":
            shared[source_of[cell.question_id]].update(cell.document_ids)
    head: dict[str, str] = {}

    def root(name: str) -> str:
        while head.setdefault(name, name) != name:
            name = head[name]
        return name

    for source, names in shared.items():
        for name in names:
            head[root(name)] = root(source)
    first: dict[str, str] = {}
    for source in sorted(shared):
        first.setdefault(root(source), source)
    component = {question: first[root(source)] for question, source in source_of.items()}
    largest = max(Counter(component.values()).values(), default=0)
    if 2 * largest <= len(component) or len(shared) < 2:
        return component
    return {question: _AND.join([source, *sorted(shared[source] - {source})]) for question, source in source_of.items()}


def clusters_of(frame: pd.DataFrame) -> pd.Series[Any]:
    """Return each question's label for ``stats``, by question in order of their names: a name, or a set of names."""
    known_by = frame[["question_id", "cluster"]].sort_values(["question_id", "cluster"])
    labels = known_by.drop_duplicates("question_id").set_index("question_id")["cluster"]
    if clusters_text(frame) != TWO_WAY:
        return labels
    return pd.Series([frozenset(label.split(_AND)) for label in labels], index=labels.index, dtype=object)


def clusters_text(frame: pd.DataFrame) -> str:
    """Return what a frame's intervals take for independent, in the plural."""
    if frame["cluster"].str.contains(_AND, regex=False).any():
        return TWO_WAY
    return DOCUMENTS if frame["cluster"].eq(frame["document_id"]).all() else SOURCE_CLUSTERS


# --- The long frame ---------------------------------------------------------------------------------------------


def _named(row: Mapping[Any, Any]) -> str:
    return ", ".join(f"{key} = {row[key]!r}" for key in KEYS)


def _cells_frame(cells: Sequence[Cell], documents: Sequence[Document], markdown: Sequence[Rendering]) -> pd.DataFrame:
    pages = {document.document_id: document.n_pages for document in documents}
    chars = {row.document_id: row.n_chars for row in markdown if row.status == "rendered"}
    rows = [
        {
            "cell_id": cell.cell_id,
            "question_id": cell.question_id,
            "condition": cell.condition,
            "k": cell.k,
            "distractor_type": cell.distractor_type,
            "n_pages": total_size(cell.document_ids, pages),
            "markdown_chars": total_size(cell.document_ids, chars),
        }
        for cell in cells
    ]
    columns = ["cell_id", "question_id", "condition", "k", "distractor_type", "n_pages", "markdown_chars"]
    frame = pd.DataFrame(rows, columns=columns).astype({"n_pages": "Int64", "markdown_chars": "Int64"})
    refuse_duplicates(frame, ["cell_id"], "cells")
    return frame


def _questions_frame(questions: Sequence[Question]) -> pd.DataFrame:
    columns = ["question_id", "document_id", "document_type", "answer_format", "skill", "question", "reference"]
    rows = [
        (q.question_id, q.document_id, q.document_type, q.answer_format, q.skill, q.question, q.answer)
        for q in questions
    ]
    frame = pd.DataFrame(rows, columns=columns)
    refuse_duplicates(frame, ["question_id"], "questions")
    return frame


def _way(row: Request | Response) -> tuple[str, int, int, str, str, bool, int | None, int | None]:
    """Return the limit that a request breaks and how, its route, whether that shows what others see, and its tokens."""
    if isinstance(row, Response):
        return "", 0, 0, "", row.route, True, None, None
    # Between two bounds that differ by a factor, the middle is the geometric one.
    middle = round(math.sqrt(row.tokens_least * row.tokens_most)) if row.tokens_most else None
    limit = row.infeasible, row.limit_size, row.limit_most, row.detail
    return *limit, row.route, row.comparable, row.tokens_least if row.tokens_most else None, middle


def _asked_parts(row: Request | Response) -> tuple[str, str]:
    """Return digests of the instruction, and of the question with its documents in order; empty if not stored."""
    parts = json.loads(row.components or "{}")
    if not parts:
        return "", ""
    return parts["prompt"], digest(parts["question"], parts["documents"])


def _asked_frame(
    asked: Iterable[Request | Response], lost: Mapping[str, Sequence[Exclusion]], replicate: int
) -> pd.DataFrame:
    """Return one row for each cell asked of a model in a modality, and for each that rendering or curation lost."""
    columns = [*KEYS, "fingerprint", "lost_reason", "lost_detail", "limit", "limit_size", "limit_most", "limit_detail"]
    columns += ["route", "comparable", "tokens_least", "tokens_estimate", "prompt_digest", "cell_digest"]
    rows = [
        (row.cell_id, row.model, row.modality, row.fingerprint, "", "", *_way(row), *_asked_parts(row))
        for row in asked
        if row.replicate == replicate
    ]
    everyone = list(dict.fromkeys(row[1] for row in rows))
    for modality, exclusions in lost.items():
        # A modality that lost all its cells has no request left to name its models: then every model was meant.
        models = list(dict.fromkeys(row[1] for row in rows if row[2] == modality)) or everyone
        rows += [
            (
                *(cell.identifier, model, modality, "", cell.reason or "lost", cell.detail or cell.reason),
                *("", 0, 0, "", "", True, None, None, "", ""),
            )
            for model in models
            for cell in exclusions
        ]
    frame = pd.DataFrame(rows, columns=columns)
    refuse_duplicates(frame, KEYS, "asked or lost cells")
    return frame


def _responses_frame(responses: Sequence[Response], replicate: int) -> pd.DataFrame:
    columns = [
        *KEYS,
        "fingerprint",
        "response_status",
        "text",
        "error_class",
        "error",
        "finish_reason",
        "confidence",
        "read_from",
        "tokens_in",
        "cost",
        "answer_time",
    ]
    rows = [
        (
            row.cell_id,
            row.model,
            row.modality,
            row.fingerprint,
            row.status,
            row.text,
            row.error_class,
            row.error,
            row.finish_reason,
            row.confidence,
            row.read_from,
            row.tokens_in,
            row.cost,
            row.time,
        )
        for row in responses
        if row.replicate == replicate
    ]
    frame = pd.DataFrame(rows, columns=columns)
    refuse_duplicates(frame, [*KEYS, "fingerprint"], "responses")
    return frame


def _verdicts_frame(verdicts: Sequence[Verdict], replicate: int) -> pd.DataFrame:
    fields = [
        "correct",
        "score",
        "exact_match",
        "f1",
        "abstained",
        "judge",
        "reasoning",
        "problem",
        "judge_fingerprint",
    ]
    columns = [*KEYS, "fingerprint", "verdict_status", "verdict_time", *fields]
    rows = [
        (
            *(row.cell_id, row.model, row.modality, row.fingerprint, row.status, row.time),
            *(getattr(row, name) for name in fields),
        )
        for row in verdicts
        if row.replicate == replicate
    ]
    frame = pd.DataFrame(rows, columns=columns)
    refuse_duplicates(frame, [*KEYS, "fingerprint"], "verdicts (is there more than one judge?)")
    return frame


def _status_columns(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the frame with status, cause (one or two words, for counting) and reason (one sentence)."""
    lost = frame["lost_reason"].ne("")
    infeasible = frame["limit"].ne("")
    status = frame["response_status"].where(~lost, "lost").mask(infeasible, "infeasible").fillna("not_run")
    answered = status.eq("answered")
    judged = answered & frame["verdict_status"].eq("judged")
    error_class = frame["error_class"].where(frame["error_class"].ne(""), status)
    cause = error_class.fillna(status).where(~answered, "").mask(lost, frame["lost_reason"])
    cause = cause.mask(infeasible, frame["limit"].str.replace("_", " ") + " limit")
    cause = cause.replace("not_run", "not run").mask(
        answered & ~judged, frame["verdict_status"].fillna("not judged yet")
    )
    detail = (frame["error_class"] + ": " + frame["error"]).fillna("no response is stored yet")
    reason = detail.where(~answered, "").mask(lost, frame["lost_detail"]).mask(infeasible, frame["limit_detail"])
    reason = reason.mask(answered & ~judged, frame["problem"].fillna("no verdict is stored yet"))
    return frame.assign(status=status, cause=cause, reason=reason, answered=answered, judged=judged)


def long_frame(
    questions: Sequence[Question],
    documents: Sequence[Document],
    cells: Sequence[Cell],
    renderings_by_modality: Mapping[str, Sequence[Rendering]],
    responses: Sequence[Response],
    verdicts: Sequence[Verdict],
    lost: Mapping[str, Sequence[Exclusion]],
    requests: Sequence[Request] | None = None,
    replicate: int = 1,
) -> pd.DataFrame:
    """Return one row for each (cell, model, modality) the study asks, with the columns of FRAME_TYPES.

    ``status`` is the response's, or ``not_run`` (asked, no response stored), ``infeasible`` (no route can carry it) or
    ``lost`` (a document could not be rendered). ``requests`` says what is asked; without it only cells with a response
    count as asked. Responses and verdicts of other requests than these (another prompt, other parameters) are left
    out; ``comparable`` is False where the route shows the model something else. ``prompt_digest``, ``cell_digest`` (the
    question and its documents in order) and ``judge_fingerprint`` say what was asked alike; ``tokens_least`` is the
    lower of the bounds that the request was planned with, ``tokens_estimate`` their middle; ``time`` is that of the
    last stored part of the row. ``n_pages`` and ``n_chars`` are sums over the documents of the cell; ``n_chars`` is of
    the markdown and missing for other modalities. ``cluster`` is as ``cluster_labels`` makes it.
    ``limit`` is what an infeasible row breaks, ``limit_size`` and ``limit_most`` by how much.

    Args:
        questions: every question that a cell names.
        documents: every document that a cell names.
        cells: the study's cells.
        renderings_by_modality: rows of each modality; those of ``markdown`` give ``n_chars``.
        responses: the current response of each request.
        verdicts: at most one verdict for each response.
        lost: by modality, the cells (``identifier`` is the cell_id) that could not be asked, with the reason.
        requests: what the study asks.
        replicate: which repetition to take.

    Raises:
        TablesError: two rows share a key, or a cell or question is unknown; the message names the first.
    """
    frame = _asked_frame(requests if requests is not None else responses, lost, replicate)
    cell_frame = _cells_frame(cells, documents, renderings_by_modality.get("markdown", ()))
    frame = join(frame, cell_frame, ["cell_id"], "m:1")
    if (unknown := frame["question_id"].isna()).any():
        raise TablesError(
            f"no cell row for {_named(frame[unknown].iloc[0].to_dict())}: run the curation notebook again"
        )
    frame = join(frame, _questions_frame(questions), ["question_id"], "m:1")
    if (unknown := frame["document_id"].isna()).any():
        raise TablesError(
            f"no question row for {_named(frame[unknown].iloc[0].to_dict())}: run the curation notebook again"
        )
    frame["cluster"] = frame["question_id"].map(cluster_labels(questions, cells))
    frame = join(frame, _responses_frame(responses, replicate), [*KEYS, "fingerprint"], "1:1")
    frame = join(frame, _verdicts_frame(verdicts, replicate), [*KEYS, "fingerprint"], "1:1")
    frame = _status_columns(frame)
    frame["time"] = frame[["answer_time", "verdict_time"]].fillna("").max(axis=1)
    frame["n_chars"] = frame["markdown_chars"].where(frame["modality"].eq("markdown"))
    frame["n_response_chars"] = frame["text"].str.len().where(frame["answered"])
    texts = [name for name, kind in FRAME_TYPES.items() if kind == "str"]
    frame[texts] = frame[texts].fillna("")
    for column in ("correct", "score"):
        frame[column] = frame[column].where(frame["judged"])
    return in_order(frame[list(FRAME_TYPES)].astype(FRAME_TYPES), questions)


def answerable(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of questions that their source document answers; the others have a table of their own."""
    return frame[frame["answer_format"].ne("None")].reset_index(drop=True)


def origin_of(study: Study, command: str, frame: pd.DataFrame) -> dict[str, str]:
    """Return what every table and figure says of its origin: study, command, date and digest of the rows behind it.

    The date is that of the last row, so that the same rows make the same files on any day. The digest is as
    ``rows_digest`` returns it.

    Args:
        study: whose tables they are.
        command: what makes them, without paths.
        frame: the long frame that they are computed from.
    """
    return {
        "study": study.name,
        "command": command,
        "date": str(frame["time"].max())[:10] if len(frame) else "",
        "digest": rows_digest(frame),
    }


def rows_digest(frame: pd.DataFrame) -> str:
    """Return the SHA-256 of a long frame, the same for two runs that got the same answers and verdicts.

    It is of the columns FRAME_TYPES without ``UNSTABLE`` and those that others say in words, and of the study where
    there are several, with rows in order of their keys: no column that a notebook adds and no order of rows changes it.
    Of a failure it holds the cause and not the provider's words, which can name a time or a request.
    """
    left_out = UNSTABLE | _IN_WORDS
    kinds = {name: kind for name, kind in FRAME_TYPES.items() if name in frame.columns and name not in left_out}
    columns = [*kinds, *(["study"] if frame.get("study", pd.Series(dtype=str)).nunique() > 1 else [])]
    keys = [name for name in KEYS if name in kinds]
    canonical = frame[columns].astype(kinds)
    if {"reason", "status"} <= kinds.keys():
        canonical["reason"] = canonical["reason"].where(canonical["status"].eq("infeasible"), "")
    canonical = canonical.sort_values(keys, kind="stable") if keys else canonical
    return hashlib.sha256(canonical.to_csv(index=False, lineterminator="\n").encode()).hexdigest()


def analysis_command(
    study: Study, number: str, models: Sequence[str], modalities: Sequence[str], judges: Sequence[str], judge: str
) -> str:
    """Return the command that runs one analysis notebook again on what is stored."""
    words = ["muddle", "run", "--study", study.name]
    words += [word for name in models for word in ("--model", name)]
    words += [word for name in modalities for word in ("--modality", name)]
    words += [word for name in judges for word in ("--judge", name)]
    words += ["--headline", judge] if judge != next(iter(judges), judge) else []
    return shlex.join([*words, "--only", number])
