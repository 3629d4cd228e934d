"""Answers with several members: found in a list or a sentence, in any order, each with its role, and no others."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from muddle_utils.scoring.lists import LIST_COMMA, list_items, literal_list, split_top, trimmed
from muddle_utils.scoring.numbers import numbers_in, plain_digits
from muddle_utils.scoring.rule_judge.dates import is_date
from muddle_utils.scoring.rule_judge.lexicon import CLOSED_SETS, FILLERS, FUNCTION_WORDS, NEGATIONS, canonical, concept
from muddle_utils.scoring.rule_judge.names import aligned, is_person_like
from muddle_utils.scoring.rule_judge.words import clause_denies, facts_of, places_of, words_of

JudgeOne = Callable[[str, str, str], bool]
"""(question, reference item, prediction item) -> whether they are the same."""


# --- The reference's members --------------------------------------------------------------------------------------


_NUMBERED: Final = r"^\s*(?:[-•*\u2022–]|\(?\d{1,2}[.)]|\(?[a-z]\))\s+"
_ASKS_FOR_SEVERAL: Final = re.compile(
    r"\b(?:which|what|name|list|give|enumerate|identify|mention|state|between|who|whose|from which)\b[^?]{0,80}?"
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|all|both|are|were|and|(?:\w{2,}[^\Ws]|\w{2,}e)s)\b",
    re.I,
)
_ASKS_FOR_PLACE: Final = re.compile(
    r"\b(?:where|in which (?:city|town|country|place)|which (?:city|town|place)|what (?:city|town))\b", re.I
)
_LONGEST_ITEM: Final = 6


def _comma_items(reference: str) -> list[str]:
    parts = list(trimmed(split_top(reference, LIST_COMMA)))
    ends = re.fullmatch(r"(.+?)\s+(?:and|&|as well as)\s+(.+)", parts[-1]) if parts else None
    if parts and re.match(r"(?:and|&)\s+", parts[-1]):
        parts[-1] = re.sub(r"^(?:and|&)\s+", "", parts[-1])
    elif ends:
        parts[-1:] = [ends[1], ends[2]]
    return parts


def _are_members(question: str, reference: str, parts: Sequence[str]) -> bool:
    """Return whether the parts between commas are members and not a place, a date or a clause."""
    if len(parts) < 2 or any(len(part.split()) > _LONGEST_ITEM for part in parts) or is_date(reference):
        return False
    if any(words_of(part).tokens[:1] and words_of(part).tokens[0] in FUNCTION_WORDS for part in parts[1:]):
        return False
    if len(parts) > 2 or bool(_ASKS_FOR_SEVERAL.search(question)):
        return not (_ASKS_FOR_PLACE.search(question) and "and" not in reference)
    # Two full names, or two measures, are two members, whatever the question looks like.
    if all(is_person_like(part) and not re.search(r"\bof\b", part) for part in parts):
        return True
    return "," in reference and all(
        re.fullmatch(r"[A-Z]\S+(?: [A-Z]\S+)+", part) or bool(numbers_in(part)) for part in parts
    )


def members_of(question: str, reference: str) -> tuple[str, ...]:
    """Return the members of a reference that is a list, or nothing if it is one answer.

    Lists are literal ("['a', 'b']"), cut by semicolons or lines, or by commas and "and" where the question asks for
    several things and no part is a clause.

    >>> members_of("Which two cities grew?", "Oslo and Bergen"), members_of("Where is the port?", "Oslo, Norway")
    (('Oslo', 'Bergen'), ())
    """
    plain = reference.strip()
    if plain.startswith("[") and plain.endswith("]"):
        return list_items(plain)
    plain = plain.rstrip(".")
    lines = trimmed(re.sub(_NUMBERED, "", line) for line in re.split(r"\n|;", plain))
    if len(lines) > 1:
        return tuple(re.sub(r"^and\s+", "", line) for line in lines)
    parts = _comma_items(plain)
    return tuple(parts) if _are_members(question, plain, parts) else ()


# --- The prediction's members -------------------------------------------------------------------------------------


_BETWEEN: Final = r"\band\b|&|\bas well as\b|\bplus\b|\balong with\b|\btogether with\b"
_OPEN_ENDED: Final = re.compile(
    r"\b(?:and so on|etc\b\.?|and others|and more|and several others|among others|and (?:\w+ )?others?\b|and the "
    r"like|and other \w+)",
    re.I,
)
_ASKS_FOR_ORDER: Final = re.compile(
    r"\b(?:in (?:what|which|the) (?:\w+ )?(?:order|sequence)|(?:in|by) (?:\w+ )?order|sequence|ranked|rank|ranking"
    r"|chronological\w*|from (?:the )?"
    r"(?:highest|lowest|largest|smallest|first|oldest|earliest|left|top) to|step by step|order of)\b",
    re.I,
)
_EITHER: Final = re.compile(r"\u27e7,? or (?:the )?\u27e6")
_MARK: Final = re.compile(r"\u27e6(\d+)\u27e7")


@dataclass(frozen=True)
class ListVerdict:
    """How many wanted members a prediction holds, how many others it names, and whether it keeps order and roles."""

    n_matched: int
    n_extra: int
    is_right: bool
    n_wanted: int

    @property
    def score(self) -> float:
        """The share of the members named by either side that both name; 1 only for a right list."""
        share = self.n_matched / max(1, self.n_wanted + self.n_extra)
        return 1.0 if self.is_right else min(share, 0.99) if self.n_matched < self.n_wanted or self.n_extra else 0.0


def segmentations(prediction: str) -> list[tuple[str, ...]]:
    """Return the ways to read a prediction as a list, from lines to every comma and "and"."""
    bracketed = prediction[max(0, prediction.find("[")) : prediction.rfind("]") + 1]
    literal = [list_items(bracketed)] if literal_list(bracketed) is not None else []
    lead, colon, rest = prediction.partition(":")
    body = rest if colon and not re.search(r"[,;\n]", lead) and rest.strip() else prediction
    lines = trimmed(re.sub(_NUMBERED, "", line) for line in re.split(r"\n|;", body))
    commas = trimmed(part for line in lines for part in split_top(line, LIST_COMMA))
    words = trimmed(part for part in commas for part in split_top(part, _BETWEEN))
    leads = trimmed(re.sub(r"^\s*and\b", "", part, flags=re.I) for part in commas)
    return list(dict.fromkeys((*literal, lines, leads, words)))


def _n_paired(question: str, wanted: Sequence[str], given: Sequence[str], same: JudgeOne) -> int:
    """Return the largest number of reference items that can each have a prediction item of their own."""
    fits = [[j for j, item in enumerate(given) if same(question, want, item)] for want in wanted]
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


def _by_items(question: str, wanted: Sequence[str], prediction: str, same: JudgeOne) -> ListVerdict:
    """Return the best verdict over the ways to cut a prediction into items; a repeated item counts once."""
    best = ListVerdict(0, 0, False, len(wanted))
    for given in segmentations(prediction):
        items = given if len(set(wanted)) < len(wanted) else tuple(dict.fromkeys(given))
        hits = _n_paired(question, wanted, items, same)
        extra = len(items) - hits
        verdict = ListVerdict(hits, extra, hits == len(wanted) and not extra, len(wanted))
        best = max(best, verdict, key=lambda one: (one.is_right, one.score))
    return best


# --- Members in a sentence ----------------------------------------------------------------------------------------


def _marked(wanted: Sequence[str], prediction: str) -> str:
    """Return a prediction with a mark for every wanted member that stands in it as printed, or in a name's variant."""
    text = plain_digits(prediction)
    for i, item in sorted(enumerate(wanted), key=lambda pair: -len(pair[1])):
        plain = plain_digits(item).strip(" .")
        text = aligned(plain, text) if "\u27e6" not in text else text
        pattern = r"\s+".join(re.escape(word) for word in re.sub(r"^(?:the|an?) ", "", plain).split())
        if pattern:
            text = re.sub(rf"(?<![\w.-]){pattern}(?:s|es)?(?![\w-])(?!\.\d)", f"\u27e6{i}\u27e7", text, flags=re.I)
    return text


