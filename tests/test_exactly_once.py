"""Killed at any moment and begun again, a run answers every cell once and pays for none twice."""

import multiprocessing
import os
import random
import re
import sqlite3
import sys
import threading
import time
from collections import Counter
from multiprocessing import forkserver

import pytest
from conftest import completion
from killed_child import N_CELLS, work

N_KILLS = 20
CONCURRENCY = 8


@pytest.fixture(scope="module")
def processes():
    """A server of processes that has the slow imports behind it."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["killed_child"])
    # The server looks for the module on its own path and says nothing when it is not there.
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join(filter(None, sys.path)))
        forkserver.ensure_running()
    return context


def stored(folder):
    """Return the cell of every answered row, without going through the store's own code."""
    path = folder / "store.sqlite"
    if not path.exists():
        return []
    connection = sqlite3.connect(path, timeout=30)
    try:
        rows = connection.execute("select cell_id from responses where status = 'answered'").fetchall()
    except sqlite3.OperationalError:
        rows = []
    connection.close()
    return [row[0] for row in rows]


@pytest.mark.timeout(300)
def test_killed_at_twenty_moments_each_cell_is_stored_once_and_none_is_asked_again(chat_server, tmp_path, processes):
    asked, lock, rng = [], threading.Lock(), random.Random(20261130)

    def respond(number, body):
        cell = re.search(r"Question (q\d+)", body["messages"][0]["content"])[1] + "|control"
        with lock:
            asked.append(cell)
        time.sleep(0.03)
        if number % 17 == 0:
            return 503, {}, {"error": {"message": "down for a moment"}}
        if number % 23 == 0:
            return 429, {"Retry-After": "0"}, {"error": {"message": "slow down"}}
        return 200, {}, completion("418 metres")

    chat_server.respond = respond
    kills = again = 0
    while kills < N_KILLS:
        before = set(stored(tmp_path))
        begun = len(asked)
        child = processes.Process(target=work, args=(str(tmp_path), chat_server.url))
        child.start()
        # The moment is random, but not before the child has come to ask anything.
        deadline = time.monotonic() + 60
        while len(asked) == begun and child.is_alive() and time.monotonic() < deadline:
            time.sleep(0.002)
        time.sleep(rng.uniform(0.0, 0.15))
        ended = not child.is_alive()
        child.kill()
        child.join()
        again += sum(cell in before for cell in asked[begun:])
        kills += 1
        if ended:
            break
    assert kills == N_KILLS, "the run was over before it was killed often enough: make it longer"
    assert 0 < len(stored(tmp_path)) < N_CELLS
    begun, before = len(asked), set(stored(tmp_path))
    child = processes.Process(target=work, args=(str(tmp_path), chat_server.url))
    child.start()
    child.join(120)
    assert child.exitcode == 0
    again += sum(cell in before for cell in asked[begun:])
    assert again == 0, "an answered cell was asked, and paid for, again"
    assert Counter(stored(tmp_path)) == Counter({f"q{number:03d}|control": 1 for number in range(N_CELLS)})
    # What a kill can cost is what was under way: nothing else is ever repeated but for the server's own faults.
    faults = sum(number % 17 == 0 or number % 23 == 0 for number in range(1, len(asked) + 1))
    assert len(asked) <= N_CELLS + N_KILLS * CONCURRENCY + faults


def test_two_processes_at_once_ask_no_cell_twice(chat_server, tmp_path, processes):
    asked, lock = [], threading.Lock()

    def respond(number, body):
        with lock:
            asked.append(re.search(r"Question (q\d+)", body["messages"][0]["content"])[1])
        return 200, {}, completion("418 metres")

    chat_server.respond = respond
    children = [processes.Process(target=work, args=(str(tmp_path), chat_server.url)) for _ in range(3)]
    for child in children:
        child.start()
    for child in children:
        child.join(120)
    codes = sorted(child.exitcode for child in children)
    assert codes[0] == 0, "one of them does the work"
    assert set(codes) <= {0, 1}, "the others are refused, or find it done"
    assert Counter(asked) == Counter({f"q{number:03d}": 1 for number in range(N_CELLS)})
    assert len(stored(tmp_path)) == N_CELLS
