"""The long frame of one or several studies, and the majority of several judges.

The frame is made of the rows on disk, which stay the truth: a study's frame file only keeps what was made of them.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import itertools
import json
import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import pandas as pd

from muddle_utils.analysis import frames as frames_module
from muddle_utils.analysis.frames import FRAME_TYPES, TablesError, long_frame
from muddle_utils.stats.agreement import majority
from muddle_utils.study.paths import Study, slug
from muddle_utils.study.records import (
    MAJORITY,
    Cell,
    Document,
    Exclusion,
    Question,
    Rendering,
    Request,
    Response,
    Verdict,
    response_key,
)
from muddle_utils.study.rows import (
    RowsError,
    digest,
    file_sha256,
    judged_digest,
    read_requests,
    read_rows,
    write_atomically,
)
from muddle_utils.study.store import Store, StoreError

# A model and a modality.
Pair = tuple[str, str]

# --- The long frame ---------------------------------------------------------------------------------------------


def _latest_verdicts(
    verdicts: Sequence[Verdict], digests: Mapping[tuple[str, str, int], str], judge: str
) -> list[Verdict]:
    """Return the last stored verdict on each answer as it stands; refuse those that one judge reached in two ways.

    ``digests`` holds what each answer's verdict has to be about, by response key.
    """
    latest = {
        response_key(verdict): verdict
        for verdict in verdicts
        if digests.get(response_key(verdict)) == verdict.judged_digest
    }
    if len({verdict.judge_fingerprint for verdict in latest.values()}) > 1:
        raise TablesError(
            f"the verdicts of {judge} come from two versions of its prompt or parameters: run the judging notebook to "
            "its end, which judges the rest anew"
        )
    return list(latest.values())


def majority_verdicts(by_judge: Sequence[Sequence[Verdict]]) -> list[Verdict]:
    """Return what more than half of all the judges say of each answer that one of them was asked about.

    The score is the mean of theirs. Where no side has more than half of the judges, it is unjudged.
    """
    together: dict[tuple[str, str, int], list[Verdict]] = {}
    for verdict in itertools.chain.from_iterable(by_judge):
        together.setdefault(response_key(verdict), []).append(verdict)
    merged = []
    # Two majorities are the same judge only if the same judges make them.
    judges = sorted(verdicts[0].judge_fingerprint for verdicts in by_judge if verdicts)
    for verdicts in together.values():
        judged = [verdict for verdict in verdicts if verdict.status == "judged"]
        said_of = [verdict.correct for verdict in verdicts] + [None] * (len(by_judge) - len(verdicts))
        (label,) = majority(np.array([[said] for said in said_of], dtype=object), of_all=True).labels
        said = ", ".join(f"{verdict.judge}: {verdict.correct}" for verdict in verdicts)
        scores = [verdict.score for verdict in judged if verdict.score is not None]
        merged.append(
            dataclasses.replace(
                verdicts[0],
                judge=MAJORITY,
                judge_fingerprint=digest(MAJORITY, *judges),
                status="unjudged" if label is None else "judged",
                correct=None if label is None else bool(label),
                score=None if label is None else sum(scores) / len(scores),
                reasoning=said,
                raw="",
                problem=f"no majority ({said})" if label is None else "",
                cost=None,
            )
        )
    return merged


class Answers(NamedTuple):
    """What a study asks and has: requests, the current response to each, and each judge's verdicts on those texts."""

    questions: list[Question]
    requests: list[Request]
    responses: list[Response]
    verdicts: dict[str, list[Verdict]]


def read_answers(study: Study, models: Sequence[str], modalities: Sequence[str], judges: Sequence[str]) -> Answers:
    """Return the answers of some models in some modalities and what some judges say of them, from the rows on disk.

    Responses to other requests than the study's are left out, and so are verdicts on other texts than these.

    Raises:
        RowsError: a row file is missing or damaged; the message names it and the notebook to run.
        StoreError: the database cannot be read.
        TablesError: a judge has changed half-way.
    """
    return _answers(study, list(itertools.product(dict.fromkeys(models), dict.fromkeys(modalities))), judges)


def _answers(study: Study, pairs: Sequence[Pair], judges: Sequence[str]) -> Answers:
    """Return what ``read_answers`` does, of pairs of a model and a modality."""
    requests = [
        request
        for model, modality in pairs
        for request in read_rows(study.rows(f"requests_{slug(model)}_{modality}"), Request)
    ]
    questions = read_rows(study.rows("questions"), Question)
    by_question = {question.question_id: question for question in questions}
    wanted = {response_key(request) for request in requests}
    with Store(study.store, read_only=True) as store:
        stored = [row for model, modality in pairs for row in store.responses(model, modality)]
        responses = [row for row in stored if response_key(row) in wanted]
        digests = {response_key(row): judged_digest(by_question[row.question_id], row) for row in responses}
        verdicts = {
            judge: _latest_verdicts(
                [row for model, modality in pairs for row in store.verdicts(judge, model, modality)], digests, judge
            )
            for judge in dict.fromkeys(judges)
        }
    return Answers(questions, requests, responses, verdicts)


