import itertools
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from made_up_study import MODELS, Rows, make_cell, make_question, tiny
from test_frames import write_study

from muddle_utils import stats
from muddle_utils.analysis import answers, comparisons, frames, sensitivity
from muddle_utils.analysis.sensitivity import (
    leave_one_out_summary,
    leave_one_source_out,
    variations,
    variations_summary,
)
from muddle_utils.figures import writers
from muddle_utils.study.paths import Study
from muddle_utils.study.store import Store

T, F, N = True, False, None
POOLED = "random − hn, pooled over k = 2 and 4"
RANDOM = ("random-2", "random-4")


def row(table, variation, contrast="random-4 − hn-4"):
    (found,) = frames.as_records(table[table["variation"].eq(variation) & table["contrast"].eq(contrast)])
    return found


def cells_of(frame, **changes):
    """Return the frame's cells, those named by ``question|condition`` with other fields."""
    named = {key.replace("__", "|").replace("_", "-"): value for key, value in changes.items()}
    rows = frame.drop_duplicates("cell_id")
    cells = [
        make_cell(make_question(int(name[1:]), document), condition, [])
        for name, document, condition in zip(rows["question_id"], rows["document_id"], rows["condition"], strict=True)
    ]
    assert named.keys() <= {cell.cell_id for cell in cells}
    return [replace(cell, **named.get(cell.cell_id, {})) for cell in cells]


def with_outcomes(frame, condition, outcomes):
    """Return the frame with other verdicts in one condition, question by question."""
    changed = frame.copy()
    changed.loc[changed["condition"].eq(condition), "correct"] = outcomes
    return changed


TWO = {"random-4": [T, T, F, T], "hn-4": [F, T, F, F]}


# --- the baseline ---


def test_the_baseline_is_the_headline_of_the_paired_differences(rows, frame):
    table = variations(frame, rows.cells)
    baseline = table[table["variation"].eq("baseline")].reset_index(drop=True)
    paired = comparisons.paired(frame)
    headline = paired["research_question"].eq("RQ1") & paired["pooling"].ne("pairs")
    headline |= paired["contrast"].isin(["control − hn-4", "control − random-4"])
    shared = [name for name in table.columns if name in paired.columns]
    pd.testing.assert_frame_equal(baseline[shared], paired.loc[headline, shared].reset_index(drop=True))
    assert baseline["n_changed"].eq(0).all()
    assert len(baseline) == 5 * len(MODELS)


def test_the_headline_test_is_that_of_documents_and_mcnemar_stands_beside_it():
    # Three documents of three questions each, all won: McNemar on 9 pairs, and 3 signs of documents.
    table = variations(tiny({"random-4": [T] * 9, "hn-4": [F] * 9}, [f"s{i // 3}" for i in range(9)]))
    columns = list(table.columns)
    assert columns.index("p_document") < columns.index("test") < columns.index("p")
    found = row(table, "baseline")
    assert found["p_document"] == pytest.approx(2 / 2**3)
    assert found["p"] == pytest.approx(2 / 2**9)
    assert "McNemar" in found["test"]
    # One document lost by a missing answer that counts as wrong is a document less, whatever its questions.
    lost = tiny({"random-4": [N] * 3 + [T] * 6, "hn-4": [F] * 9}, [f"s{i // 3}" for i in range(9)])
    assert row(variations(lost), "missing counted wrong")["p_document"] == pytest.approx(2 / 2**2)


def test_every_comparison_has_every_variation_once(rows, frame):
    table = variations(frame, rows.cells)
    names = [list(group["variation"]) for _, group in table.groupby(["contrast", "model", "modality"], sort=False)]
    assert all(each == names[0] for each in names)
    assert len(set(names[0])) == len(names[0]) == 14
    has_number = table["difference"].notna()
    assert table.loc[~has_number, "not_applicable"].ne("").all()
    assert table.loc[has_number, ["n_pairs", "n_documents", "n_changed"]].notna().all(axis=None)
    assert table.loc[has_number, "method"].str.contains("over source documents").all()


