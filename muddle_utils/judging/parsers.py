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

from muddle_utils.scoring.reply_text import without_reasoning
from muddle_utils.study.errors import MuddleError

# Raise a parser's version when it reads differently: stored replies are then read anew, without asking anybody.
PARSER_VERSIONS: Final[Mapping[str, str]] = {"json": "json 3", "word": "word 2", "equivalence": "equivalence 1"}

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
EQUIVALENCE_SCHEMA: Final[Mapping[str, object]] = {
    "type": "object",
    "properties": {
        "equivalent": {"type": "boolean"},
        "abstained": {"type": "boolean"},
        "reasoning": {"type": "string"},
    },
    "required": ["equivalent", "abstained", "reasoning"],
    "additionalProperties": False,
}
# What a judge can be asked to keep to, by parser; one word has no schema.
SCHEMAS: Final[Mapping[str, Mapping[str, object]]] = {"json": VERDICT_SCHEMA, "equivalence": EQUIVALENCE_SCHEMA}


class VerdictError(MuddleError, ValueError):
    """A judge's reply that is not what it was asked for; such a response stays unjudged.

    ``almost`` says that it is no JSON at all, so that mending its syntax may help.
    """

    def __init__(self, message: str, almost: bool = False) -> None:
        """Keep the message and whether mending may help."""
        super().__init__(message)
        self.almost = almost


@dataclass(frozen=True)
class ParsedVerdict:
    """What a judge said: the headline boolean, the partial-credit score from 0 to 1, and its one sentence.

    ``abstained`` is None where the judge was not asked whether the answer declines.
    """

    correct: bool
    score: float
    reasoning: str
    abstained: bool | None = None


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
    ParsedVerdict(correct=True, score=1.0, reasoning='Same value.', abstained=None)
    """
    return _verdict(_object(raw))


def parse_equivalence(raw: str) -> ParsedVerdict:
    """Return the verdict in a reply of the keys ``equivalent``, ``abstained`` and ``reasoning``, read as strictly.

    ``equivalent`` becomes ``correct``, and the score is 1 or 0: V2 knows no partial credit.

    Raises:
        VerdictError: the reply is anything else.

    >>> parse_equivalence('{"equivalent": false, "abstained": true, "reasoning": "It declines."}')
    ParsedVerdict(correct=False, score=0.0, reasoning='It declines.', abstained=True)
    """
    return _equivalence(_object(raw))


def _object(raw: str) -> object:
    """Return what a reply holds as JSON, with white space around it or one code fence."""
    text = raw.strip()
    if match := _FENCED.fullmatch(text):
        text = match["body"]
    try:
        return json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=_unique_keys)
    except VerdictError:
        raise
    except (ValueError, RecursionError):
        problem = "not one JSON object" if text else "empty"
        raise VerdictError(f"the judge's reply is {problem}", almost=bool(text)) from None


def _values(reply: object, schema: Mapping[str, object]) -> list[object]:
    """Return the values of exactly the keys that a schema requires, in its order."""
    keys = schema["required"]
    assert isinstance(keys, list)
    if not isinstance(reply, dict) or set(reply) != set(keys):
        named = f"{', '.join(keys[:-1])} and {keys[-1]}"
        raise VerdictError(f"the judge's reply is not an object with exactly the keys {named}")
    return [reply[key] for key in keys]


def _boolean(value: object, name: str) -> bool:
    if not isinstance(value, bool):
        raise VerdictError(f"{name} is {value!r}, not true or false")
    return value


def _sentence(value: object) -> str:
    if not isinstance(value, str):
        raise VerdictError(f"reasoning is {value!r}, not a string")
    # Escapes in JSON can write halves of characters, which no file takes.
    return value.encode("utf-8", "replace").decode()


def _verdict(reply: object) -> ParsedVerdict:
    correct, score, reasoning = _values(reply, VERDICT_SCHEMA)
    right = _boolean(correct, "correct")
    if isinstance(score, bool) or not isinstance(score, int | float) or not 0 <= score <= 1:
        raise VerdictError(f"score is {score!r}, not a number from 0 to 1")
    return ParsedVerdict(correct=right, score=float(score), reasoning=_sentence(reasoning))


def _equivalence(reply: object) -> ParsedVerdict:
    equivalent, abstained, reasoning = _values(reply, EQUIVALENCE_SCHEMA)
    right = _boolean(equivalent, "equivalent")
    return ParsedVerdict(right, float(right), _sentence(reasoning), _boolean(abstained, "abstained"))


_SAID_BOOLEAN: Final = r"[\"']{key}[\"']\s*:\s*(?:true|false)\s*[,}}]"
_SAID_SCORE: Final = re.compile(r"[\"']score[\"']\s*:\s*(?:0|1|[01]?\.\d+|[01]\.)\s*[,}]")


def _says_plainly(raw: str, key: str) -> bool:
    if key == "score":
        return bool(_SAID_SCORE.search(raw))
    return key == "reasoning" or bool(re.search(_SAID_BOOLEAN.format(key=key), raw, re.IGNORECASE))


def repair_verdict(raw: str, parser: str = "json") -> ParsedVerdict:
    """Return the verdict in a reply that is almost JSON: a trailing comma, single quotes, words around the object.

    Raises:
        VerdictError: what is left after mending is not exactly one verdict, or says a key twice.
    """
    keys = SCHEMAS[parser]["required"]
    assert isinstance(keys, list)
    # json_repair takes the last of two equal keys and closes what was cut; neither is a verdict that was given.
    if any(len(re.findall(rf"[\"']{key}[\"']\s*:", raw)) != 1 for key in keys):
        raise VerdictError("the judge's reply does not give each key once")
    if raw.count("}") < raw.count("{"):
        raise VerdictError("the judge's reply ends inside its object")
    # It also skips what it cannot read: the values have to stand there whole, or another verdict was given.
    if not all(_says_plainly(raw, key) for key in keys):
        raise VerdictError(f"the judge's reply does not say {keys[0]} and {keys[1]} plainly")
    import json_repair

    reply = json_repair.loads(raw)
    return _verdict(reply) if parser == "json" else _equivalence(reply)


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


_PARSERS: Final[Mapping[str, Callable[[str], ParsedVerdict]]] = {
    "json": parse_verdict,
    "word": parse_word,
    "equivalence": parse_equivalence,
}


def read_verdict(raw: str, parser: str = "json") -> tuple[ParsedVerdict, bool]:
    """Return the verdict in a judge's whole reply, and whether it had to be mended to be read.

    ``parser`` is one of ``PARSER_VERSIONS``.

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
            return repair_verdict(said, parser), True
        except VerdictError:
            raise error from None
