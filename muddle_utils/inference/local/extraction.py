"""How the embedded reader takes an answer from the best units: one rule for each kind of answer asked.

A rule gets a search (question, documents, ranked units) and returns what it found, or None. Rules copy text out of
documents; the few that compute do textbook arithmetic on labelled table rows of one document. No rule follows what a
document tells it to do.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from muddle_utils.inference.local.search import (
    BULLET,
    HEAD,
    ITEM,
    NUMBER,
    NUMBER_WORD,
    NUMBER_WORDS,
    NUMERIC_CELL,
    ROW,
    SCALES,
    STOP_WORDS,
    YEAR,
    Candidate,
    Query,
    Text,
    content_words,
    rank_units,
    read_question,
    read_value,
    stem,
    words_of,
)

# Taking the answer from the best units -------------------------------------------------------------------------------


class Found(NamedTuple):
    """An answer with its score, the unit it was read from and the rule that read it."""

    answer: str
    score: float
    place: int
    unit: int
    rule: str


@dataclass(frozen=True)
class Search:
    """A query, the documents in canonical order, and the ranked units."""

    query: Query
    pool: Sequence[Text]
    ranked: Sequence[Candidate]


# Table cells
def _numeric_cells(cells: Sequence[str]) -> list[tuple[int, str]]:
    """Return the cells that are numbers, with their columns; a bare year heads a column and is no value."""
    numbers = ((column, cell) for column, cell in enumerate(cells) if any(c.isdigit() for c in cell))
    return [(column, cell) for column, cell in numbers if NUMERIC_CELL.fullmatch(cell) and not YEAR.fullmatch(cell)]


def _years_above(text: Text, unit: int) -> list[str]:
    """Return the nearest line of at least two years above a row: the heads of its columns."""
    for above in range(unit - 1, max(-1, unit - 45), -1):
        years = YEAR.findall(text.units[above])
        if len(years) >= 2 and text.lengths[above] < 16:
            return years
    return []


def _cell(text: Text, unit: int, years: Sequence[str], terms: Iterable[str]) -> str | None:
    """Return the cell of a row that the question asks for: by year, else by the words that head its column."""
    cells = text.cells[unit]
    numeric = _numeric_cells(cells[1:]) if len(cells) > 1 else []
    if not numeric:
        return None
    heads = _years_above(text, unit) if years else []
    for year in reversed(years):
        if year in heads and heads.index(year) < len(numeric):
            return numeric[heads.index(year)][1]
    header = text.cells.get(int(text.headers[unit]))
    if header is None:
        return numeric[0][1]
    shift = 1 - len(cells) + len(header)
    wanted = set(terms) - set(words_of(cells[0]))

    def overlap(column: int) -> int:
        return len(wanted & set(words_of(header[column + shift]))) if 0 <= column + shift < len(header) else -1

    return max(numeric, key=lambda cell: overlap(cell[0]))[1]


class _Labelled(NamedTuple):
    """A table row found by its label: how alike label and phrase are, the number, the cell as written, and where."""

    likeness: float
    number: float
    cell: str
    place: int
    unit: int


LABEL_LIKENESS: Final = 0.78


def _row_value(pool: Sequence[Text], phrase: str, years: Sequence[str], only: int | None = None) -> _Labelled | None:
    """Return the value in the row whose label is most nearly the phrase, in the column of the asked year."""
    wanted = content_words(phrase)
    best: _Labelled | None = None
    for place, text in enumerate(pool):
        if not wanted or only not in (None, place):
            continue
        for unit in _rows_with(text, wanted):
            likeness = _likeness(wanted, content_words(text.label_of(unit)))
            if likeness < LABEL_LIKENESS or (best and likeness <= best.likeness + 1e-9):
                continue
            cell = _cell(text, unit, years, wanted)
            value = read_value(cell) if cell else None
            if cell and value:
                best = _Labelled(likeness, value.number, cell, place, unit)
    return best


def _rows_with(text: Text, words: Iterable[str]) -> list[int]:
    """Return the table rows that hold any of the words, in reading order."""
    holding: set[int] = set()
    for word in words:
        holding.update(text.holders(word).tolist())
    return sorted(unit for unit in holding if unit in text.cells)


def _likeness(wanted: Sequence[str], label: Sequence[str]) -> float:
    """Return the Dice coefficient of two sets of words, totals preferred: ``Total assets`` is what people ask for."""
    a, b = set(wanted) - {"total", "net"}, set(label) - {"total", "net"}
    if not a or not b:
        return float(bool(label) and set(wanted) == set(label))
    missing_total = "total" in wanted and "total" not in label
    return 2 * len(a & b) / (len(a) + len(b)) + 0.01 * ("total" in label) - 0.05 * missing_total - 0.02 * ("other" in b)


# Numbers
UNIT_ASKED: Final = re.compile(r"(?i)\bin (?:usd |us dollars? )?(thousand|million|billion)")
UNIT_STATED: Final = re.compile(r"(?i)\bin (thousand|million|billion)s")
# Numbers that count pages, notes and the like, and days of a month, are not quantities.
NOT_A_QUANTITY: Final = re.compile(
    r"(?i)(?:\b(?:pages?|p\.|paragraph|tables?|figures?|fig\.|sections?|chapter|units?|item|notes?|no\.|steps?|part"
    r"|jan\w*|feb\w*|mar|march|apr\w*|may|jun\w*|jul\w*|aug\w*|sep\w*|oct\w*|nov\w*|dec\w*)|#) *$"
)


YEAR_LIST: Final = re.compile(r"(?:19|20)\d\d(?:(?:,? and |, )(?:fiscal )?(?:19|20)\d\d)+")


# A number in brackets behind a number is its deviation or its change.
SECOND_NUMBER: Final = re.compile(r"(?<=[\d%]) ?\(")


def _as_asked(written: str, query: Query, text: Text, unit: int) -> str:
    """Return a number as written, or converted where the question asks for thousands, millions or billions."""
    value, asked = read_value(written), UNIT_ASKED.search(query.text)
    if value and asked and not value.percent:
        wanted = SCALES[asked[1].lower()]
        held = value.scale or (_stated_unit(text, unit) if unit in text.cells else None)
        held = held or (1.0 if abs(value.number) >= 1e6 else wanted)
        if held != wanted:
            return f"{value.number * held / wanted:.10g}"
    bare = SECOND_NUMBER.split(written)[0].strip()
    return bare.strip("() ") if value and value.number >= 0 else bare


def _stated_unit(text: Text, unit: int) -> float | None:
    """Return the unit that a table states above its rows (``in millions``), or None."""
    for above in range(unit, max(-1, unit - 45), -1):
        if stated := UNIT_STATED.search(text.units[above]):
            return SCALES[stated[1].lower()]
    return None


def _number(search: Search, noun: str = "", percent: bool = False) -> Found | None:
    """Return the best number: in a table row by its column, in a line by its nearness to the question's words."""
    best: Found | None = None
    for candidate in search.ranked:
        place, unit = candidate.place, candidate.unit
        for written, score in _numbers_of(candidate, search.query, noun, percent):
            if best is None or score > best.score:
                best = Found(_as_asked(written, search.query, candidate.text, unit), score, place, unit, "number")
    return best


