"""One request to one model, and what came of it.

Every model is asked the same way: litellm carries what leaves the process, and the embedded models answer inside it. A
call never raises for what a provider does: it returns a ``Reply`` whose status and error class (see ``errors``) say
what happened, so that a failure stays a failure. Keys come from the environment, where litellm finds them; error texts
are redacted before anybody stores or shows them.

This module does not decide what to ask or over which route, and stores nothing.
"""

import asyncio
import contextlib
import dataclasses
import functools
import json
import os
import random
import time
from collections.abc import Coroutine, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from types import ModuleType
from typing import Any, Final, TypeVar

from muddle_utils.inference import local
from muddle_utils.inference.errors import (
    FAULTS,
    TRANSIENT,
    UNPAID,
    classify,
    redact,
    retry_after,
    storable,
    without_keys,
    words,
)
from muddle_utils.inference.limiter import Limiter
from muddle_utils.inference.received import (
    body_of,
    dollars_said,
    is_whole,
    listening,
    note_responses,
    stated_error,
    tokens_said,
    usage_of,
)
from muddle_utils.inference.routes import Model, Price, Route
from muddle_utils.scoring.reply_text import is_blank, without_reasoning
from muddle_utils.study.errors import MuddleError, plain

Block = dict[str, Any]
Result = TypeVar("Result")

READER: Final = "local/reader"
RULES: Final = "local/rules"
EMBEDDED: Final = (READER, RULES)
# A deadline may have been paid for, so it is met twice at most; other passing faults are patiently waited out.
DEADLINES: Final = 2
ATTEMPTS_UNREACHED: Final = 4
FIRST_WAIT: Final = 1.0
LONGEST_WAIT: Final = 60.0


class ModelError(MuddleError, ValueError):
    """A model that cannot be asked at all: unknown, or without its credentials. The message names it and the mend."""


@dataclass(frozen=True)
class Patience:
    """How long to wait: ``timeout`` seconds for each attempt, ``seconds`` for all attempts of a request together.

    ``deadlines`` bounds the attempts that may have been paid for. A provider that asks to wait longer than ``seconds``
    has nothing left today. An account that has never answered is tried only a few times: more likely its address is
    wrong.
    """

    timeout: float = 900.0
    seconds: float = 1800.0
    deadlines: int = DEADLINES


@dataclass(frozen=True)
class Reply:
    """What one request came to: a text, or a status and an error class that say why there is none."""

    status: str
    text: str = ""
    error_class: str = ""
    error: str = ""
    finish_reason: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None
    tokens_reasoning: int | None = None
    cost: float | None = None
    seconds: float = 0.0
    attempts: int = 1
    model_returned: str = ""
    confidence: float | None = None
    read_from: str = ""
    # Attempts that may have been paid for without anybody saying how much.
    unpriced: int = 0

    def __post_init__(self) -> None:
        """Take the keys of the environment out of whatever a provider says: it may echo what it was sent."""
        for name in _SAID:
            said = without_keys(storable(getattr(self, name)))
            # An answer has lines; what names or explains is shown on one, and steers no terminal.
            object.__setattr__(self, name, said if name == "text" else plain(said))


_SAID: Final = ("text", "error", "finish_reason", "model_returned", "read_from")
# What a request comes to whose turn came only after the stage was stopped: nothing, and nothing is stored of it.
UNSENT: Final = Reply("unsent")


@functools.cache
def load_litellm() -> ModuleType:
    """Import litellm, quiet and offline but for the requests themselves.

    The import takes seconds, so it waits for a model that is not embedded. ``LITELLM_MODE`` keeps it from reading
    ``.env`` files of folders above; ``LITELLM_OFFLINE_MODE`` keeps it from fetching a price list.
    """
    import logging
    import warnings

    os.environ.setdefault("LITELLM_MODE", "PRODUCTION")
    os.environ.setdefault("LITELLM_OFFLINE_MODE", "true")
    import litellm

    litellm.suppress_debug_info = True
    for name in ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    # It quotes replies that are not in their usual form, which are nobody's but the store's.
    warnings.filterwarnings("ignore", "Pydantic serializer warnings", UserWarning)
    note_responses()
    return litellm  # type: ignore[no-any-return]


def is_embedded(model: str) -> bool:
    """Return whether the model runs inside this process and costs nothing."""
    return model in EMBEDDED


