"""Bundles: rows keep every value in both forms, nothing private gets out, and a replay makes the same bytes offline."""

import dataclasses
import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
import types
import typing
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest
import without_override
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from made_up_study import Rows, make_candidate, make_rendering
from matplotlib.figure import Figure

from muddle_utils.analysis import attribution
from muddle_utils.analysis.answers import read_frame
from muddle_utils.analysis.frames import analysis_command, rows_digest
from muddle_utils.figures import evidence
from muddle_utils.figures.style import save_figure
from muddle_utils.figures.writers import save_table
from muddle_utils.runs import cli, pipeline, plan
from muddle_utils.runs import executed as executed_module
from muddle_utils.runs import settings as settings_module
from muddle_utils.runs.executed import Executed
from muddle_utils.runs.release import bundle_io, bundles, datasheet, provenance, replays
from muddle_utils.runs.release.bundle_io import SUMS, BundleError, check_sums
from muddle_utils.runs.release.report import ReportError, write_report
from muddle_utils.study import paths
from muddle_utils.study.paths import Study, slug
from muddle_utils.study.records import Document, Exclusion, Rendering, Request, Response
from muddle_utils.study.rows import MOST, as_row, from_row, read_rows, write_rows
from muddle_utils.study.store import Store

MODELS = ["local/reader", "azure/gpt-5-mini"]
MODALITIES = ["markdown", "image", "pdf"]
WANTED = {"models": MODELS, "modalities": MODALITIES, "judge": "local/rules", "judges": ["local/rules"]}
KEY = "planted-secret-0123456789abcdef"
KINDS = list(dict.fromkeys((*bundles.RECORDS.values(), *bundles.FAMILIES.values())))


# --- A made-up study on disk ----------------------------------------------------------------------------------------


def lay_rows(study, rows, pages=2):
    """Write the rows of a made-up study where a run writes them, and the markdown of its documents into the cache."""
    write_rows(study.rows("questions"), rows.questions)
    write_rows(study.rows("documents"), rows.documents)
    write_rows(study.rows("hard_negatives"), [make_candidate(f"h{n:03d}.pdf") for n in range(4)])
    write_rows(study.rows("cells"), rows.cells)
    write_rows(study.rows("exclusions"), [Exclusion("question", "q9", "unanswerable", "")])
    for modality in MODALITIES:
        write_rows(study.rows(f"lost_{modality}"), [])
        write_rows(study.rows(f"renderings_{modality}"), renderings(study, rows, modality, pages))
    for pair in dict.fromkeys((row.model, row.modality) for row in rows.requests):
        own = [row for row in rows.requests if (row.model, row.modality) == pair]
        write_rows(study.rows(f"requests_{slug(pair[0])}_{pair[1]}"), own)
    with Store(study.store) as store:
        store.add_all([dataclasses.replace(row, time="2026-03-02T08:00:00+00:00") for row in rows.responses])
        store.add_all([dataclasses.replace(row, time="2026-03-02T09:00:00+00:00") for row in rows.verdicts])
        # What was superseded and asked anew: all three rows stay.
        store.supersede(store.responses()[:1], "2026-03-03T08:00:00+00:00")
        store.add_response(dataclasses.replace(rows.responses[0], time="2026-03-03T09:00:00+00:00"))
        store.supersede(store.verdicts()[:1], "2026-03-03T08:00:00+00:00")
        store.add_verdict(dataclasses.replace(rows.verdicts[0], time="2026-03-03T09:00:00+00:00"))


def renderings(study, rows, modality, pages):
    """Return rows of renderings; the markdown is written, and holds the wrong answer in some documents."""
    made = []
    for number, document in enumerate(rows.documents):
        row = make_rendering(document.document_id, modality, document.n_pages)
        path = study.cache / "renderings" / f"{modality}-{number}"
        if modality == "markdown":
            path = path / "document.md"
            path.parent.mkdir(parents=True, exist_ok=True)
            body = [f"<!-- page {page} -->\n\nPage {page} of “{row.document_id}”, é.\n" for page in range(1, pages + 1)]
            wrong = "17 <script>alert(1)</script>\n" if number % 3 == 0 else ""
            path.write_text("\n".join([*body, wrong]), encoding="utf-8")
        made.append(dataclasses.replace(row, path=str(path)))
    return made


def stamp(moment):
    return datetime.fromtimestamp(moment, UTC).isoformat()


def fake_run(study, number, started, **parameters):
    """Write an executed copy of an analysis notebook, as papermill leaves it, without executing it."""
    step = next(step for step in plan.STEPS if step.number == number)
    notebook = json.loads(step.path.read_text(encoding="utf-8"))
    given = {"study": study.name, "runs_dir": study.runs_dir, "figures_dir": study.figures_dir, **WANTED, **parameters}
    notebook["metadata"]["papermill"] = {
        "parameters": given,
        "exception": None,
        "start_time": stamp(started),
        "end_time": stamp(started + 60),
    }
    study.notebooks.mkdir(parents=True, exist_ok=True)
    (study.notebooks / f"{step.notebook}.ipynb").write_text(json.dumps(notebook), encoding="utf-8")


def made_by(study, number, digest):
    command = analysis_command(study, number, MODELS, MODALITIES, ["local/rules"], "local/rules")
    return {"command": command, "date": "2026-03-03", "digest": digest}


def fake_figures(study, digest):
    """Save a table of each notebook, one that needs the documents' text, and a figure."""
    frame = pd.DataFrame({"model": ["m", "n"], "accuracy": [0.5, None], "not_applicable": ["", "no answer"]})
    save_table("table_1", frame, study, "Accuracy.", metadata=made_by(study, "05", digest))
    save_table("origins", frame, study, "Where it stands.", metadata=made_by(study, "06", digest))
    save_table("variance", frame, study, "Variance.", metadata=made_by(study, "10", digest))
    figure = Figure(figsize=(3, 2))
    figure.add_subplot().plot([0.1, 0.3])
    save_figure("figure_2", figure, study, "Accuracy.", frame, made_by(study, "05", digest))


def analysed(study):
    for number in executed_module.ANALYSES:
        fake_run(study, number, time.time() - 30)
    return study


@pytest.fixture(scope="module")
def rows():
    return Rows(6, 3, seed=1)


@pytest.fixture(scope="module")
def figures(rows, tmp_path_factory):
    """The tables and figures of a study called s, made of these rows; tests copy them."""
    study = Study("s", str(tmp_path_factory.mktemp("runs")), str(tmp_path_factory.mktemp("figures")))
    lay_rows(study, rows)
    fake_figures(study, rows_digest(read_frame(study, MODELS, MODALITIES, "local/rules")))
    return study.figures


def finished(study, rows, figures):
    """Write a small study whose notebooks are said to have run."""
    lay_rows(study, rows)
    shutil.copytree(figures, study.figures, copy_function=shutil.copyfile)
    return analysed(study)


@pytest.fixture
def study(rows, figures, tmp_path):
    """A finished study that a test may change."""
    study = Study("s", str(tmp_path / "home" / "ann" / "runs"), str(tmp_path / "home" / "ann" / "figures"))
    return finished(study, rows, figures)


@pytest.fixture(scope="module")
def exported(rows, figures, tmp_path_factory):
    """A bundle that no test changes."""
    folder = tmp_path_factory.mktemp("exported")
    study = finished(Study("s", str(folder / "runs"), str(folder / "figures")), rows, figures)
    return bundles.export(study, folder / "s-bundle").folder


@pytest.fixture
def bundle(exported, tmp_path):
    """The bundle of a study such as ``paths``, which a test may change."""
    return Path(shutil.copytree(exported, tmp_path / "s-bundle"))


