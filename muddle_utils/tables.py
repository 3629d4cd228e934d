"""The long frame to the paper's tables: functions frame -> tidy frame of unrounded numbers.

What cannot be computed is missing in the frame, with its reason in the column ``not_applicable``: never a zero, a star
or a NaN. ``printing`` lays tables out for reading, rounds and writes them.

The module computes no statistic of its own (see ``stats``) and judges no answer (see ``judging``).
"""

from __future__ import annotations

import itertools
import re
import zlib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from muddle_utils import stats
from muddle_utils.frames import TablesError, ordered, places, refuse_duplicates, total_size
from muddle_utils.records import (
    CONDITIONS,
    LIMITS,
    MODALITIES,
    Cell,
    Document,
    Exclusion,
    HardNegative,
    Question,
    Rendering,
)
from muddle_utils.store import read_rows
from muddle_utils.study import Study, project_root

N_RESAMPLES: Final = 10_000
SEED: Final = 42

PURPOSES: Final = {
    "control": "Source-only ceiling",
    "hn-2": "Topical similarity, short context",
    "random-2": "Length-matched baseline for HN-2",
    "hn-4": "Topical similarity, longer context",
    "random-4": "Length-matched baseline for HN-4",
}
ARM: Final = ["model", "modality", "condition"]
GAP_STATUSES: Final = ("refused", "failed", "infeasible", "lost", "not_run")


# --- Accuracy ---------------------------------------------------------------------------------------------------


def generator(seed: int, *label: str) -> np.random.Generator:
    """Return a generator that depends on the seed and on what is resampled, not on the order of the work."""
    return np.random.default_rng([seed, zlib.crc32("|".join(label).encode())] if label else seed)


def _method(n_resamples: int, seed: int) -> str:
    return f"95 % percentile cluster bootstrap over source documents, {n_resamples} resamples, seed {seed}"


def groups(frame: pd.DataFrame, keys: list[str]) -> Iterable[tuple[tuple[str, ...], pd.DataFrame]]:
    """Yield (key values, rows) in the frame's own order."""
    for key, group in frame.groupby(keys, sort=False, dropna=False):
        yield tuple(str(part) for part in key), group


def _counts(group: pd.DataFrame) -> dict[str, int]:
    return {
        "n_asked": len(group),
        "n_answered": int(group["answered"].sum()),
        "n_judged": int(group["judged"].sum()),
    }


def _accuracy(group: pd.DataFrame, rng: np.random.Generator, n_resamples: int) -> dict[str, object]:
    """Return the accuracy over judged rows with its interval, or the reason why there is none."""
    judged = group[group["judged"]]
    values = judged["correct"].to_numpy(dtype=float)
    row: dict[str, object] = {
        "accuracy": None,
        "low": None,
        "high": None,
        **_counts(group),
        "n_documents": int(judged["document_id"].nunique()),
        "not_applicable": "",
    }
    if not len(values):
        row["not_applicable"] = "no judged answer" if group["answered"].any() else "no answered question"
        return row
    row["accuracy"] = float(values.mean())
    if values.min() == values.max():
        row["not_applicable"] = f"interval: every judged answer is {'right' if values[0] else 'wrong'}"
    else:
        interval = stats.cluster_bootstrap_mean(values, judged["document_id"].to_numpy(dtype=object), rng, n_resamples)
        row |= _bounds(interval)
    return row


def _bounds(interval: stats.Interval) -> dict[str, object]:
    """Return an interval's ends, or the reason why it has none in the words of this study."""
    if interval.reason:
        reason = interval.reason.split(":")[0].replace("cluster", "source document")
        return {"not_applicable": f"interval: {reason}"}
    return {"low": interval.low, "high": interval.high}


def typed(rows: list[dict[str, object]], columns: Sequence[str]) -> pd.DataFrame:
    """Return rows as a frame whose numbers are nullable, so that a missing one is NA and not NaN."""
    frame = pd.DataFrame(rows, columns=list(columns))
    return frame.astype({name: _kind(name) for name in frame.columns})


