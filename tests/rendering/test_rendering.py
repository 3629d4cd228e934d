import dataclasses
import errno
import hashlib
import io
import json
import multiprocessing
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pymupdf
import pytest
from PIL import Image
from tqdm import tqdm

from muddle_utils.rendering import cache as cache_module
from muddle_utils.rendering import page_work, pdf, rendering
from muddle_utils.rendering.cache import CacheError
from muddle_utils.rendering.page_markers import break_markers, split_pages
from muddle_utils.rendering.page_work import text_flags
from muddle_utils.rendering.pdf import RenderError
from muddle_utils.rendering.quality import compare_renderers, page_quality
from muddle_utils.rendering.rendering import choose_image_setting, page_images, read_markdown, render_documents
from muddle_utils.rendering.workers import Outcome, Unit, WorkerPool
from muddle_utils.study.records import Document, Rendering

ROOT = Path(__file__).resolve().parents[2]
PROSE = (
    "The board met in spring and agreed on a plan for the coming years.\n"
    "Costs were lower than in the year before, and members asked why.\n"
    "A longer answer followed in the report of the treasurer.\n"
)


# Documents -----------------------------------------------------------------------------------------------------------


def as_document(path: Path, n_pages: int = 0, **fields) -> Document:
    digest = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
    document = Document(path.name, digest, str(path), n_pages, 0, "", "", "source", "test", "CC0-1.0")
    return dataclasses.replace(document, **fields)


def add_text(document, text=PROSE):
    page = document.new_page()
    page.insert_text((72, 72), text)
    return page


def add_table(document):
    page = document.new_page()
    rows = [("Region", "Revenue", "Share"), ("North", "1,200", "40%"), ("South", "900", "30%"), ("East", "900", "30%")]
    for line, row in enumerate(rows):
        for column, cell in enumerate(row):
            page.insert_text((72 + 160 * column, 100 + 20 * line), cell)


def add_scan(document):
    page = document.new_page()
    noise = np.random.default_rng(0).integers(0, 255, (90, 60, 3), dtype=np.uint8)
    data = io.BytesIO()
    Image.fromarray(noise).save(data, "PNG")
    page.insert_image(pymupdf.Rect(72, 72, 500, 700), stream=data.getvalue())


def text_table_text(document):
    add_text(document)
    add_table(document)
    add_text(document)


def labelled(document):
    for number in range(1, 6):
        add_text(document, f"Sheet {number}.")
    document.set_page_labels(
        [{"startpage": 0, "style": "r", "firstpagenum": 1}, {"startpage": 2, "style": "D", "firstpagenum": 289}]
    )


def rotated(document):
    add_text(document, PROSE * 3).set_rotation(90)


def hostile(document):
    add_text(document, "Before\n<!-- page 7 -->\n<!--PAGE 8, label x -->\nAfter")
    document.set_page_labels([{"startpage": 0, "prefix": "--> <!-- page 9 -->", "style": "", "firstpagenum": 1}])


def part_scanned(document):
    add_text(document)
    add_scan(document)
    document.new_page()
    add_scan(document)


def scanned(document):
    add_scan(document)
    add_scan(document)


def long(document):
    for number in range(1, 20):
        add_text(document, f"Page {number} of the long report.\n" + PROSE)


MADE = {
    f"{make.__name__}.pdf": make for make in (text_table_text, labelled, rotated, hostile, part_scanned, scanned, long)
}


