"""The annotation that predictions are scored against: MMLongBench-Doc's v1 or V2, the demo's, or a file of one's own.

``read_gold`` reads every row, unanswerable and chart evidence too, applies an overlay of corrections, and says which
revision came of it. ``lint`` says what may be wrong with it. No PDF is opened here.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from muddle_utils.corpus.checks import CONTRADICTING, FITS_NO_FORMAT, PAGE_OUTSIDE, REPEATED, CorpusError, literal_list
from muddle_utils.corpus.checks import key_of as key_of
from muddle_utils.corpus.corpora import (
    COLUMNS,
    annotation_file,
    benchmark_question,
    mmlongbench_folder,
    question_types,
    read_json_rows,
)
from muddle_utils.corpus.corrections import Correction, apply, as_text, page_numbers, read_corrections, read_overlay
from muddle_utils.corpus.downloads import git_blob_sha1, has_blob, pinned_files
from muddle_utils.study.paths import project_root, resolve
from muddle_utils.study.records import Question
from muddle_utils.study.rows import RowsError, as_row, read_rows

EVIDENCE_SOURCES: Final = ("Pure-text (Plain-text)", "Table", "Chart", "Figure", "Generalized-text (Layout)")

UNCHECKED: Final = "documents whose pages could not be counted"
NO_PAGE_LIST: Final = "evidence pages that are no list of whole numbers"
BOTH_STRATA: Final = "unanswerable with exactly one evidence page"
NO_PAGE: Final = "answerable without an evidence page"
MISSPELT: Final = "name close to a known one"
WHITE_SPACE: Final = "reference with surrounding white space"
FORMAT_AGAINST_TEXT: Final = "format and text disagree about unanswerable"
FINDINGS: Final = (
    REPEATED,
    CONTRADICTING,
    FITS_NO_FORMAT,
    FORMAT_AGAINST_TEXT,
    NO_PAGE_LIST,
    PAGE_OUTSIDE,
    UNCHECKED,
    BOTH_STRATA,
    NO_PAGE,
    MISSPELT,
    WHITE_SPACE,
)

Row = Mapping[str, Any]
Labels = Mapping[tuple[str, str], Row]


@dataclass(frozen=True)
class Gold:
    """The annotation that predictions are scored against.

    ``name`` is ``v1``, ``v2``, ``demo`` or the file's name; with an overlay ``v2 + mine.json``. ``revision`` is the
    first 16 digits of the SHA-256 of all rows, corrected ones as corrected, whatever the file's spacing; it changes
    when any row or their order does. ``pinned`` says that the file is byte for byte the one of the pinned commit and
    no overlay changed it; only what is ``published``, v1 and v2, has such a commit. ``questions`` are all rows in the
    file's order. A task type that is empty is unknown, and ``requires_visual`` then says nothing. ``notes`` are
    sentences about what was read differently from what the file literally says.
    """

    name: str
    revision: str
    pinned: bool
    questions: tuple[Question, ...]
    notes: tuple[str, ...]
    published: bool = False


@dataclass(frozen=True)
class _Source:
    """An annotation file as read: its rows as text, and where they are a study's questions, those too."""

    name: str
    origin: str
    pinned: bool
    rows: list[dict[str, Any]]
    records: tuple[Question, ...] = ()
    labels: dict[tuple[str, str], Row] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def read_gold(annotation: str = "v2", data_dir: str = "", overlay: str = "", offline: bool = False) -> Gold:
    """Return the annotation with its overlay applied.

    Args:
        annotation: ``v1``, ``v2``, ``demo``, or the path of a JSON file in MMLongBench-Doc's form, or of a JSON lines
            file of questions as a study writes it.
        data_dir: a folder that holds MMLongBench-Doc's annotations; empty downloads them, without the PDFs, to
            ``data/mmlongbench``. Task types come from its ``question_types.json``, for a file of one's own where
            ``data_dir`` is empty from the one beside it.
        overlay: the path of a file of corrections as ``corrections.read_overlay`` takes it; empty applies none.
        offline: use what an earlier download left and fetch nothing.

    Raises:
        CorpusError: a file is missing or wrong; the message names it, the row and field, and the mend.
    """
    source, rows, corrections, notes = _read(annotation, data_dir, overlay, offline)
    labels = _reworded(source.labels, corrections, forwards=True)
    if source.records:
        questions = _corrected_records(source.records, corrections, rows)
    else:
        questions = [benchmark_question(readable(row), labels.get(row_key(row), {}), source.origin) for row in rows]
        notes += _label_notes(questions, labels)
    revision = _digest([as_row(question) for question in questions] if source.records else rows)
    questions, repeated = _own_identifiers(questions)
    return Gold(
        name=source.name + (f" + {Path(overlay).name}" if overlay else ""),
        revision=revision,
        pinned=source.pinned and not overlay,
        questions=tuple(questions),
        notes=(*source.notes, *notes, *repeated),
        published=source.name in ("v1", "v2"),
    )


