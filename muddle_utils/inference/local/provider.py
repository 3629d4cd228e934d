"""The embedded models as a provider in this process: ``local/reader`` answers, ``local/rules`` judges.

Both read nothing but the message they are sent, so they run through the same code as any other model, up to where a
request would leave the process. They exist so that the whole study runs without a key; they are lexical programs, and
nothing they answer is a finding about language models.
"""

import asyncio
import dataclasses
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

from muddle_utils.inference import prompts
from muddle_utils.inference.local.reader import answer_message
from muddle_utils.scoring import rule_judge

CHARACTERS_A_TOKEN = 4
LONG_FOR_RULES = 2_000


def _text_of(content: object) -> str:
    if isinstance(content, str):
        return content
    blocks = content if isinstance(content, list) else []
    return "\n".join(block["text"] for block in blocks if block.get("type") == "text")


def _size(content: object) -> int:
    """Return about how many tokens the text of a message would be; pages and files count for nothing here."""
    return max(1, len(_text_of(content)) // CHARACTERS_A_TOKEN)


def read(content: Any, page_cache: Path | None) -> tuple[str, dict[str, Any]]:  # noqa: ANN401 - a message is untyped
    """Return the reader's answer to a message and where it was read; recognised pages are kept in ``page_cache``."""
    answer = answer_message(content, cache=page_cache)
    place = {
        "document": answer.document,
        "page": answer.page,
        "evidence": answer.evidence,
        "rule": answer.rule,
        "warnings": list(answer.warnings),
    }
    return answer.text, {"confidence": answer.confidence, "read_from": place}


def judge(content: Any, _: Path | None) -> tuple[str, dict[str, Any]]:  # noqa: ANN401
    """Return the rule judge's verdict on a judge prompt, as the JSON object that the prompt asks for."""
    prompt = _text_of(content)
    texts = prompts.judged_texts(prompt)
    verdict = (
        rule_judge.equivalent_by_rules(*texts)
        if prompts.asks_equivalence(prompt)
        else rule_judge.judge_by_rules(*texts)
    )
    return json.dumps(dataclasses.asdict(verdict), ensure_ascii=False), {}


_MODELS: Final = {"local/reader": read, "local/rules": judge}


class MessageError(ValueError):
    """What is wrong with a message; like a provider's, it has a status."""

    status_code = 400


def _complete(name: str, content: Any, page_cache: Path | None) -> SimpleNamespace:  # noqa: ANN401
    try:
        text, fields = _MODELS[name](content, page_cache)
    except ValueError as error:
        raise MessageError(*error.args) from None
    message = SimpleNamespace(content=text, provider_specific_fields=fields)
    return SimpleNamespace(
        model=name,
        choices=[SimpleNamespace(message=message, finish_reason="stop")],
        usage=SimpleNamespace(prompt_tokens=_size(content), completion_tokens=_size(text)),
    )


async def complete(name: str, content: Any, page_cache: str = "", **_: object) -> SimpleNamespace:  # noqa: ANN401
    """Return an embedded model's completion of one user message; one that takes long does not hold up the event loop.

    Raises:
        MessageError: the message is none that the model can take.
    """
    kept = Path(page_cache) if page_cache else None
    # The rules take a few milliseconds, of which a thread would be half.
    if name == "local/rules" and _size(content) < LONG_FOR_RULES:
        return _complete(name, content, kept)
    return await asyncio.to_thread(_complete, name, content, kept)
