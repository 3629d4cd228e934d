"""Tables as they are read and kept: headings, rounded numbers, Markdown, LaTeX, HTML and CSV, and the manifest.

``printed`` and the ``print_*`` functions lay a tidy frame out as texts; ``save_table`` is the only place that rounds
and writes a table. Nothing here computes a number.
"""

from __future__ import annotations

import html
import io
import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import pandas as pd

from muddle_utils.frames import TablesError, as_records, ordered
from muddle_utils.records import CONDITIONS, MODALITIES
from muddle_utils.store import file_sha256, write_atomically
from muddle_utils.study import Study

CONDITION_NAMES: Final = {
    "control": "Control",
    "hn-2": "HN-2",
    "random-2": "Random-2",
    "hn-4": "HN-4",
    "random-4": "Random-4",
}
MODALITY_NAMES: Final = {"markdown": "Markdown", "image": "Image", "pdf": "PDF"}
HEADINGS: Final = {
    "model": "Model",
    "modality": "Modality",
    "condition": "Condition",
    "distractor_type": "Distractor type",
    "k": "k (added docs)",
    "purpose": "Purpose",
    "judge": "Judge",
    "f1": "F1",
    "em": "EM",
    "n": "n",
    "p": "p",
    "icc": "ICC",
    "se_between_run": "SE between runs",
    "se_between_question": "SE between questions",
    "agreement_low": "Agreement, 95 % low",
    "agreement_high": "Agreement, 95 % high",
    "largest_excess": "Largest, times its limit",
    "largest": "The largest in words",
    "clamped": "ICC cut at 0",
    "p_holm": "p (Holm)",
    "p_document": "p (documents)",
    "causes": "Gaps by cause",
    "accuracy": "Accuracy",
    "low_90": "90 % low",
    "high_90": "90 % high",
    "low": "95 % low",
    "high": "95 % high",
    "lowest": "All gaps wrong",
    "highest": "All gaps right",
}


# Columns of words that a program chooses from, with underscores for spaces.
_VOCABULARIES: Final = ("stands_in", "distractor_type", "status")


def _heading(column: str) -> str:
    if column.startswith("n_"):
        return f"n {column[2:].replace('_', ' ')}"
    return HEADINGS.get(column, column.replace("_", " ").capitalize())


def _number(value: float, column: str) -> str:
    if column in ("p", "mid_p") or column.startswith("p_"):
        return "<0.001" if value < 0.001 else f"{value:.3f}"
    if any(size in column for size in ("chars", "pages", "tokens")):
        return f"{value:,.0f}" if value >= 1000 or value == round(value) else f"{value:,.1f}"
    return _signed(value, "")


def _signed(value: float, sign: str) -> str:
    """Return a number to three decimals with a minus sign, no sign on zero; ``sign`` is ``+`` to show both signs."""
    text = format(value, f"{sign}.3f")
    return text.lstrip("+-") if float(text) == 0 else text.replace("-", "−")


def value_text(value: object, column: str) -> str:
    """Return a value as printed: three decimals, p to three, sizes with thousands separators, missing as a dash."""
    if pd.isna(value):  # type: ignore[call-overload]
        return "–"
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if isinstance(value, int | np.integer):
        return f"{value:,}"
    if isinstance(value, float | np.floating):
        return _number(float(value), column)
    if column in ("condition", "contrast"):
        return contrast_name(str(value))
    if column in _VOCABULARIES:
        return str(value).replace("_", " ")
    return modality_names(str(value)) if column == "modality" else str(value)


def modality_names(text: str) -> str:
    """Return a modality, or several with commas between them, as people write them.

    >>> modality_names("markdown, pdf")
    'Markdown, PDF'
    """
    return ", ".join(MODALITY_NAMES.get(name, name) for name in text.split(", "))


