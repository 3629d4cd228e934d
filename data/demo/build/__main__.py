"""Build the demo corpus from data/demo/sources: ``python -m data.demo.build`` from the root of the repository.

``--family NAME`` builds one family alone (repeatable), ``--output DIR`` writes elsewhere, ``--check`` writes nothing.
"""

import argparse
import hashlib
import json
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import combinations
from pathlib import Path
from typing import Any

import pymupdf

from data.demo.build import checks
from data.demo.build.layout import DemoDocument, DemoQuestion, build_pdf
from data.demo.build.sources import SOURCES, SourceError, read_document, read_plan, read_questions

HOME = SOURCES.parent
SIZE_LIMIT = 6_000_000


def build_one(path: Path, document_type: str) -> tuple[bytes, list[str]]:
    """Read and set one document (blocks are functions and do not travel between processes, so go by file)."""
    try:
        return build_pdf(read_document(path, document_type))
    except Exception as error:
        error.add_note(f"while setting {path}")
        raise


def document_row(document: DemoDocument, pdf: bytes) -> dict[str, Any]:
    """Return the row of ``documents.jsonl``."""
    with pymupdf.open(stream=pdf, filetype="pdf") as opened:
        texts = [page.get_text() for page in opened]
    return {
        "document_id": document.document_id,
        "sha256": hashlib.sha256(pdf).hexdigest(),
        "n_pages": len(texts),
        "n_chars": sum(len(text) for text in texts),
        "title": document.title,
        "document_type": document.document_type,
        "family": document.family,
        "role": document.role,
        "scanned_pages": list(document.scanned_pages),
        "origin": "written for this corpus",
        "licence": "CC0-1.0",
    }


def question_row(question: DemoQuestion, document: DemoDocument, pages: tuple[int, ...]) -> dict[str, Any]:
    """Return the row of ``questions.jsonl``."""
    return {
        "question_id": question.question_id,
        "document_id": question.document_id,
        "question": question.question,
        "answer": question.answer,
        "answer_format": question.answer_format,
        "evidence_pages": list(pages),
        "evidence_sources": list(question.evidence_sources),
        "document_type": document.document_type,
        "task_type": question.task_type,
        "skill": question.skill,
        "requires_visual": bool(pages) and set(pages) <= set(document.scanned_pages),
        "annotation": "demo",
        "evidence_spans": list(question.evidence_spans),
    }


def read_family(
    family: str, document_type: str, documents: Sequence[str]
) -> tuple[list[DemoDocument], list[DemoQuestion]]:
    """Return the documents and the questions of a family.

    Raises:
        SourceError: a source cannot be read, a name is used twice, or a question is about no document of the family.
    """
    folder = SOURCES / family
    read = [read_document(folder / f"{name}.md", document_type) for name in documents]
    questions = read_questions(folder / "questions.toml")
    keys = [question.question_id for question in questions]
    if twice := sorted({key for key in keys if keys.count(key) > 1}):
        raise SourceError(f"{folder / 'questions.toml'}: used twice as question_id: {twice}")
    if strange := {question.document_id for question in questions} - {one.document_id for one in read}:
        raise SourceError(f"{folder / 'questions.toml'}: no document of the family is called {sorted(strange)}")
    return read, questions


