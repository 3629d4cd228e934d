"""Reading order of words, and recognition of page images: results, failures, memory and files."""

import io
import logging
import re
import time
from collections import Counter

import pymupdf
import pytest

from muddle_utils.rendering import ocr
from muddle_utils.rendering.ocr import OcrPage, Word, page_text, recognise_pages, tessdata_folder


@pytest.fixture(autouse=True)
def empty_memory(monkeypatch):
    monkeypatch.setattr(ocr, "_PAGES", type(ocr._PAGES)())


def line(text: str, x: float, y: float, height: float = 10.0) -> list[Word]:
    """Lay words of one line side by side: six units a letter, three between words."""
    words = []
    for word in text.split():
        words.append(Word(x, y, x + 6 * len(word), y + height, word))
        x += 6 * len(word) + 3
    return words


def page_jpeg(page: pymupdf.Page, longest: int = 1536) -> bytes:
    zoom = longest / max(page.rect.width, page.rect.height)
    buffer = io.BytesIO()
    page.get_pixmap(matrix=pymupdf.Matrix(zoom, zoom)).pil_image().save(buffer, "JPEG", quality=90)
    return buffer.getvalue()


def drawn(*lines: str) -> bytes:
    with pymupdf.open() as document:
        page = document.new_page(width=420, height=300)
        for number, text in enumerate(lines):
            page.insert_text((30, 50 + 30 * number), text, fontsize=16)
        return page_jpeg(page, 840)


# Reading order


def test_no_words_give_no_text():
    assert page_text([]) == ""
    assert page_text([Word(0, 0, 1, 1, "  ")]) == ""


def test_words_of_a_line_are_joined_from_left_to_right():
    assert page_text(line("the quick brown fox", 0, 0)[::-1]) == "the quick brown fox"


def test_two_columns_of_prose_are_read_one_after_the_other():
    left = [f"left column line number {n} here" for n in range(8)]
    right = [f"right column line number {n} too" for n in range(8)]
    words = line("A title over both of the columns that is as wide as the whole page is", 0, 0)
    for n in range(8):
        # Half a line out of step, as columns often are.
        words += line(left[n], 0, 30 + 14 * n) + line(right[n], 220, 33 + 14 * n)
    text = page_text(words)
    positions = [text.index(each) for each in [words[0].text, *left, *right]]
    assert positions == sorted(positions)
    assert "|" not in text


def test_side_by_side_cells_become_table_rows_and_not_columns():
    words = []
    for n, (name, a, b) in enumerate([("Herring", "1,204", "990"), ("Cod", "77", "81"), ("Eel", "3", "5")]):
        words += line(name, 0, 14 * n) + line(a, 150, 14 * n) + line(b, 220, 14 * n)
    assert page_text(words) == "| Herring | 1,204 | 990 |\n| Cod | 77 | 81 |\n| Eel | 3 | 5 |"


def test_a_bar_in_a_cell_does_not_make_a_cell():
    words = line("a|b", 0, 0) + line("1", 100, 0) + line("c", 0, 14) + line("2", 100, 14)
    assert page_text(words) == "| a b | 1 |\n| c | 2 |"


def test_large_type_is_a_heading_and_wide_gaps_part_paragraphs():
    words = line("Large Title", 0, 0, height=24)
    for n in range(4):
        words += line(f"plain words of line {n}", 0, 40 + 12 * n + 20 * (n > 1))
    assert page_text(words).split("\n\n")[0] == "# Large Title"
    assert "line 1\n\nplain words of line 2" in page_text(words)


# Recognition


def test_recognised_words_have_the_height_of_their_line_and_letters_of_whole_percents():
    # Boxes fit letters: "on" is 6 high, "by" 8, and together they are 10; 7 by 10 a letter is 140 % of half of that.
    laid = ocr._laid_out([Word(0, 4, 14, 10, "on"), Word(20, 4, 34.04, 14, "by"), Word(0, 30, 14, 36, "on")])
    assert laid == [Word(0, 4, 14, 14, "on"), Word(20, 4, 34, 14, "by"), Word(0, 30, 13.98, 36, "on")]


