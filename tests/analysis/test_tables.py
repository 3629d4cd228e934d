import inspect
from dataclasses import replace

import pandas as pd
import pytest
from made_up_study import (
    MODELS,
    Rows,
    make_candidate,
    make_cell,
    make_document,
    make_question,
    make_rendering,
    make_request,
    make_response,
    make_verdict,
    tiny,
)

from muddle_utils import stats
from muddle_utils.analysis import asked_alike, comparisons, frames, published, reliability, tables
from muddle_utils.figures import layouts
from muddle_utils.inference.routes import Load, Model, Route
from muddle_utils.study.records import LIMITS, Exclusion

N_RESAMPLES = 300


# --- tables 1 and 4, coverage ---


def test_accuracy_and_counts_by_hand():
    # Control: right, right, wrong, failed -> 2 of 3 judged of 4 asked. Bounds: 2/4 and 3/4.
    frame = tiny({"control": [True, True, False, None]})
    row = tables.table_1(frame, N_RESAMPLES).iloc[0]
    assert row["accuracy"] == pytest.approx(2 / 3)
    assert (row["n_asked"], row["n_answered"], row["n_judged"], row["n_documents"]) == (4, 3, 3, 3)
    bounds = tables.coverage(frame).iloc[0]
    assert (bounds["lowest"], bounds["highest"], bounds["n_failed"], bounds["causes"]) == (0.5, 0.75, 1, "Timeout 1")


def test_every_gap_is_counted_once_and_bounds_hold_the_accuracy(frame):
    table = tables.coverage(frame)
    gaps = table[["n_refused", "n_failed", "n_infeasible", "n_lost", "n_not_run"]].sum(axis=1)
    assert (table["n_asked"] == table["n_answered"] + gaps).all()
    assert (table["n_answered"] == table["n_judged"] + table["n_unjudged"]).all()
    assert ((table["lowest"] <= table["accuracy"]) & (table["accuracy"] <= table["highest"])).all()
    assert table["n_unjudged"].sum() > 0
    assert table["n_not_run"].sum() > 0
    assert table["n_asked"].sum() == len(frame)


def test_the_interval_is_the_one_of_stats_over_documents(frame):
    row = tables.table_1(frame, N_RESAMPLES, seed=3).iloc[0]
    group = frame[frame["model"].eq(row["model"]) & frame["modality"].eq("markdown") & frame["condition"].eq("control")]
    group = group[group["judged"]]
    values, documents = group["correct"].to_numpy(dtype=float), group["document_id"].tolist()
    expected = stats.clustered_proportion(values, documents)
    assert (row["low"], row["high"]) == (expected.low, expected.high)
    assert row["n_documents"] == expected.n_clusters
    assert row["low"] < row["accuracy"] < row["high"]
    rng = tables.generator(3, "table_1", row["model"], "markdown", "control")
    resampled = stats.cluster_bootstrap_mean(values, documents, rng, N_RESAMPLES)
    assert (row["bootstrap_low"], row["bootstrap_high"]) == (resampled.low, resampled.high)
    assert "seed 3" in row["method"]
    assert "300 resamples" in row["method"]


def test_resamples_differ_by_seed_and_by_what_is_resampled():
    draws = {
        tables.generator(*label).random() for label in ((1, "a", "b"), (1, "a", "c"), (2, "a", "b"), (1, "a|b", ""))
    }
    assert len(draws) == 4
    assert tables.generator(1, "a").random() == tables.generator(1, "a").random()


def test_an_interval_does_not_depend_on_which_other_models_are_analysed(frame):
    alone = tables.table_1(frame[frame["model"].eq(MODELS[1])], N_RESAMPLES)
    both = tables.table_1(frame, N_RESAMPLES)
    pd.testing.assert_frame_equal(alone, both[both["model"].eq(MODELS[1])].reset_index(drop=True))


@pytest.mark.parametrize(
    ("outcomes", "documents", "reason"),
    [
        ([None, None], None, "no answered question"),
        ([True, False, True], ["one.pdf"] * 3, "interval: one source document"),
        ([True, True], ["one.pdf"] * 2, "interval: one source document"),
    ],
)
def test_what_cannot_be_computed_is_missing_with_its_reason(outcomes, documents, reason):
    frame = tiny({"control": outcomes}, documents)
    row = tables.table_1(frame, N_RESAMPLES).iloc[0]
    assert row["not_applicable"] == reason
    assert pd.isna(row["low"])
    assert pd.isna(row["high"])
    printed = layouts.print_table_1(tables.table_1(frame, N_RESAMPLES)).iloc[0]["Markdown"]
    assert "not applicable" in printed
    assert reason.removeprefix("interval: ") in printed