def _kind(column: str) -> str:
    if column in TEXT_COLUMNS:
        return "str"
    if column in FLAG_COLUMNS:
        return "boolean"
    whole = column == "n" or column.startswith(("n_", "k")) or column.endswith(("_only", "_min", "_max"))
    return "Int64" if whole else "Float64"


TEXT_COLUMNS: Final = frozenset(
    "model modality condition distractor_type purpose not_applicable method remark causes research_question contrast "
    "pooling test answerable largest judges coefficient judged_by question_id document_id cell_id question reference "
    "text verdicts accuracy_by_run".split()
)
FLAG_COLUMNS: Final = frozenset({"clamped"})


def _not_comparable(group: pd.DataFrame) -> str:
    """Return how many judged answers came by a route that shows the model something else, empty if none did."""
    other = group[group["judged"] & ~group["comparable"]]
    if other.empty:
        return ""
    routes = ", ".join(ordered(other["route"], ()))
    judged = int(group["judged"].sum())
    return f"not comparable: {len(other)} of {judged} judged answers by {routes}, which shows the model something else"


def table_1(frame: pd.DataFrame, n_resamples: int = N_RESAMPLES, seed: int = SEED) -> pd.DataFrame:
    """Return judge accuracy by model, modality and condition (paper, Table 1), with counts and interval.

    Accuracy is over judged answers; ``n_asked``, ``n_answered`` and ``n_judged`` stand beside it. The interval
    resamples source documents, because questions about one document share its difficulty. ``remark`` says where answers
    came by a route that shows the model something else than the modality does, such as a PDF's text for its pages.
    """
    rows = []
    for (model, modality, condition), group in groups(frame, ARM):
        rng = generator(seed, "table_1", model, modality, condition)
        keys = {"model": model, "modality": modality, "condition": condition}
        notes = {"remark": _not_comparable(group), "method": _method(n_resamples, seed)}
        rows.append({**keys, **_accuracy(group, rng, n_resamples), **notes})
    columns = [*"model modality condition accuracy low high n_asked n_answered n_judged n_documents".split()]
    return typed(rows, [*columns, "remark", "not_applicable", "method"])


def _published_file(name: str) -> Path:
    path = project_root() / "data" / "published" / name
    if not path.is_file():
        raise TablesError(f"{path} is missing: run from a checkout of the repository, which holds it")
    return path


def published_table_1() -> pd.DataFrame:
    """Return Table 1 as the paper prints it, one row for each model, modality and condition that has a value."""
    wide = pd.read_csv(_published_file("table_1_judge_accuracy.csv"), keep_default_na=False, na_values=[""])
    tidy = wide.melt(["model", "condition"], list(MODALITIES), "modality", "published").dropna(subset="published")
    return tidy[["model", "modality", "condition", "published"]].reset_index(drop=True)


def _bare(model: str) -> str:
    """Return a model's name without the provider's prefix: ``azure/gpt-5-mini`` is the paper's ``gpt-5-mini``."""
    return model.rsplit("/", 1)[-1]


def published_statement(models: Iterable[str]) -> str:
    """Return a plain sentence on which of the study's models are the paper's, and what the others may show."""
    published = set(published_table_1()["model"])
    models = list(dict.fromkeys(models))
    foreign = [model for model in models if _bare(model) not in published]
    shared = [model for model in models if _bare(model) in published]
    sentences = []
    if shared:
        sentences.append(f"{', '.join(shared)} {_is(shared)} in the paper; its values stand beside this study's.")
    if foreign:
        sentences.append(
            f"{', '.join(foreign)} {_is(foreign)} not one of the paper's models: the published values are printed for "
            "orientation, and agreement or disagreement with them means nothing."
        )
    if "local/reader" in foreign:
        sentences.append(
            "local/reader is a lexical reader for running the pipeline; it supports no finding about language models."
        )
    return " ".join(sentences)


def _is(names: Sequence[str]) -> str:
    return "is" if len(names) == 1 else "are each"


