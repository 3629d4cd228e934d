"""What a study on disk was told, and the command that says it again."""

import dataclasses
import json
import shlex

import pytest
from made_up_study import MODELS, Rows, make_response, make_verdict

from muddle_utils.runs import cli, pipeline, plan, settings
from muddle_utils.runs import executed as executed_module
from muddle_utils.runs.release import provenance
from muddle_utils.runs.settings import ModalityPlan, RunError, Settings, command_of, word_of
from muddle_utils.runs.stored import remake, stored_settings, with_stored
from muddle_utils.study.paths import Study, StudyError, slug
from muddle_utils.study.rows import write_rows
from muddle_utils.study.store import Store

PLANS = (ModalityPlan("markdown"), ModalityPlan("image", ("control",), 7), ModalityPlan("pdf", ("control",)))


@pytest.fixture(scope="module")
def rows():
    return Rows(4, 2, seed=1)


def lay(study, rows, told, without=()):
    """Write requests, one answer with its verdicts, and executed copies such as a run with these settings leaves."""
    for pair in dict.fromkeys((row.model, row.modality) for row in rows.requests):
        if pair not in without:
            own = [row for row in rows.requests if (row.model, row.modality) == pair]
            own += [dataclasses.replace(row, replicate=2) for row in own] if told.replicates == 2 else []
            write_rows(study.rows(f"requests_{slug(pair[0])}_{pair[1]}"), own)
    with Store(study.store) as store:
        answer = make_response(rows.requests[0])
        store.add_response(answer)
        # Stored in another order than the study lists them.
        for name in reversed(told.judges):
            store.add_verdict(dataclasses.replace(make_verdict(answer, True), judge=name))
    for run in plan.plan_runs(told):
        execute(run)
    return study


def execute(run):
    """Write the executed copy of a notebook without executing it."""
    run.output.parent.mkdir(parents=True, exist_ok=True)
    metadata = {"papermill": {"parameters": run.parameters, "exception": None}}
    run.output.write_text(json.dumps({"metadata": metadata, "cells": []}))


@pytest.fixture
def told(tmp_path):
    return Settings(
        "s",
        models=MODELS,
        plans=PLANS,
        judges=("openai/j", "local/rules"),
        seed=7,
        replicates=2,
        runs_dir=str(tmp_path / "my runs"),
        figures_dir=str(tmp_path / "figures"),
        extra={"n_resamples": 500},
    )


@pytest.fixture
def study(rows, told):
    return lay(told.folders, rows, told)


def parsed(command):
    words = shlex.split(command)
    assert words[:2] == ["muddle", "run"]
    return cli.parser().parse_args(words[1:])


def only(told, *given, **changes):
    """Return what ``muddle run --only 05`` makes of a study when only these options are given."""
    bare = Settings("s", runs_dir=told.runs_dir, figures_dir=told.figures_dir)
    return with_stored(dataclasses.replace(bare, **changes), ["05"], {"study", *given})


# --- What is not said is the study's --------------------------------------------------------------------------------


@pytest.mark.parametrize("numbers", [["05"], ["06"], ["10"], ["05", "06"], ["04", "05"], ["09", "11"]])
def test_a_run_of_stored_rows_takes_what_is_not_said_from_the_study(study, told, numbers):
    bare = Settings("s", runs_dir=told.runs_dir, figures_dir=told.figures_dir)
    found = with_stored(bare, numbers, {"study"})
    assert found == dataclasses.replace(told, extra={})


def test_a_run_that_asks_models_takes_nothing(study, told):
    bare = Settings("s", runs_dir=told.runs_dir, figures_dir=told.figures_dir)
    assert with_stored(bare, ["03", "05"], ()) == with_stored(bare, [], ()) == with_stored(bare, ["11"], ()) == bare


def test_what_is_said_stays(study, told):
    found = only(told, "model", "modality", "seed", models=MODELS[:1], plans=(ModalityPlan("image"),), seed=1)
    assert (found.models, found.seed) == (MODELS[:1], 1)
    # A modality that is named alone is the one that was asked.
    assert found.plans == (ModalityPlan("image", ("control",), 7),)
    assert only(told, "judge", judges=("local/rules",)).judges == ("local/rules",)


def test_the_headline_is_the_one_of_the_last_analysis(rows, told):
    told = dataclasses.replace(told, headline="local/rules")
    lay(told.folders, rows, told)
    assert only(told).headline == "local/rules"
    assert only(told, "judge", judges=("openai/j",)).headline == ""


