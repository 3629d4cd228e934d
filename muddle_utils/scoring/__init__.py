"""Is this text the same answer? Exact match, F1, abstention, lists, numbers, and MMLongBench-Doc's first scorer.

It may import ``study``. Everything here is a pure function of texts: nothing is executed, nobody is asked. Sealed
inside is ``rule_judge``, the embedded judge, which is reached through its own face alone.
"""

from typing import Final

from muddle_utils import face

_FACE: Final = {
    "abstention": "is_abstention",
    "lists": "list_items literal_list",
    "mmlongbench_v1": "V1Score score_v1 short_answer",
    "numbers": "numbers_in",
    "phrases": "answer_parts find_phrase searchable_items",
    "squad": "exact_match normalise_answer token_f1",
}
__all__ = [
    "V1Score",
    "answer_parts",
    "exact_match",
    "find_phrase",
    "is_abstention",
    "list_items",
    "literal_list",
    "normalise_answer",
    "numbers_in",
    "score_v1",
    "searchable_items",
    "short_answer",
    "token_f1",
]


def __getattr__(name: str) -> object:
    """Load what the face names at its first use, so that importing the room loads nothing."""
    return face(__name__, _FACE, name)
