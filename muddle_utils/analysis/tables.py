"""The long frame to the paper's tables: functions frame -> tidy frame of unrounded numbers.

What cannot be computed is missing in the frame, with its reason in the column ``not_applicable``: never a zero, a star
or a NaN. ``writers`` lays tables out for reading, rounds and writes them.

The module computes no statistic of its own (see ``stats``) and judges no answer (see ``judging``).
"""

from __future__ import annotations

import math
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np
import pandas as pd

from muddle_utils import stats
from muddle_utils.analysis.frames import (
    DOCUMENTS,
    TWO_WAY,
    arranged,
    as_records,
    clusters_of,
    clusters_text,
    ordered,
    total_size,
)
from muddle_utils.study.paths import Study
from muddle_utils.study.records import (
    CONDITIONS,
    LIMITS,
    MODALITIES,
    Cell,
    Document,
    Exclusion,
    HardNegative,
    Limit,
    Question,
    Rendering,
)
from muddle_utils.study.rows import read_rows

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
# What layouts, figures and claims read of a row and no file holds, since the row says it in a sentence: why there is no
# interval (``not_applicable``), how the second interval was made (``method``), and whether answers came by a route that
# shows the model something else (``remark``).
CARRIED: Final = ("no_interval", "second_method", "other_route")
BESIDE: Final = "; beside it "
GAP_STATUSES: Final = ("refused", "failed", "infeasible", "lost", "not_run")


# --- Accuracy ---------------------------------------------------------------------------------------------------


def generator(seed: int, *label: str) -> np.random.Generator:
    """Return a generator that depends on the seed and on what is resampled, not on the order of the work."""
    return np.random.default_rng([seed, zlib.crc32("|".join(label).encode())] if label else seed)


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


def _accuracy(group: pd.DataFrame, label: Sequence[str], n_resamples: int, seed: int) -> dict[str, object]:
    """Return the accuracy over judged rows with its intervals, or the reason why there is none."""
    judged = group[group["judged"]]
    values = judged["correct"].to_numpy(dtype=float)
    row: dict[str, object] = {
        "accuracy": None,
        "low": None,
        "high": None,
        **_counts(group),
        "n_documents": int(judged["document_id"].nunique()),
        "not_applicable": "",
        "method": "",
    }
    if not len(values):
        row["not_applicable"] = "no judged answer" if group["answered"].any() else "no answered question"
        return row
    labels, units = clusters_of(judged).reindex(judged["question_id"]).to_numpy(dtype=object), clusters_text(judged)
    interval = stats.clustered_proportion(values, labels)
    row |= {"accuracy": interval.estimate, "method": method_of(interval, units=units), **bounds(interval, units)}
    resampled = stats.cluster_bootstrap_mean(values, labels, generator(seed, *label), n_resamples)
    if not resampled.reason:
        row |= {"bootstrap_low": resampled.low, "bootstrap_high": resampled.high}
        row["second_method"] = method_of(resampled, seed, DOCUMENTS if units == TWO_WAY else units)
        row["method"] = f"{row['method']}{BESIDE}{row['second_method']}"
    return row


def method_of(interval: stats.Interval, seed: int | None = None, units: str = "source documents") -> str:
    """Return how an interval was made, with level, units, resamples and the analysis' seed."""
    chance = f", {interval.n_resamples:,} resamples, seed {seed}" if interval.n_resamples else ""
    return f"{100 * interval.level:g} % {interval.method}, over {units}{chance}"


def known(value: float) -> float | None:
    """Return a number as a table holds it: None, which becomes NA, where a statistic is NaN."""
    return None if math.isnan(value) else value


def reason_of(reason: str, units: str = "source documents") -> str:
    """Return why a statistic does not apply in the words of this study, without the part that explains it.

    Args:
        reason: as ``stats`` gives it.
        units: what its clusters are, as ``frames.clusters_text`` returns it.
    """
    return reason.of(units.split(" and ")[0].removesuffix("s")) if isinstance(reason, stats.Reason) else reason


def bounds(interval: stats.Interval, units: str = "source documents") -> dict[str, object]:
    """Return an interval's ends, or the reason why it has none in the words of this study; ``units`` as there."""
    if interval.reason:
        why = reason_of(interval.reason, units)
        return {"not_applicable": f"interval: {why}", "no_interval": why}
    return {"low": interval.low, "high": interval.high}


def single(columns: Sequence[str], reason: str, **values: object) -> pd.DataFrame:
    """Return the table of one row that says why there is no more."""
    texts: dict[str, object] = {str(name): "" for name, kind in typed([], columns).dtypes.items() if kind == "str"}
    return typed([texts | values | {"not_applicable": reason}], columns)