def _made(
    study: Study, pairs: Sequence[Pair], modalities: Sequence[str], headline: str, judges: Sequence[str]
) -> Callable[[int], pd.DataFrame]:
    """Return what makes the long frame of each replicate under one judge, or the majority, from the rows on disk."""
    asked = _answers(study, pairs, judges if headline == MAJORITY else (headline,))
    by_judge = list(asked.verdicts.values())
    return functools.partial(
        long_frame,
        asked.questions,
        read_rows(study.rows("documents"), Document),
        read_rows(study.rows("cells"), Cell),
        {name: read_rows(study.rows(f"renderings_{name}"), Rendering) for name in modalities},
        asked.responses,
        majority_verdicts(by_judge) if headline == MAJORITY else by_judge[0],
        {name: read_rows(study.rows(f"lost_{name}"), Exclusion) for name in modalities},
        asked.requests,
    )


def read_frame(
    study: Study,
    models: Sequence[str],
    modalities: Sequence[str],
    judge: str,
    replicate: int = 1,
    judges: Sequence[str] = (),
) -> pd.DataFrame:
    """Return the long frame of a study, for some models and modalities under one judge.

    With ``judge`` ``majority`` it is what more than half of ``judges`` say. It is read from the study's frame file,
    which is made anew first unless it was made of the rows as they are. What the file does not hold (a study that
    cannot be written, another majority, a model without requests) is made of the rows alone; both come out equal.

    Raises:
        RowsError: a row file is missing or damaged; the message names it and the notebook to run.
        StoreError: the database cannot be read.
        TablesError: the rows do not fit together, or the judge has changed half-way.
    """
    pairs = list(itertools.product(dict.fromkeys(models), dict.fromkeys(modalities)))
    state = _state(study)
    if _metadata(study).get(_STATE) != state and os.access(study.folder, os.W_OK):
        # What stands in the way of the whole need not stand in the way of this part; if it does, it is raised below.
        with contextlib.suppress(RowsError, StoreError, TablesError, OSError):
            write_frame(study)
    found = _stored(study, state, pairs, judge, replicate, judges)
    if found is None:
        found = _made(study, pairs, list(dict.fromkeys(modalities)), judge, judges)(replicate)
    return found


def read_frames(
    studies: Sequence[Study],
    models: Sequence[str],
    modalities: Sequence[str],
    judge: str,
    judges: Sequence[str] = (),
) -> pd.DataFrame:
    """Return the long frame of a study with those of further studies below it, for setting models side by side.

    Of the first study it takes ``models``, of each further one all models that it asked in these modalities. A model
    of two studies becomes two, named ``model (study)``; the column ``study`` says whose row it is, and ``own_model``
    what that study calls the model. A question keeps its name where all studies that have it mean the same by it (text,
    reference and source document). Elsewhere the name of the first study that means the same stands before it, so that
    it pairs between any two studies that agree and between no others.

    Raises:
        RowsError, StoreError, TablesError: as ``read_frame``; or two studies have one name.
    """
    if len({study.name for study in studies}) < len(studies):
        raise TablesError(f"a study is named twice among {', '.join(study.name for study in studies)}: name each once")
    frames = [read_frame(studies[0], models, modalities, judge, judges=judges)]
    for study in studies[1:]:
        pairs = read_requests(study)
        asked = [name for name in modalities if name in {modality for _, modality in pairs}]
        own = [name for name in dict.fromkeys(model for model, _ in pairs) if all((name, m) in pairs for m in asked)]
        if not own or not asked:
            raise TablesError(f"study {study.name!r} has asked no model in {', '.join(modalities)}: leave it out")
        frames.append(read_frame(study, own, asked, judge, judges=judges))
    return side_by_side({study.name: frame for study, frame in zip(studies, frames, strict=True)})


