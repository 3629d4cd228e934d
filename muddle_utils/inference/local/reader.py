"""The embedded reader: a deterministic lexical program that answers from the message it is sent and nothing else.

It finds the lines that share the question's rarer words, guesses from the question's wording what kind of answer is
asked (a count, a percentage, a table cell, a list, ...), and copies that out; a few textbook ratios it computes. On
real documents it is right about once in five, and it abstains when the words do not match well enough. It exists so
that the whole study runs without a key or a network. It is not a language model, it resembles none, and nothing it
does is a finding about any.

It follows no instruction that stands in a document, knows nothing beyond the message, and keeps nothing but segmented
texts by their digest, so that the same message always gets the same answer, in whatever order its documents stand.
"""

import base64
import binascii
import hashlib
import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from muddle_utils.inference.local.extraction import RULES, Found, Search, clause
from muddle_utils.inference.local.search import Text, rank_units, read_question
from muddle_utils.rendering.ocr import Word, page_text, recognise_pages
from muddle_utils.rendering.page_markers import Page, break_markers, join_pages
from muddle_utils.rendering.pdf import page_label, pymupdf
from muddle_utils.study.errors import MuddleError
from muddle_utils.study.records import NOT_ANSWERABLE

# Below this share of the question's weighted words the reader abstains. Chosen on tuning documents between answering
# the unanswerable (lower) and declining what it could have read (higher).
THRESHOLD: Final = 0.68
BASELINE_THRESHOLD: Final = 0.4
FULL_SCORE: Final = 1.5  # hardly exceeded: every word in one line, as a phrase, under a fitting heading
CHARACTERS_IN_MEMORY: Final = 6_000_000


class ReaderError(MuddleError, ValueError):
    """A message block that cannot be read at all; the text names the document and the fault."""


@dataclass(frozen=True)
class ReaderAnswer:
    """An answer, how sure the reader is, and where it was read.

    ``confidence`` is from 0 to 1: the share of the question's weighted words found at or near the answer, with what
    speaks for the answer's form, over ``FULL_SCORE``; it is no probability. ``document`` counts from 1 in placed
    order and ``page`` is the physical page; both are 0 when abstaining, ``page`` also where the document has no page
    markers. ``evidence`` is the line that was read, with ligatures and broken words mended, ``rule`` the rule that
    took the answer from it. ``warnings`` name pages that could not be read.
    """

    text: str
    confidence: float
    document: int
    page: int
    evidence: str
    rule: str
    warnings: tuple[str, ...] = ()


