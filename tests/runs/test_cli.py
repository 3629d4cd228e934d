import asyncio
import dataclasses
import json
import os
import shutil
import subprocess
import sys
import tempfile

import pytest
from conftest import completion
from test_costs import QUESTIONS, write_study

from muddle_utils.inference import client
from muddle_utils.inference import requests as requests_module
from muddle_utils.inference.routes import find_model
from muddle_utils.judging import judging
from muddle_utils.judging.judge_calibration import CalibrationPair
from muddle_utils.judging.judges import find_judge
from muddle_utils.runs import cli, costs, pipeline, status
from muddle_utils.runs.settings import RunError, Settings
from muddle_utils.study.paths import Study, slug
from muddle_utils.study.records import Cell, Rendering, Request, response_key
from muddle_utils.study.rows import read_rows, write_rows
from muddle_utils.study.store import Store

MODEL = "openai/some-model"
JUDGE = "openai/some-judge"
VERDICT = '{"correct": true, "score": 1, "reasoning": "Same."}'


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    return write_study(tmp_path_factory.mktemp("study"))


@pytest.fixture
def study(written, tmp_path):
    shutil.copytree(written.folder, tmp_path / "runs" / written.name)
    return Study(written.name, str(tmp_path / "runs"), str(tmp_path / "figures"))


@pytest.fixture(autouse=True)
def _key(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.setattr(client, "FIRST_WAIT", 0.01)


def without_kernel(run, sockets):
    """Do what notebooks 03 and 04 do, in this process; the other notebooks' rows are there already."""
    given = run.parameters
    folders = Study(given["study"], given["runs_dir"], given["figures_dir"])
    if run.step.number == "03":
        model = find_model(given["model"], given["models_file"], given["api_base"])
        names = ("conditions", "n_sources", "limit", "seed", "reasoning_effort", "replicates")
        plan = costs.read_plan(folders, model, given["modality"], **{name: given[name] for name in names})
        write_rows(folders.rows(f"requests_{slug(model.name)}_{plan.modality}"), plan.requests)
        cells = {cell.cell_id: cell for cell in read_rows(folders.rows("cells"), Cell)}
        rendered = read_rows(folders.rows(f"renderings_{plan.modality}"), Rendering)
        renderings = {row.document_id: row for row in rendered}
        with Store(folders.store) as store:
            coming = requests_module.answer_requests(
                plan.requests, cells, plan.questions, renderings, store, model, concurrency=1, progress=False
            )
            asyncio.run(coming)
    if run.step.number == "04":
        judge = find_judge(given["judge"], given["models_file"], given["judge_api_base"])
        requests = read_rows(folders.rows(f"requests_{slug(given['model'])}_{given['modality']}"), Request)
        wanted = {response_key(request) for request in requests}
        with Store(folders.store) as store:
            rows = [row for row in store.responses(given["model"], given["modality"]) if response_key(row) in wanted]
            asyncio.run(judging.judge_responses(rows, QUESTIONS, judge, store, progress=False))


@pytest.fixture
def executed(monkeypatch):
    """Execute notebooks without a kernel; the list is of the labels of what was executed."""
    labels = []

    def execute(run, sockets):
        labels.append(run.label)
        without_kernel(run, sockets)

    monkeypatch.setattr(pipeline, "execute", execute)
    return labels


@pytest.fixture
def muddle(study, chat_server, capsys):
    """Run a command on the study with model and judge at the loopback server; return (code, output, errors)."""

    def do(command, *argv):
        places = ["--study", study.name, "--runs-dir", study.runs_dir]
        places += ["--figures-dir", study.figures_dir]
        asking = ["--model", MODEL, "--api-base", chat_server.url] if command in ("run", "estimate") else []
        judged = ["--judge-api-base", chat_server.url] if command != "status" else []
        named = [] if command == "status" or "--judge" in argv else ["--judge", JUDGE]
        code = cli.main([command, *places, *asking, *named, *judged, *argv])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    chat_server.respond = lambda number, body: (200, {}, completion(VERDICT if is_judge(body) else "418"))
    return do


def is_judge(body):
    return body["model"] == "some-judge"


def asked(chat_server):
    """Return how many answers and verdicts the server was asked for since the last time."""
    judged = sum(is_judge(body) for body in chat_server.requests)
    answers = len(chat_server.requests) - judged
    chat_server.requests.clear()
    return answers, judged


# --- The command line -----------------------------------------------------------------------------------------------


def options_of(command):
    (commands,) = [action for action in cli.parser()._actions if action.dest == "command"]
    return {option for action in commands.choices[command]._actions for option in action.option_strings}


def test_estimate_takes_the_options_of_run():
    assert options_of("run") - options_of("estimate") == {"--only", "--also", "--refresh"}
    assert options_of("estimate") - options_of("run") == {"--json"}


def test_the_help_names_every_command(capsys):
    with pytest.raises(SystemExit) as ended:
        cli.main(["--help"])
    assert ended.value.code == 0
    text = capsys.readouterr().out
    for command in ("doctor", "estimate", "run", "status", "judge", "validate-judge", "report"):
        assert f"\n    {command}" in text
        with pytest.raises(SystemExit):
            cli.main([command, "--help"])
        assert "usage: muddle" in capsys.readouterr().out


@pytest.mark.parametrize(
    "argv",
    [
        ["run", "--study", "s", "--refresh", "everything"],
        ["judge", "--study", "s"],
        ["judge", "--study", "s", "--judge", "local/rules", "--refresh", "responses"],
        ["judge", "--study", "s", "--judge", "local/rules", "--model", "m"],
        ["status"],
        ["status", "--study", "s", "--model", "m"],
        ["validate-judge"],
        ["validate-judge", "local/rules", "--part", "both"],
        ["estimate", "--study", "s", "--only", "03"],
    ],
)
def test_what_no_command_takes_is_refused(argv, capsys):
    with pytest.raises(SystemExit) as ended:
        cli.main(argv)
    assert ended.value.code == 2
    assert "usage: muddle" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["status", "--study", "nope"], "study 'nope' is unknown below"),
        (["status", "--study", "../x"], "not a usable name"),
        (["judge", "--study", "nope", "--judge", "local/rules"], "study 'nope' is unknown below"),
        (["judge", "--study", "s", "--judge", "local/rules", "--jobs", "0"], "--jobs 0"),
        (["estimate", "--study", "s", "--model", "zzz/nope"], "'zzz/nope' is unknown to litellm"),
        (["estimate", "--study", "s", "--judge", "local/reader"], "judges none"),
        (["estimate", "--study", "s", "-p", "colour", "red"], "no parameter 'colour'"),
        (["estimate", "--study", "s", "--models-file", "/nowhere.toml"], "/nowhere.toml is missing"),
        (["run", "--study", "s", "--only", "02", "--refresh", "responses"], "--refresh responses needs notebook 03"),
        (["run", "--study", "s", "--only", "03", "--refresh", "verdicts"], "--refresh verdicts needs notebook 04"),
        (["validate-judge", "local/rules", "--pairs", "/nowhere.jsonl"], "/nowhere.jsonl is missing"),
        (["validate-judge", "local/reader"], "judges none"),
    ],
)
def test_errors_are_one_line(argv, message, capsys, monkeypatch, tmp_path):
    monkeypatch.setattr(pipeline, "execute", lambda run, sockets: pytest.fail("nothing may run"))
    places = [] if argv[0] == "validate-judge" else ["--runs-dir", str(tmp_path), "--figures-dir", str(tmp_path)]
    assert cli.main([*argv, *places]) == 1
    printed = capsys.readouterr().err
    assert message in printed
    assert printed.startswith("muddle: ")
    assert printed.count("\n") == 1


