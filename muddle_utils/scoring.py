"""How answers are compared: SQuAD metrics, abstention, numbers, lists, the judge's reply and the rule judge.

Everything here is a pure function of its arguments, so any stored response can be scored again without asking a model
again. Nothing is executed, nothing is guessed: a judge's reply that is not exactly the object it was asked for is a
``VerdictError``, and text from a model is only ever compared with the reference, never obeyed.

The rule judge stands in for a language model as judge where there is no key. It sees question, reference and
prediction and no document, and it prefers to call a doubtful answer wrong.
"""

import ast
import json
import math
import re
import string
import unicodedata
import warnings
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise
from typing import Final, NoReturn

from muddle_utils.records import NOT_ANSWERABLE

LONGEST_ANSWER: Final = 60
"""Words beyond which a prediction that contains the reference is an essay and not an answer."""
_LONGEST_TEXT: Final = 5_000


# --- Text ---------------------------------------------------------------------------------------------------------

_DASHES: Final = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d"
_NARROW_SPACES: Final = "\u00a0\u2007\u2008\u2009\u200a\u202f"
_QUOTES: Final = {"\u2018": "'", "\u2019": "'", "\u201a": "'", "\u201c": '"', "\u201d": '"', "\u201e": '"'}
_INVISIBLE: Final = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff"))
_PLAIN: Final = str.maketrans(dict.fromkeys(_DASHES, "-") | _QUOTES) | _INVISIBLE


def normalise_answer(text: str) -> str:
    """Return ``text`` in the form in which answers and documents are searched for each other.

    NFKC, curly quotes and all dashes made plain, soft hyphens and zero-width characters dropped, lower case, white
    space collapsed, and quotes, white space and closing punctuation stripped from the ends. Percent signs, currency
    and decimal points stay, because they tell one value from another.

    >>> normalise_answer(" \u201cNet\u00a0 income\u2019s 5\u201310%.\u201d ")
    "net income's 5-10%"
    """
    plain = unicodedata.normalize("NFKC", text.translate(_PLAIN)).translate(_PLAIN)
    return " ".join(plain.lower().split()).strip("\"'`.,;:!? ")


def contains_phrase(text: str, phrase: str) -> bool:
    """Return whether ``phrase`` stands in ``text`` between word boundaries; both as ``normalise_answer`` gives them.

    A number is not found inside a longer one: 12 stands neither in 12.5 nor in 12,000 nor in 0.12.

    >>> contains_phrase("a total of 12,000 units", "12"), contains_phrase("of 12, or so", "12")
    (False, True)
    """
    return any(True for _ in _phrase_places(text, phrase))


def _phrase_places(text: str, phrase: str) -> Iterable[int]:
    start = text.find(phrase) if phrase else -1
    while start >= 0:
        before, after = text[max(0, start - 2) : start], text[start + len(phrase) : start + len(phrase) + 2]
        glued = (
            (phrase[0].isalnum() and before[-1:].isalnum())
            or (phrase[-1].isalnum() and after[:1].isalnum())
            or (phrase[0].isdigit() and before[-1:] in (".", ",") and before[:1].isdigit() and len(before) == 2)
            or (phrase[-1].isdigit() and after[:1] in (".", ",") and after[1:].isdigit())
        )
        if not glued:
            yield start
        start = text.find(phrase, start + 1)


# --- SQuAD metrics ------------------------------------------------------------------------------------------------

_ARTICLES: Final = re.compile(r"\b(a|an|the)\b")
_ASCII_PUNCTUATION: Final = str.maketrans("", "", string.punctuation)


def _squad(text: str) -> str:
    return " ".join(_ARTICLES.sub(" ", text.lower().translate(_ASCII_PUNCTUATION)).split())


def _references(references: str | Sequence[str]) -> Sequence[str]:
    found = [references] if isinstance(references, str) else references
    if not found:
        raise ValueError("references is empty: an answer needs something to be compared with")
    return found


def exact_match(prediction: str, references: str | Sequence[str]) -> float:
    """Return 1.0 if the prediction equals a reference after SQuAD normalisation, else 0.0.

    Normalisation as in the official script: lower case, ASCII punctuation and articles removed, white space collapsed
    (Rajpurkar et al., 2016). Two texts that normalise to nothing are equal. A single string is one reference.

    Raises:
        ValueError: there is no reference.

    >>> exact_match("The Eiffel Tower!", ["eiffel tower"])
    1.0
    """
    return float(any(_squad(prediction) == _squad(reference) for reference in _references(references)))


def _f1(prediction: str, reference: str) -> float:
    predicted, expected = _squad(prediction), _squad(reference)
    unanswered = ("", _squad(NOT_ANSWERABLE))
    if predicted in unanswered or expected in unanswered:
        return float(predicted == expected)
    tokens, wanted = Counter(predicted.split()), Counter(expected.split())
    shared = (tokens & wanted).total()
    return 2 * shared / (tokens.total() + wanted.total())


def token_f1(prediction: str, references: str | Sequence[str]) -> float:
    """Return the largest SQuAD token F1 between the prediction and a reference.

    F1 = 2 |shared tokens| / (|tokens of prediction| + |tokens of reference|), tokens counted as often as they occur.
    As SQuAD 2.0 does for unanswerable questions, an empty text and the words "Not answerable" match only themselves:
    "answerable" earns nothing for sharing a word with them.

    Raises:
        ValueError: there is no reference.

    >>> token_f1("the red house", ["red door", "green house door"])
    0.5
    """
    return max(_f1(prediction, reference) for reference in _references(references))


# --- Abstention ---------------------------------------------------------------------------------------------------

