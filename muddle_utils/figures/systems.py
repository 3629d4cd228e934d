"""The figure of scored systems: each system's V2 scores and slices, and beside them the paired differences."""

from __future__ import annotations

import string
from collections.abc import Sequence
from typing import Any, Final

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from muddle_utils.analysis.frames import as_records, ordered
from muddle_utils.figures.style import (
    INK,
    count_range,
    drawn,
    fitted,
    legend,
    look,
    marks,
    names,
    numbers,
    points,
    readable,
    reason,
    round_ticks,
    width_of,
)
from muddle_utils.study.records import STRATA

WIDTH: Final = 4.6
# Inches for the name of a pair of systems.
ROOM: Final = 1.9
_LINES: Final = {"accuracy": "Accuracy", "f1": "F1", "recall": "Recall", "precision": "Precision"}


def _score_lines(scores: pd.DataFrame, breakdown: pd.DataFrame) -> pd.DataFrame:
    """Return one row for each system and line of the left panel: V2's metrics, then accuracy by stratum."""
    metrics = scores[scores["scorer"].eq("V2")]
    metrics = metrics.assign(line=metrics["metric"].map(_LINES), order=metrics["metric"].map(list(_LINES).index))
    strata = breakdown[breakdown["facet"].eq("stratum")]
    place = strata["slice"].map(list(STRATA).index) + len(_LINES)
    strata = strata.assign(line="Accuracy, " + strata["slice"], order=place)
    shared = ["system", "judge", "line", "order", "value", "low", "high", "least", "most", "n_questions"]
    both = pd.concat([metrics[shared], strata[shared]], ignore_index=True)
    counts = both.groupby("line", sort=False)["n_questions"].transform(lambda column: f" ({count_range(column)})")
    return both.assign(line=both["line"] + counts, model=both["system"])


def _ruled(axes: Axes, lines: Sequence[str]) -> None:
    axes.set_yticks(range(len(lines)), list(lines))
    axes.set_ylim(len(lines) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    axes.grid(visible=True, axis="x")
    axes.grid(visible=False, axis="y")


def _open(axes: Axes, rows: pd.DataFrame, y: Sequence[float], height: float) -> None:
    """Draw a light box from the least to the most that a value can become, where responses are unjudged."""
    for row, at in zip(as_records(rows), y, strict=True):
        if not pd.isna(row["least"]) and not pd.isna(row["most"]) and row["most"] > row["least"]:
            box = (float(row["least"]), at - height / 2)
            axes.add_patch(Rectangle(box, float(row["most"]) - box[0], height, color="#DDDDDD", zorder=0))


def _scores_panel(axes: Axes, rows: pd.DataFrame, systems: Sequence[str]) -> None:
    judge = fitted(next(iter(rows["judge"])), ROOM)
    lines = list(dict.fromkeys(rows.sort_values("order", kind="stable")["line"]))
    step = 0.7 / len(systems)
    for place, system in enumerate(systems):
        mine = rows[rows["system"].eq(system)]
        y = [lines.index(line) + (place - (len(systems) - 1) / 2) * step for line in mine["line"]]
        points(axes, mine, "value", y, "x", look(place))
        _open(axes, mine, y, step)
    _ruled(axes, lines)
    axes.set_xlim(-0.02, 1.02)
    axes.xaxis.set_major_locator(round_ticks(5))
    axes.set_xlabel(f"Share right by {judge}, with 95 % intervals over documents", loc="right")


def _differences_panel(axes: Axes, rows: pd.DataFrame) -> None:
    pairs = rows["first"] + " − " + rows["second"]
    short = names(pairs, ROOM, 2)
    lines = [f"{short[pair]} (n = {n:,})" for pair, n in zip(pairs, rows["n_questions"], strict=True)]
    points(axes, rows, "difference", range(len(rows)), "x", {**look(0), "color": INK, "markerfacecolor": INK})
    axes.axvline(0, color=INK, linewidth=0.8, zorder=1)
    _ruled(axes, lines)
    axes.xaxis.set_major_locator(round_ticks(6))
    axes.set_xlabel("Paired difference in accuracy: right of 0 the first is better", loc="right")


def _letters(systems: Sequence[str], pairs: pd.DataFrame) -> dict[str, str]:
    """Return a letter for each system if the name of some pair has no room, else nothing."""
    wide = any(
        width_of(readable(f"{first} − {second}")) > ROOM
        for first, second in zip(pairs["first"], pairs["second"], strict=True)
    )
    return dict(zip(systems, string.ascii_uppercase, strict=False)) if wide and len(systems) <= 26 else {}


@drawn("system judge scorer metric value low high n_questions", "system judge scorer metric")
def figure_systems(scores: pd.DataFrame, breakdown: pd.DataFrame, between: pd.DataFrame) -> Figure | str:
    """Draw V2's scores of each system by one judge, accuracy by stratum, and the paired differences of systems.

    A marker a system, with its 95 % interval over documents; a grey box reaches from the least to the most that a value
    can become where responses are unjudged. In the lower panel, right of zero the first system is better; where a
    pair's name has no room, the letters of the legend stand for the systems.

    Args:
        scores: as ``benchmark_scores.scores`` returns it, of one judge.
        breakdown: as ``benchmark_scores.breakdown`` returns it, of the same judge.
        between: as ``benchmark_scores.between_systems`` returns it, of the same judge.
    """
    if scores.empty:
        return "Not applicable: no question has a prediction."
    systems = ordered(scores["system"], ())
    rows = _score_lines(scores, breakdown)
    if not numbers(rows["value"]).size or rows["value"].isna().all():
        accuracy = scores[scores["scorer"].eq("V2") & scores["metric"].eq("accuracy")]
        return reason(accuracy, "no response is judged")
    pairs = between[between["difference"].notna()].reset_index(drop=True)
    letters = _letters(systems, pairs)
    pairs = pairs.replace({"first": letters, "second": letters})
    tall = rows["line"].nunique() * (0.15 + 0.07 * len(systems))
    if pairs.empty:
        figure, axes = plt.subplots(figsize=(WIDTH, 0.5 + tall), layout="constrained")
        _scores_panel(axes, rows, systems)
    else:
        low = 0.1 + 0.28 * len(pairs)
        panels: Any
        figure, panels = plt.subplots(
            2, 1, figsize=(WIDTH, 1.0 + tall + low), layout="constrained", height_ratios=(tall, low)
        )
        _scores_panel(panels[0], rows, systems)
        _differences_panel(panels[1], pairs)
    labels = {system: f"{letters[system]}: {system}" if letters else system for system in systems}
    legend(figure, marks(list(labels.values()), rows.assign(model=rows["system"].map(labels)), "value"))
    return figure
