import hashlib
import json
import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from muddle_utils import stats, tables
from muddle_utils.records import (
    CONDITIONS,
    Cell,
    Document,
    Exclusion,
    HardNegative,
    Question,
    Rendering,
    Request,
    Response,
    Verdict,
)
from muddle_utils.store import Store, write_rows
from muddle_utils.study import Study

MODELS = ("local/reader", "azure/gpt-5-mini")
TYPES = ("Guidebook", "Academic paper", "Financial report")
N_RESAMPLES = 300
SAME = "interval: every source document has the same mean"


def make_document(name, pages, role="source"):
    return Document(name, f"sha-{name}", f"/{name}", pages, 1000 * pages, name, TYPES[0], role, "demo", "CC0")


def make_rendering(name, modality, n_pages, status="rendered"):
    problem = "" if status == "rendered" else "encrypted and needs a password"
    chars = 1000 * n_pages if modality == "markdown" else 0
    return Rendering(
        name,
        f"sha-{name}",
        modality,
        "r",
        "1",
        "",
        f"k-{name}",
        f"/{name}",
        9,
        n_pages,
        chars,
        (),
        status,
        problem,
        0.1,
    )


def make_question(number, document, answer="42", answer_format="Int"):
    name = f"q{number:04d}"
    kind = TYPES[number % 3]
    return Question(
        name, document, f"How many in {name}?", answer, answer_format, (1,), ("Pure-text",), kind, skill="recall"
    )


def make_cell(question, condition, distractors):
    kind, _, k = condition.partition("-")
    role = {"control": "none", "hn": "hard_negative", "random": "random"}[kind]
    cell_id = f"{question.question_id}|{condition}"
    ids = (*distractors[:1], question.document_id, *distractors[1:])
    return Cell(cell_id, question.question_id, condition, int(k or 0), role, ids, len(distractors[:1]), "", "")


def make_request(cell, model, modality):
    return Request(
        cell.cell_id,
        cell.question_id,
        cell.condition,
        model,
        modality,
        1,
        f"f|{model}|{modality}",
        "",
        1,
        None,
        1,
        "{}",
    )


def make_response(request, text="42", status="answered", error_class="", error=""):
    return Response(
        request.cell_id,
        request.question_id,
        request.condition,
        request.model,
        request.modality,
        1,
        request.fingerprint,
        status,
        text,
        error_class,
        error,
        "stop",
        100,
        5,
        None,
        0.01,
        0.1,
        1,
        "",
        request.model,
        "{}",
        0.9,
        "",
        "t",
        "v",
    )


def make_verdict(response, correct, status="judged"):
    judged = status == "judged"
    return Verdict(
        response.fingerprint,
        1,
        response.cell_id,
        response.model,
        response.modality,
        "local/rules",
        "jf",
        status,
        correct if judged else None,
        float(correct) if judged else None,
        "by value" if judged else "",
        "raw",
        "" if judged else "the reply is no JSON",
        False,
        float(correct),
        float(correct),
        None,
        0.0,
        "t",
    )