def _segments(text: str) -> list[tuple[str, bool]]:
    """Return the segments of a text without its brackets, and whether its sentence holds a wanted member."""
    plain = re.sub(r"\([^()]*\)", " ", text)
    found = []
    for line in re.split(r"\n|(?<=[.!?])\s+", plain):
        holds = bool(_MARK.search(line))
        line = re.sub(_NUMBERED, "", line)
        parts = [
            part for piece in split_top(line, rf"{LIST_COMMA}|;|:|\u2014| - ") for part in split_top(piece, _BETWEEN)
        ]
        found += [(part.strip(), holds) for part in parts if part.strip(" .")]
    return found


def _holds(question: str, item: str, i: int, segment: str, same: JudgeOne) -> bool:
    """Return whether a segment names a member and does not deny it."""
    if f"\u27e6{i}\u27e7" in segment:
        tokens = tuple(re.findall(r"\u27e6\d+\u27e7|[\w']+", segment.lower()))
        at = tokens.index(f"\u27e6{i}\u27e7")
        return not set(tokens[max(0, at - 3) : at]) & {
            "not",
            "never",
            "except",
            "excluding",
            "neither",
            "nor",
            "unlike",
            "no",
            "without",
        }
    if _MARK.search(segment):
        # The segment is another member's, unless it names both, as in "from A to B".
        return False
    present = set(words_of(segment).tokens)
    wanted = [token for token in words_of(item).tokens if token not in FUNCTION_WORDS]
    if numbers_in(item) and len(wanted) > 1 and wanted and set(wanted) <= present:
        return _digits(present) <= _digits(set(wanted)) | _digits(set(words_of(question).tokens))
    if same(question, item, segment):
        return True
    concepts = {concept(token)[0] for token in present}
    if len(wanted) < 2 or present & NEGATIONS or _digits(present) - _digits(set(wanted)):
        return False
    return all(concept(token)[0] in concepts for token in wanted)


