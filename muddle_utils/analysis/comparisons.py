"""The long frame to the study's comparisons: paired, question by question, with intervals over source documents.

A comparison names its arms and subtracts the second from the first. The headline interval is the one that
``benchmarks/calibration.py`` finds right at the paper's size, with few documents and near the ceiling; every other
method stands beside it in ``intervals``. What cannot be computed is missing with its reason in ``not_applicable``.

Models stand in the order in which the frame first names them, which is the order in which they were asked; no other
order of rows changes any table. The module computes no statistic of its own (see ``stats``).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from muddle_utils import stats
from muddle_utils.analysis.frames import (
    DOCUMENTS,
    TWO_WAY,
    TablesError,
    arranged,
    as_records,
    clusters_of,
    clusters_text,
    ordered,
)
from muddle_utils.analysis.tables import ARM, N_RESAMPLES, SEED, bounds, generator, known, method_of, reason_of, typed
from muddle_utils.study.records import CONDITIONS, MODALITIES, condition_of

Arm = tuple[str, str, str]
Outcomes = Mapping[Arm, "pd.Series[Any]"]


class Comparison(NamedTuple):
    """One declared comparison: the arms to subtract, one pair of (model, modality, condition) for each k."""

    research_question: str
    contrast: str
    model: str
    modality: str
    first: tuple[Arm, ...]
    second: tuple[Arm, ...]


class Contrast(NamedTuple):
    """Conditions to subtract, first minus second, one pair for each k; ``first`` and ``second`` are their names."""

    research_question: str
    first: tuple[str, ...]
    second: tuple[str, ...]

    @property
    def pooled(self) -> bool:
        """Whether it takes several k together."""
        return len(self.first) > 1

    @property
    def sides(self) -> tuple[str, str]:
        """What the two arms are called, without k where several are pooled."""
        first, second = (condition_of(names[0]) for names in (self.first, self.second))
        return (first.stem, second.stem) if self.pooled else (first.name, second.name)

    @property
    def label(self) -> str:
        """What the contrast is called in tables."""
        ks = " and ".join(str(condition_of(name).k) for name in self.first)
        return " − ".join(self.sides) + (f", pooled over k = {ks}" if self.pooled else "")


# First arm minus second, so that a positive difference always says the second arm is worse (paper, section 5).
CONTRASTS: Final = (
    Contrast("RQ1", ("random-2",), ("hn-2",)),
    Contrast("RQ1", ("random-4",), ("hn-4",)),
    Contrast("RQ1", ("random-2", "random-4"), ("hn-2", "hn-4")),
    Contrast("RQ2", ("control",), ("random-2",)),
    Contrast("RQ2", ("random-2",), ("random-4",)),
    Contrast("RQ2", ("control",), ("random-4",)),
    Contrast("RQ2", ("control",), ("hn-2",)),
    Contrast("RQ2", ("hn-2",), ("hn-4",)),
    Contrast("RQ2", ("control",), ("hn-4",)),
)
# What the pooled contrast is called where each (question, k) counts as a pair.
EACH_PAIR: Final = ", each pair once"
# The condition in which modalities are compared (RQ3).
BETWEEN_MODALITIES: Final = "control"


def declared(asked: Iterable[Arm]) -> list[Comparison]:
    """Return every comparison of CONTRASTS, and of control by modality (RQ3), whose arms were both asked."""
    keys = list(dict.fromkeys(asked))
    found = []
    for model, modality in dict.fromkeys(key[:2] for key in keys):
        for each in CONTRASTS:
            arms = [tuple((model, modality, name) for name in side) for side in (each.first, each.second)]
            if all(key in keys for key in (*arms[0], *arms[1])):
                found.append(Comparison(each.research_question, each.label, model, modality, arms[0], arms[1]))
    for model in dict.fromkeys(key[0] for key in keys):
        controls = [name for name in MODALITIES if (model, name, BETWEEN_MODALITIES) in keys]
        for left, right in itertools.combinations(controls, 2):
            ends = [((model, name, BETWEEN_MODALITIES),) for name in (left, right)]
            label = f"{BETWEEN_MODALITIES}: {left} − {right}"
            found.append(Comparison("RQ3", label, model, f"{left}, {right}", ends[0], ends[1]))
    return sorted(found, key=lambda comparison: comparison.research_question)


class Pairs(NamedTuple):
    """The outcomes of both arms, shape (questions, k values), NaN where not judged, and what each question belongs to.

    ``clusters`` are the labels for ``stats``, and ``units`` what these are, as ``frames.clusters_text`` says it.
    """

    first: NDArray[np.float64]
    second: NDArray[np.float64]
    questions: list[str]
    documents: NDArray[np.object_]
    clusters: NDArray[np.object_]
    units: str

    def only(self, kept: NDArray[np.bool_]) -> Pairs:
        """Return the pairs of some questions, shape (questions,)."""
        names = [name for name, own in zip(self.questions, kept, strict=True) if own]
        return self._replace(
            first=self.first[kept],
            second=self.second[kept],
            questions=names,
            documents=self.documents[kept],
            clusters=self.clusters[kept],
        )


def outcomes_of(frame: pd.DataFrame) -> dict[Arm, pd.Series[Any]]:
    """Return, for each (model, modality, condition), the outcomes by question: 1, 0, NaN where not judged.

    Raises:
        TablesError: a question has two rows in one arm.
    """
    frame = arranged(frame)
    judged = frame["correct"].where(frame["judged"]).astype("Float64").to_numpy(dtype=float, na_value=math.nan)
    keyed = frame.assign(outcome=judged)
    return {
        (str(key[0]), str(key[1]), str(key[2])): pd.Series(group["outcome"].to_numpy(), index=group["question_id"])
        for key, group in keyed.groupby(ARM, sort=False)
    }


class Units(NamedTuple):
    """Each question's source document and its cluster for ``stats``, by question in order of their names."""

    documents: pd.Series[Any]
    clusters: pd.Series[Any]
    text: str


