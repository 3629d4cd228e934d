"""Corpora: selection by rule, bad files named with the mend, downloads that are whole or not there."""

import csv
import dataclasses
import hashlib
import json
import threading
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote

import pymupdf
import pytest

from muddle_utils.corpus import checks, corpora, downloads, pdf_facts
from muddle_utils.corpus.checks import (
    ABSENT_DOCUMENT,
    CONTRADICTING,
    DAMAGED_DOCUMENT,
    FITS_NO_FORMAT,
    NO_EVIDENCE_SOURCE,
    OTHER_EVIDENCE,
    PAGE_OUTSIDE,
    REPEATED,
    UNANSWERABLE,
    CorpusError,
    fits_format,
    infer_format,
)
from muddle_utils.corpus.corpora import load_corpus
from muddle_utils.corpus.downloads import PinnedFile, fetch_mmlongbench, git_blob_sha1
from muddle_utils.corpus.pdf_facts import physical_pages
from muddle_utils.study.paths import project_root


def pdf_bytes(n_pages=3, labels=(), title="", text="Page {number} of the report", **options):
    document = pymupdf.open()
    for number in range(1, n_pages + 1):
        document.new_page().insert_text((72, 72), text.format(number=number))
    if labels:
        document.set_page_labels(list(labels))
    document.set_metadata({"title": title})
    return document.tobytes(no_new_id=1, **options)


# --- Values ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "answer_format", "fits"),
    [
        ("12", "Int", True),
        ("-12", "Int", True),
        ("1,200", "Int", True),
        ("12,00", "Int", False),
        ("21%", "Int", False),
        ("14:04 CET", "Int", False),
        ("GPT-4", "Int", False),
        ("3.5", "Float", True),
        ("12", "Float", True),
        ("73.2% ", "Float", True),
        ("$1,577.00", "Float", True),
        ("(3.65%)", "Float", True),
        (".5", "Float", True),
        ("five", "Float", False),
        ("['a', 'b']", "List", True),
        ('["a"]', "List", True),
        ("0.66", "List", False),
        ("[]", "List", False),
        ("[print(1)]", "List", False),  # parsed, never executed
        ("('a', 'b')", "List", False),
        ("Lyon", "Str", True),
        (" ", "Str", False),
        ("Not answerable", "None", True),
        ("Not answerable or 0 or none", "None", True),
        ("Lyon", "None", False),
        ("Lyon", "Text", False),
    ],
)
def test_formats(answer, answer_format, fits):
    assert fits_format(answer, answer_format) is fits


def test_inferred_formats_fit():
    answers = {"7": "Int", "007": "Str", "0.5": "Float", "['a']": "List", "None": "Str", "Not answerable": "None"}
    for answer, expected in answers.items():
        assert infer_format(answer) == expected
        assert fits_format(answer, expected)


def test_a_list_literal_that_cannot_be_one_is_refused_quietly():
    for text in ("{[]: 1}", "[" * 5000, "['\\d']x", "9" * 5000):
        assert checks.literal_list(text) is None


def test_printed_page_numbers_are_resolved_whole_or_not_at_all():
    labels = ("i", "ii", "289", "290", "3")
    assert physical_pages((1, 5), 5, labels) == ((1, 5), "", "")  # within the file: physical, whatever is printed
    assert physical_pages((289, 290), 5, labels) == ((3, 4), "printed pages [289, 290] are physical pages [3, 4]", "")
    assert physical_pages((290, 3), 5, labels)[0] == (4, 5)  # the whole row is read as printed numbers
    assert physical_pages((290, 2), 5, labels)[0] == (4, 2)  # 2 is printed nowhere, and is a page
    assert physical_pages((290, 1418), 5, labels) == ((290, 1418), "", "page 1418 of a document of 5 pages")
    assert physical_pages((0,), 5, labels)[2] == "page 0 of a document of 5 pages"
    assert physical_pages((9,), 3, ("9", "9", "x"))[2] == "page 9 of a document of 3 pages"  # ambiguous
    assert physical_pages((), 5, ()) == ((), "", "")


# --- MMLongBench-Doc in miniature ------------------------------------------------------------------------------------


def sample(question, document="a.pdf", answer="Lyon", pages="[1]", sources="['Table']", answer_format="Str"):
    return {
        "doc_id": document,
        "doc_type": "Brochure",
        "question": question,
        "answer": answer,
        "evidence_pages": pages,
        "evidence_sources": sources,
        "answer_format": answer_format,
    }


PLAIN = "['Pure-text (Plain-text)', 'Table']"
SAMPLES = [
    sample("kept one", sources=PLAIN),
    sample("kept two", answer="['x', 'y']", answer_format="List", pages="[]"),
    sample("printed", pages="[289]"),
    sample("unanswerable", answer="Not answerable", pages="[]", sources="[]", answer_format="None"),
    sample("no source", sources="[]"),
    sample("chart", sources="['Chart', 'Table']"),
    sample("twice", answer="46%", answer_format="Float"),
    sample("twice ", answer="Not answerable", answer_format="None", sources="[]"),
    sample("same", answer="1", answer_format="Int"),
    sample("same", answer="1", answer_format="Int"),
    sample("no format", answer="21%", answer_format="Int"),
    sample("absent", document="gone.pdf"),
    sample("damaged", document="bad.pdf"),
    sample("page zero", pages="[0]"),
    sample("lost comma", pages="[1, 1418]"),
]
EXCLUDED = {
    "unanswerable": UNANSWERABLE,
    "no source": NO_EVIDENCE_SOURCE,
    "chart": OTHER_EVIDENCE,
    "twice": CONTRADICTING,
    "same": REPEATED,
    "no format": FITS_NO_FORMAT,
    "absent": ABSENT_DOCUMENT,
    "damaged": DAMAGED_DOCUMENT,
    "page zero": PAGE_OUTSIDE,
    "lost comma": PAGE_OUTSIDE,
}


