"""Where questions and their PDFs come from: the embedded demo, MMLongBench-Doc, or a folder of the user's own.

All three give one ``Corpus`` of the same records, and nothing leaves in silence: what a corpus holds and the study
cannot use is an ``Exclusion`` with its reason. Annotations are read as data: literals are parsed, never evaluated.
The module ranks nothing and selects no distractors; ``retrieval`` and ``curation`` do.
"""

import json
import logging
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Final

from muddle_utils.corpus.checks import (
    ABSENT_DOCUMENT,
    CONTRADICTING,
    FITS_NO_FORMAT,
    NO_EVIDENCE_SOURCE,
    OTHER_EVIDENCE,
    REPEATED,
    UNANSWERABLE,
    CorpusError,
    derived_question_id,
    fits_format,
    key_of,
    literal_list,
)
from muddle_utils.corpus.downloads import fetch_mmlongbench, git_blob_sha1, has_blob, pinned_files
from muddle_utils.corpus.own_questions import questions_of, read_sheet
from muddle_utils.corpus.pdf_facts import (
    Facts,
    damaged,
    document_faults,
    document_rows,
    gather_facts,
    pdfs_below,
    unusable,
)
from muddle_utils.study.errors import json_fault
from muddle_utils.study.paths import project_root, resolve
from muddle_utils.study.records import NOT_ANSWERABLE, Document, Exclusion, Question
from muddle_utils.study.rows import RowsError, file_sha256, from_row, read_rows

log = logging.getLogger(__name__)

TEXT_AND_TABLE: Final = frozenset({"Pure-text (Plain-text)", "Table"})
MMLONGBENCH_LICENCE: Final = "rights stay with the document's owner; annotations Apache-2.0"
RECALL_TASK: Final = "lookup"
COLUMNS: Final = ("doc_id", "doc_type", "question", "answer", "evidence_pages", "evidence_sources", "answer_format")


@dataclass(frozen=True)
class Corpus:
    """Questions, every PDF of the pool, and what was left out.

    ``documents`` holds the PDFs that nobody asks about too: they are the pool distractors come from. ``notes`` says
    in sentences what was read differently from what the annotation literally says (printed page numbers resolved).
    ``hard_negatives`` are the document_ids that a folder of the user's own names for a source, in its order.
    """

    name: str
    questions: tuple[Question, ...]
    documents: tuple[Document, ...]
    exclusions: tuple[Exclusion, ...]
    notes: tuple[str, ...] = ()
    hard_negatives: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def load_corpus(
    corpus: str,
    data_dir: str = "",
    annotation: str = "v1",
    cache: Path | None = None,
    offline: bool = False,
    keep_unanswerable: bool = False,
) -> Corpus:
    """Return the corpus named ``demo`` or ``mmlongbench``, or the one in the folder ``corpus``.

    Args:
        corpus: ``demo``, ``mmlongbench``, or the path of a folder with ``questions.jsonl`` or ``questions.csv``.
        data_dir: for ``mmlongbench``, a folder that already holds the annotations and PDFs; nothing is downloaded
            then, and PDFs that are not there become exclusions.
        annotation: for ``mmlongbench``, ``v1`` or ``v2``. The other corpora have one annotation and ignore it.
        cache: folder in which page counts and the like are kept by content digest, so that a second load opens no
            PDF. None keeps nothing.
        offline: for ``mmlongbench``, use what an earlier download left and fetch nothing.
        keep_unanswerable: for ``mmlongbench``, keep questions whose answer is ``Not answerable`` (the paper does not).

    Raises:
        CorpusError: the name is none of these, or the files cannot be read as documented in ``data/README.md``.
    """
    if corpus == "demo":
        return _load_demo(project_root() / "data" / "demo")
    if corpus == "mmlongbench":
        if annotation not in ("v1", "v2"):
            raise CorpusError(f"annotation = {annotation!r} is not known: take 'v1' or 'v2'")
        return _load_mmlongbench(mmlongbench_folder(data_dir, offline), annotation, cache, keep_unanswerable)
    folder = resolve(corpus)
    if not corpus or not folder.is_dir():
        raise CorpusError(f"corpus = {corpus!r} is not known: take 'demo', 'mmlongbench' or the path of a folder")
    return _load_folder(folder, cache)


