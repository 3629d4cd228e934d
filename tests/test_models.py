import asyncio
import time

import pytest
from conftest import completion

from muddle_utils import models

KEY = "sk-planted-0123456789abcdef"


@pytest.fixture(autouse=True)
def _key(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setattr(models, "FIRST_WAIT", 0.01)


def ask(server, **options):
    return asyncio.run(models.ask("openai/some-model", "question", {"max_tokens": 50}, api_base=server.url, **options))


def test_an_answer_keeps_text_usage_and_the_servers_name(chat_server):
    reply = ask(chat_server)
    assert (reply.status, reply.text, reply.error_class) == ("answered", "42", "")
    assert (reply.tokens_in, reply.tokens_out, reply.model_returned) == (11, 3, "served-name")
    assert reply.cost is None, "an unknown price is unknown, not 0"
    assert chat_server.requests == [
        {"model": "some-model", "messages": [{"role": "user", "content": "question"}], "max_tokens": 50}
    ]


@pytest.mark.parametrize(
    ("body", "status", "error_class"),
    [
        (completion(None), "failed", "empty"),
        (completion("  "), "failed", "empty"),
        (completion("half an ans", "length"), "failed", "truncated"),
        (completion("", "length"), "failed", "truncated"),
        (completion(None, "content_filter"), "refused", "filtered"),
        (completion("some text", "content_filter"), "refused", "filtered"),
    ],
)
def test_a_reply_that_did_not_end_well_is_not_an_answer(chat_server, body, status, error_class):
    chat_server.respond = lambda number, request: (200, {}, body)
    reply = ask(chat_server)
    assert (reply.status, reply.error_class) == (status, error_class)
    assert len(chat_server.requests) == 1


@pytest.mark.parametrize(
    ("code", "message", "error_class"),
    [
        (401, "Incorrect API key provided", "credentials"),
        (429, "You exceeded your current quota, please check your plan", "quota"),
        (400, "This model's maximum context length is 8192 tokens", "context_exceeded"),
        (413, "Request Entity Too Large", "context_exceeded"),
        (400, "Your request was rejected as a result of our safety system", "filtered"),
        (400, "Unknown parameter", "bad_request"),
    ],
)
def test_a_fault_that_waiting_cannot_mend_is_asked_once(chat_server, code, message, error_class):
    chat_server.respond = lambda number, request: (code, {}, {"error": {"message": message, "code": None}})
    reply = ask(chat_server)
    assert reply.error_class == error_class
    assert reply.status == ("refused" if error_class == "filtered" else "failed")
    assert len(chat_server.requests) == 1


@pytest.mark.parametrize("code", [429, 500, 503])
def test_a_transient_fault_is_asked_again(chat_server, code):
    chat_server.respond = lambda number, request: (
        (code, {}, {"error": {"message": "later"}}) if number < 3 else (200, {}, completion("42"))
    )
    reply = ask(chat_server)
    assert (reply.status, reply.attempts, len(chat_server.requests)) == ("answered", 3, 3)


def test_the_wait_is_at_least_what_the_server_asks(chat_server):
    chat_server.respond = lambda number, request: (
        (429, {"Retry-After": "1"}, {"error": {"message": "slow down"}}) if number == 1 else (200, {}, completion("42"))
    )
    started = time.monotonic()
    assert ask(chat_server).status == "answered"
    assert time.monotonic() - started >= 1.0


def test_a_fault_that_stays_ends_after_the_last_attempt(chat_server):
    chat_server.respond = lambda number, request: (500, {}, {"error": {"message": "down"}})
    reply = ask(chat_server)
    assert (reply.status, reply.error_class, reply.attempts) == ("failed", "server_error", models.ATTEMPTS)


def test_silence_ends_at_the_deadline(chat_server, monkeypatch):
    monkeypatch.setattr(models, "ATTEMPTS", 1)

    def stall(number, request):
        time.sleep(5)
        return 200, {}, completion("late")

    chat_server.respond = stall
    started = time.monotonic()
    reply = ask(chat_server, timeout=0.5)
    assert (reply.status, reply.error_class) == ("failed", "timeout")
    assert time.monotonic() - started < 4.5


def test_a_key_in_an_error_text_is_redacted(chat_server):
    chat_server.respond = lambda number, request: (
        400,
        {},
        {"error": {"message": f"bad key {KEY} in https://x/?key={KEY} or Authorization: Bearer {KEY}abc"}},
    )
    reply = ask(chat_server)
    assert "planted" not in reply.error
    assert "[redacted]" in reply.error


def test_quota_stops_the_stage_and_keeps_what_was_answered(chat_server):
    chat_server.respond = lambda number, request: (
        (200, {}, completion("42"))
        if number <= 2
        else (429, {}, {"error": {"message": "insufficient_quota: you exceeded your current quota"}})
    )
    done = []

    async def do(item):
        reply = await models.ask("openai/some-model", str(item), {}, api_base=chat_server.url)
        done.append(reply.status)
        return reply

    with pytest.raises(models.StageStoppedError, match="answering stopped: quota"):
        asyncio.run(models.work_through(range(10), do, 1, "answering", progress=False))
    assert done == ["answered", "answered", "failed"]


def test_at_most_so_many_at_once():
    running, most = 0, 0

    async def do(item):
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0.001)
        running -= 1
        return models.Reply("answered")

    asyncio.run(models.work_through(range(30), do, 4, "x", progress=False))
    assert most == 4


def test_unknown_models_are_refused_by_name(monkeypatch):
    with pytest.raises(models.ModelError, match="'local/writer' is unknown: the embedded models are"):
        models.check_model("local/writer")
    with pytest.raises(models.ModelError, match="'gibberish-9' is unknown to litellm"):
        models.check_model("gibberish-9")
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(models.ModelError, match="needs OPENAI_API_KEY in the environment"):
        models.check_model("openai/gpt-5-mini")


def test_effort_goes_where_it_is_taken():
    assert models.request_parameters("openai/gpt-5-mini")["reasoning_effort"] == "medium"
    assert "reasoning_effort" not in models.request_parameters("xai/grok-4.3")
    assert models.request_parameters("local/reader") == {"reader_version": models.READER_VERSION}