# --- Estimate -------------------------------------------------------------------------------------------------------


def test_an_estimate_sends_nothing_and_needs_no_key(muddle, executed, chat_server, study, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY")
    code, text, _ = muddle("estimate", "-p", "canary", "False", "-p", "workers", "1")
    assert (code, chat_server.requests) == (0, [])
    assert executed == ["01_curation", "02_rendering markdown"]
    assert not study.store.exists(), "or the next run would not miss the key before it renders"
    assert "no price is known of the 8 calls" in text
    assert "canary" not in text


def test_an_estimate_counts_what_a_run_then_sends(muddle, executed, chat_server):
    _, text, _ = muddle("estimate", "--json", "-p", "canary", "False")
    rows = [json.loads(line) for line in text.splitlines()]
    expected = {stage: sum(row["to_send"] for row in rows if row["stage"] == stage) for stage in costs.STAGES}
    assert [row["low"] for row in rows] == [None] * 4
    assert muddle("run")[0] == 0
    assert asked(chat_server) == (expected["answers"], expected["verdicts"]) == (4, 4)
    _, text, _ = muddle("estimate", "--json", "-p", "canary", "False")
    assert [json.loads(line)["to_send"] for line in text.splitlines()] == [0, 0, 0, 0]


# --- Refresh --------------------------------------------------------------------------------------------------------


def test_refresh_asks_anew_for_what_it_names_and_nothing_else(muddle, executed, chat_server, study):
    # The second request is too long for the provider, whatever the kit believes.
    too_long = (400, {}, {"error": {"message": "This model's maximum context length is 7 tokens"}})
    good = chat_server.respond
    chat_server.respond = lambda number, body: too_long if number == 2 else good(number, body)
    assert muddle("run")[0] == 0
    assert asked(chat_server) == (4, 3)
    chat_server.respond = good
    muddle("run")
    assert asked(chat_server) == (0, 0), "finished, but for what would only fail again"
    _, _, said = muddle("run", "--refresh", "verdicts")
    assert "3 stored rows count no more" in said
    assert asked(chat_server) == (0, 3)
    _, _, said = muddle("run", "--refresh", "failed")
    assert "1 stored rows count no more" in said
    assert asked(chat_server) == (1, 1)
    _, _, said = muddle("run", "--refresh", "responses")
    assert "4 stored rows count no more" in said
    # The answers are the same as before, so their verdicts hold.
    assert asked(chat_server) == (4, 0)
    muddle("run", "--refresh", "responses", "--refresh", "verdicts")
    assert asked(chat_server) == (4, 4)
    with Store(study.store) as store:
        assert len(store.attempts()) == 4 + 1 + 4 + 4 + (1 + 4 + 4), "nothing is deleted; each mark is a row"


def test_refresh_leaves_other_models_and_judges_alone(muddle, executed, chat_server):
    muddle("run")
    muddle("run", "--judge", "local/rules")
    asked(chat_server)
    muddle("run", "--refresh", "verdicts", "--judge", "local/rules")
    muddle("run")
    assert asked(chat_server) == (0, 0)


def test_an_empty_study_can_be_refreshed(muddle, executed, chat_server):
    code, _, said = muddle("run", "--refresh", "responses")
    assert code == 0
    assert "0 stored rows count no more" in said
    assert asked(chat_server) == (4, 4)


def test_a_failure_after_a_refresh_says_to_leave_it_out(study, monkeypatch):
    def fail(run, sockets):
        raise RunError("03: cell 3 failed\nrun the same command again")

    monkeypatch.setattr(pipeline, "execute", fail)
    settings = Settings(study.name, runs_dir=study.runs_dir, figures_dir=study.figures_dir)
    with pytest.raises(RunError, match="leave out --refresh failed when you do"):
        pipeline.run_study(settings, ["03", "04"], refresh=["failed"])
    with pytest.raises(RunError, match=r"run the same command again$"):
        pipeline.run_study(settings)
    # What fails before the notebook that asks has marked nothing.
    with pytest.raises(RunError, match=r"run the same command again$"):
        pipeline.run_study(settings, refresh=["responses", "verdicts"])


def test_nothing_is_given_up_where_nobody_could_be_asked(study, monkeypatch, capsys):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setattr(pipeline, "execute", lambda run, sockets: pytest.fail("nothing may run"))
    monkeypatch.setattr(pipeline, "refresh_rows", lambda *_: pytest.fail("nothing may be marked"))
    study.folder.mkdir(parents=True, exist_ok=True)
    with Store(study.store):
        pass
    argv = ["run", "--study", study.name, "--runs-dir", study.runs_dir, "--figures-dir", study.figures_dir]
    assert cli.main([*argv, "--model", "openai/gpt-5-mini", "--refresh", "responses"]) == 1
    assert "needs OPENAI_API_KEY in the environment" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--waive", "nothing"], "--waive nothing: no model or judge has such a parameter"),
        (["--model", "openai/foo", "--api-base", "http://127.0.0.1:9/v1", "--budget", "1"], "has no known price"),
        (["--judge", "wordyy"], "judge 'wordyy': model = 'wordyy' is unknown"),
    ],
)
def test_what_would_be_found_late_is_found_first(options, message, study, monkeypatch, capsys):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789")
    monkeypatch.setattr(pipeline, "execute", lambda run, sockets: pytest.fail("nothing may run"))
    argv = ["run", "--study", study.name, "--runs-dir", study.runs_dir, "--figures-dir", study.figures_dir]
    assert cli.main([*argv, *options]) == 1
    assert message in capsys.readouterr().err