@pytest.fixture
def miniature(tmp_path):
    (tmp_path / "documents" / "sub").mkdir(parents=True)
    labels = [{"startpage": 0, "style": "D", "firstpagenum": 288}]
    (tmp_path / "documents" / "a.pdf").write_bytes(pdf_bytes(3, labels, title="  A   report "))
    (tmp_path / "documents" / "bad.pdf").write_bytes(b"<html><body>404</body></html>")
    (tmp_path / "documents" / "sub" / "Nobody.PDF").write_bytes(pdf_bytes(2))
    (tmp_path / "samples_v1.json").write_text(json.dumps(SAMPLES))
    types = [
        {"doc_id": "a.pdf", "question": "kept one", "task_type": "lookup", "requires_visual": False},
        {"doc_id": "a.pdf", "question": "kept two", "task_type": "derive", "requires_visual": True},
    ]
    (tmp_path / "question_types.json").write_text(json.dumps(types))
    return tmp_path


def test_selection_by_rule(miniature):
    corpus = load_corpus("mmlongbench", str(miniature))
    assert [question.question for question in corpus.questions] == ["kept one", "kept two", "printed", "same"]
    found = Counter((item.reason, item.kind) for item in corpus.exclusions)
    expected = Counter((reason, "question") for reason in EXCLUDED.values())
    expected[CONTRADICTING, "question"] += 1  # both rows of the pair
    expected += Counter({(ABSENT_DOCUMENT, "document"): 1, (DAMAGED_DOCUMENT, "document"): 1})
    assert found == expected
    for item in corpus.exclusions:
        if item.kind == "question":
            text = item.detail.split(": ", 1)[1].split(" [")[0].strip()
            assert item.reason == EXCLUDED[text]
    assert len(corpus.questions) + sum(item.kind == "question" for item in corpus.exclusions) == len(SAMPLES)


def test_fields_of_a_selected_question(miniature):
    one, two, printed, _ = load_corpus("mmlongbench", str(miniature)).questions
    digest = hashlib.sha256(b"a.pdf\nkept one").hexdigest()[:10]
    assert one.question_id == f"mmlb-{digest}"
    assert (one.evidence_pages, one.evidence_sources) == ((1,), ("Pure-text (Plain-text)", "Table"))
    assert (one.task_type, one.skill, one.requires_visual, one.annotation) == ("lookup", "recall", False, "v1")
    assert (two.task_type, two.skill, two.requires_visual) == ("derive", "reasoning", True)
    assert (printed.skill, printed.task_type) == ("", "")
    assert two.evidence_pages == ()


def test_a_resolved_page_is_noted(miniature):
    corpus = load_corpus("mmlongbench", str(miniature))
    assert corpus.questions[2].evidence_pages == (2,)
    assert any("printed pages [289] are physical pages [2]" in note for note in corpus.notes)
    assert any("not the v1 revision this study pins" in note for note in corpus.notes)


def test_every_fault_of_a_row_is_told(miniature):
    corpus = load_corpus("mmlongbench", str(miniature))
    detail = next(item.detail for item in corpus.exclusions if item.reason == CONTRADICTING and "also" in item.detail)
    assert "['46%', 'Not answerable']" in detail
    assert f"also {UNANSWERABLE}" in detail


def test_documents_of_the_pool(miniature):
    documents = {item.document_id: item for item in load_corpus("mmlongbench", str(miniature)).documents}
    assert list(documents) == ["a.pdf", "bad.pdf", "sub/Nobody.PDF"]
    a = documents["a.pdf"]
    assert (a.n_pages, a.title, a.role, a.document_type, a.problem) == (3, "A report", "source", "Brochure", "")
    assert a.sha256 == hashlib.sha256((miniature / "documents" / "a.pdf").read_bytes()).hexdigest()
    assert a.n_chars == len("Page 1 of the report") * 3
    nobody = documents["sub/Nobody.PDF"]
    assert (nobody.role, nobody.document_type, nobody.title) == ("unrelated", "", "Page 1 of the report")
    assert "HTML page" in documents["bad.pdf"].problem


def test_unanswerable_questions_are_kept_on_request(miniature):
    plain = load_corpus("mmlongbench", str(miniature)).questions
    kept = load_corpus("mmlongbench", str(miniature), keep_unanswerable=True).questions
    assert [item.question for item in kept if item not in plain] == ["unanswerable"]


