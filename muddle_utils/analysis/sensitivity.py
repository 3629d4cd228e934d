"""Whether the headline stands: the same comparisons under other choices, and with one source document left out.

A study makes choices that its paper leaves open: what a missing answer counts as, whether a random distractor may lie
near the source, which annotation, judge and run speak. ``variations`` makes each choice the other way and puts the
result beside the baseline; ``leave_one_source_out`` asks whether one document carries it. What a variation cannot
change, or what it lacks data for, is missing with its reason in ``not_applicable``.

No row here is a further test of the study's questions: p-values are not adjusted and belong to no family. The
differences and intervals are those of ``comparisons``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from muddle_utils import stats
from muddle_utils.analysis.answers import read_frame
from muddle_utils.analysis.comparisons import (
    Arm,
    Comparison,
    Outcomes,
    Pairs,
    Units,
    compared,
    declared,
    outcomes_of,
    pairs_of,
    units_of,
    why_not,
)
from muddle_utils.analysis.frames import KEYS, TablesError, as_records
from muddle_utils.analysis.tables import ARM, bounds, groups, method_of, typed
from muddle_utils.study.paths import Study
from muddle_utils.study.records import MAJORITY, Cell, Question, condition_of
from muddle_utils.study.rows import read_rows

BASELINE: Final = "baseline"
# The comparisons of RQ2 that are headlines; of RQ1 all are.
AGAINST_CONTROL: Final = ("control − hn-4", "control − random-4")

_NO_PAIRS: Final = "no question was answered and judged in both arms"
_NO_CELLS: Final = "no cell rows given"


# --- What a study has beside its headline ---------------------------------------------------------------------------


class Alternatives(NamedTuple):
    """A study's cells, and its long frame by each judge and the majority and by each run; empty where there is one."""

    cells: list[Cell]
    by_judge: dict[str, pd.DataFrame]
    by_run: dict[int, pd.DataFrame]


def read_alternatives(
    study: Study,
    models: Sequence[str],
    modalities: Sequence[str],
    judge: str,
    judges: Sequence[str] = (),
    replicates: int = 1,
) -> Alternatives:
    """Return what ``variations`` needs beside the frame, from the study's rows on disk.

    Raises:
        RowsError, StoreError, TablesError: as ``frames.read_frame``.
    """
    names = list(dict.fromkeys(judges))
    names = [*names, MAJORITY] if len(names) > 1 else []
    runs = range(1, replicates + 1) if replicates > 1 else range(0)
    return Alternatives(
        read_rows(study.rows("cells"), Cell),
        {name: read_frame(study, models, modalities, name, judges=judges) for name in names},
        {number: read_frame(study, models, modalities, judge, number, judges) for number in runs},
    )


# --- Variations -----------------------------------------------------------------------------------------------------


# From a comparison to the outcomes that a variation gives its arms, to the reason why it gives none, or to None where
# it touches none of them.
Change = Callable[[Comparison], "Outcomes | str | None"]


class _Variation(NamedTuple):
    """One choice made the other way; ``unchanged`` says why nothing differs, empty if the same numbers are a result."""

    name: str
    change: Change
    units: Units
    unchanged: str = ""


def _arms(comparison: Comparison) -> tuple[Arm, ...]:
    return tuple(dict.fromkeys((*comparison.first, *comparison.second)))


def _filled(outcomes: Outcomes, first: float, second: float) -> Change:
    """Return what gives every missing outcome of the first arm one value, and of the second another."""

    def change(comparison: Comparison) -> Outcomes | None:
        sides = ((comparison.first, first), (comparison.second, second))
        if not any(outcomes[arm].hasnans for arm in _arms(comparison)):
            return None
        return {arm: outcomes[arm].fillna(value) for side, value in sides for arm in side}

    return change


def _without(frame: pd.DataFrame, removed: pd.Series[bool]) -> Change:
    """Return what leaves out the answers marked in ``removed``."""
    touched = frame[removed].groupby(ARM).groups
    if not touched:
        return lambda comparison: None
    kept = outcomes_of(frame.assign(judged=frame["judged"] & ~removed))
    return lambda comparison: kept if any(arm in touched for arm in _arms(comparison)) else None


def _among_random(change: Change) -> Change:
    def of_random(comparison: Comparison) -> Outcomes | str | None:
        random = any(condition_of(arm[2]).kind == "random" for arm in _arms(comparison))
        return change(comparison) if random else "no arm of random distractors"

    return of_random