@pytest.mark.parametrize(("outcomes", "ends"), [([True] * 4, (0, 1)), ([False] * 4, (0, 1))])
def test_answers_that_are_all_right_or_all_wrong_have_an_interval_and_no_bootstrap(outcomes, ends):
    row = tables.table_1(tiny({"control": outcomes}), N_RESAMPLES).iloc[0]
    assert row["not_applicable"] == ""
    assert ends[0] <= row["low"] <= row["accuracy"] <= row["high"] <= ends[1]
    assert row["low"] < row["high"]
    assert pd.isna(row["bootstrap_low"])
    assert "bootstrap" not in row["method"]


def test_documents_of_one_accuracy_have_an_interval_at_full_size_and_no_bootstrap():
    # Both documents are half right: nothing says that questions of one go together, so four independent ones it is.
    row = tables.table_1(tiny({"control": [True, False, True, False]}, ["a.pdf", "a.pdf", "b.pdf", "b.pdf"]), 99).iloc[
        0
    ]
    assert row["low"] < 0.5 < row["high"]
    assert pd.isna(row["bootstrap_low"])


def test_table_4_by_hand():
    frame = tiny({"control": [True, False, None]})
    row = tables.table_4(frame).iloc[0]
    # Two answers "42" of two characters, one right; EM and F1 equal the outcome in the made-up verdicts.
    assert (row["judge"], row["f1"], row["em"], row["response_chars_mean"]) == (0.5, 0.5, 0.5, 2.0)
    assert (row["n_asked"], row["n_answered"], row["n_scored"], row["abstention_rate"]) == (3, 2, 2, 0.0)


def test_abstention_keeps_unanswerable_questions_apart(rows):
    questions = [replace(q, answer_format="None") if i < 2 else q for i, q in enumerate(rows.questions)]
    asked = [r for r in rows.requests if r.model == MODELS[0] and r.modality == "pdf"][:4]
    responses = [make_response(request, "Not answerable") for request in asked]
    declined = (True, True, True, False)
    verdicts = [replace(make_verdict(r, False), abstained=a) for r, a in zip(responses, declined, strict=True)]
    frame = frames.long_frame(questions, rows.documents, rows.cells, {}, responses, verdicts, {}, asked)
    table = tables.abstention(frame).set_index("answerable")
    # Two unanswerable questions, both declined; two answerable ones, one declined.
    assert table["n_scored"].to_dict() == {"no": 2, "yes": 2}
    assert table["abstention_rate"].to_dict() == {"no": 1.0, "yes": 0.5}


def test_f1_needs_no_judge():
    rows = Rows(n_questions=2, n_documents=2)
    request = rows.requests[0]
    response = make_response(request)
    verdict = make_verdict(response, True, "unjudged")
    row = tables.table_4(rows.frame(requests=[request], responses=[response], verdicts=[verdict])).iloc[0]
    assert row["f1"] == 1.0
    assert pd.isna(row["judge"])
    assert row["not_applicable"] == "no judged answer"


# --- tables 2 and 3, Figure 1's counts ---


def test_table_2_and_3_by_hand():
    documents = [make_document("s.pdf", 12), make_document("a.pdf", 10), make_document("b.pdf", 40)]
    question = make_question(1, "s.pdf")
    cells = [make_cell(question, "control", []), make_cell(question, "hn-2", ["a.pdf", "b.pdf"])]
    renderings = [make_rendering(d.document_id, "markdown", d.n_pages) for d in documents]
    second = tables.table_2(cells)
    assert second[["condition", "k", "n_cells"]].values.tolist() == [["control", 0, 1], ["hn-2", 2, 1]]
    third = tables.table_3(cells, documents, renderings).set_index("condition")
    # 12 + 10 + 40 pages, 1000 characters a page; distractors 10 to 40, median (10 + 40) / 2.
    assert third.loc["hn-2", "markdown_chars_median"] == 62_000
    assert third.loc["hn-2", "pages_median"] == 62
    assert third.loc["hn-2", "distractor_pages_median"] == 25
    assert third.loc["control", "source_pages_min"] == third.loc["control", "source_pages_max"] == 12
    assert pd.isna(third.loc["control", "distractor_pages_median"])