def contents_of(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def signed(folder):
    """Write the checksums anew, as somebody does who changes a bundle on purpose."""
    (folder / SUMS).unlink()
    bundle_io.write_sums(folder)
    return folder


def change(folder, name, old, new):
    path = folder / name
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


@pytest.fixture
def no_notebook(monkeypatch):
    """In place of a notebook: write given files; by default those of the bundle."""
    made = {}

    def execute(run, sockets):
        folder = Path(run.parameters["figures_dir"]) / run.parameters["study"]
        for name, data in made.items():
            (folder / name).write_bytes(data)

    monkeypatch.setattr(replays, "execute", execute)
    return made


# --- Rows in two forms ----------------------------------------------------------------------------------------------

# The numbers that a row may hold.
INTEGERS = st.integers(0, MOST)
TEXTS = st.one_of(
    st.sampled_from(["None", "007", "", "nan", "NaN", "null", "1e5", "a\u2028b\u0085c\r\n\0", "😀é"]), st.text()
)
VALUES = {str: TEXTS, int: INTEGERS, float: st.floats(0, MOST), bool: st.booleans(), types.NoneType: st.none()}


def values_of(hint):
    if typing.get_origin(hint) is tuple:
        return st.lists(VALUES[typing.get_args(hint)[0]], max_size=3).map(tuple)
    return st.one_of(*(VALUES[part] for part in typing.get_args(hint) or (hint,)))


def records_of(kind):
    return st.builds(kind, **{name: values_of(hint) for name, hint in typing.get_type_hints(kind).items()})


def exact(rows):
    """Return rows as texts that tell every value from every other, NaN from null and 1 from 1.0 and true."""
    return [repr(sorted(as_row(row).items())) for row in rows]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_value_comes_back_from_both_forms(kind, tmp_path_factory):
    folder = tmp_path_factory.mktemp("forms")

    @given(st.lists(records_of(kind), max_size=4))
    @settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    def check(rows):
        assert exact(read_rows(write_rows(folder / "rows.jsonl", rows), kind)) == exact(rows)
        table = pq.read_table(bundles.write_parquet(folder / "rows.parquet", rows, kind))
        assert table.schema.equals(bundles.arrow_schema(kind))
        assert exact(from_row(kind, row) for row in table.to_pylist()) == exact(rows)

    check()


def test_a_column_without_a_value_keeps_its_type(tmp_path):
    row = Request("c", "q", "control", "m", "pdf", 1, "f", "", 1, None, 1, "{}")
    path = bundles.write_parquet(tmp_path / "rows.parquet", [row], Request)
    frame = pd.read_parquet(path, dtype_backend="pyarrow")
    assert str(frame["n_chars"].dtype) == "int64[pyarrow]" and frame["n_chars"].isna().all()
    assert str(pq.read_schema(path).field("n_chars").type) == "int64"
    empty = pq.read_schema(bundles.write_parquet(tmp_path / "empty.parquet", [], Request))
    assert empty.equals(pq.read_schema(path))
    assert [field.name for field in empty if field.nullable] == ["n_chars"]


def test_a_reader_of_parquet_gets_texts_as_they_are(bundle, rows):
    frame = pd.read_parquet(bundle / "rows" / "s" / "questions.parquet")
    assert frame["answer"].tolist() == [row.answer for row in rows.questions]
    assert [tuple(pages) for pages in frame["evidence_pages"]] == [row.evidence_pages for row in rows.questions]


def test_a_field_that_a_row_lacks_gets_its_default_and_null_stays_null(study, tmp_path):
    path = study.rows("requests_local-reader_markdown")
    first, *others = path.read_text().splitlines()
    row = json.loads(first)
    del row["tokens_least"]
    row["n_chars"] = None
    path.write_text("\n".join([json.dumps(row), *others]) + "\n")
    folder = bundles.export(study, tmp_path / "b").folder / "rows" / "s"
    written = read_rows(folder / path.name, Request)[0]
    assert written.tokens_least == 0 and written.n_chars is None
    assert pq.read_table(folder / "requests_local-reader_markdown.parquet").to_pylist()[0]["n_chars"] is None


def test_both_forms_hold_all_that_the_study_holds(bundle, study):
    said = json.loads((bundle / "bundle.json").read_text())["rows"]
    stems = {path.stem for path in study.folder.glob("*.jsonl")} | {"responses", "verdicts"}
    assert set(said) == {f"s/{stem}" for stem in stems}
    for place, n in said.items():
        kind = bundles.record_of(place.partition("/")[2])
        written = read_rows(bundle / "rows" / f"{place}.jsonl", kind)
        assert len(written) == n
        table = pq.read_table(bundle / "rows" / f"{place}.parquet")
        assert exact(from_row(kind, row) for row in table.to_pylist()) == exact(written)


def test_superseded_rows_are_there_with_their_marks(bundle, study):
    written = read_rows(bundle / "rows" / "s" / "responses.jsonl", Response)
    with Store(study.store) as store:
        assert written == store.attempts()
        assert len(written) == len(store.responses()) + 2
        judged = store.judgements()
    assert [row.status for row in written].count("superseded") == 1
    frame = pd.read_json(bundle / "rows" / "s" / "verdicts.jsonl", lines=True)
    assert frame["status"].tolist() == [row.status for row in judged]
    assert frame["status"].tolist().count("superseded") == 1


# --- The folder -----------------------------------------------------------------------------------------------------


def test_the_checksums_are_those_of_sha256sum(bundle):
    names = set(contents_of(bundle)) - {SUMS}
    lines = (bundle / SUMS).read_text().splitlines()
    assert [line[66:] for line in lines] == sorted(names)
    for line in lines:
        assert line[:64] == hashlib.sha256((bundle / line[66:]).read_bytes()).hexdigest() and line[64:66] == "  "
    if shutil.which("sha256sum"):
        done = subprocess.run(["sha256sum", "-c", "--strict", "--quiet", SUMS], cwd=bundle, capture_output=True)
        assert done.returncode == 0, done.stderr


def test_the_same_study_elsewhere_gives_the_same_bytes(bundle, rows, figures, tmp_path):
    other = Study("s", str(tmp_path / "other" / "runs"), str(tmp_path / "other" / "figures"))
    finished(other, rows, figures)
    again = bundles.export(other, tmp_path / "again", as_zip=True)
    assert contents_of(again.folder) == contents_of(bundle)
    first = again.zipped.read_bytes()
    with zipfile.ZipFile(again.zipped) as archive:
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
    assert bundles.export(other, tmp_path / "again", as_zip=True).zipped.read_bytes() == first


def test_a_study_that_cannot_be_written_is_exported_elsewhere_unless_it_is_under_way(study, tmp_path):
    with pipeline.only_run_of(study):
        pass
    arguments = ["export", "s", "--runs-dir", study.runs_dir, "--figures-dir", study.figures_dir]
    with without_override.read_only(study.folder), without_override.read_only(study.figures):
        done = without_override.muddle(*arguments, "--out", tmp_path / "b")
        with pipeline.only_run_of(study):
            refused = without_override.muddle(*arguments, "--out", tmp_path / "c")
    assert (done.returncode, done.stderr) == (0, "")
    assert refused.returncode == 1 and "is being run by another process" in refused.stderr
    written = bundles.export(study, tmp_path / "again").folder
    assert contents_of(tmp_path / "b") == contents_of(written)


def test_figures_markdown_and_lock_are_the_files_themselves(bundle, study, rows):
    for path in study.figures.iterdir():
        assert (bundle / "figures" / path.name).read_bytes() == path.read_bytes()
    for row in read_rows(bundle / "rows" / "s" / "renderings_markdown.jsonl", Rendering):
        assert (
            "é" in (bundle / row.path).read_text(encoding="utf-8")
            and row.document_id in (bundle / row.path).read_text()
        )
    assert len(list((bundle / "markdown").iterdir())) == len(rows.documents)
    assert (bundle / "requirements.lock").read_bytes() == (paths.project_root() / "requirements.lock").read_bytes()


def test_parameters_are_all_that_the_notebooks_ran_with_but_places(bundle):
    said = json.loads((bundle / "bundle.json").read_text())["notebooks"]
    assert set(said) == {"05_analysis", "06_failures", "10_robustness"}
    said["05_analysis"].pop("command", None)
    assert said["05_analysis"] == {
        **{"study": "s", **WANTED},
        **{"others": [], "allow_unlike": False, "margin": 0.05, "seed": 42, "n_resamples": 10_000},
    }


def test_the_rows_of_studies_set_beside_it_go_with_it(rows, study, tmp_path):
    beside = dataclasses.replace(study, name="beside")
    lay_rows(beside, rows)
    fake_run(study, "05", time.time() - 30, others=["beside"])
    folder = bundles.export(study, tmp_path / "b").folder
    assert json.loads((folder / "bundle.json").read_text())["studies"] == ["s", "beside"]
    assert (folder / "rows" / "beside" / "responses.parquet").is_file()
    assert replays.read_contents(folder, check_sums(folder)).studies == ("s", "beside")


def test_an_older_bundle_gives_way_whole(study, tmp_path):
    out = bundles.export(study, tmp_path / "b").folder
    assert (out / "markdown").is_dir()
    bundles.export(study, out, documents=False)
    assert not (out / "markdown").exists()
    check_sums(out)
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


@pytest.mark.parametrize("there", ["folder", "file", "note in a bundle", "damaged list"])
def test_what_no_export_wrote_is_not_overwritten(study, tmp_path, there):
    out = tmp_path / "out"
    if there == "file":
        out.write_text("mine")
    elif there == "folder":
        out.mkdir()
        (out / "mine.txt").write_text("mine")
    else:
        bundles.export(study, out)
        (out / ("note.txt" if there == "note in a bundle" else SUMS)).write_text("mine")
    with pytest.raises(BundleError, match="not overwritten"):
        bundles.export(study, out)
    assert (
        "mine"
        in (
            out if out.is_file() else next(p for p in out.iterdir() if p.name in ("mine.txt", "note.txt", SUMS))
        ).read_text()
    )


def test_a_bundle_of_another_study_is_not_overwritten(study, bundle, tmp_path):
    done = bundles.export(study, tmp_path / "mine", as_zip=True)
    assert done.remarks == ()
    assert bundles.export(study, done.folder, as_zip=True).remarks == (
        f"{done.folder} held an older bundle of this study, which is replaced",
    )
    change(done.folder, "bundle.json", '"study": "s"', '"study": "t"')
    with pytest.raises(BundleError, match=r"mine is there and is a bundle of the study 't', so it is not overwritten"):
        bundles.export(study, done.folder)
    with zipfile.ZipFile(tmp_path / "b.zip", "w") as archive:
        archive.writestr("b/bundle.json", '{"study": "t"}')
    with pytest.raises(BundleError, match=r"b\.zip is there and is a bundle of the study 't'"):
        bundles.export(study, tmp_path / "b", as_zip=True)
    (done.folder / "bundle.json").write_text("{")
    with pytest.raises(BundleError, match=r"mine is there and is a damaged bundle"):
        bundles.export(study, done.folder)


def test_a_place_that_cannot_be_written_is_one_clear_error(study, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(BundleError, match=r"file.* cannot be written or read \(.+\): mend that, or give another --out"):
        bundles.export(study, tmp_path / "file" / "b")


def test_what_is_set_beside_other_studies_is_no_study_to_export(study, tmp_path):
    place = dataclasses.replace(study, figures_dir=str(tmp_path / "figures" / "s+t"))
    path = study.notebooks / "05_analysis.ipynb"
    fake_run(place, "05", time.time() - 30, others=["t"])
    path.rename(path.with_stem("05_analysis--beside-t"))
    fake_run(study, "05", time.time() - 30)
    bundles.export(study, tmp_path / "b")
    with pytest.raises(BundleError, match=r"sets other studies beside 's': export each study with its own"):
        bundles.export(place, tmp_path / "c")


def test_an_archive_that_is_not_ours_is_not_overwritten(study, tmp_path):
    with zipfile.ZipFile(tmp_path / "b.zip", "w") as archive:
        archive.writestr("mine.txt", "mine")
    with pytest.raises(BundleError, match=r"b\.zip is there and is no bundle"):
        bundles.export(study, tmp_path / "b", as_zip=True)
    assert not (tmp_path / "b").exists()


def test_an_export_that_fails_leaves_the_older_one_as_it_was(study, tmp_path):
    out = bundles.export(study, tmp_path / "b").folder
    before = contents_of(out)
    study.rows("cells").write_text("no row\n")
    with pytest.raises(Exception, match="line 1"):
        bundles.export(study, out)
    assert contents_of(out) == before
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_row_files_of_no_known_kind_are_named(study, tmp_path):
    study.rows("notes").write_text("{}\n")
    done = bundles.export(study, tmp_path / "b")
    assert any("notes.jsonl" in remark for remark in done.remarks)
    assert not list(done.folder.rglob("notes*"))


# --- What is missing or stale -----------------------------------------------------------------------------------------


def test_notebooks_that_never_ran_are_named_with_the_command(study, tmp_path):
    for number in ("05", "10"):
        next(study.notebooks.glob(f"{number}_*")).unlink()
    with pytest.raises(BundleError) as caught:
        bundles.export(study, tmp_path / "b")
    command = (
        "muddle run --study s --model local/reader --model azure/gpt-5-mini --modality markdown --modality image "
        f"--modality pdf --judge local/rules --only 05 --only 10 --runs-dir {study.runs_dir}"
    )
    assert "notebook 05 and 10 was never run" in str(caught.value) and sorted(command.split()) == sorted(
        word for word in str(caught.value).partition("made: ")[2].split() if word in command.split()
    )


def test_a_study_that_asked_nothing_is_sent_to_muddle_run(tmp_path):
    study = Study("s", str(tmp_path / "runs"), str(tmp_path / "figures"))
    study.folder.mkdir(parents=True)
    with pytest.raises(BundleError, match=r"'s' has no answer yet, so .*: muddle run --study s --model local/reader"):
        bundles.export(study, tmp_path / "b")


@pytest.mark.parametrize("change", [{"exception": True}, {"end_time": None}])
def test_a_notebook_that_did_not_end_well_is_named_with_the_command(study, tmp_path, change):
    path = study.notebooks / "06_failures.ipynb"
    notebook = json.loads(path.read_text())
    notebook["metadata"]["papermill"] |= change
    path.write_text(json.dumps(notebook))
    with pytest.raises(BundleError, match=r"06_failures\.ipynb did not end well.*--only 06"):
        bundles.export(study, tmp_path / "b")


def test_a_notebook_that_failed_since_is_named_with_the_command(study, tmp_path):
    (study.notebooks / "failed").mkdir()
    shutil.copy(study.notebooks / "06_failures.ipynb", study.notebooks / "failed")
    with pytest.raises(BundleError, match=r"06_failures\.ipynb did not end well.*--only 06"):
        bundles.export(study, tmp_path / "b")


@pytest.mark.parametrize("text", ["{", "[]", '{"metadata": {}}', '{"metadata": {"papermill": {"parameters": 3}}}'])
def test_a_copy_that_is_no_executed_notebook_is_named(study, tmp_path, text):
    (study.notebooks / "05_analysis.ipynb").write_text(text)
    with pytest.raises(BundleError, match=r"05_analysis\.ipynb is no executed notebook: muddle run"):
        bundles.export(study, tmp_path / "b")


def test_tables_that_are_gone_or_changed_are_named_with_the_command(study, tmp_path):
    (study.figures / "table_1.csv").write_text("mended by hand\n")
    with pytest.raises(BundleError, match=r"table_1\.csv is not the file that manifest.json lists.*muddle run"):
        bundles.export(study, tmp_path / "b")
    (study.figures / "table_1.csv").unlink()
    with pytest.raises(BundleError, match=r"table_1\.csv is not the file"):
        bundles.export(study, tmp_path / "b")
    (study.figures / "manifest.json").write_text("[]")
    with pytest.raises(BundleError, match="is no manifest of figures"):
        bundles.export(study, tmp_path / "b")
    (study.figures / "manifest.json").unlink()
    with pytest.raises(BundleError, match=r"manifest\.json is missing.*--only 05 --only 06 --only 10"):
        bundles.export(study, tmp_path / "b")


def test_markdown_that_left_the_cache_is_named_with_the_way_out(study, tmp_path):
    shutil.rmtree(study.cache)
    with pytest.raises(BundleError, match=r"document\.md is gone.*--without-documents"):
        bundles.export(study, tmp_path / "b")
    assert bundles.export(study, tmp_path / "b", documents=False).folder.is_dir()


def test_a_finished_study_has_no_remarks(study, tmp_path):
    assert bundles.export(study, tmp_path / "b").remarks == ()


def test_tables_of_other_parameters_are_said_in_the_datasheet_too(study, tmp_path):
    fake_run(study, "05", time.time() - 30, models=MODELS[:1])
    done = bundles.export(study, tmp_path / "b")
    differing, remark = done.remarks
    assert differing == (
        "The analyses did not all run with the same models: notebook 05 with local/reader; 06 and 10 with "
        "local/reader, azure/gpt-5-mini."
    )
    assert remark.startswith("figure_2, table_1: not made by the notebooks as they were last executed")
    assert f"- {differing}\n" in (done.folder / "README.md").read_text()
    assert "Figure_2, table_1: not made by" in (done.folder / "README.md").read_text()
    assert replays.read_contents(done.folder, check_sums(done.folder)).doubts == done.remarks


def test_files_written_at_another_time_than_their_notebook_ran_are_said(study, tmp_path):
    os.utime(study.figures / "variance.md", (time.time() + 3600, time.time() + 3600))
    (remark,) = bundles.export(study, tmp_path / "b").remarks
    assert remark.startswith("1 files, variance.md for one") and "a replay will differ" in remark


def test_rows_later_than_the_tables_are_said(study, tmp_path):
    with Store(study.store) as store:
        store.add_response(dataclasses.replace(store.responses()[0], time=stamp(time.time() + 60)))
    (remark,) = bundles.export(study, tmp_path / "b").remarks
    assert "stored after the tables" in remark


def test_tables_of_other_rows_are_said_with_a_command_here_and_without_folders_in_the_bundle(study, tmp_path):
    with Store(study.store) as store:
        judged = next(row for row in store.verdicts("local/rules") if row.status == "judged")
        store.add_verdict(dataclasses.replace(judged, correct=not judged.correct))
    done = bundles.export(study, tmp_path / "b")
    (remark,) = done.remarks
    assert remark.startswith(
        "Tables and figures of notebook 05 and 06 and 10 were made of other rows than those on disk"
    )
    assert (
        f"--runs-dir {study.runs_dir}" in remark
        and remark.endswith(study.figures_dir)
        and "--only 05 --only 06 --only 10" in remark
    )
    (doubt,) = replays.read_contents(done.folder, check_sums(done.folder)).doubts
    assert "other rows than those on disk" in doubt and "--runs-dir" not in doubt
    assert "were made of other rows than those on disk" in (done.folder / "README.md").read_text()


def test_a_study_under_way_is_not_exported(study, tmp_path):
    with (
        pipeline.only_run_of(study),
        pytest.raises(settings_module.RunError, match="being run by another process"),
    ):
        bundles.export(study, tmp_path / "b")


# --- Nothing private ------------------------------------------------------------------------------------------------


def all_texts(folder):
    """Return everything that a bundle says, Parquet unpacked, by file."""
    found = {}
    for name, data in contents_of(folder).items():
        if name.endswith(".parquet"):
            data = repr(pq.read_table(folder / name).to_pylist()).encode()
        found[name] = data
    return found


def test_no_folder_user_or_host_gets_out(study, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "home" / "ann"))
    monkeypatch.setattr("platform.node", lambda: "annes-laptop")
    found = read_rows(study.rows("documents"), Document)
    write_rows(
        study.rows("documents"), [dataclasses.replace(row, path=f"{tmp_path}/home/ann/pdf{row.path}") for row in found]
    )
    write_rows(
        study.rows("lost_pdf"), [Exclusion("cell", "c", "document not rendered", f"{tmp_path}/home/ann/x.pdf: bad")]
    )
    with Store(study.store) as store:
        row = store.responses()[0]
        error = f"FileNotFoundError: '{study.folder}/part', {tmp_path}/home/ann, and /v1/chat/completions"
        route = "openai/m at http://annes-laptop:8000/v1"
        store.add_response(
            dataclasses.replace(row, status="failed", error=error, route=route, time="2026-03-04T08:00:00")
        )
    for number in executed_module.ANALYSES:
        fake_run(study, number, time.time() - 30)
    done = bundles.export(study, tmp_path / "b")
    for name, data in all_texts(done.folder).items():
        for private in (str(tmp_path), "/ann", "annes-laptop", str(paths.project_root()), sys.prefix):
            assert private.encode() not in data, (name, private)
    changed = read_rows(done.folder / "rows" / "s" / "responses.jsonl", Response)[-1]
    assert changed.error == "FileNotFoundError: '…/part', …, and /v1/chat/completions"
    assert changed.route == "openai/m at http://localhost:8000/v1"
    assert sum("2 rows named folders or the host" in remark for remark in done.remarks) == 1


def test_texts_of_people_and_models_are_never_changed(study, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", "/root")
    text = f"It is in /root/.profile, {tmp_path} and http://h."
    with Store(study.store) as store:
        store.add_response(dataclasses.replace(store.responses()[0], text=text))
    folder = bundles.export(study, tmp_path / "b").folder
    assert read_rows(folder / "rows" / "s" / "responses.jsonl", Response)[-1].text == text


def test_a_folder_in_a_table_is_refused(study, tmp_path):
    frame = pd.DataFrame({"reason": [f"{study.folder}/x is damaged"]})
    save_table("table_1", frame, study, "Accuracy.", metadata=made_by(study, "05", "d" * 64))
    with pytest.raises(BundleError, match=r"figures/table_1\.\w+ would publish .*runs/s, a folder of this machine"):
        bundles.export(study, tmp_path / "b")
    assert not (tmp_path / "b").exists()


@pytest.mark.parametrize("where", ["an answer", "a document", "a table"])
def test_a_key_of_the_environment_is_refused_wherever_it_is(study, tmp_path, monkeypatch, where):
    if where == "an answer":
        with Store(study.store) as store:
            store.add_response(dataclasses.replace(store.responses()[0], text=f"You sent {KEY}."))
    elif where == "a document":
        next(study.cache.rglob("*.md")).write_text(f"key: {KEY}")
    else:
        save_table("table_1", pd.DataFrame({"a": [KEY]}), study, "Accuracy.", metadata=made_by(study, "05", "d" * 64))
    assert bundles.export(study, tmp_path / "b").folder.is_dir()
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with pytest.raises(BundleError, match="would hold the value of a key in the environment") as caught:
        bundles.export(study, tmp_path / "c")
    assert KEY not in str(caught.value) and not (tmp_path / "c").exists()


LOOKS = [
    *("sk-hunter2x-0123456789abcdefghij", "Authorization: Bearer hunter2xabcdef0123456789", "AKIAHUNTER2X01234567"),
    *("https://me:hunter2x@host.example/v1", "-----BEGIN RSA PRIVATE KEY-----"),
]


@pytest.mark.parametrize("field", ["error", "model_returned", "text", "sent", "route"])
@pytest.mark.parametrize("value", LOOKS)
def test_what_looks_like_a_key_is_refused_with_file_and_field(study, tmp_path, field, value):
    with Store(study.store) as store:
        store.add_response(dataclasses.replace(store.responses()[0], **{field: f"said {value} there"}))
    with pytest.raises(BundleError, match=rf"rows/s/responses\.jsonl, field {field}, .* looks like a key") as caught:
        bundles.export(study, tmp_path / "b")
    assert "hunter2x" not in str(caught.value).lower() and not (tmp_path / "b").exists()
    with pytest.raises(ReportError, match=rf"responses, field {field}, .* looks like a key") as caught:
        write_report(study, tmp_path / "page.html")
    assert "hunter2x" not in str(caught.value).lower() and not (tmp_path / "page.html").exists()


def test_what_looks_like_a_key_in_a_table_is_refused_with_its_column(study, tmp_path):
    save_table("table_1", pd.DataFrame({"a": [LOOKS[0]]}), study, "Accuracy.", metadata=made_by(study, "05", "d" * 64))
    with pytest.raises(BundleError, match=r"figures/table_1\.csv, field a, would hold what looks like a key"):
        bundles.export(study, tmp_path / "b")


@pytest.mark.parametrize("value", LOOKS)
def test_an_example_of_a_manual_and_an_answer_that_quotes_it_are_handed_on(study, tmp_path, value):
    file = next(study.cache.rglob("*.md"))
    file.write_text(f"{file.read_text()}\nSend {value} and the password: correct-horse-1\n")
    with Store(study.store) as store:
        store.add_response(dataclasses.replace(store.responses()[0], text=f"It is {value}, password: correct-horse-1"))
    folder = bundles.export(study, tmp_path / "b").folder
    assert value in read_rows(folder / "rows" / "s" / "responses.jsonl", Response)[-1].text


def test_a_key_that_is_only_in_the_environment_stays_there(study, tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    folder = bundles.export(study, tmp_path / "b").folder
    assert [name for name, data in all_texts(folder).items() if KEY.encode() in data] == []


# --- The datasheet --------------------------------------------------------------------------------------------------


def test_every_column_of_every_kind_has_its_meaning(bundle):
    text = (bundle / "README.md").read_text(encoding="utf-8")
    columns = text[text.index("## Columns of the rows") : text.index("## Vocabularies")]
    said = json.loads((bundle / "bundle.json").read_text())["rows"]
    for stem in {place.partition("/")[2] for place in said}:
        heading = next(line for line in columns.splitlines() if line.startswith("### ") and f"`{stem}`" in line)
        table = columns[columns.index(heading) :].partition("\n### ")[0]
        for name in typing.get_type_hints(bundles.record_of(stem)):
            (line,) = [line for line in table.splitlines() if line.startswith(f"| `{name}` |")]
            assert len(line.strip("| ").split(" | ")[-1]) > 2, line


def test_the_datasheet_says_what_how_whose_and_what_not(bundle, study, rows):
    text = (bundle / "README.md").read_text(encoding="utf-8")
    with Store(study.store) as store:
        assert f"| s/responses | {len(store.attempts())} |" in text
    assert "muddle run --study s --model local/reader --model azure/gpt-5-mini" in text
    assert 'reply "Not answerable".' in text and "## Known limits" in text
    assert f"| CC0 | source | {sum(row.role == 'source' for row in rows.documents)} |" in text
    assert "| question | unanswerable | 1 |" in text
    assert "keeps its owner's rights" in text and "sha256sum -c SHA256SUMS" in text
    assert "| table\\_1 | Accuracy. |" in text and "RateLimitError" in text


def test_the_command_is_one_that_the_command_line_takes():
    settings = settings_module.Settings(
        "s",
        models=("local/reader", "openai/gpt-5-mini"),
        plans=(settings_module.ModalityPlan("markdown"), settings_module.ModalityPlan("image", ("control", "hn-2"), 7)),
        judges=("local/rules", "a", "b"),
        headline="majority",
        limit=5,
        placement_key="question_k",
        replicates=2,
        extra={"n_resamples": 500, "condition": "hn-2"},
    )
    executed = [Executed(run.output.stem, run.parameters, False) for run in plan.plan_runs(settings)]
    command = datasheet.run_command("s", executed)
    given = __import__("shlex").split(command)[1:]
    assert cli.settings_from(cli.parser().parse_args(given)) == settings


def test_the_command_names_no_folder_and_no_address():
    settings = settings_module.Settings(
        "s",
        corpus="/home/ann/corpus",
        runs_dir="/home/ann/runs",
        api_base="http://h:1/v1",
        models_file="/home/ann/m.toml",
    )
    executed = [Executed(run.output.stem, run.parameters, False) for run in plan.plan_runs(settings)]
    command = datasheet.run_command("s", executed)
    assert "/home" not in command and "http" not in command and "--corpus …/corpus" in command.replace("'", "")


def test_a_prompt_stands_in_a_fence_that_it_cannot_close():
    text = datasheet._prompt(provenance.Prompt("Judge", "a\n```\n# b\n````\n"))
    assert text.splitlines()[2] == text.splitlines()[-1] == "`````"


# --- Checks before a replay -----------------------------------------------------------------------------------------


def test_damaged_missing_and_linked_files_are_all_named(bundle, tmp_path):
    (bundle / "README.md").write_text("other")
    (bundle / "rows" / "s" / "cells.jsonl").unlink()
    secret = tmp_path / "secret"
    secret.write_bytes((bundle / "requirements.lock").read_bytes())
    (bundle / "requirements.lock").unlink()
    (bundle / "requirements.lock").symlink_to(secret)
    (bundle / "markdown").rename(tmp_path / "elsewhere")
    (bundle / "markdown").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(BundleError) as caught:
        check_sums(bundle)
    said = str(caught.value)
    assert "README.md (damaged)" in said and "rows/s/cells.jsonl (missing)" in said
    assert "requirements.lock (a link)" in said and ".md (a link)" in said


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("0" * 64 + "  ../x", "leads out"),
        ("0" * 64 + "  rows/../../x", "leads out"),
        ("0" * 64 + "  /etc/passwd", "no relative way"),
        ("0" * 64 + "  C:\\x", "no relative way"),
        ("0" * 64 + "  .hidden", "no plain name"),
        ("0" * 64 + "  rows//x", "no plain name"),
        ("0" * 64 + "  README.md", "there twice"),
        ("0" * 63 + "  README.md", "no checksum and name"),
        ("no line", "no checksum and name"),
    ],
)
def test_a_list_of_checksums_with_a_trick_is_refused(bundle, line, problem):
    with (bundle / SUMS).open("a") as file:
        file.write(f"{line}\n")
    n = len((bundle / SUMS).read_text().splitlines())
    with pytest.raises(BundleError, match=rf"line {n}: .*{problem}"):
        check_sums(bundle)


def test_a_list_that_leaves_out_what_counts_is_refused(bundle):
    lines = (bundle / SUMS).read_text().splitlines()
    (bundle / SUMS).write_text("".join(f"{line}\n" for line in lines if "bundle.json" not in line))
    with pytest.raises(BundleError, match=r"does not list bundle\.json"):
        check_sums(bundle)
    (bundle / SUMS).unlink()
    with pytest.raises(BundleError, match="is no bundle, or not all of one"):
        check_sums(bundle)


@pytest.mark.parametrize("what", ["nothing", "file", "folder"])
def test_what_is_no_bundle_is_refused(tmp_path, what, monkeypatch):
    path = tmp_path / "b"
    if what == "file":
        path.write_text("no archive")
    elif what == "folder":
        path.mkdir()
    with pytest.raises(BundleError, match="missing" if what != "file" else "is no bundle"):
        replays.replay(path, str(tmp_path / "figures"))


def archive_of(folder, path, *entries, top="b"):
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in contents_of(folder).items():
            archive.writestr(f"{top}/{name}", data)
        for name, data, mode in entries:
            entry = zipfile.ZipInfo(name)
            entry.external_attr = mode << 16
            archive.writestr(entry, data)
    return path


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize(
    ("name", "mode", "problem"),
    [
        ("b/../../evil", 0o100644, "leads out"),
        ("../evil", 0o100644, "plain name|leads out|below one folder"),
        ("/evil", 0o100644, "no relative way"),
        ("b//evil", 0o100644, "no relative way"),
        ("b/evil", 0o120777, "a link"),
        ("b/README.md", 0o100644, "twice"),
        ("c/evil", 0o100644, "more than one folder"),
    ],
)
def test_an_archive_with_a_trick_is_refused_and_writes_nothing(bundle, tmp_path, name, mode, problem):
    path = archive_of(bundle, tmp_path / "b.zip", (name, "/etc/passwd", mode))
    before = sorted(path.name for path in tmp_path.iterdir())
    with pytest.raises(BundleError, match=problem):
        replays.replay(path, str(tmp_path / "figures"))
    assert sorted(path.name for path in tmp_path.iterdir()) == before


def test_a_damaged_archive_is_named(study, tmp_path):
    path = bundles.export(study, tmp_path / "b", as_zip=True).zipped
    data = bytearray(path.read_bytes())
    middle = len(data) // 3
    data[middle : middle + 200] = bytes(200)
    path.write_bytes(data)
    with pytest.raises(BundleError, match=r"b\.zip is damaged|not as it was exported"):
        replays.replay(path, str(tmp_path / "figures"))


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('"format": 1', '"format": 2', "use the kit that wrote it"),
        ('"format": 1', '"format": 1, "more": 2', "not what an export writes"),
        ('"documents": true', '"documents": 3', "of another kind"),
        ('"studies": [\n  "s"\n ]', '"studies": ["s", "t"]', "no notebook takes the rows of the study 't'"),
        ('"study": "s",\n "versions"', '"study": "../s",\n "versions"', "no rows of the study"),
        ('"s/cells"', '"s/other"', "no rows 's/other'"),
        ('"s/cells"', '"../cells"', "no rows"),
        ('"others": []', '"others": ["elsewhere"]', "no rows of the study 'elsewhere'"),
        ('"margin": 0.05', '"margin": "0.05"', "takes margin as float"),
        ('"margin": 0.05', '"margins": 0.05', "no parameter 'margins'.*version '0"),
        ('"06_failures"', '"07_other"', "no notebook '07_other'"),
        ("{\n", "[\n", "not what an export writes"),
    ],
)
def test_contents_that_no_export_wrote_are_refused(bundle, tmp_path, no_notebook, old, new, problem):
    change(bundle, "bundle.json", old, new)
    with pytest.raises(BundleError, match=problem):
        replays.replay(signed(bundle), str(tmp_path / "figures"))


