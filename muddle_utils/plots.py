"""Tidy frames to figures for print: one style sheet, two widths, and ``save_figure`` as the only writer.

Colour never carries a meaning alone: models differ by marker and filling too, so a figure survives grey print and
colour-blind eyes. Figures show what ``tables`` computed and compute nothing themselves.
"""

from __future__ import annotations

import io
import json
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any, Final, ParamSpec

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import FancyBboxPatch

from muddle_utils.frames import ordered
from muddle_utils.printing import (
    CONDITION_NAMES,
    MODALITY_NAMES,
    check_name,
    contrast_name,
    csv_bytes,
    record_in_manifest,
)
from muddle_utils.records import CONDITIONS, MODALITIES
from muddle_utils.store import write_atomically
from muddle_utils.study import Study

STYLE: Final = Path(__file__).with_name("muddle.mplstyle")
SINGLE: Final = 3.3
DOUBLE: Final = 6.8
MARKERS: Final = ("o", "s", "^", "D", "v", "P")
INK: Final = "#333333"

P = ParamSpec("P")


@contextmanager
def house_style() -> Iterator[None]:
    """Draw or save with the style sheet, whatever the session's settings are."""
    with plt.style.context(["default", STYLE]):
        yield


def _drawn(draw: Callable[P, Figure]) -> Callable[P, Figure]:
    """Draw in the house style and close the figure, so that a notebook shows it once, as a cell's last value."""

    @wraps(draw)
    def styled(*args: P.args, **kwargs: P.kwargs) -> Figure:
        with house_style():
            figure = draw(*args, **kwargs)
            plt.close(figure)
        return figure

    return styled


def _look(place: int) -> dict[str, Any]:
    """Return how the ``place``-th model is drawn: colour, marker, and open markers in the second round."""
    colour = plt.rcParams["axes.prop_cycle"].by_key()["color"][place % 6]
    filled = place % 2 == 0
    return {"color": colour, "marker": MARKERS[place % len(MARKERS)], "markerfacecolor": colour if filled else "white"}


def _points(
    axes: Axes, x: Sequence[float], y: Sequence[float], rows: pd.DataFrame, look: dict[str, Any], along: str
) -> None:
    """Draw estimates with their intervals; an estimate without an interval is a bare marker."""
    centre = x if along == "x" else y
    known = rows["low"].notna()
    low = rows["low"].astype("Float64").to_numpy(dtype=float, na_value=float("nan"))
    high = rows["high"].astype("Float64").to_numpy(dtype=float, na_value=float("nan"))
    spread = [[c - a if k else 0.0 for c, a, k in zip(centre, low, known, strict=True)]]
    spread.append([b - c if k else 0.0 for c, b, k in zip(centre, high, known, strict=True)])
    bars: dict[str, Any] = {"xerr" if along == "x" else "yerr": spread}
    axes.errorbar(x, y, **bars, linestyle="none", capsize=1.8, elinewidth=0.8, **look)


def _legend(figure: Figure, models: Sequence[str]) -> None:
    handles = [Line2D([], [], linestyle="none", label=model, **_look(place)) for place, model in enumerate(models)]
    figure.legend(handles=handles, loc="outside lower center", ncols=min(len(models), 3), handletextpad=0.2)


def _empty(axes: Axes, message: str) -> None:
    axes.text(0.5, 0.5, textwrap.fill(message, 40), ha="center", va="center", transform=axes.transAxes, color=INK)
    axes.set_xticks([])
    axes.set_yticks([])
    axes.grid(visible=False)


def _count_range(counts: pd.Series[Any]) -> str:
    low, high = int(counts.min()), int(counts.max())
    return f"n = {low:,}" if low == high else f"n = {low:,}–{high:,}"


# --- Figure 1 ---------------------------------------------------------------------------------------------------


def _count(counts: pd.DataFrame, step: str) -> dict[str, int]:
    rows = counts[counts["step"].eq(step)]
    return {str(item): int(n) for item, n in zip(rows["item"], rows["n"], strict=True)}


