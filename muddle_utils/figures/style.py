"""How every figure looks, and the only way to a file: style sheet, widths, looks, panels, legends, ``save_figure``.

Colour never carries a meaning alone: models differ by marker and filling too, arms by marker and line, shares by
hatch, so a figure survives grey print and colour-blind eyes. Names are data: they are measured, broken and shortened to
the room there is, and no character of them is markup. The module draws no figure (see ``accuracy`` and ``counts``).
"""

from __future__ import annotations

import io
import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache, wraps
from pathlib import Path
from typing import Any, Concatenate, Final, NamedTuple, ParamSpec

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, findfont, findSystemFonts, fontManager, get_font
from matplotlib.lines import Line2D
from matplotlib.text import Text
from matplotlib.textpath import TextToPath
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from muddle_utils.analysis.frames import TablesError, ordered, refuse_duplicates
from muddle_utils.figures.writers import check_name, csv_bytes, record_in_manifest
from muddle_utils.study.labels import MODALITY_NAMES
from muddle_utils.study.paths import Study
from muddle_utils.study.records import MODALITIES
from muddle_utils.study.rows import write_atomically

STYLE: Final = Path(__file__).with_name("muddle.mplstyle")
SINGLE: Final = 3.3
DOUBLE: Final = 6.8
MARKERS: Final = ("o", "s", "^", "D", "v", "P")
COLOURS: Final = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")
INK: Final = "#333333"
GREY: Final = "#767676"
SMALL: Final = 7.0
FONT: Final = "DejaVu Sans"
# Behind words that stand in a panel, so that no grid line goes through them.
BLANK: Final = {"facecolor": "white", "edgecolor": "none", "pad": 1.0}

P = ParamSpec("P")
# What a drawing function returns where there is nothing to draw is the reason, in words.
Draw = Callable[Concatenate[pd.DataFrame, P], Figure | str]


@contextmanager
def house_style() -> Iterator[None]:
    """Draw or save with the style sheet and the fonts that names needed, whatever the session's settings are."""
    with plt.style.context(["default", STYLE, {"font.family": [FONT, *_FURTHER]}]):
        yield


def drawn(columns: str, keys: str = "") -> Callable[[Draw[P]], Draw[P]]:
    """Make a drawing function check its table, draw in the house style, and lay out and close the figure.

    Closed, a figure is shown once in a notebook, as a cell's last value. Where there is nothing to draw, the reason is
    returned in place of a figure. The table must have ``columns``, and no two
    rows of it the same ``keys``; both are names with spaces between.
    """

    def decorated(draw: Draw[P]) -> Draw[P]:
        @wraps(draw)
        def styled(table: pd.DataFrame, /, *args: P.args, **kwargs: P.kwargs) -> Figure | str:
            if missing := [name for name in columns.split() if name not in table.columns]:
                lacking = ", ".join(missing)
                raise TablesError(f"{draw.__name__}: the table lacks {lacking}: pass the one its description names")
            if keys:
                refuse_duplicates(table, keys.split(), f"rows for {draw.__name__}")
            _find_fonts(value for column in table.select_dtypes(exclude="number") for value in table[column].unique())
            with house_style():
                figure = draw(table, *args, **kwargs)
                if isinstance(figure, str):
                    return figure
                # Laid out once: it is the costly part, and screen, PDF and PNG should agree on it.
                if engine := figure.get_layout_engine():
                    engine.execute(figure)
                figure.set_layout_engine("none")
                plt.close(figure)
            return figure

        return styled

    return decorated


# --- Names ------------------------------------------------------------------------------------------------------


# Fonts of this machine that have signs which the house's font lacks, in the order in which names needed them.
_FURTHER: Final[list[str]] = []


@lru_cache(maxsize=4096)
def _glyphs(path: str) -> frozenset[int]:
    try:
        return frozenset(get_font(path).get_charmap())
    except (OSError, RuntimeError):  # a font of pictures, or damaged
        return frozenset()