_CONTRACTIONS: Final = (
    (re.compile(r"\b(?:can't|can not)\b"), "cannot"),
    (re.compile(r"\b(do|does|did|is|are|was|were|could|has|have|would|should)n't\b"), r"\1 not"),
    (re.compile(r"\bi'm\b"), "i am"),
)
_PREAMBLE: Final = re.compile(
    r"(?:(?:final )?answer\s*[:=-]\s*|(?:the )?answer is:?\s+|(?:i am (?:very )?)?sorry[,.]?\s+(?:but\s+)?"
    r"|i apologi[sz]e[,.]?\s+(?:but\s+)?|unfortunately,?\s+|(?:based on|according to|judging by|from|in|within)\b"
    r"[^,.]{0,80},\s+|therefore,?\s+|so,?\s+)+"
)
_SOURCE: Final = (
    r"(?:(?:the|this|these|those|any|either|both|all|your|of|provided|given|supplied|attached|available|source|page"
    r"|pdf) )*(?:documents?|texts?|contexts?|reports?|papers?|pages|passages?|excerpts?|materials?|files?|pdfs?|images"
    r"|contents?|sources?)(?: (?:provided|given|supplied|contents?|texts?))*"
)
_END: Final = r"(?=\s*(?:$|[.;:!,()\-]|(?:and|or)\b))"
_WHY: Final = r"(?=\s*(?:$|[.;:!,()\-]|(?:and|as|based|because|by|due|from|given|in|on|or|since|using|with|within)\b))"
_IN_SOURCE: Final = rf"(?: \w+ly| anywhere)? (?:in|from|by|within|using|based on|given|with) {_SOURCE}"
_STATED: Final = (
    r"(?:answerable|mentioned|provided|stated|specified|given|available|found|disclosed|reported|determinable)"
)
_COVERED: Final = (
    r"(?:answerable|mentioned|provided|stated|specified|given|available|found|disclosed|reported|determinable|present"
    r"|included|contained|listed|addressed|covered|discussed|shown|indicated|answered|clear|known)"
)
_WORKED_OUT: Final = (
    r"(?:answered|determined|found|inferred|established|identified|derived|calculated|computed|concluded|ascertained"
    r"|deduced|verified|located)"
)
_ASKED: Final = (
    r"(?:the|this|that|your|such) (?:[a-z]+ ){0,2}(?:question|query|answer|information|details?|figures?|values?|data)"
)
_SAY: Final = (
    r"(?:contain|mention|provide|state|specify|give|include|answer|disclose|report|address|say|list|discuss|indicate"
    r"|show|cover)"
)
_DECLINES: Final = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?:not answerable|unanswerable|cannot answer|no answer(?: (?:is )?(?:found|available|possible))?){_WHY}",
        r"(?:n/a|n\.a|unknown|not applicable)(?=\s*(?:$|[.;:!,(]))",
        rf"not {_STATED}{_END}",
        rf"not {_COVERED}{_IN_SOURCE}{_END}",
        r"(?:not enough|insufficient) (?:information|data|evidence|context|details?)\b",
        rf"{_ASKED} (?:is|are|was|were) (?:not|un)(?: \w+ly)? ?{_STATED}(?:{_IN_SOURCE})?{_END}",
        rf"[^.;!?]{{0,160}} (?:is|are|was|were|has|have) not (?:been )?(?:\w+ly )?{_COVERED}{_IN_SOURCE}{_END}",
        rf"(?:{_ASKED} |it |this )?(?:cannot|could not) be (?:\w+ly )?{_WORKED_OUT}{_WHY}",
        rf"[^.;!?]{{0,160}} (?:cannot|could not) be (?:\w+ly )?{_WORKED_OUT}{_IN_SOURCE}{_END}",
        rf"{_SOURCE} (?:do not|does not|did not|cannot) (?:\w+ly )?{_SAY}\b",
        rf"{_SOURCE} (?:contains?|provides?|gives?|includes?|has|have|makes?) (?:no|insufficient|not enough) (?:\w+ )?"
        r"(?:information|mention|details?|answers?|data)\b",
        rf"(?:none of|nothing in|neither(?: of)?) {_SOURCE}",
        r"there (?:is|are|was|were) (?:no|not enough|insufficient) (?:\w+ )?(?:information|mention|details?|answers?)"
        r"\b",
        r"(?:there (?:is|are|was|were) )?no (?:\w+ )?(?:information|data|evidence|mention|answers?|details?)"
        rf"[^.;!?]{{0,80}}{_IN_SOURCE}",
        r"(?:i|we) (?:\w+ly )?(?:do not|cannot|could not|am unable to|are unable to|was unable to|am not able to) "
        r"(?:find|determine|answer|locate|provide|identify|help|assist|comply|tell|confirm|verify|access|open|read|view)\b",
        r"(?:i|we) (?:\w+ly )?do not know(?=\s*(?:$|[.;:!,]|(?:about|because|based|from|how|if|that|the|this|what|when"
        r"|where|whether|which|who|why)\b))",
        r"(?:i|we) do not have (?:\w+ ){0,2}(?:information|data|access|context|answer)\b",
        r"(?:unable|not able) to (?:find|determine|answer|locate|identify|help|assist)\b",
    )
)
_COMMITS: Final = re.compile(
    r"\b(?:but|however|although|though|nevertheless|yet)\b.*\b(?:answer (?:is|would be)|probably|likely|perhaps|maybe"
    r"|approximately|guess|estimate|assum\w+|i would say|it is|it was|must be|should be|appears? to be|seems? to be)\b",
    re.DOTALL,
)


def _opening(text: str) -> str:
    """Return ``text`` as the abstention patterns expect it: normalised, contractions opened, preamble gone."""
    plain = normalise_answer(re.sub(r"[*_#`]+", "", text)).lstrip("([{<\"' ")
    for pattern, opened in _CONTRACTIONS:
        plain = pattern.sub(opened, plain)
    return plain[match.end() :] if (match := _PREAMBLE.match(plain)) else plain


def is_abstention(text: str) -> bool:
    """Return whether ``text`` declines to answer: the paper's "Not answerable", other wordings, and refusals.

    The text has to open with the declining statement, after at most an apology or "Based on the documents,". Words
    such as "not provided" inside an answer do not count, nor does a text that declines and then commits itself to an
    answer ("..., but it is probably 7"). An empty text is a failure to reply, not an abstention.

    >>> is_abstention("The question is not answerable."), is_abstention("The loan was not provided until 2019")
    (True, False)
    """
    opening = _opening(text)
    for pattern in _DECLINES:
        if match := pattern.match(opening):
            return not _COMMITS.search(opening[match.end() : match.end() + 500])
    return False


# --- Numbers ------------------------------------------------------------------------------------------------------

_SCALES: Final = {
    "hundred": 1e2,
    "thousand": 1e3,
    "k": 1e3,
    "million": 1e6,
    "mn": 1e6,
    "mm": 1e6,
    "billion": 1e9,
    "bn": 1e9,
} | {"b": 1e9, "trillion": 1e12, "tn": 1e12, "lakh": 1e5, "crore": 1e7}
_SMALL: Final = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
).split()
_TENS: Final = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_WORD_VALUES: Final = {word: value for value, word in enumerate(_SMALL)} | {
    word: 10 * value for value, word in enumerate(_TENS, start=2)
}
_CURRENCIES: Final = (
    dict.fromkeys(("$", "us$", "usd", "dollar", "dollars"), "$")
    | dict.fromkeys(("s$", "sgd"), "S$")
    | dict.fromkeys(("a$", "aud"), "A$")
    | dict.fromkeys(("€", "eur", "euro", "euros"), "€")
    | dict.fromkeys(("£", "gbp"), "£")
    | dict.fromkeys(("¥", "jpy", "yen"), "¥")
    | dict.fromkeys(("₹", "inr", "rs", "rs.", "rupee", "rupees"), "₹")
)
# name: (dimension, worth in the dimension's base unit)
_UNITS: Final[dict[str, tuple[str, float]]] = {
    "mm": ("length", 0.001), "cm": ("length", 0.01), "m": ("length", 1.0), "km": ("length", 1000.0),
    "inch": ("length", 0.0254), "ft": ("length", 0.3048), "mile": ("length", 1609.344),
    "mg": ("mass", 1e-6), "g": ("mass", 0.001), "kg": ("mass", 1.0), "tonne": ("mass", 1000.0),
    "lb": ("mass", 0.45359237),
    "ml": ("volume", 0.001), "l": ("volume", 1.0),
    "second": ("time", 1.0), "minute": ("time", 60.0), "hour": ("time", 3600.0), "day": ("time", 86400.0),
    "week": ("time", 604800.0), "month": ("months", 1.0), "year": ("months", 12.0),
    "kb": ("data", 1e3), "mb": ("data", 1e6), "gb": ("data", 1e9), "tb": ("data", 1e12),
    "kw": ("power", 1e3), "mw": ("power", 1e6), "gw": ("power", 1e9),
    "kwh": ("energy", 1e3), "mwh": ("energy", 1e6), "gwh": ("energy", 1e9),
    "°c": ("celsius", 1.0), "°f": ("fahrenheit", 1.0), "x": ("times", 1.0),
}  # fmt: skip
_UNIT_NAMES: Final = {name: name for name in _UNITS} | {
    alias: name
    for name, aliases in (
        ("mm", "millimetre millimeter"), ("cm", "centimetre centimeter"), ("m", "metre meter"),
        ("km", "kilometre kilometer"), ("inch", "inche"), ("ft", "foot feet"), ("g", "gram"), ("kg", "kilogram kilo"),
        ("tonne", "ton"), ("l", "litre liter"), ("ml", "millilitre milliliter"), ("second", "sec"), ("minute", "min"),
        ("hour", "hr h"), ("year", "yr"), ("x", "time"),
    )
    for alias in aliases.split()
}  # fmt: skip

