import dataclasses
import json
import re

import nbformat
import pytest
from made_up_study import make_request, make_response, make_verdict

from muddle_utils.corpus import cells as cells_module
from muddle_utils.corpus.retrieval import fit_pool
from muddle_utils.runs import checks, cli, pipeline, plan, status
from muddle_utils.runs.pipeline import execute
from muddle_utils.runs.plan import Run, Step, check_parameters, plan_runs
from muddle_utils.runs.settings import ModalityPlan, RunError, Settings
from muddle_utils.study.paths import Study, StudyError, slug
from muddle_utils.study.records import Cell, Document, Question
from muddle_utils.study.rows import write_rows
from muddle_utils.study.store import Store


def notebook(path, *cells, tags=("parameters",)):
    """Write a notebook whose first cell carries the tags."""
    nb = nbformat.v4.new_notebook()
    nb.cells = [nbformat.v4.new_code_cell(cell) for cell in cells]
    nb.cells[0].metadata["tags"] = list(tags)
    nbformat.write(nb, path)
    return path


PARAMETERS = 'model: str = "local/reader"  # who answers\nlimit: int = 0\nconditions: list = ["control"]'
GOOD = {"model": "m", "limit": 3, "conditions": ["hn-2"]}


def test_right_parameters_pass(tmp_path):
    check_parameters(notebook(tmp_path / "03.ipynb", PARAMETERS), GOOD)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"modle": "m"}, "03.ipynb has no parameter 'modle': it takes conditions, limit, model"),
        ({"limit": "3"}, "takes limit as int, not '3'"),
        ({"limit": True}, "takes limit as int, not True"),
        ({"limit": 3.0}, "takes limit as int, not 3.0"),
        ({"conditions": ("hn-2",)}, "takes conditions as list"),
        ({"model": 3}, "takes model as str, not 3"),
        ({"api_key": "x"}, "'api_key' looks like a secret"),
        ({"OPENAI_API_KEY": "x"}, "looks like a secret"),
        ({"password": "x"}, "looks like a secret"),
        ({"hf_token": "x"}, "looks like a secret"),
    ],
)
def test_wrong_parameters_are_refused_before_anything_runs(tmp_path, change, message):
    path = notebook(tmp_path / "03.ipynb", PARAMETERS)
    with pytest.raises(RunError, match=message):
        check_parameters(path, {**GOOD, **change})


def test_a_missing_parameter_is_refused(tmp_path):
    path = notebook(tmp_path / "03.ipynb", "model: str = None  # who answers\nlimit: int = 0")
    with pytest.raises(RunError, match="needs the parameter 'model'"):
        check_parameters(path, {"limit": 3})
    check_parameters(path, {"model": "m"})


def test_a_notebook_that_takes_no_model_is_refused(tmp_path, monkeypatch):
    path = notebook(tmp_path / "03_inference.ipynb", 'study: str = "s"\nmodality: str = "pdf"\nruns_dir: str = ""')
    monkeypatch.setattr(Step, "path", path)
    runs = plan_runs(Settings("s"), ["03"])
    with pytest.raises(RunError, match="has no parameter 'figures_dir'"):
        plan.check_runs(runs, {})


@pytest.mark.parametrize("tags", [(), ("hide",)])
def test_an_untagged_notebook_is_refused(tmp_path, tags):
    with pytest.raises(RunError, match="0 cells tagged 'parameters'"):
        check_parameters(notebook(tmp_path / "03.ipynb", PARAMETERS, tags=tags), GOOD)


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ("limit = 3", "03.ipynb declares a parameter by other than 'name: type = value': limit = 3"),
        ("limit: int = 2 * n", "by other than 'name: type = value'"),
        ("limit: int", "by other than 'name: type = value': limit: int"),
        ("import os", "by other than 'name: type = value': import os"),
        ("limit: int =", "by other than 'name: type = value': invalid syntax"),
        ("limit: complex = 3", "declares 'limit' as 'complex': write one of str, int"),
    ],
)
def test_a_parameter_that_is_no_plain_value_with_a_type_is_refused(tmp_path, cell, message):
    with pytest.raises(RunError, match=re.escape(message)):
        check_parameters(notebook(tmp_path / "03.ipynb", cell), {"limit": 3})


