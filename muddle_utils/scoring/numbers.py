"""Numbers as people write them: separators, scale words, currencies, percentages, signs, number words, shares."""

import math
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

DASHES: Final = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d"
NARROW_SPACES: Final = "\u00a0\u2007\u2008\u2009\u200a\u202f"
QUOTES: Final = {"\u2018": "'", "\u2019": "'", "\u201a": "'", "\u201c": '"', "\u201d": '"', "\u201e": '"'}
INVISIBLE: Final = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff"))
PLAIN_CHARACTERS: Final = str.maketrans(dict.fromkeys(DASHES, "-") | QUOTES) | INVISIBLE


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
} | {"b": 1e9, "trillion": 1e12, "tn": 1e12, "lakh": 1e5, "crore": 1e7, "dozen": 12.0}
# Scale words that are printed in other languages, and East Asian ones, which follow the digits without a space.
_SCALES_ABROAD: Final = {
    "million": "million", "millionen": "million", "mio": "million", "mio.": "million", "millones": "million",
    "milliard": "billion", "milliarden": "billion", "milliards": "billion", "mrd": "billion", "mrd.": "billion",
    "tausend": "thousand", "tsd": "thousand", "tsd.": "thousand", "mille": "thousand",
}  # fmt: skip
_EASTERN_SCALES: Final = {"百万": 1e6, "百萬": 1e6, "千万": 1e7, "十万": 1e5, "万": 1e4, "萬": 1e4, "億": 1e8,
                          "亿": 1e8, "千": 1e3,
                          "만": 1e4, "억": 1e8}  # fmt: skip
COUNTING: Final = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
).split()
_TENS: Final = "twenty thirty forty fifty sixty seventy eighty ninety".split()
WORD_VALUES: Final[dict[str, int]] = {word: value for value, word in enumerate(COUNTING)} | {
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
    | dict.fromkeys(("c$", "cad"), "C$")
    | dict.fromkeys(("chf", "franc", "francs", "sfr", "sfr."), "CHF")
    | dict.fromkeys(("cny", "rmb", "yuan", "元"), "CNY")
    | dict.fromkeys(("円",), "¥")
    | dict.fromkeys(("sek",), "SEK")
    | dict.fromkeys(("nok",), "NOK")
    | dict.fromkeys(("dkk",), "DKK")
)
# name: (dimension, worth in the dimension's base unit)
UNITS: Final[dict[str, tuple[str, float]]] = {
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
    "j": ("energy", 1 / 3600), "kj": ("energy", 1 / 3.6), "kcal": ("energy", 1.163), "wh": ("energy", 1.0),
    "w": ("power", 1.0), "hp": ("power", 745.7),
    "nm": ("length", 1e-9), "µm": ("length", 1e-6), "yard": ("length", 0.9144), "oz": ("mass", 0.028349523125),
    "µg": ("mass", 1e-9),
    "cl": ("volume", 0.01), "dl": ("volume", 0.1), "hl": ("volume", 100.0), "m3": ("volume", 1000.0),
    "cm3": ("volume", 0.001), "gallon": ("volume", 3.785411784),
    "mm2": ("area", 1e-6), "cm2": ("area", 1e-4), "m2": ("area", 1.0), "ha": ("area", 1e4), "km2": ("area", 1e6),
    "acre": ("area", 4046.8564224),
    "km/h": ("speed", 1 / 3.6), "m/s": ("speed", 1.0), "mph": ("speed", 0.44704), "knot": ("speed", 1852 / 3600),
    "pa": ("pressure", 1.0), "hpa": ("pressure", 100.0), "mbar": ("pressure", 100.0), "kpa": ("pressure", 1000.0),
    "bar": ("pressure", 1e5),
    "hz": ("frequency", 1.0), "khz": ("frequency", 1e3), "mhz": ("frequency", 1e6), "ghz": ("frequency", 1e9),
    "v": ("voltage", 1.0), "kv": ("voltage", 1e3), "db": ("loudness", 1.0),
    "ms": ("time", 0.001), "fortnight": ("time", 1209600.0), "quarter": ("months", 3.0), "decade": ("months", 120.0),
    "century": ("months", 1200.0),
    "°c": ("temperature", 1.0), "°f": ("temperature", 5 / 9), "x": ("times", 1.0),
    "cent": ("cents", 0.01),
}  # fmt: skip
_UNIT_NAMES: Final = {name: name for name in UNITS} | {
    alias: name
    for name, aliases in (
        ("mm", "millimetre millimeter"), ("cm", "centimetre centimeter"), ("m", "metre meter"),
        ("km", "kilometre kilometer"), ("inch", "inche"), ("ft", "foot feet"), ("g", "gram"), ("kg", "kilogram kilo"),
        ("tonne", "ton"), ("l", "litre liter"), ("ml", "millilitre milliliter"), ("second", "sec"), ("minute", "min"),
        ("hour", "hr h std stunde heure"), ("year", "yr jahr ans"), ("x", "time"), ("month", "mth monat moi"),
        ("day", "tag jour"),
        ("tonne", "t tonnes"), ("lb", "lbs"), ("oz", "ounce"), ("ha", "hectare"), ("gallon", "gal"), ("yard", "yd"),
        ("mile", "mi"), ("km/h", "kph kmh"), ("knot", "kn"), ("century", "centurie"), ("µm", "um micrometre "
        "micrometer micron"),
        ("hz", "hertz"), ("v", "volt"), ("w", "watt"), ("kw", "kilowatt"), ("mw", "megawatt"), ("gw", "gigawatt"),
        ("kwh", "kilowatt-hour"), ("j", "joule"), ("db", "decibel"), ("kcal", "kilocalorie"), ("mg", "milligram"),
        ("m2", "m² sqm"), ("km2", "km² sqkm"), ("cm2", "cm²"), ("mm2", "mm²"), ("m3", "m³"), ("cm3", "cm³ cc"),
        ("cent", "pence eurocent"),
        ("cl", "centilitre centiliter"), ("dl", "decilitre deciliter"), ("hl", "hectolitre hectoliter"),
        ("ms", "millisecond"), ("gb", "gigabyte"), ("mb", "megabyte"), ("kb", "kilobyte"), ("tb", "terabyte"),
        ("µg", "ug microgram"),
    )
    for alias in aliases.split()
}  # fmt: skip

