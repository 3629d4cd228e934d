import numpy as np
import pandas as pd
import pytest
from made_up_study import tiny

from muddle_utils import stats
from muddle_utils.analysis import answers, asked_alike, comparisons, frames
from muddle_utils.figures import layouts

NO_PAIRS = "no question was answered and judged in both arms"


# --- paired differences ---


def select(table, contrast, pooling=""):
    return table[table["contrast"].eq(contrast) & table["pooling"].eq(pooling)].iloc[0]


def test_a_paired_difference_by_hand():
    # Pairs judged in both arms: q0 (1, 0), q1 (1, 0), q2 (0, 1), q3 (1, 1); q4 lacks one. Difference (2 - 1) / 4.
    frame = tiny({"random-2": [True, True, False, True, True], "hn-2": [False, False, True, True, None]})
    row = select(comparisons.paired(frame), "random-2 − hn-2")
    assert row["difference"] == pytest.approx(0.25)
    assert (row["mean_a"], row["mean_b"]) == (0.75, 0.5)
    assert (row["n_pairs"], row["n_documents"], row["n_missing"], row["a_only"], row["b_only"]) == (4, 4, 1, 2, 1)
    # Exact two-sided McNemar of (2, 1): 2 (C(3,0) + C(3,1)) / 8 = 1.
    assert row["p"] == 1.0
    assert row["low"] <= row["difference"] <= row["high"]


def test_the_difference_is_the_difference_of_the_printed_means(frame):
    table = comparisons.paired(frame)
    assert table["n_missing"].gt(0).any()
    assert table["n_incomplete"].gt(0).any()
    assert np.allclose((table["mean_a"] - table["mean_b"]).astype(float), table["difference"].astype(float))


def test_pooling_counts_each_question_once_and_prints_the_papers_way_beside():
    # Gaps at k=2 and k=4: q0 (1, 1), q1 (1, 0), q2 (0, -1). Question means 1, .5, -.5 -> 1/3; pairs (2 + 1 - 1) / 6.
    frame = tiny(
        {
            "random-2": [True, True, True],
            "hn-2": [False, False, True],
            "random-4": [True, True, False],
            "hn-4": [False, True, True],
        }
    )
    table = comparisons.paired(frame)
    question = select(table, "random − hn, pooled over k = 2 and 4", "question")
    pairs = select(table, "random − hn, pooled over k = 2 and 4, each pair once", "pairs")
    assert question["n_pairs"] == 3
    assert question["difference"] == pytest.approx(1 / 3)
    # Sums of +-2, +-1, +-1 half-steps: at least |2| in 6 of 8 sign vectors.
    assert question["p"] == pytest.approx(6 / 8)
    assert pairs["n_pairs"] == 6
    assert pairs["difference"] == pytest.approx(1 / 3)
    assert (pairs["a_only"], pairs["b_only"]) == (3, 1)
    assert (question["a_only"], question["b_only"], question["n_incomplete"]) == (2, 1, 0)
    assert pd.isna(pairs["p_holm"])
    assert pd.isna(pairs["n_incomplete"])


def test_a_question_with_one_k_only_counts_with_what_it_has():
    # k=2: q0 (1, 0), q1 (1, 1); k=4: q0 lacks one, q1 (0, 1). Gaps 1 and -1/2; means of q0 1 and 0, of q1 1/2 and 1.
    frame = tiny(
        {"random-2": [True, True], "hn-2": [False, True], "random-4": [None, False], "hn-4": [True, True]},
    )
    table = comparisons.paired(frame)
    question = table[table["pooling"].eq("question")].iloc[0]
    assert (question["mean_a"], question["mean_b"], question["difference"]) == (0.75, 0.5, 0.25)
    assert (question["n_pairs"], question["n_incomplete"], question["a_only"], question["b_only"]) == (2, 1, 1, 1)
    pairs = table[table["pooling"].eq("pairs")].iloc[0]
    assert (pairs["n_pairs"], pairs["n_missing"], pairs["difference"]) == (3, 1, 0)
    assert pairs["mean_a"] == pairs["mean_b"] == pytest.approx(2 / 3)


