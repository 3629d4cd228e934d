"""Figures of differences around zero: the declared comparisons, the topical gap, its variations and its sources.

To the right of zero the second arm is worse. ``accuracy`` offers these figures with all others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon
from numpy.typing import NDArray

from muddle_utils.analysis.comparisons import BETWEEN_MODALITIES, CONTRASTS
from muddle_utils.analysis.frames import ordered
from muddle_utils.analysis.sensitivity import BASELINE
from muddle_utils.figures.style import (
    DOUBLE,
    GREY,
    INK,
    SINGLE,
    Panel,
    bars,
    count_range,
    dagger,
    drawn,
    fitted,
    label_axes,
    legend,
    look,
    marks,
    modality_name,
    names,
    numbers,
    picked,
    points,
    readable,
    reason,
    round_ticks,
    row_of_panels,
    say,
    titled,
)
from muddle_utils.study.labels import contrast_name
from muddle_utils.study.records import MODALITIES, condition_of

BAND: Final = "#EEF1F6"


# --- Differences ------------------------------------------------------------------------------------------------


class _Lines(NamedTuple):
    """What the panels of one figure of differences share: models, lines, their labels, and the room for a title."""

    models: list[str]
    order: list[str]
    labels: pd.Series[Any]
    width: float


def _differences(axes: Axes, rows: pd.DataFrame, lines: _Lines, n_columns: int = 1) -> None:
    """Draw differences around zero: a labelled line each, top down, a marker a model."""
    for place, model in enumerate(lines.models):
        mine = rows[rows["model"].eq(model)]
        offset = (place - (len(lines.models) - 1) / 2) * 0.66 / len(lines.models)
        y = [lines.order.index(label) + offset for label in lines.labels[mine.index]]
        points(axes, mine, "difference", y, "x", look(place))
    axes.axvline(0, color=INK, linewidth=0.8, zorder=1)
    axes.set_yticks(range(len(lines.order)), lines.order)
    axes.set_ylim(len(lines.order) - 0.5, -0.5)
    axes.xaxis.set_major_locator(round_ticks(6 if n_columns < 3 else 4))
    axes.tick_params(axis="y", length=0)
    axes.grid(visible=True, axis="x")
    axes.grid(visible=False, axis="y")


def _rule_off(axes: Axes, rows: pd.DataFrame, lines: _Lines) -> None:
    """Part the research questions by a line."""
    asked = dict(zip(lines.labels[rows.index], rows["research_question"], strict=True))
    for line in range(1, len(lines.order)):
        if asked[lines.order[line]] != asked[lines.order[line - 1]]:
            axes.axhline(line - 0.5, color="#999999", linewidth=0.6)


def _line_height(models: Sequence[str]) -> float:
    return 0.14 + 0.085 * len(models)


def _named(rows: pd.DataFrame) -> pd.Series[Any]:
    return rows["research_question"].map(readable) + "  " + rows["contrast"].map(contrast_name)


def _by_modality(panels: Sequence[Axes], rows: pd.DataFrame, lines: _Lines) -> None:
    """Draw a panel a modality over the same lines; its title says how many pairs there are."""
    modalities = ordered(rows["modality"], MODALITIES)
    for axes, name in zip(panels, modalities, strict=True):
        mine = rows[rows["modality"].eq(name)]
        _differences(axes, mine, lines, len(modalities))
        titled(Panel(axes, mine, "", name, modality_name(name), "", lines.width, 0), count_range(mine["n_pairs"]))
        if mine["difference"].isna().all():
            say(axes, reason(mine, "no question was judged in both arms"), lines.width)


_X_LABEL: Final = "Difference in judge accuracy, first arm − second arm"
_PAIRED: Final = "research_question contrast pooling model modality difference low high n_pairs"
_PAIRED_KEYS: Final = "research_question contrast pooling model modality"


def _one_panel(rows: pd.DataFrame, models: list[str]) -> Figure:
    labels = _named(rows)
    labels = labels.map(names(labels, 2.6, 2))
    order = list(dict.fromkeys(labels))
    figure, axes = plt.subplots(figsize=(DOUBLE, 0.6 + _line_height(models) * len(order)), layout="constrained")
    lines = _Lines(models, order, labels, DOUBLE)
    _differences(axes, rows, lines)
    _rule_off(axes, rows, lines)
    counts = count_range(rows["n_pairs"])
    axes.set_xlabel(f"{_X_LABEL} ({counts} pairs)" if counts else _X_LABEL)
    return figure


def _panels_and_modalities(rows: pd.DataFrame, models: list[str]) -> Figure:
    """Draw RQ1 and RQ2 as a panel a modality; below, on its own scale, RQ3 as a panel a pair of modalities."""
    single = rows["research_question"].ne("RQ3")
    blocks = [block for block in (rows[single], _between(rows[~single])) if len(block)]
    width = [names(_named(block), 1.45, 2) for block in blocks]
    labels = [_named(block).map(short) for block, short in zip(blocks, width, strict=True)]
    orders = [list(dict.fromkeys(label)) for label in labels]
    n_columns = max(block["modality"].nunique() for block in blocks)
    heights = [_line_height(models) * len(order) + 0.45 for order in orders]
    figure = plt.figure(figsize=(DOUBLE, sum(heights) + 0.3), layout="constrained")
    spec = figure.add_gridspec(len(blocks), n_columns, height_ratios=heights)
    for row, (block, label, order) in enumerate(zip(blocks, labels, orders, strict=True)):
        panels: list[Axes] = []
        for column in range(block["modality"].nunique()):
            shared: dict[str, Any] = {"sharex": panels[0], "sharey": panels[0]} if panels else {}
            panels.append(figure.add_subplot(spec[row, column], **shared))
            panels[-1].tick_params(labelleft=column == 0)
        lines = _Lines(models, order, label, (DOUBLE - 1.9) / n_columns)
        _by_modality(panels, block, lines)
        for axes in panels:
            _rule_off(axes, block, lines)
    label_axes(figure, figure.axes[0], _X_LABEL)
    return figure


def _between(rows: pd.DataFrame) -> pd.DataFrame:
    """Return comparisons between modalities by what is compared; which modalities, their panels' titles say."""
    pairs = [" − ".join(map(modality_name, str(name).split(", "))) for name in rows["modality"]]
    return rows.assign(contrast=BETWEEN_MODALITIES, modality=pairs)