def units_of(frame: pd.DataFrame) -> Units:
    """Return what each question of a long frame belongs to."""
    known_by = frame[["question_id", "document_id"]].sort_values(["question_id", "document_id"])
    documents = known_by.drop_duplicates("question_id").set_index("question_id")["document_id"]
    return Units(documents, clusters_of(frame), clusters_text(frame))


def pairs_of(comparison: Comparison, outcomes: Outcomes, units: Units) -> Pairs:
    """Return the questions that were asked in both arms of a comparison, at one k at least."""
    both = [
        outcomes[left].index.intersection(outcomes[right].index, sort=False)
        for left, right in zip(comparison.first, comparison.second, strict=True)
    ]
    questions = list(dict.fromkeys(name for index in both for name in index))
    sides = [
        np.column_stack([outcomes[key].reindex(questions).to_numpy(dtype=float) for key in side])
        for side in (comparison.first, comparison.second)
    ]
    names, labels = (each.reindex(questions).to_numpy(dtype=object) for each in (units.documents, units.clusters))
    return Pairs(sides[0], sides[1], questions, names, labels, units.text)


_NO_PAIRS: Final = "no question was answered and judged in both arms"


def why_not(comparison: Comparison, pairs: Pairs) -> str:
    """Return why a comparison has no difference: no pair, or at one k none, so that nothing is pooled; else empty."""
    n_pairs = (~np.isnan(pairs.first - pairs.second)).sum(axis=0)
    if not n_pairs.any():
        return _NO_PAIRS
    without = [str(condition_of(arm[2]).k) for arm, n in zip(comparison.first, n_pairs.tolist(), strict=True) if not n]
    return f"{_NO_PAIRS} at k = {' or '.join(without)}" if without else ""


def _each_pair(pairs: Pairs) -> Pairs:
    """Return the pairs with every (question, k) a question of its own, as the paper pools."""
    n_k = pairs.first.shape[1]
    return Pairs(
        pairs.first.reshape(-1, 1),
        pairs.second.reshape(-1, 1),
        list(np.repeat(pairs.questions, n_k)),
        np.repeat(pairs.documents, n_k),
        np.repeat(pairs.clusters, n_k),
        pairs.units,
    )


