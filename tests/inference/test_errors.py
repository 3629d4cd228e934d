"""Every fault over a real socket: what it is called, how often it is asked again, and that no key gets out."""

import asyncio
import base64
import dataclasses
import datetime
import email.utils
import html
import json
import re
import socket
import time
from types import SimpleNamespace
from urllib.parse import quote, quote_plus

import fault_server as fs
import pytest

from muddle_utils.inference import client, errors, received, requests
from muddle_utils.inference.client import Patience
from muddle_utils.inference.dispatch import StageStoppedError, work_through
from muddle_utils.inference.limiter import Limiter
from muddle_utils.inference.routes import Price, Route

KEY = fs.PLANTED
KEY_VARIABLES = (
    *("OPENAI_API_KEY", "AZURE_API_KEY", "ANTHROPIC_API_KEY", "OPENROUTER_API_KEY", "GEMINI_API_KEY"),
    *("GROQ_API_KEY", "XAI_API_KEY", "MISTRAL_API_KEY"),
)
# The vocabulary, written down a second time: class, status, when it is asked again.
VOCABULARY = {
    "refused": ("refused", "next run"),
    "filtered": ("refused", "next run"),
    "truncated": ("failed", "next run"),
    "empty": ("failed", "next run"),
    "context_exceeded": ("failed", "only with --refresh"),
    "attachment_lost": ("failed", "stops the stage"),
    "timeout": ("failed", "now"),
    "rate_limited": ("failed", "now"),
    "unreadable": ("failed", "next run"),
    "server_error": ("failed", "now"),
    "connection": ("failed", "now"),
    "bad_request": ("failed", "next run"),
    "redirected": ("failed", "stops the stage"),
    "not_found": ("failed", "stops the stage"),
    "credentials": ("failed", "stops the stage"),
    "quota": ("failed", "stops the stage"),
}
CASES = [case for case in fs.CASES if case is not fs.ATTACHMENT_LOST]
OVERFLOWS = [fs.Case(f"overflow_{one.name}", "context_exceeded", fs.raw(one.status, one.body)) for one in fs.OVERFLOWS]
NAMED = {case.name: case for case in (*CASES, *OVERFLOWS)}
PROVIDERS = ("azure", "anthropic", "openrouter", "gemini", "groq", "xai", "mistral")
# Long enough for every wait that a case asks for, short of a day. The first request to a provider imports for seconds.
PATIENCE = Patience(timeout=60.0, seconds=8.0)
HASTE = Patience(timeout=0.4, seconds=8.0)


@pytest.fixture(scope="module")
def running():
    with fs.serving() as server:
        yield server


@pytest.fixture(scope="module")
def loop():
    # litellm keeps its connections for as long as the loop lives: one loop for all.
    with asyncio.Runner() as runner:
        yield runner


@pytest.fixture
def server(running, monkeypatch):
    for name in KEY_VARIABLES:
        monkeypatch.setenv(name, KEY)
    running.requests.clear()
    running.respond = fs.always(fs.answer())
    return running


@pytest.fixture
def waits(monkeypatch):
    """The waits that were asked for, none of them waited."""
    waits = []

    async def wait(self, seconds):
        waits.append(seconds)

    monkeypatch.setattr(Limiter, "wait", wait)
    return waits


def routes(server):
    """Return a route of each provider to the same server."""
    return {
        "openai": Route("openai/some-model", api_base=server.url),
        "azure": Route("azure/some-model", api_base=server.root, api_version="2025-04-01-preview"),
        "anthropic": Route("anthropic/claude-haiku-4-5", api_base=server.root),
        "openrouter": Route("openrouter/some/model", api_base=server.url),
        "gemini": Route("gemini/gemini-3.5-flash", api_base=f"{server.url}/models/gemini-3.5-flash"),
        "groq": Route("groq/some-model", api_base=server.url),
        "xai": Route("xai/some-model", api_base=server.url),
        "mistral": Route("mistral/some-model", api_base=server.url),
    }


def provider_of(name):
    """Return the provider that a case is named after, or OpenAI."""
    return next((word for word in name.split("_") if word in PROVIDERS), "openai")


def ask(loop, server, provider="openai", patience=PATIENCE, **options):
    return loop.run(client.ask(routes(server)[provider], "question", {"max_tokens": 50}, patience, **options))


