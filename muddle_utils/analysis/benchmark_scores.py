"""Scored predictions to tables: V2's metrics and v1's beside them, slices, disagreements, and systems compared.

Two things are never scored as wrong in silence. A question without a usable prediction counts as wrong because the
annotation asks it (``missing="exclude"`` leaves it out instead), and is counted. A response whose judge call failed is
``unjudged``: values are over the others, and ``least`` and ``most`` say what they could become.

A question answered twice and differently is answered and wrong, whatever ``missing`` is: were it not, a system could
raise its precision by answering twice where it is unsure.

Precision counts a committed wrong answer to an unanswerable question against the system (MMLongBench-Doc-V2, "The
metric"). Intervals take documents for the units, because questions about one document share its difficulty.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from muddle_utils import stats
from muddle_utils.analysis.frames import TablesError, as_records, ordered, refuse_duplicates
from muddle_utils.analysis.tables import bounds, groups, known, method_of, typed
from muddle_utils.study.records import (
    ANSWER_FORMATS,
    ANSWERED,
    CHART_OR_FIGURE,
    DOCUMENT_TYPES,
    MISSING,
    NOT_ANSWERABLE,
    PREDICTED,
    STATUSES,
    STRATA,
    TWO_RESPONSES,
    Join,
    ScoredRow,
)
from muddle_utils.study.rows import rows_frame

SERIES: Final = ["system", "judge"]
METRICS: Final = ("accuracy", "recall", "precision", "f1")
Flags = NDArray[np.bool_]


def scored_frame(rows: Sequence[ScoredRow]) -> pd.DataFrame:
    """Return scored rows as a frame, one row for each system, judge and question.

    Raises:
        TablesError: a question has two rows of one system and judge.
    """
    frame = rows_frame(rows, ScoredRow)
    kinds = {"equivalent": "boolean", "abstained": "boolean", "requires_visual": "boolean", "v1_score": "Float64"}
    frame = frame.astype(kinds)
    refuse_duplicates(frame, [*SERIES, "question_id"], "rows of one question")
    return frame


def kept(frame: pd.DataFrame, missing: str) -> pd.DataFrame:
    """Return the rows that a score is over: all, or with ``exclude`` those that were answered, once or twice.

    Raises:
        TablesError: ``missing`` is neither ``wrong`` nor ``exclude``.
    """
    if missing not in MISSING:
        raise TablesError(f"missing = {missing!r} is not known: take one of {', '.join(MISSING)}")
    return frame if missing == "wrong" else frame[frame["status"].isin(ANSWERED)]


class _Outcomes:
    """What one system did on some questions, as arrays of shape (questions,); unjudged responses are apart."""

    def __init__(self, rows: pd.DataFrame, missing: str) -> None:
        kept_rows = kept(rows, missing).index
        self.chosen = rows.index.isin(kept_rows)
        said = rows["status"].eq(PREDICTED).to_numpy(dtype=bool)
        self.unjudged = said & rows["verdict"].ne("judged").to_numpy(dtype=bool)
        self.judged = said & ~self.unjudged
        self.right = rows["equivalent"].fillna(value=False).to_numpy(dtype=bool)
        abstained = rows["abstained"].fillna(value=False).to_numpy(dtype=bool)
        twice = rows["status"].eq(TWO_RESPONSES).to_numpy(dtype=bool)
        self.answered = twice | (self.judged & ~abstained)
        self.answerable = rows["stratum"].ne("unanswerable").to_numpy(dtype=bool)
        self.documents = rows["doc_id"].to_numpy(dtype=object)

    def unknown(self, chosen: Flags) -> bool:
        """Return whether some of these were answered and no answer was judged: missing ones alone give no score."""
        return bool((chosen & self.unjudged).any() and not (chosen & self.judged).any())


def _outcomes_by_series(frame: pd.DataFrame, missing: str) -> Iterator[tuple[dict[str, str], pd.DataFrame, _Outcomes]]:
    """Yield each system under each judge, as the first columns of a row, with its rows and what they come to."""
    for key, group in groups(frame, SERIES):
        yield dict(zip(SERIES, key, strict=True)), group, _Outcomes(group, missing)


def _least_and_most(right: int, of: int, unjudged_right: int, unjudged_of: int) -> dict[str, object]:
    """Return a share's value if every unjudged response turns out wrong, and if every one turns out right."""
    least, most = of + unjudged_of, of + unjudged_right
    lowest = right / least if least else None
    # Where the best is that nothing was answered, the value is the lowest or there is none.
    return {"least": lowest, "most": (right + unjudged_right) / most if most else lowest}


