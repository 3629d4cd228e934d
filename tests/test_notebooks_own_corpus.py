"""Notebooks on small corpora of one's own."""

import dataclasses
import json
import shutil
from pathlib import Path

from small_studies import settings_in

from muddle_utils.runs import pipeline
from muddle_utils.runs.settings import ModalityPlan
from muddle_utils.study.records import Cell, HardNegative, Request
from muddle_utils.study.rows import read_rows
from muddle_utils.study.store import Store

ROOT = Path(__file__).resolve().parents[1]


def own_corpus(folder, pdfs, rows):
    """Write a folder of one's own with these demo PDFs and rows of its questions file; return its path."""
    (folder / "documents").mkdir(parents=True)
    for name in pdfs:
        shutil.copy(ROOT / "data" / "demo" / "documents" / name, folder / "documents")
    (folder / "questions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(folder)


HAUL = {"document_id": "brannock-haul-2023.pdf", "question": "What is the Haul's catalogue number?", "answer": "4180-7"}


def test_a_corpus_of_one_document_goes_all_the_way_with_its_control(tmp_path, capfd):
    corpus = own_corpus(tmp_path / "one", [HAUL["document_id"]], [HAUL])
    # A modality of which no cell can be built has nothing to ask, which is no failure either.
    plans = (ModalityPlan("markdown"), ModalityPlan("pdf", ("hn-2",)))
    settings = settings_in(tmp_path, study="one", corpus=corpus, plans=plans, limit=0)
    pipeline.run_study(settings)
    printed = capfd.readouterr().err
    assert "4 of 5 cells cannot be built: its source has too few hard negatives (hn-2: 1, hn-4: 1)" in printed
    assert printed.index("cells cannot be built") < printed.index("03_inference")
    requests = read_rows(settings.folders.rows("requests_local-reader_markdown"), Request)
    assert [row.condition for row in requests] == ["control"]
    with Store(settings.folders.store) as store:
        assert [row.status for row in store.responses() if row.condition == "control"] == ["answered"]
    assert (settings.folders.figures / "table_1.csv").is_file()


def test_hard_negatives_that_a_person_chose_stand_in_the_cells_in_their_order(tmp_path):
    # A financial report is far from a catalogue of bicycles; chosen, it is used all the same, and before the nearest.
    chosen = ["harrowmouth-annual-report-2021.pdf", "brannock-brochure-2021.pdf"]
    corpus = own_corpus(tmp_path / "own", [HAUL["document_id"], *chosen], [{**HAUL, "hard_negatives": chosen}])
    settings = settings_in(tmp_path, study="own", corpus=corpus, plans=(ModalityPlan("markdown"),), limit=0)
    pipeline.run_study(dataclasses.replace(settings, extra={"cosine_floor": 0.9}), ["01"])
    rows = read_rows(settings.folders.rows("hard_negatives"), HardNegative)
    assert [(row.candidate_id, row.origin, row.position) for row in rows] == [
        (chosen[0], "chosen", 1),
        (chosen[1], "chosen", 2),
    ]
    (cell,) = (row for row in read_rows(settings.folders.rows("cells"), Cell) if row.condition == "hn-2")
    assert [name for name in cell.document_ids if name != HAUL["document_id"]] == chosen