def warm(loop, server, provider="openai"):
    """Have a provider's code imported, which takes longer than a deadline of a test."""
    assert ask(loop, server, provider).status == "answered"
    server.requests.clear()


def meet(loop, server, case, provider="openai"):
    """Return what a case comes to."""
    if case.error_class == "timeout":
        warm(loop, server, provider)
    server.respond = fs.always(case.behaviour)
    return ask(loop, server, provider, HASTE if case.error_class == "timeout" else PATIENCE)


def hides_key(text, key=KEY):
    """Return whether a text gives the key away to nobody, not even in base64 that begins anywhere."""
    decoded = []
    for run in re.findall(r"[A-Za-z0-9+/]{8,}", text):
        for start in range(4):
            part = run[start:]
            decoded.append(base64.b64decode(part[: len(part) // 4 * 4]).decode("latin-1"))
    # Eight characters of it in a row would be too much.
    pieces = [key[at : at + 8] for at in range(len(key) - 7)]
    return not any(piece in each for piece in pieces for each in (text, *decoded))


def test_the_vocabulary_is_complete():
    assert {name: (fault.status, fault.again) for name, fault in errors.FAULTS.items()} == VOCABULARY
    assert all(fault.meaning for fault in errors.FAULTS.values())
    assert set(errors.FATAL) == {"attachment_lost", "redirected", "not_found", "credentials", "quota"}
    assert set(errors.TRANSIENT) == {"timeout", "rate_limited", "server_error", "connection"}
    assert errors.LASTING == ("context_exceeded",)


def check(case, reply, server):
    assert reply.error_class == case.error_class, reply.error
    again = VOCABULARY.get(case.error_class, ("answered", "never"))
    assert reply.status == again[0]
    assert len(server.requests) == reply.attempts, "a request that nobody counts is paid for unseen"
    few = {
        "timeout": client.DEADLINES,
        "server_error": client.ATTEMPTS_UNREACHED,
        "connection": client.ATTEMPTS_UNREACHED,
    }
    if case.error_class == "rate_limited":
        assert 3 <= reply.attempts <= 8
    else:
        # What was accepted may have been paid for, so it is not repeated for long.
        most = client.DEADLINES if reply.finish_reason or reply.unpriced else few.get(case.error_class)
        assert reply.attempts == (most if again[1] == "now" else 1)
    if case.error_class:
        assert reply.error and "\n" not in reply.error
    assert hides_key(reply.error) and hides_key(reply.text)
    assert all(request.authorization for request in server.requests)


@pytest.mark.parametrize("case", NAMED.values(), ids=NAMED)
def test_what_a_fault_is_called_and_how_often_it_is_asked(loop, server, waits, case):
    check(case, meet(loop, server, case), server)


@pytest.mark.parametrize("name", [name for name in NAMED if provider_of(name) != "openai"])
def test_the_same_from_the_provider_itself(loop, server, waits, name):
    check(NAMED[name], meet(loop, server, NAMED[name], provider_of(name)), server)


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize(
    "name",
    [
        *("answer", "content_null", "length_by_reasoning", "content_filter_without_text", "401", "404", "429_bare"),
        *(
            "500",
            "502_page",
            "malformed_json",
            "empty_body",
            "no_choices",
            "error_inside_a_200",
            "reset",
            "cut",
            "stall",
        ),
        *("400", "openai_quota", "overflow_413", "key_in_a_header_dump", "422_with_the_prompt"),
    ],
)
def test_what_every_provider_does(loop, server, waits, provider, name):
    check(NAMED[name], meet(loop, server, NAMED[name], provider), server)


@pytest.mark.parametrize("provider", ["openai", *PROVIDERS])
def test_a_closed_door_is_tried_a_few_times(loop, server, waits, provider):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        root = f"http://127.0.0.1:{free.getsockname()[1]}"
        # Bound and not listening: whoever knocks is refused.
        reply = ask(loop, SimpleNamespace(root=root, url=f"{root}/v1"), provider)
    assert (reply.status, reply.error_class) == ("failed", "connection"), reply.error
    assert reply.attempts == client.ATTEMPTS_UNREACHED
    assert not server.requests


@pytest.mark.parametrize("provider", ["openai", "azure", "anthropic", "gemini"])
def test_a_missing_key_is_no_server_error(loop, server, waits, monkeypatch, provider):
    for name in KEY_VARIABLES:
        monkeypatch.delenv(name)
    reply = ask(loop, server, provider)
    assert (reply.status, reply.error_class, reply.attempts) == ("failed", "credentials", 1), reply.error
    assert not server.requests


# ---------------------------------------------------------------------------------------------------------------------
# Waiting


@pytest.mark.parametrize("provider", ["openai", *PROVIDERS])
@pytest.mark.parametrize(
    ("limited", "told"),
    [
        (fs.limited(seconds="3"), (3.0, 3.0)),
        (fs.limited(milliseconds="2500"), (2.5, 2.5)),
        # A date has whole seconds, and the reply was some time on its way.
        (fs.limited(date=5.0), (3.0, 5.0)),
        (fs.limited(), (0.0005, 0.003)),
    ],
    ids=["seconds", "milliseconds", "date", "unsaid"],
)
def test_waits_as_told_and_asks_again_until_it_is_answered(loop, server, waits, monkeypatch, provider, limited, told):
    monkeypatch.setattr(client, "FIRST_WAIT", 0.001)
    server.respond = fs.in_turn(limited, limited, fs.answer())
    reply = ask(loop, server, provider)
    assert (reply.status, reply.attempts, len(server.requests)) == ("answered", 3, 3)
    assert len({request.sha256 for request in server.requests}) == 1, "the same is asked again"
    # Before each attempt there is also what is left of the pause that holds for the whole account: no longer wait.
    assert len([wait for wait in waits if told[0] <= wait <= told[1]]) >= 2
    assert max(waits) <= told[1]


def test_a_told_wait_is_really_waited(loop, server):
    server.respond = fs.in_turn(fs.limited(seconds="1"), fs.answer())
    started = time.monotonic()
    assert ask(loop, server).status == "answered"
    assert 1.0 <= time.monotonic() - started < 3.0


@pytest.mark.parametrize("status", [429, 500, 503, 529])
def test_a_wait_is_told_by_other_statuses_too(loop, server, waits, monkeypatch, status):
    monkeypatch.setattr(client, "FIRST_WAIT", 0.001)
    server.respond = fs.in_turn(fs.failure(status, "overloaded", Retry_After="3"), fs.answer())
    assert ask(loop, server).status == "answered"
    assert max(waits) == 3.0


@pytest.mark.parametrize("class_", ["timeout", "server_error", "connection"])
def test_a_fault_that_passes_ends_in_an_answer(loop, server, waits, class_):
    once = {"timeout": fs.STALL, "server_error": fs.page(502, "Bad Gateway"), "connection": fs.RESET}[class_]
    warm(loop, server)
    server.respond = fs.in_turn(once, fs.answer())
    reply = ask(loop, server, patience=HASTE)
    assert (reply.status, reply.error_class, reply.error, reply.attempts) == ("answered", "", "", 2)
    assert len(server.requests) == 2


def test_a_wait_of_a_day_is_not_waited(loop, server, waits):
    server.respond = fs.always(fs.limited(seconds=str(fs.DAY)))
    reply = ask(loop, server)
    assert "asks to wait 86400 s" in reply.error
    assert all(wait <= 0 for wait in waits)


def test_a_byte_a_second_keeps_no_deadline_off(loop, server, waits):
    warm(loop, server)
    server.respond = fs.always(fs.DRIP)
    started = time.monotonic()
    reply = ask(loop, server, patience=HASTE)
    assert (reply.error_class, reply.text) == ("timeout", "")
    assert time.monotonic() - started < 2.0


@pytest.mark.parametrize("name", ["error_inside_a_choice", "length_with_text", "content_filter_with_text"])
def test_what_was_spent_on_no_answer_is_counted(loop, server, waits, name):
    reply = meet(loop, server, NAMED[name])
    assert reply.status != "answered"
    assert reply.tokens_in > 0 and reply.tokens_out > 0


PRICE = Price(1.0, 2.0, "2026-11-29")
# 1000 tokens in and 7 out, as the cases report them, at a dollar and two a million.
REPORTED = (1000 * 1.0 + 7 * 2.0) / 1e6
TOLD = [case for case in fs.UNREADABLE if isinstance(case.behaviour.body, dict) and "usage" in case.behaviour.body]
UNTOLD = [case for case in fs.UNREADABLE if case not in TOLD]


def ask_priced(loop, server, provider="openai", **options):
    route = dataclasses.replace(routes(server)[provider], price=PRICE)
    return loop.run(client.ask(route, "question", {"max_tokens": 50}, PATIENCE, **options))


@pytest.mark.parametrize("case", TOLD, ids=lambda case: case.name)
@pytest.mark.parametrize("provider", ["openai", "azure", "openrouter"])
def test_a_reply_that_cannot_be_read_costs_what_it_says(loop, server, waits, provider, case):
    server.respond = fs.always(case.behaviour)
    reply = ask_priced(loop, server, provider)
    assert (reply.status, reply.error_class, reply.attempts) == ("failed", "unreadable", 1), reply.error
    assert (reply.cost, reply.tokens_in, reply.tokens_out) == (pytest.approx(REPORTED), 1000, 7)
    assert reply.unpriced == 0 and reply.text == ""


@pytest.mark.parametrize("case", UNTOLD, ids=lambda case: case.name)
def test_a_reply_that_does_not_say_its_cost_may_have_been_paid(loop, server, waits, case):
    server.respond = fs.always(case.behaviour)
    reply = ask_priced(loop, server)
    assert (reply.error_class, reply.cost, reply.unpriced) == ("unreadable", None, 1), reply.error


@pytest.mark.parametrize(
    ("usage", "cost"),
    [
        ({"input_tokens": 900, "cache_read_input_tokens": 100, "output_tokens": 7}, REPORTED),
        ({"prompt_tokens": 1000, "completion_tokens": 7, "cost": 0.25}, 0.25),
        ({"prompt_tokens": 1000, "completion_tokens": 7, "cost": True}, REPORTED),
        ({"prompt_tokens": 1000, "completion_tokens": 7, "cost": 1e30}, REPORTED),
        ({"prompt_tokens": 2**52, "completion_tokens": 7}, None),
        ({"input_tokens": 10**12, "cache_read_input_tokens": 1, "output_tokens": 7}, None),
        ({"prompt_tokens": 1000}, None),
        ({"prompt_tokens": -1000, "completion_tokens": 7}, None),
        ({"prompt_tokens": 1000, "completion_tokens": "7"}, None),
        ([], None),
    ],
)
def test_which_usage_is_one(loop, server, waits, usage, cost):
    server.respond = fs.always(fs.raw(200, {"id": "1", "choices": [{"message": None}], "usage": usage}))
    reply = ask_priced(loop, server)
    assert (reply.error_class, reply.unpriced) == ("unreadable", int(cost is None))
    assert reply.cost == (None if cost is None else pytest.approx(cost))


@pytest.mark.parametrize("provider", ["openai", "azure", "openrouter", "groq", "xai", "mistral"])
def test_content_in_parts_of_text_is_that_text(loop, server, waits, provider):
    server.respond = fs.always(fs.CONTENT_PARTS)
    reply = ask_priced(loop, server, provider)
    assert (reply.status, reply.text, reply.attempts) == ("answered", "forty two", 1), reply.error
    assert reply.cost == pytest.approx(REPORTED)


@pytest.mark.parametrize(
    ("error", "class_", "unpriced"),
    [
        ({"message": "Provider returned error", "code": 502}, "server_error", client.DEADLINES),
        ("the model crashed", "server_error", client.DEADLINES),
        # What was declined before anything was read is not paid for.
        ({"message": "No auth credentials found", "code": 401}, "credentials", 0),
        ("This model's maximum context length is 10 tokens", "context_exceeded", 0),
    ],
)
def test_an_error_inside_a_reply_of_success_is_that_error(loop, server, waits, error, class_, unpriced):
    server.respond = fs.always(fs.raw(200, {"error": error}))
    reply = ask_priced(loop, server)
    assert (reply.status, reply.error_class, reply.unpriced) == ("failed", class_, unpriced), reply.error


def test_an_accepted_reply_that_breaks_off_may_have_been_paid(loop, server, waits):
    server.respond = fs.always(fs.CUT)
    reply = ask_priced(loop, server)
    assert (reply.error_class, reply.unpriced, reply.attempts) == ("connection", client.DEADLINES, client.DEADLINES)
    server.respond = fs.always(fs.RESET)
    assert ask_priced(loop, server).unpriced == 0


def test_cancelling_passes_through(loop, server):
    warm(loop, server)
    server.respond = fs.always(fs.STALL)

    async def cancelled():
        task = asyncio.create_task(client.ask(routes(server)["openai"], "question", {}, PATIENCE))
        while not server.requests:
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    loop.run(cancelled())


NOW = datetime.datetime(2026, 11, 29, 12, 0, 0, tzinfo=datetime.UTC)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "3"}, 3.0),
        ({"Retry-After": " 0 "}, 0.0),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "Sun, 29 Nov 2026 12:01:30 GMT"}, 90.0),
        ({"retry-after": "Sunday, 29-Nov-26 12:01:30 GMT"}, 90.0),
        ({"retry-after": "Sun Nov 29 12:01:30 2026"}, 90.0),
        ({"retry-after": "Sun, 29 Nov 2026 14:01:30 +0200"}, 90.0),
        ({"retry-after": "Sun, 29 Nov 2026 11:00:00 GMT"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-1"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": ""}, None),
        ({}, None),
    ],
)
def test_what_a_provider_asks_to_wait(headers, seconds):
    assert errors.retry_after(SimpleNamespace(litellm_response_headers=headers), NOW) == seconds
    assert errors.retry_after(SimpleNamespace(response=SimpleNamespace(headers=headers)), NOW) == seconds
    assert errors.retry_after(ValueError("no headers at all")) is None


