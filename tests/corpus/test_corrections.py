"""Corrections: the published ones make V2 of v1 byte for byte; an overlay's every fault is named at once."""

import copy
import json
from collections import Counter

import pytest

from muddle_utils.corpus.checks import CorpusError
from muddle_utils.corpus.corrections import (
    DISPUTE_TYPES,
    Correction,
    apply,
    as_text,
    page_numbers,
    read_corrections,
    read_overlay,
)
from muddle_utils.runs.cli_score import counts_by_type, describe, listed


def sample(question, answer="Lyon", answer_format="Str", pages="[1]", sources="['Table']", document="a.pdf"):
    return {
        "doc_id": document,
        "doc_type": "Brochure",
        "question": question,
        "answer": answer,
        "evidence_pages": pages,
        "evidence_sources": sources,
        "answer_format": answer_format,
    }


ROWS = [
    sample("Where is the fair?"),
    sample("How many  halls?", "4", "Int", "[2]"),
    sample("Who came?", "Not answerable", "None", "[]", "[]"),
    sample("Who came?", "Everybody", "Str", "[3]", "['Chart']"),
    sample("Which day?", "Monday", document="b.pdf"),
    sample("Which deck?", "blue", document="c.pdf"),
]


# --- The published form ----------------------------------------------------------------------------------------------


def reason(row, kind, **manual):
    return {
        "doc_id": row["doc_id"],
        "question": " ".join(row["question"].split()),
        **{f"benchmark_{name}": row[name] for name in ("answer", "answer_format", "evidence_pages")},
        "dispute_type": kind,
        "manual_answer": row["answer"],
        "manual_evidence_pages": row["evidence_pages"],
        "note": f"why {row['question']}",
        "verified_by": ["A", "B"],
        **manual,
    }


def change(row, kind, **after):
    pairs = {name: {"v1": row[name], "v2": new} for name, new in after.items()}
    return {"doc_id": row["doc_id"], "dispute_type": kind, **pairs}


REASONS = [
    reason(ROWS[2], "should_be_answerable", manual_answer="Everybody", manual_evidence_pages="[3]"),
    reason(ROWS[1], "wrong_answer", manual_answer="5"),
    reason(ROWS[0], "should_be_unanswerable", manual_answer="Not answerable", manual_evidence_pages="[7]"),
    reason(ROWS[4], "ambiguous_question", manual_question="Which first day?"),
    reason(ROWS[5], "corpus_defect", manual_answer=None, manual_evidence_pages="[]"),
]
CHANGES = [
    change(
        ROWS[2],
        "should_be_answerable",
        answer="Everybody",
        answer_format="Str",
        evidence_pages="[3]",
        evidence_sources="['Chart']",
    ),
    change(ROWS[1], "wrong_answer", answer="5"),
    change(
        ROWS[0],
        "should_be_unanswerable",
        answer="Not answerable",
        answer_format="None",
        evidence_pages="[]",
        evidence_sources="[]",
    ),
    change(ROWS[4], "ambiguous_question", question="Which first day?"),
    {**change(ROWS[5], "corpus_defect"), "corpus_defect": True},
]
CORRECTED = [
    sample("Where is the fair?", "Not answerable", "None", "[]", "[]"),
    sample("How many  halls?", "5", "Int", "[2]"),
    sample("Who came?", "Everybody", "Str", "[3]", "['Chart']"),
    sample("Which first day?", "Monday", document="b.pdf"),
]


def publish(folder, reasons=REASONS, changes=CHANGES):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "corrections.json").write_text(json.dumps(reasons))
    (folder / "diff.json").write_text(json.dumps(changes))


