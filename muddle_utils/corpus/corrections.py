"""Corrections of an annotation: the published ones that make V2 of MMLongBench-Doc's v1, and overlays of one's own.

A correction names a question and says what its row held before, what it holds after, why, on which pages that can
be seen, and who checked it. Corrections change rows in MMLongBench-Doc's JSON form, where every field is text and a
list is text such as ``[3, 4]``. Nothing here opens a PDF or scores an answer.
"""

import difflib
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from muddle_utils.corpus.checks import (
    CorpusError,
    Problem,
    fits_format,
    infer_format,
    key_of,
    listed_problems,
    literal_list,
)
from muddle_utils.corpus.own_questions import Sheet
from muddle_utils.study.errors import json_fault
from muddle_utils.study.records import ANSWER_FORMATS, NOT_ANSWERABLE

REMOVED: Final = "corpus_defect"
DISPUTE_TYPES: Final = {
    "wrong_answer": "the document says something other than the recorded answer",
    "defective_question": "the question cannot be asked of the document as it is worded",
    "ambiguous_question": "the question has two sound readings and the recorded answer fits one",
    "incomplete_answer": "the recorded answer lacks members, or a form that is as right",
    "should_be_answerable": "the document answers a question recorded as unanswerable",
    REMOVED: "the files hold no answer, and the question is removed",
    "should_be_unanswerable": "the document does not support the recorded answer",
}
CHANGING: Final = ("question", "answer", "answer_format", "evidence_pages", "evidence_sources")

_RECORDED: Final = ("answer", "answer_format", "evidence_pages")
_REQUIRED: Final = ("doc_id", "question", "dispute_type", "benchmark_answer", "note")
_KNOWN: Final = (
    *_REQUIRED,
    "doc_type",
    "benchmark_answer_format",
    "benchmark_evidence_pages",
    *(f"manual_{name}" for name in CHANGING),
    "verified_by",
)

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Correction:
    """One correction of one question.

    ``question`` is the wording before. ``before`` and ``after`` hold the fields that change (of CHANGING) as the
    annotation's text. ``pages`` are the physical pages, from 1, on which the reason can be seen. They are the row's
    evidence pages after, but for a question that becomes unanswerable: its row has none. A ``removed`` question has
    no ``after``, and ``before`` holds its answer, format and pages.
    """

    doc_id: str
    question: str
    dispute_type: str
    before: Mapping[str, str]
    after: Mapping[str, str]
    note: str
    pages: tuple[int, ...]
    verified_by: tuple[str, ...]
    removed: bool


def as_text(value: object) -> str:
    """Return a field of a row as the annotation's text: a list as Python writes it, null as ``None``."""
    return value if isinstance(value, str) else str(value)


def page_numbers(value: object) -> tuple[int, ...] | None:
    """Return the whole numbers that a list, or its text, holds; None where it is not a list of such.

    >>> page_numbers("[3, 4]"), page_numbers([]), page_numbers("3"), page_numbers("['3']")
    ((3, 4), (), None, None)
    """
    items = value if isinstance(value, list) else literal_list(value) if isinstance(value, str) else None
    return None if items is None or any(type(item) is not int for item in items) else tuple(items)


def _unanswerable(answer: str) -> bool:
    return answer.strip().startswith(NOT_ANSWERABLE)


