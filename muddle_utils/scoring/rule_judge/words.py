"""Two texts compared by their words: the same words, the same facts in other words, the opposite, one of several."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final

from muddle_utils.scoring.abstention import CONTRACTIONS
from muddle_utils.scoring.numbers import WORD_VALUES, plain_digits, read_digits
from muddle_utils.scoring.rule_judge.lexicon import (
    DENIALS,
    EXCEPTIONS,
    FILLERS,
    FUNCTION_WORDS,
    NEGATIONS,
    canonical,
    concept,
    plural_stem,
    strong_stem,
)

# --- Words --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Words:
    """A text as comparable tokens; ``gaps[i]`` is the punctuation between token i - 1 and token i.

    ``names`` are the tokens printed with a capital, ``opening`` the first of them if it opens the text.
    """

    tokens: tuple[str, ...]
    gaps: tuple[str, ...]
    names: frozenset[str]


_TOKEN: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|\d+(?:[.,]\d+)*|[^\W\d_]+[+#]*|[%$€£¥₹]")
_GAP: Final = re.compile(r"[,;/|:\n(]|[.!?](?=\s|$)")
_LEFT_OUT: Final = frozenset({"a", "an", "the"})
_MORE_CONTRACTIONS: Final = (
    (re.compile(r"\bwon't\b", re.I), "will not"),
    (re.compile(r"\b(\w+)n't\b", re.I), r"\1 not"),
    (re.compile(r"(?<=\w)'s\b"), ""),
)
_RANGES: Final = (
    (re.compile(r"\b(?:between|from) (\d[\d.,]*) (?:and|to|until|till|through) (?=\d)", re.I), r"\1-"),
    (re.compile(r"(?<=\d) (?:to|until|through) (?=\d)"), "-"),
)


def _token(raw: str) -> str:
    if raw[0].isdigit():
        read = read_digits(raw)
        by_value = read is not None and read[0] < 1_000_000 and not raw.startswith("0")
        return f"{float(read[0]):g}" if read and by_value else raw.replace(",", "")
    lowered = raw.lower()
    if lowered in WORD_VALUES:
        return str(WORD_VALUES[lowered])
    return plural_stem(lowered)


# At the beginning of a sentence the month is told from the verb by what follows it.
_MAY: Final = re.compile(r"May(?=\s+(?:was|is|had|has|saw|and|or|with|\d)\b|[,.;]|$)")


@lru_cache(maxsize=4096)
def words_of(text: str) -> Words:
    """Return the tokens of a text: canonical names, no articles, no plural s, numbers by value, contractions opened."""
    plain = unicodedata.normalize("NFKC", plain_digits(text)).replace("percent", "%").replace("per cent", "%")
    for pattern, opened in (*CONTRACTIONS, *_MORE_CONTRACTIONS):
        plain = pattern.sub(opened, plain)
    plain = canonical(plain)
    for pattern, opened in _RANGES:
        plain = pattern.sub(opened, plain)
    tokens: list[str] = []
    gaps: list[str] = []
    names: set[str] = set()
    last = 0
    for match in _TOKEN.finditer(plain):
        between = _GAP.search(plain, last, match.start())
        last = match.end()
        if match[0].lower() in _LEFT_OUT:
            continue
        token = _token(match[0])
        # "Per" and "May" inside a sentence are names, "In" at its beginning is not.
        opens = not tokens or (between and between[0] in ".!?:\n")
        if match[0][0].isupper() and not (opens and token in FUNCTION_WORDS and not _MAY.match(plain, match.start())):
            names.add(token)
        tokens.append(token)
        gaps.append(between[0] if between else "")
    return Words(tuple(tokens), tuple(gaps), frozenset(names))


def content_of(tokens: Iterable[str]) -> list[str]:
    """Return the tokens that carry a fact."""
    return [token for token in tokens if token not in FUNCTION_WORDS]


def places_of(wanted: Sequence[str], given: Sequence[str]) -> list[int]:
    """Return where ``wanted`` stands in ``given`` as a stretch."""
    size = len(wanted)
    return [i for i in range(len(given) - size + 1) if tuple(given[i : i + size]) == tuple(wanted)] if size else []


# --- One of several -----------------------------------------------------------------------------------------------


_LONGEST_ALTERNATIVE: Final = 4
_JOINTS: Final = ("and", "or")


def _is_boundary(words: Words, i: int) -> bool:
    """Return whether a new segment of an enumeration begins at token i."""
    return bool(words.gaps[i]) or words.tokens[i] in _JOINTS or words.tokens[i - 1] in _JOINTS


_PLURAL_VERBS: Final = frozenset({"are", "were", "all", "both", "have", "do", "did", "each"})


def _is_joint_subject(words: Words, i: int, step: int, n_words: int) -> bool:
    """Return whether the words before token i are a second subject, as in "Paris and London have" or "and Lima all"."""
    start = i - n_words
    if step < 0 or not n_words or start < 1 or words.tokens[start - 1] not in _JOINTS:
        return False
    return words.tokens[i] in _PLURAL_VERBS or words.tokens[start] in words.names


def _neighbours(words: Words, start: int, step: int) -> int:
    """Return how many short segments without a verb follow each other from token ``start`` in one direction."""
    found, segment = 0, 0
    i = start
    while 0 <= i < len(words.tokens):
        token = words.tokens[i]
        if token not in _JOINTS:
            # "Paris, not London" offers one answer, and a bracket is an aside.
            if (
                (token in FUNCTION_WORDS and token not in words.names)
                or token in NEGATIONS
                or (step > 0 and words.gaps[i] == "(")
            ):
                return found + _is_joint_subject(words, i, step, segment)
            segment += 1
        i += step
        at_end = not 0 <= i < len(words.tokens) or _is_boundary(words, i if step > 0 else i + 1)
        if segment > _LONGEST_ALTERNATIVE:
            return found
        if at_end and segment:
            found, segment = found + 1, 0
    return found


def _whole_item(words: Words, start: int, end: int) -> tuple[int, int]:
    """Return the answer's place with the few words to its sides that make it a longer item, as in "White Adults"."""
    left, right = start, end
    while left and not _is_boundary(words, left) and words.tokens[left - 1] not in FUNCTION_WORDS:
        left -= 1
    while right < len(words.tokens) and not _is_boundary(words, right) and words.tokens[right] not in FUNCTION_WORDS:
        right += 1
    left = left if left == 0 or _is_boundary(words, left) else start
    right = right if right == len(words.tokens) or _is_boundary(words, right) else end
    return (left, right) if right - left <= end - start + _LONGEST_ALTERNATIVE else (start, end)


