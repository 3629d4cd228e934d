"""A finished study as one HTML page that stands by itself: claims, tables, figures, methods and manifest.

The page is made from what is on disk: the files that ``manifest.json`` of the figures lists, which have to be the
files it lists, and the study's rows. It asks for nothing, runs no script, and escapes every text. The same files give
the same bytes.
"""

from __future__ import annotations

import base64
import io
import json
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import pandas as pd
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from muddle_utils.analysis.frames import as_records
from muddle_utils.figures.items import BRIEF, ITEMS, SECTIONS, UNDECLARED
from muddle_utils.figures.writers import from_csv, html_table, printed
from muddle_utils.runs import executed
from muddle_utils.runs.release import provenance
from muddle_utils.runs.release.methods_text import (
    Claim,
    claims_of,
    facts_of,
    methods_of,
    notices_of,
    numbered,
    origin_doubts,
)
from muddle_utils.runs.release.private import PrivateError, quoted_in, refuse_rows, refuse_text
from muddle_utils.runs.release.provenance import Prompt, Rows, read_study
from muddle_utils.runs.stored import has_answers, remake
from muddle_utils.study.errors import MuddleError
from muddle_utils.study.labels import dollars, value_text
from muddle_utils.study.paths import Study
from muddle_utils.study.rows import file_sha256, write_atomically

CLAIMS: Final = "claims"
# What a PNG may take up as it is; a larger one is drawn with 256 colours, which a figure hardly ever has more of.
PNG_BYTES: Final = 150_000
# A figure's own data is laid out under it up to this many rows; the download holds all.
DATA_ROWS: Final = 60
# What is laid out of a long table; the download holds all, and LaTeX of more than this fits on no page.
TABLE_ROWS: Final = 300
# On a screen, print sizes are small.
_ENLARGED: Final = 1.3
_TAGS: Final = re.compile(r"(?:[^<]|</?(?:table|caption|thead|tbody|tr|th|td)(?: (?:class|scope)=\"[a-z]+\")*>)*")
_FILE_NAME: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")
_DOWNLOADS: Final = {
    "csv": ("Data (CSV)", "text/csv"),
    "tex": ("LaTeX", "text/x-tex"),
    "pdf": ("PDF for print", "application/pdf"),
}


class ReportError(MuddleError, ValueError):
    """Files that no report can be made of; the message names the file and the mend."""


@dataclass(frozen=True)
class Image:
    """A picture inside the page: its data address, its size in CSS pixels, and what it shows in words."""

    source: str
    width: int
    height: int
    alt: str


@dataclass(frozen=True)
class Download:
    """A file inside the page: its name, what the link says, and its data address."""

    name: str
    label: str
    address: str


@dataclass(frozen=True)
class Item:
    """A table or figure of the page. ``data`` is a figure's data as a table, ``same_as`` the table that shows it."""

    name: str
    caption: str
    notes: Sequence[str] = ()
    made: str = ""
    table: Markup | None = None
    image: Image | None = None
    data: Markup | None = None
    same_as: str = ""
    remark: str = ""
    downloads: Sequence[Download] = ()


@dataclass(frozen=True)
class Section:
    """A part of the page and what it holds, in order; ``folded`` if it is no part of a brief report."""

    name: str
    title: str
    items: Sequence[Item]
    folded: bool = True


@dataclass(frozen=True)
class Block:
    """A table of the manifest; ``folded`` if it is long and of interest to few."""

    name: str
    title: str
    table: Markup | None
    note: str = ""
    folded: bool = False


@dataclass(frozen=True)
class Page:
    """All that the template is given; a ``brief`` page has no methods, prompts and manifest."""

    study: str
    facts: Sequence[tuple[str, str]]
    notices: Sequence[str]
    claims: Mapping[str, Sequence[Claim]]
    claims_item: Item | None
    sections: Sequence[Section]
    methods: Sequence[tuple[str, Sequence[str]]]
    prompts: Sequence[Prompt]
    blocks: Sequence[Block]
    date: str = ""
    brief: bool = False


# --- The figures folder ---------------------------------------------------------------------------------------------


