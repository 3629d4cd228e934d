"""Measures the embedded reader on the real documents: accuracy, abstention, baseline, cost.

    .venv/bin/python benchmarks/reader.py --data-dir FOLDER [--renderer markitdown] [--documents 20]
    .venv/bin/python benchmarks/reader.py --data-dir FOLDER --predictions reader.json [--annotation v2]

The second asks every question of the annotation whose document has a text layer, those about charts and those without
an answer too, and writes a predictions file for ``muddle score``.

Each question is asked with its source document alone (the control condition). Documents are divided by a fixed seed
into a tuning half, whose failures were read when the rules were written, and a held-out half, whose failures were
not. Documents without a text layer are left out: no text reader can read them. The renderer ``pdf`` is the reader's
own reading of the file block; ``markitdown`` and ``pymupdf`` are the study's.
"""

import argparse
import multiprocessing
import random
import resource
import time
from collections.abc import Callable, Iterable
from multiprocessing.queues import Queue
from pathlib import Path
from typing import NamedTuple

from muddle_utils.corpus.annotation import read_gold
from muddle_utils.corpus.corpora import load_corpus
from muddle_utils.inference.local import reader as reader_module
from muddle_utils.inference.local.reader import ReaderAnswer, best_sentence, read_answer
from muddle_utils.judging.predictions import as_predictions
from muddle_utils.rendering.rendering import read_markdown, render_documents
from muddle_utils.scoring.rule_judge.judge import judge_by_rules
from muddle_utils.study.paths import resolve
from muddle_utils.study.records import Document, Prediction, Question
from muddle_utils.study.rows import write_atomically

SEED = 20261129
CELL_CHARACTERS = 2_500_000
LEAST_TEXT = 500


class Tally(NamedTuple):
    """What one reader did on one set of questions (shares; NaN without questions)."""

    n: int
    correct: float
    abstained: float


def texts_of(documents: list[Document], renderer: str, cache: Path) -> dict[str, str]:
    """Return the Markdown of every document that has a text layer, by its id."""
    if renderer == "pdf":
        texts = {d.document_id: reader_module.pdf_markdown(Path(d.path).read_bytes())[0] for d in documents}
    else:
        rendered = [r for r in render_documents(documents, "markdown", cache, renderer) if r.status == "rendered"]
        texts = {r.document_id: read_markdown(r) for r in rendered}
    return {name: text for name, text in texts.items() if len(text) - 30 * text.count("<!-- page") >= LEAST_TEXT}


def tally(
    questions: Iterable[Question], texts: dict[str, str], read: Callable[[str, list[str]], ReaderAnswer]
) -> Tally:
    """Ask each question with its source alone and judge by rules."""
    marks: list[tuple[bool, bool]] = []
    for question in questions:
        answer = read(question.question, [texts[question.document_id]])
        verdict = judge_by_rules(question.question, question.answer, answer.text)
        marks.append((verdict.correct, answer.document == 0))
    n = len(marks)
    if not n:
        return Tally(0, float("nan"), float("nan"))
    return Tally(n, sum(correct for correct, _ in marks) / n, sum(abstained for _, abstained in marks) / n)


def report(questions: list[Question], texts: dict[str, str], label: str) -> None:
    """Print one line: accuracy and abstention on answerable questions, abstention on the others, the baseline."""
    answerable = [q for q in questions if q.answer_format != "None"]
    others = [q for q in questions if q.answer_format == "None"]
    reader, baseline = tally(answerable, texts, read_answer), tally(answerable, texts, best_sentence)
    unanswerable = tally(others, texts, read_answer)
    ratio = reader.correct / baseline.correct if baseline.correct else float("inf")
    columns = f"{reader.n:4d}  {reader.correct:8.3f}  {reader.abstained:9.2f}  {baseline.correct:8.3f}  {ratio:5.1f}"
    print(f"{label:18s} {columns}  {unanswerable.n:5d}  {unanswerable.abstained:9.2f}")


def measure(texts: list[str], answers: "Queue[tuple[float, float, float]]") -> None:
    """Read one cell in a fresh process; send CPU seconds cold and warm, and the peak of memory in MB."""
    seconds = []
    for question in ("What was the total revenue from advertising in 2018?", "How many people did the company employ?"):
        start = time.process_time()
        read_answer(question, texts)
        seconds.append(time.process_time() - start)
    answers.put((seconds[0], seconds[1], resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024))


def print_cost(texts: dict[str, str]) -> None:
    """Print what a cell of ``CELL_CHARACTERS`` costs, made of the longest documents."""
    cell: list[str] = []
    for text in sorted(texts.values(), key=len, reverse=True):
        cell.append(text[: CELL_CHARACTERS - sum(map(len, cell))])
    context = multiprocessing.get_context("spawn")
    answers = context.Queue()
    child = context.Process(target=measure, args=(cell, answers))
    child.start()
    cold, warm, memory = answers.get()
    child.join()
    print(
        f"cell of {sum(map(len, cell)):,} characters in {sum(map(bool, cell))} documents: {cold:.2f} CPU s cold, "
        f"{warm:.2f} CPU s warm, {memory:.0f} MB peak"
    )


def write_predictions(path: Path, annotation: str, data_dir: str, texts: dict[str, str]) -> None:
    """Write the reader's answer to every question about the documents at hand, as a predictions file."""
    asked = [q for q in read_gold(annotation, data_dir).questions if q.document_id in texts]
    answers = [
        Prediction(q.question_id, q.document_id, q.question, read_answer(q.question, [texts[q.document_id]]).text)
        for q in asked
    ]
    write_atomically(path, as_predictions(answers))
    print(f"{path}: {len(answers)} questions about {len({q.document_id for q in asked})} documents")


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data-dir", default="../shared/mmlongbench", help="folder with annotations and PDFs")
    parser.add_argument("--renderer", default="markitdown", choices=("markitdown", "pymupdf", "pdf"))
    parser.add_argument("--documents", type=int, default=0, help="how many documents, drawn by the seed; 0 is all")
    parser.add_argument("--cache", default="data/runs/.cache", help="folder of rendered documents")
    parser.add_argument("--predictions", default="", help="write a predictions file here and measure nothing")
    parser.add_argument("--annotation", default="v2", choices=("v1", "v2"), help="whose questions to ask for it")
    options = parser.parse_args()
    cache = resolve(options.cache)
    corpora = {
        version: load_corpus("mmlongbench", options.data_dir, version, cache, keep_unanswerable=True)
        for version in ("v1", "v2")
    }
    asked = {question.document_id for corpus in corpora.values() for question in corpus.questions}
    documents = sorted(
        (d for d in corpora["v2"].documents if not d.problem and (d.document_id in asked or options.predictions)),
        key=lambda d: d.document_id,
    )
    random.Random(SEED).shuffle(documents)
    texts = texts_of(documents[: options.documents or None], options.renderer, cache)
    if options.predictions:
        write_predictions(Path(options.predictions), options.annotation, options.data_dir, texts)
        return
    names = sorted(texts)
    random.Random(SEED).shuffle(names)
    halves = {"tuning": names[: len(names) // 2], "held out": names[len(names) // 2 :], "all": names}
    print(f"{len(names)} documents with text, renderer {options.renderer}; judge local/rules, control condition")
    print("annotation, half      n  accuracy  abstained  baseline  ratio  unans.  abstained")
    for version, corpus in corpora.items():
        for half, chosen in halves.items():
            report([q for q in corpus.questions if q.document_id in set(chosen)], texts, f"{version} {half}")
    print_cost(texts)


if __name__ == "__main__":
    main()