def _reasons(counts: Mapping[str, int], shown: int) -> list[str]:
    """Return "– n reason" lines of the most frequent reasons; the rest is one line, so that the lines add up."""
    ranked = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    head, tail = (ranked, []) if len(ranked) <= shown + 1 else (ranked[:shown], ranked[shown:])
    lines = [f"– {n:,} {reason}" for reason, n in head]
    return [*lines, f"– {sum(n for _, n in tail):,} for {len(tail)} other reasons"] if tail else lines


LINE: Final = 0.145
COLUMN: Final = 2.05


def _wrapped(lines: Sequence[str], width: float) -> list[str]:
    """Return lines broken to a width in inches, at about 18 characters of 7 point an inch."""
    wrap = textwrap.TextWrapper(width=int(width * 18), subsequent_indent="   ")
    return [part for line in lines for part in wrap.wrap(line) or [""]]


def _height(lines: Sequence[str]) -> float:
    return 0.38 + LINE * len(lines)


def _box(axes: Axes, corner: tuple[float, float], size: tuple[float, float], title: str, lines: Sequence[str]) -> None:
    """Draw a titled box with its lower left corner and size in inches; lines are set from the top."""
    (x, y), (width, height) = corner, size
    outline = "round,pad=0,rounding_size=0.05"
    axes.add_patch(FancyBboxPatch(corner, width, height, boxstyle=outline, lw=0.8, ec=INK, fc="#F5F7FA"))
    axes.text(x + 0.08, y + height - 0.19, title, va="baseline", fontweight="bold", fontsize=8, color="black")
    for place, line in enumerate(lines):
        axes.text(x + 0.08, y + height - 0.38 - LINE * place, line, va="baseline", fontsize=7, color=INK)


def _arrow(axes: Axes, start: tuple[float, float], end: tuple[float, float]) -> None:
    axes.annotate("", end, start, arrowprops={"arrowstyle": "-|>", "color": INK, "lw": 1.0, "shrinkA": 0, "shrinkB": 0})


def _many(n: int, noun: str) -> str:
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"


def _source_lines(counts: pd.DataFrame) -> list[str]:
    questions = _count(counts, "questions")
    lines = [
        f"{questions.get('kept', 0):,} questions kept, on",
        f"{questions.get('source documents', 0):,} source documents",
    ]
    if unanswerable := questions.get("of them unanswerable", 0):
        lines.append(f"({unanswerable:,} questions unanswerable)")
    for kind in ("document", "question"):
        if dropped := _count(counts, f"{kind} excluded"):
            lines += ["", f"{_many(sum(dropped.values()), kind)} left out", *_reasons(dropped, 4)]
    return lines


def _hard_lines(counts: pd.DataFrame) -> list[str]:
    unused, used = _count(counts, "candidate not used"), _count(counts, "hard negatives").get("in use", 0)
    lines = [f"{_count(counts, 'candidates').get('ranked', 0):,} candidates ranked"]
    if unused:
        lines += [f"{sum(unused.values()):,} not used", *_reasons(unused, 4)]
    return [*lines, f"{used:,} in use"]


def _cell_lines(counts: pd.DataFrame) -> list[str]:
    cells = _count(counts, "cells")
    lines = [f"{n:,} {_content(name)}" for name, n in cells.items()]
    lines += ["", f"{sum(cells.values()):,} cells in all"]
    if lost := _count(counts, "cell excluded"):
        lines += ["", f"{_many(sum(lost.values()), 'cell')} left out", *_reasons(lost, 3)]
    return lines


def _content(condition: str) -> str:
    kind, _, k = condition.partition("-")
    added = {"hn": "hard negatives", "random": "random"}.get(kind, kind)
    return f"{CONDITION_NAMES.get(condition, condition)}: " + (f"source + {k} {added}" if k else "source only")