def compare_published(table: pd.DataFrame) -> pd.DataFrame:
    """Return ``table_1`` beside the paper's Table 1.

    A model of the study that the paper ran has both values and their difference (measured minus published). Every
    other row has one of them and says so in ``remark``, which keeps that of ``table_1``.
    """
    keys = ["model", "modality", "condition"]
    published = published_table_1()
    measured = table.assign(study_model=table["model"], model=table["model"].map(_bare))
    refuse_duplicates(measured, keys, "rows of table_1 (one model by two routes?)")
    both = measured.merge(published, on=keys, how="outer", validate="1:1")
    own = both["study_model"].notna()
    ours = both["model"].isin(set(published["model"]))
    remark = pd.Series("", index=both.index, dtype="str")
    remark = remark.mask(~own, "published only: not run in this study")
    remark = remark.mask(own & ~ours, "not one of the paper's models")
    remark = remark.mask(own & ours & both["published"].isna(), "not run in the paper")
    shown = both["remark"].fillna("")
    remark = remark + np.where(remark.ne("") & shown.ne(""), "; ", "") + shown
    both = both.assign(
        model=both["study_model"].fillna(both["model"]),
        measured=both["accuracy"],
        difference=both["accuracy"] - both["published"],
        remark=remark,
        not_applicable=both["not_applicable"].fillna(""),
        method=both["method"].fillna(""),
    )
    order = pd.DataFrame(
        {
            "own": ~own,
            "model": places(both["model"], [*table["model"], *published["model"]]),
            "modality": places(both["modality"], MODALITIES),
            "condition": places(both["condition"], CONDITIONS),
        }
    ).sort_values(["own", "model", "modality", "condition"], kind="stable")
    columns = [*keys, "published", "measured", "low", "high", "difference", "n_judged", "n_documents", "remark"]
    chosen = both.loc[order.index, [*columns, "not_applicable", "method"]].reset_index(drop=True)
    return chosen.astype({name: "Float64" for name in ("published", "measured", "low", "high", "difference")})


# --- Cells and documents ----------------------------------------------------------------------------------------


def _by_condition(cells: Sequence[Cell]) -> dict[str, list[Cell]]:
    found = ordered((cell.condition for cell in cells), CONDITIONS)
    return {condition: [cell for cell in cells if cell.condition == condition] for condition in found}


def table_2(cells: Sequence[Cell]) -> pd.DataFrame:
    """Return the context conditions (paper, Table 2) with this study's counts of cells and questions."""
    rows: list[dict[str, object]] = [
        {
            "condition": condition,
            "distractor_type": group[0].distractor_type.replace("_", " "),
            "k": group[0].k,
            "purpose": PURPOSES.get(condition, "Extension of the paper"),
            "n_cells": len(group),
            "n_questions": len({cell.question_id for cell in group}),
        }
        for condition, group in _by_condition(cells).items()
    ]
    return typed(rows, ["condition", "distractor_type", "k", "purpose", "n_cells", "n_questions"])


def _median(values: Sequence[int]) -> float | None:
    return float(np.median(values)) if values else None


def _page_range(role: str, document_ids: Iterable[str], pages: Mapping[str, int]) -> dict[str, object]:
    values = [pages[name] for name in sorted(set(document_ids))]
    return {
        f"{role}_pages_min": min(values, default=None),
        f"{role}_pages_max": max(values, default=None),
        f"{role}_pages_median": _median(values),
    }


def table_3(cells: Sequence[Cell], documents: Sequence[Document], renderings: Sequence[Rendering]) -> pd.DataFrame:
    """Return cell sizes by condition (paper, Table 3): medians over cells, page ranges over distinct documents.

    ``renderings`` are the markdown rows. A cell with an unrendered document has no size in characters; it is counted
    in ``n_unrendered`` and not in the median.
    """
    pages = {document.document_id: document.n_pages for document in documents}
    chars = {row.document_id: row.n_chars for row in renderings if row.status == "rendered"}
    rows: list[dict[str, object]] = []
    for condition, group in _by_condition(cells).items():
        sizes = [size for cell in group if (size := total_size(cell.document_ids, chars)) is not None]
        sources = [cell.document_ids[cell.source_position] for cell in group]
        distractors = [
            name for cell in group for place, name in enumerate(cell.document_ids) if place != cell.source_position
        ]
        rows.append(
            {
                "condition": condition,
                "n_cells": len(group),
                "n_unrendered": len(group) - len(sizes),
                "markdown_chars_median": _median(sizes),
                "pages_median": _median([sum(pages[name] for name in cell.document_ids) for cell in group]),
                **_page_range("source", sources, pages),
                **_page_range("distractor", distractors, pages),
            }
        )
    ranges = [f"{role}_pages_{what}" for role in ("source", "distractor") for what in ("min", "max", "median")]
    return typed(rows, ["condition", "n_cells", "n_unrendered", "markdown_chars_median", "pages_median", *ranges])