def is_one_of_several(words: Words, start: int, end: int, most_others: int) -> bool:
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


def is_denied(words: Words, start: int, end: int, asks_for_exception: bool) -> bool:
    """Return whether the words around the answer say that it is not the answer.

    "All but X" names the answer where the question asks for the exception.
    """
    first = start
    while first > max(0, start - 3) and not words.gaps[first]:
        first -= 1
    before = words.tokens[first:start]
    after = words.tokens[end : end + 2]
    denies = DENIALS if asks_for_exception else DENIALS | EXCEPTIONS
    if "not" in before and "only" in before:
        return False
    says_no = len(after) == 2 and after[0] in ("is", "was", "are", "were", "did", "do", "does") and after[1] in (
        "not", "incorrect", "wrong",
    )  # fmt: skip
    return bool(denies & set(before)) or (says_no and not asks_for_exception)


# --- Facts in other words -----------------------------------------------------------------------------------------


_MODALS: Final = frozenset({"allow", "±allow"})
_CLAUSE: Final = re.compile(
    r"[.;!?](?=\s|$)|,|\n|\b(?:because|since|although|though|while|whereas|which|who|but|as)\b", re.I
)


@dataclass(frozen=True)
class Facts:
    """The concepts of a text with their signs, those with both signs, and whether a negation turns them round."""

    signs: dict[str, int]
    mixed: frozenset[str]
    order: tuple[str, ...]
    negated: bool

    def sign(self, name: str) -> int:
        """Return on which side of a concept the text stands, its negation counted."""
        return self.signs[name] * (-1 if self.negated else 1)


_UN: Final = re.compile(r"(?:un|non)(?!it|iq|iv|ion|der)([a-z]{3,}(?:ed|able|ible|ful|al|fair))")