def test_a_second_load_opens_no_pdf(miniature, tmp_path, monkeypatch):
    first = load_corpus("mmlongbench", str(miniature), cache=tmp_path / "cache")
    monkeypatch.setattr(pdf_facts, "read_facts", lambda path: pytest.fail(f"{path} was opened"))
    assert load_corpus("mmlongbench", str(miniature), cache=tmp_path / "cache") == first


def test_a_changed_file_or_a_torn_cache_is_read_again(miniature, tmp_path):
    cache = tmp_path / "cache"
    first = load_corpus("mmlongbench", str(miniature), cache=cache)
    for path in (cache / "documents").iterdir():
        path.write_text(path.read_text()[:20])
    assert load_corpus("mmlongbench", str(miniature), cache=cache) == first
    (miniature / "documents" / "a.pdf").write_bytes(pdf_bytes(5))
    assert load_corpus("mmlongbench", str(miniature), cache=cache).documents[0].n_pages == 5


def test_many_files_are_read_in_worker_processes(tmp_path):
    paths = {}
    for number in range(1, pdf_facts.READ_HERE + 3):
        paths[f"{number}.pdf"] = tmp_path / f"{number}.pdf"
        paths[f"{number}.pdf"].write_bytes(pdf_bytes(number))
    paths["bad.pdf"] = tmp_path / "bad.pdf"
    paths["bad.pdf"].write_bytes(b"")
    facts = pdf_facts.gather_facts(paths, dict.fromkeys(paths, ""), None)
    assert list(facts) == list(paths)
    assert {name: fact.n_pages for name, fact in facts.items()} == {
        **{f"{number}.pdf": number for number in range(1, pdf_facts.READ_HERE + 3)},
        "bad.pdf": 0,
    }
    assert facts["3.pdf"] == pdf_facts.read_facts(str(paths["3.pdf"]))


def test_bytes_other_than_the_pinned_ones_are_damage(miniature, monkeypatch):
    blobs = [
        PinnedFile("r", "c", "p", "0" * 40, name) for name in ("samples_v1.json", "samples_v2.json", "documents/a.pdf")
    ]
    monkeypatch.setattr(corpora, "pinned_files", lambda: blobs)
    corpus = load_corpus("mmlongbench", str(miniature))
    assert corpus.questions == ()
    assert "not those of the pinned commit" in corpus.documents[0].problem


def test_annotations_are_found_in_the_places_upstream_puts_them(miniature):
    samples = (miniature / "samples_v1.json").read_bytes()
    (miniature / "samples_v1.json").unlink()
    for name in ("samples.json", "data/samples.json"):
        (miniature / "data").mkdir(exist_ok=True)
        (miniature / name).write_bytes(samples)
        assert len(load_corpus("mmlongbench", str(miniature), "v1").questions) == 4
        assert load_corpus("mmlongbench", str(miniature), "v2").questions[0].annotation == "v2"
        (miniature / name).unlink()
    with pytest.raises(CorpusError, match=r"holds no v1 annotations \(looked for samples_v1\.json"):
        load_corpus("mmlongbench", str(miniature))


def test_v1_annotations_are_not_taken_for_v2(miniature, monkeypatch):
    blob = git_blob_sha1(miniature / "samples_v1.json")
    (miniature / "samples_v1.json").rename(miniature / "samples.json")
    pinned = [PinnedFile("r", "c", "p", blob, "samples_v1.json"), PinnedFile("r", "c", "p", "0", "samples_v2.json")]
    monkeypatch.setattr(corpora, "pinned_files", lambda: pinned)
    assert load_corpus("mmlongbench", str(miniature), "v1").questions
    with pytest.raises(CorpusError, match="holds no v2 annotations"):
        load_corpus("mmlongbench", str(miniature), "v2")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"{", "is not JSON in UTF-8"),
        (b"\xff", "is not JSON in UTF-8"),
        (b"{}", "does not hold a list"),
        (b'[{"doc_id": "a"}]', "row 1: field 'doc_type' is missing"),
        (b"[3]", "row 1: field 'doc_id' is missing"),
        (json.dumps([sample(7)]).encode(), "row 1: field 'question' is not text"),
    ],
)
def test_wrong_annotations_are_named(miniature, content, message):
    (miniature / "samples_v1.json").write_bytes(content)
    with pytest.raises(CorpusError, match=message):
        load_corpus("mmlongbench", str(miniature))


def test_wrong_parameters_are_named(tmp_path):
    with pytest.raises(CorpusError, match="annotation = 'v3'"):
        load_corpus("mmlongbench", annotation="v3")
    with pytest.raises(CorpusError, match=r"data_dir = .*there is no folder"):
        load_corpus("mmlongbench", str(tmp_path / "none"))
    for name in ("demmo", "", str(tmp_path / "none")):
        with pytest.raises(CorpusError, match="take 'demo', 'mmlongbench' or the path of a folder"):
            load_corpus(name)


# --- Downloads -------------------------------------------------------------------------------------------------------


@dataclasses.dataclass
class FileServer:
    """Files on loopback: path to a list of answers (status, body, bytes really sent), the last of which stays."""

    url: str = ""
    answers: dict = dataclasses.field(default_factory=dict)
    asked: list = dataclasses.field(default_factory=list)


