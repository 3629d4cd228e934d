"""The annotation that is scored against: every row, a revision that tells, and a lint with a row for every fault."""

import json
from collections import Counter

import pytest

from muddle_utils.corpus import annotation as annotation_module
from muddle_utils.corpus import corpora, downloads
from muddle_utils.corpus.annotation import annotation_rows, read_gold, rows_of
from muddle_utils.corpus.checks import (
    CONTRADICTING,
    FITS_NO_FORMAT,
    PAGE_OUTSIDE,
    REPEATED,
    CorpusError,
    derived_question_id,
    key_of,
)
from muddle_utils.corpus.corrections import apply, read_corrections
from muddle_utils.corpus.downloads import PinnedFile, git_blob_sha1
from muddle_utils.corpus.lint import Finding, lint_annotation
from muddle_utils.corpus.pdf_facts import Facts, unusable
from muddle_utils.study.records import Question
from muddle_utils.study.rows import write_rows

PLAIN = "['Pure-text (Plain-text)']"


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


V1 = [
    sample("Where is it?", " Lyon\n"),
    sample("How many  chairs?", "4", "Int", "[2, 3]", "['Chart', 'Figure']"),
    sample("Who came?", "Everybody"),
    sample("Who  came?", "Not answerable", "None", "[]", "[]"),
    sample("Old wording?", "blue"),
    sample("Which deck?", "red", document="gone.pdf"),
]
LABELS = [
    ("Where is it?", "lookup", False),
    ("How many chairs?", "count", True),
    ("Who came?", "verify", False),
    ("New wording?", "derive", True),
]


def write_json(path, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(rows), "utf-8")
    return path


def publish_rewording(folder):
    """Write the published corrections: one question reworded."""
    row = V1[4]
    reason = {
        "doc_id": row["doc_id"],
        "question": row["question"],
        **{f"benchmark_{name}": row[name] for name in ("answer", "answer_format", "evidence_pages")},
        "dispute_type": "ambiguous_question",
        "manual_question": "New wording?",
        "note": "why",
        "manual_evidence_pages": row["evidence_pages"],
    }
    change = {"doc_id": row["doc_id"], "dispute_type": "ambiguous_question"}
    write_json(folder / "corrections.json", [reason])
    write_json(folder / "diff.json", [{**change, "question": {"v1": row["question"], "v2": "New wording?"}}])


@pytest.fixture
def folder(tmp_path):
    place = tmp_path / "benchmark"
    write_json(place / "samples_v1.json", V1)
    write_json(place / "samples_v2.json", [*V1[:3], sample("New wording?", "blue")])
    labels = [
        {"doc_id": "a.pdf", "question": question, "task_type": kind, "requires_visual": visual}
        for question, kind, visual in LABELS
    ]
    write_json(place / "question_types.json", labels)
    publish_rewording(place)
    return place


# --- Reading ---------------------------------------------------------------------------------------------------------


def test_the_key_collapses_white_space_only():
    assert key_of("a.pdf", " How\u00a0many \n chairs? ") == ("a.pdf", "How many chairs?")
    assert key_of("a.pdf", "how many chairs?") != key_of("a.pdf", "How many chairs?")


def test_every_row_is_read_in_order(folder):
    found = read_gold("v1", str(folder))
    assert (found.name, found.pinned) == ("v1", False)
    assert [question.question for question in found.questions] == [row["question"].strip() for row in V1]
    assert found.questions[0].answer == "Lyon"
    assert found.questions[1].evidence_pages == (2, 3)
    assert found.questions[1].evidence_sources == ("Chart", "Figure")
    assert found.questions[3].answer == "Not answerable"
    assert {question.annotation for question in found.questions} == {"v1"}


def test_labels_are_joined_by_key_and_through_a_rewording(folder):
    questions = read_gold("v1", str(folder)).questions
    assert [question.task_type for question in questions] == ["lookup", "count", "verify", "verify", "derive", ""]
    assert [question.requires_visual for question in questions] == [False, True, False, False, True, False]
    assert [question.skill for question in questions][:2] == ["recall", "reasoning"]
    assert "1 of 6 questions have no task type in question_types.json" in read_gold("v1", str(folder)).notes
    assert all(question.task_type for question in read_gold("v2", str(folder)).questions)