def _counts(pairs: Pairs, gaps: NDArray[np.float64], pooling: str) -> dict[str, object]:
    """Return how many pairs a comparison has and lacks, and which way they differ."""
    paired_at = ~np.isnan(pairs.first - pairs.second)
    n_known = paired_at.sum(axis=1)
    counts: dict[str, object] = {
        "n_pairs": int((n_known > 0).sum()),
        "n_documents": len(set(pairs.documents[n_known > 0])),
        "n_clusters": len(set(pairs.clusters[n_known > 0])),
        "n_missing": int((n_known == 0).sum()),
        "a_only": int((gaps > 0).sum()),
        "b_only": int((gaps < 0).sum()),
    }
    incomplete = (n_known > 0) & (n_known < pairs.first.shape[1])
    return counts | ({"n_incomplete": int(incomplete.sum())} if pooling == "question" else {})


def _test(pairs: Pairs, gaps: NDArray[np.float64], pooling: str) -> dict[str, object]:
    """Return the p-values of one comparison: exact on the questions, and one with clusters as units.

    Clusters that overlap cannot be flipped one by one: then it is the t test that belongs to the interval.
    """
    if pooling == "question":
        flip = stats.question_sign_flip(gaps)
        row: dict[str, object] = {"test": f"{flip.method}, each question once", "p": flip.p_value}
    else:
        test = stats.exact_mcnemar(pairs.first.ravel(), pairs.second.ravel())
        row = {"test": test.method, "p": test.p_value, "mid_p": test.mid_p}
        row["test"] = f"{test.method}, each (question, k) a pair" if pooling == "pairs" else test.method
    if pairs.units == TWO_WAY:
        return row | {"p_document": known(stats.p_value_of(stats.clustered_difference(gaps, pairs.clusters)))}
    return row | {"p_document": known(stats.cluster_sign_flip(gaps, pairs.clusters).p_value)}


def _means(pairs: Pairs) -> dict[str, object]:
    """Return each arm's mean over the pairs, each question once, so that their difference is the difference."""
    paired_at = ~np.isnan(pairs.first - pairs.second)
    found = paired_at.any(axis=1)
    sides = (np.where(paired_at, side, math.nan)[found] for side in (pairs.first, pairs.second))
    return dict(zip(("mean_a", "mean_b"), (float(np.nanmean(side, axis=1).mean()) for side in sides), strict=True))


def compared(comparison: Comparison, pairs: Pairs, pooling: str) -> dict[str, object]:
    """Return one row of ``paired`` without its remark and Holm's adjustment; ``pooling`` as in that column."""
    why = why_not(comparison, pairs)
    pairs = _each_pair(pairs) if pooling == "pairs" else pairs
    gaps = stats.question_differences(pairs.first, pairs.second)
    row: dict[str, object] = {
        "research_question": comparison.research_question,
        "contrast": comparison.contrast + (EACH_PAIR if pooling == "pairs" else ""),
        "pooling": pooling,
        "model": comparison.model,
        "modality": comparison.modality,
        "not_applicable": why,
        "method": "",
        **_counts(pairs, gaps, pooling),
    }
    if why:
        return row
    interval = stats.clustered_difference(gaps, pairs.clusters)
    row |= {**_means(pairs), "difference": interval.estimate, "method": method_of(interval, units=pairs.units)}
    tested = _test(pairs, gaps, pooling)
    if row["a_only"] or row["b_only"]:
        return row | tested | bounds(interval, pairs.units)
    # No test is made of differences that are all 0, but the interval says how large they can be.
    row |= {"test": tested["test"], **bounds(interval, pairs.units)}
    none = "no discordant pairs" if pooling != "question" else "no question has a gap"
    nothing = {"not_applicable": none, "no_interval": none}
    return row | (nothing if interval.reason else {"not_applicable": f"test: {none}"})


