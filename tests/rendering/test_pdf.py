import io
import subprocess
import sys
from pathlib import Path

import pdfplumber
import pymupdf
import pytest

from muddle_utils.rendering import pdf
from muddle_utils.rendering.pdf import RenderError, open_pdf

NO_CRYPT = {"encryption": pymupdf.PDF_ENCRYPT_AES_256, "owner_pw": "owner"}


def make_pdf(n_pages=1, **save_options) -> bytes:
    document = pymupdf.open()
    for number in range(1, n_pages + 1):
        document.new_page().insert_text((72, 72), f"This is page {number}.")
    return document.tobytes(**save_options)


BROKEN = {
    "empty": (b"", "is empty"),
    "html": (b"\xef\xbb\xbf \n<!DOCTYPE html><html><body>404 not found</body></html>", "is an HTML page"),
    "bare html": (b"<HTML><body>%PDF-1.4</body></HTML>", "is an HTML page"),
    "xhtml": (b'<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "x">', "is an HTML page"),
    "text": (b"just some text", "is not a PDF"),
    "garbage": (b"%PDF-1.7\n" + bytes(range(256)) * 20, "is damaged"),
    "header only": (b"%PDF-1.7\n", "is damaged"),
    "truncated": (make_pdf(3)[:400], "(is damaged|has no pages)"),
    "password": (make_pdf(user_pw="secret", **NO_CRYPT), "is encrypted and needs a password"),
    "no pages": (
        b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\n"
        b"trailer<</Root 1 0 R>>\n",
        "has no pages",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_unusable_files_are_named_with_the_reason(name, tmp_path, capfd):
    data, reason = BROKEN[name]
    path = tmp_path / "report.pdf"
    path.write_bytes(data)
    with pytest.raises(RenderError, match=rf"^report\.pdf {reason}"):
        open_pdf(path)
    assert capfd.readouterr() == ("", "")


def test_missing_file_and_folder(tmp_path):
    for path in (tmp_path / "none.pdf", tmp_path):
        with pytest.raises(RenderError, match="is missing"):
            open_pdf(path)


def test_flags(tmp_path):
    path = tmp_path / "a.pdf"
    cases = {
        (): make_pdf(),
        ("encrypted",): make_pdf(**NO_CRYPT),
        ("repaired",): make_pdf().replace(b"startxref\n", b"startxref\n9"),
    }
    for flags, data in cases.items():
        path.write_bytes(data)
        with open_pdf(str(path)) as document:
            assert pdf.document_flags(document) == flags
            assert pdf.page_text(pdf.load_page(document, 1)) == "This is page 1."


def test_load_page_counts_from_one():
    document = pymupdf.open(stream=make_pdf(2))
    assert pdf.page_text(pdf.load_page(document, 2)) == "This is page 2."
    for page in (0, 3, -1):
        with pytest.raises(RenderError, match=f"page {page} is outside the document's 2 pages"):
            pdf.load_page(document, page)


def test_labels():
    document = pymupdf.open(stream=make_pdf(5))
    assert [pdf.page_label(page) for page in document] == [""] * 5
    document.set_page_labels(
        [{"startpage": 0, "style": "r", "firstpagenum": 1}, {"startpage": 2, "style": "D", "firstpagenum": 289}]
    )
    assert [pdf.page_label(page) for page in document] == ["i", "ii", "289", "290", "291"]


@pytest.mark.parametrize("shown", [0, 90, 180, 270])
@pytest.mark.parametrize("drawn", [0, 90, 180, 270])
def test_one_page_pdf_has_upright_text(shown, drawn):
    document = pymupdf.open()
    page = document.new_page()
    page.insert_text((300, 300), "Revenue grew by 12 percent", rotate=drawn)
    page.set_rotation(shown)
    # insert_text turns counterclockwise, /Rotate turns clockwise, so the same number brings the text upright.
    assert pdf.upright_rotation(page) == drawn
    with pdfplumber.open(io.BytesIO(pdf.one_page_pdf(document, 1, drawn))) as single:
        assert [page.extract_text() for page in single.pages] == ["Revenue grew by 12 percent"]


def test_rotation_stands_without_a_majority_of_directions():
    document = pymupdf.open()
    page = document.new_page()
    page.set_rotation(270)
    assert pdf.upright_rotation(page) == 270  # no text at all
    page.insert_text((300, 300), "abcd", rotate=0)
    page.insert_text((300, 500), "efgh", rotate=90)
    assert pdf.upright_rotation(page) == 270  # 4 of 8 characters each way: no majority


def test_one_page_pdf_takes_the_right_page_and_is_stable():
    document = pymupdf.open(stream=make_pdf(3))
    first, second = (pdf.one_page_pdf(document, 2, 0) for _ in range(2))
    assert first == second
    with pymupdf.open(stream=first) as single:
        assert [pdf.page_text(page) for page in single] == ["This is page 2."]


def test_blank_is_nothing_drawn():
    document = pymupdf.open()
    document.new_page()
    document.new_page().draw_line((10, 10), (100, 100))
    assert [pdf.is_blank(page) for page in document] == [True, False]


def test_picture_scale_and_size():
    document = pymupdf.open()
    page = document.new_page(width=100, height=50)
    picture, scale = pdf.page_picture(page, 2.0)
    assert (picture.size, picture.mode, scale) == ((200, 100), "RGB", 2.0)
    page.set_rotation(90)
    assert pdf.page_picture(page, 2.0)[0].size == (100, 200)
    huge = document.new_page(width=14400, height=14400)
    picture, scale = pdf.page_picture(huge, 2.0)
    # 50,000,000 pixels on 14400 x 14400 points: (5e7 / 14400^2) ** 0.5 = 0.491 pixels a point.
    assert scale == pytest.approx(0.491, abs=5e-4)
    assert picture.width * picture.height == pytest.approx(50e6, rel=1e-3)


def test_clean_text():
    assert pdf.clean_text("\n\n  a\r\nb\rc\fd \x00 \ud800 \n\n") == "  a\nb\nc\nd \ufffd \ufffd"
    assert pdf.storable_text("\ud83d\ude00\f") == "\U0001f600\f"  # a surrogate pair is one character


@pytest.mark.parametrize(
    ("module", "unused"),
    [
        ("muddle_utils.runs.cli", {"pymupdf.layout", "pymupdf4llm", "onnxruntime"}),
        ("muddle_utils.inference.attachment_check", {"pymupdf.layout", "pymupdf4llm", "onnxruntime"}),
        # What a worker that recognises a page imports: no database.
        ("muddle_utils.rendering.ocr", {"pymupdf.layout", "pymupdf4llm", "onnxruntime", "numpy", "sqlalchemy"}),
    ],
)
def test_pymupdf_comes_without_its_converters(module, unused):
    code = f"import sys, {module}; print(sorted(name for name in {unused!r} if sys.modules.get(name)))"
    home = Path(__file__).parent.parent
    done = subprocess.run([sys.executable, "-c", code], cwd=home, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
