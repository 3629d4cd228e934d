"""What an annotated question says: reasons for leaving it out, answer formats, its own key.

The parts that every corpus needs, whoever wrote it. Annotations are read as data: literals are parsed, never
evaluated. Nothing here knows where a corpus comes from; ``corpora`` does.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from muddle_utils.scoring.lists import python_literal
from muddle_utils.study.errors import MuddleError
from muddle_utils.study.records import NOT_ANSWERABLE

REPEATED: Final = "repeated question"
CONTRADICTING: Final = "contradicting duplicate"
UNANSWERABLE: Final = "unanswerable"
NO_EVIDENCE_SOURCE: Final = "no evidence source named"
OTHER_EVIDENCE: Final = "chart, figure or layout evidence"
FITS_NO_FORMAT: Final = "gold that fits no format"
ABSENT_DOCUMENT: Final = "absent document"
DAMAGED_DOCUMENT: Final = "damaged document"
PAGE_OUTSIDE: Final = "evidence page outside the document"

_INT: Final = re.compile(r"[-+\u2212]?(\d+|\d{1,3}(,\d{3})+)")
_FLOAT: Final = re.compile(r"\(?[-+\u2212]?\s?[$€£¥]?\s?((\d+|\d{1,3}(,\d{3})+)(\.\d+)?|\.\d+)\s?(%|percent)?\)?")


class CorpusError(MuddleError, ValueError):
    """A corpus that cannot be read as given; the message names the file, the row and field, and the mend."""


# --- What is wrong with a file ----------------------------------------------------------------------------------------


SHOWN: Final = 20


class Problem(NamedTuple):
    """What is wrong at a place of a file, such as ``row 3``, in a field or (empty) in the row as a whole."""

    place: str
    field: str
    message: str

    @property
    def where(self) -> str:
        """The place, with the field if there is one."""
        return f"{self.place}, field '{self.field}'" if self.field else self.place


def _shown(problems: Sequence[Problem]) -> list[Problem]:
    """Return the problems to list, in their order: each field has its share of the lines, and in it each message."""
    order = list(range(len(problems)))
    for width in (2, 1):
        seen: Counter[tuple[str, ...]] = Counter()
        turns = {}
        for index in order:
            kind = (problems[index].field, problems[index].message)[:width]
            turns[index] = seen[kind]
            seen[kind] += 1
        order.sort(key=turns.__getitem__)
    return [problems[index] for index in sorted(order[:SHOWN])]


def listed_problems(file: str | Path, problems: Sequence[Problem]) -> str:
    """Return one message on all problems of a file: a first line with file, place, field and number, then a list.

    A list longer than twenty is cut so that no fault, however often it stands there, hides the others.

    >>> listed_problems("a.json", [Problem("row 3", "answer", "empty")])
    "a.json has 1 problem to mend: row 3, field 'answer': empty"
    """
    first, n = problems[0], len(problems)
    if n == 1:
        return f"{file} has 1 problem to mend: {first.where}: {first.message}"
    lines = [f"{problem.where}: {problem.message}" for problem in _shown(problems)]
    if n > SHOWN:
        alike = " of this kind" if len({problem[1:] for problem in problems}) == 1 else ""
        lines.append(f"and {n - SHOWN:,} more{alike}")
    return "\n  ".join([f"{file} has {n:,} problems to mend: {first.where}, and {n - 1:,} more", *lines])


# --- Answers ---------------------------------------------------------------------------------------------------------


def literal_list(text: str) -> list[Any] | None:
    """Return the list that ``text`` spells as a Python literal, or None; nothing is ever executed."""
    value = python_literal(text.strip())
    return value if isinstance(value, list) else None


def fits_format(answer: str, answer_format: str) -> bool:
    """Tell whether a reference answer can be matched as the format it is declared to have.

    >>> [fits_format("21%", "Int"), fits_format("21%", "Float"), fits_format("0.66", "List")]
    [False, True, False]
    """
    answer = answer.strip()
    if answer_format == "Int":
        return _INT.fullmatch(answer) is not None
    if answer_format == "Float":
        return _FLOAT.fullmatch(answer) is not None
    if answer_format == "List":
        return bool(literal_list(answer))
    if answer_format == "None":
        return answer.startswith(NOT_ANSWERABLE)
    return answer_format == "Str" and bool(answer)


def infer_format(answer: str) -> str:
    """Return the answer format that ``answer`` looks like; a number with a leading zero is a code, not a quantity.

    >>> [infer_format(text) for text in ("12", "007", "3.5%", "['a']", "Not answerable", "Lyon")]
    ['Int', 'Str', 'Float', 'List', 'None', 'Str']
    """
    answer = answer.strip()
    if re.match(r"0\d", answer):
        return "Str"
    return next(kind for kind in ("None", "List", "Int", "Float", "Str") if kind == "Str" or fits_format(answer, kind))


def derived_question_id(prefix: str, document_id: str, question: str) -> str:
    """Return an identifier that depends on nothing but the document's name and the question's text."""
    digest = hashlib.sha256("\n".join((document_id, question)).encode())
    return f"{prefix}-{digest.hexdigest()[:10]}"


def key_of(document_id: str, question: str) -> tuple[str, str]:
    """Return what a question is joined on: its document and its text with runs of white space made one space.

    >>> key_of("a.pdf", " How  many pages? ")
    ('a.pdf', 'How many pages?')
    """
    return document_id, " ".join(question.split())
