"""Reads the questions file of a folder of the user's own, and says everything that is wrong with it at once.

A questions file is ``questions.jsonl`` (one JSON object a line) or ``questions.csv`` (comma-separated, UTF-8, with a
header); ``data/README.md`` lists the columns. Cells are taken as the text they are: ``None`` stays ``None`` and
``007`` stays ``007``.
"""

import csv
import difflib
import io
import json
import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, NamedTuple

from muddle_utils.corpus.checks import (
    PAGE_OUTSIDE,
    CorpusError,
    Problem,
    derived_question_id,
    fits_format,
    infer_format,
    listed_problems,
    literal_list,
)
from muddle_utils.corpus.pdf_facts import Facts, document_faults
from muddle_utils.study.errors import json_fault
from muddle_utils.study.records import ANSWER_FORMATS, NOT_ANSWERABLE, Exclusion, Question

REQUIRED: Final = ("document_id", "question", "answer")
OPTIONAL: Final = (
    "question_id",
    "answer_format",
    "evidence_pages",
    "evidence_sources",
    "evidence_spans",
    "document_type",
    "task_type",
    "skill",
    "requires_visual",
    "hard_negatives",
)
_LISTS: Final = {"hard_negatives": ["near.pdf", "2024/nearer.pdf"]}


@dataclass
class Sheet:
    """A questions file: its rows as (place, values), and everything found wrong with it so far."""

    path: Path
    rows: list[tuple[str, dict[str, Any]]]
    problems: dict[tuple[str, str], Problem]

    def fault(self, place: str, field: str, message: str) -> None:
        """Note what is wrong at a place, in a field or (empty) in the row as a whole; the first of a field counts."""
        self.problems.setdefault((place, field), Problem(place, field, message))

    def raise_if_faulty(self) -> None:
        """Raise one CorpusError that lists what was noted, the first twenty in full; do nothing if all is well."""
        if self.problems:
            raise CorpusError(listed_problems(self.path, list(self.problems.values())))


def read_sheet(folder: Path) -> Sheet:
    """Return the rows of the folder's questions file.

    Raises:
        CorpusError: there is no such file, or two, or it is not UTF-8, not JSON lines or not CSV, or lacks a column.
    """
    found = [path for path in (folder / "questions.jsonl", folder / "questions.csv") if path.is_file()]
    if not found:
        raise CorpusError(
            f"{folder} holds neither questions.jsonl nor questions.csv: see data/README.md for its columns"
        )
    if len(found) == 2:
        raise CorpusError(f"{folder} holds questions.jsonl and questions.csv: keep one")
    sheet = Sheet(found[0], [], {})
    data = sheet.path.read_bytes()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        sheet.fault(f"line {line}", "", f"byte 0x{data[error.start]:02x} is not UTF-8; save the file as UTF-8")
        sheet.raise_if_faulty()
        raise
    read: Callable[[Sheet, str], None] = _read_csv if sheet.path.suffix == ".csv" else _read_jsonl
    read(sheet, text)
    sheet.raise_if_faulty()
    if not sheet.rows:
        raise CorpusError(f"{sheet.path} holds no question")
    return sheet


def _read_jsonl(sheet: Sheet, text: str) -> None:
    # Only "\n" ends a row: str.splitlines would split inside a string that holds U+2028.
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            sheet.fault(f"line {number}", "", f"not JSON ({json_fault(error)}); one object a line, in double quotes")
            continue
        if not isinstance(row, dict):
            sheet.fault(f"line {number}", "", "not a JSON object {...}")
            continue
        _check_columns(sheet, f"line {number}", row)
        sheet.rows.append((f"line {number}", row))


def _read_csv(sheet: Sheet, text: str) -> None:
    # The csv module gives every cell as the text it is: "None" stays "None" and "007" stays "007".
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    header: list[str] = []
    try:
        for cells in reader:
            place = f"line {reader.line_num}"
            if not any(cells):
                continue
            if not header:
                header = [cell.strip() for cell in cells]
                _check_columns(sheet, place, header)
                repeated = [name for name in header if header.count(name) > 1]
                if repeated:
                    sheet.fault(place, repeated[0], "the column stands twice")
            elif len(cells) != len(header):
                sheet.fault(place, "", f"{len(cells)} cells under {len(header)} columns; quote cells that hold commas")
            else:
                sheet.rows.append((place, dict(zip(header, cells, strict=True))))
    except csv.Error as error:
        sheet.fault(f"line {reader.line_num}", "", f'not CSV ({error}); quote with " and double inner quotes')


