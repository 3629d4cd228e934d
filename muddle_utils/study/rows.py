"""Rows on disk: JSONL files of records, which are all that passes between notebooks, and digests of what they hold.

A file is written whole to a temporary name and renamed, so a reader sees the old file or the new one. A row is read
strictly: a field that is missing, unknown or of another type is an error that names the file, the line and the field.
"""

from __future__ import annotations

import contextlib
import dataclasses
import datetime
import functools
import hashlib
import json
import logging
import os
import types
import typing
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from muddle_utils.study.errors import MuddleError, json_fault, quoted
from muddle_utils.study.paths import Study
from muddle_utils.study.records import Question, Request, Response, Verdict

if TYPE_CHECKING:
    import pandas as pd

log = logging.getLogger(__name__)

Record = TypeVar("Record")


class RowsError(MuddleError, ValueError):
    """A row file that cannot be read; the message names the file, the line and the mend."""


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def as_row(record: object) -> dict[str, Any]:
    """Return a record as a JSON-ready mapping whose keys are its field names."""
    return {field.name: _plain(getattr(record, field.name)) for field in dataclasses.fields(record)}  # type: ignore[arg-type]


class _Field(NamedTuple):
    """What a field takes: these types themselves, or a tuple of them; ``wanted`` is how the message says so.

    Without types it takes whatever JSON holds.
    """

    types: frozenset[type]
    is_tuple: bool
    required: bool
    wanted: str


_PLAIN: Final = frozenset((str, int, float, bool, type(None)))


@functools.cache
def _fields_of(kind: type) -> dict[str, _Field]:
    """Return the fields of a record type by name; their types are read once, since that is slow."""
    hints = typing.get_type_hints(kind)
    found = {}
    for field in dataclasses.fields(kind):
        hint = hints[field.name]
        is_tuple = typing.get_origin(hint) is tuple
        is_union = typing.get_origin(hint) in (types.UnionType, typing.Union)
        parts = typing.get_args(hint)[:1] if is_tuple else typing.get_args(hint) if is_union else (hint,)
        parts = parts if set(parts) <= _PLAIN else ()
        required = field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
        wanted = hint.__name__ if isinstance(hint, type) and not is_tuple else str(hint)
        found[field.name] = _Field(frozenset(parts), is_tuple, required, wanted)
    return found


def _restored(field: _Field, value: object) -> object:
    """Return a value as the field holds it: a list as a tuple, a whole number as a float where only that is taken."""
    if field.is_tuple and isinstance(value, list):
        return tuple(value)
    return float(value) if type(value) is int and float in field.types and int not in field.types else value


def _fits(field: _Field, value: object) -> bool:
    if not field.types:
        return True
    # The types themselves and not their subtypes: True is no number here.
    if field.is_tuple:
        return isinstance(value, tuple) and all(type(item) in field.types for item in value)
    return type(value) in field.types


# No record counts, weighs or times more than this, and every reader of rows holds it exactly.
MOST: Final = 10**12


def _in_range(value: object) -> bool:
    """Return whether a number, and each of several, is neither negative nor too large nor none at all."""
    if type(value) is int or type(value) is float:
        return 0 <= value <= MOST
    return not isinstance(value, list | tuple) or all(map(_in_range, value))


def _is_text(value: object) -> bool:
    """Return whether a text, and each of several, can be written at all: half of a character cannot."""
    if isinstance(value, str):
        try:
            return value.isascii() or bool(value.encode())
        except UnicodeEncodeError:
            return False
    return not isinstance(value, list | tuple) or all(map(_is_text, value))


def from_row(kind: type[Record], row: Mapping[str, Any]) -> Record:
    """Return the record of type ``kind`` that ``row`` holds.

    Raises:
        ValueError: a field is missing, unknown, of the wrong type or out of range; the message names it.
    """
    if not isinstance(row, Mapping):
        raise ValueError("it is no row of named fields")
    fields = _fields_of(kind)  # type: ignore[arg-type]
    if unknown := sorted(row.keys() - fields.keys()):
        raise ValueError(f"unknown field {quoted(unknown[0])}")
    for name, field in fields.items():
        if field.required and name not in row:
            raise ValueError(f"missing field {name!r}")
    for name, value in row.items():
        if fields[name].types and not _in_range(value):
            raise ValueError(f"field {name!r} holds a number that is not from 0 to {MOST:,}")
        if not _is_text(value):
            raise ValueError(f"field {name!r} holds half of a character")
    values = {name: _restored(fields[name], value) for name, value in row.items()}
    for name, value in values.items():
        if not _fits(fields[name], value):
            raise ValueError(f"field {name!r} holds {quoted(value)}, which is not {fields[name].wanted}")
    return kind(**values)


