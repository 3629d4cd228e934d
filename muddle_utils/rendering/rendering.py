"""Documents become what a model is sent: Markdown under page markers, page images, or the checked PDF itself.

Renderings are kept in a content-addressed cache (``cache``), pages one by one while a document is being rendered; an
interrupted run loses the pages at work and nothing else. Work happens in worker processes (``workers``), in units of a
few pages (``page_work``), so that one long document uses all cores and one bad document costs only itself. A document
that cannot be rendered is a row with its reason. This module cuts nothing, recognises no text in images (see ``ocr``)
and sends nothing.
"""

import dataclasses
import functools
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from tqdm import tqdm

from muddle_utils.rendering.cache import (
    IMAGE_SETTINGS,
    MARKDOWN_RENDERERS,
    CacheError,
    Job,
    PageRecord,
    job_of,
    picture_name,
    read_record,
    record_name,
    write_file,
)
from muddle_utils.rendering.page_markers import Page, join_pages
from muddle_utils.rendering.page_work import (
    WHOLE_DOCUMENT,
    Answer,
    changed_problem,
    inspect_file,
    is_listed_file,
    prepare_worker,
    render_pages,
    render_whole,
    text_flags,
)
from muddle_utils.rendering.pdf import RenderError
from muddle_utils.rendering.workers import Outcome, Unit, WorkerPool, available_cores
from muddle_utils.study.records import MODALITIES, Document, Rendering
from muddle_utils.study.rows import as_row, from_row

IMAGE_BYTES_LIMIT: Final = 15_000_000
UNIT_PAGES: Final = 8

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


def _warnings(records: Sequence[PageRecord], flags: Sequence[str], renderer: str, modality: str) -> tuple[str, ...]:
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


def _keep(job: Job, row: Rendering, jpeg_bytes: dict[str, int] | None = None) -> Rendering:
    """Write a finished row beside its files; from now on the document is a cache hit."""
    stored = dataclasses.replace(row, document_id="", path="")
    content = {"rendering": as_row(stored), "jpeg_bytes": jpeg_bytes or {}}
    write_file(job.folder, "rendering.json", json.dumps(content, ensure_ascii=False, indent=1).encode())
    return row


def _path(job: Job) -> Path:
    return {"markdown": job.folder / "document.md", "image": job.folder, "pdf": Path(job.document.path)}[
        job.row.modality
    ]


def _finish(job: Job, answer: Answer) -> Rendering:
    """Assemble a document whose pages are all in the cache."""
    modality, renderer = job.row.modality, job.row.renderer
    numbers = _record_numbers(job, answer.n_pages)
    records = [record for number in numbers if (record := read_record(job.folder, number))]
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
        write_file(job.folder, "document.md", markdown.encode())
        row = dataclasses.replace(row, n_bytes=len(markdown.encode()))
    elif modality == "image":
        row = dataclasses.replace(row, n_bytes=sum(record.n_bytes for record in records))
    else:
        row = dataclasses.replace(row, n_bytes=_path(job).stat().st_size)
    totals = {name: sum(record.jpeg_bytes.get(name, 0) for record in records) for name in IMAGE_SETTINGS}
    return _keep(job, row, totals if modality == "image" else None)


def _record_numbers(job: Job, n_pages: int) -> range:
    if job.row.modality == "pdf":
        return range(0)
    if job.row.renderer == "markitdown-document":
        return range(WHOLE_DOCUMENT, WHOLE_DOCUMENT + 1)
    return range(1, n_pages + 1)


def _failed(job: Job, problem: str, n_pages: int = 0) -> Rendering:
    return dataclasses.replace(job.row, problem=problem, n_pages=n_pages)


def _stored_bytes(job: Job, n_pages: int) -> int:
    """Return the bytes of a finished document's files; raises FileNotFoundError if one is gone."""
    if job.row.modality != "image":
        return _path(job).stat().st_size
    names = (picture_name(number, name) for number in range(1, n_pages + 1) for name in ("", *IMAGE_SETTINGS))
    return sum((job.folder / name).stat().st_size for name in names)


def _cached(job: Job) -> Rendering | None:
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


def _refused(job: Job) -> Rendering | None:
    """Return a failed row for a document that need not be opened to know that it cannot be rendered."""
    document = job.document
    if document.problem:
        return _failed(job, document.problem)
    if not Path(document.path).is_file():
        return _failed(job, f"the file is missing: there is nothing at {document.path}")
    if job.row.modality == "pdf" and not is_listed_file(document):
        return _failed(job, changed_problem(document.path))
    return None


def _known(job: Job) -> Rendering | None:
    # The raw file is sent itself, so a cached verdict on it holds only while the file is there and unchanged.
    if job.row.modality == "pdf":
        return _refused(job) or _cached(job)
    return _cached(job) or _refused(job)


