"""MMLongBench-Doc's first scorer: an extracted short answer against the reference, by the reference's format.

Written anew from a description of the benchmark's rules (Ma et al., 2024). Its oddities are kept, because scores
published with it hold them; they are named where they arise. Three things differ, none of which a benchmark's
reference touches: lists are parsed and never executed, so that an expression inside a list counts as an error;
infinities and "nan" are no numbers; and texts too long to be short answers are compared for equality only.
"""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from muddle_utils.scoring.lists import list_items, literal_list, python_literal
from muddle_utils.scoring.numbers import numbers_in, shares_in
from muddle_utils.scoring.reply_text import (
    corrected,
    declines,
    final_answer,
    stripped,
    without_small_talk,
    without_tags,
)
from muddle_utils.scoring.rule_judge import members_of
from muddle_utils.study.records import ANSWER_FORMATS, NOT_ANSWERABLE

RULES: Final = (
    "int: equal",
    "int: equal by truncation",
    "int: differs",
    "int: prediction is no number",
    "int: reference is no number",
    "float: equal",
    "float: equal by rounding",
    "float: equal after a factor of 100",
    "float: differs",
    "float: prediction is no number",
    "float: reference is no number",
    "text: exact",
    "text: exact differs",
    "text: ANLS",
    "text: ANLS not above one half",
    "text: too long to compare",
    "list: other length",
    "list: joined text",
    "list: joined text differs",
    "list: lowest ANLS",
    "list: lowest ANLS not above one half",
    "list: too long to compare",
    "list: error counted as wrong",
)
LONGEST_COMPARED: Final = 1_000
"""Characters of the longer text up to which edit distances are computed; twice the benchmark's longest reference."""
LONGEST_LIST: Final = 100_000
"""Characters of a list literal up to which it is parsed."""


@dataclass(frozen=True)
class V1Score:
    """A score from 0 to 1, fractional where an edit distance decided, and which of ``RULES`` decided it."""

    score: float
    rule: str
    detail: str = ""


def _checked(answer_format: str) -> str:
    if answer_format not in ANSWER_FORMATS:
        raise ValueError(f"answer_format is {answer_format!r}: write one of {', '.join(ANSWER_FORMATS)}")
    return answer_format


# --- Text ---------------------------------------------------------------------------------------------------------


def _without_brackets(text: str) -> str:
    """Return ``text`` without each opening bracket up to the next closing one, and the white space before it."""
    kept, last = [], 0
    while (start := text.find("(", last)) >= 0 and (end := text.find(")", start)) >= 0:
        kept.append(text[last:start].rstrip())
        last = end + 1
    return "".join([*kept, text[last:]])


def _cleaned(text: str) -> str:
    """Return ``text`` in lower case, without bracketed text, one quote at each end, leading "$" and trailing "%".

    A text that is all in brackets is left empty. The benchmark also means to cut "mile", "miles" and "million" off the
    end, but drops the result; so nothing is cut.
    """
    plain = _without_brackets(text.lower()).strip()
    plain = plain[1:] if plain.startswith(("'", '"')) else plain
    plain = plain[:-1] if plain.endswith(("'", '"')) else plain
    return plain.strip().lstrip("$").strip().rstrip("%").strip()


_EXACT: Final = re.compile(
    r".*https://.*|.*\.py|.*ipynb|page.*|\d+(?:[-\s]\d+)?|.*[ap]\.m\..*|\d{4}[-\s]\d\d[-\s]\d\d"
    r"|[a-z0-9_.%+-]+@[a-z0-9.-]+\.[a-z]{2,}",
    re.DOTALL,
)


def _is_exact(reference: str) -> bool:
    """Return whether a cleaned reference has to be met exactly.

    So have texts with "https://" (a link with "http://" scores ANLS), Python files and notebooks, "page ...", digits
    (also two runs with a dash or a space between), texts with "a.m." or "p.m.", dates in digits from year to day, and
    e-mail addresses in ASCII.
    """
    return bool(_EXACT.fullmatch(reference))


def _distance(left: str, right: str, limit: int) -> int:
    """Return the Levenshtein distance of two texts, or ``limit`` if it is not below that."""
    previous = list(range(len(right) + 1))
    for i, char in enumerate(left, start=1):
        row = [i]
        for j, other in enumerate(right, start=1):
            row.append(min(previous[j] + 1, row[-1] + 1, previous[j - 1] + (char != other)))
        if min(row) >= limit:
            return limit
        previous = row
    return min(previous[-1], limit)


