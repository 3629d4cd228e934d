"""Dates and times of day as people write them, compared by what they mean."""

import re
from typing import Final

from muddle_utils.scoring.numbers import plain_digits
from muddle_utils.scoring.rule_judge.lexicon import canonical

# --- Dates --------------------------------------------------------------------------------------------------------


_MONTHS: Final = {
    name[:length]: month
    for month, name in enumerate(
        "january february march april may june july august september october november december".split(), start=1
    )
    for length in (3, 4, len(name))
}
_MONTH: Final = r"(?P<month>[a-z]{3,9})\.?"
_DAY: Final = r"(?P<d>\d{1,2})(?:st|nd|rd|th)?\.?"
_DATES: Final = tuple(
    re.compile(rf"(?<![\w-]){pattern}(?![\w-])", re.IGNORECASE)
    for pattern in (
        r"(?P<y>\d{4})[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})",
        rf"{_DAY}(?: of| de)?[ -]{_MONTH},?(?: de)?[ -](?P<y>\d{{4}})",
        rf"{_MONTH} (?:the )?(?P<d>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<y>\d{{4}})",
        r"(?P<d>\d{1,2})[/.-](?P<m>\d{1,2})[/.-](?P<y>\d{4})",
        rf"{_MONTH},?(?: of)? (?P<y>\d{{4}})",
        rf"{_DAY}(?: of)? {_MONTH}",
        rf"{_MONTH} (?:the )?(?P<d>\d{{1,2}})(?:st|nd|rd|th)?",
        r"(?P<y>\d{4})[-/](?P<m>\d{1,2})",
        r"(?P<m>\d{1,2})/(?P<y>\d{4})",
    )
)
_EASTERN: Final = re.compile(r"(?:(\d{4})\s*[年년])\s*(\d{1,2})\s*[月월](?:\s*(\d{1,2})\s*[日号號일])?")
_AMBIGUOUS_DATE: Final = 3

Date = frozenset[tuple[int, int, int]]
"""The (year, month, day) that a printed date can mean; 0 stands for a part that is not printed."""


def _readings(match: re.Match[str], order: int) -> Date:
    """Return what a printed date can mean; nothing if it is no date."""
    parts = match.groupdict()
    month = _MONTHS.get((parts.get("month") or "").lower(), 0) or int(parts.get("m") or 0)
    day, year = int(parts.get("d") or 0), int(parts.get("y") or 0)
    both = [(month, day), (day, month)] if order == _AMBIGUOUS_DATE else [(month, day)]
    return frozenset((year, m, d) for m, d in both if 1 <= m <= 12 and d <= 31 and (year or d))


def _plain(text: str) -> str:
    eastern = _EASTERN.sub(lambda m: f" {m[1]}-{m[2]}{'-' + m[3] if m[3] else ''} ", plain_digits(text))
    return " ".join(canonical(eastern).split())


def dates_in(text: str) -> list[Date]:
    """Return the dates that a text prints, those with a year first."""
    plain = _plain(text)
    found = []
    for order, pattern in enumerate(_DATES):
        for match in pattern.finditer(plain):
            if readings := _readings(match, order):
                found.append(readings)
                plain = plain[: match.start()] + "#" * len(match[0]) + plain[match.end() :]
    return found


def is_date(reference: str) -> bool:
    """Return whether a reference is one date and nothing else."""
    plain = re.sub(r"^(?:on|in) ", "", _plain(reference).strip(" ."))
    plain = re.sub(r"^(?:mon|tues|wednes|thurs|fri|satur|sun)day,? ", "", plain, flags=re.I)
    return any((match := pattern.fullmatch(plain)) and _readings(match, i) for i, pattern in enumerate(_DATES))


def same_date(wanted: Date, given: Date) -> bool:
    """Return whether a date says what is wanted; a day more is no harm, and neither is a year that is not asked for."""
    return any(w[1] == g[1] and w[0] in (0, g[0]) and w[2] in (0, g[2]) for w in wanted for g in given)


# --- Times of day -------------------------------------------------------------------------------------------------