def _by_reason(step: str, reasons: Iterable[str]) -> list[tuple[str, str, int]]:
    """Return how often each reason occurs, the part after a colon (the value) left out."""
    counts = Counter(reason.split(":")[0] for reason in reasons)
    return [(step, reason, n) for reason, n in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))]


def construction_counts(
    questions: Sequence[Question],
    hard_negatives: Sequence[HardNegative],
    exclusions: Sequence[Exclusion],
    cells: Sequence[Cell],
    frame: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """Return the counts of Figure 1 (paper, section 3) as rows (step, item, n).

    Questions kept and their source documents; exclusions by kind and reason; candidates, and those not used by
    reason; hard negatives in use, and the pool that random distractors come from (the distinct hard negatives of all
    sources, paper section 3.5); cells by condition; with a long frame also cells asked by modality.
    """
    used = [row for row in hard_negatives if row.position > 0]
    unanswerable = sum(question.answer_format == "None" for question in questions)
    rows = [
        ("questions", "kept", len(questions)),
        ("questions", "of them unanswerable", unanswerable),
        ("questions", "source documents", len({question.document_id for question in questions})),
    ]
    for kind in sorted({exclusion.kind for exclusion in exclusions}):
        rows += _by_reason(f"{kind} excluded", (row.reason for row in exclusions if row.kind == kind))
    rows.append(("candidates", "ranked", len(hard_negatives)))
    unused = (row.reason or "not needed" for row in hard_negatives if row.position == 0)
    rows += _by_reason("candidate not used", unused)
    rows.append(("hard negatives", "in use", len(used)))
    rows.append(("random pool", "documents", len({row.candidate_id for row in used})))
    rows += [("cells", condition, len(group)) for condition, group in _by_condition(cells).items()]
    if frame is not None:
        asked = frame.drop_duplicates(["cell_id", "modality"])
        rows += [("modalities", name, int(asked["modality"].eq(name).sum())) for name in asked["modality"].unique()]
    return pd.DataFrame(rows, columns=["step", "item", "n"]).astype({"step": "str", "item": "str", "n": "Int64"})


def read_construction_counts(study: Study, frame: pd.DataFrame | None = None) -> pd.DataFrame:
    """Return ``construction_counts`` of a study's rows on disk.

    Raises:
        RowsError: a row file is missing or damaged; the message names it.
    """
    return construction_counts(
        read_rows(study.rows("questions"), Question),
        read_rows(study.rows("hard_negatives"), HardNegative),
        read_rows(study.rows("exclusions"), Exclusion),
        read_rows(study.rows("cells"), Cell),
        frame,
    )


def read_table_3(study: Study) -> pd.DataFrame:
    """Return ``table_3`` of a study's answerable questions, from its rows on disk.

    Without a markdown rendering no cell has a size in characters.

    Raises:
        RowsError: a row file is missing or damaged; the message names it.
    """
    markdown = study.rows("renderings_markdown")
    questions = read_rows(study.rows("questions"), Question)
    answerable = {question.question_id for question in questions if question.answer_format != "None"}
    return table_3(
        [cell for cell in read_rows(study.rows("cells"), Cell) if cell.question_id in answerable],
        read_rows(study.rows("documents"), Document),
        read_rows(markdown, Rendering) if markdown.exists() else [],
    )


# --- Metrics and gaps -------------------------------------------------------------------------------------------


def _mean(values: pd.Series[Any]) -> float | None:
    known = values.dropna()
    return float(known.mean()) if len(known) else None


def table_4(frame: pd.DataFrame) -> pd.DataFrame:
    """Return judge accuracy, F1 and EM (paper, Table 4), mean response length and abstention rate.

    Judge accuracy is over ``n_judged`` answers; F1, EM and the abstention rate over ``n_scored``, the answers that
    have a verdict row, because they need no judge; the response length, in characters, over ``n_answered``.
    """
    rows = []
    keys = ["model", "modality", "condition"]
    for key, group in groups(frame, keys):
        answered = group[group["answered"]]
        row: dict[str, object] = {
            **dict(zip(keys, key, strict=True)),
            "judge": _mean(answered["correct"]),
            "f1": _mean(answered["f1"]),
            "em": _mean(answered["exact_match"]),
            "abstention_rate": _mean(answered["abstained"]),
            "response_chars_mean": _mean(answered["n_response_chars"]),
            **_counts(group),
            "n_scored": int(answered["f1"].notna().sum()),
        }
        row["not_applicable"] = "" if row["n_judged"] else "no judged answer"
        rows.append(row)
    metrics = ["judge", "f1", "em", "abstention_rate", "response_chars_mean"]
    return typed(rows, [*keys, *metrics, "n_asked", "n_answered", "n_judged", "n_scored", "not_applicable"])


def abstention(frame: pd.DataFrame) -> pd.DataFrame:
    """Return how often answers decline to answer, apart for questions that the source answers and that none does.

    Declining is wrong on the first and right on the second, so the two never share a denominator (``n_scored``:
    answers with a verdict row).
    """
    rows: list[dict[str, object]] = []
    keys = ["model", "modality", "condition", "answerable"]
    answerable = frame["answer_format"].ne("None").map({True: "yes", False: "no"})
    for key, group in groups(frame.assign(answerable=answerable), keys):
        known = group.loc[group["answered"], "abstained"].dropna()
        row: dict[str, object] = {**dict(zip(keys, key, strict=True)), "n_scored": len(known)}
        row |= {"n_abstained": int(known.sum()), "abstention_rate": _mean(known)}
        row["not_applicable"] = "" if len(known) else "no scored answer"
        rows.append(row)
    return typed(rows, [*keys, "n_scored", "n_abstained", "abstention_rate", "not_applicable"])


def coverage(frame: pd.DataFrame) -> pd.DataFrame:
    """Return asked, answered, judged and every gap by cause, and the accuracy that the gaps could hide.

    ``lowest`` counts every gap as wrong, ``highest`` as right; a table whose bounds differ says nothing finer than
    they do unless the gaps fall at random.
    """
    rows: list[dict[str, object]] = []
    keys = ["model", "modality", "condition"]
    for key, group in groups(frame, keys):
        counts = _counts(group)
        right = int(group["correct"].fillna(value=False).sum())
        gaps = counts["n_asked"] - counts["n_judged"]
        causes = group.loc[~group["judged"], "cause"].value_counts().sort_index(kind="stable")
        rows.append(
            {
                **dict(zip(keys, key, strict=True)),
                **counts,
                "n_unjudged": counts["n_answered"] - counts["n_judged"],
                **{f"n_{status}": int(group["status"].eq(status).sum()) for status in GAP_STATUSES},
                "causes": ", ".join(f"{cause} {n}" for cause, n in causes.items()),
                "accuracy": right / counts["n_judged"] if counts["n_judged"] else None,
                "lowest": right / counts["n_asked"],
                "highest": (right + gaps) / counts["n_asked"],
                "not_applicable": "" if counts["n_judged"] else "no judged answer",
            }
        )
    columns = [*keys, "n_asked", "n_answered", "n_judged", "n_unjudged", *(f"n_{status}" for status in GAP_STATUSES)]
    return typed(rows, [*columns, "causes", "accuracy", "lowest", "highest", "not_applicable"])


# --- Infeasible requests ----------------------------------------------------------------------------------------


_BROKEN: Final = re.compile(r"([\d,]+) (?:images|pdf pages|bytes|tokens), [\d,]+ over ([\d,]+) \([\d.]+ times\)")


def _excess(reason: str) -> tuple[float, str]:
    """Return by what factor a request is over its limit, and that in words; 0 and no words if it is no matter of size.

    ``reason`` says it for every route in turn; the limit that is counted is that of the last.
    """
    found = list(_BROKEN.finditer(reason))
    if not found:
        return 0.0, ""
    size, most = (int(number.replace(",", "")) for number in found[-1].groups())
    return size / most, found[-1][0]


def infeasible_table(frame: pd.DataFrame) -> pd.DataFrame:
    """Return how many of the cells asked no route can carry, by the limit that they break, and by how much at most.

    ``n_by_images`` to ``n_by_modality`` add up to ``n_infeasible``. ``largest_excess`` is a request's size over its
    limit, of the request that exceeds it most, and ``largest`` says so in words; both are missing for a model that
    takes no such modality. ``n_not_comparable`` of the cells asked would go, or went, by a route that shows the model
    something else, and ``not_comparable_share`` is their share.
    """
    keys = ARM
    causes = {f"n_by_{limit}": f"{limit.replace('_', ' ')} limit" for limit in LIMITS}
    rows: list[dict[str, object]] = []
    for key, group in groups(frame, keys):
        broken = group[group["status"].eq("infeasible")]
        excess, largest = max((_excess(reason) for reason in broken["reason"]), default=(0.0, ""))
        other = int((~group["comparable"]).sum())
        rows.append(
            {
                **dict(zip(keys, key, strict=True)),
                "n_asked": len(group),
                "n_infeasible": len(broken),
                "infeasible_share": len(broken) / len(group),
                **{column: int(broken["cause"].eq(cause).sum()) for column, cause in causes.items()},
                "largest_excess": excess or None,
                "largest": largest,
                "n_not_comparable": other,
                "not_comparable_share": other / len(group),
            }
        )
    columns = [*keys, "n_asked", "n_infeasible", "infeasible_share", *causes, "largest_excess", "largest"]
    return typed(rows, [*columns, "n_not_comparable", "not_comparable_share"])


def published_payloads() -> str:
    """Return a sentence on the share of requests that are too large in the paper, to stand beside this study's.

    Raises:
        TablesError: the file of published statements is missing or lacks this one.
    """
    statements = pd.read_csv(_published_file("statements.csv"), keep_default_na=False)
    found = statements[statements["quantity"].eq("share of all cells whose payload exceeds 15 MB")]
    if len(found) != 1:
        raise TablesError("data/published/statements.csv lacks the share of cells over 15 MB: restore the file")
    share, note = float(found["value"].iloc[0]), found["note"].iloc[0]
    return f"In the paper {100 * share:.1f} % of all cells were over 15 MB ({note})."


# --- Paired differences -----------------------------------------------------------------------------------------


Outcomes = Mapping[tuple[str, str, str], "pd.Series[Any]"]


class Comparison(NamedTuple):
    """One declared comparison: the arms to subtract, one pair of (model, modality, condition) for each k."""

    research_question: str
    contrast: str
    model: str
    modality: str
    first: tuple[tuple[str, str, str], ...]
    second: tuple[tuple[str, str, str], ...]


# First arm minus second, so that a positive difference always says the second arm is worse (paper, section 5).
CONTRASTS: Final[tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...]] = (
    ("RQ1", ("random-2",), ("hn-2",)),
    ("RQ1", ("random-4",), ("hn-4",)),
    ("RQ1", ("random-2", "random-4"), ("hn-2", "hn-4")),
    ("RQ2", ("control",), ("random-2",)),
    ("RQ2", ("random-2",), ("random-4",)),
    ("RQ2", ("control",), ("random-4",)),
    ("RQ2", ("control",), ("hn-2",)),
    ("RQ2", ("hn-2",), ("hn-4",)),
    ("RQ2", ("control",), ("hn-4",)),
)


