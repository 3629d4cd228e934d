"""Notebooks 05, 06, 09 and 10: the long frame, and from it tidy tables of unrounded numbers.

It may import ``study``, ``stats``, ``scoring`` and ``rendering``. It rounds nothing, draws nothing, writes no table
and asks nobody.
"""

from typing import Final

from muddle_utils import face

_FACE: Final = {
    "answers": "majority_verdicts read_answers read_frame read_frames side_by_side write_frame",
    "asked_alike": "between_models by_model refuse_unlike shared",
    "attribution": "STANDS_IN attribute_answers attribution_counts placebo read_texts",
    "benchmark_scores": "disagreement_rows kept prediction_coverage scored_frame",
    "claims": "claims_table",
    "comparisons": "cochran equivalent intervals paired",
    "failures": "arm_to_look_into flip_counts flips list_failures",
    "frames": "FRAME_TYPES TablesError analysis_command answerable long_frame origin_of",
    "length_models": "length_effects",
    "power": "observed power_table settling_table",
    "published": "compare_published origin_of_files published_payloads published_statement read_calibration",
    "reliability": "disagreements judge_accuracy judge_agreement read_ratings replicate_table variance_table",
    "sensitivity": "leave_one_out_summary leave_one_source_out read_alternatives variations variations_summary",
    "tables": (
        "abstention coverage generator infeasible_table read_construction_counts read_table_2 read_table_3 "
        "table_1 table_2 table_3 table_4 tokens_table"
    ),
}
__all__ = [
    "FRAME_TYPES",
    "STANDS_IN",
    "TablesError",
    "abstention",
    "analysis_command",
    "answerable",
    "arm_to_look_into",
    "attribute_answers",
    "attribution_counts",
    "between_models",
    "by_model",
    "claims_table",
    "cochran",
    "compare_published",
    "coverage",
    "disagreement_rows",
    "disagreements",
    "equivalent",
    "flip_counts",
    "flips",
    "generator",
    "infeasible_table",
    "intervals",
    "judge_accuracy",
    "judge_agreement",
    "kept",
    "leave_one_out_summary",
    "leave_one_source_out",
    "length_effects",
    "list_failures",
    "long_frame",
    "majority_verdicts",
    "observed",
    "origin_of",
    "origin_of_files",
    "paired",
    "placebo",
    "power_table",
    "prediction_coverage",
    "published_payloads",
    "published_statement",
    "read_alternatives",
    "read_answers",
    "read_calibration",
    "read_construction_counts",
    "read_frame",
    "read_frames",
    "read_ratings",
    "read_table_2",
    "read_table_3",
    "read_texts",
    "refuse_unlike",
    "replicate_table",
    "scored_frame",
    "settling_table",
    "shared",
    "side_by_side",
    "table_1",
    "table_2",
    "table_3",
    "table_4",
    "tokens_table",
    "variance_table",
    "variations",
    "variations_summary",
    "write_frame",
]


def __getattr__(name: str) -> object:
    """Load what the face names at its first use, so that importing the room loads nothing."""
    return face(__name__, _FACE, name)
