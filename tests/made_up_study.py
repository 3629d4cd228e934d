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
)

MODELS = ("local/reader", "azure/gpt-5-mini")
TYPES = ("Guidebook", "Academic paper", "Financial report")


def make_document(name, pages, role="source"):
    return Document(name, f"sha-{name}", f"/{name}", pages, 1000 * pages, name, TYPES[0], role, "demo", "CC0")


def make_rendering(name, modality, n_pages, status="rendered"):
    problem = "" if status == "rendered" else "encrypted and needs a password"
    chars = 1000 * n_pages if modality == "markdown" else 0
    return Rendering(
        name,
        f"sha-{name}",
        modality,
        "r",
        "1",
        "",
        f"k-{name}",
        f"/{name}",
        9,
        n_pages,
        chars,
        (),
        status,
        problem,
        0.1,
    )


def make_question(number, document, answer="42", answer_format="Int"):
    name = f"q{number:04d}"
    kind = TYPES[number % 3]
    return Question(
        name, document, f"How many in {name}?", answer, answer_format, (1,), ("Pure-text",), kind, skill="recall"
    )


def make_cell(question, condition, distractors):
    kind, _, k = condition.partition("-")
    role = {"control": "none", "hn": "hard_negative", "random": "random"}[kind]
    cell_id = f"{question.question_id}|{condition}"
    ids = (*distractors[:1], question.document_id, *distractors[1:])
    return Cell(cell_id, question.question_id, condition, int(k or 0), role, ids, len(distractors[:1]), "", "")


def make_request(cell, model, modality):
    parts = {"prompt": modality, "question": cell.question_id, "documents": "|".join(cell.document_ids)}
    return Request(
        cell.cell_id,
        cell.question_id,
        cell.condition,
        model,
        modality,
        1,
        f"f|{model}|{modality}",
        "",
        1,
        None,
        1,
        "{}",
        json.dumps(parts),
    )


def make_response(request, text="42", status="answered", error_class="", error=""):
    return Response(
        request.cell_id,
        request.question_id,
        request.condition,
        request.model,
        request.modality,
        1,
        request.fingerprint,
        status,
        text,
        error_class,
        error,
        "stop",
        100,
        5,
        None,
        0.01,
        0.1,
        1,
        "",
        request.model,
        "{}",
        0.9,
        "",
        "t",
        "v",
    )


def make_verdict(response, correct, status="judged", reference="42"):
    judged = status == "judged"
    question = f"How many in {response.question_id}?"
    return Verdict(
        response.fingerprint,
        1,
        response.cell_id,
        response.model,
        response.modality,
        "local/rules",
        "jf",
        status,
        correct if judged else None,
        float(correct) if judged else None,
        "by value" if judged else "",
        "raw",
        "" if judged else "the reply is no JSON",
        False,
        float(correct),
        float(correct),
        None,
        0.0,
        "t",
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
                kind, _, k = condition.partition("-")
                names = {"control": (), "hn": own, "random": drawn}[kind][: int(k or 0)]
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
    return HardNegative(source, name, 1, 1.0, 0.5, 0.1, 0.0, "pass", "", 20, verdict, reason, "", position)


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
