"""From stored responses to stored verdicts: the paper's judge through litellm, its raw reply kept.

A reply is parsed strictly. One that cannot be parsed is asked for once more, then the verdict is ``unjudged`` with
its reason: never a default. SQuAD exact match, token F1 and abstention stand beside it and need no judge.
"""

import dataclasses
from collections.abc import Mapping, Sequence

from muddle_utils import models, prompts, scoring
from muddle_utils.inference import now
from muddle_utils.models import Reply
from muddle_utils.records import Question, Response, Verdict, response_key
from muddle_utils.store import Store

# Part of the judge's fingerprint: raise it when ``scoring.parse_verdict`` or ``rules.judge_by_rules`` reads
# differently, so that verdicts are made anew instead of mixed.
PARSER_VERSION = "1"
JUDGE_EFFORT = "minimal"
ASKS = 2


def judge_fingerprint(judge: str, parameters: Mapping[str, object]) -> str:
    """Return the digest of what shapes a verdict: the judge, its prompt, its parameters and the parser."""
    return prompts.digest(judge, prompts.JUDGE_PROMPT, repr(sorted(parameters.items())), PARSER_VERSION)


def judge_parameters(judge: str) -> dict[str, object]:
    """Return what is sent beside the judge prompt: the lowest reasoning effort that the judge takes (section 4.3)."""
    if models.is_embedded(judge):
        return {}
    parameters = models.request_parameters(judge, reasoning_effort=JUDGE_EFFORT)
    # The paper's judge runs at effort "minimal"; providers whose lowest step is named otherwise refuse that word.
    if parameters.get("reasoning_effort") == JUDGE_EFFORT and "gpt-5.4" in judge:
        parameters["reasoning_effort"] = "none"
    return parameters


def _verdict(response: Response, question: Question, judge: str, fingerprint: str, reply: Reply) -> Verdict:
    parsed, problem = _parsed(reply)
    references = [question.answer]
    return Verdict(
        fingerprint=response.fingerprint,
        replicate=response.replicate,
        cell_id=response.cell_id,
        model=response.model,
        modality=response.modality,
        judge=judge,
        judge_fingerprint=fingerprint,
        status="judged" if parsed else "unjudged",
        correct=parsed.correct if parsed else None,
        score=parsed.score if parsed else None,
        reasoning=parsed.reasoning if parsed else "",
        raw=reply.text,
        problem=problem,
        abstained=scoring.is_abstention(response.text),
        exact_match=scoring.exact_match(response.text, references),
        f1=scoring.token_f1(response.text, references),
        cost=reply.cost,
        seconds=reply.seconds,
        time=now(),
    )


def _parsed(reply: Reply) -> tuple[scoring.ParsedVerdict | None, str]:
    """Return the verdict that a reply is, or None and why it is none."""
    if reply.status != "answered":
        return None, f"{reply.error_class}: {reply.error}"
    try:
        return scoring.parse_verdict(reply.text), ""
    except scoring.VerdictError as error:
        return None, f"unparsed: {error}"


def unjudged(responses: Sequence[Response], fingerprint: str, store: Store) -> list[Response]:
    """Return the answered responses that have no judged verdict under this judge fingerprint."""
    judged = {
        response_key(verdict)
        for verdict in store.verdicts()
        if verdict.status == "judged" and verdict.judge_fingerprint == fingerprint
    }
    return [
        response for response in responses if response.status == "answered" and response_key(response) not in judged
    ]


async def judge_responses(
    responses: Sequence[Response],
    questions: Mapping[str, Question],
    judge: str,
    store: Store,
    concurrency: int = 8,
    timeout: float = 300.0,
    api_base: str = "",
    progress: bool = True,
) -> int:
    """Judge every answered response that is not judged yet, store each verdict; return how many were asked.

    Raises:
        ModelError: the judge is unknown or has no credentials.
        StageStoppedError: credentials or quota failed; verdicts so far are stored.
    """
    if judge == models.READER:
        raise models.ModelError(f"judge = {judge!r} answers questions and judges none: take {models.RULES}")
    parameters = judge_parameters(judge)
    fingerprint = judge_fingerprint(judge, parameters)
    todo = unjudged(responses, fingerprint, store)
    if not todo:
        return 0
    models.check_model(judge, api_base)

    async def judge_one(response: Response) -> Reply:
        question = questions[response.question_id]
        prompt = prompts.judge_prompt(question.question, question.answer, response.text)
        spent: list[float] = []
        for _ in range(ASKS):
            reply = await models.ask(judge, prompt, parameters, timeout, api_base)
            spent += [reply.cost] if reply.cost is not None else []
            unread = reply.status == "answered" and _parsed(reply)[0] is None
            if not unread:
                break
        reply = dataclasses.replace(reply, cost=sum(spent) if spent else None)
        store.add_verdict(_verdict(response, question, judge, fingerprint, reply))
        return dataclasses.replace(reply, status="failed", error_class="unparsed") if unread else reply

    await models.work_through(todo, judge_one, concurrency, "judging", progress)
    return len(todo)
