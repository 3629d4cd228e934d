"""The commands for predictions, end to end: files worked out by hand, faulty files, hostile texts, and annotations."""

import dataclasses
import functools
import json
import random
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from conftest import completion
from made_up_study import make_cell, make_question, make_request, make_response

from muddle_utils.corpus import annotation as annotation_module
from muddle_utils.corpus import corpora, downloads
from muddle_utils.inference import client
from muddle_utils.runs import cli
from muddle_utils.study.paths import Study
from muddle_utils.study.records import ANSWER_FORMATS
from muddle_utils.study.rows import write_rows
from muddle_utils.study.store import Store

# Five answerable questions, one on a single page, and two unanswerable ones, over three documents.
ROWS = [
    ("a.pdf", "How many chairs?", "4", "Int", "[1]", "['Chart']"),
    ("a.pdf", "Which city?", "Oslo", "Str", "[1, 2]", "['Table']"),
    ("b.pdf", "What share?", "12%", "Float", "[2, 3]", "['Pure-text (Plain-text)']"),
    ("b.pdf", "Which colours?", "['red', 'blue']", "List", "[1, 4]", "['Figure']"),
    ("c.pdf", "Who wrote it?", "Ada Byron", "Str", "[]", "['Table']"),
    ("a.pdf", "Who paid?", "Not answerable", "None", "[]", "[]"),
    ("c.pdf", "When?", "Not answerable", "None", "[]", "[]"),
]
METRICS = ("accuracy", "recall", "precision", "f1")


