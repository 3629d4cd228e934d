"""What a study would send and what that may cost, before money is spent: planned as notebook 03 plans it, never sent.

Every sum is a range. Low takes the least input tokens and the least output of every call, high the most of both; the
ceiling is what the budget holds back for a call before it is sent. A price that nobody knows is unknown, never 0.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from muddle_utils.corpus.cells import select_cells
from muddle_utils.inference import attachment_check, client
from muddle_utils.inference.client import parameters_of
from muddle_utils.inference.requests import pending, plan_requests
from muddle_utils.inference.routes import (
    BYTES_PER_TOKEN,
    CHARS_PER_TOKEN,
    JUDGE_MAX_TOKENS,
    MAX_TOKENS,
    Model,
    Price,
    Route,
    load_of,
)
from muddle_utils.judging import parsers
from muddle_utils.judging.judges import Judge
from muddle_utils.judging.judging import ASKS, unjudged
from muddle_utils.scoring import reply_text
from muddle_utils.study.labels import dollars, text_table
from muddle_utils.study.paths import Study
from muddle_utils.study.records import CONDITIONS, Cell, Exclusion, Question, Rendering, Request, Response, response_key
from muddle_utils.study.rows import is_whole, judged_digest, read_rows
from muddle_utils.study.store import Store

STAGES: Final = ("answers", "canary", "verdicts")


@dataclass(frozen=True)
class Estimate:
    """The calls of one stage, model, modality and condition; ``model`` is who answers, also where a judge is asked.

    ``calls`` are all of the plan, ``infeasible`` those among them that no route can carry, ``to_send`` those that a
    run would send now. Tokens and US dollars are of the latter: ``low``, ``high`` and ``ceiling`` leave out the
    ``unknown_price`` calls, whose price nobody knows.
    """

    stage: str
    model: str
    judge: str
    modality: str
    condition: str
    to_send: int
    calls: int
    infeasible: int
    tokens_least: int
    tokens_most: int
    low: float
    high: float
    ceiling: float
    unknown_price: int


@dataclass(frozen=True)
class _Call:
    """One call still to be sent: bounds of its tokens, what its route costs, and what a budget counts it as."""

    condition: str
    tokens_in: tuple[int, int]
    tokens_out: tuple[int, int]
    longest: int
    price: Price | None
    asks: int = 1

    def cost(self, tokens_in: int, tokens_out: int) -> float:
        return self.price.cost(tokens_in, min(tokens_out, self.longest)) if self.price else 0.0


def _row(names: tuple[str, str, str, str], condition: str, calls: Sequence[_Call], n: int, infeasible: int) -> Estimate:
    """Return one row; ``names`` are its stage, model, judge and modality, ``n`` the calls in all."""
    return Estimate(
        *names,
        condition=condition,
        to_send=len(calls),
        calls=n,
        infeasible=infeasible,
        tokens_least=sum(call.tokens_in[0] for call in calls),
        tokens_most=sum(call.tokens_in[1] for call in calls),
        low=sum(call.cost(call.tokens_in[0], call.tokens_out[0]) for call in calls),
        high=sum(call.cost(call.tokens_in[1], call.tokens_out[1]) for call in calls),
        ceiling=sum(call.asks * call.cost(call.tokens_in[1], call.longest) for call in calls),
        unknown_price=sum(call.price is None for call in calls),
    )


def _rows(
    names: tuple[str, str, str, str], calls: Sequence[_Call], all_of: Sequence[str], infeasible: Sequence[str]
) -> list[Estimate]:
    """Return a row for each condition; ``all_of`` and ``infeasible`` hold the condition of each such call."""
    return [
        _row(
            names,
            condition,
            [call for call in calls if call.condition == condition],
            all_of.count(condition),
            infeasible.count(condition),
        )
        for condition in (*CONDITIONS, "canary")
        if condition in all_of
    ]


def _prices(routes: Iterable[Route]) -> dict[str, Price | None]:
    return {route.name: client.price_of(route) for route in routes}


# --- The plan -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Plan:
    """What one model would be asked in one modality: the requests as notebook 03 makes them, and the questions."""

    model: Model
    modality: str
    requests: Sequence[Request]
    questions: Mapping[str, Question]


def read_plan(
    study: Study,
    model: Model,
    modality: str,
    conditions: Sequence[str] = CONDITIONS,
    n_sources: int = 0,
    limit: int = 0,
    seed: int = 42,
    reasoning_effort: str = "",
    replicates: int = 1,
) -> Plan:
    """Return what notebook 03 would ask, from the rows that notebooks 01 and 02 wrote; nothing is written.

    The parameters are those of that notebook.

    Raises:
        RowsError: a row file is missing or damaged; the message names it and the notebook to run.
        ValueError: a condition is unknown, or a number is out of range.
    """
    questions = read_rows(study.rows("questions"), Question)
    cells = select_cells(read_rows(study.rows("cells"), Cell), questions, conditions, limit, n_sources, seed)
    renderings = {row.document_id: row for row in read_rows(study.rows(f"renderings_{modality}"), Rendering)}
    lost = {row.identifier for row in read_rows(study.rows(f"lost_{modality}"), Exclusion)}
    asked = [cell for cell in cells if cell.cell_id not in lost]
    by_question = {question.question_id: question for question in questions}
    parameters = parameters_of(model, reasoning_effort)
    requests = plan_requests(asked, by_question, renderings, model, modality, parameters, replicates)
    return Plan(model, modality, requests, by_question)


# --- The stages -----------------------------------------------------------------------------------------------------


def _to_send(plan: Plan, store: Store | None) -> list[Request]:
    return pending(plan.requests, store) if store else [row for row in plan.requests if not row.infeasible]


def estimate_answers(plan: Plan, store: Store | None) -> list[Estimate]:
    """Return a row for each condition of a plan; without a store nothing is answered yet."""
    prices = _prices(plan.model.routes)
    calls = [
        _Call(
            request.condition,
            (request.tokens_least, request.tokens_most),
            plan.model.output_tokens,
            json.loads(request.parameters).get("max_tokens", MAX_TOKENS),
            prices[request.route],
        )
        for request in _to_send(plan, store)
    ]
    infeasible = [request.condition for request in plan.requests if request.infeasible]
    names = ("answers", plan.model.name, "", plan.modality)
    return _rows(names, calls, [request.condition for request in plan.requests], infeasible)


def estimate_canary(plan: Plan, store: Store | None) -> list[Estimate]:
    """Return a row for the small pages that are asked first, one over each route that is about to be used."""
    first = {request.route: request for request in reversed(_to_send(plan, store))}
    routes = [route for route in plan.model.routes if route.name in first and not client.is_embedded(route.provider)]
    stored = store.responses(plan.model.name, plan.modality) if store else []
    proven = {(row.route, row.parameters) for row in stored if row.condition == "canary" and row.status == "answered"}
    calls = []
    for route in routes:
        request = first[route.name]
        if (route.name, request.parameters) in proven:
            continue
        blocks = attachment_check.canary_message(route.name, plan.modality)
        text = "".join(block["text"] for block in blocks if block["type"] == "text")
        pages = 0 if plan.modality == "markdown" else 1
        load = load_of(plan.model, plan.modality, pages, 0, len(text), len(text.encode()))
        longest = json.loads(request.parameters).get("max_tokens", MAX_TOKENS)
        calls.append(_Call("canary", load.tokens, plan.model.output_tokens, longest, client.price_of(route)))
    names = ("canary", plan.model.name, "", plan.modality)
    return _rows(names, calls, ["canary"] * len(routes), [])


def _readable(judge: Judge, store: Store) -> set[tuple[object, ...]]:
    """Return the answers whose stored verdict only has to be read again by today's parser, which costs nothing."""
    found: set[tuple[object, ...]] = set()
    for verdict in store.verdicts(judge.name):
        if verdict.judge_fingerprint != judge.fingerprint or verdict.parser == judge.reading or not is_whole(verdict):
            continue
        try:
            parsers.read_verdict(verdict.raw, judge.parser)
        except parsers.VerdictError:
            continue
        found.add((*response_key(verdict), verdict.judged_digest))
    return found


