"""One small document a route and modality, asked before the study: does what is attached reach the model?

Gateways have dropped PDFs and images without an error; the model then answers from nothing and the reply looks fine.
The canary page holds a code word that nobody can guess. It is a request like any other: stored, paid for and counted.
"""

import dataclasses
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from muddle_utils.inference import client, prompts
from muddle_utils.inference.client import Block, Patience
from muddle_utils.inference.dispatch import StageStoppedError
from muddle_utils.inference.limiter import Limiter
from muddle_utils.inference.requests import (
    as_response,
    highest_cost,
    image_block,
    least_tokens,
    pdf_block,
    pending,
    routes_of,
    unsaid_cost,
    with_proof,
)
from muddle_utils.inference.routes import PDF_PAGE_TOKENS, Model, Route
from muddle_utils.rendering.pdf import pymupdf
from muddle_utils.study import rows
from muddle_utils.study.records import Request, Response, response_key
from muddle_utils.study.store import Store

QUESTION: Final = "What is the code word of this page?"
# Raise it when the page or the question changes.
CANARY_VERSION: Final = "1"
_NAMES: Final = ("KESTREL", "PLOVER", "DUNLIN", "CURLEW", "GADWALL", "WHIMBREL", "PETREL", "GARGANEY")
_LONGEST_SIDE: Final = 1024
# A canary may fail in these ways and the study still be worth asking.
_TOLERATED: Final = ("filtered", "refused", "truncated", "empty")


@dataclass(frozen=True)
class Arrival:
    """What the canary of one route showed: ``proven`` if its code word came back."""

    route: str
    modality: str
    proven: bool
    answer: str
    tokens_in: int | None
    least_tokens: int


def code_word(route: str, modality: str) -> str:
    """Return the code word of one route and modality; it follows from nothing that a model is told."""
    number = int(rows.digest("canary", CANARY_VERSION, route, modality)[:8], 16)
    return f"{_NAMES[number % len(_NAMES)]}-{number % 90_000 + 10_000}"


def _page(word: str) -> bytes:
    """Return a one-page PDF that says the code word."""
    document = pymupdf.open()
    page = document.new_page(width=420, height=300)
    page.insert_text((40, 70), "Harbour office notice", fontsize=20)
    page.insert_text((40, 120), f"The code word of this page is {word}.", fontsize=14)
    page.insert_text((40, 150), "It changes with every tide table. Keep it on the desk.", fontsize=12)
    data: bytes = document.tobytes(no_new_id=1)
    return data


def canary_message(route: str, modality: str) -> list[Block]:
    """Return the canary's message, in the form of every other message of the study."""
    word = code_word(route, modality)
    blocks: list[Block] = [{"type": "text", "text": prompts.question_text(modality, QUESTION)}]
    header = prompts.document_header(1)
    if modality == "markdown":
        text = (
            f"# Harbour office notice\n\nThe code word of this page is {word}.\n\nIt changes with every tide table.\n"
        )
        return [*blocks, {"type": "text", "text": f"{header}\n{text}\n"}]
    data = _page(word)
    if modality == "pdf":
        return [*blocks, {"type": "text", "text": header}, pdf_block(data, 1)]
    with pymupdf.open(stream=data, filetype="pdf") as document:
        page = document[0]
        zoom = _LONGEST_SIDE / max(page.rect.width, page.rect.height)
        picture = page.get_pixmap(matrix=pymupdf.Matrix(zoom, zoom)).tobytes("jpeg")
    return [*blocks, {"type": "text", "text": header}, image_block(picture)]


def _request(request: Request, route: Route) -> Request:
    """Return the canary's request on the route of one of the study's requests."""
    return dataclasses.replace(
        request,
        cell_id=f"canary|{request.modality}",
        question_id="canary",
        condition="canary",
        replicate=1,
        fingerprint=rows.digest("canary", CANARY_VERSION, route.name, request.modality, request.parameters),
        n_pages=1,
        # A page, the question and the headers, by the widest measure of a page.
        tokens_most=PDF_PAGE_TOKENS[1] + 500,
        components="",
    )


