"""From stored responses to stored verdicts: a judge through litellm, its raw reply kept.

A reply is read strictly, then mended and marked, then asked for once more; then the verdict is ``unjudged`` with its
reason: never a default. A reply that is stored already is read again where the parser has changed, without asking
anybody. SQuAD exact match, token F1 and abstention stand beside it and need no judge.
"""

import dataclasses
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from muddle_utils.inference import client
from muddle_utils.inference.client import Patience, Reply
from muddle_utils.inference.dispatch import Budget, work_through
from muddle_utils.inference.errors import LASTING, without_keys
from muddle_utils.inference.limiter import Limiter
from muddle_utils.inference.requests import as_response, least_tokens, with_proof
from muddle_utils.inference.routes import Load, Route, load_of
from muddle_utils.judging import parsers
from muddle_utils.judging.judges import Judge
from muddle_utils.scoring import abstention, reply_text, squad
from muddle_utils.study.records import NOT_ANSWERABLE, Question, Request, Response, Verdict, response_key
from muddle_utils.study.rows import is_whole, judged_digest, now
from muddle_utils.study.store import Store

ASKS: Final = 2


def _read(reply: Reply, parser: str, reference: str) -> tuple[parsers.ParsedVerdict | None, bool, str]:
    """Return the verdict on an answer that a reply is and whether it was mended, or None and why it is none."""
    if reply.status != "answered":
        return None, False, f"{reply.error_class}: {reply.error}"
    try:
        verdict, repaired = parsers.read_verdict(reply.text, parser)
    except parsers.VerdictError as error:
        return None, False, f"unparsed: {error}"
    if verdict.correct and verdict.abstained and not reference.startswith(NOT_ANSWERABLE):
        return None, False, "unparsed: the judge calls an answer equivalent that it says declines to answer"
    return verdict, repaired, ""


def _verdict(
    response: Response, question: Question, judge: Judge, reply: Reply, sent: str, at_most: float = 0.0
) -> Verdict:
    parsed, repaired, problem = _read(reply, judge.parser, question.answer)
    answer = reply_text.without_reasoning(response.text) or ""
    references = [question.answer]
    return Verdict(
        fingerprint=response.fingerprint,
        replicate=response.replicate,
        cell_id=response.cell_id,
        model=response.model,
        modality=response.modality,
        judge=judge.name,
        judge_fingerprint=judge.fingerprint,
        status="judged" if parsed else "unjudged",
        correct=parsed.correct if parsed else None,
        score=parsed.score if parsed else None,
        # Read, an escape in the reply may turn out to spell a key.
        reasoning=without_keys(parsed.reasoning) if parsed else "",
        raw=reply.text,
        problem=without_keys(problem),
        abstained=abstention.is_abstention(answer) if not parsed or parsed.abstained is None else parsed.abstained,
        exact_match=squad.exact_match(answer, references),
        f1=squad.token_f1(answer, references),
        cost=reply.cost,
        seconds=reply.seconds,
        time=now(),
        judged_digest=judged_digest(question, response),
        repaired=repaired,
        error_class="" if parsed else (reply.error_class or "unparsed"),
        tokens_in=reply.tokens_in,
        tokens_out=reply.tokens_out,
        sent=sent,
        parser=judge.reading,
        at_most=at_most,
    )


def unjudged(
    responses: Sequence[Response], questions: Mapping[str, Question], judge: Judge, store: Store
) -> list[Response]:
    """Return the answered responses that have no verdict of this judge on just these texts."""
    done = {
        (*response_key(verdict), verdict.judged_digest)
        for verdict in store.verdicts(judge.name)
        if verdict.judge_fingerprint == judge.fingerprint
        and verdict.parser == judge.reading
        and (verdict.status == "judged" or verdict.error_class in LASTING)
    }
    return [
        response
        for response in responses
        if response.status == "answered"
        and (*response_key(response), judged_digest(questions[response.question_id], response)) not in done
    ]


def current_verdicts(
    responses: Sequence[Response], questions: Mapping[str, Question], judge: Judge, store: Store
) -> list[Verdict]:
    """Return this judge's verdict on each of these responses, in their order; a response without one is left out."""
    found = {
        (*response_key(verdict), verdict.judged_digest): verdict
        for verdict in store.verdicts(judge.name)
        if verdict.judge_fingerprint == judge.fingerprint
    }
    keys = [
        (*response_key(response), judged_digest(questions[response.question_id], response)) for response in responses
    ]
    return [found[key] for key in keys if key in found]