def _comparisons(asked: Iterable[tuple[str, str, str]]) -> list[Comparison]:
    """Return every comparison of CONTRASTS, and of control by modality (RQ3), whose arms were both asked."""
    keys = list(dict.fromkeys(asked))
    found = []
    for model, modality in dict.fromkeys(key[:2] for key in keys):
        for question, first, second in CONTRASTS:
            arms = [tuple((model, modality, condition) for condition in side) for side in (first, second)]
            if not all(key in keys for key in (*arms[0], *arms[1])):
                continue
            names = (first[0], second[0])
            if len(first) > 1:
                names = (first[0].rsplit("-", 1)[0], second[0].rsplit("-", 1)[0])
            ks = " and ".join(condition.rsplit("-", 1)[1] for condition in first) if len(first) > 1 else ""
            pooled = f", pooled over k = {ks}" if ks else ""
            found.append(Comparison(question, " − ".join(names) + pooled, model, modality, arms[0], arms[1]))
    for model in dict.fromkeys(key[0] for key in keys):
        controls = [name for name in MODALITIES if (model, name, "control") in keys]
        for left, right in itertools.combinations(controls, 2):
            ends = [((model, name, "control"),) for name in (left, right)]
            label = f"control: {left} − {right}"
            found.append(Comparison("RQ3", label, model, f"{left}, {right}", ends[0], ends[1]))
    return sorted(found, key=lambda comparison: comparison.research_question)