_SEPARATOR: Final = "\u00a0"
_ONE_SEPARATOR: Final = dict.fromkeys(map(ord, _NARROW_SPACES), _SEPARATOR)
_DIGIT_RUN: Final = re.compile(rf"(?<!\w)(?<!\d\.)(?:\d+(?:[.,'{_SEPARATOR}]\d+)*|\.\d+)(?:[eE][+-]?\d{{1,3}}(?!\w))?")
_SHAPES: Final = (
    (re.compile(r"\d+"), "", ""),
    (re.compile(r"[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?"), ",", "."),
    (re.compile(r"[1-9]\d?(?:,\d{2})+,\d{3}(?:\.\d+)?"), ",", "."),
    (re.compile(r"\d{1,3}(?:'\d{3})+(?:\.\d+)?"), "'", "."),
    (re.compile(rf"\d{{1,3}}(?:{_SEPARATOR}\d{{3}})+(?:\.\d+)?"), _SEPARATOR, "."),
    (re.compile(rf"\d{{1,3}}(?:{_SEPARATOR}\d{{3}})+,\d+"), _SEPARATOR, ","),
    (re.compile(r"\d*\.\d+"), "", "."),
    (re.compile(r"[1-9]\d{0,2}(?:\.\d{3})+,\d+"), ".", ","),
    (re.compile(r"[1-9]\d{0,2}(?:\.\d{3}){2,}"), ".", ""),
    (re.compile(r"\d+,\d{1,2}|0,\d+|\d{1,3},\d{4,}"), "", ","),
)
_CURRENCY_BEFORE: Final = re.compile(
    r"(?:(?<!\w)(?:us|s|a)?\$|[€£¥₹]|(?<!\w)(?:usd|eur|gbp|jpy|inr|sgd|aud|rs\.?)) ?$", re.I
)
_MINUS_BEFORE: Final = re.compile(r"(?:(?<![^\W_])(?<![)%])-|\b(?:minus|negative) )$", re.I)
_SCALE_AFTER: Final = re.compile(
    r"[ -]?(hundred|thousand|million|billion|trillion|lakh|crore|mn|mm|bn|tn|k|b|m)s?(?!\w)", re.I
)
_PERCENT_AFTER: Final = re.compile(r"[ -]?(?:%|percent(?:age)?(?: points?)?(?!\w)|per cent(?!\w)|pct(?!\w))", re.I)
_WORD_AFTER: Final = re.compile(r" ?([€£¥₹]|(?<=\d )\$)|[ -]?((?:s|a|us)\$|°?[a-z]+(?:/[a-z]+)?)", re.I)
_NUMBER_WORD: Final = "|".join(sorted(_WORD_VALUES, key=len, reverse=True))
_SCALE_WORD: Final = "hundred|thousand|million|billion|trillion"
_NUMBER_WORDS: Final = re.compile(
    rf"(?<![\w-])(?:{_NUMBER_WORD})"
    rf"(?:[ -](?:(?<=hundred )and |(?<=thousand )and )?(?:{_NUMBER_WORD}|{_SCALE_WORD}))*(?!\w)",
    re.I,
)
_ONE_AS_PRONOUN: Final = re.compile(r"(?:\b(?:no|any|every|each|which|this|that|the|some)[ -]$)", re.I)
_ONE_OF: Final = re.compile(r"-| (?:of|another|or|can|may|must|should|could|would)\b", re.I)


@dataclass(frozen=True)
class Number:
    """One number as printed in a text.

    ``value`` includes sign and scale word; of "5 %" it is 5 with ``is_percent``. ``unit`` is a currency sign, the short
    name of a unit, or empty. ``quantum`` is what 1 in the last printed digit is worth (0.1 million is 100,000),
    ``digits`` the number of significant digits printed, ``scale`` what the scale word multiplies by. ``start`` and
    ``end`` are its place in the text as ``plain_digits`` gives it, sign, currency and unit included.
    """

    value: float
    is_percent: bool
    unit: str
    quantum: float
    digits: int
    scale: float
    text: str
    start: int
    end: int

    @property
    def is_whole(self) -> bool:
        """Whether this is a bare whole number, which is a count, a year or an identifier and has to match exactly."""
        return not self.is_percent and not self.unit and self.scale == 1 and self.quantum == 1

    @property
    def is_year(self) -> bool:
        """Whether this looks like a year: four digits, ungrouped, from 1000 to 2199."""
        return self.is_whole and bool(re.fullmatch(r"1\d{3}|2[01]\d{2}", self.text))


def plain_digits(text: str) -> str:
    """Return ``text`` with ASCII digits, hyphens for all dashes, and one kind of narrow space, in equal length.

    Invisible characters are dropped first, so only without them do places in both texts agree.
    """
    plain = text.translate(_PLAIN).translate(_ONE_SEPARATOR)
    if plain.isascii():
        return plain
    return "".join(str(unicodedata.decimal(char)) if char.isdecimal() else char for char in plain)


def _read_digits(run: str) -> tuple[Decimal, Decimal, int] | None:
    """Return value, quantum and significant digits of a run of digits and separators, or None if it is no number."""
    mantissa, _, exponent = run.lower().partition("e")
    for shape, group, point in _SHAPES:
        if shape.fullmatch(mantissa):
            plain = (mantissa.replace(group, "") if group else mantissa).replace(point or ".", ".")
            power = int(exponent or 0)
            value, quantum = Decimal(plain).scaleb(power), Decimal(1).scaleb(power - len(plain.partition(".")[2]))
            digits = plain.replace(".", "").lstrip("0")
            return (value, quantum, max(1, len(digits))) if math.isfinite(float(value)) else None
    return None


def _runs(text: str) -> Iterable[tuple[int, int]]:
    """Yield the places of runs of digits; a run that is no number by itself is a list and is cut at its commas."""
    for match in _DIGIT_RUN.finditer(text):
        if _read_digits(match[0]):
            yield match.span()
            continue
        for part in re.finditer(rf"[^,{_SEPARATOR}]+", match[0]):
            yield match.start() + part.start(), match.start() + part.end()


def _ending(pattern: re.Pattern[str], text: str, end: int) -> re.Match[str] | None:
    """Return the match of ``pattern``, which is anchored at its end, in the few characters before ``end``."""
    return pattern.search(text[max(0, end - 12) : end])


def _before(text: str, start: int) -> tuple[int, bool, str]:
    """Return where the number really starts, whether it is negative, and its currency; "$-5" and "-$5" are equal."""
    currency, negative = "", False
    for _ in range(2):
        if not currency and (match := _ending(_CURRENCY_BEFORE, text, start)):
            currency, start = _CURRENCIES[match[0].strip().lower()], start - len(match[0])
        if not negative and (match := _ending(_MINUS_BEFORE, text, start)):
            negative, start = True, start - len(match[0])
    return start, negative, currency


def _unit_after(text: str, end: int) -> tuple[int, str]:
    match = _WORD_AFTER.match(text, end)
    if not match:
        return end, ""
    printed = match[1] or match[2]
    word = printed.lower()
    if word in _CURRENCIES:
        return match.end(), _CURRENCIES[word]
    # A unit's case tells grams and metres from giga and mega.
    if printed in ("G", "M", "L", "H", "X"):
        return end, ""
    single, _, per = word.partition("/")
    name = _UNIT_NAMES.get(single) or _UNIT_NAMES.get(single.removesuffix("s"))
    if name is None:
        return end, ""
    return match.end(), "" if per else name


def _after(text: str, end: int, currency: str) -> tuple[int, float, bool, str]:
    """Return where the number really ends, its scale, whether it is a percentage, and its unit."""
    scale = 1.0
    match = _SCALE_AFTER.match(text, end)
    # "5 m" is five metres and "$5 m" or "5M" five million; "5 b" and "5 k" apart from their number are neither.
    if match and (len(match[1]) > 1 or match[0][0] not in " -") and (match[1] not in ("m", "mm") or currency):
        scale, end = _SCALES.get(match[1].lower(), 1e6), match.end()
    elif match and currency and match[1].lower() in ("m", "b", "k"):
        scale, end = _SCALES.get(match[1].lower(), 1e6), match.end()
    if match := _PERCENT_AFTER.match(text, end):
        return match.end(), scale, True, ""
    end, unit = _unit_after(text, end)
    return end, scale, False, unit


