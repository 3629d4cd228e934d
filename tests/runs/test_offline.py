"""The kernel of a replayed notebook: real kernels that try to reach a listening socket and to read planted keys."""

import json
import tempfile
import types

import nbformat
import pytest

from muddle_utils.runs import offline, pipeline, plan

KEY = "planted-secret-0123456789abcdef"
PLANTED = {
    **{"OPENAI_API_KEY": KEY, "AWS_SECRET_ACCESS_KEY": KEY, "GOOGLE_APPLICATION_CREDENTIALS": "/home/ann/key.json"},
    **{"DATABASE_URL": f"postgresql://ann:{KEY}@db/x", "HTTPS_PROXY": f"http://ann:{KEY}@proxy", "OTHER": KEY},
}
TRIES = """
import os, socket, subprocess, sys, urllib.request
def outcome(call):
    try:
        call()
    except OSError as error:
        return type(error).__name__
    return "went through"
def by_asyncio():
    import asyncio
    async def connect():
        await asyncio.open_connection("127.0.0.1", PORT)
    loop = asyncio.new_event_loop()
    import threading
    caught = []
    def run():
        try:
            loop.run_until_complete(connect())
        except OSError as error:
            caught.append(error)
    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    if caught:
        raise caught[0]
found = {
    "connection": outcome(lambda: socket.create_connection(("127.0.0.1", PORT), 5)),
    "url": outcome(lambda: urllib.request.urlopen("http://127.0.0.1:PORT/x", timeout=5)),
    "datagram": outcome(lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", PORT))),
    "listening": outcome(lambda: socket.create_server(("127.0.0.1", 0))),
    "asyncio": outcome(by_asyncio),
    "name": outcome(lambda: socket.gethostbyname("localhost")),
    "address": outcome(lambda: socket.getaddrinfo("127.0.0.1", PORT)),
    "own": outcome(lambda: socket.socketpair()),
    "environment": dict(os.environ),
    "child": subprocess.run([sys.executable, "-c", "import os; print(list(os.environ.values()))"],
        capture_output=True, text=True).stdout,
}
import json, pathlib
pathlib.Path("PLACE").write_text(json.dumps(found))
"""


def run_cells(folder, code, is_offline):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
    nbformat.write(notebook, folder / "x.ipynb")
    step, places = types.SimpleNamespace(path=folder / "x.ipynb", notebook="x"), {"study": "s", "runs_dir": str(folder)}
    run = plan.Run(step, places, folder / "out.ipynb", is_offline)
    with tempfile.TemporaryDirectory() as sockets:
        pipeline.execute(run, sockets)


@pytest.mark.parametrize("is_offline", [True, False])
def test_an_offline_kernel_reaches_nobody_and_has_no_key(tmp_path, monkeypatch, listener, is_offline):
    port, arrived = listener
    for name, value in PLANTED.items():
        if name != "HTTPS_PROXY" or is_offline:
            monkeypatch.setenv(name, value)
    code = TRIES.replace("PORT", str(port)).replace("PLACE", str(tmp_path / "found"))
    # The last way, without an answer, would wait for one.
    code = code if is_offline else code.replace('"url":', '"url": "" and')
    run_cells(tmp_path, code, is_offline)
    found = json.loads((tmp_path / "found").read_text())
    environment, child = found.pop("environment"), found.pop("child")
    assert found.pop("own") == "went through"
    if is_offline:
        assert set(found.values()) <= {"PermissionError", "URLError"} and len(found) == 7
        assert arrived == [] and not PLANTED.keys() & environment.keys()
        assert KEY not in json.dumps(environment) and KEY not in child
        assert {"PATH", "HOME"} <= environment.keys()
    else:
        assert found["connection"] == "went through" and arrived and KEY in child, "the test itself can fail"


def test_what_a_kernel_needs_is_named_and_all_else_stays_out():
    kept = dict.fromkeys(("PATH", "LC_ALL", "PYTHONPATH", "TMPDIR", "OMP_NUM_THREADS", "MPLCONFIGDIR"), "x")
    left = (*PLANTED, "AWS_PROFILE", "http_proxy", "SSH_AUTH_SOCK", "PGPASSWORD", "PYTHON_TOKEN", "XPATH", "MKL_KEY")
    assert offline.needed({**kept, **dict.fromkeys(left, KEY)}) == kept
