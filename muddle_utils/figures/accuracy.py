"""Tidy frames to figures for print: estimates with their intervals, and every other figure by its name.

A figure shows what a table holds and computes nothing of its own. Many models and modalities are small multiples of one
scale; one model is one panel. What the table lacks is said in words where it would stand.

``differences`` draws the figures around zero and ``counts`` those of counts; all are offered here. ``style`` says how
they look.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from muddle_utils.analysis.frames import TablesError, as_records, ordered
from muddle_utils.figures.style import (
    ARM_LOOKS,
    ARM_NAMES,
    DOUBLE,
    GREY,
    INK,
    SINGLE,
    SMALL,
    Panel,
    bars,
    count_range,
    dagger,
    drawn,
    grid,
    label_axes,
    legend,
    look,
    marks,
    modality_name,
    numbers,
    points,
    reason,
    round_ticks,
    row_of_panels,
    same_span,
    say,
    titled,
    width_of,
)
from muddle_utils.study.labels import CONDITION_NAMES, KIND_NAMES
from muddle_utils.study.records import CONDITIONS, MODALITIES, condition_of

# --- Accuracy ---------------------------------------------------------------------------------------------------


def _kinds(conditions: Sequence[str]) -> list[str]:
    return ordered((condition_of(name).kind for name in conditions), tuple(ARM_NAMES))


def _arm_entries(kinds: Sequence[str], joined: bool) -> list[Artist]:
    """Return the legend entries of the kinds of arm, with their lines where points are ``joined``."""
    entries: list[Artist] = []
    for kind in kinds:
        style = ARM_LOOKS[kind]
        if not joined or kind == "none":
            style = {**style, "linestyle": "none"}
        entries.append(Line2D([], [], label=ARM_NAMES[kind], **style))
    return entries


def _extent(rows: pd.DataFrame, value: str) -> tuple[float, float]:
    """Return the lowest and highest value that a panel shows, NaN if it shows none."""
    known = numbers(rows[value])
    if np.isnan(known).all():
        return float("nan"), float("nan")
    low, high = numbers(rows["low"]), numbers(rows["high"])
    return float(np.nanmin([known, low])), float(np.nanmax([known, high]))


def _condition_labels(conditions: Sequence[str], width: float) -> list[str]:
    """Return the conditions as the paper names them, or on two lines where ``width`` inches are too little for that."""
    labels = [CONDITION_NAMES[name] for name in conditions]
    if sum(width_of(label) + 0.12 for label in labels) <= width:
        return labels
    parts = map(condition_of, conditions)
    return [f"{KIND_NAMES[each.kind]}\nk = {each.k}" if each.k else KIND_NAMES[each.kind] for each in parts]


def _few_models(table: pd.DataFrame, models: Sequence[str]) -> Figure:
    """Draw a panel a modality, the conditions along x, and a marker a model."""
    modalities = ordered(table["modality"], MODALITIES)
    parts = {name: table[table["modality"].eq(name)] for name in modalities}
    conditions = {name: ordered(rows["condition"], CONDITIONS) for name, rows in parts.items()}
    shares = [max(len(conditions[name]), 1.1) for name in modalities]
    width = SINGLE if len(modalities) < 2 else DOUBLE
    figure, axes = plt.subplots(
        1, len(shares), figsize=(width, 2.3), width_ratios=shares, sharey=True, squeeze=False, layout="constrained"
    )
    panels = []
    for panel_axes, share, (name, rows) in zip(axes[0], shares, parts.items(), strict=True):
        step = 0.5 / max(len(models), 1)
        for place, model in enumerate(models):
            mine = rows[rows["model"].eq(model)]
            offset = (place - (len(models) - 1) / 2) * step
            x = [conditions[name].index(condition) + offset for condition in mine["condition"]]
            points(panel_axes, mine, "accuracy", x, "y", look(place))
        room = (width - 0.6) * share / sum(shares)
        labels = _condition_labels(conditions[name], room)
        panel_axes.set_xticks(range(len(labels)), labels)
        panel_axes.set_xlim(-0.6, len(labels) - 0.4)
        panels.append(Panel(panel_axes, rows, "", name, modality_name(name), "", room, 0))
        titled(panels[-1], count_range(rows["n_judged"]))
    same_span(panels, [_extent(panel.rows, "accuracy") for panel in panels], 6)
    axes[0][0].set_ylabel("Judge accuracy")
    legend(figure, [*marks(models, table, "accuracy"), *dagger(table, "accuracy")])
    return figure


def _arms_panel(panel: Panel, kinds: Sequence[str]) -> None:
    """Draw one model in one modality: k along x, a marker a kind of distractor."""
    steps = list(dict.fromkeys(condition_of(name).k for name in ordered(panel.rows["condition"], CONDITIONS)))
    added = [kind for kind in kinds if kind != "none"]
    for kind in kinds:
        mine = panel.rows[[condition_of(name).kind == kind for name in panel.rows["condition"]]]
        offset = 0.0 if kind == "none" else (added.index(kind) - (len(added) - 1) / 2) * 0.36
        x = [steps.index(condition_of(name).k) + offset for name in mine["condition"]]
        points(panel.axes, mine, "accuracy", x, "y", ARM_LOOKS[kind])
    panel.axes.set_xticks(range(len(steps)), [f"k = {k}" if k else KIND_NAMES["none"] for k in steps])
    panel.axes.set_xlim(-0.5, len(steps) - 0.5)
    titled(panel, count_range(panel.rows["n_judged"]))
    if panel.rows["accuracy"].isna().all():
        say(panel.axes, reason(panel.rows, "no judged answer"), panel.width)


def _many_models(table: pd.DataFrame) -> Figure:
    """Draw a panel a model and modality, k along x, and a marker a kind of distractor."""
    kinds = _kinds(list(table["condition"]))
    ks = table["condition"].map(lambda name: condition_of(name).k)
    steps = {name: float(ks[table["modality"].eq(name)].nunique()) for name in set(table["modality"])}
    ratios = {name: max(n, 1.1) for name, n in steps.items()}
    figure, panels = grid(table, 0.95, "Distractors added", "Judge accuracy", ratios)
    for panel in panels:
        _arms_panel(panel, kinds)
    same_span(panels, [_extent(panel.rows, "accuracy") for panel in panels], 4)
    legend(figure, [*_arm_entries(kinds, joined=False), *dagger(table, "accuracy")])
    return figure


@drawn("model modality condition accuracy low high n_judged", "model modality condition")
def figure_accuracy(table: pd.DataFrame) -> Figure | str:
    """Draw judge accuracy by condition with its intervals from ``table_1``.

    One or two models: a panel a modality, a marker a model. More: a panel a model and modality, a marker a kind of
    distractor, every row of panels on a scale of the same length. An estimate without an interval is a bare marker; a
    condition without a judged answer has none.
    """
    if not table["accuracy"].notna().any():
        return reason(table, "no judged answer")
    models = ordered(table["model"], ())
    return _few_models(table, models) if len(models) < 3 else _many_models(table)


# --- Tokens -----------------------------------------------------------------------------------------------------


def short_count(value: float) -> str:
    """Return a count as a tick shows it: ``500``, ``1.5k``, ``20k``, ``1M``."""
    for size, mark in ((1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:g}{mark}"
    return f"{value:g}"


def _token_ticks(axes: Axes, tokens: NDArray[np.float64]) -> None:
    """Set a log scale over the tokens with a few round ticks: 1, 2, 5 times a power of ten, or evenly where close."""
    low, high = float(np.nanmin(tokens)) / 1.15, float(np.nanmax(tokens)) * 1.15
    axes.set_xscale("log")
    axes.set_xlim(low, high)
    powers = range(int(np.floor(np.log10(low))), int(np.ceil(np.log10(high))) + 1)
    wide = high / low > 60
    ticks = [step * 10.0**power for power in powers for step in ((1,) if wide else (1, 2, 5))]
    ticks = [tick for tick in ticks if low <= tick <= high]
    if len(ticks) < 2:
        ticks = [tick for tick in round_ticks(2).tick_values(low, high) if low <= tick <= high]
    every = -(-len(ticks) // 5)
    axes.set_xticks(ticks[::every], [short_count(float(f"{tick:.3g}")) for tick in ticks[::every]])
    axes.set_xticks([], minor=True)


def _tokens_panel(panel: Panel, kinds: Sequence[str]) -> None:
    """Draw one model in one modality: a line from the control through each kind's arms by k."""
    order = ordered(panel.rows["condition"], CONDITIONS)
    rows = panel.rows.assign(place=[order.index(name) for name in panel.rows["condition"]]).sort_values("place")
    tokens, accuracy = numbers(rows["tokens_median"]), numbers(rows["accuracy"])
    of_kind = np.array([condition_of(name).kind for name in rows["condition"]], dtype=object)
    known = ~np.isnan(tokens + accuracy) & (tokens > 0)
    for kind in kinds:
        style = ARM_LOOKS[kind]
        if kind != "none":
            line = known & ((of_kind == kind) | (of_kind == "none"))
            looks = {"color": style["color"], "linestyle": style["linestyle"], "linewidth": 0.9}
            panel.axes.plot(tokens[line], accuracy[line], **looks, zorder=2)
    for kind in kinds:
        mine = known & (of_kind == kind)
        quartiles = numbers(rows["tokens_low"])[mine], numbers(rows["tokens_high"])[mine]
        bars(panel.axes, accuracy[mine], quartiles, "x", ARM_LOOKS[kind]["color"], light=True)
        points(panel.axes, rows[mine], "accuracy", list(tokens[mine]), "y", ARM_LOOKS[kind])
    titled(panel, count_range(panel.rows["n_judged"]))
    if not known.any():
        say(panel.axes, reason(rows, "no tokens or no judged answer"), panel.width)


