import asyncio
import base64
import dataclasses
import hashlib

import pymupdf
import pytest
from conftest import completion

from muddle_utils import models
from muddle_utils.inference import (
    answer_requests,
    build_message,
    lost_cells,
    pending,
    plan_requests,
)
from muddle_utils.records import Cell, Document, Question
from muddle_utils.rendering import render_documents
from muddle_utils.store import Store

MODEL = "openai/some-model"


def make_document(folder, name, lines):
    path = folder / name
    document = pymupdf.open()
    for line in lines:
        document.new_page(width=300, height=400).insert_text((40, 60), line)
    path.write_bytes(document.tobytes(no_new_id=1))
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return Document(name, digest, str(path), len(lines), 0, name, "Brochure", "source", "made", "CC0-1.0")


@pytest.fixture
def study(tmp_path):
    """Two questions over one source, each alone and with two distractors, rendered in all modalities."""
    documents = [
        make_document(tmp_path, "source.pdf", ["The bridge is 418 metres long.", "It opened in 1931."]),
        make_document(tmp_path, "other.pdf", ["The tunnel is 977 metres long."]),
        make_document(tmp_path, "third.pdf", ["The viaduct is 655 metres long."]),
    ]
    questions = {
        name: Question(name, "source.pdf", text, answer, "Int", (1,), ("Pure-text",), "Brochure")
        for name, text, answer in (
            ("q1", "How long is the bridge?", "418"),
            ("q2", "When did the bridge open?", "1931"),
        )
    }
    cells = {}
    for name in questions:
        for condition, placed in (("control", ("source.pdf",)), ("hn-2", ("other.pdf", "source.pdf", "third.pdf"))):
            k = len(placed) - 1
            cell = Cell(f"{name}|{condition}", name, condition, k, "none", placed, placed.index("source.pdf"), "", "")
            cells[cell.cell_id] = cell
    rendered = {
        modality: {
            row.document_id: row
            for row in render_documents(
                documents, modality, tmp_path / "cache", renderer="pymupdf", workers=1, progress=False
            )
        }
        for modality in ("markdown", "image", "pdf")
    }
    return questions, cells, rendered


def plan(study, model=MODEL, modality="markdown", **parameters):
    questions, cells, rendered = study
    return plan_requests(cells.values(), questions, rendered[modality], model, modality, parameters)


def answer(study, store, requests, server=None, modality="markdown"):
    questions, cells, rendered = study
    base = server.url if server else ""
    return asyncio.run(
        answer_requests(
            requests, cells, questions, rendered[modality], store, concurrency=2, api_base=base, progress=False
        )
    )


