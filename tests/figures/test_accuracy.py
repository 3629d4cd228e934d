import inspect
import json
import re
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pandas as pd
import pymupdf
import pytest
from made_up_study import make_candidate, tiny
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.text import Text
from PIL import Image

from muddle_utils import figures
from muddle_utils.analysis import attribution, comparisons, failures, frames, tables
from muddle_utils.figures import accuracy as accuracy_module
from muddle_utils.figures import counts as counts_module
from muddle_utils.figures import differences, style
from muddle_utils.study.paths import Study
from muddle_utils.study.records import CONDITIONS, LIMITS, MODALITIES, Exclusion

FIVE = (
    "local/reader",
    "azure/gpt-5-mini",
    "google/gemini-3-flash-preview",
    "x_ai/grok_$beta$_^{2}",
    "通义/Ünïcode-qwen-235b-instruct-with-a-name-that-does-not-end-2507",
)
POOLED = "random − hn, pooled over k = 2 and 4"
CONTRASTS = [
    ("RQ1", "random-2 − hn-2", ""),
    ("RQ1", "random-4 − hn-4", ""),
    ("RQ1", POOLED, "question"),
    ("RQ1", f"{POOLED}, each pair once", "pairs"),
    *(("RQ2", f"control − {arm}", "") for arm in ("random-2", "random-4", "hn-2", "hn-4")),
]


# --- Made-up tables ---------------------------------------------------------------------------------------------


def numbered(rows):
    """Return rows as the package's tables hold them: nullable numbers."""
    frame = pd.DataFrame(rows)
    kinds = {"i": "Int64", "f": "Float64", "b": "boolean"}
    types = {name: kinds[kind.kind] for name, kind in frame.dtypes.items() if kind.kind in kinds}
    return frame.astype(types | {name: "Int64" for name in types if name.startswith("n_")})


def arms(models=FIVE, modalities=MODALITIES, conditions=CONDITIONS, fill=lambda i: {}):
    keys = [(m, o, c) for m in models for o in modalities for c in conditions]
    return numbered(
        [{"model": m, "modality": o, "condition": c, **fill(i)} for i, (m, o, c) in enumerate(keys)],
    )


def accuracies(*args, **kwargs):
    def fill(i):
        value = 0.75 - 0.012 * (i * 7 % 23)
        return {"accuracy": value, "low": value - 0.06, "high": value + 0.05, "n_judged": 260 + i % 11, "remark": ""}

    return arms(*args, fill=fill, **kwargs)


def token_counts(*args, **kwargs):
    table = accuracies(*args, **kwargs)
    median = table["condition"].map(dict(zip(CONDITIONS, (31e3, 75e3, 69e3, 104e3, 98e3), strict=True))).astype(float)
    return table.assign(tokens_median=median, tokens_low=0.6 * median, tokens_high=1.5 * median, not_applicable="")


def gaps(models=FIVE, modalities=MODALITIES, between=True):
    keys = [(*contrast, m, o) for m in models for o in modalities for contrast in CONTRASTS]
    pairs = [("markdown", "image"), ("markdown", "pdf"), ("image", "pdf")] if between else []
    keys += [("RQ3", f"control: {a} − {b}", "", m, f"{a}, {b}") for m in models for a, b in pairs]
    rows = []
    for i, key in enumerate(keys):
        row = dict(zip(("research_question", "contrast", "pooling", "model", "modality"), key, strict=True))
        value = 0.03 + 0.01 * (i % 5 - 2)
        row |= {"difference": value, "low": value - 0.03, "high": value + 0.03, "n_pairs": 250 + i % 20}
        rows.append(row | {"remark": "", "not_applicable": ""})
    return numbered(rows)


def sources(n=20, models=FIVE[:1], modalities=("markdown",)):
    rows = []
    for m, o, i in ((m, o, i) for m in models for o in modalities for i in range(n)):
        n_questions = 1 + i * i % 17
        row = {"contrast": POOLED, "model": m, "modality": o, "document_id": f"a_$long$_name_of_a_source_{i:03d}.pdf"}
        row |= {"document_type": "Guidebook", "n_questions": n_questions, "difference": (i % 5 - 2) / (2 * n_questions)}
        row |= {"leave_one_out": 0.035, "leave_one_out_low": 0.005, "leave_one_out_high": 0.066}
        row |= {"overall": 0.036, "overall_low": 0.006, "overall_high": 0.064, "not_applicable": ""}
        rows.append(row)
    return numbered(rows)


def flows(*args, conditions=CONDITIONS[1:], **kwargs):
    def fill(i):
        kept, lost, gained = 100 + i, i * 7 % 30, i * 3 % 11
        return {"n_pairs": 270, "kept": kept, "lost": lost, "gained": gained, "never": 270 - kept - lost - gained}

    return arms(*args, conditions=conditions, fill=fill, **kwargs)