def test_missing_labels_or_corrections_are_told(folder):
    (folder / "diff.json").unlink()
    found = read_gold("v1", str(folder))
    assert found.questions[4].task_type == ""
    assert any("words differently have no task type" in note and "no diff.json" in note for note in found.notes)
    (folder / "question_types.json").unlink()
    found = read_gold("v1", str(folder))
    assert {question.task_type for question in found.questions} == {""}
    assert any("task types are unknown" in note for note in found.notes)


def test_a_repeated_question_gets_an_identifier_of_its_own(folder):
    found = read_gold("v1", str(folder))
    identifiers = [question.question_id for question in found.questions]
    assert len(set(identifiers)) == len(V1)
    assert identifiers[2] == derived_question_id("mmlb", "a.pdf", "Who came?")
    assert identifiers[3].endswith("-2")
    (note,) = (note for note in found.notes if "second time" in note)
    assert note.startswith("row 4 asks a.pdf")


def test_pinned_means_the_bytes_and_no_overlay(folder, monkeypatch, tmp_path):
    blob = git_blob_sha1(folder / "samples_v1.json")
    pinned = [PinnedFile("r", "c", "p", blob, "samples_v1.json"), PinnedFile("r", "c", "p", "0", "samples_v2.json")]
    for module in (corpora, annotation_module):
        monkeypatch.setattr(module, "pinned_files", lambda: pinned)
    assert read_gold("v1", str(folder)).pinned
    assert read_gold(str(folder / "samples_v1.json")).pinned
    assert not read_gold("v2", str(folder)).pinned
    assert any("bytes differ" in note for note in read_gold("v2", str(folder)).notes)
    assert not read_gold("v1", str(folder), overlay=str(own_overlay(tmp_path))).pinned


def test_the_revision_is_of_the_rows_and_not_of_the_spacing(folder):
    first = read_gold("v1", str(folder)).revision
    assert len(first) == 16
    int(first, 16)
    (folder / "samples_v1.json").write_text(json.dumps([dict(reversed(row.items())) for row in V1], indent=7))
    assert read_gold("v1", str(folder)).revision == first
    revisions = {first}
    for column in corpora.COLUMNS:
        write_json(folder / "samples_v1.json", [*V1[:-1], {**V1[-1], column: "[9]"}])
        revisions.add(read_gold("v1", str(folder)).revision)
    write_json(folder / "samples_v1.json", V1[::-1])
    revisions.add(read_gold("v1", str(folder)).revision)
    write_json(folder / "samples_v1.json", V1[:-1])
    revisions.add(read_gold("v1", str(folder)).revision)
    assert len(revisions) == 1 + len(corpora.COLUMNS) + 2


def test_only_the_annotations_are_downloaded(folder, monkeypatch):
    fetched = []
    monkeypatch.setattr(corpora, "fetch_mmlongbench", lambda place, **settings: fetched.append((place, settings)))
    monkeypatch.setattr(corpora, "resolve", lambda path: folder)
    read_gold("v1", str(folder))
    read_gold("v1", offline=True)
    read_gold("demo")
    assert fetched == []
    assert read_gold("v1").questions
    assert fetched == [(folder, {"annotations_only": True})]


def test_no_pdf_is_opened(folder, monkeypatch):
    monkeypatch.setattr(downloads, "fetch_mmlongbench", lambda *_, **__: pytest.fail("downloaded"))
    monkeypatch.setattr("muddle_utils.corpus.pdf_facts.read_facts", lambda path: pytest.fail(f"{path} was opened"))
    assert len(read_gold("v1", str(folder)).questions) == 6


# --- Files of one's own ----------------------------------------------------------------------------------------------


