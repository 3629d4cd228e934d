"""A server on loopback that speaks the chat APIs and misbehaves on command, for tests and benchmarks.

It answers ``POST …/chat/completions`` (OpenAI and whoever copies it, Azure deployments too), ``POST …/messages``
(Anthropic) and ``POST …:generateContent`` (Gemini), never as a stream. What a request meets is a ``Behaviour``, chosen
by a function of the request's number and body. In a test, ``with serving() as server`` runs it in a thread;
``python tests/helpers/fault_server.py --script NAME`` runs it by itself and prints its address.

``OVERFLOWS`` are the ways in which providers say that a request is too large, ``CASES`` everything else that a
request can meet, each with the error class that it comes to. The error bodies have the form and the wording of the
provider that is named; the numbers and names in them are made up.
"""

import argparse
import asyncio
import collections
import contextlib
import email.utils
import hashlib
import json
import re
import signal
import socket
import struct
import sys
import threading
import time
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, TextIO

Body = Mapping[str, Any]
CHUNK: Final = 1 << 20
# Headers that hold a key: their values are neither kept nor logged.
KEY_HEADERS: Final = ("authorization", "api-key", "x-api-key", "x-goog-api-key", "cookie")
# Stands in a body for the key that the request came with.
ECHO: Final = "<<the key of the request>>"
# A key for error texts that give one away: nobody's, and long enough to be taken for one.
PLANTED: Final = "sk-planted-0123456789abcdefghij"
DAY: Final = 86_400


@dataclass(frozen=True)
class Behaviour:
    """How one request is met.

    ``body`` is JSON, or bytes that are sent as they are. ``latency`` is the wait before the first byte in seconds,
    ``retry_date`` a ``Retry-After`` as the HTTP date of so many seconds from then. ``manner`` is ``whole``, ``stall``
    (no reply at all), ``drip`` (one byte of the body every ``pace`` seconds), ``cut`` (the connection closes before
    the promised length) or ``reset`` (the connection is reset instead of a reply).
    """

    status: int = 200
    body: Any = None
    headers: tuple[tuple[str, str], ...] = ()
    latency: float = 0.0
    retry_date: float | None = None
    manner: str = "whole"
    pace: float = 1.0


Respond = Callable[[int, Body], Behaviour]


@dataclass(frozen=True)
class Overflow:
    """One dialect of "too large": the provider's status and JSON (or bytes)."""

    name: str
    status: int
    body: Any


@dataclass(frozen=True)
class Case:
    """One behaviour and the error class that it comes to; the class of an answer is empty."""

    name: str
    error_class: str
    behaviour: Behaviour


@dataclass(frozen=True)
class Request:
    """What is kept of a request; ``text`` is the beginning of the first user message, ``body`` empty if not kept."""

    number: int
    time: float
    path: str
    model: str
    sha256: str
    text: str
    bytes: int
    headers: dict[str, str]
    authorization: bool
    body: Body = field(default_factory=dict, repr=False)


# ---------------------------------------------------------------------------------------------------------------------
# Behaviours


def answer(
    text: str | None = "42",
    latency: float = 0.0,
    usage: Mapping[str, Any] | None = None,
    finish: str = "stop",
    **message: Any,
) -> Behaviour:
    """Return a chat completion; without ``usage`` the server counts a plausible one for the request."""
    body: dict[str, Any] = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 0,
        "model": "served-name",
        "service_tier": "default",
        "choices": [
            {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text, **message}}
        ],
    }
    return Behaviour(body=body if usage is None else body | {"usage": dict(usage)}, latency=latency)


def failure(status: int, message: str, kind: str | None = None, code: Any = None, **headers: str) -> Behaviour:
    """Return an error in OpenAI's form; ``headers`` are named with underscores for dashes."""
    body = {"error": {"message": message, "type": kind, "param": None, "code": code}}
    return raw(status, body, **headers)


def raw(status: int, body: Any, **headers: str) -> Behaviour:
    """Return any body with any status."""
    return Behaviour(status, body, tuple((name.replace("_", "-"), value) for name, value in headers.items()))


def page(status: int, title: str) -> Behaviour:
    """Return the HTML page of a gateway."""
    html = f"<html><head><title>{status} {title}</title></head><body><h1>{status} {title}</h1></body></html>"
    return raw(status, html.encode(), content_type="text/html")


def limited(seconds: str | None = None, milliseconds: str | None = None, date: float | None = None) -> Behaviour:
    """Return a 429 that asks to wait: so many seconds, milliseconds, until a date so many seconds away, or unsaid."""
    told = {"Retry_After": seconds, "retry_after_ms": milliseconds}
    behaviour = failure(
        429,
        "Rate limit reached for some-model in organization org-made-up on requests per min (RPM): Limit 3, Used 3, "
        "Requested 1. Please try again in 20s. You can increase your rate limit by adding a payment method to your "
        "account at https://platform.example/account/billing.",
        "requests",
        "rate_limit_exceeded",
        **{name: value for name, value in told.items() if value is not None},
    )
    return replace(behaviour, retry_date=date)


def in_turn(*behaviours: Behaviour) -> Respond:
    """Return a function that meets the first request with the first behaviour, and so on; the last one stays."""
    return lambda number, body: behaviours[min(number, len(behaviours)) - 1]


def always(behaviour: Behaviour) -> Respond:
    """Return a function that meets every request with the same behaviour."""
    return in_turn(behaviour)


STALL: Final = Behaviour(manner="stall")
DRIP: Final = replace(answer("a byte a second"), manner="drip")
CUT: Final = replace(answer("half of this"), manner="cut")
RESET: Final = Behaviour(manner="reset")


# ---------------------------------------------------------------------------------------------------------------------
# Too large, in every dialect


def _openai(message: str, code: Any = "context_length_exceeded", param: str | None = "messages") -> Body:
    return {"error": {"message": message, "type": "invalid_request_error", "param": param, "code": code}}


def _anthropic(message: str, kind: str = "invalid_request_error") -> Body:
    return {"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_made_up"}


def _google(status: int, message: str, name: str, *details: Body) -> list[Body]:
    # The OpenAI-compatible endpoint wraps the error in a list.
    return [{"error": {"code": status, "message": message, "status": name, "details": list(details)}}]


def _vllm(message: str, kind: str = "BadRequestError", code: int = 400) -> Body:
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}