def test_two_tagged_cells_are_refused(tmp_path):
    path = notebook(tmp_path / "03.ipynb", PARAMETERS)
    whole = json.loads(path.read_text())
    path.write_text(json.dumps({**whole, "cells": whole["cells"] * 2}))
    with pytest.raises(RunError, match="2 cells tagged 'parameters'"):
        check_parameters(path, GOOD)


@pytest.mark.parametrize("text", ["{", "[]", '{"cells": [3]}', '{"metadata": {}}'])
def test_what_is_no_notebook_is_refused(tmp_path, text):
    (tmp_path / "03.ipynb").write_text(text)
    with pytest.raises(RunError, match="is no notebook"):
        check_parameters(tmp_path / "03.ipynb", GOOD)


def test_placement_key_is_no_secret(tmp_path):
    check_parameters(notebook(tmp_path / "01.ipynb", 'placement_key: str = "cell"'), {"placement_key": "question_k"})


def run_of(path, output, parameters):
    step = Step(path.stem, "study", (), ())
    run = Run(step, {"study": "s", "runs_dir": str(output.parent), **parameters}, output)
    object.__setattr__(run, "step", type("Here", (), {"path": path, "notebook": path.stem})())
    return run


def test_a_notebook_runs_with_the_values_given(tmp_path):
    path = notebook(
        tmp_path / "01.ipynb",
        'out: str = ""',
        "import pathlib, sys; n = pathlib.Path(out).write_text(sys.executable)",
    )
    execute(run_of(path, tmp_path / "copies {a}" / "01.ipynb", {"out": str(tmp_path / "out.txt")}), str(tmp_path))
    import sys

    assert (tmp_path / "out.txt").read_text() == sys.executable
    assert (tmp_path / "copies {a}" / "01.ipynb").is_file()


def test_a_failing_cell_is_named_and_the_copy_kept(tmp_path):
    path = notebook(tmp_path / "01.ipynb", "x: int = 0", "1 / x")
    with pytest.raises(RunError, match=r"cell 3 failed with ZeroDivisionError: division by zero\nthe executed copy is"):
        execute(run_of(path, tmp_path / "copy.ipynb", {"x": 0}), str(tmp_path))
    assert "ZeroDivisionError" in (tmp_path / "failed" / "copy.ipynb").read_text()
    assert not (tmp_path / "copy.ipynb").exists()


def test_a_copy_that_ran_to_its_end_stays_until_the_next_that_does(tmp_path):
    path = notebook(tmp_path / "01.ipynb", "x: int = 0", "print(1 // x)")
    good, failed = tmp_path / "copy.ipynb", tmp_path / "failed" / "copy.ipynb"
    execute(run_of(path, good, {"x": 1}), str(tmp_path))
    before = good.read_bytes()
    with pytest.raises(RunError, match=f"the executed copy is {re.escape(str(failed))}; the same"):
        execute(run_of(path, good, {"x": 0}), str(tmp_path))
    assert good.read_bytes() == before and failed.exists()
    execute(run_of(path, good, {"x": 1}), str(tmp_path))
    assert good.read_bytes() != before and not failed.exists()


def test_a_notebook_that_ends_early_has_failed(tmp_path):
    path = notebook(tmp_path / "01.ipynb", "x: int = 0", "import sys; sys.exit(0)", "x")
    with pytest.raises(RunError, match="ended before its last cell"):
        execute(run_of(path, tmp_path / "copy.ipynb", {"x": 0}), str(tmp_path))


def test_a_killed_kernel_is_said(tmp_path):
    path = notebook(tmp_path / "01.ipynb", "x: int = 0", "import os, signal; os.kill(os.getpid(), signal.SIGKILL)")
    with pytest.raises(RunError, match="the kernel died"):
        execute(run_of(path, tmp_path / "copy.ipynb", {"x": 0}), str(tmp_path))