def printed(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a tidy frame as text under readable headings, without the columns that belong in the notes."""
    columns = [name for name in frame.columns if name != "method"]
    if "not_applicable" in columns and frame["not_applicable"].eq("").all():
        columns.remove("not_applicable")
    return pd.DataFrame(
        {_heading(name): [value_text(value, name) for value in frame[name]] for name in columns}, dtype="str"
    )


def estimate_text(row: Mapping[str, Any], value: str = "accuracy", sign: str = "") -> str:
    """Return ``0.763 [0.710, 0.812]``, or the value and why it has no interval."""
    if pd.isna(row[value]):
        return f"not applicable: {row['not_applicable']}"
    text = _signed(float(row[value]), sign)
    if pd.isna(row["low"]):
        return f"{text} (interval not applicable: {str(row['not_applicable']).removeprefix('interval: ')})"
    return f"{text} [{_signed(float(row['low']), sign)}, {_signed(float(row['high']), sign)}]"


def print_table_1(table: pd.DataFrame) -> pd.DataFrame:
    """Return ``table_1`` in the paper's layout: a row for each model and condition, a column for each modality.

    Each cell holds accuracy and interval; beside it n asked/answered/judged, and how many source documents the judged
    questions are about. What was not asked is a dash.
    """
    cells = {
        (row["model"], row["condition"], row["modality"]): (
            estimate_text(row) + _marked(row),
            f"{row['n_asked']:,}/{row['n_answered']:,}/{row['n_judged']:,} ({row['n_documents']:,})",
        )
        for row in as_records(table)
    }
    modalities = [name for name in MODALITIES if name in set(table["modality"])]
    conditions = ordered(table["condition"], CONDITIONS)
    rows = []
    for model in table["model"].unique():
        for condition in conditions:
            row = {"Model": model, "Condition": CONDITION_NAMES.get(condition, condition)}
            for name in modalities:
                value, counts = cells.get((model, condition, name), ("–", "–"))
                row[MODALITY_NAMES[name]] = value
                row[f"n (documents), {MODALITY_NAMES[name]}"] = counts
            rows.append(row)
    layout = pd.DataFrame(rows, dtype="str")
    remarks = [f"{_named_cell(row)}: {row['remark']}." for row in as_records(table) if row["remark"]]
    counted = "n (documents): questions asked/answered/judged, and source documents of the judged. –: not asked."
    layout.attrs["notes"] = " ".join([counted, *remarks])
    return layout


def _marked(row: Mapping[str, Any]) -> str:
    """Return the mark of an estimate that rests on a route that shows the model something else."""
    return " (not comparable)" if row["remark"] else ""


def _named_cell(row: Mapping[str, Any]) -> str:
    modality = MODALITY_NAMES.get(row["modality"], row["modality"])
    return f"{row['model']}, {modality}, {CONDITION_NAMES.get(row['condition'], row['condition'])}"


def contrast_name(text: str) -> str:
    """Return a contrast or condition with the paper's capitals: ``random-2 − hn-2`` becomes ``Random-2 − HN-2``."""
    return re.sub(r"\b(?:control|hn|random|pdf)\b", lambda word: _CAPITALS[word[0]], text)


_CAPITALS: Final = {"control": "Control", "hn": "HN", "random": "Random", "pdf": "PDF"}


def _p_text(p: float) -> str:
    return "not applicable" if pd.isna(p) else _number(p, "p")


def print_paired(table: pd.DataFrame) -> pd.DataFrame:
    """Return ``paired`` for reading: difference and interval, n and documents, discordant pairs, p and Holm's p."""
    rows = []
    for row in as_records(table):
        p_holm = "–" if pd.isna(row["p_holm"]) else f"{_number(row['p_holm'], 'p')} (of {row['n_family']})"
        rows.append(
            {
                "RQ": row["research_question"],
                "Comparison": contrast_name(row["contrast"]),
                "Model": row["model"],
                "Modality": modality_names(row["modality"]),
                "Difference [95 % interval]": estimate_text(row, "difference", "+") + _marked(row),
                "n (documents)": f"{row['n_pairs']:,} ({row['n_documents']:,})",
                "Only first / only second right": f"{row['a_only']} / {row['b_only']}",
                "p, questions": _p_text(row["p"]),
                "p, documents": _p_text(row["p_document"]),
                "Holm (family size)": p_holm,
            }
        )
    layout = pd.DataFrame(rows, dtype="str")
    remarks = [
        f"{contrast_name(row['contrast'])}, {row['model']}: {contrast_name(row['remark'])}."
        for row in as_records(table)
        if row["remark"] and row["pooling"] != "pairs"
    ]
    explained = (
        "Difference: first arm minus second, over the n questions (or pairs) answered and judged in both. "
        "p, questions: exact two-sided McNemar test; pooled over k, exact sign-flip test of each question's mean; it "
        "takes questions for independent. p, documents: sign-flip test of whole source documents, the headline. Holm: "
        "adjusts the latter within one research question, over all its models and modalities."
    )
    layout.attrs["notes"] = " ".join([explained, *remarks])
    return layout


def print_disagreements(table: pd.DataFrame, n_rows: int = 50, n_chars: int = 160) -> pd.DataFrame:
    """Return ``disagreements`` for reading: the first ``n_rows``, each text cut to ``n_chars`` characters."""
    names = {"question": "Question", "reference": "Reference", "text": "Answer", "verdicts": "Verdicts"}
    rows = [
        {
            "Model": row["model"],
            "Modality": MODALITY_NAMES.get(row["modality"], row["modality"]),
            "Condition": CONDITION_NAMES.get(row["condition"], row["condition"]),
            **{heading: _cut(row[name], n_chars) for name, heading in names.items()},
            "Not applicable": row["not_applicable"],
        }
        for row in as_records(table.head(n_rows))
    ]
    layout = pd.DataFrame(rows, dtype="str")
    if table["not_applicable"].eq("").all():
        layout = layout.drop(columns="Not applicable", errors="ignore")
    if table["cell_id"].ne("").any():
        layout.attrs["notes"] = f"{len(layout):,} of {len(table):,} answers, long texts cut; the CSV file holds all."
    return layout


def _cut(text: str, n_chars: int) -> str:
    return text if len(text) <= n_chars else f"{text[: n_chars - 1]}…"


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


_NUMBER: Final = re.compile(r"[-+−–<$\d][\d,. /–−()]*")


def _numeric(table: pd.DataFrame) -> set[str]:
    """Return the columns of a table of texts that hold nothing but numbers and dashes."""
    return {name for name in table.columns if all(_NUMBER.fullmatch(value) for value in table[name])}


_LATEX_ESCAPES: Final = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "&": r"\&",
        "%": r"\%",
        "$": r"\$",
        "#": r"\#",
        "_": r"\_",
        "{": r"\{",
        "}": r"\}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "–": "--",
        "−": "$-$",
        "→": r"$\rightarrow$",
    }
)


