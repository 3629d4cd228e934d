"""What a study of this size can find, and how many questions would settle what it leaves open, as tidy tables.

All rests on ``stats.power`` and on what is read off the study: the share of discordant pairs of the topical gap at one
k, how alike the gaps of two questions on one document are, and how unequal the documents are in size. Power is given
up to a gap as large as that share, because only discordant pairs make a gap.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import numpy as np
import pandas as pd

from muddle_utils import stats
from muddle_utils.analysis.comparisons import declared, outcomes_of, pairs_of, units_of
from muddle_utils.analysis.tables import known, reason_of, typed

# The paper's questions and documents.
PAPER: Final = (270, 85)
GAPS: Final = tuple(round(0.005 * step, 3) for step in range(25))
# The fewest discordant pairs from which a number of questions is worked out. A share of d discordant pairs has a
# relative error of about 1 / sqrt(d), a third at 10, and the number of questions goes with that share over the square
# of the gap; under 6 pairs the exact test cannot reject at 5 % at all.
LEAST_DISCORDANT: Final = 10
BELOW_0: Final = "estimated below 0, taken for 0"


class Observed(NamedTuple):
    """One comparison as a study has it: gap, discordance, size, and how its questions lie in documents.

    ``icc`` is the intraclass correlation of the gaps within documents as estimated, which may be negative, NaN where
    ``icc_reason`` says why. ``size_variation`` is the standard deviation of the documents' numbers of questions divided
    by their mean.
    """

    contrast: str
    model: str
    modality: str
    gap: float
    n_discordant: int
    n_questions: int
    n_documents: int
    size_variation: float
    icc: float
    icc_reason: str

    @property
    def discordance(self) -> float:
        """The share of pairs that only one arm has right."""
        return self.n_discordant / self.n_questions


class _Likeness(NamedTuple):
    """How alike questions on one document are taken to be, None if that is unknown, and what is to be said of it.

    ``shown`` is the estimate where there is one from 0 up.
    """

    used: float | None
    shown: float | None
    reason: str

    def at(self, n_questions: int, n_documents: int) -> float | None:
        """Return the correlation for a study of this size: 0 where no document has a second question."""
        return 0.0 if n_questions == n_documents else self.used


def observed(frame: pd.DataFrame) -> list[Observed]:
    """Return gap, discordance and clustering of each comparison of RQ1 at one k, of the pairs that were judged."""
    outcomes, units = outcomes_of(frame), units_of(frame)
    found = []
    for comparison in declared(outcomes):
        if comparison.research_question != "RQ1" or len(comparison.first) > 1:
            continue
        pairs = pairs_of(comparison, outcomes, units)
        gaps = (pairs.first - pairs.second)[:, 0]
        judged = ~np.isnan(gaps)
        if not judged.any():
            continue
        likeness = stats.cluster_correlation(gaps[judged], pairs.documents[judged])
        found.append(
            Observed(
                comparison.contrast,
                comparison.model,
                comparison.modality,
                gap=float(gaps[judged].mean()),
                n_discordant=int((gaps[judged] != 0).sum()),
                n_questions=likeness.n,
                n_documents=likeness.n_clusters,
                size_variation=likeness.size_variation,
                icc=likeness.estimate,
                icc_reason=reason_of(likeness.reason),
            )
        )
    return found


def _likeness(comparisons: Sequence[Observed]) -> _Likeness:
    """Return the mean correlation of the comparisons that have one, weighted by their questions.

    It is the estimates that are averaged, negative ones as they are, since cutting each at 0 would raise the mean.
    """
    estimated = [each for each in comparisons if not math.isnan(each.icc)]
    if not estimated:
        return _Likeness(None, None, "; ".join(dict.fromkeys(each.icc_reason for each in comparisons)))
    total = sum(each.n_questions for each in estimated)
    mean = sum(each.icc * each.n_questions for each in estimated) / total
    return _Likeness(mean, mean, "") if mean >= 0 else _Likeness(0.0, None, BELOW_0)


def _said(reasons: dict[str, str]) -> str:
    """Return reasons as one text that names the column of each.

    >>> _said({"icc": "one value", "detectable_gap": "", "n_to_settle": "no gap"})
    'icc: one value; n_to_settle: no gap'
    """
    return "; ".join(f"{column}: {reason}" for column, reason in reasons.items() if reason)


UNKNOWN: Final = "how alike the questions on one document are is unknown"


def power_table(found: Iterable[Observed]) -> pd.DataFrame:
    """Return power against gap for this study's size, the paper's and twice that: rows for the power curve.

    ``discordance`` is that of all the study's comparisons of RQ1 at one k together, ``n_discordant`` pairs, and each
    row's power is at just this share. The curve ends at a gap of the same size, where every discordant pair favours one
    arm: a larger gap takes more discordant pairs than the study has, and its row says so instead. ``icc`` and
    ``size_variation`` are those of the study, at every size; an ``icc`` that is estimated below 0 is missing, and taken
    for 0. ``own`` marks the rows of the study's own size. ``not_applicable`` names what is missing, and why.
    """
    comparisons = list(found)
    columns = ["n_questions", "n_documents", "n_discordant", "discordance", "icc", "size_variation", "design_effect"]
    columns += ["gap", "power", "own", "not_applicable", "method"]
    total = sum(each.n_questions for each in comparisons)
    n_discordant = sum(each.n_discordant for each in comparisons)
    if not n_discordant:
        why = "no discordant pair between the arms" if total else "no question was judged in both arms"
        return typed([{"not_applicable": why}], columns)
    share, likeness = n_discordant / total, _likeness(comparisons)
    own = max(comparisons, key=lambda each: each.n_questions)
    sizes = dict.fromkeys([(own.n_questions, own.n_documents), PAPER, (2 * PAPER[0], 2 * PAPER[1])])
    about: dict[str, object] = {"n_discordant": n_discordant, "discordance": share, "icc": likeness.shown}
    about["size_variation"] = own.size_variation
    rows: list[dict[str, object]] = []
    for size in sizes:
        keys = {"n_questions": size[0], "n_documents": size[1], "own": size == (own.n_questions, own.n_documents)}
        rows += [
            about | keys | {"gap": gap} | _powered(size, gap, share, likeness, own.size_variation)
            for gap in sorted({*GAPS, share} if share < GAPS[-1] else GAPS)
        ]
    return typed(rows, columns)


def _powered(
    size: tuple[int, int], gap: float, share: float, likeness: _Likeness, variation: float
) -> dict[str, object]:
    icc, reasons = likeness.at(*size), {"icc": likeness.reason, "power": ""}
    if gap > share:
        return {"not_applicable": _said(reasons | {"power": "no gap is larger than the share of discordant pairs"})}
    if icc is None:
        return {"not_applicable": _said(reasons | {"power": UNKNOWN})}
    power = stats.paired_power(size[0], gap, share, n_documents=size[1], icc=icc, size_variation=variation)
    return {
        "power": power.power,
        "design_effect": power.design_effect,
        "not_applicable": _said(reasons),
        "method": f"{power.method}; discordance and spread of document sizes as observed",
    }


def settling_table(found: Iterable[Observed]) -> pd.DataFrame:
    """Return what each comparison could find, and how many questions would settle a gap as large as the one found.

    ``detectable_gap`` is found with 80 % power at this size and discordance. ``n_to_settle`` is the number of questions
    from which power stays at 80 % for a true gap of the size observed, on documents as unequal in size as these; that
    gap is itself an estimate, so take the number for an order of magnitude. With fewer than ``LEAST_DISCORDANT``
    discordant pairs there is none. ``not_applicable`` names each column that is missing, and why.
    """
    columns = ["contrast", "model", "modality", "difference", "n_discordant", "discordance", "icc", "size_variation"]
    columns += ["n_pairs", "n_documents", "detectable_gap", "n_to_settle", "not_applicable", "method"]
    return typed([_settling(each) for each in found], columns)


def _settling(each: Observed) -> dict[str, object]:
    likeness = _likeness([each])
    row: dict[str, object] = {"contrast": each.contrast, "model": each.model, "modality": each.modality}
    row |= {"difference": each.gap, "n_discordant": each.n_discordant, "discordance": each.discordance}
    row |= {"icc": likeness.shown, "size_variation": each.size_variation}
    row |= {"n_pairs": each.n_questions, "n_documents": each.n_documents}
    icc = likeness.at(each.n_questions, each.n_documents)
    reasons = {"icc": likeness.reason, "detectable_gap": "", "n_to_settle": _why_not_settled(each)}
    if icc is None or not each.n_discordant:
        why = UNKNOWN if each.n_discordant else "no discordant pairs"
        return row | {"not_applicable": _said(reasons | {"detectable_gap": why, "n_to_settle": why})}
    least = stats.minimal_detectable_gap(
        each.n_questions, each.n_documents, each.discordance, icc=icc, size_variation=each.size_variation
    )
    row |= {"detectable_gap": known(least.gap), "method": least.method}
    reasons["detectable_gap"] = least.reason
    if not reasons["n_to_settle"]:
        needed = stats.questions_to_settle(
            abs(each.gap),
            each.discordance,
            questions_per_document=each.n_questions / each.n_documents,
            icc=icc,
            size_variation=each.size_variation,
        )
        row["n_to_settle"], reasons["n_to_settle"] = needed.n_questions, needed.reason
    return row | {"not_applicable": _said(reasons)}


def _why_not_settled(each: Observed) -> str:
    if each.n_discordant < LEAST_DISCORDANT:
        return f"too few discordant pairs, {each.n_discordant} where it takes {LEAST_DISCORDANT}"
    return "" if each.gap else "no gap to settle, it is 0"