def _numbers_of(candidate: Candidate, query: Query, noun: str, percent: bool) -> Iterator[tuple[str, float]]:
    """Yield the numbers of one unit with their scores."""
    if candidate.unit in candidate.text.cells:
        cell = _cell(candidate.text, candidate.unit, query.years, query.terms)
        if cell:
            label = set(content_words(candidate.text.label_of(candidate.unit)))
            share = len(label & set(query.terms)) / max(1, len(label))
            yield cell, candidate.score + 0.12 * share + (0.1 if percent and "%" in cell else 0.0)
        return
    line = candidate.line
    low = line.lower()
    said = [[m.start() for m in re.finditer(r"\b" + re.escape(term), low)] for term in query.terms]
    due = _number_due_to_year(line, query.years)
    words = NUMBER_WORD.finditer(line) if noun else ()
    for match in (*NUMBER.finditer(line), *words):
        if not _is_quantity(line, match, query):
            continue
        score = candidate.score + 0.25 * _nearness(match.start(), said) - 0.12 + _fit(line, match, noun, percent)
        if due >= 0:
            score += 0.15 if match.start() == due else -0.15
        yield str(NUMBER_WORDS.get(match.group().lower(), match.group().strip())), score


def _is_quantity(line: str, match: re.Match[str], query: Query) -> bool:
    """Say whether a number may be an answer: no year, no page or list number, none that the question itself gives."""
    bare = match.group().strip(" ().")
    if YEAR.fullmatch(bare) or re.search(rf"(?<![\d.]){re.escape(bare)}(?![\d.])", query.core):
        return False
    enumerates = match.start() < 2 and line[match.end() : match.end() + 1] in (".", ")") and match.end() < len(line) - 1
    return not enumerates and not NOT_A_QUANTITY.search(line[max(0, match.start() - 12) : match.start()])