def latex_escape(text: object) -> str:
    """Return any value as LaTeX text on one line: no character of it can act as a command."""
    return _line(text).translate(_LATEX_ESCAPES)


def latex_table(table: pd.DataFrame, caption: str, label: str, notes: Sequence[str]) -> str:
    """Return a table of texts as a LaTeX table with booktabs rules; numbers are set right, words left."""
    numeric = _numeric(table)
    aligned = "".join("r" if name in numeric else "l" for name in table.columns)
    body = [" & ".join(map(latex_escape, row)) + r" \\" for row in table.itertuples(index=False)]
    return "\n".join(
        [
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{latex_escape(caption)}}}",
            rf"\label{{tab:{label}}}",
            rf"\begin{{tabular}}{{{aligned}}}",
            r"\toprule",
            " & ".join(map(latex_escape, table.columns)) + r" \\",
            r"\midrule",
            *body,
            r"\bottomrule",
            r"\end{tabular}",
            *(rf"\par\smallskip{{\footnotesize {latex_escape(note)}\par}}" for note in notes),
            r"\end{table}",
            "",
        ]
    )


def _width(texts: Iterable[str]) -> str:
    """Return whether the texts of a column fit on a narrow line, on a few, or take many."""
    longest = max(map(len, texts), default=0)
    return "short" if longest <= 28 else "text" if longest <= 120 else "long"


