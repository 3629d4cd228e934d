"""How far judges agree, as pure functions on arrays.

A rating is a category: a truth value, a number or a text. None, NaN, NaT, pandas' NA and a masked entry mean that the
judge gave no rating; they are left out and counted. Every coefficient is nominal: two ratings are alike or they are
not.

Conventions as in ``stats``, but for one: a coefficient that is undefined is None with the reason in ``reason``, because
agreement by one category only is the usual case with a good model, and neither 1 nor 0 describes it. An ``Interval``
keeps its own convention: NaN bounds with its reason. Print raw agreement beside a coefficient: where nearly all answers
are right, kappa and alpha are near 0 although the judges hardly ever differ.
"""

import dataclasses
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

from muddle_utils.stats import (
    FloatArray,
    IntArray,
    Interval,
    Reason,
    check_level,
    check_resamples,
    cluster_totals,
    seed_of,
    wilson_interval,
)

ObjectArray = NDArray[np.object_]
Clusters = Sequence[object] | NDArray[np.generic]

# Drawn row numbers are held in blocks of this many, which bounds memory to some 50 MB.
_DRAWS_PER_BLOCK = 2_000_000


@dataclass(frozen=True)
class CohenKappa:
    """Cohen's kappa of two judges on the ``n`` items that both judged; ``n_missing`` items lack one or both.

    ``observed`` and ``expected`` are the shares judged alike and judged alike by chance. ``table`` counts items, a's
    category by row and b's by column, both in the order of ``categories``. ``interval`` is analytic and takes items
    for independent; ``cluster_interval`` resamples clusters and is None when none were given.
    """

    kappa: float | None
    standard_error: float | None
    observed: float | None
    expected: float | None
    n: int
    n_missing: int
    categories: tuple[object, ...]
    table: tuple[tuple[int, ...], ...]
    interval: Interval
    cluster_interval: Interval | None = None
    reason: str = ""


@dataclass(frozen=True)
class KrippendorffAlpha:
    """Nominal alpha over the ``n_items`` items with two or more ratings, ``n_ratings`` ratings in all.

    ``n_items_left_out`` items have one rating or none. ``n_ratings_missing`` ratings are missing among all items.
    ``interval`` counts items in ``n`` and is None when no generator was passed.
    """

    alpha: float | None
    observed_disagreement: float | None
    expected_disagreement: float | None
    n_judges: int
    n_items: int
    n_items_left_out: int
    n_ratings: int
    n_ratings_missing: int
    categories: tuple[object, ...]
    interval: Interval | None
    reason: str = ""


@dataclass(frozen=True)
class Majority:
    """The category of more than half of the judges that judged an item, None where there is none.

    ``votes`` are the ratings of an item's most frequent category, ``n_judged`` its ratings. The items are
    ``n_decided``, ``n_undecided`` (judged, but no category has more than half) and ``n_unjudged``.
    """

    labels: tuple[object, ...]
    votes: tuple[int, ...]
    n_judged: tuple[int, ...]
    n_decided: int
    n_undecided: int
    n_unjudged: int


# --- Ratings ------------------------------------------------------------------------------------------------------


def _is_missing(value: object, name: str) -> bool:
    printed = str(value)
    # These are how None, NaN, NaT and pandas' NA print. As text they are what a missing rating becomes in a text array.
    hollow = printed in ("", "None", "nan", "NaT", "<NA>")
    if hollow and isinstance(value, str):
        raise ValueError(f"{name} holds the text {printed!r} as a rating: write None where a judge gave none")
    return hollow


def _ratings(values: ArrayLike, name: str, axes: tuple[str, ...]) -> ObjectArray:
    """Return a copy as an object array in which a missing rating is None."""
    ratings: ObjectArray = np.array(values.data if isinstance(values, np.ma.MaskedArray) else values, dtype=object)
    if ratings.ndim != len(axes):
        raise ValueError(f"{name} must have shape ({', '.join(axes)}), not {ratings.shape}")
    if isinstance(values, np.ma.MaskedArray):
        ratings[np.ma.getmaskarray(values)] = None
    ratings[np.array([_is_missing(value, name) for value in ratings.flat], dtype=bool).reshape(ratings.shape)] = None
    return ratings


