"""From cells and renderings to stored responses: plan the requests, send what is not answered yet, store each reply.

A request's fingerprint digests everything that shapes its message, so a changed prompt, image setting, converter or
parameter is a new request and both answers are kept. What is already answered is never asked again; what failed is
asked again by the next run, unless asking the same can only end the same way.
"""

import base64
import dataclasses
import functools
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from muddle_utils.inference import client, prompts
from muddle_utils.inference.client import Block, Patience, Reply
from muddle_utils.inference.dispatch import Budget, work_through
from muddle_utils.inference.errors import LASTING
from muddle_utils.inference.limiter import Limiter
from muddle_utils.inference.routes import IMAGE_TOKENS, PDF_PAGE_TOKENS, Model, Route, load_of
from muddle_utils.rendering.rendering import choose_image_setting, jpeg_bytes, page_images, read_markdown
from muddle_utils.study import rows
from muddle_utils.study.records import Cell, Question, Rendering, Request, Response, response_key
from muddle_utils.study.rows import now
from muddle_utils.study.store import Store

# Nearly every word of a text is a token of its own or several; some tokenisers join a few frequent neighbours.
TOKENS_PER_WORD: Final = 0.8


def _components(question: str, modality: str, keys: Sequence[str], setting: str, model: Model, sent: str) -> str:
    parts = {
        "prompt": rows.digest(prompts.instruction(modality)),
        "question": rows.digest(question),
        "documents": rows.digest(*keys),
        "image setting": f"{setting} {model.image_detail}" if setting else "",
        "parameters": sent,
    }
    return json.dumps(parts)


def _fingerprint(
    question: str, modality: str, keys: Sequence[str], setting: str, model: Model, route: Route | None, sent: str
) -> str:
    headers = "".join(prompts.document_header(index) for index in range(1, len(keys) + 1))
    # What is as usual adds nothing, so that a new setting of the kit makes no new request of an old one.
    unusual = [json.dumps(dict(route.extra), sort_keys=True)] if route and route.extra else []
    unusual += [model.image_detail] if setting and model.image_detail != "high" else []
    text = prompts.question_text(modality, question)
    return rows.digest(text, headers, *keys, setting, model.name, sent, *unusual)


def plan_requests(
    cells: Iterable[Cell],
    questions: Mapping[str, Question],
    renderings: Mapping[str, Rendering],
    model: Model,
    modality: str,
    parameters: Mapping[str, Any],
    replicates: int = 1,
) -> list[Request]:
    """Return ``replicates`` requests a cell whose documents are all rendered, in the order of the cells.

    ``questions`` is keyed by question_id, ``renderings`` by document_id (of one modality). The image setting is
    chosen per cell and recorded, the same for every model (paper, appendix A.1), and the route by what it can carry.

    Raises:
        ValueError: ``replicates`` is below 1.
    """
    if replicates < 1:
        raise ValueError(f"replicates = {replicates} asks for nothing: take 1 or more")
    requests = []
    sent = json.dumps(dict(parameters), sort_keys=True)
    for cell in cells:
        placed = [renderings.get(document_id) for document_id in cell.document_ids]
        usable = [rendering for rendering in placed if rendering is not None and rendering.status == "rendered"]
        if len(usable) == len(placed):
            first = _request(cell, questions[cell.question_id].question, usable, model, modality, sent)
            requests += [dataclasses.replace(first, replicate=number) for number in range(1, replicates + 1)]
    return requests


def _request(
    cell: Cell, question: str, renderings: Sequence[Rendering], model: Model, modality: str, sent: str
) -> Request:
    setting = choose_image_setting(renderings) if modality == "image" else ""
    keys = [rendering.key for rendering in renderings]
    n_bytes = sum(jpeg_bytes(row)[setting] if setting else row.n_bytes for row in renderings)
    n_pages = sum(rendering.n_pages for rendering in renderings)
    n_chars = sum(rendering.n_chars for rendering in renderings) if modality == "markdown" else None
    asked = prompts.question_text(modality, question)
    own = modality == "markdown"
    load = load_of(
        model,
        modality,
        0 if own else n_pages,
        0 if own else n_bytes,
        len(asked) + (n_chars or 0),
        len(asked.encode()) + (n_bytes if own else 0),
    )
    route, limit, detail = model.choose(load)
    return Request(
        cell_id=cell.cell_id,
        question_id=cell.question_id,
        condition=cell.condition,
        model=model.name,
        modality=modality,
        replicate=1,
        fingerprint=_fingerprint(question, modality, keys, setting, model, route, sent),
        image_setting=setting,
        n_pages=n_pages,
        n_chars=n_chars,
        n_bytes=n_bytes,
        parameters=sent,
        components=_components(question, modality, keys, setting, model, sent),
        route=route.name if route else "",
        infeasible=limit.name if limit else "",
        detail=detail,
        tokens_least=load.tokens[0],
        tokens_most=load.tokens[1],
        comparable=route is None or route.comparable,
        limit_size=limit.size if limit else 0,
        limit_most=limit.most if limit else 0,
    )


