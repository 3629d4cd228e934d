"""Failures shown on the page: pictures of pages with the evidence marked, cards, and the failure browser.

Questions, documents' text and models' answers are untrusted: every HTML string made here escapes them, the browser sets
them as text, and nothing is loaded from outside.
"""

from __future__ import annotations

import base64
import hashlib
import html
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import pandas as pd
from PIL import Image, ImageChops, ImageDraw

from muddle_utils.analysis.attribution import bare_phrase
from muddle_utils.analysis.frames import as_records
from muddle_utils.rendering.pdf import RenderError, load_page, open_pdf, page_picture, pymupdf
from muddle_utils.scoring.phrases import answer_parts, normalise
from muddle_utils.study.paths import Study
from muddle_utils.study.records import Document, Question
from muddle_utils.study.rows import read_rows

FILTERS: Final = ("condition", "document_type", "answer_format", "outcome", "model", "modality")
MARK_COLOUR: Final = (255, 236, 110)


# --- The evidence on its page -----------------------------------------------------------------------------------


class EvidencePicture(NamedTuple):
    """A page as JPEG bytes, the spans marked on it, and those that are not in its text layer.

    Where there is no picture ``data`` is empty and ``problem`` says why.
    """

    data: bytes
    page: int
    marked: tuple[str, ...]
    not_found: tuple[str, ...]
    problem: str = ""

    @property
    def data_uri(self) -> str:
        """The picture as a data URI, empty if there is none."""
        if not self.data:
            return ""
        return f"data:image/jpeg;base64,{base64.b64encode(self.data).decode('ascii')}"

    @property
    def note(self) -> str:
        """One sentence on what is marked and what could not be."""
        if self.problem:
            return f"No picture of the evidence: {self.problem}."
        if not self.marked and not self.not_found:
            return f"Page {self.page}; no evidence span is known, so nothing is marked."
        sentences = [f"Page {self.page}."]
        if self.marked:
            sentences.append(f"Marked: {'; '.join(self.marked)}.")
        if self.not_found:
            sentences.append(f"Not found in the page's text layer, so not marked: {'; '.join(self.not_found)}.")
        return " ".join(sentences)


def _bare_words(text: str) -> list[str]:
    """Return the words of a text without the punctuation at their ends; what was only punctuation goes."""
    return [bare for word in normalise(text).split() if (bare := word.strip(".,;:!?()[]{}\"'|"))]


def _word_runs(words: Sequence[tuple[Any, ...]], span: str) -> list[pymupdf.Rect]:
    """Return the boxes of the words that spell a span, at every place where they stand one after the other."""
    wanted = _bare_words(span)
    spelt = [(bare, word[:4]) for word in words for bare in _bare_words(word[4])]
    found = []
    for start in range(len(spelt) - len(wanted) + 1 if wanted else 0):
        run = spelt[start : start + len(wanted)]
        if [bare for bare, _ in run] == wanted:
            found += _by_line([pymupdf.Rect(box) for _, box in run])
    return found


def _by_line(boxes: Sequence[pymupdf.Rect]) -> list[pymupdf.Rect]:
    """Return the boxes of successive words joined where they stand on one line."""
    lines: list[pymupdf.Rect] = []
    for box in boxes:
        middle = (box.y0 + box.y1) / 2
        if lines and lines[-1].y0 < middle < lines[-1].y1 and box.x0 >= lines[-1].x0:
            lines[-1] |= box
        else:
            lines.append(box)
    return lines


def _boxes(page: pymupdf.Page, words: Sequence[tuple[Any, ...]], span: str) -> list[pymupdf.Rect]:
    """Return the boxes of a span on a page, in unrotated page coordinates."""
    if boxes := _word_runs(words, span):
        return boxes
    # PyMuPDF's own search joins words hyphenated at a line end, but it also finds parts of words: long spans only.
    needle = " ".join(span.split())
    return list(page.search_for(needle)) if len(needle) >= 12 else []


def evidence_picture(document_path: str | Path, page: int, spans: Sequence[str], longest: int = 900) -> EvidencePicture:
    """Return a page (physical number, from 1) as a JPEG of ``longest`` pixels, with the evidence spans marked.

    A span is marked wherever its words stand one after the other on the page. A span that is not in the page's text
    layer (a scan, a chart, another page) is listed in ``not_found`` and nothing is marked for it.

    Raises:
        RenderError: the document cannot be opened, or has no such page.
    """
    with open_pdf(document_path) as document:
        sheet = load_page(document, page)
        picture, zoom = page_picture(sheet, longest / max(sheet.rect.width, sheet.rect.height))
        # Text coordinates are those of the page before its /Rotate; the picture is after it.
        upright = sheet.rotation_matrix * pymupdf.Matrix(zoom, zoom)
        words = sheet.get_text("words")
        spans = list(dict.fromkeys(span for span in spans if span.strip()))
        boxes = {span: [box * upright for box in _boxes(sheet, words, span)] for span in spans}
    data = _marked(picture, [box for found in boxes.values() for box in found])
    marked = tuple(span for span, found in boxes.items() if found)
    return EvidencePicture(data, page, marked, tuple(span for span, found in boxes.items() if not found))