def annotation_rows(rows=ROWS):
    names = ("doc_id", "question", "answer", "answer_format", "evidence_pages", "evidence_sources")
    return [{"doc_type": "Brochure", **dict(zip(names, row, strict=True))} for row in rows]


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder with the annotation, which is the current one."""
    (tmp_path / "gold.json").write_text(json.dumps(annotation_rows()), "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def predict(place, name, respond, rows=ROWS):
    """Write a predictions file; ``respond`` maps a row of the annotation to a response."""
    made = [{"doc_id": row[0], "question": row[1], "response": respond(row)} for row in rows]
    (place / name).write_text(json.dumps(made), "utf-8")
    return name


def perfect(row):
    return row[2]


def score(*words, annotation="gold.json"):
    folders = ["--runs-dir", "runs", "--figures-dir", "figures-here"]
    return cli.main(["score", *words, "--annotation", annotation, "--study", "s", *folders])


def scored(place, *words, code=0, **options):
    """Score and return what the file of the scoring holds."""
    assert score(*words, "--out", "scored.json", **options) == code
    return json.loads((place / "scored.json").read_text("utf-8"))


def values(whole, scorer="V2", system=None):
    found = {
        row["metric"]: row["value"]
        for row in whole["scores"]
        if row["scorer"] == scorer and system in (None, row["system"])
    }
    return [found[name] for name in METRICS]


def made_files(place):
    return sorted(str(path.relative_to(place)) for path in (place / "figures-here").rglob("*") if path.is_file())


# --- Files worked out by hand ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("respond", "wanted"),
    [
        (perfect, [1, 1, 1, 1]),
        # Nothing is said: all wrong, nothing answered.
        (lambda row: None, [0, 0, None, 0]),
        # The two unanswerable of seven.
        (lambda row: "Not answerable", [2 / 7, 0, None, 0]),
        # One of seven, one of the five answerable, one of seven answered, F1 = 2 * 1 / (7 + 5).
        (lambda row: "4", [1 / 7, 1 / 5, 1 / 7, 1 / 6]),
        # The unanswerable are answered, the rest is right: 5 of 7, 5 of 5, 5 of 7, F1 = 10 / 12.
        (lambda row: row[2] if row[3] != "None" else "Ada Byron", [5 / 7, 1, 5 / 7, 5 / 6]),
    ],
    ids=["perfect", "empty", "abstaining", "guessing", "never abstaining"],
)
def test_the_values_are_those_of_the_definitions(place, respond, wanted):
    whole = scored(place, predict(place, "x.json", respond))
    assert values(whole) == pytest.approx(wanted)
    assert values(whole, "v1") == pytest.approx(wanted)


def test_the_order_of_the_rows_changes_no_score_and_no_table(place, capsys):
    def respond(row):
        return row[2] if row[0] != "b.pdf" else "4"

    predict(place, "x.json", respond)
    first = scored(place, "x.json")
    shown = capsys.readouterr().out
    names = [name for name in made_files(place) if not name.endswith((".pdf", ".png"))]
    before = {name: (place / name).read_bytes() for name in names}
    assert any(name.endswith("breakdown.csv") for name in before)
    for seed in (1, 2):
        predict(place, "x.json", respond, random.Random(seed).sample(ROWS, len(ROWS)))
        again = scored(place, "x.json")
        assert json.dumps(again["scores"]) == json.dumps(first["scores"])
        assert json.dumps(again["systems"]) == json.dumps(first["systems"])
        assert {name: (place / name).read_bytes() for name in names} == before
        assert capsys.readouterr().out == shown


def test_missing_predictions_are_wrong_and_can_be_left_out_which_is_said(place, capsys):
    predict(place, "x.json", perfect, ROWS[:4])
    whole = scored(place, "x.json")
    # Four of seven, four of the five answerable, four of four answered.
    assert values(whole) == pytest.approx([4 / 7, 4 / 5, 1, 8 / 9])
    assert "a question without a prediction counts as wrong" in capsys.readouterr().out
    whole = scored(place, "x.json", "--missing", "exclude")
    assert values(whole) == [1, 1, 1, 1]
    assert whole["missing"] == "exclude"
    assert whole["scores"][0]["n_questions"] == 4
    out = capsys.readouterr().out
    assert "questions without a prediction are left out" in out
    assert "x: 4 predicted, 3 without a usable prediction" in out
    assert "left out" in (place / "figures-here/s/scores.md").read_text("utf-8")


def test_a_file_of_nulls_that_is_left_out_whole_ends_without_a_number(place):
    whole = scored(place, predict(place, "x.json", lambda row: None), "--missing", "exclude")
    assert {row["value"] for row in whole["scores"]} == {None}
    assert {row["n_missing"] for row in whole["scores"]} == {7}
    assert len(whole["rows"]) == 7


def test_two_systems_give_the_paired_table_and_the_figure(place, capsys):
    predict(place, "good.json", perfect)
    predict(place, "four.json", lambda row: "4")
    whole = scored(place, "good.json", "four.json")
    assert values(whole, system="good") == [1, 1, 1, 1]
    (pair,) = whole["systems"]
    assert (pair["first"], pair["second"]) == ("good", "four")
    # All but the chairs differ, in one direction: exact McNemar 2 * (1/2)^6.
    assert (pair["first_only"], pair["second_only"], pair["n_questions"]) == (6, 0, 7)
    assert pair["difference"] == pytest.approx(6 / 7)
    assert pair["p"] == pytest.approx(2 / 64)
    assert "good − four by local/rules: +85.7 points" in capsys.readouterr().out
    for name in ("figure_systems.pdf", "figure_systems.png", "systems.csv", "systems.md", "systems.tex"):
        assert (place / "figures-here/s" / name).stat().st_size > 0


def test_two_judges_give_their_agreement(place, monkeypatch, chat_server):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789")
    monkeypatch.setenv("OPENAI_BASE_URL", chat_server.url)
    never = json.dumps({"equivalent": False, "abstained": False, "reasoning": "No."})
    chat_server.respond = lambda number, body: (200, {}, completion(never))
    predict(place, "x.json", perfect)
    whole = scored(place, "x.json", "--judge", "local/rules", "--judge", "openai/j")
    by_judge = {(row["judge"], row["metric"]): row["value"] for row in whole["scores"]}
    assert (by_judge["local/rules", "accuracy"], by_judge["openai/j", "accuracy"]) == (1, 0)
    assert len(chat_server.requests) == 7
    table = (place / "figures-here/s/score_judges.csv").read_text("utf-8")
    assert "local/rules" in table and "openai/j" in table
    assert set(whole["judges"]) == {"local/rules", "openai/j"}
    scored(place, "x.json", "--judge", "local/rules", "--judge", "openai/j")
    assert len(chat_server.requests) == 7, "a second run asks nobody"


def test_a_judge_that_answers_nothing_gives_no_score_and_an_exit_code(place, monkeypatch, chat_server, capsys):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789")
    monkeypatch.setenv("OPENAI_BASE_URL", chat_server.url)
    chat_server.respond = lambda number, body: (400, {}, {"error": {"message": "no such model"}})
    predict(place, "x.json", perfect, ROWS[:2])
    # The five questions without a prediction are wrong, but what the two are is not known.
    assert score("x.json", "--judge", "openai/j", "--out", "s.json") == 1
    whole = json.loads((place / "s.json").read_text("utf-8"))
    accuracy, recall, precision, f1 = (row for row in whole["scores"] if row["scorer"] == "V2")
    assert [row["value"] for row in (accuracy, recall, precision, f1)] == [None] * 4
    assert (accuracy["least"], accuracy["most"], accuracy["n_unjudged"]) == (0, pytest.approx(2 / 7), 2)
    said = capsys.readouterr()
    assert "no response was judged by openai/j: there is no score by V2" in said.err
    assert re.search(r"V2 accuracy +– \(0.000 to 0.286\) no response is judged +0 questions", said.out)


@pytest.mark.parametrize("budget", ["nan", "inf", "-1", "1e400"])
def test_a_budget_that_is_no_amount_is_refused_at_once(place, capsys, budget):
    predict(place, "x.json", perfect)
    assert score("x.json", f"--budget={budget}") == 1
    assert capsys.readouterr().err.startswith(f"muddle: --budget {float(budget)}: give the most US dollars")


def test_a_judge_that_is_down_leaves_bounds_and_is_asked_again(place, monkeypatch, chat_server, capsys):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789")
    monkeypatch.setenv("OPENAI_BASE_URL", chat_server.url)
    monkeypatch.setattr(client, "FIRST_WAIT", 0.001)
    says = ["I would say so"] * 2 + [json.dumps({"equivalent": True, "abstained": False, "reasoning": "Same."})]
    chat_server.respond = lambda number, body: (200, {}, completion(says[min(number, 3) - 1]))
    predict(place, "x.json", perfect, ROWS[:1])
    whole = scored(place, "x.json", "--judge", "openai/j", "--missing", "exclude", code=1)
    (row,) = [row for row in whole["rows"] if row["status"] == "predicted"]
    assert (row["verdict"], row["equivalent"]) == ("unjudged", None)
    accuracy = next(row for row in whole["scores"] if row["metric"] == "accuracy" and row["scorer"] == "V2")
    assert (accuracy["value"], accuracy["least"], accuracy["most"], accuracy["n_unjudged"]) == (None, 0, 1, 1)
    said = capsys.readouterr()
    assert "1 responses are unjudged (1 unparsed): the same command asks for 1 of them again" in said.err
    assert "1 unjudged" in said.out
    whole = scored(place, "x.json", "--judge", "openai/j", "--missing", "exclude")
    assert values(whole) == [1, 1, 1, 1]
    assert len(chat_server.requests) == 3


def test_an_overlay_changes_the_revision_and_is_named(place, capsys):
    predict(place, "x.json", lambda row: "Bergen" if row[2] == "Oslo" else row[2])
    plain = scored(place, "x.json")
    assert values(plain)[0] == pytest.approx(6 / 7)
    capsys.readouterr()
    change = {
        "doc_id": "a.pdf",
        "question": "Which city?",
        "dispute_type": "wrong_answer",
        "benchmark_answer": "Oslo",
        "manual_answer": "Bergen",
        "manual_evidence_pages": [2],
        "note": "The caption was misread.",
    }
    (place / "mine.json").write_text(json.dumps([change]), "utf-8")
    whole = scored(place, "x.json", "--overlay", "mine.json")
    assert values(whole)[0] == 1
    assert whole["revision"] != plain["revision"]
    assert "mine.json" in whole["annotation"]
    out = capsys.readouterr().out
    assert "mine.json" in out
    assert f"revision {whole['revision']}" in out
    assert "--overlay" in whole["command"]


def test_the_revision_is_pinned_or_not(place, mmlongbench, capsys):
    annotation_rows_given = json.loads((mmlongbench / "samples_v1.json").read_text("utf-8"))[:3]
    made = [{"doc_id": row["doc_id"], "question": row["question"], "response": "4"} for row in annotation_rows_given]
    (place / "x.json").write_text(json.dumps(made), "utf-8")
    for annotation, n in (("v1", 1082), ("v2", 1071)):
        whole = scored(place, "x.json", "--data-dir", str(mmlongbench), annotation=annotation)
        assert whole["pinned"] is True
        assert (whole["annotation"], len(whole["rows"])) == (annotation, n)
        assert f"annotation {annotation}, revision {whole['revision']} (as pinned)" in capsys.readouterr().out
    whole = scored(place, predict(place, "y.json", perfect))
    assert whole["pinned"] is False
    assert "pinned" not in capsys.readouterr().out.partition("figures-here")[0].rpartition("tables and figure")[0], (
        "only the benchmark's own annotations are"
    )


def test_the_file_lists_what_was_left_out_and_why(place, capsys):
    rows = [
        {"doc_id": "a.pdf", "question": "Which city?", "response": "Oslo"},
        {"doc_id": "a.pdf", "question": "Which city?", "response": "Bergen"},
        {"doc_id": "a.pdf", "question": "Which  town?", "response": "Oslo"},
        {"doc_id": "b.pdf", "question": "What share?", "response": "12%"},
        {"doc_id": "b.pdf", "question": "What  share?", "response": "12%"},
    ]
    (place / "x.json").write_text(json.dumps(rows), "utf-8")
    whole = scored(place, "x.json")
    assert [(row["place"], row["why"]) for row in whole["left_out"]] == [
        ("row 3", "matches no question"),
        ("row 5", "said twice"),
        ("row 1", "answered twice and differently"),
        ("row 2", "answered twice and differently"),
    ]
    assert whole["n_predicted"] == {"x": 1}
    err = capsys.readouterr().err
    assert "x, predictions that match no question, not scored: 1" in err
    assert "x, questions answered twice and differently, none of it scored: 1" in err


def test_what_counts_as_wrong_for_want_of_a_prediction_is_said_first(place, capsys):
    predict(place, "x.json", perfect, ROWS[:2])
    predict(place, "y.json", perfect, ROWS)
    said = "x: 5 of 7 questions have no prediction and count as wrong; --missing exclude leaves them out"
    assert score("x.json", "y.json") == 0
    shown = capsys.readouterr()
    assert shown.out.splitlines()[0] == said and said not in shown.err
    assert score("x.json", "y.json", "--missing", "exclude") == 0
    shown = capsys.readouterr()
    assert "--missing exclude leaves" not in shown.out + shown.err
    assert score("y.json") == 0
    assert capsys.readouterr().out.startswith("annotation gold.json")


@pytest.mark.parametrize("annotation", ["v1", "v2"])
def test_one_annotation_is_scored_without_the_other(place, capsys, annotation):
    (place / "only").mkdir()
    (place / "only" / f"samples_{annotation}.json").write_text(json.dumps(annotation_rows()), "utf-8")
    predict(place, "x.json", perfect, [*ROWS, ("a.pdf", "Which street?", "High Street")])
    assert score("x.json", "--data-dir", "only", annotation=annotation) == 0
    assert "x, predictions that match no question, not scored: 1" in capsys.readouterr().err


def test_v1_is_scored_where_nothing_of_v2_can_be_fetched(place, capsys, monkeypatch):
    class Server(BaseHTTPRequestHandler):
        def do_GET(self):
            body = json.dumps(annotation_rows()).encode() if self.path == "/v1/c/samples.json" else b""
            self.send_response(200 if body else 404)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    (place / "v1.json").write_text(json.dumps(annotation_rows()), "utf-8")
    pinned = [
        downloads.PinnedFile("v1", "c", "samples.json", downloads.git_blob_sha1(place / "v1.json"), "samples_v1.json"),
        downloads.PinnedFile("v2", "c", "samples.json", "0" * 40, "samples_v2.json"),
    ]
    for module in (downloads, corpora, annotation_module):
        monkeypatch.setattr(module, "pinned_files", lambda: pinned)
        if hasattr(module, "resolve"):
            monkeypatch.setattr(module, "resolve", lambda path: place / path)
    monkeypatch.setattr(corpora, "fetch_mmlongbench", functools.partial(downloads.fetch_mmlongbench, retries=0))
    server = ThreadingHTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("MUDDLE_MMLONGBENCH_URL", f"http://127.0.0.1:{server.server_port}")
    predict(place, "x.json", perfect)
    try:
        assert score("x.json", annotation="v1") == 0
        assert "1 of 2 missing files could not be downloaded" in capsys.readouterr().out
        assert score("x.json", annotation="v2") == 1
        assert "samples_v2.json" in capsys.readouterr().err
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize("write", [lambda path: path.write_bytes(b""), lambda path: path.mkdir()])
def test_verdicts_are_not_put_into_what_is_no_store(place, capsys, write):
    (place / "runs").mkdir()
    write(place / "runs" / "scores.sqlite")
    assert score(predict(place, "x.json", perfect)) == 1
    assert re.search(r"muddle: .*scores.sqlite: it is an? .*not a database\. Restore it", capsys.readouterr().err)


# --- Bad input ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("not json", "is not JSON"),
        ('[{"doc_id": "a.pdf", "query": "x", "answer": "y"}]', "row 1, field 'question': missing; rename 'query'"),
        ('[{"doc_id": 7, "question": "x", "response": "y"}]', "row 1, field 'doc_id': holds 7, not text"),
        ('[{"doc_id": "a.pdf", "question": "x", "response": 4.5}]', "row 1, field 'response': holds 4.5, not text"),
        ('{"a.pdf": "x"}', "not a list of rows"),
        ("[]", "holds no predictions"),
        ('[{"doc_id": "z.pdf", "question": "x", "response": "y"}]', "no prediction answers a question of gold.json"),
        (b"\xff\xfe\x00", "is not UTF-8"),
    ],
)
def test_a_faulty_file_is_one_message_and_nothing_is_written(place, capsys, content, said):
    (place / "x.json").write_bytes(content if isinstance(content, bytes) else content.encode())
    assert score("x.json", "--out", "scored.json") == 1
    err = capsys.readouterr().err
    assert said in err
    assert len(re.findall("^muddle: ", err, re.MULTILINE)) == 1
    assert "Traceback" not in err
    assert sorted(path.name for path in place.iterdir()) == ["gold.json", "x.json"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["none.json"], "none.json cannot be read: No such file"),
        (["x.json", "x.json"], "is named twice"),
        (["x.json", "--overlay", "none.json"], "overlay = "),
        (["x.json", "--judge", "local/reader"], "answers questions and judges none"),
        (["x.json", "--judge", "local/judge"], "local/judge"),
        (["x.json", "--out", "gold.json/scored.json"], "gold.json is a file, not a folder: take another place"),
        (["x.json", "--out", "."], "is a folder: name a file in it"),
        (["x.json", "--figures-dir", "x.json"], "x.json is a file, not a folder: take another place"),
        (["x.json", "--study", "../away"], "study = '../away' is not a usable name"),
    ],
)
def test_a_faulty_option_is_one_message_and_nothing_is_written(place, capsys, words, said):
    predict(place, "x.json", perfect)
    before = sorted(path.name for path in place.iterdir())
    assert cli.main(["score", "--annotation", "gold.json", "--runs-dir", "runs", *words]) == 1
    err = capsys.readouterr().err
    assert said in err
    assert len(re.findall("^muddle: ", err, re.MULTILINE)) == 1
    left = sorted(path.name for path in place.iterdir() if path.name != "runs")
    assert left == before


def test_windows_line_ends_and_a_byte_order_mark_change_nothing(place):
    plain = scored(place, predict(place, "x.json", perfect))
    rows = json.loads((place / "x.json").read_text("utf-8"))
    (place / "x.json").write_bytes(b"\xef\xbb\xbf" + json.dumps(rows, indent=1).replace("\n", "\r\n").encode())
    assert scored(place, "x.json")["scores"] == plain["scores"]


def test_nothing_that_steers_a_terminal_is_printed(place, capsys):
    evil = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202e<script>"
    annotation_rows_given = [*ROWS, (f"{evil}.pdf", f"Which {evil}?", f"{evil}", "Str", f"[{evil!r}]", "[]")]
    (place / "gold.json").write_text(json.dumps(annotation_rows(annotation_rows_given)), "utf-8")
    predict(place, "x.json", lambda row: evil + row[2], annotation_rows_given)
    rows = json.loads((place / "x.json").read_text("utf-8"))
    rows += [
        {"doc_id": f"{evil}2.pdf", "question": evil, "response": evil},
        {"doc_id": "a.pdf", "question": f"Which city {evil}?", "response": "x"},
        {"doc_id": "a.pdf", "question": "Which city?", "response": f"other {evil}"},
    ]
    (place / "x.json").write_text(json.dumps(rows), "utf-8")
    assert score("x.json") == 0
    (place / "bad.json").write_text(json.dumps([{"doc_id": [evil], evil: 1, "question": {evil: evil}}]), "utf-8")
    assert score("bad.json") == 1
    assert cli.main(["lint", "--annotation", "gold.json"]) == 1
    assert cli.main(["lint", "--annotation", "gold.json", "--json"]) == 1
    said = capsys.readouterr()
    # The progress bar goes back to the beginning of its line.
    shown = (said.out + said.err).replace("\r", "")
    assert "owned" in shown
    assert sorted({mark for mark in shown if ord(mark) < 32 or 127 <= ord(mark) < 160 or mark == "\u202e"}) == ["\n"]


@pytest.mark.parametrize("name", ["with spaces", "a|b", "<b>x", "模型 é", "50%_$x^{2}&#~", "a..b", "--x", "-"])
def test_any_file_name_makes_a_system(place, capsys, name):
    predict(place, f"{name}.json", perfect)
    words = [f"./{name}.json", "--annotation", "gold.json", "--runs-dir", "runs", "--figures-dir", "figures-here"]
    assert cli.main(["score", *words, "--out", "scored.json"]) == 0
    whole = json.loads((place / "scored.json").read_text("utf-8"))
    assert {row["system"] for row in whole["scores"]} == {name}
    (folder,) = (place / "figures-here").iterdir()
    lines = (folder / "scores.md").read_text("utf-8").splitlines()
    cells = [len(re.findall(r"(?<!\\)\|", line)) for line in lines if line.startswith("|")]
    assert len(set(cells)) == 1 and len(cells) == 2 + 8
    assert "<b>" not in "\n".join(lines)
    assert f"{name}: 7 predicted" in capsys.readouterr().out


def test_a_long_text_is_scored_and_a_longer_one_is_open(place, capsys):
    texts = {"Which city?": "Oslo " * 2_000_000, "How many chairs?": "\n" * 60_000 + "4", "What share?": "12%"}
    predict(place, "x.json", lambda row: texts[row[1]], ROWS[:3])
    whole = scored(place, "x.json")
    found = {row["question"]: row["verdict"] for row in whole["rows"] if row["status"] == "predicted"}
    assert found == {"Which city?": "unjudged", "How many chairs?": "judged", "What share?": "judged"}
    assert "(1 context_exceeded): asking again would change nothing" in capsys.readouterr().err


# --- muddle predictions ---------------------------------------------------------------------------------------------


@pytest.fixture
def small_study(place):
    """A study of two questions: one answered, one failed, in the control condition."""
    study = Study("small", str(place / "runs"))
    questions = [make_question(number, "s.pdf") for number in (1, 2)]
    cells = [make_cell(item, "control", []) for item in questions]
    requests = [make_request(cell, "local/reader", "markdown") for cell in cells]
    write_rows(study.rows("questions"), questions)
    write_rows(study.rows("requests_local-reader_markdown"), requests)
    with Store(study.store) as store:
        store.add_response(make_response(requests[0], "42"))
        store.add_response(make_response(requests[1], "", "failed", "timeout", "late"))
    return study


def test_a_studys_answers_become_predictions_and_are_scored(place, small_study, capsys):
    assert cli.main(["predictions", "small", "--runs-dir", "runs", "--out", "p.json"]) == 0
    rows = json.loads((place / "p.json").read_text("utf-8"))
    assert [(row["doc_id"], row["question"], row["response"]) for row in rows] == [
        ("s.pdf", "How many in q0001?", "42"),
        ("s.pdf", "How many in q0002?", None),
    ]
    assert "2 questions, 1 of them without an answer" in capsys.readouterr().out
    whole = scored(place, "p.json", annotation=str(small_study.rows("questions")))
    assert values(whole) == pytest.approx([1 / 2, 1 / 2, 1, 2 / 3])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["small", "--condition", "hn-2"], "local/reader was not asked hn-2 in markdown; it has control"),
        (["small", "--modality", "pdf"], "requests_local-reader_pdf"),
        (["none"], "none"),
    ],
)
def test_what_a_study_was_not_asked_is_an_error(place, small_study, capsys, words, said):
    assert cli.main(["predictions", *words, "--runs-dir", "runs", "--out", "p.json"]) == 1
    assert said in capsys.readouterr().err
    assert not (place / "p.json").exists()


# --- muddle corrections, muddle lint --------------------------------------------------------------------------------


def corrections(mmlongbench, *words):
    return cli.main(["corrections", *words, "--data-dir", str(mmlongbench)])


def test_corrections_are_listed_found_and_shown(mmlongbench, capsys):
    assert corrections(mmlongbench) == 0
    said = capsys.readouterr()
    assert "106 of 106 corrections" in said.err
    published = json.loads((mmlongbench / "corrections.json").read_text("utf-8"))
    name = published[0]["doc_id"]
    n = sum(row["doc_id"] == name for row in published)
    assert corrections(mmlongbench, name) == 0
    said = capsys.readouterr()
    assert f"{n} of 106 corrections" in said.err
    assert name in said.out
    assert corrections(mmlongbench, "--find", "there is certainly no such text") == 0
    assert "no correction holds that" in capsys.readouterr().out
    kind = published[0]["dispute_type"]
    assert corrections(mmlongbench, "--type", kind) == 0
    assert f"{sum(row['dispute_type'] == kind for row in published)} of 106" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--type", "bad_mood"], "--type bad_mood: there is no such type, take one of "),
        (["nothing.pdf"], "'nothing.pdf' has no correction"),
        (["--apply", "x.json"], "--apply FILE and --out FILE go together"),
        (["--out", "x.json"], "--apply FILE and --out FILE go together"),
    ],
)
def test_corrections_that_do_not_exist_are_an_error(mmlongbench, capsys, words, said):
    assert corrections(mmlongbench, *words) == 1
    assert said in capsys.readouterr().err


def test_applying_the_corrections_to_v1_gives_v2_byte_for_byte(mmlongbench, tmp_path, capsys):
    out = tmp_path / "v2.json"
    assert corrections(mmlongbench, "--apply", str(mmlongbench / "samples_v1.json"), "--out", str(out)) == 0
    assert out.read_bytes() == (mmlongbench / "samples_v2.json").read_bytes()
    assert "1,071 of 1,082 rows, after 106 corrections" in capsys.readouterr().out


def test_lint_tells_by_its_exit_code(place, capsys):
    assert {row[3] for row in ROWS} == set(ANSWER_FORMATS)
    clean = [row for row in ROWS if row[2] != "Ada Byron"]
    (place / "gold.json").write_text(json.dumps(annotation_rows(clean)), "utf-8")
    assert cli.main(["lint", "--annotation", "gold.json"]) == 0
    (place / "gold.json").write_text(json.dumps(annotation_rows([*clean, clean[0]])), "utf-8")
    capsys.readouterr()
    assert cli.main(["lint", "--annotation", "gold.json", "--json"]) == 1
    said = capsys.readouterr()
    found = [json.loads(line) for line in said.out.splitlines()]
    assert [(row["document_id"], row["place"]) for row in found if row["place"]] == [("a.pdf", 7)]
    assert "7 rows: " in said.err
    assert cli.main(["lint", "--annotation", "none.json"]) == 1
    assert "there is no such file" in capsys.readouterr().err


# --- What it would cost ---------------------------------------------------------------------------------------------


def test_a_dry_run_asks_nobody_and_says_the_most_it_can_cost(place, monkeypatch, chat_server, capsys):
    monkeypatch.setenv("OPENAI_BASE_URL", chat_server.url)
    predict(place, "s.json", perfect)
    words = ("s.json", "--judge", "openai/gpt-5.4-nano")
    assert score(*words, "--dry-run") == 0
    said = capsys.readouterr().out
    n, most = re.search(
        r"openai/gpt-5\.4-nano: (\d+) responses to judge, at most \$([\d.]+); nobody was asked", said
    ).groups()
    # "Not answerable" is the answer to two different questions.
    assert int(n) == len(ROWS)
    assert 0 < float(most) < 1
    assert chat_server.requests == []
    assert not (place / "figures-here").exists()


def test_a_budget_is_for_this_scoring_whatever_earlier_ones_have_cost(place, monkeypatch, chat_server, capsys):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-any")
    monkeypatch.setenv("OPENAI_BASE_URL", chat_server.url)
    said = json.dumps({"equivalent": True, "abstained": False, "reasoning": "Same."})
    chat_server.respond = lambda number, body: (200, {}, completion(said))
    predict(place, "s.json", perfect)
    words = ("--judge", "openai/gpt-5.4-nano")
    assert score("s.json", *words, "--budget", "50") == 0
    with Store(place / "runs" / "scores.sqlite") as store:
        spent = store.spent()
        dear = next(row for row in store.judgements() if row.status == "judged")
        store.add_verdict(dataclasses.replace(dear, cost=500.0))
    assert 0 < spent < 50
    predict(place, "s.json", lambda row: f"{row[2]}!")
    assert score("s.json", *words, "--budget", "50") == 0, "what is paid is not paid for again"
    capsys.readouterr()
    predict(place, "s.json", lambda row: f"{row[2]}?")
    assert score("s.json", *words, "--budget", "0.000001") == 1
    assert "budget" in capsys.readouterr().err


def test_refresh_judges_anew_and_deletes_nothing(place, monkeypatch, chat_server):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-any")
    monkeypatch.setenv("OPENAI_BASE_URL", chat_server.url)
    said = [json.dumps({"equivalent": right, "abstained": False, "reasoning": "So."}) for right in (False, True)]
    chat_server.respond = lambda number, body: (200, {}, completion(said[number > len(ROWS)]))
    predict(place, "s.json", perfect)
    assert values(scored(place, "s.json", "--judge", "openai/j"))[0] == 0
    assert values(scored(place, "s.json", "--judge", "openai/j", "--refresh"))[0] == 1
    assert len(chat_server.requests) == 2 * len(ROWS)
    with Store(place / "runs" / "scores.sqlite") as store:
        assert sum(row.status == "judged" for row in store.judgements()) == 2 * len(ROWS)


def test_a_study_of_that_name_keeps_its_tables(place, small_study, capsys):
    predict(place, "s.json", perfect)
    name = small_study if isinstance(small_study, str) else "small"
    words = ["score", "s.json", "--annotation", "gold.json", "--study", name, "--runs-dir", "runs"]
    assert cli.main([*words, "--figures-dir", "figures-here"]) == 1
    assert f"take another name, such as {name}-scores" in capsys.readouterr().err


def test_other_settings_go_to_a_folder_of_their_own(place):
    predict(place, "x.json", perfect)
    base = ["score", "x.json", "--annotation", "gold.json", "--runs-dir", "runs", "--figures-dir", "figures-here"]
    for more in ([], ["--missing", "exclude"], ["--judge", "local/rules"]):
        assert cli.main([*base, *more]) == 0
    assert {path.name for path in (place / "figures-here").iterdir()} == {
        "scores-x-gold.json",
        "scores-x-gold.json-exclude",
        "scores-x-gold.json-rules",
    }


def test_a_second_scoring_waits_for_the_first(place):
    import fcntl
    import threading
    import time

    predict(place, "x.json", perfect)
    lock = place / "runs" / ".verdicts-local-rules-predictions-text.lock"
    lock.parent.mkdir()
    done = []
    with lock.open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        worker = threading.Thread(target=lambda: done.append(scored(place, "x.json")))
        # Signals belong to the main thread, which main() otherwise sets up.
        cli.signal.signal, kept = (lambda *_: None), cli.signal.signal
        try:
            worker.start()
            time.sleep(1.0)
            assert not done
        finally:
            fcntl.flock(file, fcntl.LOCK_UN)
            worker.join(60)
            cli.signal.signal = kept
    assert values(done[0]) == [1, 1, 1, 1]