def standings(*args, **kwargs):
    n = dict(zip(attribution.STANDS_IN, (9, 8, 7, 6, 5, 4, 3, 2, 1), strict=True))
    table = arms(*args, **kwargs)
    parts = [table.assign(stands_in=kind, n=count, n_wrong=45, share=count / 45) for kind, count in n.items()]
    return pd.concat(parts, ignore_index=True).astype({"n": "Int64", "n_wrong": "Int64", "share": "Float64"})


def limits(*args, **kwargs):
    def fill(i):
        by = {f"n_by_{limit}": (i + place) % 5 for place, limit in enumerate(LIMITS)}
        return {"n_asked": 270, "n_infeasible": sum(by.values()), "infeasible_share": sum(by.values()) / 270, **by}

    return arms(*args, fill=fill, **kwargs)


def varied(models=FIVE, modalities=MODALITIES):
    names = ["baseline", "missing counted wrong", "source at the same place in both arms of a comparison", "other runs"]
    rows = []
    for m, o, name in ((m, o, name) for m in models for o in modalities for name in names):
        row = {"research_question": "RQ1", "contrast": POOLED, "model": m, "modality": o, "variation": name}
        known = name != "other runs"
        row |= {"difference": 0.03 if known else None, "low": 0.01 if known else None, "high": 0.05 if known else None}
        why = "" if known else "one run: whether it matters takes --replicates 2 or more"
        rows.append(row | {"n_pairs": 270 if known else None, "not_applicable": why})
    return numbered(rows)


def powers(sizes=((50, 16), (114, 36), (270, 85), (540, 170), (1350, 425)), discordances=(0.106,)):
    rows = []
    for (n, documents), share in ((size, share) for size in sizes for share in discordances):
        for gap in (gap for gap in np.linspace(0, 0.1, 11) if gap <= share):
            row = {"n_questions": n, "n_documents": documents, "discordance": share, "gap": gap, "own": n == 270}
            rows.append(row | {"power": min(1.0, 0.05 + gap * n**0.5), "not_applicable": ""})
    return numbered(rows)


# Every figure, a table of its shape, and the columns of its estimates.
DRAWN = {
    "accuracy": (accuracy_module.figure_accuracy, accuracies, ("accuracy", "low", "high")),
    "tokens": (accuracy_module.figure_tokens, token_counts, ("accuracy", "low", "high")),
    "paired": (differences.figure_paired, gaps, ("difference", "low", "high")),
    "gaps": (differences.figure_gaps, gaps, ("difference", "low", "high")),
    "sensitivity": (differences.figure_sensitivity, varied, ("difference", "low", "high")),
    "flips": (counts_module.figure_flips, flows, ("n_pairs", "kept", "lost", "gained", "never")),
    "origins": (counts_module.figure_origins, standings, ("n", "n_wrong", "share")),
    "infeasible": (counts_module.figure_infeasible, limits, ("n_asked", "n_infeasible")),
    "forest": (differences.figure_forest, lambda models=FIVE, *_: sources(20, models), ("difference", "leave_one_out")),
    "power": (accuracy_module.figure_power, lambda *_: powers(), ("power",)),
}
each_figure = pytest.mark.parametrize(("draw", "table_of", "values"), DRAWN.values(), ids=DRAWN.keys())


# --- What is drawn, and where it stands -------------------------------------------------------------------------


@pytest.fixture
def texts(monkeypatch):
    """Return a function from a figure to (text, box) of every text that is really drawn, boxes in pixels."""
    seen = []
    draw = Text.draw

    def noted(self, renderer, *args, **kwargs):
        if self.get_visible() and self.get_text().strip():
            seen.append(self)
        return draw(self, renderer, *args, **kwargs)

    monkeypatch.setattr(Text, "draw", noted)

    def find(figure):
        seen.clear()
        canvas = FigureCanvasAgg(figure)
        canvas.draw()
        renderer = canvas.get_renderer()
        return [(text.get_text(), Text.get_window_extent(text, renderer)) for text in dict.fromkeys(seen)]

    return find


def faults(figure, found):
    """Return the texts that leave the figure and the pairs that overlap by more than a pixel."""
    whole = figure.bbox
    out = [
        name
        for name, box in found
        if min(box.x0, box.y0) < -0.5 or box.x1 > whole.width + 0.5 or box.y1 > whole.height + 0.5
    ]
    hits = [
        (one, other)
        for i, (one, a) in enumerate(found)
        for other, b in found[i + 1 :]
        if min(a.x1, b.x1) - max(a.x0, b.x0) > 1 and min(a.y1, b.y1) - max(a.y0, b.y0) > 1
    ]
    return out + hits


def words(found):
    return " | ".join(name.replace("\n", " ") for name, _ in found)


def estimates(figure, along):
    """Return the sorted places of all markers of a figure's panels along an axis."""
    lines = [line for axes in figure.axes for line in axes.get_lines() if line.get_marker() not in ("None", None, "")]
    caps = (mpl.lines.CARETLEFTBASE, "|", "_")
    lines = [line for line in lines if line.get_marker() not in caps and line.get_linestyle() == "None"]
    return sorted(float(value) for line in lines for value in (line.get_xdata() if along == "x" else line.get_ydata()))


