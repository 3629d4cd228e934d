import ast
import dataclasses
import json
import shutil
from pathlib import Path

import nbformat
import pytest
from made_up_study import RESPONSE
from small_studies import make_document

from muddle_utils.inference import prompts
from muddle_utils.inference.routes import Model, Price, Route, find_model
from muddle_utils.judging import judges
from muddle_utils.rendering.rendering import render_documents
from muddle_utils.runs import costs
from muddle_utils.runs.costs import Plan
from muddle_utils.study.paths import Study
from muddle_utils.study.records import Cell, Exclusion, Question, Request, Verdict, response_key
from muddle_utils.study.rows import judged_digest, write_rows
from muddle_utils.study.store import Store

ROOT = Path(__file__).resolve().parents[2]
QUESTIONS = {
    name: Question(name, "source.pdf", text, answer, "Int", (1,), ("Pure-text",), "Brochure")
    for name, text, answer in (
        ("q1", "How long is the bridge?", "418"),
        ("q2", "When did the bridge open?", "1931"),
    )
}
PLACED = {"control": ("source.pdf",), "hn-2": ("other.pdf", "source.pdf", "third.pdf")}


def write_study(folder, name="s"):
    """Write what notebooks 01 and 02 leave: two questions, alone and with two distractors, in markdown and PDF."""
    run = Study(name, str(folder / "runs"), str(folder / "figures"))
    documents = [
        make_document(folder, "source.pdf", ["The bridge is 418 metres long.", "It opened in 1931."]),
        make_document(folder, "other.pdf", ["The tunnel is 977 metres long."]),
        make_document(folder, "third.pdf", ["The viaduct is 655 metres long."]),
    ]
    cells = [
        Cell(f"{q}|{name}", q, name, len(placed) - 1, "none", placed, placed.index("source.pdf"), "", "")
        for q in QUESTIONS
        for name, placed in PLACED.items()
    ]
    write_rows(run.rows("questions"), QUESTIONS.values())
    write_rows(run.rows("documents"), documents)
    write_rows(run.rows("cells"), cells)
    for modality in ("markdown", "pdf"):
        rows = render_documents(documents, modality, run.cache, renderer="pymupdf", workers=1, progress=False)
        write_rows(run.rows(f"renderings_{modality}"), rows)
        write_rows(run.rows(f"lost_{modality}"), [])
    return run


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    return write_study(tmp_path_factory.mktemp("study"))


@pytest.fixture
def study(written, tmp_path):
    shutil.copytree(written.folder, tmp_path / "runs" / written.name)
    return Study(written.name, str(tmp_path / "runs"), str(tmp_path / "figures"))


def request(number=1, condition="control", route="p/one", tokens=(1_000_000, 2_000_000), most=1000, **changes):
    cell = f"q{number}|{condition}"
    made = Request(
        *(cell, f"q{number}", condition, "m", "markdown", 1, f"f{number}{condition}", "", 1, 9, 9),
        parameters=json.dumps({"max_tokens": most}),
        route=route,
        tokens_least=tokens[0],
        tokens_most=tokens[1],
    )
    return dataclasses.replace(made, **changes)


PRICE = Price(2.0, 10.0, "2026-11-01", "the list")
MODEL = Model("m", (Route("p/one", price=PRICE),), {"max_tokens": 1000}, output_tokens=(100, 300))
UNKNOWN = dataclasses.replace(MODEL, routes=(Route("openai/nobody-knows-this", api_base="http://127.0.0.1:9/v1"),))


def plan(*requests, model=MODEL):
    return Plan(model, "markdown", requests, QUESTIONS)


def answer_to(row, text="418 metres", **changes):
    values = {"cell_id": row.cell_id, "question_id": row.question_id, "condition": row.condition, "model": row.model}
    shared = {"modality": row.modality, "replicate": row.replicate, "fingerprint": row.fingerprint}
    answered = {"status": "answered", "text": text, "error_class": "", "error": "", "cost": 0.5, "route": row.route}
    return dataclasses.replace(
        RESPONSE,
        **{**values, **shared, **answered, "parameters": row.parameters, "components": row.components, **changes},
    )