def test_the_same_rows_give_the_same_bytes_in_any_order(rows, frame):
    made = [writers.csv_bytes(variations(each, rows.cells)) for each in (frame, frame.copy())]
    assert made[0] == made[1]
    order = frame.groupby("condition", sort=False).sample(frac=1, random_state=3)
    table, shuffled = (
        variations(each, rows.cells).sort_values(["contrast", "model", "variation"], ignore_index=True)
        for each in (frame, order)
    )
    pd.testing.assert_frame_equal(table, shuffled)
    left, right = (leave_one_source_out(each).sort_values(["model", "document_id"]) for each in (frame, order))
    pd.testing.assert_frame_equal(left.reset_index(drop=True), right.reset_index(drop=True))


def test_the_frame_stays_as_it_is(rows, frame):
    before = frame.copy()
    variations(frame, rows.cells, {"a": frame, "b": frame}, {1: frame, 2: frame}, frame, frame, rows.questions)
    leave_one_source_out(frame)
    pd.testing.assert_frame_equal(frame, before)


# --- missing answers ---


def test_missing_answers_by_hand():
    # Gaps: q0 1, q1 0; q2 lacks the first arm (the second is wrong), q3 the second (the first is wrong).
    table = variations(tiny({"random-4": [T, T, N, F], "hn-4": [F, T, F, N]}))
    assert row(table, "baseline")["difference"] == 1 / 2
    expected = {
        "missing counted wrong": (1 + 0 + 0 + 0) / 4,
        "missing: lowest difference": (1 + 0 + 0 - 1) / 4,
        "missing: highest difference": (1 + 0 + 1 + 0) / 4,
    }
    for name, difference in expected.items():
        found = row(table, name)
        assert found["difference"] == difference
        assert (found["n_pairs"], found["n_documents"], found["n_changed"]) == (4, 4, 2)


def test_whatever_the_missing_answers_were_the_estimate_is_between_the_bounds():
    arms = {"random-2": [T, N, F], "hn-2": [N, T, F], "random-4": [T, F, N], "hn-4": [F, N, T]}
    table = variations(tiny(arms))
    low, high = (row(table, f"missing: {end} difference", POOLED)["difference"] for end in ("lowest", "highest"))
    # Every way to complete the answers of both arms at both k, by question: the mean over k of first minus second.
    reached = []
    for values in itertools.product([0, 1], repeat=4):
        fill = iter(values)
        r2, h2, r4, h4 = (np.array([next(fill) if v is None else v for v in said], float) for said in arms.values())
        reached.append(((r2 - h2 + r4 - h4) / 2).mean())
    assert (low, high) == (pytest.approx(min(reached)), pytest.approx(max(reached)))


def test_a_random_arm_is_first_in_one_contrast_and_second_in_another():
    table = variations(tiny({"control": [T, F], "random-4": [N, N], "hn-4": [T, F]}))
    # Of control - random-4 lowest is all right in random-4; of random-4 - hn-4 all wrong.
    assert row(table, "missing: lowest difference", "control − random-4")["difference"] == -1 / 2
    assert row(table, "missing: lowest difference")["difference"] == -1 / 2
    assert row(table, "missing: highest difference", "control − random-4")["difference"] == 1 / 2
    assert row(table, "missing: highest difference")["difference"] == 1 / 2


def test_a_correct_that_is_missing_is_no_verdict():
    frame = with_outcomes(tiny(TWO), "hn-4", [F, pd.NA, F, F])
    table = variations(frame)
    assert row(table, "baseline")["n_pairs"] == 3
    assert row(table, "missing counted wrong")["n_changed"] == 1


# --- distractors and placement ---


@pytest.mark.parametrize(
    ("variation", "field"),
    [
        ("accidental hard negatives removed", "accidental_hard_negatives"),
        ("leaking random distractors removed", "leaking_distractors"),
    ],
)
def test_a_random_cell_is_removed_and_its_question_stays_with_the_other_k(variation, field):
    # Gaps at k = 2 and 4: q0 (1, 0), q1 (0, 0), q2 (1, 1). Without q0's random-4 and both of q2: q0 1, q1 0.
    frame = tiny({"random-2": [T, T, T], "hn-2": [F, T, F], "random-4": [T, T, T], "hn-4": [T, T, F]})
    near = {field: ("near.pdf",)}
    cells = cells_of(frame, q0000__random_4=near, q0002__random_2=near, q0002__random_4=near, q0001__hn_2=near)
    table = variations(frame, cells)
    assert row(table, "baseline", POOLED)["difference"] == 1 / 2
    found = row(table, variation, POOLED)
    assert (found["difference"], found["n_pairs"], found["n_changed"]) == (1 / 2, 2, 2)
    two = row(table, variation, "random-2 − hn-2")
    assert (two["difference"], two["n_pairs"], two["n_changed"]) == (1 / 2, 2, 1)
    four = row(table, variation)
    assert (four["difference"], four["n_pairs"], four["not_applicable"]) == (0, 1, "no discordant pairs")