def _check_columns(sheet: Sheet, place: str, names: Iterable[str]) -> None:
    names = list(names)
    for name in REQUIRED:
        if name not in names:
            hint = " (columns are separated by commas)" if any(";" in other or "\t" in other for other in names) else ""
            sheet.fault(place, name, f"the column is missing; it has {', '.join(names) or 'none'}{hint}")
    for name in names:
        if name not in (*REQUIRED, *OPTIONAL) and (close := difflib.get_close_matches(name, OPTIONAL, 1, 0.8)):
            sheet.fault(place, name, f"the column is not known; is {close[0]!r} meant?")


class Told(NamedTuple):
    """What a questions file says: questions, those whose PDF cannot be used, notes on what was read differently.

    ``hard_negatives`` are the document_ids that it names for each source, in its order.
    """

    questions: tuple[Question, ...]
    exclusions: list[Exclusion]
    notes: list[str]
    hard_negatives: dict[str, tuple[str, ...]]


def questions_of(sheet: Sheet, facts: Mapping[str, Facts]) -> Told:
    """Return what the rows say of these PDFs.

    Raises:
        CorpusError: rows are wrong; all of them are named, each with its line, its field and the mend.
    """
    questions: list[Question] = []
    exclusions: list[Exclusion] = []
    notes: list[str] = []
    places: dict[str, str] = {}
    chosen = _chosen(sheet, facts)
    for place, row in sheet.rows:
        question = _own_question(sheet, place, row)
        if first := places.get(question.question_id):
            sheet.fault(place, "question_id", f"{question.question_id!r} is also on {first}; identifiers are unique")
        places.setdefault(question.question_id, place)
        if question.document_id not in facts:
            sheet.fault(place, "document_id", _absent(question.document_id, facts))
            continue
        pages, note, faults = document_faults(question, facts[question.document_id])
        for reason, detail in faults:
            if reason == PAGE_OUTSIDE:
                sheet.fault(place, "evidence_pages", f"{detail}; pages are physical, counted from 1")
            else:
                exclusions.append(
                    Exclusion("question", question.question_id, reason, f"{question.document_id}: {detail}")
                )
        notes += [f"{question.question_id} ({question.document_id}): {note}"] if note else []
        if not faults:
            questions.append(replace(question, evidence_pages=pages))
    extra = sorted({name for _, row in sheet.rows for name in row} - {*REQUIRED, *OPTIONAL})
    notes += [f"columns not used: {', '.join(extra)}"] if extra else []
    sheet.raise_if_faulty()
    return Told(tuple(questions), exclusions, notes, chosen)


def _absent(document_id: str, facts: Mapping[str, Facts]) -> str:
    close = difflib.get_close_matches(document_id, facts, 1, 0.6)
    hint = f"is {close[0]!r} meant?" if close else "put the PDF into the folder or correct the name"
    return f"there is no document {document_id!r}; {hint}"


def _chosen(sheet: Sheet, facts: Mapping[str, Facts]) -> dict[str, tuple[str, ...]]:
    """Return the hard negatives that the rows name for each source, and note every list that cannot be followed."""
    chosen: dict[str, tuple[str, ...]] = {}
    places: dict[str, str] = {}
    for place, row in sheet.rows:
        # A file name may hold a comma.
        named = tuple(name.strip() for name in _own_strings(sheet, place, row, "hard_negatives", ";"))
        source_id = str(row.get("document_id") or "").strip()
        for name in named:
            if name == source_id:
                sheet.fault(place, "hard_negatives", f"{name!r} is the row's own source; take it out")
            elif name not in facts:
                sheet.fault(place, "hard_negatives", _absent(name, facts))
            elif named.count(name) > 1:
                sheet.fault(place, "hard_negatives", f"{name!r} is named twice; name it once")
        if named and chosen.setdefault(source_id, named) != named:
            first = f"{places[source_id]} names {list(chosen[source_id])}"
            mend = "give one list and one order for a document, or leave the others empty"
            sheet.fault(place, "hard_negatives", f"{list(named)} for {source_id!r}, but {first}; {mend}")
        if named:
            places.setdefault(source_id, place)
    return chosen