_TOKENS: Final = ("tokens_median", "tokens_low", "tokens_high")


def _drawable(table: pd.DataFrame) -> NDArray[np.bool_]:
    tokens = numbers(table["tokens_median"])
    return ~np.isnan(tokens + numbers(table["accuracy"])) & (tokens > 0)


@drawn(
    "model modality condition tokens_median tokens_low tokens_high accuracy low high n_judged",
    "model modality condition",
)
def figure_tokens(table: pd.DataFrame) -> Figure | str:
    """Draw judge accuracy against the tokens of a request by arm: hard negatives and random ones as a line each.

    Points are medians with the quartiles of the tokens across and the interval of the accuracy upright; lines go from
    the control by k. A panel a model and modality.
    """
    shown = _drawable(table)
    if not shown.any():
        return reason(table, "no arm has both tokens and a judged answer")
    kinds = _kinds(list(table["condition"]))
    figure, panels = grid(table, 1.15, "Tokens of a request, median and quartiles (log scale)", "Judge accuracy")
    for panel in panels:
        _tokens_panel(panel, kinds)
    for panel in panels:
        shared = panel.axes.get_shared_x_axes().get_siblings(panel.axes)
        columns = [other.rows[_drawable(other.rows)] for other in panels if other.axes in shared]
        spread = np.concatenate([numbers(rows[name]) for rows in columns for name in _TOKENS])
        if (spread > 0).any():
            _token_ticks(panel.axes, spread[spread > 0])
    same_span(panels, [_extent(panel.rows[_drawable(panel.rows)], "accuracy") for panel in panels], 4)
    legend(figure, [*_arm_entries(kinds, joined=True), *dagger(table[shown], "accuracy")])
    return figure