def check_name(model: str) -> None:
    """Refuse a model that litellm cannot place.

    Raises:
        ModelError: naming the model.
    """
    if is_embedded(model):
        return
    if model.startswith("local/"):
        raise ModelError(f"model = {model!r} is unknown: the embedded models are {', '.join(EMBEDDED)}")
    litellm = load_litellm()
    try:
        litellm.get_llm_provider(model)
    except litellm.exceptions.BadRequestError:
        raise ModelError(
            f"model = {model!r} is unknown to litellm and named in no models file: write provider/model, such as "
            "openai/gpt-5-mini, openrouter/google/gemini-3.5-flash or local/reader"
        ) from None


def missing_variables(route: Route) -> list[str]:
    """Return the environment variables that a route needs and that are not set."""
    if is_embedded(route.provider):
        return []
    if route.variables or (route.listed and route.api_base):
        return [name for name in route.variables if not os.environ.get(name)]
    return list(load_litellm().validate_environment(route.provider, api_base=route.api_base or None)["missing_keys"])


def check_route(route: Route) -> None:
    """Refuse a route that no request could take, before anything is rendered or paid for.

    Raises:
        ModelError: the provider is unknown, or its key is not in the environment.
    """
    check_name(route.provider)
    if missing := missing_variables(route):
        raise ModelError(f"model = {route.provider!r} needs {' and '.join(missing)} in the environment")


def parameters_of(model: Model, reasoning_effort: str = "") -> dict[str, Any]:
    """Return what is asked for beside the message (paper, section 4.1).

    They are the model's own; ``reasoning_effort``, where it is given, takes the place of the effort among them. The
    embedded reader is sent its own version.
    """
    if is_embedded(model.name):
        return {"reader_version": local.READER_VERSION} if model.name == READER else {}
    effort = {"reasoning_effort": reasoning_effort} if reasoning_effort else {}
    return {**model.parameters, **effort}


# What each parameter may be called in the body that a provider gets.
_ON_THE_WIRE: Final[Mapping[str, tuple[str, ...]]] = {
    "max_tokens": ("max_tokens", "max_completion_tokens", "max_output_tokens", "maxOutputTokens"),
    "reasoning_effort": ("reasoning_effort", "reasoning", "effort", "thinkingLevel", "thinkingBudget", "budget_tokens"),
    "response_format": (
        *("response_format", "output_format", "format", "response_json_schema", "responseJsonSchema"),
        *("response_schema", "responseSchema"),
    ),
    "stop": ("stop", "stop_sequences", "stopSequences"),
    "top_p": ("top_p", "topP"),
}


def _walk(value: object) -> Iterator[tuple[str, object]]:
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield str(name), inner
            yield from _walk(inner)


def _is_sent(name: str, value: object, body: Mapping[str, Any]) -> bool:
    found = [inner for key, inner in _walk(body) if key in _ON_THE_WIRE.get(name, (name,))]
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value in found
    # A word may be spelt otherwise under another name (an effort becomes a level); under its own it has to be itself.
    own = [inner for key, inner in body.items() if key == name]
    return bool(found) and (not own or isinstance(value, Mapping) or value in own)


@functools.lru_cache(maxsize=256)
def _wire_body(provider: str, options: str) -> str:
    load_litellm()
    from litellm.types.utils import CallTypes
    from litellm.utils import return_raw_request

    arguments = {"model": provider, "messages": [{"role": "user", "content": "x"}], **json.loads(options)}
    raw = return_raw_request(endpoint=CallTypes.completion, kwargs=arguments)
    body = raw.get("raw_request_body")
    if not isinstance(body, Mapping):
        raise ModelError(f"model = {provider!r} does not take these parameters: {redact(str(raw.get('error')))[:500]}")
    left_out = ("model", "messages", "contents", "stream", "metadata")
    return json.dumps({name: value for name, value in body.items() if name not in left_out and value != {}})


def sent_parameters(route: Route, parameters: Mapping[str, Any], waive: Sequence[str] = ()) -> dict[str, Any]:
    """Return what the provider gets for the parameters that are asked for, in its own words.

    litellm makes the body for a message of one letter and sends it nowhere.

    Raises:
        ModelError: a parameter that is not waived by name is refused, would be left out, or would become another
            value.
    """
    if is_embedded(route.provider):
        return dict(parameters)
    wanted = {name: value for name, value in parameters.items() if name not in waive}
    for waived in [name for name in parameters if name in waive]:
        # A waived parameter is still sent where the route takes it.
        with contextlib.suppress(ModelError):
            if _is_sent(waived, parameters[waived], _body(route, {**wanted, waived: parameters[waived]})):
                wanted[waived] = parameters[waived]
    body = _body(route, wanted)
    for name, value in wanted.items():
        if not _is_sent(name, value, body):
            raise ModelError(
                f"model = {route.provider!r} would not be sent {name} = {value!r}: the body holds "
                f"{json.dumps(body, sort_keys=True)}; take {name} out of the model's parameters, or waive it by name "
                f"(--waive {name})"
            )
    return body