def test_a_cell_with_an_unrendered_document_has_no_size_and_is_counted():
    documents = [make_document("s.pdf", 12), make_document("a.pdf", 10)]
    cells = [make_cell(make_question(1, "s.pdf"), "random-2", ["a.pdf"])]
    renderings = [make_rendering("s.pdf", "markdown", 12), make_rendering("a.pdf", "markdown", 10, "failed")]
    row = tables.table_3(cells, documents, renderings).iloc[0]
    assert row["n_unrendered"] == 1
    assert pd.isna(row["markdown_chars_median"])
    assert row["pages_median"] == 22


def test_construction_counts_by_hand(rows, frame):
    candidates = [
        make_candidate("a", position=1),
        make_candidate("b", position=2),
        make_candidate("c", "bad", "page band: 61 pages, not 10 to 40"),
        make_candidate("d", "bad", "page band: 4 pages, not 10 to 40"),
        make_candidate("e", "bad", "token overlap: Jaccard 0.51, not under 0.45"),
        make_candidate("a", position=1, source="t.pdf"),
    ]
    exclusions = [Exclusion("question", "q1", "unanswerable", ""), Exclusion("question", "q2", "unanswerable", "")]
    counts = tables.construction_counts(rows.questions, candidates, exclusions, rows.cells, frame)
    found = {(step, item): n for step, item, n in counts.itertuples(index=False)}
    assert found["questions", "kept"] == 60
    assert found["questions", "source documents"] == 20
    assert found["question excluded", "unanswerable"] == 2
    assert found["candidates", "ranked"] == 6
    assert found["candidate not used", "page band"] == 2
    assert found["candidate not used", "token overlap"] == 1
    assert found["hard negatives", "in use"] == 3
    assert found["random pool", "documents"] == 2
    assert found["cells", "hn-4"] == 60
    assert found["modalities", "markdown"] == 300


# --- infeasible requests and routes that are not comparable ---


ROUTES = Model("m", (Route("a/m", max_images=50), Route("b/m", modalities=("image",), max_bytes=1000)))


def asked_of(loads, outcomes, other=(), modality="image"):
    """Return the long frame of one cell for each load; None as a load is a request without limits."""
    questions = [make_question(i, f"s{i}.pdf") for i in range(len(loads))]
    cells = [make_cell(question, "control", []) for question in questions]
    requests, responses, verdicts = [], [], []
    for number, (cell, load, outcome) in enumerate(zip(cells, loads, outcomes, strict=True)):
        _, limit, detail = ROUTES.choose(load) if load else (None, None, "")
        route = "" if limit else "c/m"
        request = replace(make_request(cell, "m", modality), detail=detail, route=route, comparable=number not in other)
        if limit:
            request = replace(request, infeasible=limit.name, limit_size=limit.size, limit_most=limit.most)
        requests.append(request)
        if not limit:
            responses.append(make_response(requests[-1]))
            verdicts.append(make_verdict(responses[-1], outcome))
    documents = [make_document(question.document_id, 10) for question in questions]
    return frames.long_frame(questions, documents, cells, {}, responses, verdicts, {}, requests)


def test_infeasible_requests_by_hand():
    # The second route is the last: 1,500 and 4,000 bytes break it by 1.5 and 4 times. PDF breaks no size on either.
    loads = [
        Load("image", 60, 0, 1500, (1, 1)),
        Load("image", 51, 0, 4000, (1, 1)),
        None,
        Load("image", 50, 0, 9000, (1, 1)),
    ]
    frame = asked_of(loads, [True] * 4)
    row = tables.infeasible_table(frame).iloc[0]
    # Fifty images pass the first route.
    assert (row["n_asked"], row["n_infeasible"], row["infeasible_share"]) == (4, 2, 0.5)
    assert (row["n_by_bytes"], row["n_by_images"], row["n_by_tokens"], row["n_by_modality"]) == (2, 0, 0, 0)
    assert row["largest_excess"] == 4
    assert row["largest"] == "4,000 bytes, 3,000 over 1,000 (4.00 times)"
    assert (row["n_not_comparable"], row["not_comparable_share"]) == (0, 0)


