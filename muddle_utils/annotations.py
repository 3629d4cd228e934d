"""What an annotated question and the PDF it is about say: reasons for leaving out, answer formats, pages, PDF facts.

The parts that every corpus needs, whoever wrote it. Annotations are read as data: literals are parsed, never
evaluated. Nothing here knows where a corpus comes from; ``corpora`` does.
"""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from tqdm import tqdm

from muddle_utils.records import NOT_ANSWERABLE, Document, Exclusion, Question
from muddle_utils.scoring import python_literal
from muddle_utils.store import write_atomically
from muddle_utils.workers import Unit, WorkerPool, available_cores

REPEATED: Final = "repeated question"
CONTRADICTING: Final = "contradicting duplicate"
UNANSWERABLE: Final = "unanswerable"
NO_EVIDENCE_SOURCE: Final = "no evidence source named"
OTHER_EVIDENCE: Final = "chart, figure or layout evidence"
FITS_NO_FORMAT: Final = "gold that fits no format"
ABSENT_DOCUMENT: Final = "absent document"
DAMAGED_DOCUMENT: Final = "damaged document"
PAGE_OUTSIDE: Final = "evidence page outside the document"

READING_DEADLINE: Final = 120.0
READ_HERE: Final = 4

_INT: Final = re.compile(r"[-+\u2212]?(\d+|\d{1,3}(,\d{3})+)")
_FLOAT: Final = re.compile(r"\(?[-+\u2212]?\s?[$€£¥]?\s?((\d+|\d{1,3}(,\d{3})+)(\.\d+)?|\.\d+)\s?(%|percent)?\)?")


class CorpusError(ValueError):
    """A corpus that cannot be read as given; the message names the file, the row and field, and the mend."""


# --- What is wrong with a file ----------------------------------------------------------------------------------------

SHOWN: Final = 20


class Problem(NamedTuple):
    """What is wrong at a place of a file, such as ``row 3``, in a field or (empty) in the row as a whole."""

    place: str
    field: str
    message: str

    @property
    def where(self) -> str:
        """The place, with the field if there is one."""
        return f"{self.place}, field '{self.field}'" if self.field else self.place


def _shown(problems: Sequence[Problem]) -> list[Problem]:
    """Return the problems to list, in their order: each field has its share of the lines, and in it each message."""
    order = list(range(len(problems)))
    for width in (2, 1):
        seen: Counter[tuple[str, ...]] = Counter()
        turns = {}
        for index in order:
            kind = (problems[index].field, problems[index].message)[:width]
            turns[index] = seen[kind]
            seen[kind] += 1
        order.sort(key=turns.__getitem__)
    return [problems[index] for index in sorted(order[:SHOWN])]


def listed_problems(file: str | Path, problems: Sequence[Problem]) -> str:
    """Return one message on all problems of a file: a first line with file, place, field and number, then a list.

    A list longer than twenty is cut so that no fault, however often it stands there, hides the others.

    >>> listed_problems("a.json", [Problem("row 3", "answer", "empty")])
    "a.json has 1 problem to mend: row 3, field 'answer': empty"
    """
    first, n = problems[0], len(problems)
    if n == 1:
        return f"{file} has 1 problem to mend: {first.where}: {first.message}"
    lines = [f"{problem.where}: {problem.message}" for problem in _shown(problems)]
    if n > SHOWN:
        alike = " of this kind" if len({problem[1:] for problem in problems}) == 1 else ""
        lines.append(f"and {n - SHOWN:,} more{alike}")
    return "\n  ".join([f"{file} has {n:,} problems to mend: {first.where}, and {n - 1:,} more", *lines])


# --- Answers ---------------------------------------------------------------------------------------------------------


def literal_list(text: str) -> list[Any] | None:
    """Return the list that ``text`` spells as a Python literal, or None; nothing is ever executed."""
    value = python_literal(text.strip())
    return value if isinstance(value, list) else None


