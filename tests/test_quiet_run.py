"""A run of the embedded models asks nobody, loads nothing to ask with and writes nothing but the study."""

import os
import re
import shutil
import subprocess
import sys

import pymupdf
import pytest

# Written into every Python process below the run, this tells of every address that one of them speaks to, and of
# litellm, wherever it is imported.
WATCH = """
import os, sys
def tell(event, arguments):
    # The address of a socket within the machine is a path.
    if event in ("socket.connect", "socket.sendto") and not isinstance(arguments[1], (str, bytes)):
        with open({log!r}, "a", encoding="utf-8") as file:
            file.write(f"{{event}} {{arguments[1]}}\\n")
    if event == "import" and arguments[0] == "litellm":
        with open({log!r} + ".imports", "a", encoding="utf-8") as file:
            file.write(f"{{sys.argv}}\\n")
sys.addaudithook(tell)
"""


@pytest.fixture(scope="module")
def quiet(tmp_path_factory):
    """What a whole run did: (folder, addresses that Python spoke to, those of all processes or None)."""
    folder = tmp_path_factory.mktemp("quiet")
    home, corpus, hooks = (folder / name for name in ("home", "corpus", "hooks"))
    for place in (home / "tmp", corpus, hooks):
        place.mkdir(parents=True)
    with pymupdf.open() as document:
        document.new_page().insert_text((72, 72), "The club has 412 members.")
        document.save(corpus / "club.pdf")
    (corpus / "questions.csv").write_text("document_id,question,answer\nclub.pdf,How many members has the club?,412\n")
    (hooks / "sitecustomize.py").write_text(WATCH.format(log=str(folder / "python.log")))
    command = [sys.executable, "-m", "muddle_utils.runs.cli", "run", "--study", "quiet", "--corpus", str(corpus)]
    command += ["--modality", "markdown", "--modality", "image", "-p", "n_resamples", "200"]
    command += ["--runs-dir", str(folder / "runs"), "--figures-dir", str(folder / "figures")]
    trace = shutil.which("strace")
    if trace:
        command = [
            trace,
            "-f",
            "-qq",
            "--seccomp-bpf",
            "-e",
            "trace=connect,sendto,sendmsg",
            "-o",
            str(folder / "trace"),
            *command,
        ]
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "MPL", "IPYTHON"))}
    environment |= {"HOME": str(home), "TMPDIR": str(home / "tmp"), "PYTHONPATH": f"{hooks}:{os.getcwd()}"}
    places = ["--runs-dir", str(folder / "runs"), "--figures-dir", str(folder / "figures")]
    muddle, study = [sys.executable, "-m", "muddle_utils.runs.cli"], ["--study", "quiet", *places]
    gold, said = folder / "runs" / "quiet" / "questions.jsonl", str(folder / "said.json")
    for words in (
        command,
        [*muddle, "status", *study],
        [*muddle, "doctor", "--runs-dir", str(folder / "runs")],
        [*muddle, "estimate", "--corpus", str(corpus), *study],
        [*muddle, "report", "quiet", *places],
        [*muddle, "export", "quiet", *places, "--out", str(folder / "bundle")],
        [*muddle, "predictions", "quiet", *places[:2], "--out", said],
        [*muddle, "score", said, "--annotation", str(gold), *places],
    ):
        done = subprocess.run(words, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, (words, done.stderr)
    return folder


def test_no_python_process_speaks_to_an_address(quiet):
    log = quiet / "python.log"
    assert not log.exists() or log.read_text() == ""


def test_no_process_imports_litellm(quiet):
    log = quiet / "python.log.imports"
    assert not log.exists() or log.read_text() == ""


def test_no_library_speaks_to_an_address(quiet):
    if not (quiet / "trace").is_file():
        pytest.skip("strace is not installed, so what libraries do by themselves cannot be seen")
    assert re.findall(r".*AF_INET.*", (quiet / "trace").read_text()) == []


def test_nothing_is_left_in_the_home_folder(quiet):
    left = [str(path.relative_to(quiet / "home")) for path in (quiet / "home").rglob("*") if path.is_file()]
    assert left == []


def test_the_watch_sees_what_it_is_there_for(tmp_path):
    (tmp_path / "sitecustomize.py").write_text(WATCH.format(log=str(tmp_path / "log")))
    code = "import litellm, socket; s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.connect(('127.0.0.1', 9))"
    subprocess.run([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": str(tmp_path)}, check=True)
    assert "127.0.0.1" in (tmp_path / "log").read_text()
    assert (tmp_path / "log.imports").read_text()
