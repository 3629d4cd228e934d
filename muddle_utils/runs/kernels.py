"""Kernels forked from one process that has imported what the notebooks import, so that a study imports it once.

Starting a kernel takes seconds of imports, and a study has a dozen. ``warm_kernels`` keeps a process that imports first
and only forks then; ``ForkedKernel`` starts a kernel there, with the environment, folder and arguments that it would
have had. Linux only: what macOS loads cannot be forked. A kernel that must not see this process's environment,
``offline``, is never forked, since its memory would hold what the process was started with.
"""

import atexit
import contextlib
import gc
import importlib
import os
import select
import signal
import socket
import subprocess
import sys
import warnings
from collections.abc import Iterator
from multiprocessing.connection import Client, Connection
from pathlib import Path
from typing import Any, Final, NoReturn

from jupyter_client.manager import AsyncKernelManager
from jupyter_client.provisioning.local_provisioner import LocalProvisioner
from nbclient.exceptions import DeadKernelError
from traitlets import Unicode

from muddle_utils.study.paths import project_root

# Not ``figures``: pyplot asks the notebook that imports it how to show figures.
_ROOMS: Final = ("study", "rendering", "corpus", "inference", "judging", "analysis")
_OTHERS: Final = ("ipykernel.ipkernel", "pandas", "matplotlib.figure", "matplotlib.backends.backend_agg")
_LAUNCHER: Final = ["-m", "ipykernel_launcher"]
SERVER: Final = "kernels"  # the name of the server's socket


class ForkedKernel(AsyncKernelManager):
    """Starts a kernel by ``warm_kernels``, if it is Python's own; any other as ever."""

    server = Unicode(help="the server's socket").tag(config=True)

    async def _async_launch_kernel(self, kernel_cmd: list[str], **options: Any) -> None:  # noqa: ANN401
        provisioner = self.provisioner
        if kernel_cmd[:3] != [sys.executable, *_LAUNCHER] or not isinstance(provisioner, LocalProvisioner):
            return await super()._async_launch_kernel(kernel_cmd, **options)
        try:
            process = _Forked(self.server, kernel_cmd[3:], dict(options["env"]), options.get("cwd") or os.getcwd())
        except (OSError, EOFError):
            raise DeadKernelError("what starts kernels has ended") from None
        provisioner.process = process  # type: ignore[assignment]
        provisioner.pid = provisioner.pgid = process.pid
        return None


class _Forked:
    """What the provisioner uses of a ``Popen``; the server keeps a kernel's number until the run is over."""

    stdin = stdout = stderr = None

    def __init__(self, server: str, *request: object) -> None:
        self._connection = Client(server, "AF_UNIX")
        self._connection.send(request)
        self.pid: int = self._connection.recv()

    def poll(self) -> int | None:
        # The kernel says no more: what can be read is the end of the connection, which is the end of the kernel.
        return 0 if self._connection.poll() else None

    def wait(self) -> int:
        self._connection.poll(None)
        self._connection.close()
        return 0

    def send_signal(self, number: int) -> None:
        os.kill(self.pid, number)


@contextlib.contextmanager
def warm_kernels(folder: Path) -> Iterator[None]:
    """Keep a process that forks kernels for ``ForkedKernel`` at the socket ``SERVER`` in ``folder``; none but on Linux.

    The kernels end with the block, or with this process.
    """
    if not sys.platform.startswith("linux"):
        yield
        return
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(folder / SERVER))
        listener.listen()
        process = subprocess.Popen(
            [sys.executable, "-m", __name__, str(listener.fileno())],
            stdin=subprocess.PIPE,
            pass_fds=[listener.fileno()],
            cwd=project_root(),
            # An interrupt from the keyboard is for the run alone, which ends this.
            start_new_session=True,
        )
    try:
        yield
    finally:
        process.communicate()


def _serve(listener: socket.socket) -> None:
    """Import, then fork a kernel for whoever connects, until standard input ends; then end the kernels."""
    for name in _OTHERS:
        importlib.import_module(name)
    for name in _ROOMS:
        room = importlib.import_module(f"muddle_utils.{name}")
        for face in room.__all__:
            getattr(room, face)
    gc.collect()
    gc.freeze()
    # Python warns of threads that are not copied; those of the linear algebra end before a fork, by its own care.
    warnings.filterwarnings("ignore", category=DeprecationWarning, message=".*fork")
    kernels: list[int] = []
    while sys.stdin.fileno() not in (ready := select.select([listener, sys.stdin], [], [])[0]) and listener in ready:
        with Connection(listener.accept()[0].detach()) as connection:
            request = connection.recv()
            process = os.fork()
            if process == 0:
                listener.close()
                _become_kernel(connection, *request)
        kernels.append(process)
    for process in kernels:
        for end in (os.killpg, os.kill):
            with contextlib.suppress(ProcessLookupError):
                end(process, signal.SIGKILL)
        os.waitpid(process, 0)


def _become_kernel(connection: Connection, arguments: list[str], environment: dict[str, str], folder: str) -> NoReturn:
    """Run a kernel in this process, as ``python -m ipykernel_launcher`` would, and end it.

    The connection stays open as long as the kernel lives.
    """
    from ipykernel.kernelapp import launch_new_instance

    status = 1
    try:
        os.setsid()
        os.dup2(os.open(os.devnull, os.O_RDONLY), sys.stdin.fileno())
        os.environ.clear()
        os.environ.update(environment, JPY_PARENT_PID=str(os.getppid()))
        os.chdir(folder)
        # The launcher takes out the folder that ``python -m`` puts in.
        sys.path.pop(0)
        sys.argv = ["ipykernel_launcher", *arguments]
        connection.send(os.getpid())
        launch_new_instance()
        status = 0
    finally:
        # Taking all modules apart would take as long as importing them.
        atexit._run_exitfuncs()
        os._exit(status)


if __name__ == "__main__":
    # Read when ipykernel is imported: a kernel ends when this process does.
    os.environ["JPY_PARENT_PID"] = str(os.getpid())
    # Read when matplotlib is imported; a kernel would set it.
    os.environ.setdefault("MPLBACKEND", "module://matplotlib_inline.backend_inline")
    _serve(socket.socket(fileno=int(sys.argv[1])))