@pytest.mark.parametrize(
    ("limits", "load", "column", "excess"),
    [
        ({"max_images": 50}, Load("image", 75, 0, 9, (1, 1)), "n_by_images", 1.5),
        ({"max_pdf_pages": 100}, Load("pdf", 0, 225, 9, (1, 1)), "n_by_pdf_pages", 2.25),
        ({"max_bytes": 15_000_000}, Load("pdf", 0, 1, 15_000_001, (1, 1)), "n_by_bytes", 1 + 1 / 15_000_000),
        ({"max_tokens_in": 1000}, Load("markdown", 0, 0, 9, (3000, 9000)), "n_by_tokens", 3.0),
        ({"modalities": ("markdown",)}, Load("pdf", 0, 1, 9, (1, 1)), "n_by_modality", None),
    ],
)
def test_every_limit_has_a_column_and_its_excess_is_read(limits, load, column, excess, monkeypatch):
    monkeypatch.setitem(globals(), "ROUTES", Model("m", (Route("a/m", "http://127.0.0.1:8000/v1", **limits),)))
    row = tables.infeasible_table(asked_of([load, None], [True, True])).iloc[0]
    columns = [f"n_by_{limit}" for limit in LIMITS]
    assert [name for name in columns if row[name]] == [column]
    assert row[column] == row["n_infeasible"] == 1
    assert pd.isna(row["largest_excess"]) if excess is None else row["largest_excess"] == pytest.approx(excess)
    assert (row["largest"] == "") == (excess is None)


def test_a_request_row_of_before_its_limit_had_a_size_is_counted_without_one():
    (row,) = frames.as_records(tables.infeasible_table(asked_of([Load("image", 60, 0, 1500, (1, 1))], [True])))
    assert (row["n_by_bytes"], row["largest_excess"]) == (1, 1.5)
    old = asked_of([Load("image", 60, 0, 1500, (1, 1))], [True]).assign(limit_size=0, limit_most=0)
    (row,) = frames.as_records(tables.infeasible_table(old))
    assert (row["n_by_bytes"], row["largest"], pd.isna(row["largest_excess"])) == (1, "", True)


def test_infeasible_requests_are_those_of_the_coverage(frame):
    table = tables.infeasible_table(frame)
    assert table["n_infeasible"].eq(0).all()
    assert table["largest_excess"].isna().all()
    pd.testing.assert_series_equal(table["n_infeasible"], tables.coverage(frame)["n_infeasible"])
    loads = [Load("image", 60, 0, 1500, (1, 1)), None]
    coverage = tables.coverage(asked_of(loads, [True, True])).iloc[0]
    assert (coverage["n_infeasible"], coverage["causes"]) == (1, "bytes limit 1")


def test_an_estimate_by_a_route_that_shows_something_else_says_so():
    frame = asked_of([None] * 3, [True, False, True], other=(0, 2))
    table = tables.table_1(frame, N_RESAMPLES)
    said = "not comparable: 2 of 3 judged answers by c/m, which shows the model something else"
    assert table["remark"].tolist() == [said]
    layout = layouts.print_table_1(table)
    assert layout["Image"].iloc[0].endswith("(not comparable)")
    assert f"m, Image, Control: {said}." in layout.attrs["notes"]
    row = tables.infeasible_table(frame).iloc[0]
    assert (row["n_not_comparable"], row["not_comparable_share"]) == (2, pytest.approx(2 / 3))
    beside = published.compare_published(table)
    assert beside["remark"].iloc[0] == f"not one of the paper's models; {said}"


def test_only_judged_answers_make_an_estimate_not_comparable():
    frame = asked_of([None] * 3, [True, False, True], other=(0,))
    unjudged = frame.assign(judged=frame["question_id"].ne("q0000"))
    assert tables.table_1(unjudged, N_RESAMPLES)["remark"].tolist() == [""]
    assert tables.infeasible_table(unjudged)["n_not_comparable"].tolist() == [1]


def test_a_comparison_with_such_an_arm_says_so():
    shown = tiny({"control": [True, False, True]}, modality="markdown")
    other = asked_of([None] * 3, [False, True, True], other=(1,))
    table = comparisons.paired(pd.concat([shown, other], ignore_index=True))
    said = "not comparable: image control, where a route shows the model something else"
    assert table["remark"].tolist() == [said]
    layout = layouts.print_paired(table)
    assert layout["Difference [95 % interval]"].iloc[0].endswith("(not comparable)")
    assert "image Control, where a route shows" in layout.attrs["notes"]
    assert comparisons.paired(shown).empty


def test_what_is_comparable_has_no_remark(frame):
    assert tables.table_1(frame, N_RESAMPLES)["remark"].eq("").all()
    assert comparisons.paired(frame)["remark"].eq("").all()
    assert "not comparable" not in layouts.print_table_1(tables.table_1(frame, N_RESAMPLES)).attrs["notes"]


# --- what every table of the long frame keeps to ---