def test_the_check_of_texts_finds_texts_that_overlap_and_texts_that_are_cut(texts):
    figure = Figure(figsize=(2, 1))
    for x, name in ((0.1, "one over the other"), (0.2, "other under the one"), (0.9, "cut at the end")):
        figure.text(x, 0.5, name)
    assert faults(figure, texts(figure))[0] == "cut at the end"
    assert ("one over the other", "other under the one") in faults(figure, texts(figure))


@each_figure
def test_five_models_in_three_modalities_are_drawn_without_texts_cut_or_over_each_other(draw, table_of, values, texts):
    figure = draw(table_of(FIVE, MODALITIES))
    assert not faults(figure, texts(figure))
    assert figure.get_figwidth() == pytest.approx(style.DOUBLE)
    assert figure.get_figheight() <= 9, "it has to go on a page"


@each_figure
def test_one_model_in_one_modality_is_drawn_alike_and_changes_nothing_else(draw, table_of, values, texts):
    table = table_of(("x_ai/grok_$beta$_^{2}",), ("markdown",))
    kept, before = table.copy(), dict(mpl.rcParams)
    figure = draw(table)
    pd.testing.assert_frame_equal(table, kept)
    assert mpl.pyplot.get_fignums() == []
    assert dict(mpl.rcParams) == before
    found = texts(figure)
    assert not faults(figure, found)
    assert draw == accuracy_module.figure_power or "x_ai/grok_$beta$_^{2}" in words(found), (
        "no sign of a name is markup"
    )


@each_figure
def test_a_table_without_rows_and_one_without_values_say_so(draw, table_of, values, texts):
    table = table_of(FIVE[:2], ("markdown", "pdf"))
    missing = table.assign(**{name: pd.array([pd.NA] * len(table), dtype=table[name].dtype) for name in values})
    for frame in (table.head(0), missing):
        assert re.fullmatch("Not applicable: .+[.]", draw(frame))


@each_figure
@pytest.mark.parametrize("end", ["head", "tail"])
def test_one_row_is_drawn(draw, table_of, values, end, texts):
    figure = draw(getattr(table_of(FIVE[:1], ("markdown",)), end)(1))
    # The last line of two tables has no estimate.
    assert figure.startswith("Not applicable: ") if isinstance(figure, str) else not faults(figure, texts(figure))


@each_figure
def test_a_model_that_lacks_a_modality_and_an_unknown_modality_are_drawn(draw, table_of, values, texts):
    if draw in (accuracy_module.figure_power, differences.figure_forest):
        pytest.skip("it shows one model in one modality")
    table = pd.concat([table_of(FIVE[:1], ("markdown", "pdf")), table_of(FIVE[3:4], ("markdown", "speech_$"))])
    table = table.drop_duplicates(["model", "modality", *table.columns.intersection(["condition", "contrast"])])
    figure = draw(table.reset_index(drop=True))
    found = texts(figure)
    assert not faults(figure, found)
    assert "speech_$" in words(found)


@each_figure
def test_a_table_that_lacks_a_column_is_refused(draw, table_of, values):
    with pytest.raises(frames.TablesError, match=f"{draw.__name__}: the table lacks {values[0]}"):
        draw(table_of(FIVE[:1], ("markdown",)).drop(columns=values[0]))


@each_figure
def test_a_table_with_a_row_twice_is_refused(draw, table_of, values):
    table = table_of(FIVE[:1], ("markdown",))
    with pytest.raises(frames.TablesError, match="share a key"):
        draw(pd.concat([table, table.head(1)], ignore_index=True))


def test_every_figure_is_offered_by_the_room_and_tested_here():
    offered = {name for name in figures.__all__ if name.startswith("figure_")} - {"figure_systems"}
    made = {
        name
        for module in (accuracy_module, counts_module, differences)
        for name, value in vars(module).items()
        if name.startswith("figure_") and inspect.isfunction(value)
    }
    assert offered == made == {f"figure_{name}" for name in DRAWN} | {"figure_1"}


# --- Figure 1 ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def counts(rows):
    reasons = [
        "page band: 61",
        "answer leak: q",
        "cosine over the band: 0.9",
        "token overlap: 0.6",
        "no text layer",
        "x",
        "y",
    ]
    bad = [make_candidate(f"b{i}", "bad", reason) for i, reason in enumerate(reasons * 3)]
    good = [make_candidate(f"h{i:03d}.pdf", position=1 + i % 4) for i in range(80)]
    exclusions = [Exclusion("question", f"q{i}", "a reason so long that it has to be broken", "") for i in range(1234)]
    exclusions += [Exclusion("question", f"w{i}", "W" * 40, "") for i in range(3)]
    return tables.construction_counts(rows.questions, [*bad, *good], exclusions, rows.cells, rows.frame())


