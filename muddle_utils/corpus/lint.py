"""What may be wrong with an annotation, listed and not changed."""

import difflib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from muddle_utils.corpus.annotation import (
    BOTH_STRATA,
    EVIDENCE_SOURCES,
    FINDINGS,
    FORMAT_AGAINST_TEXT,
    MISSPELT,
    NO_PAGE,
    NO_PAGE_LIST,
    UNCHECKED,
    WHITE_SPACE,
    Gold,
    Row,
    readable,
    row_key,
    rows_of,
)
from muddle_utils.corpus.checks import (
    ABSENT_DOCUMENT,
    CONTRADICTING,
    DAMAGED_DOCUMENT,
    FITS_NO_FORMAT,
    PAGE_OUTSIDE,
    REPEATED,
    fits_format,
    literal_list,
)
from muddle_utils.corpus.corpora import COLUMNS, benchmark_question
from muddle_utils.corpus.corrections import as_text, page_numbers
from muddle_utils.corpus.pdf_facts import Facts, document_faults
from muddle_utils.scoring.mmlongbench_v1 import score_v1
from muddle_utils.study.records import ANSWER_FORMATS, DOCUMENT_TYPES, NOT_ANSWERABLE


@dataclass(frozen=True)
class Finding:
    """Something that may be wrong with an annotation.

    ``kind`` is one of FINDINGS. ``place`` is the row's number in the file, from 1; 0 with an empty document and
    question is a remark on the file as a whole.
    """

    kind: str
    document_id: str
    question: str
    detail: str
    place: int


# --- Lint ------------------------------------------------------------------------------------------------------------


def lint_annotation(annotation: Gold | Sequence[Row], facts: Mapping[str, Facts] | None = None) -> list[Finding]:
    """Return what may be wrong with an annotation, in the order of its rows; remarks on the whole file come last.

    Args:
        annotation: a gold, or better the rows of ``annotation_rows``: a gold's questions are read already, so white
            space around a reference and page lists that are none no longer show in them.
        facts: what ``pdf_facts.gather_facts`` says of the PDFs that are at hand; the pages of others are not
            checked, and one finding says how many they are.
    """
    rows = rows_of(annotation.questions) if isinstance(annotation, Gold) else annotation
    texts = [{**row, **{column: as_text(row[column]) for column in COLUMNS}} for row in rows]
    findings = _repeated(texts)
    unchecked = set()
    for place, row in enumerate(texts, start=1):
        found = [*_answer_findings(row), *_page_findings(row), *_name_findings(row)]
        outside, checked = _outside(row, facts or {})
        if not checked:
            unchecked.add(row["doc_id"])
        found += outside
        findings += [Finding(kind, row["doc_id"], row["question"], detail, place) for kind, detail in found]
    findings.sort(key=lambda finding: (finding.place, FINDINGS.index(finding.kind)))
    if unchecked:
        total = len({row["doc_id"] for row in texts})
        detail = f"{len(unchecked)} of {total} documents are not at hand or cannot be read: their pages are not checked"
        findings.append(Finding(UNCHECKED, "", "", detail, 0))
    return findings


def _repeated(rows: Sequence[Row]) -> list[Finding]:
    places: dict[tuple[str, str], list[int]] = defaultdict(list)
    for place, row in enumerate(rows, start=1):
        places[row_key(row)].append(place)
    findings = []
    for key, group in places.items():
        if len(group) > 1:
            golds = sorted({rows[place - 1]["answer"].strip() for place in group})
            kind = CONTRADICTING if len(golds) > 1 else REPEATED
            detail = f"rows {', '.join(map(str, group))} ask this, with {', '.join(map(repr, golds))}"
            findings.append(Finding(kind, key[0], rows[group[-1] - 1]["question"], detail, group[-1]))
    return findings


def _unanswerable(row: Row) -> bool:
    return str(row["answer"]).strip().startswith(NOT_ANSWERABLE)


def _answer_findings(row: Row) -> list[tuple[str, str]]:
    answer, answer_format = row["answer"], row["answer_format"]
    stripped = answer.strip()
    found = [] if answer == stripped else [(WHITE_SPACE, repr(answer))]
    if _unanswerable(row) != (answer_format == "None"):
        found.append((FORMAT_AGAINST_TEXT, f"{stripped!r} with the format {answer_format}"))
        return found
    known = answer_format in ANSWER_FORMATS
    never = known and score_v1(stripped, stripped, answer_format).score == 0
    if never or not fits_format(stripped, answer_format):
        state = "" if known else ", which is no format"
        state += "; the v1 scorer gives credit to no answer" if never else ""
        found.append((FITS_NO_FORMAT, f"{stripped!r} as {answer_format}{state}"))
    return found


def _page_findings(row: Row) -> list[tuple[str, str]]:
    pages = page_numbers(row["evidence_pages"])
    if pages is None:
        return [(NO_PAGE_LIST, repr(row["evidence_pages"]))]
    if _unanswerable(row):
        return [(BOTH_STRATA, f"page {pages[0]} of {row['answer'].strip()!r}")] if len(pages) == 1 else []
    return [] if pages else [(NO_PAGE, "counted as cross-page, with no page named")]


def _name_findings(row: Row) -> list[tuple[str, str]]:
    sources = literal_list(row["evidence_sources"])
    named: list[tuple[str, str, tuple[str, ...]]] = [("document type", row["doc_type"], DOCUMENT_TYPES)]
    named += [("evidence source", source, EVIDENCE_SOURCES) for source in sources or [] if isinstance(source, str)]
    found = []
    for what, name, known in named:
        folded = {" ".join(other.casefold().split()): other for other in known}
        close = difflib.get_close_matches(" ".join(name.casefold().split()), folded, 1, 0.75)
        if name not in known and close:
            found.append((MISSPELT, f"{what} {name!r}: is {folded[close[0]]!r} meant?"))
    return found


def _outside(row: Row, facts: Mapping[str, Facts]) -> tuple[list[tuple[str, str]], bool]:
    """Return findings on pages that the document does not have, and whether its pages could be counted."""
    faults = document_faults(benchmark_question(readable(row), {}, ""), facts.get(row["doc_id"]))[2]
    checked = not any(reason in (ABSENT_DOCUMENT, DAMAGED_DOCUMENT) for reason, _ in faults)
    return [fault for fault in faults if fault[0] == PAGE_OUTSIDE], checked