def test_the_command_line_fills_in(study, told, monkeypatch, capsys):
    executed = []
    monkeypatch.setattr(pipeline, "execute", lambda run, sockets: executed.append(run))
    places = ["--runs-dir", told.runs_dir, "--figures-dir", told.figures_dir]
    assert cli.main(["run", "--study", "s", "--only", "05", *places]) == 0
    (run,) = executed
    assert run.parameters["models"] == list(MODELS)
    assert run.parameters["modalities"] == ["markdown", "image", "pdf"]
    assert run.parameters["judges"] == ["openai/j", "local/rules"] and run.parameters["judge"] == "openai/j"
    assert run.parameters["seed"] == 7


def test_a_study_that_has_not_asked_everything_is_refused_with_the_command(rows, told):
    lay(told.folders, rows, told, without=[(MODELS[1], "image")])
    with pytest.raises(RunError, match="has not asked every model in every modality") as caught:
        only(told)
    given = parsed(str(caught.value).partition("such as ")[2])
    assert (given.model, given.modality) == (list(MODELS), ["markdown", "pdf:control"])
    assert given.only == ["05"] and given.runs_dir == told.runs_dir
    # What is said narrows what is taken.
    assert only(told, "model", models=MODELS[:1]).plans == PLANS
    assert only(told, "modality", plans=(ModalityPlan("image"),)).models == MODELS[:1]
    both = {"models": MODELS, "plans": (ModalityPlan("image"),)}
    with pytest.raises(RunError, match="has not asked every model") as caught:
        only(told, "model", "modality", **both)
    given = parsed(str(caught.value).partition("such as ")[2])
    assert (given.model, given.modality) == ([MODELS[0]], ["image:control:7"])


@pytest.mark.parametrize(
    ("given", "change", "message"),
    [
        ("model", {"models": ("m",)}, "--model m: study 's' has not asked it, it has asked"),
        ("modality", {"plans": (ModalityPlan("pdf"),)}, "--modality pdf: study 's' has not asked it"),
    ],
)
def test_what_was_never_asked_is_refused(rows, told, given, change, message):
    lay(told.folders, rows, told, without=[(name, "pdf") for name in MODELS])
    with pytest.raises(RunError, match=message):
        only(told, given, **change)


def test_a_study_that_asked_nothing_or_is_not_there_is_refused(told):
    with pytest.raises(StudyError, match="study 's' is unknown below"):
        only(told)
    told.folders.folder.mkdir(parents=True)
    with pytest.raises(RunError, match="study 's' has asked nothing yet: run muddle run --study s "):
        only(told)


@pytest.mark.parametrize("failed", [False, True])
def test_a_study_without_an_answer_is_not_analysed(rows, told, monkeypatch, failed, capsys):
    study = lay(told.folders, rows, told)
    for path in study.folder.glob("store.sqlite*"):
        path.unlink()
    if failed:
        with Store(study.store) as store:
            store.add_response(make_response(rows.requests[0], "", "failed", "timeout", "no answer"))
    monkeypatch.setattr(pipeline, "execute", lambda run, sockets: pytest.fail("nothing may run"))
    places = ["--runs-dir", told.runs_dir, "--figures-dir", told.figures_dir]
    assert cli.main(["run", "--study", "s", "--only", "05", *places]) == 1
    assert "study 's' has no answer yet, so there is nothing to analyse" in capsys.readouterr().err


# --- The command ----------------------------------------------------------------------------------------------------


def test_a_command_says_all_that_is_not_at_its_default():
    told = Settings(
        "s",
        corpus="my corpus",
        models=("m", "n"),
        plans=PLANS,
        judges=("a", "b", "c"),
        headline="majority",
        limit=5,
        seed=1,
        budget=2.5,
        waive=("x", "y"),
        models_file="/m.toml",
        runs_dir="/my runs",
        extra={"others": ["t"], "condition": "hn 2"},
    )
    assert cli.settings_from(parsed(command_of(told))) == dataclasses.replace(told, corpus=cli._here("my corpus"))
    public = command_of(told, public=True)
    assert "/" not in public.replace("…/", "") and "budget" not in public
    # Options that no analysis takes are no part of an analysis' command, all others are.
    late = command_of(told, ["05"])
    assert "--corpus" not in late and "--limit" not in late and "--seed 1" in late and "--runs-dir '/my runs'" in late
    assert "--modality image:control:7" in late and "-p others '['\"'\"'t'\"'\"']'" in late
    assert "--headline majority --only 05" in late


def test_the_command_that_makes_a_table_again_makes_the_same_run(study, told):
    given = parsed(remake(study, ["05"]))
    again = with_stored(cli.settings_from(given), given.only, {"model", "modality", "judge", "seed", "replicates"})
    (run,), (first,) = (plan.plan_runs(each, ["05"]) for each in (again, told))
    assert run == first
    assert settings.Settings.seed != told.seed and "--seed 7" in remake(study, ["05"])


def test_a_hint_names_only_what_its_notebooks_take(study, told):
    assert "-p n_resamples 500" in remake(study) and "n_resamples" not in remake(study, ["06"])
    assert remake(study, public=True) == remake(study).partition(" --runs-dir")[0] + " -p n_resamples 500"


