"""Is a predicted number the reference's number: the one that the reply commits to, compared by value and unit."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from muddle_utils.scoring.numbers import (
    APPROXIMATELY,
    ASKS_FOR_SHARE,
    SEPARATOR,
    UNITS,
    VULGAR,
    Number,
    accounting_negative,
    numbers_in,
    plain_digits,
    share_value,
    shares_in,
    unit_named,
)
from muddle_utils.scoring.reply_text import HEDGE, conclusions, is_undecided
from muddle_utils.scoring.rule_judge.lexicon import concept
from muddle_utils.scoring.rule_judge.words import best_statements, facts_of, words_of
from muddle_utils.scoring.squad import normalise_answer

LONGEST_ANSWER: Final = 60
"""Words beyond which a prediction that contains the reference is an essay and not an answer."""
# "How many million?" and "in thousand euros" ask for the figure in that scale; "(the table is in thousands)" does not.
_ASKS_IN_SCALE: Final = re.compile(
    r"\bhow (?:many|much) (?:\w+ )?(thousand|million|billion|trillion|mn|bn|lakh|crore)s?\b"
    r"|\bin (?:\w+ )?(thousand|million|billion|trillion|mn|bn|lakh|crore)s?\b"
    r"|\((?:in )?(?:[$€£] ?)?(thousand|million|billion|trillion|mn|bn)s?[^()]{0,20}\)|\$ ?[mb]\b",
    re.I,
)
_STATES_SCALE: Final = re.compile(
    r"\b(?:tables?|amounts?|figures?|values?|numbers?|sums?|is|are|was|were|given|stated|reported|expressed|shown"
    r"|all)[ (]*$",
    re.I,
)
_SCALE_VALUES: Final = {
    "thousand": 1e3,
    "million": 1e6,
    "mn": 1e6,
    "billion": 1e9,
    "bn": 1e9,
    "trillion": 1e12,
    "lakh": 1e5,
    "crore": 1e7,
}
_DECREASE: Final = re.compile(
    r"\b(?:decreas\w*|declin\w*|fell|fall\w*|drop\w*|loss\w*|lost|lower\w*|reduc\w*|down|negative|shr[aiu]nk\w*"
    r"|deficit|minus|below|less"
    r"|contract\w*|diminish\w*|cut)\b",
    re.I,
)
_INCREASE: Final = re.compile(
    r"\b(?:increas\w*|ris(?:e|es|en|ing)|rose|grew|grow\w*|gain\w*|up|climb\w*|improv\w*|expand\w*|higher|profit"
    r"|surplus)\b",
    re.I,
)
_STATED_ANSWER: Final = re.compile(
    r"\b(?:answer is|total of|totals?|equals|i\.e\.|totall?ing|sum is|sum of|amount(?:s|ed) to|adds? up to|comes? "
    r"to)\s*:?\s*(?:about |approximately )?$|[=≈]\s*$",
    re.I,
)
_JOINT: Final = re.compile(
    r"[ \t]*(?:,|/|;|\.|\n|\bor\b|\band\b|\bto\b|-|\u2026|\|)+\s*(?:or|and)?\s*(?:about |perhaps |maybe |possibly "
    r"|even )?",
    re.I,
)
_NOT_BEFORE: Final = re.compile(
    r"\b(?:not|never|isn't|wasn't|than|except|excluding|rather than|instead of)\s+(?:the |just |only )?$", re.I
)
_MORE_THAN: Final = re.compile(r"(?: \w+)? (?:more|fewer|less|higher|lower|above|below) than\b", re.I)
_CURRENCIES: Final = frozenset({"$", "€", "£", "¥", "₹", "S$", "A$", "C$", "CHF", "CNY", "SEK", "NOK", "DKK"})
# The number after one of these names a place or a member, and counts nothing.
_LABELLED: Final = re.compile(
    r"\b(?:pages?|pp?\.|tables?|tab\.|figures?|fig\.|documents?|docs?\.?|sections?|sec\.|chapters?|appendix|annex"
    r"|notes?|steps?|slides?"
    r"|paragraphs?|lines?|rows?|columns?|items?|footnotes?|article|art\.|rule|question|phase|version|level|grade"
    r"|group|room|gate"
    r"|platform|route|zone|block|building|unit|line|class|category|tier|model|no\.|nr\.|§|#)\s*(?:\d+\s*(?:,|and|to"
    r"|-|&)\s*)*$",
    re.I,
)


# --- One number ---------------------------------------------------------------------------------------------------


_RAISED: Final = str.maketrans("\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079", "0123456789")
_POWER: Final = re.compile(
    r"(\d(?:[\d.,]*\d)?) ?[×x*·] ?10(?:\^)?([\d\u2070\u00b9\u00b2\u00b3\u2074-\u2079]{1,2})(?![\d,.]\d)"
)


def grouped(text: str) -> str:
    """Return a text with numbers that ``numbers_in`` reads: "12 500" grouped, "3 × 10^5" as 3e5, "5½" as 5.5."""
    text = _POWER.sub(lambda m: f"{m[1]}e{m[2].translate(_RAISED)}", text)
    text = re.sub(
        r"(?<![\d.])10(?:\^"
        r"|(?=[\u2070\u00b9\u00b2\u00b3\u2074-\u2079]))([\d\u2070\u00b9\u00b2\u00b3\u2074-\u2079]{1,2})(?!\d)",
        lambda m: f"1e{m[1].translate(_RAISED)}",
        text,
    )
    text = re.sub(
        rf"(\d) ?([{''.join(VULGAR)}])", lambda m: f"{m[1]}{f'{VULGAR[m[2]]:.3f}'.lstrip('0').rstrip('0')}", text
    )
    text = re.sub(r"(?<=\d) in(?=$|[.,;)])", " inch", text)
    text = re.sub(r"\bhalf an? (?=percent|per cent)", "0.5 ", text, flags=re.I)
    return re.sub(r"(?<![\d.,:/-])(?<!\d )\b([1-9]\d{0,2}) (?=\d{3}(?![\d-]))((?:\d{3} (?=\d{3}(?!\d)))*)",
                  lambda m: f"{m[1]}{SEPARATOR}{m[2].replace(' ', SEPARATOR)}", text)  # fmt: skip


def is_quantity(reference: str) -> bool:
    """Return whether a reference is one number, with at most a unit or two plain words after it.

    A spelled number has to be the whole reference: "Seven Samurai" is a name.
    """
    reference = grouped(plain_digits(reference))
    found = _summed(reference, numbers_in(reference))
    if len(found) != 1:
        return False
    plain, number = accounting_negative(reference), found[0]
    # A leading zero makes an identifier, and "3rd" is a rank.
    if re.match(r"(?:st|nd|rd|th)\b", plain[number.end :]) or re.fullmatch(r"0\d+", number.text):
        return False
    lead, rest = APPROXIMATELY.sub("", plain[: number.start]).strip(), plain[number.end :].strip(" .\n")
    spelled = not any(char.isdigit() for char in number.text)
    described = re.fullmatch(r"[a-z²³°/]+(?: [a-z]+){0,2}", rest)
    return not lead and (
        not rest or (bool(described) and (not spelled or rest in ("people", "times") or bool(number.unit)))
    )


def _times(number: Number, factor: float) -> Number:
    return replace(number, value=number.value * factor, quantum=number.quantum * factor, is_percent=False, unit="")


def _dimension(unit: str) -> str:
    return UNITS.get(unit, (unit, 1.0))[0]


def _units_differ(left: str, right: str) -> bool:
    return bool(left and right) and left != right and _dimension(left) != _dimension(right)


def _in_base_unit(number: Number, other: Number) -> Number:
    if number.unit == other.unit or not (number.unit in UNITS and other.unit in UNITS):
        return number
    scaled = _times(number, UNITS[number.unit][1])
    # 32 °F are 0 °C: temperatures have two zeros.
    return replace(scaled, value=scaled.value - 160 / 9) if number.unit == "°f" else scaled


def _summed(text: str, numbers: Sequence[Number]) -> list[Number]:
    """Return the numbers with compound measures made one: "2 h 30 min", "5 ft 3 in"."""
    found: list[Number] = []
    for number in numbers:
        last = found[-1] if found else None
        if last and _continues(text, last, number):
            left, right = UNITS[last.unit][1], UNITS[number.unit][1]
            value, quantum = last.value + number.value * right / left, number.quantum * right / left
            found[-1] = replace(
                last, value=value, quantum=quantum, digits=9, end=number.end, text=text[last.start : number.end]
            )
        else:
            found.append(number)
    return found


def _continues(text: str, first: Number, second: Number) -> bool:
    between = text[first.end : second.start].strip()
    if between not in ("", "and", ",", ", and") or first.unit not in UNITS or second.unit not in UNITS:
        return False
    same = _dimension(first.unit) == _dimension(second.unit) and _dimension(first.unit) in (
        "time",
        "months",
        "length",
        "mass",
    )
    smaller = UNITS[second.unit][1] < UNITS[first.unit][1]
    return same and smaller and second.value * UNITS[second.unit][1] < UNITS[first.unit][1]


def _as_shares(question: str, wanted: Number, given: Number) -> list[tuple[Number, Number]]:
    """Return the pairs of readings under which a percentage and a plain number may mean the same."""
    asked = bool(ASKS_FOR_SHARE.search(question))
    if wanted.is_percent == given.is_percent:
        fraction = asked and not wanted.is_percent and given.quantum < 1 and abs(given.value) <= 1 < abs(wanted.value)
        return [(wanted, given), (wanted, _times(given, 100))] if fraction else [(wanted, given)]
    if wanted.is_percent:
        as_fraction = [(wanted, _times(given, 100))] if given.quantum < 1 else []
        return [*([] if given.unit else [(wanted, given)]), *as_fraction]
    by_value = [(wanted, _times(given, 0.01))] if wanted.quantum < 1 or asked else []
    return [*by_value, *([(wanted, given)] if asked else [])]


def _close(wanted: Number, given: Number, is_whole: bool) -> bool:
    """Return whether two values are equal, or equal when rounded to the coarser of their printed precisions."""
    gap = abs(wanted.value - given.value)
    if gap <= 1e-9 * max(abs(wanted.value), abs(given.value)):
        return True
    coarser, finer = sorted((wanted, given), key=lambda number: -number.quantum)
    # A half is rounded away from zero: 12.35 is 12.4 and not 12.3.
    halved = abs(gap - coarser.quantum / 2) < 1e-9 * coarser.quantum
    if halved and abs(coarser.value) < abs(finer.value):
        return False
    return not is_whole and coarser.digits >= 2 and gap <= coarser.quantum / 2 * (1 + 1e-9)


def _scale_pairs(question: str, wanted: Number, given: Number) -> list[tuple[Number, Number]]:
    """Return the readings in the scale that the question asks for, such as thousands of euros."""
    match = _ASKS_IN_SCALE.search(question)
    if match is None or _STATES_SCALE.search(question[: match.start()]):
        return []
    asked = next((_SCALE_VALUES[part.lower()] for part in match.groups() if part), 1e6)
    if wanted.scale == 1:
        return [(_scaled(wanted, asked), given)]
    return [(wanted, _scaled(given, asked))] if given.scale == 1 and wanted.scale == asked else []


def _scaled(number: Number, factor: float) -> Number:
    return replace(number, value=number.value * factor, quantum=number.quantum * factor)


def _signs_agree(question: str, wanted: Number, given: Number, text: str) -> bool:
    """Return whether the prediction's words do not turn the sign of the number that it prints.

    "Grew by 15%" is not the -15% of the reference, and "fell by 15%" is not its 15% where the question asks for a
    change.
    """
    context = text[max(0, given.start - 40) : given.end + 20]
    up, down = bool(_INCREASE.search(context)), bool(_DECREASE.search(context))
    if up == down or given.value < 0:
        return True
    if wanted.value < 0:
        return down
    neutral = not _DECREASE.search(question) and re.search(r"\bchang\w*|\bdiffer\w*|\bdevelop\w*", question, re.I)
    return not (neutral and down)


def same_number(question: str, wanted: Number, given: Number, text: str) -> bool:
    """Return whether two numbers have one value: units, scale words, percent and sign taken into account."""
    wanted, given = _in_whole_currency(wanted, given), _in_whole_currency(given, wanted)
    if given.unit in UNITS and not wanted.unit and not wanted.is_percent:
        wanted = replace(wanted, unit=_asked_unit(question, given.unit))
    if _units_differ(wanted.unit, given.unit) or not _signs_agree(question, wanted, given, text):
        return False
    pairs = [*_as_shares(question, wanted, given), *_scale_pairs(question, wanted, given)]
    if wanted.value * given.value < 0 and _DECREASE.search(f"{question} {text}"):
        pairs = [(left, _times(right, -1)) for left, right in pairs]
    # A bare whole number is a count or a year: 7.3 is not 7, and 2019 is not about 2020.
    exactly = wanted.is_whole or bool(re.search(r"\bexact", question, re.I))
    same = any(_close(_in_base_unit(left, right), _in_base_unit(right, left), exactly) for left, right in pairs)
    return same or _grouped_by_dot(wanted, given) or _converted(wanted, given)


def _converted(wanted: Number, given: Number) -> bool:
    """Return whether a measure is the wanted one in another unit, rounded: 3.28 ft for 1 m."""
    if wanted.unit == given.unit or not wanted.unit or not given.unit or given.digits < 2:
        return False
    left, right = _in_base_unit(wanted, given), _in_base_unit(given, wanted)
    return abs(left.value - right.value) <= right.quantum / 2 and abs(left.value - right.value) <= 0.01 * abs(
        left.value
    )


def _grouped_by_dot(wanted: Number, given: Number) -> bool:
    """Return whether a count is printed with a dot for its thousands: "12.345" for 12,345, which no count else is."""
    dotted = re.fullmatch(r"[1-9]\d{0,2}\.\d{3}", given.text.strip())
    return bool(dotted) and wanted.is_whole and wanted.value >= 1000 and round(given.value * 1000) == wanted.value


_ASKS_IN_UNIT: Final = re.compile(r"\b(?:how many|in|number of) ([a-zµ]{2,})\b", re.I)


def _asked_unit(question: str, given: str) -> str:
    """Return the unit that a question asks for, if the prediction's measures the same: hours where it has minutes."""
    named = [unit_named(match[1]) for match in _ASKS_IN_UNIT.finditer(question)]
    return next((unit for unit in named if unit and _dimension(unit) == _dimension(given)), "")