class _Pairs(NamedTuple):
    """The outcomes of both arms, shape (questions, k values), NaN where not judged; and each question's document."""

    first: NDArray[np.float64]
    second: NDArray[np.float64]
    documents: NDArray[np.object_]


def _pairs(comparison: Comparison, outcomes: Outcomes, document_of: pd.Series[Any]) -> _Pairs:
    both = [
        outcomes[left].index.intersection(outcomes[right].index, sort=False)
        for left, right in zip(comparison.first, comparison.second, strict=True)
    ]
    questions = list(dict.fromkeys(name for index in both for name in index))
    sides = [
        np.column_stack([outcomes[key].reindex(questions).to_numpy(dtype=float) for key in side])
        for side in (comparison.first, comparison.second)
    ]
    return _Pairs(sides[0], sides[1], document_of.reindex(questions).to_numpy(dtype=object))


def _test(pairs: _Pairs, pooling: str) -> dict[str, object]:
    """Return counts and the p-value of one comparison: McNemar on pairs, or sign-flip with each question once."""
    test = stats.exact_mcnemar(pairs.first.ravel(), pairs.second.ravel())
    row: dict[str, object] = {
        "n_pairs": test.n,
        "n_missing": test.n_missing,
        "a_only": test.only_a,
        "b_only": test.only_b,
    }
    row |= {"p": test.p_value, "test": test.method}
    if pooling == "pairs":
        row["test"] = f"{test.method}, each (question, k) a pair"
    if pooling == "question":
        pooled = stats.pooled_question(pairs.first, pairs.second)
        flip = pooled.sign_flip
        row |= {
            "n_pairs": flip.n,
            "n_missing": flip.n_missing,
            "p": flip.p_value,
            "test": f"{flip.method}, each question once",
        }
    if not test.only_a + test.only_b:
        row["p"] = None
    return row


