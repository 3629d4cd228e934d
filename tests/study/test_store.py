import contextlib
import dataclasses
import errno
import hashlib
import json
import os
import sqlite3
import subprocess
import sys

import pytest
import without_override
from made_up_study import RESPONSE

from muddle_utils.study.records import Cell, Question
from muddle_utils.study.rows import RowsError, as_row, file_sha256, from_row, read_rows, write_rows
from muddle_utils.study.store import Store, StoreError

QUESTION = Question("q1", "a.pdf", "How much?", "007", "Str", (3, 4), ("Table",), "Brochure")


def test_rows_survive_the_round_trip(tmp_path):
    # "007" and "None" are what a careless reader turns into 7 and a missing value.
    rows = [QUESTION, dataclasses.replace(QUESTION, question_id="q2", answer="None", question="a\u2028b")]
    path = write_rows(tmp_path / "questions.jsonl", rows)
    assert read_rows(path, Question) == rows


def test_equal_rows_give_equal_bytes(tmp_path):
    first = write_rows(tmp_path / "a.jsonl", [QUESTION]).read_bytes()
    assert write_rows(tmp_path / "b.jsonl", [QUESTION]).read_bytes() == first


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"evidence_pages": "[3]"}, "evidence_pages"),
        ({"answer": 7}, "answer"),
        ({"colour": "red"}, "colour"),
        ({"evidence_pages": [True]}, "evidence_pages"),
    ],
)
def test_a_wrong_field_is_named_with_file_and_line(tmp_path, change, message):
    path = tmp_path / "questions.jsonl"
    path.write_text(json.dumps(as_row(QUESTION)) + "\n" + json.dumps({**as_row(QUESTION), **change}) + "\n")
    with pytest.raises(RowsError, match=rf"questions.jsonl, line 2: .*{message}"):
        read_rows(path, Question)


def test_a_missing_field_is_named():
    row = as_row(QUESTION)
    del row["answer"]
    with pytest.raises(ValueError, match="missing field 'answer'"):
        from_row(Question, row)


def test_a_missing_file_says_which_notebook_to_run(tmp_path):
    with pytest.raises(RowsError, match=r"cells.jsonl is missing"):
        read_rows(tmp_path / "cells.jsonl", Cell)


def test_a_file_that_is_not_utf8_is_named(tmp_path):
    (tmp_path / "cells.jsonl").write_bytes(b"\xff\n")
    with pytest.raises(RowsError, match=r"cells.jsonl is not UTF-8"):
        read_rows(tmp_path / "cells.jsonl", Cell)


def test_the_answered_response_is_current_whatever_follows(tmp_path):
    answered = dataclasses.replace(RESPONSE, status="answered", text="42", error_class="", error="", cost=0.5)
    with Store(tmp_path / "store.sqlite") as store:
        for response in (RESPONSE, answered, RESPONSE):
            store.add_response(response)
        assert store.responses() == [answered]
        assert store.attempts() == [RESPONSE, answered, RESPONSE]


def test_replicates_fingerprints_and_models_are_kept_apart(tmp_path):
    rows = [
        RESPONSE,
        dataclasses.replace(RESPONSE, replicate=2),
        dataclasses.replace(RESPONSE, fingerprint="g"),
        dataclasses.replace(RESPONSE, fingerprint="h", model="other"),
    ]
    with Store(tmp_path / "store.sqlite") as store:
        for row in rows:
            store.add_response(row)
        assert store.responses() == rows
        assert store.responses(model="other") == rows[3:]


ANSWERED = dataclasses.replace(RESPONSE, status="answered", text="42", error_class="", error="", cost=0.5)


def test_what_is_superseded_is_asked_anew_and_nothing_is_deleted(tmp_path):
    later = dataclasses.replace(ANSWERED, text="43")
    with Store(tmp_path / "store.sqlite") as store:
        store.add_response(ANSWERED)
        assert store.supersede(store.responses(), "2026-01-02") == 1
        assert store.responses() == []
        store.add_response(RESPONSE)
        assert store.responses() == [RESPONSE], "the old answer does not come back"
        store.add_response(later)
        assert store.responses() == [later]
        assert [row.status for row in store.attempts()] == ["answered", "superseded", "failed", "answered"]
        assert store.spent() == 1.0, "the mark costs nothing, and what was paid stays paid"


def test_the_spending_is_that_of_all_rows_whose_cost_is_known(tmp_path):
    with Store(tmp_path / "store.sqlite") as store:
        assert store.spent() == 0.0
        for row in (RESPONSE, ANSWERED, dataclasses.replace(RESPONSE, cost=0.25, error_class="truncated")):
            store.add_response(row)
        assert store.spent() == 0.75