def html_table(table: pd.DataFrame, caption: str, notes: Sequence[str] = (), made: str = "") -> str:
    """Return a table of texts as an HTML fragment without a style of its own: table, notes, and how it was made.

    Everything is escaped. The cells of a column have a class: ``number``, or ``short``, ``text`` or ``long`` by the
    longest text in it. The first column heads its row; the notes have the class ``note``, the last line ``made``.
    """
    numeric = _numeric(table)
    classes = [f' class="{"number" if name in numeric else _width(table[name])}"' for name in table.columns]
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
    _mapped(frame, _inert).to_csv(rows, index=False, float_format="%.6g", lineterminator="\r\n")
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
    path = study.figures / "manifest.json"
    try:
        manifest: dict[str, Any] = {"study": study.name, "items": {}}
        if path.exists():
            manifest = json.loads(path.read_text(encoding="utf-8"))
        manifest["items"][name] = {
            "caption": _line(caption),
            "notes": [_line(note) for note in notes],
            "files": {file.name: file_sha256(file) for file in sorted(files)},
            "study": study.name,
            "metadata": dict(metadata),
        }
    except (ValueError, KeyError, TypeError) as error:
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
_SECOND: Final = re.compile("; beside it ([^;]*)")


def _methods(frame: pd.DataFrame, text: pd.DataFrame) -> list[str]:
    """Return the note on each method of a frame: called intervals if a row that it made has one, and method if not.

    A second interval that stands only in the CSV file is said to be there, and not named where it stands nowhere.
    """
    if "method" not in frame.columns:
        return []
    # The ends of quartiles, as of tokens, are no interval of an estimate.
    ends = [name for name in frame.columns if re.search(r"(?:^|(?<!tokens)_)low(?:_\d+)?$", name)]
    makes_one = frame[ends].notna().any(axis=1)
    methods = [method for method in frame["method"].dropna().unique() if method]
    second = {_heading(name) for name in frame.columns if name.startswith("bootstrap_")}
    instead = r"; beside it \1" if second & set(text.columns) else r"; in the CSV file \1" if second else ""
    said = (
        f"{INTERVALS if makes_one[frame['method'].eq(method)].any() else METHOD}: {_SECOND.sub(instead, method)}."
        for method in methods
    )
    return list(dict.fromkeys(said))


def save_table(
    name: str,
    frame: pd.DataFrame,
    study: Study,
    caption: str,
    notes: str = "",
    metadata: Mapping[str, Any] | None = None,
    layout: pd.DataFrame | None = None,
) -> list[Path]:
    """Write a table as ``<name>.csv``, ``.md``, ``.tex`` and ``.html`` under the study's figures, and its entry.

    The CSV holds the tidy frame to six significant digits. Markdown, LaTeX and HTML hold ``layout``, a frame of texts
    such as ``print_table_1`` returns, or the frame as ``printed`` shows it; their notes add the frame's methods, called
    intervals where they make some, and they say of which study and by what they were made (LaTeX in a comment).

    Raises:
        TablesError: the name is not usable, or the manifest there is not one.
    """
    check_name(name)
    text = printed(frame) if layout is None else layout
    remarks = [note for note in (notes, text.attrs.get("notes", ""), *_methods(frame, text)) if note]
    header = f"% study {study.name}; " + json.dumps(dict(metadata or {}), ensure_ascii=True, sort_keys=True) + "\n"
    made = made_by(study.name, metadata or {})
    contents = {
        "csv": csv_bytes(frame),
        "md": markdown_table(text, caption, remarks, made).encode(),
        "html": html_table(text, caption, remarks, made).encode(),
        "tex": (header + latex_table(text, caption, name, remarks)).encode(),
    }
    files = [write_atomically(study.figures / f"{name}.{suffix}", data) for suffix, data in contents.items()]
    record_in_manifest(name, study, caption, remarks, files, metadata or {})
    return files
