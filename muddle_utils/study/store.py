"""One database of responses and verdicts a study.

It gets one transaction a row: a process killed at any moment has lost nothing that was answered. Responses and verdicts
are only ever added; the current one of a key is the latest answered (judged) row, or else the latest, of those after
the last row that supersedes it.
"""

import contextlib
import dataclasses
import fcntl
import os
import re
import shutil
import sqlite3
import tempfile
import types
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, TypeVar

import sqlalchemy as sa
from sqlalchemy.engine import make_url
from sqlalchemy.pool import StaticPool

from muddle_utils.study.errors import MuddleError, plain
from muddle_utils.study.records import Response, Verdict, response_key
from muddle_utils.study.rows import as_row, from_row, log

_Row = TypeVar("_Row", Response, Verdict)


class StoreError(MuddleError, RuntimeError):
    """The database of responses and verdicts cannot be used; the message names it and the mend."""


@contextlib.contextmanager
def locked(path: Path, refusal: str, wait: bool = False) -> Iterator[None]:
    """Hold a file's lock, which is the process's: it is gone when the process is, however it ended.

    With ``wait`` it is waited for, which is said in the log.

    Raises:
        StoreError: another process holds it and is not waited for; the message is ``refusal``.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        opened = path.open("a")
    except OSError:
        # What cannot be written can still be locked where it is.
        if not path.is_file():
            raise
        opened = path.open()
    with opened as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if not wait:
                raise StoreError(refusal) from None
            log.warning("%s: waiting for it", refusal)
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


_COLUMN_TYPES: dict[object, type[sa.types.TypeEngine[Any]]] = {
    str: sa.Text,
    int: sa.Integer,
    float: sa.Float,
    bool: sa.Boolean,
}


def _table(name: str, kind: type, metadata: sa.MetaData) -> sa.Table:
    """Return the table of a record type: its fields as columns, after a running number that keeps their order."""
    columns = [sa.Column("row", sa.Integer, primary_key=True, autoincrement=True)]
    for field, hint in typing.get_type_hints(kind).items():
        parts = [part for part in typing.get_args(hint) or (hint,) if part is not types.NoneType]
        columns.append(sa.Column(field, _COLUMN_TYPES[parts[0]], nullable=len(typing.get_args(hint)) > 1))
    return sa.Table(name, metadata, *columns)


def _sync_less(connection: Any, _: object) -> None:  # noqa: ANN401 - whatever the driver's class is
    """Let SQLite sync its log now and then, not with each commit: only a crash of the machine can lose rows."""
    connection.execute("PRAGMA synchronous = NORMAL")


_BEGIN_ANEW: Final = (
    "Restore it from a copy, or move it away with all files whose names begin with its own and run again, which asks "
    "for everything anew"
)

_MEND_FILE: Final = (
    "Rows already written are kept: free the disk or mend the permissions of the file and its folder, then run again"
)
# What SQLite says of a file whose bytes are not, or no longer, those of a database.
_DAMAGED: Final = ("not a database", "malformed", "decode to UTF-8")
_HEAD: Final = b"SQLite format 3\0"


def _refuse_half(path: Path) -> None:
    """Refuse what stands where a database should and is none, before SQLite makes an empty one of it.

    Raises:
        StoreError: it is a folder or another file, or only the database's log is there.
    """
    log_file = path.with_name(f"{path.name}-wal")
    if path.is_dir():
        raise StoreError(f"{path}: it is a folder, not a database. {_BEGIN_ANEW}")
    if path.exists():
        with path.open("rb") as file:
            head = file.read(len(_HEAD))
        if head != _HEAD:
            raise StoreError(f"{path}: it is {'another' if head else 'an empty'} file, not a database. {_BEGIN_ANEW}")
    elif log_file.exists() and log_file.stat().st_size:
        raise StoreError(f"{path} is missing, and its log {log_file.name} with rows of it is there. {_BEGIN_ANEW}")


def _make(path: Path, metadata: sa.MetaData) -> None:
    """Make an empty database whole: a process killed meanwhile leaves none, and not an empty file in its place."""
    with tempfile.TemporaryDirectory(prefix=f".{path.name}.", dir=path.parent) as folder:
        made = Path(folder) / path.name
        engine = sa.create_engine(sa.URL.create("sqlite", database=str(made)))
        with engine.connect() as connection:
            connection.exec_driver_sql("PRAGMA journal_mode = WAL")
        metadata.create_all(engine)
        engine.dispose()
        try:
            # Unlike a rename, a link never replaces what another process has made by now.
            os.link(made, path)
        except FileExistsError:
            return
        except OSError:  # There are file systems without links.
            made.replace(path)


def _is_writable(path: Path) -> bool:
    """Return whether a database can be written: its log needs the folder, too."""
    return os.access(path, os.W_OK) and os.access(path.parent, os.W_OK | os.X_OK)


def _in_memory(path: Path) -> sqlite3.Connection:
    """Return a copy in memory of a database that cannot be written, rows in its log included; nothing there changes."""
    memory = sqlite3.connect(":memory:", check_same_thread=False)

    def fill(place: Path, mode: str) -> None:
        with contextlib.closing(sqlite3.connect(f"{place.absolute().as_uri()}?mode={mode}", uri=True)) as source:
            source.backup(memory)

    try:
        fill(path, "ro")
    except sqlite3.OperationalError:
        # Beside a log SQLite needs an index, which it can make here in a copy only.
        with tempfile.TemporaryDirectory(prefix="muddle-store-") as folder:
            for each in (path, path.with_name(f"{path.name}-wal")):
                if each.exists():
                    shutil.copyfile(each, Path(folder) / each.name)
            fill(Path(folder) / path.name, "rw")
    return memory


class Store:
    """The responses and verdicts of one study, by SQLAlchemy: a SQLite file, or any database URL.

    Rows are only added, one transaction each. Use it as a context manager, or call ``close``.

    Raises:
        StoreError: the file is no database of this kind or damaged, it cannot be written, or the disk is full.
    """

    def __init__(self, location: Path | str, read_only: bool = False) -> None:
        """Open (and where needed make) the database at a file path or SQLAlchemy URL.

        With ``read_only`` a file has to be there; where it or its folder cannot be written, a copy of it in memory is
        read.
        """
        self.location = str(location)
        url = make_url(self.location) if "://" in self.location else sa.URL.create("sqlite", database=self.location)
        sqlite = url.get_backend_name() == "sqlite"
        metadata = sa.MetaData()
        self._responses = _table("responses", Response, metadata)
        self._verdicts = _table("verdicts", Verdict, metadata)
        self._tables = (self._responses, self._verdicts)
        self._engine = sa.create_engine(url, connect_args={"timeout": 60} if sqlite else {})
        with self._guard():
            if sqlite and url.database:
                self._open_file(Path(url.database), metadata, read_only)
            else:
                metadata.create_all(self._engine)
            for table, kind in ((self._responses, Response), (self._verdicts, Verdict)):
                self._add_columns(table, kind)
            if sqlite and read_only:
                with self._engine.connect() as connection:
                    connection.exec_driver_sql("PRAGMA query_only = ON")

    def _open_file(self, path: Path, metadata: sa.MetaData, read_only: bool) -> None:
        _refuse_half(path)
        if not path.exists():
            if read_only:
                raise StoreError(f"{path} is missing: nothing is stored yet, run the study first")
            path.parent.mkdir(parents=True, exist_ok=True)
            _make(path, metadata)
        if read_only and not _is_writable(path):
            memory = _in_memory(path)
            self._engine = sa.create_engine("sqlite://", creator=lambda: memory, poolclass=StaticPool)
        sa.event.listen(self._engine, "connect", _sync_less)
        self._refuse_foreign()
        with self._engine.connect() as connection:
            # Commits go to a log beside the file: a killed process has lost none, and nobody waits for the disk.
            connection.exec_driver_sql("PRAGMA journal_mode = WAL")

    def _refuse_foreign(self) -> None:
        """Refuse a database that another program made, before anything in it is changed.

        Raises:
            StoreError: it lacks one of the tables, or a column of it that every version has had.
        """
        inspector = sa.inspect(self._engine)
        there = inspector.get_table_names()
        for table, kind in ((self._responses, Response), (self._verdicts, Verdict)):
            columns = {column["name"] for column in inspector.get_columns(table.name)} if table.name in there else set()
            needed = {field.name for field in dataclasses.fields(kind) if field.default is dataclasses.MISSING}
            if lacking := sorted(needed - columns):
                what = (
                    f"its table {table.name!r} has no column {lacking[0]!r}" if columns else f"no table {table.name!r}"
                )
                held = ", ".join(map(repr, there[:5])) or "no table"
                raise StoreError(
                    f"{self.location} is a database of something else ({what}; it holds {held}). {_BEGIN_ANEW}"
                )

    def __enter__(self) -> "Store":
        """Return the open store."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the store."""
        self.close()

    def close(self) -> None:
        """Give all connections back."""
        self._engine.dispose()

    def _add_columns(self, table: sa.Table, kind: type) -> None:
        """Give a database of an earlier version the columns that rows have today, with the fields' defaults."""
        present = {column["name"] for column in sa.inspect(self._engine).get_columns(table.name)}
        defaults = {field.name: field.default for field in dataclasses.fields(kind)}
        for column in table.columns:
            if column.name in present:
                continue
            default = defaults[column.name]
            said = (
                ""
                if default is None
                else f" NOT NULL DEFAULT {int(default) if isinstance(default, bool) else repr(default)}"
            )
            kind_name = column.type.compile(self._engine.dialect)
            with self._engine.begin() as connection:
                connection.execute(sa.text(f"ALTER TABLE {table.name} ADD COLUMN {column.name} {kind_name}{said}"))

    @contextlib.contextmanager
    def only_worker(self, what: str, wait: bool = False) -> Iterator[None]:
        """Hold the right to do one piece of work on this store, such as the answers of one model in one modality.

        Two processes at it would ask, and pay, for the same cells twice. The lock is a file beside the database and
        the process's: it is gone when the process is, however it ended. A database on a server has no such lock.

        With ``wait`` the end of another process's work is waited for.

        Raises:
            StoreError: another process is at it.
        """
        if "://" in self.location:
            yield
            return
        path = Path(self.location).parent / f".{re.sub(r'[^A-Za-z0-9._]+', '-', what)}.lock"
        said = f"{self.location}: another process is at {what}"
        with locked(path, said if wait else f"{said}: wait for it, or end it", wait):
            yield

    @contextlib.contextmanager
    def _guard(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise StoreError(f"{self._shown()}: {error.strerror}. {_MEND_FILE}") from None
        except (sa.exc.DBAPIError, sqlite3.Error) as error:
            # A column that is no text is quoted whole.
            said = plain(str(getattr(error, "orig", error))[:300])
            mend = _BEGIN_ANEW if any(text in said for text in _DAMAGED) else _MEND_FILE
            raise StoreError(f"{self._shown()}: {said}. {mend}") from None

    def _shown(self) -> str:
        return make_url(self.location).render_as_string() if "://" in self.location else self.location

    def _add(self, table: sa.Table, record: Response | Verdict) -> None:
        with self._guard(), self._engine.begin() as connection:
            # Values beside the statement, not in it: so the statement is compiled once.
            connection.execute(table.insert(), as_row(record))

    def add_response(self, response: Response) -> None:
        """Add one response in a transaction of its own."""
        self._add(self._responses, response)

    def add_verdict(self, verdict: Verdict) -> None:
        """Add one verdict in a transaction of its own."""
        self._add(self._verdicts, verdict)

    def _select(self, table: sa.Table, kind: type[_Row], wanted: Mapping[str, str | None]) -> Iterator[_Row]:
        """Return rows in their order, read as strictly as those of a file: SQLite keeps any value in any column."""
        query = sa.select(table).order_by(table.c.row)
        for name, value in wanted.items():
            if value is not None:
                query = query.where(table.c[name] == value)
        with self._guard(), self._engine.connect() as connection:
            number = 0
            try:
                for row in connection.execute(query).mappings():
                    number = row["row"]
                    yield from_row(kind, {name: value for name, value in row.items() if name != "row"})
                    number = 0
            except (ValueError, TypeError) as error:
                where = f"{table.name}, row {number}" if number else table.name
                raise StoreError(f"{self._shown()}, {where}: {plain(str(error))}. {_BEGIN_ANEW}") from None

    def spent(self, at_most: bool = False) -> float:
        """Return the US dollars that all responses and verdicts have cost, as far as their cost is known.

        With ``at_most``, what nobody said the cost of counts as the most that it can have been.
        """
        with self._guard(), self._engine.connect() as connection:
            sums = []
            for table in self._tables:
                # What was superseded was paid for by the row that it supersedes.
                unknown = sa.case((table.c.status == "superseded", 0.0), else_=table.c.at_most)
                amount = sa.func.coalesce(table.c.cost, 0.0) + (unknown if at_most else 0.0)
                sums.append(connection.execute(sa.select(sa.func.sum(amount))).scalar())
        return float(sum(amount or 0.0 for amount in sums))

    def supersede(self, rows: Iterable[Response | Verdict], time: str) -> int:
        """Say that these rows no longer count, so that their keys are asked (judged) anew; nothing is deleted.

        All in one transaction; returns how many.
        """
        return self.add_all([dataclasses.replace(row, status="superseded", cost=None, time=time) for row in rows])

    def add_all(self, rows: Iterable[Response | Verdict]) -> int:
        """Add rows in their order, all in one transaction; return how many."""
        rows = list(rows)
        with self._guard(), self._engine.begin() as connection:
            for table, kind in ((self._responses, Response), (self._verdicts, Verdict)):
                if own := [as_row(row) for row in rows if isinstance(row, kind)]:
                    connection.execute(table.insert(), own)
        return len(rows)

    def names(self) -> tuple[list[str], list[str]]:
        """Return the models that responses are stored of, and the judges that verdicts are."""
        with self._guard(), self._engine.connect() as connection:
            columns = (self._responses.c.model, self._verdicts.c.judge)
            models, judges = ([*connection.execute(sa.select(name).distinct()).scalars()] for name in columns)
        return models, judges

    def attempts(self, model: str | None = None, modality: str | None = None) -> list[Response]:
        """Return every response ever stored, in the order they came, failures included."""
        return list(self._select(self._responses, Response, {"model": model, "modality": modality}))

    def judgements(self) -> list[Verdict]:
        """Return every verdict ever stored, in the order they came, failures and marks included."""
        return list(self._select(self._verdicts, Verdict, {}))

    def responses(self, model: str | None = None, modality: str | None = None) -> list[Response]:
        """Return the current response of each (cell, fingerprint, replicate): the answered one, or else the latest."""
        return list(_current(self.attempts(model, modality), response_key, "answered").values())

    def verdicts(
        self, judge: str | None = None, model: str | None = None, modality: str | None = None
    ) -> list[Verdict]:
        """Return the current verdict of each (response, judge fingerprint, judged texts), judged or else the latest."""
        wanted = {"judge": judge, "model": model, "modality": modality}
        rows = self._select(self._verdicts, Verdict, wanted)
        return list(_current(rows, _verdict_key, "judged").values())


def _verdict_key(verdict: Verdict) -> tuple[object, ...]:
    return (*response_key(verdict), verdict.judge, verdict.judge_fingerprint, verdict.judged_digest)


def _current(
    rows: Iterable[_Row], key: Callable[[_Row], tuple[object, ...]], done: str
) -> dict[tuple[object, ...], _Row]:
    """Return the row of each key that counts: the latest ``done`` one, or else the latest, since the last mark.

    They stand in the order in which they came. A verdict that another parser read gives way to any later one.
    """
    current: dict[tuple[object, ...], _Row] = {}
    for row in rows:
        earlier = current.get(key(row))
        stays = (
            earlier is not None
            and earlier.status == done != row.status
            and row.status != "superseded"
            and getattr(earlier, "parser", "") == getattr(row, "parser", "")
        )
        if not stays:
            current.pop(key(row), None)
            if row.status != "superseded":
                current[key(row)] = row
    return current