def test_a_date_is_counted_from_now():
    soon = email.utils.format_datetime(datetime.datetime.now(datetime.UTC) + datetime.timedelta(seconds=60))
    told = errors.retry_after(SimpleNamespace(litellm_response_headers={"retry-after": soon}))
    assert 55 < told <= 60


# ---------------------------------------------------------------------------------------------------------------------
# Whole stages


def work(loop, server, items, patience=PATIENCE, concurrency=1):
    """Send the items through a stage; return their replies, by item, and the stage's own error."""
    replies = {}

    async def do(item, limiter):
        replies[item] = await client.ask(routes(server)["openai"], f"question {item}", {}, patience, limiter)
        return replies[item]

    try:
        loop.run(work_through(items, do, concurrency, "answering", progress=False))
    except StageStoppedError as stopped:
        return replies, str(stopped)
    return replies, ""


@pytest.mark.parametrize(
    "name", ["openai_quota", "groq_tokens_per_day", "openrouter_credits", "429_day", "401", "403", "404"]
)
def test_what_every_further_request_would_meet_stops_the_stage(loop, server, waits, name):
    server.respond = fs.in_turn(fs.answer(), fs.answer(), NAMED[name].behaviour)
    replies, stopped = work(loop, server, range(6))
    assert stopped.startswith(f"answering stopped: {NAMED[name].error_class} (")
    assert "run again" in stopped and hides_key(stopped)
    assert [reply.status for reply in replies.values()] == ["answered", "answered", "failed"]
    assert len(server.requests) == 3
    server.respond = fs.always(fs.answer())
    answered = {item for item, reply in replies.items() if reply.status == "answered"}
    replies, stopped = work(loop, server, [item for item in range(6) if item not in answered])
    assert not stopped and {reply.status for reply in replies.values()} == {"answered"}
    assert len(server.requests) == 3 + 4