def _in_whole_currency(number: Number, other: Number) -> Number:
    """Return cents as the currency of the other number."""
    return (
        replace(_times(number, 0.01), unit=other.unit)
        if number.unit == "cent" and other.unit in _CURRENCIES
        else number
    )


# --- The number that a reply commits to ---------------------------------------------------------------------------


def _outside_brackets(text: str, numbers: Sequence[Number]) -> list[Number]:
    inside = [match.span() for match in re.finditer(r"\([^()]*\)", text)]
    outside = [n for n in numbers if not any(start < n.start and n.end < end for start, end in inside)]
    return outside or list(numbers)


def _labelled(text: str, number: Number, question: str) -> bool:
    """Return whether a number is the label of a page, a table or the like, which the question does not ask for."""
    match = _LABELLED.search(text[max(0, number.start - 40) : number.start]) if number.is_whole else None
    if match is None:
        return False
    noun = re.match(r"\w+", match[0].strip())
    return noun is None or not re.search(rf"\b(?:which|what|on)\b[^?]{{0,30}}\b{noun[0].rstrip('s')}", question, re.I)


def _left_if_any(kept: list[Number], otherwise: list[Number]) -> list[Number]:
    return kept or otherwise


def candidates_in(question: str, wanted: Number, text: str) -> list[Number]:
    """Return the numbers of a prediction that may be its answer, those of the question and of asides left out."""
    found = _outside_brackets(text, _summed(text, numbers_in(text)))
    found = [number for number in found if not _MORE_THAN.match(text, number.end)]
    found = [number for number in found if not _NOT_BEFORE.search(text[max(0, number.start - 20) : number.start])]
    found = _left_if_any([number for number in found if not _labelled(text, number, question)], found)
    asked = {number.value for number in numbers_in(question)}
    found = _left_if_any([number for number in found if number.value not in asked], found)
    found = _left_if_any([number for number in found if number.is_year == wanted.is_year], found)
    alike = [number for number in found if number.is_percent == wanted.is_percent and number.unit == wanted.unit]
    if alike and (wanted.is_percent or wanted.unit):
        return _same_points(wanted, alike)
    close = [number for number in found if number.unit and wanted.unit and not _units_differ(number.unit, wanted.unit)]
    return close or found