def _nearness(start: int, said: Sequence[Sequence[int]]) -> float:
    """Return from 0 to 1 how near a place in a line is to the question's words, each by its nearest mention."""
    near = [max((1 - abs(start - at) / 70 for at in places), default=0.0) for places in said]
    return sum(max(0.0, share) for share in near) / max(1, len(near))


def _fit(line: str, match: re.Match[str], noun: str, percent: bool) -> float:
    """Return how well a number's form fits what is asked: a percentage, a count of the noun, an amount."""
    value = read_value(match.group())
    is_percent = value is not None and value.percent
    if percent:
        return 0.15 if is_percent else -0.25
    if not noun:
        return (-0.2 if is_percent else 0.0) + 0.08 * bool(re.search(r"[$€£]|million|billion", match.group()))
    following = words_of(line[match.end() : match.end() + 40])[:3]
    fit = 0.25 if noun in following[:1] else 0.18 if noun in following else -0.05
    fractional = value is not None and value.number != int(value.number)
    return fit - 0.2 * (fractional or is_percent)


def _number_due_to_year(line: str, years: Sequence[str]) -> int:
    """Return where in ``$4.9, $6.4 and $8.8 billion in 2015, 2016 and 2017`` the asked year's number starts, or -1."""
    for listed in YEAR_LIST.finditer(line):
        heads = YEAR.findall(listed.group())
        if not years or years[-1] not in heads:
            continue
        amounts = [m.start() for m in NUMBER.finditer(line) if re.search(r"[$%€£,.]|illion", m.group())]
        nearest = sorted(sorted(amounts, key=lambda at: abs(at - listed.start()))[: len(heads)])
        if len(nearest) == len(heads):
            return nearest[heads.index(years[-1])]
    return -1


