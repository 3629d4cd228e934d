"""One request to one model through litellm, and what came of it.

Every model is reached the same way, the embedded ones included. A call never raises for what a provider does: it
returns a ``Reply`` whose status and error class say what happened, so that a failure stays a failure. Keys come from
the environment, where litellm finds them; error texts are redacted before anybody stores or shows them.

This module does not decide what to ask, store anything, or choose between routes of one model.
"""

import asyncio
import dataclasses
import functools
import json
import os
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from types import ModuleType
from typing import Any, Final, TypeVar

from tqdm import tqdm

Block = dict[str, Any]
Item = TypeVar("Item")

READER: Final = "local/reader"
RULES: Final = "local/rules"
EMBEDDED: Final = (READER, RULES)
# Part of what is sent to the embedded reader: raise it when the reader answers differently, so that its answers are
# asked for anew instead of mixed.
READER_VERSION: Final = "1"
REASONING_EFFORT: Final = "medium"
MAX_TOKENS: Final = 16_000
ATTEMPTS: Final = 4
FIRST_WAIT: Final = 1.0
LONGEST_WAIT: Final = 60.0
# What one key among other things looks like in an error text: a bearer header, a query parameter, a provider's prefix.
_SECRET: Final = re.compile(
    r"(?i)(?:bearer\s+|(?:api[-_]?key|key|token|secret|authorization)[\"']?\s*[=:]\s*[\"']?)[\w.\-+/=]{6,}"
    r"|\b(?:sk|pk|xai|gsk|AIza)[-_]?[A-Za-z0-9_\-]{12,}"
)
_SECRET_VARIABLE: Final = re.compile(r"(?i)(?:key|token|secret|password)")
# Error classes after which asking again, now or in the next run with nothing changed, may help.
TRANSIENT: Final = ("rate_limited", "server_error", "timeout", "connection")
# Error classes that every further request of the stage would meet as well: the stage stops, resumable.
FATAL: Final = ("credentials", "quota")
_CLASSES: Final = {
    "ContextWindowExceededError": "context_exceeded",
    "ContentPolicyViolationError": "filtered",
    "AuthenticationError": "credentials",
    "PermissionDeniedError": "credentials",
    "NotFoundError": "bad_request",
    "RateLimitError": "rate_limited",
    "Timeout": "timeout",
    "APIConnectionError": "connection",
    "InternalServerError": "server_error",
    "ServiceUnavailableError": "server_error",
    "BadGatewayError": "server_error",
}


class ModelError(ValueError):
    """A model that cannot be asked at all: unknown, or without its credentials. The message names it and the mend."""


class StageStoppedError(RuntimeError):
    """A fault that every further request would meet, too; what was answered is stored and the stage can be resumed."""


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


@functools.cache
def load_litellm() -> ModuleType:
    """Import litellm, quiet and offline but for the requests themselves, with the embedded models as a provider.

    The import takes seconds, which is why nothing imports it before the first request. ``LITELLM_MODE`` keeps it from
    reading ``.env`` files of folders above; ``LITELLM_OFFLINE_MODE`` keeps it from fetching a price list.
    """
    import logging

    os.environ.setdefault("LITELLM_MODE", "PRODUCTION")
    os.environ.setdefault("LITELLM_OFFLINE_MODE", "true")
    import litellm

    from muddle_utils.embedded import EmbeddedModels

    litellm.suppress_debug_info = True
    for name in ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy"):
        logging.getLogger(name).setLevel(logging.ERROR)
    litellm.custom_provider_map = [{"provider": "local", "custom_handler": EmbeddedModels()}]
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
            f"model = {model!r} is unknown to litellm: write provider/model, such as openai/gpt-5-mini, "
            "openrouter/google/gemini-3.5-flash or local/reader"
        ) from None


def check_model(model: str, api_base: str = "") -> None:
    """Refuse a model that no request could reach, before anything is rendered or paid for.

    Raises:
        ModelError: the provider is unknown, or its key is not in the environment.
    """
    check_name(model)
    if is_embedded(model):
        return
    missing = load_litellm().validate_environment(model, api_base=api_base or None).get("missing_keys", [])
    if missing:
        raise ModelError(f"model = {model!r} needs {' and '.join(missing)} in the environment")


