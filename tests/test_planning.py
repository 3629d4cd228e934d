import pandas as pd
import pytest
from made_up_study import tiny

from muddle_utils import planning, stats

N = 40


def study(gap=8, loss=2, documents=None):
    """Return a frame in which random-2 is right alone on ``gap`` questions and hn-2 alone on ``loss``."""
    random = [i < gap or i >= 20 for i in range(N)]
    hard = [gap <= i < gap + loss or i >= 20 for i in range(N)]
    return tiny({"random-2": random, "hn-2": hard}, documents)


def test_gap_and_discordance_by_hand():
    (found,) = planning.observed(study())
    assert (found.contrast, found.n_questions, found.n_documents) == ("random-2 − hn-2", N, N)
    assert found.gap == pytest.approx(6 / N)
    assert found.discordance == pytest.approx(10 / N)
    assert found.icc == 0


def test_questions_of_one_document_that_go_together_raise_the_correlation():
    documents = [f"s{i // 4}.pdf" for i in range(N)]
    (found,) = planning.observed(study(documents=documents))
    gaps = [1] * 8 + [-1] * 2 + [0] * 30
    assert found.icc == stats.cluster_correlation(gaps, documents).icc > 0.5
    (one,) = planning.observed(study(documents=["one.pdf"] * N))
    assert one.icc == 0


def test_the_power_table_is_the_exact_power_at_three_sizes():
    table = planning.power_table(planning.observed(study()))
    assert table.loc[table["own"], "n_questions"].unique().tolist() == [N]
    assert set(table["n_questions"]) == {N, 270, 540}
    row = table[table["n_questions"].eq(270) & table["gap"].eq(0.04)].iloc[0]
    assert row["power"] == pytest.approx(stats.paired_power(270, 0.04, 0.25).power)
    # Beyond the discordance of the study, as many pairs are discordant as the gap needs.
    sparse = planning.power_table(planning.observed(study(gap=1, loss=0)))
    assert sparse["power"].notna().all()
    assert sparse.groupby("n_questions")["power"].apply(lambda power: power.diff().min() > -1e-9).all()


def test_what_would_settle_a_gap():
    row = planning.settling_table(planning.observed(study())).iloc[0]
    assert row["n_to_settle"] == stats.questions_to_settle(6 / N, 10 / N, questions_per_document=1).n_questions
    assert row["detectable_gap"] == pytest.approx(stats.minimal_detectable_gap(N, N, 10 / N).gap)
    even = planning.settling_table(planning.observed(study(gap=5, loss=5))).iloc[0]
    assert pd.isna(even["n_to_settle"])
    assert "0" in even["not_applicable"]


def test_without_discordant_pairs_or_arms_there_is_a_reason_and_no_number():
    same = planning.observed(study(gap=0, loss=0))
    assert planning.settling_table(same)["not_applicable"].tolist() == ["no discordant pairs"]
    assert planning.power_table(same)["not_applicable"].tolist() == ["no discordant pair between the arms"]
    none = planning.observed(tiny({"control": [True, False]}))
    assert planning.settling_table(none).empty
    assert planning.power_table(none)["not_applicable"].tolist() == ["no question was judged in both arms"]