def write_bomb(path: Path) -> Path:
    """Write a PDF of one page whose forms draw each other twice, 40 levels deep: 2**40 drawings, for any reader."""
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</XObject<</X 5 0 R>>>>>>",
        b"<</Length 5>>stream\n/X Do\nendstream",
    ]
    for number in range(5, 45):
        form = b"<</Type/XObject/Subtype/Form/BBox[0 0 600 800]/Length 11/Resources<</XObject<</X %d 0 R>>>>>>"
        objects.append(form % (number + 1) + b"stream\n/X Do /X Do\nendstream")
    objects.append(b"<</Type/XObject/Subtype/Form/BBox[0 0 600 800]/Length 12>>stream\n0 0 5 5 re f\nendstream")
    body = b"".join(b"%d 0 obj%s\nendobj\n" % (number, text) for number, text in enumerate(objects, start=1))
    path.write_bytes(b"%PDF-1.4\n" + body + b"trailer<</Root 1 0 R>>\n")
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("documents")
    for name, make in MADE.items():
        with pymupdf.open() as document:
            make(document)
            (folder / name).write_bytes(document.tobytes(no_new_id=1))
    whole = (folder / "long.pdf").read_bytes()
    (folder / "truncated.pdf").write_bytes(whole[:600])
    (folder / "page.pdf").write_bytes(b"<!doctype html><html><body>404 not found</body></html>")
    (folder / "zero.pdf").write_bytes(b"")
    (folder / "garbage.pdf").write_bytes(b"%PDF-1.7\n" + bytes(range(256)) * 9)
    (folder / "repaired.pdf").write_bytes(
        (folder / "rotated.pdf").read_bytes().replace(b"startxref\n", b"startxref\n9")
    )
    with pymupdf.open(folder / "labelled.pdf") as document:
        document.save(folder / "locked.pdf", encryption=pymupdf.PDF_ENCRYPT_AES_256, owner_pw="o", user_pw="u")
        document.save(folder / "owned.pdf", encryption=pymupdf.PDF_ENCRYPT_AES_256, owner_pw="o")
    return folder


@pytest.fixture(scope="module")
def documents(folder) -> list[Document]:
    sizes = {"long.pdf": 19}
    found = [as_document(path, sizes.get(path.name, 1)) for path in sorted(folder.glob("*.pdf"))]
    return [*found, as_document(folder / "missing.pdf"), as_document(folder / "long.pdf", document_id="copy/long.pdf")]


@pytest.fixture(scope="module")
def cache(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def markdown_rows(documents, cache) -> dict[str, Rendering]:
    rows = render_documents(documents, "markdown", cache, workers=2, progress=False)
    assert [row.document_id for row in rows] == [document.document_id for document in documents]
    return {row.document_id: row for row in rows}


@pytest.fixture(scope="module")
def image_rows(documents, cache) -> dict[str, Rendering]:
    names = ("part_scanned.pdf", "rotated.pdf", "scanned.pdf", "labelled.pdf", "locked.pdf", "page.pdf")
    chosen = [document for document in documents if document.document_id in names]
    rows = render_documents(chosen, "image", cache, workers=2, progress=False)
    return {row.document_id: row for row in rows}


def picture_of(source) -> Image.Image:
    with Image.open(io.BytesIO(source) if isinstance(source, bytes) else source) as picture:
        picture.load()
    return picture


@pytest.fixture
def no_workers(monkeypatch):
    def refuse(*_arguments):
        raise AssertionError("a worker pool was started")

    monkeypatch.setattr(rendering, "WorkerPool", refuse)


# Markdown ------------------------------------------------------------------------------------------------------------


def test_no_page_boundary_is_lost(markdown_rows, folder):
    for name in MADE:
        row = markdown_rows[name]
        if row.status == "rendered":
            pages = split_pages(read_markdown(row))
            assert [page.number for page in pages] == list(range(1, row.n_pages + 1))
            assert sum(len(page.text) for page in pages) == row.n_chars
            assert Path(row.path).stat().st_size == row.n_bytes
    table = split_pages(read_markdown(markdown_rows["text_table_text.pdf"]))[1].text
    assert "|" in table
    assert [word for word in ("Region", "1,200", "40%", "East") if word not in table] == []


def test_pages_hold_their_own_text_in_order(markdown_rows):
    pages = split_pages(read_markdown(markdown_rows["long.pdf"]))
    assert [page.text.splitlines()[0] for page in pages] == [f"Page {n} of the long report." for n in range(1, 20)]


def test_labels_stand_in_markers(markdown_rows):
    markers = [line for line in read_markdown(markdown_rows["labelled.pdf"]).splitlines() if line.startswith("<!--")]
    assert markers == [
        "<!-- page 1, label i -->",
        "<!-- page 2, label ii -->",
        "<!-- page 3, label 289 -->",
        "<!-- page 4, label 290 -->",
        "<!-- page 5, label 291 -->",
    ]


def test_markers_in_a_document_are_broken_up(markdown_rows):
    markdown = read_markdown(markdown_rows["hostile.pdf"])
    assert len(split_pages(markdown)) == 1
    assert "<! -- page 7 -->" in markdown
    assert "<! --PAGE 8, label x -->" in markdown
    assert markdown.startswith("<!-- page 1, label -- > <!-- page 9 -- > -->\n")


def test_rotated_page_reads_as_lines(markdown_rows):
    text = split_pages(read_markdown(markdown_rows["rotated.pdf"]))[0].text
    assert "The board met in spring and agreed on a plan for the coming years." in text


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("truncated.pdf", "the file is damaged: its pages cannot be counted"),
        ("page.pdf", "the file is an HTML page named .pdf"),
        ("zero.pdf", "the file is empty (0 bytes)"),
        ("garbage.pdf", "the file is damaged and cannot be repaired"),
        ("locked.pdf", "the file is encrypted and needs a password"),
        ("missing.pdf", "the file is missing"),
        ("scanned.pdf", "no text layer on any page"),
    ],
)
def test_what_cannot_be_rendered_is_a_row_with_the_reason(name, problem, markdown_rows):
    row = markdown_rows[name]
    assert (row.status, row.path, row.n_chars, row.n_bytes) == ("failed", "", 0, 0)
    assert row.problem.startswith(problem)
    with pytest.raises(RenderError, match=name):
        read_markdown(row)