# Small arithmetic
REVENUE: Final = "total net sales or net sales or total revenues or revenues or revenue or total revenue"
COST: Final = "cost of sales or cost of goods sold or cost of revenue or merchandise costs"
INCOME: Final = "net income or net earnings"
OPERATING: Final = "operating income or income from operations"
EQUITY: Final = "total stockholders equity or total shareholders equity or total equity"
CASH: Final = "cash and cash equivalents or cash and equivalents"
OPERATING_CASH: Final = "net cash provided by operating activities or net cash provided by used in operating activities"
TAXES: Final = "income tax expense or provision for income taxes"
BEFORE_TAX: Final = (
    "income before income taxes or income before provision for income taxes or earnings before income tax expense"
)
STOCK: Final = "inventories or merchandise inventories"
# Textbook quantities by name: table rows joined by arithmetic, left to right; ``average`` is over two years' ends.
FORMULAS: Final = f"""
operating cash flow ratio = {OPERATING_CASH} / total current liabilities
current ratio = total current assets / total current liabilities
quick ratio = total current assets - {STOCK} / total current liabilities
cash ratio = {CASH} / total current liabilities
return on assets or return on asset or roa = {INCOME} / total assets
return on equity or roe = {INCOME} / {EQUITY}
asset turnover = {REVENUE} / total assets
inventory turnover = {COST} / average {STOCK}
receivables turnover or receivable turnover = {REVENUE} / average accounts receivable or receivables
payables turnover or payable turnover = {COST} / average accounts payable
gross margin or gross profit margin = gross profit or gross margin / {REVENUE}
operating margin or operating profit margin = {OPERATING} / {REVENUE}
net margin or net profit margin = {INCOME} / {REVENUE}
debt to equity = total liabilities / {EQUITY}
debt ratio = total liabilities / total assets
interest coverage = {OPERATING} / interest expense
effective tax rate or effective tax rates = {TAXES} / {BEFORE_TAX}
invested capital = total assets - {CASH}
working capital = total current assets - total current liabilities
ebitda = {OPERATING} + depreciation and amortization
"""
NOT_A_FORMULA: Final = re.compile(r"(?i)average|excluding|change")
PERCENT_CHANGE: Final = re.compile(
    r"(?i)percent(?:age)? (?:increase|decrease|change)|(?:growth|increase) rate|what percentage did"
    r"|rate of (?:increase|change)"
)
DIFFERENCE: Final = re.compile(r"(?i)\b(?:difference|gap|change|how (?:much|many) (?:more|less|higher|lower|fewer))\b")
CHANGED: Final = (
    re.compile(
        r"(?i)(?:change|rate|increase|decrease|difference|gap) (?:of|in|between)? ?(?:the )?(.+?)"
        r" (?:from|between|in|for)\b"
    ),
    re.compile(r"(?i)did (?:the )?(.+?) (?:increase|grow|decrease|change|rise|fall)"),
)
ASKED_PHRASE: Final = (
    re.compile(r"(?i)what (?:is|was|were) (?:the )?(?:fy ?\d{4} )?(.+?)(?: for | in (?:fy|the)? ?\d{4}| of |\?|,|$)"),
    re.compile(r"(?i)(?:what|how much) (.+?) (?:does|did|do|is|was) "),
)


def _first_group(patterns: Iterable[re.Pattern[str]], text: str) -> str:
    """Return what the first pattern that is found captures, or an empty text."""
    return next((found[1] for pattern in patterns if (found := pattern.search(text))), "")


def _change(search: Search) -> Found | None:
    """Return the difference or per cent change of one labelled row between two years."""
    core, years = search.query.core, sorted(set(search.query.years))
    percent = PERCENT_CHANGE.search(core)
    phrase = _first_group(CHANGED, core) if percent or DIFFERENCE.search(core) else ""
    if len(years) == 1:
        years = [str(int(years[0]) - 1), years[0]]
    if not phrase or len(years) < 2:
        return None
    before = _row_value(search.pool, phrase, years[:1])
    after = _row_value(search.pool, phrase, years[-1:], before.place) if before else None
    if not before or not after or not before.number:
        return None
    change = after.number - before.number
    answer = f"{100 * change / abs(before.number):.2f}%" if percent else f"{abs(change):.10g}"
    return Found(answer, 0.9, before.place, before.unit, "change between years")


def _formula(search: Search) -> Found | None:
    """Return a textbook quantity that the question names, computed from labelled rows of one document."""
    core = search.query.core
    for line in FORMULAS.strip().splitlines():
        names, _, rows = line.partition(" = ")
        named = re.search(rf"(?i)(?<! to )\b(?:{names.replace(' or ', '|')})\b", core)
        if named and not NOT_A_FORMULA.search(core):
            return _evaluated(search, re.split(r" ([-+/]) ", rows), "/" in rows)
    return None