def _is_part_of_a_name(text: str, start: int, end: int) -> bool:
    """Return whether the digits belong to a name, a time or a ratio: GPT-4, 3D, 14:04, 3:1; ordinals do not."""
    hyphenated = start > 1 and text[start - 1] == "-" and text[start - 2].isalpha()
    timed = re.match(r":\d", text[end : end + 2]) or re.search(r"\d:$", text[max(0, start - 2) : start])
    ordinal = re.match(r"(?:st|nd|rd|th)(?!\w)", text[end : end + 3], re.I)
    lettered = end < len(text) and (text[end].isalpha() or text[end] == "_") and not ordinal
    return hyphenated or bool(timed) or lettered


def _printed_numbers(text: str) -> Iterable[Number]:
    for first, last in _runs(text):
        read = _read_digits(text[first:last])
        if read is None:
            continue
        value, quantum, digits = read
        start, negative, currency = _before(text, first)
        end, scale, is_percent, unit = _after(text, last, currency)
        if _is_part_of_a_name(text, start, end):
            continue
        yield Number(
            value=float((-value if negative else value) * Decimal(scale)),
            is_percent=is_percent,
            unit=currency or unit,
            quantum=float(quantum * Decimal(scale)),
            digits=digits,
            scale=scale,
            text=text[start:end],
            start=start,
            end=end,
        )


def _value_of_words(words: Iterable[str]) -> int:
    total = current = 0
    for word in words:
        if word == "hundred":
            current = max(1, current) * 100
        elif word in _SCALES:
            total, current = total + max(1, current) * int(_SCALES[word]), 0
        else:
            current += _WORD_VALUES.get(word, 0)
    return total + current


def _spelled_numbers(text: str) -> Iterable[Number]:
    for match in _NUMBER_WORDS.finditer(text):
        start, end = match.span()
        if match[0].lower() == "one" and (_ONE_AS_PRONOUN.search(text[:start]) or _ONE_OF.match(text, end)):
            continue
        value = _value_of_words(re.findall(r"[a-z]+", match[0].lower()))
        end, _, is_percent, unit = _after(text, end, "")
        yield Number(
            value=float(value),
            is_percent=is_percent,
            unit=unit,
            quantum=1.0,
            digits=len(str(value)),
            scale=1.0,
            text=text[start:end],
            start=start,
            end=end,
        )


_BRACKETED: Final = re.compile(r"\s*(?P<currency>[^\W\d_]{0,3}[$€£¥₹]?)\s?\((?P<inside>[^()]+)\)(?P<after>[^()]{0,20})")


def _accounting_negative(text: str) -> str:
    """Return ``text`` with a minus sign if all of it is one number in brackets, which is how accounts print losses."""
    match = _BRACKETED.fullmatch(text)
    if match is None:
        return text
    found = list(_printed_numbers(f"{match['currency']}{match['inside']}{match['after']}"))
    alone = len(found) == 1 and found[0].value > 0 and not re.search(r"[a-z]{3}", match["inside"], re.I)
    return f"-{match['currency']}{match['inside'].strip()}{match['after']}" if alone else text


def numbers_in(text: str) -> tuple[Number, ...]:
    """Return the numbers that ``text`` prints in figures or words, in order of their place.

    Thousands are grouped by comma, apostrophe, no-break or thin space, or (with a decimal comma, or twice) by dot;
    "12,0" has a decimal comma because no group has one digit; "1,234" is grouped. Minus may be a hyphen, a dash or
    U+2212; a text that is one bracketed number, "(5)", is negative. Percent signs and words set ``is_percent`` and
    leave the value as printed; scale words (thousand, million, bn, k, lakh, ...) multiply it. Digits that belong to a
    name (GPT-4, FY2019, 3D) are no numbers. Spelled numbers run from zero up ("twenty-five", "three hundred").

    >>> [number.value for number in numbers_in("from \u22121,234.5 to 2.5 million, or (three) of 12,0")]
    [-1234.5, 2500000.0, 3.0, 12.0]
    """
    plain = _accounting_negative(plain_digits(text))
    printed = list(_printed_numbers(plain))
    spelled = [
        number
        for number in _spelled_numbers(plain)
        if not any(number.start < other.end and other.start < number.end for other in printed)
    ]
    return tuple(sorted([*printed, *spelled], key=lambda number: number.start))


# --- Lists --------------------------------------------------------------------------------------------------------

_DEEPEST_LIST: Final = 20


def _literal_list(text: str) -> list[object] | None:
    if text.count("[") + text.count("(") + text.count("{") > _DEEPEST_LIST * 10:
        return None
    try:
        parsed = json.loads(text, parse_int=str, parse_float=str, parse_constant=str)
    except (ValueError, RecursionError):
        parsed = None
    if parsed is None:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", SyntaxWarning)
                parsed = ast.literal_eval(text)
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            return None
    return list(parsed) if isinstance(parsed, list | tuple) else None


def _split_top(text: str, separators: str) -> list[str]:
    """Return ``text`` cut at ``separators`` (a regular expression), but not inside brackets."""
    parts, depth, last = [], 0, 0
    for match in re.finditer(rf"[(\[{{]|[)\]}}]|{separators}", text, re.I):
        if match[0] in "([{":
            depth += 1
        elif match[0] in ")]}":
            depth = max(0, depth - 1)
        elif depth == 0:
            parts.append(text[last : match.start()])
            last = match.end()
    return [*parts, text[last:]]


# A comma before exactly three digits groups thousands, as in "35,000, 40,684".
_LIST_COMMA: Final = r"(?:(?<!\d),|,(?!\d{3}(?!\d)))"


def _trimmed(parts: Iterable[str]) -> tuple[str, ...]:
    return tuple(item for part in parts if (item := part.strip().strip("\"'\u201c\u201d\u2018\u2019").strip()))


def list_items(text: str) -> tuple[str, ...]:
    """Return the items of a list answer: a JSON array, a Python list literal, or text cut at its commas.

    Literals are parsed, never executed: a list that holds a call is not a literal and is cut at its commas like any
    other text. Numbers keep the form they were printed in. ``[]`` and the empty text have no items.

    >>> list_items("['a', 'b, c']"), list_items("[16, 2.50]"), list_items("a, 1,234"), list_items("[]")
    (('a', 'b, c'), ('16', '2.50'), ('a', '1,234'), ())
    """
    stripped = text.strip()
    if stripped.startswith("[") and stripped.endswith("]"):
        literal = _literal_list(stripped)
        if literal is not None:
            return tuple(item for value in literal if (item := str(value).strip()))
        stripped = stripped[1:-1]
    return _trimmed(_split_top(stripped, _LIST_COMMA))


# --- The judge's reply --------------------------------------------------------------------------------------------


class VerdictError(ValueError):
    """A judge's reply that is not the JSON object it was asked for; such a response stays unjudged."""


@dataclass(frozen=True)
class ParsedVerdict:
    """What a judge said: the headline boolean, the partial-credit score from 0 to 1, and its one sentence."""

    correct: bool
    score: float
    reasoning: str


_FENCED: Final = re.compile(r"```(?:json)?[ \t]*\n(?P<body>.*)\n[ \t]*```", re.DOTALL | re.IGNORECASE)


def _refuse_constant(name: str) -> NoReturn:
    raise VerdictError(f"the judge's reply holds {name}, which is no JSON number")


def _unique_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    keys = [key for key, _ in pairs]
    if len(set(keys)) < len(keys):
        raise VerdictError(f"the judge's reply gives a key twice: {sorted(keys)}")
    return dict(pairs)