def read_manifest(study: Study) -> dict[str, dict[str, Any]]:
    """Return the entries of a study's figures manifest, every file of which is there and the one that it lists.

    Raises:
        ReportError: there is no manifest or it is damaged, or a file is missing or another one.
    """
    path = study.figures / "manifest.json"
    if not path.is_file():
        raise ReportError(f"{path} is missing, so there are no tables and figures yet: run {remake(study)} first")
    try:
        items = json.loads(path.read_text(encoding="utf-8"))["items"]
        problem = next((f"entry {name!r}: {why}" for name, item in items.items() if (why := _damage(item))), "")
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        problem, items = f"{type(error).__name__}: {error}", {}
    if problem:
        raise ReportError(f"{path} is no manifest of figures ({problem}): delete it and run {remake(study)}")
    for item in items.values():
        for name, digest in item["files"].items():
            _check_file(study, study.figures / name, digest)
    return dict(items)


def _damage(item: Mapping[str, Any]) -> str:
    """Return what keeps an entry from being one, or an empty text."""
    if not isinstance(item["caption"], str) or not all(isinstance(note, str) for note in item["notes"]):
        return "caption and notes have to be texts"
    if not isinstance(item["metadata"], dict) or not isinstance(item["files"], dict):
        return "files and metadata have to be objects"
    names = [name for name in item["files"] if not _FILE_NAME.fullmatch(name)]
    return f"{names[0]!r} is no name of a file in this folder" if names else ""


def _check_file(study: Study, path: Path, digest: str) -> None:
    if not path.is_file():
        raise ReportError(f"{path} is in the manifest and not on disk: run {remake(study)} again")
    if file_sha256(path) != digest:
        raise ReportError(
            f"{path} is not the file that the manifest lists (SHA-256 differs): run {remake(study)} again"
        )


def _data(mime: str, content: bytes) -> str:
    return f"data:{mime};base64,{base64.b64encode(content).decode('ascii')}"


def _read_table(path: Path) -> pd.DataFrame:
    try:
        return from_csv(path)
    except (ValueError, pd.errors.ParserError) as error:
        raise ReportError(f"{path} cannot be read as CSV: {error}") from None


def checked_fragment(path: Path) -> Markup:
    """Return the table of an HTML fragment as ``save_table`` writes it; nothing but a table gets through.

    Raises:
        ReportError: it holds anything else, such as a script or an attribute.
    """
    table, end, _ = path.read_text(encoding="utf-8").partition("</table>")
    if not end or not _TAGS.fullmatch(table):
        raise ReportError(f"{path} is no table fragment: it holds more than rows, headings and a caption")
    # The pattern lets nothing through but escaped texts in a table's own tags.
    return Markup(table + end)


def _table(texts: pd.DataFrame, caption: str) -> Markup:
    return Markup(html_table(texts, caption))


def read_image(path: Path, alt: str) -> Image:
    """Return a PNG as part of the page, at 1.3 times its size in print.

    Raises:
        ReportError: the file is no picture.
    """
    from PIL import Image as Picture

    content = path.read_bytes()
    try:
        with Picture.open(io.BytesIO(content)) as picture:
            width, height = picture.size
            dpi = float(picture.info.get("dpi", (96.0, 96.0))[0]) or 96.0
            if len(content) > PNG_BYTES:
                content = _smaller(picture, content)
    except OSError as error:
        raise ReportError(f"{path} is no picture: {error}") from None
    scale = 96 * _ENLARGED / dpi
    return Image(_data("image/png", content), round(width * scale), round(height * scale), alt)


def _smaller(picture: Any, content: bytes) -> bytes:  # noqa: ANN401 - Pillow's own type, imported where it is used
    """Return a picture with a palette of 256 colours if that takes fewer bytes."""
    buffer = io.BytesIO()
    picture.convert("RGB").quantize(256, dither=0).save(buffer, "png", optimize=True)
    return min(content, buffer.getvalue(), key=len)


# --- In words -------------------------------------------------------------------------------------------------------


# So many values a text can list.
_FEW: Final = 4
# What a figure is about, if its data have such a column, and what says which value is whose.
_VALUES: Final = (
    *("difference", "accuracy", "share", "power", "net", "infeasible_share", "abstention_rate", "lost", "n"),
    *("overall", "value", "mean"),
)
_SIZES: Final = ("n_questions", "n_documents", "k", "gap")
_NOT_NAMES: Final = ("method", "test", "pooling", "remark", "not_applicable", "research_question", "own")


