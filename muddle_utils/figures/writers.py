"""Tables as they are kept: Markdown, LaTeX, HTML and CSV, and the manifest of a figures folder.

``save_table`` is the only place that rounds and writes a table. Nothing here computes a number.
"""

from __future__ import annotations

import html
import io
import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pandas as pd

from muddle_utils.analysis.frames import TablesError
from muddle_utils.analysis.tables import BESIDE, CARRIED
from muddle_utils.figures.latex import latex_table, numeric
from muddle_utils.study.labels import heading, interval_name, value_text
from muddle_utils.study.paths import Study
from muddle_utils.study.rows import file_sha256, write_atomically


def told(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a tidy frame without the columns that only layouts, figures and claims read."""
    return frame.drop(columns=list(CARRIED), errors="ignore")


def printed(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a tidy frame as text under readable headings, without the columns that belong in the notes.

    An estimate and its interval are one column, ``0.289 [0.202, 0.396]``.
    """
    columns = [name for name in told(frame).columns if name != "method"]
    if "not_applicable" in columns and frame["not_applicable"].eq("").all():
        columns.remove("not_applicable")
    texts = {name: [value_text(value, name) for value in frame[name]] for name in columns}
    headings = {name: heading(name) for name in columns}
    for estimate, low, high in zip(columns, columns[1:], columns[2:], strict=False):
        if _ENDS.sub("", low) == _ENDS.sub("", high) and _ENDS.search(low) and not _ENDS.search(estimate):
            rows = zip(texts[estimate], texts[low], texts[high], strict=True)
            texts[estimate] = [value if ends[0] == "–" else f"{value} [{', '.join(ends)}]" for value, *ends in rows]
            headings[estimate] += f" [{'interval' if 'level' in columns else interval_name(low)}]"
            del texts[low], texts[high]
    return pd.DataFrame({headings[name]: texts[name] for name in texts}, dtype="str")


_ENDS: Final = re.compile(r"(?<![a-z])(?:low|high)(?=_\d+$|$)")


# What stands beside each other on a page, in letters; a column takes three more.
_LINE: Final = 100


def fitted(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table of texts without what only takes width, its ``notes`` saying what was taken out.

    Columns without a value go. Where the rest is wider than a page, what is the same in all rows is said below, and a
    single row is turned: a line for each of its columns.
    """
    notes = table.attrs.get("notes", "")
    kept = table.loc[:, [bool(set(table[name]) - {"", "–"}) or not len(table) for name in table.columns]]
    if sum(max(map(len, [name, *kept[name]])) + 3 for name in kept.columns) > _LINE:
        alike = [name for name in kept.columns if kept[name].nunique() == 1]
        if len(kept) == 1:
            kept = pd.DataFrame({"": kept.columns, "Value": kept.iloc[0].to_list()}, dtype="str")
        elif 0 < len(alike) < kept.shape[1]:
            said = "; ".join(f"{name} {kept[name].iloc[0]}" for name in alike)
            kept = kept.drop(columns=alike)
            notes = f"In all rows: {said}. {notes}".strip()
    kept.attrs["notes"] = notes
    return kept


def _line(text: object) -> str:
    return " ".join(str(text).split())


_MARKDOWN_ESCAPES: Final = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", **{mark: f"\\{mark}" for mark in "\\`*_[]|$~"}}
)
# An interval is no link, and easier to read without backslashes; before these signs it could be one.
_INTERVAL: Final = re.compile(r"\\\[([-+−]?[\d.,]+, [-+−]?[\d.,]+)\\\](?![(\[:\\])")
_OPENING: Final = re.compile(r"(#{1,6}|[-+=]+|\d+(?=[.)](?:\s|$))[.)])(?=\s|$)")


def escaped_markdown(text: object) -> str:
    r"""Return any value as Markdown text on one line: no character of it can act as markup, link, formula or cell.

    >>> escaped_markdown("gpt_5 [a](b) costs $1 | <b>") + escaped_markdown("0.5 [0.4, 0.6]")
    'gpt\\_5 \\[a\\](b) costs \\$1 \\| &lt;b&gt;0.5 [0.4, 0.6]'
    """
    escaped = _INTERVAL.sub(r"[\1]", _line(text).translate(_MARKDOWN_ESCAPES))
    # What would begin a heading, list or rule if it stood first on a line.
    opening = _OPENING.match(escaped)
    return f"{escaped[: opening.end() - 1]}\\{escaped[opening.end() - 1 :]}" if opening else escaped


def markdown_table(table: pd.DataFrame, caption: str, notes: Sequence[str], made: str = "") -> str:
    """Return a table of texts as a Markdown pipe table under its caption, notes below, and last how it was made."""
    lines = [
        f"**{escaped_markdown(caption)}**",
        "",
        " | ".join(["", *map(escaped_markdown, table.columns), ""]).strip(),
    ]
    lines.append("|" + " --- |" * len(table.columns))
    for row in table.itertuples(index=False):
        lines.append(" | ".join(["", *map(escaped_markdown, row), ""]).strip())
    below = [*map(escaped_markdown, notes), *([f"<sub>{escaped_markdown(made)}</sub>"] if made else [])]
    return "\n".join([*lines, "", *(f"{text}\n" for text in below)]).rstrip("\n") + "\n"


def _width(texts: Iterable[str]) -> str:
    """Return whether the texts of a column fit on a narrow line, on a few, or take many."""
    longest = max(map(len, texts), default=0)
    return "short" if longest <= 28 else "text" if longest <= 120 else "long"


def html_table(table: pd.DataFrame, caption: str, notes: Sequence[str] = (), made: str = "") -> str:
    """Return a table of texts as an HTML fragment without a style of its own: table, notes, and how it was made.

    Everything is escaped. The cells of a column have a class: ``number``, or ``short``, ``text`` or ``long`` by the
    longest text in it. The first column heads its row; the notes have the class ``note``, the last line ``made``.
    """
    kinds = ["number" if is_number else _width(table.iloc[:, place]) for place, is_number in enumerate(numeric(table))]
    classes = [f' class="{kind}"' for kind in kinds]
    rows = [
        [
            f"<td{kind}>{_html(value)}</td>" if place else f'<th scope="row"{kind}>{_html(value)}</th>'
            for place, (value, kind) in enumerate(zip(row, classes, strict=True))
        ]
        for row in table.itertuples(index=False)
    ]
    headings = [f'<th scope="col"{kind}>{_html(name)}</th>' for name, kind in zip(table.columns, classes, strict=True)]
    lines = [
        "<table>",
        f"<caption>{_html(caption)}</caption>",
        f"<thead>\n<tr>{''.join(headings)}</tr>\n</thead>",
        *("<tbody>", *(f"<tr>{''.join(row)}</tr>" for row in rows), "</tbody>"),
        "</table>",
        *(f'<p class="note">{_html(note)}</p>' for note in notes),
        *([f'<p class="made">{_html(made)}</p>'] if made else []),
    ]
    return "\n".join(lines) + "\n"


def _html(text: object) -> str:
    return html.escape(_line(text))


_OPENS_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n")
_OWN_NUMBER: Final = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")


def _would_run(text: str) -> bool:
    """Return whether a spreadsheet would compute a cell of this text: it opens as a formula does and is no number.

    Wide and small forms of the signs count as the signs; apostrophes before them are looked through, so that what
    ``_inert`` puts there can be taken off again whatever the text was.
    """
    opening = unicodedata.normalize("NFKC", text.lstrip("'")[:1])
    return opening in _OPENS_FORMULA and not _OWN_NUMBER.fullmatch(text)


def _inert(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and _would_run(value) else value


def _as_it_was(value: object) -> object:
    return value[1:] if isinstance(value, str) and value.startswith("'") and _would_run(value) else value


def _mapped(frame: pd.DataFrame, change: Callable[[object], object]) -> pd.DataFrame:
    """Return a frame with each text changed, column names included; other cells and their types stay."""
    changed = frame.rename(columns=change)
    for place in range(frame.shape[1]):
        column = frame.iloc[:, place]
        if not pd.api.types.is_numeric_dtype(column):
            changed.isetitem(place, pd.Series(list(map(change, column)), dtype=object).array)
    return changed


class _Rows(io.StringIO):
    """Takes rows that end with both line-break characters, for which a cell with either is quoted; ends them with one.

    Unquoted, a carriage return in a cell would begin a new row in a spreadsheet.
    """

    def write(self, row: str) -> int:
        return super().write(row.removesuffix("\r\n") + "\n")


def csv_bytes(frame: pd.DataFrame) -> bytes:
    """Return a tidy frame as CSV with six significant digits, missing values empty.

    A text that a spreadsheet would run as a formula, as what a model or document said may be, has an apostrophe before
    it; ``from_csv`` takes it off.
    """
    rows = _Rows(newline="")
    _mapped(told(frame), _inert).to_csv(rows, index=False, float_format="%.6g", lineterminator="\r\n")
    return rows.getvalue().encode()


def from_csv(path: Path) -> pd.DataFrame:
    """Return a tidy frame from a file that ``csv_bytes`` made; only an empty field is missing."""
    return _mapped(pd.read_csv(path, keep_default_na=False, na_values=[""]), _as_it_was).convert_dtypes()


_NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,63}")


def record_in_manifest(
    name: str, study: Study, caption: str, notes: Sequence[str], files: Sequence[Path], metadata: Mapping[str, Any]
) -> Path:
    """Write one table's or figure's entry into ``manifest.json``: caption, notes, metadata and its files' digests.

    Entries are sorted and hold no time, so that a second run gives identical bytes.

    Raises:
        TablesError: the manifest there is not one.
    """
    entry = {
        "caption": _line(caption),
        "notes": [_line(note) for note in notes],
        "files": {file.name: file_sha256(file) for file in sorted(files)},
        "study": study.name,
        "metadata": dict(metadata),
    }
    return _with_entry(study, name, entry)


def forget(name: str, study: Study) -> None:
    """Remove what an earlier run wrote of a table or figure, and its entry.

    Raises:
        TablesError: the manifest there is not one.
    """
    check_name(name)
    for path in study.figures.glob(f"{name}.*"):
        path.unlink()
    if (study.figures / "manifest.json").exists():
        _with_entry(study, name, None)


def _with_entry(study: Study, name: str, entry: Mapping[str, Any] | None) -> Path:
    path = study.figures / "manifest.json"
    try:
        manifest: dict[str, Any] = {"study": study.name, "items": {}}
        if path.exists():
            manifest = json.loads(path.read_text(encoding="utf-8"))
        manifest["items"].pop(name, None)
        manifest["items"] |= {name: entry} if entry else {}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise TablesError(f"{path} is no manifest of figures ({error}): delete it and run the notebook again") from None
    text = json.dumps(manifest, ensure_ascii=False, indent=1, sort_keys=True)
    return write_atomically(path, f"{text}\n".encode())


def made_by(study: str, metadata: Mapping[str, Any]) -> str:
    """Return the line that says of which study, and from what, a table or figure was made.

    >>> made_by("demo", {"date": "2026-11-30", "command": "muddle run --study demo"})
    'Study demo; command: muddle run --study demo; date: 2026-11-30.'
    """
    about = [f"{name.replace('_', ' ')}: {metadata[name]}" for name in sorted(metadata) if name != "study"]
    return "; ".join([f"Study {study}", *about]) + "."


def check_name(name: str) -> None:
    """Refuse a table or figure name that is not a plain lower-case word such as ``table_1``.

    Raises:
        TablesError: it is not; the message shows it.
    """
    if not _NAME.fullmatch(name):
        raise TablesError(f"name = {name!r} is not usable for a file: take lower-case letters, digits and '_'")


INTERVALS: Final = "Intervals"
METHOD: Final = "Method"


def _methods(frame: pd.DataFrame, layout: pd.DataFrame) -> list[str]:
    """Return the note on each method of a frame: called intervals if a row that it made has one, and method if not.

    A second interval that stands only in the CSV file is said to be there, and not named where it stands nowhere.
    """
    if "method" not in frame.columns:
        return []
    # The ends of quartiles, as of tokens, are no interval of an estimate.
    ends = [name for name in frame.columns if re.search(r"(?:^|(?<!tokens)_)low(?:_\d+)?$", name)]
    makes_one = frame[ends].notna().any(axis=1)
    named = frame["method"].fillna("").ne("")
    ends_of_second = {heading(name) for name in frame.columns if name.startswith("bootstrap_")}
    where = BESIDE if ends_of_second & set(layout.columns) else "; in the CSV file " if ends_of_second else ""
    said = []
    for method, rows in frame[named].groupby("method", sort=False):
        text, second = str(method), str(rows["second_method"].iloc[0]) if "second_method" in rows.columns else ""
        text = text.replace(f"{BESIDE}{second}", f"{where}{second}" if where else "") if second else text
        said.append(f"{INTERVALS if makes_one[rows.index].any() else METHOD}: {text}.")
    return list(dict.fromkeys(said))


@dataclass(frozen=True)
class Table:
    """A table as it was written: its texts, caption, notes and files."""

    texts: pd.DataFrame
    caption: str
    notes: Sequence[str]
    files: Sequence[Path]


def save_table(
    name: str,
    frame: pd.DataFrame,
    study: Study,
    caption: str,
    notes: str = "",
    metadata: Mapping[str, Any] | None = None,
    layout: pd.DataFrame | None = None,
) -> Table:
    """Write a table as ``<name>.csv``, ``.md``, ``.tex`` and ``.html`` under the study's figures, and its entry.

    The CSV holds the tidy frame to six significant digits. Markdown, LaTeX and HTML hold ``layout``, a frame of texts
    such as ``print_table_1`` returns, or the frame as ``printed`` shows it; their notes add the frame's methods, called
    intervals where they make some, and they say of which study and by what they were made (LaTeX in a comment).

    Raises:
        TablesError: the name is not usable, or the manifest there is not one.
    """
    check_name(name)
    # A layout of no row has no column either.
    text = fitted(printed(frame) if layout is None or not layout.shape[1] else layout)
    remarks = [note for note in (notes, text.attrs.get("notes", ""), *_methods(frame, text)) if note]
    header = f"% study {study.name}; " + json.dumps(dict(metadata or {}), ensure_ascii=True, sort_keys=True) + "\n"
    made = made_by(study.name, metadata or {})
    contents = {
        "csv": csv_bytes(frame),
        "md": markdown_table(text, caption, remarks, made).encode(),
        "html": html_table(text, caption, remarks, made).encode(),
        "tex": (header + latex_table(text, caption, f"{study.name}-{name}", remarks)).encode(),
    }
    files = [write_atomically(study.figures / f"{name}.{suffix}", data) for suffix, data in contents.items()]
    record_in_manifest(name, study, caption, remarks, files, metadata or {})
    return Table(text, caption, remarks, files)