def test_gaps_that_cancel_within_questions_are_no_gap_but_discordant_pairs():
    frame = tiny({"random-2": [True] * 3, "hn-2": [False] * 3, "random-4": [False] * 3, "hn-4": [True] * 3})
    table = comparisons.paired(frame).set_index("pooling")
    assert table.loc["question", "not_applicable"] == "test: no question has a gap"
    assert table.loc["question", ["a_only", "b_only"]].tolist() == [0, 0]
    assert pd.isna(table.loc["question", "p"])
    assert table.loc["pairs", ["a_only", "b_only"]].tolist() == [3, 3]
    assert table.loc["pairs", "p"] == 1


def test_nothing_is_pooled_over_a_k_that_has_no_pair():
    frame = tiny(
        {"random-2": [True, True], "hn-2": [False, True], "random-4": [None, True], "hn-4": [True, None]},
    )
    table = comparisons.paired(frame)
    pooled = table[table["contrast"].str.contains("pooled over k")]
    assert pooled["pooling"].tolist() == ["question", "pairs"]
    assert pooled["not_applicable"].eq(f"{NO_PAIRS} at k = 4").all()
    assert pooled[["difference", "low", "p", "p_document"]].isna().all(axis=None)
    assert pooled["n_pairs"].tolist() == [2, 2]
    # It stays in the declared family, as every comparison that came out not applicable.
    assert table.loc[table["pooling"].eq("question"), "n_family"].tolist() == [3]
    methods = comparisons.intervals(frame, 99)
    of_pooled = methods[methods["contrast"].str.contains("pooled")]
    assert of_pooled["not_applicable"].eq(f"{NO_PAIRS} at k = 4").all()
    assert of_pooled["difference"].isna().all()
    none = tiny({"random-2": [None], "hn-2": [True], "random-4": [None], "hn-4": [True]})
    nowhere = comparisons.paired(none)
    assert nowhere.loc[nowhere["research_question"].eq("RQ1"), "not_applicable"].tolist() == [NO_PAIRS] * 4


def test_holm_is_over_the_declared_family_and_its_size_is_there(frame):
    table = comparisons.paired(frame)
    for question, size in (("RQ1", 3 * 2), ("RQ2", 6 * 2), ("RQ3", 3 * 2)):
        family = table[table["research_question"].eq(question) & table["pooling"].ne("pairs")]
        assert len(family) == size
        assert family["n_family"].eq(size).all()
        adjusted = stats.holm(family["p_document"].to_numpy(dtype=float, na_value=np.nan)).adjusted
        assert np.allclose(family["p_holm"].to_numpy(dtype=float, na_value=np.nan), adjusted, equal_nan=True)


def test_rq3_pairs_control_across_modalities(frame):
    table = comparisons.paired(frame)
    contrasts = table.loc[table["research_question"].eq("RQ3"), "contrast"].unique().tolist()
    assert contrasts == ["control: markdown − image", "control: markdown − pdf", "control: image − pdf"]


def test_rq4_adds_no_test(frame):
    table = comparisons.paired(frame)
    fourth = asked_alike.by_model(table)
    assert len(fourth) == 2 * 2
    assert set(fourth["p"].dropna()) <= set(table["p"].dropna())
    assert fourth["n_family"].isin([6, 12]).all()


@pytest.mark.parametrize(
    ("control", "arm", "documents", "reason", "has_p"),
    [
        ([None, None], [True, False], None, NO_PAIRS, False),
        ([True, True, False], [False, True, False], ["one.pdf"] * 3, "interval: one source document", True),
        ([True, True, False], [True, True, False], ["one.pdf"] * 3, "no discordant pairs", False),
    ],
)
def test_a_comparison_that_does_not_apply_says_why(control, arm, documents, reason, has_p):
    table = comparisons.paired(tiny({"control": control, "hn-4": arm}, documents))
    row = select(table, "control − hn-4")
    assert row["not_applicable"] == reason
    assert pd.isna(row["low"])
    assert pd.notna(row["p"]) == has_p
    text = layouts.print_paired(table).iloc[0]
    assert "not applicable" in text["Difference [95 % interval]"]
    assert "nan" not in " ".join(text).lower()


