"""What the kit raises on purpose.

A program that catches ``MuddleError`` and ``OSError`` meets everything that bad input, a provider or a full disk can
cause; whatever else comes is a fault of the kit.
"""

from typing import Final


class MuddleError(Exception):
    """The base of every error that the kit raises on purpose; the message says what is wrong and how to mend it."""


# In characters: of a value so much is shown, of a message that may hold several so much.
_SHOWN: Final = 100
_LONGEST: Final = 4_000


def quoted(value: object) -> str:
    """Return a value in quotes for a message, cut where it is long.

    >>> quoted("x" * 1_000) == "'" + "x" * 99 + " …"
    True
    """
    # Python writes no number of so many digits; and what is cut off need not be written first.
    if isinstance(value, int) and abs(value) >= 10**_SHOWN:
        return "a number of hundreds of digits"
    told = repr(value[: _SHOWN + 1] if isinstance(value, str | list | tuple) else value)
    return told if len(told) <= _SHOWN else f"{told[:_SHOWN]} …"


def plain(text: str) -> str:
    r"""Return a text as one line that a terminal shows as it is, whatever it holds, cut in the middle where it is long.

    >>> plain("a\x1b[2Jb\n")
    'a\\x1b[2Jb\\n'
    """
    if len(text) > _LONGEST:
        text = f"{text[: _LONGEST // 2]} … {text[-_LONGEST // 2 :]}"
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def json_fault(error: Exception) -> str:
    """Return why a text could not be read as JSON; of its own limits Python speaks in words that help nobody."""
    if isinstance(error, RecursionError):
        return "brackets within brackets without end"
    return "a number in it has thousands of digits" if "integer string conversion" in str(error) else str(error)