@pytest.mark.parametrize("place", ["/etc/passwd", "markdown/../../x.md", "markdown/unlisted.md", "bundle.json"])
def test_a_rendering_that_names_a_file_elsewhere_is_refused(bundle, tmp_path, no_notebook, place):
    name = next((bundle / "markdown").iterdir()).name
    change(bundle, "rows/s/renderings_markdown.jsonl", f"markdown/{name}", place)
    with pytest.raises(BundleError, match=f"names '{place}'"):
        replays.replay(signed(bundle), str(tmp_path / "figures"))


def test_a_damaged_row_is_named_by_file_and_line(bundle, tmp_path, no_notebook):
    change(bundle, "rows/s/cells.jsonl", '"k": 0', '"k": "0"')
    with pytest.raises(Exception, match=r"cells\.jsonl, line 1: .*get the bundle again"):
        replays.replay(signed(bundle), str(tmp_path / "figures"))


@pytest.mark.parametrize("option", ["--figures-dir", "--runs-dir"])
def test_a_replay_overwrites_only_what_a_replay_made(bundle, study, tmp_path, no_notebook, option):
    runs, figures = str(tmp_path / "r"), str(tmp_path / "f")
    for _ in range(2):
        replays.replay(bundle, figures, runs)
    places = {"--figures-dir": (study.figures_dir, runs), "--runs-dir": (figures, study.runs_dir)}[option]
    before = contents_of(study.folder) | contents_of(study.figures)
    with pytest.raises(BundleError, match=f"was not made by a replay.*another {option}"):
        replays.replay(bundle, *places)
    assert contents_of(study.folder) | contents_of(study.figures) == before


