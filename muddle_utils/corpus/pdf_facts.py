"""What can be known of a corpus's PDFs without rendering them: pages, digests, what is wrong with a file."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from tqdm import tqdm

from muddle_utils.corpus.checks import ABSENT_DOCUMENT, DAMAGED_DOCUMENT, PAGE_OUTSIDE
from muddle_utils.rendering.workers import Unit, WorkerPool, available_cores
from muddle_utils.study.records import Document, Exclusion, Question
from muddle_utils.study.rows import write_atomically

READING_DEADLINE: Final = 120.0
READ_HERE: Final = 4


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
    import muddle_utils.rendering.pdf  # noqa: F401 - a second and a half that is not the first document's


def read_facts(path: str) -> Facts:
    """Open the PDF at ``path`` and return its facts; one that cannot be read has a ``problem``."""
    # Not at the top: PyMuPDF takes longer to import than a remembered corpus to load.
    from muddle_utils.rendering import pdf

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
