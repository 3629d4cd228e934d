"""The only way to a file in ``figures/``: layouts of tables, writers, style, plots.

It may import ``study``, ``analysis``, ``scoring`` and ``rendering``. It computes no number: what is drawn or printed
stands in a frame.
"""

from typing import Final

from muddle_utils import face

_FACE: Final = {
    "accuracy": "figure_accuracy figure_power figure_tokens",
    "benchmark_tables": (
        "disagreement_rows first_judge prediction_coverage save_all scored_frame scores_origin tables_of"
    ),
    "counts": "figure_1 figure_flips figure_infeasible figure_origins",
    "differences": "figure_forest figure_gaps figure_paired figure_sensitivity",
    "evidence": "evidence_pictures failure_browser failure_card",
    "items": "PUBLISHED_ITEMS",
    "layouts": (
        "headline listed print_disagreements print_discordance print_intervals print_lengths print_paired print_table_1"
    ),
    "show": "Show",
    "style": "save_figure",
    "systems": "figure_systems",
    "writers": "printed save_table",
}
__all__ = [
    "PUBLISHED_ITEMS",
    "Show",
    "disagreement_rows",
    "evidence_pictures",
    "failure_browser",
    "failure_card",
    "figure_1",
    "figure_accuracy",
    "figure_flips",
    "figure_forest",
    "figure_gaps",
    "figure_infeasible",
    "figure_origins",
    "figure_paired",
    "figure_power",
    "figure_sensitivity",
    "figure_systems",
    "figure_tokens",
    "first_judge",
    "headline",
    "listed",
    "prediction_coverage",
    "print_disagreements",
    "print_discordance",
    "print_intervals",
    "print_lengths",
    "print_paired",
    "print_table_1",
    "printed",
    "save_all",
    "save_figure",
    "save_table",
    "scored_frame",
    "scores_origin",
    "tables_of",
]


def __getattr__(name: str) -> object:
    """Load what the face names at its first use, so that importing the room loads nothing."""
    return face(__name__, _FACE, name)