def test_warnings_name_the_pages(markdown_rows):
    assert markdown_rows["part_scanned.pdf"].warnings == (
        "no_text_layer: 2 of 4 pages have no text layer (2, 4)",  # page 3 is blank: nothing is drawn on it
    )
    assert markdown_rows["scanned.pdf"].warnings == ("no_text_layer: 2 of 2 pages have no text layer (1-2)",)
    assert markdown_rows["text_table_text.pdf"].warnings == ()
    assert [warning.split(":")[0] for warning in markdown_rows["owned.pdf"].warnings] == ["encrypted"]
    assert [warning.split(":")[0] for warning in markdown_rows["repaired.pdf"].warnings] == ["repaired"]


def test_equal_bytes_are_rendered_once(markdown_rows):
    first, second = markdown_rows["long.pdf"], markdown_rows["copy/long.pdf"]
    assert dataclasses.replace(second, document_id="long.pdf") == first


def test_problem_of_the_corpus_is_kept(folder, tmp_path, no_workers):
    document = as_document(folder / "long.pdf", problem="withdrawn by its owner")
    row = render_documents([document], "markdown", tmp_path, progress=False)[0]
    assert (row.status, row.problem) == ("failed", "withdrawn by its owner")


def test_second_call_converts_nothing(markdown_rows, image_rows, documents, cache, no_workers):
    before = {path: path.stat().st_mtime_ns for path in cache.rglob("*")}
    again = render_documents(documents, "markdown", cache, progress=False)
    assert {row.document_id: row for row in again} == markdown_rows
    chosen = [document for document in documents if document.document_id in image_rows]
    again = render_documents(chosen, "image", cache, progress=False)
    assert {row.document_id: row for row in again} == image_rows
    assert {path: path.stat().st_mtime_ns for path in cache.rglob("*")} == before