class Built:
    """The documents of some families, set, with their questions and everything that is wrong with them."""

    def __init__(self, families: Sequence[str], workers: int) -> None:
        """Read and set the families named, or all; raises SourceError before anything is set."""
        plan = read_plan()
        if unknown := sorted(set(families) - set(plan)):
            raise SourceError(f"--family {unknown} is not known: take {', '.join(plan)}")
        self.is_whole = not families
        self.families = {family: read_family(family, **plan[family]) for family in families or plan}
        self.documents = [document for documents, _ in self.families.values() for document in documents]
        paths = [(SOURCES / one.family / one.document_id).with_suffix(".md") for one in self.documents]
        with ProcessPoolExecutor(workers) as pool:
            built = list(pool.map(build_one, paths, [one.document_type for one in self.documents]))
        self.by_id = {document.document_id: document for document in self.documents}
        self.pdfs = {document.document_id: pdf for document, (pdf, _) in zip(self.documents, built, strict=True)}
        self.pages = {document.document_id: texts for document, (_, texts) in zip(self.documents, built, strict=True)}
        self.texts = {name: "\n".join(parts) for name, parts in self.pages.items()}
        self.size = sum(map(len, self.pdfs.values()))
        self.cosines = checks.cosines(self.documents, self.texts)
        self.question_rows: list[dict[str, Any]] = []
        self.complaints = [*self._about_questions(), *self._about_families(), *self._about_corpus()]

    def _about_questions(self) -> list[str]:
        said = []
        for question in (question for _, questions in self.families.values() for question in questions):
            document = self.by_id[question.document_id]
            said += checks.question_complaints(question, document)
            try:
                found = checks.evidence_pages(question, self.pages[question.document_id])
            except ValueError as error:
                said.append(str(error))
            else:
                self.question_rows.append(question_row(question, document, found))
        return said

    def _about_families(self) -> list[str]:
        said = []
        counts = {name: len(parts) for name, parts in self.pages.items()}
        for documents, questions in self.families.values():
            said += checks.family_complaints(documents, questions, self.texts, counts)
            said += checks.repeated_paragraphs(documents, self.pages)
        return said

    def _about_corpus(self) -> list[str]:
        if not self.is_whole:
            return []  # the cosine band is read with weights fitted to the whole corpus
        said = checks.band_complaints(self.by_id, self.cosines)
        if self.size > SIZE_LIMIT:
            said.append(f"the documents have {self.size} bytes together, more than {SIZE_LIMIT}")
        return said

    def describe(self) -> str:
        """Return the figures of the corpus in lines."""
        low, high = min(self.cosines.values()), max(self.cosines.values())
        lines = [
            f"{len(self.documents)} documents, {sum(map(len, self.pages.values()))} pages, {self.size} bytes, "
            f"{len(self.question_rows)} questions",
            f"TF-IDF cosine of sources with their siblings: {low:.3f} to {high:.3f}",
        ]
        for family, (documents, _) in self.families.items():
            names = [document.document_id for document in documents]
            overlaps = [checks.jaccard(self.texts[a], self.texts[b]) for a, b in combinations(names, 2)]
            lines.append(f"{family}: Jaccard of siblings {min(overlaps):.3f} to {max(overlaps):.3f}")
            for name in names:
                words = len(self.texts[name].split())
                lines.append(f"  {name}: {len(self.pages[name])} pages, {len(self.pdfs[name])} bytes, {words} words")
        return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Build, report and write; return 0, 1 where a check fails, or 2 where a source or the command is wrong."""
    parser = argparse.ArgumentParser(prog="python -m data.demo.build", description=__doc__)
    parser.add_argument("--family", action="append", default=[], help="only this family; repeat for more")
    parser.add_argument("--output", type=Path, default=HOME, help="folder to write to (default: data/demo)")
    parser.add_argument("--check", action="store_true", help="check and report, write nothing")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args(arguments)
    if options.family and options.output == HOME and not options.check:
        parser.error("--family writes a part of the corpus only: give --output or --check with it")
    try:
        built = Built(options.family, options.workers)
    except SourceError as error:
        parser.error(str(error))
    print(built.describe())
    if built.complaints:
        print("", *built.complaints, f"{len(built.complaints)} complaints; nothing written", sep="\n", file=sys.stderr)
        return 1
    if not options.check:
        write(options.output, built)
    return 0


def write(output: Path, built: Built) -> None:
    """Write the PDFs and both files of rows, and remove PDFs that are no longer of the corpus."""
    folder = output / "documents"
    folder.mkdir(parents=True, exist_ok=True)
    for stale in sorted(set(folder.glob("*.pdf")) - {folder / name for name in built.pdfs}):
        stale.unlink()
    for name, pdf in built.pdfs.items():
        (folder / name).write_bytes(pdf)
    documents = [document_row(document, built.pdfs[document.document_id]) for document in built.documents]
    for name, rows in (("documents.jsonl", documents), ("questions.jsonl", built.question_rows)):
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        (output / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