def taken(parameters: Mapping[str, Any], waive: Sequence[str], sent: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters without the waived ones that the body in ``sent`` does not hold."""
    return {name: value for name, value in parameters.items() if name not in waive or _is_sent(name, value, sent)}


def _body(route: Route, parameters: Mapping[str, Any]) -> dict[str, Any]:
    options = {**_connection(route, keys=False), **parameters}
    body: dict[str, Any] = json.loads(_wire_body(route.provider, json.dumps(options, sort_keys=True)))
    return body


def _connection(route: Route, keys: bool = True) -> dict[str, Any]:
    """Return what tells litellm the way: address, version, and the key where it is not in its usual place."""
    way: dict[str, Any] = {
        name: value
        for name, value in (
            ("api_base", route.api_base),
            ("api_version", route.api_version),
            ("base_model", route.base_model),
        )
        if value
    }
    if route.extra:
        way["extra_body"] = dict(route.extra)
    if keys and route.key:
        way["api_key"] = os.environ.get(route.key, "")
    elif keys and route.listed and route.api_base:
        # No key is meant for this address, least of all the one that the environment holds for the provider itself.
        way["api_key"] = "none"
    return way


def _cost(completion: Any, route: Route) -> float | None:  # noqa: ANN401
    """Return the US dollars of a reply: as a gateway says, or by the route's price, or by litellm's; else unknown."""
    usage = getattr(completion, "usage", None)
    if said := dollars_said(getattr(usage, "cost", None)):
        return said
    tokens_in = _count(usage, "prompt_tokens")
    if not tokens_in:
        return None
    if route.price:
        cached = _count(getattr(usage, "prompt_tokens_details", None), "cached_tokens") or 0
        return route.price.cost(tokens_in, _count(usage, "completion_tokens") or 0, min(cached, tokens_in))
    cost = getattr(completion, "_hidden_params", {}).get("response_cost")
    # litellm reports 0.0 where a gateway told it nothing: that is an unknown price, not a free call.
    return dollars_said(cost)


def longest_output(sent: Mapping[str, Any], name: str) -> int:
    """Return the most tokens that a body lets a model write.

    Raises:
        ModelError: it sets no limit, so that nobody can say what a request may cost.
    """
    limits = [value for key, value in _walk(sent) if key in _ON_THE_WIRE["max_tokens"] and isinstance(value, int)]
    if not limits:
        raise ModelError(
            f"model = {name!r} is sent no max_tokens, so no budget can be kept: give it one in its parameters"
        )
    return max(limits)


def price_of(route: Route) -> Price | None:
    """Return a route's price: its own, or litellm's for its provider, or None where nobody knows it."""
    if route.price:
        return route.price
    if is_embedded(route.provider):
        return Price(0.0, 0.0, "always")
    if route.api_base:
        return None
    try:
        costs = load_litellm().cost_per_token(model=route.provider, prompt_tokens=10**6, completion_tokens=10**6)
    except Exception:  # noqa: BLE001 - litellm raises plain exceptions for models that its price list lacks
        return None
    return Price(costs[0], costs[1], "", f"litellm {version('litellm')}") if any(costs) else None


def known_price(route: Route, name: str) -> Price:
    """Return the price of a route of the model or judge of this name.

    Raises:
        ModelError: nobody knows it, so no budget can be kept.
    """
    price = price_of(route)
    if price is None:
        raise ModelError(
            f"model = {name!r} has no known price on {route.name}, so no budget can be kept: give its price in a "
            "models file (--models-file), or run without --budget"
        )
    return price


def read_completion(completion: Any, route: Route) -> Reply:  # noqa: ANN401 - litellm's class, known once loaded
    """Return the reply that a completion holds: answered only if it ended by itself and says something."""
    usage = getattr(completion, "usage", None)
    cost = 0.0 if is_embedded(route.provider) else _cost(completion, route)
    choice = next(iter(getattr(completion, "choices", None) or ()), None)
    content = getattr(getattr(choice, "message", None), "content", None)
    if choice is None or not isinstance(content, str | None):
        error = "the provider returned no choices" if choice is None else "the content of the reply is no text"
        reply = Reply("failed", error_class="unreadable", error=error, cost=cost)
        tokens_in, tokens_out = _count(usage, "prompt_tokens") or None, _count(usage, "completion_tokens")
        return dataclasses.replace(reply, tokens_in=tokens_in, tokens_out=tokens_out if tokens_in else None)
    text = content or ""
    finish = str(choice.finish_reason or "")
    own = getattr(choice.message, "provider_specific_fields", None) or {}
    refusal = getattr(choice.message, "refusal", None) or own.get("refusal")
    details = getattr(usage, "completion_tokens_details", None)
    embedded = is_embedded(route.provider)
    broken = _broken_off(choice, finish)
    native = str((getattr(choice, "provider_specific_fields", None) or {}).get("native_finish_reason") or "")
    kind = "server_error" if broken else _fault_of(text, finish, native.lower(), refusal)
    return Reply(
        FAULTS[kind].status if kind else "answered",
        text=text or str(refusal or ""),
        error_class=kind,
        error=broken or (f"finish_reason {finish}" if kind else ""),
        finish_reason=finish,
        cost=cost,
        model_returned=str(getattr(completion, "model", "") or ""),
        confidence=own.get("confidence") if embedded else None,
        read_from=json.dumps(own["read_from"], ensure_ascii=False) if embedded and "read_from" in own else "",
        # litellm makes 0 of a usage that nobody reported.
        tokens_in=_count(usage, "prompt_tokens") or None,
        tokens_out=_count(usage, "completion_tokens") if _count(usage, "prompt_tokens") else None,
        tokens_reasoning=_count(details, "reasoning_tokens"),
    )


def _count(usage: Any, name: str) -> int | None:  # noqa: ANN401
    """Return a number of tokens, or None where what stands there can be none."""
    return tokens_said(getattr(usage, name, None))


# What a finished, cut, filtered or tool-calling reply says of its end; litellm calls every other end "stop".
_ENDED: Final = (
    *("", "stop", "length", "content_filter", "end_turn", "stop_sequence", "eos", "eos_token", "completed", "complete"),
    *("max_tokens", "max_output_tokens", "model_length", "incomplete", "safety", "recitation", "refusal", "sensitive"),
    *("tool_calls", "function_call", "tool_use", "finish_reason_unspecified"),
)


def _broken_off(choice: Any, finish: str) -> str:  # noqa: ANN401
    """Return why a reply broke off on its way through a gateway, or an empty text: litellm calls its end "stop"."""
    own = getattr(choice, "provider_specific_fields", None) or {}
    if own.get("error"):
        return f"the reply broke off: {redact(json.dumps(own['error']))}"[:2000]
    ended = str(own.get("native_finish_reason") or finish)
    return "" if ended.lower() in _ENDED else f"the reply broke off: finish_reason {redact(ended)[:100]}"


def _fault_of(text: str, finish: str, native: str, refusal: object) -> str:
    if finish == "content_filter" or native in ("recitation", "safety", "sensitive"):
        return "filtered"
    answer = without_reasoning(text)
    # Reasoning that never ends was cut, whatever the reply says of its end.
    if finish == "length" or native in ("model_length", "incomplete", "max_output_tokens") or answer is None:
        return "truncated"
    if refusal:
        return "refused"
    return "empty" if is_blank(answer) else ""


async def _bounded(call: Coroutine[Any, Any, Result], seconds: float) -> Result:
    """Await a call no longer than this by the wall clock, even if it does not heed being cancelled.

    Raises:
        TimeoutError: the time is over; the call was told to end and is waited for no longer.
    """
    task = asyncio.ensure_future(call)
    try:
        done, _ = await asyncio.wait({task}, timeout=seconds)
    finally:
        if not task.done():
            task.cancel()
            # What an abandoned call still raises is nobody's any more.
            task.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
    if not done:
        raise TimeoutError
    return task.result()


async def ask(
    route: Route,
    content: Sequence[Block] | str,
    parameters: Mapping[str, Any],
    patience: Patience | None = None,
    limiter: Limiter | None = None,
) -> Reply:
    """Send one user message over one route and return what came of it; cancellation passes through.

    Faults that pass (``errors.TRANSIENT``) are tried again: as told by the provider, or else after a wait that
    doubles. The limiter gives each attempt its place and learns from it.
    """
    patience, limiter = patience or Patience(), limiter or Limiter(1)
    if not is_embedded(route.provider):
        load_litellm()
    started = time.monotonic()
    attempt = deadlines = unpriced = 0
    paid: list[float] = []
    reply = UNSENT
    while True:
        attempt += 1
        async with limiter.slot():
            if limiter.stopped:
                break
            begun = time.monotonic()
            reply, told = await _attempt(route, content, parameters, patience.timeout)
        kind = reply.error_class
        paid += [reply.cost] if reply.cost is not None else []
        unpriced += reply.cost is None and (kind not in UNPAID or bool(reply.unpriced))
        if kind not in TRANSIENT:
            limiter.speed_up()
            break
        if told is not None and told > patience.seconds:
            error = f"the provider asks to wait {told:.0f} s, longer than this run is ready to: {reply.error}"
            reply = dataclasses.replace(reply, error_class="quota", error=error)
            break
        if kind == "rate_limited":
            limiter.reached = True
            limiter.slow_down(begun, told)
        deadlines += kind not in UNPAID or bool(reply.cost or reply.finish_reason or reply.unpriced)
        # Jitter only spreads requests in time; it shapes no result, so it needs no seed.
        doubled = min(LONGEST_WAIT, FIRST_WAIT * 2 ** min(attempt - 1, 16)) * random.uniform(0.5, 1.5)
        wait = max(told or 0.0, doubled)
        out_of_time = time.monotonic() - started + wait > patience.seconds
        unreached = not limiter.reached and attempt >= ATTEMPTS_UNREACHED
        if limiter.stopped or deadlines >= patience.deadlines or out_of_time or unreached:
            break
        await limiter.wait(wait)
        if limiter.stopped:
            break
    if reply is UNSENT:
        return reply
    # What was paid for attempts that came to nothing was paid for this request.
    cost = sum(paid) if paid else None
    seconds = time.monotonic() - started
    return dataclasses.replace(reply, cost=cost, seconds=seconds, attempts=attempt, unpriced=unpriced)


def plainest(content: Sequence[Block] | str) -> Sequence[Block] | str:
    """Return a message of text blocks alone as one text: some servers refuse or drop blocks, and all take a text."""
    if isinstance(content, str) or any(block["type"] != "text" for block in content):
        return content
    return "".join(block["text"] for block in content)


async def _completion(
    route: Route, content: Sequence[Block] | str, parameters: Mapping[str, Any], timeout: float
) -> Any:  # noqa: ANN401 - litellm's class, known once loaded
    """Return the completion of one message by the transport of the route."""
    if is_embedded(route.provider):
        return await local.complete(route.provider, content, **parameters)
    options = {**_connection(route), **parameters}
    if route.headers:
        own = {name: os.environ.get(variable, "") for name, variable in route.headers.items()}
        options["extra_headers"] = {**parameters.get("extra_headers", {}), **own}
    return await load_litellm().acompletion(
        model=route.provider,
        messages=[{"role": "user", "content": plainest(content)}],
        timeout=timeout,
        max_retries=0,
        **options,
    )


async def _attempt(
    route: Route, content: Sequence[Block] | str, parameters: Mapping[str, Any], timeout: float
) -> tuple[Reply, float | None]:
    """Return what one attempt came to, and the seconds that the provider asks to wait before the next."""
    with listening() as received:
        try:
            call = _completion(route, content, parameters, timeout)
            return read_completion(await _bounded(call, timeout), route), None
        except TimeoutError:
            return Reply("failed", error_class="timeout", error=f"no reply within {timeout:g} s"), None
        except Exception as error:  # noqa: BLE001 - whatever a provider or litellm raises is that request's failure
            if received and received[0].is_success:
                return _accepted(received[0], error, route), retry_after(error)
            kind = "redirected" if received and received[0].is_redirect else classify(error)
            reply = Reply(FAULTS[kind].status, error_class=kind, error=redact(words(error))[:2000])
            return reply, retry_after(error)


# An accepted request that came to one of these has not been declined: it may have been worked on, and be paid for.
_WORKED_ON: Final = ("server_error", "connection", "unreadable")


def _accepted(response: Any, error: Exception, route: Route) -> Reply:  # noqa: ANN401 - an httpx response
    """Return the reply that a response of success is although nobody could read it: it may well have been paid for."""
    if not is_whole(response):
        kind, said, body = classify(error), words(error), None
    elif stated := stated_error(body := body_of(response)):
        kind, said = classify(stated), f"the provider states an error in a reply of success: {stated}"
    else:
        kind, said = "unreadable", f"a reply of success that cannot be read: {response.text}"
    tokens_in, tokens_out, cost = usage_of(body)
    price = price_of(route)
    if cost is None and price and tokens_in and tokens_out is not None:
        cost = price.cost(tokens_in, tokens_out)
    return Reply(
        FAULTS[kind].status,
        error_class=kind,
        error=redact(said[:20_000])[:2000],
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        cost=cost,
        unpriced=int(cost is None and kind in _WORKED_ON),
    )


def library_versions() -> str:
    """Return the JSON of the library versions that shape a request."""
    return json.dumps({name: version(name) for name in ("litellm", "markitdown", "pymupdf", "muddle-utils")})