# --- Power ------------------------------------------------------------------------------------------------------


# The study's own size is a whole line; others take these in turn.
_DASHES: Final = ((1, 1.3), (4.5, 1.8), (7, 1.6, 1.2, 1.6), (12, 2.2), (7, 1.4, 1.2, 1.4, 1.2, 1.4), (2.4, 1))


_WIDTHS: Final = {True: 1.9, False: 0.9}


def _apart(ends: Sequence[float], least: float, ceiling: float) -> list[float]:
    """Return heights for labels near ``ends``, in the same order, ``least`` apart and under ``ceiling``."""
    order = sorted(range(len(ends)), key=lambda place: (-ends[place], place))
    heights, above = [0.0] * len(ends), ceiling + least
    for place in order:
        above = heights[place] = min(ends[place], above - least)
    return heights


def _size_name(row: Mapping[str, Any]) -> str:
    documents = "" if pd.isna(row["n_documents"]) else f", {int(row['n_documents']):,} documents"
    return ("this study: " if row["own"] else "") + f"n = {int(row['n_questions']):,}{documents}"


def _power_panel(axes: Axes, rows: pd.DataFrame, sizes: Mapping[str, bool]) -> None:
    """Draw power against gap, a line a size of study."""
    import seaborn  # two seconds, and no other figure needs it

    seaborn.lineplot(
        rows.astype({"gap": float, "power": float}),
        x="gap",
        y="power",
        style="size",
        style_order=list(sizes),
        dashes=_dashes(sizes),
        size="own",
        sizes=_WIDTHS,
        color=INK,
        estimator=None,
        legend=False,
        ax=axes,
    )
    axes.axhline(0.8, color=GREY, linewidth=0.6, zorder=1)
    axes.set(xlabel="", ylabel="", ylim=(0, 1.03))
    axes.set_yticks([0, 0.2, 0.4, 0.6, 0.8, 1])
    axes.margins(x=0)
    axes.set_xlim(left=0)