def in_words(data: pd.DataFrame) -> str:
    """Return the key numbers of a figure's data: all values of a few rows, else the least and the greatest.

    >>> in_words(pd.DataFrame({"item": ["kept", "left out"], "n": [121, 3]}))
    'n: 121 (kept); 3 (left out).'
    """
    column = next((name for name in _VALUES if name in data.columns and pd.api.types.is_numeric_dtype(data[name])), "")
    known = data[data[column].notna()] if column else data.head(0)
    if not len(known):
        why = [str(reason) for reason in data.get("not_applicable", pd.Series(dtype="str")).dropna().unique() if reason]
        return f"No value is shown: {'; '.join(why[:3])}." if why else f"{len(data):,} rows of data."
    names = _telling(known, column)
    said = [f"{value_text(row[column], column)}{_labels(row, names)}" for row in as_records(known)]
    heading = column.replace("_", " ")
    values = known[column].astype(float).to_numpy()
    if values.min() == values.max() and len(known) > 1:
        return f"{len(known):,} values; {heading} is {value_text(known[column].iloc[0], column)} in all."
    if len(said) <= _FEW:
        return f"{heading}: {'; '.join(said)}."
    return f"{len(known):,} values; {heading} from {said[values.argmin()]} to {said[values.argmax()]}."


def _telling(data: pd.DataFrame, column: str) -> list[str]:
    """Return the columns that say which value is whose: the texts that differ, or else the sizes that do."""
    names = [name for name in data.columns if _is_text(data[name]) and name not in _NOT_NAMES]
    sizes = [name for name in _SIZES if name in data.columns and name != column]
    differing = [name for name in names or sizes if data[name].nunique(dropna=False) > 1]
    return differing or names[:1]


def _is_text(column: pd.Series) -> bool:
    return pd.api.types.is_string_dtype(column) and bool(column.notna().any())


def _labels(row: Mapping[str, Any], names: Sequence[str]) -> str:
    labels = ", ".join(_label(row[name], name) for name in names)
    return f" ({labels})" if labels else ""


def _label(value: object, name: str) -> str:
    if name in _SIZES:
        return f"{name.replace('_', ' ').removeprefix('n ')} {value_text(value, name)}"
    return value_text(value, name)


# --- Items ----------------------------------------------------------------------------------------------------------


def _item(study: Study, name: str, entry: Mapping[str, Any], frame: pd.DataFrame, tables: Mapping[str, str]) -> Item:
    """Return one entry of the manifest as part of the page; ``tables`` gives the table that has a CSV's digest."""
    files = {Path(file).suffix[1:]: study.figures / file for file in sorted(entry["files"])}
    caption = entry["caption"]
    table, image, data, same_as, remark = None, None, None, "", ""
    if "png" in files:
        image = read_image(files["png"], f"{caption} {in_words(frame)}")
        same_as = tables.get(entry["files"].get(f"{name}.csv", ""), "")
        if not same_as and len(frame):
            data = _table(printed(frame.head(DATA_ROWS).dropna(axis="columns", how="all")), f"Data: {caption}")
            remark = f"The first {DATA_ROWS} of {len(frame):,} rows." if len(frame) > DATA_ROWS else ""
    elif "csv" in files and not len(frame):
        remark = "It has no rows: this study holds nothing of the kind."
    elif why := _nothing(frame):
        remark = f"Not applicable: {why}."
    elif "html" in files:
        table, n_rows = _first_rows(checked_fragment(files["html"]))
        remark = f"The first {TABLE_ROWS} of {n_rows:,} rows; the data hold all." if n_rows > TABLE_ROWS else ""
    else:
        remark = (
            f"No layout of this table is on disk: run {remake(study, public=True)} again. The data can be downloaded."
        )
    downloads = [
        Download(path.name, label, _data(mime, path.read_bytes()))
        for suffix, (label, mime) in _DOWNLOADS.items()
        if (path := files.get(suffix)) and not _needless(suffix, frame, same_as)
    ]
    return Item(name, caption, entry["notes"], _made(entry["metadata"]), table, image, data, same_as, remark, downloads)