def _own_question(sheet: Sheet, place: str, row: Mapping[str, Any]) -> Question:
    text = {name: _own_text(sheet, place, row, name) for name in ("document_id", "question", "question_id")}
    answer = _own_answer(sheet, place, row.get("answer"))
    answer_format = _own_text(sheet, place, row, "answer_format")
    if answer_format and answer_format not in ANSWER_FORMATS:
        sheet.fault(place, "answer_format", f"{answer_format!r} is not one of {', '.join(ANSWER_FORMATS)}")
    elif answer_format and answer and not fits_format(answer, answer_format):
        sheet.fault(place, "answer", f"{answer!r} does not fit answer_format {answer_format}")
    for name in ("document_id", "question"):
        if name in row and not text[name]:
            sheet.fault(place, name, "empty; fill it in or take the row out")
    if "|" in text["question_id"] or "\n" in text["question_id"]:
        sheet.fault(place, "question_id", "may hold no '|' and no line break")
    skill = _own_text(sheet, place, row, "skill")
    if skill not in ("", "recall", "reasoning"):
        sheet.fault(place, "skill", f"{skill!r} is not recall, reasoning or empty")
    return Question(
        question_id=text["question_id"] or derived_question_id("own", text["document_id"], text["question"]),
        document_id=text["document_id"],
        question=text["question"],
        answer=answer,
        answer_format=answer_format or infer_format(answer),
        evidence_pages=_own_pages(sheet, place, row.get("evidence_pages")),
        evidence_sources=_own_strings(sheet, place, row, "evidence_sources"),
        document_type=_own_text(sheet, place, row, "document_type"),
        task_type=_own_text(sheet, place, row, "task_type"),
        skill=skill,
        requires_visual=_own_flag(sheet, place, row.get("requires_visual")),
        annotation="own",
        evidence_spans=_own_strings(sheet, place, row, "evidence_spans"),
    )


def _own_text(sheet: Sheet, place: str, row: Mapping[str, Any], name: str) -> str:
    value = row.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        sheet.fault(place, name, f"{value!r} is not text; put it in quotes")
        return ""
    return value.strip()


def _own_answer(sheet: Sheet, place: str, value: object) -> str:
    if isinstance(value, bool) or (isinstance(value, float) and not math.isfinite(value)) or isinstance(value, dict):
        sheet.fault(place, "answer", f"{value!r} is not an answer; write text, a number or a list")
        return ""
    if isinstance(value, list):
        value = repr([str(item) for item in value]) if value else ""
    answer = "" if value is None else str(value).strip()
    if not answer:
        sheet.fault(place, "answer", f"empty; where the document does not say, write {NOT_ANSWERABLE!r}")
    return answer


def _own_list(value: object, between: str = ",;") -> list[Any] | None:
    if value is None or isinstance(value, list):
        return value or []
    text = str(value).strip()
    if text.startswith("["):
        return literal_list(text)
    return [part.strip() for part in re.split(f"[{between}]", text) if part.strip()]


def _own_pages(sheet: Sheet, place: str, value: object) -> tuple[int, ...]:
    items = _own_list(value)
    if items is None or any(isinstance(item, bool) or not re.fullmatch(r"\d+", str(item)) for item in items):
        sheet.fault(place, "evidence_pages", f"{value!r} is not a list of page numbers such as [3, 4]")
        return ()
    return tuple(int(item) for item in items)


def _own_strings(sheet: Sheet, place: str, row: Mapping[str, Any], name: str, between: str = ",;") -> tuple[str, ...]:
    value = row.get(name)
    if name == "evidence_spans" and isinstance(value, str) and not value.strip().startswith("["):
        # A span is a sentence with commas of its own: as plain text it is one span.
        value = [value.strip()] if value.strip() else []
    items = _own_list(value, between)
    if items is None or not all(isinstance(item, str) for item in items):
        sheet.fault(place, name, f"{value!r} is not a list of texts such as {_LISTS.get(name, ['Table'])}")
        return ()
    return tuple(items)


def _own_flag(sheet: Sheet, place: str, value: object) -> bool:
    flags = {"": False, "false": False, "0": False, "no": False, "true": True, "1": True, "yes": True}
    flag = flags.get(str("" if value is None else value).strip().lower())
    if flag is None:
        sheet.fault(place, "requires_visual", f"{value!r} is neither true nor false")
    return bool(flag)
