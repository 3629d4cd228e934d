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

from muddle_utils.stats.arrays import (
    FloatArray,
    IntArray,
    Labels,
    Reason,
    check_level,
    check_resamples,
    cluster_totals,
    seed_of,
)
from muddle_utils.stats.intervals import (
    Interval,
    cluster_bootstrap_mean,
    cluster_bootstrap_means,
    clustered_difference,
    clustered_mean,
    clustered_proportion,
    consistent_counts,
    p_value_of,
    wilson_interval,
)
from muddle_utils.stats.paired import (
    ClusteredTest,
    CochranQ,
    Equivalence,
    HolmAdjustment,
    McNemar,
    PairedDifference,
    PooledPairs,
    PooledQuestion,
    SignFlip,
    cluster_sign_flip,
    clustered_test,
    cochran_q,
    equivalence,
    exact_mcnemar,
    exact_mcnemar_counts,
    holm,
    paired_difference,
    pooled_pairs,
    pooled_question,
    question_differences,
    question_sign_flip,
)
from muddle_utils.stats.power import (
    DetectableGap,
    PairedPower,
    QuestionsToSettle,
    design_effect,
    minimal_detectable_gap,
    paired_power,
    questions_to_settle,
)
from muddle_utils.stats.regression import clustered_regression
from muddle_utils.stats.variance import (
    ClusterCorrelation,
    Component,
    CrossedVariance,
    DesignOption,
    ReplicateVariance,
    cluster_correlation,
    crossed_variance,
    design_options,
    projected_error,
    replicate_variance,
)

__all__ = [
    "ClusterCorrelation",
    "ClusteredTest",
    "CochranQ",
    "Component",
    "CrossedVariance",
    "DesignOption",
    "DetectableGap",
    "Equivalence",
    "FloatArray",
    "HolmAdjustment",
    "IntArray",
    "Interval",
    "Labels",
    "McNemar",
    "PairedDifference",
    "PairedPower",
    "PooledPairs",
    "PooledQuestion",
    "QuestionsToSettle",
    "Reason",
    "ReplicateVariance",
    "SignFlip",
    "check_level",
    "check_resamples",
    "cluster_bootstrap_mean",
    "cluster_bootstrap_means",
    "cluster_correlation",
    "cluster_sign_flip",
    "cluster_totals",
    "clustered_difference",
    "clustered_mean",
    "clustered_proportion",
    "clustered_regression",
    "clustered_test",
    "cochran_q",
    "consistent_counts",
    "crossed_variance",
    "design_effect",
    "design_options",
    "equivalence",
    "exact_mcnemar",
    "exact_mcnemar_counts",
    "holm",
    "minimal_detectable_gap",
    "p_value_of",
    "paired_difference",
    "paired_power",
    "pooled_pairs",
    "pooled_question",
    "projected_error",
    "question_differences",
    "question_sign_flip",
    "questions_to_settle",
    "replicate_variance",
    "seed_of",
    "wilson_interval",
]