def test_figure_1_prints_the_studys_counts(counts, texts):
    shown = words(texts(counts_module.figure_1(counts)))
    for expected in (
        "60 questions kept",
        "20 source documents",
        "1,237 questions left out",
        "101 candidates ranked",
        "21 not used",
        "80 in use",
        "80 documents to draw from",
        "60 HN-4: source + 4 hard negatives",
        "300 cells in all",
        "Markdown: 300 cells",
        "PDF: 60 cells",
    ):
        assert expected in shown


def test_reasons_left_out_of_the_list_are_summed():
    lines = counts_module._reasons({"a": 5, "b": 4, "c": 3, "d": 2, "e": 1, "f": 1}, 4)
    assert lines == ["– 5 a", "– 4 b", "– 3 c", "– 2 d", "– 2 for 2 other reasons"]
    assert counts_module._reasons({"a": 5, "b": 4}, 1) == ["– 5 a", "– 4 b"], (
        "one line would not be saved by summing it"
    )


def test_no_text_of_figure_1_leaves_its_box_or_overlaps_another(counts, texts):
    figure = counts_module.figure_1(counts)
    found = texts(figure)
    assert not faults(figure, found)
    boxes = [patch.get_window_extent() for patch in figure.axes[0].patches]
    for _, extent in found:
        holding = [box for box in boxes if box.x0 <= extent.x0 and box.y0 <= extent.y0 and box.y1 >= extent.y1]
        assert any(extent.x1 <= box.x1 for box in holding)


# --- Accuracy and tokens ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def table(frame):
    return tables.table_1(frame, 100)


@pytest.fixture(scope="module")
def paired(frame):
    return comparisons.paired(frame)


def test_accuracy_has_a_panel_a_modality_and_conditions_in_order(table):
    figure = accuracy_module.figure_accuracy(table)
    titles = [re.split(r",|\n", axes.get_title(loc="left"))[0] for axes in figure.axes]
    assert titles == ["Markdown", "Image", "PDF"]
    labels = [label.get_text() for label in figure.axes[0].get_xticklabels()]
    assert labels == ["Control", "HN-2", "Random-2", "HN-4", "Random-4"]


@pytest.mark.parametrize("models", [1, 5])
def test_what_is_drawn_is_what_the_table_holds(models):
    table = accuracies(FIVE[:models])
    drawn = estimates(accuracy_module.figure_accuracy(table), "y")
    assert drawn == pytest.approx(sorted(table["accuracy"].astype(float)))


def test_an_interval_is_drawn_from_its_low_to_its_high_end_also_where_the_estimate_is_outside():
    table = accuracies(FIVE[:1], ("markdown",), ("control",)).assign(accuracy=0.5, low=0.6, high=0.7)
    bars = accuracy_module.figure_accuracy(table).axes[0].containers[0].lines[2][0].get_segments()
    assert [y for _, y in bars[0]] == pytest.approx([0.6, 0.7])


def test_an_estimate_without_an_interval_is_still_drawn():
    frame = tiny({"control": [True, True], "hn-4": [False, False]})
    assert estimates(accuracy_module.figure_accuracy(tables.table_1(frame, 20)), "y") == [0.0, 1.0]


def test_rows_of_panels_have_scales_of_one_length_around_their_own_values():
    table = accuracies()
    table.loc[table["model"].eq(FIVE[4]), ["accuracy", "low", "high"]] -= 0.3
    figure = accuracy_module.figure_accuracy(table)
    ends = [axes.get_ylim() for axes in figure.axes[:15]]
    assert len({round(high - low, 6) for low, high in ends}) == 1
    assert ends[0][0] > ends[12][0]
    assert estimates(figure, "y") == pytest.approx(sorted(table["accuracy"].astype(float)))


def test_what_is_not_comparable_is_grey_open_has_a_dagger_and_a_legend_line(texts):
    table = accuracies(FIVE[:1], ("markdown",))
    table["other_route"] = table.index == 2
    table.loc[2, "remark"] = "not comparable: 3 of 270 judged answers by a-route, which shows the model something else"
    figure = accuracy_module.figure_accuracy(table)
    grey = [
        line for line in figure.axes[0].get_lines() if line.get_color() == style.GREY and len(line.get_xdata()) == 1
    ]
    assert {line.get_markerfacecolor() for line in grey if line.get_marker() == "o"} == {"white"}
    assert [name for name, _ in texts(figure)].count("†") == 1
    assert style.OTHER_ROUTE in words(texts(figure))
    assert "†" not in words(texts(accuracy_module.figure_accuracy(accuracies(FIVE[:1], ("markdown",)))))


