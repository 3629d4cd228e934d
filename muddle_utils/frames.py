"""A study's rows to one long frame: a row for every cell, model and modality that is asked.

``long_frame`` has one row for every (cell, model, modality) that the study asks, answered or not, so that a gap is a
row with a reason and never a smaller denominator. ``read_frame`` makes it from the rows on disk. What tables, figures
and the explorer do with frames alike (orders, joins that lose no row, refused duplicates) is here too.

The module computes no table (see ``tables``) and judges no answer (see ``judging``).
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import pandas as pd

from muddle_utils.agreement import majority
from muddle_utils.judging import judged_digest
from muddle_utils.records import (
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
    response_key,
)
from muddle_utils.store import Store, as_row, read_rows
from muddle_utils.study import Study, slug

KEYS: Final = ["cell_id", "model", "modality"]
FRAME_TYPES: Final[dict[str, str]] = {
    "question_id": "str",
    "cell_id": "str",
    "condition": "str",
    "k": "int64",
    "distractor_type": "str",
    "model": "str",
    "modality": "str",
    "document_id": "str",
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
    "cost": "Float64",
    "n_response_chars": "Int64",
    "route": "str",
    "comparable": "bool",
    "fingerprint": "str",
}
# The name under which three or more judges judge together.
MAJORITY: Final = "majority"


class TablesError(ValueError):
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


def total_size(document_ids: Sequence[str], sizes: Mapping[str, int]) -> int | None:
    """Return the summed size of a cell's documents, None where one of them has no size."""
    return sum(sizes[name] for name in document_ids) if all(name in sizes for name in document_ids) else None


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


def _way(row: Request | Response) -> tuple[str, str, str, bool]:
    """Return the limit that a request breaks and how, its route, and whether that shows the model what others see."""
    if isinstance(row, Response):
        return "", "", row.route, True
    return row.infeasible, row.detail, row.route, row.comparable


def _asked_frame(
    asked: Iterable[Request | Response], lost: Mapping[str, Sequence[Exclusion]], replicate: int
) -> pd.DataFrame:
    """Return one row for each cell asked of a model in a modality, and for each that rendering or curation lost."""
    columns = [*KEYS, "fingerprint", "lost_reason", "lost_detail", "infeasible", "limit_detail", "route", "comparable"]
    rows = [
        (row.cell_id, row.model, row.modality, row.fingerprint, "", "", *_way(row))
        for row in asked
        if row.replicate == replicate
    ]
    everyone = list(dict.fromkeys(row[1] for row in rows))
    for modality, exclusions in lost.items():
        # A modality that lost all its cells has no request left to name its models: then every model was meant.
        models = list(dict.fromkeys(row[1] for row in rows if row[2] == modality)) or everyone
        rows += [
            (cell.identifier, model, modality, "", cell.reason or "lost", cell.detail or cell.reason, "", "", "", True)
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
        )
        for row in responses
        if row.replicate == replicate
    ]
    frame = pd.DataFrame(rows, columns=columns)
    refuse_duplicates(frame, [*KEYS, "fingerprint"], "responses")
    return frame


def _verdicts_frame(verdicts: Sequence[Verdict], replicate: int) -> pd.DataFrame:
    fields = ["correct", "score", "exact_match", "f1", "abstained", "judge", "reasoning", "problem"]
    columns = [*KEYS, "fingerprint", "verdict_status", *fields]
    rows = [
        (row.cell_id, row.model, row.modality, row.fingerprint, row.status, *(getattr(row, name) for name in fields))
        for row in verdicts
        if row.replicate == replicate
    ]
    frame = pd.DataFrame(rows, columns=columns)
    refuse_duplicates(frame, [*KEYS, "fingerprint"], "verdicts (is there more than one judge?)")
    return frame