@drawn(_PAIRED, _PAIRED_KEYS)
def figure_paired(paired: pd.DataFrame) -> Figure | str:
    """Draw paired differences with their intervals around zero, by research question, from ``paired``.

    To the right of zero the second arm is worse. With RQ1 and RQ2 in several modalities there is a panel a modality. A
    comparison without pairs stands only in the table, with its reason; so does the pooling that counts pairs.
    """
    rows = paired[paired["difference"].notna() & paired["pooling"].ne("pairs")].reset_index(drop=True)
    if rows.empty:
        return reason(paired, "no question was answered and judged in both arms")
    models = ordered(paired["model"], ())
    within = rows.loc[rows["research_question"].ne("RQ3"), "modality"].nunique()
    figure = _one_panel(rows, models) if within < 2 else _panels_and_modalities(rows, models)
    legend(figure, [*marks(models, rows, "difference"), *dagger(rows, "difference")])
    return figure


# Which k a contrast of RQ1 is about; that which pools them, each question once, is the headline.
_POOLED: Final = "pooled over k"
_GAP_LABELS: Final = {
    each.label: _POOLED if each.pooled else f"k = {condition_of(each.first[0]).k}" for each in CONTRASTS
}


@drawn(_PAIRED, _PAIRED_KEYS)
def figure_gaps(paired: pd.DataFrame) -> Figure | str:
    """Draw the topical gap (RQ1), random distractors minus hard negatives, at each k and pooled, from ``paired``.

    A panel a modality, a marker a model; the shaded line, pooled with each question once, is the headline.
    """
    asked = paired[paired["research_question"].eq("RQ1") & paired["pooling"].ne("pairs")]
    rows = asked[asked["difference"].notna()].reset_index(drop=True)
    if rows.empty:
        return reason(asked, "no question was answered and judged in both arms")
    labels = rows["contrast"].map(_GAP_LABELS)
    order = sorted(dict.fromkeys(labels), key=lambda label: label == _POOLED)
    models, modalities = ordered(asked["model"], ()), ordered(rows["modality"], MODALITIES)
    width = SINGLE if len(modalities) == 1 else DOUBLE
    figure, panels = row_of_panels(len(modalities), 0.75 + _line_height(models) * len(order), width)
    lines = _Lines(models, order, labels, (width - 0.9) / len(modalities))
    _by_modality(panels, rows, lines)
    for axes in panels:
        if _POOLED in order:
            axes.axhspan(len(order) - 1.5, len(order) - 0.5, color=BAND, zorder=0)
    label_axes(figure, panels[0], "Topical gap: accuracy with random distractors − with hard negatives")
    legend(figure, [*marks(models, rows, "difference"), *dagger(rows, "difference")])
    return figure


# --- Sensitivity ------------------------------------------------------------------------------------------------


def _headline(table: pd.DataFrame) -> str | None:
    """Return the contrast that is pooled over k, each question once; None if the table has none."""
    pooled = [each.label for each in CONTRASTS if each.pooled]
    return next((name for name in table["contrast"] if name in pooled), None)


