"""Worker processes that can be stopped: units of work in groups, one deadline a group.

A document that makes a PDF library loop for ever, or kills the process that reads it, must not cost the documents
beside it. ``concurrent.futures`` can neither stop a running call nor survive a worker that dies, so this module keeps
its own processes: each takes one unit at a time over a pipe, and is killed and replaced when its group runs out of
time. It knows nothing about documents, keeps no results and retries only a unit whose worker died (once).

Processes are spawned, so a script that starts work at its top level must do so under ``if __name__ == "__main__":``.
"""

import contextlib
import heapq
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from multiprocessing import connection
from multiprocessing.process import BaseProcess
from types import TracebackType
from typing import Any, Final

from muddle_utils.study.errors import MuddleError

ATTEMPTS: Final = 2
READY: Final = "ready"


class WorkerError(MuddleError, RuntimeError):
    """Worker processes cannot be started at all; the message says what to change."""


@dataclass(frozen=True)
class Unit:
    """One call for a worker. Units of a smaller ``order`` start first; ``group`` shares one deadline."""

    group: str
    order: tuple[int, ...]
    function: Callable[..., Any]
    arguments: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Outcome:
    """What became of a unit: its value, or a ``problem`` in one sentence.

    ``ended`` is ``returned``, ``raised``, ``died`` (the process ended under it) or ``deadline`` (it was killed; the
    group's waiting units are dropped without outcomes of their own).
    """

    unit: Unit
    ended: str
    value: Any = None
    problem: str = ""