def _anls(reference: str, prediction: str) -> float | None:
    """Return 1 - distance / length of the longer text, 0 unless that is above one half; None if too long to say."""
    if reference == prediction:
        return 1.0
    shorter, longer = sorted((len(reference), len(prediction)))
    if 2 * shorter <= longer:  # The lengths alone need that many edits.
        return 0.0
    if longer > LONGEST_COMPARED:
        return None
    half = (longer + 1) // 2
    distance = _distance(reference, prediction, half)
    return 0.0 if distance == half else 1 - distance / longer


def _by_anls(likeness: float | None, kind: str, measure: str) -> V1Score:
    if likeness is None:
        return V1Score(0.0, f"{kind}: too long to compare")
    rule = f"{kind}: {measure}"
    return V1Score(likeness, rule if likeness else f"{rule} not above one half", f"ANLS {likeness:.3f}")


def _score_text(reference: str, prediction: str) -> V1Score:
    wanted, given = _cleaned(reference), _cleaned(prediction)
    if _is_exact(wanted):
        return V1Score(1.0, "text: exact") if wanted == given else V1Score(0.0, "text: exact differs")
    return _by_anls(_anls(wanted, given), "text", "ANLS")


# --- Numbers ------------------------------------------------------------------------------------------------------


def _finite(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _score_int(reference: str, prediction: str) -> V1Score:
    try:
        wanted = int(reference)
    except ValueError:
        return V1Score(0.0, "int: reference is no number")
    given = _finite(prediction)
    if given is None:
        return V1Score(0.0, "int: prediction is no number")
    if wanted != int(given):
        return V1Score(0.0, "int: differs")
    return V1Score(1.0, "int: equal" if given == wanted else "int: equal by truncation")


def _decimals(value: float) -> int:
    return len(f"{Decimal(repr(value)):f}".partition(".")[2])


def _equal_as(wanted: float, given: float) -> str:
    """Return by which rule two numbers are equal, or an empty text."""
    if math.isclose(wanted, given, rel_tol=0.01):
        return "float: equal"
    places = max(2, min(_decimals(wanted), _decimals(given)))
    return "float: equal by rounding" if round(wanted, places) == round(given, places) else ""


def _score_float(reference: str, prediction: str) -> V1Score:
    wanted, given = _finite(_cleaned(reference)), _finite(_cleaned(prediction))
    if wanted is None:
        return V1Score(0.0, "float: reference is no number")
    if given is None:
        return V1Score(0.0, "float: prediction is no number")
    if rule := _equal_as(wanted, given):
        return V1Score(1.0, rule)
    for scaled, detail in ((wanted / 100, "reference / 100"), (wanted * 100, "reference x 100")):
        if _equal_as(scaled, given):
            return V1Score(1.0, "float: equal after a factor of 100", detail)
    return V1Score(0.0, "float: differs")


# --- Lists --------------------------------------------------------------------------------------------------------


def _members(text: str) -> list[str]:
    """Return the cleaned and sorted members of a list literal; any text that does not start with "[" is one member.

    Raises:
        ValueError: the literal cannot be parsed, or one of its whole numbers has too many digits to be printed.
    """
    if not text.startswith("["):
        return [_cleaned(text)]
    value = python_literal(text)
    if value is None:
        raise ValueError("no list literal")
    return sorted(_cleaned(str(item)) for item in (value if isinstance(value, list) else [value]))


def _is_float(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _score_list(reference: str, prediction: str) -> V1Score:
    if any(text.startswith("[") and len(text) > LONGEST_LIST for text in (reference, prediction)):
        return V1Score(0.0, "list: too long to compare")
    members = []
    for side, text in (("reference", reference), ("prediction", prediction)):
        try:
            members.append(_members(text))
        except ValueError:
            return V1Score(0.0, "list: error counted as wrong", f"SyntaxError in the {side}")
    wanted, given = members
    if len(wanted) != len(given):
        return V1Score(0.0, "list: other length", f"{len(given)} items instead of {len(wanted)}")
    if not wanted:
        return V1Score(0.0, "list: error counted as wrong", "IndexError on an empty reference")
    if _is_float(wanted[0]) or _is_exact(wanted[0]):
        same = "-".join(wanted) == "-".join(given)
        return V1Score(1.0, "list: joined text") if same else V1Score(0.0, "list: joined text differs")
    likenesses = [_anls(one, other) for one, other in zip(wanted, given, strict=True)]
    known = [likeness for likeness in likenesses if likeness is not None]
    # One pair that scores nothing decides, whatever a pair too long to compare would have scored.
    is_known = len(known) == len(likenesses) or 0.0 in known
    return _by_anls(min(known) if is_known else None, "list", "lowest ANLS")


# --- The whole ----------------------------------------------------------------------------------------------------


_SCORERS: Final[dict[str, Callable[[str, str], V1Score]]] = {
    "Int": _score_int,
    "Float": _score_float,
    "List": _score_list,
    "Str": _score_text,
    "None": _score_text,
}


def score_v1(reference: str, prediction: str, answer_format: str) -> V1Score:
    """Return MMLongBench-Doc's first score of a short answer; never raises for a text, whatever is in it.

    - **Int**: ``int(reference)`` against ``int(float(prediction))``. So 7.9 is cut off to 7 and right, "1,358,000" and
      "8%" are wrong for their signs, and a reference such as "21%" cannot be met by anything.
    - **Float**: both cleaned as text is; the reference, its hundredth and its hundredfold are each right within 1 %
      of the larger value, or if equal when rounded to the smaller number of decimals, of two at least. So 18.29 is
      1829, 100 is 100.9, and 0 is right for a reference of 0.4. Grouping commas are wrong.
    - **Str** and **None**: both cleaned: lower case, without bracketed text, a quote at each end, leading "$" and
      trailing "%". A reference with "https://" in it, or one that looks like a Python file or notebook, "page ...",
      digits, a time with "a.m." or "p.m.", a date in digits or an e-mail address has to be met exactly. Any other,
      a link with "http://" too, scores ANLS, which is 1 - edit distance / length of the longer text, and 0 unless
      above one half.
    - **List**: a text that starts with "[" is read as a Python list, any other is a list of one. Another number of
      members scores 0. Both are cleaned and then sorted, which can set one spelling error beside the wrong member.
      If the reference's first member is then a number or of an exact type, all members joined must be equal; else the
      score is the lowest ANLS of the pairs. ``[]`` and a broken bracket are errors and score 0.

    Args:
        reference: the benchmark's answer, as its file has it.
        prediction: the short answer; ``short_answer`` makes one from a response.
        answer_format: the reference's format, one of ``records.ANSWER_FORMATS``.

    Raises:
        ValueError: the format is none of the five.

    >>> score_v1("Operations activities", "Operating Activities", "Str")
    V1Score(score=0.9047619047619048, rule='text: ANLS', detail='ANLS 0.905')
    """
    return _SCORERS[_checked(answer_format)](reference, prediction)


# --- The short answer ---------------------------------------------------------------------------------------------


_LONGEST_RESPONSE: Final = 5_000
_LARGEST_NUMBER: Final = 2.0**53
_THOUGHTS: Final = ("think", "thinking", "reasoning", "scratchpad")
_LABELLED: Final = re.compile(r"(?:answer|result|boxed)(?:\s+(?:is|are))?\W*$", re.IGNORECASE)
_LEAD: Final = re.compile(r"[^:,;\n\[]*:\s+(?=\S)")


def _end_of(response: str) -> str:
    """Return the end of a response, which is where answers are, without a thought that is never closed."""
    lower = response.lower() if len(response.lower()) == len(response) else response
    for tag in _THOUGHTS:
        opened = lower.rfind(f"<{tag}>")
        if opened > lower.rfind(f"</{tag}>"):
            response, lower = response[:opened], lower[:opened]
    return response.strip()[-_LONGEST_RESPONSE:]


_DIGITS: Final = re.compile(r"(?<![\w.,])[-\u2212]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![\w,.]*\d)")


def _as_number(answer: str, form: str) -> str:
    try:
        numbers = numbers_in(answer)
    except OverflowError:  # A spelled number above the largest float.
        return answer
    if len(numbers) != 1 or shares_in(answer):  # "Two thirds" is not the number two.
        return answer
    printed = _DIGITS.findall(answer)
    if len(printed) == 1 and len(printed[0]) < 20 and not (form == "Int" and "." in printed[0]):
        # As printed, so that "$11,407 million" meets a reference in millions, which is what the questions ask for.
        return str(printed[0]).replace(",", "").replace("\u2212", "-")
    if numbers[0].quantum <= 0 or abs(numbers[0].value) >= _LARGEST_NUMBER:
        return answer
    value, places = numbers[0].value, max(0, -round(math.log10(numbers[0].quantum)))
    plain = f"{value:.{places}f}"
    # The dozens of "1.1 dozen" have fewer decimals than their number.
    return plain if math.isclose(float(plain), value, rel_tol=1e-9) else repr(value)


def _literal_at_end(text: str) -> str:
    """Return the list literal on the last line of a text, alone or after a label; else an empty text.

    It is looked for before markup is removed, because "[16, 19, 25]" and "['Page 1']" look like citations, too.
    """
    line = next((line for line in reversed(text.splitlines()) if re.search(r"[\w\]]", line)), "")
    start, end = line.find("["), line.rfind("]") + 1
    alone = 0 <= start < end and not re.search(r"\w", line[end:])
    labelled = alone and (not re.search(r"\w", line[:start]) or bool(_LABELLED.search(line[:start])))
    return line[start:end] if labelled and literal_list(line[start:end]) is not None else ""


def _as_list(answer: str) -> str:
    if answer.startswith("[") and answer.endswith("]"):
        return repr(list(list_items(answer)))
    # No question is at hand, but a reference in the List format tells that it asks for several things.
    items = members_of("Which two are they?", _LEAD.sub("", answer, count=1))
    return repr(list(items)) if items else answer


# What ends in a full stop of its own: "a.m.", "U.S.", "Inc.".
_ABBREVIATED: Final = re.compile(
    r"(?:\b\w\.\w\.|\b(?:al|approx|corp|etc|inc|jr|llc|ltd|sr|vs)\.|\.\.\.)$", re.IGNORECASE
)


def _without_full_stop(answer: str) -> str:
    """Return an answer without the full stop of its sentence."""
    plain = answer.rstrip()
    # "9 a.m.." has one too many.
    plain = plain[:-1] if plain.endswith("..") and not plain.endswith("...") else plain
    return plain if _ABBREVIATED.search(plain) else plain.removesuffix(".").rstrip()


def short_answer(response: str, answer_format: str = "") -> str:
    """Return the short answer that a response gives, in the form that ``score_v1`` reads, found by rule.

    The benchmark has a language model extract it; this asks none and never sees the reference. A response that
    declines gives "Not answerable". Any other gives what it boxes, calls its answer or prints in bold, or else all of
    it without thinking, small talk, markup and citations. Only the last 5,000 characters are looked at.

    The benchmark tells its extractor the formats, so the answer is written in the one given, if it can be:

    - **Int** and **Float**: the only number in it, in plain digits without sign of percent or currency, and as it is
      printed: "$11,407 million" is 11407, because the questions say in which unit to answer. Only where an Int is
      wanted and decimals are printed, the scale word is multiplied out ("1.36 million" is 1360000). With none or
      several numbers, or a fraction in words, the answer stays as it is.
    - **List**: a Python list literal of its members: those of the list literal that ends the response, or those
      between lines, semicolons, or commas and "and", after a lead that ends in a colon. Else it stays as it is.

    Args:
        response: the response as it came.
        answer_format: one of ``records.ANSWER_FORMATS``, or empty to leave the form as it is.

    Raises:
        ValueError: the format is none of the five.

    >>> short_answer("Both are listed. Answer: **Oslo and Bergen**", "List"), short_answer("It was $1,358,000.", "Int")
    ("['Oslo', 'Bergen']", '1358000')
    """
    form = _checked(answer_format) if answer_format else ""
    text = without_tags(_end_of(response)).strip()
    said = final_answer(text)
    if declines(said or text):
        return NOT_ANSWERABLE
    answer = said or corrected(without_small_talk(stripped(text)))
    if form in ("Int", "Float"):
        return _as_number(_without_full_stop(answer), form)
    return _as_list(_literal_at_end(text) or answer) if form == "List" else _without_full_stop(answer)