def _share(values: NDArray[np.float64], documents: NDArray[np.object_], empty: str) -> dict[str, object]:
    """Return a share with its interval over documents, its counts, or the reason why there is none."""
    row: dict[str, object] = {"n_questions": len(values), "n_documents": len(set(documents)), "not_applicable": ""}
    if not len(values):
        return row | {"not_applicable": empty}
    interval = stats.clustered_proportion(values, documents)
    return row | {"value": known(interval.estimate), "method": method_of(interval)} | bounds(interval)


def _mean_over(outcomes: _Outcomes, chosen: Flags, empty: str) -> dict[str, object]:
    """Return the share right of some questions, unjudged ones left out of the value and put into its bounds."""
    chosen = chosen & outcomes.chosen
    judged, open_ = chosen & ~outcomes.unjudged, chosen & outcomes.unjudged
    right, n_open = int(outcomes.right[judged].sum()), int(open_.sum())
    why = "no response is judged" if n_open else empty
    over = judged & (not outcomes.unknown(chosen))
    row = _share(outcomes.right[over].astype(float), outcomes.documents[over], why)
    return row | _least_and_most(right, int(judged.sum()), n_open, n_open)


def _precision(outcomes: _Outcomes) -> dict[str, object]:
    counted = outcomes.answered
    right = (outcomes.right & outcomes.answerable)[counted]
    row = _share(right.astype(float), outcomes.documents[counted], "no question was answered")
    n_open = int((outcomes.unjudged & outcomes.answerable).sum())
    return row | _least_and_most(int(right.sum()), int(counted.sum()), n_open, int(outcomes.unjudged.sum()))


def _f1(outcomes: _Outcomes) -> dict[str, object]:
    """Return F1 = 2 c / (a + n): c right and answerable, a answered, n answerable; the harmonic mean of P and R.

    It is the share right among the a answered and the n answerable questions put together, where one that is both
    counts twice; the interval is that share's, and documents keep a question's two entries together.
    """
    judged = outcomes.chosen & ~outcomes.unjudged
    answered, answerable = outcomes.answered, outcomes.answerable & judged
    right = (outcomes.right & outcomes.answerable & outcomes.answered).astype(float)
    weight = answered.astype(int) + answerable.astype(int)
    if not (outcomes.answerable & outcomes.chosen).any():
        return {"n_questions": 0, "n_documents": 0, "not_applicable": "no question is answerable"}
    # Without a judged answerable question there is no recall, however many were answered.
    known_recall = answerable.any() and not outcomes.unknown(outcomes.answerable & outcomes.chosen)
    entries = weight if known_recall else np.zeros_like(weight)
    row = _share(np.repeat(right, entries), np.repeat(outcomes.documents, entries), "no answerable question is judged")
    n_open, all_open = int((outcomes.unjudged & outcomes.answerable).sum()), int(outcomes.unjudged.sum())
    both = 2 * int(right.sum())
    row |= _least_and_most(both, int(weight.sum()), 2 * n_open, all_open + n_open)
    return row | {"n_questions": int((entries > 0).sum())}


def _counts(rows: pd.DataFrame) -> dict[str, object]:
    return {
        "n_missing": int(rows["status"].ne(PREDICTED).sum()),
        "n_unjudged": int(rows["verdict"].eq("unjudged").sum()),
    }


_VALUE: Final = ("value", "low", "high", "least", "most", "n_questions", "n_documents", "n_missing", "n_unjudged")
_SCORES: Final = ("system", "judge", "scorer", "metric", *_VALUE, "not_applicable", "method")


