import json
import re

import matplotlib as mpl
import pandas as pd
import pymupdf
import pytest
from made_up_study import make_candidate, tiny
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from muddle_utils import frames, plots, tables
from muddle_utils.records import Exclusion
from muddle_utils.study import Study

N_RESAMPLES = 100


@pytest.fixture(scope="module")
def table(frame):
    return tables.table_1(frame, N_RESAMPLES)


@pytest.fixture(scope="module")
def paired(frame):
    return tables.paired(frame, N_RESAMPLES)


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
    return tables.construction_counts(rows.questions, [*bad, *good], exclusions, rows.cells, rows.frame())


@pytest.fixture
def study(tmp_path):
    return Study("test", str(tmp_path / "runs"), str(tmp_path / "figures"))


def rendered(figure):
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    return canvas.get_renderer()


def texts_of(figure):
    return [text.get_text() for axes in figure.axes for text in axes.texts if text.get_text()]


def test_figure_1_prints_the_studys_counts(counts):
    shown = " ".join(texts_of(plots.figure_1(counts)))
    for expected in (
        "60 questions kept",
        "20 source documents",
        "1,234 questions left out",
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
    lines = plots._reasons({"a": 5, "b": 4, "c": 3, "d": 2, "e": 1, "f": 1}, 4)
    assert lines == ["– 5 a", "– 4 b", "– 3 c", "– 2 d", "– 2 for 2 other reasons"]
    assert plots._reasons({"a": 5, "b": 4}, 1) == ["– 5 a", "– 4 b"], "one line would not be saved by summing it"


def test_no_text_of_figure_1_leaves_its_box_or_overlaps_another(counts):
    figure = plots.figure_1(counts)
    renderer = rendered(figure)
    axes = figure.axes[0]
    boxes = [patch.get_window_extent(renderer) for patch in axes.patches]
    extents = [text.get_window_extent(renderer) for text in axes.texts if text.get_text()]
    for extent in extents:
        holding = [box for box in boxes if box.x0 <= extent.x0 and box.y0 <= extent.y0 and box.y1 >= extent.y1]
        assert any(extent.x1 <= box.x1 for box in holding)
    for i, one in enumerate(extents):
        assert not any(one.overlaps(other) for other in extents[i + 1 :])


def test_accuracy_has_a_panel_a_modality_and_conditions_in_order(table):
    figure = plots.figure_accuracy(table)
    assert [axes.get_title().split(",")[0] for axes in figure.axes] == ["Markdown", "Image", "PDF"]
    labels = [label.get_text() for label in figure.axes[0].get_xticklabels()]
    assert labels == ["Control", "HN-2", "Random-2", "HN-4", "Random-4"]


def test_what_is_drawn_is_what_the_table_holds(table):
    figure = plots.figure_accuracy(table)
    drawn = [y for axes in figure.axes for line in axes.containers for y in line.lines[0].get_ydata()]
    assert sorted(drawn) == pytest.approx(sorted(table["accuracy"].astype(float)))


def test_models_differ_by_marker_and_not_only_by_colour():
    looks = [plots._look(place) for place in range(6)]
    assert len({look["marker"] for look in looks}) == 6


def test_paired_leaves_out_rows_without_a_difference_and_the_pair_pooling(paired):
    figure = plots.figure_paired(paired)
    labels = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert labels[:3] == ["RQ1  Random-2 − HN-2", "RQ1  Random-4 − HN-4", "RQ1  Random − HN, pooled over k = 2 and 4"]
    assert len(labels) == 3 + 6 + 3


@pytest.mark.parametrize("models", [1, 2, 6])
def test_figures_do_not_clip_or_overlap_their_texts(frame, models):
    many = pd.concat([frame.assign(model=frame["model"] + f"-{i}") for i in range(3)])
    names = list(many["model"].unique())[:models]
    some = many[many["model"].isin(names)]
    drawn = [plots.figure_accuracy(tables.table_1(some, 20)), plots.figure_paired(tables.paired(some, 20))]
    for figure in drawn:
        renderer = rendered(figure)
        for axes in figure.axes:
            for labels in (axes.get_xticklabels(), axes.get_yticklabels()):
                seen = [
                    label.get_window_extent(renderer) for label in labels if label.get_visible() and label.get_text()
                ]
                assert not any(one.overlaps(other) for i, one in enumerate(seen) for other in seen[i + 1 :])
        whole = figure.get_tightbbox(renderer)
        assert whole.x0 >= -0.01
        assert whole.y0 >= -0.01
        assert whole.x1 <= figure.get_figwidth() + 0.01
        assert whole.y1 <= figure.get_figheight() + 0.01


@pytest.mark.parametrize("outcomes", [{"control": [None, None], "hn-4": [None, None]}])
def test_nothing_to_draw_says_so(outcomes):
    frame = tiny(outcomes)
    for figure in (plots.figure_accuracy(tables.table_1(frame, 20)), plots.figure_paired(tables.paired(frame, 20))):
        assert any("not applicable" in text for text in texts_of(figure))


def test_an_estimate_without_an_interval_is_still_drawn():
    frame = tiny({"control": [True, True], "hn-4": [False, False]})
    figure = plots.figure_accuracy(tables.table_1(frame, 20))
    assert sorted(y for line in figure.axes[0].containers for y in line.lines[0].get_ydata()) == [0.0, 1.0]


def test_drawing_leaves_no_open_figure_and_no_changed_setting(table):
    before = dict(mpl.rcParams)
    plots.figure_accuracy(table)
    assert mpl.pyplot.get_fignums() == []
    assert dict(mpl.rcParams) == before


def test_a_saved_figure_has_data_pdf_png_and_an_entry(table, study):
    files = plots.save_figure("figure_2", plots.figure_accuracy(table), study, "Accuracy", table, {"seed": 42})
    assert [file.name for file in files] == ["figure_2.csv", "figure_2.pdf", "figure_2.png"]
    entry = json.loads((study.figures / "manifest.json").read_text())["items"]["figure_2"]
    assert set(entry["files"]) == {"figure_2.csv", "figure_2.pdf", "figure_2.png"}
    assert entry["metadata"] == {"seed": 42}
    with Image.open(files[2]) as picture:
        assert picture.width == round(plots.DOUBLE * 300)
        assert json.loads(picture.text["Comment"]) == {"seed": 42, "study": "test"}


def test_the_pdf_embeds_its_fonts_as_truetype_and_holds_no_date(table, study):
    path = plots.save_figure("figure_2", plots.figure_accuracy(table), study, "Accuracy", table)[1]
    with pymupdf.open(path) as document:
        fonts = document[0].get_fonts()
        assert document.metadata["creationDate"] in ("", None)
        assert document.metadata["subject"] == "Accuracy"
        assert "Judge accuracy" in document[0].get_text()
    assert fonts
    assert all(kind in ("Type0", "TrueType") and embedded == "ttf" for _, embedded, kind, *_ in fonts)


def test_saving_again_gives_identical_bytes(paired, counts, study):
    def save():
        for name, draw, data in (
            ("figure_1", plots.figure_1, counts),
            ("figure_3", plots.figure_paired, paired),
        ):
            plots.save_figure(name, draw(data), study, "Caption", data)
        return {path.name: path.read_bytes() for path in study.figures.iterdir()}

    assert save() == save()


def test_a_figure_name_that_is_no_file_name_is_refused(table, study):
    with pytest.raises(frames.TablesError, match="name ="):
        plots.save_figure("../figure", Figure(), study, "Caption", table)


def test_the_style_sheet_is_in_the_package_and_sets_print_sizes():
    text = plots.STYLE.read_text()
    assert re.search(r"^pdf.fonttype: 42$", text, re.MULTILINE)
    sizes = [
        float(size) for size in re.findall(r"^(?:font|axes|xtick|ytick|legend)\S*size: (\d+)$", text, re.MULTILINE)
    ]
    assert min(sizes) >= 7
