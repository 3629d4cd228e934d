"""Predictions files: what is read, what is refused with which words, and how rows find their questions."""

import json
import random

import pytest

from muddle_utils.corpus.annotation import Gold
from muddle_utils.judging.predictions import (
    PredictionsError,
    as_predictions,
    join,
    read_predictions,
    system_names,
    why_unmatched,
)
from muddle_utils.study.records import NO_PREDICTION, NO_RESPONSE, PREDICTED, TWO_RESPONSES, Prediction, Question


def question(name, text, document="a.pdf", answer="7", **others):
    fields = {"answer_format": "Int", "evidence_pages": (1,), "evidence_sources": ("Table",), "document_type": ""}
    return Question(name, document, text, answer, **(fields | others))


GOLD = Gold(
    "small",
    "0" * 16,
    False,
    (question("q1", "How  many?\nIn all?"), question("q2", "Which?"), question("q3", "How many?", "b.pdf")),
    (),
)


def row(doc_id="a.pdf", text="Which?", response="Seven.", **others):
    return {"doc_id": doc_id, "question": text, "response": response, **others}


def written(tmp_path, content, name="system.json"):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


ROWS = [row(text="How many? In all?"), row(response="Zwölf “x” \u2028 y"), row("b.pdf", "How many?", None)]


@pytest.mark.parametrize(
    "content",
    [
        json.dumps(ROWS),
        json.dumps(ROWS, indent=2).replace("\n", "\r\n"),
        "\ufeff" + json.dumps(ROWS, ensure_ascii=False),
        "\n".join(json.dumps(line, ensure_ascii=False) for line in ROWS),
        "\ufeff" + "\r\n".join(json.dumps(line) for line in ROWS) + "\r\n\r\n",
    ],
    ids=["list", "Windows line ends", "byte-order mark", "lines", "lines, mark, Windows line ends"],
)
def test_every_form_of_the_file_reads_alike(tmp_path, content):
    read = read_predictions(written(tmp_path, content))
    assert [(row.doc_id, row.question, row.response) for row in read] == [
        (line["doc_id"], line["question"], line["response"]) for line in ROWS
    ]


def test_one_row_alone_is_a_file_of_one(tmp_path):
    assert len(read_predictions(written(tmp_path, json.dumps(row())))) == 1


def test_other_keys_are_left_alone_and_pred_is_kept(tmp_path):
    content = json.dumps([row(pred="7", score=1.0, evidence=[1])])
    assert read_predictions(written(tmp_path, content))[0].pred == "7"


def test_half_characters_are_replaced(tmp_path):
    content = json.dumps([row()]).replace("Seven.", "a\\ud800b")
    assert read_predictions(written(tmp_path, content))[0].response == "a?b"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("not json", "is not JSON"),
        ("[{", "is not JSON"),
        ('[{"doc_id": NaN}]', "NaN is no JSON"),
        ("[" * 100_000, "is not JSON"),
        (b"\xff\xfe[\x00]\x00", "is not UTF-8 at byte 0"),
        ("", "is not JSON"),
        ("[]", "holds no predictions"),
        ("3", "holds 3, not a list of rows with doc_id, question, response"),
        ('{"predictions": []}', "an object with the keys 'predictions', not a list"),
        (json.dumps(row()) + "\n{broken", "line 2: not JSON"),
        ('["a"]', "row 1: 'a' is no object with doc_id, question, response"),
        (
            json.dumps([row(), {"doc_id": "a", "question": "b", "prediction": "c"}]),
            "row 2, field 'response': missing; ",
        ),
        (json.dumps([{"doc_id": "a", "question": "b", "prediction": "c"}]), "rename 'prediction', if that is it"),
        (json.dumps([{"docid": "a", "question": "b", "response": "c"}]), "rename 'docid', if that is it"),
        (json.dumps([{"question": "b", "response": "c", "x": 1}]), "the row has 'question', 'response', 'x'"),
        (json.dumps([row(response=12)]), "row 1, field 'response': holds 12, not text; write it in double quotes"),
        (json.dumps([row(response=["a"])]), "field 'response': holds [\"a\"], not text"),
        (json.dumps([row(response=True)]), "field 'response': holds true, not text"),
        (json.dumps([row(doc_id=None)]), "field 'doc_id': holds null, not text"),
        (json.dumps([row(text=" ")]), "field 'question': empty"),
        (json.dumps([row(pred=3)]), "field 'pred': holds 3, not text"),
    ],
)
def test_what_cannot_be_scored_is_one_clear_error(tmp_path, content, said):
    path = written(tmp_path, content)
    with pytest.raises(PredictionsError) as raised:
        read_predictions(path)
    assert said in str(raised.value)
    assert str(path) in str(raised.value)


def test_all_faults_are_said_at_once_the_first_twenty_in_full(tmp_path):
    content = json.dumps([row(response=number) for number in range(25)])
    with pytest.raises(PredictionsError, match="has 25 problems to mend") as raised:
        read_predictions(written(tmp_path, content))
    assert "row 20, field" in str(raised.value)
    assert "row 21, field" not in str(raised.value)
    assert str(raised.value).endswith("and 5 more")