def parse_verdict(raw: str) -> ParsedVerdict:
    """Return the verdict in a judge's reply, read strictly.

    The reply has to be one JSON object, with white space around it or one code fence, with the keys ``correct`` (true
    or false, not a string), ``score`` (a number from 0 to 1) and ``reasoning`` (a string) and no others. There is no
    repair, no default and no search for words: "INCORRECT" contains "CORRECT".

    Raises:
        VerdictError: the reply is anything else; the message says what is wrong with it.

    >>> parse_verdict('{"correct": true, "score": 1, "reasoning": "Same value."}')
    ParsedVerdict(correct=True, score=1.0, reasoning='Same value.')
    """
    text = raw.strip()
    if match := _FENCED.fullmatch(text):
        text = match["body"]
    try:
        reply = json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=_unique_keys)
    except VerdictError:
        raise
    except (ValueError, RecursionError):
        problem = "not one JSON object" if text else "empty"
        raise VerdictError(f"the judge's reply is {problem}") from None
    if not isinstance(reply, dict) or set(reply) != {"correct", "score", "reasoning"}:
        raise VerdictError("the judge's reply is not an object with exactly the keys correct, score and reasoning")
    correct, score, reasoning = reply["correct"], reply["score"], reply["reasoning"]
    if not isinstance(correct, bool):
        raise VerdictError(f"correct is {correct!r}, not true or false")
    if isinstance(score, bool) or not isinstance(score, int | float) or not 0 <= score <= 1:
        raise VerdictError(f"score is {score!r}, not a number from 0 to 1")
    if not isinstance(reasoning, str):
        raise VerdictError(f"reasoning is {reasoning!r}, not a string")
    return ParsedVerdict(correct=correct, score=float(score), reasoning=reasoning)


# --- The rule judge: what is compared -----------------------------------------------------------------------------


@dataclass(frozen=True)
class RuleVerdict:
    """The rule judge's verdict, in the shape a language model is asked for; ``reasoning`` names the rule."""

    correct: bool
    score: float
    reasoning: str


@dataclass(frozen=True)
class _Words:
    """A text as comparable tokens; ``gaps[i]`` is the punctuation between token i - 1 and token i."""

    tokens: tuple[str, ...]
    gaps: tuple[str, ...]
    names: frozenset[str]


_TOKEN: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|\d+(?:[.,]\d+)*|[^\W\d_]+[+#]*|[%$€£¥₹]")
_GAP: Final = re.compile(r"[,;/|:\n]|[.!?](?=\s|$)")
_LEFT_OUT: Final = frozenset({"a", "an", "the"})
_FUNCTION_WORDS: Final = frozenset(
    "about above after also and are as at be been before being below but by can could did do does for from had has"
    " have he her his if in into is it its may might must of on or our shall she should so than that their them then"
    " there these they this those to was we were what when where which while who whose will with would you your".split()
)
_NEGATIONS: Final = frozenset({"not", "no", "never", "neither", "nor", "without", "none", "cannot"})
_OPPOSITES: Final = tuple(
    tuple(pair.split("/"))
    for pair in (
        "increase/decrease increased/decreased increasing/decreasing rise/fall rose/fell higher/lower high/low"
        " more/less more/fewer larger/smaller largest/smallest highest/lowest most/least above/below before/after"
        " left/right top/bottom upper/lower positive/negative agree/disagree first/last maximum/minimum gain/loss"
        " profit/loss north/south east/west male/female men/women true/false allowed/forbidden same/different"
        " internal/external inside/outside start/end"
    ).split()
)


def _stem(word: str) -> str:
    """Return a word without its plural s and in one of its two English spellings."""
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    word = re.sub(r"is(e|ed|ing|ation)$", r"iz\1", word) if len(word) > 5 else word
    return re.sub(r"our$", "or", word) if len(word) > 4 else word


def _token(raw: str) -> str:
    if raw[0].isdigit():
        read = _read_digits(raw)
        by_value = read is not None and read[0] < 1_000_000 and not raw.startswith("0")
        return f"{float(read[0]):g}" if read and by_value else raw.replace(",", "")
    return _stem(raw.lower())


@lru_cache(maxsize=1024)
def _words(text: str) -> _Words:
    plain = unicodedata.normalize("NFKC", plain_digits(text)).replace("percent", "%").replace("per cent", "%")
    for pattern, opened in _CONTRACTIONS:
        plain = pattern.sub(opened, plain)
    plain = re.sub(r"(?<=\w)'s\b", "", plain)
    plain = re.sub(r"(?<=\d) to (?=\d)", "-", plain)
    tokens, gaps, names, last = [], [], set(), 0
    for match in _TOKEN.finditer(plain):
        between = _GAP.search(plain[last : match.start()])
        last = match.end()
        if match[0].lower() in _LEFT_OUT:
            continue
        token = _token(match[0])
        if match[0][0].isupper():
            names.add(token)
        tokens.append(token)
        gaps.append(between[0] if between else "")
    return _Words(tuple(tokens), tuple(gaps), frozenset(names))


def _content(words: _Words) -> list[str]:
    return [token for token in words.tokens if token not in _FUNCTION_WORDS]


_MARKUP: Final = re.compile(r"[*`]+|^\s*#+\s|^\s*>\s", re.MULTILINE)
_LABEL: Final = re.compile(r"\s*(?:the\s+)?(?:final\s+)?answer\s*(?:is\s*:|is\s|:|=)\s*", re.IGNORECASE)
_JUDGE_REPLY: Final = re.compile(r"\{[^{}]*\"(?:correct|score|reasoning)\"[^{}]*\}")


def _stripped(text: str) -> str:
    """Return an answer without markdown emphasis, an "Answer:" label, quotes around it, and any imitated verdict."""
    plain = _JUDGE_REPLY.sub(" ", text)
    plain = (
        _LABEL.sub("", _MARKUP.sub("", plain), count=1)
        if _LABEL.match(_MARKUP.sub("", plain))
        else _MARKUP.sub("", plain)
    )
    plain = plain.strip()
    if len(plain) > 1 and plain[0] in "\"'\u201c\u2018" and plain[-1] in "\"'\u201d\u2019":
        plain = plain[1:-1].strip()
    items = list_items(plain) if plain.startswith("[") and plain.endswith("]") else ()
    return items[0] if len(items) == 1 else plain


# --- The rule judge: text -----------------------------------------------------------------------------------------

_HEDGE: Final = re.compile(
    r"\b(?:could|may|might|can) be\b|\b(?:possibly|perhaps|maybe|alternatively)\b", re.IGNORECASE
)
_LONGEST_ALTERNATIVE: Final = 4


def _places(wanted: Sequence[str], given: Sequence[str]) -> list[int]:
    size = len(wanted)
    return [i for i in range(len(given) - size + 1) if tuple(given[i : i + size]) == tuple(wanted)] if size else []


def _is_boundary(words: _Words, i: int) -> bool:
    """Return whether a new segment of an enumeration begins at token i."""
    return bool(words.gaps[i]) or words.tokens[i] in ("and", "or") or words.tokens[i - 1] in ("and", "or")


def _neighbours(words: _Words, start: int, step: int) -> int:
    """Return how many short segments without a verb follow each other from token ``start`` in one direction."""
    found, segment = 0, 0
    i = start
    while 0 <= i < len(words.tokens):
        token = words.tokens[i]
        if token not in ("and", "or"):
            if token in _FUNCTION_WORDS:
                return found
            segment += 1
        i += step
        at_end = not 0 <= i < len(words.tokens) or _is_boundary(words, i if step > 0 else i + 1)
        if segment > _LONGEST_ALTERNATIVE:
            return found
        if at_end and segment:
            found, segment = found + 1, 0
    return found


def _whole_item(words: _Words, start: int, end: int) -> tuple[int, int]:
    """Return the answer's place with the few words to its sides that make it a longer item, as in "White Adults"."""
    left, right = start, end
    while left and not _is_boundary(words, left) and words.tokens[left - 1] not in _FUNCTION_WORDS:
        left -= 1
    while right < len(words.tokens) and not _is_boundary(words, right) and words.tokens[right] not in _FUNCTION_WORDS:
        right += 1
    left = left if left == 0 or _is_boundary(words, left) else start
    right = right if right == len(words.tokens) or _is_boundary(words, right) else end
    return (left, right) if right - left <= end - start + _LONGEST_ALTERNATIVE else (start, end)


def _is_one_of_several(words: _Words, start: int, end: int, most_others: int) -> bool:
    """Return whether the answer at tokens start to end is one item of a list, or one side of an "or"."""
    tokens, gaps = words.tokens, words.gaps
    start, end = _whole_item(words, start, end)
    before = tokens[start - 1] if start else ""
    after = tokens[end] if end < len(tokens) else ""
    if "or" in (before, after) or "either" in (before, after):
        return True
    hard = {gaps[start] if start else "", gaps[end] if end < len(tokens) else ""} & {"/", ";", "|"}
    right = _neighbours(words, end, 1) if end < len(tokens) and _is_boundary(words, end) else 0
    left = _neighbours(words, start - 1, -1) if start and _is_boundary(words, start) else 0
    joined = "and" in (before, after) or bool(hard)
    return right + left > (0 if joined else most_others)


def _is_denied(words: _Words, start: int, end: int) -> bool:
    """Return whether the words around the answer say that it is not the answer."""
    before = words.tokens[max(0, start - 3) : start]
    after = words.tokens[end : end + 2]
    denies = {"not", "never", "neither", "nor", "except", "excluding", "unlike", "rather", "instead"}
    says_no = len(after) == 2 and after[0] in ("is", "was", "are", "were") and after[1] in ("not", "incorrect", "wrong")
    return bool(denies & set(before)) or says_no


def _contradicts(wanted: _Words, given: _Words) -> bool:
    """Return whether one text negates, or says the opposite of, what the other says."""
    left, right = set(wanted.tokens), set(given.tokens)
    if bool(left & _NEGATIONS) != bool(right & _NEGATIONS):
        return True
    both_ways = [*_OPPOSITES, *((second, first) for first, second in _OPPOSITES)]
    return any(_stem(a) in left - right and _stem(b) in right - left for a, b in both_ways)


def _digits_of(tokens: Iterable[str]) -> set[str]:
    return {token for token in tokens if any(char.isdigit() for char in token)}


def _paraphrases(question: str, wanted: _Words, given: _Words) -> bool:
    """Return whether a longer reference is said in nearly the same words, with the same names and numbers."""
    expected, said = Counter(_content(wanted)), Counter(_content(given))
    if expected.total() < 5 or _contradicts(wanted, given):
        return False
    known = set(wanted.tokens) | set(_words(question).tokens)
    if _digits_of(expected) - _digits_of(said) or _digits_of(said) - known:
        return False
    first = {given.tokens[0]} if given.tokens else set()
    if given.names - first - known and wanted.names - set(given.tokens):
        return False
    return 2 * (expected & said).total() / (expected.total() + said.total()) >= 0.8


def _says_most_of(wanted: _Words, given: _Words) -> bool:
    """Return whether the prediction is a stretch of the reference that leaves out little of it."""
    expected, said = _content(wanted), _content(given)
    enough = len(said) >= 2 and len(said) >= 0.6 * len(expected)
    whole = not _digits_of(expected) - _digits_of(said) and not wanted.names - given.names - set(given.tokens)
    return enough and whole and bool(_places(given.tokens, wanted.tokens)) and not _contradicts(wanted, given)


def _contains(wanted: _Words, given: _Words, most_others: int) -> tuple[bool, str]:
    size = len(wanted.tokens)
    places = _places(wanted.tokens, given.tokens)
    if any(_is_one_of_several(given, i, i + size, most_others) for i in places):
        return False, "text: the prediction offers several answers of which the reference is one"
    if all(_is_denied(given, i, i + size) for i in places):
        return False, "text: the prediction names the reference only to deny it"
    return True, "text by containment: the prediction contains the reference"


def _same_parts(reference: str, prediction: str) -> bool:
    """Return whether two texts are the same two or more parts, joined by commas or "and" in any order."""
    parts = [
        sorted(_words(part).tokens for part in re.split(r",|;|\band\b|&", text, flags=re.I) if part.strip())
        for text in (reference, prediction)
    ]
    return len(parts[0]) > 1 and parts[0] == parts[1]


def _reference_forms(reference: str) -> list[str]:
    """Return the reference, and without its brackets, and the abbreviation in its brackets."""
    bracket = re.fullmatch(r"(?P<name>[^()]+?)\s*\((?P<other>[^()]+)\)", reference.strip())
    if bracket is None:
        return [reference]
    forms = [reference, bracket["name"]]
    return [*forms, bracket["other"]] if re.fullmatch(r"[A-Z][A-Z0-9&-]+", bracket["other"]) else forms


def _judge_text(question: str, reference: str, prediction: str, most_others: int) -> tuple[bool, str]:
    wanted, given = _words(reference), _words(prediction)
    if not wanted.tokens:
        return normalise_answer(reference) == normalise_answer(prediction), "text: symbols compared literally"
    forms = [_words(form) for form in _reference_forms(reference)]
    if any(form.tokens == given.tokens for form in forms) or _same_parts(reference, prediction):
        return True, "text: equal but for case, articles and punctuation"
    if len(given.tokens) > max(LONGEST_ANSWER, 3 * len(wanted.tokens)):
        return False, "text: the prediction is too long to be an answer"
    if len(_HEDGE.findall(prediction)) > 1:
        return False, "text: the prediction hedges between several answers"
    for form in forms:
        if form.tokens and _places(form.tokens, given.tokens):
            return _contains(form, given, most_others)
    if _says_most_of(wanted, given):
        return True, "text by containment: the prediction is most of the reference"
    if _paraphrases(question, wanted, given):
        return True, "text by token F1: the prediction says the reference in nearly the same words"
    return False, "text: the prediction does not contain the reference"


# --- The rule judge: exact things ---------------------------------------------------------------------------------

# Repetitions are bounded so that a flood of dots and digits is read in linear time.
_EMAIL: Final = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}")
_URL: Final = re.compile(
    r"(?:https?://|www\.)[^\s<>\"',;]+"
    r"|(?<![\w@.-])(?:[a-z0-9-]{1,63}\.){1,8}(?:com|org|net|edu|gov|io|info|int|eu)\b(?:/[^\s<>\"',;]*)?",
    re.IGNORECASE,
)
_PHONE: Final = re.compile(r"(?<![\w.])[+(]?\d[\d() ./-]{6,30}(?<=\d)(?!\w)")


