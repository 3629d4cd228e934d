"""A judge's reply, read strictly: the JSON object or the word that it was asked for, and nothing guessed.

Reasoning is taken off on a copy. A reply that is almost JSON is mended by a library and marked as mended; whatever
does not hold exactly the asked-for keys and kinds after that is no verdict.
"""

import contextlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, NoReturn

# Raise a parser's version when it reads differently: stored replies are then read anew, without asking anybody.
PARSER_VERSIONS: Final[Mapping[str, str]] = {"json": "json 3", "word": "word 2"}

VERDICT_SCHEMA: Final[Mapping[str, object]] = {
    "type": "object",
    "properties": {
        "correct": {"type": "boolean"},
        "score": {"type": "number"},
        "reasoning": {"type": "string"},
    },
    "required": ["correct", "score", "reasoning"],
    "additionalProperties": False,
}


class VerdictError(ValueError):
    """A judge's reply that is not what it was asked for; such a response stays unjudged.

    ``almost`` says that it is no JSON at all, so that mending its syntax may help.
    """

    def __init__(self, message: str, almost: bool = False) -> None:
        """Keep the message and whether mending may help."""
        super().__init__(message)
        self.almost = almost


@dataclass(frozen=True)
class ParsedVerdict:
    """What a judge said: the headline boolean, the partial-credit score from 0 to 1, and its one sentence."""

    correct: bool
    score: float
    reasoning: str


_FENCED: Final = re.compile(r"```(?:json)?[ \t]*\n(?P<body>.*)\n[ \t]*```", re.DOTALL | re.IGNORECASE)


def _refuse_constant(name: str) -> NoReturn:
    raise VerdictError(f"the judge's reply holds {name}, which is no JSON number")


def _unique_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    keys = [key for key, _ in pairs]
    if len(set(keys)) < len(keys):
        raise VerdictError(f"the judge's reply gives a key twice: {sorted(keys)}")
    return dict(pairs)


def parse_verdict(raw: str) -> ParsedVerdict:
    """Return the verdict in a judge's reply, read strictly.

    The reply has to be one JSON object, with white space around it or one code fence, with the keys ``correct`` (true
    or false, not a string), ``score`` (a number from 0 to 1) and ``reasoning`` (a string) and no others. There is no
    repair, no default and no search for words: "INCORRECT" contains "CORRECT".

    Raises:
        VerdictError: the reply is anything else; the message says what is wrong with it.

    >>> parse_verdict('{"correct": true, "score": 1, "reasoning": "Same value."}')
    ParsedVerdict(correct=True, score=1.0, reasoning='Same value.')
    """
    text = raw.strip()
    if match := _FENCED.fullmatch(text):
        text = match["body"]
    try:
        reply = json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=_unique_keys)
    except VerdictError:
        raise
    except (ValueError, RecursionError):
        problem = "not one JSON object" if text else "empty"
        raise VerdictError(f"the judge's reply is {problem}", almost=bool(text)) from None
    return _verdict(reply)


def _verdict(reply: object) -> ParsedVerdict:
    if not isinstance(reply, dict) or set(reply) != {"correct", "score", "reasoning"}:
        raise VerdictError("the judge's reply is not an object with exactly the keys correct, score and reasoning")
    correct, score, reasoning = reply["correct"], reply["score"], reply["reasoning"]
    if not isinstance(correct, bool):
        raise VerdictError(f"correct is {correct!r}, not true or false")
    if isinstance(score, bool) or not isinstance(score, int | float) or not 0 <= score <= 1:
        raise VerdictError(f"score is {score!r}, not a number from 0 to 1")
    if not isinstance(reasoning, str):
        raise VerdictError(f"reasoning is {reasoning!r}, not a string")
    # Escapes in JSON can write halves of characters, which no file takes.
    said = reasoning.encode("utf-8", "replace").decode()
    return ParsedVerdict(correct=correct, score=float(score), reasoning=said)