def request_parameters(model: str, reasoning_effort: str = REASONING_EFFORT) -> dict[str, Any]:
    """Return what is sent beside the message (paper, section 4.1).

    The reasoning effort goes to providers that take one; Grok runs without, as in the paper. The embedded reader is
    sent its own version. Nothing else is set: the paper names no temperature.
    """
    if is_embedded(model):
        return {"reader_version": READER_VERSION} if model == READER else {}
    parameters: dict[str, Any] = {"max_tokens": MAX_TOKENS}
    if reasoning_effort and "grok" not in model:
        supported = load_litellm().get_supported_openai_params(model) or []
        if "reasoning_effort" in supported:
            parameters["reasoning_effort"] = reasoning_effort
    return parameters


def without_keys(text: str) -> str:
    """Return the text without the values of environment variables whose names look like keys, otherwise as it is."""
    for name, value in os.environ.items():
        if len(value) >= 8 and _SECRET_VARIABLE.search(name):
            text = text.replace(value, "[redacted]")
    return text


def redact(text: str) -> str:
    """Return the text without anything that is or looks like a key, and without line breaks."""
    return " ".join(_SECRET.sub("[redacted]", without_keys(text)).split())


def error_class(error: Exception) -> str:
    """Return the class of a provider's error, from its type, status and wording."""
    text = str(error).lower()
    name = type(error).__name__
    status = getattr(error, "status_code", None)
    if "context length" in text or "context window" in text or status == 413 or "too large" in text:
        return "context_exceeded"
    if "content management policy" in text or "safety system" in text:
        return "filtered"
    if "missing credentials" in text or ("missing" in text and "api key" in text) or status in (401, 403):
        return "credentials"
    if status == 402 or (name == "RateLimitError" and ("quota" in text or "credit" in text)):
        return "quota"
    if status in (408, 500, 502, 503, 504, 529) and name not in _CLASSES:
        return "timeout" if status == 408 else "server_error"
    return _CLASSES.get(name, "bad_request" if status == 400 else "server_error")


def retry_after(error: Exception) -> float | None:
    """Return the seconds that the provider asks to wait, or None where it does not say."""
    headers = getattr(error, "litellm_response_headers", None) or {}
    value = str(dict(headers).get("retry-after", ""))
    return float(value) if re.fullmatch(r"\d+(?:\.\d+)?", value) else None


def _wait(error: Exception, attempt: int) -> float:
    """Return how long to wait before the next attempt: as told, or else doubling with jitter."""
    told = retry_after(error)
    # Jitter only spreads requests in time; it shapes no result, so it needs no seed.
    jitter = random.uniform(0.5, 1.5)
    return told if told is not None else min(LONGEST_WAIT, FIRST_WAIT * 2 ** (attempt - 1) * jitter)


def _cost(completion: Any, model: str) -> float | None:  # noqa: ANN401
    if is_embedded(model):
        return 0.0
    cost = getattr(completion, "_hidden_params", {}).get("response_cost")
    # litellm reports 0.0 where a gateway told it nothing: that is an unknown price, not a free call.
    return float(cost) if cost else None


def read_completion(completion: Any, model: str) -> Reply:  # noqa: ANN401 - litellm's own class, known once loaded
    """Return the reply that a completion holds: answered only if it ended by itself and says something."""
    if not getattr(completion, "choices", None):
        return Reply("failed", error_class="empty", error="the provider returned no choices")
    choice = completion.choices[0]
    # A server that echoes its request must not put the key into the store.
    text = without_keys(choice.message.content or "")
    finish = str(choice.finish_reason or "")
    own = getattr(choice.message, "provider_specific_fields", None) or {}
    usage = getattr(completion, "usage", None)
    details = getattr(usage, "completion_tokens_details", None)
    status, kind = "answered", ""
    if finish == "content_filter":
        status, kind = "refused", "filtered"
    elif finish == "length":
        status, kind = "failed", "truncated"
    elif not text.strip():
        status, kind = "failed", "empty"
    return Reply(
        status,
        text=text,
        error_class=kind,
        error=f"finish_reason {finish}" if kind else "",
        finish_reason=finish,
        cost=_cost(completion, model),
        model_returned=str(getattr(completion, "model", "") or ""),
        confidence=own.get("confidence") if is_embedded(model) else None,
        read_from=json.dumps(own["read_from"], ensure_ascii=False) if is_embedded(model) and "read_from" in own else "",
        tokens_in=getattr(usage, "prompt_tokens", None),
        tokens_out=getattr(usage, "completion_tokens", None),
        tokens_reasoning=getattr(details, "reasoning_tokens", None),
    )


