import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from made_up_study import tiny

from muddle_utils import stats
from muddle_utils.analysis import length_models, tables
from muddle_utils.figures import layouts

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


def test_the_models_are_those_of_stats_on_reported_tokens():
    frame = study()
    (fits,) = length_models.fit_length_models(frame)
    assert fits.tokens_by == "reported"
    given = (
        frame["correct"].astype(float),
        np.log(frame["tokens_in"].astype(float)),
        *(frame[name].tolist() for name in ("condition", "question_id", "document_id")),
    )
    gee = stats.logit_gee(*given, reference="control", contrasts=[("random-2", "hn-2")])
    table = length_models.length_effects([fits])
    row = table[table["estimator"].eq("logit GEE") & table["effect"].eq(gee.effects[0].name)].iloc[0]
    assert (row["difference"], row["low"]) == pytest.approx((gee.effects[0].estimate, gee.effects[0].low))
    assert (row["n_answers"], row["n_questions"], row["n_documents"]) == (3 * N, N, 15)
    assert set(table["estimator"]) == {"logit GEE", "linear mixed model", "least squares"}
    assert table.loc[table["low"].notna(), "method"].ne("").all()


def test_estimated_tokens_stand_in_for_unreported_ones_and_say_so():
    (fits,) = length_models.fit_length_models(study(tokens=False))
    assert fits.tokens_by == "estimated"
    (doubled,) = length_models.fit_length_models(study(tokens=True))
    # Twice the tokens everywhere is a shift of the logarithm, which the centring takes away.
    assert fits.gee.effects[0].estimate == pytest.approx(doubled.gee.effects[0].estimate, abs=1e-6)


def test_a_usage_without_the_pictures_is_not_taken_for_the_size():
    frame = study().assign(tokens_least=10**6)
    tokens, tokens_by = tables.tokens_of(frame)
    assert tokens_by == "estimated"
    assert tokens.equals(frame["tokens_estimate"])


def test_one_optimiser_is_chosen_and_all_are_listed():
    fits = length_models.fit_length_models(study())
    table = length_models.optimiser_table(fits)
    assert table["chosen"].sum() == 1
    assert len(table) >= 5
    terms = length_models.length_coefficients(fits)
    assert {"intercept", "hn-2", "log tokens"} <= set(terms["term"])


def test_a_condition_without_a_right_answer_is_said_and_not_a_coefficient():
    frame = study()
    frame.loc[frame["condition"].eq("hn-2"), "correct"] = False
    effects = length_models.length_effects(length_models.fit_length_models(frame))
    gee = effects[effects["estimator"].eq("logit GEE") & effects["effect"].eq("random-2 − hn-2")].iloc[0]
    assert pd.isna(gee["difference"])
    assert "hn-2" in gee["not_applicable"]


@pytest.mark.parametrize("outcomes", [{"control": [True, False]}, {"hn-4": [None, None]}])
def test_one_condition_makes_no_model(outcomes):
    fits = length_models.fit_length_models(tiny(outcomes))
    assert fits == []
    assert length_models.length_effects(fits).empty
    assert length_models.length_coefficients(fits).empty
    assert length_models.optimiser_table(fits).empty


def test_unknown_tokens_leave_one_true_reason_and_no_convergence():
    frame = tiny({"control": [True, False, True], "hn-2": [True, True, False]}).assign(
        tokens_in=pd.array([None] * 6, dtype="Int64")
    )
    fits = length_models.fit_length_models(frame)
    effects, coefficients = length_models.length_effects(fits), length_models.length_coefficients(fits)
    assert effects["difference"].isna().all()
    assert effects["converged"].isna().all() and effects["converged"].dtype == "boolean"
    assert effects["tokens_by"].eq("").all() and effects["notes"].eq("").all()
    for table in (effects, coefficients):
        assert table["not_applicable"].unique().tolist() == ["no judged answer has known tokens"]
    unjudged = length_models.length_effects(
        length_models.fit_length_models(tiny({"control": [None] * 3, "hn-2": [None] * 3}))
    )
    assert unjudged["not_applicable"].unique().tolist() == ["no judged answer"]