# --- The embedded corpus ---------------------------------------------------------------------------------------------


def _load_demo(folder: Path) -> Corpus:
    mend = "restore data/demo from the repository"
    try:
        questions = read_rows(folder / "questions.jsonl", Question)
        documents = _demo_documents(folder)
    except RowsError as error:
        raise CorpusError(f"corpus = 'demo': {error}; {mend}") from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CorpusError(f"corpus = 'demo': {folder / 'documents.jsonl'} cannot be read ({error}); {mend}") from None
    for document in documents:
        path = Path(document.path)
        if not path.is_file() or file_sha256(path) != document.sha256:
            state = "does not have the recorded digest" if path.is_file() else "is missing"
            raise CorpusError(f"corpus = 'demo': {path} {state}; {mend}")
    unknown = {question.document_id for question in questions} - {document.document_id for document in documents}
    if unknown:
        raise CorpusError(f"corpus = 'demo': questions name {min(unknown)!r}, which is not there; {mend}")
    return Corpus("demo", tuple(questions), tuple(documents), ())


def _demo_documents(folder: Path) -> list[Document]:
    """Return the documents; their rows hold facts for the corpus's own checks too, and no path of this machine."""
    wanted = {field.name for field in fields(Document)}
    documents = []
    for line in (folder / "documents.jsonl").read_text("utf-8").split("\n"):
        if line.strip():
            row = {name: value for name, value in json.loads(line).items() if name in wanted}
            row["path"] = str(folder / "documents" / row["document_id"])
            documents.append(from_row(Document, row))
    return documents


# --- MMLongBench-Doc -------------------------------------------------------------------------------------------------


def mmlongbench_folder(data_dir: str, offline: bool, annotations_only: bool = False) -> Path:
    """Return the folder of MMLongBench-Doc, after a download into it where neither argument forbids one.

    Args:
        data_dir: a folder that is taken as it is; empty takes ``data/mmlongbench``.
        offline: download nothing.
        annotations_only: download no PDF.

    Raises:
        CorpusError: there is no such folder, or the download failed.
    """
    folder = resolve(data_dir) if data_dir else resolve("data/mmlongbench")
    if data_dir and not folder.is_dir():
        raise CorpusError(f"data_dir = {data_dir!r}: there is no folder {folder}; leave it empty to download")
    if not data_dir and not offline:
        fetch_mmlongbench(folder, annotations_only=annotations_only)
    return folder


