"""Where a wrong answer's text stands: in the source, in a distractor, or nowhere.

It is a matter of strings, not of causes: a wrong answer may stand in a distractor by coincidence, so ``placebo`` counts
how often that happens with distractors that were never shown.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

import pandas as pd

from muddle_utils.analysis.failures import LONGEST_ANSWER
from muddle_utils.analysis.frames import as_records
from muddle_utils.rendering.page_markers import Page, split_pages
from muddle_utils.rendering.rendering import read_markdown
from muddle_utils.scoring.lists import list_items
from muddle_utils.scoring.phrases import find_phrase, normalise, searchable_items
from muddle_utils.study.paths import Study
from muddle_utils.study.records import Cell, Question, Rendering
from muddle_utils.study.rows import read_rows

# --- Where an answer's text stands ------------------------------------------------------------------------------


class SearchText(NamedTuple):
    """One document made searchable: its physical pages, and the text of each as the leak gate compares it."""

    pages: tuple[int, ...]
    texts: tuple[str, ...]


def search_text(markdown: str) -> SearchText:
    """Return a rendered document ready for ``pages_with``; a rendering without page markers is one page, number 0."""
    pages = split_pages(markdown) or [Page(0, "", markdown)]
    return SearchText(tuple(page.number for page in pages), tuple(normalise(page.text) for page in pages))


def bare_phrase(text: str) -> str:
    """Return an answer as the leak gate would search for it; empty if it is so plain that it stands in most texts."""
    answer = Question("", "", "", text, "Str", (), (), "")
    return next(iter(searchable_items(answer)), "")


def _items(text: str) -> list[str]:
    """Return the phrases of a list answer, or none if the answer is no list or holds an item too plain to search."""
    parts = list_items(text)
    if len(parts) < 2:
        parts = tuple(part for part in re.split(r"[;\n]", text) if part.strip())
    phrases = [bare_phrase(part) for part in parts]
    return phrases if len(phrases) > 1 and all(phrases) else []


def pages_with(phrase: str, document: SearchText) -> list[int]:
    """Return the physical pages that hold a phrase between word boundaries, in order; the leak gate's own search."""
    held = zip(document.pages, document.texts, strict=True)
    return [page for page, text in held if find_phrase(phrase, text) >= 0]


def _standing(text: str, document: SearchText) -> tuple[list[int], str]:
    """Return the pages where an answer stands in a document, and whether as a ``whole`` or by its ``items``."""
    if pages := pages_with(bare_phrase(text), document):
        return pages, "whole"
    by_item = [pages_with(item, document) for item in _items(text)]
    if by_item and all(by_item):
        return sorted({pages[0] for pages in by_item}), "items"
    return [], ""


def _untellable(text: str, abstained: bool) -> str:
    if abstained:
        return "abstained"
    if not bare_phrase(text):
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