@_drawn
def figure_1(counts: pd.DataFrame) -> Figure:
    """Draw the construction of the study (paper, Figure 1) with its real counts from ``construction_counts``."""
    inner = COLUMN - 0.16
    source, hard, cells = (_wrapped(make(counts), inner) for make in (_source_lines, _hard_lines, _cell_lines))
    pool = f"{_count(counts, 'random pool').get('documents', 0):,} documents to draw from:"
    drawn = _wrapped([pool, "the hard negatives of other sources"], inner)
    asked = [f"{MODALITY_NAMES.get(name, name)}: {n:,} cells" for name, n in _count(counts, "modalities").items()]
    height = max(_height(source), _height(hard) + 0.25 + _height(drawn), _height(cells))
    floor, middle, right = 0.9, 2.375, 4.65
    figure = plt.figure(figsize=(DOUBLE, floor + height + 0.1))
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, DOUBLE), ylim=(0, floor + height + 0.1))
    axes.axis("off")
    low = _height(drawn)
    _box(axes, (0.1, floor), (COLUMN, height), "Source PDFs and questions", source)
    _box(axes, (middle, floor + low + 0.25), (COLUMN, height - low - 0.25), "Hard negatives", hard)
    _box(axes, (middle, floor), (COLUMN, low), "Random distractors", drawn)
    _box(axes, (right, floor), (COLUMN, height), "Cells", cells)
    strip = "      ".join(asked) or "no cell is asked yet"
    _box(axes, (0.1, 0.1), (right + COLUMN - 0.1, 0.52), "Asked of the models, answerable questions only", [strip])
    upper = floor + low + 0.25 + (height - low - 0.25) / 2
    _arrow(axes, (0.1 + COLUMN, upper), (middle, upper))
    _arrow(axes, (middle + COLUMN / 2, floor + low + 0.25), (middle + COLUMN / 2, floor + low))
    _arrow(axes, (middle + COLUMN, upper), (right, upper))
    _arrow(axes, (middle + COLUMN, floor + low / 2), (right, floor + low / 2))
    _arrow(axes, (right + COLUMN / 2, floor), (right + COLUMN / 2, 0.62))
    return figure


# --- Accuracy and differences -----------------------------------------------------------------------------------


def _accuracy_panel(axes: Axes, rows: pd.DataFrame, models: Sequence[str], conditions: Sequence[str]) -> None:
    step = 0.7 / max(len(models), 1)
    for place, model in enumerate(models):
        mine = rows[rows["model"].eq(model) & rows["accuracy"].notna()]
        offset = (place - (len(models) - 1) / 2) * step
        x = [conditions.index(condition) + offset for condition in mine["condition"]]
        _points(axes, x, mine["accuracy"].astype(float).tolist(), mine, _look(place), "y")
    axes.set_xticks(range(len(conditions)), [CONDITION_NAMES.get(name, name) for name in conditions])
    axes.set_xlim(-0.6, len(conditions) - 0.4)
    axes.grid(visible=False, axis="x")


@_drawn
def figure_accuracy(table: pd.DataFrame) -> Figure:
    """Draw judge accuracy by condition with its intervals from ``table_1``: a panel a modality, a marker a model.

    An estimate without an interval is a bare marker; a condition without a judged answer has none.
    """
    modalities, models = ordered(table["modality"], MODALITIES), ordered(table["model"], ())
    panels = {name: table[table["modality"].eq(name)] for name in modalities}
    conditions = {name: ordered(rows["condition"], CONDITIONS) for name, rows in panels.items()}
    ratios = [max(len(conditions[name]), 1.3) for name in modalities] or [1]
    width = SINGLE if len(modalities) < 2 and len(models) < 3 else DOUBLE
    figure, grid = plt.subplots(
        1, len(ratios), figsize=(width, 2.6), width_ratios=ratios, sharey=True, squeeze=False, layout="constrained"
    )
    if not table["accuracy"].notna().any():
        _empty(grid[0][0], "not applicable: no judged answer")
        return figure
    for axes, (name, rows) in zip(grid[0], panels.items(), strict=True):
        _accuracy_panel(axes, rows, models, conditions[name])
        axes.set_title(f"{MODALITY_NAMES.get(name, name)}, {_count_range(rows['n_judged'])}")
    top = float(table[["accuracy", "high"]].max().max())
    grid[0][0].set(ylabel="Judge accuracy", ylim=(0, min(1.02, top * 1.12 + 0.02)))
    _legend(figure, models)
    return figure