def verdicts_by_cell(
    responses: Sequence[Response], questions: Mapping[str, Question], judge: Judge, store: Store
) -> dict[str, Verdict]:
    """Return ``current_verdicts`` by cell, which names a text that was judged outside any study."""
    return {verdict.cell_id: verdict for verdict in current_verdicts(responses, questions, judge, store)}


def as_answered(name: str, text: str, condition: str, model: str, modality: str, fingerprint: str) -> Response:
    """Return a text that no model was asked for as the answer to judge; ``name`` is its question's and its cell's."""
    request = Request(name, name, condition, model, modality, 1, fingerprint, "", 0, 0, 0, "")
    return as_response(request, Reply("answered", text), "", "")


def say_again(responses: Sequence[Response], questions: Mapping[str, Question], judge: Judge, store: Store) -> int:
    """Store anew what this judge has said where a judge of its name with other settings has spoken since.

    Tables go by the last verdict under a judge's name; going back to earlier settings asks and costs nothing.
    """
    latest = {(*response_key(row), row.judged_digest): row for row in store.verdicts(judge.name)}
    again = [
        dataclasses.replace(verdict, cost=0.0, at_most=0.0, time=now())
        for verdict in current_verdicts(responses, questions, judge, store)
        if latest[*response_key(verdict), verdict.judged_digest].judge_fingerprint != judge.fingerprint
    ]
    for verdict in again:
        store.add_verdict(verdict)
    return len(again)


def read_again(responses: Sequence[Response], questions: Mapping[str, Question], judge: Judge, store: Store) -> int:
    """Read the stored replies of this judge that another parser read, and store what they say; return how many.

    Nobody is asked and nothing is paid. What cannot be read is left to be asked for anew.
    """
    stored = {
        (*response_key(verdict), verdict.judged_digest): verdict
        for verdict in store.verdicts(judge.name)
        if verdict.judge_fingerprint == judge.fingerprint and verdict.parser != judge.reading and is_whole(verdict)
    }
    read = 0
    for response in unjudged(responses, questions, judge, store):
        question = questions[response.question_id]
        old = stored.get((*response_key(response), judged_digest(question, response)))
        if old is None:
            continue
        reply = Reply("answered", old.raw, tokens_in=old.tokens_in, tokens_out=old.tokens_out, cost=0.0)
        verdict = _verdict(response, question, judge, reply, old.sent)
        if verdict.status == "judged":
            store.add_verdict(verdict)
            read += 1
    return read


@dataclass(frozen=True)
class _Task:
    """One answer to be judged: the prompt about it, and the first of the judge's routes that can carry that."""

    response: Response
    question: Question
    prompt: str
    load: Load
    route: Route | None

    @property
    def account(self) -> str:
        return self.route.account if self.route else ""


def _task(response: Response, question: Question, judge: Judge) -> _Task:
    answer = reply_text.without_reasoning(response.text)
    prompt = judge.ask_text(question.question, question.answer, response.text if answer is None else answer)
    load = load_of(judge.model, "markdown", 0, 0, len(prompt), len(prompt.encode()))
    return _Task(response, question, prompt, load, judge.model.choose(load)[0])


def highest_cost(judge: Judge, route: Route, load: Load, sent: Mapping[str, object]) -> float:
    """Return the most US dollars that one verdict can cost, a second ask included; ``sent`` is the body's parameters.

    Raises:
        ModelError: the route's price is unknown, or the body sets no limit to the reply.
    """
    most = client.longest_output(sent, judge.name) if not client.is_embedded(judge.model.name) else 0
    return ASKS * client.known_price(route, judge.name).cost(load.tokens[1], most)


