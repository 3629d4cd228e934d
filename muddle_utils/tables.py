"""Rows to one long frame, and the long frame to the paper's tables.

``long_frame`` has one row for every (cell, model, modality) that the study asks, answered or not, so that a gap is a
row with a reason and never a smaller denominator. Every table is a function frame -> tidy frame of unrounded numbers;
``print_*`` lays such a frame out for reading and ``save_table`` is the only place that rounds and writes. What cannot
be computed is missing in the frame, with its reason in the column ``not_applicable``: never a zero, a star or a NaN.

The module computes no statistic of its own (see ``stats``) and judges no answer (see ``judging``).
"""

from __future__ import annotations

import hashlib
import itertools
import json
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from muddle_utils import stats
from muddle_utils.records import (
    CONDITIONS,
    MODALITIES,
    Cell,
    Document,
    Exclusion,
    HardNegative,
    Question,
    Rendering,
    Request,
    Response,
    Verdict,
)
from muddle_utils.store import Store, read_rows, write_atomically
from muddle_utils.study import Study, project_root, slug

N_RESAMPLES: Final = 10_000
SEED: Final = 42

KEYS: Final = ["cell_id", "model", "modality"]
FRAME_TYPES: Final[dict[str, str]] = {
    "question_id": "str",
    "cell_id": "str",
    "condition": "str",
    "k": "int64",
    "distractor_type": "str",
    "model": "str",
    "modality": "str",
    "document_id": "str",
    "document_type": "str",
    "answer_format": "str",
    "skill": "str",
    "question": "str",
    "reference": "str",
    "n_pages": "Int64",
    "n_chars": "Int64",
    "status": "str",
    "cause": "str",
    "reason": "str",
    "text": "str",
    "finish_reason": "str",
    "answered": "bool",
    "judged": "bool",
    "correct": "boolean",
    "score": "Float64",
    "exact_match": "Float64",
    "f1": "Float64",
    "abstained": "boolean",
    "judge": "str",
    "reasoning": "str",
    "confidence": "Float64",
    "read_from": "str",
    "tokens_in": "Int64",
    "cost": "Float64",
    "n_response_chars": "Int64",
    "fingerprint": "str",
}

PURPOSES: Final = {
    "control": "Source-only ceiling",
    "hn-2": "Topical similarity, short context",
    "random-2": "Length-matched baseline for HN-2",
    "hn-4": "Topical similarity, longer context",
    "random-4": "Length-matched baseline for HN-4",
}
GAP_STATUSES: Final = ("refused", "failed", "infeasible", "lost", "not_run")
CONDITION_NAMES: Final = {
    "control": "Control",
    "hn-2": "HN-2",
    "random-2": "Random-2",
    "hn-4": "HN-4",
    "random-4": "Random-4",
}
MODALITY_NAMES: Final = {"markdown": "Markdown", "image": "Image", "pdf": "PDF"}


class TablesError(ValueError):
    """Rows that cannot make a table; the message names them and the mend."""


def as_records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return a frame's rows as mappings from column to value."""
    return [{str(name): value for name, value in row.items()} for row in frame.to_dict("records")]


def _named(row: Mapping[Any, Any]) -> str:
    return ", ".join(f"{key} = {row[key]!r}" for key in KEYS)


def _refuse_duplicates(frame: pd.DataFrame, keys: list[str], what: str) -> None:
    repeated = frame[frame.duplicated(keys, keep=False)]
    if len(repeated):
        first = ", ".join(f"{key} = {repeated.iloc[0][key]!r}" for key in keys)
        raise TablesError(f"{len(repeated)} {what} share a key, the first being {first}: pass one row a key")


def _join(left: pd.DataFrame, right: pd.DataFrame, on: list[str], validate: str) -> pd.DataFrame:
    """Return ``left`` with the columns of ``right``; every row of ``left`` stays, once."""
    joined = left.merge(right, on=on, how="left", validate=validate)  # type: ignore[arg-type]
    assert len(joined) == len(left), f"a merge on {on} changed {len(left)} rows into {len(joined)}"
    return joined


# --- The long frame ---------------------------------------------------------------------------------------------


def _total(document_ids: Sequence[str], sizes: Mapping[str, int]) -> int | None:
    """Return the summed size of a cell's documents, None where one of them has no size."""
    return sum(sizes[name] for name in document_ids) if all(name in sizes for name in document_ids) else None