_OPENROUTER_OVERFLOW: Final = {
    "error": {
        "message": "This endpoint's maximum context length is 131072 tokens. However, you requested about 141607 "
        "tokens (140607 of text input, 1000 in the output). Please reduce the length of either one, or use the "
        '"middle-out" transform to compress your prompt automatically.',
        "code": 400,
        "metadata": {"provider_name": "Made-Up"},
    }
}

OVERFLOWS: Final[tuple[Overflow, ...]] = (
    # Tokens.
    Overflow(
        "openai",
        400,
        _openai(
            "This model's maximum context length is 128000 tokens. However, your messages resulted in 204308 tokens. "
            "Please reduce the length of the messages."
        ),
    ),
    Overflow(
        "openai_configured_limit",
        400,
        _openai(
            "Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 401000 tokens. "
            "Please reduce the length of the messages."
        ),
    ),
    Overflow(
        "openai_context_window",
        400,
        _openai("Your input exceeds the context window of this model. Please adjust your input and try again."),
    ),
    Overflow(
        "openai_tokens_per_minute",
        429,
        {
            "error": {
                "message": "Request too large for some-model in organization org-made-up on tokens per min (TPM): "
                "Limit 30000, Requested 36278. The input or output tokens must be reduced in order to run "
                "successfully. Visit https://platform.example/account/rate-limits to learn more.",
                "type": "tokens",
                "param": None,
                "code": "rate_limit_exceeded",
            }
        },
    ),
    Overflow(
        "azure",
        400,
        _openai(
            "This model's maximum context length is 128000 tokens, however you requested 130043 tokens (129043 in "
            "your prompt; 1000 for the completion). Please reduce your prompt; or completion length."
        ),
    ),
    Overflow("anthropic", 400, _anthropic("prompt is too long: 202609 tokens > 200000 maximum")),
    Overflow(
        "anthropic_with_max_tokens",
        400,
        _anthropic(
            "input length and `max_tokens` exceed context limit: 190000 + 16000 > 200000, decrease input length or "
            "`max_tokens` and try again"
        ),
    ),
    Overflow(
        "gemini",
        400,
        _google(
            400,
            "The input token count (1200293) exceeds the maximum number of tokens allowed (1048576).",
            "INVALID_ARGUMENT",
        ),
    ),
    Overflow("openrouter", 400, _OPENROUTER_OVERFLOW),
    Overflow("openrouter_inside_a_200", 200, _OPENROUTER_OVERFLOW),
    Overflow(
        "openrouter_upstream",
        400,
        {
            "error": {
                "message": "Provider returned error",
                "code": 400,
                "metadata": {
                    "raw": json.dumps(_openai("Exceeded maximum number of images (50) allowed in the request.", None)),
                    "provider_name": "Azure",
                },
            }
        },
    ),
    Overflow(
        "vllm",
        400,
        {
            "object": "error",
            "message": "This model's maximum context length is 8192 tokens. However, you requested 9203 tokens (8691 "
            "in the messages, 512 in the completion). Please reduce the length of the messages or completion.",
            "type": "BadRequestError",
            "param": None,
            "code": 400,
        },
    ),
    Overflow(
        "vllm_input_alone",
        400,
        _vllm(
            "The decoder prompt (length 9203) is longer than the maximum model length of 8192. Make sure that "
            "`max_model_len` is no smaller than the number of text tokens."
        ),
    ),
    Overflow(
        "vllm_max_tokens",
        400,
        _vllm(
            "'max_tokens' or 'max_completion_tokens' is too large: 16000. This model's maximum context length is 8192 "
            "tokens and your request has 691 input tokens (16000 > 8192 - 691)."
        ),
    ),
    Overflow(
        "sglang",
        400,
        {
            "object": "error",
            "message": "The input (9203 tokens) is longer than the model's context length (8192 tokens).",
            "type": "BadRequestError",
            "param": None,
            "code": 400,
        },
    ),
    Overflow(
        "llama_cpp",
        400,
        {
            "error": {
                "code": 400,
                "message": "the request exceeds the available context size, try increasing it",
                "type": "exceed_context_size_error",
                "n_prompt_tokens": 14429,
                "n_ctx": 8192,
            }
        },
    ),
    Overflow(
        "llama_cpp_python",
        500,
        {
            "error": {
                "message": "Requested tokens (2285) exceed context window of 2048",
                "type": "internal_server_error",
                "param": None,
                "code": None,
            }
        },
    ),
    Overflow(
        "lm_studio",
        400,
        {
            "error": "Trying to keep the first 7239 tokens when context the overflows. However, the model is loaded "
            "with context length of only 4096 tokens, which is not enough. Try to load the model with a larger "
            "context length, or provide a shorter input"
        },
    ),
    Overflow(
        "ollama",
        400,
        {
            "error": {
                "message": "prompt too long; exceeded max context length by 4096 tokens",
                "type": "invalid_request_error",
                "param": None,
                "code": None,
            }
        },
    ),
    Overflow("ollama_input", 400, {"error": "the input length exceeds the context length"}),
    Overflow(
        "mistral",
        400,
        {
            "object": "error",
            "message": "Prompt contains 140000 tokens and 0 draft tokens, too large for model with 131072 maximum "
            "context length",
            "type": "invalid_request_prompt",
            "param": None,
            "code": "3051",
        },
    ),
    Overflow(
        "xai",
        400,
        {
            "code": "invalid-argument",
            "error": "This model's maximum prompt length is 131072 but the request contains 136973 tokens.",
        },
    ),
    Overflow(
        "groq",
        413,
        {
            "error": {
                "message": "Request too large for model `some-model` in organization `org_made_up` service tier "
                "`on_demand` on tokens per minute (TPM): Limit 6000, Requested 14810, please reduce your message size "
                "and try again. Need more tokens? Upgrade to Dev Tier today at https://console.example/settings/billing",
                "type": "tokens",
                "code": "rate_limit_exceeded",
            }
        },
    ),
    Overflow(
        "cerebras",
        400,
        {
            "message": "Please reduce the length of the messages or completion. Current length is 9000 while limit is "
            "8192",
            "type": "invalid_request_error",
            "param": "messages",
            "code": "context_length_exceeded",
        },
    ),
    Overflow("bedrock", 400, {"message": "Input is too long for requested model."}),
    Overflow(
        "cohere",
        400,
        {"message": "too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 8353."},
    ),
    Overflow(
        "text_generation_inference",
        422,
        {
            "error": "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 2048. Given: 2100 `inputs` "
            "tokens and 16 `max_new_tokens`",
            "error_type": "validation",
        },
    ),
    Overflow(
        "moonshot",
        400,
        {
            "error": {
                "message": "Invalid request: Your request exceeded model token limit: 262144 (requested: 300000)",
                "type": "invalid_request_error",
            }
        },
    ),
    Overflow(
        "github_models",
        413,
        {
            "error": {
                "code": "tokens_limit_reached",
                "message": "Request body too large for some-model model. Max size: 8000 tokens.",
                "details": "Request body too large for some-model model. Max size: 8000 tokens.",
            }
        },
    ),
    # Bytes.
    Overflow(
        "openai_string",
        400,
        _openai(
            "Invalid 'messages[0].content': string too long. Expected a string with maximum length 10485760, but got a "
            "string with length 12000000 instead.",
            "string_above_max_length",
            "messages[0].content",
        ),
    ),
    Overflow("413", 413, {"error": {"message": "Request too large", "type": "invalid_request_error", "code": None}}),
    Overflow(
        "413_page", 413, b"<html><head><title>413 Request Entity Too Large</title></head><body>nginx</body></html>"
    ),
    Overflow("413_empty", 413, b""),
    Overflow("anthropic_bytes", 413, _anthropic("Request exceeds the maximum size", "request_too_large")),
    Overflow(
        "anthropic_image_bytes",
        400,
        _anthropic(
            "messages.0.content.3.image.source.base64: image exceeds 5 MB maximum: 6029312 bytes > 5242880 bytes"
        ),
    ),
    Overflow(
        "gemini_bytes", 400, _google(400, "Request payload size exceeds the limit: 20971520 bytes.", "INVALID_ARGUMENT")
    ),
    Overflow(
        "bedrock_bytes",
        400,
        {
            "message": "1 validation error detected: Value at 'body' failed to satisfy constraint: Member must have "
            "length less than or equal to 25000000"
        },
    ),
    # Images and pages.
    Overflow("openai_images", 400, _openai("Too many images in request. Max is 500.", None, None)),
    Overflow("azure_images", 400, _openai("Exceeded maximum number of images (50) allowed in the request.", None)),
    Overflow(
        "azure_images_older",
        400,
        {"error": {"code": "BadRequest", "message": "Too many images in request. Max is 10."}},
    ),
    Overflow("vllm_images", 400, _vllm("At most 5 image(s) may be provided in one request.")),
    Overflow("anthropic_images", 400, _anthropic("too many images and documents: 120 + 0 > 100")),
    Overflow("anthropic_media", 400, _anthropic("Too much media: 0 document pages + 107 images > 100")),
    Overflow(
        "anthropic_pages",
        400,
        _anthropic("messages.0.content.0.pdf.source.base64.data: A maximum of 100 PDF pages may be provided."),
    ),
    Overflow(
        "anthropic_pixels",
        400,
        _anthropic(
            "messages.0.content.27.image.source.base64.data: At least one of the image dimensions exceed max allowed "
            "size for many-image requests: 2000 pixels"
        ),
    ),
)


