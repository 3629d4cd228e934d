"""Shared fixtures: a loopback server that speaks the OpenAI chat API, and where the real documents are."""

import contextlib
import json
import shutil
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import hypothesis
import pytest

from muddle_utils.study import paths

# How long an example takes says more of the machine's other work than of the code.
hypothesis.settings.register_profile("patient", deadline=None)
hypothesis.settings.load_profile("patient")

SHARED = Path(__file__).resolve().parents[2] / "shared"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the files beside this one: some run whole studies, for which one core would wait in the end."""
    items.sort(key=lambda item: item.path.parent != Path(__file__).parent)


@pytest.fixture(scope="session")
def mmlongbench() -> Path:
    """Folder of real MMLongBench-Doc files, where this machine has them."""
    folder = SHARED / "mmlongbench"
    if not (folder / "documents").is_dir():
        pytest.skip("the real MMLongBench-Doc documents are not on this machine")
    return folder


@pytest.fixture(scope="session")
def rows() -> Any:
    """A made-up study's rows; tests change copies only."""
    from made_up_study import Rows

    return Rows()


@pytest.fixture(scope="session")
def frame(rows: Any) -> Any:
    """The long frame of ``rows``."""
    return rows.frame()


@pytest.fixture
def change_published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str, str], None]:
    """Make the package read a copy of the published files, and return what replaces a text in one of them, once."""
    from muddle_utils.analysis import published

    shutil.copytree(paths.project_root() / "data" / "published", tmp_path / "data" / "published")
    monkeypatch.setattr(published, "project_root", lambda: tmp_path)

    def change(name: str, old: str, new: str) -> None:
        path = tmp_path / "data" / "published" / name
        text = path.read_text("utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), "utf-8")

    return change


def completion(text: str | None, finish: str = "stop", **message: Any) -> dict[str, Any]:
    """Return the body of a chat completion."""
    return {
        "id": "1",
        "object": "chat.completion",
        "created": 0,
        "model": "served-name",
        "choices": [
            {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text, **message}}
        ],
        # Enough for whatever a test sends: a usage under what was sent would mean that it was lost.
        "usage": {"prompt_tokens": 1_000_000, "completion_tokens": 3, "total_tokens": 1_000_003},
    }


@dataclass
class ChatServer:
    """A server on loopback; ``respond`` maps (request number, body) to (status, headers, body)."""

    url: str = ""
    requests: list[dict[str, Any]] = field(default_factory=list)
    see_headers: Callable[[dict[str, str]], None] = lambda headers: None
    respond: Callable[[int, dict[str, Any]], tuple[int, dict[str, str], Any]] = lambda number, body: (
        200,
        {},
        completion("42"),
    )


@pytest.fixture
def chat_server() -> Iterator[ChatServer]:
    state = ChatServer()
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with lock:
                state.requests.append(body)
                number = len(state.requests)
                state.see_headers({name.lower(): value for name, value in self.headers.items()})
            status, headers, reply = state.respond(number, body)
            data = reply if isinstance(reply, bytes) else json.dumps(reply).encode()
            self.send_response(status)
            for name, value in {"Content-Type": "application/json", **headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            # Whoever has waited long enough is gone.
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    state.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    yield state
    server.shutdown()
    server.server_close()


@pytest.fixture
def listener():
    """A socket that takes connections; gives its port and what arrived."""
    arrived = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(60)

        def take():
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                arrived.append(connection)

        thread = threading.Thread(target=take, daemon=True)
        thread.start()
        yield server.getsockname()[1], arrived
        for connection in arrived:
            connection.close()
        server.shutdown(socket.SHUT_RDWR)
    thread.join(5)