def _first_rows(fragment: Markup) -> tuple[Markup, int]:
    """Return a table with its first ``TABLE_ROWS`` rows, and how many it has."""
    head, opened, body = str(fragment).partition("<tbody>\n")
    rows, closed, tail = body.partition("</tbody>")
    lines = [f"{line}\n" for line in rows.split("\n") if line]
    kept = [head, opened, *lines[:TABLE_ROWS], closed, tail]
    # Whole rows of a table that was checked.
    return Markup("".join(kept)), len(lines)


def _needless(suffix: str, frame: pd.DataFrame, same_as: str) -> bool:
    """Return whether a file would make the page larger and nobody wiser."""
    return bool(same_as) if suffix == "csv" else suffix == "tex" and len(frame) > TABLE_ROWS


def _made(metadata: Mapping[str, Any]) -> str:
    """Return of which rows something was made, shortly: the manifest of the page has it in full."""
    if source := metadata.get("source"):
        return f", of {source}, digest {str(metadata.get('source_digest', ''))[:12]}…"
    date, digest = metadata.get("date"), str(metadata.get("digest", ""))[:12]
    return (f", of rows up to {date}" if date else "") + (f", digest {digest}…" if digest else "")


def _nothing(frame: pd.DataFrame) -> str:
    """Return why a table of one row holds no value, or an empty text."""
    if len(frame) != 1 or "not_applicable" not in frame.columns or frame["not_applicable"].isna().any():
        return ""
    values = [name for name in frame.select_dtypes("number").columns if not name.startswith("n_")]
    return "" if frame[values].notna().any(axis=None) else str(frame["not_applicable"].iloc[0])


def sections_of(items: Iterable[Item]) -> list[Section]:
    """Return the items in the sections and the order in which they are declared, others after them.

    Of those that are not declared, tables come before figures.
    """
    places = {item.name: place for place, item in enumerate(ITEMS)}
    declared = {item.name: item.section for item in ITEMS}
    ordered = sorted(
        items, key=lambda item: (places.get(item.name, len(ITEMS)), item.image is not None, numbered(item.name))
    )
    placed: dict[str, list[Item]] = {section: [] for section in SECTIONS}
    for item in ordered:
        placed[declared.get(item.name) or UNDECLARED].append(item)
    return [Section(name, SECTIONS[name], held, name != BRIEF) for name, held in placed.items() if held]


# --- The manifest of the page ---------------------------------------------------------------------------------------


def blocks_of(study: Study, rows: Rows, items: Mapping[str, Mapping[str, Any]]) -> list[Block]:
    """Return the manifest: where every number comes from, as tables."""
    spent = rows.status.spent_answers + rows.status.spent_verdicts
    tables: tuple[tuple[str, str, pd.DataFrame, str], ...] = (
        ("answers", "Requests by status and cause", provenance.answer_counts(rows), ""),
        ("verdicts", "Verdicts by status and cause", provenance.verdict_counts(rows), ""),
        ("exclusions", "Exclusions by reason", provenance.exclusion_counts(rows), ""),
        ("served", "Models as the server named them, and routes", provenance.served_models(rows), ""),
        ("parameters", "Parameters of requests", provenance.asked_parameters(rows), ""),
        ("spending", "Tokens and costs", provenance.spending(rows), f"All stored rows together: {dollars(spent)}."),
        ("judges-used", "Judges", provenance.judges_used(rows), ""),
        ("notebooks", "Parameters of the notebooks", provenance.notebook_parameters(rows), ""),
        ("recorded", "Package versions, as stored with the answers", provenance.recorded_versions(rows), ""),
        ("installed", "Package versions of the analysis, as installed now", provenance.analysis_versions(), ""),
        ("data", "Data", provenance.data_digests(study, rows), ""),
        ("origins", "Origin of tables and figures", provenance.origins(items), _PLACES),
        ("files", "Files of tables and figures", provenance.file_digests(items), ""),
    )
    return [
        Block(name, title, _table(table, title), note, name in _FOLDED)
        if len(table)
        else Block(name, title, None, "There is none.")
        for name, title, table, note in tables
    ]