def _present(ratings: ObjectArray) -> NDArray[np.bool_]:
    return np.array([value is not None for value in ratings.flat], dtype=bool).reshape(ratings.shape)


def _coded(ratings: ObjectArray) -> tuple[IntArray, tuple[object, ...]]:
    """Return the ratings as indices into the sorted categories, -1 where missing, and the categories."""
    values = ratings.ravel().tolist()
    seen = dict.fromkeys(value for value in values if value is not None)
    try:
        categories: tuple[object, ...] = tuple(sorted(seen))
    except TypeError as error:
        raise ValueError("ratings mix text with numbers: write the categories of all judges in one form") from error
    index: dict[object, int] = {category: i for i, category in enumerate(categories)} | {None: -1}
    return np.array([index[value] for value in values], dtype=np.int64).reshape(ratings.shape), categories


def _both(a: ArrayLike, b: ArrayLike) -> tuple[ObjectArray, NDArray[np.bool_]]:
    """Return the ratings of two judges, shape (2, items), and the mask of items that both judged."""
    left, right = _ratings(a, "a", ("items",)), _ratings(b, "b", ("items",))
    if left.shape != right.shape:
        raise ValueError(f"a and b must hold the same items in the same order, not {len(left)} and {len(right)}")
    pairs = np.stack([left, right])
    return pairs, _present(pairs[0]) & _present(pairs[1])


def _category_counts(codes: IntArray, n_categories: int) -> IntArray:
    """Return how often each category was given to each item, shape (items, categories)."""
    counts: IntArray = (codes[:, :, None] == np.arange(n_categories)).sum(axis=0)
    return counts


# --- Resampling ---------------------------------------------------------------------------------------------------


def _kept_labels(clusters: Clusters | None, kept: NDArray[np.bool_], rng: object) -> list[object] | None:
    """Return the cluster labels of the items kept, None when every item is its own cluster."""
    if clusters is None:
        return None
    if rng is None:
        raise ValueError("clusters are for the bootstrap interval, which needs a generator: pass rng")
    if len(clusters) != len(kept):
        raise ValueError(f"clusters must hold one label an item, not {len(clusters)} for {len(kept)} items")
    return [label for label, keep in zip(clusters, kept, strict=True) if keep]