@lru_cache(maxsize=4096)
def facts_of(text: str) -> Facts:
    """Return the concepts of a text; two negations cancel."""
    words = words_of(text)
    signs: dict[str, int] = {}
    mixed: set[str] = set()
    order: list[str] = []
    negations = 0
    for i, printed in enumerate(words.tokens):
        token = printed
        # "Undissolved" is "not dissolved"; listed words such as "unchanged" keep their meaning.
        if (negated := _UN.fullmatch(token)) and concept(token)[0] == strong_stem(token):
            token, negations = negated[1], negations + 1
        pair = (token, *words.tokens[i + 1 : i + 2])
        if token in NEGATIONS or concept(token)[0] in ("fail", "lack"):
            negations += pair != ("not", "only")
        elif token not in FUNCTION_WORDS or token in words.names or concept(token)[0].startswith("±"):
            name, sign = concept(token)
            if signs.setdefault(name, sign) != sign:
                mixed.add(name)
            order.append(name)
    return Facts(signs, frozenset(mixed), tuple(order), negations % 2 == 1)


def clauses_of(text: str) -> list[str]:
    """Return the clauses of a text."""
    return [part for part in _CLAUSE.split(text) if part.strip()]


def _core(text: str, wanted: set[str]) -> str:
    """Return the clauses of a prediction that hold any of the wanted concepts, or all of it if none does.

    What follows a "because" or stands in another sentence is a reason, and its "not" is not the answer's.
    """
    kept = [clause for clause in clauses_of(text) if wanted & set(facts_of(clause).signs)]
    return " ; ".join(kept) or text


def opposites_shared(left: Facts, right: Facts) -> list[str]:
    """Return the concepts with two sides on which both texts take one."""
    both = [name for name in left.signs if name.startswith("±") and name in right.signs]
    return [name for name in both if name not in left.mixed | right.mixed]


def clause_denies(question: str, clause: str) -> bool:
    """Return whether a clause says of the question's matter the opposite of what is asked about.

    "X is included" does not name what is "not included".
    """
    asked, said = facts_of(question), facts_of(clause)
    if not set(asked.signs) & set(said.signs):
        return False
    shared = opposites_shared(asked, said)
    return any(asked.sign(name) != said.sign(name) for name in shared) if shared else asked.negated != said.negated


ALL_BUT: Final = re.compile(
    r"\b(?:all|every\w*|any\w*|each|everything|no one|nobody|nothing|none)\b[^.,;]*\bbut\b", re.I
)


def overlap(question: str, clause: str) -> int:
    """Return how many of the question's concepts a clause takes up; a pronoun at its start stands for one."""
    asked, said = facts_of(question), facts_of(clause)
    first = words_of(clause).tokens[:1]
    pronoun = bool(first) and first[0] in {"it", "he", "she", "they", "this", "that"} - set(words_of(question).tokens)
    return sum(name in said.signs for name in asked.signs if _is_plain(name)) + pronoun


_STATEMENT: Final = re.compile(
    r"[.;!?](?=\s|$)|\n|,? \b(?:but|while|whereas|although|though)\b|, (?=\w)| and (?=\w)", re.I
)


def best_statements(question: str, text: str, start: int, end: int) -> tuple[int, int]:
    """Return how much the statement at a place takes up of the question, and how much the best other one does."""
    cuts = [0, *(match.end() for match in _STATEMENT.finditer(text)), len(text) + 1]
    own, others = 0, 0
    for first, last in pairwise(cuts):
        if last <= first:
            continue
        shared = overlap(question, text[first:last])
        if first <= start < last or first < end <= last:
            own = max(own, shared)
        else:
            others = max(others, shared)
    return own, others


def contradicts(wanted: Facts, given: Facts) -> bool:
    """Return whether one text negates, or says the opposite of, what the other says."""
    shared = opposites_shared(wanted, given)
    if shared:
        return any(wanted.sign(name) != given.sign(name) for name in shared)
    return wanted.negated != given.negated


_FILLER_CONCEPTS: Final = frozenset(concept(word)[0] for word in FILLERS) - {"±allow"}


def _is_plain(name: str) -> bool:
    return name not in _FILLER_CONCEPTS and name.removeprefix("±") not in FUNCTION_WORDS


