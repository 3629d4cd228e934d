import html.parser
import io
import json
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pymupdf
import pytest
from made_up_study import make_cell, make_question, make_request, make_response, make_verdict, tiny
from PIL import Image

from muddle_utils.analysis import attribution, comparisons, failures, frames
from muddle_utils.figures import evidence
from muddle_utils.rendering.page_markers import Page, join_pages
from muddle_utils.rendering.pdf import RenderError
from muddle_utils.study.paths import Study
from muddle_utils.study.rows import write_rows

HOSTILE = "</script><script>alert('x')</script><img src=x onerror=alert(1)>\" onload=\"alert(2) & ' ]]> \u2028"


# --- failures and flips ---


def test_outcomes_by_hand():
    frame = tiny({"control": [True, True, False, None], "hn-2": [True, False, False, True]})
    found = failures.with_control(frame)
    arm = found[found["condition"].eq("hn-2")]
    assert arm["outcome"].tolist() == ["right", "wrong", "wrong", "right"]
    assert arm["control_outcome"].tolist() == ["right", "right", "wrong", "failed"]


def test_flips_are_right_in_the_control_and_wrong_in_the_arm():
    frame = tiny({"control": [True, True, False, None], "hn-2": [True, False, False, True]})
    assert failures.flips(frame, "hn-2")["question_id"].tolist() == ["q0001"]
    counts = failures.flip_counts(frame).iloc[0]
    # Three questions are judged in both: kept, lost, never.
    assert counts[["n_pairs", "kept", "lost", "gained", "never"]].tolist() == [3, 1, 1, 0, 1]


def test_flip_counts_are_the_discordant_pairs_of_the_paired_table(frame):
    counts = failures.flip_counts(frame).set_index(["model", "condition"])
    paired = comparisons.paired(frame[frame["modality"].eq("markdown")])
    for condition in ("hn-2", "random-2", "hn-4", "random-4"):
        rows = paired[paired["contrast"].eq(f"control − {condition}")]
        for model, lost, gained in zip(rows["model"], rows["a_only"], rows["b_only"], strict=True):
            assert counts.loc[(model, condition), ["lost", "gained"]].tolist() == [lost, gained]
    assert (counts[["kept", "lost", "gained", "never"]].sum(axis=1) == counts["n_pairs"]).all()


def test_failures_are_everything_that_is_not_right(frame):
    found = failures.list_failures(frame)
    right = (frame["judged"] & frame["correct"].fillna(value=False)).sum()
    assert len(found) == len(frame) - right
    assert set(found["outcome"]) == {"wrong", "unjudged", "failed", "not_run"}


def test_filters_select(frame):
    some = failures.list_failures(frame, "hn-4", "Guidebook", "Int", "wrong")
    assert len(some)
    assert set(some["condition"]) == {"hn-4"}
    assert set(some["document_type"]) == {"Guidebook"}
    assert set(some["outcome"]) == {"wrong"}
    assert set(failures.list_failures(frame, status="failed")["status"]) == {"failed"}


@pytest.mark.parametrize("wanted", [{"condition": "hn-9"}, {"status": "rong"}, {"answer_format": "Bool"}])
def test_a_filter_that_fits_no_row_is_refused_by_name(frame, wanted):
    (name, value), *_ = wanted.items()
    with pytest.raises(failures.ExplorerError, match=rf"{name} = '{value}' is in no row; there is \w+"):
        failures.list_failures(frame, **wanted)


@pytest.mark.parametrize("wanted", [{"status": "lost"}, {"answer_format": "List"}, {"status": "right"}])
def test_a_filter_that_could_fit_and_fits_no_row_leaves_none(frame, wanted):
    assert failures.list_failures(frame, **wanted).empty
    assert "no row fits" in evidence.failure_browser(failures.list_failures(frame, **wanted))