def test_only_one_process_does_a_piece_of_work(tmp_path):
    code = (
        "import sys, time; from muddle_utils.study.store import Store\n"
        "with Store(sys.argv[1]) as store, store.only_worker('answers m/x'):\n"
        "    print('held', flush=True); time.sleep(60)"
    )
    path = tmp_path / "store.sqlite"
    other = subprocess.Popen([sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE, text=True)
    try:
        assert other.stdout.readline() == "held\n"
        with Store(path) as store:
            with pytest.raises(StoreError, match="another process is at answers m/x"), store.only_worker("answers m/x"):
                pytest.fail("the lock was given twice")
            with store.only_worker("answers other"):
                pass
            other.kill()
            other.wait()
            with store.only_worker("answers m/x"):
                pass
    finally:
        other.kill()
        other.stdout.close()
        other.wait()


def test_a_database_of_an_earlier_version_keeps_its_rows(tmp_path):
    path = tmp_path / "store.sqlite"
    with Store(path) as store:
        store.add_response(ANSWERED)
    with sqlite3.connect(path) as connection:
        for name in ("components", "sent"):
            connection.execute(f"alter table responses drop column {name}")
        for name in ("judged_digest", "repaired", "tokens_in"):
            connection.execute(f"alter table verdicts drop column {name}")
    connection.close()
    with Store(path) as store:
        assert store.responses() == [ANSWERED]
        store.add_response(dataclasses.replace(ANSWERED, replicate=2, sent="{}"))
        assert [row.sent for row in store.responses()] == ["", "{}"]
        assert store.verdicts() == []


def test_a_row_is_on_disk_before_the_call_returns(tmp_path):
    path = tmp_path / "store.sqlite"
    with Store(path) as store:
        store.add_response(RESPONSE)
        with sqlite3.connect(path) as outside:
            assert outside.execute("select count(*) from responses").fetchone() == (1,)
        outside.close()


def test_a_file_that_is_no_database_is_named(tmp_path):
    path = tmp_path / "store.sqlite"
    path.write_text("this is a text file of some length, and certainly no database")
    with pytest.raises(StoreError, match=r"store.sqlite: .*not a database"):
        Store(path)


def write_foreign(path):
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("create table responses (id integer, text text)")
        connection.execute("insert into responses values (1, 'kept')")
        connection.commit()


def write_half(path):
    with Store(path) as store:
        store.add_all([dataclasses.replace(ANSWERED, replicate=n, text="x" * 1_000) for n in range(50)])
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])


@pytest.mark.parametrize("read_only", [False, True])
@pytest.mark.parametrize(
    ("write", "what"),
    [
        (lambda path: path.write_bytes(b""), "is an empty file"),
        (lambda path: path.write_bytes(b"x"), "not a database"),
        (lambda path: path.write_text("SQLite format 4, says this text" * 99), "not a database"),
        (lambda path: path.write_bytes(b"SQLite format 3\0" + b"x" * 9_000), "not a database"),
        (lambda path: path.mkdir(), "is a folder"),
        (write_half, "malformed"),
        (write_foreign, "database of something else .*'responses' has no column 'at"),
        (lambda path: sqlite3.connect(path).execute("create table mail (id integer)"), "no table 'responses'.*'mail'"),
        (
            lambda path: sqlite3.connect(path).execute("pragma journal_mode = wal"),
            "no table 'responses'.*holds no table",
        ),
        (lambda path: path.with_name("store.sqlite-wal").write_bytes(b"rows"), "is missing, and its log"),
    ],
)
def test_what_is_no_store_is_named_and_left_as_it_is(tmp_path, write, what, read_only):
    path = tmp_path / "store.sqlite"
    write(path)
    before = {each.name: each.read_bytes() for each in tmp_path.iterdir() if each.is_file()}
    for _ in range(2):
        with pytest.raises(StoreError, match=rf"store.sqlite.*{what}.*(?s:.*)move it away"):
            Store(path, read_only=read_only)
    after = {each.name: each.read_bytes() for each in tmp_path.iterdir() if each.is_file()}
    assert {name: after[name] for name in before} == before
    assert not {".sqlite"} & {each.suffix for each in tmp_path.iterdir() if each.name not in {*before, "store.sqlite"}}