def _same_points(wanted: Number, alike: list[Number]) -> list[Number]:
    """Return the percentage points alone where the reference is in points: a relative change is another figure."""
    if "point" not in wanted.text:
        return alike
    return _left_if_any([number for number in alike if "point" in number.text], alike)


# More numbers than this are a table and not an answer; each is looked for in its statement.
_MOST_CANDIDATES: Final = 20


def _best_placed(question: str, text: str, candidates: Sequence[Number]) -> Number:
    """Return the number that counts what is asked for, or whose statement answers the question best."""
    asked = re.search(
        r"\bhow many (?:\w+ ){0,2}?(\w+)\b(?= (?:are|were|is|was|do|does|did|has|have|had|in|of|can|may|must|will|on"
        r"|at|took|live)|\?)",
        question,
        re.I,
    )
    if asked:
        noun = concept(words_of(asked[1]).tokens[0])[0] if words_of(asked[1]).tokens else ""
        counted = [
            n for n in candidates if noun in facts_of(" ".join(re.findall(r"\w+", text[n.end : n.end + 40])[:2])).signs
        ]
        if len({n.value for n in counted}) == 1:
            return counted[0]
    if len(candidates) > _MOST_CANDIDATES:
        return candidates[0]
    shares = [best_statements(question, text, n.start, n.end)[0] for n in candidates]
    best = max(shares)
    leaders = {n.value for n, shared in zip(candidates, shares, strict=True) if shared == best}
    return candidates[shares.index(best)] if best > shares[0] and len(leaders) == 1 else candidates[0]


