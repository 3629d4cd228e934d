"""A made-up study for tests: every kind of row, and a long frame of outcomes given by hand."""

import json
import math

import numpy as np

from muddle_utils.analysis import frames
from muddle_utils.study import rows
from muddle_utils.study.records import (
    CONDITIONS,
    Cell,
    Document,
    HardNegative,
    Question,
    Rendering,
    Request,
    Response,
    Verdict,
    condition_of,
)

MODELS = ("local/reader", "azure/gpt-5-mini")
TYPES = ("Guidebook", "Academic paper", "Financial report")

# An attempt that failed.
RESPONSE = Response(
    cell_id="q1|control",
    question_id="q1",
    condition="control",
    model="m",
    modality="markdown",
    replicate=1,
    fingerprint="f",
    status="failed",
    text="",
    error_class="timeout",
    error="no reply",
    finish_reason="",
    tokens_in=None,
    tokens_out=None,
    tokens_reasoning=None,
    cost=None,
    seconds=1.0,
    attempts=4,
    route="m",
    model_returned="",
    parameters="{}",
    confidence=None,
    read_from="",
    time="2026-01-01T00:00:00+00:00",
    versions="{}",
)


def make_document(name, pages, role="source"):
    return Document(
        document_id=name,
        sha256=f"sha-{name}",
        path=f"/{name}",
        n_pages=pages,
        n_chars=1000 * pages,
        title=name,
        document_type=TYPES[0],
        role=role,
        origin="demo",
        licence="CC0",
    )


def make_rendering(name, modality, n_pages, status="rendered"):
    problem = "" if status == "rendered" else "encrypted and needs a password"
    chars = 1000 * n_pages if modality == "markdown" else 0
    return Rendering(
        document_id=name,
        sha256=f"sha-{name}",
        modality=modality,
        renderer="r",
        renderer_version="1",
        settings="",
        key=f"k-{name}",
        path=f"/{name}",
        n_bytes=9,
        n_pages=n_pages,
        n_chars=chars,
        warnings=(),
        status=status,
        problem=problem,
        seconds=0.1,
    )


def make_question(number, document, answer="42", answer_format="Int"):
    name = f"q{number:04d}"
    kind = TYPES[number % 3]
    return Question(
        question_id=name,
        document_id=document,
        question=f"How many in {name}?",
        answer=answer,
        answer_format=answer_format,
        evidence_pages=(1,),
        evidence_sources=("Pure-text",),
        document_type=kind,
        skill="recall",
    )


def make_cell(question, condition, distractors):
    cell_id = f"{question.question_id}|{condition}"
    ids = (*distractors[:1], question.document_id, *distractors[1:])
    return Cell(
        cell_id=cell_id,
        question_id=question.question_id,
        condition=condition,
        k=condition_of(condition).k,
        distractor_type=condition_of(condition).kind,
        document_ids=ids,
        source_position=len(distractors[:1]),
        draw_key="",
        placement_key="",
    )


def make_request(cell, model, modality):
    parts = {"prompt": modality, "question": cell.question_id, "documents": "|".join(cell.document_ids)}
    return Request(
        cell_id=cell.cell_id,
        question_id=cell.question_id,
        condition=cell.condition,
        model=model,
        modality=modality,
        replicate=1,
        fingerprint=f"f|{model}|{modality}",
        image_setting="",
        n_pages=1,
        n_chars=None,
        n_bytes=1,
        parameters="{}",
        components=json.dumps(parts),
    )


def make_response(request, text="42", status="answered", error_class="", error=""):
    return Response(
        cell_id=request.cell_id,
        question_id=request.question_id,
        condition=request.condition,
        model=request.model,
        modality=request.modality,
        replicate=1,
        fingerprint=request.fingerprint,
        status=status,
        text=text,
        error_class=error_class,
        error=error,
        finish_reason="stop",
        tokens_in=100,
        tokens_out=5,
        tokens_reasoning=None,
        cost=0.01,
        seconds=0.1,
        attempts=1,
        route="",
        model_returned=request.model,
        parameters="{}",
        confidence=0.9,
        read_from="",
        time="t",
        versions="v",
    )


def make_verdict(response, correct, status="judged", reference="42"):
    judged = status == "judged"
    question = f"How many in {response.question_id}?"
    return Verdict(
        fingerprint=response.fingerprint,
        replicate=1,
        cell_id=response.cell_id,
        model=response.model,
        modality=response.modality,
        judge="local/rules",
        judge_fingerprint="jf",
        status=status,
        correct=correct if judged else None,
        score=float(correct) if judged else None,
        reasoning="by value" if judged else "",
        raw="raw",
        problem="" if judged else "the reply is no JSON",
        abstained=False,
        exact_match=float(correct),
        f1=float(correct),
        cost=None,
        seconds=0.0,
        time="t",
        judged_digest=rows.digest(question, reference, response.text),
    )