# --- Hostile bundles ------------------------------------------------------------------------------------------------


def set_notebooks(folder, **changed):
    """Change what a bundle says of its notebooks; a parameter is given to 10_robustness, which takes most."""
    said = json.loads((folder / "bundle.json").read_text())
    said["notebooks"]["10_robustness"] |= changed
    (folder / "bundle.json").write_text(json.dumps(said))
    return signed(folder)


def refused(capsys, bundle, tmp_path, *options):
    """Run the command on a hostile bundle; return its one line, after checking that it wrote and left nothing."""
    before = {path.name for path in tmp_path.iterdir()}
    assert cli.main(["replay", str(bundle), "--figures-dir", str(tmp_path / "figures"), *options]) == 1
    out, err = capsys.readouterr()
    assert out == "" and err.startswith("muddle: ") and err.count("\n") == 1 and err[:-1].isprintable(), err
    assert {path.name for path in tmp_path.iterdir()} <= {*before, "figures"}
    assert {path.name for path in (tmp_path / "figures").rglob("*")} <= {"s", replays.MARK}
    return err


@pytest.fixture
def nobody_asked(monkeypatch):
    """Fail if a notebook is started."""
    monkeypatch.setattr(replays, "execute", lambda run, sockets: pytest.fail(f"{run.label} was started"))


