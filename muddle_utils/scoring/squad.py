"""SQuAD's metrics: normalised exact match and token F1 (Rajpurkar et al., 2016)."""

import re
import string
import unicodedata
from collections import Counter
from collections.abc import Sequence
from typing import Final

from muddle_utils.scoring.numbers import PLAIN_CHARACTERS
from muddle_utils.study.records import NOT_ANSWERABLE

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
