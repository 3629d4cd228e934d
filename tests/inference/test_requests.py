import asyncio
import base64
import contextlib
import dataclasses
import hashlib
import json
import time

import pytest
from conftest import completion
from small_studies import make_document

from muddle_utils.corpus.cells import lost_cells
from muddle_utils.inference import client, local
from muddle_utils.inference.client import Patience
from muddle_utils.inference.dispatch import StageStoppedError
from muddle_utils.inference.requests import (
    answer_requests,
    build_message,
    least_input,
    least_tokens,
    pending,
    plan_requests,
)
from muddle_utils.inference.routes import Model, Price, Route, find_model
from muddle_utils.rendering.rendering import render_documents
from muddle_utils.study.records import Cell, Question
from muddle_utils.study.store import Store, StoreError

MODEL = "openai/some-model"


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    """Two questions over one source, each alone and with two distractors, rendered in all modalities; never changed."""
    folder = tmp_path_factory.mktemp("study")
    documents = [
        make_document(folder, "source.pdf", ["The bridge is 418 metres long.", "It opened in 1931."]),
        make_document(folder, "other.pdf", ["The tunnel is 977 metres long."]),
        make_document(folder, "third.pdf", ["The viaduct is 655 metres long."]),
    ]
    questions = {
        name: Question(name, "source.pdf", text, answer, "Int", (1,), ("Pure-text",), "Brochure")
        for name, text, answer in (
            ("q1", "How long is the bridge?", "418"),
            ("q2", "When did the bridge open?", "1931"),
        )
    }
    cells = {}
    for name in questions:
        for condition, placed in (("control", ("source.pdf",)), ("hn-2", ("other.pdf", "source.pdf", "third.pdf"))):
            k = len(placed) - 1
            cell = Cell(f"{name}|{condition}", name, condition, k, "none", placed, placed.index("source.pdf"), "", "")
            cells[cell.cell_id] = cell
    rendered = {
        modality: {
            row.document_id: row
            for row in render_documents(
                documents, modality, folder / "cache", renderer="pymupdf", workers=1, progress=False
            )
        }
        for modality in ("markdown", "image", "pdf")
    }
    return questions, cells, rendered


def plan(study, model=MODEL, modality="markdown", server=None, replicates=1, **parameters):
    questions, cells, rendered = study
    asked = model if isinstance(model, Model) else find_model(model, api_base=server.url if server else "")
    return plan_requests(cells.values(), questions, rendered[modality], asked, modality, parameters, replicates)


def answer(study, store, requests, server=None, modality="markdown", model=None, **options):
    questions, cells, rendered = study
    asked = model or find_model(requests[0].model, api_base=server.url if server else "")
    options = {"concurrency": 2, "progress": False, **options}
    return asyncio.run(answer_requests(requests, cells, questions, rendered[modality], store, asked, **options))