def test_what_is_in_a_hard_negative_arm_is_no_accident():
    frame = tiny({"control": [T, F], **{name: said[:2] for name, said in TWO.items()}})
    cells = cells_of(frame, q0000__hn_4={"accidental_hard_negatives": ("near.pdf",)})
    table = variations(frame, cells)
    said = "no pair has a random distractor as near to the source as a hard negative"
    assert row(table, "accidental hard negatives removed")["not_applicable"] == said
    other = row(table, "accidental hard negatives removed", "control − hn-4")
    assert other["not_applicable"] == "no arm of random distractors"


def test_only_pairs_with_the_source_at_the_same_place():
    # At k = 4 the source stands alike for q1 to q3, at k = 2 for q0 and q3.
    frame = tiny({"control": [T] * 4, "random-2": [T, T, F, T], "hn-2": [F, T, F, T], **TWO})
    places = {"random_2": (0, 1, 0, 2), "hn_2": (0, 2, 1, 2), "random_4": (1, 3, 0, 4), "hn_4": (2, 3, 0, 4)}
    moved = {f"q{i:04d}__{arm}": {"source_position": p} for arm, where in places.items() for i, p in enumerate(where)}
    table = variations(frame, cells_of(frame, **moved))
    name = "source at the same place only"
    four, two, pooled = (row(table, name, contrast) for contrast in ("random-4 − hn-4", "random-2 − hn-2", POOLED))
    assert (four["difference"], four["n_pairs"], four["n_changed"]) == (pytest.approx(1 / 3), 3, 1)
    assert (two["difference"], two["n_pairs"], two["n_changed"]) == (1 / 2, 2, 2)
    # q0 1, q1 0, q2 0 at the k that is left, q3 (0 + 1) / 2: the same means, of three questions from fewer pairs.
    assert (pooled["difference"], pooled["n_pairs"], pooled["n_changed"]) == (1.5 / 4, 4, 3)
    assert row(table, name, "control − hn-4")["not_applicable"] == "the control has no distractors to stand among"


def test_a_question_that_is_named_with_its_study_finds_its_cell():
    frame = tiny(TWO)
    cells = cells_of(frame, q0000__hn_4={"source_position": 3})
    renamed = frame.assign(question_id="study:" + frame["question_id"])
    table, other = (variations(each, cells) for each in (frame, renamed))
    pd.testing.assert_frame_equal(table, other)
    assert row(other, "source at the same place only")["n_changed"] == 1


def test_sources_that_stand_alike_change_nothing():
    frame = tiny(TWO)
    found = row(variations(frame, cells_of(frame)), "source at the same place only")
    assert (found["not_applicable"], found["n_changed"]) == ("the source stands alike in every pair", 0)
    assert pd.isna(found["difference"])


def test_nothing_is_left_where_every_pair_is_removed():
    frame = tiny(TWO)
    cells = [replace(cell, accidental_hard_negatives=("near.pdf",)) for cell in cells_of(frame)]
    found = row(variations(frame, cells), "accidental hard negatives removed")
    assert (found["not_applicable"], found["n_pairs"], found["n_changed"]) == ("no pair is left", 0, 4)
    assert pd.isna(found["difference"])


def test_the_other_placement_stands_beside():
    frame = tiny(TWO)
    other = with_outcomes(frame, "hn-4", [T, T, F, F]).assign(cell_digest="other")
    table = variations(frame, other_placement=other)
    found = row(table, "other placement")
    assert (found["difference"], found["n_pairs"], found["n_changed"]) == (1 / 4, 4, 1)
    said = row(variations(frame), "other placement")["not_applicable"]
    assert said == "no study with the other placement given"


def test_a_study_that_places_alike_is_not_the_other_placement():
    frame = tiny(TWO).assign(cell_digest="d")
    other = with_outcomes(frame, "hn-4", [T, T, F, F])
    said = row(variations(frame, other_placement=other), "other placement")["not_applicable"]
    assert said == "the study given places every source as this one does"
    moved = other.assign(cell_digest=other["condition"].map(lambda name: "d" if name == "hn-4" else "e"))
    assert row(variations(frame, other_placement=moved), "other placement")["n_changed"] == 1