def _compared(comparison: Comparison, pairs: _Pairs, pooling: str, n_resamples: int, seed: int) -> dict[str, object]:
    row: dict[str, object] = {
        "research_question": comparison.research_question,
        "contrast": comparison.contrast + (", each pair once" if pooling == "pairs" else ""),
        "pooling": pooling,
        "model": comparison.model,
        "modality": comparison.modality,
        "not_applicable": "",
        "method": _method(n_resamples, seed),
        **_test(pairs, pooling),
    }
    first, second, documents = pairs
    if pooling == "pairs":
        first, second, documents = first.reshape(-1, 1), second.reshape(-1, 1), np.repeat(documents, first.shape[1])
    known = ~np.isnan(first - second)
    row["n_documents"] = len(set(documents[known.any(axis=1)]))
    if not row["n_pairs"]:
        return row | {"p": None, "not_applicable": "no question was answered and judged in both arms"}
    gaps = stats.question_differences(first, second)
    row |= {"mean_a": float(first[known].mean()), "mean_b": float(second[known].mean())}
    rng = generator(seed, comparison.contrast, comparison.model, comparison.modality, pooling)
    interval = stats.cluster_bootstrap_mean(gaps, documents, rng, n_resamples)
    row["difference"] = interval.estimate
    if row["p"] is None:
        row["not_applicable"] = "no discordant pairs"
    else:
        row |= _bounds(interval)
    return row