def test_a_sum_worked_by_hand():
    # Low: 1 M tokens in at $2 and 100 out at $10 a million; high: 2 M and 300; ceiling: 2 M and 1000.
    (row,) = costs.estimate_answers(plan(request()), None)
    assert (row.to_send, row.calls, row.infeasible, row.unknown_price) == (1, 1, 0, 0)
    assert (row.tokens_least, row.tokens_most) == (1_000_000, 2_000_000)
    assert row.low == pytest.approx(2.001)
    assert row.high == pytest.approx(4.003)
    assert row.ceiling == pytest.approx(4.01)


def test_no_reply_is_taken_for_longer_than_max_tokens():
    (row,) = costs.estimate_answers(plan(request(most=200)), None)
    assert row.high == row.ceiling == pytest.approx(4.002)


def test_rows_are_by_condition_and_add_up():
    rows = costs.estimate_answers(plan(request(), request(2), request(1, "hn-2", tokens=(10, 20))), None)
    assert [(row.condition, row.to_send) for row in rows] == [("control", 2), ("hn-2", 1)]
    assert rows[0].low == pytest.approx(2 * 2.001)
    assert rows[1].low == pytest.approx((10 * 2 + 100 * 10) / 1e6)


def test_an_unknown_price_is_unknown_and_never_zero():
    known = Route("p/one", price=PRICE)
    both = dataclasses.replace(MODEL, routes=(known, *UNKNOWN.routes))
    hidden = UNKNOWN.routes[0].name
    rows = costs.estimate_answers(plan(request(), request(2, route=hidden), model=both), None)
    assert (rows[0].unknown_price, rows[0].low) == (1, pytest.approx(2.001))
    text = costs.report(rows, [plan(model=both)], [], 0.0)
    assert "at least $2.00" in text
    assert "Total: at least $2.00, and 1 calls of unknown price" in text
    alone = costs.estimate_answers(plan(request(route=hidden), model=UNKNOWN), None)
    said = costs.report(alone, [plan(model=UNKNOWN)], [], 0.0)
    assert said.splitlines()[1].split()[-2:] == ["unknown", "unknown"]
    # A sum of nothing but unknown prices is no sum.
    assert "Total: unknown, since no price is known" in said and "Hard ceiling: unknown" in said
    assert "Total: at least" not in said and "$0" not in said
    assert "Prices: none is known" in said
    assert json.loads(costs.as_json(alone[0]))["low"] is None
    assert json.loads(costs.as_json(rows[0]))["low"] == pytest.approx(2.001)


def test_the_infeasible_cost_nothing_and_are_counted():
    broken = request(2, route="", infeasible="pdf_pages", detail="too many")
    (row,) = costs.estimate_answers(plan(request(), broken), None)
    assert (row.calls, row.infeasible, row.to_send) == (2, 1, 1)
    assert row.low == pytest.approx(2.001)
    (verdicts,) = costs.estimate_verdicts(plan(request(), broken), judges.find_judge("local/rules"), None)
    assert (verdicts.calls, verdicts.infeasible, verdicts.to_send, verdicts.ceiling) == (2, 1, 1, 0.0)


def test_what_is_stored_is_not_sent_again(tmp_path):
    rows = [request(), request(2), request(1, "hn-2"), request(2, "hn-2")]
    with Store(tmp_path / "s.sqlite") as store:
        store.add_response(answer_to(rows[0]))
        store.add_response(answer_to(rows[1], status="failed", error_class="timeout", text=""))
        store.add_response(answer_to(rows[2], status="failed", error_class="context_exceeded", text=""))
        found = costs.estimate_answers(plan(*rows), store)
    assert [(row.condition, row.to_send, row.calls) for row in found] == [("control", 1, 2), ("hn-2", 1, 2)]