def fits_format(answer: str, answer_format: str) -> bool:
    """Tell whether a reference answer can be matched as the format it is declared to have.

    >>> [fits_format("21%", "Int"), fits_format("21%", "Float"), fits_format("0.66", "List")]
    [False, True, False]
    """
    answer = answer.strip()
    if answer_format == "Int":
        return _INT.fullmatch(answer) is not None
    if answer_format == "Float":
        return _FLOAT.fullmatch(answer) is not None
    if answer_format == "List":
        return bool(literal_list(answer))
    if answer_format == "None":
        return answer.startswith(NOT_ANSWERABLE)
    return answer_format == "Str" and bool(answer)


def infer_format(answer: str) -> str:
    """Return the answer format that ``answer`` looks like; a number with a leading zero is a code, not a quantity.

    >>> [infer_format(text) for text in ("12", "007", "3.5%", "['a']", "Not answerable", "Lyon")]
    ['Int', 'Str', 'Float', 'List', 'None', 'Str']
    """
    answer = answer.strip()
    if re.match(r"0\d", answer):
        return "Str"
    return next(kind for kind in ("None", "List", "Int", "Float", "Str") if kind == "Str" or fits_format(answer, kind))


def derived_question_id(prefix: str, document_id: str, question: str) -> str:
    """Return an identifier that depends on nothing but the document's name and the question's text."""
    digest = hashlib.sha256("\n".join((document_id, question)).encode())
    return f"{prefix}-{digest.hexdigest()[:10]}"


def key_of(document_id: str, question: str) -> tuple[str, str]:
    """Return what a question is joined on: its document and its text with runs of white space made one space.

    >>> key_of("a.pdf", " How  many pages? ")
    ('a.pdf', 'How many pages?')
    """
    return document_id, " ".join(question.split())


# --- PDFs -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Facts:
    """What opening a PDF once tells: pages, characters of text, title, page labels, or why it cannot be used."""

    n_pages: int
    n_chars: int
    title: str
    labels: tuple[str, ...]
    problem: str


def unusable(problem: str) -> Facts:
    """Return the facts of a PDF that cannot be used, with the reason."""
    return Facts(0, 0, "", (), problem)


def _prepare() -> None:
    import muddle_utils.pdf  # noqa: F401 - a second and a half that is not the first document's


def read_facts(path: str) -> Facts:
    """Open the PDF at ``path`` and return its facts; one that cannot be read has a ``problem``."""
    # Not at the top: PyMuPDF takes longer to import than a remembered corpus to load.
    from muddle_utils import pdf

    try:
        with pdf.open_pdf(path) as document:
            pages = [pdf.load_page(document, number) for number in range(1, document.page_count + 1)]
            texts = [pdf.page_text(page) for page in pages]
            labels = tuple(pdf.page_label(page) for page in pages)
            title = " ".join(pdf.clean_text(str((document.metadata or {}).get("title") or "")).split())
    except pdf.RenderError as error:
        return unusable(str(error))
    except pdf.PDF_ERRORS as error:
        return unusable(f"{Path(path).name} cannot be read ({error})")
    first_line = next((" ".join(line.split()) for line in "\n".join(texts[:2]).splitlines() if line.strip()), "")
    return Facts(len(texts), sum(map(len, texts)), (title or first_line)[:200], labels if any(labels) else (), "")


def pdfs_below(folder: Path) -> dict[str, Path]:
    """Return the PDFs below ``folder`` by their path in it, in POSIX form and sorted."""
    paths = (path for path in folder.rglob("*") if path.suffix.lower() == ".pdf" and path.is_file())
    return dict(sorted((path.relative_to(folder).as_posix(), path) for path in paths))


def gather_facts(paths: Mapping[str, Path], digests: Mapping[str, str], cache: Path | None) -> dict[str, Facts]:
    """Return every PDF's facts by document_id, opening only those whose digest ``cache`` does not know.

    Files are read in worker processes; one that takes longer than two minutes or brings its process down gets a
    problem, like any other file that cannot be used.
    """
    known = {key: facts for key in paths if (facts := _remembered(cache, digests[key])) is not None}
    fresh = _read_many({key: str(path) for key, path in paths.items() if key not in known})
    if cache is not None:
        for key, facts in fresh.items():
            row = json.dumps(asdict(facts), ensure_ascii=False)
            write_atomically(cache / "documents" / f"{digests[key]}.json", row.encode())
    return {key: known.get(key) or fresh[key] for key in paths}


