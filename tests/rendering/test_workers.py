import multiprocessing
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from muddle_utils.rendering.workers import Outcome, Unit, WorkerPool, available_cores

ROOT = Path(__file__).resolve().parents[2]


def run(units, workers=2, deadline=900.0, **options) -> list[Outcome]:
    with WorkerPool(workers, deadline, **options) as pool:
        for unit in units:
            pool.submit(unit)
        return list(pool.outcomes())


def test_outcomes_hold_values_and_errors():
    outcomes = run([Unit("a", (0,), pow, (2, 10)), Unit("b", (1,), int, ("x",))])
    by_group = {outcome.unit.group: outcome for outcome in outcomes}
    assert (by_group["a"].ended, by_group["a"].value) == ("returned", 1024)
    assert by_group["b"].ended == "raised"
    assert by_group["b"].problem == "ValueError: invalid literal for int() with base 10: 'x'"
    assert multiprocessing.active_children() == []


def test_no_units_start_no_process():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(multiprocessing.process.BaseProcess, "start", lambda self: pytest.fail("a process was started"))
        assert run([]) == []


def test_smaller_order_first_and_units_may_be_added_while_iterating():
    seen = []
    with WorkerPool(1, 900.0) as pool:
        for order in (3, 1, 2):
            pool.submit(Unit("a", (order,), abs, (-order,)))
        for outcome in pool.outcomes():
            seen.append(outcome.value)
            if outcome.value == 1:
                pool.submit(Unit("a", (1, 5), abs, (-15,)))
    assert seen == [1, 15, 2, 3]


def test_late_group_is_killed_and_the_others_finish():
    stopped = []
    units = [Unit("late", (0, part), time.sleep, (600,)) for part in range(5)]
    units += [Unit(f"quick {number}", (1, number), pow, (number, 2)) for number in range(10)]
    started = time.monotonic()
    outcomes = run(units, deadline=0.5, stopped=stopped.append)
    assert time.monotonic() - started < 200
    late = [outcome for outcome in outcomes if outcome.unit.group == "late"]
    assert [outcome.ended for outcome in late] == ["deadline"]
    assert late[0].problem == "stopped after 0.5 s"
    assert sorted(outcome.value for outcome in outcomes if outcome.ended == "returned") == [n**2 for n in range(10)]
    # Two workers slept in the late group; their replacements may have been stopped before they were ready.
    assert 2 <= len(set(stopped)) == len(stopped) <= 4
    assert multiprocessing.active_children() == []


def test_clock_of_a_group_runs_only_while_it_works():
    # One worker, 1 s a unit, deadline 1.8 s: a works twice (2 s, late in its second unit); b and c work once, and c
    # is in time although it waits longer than 1.8 s for its turn.
    order = ["b", "a", "c", "a"]
    outcomes = run([Unit(group, (i,), time.sleep, (1.0,)) for i, group in enumerate(order)], workers=1, deadline=1.8)
    assert [(outcome.unit.group, outcome.ended) for outcome in outcomes] == [
        ("b", "returned"),
        ("a", "returned"),
        ("c", "returned"),
        ("a", "deadline"),
    ]


@pytest.mark.parametrize(
    ("function", "arguments", "cause"), [(os._exit, (3,), "exit code 3"), (os.abort, (), "signal 6")]
)
def test_dying_worker_costs_its_unit_only(function, arguments, cause):
    units = [Unit("bad", (0,), function, arguments)] + [Unit("good", (1, n), abs, (-n,)) for n in range(5)]
    outcomes = run(units)
    bad = [outcome for outcome in outcomes if outcome.unit.group == "bad"]
    assert [(outcome.ended, outcome.problem) for outcome in bad] == [
        ("died", f"the worker process died 2 times ({cause})")
    ]
    assert sorted(outcome.value for outcome in outcomes if outcome.unit.group == "good") == [0, 1, 2, 3, 4]


def test_error_in_the_caller_leaves_no_process():
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt), WorkerPool(2, 900.0) as pool:
        pool.submit(Unit("a", (0,), abs, (-1,)))
        pool.submit(Unit("b", (1,), time.sleep, (600,)))
        for _ in pool.outcomes():
            raise KeyboardInterrupt
    assert multiprocessing.active_children() == []
    assert time.monotonic() - started < 200


SCRIPT = """
import os, time
from muddle_utils.rendering.workers import Unit, WorkerPool
with WorkerPool(1, 600.0) as pool:
    pool.submit(Unit("a", (0,), os.getpid))
    pool.submit(Unit("a", (1,), time.sleep, (600,)))
    for outcome in pool.outcomes():
        print(outcome.value, flush=True)
"""


def is_running(process_id: int) -> bool:
    stat = Path(f"/proc/{process_id}/stat")
    try:
        return stat.read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc to see other processes")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_workers_end_with_their_parent(how):
    parent = subprocess.Popen(
        [sys.executable, "-c", SCRIPT], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    with parent:
        worker = int(parent.stdout.readline())
        assert is_running(worker)
        parent.send_signal(how)
        parent.wait(200)
    until = time.monotonic() + 200
    while is_running(worker) and time.monotonic() < until:
        time.sleep(0.05)
    assert not is_running(worker)


def test_script_without_main_guard_is_told(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, script], env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 1
    assert (
        done.stderr.rstrip()
        .splitlines()[-1]
        .startswith("muddle_utils.rendering.workers.WorkerError: a worker process ended")
    )
    assert 'if __name__ == "__main__":' in done.stderr


def test_available_cores():
    assert 1 <= available_cores() <= (os.cpu_count() or 1)