def chosen_from(question: str, text: str, candidates: Sequence[Number]) -> Number | None:
    """Return the one number that the prediction commits to, or None if it offers several side by side."""
    stated = [n for n in candidates if _STATED_ANSWER.search(text[max(0, n.start - 40) : n.start])]
    chosen = (
        stated[-1] if stated else _best_placed(question, text, candidates) if len(candidates) > 1 else candidates[0]
    )
    if chosen != candidates[0]:
        return chosen
    for first, second in pairwise(candidates):
        touches = chosen in (first, second) and first.value != second.value
        if touches and not stated and _JOINT.fullmatch(text[first.end : second.start]):
            return None
    return chosen


def _is_undecided(text: str, candidates: Sequence[Number]) -> bool:
    several = len({number.value for number in candidates}) > 1
    return several and (
        is_undecided(text) or (bool(re.search(r"\b(?:or|either)\b", text, re.I)) and bool(HEDGE.search(text)))
    )


def _of_kind(wanted: Number, question: str, text: str) -> list[Number]:
    """Return the numbers of a stretch of text, or its fractions where a share is wanted and no other number fits."""
    found = candidates_in(question, wanted, text)
    as_wanted = (
        [n for n in found if n.is_percent or n.quantum < 1] if wanted.is_percent or 0 < abs(wanted.value) < 1 else found
    )
    shares = shares_in(text) if wanted.is_percent or 0 < abs(wanted.value) < 1 else []
    return as_wanted or shares or found or _in_words(wanted, text) or _in_other_words(text)


