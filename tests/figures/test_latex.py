import pandas as pd
import pytest
from latex import too_wide

from muddle_utils.analysis import tables
from muddle_utils.figures import latex, layouts, writers
from muddle_utils.study.paths import Study

HOSTILE = r"a&b%$#_{}~^\ \input{/etc/passwd} <x>"


def test_no_character_of_a_text_is_a_command():
    assert latex.escaped(r"\input{x} 5 % of $a_b & c# ~^ <x>" + "\n\\end") == (
        r"\textbackslash{}input\{x\} 5 \% of \$a\_\allowbreak{}b \& c\# \textasciitilde{}\textasciicircum{} "
        r"\textless{}x\textgreater{} \textbackslash{}end"
    )
    assert latex.escaped("a\u202eb\u200b\x00\x1bc") == "abc"


def test_a_table_keeps_its_shape():
    text = latex.latex_table(pd.DataFrame({"a|b": ["x | y\nz", "<b>"], "n": ["1", "22"]}), "Cap", "t", ["note"])
    assert r"\begin{tabular}{lr}" in text
    assert text.count(r"\\") == 3
    assert text.count("{") == text.count("}")
    assert r"\begin{tabular}{rr}" in latex.latex_table(pd.DataFrame({"Model": [], "n": []}, dtype="str"), "0", "t", [])


def test_columns_that_do_not_fit_are_set_below_with_what_names_the_rows():
    wide = pd.DataFrame({"Arm": ["HN-2", "HN-4"]} | {f"c{n}": ["0.289 [0.202, 0.396]", "1"] for n in range(7)})
    text = latex.latex_table(wide, "Cap", "t", [])
    headings = [line.removesuffix(r" \\").split(" & ") for line in text.splitlines() if line.startswith("Arm")]
    assert [len(heading) for heading in headings] == [4, 4, 2]
    assert [name for heading in headings for name in heading[1:]] == [f"c{n}" for n in range(7)]
    assert text.count(r"\caption{") == 1 and "0.289~[0.202,~0.396]" in text


def test_more_lines_than_a_page_holds_are_a_long_table():
    texts = {lines: latex.latex_table(pd.DataFrame({"n": ["1"] * lines}), "Cap", "t", ["note"]) for lines in (30, 60)}
    assert [lines for lines, text in texts.items() if r"\begin{longtable}" in text] == [60]


def test_signs_that_need_another_engine_are_said():
    text = latex.latex_table(pd.DataFrame({"System": ["模型 α", "é ≥ 1"]}), "Cap", "t", [])
    assert text.splitlines()[0].endswith("XeLaTeX or LuaLaTeX with a font that has α 型 模")


@pytest.mark.parametrize("n_rows", [0, 1, 3, 120])
@pytest.mark.parametrize("n_columns", [1, 5, 14])
def test_any_table_compiles_and_fits(tmp_path, n_rows, n_columns):
    kinds = (
        HOSTILE,
        "−0.018 [−0.140, +0.174]",
        "d41d8cd98f00b204e9800998ecf8427e" * 2,
        "word " * 60,
        "12,345",
        "",
        "MMMM-WW",
    )
    columns = {f"A heading {n}": [kinds[(n + row) % len(kinds)] for row in range(n_rows)] for n in range(n_columns)}
    table = latex.latex_table(pd.DataFrame(columns, dtype="str"), HOSTILE, "x", [HOSTILE, "note " * 90])
    (tmp_path / "t.tex").write_text(table)
    assert [points for points in too_wide(["t.tex"], tmp_path) if points > 2] == []


def test_twelve_models_side_by_side_compile_and_fit(tmp_path, frame):
    study = Study("test", str(tmp_path / "runs"), str(tmp_path / "figures"))
    one = frame[frame["model"].eq(frame["model"].iloc[0])]
    many = pd.concat([one.assign(model=f"provider-{n}/some_model-{n}.5-preview") for n in range(12)])
    table = tables.table_1(many, 100)
    writers.save_table("table_1", table, study, "Accuracy", layout=layouts.print_table_1(table))
    writers.save_table("whole", table, study, "Accuracy")
    assert [points for points in too_wide(sorted(study.figures.glob("*.tex")), tmp_path) if points > 2] == []