def _cells_frame(cells: Sequence[Cell], documents: Sequence[Document], markdown: Sequence[Rendering]) -> pd.DataFrame:
    pages = {document.document_id: document.n_pages for document in documents}
    chars = {row.document_id: row.n_chars for row in markdown if row.status == "rendered"}
    rows = [
        {
            "cell_id": cell.cell_id,
            "question_id": cell.question_id,
            "condition": cell.condition,
            "k": cell.k,
            "distractor_type": cell.distractor_type,
            "n_pages": _total(cell.document_ids, pages),
            "markdown_chars": _total(cell.document_ids, chars),
        }
        for cell in cells
    ]
    columns = ["cell_id", "question_id", "condition", "k", "distractor_type", "n_pages", "markdown_chars"]
    frame = pd.DataFrame(rows, columns=columns).astype({"n_pages": "Int64", "markdown_chars": "Int64"})
    _refuse_duplicates(frame, ["cell_id"], "cells")
    return frame


def _questions_frame(questions: Sequence[Question]) -> pd.DataFrame:
    columns = ["question_id", "document_id", "document_type", "answer_format", "skill", "question", "reference"]
    rows = [
        (q.question_id, q.document_id, q.document_type, q.answer_format, q.skill, q.question, q.answer)
        for q in questions
    ]
    frame = pd.DataFrame(rows, columns=columns)
    _refuse_duplicates(frame, ["question_id"], "questions")
    return frame


def _asked_frame(
    asked: Iterable[Request | Response], lost: Mapping[str, Sequence[Exclusion]], replicate: int
) -> pd.DataFrame:
    """Return one row for each cell asked of a model in a modality, and for each that rendering or curation lost."""
    columns = [*KEYS, "fingerprint", "lost_reason", "lost_detail"]
    rows = [
        (row.cell_id, row.model, row.modality, row.fingerprint, "", "") for row in asked if row.replicate == replicate
    ]
    everyone = list(dict.fromkeys(row[1] for row in rows))
    for modality, exclusions in lost.items():
        # A modality that lost all its cells has no request left to name its models: then every model was meant.
        models = list(dict.fromkeys(row[1] for row in rows if row[2] == modality)) or everyone
        rows += [
            (cell.identifier, model, modality, "", cell.reason or "lost", cell.detail or cell.reason)
            for model in models
            for cell in exclusions
        ]
    frame = pd.DataFrame(rows, columns=columns)
    _refuse_duplicates(frame, KEYS, "asked or lost cells")
    return frame


def _responses_frame(responses: Sequence[Response], replicate: int) -> pd.DataFrame:
    columns = [
        *KEYS,
        "fingerprint",
        "response_status",
        "text",
        "error_class",
        "error",
        "finish_reason",
        "confidence",
        "read_from",
        "tokens_in",
        "cost",
    ]
    rows = [
        (
            row.cell_id,
            row.model,
            row.modality,
            row.fingerprint,
            row.status,
            row.text,
            row.error_class,
            row.error,
            row.finish_reason,
            row.confidence,
            row.read_from,
            row.tokens_in,
            row.cost,
        )
        for row in responses
        if row.replicate == replicate
    ]
    frame = pd.DataFrame(rows, columns=columns)
    _refuse_duplicates(frame, [*KEYS, "fingerprint"], "responses")
    return frame


def _verdicts_frame(verdicts: Sequence[Verdict], replicate: int) -> pd.DataFrame:
    fields = ["correct", "score", "exact_match", "f1", "abstained", "judge", "reasoning", "problem"]
    columns = [*KEYS, "fingerprint", "verdict_status", *fields]
    rows = [
        (row.cell_id, row.model, row.modality, row.fingerprint, row.status, *(getattr(row, name) for name in fields))
        for row in verdicts
        if row.replicate == replicate
    ]
    frame = pd.DataFrame(rows, columns=columns)
    _refuse_duplicates(frame, [*KEYS, "fingerprint"], "verdicts (is there more than one judge?)")
    return frame