_FOLDS: Final = (
    ("doubled|twofold|twice as", 100.0),
    ("tripled|trebled|threefold", 200.0),
    ("quadrupled|fourfold", 300.0),
    ("halved", -50.0),
)
_ONE_UNIT: Final = re.compile(
    r"\b(?:an?|one|the|per|each|every) (day|week|fortnight|month|year|decade|century|hour|minute)\b", re.I
)


_ROMAN: Final = re.compile(r"(?<![\w.])(?=[IVXLC]{2})(XC|XL|L?X{0,3})(IX|IV|V?I{0,3})(?!\w)")
_ROMAN_VALUES: Final = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}
_OTHER_WORDS: Final = {
    "once": 1, "twice": 2, "thrice": 3, "both": 2, "couple": 2, "pair": 2,
} | {
    word: number
    for words in (
        "eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn "
        "siebzehn achtzehn"
        " neunzehn zwanzig",
        "un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit "
        "dix-neuf"
        " vingt",
        "uno dos tres cuatro cinco seis siete ocho nueve diez - doce trece catorce quince dieciséis diecisiete "
        "dieciocho"
        " diecinueve veinte",
    )
    for number, word in enumerate(words.split(), start=1)
}  # fmt: skip
_EASTERN_DIGITS: Final = {digit: value for value, digit in enumerate("一二三四五六七八九", start=1)}