class _Memory:
    """Values by digest, bounded by their size in characters; the least recently used leave first."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.lock = threading.Lock()
        self.values: OrderedDict[bytes, tuple[Any, int]] = OrderedDict()

    def get(self, key: bytes, make: Callable[[], Any], size: Callable[[Any], int]) -> Any:  # noqa: ANN401
        """Return the value of a key, made if it is not there.

        One thread makes at a time: PyMuPDF is not safe in threads, and nothing is made twice.
        """
        with self.lock:
            if key not in self.values:
                value = make()
                self.values[key] = (value, size(value))
            self.values.move_to_end(key)
            while len(self.values) > 1 and sum(held for _, held in self.values.values()) > self.limit:
                self.values.popitem(last=False)
            return self.values[key][0]


_TEXTS: Final = _Memory(CHARACTERS_IN_MEMORY)
_PDFS: Final = _Memory(CHARACTERS_IN_MEMORY)


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def _segmented(markdown: str, key: bytes) -> Text:
    text: Text = _TEXTS.get(key, lambda: Text(markdown), lambda text: text.size)
    return text


# Reading -------------------------------------------------------------------------------------------------------------


_NOTHING: Final = ReaderAnswer(NOT_ANSWERABLE, 0.0, 0, 0, "", "nothing found")


def read_answer(question: str, documents: Sequence[str]) -> ReaderAnswer:
    """Return the reader's answer to a question from Markdown documents in placed order.

    The answer does not depend on the order: documents are read sorted by the digest of their text, and only the
    ``document`` number looks at their places.
    """
    return _read(question, documents, THRESHOLD, lambda search: RULES[search.query.kind](search) or clause(search))


def best_sentence(question: str, documents: Sequence[str]) -> ReaderAnswer:
    """Return the one line that best matches the question: the baseline that knows no kinds of answer.

    It abstains only below ``BASELINE_THRESHOLD``, a low one, which is in its favour.
    """

    def whole_line(search: Search) -> Found:
        best = search.ranked[0]
        return Found(best.line, best.score, best.place, best.unit, "best line")

    return _read(question, documents, BASELINE_THRESHOLD, whole_line)


def _read(
    question: str, documents: Sequence[str], threshold: float, rule: Callable[[Search], Found | None]
) -> ReaderAnswer:
    """Rank the units of all documents for a question and let a rule take the answer from them."""
    keyed = sorted((_digest(markdown), place) for place, markdown in enumerate(documents))
    pool = [_segmented(documents[place], key) for key, place in keyed]
    query = read_question(question, pool)
    ranked = rank_units(query, pool) if query.terms else []
    if not ranked:
        return _NOTHING
    found = rule(Search(query, pool, ranked))
    if found is None or not found.answer:
        return _NOTHING
    confidence = round(min(max(found.score, 0.0), FULL_SCORE) / FULL_SCORE, 4)
    if found.score < threshold:
        return replace(_NOTHING, confidence=confidence, rule="too few words in common")
    text = pool[found.place]
    place = keyed[found.place][1] + 1
    return ReaderAnswer(found.answer, confidence, place, text.pages[found.unit], text.units[found.unit], found.rule)


# Messages ------------------------------------------------------------------------------------------------------------


DOCUMENT_HEADER: Final = re.compile(r"## Document (\d{1,4})[ \t]*(?:\n|$)")
QUESTION_LINE: Final = re.compile(r"(?m)^Question:[ \t]*")


@dataclass
class _Parts:
    """One document of a message: its text so far, its page images, its PDF."""

    text: str = ""
    images: tuple[bytes, ...] = ()
    pdf: bytes | None = None


def answer_message(
    content: str | Sequence[dict[str, Any]], workers: int | None = None, cache: Path | None = None
) -> ReaderAnswer:
    """Return the reader's answer to the content of one user message: text, PDF files and page images.

    Args:
        content: the message's blocks: the question first, then each document under its ``## Document i`` header; or
            one text in that form.
        workers: how many page images are recognised at once; by default one a core.
        cache: folder for recognised pages that outlive the process.

    Raises:
        ReaderError: an image or a PDF in the message cannot be decoded; the text says in which document.
    """
    question, parts = _parts_of_text(content) if isinstance(content, str) else _parts_of_blocks(content)
    warnings: list[str] = []
    documents: list[str] = []
    for number, part in enumerate(parts, 1):
        markdown, problems = _markdown_of(part, number, workers, cache)
        documents.append(markdown)
        warnings += problems
    return replace(read_answer(question, documents), warnings=tuple(warnings))


def _question_of(text: str) -> str:
    """Return what follows the first line that starts with ``Question:``; without one, the whole text."""
    found = QUESTION_LINE.search(text)
    return (text[found.end() :] if found else text).strip()


def _parts_of_blocks(blocks: Sequence[dict[str, Any]]) -> tuple[str, list[_Parts]]:
    """Divide blocks into question and documents. Only the start of a text block can begin a document."""
    question = ""
    parts: list[_Parts] = []
    for position, block in enumerate(blocks):
        text = str(block.get("text", "")) if block.get("type") == "text" else ""
        header = DOCUMENT_HEADER.match(text)
        if header and int(header[1]) == len(parts) + 1:
            parts.append(_Parts(text[header.end() :]))
        elif position == 0:
            question = _question_of(text)
        elif parts:
            _add_block(parts[-1], block, len(parts))
    return question, parts


def _add_block(part: _Parts, block: dict[str, Any], number: int) -> None:
    """Add a text, image or file block to the document it follows."""
    kind = block.get("type")
    if kind == "text":
        part.text += "\n\n" + str(block.get("text", ""))
    elif kind == "image_url":
        part.images += (_decoded(block.get("image_url"), "url", f"document {number}, image {len(part.images) + 1}"),)
    elif kind == "file":
        part.pdf = _decoded(block.get("file"), "file_data", f"document {number}, file")


def _decoded(holder: object, field: str, what: str) -> bytes:
    """Return the bytes of a data URL.

    Raises:
        ReaderError: there is no data URL, or it is not base64.
    """
    url = holder.get(field, "") if isinstance(holder, dict) else holder
    head, comma, data = str(url).partition(",")
    if not comma or not head.startswith("data:") or not head.endswith(";base64"):
        raise ReaderError(f"{what}: expected a data URL (data:...;base64,...), the reader fetches nothing")
    try:
        return base64.b64decode(data, validate=True)
    except binascii.Error as error:
        raise ReaderError(f"{what}: its data URL is not base64 ({error})") from None


def _parts_of_text(text: str) -> tuple[str, list[_Parts]]:
    """Divide one text at the headers ``## Document 1``, ``## Document 2``, ... that start a line, in this order."""
    starts: list[tuple[int, int]] = []
    for header in re.finditer(rf"(?m)^{DOCUMENT_HEADER.pattern}", text):
        if int(header[1]) == len(starts) + 1:
            starts.append((header.start(), header.end()))
    starts.append((len(text), len(text)))
    parts = [_Parts(text[begin:end]) for (_, begin), (end, _) in pairwise(starts)]
    return _question_of(text[: starts[0][0]]), parts