def test_arms_that_agree_on_every_question_have_an_interval_and_no_test():
    row = select(comparisons.paired(tiny({"control": [True, False] * 8, "hn-4": [True, False] * 8})), "control − hn-4")
    assert row["not_applicable"] == "test: no discordant pairs"
    assert row[["p", "mid_p", "p_document", "p_holm"]].isna().all()
    assert row["difference"] == 0
    assert row["low"] == pytest.approx(-row["high"])
    assert 0 < row["high"] < 0.3


def test_arms_that_always_differ_have_an_interval_that_ends_at_one():
    row = select(comparisons.paired(tiny({"control": [True] * 9, "hn-4": [False] * 9})), "control − hn-4")
    assert (row["difference"], row["high"], row["not_applicable"]) == (1, 1, "")
    assert 0 < row["low"] < 1


def test_arms_that_were_not_asked_make_no_row():
    table = comparisons.paired(tiny({"control": [True, False], "hn-2": [False, True]}))
    assert table["contrast"].tolist() == ["control − hn-2"]


def test_the_headline_interval_and_tests_are_those_of_stats(frame):
    row = select(comparisons.paired(frame), "control − hn-4")
    asked = frame[frame["model"].eq(row["model"]) & frame["modality"].eq("markdown") & frame["judged"]]
    sides = [
        asked[asked["condition"].eq(name)].set_index("question_id")["correct"].astype(float)
        for name in ("control", "hn-4")
    ]
    gaps = (sides[0] - sides[1]).dropna()
    documents = frame.drop_duplicates("question_id").set_index("question_id")["document_id"].reindex(gaps.index)
    interval = stats.clustered_difference(gaps.to_numpy(), documents.tolist())
    assert (row["low"], row["high"]) == pytest.approx((interval.low, interval.high))
    assert row["p_document"] == stats.cluster_sign_flip(gaps.to_numpy(), documents.tolist()).p_value
    assert row["mid_p"] == stats.exact_mcnemar_counts(row["a_only"], row["b_only"]).mid_p


def test_every_method_stands_beside_the_headline(frame):
    table = comparisons.intervals(frame, 300, seed=5)
    headline = comparisons.paired(frame)
    headline = headline[headline["pooling"].ne("pairs")]
    assert len(table) == 6 * len(headline)
    names = table["interval"].unique().tolist()
    assert names[:2] == ["clustered t, CR2, two pairs added", "clustered t, CR2"]
    first = table[table["interval"].eq(names[0])].reset_index(drop=True)
    columns = ["contrast", "model", "difference", "low", "high", "n_pairs", "method"]
    pd.testing.assert_frame_equal(first[columns], headline[columns].reset_index(drop=True))
    assert table.loc[table["interval"].str.contains("bootstrap"), "method"].str.contains("300 resamples, seed 5").all()
    assert table.loc[table["interval"].str.contains("questions"), "n_clusters"].eq(table["n_pairs"]).all()
    pd.testing.assert_frame_equal(table, comparisons.intervals(frame, 300, seed=5))


def test_a_method_without_an_interval_speaks_of_its_own_units():
    table = comparisons.intervals(tiny({"control": [True] * 3, "hn-4": [False] * 3}), 99).set_index("interval")
    said = "interval: every {} has the same mean".format
    assert table.loc["clustered t, CR2", "not_applicable"] == said("source document")
    assert table.loc["percentile bootstrap, clusters", "not_applicable"] == said("source document")
    assert table.loc["percentile bootstrap, questions", "not_applicable"] == said("question")
    assert table.loc["clustered t, CR2, two pairs added", "not_applicable"] == ""


def test_cochran_by_hand():
    # Right in control only, in hn-4 only, in both: column totals 2 and 2, so Q is 0.
    frame = tiny({"control": [True, False, True], "hn-4": [False, True, True]})
    row = comparisons.cochran(frame, 99).iloc[0]
    assert (row["q"], row["p"], row["n_questions"], row["n_documents"]) == (0, 1, 3, 3)
    assert row["conditions"] == "control, hn-4"
    # Q for two conditions is (b - c)^2 / (b + c), McNemar's statistic: 4 in 4.
    frame = tiny({"control": [True] * 4, "hn-4": [False] * 4})
    assert comparisons.cochran(frame, 99).iloc[0]["q"] == pytest.approx(4)