def test_published_corrections_are_joined(tmp_path):
    publish(tmp_path)
    found = read_corrections(tmp_path)
    assert [item.dispute_type for item in found] == [item["dispute_type"] for item in REASONS]
    assert found[1] == Correction(
        doc_id="a.pdf",
        question="How many halls?",
        dispute_type="wrong_answer",
        before={"answer": "4"},
        after={"answer": "5"},
        note="why How many  halls?",
        pages=(2,),
        verified_by=("A", "B"),
        removed=False,
    )
    assert found[2].pages == (7,), "where it was looked for, not the row's evidence"
    assert found[2].after["evidence_pages"] == "[]"
    assert found[4].removed
    assert found[4].after == {}
    assert found[4].before == {"answer": "blue", "answer_format": "Str", "evidence_pages": "[1]"}


def test_applied_corrections_remove_and_merge_and_keep_the_order(tmp_path):
    publish(tmp_path)
    rows = copy.deepcopy(ROWS)
    assert apply(rows, read_corrections(tmp_path)) == CORRECTED
    assert rows == ROWS, "the given rows are left as they are"
    assert apply(ROWS, []) == ROWS


def test_the_order_of_corrections_changes_nothing(tmp_path):
    publish(tmp_path)
    assert apply(ROWS, read_corrections(tmp_path)[::-1]) == CORRECTED


def test_a_row_that_was_a_duplicate_before_stays(tmp_path):
    rows = [sample("a"), sample("a"), sample("b", "x")]
    publish(
        tmp_path, [reason(rows[2], "wrong_answer", manual_answer="y")], [change(rows[2], "wrong_answer", answer="y")]
    )
    assert len(apply(rows, read_corrections(tmp_path))) == 3, "only a correction's own row goes"


def test_two_rows_corrected_to_the_same_are_one(tmp_path):
    rows = [sample("a", "x"), sample("a", "y")]
    publish(
        tmp_path,
        [reason(row, "wrong_answer", manual_answer="z") for row in rows],
        [change(row, "wrong_answer", answer="z") for row in rows],
    )
    assert apply(rows, read_corrections(tmp_path)) == [sample("a", "z")]


def test_what_a_row_held_before_its_correction_is_no_other_row(tmp_path):
    rows = [sample("a", "x"), sample("a", "y")]
    publish(
        tmp_path,
        [reason(row, "wrong_answer", manual_answer=new) for row, new in zip(rows, "yz", strict=True)],
        [change(row, "wrong_answer", answer=new) for row, new in zip(rows, "yz", strict=True)],
    )
    assert apply(rows, read_corrections(tmp_path)) == [sample("a", "y"), sample("a", "z")]


@pytest.mark.parametrize("below", ["corrections", "data/corrections"])
def test_a_checkout_of_upstream_is_read_too(tmp_path, below):
    publish(tmp_path / below)
    assert len(read_corrections(tmp_path)) == 5


def test_corrections_for_another_annotation_are_refused(tmp_path):
    publish(tmp_path)
    corrections = read_corrections(tmp_path)
    with pytest.raises(CorpusError, match=r"5 of 5 corrections[\s\S]*'How many halls\?': no row") as error:
        apply(CORRECTED, corrections)
    assert "take the annotation they were written for" in str(error.value)
    with pytest.raises(CorpusError, match=r"1 of 2 corrections[\s\S]*a row corrected before"):
        apply(ROWS, [corrections[1], corrections[1]])
    twice = [sample("a"), sample("a")]
    publish(
        tmp_path, [reason(twice[0], "wrong_answer", manual_answer="z")], [change(twice[0], "wrong_answer", answer="z")]
    )
    with pytest.raises(CorpusError, match="2 rows with what it corrects"):
        apply(twice, read_corrections(tmp_path))
    with pytest.raises(CorpusError, match="and 10 more"):
        apply([], [corrections[0]] * 30)


def without(row, name):
    return {key: value for key, value in row.items() if key != name}