async def ask(
    model: str,
    content: Sequence[Block] | str,
    parameters: Mapping[str, Any],
    timeout: float = 900.0,
    api_base: str = "",
) -> Reply:
    """Send one user message and return what came of it; transient faults are tried again, as told or with back-off.

    ``timeout`` bounds each attempt by the wall clock, whatever the library does. Cancellation passes through.
    """
    litellm = load_litellm()
    started = time.monotonic()
    routed = {"api_base": api_base} if api_base else {}
    reply = Reply("failed")
    for attempt in range(1, ATTEMPTS + 1):
        try:
            async with asyncio.timeout(timeout):
                completion = await litellm.acompletion(
                    model=model,
                    messages=[{"role": "user", "content": content}],
                    timeout=timeout,
                    max_retries=0,
                    **routed,
                    **parameters,
                )
            reply = read_completion(completion, model)
            wait = None
        except TimeoutError:
            reply = Reply("failed", error_class="timeout", error=f"no reply within {timeout:g} s")
            wait = FIRST_WAIT
        except Exception as error:  # noqa: BLE001 - whatever a provider or litellm raises is that request's failure
            kind = error_class(error)
            reply = Reply(
                "refused" if kind == "filtered" else "failed", error_class=kind, error=redact(str(error))[:2000]
            )
            wait = _wait(error, attempt) if kind in TRANSIENT else None
        if wait is None or attempt == ATTEMPTS:
            break
        await asyncio.sleep(wait)
    seconds = time.monotonic() - started
    return dataclasses.replace(reply, seconds=seconds, attempts=attempt)


def library_versions() -> str:
    """Return the JSON of the library versions that shape a request."""
    return json.dumps({name: version(name) for name in ("litellm", "markitdown", "pymupdf", "muddle-utils")})


async def work_through(
    items: Iterable[Item],
    do: Callable[[Item], Awaitable[Reply]],
    concurrency: int,
    label: str,
    progress: bool = True,
) -> None:
    """Run ``do`` over the items, ``concurrency`` at a time, with a bar that shows the cost so far.

    An item is taken only when a place is free, so memory is bounded by the concurrency, not by the study.

    Raises:
        StageStoppedError: a reply's error class is fatal (bad credentials, quota); requests under way are finished
            first, and no further one is sent.
        ValueError: ``concurrency`` is below 1.
    """
    if concurrency < 1:
        raise ValueError(f"concurrency = {concurrency} asks for nothing: take 1 or more")
    waiting = list(items)
    queue = iter(waiting)
    fatal: list[Reply] = []
    failed: Counter[str] = Counter()
    cost = 0.0
    with tqdm(total=len(waiting), desc=label, unit="request", disable=not progress or not waiting) as bar:

        async def worker() -> None:
            nonlocal cost
            for item in queue:
                reply = await do(item)
                cost += reply.cost or 0.0
                if reply.status != "answered":
                    failed[reply.error_class] += 1
                bar.set_postfix_str(f"${cost:.4f}", refresh=False)
                bar.update()
                if reply.error_class in FATAL:
                    fatal.append(reply)
                if fatal:
                    return

        async with asyncio.TaskGroup() as group:
            for _ in range(min(concurrency, len(waiting))):
                group.create_task(worker())
    if failed:
        causes = ", ".join(f"{n} {kind}" for kind, n in failed.most_common())
        said = f"{label}: {failed.total()} of {len(waiting)} came to nothing ({causes}); the next run tries them again"
        tqdm.write(said, file=sys.stderr)
    if fatal:
        raise StageStoppedError(
            f"{label} stopped: {fatal[0].error_class} ({fatal[0].error}). What was answered is stored; mend this and "
            "run again"
        )