def test_the_first_line_of_many_faults_names_file_row_and_field(tmp_path):
    # The one empty question stands behind a thousand rows whose response has another name.
    bad = [{"doc_id": "a", "question": "b", "prediction": "c"}] * 1_060
    path = written(tmp_path, json.dumps([*bad, row(text=" "), row(response=1)]))
    with pytest.raises(PredictionsError) as raised:
        read_predictions(path)
    first, *rest = str(raised.value).splitlines()
    assert first == f"{path} has 1,062 problems to mend: row 1, field 'response', and 1,061 more"
    assert rest[-1] == "  and 1,042 more" and len(rest) == 21
    assert "  row 1061, field 'question': empty" in rest
    assert "  row 1062, field 'response': holds 1, not text; write it in double quotes" in rest
    with pytest.raises(PredictionsError, match=r"(?s)row 20, field.*\n  and 1,040 more of this kind$"):
        read_predictions(written(tmp_path, json.dumps(bad)))
    with pytest.raises(PredictionsError) as raised:
        read_predictions(written(tmp_path, json.dumps(bad[:1])))
    assert str(raised.value).startswith(f"{path} has 1 problem to mend: row 1, field 'response': missing; rename")
    assert "\n" not in str(raised.value)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(PredictionsError, match=r"none\.json cannot be read: No such file"):
        read_predictions(tmp_path / "none.json")
    with pytest.raises(PredictionsError, match="cannot be read: Is a directory"):
        read_predictions(tmp_path)


def predictions(*rows):
    return [Prediction(f"row {n}", *values) for n, values in enumerate(rows, start=1)]


def test_rows_are_joined_on_document_and_question_with_white_space_collapsed():
    found = join("s", predictions(("a.pdf", " How many? In\tall? ", "x"), ("b.pdf", "How many?", "y")), GOLD)
    assert [(row.status, row.response) for row in found.rows] == [
        (PREDICTED, "x"),
        (NO_PREDICTION, ""),
        (PREDICTED, "y"),
    ]
    assert not found.unmatched


@pytest.mark.parametrize(
    ("value", "said"),
    [("9" * 5000, "a number in it has thousands of digits"), ("[" * 100_000, "brackets within brackets without end")],
)
@pytest.mark.parametrize("form", ["[%s]", '{"a": 1}\n{"a": %s}'])
def test_what_python_cannot_read_is_said_without_python(tmp_path, form, value, said):
    path = tmp_path / "p.json"
    path.write_text(form % value)
    with pytest.raises(PredictionsError, match=said):
        read_predictions(path)


def test_null_and_blank_responses_are_none_given():
    for blank in (" \n", "\u200b\u2060"):
        found = join("s", predictions(("a.pdf", "How many? In all?", None), ("a.pdf", "Which?", blank)), GOLD)
        assert [row.status for row in found.rows] == [NO_RESPONSE, NO_RESPONSE, NO_PREDICTION]


def test_what_is_said_twice_counts_once_and_what_is_said_differently_not_at_all():
    rows = predictions(
        ("a.pdf", "Which?", "x"), ("a.pdf", "Which?", "x"), ("b.pdf", "How many?", "1"), ("b.pdf", "How many?", "2")
    )
    found = join("s", rows, GOLD)
    assert [row.status for row in found.rows] == [NO_PREDICTION, PREDICTED, TWO_RESPONSES]
    assert [row.place for row in found.repeated] == ["row 2"]
    assert [row.place for row in found.contradicting] == ["row 3", "row 4"]
    assert [row.place for row in found.rows] == ["", "row 1, row 2", "row 3, row 4"]


def test_unmatched_rows_are_listed_with_the_nearest_reason():
    other = Gold("v1", "1" * 16, True, (question("q9", "Which one?"),), ())
    rows = predictions(
        ("a.pdf", "Which one?", "x"), ("c.pdf", "Which?", "y"), ("a.pdf", "Whihc?", "z"), ("a.pdf", "No", "")
    )
    found = join("s", rows, GOLD)
    assert found.unmatched == tuple(rows)
    reasons = [why_unmatched(row, GOLD, other) for row in rows]
    assert reasons[0] == "a question of v1 that small words otherwise or leaves out"
    assert reasons[1] == "small has no question about this document; is 'b.pdf' meant?"
    assert reasons[2] == "not a question of small; nearest: 'Which?'"
    assert reasons[3] == "not a question of small"


def test_the_order_of_the_rows_changes_nothing():
    rows = predictions(
        ("a.pdf", "Which?", "x"),
        ("a.pdf", "Which?", "y"),
        ("b.pdf", "How many?", "1"),
        ("b.pdf", "How many?", "1"),
        ("a.pdf", "How many? In all?", "7"),
    )
    first = [(row.question.question_id, row.status, row.response) for row in join("s", rows, GOLD).rows]
    for seed in range(20):
        mixed = random.Random(seed).sample(rows, len(rows))
        assert [(row.question.question_id, row.status, row.response) for row in join("s", mixed, GOLD).rows] == first


def test_the_extracted_answer_counts_only_where_all_rows_give_the_same():
    one = [Prediction("row 1", "a.pdf", "Which?", "x", "7"), Prediction("row 2", "a.pdf", "Which?", "x", "8")]
    assert join("s", one[:1], GOLD).rows[1].pred == "7"
    assert join("s", one, GOLD).rows[1].pred is None


def test_systems_are_called_by_their_files(tmp_path):
    assert system_names(["x/a.json", "y/b.jsonl"]) == ["a", "b"]
    assert system_names([tmp_path / "x" / "p.json", tmp_path / "y" / "p.json", "q.json"]) == ["x/p", "y/p", "q"]
    assert system_names(["a.json", "a.jsonl"]) == ["a.json", "a.jsonl"]
    with pytest.raises(PredictionsError, match="named twice"):
        system_names(["a.json", "./a.json"])


def test_a_file_of_ours_is_read_back(tmp_path):
    rows = predictions(("a.pdf", GOLD.questions[0].question, "Zwölf"), ("a.pdf", "Which?", None))
    read = read_predictions(written(tmp_path, as_predictions(rows)))
    assert [(row.question, row.response) for row in read] == [(GOLD.questions[0].question, "Zwölf"), ("Which?", None)]
