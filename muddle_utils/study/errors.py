"""What the kit raises on purpose.

A program that catches ``MuddleError`` and ``OSError`` meets everything that bad input, a provider or a full disk can
cause; whatever else comes is a fault of the kit.
"""


class MuddleError(Exception):
    """The base of every error that the kit raises on purpose; the message says what is wrong and how to mend it."""