def _has(mark: str) -> bool:
    # A font may have a picture for a sign that says how to print, and still it is none to print.
    fonts = (findfont(FontProperties(family=[name])) for name in (FONT, *_FURTHER))
    return mark.isprintable() and any(ord(mark) in _glyphs(font) for font in fonts)


def _find_fonts(texts: Iterable[object]) -> None:
    """Look on this machine for fonts with the signs that the house's font lacks."""
    for mark in sorted({mark for text in texts for mark in str(text) if not mark.isspace()}):
        if not _has(mark):
            _add_new_fonts()
            upright = (font for font in fontManager.ttflist if font.style == "normal" and font.weight == 400)
            # The last resort of the library has a box for everything.
            others = sorted(
                (font for font in upright if "Last Resort" not in font.name), key=lambda font: (font.name, font.fname)
            )
            _FURTHER.extend(next(([font.name] for font in others if ord(mark) in _glyphs(font.fname)), []))


@lru_cache(maxsize=1)
def _add_new_fonts() -> None:
    """Tell the library of fonts that came after it last looked: it keeps its list from one process to the next."""
    known = {font.fname for font in fontManager.ttflist}
    for path in sorted(set(findSystemFonts()) - known):
        with suppress(OSError, RuntimeError):
            fontManager.addfont(path)


def readable(text: object) -> str:
    """Return a text on one line, with � for every character that no font has."""
    return "".join(mark if _has(mark) else "�" for mark in " ".join(str(text).split()))


@lru_cache(maxsize=4096)
def _advance(mark: str, size: float) -> float:
    font = FontProperties(family=[FONT, *_FURTHER], size=size)
    return float(TextToPath().get_text_width_height_descent(mark, font, False)[0]) / 72


def width_of(text: str, size: float = SMALL) -> float:
    """Return how wide a line of text is in print, in inches, without kerning."""
    return sum(_advance(mark, size) for mark in text)


# A name or word with what may end a line behind it: a blank, or a sign after a letter, so that "--judge" stays whole.
_PART: Final = re.compile(r"[/\-_.:,]*[^\s/\-_.:,]+[/\-_.:,]*\s*|\S+\s*|\s+")


def wrapped(text: str, width: float, size: float = SMALL, indent: str = "") -> list[str]:
    """Return a text as lines of at most ``width`` inches, broken after blanks and ``/ - _ . : ,`` where possible."""
    lines = [""]
    for part in _PART.findall(text):
        if width_of((lines[-1] + part).rstrip(), size) > width and lines[-1].strip():
            lines.append(indent)
        for mark in part if width_of(part.rstrip(), size) > width else [part]:
            if width_of((lines[-1] + mark).rstrip(), size) > width and lines[-1].strip():
                lines.append(indent)
            lines[-1] += mark
    return [line.rstrip() for line in lines]


def fitted(text: object, width: float, n_lines: int = 1, size: float = SMALL) -> str:
    """Return a name in at most ``n_lines`` lines of ``width`` inches; a longer one loses its middle, not its ends."""
    name = readable(text)
    kept = name if len(name) <= 160 else f"{name[:80]}…{name[-79:]}"
    lines = wrapped(kept, width, size)
    n_kept = len(kept)
    while len(lines) > n_lines and n_kept > 3:
        n_kept -= 1
        head = (n_kept + 1) // 2
        kept = f"{name[:head].rstrip()}…{name[len(name) - (n_kept - head) :].lstrip()}"
        lines = wrapped(kept, width, size)
    return "\n".join(lines)


def names(values: Iterable[str], width: float, n_lines: int = 1, size: float = SMALL) -> dict[str, str]:
    """Return each value's ``fitted`` name; two that would look alike are numbered."""
    found: dict[str, str] = {}
    for value in dict.fromkeys(values):
        name, number = fitted(value, width, n_lines, size), 1
        while name in found.values():
            number += 1
            mark = f" ({number})"
            name = fitted(value, width - width_of(mark, size), n_lines, size) + mark
        found[value] = name
    return found