def _evaluated(search: Search, parts: Sequence[str], is_ratio: bool) -> Found | None:
    """Return the value of ``row (sign row)*``, all rows from the document that holds the first."""
    first = _balance(search, parts[0])
    if first is None:
        return None
    value = first.number
    for sign, labels in zip(parts[1::2], parts[2::2], strict=True):
        row = _balance(search, labels, first.place)
        if row is None or not row.number:
            return None
        amount = abs(row.number)
        value = value / amount if sign == "/" else value + amount if sign == "+" else value - amount
    percent = is_ratio and re.search(r"(?i)percent|%", search.query.text)
    answer = f"{100 * value:.1f}%" if percent else f"{value:.3f}" if is_ratio else f"{value:.10g}"
    return Found(answer, 0.9, first.place, first.unit, "formula")


def _balance(search: Search, labels: str, only: int | None = None) -> _Labelled | None:
    """Return the row that is most nearly one of several labels; for ``average ...`` the mean of two years."""
    years, bare = search.query.years, labels.removeprefix("average ")
    rows = [row for label in bare.split(" or ") if (row := _row_value(search.pool, label, years, only))]
    best = max(rows, key=lambda row: row.likeness, default=None)
    if best is None or bare == labels or not years:
        return best
    before = _row_value(search.pool, search.pool[best.place].label_of(best.unit), [str(int(years[-1]) - 1)], best.place)
    return best._replace(number=(best.number + before.number) / 2) if before else best


def _asked_row(search: Search) -> Found | None:
    """Return the row whose label is the asked phrase, or for ``A to B ratio`` the quotient of two such rows."""
    query = search.query
    phrase = re.sub(r"(?i)\(.*?\)|\b(?:fy ?\d{4}|ratio|amount|in \d{4})\b", " ", _first_group(ASKED_PHRASE, query.core))
    phrase = re.sub(r"^\w+'s ", "", phrase.strip())
    left, to, right = phrase.partition(" to ")
    if to:
        return _quotient(search, left, right)
    row = _row_value(search.pool, phrase, query.years)
    if not row:
        return None
    answer = _as_asked(row.cell, query, search.pool[row.place], row.unit)
    return Found(answer, row.likeness, row.place, row.unit, "table row")


def _quotient(search: Search, left: str, right: str) -> Found | None:
    """Return one labelled row divided by another of the same document."""
    found = _evaluated(search, (f"{left} or total {left}", "/", f"{right} or total {right}"), is_ratio=True)
    return found._replace(score=1.0, rule="ratio of rows") if found else None


def _computed(search: Search) -> Found | None:
    return _change(search) or _formula(search) or _asked_row(search)


# Rules, one a kind of answer
COUNTED: Final = re.compile(
    r"(?i)how (?:many|much) (?:[\w-]+ ){0,3}?([\w-]+?)(?= (?:are|is|were|was|do|does|did|has|have|in|of|that|which"
    r"|should|can|the|for|to|on|with|from|you|we|there)\b| ?\?|$)"
)
MENTIONS: Final = re.compile(
    r"(?i)how many times (?:does|do|is|was) (?:the (?:word|term|phrase) )?[\"'“]?(.+?)[\"'”]?"
    r" (?:appear|mention|occur|used)"
)
# Things that documents number, so that the numbers that follow the noun can be counted.
NUMBERED_NOUNS: Final = (
    "table figure chapter exhibit quiz quizzes appendix section unit step algorithm volume module annex"
)
NUMBERED: Final = frozenset(stem(noun) for noun in NUMBERED_NOUNS.split())
LISTED: Final = frozenset(stem(noun) for noun in "step way rule area tip item method part kind type".split())


