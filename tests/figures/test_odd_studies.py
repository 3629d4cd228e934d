"""Whatever a study holds, each table and figure of notebook 05 is made, can be read, or is left out with a sentence."""

import re

import nbformat
import pandas as pd
import pytest
from latex import too_wide
from made_up_study import Rows, tiny

from muddle_utils import analysis, figures
from muddle_utils.figures.show import Show, Shown
from muddle_utils.study import Study, project_root

NAMES = ["模型/一号", "نموذج", "🤖-2", r"a&b%$#_{}~^\ <b>", "=SUM(A1)", "m\nn"]
RIGHT = [True, False, True, True] * 5


def unanswered(frame):
    lost = {"status": "failed", "cause": "Timeout", "answered": False, "judged": False}
    return frame.assign(**lost, correct=pd.array([pd.NA] * len(frame), dtype="boolean"))


def of_models(names):
    whole = Rows(24, 8).frame()
    one = whole[whole["model"].eq(whole["model"].iloc[0])]
    return pd.concat([one.assign(model=name) for name in names], ignore_index=True)


STUDIES = {
    "one condition": lambda: tiny({"control": RIGHT}),
    "one question": lambda: tiny({"control": [True], "hn-2": [False], "random-2": [True]}),
    "no answer": lambda: unanswered(tiny({"control": RIGHT, "hn-4": RIGHT, "random-4": RIGHT})),
    "all right": lambda: tiny({name: [True] * 12 for name in ("control", "hn-2", "random-2", "hn-4", "random-4")}),
    "twelve models": lambda: of_models([f"provider-{n}/model-{n}.5-preview" for n in range(12)]),
    "names": lambda: of_models(NAMES),
}


@pytest.fixture(scope="module", params=STUDIES.values(), ids=STUDIES)
def shown(request, tmp_path_factory):
    """Run the cells of notebook 05 that need no more than a frame; return the study and what each item showed."""
    frame, tmp_path = request.param(), tmp_path_factory.mktemp("odd")
    study = Study("odd", str(tmp_path / "runs"), str(tmp_path / "figures"))
    made = {}

    class Noted(Show):
        def __call__(self, name, *args, **values):
            made[name] = super().__call__(name, *args, **values)
            return made[name]

    values = {"frame": frame, "everything": frame, "n_resamples": 20, "seed": 1, "margin": 0.05}
    values |= {"analysis": analysis, "figures": figures, "shared": analysis.shared(frame), "Markdown": str}
    values |= {"show": Noted(study, {"digest": "d"}), "display": str}
    path = project_root() / "notebooks" / "05_analysis.ipynb"
    cells = [cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
    for source in cells[2:-1]:
        if "analysis.read_" not in source:
            exec(source, values)  # noqa: S102 (the project's own notebook)
    return study, made


def test_every_item_is_made_or_a_sentence(shown):
    study, made = shown
    assert {"claims", "table_1", "figure_gaps", "coverage", "paired", "figure_3", "figure_2", "by_model"} <= set(made)
    for name, item in made.items():
        files = sorted(path.suffix for path in study.figures.glob(f"{name}.*"))
        if name.startswith("figure_"):
            assert files == ([] if isinstance(item, Shown) else [".csv", ".pdf", ".png"]), name
        else:
            assert files == [".csv", ".html", ".md", ".tex"], name
        if isinstance(item, Shown):
            page = item._repr_html_()
            assert "<b>" not in re.sub(r"<p><b>[^<]*</b>", "", page.partition("<script")[0]), name
            assert item.sentence == "" or item.sentence.endswith("."), name


def test_its_tables_can_be_set_or_say_by_what(shown, tmp_path):
    study, _ = shown
    texts = {path: path.read_text("utf-8") for path in sorted(study.figures.glob("*.tex"))}
    plain = [path for path, text in texts.items() if "XeLaTeX" not in text]
    assert len(plain) == len(texts) or "模" in "".join(texts.values())
    assert [points for points in too_wide(plain, tmp_path) if points > 2] == []
