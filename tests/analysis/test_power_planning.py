import math

import numpy as np
import pandas as pd
import pytest
from made_up_study import tiny
from scipy.stats import binom

from muddle_utils import stats
from muddle_utils.analysis import power
from muddle_utils.figures import accuracy

N = 40


def study(gap=8, loss=2, documents=None):
    """Return a frame in which random-2 is right alone on ``gap`` questions and hn-2 alone on ``loss``."""
    random = [i < gap or i >= 20 for i in range(N)]
    hard = [gap <= i < gap + loss or i >= 20 for i in range(N)]
    return tiny({"random-2": random, "hn-2": hard}, documents)


def test_gap_and_discordance_by_hand():
    (found,) = power.observed(study())
    assert (found.contrast, found.n_questions, found.n_documents) == ("random-2 − hn-2", N, N)
    assert found.gap == pytest.approx(6 / N)
    assert (found.n_discordant, found.discordance) == (10, pytest.approx(10 / N))
    assert (found.size_variation, found.icc_reason) == (0, "one value a source document")
    assert math.isnan(found.icc)


def test_questions_of_one_document_that_go_together_raise_the_correlation():
    documents = [f"s{i // 4}.pdf" for i in range(N)]
    (found,) = power.observed(study(documents=documents))
    gaps = [1] * 8 + [-1] * 2 + [0] * 30
    assert found.icc == stats.cluster_correlation(gaps, documents).icc > 0.5


def opposed(n_documents=20):
    """Return a frame whose documents have two questions each, the arms right on one of them in turn: ICC -1."""
    right = [i % 2 == 0 for i in range(2 * n_documents)]
    documents = [f"s{i // 2}.pdf" for i in range(2 * n_documents)]
    return tiny({"random-2": right, "hn-2": [not each for each in right]}, documents)


# --- power ---


def test_the_power_table_is_the_exact_power_at_three_sizes():
    documents = [f"s{i % 10}.pdf" for i in range(20)] + [f"s{i // 4}.pdf" for i in range(20)]
    found = power.observed(study(documents=documents))
    table = power.power_table(found)
    assert table.loc[table["own"], "n_questions"].unique().tolist() == [N]
    assert set(table["n_questions"]) == {N, 270, 540}
    row = table[table["n_questions"].eq(270) & table["gap"].eq(0.04)].iloc[0]
    gaps = [1] * 8 + [-1] * 2 + [0] * 30
    likeness = stats.cluster_correlation(gaps, documents)
    # Five documents have six questions and five have two.
    assert row["size_variation"] == pytest.approx(2 / 4)
    taken = max(0.0, likeness.estimate)
    whole = stats.paired_power(270, 0.04, 0.25, n_documents=85, icc=taken, size_variation=0.5)
    assert (row["power"], row["design_effect"]) == (pytest.approx(whole.power), pytest.approx(whole.design_effect))


def test_documents_of_unequal_size_cost_power_where_their_questions_are_alike():
    alike = [f"s{i // 4}.pdf" for i in range(N)]
    unequal = ["s0.pdf"] * 8 + ["s2.pdf"] * 2 + [f"t{i // 15}.pdf" for i in range(30)]
    tables = [power.power_table(power.observed(study(documents=each))) for each in (alike, unequal)]
    first, second = (table[table["own"] & table["gap"].eq(0.1)].iloc[0] for table in tables)
    assert first["size_variation"] == 0 < second["size_variation"] == pytest.approx(np.std([8, 2, 15, 15]) / 10)
    expected = 1 + (10 * (1 + second["size_variation"] ** 2) - 1) * second["icc"]
    assert second["design_effect"] == pytest.approx(expected)
    assert second["power"] < first["power"]


def test_the_curve_ends_where_every_discordant_pair_favours_one_arm():
    sparse = power.power_table(power.observed(study(gap=1, loss=1, documents=[f"s{i // 4}.pdf" for i in range(N)])))
    assert sparse["discordance"].eq(2 / N).all() and sparse["n_discordant"].eq(2).all()
    beyond = sparse["gap"].gt(2 / N)
    assert sparse["power"].isna().eq(beyond).all()
    assert sparse.loc[beyond, "not_applicable"].str.contains("power: no gap is larger than the share").all()
    assert sparse[~beyond].groupby("n_questions")["gap"].max().eq(2 / N).all()
    last = sparse[sparse["gap"].eq(2 / N) & sparse["own"]].iloc[0]
    # All of D ~ Binomial(40, 1/20) in one direction: the test rejects from 6 on, 2 / 2 ** 6 < 0.05.
    assert last["power"] == pytest.approx(binom.sf(5, N, 2 / N))
    # Between two of the usual gaps there is one more, the share itself.
    three = power.power_table(power.observed(study(gap=2, loss=1)))
    assert 3 / N in three["gap"].tolist()