def _roman_value(text: str) -> int:
    values = [_ROMAN_VALUES[letter] for letter in text]
    return sum(-one if one < after else one for one, after in zip(values, [*values[1:], 0], strict=True))


def _eastern_value(text: str) -> int:
    tens, ten, ones = text.rpartition("十")
    return (10 * _EASTERN_DIGITS.get(tens, 1) if ten else 0) + _EASTERN_DIGITS.get(ones, 0)


def _in_other_words(text: str) -> list[Number]:
    """Return whole numbers in Roman figures, in the commonest words of other languages, or as "twice" and "a pair"."""
    found = [(_roman_value(match[0]), *match.span()) for match in _ROMAN.finditer(text) if match[0]]
    found += [
        (_OTHER_WORDS[m[0].lower()], *m.span())
        for m in re.finditer(r"[^\W\d_]+(?:-[^\W\d_]+)?", text)
        if m[0].lower() in _OTHER_WORDS
    ]
    found += [
        (_eastern_value(m[0]), *m.span())
        for m in re.finditer("[一二三四五六七八九]?十[一二三四五六七八九]?|[一二三四五六七八九]", text)
    ]
    return [replace(share_value(float(value), text, start, end), quantum=1.0) for value, start, end in sorted(found)]


def _in_words(wanted: Number, text: str) -> list[Number]:
    """Return a change or a span of time that is said without a number: "doubled" is +100%, "a fortnight" two weeks."""
    found = []
    if wanted.is_percent:
        for words, percent in _FOLDS:
            found += [
                replace(share_value(percent, text, *match.span()), is_percent=True)
                for match in re.finditer(rf"\b(?:{words})\b", text, re.I)
            ]
        for words, percent in (("all", 100.0), ("none|nobody|no one|nothing", 0.0)):
            found += [
                replace(share_value(percent, text, *match.span()), is_percent=True)
                for match in re.finditer(rf"^\W*(?:{words})\b", text, re.I)
            ]
    if _dimension(wanted.unit) in ("time", "months"):
        found += [
            replace(share_value(1.0, text, *match.span()), unit=match[1].lower()) for match in _ONE_UNIT.finditer(text)
        ]
    return found


def _rounded(number: Number) -> Number:
    """Return an approximate count with the precision that its final zeros tell, at most a fiftieth: "about 5,000"."""
    digits = str(int(abs(number.value)))
    quantum = 10.0 ** (len(digits) - len(digits.rstrip("0")))
    return replace(number, quantum=max(1.0, min(quantum, abs(number.value) / 50)), digits=max(2, number.digits))