@drawn(
    "research_question contrast model modality variation difference low high n_pairs not_applicable",
    "research_question contrast model modality variation",
)
def figure_sensitivity(table: pd.DataFrame, contrast: str | None = None) -> Figure | str:
    """Draw one comparison's estimate under each variation of the analysis, from ``sensitivity.variations``.

    A line a variation that has an estimate, the baseline shaded; a panel a modality, a marker a model. ``contrast`` is
    the comparison to draw; None takes the headline, which is pooled over k, or else the table's first.

    Raises:
        TablesError: no row has that contrast.
    """
    chosen = picked(table, "contrast", contrast or _headline(table))
    rows = chosen[chosen["difference"].notna()].reset_index(drop=True)
    if rows.empty:
        return reason(chosen, "no variation has an estimate")
    models, modalities = ordered(chosen["model"], ()), ordered(rows["modality"], MODALITIES)
    room = 2.3 if len(modalities) == 1 else 1.6
    height = max(_line_height(models), 0.25)
    n_lines = max(2, int(height / 0.125))
    labels = rows["variation"].map(names(rows["variation"], room, n_lines))
    order = list(dict.fromkeys(labels))
    base = next((order.index(label) for label in labels[rows["variation"].eq(BASELINE)]), None)
    figure, panels = row_of_panels(len(modalities), 0.8 + height * len(order), DOUBLE)
    lines = _Lines(models, order, labels, (DOUBLE - room - 0.4) / len(modalities))
    _by_modality(panels, rows, lines)
    for axes in panels:
        if base is not None:
            axes.axhspan(base - 0.5, base + 0.5, color=BAND, zorder=0)
    first = rows.iloc[0]
    named = f"{first['research_question']}: {contrast_name(str(first['contrast']))}"
    label_axes(figure, panels[0], f"{named}, difference in judge accuracy")
    legend(figure, [*marks(models, rows, "difference"), *dagger(rows, "difference")])
    return figure


# --- By source document -----------------------------------------------------------------------------------------


_PITCH: Final = 0.125
_TALLEST: Final = 7.8
_IN_ONE_COLUMN: Final = 50


