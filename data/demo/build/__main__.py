"""Build the demo corpus: ``python -m data.demo.build`` from the root of the repository.

``--family NAME`` builds one family alone (repeatable), ``--output DIR`` writes elsewhere, ``--check`` writes nothing.
"""

import argparse
import hashlib
import importlib
import json
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import pymupdf

from data.demo.build import checks
from data.demo.build.layout import DemoDocument, DemoQuestion, build_pdf

FAMILIES = (
    "research_report",
    "academic_paper",
    "guidebook",
    "tutorial_workshop",
    "brochure",
    "administration",
    "financial_report",
)
HOME = Path(__file__).resolve().parents[1]
SIZE_LIMIT = 6_000_000
ORIGIN = "written for this corpus by data/demo/build/{}.py"


def build_one(family: str, index: int) -> tuple[bytes, list[str]]:
    """Set one document of a family (blocks are functions and do not travel between processes, so go by name)."""
    return build_pdf(importlib.import_module(f"data.demo.build.{family}").documents()[index])


def document_row(document: DemoDocument, pdf: bytes, module: str) -> dict[str, Any]:
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
        "origin": ORIGIN.format(module),
        "licence": "CC0-1.0",
    }


def question_row(question: DemoQuestion, document: DemoDocument, pages: tuple[int, ...]) -> dict[str, Any]:
    return {
        "question_id": question.key,
        "document_id": question.document_id,
        "question": question.question,
        "answer": question.answer,
        "answer_format": question.answer_format,
        "evidence_pages": list(pages),
        "evidence_sources": [] if question.answer_format == "None" else list(question.evidence_sources),
        "document_type": document.document_type,
        "task_type": question.task_type,
        "skill": question.skill,
        "requires_visual": bool(pages) and set(pages) <= set(document.scanned_pages),
        "annotation": "demo",
        "evidence_spans": list(question.evidence_spans),
    }


def gather(families: Sequence[str]) -> tuple[list[tuple[str, int, DemoDocument]], list[DemoQuestion]]:
    documents: list[tuple[str, int, DemoDocument]] = []
    questions: list[DemoQuestion] = []
    for family in families:
        module = importlib.import_module(f"data.demo.build.{family}")
        documents += [(family, index, document) for index, document in enumerate(module.documents())]
        questions += module.questions()
    for kind, names in (
        ("document", [d.document_id for _, _, d in documents]),
        ("question", [q.key for q in questions]),
    ):
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise SystemExit(f"{kind} names used twice: {twice}")
    return documents, questions


class Built:
    """The documents of some families, set, with their questions and everything that is wrong with them."""

    def __init__(self, families: Sequence[str], workers: int) -> None:
        self.families = families
        self.listed, self.questions = gather(families)
        with ProcessPoolExecutor(workers) as pool:
            built = list(pool.map(build_one, [f for f, _, _ in self.listed], [i for _, i, _ in self.listed]))
        self.documents = [document for _, _, document in self.listed]
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
        for question in self.questions:
            said += checks.question_complaints(question, self.by_id[question.document_id])
            try:
                found = checks.evidence_pages(question, self.pages[question.document_id])
            except ValueError as error:
                said.append(str(error))
            else:
                self.question_rows.append(question_row(question, self.by_id[question.document_id], found))
        return said

    def _about_families(self) -> list[str]:
        said = []
        counts = {name: len(parts) for name, parts in self.pages.items()}
        for family in self.families:
            members = [document for name, _, document in self.listed if name == family]
            names = {document.document_id for document in members}
            asked = [question for question in self.questions if question.document_id in names]
            said += checks.family_complaints(members, asked, self.texts, counts)
            said += checks.repeated_paragraphs(members, self.pages)
        return said

    def _about_corpus(self) -> list[str]:
        if len(self.families) < len(FAMILIES):
            return []  # the cosine band is read with weights fitted to the whole corpus
        said = checks.band_complaints(self.by_id, self.cosines)
        if self.size > SIZE_LIMIT:
            said.append(f"the documents have {self.size} bytes together, more than {SIZE_LIMIT}")
        return said

    def describe(self) -> str:
        low, high = min(self.cosines.values()), max(self.cosines.values())
        lines = [
            f"{len(self.documents)} documents, {sum(map(len, self.pages.values()))} pages, {self.size} bytes, {len(self.questions)} questions",
            f"TF-IDF cosine of sources with their siblings: {low:.3f} to {high:.3f}",
        ]
        for family in self.families:
            names = [document.document_id for name, _, document in self.listed if name == family]
            overlaps = [
                checks.jaccard(self.texts[a], self.texts[b]) for i, a in enumerate(names) for b in names[i + 1 :]
            ]
            lines.append(f"{family}: Jaccard of siblings {min(overlaps):.3f} to {max(overlaps):.3f}")
            lines += [
                f"  {name}: {len(self.pages[name])} pages, {len(self.pdfs[name])} bytes, {len(self.texts[name].split())} words"
                for name in names
            ]
        return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m data.demo.build", description=__doc__)
    parser.add_argument("--family", action="append", choices=FAMILIES, help="only this family; repeat for more")
    parser.add_argument("--output", type=Path, default=HOME, help="folder to write to (default: data/demo)")
    parser.add_argument("--check", action="store_true", help="check and report, write nothing")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args(arguments)
    if options.family and options.output == HOME and not options.check:
        parser.error("--family writes a part of the corpus only: give --output or --check with it")
    built = Built(options.family or FAMILIES, options.workers)
    print(built.describe())
    if built.complaints:
        print(
            "\n".join(["", *built.complaints, f"{len(built.complaints)} complaints; nothing written"]), file=sys.stderr
        )
        return 1
    if not options.check:
        write(options.output, built)
    return 0


def write(output: Path, built: Built) -> None:
    folder = output / "documents"
    folder.mkdir(parents=True, exist_ok=True)
    for stale in sorted(set(folder.glob("*.pdf")) - {folder / name for name in built.pdfs}):
        stale.unlink()
    for name, pdf in built.pdfs.items():
        (folder / name).write_bytes(pdf)
    documents = [
        document_row(document, built.pdfs[document.document_id], module) for module, _, document in built.listed
    ]
    for name, lines in (("documents.jsonl", documents), ("questions.jsonl", built.question_rows)):
        (output / name).write_text(
            "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8"
        )


if __name__ == "__main__":
    sys.exit(main())
