"""Runs Python as somebody whom permissions bind: an administrator's processes may otherwise write anywhere."""

import contextlib
import ctypes
import os
import subprocess
import sys
from pathlib import Path

_DROP_FROM_BOUNDING_SET, _DAC_OVERRIDE = 24, 1


def _drop():
    ctypes.CDLL(None).prctl(_DROP_FROM_BOUNDING_SET, _DAC_OVERRIDE, 0, 0, 0)


def run(code, *arguments):
    """Run code in a child process that no permission is waived for; return the finished process."""
    return subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=_drop,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])},
    )


def muddle(*arguments):
    """Run a command of the kit in such a child process."""
    return run("import sys; from muddle_utils.runs.cli import main; sys.exit(main(sys.argv[1:]))", *arguments)


@contextlib.contextmanager
def read_only(folder):
    """Take the permission to write from a folder and all in it; give it back in the end."""
    everything = [folder, *folder.rglob("*")]
    modes = {path: path.stat().st_mode for path in everything}
    for path in everything:
        path.chmod(modes[path] & ~0o222)
    try:
        assert run("open(__import__('sys').argv[1], 'w')", folder / "new").returncode
        yield
    finally:
        for path, mode in modes.items():
            path.chmod(mode)
