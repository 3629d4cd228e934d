import hashlib
import json

import numpy as np
import pandas as pd
import pytest

from muddle_utils import frames, printing, tables
from muddle_utils.study import Study

N_RESAMPLES = 300


def test_estimates_are_printed_with_minus_signs_and_without_negative_zero():
    table = pd.DataFrame({"difference": [-0.0001], "low": [-0.05], "high": [0.05], "not_applicable": [""]})
    assert printing.estimate_text(frames.as_records(table)[0], "difference", "+") == "0.000 [−0.050, +0.050]"


def test_the_papers_layout_marks_what_was_not_asked(frame):
    table = printing.print_table_1(tables.table_1(frame, N_RESAMPLES))
    assert table["Condition"].tolist()[:5] == ["Control", "HN-2", "Random-2", "HN-4", "Random-4"]
    assert table.loc[1, "Image"] == "–"
    assert table.loc[0, "Image"].startswith("0.")
    counts = table.loc[0, "n, Markdown"].split("/")
    assert [int(count) for count in counts] == sorted(map(int, counts), reverse=True)


def test_numbers_are_rounded_as_the_paper_prints_them():
    frame = pd.DataFrame(
        {
            "markdown_chars_median": [115943.0],
            "pages_median": [35.0],
            "judge": [0.76296],
            "p": [0.0004],
            "n_asked": [1350],
        }
    )
    assert printing.printed(frame).iloc[0].tolist() == ["115,943", "35", "0.763", "<0.001", "1,350"]


@pytest.fixture
def study(tmp_path):
    return Study("test", str(tmp_path / "runs"), str(tmp_path / "figures"))


def test_a_saved_table_has_four_forms_and_an_entry(frame, study):
    table = tables.table_1(frame, N_RESAMPLES)
    layout = printing.print_table_1(table)
    files = printing.save_table("table_1", table, study, "Judge accuracy", "Notes.", {"command": "muddle run"}, layout)
    assert [file.name for file in files] == [f"table_1.{suffix}" for suffix in ("csv", "md", "html", "tex")]
    manifest = json.loads((study.figures / "manifest.json").read_text())
    entry = manifest["items"]["table_1"]
    assert entry["study"] == "test"
    assert entry["metadata"] == {"command": "muddle run"}
    for file in files:
        assert entry["files"][file.name] == hashlib.sha256(file.read_bytes()).hexdigest()
    back = pd.read_csv(files[0], keep_default_na=False, na_values=[""])
    assert np.allclose(back["accuracy"], table["accuracy"].astype(float), rtol=1e-5)
    assert "seed 42" in files[1].read_text()
    assert "\\toprule" in files[3].read_text()
    # All but the data say by what they were made.
    assert files[1].read_text().endswith("<sub>Study test; command: muddle run.</sub>\n")
    assert files[2].read_text().endswith('<p class="made">Study test; command: muddle run.</p>\n')
    assert files[3].read_text().startswith('% study test; {"command": "muddle run"}\n')


def test_saving_again_gives_identical_bytes(rows, study):
    def save():
        printing.save_table("table_4", tables.table_4(rows.frame()), study, "Metrics")
        return {path.name: path.read_bytes() for path in study.figures.iterdir()}

    assert save() == save()


def test_every_entry_stays_when_another_is_written(frame, study):
    printing.save_table("coverage", tables.coverage(frame), study, "Coverage")
    printing.save_table("table_4", tables.table_4(frame), study, "Metrics")
    assert set(json.loads((study.figures / "manifest.json").read_text())["items"]) == {"coverage", "table_4"}


@pytest.mark.parametrize("text", ["not json", "[]", '{"study": "test"}'])
def test_a_file_that_is_no_manifest_is_refused_with_the_mend(frame, study, text):
    study.figures.mkdir(parents=True)
    (study.figures / "manifest.json").write_text(text)
    with pytest.raises(frames.TablesError, match=r"manifest\.json.*delete it"):
        printing.save_table("table_4", tables.table_4(frame), study, "Metrics")


@pytest.mark.parametrize("name", ["../table", "Table 1", ""])
def test_a_name_that_is_no_file_name_is_refused(frame, study, name):
    with pytest.raises(frames.TablesError, match="name ="):
        printing.save_table(name, tables.table_4(frame), study, "Metrics")


def test_latex_cannot_be_commanded_by_a_text():
    escaped = printing.latex_escape(r"\input{x} 5 % of $a_b & c# ~^ <x>" + "\n\\end")
    assert escaped == (
        r"\textbackslash{}input\{x\} 5 \% of \$a\_b \& c\# \textasciitilde{}\textasciicircum{} "
        r"\textless{}x\textgreater{} \textbackslash{}end"
    )


def test_latex_and_markdown_tables_keep_their_shape(frame):
    table = pd.DataFrame({"a|b": ["x | y\nz", "<b>"], "n": ["1", "22"]})
    lines = printing.markdown_table(table, "Cap", ["note"]).splitlines()
    assert lines[2:6] == ["| a\\|b | n |", "| --- | --- |", "| x \\| y z | 1 |", "| &lt;b&gt; | 22 |"]
    latex = printing.latex_table(table, "Cap", "t", ["note"])
    assert r"\begin{tabular}{lr}" in latex
    assert latex.count(r"\\") == 3
    assert latex.count("{") == latex.count("}")


def test_an_html_table_is_a_fragment_whose_texts_cannot_act():
    table = pd.DataFrame(
        {
            "<i>": ["a & b", '"><script>'],
            "n": ["1,350", "–"],
            "long": ["word " * 9, "x"],
            "estimate": ["0.5 [0.4, 0.6]"] * 2,
        }
    )
    assert printing.html_table(table, "Cap <b>", ["No & te"], "Study s.").splitlines() == [
        "<table>",
        "<caption>Cap &lt;b&gt;</caption>",
        "<thead>",
        '<tr><th scope="col" class="short">&lt;i&gt;</th><th scope="col" class="number">n</th>'
        '<th scope="col" class="text">long</th><th scope="col" class="short">estimate</th></tr>',
        "</thead>",
        "<tbody>",
        '<tr><th scope="row" class="short">a &amp; b</th><td class="number">1,350</td>'
        '<td class="text">word word word word word word word word word</td><td class="short">0.5 [0.4, 0.6]</td></tr>',
        '<tr><th scope="row" class="short">&quot;&gt;&lt;script&gt;</th><td class="number">–</td>'
        '<td class="text">x</td><td class="short">0.5 [0.4, 0.6]</td></tr>',
        "</tbody>",
        "</table>",
        '<p class="note">No &amp; te</p>',
        '<p class="made">Study s.</p>',
    ]


def test_an_empty_table_has_its_headings_in_every_form():
    table = pd.DataFrame({"Model": [], "n": []}, dtype="str")
    assert printing.html_table(table, "None").count("<th ") == 2
    assert printing.markdown_table(table, "None", []).splitlines()[2] == "| Model | n |"
    assert r"\begin{tabular}{rr}" in printing.latex_table(table, "None", "t", [])


def test_a_method_that_is_missing_makes_no_note(study):
    frame = pd.DataFrame({"value": [0.5, 0.25], "method": pd.array(["by hand", None], dtype="string")})
    text = printing.save_table("t", frame, study, "Cap")[1].read_text()
    assert text.count("Intervals:") == 1


def test_modalities_are_printed_as_people_write_them():
    frame = pd.DataFrame({"modality": ["markdown", "markdown, pdf", "other"]})
    assert printing.printed(frame)["Modality"].tolist() == ["Markdown", "Markdown, PDF", "other"]
