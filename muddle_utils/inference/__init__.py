"""Notebook 03: routes, prompts, requests, the client, its errors and budget: from cells to stored responses.

It may import ``study``, ``scoring`` and ``rendering``. It never scores an answer. Sealed inside is ``local``, the
embedded reader and judge as a provider, which is reached through its own face alone.
"""

from typing import Final

from muddle_utils import face

_FACE: Final = {
    "attachment_check": "Arrival prove_arrival",
    "client": "ModelError Patience parameters_of",
    "dispatch": "StageStoppedError",
    "prompts": "question_text",
    "requests": "answer_requests pending plan_requests",
    "routes": "Model ModelsFileError Route find_model",
}
__all__ = [
    "Arrival",
    "Model",
    "ModelError",
    "ModelsFileError",
    "Patience",
    "Route",
    "StageStoppedError",
    "answer_requests",
    "find_model",
    "parameters_of",
    "pending",
    "plan_requests",
    "prove_arrival",
    "question_text",
]


def __getattr__(name: str) -> object:
    """Load what the face names at its first use, so that importing the room loads nothing."""
    return face(__name__, _FACE, name)