SEPARATOR: Final = "\u00a0"
_ONE_SEPARATOR: Final = dict.fromkeys(map(ord, NARROW_SPACES), SEPARATOR)
_EASTERN: Final = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
# Chinese, Japanese and Korean put no space before a number.
_DIGIT_RUN: Final = re.compile(
    rf"(?<![^\W{_EASTERN}])(?<!\d\.)(?:\d+(?:[.,'{SEPARATOR}]\d+)*|\.\d+)(?:[eE][+-]?\d{{1,3}}(?!\w))?"
)
_SHAPES: Final = (
    (re.compile(r"\d+"), "", ""),
    (re.compile(r"[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?"), ",", "."),
    (re.compile(r"[1-9]\d?(?:,\d{2})+,\d{3}(?:\.\d+)?"), ",", "."),
    (re.compile(r"\d{1,3}(?:'\d{3})+(?:\.\d+)?"), "'", "."),
    (re.compile(rf"\d{{1,3}}(?:{SEPARATOR}\d{{3}})+(?:\.\d+)?"), SEPARATOR, "."),
    (re.compile(rf"\d{{1,3}}(?:{SEPARATOR}\d{{3}})+,\d+"), SEPARATOR, ","),
    (re.compile(r"\d*\.\d+"), "", "."),
    (re.compile(r"[1-9]\d{0,2}(?:\.\d{3})+,\d+"), ".", ","),
    (re.compile(r"[1-9]\d{0,2}(?:\.\d{3}){2,}"), ".", ""),
    (re.compile(r"\d+,\d{1,2}|0,\d+|\d{1,3},\d{4,}"), "", ","),
)
_CURRENCY_BEFORE: Final = re.compile(
    r"(?:(?<!\w)(?:us|s|a|c)?\$|[€£¥₹]|(?<!\w)(?:usd|eur|gbp|jpy|inr|sgd|aud|cad|chf|cny|rmb|sek|nok|dkk|rs\.?)) ?$",
    re.I,
)
_MINUS_BEFORE: Final = re.compile(r"(?:(?<![^\W_])(?<![)%])-|\b(?:minus|negative) )$", re.I)
_SCALE_AFTER: Final = re.compile(
    r"[ -]?(hundred|thousand|million|billion|trillion|lakh|crore|dozen|mn|mm|bn|tn|k|b|m)s?(?!\w)", re.I
)
_PERCENT_AFTER: Final = re.compile(r"[ -]?(?:%|percent(?:age)?(?: points?)?(?!\w)|per cent(?!\w)|pct(?!\w))", re.I)
_SCALE_ABROAD: Final = re.compile(
    rf" ?({'|'.join(map(re.escape, sorted(_SCALES_ABROAD, key=len, reverse=True)))})(?!\w)", re.I
)
_EASTERN_SCALE: Final = re.compile(f" ?({'|'.join(_EASTERN_SCALES)})")
_BASIS_POINTS: Final = re.compile(r"[ -]?(?:basis points?|bps?|bp)(?!\w)", re.I)
_PER_MILLE: Final = re.compile(r" ?(?:‰|per mille(?!\w))", re.I)
_WORD_AFTER: Final = re.compile(
    r" ?([€£¥₹元円]|(?<=\d )\$)|[ -]?((?:s|a|c|us)\$|° ?[cf](?!\w)|°?[a-zµμ]+[²³23]?(?:/[a-z]+)?(?!\w))", re.I
)
_LONG_UNITS: Final = (
    (re.compile(r"[ -]?(?:square|sq\.?)[ -](kilo|centi|milli)?(?:met(?:re|er)s?|(k|c|m)?m(?!\w))", re.I), "m2"),
    (re.compile(r"[ -]?(?:cubic|cu\.?)[ -](centi)?(?:met(?:re|er)s?|m(?!\w))", re.I), "m3"),
    (re.compile(r" ?(?:km|kilomet(?:re|er)s?) (?:per|an) hour(?!\w)", re.I), "km/h"),
    (re.compile(r" ?(?:m|met(?:re|er)s?) (?:per|a) second(?!\w)", re.I), "m/s"),
    (re.compile(r" ?miles (?:per|an) hour(?!\w)", re.I), "mph"),
    (re.compile(r" ?(?:us|u\.s\.|american) dollars?(?!\w)", re.I), "$"),
    (re.compile(r" ?canadian dollars?(?!\w)", re.I), "C$"),
    (re.compile(r" ?australian dollars?(?!\w)", re.I), "A$"),
    (re.compile(r" ?singapore dollars?(?!\w)", re.I), "S$"),
    (re.compile(r" ?swiss francs?(?!\w)", re.I), "CHF"),
    (re.compile(r" ?(?:pounds? sterling|british pounds?)(?!\w)", re.I), "£"),
    (re.compile(r" ?japanese yen(?!\w)", re.I), "¥"),
    (re.compile(r" ?(?:degrees?|deg\.?|°) ?(?:celsius|centigrade|c)(?!\w)", re.I), "°c"),
    (re.compile(r" ?(?:degrees?|deg\.?|°) ?(?:fahrenheit|f)(?!\w)", re.I), "°f"),
)
_PREFIXES: Final = {"kilo": "k", "centi": "c", "milli": "m", "k": "k", "c": "c", "m": "m"}
_NUMBER_WORD: Final = "|".join(sorted(WORD_VALUES, key=len, reverse=True))
_SCALE_WORD: Final = "hundred|thousand|million|billion|trillion|dozen"
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
    plain = text.translate(PLAIN_CHARACTERS).translate(_ONE_SEPARATOR)
    if plain.isascii():
        return plain
    return "".join(str(unicodedata.decimal(char)) if char.isdecimal() else char for char in plain)


