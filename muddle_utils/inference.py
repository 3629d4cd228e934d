"""From cells and renderings to stored responses: plan the requests, send what is not answered yet, store each reply.

A request's fingerprint digests everything that shapes its message, so a changed prompt, image setting, converter or
parameter is a new request and both answers are kept. What is already answered is never asked again; what failed is
asked again by the next run.
"""

import base64
import datetime
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from muddle_utils import models, prompts
from muddle_utils.models import Block, Reply
from muddle_utils.records import Cell, Exclusion, Question, Rendering, Request, Response, response_key
from muddle_utils.rendering import choose_image_setting, jpeg_bytes, page_images, read_markdown
from muddle_utils.store import Store


def lost_cells(cells: Iterable[Cell], renderings: Mapping[str, Rendering]) -> list[Exclusion]:
    """Return the cells that cannot be asked because one of their documents has no rendering, with the reason."""
    lost = []
    for cell in cells:
        for document_id in cell.document_ids:
            rendering = renderings.get(document_id)
            if rendering is None or rendering.status != "rendered":
                problem = rendering.problem if rendering else "it was not rendered"
                lost.append(Exclusion("cell", cell.cell_id, "document not rendered", f"{document_id}: {problem}"))
                break
    return lost


def _fingerprint(question: str, modality: str, keys: Sequence[str], setting: str, model: str, parameters: str) -> str:
    headers = "".join(prompts.document_header(index) for index in range(1, len(keys) + 1))
    return prompts.digest(prompts.question_text(modality, question), headers, *keys, setting, model, parameters)


def plan_requests(
    cells: Iterable[Cell],
    questions: Mapping[str, Question],
    renderings: Mapping[str, Rendering],
    model: str,
    modality: str,
    parameters: Mapping[str, Any],
    replicate: int = 1,
) -> list[Request]:
    """Return one request a cell whose documents are all rendered, in the order of the cells.

    ``questions`` is keyed by question_id, ``renderings`` by document_id (of one modality). The image setting is
    chosen per cell and recorded, the same for every model (paper, appendix A.1).
    """
    requests = []
    sent = json.dumps(dict(parameters), sort_keys=True)
    for cell in cells:
        placed = [renderings.get(document_id) for document_id in cell.document_ids]
        usable = [rendering for rendering in placed if rendering is not None and rendering.status == "rendered"]
        if len(usable) < len(placed):
            continue
        setting = choose_image_setting(usable) if modality == "image" else ""
        question = questions[cell.question_id].question
        keys = [rendering.key for rendering in usable]
        requests.append(
            Request(
                cell_id=cell.cell_id,
                question_id=cell.question_id,
                condition=cell.condition,
                model=model,
                modality=modality,
                replicate=replicate,
                fingerprint=_fingerprint(question, modality, keys, setting, model, sent),
                image_setting=setting,
                n_pages=sum(rendering.n_pages for rendering in usable),
                n_chars=sum(rendering.n_chars for rendering in usable) if modality == "markdown" else None,
                n_bytes=sum(jpeg_bytes(row)[setting] if setting else row.n_bytes for row in usable),
                parameters=sent,
            )
        )
    return requests


def _data_url(mime: str, data: bytes) -> str:
    return f"data:{mime};base64,{base64.b64encode(data).decode('ascii')}"


def _document_blocks(index: int, rendering: Rendering, image_setting: str) -> list[Block]:
    header = prompts.document_header(index)
    if rendering.modality == "markdown":
        return [{"type": "text", "text": f"{header}\n{read_markdown(rendering)}\n"}]
    if rendering.modality == "pdf":
        data = _data_url("application/pdf", Path(rendering.path).read_bytes())
        # The name is neutral for the same reason as the header: a file name would say which document is the source.
        file = {"filename": f"document-{index}.pdf", "file_data": data}
        return [{"type": "text", "text": header}, {"type": "file", "file": file}]
    pages = page_images(rendering, image_setting)
    images = [
        {"type": "image_url", "image_url": {"url": _data_url("image/jpeg", page), "detail": "high"}} for page in pages
    ]
    return [{"type": "text", "text": header}, *images]


def build_message(
    question: str, renderings: Sequence[Rendering], modality: str, image_setting: str = ""
) -> list[Block]:
    """Return the content of the one user message: instruction and question, then the documents in placed order.

    Paper, section 4.2. ``renderings`` is in placed order and of one modality.
    """
    blocks: list[Block] = [{"type": "text", "text": prompts.question_text(modality, question)}]
    for index, rendering in enumerate(renderings, start=1):
        blocks.extend(_document_blocks(index, rendering, image_setting))
    return blocks


def pending(requests: Iterable[Request], store: Store) -> list[Request]:
    """Return the requests that have no answered response in the store."""
    answered = {response_key(response) for response in store.responses() if response.status == "answered"}
    return [request for request in requests if response_key(request) not in answered]


def now() -> str:
    """Return the current time in UTC, to the second."""
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")


def as_response(request: Request, reply: Reply, versions: str) -> Response:
    """Return the row to store for what came of a request."""
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
        route=request.model,
        model_returned=reply.model_returned,
        parameters=request.parameters,
        confidence=reply.confidence,
        read_from=reply.read_from,
        time=now(),
        versions=versions,
    )


async def answer_requests(
    requests: Sequence[Request],
    cells: Mapping[str, Cell],
    questions: Mapping[str, Question],
    renderings: Mapping[str, Rendering],
    store: Store,
    concurrency: int = 8,
    timeout: float = 900.0,
    api_base: str = "",
    cache: Path | None = None,
    progress: bool = True,
) -> int:
    """Ask every request that is not answered yet and store each reply as it comes; return how many were asked.

    ``cells`` is keyed by cell_id. A message is built when its turn has come and dropped after it. The embedded reader
    keeps the pages it recognises under ``cache``; nothing else uses it.

    Raises:
        ModelError: the model is unknown or has no credentials (nothing was asked).
        StageStoppedError: credentials or quota failed; answers so far are stored.
    """
    todo = pending(requests, store)
    if not todo:
        return 0
    for model in sorted({request.model for request in todo}):
        models.check_model(model, api_base)
    versions = models.library_versions()

    async def answer(request: Request) -> Reply:
        placed = [renderings[document_id] for document_id in cells[request.cell_id].document_ids]
        question = questions[request.question_id].question
        content = build_message(question, placed, request.modality, request.image_setting)
        own = {"page_cache": str(cache)} if cache and models.is_embedded(request.model) else {}
        parameters = {**json.loads(request.parameters), **own}
        reply = await models.ask(request.model, content, parameters, timeout, api_base)
        store.add_response(as_response(request, reply, versions))
        return reply

    await models.work_through(todo, answer, concurrency, "answering", progress)
    return len(todo)