def _count(search: Search) -> Found | None:
    """Answer ``how many``: mentions of a word, numbered things, items of a list, else a number beside the noun."""
    core = search.query.core
    if quoted := MENTIONS.search(core):
        return _mentions(search, quoted[1])
    counted = COUNTED.search(core)
    noun = stem(counted[1].lower()) if counted else ""
    found: Found | None = None
    if noun in NUMBERED and len(set(search.query.terms) - {noun}) <= 1:
        found = _numbered(search, noun)
    elif noun in LISTED:
        found = _list_length(search)
    return found or _computed_or_number(search, noun=noun)


def _mentions(search: Search, phrase: str) -> Found | None:
    """Count how often a phrase stands in the document that has it most often."""
    pattern = re.compile(rf"(?i)(?<!\w){re.escape(phrase)}(?!\w)")
    places = [[unit for unit, line in enumerate(text.units) for _ in pattern.finditer(line)] for text in search.pool]
    most = max(range(len(places)), key=lambda place: len(places[place]))
    return Found(str(len(places[most])), 1.0, most, places[most][0], "count of mentions") if places[most] else None


def _numbered(search: Search, noun: str) -> Found | None:
    """Count the distinct numbers that follow a noun: ``Chapter 1`` to ``Chapter 12`` are twelve."""
    best: Found | None = None
    pattern = re.compile(rf"(?i)\b{re.escape(noun[:4])}\w*\W{{0,3}}(?:[a-z]-)?#?(\d{{1,2}}|[ivx]+)\b")
    for place, text in enumerate(search.pool):
        units = sorted(set(text.holders(noun).tolist()))
        numbers = {found.lower() for unit in units for found in pattern.findall(text.units[unit])}
        if len(numbers) >= 2 and (best is None or len(numbers) > int(best.answer)):
            best = Found(str(len(numbers)), 1.0, place, units[0], "count of numbered things")
    return best


def _list_length(search: Search) -> Found | None:
    """Count the items under the best heading or lead-in that has any."""
    for candidate in search.ranked[:6]:
        items = _items_below(candidate.text, candidate.unit)
        if len(items) >= 2:
            return Found(str(len(items)), candidate.score, candidate.place, candidate.unit, "count of items")
    return None


def _computed_or_number(search: Search, noun: str = "", percent: bool = False) -> Found | None:
    return _computed(search) or _number(search, noun, percent)


def _percent(search: Search) -> Found | None:
    return _computed_or_number(search, percent=True)


CHOICE: Final = re.compile(r"(?i)[,?:.] *(?:to )?([^,?:.]+?),? or (?:to )?(?:the )?([^,?:.]+?)\s*\??$")
LESS: Final = re.compile(r"(?i)\b(?:less|fewer|lower|smaller|least|shorter|earlier|before)\b")


def _choice(search: Search) -> Found | None:
    """Answer ``which is more, A or B`` by the numbers beside the two, else by which of the two is better attested."""
    options = CHOICE.search(search.query.core)
    if not options:
        return None
    attested = [_option(search, option) for option in options.groups()]
    (first, second), numbers = attested, [number for number, _ in attested]
    if numbers[0] == numbers[1]:
        pick = int(second[1].score > first[1].score)
    else:
        pick = int((numbers[1] > numbers[0]) != bool(LESS.search(search.query.core)))
    held = attested[pick][1]
    return Found(options[pick + 1].strip(), max(held.score, search.ranked[0].score), held.place, held.unit, "choice")


def _option(search: Search, option: str) -> tuple[float, Candidate]:
    """Return the number that belongs to one option, and the unit that attests it best."""
    query = read_question(option, search.pool)
    query = replace(query, years=search.query.years)
    ranked = rank_units(query, search.pool, 5)
    row = _row_value(search.pool, option, search.query.years)
    found = _number(Search(query, search.pool, ranked))
    value = read_value(found.answer) if found else None
    return (row.number if row else value.number if value else 0.0), ranked[0]


