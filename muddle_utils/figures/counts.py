"""Figures of counts: how the study was made, what became of its questions, where wrong answers stand, what did not fit.

They show counts and shares that other modules computed; ``accuracy`` draws estimates with their intervals.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch, Patch

from muddle_utils.analysis.frames import as_records, ordered
from muddle_utils.figures.style import (
    DOUBLE,
    INK,
    SMALL,
    Panel,
    count_range,
    drawn,
    grid,
    legend,
    readable,
    reason,
    titled,
    width_of,
    wrapped,
)
from muddle_utils.study.labels import CONDITION_NAMES, MODALITY_NAMES
from muddle_utils.study.records import CONDITIONS, LIMITS, Condition, condition_of

# --- Figure 1 ---------------------------------------------------------------------------------------------------


LINE: Final = 0.145
COLUMN: Final = 2.05


def _count(counts: pd.DataFrame, step: str) -> dict[str, int]:
    rows = counts[counts["step"].eq(step)]
    return {str(item): int(n) for item, n in zip(rows["item"], rows["n"], strict=True)}


def _reasons(counts: Mapping[str, int], shown: int) -> list[str]:
    """Return "– n reason" lines of the most frequent reasons; the rest is one line, so that the lines add up."""
    ranked = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    head, tail = (ranked, []) if len(ranked) <= shown + 1 else (ranked[:shown], ranked[shown:])
    lines = [f"– {n:,} {reason}" for reason, n in head]
    return [*lines, f"– {sum(n for _, n in tail):,} for {len(tail)} other reasons"] if tail else lines


def _broken(lines: Sequence[str], width: float) -> list[str]:
    return [part for line in lines for part in wrapped(readable(line), width, indent="   ")]


def _height(lines: Sequence[str]) -> float:
    return 0.38 + LINE * len(lines)


def _box(axes: Axes, corner: tuple[float, float], size: tuple[float, float], title: str, lines: Sequence[str]) -> None:
    """Draw a titled box with its lower left corner and size in inches; lines are set from the top."""
    (x, y), (width, height) = corner, size
    outline = "round,pad=0,rounding_size=0.05"
    axes.add_patch(FancyBboxPatch(corner, width, height, boxstyle=outline, lw=0.8, ec=INK, fc="#F5F7FA"))
    axes.text(x + 0.08, y + height - 0.19, title, va="baseline", fontweight="bold", fontsize=8, color="black")
    for place, line in enumerate(lines):
        axes.text(x + 0.08, y + height - 0.38 - LINE * place, line, va="baseline", fontsize=SMALL, color=INK)


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
    lines = [f"{n:,} {CONDITION_NAMES[name]}: {_content(condition_of(name))}" for name, n in cells.items()]
    lines += ["", f"{sum(cells.values()):,} cells in all"]
    if lost := _count(counts, "cell excluded"):
        lines += ["", f"{_many(sum(lost.values()), 'cell')} left out", *_reasons(lost, 3)]
    return lines


def _asked_lines(counts: pd.DataFrame) -> list[str]:
    asked = [f"{MODALITY_NAMES.get(name, name)}: {n:,} cells" for name, n in _count(counts, "modalities").items()]
    lines = [" · ".join(asked) or "no cell is asked yet"]
    if apart := _count(counts, "questions").get("of them unanswerable", 0):
        lines.append(f"Answerable questions alone: the {apart:,} unanswerable ones are counted apart.")
    return lines


def _content(condition: Condition) -> str:
    added = "hard negatives" if condition.kind == "hard_negative" else condition.kind
    return f"source + {condition.k} {added}" if condition.k else "source only"


@drawn("step item n")
def figure_1(counts: pd.DataFrame) -> Figure | str:
    """Draw the construction of the study (paper, Figure 1) with its real counts from ``construction_counts``."""
    inner = COLUMN - 0.16
    source, hard, cells = (_broken(make(counts), inner) for make in (_source_lines, _hard_lines, _cell_lines))
    pool = f"{_count(counts, 'random pool').get('documents', 0):,} documents to draw from:"
    drawn_from = _broken([pool, "the hard negatives of other sources"], inner)
    strip = _broken(_asked_lines(counts), 2 * COLUMN + 2.4)
    low, gap, left, middle, right = _height(drawn_from), 0.25, 0.1, 2.375, 4.65
    top = max(_height(source), _height(hard) + gap + low, _height(cells)) + gap + _height(strip) + 0.1
    figure = plt.figure(figsize=(DOUBLE, top + 0.1))
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, DOUBLE), ylim=(0, top + 0.1))
    axes.axis("off")
    under_hard, under_cells = top - _height(hard), top - _height(cells)
    under_random = under_hard - gap - low
    _box(axes, (left, top - _height(source)), (COLUMN, _height(source)), "Source PDFs and questions", source)
    _box(axes, (middle, under_hard), (COLUMN, _height(hard)), "Hard negatives", hard)
    _box(axes, (middle, under_random), (COLUMN, low), "Random distractors", drawn_from)
    _box(axes, (right, min(under_cells, under_random)), (COLUMN, top - min(under_cells, under_random)), "Cells", cells)
    _box(axes, (left, 0.1), (right + COLUMN - left, _height(strip)), "Asked of the models", strip)
    upper = top - 0.3
    _arrow(axes, (left + COLUMN, upper), (middle, upper))
    _arrow(axes, (middle + COLUMN / 2, under_hard), (middle + COLUMN / 2, under_random + low))
    _arrow(axes, (middle + COLUMN, upper), (right, upper))
    _arrow(axes, (middle + COLUMN, under_random + low / 2), (right, under_random + low / 2))
    _arrow(axes, (right + COLUMN / 2, min(under_cells, under_random)), (right + COLUMN / 2, 0.1 + _height(strip)))
    return figure


# --- Stacked shares ---------------------------------------------------------------------------------------------


class Part(NamedTuple):
    """One part of a stacked bar: its name, and colour and hatch that tell it apart."""

    label: str
    colour: str
    hatch: str = ""


def _patch(part: Part) -> dict[str, Any]:
    return {"facecolor": part.colour, "hatch": part.hatch, "edgecolor": INK, "linewidth": 0.4}


def _entries(parts: Sequence[Part]) -> list[Patch]:
    return [Patch(label=part.label, **_patch(part)) for part in parts]


def _stacked(axes: Axes, bars: Mapping[int, Sequence[float]], parts: Sequence[Part], shift: float, size: float) -> None:
    """Draw ``bars``, the shares of all parts by the bar's row, ``shift`` below it; a part of nothing leaves no line."""
    rows = np.array(list(bars), dtype=float) + shift
    shares = np.array(list(bars.values()), dtype=float).reshape(len(bars), len(parts))
    starts = np.cumsum(shares, axis=1) - shares
    for place, part in enumerate(parts):
        some = shares[:, place] > 0
        axes.barh(rows[some], shares[some, place], size, starts[some, place], **_patch(part))