def test_the_arm_to_look_into_is_the_given_one_or_one_that_was_asked(frame):
    assert failures.arm_to_look_into(frame) == "hn-4"
    assert failures.arm_to_look_into(frame, "random-2") == "random-2"
    few = frame[frame["condition"].isin(("control", "hn-2"))]
    assert failures.arm_to_look_into(few) == "hn-2"
    assert failures.flips(few, failures.arm_to_look_into(few, "random-4")).empty
    assert failures.arm_to_look_into(frame[frame["condition"].eq("control")]) == ""
    for name in ("hn-9", "control"):
        with pytest.raises(failures.ExplorerError, match=f"condition = '{name}' is no arm: take one of hn-2, random-2"):
            failures.arm_to_look_into(frame, name)


def test_there_is_no_flip_from_control_to_control(frame):
    with pytest.raises(failures.ExplorerError, match="control"):
        failures.flips(frame, "control")


# --- where an answer's text stands ---

TEXTS = {
    "s.pdf": join_pages(
        [Page(1, "", "Net income rose to 1,234 thousand."), Page(2, "", "Founded in Lyon by Ada Byron.")]
    ),
    "h1.pdf": join_pages(
        [Page(1, "", "Nothing."), Page(2, "", "Net income\nrose to 5,678 thousand, and 13.5 % in Bern.")]
    ),
    "h2.pdf": join_pages([Page(1, "", "Bern, Rome and Oslo."), Page(2, "", "1234 again.")]),
}


def attributed(text, condition="hn-2", answer_format="Str", texts=TEXTS, abstained=False, read_from=""):
    question = make_question(1, "s.pdf", answer_format=answer_format)
    cell = make_cell(question, condition, [] if condition == "control" else ["h1.pdf", "h2.pdf"])
    request = make_request(cell, "m", "markdown")
    response = replace(make_response(request, text), read_from=read_from)
    verdict = replace(make_verdict(response, False), abstained=abstained)
    frame = frames.long_frame([question], [], [cell], {}, [response], [verdict], {}, [request])
    return attribution.attribute_answers(frame, texts, [cell]).iloc[0]


@pytest.mark.parametrize(
    ("text", "condition", "stands_in", "places"),
    [
        ("Ada Byron", "hn-2", "source", "source s.pdf p. 2"),
        ("5678 thousand", "hn-2", "hard_negative", "hard negative h1.pdf p. 2"),
        ("5,678 thousand", "random-2", "random", "random h1.pdf p. 2"),
        ("1,234", "hn-2", "several", "source s.pdf p. 1; hard negative h2.pdf p. 2"),
        ("13.5%", "hn-2", "hard_negative", "hard negative h1.pdf p. 2"),
        ("Paris", "hn-2", "nowhere", ""),
        ("123", "hn-2", "too_short_to_tell", ""),
        ("Yes", "hn-2", "too_short_to_tell", ""),
        ("42", "hn-2", "too_short_to_tell", ""),
        ("", "hn-2", "too_short_to_tell", ""),
        ("word " * 31, "hn-2", "too_long_to_tell", ""),
        ("Lyo", "hn-2", "too_short_to_tell", ""),
        ("Lyons", "hn-2", "nowhere", ""),
        ("3.5 %", "hn-2", "nowhere", ""),
    ],
)
def test_where_a_wrong_answer_stands(text, condition, stands_in, places):
    found = attributed(text, condition)
    assert (found["stands_in"], found["places"]) == (stands_in, places)


def test_pages_are_given_apart():
    found = attributed("1,234")
    assert (found["source_page"], found["distractor_id"], found["distractor_page"]) == (1, "h2.pdf", 2)
    assert pd.isna(attributed("Ada Byron")["distractor_page"])


def test_a_list_stands_where_all_its_items_stand():
    assert attributed("['Bern', 'Oslo']")["places"] == "hard negative h2.pdf p. 1"
    found = attributed("Oslo; Bern")
    assert (found["stands_in"], found["match"]) == ("hard_negative", "items")
    assert attributed("Bern, Lima")["stands_in"] == "nowhere"


def test_an_abstention_stands_nowhere_to_be_looked_for():
    assert attributed("Not answerable", abstained=True)["stands_in"] == "abstained"


def test_a_document_without_markdown_leaves_nowhere_open():
    texts = {"s.pdf": TEXTS["s.pdf"]}
    assert attributed("Paris", texts=texts)["stands_in"] == "not_searched"
    assert attributed("Ada Byron", texts=texts)["stands_in"] == "source"