@pytest.mark.parametrize(
    ("outcomes", "reason"),
    [
        ({"control": [True, False]}, "one condition"),
        ({"control": [True, None], "hn-4": [None, False]}, "no question has an outcome in every condition"),
        ({"control": [True, False], "hn-4": [True, False]}, "no question differs between conditions"),
    ],
)
def test_cochran_that_does_not_apply_says_why(outcomes, reason):
    row = comparisons.cochran(tiny(outcomes), 99).iloc[0]
    assert row["not_applicable"] == reason
    assert pd.isna(row["p"])


def test_equivalence_is_shown_only_inside_the_margin():
    same = [i % 3 > 0 for i in range(60)]
    moved = [*same[:58], not same[58], not same[59]]
    frame = tiny({"control": same, "random-4": moved})
    table = comparisons.equivalent(frame, 0.1)
    assert table["contrast"].tolist() == ["control − random-4"]
    row = table.iloc[0]
    assert row["equivalent"]
    assert -0.1 < row["low_90"] < row["difference"] < row["high_90"] < 0.1
    assert not comparisons.equivalent(frame, row["high_90"] - 1e-6).iloc[0]["equivalent"]
    none = comparisons.equivalent(tiny({"control": same, "random-4": same}), 0.1).iloc[0]
    assert "source document" in none["not_applicable"]
    assert pd.isna(none["equivalent"])
    with pytest.raises(frames.TablesError, match="margin = 5"):
        comparisons.equivalent(frame, 5)


def test_two_rows_of_one_question_are_refused_by_name():
    frame = tiny({"control": [True, False], "hn-4": [True, True]})
    twice = pd.concat([frame, frame.head(1)], ignore_index=True)
    with pytest.raises(frames.TablesError, match="question_id = 'q0000'"):
        comparisons.paired(twice)


# --- models against each other ---


def two_models(**changes):
    first = tiny({"control": [True, True, False]}, model="a")
    second = tiny({"control": [True, False, False]}, model="b").assign(**changes)
    return pd.concat([first, second], ignore_index=True)


def test_models_are_compared_on_the_questions_they_share():
    frame = two_models()
    row = asked_alike.between_models(frame).iloc[0]
    assert (row["first"], row["second"], row["condition"]) == ("a", "b", "control")
    assert row["difference"] == pytest.approx(1 / 3)
    assert (row["n_pairs"], row["n_family"]) == (3, 1)
    table = asked_alike.shared(frame)
    assert table[["n_first", "n_second", "n_shared"]].iloc[0].tolist() == [3, 3, 3]
    assert table["alike"].all()
    asked_alike.refuse_unlike(table)


@pytest.mark.parametrize("function", [asked_alike.shared, asked_alike.between_models])
def test_where_there_are_no_two_models_to_compare_a_row_says_so(function):
    alone = function(tiny({"control": [True, False]}))
    assert len(alone) == 1
    assert alone["not_applicable"].iloc[0].startswith("one model: a comparison of models takes two")
    asked_alike.refuse_unlike(asked_alike.shared(tiny({"control": [True]})))
    frame = tiny({"control": [True]}, model="a")
    apart = pd.concat([frame, tiny({"control": [True]}, model="b", modality="pdf")], ignore_index=True)
    assert "no two models were asked in the same modality" in function(apart)["not_applicable"].iloc[0]
    assert function(frame.head(0))["not_applicable"].tolist() == ["no model was asked"]
    assert {name: str(kind) for name, kind in alone.dtypes.items()} == {
        name: str(kind) for name, kind in function(two_models()).dtypes.items()
    }


def test_the_sides_of_a_comparison_do_not_depend_on_who_was_asked_first():
    frame = two_models()
    for rows in (frame, frame.iloc[::-1]):
        assert asked_alike.between_models(rows)[["first", "second"]].values.tolist() == [["a", "b"]]
        assert asked_alike.shared(rows)[["first", "second"]].values.tolist() == [["a", "b"]]