def typed(rows: list[dict[str, object]], columns: Sequence[str]) -> pd.DataFrame:
    """Return rows as a frame whose numbers are nullable, so that a missing one is NA and not NaN.

    A column that holds texts is one of texts, one that holds truth values one of these; all others are numbers, whole
    ones by their names. A missing text is empty.
    """
    frame = pd.DataFrame(rows, columns=list(columns))
    kinds = {name: _kind(name, [row[name] for row in rows if row.get(name) is not None]) for name in frame.columns}
    texts = [name for name, kind in kinds.items() if kind == "str"]
    named = {name: frame[name].astype(object).where(frame[name].notna(), "") for name in texts}
    return frame.assign(**named).astype(kinds)


def _kind(column: str, values: Sequence[object]) -> str:
    if column in TEXT_COLUMNS or (values and all(isinstance(value, str) for value in values)):
        return "str"
    if column in FLAG_COLUMNS or (values and all(isinstance(value, bool | np.bool_) for value in values)):
        return "boolean"
    whole = column in ("n", "k") or column.startswith("n_") or column.endswith(("_only", "_min", "_max"))
    return "Int64" if whole else "Float64"


# What a column is that holds no value.
TEXT_COLUMNS: Final = frozenset(
    "model modality condition distractor_type purpose not_applicable method remark causes research_question contrast "
    "pooling test answerable largest judges coefficient judged_by question_id document_id cell_id question reference "
    "text verdicts accuracy_by_run interval conditions first second tokens_by variation document_type claim "
    "verdict no_interval second_method".split()
)
FLAG_COLUMNS: Final = frozenset({"clamped", "alike", "equivalent", "other_route"})


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

    Accuracy is over judged answers; ``n_asked``, ``n_answered`` and ``n_judged`` stand beside it. The interval takes
    source documents for the units, because questions about one document share its difficulty
    (``stats.clustered_proportion``); beside it stands the percentile bootstrap over documents. ``remark`` says where
    answers came by a route that shows the model something else than the modality does, such as a PDF's text for its
    pages.

    Raises:
        TablesError: a question has two rows in one arm; the message names the first.
    """
    rows = []
    for (model, modality, condition), group in groups(arranged(frame), ARM):
        keys = {"model": model, "modality": modality, "condition": condition}
        label = ("table_1", model, modality, condition)
        remark = _not_comparable(group)
        row = {**keys, **_accuracy(group, label, n_resamples, seed), "remark": remark, "other_route": bool(remark)}
        rows.append(row)
    columns = [*ARM, "accuracy", "low", "high", "bootstrap_low", "bootstrap_high"]
    columns += ["n_asked", "n_answered", "n_judged", "n_documents"]
    return typed(rows, [*columns, "remark", "not_applicable", "method", *CARRIED])


def tokens_of(series: pd.DataFrame) -> tuple[pd.Series[Any], str]:
    """Return the input tokens of one model's rows in one modality, and whose they are: ``reported`` or ``estimated``.

    Reported ones are taken only if every judged answer has them and none has fewer than there can be: that is a usage
    which leaves something out, such as the pictures. Else all are the middle of the bounds of the requests.
    """
    judged = series[series["judged"]]
    whole = judged["tokens_in"].ge(judged["tokens_least"].fillna(0)).fillna(value=False)
    return (series["tokens_in"], "reported") if whole.all() else (series["tokens_estimate"], "estimated")


def tokens_table(frame: pd.DataFrame, accuracy: pd.DataFrame) -> pd.DataFrame:
    """Return accuracy beside how long the contexts were, in tokens, by model, modality and condition.

    Tokens are the input tokens that the provider reports of judged answers (``tokens_by`` ``reported``); where it does
    not report all of a model and modality, or fewer than there can be, the middle of the bounds that the requests were
    planned with (``estimated``), for all of them alike. ``tokens_low`` and ``tokens_high`` are quartiles over the
    judged answers.

    Args:
        frame: the long frame.
        accuracy: its ``table_1``.

    Raises:
        TablesError: a question has two rows in one arm; the message names the first.
    """
    frame = arranged(frame)
    judged = frame[frame["judged"]]
    rows: list[dict[str, object]] = []
    sizes: dict[tuple[str, ...], dict[str, object]] = {}
    for _, series in groups(judged, ["model", "modality"]):
        tokens, tokens_by = tokens_of(series)
        for key, group in groups(series.assign(tokens=tokens), ARM):
            known = group["tokens"].dropna().to_numpy(dtype=float)
            if len(known):
                low, median, high = (float(value) for value in np.quantile(known, [0.25, 0.5, 0.75]))
                sizes[key] = {"tokens_median": median, "tokens_low": low, "tokens_high": high, "tokens_by": tokens_by}
    for row in as_records(accuracy):
        key = (row["model"], row["modality"], row["condition"])
        same = (*ARM, "accuracy", "low", "high", "n_judged", "n_documents", "method", "second_method")
        kept = {name: row[name] for name in same}
        why = row["not_applicable"] or ("" if key in sizes else "no size of the requests is known")
        rows.append(kept | {"tokens_by": ""} | sizes.get(key, {}) | {"not_applicable": why})
    columns = [*ARM, "tokens_median", "tokens_low", "tokens_high", "tokens_by", "accuracy", "low", "high", "n_judged"]
    return typed(rows, [*columns, "n_documents", "not_applicable", "method", "second_method"])


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


def read_table_2(study: Study) -> pd.DataFrame:
    """Return ``table_2`` of a study's answerable questions, from its rows on disk.

    Raises:
        RowsError: a row file is missing or damaged; the message names it.
    """
    return table_2(_answerable_cells(study))


def _answerable_cells(study: Study) -> list[Cell]:
    questions = read_rows(study.rows("questions"), Question)
    answerable = {question.question_id for question in questions if question.answer_format != "None"}
    return [cell for cell in read_rows(study.rows("cells"), Cell) if cell.question_id in answerable]


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
    """Return how often each reason occurs, the most frequent first."""
    return [(step, reason, n) for reason, n in sorted(Counter(reasons).items(), key=lambda pair: (-pair[1], pair[0]))]


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

    Raises:
        TablesError: a question has two rows in one arm; the message names the first.
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
        asked = arranged(frame).drop_duplicates(["cell_id", "modality"])["modality"]
        rows += [("modalities", name, int(asked.eq(name).sum())) for name in ordered(sorted(asked), MODALITIES)]
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
    return table_3(
        _answerable_cells(study),
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

    Raises:
        TablesError: a question has two rows in one arm; the message names the first.
    """
    rows = []
    keys = ["model", "modality", "condition"]
    for key, group in groups(arranged(frame), keys):
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

    Raises:
        TablesError: a question has two rows in one arm; the message names the first.
    """
    rows: list[dict[str, object]] = []
    keys = ["model", "modality", "condition", "answerable"]
    frame = arranged(frame)
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

    Raises:
        TablesError: a question has two rows in one arm; the message names the first.
    """
    rows: list[dict[str, object]] = []
    keys = ["model", "modality", "condition"]
    for key, group in groups(arranged(frame), keys):
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