def _pattern_rule(pattern: str, name: str) -> Callable[[Search], Found | None]:
    """Return a rule that takes the first match of a pattern in or just below the best units."""
    compiled = re.compile(pattern)

    def rule(search: Search) -> Found | None:
        for candidate in search.ranked:
            for unit in range(candidate.unit, min(len(candidate.text.units), candidate.unit + 4)):
                if found := compiled.search(candidate.text.units[unit]):
                    return Found(found.group().strip(), candidate.score, candidate.place, unit, name)
        return None

    return rule


MONTHS: Final = "janfebmaraprmayjunjulaugsepoctnovdec"
MONTH: Final = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
DATE: Final = (
    rf"(?i)\b(?:{MONTH} \d{{1,2}},? \d{{4}}|\d{{1,2}} {MONTH},? \d{{4}}|\d{{1,2}}/\d{{1,2}}/\d{{2,4}}|\d{{4}}-\d\d-\d\d"
    rf"|{MONTH},? \d{{4}}|{MONTH} \d{{1,2}}\b|(?:19|20)\d\d\b)"
)
_DATE_RULE: Final = _pattern_rule(DATE, "date")
# The parts of a written date, in the three orders people use.
DATE_ORDERS: Final = (
    re.compile(rf"(?i)(?P<day>\d{{1,2}}) (?P<month>{MONTH}),? (?P<year>\d{{4}})"),
    re.compile(rf"(?i)(?P<month>{MONTH}) (?P<day>\d{{1,2}}),? (?P<year>\d{{4}})"),
    re.compile(r"(?P<month>\d{1,2})/(?P<day>\d{1,2})/(?P<year>\d{4})"),
)


def _date(search: Search) -> Found | None:
    """Return the first date at the best units, as YYYY-MM-DD where the question asks for that."""
    found = _DATE_RULE(search)
    if not found or not re.search(r"(?i)y{4}-mm-dd", search.query.text):
        return found
    parts = next((match for order in DATE_ORDERS if (match := order.search(found.answer))), None)
    if parts is None:
        return found
    month = parts["month"]
    number = int(month) if month.isdigit() else MONTHS.index(month[:3].lower()) // 3 + 1
    return found._replace(answer=f"{parts['year']}-{number:02d}-{int(parts['day']):02d}")


# A line that holds this share of the question's weight is taken to say so.
MOSTLY_SAID: Final = 0.9


def _yes_or_no(search: Search) -> Found | None:
    best = search.ranked[0]
    return Found("Yes" if best.score > MOSTLY_SAID else "No", best.score, best.place, best.unit, "yes or no")


INLINE_LIST: Final = re.compile(
    r"(?:includ\w*|such as|namely|\bare|\bis|:|comprise[sd]?|consist\w* of|following)\s+([^.;:]*,[^.;:]*)"
)


def _list(search: Search) -> Found | None:
    """Return the items below the best heading or lead-in, or an enumeration inside a sentence."""
    best: Found | None = None
    for candidate in search.ranked[:25]:
        for items, bonus in (
            (_items_below(candidate.text, candidate.unit), 0.15),
            (_inline_items(candidate.line), 0.0),
        ):
            if len(items) < 2 or (best and candidate.score + bonus <= best.score):
                continue
            best = Found("; ".join(items), candidate.score + bonus, candidate.place, candidate.unit, "list")
    return best


def _items_below(text: Text, unit: int) -> list[str]:
    """Return the bullets, short lines or row labels that follow a heading or a line that ends with a colon."""
    line = text.units[unit].rstrip()
    if text.kinds[unit] not in (HEAD, ITEM) and not line.endswith(":"):
        return []
    items: list[str] = []
    first = unit + 1
    if first + 1 < len(text.units) and text.headers[first + 1] == first:
        first += 1
    bulleted = first < len(text.units) and bool(BULLET.match(text.units[first]))
    for below in range(first, min(len(text.units), first + 25)):
        bullet = BULLET.match(text.units[below])
        if bool(bullet) != bulleted or not (bulleted or text.kinds[below] == text.kinds[first] in (ITEM, ROW)):
            break
        label = text.label_of(below) if below in text.cells else text.units[below]
        items.append(BULLET.sub("", label, count=1).strip(" .;•"))
    return [item for item in items if item]