class Rows:
    """A made-up study of 60 questions over 20 documents: five markdown conditions, control in image and PDF."""

    def __init__(self, n_questions=60, n_documents=20, seed=7):
        rng = np.random.default_rng(seed)
        sources = [f"s{i:02d}.pdf" for i in range(n_documents)]
        negatives = [f"h{i:03d}.pdf" for i in range(4 * n_documents)]
        self.documents = [make_document(name, 10 + i) for i, name in enumerate(sources)]
        self.documents += [make_document(name, 10 + i % 31, "hard_negative") for i, name in enumerate(negatives)]
        self.questions = [make_question(i, sources[i % n_documents]) for i in range(n_questions)]
        self.cells, self.requests, self.responses, self.verdicts = [], [], [], []
        for question in self.questions:
            place = sources.index(question.document_id)
            own = negatives[4 * place : 4 * place + 4]
            drawn = [str(name) for name in rng.choice([n for n in negatives if n not in own], 4, replace=False)]
            for condition in CONDITIONS:
                kind, _, k = condition.partition("-")
                names = {"control": (), "hn": own, "random": drawn}[kind][: int(k or 0)]
                self.cells.append(make_cell(question, condition, list(names)))
        ability = dict(zip(sources, rng.normal(0.8, 1.0, n_documents), strict=True))
        harm = {"control": 0.0, "hn-2": -0.6, "random-2": -0.1, "hn-4": -0.9, "random-4": -0.2}
        ease = {q.question_id: rng.normal(0, 0.8) for q in self.questions}
        for model in MODELS:
            for modality in ("markdown", "image", "pdf"):
                for cell in self.cells:
                    if modality != "markdown" and cell.condition != "control":
                        continue
                    request = make_request(cell, model, modality)
                    self.requests.append(request)
                    source = cell.document_ids[cell.source_position]
                    logit = ability[source] + ease[cell.question_id] + harm[cell.condition]
                    self._answer(request, rng.random() < 1 / (1 + math.exp(-logit)), rng.random())
        self.renderings = {
            modality: [make_rendering(d.document_id, modality, d.n_pages) for d in self.documents]
            for modality in ("markdown", "image", "pdf")
        }

    def _answer(self, request, correct, luck):
        if luck < 0.02:
            self.responses.append(make_response(request, "", "failed", "RateLimitError", "429"))
        elif luck < 0.03:
            return
        else:
            response = make_response(request, "42" if correct else "17 <script>alert(1)</script>")
            self.responses.append(response)
            if luck > 0.04:
                self.verdicts.append(make_verdict(response, bool(correct), "judged" if luck > 0.05 else "unjudged"))

    def frame(self, **changes):
        named = {
            "lost": {},
            "requests": self.requests,
            "responses": self.responses,
            "verdicts": self.verdicts,
        } | changes
        return tables.long_frame(self.questions, self.documents, self.cells, self.renderings, **named)


@pytest.fixture(scope="session")
def rows():
    return Rows()


@pytest.fixture(scope="session")
def frame(rows):
    return rows.frame()


def tiny(outcomes, documents=None, modality="markdown", model="m"):
    """Return a long frame from {condition: outcomes by question}, an outcome being True, False or None (failed)."""
    n = len(next(iter(outcomes.values())))
    documents = documents or [f"s{i}.pdf" for i in range(n)]
    questions = [make_question(i, documents[i]) for i in range(n)]
    cells, requests, responses, verdicts = [], [], [], []
    for condition, values in outcomes.items():
        for question, value in zip(questions, values, strict=True):
            cells.append(make_cell(question, condition, []))
            requests.append(make_request(cells[-1], model, modality))
            status = "failed" if value is None else "answered"
            responses.append(make_response(requests[-1], status=status, error_class="Timeout" if value is None else ""))
            if value is not None:
                verdicts.append(make_verdict(responses[-1], value))
    sources = [make_document(name, 10) for name in dict.fromkeys(documents)]
    return tables.long_frame(questions, sources, cells, {}, responses, verdicts, {}, requests)


# --- long_frame ---


def test_a_row_for_every_request_and_the_declared_columns(rows, frame):
    assert len(frame) == len(rows.requests) == 2 * 60 * (5 + 1 + 1)
    assert not frame.duplicated(["cell_id", "model", "modality"]).any()
    assert {name: str(kind) for name, kind in frame.dtypes.items()} == tables.FRAME_TYPES


def test_sizes_are_sums_over_the_cells_documents(rows, frame):
    cell = next(cell for cell in rows.cells if cell.condition == "hn-4")
    pages = {document.document_id: document.n_pages for document in rows.documents}
    expected = sum(pages[name] for name in cell.document_ids)
    row = frame[frame["cell_id"].eq(cell.cell_id) & frame["modality"].eq("markdown")].iloc[0]
    assert row["n_pages"] == expected
    assert row["n_chars"] == 1000 * expected
    assert frame.loc[frame["modality"].ne("markdown"), "n_chars"].isna().all()


def test_statuses_and_reasons():
    rows = Rows(n_questions=3, n_documents=3)
    control = [
        r for r in rows.requests if r.condition == "control" and r.modality == "markdown" and r.model == MODELS[0]
    ]
    answered = make_response(control[1], "forty-two")
    responses = [make_response(control[0], "", "failed", "Timeout", "no reply in 900 s"), answered]
    verdicts = [make_verdict(answered, False, "unjudged")]
    lost = {"markdown": [Exclusion("cell", "q0002|hn-2", "document not rendered", "h1.pdf: encrypted")]}
    frame = rows.frame(requests=control, responses=responses, verdicts=verdicts, lost=lost)
    shown = frame[["cell_id", "status", "cause", "reason", "answered", "judged"]].values.tolist()
    assert shown == [
        ["q0000|control", "failed", "Timeout", "Timeout: no reply in 900 s", False, False],
        ["q0001|control", "answered", "unjudged", "the reply is no JSON", True, False],
        ["q0002|control", "not_run", "not run", "no response is stored yet", False, False],
        ["q0002|hn-2", "lost", "document not rendered", "h1.pdf: encrypted", False, False],
    ]
    assert frame["correct"].isna().all()
    assert frame["n_response_chars"].tolist()[1] == len("forty-two")
    assert pd.isna(frame["n_response_chars"][0])


