"""Notebooks 04 and 09: judges, their replies, verdicts, and predictions of any system.

It may import ``study``, ``stats``, ``scoring``, ``corpus`` and ``inference``. It gives no verdict by default: what
cannot be read stays unjudged.
"""

from typing import Final

from muddle_utils import face

_FACE: Final = {
    "judge_calibration": "read_pairs validate",
    "judges": "Judge find_judge",
    "judging": "current_verdicts judge_responses",
    "mmlongbench_v2": "judge_predictions scored",
    "parsers": "VerdictError read_verdict",
    "predictions": "join read_gold read_predictions study_predictions system_names why_unmatched",
}
__all__ = [
    "Judge",
    "VerdictError",
    "current_verdicts",
    "find_judge",
    "join",
    "judge_predictions",
    "judge_responses",
    "read_gold",
    "read_pairs",
    "read_predictions",
    "read_verdict",
    "scored",
    "study_predictions",
    "system_names",
    "validate",
    "why_unmatched",
]


def __getattr__(name: str) -> object:
    """Load what the face names at its first use, so that importing the room loads nothing."""
    return face(__name__, _FACE, name)