def other_arms(comparison: Comparison, other: Collection[Arm]) -> str:
    """Return which arms of a comparison are among ``other``, those that show the model something else."""
    arms = [f"{arm[1]} {arm[2]}" for arm in dict.fromkeys((*comparison.first, *comparison.second)) if arm in other]
    return f"not comparable: {', '.join(arms)}, where a route shows the model something else" if arms else ""


def with_holm(rows: list[dict[str, object]]) -> list[dict[str, object]]:
    """Add Holm's adjustment of the documents' test within each research question, over its models and modalities."""
    for question in dict.fromkeys(row["research_question"] for row in rows):
        family = [row for row in rows if row["research_question"] == question and row["pooling"] != "pairs"]
        found = (row.get("p_document") for row in family)
        adjusted = stats.holm([float(p) if isinstance(p, float) else math.nan for p in found])
        for row, p_holm in zip(family, adjusted.adjusted, strict=True):
            row |= {"p_holm": known(p_holm), "n_family": adjusted.family_size}
    return rows


def incomparable(frame: pd.DataFrame) -> set[Arm]:
    """Return the arms that hold a judged answer by a route that shows the model something else."""
    rows = frame.loc[frame["judged"] & ~frame["comparable"], ARM]
    return {(str(row["model"]), str(row["modality"]), str(row["condition"])) for row in as_records(rows)}


PAIRED: Final = (
    *("research_question", "contrast", "pooling", "model", "modality", "mean_a", "mean_b", "difference", "low", "high"),
    *(
        "n_pairs",
        "n_documents",
        "n_clusters",
        "n_missing",
        "n_incomplete",
        "a_only",
        "b_only",
        "test",
        "p",
        "mid_p",
        "p_document",
    ),
    *("p_holm", "n_family", "remark", "not_applicable", "method", "no_interval", "other_route"),
)