def modality_name(modality: str) -> str:
    """Return a modality as printed."""
    return MODALITY_NAMES.get(modality, readable(modality))


def count_range(counts: pd.Series[Any]) -> str:
    """Return ``n = 120`` or ``n = 57–114`` of a column of counts; empty if none is known."""
    known = counts.dropna()
    if known.empty:
        return ""
    low, high = int(known.min()), int(known.max())
    return f"n = {low:,}" if low == high else f"n = {low:,}–{high:,}"


def picked(table: pd.DataFrame, parameter: str, value: str | None) -> pd.DataFrame:
    """Return the rows whose column ``parameter`` is ``value``; None takes the first value in the table.

    Raises:
        TablesError: no row has the value; the message lists those there are.
    """
    present = ordered(table[parameter], ())
    if value is None:
        return table[table[parameter].eq(present[0])] if present else table
    if value not in present:
        raise TablesError(f"{parameter} = {value!r} is in no row; there is {', '.join(present) or 'nothing'}")
    return table[table[parameter].eq(value)]


# --- Looks ------------------------------------------------------------------------------------------------------


def look(place: int) -> dict[str, Any]:
    """Return how the ``place``-th model is drawn: colour, marker, filled or open; twelve differ without colour."""
    colour = COLOURS[place % len(COLOURS)]
    filled = (place + place // len(MARKERS)) % 2 == 0
    return {"color": colour, "marker": MARKERS[place % len(MARKERS)], "markerfacecolor": colour if filled else "white"}


ARM_LOOKS: Final[dict[str, dict[str, Any]]] = {
    "none": {"color": INK, "marker": "D", "markerfacecolor": INK, "linestyle": "-"},
    "hard_negative": {"color": "#D55E00", "marker": "o", "markerfacecolor": "#D55E00", "linestyle": "-"},
    "random": {"color": "#0072B2", "marker": "s", "markerfacecolor": "white", "linestyle": "--"},
}
ARM_NAMES: Final = {
    "none": "Control (source only)",
    "hard_negative": "+ k hard negatives",
    "random": "+ k random documents",
}


OTHER_ROUTE: Final = "† not comparable: the model was shown something else"


def incomparable(rows: pd.DataFrame) -> NDArray[np.bool_]:
    """Return which rows rest on answers by a route that shows the model something else, of shape (rows,)."""
    if "other_route" not in rows.columns:
        return np.zeros(len(rows), dtype=bool)
    return rows["other_route"].fillna(value=False).to_numpy(dtype=bool)


def numbers(column: pd.Series[Any]) -> NDArray[np.float64]:
    """Return a column as floats, missing ones as NaN."""
    return np.asarray(column.astype("Float64").to_numpy(dtype=float, na_value=float("nan")), dtype=np.float64)


def round_ticks(n: int) -> MaxNLocator:
    """Return a locator of at most ``n`` steps between round numbers."""
    return MaxNLocator(n, steps=[1, 2, 5, 10])


def bars(
    axes: Axes, place: NDArray[np.float64], ends: tuple[Any, Any], along: str, colour: str, light: bool = False
) -> None:
    """Draw intervals with ends ``(low, high)`` at ``place``; one that lacks an end is not drawn. ``light``: no caps."""
    low, high = (np.asarray(end, dtype=float) for end in ends)
    known = ~np.isnan(low + high + place)
    middle, half = (low + high)[known] / 2, np.abs(high - low)[known] / 2
    looks: dict[str, Any] = {"fmt": "none", "ecolor": colour, "elinewidth": 0.8, "capsize": 1.6, "capthick": 0.8}
    if light:
        looks |= {"elinewidth": 0.6, "capsize": 0, "alpha": 0.45}
    if along == "x":
        axes.errorbar(middle, place[known], xerr=half, **looks)
    else:
        axes.errorbar(place[known], middle, yerr=half, **looks)


def points(
    axes: Axes, rows: pd.DataFrame, value: str, places: Sequence[float], along: str, style: Mapping[str, Any]
) -> None:
    """Draw estimates with their intervals ``low`` to ``high`` ``along`` x or y, at ``places`` of the other axis.

    An estimate without an interval is a bare marker, a missing one is not drawn. One that is not comparable is grey
    and open and has a dagger.
    """
    place, centre = np.asarray(places, dtype=float), numbers(rows[value])
    low, high = numbers(rows["low"]), numbers(rows["high"])
    other, known = incomparable(rows), ~np.isnan(centre)
    look_of_others = {**style, "color": GREY, "markerfacecolor": "white"}
    for chosen, looks in ((known & ~other, style), (known & other, look_of_others)):
        if not chosen.any():
            continue
        bars(axes, place[chosen], (low[chosen], high[chosen]), along, looks["color"])
        x, y = (centre, place) if along == "x" else (place, centre)
        axes.plot(x[chosen], y[chosen], **{**looks, "linestyle": "none"}, zorder=3)
    for at, top in zip(place[known & other], np.fmax(centre, high)[known & other], strict=True):
        spot, shift = ((top, at), (2, 0)) if along == "x" else ((at, top), (0, 1))
        side: dict[str, Any] = {"ha": "left", "va": "center"} if along == "x" else {"ha": "center", "va": "bottom"}
        axes.annotate("†", spot, shift, textcoords="offset points", fontsize=SMALL, color=GREY, **side)


# --- Legends and empty figures ----------------------------------------------------------------------------------


def marks(models: Sequence[str], table: pd.DataFrame, value: str) -> list[Artist]:
    """Return the legend entries of models, in the order of their looks; one without an estimate says so."""
    known = set(table.loc[table[value].notna(), "model"])
    labels = [model if model in known else f"{model} (no estimate)" for model in models]
    return [Line2D([], [], linestyle="none", label=label, **look(place)) for place, label in enumerate(labels)]


def dagger(table: pd.DataFrame, value: str) -> list[Artist]:
    """Return the legend entry of estimates that are not comparable, if the table has such an estimate."""
    if not (incomparable(table) & ~np.isnan(numbers(table[value]))).any():
        return []
    return [Line2D([], [], linestyle="none", marker="o", color=GREY, markerfacecolor="white", label=OTHER_ROUTE)]


def legend(figure: Figure, entries: Sequence[Artist]) -> None:
    """Set a legend below the figure in as many columns as fit, and make the figure so much higher."""
    if not entries:
        return
    width = figure.get_figwidth() - 0.4
    labels = names([str(entry.get_label()) for entry in entries], width - 0.4, 2)
    widest = max(max(width_of(line) for line in label.split("\n")) for label in labels.values())
    fitting = max(1, int(width / (widest + 0.36)))
    n_rows = math.ceil(len(entries) / fitting)
    n_broken = sum("\n" in label for label in labels.values())
    figure.set_figheight(figure.get_figheight() + 0.08 + 0.145 * (n_rows + n_broken))
    texts = [labels[str(entry.get_label())] for entry in entries]
    figure.legend(entries, texts, loc="outside lower center", ncols=math.ceil(len(entries) / n_rows))


def say(axes: Axes, message: str, width: float = 2.2) -> None:
    """Write a message into a panel instead of marks; ``width`` is the room for it in inches."""
    text = "\n".join(wrapped(readable(message), width))
    axes.text(
        0.5, 0.5, text, ha="center", va="center", transform=axes.transAxes, color=GREY, fontsize=SMALL, bbox=BLANK
    )


def reason(table: pd.DataFrame, otherwise: str) -> str:
    """Return ``Not applicable: `` and the reason that the rows give, if it is one, or else ``otherwise``."""
    given = set(table["not_applicable"].dropna()) - {""} if "not_applicable" in table.columns else set()
    return f"Not applicable: {given.pop() if len(given) == 1 else otherwise}."


# --- Panels -----------------------------------------------------------------------------------------------------


class Panel(NamedTuple):
    """A panel of a grid: where to draw, what, what its title begins with, and its place in the grid.

    ``more`` goes into the title's second line where there is no room in the first, ``width`` is about the panel's
    width in inches, ``row`` its row from the top.
    """

    axes: Axes
    rows: pd.DataFrame
    model: str
    modality: str
    title: str
    more: str
    width: float
    row: int


def _columns(n: int) -> int:
    return {1: 1, 2: 2, 4: 2}.get(n, 3)


def grid(
    table: pd.DataFrame,
    height: float,
    x_label: str,
    y_label: str = "",
    ratios: Mapping[str, float] | None = None,
    absent: str = "not asked",
) -> tuple[Figure, list[Panel]]:
    """Return a figure with a panel of ``height`` inches for each model and modality, and the panels that have rows.

    Models are rows, named at the right, and modalities columns; with one modality the models go on from row to row.
    The x axis is shared in a column, the y axis in a row. A model that was not asked in a modality has a panel that
    says ``absent``. ``ratios`` are relative widths by modality.
    """
    models, modalities = ordered(table["model"], ()), ordered(table["modality"], MODALITIES)
    crossed = len(modalities) > 1
    n_columns = len(modalities) if crossed else _columns(len(models))
    n_rows = len(models) if crossed else math.ceil(len(models) / n_columns)
    shares = [(ratios or {}).get(name, 1.0) for name in modalities] if crossed else [1.0] * n_columns
    width = SINGLE if n_columns == 1 else DOUBLE
    beneath = fitted(x_label, width - 0.9, 2, 8.0)
    titles = 0.15 if not crossed and n_columns > 1 else 0
    size = (width, n_rows * (height + titles) + 0.45 + 0.13 * beneath.count("\n"))
    figure, axes = plt.subplots(
        n_rows,
        n_columns,
        figsize=size,
        sharex="col",
        sharey="row",
        squeeze=False,
        width_ratios=shares,
        layout="constrained",
    )
    inner = width - 0.7 - (0.95 if crossed else 0)
    asked = [(model, modality) for model in models for modality in modalities]
    places = [(*divmod(at, n_columns), *pair) for at, pair in enumerate(asked)]
    panels = []
    for row, column, model, modality in places:
        rows = table[table["model"].eq(model) & table["modality"].eq(modality)].reset_index(drop=True)
        named = modality_name(modality)
        title, more = (named if row == 0 else "", "") if crossed else (readable(model), named)
        room = inner * shares[column] / sum(shares)
        panel = Panel(axes[row][column], rows, model, modality, title, more, room, row)
        if rows.empty:
            titled(panel, "")
            _not_drawn(panel.axes, absent, room)
        else:
            panels.append(panel)
    if crossed:
        _name_rows(axes[:, -1], models)
    for unused in axes.ravel()[len(places) :]:
        unused.set_axis_off()
    for above in axes[:-1].ravel()[len(places) - n_columns :] if len(places) < axes.size else []:
        above.tick_params(labelbottom=True)
    label_axes(figure, axes[0][0], beneath, y_label)
    return figure, panels


def _name_rows(last: NDArray[Any], models: Sequence[str]) -> None:
    labels = names(models, 0.9, 3)
    for axes, model in zip(last, models, strict=True):
        axes.annotate(
            labels[model],
            (1, 0.5),
            (5, 0),
            xycoords="axes fraction",
            textcoords="offset points",
            va="center",
            fontsize=SMALL,
            fontweight="bold",
        )


def label_axes(figure: Figure, axes: Axes, x_label: str, y_label: str = "") -> None:
    """Label the axes of all panels of the grid that ``axes`` stands in once, by an empty panel that spans them."""
    spec = axes.get_gridspec()
    if spec is None:
        raise ValueError("axes: they must stand in a grid")
    whole = figure.add_subplot(spec[:, :], frameon=False, label="labels")
    whole.set_xticks([])
    whole.set_yticks([])
    whole.grid(visible=False)
    whole.set_zorder(-1)
    whole.set_xlabel(fitted(x_label, figure.get_figwidth() - 0.9, 2, 8.0), labelpad=15)
    whole.set_ylabel(y_label, labelpad=25)


def titled(panel: Panel, counts: str) -> None:
    """Set a panel's title: what it shows and its counts, on one line if there is room, or else on two."""
    more = ", ".join(part for part in (panel.more, counts) if part)
    line = ", ".join(part for part in (panel.title, more) if part)
    if width_of(line, 8.0) > panel.width and panel.title and more:
        line = f"{fitted(panel.title, panel.width, 1, 8.0)}\n{fitted(more, panel.width, 1, 8.0)}"
    panel.axes.set_title(line, fontsize=8)


def _not_drawn(axes: Axes, message: str, width: float) -> None:
    """Make a panel without rows a blank with a message; its tick labels stay for the panels that share them."""
    axes.spines[:].set_visible(False)
    axes.tick_params(color="none")
    axes.grid(visible=False)
    say(axes, message, width)


def same_span(panels: Sequence[Panel], ends: Sequence[tuple[float, float]], n_ticks: int) -> None:
    """Give each row of panels a y range within 0 to 1 around its data, all of one length, so that differences compare.

    ``ends`` are the lowest and highest value to show in each panel, NaN where it has none. A range is 0.1 at least.
    """
    by_row: dict[int, list[tuple[float, float]]] = {}
    for panel, pair in zip(panels, ends, strict=True):
        if not math.isnan(sum(pair)):
            by_row.setdefault(panel.row, []).append(pair)
    ranges = {row: (min(low for low, _ in pairs), max(high for _, high in pairs)) for row, pairs in by_row.items()}
    span = min(1.08, max([0.1, *((high - low) * 1.2 for low, high in ranges.values())]))
    for panel in panels:
        panel.axes.yaxis.set_major_locator(round_ticks(n_ticks))
        panel.axes.set_ylim(0, 1)
        if panel.row in ranges:
            middle = sum(ranges[panel.row]) / 2
            bottom = max(-0.04, min(middle - span / 2, 1.04 - span))
            panel.axes.set_ylim(bottom, bottom + span)


def row_of_panels(n: int, height: float, width: float) -> tuple[Figure, list[Axes]]:
    """Return a figure with a row of ``n`` panels that share both axes."""
    figure, axes = plt.subplots(
        1, n, figsize=(width, height), sharex=True, sharey=True, squeeze=False, layout="constrained"
    )
    return figure, list(axes[0])


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

    Both pictures carry the study, caption and metadata (PDF: subject and keywords, PNG: text chunks); neither carries
    a time, so the same data gives the same bytes. The entry notes which signs no font here has.

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
            # A PDF stands in a paper; a PNG goes about alone, and says in its margin of which study it is.
            named = figure.text(0.999, 0.01, fitted(study.name, 1.2, 1, 5), fontsize=5, color=GREY, rotation=90)
            named.set(ha="right", va="bottom", visible=suffix == "png")
            figure.savefig(buffer, format=suffix, metadata=tag)
            named.remove()
        files.append(write_atomically(study.figures / f"{name}.{suffix}", buffer.getvalue()))
    record_in_manifest(name, study, caption, _lacking(figure, data), files, metadata or {})
    return files


def _lacking(figure: Figure, data: pd.DataFrame) -> list[str]:
    """Return a note on the signs of the data that stand as � in a figure, if there are any."""
    if not any("�" in text.get_text() for text in figure.findobj(Text)):
        return []
    texts = (str(value) for column in data.select_dtypes(exclude="number") for value in data[column].unique())
    lacking = sorted({mark for text in texts for mark in text if not mark.isspace() and not _has(mark)})
    return [f"No font on this machine has {' '.join(lacking)}: each stands as � in the figure; the data have all."]
