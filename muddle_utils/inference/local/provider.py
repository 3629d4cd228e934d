"""The embedded models as a litellm provider: ``local/reader`` answers, ``local/rules`` judges.

Both read nothing but the message they are sent, so they run through the same code as any other model. They exist so
that the whole study runs without a key; they are lexical programs, and nothing they answer is a finding about
language models.

Only ``client.load_litellm`` imports this module, because it imports litellm.
"""

import asyncio
import dataclasses
import json
from pathlib import Path
from typing import Any

from litellm import CustomLLM
from litellm.llms.custom_llm import CustomLLMError
from litellm.types.utils import ModelResponse, Usage

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


def read(content: Any, page_cache: Path | None) -> tuple[str, dict[str, Any]]:  # noqa: ANN401 - litellm's is untyped
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


class EmbeddedModels(CustomLLM):  # type: ignore[misc]
    """Answer ``local/reader`` and ``local/rules`` inside this process."""

    def completion(self, *_: object, **request: Any) -> ModelResponse:  # noqa: ANN401
        """Return the completion of the one user message in ``messages``."""
        name, content = request["model"], request["messages"][-1]["content"]
        functions = {"reader": read, "rules": judge}
        kept = (request.get("optional_params") or {}).get("page_cache")
        if name not in functions:
            raise CustomLLMError(status_code=400, message=f"local/{name} is unknown")
        try:
            text, fields = functions[name](content, Path(kept) if kept else None)
        except ValueError as error:
            raise CustomLLMError(status_code=400, message=str(error)) from None
        response: ModelResponse = request["model_response"]
        response.model = f"local/{name}"
        response.choices[0].message.content = text
        response.choices[0].message.provider_specific_fields = fields
        response.choices[0].finish_reason = "stop"
        tokens_in, tokens_out = _size(content), _size(text)
        usage = Usage(prompt_tokens=tokens_in, completion_tokens=tokens_out, total_tokens=tokens_in + tokens_out)
        response.usage = usage
        return response

    async def acompletion(self, *_: object, **request: Any) -> ModelResponse:  # noqa: ANN401
        """Return the completion; one that takes long does not hold up the event loop."""
        # The rules take a few milliseconds, of which a thread would be half.
        if request["model"] == "rules" and _size(request["messages"][-1]["content"]) < LONG_FOR_RULES:
            return self.completion(**request)
        return await asyncio.to_thread(self.completion, **request)
