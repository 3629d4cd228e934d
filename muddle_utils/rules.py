"""The rule judge ``local/rules``: is a prediction the same answer as the reference, by rules alone?

It stands in for a language model as judge where there is no key. It sees question, reference and prediction and no
document, and it prefers to call a doubtful answer wrong. Text from a model is only ever compared with the reference,
never obeyed.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Final

from muddle_utils.quantities import SEPARATOR, UNITS, Number, accounting_negative, numbers_in, plain_digits, read_digits
from muddle_utils.scoring import (
    CONTRACTIONS,
    LIST_COMMA,
    is_abstention,
    list_items,
    literal_list,
    normalise_answer,
    split_top,
    trimmed,
)

LONGEST_ANSWER: Final = 60
"""Words beyond which a prediction that contains the reference is an essay and not an answer."""
LONGEST_TEXT: Final = 5_000

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
        read = read_digits(raw)
        by_value = read is not None and read[0] < 1_000_000 and not raw.startswith("0")
        return f"{float(read[0]):g}" if read and by_value else raw.replace(",", "")
    return _stem(raw.lower())


@lru_cache(maxsize=1024)
def _words(text: str) -> _Words:
    plain = unicodedata.normalize("NFKC", plain_digits(text)).replace("percent", "%").replace("per cent", "%")
    for pattern, opened in CONTRACTIONS:
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
    plain = _MARKUP.sub("", _JUDGE_REPLY.sub(" ", text))
    if label := _LABEL.match(plain):
        plain = plain[label.end() :]
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
    digits = (re.sub(r"\D", "", phone) for phone in _PHONE.findall(plain_digits(text).replace(SEPARATOR, " ")))
    return {phone for phone in digits if len(phone) >= 7}


def _is_phone(reference: str) -> bool:
    plain = plain_digits(reference).replace(SEPARATOR, " ")
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
    plain, number = accounting_negative(plain_digits(reference)), found[0]
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
    dimensions = UNITS.get(left, (left, 1.0))[0], UNITS.get(right, (right, 1.0))[0]
    return dimensions[0] != dimensions[1]


def _in_base_unit(number: Number, other: Number) -> Number:
    if number.unit and other.unit and number.unit != other.unit:
        return _times(number, UNITS[number.unit][1])
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
    text = accounting_negative(plain_digits(prediction))
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
    literal = [list_items(bracketed)] if literal_list(bracketed) is not None else []
    lead, colon, rest = prediction.partition(":")
    body = rest if colon and not re.search(r"[,;\n]", lead) and rest.strip() else prediction
    lines = trimmed(re.sub(r"^\s*(?:[-•*]|\d{1,2}[.)])\s+", "", line) for line in re.split(r"\n|;", body))
    commas = trimmed(part for line in lines for part in split_top(line, LIST_COMMA))
    words = trimmed(part for part in commas for part in split_top(part, r"\band\b|&"))
    leads = trimmed(re.sub(r"^\s*and\b", "", part, flags=re.I) for part in commas)
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
    if not prediction.strip():
        return RuleVerdict(False, 0.0, "empty: the prediction holds no answer.")
    answer = _stripped(prediction)
    if is_abstention(reference):
        return _judge_unanswerable(question, reference, answer)
    if reference.strip() in (answer, prediction.strip()):
        return RuleVerdict(True, 1.0, "equal: the prediction is the reference.")
    if not answer:
        return RuleVerdict(False, 0.0, "empty: the prediction holds only markup or an imitated verdict.")
    if is_abstention(answer):
        return RuleVerdict(False, 0.0, "refusal: the prediction declines to answer.")
    if len(answer) > max(LONGEST_TEXT, 10 * len(reference)):
        return RuleVerdict(False, 0.0, "length: the prediction is too long to be an answer.")
    if reference.strip().startswith("[") and reference.strip().endswith("]"):
        return _judge_list(question, reference, answer)
    correct, reasoning = _judge_one(question, reference, answer, 1)
    return RuleVerdict(correct, float(correct), f"{reasoning}.")