def test_an_answer_to_an_older_request_is_not_this_requests_answer(rows):
    older = [replace(row, fingerprint="older") for row in rows.responses]
    frame = rows.frame(responses=older)
    assert frame["status"].eq("not_run").all()


def test_order_of_the_rows_given_does_not_matter(rows, frame):
    other = rows.frame(responses=rows.responses[::-1], verdicts=rows.verdicts[::-1])
    pd.testing.assert_frame_equal(other, frame)


def test_without_requests_the_responses_are_what_was_asked(rows):
    assert len(rows.frame(requests=None)) == len(rows.responses)


def test_an_empty_study_has_an_empty_frame_with_the_columns():
    frame = tables.long_frame([], [], [], {}, [], [], {})
    assert list(frame.columns) == list(tables.FRAME_TYPES)
    assert len(tables.table_1(frame)) == len(tables.coverage(frame)) == len(tables.paired(frame)) == 0


@pytest.mark.parametrize("kind", ["responses", "verdicts", "requests"])
def test_a_repeated_row_is_refused_by_name(rows, kind):
    repeated = [*getattr(rows, kind), getattr(rows, kind)[3]]
    with pytest.raises(tables.TablesError, match=r"2 .* share a key.*q00"):
        rows.frame(**{kind: repeated})


def test_a_request_without_its_cell_is_refused_by_name(rows):
    stray = replace(rows.requests[0], cell_id="q9999|control")
    with pytest.raises(tables.TablesError, match=r"q9999\|control.*curation notebook"):
        rows.frame(requests=[*rows.requests, stray])


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
    rng = tables._generator(3, "table_1", row["model"], "markdown", "control")
    expected = stats.cluster_bootstrap_mean(
        group["correct"].to_numpy(dtype=float), group["document_id"].tolist(), rng, N_RESAMPLES
    )
    assert (row["low"], row["high"]) == (expected.low, expected.high)
    assert row["n_documents"] == expected.n_clusters
    assert row["low"] < row["accuracy"] < row["high"]
    assert "seed 3" in row["method"]
    assert "300 resamples" in row["method"]


def test_resamples_differ_by_seed_and_by_what_is_resampled():
    draws = {
        tables._generator(*label).random() for label in ((1, "a", "b"), (1, "a", "c"), (2, "a", "b"), (1, "a|b", ""))
    }
    assert len(draws) == 4
    assert tables._generator(1, "a").random() == tables._generator(1, "a").random()


def test_an_interval_does_not_depend_on_which_other_models_are_analysed(frame):
    alone = tables.table_1(frame[frame["model"].eq(MODELS[1])], N_RESAMPLES)
    both = tables.table_1(frame, N_RESAMPLES)
    pd.testing.assert_frame_equal(alone, both[both["model"].eq(MODELS[1])].reset_index(drop=True))


@pytest.mark.parametrize(
    ("outcomes", "documents", "reason"),
    [
        ([None, None], None, "no answered question"),
        ([True, True], None, "interval: every judged answer is right"),
        ([False, False, False], None, "interval: every judged answer is wrong"),
        ([True, False, True], ["one.pdf"] * 3, "interval: one source document"),
        ([True, False, True, False], ["a.pdf", "a.pdf", "b.pdf", "b.pdf"], SAME),
    ],
)
def test_what_cannot_be_computed_is_missing_with_its_reason(outcomes, documents, reason):
    frame = tiny({"control": outcomes}, documents)
    row = tables.table_1(frame, N_RESAMPLES).iloc[0]
    assert row["not_applicable"] == reason
    assert pd.isna(row["low"])
    assert pd.isna(row["high"])
    printed = tables.print_table_1(tables.table_1(frame, N_RESAMPLES)).iloc[0]["Markdown"]
    assert "not applicable" in printed
    assert reason.removeprefix("interval: ") in printed


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
    frame = tables.long_frame(questions, rows.documents, rows.cells, {}, responses, verdicts, {}, asked)
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