def _canonical_url(url: str) -> str:
    bare = re.sub(r"^https?://", "", url.rstrip(".,;:!?)"), flags=re.IGNORECASE)
    host, slash, path = re.sub(r"^www\.", "", bare, flags=re.IGNORECASE).partition("/")
    return (host.lower() + slash + path).rstrip("/")


def _emails(text: str) -> set[str]:
    return {email.lower() for email in _EMAIL.findall(text)}


def _urls(text: str) -> set[str]:
    return {_canonical_url(url) for url in _URL.findall(text)}


def _phones(text: str) -> set[str]:
    digits = (re.sub(r"\D", "", phone) for phone in _PHONE.findall(plain_digits(text).replace(_SEPARATOR, " ")))
    return {phone for phone in digits if len(phone) >= 7}


def _is_phone(reference: str) -> bool:
    plain = plain_digits(reference).replace(_SEPARATOR, " ")
    n_digits = sum(char.isdigit() for char in plain)
    return bool(re.fullmatch(r"[+(]?\d[\d() ./-]+", plain)) and n_digits >= 9 and not re.fullmatch(r"[\d.]+", plain)


def _judge_verbatim(reference: str, prediction: str) -> tuple[bool, str] | None:
    """Return the verdict on an e-mail address, URL or telephone number, or None if the reference is none of these."""
    plain = reference.strip()
    if _EMAIL.fullmatch(plain):
        return _emails(prediction) == _emails(plain), "e-mail address: compared exactly"
    if _URL.fullmatch(plain):
        wanted = _canonical_url(plain)
        # A host without "www" and with a rare ending is only known for a link by being the reference.
        bare = {_canonical_url(word) for word in prediction.split()} & {wanted}
        return _urls(prediction) | bare == {wanted}, "URL: compared exactly"
    if _is_phone(plain):
        return _phones(prediction) == _phones(plain), "telephone number: compared digit by digit"
    return None