def test_modality_plans():
    assert ModalityPlan.parse("markdown") == ModalityPlan("markdown")
    assert ModalityPlan.parse("image:control:7") == ModalityPlan("image", ("control",), 7)
    assert ModalityPlan.parse("pdf:control,hn-2") == ModalityPlan("pdf", ("control", "hn-2"), 0)


@pytest.mark.parametrize(
    ("text", "message"),
    [("audio", "'audio' is unknown"), ("image:hn-3", "'hn-3' is unknown"), ("image:control:many", "'many' is not")],
)
def test_unknown_modalities_and_conditions_are_refused(text, message):
    with pytest.raises(RunError, match=message):
        ModalityPlan.parse(text)


@pytest.mark.parametrize("name", ["../x", "a/b", "", ".hidden", "a..b", "x" * 65, "a b", "/x"])
def test_a_study_name_is_a_folder_name(name):
    with pytest.raises(StudyError, match="is not a usable name"):
        Study(name)


def test_the_plan_of_a_study_runs_each_step_for_what_it_runs_for():
    plans = (ModalityPlan("markdown"), ModalityPlan("image", ("control",), 7))
    runs = plan_runs(Settings("s", models=("local/reader", "openai/gpt-5-mini"), plans=plans))
    counts = {step.number: sum(run.step == step for run in runs) for step in plan.STEPS}
    assert counts == {"01": 1, "02": 2, "03": 4, "04": 4, "05": 1, "06": 1, "09": 0, "10": 1, "11": 0}
    assert [run.step.number for run in plan_runs(Settings("s"), ["09"])] == ["09"], "it runs when it is named"
    assert [run.step.number for run in runs] == sorted(run.step.number for run in runs)
    third = next(run for run in runs if run.output.stem == "03_inference--openai-gpt-5-mini--image")
    assert third.parameters["model"] == "openai/gpt-5-mini"
    assert (third.parameters["modality"], third.parameters["conditions"]) == ("image", ["control"])
    plan.check_runs(runs, {})


def test_each_judge_judges_every_answer_and_the_first_is_the_headline():
    settings = Settings("s", judges=("local/rules", "openai/gpt-5.4-nano"), plans=(ModalityPlan("markdown"),))
    runs = plan_runs(settings, ["04", "05"])
    assert [(run.output.stem, run.parameters["judge"]) for run in runs] == [
        ("04_judging--local-reader--markdown--local-rules", "local/rules"),
        ("04_judging--local-reader--markdown--openai-gpt-5.4-nano", "openai/gpt-5.4-nano"),
        ("05_analysis", "local/rules"),
    ]


def test_a_copy_and_a_log_hold_a_progress_bars_last_line(tmp_path, capsys):
    bar = "from tqdm import tqdm\nfor _ in tqdm(range(300), desc='asking', mininterval=0): pass"
    path = notebook(tmp_path / "notebook.ipynb", "x = 0", bar, "import sys; print('no end', end='', file=sys.stderr)")
    execute(run_of(path, tmp_path / "copy.ipynb", {"x": 0}), str(tmp_path))
    (stream,) = nbformat.read(tmp_path / "copy.ipynb", 4).cells[-2].outputs
    assert stream.text.count("asking") == 1 and "300/300" in stream.text
    first, last = capsys.readouterr().err.splitlines()
    assert first.startswith("asking: 100%") and last == "no end"


def test_only_runs_what_it_names():
    assert {run.step.number for run in plan_runs(Settings("s"), ["03", "05"])} == {"03", "05"}
    with pytest.raises(RunError, match="there is no notebook 3"):
        plan_runs(Settings("s"), ["3"])