def paired(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the paired differences of RQ1 (topic), RQ2 (length) and RQ3 (modality), by model (RQ4).

    Each row is the mean per-question difference, first arm minus second, over the ``n_pairs`` questions answered and
    judged in both (paper, section 4.4), as are the two means; ``n_missing`` were asked in both and lack one. The
    interval takes for the units the source documents, or the clusters of them that share hard negatives
    (``frames.cluster_labels``, ``stats.clustered_difference``). ``p`` is the exact two-sided McNemar
    test of the ``a_only`` and ``b_only`` discordant pairs, the paper's test, and ``mid_p`` its less conservative form:
    they hold their level only if an arm's effect is the same in every document. ``p_document``, the sign-flip test with
    these units, needs no such thing (see the calibration) and is the headline; where clusters overlap it is the t test
    that belongs to the interval.

    RQ1 pooled over k counts each question once: ``p`` is then the exact sign-flip test of its mean gap, and ``a_only``
    and ``b_only`` are questions whose mean gap is above and below 0; ``n_incomplete`` of the questions have a pair at
    some k only. Where one k has no pair at all, nothing is pooled. Beside it stands the paper's way, each (question, k)
    a pair.

    The declared family of Holm's adjustment of ``p_document`` is all the comparisons of one research question, over
    models and modalities, those that came out not applicable included; ``n_family`` is its size. The pooled row that
    counts pairs repeats another row's question and is outside the family. A comparison is listed only if both its arms
    were asked. ``remark`` names the arms that hold answers by a route that shows the model something else.

    Raises:
        TablesError: a question has two rows in one arm.
    """
    outcomes, units, other = outcomes_of(frame), units_of(frame), incomparable(frame)
    rows = []
    for comparison in declared(outcomes):
        pairs = pairs_of(comparison, outcomes, units)
        for pooling in ("question", "pairs") if len(comparison.first) > 1 else ("",):
            remark = other_arms(comparison, other)
            rows.append(compared(comparison, pairs, pooling) | {"remark": remark, "other_route": bool(remark)})
    return typed(with_holm(rows), PAIRED)


# --- Every method ---------------------------------------------------------------------------------------------------


# Every method's short name: how it resamples, and what if not the study's clusters.
_RESAMPLED: Final = {
    "percentile bootstrap, clusters": ("percentile", ""),
    "BCa bootstrap, clusters": ("bca", ""),
    "percentile bootstrap, questions": ("percentile", "questions"),
}
_ANALYTIC: Final = {"clustered t, CR2": "cr2", "clustered normal": "normal"}
# The headline's, in the words of the calibration.
_HEADLINE: Final = "clustered t, CR2, two pairs added"


def _by_method(
    gaps: NDArray[np.float64],
    questions: NDArray[np.object_],
    clusters: NDArray[np.object_],
    n_resamples: int,
    seed: int,
) -> dict[str, list[stats.Interval]]:
    """Return one interval for each column of gaps, shape (questions, comparisons), by each method."""
    found = {_HEADLINE: [stats.clustered_difference(column, clusters) for column in gaps.T]}
    for name, method in _ANALYTIC.items():
        found[name] = [stats.clustered_mean(column, clusters, method=method) for column in gaps.T]
    for name, (method, units) in _RESAMPLED.items():
        rng = generator(seed, "intervals", name)
        drawn = questions if units else clusters
        found[name] = stats.cluster_bootstrap_means(gaps, drawn, rng, n_resamples, method=method)
    return found


def intervals(frame: pd.DataFrame, n_resamples: int = N_RESAMPLES, seed: int = SEED) -> pd.DataFrame:
    """Return every comparison's difference with a 95 % interval by each method, the headline's first.

    Where methods disagree, the calibration table says which of them to believe at this size. ``interval`` is the
    method's short name, ``n_clusters`` the units that it takes for independent.

    Raises:
        TablesError: a question has two rows in one arm.
    """
    outcomes, units = outcomes_of(frame), units_of(frame)
    comparisons = declared(outcomes)
    columns, why = {}, []
    for place, comparison in enumerate(comparisons):
        pairs = pairs_of(comparison, outcomes, units)
        why.append(why_not(comparison, pairs))
        # Where nothing is compared, no method has a value to work with.
        differences = stats.question_differences(pairs.first, pairs.second) if not why[-1] else math.nan
        columns[place] = pd.Series(differences, index=pairs.questions, dtype=float)
    gaps = pd.DataFrame(columns, index=units.documents.index, dtype=float)
    labels = (gaps.index.to_numpy(dtype=object), units.clusters.reindex(gaps.index).to_numpy(dtype=object))
    found = _by_method(gaps.to_numpy(), *labels, n_resamples, seed) if comparisons else {}
    rows: list[dict[str, object]] = []
    for place, comparison in enumerate(comparisons):
        keys = dict(zip(("research_question", "contrast", "model", "modality"), comparison, strict=False))
        for name, by_place in found.items():
            interval = by_place[place]
            own = units.text
            if name in _RESAMPLED:
                # Overlapping clusters cannot be drawn: the sources are.
                own = _RESAMPLED[name][1] or (DOCUMENTS if units.text == TWO_WAY else units.text)
            row = {**keys, "interval": name, "difference": known(interval.estimate), "n_pairs": interval.n}
            row |= {"n_clusters": interval.n_clusters, "not_applicable": "", "method": method_of(interval, seed, own)}
            rows.append(row | bounds(interval, own) | ({"not_applicable": why[place]} if why[place] else {}))
    shown = ["research_question", "contrast", "model", "modality", "interval", "difference", "low", "high"]
    return typed(rows, [*shown, "n_pairs", "n_clusters", "not_applicable", "method"])


# --- Five conditions at once, and equivalence -----------------------------------------------------------------------


def cochran(frame: pd.DataFrame, n_resamples: int = N_RESAMPLES, seed: int = SEED) -> pd.DataFrame:
    """Return Cochran's Q test that all conditions asked have the same accuracy, by model and modality.

    It takes the questions judged in every condition (``n_questions``, in ``n_documents``); ``n_missing`` lack one or
    more. ``p`` is from the chi-square distribution and takes questions for independent; ``p_document`` permutes the
    conditions of whole clusters, of whole source documents where clusters overlap.

    Raises:
        TablesError: a question has two rows in one arm.
    """
    outcomes, units = outcomes_of(frame), units_of(frame)
    rows: list[dict[str, object]] = []
    for model, modality in dict.fromkeys(key[:2] for key in outcomes):
        conditions = ordered((key[2] for key in outcomes if key[:2] == (model, modality)), CONDITIONS)
        table = pd.concat([outcomes[model, modality, condition] for condition in conditions], axis=1)
        row: dict[str, object] = {"model": model, "modality": modality, "conditions": ", ".join(conditions)}
        if len(conditions) < 2:
            rows.append(row | {"n_questions": int(table.notna().sum().iloc[0]), "not_applicable": "one condition"})
            continue
        rng = generator(seed, "cochran", model, modality)
        names = units.clusters.reindex(table.index).to_numpy(dtype=object)
        test = stats.cochran_q(table.to_numpy(dtype=float), rng, n_resamples, names)
        row |= {"q": known(test.q), "degrees_of_freedom": test.degrees_of_freedom, "p": known(test.p_value)}
        row |= {"p_document": known(test.permutation_p), "n_questions": test.n}
        complete = table.index[table.notna().all(axis=1)]
        row |= {"n_documents": units.documents.reindex(complete).nunique(), "n_clusters": test.n_clusters}
        row |= {"n_missing": test.n_missing, "not_applicable": test.note if math.isnan(test.p_value) else ""}
        rows.append(row | {"method": f"{test.method}, {test.n_resamples:,} permutations, seed {seed}"})
    columns = ["model", "modality", "conditions", "q", "degrees_of_freedom", "p", "p_document", "n_questions"]
    return typed(rows, [*columns, "n_documents", "n_clusters", "n_missing", "not_applicable", "method"])


def equivalent(frame: pd.DataFrame, margin: float) -> pd.DataFrame:
    """Return whether accuracy among random distractors stays within ``margin`` of the control.

    Two one-sided clustered t tests at 5 % each: where ``low_90`` and ``high_90``, the ends of the 90 % interval, are
    both inside the margin, length alone costs less than the margin. No difference found is not the same as equivalence.

    Args:
        frame: the long frame.
        margin: the largest difference that counts as none, as a share of questions such as 0.05.

    Raises:
        TablesError: the margin is not between 0 and 1.
    """
    if not 0 < margin < 1:
        raise TablesError(f"margin = {margin}: give the largest difference that counts as none, such as 0.05")
    outcomes, units = outcomes_of(frame), units_of(frame)
    rows: list[dict[str, object]] = []
    for comparison in declared(outcomes):
        first, second = (condition_of(arms[0][2]) for arms in (comparison.first, comparison.second))
        if (first.kind, second.kind) != ("none", "random"):
            continue
        pairs = pairs_of(comparison, outcomes, units)
        gaps = stats.question_differences(pairs.first, pairs.second)
        test = stats.equivalence(gaps, pairs.clusters, margin)
        row: dict[str, object] = {"contrast": comparison.contrast, "model": comparison.model}
        row |= {
            "modality": comparison.modality,
            "difference": known(test.difference),
            "low_90": known(test.low),
            "high_90": known(test.high),
        }
        row |= {"margin": margin, "p": known(test.p_value), "equivalent": None if test.reason else test.equivalent}
        judged = ~np.isnan(gaps)
        row |= {"n_pairs": test.n, "n_documents": len(set(pairs.documents[judged])), "n_clusters": test.n_clusters}
        row |= {"method": f"{test.method}, over {pairs.units}"}
        rows.append(row | {"not_applicable": why_not(comparison, pairs) or reason_of(test.reason, pairs.units)})
    columns = [
        "contrast",
        "model",
        "modality",
        "difference",
        "low_90",
        "high_90",
        "margin",
        "p",
        "equivalent",
        "n_pairs",
    ]
    return typed(rows, [*columns, "n_documents", "n_clusters", "not_applicable", "method"])