def test_a_file_in_the_benchmarks_form(folder, tmp_path):
    rows = [{**V1[0], "evidence_pages": [1], "evidence_sources": ["Table", 3], "answer": 5, "answer_format": None}]
    path = tmp_path / "mine.json"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps(rows).encode())
    found = read_gold(str(path))
    assert (found.name, found.pinned) == ("mine.json", False)
    (question,) = found.questions
    assert (question.answer, question.answer_format, question.annotation) == ("5", "None", "mine")
    assert (question.evidence_pages, question.evidence_sources) == ((1,), ("Table",))
    assert any("task types are unknown" in note for note in found.notes)
    assert read_gold(str(path), str(folder)).questions[0].task_type == "lookup"


def test_pages_that_are_no_list_are_read_as_none_and_told(tmp_path):
    path = write_json(tmp_path / "mine.json", [sample("a", pages="page 3"), sample("b", pages="['3']"), sample("c")])
    found = read_gold(str(path))
    assert [question.evidence_pages for question in found.questions] == [(), (), (1,)]
    assert sum("no list of whole numbers" in note for note in found.notes) == 2


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"{", r"mine\.json is not JSON in UTF-8"),
        (b"[" * 100_000, r"mine\.json is not JSON in UTF-8"),
        (b"{}", "does not hold a list of questions"),
        (b"[]", "holds no question"),
        (json.dumps([{"question": "a"}]).encode(), r"row 1: field 'doc_id' is missing; a row has doc_id, doc_type"),
        (json.dumps([sample(7)]).encode(), "row 1: field 'question' is not text"),
        (json.dumps([sample("a", answer={"x": 1})]).encode(), r"row 1: field 'answer' holds \{'x': 1\}"),
        (json.dumps([sample("a\ud83d")]).encode(), "row 1: field 'question' holds half of a character"),
        (json.dumps([sample("a", answer=True)]).encode(), "row 1: field 'answer' holds True"),
    ],
)
def test_a_wrong_file_is_named(tmp_path, content, message):
    (tmp_path / "mine.json").write_bytes(content)
    with pytest.raises(CorpusError, match=message) as error:
        read_gold(str(tmp_path / "mine.json"))
    assert "download" not in str(error.value)


def test_wrong_parameters_are_named(folder, tmp_path):
    with pytest.raises(CorpusError, match=r"annotation = 'v3': there is no such file; take v1, v2, demo or the path"):
        read_gold("v3")
    with pytest.raises(CorpusError, match=r"overlay = 'none\.json': there is no such file"):
        read_gold("v1", str(folder), overlay="none.json")
    with pytest.raises(CorpusError, match=r"data_dir = .* there is no folder"):
        read_gold("v1", str(tmp_path / "none"))
    with pytest.raises(CorpusError, match="holds no v1 annotations"):
        read_gold("v1", str(tmp_path))


def question(identifier, **values):
    fields = {
        "question_id": identifier,
        "document_id": "a.pdf",
        "question": f"What of {identifier}?",
        "answer": "4",
        "answer_format": "Int",
        "evidence_pages": (2,),
        "evidence_sources": ("Table",),
        "document_type": "Brochure",
        "task_type": "count",
        "evidence_spans": ("four chairs",),
    }
    return Question(**{**fields, **values})


def test_a_studys_questions_are_read_as_they_are(tmp_path):
    questions = [question("q1"), question("q2", requires_visual=True)]
    path = write_rows(tmp_path / "questions.jsonl", questions)
    found = read_gold(str(path))
    assert found.questions == tuple(questions)
    assert (found.name, found.pinned, found.notes) == ("questions.jsonl", False, ())
    write_rows(path, [questions[0], question("q2")])
    assert read_gold(str(path)).revision != found.revision, "what the benchmark's form has no field for counts too"


def test_a_studys_questions_that_are_wrong(tmp_path):
    path = write_rows(tmp_path / "questions.jsonl", [question("q1"), question("q1", question="Other?")])
    with pytest.raises(CorpusError, match="question_id 'q1' stands 2 times"):
        read_gold(str(path))
    path.write_text("{}\n")
    with pytest.raises(CorpusError, match=r"questions\.jsonl, line 1: missing field .*notebook 01"):
        read_gold(str(path))
    path.write_text("\n")
    with pytest.raises(CorpusError, match="holds no question"):
        read_gold(str(path))


