"""Small studies of the demo corpus, and small documents, for the tests that run notebooks or render."""

import hashlib
import sqlite3

import pymupdf

from muddle_utils.runs.settings import ModalityPlan, Settings
from muddle_utils.study.records import Document


def settings_in(folder, **changes):
    values = {
        "study": "small",
        "plans": (ModalityPlan("markdown"), ModalityPlan("image", ("control",), 1), ModalityPlan("pdf", ("control",))),
        "limit": 8,
        "renderer": "pymupdf",
        "runs_dir": str(folder / "runs"),
        "figures_dir": str(folder / "figures"),
        "extra": {"n_resamples": 500},
    }
    return Settings(**{**values, **changes})


def counts(settings):
    with sqlite3.connect(settings.folders.store) as connection:
        found = [
            connection.execute(f"select count(*) from {table}").fetchone()[0] for table in ("responses", "verdicts")
        ]
    connection.close()
    return found


def make_document(folder, name, lines):
    path = folder / name
    document = pymupdf.open()
    for line in lines:
        document.new_page(width=300, height=400).insert_text((40, 60), line)
    path.write_bytes(document.tobytes(no_new_id=1))
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return Document(name, digest, str(path), len(lines), 0, name, "Brochure", "source", "made", "CC0-1.0")