@pytest.mark.parametrize("name", ["01_curation", "02_rendering", "03_inference", "04_judging", "09_mmlongbench_v2"])
def test_a_notebook_that_is_no_analysis_is_refused(bundle, tmp_path, capsys, nobody_asked, name):
    said = json.loads((bundle / "bundle.json").read_text())
    said["notebooks"][name] = {"study": "s", "model": "openai/m", "api_base": "http://127.0.0.1:9"}
    (bundle / "bundle.json").write_text(json.dumps(said))
    assert f"names notebook {name}, which is no analysis" in refused(capsys, signed(bundle), tmp_path)


@pytest.mark.parametrize(
    ("parameter", "value", "problem"),
    [
        ("runs_dir", "/etc", "'runs_dir', which is this machine's to say"),
        ("figures_dir", "../..", "'figures_dir', which is this machine's to say"),
        ("models_file", "/elsewhere/models.toml", "'models_file', which is this machine's to say"),
        ("data_dir", "/etc", "'data_dir', which is this machine's to say"),
        ("judge_api_base", "http://127.0.0.1:9", "'judge_api_base', which is this machine's to say"),
        ("api_base", "http://127.0.0.1:9", "'api_base', which is this machine's to say"),
        ("predictions", ["/etc/passwd"], "has no parameter 'predictions'"),
        ("api_key", "k", "looks like a secret"),
        ("study", "other", "and is of the study 's'"),
        ("placement_study", "../s", "no rows of the study '../s'"),
        ("annotation_study", "/etc", "no rows of the study '/etc'"),
        ("annotation_study", 3, "of another kind"),
        ("modalities", ["../../../x"], "which this kit does not know"),
        ("modalities", "markdown", "takes modalities as list"),
        ("models", [["local/reader"]], "no plain text"),
        ("models", ["local/reader", 3], "no plain text"),
        ("judge", "local/rules\0", "no plain text"),
        ("judges", ["local/rules\nx"], "no plain text"),
        ("command", "\x1b[2J", "no plain text"),
        ("command", "\ud800", "no plain text"),
        ("n_resamples", 10**12, "not from 0 to 100,000"),
        ("n_resamples", 10**6, "not from 0 to 100,000"),
        ("n_resamples", True, "takes n_resamples as int"),
        ("replicates", -1, "not from 0 to 100,000"),
        ("replicates", 10**5, "study 's' has asked everything 1 times at most"),
        ("models", ["nobody/knows"], "models: 'nobody/knows' is not in study 's'"),
        ("judge", "nobody", "judge: 'nobody' is not in study 's'"),
        ("seed", 10**30, "not from 0 to"),
        ("seed", 10**400, "not from 0 to"),
        ("seed", None, "takes seed as int"),
    ],
)
def test_a_parameter_that_says_where_or_is_no_plain_value_is_refused(
    bundle, tmp_path, capsys, nobody_asked, parameter, value, problem
):
    assert problem in refused(capsys, set_notebooks(bundle, **{parameter: value}), tmp_path)


def test_every_parameter_of_the_analyses_says_what_tables_are_made_of_or_is_this_machines():
    # A parameter that is added here is taken from bundles of strangers: it must not say where something is.
    of_tables = {
        *("study", "models", "modalities", "judge", "judges", "others", "allow_unlike", "margin", "seed"),
        *("n_resamples", "command", "condition", "document_type", "answer_format", "status", "n_cards", "replicates"),
        *("placement_study", "annotation_study"),
    }
    steps = [step for step in plan.STEPS if step.number in executed_module.ANALYSES]
    declared = {name for step in steps for name in plan.declared_parameters(step.path)}
    assert declared - set(settings_module.OF_ONE_MACHINE) == of_tables


DEEP = "[" * 100_000 + "]" * 100_000


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('"margin": 0.05', f'"margin": {DEEP}', "brackets within brackets without end"),
        ('"margin": 0.05', '"margin": NaN', "NaN is no number"),
        ('"margin": 0.05', '"margin": 1e999', "not from 0 to"),
        ('"margin": 0.05', '"margin": 0.05, "margin": 0.06', "twice"),
        ('"seed": 42', f'"seed": {"9" * 5000}', "not what an export writes"),
        ('"study": "s",\n "versions"', '"study": ["s"],\n "versions"', "of another kind"),
        ('"format": 1', '"format": "\\u001b[2J"', "use the kit that wrote it"),
    ],
)
def test_json_with_a_trick_is_refused(bundle, tmp_path, capsys, nobody_asked, old, new, problem):
    change(bundle, "bundle.json", old, new)
    assert problem in refused(capsys, signed(bundle), tmp_path)


@pytest.mark.parametrize(
    "text", ["{", "[]", "null", DEEP, '{"items": []}', '{"items": {"a": 3}}', '{"items": {"a": {"metadata": []}}}']
)
def test_a_manifest_that_is_none_is_refused(bundle, tmp_path, capsys, nobody_asked, text):
    (bundle / "figures" / "manifest.json").write_text(text)
    said = refused(capsys, signed(bundle), tmp_path)
    assert "manifest.json is no" in said and "get the bundle again" in said


@pytest.mark.parametrize("line", ["[1]", "3", "null", '"x"', DEEP, "{}", '{"cell_id": NaN}'])
def test_rows_that_are_not_of_their_kind_are_refused(bundle, tmp_path, capsys, nobody_asked, line):
    (bundle / "rows" / "s" / "cells.jsonl").write_text(f"{line}\n")
    said = refused(capsys, signed(bundle), tmp_path)
    assert "cells.jsonl, line 1: " in said and "get the bundle again" in said


