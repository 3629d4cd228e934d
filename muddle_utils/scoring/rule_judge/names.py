"""Names in their usual variants: initials, titles, "Surname, Given", legal forms of companies, acronyms."""

import re
from typing import Final

from muddle_utils.scoring.phrases import folded
from muddle_utils.scoring.rule_judge.lexicon import COMPANY_FORMS, FUNCTION_WORDS, GENERATIONS, HONORIFICS, NICKNAMES

_PARTICLES: Final = frozenset(
    "van von de der den di da del della la le du dos al el bin ibn ten ter af av zu y e".split()
)
_SMALL_WORDS: Final = frozenset("of the and for in on de la du des et und der für a an to &".split())
_NAME_WORD: Final = r"[A-Z\u00c0-\u00de](?:[\w'’-]*\w|\.)?\.?"
_RUN: Final = re.compile(
    rf"{_NAME_WORD}(?:(?:,? |(?<=[A-Z]\.))(?:{_NAME_WORD}|(?:{'|'.join(sorted(_PARTICLES))})(?= [A-Z]))){{0,7}}"
)
_QUALIFIERS: Final = frozenset(
    "north south east west northern southern eastern western new upper lower little great greater old saint san st"
    " mid central anti non pre ex sub semi pseudo lesser inner outer grand big".split()
)
_RANKS: Final = frozenset(
    "assistant deputy vice former acting ex junior honorary associate non semi un co trainee interim".split()
)


def _parts(name: str) -> list[str]:
    """Return the words of a name in lower case, plain letters, without titles, dots and legal forms."""
    spaced = re.sub(r"(?<=[A-Z])\.(?=[A-Z])", ". ", folded(name))
    plain = re.sub(r"[.'’\"]", "", spaced).lower().replace("&", "and")
    words = [word.strip(",;:()") for word in plain.split()]
    kept = [word for word in words if word and word not in HONORIFICS]
    while len(kept) > 1 and kept[-1] in COMPANY_FORMS | {"and"}:
        kept.pop()
    return kept


def _spelled_apart(left: str, right: str) -> bool:
    """Return whether two words differ, umlauts written out or not."""
    if left == right:
        return False
    plain = [re.sub(r"(?<=[aou])e", "", word) for word in (left, right)]
    return plain[0] != plain[1] or len(plain[0]) < 4


def _given_fit(wanted: list[str], given: list[str]) -> bool:
    """Return whether the given names of one person may be abbreviations of another's, middle names left out."""
    if not wanted or not given:
        return True
    for left, right in zip(wanted, given, strict=False):
        initial = len(left) == 1 or len(right) == 1
        left, right = NICKNAMES.get(left, left), NICKNAMES.get(right, right)
        if (left[0] != right[0]) if initial else _spelled_apart(left, right):
            return False
    return True


def _as_person(parts: list[str]) -> tuple[list[str], str]:
    return parts[:-1], parts[-1]


def is_person_like(reference: str) -> bool:
    """Return whether a reference looks like a person: two to five capitalised words, particles and initials allowed."""
    words = reference.strip(" .").split()
    capital = [word for word in words if word[:1].isupper()]
    rest = [word for word in words if not word[:1].isupper()]
    alphabetic = all(re.fullmatch(r"[^\W\d_]+(?:[.'’-][^\W\d_]*)*,?", word) for word in words)
    return 2 <= len(words) <= 5 and len(capital) >= 2 and alphabetic and all(word in _PARTICLES for word in rest)


_TITLES: Final = (
    frozenset("mr lord sir king prince herr".split()),
    frozenset("mrs ms miss lady dame queen princess frau".split()),
)


def _titles_differ(left: str, right: str) -> bool:
    """Return whether one name has a man's title and the other a woman's."""
    words = [set(re.findall(r"[a-z]+", text.lower())) for text in (left, right)]
    return any(words[0] & one and words[1] & other for one, other in (_TITLES, _TITLES[::-1]))


def same_name(reference: str, name: str) -> bool:
    """Return whether two printed names may be one person's or company's.

    The surname has to agree; given names agree in full or by initial, and may be missing from the prediction.

    >>> same_name("Maria L. Jansen", "Prof. M. Jansen"), same_name("Maria Jansen", "Mario Jansen")
    (True, False)
    """
    if _titles_differ(reference, name):
        return False
    wanted = _parts(_turned(reference))
    given = _parts(_turned(name))
    if not wanted or not given:
        return False
    if wanted == given:
        return True
    ages = [GENERATIONS & set(parts) for parts in (wanted, given)]
    if all(ages) and ages[0] != ages[1]:
        return False
    wanted, given = ([part for part in parts if part not in GENERATIONS] for parts in (wanted, given))
    if (
        not wanted
        or not given
        or not is_person_like(reference)
        or re.search(r"\b(?:of|and)\b|&", reference)
        or len(wanted) < 2
    ):
        return False
    (left, surname), (right, other) = _as_person(wanted), _as_person(given)
    left, right = [[part for part in side if part not in _PARTICLES] for side in (left, right)]
    if len(right) > len(left) and not any(len(part) == 1 for part in right) and left:
        right = [right[0], *right[1:]]
    return not _spelled_apart(surname, other) and len(other) > 1 and _given_fit(left, right)