def _digits(tokens: set[str]) -> set[str]:
    return {token for token in tokens if any(char.isdigit() for char in token)}


def _is_member(question: str, wanted: Sequence[str], segment: str, in_sentence: bool) -> bool:
    """Return whether a segment without a wanted member names a further one.

    A detail is no member: it opens with a preposition, a pronoun or a "not", or repeats the question.
    """
    words = words_of(
        re.sub(
            r"^\W*(?:(?:also|then|finally|lastly|plus|even|both|besides|and|in addition)\b\W*)+",
            "",
            segment,
            flags=re.I,
        )
    )
    if NEGATIONS & set(words.tokens) or clause_denies(question, segment):
        return False
    if not words.tokens or words.tokens[0] in FUNCTION_WORDS | NEGATIONS:
        return False
    if all(numbers_in(item) and not re.search(r"[A-Z]\w", item) for item in wanted):
        asked = {number.value for number in numbers_in(question)}
        return any(number.value not in asked for number in numbers_in(segment))
    if not in_sentence and (len(words.tokens) > 5 or any(token in FUNCTION_WORDS for token in words.tokens)):
        return False
    head = []
    for token in words.tokens:
        if token in FUNCTION_WORDS | NEGATIONS:
            break
        head.append(token)
    asked_for = facts_of(question).signs
    labelled = any(char.isdigit() for item in wanted for char in item)
    told = [
        token
        for token in head
        if token not in FILLERS and (labelled or not token.isdigit()) and concept(token)[0] not in asked_for
    ]
    if all(item[:1].isupper() for item in wanted):
        told = [token for token in told if token in words.names or token.isdigit()]
    return bool(told)


def _in_order(text: str, n_wanted: int) -> bool:
    seen = list(dict.fromkeys(int(match[1]) for match in _MARK.finditer(text)))
    return len(seen) < n_wanted or seen == sorted(seen)


def _by_sentence(question: str, wanted: Sequence[str], prediction: str, same: JudgeOne) -> ListVerdict:
    """Return the verdict on members that stand in running text."""
    text = _marked(wanted, prediction)
    segments = _segments(text)
    held: set[int] = set()
    n_extra = 0
    for segment, in_sentence in segments:
        named = {i for i, item in enumerate(wanted) if _holds(question, item, i, segment, same)}
        held |= named
        n_extra += not named and not _MARK.search(segment) and _is_member(question, wanted, segment, in_sentence)
    n_extra += bool(_OPEN_ENDED.search(prediction))
    return ListVerdict(len(held), n_extra, len(held) == len(wanted) and not n_extra, len(wanted))