def test_a_model_without_an_estimate_is_named_as_such(texts):
    table = gaps(FIVE[:3])
    table.loc[table["model"].eq(FIVE[1]), ["difference", "low", "high"]] = pd.NA
    assert f"{FIVE[1]} (no estimate)" in words(texts(differences.figure_gaps(table)))
    accuracy = accuracies(FIVE[:3]).assign(not_applicable="")
    accuracy.loc[accuracy["model"].eq(FIVE[1]), ["accuracy", "low", "high"]] = pd.NA
    accuracy.loc[accuracy["model"].eq(FIVE[1]), "not_applicable"] = "no answered question"
    assert "Not applicable: no answered question" in words(texts(accuracy_module.figure_accuracy(accuracy)))


def test_tokens_stand_at_their_medians_with_lines_from_the_control_by_k():
    axes = accuracy_module.figure_tokens(token_counts(FIVE[:1], ("markdown",))).axes[0]
    joined = [list(line.get_xdata()) for line in axes.get_lines() if len(line.get_xdata()) == 3]
    assert joined == [[31e3, 75e3, 104e3], [31e3, 69e3, 98e3]]
    styles = {line.get_linestyle() for line in axes.get_lines() if len(line.get_xdata()) == 3}
    assert styles == {"-", "--"}
    assert axes.get_xscale() == "log"
    assert [label.get_text() for label in axes.get_xticklabels()] == ["20k", "50k", "100k"]


@pytest.mark.parametrize(
    ("tokens", "expected"),
    [
        ([20e3, 21e3], ["20k", "22k"]),
        ([900, 3e6], ["1k", "10k", "100k", "1M"]),
        ([1e5, 1e6], ["100k", "200k", "500k", "1M"]),
        ([150.0], []),
    ],
)
def test_ticks_of_tokens_are_few_and_round(tokens, expected):
    axes = Figure().add_subplot()
    accuracy_module._token_ticks(axes, np.array(tokens))
    labels = [label.get_text() for label in axes.get_xticklabels()]
    assert len(labels) <= 5
    assert all(label in labels for label in expected)


def test_counts_are_short_on_ticks():
    assert [accuracy_module.short_count(n) for n in (500, 1500, 20e3, 1e6, 2.5e6)] == [
        "500",
        "1.5k",
        "20k",
        "1M",
        "2.5M",
    ]


# --- Differences ------------------------------------------------------------------------------------------------


def test_paired_leaves_out_rows_without_a_difference_and_the_pair_pooling(paired):
    figure = differences.figure_paired(paired)
    labels = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert labels[:3] == ["RQ1 Random-2 − HN-2", "RQ1 Random-4 − HN-4", "RQ1 Random − HN, pooled over k = 2 and 4"]
    assert len(labels) == 3 + 6 + 3


@pytest.mark.parametrize("modalities", [("markdown",), MODALITIES])
def test_paired_draws_every_difference_once(modalities):
    table = gaps(FIVE, modalities)
    drawn = table.loc[table["pooling"].ne("pairs"), "difference"]
    assert estimates(differences.figure_paired(table), "x") == pytest.approx(sorted(drawn.astype(float)))


def test_a_model_looks_the_same_whether_or_not_the_one_before_it_has_pairs():
    table = gaps(FIVE[:2], ("markdown",), between=False)
    whole = differences.figure_paired(table)
    table.loc[table["model"].eq(FIVE[0]), ["difference", "low", "high"]] = pd.NA
    looks = [
        {line.get_marker() for line in figure.axes[0].get_lines() if line.get_color() == style.look(1)["color"]}
        for figure in (whole, differences.figure_paired(table))
    ]
    assert looks[0] == looks[1]
    assert "s" in looks[0]


def test_gaps_are_k_2_k_4_and_the_shaded_headline(texts):
    figure = differences.figure_gaps(gaps(FIVE, MODALITIES))
    assert [label.get_text() for label in figure.axes[0].get_yticklabels()] == ["k = 2", "k = 4", "pooled over k"]
    bands = [patch for axes in figure.axes[:3] for patch in axes.patches]
    assert len(bands) == 3
    assert {(band.get_y(), band.get_height()) for band in bands} == {(1.5, 1.0)}
    assert len(estimates(figure, "x")) == 3 * 3 * 5
    for name in ("Markdown, n = 2", "Image, n = 2", "PDF, n = 2"):
        assert name in words(texts(figure))


def test_sensitivity_shades_the_baseline_and_leaves_out_what_has_no_estimate(texts):
    table = varied(FIVE[:1], ("markdown",))
    figure = differences.figure_sensitivity(table)
    (band,) = figure.axes[0].patches
    assert (band.get_y(), band.get_height()) == (-0.5, 1.0)
    estimated = table["difference"].notna()
    assert len(figure.axes[0].get_yticklabels()) == estimated.sum() < len(table)
    assert "not applicable" not in words(texts(figure))
    assert not differences.figure_sensitivity(varied(FIVE[:1]).query("variation != 'baseline'")).axes[0].patches


