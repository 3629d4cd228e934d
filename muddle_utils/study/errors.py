"""What the kit raises on purpose.

A program that catches ``MuddleError`` and ``OSError`` meets everything that bad input, a provider or a full disk can
cause; whatever else comes is a fault of the kit.
"""


class MuddleError(Exception):
    """The base of every error that the kit raises on purpose; the message says what is wrong and how to mend it."""


def plain(text: str) -> str:
    r"""Return a text as one line that a terminal shows as it is, whatever it holds.

    >>> plain("a\x1b[2Jb\n")
    'a\\x1b[2Jb\\n'
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def json_fault(error: Exception) -> str:
    """Return why a text could not be read as JSON; of its own limits Python speaks in words that help nobody."""
    if isinstance(error, RecursionError):
        return "brackets within brackets without end"
    return "a number in it has thousands of digits" if "integer string conversion" in str(error) else str(error)
