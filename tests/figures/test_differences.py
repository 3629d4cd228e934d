import matplotlib.pyplot as plt
import pytest
from made_up_study import tiny

from muddle_utils.analysis import comparisons
from muddle_utils.figures import differences

HALF = {"random-2": [True, True, False] * 5, "hn-2": [False, True, False] * 5, "hn-4": [True] * 15}


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def texts(figure):
    return [text.get_text() for axes in figure.axes for text in axes.texts]


def test_a_line_without_an_estimate_is_left_to_the_table():
    paired = comparisons.paired(tiny(HALF | {"random-4": [None] * 15}))
    figure = differences.figure_gaps(paired)
    assert [label.get_text() for label in figure.axes[0].get_yticklabels()] == ["k = 2"]
    assert texts(figure) == []


def test_a_figure_of_nothing_but_estimates_has_nothing_to_say():
    figure = differences.figure_gaps(comparisons.paired(tiny(HALF | {"random-4": [False, True, True] * 5})))
    assert texts(figure) == []


def test_an_estimate_of_no_difference_has_its_interval_drawn():
    table = comparisons.paired(tiny({"control": [True, False] * 6, "hn-4": [True, False] * 6}))
    figure = differences.figure_paired(table)
    drawn = [collection for collection in figure.axes[0].collections if len(collection.get_paths())]
    ends = [path.get_extents().intervalx for collection in drawn for path in collection.get_paths()]
    row = table.iloc[0]
    assert any(tuple(pair) == pytest.approx((row["low"], row["high"])) for pair in ends)