# --- Roles --------------------------------------------------------------------------------------------------------


_ROLE: Final = re.compile(r"(?P<role>[^:=]{2,40})(?::|=| is | was | - | \u2013 )\s*(?P<thing>.+)")


_COUNTED: Final = re.compile(r"(?P<role>[A-Z][^\W\d]*(?: [A-Z][^\W\d]*){0,2}):? (?P<thing>[$€£]?\d[\d.,%]*)")


def _roles(wanted: Sequence[str]) -> list[tuple[str, str]]:
    matches = [_ROLE.fullmatch(plain_digits(item)) for item in wanted]
    if not all(matches):
        matches = [_COUNTED.fullmatch(plain_digits(item)) for item in wanted]
        told = {match[part] for match in matches if match for part in ("role", "thing")}
        # "Room 3, Room 8" has no roles, and equal numbers cannot be told apart.
        matches = matches if len(told) == 2 * len(wanted) else []
    return [(match["role"].strip(), match["thing"].strip()) for match in matches if match]


def _first_place(thing: str, text: str) -> int:
    """Return the token at which a thing stands in a text, or -1."""
    places = places_of(words_of(thing).tokens, words_of(text).tokens)
    return places[0] if places else -1


def keeps_roles(question: str, pairs: Sequence[tuple[str, str]], prediction: str) -> bool | None:
    """Return whether each thing keeps its role, in "role: thing" or "thing (role)"; None if a thing is missing.

    Without roles the things have to come in the reference's order.
    """
    for _, thing in pairs:
        prediction = aligned(thing, prediction)
    things = [_first_place(thing, prediction) for _, thing in pairs]
    if min(things) < 0:
        return None
    roles = [_first_place(role, prediction) for role, _ in pairs]
    if max(roles) < 0:
        return things == sorted(things)
    marks = sorted(
        [(place, i, "role") for i, place in enumerate(roles) if place >= 0]
        + [(p, i, "thing") for i, p in enumerate(things)]
    )
    if len(marks) == 2 * len(pairs):
        return all(marks[k][1] == marks[k + 1][1] and marks[k][2] != marks[k + 1][2] for k in range(0, len(marks), 2))
    return all(
        abs(roles[i] - things[i]) == min(abs(roles[i] - other) for other in things)
        for i in range(len(pairs))
        if roles[i] >= 0
    )


_DAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS: Final = (
    "january february march april may june july august september october november december".split()
)  # fmt: skip
_STRETCH: Final = re.compile(r"(?:\bfrom )?\b(?P<first>\w+) ?(?:to|through|until|till|-) ?(?P<last>\w+)\b", re.I)


def _stretch(first: str, last: str) -> list[str]:
    """Return all that lies from one day, month or whole number to another, or nothing."""
    for names in (_DAYS, _MONTHS):
        if first in names and last in names:
            start, end = list(names).index(first), list(names).index(last)
            return [name.capitalize() for name in names[start : end + 1]]
    if first.isdigit() and last.isdigit() and 0 < int(last) - int(first) < 30:
        return [str(number) for number in range(int(first), int(last) + 1)]
    return []


def _expanded(wanted: Sequence[str], prediction: str) -> str:
    """Return a prediction with "Monday to Friday" or "3 to 5" written out, where the reference writes out as much."""
    text = canonical(plain_digits(prediction))
    plain = re.sub(r"\b(?:on )?(?:weekdays|working days|every weekday)\b", "Monday to Friday", text)
    tokens = {token for item in wanted for token in words_of(item).tokens}

    def write_out(match: re.Match[str]) -> str:
        members = _stretch(match["first"].lower(), match["last"].lower())
        known = [member for member in members if words_of(member).tokens[0] in tokens]
        return ", ".join(members) if len(members) > 2 and len(known) >= len(wanted) > 2 else match[0]

    written = _STRETCH.sub(write_out, plain)
    return written if written != text else prediction


