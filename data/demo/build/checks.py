"""What must hold before the corpus is written; a complaint names the document or question and says what is wrong."""

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer

from data.demo.build.layout import DemoDocument, DemoQuestion
from muddle_utils.study.records import ANSWER_FORMATS, NOT_ANSWERABLE

PAGE_BAND = (10, 40)
JACCARD_LIMIT = 0.45
COSINE_BAND = (0.30, 0.85)
TASKS = ("lookup", "compare", "count", "derive", "enumerate")
SOURCES = ("Pure-text (Plain-text)", "Table")


def flat(text: str) -> str:
    """Return text with every run of white space as one space, so that a span may run over line ends and table cells."""
    return " ".join(unicodedata.normalize("NFKC", text).split())


def tokens(text: str) -> set[str]:
    """Return the words of a text in lower case."""
    return set(re.findall(r"\w+", unicodedata.normalize("NFKC", text).lower()))


def jaccard(left: str, right: str) -> float:
    """Return the share of the words of both texts that both have."""
    a, b = tokens(left), tokens(right)
    return len(a & b) / len(a | b)


def items_of(question: DemoQuestion) -> list[str]:
    """Return the answer, or the items of a list answer."""
    return (
        [str(item) for item in json.loads(question.answer)] if question.answer_format == "List" else [question.answer]
    )


def _plain(text: str) -> str:
    text = re.sub(r"(?<=\d),(?=\d{3}\b)", "", flat(text).casefold())
    return re.sub(r"\s+", " ", text.replace("\u2019", "'").replace("\u2013", "-").replace("\u2014", "-"))


def gate_skips(item: str) -> bool:
    """Return whether the leak gate has nothing to search for: a short item, or a bare whole number below 100."""
    item = item.strip()
    if len(item) < 4 and not re.search(r"[%$\u20ac\u00a3\u00a5]|\d\.\d", item):
        return True
    return bool(re.fullmatch(r"\d+", item)) and int(item) < 100


def stands_in(item: str, text: str) -> bool:
    """Return whether the whole item stands in the text between word boundaries, thousands separators ignored."""
    pattern = r"(?<![\w.])" + re.escape(_plain(item)) + r"(?![\w]|\.\d)"
    return re.search(pattern, _plain(text)) is not None


def leaks(question: DemoQuestion, text: str) -> bool:
    """Return whether the text holds all that the leak gate searches for."""
    searched = [item for item in items_of(question) if not gate_skips(item)]
    return bool(searched) and all(stands_in(item, text) for item in searched)


def evidence_pages(question: DemoQuestion, pages: Sequence[str]) -> tuple[int, ...]:
    """Return the physical pages the spans stand on; a span found nowhere or on several pages raises ValueError."""
    found: set[int] = set()
    for span in question.evidence_spans:
        where = [number for number, text in enumerate(pages, start=1) if flat(span) in flat(text)]
        if len(where) != 1:
            near = [number for number, text in enumerate(pages, start=1) if flat(span)[:24] in flat(text)]
            raise ValueError(
                f"{question.question_id}: span {span!r} stands on pages {where}, must be one (its beginning: {near})"
            )
        found |= set(where)
    return tuple(sorted(found))


def _numbers(text: str) -> set[float]:
    return {float(number.replace(",", "")) for number in re.findall(r"\d+(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?", text)}


def question_complaints(question: DemoQuestion, document: DemoDocument) -> list[str]:
    """Return complaints about a question, its form and its spans."""
    key, said = question.question_id, []
    if document.role != "source":
        said.append(f"{key}: asks about {document.document_id}, which is no source")
    if (
        question.answer_format not in ANSWER_FORMATS
        or question.task_type not in TASKS
        or question.skill not in ("recall", "reasoning")
    ):
        said.append(
            f"{key}: unknown format, task or skill {question.answer_format, question.task_type, question.skill}"
        )
    if (question.answer_format == "None") != (question.answer == NOT_ANSWERABLE):
        said.append(f"{key}: format None goes with the answer {NOT_ANSWERABLE!r}")
    if question.answer_format == "None":
        return said + (
            [f"{key}: unanswerable, yet has evidence"] if question.evidence_spans or question.evidence_sources else []
        )
    if not question.evidence_spans or not question.evidence_sources or set(question.evidence_sources) - set(SOURCES):
        said.append(f"{key}: needs evidence spans, and sources among {SOURCES}")
    if question.answer_format == "Int" and not re.fullmatch(r"-?\d+", question.answer):
        said.append(f"{key}: an Int answer is digits only, not {question.answer!r}")
    if question.answer_format == "Float" and not re.fullmatch(r"-?\d+\.\d+%?", question.answer):
        said.append(f"{key}: a Float answer is written with a point, not {question.answer!r}")
    spans = " \u00b6 ".join(question.evidence_spans)
    if (
        question.answer_format in ("Str", "List")
        and question.skill == "recall"
        and not all(stands_in(item, spans) for item in items_of(question))
    ):
        said.append(f"{key}: recalled answer {question.answer!r} is not in its spans")
    if (
        question.answer_format in ("Int", "Float")
        and question.task_type == "lookup"
        and float(question.answer.rstrip("%")) not in _numbers(spans)
    ):
        said.append(f"{key}: looked-up number {question.answer} is not in its spans")
    return said