def write_atomically(path: Path, data: bytes) -> Path:
    """Write ``data`` to ``path`` through a temporary file and a rename; the folder is made if it is missing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        temporary.write_bytes(data)
        temporary.replace(path)
    except OSError as error:
        # A full disk names no file by itself.
        raise OSError(error.errno, error.strerror, str(path)) from None
    finally:
        # A file system that is read only refuses this for a missing file, too; the first error is the one to tell.
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
    return path


def file_sha256(path: str | Path) -> str:
    """Return the SHA-256 of a file's bytes as 64 hexadecimal digits."""
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write_rows(path: Path, records: Iterable[object]) -> Path:
    """Write records as JSON lines, in the given order; equal records give equal bytes."""
    lines = [json.dumps(as_row(record), ensure_ascii=False) for record in records]
    return write_atomically(path, "".join(f"{line}\n" for line in lines).encode())


_WRITE_FIRST: Final = (
    "run the notebook that writes it first: 01 for questions, documents and cells, 02 for renderings, 03 for requests"
)
_WRITE_AGAIN: Final = "run the notebook that writes it again"


def _lines(path: Path, mend: str) -> Iterator[tuple[int, str]]:
    try:
        text = path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        raise RowsError(f"{path} is missing: {mend or _WRITE_FIRST}") from None
    except UnicodeDecodeError as error:
        raise RowsError(f"{path} is not UTF-8 at byte {error.start}: {mend or _WRITE_AGAIN}") from None
    # Only "\n" ends a row: a document title may hold other characters that str.splitlines would split on.
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield number, line


def read_rows(path: Path, kind: type[Record], mend: str = "") -> list[Record]:
    """Return the records of type ``kind`` in the JSON lines file ``path``.

    ``mend`` says what to do about a file that no notebook writes.

    Raises:
        RowsError: the file is missing, or a line is not a row of this kind; the message names file and line.
    """
    records = []
    for number, line in _lines(path, mend):
        try:
            records.append(from_row(kind, json.loads(line)))
        except (ValueError, TypeError, RecursionError) as error:
            broken = isinstance(error, json.JSONDecodeError | RecursionError)
            problem = "it is not JSON" if broken else json_fault(error)
            raise RowsError(f"{path}, line {number}: {problem}; {mend or _WRITE_AGAIN}") from None
    return records


def digest(*parts: str) -> str:
    """Return a short hexadecimal digest of texts; the order and the boundaries of the parts count."""
    return hashlib.sha256(json.dumps(parts, ensure_ascii=False).encode()).hexdigest()[:32]


def now() -> str:
    """Return the current time in UTC, to the second."""
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")


def judged_digest(question: Question, response: Response) -> str:
    """Return the digest of the texts that a verdict is about."""
    return digest(question.question, question.answer, response.text)


def is_whole(verdict: Verdict) -> bool:
    """Return whether the judge replied to its end, so that its reply can be read at all; a cut one is no verdict."""
    return bool(verdict.raw) and verdict.error_class in ("", "unparsed")


# --- The long frame ---------------------------------------------------------------------------------------------


def rows_frame(rows: Iterable[object], kind: type) -> pd.DataFrame:
    """Return records of one type as a frame that has the type's fields as columns, however many rows there are."""
    import pandas as pd

    return pd.DataFrame([as_row(row) for row in rows], columns=[field.name for field in dataclasses.fields(kind)])


# --- Rows on disk ---------------------------------------------------------------------------------------------------


def read_requests(study: Study) -> dict[tuple[str, str], list[Request]]:
    """Return the last plan of a study by model and modality, from its rows on disk.

    Raises:
        RowsError: a row file is damaged.
    """
    plans: dict[tuple[str, str], list[Request]] = {}
    for path in sorted(study.folder.glob("requests_*.jsonl")):
        for request in read_rows(path, Request):
            plans.setdefault((request.model, request.modality), []).append(request)
    return plans