# --- The whole ----------------------------------------------------------------------------------------------------


def _names_all(question: str, wanted: Sequence[str], prediction: str) -> bool:
    """Return whether a prediction names a set that everybody can complete, or "both" of the things in the question."""
    plain = canonical(prediction)
    members = {canonical(item).lower() for item in wanted}
    for name, whole in CLOSED_SETS:
        if members == set(whole) and re.search(
            rf"\b(?:all|every|each)\b(?!.*\b(?:except|but|other than|apart)\b)[^.]*\b{name[:-1]}", plain, re.I
        ):
            return True
    asked = words_of(question).tokens
    listed = all(places_of(words_of(item).tokens, asked) for item in wanted)
    return listed and bool(re.match(r"\W*(?:both|all)\b(?!.*\b(?:except|but|not)\b)", plain, re.I))


def _respectively(wanted: Sequence[str], prediction: str) -> str:
    """Return "A and B have 1 and 2, respectively" as "A 1, B 2", so that each name stands beside its number."""
    match = re.search(r"\brespectively\b", prediction, re.I)
    names = [re.sub(r"[\s:(]*\S*\d\S*.*$", "", item).strip() for item in wanted]
    if not match or not all(names):
        return prediction
    places = {name: prediction.lower().find(name.lower()) for name in names}
    numbers = [number.text for number in numbers_in(prediction)]
    if min(places.values()) < 0 or len(numbers) < len(names):
        return prediction
    ordered = sorted(names, key=lambda name: places[name])
    return ", ".join(f"{name} {number}" for name, number in zip(ordered, numbers[-len(names) :], strict=True))


_ASKED_PAIR: Final = re.compile(r"(?:of|for|the) (?:the )?(\w+) and (?:of |for )?(?:the )?(\w+)\W*$", re.I)


def _keeps_asked_order(question: str, wanted: Sequence[str], prediction: str) -> bool | None:
    """Return whether two numbers keep the order of the question's two things, or None if that cannot be told."""
    pair = _ASKED_PAIR.search(question)
    if pair is None or len(wanted) != 2 or not all(numbers_in(item) for item in wanted) or wanted[0] == wanted[1]:
        return None
    kept = keeps_roles(question, list(zip(pair.groups(), wanted, strict=True)), prediction)
    named = {_first_place(word, prediction) >= 0 for word in pair.groups()}
    bare = not re.search(r"[^\W\d_]{4,}", prediction)
    return kept if named == {True} or (bare and kept is False) else None


def judge_members(question: str, wanted: Sequence[str], prediction: str, same: JudgeOne) -> ListVerdict:
    """Return how a prediction's members compare with the reference's.

    Order is free unless the question asks for it. A member more, an "and so on" or a changed role makes a list wrong.
    """
    if _names_all(question, wanted, prediction):
        return ListVerdict(len(wanted), 0, True, len(wanted))
    prediction = _respectively(wanted, _expanded(wanted, prediction))
    pairs = _roles(wanted)
    if len(pairs) == len(wanted):
        kept = keeps_roles(question, pairs, prediction)
        if kept is not None:
            return ListVerdict(len(wanted) if kept else 0, 0, kept, len(wanted))
    kept = _keeps_asked_order(question, wanted, prediction)
    if kept is not None:
        return ListVerdict(len(wanted) if kept else 0, 0, kept, len(wanted))
    best = _by_items(question, wanted, prediction, same)
    # A list that is written as one has no words around its members; all of them are members.
    if not best.is_right and literal_list(prediction.strip()) is None:
        best = max(best, _by_sentence(question, wanted, prediction, same), key=lambda one: (one.is_right, one.score))
    if best.is_right and (_ASKS_FOR_ORDER.search(question) and not _in_order(_marked(wanted, prediction), len(wanted))):
        return ListVerdict(0, 0, False, len(wanted))
    if best.is_right and _EITHER.search(_marked(wanted, prediction)) and " or " not in question:
        return ListVerdict(0, 0, False, len(wanted))
    if best.is_right and _OPEN_ENDED.search(prediction):
        return ListVerdict(best.n_matched, 1, False, len(wanted))
    return best
