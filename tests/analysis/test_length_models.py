import math

import numpy as np
import pandas as pd
import pytest
from made_up_study import tiny

from muddle_utils.analysis import length_models, tables
from muddle_utils.analysis.length_models import BETWEEN_ARMS, EQUAL_TOKENS, LENGTH_ALONE

N = 60


def study(tokens=True):
    """Return a frame of 60 questions in 15 documents, longer prompts in the arms, and lengths that vary."""
    rng = np.random.default_rng(11)
    documents = [f"s{i % 15:02d}.pdf" for i in range(N)]
    chance = {"control": 0.8, "random-2": 0.75, "hn-2": 0.55}
    frame = tiny({name: (rng.random(N) < p).tolist() for name, p in chance.items()}, documents)
    size = {"control": 1000, "random-2": 3000, "hn-2": 3500}
    sizes = [round(size[name] * 2 ** rng.normal(0, 0.4)) for name in frame["condition"]]
    known = pd.array(sizes if tokens else [None] * len(frame), dtype="Int64")
    return frame.assign(tokens_in=known, tokens_least=1, tokens_estimate=pd.array(sizes, dtype="Int64") * 2)


def by_effect(frame):
    return length_models.length_effects(frame).set_index("effect")


def by_hand(frame):
    """Return constant and slope between the arms, and the slope within the question, by least squares."""
    wide = frame.pivot(index="question_id", columns="condition", values=["correct", "tokens_in"]).astype(float)
    y, x = wide["correct"], np.log(wide["tokens_in"])
    gap, length = y["random-2"] - y["hn-2"], x["random-2"] - x["hn-2"]
    slope, constant = np.polyfit(length, gap, 1)
    arms = ["control", "random-2"]
    inside = [each[arms].sub(each[arms].mean(axis=1), axis=0).to_numpy().ravel() for each in (y, x)]
    return constant, slope, float(inside[0] @ inside[1] / (inside[1] @ inside[1])), gap.mean(), length.mean()


def test_the_effects_are_least_squares_within_the_question():
    frame = study()
    constant, slope, alone, gap, length = by_hand(frame)
    found = by_effect(frame)
    assert found.loc[EQUAL_TOKENS, "difference"] == pytest.approx(100 * constant)
    assert found.loc[EQUAL_TOKENS, "unadjusted"] == pytest.approx(100 * gap)
    assert found.loc[EQUAL_TOKENS, "tokens_ratio"] == pytest.approx(math.exp(length))
    assert found.loc[BETWEEN_ARMS, "difference"] == pytest.approx(100 * slope * math.log(2))
    assert found.loc[LENGTH_ALONE, "difference"] == pytest.approx(100 * alone * math.log(2))
    assert found["n_pairs"].tolist() == [N, N, 2 * N]
    assert (found[["n_questions", "n_documents", "n_clusters"]] == [N, 15, 15]).all(axis=None)
    assert found["tokens_by"].eq("reported").all()
    assert found["low"].lt(found["difference"]).all() and found["difference"].lt(found["high"]).all()


def test_what_makes_a_source_long_falls_out():
    # Twice the tokens in all arms of some questions, which a comparison of questions with each other would see.
    frame = study()
    longer = frame["question_id"].isin(sorted(frame["question_id"])[: N // 2])
    moved = frame.assign(tokens_in=frame["tokens_in"].where(~longer, 2 * frame["tokens_in"]))
    before, after = by_effect(frame), by_effect(moved)
    for column in ("difference", "low", "high"):
        assert after[column].tolist() == pytest.approx(before[column].tolist())


def test_estimated_tokens_stand_in_for_unreported_ones_and_say_so():
    estimated, reported = by_effect(study(tokens=False)), by_effect(study())
    assert estimated["tokens_by"].eq("estimated").all()
    assert estimated["difference"].tolist() == pytest.approx(reported["difference"].tolist())


def test_a_usage_without_the_pictures_is_not_taken_for_the_size():
    frame = study().assign(tokens_least=10**6)
    tokens, tokens_by = tables.tokens_of(frame)
    assert tokens_by == "estimated"
    assert tokens.equals(frame["tokens_estimate"])


def test_an_answer_that_is_missing_takes_its_pair_along():
    frame = study()
    frame.loc[frame["condition"].eq("hn-2") & frame["question_id"].eq("q0007"), "judged"] = False
    found = by_effect(frame)
    assert found["n_pairs"].tolist() == [N - 1, N - 1, 2 * N]
    assert found["n_missing"].tolist() == [1, 1, 0]


@pytest.mark.parametrize("outcomes", [{"control": [True, False]}, {"hn-4": [None, None]}])
def test_one_condition_has_no_effects(outcomes):
    assert length_models.length_effects(tiny(outcomes)).empty


def test_what_is_not_known_is_said():
    outcomes = {"control": [True, False, True], "random-2": [True, True, False], "hn-2": [True, True, False]}
    frame = tiny(outcomes).assign(tokens_in=pd.array([None] * 9, dtype="Int64"))
    effects = length_models.length_effects(frame)
    assert effects["difference"].isna().all() and effects["tokens_by"].eq("").all()
    assert effects["not_applicable"].unique().tolist() == ["no judged answer has known tokens"]
    unjudged = length_models.length_effects(tiny({name: [None] * 3 for name in outcomes}))
    assert unjudged["not_applicable"].unique().tolist() == ["no judged answer"]
    alike = length_models.length_effects(tiny(outcomes))
    assert alike["not_applicable"].iloc[0] == "the terms do not vary apart from each other"


def test_an_arm_without_tokens_is_not_one_without_answers():
    frame = study()
    frame.loc[frame["condition"].eq("hn-2"), ["tokens_in", "tokens_estimate"]] = pd.NA
    found = by_effect(frame)
    assert found.loc[EQUAL_TOKENS, "not_applicable"] == "no pair has judged answers and known tokens"
    assert found.loc[LENGTH_ALONE, "not_applicable"] == ""
