"""Models against each other: how far they were asked the same, and their paired differences."""

from __future__ import annotations

import itertools
from typing import Final, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from muddle_utils.analysis.comparisons import (
    PAIRED,
    Comparison,
    compared,
    incomparable,
    other_arms,
    outcomes_of,
    pairs_of,
    units_of,
    with_holm,
)
from muddle_utils.analysis.frames import TablesError, arranged, as_records
from muddle_utils.analysis.tables import ARM, groups, single, typed
from muddle_utils.study.records import MODALITIES


def by_model(table: pd.DataFrame, asked: pd.DataFrame | None = None) -> pd.DataFrame:
    """Return the rows of ``paired`` that answer RQ4: each model's pooled topical gap and its drop to HN-4.

    RQ4 adds no test: p-values and families are those of RQ1 and RQ2.

    Args:
        table: as ``paired`` returns it.
        asked: as ``shared`` returns it; a row's remark then says from which models its own was asked otherwise.
    """
    chosen = table["pooling"].eq("question") | table["contrast"].eq("control − hn-4")
    rows = table[chosen].assign(research_question="RQ4").reset_index(drop=True)
    if asked is None:
        return rows
    remarks = [
        "; ".join(filter(None, [row["remark"], *_unlike(asked, row["model"], row["modality"])]))
        for row in as_records(rows)
    ]
    return rows.assign(remark=pd.Series(remarks, index=rows.index, dtype=rows["remark"].dtype))


def _unlike(asked: pd.DataFrame, model: str, modality: str) -> list[str]:
    """Return what ``shared`` says of a model that was not asked as another was, by the other's name."""
    found = []
    for row in as_records(asked[asked["modality"].eq(modality)]):
        if model not in (row["first"], row["second"]):
            continue
        alike = _Alike(row["n_shared"], {what: row[f"n_other_{what}"] for what in _ASKED.values()}, row["n_unknown"])
        if said := _said(alike, "cells"):
            found.append(f"beside {row['second'] if model == row['first'] else row['first']} {said}")
    return found


# --- Asked alike ----------------------------------------------------------------------------------------------------


_ASKED: Final = {"cell_digest": "cells", "prompt_digest": "prompts", "judge_fingerprint": "judges"}
_ONE_MODEL: Final = "one model: a comparison of models takes two, named with --model or in another study"
_ITSELF: Final = "one model in two studies: the difference is the studies', not between models"


class _Cells(NamedTuple):
    """What was asked in some rows: a number for each question in its condition, shape (rows,), and for what was shown.

    ``parts`` has the shape (3, rows): a number each for cell, prompt and judge, -1 where it is not stored. ``due`` says
    where it should be: a cell that was never asked has nothing to differ by, and an answer not judged has no judge.
    """

    cell: NDArray[np.int64]
    parts: NDArray[np.int64]
    due: NDArray[np.bool_]

    def of(self, rows: NDArray[np.int64]) -> _Cells:
        """Return the same of some rows."""
        return _Cells(self.cell[rows], self.parts[:, rows], self.due[:, rows])


class _Alike(NamedTuple):
    """In how many of ``n`` cells that two models share they were asked otherwise, by what, or nobody knows."""

    n: int
    differ: dict[str, int]
    unknown: int


def _cells(frame: pd.DataFrame) -> _Cells:
    cell = np.asarray(frame.groupby(["question_id", "condition"]).ngroup(), dtype=np.int64)
    parts = [pd.factorize(frame[name].mask(frame[name].eq("")))[0] for name in _ASKED]
    asked, judged = frame["status"].ne("lost").to_numpy(), frame["judged"].to_numpy()
    return _Cells(cell, np.array(parts), np.array([judged if what == "judges" else asked for what in _ASKED.values()]))


def _alike(first: _Cells, second: _Cells) -> _Alike:
    """Return how far two models were asked the same in the cells that both have."""
    both, left, right = np.intersect1d(first.cell, second.cell, assume_unique=True, return_indices=True)
    one, other = first.of(left), second.of(right)
    stored = (one.parts >= 0) & (other.parts >= 0)
    differ = (stored & (one.parts != other.parts)).sum(axis=1)
    unknown = (~stored & one.due & other.due).any(axis=0)
    return _Alike(len(both), dict(zip(_ASKED.values(), differ.tolist(), strict=True)), int(unknown.sum()))


def _said(alike: _Alike, of: str) -> str:
    """Return in which respects two models were not asked alike, or that nobody knows, empty if they were."""
    others = ", ".join(f"other {what} for {n:,}" for what, n in alike.differ.items() if n)
    said = [f"not asked alike: {others} of {alike.n:,} {of}"] if others else []
    if alike.unknown:
        said.append(f"what was asked is not stored for {alike.unknown:,} of {alike.n:,} {of}, which may differ")
    return "; ".join(said)


def _own_models(frame: pd.DataFrame) -> dict[str, str]:
    """Return what its own study calls each model, by its name in the frame."""
    own = frame["own_model"] if "own_model" in frame else frame["model"]
    return dict(zip(frame["model"], own, strict=True))


def _model_pairs(frame: pd.DataFrame) -> list[tuple[str, str]]:
    """Return every two models, each pair and its two sides in order of their names."""
    return list(itertools.combinations(sorted(set(frame["model"])), 2))