def _to_judge(plan: Plan, judge: Judge, store: Store | None) -> list[tuple[Request, Response | None]]:
    """Return the requests whose answers need a verdict, each with its answer where it is stored already."""
    if store is None:
        return [(request, None) for request in _to_send(plan, None)]
    by_key = {response_key(request): request for request in plan.requests}
    stored = [row for row in store.responses(plan.model.name, plan.modality) if response_key(row) in by_key]
    free = _readable(judge, store)
    known = [
        (by_key[response_key(row)], row)
        for row in unjudged(stored, plan.questions, judge, store)
        if (*response_key(row), judged_digest(plan.questions[row.question_id], row)) not in free
    ]
    return [*known, *((request, None) for request in _to_send(plan, store))]


def estimate_verdicts(plan: Plan, judge: Judge, store: Store | None) -> list[Estimate]:
    """Return a row for each condition: the verdicts that are missing, if every request that is to be sent is answered.

    A stored answer counts as it is; one that is still to come counts as long as the model's ``output_tokens``.
    """
    calls, infeasible = [], [request.condition for request in plan.requests if request.infeasible]
    prices = _prices(judge.model.routes)
    for request, response in _to_judge(plan, judge, store):
        question = plan.questions[request.question_id]
        answer = response.text if response else ""
        prompt = judge.ask_text(question.question, question.answer, reply_text.without_reasoning(answer) or answer)
        load = load_of(judge.model, "markdown", 0, 0, len(prompt), len(prompt.encode()))
        route = judge.model.choose(load)[0]
        if route is None:
            infeasible.append(request.condition)
            continue
        added = (0, 0) if response else plan.model.output_tokens
        calls.append(
            _Call(
                request.condition,
                (load.tokens[0] + added[0], load.tokens[1] + added[1]),
                judge.model.output_tokens,
                judge.parameters.get("max_tokens", JUDGE_MAX_TOKENS),
                prices[route.name],
                ASKS,
            )
        )
    names = ("verdicts", plan.model.name, judge.name, plan.modality)
    return _rows(names, calls, [request.condition for request in plan.requests], infeasible)


