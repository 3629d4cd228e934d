"""The process that the kill test kills: it answers 300 small cells, as notebook 03 does, and exits."""

import asyncio
from pathlib import Path

from muddle_utils.inference import client
from muddle_utils.inference.requests import answer_requests, plan_requests
from muddle_utils.inference.routes import Model, Route
from muddle_utils.study.records import Cell, Question, Rendering
from muddle_utils.study.store import Store

# Loaded once by the server of processes, not by every child anew.
client.load_litellm()
N_CELLS = 300


def made_up_study(folder, n_cells=N_CELLS):
    """Return (questions, cells, renderings) of cells that are one small markdown document each."""
    path = Path(folder) / "document.md"
    path.write_text("<!-- page 1 -->\n\nThe bridge is 418 metres long.\n")
    rendering = Rendering(
        "d.pdf", "sha", "markdown", "r", "1", "{}", "key", str(path), 50, 1, 50, (), "rendered", "", 0.0
    )
    questions, cells = {}, {}
    for number in range(n_cells):
        name = f"q{number:03d}"
        questions[name] = Question(
            name, "d.pdf", f"Question {name}: how long is it?", "418", "Int", (1,), ("Pure-text",), "Brochure"
        )
        cells[f"{name}|control"] = Cell(f"{name}|control", name, "control", 0, "none", ("d.pdf",), 0, "", "")
    return questions, cells, {"d.pdf": rendering}


def model_at(url):
    """Return a model whose only route is the server."""
    return Model("openai/m", (Route("openai/m", url, listed=True),), {"max_tokens": 50}, listed=True)


def work(folder, url):
    """Answer what the store in the folder does not hold yet."""
    client.FIRST_WAIT = 0.01
    questions, cells, renderings = made_up_study(folder)
    model = model_at(url)
    requests = plan_requests(cells.values(), questions, renderings, model, "markdown", model.parameters)
    with Store(Path(folder) / "store.sqlite") as store:
        asyncio.run(answer_requests(requests, cells, questions, renderings, store, model, progress=False))
