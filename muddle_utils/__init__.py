"""The vocabulary of the MUDDLE notebooks.

MUDDLE asks every question with its source document alone, with topically similar hard negatives and with
length-matched random distractors, so that a failure can be put down to length or to topic. The notebooks are the
study, in order; this package is the words they use; rows on disk are the only thing passed between them.

Importing the package loads nothing heavy: each module imports its own libraries, and litellm is imported only where
a request leaves the process.
"""

import os

# What MarkItDown brings along reports its use, under a number that it keeps in the home folder; read when it is loaded.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

from collections.abc import Mapping
from importlib import import_module

__version__ = "0.1.0"


def face(room: str, parts: Mapping[str, str], name: str) -> object:
    """Return what a room's face names, loading the part that holds it (PEP 562).

    Args:
        room: the room's full name.
        parts: the names that the face shows, with spaces between them, by the part that defines them.
        name: the name that is asked for.

    Raises:
        AttributeError: the face does not show it.
    """
    part = next((part for part, names in parts.items() if name in names.split()), None)
    if part is None:
        raise AttributeError(f"module {room!r} has no attribute {name!r}")
    return getattr(import_module(f"{room}.{part}"), name)