def _data_url(mime: str, data: bytes) -> str:
    return f"data:{mime};base64,{base64.b64encode(data).decode('ascii')}"


def image_block(jpeg: bytes, detail: str = "high") -> Block:
    """Return the block of one page image."""
    return {"type": "image_url", "image_url": {"url": _data_url("image/jpeg", jpeg), "detail": detail}}


def pdf_block(data: bytes, index: int) -> Block:
    """Return the block of the ``index``-th PDF; its name is neutral, as a file name would say which is the source."""
    return {
        "type": "file",
        "file": {"filename": f"document-{index}.pdf", "file_data": _data_url("application/pdf", data)},
    }


def _document_blocks(index: int, rendering: Rendering, image_setting: str, detail: str) -> list[Block]:
    header = prompts.document_header(index)
    if rendering.modality == "markdown":
        return [{"type": "text", "text": f"{header}\n{read_markdown(rendering)}\n"}]
    if rendering.modality == "pdf":
        return [{"type": "text", "text": header}, pdf_block(Path(rendering.path).read_bytes(), index)]
    images = [image_block(page, detail) for page in page_images(rendering, image_setting)]
    return [{"type": "text", "text": header}, *images]


def build_message(
    question: str, renderings: Sequence[Rendering], modality: str, image_setting: str = "", detail: str = "high"
) -> list[Block]:
    """Return the content of the one user message: instruction and question, then the documents in placed order.

    Paper, section 4.2. ``renderings`` is in placed order and of one modality.
    """
    blocks: list[Block] = [{"type": "text", "text": prompts.question_text(modality, question)}]
    for index, rendering in enumerate(renderings, start=1):
        blocks.extend(_document_blocks(index, rendering, image_setting, detail))
    return blocks


def pending(requests: Iterable[Request], store: Store) -> list[Request]:
    """Return the requests to be sent: feasible, without an answer, and without a fault that would only come again."""
    done = {
        response_key(response)
        for response in store.responses()
        if response.status == "answered" or response.error_class in LASTING
    }
    return [request for request in requests if not request.infeasible and response_key(request) not in done]


def as_response(request: Request, reply: Reply, sent: str, versions: str, at_most: float = 0.0) -> Response:
    """Return the row to store for what came of a request.

    ``sent`` is the JSON of the parameters that were sent, ``at_most`` what attempts of unknown cost can have cost.
    """
    return Response(
        cell_id=request.cell_id,
        question_id=request.question_id,
        condition=request.condition,
        model=request.model,
        modality=request.modality,
        replicate=request.replicate,
        fingerprint=request.fingerprint,
        status=reply.status,
        text=reply.text,
        error_class=reply.error_class,
        error=reply.error,
        finish_reason=reply.finish_reason,
        tokens_in=reply.tokens_in,
        tokens_out=reply.tokens_out,
        tokens_reasoning=reply.tokens_reasoning,
        cost=reply.cost,
        seconds=reply.seconds,
        attempts=reply.attempts,
        route=request.route,
        model_returned=reply.model_returned,
        parameters=request.parameters,
        confidence=reply.confidence,
        read_from=reply.read_from,
        time=now(),
        versions=versions,
        components=request.components,
        sent=sent,
        at_most=at_most,
    )


def least_tokens(content: Sequence[Block], n_pages: int) -> int:
    """Return the fewest input tokens that a message can be; ``n_pages`` is of its PDFs.

    A provider that reports fewer did not show the model what was sent: it lost an attachment, or cut the text.
    """
    words = sum(len(block["text"].split()) for block in content if block["type"] == "text")
    images = len([block for block in content if block["type"] == "image_url"])
    pages = n_pages if any(block["type"] == "file" for block in content) else 0
    return int(words * TOKENS_PER_WORD) + images * IMAGE_TOKENS[0] + pages * PDF_PAGE_TOKENS[0]


@functools.lru_cache(maxsize=4096)
def _n_words(path: str, _key: str) -> int:
    """Return the words of a rendered text; each stands in many messages, and counting is slow beside sending."""
    return len(Path(path).read_text("utf-8").split())


def least_input(question: str, renderings: Sequence[Rendering], modality: str) -> int:
    """Return the fewest input tokens that the message about these documents can be, as ``least_tokens`` counts."""
    words = len(prompts.question_text(modality, question).split())
    if modality == "markdown":
        return int((words + sum(_n_words(row.path, row.key) for row in renderings)) * TOKENS_PER_WORD)
    a_page = IMAGE_TOKENS[0] if modality == "image" else PDF_PAGE_TOKENS[0]
    return int(words * TOKENS_PER_WORD) + a_page * sum(row.n_pages for row in renderings)


