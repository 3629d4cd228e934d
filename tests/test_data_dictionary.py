"""The data dictionary says what the code and the files say: every file, field, column and closed vocabulary."""

import csv
import dataclasses
import json
import re
import types
import typing
from collections import Counter
from fnmatch import fnmatch
from pathlib import Path

import pandas as pd
import pymupdf
import pytest

from muddle_utils.analysis import answers, attribution, claims, frames
from muddle_utils.analysis import tables as tables_module
from muddle_utils.corpus import cells, checks, corrections, curation
from muddle_utils.corpus.corpora import load_corpus
from muddle_utils.corpus.own_questions import OPTIONAL, REQUIRED
from muddle_utils.figures import writers as writers_module
from muddle_utils.figures.items import ITEMS, PUBLISHED_ITEMS, SCORE_ITEMS
from muddle_utils.inference import errors
from muddle_utils.judging import judge_calibration, predictions
from muddle_utils.rendering import page_work, rendering
from muddle_utils.runs import plan
from muddle_utils.study import paths, records

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT / "data"
TEXT = (DATA / "README.md").read_text("utf-8")
WRITTEN = (
    records.Question,
    records.Document,
    records.Exclusion,
    records.HardNegative,
    records.Cell,
    records.PageQuality,
    records.Rendering,
    records.Request,
    records.Response,
    records.Verdict,
)


def split_sections(text: str) -> dict[str, list[str]]:
    """Return the lines under each heading, up to the next heading of any level."""
    sections: dict[str, list[str]] = {"": []}
    heading, fenced = "", False
    for line in text.splitlines():
        fenced ^= line.startswith("```")
        if line.startswith("#") and not fenced:
            heading = line.lstrip("#").strip()
            assert heading not in sections, f"two headings {heading!r}"
            sections[heading] = []
        else:
            sections[heading].append(line)
    return sections


SECTIONS = split_sections(TEXT)


def rows_of(heading: str, first_column: str) -> list[list[str]]:
    """Return the rows of the one table under a heading whose first column is named so."""
    found: list[list[list[str]]] = []
    inside = False
    for line in SECTIONS[heading]:
        if not line.startswith("|"):
            inside = False
            continue
        row = [cell.strip() for cell in line.strip("|").split("|")]
        if not inside:
            inside = True
            found.append([])
        found[-1].append(row)
    chosen = [table for table in found if table[0][0] == first_column]
    assert len(chosen) == 1, f"{heading!r} has {len(chosen)} tables with the first column {first_column!r}"
    header, rule, *rows = chosen[0]
    assert set(rule) == {"---"} and all(len(row) == len(header) and all(row) for row in rows), heading
    return rows