def _dashes(sizes: Mapping[str, bool]) -> dict[str, Any]:
    others = [name for name, own in sizes.items() if not own]
    return {name: "" if own else _DASHES[others.index(name) % len(_DASHES)] for name, own in sizes.items()}


def _name_lines(axes: Axes, rows: pd.DataFrame, sizes: Mapping[str, bool], narrow: bool) -> None:
    """Name each line at the height where it ends, with a piece of it, since several may end at the same."""
    last = {row["size"]: row for row in as_records(rows.sort_values("gap", kind="stable"))}
    present = [name for name in reversed(list(sizes)) if name in last]
    labels = [name.split(", ") if narrow else [name] for name in present]
    least = min(0.075 * max(len(lines) for lines in labels), 1 / len(labels))
    heights = _apart([float(last[name]["power"]) for name in present], least, 1.0 - least / 2 + 0.04)
    for name, lines, height in zip(present, labels, heights, strict=True):
        piece = {"linestyle": (0, _dashes(sizes)[name] or (1, 0)), "linewidth": _WIDTHS[sizes[name]], "color": INK}
        axes.annotate(
            "\n".join(lines),
            (1, height),
            (28, 0),
            xycoords=axes.get_yaxis_transform(),
            textcoords="offset points",
            va="center",
            fontsize=SMALL,
            fontweight="bold" if sizes[name] else "normal",
            arrowprops={"arrowstyle": "-", "relpos": (0, 0.5), "shrinkA": 2, "shrinkB": 3, **piece},
        )


@drawn("n_questions n_documents discordance gap power own", "n_questions n_documents discordance gap")
def figure_power(table: pd.DataFrame) -> Figure | str:
    """Draw power against the gap for several numbers of questions, from ``stats.power``'s curves.

    A panel a discordance, a line a size of study, named at its end; the study's own is whole and thick, and 0.8 a
    thin line across. Only discordant pairs make a gap, so lines end at the discordance, which a thin upright line marks
    where the panel reaches it; a row with a larger gap is refused.

    Raises:
        TablesError: a power stands at a gap that is larger than the discordance.
    """
    known = table[table["power"].notna() & table["gap"].notna()].sort_values("n_questions", kind="stable")
    if known.empty:
        return reason(table, "no power was computed")
    if (beyond := known["gap"].gt(known["discordance"] + 1e-9)).any():
        gap, share = known.loc[beyond, ["gap", "discordance"]].iloc[0]
        raise TablesError(
            f"figure_power: a gap of {gap:.3g} has a power at discordance {share:.3g}: drop gaps above it"
        )
    known = known.assign(own=known["own"].fillna(value=False).astype(bool))
    known = known.assign(size=[_size_name(row) for row in as_records(known)]).reset_index(drop=True)
    sizes = dict(zip(known["size"], known["own"].astype(bool), strict=True))
    discordances = sorted(known["discordance"].dropna().unique())
    figure, panels = row_of_panels(len(discordances), 2.4, DOUBLE)
    for axes, discordance in zip(panels, discordances, strict=True):
        _power_panel(axes, known[known["discordance"].eq(discordance)], sizes)
        if discordance <= known["gap"].max() + 1e-9:
            axes.axvline(discordance, color=GREY, linewidth=0.6, zorder=1)
        axes.xaxis.set_major_locator(round_ticks(8 if len(panels) == 1 else 3))
        axes.set_title(f"{100 * discordance:.3g} % of pairs discordant", fontsize=8)
    rows = known[known["discordance"].eq(discordances[-1])]
    _name_lines(panels[-1], rows, sizes, len(panels) > 1)
    panels[0].set_ylabel("Power at the 5 % level")
    label_axes(figure, panels[0], "True gap in accuracy, at most the share of discordant pairs")
    return figure
