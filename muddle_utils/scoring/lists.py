"""Lists as replies and annotations write them, read as data and never evaluated."""

import ast
import json
import re
import warnings
from collections.abc import Iterable
from typing import Final

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
