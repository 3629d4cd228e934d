import dataclasses
import errno
import hashlib
import json
import sqlite3
import subprocess
import sys

import pytest

from muddle_utils.records import Cell, Question, Response
from muddle_utils.store import RowsError, Store, StoreError, as_row, file_sha256, from_row, read_rows, write_rows

QUESTION = Question("q1", "a.pdf", "How much?", "007", "Str", (3, 4), ("Table",), "Brochure")
RESPONSE = Response(
    cell_id="q1|control",
    question_id="q1",
    condition="control",
    model="m",
    modality="markdown",
    replicate=1,
    fingerprint="f",
    status="failed",
    text="",
    error_class="timeout",
    error="no reply",
    finish_reason="",
    tokens_in=None,
    tokens_out=None,
    tokens_reasoning=None,
    cost=None,
    seconds=1.0,
    attempts=4,
    route="m",
    model_returned="",
    parameters="{}",
    confidence=None,
    read_from="",
    time="2026-01-01T00:00:00+00:00",
    versions="{}",
)


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
        "import sys, time; from muddle_utils.store import Store\n"
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
