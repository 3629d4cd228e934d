"""The embedded models as a provider: ``local/reader`` answers, ``local/rules`` judges.

Sealed: this face is all that the rest of the house uses of it. It may import ``study``, ``scoring``, ``rendering`` and
the prompts. Both read nothing but the message they are sent; they are lexical programs, and nothing they answer is a
finding about language models.
"""

from typing import TYPE_CHECKING, Final

from muddle_utils import face

if TYPE_CHECKING:
    from muddle_utils.inference.local.provider import complete as complete

# Part of what is sent to the embedded reader: raise it when the reader answers differently, so that its answers are
# asked for anew instead of mixed.
READER_VERSION: Final = "1"
_FACE: Final = {"provider": "complete"}
__all__ = ["READER_VERSION", "complete"]


def __getattr__(name: str) -> object:
    """Load what the face names at its first use: it is not needed to plan a request."""
    return face(__name__, _FACE, name)
