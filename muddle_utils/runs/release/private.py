"""Does what is about to be handed on hold a key? Rows, tables and pages are looked at field by field.

A key of the environment is refused wherever it stands. What is a key by its looks alone (``errors.credentials``) is
refused unless it stands in a question or a document of the study: there it is an example in a manual, and whoever
answers may quote it. Documents' own text is never judged by looks.
"""

import contextlib
import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from muddle_utils.inference.errors import credentials, without_keys
from muddle_utils.study.errors import MuddleError
from muddle_utils.study.paths import Study
from muddle_utils.study.rows import as_row
from muddle_utils.study.store import Store


class PrivateError(MuddleError, ValueError):
    """Something that would publish a key; the message names the file and the field, never the value."""


# A picture inside a page: its letters are no text.
_EMBEDDED: Final = re.compile(r"data:[\w.+/-]+(?:;[\w=-]+)*;base64,[A-Za-z0-9+/=]*")
_TEXTS: Final = (".html", ".tex", ".json", ".md", ".svg")


def _values(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            yield str(name)
            yield from _values(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _values(inner)


def _rows_of(name: str, text: str) -> Iterable[Mapping[Any, object]]:
    """Return the rows of a file; a text without rows is one row of one field without a name."""
    if name.endswith(".jsonl"):
        with contextlib.suppress(ValueError):
            # Not by splitlines: a text may hold line ends that are none to JSON lines.
            return [row for line in text.split("\n") if line and isinstance(row := json.loads(line), dict)]
        return [{"": text}]
    if name.endswith(".csv"):
        return csv.DictReader(io.StringIO(text))
    return [{"": _EMBEDDED.sub("", text)}] if name.endswith(_TEXTS) else []


def quoted_in(*studies: Study) -> Callable[[str], bool]:
    """Return what says whether a value stands in a question or a document of the studies; these are read when asked."""

    def quoted(value: str) -> bool:
        # What stands before it in a line may be set otherwise.
        core = value.split()[-1]
        return any(core in text for study in studies for text in _sources(study))

    return quoted


def _sources(study: Study) -> Iterator[str]:
    """Return the texts of a study that people wrote: its questions, and its documents as text."""
    from muddle_utils.rendering.pdf import pymupdf

    for name in ("questions", "renderings_markdown", "documents"):
        file = study.rows(name)
        text = file.read_text("utf-8") if file.is_file() else ""
        if name == "questions":
            yield text
            continue
        for path in [Path(str(json.loads(line).get("path") or "")) for line in text.split("\n") if line]:
            # A document that has left this machine can prove nothing.
            with contextlib.suppress(OSError, ValueError, RuntimeError):
                if path.suffix.lower() != ".pdf":
                    yield path.read_text("utf-8") if path.is_file() else ""
                elif path.is_file():
                    with pymupdf.open(path) as document:
                        yield "\n".join(str(page.get_text()) for page in document)


def refuse_text(name: str, text: str, quoted: Callable[[str], bool]) -> None:
    """Refuse a file that holds a key.

    Raises:
        PrivateError: naming the file and, where it has any, the field.
    """
    is_document = name.startswith("markdown/")
    for row in _rows_of(name, text) if not is_document else ():
        _refuse_row(name, row, quoted)
    if without_keys(text) != text:
        raise PrivateError(_of_the_environment(name))


def _of_the_environment(place: str) -> str:
    return (
        f"{place} would hold the value of a key in the environment: take it out of the study, or unset the variable if "
        "it is no secret"
    )


def _refuse_row(name: str, row: Mapping[Any, object], quoted: Callable[[str], bool]) -> None:
    for field, value in row.items():
        place = f"{name}, field {field}," if field else name
        for text in _values(value):
            if without_keys(text) != text:
                raise PrivateError(_of_the_environment(place))
            if any(not quoted(found) for found in credentials(text)):
                raise PrivateError(
                    f"{place} would hold what looks like a key and stands in no question or document: take it out of "
                    "the study, and have the key replaced by its provider"
                )


def refuse_rows(study: Study, quoted: Callable[[str], bool]) -> None:
    """Refuse a study whose rows hold a key.

    Raises:
        PrivateError: naming the file and the field.
        StoreError: the study's database cannot be read.
    """
    for path in sorted(study.folder.glob("*.jsonl")):
        refuse_text(path.name, path.read_text("utf-8"), quoted)
    if study.store.is_file():
        with Store(study.store, read_only=True) as store:
            for name, rows in (("responses", store.attempts()), ("verdicts", store.judgements())):
                for row in rows:
                    _refuse_row(f"{study.store.name}, {name}", as_row(row), quoted)