def estimate(
    plans: Sequence[Plan], judges: Sequence[Judge], study: Study, with_canary: bool = True
) -> tuple[list[Estimate], float]:
    """Return the rows of all stages, model by model, and what the study has cost so far (US dollars).

    Nothing is sent, and no store is made where there is none.

    Raises:
        StoreError: the study's database cannot be read.
    """
    if not study.store.exists():
        return _all_rows(plans, judges, None, with_canary), 0.0
    with Store(study.store, read_only=True) as store:
        return _all_rows(plans, judges, store, with_canary), store.spent()


def _all_rows(plans: Sequence[Plan], judges: Sequence[Judge], store: Store | None, with_canary: bool) -> list[Estimate]:
    rows: list[Estimate] = []
    for plan in plans:
        rows += estimate_answers(plan, store)
        rows += estimate_canary(plan, store) if with_canary else []
        for judge in judges:
            rows += estimate_verdicts(plan, judge, store)
    order = {name: place for place, name in enumerate(dict.fromkeys(row.model for row in rows))}
    return sorted(rows, key=lambda row: (order[row.model], STAGES.index(row.stage)))


# --- For people -----------------------------------------------------------------------------------------------------


def _amount(amount: float, n: int, unknown: int) -> str:
    if unknown and unknown == n:
        return "unknown"
    return f"at least {dollars(amount)}" if unknown else dollars(amount)


def _line(names: Sequence[str], rows: Sequence[Estimate]) -> list[str]:
    n, unknown = sum(row.to_send for row in rows), sum(row.unknown_price for row in rows)
    least, most = sum(row.tokens_least for row in rows), sum(row.tokens_most for row in rows)
    return [
        *names,
        f"{n:,}",
        f"{sum(row.calls for row in rows):,}",
        f"{sum(row.infeasible for row in rows):,}",
        f"{least:,}-{most:,}" if n else "0",
        _amount(sum(row.low for row in rows), n, unknown),
        _amount(sum(row.high for row in rows), n, unknown),
    ]


_HEADER: Final = ("stage", "model", "modality", "condition")
_NUMBERS: Final = ("to send", "in all", "infeasible", "tokens in", "low", "high")