def _other_arms(comparison: Comparison, other: Collection[tuple[str, str, str]]) -> str:
    """Return which arms of a comparison are among ``other``, those that show the model something else."""
    arms = [f"{arm[1]} {arm[2]}" for arm in dict.fromkeys((*comparison.first, *comparison.second)) if arm in other]
    return f"not comparable: {', '.join(arms)}, where a route shows the model something else" if arms else ""


def _with_holm(rows: list[dict[str, object]]) -> list[dict[str, object]]:
    """Add Holm's adjustment within each research question, over all its models and modalities."""
    for question in dict.fromkeys(row["research_question"] for row in rows):
        family = [row for row in rows if row["research_question"] == question and row["pooling"] != "pairs"]
        adjusted = stats.holm([float("nan") if row["p"] is None else float(str(row["p"])) for row in family])
        for row, p_holm in zip(family, adjusted.adjusted, strict=True):
            row |= {"p_holm": None if np.isnan(p_holm) else p_holm, "n_family": adjusted.family_size}
    return rows


def paired(frame: pd.DataFrame, n_resamples: int = N_RESAMPLES, seed: int = SEED) -> pd.DataFrame:
    """Return the paired differences of RQ1 (topic), RQ2 (length) and RQ3 (modality), by model (RQ4).

    Each row is the mean per-question difference, first arm minus second, over the ``n_pairs`` questions answered and
    judged in both (paper, section 4.4); ``n_missing`` were asked in both and lack one. The interval resamples source
    documents; ``p`` is the exact two-sided McNemar test of the ``a_only`` and ``b_only`` discordant pairs. RQ1 pooled
    over k counts each question once (exact sign-flip test of its mean gap); beside it stands the paper's way, each
    (question, k) a pair, which takes them for independent.

    The declared family of Holm's adjustment is all the comparisons of one research question, over models and
    modalities, those that came out not applicable included; ``n_family`` is its size. The pooled row that counts pairs
    repeats another row's question and is outside the family. A comparison is listed only if both its arms were asked.
    ``remark`` names the arms that hold answers by a route that shows the model something else.
    """
    judged = frame["correct"].where(frame["judged"]).astype("Float64")
    keyed = frame.assign(outcome=judged.to_numpy(dtype=float, na_value=np.nan))
    other = set(zip(*(frame.loc[frame["judged"] & ~frame["comparable"], name] for name in ARM), strict=True))
    outcomes = {
        (str(key[0]), str(key[1]), str(key[2])): pd.Series(group["outcome"].to_numpy(), index=group["question_id"])
        for key, group in keyed.groupby(ARM, sort=False)
    }
    documents = frame.drop_duplicates("question_id").set_index("question_id")["document_id"]
    rows = []
    for comparison in _comparisons(outcomes):
        pairs = _pairs(comparison, outcomes, documents)
        for pooling in ("question", "pairs") if len(comparison.first) > 1 else ("",):
            row = _compared(comparison, pairs, pooling, n_resamples, seed)
            rows.append(row | {"remark": _other_arms(comparison, other)})
    columns = ["research_question", "contrast", "pooling", "model", "modality", "mean_a", "mean_b", "difference"]
    columns += ["low", "high", "n_pairs", "n_documents", "n_missing", "a_only", "b_only", "test", "p", "p_holm"]
    return typed(_with_holm(rows), [*columns, "n_family", "remark", "not_applicable", "method"])


def by_model(table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of ``paired`` that answer RQ4: each model's pooled topical gap and its drop to HN-4.

    RQ4 adds no test: p-values and families are those of RQ1 and RQ2.
    """
    chosen = table["pooling"].eq("question") | table["contrast"].eq("control − hn-4")
    return table[chosen].assign(research_question="RQ4").reset_index(drop=True)