def _arms(axes: Axes, conditions: Sequence[str], top: float, most: float = 1.0, beside: float = 0.2) -> None:
    """Lay out a panel of horizontal bars: an arm a row from the top, shares up to ``most``, room ``beside`` them."""
    axes.set_yticks(range(len(conditions)), [readable(CONDITION_NAMES.get(name, name)) for name in conditions])
    axes.set(ylim=(len(conditions) - 0.45, top), xlim=(0, most * (1 + beside)))
    axes.set_xticks([0, most / 2, most], [f"{100 * share:g} %" for share in (0, most / 2, most)])
    axes.spines["bottom"].set_bounds(0, most)
    axes.tick_params(axis="y", length=0)
    axes.grid(visible=False)


def _write(axes: Axes, at: tuple[float, float], text: str, side: str, colour: str = INK) -> None:
    """Write a text inside a panel, where the layout need not make room for it."""
    looks: dict[str, Any] = {"ha": side, "va": "center", "fontsize": SMALL, "color": colour, "in_layout": False}
    axes.text(*at, text, **looks)


def _beside(axes: Axes, row: float, text: str) -> None:
    """Write a number at the right end of a bar's row, in the room that ``_arms`` left there."""
    _write(axes, (axes.get_xlim()[1], row), text, "right")


# --- Flips ------------------------------------------------------------------------------------------------------


FLIPS: Final = {
    "kept": Part("kept: right in both", "#009E73"),
    "lost": Part("lost: right in the control only", "#E69F00", "//////"),
    "gained": Part("gained: right in the arm only", "#56B4E9", "......"),
    "never": Part("never: right in neither", "#E4E4E4"),
}