def read_json_rows(path: Path, columns: Sequence[str], mend: str = "download the file again") -> list[dict[str, Any]]:
    """Return the objects of a JSON list that all have ``columns``, of which ``doc_id`` and ``question`` are text.

    Raises:
        CorpusError: the file is anything else; the message names file, row and field, and ends with ``mend``.
    """
    try:
        rows = json.loads(path.read_text("utf-8-sig"))
    except OSError as error:
        raise CorpusError(f"{path} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise CorpusError(f"{path} is not JSON in UTF-8 ({json_fault(error)}): {mend}") from None
    if not isinstance(rows, list):
        raise CorpusError(f"{path} does not hold a list of questions: {mend}")
    for number, row in enumerate(rows, start=1):
        missing = [name for name in columns if not isinstance(row, dict) or name not in row]
        if missing:
            raise CorpusError(f"{path}, row {number}: field {missing[0]!r} is missing; {mend}")
        wrong = [name for name in ("doc_id", "question") if not isinstance(row[name], str)]
        if wrong:
            raise CorpusError(f"{path}, row {number}: field {wrong[0]!r} is not text; {mend}")
    return rows


def annotation_file(folder: Path, annotation: str) -> Path:
    """Return the annotations in a download of ours, or in a checkout of either upstream repository."""
    names: tuple[str, ...] = (f"samples_{annotation}.json", "samples.json", "data/samples.json")
    if annotation == "v1":
        names += ("data/corrections/samples_v1.json", "corrections/samples_v1.json")
    blobs = {file.saved_as: file.git_blob_sha1 for file in pinned_files()}
    other = blobs[f"samples_{'v2' if annotation == 'v1' else 'v1'}.json"]
    for path in (folder / name for name in names):
        if path.is_file() and not has_blob(path, other):
            return path
    raise CorpusError(
        f"{folder} holds no {annotation} annotations (looked for {', '.join(names)}): "
        "give another folder as data_dir (--data-dir), or none, and not --offline, to download them"
    )


def question_types(folder: Path) -> dict[tuple[str, str], dict[str, Any]]:
    """Return V2's row of labels by ``key_of`` each question; empty where ``folder`` does not hold the file."""
    for path in (folder / "question_types.json", folder / "data" / "question_types.json"):
        if path.is_file():
            rows = read_json_rows(path, ("doc_id", "question", "task_type", "requires_visual"))
            return {key_of(row["doc_id"], row["question"]): row for row in rows}
    return {}


def _load_mmlongbench(folder: Path, annotation: str, cache: Path | None, keep_unanswerable: bool) -> Corpus:
    source = annotation_file(folder, annotation)
    rows = read_json_rows(source, COLUMNS)
    blobs = {file.saved_as: file.git_blob_sha1 for file in pinned_files()}
    notes = []
    if git_blob_sha1(source) != blobs[f"samples_{annotation}.json"]:
        notes.append(f"{source.name} is not the {annotation} revision this study pins (its bytes differ)")

    paths = pdfs_below(
        next((place for place in (folder / "documents", folder / "data" / "documents") if place.is_dir()), folder)
    )
    digests = {name: file_sha256(path) for name, path in paths.items()}
    facts = gather_facts(paths, digests, cache)
    for name, path in paths.items():
        expected = blobs.get(f"documents/{name}")
        if expected and not facts[name].problem and git_blob_sha1(path) != expected:
            facts[name] = unusable("its bytes are not those of the pinned commit: download it again")

    types = {row["doc_id"]: row["doc_type"] for row in rows}
    exclusions = [
        Exclusion("document", name, ABSENT_DOCUMENT, "no such file under documents/")
        for name in sorted(types.keys() - paths.keys())
    ]
    exclusions += damaged(facts)
    questions, unused, page_notes = _select(rows, facts, question_types(folder), annotation, keep_unanswerable)
    origin = f"MMLongBench-Doc {annotation}"
    documents = document_rows(paths, digests, facts, types, questions, origin, MMLONGBENCH_LICENCE)
    return Corpus("mmlongbench", questions, documents, (*exclusions, *unused), (*notes, *page_notes))


def _select(
    rows: Sequence[Mapping[str, Any]],
    facts: Mapping[str, Facts],
    labels: Mapping[tuple[str, str], Mapping[str, Any]],
    annotation: str,
    keep_unanswerable: bool,
) -> tuple[tuple[Question, ...], list[Exclusion], list[str]]:
    """Return the text-and-table questions, the others with their reasons, and the notes on page numbers.

    The rule (paper, section 3.1): the answer is in text and tables only, that is, the evidence sources named are a
    non-empty subset of plain text and table. A row with several faults is listed under the first and names the rest.
    """
    golds: dict[tuple[str, str], list[str]] = defaultdict(list)
    questions: dict[str, Question] = {}
    exclusions, notes = [], []
    for row in rows:
        golds[key_of(row["doc_id"], row["question"])].append(row["answer"].strip())
    for row in rows:
        same = golds[key_of(row["doc_id"], row["question"])]
        question = benchmark_question(row, labels.get(key_of(row["doc_id"], row["question"]), {}), annotation)
        faults = _duplicate_faults(same, question.question_id in questions)
        faults += _gold_faults(question, keep_unanswerable)
        pages, note, file_faults = document_faults(question, facts.get(question.document_id))
        faults += file_faults
        if faults:
            rest = "".join(f"; also {reason}: {detail}" for reason, detail in faults[1:])
            detail = f"{question.document_id}: {question.question} [{faults[0][1]}{rest}]"
            exclusions.append(Exclusion("question", question.question_id, faults[0][0], detail))
            continue
        if note:
            notes.append(f"{question.question_id} ({question.document_id}): {note}")
            log.info("%s", notes[-1])
        if question.question_id in questions:
            raise CorpusError(f"two questions share the identifier {question.question_id}: {question.question!r}")
        questions[question.question_id] = replace(question, evidence_pages=pages)
    return tuple(questions.values()), exclusions, notes


def benchmark_question(row: Mapping[str, Any], label: Mapping[str, Any], annotation: str) -> Question:
    """Return the question that a row in MMLongBench-Doc's form asks; ``label`` is its row of ``question_types``."""
    task_type = str(label.get("task_type", ""))
    skill = "" if not task_type else "recall" if task_type == RECALL_TASK else "reasoning"
    return Question(
        question_id=derived_question_id("mmlb", row["doc_id"], row["question"]),
        document_id=row["doc_id"],
        question=row["question"].strip(),
        answer=str(row["answer"]).strip(),
        answer_format=row["answer_format"],
        evidence_pages=tuple(_as_list(row["evidence_pages"])),
        evidence_sources=tuple(_as_list(row["evidence_sources"])),
        document_type=row["doc_type"],
        task_type=task_type,
        skill=skill,
        requires_visual=bool(label.get("requires_visual", False)),
        annotation=annotation,
    )


def _as_list(value: object) -> list[Any]:
    return value if isinstance(value, list) else literal_list(str(value)) or []


def _duplicate_faults(golds: Sequence[str], seen: bool) -> list[tuple[str, str]]:
    if len(set(golds)) > 1:
        return [(CONTRADICTING, f"golds {sorted(set(golds))}")]
    return [(REPEATED, "the same question and gold stand in the file before")] if seen else []


def _gold_faults(question: Question, keep_unanswerable: bool) -> list[tuple[str, str]]:
    unanswerable = question.answer_format == "None" or question.answer.startswith(NOT_ANSWERABLE)
    if unanswerable:
        return [] if keep_unanswerable else [(UNANSWERABLE, f"gold {question.answer!r}")]
    faults = []
    if not question.evidence_sources:
        faults.append((NO_EVIDENCE_SOURCE, "evidence_sources is empty"))
    elif other := sorted(set(question.evidence_sources) - TEXT_AND_TABLE):
        faults.append((OTHER_EVIDENCE, ", ".join(other)))
    if not fits_format(question.answer, question.answer_format):
        faults.append((FITS_NO_FORMAT, f"{question.answer!r} as {question.answer_format}"))
    return faults


# --- A folder of the user's own --------------------------------------------------------------------------------------


def _load_folder(folder: Path, cache: Path | None) -> Corpus:
    sheet = read_sheet(folder)
    place = folder / "documents" if (folder / "documents").is_dir() else folder
    paths = pdfs_below(place)
    if not paths:
        raise CorpusError(f"{place} holds no PDF: put the documents there")
    digests = {name: file_sha256(path) for name, path in paths.items()}
    facts = gather_facts(paths, digests, cache)
    questions, exclusions, notes, chosen = questions_of(sheet, facts)
    exclusions += damaged(facts)
    types = {question.document_id: question.document_type for question in questions if question.document_type}
    documents = document_rows(paths, digests, facts, types, questions, f"folder {folder.name}", "")
    named = {document_id for found in chosen.values() for document_id in found}
    documents = tuple(
        replace(row, role="hard_negative") if row.role == "unrelated" and row.document_id in named else row
        for row in documents
    )
    return Corpus(folder.name, questions, documents, tuple(exclusions), tuple(notes), chosen)
