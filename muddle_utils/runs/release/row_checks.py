"""Do the rows of a bundle hold together? Each field has a value that it can have, and what it names is there."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from muddle_utils.runs.release.bundle_io import BundleError
from muddle_utils.study.errors import quoted
from muddle_utils.study.records import (
    ANSWER_FORMATS,
    CONDITIONS,
    MODALITIES,
    RESPONSE_STATUSES,
    VERDICT_STATUSES,
    Cell,
    Question,
    Rendering,
    Request,
    Response,
    Verdict,
    condition_of,
)

# The words that a field takes where it takes no others.
_WORDS: Final[Mapping[type, Mapping[str, Sequence[str]]]] = {
    Question: {"answer_format": ANSWER_FORMATS},
    Cell: {"condition": CONDITIONS},
    Rendering: {"modality": MODALITIES, "status": ("rendered", "failed")},
    Request: {"condition": CONDITIONS, "modality": MODALITIES},
    Response: {"condition": CONDITIONS, "modality": MODALITIES, "status": RESPONSE_STATUSES},
    Verdict: {"modality": MODALITIES, "status": VERDICT_STATUSES},
}


def check_rows(folder: Path, rows: Mapping[str, Sequence[Any]]) -> None:
    """Refuse rows, by the names of their files, that could not have been written together.

    Raises:
        BundleError: naming file, line and field.
    """
    documents = {row.document_id for row in rows["documents"]}
    questions = {row.question_id: row for row in rows["questions"]}
    # What a cell is compared with comes first.
    for stem, own in sorted(rows.items(), key=lambda item: item[0] != "questions"):
        for number, row in enumerate(own, start=1):
            name = _strange(row) or (_unfit(row, questions, documents) if isinstance(row, Cell) else "")
            if isinstance(row, Question) and row.document_id not in documents:
                name = "document_id"
            if name:
                raise BundleError(
                    f"{folder / stem}.jsonl, line {number}: field {name!r} holds {quoted(getattr(row, name))}, which "
                    "does not fit the other fields and rows; get the bundle again"
                )


def _strange(row: Any) -> str:  # noqa: ANN401 - a record of any type
    """Return the first field that holds what it never can, or an empty text."""
    for name, words in _WORDS.get(type(row), {}).items():
        if getattr(row, name) not in words:
            return name
    if isinstance(row, Response | Verdict) and row.time:
        try:
            datetime.fromisoformat(row.time)
        except ValueError:
            return "time"
    if isinstance(row, Request | Response) and row.components:
        try:
            parts = json.loads(row.components)
            whole = all(isinstance(parts[name], str) for name in ("prompt", "question", "documents"))
        except (ValueError, KeyError, TypeError, RecursionError):
            whole = False
        return "" if whole else "components"
    return ""


def _unfit(cell: Cell, questions: Mapping[str, Question], documents: set[str]) -> str:
    """Return the first field of a cell that does not fit its condition, its question or the documents."""
    if cell.question_id not in questions:
        return "question_id"
    condition = condition_of(cell.condition)
    if cell.k != condition.k:
        return "k"
    if cell.distractor_type != condition.kind:
        return "distractor_type"
    if len(cell.document_ids) != condition.k + 1 or not documents.issuperset(cell.document_ids):
        return "document_ids"
    at = cell.source_position
    is_source = at <= condition.k and cell.document_ids[at] == questions[cell.question_id].document_id
    return "" if is_source else "source_position"