def test_also_adds_to_what_a_study_runs(monkeypatch):
    asked = []
    monkeypatch.setattr(pipeline, "run_study", lambda settings, only, *rest: asked.append(list(only)) or [])
    monkeypatch.setattr(status, "ending", lambda *about: "")
    usual = [step.number for step in plan.STEPS if not step.optional]
    for words in ([], ["--also", "11", "--also", "09"], ["--only", "11"]):
        cli.main(["run", "--study", "s", *words])
    assert asked == [[], [*usual, "11", "09"], ["11"]]
    with pytest.raises(SystemExit):
        cli.main(["run", "--study", "s", "--only", "05", "--also", "09"])


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["--study", "../x"], "not a usable name"),
        (["--study", "s", "--modality", "audio"], "'audio' is unknown"),
        (["--study", "s", "--conditions", "hn-9"], "'hn-9' is unknown"),
        (["--study", "s", "--modality", "pdf", "--modality", "pdf:control"], "one modality twice"),
        (["--study", "s", "-p", "colour", "red"], "no parameter 'colour'"),
        (["--study", "s", "-p", "api_key", "x"], "looks like a secret"),
        (["--study", "s", "-p", "model", "x"], "-p model: the command has an option"),
        (["--study", "s", "--limit", "-3"], "limit = -3"),
        (["--study", "s", "--concurrency", "0"], "concurrency = 0"),
        (["--study", "s", "--placement-key", "page"], "placement_key = 'page'"),
        (["--study", "s", "--model", "local/writer"], "'local/writer' is unknown"),
        (["--study", "s", "--model", "zzz/nope"], "'zzz/nope' is unknown to litellm"),
        (["--study", "s", "--judge", "foo"], "'foo' is unknown to litellm"),
        (["--study", "s", "--judge", "local/reader"], "cannot change places"),
        (["--study", "s", "--jobs", "0"], "--jobs 0"),
        (["--study", "s", "--replicates", "0"], "replicates = 0"),
        (["--study", "s", "--budget", "-1"], "--budget -1.0: give"),
        (["--study", "s", "--budget", "nan"], "--budget nan: give"),
        (["--study", "s", "--headline", "majority"], "needs at least three judges"),
        (["--study", "s", "--judge", "majority"], "majority is no judge"),
        (["--study", "s", "--headline", "x"], "--headline x: take one of the judges"),
        (["--study", "s", "--models-file", "nowhere.toml"], "nowhere.toml is missing"),
        (
            ["--study", "s", "--model", "openai/a-b", "--model", "openai-a/b"],
            "--model openai/a-b and openai-a/b would share the file name 'openai-a-b': give one of them another name",
        ),
        (["--study", "s", "--model", "x/M", "--model", "x/m"], "--model x/M and x/m would share the file name 'x-M'"),
        (["--study", "s", "--judge", "x/a.", "--judge", "x/a"], "--judge x/a. and x/a would share"),
        (["--study", "s", "--model", "gpt-5-mini"], "needs AZURE_API_KEY and AZURE_API_BASE in the environment"),
    ],
)
def test_the_command_refuses_with_one_line(argv, message, capsys, monkeypatch):
    for name in ("AZURE_API_KEY", "AZURE_API_BASE", "OPENROUTER_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(pipeline, "execute", lambda run: pytest.fail("nothing may run"))
    assert cli.main(["run", *argv]) == 1
    printed = capsys.readouterr().err
    assert message in printed
    assert printed.startswith("muddle: ")
    assert printed.count("\n") == 1


def stored_of(settings, requests=(), models=(), judges=()):
    """Write the rows of a study that asked these models and these judges."""
    study = settings.folders
    cell = Cell("q|control", "q", "control", 0, "none", ("s",), 0, "", "")
    for name in requests:
        write_rows(study.rows(f"requests_{slug(name)}_markdown"), [make_request(cell, name, "markdown")])
    with Store(study.store) as store:
        for name in models:
            store.add_response(make_response(make_request(cell, name, "markdown")))
        for name in judges:
            answer = make_response(make_request(cell, "m", "markdown"))
            store.add_verdict(dataclasses.replace(make_verdict(answer, True), judge=name))


@pytest.mark.parametrize(
    ("stored", "given", "message"),
    [
        ({"requests": ["openai-a/b"]}, {"models": ("local/reader", "openai/a-b")}, "--model openai/a-b and openai-a/b"),
        ({"models": ["OpenAI/a-b"]}, {"models": ("openai/a-b",)}, "--model openai/a-b and OpenAI/a-b"),
        ({"judges": ["openai-j/1"]}, {"judges": ("openai/j-1",)}, "--judge openai/j-1 and openai-j/1"),
    ],
)
def test_a_later_run_does_not_take_the_file_name_of_what_is_stored(tmp_path, stored, given, message):
    settings = Settings("s", runs_dir=str(tmp_path), **given)
    stored_of(settings, **stored)
    with pytest.raises(RunError, match=f"^{re.escape(message)} would share the file name"):
        checks.check_settings(settings, {"05"})
    same = {name: tuple(names) for name, names in zip(given, stored.values(), strict=True)}
    checks.check_file_names(dataclasses.replace(settings, **same))


def test_a_damaged_row_file_keeps_no_run_from_writing_it_anew(tmp_path):
    settings = Settings("s", runs_dir=str(tmp_path))
    settings.folders.folder.mkdir(parents=True)
    settings.folders.rows("requests_local-reader_markdown").write_text("{")
    checks.check_file_names(settings)


def test_what_cannot_be_built_is_one_line_that_says_where_it_is_listed(tmp_path, capsys):
    study = Study("s", str(tmp_path))
    asked = [Question(name, "d.pdf", "What?", "x", "Str", (), (), "") for name in ("q1", "q2")]
    built = cells_module.build_cells(
        asked, [document("d.pdf")], [], fit_pool({"d.pdf": "text"}), {}, ["control", "hn-4"]
    )
    for kind, rows in (("questions", asked), ("cells", built.cells), ("exclusions", built.exclusions)):
        pipeline.tell_shortfall(study)
        write_rows(study.rows(kind), rows)
    assert capsys.readouterr().err == "", "the notebook that reads a missing file says so"
    pipeline.tell_shortfall(study)
    assert capsys.readouterr().err == (
        "2 of 4 cells cannot be built: its source has too few hard negatives (hn-4: 2); by source and arm in notebook "
        f"01, as rows in {study.rows('exclusions')}\n"
    )
    write_rows(study.rows("exclusions"), [])
    pipeline.tell_shortfall(study)
    assert capsys.readouterr().err == "", "nothing is missing"
    write_rows(study.rows("exclusions"), built.exclusions)
    write_rows(study.rows("cells"), [])
    with pytest.raises(RunError, match="study 's' has no cell to ask: 2 of 2 cells cannot be built: its source"):
        pipeline.tell_shortfall(study)


@pytest.mark.parametrize(("only", "after"), [((), ["01"]), (("01",), ["01"]), (("03",), []), (("02", "05"), None)])
def test_it_is_said_before_anybody_is_asked(tmp_path, monkeypatch, only, after):
    settings = Settings("s", runs_dir=str(tmp_path))
    done, told = [], []
    monkeypatch.setattr(pipeline, "execute", lambda run, sockets: done.append(run.step.number))
    monkeypatch.setattr(pipeline, "has_answers", lambda folders: True)
    monkeypatch.setattr(pipeline, "tell_shortfall", lambda folders: told.append(list(done)))
    pipeline.run_study(settings, only)
    assert told == ([after] if after is not None else [])


def document(name):
    return Document(name, f"digest of {name}", "", 20, 9, "", "", "source", "", "")


def test_a_study_runs_once_at_a_time(tmp_path):
    folders = Study("s", str(tmp_path))
    with pipeline.only_run_of(folders):
        with pytest.raises(RunError, match="study 's' is being run by another process"), pipeline.only_run_of(folders):
            pytest.fail("the lock was given twice")
        with pipeline.only_run_of(Study("other", str(tmp_path))):
            pass
    with pipeline.only_run_of(folders):
        pass


def test_parameters_by_name_are_read_as_values():
    arguments = cli.parser().parse_args(["run", "--study", "s", "-p", "workers", "2", "-p", "x", "some text"])
    assert cli.settings_from(arguments).extra == {"workers": 2, "x": "some text"}


def test_step_rows_are_declared_once():
    written = [name for step in plan.STEPS for name in step.writes if name != "figures/<study>"]
    assert len(written) == len(set(written)), json.dumps(written)
