"""The paper's published numbers: their files, good and damaged, and their place beside a study's."""

import hashlib

import pytest

from muddle_utils.analysis import frames, implied, published, tables

N_RESAMPLES = 300
TABLE_1 = "table_1_judge_accuracy.csv"


# --- beside a study ---


def test_published_values_are_the_papers_21():
    values = published.published_table_1()
    assert len(values) == 3 * 5 + 3 * 2
    found = values[values["model"].eq("gpt-5-mini") & values["condition"].eq("hn-4")]["published"].item()
    assert found == 0.707


def test_a_model_of_the_paper_stands_beside_its_published_value(frame):
    table = tables.table_1(frame, N_RESAMPLES)
    both = published.compare_published(table)
    row = both[both["model"].eq("azure/gpt-5-mini") & both["modality"].eq("markdown") & both["condition"].eq("hn-2")]
    measured = table[table["model"].eq("azure/gpt-5-mini") & table["condition"].eq("hn-2")]["accuracy"].item()
    assert row["published"].item() == 0.737
    assert row["difference"].item() == pytest.approx(measured - 0.737)
    reader = both[both["model"].eq("local/reader")]
    assert reader["published"].isna().all()
    assert reader["remark"].eq("not one of the paper's models").all()
    assert both["remark"].eq("published only: not run in this study").sum() == 14
    assert len(both) == 7 + 21


def test_the_statement_is_plain():
    statement = published.published_statement(["local/reader", "azure/gpt-5-mini"])
    assert "local/reader is not one of the paper's models" in statement
    assert "azure/gpt-5-mini is in the paper" in statement
    assert "not one" not in published.published_statement(["grok-4.3"])


def test_the_papers_share_of_large_payloads_is_quoted_and_adds_up():
    # One condition without distractors, two with 2, two with 4: (4 + 2 * 16 + 2 * 43) / 5 = 24.4.
    assert published.published_payloads() == (
        "In the paper 24.7 % of all cells were over 15 MB (4 % of control; 16 % at k=2; 43 % at k=4), which weighed by "
        "the conditions is 24.4 %, within rounding of the whole."
    )


# --- the files ---


def test_a_copy_reads_as_the_original(change_published):
    assert implied.counts()["n_right"].iloc[0] == 206


@pytest.mark.parametrize("name", [TABLE_1, "table_4_metrics.csv", "table_3_cell_sizes.csv", "statements.csv"])
def test_a_missing_file_is_named(change_published, name):
    (published.project_root() / "data" / "published" / name).unlink()
    function = implied.lengths if "sizes" in name else implied.counts
    with pytest.raises(frames.TablesError, match=rf"{name} is missing: run from a checkout"):
        function()


@pytest.mark.parametrize(
    ("name", "old", "new", "function", "message"),
    [
        (TABLE_1, "markdown,image", "text,image", published.published_table_1, "has no column markdown: restore"),
        (TABLE_1, "0.737", "n/a", published.published_table_1, "line 3: markdown is 'n/a', which is no number"),
        (TABLE_1, "0.737", "nan", published.published_table_1, "line 3: markdown is 'nan', which is no number"),
        (TABLE_1, "0.737", "73.7", published.published_table_1, "line 3: markdown is '73.7', which is no share of 3"),
        (TABLE_1, "0.737", "0.7374", published.published_table_1, "line 3: markdown is '0.7374', which is no share"),
        (TABLE_1, "0.737,,", "0.737", published.published_table_1, "line 3 has not the 5 values of its header"),
        (TABLE_1, "0.737,,", "0.737,,,", published.published_table_1, "line 3 has not the 5 values of its header"),
        (TABLE_1, "mini,hn-2", "mini,control", published.published_table_1, "share a key.*gpt-5-mini.*control"),
        (TABLE_1, "gpt-5-mini,hn-2,0.737,,\n", "", implied.gaps, "lacks gpt-5-mini hn-2: restore"),
        ("table_4_metrics.csv", "em", "exact", implied.counts, "has no column em"),
        ("table_4_metrics.csv", "0.448", "x", implied.counts, "table_4_metrics.csv, line 2: em is 'x'"),
        ("table_3_cell_sizes.csv", "278316", "", implied.lengths, "line 3: markdown_chars_median is ''"),
        ("table_3_cell_sizes.csv", "278316", "0", implied.lengths, "has no sizes for hn-2: restore"),
        ("table_3_cell_sizes.csv", "hn-2", "hn-3", implied.lengths, "has no sizes for hn-2: restore"),
        ("statements.csv", "questions,", "answers,", implied.counts, "has no row 'questions' with a whole number"),
        ("statements.csv", "270", "270.5", implied.counts, "has no row 'questions' with a whole number"),
        ("statements.csv", "0.016", "one", implied.discordance, "statements.csv, line 4: value is 'one'"),
        ("statements.csv", "0.016", "1.6", implied.discordance, "p = 1.6 of gpt-5-mini.* is no p-value"),
        ("statements.csv", "p,grok-4.3", "p,grok-9", implied.discordance, "grok-9.* is no row of Table 1"),
        ("statements.csv", "exceeds 15 MB", "exceeds", published.published_payloads, "lacks the share of cells"),
    ],
)
def test_a_damaged_file_is_one_sentence_that_names_it(change_published, name, old, new, function, message):
    change_published(name, old, new)
    with pytest.raises(frames.TablesError, match=message) as caught:
        function()
    assert "\n" not in str(caught.value)


def test_a_note_without_parts_is_quoted_alone(change_published):
    change_published("statements.csv", "4 % of control; 16 % at k=2; 43 % at k=4", "most at k=4")
    assert published.published_payloads() == "In the paper 24.7 % of all cells were over 15 MB (most at k=4)."


def test_parts_that_do_not_add_up_are_said(change_published):
    change_published("statements.csv", "43 % at k=4", "53 % at k=4")
    assert "is 28.4 %, not within rounding of the whole" in published.published_payloads()


# --- where they come from ---


ABOUT = {"study": "s", "command": "muddle run", "date": "2026-01-01", "digest": "of the rows"}


def test_tables_of_files_carry_the_digest_of_the_files_and_not_of_the_rows():
    root = published.project_root()
    one = published.origin_of_files(ABOUT, "data/calibration")
    assert list(one) == ["study", "command", "date", "source", "source_digest"]
    assert one["source"] == "data/calibration/calibration.csv"
    assert one["source_digest"] == hashlib.sha256((root / one["source"]).read_bytes()).hexdigest()
    several = published.origin_of_files(ABOUT)
    lines = [
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  data/published/{path.name}\n"
        for path in sorted((root / "data" / "published").glob("*.csv"))
    ]
    assert len(lines) == 5
    assert several["source"] == "data/published/*.csv"
    assert several["source_digest"] == hashlib.sha256("".join(lines).encode()).hexdigest()
    assert {key: several[key] for key in ("study", "command", "date")} == {
        key: ABOUT[key] for key in ("study", "command", "date")
    }


def test_a_changed_file_has_another_digest(change_published):
    before = published.origin_of_files(ABOUT)["source_digest"]
    assert before == published.origin_of_files({})["source_digest"]
    change_published(TABLE_1, "0.737", "0.738")
    assert published.origin_of_files(ABOUT)["source_digest"] != before
    with pytest.raises(frames.TablesError, match="data/nothing holds no CSV file"):
        published.origin_of_files(ABOUT, "data/nothing")
