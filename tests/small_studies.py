"""Small studies of the demo corpus for the tests that run notebooks."""

import sqlite3

from muddle_utils.runs.settings import ModalityPlan, Settings


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