@pytest.fixture
def file_server():
    state = FileServer()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            path = unquote(self.path).lstrip("/")
            state.asked.append(path)
            answers = state.answers.get(path, [(404, b"not found", None)])
            status, body, sent = answers.pop(0) if len(answers) > 1 else answers[0]
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body[:sent])

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    state.url = f"http://127.0.0.1:{server.server_address[1]}"
    yield state
    server.shutdown()
    server.server_close()


CONTENTS = {f"documents/file {number}.pdf": f"%PDF-1.4 content {number}".encode() * 3000 for number in range(4)}


@pytest.fixture
def upstream(file_server, monkeypatch):
    def blob(data):
        return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()

    pinned = [PinnedFile("owner/repo", "c0ffee", f"data/{name}", blob(data), name) for name, data in CONTENTS.items()]
    monkeypatch.setattr(downloads, "pinned_files", lambda: pinned)
    for file in pinned:
        file_server.answers[f"owner/repo/c0ffee/{file.path}"] = [(200, CONTENTS[file.saved_as], None)]
    return file_server


def fetch(folder, server, **settings):
    fetch_mmlongbench(folder, server.url, progress=False, **{"retries": 0, **settings})


def files(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def path_of(number):
    return f"owner/repo/c0ffee/data/documents/file {number}.pdf"


def test_blob_digest_is_gits(tmp_path):
    # git hash-object of the empty file and of "hello\n" are well known.
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "hello").write_bytes(b"hello\n")
    assert git_blob_sha1(tmp_path / "empty") == "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
    assert git_blob_sha1(tmp_path / "hello") == "ce013625030ba8dba906f756967f9e9ca394464a"


def test_a_download_is_whole_and_leaves_nothing_else(upstream, tmp_path):
    fetch(tmp_path, upstream)
    assert files(tmp_path) == CONTENTS
    assert not (tmp_path / ".partial").exists()


def test_what_is_there_and_right_is_not_fetched_again(upstream, tmp_path):
    fetch(tmp_path, upstream)
    (tmp_path / "documents/file 1.pdf").write_bytes(b"something else")
    (tmp_path / "documents/file 2.pdf").unlink()
    upstream.asked.clear()
    fetch(tmp_path, upstream)
    assert upstream.asked == [path_of(1), path_of(2)]
    assert files(tmp_path) == CONTENTS


def test_the_annotations_alone_are_fetched_and_the_pdfs_later(upstream, tmp_path, monkeypatch):
    rows = b"[]\n"
    blob = hashlib.sha1(b"blob %d\0" % len(rows) + rows).hexdigest()
    pinned = [
        PinnedFile("owner/repo", "c0ffee", "data/samples.json", blob, "samples_v1.json"),
        *downloads.pinned_files(),
    ]
    monkeypatch.setattr(downloads, "pinned_files", lambda: pinned)
    upstream.answers["owner/repo/c0ffee/data/samples.json"] = [(200, rows, None)]
    fetch(tmp_path, upstream, annotations_only=True)
    assert upstream.asked == ["owner/repo/c0ffee/data/samples.json"]
    assert files(tmp_path) == {"samples_v1.json": rows}
    fetch(tmp_path, upstream)
    assert files(tmp_path) == {"samples_v1.json": rows, **CONTENTS}


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ((404, b"not found", None), "404"),
        ((500, b"server error", None), "500"),
        ((200, b"<html>log in</html>", None), "other bytes"),
        ((200, CONTENTS["documents/file 1.pdf"], 1000), "IncompleteRead|broken"),
        ((200, CONTENTS["documents/file 1.pdf"][:1000], None), "other bytes"),
        ((200, b"", None), "other bytes"),
    ],
    ids=["absent", "server error", "wrong bytes", "cut connection", "truncated", "empty"],
)
def test_a_bad_answer_leaves_no_file_and_a_second_run_resumes(upstream, tmp_path, answer, message):
    whole = upstream.answers[path_of(1)]
    upstream.answers[path_of(1)] = [answer]
    with pytest.raises(CorpusError, match=message) as error:
        fetch(tmp_path, upstream)
    assert "documents/file 1.pdf" in str(error.value)
    assert "1 of 4 missing files" in str(error.value)
    assert "Run again" in str(error.value)
    assert files(tmp_path) == {name: data for name, data in CONTENTS.items() if "1" not in name}
    upstream.answers[path_of(1)] = whole
    upstream.asked.clear()
    fetch(tmp_path, upstream)
    assert upstream.asked == [path_of(1)]
    assert files(tmp_path) == CONTENTS


def test_a_passing_fault_is_tried_again(upstream, tmp_path):
    upstream.answers[path_of(1)] = [(503, b"busy", None), *upstream.answers[path_of(1)]]
    fetch(tmp_path, upstream, retries=1)
    assert files(tmp_path) == CONTENTS
    assert upstream.asked.count(path_of(1)) == 2


def test_three_failures_in_a_row_end_the_attempt(upstream, tmp_path):
    for number in range(3):
        upstream.answers[path_of(number)] = [(404, b"", None)]
    with pytest.raises(CorpusError, match="3 of 4 missing files"):
        fetch(tmp_path, upstream)
    assert path_of(3) not in upstream.asked