def infeasible_table(frame: pd.DataFrame) -> pd.DataFrame:
    """Return how many of the cells asked no route can carry, by the limit that they break, and by how much at most.

    ``n_by_images`` to ``n_by_modality`` add up to ``n_infeasible``. ``largest_excess`` is a request's size over its
    limit, of the request that exceeds it most, and ``largest`` says so in words; both are missing for a model that
    takes no such modality. ``n_not_comparable`` of the cells asked would go, or went, by a route that shows the model
    something else, and ``not_comparable_share`` is their share.

    Raises:
        TablesError: a question has two rows in one arm; the message names the first.
    """
    keys = ARM
    causes = {f"n_by_{name}": name for name in LIMITS}
    rows: list[dict[str, object]] = []
    for key, group in groups(arranged(frame), keys):
        broken = group[group["status"].eq("infeasible")]
        limits = [Limit(*row) for row in broken[["limit", "limit_size", "limit_most"]].itertuples(index=False)]
        excess, largest = max(((limit.times, limit.words) for limit in limits), default=(0.0, ""))
        other = int((~group["comparable"]).sum())
        rows.append(
            {
                **dict(zip(keys, key, strict=True)),
                "n_asked": len(group),
                "n_infeasible": len(broken),
                "infeasible_share": len(broken) / len(group),
                **{column: int(broken["limit"].eq(name).sum()) for column, name in causes.items()},
                "largest_excess": excess or None,
                "largest": largest,
                "n_not_comparable": other,
                "not_comparable_share": other / len(group),
            }
        )
    columns = [*keys, "n_asked", "n_infeasible", "infeasible_share", *causes, "largest_excess", "largest"]
    return typed(rows, [*columns, "n_not_comparable", "not_comparable_share"])
