"""A study handed on: where its numbers come from, the report, the bundle for release, and its replay."""

from typing import Final

from muddle_utils import face

_FACE: Final = {
    "bundles": "export",
    "replays": "replay",
    "report": "write_report",
}
__all__ = ["export", "replay", "write_report"]


def __getattr__(name: str) -> object:
    """Load what the face names at its first use, so that importing the room loads nothing."""
    return face(__name__, _FACE, name)
