"""What killed processes leave behind: swept if nobody holds it, and only what the kit made."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from muddle_utils.runs import leftovers
from muddle_utils.runs.leftovers import KEPT, held, sweep_beside, sweep_temporary, temporary_folder

HOLD = """
import sys, time
from muddle_utils.runs.leftovers import temporary_folder
with temporary_folder("replay") as folder:
    (folder / "rows.jsonl").write_text("{}")
    print(folder, flush=True)
    time.sleep(600)
"""


@pytest.fixture
def place(tmp_path, monkeypatch):
    """The folder that temporary ones are made in."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


def dead():
    """Return the number of a process that is no more."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def test_a_folder_is_there_for_the_time_being_and_kept_if_it_says_so(place):
    with temporary_folder("run") as folder:
        assert folder.is_dir() and folder.parent == place
    assert not folder.exists()
    with temporary_folder("replay") as folder:
        (folder / KEPT).touch()
    sweep_temporary()
    assert folder.is_dir()


def test_what_a_killed_process_left_is_swept_and_what_a_running_one_has_is_not(place):
    environment = {**os.environ, "TMPDIR": str(place)}
    with subprocess.Popen([sys.executable, "-c", HOLD], env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            folder = Path(process.stdout.readline().strip())
            sweep_temporary()
            assert (folder / "rows.jsonl").is_file()
        finally:
            process.send_signal(signal.SIGKILL)
    assert (folder / "rows.jsonl").is_file()
    sweep_temporary()
    assert not folder.exists()


def test_nothing_that_the_kit_did_not_make_is_swept(place, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside")
    (outside / "mine.txt").write_text("mine")
    (place / "muddle-replay-abcdefgh").symlink_to(outside)
    by_hand = place / "muddle-replay-datasets"
    by_hand.mkdir(mode=0o755)
    by_hand.chmod(0o755)
    (place / "muddle-notes___").mkdir(mode=0o700)
    left = place / "muddle-replay-12345678"
    left.mkdir(mode=0o700)
    (left / "link").symlink_to(outside)
    sweep_temporary()
    assert sorted(path.name for path in place.iterdir()) == [
        "muddle-notes___",
        "muddle-replay-abcdefgh",
        "muddle-replay-datasets",
    ]
    assert (outside / "mine.txt").read_text() == "mine"


def test_a_folder_that_was_swept_before_it_was_held_is_made_anew(place, monkeypatch):
    real, first = leftovers.held, []

    def swept(path):
        if not first:
            first.append(path)
            path.rmdir()
        return real(path)

    monkeypatch.setattr(leftovers, "held", swept)
    with temporary_folder("replay") as folder:
        assert folder.is_dir() and folder != first[0]
        with held(folder) as got:
            assert not got, "it is held already"


def test_what_a_killed_export_left_is_swept_beside_its_folder_only(tmp_path):
    out, gone = tmp_path / "b", dead()
    out.mkdir()
    for name in (
        f".b.{gone}.tmp",
        f".b.{gone}.old",
        f".c.{gone}.tmp",
        f".b.{os.getpid()}.tmp",
        f".b.{os.getppid()}.old",
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / "rows.jsonl").write_text("{}")
    (tmp_path / f".b.zip.{gone}.tmp").write_bytes(b"PK")
    (tmp_path / f".b.{gone}.txt").write_text("mine")
    outside = tmp_path / "outside"
    outside.mkdir()
    other = dead()
    (tmp_path / f".b.{other}.tmp").symlink_to(outside)
    busy = tmp_path / f".b.{gone + 10**8}.tmp"
    busy.mkdir()
    with held(busy) as got:
        assert got
        sweep_beside(out)
        assert busy.is_dir()
    assert {path.name for path in tmp_path.iterdir()} == {
        *("b", "outside", f".c.{gone}.tmp", f".b.{gone}.txt", f".b.{other}.tmp", busy.name),
        *(f".b.{os.getpid()}.tmp", f".b.{os.getppid()}.old"),
    }


def test_a_bundle_that_was_put_aside_when_its_export_was_killed_comes_back(tmp_path):
    aside = tmp_path / f".b.{dead()}.old"
    aside.mkdir()
    (aside / "bundle.json").write_text("{}")
    sweep_beside(tmp_path / "b")
    assert (tmp_path / "b" / "bundle.json").read_text() == "{}" and not aside.exists()
