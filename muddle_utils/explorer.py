"""What went wrong, where, and shown on the page: failed and flipped questions, and where a wrong answer's text stands.

Frames come from ``frames.long_frame``. Questions, documents' text and models' answers are untrusted: every HTML string
made here escapes them, the browser sets them as text, and nothing is loaded from outside. Where a text stands is a
matter of strings, not of causes: a wrong answer may stand in a distractor by coincidence, so ``placebo`` counts how
often that happens with distractors that were never shown.
"""

from __future__ import annotations

import base64
import hashlib
import html
import io
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import pandas as pd
from PIL import Image, ImageChops, ImageDraw

from muddle_utils.curation import answer_parts, find_phrase, normalise, searchable_items
from muddle_utils.frames import as_records, join
from muddle_utils.pages import Page, split_pages
from muddle_utils.pdf import RenderError, load_page, open_pdf, page_picture, pymupdf
from muddle_utils.records import Cell, Document, Question, Rendering
from muddle_utils.rendering import read_markdown
from muddle_utils.scoring import list_items
from muddle_utils.store import read_rows
from muddle_utils.study import Study

FILTERS: Final = ("condition", "document_type", "answer_format", "outcome", "model", "modality")
LONGEST_ANSWER: Final = 30
MARK_COLOUR: Final = (255, 236, 110)


class ExplorerError(ValueError):
    """A request that the explorer cannot meet; the message names the parameter and the mend."""


# --- Failures and flips -----------------------------------------------------------------------------------------


def _outcome(frame: pd.DataFrame) -> pd.Series[Any]:
    """Return right, wrong or unjudged for an answered row, else its status."""
    correct = frame["correct"].fillna(value=False).astype("bool")
    outcome = frame["status"].mask(frame["answered"], "unjudged")
    return outcome.mask(frame["judged"] & correct, "right").mask(frame["judged"] & ~correct, "wrong")