def test_a_condition_without_tokens_is_not_one_without_answers():
    frame = study()
    frame.loc[frame["condition"].eq("hn-2"), ["tokens_in", "tokens_estimate"]] = pd.NA
    fits = length_models.fit_length_models(frame)
    effects, coefficients = length_models.length_effects(fits), length_models.length_coefficients(fits)
    lacking = effects[effects["effect"].eq("random-2 − hn-2")]
    assert lacking["not_applicable"].eq("no tokens known of hn-2").all()
    assert effects["notes"].str.startswith("hn-2 is left out: no tokens known of hn-2").all()
    said = " ".join([*effects["notes"], *effects["not_applicable"], *coefficients["not_applicable"]])
    assert "no answer of" not in said
    assert effects["converged"].all()


def test_least_squares_has_no_notes_on_random_effects():
    fits = length_models.fit_length_models(study())
    (note,) = [note for note in fits[0].mixed.notes if note.startswith("on the boundary")]
    notes = length_models.length_effects(fits).drop_duplicates("estimator").set_index("estimator")["notes"]
    assert note in notes["linear mixed model"]
    assert "variance" not in notes["least squares"]
    assert fits[0].ols_notes and set(fits[0].ols_notes) < set(fits[0].mixed.notes)


def test_each_note_is_printed_once_with_what_it_is_about():
    frame = pd.concat([study().assign(model=name) for name in ("m0", "m1")], ignore_index=True)
    fits = length_models.fit_length_models(frame)
    layout = layouts.print_length_effects(fits)
    assert "Notes" not in layout.columns
    assert len(layout) == len(length_models.length_effects(fits))
    for note in fits[0].mixed.notes:
        who = "" if note in fits[0].ols_notes else "linear mixed model of "
        assert layout.attrs["notes"].count(note[1:]) == 1
        assert f"{note[1:]} ({who}every model and modality)." in layout.attrs["notes"]
    other = fits[1]._replace(mixed=replace(fits[1].mixed, notes=("only here",)))
    assert (
        "Only here (linear mixed model of m1, Markdown)."
        in layouts.print_length_effects([fits[0], other]).attrs["notes"]
    )


def test_variances_hold_what_every_processor_gives():
    fits = length_models.fit_length_models(study())
    (item, *_) = fits[0].mixed.optimisers
    moved = replace(item, residual_variance=0.123412, log_likelihood=1.5)
    again = fits[0]._replace(mixed=replace(fits[0].mixed, optimisers=(moved,)))
    row = length_models.optimiser_table([again]).iloc[0]
    assert (row["residual_variance"], row["log_likelihood"]) == (0.1234, 1.5)
    assert length_models.optimiser_table(fits)["residual_variance"].iloc[0] == pytest.approx(
        item.residual_variance, rel=5e-4
    )
    unknown = again._replace(mixed=replace(again.mixed, optimisers=(replace(item, question_variance=float("nan")),)))
    assert pd.isna(length_models.optimiser_table([unknown])["question_variance"].iloc[0])


def test_many_models_are_shared_out_and_give_the_same_numbers(monkeypatch):
    frames = [study().assign(model=f"m{place}") for place in range(2)]
    frame = pd.concat(frames, ignore_index=True)
    here = length_models.length_effects(length_models.fit_length_models(frame))
    monkeypatch.setattr(length_models, "_FEW", 1)
    there = length_models.length_effects(length_models.fit_length_models(frame))
    assert here["model"].unique().tolist() == ["m0", "m1"]
    pd.testing.assert_frame_equal(here, there)


def test_processes_get_one_thread_each_and_the_caller_keeps_its_own(monkeypatch):
    for name in length_models.THREAD_VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    context = multiprocessing.get_context("spawn")
    with length_models._one_thread_each(), ProcessPoolExecutor(1, mp_context=context) as pool:
        seen = list(pool.map(os.getenv, length_models.THREAD_VARIABLES))
    assert seen == ["1", "1", "3"]
    assert [os.getenv(name) for name in length_models.THREAD_VARIABLES] == [None, None, "3"]
