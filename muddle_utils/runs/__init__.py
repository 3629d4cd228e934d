"""Plan, run, watch and publish a study: settings, runner, command line, status, doctor; inside, ``release``.

It may import every room; no room imports it. It computes no result of its own.
"""

from typing import Final

from muddle_utils import face

_FACE: Final = {
    "pipeline": "estimate_study run_study",
    "plan": "STEPS",
    "settings": "ModalityPlan RunError Settings",
}
__all__ = ["STEPS", "ModalityPlan", "RunError", "Settings", "estimate_study", "run_study"]


def __getattr__(name: str) -> object:
    """Load what the face names at its first use, so that importing the room loads nothing."""
    return face(__name__, _FACE, name)
