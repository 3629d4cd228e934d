"""Documents become what a model is sent: Markdown under page markers, page images, or the checked PDF itself.

Renderings are kept in a content-addressed cache: the key digests the document's SHA-256, the modality, the renderer,
its version and its settings, so a file found under a key never has to be made again and never goes stale. Pages are
kept one by one while a document is being rendered; an interrupted run loses the pages at work and nothing else.

Work happens in worker processes (``workers``), in units of a few pages, so that one long document uses all cores and
one bad document costs only itself. A document that cannot be rendered is a row with its reason. This module cuts
nothing, recognises no text in images (see ``ocr``) and sends nothing.
"""

import dataclasses
import functools
import hashlib
import importlib.metadata
import io
import json
import logging
import re
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any, Final, ParamSpec

from PIL import Image
from tqdm import tqdm

from muddle_utils import pdf
from muddle_utils.pages import Page, break_markers, join_pages, split_pages
from muddle_utils.pdf import RenderError, open_pdf, pymupdf
from muddle_utils.records import MODALITIES, Document, PageQuality, Rendering
from muddle_utils.store import as_row, file_sha256, from_row, write_atomically
from muddle_utils.workers import Outcome, Unit, WorkerPool, available_cores

__all__ = [
    "IMAGE_SETTINGS",
    "MARKDOWN_RENDERERS",
    "CacheError",
    "RenderError",
    "choose_image_setting",
    "compare_renderers",
    "open_pdf",
    "page_images",
    "page_quality",
    "read_markdown",
    "render_documents",
]

MARKDOWN_RENDERERS: Final = ("markitdown", "markitdown-document", "pymupdf")
MARKER_VERSION: Final = 1
IMAGE_SCALE: Final = 2.0
IMAGE_SETTINGS: Final = {"1536q90": (1536, 90), "1024q80": (1024, 80)}
IMAGE_BYTES_LIMIT: Final = 15_000_000
UNIT_PAGES: Final = 8
WHOLE_DOCUMENT: Final = 0

# Below one character in a hundred a page reads as before; a stray bullet glyph is not a broken page.
FLAGGED_SHARE: Final = 0.01
FLAGGED_LINES: Final = 8
CID: Final = re.compile(r"\(cid:\d+\)")
LIGATURES: Final = re.compile("[\ufb00-\ufb06]")
TABLE_ROW: Final = re.compile(r"^\s*\|(?!(?:\s*:?-+:?\s*\|)+\s*$).*\|\s*$", re.MULTILINE)

NO_TEXT: Final = "no text layer on any page: the document is only images; use the image or pdf modality"
DOCUMENT_WARNINGS: Final = {
    "repaired": "repaired: the file's structure is damaged and was rebuilt, so pages may be missing",
    "encrypted": "encrypted: an owner password restricts the file, which opens without one",
}
PAGE_WARNINGS: Final = {
    "no_text_layer": "have no text layer",
    "cid": "hold characters without a code, written as (cid:n)",
    "replacement_characters": "hold characters that could not be decoded",
    "one_letter_lines": "are mostly lines of one letter",
}


Arguments = ParamSpec("Arguments")


class CacheError(RuntimeError):
    """The cache cannot be written; the message names the folder and the mend."""


# What a rendering is called in the cache -----------------------------------------------------------------------------


def renderer_name(modality: str, renderer: str) -> str:
    """Return the renderer that makes a modality; only Markdown has a choice."""
    return {"markdown": renderer, "image": "pymupdf", "pdf": "original"}[modality]


@functools.cache
def renderer_version(modality: str, renderer: str) -> str:
    """Return the packages and versions whose change may change the bytes, without importing them."""
    packages = ["pymupdf"]
    if modality == "markdown" and renderer.startswith("markitdown"):
        packages = ["markitdown", "pdfminer.six", "pdfplumber", "pymupdf"]
    if modality == "image":
        packages = ["pymupdf", "pillow"]
    return ", ".join(f"{package} {importlib.metadata.version(package)}" for package in packages)


def renderer_settings(modality: str, renderer: str) -> str:
    """Return the settings of a renderer as JSON with sorted keys."""
    settings: dict[str, object] = {}
    if modality == "markdown" and renderer != "markitdown-document":
        settings = {"page_markers": MARKER_VERSION, "upright": renderer == "markitdown"}
    if modality == "image":
        settings = {"scale": IMAGE_SCALE, "jpeg": IMAGE_SETTINGS, "largest_picture": pdf.LARGEST_PICTURE}
    return json.dumps(settings, sort_keys=True)