@pytest.mark.parametrize(
    "name", ["refusal_field", "content_filter_with_text", "length_by_reasoning", "400", "overflow_groq"]
)
def test_what_one_request_meets_stops_no_other(loop, server, waits, name):
    server.respond = fs.in_turn(fs.answer(), NAMED[name].behaviour, fs.answer())
    replies, stopped = work(loop, server, range(5))
    assert not stopped
    assert [reply.error_class for reply in replies.values()] == ["", NAMED[name].error_class, "", "", ""]
    assert len(server.requests) == 5


def test_one_that_hangs_holds_up_no_other(loop, server, waits):
    warm(loop, server)
    server.respond = lambda number, body: fs.STALL if "question 2" in fs.user_text(body) else fs.answer()
    replies, stopped = work(loop, server, range(6), HASTE, concurrency=3)
    assert not stopped
    assert {item for item, reply in replies.items() if reply.status == "answered"} == {0, 1, 3, 4, 5}
    assert (replies[2].error_class, replies[2].text) == ("timeout", "")


def test_what_failed_is_all_that_the_next_run_asks(loop, server, waits):
    broken = ("question 1", "question 3")
    server.respond = lambda number, body: NAMED["500"].behaviour if fs.user_text(body) in broken else fs.answer()
    first, stopped = work(loop, server, range(5), Patience(60.0, 0.5))
    assert not stopped
    failed = [item for item, reply in first.items() if reply.status != "answered"]
    assert failed == [1, 3]
    server.requests.clear()
    server.respond = fs.always(fs.answer())
    second, _ = work(loop, server, failed)
    assert [request.text for request in server.requests] == ["question 1", "question 3"]
    assert {reply.status for reply in (first | second).values()} == {"answered"}