def read_digits(run: str) -> tuple[Decimal, Decimal, int] | None:
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
        if read_digits(match[0]):
            yield match.span()
            continue
        for part in re.finditer(rf"[^,{SEPARATOR}]+", match[0]):
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


def unit_named(word: str) -> str:
    """Return the unit that a word names, in the singular or plural, or an empty text.

    >>> unit_named("Kilometres"), unit_named("apples")
    ('km', '')
    """
    lowered = word.lower()
    return _UNIT_NAMES.get(lowered) or _UNIT_NAMES.get(lowered.removesuffix("s"), "")


def _long_unit(text: str, end: int) -> tuple[int, str] | None:
    for pattern, name in _LONG_UNITS:
        if match := pattern.match(text, end):
            prefix = next((part for part in match.groups() if part), "")
            return match.end(), _PREFIXES.get(prefix.lower(), "") + name
    return None


def _unit_after(text: str, end: int) -> tuple[int, str]:
    if long := _long_unit(text, end):
        return long
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
    word = word.replace(" ", "").replace("μ", "µ")
    if word in UNITS:
        return match.end(), word
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
    elif match := _SCALE_ABROAD.match(text, end):
        scale, end = _SCALES[_SCALES_ABROAD[match[1].lower()]], match.end()
    elif match := _EASTERN_SCALE.match(text, end):
        scale, end = _EASTERN_SCALES[match[1]], match.end()
    if match := _BASIS_POINTS.match(text, end):
        return match.end(), scale * 0.01, True, ""
    if match := _PER_MILLE.match(text, end):
        return match.end(), scale * 0.1, True, ""
    if match := _PERCENT_AFTER.match(text, end):
        return match.end(), scale, True, ""
    end, unit = _unit_after(text, end)
    return end, scale, False, unit