def available_cores() -> int:
    """Return the number of processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)


def _work(pipe: connection.Connection, prepare: Callable[[], object]) -> None:
    """Take units from the pipe until it closes; send back (ended, value, problem)."""
    # Control-C reaches the whole process group; the parent alone decides what stops.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with contextlib.suppress(EOFError, OSError):
        prepare()
        pipe.send(READY)
        while True:
            function, arguments = pipe.recv()
            try:
                answer = ("returned", function(*arguments), "")
            except Exception as error:  # noqa: BLE001 - whatever a unit raises is its outcome, not the worker's end
                answer = ("raised", None, f"{type(error).__name__}: {error}")
            pipe.send(answer)


@dataclass
class _Worker:
    process: BaseProcess
    pipe: connection.Connection
    ready: bool = False
    unit: Unit | None = None


@dataclass
class _Clock:
    """Time during which at least one unit of a group was running (seconds)."""

    spent: float = 0.0
    running: int = 0
    since: float = 0.0

    def start(self, now: float) -> None:
        if not self.running:
            self.since = now
        self.running += 1

    def stop(self, now: float) -> None:
        self.running -= 1
        if not self.running:
            self.spent += now - self.since

    def elapsed(self, now: float) -> float:
        return self.spent + (now - self.since if self.running else 0.0)


@dataclass
class WorkerPool:
    """Up to ``workers`` processes, used as a context manager that leaves none behind.

    Submit units, then iterate over ``outcomes()``; more units may be submitted while iterating. A group's clock runs
    only while one of its units does, so waiting for other groups costs it nothing, and neither does the start of a
    worker if ``prepare``, which each calls first, imports what the units need. ``stopped`` is called with the process
    id of every worker that ended before its time, so that the caller can remove its half-written files.
    """

    workers: int
    deadline: float
    prepare: Callable[[], object] = int
    stopped: Callable[[int], None] = lambda _process_id: None
    _queue: list[tuple[tuple[int, ...], int, Unit]] = field(default_factory=list)
    _pool: list[_Worker] = field(default_factory=list)
    _clocks: dict[str, _Clock] = field(default_factory=dict)
    _deaths: dict[tuple[str, tuple[int, ...]], int] = field(default_factory=dict)
    _submitted: int = 0

    def __enter__(self) -> "WorkerPool":
        """Return the pool; processes start with the first outcome asked for."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End every process, whether or not it is at work."""
        for worker in list(self._pool):
            self._remove(worker, kill=worker.unit is not None or not worker.ready)

    def submit(self, unit: Unit) -> None:
        """Queue a unit."""
        self._submitted += 1
        heapq.heappush(self._queue, (unit.order, self._submitted, unit))

    def drop(self, group: str) -> None:
        """Forget the waiting units of a group; running ones go on."""
        self._queue = [entry for entry in self._queue if entry[2].group != group]
        heapq.heapify(self._queue)

    def outcomes(self) -> Iterator[Outcome]:
        """Yield outcomes as they come, until nothing waits and nothing runs.

        Raises:
            WorkerError: a process ended before it could take work.
        """
        while self._queue or any(worker.unit for worker in self._pool):
            self._hire()
            self._assign()
            yield from self._collect()
            yield from self._stop_late_groups()

    def _hire(self) -> None:
        context = multiprocessing.get_context("spawn")
        missing = min(self.workers, len(self._queue) + sum(1 for worker in self._pool if worker.unit)) - len(self._pool)
        for _ in range(missing):
            ours, theirs = context.Pipe()
            process = context.Process(target=_work, args=(theirs, self.prepare), daemon=True)
            process.start()
            theirs.close()
            self._pool.append(_Worker(process, ours))

    def _assign(self) -> None:
        now = time.monotonic()
        for worker in self._pool:
            if worker.ready and worker.unit is None and self._queue:
                unit = heapq.heappop(self._queue)[2]
                # A worker that died since it became ready is found by its closed pipe in _collect.
                with contextlib.suppress(OSError):
                    worker.pipe.send((unit.function, unit.arguments))
                worker.unit = unit
                self._clocks.setdefault(unit.group, _Clock()).start(now)

    def _patience(self) -> float | None:
        """Return the seconds until the next running group is out of time; None when nothing runs."""
        now = time.monotonic()
        groups = {worker.unit.group for worker in self._pool if worker.unit}
        return min((max(self.deadline - self._clocks[group].elapsed(now), 0.0) for group in groups), default=None)

    def _collect(self) -> Iterator[Outcome]:
        ready = connection.wait([worker.pipe for worker in self._pool], self._patience())
        for worker in [worker for worker in self._pool if worker.pipe in ready]:
            try:
                message = worker.pipe.recv()
            except (EOFError, OSError):
                yield from self._bury(worker)
                continue
            if message == READY:
                worker.ready = True
                continue
            unit = self._release(worker)
            if unit is not None:
                yield Outcome(unit, *message)

    def _release(self, worker: _Worker) -> Unit | None:
        unit, worker.unit = worker.unit, None
        if unit is not None:
            self._clocks[unit.group].stop(time.monotonic())
        return unit

    def _remove(self, worker: _Worker, kill: bool) -> None:
        if kill:
            worker.process.kill()
        worker.pipe.close()
        worker.process.join(5.0)
        if worker.process.exitcode is None:
            worker.process.kill()
            worker.process.join()
        process_id, early = worker.process.pid, worker.process.exitcode != 0
        worker.process.close()
        self._pool.remove(worker)
        if early and process_id is not None:
            self.stopped(process_id)

    def _bury(self, worker: _Worker) -> Iterator[Outcome]:
        """Remove a worker whose process ended by itself; its unit gets a second try, then is given up."""
        worker.process.join(5.0)
        exit_code = worker.process.exitcode
        ready, unit = worker.ready, self._release(worker)
        self._remove(worker, kill=True)
        if not ready:
            raise WorkerError(
                f"a worker process ended while starting (exit code {exit_code}): call this from a module or notebook, "
                'or put the script\'s work under `if __name__ == "__main__":`'
            )
        if unit is None:
            return
        name = (unit.group, unit.order)
        self._deaths[name] = self._deaths.get(name, 0) + 1
        if self._deaths[name] < ATTEMPTS:
            self.submit(unit)
        else:
            cause = f"signal {-exit_code}" if exit_code and exit_code < 0 else f"exit code {exit_code}"
            yield Outcome(unit, "died", problem=f"the worker process died {ATTEMPTS} times ({cause})")

    def _stop_late_groups(self) -> Iterator[Outcome]:
        now = time.monotonic()
        running = {worker.unit.group: worker.unit for worker in self._pool if worker.unit}
        for group, unit in running.items():
            if self._clocks[group].elapsed(now) < self.deadline:
                continue
            self.drop(group)
            for worker in [worker for worker in self._pool if worker.unit and worker.unit.group == group]:
                self._release(worker)
                self._remove(worker, kill=True)
            yield Outcome(unit, "deadline", problem=f"stopped after {self.deadline:g} s")