def test_the_demo_is_an_annotation():
    found = read_gold("demo")
    assert (found.name, found.pinned, found.notes) == ("demo", False, ())
    assert len(found.questions) >= 70
    assert found.revision == read_gold("demo").revision
    assert [
        finding
        for finding in lint_annotation(found)
        if finding.kind not in (annotation_module.UNCHECKED, annotation_module.NO_PAGE)
    ] == []


# --- Overlays --------------------------------------------------------------------------------------------------------


def own_overlay(folder, **fields):
    entry = {
        "doc_id": "a.pdf",
        "question": "How many chairs?",
        "dispute_type": "wrong_answer",
        "benchmark_answer": "4",
        "manual_answer": "5",
        "manual_question": "How many wooden chairs?",
        "manual_evidence_pages": [2],
        "note": "Page 2 shows five.",
    }
    return write_json(folder / "own.json", [{**entry, **fields}])


def test_an_overlay_changes_its_row_the_name_and_the_revision(folder, tmp_path):
    plain = read_gold("v1", str(folder))
    found = read_gold("v1", str(folder), str(own_overlay(tmp_path)))
    assert found.name == "v1 + own.json"
    assert found.revision != plain.revision
    assert [old == new for old, new in zip(plain.questions, found.questions, strict=True)] == [
        True,
        False,
        True,
        True,
        True,
        True,
    ]
    changed = found.questions[1]
    assert (changed.question, changed.answer, changed.evidence_pages) == ("How many wooden chairs?", "5", (2,))
    assert (changed.task_type, changed.requires_visual) == ("count", True), "labels follow the question"
    assert any("1 corrections applied" in note for note in found.notes)
    assert annotation_rows("v1", str(folder), str(tmp_path / "own.json"))[1]["answer"] == "5"


def test_an_overlay_that_gives_the_rows_of_another_file_gives_its_revision(folder, tmp_path):
    path = own_overlay(tmp_path)
    rows = annotation_rows("v1", str(folder), str(path))
    other = write_json(tmp_path / "other.json", rows)
    assert read_gold(str(other)).revision == read_gold("v1", str(folder), str(path)).revision


def test_an_overlay_of_a_studys_questions_keeps_identifiers_and_drops_stale_spans(tmp_path):
    path = write_rows(tmp_path / "questions.jsonl", [question("q1"), question("q2"), question("q3")])
    entry = {"question": "What of q2?", "manual_question": None}
    found = read_gold(str(path), overlay=str(own_overlay(tmp_path, **entry)))
    assert found.questions == (question("q1"), question("q2", answer="5", evidence_spans=()), question("q3"))
    assert found.revision != read_gold(str(path)).revision
    removed = own_overlay(
        tmp_path, **{**entry, "dispute_type": "corpus_defect", "manual_answer": None, "manual_evidence_pages": None}
    )
    assert read_gold(str(path), overlay=str(removed)).questions == (question("q1"), question("q3"))


def test_a_faulty_overlay_is_named(folder, tmp_path):
    with pytest.raises(CorpusError, match=r"own\.json has 1 problem[\s\S]*'3', where the annotation says '4'"):
        read_gold("v1", str(folder), str(own_overlay(tmp_path, benchmark_answer="3")))


# --- Lint ------------------------------------------------------------------------------------------------------------


def kinds(*rows, facts=None):
    return [
        (finding.kind, finding.place)
        for finding in lint_annotation(rows, facts)
        if finding.kind != annotation_module.UNCHECKED
    ]