@pytest.mark.parametrize(
    ("field", "value", "why"),
    [
        ("tokens_out", 2**70, "responses.jsonl, line 1: field 'tokens_out' holds a number that is not from 0 to"),
        ("cost", -1.0, "responses.jsonl, line 1: field 'cost' holds a number that is not from 0 to"),
        ("seconds", float("nan"), "responses.jsonl, line 1: field 'seconds' holds a number that is not from 0 to"),
        ("text", "\ud800", "responses.jsonl, line 1: field 'text' holds half of a character"),
        ("status", "fine", "responses.jsonl, line 1: field 'status' holds 'fine', which does not fit"),
        ("condition", "hn-3", "responses.jsonl, line 1: field 'condition' holds 'hn-3', which does not fit"),
        ("modality", "audio", "responses.jsonl, line 1: field 'modality' holds 'audio', which does not fit"),
        ("time", "yesterday", "responses.jsonl, line 1: field 'time' holds 'yesterday', which does not fit"),
        ("components", "[]", "responses.jsonl, line 1: field 'components' holds '[]', which does not fit"),
    ],
)
def test_rows_that_no_database_takes_are_refused(bundle, tmp_path, capsys, nobody_asked, field, value, why):
    path = bundle / "rows" / "s" / "responses.jsonl"
    row = json.loads(path.read_text().splitlines()[0])
    path.write_text(json.dumps(row | {field: value}) + "\n")
    said = refused(capsys, signed(bundle), tmp_path)
    assert why in said and "get the bundle again" in said


@pytest.mark.parametrize(
    ("name", "field", "value"),
    [
        ("cells", "document_ids", ["nowhere.pdf"]),
        ("cells", "document_ids", []),
        ("cells", "k", 10**12),
        ("cells", "condition", "hn-3"),
        ("cells", "distractor_type", "random"),
        ("cells", "source_position", 1),
        ("cells", "question_id", "nobody asked"),
        ("questions", "document_id", "nowhere.pdf"),
        ("questions", "answer_format", "Poem"),
        ("requests_local-reader_markdown", "condition", "\x1b[2J"),
        ("verdicts", "status", "superb"),
        ("renderings_markdown", "status", "perhaps"),
    ],
)
def test_rows_that_do_not_fit_each_other_are_refused_by_field(
    bundle, tmp_path, capsys, nobody_asked, name, field, value
):
    path = bundle / "rows" / "s" / f"{name}.jsonl"
    first, *others = path.read_text().splitlines()
    row = json.loads(first)
    assert name != "cells" or row["condition"] == "control"
    path.write_text("\n".join([json.dumps(row | {field: value}), *others]) + "\n")
    assert f"{path}, line 1: field '{field}' holds " in refused(capsys, signed(bundle), tmp_path)


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize(
    ("what", "problem"),
    [
        ({"rows": []}, "'rows' is of another kind"),
        ({"rows": {}}, "it has no rows 's/questions'"),
        ({"rows": {"s/cells": "many"}}, "'rows' is of another kind"),
        ({"studies": "s"}, "'studies' is of another kind"),
        ({"studies": ["s", "a"], "notebooks": {"05_analysis": {"others": ["a"]}}}, "it has no rows 'a/questions'"),
        ({"notebooks": {"05_analysis": {"models": ["nobody/knows"]}}}, "'nobody/knows' is not in study 's'"),
        ({"notebooks": {"05_analysis": {"marge": 1}}}, "no parameter 'marge'"),
        ({"notebooks": {"06_failures": {"condition": "hn-3"}}}, "which this kit does not know"),
    ],
)
def test_a_refusal_names_the_bundle_and_leaves_nothing(
    bundle, tmp_path, capsys, nobody_asked, monkeypatch, what, problem, packed
):
    said = json.loads((bundle / "bundle.json").read_text())
    (bundle / "bundle.json").write_text(json.dumps(said | what))
    signed(bundle)
    place = archive_of(bundle, tmp_path / "b.zip") if packed else bundle
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    message = refused(capsys, place, tmp_path)
    assert problem in message and str(place) in message and "muddle-replay-" not in message


LONG = "x" * 100_000


@pytest.mark.parametrize(
    "what",
    [
        {"format": LONG},
        {LONG: 1},
        {"study": LONG},
        {"studies": ["s", LONG]},
        {"rows": {LONG: 1}},
        {"versions": {"muddle-utils": LONG}, "notebooks": {"05_analysis": {"marge": 1}}},
        {"notebooks": {LONG: {}}},
        {"notebooks": {"05_analysis": {"judge": LONG}}},
        {"notebooks": {"05_analysis": {"models": [LONG]}}},
        {"notebooks": {"05_analysis": {LONG: 1}}},
        {"notebooks": {"05_analysis": {"others": ["a"] * 100_000}}},
        {"notebooks": {"05_analysis": {"seed": 10**4000}}},
        {"notebooks": {"05_analysis": {"seed": LONG}}},
    ],
    ids=range(13),
)
def test_no_value_of_a_bundle_is_shown_at_length(bundle, tmp_path, capsys, nobody_asked, what):
    said = json.loads((bundle / "bundle.json").read_text())
    (bundle / "bundle.json").write_text(json.dumps(said | what))
    assert len(refused(capsys, signed(bundle), tmp_path)) < 1000


def test_no_version_of_a_bundle_is_shown_at_length(bundle, tmp_path, no_notebook):
    said = json.loads((bundle / "bundle.json").read_text())
    said |= {"versions": {LONG: LONG}, "doubts": [LONG]}
    (bundle / "bundle.json").write_text(json.dumps(said))
    assert len(replays.report(replays.replay(signed(bundle), str(tmp_path / "f")))) < 20_000


@pytest.mark.parametrize("given", ["-1", "0", "nan", "inf"])
def test_the_most_that_a_bundle_may_hold_is_a_positive_number(bundle, tmp_path, capsys, nobody_asked, given):
    said = refused(capsys, bundle, tmp_path, "--largest", given)
    assert f"--largest {given}: give the most GB that a bundle may hold, such as 2" in said


def test_the_most_that_a_bundle_may_hold_may_be_a_part_of_a_gigabyte(bundle, tmp_path, capsys, no_notebook):
    assert cli.main(["replay", str(bundle), "--figures-dir", str(tmp_path / "f"), "--largest", "0.1"]) == 1
    assert "not made: table_1.md" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["..", "../../../etc/passwd", "/etc/passwd", "a\0b", "x" * 300, "", "/"])
def test_a_document_lies_below_the_study_whatever_it_is_called(bundle, tmp_path, no_notebook, name):
    path = bundle / "rows" / "s" / "documents.jsonl"
    row = json.loads(path.read_text().splitlines()[0])
    with path.open("a") as file:
        file.write(json.dumps(row | {"document_id": name, "path": "/etc/passwd"}) + "\n")
    replays.replay(signed(bundle), str(tmp_path / "f"), str(tmp_path / "r"))
    *_, back = read_rows(tmp_path / "r" / "s" / "documents.jsonl", Document)
    assert Path(back.path).parent == tmp_path / "r" / "s" / "documents" and not Path(back.path).exists()
    assert evidence.evidence_pictures(dataclasses.replace(Study("s", str(tmp_path / "r"))), []) == {}


def test_a_study_that_is_there_is_not_overwritten(bundle, study, tmp_path, capsys, nobody_asked):
    before = contents_of(study.folder) | contents_of(study.figures)
    arguments = ["replay", str(bundle), "--runs-dir", study.runs_dir, "--figures-dir", str(tmp_path / "f")]
    assert cli.main(arguments) == 1 and "was not made by a replay" in capsys.readouterr().err
    assert contents_of(study.folder) | contents_of(study.figures) == before


def test_hard_links_to_files_elsewhere_are_refused(bundle, tmp_path, capsys, nobody_asked):
    secret = tmp_path / "secret"
    secret.write_text("mine")
    os.link(secret, bundle / "markdown" / "x.md")
    assert "markdown/x.md (a hard link: copy the bundle)" in refused(capsys, signed(bundle), tmp_path)


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize(
    "name", ["b/a\0.md", "b/a\nb", "b/..\\x", "b/\u2024\u2024/x", "b/\uff0e\uff0e/x", "b/C:x", "b/.x"]
)
def test_an_archive_with_a_name_that_is_not_plain_is_refused(bundle, tmp_path, capsys, nobody_asked, name):
    path = archive_of(bundle, tmp_path / "b.zip", ("b/" + "n" * (len(name.encode()) - 2), "x", 0o100644))
    # As zipfile itself would not write it.
    data, said = path.read_bytes(), ("b/" + "n" * (len(name.encode()) - 2)).encode()
    assert data.count(said) == 2
    path.write_bytes(utf8_names(data.replace(said, name.encode())))
    err = refused(capsys, path, tmp_path)
    assert "no plain name" in err or "no relative way" in err or "leads out" in err


def utf8_names(data):
    """Say of every entry of an archive that its name is UTF-8."""
    data = bytearray(data)
    for sign, place in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        start = data.find(sign)
        while start >= 0:
            data[start + place + 1] |= 8
            start = data.find(sign, start + 4)
    return bytes(data)


def forged_size(path, name, size):
    """Let an archive's directory declare another size of one entry."""
    data = bytearray(path.read_bytes())
    start = data.rfind(name.encode()) - 46
    assert data[start : start + 4] == b"PK\1\2"
    data[start + 24 : start + 28] = size.to_bytes(4, "little")
    path.write_bytes(data)
    return path


def test_an_archive_that_declares_gigabytes_is_refused_before_it_is_unpacked(
    bundle, tmp_path, capsys, nobody_asked, monkeypatch
):
    path = forged_size(archive_of(bundle, tmp_path / "b.zip"), "b/README.md", 3 * 10**9)
    monkeypatch.setattr(zipfile.ZipFile, "open", lambda *given, **named: pytest.fail("an entry was unpacked"))
    said = refused(capsys, path, tmp_path)
    assert "b.zip holds 3.0 GB, and more than 2 GB is not taken unasked" in said and "give --largest 4" in said


def test_no_more_is_unpacked_than_was_declared(tmp_path, capsys, nobody_asked):
    path = tmp_path / "b.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("b/README.md", b"0" * 50_000_000)
    with pytest.raises(BundleError, match="is damaged"), bundle_io.opened(forged_size(path, "b/README.md", 10)):
        pass
    assert "is damaged" in refused(capsys, path, tmp_path)