def _says_word(text: str, request: Request) -> bool:
    """Return whether a reply says the code word; models set hyphens and spaces otherwise, letters and digits stay."""
    said = "".join(character for character in text.upper() if character.isalnum())
    return code_word(request.route, request.modality).replace("-", "") in said


def _arrival(request: Request, response: Response, least: int) -> Arrival:
    proven = response.status == "answered" and _says_word(response.text, request)
    return Arrival(request.route, request.modality, proven, response.text, response.tokens_in, least)


async def prove_arrival(
    requests: Iterable[Request],
    model: Model,
    store: Store,
    waive: Sequence[str] = (),
    patience: Patience | None = None,
    budget: float = 0.0,
) -> list[Arrival]:
    """Send a canary over each route that is about to be used and has none yet; return what they showed.

    A canary whose code word does not come back although the usage could hold the page is not proven and stops
    nothing: small models misread. The embedded models need none.

    Raises:
        ModelError: as with ``requests.answer_requests``.
        StageStoppedError: the page did not arrive, or the route cannot be used; nothing else was sent.
    """
    first = {request.route: request for request in reversed(pending(requests, store))}
    routes = {
        name: route
        for name, route in routes_of(first.values(), model).items()
        if not client.is_embedded(route.provider)
    }
    stored = {response_key(row): row for row in store.responses() if row.status == "answered"}
    arrivals = []
    for name, route in routes.items():
        request = _request(first[name], route)
        content = canary_message(name, request.modality)
        least = least_tokens(content, 1)
        waived = (*waive, *model.waive)
        response = stored.get(response_key(request))
        if response is None:
            if budget:
                patience = dataclasses.replace(patience or Patience(), deadlines=1)
                _check_budget(request, model, route, waived, store, budget)
            response = await _ask(request, model, route, content, least, waived, patience, store)
        if response.status != "answered" and response.error_class not in _TOLERATED:
            raise StageStoppedError(
                f"the canary page over {name} in {request.modality} came to {response.error_class} ({response.error})",
                "; nothing else was sent. Mend this and run again, or leave the canary out (-p canary False)",
            )
        arrivals.append(_arrival(request, response, least))
    return arrivals


def _check_budget(
    request: Request, model: Model, route: Route, waive: Sequence[str], store: Store, budget: float
) -> None:
    """Refuse a canary that the study's budget has no room for.

    Raises:
        StageStoppedError: saying what it may cost.
    """
    sent = client.sent_parameters(route, json.loads(request.parameters), waive)
    most = highest_cost(request, model, route, sent)
    spent = store.spent(at_most=True)
    if spent + most > budget:
        raise StageStoppedError(
            f"the budget of ${budget:.2f} is used up: ${spent:.4f} is spent, and the canary page over {route.name} may "
            f"cost ${most:.4f}; raise --budget"
        )


async def _ask(
    request: Request,
    model: Model,
    route: Route,
    content: Sequence[Block],
    least: int,
    waive: Sequence[str],
    patience: Patience | None,
    store: Store,
) -> Response:
    asked = json.loads(request.parameters)
    sent = client.sent_parameters(route, asked, waive)
    reply = await client.ask(route, content, client.taken(asked, waive, sent), patience, Limiter(1))
    if not _says_word(reply.text, request):
        reply = with_proof(reply, least)
        if reply.status == "answered" and not reply.tokens_in:
            error = "neither the code word nor a usage came back: nothing shows that the page arrived"
            reply = dataclasses.replace(reply, status="failed", error_class="attachment_lost", error=error)
    at_most = unsaid_cost(reply, request, model, route, sent)
    response = as_response(request, reply, json.dumps(sent), client.library_versions(), at_most)
    store.add_response(response)
    return response