def verdict_on(answer, judge, **changes):
    """Return the judge's verdict on a stored answer, as it is made today."""
    cell_id, fingerprint, replicate = response_key(answer)
    made = Verdict(
        *(fingerprint, replicate, cell_id, answer.model, answer.modality, judge.name, judge.fingerprint),
        *("judged", True, 1.0, "", '{"correct": true, "score": 1, "reasoning": ""}', "", False, 0.0, 0.0, 0.25, 1.0),
        time="2026-01-02T00:00:00+00:00",
        judged_digest=judged_digest(QUESTIONS[answer.question_id], answer),
        parser=judge.reading,
    )
    return dataclasses.replace(made, **changes)


JUDGE_MODEL = Model(
    "j", (Route("p/judge", price=Price(1.0, 4.0, "2026-11-01")),), {"max_tokens": 500}, output_tokens=(20, 60)
)
JUDGE = judges.Judge("j", JUDGE_MODEL, parameters={"max_tokens": 500})


def test_a_verdict_weighs_its_prompt_and_the_answer_that_is_to_come():
    (row,) = costs.estimate_verdicts(plan(request()), JUDGE, None)
    prompt = prompts.judge_prompt("How long is the bridge?", "418", "")
    least, most = len(prompt) // 6 + 100, len(prompt.encode()) // 2 + 300
    assert (row.tokens_least, row.tokens_most) == (least, most)
    assert row.low == pytest.approx((least * 1 + 20 * 4) / 1e6)
    assert row.high == pytest.approx((most * 1 + 60 * 4) / 1e6)
    # The budget counts both asks, each as long as it may be.
    assert row.ceiling == pytest.approx(2 * (most * 1 + 500 * 4) / 1e6)