def test_converter_is_not_imported_here(markdown_rows, folder, cache):
    script = (
        "import sys, pathlib\nfrom muddle_utils.study.records import Document\n"
        "from muddle_utils.rendering import rendering\n"
        f"document = Document(**{dataclasses.asdict(as_document(folder / 'long.pdf'))!r})\n"
        f"row = rendering.render_documents([document], 'markdown', pathlib.Path({str(cache)!r}))[0]\n"
        "print(row.status, 'markitdown' in sys.modules, 'litellm' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert (done.stdout, done.stderr) == ("rendered False False\n", "")


def test_converter_gives_what_markitdown_gives_without_its_network(folder):
    # The network's place is taken for the whole process, so MarkItDown itself is asked in another one.
    paths = [str(folder / name) for name in ("text_table_text.pdf", "labelled.pdf", "long.pdf")]
    script = (
        "import io, json, sys, pathlib\nfrom markitdown import MarkItDown, StreamInfo\n"
        "kind = StreamInfo(extension='.pdf', mimetype='application/pdf')\n"
        "converter = MarkItDown(enable_plugins=False)\n"
        "given = [pathlib.Path(path).read_bytes() for path in sys.argv[1:]]\n"
        "print(json.dumps([converter.convert_stream(io.BytesIO(data), stream_info=kind).markdown for data in given]))"
    )
    theirs = subprocess.run([sys.executable, "-c", script, *paths], capture_output=True, text=True, check=True)
    script = (
        "import json, sys, pathlib\nfrom muddle_utils.rendering import page_work\nconvert = page_work._markitdown()\n"
        "print(json.dumps([convert(pathlib.Path(path).read_bytes()) for path in sys.argv[1:]]))\n"
        "print('onnxruntime' in sys.modules)"
    )
    ours = subprocess.run([sys.executable, "-c", script, *paths], cwd=ROOT, capture_output=True, text=True, check=True)
    assert ours.stdout == f"{theirs.stdout}False\n"
    assert all(json.loads(theirs.stdout))


def test_interrupted_document_resumes_and_one_worker_gives_the_same_bytes(markdown_rows, documents, cache):
    row = markdown_rows["long.pdf"]
    home = Path(row.path).parent
    content = {path.name: path.read_bytes() for path in home.glob("document.md")}
    lost = [f"page-{number:05d}.json" for number in range(1, 14)]
    for name in ("rendering.json", "document.md", *lost):
        (home / name).unlink()
    (home / "page-00017.json").write_text('{"page": 17, "te')  # a torn record counts as missing
    before = {path.name: path.stat().st_mtime_ns for path in home.glob("page-*.json")}
    chosen = [document for document in documents if document.document_id == "long.pdf"]
    again = render_documents(chosen, "markdown", cache, workers=1, progress=False)[0]
    assert dataclasses.replace(again, seconds=0.0) == dataclasses.replace(row, seconds=0.0)
    assert {path.name: path.read_bytes() for path in home.glob("document.md")} == content
    after = {path.name: path.stat().st_mtime_ns for path in home.glob("page-*.json")}
    assert {name for name, when in after.items() if before.get(name) != when} == {*lost, "page-00017.json"}


def test_changed_file_is_refused_and_damaged_cache_is_mended(folder, tmp_path):
    path, cache = tmp_path / "a.pdf", tmp_path / "cache"
    path.write_bytes((folder / "labelled.pdf").read_bytes())
    document = as_document(path, 5)

    def render(modality="markdown"):
        return render_documents([document], modality, cache, "pymupdf", workers=1, progress=False)[0]

    path.write_bytes(b"<html>gone</html>")
    for modality in ("markdown", "pdf"):
        row = render(modality)
        assert row.status == "failed"
        assert list(cache.rglob("rendering.json")) == []  # it says nothing about the document with this digest
    assert "SHA-256 differs" in row.problem
    path.write_bytes((folder / "labelled.pdf").read_bytes())
    row = render()
    content = read_markdown(row)
    Path(row.path).write_text(content[:10])
    assert read_markdown(render()) == content
    Path(row.path).unlink()
    with pytest.raises(RenderError, match=r"is gone from the cache: render a\.pdf again"):
        read_markdown(row)


def test_renderers_compared(folder, markdown_rows, cache):
    rows = compare_renderers(as_document(folder / "text_table_text.pdf", 3), cache, workers=1)
    assert [row["renderer"] for row in rows] == ["markitdown", "markitdown-document", "pymupdf"]
    assert [row["n_page_markers"] for row in rows] == [3, 0, 3]
    assert [row["n_pages"] for row in rows] == [3, 3, 3]
    # The table has a header, three rows and (not counted) a rule; PyMuPDF writes no tables.
    assert [row["n_table_rows"] for row in rows] == [4, 4, 0]
    assert all(row["status"] == "rendered" and row["n_chars"] > 400 for row in rows)
    whole = render_documents(
        [as_document(folder / "text_table_text.pdf")], "markdown", cache, "markitdown-document", progress=False
    )[0]
    assert whole.warnings[0].startswith("no_page_markers")


def test_pages_the_converter_fails_on_are_told(folder, monkeypatch):
    def fail(_data):
        raise KeyError("no such font")

    document = pymupdf.open(folder / "labelled.pdf")
    monkeypatch.setattr(page_work, "_markitdown", lambda: fail)
    record = page_work._markdown_page(document, 1, "markitdown")
    assert record.text == "Sheet 1."
    assert record.problem == "MarkItDown failed (KeyError: 'no such font'); the text is PyMuPDF's"
    monkeypatch.setattr(page_work, "_markitdown", lambda: lambda _data: " \n")
    assert page_work._markdown_page(document, 1, "markitdown").problem.startswith("MarkItDown found no text; ")


# Keys ----------------------------------------------------------------------------------------------------------------


def test_key_depends_on_everything(folder, monkeypatch, tmp_path):
    parts = ["00", "markdown", "pymupdf", "pymupdf 2.0", "{}"]
    keys = {cache_module.rendering_key(*parts)}
    for place in range(5):
        keys.add(cache_module.rendering_key(*(part + "x" * (place == i) for i, part in enumerate(parts))))
    assert len(keys) == 6
    document = as_document(folder / "labelled.pdf")

    def key(modality, renderer="markitdown"):
        return cache_module.job_of(document, modality, renderer, tmp_path).row.key

    before = [
        key("markdown"),
        key("markdown", "pymupdf"),
        key("markdown", "markitdown-document"),
        key("image"),
        key("pdf"),
    ]
    assert len(set(before)) == 5
    assert key("image", "pymupdf") == key("image")  # the renderer is a choice of Markdown only
    monkeypatch.setattr(cache_module, "MARKER_VERSION", 2)
    monkeypatch.setattr(cache_module, "IMAGE_SCALE", 1.5)
    after = [
        key("markdown"),
        key("markdown", "pymupdf"),
        key("markdown", "markitdown-document"),
        key("image"),
        key("pdf"),
    ]
    assert [old == new for old, new in zip(before, after, strict=True)] == [False, False, True, False, True]


def test_versions_name_every_package():
    names = [part.split()[0] for part in cache_module.renderer_version("markdown", "markitdown").split(", ")]
    assert names == ["markitdown", "pdfminer.six", "pdfplumber", "pymupdf"]


# Images and PDFs -----------------------------------------------------------------------------------------------------


def test_images_are_numbered_pages_at_scale_two(image_rows):
    row = image_rows["part_scanned.pdf"]
    assert (row.status, row.n_pages, row.n_chars) == ("rendered", 4, 0)
    pictures = sorted(Path(row.path).glob("*.png"))
    assert [picture.name for picture in pictures] == [f"page-0000{n}.png" for n in range(1, 5)]
    assert row.n_bytes == sum(picture.stat().st_size for picture in pictures)
    for picture in pictures:
        assert picture_of(picture).size == (1190, 1684)  # A4 is 595 x 842 points


@pytest.mark.parametrize(("setting", "size"), [("1536q90", (1085, 1536)), ("1024q80", (724, 1024))])
def test_jpegs_have_the_longest_side_of_their_setting(image_rows, setting, size):
    jpegs = page_images(image_rows["part_scanned.pdf"], setting)
    pictures = [picture_of(jpeg) for jpeg in jpegs]
    assert [(picture.format, picture.size) for picture in pictures] == [("JPEG", size)] * 4
    assert rendering.jpeg_bytes(image_rows["part_scanned.pdf"])[setting] == sum(map(len, jpegs))
    noise, white = np.asarray(pictures[1].convert("L")).std(), np.asarray(pictures[2].convert("L"))
    assert noise > 20 and white.min() == 255  # the scan is page 2, the blank page 3


def test_rotated_page_is_shown_as_viewers_show_it(image_rows):
    picture = picture_of(page_images(image_rows["rotated.pdf"], "1024q80")[0])
    assert picture.size == (1024, 724)


def test_small_pictures_are_not_enlarged():
    small = Image.new("RGB", (400, 200), "white")
    assert picture_of(page_work.encode_jpeg(small, 1536, 90)).size == (400, 200)
    assert picture_of(page_work.encode_jpeg(small, 400, 90)).size == (400, 200)
    assert picture_of(page_work.encode_jpeg(small, 100, 90)).size == (100, 50)


def test_image_setting_depends_on_the_sum_of_bytes(image_rows, monkeypatch):
    rows = [image_rows["part_scanned.pdf"], image_rows["labelled.pdf"]]
    total = sum(len(jpeg) for row in rows for jpeg in page_images(row, "1536q90"))
    assert choose_image_setting(rows) == "1536q90"
    monkeypatch.setattr(rendering, "IMAGE_BYTES_LIMIT", total)
    assert choose_image_setting(rows) == "1536q90"
    monkeypatch.setattr(rendering, "IMAGE_BYTES_LIMIT", total - 1)
    assert choose_image_setting(rows) == "1024q80"
    assert choose_image_setting(rows[:1]) == "1536q90"


def test_wrong_rendering_or_setting_is_refused(image_rows, markdown_rows):
    with pytest.raises(ValueError, match="rendered as markdown, not as image"):
        page_images(markdown_rows["long.pdf"], "1536q90")
    with pytest.raises(ValueError, match="rendered as image, not as markdown"):
        read_markdown(image_rows["labelled.pdf"])
    with pytest.raises(ValueError, match="'2048q90' is unknown: take one of 1536q90, 1024q80"):
        page_images(image_rows["labelled.pdf"], "2048q90")
    with pytest.raises(RenderError, match=r"locked\.pdf has no rendering: the file is encrypted"):
        choose_image_setting([image_rows["labelled.pdf"], image_rows["locked.pdf"]])


def test_scanned_document_is_rendered_as_images(image_rows):
    assert image_rows["scanned.pdf"].status == "rendered"
    assert image_rows["page.pdf"].status == "failed"


def test_pdf_is_the_file_itself(documents, cache, capfd):
    rows = {row.document_id: row for row in render_documents(documents, "pdf", cache, workers=1)}
    shown = capfd.readouterr()
    assert shown.out == ""
    assert "pdf by original: 100%" in shown.err
    for document in documents:
        row = rows[document.document_id]
        if row.status == "rendered":
            assert (row.path, row.n_bytes) == (document.path, Path(document.path).stat().st_size)
    failed = {name for name, row in rows.items() if row.status == "failed"}
    assert failed == {"truncated.pdf", "page.pdf", "zero.pdf", "garbage.pdf", "locked.pdf", "missing.pdf"}
    assert rows["long.pdf"].n_pages == 19


# Page quality --------------------------------------------------------------------------------------------------------


def test_flags_by_hand():
    # Two letters and two (cid:n) are four visible characters: a share of 2/4. One U+FFFD in three: 1/3.
    assert page_work.text_shares("a (cid:1)b(cid:22)") == (0.5, 0.0, 0)
    assert page_work.text_shares("a\ufffd b") == (0.0, pytest.approx(1 / 3), 0)
    assert page_work.text_shares("") == (0.0, 0.0, 0)
    assert page_work.text_shares("e\ufb03cient \ufb01ne") == (0.0, 0.0, 2)
    assert text_flags("x" * 99 + "\ufffd") == ("replacement_characters",)  # 1 of 100 is the threshold
    assert text_flags("x" * 100 + "\ufffd") == ()
    assert text_flags("x" * 99 + "(cid:7)") == ("cid",)
    assert text_flags("\ufb01ne") == ("ligatures",)
    assert text_flags(" \n") == ("no_text_layer",)
    assert text_flags("", blank=True) == ()
    assert text_flags("\n".join("abcdefgh")) == ("one_letter_lines",)
    assert text_flags("\n".join("abcdefg")) == ()  # seven lines are too few to say
    assert text_flags("\n".join([*"abcd", "ef", "gh", "ij", "kl"])) == ()  # half is not most


def test_quality_rows(documents, markdown_rows, cache, no_workers):
    rows = page_quality(documents, cache, progress=False)
    by_page = {(row.document_id, row.page): row for row in rows}
    counts = {name: sum(1 for key in by_page if key[0] == name) for name in markdown_rows}
    assert counts == {name: row.n_pages for name, row in markdown_rows.items()}
    assert by_page["labelled.pdf", 3].label == "289"
    assert [by_page["part_scanned.pdf", page].flags for page in (1, 2, 3, 4)] == [
        (),
        ("no_text_layer",),
        (),
        ("no_text_layer",),
    ]
    assert (by_page["rotated.pdf", 1].rotation, by_page["rotated.pdf", 1].flags) == (90, ("rotated",))
    assert by_page["repaired.pdf", 1].flags == ("rotated", "repaired")
    assert by_page["owned.pdf", 5].flags == ("encrypted",)
    assert by_page["scanned.pdf", 2].flags == ("no_text_layer",)
    with pytest.raises(ValueError, match="keeps no pages apart"):
        page_quality(documents, cache, "markitdown-document")


# Faults --------------------------------------------------------------------------------------------------------------


def test_deadline_stops_one_document_and_keeps_the_others(tmp_path, folder):
    bomb = as_document(write_bomb(tmp_path / "bomb.pdf"), 1)
    good = as_document(folder / "labelled.pdf", 5)
    started = time.monotonic()
    rows = render_documents([bomb, good], "markdown", tmp_path / "c", "pymupdf", 2, deadline=2.0, progress=False)
    assert time.monotonic() - started < 200
    assert [row.status for row in rows] == ["failed", "rendered"]
    assert rows[0].problem == (
        "rendering was stopped after 2 s; 0 of 1 pages are kept: run again to go on from there, or raise the deadline"
    )
    assert multiprocessing.active_children() == []
    assert list((tmp_path / "c").rglob(".*")) == []
    # It is tried again next time: the machine may have been busy.
    assert rendering._cached(cache_module.job_of(bomb, "markdown", "pymupdf", tmp_path / "c")) is None


def test_document_that_kills_its_worker_is_told(tmp_path, folder):
    job = cache_module.job_of(as_document(folder / "labelled.pdf", 5), "markdown", "pymupdf", tmp_path)
    with WorkerPool(1, 60.0) as pool, tqdm(disable=True) as bar:
        conversion = rendering._Conversion([job], pool, bar)
        conversion.take(
            Outcome(Unit(job.row.key, (0, 0), page_work.inspect_file), "returned", page_work.Answer(n_pages=5))
        )
        for number in (1, 2):
            cache_module.write_record(job.folder, cache_module.PageRecord(page=number), 0.0)
        conversion.take(Outcome(Unit(job.row.key, (0, 1), page_work.render_pages), "died", problem="the worker died"))
        row = conversion.rows[job.row.key]
        assert (row.status, row.n_pages) == ("failed", 5)
        assert row.problem == "the worker died at or after page 3; 2 of 5 pages are kept"
        assert list(pool.outcomes()) == []  # its waiting units are dropped


def test_full_disk_is_one_clear_error_and_keeps_what_is_rendered(tmp_path):
    path = tmp_path / "two.pdf"
    with pymupdf.open() as file:
        add_text(file)
        add_scan(file)
        file.save(path)
    document = as_document(path, 2)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, hard))  # stands for a full disk: page 2 is larger than this
    try:
        with pytest.raises(CacheError, match=rf"^cannot write to the cache folder {tmp_path / 'renderings'} \("):
            render_documents([document], "image", tmp_path, workers=1, progress=False)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert multiprocessing.active_children() == []
    kept = {path.name: path.stat().st_mtime_ns for path in tmp_path.rglob("page-00001*")}
    assert len(kept) == 4  # PNG, two JPEGs and the record
    row = render_documents([document], "image", tmp_path, workers=1, progress=False)[0]
    assert row.status == "rendered"
    assert {path.name: path.stat().st_mtime_ns for path in tmp_path.rglob("page-00001*")} == kept
    assert list(tmp_path.rglob(".*")) == []


