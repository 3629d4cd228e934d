"""The notebooks run in order, twice, on a small part of the demo study."""

import base64
import contextlib
import dataclasses
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import nbformat
import pytest
from conftest import completion

from muddle_utils.figures.items import ITEMS
from muddle_utils.runs import executed, pipeline
from muddle_utils.runs import settings as settings_module
from muddle_utils.runs.settings import ModalityPlan, RunError, Settings
from muddle_utils.study.records import Cell, HardNegative, Request, Response
from muddle_utils.study.rows import read_rows
from muddle_utils.study.store import Store

ROOT = Path(__file__).resolve().parents[1]


def settings_in(folder, **changes):
    values = {
        "study": "small",
        "plans": (ModalityPlan("markdown"), ModalityPlan("image", ("control",), 1), ModalityPlan("pdf", ("control",))),
        "limit": 8,
        "renderer": "pymupdf",
        "runs_dir": str(folder / "runs"),
        "figures_dir": str(folder / "figures"),
        "extra": {"n_resamples": 500},
    }
    return Settings(**{**values, **changes})


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A small study run once: (settings, folder of figures, number of stored responses and verdicts)."""
    settings = settings_in(tmp_path_factory.mktemp("study"))
    pipeline.run_study(settings)
    return settings


def counts(settings):
    with sqlite3.connect(settings.folders.store) as connection:
        found = [
            connection.execute(f"select count(*) from {table}").fetchone()[0] for table in ("responses", "verdicts")
        ]
    connection.close()
    return found


def artefacts(settings):
    """Return the bytes of every table, figure and row file."""
    folders = settings.folders
    files = [path for path in (*folders.figures.iterdir(), *folders.folder.glob("*.jsonl"))]
    return {path.name: path.read_bytes() for path in files}


def test_every_table_and_figure_is_there(finished):
    names = {path.name for path in finished.folders.figures.iterdir()}
    for item in ITEMS:
        endings = ("pdf", "png", "csv") if item.kind == "figure" else ("csv", "md", "tex", "html")
        assert {f"{item.name}.{ending}" for ending in endings} <= names
    manifest = json.loads((finished.folders.figures / "manifest.json").read_text())
    assert set(manifest) and "manifest.json" in names


def test_every_row_carries_the_model_and_modality_asked_for(finished):
    for modality, n_conditions in (("markdown", 5), ("pdf", 1)):
        requests = read_rows(finished.folders.rows(f"requests_local-reader_{modality}"), Request)
        assert {row.modality for row in requests} == {modality}
        assert {row.model for row in requests} == {"local/reader"}
        assert len({row.question_id for row in requests}) <= 8
        assert len({row.condition for row in requests}) == n_conditions
    with Store(finished.folders.store) as store:
        responses: list[Response] = store.responses()
    assert {row.modality for row in responses} == {"markdown", "image", "pdf"}
    assert {row.status for row in responses} == {"answered"}


def test_executed_copies_are_kept_beside_the_study(finished):
    copies = sorted(finished.folders.notebooks.glob("*.ipynb"))
    assert len(copies) == 1 + 3 + 3 + 3 + len(executed.ANALYSES)
    for path in copies:
        notebook = nbformat.read(path, as_version=4)
        assert all(cell.execution_count for cell in notebook.cells if cell.cell_type == "code")
        assert not [
            output
            for cell in notebook.cells
            if cell.cell_type == "code"
            for output in cell.outputs
            if output.output_type == "error"
        ]


def test_a_second_run_asks_nothing_and_writes_the_same_bytes(finished):
    rows, files = counts(finished), artefacts(finished)
    pipeline.run_study(finished)
    assert counts(finished) == rows, "a model or judge was called again"
    after = artefacts(finished)
    assert after.keys() == files.keys()
    changed = [name for name in files if files[name] != after[name]]
    assert changed == []


def test_predictions_are_scored_when_it_is_asked_for_into_a_folder_of_their_own(finished):
    import pandas as pd

    before = artefacts(finished)
    pipeline.run_study(finished, only=["09"])
    assert artefacts(finished) == before, "the study's own tables and rows stay as they are"
    table = pd.read_csv(finished.folders.figures.parent / "small-scores" / "scores.csv")
    accuracy = table[table["scorer"].eq("V2") & table["metric"].eq("accuracy")].set_index("system")
    assert set(accuracy.index) == {"local/reader markdown", "local/reader image", "local/reader pdf"}
    requests = read_rows(finished.folders.rows("requests_local-reader_markdown"), Request)
    asked = sum(row.condition == "control" for row in requests)
    assert accuracy.loc["local/reader markdown", "n_questions"] == asked
    assert (Path(finished.runs_dir) / "scores.sqlite").is_file()


def test_the_tables_count_what_was_asked(finished):
    import pandas as pd

    table = pd.read_csv(finished.folders.figures / "table_1.csv", keep_default_na=False)
    control = table[(table["condition"] == "control") & (table["modality"] == "markdown")].iloc[0]
    requests = read_rows(finished.folders.rows("requests_local-reader_markdown"), Request)
    assert int(control["n_asked"]) == sum(row.condition == "control" for row in requests)


def test_a_killed_run_goes_on_where_it_stopped(finished, tmp_path):
    # Another study under the same runs_dir: its documents are rendered already, its store is its own.
    shared = {"runs_dir": finished.runs_dir, "figures_dir": str(tmp_path), "extra": {}}
    settings = settings_in(tmp_path, study="killed", plans=(ModalityPlan("markdown"),), limit=3, **shared)
    pipeline.run_study(settings, only=["01", "02"])
    code = (
        "import sys; from muddle_utils.runs import pipeline; from muddle_utils.runs.pipeline import *;"
        f"pipeline.run_study(Settings(study='killed', limit=3, renderer='pymupdf', runs_dir={settings.runs_dir!r},"
        f"figures_dir={settings.figures_dir!r}), only=['03'])"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], cwd=ROOT, start_new_session=True, stderr=subprocess.DEVNULL
    ) as run:
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline and run.poll() is None:
            # The file is there a moment before its tables are.
            with contextlib.suppress(sqlite3.OperationalError):
                if settings.folders.store.is_file() and counts(settings)[0] >= 1:
                    break
            time.sleep(0.02)
        os.killpg(run.pid, signal.SIGKILL)
    n_before = counts(settings)[0]
    pipeline.run_study(settings, only=["03", "04"])
    requests = read_rows(settings.folders.rows("requests_local-reader_markdown"), Request)
    with Store(settings.folders.store) as store:
        attempts = store.attempts()
    assert 1 <= n_before <= len(requests)
    assert len(attempts) == len(requests), "an answered cell was asked again, or one is missing"
    assert len({row.cell_id for row in attempts}) == len(requests)


def test_a_model_that_never_answers_leaves_a_study_that_says_so(finished, chat_server, monkeypatch, capfd):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-planted-secret-123456")
    chat_server.respond = lambda number, body: (
        (200, {}, completion(None, "content_filter")) if number % 2 else (200, {}, completion(""))
    )
    settings = settings_in(Path(finished.runs_dir).parent, study="silent", plans=(ModalityPlan("markdown"),), limit=1)
    settings = dataclasses.replace(settings, models=("openai/silent",), api_base=chat_server.url)
    with pytest.raises(RunError, match="has no answer yet, so there is nothing to analyse: muddle status"):
        pipeline.run_study(settings)
    assert not settings.folders.figures.exists()
    with Store(settings.folders.store) as store:
        responses = store.responses()
        assert store.verdicts() == []
    assert {(row.status, row.error_class) for row in responses} == {("refused", "filtered"), ("failed", "empty")}
    assert "5 of 5 came to nothing" in capfd.readouterr().err
    written = [path for path in settings.folders.folder.rglob("*") if path.is_file()]
    assert not [path for path in written if b"planted-secret" in path.read_bytes()]


PLANTED = "planted-secret-0123456789abcdef"


def own_corpus(folder, pdfs, rows):
    """Write a folder of one's own with these demo PDFs and rows of its questions file; return its path."""
    (folder / "documents").mkdir(parents=True)
    for name in pdfs:
        shutil.copy(ROOT / "data" / "demo" / "documents" / name, folder / "documents")
    (folder / "questions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(folder)


HAUL = {"document_id": "brannock-haul-2023.pdf", "question": "What is the Haul's catalogue number?", "answer": "4180-7"}


def test_a_corpus_of_one_document_goes_all_the_way_with_its_control(tmp_path, capfd):
    corpus = own_corpus(tmp_path / "one", [HAUL["document_id"]], [HAUL])
    # A modality of which no cell can be built has nothing to ask, which is no failure either.
    plans = (ModalityPlan("markdown"), ModalityPlan("pdf", ("hn-2",)))
    settings = settings_in(tmp_path, study="one", corpus=corpus, plans=plans, limit=0)
    pipeline.run_study(settings)
    printed = capfd.readouterr().err
    assert "4 of 5 cells cannot be built: its source has too few hard negatives (hn-2: 1, hn-4: 1)" in printed
    assert printed.index("cells cannot be built") < printed.index("03_inference")
    requests = read_rows(settings.folders.rows("requests_local-reader_markdown"), Request)
    assert [row.condition for row in requests] == ["control"]
    with Store(settings.folders.store) as store:
        assert [row.status for row in store.responses() if row.condition == "control"] == ["answered"]
    assert (settings.folders.figures / "table_1.csv").is_file()


def test_hard_negatives_that_a_person_chose_stand_in_the_cells_in_their_order(tmp_path):
    # A financial report is far from a catalogue of bicycles; chosen, it is used all the same, and before the nearest.
    chosen = ["harrowmouth-annual-report-2021.pdf", "brannock-brochure-2021.pdf"]
    corpus = own_corpus(tmp_path / "own", [HAUL["document_id"], *chosen], [{**HAUL, "hard_negatives": chosen}])
    settings = settings_in(tmp_path, study="own", corpus=corpus, plans=(ModalityPlan("markdown"),), limit=0)
    pipeline.run_study(dataclasses.replace(settings, extra={"cosine_floor": 0.9}), ["01"])
    rows = read_rows(settings.folders.rows("hard_negatives"), HardNegative)
    assert [(row.candidate_id, row.origin, row.position) for row in rows] == [
        (chosen[0], "chosen", 1),
        (chosen[1], "chosen", 2),
    ]
    (cell,) = (row for row in read_rows(settings.folders.rows("cells"), Cell) if row.condition == "hn-2")
    assert [name for name in cell.document_ids if name != HAUL["document_id"]] == chosen


def leaks(*folders):
    """Return the files that hold the planted key, as it stands or in base64."""
    forms = [PLANTED.encode(), *(base64.b64encode(b"x" * n + PLANTED.encode())[4:-4] for n in range(3))]
    files = [path for folder in folders for path in Path(folder).rglob("*") if path.is_file()]
    assert files
    return [path for path in files if any(form in path.read_bytes() for form in forms)]


def test_a_key_gets_into_no_artefact_whatever_goes_wrong(finished, chat_server, tmp_path, monkeypatch, capfd):
    monkeypatch.setenv("OPENAI_API_KEY", PLANTED)
    settings = settings_in(tmp_path, study="leaky", plans=(ModalityPlan("markdown"),), limit=2)
    settings = dataclasses.replace(
        settings,
        runs_dir=finished.runs_dir,
        figures_dir=str(tmp_path / "figures"),
        models=("openai/leaky",),
        judges=("openai/leaky-judge",),
        api_base=chat_server.url,
        judge_api_base=chat_server.url,
    )
    folder = settings.folders.folder

    def refused(number, body):
        return 401, {"x-key": PLANTED}, {"error": {"message": f"Incorrect API key provided: {PLANTED}"}}

    chat_server.respond = refused
    with pytest.raises(settings_module.RunError, match="credentials") as stopped:
        pipeline.run_study(settings)
    assert PLANTED not in str(stopped.value)
    assert leaks(folder) == []
    hidden = base64.b64encode(f'{{"key": "{PLANTED}"}}'.encode()).decode()
    answers = (
        (200, {}, completion(f"you sent Authorization: Bearer {PLANTED}")),
        (200, {}, completion(f"in base64 {hidden}")),
        (400, {}, {"error": {"message": f"https://host/v1?key={PLANTED} headers {{'api-key': '{PLANTED}'}} {hidden}"}}),
        (200, {}, completion(None, "content_filter")),
        (200, {}, f"not JSON but {PLANTED}".encode()),
        (200, {}, completion(f'{{"correct": true, "score": 1, "reasoning": "{PLANTED}"}}')),
        (500, {}, f"<html>{PLANTED}</html>".encode()),
    )
    chat_server.respond = lambda number, body: answers[number % len(answers)]
    settings = dataclasses.replace(settings, extra={**settings.extra, "canary": False})
    pipeline.run_study(settings, only=["03", "04", "05", "06"])
    with Store(settings.folders.store) as store:
        classes = {row.error_class for row in store.attempts()}
        assert {"", "credentials", "bad_request", "filtered"} <= classes
        assert any("[redacted]" in row.text for row in store.responses())
        assert any("[redacted]" in row.raw for row in store.verdicts())
    assert leaks(folder, settings.folders.figures) == []
    assert PLANTED not in "".join(capfd.readouterr())