def make_candidate(name, verdict="good", reason="", position=0, source="s.pdf"):
    return HardNegative(source, name, 1, 1.0, 0.5, 0.1, 0.0, "pass", "", 20, verdict, reason, "", position)


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


# --- the paper's values ---


def test_published_values_are_the_papers_21():
    published = tables.published_table_1()
    assert len(published) == 3 * 5 + 3 * 2
    value = published[published["model"].eq("gpt-5-mini") & published["condition"].eq("hn-4")]["published"].item()
    assert value == 0.707


def test_a_model_of_the_paper_stands_beside_its_published_value(frame):
    table = tables.table_1(frame, N_RESAMPLES)
    both = tables.compare_published(table)
    row = both[both["model"].eq("azure/gpt-5-mini") & both["modality"].eq("markdown") & both["condition"].eq("hn-2")]
    measured = table[table["model"].eq("azure/gpt-5-mini") & table["condition"].eq("hn-2")]["accuracy"].item()
    assert row["published"].item() == 0.737
    assert row["difference"].item() == pytest.approx(measured - 0.737)
    reader = both[both["model"].eq("local/reader")]
    assert reader["published"].isna().all()
    assert reader["remark"].eq("not one of the paper's models").all()
    assert both["remark"].eq("published only: not run in this study").sum() == 14
    assert len(both) == 7 + 21


def test_the_statement_is_plain():
    statement = tables.published_statement(["local/reader", "azure/gpt-5-mini"])
    assert "local/reader is not one of the paper's models" in statement
    assert "azure/gpt-5-mini is in the paper" in statement
    assert "not one" not in tables.published_statement(["grok-4.3"])


# --- paired differences ---


def select(table, contrast, pooling=""):
    return table[table["contrast"].eq(contrast) & table["pooling"].eq(pooling)].iloc[0]


def test_a_paired_difference_by_hand():
    # Pairs judged in both arms: q0 (1, 0), q1 (1, 0), q2 (0, 1), q3 (1, 1); q4 lacks one. Difference (2 - 1) / 4.
    frame = tiny({"random-2": [True, True, False, True, True], "hn-2": [False, False, True, True, None]})
    row = select(tables.paired(frame, N_RESAMPLES), "random-2 − hn-2")
    assert row["difference"] == pytest.approx(0.25)
    assert (row["mean_a"], row["mean_b"]) == (0.75, 0.5)
    assert (row["n_pairs"], row["n_documents"], row["n_missing"], row["a_only"], row["b_only"]) == (4, 4, 1, 2, 1)
    # Exact two-sided McNemar of (2, 1): 2 (C(3,0) + C(3,1)) / 8 = 1.
    assert row["p"] == 1.0
    assert row["low"] <= row["difference"] <= row["high"]


def test_the_difference_is_the_difference_of_the_printed_means(frame):
    table = tables.paired(frame, N_RESAMPLES)
    assert np.allclose((table["mean_a"] - table["mean_b"]).astype(float), table["difference"].astype(float), atol=0.02)
    plain = table[table["pooling"].ne("question")]
    assert np.allclose((plain["mean_a"] - plain["mean_b"]).astype(float), plain["difference"].astype(float))


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
    table = tables.paired(frame, N_RESAMPLES)
    question = select(table, "random − hn, pooled over k = 2 and 4", "question")
    pairs = select(table, "random − hn, pooled over k = 2 and 4, each pair once", "pairs")
    assert question["n_pairs"] == 3
    assert question["difference"] == pytest.approx(1 / 3)
    # Sums of +-2, +-1, +-1 half-steps: at least |2| in 6 of 8 sign vectors.
    assert question["p"] == pytest.approx(6 / 8)
    assert pairs["n_pairs"] == 6
    assert pairs["difference"] == pytest.approx(1 / 3)
    assert (pairs["a_only"], pairs["b_only"]) == (3, 1)
    assert pd.isna(pairs["p_holm"])


def test_holm_is_over_the_declared_family_and_its_size_is_there(frame):
    table = tables.paired(frame, N_RESAMPLES)
    for question, size in (("RQ1", 3 * 2), ("RQ2", 6 * 2), ("RQ3", 3 * 2)):
        family = table[table["research_question"].eq(question) & table["pooling"].ne("pairs")]
        assert len(family) == size
        assert family["n_family"].eq(size).all()
        adjusted = stats.holm(family["p"].to_numpy(dtype=float, na_value=np.nan)).adjusted
        assert np.allclose(family["p_holm"].to_numpy(dtype=float, na_value=np.nan), adjusted, equal_nan=True)