def _area(n_questions: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return marker areas in square points, in proportion to the number of questions."""
    return 6.0 * n_questions


def _diamond(axes: Axes, row: pd.Series[Any], y: float) -> None:
    """Draw the overall estimate with its interval as a diamond, without interval as a bar."""
    centre, low, high = (float(numbers(row[[name]])[0]) for name in ("overall", "overall_low", "overall_high"))
    if np.isnan(centre):
        return
    if np.isnan(low + high):
        axes.plot([centre], [y], marker="D", color=INK, markersize=5)
        return
    corners = [(low, y), (centre, y - 0.42), (high, y), (centre, y + 0.42)]
    axes.add_patch(Polygon(corners, facecolor=INK, edgecolor=INK, linewidth=0.6, zorder=3))


def _source_labels(rows: pd.DataFrame, width: float, pitch: float) -> list[str]:
    """Return each source's name and number of questions; where lines are too close for all, only every so many."""
    short = names(rows["document_id"].astype(str), width - 0.3)
    labels = [
        f"{short[str(name)]} ({int(n)})" for name, n in zip(rows["document_id"], rows["n_questions"], strict=True)
    ]
    every = int(np.ceil(0.105 / pitch))
    return [label if place % every == 0 else "" for place, label in enumerate(labels)]


_WITHOUT: Final = ("leave_one_out", "leave_one_out_low", "leave_one_out_high", "overall_low", "overall_high")


def _ends(rows: pd.DataFrame, columns: Sequence[str]) -> tuple[float, float]:
    """Return the limits of an axis that shows zero and all values of some columns."""
    values = np.concatenate([[0.0], *(numbers(rows[name]) for name in columns)])
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    margin = 0.07 * ((high - low) or 1.0)
    return low - margin, high + margin


def _forest_column(pair: Sequence[Axes], rows: pd.DataFrame, overall: pd.Series[Any], labels: Sequence[str]) -> None:
    """Draw one column of sources: each one's own gap on the left, the overall gap without it on the right."""
    left, right = pair
    y = np.arange(len(rows), dtype=float)
    left.scatter(
        numbers(rows["difference"]),
        y,
        s=_area(numbers(rows["n_questions"])),
        color="#0072B2",
        lw=0.3,
        ec="white",
        zorder=3,
    )
    _diamond(left, overall, len(rows) + 0.3)
    ends = numbers(rows["leave_one_out_low"]), numbers(rows["leave_one_out_high"])
    bars(right, y, ends, "x", GREY)
    right.plot(numbers(rows["leave_one_out"]), y, linestyle="none", marker="o", markersize=2.6, color=INK, zorder=3)
    _diamond(right, overall, len(rows) + 0.3)
    centre = float(numbers(overall[["overall"]])[0])
    for axes in pair:
        axes.axvline(0, color=INK, linewidth=0.8, zorder=1)
        if not np.isnan(centre):
            axes.axvline(centre, color=GREY, linewidth=0.6, linestyle="--", zorder=1)
        axes.axhline(len(rows) - 0.45, color="#999999", linewidth=0.6)
        axes.grid(visible=True, axis="both")
        axes.tick_params(axis="y", length=0)
        axes.xaxis.set_major_locator(round_ticks(4 if axes is left else 3))
        axes.set_yticks([*y, len(rows) + 0.3], [*labels, "Overall"])
    left.get_yticklabels()[-1].set_fontweight("bold")
    left.set_ylim(len(rows) + 0.95, -0.75)
    right.tick_params(labelleft=False)


def _size_entries(n_questions: NDArray[np.float64]) -> list[Line2D]:
    shown = sorted({int(n_questions.min()), int(np.median(n_questions)), int(n_questions.max())})
    return [
        Line2D(
            [],
            [],
            linestyle="none",
            marker="o",
            color="#0072B2",
            markersize=float(np.sqrt(_area(np.array([float(n)]))[0])),
            label=f"{n:,} question" + ("s" if n != 1 else ""),
        )
        for n in shown
    ]


def _forest_title(table: pd.DataFrame, rows: pd.DataFrame, n_left_out: int) -> str:
    pairs = len(table.drop_duplicates(["model", "modality"]))
    title = f"{readable(rows['model'].iloc[0])}, {modality_name(rows['modality'].iloc[0])}"
    title += f" (one of {pairs} pairs of model and modality)" if pairs > 1 else ""
    title += f": {len(rows):,} source document" + ("s" if len(rows) != 1 else "")
    return title + (f", {n_left_out:,} without a judged pair not shown" if n_left_out else "")


_FOREST: Final = (
    "contrast model modality document_id document_type n_questions difference leave_one_out leave_one_out_low "
    "leave_one_out_high overall overall_low overall_high not_applicable"
)


@drawn(_FOREST, "contrast model modality document_id")
def figure_forest(
    table: pd.DataFrame, model: str | None = None, modality: str | None = None, contrast: str | None = None
) -> Figure | str:
    """Draw one model's gap by source document, from ``sensitivity.leave_one_source_out``.

    A line a source, largest gap first, the marker's area in proportion to its questions; at its right the overall
    gap without that source; below, the overall gap as a diamond from end to end of its interval. More than 50 sources
    go on in a second column. None takes the table's first model and modality, and its headline contrast; the title
    says that there are more.

    Raises:
        TablesError: no row has that model, modality or contrast.
    """
    table = picked(table, "contrast", contrast or _headline(table))
    chosen = picked(picked(table, "model", model), "modality", modality)
    rows = chosen[chosen["difference"].notna() & chosen["n_questions"].fillna(0).gt(0)]
    if rows.empty:
        return reason(chosen, "no source has a question judged in both arms")
    order = ["difference", "n_questions", "document_id"]
    rows = rows.sort_values(order, ascending=[False, False, True], kind="stable").reset_index(drop=True)
    n_columns = 2 if len(rows) > _IN_ONE_COLUMN else 1
    n_lines = -(-len(rows) // n_columns)
    pitch = min(_PITCH, _TALLEST / n_lines)
    figure, axes = plt.subplots(
        1,
        2 * n_columns,
        figsize=(DOUBLE, pitch * (n_lines + 2) + 0.9),
        width_ratios=[1.5, 1] * n_columns,
        layout="constrained",
    )
    ends = _ends(rows, ("difference", "overall_low", "overall_high")), _ends(rows, _WITHOUT)
    for column in range(n_columns):
        pair = axes[2 * column], axes[2 * column + 1]
        part = rows.iloc[column * n_lines : (column + 1) * n_lines].reset_index(drop=True)
        _forest_column(pair, part, rows.iloc[0], _source_labels(part, 2.6 if n_columns == 1 else 1.25, pitch))
        for one, limits, label in zip(pair, ends, ("Gap of the\nsource", "Overall gap\nwithout it"), strict=True):
            one.set(xlim=limits, ylim=(n_lines + 0.95, -0.75), xlabel=label)
    named = contrast_name(str(rows["contrast"].iloc[0]))
    title = _forest_title(table, rows, len(chosen) - len(rows))
    named += "; in brackets, the source's number of questions"
    title = "\n".join([fitted(title, DOUBLE - 0.3, 2, 8.0), fitted(named, DOUBLE - 0.3, 2, 8.0)])
    figure.suptitle(title, x=0.02, ha="left", fontsize=8)
    legend(figure, _size_entries(numbers(rows["n_questions"])))
    return figure
