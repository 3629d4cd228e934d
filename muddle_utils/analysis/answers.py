"""The long frame of one or several studies from their rows on disk, and the majority of several judges."""

from __future__ import annotations

import dataclasses
import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np
import pandas as pd

from muddle_utils.analysis.frames import TablesError, long_frame
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
from muddle_utils.study.rows import digest, judged_digest, read_requests, read_rows
from muddle_utils.study.store import Store

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
    pairs = list(itertools.product(dict.fromkeys(models), dict.fromkeys(modalities)))
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


def read_frame(
    study: Study,
    models: Sequence[str],
    modalities: Sequence[str],
    judge: str,
    replicate: int = 1,
    judges: Sequence[str] = (),
) -> pd.DataFrame:
    """Return the long frame of a study's rows on disk, for some models and modalities under one judge.

    With ``judge`` ``majority`` it is what more than half of ``judges`` say.

    Raises:
        RowsError: a row file is missing or damaged; the message names it and the notebook to run.
        StoreError: the database cannot be read.
        TablesError: the rows do not fit together, or the judge has changed half-way.
    """
    asked = read_answers(study, models, modalities, judges if judge == MAJORITY else (judge,))
    by_judge = list(asked.verdicts.values())
    return long_frame(
        asked.questions,
        read_rows(study.rows("documents"), Document),
        read_rows(study.rows("cells"), Cell),
        {name: read_rows(study.rows(f"renderings_{name}"), Rendering) for name in modalities},
        asked.responses,
        majority_verdicts(by_judge) if judge == MAJORITY else by_judge[0],
        {name: read_rows(study.rows(f"lost_{name}"), Exclusion) for name in modalities},
        asked.requests,
        replicate,
    )


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
