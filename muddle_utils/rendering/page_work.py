"""One page becomes Markdown or a picture, in a worker process; errors that are expected come back as answers."""

import functools
import io
import logging
import re
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Final, ParamSpec

from PIL import Image

from muddle_utils.rendering import pdf
from muddle_utils.rendering.cache import (
    IMAGE_SCALE,
    IMAGE_SETTINGS,
    CacheError,
    PageRecord,
    picture_name,
    read_record,
    write_file,
    write_record,
)
from muddle_utils.rendering.page_markers import break_markers
from muddle_utils.rendering.pdf import RenderError, open_pdf, pymupdf
from muddle_utils.study.records import Document
from muddle_utils.study.rows import file_sha256

WHOLE_DOCUMENT: Final = 0

# Below one character in a hundred a page reads as before; a stray bullet glyph is not a broken page.
FLAGGED_SHARE: Final = 0.01
FLAGGED_LINES: Final = 8
CID: Final = re.compile(r"\(cid:\d+\)")
LIGATURES: Final = re.compile("[\ufb00-\ufb06]")


Arguments = ParamSpec("Arguments")


# One page, in a worker process ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Answer:
    """What a worker says: pages and flags of a document, or why not."""

    n_pages: int = 0
    flags: tuple[str, ...] = ()
    problem: str = ""
    cache_problem: str = ""


def _answers(function: Callable[Arguments, Answer]) -> Callable[Arguments, Answer]:
    """Turn the errors a worker expects into answers."""

    @functools.wraps(function)
    def answer(*arguments: Arguments.args, **named: Arguments.kwargs) -> Answer:
        try:
            return function(*arguments, **named)
        except CacheError as error:
            return Answer(cache_problem=str(error))
        except RenderError as error:
            return Answer(problem=str(error))

    return answer


@functools.cache
def _markitdown() -> Callable[[bytes], str]:
    """Return MarkItDown's conversion of PDF bytes, imported on first use and quiet about fonts.

    ``MarkItDown`` itself would first ask a neural network what kind of file each page is, which takes a third of the
    time. The kind is known here, so its PDF converter is called, and what it does to every converter's text is done.
    """
    # The network's package comes with a runtime of its own; only the constructor of MarkItDown wants it.
    sys.modules.setdefault("magika", ModuleType("magika"))
    from markitdown import StreamInfo
    from markitdown.converters import PdfConverter

    logging.getLogger("pdfminer").setLevel(logging.CRITICAL)
    converter = PdfConverter()
    kind = StreamInfo(extension=".pdf", mimetype="application/pdf")

    def convert(data: bytes) -> str:
        lines = re.split(r"\r?\n", converter.convert(io.BytesIO(data), kind).markdown)
        return re.sub(r"\n{3,}", "\n\n", "\n".join(line.rstrip() for line in lines))

    return convert


def prepare_worker(renderer: str) -> None:
    """Import what a renderer needs; a worker calls this once, before any document's clock runs."""
    if renderer.startswith("markitdown"):
        _markitdown()


