"""What a provider's replies were on the wire: litellm keeps neither status nor body of one that it cannot convert.

litellm's asynchronous clients all send through httpx. ``note_responses`` has it keep the last response of whoever
listens, and join an answer in parts of text, of which some of litellm's providers keep one part and others none.

It follows no redirect for them either. Nothing here sends or waits of its own accord.
"""

import contextlib
import json
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from typing import Any, Final

from muddle_utils.study.rows import MOST

_KEPT: Final[ContextVar[list[Any]]] = ContextVar("kept_responses")
# What providers call the tokens of a request: all that count, where one has several counts.
_TOKENS_IN: Final = (
    *("prompt_tokens", "input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "promptTokenCount"),
)
_TOKENS_OUT: Final = ("completion_tokens", "output_tokens", "candidatesTokenCount", "thoughtsTokenCount")


class StatedError(Exception):
    """An error that a provider states in a reply of success; ``status_code`` is what the error itself says."""

    def __init__(self, error: object) -> None:
        """Take the error as it stands in the body."""
        super().__init__(error if isinstance(error, str) else json.dumps(error, ensure_ascii=False))
        code = error.get("code") if isinstance(error, Mapping) else None
        self.status_code = code if isinstance(code, int) and 400 <= code < 600 else None


@contextlib.contextmanager
def listening() -> Iterator[list[Any]]:
    """Collect the last response to whatever is sent meanwhile: a list of one httpx response, or empty."""
    kept: list[Any] = []
    token = _KEPT.set(kept)
    try:
        yield kept
    finally:
        _KEPT.reset(token)


def note_responses() -> None:
    """Have httpx note the responses for ``listening``; once for the whole process is enough."""
    import httpx

    send = httpx.AsyncClient.send

    async def noting(client: httpx.AsyncClient, request: httpx.Request, **options: Any) -> httpx.Response:  # noqa: ANN401
        kept = _KEPT.get(None)
        if kept is None:
            return await send(client, request, **options)
        # Key and documents go to the address that was given for them, and to no other that it names.
        options["follow_redirects"] = False
        if options.get("stream"):
            return await send(client, request, **options)
        # Kept before its body is read: a connection that breaks in the middle breaks a reply that was accepted.
        response = await send(client, request, **{**options, "stream": True})
        kept[:] = [response]
        try:
            await response.aread()
        finally:
            await response.aclose()
        body = body_of(response) if response.is_success else None
        if not _join_parts(body):
            return response
        # Their values are those of the body as it came.
        headers = [pair for pair in response.headers.multi_items() if pair[0] not in ("content-length", *_ENCODINGS)]
        joined = httpx.Response(
            response.status_code, headers=headers, json=body, request=request, extensions=response.extensions
        )
        joined.elapsed = response.elapsed
        return joined

    httpx.AsyncClient.send = noting  # type: ignore[method-assign, assignment]


_ENCODINGS: Final = ("content-encoding", "transfer-encoding", "content-type")


def _join_parts(body: Any) -> bool:  # noqa: ANN401 - any JSON
    """Join the parts of text of a chat completion's messages in place; return whether there were any."""
    choices = body.get("choices") if isinstance(body, dict) else None
    joined = False
    for choice in choices if isinstance(choices, list) else ():
        message = choice.get("message") if isinstance(choice, dict) else None
        parts = message.get("content") if isinstance(message, dict) else None
        if not isinstance(message, dict) or not isinstance(parts, list):
            continue
        texts = [part["text"] for part in parts if _is_text(part)]
        others = [part for part in parts if not _is_text(part) and not _is_thought(part)]
        if texts or not others:
            text = "".join(texts)
            message["content"] = [*others, {"type": "text", "text": text}] if others else text
            joined = True
    return joined


def _is_text(part: object) -> bool:
    return isinstance(part, dict) and part.get("type") == "text" and isinstance(part.get("text"), str)


def _is_thought(part: object) -> bool:
    """Return whether a part is reasoning, which some providers put beside the answer's text."""
    return isinstance(part, dict) and part.get("type") in ("thinking", "reasoning", "redacted_thinking")


def body_of(response: Any) -> Any:  # noqa: ANN401 - an httpx response, and any JSON
    """Return the JSON of a response, or None where it holds none."""
    # Brackets within brackets without end are none that can be read.
    with contextlib.suppress(ValueError, RecursionError):
        return json.loads(response.content)
    return None


def is_whole(response: Any) -> bool:  # noqa: ANN401
    """Return whether a response was read to its end."""
    with contextlib.suppress(RuntimeError):
        return response.content is not None
    return False


def stated_error(body: object) -> StatedError | None:
    """Return the error that a body states, or None."""
    error = body.get("error") if isinstance(body, Mapping) else None
    return StatedError(error) if error else None


def usage_of(body: object) -> tuple[int | None, int | None, float | None]:
    """Return the input tokens, the output tokens and the US dollars that a body reports, each None where it does not.

    >>> usage_of({"choices": None, "usage": {"prompt_tokens": 12, "completion_tokens": 3}})
    (12, 3, None)
    """
    found = [body.get(name) for name in ("usage", "usageMetadata")] if isinstance(body, Mapping) else []
    usage: Mapping[str, object] = next((each for each in found if isinstance(each, Mapping)), {})
    return _sum(usage, _TOKENS_IN) or None, _sum(usage, _TOKENS_OUT), dollars_said(usage.get("cost"))


def tokens_said(value: object) -> int | None:
    """Return a number of tokens that a provider reports, or None where what it says can be none."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST else None


def dollars_said(value: object) -> float | None:
    """Return the US dollars that a provider reports, or None where what it says can be no price of a request."""
    known = isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= MOST
    return float(str(value)) if known else None


def _sum(usage: Mapping[str, object], names: tuple[str, ...]) -> int | None:
    counts = [usage[name] for name in names if usage.get(name) is not None]
    whole = [each for each in map(tokens_said, counts) if each is not None]
    return tokens_said(sum(whole)) if whole and len(whole) == len(counts) else None