_FOLDED: Final = ("files",)
_PLACES: Final = (
    "Commands name no folder: where the study is kept elsewhere, add --runs-dir and --figures-dir, and --models-file "
    "where it has one."
)


# --- The page -------------------------------------------------------------------------------------------------------


def page_of(study: Study, models_file: str = "", brief: bool = False) -> Page:
    """Return all that the page of a study says, or the claims and what has to stand beside them.

    Raises:
        ReportError: there is no answer, or tables and figures are missing, damaged or not those of the manifest.
        RowsError, StoreError, ModelsFileError: rows, database or models file cannot be read.
    """
    if not has_answers(study):
        raise ReportError(f"study {study.name!r} has no answer yet, so there is nothing to report: run {remake(study)}")
    manifest = read_manifest(study)
    frames = {
        name: _read_table(study.figures / f"{name}.csv")
        for name, entry in sorted(manifest.items())
        if f"{name}.csv" in entry["files"]
    }
    rows = read_study(study, models_file)
    tables = {
        item["files"][f"{name}.csv"]: name
        for name, item in manifest.items()
        if f"{name}.csv" in item["files"] and f"{name}.html" in item["files"]
    }
    items = {
        name: _item(study, name, entry, frames.get(name, pd.DataFrame()), tables)
        for name, entry in sorted(manifest.items())
    }
    claims_item = items.pop(CLAIMS, None)
    claims = claims_of(frames[CLAIMS]) if claims_item and CLAIMS in frames else {}
    page = Page(
        study.name,
        facts_of(rows),
        notices_of(study, rows, manifest),
        claims,
        claims_item,
        sections_of(items.values()),
        methods_of(
            rows, {name: frame for name, frame in frames.items() if not (name in items and items[name].same_as)}
        ),
        [*provenance.model_prompts(rows), *provenance.judge_prompts(rows)],
        blocks_of(study, rows, manifest),
        rows.status.last[:10],
    )
    if not brief:
        return page
    sections = [section for section in page.sections if not section.folded]
    return replace(page, sections=sections, methods=(), prompts=(), blocks=(), brief=True)


def render(page: Page) -> str:
    """Return the page as HTML."""
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template("report.html").render(page=page)


def _refuse_private(study: Study, name: str, page: str) -> None:
    """Refuse a page that shows, or offers for download, a key.

    Raises:
        ReportError: naming the file and the field.
    """
    quoted = quoted_in(study)
    try:
        refuse_rows(study, quoted)
        for item in read_manifest(study).values():
            for file in item["files"]:
                refuse_text(file, (study.figures / file).read_bytes().decode("utf-8", "replace"), quoted)
        refuse_text(name if name.endswith(".html") else f"{name}.html", page, quoted)
    except PrivateError as error:
        raise ReportError(str(error)) from None


def write_report(study: Study, out: Path | None = None, models_file: str = "", brief: bool = False) -> Path:
    """Write the report of a study, by default as ``report.html`` beside its rows, and return where it is.

    A ``brief`` one holds claims, headline tables and doubts, and is ``report-brief.html``.

    That its tables were made of other rows than those on disk is said on standard error, too.

    Raises:
        ReportError: there is no answer, tables and figures are missing, damaged or not those of the manifest, the rows
            or the page hold a key, or the page cannot be written where it is to go.
        RowsError, StoreError, ModelsFileError: rows, database or models file cannot be read.
    """
    name = "report-brief.html" if brief else "report.html"
    path = out or study.folder / name
    path = path / name if path.is_dir() else path
    if not path.parent.is_dir():
        raise ReportError(f"--out {path}: the folder {path.parent} is missing, make it or give another --out")
    page = render(page_of(study, models_file, brief)).encode()
    _refuse_private(study, path.name, page.decode())
    try:
        write_atomically(path, page)
    except OSError as error:
        raise ReportError(f"--out {path} cannot be written ({error.strerror}): give another --out") from None
    for doubt in origin_doubts(study, executed.read_notebooks(study), read_manifest(study)):
        sys.stderr.write(f"muddle: {doubt}\n")
    return path