PAGE = {"type": "image_url", "image_url": {"url": "data:image/jpeg;base64,AAAA"}}
PDF = {"type": "file", "file": {"filename": "a.pdf", "file_data": "data:application/pdf;base64,AAAA"}}


@pytest.mark.parametrize(
    ("content", "n_pages"),
    [
        ([{"type": "text", "text": "What is it?"}, PAGE], 1),
        ([{"type": "text", "text": "What is it?"}, PDF], 3),
        ([{"type": "text", "text": "word " * 200}], 1),
    ],
    ids=["image", "pdf", "text"],
)
def test_an_attachment_that_never_arrived_stops_the_stage(loop, server, waits, content, n_pages):
    async def do(item, limiter):
        reply = await client.ask(routes(server)["openai"], content, {}, PATIENCE, limiter)
        replies.append(requests.with_proof(reply, requests.least_tokens(content, n_pages)))
        return replies[-1]

    replies = []
    server.respond = fs.in_turn(fs.answer(), fs.ATTACHMENT_LOST.behaviour)
    with pytest.raises(StageStoppedError, match=r"attachment_lost \(.*24 input tokens"):
        loop.run(work_through(range(4), do, 1, "answering", progress=False))
    assert [(reply.status, reply.error_class) for reply in replies] == [("answered", ""), ("failed", "attachment_lost")]
    assert len(server.requests) == 2