def test_a_study_that_did_not_ask_an_arm_says_which():
    frame = tiny({"control": [T, F, T, F], **TWO})
    other = frame[frame["condition"].ne("hn-4")].assign(cell_digest="other")
    table = variations(frame, other_placement=other)
    said = "the study with the other placement did not ask m in markdown, hn-4"
    assert row(table, "other placement")["not_applicable"] == said
    assert row(table, "other placement", "control − random-4")["n_changed"] == 0


def test_a_study_of_other_questions_counts_those_that_come_and_go():
    frame = tiny(TWO)
    other = frame[frame["question_id"].ne("q0003")].assign(
        question_id=lambda rows: rows["question_id"].replace("q0001", "q0009")
    )
    # q0 and q2 as they were; q1 and q3 are gone and q9 is new. Gaps 1, 0, 0.
    found = row(variations(frame, other_annotation=other.iloc[::-1]), "other annotation")
    assert (found["difference"], found["n_pairs"], found["n_changed"]) == (pytest.approx(1 / 3), 3, 3)


# --- annotations ---


def test_questions_annotated_otherwise_are_removed():
    frame = tiny(TWO)
    questions = [make_question(i, f"s{i}.pdf") for i in range(4)]
    others = [
        replace(questions[0], answer="41"),
        replace(questions[1], question=f"  {questions[1].question.replace(' ', '  ')} "),
        replace(questions[2], question="How few in q0002?"),
    ]
    # q0 has another answer, q2 another wording, and q3 is not there: only q1 is left.
    found = row(variations(frame, other_questions=others), "annotated alike only")
    assert (found["difference"], found["n_pairs"], found["n_changed"]) == (0, 1, 3)
    same = row(variations(frame, other_questions=questions), "annotated alike only")
    assert same["not_applicable"] == "every question is annotated alike"
    none = row(variations(frame), "annotated alike only")
    assert none["not_applicable"] == "no other annotation given"


def test_the_other_annotation_stands_beside_and_says_what_is_alike():
    frame = tiny(TWO)
    # Another reference for q0, by which its hard-negative answer is right.
    other = with_outcomes(frame, "hn-4", [T, T, F, F])
    other["reference"] = other["reference"].mask(other["question_id"].eq("q0000"), "41")
    table = variations(frame, other_annotation=other)
    beside, alike = row(table, "other annotation"), row(table, "annotated alike only")
    assert (beside["difference"], beside["n_changed"]) == (1 / 4, 1)
    assert (alike["difference"], alike["n_pairs"], alike["n_changed"]) == (pytest.approx(1 / 3), 3, 1)
    same = variations(frame, other_annotation=with_outcomes(frame, "hn-4", [T, T, F, F]))
    said = "the study given annotates every question as this one does"
    assert row(same, "other annotation")["not_applicable"] == said


# --- judges, runs, routes, abstentions ---


def test_each_judge_and_each_run_has_its_row():
    frame = tiny(TWO)
    strict = with_outcomes(frame, "random-4", [F, T, F, F])
    silent = frame.assign(judged=False, correct=pd.array([pd.NA] * len(frame), dtype="boolean"))
    table = variations(frame, by_judge={"a": frame, "b": strict, "majority": silent}, by_run={1: frame, 2: strict})
    assert (row(table, "judge a")["difference"], row(table, "judge a")["n_changed"]) == (1 / 2, 0)
    assert (row(table, "judge b")["difference"], row(table, "judge b")["n_changed"]) == (0, 2)
    nothing = row(table, "judge majority")
    assert nothing["not_applicable"] == "no question was answered and judged in both arms"
    assert (nothing["n_pairs"], nothing["n_changed"]) == (0, 4)
    assert [row(table, f"run {number}")["difference"] for number in (1, 2)] == [1 / 2, 0]


def test_one_judge_and_one_run_say_so():
    table = variations(tiny(TWO), by_judge={"a": tiny(TWO)})
    assert row(table, "other judges")["not_applicable"].startswith("one judge")
    assert row(table, "other runs")["not_applicable"].startswith("one run")