@pytest.mark.parametrize(
    ("place", "reasons", "changes", "message"),
    [
        (0, None, "gone", "holds no diff.json"),
        (0, None, [], "has 5 corrections and diff.json has 0"),
        (0, 3, None, "row 1: not an object in both files"),
        (1, without(REASONS[1], "note"), None, "row 2, field 'note': missing or not text"),
        (1, {**REASONS[1], "doc_id": "b.pdf"}, None, "row 2, field 'doc_id': 'b.pdf' here and 'a.pdf' in diff.json"),
        (1, {**REASONS[1], "dispute_type": "ambiguous_question"}, None, "row 2, field 'dispute_type'"),
        (4, None, without(CHANGES[4], "corpus_defect"), "row 5, field 'corpus_defect': only one of the two files"),
        (1, None, {**CHANGES[1], "corpus_defect": True}, "row 2, field 'corpus_defect'"),
        (1, None, {**CHANGES[1], "answer": "5"}, "row 2, field 'answer': diff.json does not give its text"),
        (1, {**REASONS[1], "manual_answer": "6"}, None, "row 2, field 'answer': the change here is not"),
        (1, {**REASONS[1], "benchmark_answer": "3"}, None, "row 2, field 'answer': the change here is not"),
        (1, {**REASONS[1], "manual_evidence_pages": "[9]"}, None, "row 2, field 'evidence_pages'"),
        (3, {**REASONS[3], "manual_question": "Another?"}, None, "row 4, field 'question'"),
        (3, {**REASONS[3], "question": "Another?"}, None, "row 4, field 'question'"),
    ],
)
def test_published_files_that_disagree_are_named(tmp_path, place, reasons, changes, message):
    told, changed = copy.deepcopy(REASONS), copy.deepcopy(CHANGES)
    told[place] = told[place] if reasons is None else reasons
    if isinstance(changes, list):
        changed = changes
    elif isinstance(changes, dict):
        changed[place] = changes
    publish(tmp_path, told, changed)
    if changes == "gone":
        (tmp_path / "diff.json").unlink()
    with pytest.raises(CorpusError) as error:
        read_corrections(tmp_path)
    assert message in str(error.value)


# --- For people ------------------------------------------------------------------------------------------------------


def test_a_correction_is_described_in_full(tmp_path):
    publish(tmp_path)
    corrections = read_corrections(tmp_path)
    text = describe(corrections[2])
    assert text.splitlines()[:5] == [
        "document          a.pdf",
        "question          Where is the fair?",
        "answer            Lyon → Not answerable",
        "answer format     Str → None",
        "evidence pages    [1] → []",
    ]
    assert text.splitlines()[-3:] == [
        "reason            why Where is the fair?",
        "pages             7",
        "verified by       A, B",
    ]
    assert "question          Which day? → Which first day?" in describe(corrections[3])
    assert "answer            blue\n" in describe(corrections[4])
    assert "after             removed\n" in describe(corrections[4])
    assert "pages             none named" in describe(corrections[4])


def test_a_description_is_wrapped_and_moves_no_cursor(tmp_path):
    publish(
        tmp_path, [{**REASONS[1], "note": "\x1b[2J red\r\n" + "words and " * 60, "verified_by": None}], [CHANGES[1]]
    )
    text = describe(read_corrections(tmp_path)[0], width=60)
    assert max(map(len, text.splitlines())) <= 60
    assert text.isprintable() or set(mark for mark in text if not mark.isprintable()) == {"\n"}
    assert text.endswith("verified by       nobody named")


def test_corrections_are_counted_and_listed_by_type(tmp_path):
    publish(tmp_path)
    corrections = read_corrections(tmp_path)
    counts = counts_by_type([*corrections, corrections[1]])
    assert counts == {
        "wrong_answer": 2,
        "ambiguous_question": 1,
        "should_be_answerable": 1,
        "corpus_defect": 1,
        "should_be_unanswerable": 1,
    }
    assert list(counts) == [kind for kind in DISPUTE_TYPES if kind in counts]
    lines = listed(corrections)
    assert lines[0].startswith("wrong_answer: 1 (")
    assert lines[1] == "  a.pdf: How many halls?"
    assert len(lines) == 10
    assert counts_by_type([]) == {}