@pytest.fixture(autouse=True)
def _key(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789")
    monkeypatch.setattr(models, "FIRST_WAIT", 0.01)


def test_the_whole_markdown_message(study):
    questions, cells, rendered = study
    placed = [rendered["markdown"][name] for name in cells["q1|hn-2"].document_ids]
    blocks = build_message(questions["q1"].question, placed, "markdown")
    assert [block["type"] for block in blocks] == ["text"] * 4
    assert "".join(block["text"] for block in blocks) == (
        "You are given one or more documents (converted to markdown). Using ONLY their content, answer the question "
        'with a short, direct answer and nothing else. If the documents do not contain the answer, reply "Not '
        'answerable".\n\nQuestion: How long is the bridge?\n'
        "## Document 1\n\n<!-- page 1 -->\n\nThe tunnel is 977 metres long.\n\n\n"
        "## Document 2\n\n<!-- page 1 -->\n\nThe bridge is 418 metres long.\n\n"
        "<!-- page 2 -->\n\nIt opened in 1931.\n\n\n"
        "## Document 3\n\n<!-- page 1 -->\n\nThe viaduct is 655 metres long.\n\n\n"
    )


def test_pdfs_and_images_travel_whole_and_nameless(study):
    questions, _, rendered = study
    pdf = build_message(questions["q1"].question, [rendered["pdf"]["source.pdf"]], "pdf")
    assert [block["type"] for block in pdf] == ["text", "text", "file"]
    assert pdf[2]["file"]["filename"] == "document-1.pdf"
    sent = base64.b64decode(pdf[2]["file"]["file_data"].removeprefix("data:application/pdf;base64,"))
    assert hashlib.sha256(sent).hexdigest() == rendered["pdf"]["source.pdf"].sha256
    image = build_message(questions["q1"].question, [rendered["image"]["source.pdf"]], "image", "1536q90")
    assert [block["type"] for block in image] == ["text", "text", "image_url", "image_url"]
    assert {block["image_url"]["detail"] for block in image[2:]} == {"high"}
    assert "source" not in str([block for block in pdf if block["type"] == "text"])


def test_equal_plans_have_equal_fingerprints_and_cells_have_their_own(study):
    first, again = plan(study), plan(study)
    assert first == again
    assert len({request.fingerprint for request in first}) == len(first) == 4


@pytest.mark.parametrize(
    "change",
    [
        {"model": "openai/other"},
        {"modality": "pdf"},
        {"temperature": 0.5},
    ],
)
def test_what_is_sent_otherwise_has_another_fingerprint(study, change):
    before = {request.cell_id: request.fingerprint for request in plan(study)}
    after = {request.cell_id: request.fingerprint for request in plan(study, **change)}
    assert all(before[cell_id] != after[cell_id] for cell_id in before)


def test_a_changed_prompt_or_document_has_another_fingerprint(study, monkeypatch):
    questions, cells, rendered = study
    before = plan(study)
    changed = {
        **rendered["markdown"],
        "other.pdf": dataclasses.replace(rendered["markdown"]["other.pdf"], key="another"),
    }
    after = plan_requests(cells.values(), questions, changed, MODEL, "markdown", {})
    same = {a.condition: a.fingerprint == b.fingerprint for a, b in zip(before, after, strict=True)}
    assert same == {"control": True, "hn-2": False}
    monkeypatch.setattr("muddle_utils.prompts.INSTRUCTION", "Read {form}.")
    assert all(a.fingerprint != b.fingerprint for a, b in zip(before, plan(study), strict=True))


def test_a_cell_with_an_unrendered_document_is_lost_with_the_reason(study):
    questions, cells, rendered = study
    broken = dataclasses.replace(rendered["markdown"]["other.pdf"], status="failed", problem="it is encrypted", path="")
    renderings = {**rendered["markdown"], "other.pdf": broken}
    assert [row.cell_id for row in plan_requests(cells.values(), questions, renderings, MODEL, "markdown", {})] == [
        "q1|control",
        "q2|control",
    ]
    assert [(row.identifier, row.detail) for row in lost_cells(cells.values(), renderings)] == [
        ("q1|hn-2", "other.pdf: it is encrypted"),
        ("q2|hn-2", "other.pdf: it is encrypted"),
    ]


def test_answered_requests_are_never_sent_again_and_failed_ones_are(study, chat_server, tmp_path):
    requests = plan(study)
    # The second and the third request fail in the first run; the sixth request and later ones are the second run's.
    chat_server.respond = lambda number, body: (
        (400, {}, {"error": {"message": "no"}}) if number in (2, 3) else (200, {}, completion("42"))
    )
    with Store(tmp_path / "store.sqlite") as store:
        assert answer(study, store, requests, chat_server) == 4
        assert len(pending(requests, store)) == 2
        failed = [row for row in store.responses() if row.status == "failed"]
        assert {row.error_class for row in failed} == {"bad_request"}
        assert answer(study, store, requests, chat_server) == 2
        assert len(chat_server.requests) == 6
        assert pending(requests, store) == []
        assert answer(study, store, requests, chat_server) == 0
        assert len(chat_server.requests) == 6
        assert len(store.attempts()) == 6, "the failures are kept, too"
        assert {row.model for row in store.responses()} == {MODEL}


def test_nothing_is_sent_without_a_key(study, chat_server, tmp_path, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY")
    with (
        Store(tmp_path / "store.sqlite") as store,
        pytest.raises(models.ModelError, match="needs OPENAI_API_KEY in the environment"),
    ):
        answer(study, store, plan(study), chat_server)
    assert chat_server.requests == []


@pytest.mark.parametrize("modality", ["markdown", "pdf", "image"])
def test_the_embedded_reader_answers_in_every_modality(study, tmp_path, modality):
    requests = plan(study, model=models.READER, modality=modality)
    with Store(tmp_path / "store.sqlite") as store:
        answer(study, store, requests, modality=modality)
        texts = {row.cell_id: row.text for row in store.responses()}
        assert len(texts) == 4
        assert "418" in texts["q1|control"]
        row = next(row for row in store.responses() if row.cell_id == "q1|control")
    assert row.confidence is not None
    assert '"page": 1' in row.read_from
    assert row.cost == 0.0