def test_incomparable_routes_and_abstentions_are_left_out():
    frame = tiny(TWO)
    mine = frame["cell_id"].eq("q0000|hn-4")
    table = variations(frame.assign(comparable=~mine, abstained=mine.astype("boolean").mask(frame.index == 3, pd.NA)))
    for name in ("comparable routes only", "abstentions left out"):
        found = row(table, name)
        assert (found["difference"], found["n_pairs"], found["n_changed"]) == (pytest.approx(1 / 3), 3, 1)
    none = variations(frame)
    said = "no pair came by a route that shows the model something else"
    assert row(none, "comparable routes only")["not_applicable"] == said
    assert row(none, "abstentions left out")["not_applicable"] == "no answer of a pair declines"


def test_unanswerable_questions_are_left_out_everywhere():
    frame = tiny(TWO)
    marked = frame.assign(answer_format=frame["answer_format"].mask(frame["question_id"].eq("q0003"), "None"))
    table = variations(marked, by_judge={"a": marked, "b": marked}, other_placement=marked.assign(cell_digest="other"))
    for name in ("baseline", "judge a", "other placement"):
        assert row(table, name)["n_pairs"] == 3
    assert leave_one_source_out(whole(marked))["n_pairs"].eq(3).all()


# --- bad input ---


def test_no_pair_at_all_has_a_reason_in_every_row():
    table = variations(tiny({"random-4": [T, N], "hn-4": [N, T]}), by_judge={})
    filled = table["variation"].str.startswith("missing")
    assert table.loc[filled, "n_pairs"].eq(2).all()
    assert table.loc[~filled, "difference"].isna().all()
    assert table.loc[~filled, "not_applicable"].ne("").all()
    for name in ("baseline", "comparable routes only"):
        assert row(table, name)["not_applicable"] == "no question was answered and judged in both arms"
    assert "nan" not in writers.printed(table).to_string().lower()


def test_one_document_has_a_difference_and_no_interval():
    table = variations(tiny({"random-4": [T, T, N], "hn-4": [F, T, F]}, ["s.pdf"] * 3))
    for name in ("baseline", "missing: highest difference"):
        found = row(table, name)
        assert (found["not_applicable"], found["n_documents"]) == ("interval: one source document", 1)
        assert pd.isna(found["low"])


def test_rows_that_share_a_question_are_refused_wherever_they_are(rows, frame):
    twice = pd.concat([frame, frame.head(1)], ignore_index=True)
    for call in (
        lambda: variations(twice),
        lambda: variations(frame, by_judge={"a": frame, "b": twice}),
        lambda: variations(frame, other_placement=twice),
        lambda: leave_one_source_out(twice),
    ):
        with pytest.raises(frames.TablesError, match="share a key"):
            call()


def test_a_cell_without_its_row_is_refused():
    frame = tiny(TWO)
    with pytest.raises(frames.TablesError, match=r"no cell row for 'q0003\|hn-4'"):
        variations(frame, [cell for cell in cells_of(frame) if cell.cell_id != "q0003|hn-4"])
    assert row(variations(frame), "source at the same place only")["not_applicable"] == "no cell rows given"


def test_nothing_asked_gives_empty_tables_with_their_columns(frame):
    for part in (frame.head(0), frame[frame["condition"].eq("control")]):
        table, left_out = variations(part), leave_one_source_out(part)
        assert table.empty and left_out.empty
        assert {"difference", "n_changed", "not_applicable"} <= set(table)
        assert {"leave_one_out", "n_questions", "not_applicable"} <= set(left_out)
        assert variations_summary(table).empty and leave_one_out_summary(left_out).empty
        assert variations_summary(table)["lowest_at"].dtype == "str"


# --- one source left out ---


def whole(frame):
    """Return the frame with its k = 4 arms asked at k = 2 as well, with the same outcomes."""
    k2 = frame.assign(
        condition=frame["condition"].str.replace("4", "2"), cell_id=frame["cell_id"].str.replace("-4", "-2")
    )
    return pd.concat([frame, k2], ignore_index=True)


def pooled_gaps(gaps, documents):
    """Return a frame whose questions have these gaps (-1, 0 or 1) at both k; None is a missing answer."""
    first = [None if gap is None else gap >= 0 for gap in gaps]
    second = [None if gap is None else gap <= 0 for gap in gaps]
    return tiny({"random-2": first, "hn-2": second, "random-4": first, "hn-4": second}, documents)