@pytest.mark.parametrize(
    ("value", "pages"),
    [
        ("[3, 4]", (3, 4)),
        ([3], (3,)),
        ("[]", ()),
        ("3, 4", None),
        ("['3']", None),
        ("[True]", None),
        ("[1.5]", None),
        ("[1, [2]]", None),
        ("[" * 5000, None),
        (None, None),
        (3, None),
    ],
)
def test_page_numbers(value, pages):
    assert page_numbers(value) == pages


# --- An overlay of one's own -----------------------------------------------------------------------------------------


def own(**fields):
    entry = {
        "doc_id": "a.pdf",
        "question": "How many halls?",
        "dispute_type": "wrong_answer",
        "benchmark_answer": "4",
        "manual_answer": "5",
        "manual_evidence_pages": [2],
        "note": "The plan shows five.",
    }
    return {name: value for name, value in {**entry, **fields}.items() if value != "absent"}


def overlay(folder, *entries):
    path = folder / "mine.json"
    path.write_text(json.dumps(entries), "utf-8")
    return path


def fails(folder, *entries, rows=ROWS):
    with pytest.raises(CorpusError) as error:
        read_overlay(overlay(folder, *entries), rows)
    return str(error.value)


def only(folder, entry, rows=ROWS):
    (correction,) = read_overlay(overlay(folder, entry), rows)
    return correction


def test_an_overlay_corrects_a_row(tmp_path):
    correction = only(tmp_path, own(verified_by=["A. Reader"]))
    assert correction.before == {"answer": "4"}
    assert correction.after == {"answer": "5"}
    assert (correction.pages, correction.verified_by, correction.removed) == ((2,), ("A. Reader",), False)
    assert apply(ROWS, [correction])[1] == sample("How many  halls?", "5", "Int", "[2]")


@pytest.mark.parametrize(
    ("fields", "after"),
    [
        ({"manual_answer": 5}, {"answer": "5"}),
        ({"manual_answer": 5.5}, {"answer": "5.5", "answer_format": "Float"}),
        ({"manual_answer": ["A", 2]}, {"answer": "['A', '2']", "answer_format": "List"}),
        ({"manual_answer": "5", "manual_answer_format": "Float"}, {"answer": "5", "answer_format": "Float"}),
        ({"manual_answer": None, "manual_evidence_pages": "[2,3]"}, {"evidence_pages": "[2, 3]"}),
        (
            {"manual_answer": "4", "manual_question": "How many halls are open?"},
            {"question": "How many halls are open?"},
        ),
        ({"manual_answer": "absent", "manual_evidence_sources": "['Chart']"}, {"evidence_sources": "['Chart']"}),
        (
            {"manual_answer": "Not answerable or 0", "manual_evidence_pages": "absent"},
            {
                "answer": "Not answerable or 0",
                "answer_format": "None",
                "evidence_pages": "[]",
                "evidence_sources": "[]",
            },
        ),
    ],
)
def test_what_an_overlay_changes(tmp_path, fields, after):
    assert only(tmp_path, own(**fields)).after == after


def test_a_text_that_becomes_unanswerable_changes_its_format(tmp_path):
    entry = own(question="Where is the fair?", benchmark_answer="Lyon", manual_answer="Not answerable")
    assert only(tmp_path, entry).after["answer_format"] == "None"