def evidence_pictures(study: Study, question_ids: Iterable[str], longest: int = 900) -> dict[str, EvidencePicture]:
    """Return the evidence page of each question by question_id, with its evidence spans marked.

    Where the corpus knows no spans, the reference answer is looked for instead, unless it is a text as short as 5 or
    yes, which stands anywhere. Of several evidence pages it is the
    first on which something can be marked, or else the first.

    Raises:
        RowsError: a row file is missing or damaged; the message names it.
    """
    questions = {question.question_id: question for question in read_rows(study.rows("questions"), Question)}
    paths = {document.document_id: document.path for document in read_rows(study.rows("documents"), Document)}
    return {
        name: _first_marked(questions[name], paths[questions[name].document_id], longest)
        for name in dict.fromkeys(question_ids)
    }


def _answer_spans(question: Question) -> tuple[str, ...]:
    """Return the parts of the reference answer that are telling enough to be marked wherever they stand."""
    return tuple(part for part in answer_parts(question) if bare_phrase(part))


def _first_marked(question: Question, path: str, longest: int) -> EvidencePicture:
    spans = question.evidence_spans or _answer_spans(question)
    pictures = []
    for page in question.evidence_pages:
        try:
            pictures.append(evidence_picture(path, page, spans, longest))
        except RenderError as error:
            return EvidencePicture(b"", page, (), (), str(error).rstrip("."))
        if pictures[-1].marked:
            return pictures[-1]
    return pictures[0] if pictures else EvidencePicture(b"", 0, (), (), "the annotation names no evidence page")


def _marked(picture: Image.Image, boxes: Iterable[pymupdf.Rect]) -> bytes:
    """Return the picture as JPEG, the boxes as by a highlighter and outlined, so that grey print shows them too."""
    shade = Image.new("RGB", picture.size, "white")
    pen = ImageDraw.Draw(shade)
    for box in boxes:
        pen.rectangle((box.x0 - 1, box.y0 - 1, box.x1 + 1, box.y1 + 1), fill=MARK_COLOUR, outline=(200, 120, 0))
    buffer = io.BytesIO()
    ImageChops.multiply(picture, shade).save(buffer, "JPEG", quality=80)
    return buffer.getvalue()


# --- HTML -------------------------------------------------------------------------------------------------------


def _text(row: Mapping[str, Any], name: str) -> str:
    value = row.get(name)
    return "" if value is None or (not isinstance(value, str) and pd.isna(value)) else str(value)