@pytest.mark.parametrize(
    ("row", "kind"),
    [
        (sample("a"), None),
        (sample("a", "Not answerable", "None", "[]", "[]"), None),
        (sample("a", "Not answerable or 0", "None", "[1, 2]", "[]"), None),
        (sample("a", "1577", "Float"), None),
        (sample("a", "21%", "Int"), FITS_NO_FORMAT),
        (sample("a", "[]", "List"), FITS_NO_FORMAT),
        (sample("a", "0.66", "List"), FITS_NO_FORMAT),
        (sample("a", "x", "Text"), FITS_NO_FORMAT),
        (sample("a", "", "Str"), FITS_NO_FORMAT),
        (sample("a", "1,200", "Int"), FITS_NO_FORMAT),  # a number, but not one the v1 scorer reads
        (sample("a", "Not answerable", "Str", "[]", "[]"), annotation_module.FORMAT_AGAINST_TEXT),
        (sample("a", "Lyon", "None"), annotation_module.FORMAT_AGAINST_TEXT),
        (sample("a", pages="3"), annotation_module.NO_PAGE_LIST),
        (sample("a", pages="[1.5]"), annotation_module.NO_PAGE_LIST),
        (sample("a", "Not answerable", "None", "[2]", "[]"), annotation_module.BOTH_STRATA),
        (sample("a", pages="[]"), annotation_module.NO_PAGE),
        (sample("a", sources="['Tables']"), annotation_module.MISSPELT),
        (sample("a", sources="['chart']"), annotation_module.MISSPELT),
        (sample("a", sources="['Photograph']"), None),
        ({**sample("a"), "doc_type": "Academic  paper"}, annotation_module.MISSPELT),
        ({**sample("a"), "doc_type": "Poem"}, None),
        (sample("a", "Lyon "), annotation_module.WHITE_SPACE),
    ],
)
def test_a_row_and_what_lint_says_of_it(row, kind):
    assert kinds(row) == ([] if kind is None else [(kind, 1)])


def test_lint_names_what_v1_cannot_score_and_what_is_meant():
    details = {
        finding.kind: finding.detail for finding in lint_annotation([sample("a", "21%", "Int", sources="['chart']")])
    }
    assert details[FITS_NO_FORMAT] == "'21%' as Int; the v1 scorer gives credit to no answer"
    assert details[annotation_module.MISSPELT] == "evidence source 'chart': is 'Chart' meant?"
    details = {finding.kind: finding.detail for finding in lint_annotation([sample("a", "x", "Text")])}
    assert details[FITS_NO_FORMAT] == "'x' as Text, which is no format"


def test_lint_tells_repeated_from_contradicting():
    rows = [sample("a"), sample("b"), sample(" a"), sample("b", "Paris"), sample("a", document="b.pdf")]
    assert kinds(*rows) == [(REPEATED, 3), (CONTRADICTING, 4)]
    assert lint_annotation(rows)[1].detail == "rows 2, 4 ask this, with 'Lyon', 'Paris'"
    assert kinds(*[sample("a")] * 3) == [(REPEATED, 3)], "one finding for a question"


def test_lint_checks_pages_where_the_documents_are_at_hand():
    facts = {"a.pdf": Facts(3, 9, "", (), ""), "bad.pdf": unusable("damaged")}
    rows = [
        sample("a", pages="[1, 4]"),
        sample("b", pages="[0]"),
        sample("c", pages="[3]"),
        sample("d", pages="[99]", document="bad.pdf"),
        sample("e", pages="[99]", document="absent.pdf"),
        sample("f", document="absent.pdf"),
    ]
    assert kinds(*rows, facts=facts) == [(PAGE_OUTSIDE, 1), (PAGE_OUTSIDE, 2)]
    found = lint_annotation(rows, facts)
    assert found[0] == Finding(PAGE_OUTSIDE, "a.pdf", "a", "page 4 of a document of 3 pages", 1)
    assert (found[-1].kind, found[-1].place) == (annotation_module.UNCHECKED, 0)
    assert found[-1].detail.startswith("2 of 3 documents are not at hand or cannot be read")
    assert lint_annotation(rows)[-1].detail.startswith("3 of 3 documents")
    assert lint_annotation(rows[:1], {"a.pdf": Facts(4, 9, "", (), "")}) == []
    printed = Facts(3, 9, "", ("7", "8", "9"), "")
    assert lint_annotation([sample("a", pages="[8]")], {"a.pdf": printed}) == [], "a number printed on a page is a page"


