"""What a rendering is called in the cache, and the records of its pages there.

The key digests the document's SHA-256, the modality, the renderer, its version and its settings, so a file found under
a key never has to be made again and never goes stale.
"""

import dataclasses
import functools
import hashlib
import importlib.metadata
import json
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from muddle_utils.rendering import pdf
from muddle_utils.study.errors import MuddleError
from muddle_utils.study.records import Document, Rendering
from muddle_utils.study.rows import as_row, from_row, write_atomically

MARKDOWN_RENDERERS: Final = ("markitdown", "markitdown-document", "pymupdf")
MARKER_VERSION: Final = 1
IMAGE_SCALE: Final = 2.0
IMAGE_SETTINGS: Final = {"1536q90": (1536, 90), "1024q80": (1024, 80)}


class CacheError(MuddleError, RuntimeError):
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
class Job:
    """A document to be rendered: the row that will come of it, and its folder in the cache."""

    document: Document
    row: Rendering
    folder: Path


def job_of(document: Document, modality: str, renderer: str, cache: Path) -> Job:
    """Return the job of rendering a document in one modality."""
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
    return Job(document, row, cache.absolute() / "renderings" / key)


def write_file(folder: Path, name: str, data: bytes) -> None:
    """Write one file of a rendering whole.

    Raises:
        CacheError: the cache cannot be written.
    """
    try:
        write_atomically(folder / name, data)
    except OSError as error:
        raise CacheError(
            f"cannot write to the cache folder {folder.parent} ({error.strerror}): free space there or choose another "
            "folder, then run again; what is rendered so far is kept"
        ) from None


# One page, in a worker process ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PageRecord:
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


def picture_name(number: int, image_setting: str = "") -> str:
    """Return the file of a page's picture: as PNG, or as JPEG in one setting."""
    return f"page-{number:05d}-{image_setting}.jpg" if image_setting else f"page-{number:05d}.png"


def record_name(number: int) -> str:
    """Return the file of a page's record."""
    return f"page-{number:05d}.json"


def read_record(folder: Path, number: int) -> PageRecord | None:
    """Return a page's record, or None where the cache holds none that can be read."""
    try:
        return from_row(PageRecord, json.loads((folder / record_name(number)).read_bytes()))
    except (OSError, ValueError, TypeError, AttributeError):
        return None


def write_record(folder: Path, record: PageRecord, started: float) -> None:
    """Write a page's record with the seconds since ``started``."""
    record = dataclasses.replace(record, seconds=round(time.monotonic() - started, 4))
    write_file(folder, record_name(record.page), json.dumps(as_row(record), ensure_ascii=False).encode())