def ratings_of(frame):
    """Return a frame as answers that two judges see: the second calls every fifth otherwise."""
    number = frame["question_id"].str[1:].astype(int) + frame["condition"].str.len()
    other = frame["correct"].mask(number % 5 == 0, ~frame["correct"])
    return frame[list(reliability.RATING_COLUMNS)].assign(a=frame["correct"], b=other)


def agreement_of(frame):
    return reliability.judge_agreement(ratings_of(frame), ["a", "b"], tables.generator(1), 50)


SMALL = Rows(n_questions=20, n_documents=8).frame()
ACCURACY = tables.table_1(SMALL, 50)
# Every public function of a long frame or of ratings, applied to such a frame.
TABLES = {
    "table_1": lambda frame: tables.table_1(frame, 50),
    "tokens_table": lambda frame: tables.tokens_table(frame, ACCURACY),
    "table_4": tables.table_4,
    "abstention": tables.abstention,
    "coverage": tables.coverage,
    "infeasible_table": tables.infeasible_table,
    "construction_counts": lambda frame: tables.construction_counts([], [], [], [], frame),
    "paired": comparisons.paired,
    "intervals": lambda frame: comparisons.intervals(frame, 50),
    "cochran": lambda frame: comparisons.cochran(frame, 50),
    "equivalent": lambda frame: comparisons.equivalent(frame, 0.05),
    "shared": asked_alike.shared,
    "between_models": asked_alike.between_models,
    "judge_agreement": agreement_of,
    "judge_accuracy": lambda frame: reliability.judge_accuracy(ratings_of(frame), ["a", "b"]),
    "disagreements": lambda frame: reliability.disagreements(ratings_of(frame), ["a", "b"]),
    "replicate_table": lambda frame: reliability.replicate_table({1: SMALL, 2: frame}),
    "variance_table": lambda frame: reliability.variance_table({1: ratings_of(frame)}, ["a", "b"]),
}
# These make no table.
NO_TABLE = {"groups", "incomparable", "outcomes_of", "units_of", "read_construction_counts"}


def test_no_table_of_the_long_frame_is_left_out_here():
    given = {"frame", "ratings", "ratings_by_run", "frames_by_replicate"}
    found = {
        name
        for module in (tables, comparisons, asked_alike, reliability)
        for name, function in vars(module).items()
        if inspect.isfunction(function) and function.__module__ == module.__name__ and not name.startswith("_")
        if given & set(inspect.signature(function).parameters)
    }
    assert found - NO_TABLE == set(TABLES)


@pytest.mark.parametrize("name", TABLES)
def test_two_rows_of_one_question_are_one_error_that_names_them(name):
    twice = pd.concat([SMALL, SMALL.tail(1)], ignore_index=True)
    with pytest.raises(frames.TablesError, match=r"2 .* share a key.*condition = 'control'.*question_id = 'q0019'"):
        TABLES[name](twice)


@pytest.mark.parametrize("name", TABLES)
def test_the_order_of_rows_changes_no_table(name):
    expected = TABLES[name](SMALL)
    assert len(expected)
    for seed in (1, 2):
        shuffled = SMALL.sample(frac=1, random_state=seed)
        by_model = shuffled.sort_values("model", key=lambda names: names.map(MODELS.index), kind="stable")
        assert not by_model["cell_id"].reset_index(drop=True).equals(SMALL["cell_id"])
        pd.testing.assert_frame_equal(TABLES[name](by_model), expected, check_exact=True)
    # Which model is named first decides whose rows are first, and nothing else.
    backwards = TABLES[name](SMALL.iloc[::-1])
    keys = [column for column, kind in expected.dtypes.items() if kind == "str"]
    left, right = (table.sort_values(keys, ignore_index=True) for table in (backwards, expected))
    pd.testing.assert_frame_equal(left, right, check_exact=True)


@pytest.mark.parametrize(
    ("reason", "units", "said"),
    [
        (stats.Reason("one {unit}", "drawing it again shows nothing", "cluster"), "questions", "one question"),
        (
            stats.Reason("every {unit} has the same mean", "nothing varies"),
            "questions",
            "every question has the same mean",
        ),
        (stats.Reason("one {unit}", "nothing varies"), "source documents", "one source document"),
        ("no values: of a unit or cluster", "questions", "no values: of a unit or cluster"),
    ],
)
def test_a_reason_speaks_of_what_the_units_are(reason, units, said):
    assert tables.reason_of(reason, units) == said


def test_what_is_nan_is_missing():
    assert tables.known(float("nan")) is None
    assert tables.known(0.0) == 0.0