class Rows:
    """A made-up study of 60 questions over 20 documents: five markdown conditions, control in image and PDF."""

    def __init__(self, n_questions=60, n_documents=20, seed=7):
        rng = np.random.default_rng(seed)
        sources = [f"s{i:02d}.pdf" for i in range(n_documents)]
        negatives = [f"h{i:03d}.pdf" for i in range(4 * n_documents)]
        self.documents = [make_document(name, 10 + i) for i, name in enumerate(sources)]
        self.documents += [make_document(name, 10 + i % 31, "hard_negative") for i, name in enumerate(negatives)]
        self.questions = [make_question(i, sources[i % n_documents]) for i in range(n_questions)]
        self.cells, self.requests, self.responses, self.verdicts = [], [], [], []
        for question in self.questions:
            place = sources.index(question.document_id)
            own = negatives[4 * place : 4 * place + 4]
            drawn = [str(name) for name in rng.choice([n for n in negatives if n not in own], 4, replace=False)]
            for condition in CONDITIONS:
                kind, k = condition_of(condition).kind, condition_of(condition).k
                names = {"none": (), "hard_negative": own, "random": drawn}[kind][:k]
                self.cells.append(make_cell(question, condition, list(names)))
        ability = dict(zip(sources, rng.normal(0.8, 1.0, n_documents), strict=True))
        harm = {"control": 0.0, "hn-2": -0.6, "random-2": -0.1, "hn-4": -0.9, "random-4": -0.2}
        ease = {q.question_id: rng.normal(0, 0.8) for q in self.questions}
        for model in MODELS:
            for modality in ("markdown", "image", "pdf"):
                for cell in self.cells:
                    if modality != "markdown" and cell.condition != "control":
                        continue
                    request = make_request(cell, model, modality)
                    self.requests.append(request)
                    source = cell.document_ids[cell.source_position]
                    logit = ability[source] + ease[cell.question_id] + harm[cell.condition]
                    self._answer(request, rng.random() < 1 / (1 + math.exp(-logit)), rng.random())
        self.renderings = {
            modality: [make_rendering(d.document_id, modality, d.n_pages) for d in self.documents]
            for modality in ("markdown", "image", "pdf")
        }

    def _answer(self, request, correct, luck):
        if luck < 0.02:
            self.responses.append(make_response(request, "", "failed", "RateLimitError", "429"))
        elif luck < 0.03:
            return
        else:
            response = make_response(request, "42" if correct else "17 <script>alert(1)</script>")
            self.responses.append(response)
            if luck > 0.04:
                self.verdicts.append(make_verdict(response, bool(correct), "judged" if luck > 0.05 else "unjudged"))

    def frame(self, **changes):
        named = {
            "lost": {},
            "requests": self.requests,
            "responses": self.responses,
            "verdicts": self.verdicts,
        } | changes
        return frames.long_frame(self.questions, self.documents, self.cells, self.renderings, **named)


def make_candidate(name, verdict="good", reason="", position=0, source="s.pdf"):
    return HardNegative(
        document_id=source,
        candidate_id=name,
        rank=1,
        score=1.0,
        cosine=0.5,
        jaccard=0.1,
        shingle_containment=0.0,
        leak="pass",
        leak_where="",
        n_pages=20,
        verdict=verdict,
        reason=reason,
        replaced_by="",
        position=position,
    )


def tiny(outcomes, documents=None, modality="markdown", model="m"):
    """Return a long frame from {condition: outcomes by question}, an outcome being True, False or None (failed)."""
    n = len(next(iter(outcomes.values())))
    documents = documents or [f"s{i}.pdf" for i in range(n)]
    questions = [make_question(i, documents[i]) for i in range(n)]
    cells, requests, responses, verdicts = [], [], [], []
    for condition, values in outcomes.items():
        for question, value in zip(questions, values, strict=True):
            cells.append(make_cell(question, condition, []))
            requests.append(make_request(cells[-1], model, modality))
            status = "failed" if value is None else "answered"
            responses.append(make_response(requests[-1], status=status, error_class="Timeout" if value is None else ""))
            if value is not None:
                verdicts.append(make_verdict(responses[-1], value))
    sources = [make_document(name, 10) for name in dict.fromkeys(documents)]
    return frames.long_frame(questions, sources, cells, {}, responses, verdicts, {}, requests)
