"""Numbers in rows are checked where the rows are read, for every kind of record alike."""

import dataclasses
import json

import pytest

from muddle_utils.study.records import Cell
from muddle_utils.study.rows import MOST, RowsError, read_rows, write_rows

CELL = Cell("c", "q", "control", 0, "none", ("d",), 0, "", "")


@pytest.mark.parametrize("k", ["-1", str(2**70), "1" + "0" * 400, "1" + "0" * 5000, "NaN", "1e999"])
def test_a_number_out_of_range_names_file_line_and_field(tmp_path, k):
    path = tmp_path / "cells.jsonl"
    good = json.dumps(dataclasses.asdict(CELL))
    bad = good.replace('"k": 0', f'"k": {k}')
    path.write_text(f"{good}\n{bad}\n")
    with pytest.raises(RowsError, match=r"cells\.jsonl, line 2: (?:field 'k' holds|a number in it)") as caught:
        read_rows(path, Cell)
    assert len(str(caught.value)) < 400 + len(str(path))


def test_the_largest_number_is_read(tmp_path):
    cell = dataclasses.replace(CELL, k=MOST)
    assert read_rows(write_rows(tmp_path / "cells.jsonl", [cell]), Cell) == [cell]
