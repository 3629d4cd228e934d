"""The README keeps its promises: its commands parse, its table is the pipeline's, its files are there."""

import csv
import re
import shlex
from pathlib import Path

import pytest

from muddle_utils.figures.items import ITEMS, PUBLISHED_ITEMS, SCORE_ITEMS
from muddle_utils.runs import cli
from muddle_utils.runs.plan import STEPS, check_runs, declared_parameters, plan_runs

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = "\n".join(re.findall(r"```sh\n(.*?)```", README, re.DOTALL)).replace("\\\n", " ")
LINES = [re.sub(r"^(?:[A-Z_]+=\S+ )+", "", line) for line in BLOCKS.splitlines() if line.strip()]
COMMANDS = [shlex.split(line, comments=True) for line in LINES]
RUNS = [words[2:] for words in COMMANDS if words[:2] == ["muddle", "run"]]


@pytest.mark.parametrize("words", RUNS, ids=" ".join)
def test_every_run_it_shows_is_one_the_runner_takes(words):
    settings = cli.settings_from(cli.parser().parse_args(["run", *words]))
    check_runs(plan_runs(settings), settings.extra)


@pytest.mark.parametrize("words", [words[1:] for words in COMMANDS if words[0] == "muddle"], ids=" ".join)
def test_every_command_it_shows_is_one(words):
    arguments = cli.parser().parse_args(words)
    assert callable(arguments.do)


@pytest.mark.parametrize("name", sorted(set(re.findall(r"--[a-z][a-z-]+", README))))
def test_every_option_it_names_is_one_of_some_command(name):
    actions = cli.parser()._subparsers._group_actions[0].choices.values()
    known = {option for command in actions for option in command._option_string_actions}
    assert name in known | {"--no-deps", "--no-build-isolation"}


def test_it_shows_several_runs():
    assert len(RUNS) >= 4


def test_the_papermill_command_names_parameters_that_exist():
    (words,) = [words for words in COMMANDS if words[0] == "papermill"]
    given = {words[place + 1] for place, word in enumerate(words) if word == "-p"}
    assert given <= declared_parameters(ROOT / words[1]).keys()


def test_every_make_target_it_names_is_one():
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = set(re.findall(r"`?make ([a-z-]+)`?", README))
    assert {"reproduce", "test", "check", "lab"} <= named
    assert named <= targets


def test_continuous_integration_runs_what_it_says():
    lines = (ROOT / ".ci" / "run").read_text().splitlines()
    assert {"make check", "make test", "make reproduce"} <= set(lines)


def test_its_table_is_the_pipelines_and_every_file_is_committed():
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in README.splitlines() if line[:1] == "|"]
    rows = [(row[0].strip("`"), *row[1:]) for row in cells if row[0].startswith("`notebooks/")]
    assert [row[0] for row in rows] == [f"notebooks/{step.notebook}.ipynb" for step in STEPS]
    for (_, question, items, files), step in zip(rows, STEPS, strict=True):
        assert question.endswith("?")
        assert tuple(item for item in items.split(", ") if item) == step.paper_items
        for name in re.findall(r"`(\w+)`", files):
            assert (name, step.number) in {
                (item.name, item.notebook) for item in (*ITEMS, *SCORE_ITEMS, *PUBLISHED_ITEMS)
            }
            assert list((ROOT / "figures").glob(f"*/{name}.*")), name


def test_every_file_it_links_to_is_there():
    for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", README):
        assert (ROOT / target).is_file(), target


def test_every_table_it_explains_is_written_by_the_demo_study():
    section = README.split("## Reading the results")[1].split("\n## ")[0]
    for name in re.findall(r"`([a-z]\w+)`", section):
        assert (ROOT / "figures" / "demo" / f"{name}.csv").is_file(), name


def test_the_gap_it_states_is_that_of_the_figure():
    with (ROOT / "figures/demo/figure_gaps.csv").open(encoding="utf-8") as file:
        (pooled,) = (row for row in csv.DictReader(file) if row["pooling"] == "question")
    gap, low, high = (f"{100 * float(pooled[name]):+.1f}".replace("-", "−") for name in ("difference", "low", "high"))
    assert f"{gap} points" in README and f"[{low}, {high}]" in README
    assert ("The interval holds zero" in README) == (float(pooled["low"]) <= 0 <= float(pooled["high"]))