def side_by_side(frames: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Return long frames by study as one with a column ``study``; names are told apart as ``read_frames`` says."""
    if len(frames) == 1:
        return next(frame.assign(study=name) for name, frame in frames.items())
    models = _model_names(frames)
    questions = _question_names(frames)
    parts = []
    for name, frame in frames.items():
        own = frame["model"]
        contents = zip(*(frame[column] for column in _CONTENT), strict=True)
        parts.append(
            frame.assign(
                model=[models[name, model] for model in own],
                question_id=[questions[content] for content in contents],
                study=name,
                own_model=own,
            )
        )
    return pd.concat(parts, ignore_index=True)


# What makes a question the same in two studies.
_CONTENT: Final = ("question_id", "question", "reference", "document_id")


def _model_names(frames: Mapping[str, pd.DataFrame]) -> dict[tuple[str, str], str]:
    """Return what each (study, model) is called beside the others: by its own name, or with its study's after it."""
    asked = [(study, model) for study, frame in frames.items() for model in frame["model"].unique()]
    times = Counter(model for _, model in asked)
    named = {(study, model): f"{model} ({study})" if times[model] > 1 else model for study, model in asked}
    if len(set(named.values())) < len(named):
        # A model is itself called as another is now: with the study after every name, no two are alike.
        named = {(study, model): f"{model} ({study})" for study, model in asked}
    return named


def _question_names(frames: Mapping[str, pd.DataFrame]) -> dict[tuple[str, ...], str]:
    """Return what each question, by its _CONTENT, is called beside the others."""
    owner: dict[tuple[str, ...], str] = {}
    for study, frame in frames.items():
        for content in zip(*(frame[column] for column in _CONTENT), strict=True):
            owner.setdefault(content, study)
    meanings = Counter(content[0] for content in owner)
    named = {
        content: f"{study}:{content[0]}" if meanings[content[0]] > 1 else content[0] for content, study in owner.items()
    }
    if len(set(named.values())) < len(named):
        named = {content: f"{study}:{content[0]}" for content, study in owner.items()}
    return named


# --- The frame's file ---------------------------------------------------------------------------------------------

# The columns of the file that say which long frame a row is of: whose verdicts it goes by, and which repetition.
FRAME_KEYS: Final[dict[str, str]] = {"headline": "str", "replicate": "int64"}
_STATE: Final = b"muddle_state"
_JUDGES: Final = b"muddle_judges"


def write_frame(study: Study) -> Path:
    """Write the long frames of all that a study has asked to its frame file, by each judge and the majority.

    Columns are FRAME_KEYS and those of ``long_frame``. A judge who has changed half-way is left out, and the majority
    is of the models and modalities that all judges have looked at.

    Raises:
        RowsError, StoreError: rows or database cannot be read.
        OSError: the file cannot be written.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    # Taken before the rows are read: what is added meanwhile makes another state, and the file is made anew.
    state = _state(study)
    plans = read_requests(study)
    with Store(study.store, read_only=True) as store:
        looked_at = dict.fromkeys((row.judge, row.model, row.modality) for row in store.verdicts())
    judges = list(dict.fromkeys(judge for judge, _, _ in looked_at))
    wanted = {judge: list(plans) for judge in judges}
    if len(judges) > 1:
        wanted[MAJORITY] = [pair for pair in plans if all((judge, *pair) in looked_at for judge in judges)]
    replicates = sorted({row.replicate for rows in plans.values() for row in rows})
    frames = [pd.DataFrame({name: pd.Series(dtype=kind) for name, kind in (FRAME_KEYS | FRAME_TYPES).items()})]
    for headline, pairs in wanted.items():
        with contextlib.suppress(TablesError):
            make = _made(study, pairs, list(dict.fromkeys(modality for _, modality in pairs)), headline, judges)
            frames += [make(n).assign(headline=headline, replicate=n) for n in replicates]
    whole = pd.concat(frames, ignore_index=True)[[*FRAME_KEYS, *FRAME_TYPES]]
    table = pa.Table.from_pandas(whole, preserve_index=False)
    about = {_STATE: state, _JUDGES: json.dumps(judges).encode()}
    sink = pa.BufferOutputStream()
    pq.write_table(table.replace_schema_metadata({**(table.schema.metadata or {}), **about}), sink, compression="zstd")
    return write_atomically(study.frame, sink.getvalue().to_pybytes())


def _state(study: Study) -> bytes:
    """Return a digest of everything that a study's long frames are made of: its rows, its store and this code."""
    store = study.store
    files = [*sorted(study.folder.glob("*.jsonl")), store, store.with_name(f"{store.name}-wal")]
    code = [Path(module) for module in (__file__, frames_module.__file__)]
    there = [path for path in (*files, *code) if path.is_file()]
    return digest(*(part for path in there for part in (path.name, file_sha256(path)))).encode()


def _metadata(study: Study) -> dict[bytes, bytes]:
    """Return what a study's frame file says of itself; nothing if it is missing or no such file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return dict(pq.read_schema(study.frame).metadata or {})
    except (OSError, pa.ArrowException):
        return {}


def _stored(
    study: Study, state: bytes, pairs: Sequence[Pair], headline: str, replicate: int, judges: Sequence[str]
) -> pd.DataFrame | None:
    """Return a long frame from a study's frame file, or None where the file is of another state or does not hold it.

    Cells that were lost name no model that asked them, so the file holds a pair only where it was asked something.
    """
    import pyarrow as pa

    about = _metadata(study)
    if about.get(_STATE) != state:
        return None
    if headline == MAJORITY and list(dict.fromkeys(judges)) != json.loads(about.get(_JUDGES, b"[]")):
        return None
    try:
        whole = pd.read_parquet(study.frame, filters=[("headline", "==", headline), ("replicate", "==", replicate)])
    except (OSError, KeyError, pa.ArrowException):
        return None
    asked = whole[whole["status"].ne("lost")]
    if not set(pairs) <= set(zip(asked["model"], asked["modality"], strict=True)):
        return None
    order = {model: place for place, model in enumerate(dict.fromkeys(model for model, _ in pairs))}
    own = whole[whole["model"].isin(order) & whole["modality"].isin({modality for _, modality in pairs})]
    own = own.sort_values("model", key=lambda names: names.map(order), kind="stable").reset_index(drop=True)
    return own[list(FRAME_TYPES)].astype(FRAME_TYPES)