# ---------------------------------------------------------------------------------------------------------------------
# Keys and odd exceptions


FOREIGN = "Zm9yZWlnbi1rZXktMTIzNDU2Nzg5"


def test_base64_over_lines_leaves_no_part_of_a_key(monkeypatch):
    monkeypatch.setenv("MY_OWN_KEY", "secret-key-????>>>12" * 4)
    encoded = base64.encodebytes(("secret-key-????>>>12" * 4).encode()).decode()
    assert errors.without_keys(encoded).strip() == "[redacted]"


@pytest.mark.parametrize(
    "text",
    [
        f"https://api.example/v1?key={FOREIGN}&alt=json",
        f"https://api.example/v1?alt=json&api_key={FOREIGN}",
        f"Authorization: Bearer {FOREIGN}",
        f"{{'Authorization': 'Bearer {FOREIGN}', 'accept': '*/*'}}",
        f'{{"x-api-key": "{FOREIGN}"}}',
        f'{{"api-key":"{FOREIGN}","n":1}}',
        f"x-goog-api-key: {FOREIGN}",
        f"OPENAI_API_KEY={FOREIGN}",
        f"Incorrect API key provided: {FOREIGN}.",
        f"sk-proj-{FOREIGN} is no key",
        f"the key sk-ant-api03-{FOREIGN}",
        f"AIzaSy{FOREIGN}",
        f"gsk_{FOREIGN}",
        f"xai-{FOREIGN}",
        f"Authorization: Basic {FOREIGN}",
        f"https://someone:{FOREIGN}@proxy.example:8080/",
    ],
)
def test_what_looks_like_a_key_is_taken_out(text):
    assert hides_key(errors.redact(text), FOREIGN), errors.redact(text)
    assert "[redacted]" in errors.redact(text)


