import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from made_up_study import MODELS, Rows, make_response, make_verdict, tiny
from test_frames import write_study

from muddle_utils import stats
from muddle_utils.analysis import answers, frames, published, reliability, tables
from muddle_utils.figures import layouts, writers
from muddle_utils.stats import agreement
from muddle_utils.study.paths import Study
from muddle_utils.study.records import Request
from muddle_utils.study.rows import write_rows
from muddle_utils.study.store import Store

JUDGES = ["a", "b", "c"]
N_RESAMPLES = 200
T, F, N = True, False, None
# By answer: all right, one against two, all wrong, a tie, two of two, a tie, judged by nobody.
VERDICTS = {"a": [T, T, F, F, T, N, N], "b": [T, F, F, T, T, T, N], "c": [T, F, F, N, N, F, N]}


def made_ratings(verdicts=VERDICTS, documents=("d0", "d0", "d1", "d1", "d2", "d2", "d2"), condition="control"):
    n = len(documents)
    texts = {
        "cell_id": [f"q{i}|{condition}" for i in range(n)],
        "question_id": [f"q{i}" for i in range(n)],
        "document_id": list(documents),
        "cluster": list(documents),
        "model": ["m"] * n,
        "modality": ["markdown"] * n,
        "condition": [condition] * n,
        "question": [f"How many in {i}?" for i in range(n)],
        "reference": ["42"] * n,
        "text": [f"answer {i}" for i in range(n)],
    }
    frame = pd.DataFrame({**texts, **verdicts})
    return frame.astype(dict.fromkeys(texts, "str") | dict.fromkeys(verdicts, "boolean"))


def agreed(ratings=None, judges=JUDGES, seed=1):
    ratings = made_ratings() if ratings is None else ratings
    return reliability.judge_agreement(ratings, judges, np.random.default_rng(seed), N_RESAMPLES).set_index("judges")


# --- agreement ---