def test_an_unreachable_server_is_one_clear_error(upstream, tmp_path):
    with pytest.raises(CorpusError, match=r"could not be downloaded from http://127\.0\.0\.1:9[\s\S]*data_dir"):
        fetch_mmlongbench(tmp_path, "http://127.0.0.1:9", progress=False, retries=0)


def test_an_interruption_keeps_what_was_whole(upstream, tmp_path, monkeypatch):
    right = downloads.git_blob_sha1

    def interrupted(path):
        if upstream.asked and upstream.asked[-1] == path_of(2):
            raise KeyboardInterrupt
        return right(path)

    monkeypatch.setattr(downloads, "git_blob_sha1", interrupted)
    with pytest.raises(KeyboardInterrupt):
        fetch(tmp_path, upstream)
    monkeypatch.undo()
    assert set(files(tmp_path)) == {"documents/file 0.pdf", "documents/file 1.pdf"}


def test_the_environment_names_another_server(upstream, tmp_path, monkeypatch):
    monkeypatch.setenv("MUDDLE_MMLONGBENCH_URL", upstream.url + "/")
    fetch_mmlongbench(tmp_path, progress=False, retries=0)
    assert files(tmp_path) == CONTENTS


def test_a_full_folder_or_no_data_dir_decides_about_the_network(miniature, monkeypatch):
    fetched = []
    monkeypatch.setattr(corpora, "fetch_mmlongbench", lambda folder, **_: fetched.append(folder))
    monkeypatch.setattr(corpora, "resolve", lambda path: miniature)
    load_corpus("mmlongbench", str(miniature))
    load_corpus("mmlongbench", offline=True)
    assert fetched == []
    load_corpus("mmlongbench")
    assert fetched == [miniature]


def test_the_pinned_list():
    files = downloads.pinned_files()
    assert len(files) == 140
    assert len({file.saved_as for file in files}) == 140
    assert sum(file.saved_as.startswith("documents/") for file in files) == 135
    assert all(len(file.git_blob_sha1) == len(file.commit) == 40 for file in files)
    assert {file.saved_as for file in files if not file.saved_as.startswith("documents/")} == {
        "samples_v1.json",
        "samples_v2.json",
        "question_types.json",
        "corrections.json",
        "diff.json",
    }


# --- A folder of one's own -------------------------------------------------------------------------------------------

HEADER = ["question_id", "document_id", "question", "answer", "answer_format", "evidence_pages"]


@pytest.fixture
def own(tmp_path):
    folder = tmp_path / "mine"
    (folder / "documents" / "2024").mkdir(parents=True)
    (folder / "documents" / "2024" / "report.pdf").write_bytes(pdf_bytes(3))
    (folder / "documents" / "other.pdf").write_bytes(pdf_bytes(2))
    return folder