async def _ask(
    task: _Task, judge: Judge, parameters: Mapping[str, object], how: Patience | None, limiter: Limiter
) -> Reply:
    """Return the judge's reply, asked for once more if it cannot be read; its cost is that of both."""
    if task.route is None:
        return Reply("failed", error_class="context_exceeded", error=judge.model.choose(task.load)[2])
    least = 0 if client.is_embedded(judge.model.name) else least_tokens([{"type": "text", "text": task.prompt}], 0)
    spent: list[float] = []
    unpriced = 0
    reply = client.UNSENT
    for _ in range(ASKS):
        latest = with_proof(await client.ask(task.route, task.prompt, parameters, how, limiter), least)
        if latest is client.UNSENT:
            break
        reply = latest
        unpriced += reply.unpriced
        spent += [reply.cost] if reply.cost is not None else []
        if reply.status != "answered" or _read(reply, judge.parser, task.question.answer)[0] is not None:
            break
    if reply is client.UNSENT:
        return reply
    return dataclasses.replace(reply, cost=sum(spent) if spent else None, unpriced=unpriced)


def most_to_pay(
    tasks: Sequence[Response], questions: Mapping[str, Question], judge: Judge, waive: Sequence[str]
) -> float:
    """Return the most US dollars that judging these responses can cost; nothing is sent and no key is needed.

    What no route of the judge can carry costs nothing.

    Raises:
        ModelError: a route's price is unknown, it sets no limit to the reply, or it would not be sent a parameter.
    """
    total = 0.0
    for task in (_task(response, questions[response.question_id], judge) for response in tasks):
        if task.route:
            sent = client.sent_parameters(task.route, judge.parameters, (*waive, *judge.model.waive))
            total += highest_cost(judge, task.route, task.load, sent)
    return total


async def judge_responses(
    responses: Sequence[Response],
    questions: Mapping[str, Question],
    judge: Judge,
    store: Store,
    concurrency: int = 8,
    budget: float = 0.0,
    waive: Sequence[str] = (),
    patience: Patience | None = None,
    progress: bool = True,
    wait: bool = False,
) -> int:
    """Judge every answered response that is not judged yet, store each verdict; return how many were asked.

    Stored replies that another parser read are read again first, without asking. With ``wait`` another process that
    judges the same is waited for, and what it judged is not judged again. The rest is as with
    ``requests.answer_requests``.

    Raises:
        ModelError: the judge is unknown, has no credentials, would not be sent a parameter, or has no known price.
        StageStoppedError: credentials, quota or the budget ended it; verdicts so far are stored.
        StoreError: another process judges the same answers.
    """
    read_again(responses, questions, judge, store)
    say_again(responses, questions, judge, store)
    todo = unjudged(responses, questions, judge, store)
    if not todo:
        return 0
    if budget:
        patience = dataclasses.replace(patience or Patience(), deadlines=1)
    with store.only_worker(f"verdicts {judge.name} {todo[0].model} {todo[0].modality}", wait):
        # What another process judged in the meantime is not judged again.
        todo = unjudged(todo, questions, judge, store)
        tasks = [_task(response, questions[response.question_id], judge) for response in todo]
        waived = (*waive, *judge.model.waive)
        sent: dict[str, dict[str, object]] = {"": {}}
        for task in tasks:
            if task.route and task.route.name not in sent:
                client.check_route(task.route)
                sent[task.route.name] = client.sent_parameters(task.route, judge.parameters, waived)
                if budget:
                    highest_cost(judge, task.route, task.load, sent[task.route.name])

        async def judge_one(task: _Task, limiter: Limiter) -> Reply:
            body = sent[task.route.name if task.route else ""]
            reply = await _ask(task, judge, client.taken(judge.parameters, waived, body), patience, limiter)
            if reply is client.UNSENT:
                return reply
            priced = task.route and reply.unpriced and client.price_of(task.route)
            at_most = highest_cost(judge, task.route, task.load, body) if priced and task.route else 0.0
            verdict = _verdict(task.response, task.question, judge, reply, json.dumps(body), at_most)
            store.add_verdict(verdict)
            unread = verdict.error_class == "unparsed"
            return dataclasses.replace(reply, status="failed", error_class="unparsed") if unread else reply

        await work_through(
            tasks,
            judge_one,
            concurrency,
            "judging",
            account=lambda task: task.account,
            price=lambda task: highest_cost(judge, task.route, task.load, sent[task.route.name]) if task.route else 0.0,
            budget=Budget(budget, store.spent(at_most=True) if budget else 0.0),
            progress=progress,
        )
    return len(todo)