def test_a_damaged_copy_hides_no_command(study):
    (study.notebooks / "05_analysis.ipynb").write_text("{")
    assert remake(study, ["05"]).startswith("muddle run --study s --model local/reader")


def test_a_notebook_is_told_its_own_command(tmp_path, monkeypatch, told):
    declared = {"command": ("str", ""), "models": ("list", []), "seed": ("int", 42), "others": ("list", [])}
    declared |= {name: ("str", "") for name in ("study", "runs_dir", "figures_dir")}
    monkeypatch.setattr(plan, "declared_parameters", lambda path: declared)
    told = dataclasses.replace(told, extra={"others": ["t"], "n_resamples": 500})
    (run,) = plan.plan_runs(told, ["05"])
    given = parsed(run.parameters["command"])
    assert given.p == [["others", "['t']"]], "what the notebook does not take is no part of it"
    assert given.modality == ["markdown", "image:control:7", "pdf:control"] and given.judge == list(told.judges)
    assert str(tmp_path) not in run.parameters["command"]
    # Whoever runs it again tells the notebook the same.
    again = dataclasses.replace(cli.settings_from(given), runs_dir=told.runs_dir, figures_dir=told.figures_dir)
    assert plan.plan_runs(dataclasses.replace(again), ["05"]) == [run]


# --- Studies side by side -------------------------------------------------------------------------------------------


def test_what_is_set_beside_others_overwrites_nothing(study, told):
    beside = dataclasses.replace(told, extra={"others": ["t", "u"]})
    (run,) = plan.plan_runs(beside, ["05"])
    assert run.output.name == "05_analysis--beside-t+u.ipynb"
    assert run.parameters["figures_dir"] == f"{told.figures_dir}/s+t+u"
    assert f"{told.figures_dir}/s+t+u/s" in pipeline.where(beside)
    before = stored_settings(study)
    own = executed_module.own_analyses(study, executed_module.read_notebooks(study))
    execute(run)
    assert stored_settings(study) == before
    assert executed_module.own_analyses(study, executed_module.read_notebooks(study)) == own
    assert "-p others" not in remake(study)
    # Its own folder has its own copy, doubt and command.
    place = Study("s", told.runs_dir, run.parameters["figures_dir"])
    (copy,) = executed_module.own_analyses(place, executed_module.read_notebooks(place))
    assert copy.name == run.output.stem
    (doubt,) = provenance.analysis_doubts(place, executed_module.read_notebooks(place))
    assert doubt.startswith("Notebook 05 sets t, u beside this study")
    given = parsed(remake(place))
    assert (given.only, given.p, given.figures_dir) == (["05"], [["others", "['t', 'u']"]], told.figures_dir)


@pytest.mark.parametrize("numbers", [(), ("05", "06"), ("06",)])
def test_studies_are_set_beside_a_finished_one_only(told, numbers):
    with pytest.raises(RunError, match=r"-p others sets studies beside one that is finished.*add --only 05"):
        plan.plan_runs(dataclasses.replace(told, extra={"others": ["t"]}), numbers)


# --- Declared once --------------------------------------------------------------------------------------------------


# Predictions of any system are scored on the second annotation. What is empty is what the study holds.
HELD = {"models": [], "modalities": [], "judges": [], "judge": "", "replicates": 0}
OTHERWISE = {("09", "annotation"): "v2"}
OTHERWISE |= {(number, name): value for number in ("05", "06", "09", "10") for name, value in HELD.items()}


@pytest.mark.parametrize("step", plan.STEPS, ids=lambda step: step.number)
def test_a_parameter_of_a_notebook_is_the_setting_of_its_name(step):
    options = dict(Settings("demo").parameters(Settings.models[0], Settings.plans[0]))
    declared = plan.declared_parameters(step.path)
    shared = {name: said for name, said in declared.items() if name in options}
    assert {"study", "runs_dir", "figures_dir"} <= shared.keys()
    for name, (kind, default) in shared.items():
        wanted = OTHERWISE.get((step.number, name), options[name])
        assert (kind, default) == (type(wanted).__name__, wanted), name


@pytest.mark.parametrize("command", ["run", "estimate"])
def test_every_setting_is_an_option_of_the_command_with_its_own_help(command):
    (commands,) = [action for action in cli.parser()._actions if action.dest == "command"]
    options = {action.dest: action for action in commands.choices[command]._actions}
    for item in dataclasses.fields(Settings):
        if item.name != "extra":
            assert options[word_of(item)].help == item.metadata["help"]
    said = cli.settings_from(cli.parser().parse_args([command, "--study", "s"]))
    assert said == Settings("s"), "what is not said is as declared"