# ---------------------------------------------------------------------------------------------------------------------
# Everything else


def _usage(prompt: int, completion: int, reasoning: int = 0) -> dict[str, Any]:
    return {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "total_tokens": prompt + completion,
        "completion_tokens_details": {"reasoning_tokens": reasoning},
    }


def _quota_failure(metric: str) -> Body:
    return {
        "@type": "type.googleapis.com/google.rpc.QuotaFailure",
        "violations": [{"quotaMetric": "generativelanguage.googleapis.com/made_up", "quotaId": metric}],
    }


_GEMINI_QUOTA: Final = (
    "You exceeded your current quota, please check your plan and billing details. For more information on this error, "
    "head to: https://ai.example/gemini-api/docs/rate-limits."
)

ANSWERS: Final = (
    Case("answer", "", answer()),
    Case("answer_that_echoes_the_key", "", answer(f"You sent Authorization: Bearer {ECHO}, 42")),
    Case(
        "answer_about_limits",
        "",
        answer("The maximum context length was exceeded; the quota per day is 3: error 429, invalid api key."),
    ),
)
REPLIES: Final = (
    Case("refusal_field", "refused", answer(None, refusal="I'm sorry, I can't help with that.")),
    Case("refusal_field_beside_empty_text", "refused", answer("", refusal="I'm sorry, I can't help with that.")),
    Case("content_filter_without_text", "filtered", answer(None, finish="content_filter")),
    Case("content_filter_with_text", "filtered", answer("The first half", finish="content_filter")),
    Case("length_with_text", "truncated", answer("half an ans", finish="length")),
    Case("length_by_reasoning", "truncated", answer("", usage=_usage(11, 200, 199), finish="length")),
    Case("length_by_reasoning_null", "truncated", answer(None, usage=_usage(11, 200, 199), finish="length")),
    Case("content_null", "empty", answer(None)),
    Case("content_blank", "empty", answer(" \n\t ")),
    Case("content_without_width", "empty", answer(" \u200b\u2060\ufeff")),
)
FILTERS: Final = (
    Case(
        "azure_filter",
        "filtered",
        raw(
            400,
            {
                "error": {
                    "message": "The response was filtered due to the prompt triggering Azure OpenAI's content "
                    "management policy. Please modify your prompt and retry.",
                    "type": None,
                    "param": "prompt",
                    "code": "content_filter",
                    "status": 400,
                    "innererror": {"code": "ResponsibleAIPolicyViolation"},
                }
            },
        ),
    ),
    Case(
        "openai_safety",
        "filtered",
        failure(
            400,
            "Your request was rejected as a result of our safety system. Your prompt may contain text that is not "
            "allowed by our safety system.",
            "invalid_request_error",
            "content_policy_violation",
        ),
    ),
    Case(
        "openai_flagged",
        "filtered",
        failure(
            400,
            "Invalid prompt: your prompt was flagged as potentially violating our usage policy. Please try again with "
            "a different prompt.",
            "invalid_request_error",
            "invalid_prompt",
        ),
    ),
    Case("anthropic_filter", "filtered", raw(400, _anthropic("Output blocked by content filtering policy"))),
    Case(
        "openrouter_moderation",
        "filtered",
        raw(
            403,
            {
                "error": {
                    "code": 403,
                    "message": 'some/model requires moderation on Made-Up. Your input was flagged for "violence". No '
                    "credits were charged.",
                    "metadata": {"reasons": ["violence"], "flagged_input": "…", "provider_name": "Made-Up"},
                }
            },
        ),
    ),
    Case(
        "xai_guidelines",
        "filtered",
        raw(
            403,
            {
                "code": "The caller does not have permission to execute the specified operation",
                "error": "Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE_BIO",
            },
        ),
    ),
    Case(
        "dashscope_inspection",
        "filtered",
        failure(
            400, "Input data may contain inappropriate content.", "data_inspection_failed", "data_inspection_failed"
        ),
    ),
    Case(
        "deepseek_risk",
        "filtered",
        failure(400, "Content Exists Risk", "invalid_request_error", "invalid_request_error"),
    ),
)
RATE_LIMITS: Final = (
    Case("429_seconds", "rate_limited", limited(seconds="1")),
    Case("429_milliseconds", "rate_limited", limited(milliseconds="300")),
    Case("429_date", "rate_limited", limited(date=2.0)),
    Case("429_bare", "rate_limited", limited()),
    Case("429_page", "rate_limited", page(429, "Too Many Requests")),
    Case("429_empty", "rate_limited", raw(429, b"")),
    Case(
        "azure_rate",
        "rate_limited",
        failure(
            429,
            "Requests to the ChatCompletions_Create Operation under Azure OpenAI API version 2025-04-01-preview have "
            "exceeded token rate limit of your current OpenAI S0 pricing tier. Please retry after 1 seconds. Please go "
            "here: https://aka.example/oai/quotaincrease if you would like to further increase the default rate limit.",
            None,
            "429",
            Retry_After="1",
        ),
    ),
    Case(
        "groq_rate",
        "rate_limited",
        failure(
            429,
            "Rate limit reached for model `some-model` in organization `org_made_up` on tokens per minute (TPM): Limit "
            "6000, Used 5034, Requested 1443. Please try again in 4.77s. Need more tokens? Upgrade to Dev Tier today "
            "at https://console.example/settings/billing",
            "tokens",
            "rate_limit_exceeded",
        ),
    ),
    Case(
        "anthropic_rate",
        "rate_limited",
        raw(
            429,
            _anthropic(
                "This request would exceed your organization's rate limit of 50,000 input tokens per minute. For "
                "details, refer to: https://docs.example/rate-limits. Please reduce the prompt length or the maximum "
                "tokens requested, or try again later.",
                "rate_limit_error",
            ),
        ),
    ),
    Case(
        "gemini_minute",
        "rate_limited",
        raw(
            429,
            _google(
                429,
                f"{_GEMINI_QUOTA}\nPlease retry in 11.1s.",
                "RESOURCE_EXHAUSTED",
                _quota_failure("GenerateContentInputTokensPerModelPerMinute-FreeTier"),
            ),
        ),
    ),
    Case(
        "gemini_exhausted",
        "rate_limited",
        raw(429, _google(429, "Resource has been exhausted (e.g. check quota).", "RESOURCE_EXHAUSTED")),
    ),
    Case(
        "mistral_capacity",
        "rate_limited",
        raw(
            429,
            {
                "object": "error",
                "message": "Service tier capacity exceeded for this model.",
                "type": "service_tier_capacity_exceeded",
                "param": None,
                "code": "3505",
            },
        ),
    ),
    Case("bedrock_rate", "rate_limited", raw(429, {"message": "Too many tokens, please wait before trying again."})),
    Case(
        "openrouter_upstream_rate",
        "rate_limited",
        raw(
            429,
            {
                "error": {
                    "message": "Provider returned error",
                    "code": 429,
                    "metadata": {
                        "raw": "some/model is temporarily rate-limited upstream. Please retry shortly, or add your own "
                        "key to accumulate your rate limits",
                        "provider_name": "Made-Up",
                    },
                }
            },
        ),
    ),
)
QUOTAS: Final = (
    Case(
        "openai_quota",
        "quota",
        failure(
            429,
            "You exceeded your current quota, please check your plan and billing details. For more information on this "
            "error, read the docs: https://platform.example/docs/guides/error-codes/api-errors.",
            "insufficient_quota",
            "insufficient_quota",
        ),
    ),
    Case(
        "openai_tokens_per_day",
        "quota",
        failure(
            429,
            "Rate limit reached for some-model in organization org-made-up on tokens per day (TPD): Limit 200000, Used "
            "199000, Requested 3619. Please try again in 18m51.4s.",
            "tokens",
            "rate_limit_exceeded",
        ),
    ),
    Case(
        "openai_requests_per_day",
        "quota",
        failure(
            429,
            "Rate limit reached for some-model in organization org-made-up on requests per day (RPD): Limit 200, Used "
            "200, Requested 1. Please try again in 7m12s.",
            "requests",
            "rate_limit_exceeded",
        ),
    ),
    Case(
        "groq_tokens_per_day",
        "quota",
        failure(
            429,
            "Rate limit reached for model `some-model` in organization `org_made_up` service tier `on_demand` on "
            "tokens per day (TPD): Limit 100000, Used 97050, Requested 3619. Please try again in 9m38.016s. Need more "
            "tokens? Upgrade to Dev Tier today at https://console.example/settings/billing",
            "tokens",
            "rate_limit_exceeded",
        ),
    ),
    Case(
        "gemini_day",
        "quota",
        raw(
            429,
            _google(
                429,
                _GEMINI_QUOTA,
                "RESOURCE_EXHAUSTED",
                _quota_failure("GenerateRequestsPerDayPerProjectPerModel-FreeTier"),
            ),
        ),
    ),
    Case(
        "gemini_day_and_minute",
        "quota",
        raw(
            429,
            _google(
                429,
                _GEMINI_QUOTA,
                "RESOURCE_EXHAUSTED",
                _quota_failure("GenerateRequestsPerMinutePerProjectPerModel-FreeTier"),
                _quota_failure("GenerateRequestsPerDayPerProjectPerModel-FreeTier"),
            ),
        ),
    ),
    Case("bedrock_day", "quota", raw(429, {"message": "Too many tokens per day, please wait before trying again."})),
    Case(
        "openrouter_free_models_per_day",
        "quota",
        failure(
            429,
            "Rate limit exceeded: free-models-per-day. Add 10 credits to unlock 1000 free model requests per day",
            None,
            429,
        ),
    ),
    Case(
        "openrouter_credits",
        "quota",
        raw(
            402,
            {
                "error": {
                    "message": "This request requires more credits, or fewer max_tokens. You requested up to 64000 "
                    "tokens, but can only afford 2666. To increase, visit https://openrouter.example/settings/credits "
                    "and upgrade to a paid account",
                    "code": 402,
                    "metadata": {"provider_name": None},
                }
            },
        ),
    ),
    Case(
        "openrouter_prompt_tokens",
        "quota",
        failure(
            402,
            "Prompt tokens limit exceeded: 230799 > 91442. To increase, visit https://openrouter.example/settings/keys "
            "and create a key with a higher monthly limit",
            None,
            402,
        ),
    ),
    Case("deepseek_balance", "quota", failure(402, "Insufficient Balance", "unknown_error", "invalid_request_error")),
    Case(
        "anthropic_credit",
        "quota",
        raw(
            400,
            _anthropic(
                "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade "
                "or purchase credits."
            ),
        ),
    ),
    Case(
        "openai_hard_limit",
        "quota",
        failure(400, "Billing hard limit has been reached", "invalid_request_error", "billing_hard_limit_reached"),
    ),
    Case(
        "openai_inactive",
        "quota",
        failure(
            429,
            "Your account is not active, please check your billing details on our website.",
            "billing_not_active",
            "billing_not_active",
        ),
    ),
    Case(
        "xai_spending",
        "quota",
        raw(
            429,
            {
                "code": "Some resource has been exhausted",
                "error": "Your team has either used all available credits or reached its monthly spending limit. To "
                "continue making API requests, please purchase more credits or raise your spending limit.",
            },
        ),
    ),
    Case("429_day", "quota", limited(seconds=str(DAY))),
    Case("429_date_of_tomorrow", "quota", limited(date=DAY)),
)
CREDENTIALS: Final = (
    Case(
        "401",
        "credentials",
        failure(
            401,
            f"Incorrect API key provided: {ECHO}. You can find your API key at https://platform.example/account/api-keys.",
            "invalid_request_error",
            "invalid_api_key",
        ),
    ),
    Case("401_empty", "credentials", raw(401, b"")),
    Case("401_anthropic", "credentials", raw(401, _anthropic("invalid x-api-key", "authentication_error"))),
    Case(
        "401_azure",
        "credentials",
        raw(
            401,
            {
                "error": {
                    "code": "401",
                    "message": "Access denied due to invalid subscription key or wrong API endpoint. Make sure to "
                    "provide a valid key for an active subscription and use a correct regional API endpoint for your "
                    "resource.",
                }
            },
        ),
    ),
    Case(
        "403",
        "credentials",
        failure(403, "You are not allowed to sample from this model", "invalid_request_error", None),
    ),
    Case(
        "403_region",
        "credentials",
        failure(
            403,
            "Country, region, or territory not supported",
            "request_forbidden",
            "unsupported_country_region_territory",
        ),
    ),
    Case(
        "gemini_key",
        "credentials",
        raw(400, _google(400, "API key not valid. Please pass a valid API key.", "INVALID_ARGUMENT")),
    ),
    Case(
        "xai_key",
        "credentials",
        raw(
            400,
            {
                "code": "Client specified an invalid argument",
                "error": "Incorrect API key provided: xa***ij. You can obtain an API key from https://console.example.",
            },
        ),
    ),
)
NOT_FOUND: Final = (
    Case(
        "404",
        "not_found",
        failure(
            404,
            "The model `some-model` does not exist or you do not have access to it.",
            "invalid_request_error",
            "model_not_found",
        ),
    ),
    Case(
        "404_azure",
        "not_found",
        raw(
            404,
            {
                "error": {
                    "code": "DeploymentNotFound",
                    "message": "The API deployment for this resource does not exist. If you created the deployment "
                    "within the last 5 minutes, please wait a moment and try again.",
                }
            },
        ),
    ),
    Case("404_anthropic", "not_found", raw(404, _anthropic("model: some-model", "not_found_error"))),
    Case("404_ollama", "not_found", failure(404, 'model "some-model" not found, try pulling it first', "api_error")),
    Case("404_page", "not_found", page(404, "Not Found")),
    Case(
        "openrouter_model",
        "not_found",
        raw(400, {"error": {"message": "some/model is not a valid model ID", "code": 400}, "user_id": "user_made_up"}),
    ),
    Case(
        "groq_decommissioned",
        "not_found",
        failure(
            400,
            "The model `some-model` has been decommissioned and is no longer supported. Please refer to "
            "https://console.example/docs/deprecations for a recommendation on which model to use instead.",
            "invalid_request_error",
            "model_decommissioned",
        ),
    ),
)
BAD_REQUESTS: Final = (
    Case(
        "400",
        "bad_request",
        failure(400, "Unknown parameter: 'made_up'.", "invalid_request_error", "unknown_parameter"),
    ),
    Case("400_empty", "bad_request", raw(400, b"")),
    Case("422", "bad_request", raw(422, {"detail": [{"loc": ["body", "messages"], "msg": "field required"}]})),
    # What was sent comes back, and says everything that an error could say.
    Case(
        "422_with_the_prompt",
        "bad_request",
        raw(
            422,
            {
                "detail": [
                    {
                        "type": "string_type",
                        "loc": ["body", "messages", 0, "content"],
                        "msg": "Input should be a valid string",
                        "input": "The context length was exceeded: too many pages. API key not valid, quota per day "
                        "used up, flagged as against the content policy.",
                    }
                ]
            },
        ),
    ),
    Case(
        "azure_file",
        "bad_request",
        failure(
            400,
            "Invalid Value: 'file'. This model does not support file content types.",
            "invalid_request_error",
            "invalid_value",
        ),
    ),
    Case(
        "max_tokens_twice",
        "bad_request",
        failure(400, "You cannot set max_tokens and max_completion_tokens at the same time.", "invalid_request_error"),
    ),
    Case(
        "user_too_long",
        "bad_request",
        failure(
            400,
            "Invalid 'user': string too long. Expected a string with maximum length 64, but got a string of length 128 "
            "instead.",
            "invalid_request_error",
            "string_above_max_length",
        ),
    ),
    Case("vllm_no_images", "bad_request", raw(400, _vllm("some-model is not a multimodal model"))),
    Case(
        "max_tokens_too_large",
        "bad_request",
        failure(
            400,
            "max_tokens is too large: 64000. This model supports at most 16384 completion tokens, whereas you provided "
            "64000.",
            "invalid_request_error",
            "invalid_value",
        ),
    ),
    Case(
        "max_tokens_unsupported",
        "bad_request",
        failure(
            400,
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use "
            "'max_completion_tokens' instead.",
            "invalid_request_error",
            "unsupported_parameter",
        ),
    ),
    Case(
        "image_unreadable",
        "bad_request",
        failure(
            400,
            "You uploaded an unsupported image. Please make sure your image is valid and has one of the following "
            "formats: ['png', 'jpeg', 'gif', 'webp'].",
            "invalid_request_error",
            "image_parse_error",
        ),
    ),
    Case(
        "temperature",
        "bad_request",
        failure(
            400,
            "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is "
            "supported.",
            "invalid_request_error",
            "unsupported_value",
        ),
    ),
)
SERVER_ERRORS: Final = (
    Case(
        "500",
        "server_error",
        failure(500, "The server had an error while processing your request. Sorry about that!", "server_error"),
    ),
    Case("500_empty", "server_error", raw(500, b"")),
    Case(
        "llama_server_validation",
        "bad_request",
        failure(500, "15 validation errors:\n  {'type': 'literal_error', 'loc': ('body', 'messages', 0)}", "internal"),
    ),
    Case(
        "llama_server_blocks", "bad_request", failure(500, 'can only concatenate str (not "list") to str', "internal")
    ),
    Case("502_page", "server_error", page(502, "Bad Gateway")),
    Case(
        "503",
        "server_error",
        failure(503, "The model is currently overloaded. Please try again later.", "server_error"),
    ),
    Case("504_page", "server_error", page(504, "Gateway Time-out")),
    Case("524_page", "server_error", page(524, "A timeout occurred")),
    Case("529", "server_error", raw(529, _anthropic("Overloaded", "overloaded_error"))),
    Case(
        "error_inside_a_200",
        "server_error",
        raw(
            200,
            {"error": {"message": "Provider returned error", "code": 502, "metadata": {"provider_name": "Made-Up"}}},
        ),
    ),
    Case(
        "error_inside_a_choice",
        "server_error",
        raw(
            200,
            {
                "id": "gen-1",
                "object": "chat.completion",
                "created": 0,
                "model": "served-name",
                "choices": [
                    {
                        "index": 0,
                        "finish_reason": "error",
                        "error": {"code": 502, "message": "Upstream error from Made-Up"},
                        "message": {"role": "assistant", "content": "The first half of an ans"},
                    }
                ],
                "usage": _usage(11, 6),
            },
        ),
    ),
)