def test_pages_are_the_rows_own_unless_it_becomes_unanswerable(tmp_path):
    rows = [sample("Any dog?", "Not answerable", "None", "[4]"), sample("Any cat?", "two", pages="[4]", sources="[]")]
    entry = own(
        question="Any dog?",
        benchmark_answer="Not answerable",
        manual_answer="Not answerable or none",
        manual_evidence_pages=[4, 5],
    )
    correction = only(tmp_path, entry, rows)
    assert correction.after == {"answer": "Not answerable or none", "evidence_pages": "[4, 5]"}
    cleared = only(tmp_path, {**entry, "manual_evidence_pages": []}, rows)
    assert cleared.after["evidence_pages"] == "[]"
    kept = only(tmp_path, {**entry, "manual_evidence_pages": None}, rows)
    assert (kept.after, kept.pages) == ({"answer": "Not answerable or none"}, ())
    correction = only(tmp_path, {**entry, "question": "Any cat?", "benchmark_answer": "two"}, rows)
    assert (correction.after["evidence_pages"], correction.pages) == ("[]", (4, 5))


def test_pages_written_another_way_are_no_change(tmp_path):
    rows = [sample("a", pages="[1,2]")]
    entry = own(question="a", benchmark_answer="Lyon", manual_answer=None, manual_evidence_pages=[1, 2])
    assert "row 1: the correction changes nothing" in fails(tmp_path, entry, rows=rows)


def test_an_overlay_removes_a_row(tmp_path):
    entry = own(dispute_type="corpus_defect", manual_answer=None, manual_evidence_pages="absent")
    correction = only(tmp_path, entry)
    assert correction.removed
    assert [row["question"] for row in apply(ROWS, [correction])].count("How many  halls?") == 0
    message = fails(tmp_path, own(dispute_type="corpus_defect"))
    assert "field 'manual_answer': corpus_defect removes the question; take the field out" in message


def test_the_recorded_answer_tells_two_rows_of_a_question_apart(tmp_path):
    entry = own(question="Who came?", benchmark_answer="Not answerable", manual_answer="Few", manual_evidence_pages=[3])
    assert apply(ROWS, [only(tmp_path, entry)])[2]["answer"] == "Few"
    message = fails(tmp_path, {**entry, "benchmark_answer": "Nobody"})
    assert "field 'benchmark_answer': the annotation asks this question 2 times" in message
    twice = [sample("a"), sample("a")]
    message = fails(tmp_path, own(question="a", benchmark_answer="Lyon"), rows=twice)
    assert "row 1, field 'question': the annotation asks this question 2 times, with 'Lyon', 'Lyon'" in message


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"note": "absent"}, "field 'note': the field is missing"),
        ({"note": " "}, "field 'note': empty; say why"),
        ({"note": 3}, "field 'note': 3 is not text"),
        ({"dispute_type": "wrong_anwser"}, "is 'wrong_answer' meant?"),
        ({"dispute_type": "x"}, "field 'dispute_type': 'x' is not known; take one of wrong_answer, "),
        ({"doc_id": "absent"}, "field 'doc_id': the field is missing"),
        ({"doc_id": "aa.pdf"}, "the annotation has no document 'aa.pdf'; is 'a.pdf' meant?"),
        ({"doc_id": "zzzzzzzz"}, "name one of its documents"),
        ({"question": "How many hall?"}, "asks no such question of a.pdf; is 'How many halls?' meant?"),
        ({"question": "zzz"}, "copy its wording from the annotation"),
        ({"question": []}, "field 'question': [] is not text"),
        ({"benchmark_answer": "absent"}, "field 'benchmark_answer': the field is missing"),
        ({"benchmark_answer": "3"}, "field 'benchmark_answer': '3', where the annotation says '4'"),
        ({"benchmark_answer": {}}, "field 'benchmark_answer': {} is not text"),
        ({"benchmark_answer_format": "Str"}, "'Str', where the annotation says 'Int'"),
        ({"benchmark_evidence_pages": "[9]"}, "'[9]', where the annotation says '[2]'"),
        ({"manual_answer": ""}, "field 'manual_answer': '' is not an answer"),
        ({"manual_answer": True}, "field 'manual_answer': True is not an answer"),
        ({"manual_answer": []}, "field 'manual_answer': [] is not an answer"),
        ({"manual_answer": {"a": 1}}, "is not an answer"),
        ({"manual_answer_format": "Integer"}, "'Integer' is not one of Int, Float, Str, List, None"),
        ({"manual_answer_format": []}, "[] is not one of"),
        ({"manual_answer": "five", "manual_answer_format": "Int"}, "the answer 'five' does not fit Int"),
        ({"manual_question": " "}, "field 'manual_question': ' ' is no wording"),
        ({"manual_question": "Where is the  fair?"}, "the annotation has this question already"),
        ({"manual_evidence_pages": "absent"}, "field 'manual_evidence_pages': no page; name the physical pages"),
        ({"manual_evidence_pages": []}, "field 'manual_evidence_pages': no page"),
        ({"manual_evidence_pages": "2"}, "'2' is not a list of page numbers"),
        ({"manual_evidence_pages": [0]}, "[0] is not a list of page numbers, counted from 1"),
        ({"manual_evidence_pages": [True]}, "[True] is not a list of page numbers"),
        ({"manual_evidence_sources": "Table"}, "'Table' is not a list of texts"),
        ({"manual_evidence_sources": [1]}, "[1] is not a list of texts"),
        ({"verified_by": [1]}, "field 'verified_by': [1] is not a list of names"),
        ({"verified_by": 7}, "field 'verified_by': 7 is not a list of names"),
        ({"manual_anwser": "5"}, "field 'manual_anwser': the field is not known; is 'manual_answer' meant?"),
        ({"colour": "red"}, "field 'colour': the field is not known; take it out; known are doc_id"),
        ({"manual_answer": "4"}, "row 1: the correction changes nothing"),
        ({"manual_answer": "absent", "manual_question": "How  many halls?"}, "row 1: the correction changes nothing"),
    ],
)
def test_a_faulty_entry_is_named(tmp_path, fields, message):
    text = fails(tmp_path, own(**fields))
    assert "mine.json has 1 problem to mend" in text
    assert message in text
    assert "row 1" in text