def test_a_figure_of_the_power_table_can_be_drawn():
    table = power.power_table(power.observed(study(documents=[f"s{i // 4}.pdf" for i in range(N)])))
    axes = accuracy.figure_power(table).axes[0]
    assert axes.get_title() + axes.get_title(loc="left") == "25 % of pairs discordant"


def test_a_likeness_that_is_unknown_leaves_no_power_but_where_none_is_needed():
    table = power.power_table(power.observed(study()))
    possible = table["gap"].le(0.25)
    # One question a document: at the own size there is nothing to be alike, at the paper's there is.
    own = table[possible & table["own"]]
    assert own["power"].notna().all() and own["icc"].isna().all()
    assert own["not_applicable"].eq("icc: one value a source document").all()
    others = table[possible & ~table["own"]]
    assert others["power"].isna().all()
    assert others["not_applicable"].unique().tolist() == [
        "icc: one value a source document; power: how alike the questions on one document are is unknown"
    ]
    one = power.power_table(power.observed(study(documents=["one.pdf"] * N)))
    assert one["power"].isna().all() and one["icc"].isna().all()
    assert one["not_applicable"].str.startswith("icc: one source document").all()


def test_a_likeness_below_0_is_missing_and_said():
    (found,) = power.observed(opposed())
    # Every document has one gap of 1 and one of -1: nothing between documents, -1 with two questions each.
    assert found.icc == pytest.approx(-1)
    table = power.power_table([found])
    assert table["icc"].isna().all() and table["design_effect"].eq(1).all()
    assert table["not_applicable"].eq("icc: estimated below 0, taken for 0").all()
    row = power.settling_table([found]).iloc[0]
    assert pd.isna(row["icc"])
    assert row["not_applicable"] == "icc: estimated below 0, taken for 0; n_to_settle: no gap to settle, it is 0"
    # Estimates are averaged as they are: with one of equal weight above 0 the mean is what both say.
    other = found._replace(icc=1.0)
    assert power.power_table([found, other])["icc"].eq(0).all()


# --- what would settle it ---


def test_what_would_settle_a_gap():
    row = power.settling_table(power.observed(study())).iloc[0]
    assert row["n_to_settle"] == stats.questions_to_settle(6 / N, 10 / N, questions_per_document=1).n_questions
    assert row["detectable_gap"] == pytest.approx(stats.minimal_detectable_gap(N, N, 10 / N).gap)
    assert row["not_applicable"] == "icc: one value a source document"
    even = power.settling_table(power.observed(study(gap=5, loss=5))).iloc[0]
    assert pd.isna(even["n_to_settle"])
    assert "n_to_settle: no gap to settle, it is 0" in even["not_applicable"]


def test_unequal_documents_ask_for_more_questions():
    found = power.observed(study(documents=["s0.pdf"] * 8 + ["s2.pdf"] * 2 + [f"t{i // 15}.pdf" for i in range(30)]))
    row = power.settling_table(found).iloc[0]
    kwargs = {"icc": row["icc"], "size_variation": row["size_variation"]}
    needed = stats.questions_to_settle(6 / N, 10 / N, questions_per_document=10, **kwargs).n_questions
    assert row["n_to_settle"] == needed > stats.questions_to_settle(6 / N, 10 / N).n_questions


def test_a_handful_of_discordant_pairs_settles_nothing():
    documents = [f"s{i // 4}.pdf" for i in range(N)]
    few, enough = (
        power.settling_table(power.observed(study(gap=gap, loss=2, documents=documents))).iloc[0] for gap in (7, 8)
    )
    assert pd.isna(few["n_to_settle"]) and few["n_discordant"] == 9
    assert "n_to_settle: too few discordant pairs, 9 where it takes 10" in few["not_applicable"]
    assert enough["n_to_settle"] > 0 and enough["n_discordant"] == 10


def test_each_missing_column_has_its_own_reason():
    row = power.settling_table(power.observed(study(gap=1, loss=0))).iloc[0]
    assert row[["icc", "detectable_gap", "n_to_settle"]].isna().all()
    icc, detectable, needed = row["not_applicable"].split("; ")
    assert icc == "icc: one value a source document"
    assert detectable.startswith("detectable_gap: even with every discordant pair in one direction the power is")
    assert needed == "n_to_settle: too few discordant pairs, 1 where it takes 10"


def test_without_discordant_pairs_or_arms_there_is_a_reason_and_no_number():
    same = power.observed(study(gap=0, loss=0))
    assert power.settling_table(same)["not_applicable"].tolist() == [
        "icc: one value a source document; detectable_gap: no discordant pairs; n_to_settle: no discordant pairs"
    ]
    assert power.power_table(same)["not_applicable"].tolist() == ["no discordant pair between the arms"]
    none = power.observed(tiny({"control": [True, False]}))
    assert power.settling_table(none).empty
    assert power.power_table(none)["not_applicable"].tolist() == ["no question was judged in both arms"]
