"""What every notebook's source must look like; nothing is executed."""

import ast
import re
from pathlib import Path

import nbformat
import pytest
from papermill.translators import PythonTranslator

from muddle_utils.figures.items import ITEMS, PUBLISHED_ITEMS
from muddle_utils.runs.plan import STEPS, declared_parameters

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
by_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def cells(path, kind):
    return [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == kind]


def trees(path):
    # Top-level await is a notebook's own: the parser accepts it, the compiler would not.
    return [ast.parse(cell.source) for cell in cells(path, "code")]


def test_the_notebooks_are_the_steps_in_order():
    assert [path.stem for path in NOTEBOOKS] == [step.notebook for step in STEPS]
    numbers = [int(step.number) for step in STEPS]
    assert numbers == sorted(set(numbers))
    assert numbers[:6] == [1, 2, 3, 4, 5, 6]


@by_notebook
def test_the_first_cell_says_what_the_step_declares(path):
    step = next(step for step in STEPS if step.notebook == path.stem)
    first = cells(path, "markdown")[0].source
    title = first.partition("\n")[0]
    # Names have capitals of their own: "MMLongBench V2".
    assert title[:6] == f"# {path.stem[:2]} {title[5]}" and title[5].isupper()
    assert title[5:].lower().replace(" ", "_") == path.stem[3:]
    said = dict(re.findall(r"^\*(.+?)\.\* (.+)$", first, re.MULTILINE))
    assert said["Question"].endswith("?")
    # As code, or what stands in angle brackets would be taken for markup and not be seen.
    assert said["Reads"] == (", ".join(f"`{name}`" for name in step.reads) or "none")
    assert said["Writes"] == ", ".join(f"`{name}`" for name in step.writes)
    assert said["Paper items"] == (", ".join(step.paper_items) or "none")


@by_notebook
def test_parameters_come_first_are_literal_and_all_are_read(path):
    code = cells(path, "code")
    assert [cell for cell in code if "parameters" in cell.metadata.get("tags", [])] == code[:1]
    tree = ast.parse(code[0].source)
    assert all(isinstance(node, ast.AnnAssign) for node in tree.body)
    for node in tree.body:
        ast.literal_eval(node.value)
    assert all("  # " in line for line in code[0].source.splitlines()), "every parameter says what it is"
    names = {node.target.id for node in tree.body}
    assert names == declared_parameters(path).keys()
    assert names == {item.name for item in PythonTranslator().inspect(code[0])}, "papermill reads every parameter"
    used = {node.id for tree in trees(path)[1:] for node in ast.walk(tree) if isinstance(node, ast.Name)}
    assert names <= used, f"never read: {names - used}"


@by_notebook
def test_sources_are_committed_without_outputs_or_traces_of_a_run(path):
    notebook = nbformat.read(path, as_version=4)
    assert "papermill" not in notebook.metadata
    for cell in notebook.cells:
        assert "injected-parameters" not in cell.metadata.get("tags", [])
        if cell.cell_type == "code":
            assert cell.outputs == []
            assert cell.execution_count is None
    assert notebook.metadata["kernelspec"]["name"] == "python3"


@by_notebook
def test_cells_are_small_and_the_work_is_in_the_package(path):
    code = cells(path, "code")
    assert len(code) <= 30
    for cell, tree in zip(code[1:], trees(path)[1:], strict=True):
        assert len(cell.source.splitlines()) <= 16, cell.source
        for node in ast.walk(tree):
            banned = ast.ClassDef, ast.Try, ast.FunctionDef, ast.AsyncFunctionDef, ast.While, ast.Global
            assert not isinstance(node, banned), ast.unparse(node)
            if isinstance(node, ast.Import | ast.ImportFrom):
                module = node.names[0].name if isinstance(node, ast.Import) else node.module
                assert module.split(".")[0] in ("muddle_utils", "pandas", "IPython", "pathlib"), module
        assert not re.search(r"^\s*[%!]|sys\.path|os\.chdir|\bopen\(", cell.source, re.MULTILINE)


@by_notebook
def test_it_shows_what_is_declared_for_it_and_each_once(path):
    calls = [node for tree in trees(path) for node in ast.walk(tree) if isinstance(node, ast.Call)]
    names = [call.args[0].value for call in calls if getattr(call.func, "id", "").startswith("show")]
    assert len(names) == len(set(names))
    assert set(names) == {item.name for item in (*ITEMS, *PUBLISHED_ITEMS) if item.notebook == path.stem[:2]}


@by_notebook
def test_it_reads_as_prose_and_ends_in_checks(path):
    notebook = nbformat.read(path, as_version=4)
    kinds = [cell.cell_type for cell in notebook.cells]
    for place in range(len(kinds) - 3):
        assert kinds[place : place + 4] != ["code"] * 4, f"four code cells in a row from cell {place}"
    last = [cell for cell in notebook.cells if cell.cell_type == "markdown" and cell.source.startswith("## ")][-1]
    assert last.source.startswith("## Checks")
    after = notebook.cells[notebook.cells.index(last) + 1 :]
    assert 3 <= sum(cell.source.count("assert ") for cell in after) <= 12
    for cell in cells(path, "markdown"):
        assert not re.search(r"\d+\.\d+\s?%", cell.source), "measured numbers are displayed, never typed"
        assert not re.search(r"/(home|root|Users|tmp|work)/", cell.source)