def shared(frame: pd.DataFrame) -> pd.DataFrame:
    """Return how far every two models were asked the same, by modality: the basis of every comparison of models.

    Of the ``n_first`` and ``n_second`` cells asked of each, ``n_shared`` are of one question in one condition.
    ``n_other_cells`` of these hold other documents, another order of them or another question; ``n_other_prompts``
    another instruction; ``n_other_judges`` were judged otherwise; of ``n_unknown`` one of these is not stored.
    ``alike`` is whether all four are 0, and missing where nothing is known to differ but something is unknown.
    ``remark`` says where both are one model in two studies.

    Raises:
        TablesError: a question has two rows in one arm.
    """
    frame = arranged(frame)
    own = _own_models(frame)
    rows: list[dict[str, object]] = []
    cells = _cells(frame)
    series = {(key[0], key[1]): cells.of(group.index.to_numpy()) for key, group in groups(frame, ["model", "modality"])}
    modalities = list(dict.fromkeys(key[1] for key in sorted(series, key=lambda key: _place(key[1]))))
    for left, right in _model_pairs(frame):
        for modality in modalities:
            if (left, modality) not in series or (right, modality) not in series:
                continue
            first, second = series[left, modality], series[right, modality]
            alike = _alike(first, second)
            row: dict[str, object] = {"first": left, "second": right, "modality": modality}
            row |= {"n_first": len(first.cell), "n_second": len(second.cell), "n_shared": alike.n}
            row |= {f"n_other_{what}": n for what, n in alike.differ.items()} | {"n_unknown": alike.unknown}
            row["alike"] = False if any(alike.differ.values()) else None if alike.unknown or not alike.n else True
            unknown = f"what was asked is not stored for {alike.unknown:,} cells" if row["alike"] is None else ""
            row["remark"] = _ITSELF if own[left] == own[right] else ""
            rows.append(row | {"not_applicable": unknown if alike.n else "no question in common"})
    columns = ["first", "second", "modality", "n_first", "n_second", "n_shared"]
    columns += [*(f"n_other_{what}" for what in _ASKED.values()), "n_unknown", "alike", "remark", "not_applicable"]
    return typed(rows, columns) if rows else single(columns, _why_no_pair(frame))


def _place(modality: str) -> tuple[int, str]:
    return (MODALITIES.index(modality) if modality in MODALITIES else len(MODALITIES)), modality


def _why_no_pair(frame: pd.DataFrame) -> str:
    """Return why a frame has no two models to compare."""
    models = list(dict.fromkeys(frame["model"]))
    if len(models) < 2:
        return _ONE_MODEL if models else "no model was asked"
    return "no two models were asked in the same modality and condition"


def refuse_unlike(table: pd.DataFrame, allow: bool = False) -> None:
    """Refuse to compare models that were not asked alike, unless told to.

    Args:
        table: as ``shared`` returns it.
        allow: compare them all the same.

    Raises:
        TablesError: two models were asked other cells, with another prompt or judged by another judge; all are named.
    """
    unlike = table[table["alike"].eq(False)]
    if allow or unlike.empty:
        return
    found = [
        f"{row['first']} and {row['second']} in {row['modality']}: "
        + ", ".join(f"other {what} for {row[f'n_other_{what}']}" for what in _ASKED.values() if row[f"n_other_{what}"])
        + f" of {row['n_shared']} cells"
        for row in as_records(unlike)
    ]
    raise TablesError(
        f"not asked alike, so their difference would not be the models': {'; '.join(found)}. Compare them all the same "
        "with the parameter allow_unlike = True"
    )


# --- Models against each other --------------------------------------------------------------------------------------


def between_models(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the paired difference of every two models in each arm that both were asked, on the questions they share.

    Which of two models is the first is decided by their names. The family of Holm's adjustment is all the rows of the
    table. A question counts as shared only if its wording and reference are the same for both. ``remark`` says of how
    many of the questions judged for both the cells, the prompts or the judges differ or are not known, and where both
    are one model in two studies.

    Raises:
        TablesError: a question has two rows in one arm.
    """
    frame = arranged(frame)
    outcomes, units, other = outcomes_of(frame), units_of(frame), incomparable(frame)
    cells = _cells(frame)
    judged = {arm: cells.of(group.index[group["judged"]].to_numpy()) for arm, group in groups(frame, ARM)}
    own = _own_models(frame)
    rows: list[dict[str, object]] = []
    for left, right in _model_pairs(frame):
        for _, modality, condition in (arm for arm in outcomes if arm[0] == left):
            first, second = (left, modality, condition), (right, modality, condition)
            if second not in outcomes:
                continue
            comparison = Comparison("RQ4", f"{left} − {right}", "", modality, (first,), (second,))
            row = compared(comparison, pairs_of(comparison, outcomes, units), "")
            alike = _alike(judged[first], judged[second])
            remarks = (
                other_arms(comparison, other),
                _said(alike, "questions"),
                _ITSELF if own[left] == own[right] else "",
            )
            row |= {"first": left, "second": right, "condition": condition, "remark": "; ".join(filter(None, remarks))}
            rows.append(row)
    omitted = ("research_question", "contrast", "pooling", "model", "n_incomplete")
    columns = ["first", "second", "condition", *(name for name in PAIRED if name not in omitted)]
    return typed(with_holm(rows), columns) if rows else single(columns, _why_no_pair(frame))