def test_rq3_pairs_control_across_modalities(frame):
    table = tables.paired(frame, N_RESAMPLES)
    contrasts = table.loc[table["research_question"].eq("RQ3"), "contrast"].unique().tolist()
    assert contrasts == ["control: markdown − image", "control: markdown − pdf", "control: image − pdf"]


def test_rq4_adds_no_test(frame):
    table = tables.paired(frame, N_RESAMPLES)
    fourth = tables.by_model(table)
    assert len(fourth) == 2 * 2
    assert set(fourth["p"].dropna()) <= set(table["p"].dropna())
    assert fourth["n_family"].isin([6, 12]).all()


@pytest.mark.parametrize(
    ("control", "arm", "documents", "reason", "has_p"),
    [
        ([None, None], [True, False], None, "no question was answered and judged in both arms", False),
        ([True, False], [True, False], None, "no discordant pairs", False),
        ([True, True, False], [False, True, False], ["one.pdf"] * 3, "interval: one source document", True),
        ([True, True], [False, False], None, SAME, True),
    ],
)
def test_a_comparison_that_does_not_apply_says_why(control, arm, documents, reason, has_p):
    table = tables.paired(tiny({"control": control, "hn-4": arm}, documents), N_RESAMPLES)
    row = select(table, "control − hn-4")
    assert row["not_applicable"] == reason
    assert pd.isna(row["low"])
    assert pd.notna(row["p"]) == has_p
    text = tables.print_paired(table).iloc[0]
    assert "not applicable" in text["Difference [95 % interval]"]
    assert "nan" not in " ".join(text).lower()


def test_arms_that_were_not_asked_make_no_row():
    table = tables.paired(tiny({"control": [True, False], "hn-2": [False, True]}), N_RESAMPLES)
    assert table["contrast"].tolist() == ["control − hn-2"]


def test_paired_does_not_see_the_order_of_rows(frame):
    shuffled = frame.sample(frac=1, random_state=1)
    left, right = (tables.paired(f, N_RESAMPLES).set_index(["contrast", "model"]) for f in (frame, shuffled))
    counts = ["n_pairs", "a_only", "b_only", "p"]
    pd.testing.assert_frame_equal(left[counts].sort_index(), right[counts].sort_index())


# --- printing and saving ---


def test_estimates_are_printed_with_minus_signs_and_without_negative_zero():
    table = pd.DataFrame({"difference": [-0.0001], "low": [-0.05], "high": [0.05], "not_applicable": [""]})
    assert tables._estimate(tables.as_records(table)[0], "difference", "+") == "0.000 [−0.050, +0.050]"


def test_the_papers_layout_marks_what_was_not_asked(frame):
    table = tables.print_table_1(tables.table_1(frame, N_RESAMPLES))
    assert table["Condition"].tolist()[:5] == ["Control", "HN-2", "Random-2", "HN-4", "Random-4"]
    assert table.loc[1, "Image"] == "–"
    assert table.loc[0, "Image"].startswith("0.")
    counts = table.loc[0, "n, Markdown"].split("/")
    assert [int(count) for count in counts] == sorted(map(int, counts), reverse=True)


def test_numbers_are_rounded_as_the_paper_prints_them():
    frame = pd.DataFrame(
        {
            "markdown_chars_median": [115943.0],
            "pages_median": [35.0],
            "judge": [0.76296],
            "p": [0.0004],
            "n_asked": [1350],
        }
    )
    assert tables.printed(frame).iloc[0].tolist() == ["115,943", "35", "0.763", "<0.001", "1,350"]


@pytest.fixture
def study(tmp_path):
    return Study("test", str(tmp_path / "runs"), str(tmp_path / "figures"))


def test_a_saved_table_has_three_forms_and_an_entry(frame, study):
    table = tables.table_1(frame, N_RESAMPLES)
    layout = tables.print_table_1(table)
    files = tables.save_table("table_1", table, study, "Judge accuracy", "Notes.", {"command": "muddle run"}, layout)
    assert [file.name for file in files] == ["table_1.csv", "table_1.md", "table_1.tex"]
    manifest = json.loads((study.figures / "manifest.json").read_text())
    entry = manifest["items"]["table_1"]
    assert entry["study"] == "test"
    assert entry["metadata"] == {"command": "muddle run"}
    for file in files:
        assert entry["files"][file.name] == hashlib.sha256(file.read_bytes()).hexdigest()
    back = pd.read_csv(files[0], keep_default_na=False, na_values=[""])
    assert np.allclose(back["accuracy"], table["accuracy"].astype(float), rtol=1e-5)
    assert "seed 42" in files[1].read_text()
    assert "\\toprule" in files[2].read_text()