def test_an_archive_of_too_many_entries_is_refused_before_its_directory_is_read(
    tmp_path, capsys, nobody_asked, monkeypatch
):
    path = tmp_path / "b.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(50):
            archive.writestr(f"b/{number}", b"")
    monkeypatch.setattr(bundle_io, "MOST_FILES", 40)
    monkeypatch.setattr(zipfile, "ZipFile", lambda *given: pytest.fail("the directory was read"))
    assert "b.zip holds more than 40 files" in refused(capsys, path, tmp_path)


@pytest.mark.parametrize("method", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_an_archive_packed_otherwise_is_refused(tmp_path, capsys, nobody_asked, method):
    with zipfile.ZipFile(tmp_path / "b.zip", "w", method) as archive:
        archive.writestr("b/README.md", b"x")
    assert "packed in a way that may take any amount of memory" in refused(capsys, tmp_path / "b.zip", tmp_path)


def test_a_folder_of_gigabytes_is_refused_unread(bundle, tmp_path, capsys, nobody_asked, monkeypatch):
    with (bundle / "rows" / "s" / "cells.jsonl").open("r+b") as file:
        file.truncate(3 * 10**9)
    monkeypatch.setattr(bundle_io, "file_sha256", lambda path: pytest.fail(f"{path} was read"))
    assert "s-bundle holds 3.0 GB" in refused(capsys, bundle, tmp_path)


@pytest.mark.parametrize("name", [SUMS, "bundle.json", "figures/manifest.json"])
def test_a_list_of_gigabytes_is_refused_unread(bundle, tmp_path, capsys, nobody_asked, name):
    if name != SUMS:
        with (bundle / name).open("ab") as file:
            file.truncate(17_000_000)
        signed(bundle)
    else:
        with (bundle / name).open("ab") as file:
            file.truncate(3 * 10**9)
    assert f"{name} is longer than any export writes it" in refused(capsys, bundle, tmp_path)


def test_what_a_bundle_calls_things_reaches_no_terminal_as_a_command(bundle, tmp_path, no_notebook):
    said = json.loads((bundle / "bundle.json").read_text())
    said["doubts"] = ["\x1b]0;x\x07 \ud800"]
    (bundle / "bundle.json").write_text(json.dumps(said))
    (bundle / "x\x1b[2J").write_text("")
    os.rename(bundle / "x\x1b[2J", bundle / "\udcff\x1b")
    text = replays.report(replays.replay(signed_without(bundle, "\udcff\x1b"), str(tmp_path / "f")))
    assert "\\x1b]0;x\\x07" in text and all(line.isprintable() for line in text.splitlines())


def signed_without(folder, name):
    (folder / name).rename(folder.parent / "aside")
    signed(folder)
    (folder.parent / "aside").rename(folder / name)
    return folder


KILLED = """
import sys, time
from pathlib import Path
from muddle_utils.runs.release import replays
def execute(run, sockets):
    print("running", flush=True)
    time.sleep(600)
replays.execute = execute
replays.replay(Path(sys.argv[1]), sys.argv[2])
"""


def test_what_a_killed_replay_left_is_gone_after_the_next(bundle, tmp_path, monkeypatch, no_notebook):
    place = tmp_path / "tmp"
    place.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(place))
    path = archive_of(bundle, tmp_path / "b.zip")
    command = [sys.executable, "-c", KILLED, str(path), str(tmp_path / "f")]
    environment = {**os.environ, "TMPDIR": str(place)}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout.readline() == "running\n"
            left = set(place.glob("muddle-*"))
            assert any((folder / "s" / "cells.jsonl").is_file() for folder in left)
            assert any((folder / "rows").is_dir() for folder in left), "what was unpacked"
            # Beside a running one.
            replays.replay(bundle, str(tmp_path / "g"))
            assert set(place.glob("muddle-*")) == left
        finally:
            process.kill()
    assert set(place.glob("muddle-*")) == left
    replays.replay(bundle, str(tmp_path / "g"))
    assert list(place.glob("muddle-*")) == []
    # The figures that were under way belong to nobody, either.
    replays.replay(bundle, str(tmp_path / "f"))


def test_what_a_killed_export_left_is_gone_after_the_next(study, tmp_path):
    with subprocess.Popen([sys.executable, "-c", ""]) as gone:
        pass
    for end in ("tmp", "old"):
        shutil.copytree(study.folder, tmp_path / f".b.{gone.pid}.{end}")
    (tmp_path / f".b.zip.{gone.pid}.tmp").write_bytes(b"PK")
    # What was put aside comes back, and is no bundle of a study.
    with pytest.raises(BundleError, match="is no bundle, so it is not overwritten"):
        bundles.export(study, tmp_path / "b")
    shutil.rmtree(tmp_path / "b")
    bundles.export(study, tmp_path / "b", as_zip=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b", "b.zip", "home"]


def test_a_zip_in_the_way_is_looked_at_with_mistrust(study, tmp_path):
    (tmp_path / "b.zip").write_bytes(b"PK\5\6" + bytes(18))
    with pytest.raises(BundleError, match="is no bundle, so it is not overwritten"):
        bundles.export(study, tmp_path / "b", as_zip=True)


# --- Laying back and comparing ----------------------------------------------------------------------------------------


def test_rows_are_laid_back_as_they_were(bundle, study, tmp_path, no_notebook):
    replays.replay(bundle, str(tmp_path / "f"), str(tmp_path / "r"))
    back = dataclasses.replace(study, runs_dir=str(tmp_path / "r"))
    placed = {"documents.jsonl", *(f"renderings_{name}.jsonl" for name in MODALITIES)}
    for path in study.folder.glob("*.jsonl"):
        if path.name not in placed:
            assert (back.folder / path.name).read_bytes() == path.read_bytes()
    with Store(study.store) as here, Store(back.store) as there:
        assert there.attempts() == here.attempts() and there.judgements() == here.judgements()
        assert there.responses() == here.responses() and there.verdicts() == here.verdicts()
    a, b = (read_frame(each, MODELS, MODALITIES, "local/rules") for each in (study, back))
    pd.testing.assert_frame_equal(a, b)
    assert attribution.read_texts(back, b) == attribution.read_texts(study, a) != {}
    rendered = read_rows(back.rows("renderings_markdown"), Rendering)
    assert all(Path(row.path).is_relative_to(back.folder) for row in rendered)


def test_without_pdfs_the_cards_say_so(bundle, tmp_path, no_notebook, study):
    replays.replay(bundle, str(tmp_path / "f"), str(tmp_path / "r"))
    back = dataclasses.replace(study, runs_dir=str(tmp_path / "r"))
    (picture,) = evidence.evidence_pictures(back, ["q0000"]).values()
    assert picture.data == b"" and "s00.pdf is missing" in picture.note


def test_the_same_files_are_counted_and_others_named(bundle, tmp_path, no_notebook, study):
    no_notebook |= {path.name: path.read_bytes() for path in study.figures.iterdir()}
    same = replays.replay(bundle, str(tmp_path / "f"))
    n = len(no_notebook)
    assert same.is_same and len(same.identical) == n
    assert replays.report(same).splitlines()[-1] == f"{n} of {n} files identical"
    no_notebook["table_1.csv"] = no_notebook["table_1.csv"].replace(b"0.5", b"0.6")
    no_notebook["new.csv"] = b"a\n"
    del no_notebook["variance.tex"]
    other = replays.replay(bundle, str(tmp_path / "f"))
    assert (other.differing, other.missing, other.extra) == (("table_1.csv",), ("variance.tex",), ("new.csv",))
    said = replays.report(other)
    assert not other.is_same and f"{n - 2} of {n} files identical" in said
    assert "differs: table_1.csv" in said and "not made: variance.tex" in said and "not in the bundle: new.csv" in said
    assert "likely why: " in said


def test_other_versions_and_doubts_are_the_likely_reason(bundle, tmp_path, no_notebook):
    said = json.loads((bundle / "bundle.json").read_text())
    said["versions"]["pandas"] = "1.2.3"
    said["code"]["package"] = "0" * 64
    said["doubts"] = ["table_1: made otherwise"]
    (bundle / "bundle.json").write_text(json.dumps(said))
    text = replays.report(replays.replay(signed(bundle), str(tmp_path / "f")))
    assert f"likely why: pandas is {pd.__version__} here and was 1.2.3 there" in text
    assert "this kit's package differ" in text and "likely why: table_1: made otherwise" in text


def test_without_documents_what_needs_them_is_not_compared(study, tmp_path, no_notebook):
    folder = bundles.export(study, tmp_path / "b", documents=False).folder
    assert not [name for name in contents_of(folder) if name.startswith("markdown/")]
    assert {row.path for row in read_rows(folder / "rows" / "s" / "renderings_markdown.jsonl", Rendering)} == {""}
    assert "documents' text is not in this bundle" in (folder / "README.md").read_text()
    no_notebook |= {path.name: path.read_bytes() for path in study.figures.iterdir()}
    no_notebook["origins.csv"] = b"other\n"
    manifest = json.loads(no_notebook["manifest.json"])
    manifest["items"]["origins"]["files"]["origins.csv"] = "0" * 64
    no_notebook["manifest.json"] = json.dumps(manifest).encode()
    done = replays.replay(folder, str(tmp_path / "f"), str(tmp_path / "r"))
    assert done.is_same and done.untold == ("manifest.json", "origins.csv")
    n = len(no_notebook) - 2
    assert f"{n} of {n} files identical" in replays.report(done)
    assert "not compared, for want of the documents' text: manifest.json, origins.csv" in replays.report(done)
    # Where wrong answers stand is then not searched, which is said in the table instead of a wrong count.
    back = dataclasses.replace(study, runs_dir=str(tmp_path / "r"))
    frame = read_frame(back, MODELS, MODALITIES, "local/rules")
    assert attribution.read_texts(back, frame) == {}
    manifest["items"]["table_1"]["caption"] = "Other."
    no_notebook["manifest.json"] = json.dumps(manifest).encode()
    assert replays.replay(folder, str(tmp_path / "f")).differing == ("manifest.json",)


def test_a_half_run_study_goes_there_and_back(rows, tmp_path, no_notebook):
    study = Study("half", str(tmp_path / "runs"), str(tmp_path / "figures"))
    lay_rows(study, rows)
    study.store.unlink()
    analysed(study)
    fake_figures(study, "d" * 64)
    with pytest.raises(BundleError, match="has no answer yet, so there is nothing to hand on: muddle run"):
        bundles.export(study, tmp_path / "b")
    assert not study.store.exists(), "an export makes no database"
    with Store(study.store) as store:
        answered = next(row for row in rows.responses if row.status == "answered")
        store.add_response(dataclasses.replace(answered, time="2026-03-02T08:00:00+00:00"))
    folder = bundles.export(study, tmp_path / "b").folder
    said = json.loads((folder / "bundle.json").read_text())["rows"]
    assert (said["half/responses"], said["half/verdicts"]) == (1, 0)
    replays.replay(folder, str(tmp_path / "f"), str(tmp_path / "r"))
    frame = read_frame(dataclasses.replace(study, runs_dir=str(tmp_path / "r")), MODELS, MODALITIES, "local/rules")
    assert frame["status"].value_counts().to_dict() == {"not_run": len(frame) - 1, "answered": 1}


def test_two_replays_at_once_do_not_share_a_folder(bundle, tmp_path, monkeypatch):
    refused = []

    def execute(run, sockets):
        if not refused:
            with pytest.raises(BundleError, match=r"is being written by another replay: give another --figures-dir"):
                replays.replay(bundle, str(tmp_path / "f"))
            refused.append(run)

    monkeypatch.setattr(replays, "execute", execute)
    replays.replay(bundle, str(tmp_path / "f"))
    assert refused
    # The one that was refused has taken nothing, and whoever comes later may have the folder.
    replays.replay(bundle, str(tmp_path / "f"))


def test_edited_rows_are_said_to_be_what_differs(bundle, study, tmp_path, no_notebook):
    name = "rows/s/questions.jsonl"
    (bundle / name).write_text((bundle / name).read_text().replace("How many", "How much"))
    with pytest.raises(BundleError, match=r"questions\.jsonl \(damaged\), so its rows are others than its tables"):
        replays.replay(bundle, str(tmp_path / "f"))
    # Signed again, only the digest of the rows tells it.
    no_notebook |= {path.name: path.read_bytes() for path in study.figures.iterdir()}
    manifest = json.loads(no_notebook["manifest.json"])
    manifest["items"]["table_1"]["metadata"]["digest"] = "e" * 64
    no_notebook["manifest.json"] = json.dumps(manifest).encode()
    result = replays.replay(signed(bundle), str(tmp_path / "f"))
    n = len(manifest["items"])
    assert result.reasons[0].startswith("the rows are not those that the bundle's tables and figures were made of")
    assert f"likely why: {result.reasons[0]}" in replays.report(result)
    assert result.reasons[0].endswith(f"another for 1 of {n}")
    no_notebook |= {"manifest.json": (study.figures / "manifest.json").read_bytes(), "table_1.md": b"other"}
    assert not any("rows are not those" in why for why in replays.replay(bundle, str(tmp_path / "f")).reasons)


def test_files_that_are_not_the_bundles_are_named(bundle, study, tmp_path, no_notebook):
    no_notebook |= {path.name: path.read_bytes() for path in study.figures.iterdir()}
    assert replays.replay(bundle, str(tmp_path / "f")).unlisted == ()
    (bundle / "rows" / "s" / "responses (edited).jsonl").write_text("{}")
    (bundle / "note.txt").write_text("mine")
    result = replays.replay(bundle, str(tmp_path / "f"))
    assert result.is_same and result.unlisted == ("note.txt", "rows/s/responses (edited).jsonl")
    assert "so not looked at: note.txt, rows/s/responses (edited).jsonl" in replays.report(result)


def test_a_notebook_that_fails_keeps_the_rows_and_says_where(bundle, tmp_path, monkeypatch):
    def execute(run, sockets):
        raise settings_module.RunError("05_analysis: cell 3 failed")

    monkeypatch.setattr(replays, "execute", execute)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with pytest.raises(settings_module.RunError, match="the rows and executed copies are in") as caught:
        replays.replay(bundle, str(tmp_path / "f"))
    assert (Path(str(caught.value).rpartition(" in ")[2]) / "s" / "cells.jsonl").is_file()


def test_nothing_is_left_behind_when_all_went_well_or_was_refused(bundle, tmp_path, no_notebook, monkeypatch):
    place = tmp_path / "tmp"
    place.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(place))
    replays.replay(bundle, str(tmp_path / "f"))
    change(bundle, "rows/s/cells.jsonl", '"k": 0', '"k": "0"')
    with pytest.raises(Exception, match="get the bundle again"):
        replays.replay(signed(bundle), str(tmp_path / "f"))
    assert list(place.iterdir()) == []