_MONTHS: Final = {
    name[:length]: month
    for month, name in enumerate(
        "january february march april may june july august september october november december".split(), start=1
    )
    for length in (3, 4, len(name))
}
_MONTH: Final = r"(?P<month>[a-z]{3,9})\.?"
_DATES: Final = tuple(
    re.compile(rf"(?<![\w-]){pattern}(?![\w-])", re.IGNORECASE)
    for pattern in (
        r"(?P<y>\d{4})[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})",
        rf"(?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?: of)?[ -]{_MONTH},?[ -](?P<y>\d{{4}})",
        rf"{_MONTH} (?P<d>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<y>\d{{4}})",
        r"(?P<d>\d{1,2})[/.-](?P<m>\d{1,2})[/.-](?P<y>\d{4})",
        rf"{_MONTH},? (?P<y>\d{{4}})",
    )
)
_AMBIGUOUS_DATE: Final = 3


def _readings(match: re.Match[str], order: int) -> frozenset[tuple[int, int, int]]:
    """Return the (year, month, day) that a printed date can mean, day 0 where there is none; empty if it is no date."""
    parts = match.groupdict()
    month = _MONTHS.get((parts.get("month") or "").lower(), 0) or int(parts.get("m") or 0)
    day, year = int(parts.get("d") or 0), int(parts["y"])
    both = [(month, day), (day, month)] if order == _AMBIGUOUS_DATE else [(month, day)]
    return frozenset((year, m, d) for m, d in both if 1 <= m <= 12 and d <= 31)


def _dates_in(text: str) -> list[frozenset[tuple[int, int, int]]]:
    plain = " ".join(plain_digits(text).split())
    found = []
    for order, pattern in enumerate(_DATES):
        for match in pattern.finditer(plain):
            if readings := _readings(match, order):
                found.append(readings)
                plain = plain[: match.start()] + "#" * len(match[0]) + plain[match.end() :]
    return found


def _is_date(reference: str) -> bool:
    plain = " ".join(plain_digits(reference).split()).strip(" .")
    return any((match := pattern.fullmatch(plain)) and _readings(match, i) for i, pattern in enumerate(_DATES))


def _same_date(wanted: frozenset[tuple[int, int, int]], given: frozenset[tuple[int, int, int]]) -> bool:
    return any(w[:2] == g[:2] and (w[2] in (0, g[2])) for w in wanted for g in given)


def _judge_date(question: str, reference: str, prediction: str) -> tuple[bool, str]:
    wanted, asked = _dates_in(reference)[0], _dates_in(question)
    given = _dates_in(prediction)
    given = [date for date in given if date not in asked] or given
    if not given:
        return False, "date: the prediction gives no date"
    if len(set(given)) > 1:
        return False, "date: the prediction gives several dates"
    return _same_date(wanted, given[0]), "date: compared by year, month and day"


# "No leans" and "yes or no" answer nothing: punctuation or a new clause has to follow.
_FIRST_WORD: Final = re.compile(
    r"(yes|no|true|false)(?=$|\s*[.,;:!()\-]| (?:it|they|he|she|we|there|this|that|these|those|the|because|as|since)\b)"
)
_POLARITY: Final = {"yes": "yes", "true": "yes", "no": "no", "false": "no"}


def _judge_polarity(reference: str, prediction: str) -> tuple[bool, str]:
    plain = normalise_answer(prediction)
    match = _FIRST_WORD.match(plain)
    match = match or re.search(r"\banswer is:? (yes|no|true|false)\b", plain)
    same = bool(match) and _POLARITY[match[1]] == _POLARITY[normalise_answer(reference)] if match else False
    return same, "yes or no: the prediction's first word decides"


# --- The rule judge: numbers --------------------------------------------------------------------------------------

_ASKS_FOR_SHARE: Final = re.compile(r"%|\b(?:percent\w*|per cent|proportion|share|fraction|rate|ratio|portion)\b", re.I)
_ASKS_IN_SCALE: Final = re.compile(
    r"\b(?:thousands?|millions?|billions?|trillions?|mn|bn|lakhs?|crores?)\b|\$ ?[mb]\b", re.I
)
_DECREASE: Final = re.compile(
    r"\b(?:decreas\w*|declin\w*|fell|fall\w*|drop\w*|loss\w*|lost|lower\w*|reduc\w*|down|negative)\b", re.I
)
_STATED_ANSWER: Final = re.compile(
    r"\b(?:answer is|total of|totals?|equals|i\.e\.)\s*:?\s*(?:about |approximately )?$|=\s*$", re.I
)
_JOINT: Final = re.compile(
    r"\s*(?:,|/|;|\bor\b|\band\b|\bto\b|-|\u2026|\|)+\s*(?:or|and)?\s*(?:about |perhaps |maybe )?", re.I
)
_NOT_BEFORE: Final = re.compile(r"\b(?:not|never|isn't|wasn't|than|except|excluding|rather than|instead of)\s+$", re.I)


_APPROXIMATELY: Final = re.compile(
    r"\b(?:about|approximately|around|circa|ca\.?|roughly|over|nearly)(?!\w)|[~≈]", re.IGNORECASE
)


def _is_quantity(reference: str) -> bool:
    """Return whether a reference is one number, with at most a unit or two plain words after it.

    A spelled number has to be the whole reference: "Seven Samurai" is a name.
    """
    found = numbers_in(reference)
    if len(found) != 1:
        return False
    plain, number = _accounting_negative(plain_digits(reference)), found[0]
    lead, rest = _APPROXIMATELY.sub("", plain[: number.start]).strip(), plain[number.end :].strip(" .\n")
    spelled = not any(char.isdigit() for char in number.text)
    described = re.fullmatch(r"[a-z²³°/]+(?: [a-z]+)?", rest)
    return not lead and (not rest or (bool(described) and not spelled))


def _mantissa(number: Number) -> Number:
    return replace(number, value=number.value / number.scale, quantum=number.quantum / number.scale, scale=1.0)


def _times(number: Number, factor: float) -> Number:
    return replace(number, value=number.value * factor, quantum=number.quantum * factor, is_percent=False, unit="")


def _units_differ(left: str, right: str) -> bool:
    if not left or not right or left == right:
        return False
    dimensions = _UNITS.get(left, (left, 1.0))[0], _UNITS.get(right, (right, 1.0))[0]
    return dimensions[0] != dimensions[1]


def _in_base_unit(number: Number, other: Number) -> Number:
    if number.unit and other.unit and number.unit != other.unit:
        return _times(number, _UNITS[number.unit][1])
    return number


def _as_shares(question: str, wanted: Number, given: Number) -> list[tuple[Number, Number]]:
    """Return the pairs of readings under which a percentage and a plain number may mean the same."""
    asked = bool(_ASKS_FOR_SHARE.search(question))
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
    coarser = max(wanted, given, key=lambda number: number.quantum)
    return not is_whole and coarser.digits >= 2 and gap <= coarser.quantum / 2 * (1 + 1e-9)


def _same_number(question: str, wanted: Number, given: Number, context: str) -> bool:
    """Return whether two numbers have one value: units, scale words, percent and sign taken into account."""
    if _units_differ(wanted.unit, given.unit):
        return False
    pairs = _as_shares(question, wanted, given)
    if wanted.scale != given.scale and _ASKS_IN_SCALE.search(question):
        pairs.append((_mantissa(wanted), _mantissa(given)))
    if wanted.value * given.value < 0 and _DECREASE.search(context):
        pairs = [(left, _times(right, -1)) for left, right in pairs]
    # A bare whole number is a count or a year: 7.3 is not 7, and 2019 is not about 2020.
    return any(_close(_in_base_unit(left, right), _in_base_unit(right, left), wanted.is_whole) for left, right in pairs)


def _outside_brackets(text: str, numbers: Sequence[Number]) -> list[Number]:
    inside = [match.span() for match in re.finditer(r"\([^()]*\)", text)]
    outside = [n for n in numbers if not any(start < n.start and n.end < end for start, end in inside)]
    return outside or list(numbers)


