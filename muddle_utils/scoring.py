"""How answers are compared: SQuAD metrics, abstention, list answers, and the judge's reply read strictly.

Everything here is a pure function of its arguments, so any stored response can be scored again without asking a model
again. Nothing is executed, nothing is guessed: a judge's reply that is not exactly the object it was asked for is a
``VerdictError``, and text from a model is only ever compared with the reference, never obeyed.
"""

import ast
import json
import re
import string
import unicodedata
import warnings
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from muddle_utils.quantities import PLAIN_CHARACTERS
from muddle_utils.records import NOT_ANSWERABLE

# --- Text ---------------------------------------------------------------------------------------------------------


def normalise_answer(text: str) -> str:
    """Return ``text`` in the form in which answers and documents are searched for each other.

    NFKC, curly quotes and all dashes made plain, soft hyphens and zero-width characters dropped, lower case, white
    space collapsed, and quotes, white space and closing punctuation stripped from the ends. Percent signs, currency
    and decimal points stay, because they tell one value from another.

    >>> normalise_answer(" \u201cNet\u00a0 income\u2019s 5\u201310%.\u201d ")
    "net income's 5-10%"
    """
    plain = unicodedata.normalize("NFKC", text.translate(PLAIN_CHARACTERS)).translate(PLAIN_CHARACTERS)
    return " ".join(plain.lower().split()).strip("\"'`.,;:!? ")


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

CONTRACTIONS: Final = (
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
        rf"(?:(?:i|we) (?:really |honestly )?have )?(?:absolutely )?no (?:idea|clue){_WHY}",
        rf"(?:i|we) (?:am|are) not sure{_WHY}",
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
    for pattern, opened in CONTRACTIONS:
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


# --- Lists --------------------------------------------------------------------------------------------------------

_DEEPEST_LIST: Final = 20


def python_literal(text: str) -> object:
    """Return what ``text`` writes as a Python literal, or None; nothing is evaluated and no fault is raised."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)
            return ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None


def literal_list(text: str) -> list[object] | None:
    """Return the list that ``text`` writes as a Python or JSON literal, or None; nothing is evaluated."""
    if text.count("[") + text.count("(") + text.count("{") > _DEEPEST_LIST * 10:
        return None
    try:
        parsed = json.loads(text, parse_int=str, parse_float=str, parse_constant=str)
    except (ValueError, RecursionError):
        parsed = None
    if parsed is None:
        parsed = python_literal(text)
    return list(parsed) if isinstance(parsed, list | tuple) else None


def split_top(text: str, separators: str) -> list[str]:
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
LIST_COMMA: Final = r"(?:(?<!\d),|,(?!\d{3}(?!\d)))"


def trimmed(parts: Iterable[str]) -> tuple[str, ...]:
    """Return the parts without quotes and white space at their ends, empty ones left out."""
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
        literal = literal_list(stripped)
        if literal is not None:
            return tuple(item for value in literal if (item := str(value).strip()))
        stripped = stripped[1:-1]
    return trimmed(split_top(stripped, LIST_COMMA))