def test_a_rendering_without_page_markers_is_one_page_of_unknown_number():
    assert attributed("Ada Byron", texts={**TEXTS, "s.pdf": "By Ada Byron"})["places"] == "source s.pdf p. 0"


@pytest.mark.parametrize(
    ("read_from", "role", "name"),
    [
        ('{"document": 2, "page": 5}', "source", "s.pdf"),
        ('{"document": 1, "page": 5}', "hard_negative", "h1.pdf"),
        ('{"document": 0, "page": 0}', "", ""),
        ('{"document": 4, "page": 1}', "", ""),
        ("", "", ""),
        ("no json", "", ""),
        ("[]", "", ""),
    ],
)
def test_read_from_is_a_place_in_the_prompt_and_becomes_a_document(read_from, role, name):
    # The cell places h1, the source, h2: document 2 of the prompt is the source.
    found = attributed("Paris", read_from=read_from)
    assert (found["read_role"], found["read_document_id"]) == (role, name)


def test_only_wrong_answers_are_attributed_and_their_counts_add_up(rows, frame):
    wrong = int((frame["judged"] & ~frame["correct"].fillna(value=True)).sum())
    found = attribution.attribute_answers(frame, {}, rows.cells)
    assert len(found) == wrong
    counts = attribution.attribution_counts(found)
    assert counts["n"].sum() == wrong
    assert np.allclose(counts.groupby(["model", "modality", "condition"])["share"].sum().astype(float), 1)


def test_no_wrong_answer_makes_empty_frames():
    frame = tiny({"control": [True]})
    found = attribution.attribute_answers(frame, {}, [])
    assert len(found) == len(attribution.attribution_counts(found)) == len(attribution.placebo(frame, {}, [])) == 0


def test_the_placebo_looks_for_control_answers_in_distractors_never_shown():
    questions = [make_question(i, "s.pdf") for i in range(4)]
    answers = {
        "control": ["Bern", "Rome", "Paris", "Ada Byron"],
        "hn-2": ["Oslo and more", "Bern", "5,678 thousand", "Lyon by Ada"],
    }
    cells, requests, responses, verdicts = [], [], [], []
    for condition, texts in answers.items():
        for question, text in zip(questions, texts, strict=True):
            cells.append(make_cell(question, condition, [] if condition == "control" else ["h1.pdf", "h2.pdf"]))
            requests.append(make_request(cells[-1], "m", "markdown"))
            responses.append(make_response(requests[-1], text))
            verdicts.append(make_verdict(responses[-1], False))
    frame = frames.long_frame(questions, [], cells, {}, responses, verdicts, {}, requests)
    row = attribution.placebo(frame, TEXTS, cells).iloc[0]
    # HN-2: "Bern" and "5,678 thousand" stand in its distractors, 2 of 4. Control: "Bern" and "Rome" do, 2 of 4.
    assert (row["n_wrong"], row["n_in_distractor"], row["n_control_wrong"], row["n_placebo"]) == (4, 2, 4, 2)
    assert (row["share"], row["placebo_share"], row["net"]) == (0.5, 0.5, 0.0)


# --- the evidence on its page ---


@pytest.fixture(scope="module")
def pdf(tmp_path_factory):
    """Three pages: upright, the same turned by /Rotate 90, and one without text."""
    path = tmp_path_factory.mktemp("pdf") / "made.pdf"
    with pymupdf.open() as document:
        for rotation in (0, 90):
            page = document.new_page(width=400, height=600)
            page.insert_text((50, 100), "Revenue was 4,217 million in the year.", fontsize=12)
            page.insert_text((50, 500), "Total 14,217 and 4,2171", fontsize=12)
            page.set_rotation(rotation)
        document.new_page(width=400, height=600)
        document.save(path)
    return path