@pytest.mark.parametrize(
    ("pair", "n", "n_missing", "alike", "kappa"),
    [
        # a and b: answers 0 to 4, alike on 0, 2, 4; right 3 and 3: p_e = (9 + 4) / 25.
        ("a, b", 5, 2, 3 / 5, 1 / 6),
        # a and c: answers 0 to 2, alike on 0, 2; right 2 and 1: p_e = (2 + 2) / 9.
        ("a, c", 3, 4, 2 / 3, 2 / 5),
        # b and c: answers 0 to 2 and 5, alike on 0 to 2; right 2 and 1: p_e = (2 + 6) / 16.
        ("b, c", 4, 3, 3 / 4, 1 / 2),
    ],
)
def test_pairs_by_hand(pair, n, n_missing, alike, kappa):
    row = agreed().loc[pair]
    assert (row["n"], row["n_missing"], row["coefficient"]) == (n, n_missing, "Cohen's kappa")
    assert row["agreement"] == pytest.approx(alike)
    assert row["value"] == pytest.approx(kappa)
    z = 1.959963984540054
    middle = (alike + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z / (1 + z**2 / n) * math.sqrt(alike * (1 - alike) / n + z**2 / (4 * n**2))
    assert (row["agreement_low"], row["agreement_high"]) == pytest.approx((middle - half, middle + half))


def test_all_judges_by_hand():
    # Six answers with two verdicts or more: 8 right, 7 wrong, coincidences alike 5 + 4.
    # D_o = (15 - 9) / 15, D_e = (225 - 64 - 49) / 210, alpha = 1 - 3/4.
    row = agreed().loc["all 3"]
    assert (row["n"], row["n_missing"], row["coefficient"]) == (6, 1, "Krippendorff's alpha")
    assert row["value"] == pytest.approx(1 / 4)
    assert row["agreement"] == pytest.approx(9 / 15)
    assert pd.isna(row["agreement_low"])


def test_intervals_resample_documents():
    documents = [f"d{i % 10}" for i in range(60)]
    luck = np.random.default_rng(3)
    verdicts = {name: list(luck.random(60) < 0.6) for name in ("a", "b")}
    ratings = made_ratings(verdicts, documents)
    table = agreed(ratings, ["a", "b"])
    rng = np.random.default_rng(1)
    kappa = agreement.cohen_kappa(verdicts["a"], verdicts["b"], documents, rng, N_RESAMPLES).cluster_interval
    alpha = agreement.krippendorff_alpha(list(verdicts.values()), rng, documents, N_RESAMPLES).interval
    assert table["low"].tolist() == [kappa.low, alpha.low]
    assert table["high"].tolist() == [kappa.high, alpha.high]
    assert (table["low"] < table["value"]).all() and (table["value"] < table["high"]).all()
    assert table["method"].str.contains("source documents, 200 resamples, seed 1").all()
    one = agreed(ratings.assign(document_id="d0", cluster="d0"), ["a", "b"])
    assert one["low"].isna().all()
    assert one["not_applicable"].str.startswith("interval: one source document").all()


def test_the_order_of_judges_changes_no_coefficient():
    table, other = agreed(), agreed(judges=JUDGES[::-1])
    assert other.loc["all 3", "value"] == pytest.approx(table.loc["all 3", "value"])
    assert other.loc["b, a", "value"] == pytest.approx(table.loc["a, b", "value"])
    assert agreed(judges=["a", "b", "a"]).index.tolist() == ["a, b", "all 2"]


@pytest.mark.parametrize(
    ("verdicts", "reason", "share"),
    [
        ({"a": [T, T], "b": [T, T]}, "both judges gave every item the same category", 1.0),
        ({"a": [T, N], "b": [N, F]}, "no item was judged by both", None),
    ],
)
def test_a_coefficient_that_is_undefined_is_missing_with_its_reason(verdicts, reason, share):
    row = agreed(made_ratings(verdicts, ["d0", "d1"]), ["a", "b"]).iloc[0]
    assert row["not_applicable"].startswith(reason)
    assert row[["value", "low", "high"]].isna().all()
    assert row["agreement"] == share if share else pd.isna(row["agreement"])


@pytest.mark.parametrize(("judges", "said"), [(["a"], "one judge"), (["a", "a"], "one judge"), ([], "no judge")])
def test_one_judge_or_none_gives_one_row_that_says_so(judges, said):
    for table in (agreed(judges=judges).reset_index(), reliability.disagreements(made_ratings(), judges)):
        assert len(table) == 1
        assert table["not_applicable"].iloc[0].startswith(said)
        assert "nan" not in " ".join(writers.printed(table).iloc[0]).lower()
    assert len(reliability.judge_accuracy(made_ratings(), judges)) == len(set(judges))


def test_no_answer_at_all():
    nothing = made_ratings().head(0)
    assert agreed(nothing)["not_applicable"].ne("").all()
    assert agreed(nothing)["n"].eq(0).all()
    assert reliability.judge_accuracy(nothing, JUDGES).empty
    assert reliability.disagreements(nothing, JUDGES)["not_applicable"].tolist() == ["the judges differ on no answer"]


# --- accuracy and disagreements ---


def test_accuracy_by_judge_and_by_strict_majority():
    table = reliability.judge_accuracy(made_ratings(), JUDGES).set_index("judged_by")
    assert table["accuracy"].to_dict() == pytest.approx({"a": 3 / 5, "b": 4 / 6, "c": 1 / 4, "majority": 2 / 4})
    assert table["n_judged"].to_dict() == {"a": 5, "b": 6, "c": 4, "majority": 4}
    assert table["n_undecided"].to_dict() == {"a": 0, "b": 0, "c": 0, "majority": 2}
    assert table["n_answered"].eq(7).all()
    assert table["not_applicable"].eq("").all()


def test_accuracy_is_apart_for_each_condition_and_missing_where_nothing_is_decided():
    tied = made_ratings({"a": [T, F], "b": [F, T], "c": [N, N]}, ["d0", "d1"], "hn-4")
    table = reliability.judge_accuracy(pd.concat([made_ratings(), tied], ignore_index=True), JUDGES)
    assert table["condition"].tolist() == ["control"] * 4 + ["hn-4"] * 4
    last = table[table["condition"].eq("hn-4")].set_index("judged_by")
    assert last["accuracy"].fillna(-1).to_dict() == {"a": 0.5, "b": 0.5, "c": -1, "majority": -1}
    assert last.loc["c", "not_applicable"] == "no judged answer"
    assert last.loc["majority", "not_applicable"] == "no majority"
    assert last.loc["majority", "n_undecided"] == 2


def test_disagreements_are_the_answers_with_both_verdicts_the_most_divided_first():
    table = reliability.disagreements(made_ratings(), JUDGES)
    assert table["question_id"].tolist() == ["q3", "q5", "q1"]
    assert table["verdicts"].tolist() == [
        "a: wrong; b: right; c: unjudged",
        "a: unjudged; b: right; c: wrong",
        "a: right; b: wrong; c: wrong",
    ]
    assert table[["n_right", "n_wrong"]].to_numpy().tolist() == [[1, 1], [1, 1], [1, 2]]
    assert table["text"].tolist() == ["answer 3", "answer 5", "answer 1"]


def test_printed_disagreements_are_cut_and_kept_as_text(tmp_path):
    text = "<b>|" + "x" * 300
    table = reliability.disagreements(made_ratings().assign(text=text), JUDGES)
    shown = layouts.print_disagreements(table, n_rows=2, n_chars=20)
    assert len(shown) == 2
    assert shown["Answer"].iloc[0] == text[:19] + "…"
    assert "2 of 3 answers" in shown.attrs["notes"]
    study = Study("s", str(tmp_path / "runs"), str(tmp_path / "figures"))
    files = writers.save_table("disagreements", table, study, "Differences.", layout=shown).files
    assert pd.read_csv(files[0], keep_default_na=False)["text"].tolist() == [text] * 3
    assert "&lt;b&gt;\\|" in files[1].read_text()


# --- runs ---


def between(*runs):
    return reliability.replicate_table({number: tiny({"control": run}) for number, run in enumerate(runs, start=1)})


def test_two_runs_by_hand():
    # Means of the questions 1, 1/2, 0, 1/2: MSW = 1/4, MSB = 1/3, between questions (1/3 - 1/4) / 2 = 1/24.
    row = between([T, T, F, F], [T, F, F, T]).iloc[0]
    assert (row["n_questions"], row["n_replicates"], row["accuracy_by_run"]) == (4, 2, "1: 0.5; 2: 0.5")
    assert row["mean"] == pytest.approx(1 / 2)
    assert row["icc"] == pytest.approx((1 / 24) / (1 / 24 + 1 / 4))
    assert row["se_between_question"] == pytest.approx(math.sqrt(1 / 24 / 4))
    assert row["se_between_run"] == pytest.approx(math.sqrt(1 / 4 / 2 / 4))
    assert (row["n_repeated"], row["n_flipped"], row["flipped_share"]) == (4, 2, 0.5)
    assert not row["clamped"]
    assert row["not_applicable"] == ""


def test_gaps_of_a_run_are_no_outcomes():
    row = between([T, F, N, N], [T, N, N, N]).iloc[0]
    assert row["accuracy_by_run"] == "1: 0.5; 2: 1"
    assert (row["n_questions"], row["n_repeated"], row["n_flipped"]) == (2, 1, 0)
    assert row["mean"] == pytest.approx(1 / 2)


def test_runs_that_differ_more_than_questions_are_clamped():
    row = between([T, F], [F, T]).iloc[0]
    assert row["clamped"]
    assert row["icc"] == 0
    assert row["flipped_share"] == 1


def test_a_question_that_only_one_run_has_is_kept():
    later = tiny({"control": [T, F, T]})
    runs = {1: later[later["question_id"].ne("q0001")], 3: later}
    row = reliability.replicate_table(runs).iloc[0]
    assert row["accuracy_by_run"] == "1: 1; 3: 0.666667"
    assert (row["n_questions"], row["n_repeated"], row["n_flipped"]) == (3, 2, 0)


def test_conditions_keep_their_order_and_stand_apart():
    outcomes = {"control": [T, T], "hn-4": [F, T]}
    table = reliability.replicate_table({1: tiny(outcomes), 2: tiny({**outcomes, "hn-4": [T, T]})})
    assert table["condition"].tolist() == ["control", "hn-4"]
    assert table["n_flipped"].tolist() == [0, 1]
    assert table["not_applicable"].tolist() == ["every value is the same: no variance to divide", ""]
    assert table["icc"].isna().tolist() == [True, False]


def test_one_run_gives_one_row_that_says_so():
    table = between([T, F])
    assert len(table) == 1
    assert table["not_applicable"].iloc[0].startswith("one run")
    assert table["n_replicates"].iloc[0] == 1


def test_a_second_run_that_was_not_asked_is_missing_and_not_wrong():
    first = tiny({"control": [T, F]})
    row = reliability.replicate_table({1: first, 2: first.head(0)}).iloc[0]
    assert row["accuracy_by_run"] == "1: 0.5; 2: –"
    assert row["not_applicable"] == "no question has two runs: the variance between runs is unknown"
    assert pd.isna(row["flipped_share"]) and pd.isna(row["clamped"]) and pd.isna(row["icc"])


def test_a_repeated_row_is_refused():
    frame = tiny({"control": [T, F]})
    with pytest.raises(frames.TablesError, match="run 2 share a key"):
        reliability.replicate_table({1: frame, 2: pd.concat([frame, frame])})


# --- ratings on disk ---


def by_judge(verdicts, judge, flipped=()):
    return [
        replace(row, judge=judge, judge_fingerprint=judge, correct=row.correct != (row.cell_id in flipped))
        if row.status == "judged"
        else replace(row, judge=judge, judge_fingerprint=judge)
        for row in verdicts
    ]


@pytest.fixture
def stored(tmp_path):
    """Return a small study whose second judge differs on one cell, and with an answer of a second run."""
    rows, study = Rows(n_questions=4, n_documents=2), Study("test", str(tmp_path / "runs"), str(tmp_path / "figures"))
    write_study(rows, study)
    with Store(study.store) as store:
        for response in rows.responses:
            store.add_response(response)
        for verdict in (*rows.verdicts, *by_judge(rows.verdicts, "other", {"q0001|control"})):
            store.add_verdict(verdict)
    return rows, study


def read(study, judges=("local/rules", "other", "nobody"), **changes):
    return reliability.read_ratings(study, MODELS, ["markdown", "image", "pdf"], judges, **changes)


def test_ratings_are_the_answered_rows_of_the_frame_in_its_order(stored):
    _, study = stored
    ratings = read(study)
    assert list(ratings.columns) == [*reliability.RATING_COLUMNS, "local/rules", "other", "nobody"]
    frame = answers.read_frame(study, MODELS, ["markdown", "image", "pdf"], "local/rules")
    answered = frame[frame["answered"]].reset_index(drop=True)
    shared = list(reliability.RATING_COLUMNS)
    pd.testing.assert_frame_equal(ratings[shared], answered[shared])
    pd.testing.assert_series_equal(ratings["local/rules"], answered["correct"], check_names=False)
    assert ratings["local/rules"].isna().any(), "one made-up answer is unjudged"
    assert ratings["nobody"].isna().all()
    assert str(ratings["nobody"].dtype) == "boolean"


def test_judges_differ_where_they_were_made_to(stored):
    rows, study = stored
    judged = {(v.cell_id, v.model, v.modality) for v in rows.verdicts if v.status == "judged"}
    expected = sum(cell == "q0001|control" for cell, _, _ in judged)
    table = reliability.disagreements(read(study), ["local/rules", "other"])
    assert set(table["cell_id"]) == {"q0001|control"}
    assert len(table) == expected > 0


def test_the_frame_of_the_majority_has_the_majoritys_accuracy(stored):
    rows, study = stored
    with Store(study.store) as store:
        for verdict in by_judge(rows.verdicts, "third", {"q0001|control", "q0002|hn-4"}):
            store.add_verdict(verdict)
    judges = ["local/rules", "other", "third"]
    frame = answers.read_frame(study, MODELS, ["markdown", "image", "pdf"], "majority", judges=judges)
    expected = tables.table_1(frame, N_RESAMPLES)
    table = reliability.judge_accuracy(read(study, judges), judges)
    chosen = table[table["judged_by"].eq("majority")].reset_index(drop=True)
    columns = ["model", "modality", "condition", "accuracy", "n_answered", "n_judged"]
    pd.testing.assert_frame_equal(chosen[columns], expected[columns])
    alone = tables.table_1(answers.read_frame(study, MODELS, ["markdown", "image", "pdf"], "local/rules"), N_RESAMPLES)
    assert not expected["accuracy"].equals(alone["accuracy"]), "two of three judges differ on one question"


def test_a_verdict_on_another_text_is_none(stored):
    rows, study = stored
    verdict = next(v for v in rows.verdicts if v.status == "judged")
    with Store(study.store) as store:
        store.add_verdict(replace(verdict, judge="late", judge_fingerprint="l", judged_digest="of an older answer"))
        assert len(store.verdicts("late")) == 1
    assert read(study, ["late"])["late"].isna().all()


def test_an_answer_to_an_older_request_and_its_verdict_do_not_count(stored):
    rows, study = stored
    before = read(study)
    older = make_response(replace(rows.requests[0], fingerprint="older"), "an older answer")
    with Store(study.store) as store:
        store.add_response(older)
        # The judge had another prompt then, which is no matter of these answers.
        store.add_verdict(replace(make_verdict(older, True), judge_fingerprint="older"))
    pd.testing.assert_frame_equal(read(study), before)


def test_runs_are_read_apart(stored):
    rows, study = stored
    first = rows.requests[0]
    second = replace(first, replicate=2)
    path = study.rows("requests_local-reader_markdown")
    asked = [r for r in rows.requests if r.model == MODELS[0] and r.modality == "markdown"]
    write_rows(path, [*asked, second])
    response = replace(make_response(second, "43"), replicate=2)
    with Store(study.store) as store:
        store.add_response(response)
        store.add_verdict(replace(make_verdict(response, False), replicate=2))
    ratings = read(study, replicate=2)
    assert ratings[["cell_id", "text", "local/rules"]].to_numpy().tolist() == [[first.cell_id, "43", False]]
    assert len(read(study)) == sum(row.status == "answered" for row in rows.responses)


def test_an_answer_to_what_is_infeasible_today_does_not_count(stored):
    rows, study = stored
    asked: list[Request] = [r for r in rows.requests if r.model == MODELS[0] and r.modality == "markdown"]
    answered = {(r.cell_id, r.model, r.modality) for r in rows.responses if r.status == "answered"}
    assert (asked[0].cell_id, MODELS[0], "markdown") in answered
    before = len(read(study))
    write_rows(study.rows("requests_local-reader_markdown"), [replace(asked[0], infeasible="bytes"), *asked[1:]])
    assert len(read(study)) == before - 1
    frame = answers.read_frame(study, MODELS, ["markdown", "image", "pdf"], "local/rules")
    assert int(frame["answered"].sum()) == before - 1


def test_a_judge_with_the_name_of_a_column_is_refused(stored):
    _, study = stored
    for name in ("text", "majority"):
        with pytest.raises(frames.TablesError, match=f"judges: '{name}'"):
            read(study, [name])


def test_the_generator_of_a_seed_is_named_by_it():
    table = reliability.judge_agreement(made_ratings(), JUDGES, tables.generator(7), N_RESAMPLES)
    assert table["method"].str.endswith("seed 7").any()


# --- variance by its source ---


def rated(runs, judges=("a", "b")):
    """Return ratings by run from {run: {judge: outcomes by question}}, of one model, modality and condition."""
    made = {}
    for number, said in runs.items():
        n = len(said[judges[0]])
        columns = {"cell_id": [f"q{i}|control" for i in range(n)], "question_id": [f"q{i}" for i in range(n)]}
        columns |= {"document_id": ["d"] * n, "model": ["m"] * n, "modality": ["markdown"] * n}
        columns |= {"condition": ["control"] * n, "question": [""] * n, "reference": [""] * n, "text": [""] * n}
        made[number] = pd.DataFrame(columns | {judge: pd.array(said[judge], dtype="boolean") for judge in judges})
    return made


def test_the_parts_of_the_variance_are_those_of_stats():
    runs = {
        1: {"a": [True, False, True, None], "b": [True, False, False, True]},
        2: {"a": [True, True, True, False], "b": [False, False, True, True]},
    }
    row = reliability.variance_table(rated(runs), ["a", "b"]).iloc[0]
    values = [
        [[1, 1], [1, 0]],
        [[0, 0], [1, 0]],
        [[1, 0], [1, 1]],
        [[math.nan, 1], [0, 1]],
    ]
    expected = stats.crossed_variance(values)
    assert (row["n_questions"], row["n_runs"], row["n_judges"]) == (4, 2, 2)
    assert row["mean"] == pytest.approx(expected.mean)
    assert row["standard_error"] == pytest.approx(expected.standard_error)
    assert row["se_judge"] == pytest.approx(expected.se_judge)
    doubled = {option.name: option.standard_error for option in stats.design_options(expected)}
    assert row["se_twice_questions"] == pytest.approx(doubled["twice the questions"])


def test_one_run_says_nothing_about_runs():
    row = reliability.variance_table(rated({1: {"a": [True, False, True], "b": [True, True, False]}}), ["a", "b"]).iloc[
        0
    ]
    assert pd.isna(row["se_run"])
    assert pd.isna(row["se_one_more_run"])
    assert pd.notna(row["se_question"])


def test_one_run_and_one_judge_have_nothing_to_part():
    table = reliability.variance_table(rated({1: {"a": [True, False]}}, ["a"]), ["a"])
    assert len(table) == 1
    assert "--replicates" in table.iloc[0]["not_applicable"]


# --- calibration ---


def test_a_damaged_calibration_table_is_named(monkeypatch, tmp_path):
    monkeypatch.setattr(published, "project_root", lambda: tmp_path)
    with pytest.raises(frames.TablesError, match=r"calibration\.csv"):
        published.read_calibration()
    place = tmp_path / "data" / "calibration"
    place.mkdir(parents=True)
    (place / "calibration.csv").write_text("scenario,value\nnone,0.05\n")
    with pytest.raises(frames.TablesError, match=r"calibration\.csv"):
        published.read_calibration()
