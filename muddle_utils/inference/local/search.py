"""How the embedded reader searches: words and numbers, documents cut into units, questions, and ranked units.

A document becomes headings, table rows, list items and sentences, each with its page. A question becomes weighted
terms. A unit's score is the share of the question's weight that it holds, or that stands near it, so the score is
also how sure the reader may be. What the answer is in the best units is decided in ``extraction``.
"""

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from muddle_utils.rendering.page_markers import MARKER
from muddle_utils.scoring.numbers import COUNTING

LONGEST_UNIT: Final = 1200
LONGEST_QUESTION: Final = 4000
MOST_TERMS: Final = 40
CANDIDATES: Final = 60


# Words ---------------------------------------------------------------------------------------------------------------


# Words that say nothing about where an answer stands: function words, and the words questions about documents use.
STOP_WORDS: Final = frozenset(
    """a an the of in on at to for from by with and or as is are was were be been being do does did has have had it its
    this that these those there their they them he she his her you your we our us i me my what which who whom whose
    when where why how many much than then so if not no can could would should will shall may might must about into
    over under per between among any all each other most more such same give tell list write show please name names
    mention mentioned according document documents report paper slide slides brochure guidebook guide book text page
    pages answer following based using used use also only one noted shown listed appear appears include included
    """.split()
)
ENDINGS: Final = tuple(pair.split(":") for pair in "ies:y sses:ss ing: edly: ed: es: ly: s:".split())
NUMBER_WORDS: Final = {word: number for number, word in enumerate(COUNTING)}
SCALES: Final = {"thousand": 1e3, "million": 1e6, "billion": 1e9}

WORD: Final = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?\d*|\d[\d,]*(?:\.\d+)?")
YEAR: Final = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
# A number as people write it: sign or brackets, currency, thousands, decimals, then per cent or a scale word.
NUMBER: Final = re.compile(
    r"(?<![\w.,-])\(?-?[$€£]? ?\(?-?(?:\d{1,3}(?:,\d{2,3})+|\d+)(?:\.\d+)?\)?"
    r"(?: ?%| (?:percent|thousand|million|billion)\b)?(?!\w|[.,]\d)"
)
NUMBER_WORD: Final = re.compile(rf"\b(?:{'|'.join(NUMBER_WORDS)})\b", re.IGNORECASE)
NUMERIC_CELL: Final = re.compile(r"[-$€£( ]*\d(?:[\d,.]*\d)?[ )%$€£]*(?:\([\d.]+%?\))?")
# Characters that printing uses and questions do not.
PLAIN: Final = str.maketrans(
    dict(zip("ﬀﬁﬂﬃﬄ\u00a0\u00ad−’\f", ("ff", *"fi fl ffi ffl".split(), " ", "", "-", "'", "\n"), strict=True))
)


def stem(word: str) -> str:
    """Return a word without its commonest English endings, so that ``ratios`` meets ``ratio``."""
    if len(word) < 4 or word[0].isdigit():
        return word
    for ending, mend in ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            word = word[: -len(ending)] + mend
            break
    return word[:-1] if word.endswith("e") and len(word) > 4 else word


def _raw_words(text: str) -> list[str]:
    return WORD.findall(text.lower())


@lru_cache(maxsize=200_000)
def _normal(word: str) -> str:
    return stem(word.replace(",", "").removesuffix("'s"))


def words_of(text: str) -> list[str]:
    """Return the stemmed words and plain numbers of a text; ``FY2021`` gives ``fy`` and ``2021``."""
    text = re.sub(r"(?i)\bfy ?'?(?=\d{4})", "fiscal ", text)
    return [_normal(word) for word in _raw_words(text)]


@lru_cache(maxsize=20_000)
def content_words(text: str) -> tuple[str, ...]:
    """Return the words of a text that say where an answer stands."""
    return tuple(word for word in words_of(text) if word not in STOP_WORDS)


class Value(NamedTuple):
    """A number read from text: its value as written, whether it is a percentage, and its scale word's factor."""

    number: float
    percent: bool
    scale: float | None


