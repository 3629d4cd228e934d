"""The misbehaving server does what it is told: otherwise every test against it would prove nothing."""

import asyncio
import email.utils
import hashlib
import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import fault_server as fs
import httpx
import pytest

KEY = "sk-mine-0123456789abcdef"
FAST = [case for case in fs.CASES if case.behaviour.manner == "whole"]


@pytest.fixture(scope="module")
def running():
    with fs.serving() as server, CLIENT:
        yield server


@pytest.fixture
def server(running):
    running.requests.clear()
    running.respond = fs.always(fs.answer())
    running.most = 0
    return running


# One client for all: loading certificates for each would take longer than the tests.
CLIENT = httpx.Client(verify=False, timeout=5)


def post(server, text="question", path="/v1/chat/completions", timeout=5.0, **body):
    body = {"model": "some-model", "messages": [{"role": "user", "content": text}], **body}
    headers = {"Authorization": f"Bearer {KEY}"}
    return CLIENT.post(server.root + path, json=body, headers=headers, timeout=timeout)


def test_an_answer_and_what_is_kept_of_the_request(server):
    reply = post(server, "question " * 100)
    assert reply.json()["choices"][0]["message"] == {"role": "assistant", "content": "42"}
    (seen,) = server.requests
    sent = reply.request.content
    assert (seen.number, seen.model, seen.bytes, seen.authorization) == (1, "some-model", len(sent), True)
    assert seen.sha256 == hashlib.sha256(sent).hexdigest()
    assert seen.text == ("question " * 100)[:300]
    assert seen.body == json.loads(sent)
    assert KEY not in fs.log_line(seen) and "authorization" not in seen.headers
    assert CLIENT.post(f"{server.url}/chat/completions", json={"model": "m", "messages": []}).is_success
    assert not server.requests[1].authorization


@pytest.mark.parametrize("case", FAST, ids=lambda case: case.name)
def test_every_case_arrives_with_its_status_and_body(server, case):
    server.respond = fs.always(case.behaviour)
    reply = post(server)
    assert reply.status_code == case.behaviour.status
    for name, value in case.behaviour.headers:
        assert reply.headers[name] == value
    if isinstance(case.behaviour.body, bytes):
        assert reply.content == case.behaviour.body
    else:
        got, expected = reply.json(), json.loads(json.dumps(case.behaviour.body).replace(fs.ECHO, KEY))
        # The server adds the usage that a case does not name.
        assert got == ({"usage": got["usage"], **expected} if "usage" in got else expected)


@pytest.mark.parametrize("one", fs.OVERFLOWS, ids=lambda one: one.name)
def test_every_overflow_arrives_with_its_status_and_body(server, one):
    server.respond = fs.script(f"overflow_{one.name}")
    reply = post(server)
    assert reply.status_code == one.status
    assert (reply.content if isinstance(one.body, bytes) else reply.json()) == one.body


def test_names_are_unique_and_the_tables_cover_the_vocabulary():
    assert len(fs.behaviours()) == len(fs.CASES) + len(fs.OVERFLOWS)
    classes = {case.error_class for case in fs.CASES}
    assert classes == {
        *("", "refused", "filtered", "truncated", "empty", "attachment_lost", "timeout", "rate_limited"),
        *("unreadable", "server_error", "connection", "bad_request", "not_found", "credentials", "quota"),
    }


def test_a_date_lies_as_far_ahead_as_it_is_told(server):
    server.respond = fs.always(fs.limited(date=100.0))
    told = email.utils.parsedate_to_datetime(post(server).headers["retry-after"]).timestamp()
    assert 98 < told - time.time() <= 100


def test_usage_fits_what_was_sent_unless_it_is_told_otherwise(server):
    page = {"type": "image_url", "image_url": {"url": "data:image/jpeg;base64,AAAA"}}
    content = [{"type": "text", "text": "abcd" * 100}, page, page]
    assert post(server, content).json()["usage"]["prompt_tokens"] == 100 + 2 * 800 + 8
    server.respond = fs.always(fs.ATTACHMENT_LOST.behaviour)
    assert post(server, content).json()["usage"]["prompt_tokens"] == 24