def scores(frame: pd.DataFrame, missing: str = "wrong") -> pd.DataFrame:
    """Return accuracy, recall, precision and F1 of every system, by V2 under each judge, and by v1 without one.

    By V2, with c the responses judged equivalent on answerable questions, n the answerable questions and a the
    questions with a response that did not abstain, or with two different ones, neither of which is right: accuracy is
    the share judged equivalent of all, recall c / n, precision c / a, F1
    their harmonic mean 2 c / (a + n). By v1 the same with fractional scores and a short answer other than the literal
    "Not answerable". A question without a usable prediction is wrong and not answered, or with ``exclude`` left out.
    ``least`` and ``most`` are the values if all ``n_unjudged`` responses turn out wrong and committed, or right.

    ``n_questions`` are those the value is over. Where nothing was answered precision does not apply, and F1 is 0.

    Args:
        frame: as ``scored_frame`` returns it.
        missing: ``wrong`` or ``exclude``.

    Raises:
        TablesError: ``missing`` is neither.
    """
    rows: list[dict[str, object]] = []
    for keys, group, outcomes in _outcomes_by_series(frame, missing):
        every = np.ones(len(group), dtype=bool)
        found = {
            "accuracy": _mean_over(outcomes, every, "no question has a prediction"),
            "recall": _mean_over(outcomes, outcomes.answerable, "no answerable question counts"),
            "precision": _precision(outcomes),
            "f1": _f1(outcomes),
        }
        for metric, row in found.items():
            rows.append({**keys, "scorer": "V2", "metric": metric, **_counts(group), **row})
    for (system,), group in groups(frame, ["system"]):
        own = group[group["judge"].eq(group["judge"].iloc[0])]
        for metric, row in _v1_scores(kept(own, missing)).items():
            of_v1 = {"system": system, "judge": "", "scorer": "v1", "metric": metric}
            rows.append({**of_v1, "n_missing": _counts(own)["n_missing"], "n_unjudged": 0, **row})
    return typed(rows, _SCORES)


def _v1_scores(rows: pd.DataFrame) -> dict[str, dict[str, object]]:
    """Return v1's metrics: fractional scores, and answered is whatever is not the literal "Not answerable"."""
    score = rows["v1_score"].fillna(0.0).to_numpy(dtype=float)
    documents = rows["doc_id"].to_numpy(dtype=object)
    # In v1's own annotation this is the literal; V2's adds alternatives to some, which would be answerable questions.
    answerable = rows["stratum"].ne("unanswerable").to_numpy(dtype=bool)
    said = rows["status"].isin(ANSWERED).to_numpy(dtype=bool)
    answered = said & rows["v1_answer"].ne(NOT_ANSWERABLE).to_numpy(dtype=bool)
    found = {
        "accuracy": _share(score, documents, "no question has a prediction"),
        "recall": _share(score[answerable], documents[answerable], "no question is answerable"),
    }
    # v1 divides the whole score of the answerable questions by the number answered, whichever these are.
    total, n_answered, n_answerable = float(score[answerable].sum()), int(answered.sum()), int(answerable.sum())
    method = "a ratio of two sums, without an interval"
    row: dict[str, object] = {"n_documents": len(set(documents[answered])), "not_applicable": "", "method": method}
    row |= {"n_questions": n_answered, "value": total / n_answered if n_answered else None}
    found["precision"] = row if n_answered else row | {"not_applicable": "no question was answered"}
    either = answered | answerable
    f1 = 2 * total / (n_answered + n_answerable) if n_answered + n_answerable else None
    counted = {"n_questions": int(either.sum()), "n_documents": len(set(documents[either]))}
    found["f1"] = {
        **counted,
        "value": f1,
        "method": method,
        "not_applicable": "" if n_answerable else "no question is answerable",
    }
    return found


# --- What was predicted ---------------------------------------------------------------------------------------------


def prediction_coverage(joins: Sequence[Join]) -> pd.DataFrame:
    """Return what each file holds: its questions by status, and the rows that found no question or say one twice.

    ``n_questions`` are the annotation's and the sum of the four counts after it; ``n_unmatched``, ``n_repeated`` and
    ``n_contradicting`` count rows of the file.
    """
    rows: list[dict[str, object]] = []
    for found in joins:
        by_status = {status: sum(row.status == status for row in found.rows) for status in STATUSES}
        row: dict[str, object] = {"system": found.system, "n_questions": len(found.rows)}
        row |= {f"n_{status.replace(' ', '_')}": n for status, n in by_status.items()}
        row |= {"n_unmatched": len(found.unmatched), "n_repeated": len(found.repeated)}
        rows.append(row | {"n_contradicting": len(found.contradicting)})
    names = [f"n_{status.replace(' ', '_')}" for status in STATUSES]
    return typed(rows, ["system", "n_questions", *names, "n_unmatched", "n_repeated", "n_contradicting"])