def _turned(name: str) -> str:
    """Return "Given Surname" for "Surname, Given"."""
    surname, comma, given = name.partition(", ")
    words = given.replace(".", "").lower().split()
    if not comma or not words or any(word in COMPANY_FORMS or word in HONORIFICS for word in words) or "," in given:
        return name
    return f"{given} {surname}"


def acronym_of(name: str) -> str:
    """Return the initials of a name's words, small words left out; empty for a single word.

    >>> acronym_of("Institute for the Study of Rivers")
    'ISR'
    """
    words = [word for word in re.split(r"[\s-]+", folded(name)) if word and word.lower() not in _SMALL_WORDS]
    initials = "".join(word[0] for word in words if word[0].isalnum())
    return initials.upper() if len(words) >= 2 else ""


def _with_acronyms(reference: str, prediction: str) -> str:
    short = acronym_of(reference)
    all_words = "".join(word[0] for word in re.split(r"[\s-]+", folded(reference)) if word[:1].isalpha()).upper()
    for form in {short, all_words}:
        if len(form) >= (2 if reference[:1].isupper() else 3):
            prediction = re.sub(rf"(?<![\w.]){'[.]?'.join(form)}[.]?(?![\w])", reference.replace("\\", ""), prediction)
    plain = reference.strip(" .").replace(".", "")
    if re.fullmatch(r"[A-Z][A-Z&]{1,7}", plain):
        size = len(plain)
        for match in re.finditer(r"[^\W\d_]+(?:[ -][^\W\d_]+)+", prediction):
            words = match[0].split()
            for i in range(len(words)):
                for j in range(i + 2, min(len(words), i + size + 4) + 1):
                    stretch = " ".join(words[i:j])
                    small = words[i].lower() in _SMALL_WORDS or words[j - 1].lower() in _SMALL_WORDS
                    if not small and acronym_of(stretch) == plain:
                        return prediction.replace(stretch, reference, 1)
    return prediction


def aligned(reference: str, prediction: str) -> str:
    """Return a prediction with the variants of the reference's name in it replaced by the reference's own form.

    >>> aligned("Maria Jansen", "It was led by Dr. M. Jansen until 2004.")
    'It was led by Maria Jansen until 2004.'
    """
    plain = reference.strip(" .")
    if len(plain) > 100 or len(prediction) > 2_000 or not plain[:1].isalpha() or plain.lower() in prediction.lower():
        return prediction
    prediction = _with_acronyms(plain, prediction)
    if not plain[:1].isupper():
        return prediction
    for match in _RUN.finditer(prediction):
        first, _, rest = match[0].partition(" ")
        opened = (rest,) if first.lower() in FUNCTION_WORDS | {"the"} else ()
        for run in dict.fromkeys((match[0], *match[0].split(", "), *opened)):
            bare = run.rstrip(".,")
            if same_name(plain, bare):
                return prediction.replace(bare, plain, 1)
    return prediction


def is_near_miss(reference: str, prediction: str) -> bool:
    """Return whether every mention of a name is part of another one: "Elena Petrova-Ross", "North Sund" for "Sund"."""
    plain = reference.strip(" .")
    if not plain or len(plain) > 100:
        return False
    named = plain[:1].isupper()
    mentions = list(re.finditer(rf"(?<!\w){re.escape(plain)}(?!\w)", prediction, 0 if named else re.I))
    if not named:
        return bool(mentions) and all(_is_ranked(prediction, mention) for mention in mentions)
    return bool(mentions) and all(_is_longer(prediction, mention) for mention in mentions)


def _is_ranked(text: str, mention: re.Match[str]) -> bool:
    """Return whether an office is another one by the word before it: "deputy chair" for "chair"."""
    before = re.search(r"(\w+)[ -]$", text[max(0, mention.start() - 20) : mention.start()])
    return before is not None and before[1].lower() in _RANKS


_KIN: Final = re.compile(
    r"['\u2019]s (?:\w+ )?(?:partner|wife|husband|son|daughter|brother|sister|father|mother|assistant|successor"
    r"|predecessor|deputy"
    r"|widow|widower|friend|colleague|student|teacher|boss|nephew|niece|uncle|aunt|cousin|secretary)\b"
)


def _is_longer(text: str, mention: re.Match[str]) -> bool:
    if re.match(r"-[A-Z]", text[mention.end() : mention.end() + 2]) or re.search(
        r"[a-z]-$", text[max(0, mention.start() - 2) : mention.start()]
    ):
        return True
    if _KIN.match(text, mention.end()):
        return True
    before = re.search(r"([A-Z]\w*)[ -]$", text[max(0, mention.start() - 20) : mention.start()])
    return bool(before) and before[1].lower() in _QUALIFIERS if before else False