@pytest.mark.parametrize(
    "text",
    [
        "This model's maximum context length is 128000 tokens. However, your messages resulted in 204308 tokens.",
        "Unsupported parameter: 'max_tokens' is not supported with this model.",
        "tokens per min (TPM): Limit 30000, Requested 36278",
        "no reply within 900 s",
        '{"completion_tokens": 1234567, "finish_reason": "length"}',
    ],
)
def test_what_is_no_key_stays(text):
    assert errors.redact(text) == text


def test_a_key_of_the_environment_goes_whatever_it_looks_like(monkeypatch):
    monkeypatch.setenv("MY_OWN_TOKEN", "correct horse battery")
    hidden = base64.b64encode(b"{'t': 'correct horse battery'}").decode()
    assert errors.redact(f"said\ncorrect horse battery\n and {hidden}").startswith("said [redacted] and ")
    assert hides_key(errors.redact(f"and {hidden}"), "correct horse battery")


ODD_KEY = "ab/c+d=e f&12<345>"
SPELLINGS = {
    "as it is": ODD_KEY,
    "URL": quote(ODD_KEY, safe=""),
    "URL, small letters": quote(ODD_KEY, safe="").lower(),
    "URL, slash left": quote(ODD_KEY),
    "form": quote_plus(ODD_KEY),
    "URL twice": quote(quote(ODD_KEY, safe=""), safe=""),
    "JSON": json.dumps(ODD_KEY).replace("/", "\\/").replace("&", "\\u0026").replace("<", "\\u003C"),
    "HTML": html.escape(ODD_KEY),
    "HTML, numbers": "".join(each if each.isalnum() else f"&#{ord(each)};" for each in ODD_KEY),
    "hexadecimal": ODD_KEY.encode().hex(),
    "over lines": "\n".join(ODD_KEY[place : place + 4] for place in range(0, len(ODD_KEY), 4)),
    "over lines, JSON": "\\n".join(ODD_KEY[place : place + 4] for place in range(0, len(ODD_KEY), 4)),
    "letter by letter": " ".join(ODD_KEY),
}


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_key_goes_in_every_spelling(monkeypatch, spelling):
    monkeypatch.setenv("MY_OWN_KEY", ODD_KEY)
    said = SPELLINGS[spelling].strip('"')
    assert errors.without_keys(f"<{said}>") == "<[redacted]>"
    assert errors.without_keys("ab/c, e f and 345") == "ab/c, e f and 345"


def test_no_field_of_a_reply_keeps_a_key(loop, server, waits):
    body = {**fs.answer(f"sent {KEY}", usage={"prompt_tokens": 11, "completion_tokens": 3}).body, "model": f"m {KEY}"}
    server.respond = fs.always(fs.raw(200, body))
    reply = ask(loop, server)
    assert (reply.text, reply.model_returned) == ("sent [redacted]", "m [redacted]")
    server.respond = fs.always(fs.raw(200, {"choices": [{"message": {"content": {"echo": KEY}}}]}))
    reply = ask(loop, server)
    assert reply.error_class == "unreadable" and hides_key(str(dataclasses.asdict(reply)))


@pytest.mark.parametrize(
    ("error", "class_"),
    [
        (TimeoutError(), "timeout"),
        (ConnectionResetError(104, "Connection reset by peer"), "connection"),
        (ConnectionRefusedError(111, "Connection refused"), "connection"),
        (IndexError("list index out of range"), "server_error"),
        (KeyError("choices"), "server_error"),
        (ValueError(""), "server_error"),
    ],
)
def test_exceptions_that_are_no_providers(error, class_):
    assert errors.classify(error) == class_


@pytest.mark.parametrize(
    "text",
    [
        "the basic infrastructure/2021-plan holds",
        "basic earnings-per-share-2021",
        "authorization: see-appendix-B-section-12",
    ],
)
def test_ordinary_words_are_no_credentials(text):
    assert errors.credentials(text) == []


@pytest.mark.parametrize(
    "text", ["Bearer abcdef0123456789abcdef", "api_key=0123456789abcdef0123", "Basic dXNlcjoxMjM0NTY3ODk="]
)
def test_headers_and_parameters_with_a_key_are_credentials(text):
    assert errors.credentials(text) == [text]


