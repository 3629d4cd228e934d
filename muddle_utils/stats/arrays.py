"""What every statistic does first: outcomes as arrays, pairs, clusters, and the refusal of what is none of these."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
# A row's cluster by its name, or all that it shares with others by their names, as a frozenset.
Labels = Sequence[object] | NDArray[np.generic]

# Resamples are drawn in blocks of this many numbers, which stay in the processor's cache, and as many of their results
# are held at once as this, 16 MB.
DRAWS_PER_BLOCK = 100_000
RESULTS_AT_ONCE = 2_000_000
# A mean over 1 to 5 values of k, or a difference of two such, is a whole number of sixtieths.
MOST_PARTS = 60
# Sums of more steps than 2^53 would not be exact.
LARGEST_ON_A_LATTICE = 1e6


class Reason(str):
    """Why a statistic does not apply: a sentence that says what is so and what that means.

    Attributes:
        what: the first half, with ``{unit}`` in place of what the sentence calls a cluster.
    """

    what: str

    def __new__(cls, what: str, means: str = "", unit: str = "unit") -> Self:
        """Return the whole sentence.

        >>> Reason("one {unit}", "nothing varies"), Reason("one {unit}", "nothing varies").of("source document")
        ('one unit: nothing varies', 'one source document')
        """
        said = what.replace("{unit}", unit)
        reason = super().__new__(cls, f"{said}: {means}" if means else said)
        reason.what = what
        return reason

    def of(self, unit: str) -> str:
        """Return what is so, of clusters that are called ``unit``, without what it means."""
        return self.what.replace("{unit}", unit)


def outcomes(values: ArrayLike, name: str) -> FloatArray:
    """Return values as a float array of one dimension, NaN where there is none; raise ValueError naming ``name``."""
    column = np.asarray(values, dtype=np.float64)
    if column.ndim != 1:
        raise ValueError(f"{name} must have one dimension, not shape {column.shape}")
    refuse_infinite(column, name)
    return column


def table(values: ArrayLike, name: str, columns: str) -> FloatArray:
    """Return values as a float array of shape (questions, columns); raise ValueError naming ``name`` if they are not.

    ``columns`` says in the error what a column is.
    """
    rows = np.asarray(values, dtype=np.float64)
    if rows.ndim != 2:
        raise ValueError(f"{name} must have shape (questions, {columns}), not {rows.shape}")
    refuse_infinite(rows, name)
    return rows


def refuse_infinite(values: FloatArray, name: str) -> None:
    """Raise ValueError naming ``name`` and the first row that is infinite."""
    if np.isinf(values).any():
        raise ValueError(f"{name} holds an infinite value at row {int(np.argwhere(np.isinf(values))[0, 0])}")


def pair_of(a: ArrayLike, b: ArrayLike) -> tuple[FloatArray, FloatArray, NDArray[np.bool_]]:
    """Return both columns and the mask of rows that have both values."""
    left, right = outcomes(a, "a"), outcomes(b, "b")
    if left.shape != right.shape:
        raise ValueError(f"a and b must hold the same questions in the same order, not {len(left)} and {len(right)}")
    return left, right, ~(np.isnan(left) | np.isnan(right))


def paired_differences(values: ArrayLike) -> FloatArray:
    """Return differences from -1 to 1 as ``outcomes`` does; raise ValueError naming the first row that is none."""
    column = outcomes(values, "differences")
    if len(wrong := np.flatnonzero(np.abs(column) > 1)):
        raise ValueError(f"differences must be from -1 to 1, not {column[wrong[0]]} at row {wrong[0]}")
    return column


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


def t_quantile(share: float, freedom: float) -> float:
    """Return the quantile of Student's distribution; ``freedom`` need not be whole."""
    from scipy.special import stdtrit

    return float(stdtrit(freedom, share))


def t_above(statistic: float, freedom: float) -> float:
    """Return the probability that Student's distribution lies above ``statistic``."""
    from scipy.special import stdtr

    return float(stdtr(freedom, -statistic))


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


