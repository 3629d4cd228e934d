"""The file of the long frame: equal to the frame of the rows, and never trusted over them."""

import os
import shutil
from dataclasses import replace

import pandas as pd
import pytest
from made_up_study import MODELS, Rows
from test_frames import write_study

from muddle_utils.analysis import answers, frames, reliability
from muddle_utils.study.paths import Study
from muddle_utils.study.records import Exclusion, Verdict
from muddle_utils.study.rows import RowsError, write_rows
from muddle_utils.study.store import Store

MODALITIES = ("markdown", "image", "pdf")
JUDGES = ("local/rules", "b", "c")


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A study of two models, three judges and two replicates, with a lost cell; one judge has not seen the PDFs."""
    rows, study = Rows(n_questions=4, n_documents=2), Study("test", str(tmp_path_factory.mktemp("runs")))
    again = [replace(row, replicate=2) for row in rows.requests if row.modality == "markdown"]
    rows.requests += again
    write_study(rows, study)
    cell = next(cell for cell in rows.cells if cell.condition == "hn-2")
    write_rows(study.rows("lost_image"), [Exclusion("cell", cell.cell_id, "document not rendered", "h1.pdf")])
    with Store(study.store) as store:
        store.add_all(rows.responses)
        store.add_all([replace(row, replicate=2) for row in rows.responses if row.modality == "markdown"][::2])
        for judge in JUDGES:
            for number in (1, 2):
                said = [replace(row, judge=judge, judge_fingerprint=judge, replicate=number) for row in rows.verdicts]
                store.add_all(row for row in said if judge != "c" or row.modality != "pdf")
    answers.write_frame(study)
    return study


@pytest.fixture
def study(whole, tmp_path):
    """A copy of that study, for changing."""
    shutil.copytree(whole.folder, tmp_path / "test")
    return Study("test", str(tmp_path))


def of_rows(study, models, modalities, judge, replicate=1, judges=()):
    """Return the frame as a study that cannot be written gives it: made of its rows alone."""
    frame_file = study.frame.read_bytes() if study.frame.exists() else None
    study.frame.unlink(missing_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(answers.os, "access", lambda path, mode: False)
        made = answers.read_frame(study, models, modalities, judge, replicate, judges)
    assert not study.frame.exists()
    if frame_file is not None:
        study.frame.write_bytes(frame_file)
    return made


@pytest.mark.parametrize(
    ("judge", "judges", "replicate"),
    [
        *(("local/rules", (), 1), ("b", ("b",), 2), ("c", (), 3), ("nobody", (), 1)),
        *(("majority", JUDGES, 1), ("majority", JUDGES, 2), ("majority", JUDGES[::-1], 1), ("majority", JUDGES[:2], 1)),
    ],
)
@pytest.mark.parametrize(
    ("models", "modalities"),
    [
        (MODELS[::-1], MODALITIES[::-1]),
        (MODELS[1:], ("markdown",)),
        ((*MODELS, *MODELS), ("pdf",)),
        (MODELS, ("image",)),
    ],
)
def test_the_frame_of_the_file_is_that_of_the_rows(whole, models, modalities, judge, judges, replicate):
    found = answers.read_frame(whole, models, modalities, judge, replicate, judges)
    expected = of_rows(whole, models, modalities, judge, replicate, judges)
    pd.testing.assert_frame_equal(found, expected, check_exact=True)
    assert {name: str(kind) for name, kind in found.dtypes.items()} == frames.FRAME_TYPES


def test_the_file_has_every_judge_the_majority_and_every_replicate(study):
    whole = pd.read_parquet(study.frame)
    assert list(whole.columns) == [*answers.FRAME_KEYS, *frames.FRAME_TYPES]
    assert set(whole["headline"]) == {*JUDGES, "majority"}
    assert set(whole["replicate"]) == {1, 2}
    assert not whole.duplicated(["headline", "replicate", *frames.KEYS]).any()
    assert set(whole.loc[whole["headline"].eq("majority"), "modality"]) == {"markdown", "image"}, "c saw no PDF"


def test_it_is_made_once_and_serves_every_part(study, monkeypatch):
    monkeypatch.setattr(answers, "long_frame", None)
    for judge in JUDGES:
        assert len(answers.read_frame(study, MODELS[:1], ["markdown"], judge, 2)) == 4 * 5
    assert reliability.read_ratings(study, MODELS, ["markdown"], JUDGES)["b"].notna().any()


def change_questions(study):
    path = study.rows("questions")
    path.write_text(path.read_text().replace("How many", "How few"))


def add_a_verdict(study):
    with Store(study.store) as store:
        last: Verdict = store.verdicts("local/rules", modality="markdown")[0]
        store.add_verdict(replace(last, status="judged", correct=not last.correct, score=0.5))


def lose_a_file(study):
    study.rows("lost_pdf").unlink()
    answers.read_frame(study, MODELS, ["markdown"], "local/rules")
    write_rows(study.rows("lost_pdf"), [])


@pytest.mark.parametrize("change", [change_questions, add_a_verdict, lose_a_file])
def test_rows_that_changed_make_it_anew(study, change):
    before = study.frame.read_bytes()
    change(study)
    found = answers.read_frame(study, MODELS, MODALITIES, "local/rules")
    pd.testing.assert_frame_equal(found, of_rows(study, MODELS, MODALITIES, "local/rules"))
    if change is not lose_a_file:
        assert study.frame.read_bytes() != before


@pytest.mark.parametrize("spoil", [lambda data: b"", lambda data: data[:-9], lambda data: data[4:]])
def test_a_damaged_file_changes_nothing(study, spoil):
    expected = answers.read_frame(study, MODELS, MODALITIES, "b")
    study.frame.write_bytes(spoil(study.frame.read_bytes()))
    pd.testing.assert_frame_equal(answers.read_frame(study, MODELS, MODALITIES, "b"), expected)


def test_a_file_of_other_rows_is_not_trusted(study):
    """As one that lies in a bundle beside rows that say something else."""
    foreign = study.frame.read_bytes()
    add_a_verdict(study)
    expected = of_rows(study, MODELS, MODALITIES, "local/rules")
    study.frame.write_bytes(foreign)
    pd.testing.assert_frame_equal(answers.read_frame(study, MODELS, MODALITIES, "local/rules"), expected)


def test_reading_twice_leaves_the_file_as_it_is(study):
    first = os.stat(study.frame)
    answers.read_frame(study, MODELS[:1], ["markdown"], "c", 2)
    assert os.stat(study.frame).st_ino == first.st_ino, "it was written again"


def test_what_is_wrong_with_one_judge_or_modality_does_not_touch_the_others(study):
    with Store(study.store) as store:
        last = store.verdicts("b", modality="markdown")[0]
        store.add_verdict(replace(last, judge_fingerprint="newer"))
    study.rows("renderings_pdf").unlink()
    assert len(answers.read_frame(study, MODELS, ["markdown"], "c"))
    with pytest.raises(frames.TablesError, match="two versions"):
        answers.read_frame(study, MODELS, ["markdown"], "b")
    with pytest.raises(RowsError, match=r"renderings_pdf\.jsonl is missing: run the notebook"):
        answers.read_frame(study, MODELS, ["pdf"], "c")
    with pytest.raises(RowsError, match=r"requests_nobody_markdown\.jsonl is missing"):
        answers.read_frame(study, ["nobody"], ["markdown"], "c")


def test_a_disk_that_takes_nothing_costs_nobody_the_frame(study, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    study.frame.unlink()
    monkeypatch.setattr(answers, "write_atomically", full)
    assert len(answers.read_frame(study, MODELS, ["markdown"], "c")) == 2 * 4 * 5
    assert not study.frame.exists()