def _never(reason: str) -> Change:
    return lambda comparison: reason


def _of_another(frame: pd.DataFrame, what: str) -> Change:
    """Return what takes the outcomes from another frame, if that has the arms."""
    outcomes = outcomes_of(frame)

    def change(comparison: Comparison) -> Outcomes | str:
        absent = [arm for arm in _arms(comparison) if arm not in outcomes]
        return f"{what} did not ask {absent[0][0]} in {absent[0][1]}, {absent[0][2]}" if absent else outcomes

    return change


def _by_cell(frame: pd.DataFrame, cells: Iterable[Cell]) -> dict[str, Cell]:
    by_id = {cell.cell_id: cell for cell in cells}
    if by_id and (unknown := frame.loc[~frame["cell_id"].isin(list(by_id)), "cell_id"]).size:
        raise TablesError(f"no cell row for {unknown.iloc[0]!r}: pass the cells of the study that the frame is of")
    return by_id


def _same_place(frame: pd.DataFrame, outcomes: Outcomes, by_id: Mapping[str, Cell]) -> Change:
    """Return what keeps the pairs in which the source stands at the same place in both arms."""
    # By the frame's own name of a question: beside another study's it may be longer than the cell's.
    asked = zip(frame["question_id"], frame["condition"], frame["cell_id"], strict=True)
    place = {(question, condition): by_id[name].source_position for question, condition, name in asked}

    def kept(left: Arm, right: Arm) -> pd.Series[Any]:
        series = outcomes[left]
        same = [place[name, left[2]] == place.get((name, right[2])) for name in series.index]
        return series.where(np.array(same, dtype=np.bool_))

    def change(comparison: Comparison) -> Outcomes | str:
        if any(arm[2] == "control" for arm in _arms(comparison)):
            return "the control has no distractors to stand among"
        ends = list(zip(comparison.first, comparison.second, strict=True))
        # A pair without one of its outcomes is no pair.
        return {left: kept(left, right) for left, right in ends} | {right: outcomes[right] for _, right in ends}

    return change


def _near_and_leaking(frame: pd.DataFrame, by_id: Mapping[str, Cell], units: Units) -> list[_Variation]:
    names = ("accidental hard negatives removed", "leaking random distractors removed")
    if not by_id:
        return [_Variation(name, _among_random(_never(_NO_CELLS)), units) for name in names]
    random = frame["distractor_type"].eq("random")
    near = random & frame["cell_id"].map(lambda name: bool(by_id[name].accidental_hard_negatives)).astype(bool)
    leaking = random & frame["cell_id"].map(lambda name: bool(by_id[name].leaking_distractors)).astype(bool)
    said = (
        "no pair has a random distractor as near to the source as a hard negative",
        "no pair has a random distractor that gives the answer away",
    )
    return [
        _Variation(name, _among_random(_without(frame, removed)), units, unchanged)
        for name, removed, unchanged in zip(names, (near, leaking), said, strict=True)
    ]


def _shown_alike(frame: pd.DataFrame, other: pd.DataFrame | None) -> bool:
    """Return whether two studies showed the same documents in the same order, in every cell that both asked."""
    if other is None:
        return False
    both = frame.merge(other, on=KEYS, suffixes=("", "_other"))
    both = both[both["cell_digest"].ne("") & both["cell_digest_other"].ne("")]
    return len(both) > 0 and bool(both["cell_digest"].eq(both["cell_digest_other"]).all())


def _placements(
    frame: pd.DataFrame,
    outcomes: Outcomes,
    by_id: Mapping[str, Cell],
    units: Units,
    other: pd.DataFrame | None,
) -> list[_Variation]:
    same = _same_place(frame, outcomes, by_id) if by_id else _never(_NO_CELLS)
    another = _another("other placement", other, units)
    if _shown_alike(frame, other):
        another = another._replace(change=_never("the study given places every source as this one does"))
    return [
        _Variation("source at the same place only", same, units, "the source stands alike in every pair"),
        another,
    ]


def _another(name: str, other: pd.DataFrame | None, units: Units) -> _Variation:
    """Return the variation that sets another study's frame beside the baseline."""
    if other is None:
        return _Variation(name, _never(f"no study with the {name} given"), units)
    frame = _answerable(other)
    return _Variation(name, _of_another(frame, f"the study with the {name}"), units_of(frame))