def judge_number(question: str, reference: str, prediction: str) -> tuple[bool, str]:
    """Return whether the number that a prediction commits to is the reference, and why.

    A conclusion ("so 14", "that makes 15") outweighs the numbers before it.
    """
    plain = grouped(plain_digits(reference))
    wanted = _summed(plain, numbers_in(plain))[0]
    if re.search(r"\b(?:version|release|section|chapter)\b", question, re.I) and "." in wanted.text:
        return wanted.text in re.findall(r"\d+(?:\.\d+)+", prediction), "number: a version compared literally"
    if wanted.is_whole and APPROXIMATELY.search(reference):
        wanted = _rounded(wanted)
    if "point" in wanted.text:
        prediction = re.sub(r"(?<=\d) ?(?:pp|points?)\b", " percentage points", prediction)
    bound = _BOUND.search(plain[: wanted.start])
    return _judge_against(question if not bound else f"{question} {bound[0]}", wanted, prediction, plain[wanted.end :])


def judge_share(question: str, reference: str, prediction: str) -> tuple[bool, str]:
    """Return whether the share that a prediction commits to is the reference's fraction, and why."""
    wanted = shares_in(reference)[0]
    return _judge_against(f"{question} share", wanted, prediction)


_BOUND: Final = re.compile(
    r"\b(?:at least|more than|less than|fewer than|at most|up to|no more than|no less than|no fewer than|under"
    r"|exceeds?|minimum|maximum)(?: of)?\s*$",
    re.I,
)
_RATE: Final = re.compile(r"\s*(?:/|per |an? |each |every )\s*([a-z]+)", re.I)
_RATE_NAMES: Final = {
    "h": "hour", "hr": "hour", "s": "second", "sec": "second", "min": "minute", "d": "day", "yr": "year",
    "annum": "year",
    "kilogram": "kg", "kilo": "kg", "litre": "l", "liter": "l", "head": "person", "capita": "person",
}  # fmt: skip


def _is_bound(text: str, number: Number) -> bool:
    return bool(_BOUND.search(text[max(0, number.start - 25) : number.start]))


def _rates_differ(wanted: str, given: str) -> bool:
    """Return whether both texts say per what a number is, and not per the same."""
    left, right = _RATE.match(wanted), _RATE.match(given)
    if not left or not right:
        return False
    names = [_RATE_NAMES.get(match[1].lower(), match[1].lower()) for match in (left, right)]
    return names[0] != names[1] and not any(name in ("total", "row", "lot", "half") for name in names)


def _judge_against(question: str, wanted: Number, prediction: str, rate: str = "") -> tuple[bool, str]:
    text = accounting_negative(grouped(plain_digits(prediction)))
    if len(prediction.split()) > LONGEST_ANSWER:
        return False, "number: the prediction is too long to be an answer"
    if wanted.value == 0 and re.match(
        r"(?:none|no|nil|nobody|nothing|not a single|not one)\b", normalise_answer(prediction)
    ):
        return True, "number by value: none is 0"
    for stretch in (*conclusions(text), text):
        candidates = _of_kind(wanted, question, stretch)
        # A conclusion about another kind of figure, such as what percentage it is, concludes something else.
        if candidates and (stretch is text or any(number.is_percent == wanted.is_percent for number in candidates)):
            break
    else:
        return False, "number: the prediction gives none, or only denies one"
    if len(HEDGE.findall(prediction)) > 1 or _is_undecided(text, candidates):
        return False, "number: the prediction hedges between several answers"
    chosen = chosen_from(question, stretch, candidates)
    if chosen is None:
        return False, "number: the prediction offers several values"
    if _is_bound(stretch, chosen) and not _BOUND.search(f"{wanted.text} {question}"):
        return False, "number: the prediction gives a bound"
    if _rates_differ(rate, stretch[chosen.end :]):
        return False, "number: the prediction is per another unit"
    same = same_number(question, wanted, chosen, stretch)
    relation = "equals" if same else "is not"
    return same, f"number by value: {chosen.text.strip()} {relation} {wanted.text.strip()}"