def test_a_store_is_made_whole_or_not_at_all(tmp_path, monkeypatch):
    def killed(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("sqlalchemy.MetaData.create_all", killed)
    with pytest.raises(KeyboardInterrupt):
        Store(tmp_path / "store.sqlite")
    assert list(tmp_path.iterdir()) == []


def test_a_store_that_another_process_makes_meanwhile_keeps_its_rows(tmp_path, monkeypatch):
    path = tmp_path / "store.sqlite"
    link = os.link

    def late(made, target):
        monkeypatch.undo()
        with Store(path) as other:
            other.add_response(ANSWERED)
        link(made, target)

    monkeypatch.setattr("os.link", late)
    with Store(path) as store:
        assert store.responses() == [ANSWERED]


def test_a_file_system_without_links_has_stores_too(tmp_path, monkeypatch):
    def refuse(*_):
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr("os.link", refuse)
    with Store(tmp_path / "store.sqlite") as store:
        store.add_response(ANSWERED)
        assert store.responses() == [ANSWERED]


def test_reading_makes_no_store(tmp_path):
    with pytest.raises(StoreError, match=r"store.sqlite is missing: .*run the study"):
        Store(tmp_path / "store.sqlite", read_only=True)
    assert list(tmp_path.iterdir()) == []


READ = (
    "import sys\nfrom muddle_utils.study.store import Store\n"
    "with Store(sys.argv[1], read_only=True) as store:\n"
    "    print([row.text for row in store.responses()], store.spent(at_most=True), store.judgements())\n"
)


def test_a_store_that_cannot_be_written_is_read(tmp_path):
    path = tmp_path / "a study" / "store.sqlite"
    with Store(path) as store:
        store.add_response(ANSWERED)
    with sqlite3.connect(path) as connection:
        # As an earlier version left it.
        connection.execute("alter table responses drop column at_most")
    connection.close()
    with without_override.read_only(path.parent):
        before = sorted(path.parent.iterdir())
        done = without_override.run(READ, path)
        assert (done.stdout, done.stderr) == (f"[{ANSWERED.text!r}] {ANSWERED.cost or 0.0} []\n", "")
        assert sorted(path.parent.iterdir()) == before
        # A file that can be written in a folder that cannot is no other case.
        path.chmod(0o644)
        assert without_override.run(READ, path).stdout == done.stdout
        refused = without_override.run(READ.replace(", read_only=True", ""), path)
        assert refused.returncode and "mend the permissions" in refused.stderr
        assert without_override.run(f"import sqlite3, sys\n{READ}", path).returncode == 0


@pytest.mark.parametrize("index", [True, False])
def test_rows_in_the_log_of_a_store_that_cannot_be_written_are_read(tmp_path, index):
    (tmp_path / "copy").mkdir()
    with Store(tmp_path / "store.sqlite") as store:
        store.add_response(ANSWERED)
        # While it is open, its log holds the row; so does that of a process that was killed.
        for path in tmp_path.glob("store.sqlite*"):
            if index or not path.name.endswith("-shm"):
                (tmp_path / "copy" / path.name).write_bytes(path.read_bytes())
    assert (tmp_path / "copy" / "store.sqlite-wal").stat().st_size
    with without_override.read_only(tmp_path / "copy"):
        done = without_override.run(READ, tmp_path / "copy" / "store.sqlite")
    assert (done.stdout.startswith(f"[{ANSWERED.text!r}]"), done.stderr) == (True, "")


def test_a_store_read_only_takes_no_row(tmp_path):
    with Store(tmp_path / "store.sqlite") as store:
        store.add_response(ANSWERED)
    code = READ + "    store.add_all(store.responses())\n"
    with without_override.read_only(tmp_path):
        done = without_override.run(code, tmp_path / "store.sqlite")
    assert done.returncode and "mend the permissions" in done.stderr


def test_a_full_disk_leaves_the_old_rows(tmp_path, monkeypatch):
    path = write_rows(tmp_path / "questions.jsonl", [QUESTION])
    before = path.read_bytes()

    def full(self, data):
        with self.open("wb") as file:
            file.write(data[:10])
        raise OSError(errno.ENOSPC, "No space left on device", str(self))

    monkeypatch.setattr("pathlib.Path.write_bytes", full)
    with pytest.raises(OSError, match="No space left"):
        write_rows(path, [QUESTION, QUESTION])
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_the_same_store_by_url(tmp_path):
    with Store(f"sqlite:///{tmp_path}/other.sqlite") as store:
        store.add_response(RESPONSE)
        assert store.responses() == [RESPONSE]


def test_digest_of_a_file(tmp_path):
    (tmp_path / "a").write_bytes(b"abc")
    assert file_sha256(tmp_path / "a") == hashlib.sha256(b"abc").hexdigest()


@pytest.mark.parametrize(
    ("column", "value", "said"),
    [
        ("tokens_in", "'many'", "tokens_in"),
        ("tokens_in", "1.5", "tokens_in"),
        ("cost", "-1", "cost"),
        ("cost", "9e999", "cost"),
        ("text", "x'ff'", "text"),
    ],
)
def test_a_value_of_another_kind_in_a_database_is_named_with_its_row(tmp_path, column, value, said):
    # SQLite keeps any value in any column.
    path = tmp_path / "store.sqlite"
    with Store(path) as store:
        store.add_response(RESPONSE)
        store.add_response(dataclasses.replace(RESPONSE, cell_id="another"))
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute(f"UPDATE responses SET {column} = {value} WHERE row = 2")
        connection.commit()
    with Store(path) as store, pytest.raises(StoreError, match=rf"store.sqlite, responses, row 2: .*{said}") as caught:
        store.responses()
    assert "Restore it from a copy" in str(caught.value) and "\n" not in str(caught.value)