def yellow(picture):
    """Return the box (left, top, right, bottom) of marked pixels as shares of the picture, and their number."""
    pixels = np.asarray(Image.open(io.BytesIO(picture.data)).convert("RGB"), dtype=int)
    marked = (pixels[..., 0] > 200) & (pixels[..., 2] < 170) & (pixels[..., 1] > 150)
    y, x = np.nonzero(marked)
    if not len(x):
        return None, 0
    height, width = marked.shape
    return (x.min() / width, y.min() / height, x.max() / width, y.max() / height), len(x)


def test_a_span_is_marked_where_its_words_stand(pdf):
    picture = evidence.evidence_picture(pdf, 1, ["4,217 million"])
    (left, top, right, bottom), n = yellow(picture)
    # "Revenue was " is about 70 points wide from x = 50 on a page of 400; the baseline is at y = 100 of 600.
    assert 0.25 < left < right < 0.55
    assert 0.12 < top < bottom < 0.19
    assert n > 100
    assert picture.marked == ("4,217 million",)
    assert max(Image.open(io.BytesIO(picture.data)).size) == 900


def test_marks_follow_the_rotation_of_the_page(pdf):
    (left, top, right, bottom), _ = yellow(evidence.evidence_picture(pdf, 2, ["4,217 million"]))
    # Turned clockwise: (x, y) of the upright page comes to (1 - y, x).
    assert 0.81 < left < right < 0.88
    assert 0.25 < top < bottom < 0.55


def test_a_number_is_not_marked_inside_a_longer_one(pdf):
    box, _ = yellow(evidence.evidence_picture(pdf, 1, ["4,217"]))
    assert box[3] < 0.2, "the line at y = 500 holds 14,217 and 4,2171 only"


def test_a_span_that_is_not_there_is_not_marked_and_said(pdf):
    picture = evidence.evidence_picture(pdf, 1, ["9,999 million", "4,217 million"])
    assert picture.not_found == ("9,999 million",)
    assert "Not found in the page's text layer, so not marked: 9,999 million" in picture.note
    scanned = evidence.evidence_picture(pdf, 3, ["4,217 million"])
    assert scanned.marked == ()
    assert yellow(scanned)[1] == 0


def test_without_known_spans_only_a_telling_answer_is_looked_for():
    question = make_question(1, "s.pdf", answer="['4,217 million', '5', 'yes']", answer_format="List")
    assert evidence._answer_spans(question) == ("4,217 million",)
    assert evidence._answer_spans(replace(question, answer="5", answer_format="Int")) == ()


def test_a_page_without_spans_says_that_nothing_is_marked(pdf):
    assert "nothing is marked" in evidence.evidence_picture(pdf, 1, ["", " "]).note


def test_the_same_page_gives_the_same_bytes(pdf):
    assert evidence.evidence_picture(pdf, 1, ["Total"]) == evidence.evidence_picture(pdf, 1, ["Total"])


@pytest.mark.parametrize("page", [0, 4])
def test_a_page_outside_the_document_is_refused(pdf, page):
    with pytest.raises(RenderError, match=f"page {page}"):
        evidence.evidence_picture(pdf, page, [])


def test_pictures_of_a_study(pdf, tmp_path, rows):
    study = Study("test", str(tmp_path / "runs"), str(tmp_path / "figures"))
    first, second = (replace(q, document_id=n) for q, n in zip(rows.questions, ("made.pdf", "gone.pdf"), strict=False))
    first = replace(first, evidence_pages=(3, 1), evidence_spans=("4,217 million",))
    third = replace(first, question_id="q9", evidence_pages=())
    write_rows(study.rows("questions"), [first, second, third])
    documents = [replace(rows.documents[0], document_id="made.pdf", path=str(pdf))]
    documents.append(replace(documents[0], document_id="gone.pdf", path=str(tmp_path / "gone.pdf")))
    write_rows(study.rows("documents"), documents)
    pictures = evidence.evidence_pictures(study, ["q0000", "q0001", "q9"])
    assert pictures["q0000"].page == 1, "page 3 is annotated first, but the span is on page 1"
    assert "gone.pdf is missing" in pictures["q0001"].note
    assert "names no evidence page" in pictures["q9"].note
    assert "<img" not in evidence.failure_card({"question_id": "q0001"}, pictures["q0001"])