def test_no_space_left_is_named(monkeypatch, tmp_path):
    def full(_path, _data):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(cache_module, "write_atomically", full)
    with pytest.raises(CacheError, match=r"No space left on device\): free space there"):
        cache_module.write_file(tmp_path / "key", "a", b"")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"modality": "audio"}, "modality = 'audio' is unknown: take one of markdown, image, pdf"),
        ({"renderer": "pandoc"}, "renderer = 'pandoc' is unknown: take one of markitdown, "),
        ({"deadline": 0}, "deadline = 0 is not"),
        ({"deadline": float("nan")}, "deadline = nan is not"),
        ({"workers": 0}, "workers = 0 is not"),
    ],
)
def test_unknown_parameters_are_named(arguments, message, tmp_path):
    with pytest.raises(ValueError, match=message):
        render_documents([], **{"modality": "markdown", "cache": tmp_path, **arguments})


def test_no_documents_no_rows(tmp_path, no_workers):
    assert render_documents([], "markdown", tmp_path) == []


# Real documents ------------------------------------------------------------------------------------------------------

REAL = {  # name: (pages, status, first words of the warnings)
    "2023.acl-long.386.pdf": (24, "rendered", []),
    "AMAZON_2017_10K.pdf": (85, "rendered", ["encrypted"]),
    "measuringsuccessonfacebooktwitterlinkedin-160317142140_95.pdf": (25, "failed", ["no_text_layer"]),
}