def _text(text: str) -> str:
    return " ".join(text.split())


def _annotations(
    frame: pd.DataFrame,
    units: Units,
    other: pd.DataFrame | None,
    other_questions: Sequence[Question] | None,
) -> list[_Variation]:
    name, another = "annotated alike only", _another("other annotation", other, units)
    if other_questions is None and other is None:
        return [_Variation(name, _never("no other annotation given"), units), another]
    own, given = _annotated(frame), set() if other is None else set(_annotated(_answerable(other)))
    if given and given == set(own):
        another = another._replace(change=_never("the study given annotates every question as this one does"))
    if other_questions is not None:
        given = {(row.document_id, _text(row.question), _text(row.answer)) for row in other_questions}
    removed = pd.Series([key not in given for key in own], index=frame.index, dtype=bool)
    return [_Variation(name, _without(frame, removed), units, "every question is annotated alike"), another]


def _annotated(frame: pd.DataFrame) -> list[tuple[str, str, str]]:
    """Return each row's document, question and reference, white space aside."""
    texts = (frame[name].map(_text) for name in ("question", "reference"))
    return list(zip(frame["document_id"], *texts, strict=True))


def _speakers(frames: Mapping[Any, pd.DataFrame] | None, what: str, alone: str, units: Units) -> list[_Variation]:
    """Return a variation for each judge, or each run; one that says so if there are not two."""
    if frames is None or len(frames) < 2:
        return [_Variation(f"other {what}s", _never(alone), units)]
    found = []
    for name, each in frames.items():
        frame = _answerable(each)
        label = f"{what} {name}"
        found.append(_Variation(label, _of_another(frame, label), units_of(frame)))
    return found


def _answerable(frame: pd.DataFrame) -> pd.DataFrame:
    return frame[frame["answer_format"].ne("None")].reset_index(drop=True)


def _missing(outcomes: Outcomes, units: Units) -> list[_Variation]:
    values = {
        "missing counted wrong": (0.0, 0.0),
        "missing: lowest difference": (0.0, 1.0),
        "missing: highest difference": (1.0, 0.0),
    }
    return [
        _Variation(name, _filled(outcomes, *ends), units, "no pair lacks an answer") for name, ends in values.items()
    ]


def _n_changed(base: Pairs, pairs: Pairs) -> int:
    """Return how many questions have another difference at some k, or have one on one side only."""
    before, after = base.first - base.second, pairs.first - pairs.second
    if base.questions != pairs.questions:
        tables = (pd.DataFrame(gaps, each.questions) for gaps, each in ((before, base), (after, pairs)))
        left, right = next(tables).align(next(tables), axis=0)
        before, after = left.to_numpy(dtype=float), right.to_numpy(dtype=float)
    return int(((before != after) & ~(np.isnan(before) & np.isnan(after))).any(axis=1).sum())


def _has_pairs(pairs: Pairs) -> bool:
    return not np.isnan(pairs.first - pairs.second).all()


_KEYS: Final = ("research_question", "contrast", "model", "modality")
_COLUMNS: Final = (
    *(*_KEYS, "variation", "difference", "low", "high", "n_pairs", "n_documents", "n_changed", "p_document"),
    *("test", "p", "not_applicable", "method"),
)


def _varied(comparison: Comparison, base: Pairs, variation: _Variation) -> dict[str, object]:
    """Return one comparison's row under one variation, given the pairs of the baseline."""
    row: dict[str, object] = {**dict(zip(_KEYS, comparison, strict=False)), "variation": variation.name}
    outcomes, nothing = variation.change(comparison), why_not(comparison, base)
    if isinstance(outcomes, str):
        return row | {"not_applicable": outcomes}
    if outcomes is None:
        return row | {"n_changed": 0, "not_applicable": nothing or variation.unchanged}
    pairs = pairs_of(comparison, outcomes, variation.units)
    row["n_changed"] = _n_changed(base, pairs)
    if variation.unchanged and not nothing:
        if not row["n_changed"]:
            return row | {"not_applicable": variation.unchanged}
        if not _has_pairs(pairs):
            return row | {"n_pairs": 0, "n_documents": 0, "not_applicable": "no pair is left"}
    whole = compared(comparison, pairs, "question" if len(comparison.first) > 1 else "")
    return row | {name: whole.get(name) for name in _COLUMNS if name in whole}