# All documents -------------------------------------------------------------------------------------------------------


def _pages_expected(job: Job) -> int:
    return max(job.document.n_pages, 1)


class _Conversion:
    """The documents at work: plans units, takes outcomes, assembles rows by cache key."""

    def __init__(self, jobs: Sequence[Job], pool: WorkerPool, bar: "tqdm[Any]") -> None:
        self.jobs = {job.row.key: job for job in jobs}
        self.orders = {key: order for order, key in enumerate(self.jobs)}
        self.pool = pool
        self.bar = bar
        self.rows: dict[str, Rendering] = {}
        self.inspected: dict[str, Answer] = {}
        self.waiting: dict[str, int] = {}
        self.unseen = {key: _pages_expected(job) for key, job in self.jobs.items()}

    def start(self) -> None:
        for key, job in self.jobs.items():
            unit = Unit(key, (self.orders[key], 0), inspect_file, (job.document.path, job.document.sha256))
            self.pool.submit(unit)

    def take(self, outcome: Outcome) -> None:
        job = self.jobs[outcome.unit.group]
        key = job.row.key
        if key in self.rows:
            return
        if outcome.ended != "returned":
            self._give_up(job, self._explain(job, outcome))
            return
        answer: Answer = outcome.value
        if answer.cache_problem:
            raise CacheError(answer.cache_problem)
        if answer.problem:
            # What is wrong with the file itself stays wrong; a page that failed may have failed for want of memory.
            lasting = outcome.unit.function is inspect_file and is_listed_file(job.document)
            self._give_up(job, answer.problem, lasting)
        elif outcome.unit.function is inspect_file:
            self.inspected[key] = answer
            self._plan(job, answer.n_pages)
        else:
            self.waiting[key] -= 1
            if outcome.unit.function is render_pages:
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

    def _plan(self, job: Job, n_pages: int) -> None:
        key, path, folder = job.row.key, job.document.path, job.folder
        numbers = _record_numbers(job, n_pages)
        units: list[tuple[Callable[..., Answer], tuple[Any, ...]]] = [
            (render_pages, (path, folder, job.row.modality, job.row.renderer, numbers[start : start + UNIT_PAGES]))
            for start in range(0, len(numbers), UNIT_PAGES)
        ]
        if job.row.renderer == "markitdown-document":
            units = [(render_whole, (path, folder))]
        self.waiting[key] = len(units)
        for order, (function, arguments) in enumerate(units, start=1):
            self.pool.submit(Unit(key, (self.orders[key], order), function, arguments))

    def _give_up(self, job: Job, problem: str, lasting: bool = False) -> None:
        key = job.row.key
        self.pool.drop(key)
        answer = self.inspected.get(key, Answer())
        # The same bytes may go by another name next time; the row says whose they are.
        name = Path(job.document.path).name
        problem = f"the file{problem.removeprefix(name)}" if problem.startswith(f"{name} ") else problem
        row = _failed(job, problem, answer.n_pages)
        self._settle(key, _keep(job, row) if lasting else row)

    def _explain(self, job: Job, outcome: Outcome) -> str:
        numbers = _record_numbers(job, self.inspected.get(job.row.key, Answer()).n_pages)
        missing = [number for number in numbers if not (job.folder / record_name(number)).is_file()]
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
    jobs = [job_of(document, modality, renderer, Path(cache)) for document in documents]
    known = [_known(job) for job in jobs]
    todo = [job for job, row in zip(jobs, known, strict=True) if row is None]
    made = _convert(todo, workers or available_cores(), deadline, progress) if todo else {}
    rows = []
    for job, row in zip(jobs, known, strict=True):
        row = row or made[job.row.key]
        path = str(_path(job)) if row.status == "rendered" else ""
        rows.append(dataclasses.replace(row, document_id=job.document.document_id, path=path))
    return rows


def _convert(jobs: Sequence[Job], workers: int, deadline: float, progress: bool) -> dict[str, Rendering]:
    folder = jobs[0].folder.parent
    n_units = sum(-(-_pages_expected(job) // UNIT_PAGES) for job in jobs)
    name = f"{jobs[0].row.modality} by {jobs[0].row.renderer}"

    def remove_halves(process_id: int) -> None:
        for half in folder.glob(f"*/.*.{process_id}.tmp"):
            half.unlink(missing_ok=True)

    unique = {job.row.key: job for job in jobs}.values()
    bar = tqdm(total=sum(map(_pages_expected, unique)), desc=name, unit="page", disable=not progress)
    prepare = functools.partial(prepare_worker, jobs[0].row.renderer)
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
    names = (picture_name(number, image_setting) for number in range(1, rendering.n_pages + 1))
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