def test_the_ways_in_which_a_connection_breaks(server):
    server.respond = fs.always(fs.RESET)
    with pytest.raises(httpx.ReadError):
        post(server)
    server.respond = fs.always(fs.CUT)
    with pytest.raises(httpx.RemoteProtocolError, match="without sending complete message body"):
        post(server)
    server.respond = fs.always(fs.STALL)
    with pytest.raises(httpx.ReadTimeout):
        post(server, timeout=0.2)
    server.respond = fs.always(fs.answer())
    assert post(server).is_success, "the server outlives what it does to others"


def test_a_drip_keeps_a_read_timeout_from_firing(server):
    server.respond = fs.always(fs.replace(fs.raw(200, b"abcdef"), manner="drip", pace=0.1))
    started = time.monotonic()
    assert post(server, timeout=0.3).content == b"abcdef"
    assert 0.5 < time.monotonic() - started


def test_behaviours_in_turn_and_by_marker(server):
    server.respond = fs.in_turn(fs.limited(), fs.page(502, "Bad Gateway"), fs.answer())
    assert [post(server).status_code for _ in range(4)] == [429, 502, 200, 200]
    server.respond = fs.script("markers")
    asked = ["plain", "[fault 503]", "[fault 503 1] a", "[fault 503 1] b", "[fault 503 1] a", "[fault overflow_groq]"]
    assert [post(server, text).status_code for text in asked] == [200, 503, 503, 503, 200, 413]
    with pytest.raises(ValueError, match="script = 'made_up' is unknown: take one of healthy, "):
        fs.script("made_up")


def test_azure_and_anthropic_are_spoken(server):
    reply = post(server, path="/openai/deployments/my-own/chat/completions?api-version=1", model=None)
    assert reply.json()["choices"][0]["message"]["content"] == "42"
    assert (server.requests[0].model, server.requests[0].path) == (
        "my-own",
        "/openai/deployments/my-own/chat/completions",
    )
    reply = CLIENT.post(
        f"{server.root}/v1/messages",
        json={"model": "claude", "max_tokens": 5, "messages": [{"role": "user", "content": "four more"}]},
        headers={"x-api-key": KEY},
    ).json()
    assert (reply["content"], reply["stop_reason"]) == ([{"type": "text", "text": "42"}], "end_turn")
    assert reply["usage"] == {"input_tokens": 10, "output_tokens": 3}
    assert server.requests[1].authorization
    assert post(server, path="/v1/embeddings").status_code == 404


def test_many_large_requests_at_once(server):
    # Long enough for all 64 MB to arrive on a busy machine before the first is answered.
    server.respond = fs.always(fs.answer(latency=3))
    body = b'{"model": "m", "messages": [{"role": "user", "content": "' + b"x" * 1_000_000 + b'"}]}'

    async def all_of_them():
        async with httpx.AsyncClient(verify=False, limits=httpx.Limits(max_connections=64), timeout=30) as client:
            return await asyncio.gather(
                *(client.post(f"{server.url}/chat/completions", content=body) for _ in range(64))
            )

    assert {reply.status_code for reply in asyncio.run(all_of_them())} == {200}
    assert server.most == 64
    assert {request.bytes for request in server.requests} == {len(body)}


def test_as_a_process_of_its_own(tmp_path):
    log = tmp_path / "requests.jsonl"
    command = [sys.executable, str(Path(fs.__file__)), "--script", "openai_quota", "--log", str(log)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        url = process.stdout.readline().strip()
        reply = CLIENT.post(
            f"{url}/chat/completions?key={KEY}",
            json={"model": "m", "messages": [{"role": "user", "content": "q"}]},
            headers={"Authorization": f"Bearer {KEY}", "api-key": KEY},
        )
        process.send_signal(signal.SIGTERM)
        assert process.wait(10) == 0
    assert reply.status_code == 429
    (line,) = log.read_text().splitlines()
    row = json.loads(line)
    assert (row["model"], row["text"], row["authorization"], row["bytes"]) == (
        "m",
        "q",
        True,
        len(reply.request.content),
    )
    assert row["sha256"] == hashlib.sha256(reply.request.content).hexdigest()
    assert KEY not in line