def _inline_items(line: str) -> list[str]:
    """Return the members of ``includes a, b and c``; fewer than three commas-and-ands is no list."""
    found = INLINE_LIST.search(line)
    if not found or YEAR.search(found[1]) or "et al" in found[1]:
        return []
    parts = [re.sub(r"^(?:and|or|the|a) ", "", part.strip()) for part in re.split(r", (?:and |or )?| and ", found[1])]
    items = [part for part in parts if part and len(part.split()) <= 10]
    return items if len(items) >= 3 else []


# A clause that says what its subject is: the answer is what follows the verb.
DEFINITION: Final = re.compile(r"(?i)^(.{3,80}?)(?:\b(?:is|are|was|were|means|refers to)\b|:)\s+(.+)$")
LONGEST_ANSWER: Final = 30


def clause(search: Search) -> Found | None:
    """Return the part of the best unit that the question does not already say, or what follows a heading.

    A question that names a year may be after a table row, whatever else it looks like.
    """
    if search.query.years and (computed := _computed(search)):
        return computed
    told = set(search.query.terms) | STOP_WORDS
    for candidate in search.ranked[:6]:
        text, unit = candidate.text, candidate.unit
        if unit in text.cells and len(text.cells[unit]) > 1:
            new = [cell for cell in text.cells[unit] if not set(words_of(cell)) <= told]
            if new:
                answer = min(new, key=lambda cell: len(set(words_of(cell)) & told))
                return Found(_clipped(answer, told), candidate.score, candidate.place, unit, "table cell")
        below = _first_new_unit(text, unit, told)
        if below >= 0:
            answer = text.units[below].replace(" | ", " ")
            return Found(_clipped(answer, told), candidate.score, candidate.place, below, "clause")
    return None


def _first_new_unit(text: Text, unit: int, told: set[str] | frozenset[str]) -> int:
    """Return the unit itself if it says anything new, else the first of the next three that does, else -1."""
    lead_in = text.units[unit].rstrip().endswith(":")
    for below in range(unit + lead_in, min(len(text.units), unit + 4)):
        if (below == unit or text.kinds[below] != HEAD) and not set(words_of(text.units[below])) <= told:
            return below
    return -1


def _clipped(line: str, told: set[str] | frozenset[str]) -> str:
    """Return a line without the subject that the question gave, cut to the words nearest to the question's."""
    said = DEFINITION.match(line)
    if said and set(words_of(said[1])) <= told:
        line = said[2]
    words = line.split()
    if len(words) <= LONGEST_ANSWER:
        return line
    held = [bool(set(words_of(word)) & told) for word in words]
    start = max(range(len(words) - LONGEST_ANSWER + 1), key=lambda k: (sum(held[k : k + LONGEST_ANSWER]), -k))
    return " ".join(words[start : start + LONGEST_ANSWER])


RULES: Final[dict[str, Callable[[Search], Found | None]]] = {
    "choice": _choice,
    "email": _pattern_rule(r"[\w.+-]+@[\w-]+\.[\w.-]*\w", "e-mail address"),
    "phone": _pattern_rule(r"\+?\(?\d[\d ().-]{6,18}\d", "phone number"),
    "url": _pattern_rule(r"(?:https?://|www\.)[^\s,;)|]+|\b[\w-]+\.(?:com|org|edu|gov|net)\b[^\s,;)|]*", "web address"),
    "yesno": _yes_or_no,
    "list": _list,
    "count": _count,
    "percent": _percent,
    "amount": _computed_or_number,
    "year": _pattern_rule(YEAR.pattern, "year"),
    "date": _date,
    "text": clause,
}
