"""Writes a made-up study of the paper's size under several models and modalities, for timing its analysis.

    .venv/bin/python benchmarks/large_study.py FOLDER [--models 5] [--modalities 3]
    .venv/bin/python benchmarks/analysis.py --whole "COMMAND"

prints the COMMAND. The study has 270 questions on 85 documents, five conditions, and one answer and verdict for each
cell, model and modality, of which some are missing: 1,350 cells for each model and modality. Its texts are made up and
its outcomes are drawn with effects of document, question and arm, from one seed.
"""

import argparse
import math
import shlex
from pathlib import Path

import numpy as np

from muddle_utils.study import rows as rows_module
from muddle_utils.study.paths import Study, slug
from muddle_utils.study.records import (
    CONDITIONS,
    MODALITIES,
    Cell,
    Document,
    Exclusion,
    HardNegative,
    Question,
    Rendering,
    Request,
    Response,
    Verdict,
    condition_of,
)
from muddle_utils.study.rows import write_rows
from muddle_utils.study.store import Store

SEED = 20261130
QUESTIONS, SOURCES = 270, 85
HARM = {"control": 0.0, "random-2": -0.05, "hn-2": -0.25, "random-4": -0.15, "hn-4": -0.45}
TIME = "2026-01-02T03:04:05+00:00"


def sources() -> list[str]:
    """Return the source of every question: one document has 17, the others one to eight."""
    sizes = [17, *([8] * 4), *([5] * 12), *([3] * 33), *([2] * 27)]
    sizes += [1] * (SOURCES - len(sizes))
    names = [f"source-{place:03d}.pdf" for place, size in enumerate(sizes) for _ in range(size)]
    assert len(names) >= QUESTIONS and len(sizes) == SOURCES
    return names[:QUESTIONS]


def make_documents(names: list[str]) -> list[Document]:
    """Return the sources and four hard negatives for each."""
    own = list(dict.fromkeys(names))
    negatives = [f"near-{name[7:10]}-{place}.pdf" for name in own for place in range(4)]
    return [
        Document(name, f"sha-{name}", "", 20, 40_000, name, "Report", role, "made up", "CC0")
        for role, group in (("source", own), ("hard_negative", negatives))
        for name in group
    ]


def make_cells(questions: list[Question], rng: np.random.Generator) -> list[Cell]:
    """Return five cells a question; the source stands anywhere."""
    own = list(dict.fromkeys(question.document_id for question in questions))
    cells = []
    for question in questions:
        near = [f"near-{question.document_id[7:10]}-{place}.pdf" for place in range(4)]
        others = [name for name in own if name != question.document_id]
        far = [f"near-{name[7:10]}-{rng.integers(4)}.pdf" for name in rng.choice(others, 4, replace=False)]
        for condition in CONDITIONS:
            kind, k = condition_of(condition).kind, condition_of(condition).k
            documents = {"none": [], "hard_negative": near, "random": far}[kind][:k]
            place = int(rng.integers(len(documents) + 1))
            documents = [*documents[:place], question.document_id, *documents[place:]]
            name = f"{question.question_id}|{condition}"
            cells.append(Cell(name, question.question_id, condition, k, kind, tuple(documents), place, "", ""))
    return cells


def rendering(document: Document, modality: str) -> Rendering:
    """Return a rendering that says its size and has no file."""
    chars = document.n_chars if modality == "markdown" else 0
    key = f"{modality}-{document.document_id}"
    shape = (document.document_id, document.sha256, modality, "none", "1", "", key, "", 1, document.n_pages, chars)
    return Rendering(*shape, (), "rendered", "", 0.0)