def rendering_key(sha256: str, modality: str, renderer: str, version: str, settings: str) -> str:
    """Return the cache key: the SHA-256 of document digest, modality, renderer, version and settings."""
    return hashlib.sha256(json.dumps([sha256, modality, renderer, version, settings]).encode()).hexdigest()


@dataclass(frozen=True)
class _Job:
    document: Document
    row: Rendering
    folder: Path


def _job(document: Document, modality: str, renderer: str, cache: Path) -> _Job:
    name = renderer_name(modality, renderer)
    version, settings = renderer_version(modality, name), renderer_settings(modality, name)
    key = rendering_key(document.sha256, modality, name, version, settings)
    row = Rendering(
        document_id=document.document_id,
        sha256=document.sha256,
        modality=modality,
        renderer=name,
        renderer_version=version,
        settings=settings,
        key=key,
        path="",
        n_bytes=0,
        n_pages=0,
        n_chars=0,
        warnings=(),
        status="failed",
        problem="",
        seconds=0.0,
    )
    return _Job(document, row, cache.absolute() / "renderings" / key)


def _write(folder: Path, name: str, data: bytes) -> None:
    try:
        write_atomically(folder / name, data)
    except OSError as error:
        raise CacheError(
            f"cannot write to the cache folder {folder.parent} ({error.strerror}): free space there or choose another "
            "folder, then run again; what is rendered so far is kept"
        ) from None


# One page, in a worker process ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _PageRecord:
    """One rendered page in the cache; ``page`` 0 is a whole document. ``problem`` is a warning, not a failure."""

    page: int
    label: str = ""
    text: str = ""
    blank: bool = False
    rotation: int = 0
    upright: int = 0
    n_bytes: int = 0
    jpeg_bytes: dict[str, int] = field(default_factory=dict)
    problem: str = ""
    seconds: float = 0.0


@dataclass(frozen=True)
class _Answer:
    """What a worker says: pages and flags of a document, or why not."""

    n_pages: int = 0
    flags: tuple[str, ...] = ()
    problem: str = ""
    cache_problem: str = ""


def _answers(function: Callable[Arguments, _Answer]) -> Callable[Arguments, _Answer]:
    """Turn the errors a worker expects into answers."""

    @functools.wraps(function)
    def answer(*arguments: Arguments.args, **named: Arguments.kwargs) -> _Answer:
        try:
            return function(*arguments, **named)
        except CacheError as error:
            return _Answer(cache_problem=str(error))
        except RenderError as error:
            return _Answer(problem=str(error))

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


def _prepare(renderer: str) -> None:
    """Import what a renderer needs; a worker calls this once, before any document's clock runs."""
    if renderer.startswith("markitdown"):
        _markitdown()