# --- Slices ---------------------------------------------------------------------------------------------------------


def _facets(rows: pd.DataFrame) -> list[tuple[str, str, Flags]]:
    """Return (facet, value, which rows) of every slice; those of a facet are disjoint, but for evidence sources."""
    found = [("stratum", name, rows["stratum"].eq(name).to_numpy(dtype=bool)) for name in STRATA if len(rows)]
    answerable = rows["stratum"].ne("unanswerable").to_numpy(dtype=bool)
    named = rows["evidence_sources"].map(list)
    for source in sorted({source for sources in named for source in sources}):
        found.append(("evidence source", source, named.map(lambda held, s=source: s in held).to_numpy(dtype=bool)))
    found.append(("evidence source", "none named, answerable", answerable & named.map(len).eq(0).to_numpy(dtype=bool)))
    for facet, column, order in (
        ("document type", "document_type", DOCUMENT_TYPES),
        ("task type", "task_type", ()),
        ("answer format", "answer_format", ANSWER_FORMATS),
    ):
        found += [
            (facet, value or "not labelled", rows[column].eq(value).to_numpy(dtype=bool))
            for value in [*(name for name in ordered(rows[column].sort_values(), order) if name), ""]
        ]
    visual = rows["requires_visual"]
    for value, flags in (("yes", visual.eq(True)), ("no", visual.eq(False)), ("not labelled", visual.isna())):
        found.append(("requires visual", value, flags.fillna(value=False).to_numpy(dtype=bool)))
    return [slice_ for slice_ in found if slice_[2].any()]


_BREAKDOWN: Final = ("system", "judge", "facet", "slice", *_VALUE, "v1", "not_applicable", "method")


def breakdown(frame: pd.DataFrame, missing: str = "wrong") -> pd.DataFrame:
    """Return accuracy by V2, and by v1, of every slice: stratum, evidence source, document and task type, and so on.

    Strata are disjoint and sum to all questions. A question may have several evidence sources and is then in several
    slices. Task type and requires visual are labels that a model made and nobody checked; a question without them is
    ``not labelled``.

    Args:
        frame: as ``scored_frame`` returns it.
        missing: ``wrong`` or ``exclude``.

    Raises:
        TablesError: ``missing`` is neither.
    """
    rows: list[dict[str, object]] = []
    for keys, group, outcomes in _outcomes_by_series(frame, missing):
        v1 = group["v1_score"].fillna(0.0).to_numpy(dtype=float)
        slices = _facets(group)
        n_strata = sum(int(flags.sum()) for facet, _, flags in slices if facet == "stratum")
        assert n_strata == len(group), "a question is in no stratum or in two"
        for facet, name, flags in slices:
            row: dict[str, object] = {**keys, "facet": facet, "slice": name}
            row["v1"] = float(v1[flags & outcomes.chosen].mean()) if (flags & outcomes.chosen).any() else None
            row |= _mean_over(outcomes, flags, "no response is judged")
            rows.append(row | _counts(group[flags]))
    return typed(rows, _BREAKDOWN)


def interplay(frame: pd.DataFrame, missing: str = "wrong") -> pd.DataFrame:
    """Return accuracy by whether the evidence is a chart or figure, against whether the question needs to be seen.

    The two are not the same: the number in a chart may be printed as text, and "how many bar charts are there" needs
    the page although its evidence is no chart (MMLongBench-Doc-V2, "Question types"). Only labelled questions count.

    Args:
        frame: as ``scored_frame`` returns it.
        missing: ``wrong`` or ``exclude``.

    Raises:
        TablesError: ``missing`` is neither.
    """
    rows: list[dict[str, object]] = []
    labelled = frame[frame["requires_visual"].notna()]
    for keys, group, outcomes in _outcomes_by_series(labelled, missing):
        charted = group["evidence_sources"].map(lambda held: bool(CHART_OR_FIGURE & set(held))).to_numpy(dtype=bool)
        visual = group["requires_visual"].to_numpy(dtype=bool)
        for chart, seen in itertools.product((True, False), repeat=2):
            flags = (charted == chart) & (visual == seen)
            row: dict[str, object] = {**keys, "chart_or_figure": chart, "requires_visual": seen}
            rows.append(row | _mean_over(outcomes, flags, "no such question") | _counts(group[flags]))
    return typed(rows, ["system", "judge", "chart_or_figure", "requires_visual", *_VALUE, "not_applicable", "method"])


