"""What a notebook takes that is told nothing, and what it may not write over."""

import json
from dataclasses import replace

import pytest
from made_up_study import MODELS, Rows, make_verdict

from muddle_utils.study.holdings import Held, held, refuse_other_corpus, refuse_other_renderer
from muddle_utils.study.paths import Study, StudyError, slug
from muddle_utils.study.records import Verdict
from muddle_utils.study.rows import write_rows
from muddle_utils.study.store import Store

JUDGES = ("a", "b", "c")


@pytest.fixture(scope="module")
def rows():
    return Rows(2, 2)


@pytest.fixture
def study(rows, tmp_path):
    """A study whose first model was asked in all modalities, the second in markdown and, twice, in PDF."""
    study = Study("s", str(tmp_path))
    for kind in ("questions", "cells"):
        write_rows(study.rows(kind), getattr(rows, kind))
    for modality in ("markdown", "image", "pdf"):
        write_rows(study.rows(f"renderings_{modality}"), rows.renderings[modality])
        for model in MODELS:
            own = [row for row in rows.requests if (row.model, row.modality) == (model, modality)]
            own += [replace(row, replicate=2) for row in own] if modality == "pdf" else []
            if (model, modality) != (MODELS[1], "image"):
                write_rows(study.rows(f"requests_{slug(model)}_{modality}"), own)
    answer = next(row for row in rows.responses if row.status == "answered")
    with Store(study.store) as store:
        for judge in JUDGES:
            said: Verdict = make_verdict(answer, True)
            store.add_verdict(replace(said, judge=judge))
    return study


def analysed(study, **parameters):
    study.notebooks.mkdir(exist_ok=True)
    text = json.dumps({"metadata": {"papermill": {"parameters": parameters}}, "cells": []})
    (study.notebooks / "05_analysis.ipynb").write_text(text)


def test_what_is_not_said_is_what_the_study_holds(study):
    own = [MODELS[0]]
    assert held(study, own) == Held(own, ["markdown", "image", "pdf"], [*JUDGES], "a", 2)
    both = held(study, modalities=["pdf", "markdown"])
    assert sorted(both.models) == sorted(MODELS) and both.modalities == ["pdf", "markdown"]
    assert held(study, own, ["image"], ["b"], "majority", 1) == Held(own, ["image"], ["b"], "majority", 1)


def test_the_last_analysis_gives_the_order_and_the_tables_judge(study):
    analysed(study, models=[MODELS[1], "gone"], modalities=["pdf", "markdown"], judges=["c", "a"], judge="majority")
    found = held(study, modalities=["pdf"])
    assert found == Held([*MODELS[::-1]], ["pdf"], ["c", "a", "b"], "majority", 2)
    analysed(study, judges="c", judge="gone")
    assert held(study, MODELS[:1]).judges == [*JUDGES] and held(study, MODELS[:1]).judge == "a"
    (study.notebooks / "05_analysis.ipynb").write_text("{")
    assert held(study, MODELS[:1]).judge == "a"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, r"has not asked azure/gpt-5-mini in image, only .*: say in models and modalities"),
        ({"models": ["x"]}, r"models: 'x' is not in study 's', which has azure/gpt-5-mini, local/reader"),
        ({"modalities": ["audio"]}, "modalities: 'audio' is not in study"),
        ({"models": MODELS[:1], "judges": ["x"]}, "judges: 'x' is not in study 's', which has a, b, c"),
        (
            {"models": MODELS[:1], "judges": ["b"], "judge": "a"},
            "judge: 'a' is not in study 's', which has b, majority",
        ),
        ({"models": MODELS[:1], "replicates": 3}, "replicates = 3: study 's' has asked everything 2 times at most"),
    ],
)
def test_what_the_study_does_not_hold_is_refused_naming_what_it_holds(study, given, message):
    with pytest.raises(StudyError, match=message):
        held(study, **given)


def test_a_study_without_requests_or_verdicts_says_what_to_run(study):
    study.store.unlink()
    with pytest.raises(StudyError, match="no answer of study 's' is judged yet: run notebook 04 first, or name judges"):
        held(study, MODELS[:1])
    assert held(study, MODELS[:1], judges=["x"]).judge == "x"
    for path in study.folder.glob("requests_*"):
        path.unlink()
    with pytest.raises(StudyError, match="has asked nothing yet: run notebook 03 first"):
        held(study)


def changed(rows, **changes):
    return [replace(row, **changes) for row in rows]


def test_a_corpus_that_was_mended_may_be_written(study, rows):
    refuse_other_corpus(study, rows.questions, rows.cells)
    refuse_other_corpus(study, changed(rows.questions[:1], answer="43"), rows.cells[:3])


@pytest.mark.parametrize(
    ("questions", "cells", "message"),
    [
        ({"question_id": "other"}, {}, "corpus: none of its questions is the study's"),
        ({"annotation": "v2"}, {}, "annotation: it is v2, the study's is"),
        ({}, {"placement_key": "7|x"}, "seed or placement_key: the source is placed by 7|x, the study's by"),
    ],
)
def test_another_corpus_does_not_take_the_place_of_what_was_asked(study, rows, questions, cells, message):
    other = changed(rows.questions, **questions), changed(rows.cells, **cells)
    with pytest.raises(StudyError, match=message.replace("|", r"\|")):
        refuse_other_corpus(study, *other)
    for path in study.folder.glob("requests_*"):
        path.unlink()
    refuse_other_corpus(study, *other)


def test_another_renderer_does_not_take_the_place_of_what_was_sent(study, rows):
    same = rows.renderings["markdown"]
    refuse_other_renderer(study, same)
    with pytest.raises(StudyError, match="renderer: study 's' has sent documents as r renders them, not pymupdf"):
        refuse_other_renderer(study, changed(same, renderer="pymupdf"))
    for path in study.folder.glob("requests_*_markdown.jsonl"):
        path.unlink()
    refuse_other_renderer(study, changed(same, renderer="pymupdf"))
