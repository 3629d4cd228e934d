"""The canary page: does what is attached arrive?"""

import asyncio
import base64

import pymupdf
import pytest
from conftest import completion

from muddle_utils.inference import client
from muddle_utils.inference.attachment_check import canary_message, code_word, prove_arrival
from muddle_utils.inference.dispatch import StageStoppedError
from muddle_utils.inference.routes import Model, Price, Route
from muddle_utils.study.records import Request
from muddle_utils.study.store import Store


@pytest.fixture(autouse=True)
def _key(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789")
    monkeypatch.setattr(client, "FIRST_WAIT", 0.01)


def model_on(server):
    return Model("m", (Route("openai/m", server.url, listed=True),), {"max_tokens": 50}, listed=True)


def request_of(model, modality="pdf"):
    return Request(
        "q1|control",
        "q1",
        "control",
        "m",
        modality,
        1,
        "f",
        "",
        3,
        None,
        9,
        '{"max_tokens": 50}',
        route=model.routes[0].name,
    )


def prove(server, store, modality="pdf", model=None):
    model = model or model_on(server)
    return asyncio.run(prove_arrival([request_of(model, modality)], model, store))


def says(server, text, tokens_in=None):
    body = completion(text)
    if tokens_in is None:
        del body["usage"]
    else:
        body["usage"]["prompt_tokens"] = tokens_in
    server.respond = lambda number, request: (200, {}, body)


@pytest.mark.parametrize("modality", ["markdown", "image", "pdf"])
def test_a_page_that_arrives_is_proven_once(chat_server, tmp_path, modality):
    word = code_word(model_on(chat_server).routes[0].name, modality)
    says(chat_server, f"The code word is {word.replace('-', ' ').lower()}.", 500)
    with Store(tmp_path / "s.sqlite") as store:
        (arrival,) = prove(chat_server, store, modality)
        assert arrival.proven
        (again,) = prove(chat_server, store, modality)
        assert again.proven
        (row,) = store.attempts()
    assert (row.cell_id, row.condition) == (f"canary|{modality}", "canary")
    assert len(chat_server.requests) == 1, "it is paid for once"


@pytest.mark.parametrize("tokens_in", [24, None])
def test_a_dropped_attachment_stops_everything(chat_server, tmp_path, tokens_in):
    says(chat_server, "Not answerable", tokens_in)
    with (
        Store(tmp_path / "s.sqlite") as store,
        pytest.raises(
            StageStoppedError, match=r"the canary page over .* in pdf came to attachment_lost .*nothing else"
        ),
    ):
        prove(chat_server, store)


def test_a_model_that_misreads_is_not_proven_and_goes_on(chat_server, tmp_path):
    says(chat_server, "KESTRAL", 5000)
    with Store(tmp_path / "s.sqlite") as store:
        (arrival,) = prove(chat_server, store)
    assert not arrival.proven
    assert arrival.least_tokens < 5000


def test_bad_credentials_are_found_by_the_canary(chat_server, tmp_path):
    chat_server.respond = lambda number, request: (401, {}, {"error": {"message": "Incorrect API key provided"}})
    with Store(tmp_path / "s.sqlite") as store, pytest.raises(StageStoppedError, match="came to credentials"):
        prove(chat_server, store)
    assert len(chat_server.requests) == 1


def test_the_embedded_reader_needs_none(tmp_path):
    model = Model("local/reader", (Route("local/reader"),))
    with Store(tmp_path / "s.sqlite") as store:
        assert asyncio.run(prove_arrival([request_of(model)], model, store)) == []


def test_the_page_says_the_word_and_nothing_else_does():
    word = code_word("r", "pdf")
    blocks = canary_message("r", "pdf")
    data = base64.b64decode(blocks[-1]["file"]["file_data"].partition(",")[2])
    with pymupdf.open(stream=data) as document:
        assert word in document[0].get_text()
    assert word not in str(blocks[:-1])
    image = canary_message("r", "image")
    assert image[-1]["image_url"]["url"].startswith("data:image/jpeg;base64,")
    assert code_word("r", "markdown") in canary_message("r", "markdown")[-1]["text"]


def test_words_differ_by_route_and_modality():
    words = {code_word(route, modality) for route in ("a", "b") for modality in ("markdown", "image", "pdf")}
    assert len(words) == 6


def test_the_canary_keeps_to_the_budget(chat_server, tmp_path):
    route = Route("openai/m", chat_server.url, price=Price(1_000.0, 1_000.0, "2026-11-29"), listed=True)
    model = Model("m", (route,), {"max_tokens": 50}, listed=True)
    with (
        Store(tmp_path / "s.sqlite") as store,
        pytest.raises(StageStoppedError, match=r"the budget of \$0.01 is used up"),
    ):
        asyncio.run(prove_arrival([request_of(model)], model, store, budget=0.01))
    assert chat_server.requests == []