def test_leave_one_out_by_hand():
    # a: gaps 1, 1; b: -1; c: 0, 1. Means 1, -1, 1/2; overall 2/5; without a 0/3, without b 3/4, without c 1/3.
    frame = pooled_gaps([1, 1, -1, 0, 1], ["a", "a", "b", "c", "c"])
    table = leave_one_source_out(frame).set_index("document_id")
    assert table["n_questions"].to_dict() == {"a": 2, "b": 1, "c": 2}
    assert table["difference"].to_dict() == {"a": 1, "b": -1, "c": 1 / 2}
    assert table["leave_one_out"].to_dict() == pytest.approx({"a": 0, "b": 3 / 4, "c": 1 / 3})
    assert table["overall"].eq(2 / 5).all()
    assert table["n_pairs"].eq(5).all() and table["n_documents"].eq(3).all()
    assert table["not_applicable"].eq("").all()
    # Without c two documents are left, which say nothing: the interval is cut at the most that there can be.
    assert table.loc["c", ["leave_one_out_low", "leave_one_out_high"]].tolist() == [-1, 1]


def test_without_a_source_the_interval_is_that_of_the_others_and_two_pairs_more():
    gaps = [1, 1, 0, 0, -1, 0, 1, 0, 0, 0, 1, 0, 1, -1, 0, 0, 1, 0, 0, 0]
    documents = [f"s{i // 2}" for i in range(20)]
    left_out = leave_one_source_out(pooled_gaps(gaps, documents)).set_index("document_id").loc["s0"]
    enlarged = stats.clustered_mean([*gaps[2:], 1, -1], [*documents[2:], "one more", "and another"])
    assert left_out["leave_one_out"] == pytest.approx(2 / 18)
    assert enlarged.estimate == pytest.approx(2 / 20)
    ends = left_out[["leave_one_out_low", "leave_one_out_high"]].tolist()
    assert ends == pytest.approx([enlarged.low, enlarged.high])


def test_leaving_a_source_out_is_the_comparison_without_it(frame):
    table = leave_one_source_out(frame)
    for number in (0, 7, len(table) - 1):
        left_out = table.iloc[number]
        part = frame[frame["model"].eq(left_out["model"])]
        rest = comparisons.paired(part[part["document_id"].ne(left_out["document_id"])])
        pooled = rest[rest["pooling"].eq("question")].iloc[0]
        ends = ["leave_one_out", "leave_one_out_low", "leave_one_out_high"]
        assert left_out[ends].tolist() == pooled[["difference", "low", "high"]].tolist()
        paired = comparisons.paired(part)
        all_of_them = paired[paired["pooling"].eq("question")].iloc[0]
        assert (
            left_out[["overall", "overall_low", "overall_high"]].tolist()
            == all_of_them[["difference", "low", "high"]].tolist()
        )
        assert left_out["method"] == all_of_them["method"]


def test_a_source_and_the_others_make_the_whole(frame):
    table = leave_one_source_out(frame)
    n, own = table["n_pairs"], table["n_questions"]
    together = table["difference"] * own + table["leave_one_out"] * (n - own)
    assert np.allclose((together / n).astype(float), table["overall"].astype(float))
    for _, group in table.groupby("model"):
        assert group["n_questions"].sum() == group["n_pairs"].iloc[0]
        assert len(group) == group["n_documents"].iloc[0] == 20
        assert group["document_id"].is_monotonic_increasing


def test_a_source_at_the_mean_moves_nothing():
    table = leave_one_source_out(pooled_gaps([1, 0, 1, 0, 1, 0], ["a", "a", "b", "b", "c", "c"])).iloc[0]
    assert table["difference"] == table["leave_one_out"] == table["overall"] == 1 / 2
    flat = leave_one_source_out(pooled_gaps([0, 1, -1, 1], ["a", "b", "c", "d"])).iloc[0]
    # A source without a difference takes its question from the denominator and nothing from the sum.
    assert (flat["difference"], flat["leave_one_out"], flat["overall"]) == (0, pytest.approx(1 / 3), 1 / 4)


def test_one_document_that_holds_all_questions_has_nothing_beside_it():
    table = leave_one_source_out(pooled_gaps([1, 0, 1], ["a"] * 3))
    assert len(table) == 1
    assert table["not_applicable"].tolist() == ["no other source document"]
    assert table["overall"].tolist() == [pytest.approx(2 / 3)]
    assert table[["overall_low", "leave_one_out", "leave_one_out_low"]].isna().all(axis=None)
    summary = leave_one_out_summary(table).iloc[0]
    assert (summary["n_compared"], summary["not_applicable"], summary["sign"]) == (0, "no other source document", "")
    assert "nan" not in writers.printed(table).to_string().lower()