def _total(rows: Sequence[Estimate]) -> str:
    unknown = sum(row.unknown_price for row in rows)
    low, high = sum(row.low for row in rows), sum(row.high for row in rows)
    said = f"Total: {dollars(low)} to {dollars(high)}"
    if unknown and unknown == sum(row.to_send for row in rows):
        said = f"Total: unknown, since no price is known of the {unknown:,} calls"
    elif unknown:
        said = f"Total: at least {dollars(low)}, and {unknown:,} calls of unknown price"
        said += f" (the others at most {dollars(high)})" if high else ""
    return f"{said}."


def _ceiling(rows: Sequence[Estimate], spent: float, budget: float) -> str:
    ceiling = sum(row.ceiling for row in rows)
    if 0 < sum(row.to_send for row in rows) == sum(row.unknown_price for row in rows):
        return "Hard ceiling: unknown; no budget can be kept with calls of unknown price."
    said = (
        f"Hard ceiling: {dollars(ceiling)} if every answer were as long as max_tokens allows and every verdict had to "
        "be asked for twice, which is how --budget counts a call before it is sent"
    )
    if any(row.unknown_price for row in rows):
        said += "; calls of unknown price come on top, and no budget can be kept with them"
    if budget:
        left = budget - spent
        said += f"; of the budget of {dollars(budget)}, {dollars(max(0.0, left))} is left"
    return f"{said}."


def _assumptions(rows: Sequence[Estimate], plans: Sequence[Plan], judges: Sequence[Judge], spent: float) -> list[str]:
    everyone = {model.name: model for model in (*(plan.model for plan in plans), *(judge.model for judge in judges))}
    paid = {name: model for name, model in everyone.items() if not client.is_embedded(name)}
    found = [price for model in paid.values() for price in _prices(model.routes).values() if price]
    said = sorted(
        {", ".join(part for part in (price.source, price.read and f"read {price.read}") if part) for price in found}
    )
    prices = f"{'; '.join(said)}; no input counts as cached" if said else "none is known"
    prices = prices if paid else "the embedded models cost nothing"
    shown = {plan.modality for plan in plans}
    weights = [_weight(name, model, shown) for name, model in paid.items()]
    so_far = f"; the study has cost {dollars(spent)} so far" if spent else ""
    return [
        f"Prices: {prices}.",
        f"Tokens: one is {BYTES_PER_TOKEN} bytes to {CHARS_PER_TOKEN} characters of text"
        + "".join(f"; {weight}" for weight in weights)
        + ". Reasoning counts as output, and answers that are still to come reach the judge at the answer's length.",
        f"Nothing was sent{so_far}.",
    ]


def _weight(name: str, model: Model, modalities: Iterable[str]) -> str:
    """Return what one page and one reply of a model are taken for."""
    parts = [
        f"{bounds[0]:,}-{bounds[1]:,} a {what}"
        for modality, bounds, what in (
            ("image", model.image_tokens, "page image"),
            ("pdf", model.pdf_page_tokens, "PDF page"),
        )
        if modality in modalities
    ]
    return f"{name}: " + ", ".join([*parts, f"{model.output_tokens[0]:,}-{model.output_tokens[1]:,} a reply"])


def report(
    rows: Sequence[Estimate], plans: Sequence[Plan], judges: Sequence[Judge], spent: float, budget: float = 0.0
) -> str:
    """Return the estimate as text: the table with a subtotal a model, the totals, and what was assumed."""
    lines = []
    for name in dict.fromkeys(row.model for row in rows):
        own = [row for row in rows if row.model == name]
        for row in own:
            stage = f"{row.stage} of {row.judge}" if row.judge else row.stage
            lines.append(_line((stage, name, row.modality, row.condition), [row]))
        lines.append(_line(("subtotal", name, "", ""), own))
    table = text_table([*_HEADER, *_NUMBERS], lines, right=_NUMBERS)
    return "\n".join(
        [table, "", _total(rows), _ceiling(rows, spent, budget), *_assumptions(rows, plans, judges, spent)]
    )


def as_json(row: Estimate) -> str:
    """Return a row as one line of JSON; amounts that nobody knows are null."""
    values = {name: getattr(row, name) for name in Estimate.__dataclass_fields__}
    if row.unknown_price and row.unknown_price == row.to_send:
        values.update(low=None, high=None, ceiling=None)
    return json.dumps(values, ensure_ascii=False)
