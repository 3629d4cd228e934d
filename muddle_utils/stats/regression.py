"""Linear regression with a clustered standard error for each coefficient."""

import itertools
import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from muddle_utils.stats.arrays import (
    FloatArray,
    IntArray,
    Labels,
    Reason,
    check_level,
    cluster_index,
    cluster_links,
    outcomes,
    t_quantile,
    table,
)
from muddle_utils.stats.intervals import ANALYTIC, NO_ERROR, Interval, linked_variance

# A share of leverage or of variance below which there is none but for rounding.
_ROUNDING = 1e-10


def clustered_regression(
    values: ArrayLike, terms: ArrayLike, clusters: Labels, level: float = 0.95
) -> tuple[Interval, ...]:
    """Return the least-squares coefficient of each term, with the interval that ``clustered_mean`` gives a mean.

    Formula: with X the rows of terms, P = (X'X)^-1, e the residuals and w = X P c for the coefficient c, the score of
    cluster g is s_g = w_g' A_g e_g, where A_g = (I - X_g P X_g')^(-1/2) is the CR2 correction of bias-reduced
    linearisation. SE^2 = sum_g s_g^2, and with Omega the covariance of the scores of independent values of variance 1
    the degrees of freedom are Satterthwaite's, (tr Omega)^2 / tr(Omega^2). Where clusters share something, the products
    of all that do are summed, as in ``clustered_error``. A column of ones alone gives ``clustered_mean``.

    A constant for each question may be taken out first (values and terms less their means over it): its questions lie
    inside the clusters, and then the correction stays the same (Pustejovsky and Tipton, 2018, theorem 2).

    Reference: Bell and McCaffrey (2002), Survey Methodology 28; Pustejovsky and Tipton (2018), Journal of Business and
    Economic Statistics 36; Cameron, Gelbach and Miller (2011), the same journal 29, for shared clusters.

    Args:
        values: shape (rows,), NaN where there is none.
        terms: shape (rows, terms), NaN where unknown; a column of ones is a constant.
        clusters: shape (rows,), labels or frozensets of what a row shares.
        level: coverage the intervals aim at.

    Returns:
        One interval a term, NaN with a reason where terms cannot be told apart or clusters are too few.

    Raises:
        ValueError: shapes differ, a label is missing, a value is infinite, or level is none.

    >>> both = clustered_regression([1, 2, 2, 4], [[1, 0], [1, 1], [1, 1], [1, 3]], ["a", "b", "c", "d"])
    >>> [round(each.estimate, 3) for each in both]
    [1.0, 1.0]
    """
    check_level(level)
    column, rows = outcomes(values, "values"), table(terms, "terms", "terms")
    if len(rows) != len(column):
        raise ValueError(f"values and terms must have equal length, not {len(column)} and {len(rows)}")
    known = np.asarray(~(np.isnan(column) | np.isnan(rows).any(axis=1)))
    index, n_clusters = cluster_index(clusters, known, "values")
    links = cluster_links(clusters, index, known) if n_clusters else None
    y, x, groups = column[known], rows[known], index[known]
    # Sorted, so that no order of rows changes a sum.
    order = np.lexsort((*x.T, y, groups))
    y, x, groups = y[order], x[order], groups[order]
    n_terms, reason = x.shape[1], ""
    if n_clusters <= n_terms:
        what = "one {unit}" if n_clusters == 1 else f"{n_clusters} {{unit}}s for {n_terms} coefficients"
        reason = Reason(what, NO_ERROR[0]) if n_clusters else "no values"
    elif links is not None and links.all():
        reason = Reason("every {unit} shares something with every other", NO_ERROR[0])
    if not len(y) or np.linalg.matrix_rank(x / np.maximum(np.abs(x).max(axis=0), 1e-300)) < n_terms:
        reason = reason or "the terms do not vary apart from each other"
        found = [(math.nan,) * 3] * n_terms
    else:
        found = _fitted(y, x, groups, np.eye(n_clusters, dtype=np.bool_) if links is None else links)
    return tuple(_interval(*each, level, len(y), len(column) - len(y), n_clusters, reason) for each in found)


def _fitted(
    y: FloatArray, x: FloatArray, groups: IntArray, links: NDArray[np.bool_]
) -> list[tuple[float, float, float]]:
    """Return estimate, standard error and degrees of freedom of each coefficient."""
    inverse = np.linalg.inv(x.T @ x)
    params = inverse @ (x.T @ y)
    errors, weights = y - x @ params, x @ inverse
    n_clusters = len(links)
    starts = np.searchsorted(groups, np.arange(n_clusters + 1))
    adjusted = np.empty_like(weights)
    for first, last in itertools.pairwise(starts):
        part = x[first:last]
        sizes, vectors = np.linalg.eigh(np.eye(len(part)) - part @ inverse @ part.T)
        root = np.where(sizes > _ROUNDING, 1 / np.sqrt(np.maximum(sizes, _ROUNDING)), 0.0)
        adjusted[first:last] = vectors @ (root[:, None] * (vectors.T @ weights[first:last]))
    found = []
    for term, estimate in enumerate(params):
        u = adjusted[:, term]
        scores = np.add.reduceat(u * errors, starts[:-1])
        through = np.add.reduceat(u[:, None] * x, starts[:-1], axis=0)
        spread = np.diag(np.add.reduceat(u * u, starts[:-1])) - through @ inverse @ through.T
        alone, freedom = linked_variance(scores, spread, np.eye(n_clusters, dtype=bool))
        together, fewer = linked_variance(scores, spread, links)
        variance = max(alone, together)
        # A standard error of rounding size is none.
        error = math.sqrt(variance) if variance > _ROUNDING * float(u @ u) * float(np.abs(y).max()) ** 2 else math.nan
        found.append((float(estimate), error, min(freedom, fewer)))
    return found


def _interval(
    estimate: float, error: float, freedom: float, level: float, n: int, n_missing: int, n_clusters: int, reason: str
) -> Interval:
    reason = reason or (Reason("the standard error is 0", NO_ERROR[1]) if math.isnan(error) else "")
    reach = math.nan if reason else t_quantile((1 + level) / 2, freedom) * error
    return Interval(
        estimate=estimate,
        low=estimate - reach,
        high=estimate + reach,
        level=level,
        n=n,
        n_missing=n_missing,
        n_clusters=n_clusters,
        method=ANALYTIC["cr2"],
        n_resamples=0,
        seed=None,
        reason=reason,
        standard_error=math.nan if reason else error,
        degrees_of_freedom=math.nan if reason else freedom,
    )