def test_parts_of_reasoning_beside_text_are_left_out():
    parts = [{"type": "thinking", "thinking": "12?"}, {"type": "text", "text": "13"}]
    body = {"choices": [{"message": {"content": parts}}]}
    assert received._join_parts(body)
    assert body["choices"][0]["message"]["content"] == "13"


@pytest.mark.parametrize("variant", [base64.b64encode, base64.urlsafe_b64encode])
@pytest.mark.parametrize("after", ["", "b", "bc"])
@pytest.mark.parametrize("before", ["", "y", "yz"])
def test_base64_leaves_no_character_of_a_key(monkeypatch, variant, before, after):
    for key in ("secret-key-????>>>", "secret-key-????>>>1", "secret-key-????>>>12"):
        monkeypatch.setenv("MY_OWN_KEY", key)
        encoded = variant(f"{before}{key}{after}".encode()).decode()
        left = errors.without_keys(encoded).replace("[redacted]", "").rstrip("=")
        # Six bits a character: from the first that holds a bit of the key to the last, all are gone.
        first, end = len(before) * 8 // 6, -(-8 * len(before + key) // 6)
        assert left == (encoded[:first] + encoded[end:]).rstrip("=")


@pytest.mark.parametrize(
    "text",
    [
        *("sk-abcdefghijklmnopqrstuvwxyzabcdef", "sk-ant-abcdefghijklmnopqrstuvwxyz", "ya29.a0AfH6SMBabcdefghij"),
        *("xoxb-123-abc", "dop_v1_0123456789abcdef0123456789abcdef", "AZURE_KEY=0123456789abcdef0123456789abcdef"),
        "AccountKey=ab/cd+efgh/ijkl+mnop/qrst+uvwx/yzAB+CDEF1==",
    ],
)
def test_a_key_of_its_looks_is_found(text):
    assert errors.credentials(f"it says {text} there") == [text]
    assert errors.secret_in({"note": text}) == "note"


@pytest.mark.parametrize(
    "text",
    [
        *("ftp://anonymous:guest@ftp.example.org/pub", "Primary key=2021", "sk-learn-style-names"),
        *("sk-learn-transformers2vec", "Basic authentication1234", "mailto://a:b@", "see mailto://a:b@example.org"),
    ],
)
def test_what_is_public_is_no_key(text):
    assert errors.credentials(text) == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("bearer", "abc"), ("passphrase", "open sesame"), ("pass", "x1"), ("sig", "deadbeef"), ("key1", "abc")),
        *(("apiKeyValue", "abc"), ("auth.value", "abc"), ("auth", {"value": "abc"}), ("token", 4711), ("apikey", "a")),
        *(("accessToken", "a"), ("hf_token", "hf2019abcd"), ("X_API_KEY", "a"), ("tokens", ["abcd1234efgh"])),
        *(("db_password", "abc"), ("session_key", 12), ("headers", {"X-Org": "f81d4fae-7dec-11d0"})),
    ],
)
def test_a_name_counts_by_its_last_word(name, value):
    assert errors.secret_in({"extra": {name: value}}).startswith("extra.")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("budget_tokens", 16_000_000), ("max_total_tokens", 200_000_000), ("prompt_cache_key", "muddle-demo-2026")),
        *(("primary_key", "id"), ("sort_key", "date"), ("eos_token", "END"), ("bad_tokens", ["foo", "bar"])),
        *(("extra_headers", {"X-Request-Source": "muddle"}), ("monkey", "banana"), ("author", "hunter2x9")),
        *(("signature_format", "x"), ("api_key", ""), ("use_auth", False), ("extra_headers", {"Accept": "text/html"})),
    ],
)
def test_a_name_that_may_mean_something_else_counts_by_its_value(name, value):
    assert errors.secret_in({"extra": {name: value}}) == ""


def test_a_number_may_be_a_key_and_a_header_has_to_be_a_plain_one():
    assert errors.secret_in({"api_key": 1234567890}) == "api_key"
    assert errors.secret_in({"max_tokens": 200_000}) == ""
    assert errors.secret_in({"extra_headers": {"X-Team": "hunter2x"}}) == "extra_headers.X-Team"
    assert errors.secret_in({"extra_headers": {"anthropic-beta": "pdfs-2024-09-25"}}) == ""