def test_two_corrections_of_one_question_and_two_of_one_wording(tmp_path):
    assert "row 2, field 'question': row 1 corrects the same question" in fails(tmp_path, own(), own(manual_answer="6"))
    first = own(manual_answer="absent", manual_question="Same?")
    second = own(
        question="Where is the fair?", benchmark_answer="Lyon", manual_answer="absent", manual_question="Same?"
    )
    assert "row 2, field 'manual_question': row 1 gives another question the same wording" in fails(
        tmp_path, first, second
    )


def test_corrections_of_another_annotation_are_counted_in_the_first_line(tmp_path):
    changed = [sample("a"), sample("b")]
    read = [reason(row, "wrong_answer", manual_answer="z") for row in changed]
    publish(tmp_path, read, [change(row, "wrong_answer", answer="z") for row in changed])
    with pytest.raises(CorpusError) as raised:
        apply([sample("c")], read_corrections(tmp_path), "mine.json")
    assert (
        str(raised.value)
        .splitlines()[0]
        .endswith("mine.json has 2 problems to mend: correction 1, field 'question', and 1 more")
    )


def test_all_faults_come_in_one_error_and_twenty_are_shown(tmp_path):
    message = fails(tmp_path, *(own(question=f"q{number}", note="") for number in range(15)), 3)
    assert "mine.json has 31 problems to mend" in message
    assert "and 11 more" in message
    assert len(message.splitlines()) == 22


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is not JSON"),
        (b"[" * 100_000, "is not JSON"),
        (b"\xff[]", "byte 0 is not UTF-8"),
        (b"{}", "does not hold a list"),
        (b"[]", "holds no correction"),
        (b"[3]", "row 1: not a JSON object"),
        (b'["\\ud83d"]', "half of a character"),
    ],
)
def test_a_file_that_is_no_overlay(tmp_path, content, message):
    (tmp_path / "mine.json").write_bytes(content)
    with pytest.raises(CorpusError, match=message):
        read_overlay(tmp_path / "mine.json", ROWS)
    with pytest.raises(CorpusError, match=r"none\.json cannot be read"):
        read_overlay(tmp_path / "none.json", ROWS)


