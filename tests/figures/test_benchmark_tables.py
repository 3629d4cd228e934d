"""The tables and the figure of a scoring: sums, the published counts, and pictures from which nothing is cut."""

import json
from collections import Counter

import matplotlib.pyplot as plt
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text
from scored_rows import ABSTAINING, EMPTY, GUESSING, PERFECT, of_system, scored_row

from muddle_utils.analysis import benchmark_scores
from muddle_utils.corpus.annotation import Gold, read_gold
from muddle_utils.figures import benchmark_tables
from muddle_utils.figures.items import SCORE_ITEMS
from muddle_utils.figures.systems import figure_systems
from muddle_utils.judging.mmlongbench_v2 import scored
from muddle_utils.judging.predictions import join
from muddle_utils.runs import cli_score
from muddle_utils.study.paths import Study
from muddle_utils.study.records import Join, Prediction

FILES = (PERFECT, GUESSING, ABSTAINING, EMPTY)
COUNTED = {"gold": Gold("small", "0" * 16, False, (), ("a note",)), "judges": {"local/rules": "f" * 32}}


def frame_of(*systems):
    return benchmark_scores.scored_frame([row for name, rows in systems for row in of_system(rows, name)])


def figure_of(frame, missing="wrong"):
    makers = (benchmark_scores.scores, benchmark_scores.breakdown, benchmark_scores.between_systems)
    return figure_systems(*(benchmark_tables.first_judge(make(frame, missing)) for make in makers))


# --- Sums and published counts --------------------------------------------------------------------------------------


@pytest.mark.parametrize("rows", FILES, ids=["perfect", "guessing", "abstaining", "empty"])
def test_disjoint_facets_sum_to_all_questions_and_to_the_accuracy(rows):
    frame = frame_of(("a", rows))
    accuracy = benchmark_scores.scores(frame).set_index(["scorer", "metric"]).loc["V2", "accuracy"]["value"]
    found = benchmark_scores.breakdown(frame)
    for facet in ("stratum", "document type", "task type", "answer format", "requires visual"):
        part = found[found["facet"].eq(facet)]
        assert part["n_questions"].sum() == 5, facet
        assert (part["value"] * part["n_questions"]).sum() == pytest.approx(5 * accuracy), facet


def test_unjudged_rows_stay_in_the_sums_of_the_breakdown():
    found = benchmark_scores.breakdown(frame_of(("a", [scored_row("q1"), *GUESSING[1:]])))
    part = found[found["facet"].eq("stratum")]
    assert (part["n_questions"] + part["n_unjudged"]).sum() == 5


@pytest.fixture(scope="module")
def real(mmlongbench):
    """V2's own questions, answered with their references, without verdicts."""
    gold = read_gold("v2", str(mmlongbench), offline=True)
    rows = [
        Prediction(f"row {n}", item.document_id, item.question, item.answer)
        for n, item in enumerate(gold.questions, start=1)
    ]
    return benchmark_scores.scored_frame(scored(join("a", rows, gold), "j", {}))


def test_the_published_counts_of_charts_and_of_what_has_to_be_seen(real):
    found = benchmark_scores.interplay(real)
    counts = {(row.chart_or_figure, row.requires_visual): row.n_unjudged for row in found.itertuples()}
    assert sum(counts.values()) == 1071
    assert counts[True, False] == 231
    assert counts[False, True] == 75
    assert counts[True, True] + counts[False, True] == 314


def test_the_published_counts_of_task_types_and_strata(real):
    found = benchmark_scores.breakdown(real)
    counts = {(row.facet, row.slice): row.n_unjudged for row in found.itertuples()}
    types = {name: n for (facet, name), n in counts.items() if facet == "task type"}
    assert types == {"lookup": 487, "count": 234, "enumerate": 122, "derive": 122, "compare": 89, "verify": 17}
    assert counts["requires visual", "yes"] == 314
    strata = Counter(real["stratum"])
    assert sum(strata.values()) == 1071
    assert (
        strata["unanswerable"]
        == counts["stratum", "unanswerable"]
        == real["reference"].str[:14].eq("Not answerable").sum()
    )


# --- Tables and words -----------------------------------------------------------------------------------------------


def made_of(frame, missing="wrong"):
    joins = [Join(system, (), (), (), ()) for system in sorted(set(frame["system"]))]
    return benchmark_tables.tables_of(frame, joins, missing, n_resamples=50)


def test_every_table_and_the_figure_are_written(tmp_path):
    study = Study("s", str(tmp_path / "runs"), str(tmp_path / "figures"))
    frame = frame_of(("a|b", PERFECT), ("<i>b</i>", GUESSING))
    made = made_of(frame)
    benchmark_tables.save_all(made, study, {"revision": "r1"}, "wrong")
    names = {item.name for item in SCORE_ITEMS if item.kind == "table"}
    assert set(made) == names
    for name in names:
        for suffix in ("csv", "md", "tex", "html"):
            assert (study.figures / f"{name}.{suffix}").is_file(), name
    assert {path.suffix for path in study.figures.glob("figure_systems.*")} == {".csv", ".pdf", ".png"}
    assert "<i>" not in (study.figures / "scores.html").read_text("utf-8")
    text = (study.figures / "scores.md").read_text("utf-8")
    assert "r1" in text
    assert "\nA question without a prediction counts as wrong. least and most are the values" in text


def test_several_judges_add_their_agreement_and_the_figure_takes_the_first():
    frame = benchmark_scores.scored_frame([*of_system(PERFECT, "a", "j1"), *of_system(GUESSING, "a", "j2")])
    made = made_of(frame)
    assert made["score_judges"]["agreement"].iloc[0] == pytest.approx(2 / 5)
    assert set(benchmark_tables.first_judge(made["scores"])["judge"]) == {"j1", ""}