def _is_part_of_a_name(text: str, start: int, end: int) -> bool:
    """Return whether the digits belong to a name, a time or a ratio: GPT-4, 3D, 14:04, 3:1; ordinals do not."""
    hyphenated = start > 1 and text[start - 1] == "-" and text[start - 2].isalpha()
    timed = re.match(r":\d", text[end : end + 2]) or re.search(r"\d:$", text[max(0, start - 2) : start])
    ordinal = re.match(r"(?:st|nd|rd|th)(?!\w)", text[end : end + 3], re.I)
    counted = re.match(rf"[{_EASTERN}]", text[end : end + 1])
    lettered = end < len(text) and (text[end].isalpha() or text[end] == "_") and not ordinal and not counted
    return hyphenated or bool(timed) or lettered


def _printed_numbers(text: str) -> Iterable[Number]:
    for first, last in _runs(text):
        read = read_digits(text[first:last])
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
            current += WORD_VALUES.get(word, 0)
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


_PART: Final = rf"(?:\d+|{_NUMBER_WORD})"
_PHRASED: Final = (
    re.compile(
        rf"(?<![\w-])(?:(?P<n>an?|one|three)[ -])?(?P<quarter>quarters?) of an? (?P<of>{_SCALE_WORD})(?!\w)", re.I
    ),
    re.compile(rf"(?<![\w-])(?P<half>half )?an? (?P<of>{_SCALE_WORD})s?(?! of thousands)(?!\w)", re.I),
    re.compile(rf"(?<![\w-])(?P<whole>{_PART}) and (?:a|one) half(?: (?P<of>{_SCALE_WORD}))?(?!\w)", re.I),
    re.compile(
        rf"(?<![\w-])(?P<whole>{_NUMBER_WORD}) point (?P<digits>(?:{_NUMBER_WORD})(?: (?:{_NUMBER_WORD}))*)"
        rf"(?: (?P<of>{_SCALE_WORD}))?(?!\w)",
        re.I,
    ),
)


def _phrased_value(parts: dict[str, str | None]) -> tuple[float, float]:
    """Return value and quantum of "half a million", "two and a half" or "one point five", scale word left out."""
    if parts.get("quarter"):
        return (0.75 if (parts.get("n") or "").lower() == "three" else 0.25), 0.01
    whole = (parts.get("whole") or "1").lower()
    value = float(whole) if whole.isdigit() else float(WORD_VALUES[whole])
    if digits := parts.get("digits"):
        decimals = "".join(str(WORD_VALUES[word]) for word in digits.lower().split())
        return float(f"{value:.0f}.{decimals}"), 10.0 ** -len(decimals)
    return (value / 2, 0.1) if parts.get("half") else (value + 0.5, 0.1) if "whole" in parts else (value, 1.0)


def _phrased_numbers(text: str) -> Iterable[Number]:
    for pattern in _PHRASED:
        for match in pattern.finditer(text):
            value, quantum = _phrased_value(match.groupdict())
            scale = _SCALES.get((match["of"] or "").lower(), 1.0)
            end, _, is_percent, unit = _after(text, match.end(), "")
            yield Number(
                value=value * scale,
                is_percent=is_percent,
                unit=unit,
                quantum=quantum * scale,
                digits=2,
                scale=scale,
                text=text[match.start() : end],
                start=match.start(),
                end=end,
            )


def _unless_inside(numbers: Iterable[Number], others: Iterable[Number]) -> list[Number]:
    """Return the numbers that share no character with the others, in linear time."""
    taken = {place for other in others for place in range(other.start, other.end)}
    return [number for number in numbers if taken.isdisjoint(range(number.start, number.end))]