def _status_columns(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the frame with status, cause (one or two words, for counting) and reason (one sentence)."""
    lost = frame["lost_reason"].ne("")
    status = frame["response_status"].where(~lost, "lost").fillna("not_run")
    answered = status.eq("answered")
    judged = answered & frame["verdict_status"].eq("judged")
    error_class = frame["error_class"].where(frame["error_class"].ne(""), status)
    cause = error_class.fillna(status).where(~answered, "").mask(lost, frame["lost_reason"])
    cause = cause.replace("not_run", "not run").mask(
        answered & ~judged, frame["verdict_status"].fillna("not judged yet")
    )
    detail = (frame["error_class"] + ": " + frame["error"]).fillna("no response is stored yet")
    reason = detail.where(~answered, "").mask(lost, frame["lost_detail"])
    reason = reason.mask(answered & ~judged, frame["problem"].fillna("no verdict is stored yet"))
    return frame.assign(status=status, cause=cause, reason=reason, answered=answered, judged=judged)


def _place(values: pd.Series[Any], order: Sequence[str]) -> pd.Series[Any]:
    """Return each value's place in ``order``; unknown values come after it, as they first appear."""
    known = list(dict.fromkeys([*order, *values]))
    return values.map({value: place for place, value in enumerate(known)})


def long_frame(
    questions: Sequence[Question],
    documents: Sequence[Document],
    cells: Sequence[Cell],
    renderings_by_modality: Mapping[str, Sequence[Rendering]],
    responses: Sequence[Response],
    verdicts: Sequence[Verdict],
    lost: Mapping[str, Sequence[Exclusion]],
    requests: Sequence[Request] | None = None,
    replicate: int = 1,
) -> pd.DataFrame:
    """Return one row for each (cell, model, modality) the study asks, with the columns of FRAME_TYPES.

    ``status`` is the response's, or ``not_run`` (asked, no response stored) or ``lost`` (a document could not be
    rendered). ``requests`` says what is asked; without it only cells with a response count as asked. Responses and
    verdicts of other requests than these (another prompt, other parameters) are left out. ``n_pages`` and ``n_chars``
    are sums over the cell's documents; ``n_chars`` is of the markdown and missing for other modalities.

    Args:
        questions: every question that a cell names.
        documents: every document that a cell names.
        cells: the study's cells.
        renderings_by_modality: rows of each modality; those of ``markdown`` give ``n_chars``.
        responses: the current response of each request.
        verdicts: at most one verdict for each response.
        lost: by modality, the cells (``identifier`` is the cell_id) that could not be asked, with the reason.
        requests: what the study asks.
        replicate: which repetition to take.

    Raises:
        TablesError: two rows share a key, or a cell or question is unknown; the message names the first.
    """
    frame = _asked_frame(requests if requests is not None else responses, lost, replicate)
    cell_frame = _cells_frame(cells, documents, renderings_by_modality.get("markdown", ()))
    frame = _join(frame, cell_frame, ["cell_id"], "m:1")
    if (unknown := frame["question_id"].isna()).any():
        raise TablesError(
            f"no cell row for {_named(frame[unknown].iloc[0].to_dict())}: run the curation notebook again"
        )
    frame = _join(frame, _questions_frame(questions), ["question_id"], "m:1")
    if (unknown := frame["document_id"].isna()).any():
        raise TablesError(
            f"no question row for {_named(frame[unknown].iloc[0].to_dict())}: run the curation notebook again"
        )
    frame = _join(frame, _responses_frame(responses, replicate), [*KEYS, "fingerprint"], "1:1")
    frame = _join(frame, _verdicts_frame(verdicts, replicate), [*KEYS, "fingerprint"], "1:1")
    frame = _status_columns(frame)
    frame["n_chars"] = frame["markdown_chars"].where(frame["modality"].eq("markdown"))
    frame["n_response_chars"] = frame["text"].str.len().where(frame["answered"])
    texts = [name for name, kind in FRAME_TYPES.items() if kind == "str"]
    frame[texts] = frame[texts].fillna("")
    for column in ("correct", "score"):
        frame[column] = frame[column].where(frame["judged"])
    frame = frame[list(FRAME_TYPES)].astype(FRAME_TYPES)
    order = pd.DataFrame(
        {
            "model": _place(frame["model"], ()),
            "modality": _place(frame["modality"], MODALITIES),
            "condition": _place(frame["condition"], CONDITIONS),
            "question": _place(frame["question_id"], [question.question_id for question in questions]),
        }
    ).sort_values(["model", "modality", "condition", "question"], kind="stable")
    return frame.loc[order.index].reset_index(drop=True)


def _latest_verdicts(verdicts: Sequence[Verdict], requests: Sequence[Request], judge: str) -> list[Verdict]:
    """Return the last stored verdict of each request; refuse verdicts that one judge reached in two ways."""
    wanted = {(row.cell_id, row.fingerprint, row.replicate) for row in requests}
    latest: dict[tuple[str, str, int], Verdict] = {}
    for verdict in verdicts:
        key = (verdict.cell_id, verdict.fingerprint, verdict.replicate)
        if key in wanted:
            latest[key] = verdict
    if len({verdict.judge_fingerprint for verdict in latest.values()}) > 1:
        raise TablesError(
            f"the verdicts of {judge} come from two versions of its prompt, parameters or parser: run the judging "
            "notebook to its end, which judges the rest anew"
        )
    return list(latest.values())


def read_frame(
    study: Study, models: Sequence[str], modalities: Sequence[str], judge: str, replicate: int = 1
) -> pd.DataFrame:
    """Return the long frame of a study's rows on disk, for some models and modalities under one judge.

    Raises:
        RowsError: a row file is missing or damaged; the message names it and the notebook to run.
        StoreError: the database cannot be read.
        TablesError: the rows do not fit together, or the judge has changed half-way.
    """
    renderings = {name: read_rows(study.rows(f"renderings_{name}"), Rendering) for name in modalities}
    lost = {name: read_rows(study.rows(f"lost_{name}"), Exclusion) for name in modalities}
    pairs = list(itertools.product(dict.fromkeys(models), dict.fromkeys(modalities)))
    requests = [
        request
        for model, modality in pairs
        for request in read_rows(study.rows(f"requests_{slug(model)}_{modality}"), Request)
    ]
    with Store(study.store) as store:
        responses = [row for model, modality in pairs for row in store.responses(model, modality)]
        verdicts = [row for model, modality in pairs for row in store.verdicts(judge, model, modality)]
    return long_frame(
        read_rows(study.rows("questions"), Question),
        read_rows(study.rows("documents"), Document),
        read_rows(study.rows("cells"), Cell),
        renderings,
        responses,
        _latest_verdicts(verdicts, requests, judge),
        lost,
        requests,
        replicate,
    )


# --- Accuracy ---------------------------------------------------------------------------------------------------


def _generator(seed: int, *label: str) -> np.random.Generator:
    """Return a generator that depends on the seed and on what is resampled, not on the order of the work."""
    return np.random.default_rng([seed, zlib.crc32("|".join(label).encode())])


def _method(n_resamples: int, seed: int) -> str:
    return f"95 % percentile cluster bootstrap over source documents, {n_resamples} resamples, seed {seed}"


def _groups(frame: pd.DataFrame, keys: list[str]) -> Iterable[tuple[tuple[str, ...], pd.DataFrame]]:
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


def _typed(rows: list[dict[str, object]], columns: Sequence[str]) -> pd.DataFrame:
    """Return rows as a frame whose numbers are nullable, so that a missing one is NA and not NaN."""
    frame = pd.DataFrame(rows, columns=list(columns))
    kinds = {
        name: "Int64" if name.startswith(("n_", "k")) or name.endswith(("_only", "_min", "_max")) else "Float64"
        for name in frame.columns
        if name not in TEXT_COLUMNS
    }
    texts = {name: "str" for name in frame.columns if name in TEXT_COLUMNS}
    return frame.astype(kinds | texts)


TEXT_COLUMNS: Final = frozenset(
    "model modality condition distractor_type purpose not_applicable method remark causes research_question contrast "
    "pooling test answerable".split()
)


def table_1(frame: pd.DataFrame, n_resamples: int = N_RESAMPLES, seed: int = SEED) -> pd.DataFrame:
    """Return judge accuracy by model, modality and condition (paper, Table 1), with counts and interval.

    Accuracy is over judged answers; ``n_asked``, ``n_answered`` and ``n_judged`` stand beside it. The interval
    resamples source documents, because questions about one document share its difficulty.
    """
    rows = []
    for (model, modality, condition), group in _groups(frame, ["model", "modality", "condition"]):
        rng = _generator(seed, "table_1", model, modality, condition)
        keys = {"model": model, "modality": modality, "condition": condition}
        rows.append({**keys, **_accuracy(group, rng, n_resamples), "method": _method(n_resamples, seed)})
    columns = [*"model modality condition accuracy low high n_asked n_answered n_judged n_documents".split()]
    return _typed(rows, [*columns, "not_applicable", "method"])


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
    other row has one of them and says so in ``remark``.
    """
    keys = ["model", "modality", "condition"]
    published = published_table_1()
    measured = table.assign(study_model=table["model"], model=table["model"].map(_bare))
    _refuse_duplicates(measured, keys, "rows of table_1 (one model by two routes?)")
    both = measured.merge(published, on=keys, how="outer", validate="1:1")
    own = both["study_model"].notna()
    ours = both["model"].isin(set(published["model"]))
    remark = pd.Series("", index=both.index, dtype="str")
    remark = remark.mask(~own, "published only: not run in this study")
    remark = remark.mask(own & ~ours, "not one of the paper's models")
    remark = remark.mask(own & ours & both["published"].isna(), "not run in the paper")
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
            "model": _place(both["model"], [*table["model"], *published["model"]]),
            "modality": _place(both["modality"], MODALITIES),
            "condition": _place(both["condition"], CONDITIONS),
        }
    ).sort_values(["own", "model", "modality", "condition"], kind="stable")
    columns = [*keys, "published", "measured", "low", "high", "difference", "n_judged", "n_documents", "remark"]
    chosen = both.loc[order.index, [*columns, "not_applicable", "method"]].reset_index(drop=True)
    return chosen.astype({name: "Float64" for name in ("published", "measured", "low", "high", "difference")})


# --- Cells and documents ----------------------------------------------------------------------------------------


def _by_condition(cells: Sequence[Cell]) -> dict[str, list[Cell]]:
    found = dict.fromkeys([*CONDITIONS, *(cell.condition for cell in cells)])
    groups = {condition: [cell for cell in cells if cell.condition == condition] for condition in found}
    return {condition: group for condition, group in groups.items() if group}


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
    return _typed(rows, ["condition", "distractor_type", "k", "purpose", "n_cells", "n_questions"])


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
        sizes = [size for cell in group if (size := _total(cell.document_ids, chars)) is not None]
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
    return _typed(rows, ["condition", "n_cells", "n_unrendered", "markdown_chars_median", "pages_median", *ranges])


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
    """Return ``table_3`` of a study's rows on disk; without a markdown rendering no cell has a size in characters.

    Raises:
        RowsError: a row file is missing or damaged; the message names it.
    """
    markdown = study.rows("renderings_markdown")
    return table_3(
        read_rows(study.rows("cells"), Cell),
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
    for key, group in _groups(frame, keys):
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
    return _typed(rows, [*keys, *metrics, "n_asked", "n_answered", "n_judged", "n_scored", "not_applicable"])


def abstention(frame: pd.DataFrame) -> pd.DataFrame:
    """Return how often answers decline to answer, apart for questions that the source answers and that none does.

    Declining is wrong on the first and right on the second, so the two never share a denominator (``n_scored``:
    answers with a verdict row).
    """
    rows: list[dict[str, object]] = []
    keys = ["model", "modality", "condition", "answerable"]
    answerable = frame["answer_format"].ne("None").map({True: "yes", False: "no"})
    for key, group in _groups(frame.assign(answerable=answerable), keys):
        known = group.loc[group["answered"], "abstained"].dropna()
        row: dict[str, object] = {**dict(zip(keys, key, strict=True)), "n_scored": len(known)}
        row |= {"n_abstained": int(known.sum()), "abstention_rate": _mean(known)}
        row["not_applicable"] = "" if len(known) else "no scored answer"
        rows.append(row)
    return _typed(rows, [*keys, "n_scored", "n_abstained", "abstention_rate", "not_applicable"])


def coverage(frame: pd.DataFrame) -> pd.DataFrame:
    """Return asked, answered, judged and every gap by cause, and the accuracy that the gaps could hide.

    ``lowest`` counts every gap as wrong, ``highest`` as right; a table whose bounds differ says nothing finer than
    they do unless the gaps fall at random.
    """
    rows: list[dict[str, object]] = []
    keys = ["model", "modality", "condition"]
    for key, group in _groups(frame, keys):
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
    return _typed(rows, [*columns, "causes", "accuracy", "lowest", "highest", "not_applicable"])


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
    rng = _generator(seed, comparison.contrast, comparison.model, comparison.modality, pooling)
    interval = stats.cluster_bootstrap_mean(gaps, documents, rng, n_resamples)
    row["difference"] = interval.estimate
    if row["p"] is None:
        row["not_applicable"] = "no discordant pairs"
    else:
        row |= _bounds(interval)
    return row


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
    """
    judged = frame["correct"].where(frame["judged"]).astype("Float64")
    keyed = frame.assign(outcome=judged.to_numpy(dtype=float, na_value=np.nan))
    outcomes = {
        (str(key[0]), str(key[1]), str(key[2])): pd.Series(group["outcome"].to_numpy(), index=group["question_id"])
        for key, group in keyed.groupby(["model", "modality", "condition"], sort=False)
    }
    documents = frame.drop_duplicates("question_id").set_index("question_id")["document_id"]
    rows = []
    for comparison in _comparisons(outcomes):
        pairs = _pairs(comparison, outcomes, documents)
        for pooling in ("question", "pairs") if len(comparison.first) > 1 else ("",):
            rows.append(_compared(comparison, pairs, pooling, n_resamples, seed))
    columns = ["research_question", "contrast", "pooling", "model", "modality", "mean_a", "mean_b", "difference"]
    columns += ["low", "high", "n_pairs", "n_documents", "n_missing", "a_only", "b_only", "test", "p", "p_holm"]
    return _typed(_with_holm(rows), [*columns, "n_family", "not_applicable", "method"])


def by_model(table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of ``paired`` that answer RQ4: each model's pooled topical gap and its drop to HN-4.

    RQ4 adds no test: p-values and families are those of RQ1 and RQ2.
    """
    chosen = table["pooling"].eq("question") | table["contrast"].eq("control − hn-4")
    return table[chosen].assign(research_question="RQ4").reset_index(drop=True)


# --- Print and save ---------------------------------------------------------------------------------------------

HEADINGS: Final = {
    "model": "Model",
    "modality": "Modality",
    "condition": "Condition",
    "distractor_type": "Distractor type",
    "k": "k (added docs)",
    "purpose": "Purpose",
    "judge": "Judge",
    "f1": "F1",
    "em": "EM",
    "p": "p",
    "p_holm": "p (Holm)",
    "causes": "Gaps by cause",
    "accuracy": "Accuracy",
    "low": "95 % low",
    "high": "95 % high",
    "lowest": "All gaps wrong",
    "highest": "All gaps right",
}


def _heading(column: str) -> str:
    if column.startswith("n_"):
        return f"n {column[2:].replace('_', ' ')}"
    return HEADINGS.get(column, column.replace("_", " ").capitalize())


def _number(value: float, column: str) -> str:
    if column in ("p", "p_holm"):
        return "<0.001" if value < 0.001 else f"{value:.3f}"
    if "chars" in column or "pages" in column:
        return f"{value:,.0f}" if value >= 1000 or value == round(value) else f"{value:,.1f}"
    return _signed(value, "")


def _signed(value: float, sign: str) -> str:
    """Return a number to three decimals with a minus sign, no sign on zero; ``sign`` is ``+`` to show both signs."""
    text = format(value, f"{sign}.3f")
    return text.lstrip("+-") if float(text) == 0 else text.replace("-", "−")


def _shown(value: object, column: str) -> str:
    """Return a value as printed: three decimals, p to three, sizes with thousands separators, missing as a dash."""
    if pd.isna(value):  # type: ignore[call-overload]
        return "–"
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if isinstance(value, int | np.integer):
        return f"{value:,}"
    if isinstance(value, float | np.floating):
        return _number(float(value), column)
    if column in ("condition", "contrast"):
        return contrast_name(str(value))
    return str(value)


def printed(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a tidy frame as text under readable headings, without the columns that belong in the notes."""
    columns = [name for name in frame.columns if name != "method"]
    if "not_applicable" in columns and frame["not_applicable"].eq("").all():
        columns.remove("not_applicable")
    return pd.DataFrame(
        {_heading(name): [_shown(value, name) for value in frame[name]] for name in columns}, dtype="str"
    )


def _estimate(row: Mapping[str, Any], value: str = "accuracy", sign: str = "") -> str:
    """Return ``0.763 [0.710, 0.812]``, or the value and why it has no interval."""
    if pd.isna(row[value]):
        return f"not applicable: {row['not_applicable']}"
    text = _signed(float(row[value]), sign)
    if pd.isna(row["low"]):
        return f"{text} (interval not applicable: {str(row['not_applicable']).removeprefix('interval: ')})"
    return f"{text} [{_signed(float(row['low']), sign)}, {_signed(float(row['high']), sign)}]"


def print_table_1(table: pd.DataFrame) -> pd.DataFrame:
    """Return ``table_1`` in the paper's layout: a row for each model and condition, a column for each modality.

    Each cell holds accuracy and interval; beside it n asked/answered/judged. What was not asked is a dash.
    """
    cells = {
        (row["model"], row["condition"], row["modality"]): (
            _estimate(row),
            f"{row['n_asked']}/{row['n_answered']}/{row['n_judged']}",
        )
        for row in as_records(table)
    }
    modalities = [name for name in MODALITIES if name in set(table["modality"])]
    conditions = list(dict.fromkeys([*(c for c in CONDITIONS if c in set(table["condition"])), *table["condition"]]))
    rows = []
    for model in table["model"].unique():
        for condition in conditions:
            row = {"Model": model, "Condition": CONDITION_NAMES.get(condition, condition)}
            for name in modalities:
                value, counts = cells.get((model, condition, name), ("–", "–"))
                row[MODALITY_NAMES[name]] = value
                row[f"n, {MODALITY_NAMES[name]}"] = counts
            rows.append(row)
    layout = pd.DataFrame(rows, dtype="str")
    layout.attrs["notes"] = "n: questions asked/answered/judged. –: not asked."
    return layout


def contrast_name(text: str) -> str:
    """Return a contrast or condition with the paper's capitals: ``random-2 − hn-2`` becomes ``Random-2 − HN-2``."""
    return re.sub(r"\b(?:control|hn|random|pdf)\b", lambda word: _CAPITALS[word[0]], text)


_CAPITALS: Final = {"control": "Control", "hn": "HN", "random": "Random", "pdf": "PDF"}


def print_paired(table: pd.DataFrame) -> pd.DataFrame:
    """Return ``paired`` for reading: difference and interval, n and documents, discordant pairs, p and Holm's p."""
    rows = []
    for row in as_records(table):
        p_holm = "–" if pd.isna(row["p_holm"]) else f"{_number(row['p_holm'], 'p')} (of {row['n_family']})"
        rows.append(
            {
                "": row["research_question"],
                "Comparison": contrast_name(row["contrast"]),
                "Model": row["model"],
                "Modality": row["modality"],
                "Difference [95 % interval]": _estimate(row, "difference", "+"),
                "n (documents)": f"{row['n_pairs']:,} ({row['n_documents']:,})",
                "Only first / only second right": f"{row['a_only']} / {row['b_only']}",
                "p": "not applicable" if pd.isna(row["p"]) else _number(row["p"], "p"),
                "p, Holm (family size)": p_holm,
            }
        )
    layout = pd.DataFrame(rows, dtype="str")
    layout.attrs["notes"] = (
        "Difference: first arm minus second, over the n questions (or pairs) answered and judged in both. p: exact "
        "two-sided McNemar test; pooled over k, exact sign-flip test of each question's mean. Holm: within one "
        "research question, over all its models and modalities."
    )
    return layout


def _line(text: object) -> str:
    return " ".join(str(text).split())


_MARKDOWN_ESCAPES: Final = str.maketrans({"|": "\\|", "<": "&lt;", ">": "&gt;", "*": "\\*", "_": "\\_", "`": "\\`"})


def _markdown(text: object) -> str:
    return _line(text).translate(_MARKDOWN_ESCAPES)


def markdown_table(table: pd.DataFrame, caption: str, notes: Sequence[str]) -> str:
    """Return a table of texts as a Markdown pipe table under its caption, notes below."""
    lines = [f"**{_markdown(caption)}**", "", " | ".join(["", *map(_markdown, table.columns), ""]).strip()]
    lines.append("|" + " --- |" * len(table.columns))
    for row in table.itertuples(index=False):
        lines.append(" | ".join(["", *map(_markdown, row), ""]).strip())
    return "\n".join([*lines, "", *(f"{_markdown(note)}\n" for note in notes)]).rstrip("\n") + "\n"


_LATEX_ESCAPES: Final = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "&": r"\&",
        "%": r"\%",
        "$": r"\$",
        "#": r"\#",
        "_": r"\_",
        "{": r"\{",
        "}": r"\}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "–": "--",
        "−": "$-$",
        "→": r"$\rightarrow$",
    }
)