def test_of_two_documents_one_is_left_without_an_interval():
    table = leave_one_source_out(pooled_gaps([1, 0, 1], ["a", "a", "b"]))
    assert table["not_applicable"].tolist() == ["interval: one source document"] * 2
    assert table["leave_one_out"].tolist() == [1, 1 / 2]
    assert table["overall_low"].notna().all()


def test_a_source_without_a_pair_is_listed_and_says_so():
    table = leave_one_source_out(pooled_gaps([1, 0, None], ["a", "b", "c"]))
    silent = table.iloc[2]
    assert (silent["n_questions"], silent["n_documents"], silent["n_pairs"]) == (0, 2, 2)
    assert silent["not_applicable"] == "of this source no question was answered and judged in both arms"
    assert pd.isna(silent["difference"]) and pd.isna(silent["leave_one_out"])
    nothing = leave_one_source_out(pooled_gaps([None, None], ["a", "b"]))
    assert nothing["not_applicable"].eq("no question was answered and judged in both arms").all()
    assert nothing[["overall", "difference"]].isna().all(axis=None)
    assert leave_one_out_summary(nothing)["not_applicable"].iloc[0].startswith("no question was answered")


@pytest.mark.parametrize("gap", [0, 1])
def test_sources_that_are_all_alike_have_an_interval_of_some_width(gap):
    table = leave_one_source_out(pooled_gaps([gap] * 12, [f"s{i}" for i in range(12)]))
    assert table["not_applicable"].eq("").all()
    assert table["leave_one_out"].eq(gap).all()
    assert (table["leave_one_out_low"] < table["leave_one_out_high"]).all()
    assert table["leave_one_out_high"].le(1).all()


def test_a_pooled_gap_that_lacks_one_k_without_a_source_is_not_taken_for_that_of_the_other():
    # Only a was judged at k = 4: without it there is nothing to pool.
    first = {"random-2": [T, F, T], "hn-2": [F, F, F]}
    frame = tiny({**first, "random-4": [T, N, N], "hn-4": [F, T, T]}, ["a", "b", "c"])
    table = leave_one_source_out(frame).set_index("document_id")
    assert table["overall"].eq(2 / 3).all()
    assert pd.isna(table.loc["a", "leave_one_out"]) and table.loc["a", "difference"] == 1
    assert table.loc["a", "not_applicable"].startswith("of the other sources no question was answered and judged")
    assert table.loc["b", "leave_one_out"] == 1
    # And where no document has a pair at one k, no row has an estimate of the whole.
    none = leave_one_source_out(tiny({**first, "random-4": [N, N, N], "hn-4": [F, T, T]}, ["a", "b", "c"]))
    assert none[["overall", "overall_low", "leave_one_out"]].isna().all(axis=None)
    assert none["not_applicable"].str.endswith("judged in both arms at k = 4").all()
    summary = leave_one_out_summary(none).iloc[0]
    assert summary["not_applicable"].endswith("judged in both arms at k = 4") and pd.isna(summary["difference"])


# --- whether it stands ---


def test_one_document_can_carry_the_sign():
    # 2 / 6 with a; without a's two gaps of 1 it is 0 / 4, without b's two of -1 it is 4 / 4.
    frame = pooled_gaps([1, 1, -1, -1, 1, 1], ["a", "a", "b", "b", "c", "c"])
    summary = leave_one_out_summary(leave_one_source_out(frame)).iloc[0]
    assert (summary["difference"], summary["sign"], summary["n_compared"]) == (pytest.approx(1 / 3), "undecided", 3)
    assert (summary["lowest_estimate"], summary["lowest_at"]) == (0, "a")
    assert (summary["highest_estimate"], summary["highest_at"]) == (1, "b")
    assert summary["n_other_sign"] == 2
    # Without b there is no interval, all others being alike: that decides nothing else.
    assert (summary["n_other_verdict"], summary["other_verdict_at"]) == (0, "")


