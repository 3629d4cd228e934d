"""Notebook 01: questions, documents, hard negatives and cells, and the annotations they are scored against.

It may import ``study``, ``scoring`` and ``rendering``. It knows no model: a cell is independent of who is asked.
"""

from typing import Final

from muddle_utils import face

_FACE: Final = {
    "annotation": "Gold read_gold",
    "cells": "Shortfall build_cells lost_cells sample_sources select_cells shortfalls",
    "checks": "CorpusError",
    "corpora": "Corpus load_corpus",
    "curation": "CHOSEN Curation Gates curate find_leaks leaking_cells recheck_gates",
    "lint": "lint_annotation",
    "retrieval": "fit_pool",
}
__all__ = [
    "CHOSEN",
    "Corpus",
    "CorpusError",
    "Curation",
    "Gates",
    "Gold",
    "Shortfall",
    "build_cells",
    "curate",
    "find_leaks",
    "fit_pool",
    "leaking_cells",
    "lint_annotation",
    "load_corpus",
    "lost_cells",
    "read_gold",
    "recheck_gates",
    "sample_sources",
    "select_cells",
    "shortfalls",
]


def __getattr__(name: str) -> object:
    """Load what the face names at its first use, so that importing the room loads nothing."""
    return face(__name__, _FACE, name)