_SAID_CORRECT: Final = re.compile(r"[\"']correct[\"']\s*:\s*(?:true|false)\s*[,}]", re.IGNORECASE)
_SAID_SCORE: Final = re.compile(r"[\"']score[\"']\s*:\s*(?:0|1|[01]?\.\d+|[01]\.)\s*[,}]")


def repair_verdict(raw: str) -> ParsedVerdict:
    """Return the verdict in a reply that is almost JSON: a trailing comma, single quotes, words around the object.

    Raises:
        VerdictError: what is left after mending is not exactly one verdict, or says a key twice.
    """
    # json_repair takes the last of two equal keys and closes what was cut; neither is a verdict that was given.
    if any(len(re.findall(rf"[\"']{key}[\"']\s*:", raw)) != 1 for key in ("correct", "score", "reasoning")):
        raise VerdictError("the judge's reply does not give each key once")
    if raw.count("}") < raw.count("{"):
        raise VerdictError("the judge's reply ends inside its object")
    # It also skips what it cannot read: the two values have to stand there whole, or another verdict was given.
    if not (_SAID_CORRECT.search(raw) and _SAID_SCORE.search(raw)):
        raise VerdictError("the judge's reply does not say correct and score plainly")
    import json_repair

    return _verdict(json_repair.loads(raw))


_WORD: Final = re.compile(r"(?:verdict\s*[:=]\s*)?(correct|incorrect)[.!]?", re.IGNORECASE)


def parse_word(raw: str) -> ParsedVerdict:
    """Return the verdict in a reply that is the one word CORRECT or INCORRECT, for judges too small for JSON.

    Raises:
        VerdictError: the reply is anything else; "not correct" and "partially correct" are.

    >>> parse_word("**Incorrect.**").correct
    False
    """
    said = re.sub(r"[*_`\"']+", "", raw).strip()
    match = _WORD.fullmatch(said)
    if match is None:
        raise VerdictError(f"the judge's reply is {'not the one word CORRECT or INCORRECT' if said else 'empty'}")
    correct = match[1].lower() == "correct"
    return ParsedVerdict(correct=correct, score=float(correct), reasoning="")


_THINKING: Final = r"(?:think|thinking|thought|reasoning|analysis)"
_CLOSED: Final = re.compile(rf"<({_THINKING})>.*?</\1>", re.DOTALL | re.IGNORECASE)
_OPEN: Final = re.compile(rf"<{_THINKING}>", re.IGNORECASE)
_LONE_CLOSE: Final = re.compile(rf".*</{_THINKING}>", re.DOTALL | re.IGNORECASE)


def without_reasoning(text: str) -> str | None:
    """Return the text after the reasoning that some models write before it, or None if it ends inside that.

    What comes before a lone closing tag is reasoning, too. A text without such tags is returned as it is.

    >>> without_reasoning("<think>12 or 13?</think>12"), without_reasoning("so it is 12</think> 12")
    ('12', '12')
    >>> without_reasoning("<think>12 or 13?") is None
    True
    """
    if not re.search(rf"</?{_THINKING}>", text, re.IGNORECASE):
        return text
    rest = _CLOSED.sub("", text)
    # Reasoning stands at the beginning; a tag that the answer mentions later opens none.
    if _OPEN.match(rest.lstrip()):
        return None
    return _LONE_CLOSE.sub("", rest).strip()


_PARSERS: Final[Mapping[str, Callable[[str], ParsedVerdict]]] = {"json": parse_verdict, "word": parse_word}


def read_verdict(raw: str, parser: str = "json") -> tuple[ParsedVerdict, bool]:
    """Return the verdict in a judge's whole reply, and whether it had to be mended to be read.

    ``parser`` is ``json`` or ``word``.

    Raises:
        VerdictError: there is no verdict in it.
    """
    with contextlib.suppress(VerdictError):
        # A whole verdict may speak of such tags in its sentence.
        return _PARSERS[parser](raw), False
    said = without_reasoning(raw)
    if said is None:
        raise VerdictError("the judge's reply ends inside its reasoning")
    try:
        return _PARSERS[parser](said), False
    except VerdictError as error:
        if not error.almost:
            raise
        try:
            return repair_verdict(said), True
        except VerdictError:
            raise error from None