def test_a_byte_order_mark_and_windows_line_ends_are_read(tmp_path):
    data = json.dumps([own()], indent=1).replace("\n", "\r\n")
    (tmp_path / "mine.json").write_bytes(b"\xef\xbb\xbf" + data.encode())
    assert read_overlay(tmp_path / "mine.json", ROWS)[0].after == {"answer": "5"}


def test_an_overlay_in_the_published_form_does_what_the_published_corrections_do(tmp_path):
    publish(tmp_path)
    reasons = copy.deepcopy(REASONS)
    # The one field that only diff.json tells.
    reasons[0]["manual_evidence_sources"] = ["Chart"]
    assert apply(ROWS, read_overlay(overlay(tmp_path, *reasons), ROWS)) == CORRECTED


# --- The real corrections --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def v1(mmlongbench):
    return json.loads((mmlongbench / "samples_v1.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def real(mmlongbench):
    return read_corrections(mmlongbench)


def test_real_corrections_by_type(real):
    assert len(real) == 106
    assert counts_by_type(real) == {
        "wrong_answer": 26,
        "defective_question": 19,
        "ambiguous_question": 19,
        "incomplete_answer": 16,
        "should_be_answerable": 14,
        "corpus_defect": 10,
        "should_be_unanswerable": 2,
    }
    assert sum(item.removed for item in real) == 10
    assert sum("question" in item.after for item in real) == 38
    assert all(item.note and item.verified_by for item in real)
    assert all(describe(item) for item in real)


def test_real_corrections_make_v2_of_v1(mmlongbench, v1, real):
    corrected = apply(v1, real)
    assert len(v1) == 1082
    assert len(corrected) == 1082 - 1 - 10 == 1071
    data = json.dumps(corrected, indent=2, ensure_ascii=False).encode()
    assert data == (mmlongbench / "samples_v2.json").read_bytes()


def test_the_one_real_duplicate_goes_because_its_correction_says_so(v1, real):
    corrected = apply(v1, real)
    keys = Counter((row["doc_id"], " ".join(row["question"].split())) for row in v1)
    (twice,) = (key for key, count in keys.items() if count > 1)
    (merging,) = (item for item in real if (item.doc_id, item.question) == twice)
    others = [item for item in real if item is not merging]
    assert len(apply(v1, others)) == len(corrected) + 1


def test_real_corrections_do_not_fit_v2(mmlongbench, real):
    v2 = json.loads((mmlongbench / "samples_v2.json").read_text("utf-8"))
    with pytest.raises(CorpusError, match="106 of 106 corrections are for another annotation"):
        apply(v2, real)


def test_real_corrections_as_an_overlay(mmlongbench, v1, tmp_path):
    """The published reasons alone give V2 but for evidence sources, once the gold that fits no format is left out."""
    reasons = json.loads((mmlongbench / "corrections.json").read_text("utf-8"))
    path = tmp_path / "all.json"
    path.write_text(json.dumps(reasons))
    with pytest.raises(CorpusError, match=r"1 problem[\s\S]*does not fit Int"):
        read_overlay(path, v1)
    for entry in reasons:
        if entry.get("manual_answer_format") == "Int" and not as_text(entry["manual_answer"]).isdecimal():
            del entry["manual_answer_format"]
    path.write_text(json.dumps(reasons))
    corrected = apply(v1, read_overlay(path, v1))
    v2 = {(row["doc_id"], row["question"]): row for row in json.loads((mmlongbench / "samples_v2.json").read_bytes())}
    # Without its evidence source the corrected row of the duplicate key equals no other, so both stay.
    assert len(corrected) == 1072
    differing = Counter(
        name for row in corrected for name, value in row.items() if value != v2[row["doc_id"], row["question"]][name]
    )
    assert differing == {"evidence_sources": 3, "answer_format": 1}