def test_a_file_where_a_folder_should_be_is_one_line(tmp_path, capsys):
    (tmp_path / "afile").write_text("")
    assert cli.main(["run", "--study", "s", "--runs-dir", str(tmp_path / "afile")]) == 1
    said = capsys.readouterr().err
    assert said.startswith("muddle: ")
    assert "afile" in said


@pytest.mark.parametrize(
    ("options", "said"), [([], "command to go on"), (["--refresh", "failed"], "without --refresh")]
)
def test_an_interrupt_says_how_to_go_on(options, said, study, monkeypatch, capsys):
    def interrupt(run, sockets):
        raise KeyboardInterrupt

    class LeftError(Exception):
        pass

    def leave(code):
        raise LeftError(code)

    monkeypatch.setattr(pipeline, "execute", interrupt)
    monkeypatch.setattr(os, "_exit", leave)
    with pytest.raises(LeftError, match="130"):
        cli.main(["run", "--study", study.name, "--runs-dir", study.runs_dir, *options])
    assert said in capsys.readouterr().err


def test_a_study_that_is_being_run_is_not_refreshed(muddle, executed, study, chat_server):
    muddle("run")
    asked(chat_server)
    with pipeline.only_run_of(study):
        code, _, said = muddle("run", "--refresh", "responses")
    assert code == 1
    assert "being run by another process" in said
    assert status.read_status(study).models[0].answered == 4