def _accepted(content: Any = None, **body: Any) -> Behaviour:
    """Return a reply of success with this content and a usage, and what of its body is to be otherwise."""
    usual = {
        "id": "1",
        "object": "chat.completion",
        "created": 0,
        "model": "served-name",
        "service_tier": "default",
        "choices": [
            {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": content}},
        ],
        "usage": _usage(1000, 7),
    }
    return raw(200, usual | body)


# Accepted, and no reply that anybody could read; what it was charged with may still be told.
UNREADABLE: Final = (
    Case("malformed_json", "unreadable", raw(200, b'{"id": "1", "choices": [{"index": 0, "mess')),
    Case("page_with_200", "unreadable", page(200, "Sign in")),
    Case("empty_body", "unreadable", raw(200, b"")),
    Case("brackets_without_end", "unreadable", raw(200, b"[" * 100_000)),
    Case("brackets_in_brackets", "unreadable", raw(200, b"[" * 100_000 + b"]" * 100_000)),
    Case("no_choices", "unreadable", raw(200, {"id": "1", "object": "chat.completion", "created": 0, "choices": []})),
    Case("null_choices", "unreadable", raw(200, {"id": "1", "object": "chat.completion", "choices": None})),
    Case("no_choices_with_usage", "unreadable", _accepted(choices=[])),
    Case("null_choices_with_usage", "unreadable", _accepted(choices=None)),
    Case("choices_that_are_a_text", "unreadable", _accepted(choices="none")),
    Case("choice_that_is_a_text", "unreadable", _accepted(choices=["none"])),
    Case("no_message", "unreadable", _accepted(choices=[{"index": 0, "finish_reason": "stop"}])),
    Case("null_message", "unreadable", _accepted(choices=[{"index": 0, "finish_reason": "stop", "message": None}])),
    Case("content_number", "unreadable", _accepted(42)),
    Case("content_boolean", "unreadable", _accepted(True)),
    Case("content_table", "unreadable", _accepted({"answer": "42"})),
    Case("content_numbers", "unreadable", _accepted([4, 2])),
    Case("content_image", "unreadable", _accepted([{"type": "image_url", "image_url": {"url": "https://a.example"}}])),
    Case("json_that_is_a_list", "unreadable", raw(200, [1, 2])),
)
CONTENT_PARTS: Final = _accepted([{"type": "text", "text": "forty "}, {"type": "text", "text": "two"}])
TIMEOUTS: Final = (
    Case("stall", "timeout", STALL),
    Case("drip", "timeout", DRIP),
    Case("408", "timeout", failure(408, "Request timed out", "timeout")),
)
CONNECTIONS: Final = (Case("reset", "connection", RESET), Case("cut", "connection", CUT))
# Error texts that give a key away: in an address, in a dump of the headers, in a body in base64. Where the key is
# PLANTED, nothing but its looks tells that it is one, unless the environment holds it.
LEAKS: Final = (
    Case(
        "key_in_an_address",
        "bad_request",
        failure(400, f"Cannot POST https://api.example/v1/chat?key={PLANTED}&alt=json", "invalid_request_error"),
    ),
    Case(
        "key_in_a_header_dump",
        "bad_request",
        failure(
            400,
            "Bad request with headers {'content-type': 'application/json', 'Authorization': 'Bearer "
            f"{PLANTED}', 'x-api-key': '{PLANTED}'}}",
            "invalid_request_error",
        ),
    ),
    Case(
        "key_in_a_base64_body",
        "bad_request",
        failure(
            400,
            f"Cannot read body {b64encode(json.dumps({'user': 'me', 'api_key': PLANTED, 'n': 1}).encode()).decode()}",
            "invalid_request_error",
        ),
    ),
    Case(
        "key_in_a_server_error", "server_error", failure(500, f"upstream said no to Bearer {PLANTED}", "server_error")
    ),
)
# What an attachment that never arrived leaves behind; only a request with an attachment meets it.
ATTACHMENT_LOST: Final = Case("attachment_ignored", "attachment_lost", answer("No document.", usage=_usage(24, 5)))

CASES: Final[tuple[Case, ...]] = (
    *ANSWERS,
    *REPLIES,
    *FILTERS,
    *RATE_LIMITS,
    *QUOTAS,
    *CREDENTIALS,
    *NOT_FOUND,
    *BAD_REQUESTS,
    *SERVER_ERRORS,
    *UNREADABLE,
    *TIMEOUTS,
    *CONNECTIONS,
    *LEAKS,
    ATTACHMENT_LOST,
)


def behaviours() -> dict[str, Behaviour]:
    """Return every behaviour of the two tables by its name; overflows are named ``overflow_…``."""
    found = {case.name: case.behaviour for case in CASES}
    return found | {f"overflow_{one.name}": raw(one.status, one.body) for one in OVERFLOWS}


# ---------------------------------------------------------------------------------------------------------------------
# Scripts


def blocks(body: Body, role: str = "") -> Iterator[Mapping[str, Any]]:
    """Yield the blocks of a request's messages, or of one role's, a bare text as a text block."""
    for message in body.get("messages", ()):
        content = message.get("content") if role in ("", message.get("role")) else None
        yield from [{"type": "text", "text": content}] if isinstance(content, str) else content or ()
    for message in body.get("contents", ()):
        # Gemini names a block by its key.
        yield from ({"type": next(iter(part)), **part} for part in message["parts"])


def user_text(body: Body) -> str:
    """Return all text of a request, joined by line breaks."""
    return "\n".join(block.get("text", "") for block in blocks(body) if block.get("type") == "text")


def by_marker(healthy: Behaviour) -> Respond:
    """Return a function that obeys ``[fault NAME]`` in the text, and ``[fault NAME 2]`` for the first two requests."""
    known, asked = behaviours(), collections.Counter[str]()

    def respond(number: int, body: Body) -> Behaviour:
        found = re.search(r"\[fault (\w+)(?: (\d+))?\]", text := user_text(body))
        if found is None:
            return healthy
        asked[text] += 1
        return known[found[1]] if found[2] is None or asked[text] <= int(found[2]) else healthy

    return respond


def flaky(healthy: Behaviour) -> Respond:
    """Return a function that fails two requests of five for a moment."""
    faults = {2: limited(seconds="1"), 4: failure(503, "overloaded", "server_error")}
    return lambda number, body: faults.get(number % 5, healthy)


def spent(healthy: Behaviour) -> Respond:
    """Return a function that answers ten requests and then says that the quota is used up."""
    return in_turn(*[healthy] * 10, QUOTAS[0].behaviour)


SCRIPTS: Final[Mapping[str, Callable[[Behaviour], Respond]]] = {
    "healthy": always,
    "markers": by_marker,
    "flaky": flaky,
    "spent": spent,
}


def script(name: str, latency: float = 0.0) -> Respond:
    """Return the named script, or the one that meets every request with the named behaviour of the tables.

    Raises:
        ValueError: there is neither; the message lists the names.
    """
    if name in SCRIPTS:
        return SCRIPTS[name](answer(latency=latency))
    if name in (known := behaviours()):
        return always(replace(known[name], latency=latency))
    raise ValueError(f"script = {name!r} is unknown: take one of {', '.join([*SCRIPTS, *known])}")


# ---------------------------------------------------------------------------------------------------------------------
# The server


def plausible_usage(body: Body) -> dict[str, Any]:
    """Return a usage that fits what was sent: 4 characters a token, 800 tokens an attachment and more for a PDF."""
    tokens = 0
    for block in blocks(body):
        data = block["file"].get("file_data", "") if block.get("type") == "file" else ""
        tokens += len(block["text"]) // 4 if block.get("type") == "text" else 800 + len(data) // 50
    return _usage(tokens + 8, 3)


def as_message(body: Body) -> Body:
    """Return a chat completion in Anthropic's form."""
    choice = body["choices"][0]
    text = choice["message"]["content"]
    reasons = {"stop": "end_turn", "length": "max_tokens", "content_filter": "refusal"}
    usage = body["usage"]
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": body["model"],
        "content": [] if text is None else [{"type": "text", "text": text}],
        "stop_reason": reasons.get(choice["finish_reason"], choice["finish_reason"]),
        "stop_sequence": None,
        "usage": {"input_tokens": usage["prompt_tokens"], "output_tokens": usage["completion_tokens"]},
    }