def test_sensitivity_and_forest_take_the_headline_contrast_unless_told(texts):
    table = varied(FIVE[:1], ("markdown",))
    both = pd.concat([table.assign(contrast="random-2 − hn-2"), table], ignore_index=True)
    assert "pooled over k" in words(texts(differences.figure_sensitivity(both)))
    assert "Random-2 − HN-2" in words(texts(differences.figure_sensitivity(both, "random-2 − hn-2")))
    with pytest.raises(frames.TablesError, match="contrast = 'x' is in no row; there is random-2 − hn-2, "):
        differences.figure_sensitivity(both, "x")
    forests = pd.concat([sources().assign(contrast="random-2 − hn-2"), sources()], ignore_index=True)
    assert "pooled over k" in words(texts(differences.figure_forest(forests)))


@pytest.mark.parametrize("n", [1, 100, 180])
def test_a_forest_of_any_size_has_each_source_once_and_fits_a_page(n, texts):
    table = sources(n)
    figure = differences.figure_forest(table)
    found = texts(figure)
    assert not faults(figure, found)
    assert figure.get_figheight() <= 9.2
    own = [axes for axes in figure.axes if axes.collections and len(axes.collections[0].get_offsets())]
    drawn = np.concatenate([axes.collections[0].get_offsets()[:, 0] for axes in figure.axes[::2]])
    assert len(own) >= 1
    assert list(drawn) == pytest.approx(sorted(table["difference"].astype(float), reverse=True))
    if n <= 100:
        assert sum(bool(re.search(r"\(\d+\)$", name)) for name, _ in found) == n


def test_the_area_of_a_source_is_in_proportion_to_its_questions_and_the_diamond_spans_the_interval():
    table = sources(5)
    axes = differences.figure_forest(table).axes[0]
    ordered = table.sort_values(["difference", "n_questions", "document_id"], ascending=[False, False, True])
    areas = axes.collections[0].get_sizes() / ordered["n_questions"].astype(float)
    assert areas.max() == pytest.approx(areas.min())
    (diamond,) = axes.patches
    assert sorted(set(diamond.get_xy()[:, 0])) == [0.006, 0.036, 0.064]


def test_a_forest_says_that_the_table_holds_more_and_draws_what_is_chosen(texts):
    table = sources(8, FIVE[:2], ("markdown", "pdf"))
    table.loc[table["document_id"].str.endswith("003.pdf"), "difference"] = pd.NA
    shown = words(texts(differences.figure_forest(table)))
    assert "local/reader, Markdown (one of 4 pairs of model and modality): 7 source documents" in shown
    assert "1 without a judged pair not shown" in shown
    assert "azure/gpt-5-mini, PDF" in words(texts(differences.figure_forest(table, FIVE[1], "pdf")))
    with pytest.raises(frames.TablesError, match="modality = 'image' is in no row; there is markdown, pdf"):
        differences.figure_forest(table, modality="image")


# --- Counts -----------------------------------------------------------------------------------------------------


def widths(axes):
    return [round(patch.get_width(), 9) for patch in axes.patches]


def test_flips_print_their_counts_over_their_own_parts_of_the_bar(texts):
    table = flows(FIVE[:1], ("markdown",), conditions=("hn-4",)).assign(kept=200, lost=40, gained=0, never=30)
    figure = counts_module.figure_flips(table)
    assert widths(figure.axes[0]) == pytest.approx([200 / 270, 40 / 270, 30 / 270])
    placed = {text.get_text(): text.get_position()[0] for text in figure.axes[0].texts}
    assert placed == pytest.approx({"200": 100 / 270, "40": 220 / 270, "30": 255 / 270})
    assert "n = 270" in words(texts(figure))
    # Counts that have no room above their parts stand beside each other, in the order of the parts.
    narrow = table.assign(kept=1, lost=2, gained=3, never=264)
    figure = counts_module.figure_flips(narrow)
    assert not faults(figure, texts(figure))
    assert [text.get_text() for text in sorted(figure.axes[0].texts, key=lambda one: one.get_position()[0])] == [
        *("1", "2", "3", "264")
    ]


def test_flips_of_the_real_frame_leave_the_control_out(frame):
    figure = counts_module.figure_flips(failures.flip_counts(frame))
    assert [label.get_text() for label in figure.axes[0].get_yticklabels()] == ["HN-2", "Random-2", "HN-4", "Random-4"]


def test_origins_know_every_kind_and_add_up_to_one(texts):
    untold = set(attribution.STANDS_IN) - set(counts_module.ORIGINS)
    assert untold == {"too_short_to_tell", "too_long_to_tell", "not_searched"}
    figure = counts_module.figure_origins(standings(FIVE[:1], ("markdown",), ("hn-4",)))
    assert sum(widths(figure.axes[0])) == pytest.approx(1)
    assert widths(figure.axes[0]) == pytest.approx([n / 45 for n in (9, 8, 7, 6, 5, 2, 4 + 3 + 1)])
    assert "45" in [name for name, _ in texts(figure)]