def answer(cell: Cell, question: Question, model: str, modality: str, right: bool | None) -> tuple[Request, Response]:
    """Return a request and its response, which failed where ``right`` is None."""
    fingerprint = rows_module.digest(cell.cell_id, model, modality)
    pages = 20 * len(cell.document_ids)
    tokens = 10_000 * len(cell.document_ids)
    request = Request(
        *(cell.cell_id, cell.question_id, cell.condition, model, modality, 1, fingerprint, "", pages, None, 1, "{}"),
        tokens_least=tokens // 2,
        tokens_most=2 * tokens,
    )
    text = "" if right is None else question.answer if right else "another number"
    told = ("failed", "", "timeout", "no reply in time") if right is None else ("answered", text, "", "")
    response = Response(
        *(cell.cell_id, cell.question_id, cell.condition, model, modality, 1, fingerprint, *told, "stop"),
        *(tokens + len(text) * 7 + hash_of(fingerprint) % 5_000, 5, None, 0.001, 1.0, 1, "", model, "{}", None, ""),
        *(TIME, ""),
    )
    return request, response


def hash_of(text: str) -> int:
    """Return a number that depends on a text alone."""
    return int(text[:8], 16)


def verdict(question: Question, response: Response, right: bool) -> Verdict:
    """Return the rule judge's verdict on a response."""
    return Verdict(
        *(
            response.fingerprint,
            1,
            response.cell_id,
            response.model,
            response.modality,
            "local/rules",
            "rules",
            "judged",
        ),
        *(right, float(right), "", "", "", False, float(right), float(right), None, 0.0, TIME),
        judged_digest=rows_module.digest(question.question, question.answer, response.text),
    )


def write_study(folder: Path, models: list[str], modalities: list[str]) -> Study:
    """Write every row of the study below a folder and return it."""
    rng = np.random.default_rng(SEED)
    study = Study("large", str(folder / "runs"), str(folder / "figures"))
    names = sources()
    questions = [
        Question(f"q{i:04d}", name, f"What is number {i}?", f"{1000 + i}", "Int", (1,), ("Pure-text",), "Report")
        for i, name in enumerate(names)
    ]
    documents, cells = make_documents(names), make_cells(questions, rng)
    negatives = [
        HardNegative(
            name, f"near-{name[7:10]}-{i}.pdf", i + 1, 1.0, 0.5, 0.1, 0.0, "pass", "", 20, "good", "", "", i + 1
        )
        for name in dict.fromkeys(names)
        for i in range(4)
    ]
    for kind, rows in (
        *(("questions", questions), ("documents", documents), ("cells", cells), ("hard_negatives", negatives)),
        ("exclusions", list[Exclusion]()),
    ):
        write_rows(study.rows(kind), rows)
    for modality in modalities:
        write_rows(study.rows(f"renderings_{modality}"), [rendering(document, modality) for document in documents])
        write_rows(study.rows(f"lost_{modality}"), list[Exclusion]())
    by_id = {question.question_id: question for question in questions}
    ability = {name: rng.normal(1.4, 1.0) for name in dict.fromkeys(names)}
    ease = {question.question_id: rng.normal(0, 1.2) for question in questions}
    with Store(study.store) as store:
        for model in models:
            for modality in modalities:
                requests = []
                for cell in cells:
                    question = by_id[cell.question_id]
                    logit = ability[question.document_id] + ease[cell.question_id] + HARM[cell.condition]
                    right = bool(rng.random() < 1 / (1 + math.exp(-logit)))
                    answered = rng.random() > 0.02
                    request, response = answer(cell, question, model, modality, right if answered else None)
                    requests.append(request)
                    store.add_response(response)
                    if answered:
                        store.add_verdict(verdict(question, response, right))
                write_rows(study.rows(f"requests_{slug(model)}_{modality}"), requests)
    return study


def main() -> None:
    """Write the study and print the command that analyses it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--models", type=int, default=5)
    parser.add_argument("--modalities", type=int, default=3, choices=(1, 2, 3))
    options = parser.parse_args()
    models = [f"maker/model-{place + 1}" for place in range(options.models)]
    modalities = list(MODALITIES[: options.modalities])
    study = write_study(options.folder.resolve(), models, modalities)
    words = ["muddle", "run", "--study", study.name, "--runs-dir", study.runs_dir, "--figures-dir", study.figures_dir]
    words += [word for name in models for word in ("--model", name)]
    words += [word for name in modalities for word in ("--modality", name)]
    print(shlex.join([*words, "--only", "05"]))


if __name__ == "__main__":
    main()