_BRACKETED: Final = re.compile(r"\s*(?P<currency>[^\W\d_]{0,3}[$€£¥₹]?)\s?\((?P<inside>[^()]+)\)(?P<after>[^()]{0,20})")


def accounting_negative(text: str) -> str:
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
    plain = accounting_negative(plain_digits(text))
    phrased = list(_phrased_numbers(plain))
    phrased = [number for i, number in enumerate(phrased) if number in _unless_inside([number], phrased[:i])]
    printed = _unless_inside(_printed_numbers(plain), phrased)
    spelled = _unless_inside(_spelled_numbers(plain), [*phrased, *printed])
    return tuple(sorted([*phrased, *printed, *spelled], key=lambda number: number.start))


ASKS_FOR_SHARE: Final = re.compile(r"%|\b(?:percent\w*|per cent|proportion|share|fraction|rate|ratio|portion)\b", re.I)
APPROXIMATELY: Final = re.compile(
    r"\b(?:about|approximately|approx\.?|around|circa|ca\.?|roughly|over|nearly|almost|some)(?!\w)|[~≈]", re.IGNORECASE
)


# --- Shares -------------------------------------------------------------------------------------------------------


_PARTS: Final = {
    "half": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9,
    "tenth": 10,
    "twentieth": 20, "hundredth": 100,
}  # fmt: skip
_COUNT: Final = rf"\d[\d,.]*(?<=\d)|{'|'.join(sorted(WORD_VALUES, key=len, reverse=True))}"
_SPELLED_PART: Final = re.compile(
    rf"(?<![\w-])(?:(?P<n>{_COUNT}|an?)[ -])?(?P<part>half|halves|third|quarter|fourth|fifth|sixth|seventh|eighth"
    rf"|ninth|tenth|twentieth|hundredth)s?(?![\w-])",
    re.I,
)
_OF: Final = re.compile(
    rf"(?<![\w.,/])(?P<n>{_COUNT})(?: \w+){{0,2}}?(?:/| ?∕ ?|⁄| (?:out of|in|of)(?: the| every| all)? "
    rf")(?P<all>{_COUNT})(?![\w/]|[.,]\d)",
    re.I,
)
VULGAR: Final = {
    "½": 0.5,
    "¼": 0.25,
    "¾": 0.75,
    "⅓": 1 / 3,
    "⅔": 2 / 3,
    "⅕": 0.2,
    "⅛": 0.125,
    "⅖": 0.4,
    "⅗": 0.6,
    "⅘": 0.8,
}


def _count(text: str) -> float:
    lowered = text.lower()
    return float(WORD_VALUES.get(lowered, 1)) if lowered.isalpha() else float(lowered.replace(",", ""))


def share_value(value: float, text: str, start: int, end: int) -> Number:
    """Return a share that stands in a text from ``start`` to ``end`` as an exact number."""
    return Number(value, False, "", 1e-9, 9, 1.0, text[start:end], start, end)


def shares_in(text: str) -> list[Number]:
    """Return the shares that a text prints as a fraction: two thirds, 2/3, 8 of 12, one in four, half.

    >>> [share.value for share in shares_in("three quarters, or 6 of 8")]
    [0.75, 0.75]
    """
    found = []
    for match in _SPELLED_PART.finditer(text):
        word = match["part"].lower()
        if not match["n"] and word not in ("half", "quarter"):
            continue
        value = _count(match["n"] or "1") / _PARTS.get(word, 2)
        if 0 < value < 1:
            found.append(share_value(value, text, *match.span()))
    for match in _OF.finditer(text):
        try:
            part, whole = _count(match["n"]), _count(match["all"])
        except ValueError:
            continue
        if 0 < part < whole:
            found.append(share_value(part / whole, text, *match.span()))
    found += [
        share_value(value, text, m.start(), m.end()) for sign, value in VULGAR.items() for m in re.finditer(sign, text)
    ]
    return sorted(found, key=lambda number: number.start)


def is_share(reference: str) -> bool:
    """Return whether a reference is one fraction: "2/3", "three quarters", "half", "1 in 4"."""
    plain = APPROXIMATELY.sub("", reference).strip(" .")
    return any(share.text.strip() == plain for share in shares_in(plain))