def _status_columns(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the frame with status, cause (one or two words, for counting) and reason (one sentence)."""
    lost = frame["lost_reason"].ne("")
    infeasible = frame["infeasible"].ne("")
    status = frame["response_status"].where(~lost, "lost").mask(infeasible, "infeasible").fillna("not_run")
    answered = status.eq("answered")
    judged = answered & frame["verdict_status"].eq("judged")
    error_class = frame["error_class"].where(frame["error_class"].ne(""), status)
    cause = error_class.fillna(status).where(~answered, "").mask(lost, frame["lost_reason"])
    cause = cause.mask(infeasible, frame["infeasible"].str.replace("_", " ") + " limit")
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
    out; ``comparable`` is False where the route shows the model something else. ``n_pages`` and ``n_chars``
    are sums over the cell's documents; ``n_chars`` is of the markdown and missing for other modalities.

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
    frame = join(frame, _responses_frame(responses, replicate), [*KEYS, "fingerprint"], "1:1")
    frame = join(frame, _verdicts_frame(verdicts, replicate), [*KEYS, "fingerprint"], "1:1")
    frame = _status_columns(frame)
    frame["n_chars"] = frame["markdown_chars"].where(frame["modality"].eq("markdown"))
    frame["n_response_chars"] = frame["text"].str.len().where(frame["answered"])
    texts = [name for name, kind in FRAME_TYPES.items() if kind == "str"]
    frame[texts] = frame[texts].fillna("")
    for column in ("correct", "score"):
        frame[column] = frame[column].where(frame["judged"])
    return in_order(frame[list(FRAME_TYPES)].astype(FRAME_TYPES), questions)


def _latest_verdicts(
    verdicts: Sequence[Verdict], digests: Mapping[tuple[str, str, int], str], judge: str
) -> list[Verdict]:
    """Return the last stored verdict on each answer as it stands; refuse those that one judge reached in two ways.

    ``digests`` holds what each answer's verdict has to be about, by response key.
    """
    latest = {
        response_key(verdict): verdict
        for verdict in verdicts
        if digests.get(response_key(verdict)) == verdict.judged_digest
    }
    if len({verdict.judge_fingerprint for verdict in latest.values()}) > 1:
        raise TablesError(
            f"the verdicts of {judge} come from two versions of its prompt or parameters: run the judging notebook to "
            "its end, which judges the rest anew"
        )
    return list(latest.values())


def majority_verdicts(by_judge: Sequence[Sequence[Verdict]]) -> list[Verdict]:
    """Return what more than half of all the judges say of each answer that one of them was asked about.

    The score is the mean of theirs. Where no side has more than half of the judges, it is unjudged.
    """
    together: dict[tuple[str, str, int], list[Verdict]] = {}
    for verdict in itertools.chain.from_iterable(by_judge):
        together.setdefault(response_key(verdict), []).append(verdict)
    merged = []
    for verdicts in together.values():
        judged = [verdict for verdict in verdicts if verdict.status == "judged"]
        said_of = [verdict.correct for verdict in verdicts] + [None] * (len(by_judge) - len(verdicts))
        (label,) = majority(np.array([[said] for said in said_of], dtype=object), of_all=True).labels
        said = ", ".join(f"{verdict.judge}: {verdict.correct}" for verdict in verdicts)
        scores = [verdict.score for verdict in judged if verdict.score is not None]
        merged.append(
            dataclasses.replace(
                verdicts[0],
                judge=MAJORITY,
                judge_fingerprint=MAJORITY,
                status="unjudged" if label is None else "judged",
                correct=None if label is None else bool(label),
                score=None if label is None else sum(scores) / len(scores),
                reasoning=said,
                raw="",
                problem=f"no majority ({said})" if label is None else "",
                cost=None,
            )
        )
    return merged


class Answers(NamedTuple):
    """What a study asks and has: requests, the current response to each, and each judge's verdicts on those texts."""

    questions: list[Question]
    requests: list[Request]
    responses: list[Response]
    verdicts: dict[str, list[Verdict]]


def read_answers(study: Study, models: Sequence[str], modalities: Sequence[str], judges: Sequence[str]) -> Answers:
    """Return the answers of some models in some modalities and what some judges say of them, from the rows on disk.

    Responses to other requests than the study's are left out, and so are verdicts on other texts than these.

    Raises:
        RowsError: a row file is missing or damaged; the message names it and the notebook to run.
        StoreError: the database cannot be read.
        TablesError: a judge has changed half-way.
    """
    pairs = list(itertools.product(dict.fromkeys(models), dict.fromkeys(modalities)))
    requests = [
        request
        for model, modality in pairs
        for request in read_rows(study.rows(f"requests_{slug(model)}_{modality}"), Request)
    ]
    questions = read_rows(study.rows("questions"), Question)
    by_question = {question.question_id: question for question in questions}
    wanted = {response_key(request) for request in requests}
    with Store(study.store) as store:
        stored = [row for model, modality in pairs for row in store.responses(model, modality)]
        responses = [row for row in stored if response_key(row) in wanted]
        digests = {response_key(row): judged_digest(by_question[row.question_id], row) for row in responses}
        verdicts = {
            judge: _latest_verdicts(
                [row for model, modality in pairs for row in store.verdicts(judge, model, modality)], digests, judge
            )
            for judge in dict.fromkeys(judges)
        }
    return Answers(questions, requests, responses, verdicts)


def read_frame(
    study: Study,
    models: Sequence[str],
    modalities: Sequence[str],
    judge: str,
    replicate: int = 1,
    judges: Sequence[str] = (),
) -> pd.DataFrame:
    """Return the long frame of a study's rows on disk, for some models and modalities under one judge.

    With ``judge`` ``majority`` it is what more than half of ``judges`` say.

    Raises:
        RowsError: a row file is missing or damaged; the message names it and the notebook to run.
        StoreError: the database cannot be read.
        TablesError: the rows do not fit together, or the judge has changed half-way.
    """
    asked = read_answers(study, models, modalities, judges if judge == MAJORITY else (judge,))
    by_judge = list(asked.verdicts.values())
    return long_frame(
        asked.questions,
        read_rows(study.rows("documents"), Document),
        read_rows(study.rows("cells"), Cell),
        {name: read_rows(study.rows(f"renderings_{name}"), Rendering) for name in modalities},
        asked.responses,
        majority_verdicts(by_judge) if judge == MAJORITY else by_judge[0],
        {name: read_rows(study.rows(f"lost_{name}"), Exclusion) for name in modalities},
        asked.requests,
        replicate,
    )


def rows_frame(rows: Iterable[object], kind: type) -> pd.DataFrame:
    """Return records of one type as a frame that has the type's fields as columns, however many rows there are."""
    return pd.DataFrame([as_row(row) for row in rows], columns=[field.name for field in dataclasses.fields(kind)])