def family_complaints(
    documents: Sequence[DemoDocument],
    questions: Sequence[DemoQuestion],
    texts: Mapping[str, str],
    pages: Mapping[str, int],
) -> list[str]:
    """Return complaints about roles, page counts, overlap and leaks in a family."""
    said = []
    roles = [document.role for document in documents]
    family = documents[0].family
    if roles.count("source") < 2 or roles.count("hard_negative") < 6:
        said.append(f"{family}: {Counter(roles)}, needs 2 sources and 6 hard negatives")
    for document in documents:
        if not PAGE_BAND[0] <= pages[document.document_id] <= PAGE_BAND[1]:
            said.append(f"{document.document_id}: {pages[document.document_id]} pages, outside {PAGE_BAND}")
    for i, left in enumerate(documents):
        for right in documents[i + 1 :]:
            value = jaccard(texts[left.document_id], texts[right.document_id])
            if value >= JACCARD_LIMIT:
                said.append(
                    f"{left.document_id} and {right.document_id}: Jaccard {value:.3f}, must be below {JACCARD_LIMIT}"
                )
    for question in questions:
        for document in documents:
            if (
                document.document_id != question.document_id
                and question.answer_format != "None"
                and leaks(question, texts[document.document_id])
            ):
                said.append(
                    f"{question.question_id}: answer {question.answer!r} stands in sibling {document.document_id}"
                )
    return said


def repeated_paragraphs(documents: Sequence[DemoDocument], pages: Mapping[str, Sequence[str]]) -> list[str]:
    """Return complaints about runs of 60 words, more than any sentence has, that two documents share."""
    seen: dict[tuple[str, ...], str] = {}
    said: dict[tuple[str, str], str] = {}
    for document in documents:
        words = re.findall(r"\w+", flat(" ".join(pages[document.document_id])))
        for start in range(len(words) - 59):
            run = tuple(words[start : start + 60])
            other = seen.setdefault(run, document.document_id)
            if other != document.document_id:
                said.setdefault(
                    (other, document.document_id), f"{other} and {document.document_id} share {' '.join(run[:14])!r}..."
                )
    return list(said.values())


def cosines(documents: Sequence[DemoDocument], texts: Mapping[str, str]) -> dict[tuple[str, str], float]:
    """Return the TF-IDF cosine of each source with each of its siblings, fitted on all documents given."""
    ids = [document.document_id for document in documents]
    matrix = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True).fit_transform([texts[i] for i in ids])
    similarity = np.asarray((matrix @ matrix.T).todense())
    return {
        (a.document_id, b.document_id): float(similarity[i, j])
        for i, a in enumerate(documents)
        for j, b in enumerate(documents)
        if a.role == "source" and b.role == "hard_negative" and a.family == b.family
    }


def band_complaints(documents: Mapping[str, DemoDocument], similarity: Mapping[tuple[str, str], float]) -> list[str]:
    """Return complaints about sources with fewer than four siblings in the cosine band, and about near-duplicates.

    Academic papers have no band to keep: distractors for them are found by citation, not by likeness of text.
    """
    low, high = COSINE_BAND
    said = [
        f"{a} and {b}: TF-IDF cosine {value:.3f}, over {high}" for (a, b), value in similarity.items() if value > high
    ]
    for source in {a for a, _ in similarity}:
        values = sorted(value for (a, _), value in similarity.items() if a == source)
        if documents[source].document_type != "Academic paper" and sum(value >= low for value in values) < 4:
            shown = [round(value, 3) for value in values]
            said.append(f"{source}: TF-IDF cosines with its siblings {shown}, four must be {low} or more")
    return sorted(said)
