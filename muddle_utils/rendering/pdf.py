"""PDF files: opened only when they are usable, one page at a time as text, as a one-page PDF and as a picture.

Everything that reads a PDF goes through ``open_pdf``, because PyMuPDF opens things nobody should answer questions
about: an HTML error page saved as ``.pdf`` becomes a document of one page, a truncated file one of none. PyMuPDF is
not safe in threads; use processes, and pass paths. This module keeps nothing and decides nothing about renderings.
"""

import re
import sys
from collections import Counter
from pathlib import Path
from typing import Final

from PIL import Image

from muddle_utils.study.errors import MuddleError

# PyMuPDF 2.0 imports its layout model and its converter for language models with itself: one processor second and 80 MB
# in every process, for nothing that is used here. It takes missing packages in its stride. Every module imports pymupdf
# from here.
for _unused in ("pymupdf.layout", "pymupdf4llm"):
    sys.modules.setdefault(_unused, None)  # type: ignore[arg-type]

import pymupdf as pymupdf  # noqa: E402

HEADER_BYTES: Final = 1024
HTML_START: Final = re.compile(
    rb"\s*<(!doctype\s+html|html|head|body|script|\?xml[^>]*>\s*<!doctype\s+html)", re.IGNORECASE
)
LARGEST_PICTURE: Final = 50_000_000
TEXT_LINES: Final = pymupdf.TEXTFLAGS_DICT & ~pymupdf.TEXT_PRESERVE_IMAGES
PDF_ERRORS: Final = (RuntimeError, ValueError, pymupdf.mupdf.FzErrorBase)
UPRIGHT: Final = {(1, 0): 0, (0, -1): 90, (-1, 0): 180, (0, 1): 270}


class RenderError(MuddleError, ValueError):
    """A document that cannot be used, or a page that cannot be rendered; the message names it and says why."""


def _refuse_other_files(path: Path) -> None:
    if not path.is_file():
        raise RenderError(f"{path.name} is missing: there is no file at {path}")
    with path.open("rb") as file:
        head = file.read(HEADER_BYTES)
    if not head:
        raise RenderError(f"{path.name} is empty (0 bytes): download it again")
    if HTML_START.match(head.removeprefix(b"\xef\xbb\xbf")):
        raise RenderError(f"{path.name} is an HTML page named .pdf, probably an error page: download it again")
    if b"%PDF-" not in head:
        raise RenderError(f"{path.name} is not a PDF: no %PDF- in its first {HEADER_BYTES} bytes")


def open_pdf(path: str | Path) -> pymupdf.Document:
    """Return the PDF at ``path``, open, with at least one page and readable without a password.

    Raises:
        RenderError: the file is missing, empty, an HTML page, no PDF, damaged beyond repair, encrypted with a
            password, or has no pages; the message says which.
    """
    path = Path(path)
    try:
        _refuse_other_files(path)
    except OSError as error:
        raise RenderError(f"{path.name} cannot be read: {error.strerror}") from None
    try:
        document = pymupdf.open(path, filetype="pdf")
    except PDF_ERRORS as error:
        raise RenderError(f"{path.name} is damaged and cannot be repaired ({error}): download it again") from None
    if document.needs_pass:
        document.close()
        raise RenderError(f"{path.name} is encrypted and needs a password: save a copy without one")
    try:
        n_pages = document.page_count
    except PDF_ERRORS as error:
        raise RenderError(f"{path.name} is damaged: its pages cannot be counted ({error})") from None
    if n_pages == 0:
        document.close()
        raise RenderError(f"{path.name} has no pages (truncated or empty): download it again")
    return document


def document_flags(document: pymupdf.Document) -> tuple[str, ...]:
    """Return ``repaired`` if MuPDF rebuilt the file's structure, ``encrypted`` if only an owner password guards it."""
    encrypted = bool((document.metadata or {}).get("encryption"))
    return ("repaired",) * bool(document.is_repaired) + ("encrypted",) * encrypted


def load_page(document: pymupdf.Document, page: int) -> pymupdf.Page:
    """Return a page by its physical number, counted from 1.

    Raises:
        RenderError: the document has no such page or it cannot be read.
    """
    if not 1 <= page <= document.page_count:
        raise RenderError(f"page {page} is outside the document's {document.page_count} pages")
    try:
        return document[page - 1]
    except PDF_ERRORS as error:
        raise RenderError(f"page {page} cannot be read ({error})") from None


def storable_text(text: str) -> str:
    """Return text that any store and any request can hold: lone surrogates and NUL become U+FFFD, to be counted."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").replace("\0", "\ufffd")


def clean_text(text: str) -> str:
    """Return storable text with line feeds for line ends and form feeds, without empty lines at either end."""
    text = storable_text(text).replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n")
    return text.strip("\n").rstrip()


def page_text(page: pymupdf.Page) -> str:
    """Return a page's text layer in the file's order, as PyMuPDF reads it."""
    return clean_text(page.get_text("text"))


def page_label(page: pymupdf.Page) -> str:
    """Return the page number printed by viewers (``iv``, ``289``), on one line; empty if the file has no labels."""
    return " ".join(clean_text(page.get_label() or "").split())


def is_blank(page: pymupdf.Page) -> bool:
    """Return whether nothing at all is drawn on a page (a scan is not blank; an intentionally empty page is)."""
    return not page.get_bboxlog()


def upright_rotation(page: pymupdf.Page) -> int:
    """Return the page rotation (0, 90, 180 or 270 degrees clockwise) at which most of its characters stand upright.

    A page's own /Rotate says how to show it, not how its text runs: a table typeset sideways is shown as it is, and
    text drawn sideways may be turned upright by /Rotate. Text extraction wants horizontal lines, so the direction of
    the lines decides; without text, or without a majority, the page's own rotation stands.
    """
    characters: Counter[tuple[int, int]] = Counter()
    for block in page.get_text("dict", flags=TEXT_LINES)["blocks"]:
        for line in block.get("lines", ()):
            if line["wmode"] == 0:
                x, y = line["dir"]
                characters[(round(x), round(y))] += sum(len(span["text"].strip()) for span in line["spans"])
    if not characters:
        return int(page.rotation)
    direction, count = characters.most_common(1)[0]
    if direction not in UPRIGHT or 2 * count <= characters.total():
        return int(page.rotation)
    return UPRIGHT[direction]


def one_page_pdf(document: pymupdf.Document, page: int, rotation: int) -> bytes:
    """Return a PDF that holds only physical page ``page``, shown at ``rotation`` degrees, without links and notes."""
    with pymupdf.open() as single:
        single.insert_pdf(document, from_page=page - 1, to_page=page - 1, links=False, annots=False, widgets=False)
        single[0].set_rotation(rotation)
        return bytes(single.tobytes(no_new_id=1))


def page_picture(page: pymupdf.Page, scale: float) -> tuple[Image.Image, float]:
    """Return a page as it is shown, at ``scale`` pixels per point, and the scale that was used.

    The scale is smaller than asked only where the picture would have more than 50 million pixels.
    """
    area = page.rect.width * page.rect.height
    used = min(scale, (LARGEST_PICTURE / area) ** 0.5) if area > 0 else scale
    pixels = page.get_pixmap(matrix=pymupdf.Matrix(used, used), alpha=False)
    return Image.frombytes("RGB", (pixels.width, pixels.height), pixels.samples), used