def latex_escape(text: object) -> str:
    """Return any value as LaTeX text on one line: no character of it can act as a command."""
    return _line(text).translate(_LATEX_ESCAPES)


def latex_table(table: pd.DataFrame, caption: str, label: str, notes: Sequence[str]) -> str:
    """Return a table of texts as a LaTeX table with booktabs rules; numbers are set right, words left."""
    numeric = re.compile(r"[-+−–<\d][\d,. /–−]*")
    aligned = "".join("r" if all(numeric.fullmatch(value) for value in table[name]) else "l" for name in table.columns)
    body = [" & ".join(map(latex_escape, row)) + r" \\" for row in table.itertuples(index=False)]
    return "\n".join(
        [
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{latex_escape(caption)}}}",
            rf"\label{{tab:{label}}}",
            rf"\begin{{tabular}}{{{aligned}}}",
            r"\toprule",
            " & ".join(map(latex_escape, table.columns)) + r" \\",
            r"\midrule",
            *body,
            r"\bottomrule",
            r"\end{tabular}",
            *(rf"\par\smallskip{{\footnotesize {latex_escape(note)}\par}}" for note in notes),
            r"\end{table}",
            "",
        ]
    )


def csv_bytes(frame: pd.DataFrame) -> bytes:
    """Return a tidy frame as CSV with six significant digits, missing values empty."""
    return frame.to_csv(index=False, float_format="%.6g", lineterminator="\n").encode()


_NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,63}")


def record_in_manifest(
    name: str, study: Study, caption: str, notes: Sequence[str], files: Sequence[Path], metadata: Mapping[str, Any]
) -> Path:
    """Write one table's or figure's entry into ``manifest.json``: caption, notes, metadata and its files' digests.

    Entries are sorted and hold no time, so that a second run gives identical bytes.

    Raises:
        TablesError: the manifest there is not one.
    """
    path = study.figures / "manifest.json"
    try:
        manifest: dict[str, Any] = {"study": study.name, "items": {}}
        if path.exists():
            manifest = json.loads(path.read_text(encoding="utf-8"))
        manifest["items"][name] = {
            "caption": _line(caption),
            "notes": [_line(note) for note in notes],
            "files": {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in sorted(files)},
            "study": study.name,
            "metadata": dict(metadata),
        }
    except (ValueError, KeyError, TypeError) as error:
        raise TablesError(f"{path} is no manifest of figures ({error}): delete it and run the notebook again") from None
    text = json.dumps(manifest, ensure_ascii=False, indent=1, sort_keys=True)
    return write_atomically(path, f"{text}\n".encode())


def check_name(name: str) -> None:
    """Refuse a table or figure name that is not a plain lower-case word such as ``table_1``.

    Raises:
        TablesError: it is not; the message shows it.
    """
    if not _NAME.fullmatch(name):
        raise TablesError(f"name = {name!r} is not usable for a file: take lower-case letters, digits and '_'")