def test_a_stored_answer_counts_as_it_is_and_a_judged_one_not_at_all(tmp_path):
    rows = [request(), request(2)]
    first, second = answer_to(rows[0], "418 metres"), answer_to(rows[1], "1931")
    judged = verdict_on(second, JUDGE)
    with Store(tmp_path / "s.sqlite") as store:
        for row in (first, second):
            store.add_response(row)
        (before,) = costs.estimate_verdicts(plan(*rows), JUDGE, store)
        store.add_verdict(judged)
        (after,) = costs.estimate_verdicts(plan(*rows), JUDGE, store)
    with Store(tmp_path / "t.sqlite") as store:
        for row in (first, second):
            store.add_response(row)
        store.add_verdict(dataclasses.replace(judged, parser="json 0"))
        (read_again,) = costs.estimate_verdicts(plan(*rows), JUDGE, store)
        store.add_verdict(dataclasses.replace(judged, parser="json 0", raw="Right!", judged_digest="other"))
        store.supersede(store.verdicts("j")[:1], "2026-11-30T00:00:00+00:00")
        (superseded,) = costs.estimate_verdicts(plan(*rows), JUDGE, store)
    prompt = prompts.judge_prompt("How long is the bridge?", "418", "418 metres")
    assert (before.to_send, after.to_send) == (2, 1)
    assert (after.tokens_least, after.tokens_most) == (len(prompt) // 6, len(prompt.encode()) // 2)
    assert read_again.to_send == 1, "what only has to be read again costs nothing"
    assert superseded.to_send == 2


def test_a_canary_is_counted_for_each_route_until_it_has_come_back(tmp_path):
    two = dataclasses.replace(MODEL, routes=(Route("p/one", price=PRICE), Route("p/two", price=PRICE)))
    rows = [request(), request(2), request(2, "hn-2", route="p/two")]
    (found,) = costs.estimate_canary(plan(*rows, model=two), None)
    assert (found.to_send, found.calls, found.condition) == (2, 2, "canary")
    assert 50 < found.tokens_least < found.tokens_most < 1000
    with Store(tmp_path / "s.sqlite") as store:
        store.add_response(answer_to(rows[0], cell_id="canary|markdown", condition="canary", fingerprint="c"))
        (found,) = costs.estimate_canary(plan(*rows, model=two), store)
    assert (found.to_send, found.calls) == (1, 2)


def test_embedded_models_cost_nothing(study):
    reader = find_model("local/reader")
    planned = costs.read_plan(study, reader, "markdown")
    rows, spent = costs.estimate([planned], [judges.find_judge("local/rules")], study)
    assert [row.stage for row in rows] == ["answers", "answers", "verdicts", "verdicts"], "and need no canary"
    assert {(row.low, row.high, row.ceiling, row.unknown_price) for row in rows} == {(0.0, 0.0, 0.0, 0)}
    assert spent == 0.0
    assert not study.store.exists(), "an estimate makes no store"
    text = costs.report(rows, [planned], [judges.find_judge("local/rules")], spent)
    assert "Total: $0 to $0." in text
    assert "the embedded models cost nothing" in text
    assert "Nothing was sent." in text


def test_tokens_of_real_renderings(study):
    model = dataclasses.replace(
        MODEL, routes=(Route("p/one", price=PRICE, max_pdf_pages=3),), pdf_page_tokens=(100, 200)
    )
    planned = costs.read_plan(study, model, "pdf")
    control, hn = costs.estimate_answers(planned, None)
    # The source has two pages, with both distractors it is four: one too many for the route.
    asked = [prompts.question_text("pdf", question.question) for question in QUESTIONS.values()]
    assert control.tokens_least == sum(len(text) // 6 + 2 * 100 for text in asked)
    assert control.tokens_most == sum(len(text.encode()) // 2 + 2 * 200 for text in asked)
    assert (hn.to_send, hn.infeasible, hn.calls, hn.low) == (0, 2, 2, 0.0)


def test_lost_cells_and_limits_are_left_out_as_in_notebook_03(study):
    write_rows(study.rows("lost_markdown"), [Exclusion("cell", "q1|hn-2", "document not rendered", "x")])
    planned = costs.read_plan(study, MODEL, "markdown")
    assert [row.cell_id for row in planned.requests] == ["q1|control", "q2|control", "q2|hn-2"]
    assert len(costs.read_plan(study, MODEL, "markdown", limit=1, conditions=["control"]).requests) == 1
    assert len(costs.read_plan(study, MODEL, "markdown", replicates=2).requests) == 6


def test_the_plan_is_the_one_that_notebook_03_makes(study):
    values = {
        **{"study": study.name, "runs_dir": study.runs_dir, "figures_dir": study.figures_dir},
        **{"model": "openai/gpt-5-mini", "modality": "markdown", "limit": 1, "seed": 7, "replicates": 2},
        "reasoning_effort": "low",
    }
    cells = nbformat.read(ROOT / "notebooks" / "03_inference.ipynb", as_version=4).cells
    code = [cell.source for cell in cells if cell.cell_type == "code"]
    names = {node.target.id: ast.literal_eval(node.value) for node in ast.parse(code[0]).body} | values
    last = next(place for place, source in enumerate(code) if "plan_requests(" in source)
    for source in code[1 : last + 1]:
        exec(source, names)  # noqa: S102 - the notebook's own code
    model = find_model(values["model"])
    asked = {
        name: names[name] for name in ("conditions", "n_sources", "limit", "seed", "reasoning_effort", "replicates")
    }
    assert costs.read_plan(study, model, "markdown", **asked).requests == names["requests"]
    assert len(names["requests"]) == 4


def test_the_report_says_what_is_assumed_and_what_is_left():
    rows = costs.estimate_answers(plan(request()), None)
    lines = costs.report(rows, [plan(request())], [], spent=1.5, budget=4.0).splitlines()
    assert lines[0].split() == "stage model modality condition to send in all infeasible tokens in low high".split()
    assert lines[1].split()[-3:] == ["1,000,000-2,000,000", "$2.00", "$4.00"]
    assert lines[2].startswith("subtotal")
    assert "Total: $2.00 to $4.00." in lines
    assert any(line.startswith("Hard ceiling: $4.01 ") and "$2.50 is left" in line for line in lines)
    assert lines[-3].startswith("Prices: the list, read 2026-11-01")
    assert "m: 100-300 a reply" in lines[-2]
    assert lines[-1] == "Nothing was sent; the study has cost $1.50 so far."