def on_a_lattice(values: FloatArray) -> tuple[IntArray, int] | None:
    """Return values as whole steps and how many steps make 1, or None if no step of 1 to 1/60 fits them all."""
    largest = float(np.abs(values).max(initial=0.0))
    if largest > LARGEST_ON_A_LATTICE:
        return None
    for parts in range(1, MOST_PARTS + 1):
        scaled = values * parts
        whole = np.rint(scaled)
        # Relative to the values where they are small, or a column of 1e-12 would pass for a column of 0.
        if float(np.abs(scaled - whole).max(initial=0.0)) <= 1e-9 * min(1.0, largest * parts):
            return whole.astype(np.int64), parts
    return None


@dataclass(frozen=True)
class Clustered:
    """A column by cluster, those clusters that have a value, in sorted order of their labels.

    ``sums`` of a cluster's values are in steps of 1/``parts``. 0/1 outcomes and their means over a few k are whole
    steps, so that sums of them are exact: no order of addition, and so no machine, changes their last bit. Where no
    step fits, ``parts`` is 1. ``rounding`` is what a mean that should be 0 may come to. ``links``, shape (clusters,
    clusters), marks the clusters that share something, each with itself; None where none does.
    """

    sums: FloatArray
    parts: int
    counts: IntArray
    rounding: float
    estimate: float
    n: int
    n_missing: int
    links: NDArray[np.bool_] | None = None

    @property
    def n_clusters(self) -> int:
        """The number of clusters with a value."""
        return len(self.sums)

    @property
    def means(self) -> FloatArray:
        """The mean of each cluster, shape (clusters,)."""
        return self.sums / (self.parts * self.counts)

    @property
    def residuals(self) -> FloatArray:
        """What each cluster's sum is above its share of the mean, shape (clusters,)."""
        total, n = self.sums.sum(), self.n
        return np.asarray((self.sums * n - self.counts * total) / (self.parts * n))

    def with_two_pairs(self) -> "Clustered":
        """Return the totals with one more value of 1 and one of -1, each a cluster of its own."""
        n = self.n + 2
        return replace(
            self,
            sums=np.append(self.sums, [self.parts, -self.parts]),
            counts=np.append(self.counts, [1, 1]),
            estimate=self.estimate * (self.n / n),
            n=n,
            links=None if self.links is None else np.pad(self.links, (0, 2)) | np.eye(self.n_clusters + 2, dtype=bool),
        )

    def too_few(self, one: str) -> str:
        """Return why there are not two clusters that are independent of each other, "" if there are."""
        if self.n == 0:
            return "no values"
        if self.n_clusters == 1:
            return Reason("one {unit}", one)
        if self.links is not None and self.links.all():
            return Reason("every {unit} shares something with every other", one)
        return ""

    def why_not(self, one: str, same: str) -> str:
        """Return why nothing can be said of the variation between clusters, "" if something can."""
        if few := self.too_few(one):
            return few
        if np.ptp(self.means) <= self.rounding:
            return Reason("every {unit} has the same mean", same)
        return ""


def cluster_index(
    labels: Sequence[object] | NDArray[np.generic], known: NDArray[np.bool_], name: str
) -> tuple[IntArray, int]:
    """Return the number of each row's cluster, in sorted order of the labels, and how many clusters there are.

    Only rows marked in ``known`` need a label and make a cluster; the others get 0.

    Raises:
        ValueError: naming ``name`` if it has another number of rows than labels, or a label is missing.
    """
    if len(labels) != len(known):
        raise ValueError(f"{name} and clusters must have equal length, not {len(known)} and {len(labels)}")
    names = [_cluster_name(label) for label, kept in zip(labels, known, strict=True) if kept]
    found, numbers = np.unique(np.asarray(names, dtype=np.str_), return_inverse=True)
    index = np.zeros(len(known), dtype=np.int64)
    index[known] = numbers
    return index, len(found)


def cluster_links(labels: Labels, index: IntArray, known: NDArray[np.bool_]) -> NDArray[np.bool_] | None:
    """Return which clusters share something, given the number of each row's cluster; None if labels are no sets."""
    if not any(isinstance(label, frozenset) for label, kept in zip(labels, known, strict=True) if kept):
        return None
    shared = sorted(
        {
            (int(i), name)
            for i, label, kept in zip(index, labels, known, strict=True)
            if kept
            for name in (label if isinstance(label, frozenset) else [str(label)])
        }
    )
    _, names = np.unique([name for _, name in shared], return_inverse=True)
    member = np.zeros((int(index.max()) + 1, int(names.max()) + 1))
    member[[i for i, _ in shared], names] = 1
    return np.asarray(member @ member.T > 0)


