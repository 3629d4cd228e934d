"""Notebooks whose run is killed, whose model never answers, and whose provider repeats the key."""

import base64
import contextlib
import dataclasses
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import completion
from small_studies import counts, settings_in

from muddle_utils.runs import pipeline
from muddle_utils.runs.settings import ModalityPlan, RunError
from muddle_utils.study.records import Request
from muddle_utils.study.rows import read_rows
from muddle_utils.study.store import Store

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def runs_dir(tmp_path_factory):
    """Where the studies of this module are kept: what one renders the others find."""
    return str(tmp_path_factory.mktemp("studies") / "runs")


def test_a_killed_run_goes_on_where_it_stopped(runs_dir, tmp_path):
    # Another study under the same runs_dir: its documents are rendered already, its store is its own.
    shared = {"runs_dir": runs_dir, "figures_dir": str(tmp_path), "extra": {}}
    settings = settings_in(tmp_path, study="killed", plans=(ModalityPlan("markdown"),), limit=3, **shared)
    pipeline.run_study(settings, only=["01", "02"])
    code = (
        "from muddle_utils.runs import pipeline; from muddle_utils.runs.settings import Settings;"
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


def test_a_model_that_never_answers_leaves_a_study_that_says_so(runs_dir, chat_server, monkeypatch, capfd):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-planted-secret-123456")
    chat_server.respond = lambda number, body: (
        (200, {}, completion(None, "content_filter")) if number % 2 else (200, {}, completion(""))
    )
    settings = settings_in(Path(runs_dir).parent, study="silent", plans=(ModalityPlan("markdown"),), limit=1)
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


def leaks(*folders):
    """Return the files that hold the planted key, as it stands or in base64."""
    forms = [PLANTED.encode(), *(base64.b64encode(b"x" * n + PLANTED.encode())[4:-4] for n in range(3))]
    files = [path for folder in folders for path in Path(folder).rglob("*") if path.is_file()]
    assert files
    return [path for path in files if any(form in path.read_bytes() for form in forms)]


def test_a_key_gets_into_no_artefact_whatever_goes_wrong(runs_dir, chat_server, tmp_path, monkeypatch, capfd):
    monkeypatch.setenv("OPENAI_API_KEY", PLANTED)
    settings = settings_in(tmp_path, study="leaky", plans=(ModalityPlan("markdown"),), limit=2)
    settings = dataclasses.replace(
        settings,
        runs_dir=runs_dir,
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
    with pytest.raises(RunError, match="credentials") as stopped:
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
