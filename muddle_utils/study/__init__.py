"""What a study is on disk: records, row files, the store, paths, and what codes are called in print.

The ground floor: it imports no other room. It never computes a result, asks nobody, and knows no protocol.
"""

from typing import Final

from muddle_utils import face

_FACE: Final = {
    "holdings": "held refuse_other_corpus refuse_other_renderer",
    "labels": "or_none",
    "paths": "Study StudyError find_study project_root resolve slug",
    "records": (
        "ANSWERED Cell Document Exclusion HardNegative PageQuality Question Rendering Request Response Verdict "
        "response_key"
    ),
    "rows": "RowsError read_rows rows_frame write_rows",
    "store": "Store StoreError",
}
__all__ = [
    "ANSWERED",
    "Cell",
    "Document",
    "Exclusion",
    "HardNegative",
    "PageQuality",
    "Question",
    "Rendering",
    "Request",
    "Response",
    "RowsError",
    "Store",
    "StoreError",
    "Study",
    "StudyError",
    "Verdict",
    "find_study",
    "held",
    "or_none",
    "project_root",
    "read_rows",
    "refuse_other_corpus",
    "refuse_other_renderer",
    "resolve",
    "response_key",
    "rows_frame",
    "slug",
    "write_rows",
]


def __getattr__(name: str) -> object:
    """Load what the face names at its first use, so that importing the room loads nothing."""
    return face(__name__, _FACE, name)
