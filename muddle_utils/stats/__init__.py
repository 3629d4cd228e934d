"""The statistics of the study, as pure functions on arrays.

Every effect here is a few points on a few hundred questions that share documents, so three things matter more than
the choice of test: pairs are pairs, documents are the clusters, and no number is printed without its n. Each result
therefore carries its counts, its method and, where chance was used, the seed and the number of resamples.

Conventions. An outcome is a float, 1 for correct and 0 for wrong; NaN marks a question that was not answered or not
judged, is left out, and is counted in ``n_missing``. What cannot be computed is NaN with the reason in ``reason``;
what should not have been asked (shapes that differ, a score of 2 in a test for 0 and 1) raises ValueError. Nothing
here is zero because data were missing. The random generator is always passed in.

This module reads no files, knows no models or conditions, and rounds nothing: only tables round.
"""

from muddle_utils.stats.arrays import FloatArray, IntArray, check_level, check_resamples, cluster_totals, seed_of
from muddle_utils.stats.intervals import (
    Interval,
    cluster_bootstrap_difference,
    cluster_bootstrap_mean,
    consistent_counts,
    wilson_interval,
)
from muddle_utils.stats.paired import (
    HolmAdjustment,
    McNemar,
    PairedDifference,
    PooledPairs,
    PooledQuestion,
    SignFlip,
    exact_mcnemar,
    exact_mcnemar_counts,
    holm,
    paired_difference,
    pooled_pairs,
    pooled_question,
    question_differences,
    question_sign_flip,
)

__all__ = [
    "FloatArray",
    "HolmAdjustment",
    "IntArray",
    "Interval",
    "McNemar",
    "PairedDifference",
    "PooledPairs",
    "PooledQuestion",
    "SignFlip",
    "check_level",
    "check_resamples",
    "cluster_bootstrap_difference",
    "cluster_bootstrap_mean",
    "cluster_totals",
    "consistent_counts",
    "exact_mcnemar",
    "exact_mcnemar_counts",
    "holm",
    "paired_difference",
    "pooled_pairs",
    "pooled_question",
    "question_differences",
    "question_sign_flip",
    "seed_of",
    "wilson_interval",
]