# --- v1 against V2 --------------------------------------------------------------------------------------------------


def _kind(row: Mapping[str, Any]) -> str:
    """Return how v1 and V2 differ on a response, empty where they agree."""
    v1, right = float(row["v1_score"]), bool(row["equivalent"])
    if v1 in (0.0, 1.0) and bool(v1) == right:
        return ""
    said = {0.0: "wrong", 1.0: "right"}.get(v1, "partly right")
    return f"v1 {said}, V2 {'right' if right else 'wrong'}"


def disagreement_rows(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the responses on which v1 and V2 differ, those that differ most first, each with both reasons."""
    judged = frame[frame["equivalent"].notna() & frame["v1_score"].notna()]
    kinds = [_kind(row) for row in as_records(judged)]
    found = judged.assign(kind=np.array(kinds, dtype=object))
    found = found[found["kind"].ne("")]
    gap = found["equivalent"].astype("Float64") - found["v1_score"]
    found = found.assign(gap=gap, size=gap.abs()).sort_values(
        ["size", "kind", "v1_rule", "system", "judge", "question_id"], ascending=[False, *[True] * 5]
    )
    columns = [*SERIES, "kind", "v1_rule", "v1_detail", "gap", "question_id", "doc_id", "question", "reference"]
    columns += ["answer_format", "v1_answer", "v1_score", "response", "equivalent", "abstained", "reasoning"]
    return found[columns].reset_index(drop=True)


def disagreements(frame: pd.DataFrame) -> pd.DataFrame:
    """Return where v1 and V2 disagree and why: counts by how they differ and by the rule that decided v1's score.

    Over the ``n_judged`` responses with a verdict. ``gap`` is the part of V2's accuracy minus v1's, over these
    responses, that the row makes up: all rows of a system and judge sum to the whole difference.
    """
    judged = frame[frame["equivalent"].notna() & frame["v1_score"].notna()]
    found = disagreement_rows(frame)
    rows: list[dict[str, object]] = []
    for (system, judge), group in groups(judged, SERIES):
        own = found[found["system"].eq(system) & found["judge"].eq(judge)]
        keys = {"system": system, "judge": judge, "n_judged": len(group)}
        for (kind, rule), part in groups(own, ["kind", "v1_rule"]):
            example = part.sort_values("question_id").iloc[0]
            row: dict[str, object] = {**keys, "kind": kind, "v1_rule": rule, "n": len(part)}
            row |= {"gap": float(part["gap"].sum()) / len(group), "reference": example["reference"]}
            rows.append(row | {"v1_answer": example["v1_answer"], "question_id": example["question_id"]})
        if own.empty:
            rows.append({**keys, "n": 0, "not_applicable": "v1 and V2 agree on every judged response"})
    columns = (*SERIES, "kind", "v1_rule", "n", "n_judged", "gap", "reference", "v1_answer", "question_id")
    table = typed(
        [{"kind": "", "v1_rule": "", "not_applicable": "", **row} for row in rows], (*columns, "not_applicable")
    )
    return table.sort_values([*SERIES, "n", "kind", "v1_rule"], ascending=[True, True, False, True, True]).reset_index(
        drop=True
    )


# --- Systems against each other -------------------------------------------------------------------------------------


_BETWEEN: Final = (
    *("first", "second", "judge", "mean_first", "mean_second", "difference", "low", "high", "n_questions"),
    *("n_documents", "n_open", "first_only", "second_only", "p", "mid_p", "p_document", "p_holm", "n_family"),
    *("not_applicable", "method"),
)


def _right(rows: pd.DataFrame, missing: str) -> pd.Series[Any]:
    """Return 1, 0 or NaN by question: NaN for unjudged, and with ``exclude`` for questions without a prediction."""
    outcomes = _Outcomes(rows, missing)
    values = np.where(outcomes.chosen & ~outcomes.unjudged, outcomes.right.astype(float), math.nan)
    return pd.Series(values, index=rows["question_id"].to_numpy()).sort_index()


def _pair(first: pd.DataFrame, second: pd.DataFrame, missing: str) -> dict[str, object]:
    left = _right(first, missing)
    right = _right(second, missing).reindex(left.index)
    documents = first.set_index("question_id")["doc_id"].reindex(left.index).to_numpy(dtype=object)
    a, b = left.to_numpy(dtype=float), right.to_numpy(dtype=float)
    test = stats.exact_mcnemar(a, b)
    both = ~np.isnan(a - b)
    row: dict[str, object] = {"n_questions": test.n, "n_documents": len(set(documents[both])), "n_open": test.n_missing}
    row |= {"first_only": test.only_a, "second_only": test.only_b, "not_applicable": ""}
    if not test.n:
        return row | {"not_applicable": "no question counts for both"}
    interval = stats.clustered_difference(a - b, documents)
    row |= {"mean_first": float(a[both].mean()), "mean_second": float(b[both].mean())}
    row |= {"difference": known(interval.estimate), "method": method_of(interval)} | bounds(interval)
    if not test.only_a + test.only_b:
        return row | {"not_applicable": "the two agree on every question, so there is no test"}
    flip = stats.cluster_sign_flip(a - b, documents)
    return row | {"p": test.p_value, "mid_p": test.mid_p, "p_document": known(flip.p_value)}


def between_systems(frame: pd.DataFrame, missing: str = "wrong") -> pd.DataFrame:
    """Return the paired difference in V2 accuracy of every two systems, on the same questions, by judge.

    The first system's accuracy minus the second's. ``first_only`` and ``second_only`` questions only one of them got
    right; ``p`` is the exact two-sided McNemar test of these and ``mid_p`` its less conservative form, which take
    questions for independent; ``p_document`` is the sign-flip test with documents as units and ``p_holm`` Holm's
    adjustment of it over the ``n_family`` pairs of one judge. ``n_open`` questions are unjudged for one of them at
    least, or with ``exclude`` without a prediction, and count for neither.

    Args:
        frame: as ``scored_frame`` returns it.
        missing: ``wrong`` or ``exclude``.

    Raises:
        TablesError: ``missing`` is neither, or two systems were scored against different questions.
    """
    kept(frame, missing)
    rows: list[dict[str, object]] = []
    for (judge,), group in groups(frame, ["judge"]):
        by_system = {system: rows_ for (system,), rows_ in groups(group, ["system"])}
        asked = {system: set(rows_["question_id"]) for system, rows_ in by_system.items()}
        family = []
        for first, second in itertools.combinations(by_system, 2):
            if asked[first] != asked[second]:
                raise TablesError(f"{first} and {second} were scored against different questions: score them together")
            keys = {"first": first, "second": second, "judge": judge}
            family.append({**keys, **_pair(by_system[first], by_system[second], missing)})
        found = (row.get("p_document") for row in family)
        adjusted = stats.holm([float(p) if isinstance(p, float) else math.nan for p in found]) if family else None
        for row, p_holm in zip(family, adjusted.adjusted if adjusted else (), strict=True):
            rows.append(row | {"p_holm": known(p_holm), "n_family": adjusted.family_size if adjusted else None})
        if len(by_system) == 1:
            only = next(iter(by_system))
            rows.append(
                {"first": only, "second": "", "judge": judge, "not_applicable": "one system: nothing to compare"}
            )
    return typed(rows, _BETWEEN)


# --- Judges against each other --------------------------------------------------------------------------------------


def ratings(frame: pd.DataFrame) -> pd.DataFrame:
    """Return one row for each response, each judge's verdict in a column of its name, as ``reliability`` takes it."""
    rows = frame[frame["status"].eq(PREDICTED)]
    names = {"doc_id": "document_id", "system": "model", "response": "text"}
    keys = ["question_id", "doc_id", "system", "question", "reference", "response"]
    wide = rows.pivot(index=keys, columns="judge", values="equivalent").reset_index().rename(columns=names)
    wide.columns.name = None
    cell = wide["question_id"] + "|" + wide["model"]
    return wide.assign(cell_id=cell, modality="", condition="")
