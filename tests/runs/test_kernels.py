"""Forked kernels: what a notebook sees in one is what it sees in any other, and none outlives its run."""

import contextlib
import json
import subprocess
import sys
import tempfile
import time
import types
from pathlib import Path

import nbformat
import pytest

from muddle_utils.runs import pipeline, plan
from muddle_utils.runs.kernels import warm_kernels
from muddle_utils.runs.settings import RunError

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="kernels are forked on Linux only")
SEES = """
import sys
warm = "matplotlib.figure" in sys.modules
import json, os, pathlib, signal
import matplotlib.pyplot as plt
import subprocess
inherited = subprocess.run(["printenv", "PLANTED"], capture_output=True, text=True, check=True).stdout
environment = {name: value for name, value in os.environ.items() if name != "JPY_PARENT_PID"}
pathlib.Path("PLACE").write_text(json.dumps({
    "environment": environment, "inherited": inherited, "folder": os.getcwd(), "path": sys.path, "main": __name__,
    "backend": plt.get_backend(), "leads": os.getpid() == os.getsid(0), "warm": warm,
    "interrupt": signal.getsignal(signal.SIGINT) is signal.default_int_handler,
}))
figure, axes = plt.subplots()
figure
"""


def run_of(folder: Path, code: str) -> plan.Run:
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
    nbformat.write(notebook, folder / "x.ipynb")
    step = types.SimpleNamespace(path=folder / "x.ipynb", notebook="x")
    return plan.Run(step, {"study": "s", "runs_dir": str(folder)}, folder / "out.ipynb")


@contextlib.contextmanager
def sockets(warm: bool):
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as served:
        if warm:
            served.enter_context(warm_kernels(Path(folder)))
        yield folder


def test_a_forked_kernel_sees_what_another_sees(tmp_path, monkeypatch):
    run, seen = run_of(tmp_path, SEES.replace("PLACE", str(tmp_path / "seen"))), []
    for warm in (False, True):
        with sockets(warm) as folder:
            # After the server has started: what counts is the environment at the kernel's own start.
            monkeypatch.setenv("PLANTED", "yes")
            pipeline.execute(run, folder)
            monkeypatch.delenv("PLANTED")
        seen.append(json.loads((tmp_path / "seen").read_text()))
        shown = nbformat.read(tmp_path / "out.ipynb", 4).cells[-1].outputs
        assert [list(output.data) for output in shown if "image/png" in output.data], "no figure is shown"
        for name in ("IPYTHONDIR", "JUPYTER_RUNTIME_DIR"):
            assert seen[-1]["environment"].pop(name).startswith(folder)
    assert (seen[0].pop("warm"), seen[1].pop("warm")) == (False, True)
    assert seen[0] == seen[1] and seen[1]["inherited"] == "yes\n" and seen[1]["leads"]


@pytest.mark.parametrize("dies", ["os.getpid()", "os.getppid()"])
def test_a_forked_kernel_or_server_that_dies_is_said(tmp_path, dies):
    run = run_of(tmp_path, f"import os, signal, time; os.kill({dies}, signal.SIGKILL); time.sleep(60)")
    with sockets(warm=True) as folder:
        for _ in range(2):
            with pytest.raises(RunError, match="the kernel died"):
                pipeline.execute(run, folder)


def is_running(process: int) -> bool:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def test_a_killed_run_leaves_no_kernel_and_no_server(tmp_path):
    place = tmp_path / "numbers"
    code = f"import os, pathlib, time; pathlib.Path({str(place)!r}).write_text(f'{{os.getpid()}} {{os.getppid()}}')"
    run_of(tmp_path, f"{code}; time.sleep(600)")
    program = f"""
import contextlib, types
from pathlib import Path
from muddle_utils.runs import pipeline, plan
from muddle_utils.runs.kernels import warm_kernels
folder = Path({str(tmp_path)!r})
step = types.SimpleNamespace(path=folder / "x.ipynb", notebook="x")
with warm_kernels(folder):
    pipeline.execute(plan.Run(step, {{"study": "s", "runs_dir": str(folder)}}, folder / "out.ipynb"), str(folder))
"""
    with subprocess.Popen([sys.executable, "-c", program], stderr=subprocess.DEVNULL) as run:
        deadline = time.monotonic() + 60
        while not (place.exists() and place.read_text().count(" ")) and time.monotonic() < deadline:
            time.sleep(0.05)
        numbers = [int(number) for number in place.read_text().split()]
        assert all(is_running(number) for number in numbers)
        run.kill()
    deadline = time.monotonic() + 10
    while any(is_running(number) for number in numbers) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(is_running(number) for number in numbers)