def novel_facts(question: str, text: str) -> list[str]:
    """Return the concepts that a text adds to the question."""
    asked = facts_of(question).signs
    return [
        name
        for name in dict.fromkeys(facts_of(text).order)
        if _is_plain(name) and (name not in asked or (name.startswith("±") and name not in _MODALS))
    ]


def _roles_swapped(wanted: Words, given: Words) -> bool:
    """Return whether a role word, such as "than", stands before another thing of the reference than in it."""
    things = {token for token in wanted.tokens if token not in FUNCTION_WORDS}
    roles = {"than", "from", "to", "by", "before", "after", "over", "under", "behind", "against"}

    def bound(tokens: Sequence[str]) -> dict[str, str]:
        found: dict[str, str] = {}
        for i, token in enumerate(tokens):
            if token in roles:
                nearest = next((other for other in tokens[i + 1 : i + 4] if other in things), "")
                # "To" before a verb is no role.
                if token != "to" or nearest in wanted.names or nearest.isdigit():
                    found[token] = nearest
        return found

    left, right = bound(wanted.tokens), bound(given.tokens)
    return any(left[role] and right.get(role) and left[role] != right[role] for role in left)


def order_swapped(wanted: Words, given: Words) -> bool:
    """Return whether the two names of a reference stand round the same verb in the other order, as in "B beat A"."""
    pivots = [
        (a, set(content_of(wanted.tokens[i + 1 : j])), b)
        for (i, a), (j, b) in pairwise((i, t) for i, t in enumerate(wanted.tokens) if t in wanted.names)
        if a != b
    ]
    for a, between, b in pivots:
        if not between or a not in given.tokens or b not in given.tokens:
            continue
        i, j = given.tokens.index(a), given.tokens.index(b)
        if j < i and between & set(given.tokens[j:i]) and "by" not in given.tokens[j:i]:
            return True
    return False


def _ends_swapped(wanted: Words, given: Words) -> bool:
    """Return whether a text has the same words with subject and object exchanged: "imports exceeded exports"."""
    left, right = content_of(wanted.tokens), content_of(given.tokens)
    same = len(left) >= 3 and sorted(left) == sorted(right)
    return same and left[0] == right[-1] and left[-1] == right[0] and ("by" in wanted.tokens) == ("by" in given.tokens)


def _digits_of(tokens: Iterable[str]) -> set[str]:
    return {token for token in tokens if any(char.isdigit() for char in token)}


def _enough(n_held: int, n_wanted: int) -> bool:
    """Return whether so many of the wanted concepts are enough: all of up to three, four fifths of more."""
    return n_held == n_wanted if n_wanted <= 3 else n_held >= 0.75 * n_wanted


def says_the_same(question: str, reference: str, prediction: str) -> bool:
    """Return whether a prediction holds what the reference adds to the question, with its numbers, names and sign.

    What the reference repeats of the question needs no repeating. A reference that adds nothing but a sign, as in
    "It was rejected" to "Did it pass?", is compared by sign.
    """
    wanted, given = words_of(reference), words_of(prediction)
    asked = set(words_of(question).tokens)
    if _digits_of(wanted.tokens) - set(given.tokens) - asked or _digits_of(given.tokens) - set(wanted.tokens) - asked:
        return False
    novel = novel_facts(question, reference)
    if _roles_swapped(wanted, given) or order_swapped(wanted, given) or _ends_swapped(wanted, given):
        return False
    facts = facts_of(reference)
    if not novel:
        # Bare signs: "It is not allowed" to a question that names the deed.
        has_sign = facts.negated or any(name.startswith("±") for name in facts.order)
        return has_sign and bool(set(facts_of(prediction).signs) & set(facts_of(question).signs)) and not contradicts(
            facts, facts_of(prediction)
        )  # fmt: skip
    core = facts_of(_core(prediction, set(novel)))
    held = sum(name in core.signs for name in novel)
    names = {concept(name)[0] for name in wanted.names if name not in FUNCTION_WORDS and wanted.tokens[0] != name}
    if names - asked - set(core.signs) - {concept(token)[0] for token in asked}:
        return False
    if facts_of(question).negated and not facts.negated and not opposites_shared(facts, core):
        # "C did not" names C to "Which did not dissolve?".
        return _enough(held, len(novel)) and core.negated
    return _enough(held, len(novel)) and not contradicts(facts, core)