def test_every_row_that_compares_what_was_not_asked_alike_says_in_what():
    first = tiny({"control": [True, True, False], "hn-4": [True, True, True]}, model="a")
    second = tiny({"control": [True, False, None], "hn-4": [True, True, False]}, model="b")
    other = second["condition"].eq("control")
    second["cell_digest"] = second["cell_digest"].mask(other, "another")
    second["judge_fingerprint"] = second["judge_fingerprint"].mask(other & second["question_id"].eq("q0000"), "another")
    frame = pd.concat([first, second], ignore_index=True)
    table = asked_alike.between_models(frame).set_index("condition")
    # Of the three questions one was not answered by b: it is compared nowhere.
    said = "not asked alike: other cells for 2, other judges for 1 of 2 questions"
    assert table["remark"].to_dict() == {"control": said, "hn-4": ""}
    by_model = asked_alike.by_model(comparisons.paired(frame), asked_alike.shared(frame))
    # Over both conditions, unanswered cells included.
    cells = "not asked alike: other cells for 3, other judges for 1 of 6 cells"
    assert by_model["remark"].tolist() == [f"beside b {cells}", f"beside a {cells}"]
    assert asked_alike.by_model(comparisons.paired(frame))["remark"].eq("").all()


@pytest.mark.parametrize("column", ["cell_digest", "prompt_digest", "judge_fingerprint"])
def test_what_is_not_stored_does_not_count_as_alike(column):
    frame = two_models().assign(**{column: ["", "x", "x", "", "", "x"]})
    row = asked_alike.shared(frame).iloc[0]
    assert pd.isna(row["alike"])
    assert row["n_unknown"] == 2
    assert row["not_applicable"] == "what was asked is not stored for 2 cells"
    assert row[[name for name in row.index if name.startswith("n_other")]].eq(0).all()
    said = asked_alike.between_models(frame)["remark"].iloc[0]
    assert said == "what was asked is not stored for 2 of 3 questions, which may differ"
    asked_alike.refuse_unlike(asked_alike.shared(frame))
    # What is known to differ is not alike, whatever else is unknown.
    frame[column] = ["", "x", "x", "x", "y", "x"]  # Unknown, other, alike.
    row = asked_alike.shared(frame).iloc[0]
    assert (row["alike"], row["n_unknown"]) == (False, 1)


def test_a_cell_that_was_lost_has_nothing_to_differ_by():
    frame = two_models()
    lost = frame["model"].eq("b") & frame["question_id"].eq("q0000")
    digests = {name: frame[name].mask(lost, "") for name in ("cell_digest", "prompt_digest")}
    frame = frame.assign(status=frame["status"].mask(lost, "lost"), judged=frame["judged"] & ~lost, **digests)
    assert asked_alike.shared(frame)[["n_unknown", "alike"]].values.tolist() == [[0, True]]


def test_one_model_in_two_studies_is_not_taken_for_two_models():
    frame = tiny({"control": [True, False, True]})
    both = answers.side_by_side({"one": frame, "two": frame.assign(correct=[False, False, True])})
    for table in (asked_alike.shared(both), asked_alike.between_models(both)):
        assert table[["first", "second"]].values.tolist() == [["m (one)", "m (two)"]]
        assert table["remark"].tolist() == [
            "one model in two studies: the difference is the studies', not between models"
        ]
    other = answers.side_by_side({"one": frame, "two": frame.assign(model="n")})
    assert asked_alike.between_models(other)["remark"].tolist() == [""]


@pytest.mark.parametrize(
    ("column", "words"),
    [("cell_digest", "other cells"), ("prompt_digest", "other prompts"), ("judge_fingerprint", "other judges")],
)
def test_what_was_not_asked_alike_is_refused_unless_told(column, words):
    table = asked_alike.shared(two_models(**{column: "another"}).assign(**{column: ["one"] * 3 + ["another"] * 3}))
    with pytest.raises(frames.TablesError, match=f"a and b in markdown: {words} for 3 of 3 cells.*allow_unlike"):
        asked_alike.refuse_unlike(table)
    asked_alike.refuse_unlike(table, allow=True)


def test_an_answer_without_a_verdict_has_no_judge_to_differ_by():
    frame = two_models()
    frame["judge_fingerprint"] = ["one"] * 3 + ["one", "one", ""]
    assert asked_alike.shared(frame)["alike"].all()


def test_models_without_a_question_in_common_say_so():
    frame = two_models(question_id=["x0", "x1", "x2"])
    row = asked_alike.shared(frame).iloc[0]
    assert row["not_applicable"] == "no question in common"
    assert pd.isna(row["alike"])
    between = asked_alike.between_models(frame).iloc[0]
    assert between["not_applicable"] == "no question was answered and judged in both arms"