def test_a_real_page(mmlongbench):
    path = min((mmlongbench / "documents").glob("*.pdf"), key=lambda file: file.stat().st_size)
    with pymupdf.open(path) as document:
        page = next((number for number, sheet in enumerate(document, 1) if len(sheet.get_text().split()) > 30), 0)
        if not page:
            pytest.skip(f"{path.name} has no text layer")
        words = [word[4] for word in document[page - 1].get_text("words")][10:14]
    picture = evidence.evidence_picture(path, page, [" ".join(words)])
    assert picture.marked
    assert yellow(picture)[1] > 0


# --- HTML ---


class Parsed(html.parser.HTMLParser):
    """Collects the elements, attributes and text that a browser would see."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.text = [], [], ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data):
        self.text += data


@pytest.fixture
def hostile():
    frame = tiny({"control": [True], "hn-2": [False]})
    row = frames.as_records(failures.flips(frame, "hn-2"))[0]
    extra = dict.fromkeys(("places", "stands_in", "read_role", "read_document_id", "read_page", "outcome"), HOSTILE)
    return {**{name: HOSTILE if isinstance(value, str) else value for name, value in row.items()}, **extra}


def test_a_card_escapes_every_field(hostile):
    picture = evidence.EvidencePicture(b"x", 1, (HOSTILE,), (HOSTILE,))
    card = evidence.failure_card(hostile, picture)
    parsed = Parsed(card)
    assert set(parsed.tags) == {"article", "strong", "dl", "dt", "dd", "figure", "img", "figcaption"}
    assert {name for name, _ in parsed.attributes} == {"style", "src", "alt"}
    assert parsed.text.count("alert('x')") > 10
    assert [value for name, value in parsed.attributes if name == "src"] == ["data:image/jpeg;base64,eA=="]


def test_a_card_shows_question_reference_both_answers_and_verdicts():
    frame = tiny({"control": [True], "hn-2": [False]})
    row = frames.as_records(failures.flips(frame, "hn-2"))[0]
    parsed = Parsed(evidence.failure_card({**row, "text": "17", "stands_in": "hard_negative", "places": "h1.pdf p. 2"}))
    for expected in (
        "How many in q0000?",
        "Reference",
        "Answer in hn-2 (wrong)",
        "Answer in control (right)",
        "by value",
        "hard negative: h1.pdf p. 2",
    ):
        assert expected in parsed.text


def test_no_field_ends_the_browsers_script(hostile):
    page = evidence.failure_browser([hostile], {HOSTILE: evidence.EvidencePicture(b"x", 1, (HOSTILE,), ())})
    parsed = Parsed(page)
    assert parsed.tags.count("script") == page.count("</script>") == 2
    assert set(parsed.tags) == {"div", "p", "button", "script"}
    text = re.search(r'<script type="application/json">(.*?)</script>', page, re.DOTALL)[1]
    assert "<" not in text, "browsers also end a script at </script followed by a space"
    data = json.loads(text)
    assert data["rows"][0]["keys"]["condition"] == HOSTILE
    assert any(HOSTILE in text for _, text in data["rows"][0]["facts"])


def test_the_browser_sets_text_and_loads_nothing(frame):
    page = evidence.failure_browser(failures.list_failures(frame))
    for forbidden in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "http:", "https:"):
        assert forbidden not in page


def test_the_browser_lists_every_row_and_has_an_id_of_its_own(frame):
    found = failures.list_failures(frame)
    pages = [evidence.failure_browser(found), evidence.failure_browser(found.head(3))]
    ids = [re.search(r'data-failures="([^"]+)"', page)[1] for page in pages]
    assert len(set(ids)) == 2
    assert pages[0] == evidence.failure_browser(found)
    data = json.loads(re.search(r'<script type="application/json">(.*?)</script>', pages[0], re.DOTALL)[1])
    assert len(data["rows"]) == len(found)
    assert data["filters"] == ["condition", "document_type", "answer_format", "outcome", "model", "modality"]


def test_the_browser_of_nothing_says_so():
    assert evidence.failure_browser([]) == "<p>Nothing went wrong here: no row fits.</p>"