# --- Judge and status -----------------------------------------------------------------------------------------------


def test_a_study_is_judged_by_another_judge_without_asking_a_model(muddle, executed, chat_server):
    muddle("run")
    asked(chat_server)
    executed.clear()
    assert muddle("judge", "--judge", "openai/some-judge", "--judge", "local/rules")[0] == 0
    assert executed == [
        f"04_judging openai-some-model markdown {name}" for name in ("openai-some-judge", "local-rules")
    ]
    assert asked(chat_server) == (0, 0), "the first has judged everything, the second is embedded"
    muddle("judge", "--refresh", "verdicts")
    assert asked(chat_server) == (0, 4)
    _, text, _ = muddle("status")
    assert "openai/some-judge  openai/some-model  markdown        4       4" in text
    assert "local/rules" in text


def test_replies_that_another_parser_read_are_read_again_for_nothing(muddle, executed, chat_server, study, monkeypatch):
    muddle("run")
    asked(chat_server)
    versions = {"json": "json 99", "word": "word 99"}
    monkeypatch.setattr("muddle_utils.judging.judges.PARSER_VERSIONS", versions)
    assert status.read_status(study).judges[0].read_again == 4
    muddle("judge")
    assert asked(chat_server) == (0, 0)
    assert status.read_status(study).judges[0].judged == 4


def test_every_model_and_modality_that_was_asked_is_judged(muddle, executed, chat_server, study):
    muddle("run")
    muddle("run", "--model", "local/reader", "--modality", "pdf", "--only", "03")
    write = study.rows("requests_openai-some-model_pdf")
    if write.exists():
        write.unlink()
    executed.clear()
    assert muddle("judge", "--judge", "local/rules")[0] == 0
    assert sorted(executed) == ["04_judging local-reader pdf", "04_judging openai-some-model markdown"]
    code, _, said = muddle("judge", "--judge", "local/rules", "--analyse")
    assert code == 1
    assert "has not asked every model in every modality" in said


def test_tables_follow_when_they_are_asked_for(muddle, executed):
    muddle("run")
    executed.clear()
    assert muddle("judge", "--analyse")[0] == 0
    assert executed == ["04_judging openai-some-model markdown", "05_analysis", "06_failures", "10_robustness"]


def test_a_study_without_requests_cannot_be_judged(muddle, executed):
    code, _, said = muddle("judge")
    assert code == 1
    assert "has asked nothing yet" in said


def test_the_real_notebook_judges_what_is_stored(muddle, executed, study, monkeypatch):
    muddle("run", "--only", "03")
    monkeypatch.undo()
    assert muddle("judge", "--judge", "local/rules")[0] == 0
    assert status.read_status(study).judges[0].judged == 4
    assert (study.notebooks / "04_judging--openai-some-model--markdown.ipynb").is_file()


def test_status_as_json(muddle, executed):
    muddle("run")
    said = json.loads(muddle("status", "--json")[1])
    assert said["models"][0]["answered"] == 4
    assert said["judges"][0]["judge"] == JUDGE


# --- Judges measured ------------------------------------------------------------------------------------------------


