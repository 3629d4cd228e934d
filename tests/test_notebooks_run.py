"""The notebooks run in order, twice, on a small part of the demo study."""

import json
import re
from pathlib import Path

import nbformat
import pytest
from latex import too_wide
from small_studies import counts, settings_in

from muddle_utils.figures.items import ITEMS
from muddle_utils.runs import executed, pipeline
from muddle_utils.runs.settings import Settings
from muddle_utils.study.paths import project_root
from muddle_utils.study.records import Request, Response
from muddle_utils.study.rows import read_rows
from muddle_utils.study.store import Store


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A small study run once: (settings, folder of figures, number of stored responses and verdicts)."""
    settings = settings_in(tmp_path_factory.mktemp("study"))
    pipeline.run_study(settings)
    return settings


def artefacts(settings):
    """Return the bytes of every table, figure and row file."""
    folders = settings.folders
    files = [path for path in (*folders.figures.iterdir(), *folders.folder.glob("*.jsonl"))]
    return {path.name: path.read_bytes() for path in files}


def test_every_table_and_figure_is_there(finished):
    names = {path.name for path in finished.folders.figures.iterdir()}
    # Nothing was too large to be sent, and one cluster does not tell how alike its questions are: no figure of nothing.
    nothing = {"figure_infeasible", "figure_power"}
    assert not {f"{name}.png" for name in nothing} & names
    for item in (each for each in ITEMS if each.name not in nothing):
        endings = ("pdf", "png", "csv") if item.kind == "figure" else ("csv", "md", "tex", "html")
        assert {f"{item.name}.{ending}" for ending in endings} <= names
    manifest = json.loads((finished.folders.figures / "manifest.json").read_text())
    assert set(manifest) and "manifest.json" in names


def test_its_tables_go_into_a_paper_as_the_readme_says_and_fit(finished, tmp_path):
    figures = finished.folders.figures
    (document,) = re.findall(r"```latex\n(.*?)```", (project_root() / "README.md").read_text(), re.DOTALL)
    assert "figures/demo/figure_gaps.pdf" in document
    here = document.replace("figures/demo", str(figures)).replace("demo-", f"{finished.study}-")
    assert [points for points in too_wide([], tmp_path, here) if points > 2] == []
    assert [points for points in too_wide(sorted(figures.glob("*.tex")), tmp_path) if points > 2] == []


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


def test_the_published_numbers_say_the_same_beside_any_study_and_in_a_folder_of_their_own(tmp_path):
    settings = Settings("nothing", runs_dir=str(tmp_path / "runs"), figures_dir=str(tmp_path / "figures"))
    pipeline.run_study(settings, only=["11"])
    made = {path.name: path.read_bytes() for path in (tmp_path / "figures" / "published-numbers").glob("*.csv")}
    committed = (project_root() / "figures" / "published-numbers").glob("*.csv")
    assert made == {path.name: path.read_bytes() for path in committed} != {}


def test_the_tables_count_what_was_asked(finished):
    import pandas as pd

    table = pd.read_csv(finished.folders.figures / "table_1.csv", keep_default_na=False)
    control = table[(table["condition"] == "control") & (table["modality"] == "markdown")].iloc[0]
    requests = read_rows(finished.folders.rows("requests_local-reader_markdown"), Request)
    assert int(control["n_asked"]) == sum(row.condition == "control" for row in requests)