@pytest.fixture(autouse=True)
def _key(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789")
    monkeypatch.setattr(client, "FIRST_WAIT", 0.01)


def test_the_whole_markdown_message(study):
    questions, cells, rendered = study
    placed = [rendered["markdown"][name] for name in cells["q1|hn-2"].document_ids]
    blocks = build_message(questions["q1"].question, placed, "markdown")
    assert [block["type"] for block in blocks] == ["text"] * 4
    assert "".join(block["text"] for block in blocks) == (
        "You are given one or more documents (converted to markdown). Using ONLY their content, answer the question "
        'with a short, direct answer and nothing else. If the documents do not contain the answer, reply "Not '
        'answerable".\n\nQuestion: How long is the bridge?\n'
        "## Document 1\n\n<!-- page 1 -->\n\nThe tunnel is 977 metres long.\n\n\n"
        "## Document 2\n\n<!-- page 1 -->\n\nThe bridge is 418 metres long.\n\n"
        "<!-- page 2 -->\n\nIt opened in 1931.\n\n\n"
        "## Document 3\n\n<!-- page 1 -->\n\nThe viaduct is 655 metres long.\n\n\n"
    )


def test_pdfs_and_images_travel_whole_and_nameless(study):
    questions, _, rendered = study
    pdf = build_message(questions["q1"].question, [rendered["pdf"]["source.pdf"]], "pdf")
    assert [block["type"] for block in pdf] == ["text", "text", "file"]
    assert pdf[2]["file"]["filename"] == "document-1.pdf"
    sent = base64.b64decode(pdf[2]["file"]["file_data"].removeprefix("data:application/pdf;base64,"))
    assert hashlib.sha256(sent).hexdigest() == rendered["pdf"]["source.pdf"].sha256
    image = build_message(questions["q1"].question, [rendered["image"]["source.pdf"]], "image", "1536q90")
    assert [block["type"] for block in image] == ["text", "text", "image_url", "image_url"]
    assert {block["image_url"]["detail"] for block in image[2:]} == {"high"}
    assert "source" not in str([block for block in pdf if block["type"] == "text"])


def test_equal_plans_have_equal_fingerprints_and_cells_have_their_own(study):
    first, again = plan(study), plan(study)
    assert first == again
    assert len({request.fingerprint for request in first}) == len(first) == 4


@pytest.mark.parametrize(
    "change",
    [
        {"model": "openai/other"},
        {"modality": "pdf"},
        {"temperature": 0.5},
    ],
)
def test_what_is_sent_otherwise_has_another_fingerprint(study, change):
    before = {request.cell_id: request.fingerprint for request in plan(study)}
    after = {request.cell_id: request.fingerprint for request in plan(study, **change)}
    assert all(before[cell_id] != after[cell_id] for cell_id in before)


def test_a_changed_prompt_or_document_has_another_fingerprint(study, monkeypatch):
    questions, cells, rendered = study
    before = plan(study)
    changed = {
        **rendered["markdown"],
        "other.pdf": dataclasses.replace(rendered["markdown"]["other.pdf"], key="another"),
    }
    after = plan_requests(cells.values(), questions, changed, find_model(MODEL), "markdown", {})
    same = {a.condition: a.fingerprint == b.fingerprint for a, b in zip(before, after, strict=True)}
    assert same == {"control": True, "hn-2": False}
    monkeypatch.setattr("muddle_utils.inference.prompts.INSTRUCTION", "Read {form}.")
    assert all(a.fingerprint != b.fingerprint for a, b in zip(before, plan(study), strict=True))


def test_a_cell_with_an_unrendered_document_is_lost_with_the_reason(study):
    questions, cells, rendered = study
    broken = dataclasses.replace(rendered["markdown"]["other.pdf"], status="failed", problem="it is encrypted", path="")
    renderings = {**rendered["markdown"], "other.pdf": broken}
    planned = plan_requests(cells.values(), questions, renderings, find_model(MODEL), "markdown", {})
    assert [row.cell_id for row in planned] == ["q1|control", "q2|control"]
    assert [(row.identifier, row.detail) for row in lost_cells(cells.values(), renderings)] == [
        ("q1|hn-2", "other.pdf: it is encrypted"),
        ("q2|hn-2", "other.pdf: it is encrypted"),
    ]


def test_answered_requests_are_never_sent_again_and_failed_ones_are(study, chat_server, tmp_path):
    requests = plan(study, server=chat_server)
    # The second and the third request fail in the first run; the sixth request and later ones are the second run's.
    chat_server.respond = lambda number, body: (
        (400, {}, {"error": {"message": "no"}}) if number in (2, 3) else (200, {}, completion("42"))
    )
    with Store(tmp_path / "store.sqlite") as store:
        assert answer(study, store, requests, chat_server) == 4
        assert len(pending(requests, store)) == 2
        failed = [row for row in store.responses() if row.status == "failed"]
        assert {row.error_class for row in failed} == {"bad_request"}
        assert answer(study, store, requests, chat_server) == 2
        assert len(chat_server.requests) == 6
        assert pending(requests, store) == []
        assert answer(study, store, requests, chat_server) == 0
        assert len(chat_server.requests) == 6
        assert len(store.attempts()) == 6, "the failures are kept, too"
        assert {row.model for row in store.responses()} == {MODEL}


def test_nothing_is_sent_without_a_key(study, chat_server, tmp_path, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY")
    with (
        Store(tmp_path / "store.sqlite") as store,
        pytest.raises(client.ModelError, match="needs OPENAI_API_KEY in the environment"),
    ):
        answer(study, store, plan(study, server=chat_server), chat_server)
    assert chat_server.requests == []


@pytest.mark.parametrize("modality", ["markdown", "pdf", "image"])
def test_the_embedded_reader_answers_in_every_modality(study, tmp_path, modality):
    requests = plan(study, model=client.READER, modality=modality)
    with Store(tmp_path / "store.sqlite") as store:
        answer(study, store, requests, modality=modality)
        texts = {row.cell_id: row.text for row in store.responses()}
        assert len(texts) == 4
        assert "418" in texts["q1|control"]
        row = next(row for row in store.responses() if row.cell_id == "q1|control")
    assert row.confidence is not None
    assert '"page": 1' in row.read_from
    assert row.cost == 0.0


def test_a_server_that_calls_the_same_reader_gives_the_same_rows(study, chat_server, tmp_path, monkeypatch):
    # Both are sent the same blocks, so that both count the same.
    monkeypatch.setattr(client, "plainest", lambda content: content)

    def respond(number, body):
        done = asyncio.run(local.complete(client.READER, body["messages"][0]["content"]))
        usage = {**vars(done.usage), "total_tokens": done.usage.prompt_tokens + done.usage.completion_tokens}
        return 200, {}, {**completion(done.choices[0].message.content), "usage": usage}

    chat_server.respond = respond
    rows = []
    for model, server in ((client.READER, None), (MODEL, chat_server)):
        with Store(tmp_path / f"{bool(server)}.sqlite") as store:
            answer(study, store, plan(study, model, server=server), server)
            rows.append({row.cell_id: dataclasses.asdict(row) for row in store.responses()})
    ours, theirs = rows
    assert len(chat_server.requests) == len(ours) == 4
    # What names the model or is its own, and what nobody else is told of an answer.
    own = {"model", "route", "model_returned", "fingerprint", "components", "parameters", "sent", "cost", "at_most"}
    own |= {"seconds", "time", "confidence", "read_from"}
    for cell_id, row in ours.items():
        assert {name: row[name] for name in row.keys() - own} == {
            name: theirs[cell_id][name] for name in row.keys() - own
        }


# --- routes ---


def two_routes(server, **limits):
    """Return a model with a small route first and a large one after it, both on the server."""
    small = Route("openai/small", server.url, listed=True, **limits)
    return Model("panel", (small, Route("openai/large", server.url, listed=True)), {"max_tokens": 50}, listed=True)


def test_a_request_takes_the_first_route_that_can_carry_it(study, chat_server, tmp_path):
    model = two_routes(chat_server, max_images=2)
    requests = plan(study, model, "image")
    assert {(row.condition, row.route.split()[0]) for row in requests} == {
        ("control", "openai/small"),
        ("hn-2", "openai/large"),
    }
    with Store(tmp_path / "store.sqlite") as store:
        answer(study, store, requests, modality="image", model=model)
        routes = {row.condition: row.route.split()[0] for row in store.responses()}
    assert routes == {"control": "openai/small", "hn-2": "openai/large"}
    assert sorted(body["model"] for body in chat_server.requests) == ["large", "large", "small", "small"]


def test_what_no_route_can_carry_is_infeasible_and_costs_nothing(study, chat_server, tmp_path):
    route = Route("openai/small", chat_server.url, listed=True, max_pdf_pages=3)
    model = Model("panel", (route,), {"max_tokens": 50}, listed=True)
    requests = plan(study, model, "pdf")
    broken = [row for row in requests if row.infeasible]
    assert {row.condition for row in broken} == {"hn-2"}
    assert {(row.infeasible, row.route) for row in broken} == {("pdf_pages", "")}
    assert broken[0].detail == f"{route.name}: 4 pdf pages, 1 over 3 (1.33 times)"
    assert (broken[0].limit_size, broken[0].limit_most) == (4, 3)
    with Store(tmp_path / "store.sqlite") as store:
        assert answer(study, store, requests, modality="pdf", model=model) == 2
        assert pending(requests, store) == []
        assert {row.condition for row in store.attempts()} == {"control"}


def test_the_sizes_of_a_request_are_those_of_what_is_sent(study, chat_server, tmp_path):
    requests = plan(study, server=chat_server)
    with Store(tmp_path / "store.sqlite") as store:
        answer(study, store, requests, chat_server)
    by_text = {}
    for body in chat_server.requests:
        text = body["messages"][0]["content"]
        by_text[text] = body
    assert len(by_text) == 4
    for request in requests:
        least, most = request.tokens_least, request.tokens_most
        assert 0 < least < most
    # One token is at most six characters and at least two bytes of the text; headers are not counted.
    longest = max(len(text) for text in by_text)
    assert max(row.tokens_least for row in requests) <= longest // 6
    assert max(row.tokens_most for row in requests) <= longest // 2


def test_a_message_of_text_alone_travels_as_one_text_and_any_other_in_blocks(study, chat_server, tmp_path):
    questions, cells, rendered = study
    with Store(tmp_path / "store.sqlite") as store:
        for modality in ("markdown", "pdf"):
            answer(study, store, plan(study, modality=modality, server=chat_server), chat_server, modality)
    sent = [body["messages"][0]["content"] for body in chat_server.requests]
    placed = [rendered["markdown"][name] for name in cells["q1|hn-2"].document_ids]
    whole = "".join(block["text"] for block in build_message(questions["q1"].question, placed, "markdown"))
    assert whole in sent
    assert sum(isinstance(content, list) for content in sent) == 4


# --- what arrives ---


def test_a_usage_below_what_was_sent_is_a_lost_attachment(study, chat_server, tmp_path):
    body = completion("42")
    body["usage"]["prompt_tokens"] = 24
    chat_server.respond = lambda number, request: (200, {}, body)
    with Store(tmp_path / "store.sqlite") as store:
        with pytest.raises(StageStoppedError, match="attachment_lost"):
            answer(study, store, plan(study, modality="pdf", server=chat_server), chat_server, "pdf", concurrency=1)
        (row,) = store.responses()
    assert (row.status, row.error_class, row.text) == ("failed", "attachment_lost", "42")
    assert row.error.startswith("the provider reports 24 input tokens where at least ")
    assert len(chat_server.requests) == 1, "nothing more is paid for"


def test_the_least_a_message_can_be(study):
    questions, _, rendered = study
    markdown = build_message(questions["q1"].question, [rendered["markdown"]["source.pdf"]], "markdown")
    words = len("".join(block["text"] for block in markdown).split())
    assert least_tokens(markdown, 2) == int(0.8 * words)
    image = build_message(questions["q1"].question, [rendered["image"]["source.pdf"]], "image", "1536q90")
    pdf = build_message(questions["q1"].question, [rendered["pdf"]["source.pdf"]], "pdf")
    # What is counted by document is what the whole message comes to, but for the headers between.
    for modality, message in (("markdown", markdown), ("image", image), ("pdf", pdf)):
        counted = least_input(questions["q1"].question, [rendered[modality]["source.pdf"]], modality)
        assert least_tokens(message, 2) - 4 <= counted <= least_tokens(message, 2)
    bare = least_tokens([block for block in image if block["type"] == "text"], 0)
    assert least_tokens(image, 2) == bare + 2 * 60
    assert least_tokens(pdf, 2) >= 2 * 20


# --- once ---


def test_replicates_are_requests_of_their_own(study, chat_server, tmp_path):
    requests = plan(study, server=chat_server, replicates=3)
    assert [row.replicate for row in requests] == [1, 2, 3] * 4
    assert len({row.fingerprint for row in requests}) == 4
    with Store(tmp_path / "store.sqlite") as store:
        assert answer(study, store, requests, chat_server) == 12
        assert answer(study, store, requests, chat_server) == 0
        assert len(store.responses()) == 12
    with pytest.raises(ValueError, match="replicates = 0"):
        plan(study, replicates=0)


def test_what_is_too_long_is_not_sent_again_until_it_is_superseded(study, chat_server, tmp_path):
    requests = plan(study, server=chat_server)
    chat_server.respond = lambda number, body: (400, {}, {"error": {"message": "maximum context length is 8 tokens"}})
    with Store(tmp_path / "store.sqlite") as store:
        answer(study, store, requests, chat_server)
        assert {row.error_class for row in store.responses()} == {"context_exceeded"}
        assert answer(study, store, requests, chat_server) == 0
        store.supersede(store.responses(), "now")
        assert answer(study, store, requests, chat_server) == 4


def test_asked_and_sent_parameters_are_both_stored(study, chat_server, tmp_path):
    requests = plan(study, server=chat_server, max_tokens=77)
    with Store(tmp_path / "store.sqlite") as store:
        answer(study, store, requests, chat_server)
        row = store.responses()[0]
    assert (row.parameters, row.sent) == ('{"max_tokens": 77}', '{"max_tokens": 77}')
    assert {body["max_tokens"] for body in chat_server.requests} == {77}
    assert set(json.loads(row.components)) == {"prompt", "question", "documents", "image setting", "parameters"}


def test_a_parameter_that_would_be_dropped_stops_before_the_first_request(study, chat_server, tmp_path):
    model = Model("openai/gpt-5-mini", (Route("openai/gpt-5-mini", chat_server.url),), {"temperature": 0.0})
    requests = plan(study, model, temperature=0.0)
    with Store(tmp_path / "store.sqlite") as store:
        with pytest.raises(client.ModelError, match="temperature"):
            answer(study, store, requests, model=model)
        assert chat_server.requests == []
        answer(study, store, requests, model=model, waive=["temperature"])
        assert "temperature" not in chat_server.requests[0]
        assert store.responses()[0].parameters == '{"temperature": 0.0}'
        assert "temperature" not in store.responses()[0].sent


def test_a_budget_needs_a_price_and_stops_in_time(study, chat_server, tmp_path):
    with Store(tmp_path / "store.sqlite") as store:
        with pytest.raises(client.ModelError, match="has no known price"):
            answer(study, store, plan(study, server=chat_server, max_tokens=50), chat_server, budget=1.0)
        with pytest.raises(client.ModelError, match="is sent no max_tokens, so no budget can be kept"):
            answer(study, store, plan(study, server=chat_server), chat_server, budget=1.0)
        assert chat_server.requests == []
        route = Route("openai/some", chat_server.url, price=Price(0.5, 0.0, "2026-11-29"), listed=True)
        model = Model("priced", (route,), {"max_tokens": 50}, listed=True)
        requests = plan(study, model, max_tokens=50)
        # The server says a million tokens, half a dollar each time: more than anybody could know beforehand.
        with pytest.raises(StageStoppedError, match="the budget of"):
            answer(study, store, requests, model=model, budget=0.9, concurrency=1)
        assert len(chat_server.requests) == 2
        assert store.spent() == 1.0
        with pytest.raises(StageStoppedError, match="the budget of"):
            answer(study, store, requests, model=model, budget=0.9, concurrency=1)
        assert len(chat_server.requests) == 2, "what earlier runs spent counts"
        assert answer(study, store, requests, model=model, budget=5.0) == 2


def test_what_waits_for_its_turn_at_the_stop_is_neither_sent_nor_stored(study, chat_server, tmp_path, monkeypatch):
    monkeypatch.setattr("muddle_utils.inference.dispatch.STAGGER", 0.0)
    # Too many requests: one place is left, and whoever gets it next hears that the account is empty.
    chat_server.respond = lambda number, body: (
        (429, {"Retry-After": "0"}, {"error": {"message": "slow down"}})
        if number <= 4
        else (402, {}, {"error": {"message": "insufficient credits"}})
    )
    with Store(tmp_path / "store.sqlite") as store:
        with pytest.raises(StageStoppedError, match="quota"):
            answer(study, store, plan(study, server=chat_server), chat_server, concurrency=4)
        classes = [row.error_class for row in store.attempts()]
    assert classes.count("quota") >= 1
    assert set(classes) <= {"quota", "rate_limited"}
    assert len(chat_server.requests) <= 4 + classes.count("quota")


def test_two_processes_do_not_answer_the_same_cells(study, chat_server, tmp_path):
    requests = plan(study, server=chat_server)
    with Store(tmp_path / "store.sqlite") as store, store.only_worker(f"answers {MODEL} markdown"):
        with pytest.raises(StoreError, match="another process is at answers openai/some-model markdown"):
            answer(study, store, requests, chat_server)
        assert chat_server.requests == []


# --- what replies can do to the store and to each other ---


def odd(text="42", **usage):
    body = completion(text)
    body["usage"].update(usage)
    return body


@pytest.mark.parametrize(
    "body",
    [
        odd("half a character \ud83d and a \0"),
        odd(prompt_tokens=2**63, completion_tokens=2**70),
        odd(completion_tokens=-5),
    ],
    ids=["surrogate", "huge", "negative"],
)
def test_no_reply_can_keep_the_stage_from_going_on(study, chat_server, tmp_path, body):
    chat_server.respond = lambda number, request: (200, {}, json.dumps(body).encode())
    with Store(tmp_path / "store.sqlite") as store:
        assert answer(study, store, plan(study, server=chat_server), chat_server) == 4
        rows = store.responses()
        assert {row.status for row in rows} == {"answered"}
        assert answer(study, store, plan(study, server=chat_server), chat_server) == 0
    assert all(row.tokens_out is None or row.tokens_out >= 0 for row in rows)
    assert len(chat_server.requests) == 4


def test_a_server_that_reports_no_usage_is_believed_and_its_cost_is_unknown(study, chat_server, tmp_path):
    body = completion("42")
    del body["usage"]
    chat_server.respond = lambda number, request: (200, {}, body)
    route = Route("openai/some", chat_server.url, price=Price(1.0, 1.0, "2026-11-29"), listed=True)
    model = Model("priced", (route,), {"max_tokens": 50}, listed=True)
    with Store(tmp_path / "store.sqlite") as store:
        answer(study, store, plan(study, model, max_tokens=50), model=model)
        rows = store.responses()
        assert {(row.status, row.tokens_in, row.cost) for row in rows} == {("answered", None, None)}
        assert all(row.at_most > 0 for row in rows)
        assert store.spent() == 0.0
        assert store.spent(at_most=True) == pytest.approx(sum(row.at_most for row in rows))


def test_what_may_have_been_paid_counts_in_the_next_run_too(study, chat_server, tmp_path):
    chat_server.respond = lambda number, request: (time.sleep(0.4), (200, {}, completion("late")))[1]
    route = Route("openai/some", chat_server.url, price=Price(1_000.0, 1_000.0, "2026-11-29"), listed=True)
    model = Model("priced", (route,), {"max_tokens": 50}, listed=True)
    requests = plan(study, model, max_tokens=50)
    one = 1_000.0 * (max(row.tokens_most for row in requests) + 50) / 1e6
    sent = []
    with Store(tmp_path / "store.sqlite") as store:
        for _ in range(3):
            with contextlib.suppress(StageStoppedError):
                answer(study, store, requests, model=model, budget=2 * one, concurrency=1, patience=Patience(0.1))
            sent.append(len(chat_server.requests))
    assert sent[0] == sent[-1] == 2, "two deadlines may have used up the budget of two"


def test_one_request_that_cannot_be_made_loses_none_under_way(study, chat_server, tmp_path):
    questions, cells, rendered = study
    requests = plan(study, server=chat_server)
    chat_server.respond = lambda number, request: (time.sleep(0.2), (200, {}, completion("42")))[1]
    broken = dataclasses.replace(rendered["markdown"]["other.pdf"], path=str(tmp_path / "gone.md"))
    spoilt = questions, cells, {**rendered, "markdown": {**rendered["markdown"], "other.pdf": broken}}
    with Store(tmp_path / "store.sqlite") as store:
        with pytest.raises(Exception, match=r"gone\.md"):
            answer(spoilt, store, requests, chat_server)
        assert len(store.responses()) == len(chat_server.requests) >= 1, "what was sent is stored"


def test_an_answer_inside_its_reasoning_is_cut(study, chat_server, tmp_path):
    chat_server.respond = lambda number, request: (200, {}, completion("<think>The bridge is 418 metres long. So"))
    with Store(tmp_path / "store.sqlite") as store:
        answer(study, store, plan(study, server=chat_server), chat_server)
        assert {(row.status, row.error_class) for row in store.responses()} == {("failed", "truncated")}