def _flips_panel(panel: Panel, conditions: Sequence[str]) -> None:
    axes, rows = panel.axes, {row["condition"]: row for row in as_records(panel.rows)}
    _arms(axes, conditions, -0.75, beside=0.02)
    bars: dict[int, Sequence[float]] = {}
    for place, condition in enumerate(conditions):
        row = rows.get(condition)
        if row is None:
            continue
        counts = [int(row[name]) for name in FLIPS]
        bars[place] = [n / row["n_pairs"] for n in counts]
        middles = np.cumsum(bars[place]) - np.array(bars[place]) / 2
        some = [(middle, n) for middle, n in zip(middles, counts, strict=True) if n]
        room = [width_of(f" {n:,} ") / panel.width for _, n in some]
        for x, (_, n) in zip(_beside_each_other([middle for middle, _ in some], room), some, strict=True):
            _write(axes, (x, place - 0.3), f"{n:,}", "center")
    _stacked(axes, bars, list(FLIPS.values()), 0.14, 0.36)
    titled(panel, count_range(panel.rows["n_pairs"]))


def _beside_each_other(centres: Sequence[float], widths: Sequence[float]) -> list[float]:
    """Return centres in the same order, moved right, then left of 1, as little as keeps labels off each other."""
    moved = list(centres)
    for place in range(1, len(moved)):
        moved[place] = max(moved[place], moved[place - 1] + (widths[place - 1] + widths[place]) / 2)
    if moved:
        moved[-1] = min(moved[-1], max(1 - widths[-1] / 2, centres[-1]))
    for place in range(len(moved) - 2, -1, -1):
        moved[place] = min(moved[place], moved[place + 1] - (widths[place] + widths[place + 1]) / 2)
    return moved


@drawn("model modality condition n_pairs kept lost gained never", "model modality condition")
def figure_flips(flow: pd.DataFrame) -> Figure | str:
    """Draw what became of the questions from the control to each arm, from ``failures.flip_counts``.

    A bar an arm: kept, lost, gained, never, with the counts above them; a panel a model and modality. An arm without a
    judged question has no bar.
    """
    flow = flow[flow["condition"].ne("control") & flow["n_pairs"].fillna(0).gt(0)].reset_index(drop=True)
    if flow.empty:
        return "Not applicable: no question was judged in the control and in another arm."
    conditions = ordered(flow["condition"], CONDITIONS)
    figure, panels = grid(flow, 0.46 + 0.22 * len(conditions), "Share of the questions judged in control and arm")
    for panel in panels:
        _flips_panel(panel, conditions)
    legend(figure, _entries(list(FLIPS.values())))
    return figure


# --- Where wrong answers stand ----------------------------------------------------------------------------------


ORIGINS: Final = {
    "source": Part("in the source only", "#009E73"),
    "hard_negative": Part("in hard negatives only", "#D55E00", "//////"),
    "random": Part("in random documents only", "#56B4E9", "......"),
    "several": Part("in source and distractors", "#F0E442", "xxxx"),
    "nowhere": Part("nowhere", "#8C8C8C"),
    "abstained": Part("abstained", "white", "----"),
    "untold": Part("cannot be told", "white"),
}


def _origin_shares(rows: pd.DataFrame) -> list[float]:
    """Return the share of each of ORIGINS among one arm's wrong answers; what is none of them cannot be told."""
    kinds = rows["stands_in"].where(rows["stands_in"].isin(ORIGINS), "untold")
    shares = rows["n"].astype(float).groupby(kinds).sum() / float(rows["n_wrong"].iloc[0])
    return [float(shares.get(kind, 0.0)) for kind in ORIGINS]


def _origins_panel(panel: Panel, conditions: Sequence[str]) -> None:
    _arms(panel.axes, conditions, -0.6)
    bars: dict[int, Sequence[float]] = {}
    for place, condition in enumerate(conditions):
        rows = panel.rows[panel.rows["condition"].eq(condition)]
        if rows.empty:
            continue
        bars[place] = _origin_shares(rows)
        _beside(panel.axes, place, f"{int(rows['n_wrong'].iloc[0]):,}")
    _stacked(panel.axes, bars, list(ORIGINS.values()), 0, 0.66)
    titled(panel, "")