def _remembered(cache: Path | None, sha256: str) -> Facts | None:
    if cache is None:
        return None
    try:
        row = json.loads((cache / "documents" / f"{sha256}.json").read_text("utf-8"))
        return Facts(**{**row, "labels": tuple(row["labels"])})
    except (OSError, ValueError, TypeError, KeyError):
        return None


def _read_many(paths: Mapping[str, str]) -> dict[str, Facts]:
    if len(paths) <= READ_HERE:
        return {key: read_facts(path) for key, path in paths.items()}
    found: dict[str, Facts] = {}
    with (
        WorkerPool(available_cores(), READING_DEADLINE, _prepare) as pool,
        tqdm(total=len(paths), desc="reading PDFs", unit="file") as bar,
    ):
        for number, (key, path) in enumerate(paths.items()):
            pool.submit(Unit(key, (number,), read_facts, (path,)))
        for outcome in pool.outcomes():
            key = outcome.unit.group
            found[key] = outcome.value or unusable(f"{Path(paths[key]).name} cannot be read: {outcome.problem}")
            bar.update()
    return found


def document_rows(
    paths: Mapping[str, Path],
    digests: Mapping[str, str],
    facts: Mapping[str, Facts],
    types: Mapping[str, str],
    questions: Iterable[Question],
    origin: str,
    licence: str,
) -> tuple[Document, ...]:
    """Return a row for every PDF; ``types`` gives the document types that are known."""
    sources = {question.document_id for question in questions}
    return tuple(
        Document(
            document_id=name,
            sha256=digests[name],
            path=str(path),
            n_pages=facts[name].n_pages,
            n_chars=facts[name].n_chars,
            title=facts[name].title,
            document_type=types.get(name, ""),
            role="source" if name in sources else "unrelated",
            origin=origin,
            licence=licence,
            problem=facts[name].problem,
        )
        for name, path in paths.items()
    )


def damaged(facts: Mapping[str, Facts]) -> list[Exclusion]:
    """Return an exclusion for every PDF that cannot be used."""
    return [Exclusion("document", name, DAMAGED_DOCUMENT, fact.problem) for name, fact in facts.items() if fact.problem]


def physical_pages(pages: Sequence[int], n_pages: int, labels: Sequence[str]) -> tuple[tuple[int, ...], str, str]:
    """Return the physical pages, a note if printed numbers were resolved, and a problem if that failed.

    Annotators sometimes wrote the number printed on the page. A row with a page beyond the file is read that way
    whole; a number that is no label is kept if it is a physical page of the file. A label used twice resolves nothing.
    """
    outside = [page for page in pages if not 1 <= page <= n_pages]
    if not outside:
        return tuple(pages), "", ""
    place = {label: index for index, label in enumerate(labels, start=1) if labels.count(label) == 1}
    physical = tuple(place.get(str(page), page) for page in pages)
    if wrong := [page for page in physical if not 1 <= page <= n_pages]:
        return tuple(pages), "", f"page {wrong[0]} of a document of {n_pages} pages"
    return physical, f"printed pages {list(pages)} are physical pages {list(physical)}", ""


def document_faults(question: Question, facts: Facts | None) -> tuple[tuple[int, ...], str, list[tuple[str, str]]]:
    """Return a question's physical evidence pages, a note on them, and what is wrong as (reason, detail) pairs."""
    pages = question.evidence_pages
    if facts is None:
        return pages, "", [(ABSENT_DOCUMENT, "no such PDF")]
    if facts.problem:
        return pages, "", [(DAMAGED_DOCUMENT, facts.problem)]
    physical, note, problem = physical_pages(pages, facts.n_pages, facts.labels)
    return physical, note, [(PAGE_OUTSIDE, problem)] if problem else []