def _first_line(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {lines[-1] if lines else ''}"


def _markdown_page(document: pymupdf.Document, number: int, renderer: str) -> PageRecord:
    page = pdf.load_page(document, number)
    plain, upright = pdf.page_text(page), pdf.upright_rotation(page)
    text, problem = plain, ""
    if renderer == "markitdown":
        try:
            text = pdf.clean_text(_markitdown()(pdf.one_page_pdf(document, number, upright)))
            problem = "MarkItDown found no text" if plain.strip() and not text.strip() else ""
        except Exception as error:  # noqa: BLE001 - any fault of the converter costs its rendering of this page only
            problem = f"MarkItDown failed ({_first_line(error)})"
        if problem:
            text, problem = plain, f"{problem}; the text is PyMuPDF's"
    return PageRecord(
        page=number,
        label=pdf.page_label(page),
        text=break_markers(text),
        blank=not text.strip() and pdf.is_blank(page),
        rotation=page.rotation,
        upright=upright,
        problem=problem,
    )


def encode_jpeg(picture: Image.Image, longest: int, quality: int) -> bytes:
    """Return a picture as JPEG whose longest side is at most ``longest`` pixels.

    A smaller picture keeps its size: enlarging it would add bytes and no detail.
    """
    factor = longest / max(picture.size)
    if factor < 1:
        width, height = (max(1, round(side * factor)) for side in picture.size)
        picture = picture.resize((width, height), Image.Resampling.LANCZOS)
    data = io.BytesIO()
    picture.save(data, "JPEG", quality=quality)
    return data.getvalue()


def _image_page(document: pymupdf.Document, number: int, folder: Path) -> PageRecord:
    page = pdf.load_page(document, number)
    picture, scale = pdf.page_picture(page, IMAGE_SCALE)
    png = io.BytesIO()
    picture.save(png, "PNG", compress_level=1)
    write_file(folder, picture_name(number), png.getvalue())
    jpegs = {name: encode_jpeg(picture, *setting) for name, setting in IMAGE_SETTINGS.items()}
    for name, data in jpegs.items():
        write_file(folder, picture_name(number, name), data)
    return PageRecord(
        page=number,
        label=pdf.page_label(page),
        rotation=page.rotation,
        n_bytes=len(png.getvalue()),
        jpeg_bytes={name: len(data) for name, data in jpegs.items()},
        problem="" if scale == IMAGE_SCALE else f"drawn at scale {scale:.3g}, since the page is very large",
    )


@_answers
def inspect_file(path: str, sha256: str) -> Answer:
    """Check that a file is the document and can be opened; count its pages."""
    with open_pdf(path) as document:
        answer = Answer(n_pages=document.page_count, flags=pdf.document_flags(document))
    if file_sha256(path) != sha256:
        raise RenderError(changed_problem(path))
    return answer


@_answers
def render_pages(path: str, folder: Path, modality: str, renderer: str, numbers: range) -> Answer:
    """Render the pages of ``numbers`` that the cache does not hold yet."""
    missing = [number for number in numbers if read_record(folder, number) is None]
    with open_pdf(path) as document:
        for number in missing:
            started = time.monotonic()
            try:
                if modality == "image":
                    record = _image_page(document, number, folder)
                else:
                    record = _markdown_page(document, number, renderer)
            except (CacheError, RenderError):
                raise
            except Exception as error:  # noqa: BLE001 - a page that defeats the library is why the document fails
                raise RenderError(f"page {number} cannot be rendered ({_first_line(error)})") from None
            write_record(folder, record, started)
    return Answer()


@_answers
def render_whole(path: str, folder: Path) -> Answer:
    """Convert a file with one call of MarkItDown, as the paper does (section 4.2)."""
    if read_record(folder, WHOLE_DOCUMENT) is None:
        started = time.monotonic()
        try:
            text = _markitdown()(Path(path).read_bytes())
        except Exception as error:  # noqa: BLE001 - whatever the converter raises is why this document has no rendering
            raise RenderError(f"MarkItDown cannot convert the file ({_first_line(error)})") from None
        record = PageRecord(page=WHOLE_DOCUMENT, text=break_markers(pdf.storable_text(text)))
        write_record(folder, record, started)
    return Answer()


def is_listed_file(document: Document) -> bool:
    """Return whether a document's file is there and the one that the corpus listed."""
    try:
        return file_sha256(document.path) == document.sha256
    except OSError:
        return False


def changed_problem(path: str) -> str:
    """Return the problem of a file that is no longer the one listed."""
    return f"the file at {path} is not the one the corpus listed (its SHA-256 differs): load the corpus again"


# Rows ----------------------------------------------------------------------------------------------------------------


def text_flags(text: str, blank: bool = False) -> tuple[str, ...]:
    """Return what is wrong with a page's text; a page on which nothing is drawn lacks no text layer."""
    cid, replaced, ligatures = text_shares(text)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    single = sum(1 for line in lines if len(line) == 1 and line.isalpha())
    flags = {
        "no_text_layer": not lines and not blank,
        "cid": cid >= FLAGGED_SHARE,
        "replacement_characters": replaced >= FLAGGED_SHARE,
        "ligatures": ligatures > 0,
        "one_letter_lines": len(lines) >= FLAGGED_LINES and 2 * single > len(lines),
    }
    return tuple(flag for flag, raised in flags.items() if raised)


def text_shares(text: str) -> tuple[float, float, int]:
    """Return the shares of (cid:n) and of U+FFFD among visible characters, and the count of ligatures."""
    n_cid = len(CID.findall(text))
    rest = CID.sub("", text)
    n_visible = n_cid + sum(1 for character in rest if not character.isspace())
    return n_cid / max(n_visible, 1), rest.count("\ufffd") / max(n_visible, 1), len(LIGATURES.findall(rest))