def _first_line(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {lines[-1] if lines else ''}"


def _markdown_page(document: pymupdf.Document, number: int, renderer: str) -> _PageRecord:
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
    return _PageRecord(
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


def _image_page(document: pymupdf.Document, number: int, folder: Path) -> _PageRecord:
    page = pdf.load_page(document, number)
    picture, scale = pdf.page_picture(page, IMAGE_SCALE)
    png = io.BytesIO()
    picture.save(png, "PNG", compress_level=1)
    _write(folder, _picture_name(number), png.getvalue())
    jpegs = {name: encode_jpeg(picture, *setting) for name, setting in IMAGE_SETTINGS.items()}
    for name, data in jpegs.items():
        _write(folder, _picture_name(number, name), data)
    return _PageRecord(
        page=number,
        label=pdf.page_label(page),
        rotation=page.rotation,
        n_bytes=len(png.getvalue()),
        jpeg_bytes={name: len(data) for name, data in jpegs.items()},
        problem="" if scale == IMAGE_SCALE else f"drawn at scale {scale:.3g}, since the page is very large",
    )


def _picture_name(number: int, image_setting: str = "") -> str:
    return f"page-{number:05d}-{image_setting}.jpg" if image_setting else f"page-{number:05d}.png"


def _record_name(number: int) -> str:
    return f"page-{number:05d}.json"


def _read_record(folder: Path, number: int) -> _PageRecord | None:
    try:
        return from_row(_PageRecord, json.loads((folder / _record_name(number)).read_bytes()))
    except (OSError, ValueError, TypeError, AttributeError):
        return None


def _write_record(folder: Path, record: _PageRecord, started: float) -> None:
    record = dataclasses.replace(record, seconds=round(time.monotonic() - started, 4))
    _write(folder, _record_name(record.page), json.dumps(as_row(record), ensure_ascii=False).encode())


@_answers
def _inspect(path: str, sha256: str) -> _Answer:
    """Check that a file is the document and can be opened; count its pages."""
    with open_pdf(path) as document:
        answer = _Answer(n_pages=document.page_count, flags=pdf.document_flags(document))
    if file_sha256(path) != sha256:
        raise RenderError(_changed(path))
    return answer


@_answers
def _render_pages(path: str, folder: Path, modality: str, renderer: str, numbers: range) -> _Answer:
    """Render the pages of ``numbers`` that the cache does not hold yet."""
    missing = [number for number in numbers if _read_record(folder, number) is None]
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
            _write_record(folder, record, started)
    return _Answer()


@_answers
def _render_whole(path: str, folder: Path) -> _Answer:
    """Convert a file with one call of MarkItDown, as the paper does (section 4.2)."""
    if _read_record(folder, WHOLE_DOCUMENT) is None:
        started = time.monotonic()
        try:
            text = _markitdown()(Path(path).read_bytes())
        except Exception as error:  # noqa: BLE001 - whatever the converter raises is why this document has no rendering
            raise RenderError(f"MarkItDown cannot convert the file ({_first_line(error)})") from None
        record = _PageRecord(page=WHOLE_DOCUMENT, text=break_markers(pdf.storable_text(text)))
        _write_record(folder, record, started)
    return _Answer()


def _is_listed_file(document: Document) -> bool:
    try:
        return file_sha256(document.path) == document.sha256
    except OSError:
        return False


def _changed(path: str) -> str:
    return f"the file at {path} is not the one the corpus listed (its SHA-256 differs): load the corpus again"


# Rows ----------------------------------------------------------------------------------------------------------------


def _pages_in_words(numbers: Sequence[int]) -> str:
    """Return page numbers with runs joined.

    >>> _pages_in_words([1, 2, 3, 7])
    '1-3, 7'
    """
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


def text_flags(text: str, blank: bool = False) -> tuple[str, ...]:
    """Return what is wrong with a page's text; a page on which nothing is drawn lacks no text layer."""
    cid, replaced, ligatures = _text_shares(text)
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


def _text_shares(text: str) -> tuple[float, float, int]:
    """Return the shares of (cid:n) and of U+FFFD among visible characters, and the count of ligatures."""
    n_cid = len(CID.findall(text))
    rest = CID.sub("", text)
    n_visible = n_cid + sum(1 for character in rest if not character.isspace())
    return n_cid / max(n_visible, 1), rest.count("\ufffd") / max(n_visible, 1), len(LIGATURES.findall(rest))


def _warnings(records: Sequence[_PageRecord], flags: Sequence[str], renderer: str, modality: str) -> tuple[str, ...]:
    warnings = [DOCUMENT_WARNINGS[flag] for flag in flags]
    if modality == "markdown":
        flagged = {record.page: text_flags(record.text, record.blank) for record in records}
        for flag, words in PAGE_WARNINGS.items():
            if pages := [page for page, raised in flagged.items() if flag in raised and page != WHOLE_DOCUMENT]:
                warnings.append(f"{flag}: {len(pages)} of {len(records)} pages {words} ({_pages_in_words(pages)})")
        if renderer == "markitdown-document":
            warnings.append("no_page_markers: the whole file was converted in one call, which loses page boundaries")
    warnings += [f"page {record.page}: {record.problem}" for record in records if record.problem]
    return tuple(warnings)


def _keep(job: _Job, row: Rendering, jpeg_bytes: dict[str, int] | None = None) -> Rendering:
    """Write a finished row beside its files; from now on the document is a cache hit."""
    stored = dataclasses.replace(row, document_id="", path="")
    content = {"rendering": as_row(stored), "jpeg_bytes": jpeg_bytes or {}}
    _write(job.folder, "rendering.json", json.dumps(content, ensure_ascii=False, indent=1).encode())
    return row


def _path(job: _Job) -> Path:
    return {"markdown": job.folder / "document.md", "image": job.folder, "pdf": Path(job.document.path)}[
        job.row.modality
    ]


def _finish(job: _Job, answer: _Answer) -> Rendering:
    """Assemble a document whose pages are all in the cache."""
    modality, renderer = job.row.modality, job.row.renderer
    numbers = _record_numbers(job, answer.n_pages)
    records = [record for number in numbers if (record := _read_record(job.folder, number))]
    if len(records) != len(numbers):
        return _failed(job, "pages vanished from the cache while the document was rendered: run again", answer.n_pages)
    row = dataclasses.replace(
        job.row,
        path=str(_path(job)),
        n_pages=answer.n_pages,
        n_chars=sum(len(record.text) for record in records),
        warnings=_warnings(records, answer.flags, renderer, modality),
        status="rendered",
        seconds=round(sum((record.seconds for record in records), 0.0), 3),
    )
    if modality == "markdown":
        if not any(record.text.strip() for record in records):
            return _keep(job, dataclasses.replace(row, status="failed", path="", n_chars=0, problem=NO_TEXT))
        markdown = records[0].text
        if renderer != "markitdown-document":
            markdown = join_pages(Page(record.page, record.label, record.text) for record in records)
        _write(job.folder, "document.md", markdown.encode())
        row = dataclasses.replace(row, n_bytes=len(markdown.encode()))
    elif modality == "image":
        row = dataclasses.replace(row, n_bytes=sum(record.n_bytes for record in records))
    else:
        row = dataclasses.replace(row, n_bytes=_path(job).stat().st_size)
    totals = {name: sum(record.jpeg_bytes.get(name, 0) for record in records) for name in IMAGE_SETTINGS}
    return _keep(job, row, totals if modality == "image" else None)


def _record_numbers(job: _Job, n_pages: int) -> range:
    if job.row.modality == "pdf":
        return range(0)
    if job.row.renderer == "markitdown-document":
        return range(WHOLE_DOCUMENT, WHOLE_DOCUMENT + 1)
    return range(1, n_pages + 1)


def _failed(job: _Job, problem: str, n_pages: int = 0) -> Rendering:
    return dataclasses.replace(job.row, problem=problem, n_pages=n_pages)


def _stored_bytes(job: _Job, n_pages: int) -> int:
    """Return the bytes of a finished document's files; raises FileNotFoundError if one is gone."""
    if job.row.modality != "image":
        return _path(job).stat().st_size
    names = (_picture_name(number, name) for number in range(1, n_pages + 1) for name in ("", *IMAGE_SETTINGS))
    return sum((job.folder / name).stat().st_size for name in names)


def _cached(job: _Job) -> Rendering | None:
    """Return the finished row of a job, if the cache holds it whole."""
    try:
        content = json.loads((job.folder / "rendering.json").read_bytes())
        row = from_row(Rendering, content["rendering"])
        whole = row.n_bytes + sum(content["jpeg_bytes"].values())
        if row.status == "rendered" and _stored_bytes(job, row.n_pages) != whole:
            return None
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None
    return row


def _refused(job: _Job) -> Rendering | None:
    """Return a failed row for a document that need not be opened to know that it cannot be rendered."""
    document = job.document
    if document.problem:
        return _failed(job, document.problem)
    if not Path(document.path).is_file():
        return _failed(job, f"the file is missing: there is nothing at {document.path}")
    if job.row.modality == "pdf" and not _is_listed_file(document):
        return _failed(job, _changed(document.path))
    return None


def _known(job: _Job) -> Rendering | None:
    # The raw file is sent itself, so a cached verdict on it holds only while the file is there and unchanged.
    if job.row.modality == "pdf":
        return _refused(job) or _cached(job)
    return _cached(job) or _refused(job)


# All documents -------------------------------------------------------------------------------------------------------


def _pages_expected(job: _Job) -> int:
    return max(job.document.n_pages, 1)


class _Conversion:
    """The documents at work: plans units, takes outcomes, assembles rows by cache key."""

    def __init__(self, jobs: Sequence[_Job], pool: WorkerPool, bar: "tqdm[Any]") -> None:
        self.jobs = {job.row.key: job for job in jobs}
        self.orders = {key: order for order, key in enumerate(self.jobs)}
        self.pool = pool
        self.bar = bar
        self.rows: dict[str, Rendering] = {}
        self.inspected: dict[str, _Answer] = {}
        self.waiting: dict[str, int] = {}
        self.unseen = {key: _pages_expected(job) for key, job in self.jobs.items()}

    def start(self) -> None:
        for key, job in self.jobs.items():
            unit = Unit(key, (self.orders[key], 0), _inspect, (job.document.path, job.document.sha256))
            self.pool.submit(unit)

    def take(self, outcome: Outcome) -> None:
        job = self.jobs[outcome.unit.group]
        key = job.row.key
        if key in self.rows:
            return
        if outcome.ended != "returned":
            self._give_up(job, self._explain(job, outcome))
            return
        answer: _Answer = outcome.value
        if answer.cache_problem:
            raise CacheError(answer.cache_problem)
        if answer.problem:
            # What is wrong with the file itself stays wrong; a page that failed may have failed for want of memory.
            lasting = outcome.unit.function is _inspect and _is_listed_file(job.document)
            self._give_up(job, answer.problem, lasting)
        elif outcome.unit.function is _inspect:
            self.inspected[key] = answer
            self._plan(job, answer.n_pages)
        else:
            self.waiting[key] -= 1
            if outcome.unit.function is _render_pages:
                self._show(key, len(outcome.unit.arguments[-1]))
        if self.waiting.get(key) == 0 and key not in self.rows:
            self._settle(key, _finish(job, self.inspected[key]))

    def _show(self, key: str, n_pages: int) -> None:
        n_pages = min(n_pages, self.unseen[key])
        self.unseen[key] -= n_pages
        self.bar.update(n_pages)

    def _settle(self, key: str, row: Rendering) -> None:
        self.rows[key] = row
        self._show(key, self.unseen[key])

    def _plan(self, job: _Job, n_pages: int) -> None:
        key, path, folder = job.row.key, job.document.path, job.folder
        numbers = _record_numbers(job, n_pages)
        units: list[tuple[Callable[..., _Answer], tuple[Any, ...]]] = [
            (_render_pages, (path, folder, job.row.modality, job.row.renderer, numbers[start : start + UNIT_PAGES]))
            for start in range(0, len(numbers), UNIT_PAGES)
        ]
        if job.row.renderer == "markitdown-document":
            units = [(_render_whole, (path, folder))]
        self.waiting[key] = len(units)
        for order, (function, arguments) in enumerate(units, start=1):
            self.pool.submit(Unit(key, (self.orders[key], order), function, arguments))

    def _give_up(self, job: _Job, problem: str, lasting: bool = False) -> None:
        key = job.row.key
        self.pool.drop(key)
        answer = self.inspected.get(key, _Answer())
        # The same bytes may go by another name next time; the row says whose they are.
        name = Path(job.document.path).name
        problem = f"the file{problem.removeprefix(name)}" if problem.startswith(f"{name} ") else problem
        row = _failed(job, problem, answer.n_pages)
        self._settle(key, _keep(job, row) if lasting else row)

    def _explain(self, job: _Job, outcome: Outcome) -> str:
        numbers = _record_numbers(job, self.inspected.get(job.row.key, _Answer()).n_pages)
        missing = [number for number in numbers if not (job.folder / _record_name(number)).is_file()]
        kept = f"; {len(numbers) - len(missing)} of {len(numbers)} pages are kept" if missing else ""
        if outcome.ended == "deadline":
            return f"rendering was {outcome.problem}{kept}: run again to go on from there, or raise the deadline"
        if outcome.ended == "died" and missing:
            return f"{outcome.problem} at or after page {missing[0]}{kept}"
        return f"rendering failed: {outcome.problem}{kept}"


def _check(modality: str, renderer: str, deadline: float, workers: int | None) -> None:
    if modality not in MODALITIES:
        raise ValueError(f"modality = {modality!r} is unknown: take one of {', '.join(MODALITIES)}")
    if renderer not in MARKDOWN_RENDERERS:
        raise ValueError(f"renderer = {renderer!r} is unknown: take one of {', '.join(MARKDOWN_RENDERERS)}")
    if not deadline > 0:
        raise ValueError(f"deadline = {deadline!r} is not a number of seconds above 0")
    if workers is not None and workers < 1:
        raise ValueError(f"workers = {workers!r} is not a number of processes above 0")


def render_documents(
    documents: Sequence[Document],
    modality: str,
    cache: Path,
    renderer: str = "markitdown",
    workers: int | None = None,
    deadline: float = 900.0,
    progress: bool = True,
) -> list[Rendering]:
    """Return one rendering a document, in the documents' order, made now or found in the cache.

    Args:
        documents: what to render; two documents with the same bytes are rendered once.
        modality: ``markdown``, ``image`` (PNG pages at scale 2.0) or ``pdf`` (the checked file itself).
        cache: the folder of all renderings; made if missing.
        renderer: how Markdown is made; the other modalities have one way each and ignore it.
        workers: processes; as many as there are processors to use if None.
        deadline: seconds of work on one document after which it is stopped and becomes a failed row. Its finished
            pages are kept. Time in which only other documents are at work does not count.
        progress: whether to show a bar of pages on standard error.

    Raises:
        ValueError: an unknown modality or renderer, or a deadline or number of workers that is not above 0.
        CacheError: the cache folder cannot be written (for example, the disk is full).
    """
    _check(modality, renderer, deadline, workers)
    jobs = [_job(document, modality, renderer, Path(cache)) for document in documents]
    known = [_known(job) for job in jobs]
    todo = [job for job, row in zip(jobs, known, strict=True) if row is None]
    made = _convert(todo, workers or available_cores(), deadline, progress) if todo else {}
    rows = []
    for job, row in zip(jobs, known, strict=True):
        row = row or made[job.row.key]
        path = str(_path(job)) if row.status == "rendered" else ""
        rows.append(dataclasses.replace(row, document_id=job.document.document_id, path=path))
    return rows


def _convert(jobs: Sequence[_Job], workers: int, deadline: float, progress: bool) -> dict[str, Rendering]:
    folder = jobs[0].folder.parent
    n_units = sum(-(-_pages_expected(job) // UNIT_PAGES) for job in jobs)
    name = f"{jobs[0].row.modality} by {jobs[0].row.renderer}"

    def remove_halves(process_id: int) -> None:
        for half in folder.glob(f"*/.*.{process_id}.tmp"):
            half.unlink(missing_ok=True)

    unique = {job.row.key: job for job in jobs}.values()
    bar = tqdm(total=sum(map(_pages_expected, unique)), desc=name, unit="page", disable=not progress)
    prepare = functools.partial(_prepare, jobs[0].row.renderer)
    with bar, WorkerPool(min(workers, n_units), deadline, prepare, remove_halves) as pool:
        conversion = _Conversion(jobs, pool, bar)
        conversion.start()
        for outcome in pool.outcomes():
            conversion.take(outcome)
    return conversion.rows


# Reading renderings --------------------------------------------------------------------------------------------------


def _require(rendering: Rendering, modality: str) -> None:
    if rendering.modality != modality:
        raise ValueError(f"{rendering.document_id} is rendered as {rendering.modality}, not as {modality}")
    if rendering.status != "rendered":
        raise RenderError(f"{rendering.document_id} has no rendering: {rendering.problem}")


def _read(rendering: Rendering, path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        raise RenderError(f"{path} is gone from the cache: render {rendering.document_id} again") from None


def read_markdown(rendering: Rendering) -> str:
    """Return the Markdown text of a rendered document.

    Raises:
        RenderError: the document could not be rendered, or its file has left the cache.
        ValueError: the rendering is not Markdown.
    """
    _require(rendering, "markdown")
    return _read(rendering, Path(rendering.path)).decode()


def page_images(rendering: Rendering, image_setting: str) -> list[bytes]:
    """Return a document's pages as JPEG, in order (paper, section 4.2).

    The longest side is at most 1536 or 1024 pixels; pages that are smaller at scale 2.0 are sent as they are. They
    were encoded from the PNG pages when the document was rendered, since one document is sent in many cells.

    Args:
        rendering: an image rendering.
        image_setting: a key of ``IMAGE_SETTINGS``: longest side in pixels and JPEG quality.

    Raises:
        RenderError: the document could not be rendered, or its files have left the cache.
        ValueError: the rendering is not images, or the setting is unknown.
    """
    _require(rendering, "image")
    if image_setting not in IMAGE_SETTINGS:
        raise ValueError(f"image_setting = {image_setting!r} is unknown: take one of {', '.join(IMAGE_SETTINGS)}")
    names = (_picture_name(number, image_setting) for number in range(1, rendering.n_pages + 1))
    return [_read(rendering, Path(rendering.path) / name) for name in names]


def jpeg_bytes(rendering: Rendering) -> dict[str, int]:
    """Return the bytes of all pages as JPEG by image setting, as counted when the document was rendered.

    Raises:
        RenderError: the document could not be rendered, or its files have left the cache.
        ValueError: the rendering is not images.
    """
    _require(rendering, "image")
    sizes = json.loads(_read(rendering, Path(rendering.path) / "rendering.json"))["jpeg_bytes"]
    return {name: int(sizes[name]) for name in IMAGE_SETTINGS}


def choose_image_setting(renderings: Sequence[Rendering]) -> str:
    """Return the image setting of a cell: ``1024q80`` if its images at ``1536q90`` exceed 15 MB, else ``1536q90``.

    Counted are JPEG bytes before base64, 1 MB being 1,000,000 bytes (paper, section 4.2: the largest cells).

    Raises:
        RenderError: one of the documents could not be rendered.
    """
    total = sum(jpeg_bytes(rendering)["1536q90"] for rendering in renderings)
    return "1024q80" if total > IMAGE_BYTES_LIMIT else "1536q90"


def page_quality(
    documents: Sequence[Document],
    cache: Path,
    markdown_renderer: str = "markitdown",
    workers: int | None = None,
    progress: bool = True,
) -> list[PageQuality]:
    """Return what each page lost or may have lost as Markdown, rendering what the cache does not hold.

    Documents that cannot be opened have no pages here; their reason is in ``render_documents``. ``repaired`` and
    ``encrypted`` stand on every page of their document.

    Raises:
        ValueError: the renderer keeps no pages apart (``markitdown-document``) or is unknown.
    """
    if markdown_renderer == "markitdown-document":
        raise ValueError("markdown_renderer = 'markitdown-document' keeps no pages apart: take markitdown or pymupdf")
    rows = render_documents(documents, "markdown", cache, markdown_renderer, workers, progress=progress)
    qualities = []
    for row in rows:
        folder = Path(cache).absolute() / "renderings" / row.key
        whole = tuple(flag for flag, warning in DOCUMENT_WARNINGS.items() if warning in row.warnings)
        records = (_read_record(folder, number) for number in range(1, row.n_pages + 1))
        qualities += [_quality(row.document_id, record, whole) for record in records if record]
    return qualities


def _quality(document_id: str, record: _PageRecord, document_flags: tuple[str, ...]) -> PageQuality:
    cid, replaced, ligatures = _text_shares(record.text)
    rotated = ("rotated",) if record.rotation or record.upright else ()
    return PageQuality(
        document_id=document_id,
        page=record.page,
        label=record.label,
        n_chars=len(record.text),
        cid_share=cid,
        replacement_share=replaced,
        ligatures=ligatures,
        rotation=record.rotation,
        flags=(*text_flags(record.text, record.blank), *rotated, *document_flags),
    )


def compare_renderers(
    document: Document,
    cache: Path,
    renderers: Sequence[str] = MARKDOWN_RENDERERS,
    workers: int | None = None,
) -> list[dict[str, object]]:
    """Return one row a renderer for the same document: pages, page markers, characters, table rows and seconds.

    ``n_chars`` counts the document's text without markers, ``n_table_rows`` the Markdown table rows without the
    rules under headers, ``seconds`` the work of all processes when the document was rendered.
    """
    rows: list[dict[str, object]] = []
    for renderer in renderers:
        row = render_documents([document], "markdown", cache, renderer, workers, progress=False)[0]
        markdown = read_markdown(row) if row.status == "rendered" else ""
        rows.append(
            {
                "document_id": row.document_id,
                "renderer": renderer,
                "renderer_version": row.renderer_version,
                "status": row.status,
                "n_pages": row.n_pages,
                "n_page_markers": len(split_pages(markdown)),
                "n_chars": row.n_chars,
                "n_table_rows": len(TABLE_ROW.findall(markdown)),
                "seconds": row.seconds,
                "problem": row.problem,
            }
        )
    return rows