def test_parts_of_bars_differ_by_hatch_or_by_grey():
    def grey(part):
        return float(np.dot(to_rgb(part.colour), (0.299, 0.587, 0.114)))

    for parts in (counts_module.FLIPS, counts_module.ORIGINS, counts_module._LIMIT_PARTS):
        values = list(parts.values())
        for i, one in enumerate(values):
            for other in values[i + 1 :]:
                assert one.hatch != other.hatch or abs(grey(one) - grey(other)) > 0.1, (one.label, other.label)


def test_nothing_infeasible_is_said_and_not_drawn_as_an_empty_figure():
    none = limits().assign(n_infeasible=0, infeasible_share=0.0, **{f"n_by_{limit}": 0 for limit in LIMITS})
    assert counts_module.figure_infeasible(none).startswith("No request exceeds a limit: a route can carry each")


def test_infeasible_shares_are_drawn_by_limit_on_a_scale_that_shows_them(texts):
    table = limits(FIVE[:1], ("pdf",), ("hn-4",)).assign(n_asked=200, n_infeasible=3)
    table = table.assign(**{f"n_by_{limit}": n for limit, n in zip(LIMITS, (1, 0, 2, 0, 0), strict=True)})
    figure = counts_module.figure_infeasible(table)
    assert widths(figure.axes[0]) == pytest.approx([0.005, 0.01])
    assert {"0 %", "1 %", "2 %", "3"} <= {name for name, _ in texts(figure)}


# --- Power ------------------------------------------------------------------------------------------------------


def test_power_names_every_size_marks_the_studys_own_and_the_target(texts):
    figure = accuracy_module.figure_power(powers())
    axes = figure.axes[0]
    shown = words(texts(figure))
    assert "this study: n = 270, 85 documents" in shown
    assert shown.count(" documents") == 5
    curves = [line for line in axes.get_lines() if len(line.get_xdata()) == 11]
    thick = [line for line in curves if line.get_linewidth() > 1.5]
    assert len(curves) == 5
    assert [float(line.get_ydata()[5]) for line in thick] == pytest.approx([0.05 + 0.05 * 270**0.5])
    assert [line.get_ydata()[0] for line in axes.get_lines() if len(set(line.get_ydata())) == 1] == [0.8]


def test_power_has_a_panel_a_discordance(texts):
    figure = accuracy_module.figure_power(powers(discordances=(0.05, 0.106, 0.2)))
    assert not faults(figure, texts(figure))
    titles = [axes.get_title(loc="left") for axes in figure.axes[:3]]
    assert titles == ["5 % of pairs discordant", "10.6 % of pairs discordant", "20 % of pairs discordant"]


def test_power_ends_at_the_discordance_and_says_so(texts):
    figure = accuracy_module.figure_power(powers(discordances=(0.05, 0.2)))
    assert "at most the share of discordant pairs" in words(texts(figure))
    marked = [
        [float(line.get_xdata()[0]) for line in axes.get_lines() if len(set(line.get_xdata())) == 1]
        for axes in figure.axes[:2]
    ]
    assert marked == [[0.05], []], "a share that no curve reaches is not in the panel"
    beyond = powers().assign(discordance=0.055)
    with pytest.raises(frames.TablesError, match=r"a gap of 0\.06 has a power at discordance 0\.055"):
        accuracy_module.figure_power(beyond)


def test_labels_of_lines_that_end_together_are_set_apart_in_their_order():
    assert accuracy_module._apart([1.0, 1.0, 0.5], 0.1, 1.0) == pytest.approx([1.0, 0.9, 0.5])
    assert accuracy_module._apart([0.5, 0.55, 1.0], 0.1, 1.0) == pytest.approx([0.45, 0.55, 1.0])


# --- Names and looks --------------------------------------------------------------------------------------------


def test_a_name_is_broken_at_signs_and_loses_its_middle_only_where_it_must():
    assert style.fitted("azure/gpt-5-mini", 2.0) == "azure/gpt-5-mini"
    assert style.fitted("azure/gpt-5-mini", 0.65, 2) == "azure/gpt-5-\nmini"
    short = style.fitted("provider/a-very-long-name-of-a-model-2507", 1.2)
    assert short.startswith("provider/")
    assert short.endswith("-2507")
    assert "…" in short
    assert style.width_of(short) <= 1.2


def test_options_are_not_broken_and_lines_hold_their_width():
    lines = style.wrapped("it takes two judges or more, named with --judge", 1.9)
    assert any(line.endswith("--judge") for line in lines)
    assert "".join(lines).replace(" ", "") == "ittakestwojudgesormore,namedwith--judge"
    assert max(style.width_of(line) for line in style.wrapped("W" * 50, 1.0)) <= 1.0


def test_names_that_look_alike_when_shortened_are_numbered():
    long = [f"p/{'x' * 90}{i}{'y' * 90}" for i in range(3)]
    short = style.names(long, 2.0)
    assert len(set(short.values())) == 3
    assert short[long[1]].endswith("(2)")
    assert all(style.width_of(name) <= 2.0 for name in short.values())