def variations(
    frame: pd.DataFrame,
    cells: Iterable[Cell] = (),
    by_judge: Mapping[str, pd.DataFrame] | None = None,
    by_run: Mapping[int, pd.DataFrame] | None = None,
    other_placement: pd.DataFrame | None = None,
    other_annotation: pd.DataFrame | None = None,
    other_questions: Sequence[Question] | None = None,
) -> pd.DataFrame:
    """Return the headline comparisons as they are and under each variation: RQ1, and the control against k = 4.

    The baseline row is that of ``comparisons.paired``, pooled over k with each question once. ``p_document`` is the
    study's headline test, the sign-flip of whole source documents; beside it ``p`` is that of ``test``, which takes
    questions for independent. The variations:

    - ``missing counted wrong``: so is every cell asked that has no judged answer, lost ones included.
    - ``missing: lowest difference`` and ``highest``: wrong in one arm and right in the other, whichever way makes the
      difference lowest or highest. Whatever the missing answers were, the estimate lies between the two.
    - ``accidental hard negatives removed``: no random cell with a distractor of TF-IDF cosine 0.30 or more to the
      source (``cells.ACCIDENTAL_COSINE``).
    - ``leaking random distractors removed``: no random cell with a distractor that gives the answer away.
    - ``source at the same place only``: no pair in which it stands elsewhere in the other arm. ``other placement``: the
      same study with the other placement key.
    - ``annotated alike only``: no question that the other annotation lacks, words otherwise or answers otherwise.
      ``other annotation``: the same study with the other annotation.
    - ``judge`` and ``run``, each with its name.
    - ``comparable routes only``: no answer by a route that shows the model something else.
    - ``abstentions left out``: no answer that declines. It conditions on what the model did, so it says where a
      difference comes from and not how large it is.

    A variation removes cells, so that a question without one k still counts with the other. ``n_changed`` is the
    number of questions whose difference at some k is another than in the baseline, or is there in one of the two only.
    Where a choice concerns no pair there is a reason and no number; where another judge, run or study says the same,
    there is the same number.

    Args:
        frame: the long frame; questions that no document answers are left out, here and below.
        cells: of the study, for placement and distractors.
        by_judge: the long frame under each judge, and under the majority.
        by_run: the long frame of each run.
        other_placement: the long frame of a study that differs in the placement key only.
        other_annotation: the long frame of a study that differs in the annotation only.
        other_questions: the other annotation's questions; without them those of ``other_annotation``.

    Raises:
        TablesError: a question has two rows in one arm, or a cell of the frame is not among ``cells``.
    """
    frame = _answerable(frame)
    by_id = _by_cell(frame, cells)
    outcomes, units = outcomes_of(frame), units_of(frame)
    other_route = ~frame["comparable"].astype(bool)
    declines = frame["abstained"].fillna(value=False).astype(bool)
    one_judge = "one judge: whether it matters takes two or more, named with --judge"
    one_run = "one run: whether it matters takes --replicates 2 or more"
    of_comparable = "no pair came by a route that shows the model something else"
    found = [
        *_missing(outcomes, units),
        *_near_and_leaking(frame, by_id, units),
        *_placements(frame, outcomes, by_id, units, other_placement),
        *_annotations(frame, units, other_annotation, other_questions),
        *_speakers(by_judge, "judge", one_judge, units),
        _Variation("comparable routes only", _without(frame, other_route), units, of_comparable),
        _Variation("abstentions left out", _without(frame, declines), units, "no answer of a pair declines"),
        *_speakers(by_run, "run", one_run, units),
    ]
    rows = []
    for comparison in declared(outcomes):
        if comparison.research_question == "RQ1" or comparison.contrast in AGAINST_CONTROL:
            base = pairs_of(comparison, outcomes, units)
            every = [_Variation(BASELINE, lambda comparison: outcomes, units), *found]
            rows += [_varied(comparison, base, variation) for variation in every]
    return typed(rows, _COLUMNS)


# --- One source left out --------------------------------------------------------------------------------------------


_LEFT_OUT: Final = (
    *("contrast", "model", "modality", "document_id", "document_type", "n_questions", "difference"),
    *("leave_one_out", "leave_one_out_low", "leave_one_out_high", "overall", "overall_low", "overall_high"),
    *("n_pairs", "n_documents", "not_applicable", "method"),
)