def _markdown_of(part: _Parts, number: int, workers: int | None, cache: Path | None) -> tuple[str, list[str]]:
    """Return one document as Markdown with page markers, and warnings about pages that could not be read."""
    if part.pdf is not None:
        try:
            markdown, problems = pdf_markdown(part.pdf)
        except ReaderError as error:
            raise ReaderError(f"document {number}: {error}") from None
        return markdown, [f"document {number}, {problem}" for problem in problems]
    if not part.images:
        return part.text, []
    pages = recognise_pages(part.images, workers, cache)
    problems = [f"document {number}, page {k}: {page.problem}" for k, page in enumerate(pages, 1) if page.problem]
    return "".join(_marked(k, "", page.text) for k, page in enumerate(pages, 1)), problems


def _marked(page: int, label: str, text: str) -> str:
    """Return a page's text under its marker; text that looks like a marker is broken up."""
    return join_pages([Page(page, label, break_markers(text))])


def pdf_markdown(data: bytes) -> tuple[str, list[str]]:
    """Return a PDF's text layer as Markdown with page markers, made once for each file, and which pages have none.

    Raises:
        ReaderError: the bytes are no usable PDF.
    """
    try:
        made: tuple[str, list[str]] = _PDFS.get(
            hashlib.sha256(data).digest(), lambda: _read_pdf(data), lambda made: len(made[0])
        )
    except (RuntimeError, ValueError) as error:
        raise ReaderError(f"the PDF cannot be read ({error})") from None
    return made


def _read_pdf(data: bytes) -> tuple[str, list[str]]:
    """Return the text layer of a PDF page by page and the pages without one."""
    if not data:
        raise ValueError("it is empty")
    with pymupdf.open(stream=data, filetype="pdf") as document:
        if document.needs_pass:
            raise ValueError("it needs a password")
        if not document.is_pdf or not document.page_count:
            raise ValueError("it has no pages, or is no PDF")
        pages = [_read_page(document, number) for number in range(document.page_count)]
    problems = [f"page {number}: {problem}" for number, (_, problem) in enumerate(pages, 1) if problem]
    return "".join(markdown for markdown, _ in pages), problems


def _read_page(document: pymupdf.Document, index: int) -> tuple[str, str]:
    """Return one page under its marker, and why it has no text if it has none."""
    try:
        page = document[index]
        label, words = page_label(page), page.get_text("words")
    except (RuntimeError, ValueError) as error:
        return _marked(index + 1, "", ""), f"cannot be read ({error})"
    text = page_text([Word(*word[:5]) for word in words])
    return _marked(index + 1, label, text), "" if text else "no text layer"