@_drawn
def figure_paired(paired: pd.DataFrame) -> Figure:
    """Draw paired differences with their intervals around zero from ``tables.paired``, by research question.

    To the right of zero the second arm is worse. A comparison without pairs stands only in the table, with its reason;
    so does the pooling that counts pairs.
    """
    rows = paired[paired["difference"].notna() & paired["pooling"].ne("pairs")].reset_index(drop=True)
    if rows.empty:
        figure, axes = plt.subplots(figsize=(DOUBLE, 1.2), layout="constrained")
        _empty(axes, "not applicable: no question was answered and judged in both arms")
        return figure
    labels = rows["research_question"] + "  " + rows["contrast"].map(contrast_name)
    single = rows["research_question"].ne("RQ3")
    if rows.loc[single, "modality"].nunique() > 1:
        labels = labels + (", " + rows["modality"]).where(single, "")
    places, models = list(dict.fromkeys(labels)), ordered(rows["model"], ())
    height = 0.8 + (0.12 + 0.1 * len(models)) * len(places)
    figure, axes = plt.subplots(figsize=(DOUBLE, height), layout="constrained")
    for place, model in enumerate(models):
        mine = rows[rows["model"].eq(model)]
        offset = (place - (len(models) - 1) / 2) * 0.66 / len(models)
        y = [places.index(label) + offset for label in labels[mine.index]]
        _points(axes, mine["difference"].astype(float).tolist(), y, mine, _look(place), "x")
    axes.axvline(0, color=INK, linewidth=0.8)
    for line in range(1, len(places)):
        if places[line][:3] != places[line - 1][:3]:
            axes.axhline(line - 0.5, color="#999999", linewidth=0.6)
    axes.set_yticks(range(len(places)), places)
    axes.set(ylim=(len(places) - 0.5, -0.5))
    axes.set_xlabel(f"Difference in judge accuracy, first arm − second arm ({_count_range(rows['n_pairs'])} pairs)")
    axes.grid(visible=True, axis="x")
    axes.grid(visible=False, axis="y")
    _legend(figure, models)
    return figure


# --- Save -------------------------------------------------------------------------------------------------------


def save_figure(
    name: str,
    figure: Figure,
    study: Study,
    caption: str,
    data: pd.DataFrame,
    metadata: Mapping[str, Any] | None = None,
) -> list[Path]:
    """Write a figure as ``<name>.pdf``, ``.png`` and its data as ``.csv`` under the study's figures, and its entry.

    Both pictures carry the study, caption and metadata; neither carries a time, so the same data gives the same
    bytes.

    Raises:
        TablesError: the name is not usable, or the manifest there is not one.
    """
    check_name(name)
    about = json.dumps({"study": study.name, **dict(metadata or {})}, ensure_ascii=True, sort_keys=True)
    files = [write_atomically(study.figures / f"{name}.csv", csv_bytes(data))]
    tags: dict[str, dict[str, Any]] = {
        "pdf": {"Title": name, "Subject": caption, "Keywords": about, "CreationDate": None},
        "png": {"Title": name, "Description": caption, "Comment": about, "Software": None},
    }
    for suffix, tag in tags.items():
        buffer = io.BytesIO()
        with house_style():
            figure.savefig(buffer, format=suffix, metadata=tag)
        files.append(write_atomically(study.figures / f"{name}.{suffix}", buffer.getvalue()))
    record_in_manifest(name, study, caption, [], files, metadata or {})
    return files