def _resampled_totals(totals: FloatArray, rng: np.random.Generator, n_resamples: int) -> FloatArray:
    """Return the column totals of draws of all rows with replacement, shape (n_resamples, columns).

    The rows drawn are those of ``stats.cluster_bootstrap_mean`` at the same seed.
    """
    n_rows, n_columns = totals.shape
    block = max(1, _DRAWS_PER_BLOCK // n_rows)
    resampled = np.empty((n_resamples, n_columns))
    for start in range(0, n_resamples, block):
        size = min(block, n_resamples - start)
        drawn = rng.integers(0, n_rows, size=(size, n_rows)) + n_rows * np.arange(size)[:, None]
        times_drawn = np.bincount(drawn.ravel(), minlength=size * n_rows).reshape(size, n_rows)
        resampled[start : start + size] = times_drawn @ totals
    return resampled


def _why_no_bounds(values: FloatArray, level: float) -> str:
    defined = values[~np.isnan(values)]
    if len(defined) < level * len(values):
        return f"undefined in {len(values) - len(defined)} of {len(values)} resamples, for want of a second category"
    if np.ptp(defined) <= 1e-12:
        return Reason("every resample gives the same value", "resampling shows no variation")
    return ""


def _bootstrap(
    coefficient: Callable[[FloatArray], FloatArray],
    totals: FloatArray,
    labels: Sequence[object] | None,
    rng: np.random.Generator,
    n_resamples: int,
    level: float,
) -> Interval:
    """Return the percentile interval of a coefficient of column totals, whose rows are items or form clusters."""
    check_level(level)
    check_resamples(n_resamples)
    estimate = float(coefficient(totals.sum(axis=0)))
    rows = totals
    if labels is not None and len(labels):
        rows = np.column_stack([cluster_totals(column, labels)[0] for column in totals.T])
    low = high = math.nan
    undefined = 0
    if math.isnan(estimate):
        reason = "the coefficient is undefined"
    elif len(rows) == 1:
        reason = Reason("one {unit}", "drawing it again and again shows no variation", "cluster")
    else:
        values = coefficient(_resampled_totals(rows, rng, n_resamples))
        undefined = int(np.isnan(values).sum())
        reason = _why_no_bounds(values, level)
        if not reason:
            low, high = (float(q) for q in np.nanquantile(values, [(1 - level) / 2, (1 + level) / 2]))
    method = f"{'item' if labels is None else 'cluster'} bootstrap, percentile"
    return Interval(
        estimate=estimate,
        low=low,
        high=high,
        level=level,
        n=len(totals),
        n_missing=0,
        n_clusters=len(rows),
        method=f"{method}, {undefined} undefined resamples left out" if undefined and not reason else method,
        n_resamples=0 if reason else n_resamples,
        seed=None if reason else seed_of(rng),
        reason=reason,
    )


# --- Two judges ---------------------------------------------------------------------------------------------------


def raw_agreement(a: ArrayLike, b: ArrayLike, level: float = 0.95) -> Interval:
    """Return the share of items that two judges judged alike, with Wilson's interval.

    Formula: (items with a_i = b_i) / n over the n items that both judged. The interval takes items for independent;
    give the 0/1 agreement to ``stats.cluster_bootstrap_mean`` for one by document.

    Reference: Wilson (1927), Journal of the American Statistical Association 22.

    Args:
        a: shape (items,), one judge's ratings.
        b: shape (items,), the other's, the same items in the same order.
        level: coverage the interval aims at.

    Raises:
        ValueError: the shapes differ, a rating is an empty text, or level is out of range.

    >>> share = raw_agreement(["yes", "no", "yes", None], ["yes", "no", "no", "no"])
    >>> round(share.estimate, 3), share.n, share.n_missing
    (0.667, 3, 1)
    """
    pairs, both = _both(a, b)
    codes, _ = _coded(pairs[:, both])
    share = wilson_interval(int((codes[0] == codes[1]).sum()), codes.shape[1], level)
    return dataclasses.replace(
        share,
        n_missing=len(both) - share.n,
        method="Wilson, independent items",
        reason="" if share.n else "no item was judged by both",
    )


def _kappa_of(tables: FloatArray) -> FloatArray:
    """Return kappa of tables of counts, shape (..., K * K), NaN where both judges gave one and the same category."""
    k = math.isqrt(tables.shape[-1])
    square = tables.reshape(*tables.shape[:-1], k, k)
    n = tables.sum(axis=-1)
    by_chance = (square.sum(axis=-1) * square.sum(axis=-2)).sum(axis=-1)
    alike = np.trace(square, axis1=-2, axis2=-1)
    # In whole counts the denominator is 0 exactly when kappa is undefined; in shares it would be so up to rounding.
    beyond = n * n - by_chance
    kappa: FloatArray = np.divide(n * alike - by_chance, beyond, out=np.full_like(beyond, np.nan), where=beyond > 0)
    return kappa


def _kappa_error(table: FloatArray, kappa: float) -> float:
    """Return the large-sample standard error of kappa from a table of counts, shape (K, K)."""
    n = float(table.sum())
    p = table / n
    rows, columns = p.sum(axis=1), p.sum(axis=0)
    expected = float(rows @ columns)
    alike = float((np.diag(p) * (1 - (rows + columns) * (1 - kappa)) ** 2).sum())
    crossed = p * (columns[:, None] + rows[None, :]) ** 2
    differing = (1 - kappa) ** 2 * float(crossed.sum() - np.trace(crossed))
    spread = alike + differing - (kappa - expected * (1 - kappa)) ** 2
    # Where the formula gives 0 (perfect agreement, a judge with one category) rounding leaves some 1e-16; otherwise the
    # spread is about 1/n or more.
    return math.sqrt(spread / n) / (1 - expected) if spread > 1e-13 else 0.0


def _kappa_interval(kappa: float, error: float, n: int, n_missing: int, level: float, reason: str) -> Interval:
    if not reason and error == 0:
        reason = Reason("the large-sample standard error is 0", "the table shows no variation")
    half = math.nan if reason else NormalDist().inv_cdf((1 + level) / 2) * error
    return Interval(
        estimate=kappa,
        low=math.nan if reason else max(-1.0, kappa - half),
        high=math.nan if reason else min(1.0, kappa + half),
        level=level,
        n=n,
        n_missing=n_missing,
        n_clusters=n,
        method="Fleiss, Cohen and Everitt, independent items",
        n_resamples=0,
        seed=None,
        reason=reason,
    )


def cohen_kappa(
    a: ArrayLike,
    b: ArrayLike,
    clusters: Clusters | None = None,
    rng: np.random.Generator | None = None,
    n_resamples: int = 10_000,
    level: float = 0.95,
) -> CohenKappa:
    """Return Cohen's kappa of two judges with its large-sample interval, and one by cluster when clusters are given.

    Formula: kappa = (p_o - p_e) / (1 - p_e), with p_ij the share of items in a's category i and b's category j,
    p_o = sum_i p_ii and p_e = sum_i p_i. p_.i. Its variance is
    [sum_i p_ii (1 - (p_i. + p_.i)(1 - kappa))^2 + (1 - kappa)^2 sum_{i != j} p_ij (p_.i + p_j.)^2
    - (kappa - p_e (1 - kappa))^2] / (n (1 - p_e)^2), and the interval kappa +- z SE, cut at -1 and 1. It takes items
    for independent and n for large (some tens of items in the rarer category). The interval by cluster draws whole
    clusters (documents) with replacement and takes percentiles of kappa; resamples in which kappa is undefined are
    left out and counted in its ``method``, and too many of them for the level leave no interval. It is somewhat too
    narrow when clusters are few: with 60 documents of 4 items a 95 % interval covers about 94 % of the time.

    Kappa is undefined, and None, when both judges gave every item one and the same category: p_e is then 1. When only
    one judge kept to one category kappa is 0, whatever the other did, and has no interval.

    Reference: Cohen (1960), Educational and Psychological Measurement 20; Fleiss, Cohen and Everitt (1969),
    Psychological Bulletin 72.

    Args:
        a: shape (items,), one judge's ratings.
        b: shape (items,), the other's, the same items in the same order.
        clusters: shape (items,), labels (document ids), or None for no interval by cluster.
        rng: the generator, needed with clusters only.
        n_resamples: number of bootstrap samples.
        level: coverage the intervals aim at.

    Raises:
        ValueError: shapes differ, a rating is an empty text, ratings mix text and numbers, a cluster label is missing,
            clusters come without rng, or level or n_resamples is out of range.

    >>> result = cohen_kappa([1, 1, 1, 0, 0, 0], [1, 1, 0, 0, 0, 1])  # p_o = 4/6, p_e = 1/2
    >>> round(result.kappa, 4), result.categories, result.table
    (0.3333, (0, 1), ((2, 1), (1, 2)))
    >>> cohen_kappa([True, True], [True, True]).reason
    'both judges gave every item the same category: agreement by chance is certain'
    """
    check_level(level)
    pairs, both = _both(a, b)
    labels = _kept_labels(clusters, both, rng)
    codes, categories = _coded(pairs[:, both])
    n, k = codes.shape[1], len(categories)
    cells = np.zeros((n, k * k))
    cells[np.arange(n), codes[0] * k + codes[1]] = 1
    counts = cells.sum(axis=0)
    table = counts.reshape(k, k)
    kappa = float(_kappa_of(counts))
    reason = ""
    if math.isnan(kappa):
        reason = (
            "both judges gave every item the same category: agreement by chance is certain"
            if n
            else "no item was judged by both"
        )
    error = None if reason else _kappa_error(table, kappa)
    by_cluster = None
    if labels is not None and rng is not None:
        by_cluster = _bootstrap(_kappa_of, cells, labels, rng, n_resamples, level)
        by_cluster = dataclasses.replace(by_cluster, n_missing=len(both) - n)
    return CohenKappa(
        kappa=None if reason else kappa,
        standard_error=error,
        observed=float(np.trace(table)) / n if n else None,
        expected=float(table.sum(axis=1) @ table.sum(axis=0)) / n**2 if n else None,
        n=n,
        n_missing=len(both) - n,
        categories=categories,
        table=tuple(tuple(int(count) for count in row) for row in table),
        interval=_kappa_interval(kappa, error or 0.0, n, len(both) - n, level, reason),
        cluster_interval=by_cluster,
        reason=reason,
    )


# --- Any number of judges -----------------------------------------------------------------------------------------


def _disagreements(totals: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return observed and expected disagreement of totals: one column a category, and last the coincidences alike."""
    by_category, alike = totals[..., :-1], totals[..., -1]
    n = by_category.sum(axis=-1)
    pairs = n * (n - 1)
    differing = n * n - (by_category**2).sum(axis=-1)
    nothing = np.full_like(n, np.nan)
    return (
        np.divide(n - alike, n, out=nothing.copy(), where=n > 0),
        np.divide(differing, pairs, out=nothing.copy(), where=pairs > 0),
    )


def _alpha_of(totals: FloatArray) -> FloatArray:
    observed, expected = _disagreements(totals)
    ratio: FloatArray = np.divide(observed, expected, out=np.full_like(expected, np.nan), where=expected > 0)
    alpha: FloatArray = 1 - ratio
    return alpha


def krippendorff_alpha(
    ratings: ArrayLike,
    rng: np.random.Generator | None = None,
    clusters: Clusters | None = None,
    n_resamples: int = 2_000,
    level: float = 0.95,
) -> KrippendorffAlpha:
    """Return Krippendorff's nominal alpha of any number of judges, with a bootstrap interval when ``rng`` is given.

    Formula: alpha = 1 - D_o / D_e. Item u with m_u >= 2 ratings, n_uc of them in category c, adds
    n_uc (n_uc - 1) / (m_u - 1) to the coincidences o_cc. With n_c = sum_u n_uc and n = sum_c n_c,
    D_o = (n - sum_c o_cc) / n and D_e = (n^2 - sum_c n_c^2) / (n (n - 1)). Items with fewer ratings have nothing to
    compare and are left out. Judges are exchangeable: their order and names do not matter. The interval draws items,
    or whole clusters (documents), with replacement and takes percentiles of alpha, computed anew in each resample;
    resamples in which alpha is undefined are left out and counted in its ``method``, and too many of them for the
    level leave no interval. With 60 documents of 4 items a 95 % interval covers about 94 % of the time.

    Alpha is undefined, and None, when all ratings compared are of one category: D_e is then 0.

    Reference: Krippendorff (2011), Computing Krippendorff's Alpha-Reliability; Hayes and Krippendorff (2007),
    Communication Methods and Measures 1. Theirs is another bootstrap, of coincidences; this one keeps an item whole.

    Args:
        ratings: shape (judges, items).
        rng: the generator, or None for no interval.
        clusters: shape (items,), labels (document ids), or None for every item by itself.
        n_resamples: number of bootstrap samples.
        level: coverage the interval aims at.

    Raises:
        ValueError: ratings are not two-dimensional, hold an empty text or mix text and numbers, a cluster label is
            missing, clusters come without rng, or level or n_resamples is out of range.

    >>> result = krippendorff_alpha([[1, 1, 0, None], [1, 0, 0, 1]])  # D_o = 2/6, D_e = 18/30
    >>> round(result.alpha, 4), result.n_items, result.n_items_left_out
    (0.4444, 3, 1)
    >>> krippendorff_alpha([["yes", "yes"], ["yes", "yes"]]).reason
    'all ratings compared are of one category: no disagreement could be expected'
    """
    whole = _ratings(ratings, "ratings", ("judges", "items"))
    present = _present(whole)
    kept = present.sum(axis=0) >= 2
    labels = _kept_labels(clusters, kept, rng)
    codes, categories = _coded(whole[:, kept])
    counts = _category_counts(codes, len(categories))
    alike = (counts * (counts - 1)).sum(axis=1) / (counts.sum(axis=1) - 1)
    totals = np.column_stack([counts, alike]).astype(np.float64)
    observed, expected = (float(value) for value in _disagreements(totals.sum(axis=0)))
    reason = ""
    if not len(totals):
        reason = "no item has ratings by two judges"
    elif len(categories) == 1:
        reason = Reason("all ratings compared are of one category", "no disagreement could be expected")
    interval = None
    if rng is not None:
        interval = _bootstrap(_alpha_of, totals, labels, rng, n_resamples, level)
        interval = dataclasses.replace(interval, n_missing=int((~kept).sum()))
    return KrippendorffAlpha(
        alpha=None if reason else 1 - observed / expected,
        observed_disagreement=observed if len(totals) else None,
        expected_disagreement=expected if len(totals) else None,
        n_judges=len(whole),
        n_items=len(totals),
        n_items_left_out=int((~kept).sum()),
        n_ratings=int(counts.sum()),
        n_ratings_missing=int((~present).sum()),
        categories=categories,
        interval=interval,
        reason=reason,
    )


def majority(ratings: ArrayLike, of_all: bool = False) -> Majority:
    """Return the category that more than half of the judges of an item gave it, None where no category has that.

    With ``of_all`` it takes more than half of all judges, so that those who gave no rating count against any.

    Formula: category c of item u with n_uc > m_u / 2, m_u the ratings that u has. A tie, a mere plurality and an item
    that nobody judged are None and counted apart: they are undecided, not wrong.

    Args:
        ratings: shape (judges, items).
        of_all: more than half of all judges, not only of those who gave a rating.

    Raises:
        ValueError: ratings are not two-dimensional, hold an empty text or mix text and numbers.

    >>> majority([[True, True, None], [True, False, None], [False, None, None]])
    Majority(labels=(True, None, None), votes=(2, 1, 0), n_judged=(3, 2, 0), n_decided=1, n_undecided=1, n_unjudged=1)
    """
    rated = _ratings(ratings, "ratings", ("judges", "items"))
    codes, categories = _coded(rated)
    counts, n_judges = _category_counts(codes, len(categories)), len(rated)
    n_judged = counts.sum(axis=1)
    votes = counts.max(axis=1, initial=0)
    decided = 2 * votes > (np.full_like(n_judged, n_judges) if of_all else n_judged)
    return Majority(
        labels=tuple(
            categories[int(row.argmax())] if known else None for row, known in zip(counts, decided, strict=True)
        ),
        votes=tuple(int(count) for count in votes),
        n_judged=tuple(int(count) for count in n_judged),
        n_decided=int(decided.sum()),
        n_undecided=int((~decided & (n_judged > 0)).sum()),
        n_unjudged=int((n_judged == 0).sum()),
    )