def made_table(estimates, kind):
    """Return rows as either function returns them, from (name, estimate, low, high), the first being the whole."""
    keys = {"contrast": POOLED, "model": "m", "modality": "markdown", "not_applicable": "", "method": "t"}
    counts = {"n_pairs": 9, "n_documents": 3}
    (_, overall, low, high), *others = estimates
    if kind == "variations":
        rows = [
            {**keys, **counts, "variation": name, "difference": estimate, "low": below, "high": above}
            for name, estimate, below, above in [("baseline", overall, low, high), *others]
        ]
    else:
        rows = [
            {**keys, **counts, "document_id": name, "overall": overall, "overall_low": low, "overall_high": high}
            | {"leave_one_out": estimate, "leave_one_out_low": below, "leave_one_out_high": above}
            for name, estimate, below, above in others
        ]
    return pd.DataFrame(rows).convert_dtypes()


@pytest.mark.parametrize("kind", ["variations", "leave_one_out"])
@pytest.mark.parametrize(
    ("whole", "sign", "n_sign", "changed"),
    [
        ((0.05, 0.01, 0.09), "positive", 2, "below; none; across"),
        ((-0.05, -0.09, -0.01), "negative", 2, "above; none; across"),
        ((0.05, -0.01, 0.11), "undecided", 2, "above; below"),
        ((0.05, None, None), "", 2, ""),
    ],
)
def test_what_changes_the_verdict_is_counted_and_named(kind, whole, sign, n_sign, changed):
    others = [("above", 0.2, 0.1, 0.3), ("below", -0.2, -0.3, -0.1), ("none", 0.1, None, None)]
    others.append(("across", -0.01, -0.1, 0.1))
    summarise = variations_summary if kind == "variations" else leave_one_out_summary
    found = summarise(made_table([("", *whole), *others], kind)).iloc[0]
    assert (found["sign"], found["n_compared"], found["n_other_sign"]) == (sign, 4, n_sign)
    assert (found["lowest_at"], found["lowest_estimate"]) == ("below", -0.2)
    assert (found["highest_at"], found["highest_estimate"]) == ("above", 0.2)
    assert found["other_verdict_at"] == changed
    if sign:
        assert found["n_other_verdict"] == len(changed.split("; "))
    else:
        assert pd.isna(found["n_other_verdict"])


def test_a_headline_without_variations_stands_alone_and_says_so():
    summary = variations_summary(variations(tiny(TWO))).iloc[0]
    assert (summary["n_compared"], summary["not_applicable"]) == (0, "no variation changes anything")
    assert (summary["difference"], summary["n_pairs"]) == (1 / 2, 4)
    table = variations(tiny(TWO))
    with pytest.raises(frames.TablesError, match="no baseline row"):
        variations_summary(table[table["variation"].ne("baseline")])


def test_summaries_have_one_row_a_model(rows, frame):
    assert len(leave_one_out_summary(leave_one_source_out(frame))) == len(MODELS)
    summary = variations_summary(variations(frame, rows.cells))
    assert len(summary) == 5 * len(MODELS)
    assert (summary["lowest_estimate"] <= summary["highest_estimate"]).all()


# --- from disk ---


def test_alternatives_are_read_from_the_study(tmp_path):
    rows, study = Rows(n_questions=4, n_documents=2), Study("test", str(tmp_path / "runs"), str(tmp_path / "figures"))
    write_study(rows, study)
    with Store(study.store) as store:
        for response in rows.responses:
            store.add_response(response)
        for verdict in rows.verdicts:
            store.add_verdict(verdict)
    alone = sensitivity.read_alternatives(study, MODELS, ["markdown"], "local/rules", ["local/rules"])
    assert alone.cells == rows.cells
    assert (alone.by_judge, alone.by_run) == ({}, {})
    two = sensitivity.read_alternatives(study, MODELS, ["markdown"], "local/rules", ["local/rules", "other"], 2)
    assert list(two.by_judge) == ["local/rules", "other", "majority"]
    assert list(two.by_run) == [1, 2]
    frame = answers.read_frame(study, MODELS, ["markdown"], "local/rules")
    pd.testing.assert_frame_equal(two.by_judge["local/rules"], frame)
    pd.testing.assert_frame_equal(two.by_run[1], frame)
    assert not two.by_judge["other"]["judged"].any()
    table = variations(frame, *alone)
    assert row(table[table["model"].eq(MODELS[0])], "baseline", POOLED)["n_documents"] == 2
