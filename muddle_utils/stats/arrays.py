"""What every statistic does first: outcomes as arrays, pairs, clusters, and the refusal of what is none of these."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

# Resamples are drawn in blocks of this many numbers, which bounds memory to some 30 MB.
DRAWS_PER_BLOCK = 2_000_000


def outcomes(values: ArrayLike, name: str) -> FloatArray:
    """Return values as a float array of one dimension, NaN where there is none; raise ValueError naming ``name``."""
    column = np.asarray(values, dtype=np.float64)
    if column.ndim != 1:
        raise ValueError(f"{name} must have one dimension, not shape {column.shape}")
    if np.isinf(column).any():
        raise ValueError(f"{name} holds an infinite value at row {int(np.flatnonzero(np.isinf(column))[0])}")
    return column


def pair_of(a: ArrayLike, b: ArrayLike) -> tuple[FloatArray, FloatArray, NDArray[np.bool_]]:
    """Return both columns and the mask of rows that have both values."""
    left, right = outcomes(a, "a"), outcomes(b, "b")
    if left.shape != right.shape:
        raise ValueError(f"a and b must hold the same questions in the same order, not {len(left)} and {len(right)}")
    return left, right, ~(np.isnan(left) | np.isnan(right))


def binary(values: FloatArray, name: str) -> FloatArray:
    """Return values that are all 0 or 1 as they are; raise ValueError naming ``name`` and the first that is not."""
    wrong = np.flatnonzero((values != 0) & (values != 1))
    if len(wrong):
        raise ValueError(f"{name} must be 0 or 1 for an exact McNemar test, not {values[wrong[0]]}")
    return values


def mean(values: FloatArray) -> float:
    """Return the mean, NaN of nothing."""
    # fsum makes the mean independent of the order of rows, to the last bit.
    return math.fsum(values) / len(values) if len(values) else math.nan


def seed_of(rng: np.random.Generator) -> int | None:
    """Return the entropy that a generator was seeded with, or None where it holds no single whole number."""
    entropy = getattr(rng.bit_generator.seed_seq, "entropy", None)
    return int(entropy) if isinstance(entropy, int) else None


def check_level(level: float) -> None:
    """Refuse a confidence level outside 0 to 1.

    Raises:
        ValueError: naming it.
    """
    if not 0 < level < 1:
        raise ValueError(f"level must be between 0 and 1, such as 0.95, not {level}")


def check_resamples(n_resamples: int) -> None:
    """Refuse to resample less than once.

    Raises:
        ValueError: naming the number.
    """
    if n_resamples < 1:
        raise ValueError(f"n_resamples must be at least 1, not {n_resamples}")


def cluster_totals(values: FloatArray, labels: Sequence[object]) -> tuple[FloatArray, IntArray]:
    """Return sum and count of the values in each cluster, clusters in sorted order of their labels."""
    if not len(labels):
        return np.zeros(0), np.zeros(0, dtype=np.int64)
    names = np.asarray([_cluster_name(label) for label in labels], dtype=np.str_)
    _, index = np.unique(names, return_inverse=True)
    return np.bincount(index, weights=values).astype(np.float64), np.bincount(index).astype(np.int64)


def _cluster_name(label: object) -> str:
    name = str(label)
    # The strings are how None, NaN, NaT and pandas' NA print: rows without a document, which would form one cluster.
    if name in ("", "None", "nan", "NaT", "<NA>"):
        raise ValueError(f"every question needs a cluster label, such as its document_id; one has {label!r}")
    return name


def by_k(a: ArrayLike, b: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Return both arms as arrays of shape (questions, k values); raise ValueError if they are not."""
    left, right = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    if left.ndim != 2 or left.shape != right.shape:
        raise ValueError(f"a and b must both have shape (questions, k values), not {left.shape} and {right.shape}")
    if np.isinf(left).any() or np.isinf(right).any():
        raise ValueError("a or b holds an infinite value")
    return left, right