_ZONES: Final = {
    "utc": 0.0, "gmt": 0.0, "z": 0.0, "wet": 0.0, "cet": 1.0, "bst": 1.0, "cest": 2.0, "eet": 2.0, "eest": 3.0,
    "msk": 3.0,
    "ist": 5.5, "jst": 9.0, "est": -5.0, "edt": -4.0, "cst": -6.0, "cdt": -5.0, "mst": -7.0, "mdt": -6.0,
    "pst": -8.0, "pdt": -7.0, "aest": 10.0,
}  # fmt: skip
_HALF: Final = r"(?P<half>a\.?m\b\.?|p\.?m\b\.?|in the (?:morning|afternoon|evening)|at night)"
_ZONE: Final = rf"(?:\s*\(?(?P<zone>{'|'.join(_ZONES)})\b\)?)?"
_CLOCK: Final = re.compile(
    rf"(?<![\d:.,])(?P<h>\d{{1,2}})(?::|(?<=\d)h(?=\d\d(?!\d))|\.(?=\d\d\s*(?:[ap]\.?m\b|hours|uhr|h\b|in the "
    rf")))(?P<min>\d\d)(?::\d\d)?(?!\d|%)(?:\s*{_HALF})?(?:\s*(?:hours|hrs?|o'clock|uhr|h)\b)?{_ZONE}"
    rf"|(?<![\d:.,])(?P<h2>\d{{1,2}})\s*(?:{_HALF.replace('half', 'half2')}"
    rf"|o'clock(?:\s*{_HALF.replace('half', 'half3')})?|uhr\b){_ZONE.replace('zone', 'zone2')}"
    r"|(?P<word>\bnoon\b|\bmidnight\b)",
    re.I,
)
_SPOKEN: Final = (
    (re.compile(r"\bhalf past (\d{1,2})\b", re.I), r"\1:30"),
    (re.compile(r"\b(?:a )?quarter past (\d{1,2})\b", re.I), r"\1:15"),
)
_HOURS: Final = "one two three four five six seven eight nine ten eleven twelve".split()
_SPELLED_HOUR: Final = re.compile(
    rf"\b({'|'.join(_HOURS)})(?= (?:o'clock|[ap]\.?m\b|in the (?:morning|afternoon|evening)|at night))"
    rf"|(?<=past )({'|'.join(_HOURS)})\b|(?<=quarter to )({'|'.join(_HOURS)})\b",
    re.I,
)

Time = tuple[int, bool, float | None]
"""Minutes since midnight, whether the half of the day is known, and the zone's offset in hours if printed."""


def _time(match: re.Match[str]) -> Time | None:
    if match["word"]:
        return (720 if match["word"].lower() == "noon" else 0), True, None
    hour, minute = int(match["h"] or match["h2"]), int(match["min"] or 0)
    half = (match["half"] or match["half2"] or match["half3"] or "").lower()
    zone = (match["zone"] or match["zone2"] or "").lower()
    if hour > 24 or minute > 59:
        return None
    if half:
        late = half.startswith("p") or "afternoon" in half or "evening" in half or "night" in half
        hour = hour % 12 + (12 if late else 0) if hour <= 12 else hour
    printed_long = len(match["h"] or "") == 2
    known = bool(half) or hour > 12 or hour == 0 or printed_long
    return hour % 24 * 60 + minute, known, _ZONES.get(zone)


def times_in(text: str) -> list[Time]:
    """Return the times of day that a text prints: 14:05, 2.05 pm, two o'clock, noon.

    >>> times_in("at 2:05 p.m. CET")
    [(845, True, 1.0)]
    """
    plain = canonical(plain_digits(text))
    plain = _SPELLED_HOUR.sub(lambda m: str(_HOURS.index(m[0].lower()) + 1), plain)
    for pattern, printed in _SPOKEN:
        plain = pattern.sub(printed, plain)
    plain = re.sub(r"\b(?:a )?quarter to (\d{1,2})\b", lambda m: f"{(int(m[1]) - 2) % 12 + 1}:45", plain, flags=re.I)
    return [time for match in _CLOCK.finditer(plain) if (time := _time(match))]


def is_time(reference: str) -> bool:
    """Return whether a reference is one time of day and nothing else."""
    plain = re.sub(r"^(?:at|by) ", "", canonical(plain_digits(reference)).strip(" ."))
    match = _CLOCK.fullmatch(plain) or _CLOCK.fullmatch(reference.strip())
    return match is not None and _time(match) is not None


def same_time(wanted: Time, given: Time) -> bool:
    """Return whether two times of day are one; where a half of the day or a zone is not printed it may be any."""
    left, right = wanted[0], given[0]
    if wanted[2] is not None and given[2] is not None:
        left, right = round(left - 60 * wanted[2]), round(right - 60 * given[2])
    day = 1440 if wanted[1] and given[1] else 720
    return (left - right) % day == 0