def test_real_documents(mmlongbench, tmp_path):
    documents = [as_document(mmlongbench / "documents" / name, pages) for name, (pages, *_) in REAL.items()]
    rows = render_documents(documents, "markdown", tmp_path, "pymupdf", progress=False)
    found = {
        row.document_id: (row.n_pages, row.status, [warning.split(":")[0] for warning in row.warnings]) for row in rows
    }
    assert found == REAL
    for row in rows:
        if row.status == "rendered":
            pages = split_pages(read_markdown(row))
            assert [page.number for page in pages] == list(range(1, row.n_pages + 1))
            with pymupdf.open(next(d.path for d in documents if d.document_id == row.document_id)) as file:
                assert pages[9].text.split() == break_markers(pdf.page_text(file[9])).split()
    labels = [page.label for page in split_pages(read_markdown(rows[0]))]
    assert labels == [str(number) for number in range(6981, 7005)]  # as printed at the foot of the proceedings' pages


def test_rows_are_json(markdown_rows, tmp_path):
    from muddle_utils.study.rows import read_rows, write_rows

    path = write_rows(tmp_path / "renderings_markdown.jsonl", markdown_rows.values())
    assert read_rows(path, Rendering) == list(markdown_rows.values())
    json.loads(path.read_text().splitlines()[0])