def _candidates(question: str, wanted: Number, text: str) -> list[Number]:
    """Return the numbers of a prediction that may be its answer, those of the question and of asides left out."""
    found = _outside_brackets(text, numbers_in(text))
    found = [number for number in found if not _NOT_BEFORE.search(text[max(0, number.start - 14) : number.start])]
    asked = {number.value for number in numbers_in(question)}
    found = [number for number in found if number.value not in asked] or found
    if not wanted.is_year:
        found = [number for number in found if not number.is_year] or found
    alike = [number for number in found if number.is_percent == wanted.is_percent and number.unit == wanted.unit]
    return alike if alike and (wanted.is_percent or wanted.unit) else found


def _chosen(text: str, candidates: Sequence[Number]) -> Number | None:
    """Return the one number that the prediction commits to, or None if it offers several side by side."""
    stated = [n for n in candidates if _STATED_ANSWER.search(text[max(0, n.start - 40) : n.start])]
    chosen = stated[-1] if stated else candidates[0]
    for first, second in pairwise(candidates):
        touches = chosen in (first, second) and first.value != second.value
        if touches and not stated and _JOINT.fullmatch(text[first.end : second.start]):
            return None
    return chosen


def _judge_number(question: str, reference: str, prediction: str) -> tuple[bool, str]:
    wanted = numbers_in(reference)[0]
    text = _accounting_negative(plain_digits(prediction))
    if len(prediction.split()) > LONGEST_ANSWER:
        return False, "number: the prediction is too long to be an answer"
    if len(_HEDGE.findall(prediction)) > 1:
        return False, "number: the prediction hedges between several answers"
    if wanted.value == 0 and re.match(r"(?:none|no|nil)\b", normalise_answer(prediction)):
        return True, "number by value: none is 0"
    candidates = _candidates(question, wanted, text)
    if not candidates:
        return False, "number: the prediction gives none, or only denies one"
    chosen = _chosen(text, candidates)
    if chosen is None:
        return False, "number: the prediction offers several values"
    same = _same_number(question, wanted, chosen, f"{question} {reference} {prediction}")
    relation = "equals" if same else "is not"
    return same, f"number by value: {chosen.text.strip()} {relation} {wanted.text.strip()}"


# --- The rule judge: lists, and the whole -------------------------------------------------------------------------


def _judge_one(question: str, reference: str, prediction: str, most_others: int) -> tuple[bool, str]:
    """Return the verdict on one answer that is not a list, by the kind of thing the reference is."""
    verbatim = _judge_verbatim(reference, prediction)
    if verbatim is not None:
        return verbatim
    if _is_date(reference):
        return _judge_date(question, reference, prediction)
    if normalise_answer(reference) in _POLARITY:
        return _judge_polarity(reference, prediction)
    if _is_quantity(reference):
        return _judge_number(question, reference, prediction)
    return _judge_text(question, reference, prediction, most_others)


def _segmentations(prediction: str) -> list[tuple[str, ...]]:
    """Return the ways to read a prediction as a list, from lines to every comma and "and"."""
    bracketed = prediction[max(0, prediction.find("[")) : prediction.rfind("]") + 1]
    literal = [list_items(bracketed)] if _literal_list(bracketed) is not None else []
    lead, colon, rest = prediction.partition(":")
    body = rest if colon and not re.search(r"[,;\n]", lead) and rest.strip() else prediction
    lines = _trimmed(re.sub(r"^\s*(?:[-•*]|\d{1,2}[.)])\s+", "", line) for line in re.split(r"\n|;", body))
    commas = _trimmed(part for line in lines for part in _split_top(line, _LIST_COMMA))
    words = _trimmed(part for part in commas for part in _split_top(part, r"\band\b|&"))
    leads = _trimmed(re.sub(r"^\s*and\b", "", part, flags=re.I) for part in commas)
    return list(dict.fromkeys((*literal, lines, leads, words)))


def _n_matched(question: str, wanted: Sequence[str], given: Sequence[str]) -> int:
    """Return the largest number of reference items that can each have a prediction item of their own."""
    fits = [[j for j, item in enumerate(given) if _judge_one(question, want, item, 0)[0]] for want in wanted]
    owner: dict[int, int] = {}

    def place(i: int, tried: set[int]) -> bool:
        for j in fits[i]:
            if j not in tried:
                tried.add(j)
                if j not in owner or place(owner[j], tried):
                    owner[j] = i
                    return True
        return False

    return sum(place(i, set()) for i in range(len(wanted)))


def _judge_list(question: str, reference: str, prediction: str) -> RuleVerdict:
    wanted = list_items(reference)
    if not wanted:
        empty = normalise_answer(prediction) in ("[]", "none", "no items", "empty", "empty list", "nothing")
        return RuleVerdict(empty, float(empty), "list: the reference is empty and so must the prediction be.")
    if len(prediction.split()) > max(LONGEST_ANSWER, 4 * len(reference.split())):
        return RuleVerdict(False, 0.0, "list: the prediction is too long to be an answer.")
    best, matched, extra = 0.0, 0, 0
    for given in _segmentations(prediction):
        hits = _n_matched(question, wanted, given)
        f1 = 2 * hits / (len(wanted) + len(given))
        if f1 > best:
            best, matched, extra = f1, hits, len(given) - hits
    reasoning = f"list, order free: {matched} of {len(wanted)} items matched and {extra} extra."
    return RuleVerdict(best == 1.0, best, reasoning)


def _judge_unanswerable(question: str, reference: str, prediction: str) -> RuleVerdict:
    if is_abstention(prediction):
        return RuleVerdict(True, 1.0, "abstention: the question is not answerable and the prediction says so.")
    alternatives = [part for part in re.split(r"\s+or\s+", reference)[1:] if part.strip()]
    if any(_judge_one(question, part, prediction, 0)[0] for part in alternatives if not is_abstention(part)):
        return RuleVerdict(True, 1.0, "abstention: the prediction is an alternative that the reference allows.")
    return RuleVerdict(False, 0.0, "abstention: the question is not answerable and the prediction answers it.")


def judge_by_rules(question: str, reference: str, prediction: str) -> RuleVerdict:
    """Return the verdict of ``local/rules``, the embedded judge, on one prediction.

    The kind of answer is inferred from the reference. A list scores the F1 of its items, order free, and is correct
    only with every item and no other. Everything else scores 1 or 0. Numbers match by value: scale words, separators
    and units converted; a bare whole number exactly, others also when equal at the coarser printed precision (of two
    digits or more); 25 % and 0.25 when reference or question allows. Dates, addresses, links and telephone numbers
    match exactly. Text matches when the prediction is, contains or nearly repeats the reference, in at most
    ``LONGEST_ANSWER`` words, without denying it and without offering it as one of several. Declining is right only
    where the reference is "Not answerable".

    The prediction is compared and never obeyed: what it says about its own correctness is not looked at.

    >>> judge_by_rules("What share?", "25%", "The share was 0.25.")
    RuleVerdict(correct=True, score=1.0, reasoning='number by value: 0.25 equals 25%.')
    """
    answer = _stripped(prediction)
    if not answer:
        return RuleVerdict(False, 0.0, "empty: the prediction holds no answer.")
    if is_abstention(reference):
        return _judge_unanswerable(question, reference, answer)
    if answer == reference.strip():
        return RuleVerdict(True, 1.0, "equal: the prediction is the reference.")
    if is_abstention(answer):
        return RuleVerdict(False, 0.0, "refusal: the prediction declines to answer.")
    if len(answer) > max(_LONGEST_TEXT, 10 * len(reference)):
        return RuleVerdict(False, 0.0, "length: the prediction is too long to be an answer.")
    if reference.strip().startswith("[") and reference.strip().endswith("]"):
        return _judge_list(question, reference, answer)
    correct, reasoning = _judge_one(question, reference, answer, 1)
    return RuleVerdict(correct, float(correct), f"{reasoning}.")