def _items(path: Path) -> list[Any]:
    """Return the list that a JSON file holds."""
    try:
        items = json.loads(path.read_bytes().decode("utf-8-sig"))
        json.dumps(items, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        half = error.object[error.start]
        raise CorpusError(f"{path} holds {half!r}, half of a character: write the whole one, without \\u") from None
    except OSError as error:
        raise CorpusError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise CorpusError(f"{path}: byte {error.start} is not UTF-8; save the file as UTF-8") from None
    except (ValueError, RecursionError) as error:
        why = json_fault(error)
        raise CorpusError(f"{path} is not JSON ({why}): write a list [{{...}}, {{...}}] in double quotes") from None
    if not isinstance(items, list):
        raise CorpusError(f"{path} does not hold a list: write [{{...}}, {{...}}], one object for each correction")
    return items


# --- The published corrections ---------------------------------------------------------------------------------------


def read_corrections(folder: Path) -> list[Correction]:
    """Return the published corrections in their order: V2's ``corrections.json`` joined with its ``diff.json``.

    ``diff.json`` has every changed field as it stands in the two annotations, ``corrections.json`` the reasons; that
    they agree is checked.

    Args:
        folder: a download of this project's, or a checkout of the V2 repository.

    Raises:
        CorpusError: a file is missing or cannot be read, or the two disagree; every place is named.
    """
    told, changed = (_published(folder, name) for name in ("corrections.json", "diff.json"))
    reasons, changes = _items(told), _items(changed)
    if len(reasons) != len(changes):
        raise CorpusError(
            f"{told} has {len(reasons)} corrections and {changed.name} has {len(changes)}: download both again"
        )
    sheet = Sheet(told, [], {})
    corrections = [
        correction
        for number, (reason, change) in enumerate(zip(reasons, changes, strict=True), start=1)
        if (correction := _joined(sheet, f"row {number}", reason, change)) is not None
    ]
    sheet.raise_if_faulty()
    return corrections


def _published(folder: Path, name: str) -> Path:
    places = [folder / below / name for below in ("", "corrections", "data/corrections")]
    found = next((path for path in places if path.is_file()), None)
    if found is None:
        raise CorpusError(f"{folder} holds no {name}: give another data_dir, or leave it empty to download")
    return found


def _joined(sheet: Sheet, place: str, reason: object, change: object) -> Correction | None:
    if not isinstance(reason, dict) or not isinstance(change, dict):
        sheet.fault(place, "", "not an object in both files; download both again")
        return None
    needed = ("doc_id", "question", "dispute_type", "note", *(f"benchmark_{name}" for name in _RECORDED))
    for name in needed:
        if not isinstance(reason.get(name), str):
            sheet.fault(place, name, "missing or not text; download the file again")
            return None
    removed = reason["dispute_type"] == REMOVED
    for name, other in (("doc_id", reason["doc_id"]), ("dispute_type", reason["dispute_type"])):
        if change.get(name) != other:
            sheet.fault(place, name, f"{other!r} here and {change.get(name)!r} in diff.json; download both again")
    if bool(change.get(REMOVED)) is not removed:
        sheet.fault(place, REMOVED, "only one of the two files says that the question is removed; download both again")
    before, after = _changes(sheet, place, change)
    _check_agreement(sheet, place, reason, before, after)
    verified = reason.get("verified_by")
    return Correction(
        doc_id=reason["doc_id"],
        question=reason["question"],
        dispute_type=reason["dispute_type"],
        before={name: reason[f"benchmark_{name}"] for name in _RECORDED} if removed else before,
        after=after,
        note=reason["note"],
        pages=page_numbers(reason.get("manual_evidence_pages")) or (),
        verified_by=tuple(map(str, verified)) if isinstance(verified, list) else (),
        removed=removed,
    )


def _changes(sheet: Sheet, place: str, change: Row) -> tuple[dict[str, str], dict[str, str]]:
    before, after = {}, {}
    for name in CHANGING:
        pair = change.get(name)
        if pair is None:
            continue
        if not isinstance(pair, dict) or not all(isinstance(pair.get(side), str) for side in ("v1", "v2")):
            sheet.fault(place, name, "diff.json does not give its text in v1 and v2; download the file again")
            continue
        before[name], after[name] = pair["v1"], pair["v2"]
    return before, after


def _check_agreement(sheet: Sheet, place: str, reason: Row, before: Row, after: Row) -> None:
    """Note where a reason and the change that stands in the same place of the other file are not of one correction."""
    doc_id = reason["doc_id"]
    old = {name: reason[f"benchmark_{name}"] for name in _RECORDED} | {"question": reason["question"]}
    # Of a question that becomes unanswerable the reason names the pages looked at, and the row none.
    becomes = _unanswerable(after.get("answer", old["answer"])) and not _unanswerable(old["answer"])
    looked_at = reason["dispute_type"] == REMOVED or becomes
    for name, was in old.items():
        same = key_of(doc_id, before.get(name, was)) == key_of(doc_id, was)
        new = reason.get(f"manual_{name}")
        if new is not None and not (name == "evidence_pages" and looked_at):
            same = same and key_of(doc_id, as_text(new)) == key_of(doc_id, after.get(name, was))
        if not same:
            sheet.fault(place, name, "the change here is not the one in diff.json; download both again")


# --- Applying --------------------------------------------------------------------------------------------------------


def apply(rows: Sequence[Row], corrections: Sequence[Correction], name: str = "the annotation") -> list[dict[str, Any]]:
    """Return the corrected rows, in their order; the given ones are left as they are. ``name`` is for the message.

    A removed question's row goes. So does a row that a correction makes equal to another row of the annotation: it is
    the same question and answer for the second time.

    Raises:
        CorpusError: a correction does not find exactly one row that holds what it says was there before, or two
            corrections find the same.
    """
    places = _places(rows)
    targets: dict[int, Correction] = {}
    problems = []
    for number, correction in enumerate(corrections, start=1):
        found = [
            index
            for index in places.get(key_of(correction.doc_id, correction.question), ())
            if _holds(rows[index], correction.before)
        ]
        if len(found) == 1 and found[0] not in targets:
            targets[found[0]] = correction
            continue
        state = "no row" if not found else f"{len(found)} rows" if len(found) > 1 else "a row corrected before"
        said = f"{correction.doc_id}, {correction.question!r}: {state} with what it corrects"
        problems.append(Problem(f"correction {number}", "question", said))
    if problems:
        raise CorpusError(
            f"{len(problems)} of {len(corrections)} corrections are for another annotation than this one; take the "
            f"annotation they were written for: {listed_problems(name, problems)}"
        )
    return _corrected(rows, targets)


def _holds(row: Row, before: Row) -> bool:
    # The wording has been compared already, but for white space.
    return all(as_text(row.get(name)) == was for name, was in before.items() if name != "question")


def _places(rows: Sequence[Row]) -> dict[tuple[str, str], list[int]]:
    places = defaultdict(list)
    for index, row in enumerate(rows):
        places[key_of(row["doc_id"], row["question"])].append(index)
    return dict(places)


def _canonical(row: Row) -> str:
    return json.dumps(row, sort_keys=True, ensure_ascii=False)


def _corrected(rows: Sequence[Row], targets: Mapping[int, Correction]) -> list[dict[str, Any]]:
    present = {_canonical(row) for index, row in enumerate(rows) if index not in targets}
    result = []
    for index, row in enumerate(rows):
        correction = targets.get(index)
        if correction is None:
            result.append(dict(row))
            continue
        new = {**row, **correction.after}
        if not correction.removed and _canonical(new) not in present:
            present.add(_canonical(new))
            result.append(new)
    return result


# --- An overlay of one's own -----------------------------------------------------------------------------------------


def read_overlay(path: Path, rows: Sequence[Row]) -> list[Correction]:
    """Return the corrections of a user's own to the annotation ``rows``.

    The file is a JSON list of objects with the fields of the published ``corrections.json``. ``doc_id`` and
    ``question`` name a row, ``benchmark_answer`` is the answer that the annotation gives now, ``dispute_type`` is one
    of DISPUTE_TYPES and ``note`` the reason. ``manual_question``, ``manual_answer``, ``manual_answer_format``,
    ``manual_evidence_pages`` and ``manual_evidence_sources`` are what the row holds after; one that is absent or null
    stays. Pages are required unless the corrected answer begins with ``Not answerable`` or the type is
    ``corpus_defect``, which removes the question. A row that becomes unanswerable loses its evidence pages and
    sources, and the pages say where the answer was looked for. An answer that does not fit its row's format, where no
    other is given, gets the format it looks like.

    Raises:
        CorpusError: the file or rows of it are wrong; all are named, each with its row, its field and the mend.
    """
    entries = _items(path)
    if not entries:
        raise CorpusError(f"{path} holds no correction: write at least one, or score without an overlay")
    sheet = Sheet(path, [(f"row {number}", entry) for number, entry in enumerate(entries, start=1)], {})
    places = _places(rows)
    corrected: dict[int, str] = {}
    wordings: dict[tuple[str, str], str] = {}
    corrections = []
    for place, entry in sheet.rows:
        if not isinstance(entry, dict):
            sheet.fault(place, "", "not a JSON object {...}")
            continue
        _check_fields(sheet, place, entry)
        index = _target(sheet, place, entry, rows, places)
        if index is None:
            continue
        if first := corrected.get(index):
            sheet.fault(place, "question", f"{first} corrects the same question; make one correction of the two")
        corrected.setdefault(index, place)
        correction = _own_correction(sheet, place, entry, rows[index])
        _check_wording(sheet, place, correction, rows[index], [rows[other] for other in _others(places, correction)])
        key = key_of(correction.doc_id, correction.after.get("question", correction.question))
        if "question" in correction.after and (first := wordings.setdefault(key, place)) != place:
            sheet.fault(place, "manual_question", f"{first} gives another question the same wording; change one")
        corrections.append(correction)
    sheet.raise_if_faulty()
    return corrections


def _others(places: Mapping[tuple[str, str], list[int]], correction: Correction) -> list[int]:
    new = key_of(correction.doc_id, correction.after.get("question", correction.question))
    return [] if new == key_of(correction.doc_id, correction.question) else places.get(new, [])


def _check_wording(sheet: Sheet, place: str, correction: Correction, row: Row, others: Iterable[Row]) -> None:
    new = {**row, **correction.after}
    if any(_canonical(new) != _canonical(other) for other in others):
        sheet.fault(place, "manual_question", "the annotation has this question already; word it another way")


def _check_fields(sheet: Sheet, place: str, entry: Row) -> None:
    for name in entry:
        if name not in _KNOWN:
            close = difflib.get_close_matches(name, _KNOWN, 1, 0.7)
            mend = f"is {close[0]!r} meant?" if close else f"take it out; known are {', '.join(_KNOWN)}"
            sheet.fault(place, name, f"the field is not known; {mend}")
    for name in _REQUIRED:
        value = entry.get(name)
        if name == "benchmark_answer" and value is not None and not isinstance(value, bool | dict):
            continue
        if value is None:
            sheet.fault(place, name, "the field is missing; every correction has it")
        elif not isinstance(value, str):
            sheet.fault(place, name, f"{value!r} is not text; put it in quotes")
        elif not value.strip():
            mend = "say why the annotation is wrong" if name == "note" else "fill it in"
            sheet.fault(place, name, f"empty; {mend}")
    kind = entry.get("dispute_type")
    if isinstance(kind, str) and kind.strip() and kind not in DISPUTE_TYPES:
        close = difflib.get_close_matches(kind, DISPUTE_TYPES, 1, 0.6)
        mend = f"is {close[0]!r} meant?" if close else f"take one of {', '.join(DISPUTE_TYPES)}"
        sheet.fault(place, "dispute_type", f"{kind!r} is not known; {mend}")


def _target(
    sheet: Sheet, place: str, entry: Row, rows: Sequence[Row], places: Mapping[tuple[str, str], list[int]]
) -> int | None:
    """Return the index of the row that an entry is about, or note why there is no such."""
    doc_id, question, answer = (entry.get(name) for name in ("doc_id", "question", "benchmark_answer"))
    if not isinstance(doc_id, str) or not isinstance(question, str) or not doc_id.strip() or not question.strip():
        return None
    found = places.get(key_of(doc_id, question), [])
    if not found:
        asked = {key[1]: key for key in places if key[0] == doc_id}
        if not asked:
            close = difflib.get_close_matches(doc_id, {key[0] for key in places}, 1, 0.6)
            mend = f"is {close[0]!r} meant?" if close else "name one of its documents"
            sheet.fault(place, "doc_id", f"the annotation has no document {doc_id!r}; {mend}")
        else:
            close = difflib.get_close_matches(key_of(doc_id, question)[1], asked, 1, 0.6)
            mend = f"is {close[0]!r} meant?" if close else "copy its wording from the annotation"
            sheet.fault(place, "question", f"the annotation asks no such question of {doc_id}; {mend}")
        return None
    stated = None if answer is None else as_text(answer).strip()
    same = [index for index in found if as_text(rows[index]["answer"]).strip() == stated]
    if len(same) == 1:
        return same[0]
    if len(found) > 1:
        golds = ", ".join(repr(as_text(rows[index]["answer"]).strip()) for index in found)
        sheet.fault(
            place,
            "benchmark_answer" if not same else "question",
            f"the annotation asks this question {len(found)} times, with {golds}; "
            "say in benchmark_answer which of them is corrected, or take one row out of the annotation",
        )
        return None
    now = as_text(rows[found[0]]["answer"]).strip()
    if stated is not None:
        sheet.fault(
            place,
            "benchmark_answer",
            f"{stated!r}, where the annotation says {now!r}; copy what it says and check again",
        )
    return found[0]


def _own_correction(sheet: Sheet, place: str, entry: Row, row: Row) -> Correction:
    removed = entry.get("dispute_type") == REMOVED
    old = {name: as_text(row[name]) for name in CHANGING}
    for name in ("answer_format", "evidence_pages"):
        stated = entry.get(f"benchmark_{name}")
        if stated is not None and as_text(stated).strip() != old[name].strip():
            sheet.fault(
                place, f"benchmark_{name}", f"{stated!r}, where the annotation says {old[name]!r}; copy what it says"
            )
    pages = _own_pages(sheet, place, entry)
    if removed:
        after: dict[str, str] = {}
        for name in ("question", "answer", "answer_format"):
            if entry.get(f"manual_{name}") is not None:
                sheet.fault(place, f"manual_{name}", f"{REMOVED} removes the question; take the field out")
    else:
        after = _own_changes(sheet, place, entry, old, pages)
        if not after and not _faulty(sheet, place):
            sheet.fault(place, "", "the correction changes nothing; correct a field or take it out")
    return Correction(
        doc_id=entry["doc_id"],
        question=entry["question"],
        dispute_type=as_text(entry.get("dispute_type")),
        before={name: old[name] for name in (_RECORDED if removed else after)},
        after=after,
        note=as_text(entry.get("note")).strip(),
        pages=pages or (),
        verified_by=_own_names(sheet, place, entry.get("verified_by")),
        removed=removed,
    )


def _faulty(sheet: Sheet, place: str) -> bool:
    return any(where == place for where, _ in sheet.problems)


def _own_changes(
    sheet: Sheet, place: str, entry: Row, old: Mapping[str, str], pages: tuple[int, ...] | None
) -> dict[str, str]:
    """Return the fields that an entry changes, as the annotation's text."""
    new = dict(old)
    question = entry.get("manual_question")
    if question is not None:
        if not isinstance(question, str) or not question.strip():
            sheet.fault(place, "manual_question", f"{question!r} is no wording; write text or take the field out")
        elif key_of("", question) != key_of("", old["question"]):
            new["question"] = question.strip()
    answer = _own_answer(sheet, place, entry.get("manual_answer"))
    if answer and answer != old["answer"].strip():
        new["answer"] = answer
    new["answer_format"] = _own_format(sheet, place, entry.get("manual_answer_format"), old, new["answer"])
    sources = _own_sources(sheet, place, entry.get("manual_evidence_sources"))
    unanswerable = _unanswerable(new["answer"])
    if unanswerable and not _unanswerable(old["answer"]):
        new["evidence_pages"] = new["evidence_sources"] = "[]"
    elif pages is not None:
        new["evidence_pages"] = str(list(pages))
    if not unanswerable and not pages:
        # A page list that cannot be read is the fault that counts.
        mend = "name the physical pages, counted from 1, that show the corrected answer, such as [3, 4]"
        sheet.fault(place, "manual_evidence_pages", f"no page; {mend}")
    if sources is not None:
        new["evidence_sources"] = sources
    same_pages = page_numbers(new["evidence_pages"]) == page_numbers(old["evidence_pages"])
    return {
        name: new[name] for name in CHANGING if new[name] != old[name] and not (name == "evidence_pages" and same_pages)
    }


def _own_answer(sheet: Sheet, place: str, value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool | dict) or not as_text(value).strip() or value == []:
        sheet.fault(
            place, "manual_answer", f"{value!r} is not an answer; write text, a number, a list or {NOT_ANSWERABLE!r}"
        )
        return ""
    return as_text([str(item) for item in value] if isinstance(value, list) else value).strip()


def _own_format(sheet: Sheet, place: str, given: object, old: Mapping[str, str], answer: str) -> str:
    if given is None:
        kept = answer == old["answer"] or fits_format(answer, old["answer_format"])
        # Any text fits Str, "Not answerable" too.
        kept = kept and not (_unanswerable(answer) and not _unanswerable(old["answer"]))
        return old["answer_format"] if kept else infer_format(answer)
    if given not in ANSWER_FORMATS:
        sheet.fault(place, "manual_answer_format", f"{given!r} is not one of {', '.join(ANSWER_FORMATS)}")
        return old["answer_format"]
    if not fits_format(answer, str(given)):
        sheet.fault(
            place, "manual_answer_format", f"the answer {answer!r} does not fit {given}; change one, or leave this out"
        )
    return str(given)


def _own_pages(sheet: Sheet, place: str, entry: Row) -> tuple[int, ...] | None:
    value = entry.get("manual_evidence_pages")
    if value is None:
        return None
    pages = page_numbers(value)
    if pages is None or min(pages, default=1) < 1:
        sheet.fault(
            place, "manual_evidence_pages", f"{value!r} is not a list of page numbers, counted from 1, such as [3, 4]"
        )
        return None
    return pages


def _own_sources(sheet: Sheet, place: str, value: object) -> str | None:
    if value is None:
        return None
    items = value if isinstance(value, list) else literal_list(value) if isinstance(value, str) else None
    if items is None or not all(isinstance(item, str) for item in items):
        sheet.fault(place, "manual_evidence_sources", f"{value!r} is not a list of texts such as ['Table']")
        return None
    return str(items)


def _own_names(sheet: Sheet, place: str, value: object) -> tuple[str, ...]:
    names = [value] if isinstance(value, str) else [] if value is None else value
    if not isinstance(names, list) or not all(isinstance(name, str) and name.strip() for name in names):
        sheet.fault(place, "verified_by", f"{value!r} is not a list of names such as ['A. Reader']")
        return ()
    return tuple(names)