def _facts(row: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return what a card shows of a row, as (label, text), empty ones left out."""
    condition = _text(row, "condition")
    answer = _text(row, "text") or _text(row, "reason")
    facts = [
        ("Question", _text(row, "question")),
        ("Reference", _text(row, "reference")),
        (f"Answer in {condition} ({_text(row, 'outcome') or _text(row, 'status')})", answer),
        ("Judge", _text(row, "reasoning")),
    ]
    if condition != "control" and _text(row, "control_outcome"):
        facts.append((f"Answer in control ({_text(row, 'control_outcome')})", _text(row, "control_text")))
        facts.append(("Judge on control", _text(row, "control_reasoning")))
    stands = _text(row, "stands_in").replace("_", " ")
    facts.append(("Its text stands in", ": ".join(part for part in (stands, _text(row, "places")) if part)))
    facts.append(("Read from", _read_sentence(row)))
    return [(label, text) for label, text in facts if text]


def _read_sentence(row: Mapping[str, Any]) -> str:
    role = _text(row, "read_role").replace("_", " ")
    return f"{role} {_text(row, 'read_document_id')} p. {_text(row, 'read_page')}" if role else ""


def _title(row: Mapping[str, Any]) -> str:
    names = ("question_id", "condition", "model", "modality", "document_id", "answer_format")
    return " · ".join(text for name in names if (text := _text(row, name)))


_CARD: Final = "border:1px solid #bbb;border-radius:4px;padding:.6em .8em;margin:.6em 0;max-width:60em"


def failure_card(row: Mapping[str, Any], picture: EvidencePicture | None = None) -> str:
    """Return one failure as HTML: question, reference, both answers, verdicts, and the evidence page as a picture.

    ``row`` is a row of ``failures``, ``flips`` or ``attribute_answers`` as a mapping. All its text is escaped; the
    picture is part of the string.
    """
    lines = "".join(
        f'<dt style="font-weight:bold">{html.escape(label)}</dt>'
        f'<dd style="margin:0 0 .4em 1em;white-space:pre-wrap;overflow-wrap:anywhere">{html.escape(text)}</dd>'
        for label, text in _facts(row)
    )
    figure = ""
    if picture is not None:
        note = html.escape(picture.note)
        image = f'<img src="{picture.data_uri}" alt="{note}" style="max-width:100%;border:1px solid #ccc">'
        caption = f"<figcaption>{note}</figcaption>"
        figure = f'<figure style="margin:.4em 0">{image if picture.data else ""}{caption}</figure>'
    title = html.escape(_title(row))
    return f'<article style="{_CARD}"><strong>{title}</strong><dl style="margin:.5em 0">{lines}</dl>{figure}</article>'


_BROWSER_SCRIPT: Final = """
(function () {
  "use strict";
  var root = document.querySelector('[data-failures="@@UID@@"]:not([data-ready])');
  if (!root) { return; }
  root.setAttribute("data-ready", "yes");
  var data = JSON.parse(root.querySelector('script[type="application/json"]').textContent);
  var controls = root.querySelector("[data-part=controls]"), list = root.querySelector("[data-part=list]");
  var count = root.querySelector("[data-part=count]"), more = root.querySelector("button");
  var selects = {}, shown = 25;
  function make(tag, text, parent) {
    var node = document.createElement(tag);
    if (text) { node.textContent = text; }
    parent.appendChild(node);
    return node;
  }
  function fits(row) {
    return data.filters.every(function (name) {
      return !selects[name].value || row.keys[name] === selects[name].value;
    });
  }
  function card(row) {
    var box = make("details", "", list);
    make("summary", row.title, box).style.cursor = "pointer";
    var facts = make("dl", "", box);
    row.facts.forEach(function (fact) {
      make("dt", fact[0], facts).style.fontWeight = "bold";
      var text = make("dd", fact[1], facts);
      text.style.whiteSpace = "pre-wrap";
      text.style.overflowWrap = "anywhere";
    });
    var picture = Object.prototype.hasOwnProperty.call(data.pictures, row.picture) && data.pictures[row.picture];
    if (picture && picture.uri.indexOf("data:image/jpeg;base64,") === 0) {
      var image = make("img", "", box);
      image.src = picture.uri;
      image.alt = picture.note;
      image.style.maxWidth = "100%";
    }
    if (picture) { make("p", picture.note, box); }
  }
  function draw() {
    var rows = data.rows.filter(fits);
    list.textContent = "";
    rows.slice(0, shown).forEach(card);
    count.textContent = rows.length + " of " + data.rows.length + " rows fit; " +
      Math.min(shown, rows.length) + " listed";
    more.hidden = rows.length <= shown;
  }
  data.filters.forEach(function (name) {
    var label = make("label", name.replace("_", " ") + " ", controls);
    label.style.marginRight = "1em";
    var select = make("select", "", label);
    make("option", "all", select).value = "";
    data.rows.map(function (row) { return row.keys[name]; }).filter(function (value, place, all) {
      return value && all.indexOf(value) === place;
    }).forEach(function (value) { make("option", value, select).value = value; });
    select.onchange = function () { shown = 25; draw(); };
    selects[name] = select;
  });
  more.onclick = function () { shown += 25; draw(); };
  draw();
})();
"""


def failure_browser(
    rows: pd.DataFrame | Sequence[Mapping[str, Any]], pictures: Mapping[str, EvidencePicture] | None = None
) -> str:
    """Return one HTML string that lists failures with filters; it works in Jupyter and in a static page.

    Nothing is loaded from outside. All text travels as JSON in which no character can end the script element, and is
    set as text, never as markup. ``pictures`` is keyed by question_id. The same rows give the same string.
    """
    records = as_records(rows) if isinstance(rows, pd.DataFrame) else rows
    if not records:
        return "<p>Nothing went wrong here: no row fits.</p>"
    listed = [
        {
            "keys": {name: _text(row, name) for name in FILTERS},
            "title": _title(row),
            "facts": _facts(row),
            "picture": _text(row, "question_id"),
        }
        for row in records
    ]
    shown = {name: {"uri": picture.data_uri, "note": picture.note} for name, picture in (pictures or {}).items()}
    data = json.dumps({"filters": FILTERS, "rows": listed, "pictures": shown}, ensure_ascii=True)
    data = data.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
    uid = f"failures-{hashlib.sha256(data.encode()).hexdigest()[:12]}"
    return (
        f'<div data-failures="{uid}"><div data-part="controls"></div><p data-part="count" aria-live="polite"></p>'
        f'<div data-part="list"></div><button type="button" hidden>Show 25 more</button>'
        f'<script type="application/json">{data}</script>'
        f"<script>{_BROWSER_SCRIPT.replace('@@UID@@', uid)}</script></div>"
    )
