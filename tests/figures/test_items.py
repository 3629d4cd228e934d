"""Tables and figures are declared once, and shown as they are declared."""

import html
import json

import pandas as pd
import pytest
from matplotlib.figure import Figure

from muddle_utils.analysis.frames import TablesError
from muddle_utils.figures.items import ITEMS, PUBLISHED_ITEMS, SCORE_ITEMS, SECTIONS, Item, paper_items
from muddle_utils.figures.show import Show
from muddle_utils.study import Study

FRAME = pd.DataFrame({"model": ["m"], "n": [3]})
DECLARED = (
    Item("counts", "05", "asked", "How many.", "Counted {how}, {how} again."),
    Item("figure_counts", "05", "asked", "How many, drawn."),
)


@pytest.fixture
def show(tmp_path):
    return Show(Study("s", str(tmp_path / "runs"), str(tmp_path / "figures")), {"digest": "d1"}, DECLARED)


def entry(show, name):
    return json.loads((show.study.figures / "manifest.json").read_text("utf-8"))["items"][name]


@pytest.mark.parametrize("items", [ITEMS, PUBLISHED_ITEMS, SCORE_ITEMS])
def test_each_has_a_name_of_its_own_and_a_caption_that_is_a_sentence(items):
    assert len({item.name for item in items}) == len(items)
    assert all(item.caption.endswith(".") for item in items)
    assert {item.section for item in items} <= {*SECTIONS, ""}


def test_the_paper_s_items_come_in_its_order():
    assert [item.paper_item for item in paper_items("05")] == ["Table 1", "Table 2", "Table 3", "Table 4", "Figure 1"]
    assert all(item.name == item.paper_item.lower().replace(" ", "_") for item in paper_items("05"))
    assert paper_items("06") == []


def test_a_table_is_written_as_declared_and_shown_as_it_is_or_as_laid_out(show):
    assert '<td class="number">3</td>' in show("counts", FRAME, how="twice")._repr_html_()
    assert entry(show, "counts")["caption"] == "How many."
    assert entry(show, "counts")["notes"] == ["Counted twice, twice again."]
    assert entry(show, "counts")["metadata"] == {"digest": "d1"}
    layout = pd.DataFrame({"Model": ["the laid out one"]})
    shown = show("counts", FRAME, layout, how="once")
    assert "the laid out one" in shown._repr_html_() and "Counted once, once again." in repr(shown)
    assert "the laid out one" in (show.study.figures / "counts.md").read_text("utf-8")
    assert (show.study.figures / "counts.csv").read_text("utf-8") == "model,n\nm,3\n"


@pytest.mark.parametrize(
    ("frame", "said"),
    [
        (FRAME.head(0), "How many. None."),
        (pd.DataFrame({"model": [None], "not_applicable": ["one <model>"]}), "How many. Not applicable: one <model>."),
    ],
)
def test_a_table_that_holds_nothing_is_a_sentence(show, frame, said):
    shown = show("counts", frame, how="x")
    assert repr(shown) == said
    assert shown._repr_html_() == f"<p><b>How many.</b> {html.escape(said.removeprefix('How many. '))}</p>"


def test_a_long_table_sorts_and_is_plain_where_no_script_runs(show):
    hostile = "</script><script>alert(1)</script><img src=x onerror=alert(1)>"
    frame = pd.DataFrame({"n": range(1, 31), "text": [hostile, *(f"word {n}" for n in range(29))]})
    shown = show("counts", frame, how="x")
    page = shown._repr_html_()
    assert "<img" not in page and "<script>alert" not in page
    assert "word 3" in page.partition("<script")[0], "the plain table stands before any script"
    assert repr(shown).count("word") == 24
    assert "<table>" in show("counts", frame.head(25), how="x")._repr_html_()


def test_a_figure_is_written_with_its_data_and_shown(show):
    figure = Figure()
    assert show("figure_counts", FRAME, figure) is figure
    assert sorted(entry(show, "figure_counts")["files"]) == [f"figure_counts.{end}" for end in ("csv", "pdf", "png")]
    assert entry(show, "figure_counts")["caption"] == "How many, drawn."


def test_a_figure_of_nothing_is_a_sentence_and_its_last_picture_goes(show):
    show("figure_counts", FRAME, Figure())
    show("counts", FRAME, how="once")
    shown = show("figure_counts", FRAME, "Not applicable: no answer.")
    assert repr(shown) == "How many, drawn. Not applicable: no answer."
    assert sorted(path.name for path in show.study.figures.iterdir()) == [
        *(f"counts.{end}" for end in ("csv", "html", "md", "tex")),
        "manifest.json",
    ]
    assert "figure_counts" not in (show.study.figures / "manifest.json").read_text("utf-8")


def test_what_is_not_declared_is_refused_and_nothing_written(show):
    with pytest.raises(TablesError, match="no table or figure is called 'tabel'"):
        show("tabel", FRAME)
    assert not show.study.figures.exists()