def write_csv(folder, *rows, header=HEADER):
    with (folder / "questions.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([header, *rows])


def write_jsonl(folder, *rows):
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    (folder / "questions.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


def row(**fields):
    return {"document_id": "2024/report.pdf", "question": "How many?", "answer": "12", **fields}


def fails(folder, *messages):
    with pytest.raises(CorpusError) as error:
        load_corpus(str(folder))
    for message in messages:
        assert message in str(error.value), str(error.value)
    return str(error.value)


def test_a_small_jsonl_file(own):
    write_jsonl(own, row(), row(question="Who?", answer="Lyon", question_id="mine-1", evidence_pages=[1, 3]))
    corpus = load_corpus(str(own))
    one, two = corpus.questions
    assert (one.answer_format, one.annotation, one.evidence_pages) == ("Int", "own", ())
    assert one.question_id.startswith("own-")
    assert (two.question_id, two.evidence_pages, two.answer_format) == ("mine-1", (1, 3), "Str")
    roles = {item.document_id: item.role for item in corpus.documents}
    assert roles == {"2024/report.pdf": "source", "other.pdf": "unrelated"}
    assert (corpus.name, corpus.exclusions, corpus.notes) == ("mine", (), ())


def test_none_and_007_survive_a_csv_file(own):
    write_csv(
        own,
        ["007", "other.pdf", "Which code?", "007", "", ""],
        ["None", "other.pdf", "Which word?", "None", "", ""],
        ["NA", "other.pdf", "Which one?", "NA", "Str", "1;2"],
        ["null", "other.pdf", "Nothing?", "Not answerable", "None", ""],
    )
    questions = load_corpus(str(own)).questions
    assert [item.question_id for item in questions] == ["007", "None", "NA", "null"]
    assert [item.answer for item in questions] == ["007", "None", "NA", "Not answerable"]
    assert [item.answer_format for item in questions] == ["Str", "Str", "Str", "None"]
    assert questions[2].evidence_pages == (1, 2)


def test_csv_and_jsonl_say_the_same(own, tmp_path):
    write_csv(own, ["q", "other.pdf", 'Say "what",\nplease?', "['a', 'b, c']", "List", "[2]"])
    from_csv = load_corpus(str(own)).questions
    (own / "questions.csv").unlink()
    write_jsonl(
        own,
        {
            "question_id": "q",
            "document_id": "other.pdf",
            "question": 'Say "what",\nplease?',
            "answer": ["a", "b, c"],
            "answer_format": "List",
            "evidence_pages": [2],
        },
    )
    assert load_corpus(str(own)).questions == from_csv


def test_a_byte_order_mark_and_blank_lines_do_no_harm(own):
    (own / "questions.csv").write_bytes("\ufeffdocument_id,question,answer\r\n\r\nother.pdf,Why?,x\r\n".encode())
    assert load_corpus(str(own)).questions[0].answer == "x"


def test_pdfs_may_lie_beside_the_questions(tmp_path):
    (tmp_path / "a.pdf").write_bytes(pdf_bytes(1))
    write_jsonl(tmp_path, row(document_id="a.pdf"))
    assert load_corpus(str(tmp_path)).documents[0].document_id == "a.pdf"


def test_all_fields_of_a_row(own):
    write_jsonl(
        own,
        row(
            evidence_sources=["Table"],
            evidence_spans="One, two and three.",
            document_type="Memo",
            task_type="count",
            skill="reasoning",
            requires_visual=True,
            comment="mine",
        ),
    )
    corpus = load_corpus(str(own))
    (question,) = corpus.questions
    assert question.evidence_spans == ("One, two and three.",)
    assert (question.evidence_sources, question.skill, question.requires_visual) == (("Table",), "reasoning", True)
    assert {item.document_type for item in corpus.documents} == {"Memo", ""}
    assert corpus.notes == ("columns not used: comment",)


@pytest.mark.parametrize(
    ("fields", "messages"),
    [
        ({"question": " "}, ["field 'question': empty"]),
        ({"answer": ""}, ["field 'answer': empty", "Not answerable"]),
        ({"answer": None}, ["field 'answer': empty"]),
        ({"answer": True}, ["field 'answer': True is not an answer"]),
        ({"answer": float("nan")}, ["field 'answer': nan is not an answer"]),
        ({"answer": {}}, ["field 'answer': {} is not an answer"]),
        ({"answer": []}, ["field 'answer': empty"]),
        ({"question": 3}, ["field 'question': 3 is not text"]),
        ({"document_id": ""}, ["field 'document_id': empty"]),
        ({"document_id": "2024/reprot.pdf"}, ["field 'document_id'", "is '2024/report.pdf' meant?"]),
        ({"document_id": "../secret.pdf"}, ["field 'document_id': there is no document '../secret.pdf'"]),
        ({"answer_format": "Integer"}, ["field 'answer_format': 'Integer' is not one of Int, Float"]),
        ({"answer": "21%", "answer_format": "Int"}, ["field 'answer': '21%' does not fit answer_format Int"]),
        ({"evidence_pages": [4]}, ["field 'evidence_pages': page 4 of a document of 3 pages", "counted from 1"]),
        ({"evidence_pages": [0]}, ["page 0 of a document of 3 pages"]),
        ({"evidence_pages": "two"}, ["field 'evidence_pages': 'two' is not a list of page numbers"]),
        ({"evidence_pages": [True]}, ["is not a list of page numbers"]),
        ({"evidence_pages": "[__import__('os')]"}, ["is not a list of page numbers"]),
        ({"evidence_sources": [3]}, ["field 'evidence_sources': [3] is not a list of texts"]),
        ({"question_id": "a|b"}, ["field 'question_id': may hold no '|'"]),
        ({"skill": "guess"}, ["field 'skill': 'guess'"]),
        ({"requires_visual": "maybe"}, ["field 'requires_visual': 'maybe'"]),
        ({"evidence_page": [1]}, ["field 'evidence_page': the column is not known; is 'evidence_pages' meant?"]),
    ],
)
def test_a_wrong_value_is_named_with_line_and_field(own, fields, messages):
    write_jsonl(own, row(question="first"), row(**fields))
    fails(own, "questions.jsonl has 1 problem", "line 2, ", *messages)


def test_a_missing_column_is_named(own):
    write_csv(own, ["other.pdf", "Why?"], header=["document_id", "question"])
    fails(own, "questions.csv has 1 problem", "line 1, field 'answer': the column is missing")
    (own / "questions.csv").write_text("document_id;question;answer\nother.pdf;Why?;x\n")
    fails(own, "columns are separated by commas")
    (own / "questions.csv").unlink()
    incomplete = row()
    del incomplete["document_id"]
    write_jsonl(own, incomplete)
    fails(own, "line 1, field 'document_id': the column is missing")


def test_hard_negatives_of_ones_own_choice(own, tmp_path):
    (own / "documents" / "a, b.pdf").write_bytes(pdf_bytes(2))
    write_jsonl(own, row(hard_negatives=["other.pdf", "a, b.pdf"]), row(question="Who?", answer="x", hard_negatives=[]))
    corpus = load_corpus(str(own))
    assert corpus.hard_negatives == {"2024/report.pdf": ("other.pdf", "a, b.pdf")}
    roles = {item.document_id: item.role for item in corpus.documents}
    assert roles == {"2024/report.pdf": "source", "other.pdf": "hard_negative", "a, b.pdf": "hard_negative"}
    assert corpus.notes == ()
    (own / "questions.jsonl").unlink()
    header = ["document_id", "question", "answer", "hard_negatives"]
    write_csv(own, ["2024/report.pdf", "Who?", "x", "other.pdf; a, b.pdf"], header=header)
    assert load_corpus(str(own)).hard_negatives == corpus.hard_negatives
    write_csv(own, ["2024/report.pdf", "Who?", "x", "['other.pdf', 'a, b.pdf']"], header=header)
    assert load_corpus(str(own)).hard_negatives == corpus.hard_negatives


@pytest.mark.parametrize(
    ("named", "message"),
    [
        (["othr.pdf"], "there is no document 'othr.pdf'; is 'other.pdf' meant?"),
        (["2024/report.pdf"], "'2024/report.pdf' is the row's own source; take it out"),
        (["other.pdf", "other.pdf"], "'other.pdf' is named twice; name it once"),
        ([7], "[7] is not a list of texts such as ['near.pdf', '2024/nearer.pdf']"),
        ("[other.pdf", "'[other.pdf' is not a list of texts"),
    ],
)
def test_hard_negatives_that_cannot_be_are_named(own, named, message):
    write_jsonl(own, row(question="Where?", answer="x"), row(hard_negatives=named))
    fails(own, "questions.jsonl has 1 problem", f"line 2, field 'hard_negatives': {message}")


def test_hard_negatives_of_one_document_that_differ_are_refused(own):
    (own / "documents" / "third.pdf").write_bytes(pdf_bytes(2))
    one, other = ["other.pdf", "third.pdf"], ["third.pdf", "other.pdf"]
    write_jsonl(own, row(hard_negatives=one), row(question="Who?"), row(question="Why?", hard_negatives=other))
    message = fails(own, "line 3, field 'hard_negatives'", f"line 1 names {one}", "give one list and one order")
    assert str(other) in message
    write_jsonl(own, row(hard_negatives=one), row(document_id="other.pdf", hard_negatives=["third.pdf"]))
    assert set(load_corpus(str(own)).hard_negatives) == {"2024/report.pdf", "other.pdf"}


def test_a_misspelt_column_of_hard_negatives_is_named(own):
    write_jsonl(own, row(hard_negative=["other.pdf"]))
    fails(own, "is 'hard_negatives' meant?")


def test_duplicate_identifiers_are_named(own):
    write_jsonl(own, row(question_id="q1"), row(question_id="q2", question="b"), row(question_id="q1", question="c"))
    fails(own, "line 3, field 'question_id': 'q1' is also on line 1")
    write_jsonl(own, row(), row())
    fails(own, "line 2, field 'question_id'")


def test_bytes_that_are_not_utf8_are_named(own):
    (own / "questions.csv").write_bytes(b"document_id,question,answer\nother.pdf,Wo?,K\xf6ln\n")
    fails(own, "line 2: byte 0xf6 is not UTF-8")


def test_lines_that_are_not_json_are_named(own):
    write_jsonl(own, row(), "{'document_id': 'x'}", "[1]", '{"a": ' + "[" * 100_000)
    message = fails(own, "3 problems", "line 2: not JSON", "line 3: not a JSON object", "line 4: not JSON")
    assert len(message) < 2000


def test_broken_csv_is_named(own):
    (own / "questions.csv").write_text('document_id,question,answer\nother.pdf,Why, not?,x\nother.pdf,"Why?" z,x\n')
    fails(own, "line 2: 4 cells under 3 columns", "line 3: not CSV")
    (own / "questions.csv").write_text("document_id,question,answer,answer\nother.pdf,Why?,x,y\n")
    fails(own, "field 'answer': the column stands twice")


def test_all_problems_come_in_one_error_and_twenty_are_shown(own):
    write_jsonl(own, *(row(question=f"q{number}", skill="guess") for number in range(30)))
    message = fails(own, "30 problems", "line 20, ", "and 10 more")
    assert "line 21, " not in message


def test_a_folder_without_questions_or_documents(own):
    fails(own, "neither questions.jsonl nor questions.csv")
    write_jsonl(own, row())
    write_csv(own)
    fails(own, "keep one")
    (own / "questions.csv").unlink()
    (own / "questions.jsonl").write_text("\n")
    fails(own, "holds no question")
    write_jsonl(own, row())
    for path in (own / "documents").rglob("*.pdf"):
        path.unlink()
    fails(own, "holds no PDF")


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "empty"),
        (b"<html></html>", "HTML"),
        (b"%PDF-1.7 garbage", "damaged"),
        (pdf_bytes(encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="x", owner_pw="y"), "password"),
    ],
    ids=["empty", "html", "garbage", "encrypted"],
)
def test_a_file_that_is_no_usable_pdf_becomes_a_row_with_its_reason(own, data, problem):
    (own / "documents" / "other.pdf").write_bytes(data)
    write_jsonl(own, row(), row(document_id="other.pdf"))
    corpus = load_corpus(str(own))
    assert [item.document_id for item in corpus.questions] == ["2024/report.pdf"]
    assert {(item.kind, item.reason) for item in corpus.exclusions} == {
        ("question", DAMAGED_DOCUMENT),
        ("document", DAMAGED_DOCUMENT),
    }
    bad = next(item for item in corpus.documents if item.document_id == "other.pdf")
    assert problem in bad.problem
    assert bad.n_pages == 0