def as_candidate(body: Body) -> Body:
    """Return a chat completion in Gemini's form."""
    choice = body["choices"][0]
    text = choice["message"]["content"]
    reasons = {"stop": "STOP", "length": "MAX_TOKENS", "content_filter": "SAFETY"}
    usage = body["usage"]
    return {
        "candidates": [
            {
                "index": 0,
                "finishReason": reasons.get(choice["finish_reason"], "OTHER"),
                **({} if text is None else {"content": {"role": "model", "parts": [{"text": text}]}}),
            }
        ],
        "usageMetadata": {
            "promptTokenCount": usage["prompt_tokens"],
            "candidatesTokenCount": usage["completion_tokens"],
            "totalTokenCount": usage["total_tokens"],
        },
        "modelVersion": body["model"],
    }


def _has_message(body: Body) -> bool:
    choice = body["choices"][0]
    return isinstance(choice, dict) and isinstance(choice.get("message"), dict)


def payload(behaviour: Behaviour, path: str, body: Body, key: str) -> bytes:
    """Return the bytes of the reply's body, in the form of the API that was asked."""
    reply = behaviour.body
    if isinstance(reply, bytes):
        return reply
    if isinstance(reply, dict) and reply.get("choices"):
        reply = {"usage": plausible_usage(body), **reply}
        # What is no reply in one form is none in another.
        if path.endswith("/messages"):
            reply = as_message(reply) if _has_message(reply) else reply
        elif path.endswith(":generateContent"):
            reply = as_candidate(reply) if _has_message(reply) else reply
    elif isinstance(reply, list) and path.endswith(":generateContent"):
        # Only the OpenAI-compatible endpoint has the error in a list.
        reply = reply[0]
    return json.dumps(reply).replace(ECHO, key).encode()