def annotation_rows(
    annotation: str = "v2", data_dir: str = "", overlay: str = "", offline: bool = False
) -> list[dict[str, Any]]:
    """Return the rows that ``read_gold`` reads with these arguments, in MMLongBench-Doc's form and as they stand.

    ``lint`` sees in them what a question no longer shows, such as a page list that is none.

    Raises:
        CorpusError: as ``read_gold``.
    """
    return _read(annotation, data_dir, overlay, offline)[1]


def _read(
    annotation: str, data_dir: str, overlay: str, offline: bool
) -> tuple[_Source, list[dict[str, Any]], list[Correction], list[str]]:
    """Return the file as it is, its rows as corrected, the corrections and notes on both."""
    source = _source(annotation, data_dir, offline)
    corrections: list[Correction] = []
    rows = source.rows
    if overlay:
        corrections = read_overlay(_given(overlay, "overlay"), rows)
        rows = apply(rows, corrections, source.name)
    notes = [f"{overlay}: {len(corrections)} corrections applied"] if overlay else []
    notes += [
        f"row {number} ({row['doc_id']}): evidence_pages {row['evidence_pages']!r} is no list of whole numbers"
        for number, row in enumerate(rows, start=1)
        if page_numbers(row["evidence_pages"]) is None
    ]
    return source, rows, corrections, notes


def _given(path: str, parameter: str) -> Path:
    """Return the file at ``path``, relative to the current folder or else to the project."""
    here, there = Path(path).expanduser(), resolve(path)
    found = next((place for place in (here, there) if place.is_file()), None)
    if found is None:
        known = "take v1, v2, demo or the path of a file" if parameter == "annotation" else "give the path of a file"
        raise CorpusError(f"{parameter} = {path!r}: there is no such file; {known}")
    return found


def _source(annotation: str, data_dir: str, offline: bool) -> _Source:
    if annotation == "demo":
        path = project_root() / "data" / "demo" / "questions.jsonl"
        return _record_source("demo", path, "restore data/demo from the repository")
    if annotation in ("v1", "v2"):
        folder, notes = _benchmark_folder(annotation, data_dir, offline)
        source = _benchmark_source(annotation, annotation, annotation_file(folder, annotation), folder)
        return replace(source, notes=(*source.notes, *notes))
    path = _given(annotation, "annotation")
    if path.suffix == ".jsonl":
        return _record_source(path.name, path, "take a questions.jsonl as notebook 01 writes it")
    folder = mmlongbench_folder(data_dir, offline=True) if data_dir else path.parent
    return _benchmark_source(path.name, path.stem, path, folder)


def _benchmark_folder(annotation: str, data_dir: str, offline: bool) -> tuple[Path, tuple[str, ...]]:
    """Return the folder of the annotation, and a note where other files of the benchmark could not be fetched.

    One annotation needs no file of the other: labels of the questions are all that lacks.
    """
    try:
        return mmlongbench_folder(data_dir, offline, annotations_only=True), ()
    except CorpusError as error:
        folder = resolve("data/mmlongbench")
        blobs = {file.saved_as: file.git_blob_sha1 for file in pinned_files()}
        wanted = f"samples_{annotation}.json"
        if data_dir or not has_blob(folder / wanted, blobs[wanted]):
            raise
        return folder, (str(error).splitlines()[0],)


def _record_source(name: str, path: Path, mend: str) -> _Source:
    try:
        records = tuple(read_rows(path, Question, mend))
    except (RowsError, OSError) as error:
        raise CorpusError(f"annotation = {name!r}: {error}") from None
    if not records:
        raise CorpusError(f"{path} holds no question: {mend}")
    if (most := Counter(record.question_id for record in records).most_common(1)[0])[1] > 1:
        raise CorpusError(f"{path}: question_id {most[0]!r} stands {most[1]} times; identifiers are unique, {mend}")
    return _Source(name, name, False, rows_of(records), records)


def rows_of(questions: Sequence[Question]) -> list[dict[str, Any]]:
    """Return questions as rows in MMLongBench-Doc's form, with their ``question_id`` besides."""
    return [
        {
            "doc_id": question.document_id,
            "doc_type": question.document_type,
            "question": question.question,
            "answer": question.answer,
            "evidence_pages": str(list(question.evidence_pages)),
            "evidence_sources": str(list(question.evidence_sources)),
            "answer_format": question.answer_format,
            "question_id": question.question_id,
        }
        for question in questions
    ]