def test_signs_that_the_font_lacks_and_line_ends_are_made_readable():
    assert style.readable("\U0010fffda\n\tb\x00 é") == "�a b� é"


def test_a_font_of_this_machine_gives_the_signs_that_the_house_s_lacks_and_what_none_has_is_said(study, monkeypatch):
    monkeypatch.setattr(style, "_FURTHER", [])
    table = accuracies(("\U0001d4d0 \U0010fffd",), ("markdown",))
    style.save_figure("figure_2", accuracy_module.figure_accuracy(table), study, "Accuracy", table, ABOUT)
    (note,) = json.loads((study.figures / "manifest.json").read_text())["items"]["figure_2"]["notes"]
    assert note == "No font on this machine has \U0010fffd: each stands as � in the figure; the data have all."
    assert len(style._FURTHER) == 1, "fonts that come with the library have the letter"


def test_twelve_models_differ_without_their_colour():
    looks = [style.look(place) for place in range(12)]
    assert len({(look["marker"], look["markerfacecolor"] == "white") for look in looks}) == 12
    assert len({look["marker"] for look in looks[:6]}) == 6


# --- Saving -----------------------------------------------------------------------------------------------------


@pytest.fixture
def study(tmp_path):
    return Study("test", str(tmp_path / "runs"), str(tmp_path / "figures"))


ABOUT = {"command": "muddle run --study test", "date": "2025-03-01", "digest": "ab12"}


def test_a_saved_figure_has_data_pdf_png_and_an_entry(table, study):
    files = style.save_figure("figure_2", accuracy_module.figure_accuracy(table), study, "Accuracy", table, ABOUT)
    assert [file.name for file in files] == ["figure_2.csv", "figure_2.pdf", "figure_2.png"]
    entry = json.loads((study.figures / "manifest.json").read_text())["items"]["figure_2"]
    assert set(entry["files"]) == {"figure_2.csv", "figure_2.pdf", "figure_2.png"}
    assert entry["metadata"] == ABOUT
    with Image.open(files[2]) as picture:
        assert picture.width == round(style.DOUBLE * 300)
        assert json.loads(picture.text["Comment"]) == {**ABOUT, "study": "test"}
        assert picture.text["Description"] == "Accuracy"
    with pymupdf.open(files[1]) as document:
        assert json.loads(document.metadata["keywords"]) == {**ABOUT, "study": "test"}
        assert document[0].rect.width == pytest.approx(style.DOUBLE * 72)


def test_the_pdf_embeds_its_fonts_as_truetype_and_holds_no_date(table, study):
    path = style.save_figure("figure_2", accuracy_module.figure_accuracy(table), study, "Accuracy − 通", table)[1]
    with pymupdf.open(path) as document:
        fonts = document[0].get_fonts()
        objects = "".join(document.xref_object(xref) for xref in range(1, document.xref_length()))
        assert document.metadata["creationDate"] in ("", None)
        assert document.metadata["subject"] == "Accuracy − 通"
        assert "Judge accuracy" in document[0].get_text()
    assert fonts
    assert all(kind in ("Type0", "TrueType") and embedded == "ttf" for _, embedded, kind, *_ in fonts)
    assert "/FontFile2" in objects
    assert "/Type3" not in objects


@pytest.mark.parametrize("name", ["tokens", "paired", "flips", "forest", "power"])
def test_saving_and_drawing_again_gives_identical_bytes(name, study):
    draw, table_of, _ = DRAWN[name]
    table = table_of(FIVE[:1], ("markdown",))

    def save():
        style.save_figure("figure", draw(table), study, "Caption", table, ABOUT)
        return {path.name: path.read_bytes() for path in study.figures.iterdir()}

    first = save()
    assert len(first) == 4
    assert save() == first


def test_a_figure_shown_or_printed_before_is_saved_the_same(table, study):
    def save(figure):
        return [path.read_bytes() for path in style.save_figure("figure", figure, study, "Caption", table)]

    first = save(accuracy_module.figure_accuracy(table))
    figure = accuracy_module.figure_accuracy(table)
    figure.savefig(Path(study.figures) / "shown.svg")
    assert save(figure) == first
    assert save(figure) == first


def test_a_figure_name_that_is_no_file_name_is_refused(table, study):
    with pytest.raises(frames.TablesError, match="name ="):
        style.save_figure("../figure", Figure(), study, "Caption", table)


def test_the_style_sheet_is_in_the_package_and_sets_print_sizes():
    text = style.STYLE.read_text()
    assert re.search(r"^pdf.fonttype: 42$", text, re.MULTILINE)
    assert re.search(r"^text.parse_math: False$", text, re.MULTILINE)
    assert [f"#{colour}" for colour in re.findall(r'"([0-9A-F]{6})"', text)] == list(style.COLOURS)
    sizes = [
        float(size) for size in re.findall(r"^(?:font|axes|xtick|ytick|legend)\S*size: (\d+)$", text, re.MULTILINE)
    ]
    assert min(sizes) >= 7