def with_control(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the long frame with ``outcome`` and, from the same question's control cell, text, outcome and reasoning.

    ``outcome`` is ``right``, ``wrong``, ``unjudged``, or the status of a row without an answer. The control columns
    are empty where the control was not asked.
    """
    frame = frame.assign(outcome=_outcome(frame))
    keys = ["question_id", "model", "modality"]
    control = frame.loc[frame["condition"].eq("control"), [*keys, "text", "outcome", "reasoning"]]
    control = control.rename(columns={name: f"control_{name}" for name in ("text", "outcome", "reasoning")})
    joined = join(frame, control, keys, "m:1")
    names = ["control_text", "control_outcome", "control_reasoning"]
    joined[names] = joined[names].fillna("")
    return joined


def _chosen(frame: pd.DataFrame, parameter: str, column: str, value: str | None) -> pd.DataFrame:
    if value is None:
        return frame
    if value not in set(frame[column]):
        present = ", ".join(sorted(frame[column].unique())) or "nothing, the frame has no rows"
        raise ExplorerError(f"{parameter} = {value!r} is in no row; there is {present}")
    return frame[frame[column].eq(value)]


def failures(
    frame: pd.DataFrame,
    condition: str | None = None,
    document_type: str | None = None,
    answer_format: str | None = None,
    status: str | None = None,
) -> pd.DataFrame:
    """Return every row that is not right: wrong answers, unjudged answers, and questions without an answer.

    Each filter takes one value; None takes all. ``status`` is an outcome (``wrong``, ``unjudged``) or the status of a
    row (``failed``, ``lost``). The columns are those of ``with_control``.

    Raises:
        ExplorerError: a filter's value is in no row of the frame; the message lists those that are.
    """
    chosen = with_control(frame)
    of_row = status is not None and status in set(chosen["status"])
    chosen = _chosen(chosen, "status", "status" if of_row else "outcome", status)
    chosen = _chosen(chosen, "condition", "condition", condition)
    chosen = _chosen(chosen, "document_type", "document_type", document_type)
    chosen = _chosen(chosen, "answer_format", "answer_format", answer_format)
    return chosen[chosen["outcome"].ne("right")].reset_index(drop=True)


def flips(frame: pd.DataFrame, arm: str) -> pd.DataFrame:
    """Return the rows of condition ``arm`` that are wrong where the same model's control answer is right.

    Raises:
        ExplorerError: the arm is the control, or in no row.
    """
    if arm == "control":
        raise ExplorerError("arm = 'control': a flip goes from the control to another condition")
    chosen = failures(frame, condition=arm)
    return chosen[chosen["control_outcome"].eq("right") & chosen["outcome"].eq("wrong")].reset_index(drop=True)


def flip_counts(frame: pd.DataFrame) -> pd.DataFrame:
    """Return, by model, modality and arm, how the questions judged in both control and arm went.

    ``kept`` are right in both, ``lost`` right in the control only, ``gained`` right in the arm only, ``never`` in
    neither; together they are ``n_pairs``.
    """
    both = with_control(frame)
    judged = both["outcome"].isin(("right", "wrong")) & both["control_outcome"].isin(("right", "wrong"))
    both = both[both["condition"].ne("control")].assign(pair=judged)
    counts = {
        "n_pairs": both["pair"],
        "kept": both["pair"] & both["control_outcome"].eq("right") & both["outcome"].eq("right"),
        "lost": both["pair"] & both["control_outcome"].eq("right") & both["outcome"].eq("wrong"),
        "gained": both["pair"] & both["control_outcome"].eq("wrong") & both["outcome"].eq("right"),
        "never": both["pair"] & both["control_outcome"].eq("wrong") & both["outcome"].eq("wrong"),
    }
    keys = ["model", "modality", "condition"]
    table = both[keys].assign(**counts).groupby(keys, sort=False)[list(counts)].sum()
    return table.astype("Int64").reset_index()


# --- Where an answer's text stands ------------------------------------------------------------------------------


class SearchText(NamedTuple):
    """One document made searchable: its physical pages, and the text of each as the leak gate compares it."""

    pages: tuple[int, ...]
    texts: tuple[str, ...]


def search_text(markdown: str) -> SearchText:
    """Return a rendered document ready for ``pages_with``; a rendering without page markers is one page, number 0."""
    pages = split_pages(markdown) or [Page(0, "", markdown)]
    return SearchText(tuple(page.number for page in pages), tuple(normalise(page.text) for page in pages))


def _phrase(text: str) -> str:
    """Return an answer as the leak gate would search for it; empty if it is so plain that it stands in most texts."""
    answer = Question("", "", "", text, "Str", (), (), "")
    return next(iter(searchable_items(answer)), "")


def _items(text: str) -> list[str]:
    """Return the phrases of a list answer, or none if the answer is no list or holds an item too plain to search."""
    parts = list_items(text)
    if len(parts) < 2:
        parts = tuple(part for part in re.split(r"[;\n]", text) if part.strip())
    phrases = [_phrase(part) for part in parts]
    return phrases if len(phrases) > 1 and all(phrases) else []


def pages_with(phrase: str, document: SearchText) -> list[int]:
    """Return the physical pages that hold a phrase between word boundaries, in order; the leak gate's own search."""
    held = zip(document.pages, document.texts, strict=True)
    return [page for page, text in held if find_phrase(phrase, text) >= 0]


def _standing(text: str, document: SearchText) -> tuple[list[int], str]:
    """Return the pages where an answer stands in a document, and whether as a ``whole`` or by its ``items``."""
    if pages := pages_with(_phrase(text), document):
        return pages, "whole"
    by_item = [pages_with(item, document) for item in _items(text)]
    if by_item and all(by_item):
        return sorted({pages[0] for pages in by_item}), "items"
    return [], ""


def _untellable(text: str, abstained: bool) -> str:
    if abstained:
        return "abstained"
    if not _phrase(text):
        return "too_short_to_tell"
    return "too_long_to_tell" if len(text.split()) > LONGEST_ANSWER else ""


def _role(cell: Cell, place: int) -> str:
    return "source" if place == cell.source_position else cell.distractor_type


def _verdict(roles: set[str], unsearched: bool) -> str:
    if not roles:
        return "not_searched" if unsearched else "nowhere"
    return next(iter(roles)) if len(roles) == 1 else "several"


def _read_from(text: str, cell: Cell) -> dict[str, object]:
    """Return where an embedded reader says it read its answer; empty for models that do not say."""
    try:
        place = json.loads(text or "{}")
        index, page = int(place["document"]), int(place["page"])
    except (ValueError, KeyError, TypeError):
        return {"read_role": "", "read_document_id": "", "read_page": None}
    if not 1 <= index <= len(cell.document_ids):
        return {"read_role": "", "read_document_id": "", "read_page": None}
    name = cell.document_ids[index - 1]
    return {"read_role": _role(cell, index - 1), "read_document_id": name, "read_page": page}


def _attribution(row: Mapping[str, Any], cell: Cell, documents: Mapping[str, SearchText]) -> dict[str, object]:
    answer = str(row["text"])
    abstained = bool(row["abstained"]) if not pd.isna(row["abstained"]) else False
    found: dict[str, object] = {"stands_in": _untellable(answer, abstained), "source_page": None, "match": ""}
    found |= {"distractor_id": "", "distractor_page": None, "places": ""}
    if found["stands_in"]:
        return found
    roles, places = set(), []
    for place, name in enumerate(cell.document_ids):
        pages, match = _standing(answer, documents[name]) if name in documents else ([], "")
        if not pages:
            continue
        role = _role(cell, place)
        roles.add(role)
        found["match"] = found["match"] or match
        more = " …" if pages[5:] else ""
        places.append(f"{role.replace('_', ' ')} {name} p. {', '.join(map(str, pages[:5]))}{more}")
        if role == "source":
            found["source_page"] = pages[0]
        elif not found["distractor_id"]:
            found["distractor_id"], found["distractor_page"] = name, pages[0]
    unsearched = any(name not in documents for name in cell.document_ids)
    found["stands_in"] = _verdict(roles, unsearched)
    found["places"] = "; ".join(places)
    return found


STANDS_IN: Final = (
    "source",
    "hard_negative",
    "random",
    "several",
    "nowhere",
    "too_short_to_tell",
    "too_long_to_tell",
    "abstained",
    "not_searched",
)
_ATTRIBUTION_TYPES: Final = {
    "stands_in": "str",
    "match": "str",
    "source_page": "Int64",
    "distractor_id": "str",
    "distractor_page": "Int64",
    "places": "str",
    "read_role": "str",
    "read_document_id": "str",
    "read_page": "Int64",
}


def _wrong(frame: pd.DataFrame) -> pd.DataFrame:
    return frame[frame["judged"] & ~frame["correct"].fillna(value=True).astype("bool")].reset_index(drop=True)


def read_texts(study: Study, frame: pd.DataFrame) -> dict[str, SearchText]:
    """Return the markdown of every document that a wrong answer's cell, or its question's other cells, may hold.

    Without a markdown rendering in the study there is nothing to search, and the result is empty; a rendering without
    a path is one that was not handed on with the rows, and is left out.

    Raises:
        RowsError: a row file is damaged; the message names it.
    """
    path = study.rows("renderings_markdown")
    if not path.exists():
        return {}
    questions = set(_wrong(frame)["question_id"])
    cells = read_rows(study.rows("cells"), Cell)
    wanted = {name for cell in cells if cell.question_id in questions for name in cell.document_ids}
    renderings = {row.document_id: row for row in read_rows(path, Rendering) if row.status == "rendered" and row.path}
    return {name: search_text(read_markdown(renderings[name])) for name in sorted(wanted & renderings.keys())}


def attribute_answers(
    frame: pd.DataFrame, texts: Mapping[str, str] | Mapping[str, SearchText], cells: Iterable[Cell]
) -> pd.DataFrame:
    """Return the wrong answers of a long frame with where each one's text stands in what was shown.

    ``stands_in`` is one of STANDS_IN: only in the source, only in hard negatives, only in random distractors, in
    source and distractors (``several``), or nowhere; or why that cannot be told (an abstention; a text so short that
    it stands anywhere; a text of more than 30 words, which is never found verbatim; no markdown for a document). A
    list counts as found in a document that holds all its items. ``places`` names documents and pages; ``read_*`` is
    where the embedded reader says it read the answer. ``texts`` is the markdown by document_id, or what ``read_texts``
    returns.
    """
    documents = {name: text if isinstance(text, SearchText) else search_text(text) for name, text in texts.items()}
    by_id = {cell.cell_id: cell for cell in cells}
    wrong = _wrong(frame)
    rows = []
    for row in as_records(wrong):
        cell = by_id[row["cell_id"]]
        rows.append(_attribution(row, cell, documents) | _read_from(str(row["read_from"]), cell))
    found = pd.DataFrame(rows, columns=list(_ATTRIBUTION_TYPES)).astype(_ATTRIBUTION_TYPES)
    return pd.concat([wrong, found], axis=1)


def attribution_counts(attributed: pd.DataFrame) -> pd.DataFrame:
    """Return where wrong answers stand by model, modality and condition: one row a kind, with n and share of wrong."""
    keys = ["model", "modality", "condition"]
    rows = []
    for key, group in attributed.groupby(keys, sort=False):
        kinds = group["stands_in"].value_counts()
        rows += [
            {
                **dict(zip(keys, key, strict=True)),
                "stands_in": kind,
                "n": int(kinds[kind]),
                "n_wrong": len(group),
                "share": kinds[kind] / len(group),
            }
            for kind in STANDS_IN
            if kind in kinds
        ]
    types = {"n": "Int64", "n_wrong": "Int64", "share": "Float64"}
    return pd.DataFrame(rows, columns=[*keys, "stands_in", *types]).astype(types)


def _in_distractors(text: str, abstained: bool, cell: Cell, documents: Mapping[str, SearchText]) -> tuple[bool, bool]:
    """Return whether an answer stands in a cell's distractors, and whether there and not in the source."""
    if _untellable(text, abstained):
        return False, False
    hits = [
        place
        for place, name in enumerate(cell.document_ids)
        if name in documents and _standing(text, documents[name])[0]
    ]
    distractor = any(place != cell.source_position for place in hits)
    return distractor, distractor and cell.source_position not in hits


def placebo(
    frame: pd.DataFrame, texts: Mapping[str, str] | Mapping[str, SearchText], cells: Iterable[Cell]
) -> pd.DataFrame:
    """Return, by arm, how many wrong answers stand in distractors, beside what coincidence alone would give.

    The placebo takes the *control* run's wrong answers, which saw no distractor, and looks for them in the arm's
    distractors of the same question. ``net`` is the share in the arm minus the placebo share. Shares are of all wrong
    answers, abstentions and untellable ones included.
    """
    documents = {name: text if isinstance(text, SearchText) else search_text(text) for name, text in texts.items()}
    by_key = {(cell.question_id, cell.condition): cell for cell in cells}
    wrong = _wrong(frame)
    rows = []
    for (model, modality), group in wrong.groupby(["model", "modality"], sort=False):
        control = group[group["condition"].eq("control")]
        for condition in [name for name in group["condition"].unique() if name != "control"]:
            arm = group[group["condition"].eq(condition)]
            shown = _hits(arm, condition, by_key, documents)
            never = _hits(control, condition, by_key, documents)
            rows.append(
                {
                    "model": model,
                    "modality": modality,
                    "condition": condition,
                    "n_wrong": len(shown),
                    "n_in_distractor": sum(hit for hit, _ in shown),
                    "n_only_in_distractor": sum(only for _, only in shown),
                    "n_control_wrong": len(never),
                    "n_placebo": sum(hit for hit, _ in never),
                }
            )
    columns = ["n_wrong", "n_in_distractor", "n_only_in_distractor", "n_control_wrong", "n_placebo"]
    table = pd.DataFrame(rows, columns=["model", "modality", "condition", *columns])
    table = table.astype(dict.fromkeys(columns, "Int64"))
    share = _share(table["n_in_distractor"], table["n_wrong"])
    expected = _share(table["n_placebo"], table["n_control_wrong"])
    return table.assign(share=share, placebo_share=expected, net=share - expected)


def _share(part: pd.Series[Any], whole: pd.Series[Any]) -> pd.Series[Any]:
    """Return part / whole, missing where there is nothing to divide by."""
    return (part / whole.mask(whole.eq(0))).astype("Float64")


def _hits(
    rows: pd.DataFrame, condition: str, cells: Mapping[tuple[str, str], Cell], documents: Mapping[str, SearchText]
) -> list[tuple[bool, bool]]:
    """Return one pair for each row whose question has a cell in the condition."""
    found = []
    for row in as_records(rows):
        cell = cells.get((row["question_id"], condition))
        if cell is not None:
            abstained = False if pd.isna(row["abstained"]) else bool(row["abstained"])
            found.append(_in_distractors(str(row["text"]), abstained, cell, documents))
    return found


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
    return tuple(part for part in answer_parts(question) if _phrase(part))


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