def _benchmark_source(name: str, origin: str, path: Path, folder: Path) -> _Source:
    own = name != origin
    mend = "a row has " + ", ".join(COLUMNS) if own else "download the file again"
    rows = read_json_rows(path, COLUMNS, mend)
    if not rows:
        raise CorpusError(f"{path} holds no question: {mend}")
    for number, row in enumerate(rows, start=1):
        for column in COLUMNS:
            if isinstance(row[column], bool | dict):
                raise CorpusError(f"{path}, row {number}: field {column!r} holds {row[column]!r}; {mend}")
            row[column] = as_text(row[column])
            if any("\ud800" <= mark <= "\udfff" for mark in row[column]):
                raise CorpusError(
                    f"{path}, row {number}: field {column!r} holds half of a character; write the whole one"
                )
    blobs = {file.git_blob_sha1 for file in pinned_files() if file.saved_as in ("samples_v1.json", "samples_v2.json")}
    pinned = git_blob_sha1(path) in blobs
    notes: tuple[str, ...] = ()
    if not pinned and not own:
        notes = (f"{path.name} is not the {name} file of the pinned commit (its bytes differ)",)
    labels: dict[tuple[str, str], Row] = dict(question_types(folder))
    if labels and any(row_key(row) not in labels for row in rows):
        labels, missing = _labels_by_old_wording(labels, folder)
        notes += missing
    return _Source(name, origin, pinned, rows, (), labels, notes)


def _labels_by_old_wording(labels: Labels, folder: Path) -> tuple[dict[tuple[str, str], Row], tuple[str, ...]]:
    """Return V2's labels by v1's wording of the questions too."""
    try:
        return _reworded(labels, read_corrections(folder), forwards=False), ()
    except CorpusError as error:
        return dict(labels), (f"questions that V2 words differently have no task type: {str(error).splitlines()[0]}",)


def _reworded(labels: Labels, corrections: Sequence[Correction], forwards: bool) -> dict[tuple[str, str], Row]:
    """Return the labels by the wordings after the corrections too, or (backwards) by those before."""
    found = dict(labels)
    for correction in corrections:
        old = key_of(correction.doc_id, correction.question)
        new = key_of(correction.doc_id, correction.after.get("question", correction.question))
        known, other = (old, new) if forwards else (new, old)
        if known in labels:
            found.setdefault(other, labels[known])
    return found


def _label_notes(questions: Sequence[Question], labels: Labels) -> list[str]:
    unknown = sum(not question.task_type for question in questions)
    if not labels:
        return ["there is no question_types.json with this annotation: task types are unknown"]
    return [f"{unknown} of {len(questions)} questions have no task type in question_types.json"] if unknown else []


def row_key(row: Row) -> tuple[str, str]:
    """Return what a row is found by: its document and question."""
    return key_of(row["doc_id"], row["question"])


def readable(row: Row) -> dict[str, Any]:
    """Return a row whose lists hold only what a question's fields take; ``lint`` names what is lost."""
    sources = literal_list(row["evidence_sources"]) or []
    return {
        **row,
        "evidence_pages": list(page_numbers(row["evidence_pages"]) or ()),
        "evidence_sources": [source for source in sources if isinstance(source, str)],
    }


def _corrected_records(
    records: Sequence[Question], corrections: Sequence[Correction], rows: Sequence[Row]
) -> list[Question]:
    """Return a study's questions as the corrected rows have them; they keep their identifiers."""
    if not corrections:
        return list(records)
    by_id = {record.question_id: record for record in records}
    questions = []
    for row in rows:
        record = by_id[row["question_id"]]
        same = row == rows_of([record])[0]
        values = {name: row[name] for name in ("question", "answer", "answer_format")}
        pages, sources = page_numbers(row["evidence_pages"]), literal_list(row["evidence_sources"])
        # Spans carry the answer that was recorded before.
        changed = replace(
            record, **values, evidence_pages=pages or (), evidence_sources=tuple(sources or ()), evidence_spans=()
        )
        questions.append(record if same else changed)
    return questions


def _own_identifiers(questions: Sequence[Question]) -> tuple[list[Question], list[str]]:
    """Return the questions with unique identifiers, and a note on every question that stands twice."""
    seen: Counter[tuple[str, str]] = Counter()
    found, notes = [], []
    for number, question in enumerate(questions, start=1):
        key = key_of(question.document_id, question.question)
        seen[key] += 1
        if seen[key] > 1:
            identifier = f"{question.question_id}-{seen[key]}"
            notes.append(
                f"row {number} asks {question.document_id} for the {_ordinal(seen[key])} time: {key[1]!r}; it is "
                f"{identifier}, and a prediction for this question is for no one row"
            )
            question = replace(question, question_id=identifier)
        found.append(question)
    return found, notes


def _ordinal(number: int) -> str:
    return {2: "second", 3: "third"}.get(number, f"{number}th")


def _digest(rows: Sequence[Any]) -> str:
    text = json.dumps(list(rows), sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