def words(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def named(heading: str, first_column: str) -> list[str]:
    """Return what the first cells of a table name, in order; each names one thing."""
    names = [words(row[0]) for row in rows_of(heading, first_column)]
    assert all(len(name) == 1 for name in names)
    return [name for (name,) in names]


def type_in_words(hint: object) -> str:
    parts = typing.get_args(hint)
    if typing.get_origin(hint) is tuple:
        return {str: "texts", int: "integers"}[parts[0]]
    if isinstance(hint, types.UnionType):
        (inner,) = [part for part in parts if part is not types.NoneType]
        return f"{type_in_words(inner)} or null"
    return {str: "text", int: "integer", float: "number", bool: "boolean"}[hint]


# --- Files -----------------------------------------------------------------------------------------------------------


def test_every_file_is_named_and_every_named_file_is_there():
    listed = {words(row[0])[0]: row[1] for row in rows_of("Files", "file")}
    folders = (
        DATA,
        DATA / "calibration",
        DATA / "published",
        DATA / "demo",
        DATA / "demo" / "documents",
        DATA / "demo" / "build",
        DATA / "demo" / "sources",
        *(folder for folder in (DATA / "demo" / "sources").iterdir() if folder.is_dir()),
    )
    files = [
        path.relative_to(ROOT).as_posix()
        for folder in folders
        for path in folder.iterdir()
        if path.is_file() and not path.name.startswith(".")
    ]
    unnamed = [name for name in files if not any(fnmatch(name, pattern) for pattern in listed)]
    assert not unnamed
    absent = [
        pattern for pattern, kept in listed.items() if kept == "yes" and not any(fnmatch(f, pattern) for f in files)
    ]
    assert not absent


def test_what_is_never_committed_is_ignored():
    ignored = (ROOT / ".gitignore").read_text().split()
    for row in rows_of("Files", "file"):
        place = words(row[0])[0]
        if row[1] == "never":
            assert any(place.startswith(line) for line in ignored), place
    assert {"figures/*", "!figures/demo/", "!figures/demo-scores/", "!figures/published-numbers/"} <= set(ignored)


def test_links_inside_the_page_lead_to_a_heading():
    anchors = {re.sub(r"[^a-z0-9_ -]", "", heading.lower()).replace(" ", "-") for heading in SECTIONS}
    links = re.findall(r"\]\(#([^)]+)\)", TEXT)
    assert links and not set(links) - anchors


def test_the_demo_is_dedicated():
    licence = (DATA / "demo" / "LICENSE").read_text("utf-8")
    assert "CC0 1.0 Universal" in licence and "https://creativecommons.org/publicdomain/zero/1.0/" in licence
    assert "arXiv:2608.29477" in (DATA / "published" / "README.md").read_text("utf-8")


# --- Rows ------------------------------------------------------------------------------------------------------------


def heading_of(record: type) -> str:
    found = [heading for heading in SECTIONS if heading.endswith(f"(`{record.__name__}`)")]
    assert len(found) == 1, f"{record.__name__} has {len(found)} headings"
    return found[0]


@pytest.mark.parametrize("record", [*WRITTEN, judge_calibration.CalibrationPair], ids=lambda record: record.__name__)
def test_every_field_of_a_row_stands_under_its_heading_with_its_type(record):
    told = [(words(row[0])[0], row[1]) for row in rows_of(heading_of(record), "field")]
    hints = typing.get_type_hints(record)
    assert told == [(field.name, type_in_words(hints[field.name])) for field in dataclasses.fields(record)]


def test_every_record_type_is_a_row_that_is_described():
    defined = {value for value in vars(records).values() if dataclasses.is_dataclass(value)}
    # What is only passed on within a process, and never written as it is.
    unwritten = {records.Condition, records.Limit, records.Prediction, records.Joined, records.Join, records.ScoredRow}
    assert defined == set(WRITTEN) | unwritten


def test_every_row_file_of_the_notebooks_is_named():
    written = [name for step in plan.STEPS for name in step.writes]
    expected = {f"{name}.jsonl" for name in written if not name.startswith(("store", "frame", "figures", "scores"))}
    named_files = named("A study's rows", "file")
    assert expected == {name for name in named_files if name.endswith(".jsonl")}
    others = {name for name in named_files if not name.endswith(".jsonl")}
    assert others == {"store.sqlite", "frame.parquet", "notebooks/", "report.html"}
    for table in (name.removeprefix("store: ") for name in written if name.startswith("store: ")):
        assert any(heading.startswith(f"`store.sqlite`, table `{table}`") for heading in SECTIONS), table
    run = paths.Study("s")
    assert run.store.name == "store.sqlite" and run.notebooks.name == "notebooks" and run.cache.name == ".cache"
    assert run.frame.name == "frame.parquet" and paths.slug("local/reader") == "local-reader"


def test_every_writer_and_notebook_number_is_right():
    writers = {name: step.number for step in plan.STEPS for name in step.writes}
    for row in rows_of("A study's rows", "file"):
        name = words(row[0])[0]
        if name.endswith(".jsonl"):
            assert row[1] == writers[name.removesuffix(".jsonl")], name


def test_every_column_of_the_frame_s_file_is_described():
    in_words = {"str": "text", "int64": "integer", "bool": "boolean"}
    in_words |= {"Int64": "integer or null", "Float64": "number or null", "boolean": "boolean or null"}
    expected = [(name, in_words[kind]) for name, kind in (answers.FRAME_KEYS | frames.FRAME_TYPES).items()]
    assert [(words(row[0])[0], row[1]) for row in rows_of("`frame.parquet`", "column")] == expected


def test_demo_rows_have_the_fields_that_are_described():
    documents = [json.loads(line) for line in (DATA / "demo" / "documents.jsonl").read_text("utf-8").splitlines()]
    questions = [json.loads(line) for line in (DATA / "demo" / "questions.jsonl").read_text("utf-8").splitlines()]
    described = named("`data/demo/documents.jsonl`", "field")
    assert documents and all(list(row) == described for row in documents)
    asked = named(heading_of(records.Question), "field")
    assert questions and all(list(row) == asked for row in questions)
    families = [(words(row[0])[0], words(row[1])[0]) for row in rows_of("The demo corpus", "family")]
    # Seven families of eight: two sources and six hard negatives.
    expected = {(*family, role): n for family in families for role, n in (("source", 2), ("hard_negative", 6))}
    assert Counter((row["family"], row["document_type"], row["role"]) for row in documents) == expected
    tasks = set(words(" ".join(SECTIONS["`data/demo/questions.jsonl`"]))) - set(asked)
    assert {row["task_type"] for row in questions} <= tasks
    assert all(type(json.loads(row["answer"])) is list for row in questions if row["answer_format"] == "List")
    assert all(row["evidence_spans"] for row in questions if row["answer_format"] != "None")


# --- Published numbers and upstream files ----------------------------------------------------------------------------


@pytest.mark.parametrize("path", sorted((DATA / "published").glob("*.csv")), ids=lambda path: path.name)
def test_every_published_column_is_described(path):
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    heading = f"`data/published/{path.name}`"
    assert named(heading, "column") == list(rows[0])
    for name, kind, _ in rows_of(heading, "column"):
        values = [row[words(name)[0]] for row in rows]
        if kind.startswith(("number", "integer")):
            assert all(value == "" or float(value) is not None for value in values), name
        if kind == "integer":
            assert all(re.fullmatch(r"\d+", value) for value in values), name
        if kind == "number":
            assert "" not in values, name


def test_published_tables_agree_with_each_other():
    def read(name):
        return pd.read_csv(DATA / "published" / name, keep_default_na=False, na_values=[""])

    accuracy = read("table_1_judge_accuracy.csv").melt(["model", "condition"], list(records.MODALITIES), "modality")
    keys = ["model", "modality", "condition"]
    both = accuracy.dropna().merge(read("table_4_metrics.csv"), on=keys, how="outer", validate="1:1")
    # Three models by five markdown conditions, and control in image and PDF: 15 + 6.
    assert len(both) == 21 and both["value"].eq(both["judge"]).all()
    for name in ("table_2_conditions.csv", "table_3_cell_sizes.csv"):
        assert tuple(read(name)["condition"]) == records.CONDITIONS


def test_every_column_of_the_digests_is_described():
    header, *lines = (DATA / "mmlongbench_blobs.tsv").read_text("utf-8").splitlines()
    described = named("`data/mmlongbench_blobs.tsv`", "column")
    assert described == header.split("\t")
    rows = [dict(zip(described, line.split("\t"), strict=True)) for line in lines]
    places = named("`data/mmlongbench/`", "file")
    assert all(any(fnmatch(row["saved_as"], place) for place in places) for row in rows)
    assert all(re.fullmatch("[0-9a-f]{40}", row[name]) for row in rows for name in ("commit", "git_blob_sha1"))
    assert len({(row["repository"], row["commit"]) for row in rows}) == len({row["repository"] for row in rows})


# --- A corpus of one's own -------------------------------------------------------------------------------------------


def test_every_column_of_a_questions_file_is_described():
    rows = rows_of("A corpus of your own", "column")
    told = {words(row[0])[0]: row[1] for row in rows}
    assert told == {**dict.fromkeys(REQUIRED, "yes"), **dict.fromkeys(OPTIONAL, "no")}


def example(kind: str) -> str:
    (found,) = re.findall(rf"^```{kind}\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)
    return found


def own_corpus(folder: Path, kind: str):
    for name in ("guide.pdf", "reports/annual-2023.pdf"):
        assert f"documents/{name}" in TEXT
        path = folder / "documents" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with pymupdf.open() as document:
            for number in (1, 2, 3):
                document.new_page().insert_text((72, 72), f"Page {number} of {name}")
            document.save(path)
    (folder / f"questions.{kind}").write_text(example(kind), "utf-8")
    return load_corpus(str(folder))


def test_both_examples_load_and_say_the_same(tmp_path):
    from_json, from_csv = (own_corpus(tmp_path / kind, kind) for kind in ("jsonl", "csv"))
    assert from_json.questions == from_csv.questions
    assert not from_json.exclusions and not from_json.notes and not from_csv.notes
    facts = [(row.document_id, row.answer, row.answer_format, row.evidence_pages) for row in from_csv.questions]
    assert facts == [
        ("reports/annual-2023.pdf", "12", "Int", (2,)),
        ("reports/annual-2023.pdf", "['Aldham', 'Brackley']", "List", (2, 3)),
        ("guide.pdf", "Not answerable", "None", ()),
    ]
    assert from_csv.questions[1].evidence_sources == ("Table", "Pure-text (Plain-text)")
    assert all(re.fullmatch(r"own-[0-9a-f]{10}", row.question_id) for row in from_csv.questions)
    assert {row.annotation for row in from_csv.questions} == {"own"}


def test_the_examples_are_refused_once_they_are_wrong(tmp_path):
    own_corpus(tmp_path, "csv")
    sheet = tmp_path / "questions.csv"
    for right, wrong, message in (
        ("evidence_pages", "evidence_page", "is 'evidence_pages' meant"),
        (",12,2,", ",12,4,", "evidence_pages"),
        ("recall", "memory", "skill"),
        ("guide.pdf", "guido.pdf", "is 'guide.pdf' meant"),
        (",answer,", ",reply,", "field 'answer': the column is missing"),
    ):
        sheet.write_text(example("csv").replace(right, wrong), "utf-8")
        with pytest.raises(checks.CorpusError, match=message):
            load_corpus(str(tmp_path))


# --- Closed vocabularies ---------------------------------------------------------------------------------------------


def raised_flags() -> set[str]:
    """Return every flag that a page can get: by its text, by its rotation, and by its document."""
    text = "(cid:3)\ufffd\ufb01\n" + "a\n" * 8
    by_text = {*page_work.text_flags(""), *page_work.text_flags(text)}
    return by_text | {"rotated"} | set(rendering.DOCUMENT_WARNINGS)


def saved_values(name: str, column: str) -> tuple[str, ...]:
    """Return the values of a column of one of the demo study's tables, each once and in order."""
    with (ROOT / "figures" / "demo" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return tuple(dict.fromkeys(row[column] for row in csv.DictReader(file)))


VOCABULARIES = {
    "conditions": records.CONDITIONS,
    "modalities": records.MODALITIES,
    "distractor types": records.DISTRACTOR_TYPES,
    "answer formats": records.ANSWER_FORMATS,
    "document roles": records.ROLES,
    "document types of the demo corpus and MMLongBench-Doc": records.DOCUMENT_TYPES,
    "rendering statuses": ("rendered", "failed"),
    "response statuses": records.RESPONSE_STATUSES,
    "verdict statuses": records.VERDICT_STATUSES,
    "limits": records.LIMITS,
    "error classes": tuple(errors.FAULTS),
    "leak statuses": ("pass", "fail", "not_applicable"),
    "verdicts on hard negatives": ("good", "weak", "bad"),
    "where a wrong answer stands": attribution.STANDS_IN,
    "verdicts of claims": ("shown", "suggested", "not shown"),
    "verdicts of the calibration": ("holds", "conservative", "fails", "not applicable"),
    "interval methods": saved_values("intervals", "interval"),
    "effects of topic and length": saved_values("length_effects", "effect"),
    "variations": saved_values("sensitivity", "variation"),
}


def told_vocabularies() -> dict[str, list[str]]:
    return {row[0]: words(row[1]) for row in rows_of("Closed vocabularies", "vocabulary")}


@pytest.mark.parametrize("name", VOCABULARIES)
def test_a_vocabulary_is_the_code_s(name):
    assert tuple(told_vocabularies()[name]) == tuple(VOCABULARIES[name])


def test_page_flags_are_the_code_s():
    told = told_vocabularies()
    assert set(told) == {*VOCABULARIES, "page flags"}
    assert sorted(told["page flags"]) == sorted(raised_flags())
    docstring = records.PageQuality.__doc__ or ""
    assert all(flag in docstring for flag in told["page flags"])


def test_vocabularies_without_a_constant_stand_in_the_docstrings():
    for record, name in (
        (records.HardNegative, "leak statuses"),
        (records.HardNegative, "verdicts on hard negatives"),
        (records.Rendering, "rendering statuses"),
    ):
        assert all(f"``{value}``" in (record.__doc__ or "") for value in VOCABULARIES[name]), name


def test_verdicts_are_those_that_are_given():
    ends = [(0.01, 0.02, 0.01), (0.01, 0.02, 0.2), (0.01, 0.02, None), (-0.01, 0.02, 0.01), (None, None, None)]
    given = [claims.verdict_of({"low": low, "high": high, "p_holm": p}) for low, high, p in ends]
    assert given == ["shown", "suggested", "suggested", "not shown", ""]
    assert {*given} - {""} == {*VOCABULARIES["verdicts of claims"]}
    with (DATA / "calibration" / "calibration.csv").open(encoding="utf-8", newline="") as file:
        given = {row["verdict"] for row in csv.DictReader(file)}
    assert given - {""} <= {*VOCABULARIES["verdicts of the calibration"]}
    source = (ROOT / "benchmarks" / "calibration.py").read_text("utf-8")
    assert all(f'"{verdict}"' in source for verdict in VOCABULARIES["verdicts of the calibration"])


def test_values_that_are_explained_are_those_of_the_vocabulary():
    for first_column, name in (
        ("answer format", "answer formats"),
        ("response status", "response statuses"),
        ("error class", "error classes"),
        ("leak status", "leak statuses"),
        ("page flag", "page flags"),
        ("claim verdict", "verdicts of claims"),
        ("calibration verdict", "verdicts of the calibration"),
        ("variation", "variations"),
    ):
        assert named("Closed vocabularies", first_column) == told_vocabularies()[name]


def test_every_error_class_has_its_status_and_its_rule_for_asking_again():
    told = {words(row[0])[0]: (words(row[1])[0], row[2]) for row in rows_of("Closed vocabularies", "error class")}
    assert told == {name: (fault.status, fault.again) for name, fault in errors.FAULTS.items()}
    below = "\n".join(SECTIONS["Closed vocabularies"])
    assert all(f"*{fault.again}*:" in below for fault in errors.FAULTS.values())


def test_reasons_for_leaving_out_are_those_of_the_code():
    upper = {name: value for name, value in vars(checks).items() if name.isupper() and isinstance(value, str)}
    expected = set(upper.values()) | {
        curation.FEWER_HARD_NEGATIVES,
        curation.RECHECK_LEAK,
        cells.TOO_FEW_HARD_NEGATIVES,
        cells.LEAKING_HARD_NEGATIVE,
        cells.POOL_TOO_SMALL,
        "document not rendered",
    }
    expected.discard(records.NOT_ANSWERABLE)
    assert sorted(named(heading_of(records.Exclusion), "reason")) == sorted(expected)
    assert '"document not rendered"' in Path(cells.__file__).read_text("utf-8")


def test_reasons_against_candidates_are_those_of_the_code():
    source = Path(curation.__file__).read_text("utf-8")
    found = re.findall(r'(?:return |reason=)"([a-z ]+)", ', source)
    assert sorted(named(heading_of(records.HardNegative), "reason")) == sorted(found)


# --- Tables and figures ----------------------------------------------------------------------------------------------


def saved_columns() -> dict[str, list[str]]:
    """Return the columns of every table and figure of the demo study, which has them all, and of the published ones."""
    found = {}
    for path in sorted([*(ROOT / "figures").glob("demo/*.csv"), *(ROOT / "figures").glob("published-numbers/*.csv")]):
        with path.open(encoding="utf-8", newline="") as file:
            found[path.stem] = next(csv.reader(file))
    return found


HEADING = "A study's tables and figures"


def told_columns() -> dict[str, list[str]]:
    """Return the columns of every table and figure as the page tells them, those of another where it says so."""
    rows = {words(row[0])[0]: row for row in rows_of(HEADING, "name")}
    assert len(rows) == len(rows_of(HEADING, "name"))
    own = {name: words(row[4]) for name, row in rows.items() if not row[4].startswith("as ")}
    # No list of columns is told twice, and what refers to another names one that has a list of its own.
    assert len({tuple(columns) for columns in own.values()}) == len(own)
    for place, name in ((3, "rows"), (4, "columns")):
        for row in rows.values():
            if row[place].startswith("as "):
                assert re.fullmatch(r"as `\w+`", row[place]), row
                referred = rows[words(row[place])[0]]
                assert not referred[place].startswith("as "), f"{name} of {row[0]}"
    return {name: own.get(name) or own[words(row[4])[0]] for name, row in rows.items()}


def test_every_saved_table_and_figure_has_the_columns_that_are_told():
    told = told_columns()
    # The demo has no request that is too large, and a figure of nothing is not drawn.
    assert told.pop("figure_infeasible") == told["infeasible"]
    assert told == saved_columns()


def test_every_column_is_described_once_and_nothing_else_is():
    subjects = [heading for heading in SECTIONS if heading.startswith("Columns: ")]
    described = [name for subject in subjects for row in rows_of(subject, "CSV column") for name in words(row[0])]
    assert sorted(described) == sorted({name for columns in told_columns().values() for name in columns})


def test_every_table_of_scored_predictions_has_the_columns_that_are_told():
    told = {words(row[0])[0]: words(row[3]) for row in rows_of("Scores of predictions", "name")}
    saved = {}
    for path in sorted((ROOT / "figures" / "demo-scores").glob("*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            saved[path.stem] = next(csv.reader(file))
    assert saved["figure_systems"] == saved["scores"]
    shown = {name: columns for name, columns in told.items() if name not in ("figure_systems", "score_judges")}
    assert shown == {name: columns for name, columns in saved.items() if name in shown}
    assert {*saved} == {*told}
    assert saved["score_judges"] == saved_columns()["judge_agreement"]
    described = [name for row in rows_of("Scores of predictions", "scored column") for name in words(row[0])]
    assert sorted(described) == sorted({name for columns in shown.values() for name in columns})


def test_the_keys_of_predictions_are_those_that_are_read():
    tables = [line for line in SECTIONS["Predictions and corrections of your own"] if line.startswith("| `")]
    told = [name for line in tables for name in words(line.split("|")[1])]
    assert told[:4] == [*predictions.REQUIRED, "pred"]
    entry = {name.removeprefix("manual_").removeprefix("benchmark_") for name in told[4:]}
    assert set(corrections.CHANGING) <= entry


def test_a_column_that_is_named_in_a_meaning_is_one():
    known = {name for columns in told_columns().values() for name in columns} | set(told_columns())
    known |= {"yes", "no", "majority", "Not answerable", "implied_*", "data/calibration/README.md"}
    known |= {"RQ1", "RQ2", "RQ3", "RQ4", "question", "pairs", "neither", "none", "paper", "reported", "estimated"}
    known |= {"positive", "negative", "undecided", "pooled", "two-sided", "one-sided"}
    known |= {"margin", "length", "shared", "rare"}
    known |= {"reproduces", "no whole-number solution", "type I error", "family-wise error", "coverage"}
    for subject in (heading for heading in SECTIONS if heading.startswith("Columns: ")):
        for _, meaning in rows_of(subject, "CSV column"):
            assert not set(words(meaning)) - known, meaning


def test_every_table_and_figure_that_is_declared_is_named():
    told = {words(row[0])[0]: (row[1], row[2]) for row in rows_of(HEADING, "name")}
    assert told == {item.name: (item.kind, item.notebook) for item in (*ITEMS, *PUBLISHED_ITEMS)}
    told = {words(row[0])[0]: row[1] for row in rows_of("Scores of predictions", "name")}
    assert told == {item.name: item.kind for item in SCORE_ITEMS}


def test_the_manifest_is_described(tmp_path):
    run = paths.Study("s", str(tmp_path / "runs"), str(tmp_path / "figures"))
    files = writers_module.save_table("table_2", tables_module.table_2([]), run, "Conditions.").files
    assert sorted(path.suffix for path in files) == [".csv", ".html", ".md", ".tex"]
    manifest = json.loads((run.figures / "manifest.json").read_text("utf-8"))
    assert sorted(manifest) == ["items", "study"]
    assert sorted(manifest["items"]["table_2"]) == sorted(named("`manifest.json`", "key"))
    about = frames.origin_of(run, "muddle run", pd.DataFrame({"time": ["2026-11-30T12:00:00"]}))
    assert list(about) == named("`manifest.json`", "key of the metadata")