# --- The commands ---------------------------------------------------------------------------------------------------


def test_the_commands(study, tmp_path, monkeypatch, capsys, no_notebook):
    monkeypatch.chdir(tmp_path)
    os.utime(study.figures / "variance.md", (0, 0))
    places = ["--runs-dir", study.runs_dir, "--figures-dir", study.figures_dir]
    assert cli.main(["export", "s", *places, "--zip"]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines() == [str(tmp_path / "s-bundle"), str(tmp_path / "s-bundle.zip")]
    assert err.startswith("muddle: 1 files, variance.md")
    no_notebook |= {path.name: path.read_bytes() for path in study.figures.iterdir()}
    assert cli.main(["replay", "s-bundle.zip", "--figures-dir", "again"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == f"{len(no_notebook)} of {len(no_notebook)} files identical"
    no_notebook["table_1.md"] = b"other"
    assert cli.main(["replay", "s-bundle", "--figures-dir", "again"]) == 1
    assert "differs: table_1.md" in capsys.readouterr().out
    assert cli.main(["export", "s", *places, "--out", str(study.folder)]) == 1
    assert "is there and is no bundle" in capsys.readouterr().err
    assert cli.main(["export", "unknown", *places]) == 1
    assert "study 'unknown' is unknown" in capsys.readouterr().err
    assert cli.main(["replay", "nowhere"]) == 1
    assert "nowhere is missing" in capsys.readouterr().err


# --- End to end -----------------------------------------------------------------------------------------------------

NO_NETWORK = """
import pathlib, socket
import json, os
here = pathlib.Path(__file__).parent
(here / "loaded").write_text(json.dumps(dict(os.environ)))
for name in ("connect", "connect_ex", "sendto"):
    def refuse(self, *given, real=getattr(socket.socket, name), **named):
        if self.family != socket.AF_UNIX:
            (here / "tried").touch()
            raise OSError("this test has no network")
        return real(self, *given, **named)
    setattr(socket.socket, name, refuse)
"""


def plant(monkeypatch, port):
    """Put keys and addresses of a server into the environment, as they lie about in many."""
    for name in ("OPENAI_API_KEY", "AWS_SECRET_ACCESS_KEY", "HF_TOKEN", "PGPASSWORD"):
        monkeypatch.setenv(name, KEY)
    for name in ("OPENAI_BASE_URL", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "DATABASE_URL"):
        monkeypatch.setenv(name, f"http://ann:{KEY}@127.0.0.1:{port}")


def test_a_bundle_that_asks_to_send_documents_somewhere_sends_nothing(bundle, tmp_path, monkeypatch, capsys, listener):
    port, arrived = listener
    plant(monkeypatch, port)
    said = json.loads((bundle / "bundle.json").read_text())
    asking = {"model": "openai/m", "modality": "markdown", "api_base": f"http://127.0.0.1:{port}/v1"}
    said["notebooks"] = {"03_inference": asking}
    (bundle / "bundle.json").write_text(json.dumps(said))
    assert cli.main(["replay", str(signed(bundle)), "--figures-dir", str(tmp_path / "f")]) == 1
    assert "names notebook 03_inference, which is no analysis" in capsys.readouterr().err
    assert arrived == []


def test_a_replay_makes_the_same_bytes_without_network_key_or_cache(rows, tmp_path, monkeypatch, listener):
    port, arrived = listener
    study = Study("s", str(tmp_path / "runs"), str(tmp_path / "figures"))
    there = f"openai/m at http://127.0.0.1:{port}/v1"
    here = [dataclasses.replace(row, route=there) for row in rows.requests]
    monkeypatch.setattr(rows, "requests", here)
    lay_rows(study, rows)
    with Store(study.store) as store:
        assert len(store.attempts()) > len(store.responses())
    settings = settings_module.Settings(
        "s",
        models=tuple(MODELS[:1]),
        plans=(settings_module.ModalityPlan("markdown"),),
        runs_dir=study.runs_dir,
        figures_dir=study.figures_dir,
        extra={"n_resamples": 100, "n_cards": 1},
    )
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    runs = plan.plan_runs(settings, executed_module.ANALYSES)
    pipeline._execute_all(settings, runs, 1, ())
    done = bundles.export(study, tmp_path / "s-bundle", as_zip=True)
    assert done.remarks == ()
    made = contents_of(study.figures)
    assert [
        name for name, data in all_texts(done.folder).items() if KEY.encode() in data or str(tmp_path).encode() in data
    ] == []
    assert contents_of(done.folder / "figures") == made
    # Another place, where there is nothing but the archive.
    shutil.rmtree(tmp_path / "runs")
    shutil.rmtree(tmp_path / "figures")
    shutil.rmtree(done.folder)
    hook = tmp_path / "hook"
    hook.mkdir()
    (hook / "sitecustomize.py").write_text(NO_NETWORK)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(hook), os.environ.get("PYTHONPATH", "")]).strip(os.pathsep))
    plant(monkeypatch, port)
    result = replays.replay(done.zipped, str(tmp_path / "replay"))
    assert result.is_same and result.untold == () and len(result.identical) == len(made) > 100
    again = {name: data for name, data in contents_of(tmp_path / "replay" / "s").items() if name != replays.MARK}
    assert again == made
    assert KEY not in (hook / "loaded").read_text() and not (hook / "tried").exists() and arrived == []