# --- The embedded corpus ---------------------------------------------------------------------------------------------


@pytest.fixture
def small_demo(tmp_path, monkeypatch):
    folder = tmp_path / "data" / "demo"
    (folder / "documents").mkdir(parents=True)
    data = pdf_bytes(2)
    (folder / "documents" / "a.pdf").write_bytes(data)
    document = {
        "document_id": "a.pdf",
        "sha256": hashlib.sha256(data).hexdigest(),
        "n_pages": 2,
        "n_chars": 40,
        "title": "A",
        "document_type": "Brochure",
        "family": "only the corpus's own checks read this",
        "role": "source",
        "origin": "written",
        "licence": "CC0-1.0",
    }
    question = {
        "question_id": "demo-1",
        "document_id": "a.pdf",
        "question": "Which page?",
        "answer": "1",
        "answer_format": "Int",
        "evidence_pages": [1],
        "evidence_sources": ["Table"],
        "document_type": "Brochure",
        "evidence_spans": ["Page 1"],
    }
    (folder / "documents.jsonl").write_text(json.dumps(document) + "\n")
    (folder / "questions.jsonl").write_text(json.dumps(question) + "\n")
    monkeypatch.setattr(corpora, "project_root", lambda: tmp_path)
    return folder


def test_the_demo_rows_are_read(small_demo):
    corpus = load_corpus("demo")
    assert corpus.questions[0].evidence_spans == ("Page 1",)
    assert corpus.documents[0].path == str(small_demo / "documents" / "a.pdf")