def with_proof(reply: Reply, least: int) -> Reply:
    """Return the reply, failed as ``attachment_lost`` if its reported usage is below the least that was sent."""
    if reply.status != "answered" or reply.tokens_in is None or reply.tokens_in >= least:
        return reply
    error = (
        f"the provider reports {reply.tokens_in:,} input tokens where at least {least:,} were sent: it dropped or cut "
        "the documents (a server of your own may have a shorter context than it says)"
    )
    return dataclasses.replace(reply, status="failed", error_class="attachment_lost", error=error)


def highest_cost(request: Request, model: Model, route: Route, sent: Mapping[str, Any]) -> float:
    """Return the most US dollars that a request can cost in one attempt; ``sent`` is the body's parameters.

    Raises:
        ModelError: the route's price is unknown, or the body sets no limit to the answer.
    """
    most = 0 if client.is_embedded(model.name) else client.longest_output(sent, model.name)
    return client.known_price(route, model.name).cost(request.tokens_most, most)


def unsaid_cost(reply: Reply, request: Request, model: Model, route: Route, sent: Mapping[str, Any]) -> float:
    """Return the most US dollars that attempts of unknown cost can have cost; 0 where nobody knows the price."""
    priced = reply.unpriced and client.price_of(route)
    return reply.unpriced * highest_cost(request, model, route, sent) if priced else 0.0


def routes_of(requests: Iterable[Request], model: Model) -> dict[str, Route]:
    """Return the routes that requests take, by name.

    Raises:
        ModelError: a route cannot be taken: its key is missing, or its provider is unknown.
    """
    used = {request.route for request in requests}
    routes = {route.name: route for route in model.routes if route.name in used}
    for route in routes.values():
        client.check_route(route)
    return routes


async def answer_requests(
    requests: Sequence[Request],
    cells: Mapping[str, Cell],
    questions: Mapping[str, Question],
    renderings: Mapping[str, Rendering],
    store: Store,
    model: Model,
    concurrency: int = 8,
    budget: float = 0.0,
    waive: Sequence[str] = (),
    patience: Patience | None = None,
    cache: Path | None = None,
    progress: bool = True,
) -> int:
    """Ask every request of a model that is not answered yet and store each reply; return how many were asked.

    ``cells`` is keyed by cell_id. A message is built when its turn has come and dropped after it. ``budget`` is in
    US dollars for the whole study, what it has cost so far included; 0 is none. ``waive`` names parameters that a
    route may leave out. The embedded reader keeps the pages it recognises under ``cache``; nothing else uses it.

    Raises:
        ModelError: the model is unknown, has no credentials, would not be sent a parameter, or has no price to keep a
            budget by (nothing was asked).
        StageStoppedError: credentials, quota or the budget ended it; answers so far are stored.
        StoreError: another process answers the same requests.
    """
    if not pending(requests, store):
        return 0
    with store.only_worker(f"answers {model.name} {requests[0].modality}"):
        # What another process answered in the meantime is not asked again.
        todo = pending(requests, store)
        routes = routes_of(todo, model)
        waived = (*waive, *model.waive)
        asked = json.loads(requests[0].parameters)
        sent = {name: client.sent_parameters(route, asked, waived) for name, route in routes.items()}
        if budget:
            patience = dataclasses.replace(patience or Patience(), deadlines=1)
            for first in {request.route: request for request in todo}.values():
                highest_cost(first, model, routes[first.route], sent[first.route])
        versions = client.library_versions()
        embedded = client.is_embedded(model.name)
        own = {"page_cache": str(cache)} if cache and embedded else {}

        async def answer(request: Request, limiter: Limiter) -> Reply:
            placed = [renderings[document_id] for document_id in cells[request.cell_id].document_ids]
            question, body = questions[request.question_id].question, sent[request.route]
            content = build_message(question, placed, request.modality, request.image_setting, model.image_detail)
            least = 0 if embedded else least_input(question, placed, request.modality)
            parameters = {**client.taken(asked, waived, body), **own}
            reply = await client.ask(routes[request.route], content, parameters, patience, limiter)
            reply = with_proof(reply, least)
            if reply is not client.UNSENT:
                at_most = unsaid_cost(reply, request, model, routes[request.route], body)
                store.add_response(as_response(request, reply, json.dumps(body), versions, at_most))
            return reply

        await work_through(
            todo,
            answer,
            concurrency,
            "answering",
            account=lambda request: routes[request.route].account,
            price=lambda request: highest_cost(request, model, routes[request.route], sent[request.route]),
            budget=Budget(budget, store.spent(at_most=True) if budget else 0.0),
            progress=progress,
        )
    return len(todo)