@pytest.mark.parametrize(("gap", "n_words"), [(1.4, 1), (1.6, 2), (-7, 1)])
def test_words_nearer_than_a_space_are_one(gap, n_words):
    # Letters of 5 by 10 have an em of 10, and a space is at least 0.15 of it; boxes may overlap.
    start = 10 + gap
    laid = ocr._laid_out([Word(0, 0, 10, 10, "of"), Word(start, 0, start + 20, 10, "Ilse")])
    assert [word.text for word in laid] == (["ofIlse"] if n_words == 1 else ["of", "Ilse"])


def test_the_engine_data_is_where_the_package_says():
    assert (tessdata_folder() / "eng.traineddata").stat().st_size > 1_000_000


def test_a_missing_package_is_named_with_its_mend(monkeypatch):
    monkeypatch.setattr(ocr, "TESSDATA_PACKAGE", "tessdata-not-there")
    with pytest.raises(FileNotFoundError, match="pip install tessdata-not-there"):
        tessdata_folder()


def test_pages_are_recognised_in_order_once_and_kept(tmp_path, monkeypatch, caplog):
    first, second, junk = drawn("The harbour handled 4310 crates"), drawn("Bark beetles and frost"), b"no image"
    with caplog.at_level(logging.WARNING, logger="muddle_utils.rendering.ocr"):
        pages = recognise_pages([first, second, first, junk], workers=1, cache=tmp_path)
    assert "harbour handled 4310 crates" in pages[0].text
    assert "Bark beetles and frost" in pages[1].text
    assert pages[2] == pages[0]
    assert pages[3].text == ""
    assert "not recognised" in pages[3].problem
    assert "1 of 4 page images could not be read" in caplog.text
    files = list(tmp_path.rglob("*.txt"))
    assert len(files) == 2, "failures and duplicates are not kept"
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and path.suffix != ".txt"]

    def never(*_: object) -> None:
        pytest.fail("a known page was recognised again")

    monkeypatch.setattr(ocr, "WorkerPool", never)
    assert recognise_pages([second, first], cache=tmp_path) == [pages[1], pages[0]]
    ocr._PAGES.clear()
    assert recognise_pages([second, first], cache=tmp_path) == [pages[1], pages[0]]


def test_a_page_beyond_its_deadline_is_empty_and_says_so(tmp_path):
    start = time.monotonic()
    page = recognise_pages([drawn(*["many words on many lines"] * 8)], workers=1, cache=tmp_path, deadline=0.001)[0]
    assert page.text == ""
    assert "stopped after 0.001 s" in page.problem
    assert time.monotonic() - start < 20
    assert not list(tmp_path.rglob("*.txt"))


def test_the_memory_forgets_the_least_recently_used(monkeypatch):
    monkeypatch.setattr(ocr, "PAGES_IN_MEMORY", 2)
    for digest in ("a", "b"):
        ocr._keep(digest, OcrPage(digest), None)
    assert ocr._kept("a", None) == OcrPage("a")
    ocr._keep("c", OcrPage("c"), None)
    assert list(ocr._PAGES) == ["a", "c"]


def test_no_pages_need_no_engine(monkeypatch):
    monkeypatch.setattr(ocr, "TESSDATA_PACKAGE", "tessdata-not-there")
    assert recognise_pages([]) == []


def test_a_real_page_is_recognised_nearly_whole(mmlongbench):
    with pymupdf.open(mmlongbench / "documents" / "PH_2016.06.08_Economy-Final.pdf") as document:
        page = document[3]
        expected = Counter(re.findall(r"\w+", page.get_text().lower()))
        text = recognise_pages([page_jpeg(page)])[0].text
    found = Counter(re.findall(r"\w+", text.lower()))
    assert (expected & found).total() / expected.total() > 0.8