def _estimate(name: str, interval: stats.Interval, units: str) -> dict[str, object]:
    """Return an estimate and its ends under columns that begin with ``name``, and the reason if it has none."""
    if not interval.n:
        return {"not_applicable": "no other source document"}
    row = {"low": None, "high": None, "not_applicable": "", **bounds(interval, units)}
    ends = {f"{name}_{end}": row[end] for end in ("low", "high")}
    return {name: interval.estimate, **ends, "not_applicable": row["not_applicable"]}


def _sources(comparison: Comparison, pairs: Pairs, types: Mapping[str, str]) -> Iterable[dict[str, object]]:
    """Yield the row of each source document, in order of its name."""
    gaps = stats.question_differences(pairs.first, pairs.second)
    whole = stats.clustered_difference(gaps, pairs.clusters)
    overall = {
        **_estimate("overall", whole, pairs.units),
        "n_pairs": whole.n,
        "n_documents": len(set(pairs.documents[~np.isnan(gaps)])),
        "method": method_of(whole, units=pairs.units),
    }
    known, nothing = ~np.isnan(gaps), why_not(comparison, pairs)
    if nothing:
        overall |= {"overall": None, "overall_low": None, "overall_high": None, "not_applicable": nothing}
    for name in sorted(set(pairs.documents)):
        own = pairs.documents == name
        n = int((own & known).sum())
        row: dict[str, object] = {"contrast": comparison.contrast, "model": comparison.model, **overall}
        row |= {"modality": comparison.modality, "document_id": name, "document_type": types[name], "n_questions": n}
        if not n:
            yield row | {"not_applicable": _NO_PAIRS if not whole.n else f"of this source {_NO_PAIRS}"}
            continue
        row["difference"] = float(np.mean(gaps[own & known]))
        yield row if nothing else row | _without_own(comparison, pairs, own)


def _without_own(comparison: Comparison, pairs: Pairs, own: NDArray[np.bool_]) -> dict[str, object]:
    """Return the estimate from the questions of all other documents, or why there is none."""
    others = pairs.only(~own)
    gaps = stats.question_differences(others.first, others.second)
    if not np.isnan(gaps).all() and (nothing := why_not(comparison, others)):
        return {"not_applicable": f"of the other sources {nothing}"}
    return _estimate("leave_one_out", stats.clustered_difference(gaps, others.clusters), pairs.units)