def save_table(
    name: str,
    frame: pd.DataFrame,
    study: Study,
    caption: str,
    notes: str = "",
    metadata: Mapping[str, Any] | None = None,
    layout: pd.DataFrame | None = None,
) -> list[Path]:
    """Write a table as ``<name>.csv``, ``.md`` and ``.tex`` under the study's figures, and its manifest entry.

    The CSV holds the tidy frame to six significant digits. Markdown and LaTeX hold ``layout``, a frame of texts such
    as ``print_table_1`` returns, or the frame as ``printed`` shows it; their notes add the frame's interval method.

    Raises:
        TablesError: the name is not usable, or the manifest there is not one.
    """
    check_name(name)
    text = printed(frame) if layout is None else layout
    methods = [method for method in frame.get("method", pd.Series(dtype="str")).unique() if method]
    remarks = [
        note for note in (notes, text.attrs.get("notes", ""), *(f"Intervals: {method}." for method in methods)) if note
    ]
    header = f"% study {study.name}; " + json.dumps(dict(metadata or {}), ensure_ascii=True, sort_keys=True) + "\n"
    contents = {
        "csv": csv_bytes(frame),
        "md": markdown_table(text, caption, remarks).encode(),
        "tex": (header + latex_table(text, caption, name, remarks)).encode(),
    }
    files = [write_atomically(study.figures / f"{name}.{suffix}", data) for suffix, data in contents.items()]
    record_in_manifest(name, study, caption, remarks, files, metadata or {})
    return files
