"""The annotation that predictions are scored against: MMLongBench-Doc's v1 or V2, the demo's, or a file of one's own.

``read_gold`` reads every row, unanswerable and chart evidence too, applies an overlay of corrections, and says which
revision came of it. ``lint`` lists what may be wrong with an annotation and changes nothing. No PDF is opened here.
"""

import difflib
import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from muddle_utils.annotations import (
    ABSENT_DOCUMENT,
    CONTRADICTING,
    DAMAGED_DOCUMENT,
    FITS_NO_FORMAT,
    PAGE_OUTSIDE,
    REPEATED,
    CorpusError,
    Facts,
    document_faults,
    fits_format,
    literal_list,
)
from muddle_utils.annotations import key_of as key_of  # what predictions are joined on, under the gold's name too
from muddle_utils.corpora import (
    COLUMNS,
    annotation_file,
    benchmark_question,
    mmlongbench_folder,
    question_types,
    read_json_rows,
)
from muddle_utils.corrections import Correction, apply, as_text, page_numbers, read_corrections, read_overlay
from muddle_utils.downloads import git_blob_sha1, has_blob, pinned_files
from muddle_utils.mmlongbench_v1 import score_v1
from muddle_utils.records import ANSWER_FORMATS, DOCUMENT_TYPES, NOT_ANSWERABLE, Question
from muddle_utils.store import RowsError, as_row, read_rows
from muddle_utils.study import project_root, resolve

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
    no overlay changed it; the demo has no such commit. ``questions`` are all rows in the file's order. A task type
    that is empty is unknown, and ``requires_visual`` then says nothing. ``notes`` are sentences about what was read
    differently from what the file literally says.
    """

    name: str
    revision: str
    pinned: bool
    questions: tuple[Question, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Finding:
    """Something that may be wrong with an annotation.

    ``kind`` is one of FINDINGS. ``place`` is the row's number in the file, from 1; 0 with an empty document and
    question is a remark on the file as a whole.
    """

    kind: str
    document_id: str
    question: str
    detail: str
    place: int


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
        questions = [benchmark_question(_readable(row), labels.get(_row_key(row), {}), source.origin) for row in rows]
        notes += _label_notes(questions, labels)
    revision = _digest([as_row(question) for question in questions] if source.records else rows)
    questions, repeated = _own_identifiers(questions)
    return Gold(
        name=source.name + (f" + {Path(overlay).name}" if overlay else ""),
        revision=revision,
        pinned=source.pinned and not overlay,
        questions=tuple(questions),
        notes=(*source.notes, *notes, *repeated),
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
    if labels and any(_row_key(row) not in labels for row in rows):
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


def _row_key(row: Row) -> tuple[str, str]:
    return key_of(row["doc_id"], row["question"])


def _readable(row: Row) -> dict[str, Any]:
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


# --- Lint ------------------------------------------------------------------------------------------------------------


def lint(annotation: Gold | Sequence[Row], facts: Mapping[str, Facts] | None = None) -> list[Finding]:
    """Return what may be wrong with an annotation, in the order of its rows; remarks on the whole file come last.

    Args:
        annotation: a gold, or better the rows of ``annotation_rows``: a gold's questions are read already, so white
            space around a reference and page lists that are none no longer show in them.
        facts: what ``annotations.gather_facts`` says of the PDFs that are at hand; the pages of others are not
            checked, and one finding says how many they are.
    """
    rows = rows_of(annotation.questions) if isinstance(annotation, Gold) else annotation
    texts = [{**row, **{column: as_text(row[column]) for column in COLUMNS}} for row in rows]
    findings = _repeated(texts)
    unchecked = set()
    for place, row in enumerate(texts, start=1):
        found = [*_answer_findings(row), *_page_findings(row), *_name_findings(row)]
        outside, checked = _outside(row, facts or {})
        if not checked:
            unchecked.add(row["doc_id"])
        found += outside
        findings += [Finding(kind, row["doc_id"], row["question"], detail, place) for kind, detail in found]
    findings.sort(key=lambda finding: (finding.place, FINDINGS.index(finding.kind)))
    if unchecked:
        total = len({row["doc_id"] for row in texts})
        detail = f"{len(unchecked)} of {total} documents are not at hand or cannot be read: their pages are not checked"
        findings.append(Finding(UNCHECKED, "", "", detail, 0))
    return findings


def _repeated(rows: Sequence[Row]) -> list[Finding]:
    places: dict[tuple[str, str], list[int]] = defaultdict(list)
    for place, row in enumerate(rows, start=1):
        places[_row_key(row)].append(place)
    findings = []
    for key, group in places.items():
        if len(group) > 1:
            golds = sorted({rows[place - 1]["answer"].strip() for place in group})
            kind = CONTRADICTING if len(golds) > 1 else REPEATED
            detail = f"rows {', '.join(map(str, group))} ask this, with {', '.join(map(repr, golds))}"
            findings.append(Finding(kind, key[0], rows[group[-1] - 1]["question"], detail, group[-1]))
    return findings


def _unanswerable(row: Row) -> bool:
    return str(row["answer"]).strip().startswith(NOT_ANSWERABLE)


def _answer_findings(row: Row) -> list[tuple[str, str]]:
    answer, answer_format = row["answer"], row["answer_format"]
    stripped = answer.strip()
    found = [] if answer == stripped else [(WHITE_SPACE, repr(answer))]
    if _unanswerable(row) != (answer_format == "None"):
        found.append((FORMAT_AGAINST_TEXT, f"{stripped!r} with the format {answer_format}"))
        return found
    known = answer_format in ANSWER_FORMATS
    never = known and score_v1(stripped, stripped, answer_format).score == 0
    if never or not fits_format(stripped, answer_format):
        state = "" if known else ", which is no format"
        state += "; the v1 scorer gives credit to no answer" if never else ""
        found.append((FITS_NO_FORMAT, f"{stripped!r} as {answer_format}{state}"))
    return found


def _page_findings(row: Row) -> list[tuple[str, str]]:
    pages = page_numbers(row["evidence_pages"])
    if pages is None:
        return [(NO_PAGE_LIST, repr(row["evidence_pages"]))]
    if _unanswerable(row):
        return [(BOTH_STRATA, f"page {pages[0]} of {row['answer'].strip()!r}")] if len(pages) == 1 else []
    return [] if pages else [(NO_PAGE, "counted as cross-page, with no page named")]


def _name_findings(row: Row) -> list[tuple[str, str]]:
    sources = literal_list(row["evidence_sources"])
    named: list[tuple[str, str, tuple[str, ...]]] = [("document type", row["doc_type"], DOCUMENT_TYPES)]
    named += [("evidence source", source, EVIDENCE_SOURCES) for source in sources or [] if isinstance(source, str)]
    found = []
    for what, name, known in named:
        folded = {" ".join(other.casefold().split()): other for other in known}
        close = difflib.get_close_matches(" ".join(name.casefold().split()), folded, 1, 0.75)
        if name not in known and close:
            found.append((MISSPELT, f"{what} {name!r}: is {folded[close[0]]!r} meant?"))
    return found


def _outside(row: Row, facts: Mapping[str, Facts]) -> tuple[list[tuple[str, str]], bool]:
    """Return findings on pages that the document does not have, and whether its pages could be counted."""
    faults = document_faults(benchmark_question(_readable(row), {}, ""), facts.get(row["doc_id"]))[2]
    checked = not any(reason in (ABSENT_DOCUMENT, DAMAGED_DOCUMENT) for reason, _ in faults)
    return [fault for fault in faults if fault[0] == PAGE_OUTSIDE], checked