@drawn("model modality condition stands_in n n_wrong share", "model modality condition stands_in")
def figure_origins(origins: pd.DataFrame) -> Figure | str:
    """Draw where the text of wrong answers stands, by condition, from ``failures.attribution_counts``.

    A bar a condition, of the shares of its wrong answers, their number beside it; a panel a model and modality.
    Answers too short or too long to tell, and those not searched, are one part. A condition without a wrong answer, or
    that was not asked, has no bar.
    """
    origins = origins[origins["n_wrong"].fillna(0).gt(0) & origins["n"].notna()]
    if origins.empty:
        return "Not applicable: there is no wrong answer."
    conditions = ordered(origins["condition"], CONDITIONS)
    present = [sum(column) > 0 for column in zip(*_all_shares(origins), strict=True)]
    figure, panels = grid(
        origins,
        0.35 + 0.165 * len(conditions),
        "Share of the arm's wrong answers (their number at right)",
        absent="no wrong answer, or not asked",
    )
    for panel in panels:
        _origins_panel(panel, conditions)
    legend(figure, _entries([part for part, shown in zip(ORIGINS.values(), present, strict=True) if shown]))
    return figure


def _all_shares(origins: pd.DataFrame) -> list[list[float]]:
    return [_origin_shares(rows) for _, rows in origins.groupby(["model", "modality", "condition"], sort=False)]


# --- Requests that do not fit -----------------------------------------------------------------------------------


_LIMIT_PARTS: Final = {
    "images": Part("too many images", "#0072B2", "//////"),
    "pdf_pages": Part("too many PDF pages", "#56B4E9", "......"),
    "bytes": Part("too many bytes", "#D55E00", "xxxx"),
    "tokens": Part("too many tokens", "#F0E442"),
    "modality": Part("modality not taken", "#8C8C8C"),
}


def _limit_counts(row: Mapping[str, Any]) -> list[int]:
    return [0 if pd.isna(row[f"n_by_{limit}"]) else int(row[f"n_by_{limit}"]) for limit in LIMITS]


def _infeasible_panel(panel: Panel, conditions: Sequence[str], parts: Sequence[Part], most: float) -> None:
    rows = {row["condition"]: row for row in as_records(panel.rows)}
    _arms(panel.axes, conditions, -0.6, most)
    bars: dict[int, Sequence[float]] = {}
    for place, condition in enumerate(conditions):
        row = rows.get(condition)
        if row is None or pd.isna(row["n_asked"]) or not row["n_asked"]:
            continue
        bars[place] = [n / row["n_asked"] for n in _limit_counts(row)]
        _beside(panel.axes, place, f"{int(row['n_infeasible']):,}")
    _stacked(panel.axes, bars, parts, 0, 0.66)
    titled(panel, count_range(panel.rows["n_asked"]))


@drawn(
    "model modality condition n_asked n_infeasible " + " ".join(f"n_by_{limit}" for limit in LIMITS),
    "model modality condition",
)
def figure_infeasible(table: pd.DataFrame) -> Figure | str:
    """Draw the share of requests that no route can carry, by the limit they break, from ``tables.infeasible_table``.

    A bar a condition, the number of such requests beside it; a panel a model and modality.
    """
    if not table["n_asked"].fillna(0).gt(0).any():
        return reason(table, "no cell is asked")
    if not table["n_infeasible"].fillna(0).gt(0).any():
        n_asked = int(table["n_asked"].sum())
        return f"No request exceeds a limit: a route can carry each of the {n_asked:,} asked."
    conditions = ordered(table["condition"], CONDITIONS)
    parts = [_LIMIT_PARTS[limit] for limit in LIMITS]
    broken = [sum(column) > 0 for column in zip(*map(_limit_counts, as_records(table)), strict=True)]
    largest = float((table["n_infeasible"] / table["n_asked"].where(table["n_asked"] > 0)).max())
    most = next(end for end in (0.02, 0.1, 0.2, 0.5, 1.0) if largest <= end or end == 1)
    figure, panels = grid(
        table, 0.35 + 0.165 * len(conditions), "Share of requests that no route can carry (their number at right)"
    )
    for panel in panels:
        _infeasible_panel(panel, conditions, parts, most)
    legend(figure, _entries([part for part, shown in zip(parts, broken, strict=True) if shown]))
    return figure