def test_a_judge_is_measured_on_pairs_of_ones_own(tmp_path, capsys):
    pairs = [
        CalibrationPair("value-1", "value", "How many?", "12", "12", True, 1.0, True, False, ""),
        CalibrationPair("value-2", "value", "How many?", "12", "13", False, 0.0, False, False, ""),
        CalibrationPair("value-3", "value", "How many?", "12", "14", True, 1.0, True, False, "mislabelled"),
    ]
    file = write_rows(tmp_path / "pairs.jsonl", pairs)
    options = ["--pairs", str(file), "--store", str(tmp_path / "s.sqlite")]
    assert cli.main(["validate-judge", "local/rules", "--part", "all", "--json", *options]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["n"], said["n_judged"], said["part"]) == (3, 3, "all")
    assert said["accuracy"]["estimate"] == pytest.approx(2 / 3)
    assert cli.main(["validate-judge", "local/rules", "--part", "all", *options]) == 0
    assert "value-3" in capsys.readouterr().out
    only = write_rows(tmp_path / "one.jsonl", pairs[:1])
    codes = [
        cli.main(
            ["validate-judge", "local/rules", "--part", part, "--pairs", str(only), "--store", str(tmp_path / "t")]
        )
        for part in ("tuning", "held_out")
    ]
    assert sorted(codes) == [0, 1], "one pair is in one half only"
    assert "holds none of the 1 labelled pairs" in capsys.readouterr().err


def test_settings_are_the_same_for_run_and_estimate():
    argv = ["--study", "s", "--modality", "image:control:7", "--limit", "3", "--budget", "2.5", "-p", "workers", "2"]
    run, estimate = (cli.settings_from(cli.parser().parse_args([name, *argv])) for name in ("run", "estimate"))
    assert run == estimate
    assert dataclasses.replace(run, budget=0.0) != run


@pytest.mark.parametrize(
    "words",
    [
        *("run --study s --model openai/x --api-base", "run --study s --judge-api-base", "run --study s -p api_base"),
        *("estimate --study s --api-base", "doctor --api-base", "doctor --judge-api-base"),
        *("judge --study s --judge local/rules --judge-api-base", "validate-judge local/rules --judge-api-base"),
        *("run --study s -p judge_api_base", "validate-judge local/rules --store"),
    ],
)
@pytest.mark.parametrize(
    "address", ["http://me:hunter2x@127.0.0.1:9/v1", "http://127.0.0.1:9/v1?api_key=hunter2x0123456789"]
)
def test_credentials_on_the_command_line_are_refused_before_anything_starts(
    tmp_path, monkeypatch, capsys, words, address
):
    monkeypatch.chdir(tmp_path)
    folders = [] if "judge local" in words or "doctor" in words else ["--runs-dir", "runs", "--figures-dir", "figures"]
    assert cli.main([*words.split(), address, *folders]) == 1
    said = capsys.readouterr().err
    assert "holds" in said and "put the key into the environment" in said.replace("put it into", "put the key into")
    assert "hunter2x" not in said and list(tmp_path.iterdir()) == []


# --- Quick to start -------------------------------------------------------------------------------------------------


HEAVY = (
    *("litellm", "markitdown", "pandas", "matplotlib", "pymupdf", "sklearn", "scipy", "statsmodels"),
    *("papermill", "nbformat", "sqlalchemy"),
)
COUNTED = f"""
import sys
from muddle_utils.runs import cli
try:
    code = cli.main(sys.argv[1:])
except SystemExit as ended:
    code = ended.code
loaded = [name for name in {HEAVY} if name in sys.modules]
sys.exit(code if not loaded else f"loaded {{loaded}}")
"""


def started(*argv):
    """Run a command in a process of its own; return its exit code, what it printed and its processor seconds."""
    with tempfile.TemporaryFile("w+") as printed:
        child = subprocess.Popen([sys.executable, "-c", COUNTED, *argv], stdout=printed, stderr=printed)
        _, ended, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(ended)
        printed.seek(0)
        return child.returncode, printed.read(), used.ru_utime + used.ru_stime


@pytest.mark.parametrize(
    ("argv", "code", "said"),
    [
        (["--help"], 0, "usage: muddle"),
        (["run", "--study", "x", "-p", "foo", "1"], 1, "has no parameter 'foo'"),
        (["estimate", "--study", "x", "-p", "foo", "1"], 1, "has no parameter 'foo'"),
        (["run", "--study", "x", "--conditions", "foo"], 1, "condition 'foo' is unknown"),
        (["run", "--study", "x", "--modality", "markdown:foo"], 1, "condition 'foo' is unknown"),
    ],
)
def test_what_needs_no_library_is_said_at_once(argv, code, said):
    ended, printed, seconds = started(*argv)
    assert ended == code and said in printed
    assert "loaded" not in printed
    assert seconds < 1.0


@pytest.mark.parametrize("argv", [["status", "--study", "x"], ["doctor"], ["doctor", "--model", "local/reader"]])
def test_looking_loads_no_more_than_the_store_needs(study, argv):
    places = ["--runs-dir", study.runs_dir]
    ended, printed, seconds = started(*(study.name if word == "x" else word for word in argv), *places)
    assert (ended, printed.rpartition("loaded ")[2].strip()) == (1, "['sqlalchemy']"), printed
    assert seconds < 3.0
