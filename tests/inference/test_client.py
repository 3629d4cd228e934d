import asyncio
import time

import pytest
from conftest import completion

from muddle_utils.inference import client, dispatch, errors
from muddle_utils.inference.client import Patience, Reply
from muddle_utils.inference.limiter import Limiter
from muddle_utils.inference.local import READER_VERSION
from muddle_utils.inference.routes import Model, Price, Route, find_model
from muddle_utils.study.rows import as_row, from_row

KEY = "sk-planted-0123456789abcdef"


@pytest.fixture(autouse=True)
def _key(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setattr(client, "FIRST_WAIT", 0.01)


def ask(server, timeout=900.0, limiter=None, **route):
    way = Route("openai/some-model", server.url, **route)
    return asyncio.run(client.ask(way, "question", {"max_tokens": 50}, Patience(timeout), limiter))


def test_an_answer_keeps_text_usage_and_the_servers_name(chat_server):
    reply = ask(chat_server)
    assert (reply.status, reply.text, reply.error_class) == ("answered", "42", "")
    assert (reply.tokens_in, reply.tokens_out, reply.model_returned) == (1_000_000, 3, "served-name")
    assert reply.cost is None, "an unknown price is unknown, not 0"
    assert chat_server.requests == [
        {"model": "some-model", "messages": [{"role": "user", "content": "question"}], "max_tokens": 50}
    ]


@pytest.mark.parametrize("usage", [{"cost": 1e30}, {"prompt_tokens": 2**52}, {"completion_tokens": 2**52}])
def test_what_no_request_can_cost_or_hold_is_not_known(chat_server, usage):
    body = completion("42")
    body["usage"] |= usage
    chat_server.respond = lambda number, request: (200, {}, body)
    reply = ask(chat_server)
    assert (reply.status, reply.cost) == ("answered", None)
    # What is stored is what a row may hold, so that whoever reads it takes it.
    assert from_row(Reply, as_row(reply)).text == "42"


@pytest.mark.parametrize(
    ("body", "status", "error_class"),
    [
        (completion(None), "failed", "empty"),
        (completion(" \u200b\u2060"), "failed", "empty"),
        (completion("  "), "failed", "empty"),
        (completion("half an ans", "length"), "failed", "truncated"),
        (completion("", "length"), "failed", "truncated"),
        (completion(None, "content_filter"), "refused", "filtered"),
        (completion("some text", "content_filter"), "refused", "filtered"),
        (completion(None, refusal="I cannot help with that."), "refused", "refused"),
    ],
)
def test_a_reply_that_did_not_end_well_is_not_an_answer(chat_server, body, status, error_class):
    chat_server.respond = lambda number, request: (200, {}, body)
    reply = ask(chat_server)
    assert (reply.status, reply.error_class) == (status, error_class)
    assert len(chat_server.requests) == 1


@pytest.mark.parametrize("provider", ["openai/m", "anthropic/m", "gemini/m", "azure/m", "openrouter/a/m", "mistral/m"])
@pytest.mark.parametrize("code", [301, 302, 307, 308])
def test_a_redirect_is_not_followed_with_key_and_documents(chat_server, listener, monkeypatch, provider, code):
    monkeypatch.setenv("MY_SERVER_KEY", "planted-0123456789")
    port, arrived = listener
    chat_server.respond = lambda number, request: (code, {"Location": f"http://127.0.0.1:{port}/v1/elsewhere"}, {})
    way = Route(provider, chat_server.url, api_version="1", key="MY_SERVER_KEY", listed=True)
    reply = asyncio.run(client.ask(way, "the documents", {"max_tokens": 50}, Patience(30), Limiter(1)))
    assert arrived == []
    assert (reply.status, reply.error_class, reply.attempts) == ("failed", "redirected", 1)
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
    assert (reply.status, reply.error_class, reply.attempts) == ("failed", "server_error", client.ATTEMPTS_UNREACHED)


def test_an_account_that_has_answered_is_waited_for(chat_server):
    limiter = Limiter(1)
    assert ask(chat_server, limiter=limiter).status == "answered"
    chat_server.respond = lambda number, request: (
        (503, {}, {"error": {"message": "down"}}) if number < 10 else (200, {}, completion("42"))
    )
    reply = ask(chat_server, limiter=limiter)
    assert (reply.status, reply.attempts) == ("answered", 9)


def test_patience_ends(chat_server):
    limiter = Limiter(1)
    limiter.reached = True
    chat_server.respond = lambda number, request: (503, {}, {"error": {"message": "down"}})
    way = Route("openai/some-model", chat_server.url)
    started = time.monotonic()
    reply = asyncio.run(client.ask(way, "question", {}, Patience(10, 0.3), limiter))
    assert (reply.status, reply.error_class) == ("failed", "server_error")
    assert time.monotonic() - started < 5


def test_silence_ends_at_the_deadline(chat_server, monkeypatch):
    monkeypatch.setattr(client, "DEADLINES", 1)

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


@pytest.mark.parametrize(
    ("ended", "error_class"),
    [
        ("abort", "server_error"),
        ("cancelled", "server_error"),
        ("network_error", "server_error"),
        ("insufficient_system_resource", "server_error"),
        ("model_length", "truncated"),
        ("incomplete", "truncated"),
        ("recitation", "filtered"),
        ("eos_token", ""),
        ("end_turn", ""),
    ],
)
def test_an_end_that_litellm_calls_stop_is_what_the_server_calls_it(chat_server, ended, error_class):
    chat_server.respond = lambda number, request: (200, {}, completion("half an ans", ended))
    assert ask(chat_server).error_class == error_class


def test_a_key_of_any_name_is_kept_out(chat_server, monkeypatch):
    monkeypatch.setenv("LAB_LLM_THING", "q9Zr7Tt2LmWx4Vb8")
    chat_server.respond = lambda number, request: (200, {}, completion("you sent q9Zr7Tt2LmWx4Vb8"))
    reply = ask(chat_server, listed=True, key="LAB_LLM_THING")
    assert reply.text == "you sent [redacted]"


def test_other_variables_change_no_answer(chat_server, monkeypatch):
    monkeypatch.setenv("TOKENIZER_KIND", "document")
    monkeypatch.setenv("KEYBOARD_LAYOUT", "the answer")
    chat_server.respond = lambda number, request: (200, {}, completion("the answer: a document"))
    assert ask(chat_server).text == "the answer: a document"


def test_paid_attempts_are_few(chat_server):
    limiter = Limiter(1)
    limiter.reached = True
    chat_server.respond = lambda number, request: (200, {}, completion("half", "abort"))
    reply = ask(chat_server, limiter=limiter, price=Price(1.0, 0.0, "2026-11-29"))
    assert (reply.error_class, reply.attempts) == ("server_error", client.DEADLINES)
    assert reply.cost == pytest.approx(client.DEADLINES * 1.0), "and each of them is counted"


def test_after_the_stop_nothing_is_sent(chat_server):
    limiter = Limiter(2)
    limiter.stop()
    assert ask(chat_server, limiter=limiter) is client.UNSENT
    assert chat_server.requests == []


def test_a_wait_of_a_day_is_a_quota(chat_server):
    headers = {"Retry-After": "86400"}
    chat_server.respond = lambda number, request: (429, headers, {"error": {"message": "slow down"}})
    reply = ask(chat_server)
    assert (reply.status, reply.error_class) == ("failed", "quota")
    assert "asks to wait 86400 s" in reply.error
    assert len(chat_server.requests) == 1


def test_the_price_of_the_route_makes_the_cost(chat_server):
    reply = ask(chat_server, price=Price(0.25, 2.0, "2026-11-29"))
    assert reply.cost == pytest.approx(1_000_000 * 0.25 / 1e6 + 3 * 2.0 / 1e6)


def test_cached_tokens_cost_their_own_price(chat_server):
    body = completion("42")
    body["usage"]["prompt_tokens_details"] = {"cached_tokens": 400_000}
    chat_server.respond = lambda number, request: (200, {}, body)
    reply = ask(chat_server, price=Price(0.25, 2.0, "2026-11-29", cached=0.025))
    assert reply.cost == pytest.approx(0.6 * 0.25 + 0.4 * 0.025 + 3 * 2.0 / 1e6)


def test_a_listed_server_of_ones_own_gets_no_key_of_a_provider(chat_server):
    seen = []
    chat_server.see_headers = seen.append
    assert ask(chat_server, listed=True).status == "answered"
    assert ask(chat_server).status == "answered"
    assert [KEY in headers["authorization"] for headers in seen] == [False, True]


def test_the_key_that_a_route_names_is_the_one_sent(chat_server, monkeypatch):
    seen = []
    chat_server.see_headers = seen.append
    monkeypatch.setenv("MY_SERVER_KEY", "another-key-for-this-server")
    assert ask(chat_server, listed=True, key="MY_SERVER_KEY").status == "answered"
    assert seen[0]["authorization"] == "Bearer another-key-for-this-server"


@pytest.mark.parametrize("status", [200, 400, 401])
def test_the_value_of_a_header_reaches_the_routes_own_address_and_nothing_that_is_kept(
    chat_server, monkeypatch, status
):
    seen = []
    chat_server.see_headers = seen.append
    secret = "oddvalue-77-88-99"
    monkeypatch.setenv("MY_ODD_TEAM", secret)
    body = completion(f"you sent {secret}") if status == 200 else {"error": {"message": f"bad X-Team {secret}"}}
    chat_server.respond = lambda number, request: (status, {"X-Echo": secret}, body)
    way = Route("openai/some-model", chat_server.url, headers={"X-Team": "MY_ODD_TEAM"}, listed=True)
    parameters = {"max_tokens": 50, "extra_headers": {"X-Title": "study"}}
    reply = asyncio.run(client.ask(way, "question", parameters, Patience(900.0), None))
    assert (seen[0]["x-team"], seen[0]["x-title"]) == (secret, "study")
    assert "[redacted]" in reply.text + reply.error and secret not in repr(reply)
    assert secret not in repr((way, chat_server.requests, client.sent_parameters(way, {"max_tokens": 50})))
    # Another address gets nothing of it, whatever the environment holds.
    ask(chat_server)
    assert "x-team" not in seen[-1]


def test_a_header_without_its_variable_is_named_before_anything_is_sent():
    way = Route("openai/some-model", "http://127.0.0.1:9/v1", headers={"X-Team": "MY_ODD_TEAM"}, listed=True)
    with pytest.raises(client.ModelError, match="needs MY_ODD_TEAM in the environment"):
        client.check_route(way)


# --- what is sent ---


def test_a_parameter_is_sent_in_the_providers_words():
    assert client.sent_parameters(Route("openai/gpt-5-mini"), {"max_tokens": 9, "reasoning_effort": "low"}) == {
        "max_completion_tokens": 9,
        "reasoning_effort": "low",
    }
    gemini = client.sent_parameters(Route("gemini/gemini-3.5-flash"), {"max_tokens": 9, "reasoning_effort": "low"})
    assert gemini["generationConfig"]["max_output_tokens"] == 9
    assert gemini["generationConfig"]["thinkingConfig"]["thinkingLevel"] == "low"


@pytest.mark.parametrize(
    ("provider", "parameters"),
    [
        ("openai/gpt-5-mini", {"temperature": 0.0}),
        ("openai/gpt-4o", {"reasoning_effort": "medium"}),
        ("openai/gpt-5-mini", {"reasoning_effort": "none"}),
    ],
)
def test_a_parameter_that_is_not_taken_is_an_error_before_the_first_call(provider, parameters):
    with pytest.raises(client.ModelError, match=f"'{provider}' (?:does not take|would not be sent)"):
        client.sent_parameters(Route(provider), {"max_tokens": 9, **parameters})
    (name,) = parameters
    sent = client.sent_parameters(Route(provider), {"max_tokens": 9, **parameters}, waive=[name])
    assert name not in sent
    assert client.taken({"max_tokens": 9, **parameters}, [name], sent) == {"max_tokens": 9}


def test_a_waived_parameter_is_still_sent_where_it_is_taken():
    sent = client.sent_parameters(Route("openai/gpt-5-mini"), {"reasoning_effort": "low"}, waive=["reasoning_effort"])
    assert sent == {"reasoning_effort": "low"}
    assert client.taken({"reasoning_effort": "low"}, ["reasoning_effort"], sent) == {"reasoning_effort": "low"}


def test_what_is_said_to_be_sent_is_what_the_server_gets(chat_server):
    extra = {"plugins": [{"id": "file-parser"}]}
    sent = client.sent_parameters(Route("openai/some-model", chat_server.url, extra=extra), {"max_tokens": 50})
    ask(chat_server, extra=extra)
    (body,) = chat_server.requests
    assert {name: value for name, value in body.items() if name not in ("model", "messages")} == {
        "max_tokens": 50,
        **extra,
    }
    assert sent["max_tokens"] == 50


def test_unknown_models_are_refused_by_name(monkeypatch):
    with pytest.raises(client.ModelError, match="'local/writer' is unknown: the embedded models are"):
        client.check_route(Route("local/writer"))
    with pytest.raises(client.ModelError, match="'gibberish-9' is unknown to litellm"):
        client.check_route(Route("gibberish-9"))
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(client.ModelError, match="needs OPENAI_API_KEY in the environment"):
        client.check_route(Route("openai/gpt-5-mini"))
    assert client.missing_variables(Route("openai/x", "http://127.0.0.1:1/v1", listed=True)) == []
    assert client.missing_variables(Route("openai/x", key="NO_SUCH_KEY_HERE")) == ["NO_SUCH_KEY_HERE"]


def test_parameters_are_the_models_own():
    assert client.parameters_of(find_model("gpt-5-mini")) == {"reasoning_effort": "medium", "max_tokens": 16_000}
    assert client.parameters_of(find_model("gpt-5-mini"), "high")["reasoning_effort"] == "high"
    assert "reasoning_effort" not in client.parameters_of(find_model("grok-4.3"))
    assert client.parameters_of(find_model("local/reader")) == {"reader_version": READER_VERSION}
    assert client.parameters_of(Model("m", ())) == {}


def test_every_transient_class_is_asked_again_and_every_fatal_one_stops():
    assert set(errors.TRANSIENT) == {"timeout", "rate_limited", "server_error", "connection"}
    assert set(errors.FATAL) == {"attachment_lost", "redirected", "not_found", "credentials", "quota"}
    assert {fault.status for fault in errors.FAULTS.values()} == {"refused", "failed"}
    assert dispatch.BREAKER > client.ATTEMPTS_UNREACHED