def test_a_damaged_demo_says_what_to_do(small_demo):
    pdf = small_demo / "documents" / "a.pdf"
    pdf.write_bytes(pdf.read_bytes() + b"x")
    with pytest.raises(CorpusError, match=r"a\.pdf does not have the recorded digest; restore data/demo"):
        load_corpus("demo")
    pdf.unlink()
    with pytest.raises(CorpusError, match=r"a\.pdf is missing; restore"):
        load_corpus("demo")
    for name in ("documents.jsonl", "questions.jsonl"):
        (small_demo / name).write_text("{}\n")
        with pytest.raises(CorpusError, match=rf"{name}[\s\S]*restore data/demo"):
            load_corpus("demo")


def test_the_embedded_demo_loads():
    if not (project_root() / "data" / "demo" / "questions.jsonl").is_file():
        pytest.skip("data/demo is not built")
    corpus = load_corpus("demo")
    sources = {item.document_id for item in corpus.questions}
    assert len(corpus.questions) >= 70
    assert len(sources) >= 14
    assert len({item.question_id for item in corpus.questions}) == len(corpus.questions)
    assert {item.answer_format for item in corpus.questions} == {"Int", "Float", "Str", "List", "None"}
    assert all(fits_format(item.answer, item.answer_format) for item in corpus.questions)
    pages = {item.document_id: item.n_pages for item in corpus.documents}
    assert all(1 <= page <= pages[item.document_id] for item in corpus.questions for page in item.evidence_pages)


# --- The real annotations --------------------------------------------------------------------------------------------


@pytest.fixture
def real(mmlongbench, tmp_path):
    """The real annotations with three of the real documents."""
    (tmp_path / "documents").mkdir()
    for name in ("2303.05039v2.pdf", "fd76bbefe469561966e5387aa709c482.pdf", "san-francisco-11-contents.pdf"):
        (tmp_path / "documents" / name).symlink_to(mmlongbench / "documents" / name)
    for name in ("samples_v1.json", "samples_v2.json", "question_types.json"):
        (tmp_path / name).symlink_to(mmlongbench / name)
    return tmp_path


@pytest.mark.parametrize(
    ("annotation", "rows", "text_and_table", "documents"),
    # Counted apart from this package: answerable, evidence in text and tables only, less the golds that fit no format.
    [("v1", 1082, 309 - 2, 135), ("v2", 1071, 308 - 1, 134)],
)
def test_real_counts(real, annotation, rows, text_and_table, documents):
    corpus = load_corpus("mmlongbench", str(real), annotation)
    counts = Counter(item.reason for item in corpus.exclusions if item.kind == "question")
    assert len(corpus.questions) + counts.total() == rows
    assert len(corpus.questions) + counts[ABSENT_DOCUMENT] == text_and_table
    assert sum(item.kind == "document" for item in corpus.exclusions) == documents - 3
    assert corpus.notes == ()
    assert len({item.question_id for item in corpus.questions}) == len(corpus.questions)


def test_real_printed_pages(real):
    """Four real rows name pages 288 to 318 of a file of 40 pages whose labels run to 321."""
    facts = pdf_facts.read_facts(str(real / "documents" / "san-francisco-11-contents.pdf"))
    rows = json.loads((real / "samples_v1.json").read_text())
    beyond = [
        pages
        for item in rows
        if item["doc_id"] == "san-francisco-11-contents.pdf"
        and (pages := checks.literal_list(item["evidence_pages"]))
        and max(pages) > facts.n_pages
    ]
    assert len(beyond) == 4
    for pages in beyond:
        physical, note, problem = physical_pages(pages, facts.n_pages, facts.labels)
        assert problem == ""
        assert note
        assert [facts.labels[page - 1] for page in physical] == [str(page) for page in pages]