def read_value(text: str) -> Value | None:
    """Return the first number in a text, or None; brackets or a minus sign make it negative."""
    found = re.search(r"\d[\d,]*(?:\.\d+)?", text)
    if not found:
        return None
    low = text.lower()
    negative = "-" in low[: found.start()] or ("(" in low[: found.start()] and ")" in low)
    number = float(found.group().replace(",", ""))
    scale = next((factor for word, factor in SCALES.items() if word in low), None)
    return Value(-number if negative else number, "%" in low or "percent" in low, scale)


# Documents as units --------------------------------------------------------------------------------------------------


BULLET: Final = re.compile(r"(?:[•●▪■◆►✓–*·-]|\(?\d{1,2}[.)]|\(?[a-z][.)])\s+")
SENTENCE_END: Final = re.compile(r"(?<=[a-z0-9)\]%'”\"][.?!])\s+(?=[A-Z(“\"•])")
# A table row that lost its bars: words, then two or more numbers up to the end of the line.
LOOSE_ROW: Final = re.compile(r"(?=[^\d]*[A-Za-z]{3})(.{3,100}?)((?: +\(?[$€£]? ?\(?-?\d[\d,.]*\)?%?| +[—–-]){2,})$")
# Contents pages point to an answer but do not hold it.
DOT_LEADER: Final = re.compile(r"\.{4,}|(?:\. ){4,}")
CELL_NOISE: Final = frozenset(["", "$", "%", ")", "€", "£", "%)"])

HEAD, ROW, ITEM, SENTENCE = range(4)


class Text:
    """One document cut into units (headings, table rows, list items, sentences) with an index of their words."""

    def __init__(self, markdown: str) -> None:
        """Cut and index a document given as Markdown, with or without page markers."""
        self.units: list[str] = []
        self.kinds: list[int] = []
        self.cells: dict[int, list[str]] = {}
        self.pages: list[int] = []
        self.labels: dict[int, str] = {}
        self.size = len(markdown)
        _Segmenter(self).run(markdown)
        self._index()
        self.heads = self._last_heads()
        self.headers = self._header_rows()
        self.dotted = np.array([DOT_LEADER.search(unit) is not None for unit in self.units], dtype=bool)

    def _index(self) -> None:
        """Number the distinct words; ``tokens`` are word numbers in reading order, ``owners`` the unit of each."""
        self.vocabulary: dict[str, int] = {}
        numbers: dict[str, int] = {}
        tokens: list[int] = []
        lengths: list[int] = []
        for unit in self.units:
            before = len(tokens)
            for raw in _raw_words(unit):
                number = numbers.get(raw)
                if number is None:
                    number = numbers[raw] = self.vocabulary.setdefault(_normal(raw), len(self.vocabulary))
                tokens.append(number)
            lengths.append(len(tokens) - before)
        self.tokens = np.array(tokens, dtype=np.int32)
        self.lengths = np.array(lengths, dtype=np.int32)
        self.owners = np.repeat(np.arange(len(self.units), dtype=np.int32), self.lengths)
        self.run_together = [word for word in self.vocabulary if len(word) >= 16 and word.isalpha()]

    def _last_heads(self) -> NDArray[np.int32]:
        """Return for each unit the heading it stands under, or -1."""
        marks = np.where(np.array(self.kinds, dtype=np.int32) == HEAD, np.arange(len(self.kinds)), -1)
        return np.maximum.accumulate(marks).astype(np.int32) if len(marks) else marks.astype(np.int32)

    def _header_rows(self) -> NDArray[np.int32]:
        """Return for each table row the row that heads its columns: the last mostly-wordy one of about its width."""
        headers = np.full(len(self.units), -1, dtype=np.int32)
        last: dict[int, int] = {}
        for unit, cells in self.cells.items():
            width = len(cells)
            if width > 1 and 3 * sum(any(c.isdigit() for c in cell) for cell in cells) <= width:
                last[width] = unit
            for near in (width, width - 1):
                head = last.get(near, -99)
                if head != unit and unit - head < 30:
                    headers[unit] = head
                    break
        return headers

    def numbers_of(self, term: str) -> list[int]:
        """Return the word numbers that a query term matches: itself, and run-together words that contain it."""
        own = [self.vocabulary[term]] if term in self.vocabulary else []
        if len(term) >= 6:
            own += [self.vocabulary[word] for word in self.run_together if term in word and word != term]
        return own

    def holders(self, term: str) -> NDArray[np.int32]:
        """Return the units that hold a term, once for each time they do."""
        numbers = self.numbers_of(term)
        if not numbers:
            return np.zeros(0, dtype=np.int32)
        where = self.tokens == numbers[0] if len(numbers) == 1 else np.isin(self.tokens, numbers)
        return self.owners[where]

    def label_of(self, unit: int) -> str:
        """Return what a table row is called: its first cell."""
        return self.cells[unit][0]