def test_the_summary_says_bounds_intervals_counts_and_the_rule_for_missing_ones():
    frame = frame_of(("a", [scored_row("q1"), *GUESSING[1:]]), ("b", PERFECT))
    made = made_of(frame)
    said = cli_score.summary(made, missing="wrong", **COUNTED)
    assert "a question without a prediction counts as wrong" in said
    assert "pinned" not in said, "only the benchmark's own annotations are pinned"
    assert "a note" in said
    # The one open response: 1 of 4 now, 1 to 2 of 5.
    assert "(0.200 to 0.400)" in said
    assert "by local/rules, 1 unjudged" in said
    assert "a − b by local/rules: −75.0 points" in said
    excluded = cli_score.summary(made_of(frame, "exclude"), missing="exclude", **COUNTED)
    assert "are left out" in excluded


def test_the_file_holds_only_json_numbers():
    frame = frame_of(("a", EMPTY))
    whole = json.loads(
        cli_score.written(frame, made_of(frame), [], {"revision": "r"}),
        parse_constant=lambda name: pytest.fail(name),
    )
    assert whole["n_predicted"] == {"a": 0}
    assert [row["status"] for row in whole["rows"]] == ["no prediction"] * 5


# --- The figure -----------------------------------------------------------------------------------------------------


@pytest.fixture
def seen(monkeypatch):
    """Return a function from a figure to (text, box) of every text that is drawn, boxes in pixels."""
    found = []
    draw = Text.draw

    def noted(self, renderer, *args, **kwargs):
        if self.get_visible() and self.get_text().strip():
            found.append(self)
        return draw(self, renderer, *args, **kwargs)

    monkeypatch.setattr(Text, "draw", noted)

    def texts(figure):
        found.clear()
        canvas = FigureCanvasAgg(figure)
        canvas.draw()
        renderer = canvas.get_renderer()
        return [(text.get_text(), Text.get_window_extent(text, renderer)) for text in dict.fromkeys(found)]

    yield texts
    plt.close("all")


def clipped(figure, found):
    """Return the texts that leave the figure, and pairs that overlap by more than a pixel."""
    whole = figure.bbox
    out = [
        name
        for name, box in found
        if min(box.x0, box.y0) < -0.5 or box.x1 > whole.width + 0.5 or box.y1 > whole.height + 0.5
    ]
    return out + [
        (one, other)
        for place, (one, a) in enumerate(found)
        for other, b in found[place + 1 :]
        if min(a.x1, b.x1) - max(a.x0, b.x0) > 1 and min(a.y1, b.y1) - max(a.y0, b.y0) > 1
    ]


LONG = "a-very-long-model-name/with-a-provider-and-a-date-2026-11-30-and-more"
ALL_OPEN = [scored_row(name) for name in ("q1", "q2", "q3", "q4", "q5")]
ONE_DOCUMENT = [scored_row(name, equivalent=True) for name in ("q1", "q2", "q4")]
SHOWN = {
    "one": [("a", GUESSING)],
    "two": [("a", PERFECT), ("b", GUESSING)],
    "six": [(f"system {n}", FILES[n % 3]) for n in range(6)],
    "eight": [(f"system {n}", FILES[n % 3]) for n in range(8)],
    "long names": [(f"{LONG}-{n}", FILES[n]) for n in range(3)],
    "odd names": [("模型 | <b>", PERFECT), ("$x^{2}$ 50%", GUESSING)],
    "one document": [("a", ONE_DOCUMENT), ("b", ONE_DOCUMENT)],
    "all open": [("a", ALL_OPEN)],
    "one of two open": [("a", ALL_OPEN), ("b", PERFECT)],
    "partly open": [("a", [scored_row("q1"), *GUESSING[1:]]), ("b", PERFECT)],
    "nothing said": [("a", EMPTY)],
}


@pytest.mark.parametrize("systems", SHOWN.values(), ids=SHOWN)
@pytest.mark.parametrize("missing", benchmark_scores.MISSING)
def test_no_text_is_cut_or_drawn_over_another(seen, systems, missing):
    figure = figure_of(frame_of(*systems), missing)
    if isinstance(figure, str):
        assert figure.startswith("Not applicable: no ")
        return
    found = seen(figure)
    assert found
    assert not clipped(figure, found)


def test_the_figure_names_every_system_and_every_pair(seen):
    found = " | ".join(name.replace("\n", " ") for name, _ in seen(figure_of(frame_of(*SHOWN["six"]))))
    for number in range(6):
        assert f"system {number}" in found
    for line in ("Accuracy (n = 5)", "F1", "Recall", "Precision", "Accuracy, single-page (n = 1)"):
        assert line in found
    # Six systems make fifteen pairs, each on a line of its own.
    assert found.count(" − ") == 15


def test_open_responses_are_drawn_as_what_they_could_become(seen):
    figure = figure_of(frame_of(*SHOWN["partly open"]))
    seen(figure)
    boxes = [(round(box.get_x(), 3), round(box.get_x() + box.get_width(), 3)) for box in figure.axes[0].patches]
    assert (0.2, 0.4) in boxes, "accuracy is from 1 to 2 of 5"


def test_nothing_judged_is_said_in_words():
    assert figure_of(frame_of(*SHOWN["all open"])) == "Not applicable: no response is judged."
    nothing = figure_of(frame_of(*SHOWN["nothing said"]), "exclude")
    assert nothing == "Not applicable: no question has a prediction."