def head(behaviour: Behaviour, length: int) -> bytes:
    """Return the status line and the headers of a reply whose body has ``length`` bytes."""
    headers = {"content-type": "application/json", "content-length": str(length)}
    if behaviour.retry_date is not None:
        headers["retry-after"] = email.utils.formatdate(time.time() + behaviour.retry_date, usegmt=True)
    headers |= {name.lower(): value for name, value in behaviour.headers}
    lines = [f"HTTP/1.1 {behaviour.status} Made-Up", *(f"{name}: {value}" for name, value in headers.items())]
    return "\r\n".join([*lines, "", ""]).encode("latin-1")


def read_json(data: bytes | bytearray) -> Body:
    """Return a request's body; one that is no JSON object counts as empty."""
    with contextlib.suppress(ValueError):
        if isinstance(body := json.loads(data), dict):
            return body
    return {}


def log_line(request: Request) -> str:
    """Return what the log says of a request: one JSON line, without its body and without any key."""
    shown = {name: value for name, value in vars(request).items() if name != "body"}
    return json.dumps(shown, ensure_ascii=False)


@dataclass
class FaultServer:
    """The server's state; ``url`` is the address that an OpenAI client takes as its base.

    ``requests`` are those read to their end, in the order of their numbers (which begin at 1), without bodies where
    ``keep`` is false; ``most`` is how many were under way at once.
    """

    respond: Respond = field(default_factory=lambda: always(answer()))
    keep: bool = True
    log: TextIO | None = None
    url: str = ""
    requests: list[Request] = field(default_factory=list)
    most: int = 0
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)
    _under_way: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def root(self) -> str:
        """The address without a path: the base of an Azure or an Anthropic client."""
        return self.url.removesuffix("/v1")

    async def listen(self, port: int = 0) -> asyncio.Server:
        """Listen on a port of 127.0.0.1, a free one for 0."""
        server = await asyncio.start_server(self._connection, "127.0.0.1", port, limit=CHUNK, backlog=512)
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
        return server

    async def end(self, server: asyncio.Server) -> None:
        """Stop listening and end every connection."""
        server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.get_running_loop().create_task(self._serve(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            # A client that goes away is no fault of a server that is meant to drive it away.
            with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
                while await self._exchange(reader, writer):
                    pass
        finally:
            writer.close()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Serve one request; return whether the connection goes on."""
        first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        method, path, _ = first.split(" ")
        path = path.partition("?")[0]
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines if line)}
        parts, digest = bytearray(), hashlib.sha256()
        size = int(headers.get("content-length", 0))
        while missing := size - len(parts):
            part = await reader.read(min(missing, CHUNK))
            if not part:
                return False
            parts += part
            digest.update(part)
        body = read_json(parts)
        del parts
        if method != "POST" or not path.endswith(("/chat/completions", "/messages", ":generateContent")):
            behaviour = failure(404, f"There is no {method} {path}")
            return await self._send(behaviour, payload(behaviour, path, body, ""), reader, writer)
        key = next((headers[name] for name in KEY_HEADERS if name in headers), "").removeprefix("Bearer ")
        number = self._keep(path, headers, body, size, digest.hexdigest())
        behaviour = self.respond(number, body)
        data = payload(behaviour, path, body, key)
        # Nothing of a large request stays in memory while its reply waits.
        del body
        self._under_way += 1
        self.most = max(self.most, self._under_way)
        try:
            return await self._send(behaviour, data, reader, writer)
        finally:
            self._under_way -= 1

    def _keep(self, path: str, headers: dict[str, str], body: Body, size: int, digest: str) -> int:
        in_path = re.search(r"/(?:deployments|models)/([^/:]+)", path)
        with self._lock:
            request = Request(
                number=len(self.requests) + 1,
                time=time.time(),
                path=path,
                model=str(body.get("model") or (in_path[1] if in_path else "")),
                sha256=digest,
                text=next((block["text"] for block in blocks(body, "user") if block.get("type") == "text"), "")[:300],
                bytes=size,
                headers={name: value for name, value in headers.items() if name not in KEY_HEADERS},
                authorization=any(headers.get(name) for name in KEY_HEADERS),
                body=body if self.keep else {},
            )
            self.requests.append(request)
        if self.log is not None:
            self.log.write(log_line(request) + "\n")
            self.log.flush()
        return request.number

    async def _send(
        self, behaviour: Behaviour, data: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> bool:
        await asyncio.sleep(behaviour.latency)
        if behaviour.manner == "stall":
            # Until the client hangs up.
            while await reader.read(CHUNK):
                pass
            return False
        if behaviour.manner == "reset":
            # With a linger time of 0 the system sends a reset instead of an orderly end.
            writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            writer.transport.abort()
            return False
        writer.write(head(behaviour, len(data)))
        if behaviour.manner == "drip":
            for byte in data:
                writer.write(bytes([byte]))
                await writer.drain()
                await asyncio.sleep(behaviour.pace)
            return True
        writer.write(data[: len(data) // 2] if behaviour.manner == "cut" else data)
        await writer.drain()
        return behaviour.manner == "whole"


@contextlib.contextmanager
def serving(respond: Respond | None = None, keep: bool = True) -> Iterator[FaultServer]:
    """Run a server in a thread of this process; change its ``respond`` at any time."""
    state = FaultServer(respond or always(answer()), keep)
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    server = asyncio.run_coroutine_threadsafe(state.listen(), loop).result(10)
    try:
        yield state
    finally:
        asyncio.run_coroutine_threadsafe(state.end(server), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()


async def run(state: FaultServer, port: int) -> None:
    """Serve until the process is told to end, having said the address on standard output."""
    server = await state.listen(port)
    sys.stdout.write(f"{state.url}\n")
    sys.stdout.flush()
    ended = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, ended.set)
    await ended.wait()
    await state.end(server)


def main() -> None:
    """Run the server by itself."""
    parser = argparse.ArgumentParser(description="A chat API on loopback that misbehaves on command.")
    parser.add_argument("--port", type=int, default=0, help="port of 127.0.0.1, 0 for a free one (default)")
    parser.add_argument("--script", default="healthy", help="healthy, markers, flaky, spent, or a behaviour's name")
    parser.add_argument("--latency", type=float, default=0.0, help="seconds before an answer begins")
    parser.add_argument("--log", type=Path, help="file for one JSON line a request; standard error without it")
    options = parser.parse_args()
    try:
        respond = script(options.script, options.latency)
    except ValueError as error:
        parser.error(str(error))
    with options.log.open("a", encoding="utf-8") if options.log else contextlib.nullcontext(sys.stderr) as log:
        asyncio.run(run(FaultServer(respond, keep=False, log=log), options.port))


if __name__ == "__main__":
    main()
