"""What a study of this size can find, and how many questions would settle what it leaves open, as tidy tables.

All rests on ``stats.power`` and on two numbers read off the study: the share of discordant pairs of the topical gap at
one k, and how alike the gaps of two questions on one document are.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final, NamedTuple

import numpy as np
import pandas as pd

from muddle_utils import stats
from muddle_utils.comparisons import declared, documents_of, outcomes_of, pairs_of
from muddle_utils.tables import typed

# The paper's questions and documents, and the discordance that its p-values imply (see ``published``).
PAPER: Final = (270, 85)
GAPS: Final = tuple(round(0.005 * step, 3) for step in range(1, 25))
POWER: Final = 0.8


class Observed(NamedTuple):
    """One comparison as a study has it: its gap, discordance, size, and intraclass correlation within documents."""

    contrast: str
    model: str
    modality: str
    gap: float
    discordance: float
    n_questions: int
    n_documents: int
    icc: float


def _known(icc: float) -> float:
    """Return an intraclass correlation, 0 where none is defined: one document, or one question on each."""
    return 0.0 if math.isnan(icc) else icc


def observed(frame: pd.DataFrame) -> list[Observed]:
    """Return gap, discordance and clustering of each comparison of RQ1 at one k, of the pairs that were judged."""
    outcomes, documents = outcomes_of(frame), documents_of(frame)
    found = []
    for comparison in declared(outcomes):
        if comparison.research_question != "RQ1" or len(comparison.first) > 1:
            continue
        pairs = pairs_of(comparison, outcomes, documents)
        gaps = (pairs.first - pairs.second)[:, 0]
        known = ~np.isnan(gaps)
        if not known.any():
            continue
        names = pairs.documents[known]
        found.append(
            Observed(
                comparison.contrast,
                comparison.model,
                comparison.modality,
                float(gaps[known].mean()),
                float((gaps[known] != 0).mean()),
                int(known.sum()),
                len(set(names)),
                _known(stats.cluster_correlation(gaps[known], names).icc),
            )
        )
    return found


def power_table(found: Iterable[Observed]) -> pd.DataFrame:
    """Return power against gap for this study's size, the paper's and twice that: rows for the power curve.

    The discordance is the mean of the study's comparisons of RQ1, weighted by their questions; ``own`` marks the rows
    of the study's own size. ``not_applicable`` says why there is none.
    """
    comparisons = list(found)
    columns = ["n_questions", "n_documents", "discordance", "icc", "gap", "power", "own", "not_applicable", "method"]
    total = sum(each.n_questions for each in comparisons)
    share = sum(each.discordance * each.n_questions for each in comparisons) / total if total else 0.0
    if not share:
        why = "no discordant pair between the arms" if total else "no question was judged in both arms"
        return typed([{"not_applicable": why}], columns)
    icc = sum(each.icc * each.n_questions for each in comparisons) / total
    own = max(comparisons, key=lambda each: each.n_questions)
    sizes = dict.fromkeys([(own.n_questions, own.n_documents), PAPER, (2 * PAPER[0], 2 * PAPER[1])])
    rows: list[dict[str, object]] = []
    for n, documents in sizes:
        for gap in GAPS:
            power = stats.paired_power(n, gap, max(share, gap), n_documents=documents, icc=icc)
            row: dict[str, object] = {"n_questions": n, "n_documents": documents, "discordance": share, "icc": icc}
            row |= {"gap": gap, "power": power.power, "own": (n, documents) == (own.n_questions, own.n_documents)}
            method = f"{power.method}; discordance as observed, or the gap where that is larger"
            rows.append(row | {"not_applicable": power.reason, "method": method})
    return typed(rows, columns)


def settling_table(found: Iterable[Observed]) -> pd.DataFrame:
    """Return what each comparison could find, and how many questions would settle a gap as large as the one found.

    ``detectable_gap`` is found with 80 % power at this size and discordance. ``n_to_settle`` is the number of questions
    from which power stays at 80 % for a true gap of the size observed, which is itself an estimate: take it for an
    order of magnitude.
    """
    rows: list[dict[str, object]] = []
    for each in found:
        row: dict[str, object] = {"contrast": each.contrast, "model": each.model, "modality": each.modality}
        row |= {"difference": each.gap, "discordance": each.discordance, "icc": each.icc}
        row |= {"n_pairs": each.n_questions, "n_documents": each.n_documents, "not_applicable": ""}
        if not each.discordance:
            rows.append(row | {"not_applicable": "no discordant pairs"})
            continue
        least = stats.minimal_detectable_gap(each.n_questions, each.n_documents, each.discordance, icc=each.icc)
        row |= {"detectable_gap": None if math.isnan(least.gap) else least.gap, "method": least.method}
        row["not_applicable"] = least.reason
        if each.gap:
            per_document = each.n_questions / each.n_documents
            needed = stats.questions_to_settle(
                abs(each.gap), each.discordance, questions_per_document=per_document, icc=each.icc
            )
            row |= {"n_to_settle": needed.n_questions, "not_applicable": least.reason or needed.reason}
        else:
            row["not_applicable"] = row["not_applicable"] or "no gap to settle: it is 0"
        rows.append(row)
    columns = ["contrast", "model", "modality", "difference", "discordance", "icc", "n_pairs", "n_documents"]
    return typed(rows, [*columns, "detectable_gap", "n_to_settle", "not_applicable", "method"])