def _steps(values: FloatArray, index: IntArray) -> tuple[FloatArray, IntArray]:
    """Return values as whole steps, row by row of ``index``, and how many steps make 1 in each column.

    A column that no step fits remains as it is, with 1, but sorted inside the rows of one cluster.
    """
    order = np.argsort(index, kind="stable")
    if whole := on_a_lattice(values):
        # One step for the whole table is quicker, and one finer than a column needs changes no quotient.
        return whole[0].astype(np.float64)[order], np.full(values.shape[1], whole[1])
    columns: list[FloatArray] = []
    parts: list[int] = []
    for column in values.T:
        steps = on_a_lattice(column)
        # What is no whole step is added in an order that does not depend on that of the rows.
        columns.append(column[np.lexsort((column, index))] if steps is None else steps[0].astype(np.float64)[order])
        parts.append(1 if steps is None else steps[1])
    return np.column_stack(columns), np.array(parts)


def by_cluster(rows: FloatArray, index: IntArray, n_clusters: int) -> list[Clustered]:
    """Return the totals by cluster of each column of ``rows``, given the number of each row's cluster."""
    known = ~np.isnan(rows)
    steps, parts = _steps(np.where(known, rows, 0.0), index)
    order = np.argsort(index, kind="stable")
    starts = np.searchsorted(index[order], np.arange(n_clusters))
    sums = np.add.reduceat(steps, starts, axis=0).T
    counts = np.add.reduceat(known[order].astype(np.int64), starts, axis=0).T
    present, n = counts > 0, known.sum(axis=0)
    rounding = 1e-12 * np.nanmax(np.abs(rows), axis=0, initial=0.0)
    return [
        Clustered(
            sums=sums[number, present[number]],
            parts=int(parts[number]),
            counts=counts[number, present[number]],
            rounding=float(rounding[number]),
            estimate=mean(rows[known[:, number], number]),
            n=int(n[number]),
            n_missing=len(rows) - int(n[number]),
        )
        for number in range(rows.shape[1])
    ]


def clustered(values: ArrayLike, labels: Sequence[object] | NDArray[np.generic], name: str) -> Clustered:
    """Return the totals by cluster of one column.

    Raises:
        ValueError: values and labels differ in length, a value is infinite, or a label is missing.
    """
    column = outcomes(values, name)
    known = np.asarray(~np.isnan(column))
    index, n_clusters = cluster_index(labels, known, name)
    [totals] = by_cluster(column[:, None], index, n_clusters)
    return replace(totals, links=cluster_links(labels, index, known) if n_clusters else None)


def cluster_totals(values: FloatArray, labels: Sequence[object]) -> tuple[FloatArray, IntArray]:
    """Return sum and count of the values in each cluster, clusters in sorted order of their labels."""
    index, _ = cluster_index(labels, np.ones(len(values), dtype=np.bool_), "values")
    return np.bincount(index, weights=values).astype(np.float64), np.bincount(index).astype(np.int64)


def _cluster_name(label: object) -> str:
    name = "\n".join(sorted(map(str, label))) if isinstance(label, frozenset) else str(label)
    # The strings are how None, NaN, NaT and pandas' NA print: rows without a document, which would form one cluster.
    if name in ("", "None", "nan", "NaT", "<NA>"):
        raise ValueError(f"every question needs a cluster label, such as its document_id; one has {label!r}")
    return name


def by_k(a: ArrayLike, b: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Return both arms as arrays of shape (questions, k values); raise ValueError if they are not."""
    left, right = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    if left.ndim != 2 or left.shape != right.shape:
        raise ValueError(f"a and b must both have shape (questions, k values), not {left.shape} and {right.shape}")
    refuse_infinite(left, "a")
    refuse_infinite(right, "b")
    return left, right
