"""The embedded models' own transport: what it makes of a message that they cannot take, or that they fail at."""

import asyncio
import dataclasses
import threading

import pytest

from muddle_utils.inference import client
from muddle_utils.inference.client import Patience
from muddle_utils.inference.local import provider
from muddle_utils.inference.routes import Route

NO_PROMPT = "this is not a judge prompt: its three data lines are missing"


def ask(name, content, **parameters):
    return asyncio.run(client.ask(Route(name), content, parameters, Patience(10, 0.0)))


@pytest.mark.parametrize("length", [1, 2 * provider.LONG_FOR_RULES * provider.CHARACTERS_A_TOKEN])
def test_a_message_that_is_none_for_the_model_is_a_bad_request_as_a_servers_would_be(chat_server, monkeypatch, length):
    chat_server.respond = lambda number, body: (400, {}, {"error": {"message": NO_PROMPT}})
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789")
    ours = ask("local/rules", "x" * length)
    theirs = asyncio.run(client.ask(Route("openai/x", chat_server.url), "x" * length, {}, Patience(10, 0.0)))
    assert (ours.status, ours.error_class, ours.error) == ("failed", "bad_request", NO_PROMPT)
    assert NO_PROMPT in theirs.error
    assert dataclasses.replace(theirs, error=ours.error, seconds=ours.seconds) == ours


def test_what_a_model_fails_at_is_its_own_failure_and_ends_nothing_else(monkeypatch):
    def fall(content, page_cache):
        raise KeyError("page")

    monkeypatch.setitem(provider._MODELS, "local/reader", fall)
    reply = ask("local/reader", "question")
    assert (reply.status, reply.error_class, reply.error, reply.cost) == ("failed", "server_error", "'page'", None)


def test_a_model_that_takes_too_long_is_met_by_the_deadline(monkeypatch):
    ended = threading.Event()
    monkeypatch.setitem(provider._MODELS, "local/reader", lambda *_: (ended.wait(60), ("late", {}))[1])

    async def asked():
        reply = await client.ask(Route("local/reader"), "question", {}, Patience(0.05, 0.0))
        ended.set()
        return reply

    reply = asyncio.run(asked())
    assert (reply.status, reply.error_class, reply.text) == ("failed", "timeout", "")