def test_lint_goes_by_row_and_takes_a_gold_or_raw_values(folder):
    found = lint_annotation(annotation_rows("v1", str(folder)))
    assert [finding.place for finding in found] == [*sorted(finding.place for finding in found[:-1]), 0]
    assert Counter(finding.kind for finding in found) == {
        annotation_module.WHITE_SPACE: 1,
        CONTRADICTING: 1,
        annotation_module.UNCHECKED: 1,
    }
    assert Counter(finding.kind for finding in lint_annotation(read_gold("v1", str(folder)))) == {
        CONTRADICTING: 1,
        annotation_module.UNCHECKED: 1,
    }
    assert (
        kinds({**sample("a"), "answer": 4, "answer_format": "Int", "evidence_pages": [1], "evidence_sources": []}) == []
    )
    assert {finding.kind for finding in found} <= set(annotation_module.FINDINGS)
    assert lint_annotation([]) == []


def test_rows_of_questions_are_in_the_benchmarks_form():
    row = rows_of([question("q1")])[0]
    assert row == {
        **sample("What of q1?", "4", "Int", "[2]", "['Table']"),
        "question_id": "q1",
    }


# --- The real annotations --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("annotation", "rows", "unanswerable", "unlabelled"), [("v1", 1082, 223, 10), ("v2", 1071, 208, 0)]
)
def test_real_annotations(mmlongbench, annotation, rows, unanswerable, unlabelled):
    found = read_gold(annotation, str(mmlongbench))
    assert found.pinned
    assert len(found.questions) == len({item.question_id for item in found.questions}) == rows
    assert sum(item.answer.startswith("Not answerable") for item in found.questions) == unanswerable
    assert sum(not item.task_type for item in found.questions) == unlabelled
    assert not any("bytes differ" in note for note in found.notes)


def test_real_labels(mmlongbench):
    """The published counts of the labels, and of chart or figure evidence against needing the picture."""
    questions = read_gold("v2", str(mmlongbench)).questions
    counts = Counter(item.task_type for item in questions)
    assert counts == {"lookup": 487, "count": 234, "enumerate": 122, "derive": 122, "compare": 89, "verify": 17}
    assert sum(item.requires_visual for item in questions) == 314
    pictured = [item for item in questions if {"Chart", "Figure"} & set(item.evidence_sources)]
    assert sum(not item.requires_visual for item in pictured) == 231
    assert sum(item.requires_visual for item in questions if item not in pictured) == 75
    removed = Counter(item.task_type for item in read_gold("v1", str(mmlongbench)).questions)
    assert removed - counts == {"": 10, "lookup": 1}, "a label for every row of v1 but the removed ones"


def test_real_corrections_give_the_revision_of_v2(mmlongbench, tmp_path):
    rows = annotation_rows("v1", str(mmlongbench))
    path = write_json(tmp_path / "corrected.json", apply(rows, read_corrections(mmlongbench)))
    v1, v2 = (read_gold(name, str(mmlongbench)) for name in ("v1", "v2"))
    assert read_gold(str(path)).revision == v2.revision != v1.revision


def test_real_lint(mmlongbench):
    found = {name: lint_annotation(annotation_rows(name, str(mmlongbench))) for name in ("v1", "v2")}
    counts = {name: Counter(finding.kind for finding in findings) for name, findings in found.items()}
    assert (counts["v1"][CONTRADICTING], counts["v1"][REPEATED]) == (1, 0)
    assert (counts["v2"][CONTRADICTING], counts["v2"][REPEATED]) == (0, 0)
    assert (counts["v1"][FITS_NO_FORMAT], counts["v2"][FITS_NO_FORMAT]) == (7, 5)
    assert (counts["v1"][annotation_module.BOTH_STRATA], counts["v2"][annotation_module.BOTH_STRATA]) == (7, 8)
    for name, documents in (("v1", 135), ("v2", 134)):
        assert counts[name][annotation_module.FORMAT_AGAINST_TEXT] == counts[name][annotation_module.NO_PAGE_LIST] == 0
        assert counts[name][annotation_module.MISSPELT] == 0
        assert found[name][-1].detail.startswith(f"{documents} of {documents} documents")
    never = {finding.detail for finding in found["v2"] if "v1 scorer" in finding.detail}
    assert len(never) == 3
