"""Judges as data: a model, a prompt and a parser; named in a models file, or made of a model's name.

``[[judge]]`` entries stand beside the models in ``data/models.toml`` and in a file of the user's own.
"""

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from muddle_utils.inference import client, prompts
from muddle_utils.inference.routes import JUDGE_MAX_TOKENS, JudgeEntry, Model, ModelsFileError, find_model, read_judges
from muddle_utils.judging.parsers import PARSER_VERSIONS, SCHEMAS
from muddle_utils.scoring.rule_judge import RULES_VERSION
from muddle_utils.study import rows

# Bytes of a prompt that the embedded judge takes, far more than any answer has: some of its patterns take time that
# grows with the square of the length. What is longer stays unjudged, with its size as the reason.
MOST_BYTES_BY_RULES: Final = 400_000


@dataclass(frozen=True)
class Judge:
    """Who judges: ``prompt`` is the text of the judge prompt, ``parser`` how its reply is read."""

    name: str
    model: Model
    prompt: str = prompts.JUDGE_PROMPT
    parser: str = "json"
    parameters: Mapping[str, Any] = field(default_factory=dict)

    @property
    def fingerprint(self) -> str:
        """The digest of what shapes the judge's reply; how the reply is read is not among it."""
        parameters = json.dumps(dict(self.parameters), sort_keys=True)
        extra = [json.dumps(dict(route.extra), sort_keys=True) for route in self.model.routes if route.extra]
        return rows.digest(self.model.name, self.prompt, parameters, *extra)

    @property
    def reading(self) -> str:
        """The parser and its version: a stored reply that was read by another can be read again."""
        return PARSER_VERSIONS[self.parser]

    def ask_text(self, question: str, reference: str, answer: str) -> str:
        """Return the prompt about one answer."""
        return prompts.judge_prompt(question, reference, answer, self.prompt)


def find_judge(name: str, models_file: str = "", api_base: str = "", rubric: str = "muddle") -> Judge:
    """Return the judge of this name from the files, or the model of this name with the paper's prompt.

    With the rubric ``equivalence`` it judges as MMLongBench-Doc-V2 does: a judge of the files whose own parser is
    not of that kind keeps its model and parameters and gets that prompt.

    Raises:
        ModelError: the embedded reader is asked to judge.
        ModelsFileError: a file cannot be used, or the judge's prompt or parser is not one.
    """
    if name == client.READER:
        raise client.ModelError(f"judge = {name!r} answers questions and judges none: take {client.RULES}")
    entry = read_judges(models_file).get(name, JudgeEntry(name, name))
    if rubric == "equivalence" and entry.parser != rubric:
        entry = dataclasses.replace(entry, prompt=rubric, parser=rubric)
    model = find_model(entry.model, models_file, api_base)
    if model.name == client.RULES:
        routes = tuple(dataclasses.replace(route, max_bytes=MOST_BYTES_BY_RULES) for route in model.routes)
        model = dataclasses.replace(model, routes=routes)
    prompt = prompts.JUDGE_PROMPTS.get(entry.prompt, entry.prompt)
    if problem := prompts.judge_prompt_problem(prompt):
        raise ModelsFileError(
            f"judge {name!r}: prompt {problem}; it is one of {', '.join(prompts.JUDGE_PROMPTS)}, or a text of your own"
        )
    if entry.parser not in PARSER_VERSIONS:
        raise ModelsFileError(f"judge {name!r}: parser = {entry.parser!r}, take one of {', '.join(PARSER_VERSIONS)}")
    return Judge(name, model, prompt, entry.parser, _parameters(model, entry))


def _parameters(model: Model, entry: JudgeEntry) -> dict[str, Any]:
    """Return what is asked for beside the prompt: the judge's own, else the model's for judging; a schema if it can."""
    if client.is_embedded(model.name):
        return {"rules_version": RULES_VERSION}
    if not model.listed and entry.parameters is None:
        own: Mapping[str, Any] = {"max_tokens": JUDGE_MAX_TOKENS}
    else:
        own = entry.parameters or model.judge_parameters or model.parameters
    if entry.parser not in SCHEMAS or not all(route.structured_output for route in model.routes):
        return dict(own)
    schema = {"name": "verdict", "strict": True, "schema": dict(SCHEMAS[entry.parser])}
    return {**own, "response_format": {"type": "json_schema", "json_schema": schema}}