class _Segmenter:
    """Reads a document line by line and adds its units to a text."""

    def __init__(self, text: Text) -> None:
        self.text = text
        self.lines: list[str] = []
        self.page = 0
        self.open = False

    def run(self, markdown: str) -> None:
        """Cut the whole document."""
        for line in markdown.translate(PLAIN).split("\n"):
            self.line(line.strip())
        self.flush()

    def line(self, line: str) -> None:
        """Take one line: a marker, a heading, a row, the start of an item, or more of the current paragraph."""
        first = line[:1]
        if not first:
            self.flush()
            self.open = False
        elif first == "|":
            self.flush()
            self.row([cell.strip() for cell in line.strip("|").split("|")])
        elif first == "#":
            self.flush()
            self.add(line.lstrip("# "), HEAD)
        elif first == "<" and (marker := MARKER.match(line)):
            self.flush()
            self.turn_page(int(marker[1]), marker[2] or "")
        elif (line[-1].isdigit() or line[-1] in ")%—-") and (loose := LOOSE_ROW.match(line[:200])) and len(line) < 200:
            self.flush()
            self.row([loose[1].strip(), *loose[2].split()])
        elif first in "$€£(-—–0123456789" and (NUMERIC_CELL.fullmatch(line) or line in "$—–-"):
            self.number(line)
        else:
            self.prose(line)

    def number(self, line: str) -> None:
        """Take a line that is only a number: a cell of the row whose label was the short line before it."""
        unit = len(self.text.units) - 1
        if self.open and not self.lines:
            if line not in CELL_NOISE:
                self.text.cells[unit].append(line)
                self.text.units[unit] += " | " + line
            return
        label = self.lines.pop() if self.lines else ""
        if len(label) < 60 and any(c.isalpha() for c in label) and len("".join(self.lines[-1:])) < 60:
            self.flush()
            self.row([label, line])
            self.open = True
        else:
            self.lines += [label] * bool(label)
            self.prose(line)

    def turn_page(self, page: int, label: str) -> None:
        """Note where a page starts."""
        self.page = page
        self.text.labels[page] = label or str(page)

    def row(self, cells: list[str]) -> None:
        """Add a table row, without empty cells and stray currency signs; a ruling adds nothing."""
        cells = [cell.removesuffix(" $").removeprefix("$ ") for cell in cells if cell not in CELL_NOISE]
        if not cells or all(set(cell) <= set("-: ") for cell in cells):
            return
        joined = " | ".join(cells)
        if len(joined) > LONGEST_UNIT:
            self.add(joined, SENTENCE)
        else:
            self.text.cells[len(self.text.units)] = cells
            self.add(joined, ROW)

    def prose(self, line: str) -> None:
        """Take a line of running text; bullets and short lines after short lines start a new unit."""
        if BULLET.match(line):
            self.flush()
        elif self.lines:
            last = self.lines[-1]
            if len(last) < 45 and (len(line) < 45 or last[-1] in ".:;?"):
                self.flush()
            elif last[-1] == "-" and line[0].islower() and last[-2:-1].isalpha():
                self.lines[-1] = last[:-1] + line
                return
        self.lines.append(line)

    def flush(self) -> None:
        """Add the current paragraph as sentences, or as an item or a heading when it is short."""
        if not self.lines:
            return
        whole = " ".join(self.lines)
        alone = len(self.lines) == 1
        self.lines = []
        if len(whole) > 60:
            for sentence in SENTENCE_END.split(whole):
                self.add(sentence, SENTENCE)
        else:
            self.add(whole, HEAD if alone and _looks_like_heading(whole) else ITEM)

    def add(self, unit: str, kind: int) -> None:
        """Add one unit, cut where it is longer than any line has a right to be."""
        while len(unit) > LONGEST_UNIT:
            cut = unit.rfind(" ", LONGEST_UNIT // 2, LONGEST_UNIT)
            cut = cut if cut > 0 else LONGEST_UNIT
            self._append(unit[:cut], kind)
            unit = unit[cut:].lstrip()
        self._append(unit, kind)

    def _append(self, unit: str, kind: int) -> None:
        self.open = False
        if unit:
            self.text.units.append(unit)
            self.text.kinds.append(kind)
            self.text.pages.append(self.page)


def _looks_like_heading(line: str) -> bool:
    """Say whether a short line that stands alone reads as a heading: capital first, letters, no final stop."""
    return line[-1].isalnum() and (line[0].isupper() or line[0].isdigit()) and sum(c.isalpha() for c in line) > 5


# Questions -----------------------------------------------------------------------------------------------------------


# Sentences, and ends of sentences, that say how to write the answer; their words are not where the answer stands.
SENTENCES: Final = re.compile(r"(?<=\w{2}[.?!])\s*(?=[A-Z])")
FORMAT_SENTENCE: Final = re.compile(
    r"(?i)(?:please |just |only )*(?:an?n?s?wer|the answer|your answer|round|write|return|give|format|express|report"
    r"|keep|list (?:all|them|the answer)|enumerate|for example|e\.g\.)\b"
)
FORMAT_CLAUSE: Final = re.compile(
    r"(?i)[,;]? *\(?\b(?:round(?:ed|ing)? (?:to|your)|(?:formatted )?as (?:a|an|one) (?:list|integer|float)"
    r"|in (?:a )?list|for example|e\.g\.|to \w+ decimal|as y{4}|please)\b.*$"
)
FISCAL_YEAR: Final = re.compile(r"(?i)\bfiscal year (?:end(?:ed|ing)) [a-z]+ \d+, (\d{4})")
PAGE_BOUND: Final = re.compile(
    rf"(?i)\b(?:on|in|of|from|at) (?:the )?(?:page|slide)s? (\d{{1,4}}|[ivxl]+|{'|'.join(COUNTING)})\b"
    r"|\b(first|cover|front) page\b"
)
THING: Final = (
    "algorithm|dataset|model|method|group|company|port|team|country|region|area|city|signal|step|channel|operation"
    "|technology|technique|program|programme|type|kind|title|topic|name|court|device|person|factor|law|metric|category"
    "|chapter|section|brand|material|colou?r|organi[sz]ation|university|department|activity"
)
# What kind of answer a question asks for; the first pattern that is found decides.
ASKED_FOR: Final = {
    "choice": r"^(?:which|who|what)\b(?=.*\b(?:more|less|fewer|greater|larger|higher|lower|longer|before|after)\b)"
    r".*\bor\b",
    "email": r"e-?mail",
    "phone": r"\bphone n|telephone|\bfax\b|\btel\b",
    "url": r"website|\burl\b|web address",
    "yesno": r"^(?:is|are|was|were|do|does|did|can|has|have)\b(?!.* or )",
    "count": r"how many|\bnumber of\b(?!.*percent)",
    "list": r"as a list|in (?:a )?list|list format|^list\b|enumerate|^(?:what|which|who|where) are\b"
    r"|what (?:kinds|types)|^which (?:\w+ )?\w+s (?:are|were|have|do)\b|the (?:names|items|components|areas) of",
    "text": rf"\b(?:which|what) (?:is |are |was |were )?(?:the |of the )?(?:\w+ )?(?:{THING})\b"
    r"(?!.*(?:how much|percent))",
    "percent": r"percent|proportion|what share|\brate\b|accuracy",
    "amount": r"how much|fiscal year|\bfy ?\d|amount|float|decimal|\bratio\b|\bvalue\b|million|billion|thousand"
    r"|maximum|\bscore\b|\btotal\b|average|[$€£]|\busd\b|\bcosts?\b|\bprice|expense|integer|turnover",
    "year": r"\b(?:which|what) year",
    "date": r"^when\b|\bwhen (?:was|were|did|does|is|will|has)\b|\bdate\b",
}
# Words that name a thing known by its look: an address on the page needs no label that says so.
SEEN_BY_LOOK: Final = {
    kind: frozenset(words_of("email e-mail mail website web site url link address id")) for kind in ("email", "url")
}


@dataclass(frozen=True)
class Query:
    """A question made ready: its text, the text without format notes, the kind of answer, terms and their weights."""

    text: str
    core: str
    kind: str
    terms: tuple[str, ...]
    weights: NDArray[np.float64]
    years: tuple[str, ...]
    page: str

    @property
    def total(self) -> float:
        """The weight of all terms."""
        return float(self.weights.sum()) or 1.0


def _asked_for(question: str) -> str:
    """Return the kind of answer a question asks for, judged by the sentence that asks, else by all it says."""
    low = question.lower().strip()
    asking = [part for part in re.split(r"(?<=\w{3}[.?!]) ", low) if "?" in part]
    kinds = (kind for text in (*asking[-1:], low) for kind, pattern in ASKED_FOR.items() if re.search(pattern, text))
    return next(kinds, "text")


def _core(question: str) -> str:
    """Return the question without notes on how to write the answer."""
    sentences = [part for part in SENTENCES.split(question) if "?" in part or not FORMAT_SENTENCE.match(part)]
    core = " ".join(FORMAT_CLAUSE.sub("?" if "?" in part else "", part) for part in sentences)
    core = FISCAL_YEAR.sub(r"fiscal \1", core)
    return core if len(core) > 12 else re.sub(r"(?i)\bas y{4}.*$|^format\b", "", question)


def _page_asked(core: str) -> str:
    """Return the page that a question names, as digits or a printed label, or an empty text."""
    named = PAGE_BOUND.search(core)
    page = (named[1] or "1").lower() if named else ""
    return str(NUMBER_WORDS.get(page, page))


def read_question(question: str, pool: Sequence[Text]) -> Query:
    """Make a question ready for a pool of documents, repairing misspelt words by the pool's own vocabulary."""
    question = " ".join(question.translate(PLAIN).replace("_", " ").split())[:LONGEST_QUESTION]
    core = _core(question)
    kind = _asked_for(question)
    seen = SEEN_BY_LOOK.get(kind, frozenset())
    words = [word for word in content_words(PAGE_BOUND.sub(" ", core)) if len(word) > 1 or word.isdigit()]
    terms = tuple(dict.fromkeys(_repaired(word, pool) for word in words if word not in seen))[:MOST_TERMS]
    n_units = sum(len(text.units) for text in pool) + 1
    n_holding = np.array([sum(text.holders(term).size for text in pool) for term in terms], dtype=np.float64)
    weights = np.log1p((n_units - np.minimum(n_holding, n_units) + 0.5) / (n_holding + 0.5))
    unknown_code = np.array([any(c.isdigit() for c in term) for term in terms], dtype=bool) & (n_holding == 0)
    weights[unknown_code] *= UNKNOWN_CODE
    return Query(question, core, kind, terms, weights, tuple(YEAR.findall(core)), _page_asked(core))


def _repaired(term: str, pool: Sequence[Text]) -> str:
    """Return a term, or where no document knows it the nearest word that one does (questions are often misspelt)."""
    if len(term) < 5 or not term.isalpha() or any(text.numbers_of(term) for text in pool):
        return term
    near = {
        word for text in pool for word in text.vocabulary if word[:2] == term[:2] and abs(len(word) - len(term)) < 3
    }
    return next(iter(difflib.get_close_matches(term, sorted(near), 1, 0.84)), term)


# Ranking -------------------------------------------------------------------------------------------------------------


# How much of a term's weight a unit gets when the term stands near it: (distance in units, share).
NEARBY: Final = ((1, 0.45), (2, 0.3), (-1, 0.3), (3, 0.2), (-2, 0.15))
# A year or code in the question that no document holds weighs this much more: the question is about something else.
UNKNOWN_CODE: Final = 3.0
HEADING_SHARE: Final = 0.5
HEADER_SHARE: Final = 0.6
DOCUMENT_SHARE: Final = 0.25
PHRASE_BONUS: Final = 0.25
COVERAGE_BONUS: Final = 0.25
PAGE_BONUS: Final = 0.45


class Candidate(NamedTuple):
    """A unit that may hold the answer."""

    score: float
    place: int
    text: Text
    unit: int

    @property
    def line(self) -> str:
        """The unit's text."""
        return self.text.units[self.unit]


def rank_units(query: Query, pool: Sequence[Text], keep: int = CANDIDATES) -> list[Candidate]:
    """Return the best units of the pool, best first; ties go to the earlier unit."""
    pairs = {pair for pair in pairwise(query.terms)}
    weight = dict(zip(query.terms, query.weights, strict=True))
    total = query.total
    found: list[Candidate] = []
    for place, text in enumerate(pool):
        scores = _scores(query, text)
        for unit in np.argsort(-scores, kind="stable")[:keep]:
            words = content_words(text.units[unit])
            bonus = sum(weight[a] + weight[b] for a, b in set(pairwise(words)) & pairs)
            found.append(Candidate(float(scores[unit]) + PHRASE_BONUS * bonus / total, place, text, int(unit)))
    return sorted(found, key=lambda candidate: (-candidate.score, candidate.place, candidate.unit))[:keep]


def _scores(query: Query, text: Text) -> NDArray[np.float64]:
    """Return for each unit the weighted share of the query's terms in it, or in part near it."""
    n = len(text.units)
    scores = np.zeros(n)
    covered = 0.0
    typical = 0.6 + 0.4 * text.lengths / max(1.0, float(text.lengths.mean()) if n else 1.0)
    for term, weight in zip(query.terms, query.weights, strict=True):
        counts = np.bincount(text.holders(term), minlength=n)
        if counts.any():
            own = np.minimum(1.0, 1.6 * counts / (counts + 0.6 * typical))
            scores += weight * _spread(own, counts, text)
            covered += float(weight)
    scores = scores / query.total + COVERAGE_BONUS * covered / query.total
    best = np.argsort(-scores, kind="stable")[: 3 * CANDIDATES]
    scores[best[text.dotted[best]]] *= 0.6
    return scores + PAGE_BONUS * _on_page(query, text) if query.page else scores


def _spread(own: NDArray[np.float64], counts: NDArray[np.int64], text: Text) -> NDArray[np.float64]:
    """Give each unit a share of a term that stands in its heading, its column heads, near it, or in its document."""
    best: NDArray[np.float64] = np.maximum(own, DOCUMENT_SHARE * min(1.0, counts.sum() / 3))
    for above, share in ((text.heads, HEADING_SHARE), (text.headers, HEADER_SHARE)):
        has = above >= 0
        best[has] = np.maximum(best[has], share * own[above[has]])
    for distance, share in NEARBY:
        if abs(distance) >= len(own):
            continue
        if distance > 0:
            best[distance:] = np.maximum(best[distance:], share * own[:-distance])
        else:
            best[:distance] = np.maximum(best[:distance], share * own[-distance:])
    return best


def _on_page(query: Query, text: Text) -> NDArray[np.float64]:
    """Return 1 for units on the page the question names, by its printed label or its place in the file."""
    named = {page for page, label in text.labels.items() if query.page in (label.lower(), str(page))}
    return np.isin(text.pages, sorted(named)).astype(np.float64)