def leave_one_source_out(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the pooled topical gap of each source document, and of all the others without it.

    ``difference`` is the mean over the source's ``n_questions`` questions, each its mean over k; ``leave_one_out`` is
    the estimate from all other documents, ``overall`` that from all. Both have the interval of ``comparisons.paired``
    (``stats.clustered_difference``), without chance. Only the models and modalities that were asked random distractors
    and hard negatives at both k have rows. Sources are in order of their names.

    Args:
        frame: the long frame; questions that no document answers are left out.

    Raises:
        TablesError: a question has two rows in one arm.
    """
    frame = _answerable(frame)
    outcomes, units = outcomes_of(frame), units_of(frame)
    # Sorted, so that a document of two types has the same one in any order of rows.
    last = frame.sort_values("document_type")
    types = dict(zip(last["document_id"], last["document_type"], strict=True))
    rows: list[dict[str, object]] = []
    for comparison in declared(outcomes):
        if len(comparison.first) > 1:
            rows += _sources(comparison, pairs_of(comparison, outcomes, units), types)
    return typed(rows, _LEFT_OUT)


# --- Whether it stands ----------------------------------------------------------------------------------------------


_SUMMARY: Final = (
    *(
        "contrast",
        "model",
        "modality",
        "difference",
        "low",
        "high",
        "sign",
        "n_compared",
        "lowest_estimate",
        "lowest_at",
    ),
    *(
        "highest_estimate",
        "highest_at",
        "n_other_sign",
        "n_other_verdict",
        "other_verdict_at",
        "n_pairs",
        "n_documents",
    ),
    *("not_applicable", "method"),
)
_SUMMARY_TEXTS: Final = ("sign", "lowest_at", "highest_at", "other_verdict_at")


class _Alternative(NamedTuple):
    name: str
    estimate: float
    verdict: str


def _verdict(row: Mapping[str, Any], low: str = "low", high: str = "high") -> str:
    """Return the sign that an interval leaves, ``undecided`` if it leaves both, and nothing if there is no interval."""
    if pd.isna(row[low]):
        return ""
    return "positive" if row[low] > 0 else "negative" if row[high] < 0 else "undecided"


def _spread(row: Mapping[str, Any], others: Sequence[_Alternative], nothing: str) -> dict[str, object]:
    """Return how far the alternatives move an estimate, given its row with ``difference``, ``low`` and ``high``."""
    sign = _verdict(row)
    found: dict[str, object] = {"sign": sign, "n_compared": len(others)}
    found |= {"lowest_at": "", "highest_at": "", "other_verdict_at": "", "not_applicable": row["not_applicable"]}
    if pd.isna(row["difference"]) or not others:
        return found | {"not_applicable": row["not_applicable"] or nothing}
    lowest = min(others, key=lambda other: other.estimate)
    highest = max(others, key=lambda other: other.estimate)
    found |= {"lowest_estimate": lowest.estimate, "lowest_at": lowest.name}
    found |= {"highest_estimate": highest.estimate, "highest_at": highest.name}
    found["n_other_sign"] = sum(np.sign(other.estimate) != np.sign(row["difference"]) for other in others)
    if not sign:
        return found
    # Beside an undecided estimate, one without an interval decides nothing else.
    same = ("undecided", "") if sign == "undecided" else (sign,)
    changed = [other.name for other in others if other.verdict not in same]
    return found | {"n_other_verdict": len(changed), "other_verdict_at": "; ".join(changed)}


def _summary(rows: list[dict[str, object]]) -> pd.DataFrame:
    return typed(rows, _SUMMARY).astype(dict.fromkeys(_SUMMARY_TEXTS, "str"))


def variations_summary(table: pd.DataFrame) -> pd.DataFrame:
    """Return, for each headline comparison, whether it stands under every variation.

    ``sign`` is what the baseline's interval says: ``positive``, ``negative`` or ``undecided``. Of the ``n_compared``
    variations that have a number, ``lowest_estimate`` and ``highest_estimate`` are the extremes and ``lowest_at`` and
    ``highest_at`` say of which; ``n_other_sign`` have an estimate of another sign than the baseline's, or of none,
    ``n_other_verdict`` an interval that says something else, named in ``other_verdict_at``. Where the baseline has a
    sign, a variation without an interval is one of them.

    Args:
        table: as ``variations`` returns it.

    Raises:
        TablesError: a comparison lacks its baseline.
    """
    rows: list[dict[str, object]] = []
    for _, group in groups(table, ["contrast", "model", "modality"]):
        records = as_records(group)
        if BASELINE not in [row["variation"] for row in records]:
            raise TablesError(f"{records[0]['contrast']} has no {BASELINE} row: pass the table of variations whole")
        baseline = next(row for row in records if row["variation"] == BASELINE)
        others = [
            _Alternative(row["variation"], float(row["difference"]), _verdict(row))
            for row in records
            if row["variation"] != BASELINE and not pd.isna(row["difference"])
        ]
        rows.append(baseline | _spread(baseline, others, "no variation changes anything"))
    return _summary(rows)


def leave_one_out_summary(table: pd.DataFrame) -> pd.DataFrame:
    """Return, for each model and modality, whether the pooled topical gap stands without any one source document.

    Columns as in ``variations_summary``, with the estimate of all documents as the baseline and the documents left
    out, one at a time, as the variations.

    Args:
        table: as ``leave_one_source_out`` returns it.
    """
    rows: list[dict[str, object]] = []
    for _, group in groups(table, ["contrast", "model", "modality"]):
        records = as_records(group)
        first = records[0]
        overall = {"difference": first["overall"], "low": first["overall_low"], "high": first["overall_high"]}
        # Without an interval of all documents there is none of fewer, and so a reason in every row.
        overall["not_applicable"] = first["not_applicable"] if pd.isna(first["overall_low"]) else ""
        others = [
            _Alternative(
                row["document_id"],
                float(row["leave_one_out"]),
                _verdict(row, "leave_one_out_low", "leave_one_out_high"),
            )
            for row in records
            if not pd.isna(row["leave_one_out"])
        ]
        rows.append(first | overall | _spread(overall, others, "no other source document"))
    return _summary(rows)