def test_saving_again_gives_identical_bytes(rows, study):
    def save():
        tables.save_table("table_4", tables.table_4(rows.frame()), study, "Metrics")
        return {path.name: path.read_bytes() for path in study.figures.iterdir()}

    assert save() == save()


def test_every_entry_stays_when_another_is_written(frame, study):
    tables.save_table("coverage", tables.coverage(frame), study, "Coverage")
    tables.save_table("table_4", tables.table_4(frame), study, "Metrics")
    assert set(json.loads((study.figures / "manifest.json").read_text())["items"]) == {"coverage", "table_4"}


@pytest.mark.parametrize("text", ["not json", "[]", '{"study": "test"}'])
def test_a_file_that_is_no_manifest_is_refused_with_the_mend(frame, study, text):
    study.figures.mkdir(parents=True)
    (study.figures / "manifest.json").write_text(text)
    with pytest.raises(tables.TablesError, match=r"manifest\.json.*delete it"):
        tables.save_table("table_4", tables.table_4(frame), study, "Metrics")


@pytest.mark.parametrize("name", ["../table", "Table 1", ""])
def test_a_name_that_is_no_file_name_is_refused(frame, study, name):
    with pytest.raises(tables.TablesError, match="name ="):
        tables.save_table(name, tables.table_4(frame), study, "Metrics")


def test_latex_cannot_be_commanded_by_a_text():
    escaped = tables.latex_escape(r"\input{x} 5 % of $a_b & c# ~^ <x>" + "\n\\end")
    assert escaped == (
        r"\textbackslash{}input\{x\} 5 \% of \$a\_b \& c\# \textasciitilde{}\textasciicircum{} "
        r"\textless{}x\textgreater{} \textbackslash{}end"
    )


def test_latex_and_markdown_tables_keep_their_shape(frame):
    table = pd.DataFrame({"a|b": ["x | y\nz", "<b>"], "n": ["1", "22"]})
    lines = tables.markdown_table(table, "Cap", ["note"]).splitlines()
    assert lines[2:6] == ["| a\\|b | n |", "| --- | --- |", "| x \\| y z | 1 |", "| &lt;b&gt; | 22 |"]
    latex = tables.latex_table(table, "Cap", "t", ["note"])
    assert r"\begin{tabular}{lr}" in latex
    assert latex.count(r"\\") == 3
    assert latex.count("{") == latex.count("}")


# --- reading a study's rows ---


def write_study(rows, study):
    for kind in ("questions", "documents", "cells"):
        write_rows(study.rows(kind), getattr(rows, kind))
    for modality in ("markdown", "image", "pdf"):
        write_rows(study.rows(f"renderings_{modality}"), rows.renderings[modality])
        write_rows(study.rows(f"lost_{modality}"), [])
        for model in MODELS:
            asked = [r for r in rows.requests if r.model == model and r.modality == modality]
            write_rows(study.rows(f"requests_{model.replace('/', '-')}_{modality}"), asked)


def test_a_study_on_disk_gives_the_same_frame(study):
    rows = Rows(n_questions=4, n_documents=2)
    write_study(rows, study)
    with Store(study.store) as store:
        for response in rows.responses:
            store.add_response(response)
        for verdict in rows.verdicts:
            store.add_verdict(verdict)
    frame = tables.read_frame(study, MODELS, ["markdown", "image", "pdf"], "local/rules")
    pd.testing.assert_frame_equal(frame, rows.frame())


def test_two_versions_of_a_judge_are_not_mixed(study):
    rows = Rows(n_questions=4, n_documents=2)
    write_study(rows, study)
    with Store(study.store) as store:
        for response in rows.responses:
            store.add_response(response)
        for verdict in rows.verdicts:
            store.add_verdict(verdict)
        store.add_verdict(replace(rows.verdicts[0], judge_fingerprint="newer"))
    with pytest.raises(tables.TablesError, match="two versions"):
        tables.read_frame(study, MODELS, ["markdown", "image", "pdf"], "local/rules")
