import itertools
import math
import time

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats import inter_rater
from statsmodels.stats.proportion import proportion_confint

from muddle_utils import stats
from muddle_utils.stats import agreement

NAN = float("nan")


def rng(seed=0):
    return np.random.default_rng(seed)


def judged(truth, error, generator):
    """Return ratings that are the truth but for errors of the given probability."""
    return np.where(generator.random(np.shape(truth)) < error, ~truth, truth)


def noisy_ratings(judges=3, items=60, missing=0.2, seed=0):
    generator = rng(seed)
    truth = generator.random(items) < 0.6
    ratings = judged(np.tile(truth, (judges, 1)), 0.2, generator).astype(float)
    ratings[generator.random(ratings.shape) < missing] = NAN
    return ratings


# --- what counts as a rating ---

MISSING_AT_1 = [
    [True, None, False, True],
    [1.0, NAN, 0.0, 1.0],
    np.array([1.0, NAN, 0.0, 1.0]),
    np.ma.masked_array([1, 1, 0, 1], mask=[0, 1, 0, 0]),
    pd.Series([True, pd.NA, False, True], dtype="boolean"),
    pd.Series([1, pd.NaT, 0, 1], dtype=object),
]


@pytest.mark.parametrize("a", MISSING_AT_1)
def test_every_form_of_a_missing_rating_is_left_out_and_counted(a):
    # kept: (1,1) (0,1) (1,1): two of three alike. True, 1 and 1.0 are one category.
    share = agreement.raw_agreement(a, [True, True, True, True])
    assert (share.estimate, share.n, share.n_missing) == (pytest.approx(2 / 3), 3, 1)
    kappa = agreement.cohen_kappa(a, [True, True, True, True])
    assert (kappa.n, kappa.n_missing, kappa.kappa) == (3, 1, 0.0)
    if not isinstance(a, np.ma.MaskedArray):  # its table form is below
        alpha = agreement.krippendorff_alpha([list(a), [True, True, True, True]])
        assert (alpha.n_items, alpha.n_items_left_out, alpha.n_ratings_missing) == (3, 1, 1)


def test_a_masked_table_and_a_frame_are_read_like_one_with_none():
    plain = [["a", None, "b"], ["a", "b", "a"], [None, "b", "b"]]
    masked = np.ma.masked_array(
        [["a", "x", "b"], ["a", "b", "a"], ["x", "b", "b"]], mask=[[0, 1, 0], [0, 0, 0], [1, 0, 0]]
    )
    expected = agreement.krippendorff_alpha(plain)
    assert agreement.krippendorff_alpha(masked) == expected
    assert agreement.krippendorff_alpha(pd.DataFrame(plain)) == expected
    assert agreement.majority(masked) == agreement.majority(plain)


def test_the_ratings_passed_in_are_not_changed():
    ratings = np.array([[1.0, NAN], [1.0, 0.0]], dtype=object)
    masked = np.ma.masked_array([[1, 0], [1, 0]], mask=[[0, 1], [0, 0]])
    agreement.krippendorff_alpha(ratings)
    agreement.krippendorff_alpha(masked)
    assert math.isnan(ratings[0, 1])
    assert masked.data.tolist() == [[1, 0], [1, 0]]


@pytest.mark.parametrize("text", ["", "nan", "None", "<NA>"])
def test_a_missing_rating_that_became_text_is_refused(text):
    with pytest.raises(ValueError, match="write None"):
        agreement.raw_agreement(["yes", text], ["yes", "no"])
    with pytest.raises(ValueError, match="write None"):
        agreement.krippendorff_alpha(np.array([["yes", text], ["yes", "no"]]))


def test_shapes_and_mixed_categories_are_refused():
    with pytest.raises(ValueError, match="same items"):
        agreement.raw_agreement([1, 0], [1])
    with pytest.raises(ValueError, match=r"a must have shape \(items\)"):
        agreement.cohen_kappa([[1, 0]], [[1, 0]])
    with pytest.raises(ValueError, match=r"ratings must have shape \(judges, items\), not \(3,\)"):
        agreement.krippendorff_alpha([1, 0, 1])
    with pytest.raises(ValueError, match="mix text with numbers"):
        agreement.cohen_kappa(["1", "0"], [1, 0])
    with pytest.raises(ValueError, match="mix text with numbers"):
        agreement.majority([["1"], [1]])


# --- raw agreement ---


def test_raw_agreement_by_hand_with_wilsons_interval():
    share = agreement.raw_agreement([1, 1, 0, 0, 2, 2, None, 1], [1, 0, 0, 0, 2, 1, 1, NAN])
    low, high = proportion_confint(4, 6, method="wilson")
    assert (share.estimate, share.n, share.n_missing) == (pytest.approx(4 / 6), 6, 2)
    assert (share.low, share.high) == (pytest.approx(low), pytest.approx(high))


@pytest.mark.parametrize(("a", "b"), [([], []), ([None, 1], [1, None])])
def test_agreement_on_nothing_has_its_reason(a, b):
    share = agreement.raw_agreement(a, b)
    assert math.isnan(share.estimate)
    assert share.reason == "no item was judged by both"
    kappa = agreement.cohen_kappa(a, b)
    assert (kappa.kappa, kappa.standard_error, kappa.observed, kappa.expected) == (None, None, None, None)
    assert (kappa.reason, kappa.interval.reason) == ("no item was judged by both", "no item was judged by both")
    assert kappa.n_missing == len(a)


def test_a_level_out_of_range_is_refused_everywhere():
    for call in (
        lambda: agreement.raw_agreement([1, 0], [1, 0], level=95),
        lambda: agreement.cohen_kappa([1, 0], [1, 0], level=95),
        lambda: agreement.krippendorff_alpha([[1, 0], [1, 0]], rng(), level=95),
    ):
        with pytest.raises(ValueError, match=r"level must be between 0 and 1, such as 0\.95"):
            call()


# --- kappa ---


def ratings_of(table):
    """Return two judges' ratings whose cross table is the one given."""
    pairs = [(i, j) for i, row in enumerate(table) for j, count in enumerate(row) for _ in range(count)]
    return [i for i, _ in pairs], [j for _, j in pairs]


def test_kappa_by_hand_on_three_categories():
    # rows .80 .10 .10, columns .80 .05 .15: p_e = .64 + .005 + .015 = .66, p_o = .89, kappa = .23 / .34
    table = [[75, 1, 4], [5, 4, 1], [0, 0, 10]]
    result = agreement.cohen_kappa(*ratings_of(table))
    assert result.observed == pytest.approx(0.89)
    assert result.expected == pytest.approx(0.66)
    assert result.kappa == pytest.approx(0.23 / 0.34)
    assert result.table == ((75, 1, 4), (5, 4, 1), (0, 0, 10))
    assert result.categories == (0, 1, 2)
    assert (result.n, result.reason, result.cluster_interval) == (100, "", None)


TABLES = [
    [[75, 1, 4], [5, 4, 1], [0, 0, 10]],
    [[20, 5], [10, 15]],
    [[3, 9], [8, 2]],
    [[180, 4], [3, 2]],
    [[10, 2, 0, 1], [1, 7, 3, 0], [0, 2, 9, 1], [2, 0, 1, 6]],
]


@pytest.mark.parametrize("table", TABLES)
def test_kappa_and_its_interval_equal_statsmodels_and_sklearn(table):
    a, b = ratings_of(table)
    result = agreement.cohen_kappa(a, b)
    oracle = inter_rater.cohens_kappa(np.array(table))
    assert result.kappa == pytest.approx(oracle.kappa, abs=1e-12)
    assert result.kappa == pytest.approx(cohen_kappa_score(a, b), abs=1e-12)
    assert result.standard_error == pytest.approx(oracle.std_kappa, rel=1e-10)
    assert result.interval.low == pytest.approx(max(-1, oracle.kappa_low), rel=1e-8)
    assert result.interval.high == pytest.approx(min(1, oracle.kappa_upp), rel=1e-8)


@pytest.mark.parametrize("table", TABLES)
def test_the_standard_error_of_kappa_is_the_delta_methods(table):
    # Var = (1/n) (sum p g^2 - (sum p g)^2) with g the gradient of kappa in the cell shares, here by differences.
    def kappa(p):
        p = p / p.sum()
        expected = p.sum(1) @ p.sum(0)
        return (np.trace(p) - expected) / (1 - expected)

    p = np.array(table) / np.sum(table)
    gradient = np.zeros_like(p)
    for cell in itertools.product(range(len(p)), repeat=2):
        step = np.zeros_like(p)
        step[cell] = 1e-6
        gradient[cell] = (kappa(p + step) - kappa(p - step)) / 2e-6
    variance = ((p * gradient**2).sum() - (p * gradient).sum() ** 2) / np.sum(table)
    result = agreement.cohen_kappa(*ratings_of(table))
    assert result.standard_error == pytest.approx(math.sqrt(variance), rel=1e-6)


@pytest.mark.parametrize("category", [True, 0, "correct"])
def test_kappa_of_one_category_is_undefined_and_not_one(category):
    result = agreement.cohen_kappa([category] * 20, [category] * 20, clusters=list("abcd") * 5, rng=rng())
    assert result.kappa is None
    assert result.standard_error is None
    assert (result.observed, result.expected, result.n, result.categories) == (1.0, 1.0, 20, (category,))
    assert "same category" in result.reason
    assert "same category" in result.interval.reason
    assert result.cluster_interval.reason == "the coefficient is undefined"
    for interval in (result.interval, result.cluster_interval):
        assert all(math.isnan(value) for value in (interval.estimate, interval.low, interval.high))


@pytest.mark.parametrize(
    ("table", "kappa"),
    [([[12, 0], [0, 8]], 1.0), ([[0, 10], [10, 0]], -1.0), ([[14, 0], [6, 0]], 0.0), ([[0, 9], [0, 0]], 0.0)],
)
def test_kappa_without_variation_has_a_value_but_no_interval(table, kappa):
    # perfect agreement, perfect opposition, and one or both judges with a single category of their own
    result = agreement.cohen_kappa(*ratings_of(table))
    assert (result.kappa, result.standard_error) == (kappa, 0.0)
    assert math.isnan(result.interval.low)
    assert "shows no variation" in result.interval.reason
    assert result.reason == ""


def test_the_interval_of_kappa_stays_within_its_range():
    near = agreement.cohen_kappa(*ratings_of([[10, 1], [0, 10]]))
    assert near.kappa + 1.96 * near.standard_error > 1
    assert near.interval.high == 1.0
    assert near.interval.low < near.kappa
    opposed = agreement.cohen_kappa(*ratings_of([[1, 10], [10, 0]]))
    assert opposed.kappa - 1.96 * opposed.standard_error < -1
    assert opposed.interval.low == -1.0


def test_a_judge_with_one_category_leaves_no_variation_by_rounding():
    for yes, no in itertools.product(range(1, 30), repeat=2):
        result = agreement.cohen_kappa(*ratings_of([[yes, 0], [no, 0]]))
        assert (result.kappa, result.standard_error) == (0.0, 0.0), (yes, no)


def test_kappa_does_not_depend_on_names_order_or_side():
    a, b = ratings_of(TABLES[0])
    names = {0: "wrong", 1: "partly", 2: "correct"}
    result = agreement.cohen_kappa(a, b)
    mirrored = agreement.cohen_kappa(b, a)
    order = rng(1).permutation(len(a))
    named = agreement.cohen_kappa([names[a[i]] for i in order], [names[b[i]] for i in order])
    for other in (mirrored, named):
        assert other.kappa == pytest.approx(result.kappa, abs=1e-12)
        assert other.standard_error == pytest.approx(result.standard_error, rel=1e-10)
    assert mirrored.table == tuple(zip(*result.table, strict=True))


def naive_resamples(statistic, items, clusters, generator, n_resamples):
    """The definition: draw clusters one by one, put their items in a list, take the statistic of the list."""
    members = {}
    for item, cluster in zip(items, clusters, strict=True):
        members.setdefault(cluster, []).append(item)
    names = sorted(members)
    return np.array(
        [
            statistic([item for i in generator.integers(0, len(names), size=len(names)) for item in members[names[i]]])
            for _ in range(n_resamples)
        ]
    )


LOPSIDED = ["a"] * 17 + ["b"] * 3 + ["c"] * 8 + ["d"] * 5 + ["e"] * 7


def test_the_cluster_interval_of_kappa_equals_its_definition():
    generator = rng(4)
    truth = generator.random(len(LOPSIDED)) < 0.5
    a, b = judged(truth, 0.15, generator), judged(truth, 0.25, generator)
    result = agreement.cohen_kappa(a, b, LOPSIDED, rng(9), n_resamples=300)
    expected = naive_resamples(
        lambda pairs: cohen_kappa_score(*zip(*pairs, strict=True)),
        list(zip(a.tolist(), b.tolist(), strict=True)),
        LOPSIDED,
        rng(9),
        300,
    )
    interval = result.cluster_interval
    assert (interval.low, interval.high) == tuple(pytest.approx(q) for q in np.quantile(expected, [0.025, 0.975]))
    assert (interval.estimate, interval.n, interval.n_clusters) == (result.kappa, len(LOPSIDED), 5)
    assert (interval.n_resamples, interval.seed, interval.method) == (300, 9, "cluster bootstrap, percentile")


def test_blocks_of_draws_do_not_change_the_result(monkeypatch):
    ratings = noisy_ratings()
    whole = agreement.krippendorff_alpha(ratings, rng(7), n_resamples=500)
    monkeypatch.setattr(agreement, "_DRAWS_PER_BLOCK", 700)
    assert agreement.krippendorff_alpha(ratings, rng(7), n_resamples=500) == whole


def test_the_documents_drawn_are_those_of_the_cluster_bootstrap_of_a_mean():
    # With as many 1 as 0 from either judge in every document p_e is 1/2, and kappa is 2 p_o - 1 in each resample.
    generator = rng(5)
    clusters = np.repeat(np.arange(12), 6)
    a = np.tile([1, 1, 1, 0, 0, 0], 12)
    b = generator.permuted(a.reshape(12, 6), axis=1).ravel()
    interval = agreement.cohen_kappa(a, b, clusters, rng(3), n_resamples=400).cluster_interval
    of_mean = stats.cluster_bootstrap_mean(a == b, clusters, rng(3), n_resamples=400)
    assert interval.low == pytest.approx(2 * of_mean.low - 1)
    assert interval.high == pytest.approx(2 * of_mean.high - 1)


def test_items_that_one_judge_missed_leave_with_their_label():
    a, b = [1, 0, 1, None, 0, 1], [1, 0, 0, 1, 0, 1]
    with_missing = agreement.cohen_kappa(a, b, list("uvwxyz"), rng(2), n_resamples=200).cluster_interval
    without = agreement.cohen_kappa(a[:3] + a[4:], b[:3] + b[4:], list("uvwyz"), rng(2), n_resamples=200)
    assert (with_missing.n, with_missing.n_missing, with_missing.n_clusters) == (5, 1, 5)
    assert (with_missing.low, with_missing.high) == (without.cluster_interval.low, without.cluster_interval.high)


def test_undefined_resamples_are_counted_or_stop_the_interval():
    # Two items of 200 hold the other category: a resample misses both with probability (1 - 2/200)^200 = .134.
    result = agreement.krippendorff_alpha([[1] * 199 + [0], [1] * 198 + [0, 0]], rng(1))
    share = (1 - 2 / 200) ** 200
    assert result.interval.reason.startswith("undefined in ")
    assert int(result.interval.reason.split()[2]) / 2000 == pytest.approx(share, abs=4 * math.sqrt(share / 2000))
    # With four such items it is .018, within what a 95 % interval can spare.
    few = agreement.krippendorff_alpha([[1] * 196 + [0] * 4, [1] * 197 + [0] * 3], rng(1))
    assert few.interval.reason == ""
    assert "undefined resamples left out" in few.interval.method
    assert few.interval.low < few.alpha <= few.interval.high


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: agreement.cohen_kappa([1, 0], [1, 1], ["x", "y"]), "pass rng"),
        (lambda: agreement.krippendorff_alpha([[1, 0], [1, 1]], clusters=["x", "y"]), "pass rng"),
        (lambda: agreement.cohen_kappa([1, 0], [1, 1], ["x"], rng()), "one label an item, not 1 for 2"),
        (lambda: agreement.krippendorff_alpha([[1, 0], [1, 1]], rng(), ["x"]), "one label an item, not 1 for 2"),
        (lambda: agreement.cohen_kappa([1, 0], [1, 1], ["x", None], rng()), "cluster label"),
        (lambda: agreement.krippendorff_alpha([[1, 0], [1, 1]], rng(), n_resamples=0), "n_resamples"),
    ],
)
def test_a_bootstrap_that_cannot_be_drawn_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_one_document_and_perfect_agreement_give_no_bootstrap_interval():
    one = agreement.cohen_kappa([1, 0, 1], [1, 0, 0], ["d", "d", "d"], rng()).cluster_interval
    perfect = agreement.krippendorff_alpha([[1, 0, 1, 0] * 10] * 2, rng()).interval
    assert "one cluster" in one.reason
    assert "same value" in perfect.reason
    for interval in (one, perfect):
        assert math.isnan(interval.low)
        assert (interval.n_resamples, interval.seed) == (0, None)


# --- alpha ---


def naive_alpha(ratings):
    """The definition: a coincidence matrix filled pair by pair, then 1 - D_o / D_e."""
    coincidences = {}
    for unit in zip(*ratings, strict=True):
        values = [value for value in unit if value is not None and value == value]
        for first, second in itertools.permutations(values, 2):
            coincidences[first, second] = coincidences.get((first, second), 0) + 1 / (len(values) - 1)
    categories = sorted({first for first, _ in coincidences})
    marginal = {c: sum(coincidences.get((c, k), 0) for k in categories) for c in categories}
    n = sum(marginal.values())
    observed = sum(count for (c, k), count in coincidences.items() if c != k) / n
    expected = sum(marginal[c] * marginal[k] for c in categories for k in categories if c != k) / (n * (n - 1))
    return 1 - observed / expected if expected else None


# Krippendorff (2011), sections A, B and C
TWO_BINARY = [[0, 1, 0, 0, 0, 0, 0, 0, 1, 0], [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]]
TWO_NOMINAL = [list("aabbdcccedda"), list("babbbccceddd")]
FOUR_WITH_MISSING = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]


@pytest.mark.parametrize(
    ("ratings", "printed"), [(TWO_BINARY, 0.095), (TWO_NOMINAL, 0.692), (FOUR_WITH_MISSING, 0.743)]
)
def test_alpha_of_the_textbook_examples(ratings, printed):
    result = agreement.krippendorff_alpha(ratings)
    assert round(result.alpha, 3) == printed
    assert result.alpha == pytest.approx(naive_alpha(ratings), abs=1e-12)
    assert result.interval is None


def test_the_counts_of_the_textbook_example_with_missing_ratings():
    # Unit 12 has a single rating. Of the 40 others 8 are in coincidences that differ, so D_o = 8/40; the categories
    # were given 9, 13, 10, 5 and 3 times, squares 384 in all, so D_e = (1600 - 384) / (40 x 39).
    result = agreement.krippendorff_alpha(FOUR_WITH_MISSING)
    assert (result.n_judges, result.n_items, result.n_items_left_out) == (4, 11, 1)
    assert (result.n_ratings, result.n_ratings_missing) == (40, 7)
    assert result.observed_disagreement == pytest.approx(8 / 40)
    assert result.expected_disagreement == pytest.approx((1600 - 384) / (40 * 39))
    assert result.categories == (1, 2, 3, 4, 5)


@settings(max_examples=80, deadline=None)
@given(
    st.integers(1, 5).flatmap(
        lambda judges: st.lists(
            st.lists(st.sampled_from([None, "a", "b", "c"]), min_size=judges, max_size=judges), min_size=1, max_size=12
        )
    ),
    st.randoms(use_true_random=False),
)
def test_alpha_equals_its_definition_whatever_is_missing_and_however_it_is_ordered(items, random):
    ratings = [list(judge) for judge in zip(*items, strict=True)]
    result = agreement.krippendorff_alpha(ratings)
    compared = [unit for unit in items if sum(value is not None for value in unit) > 1]
    expected = naive_alpha(ratings) if compared else None
    assert (result.alpha is None) == (expected is None) == bool(result.reason)
    if expected is not None:
        assert result.alpha == pytest.approx(expected, abs=1e-9)
        random.shuffle(items)
        random.shuffle(ratings)
        renamed = {"a": 3, "b": 1, "c": 2, None: NAN}
        moved = [[renamed[value] for value in random.sample(unit, len(unit))] for unit in items]
        assert agreement.krippendorff_alpha(ratings).alpha == pytest.approx(expected, abs=1e-9)
        # within an item it does not matter which judge gave which rating
        assert agreement.krippendorff_alpha(np.array(moved).T).alpha == pytest.approx(expected, abs=1e-9)


def test_alpha_without_missing_ratings_is_fleiss_kappa_but_for_its_small_sample_term():
    ratings = noisy_ratings(judges=4, items=50, missing=0).astype(int)
    table, _ = inter_rater.aggregate_raters(ratings.T)
    fleiss = inter_rater.fleiss_kappa(table)
    expected = 1 - (1 - fleiss) * (1 - 1 / 200)
    assert agreement.krippendorff_alpha(ratings).alpha == pytest.approx(expected, abs=1e-12)


def test_the_limits_of_alpha():
    assert agreement.krippendorff_alpha([[1, 0, 1, 2]] * 3).alpha == 1.0
    # two judges who always differ: D_o = 1, D_e = 2 x 10 x 10 / (20 x 19), alpha = 1 - 1.9
    opposed = agreement.krippendorff_alpha([[1] * 5 + [0] * 5, [0] * 5 + [1] * 5])
    assert opposed.alpha == pytest.approx(-0.9)
    generator = rng(6)
    by_chance = agreement.krippendorff_alpha(generator.integers(0, 3, size=(3, 4000)))
    assert abs(by_chance.alpha) < 0.03


@pytest.mark.parametrize(
    ("ratings", "reason"),
    [
        ([["yes"] * 4, ["yes"] * 4], "one category"),
        ([["yes", "no"], ["yes", None]], "one category"),  # the "no" has nothing to be compared with
        ([[1, 0, 1]], "two judges"),
        ([[1, None], [None, 0]], "two judges"),
        (np.empty((2, 0)), "two judges"),
        (np.empty((0, 3)), "two judges"),
    ],
)
def test_an_undefined_alpha_is_none_with_its_reason(ratings, reason):
    result = agreement.krippendorff_alpha(ratings, rng())
    assert result.alpha is None
    assert reason in result.reason
    assert result.interval.reason == "the coefficient is undefined"
    assert math.isnan(result.interval.low)


@pytest.mark.parametrize("by_cluster", [False, True])
def test_the_bootstrap_of_alpha_equals_its_definition(by_cluster):
    ratings = noisy_ratings(judges=3, items=len(LOPSIDED), missing=0.3, seed=3)
    kept = (~np.isnan(ratings)).sum(axis=0) >= 2
    assert 0 < (~kept).sum() < 15
    labels = np.array(LOPSIDED)[kept] if by_cluster else np.arange(kept.sum())
    result = agreement.krippendorff_alpha(ratings, rng(8), LOPSIDED if by_cluster else None, n_resamples=200)
    expected = naive_resamples(
        lambda units: naive_alpha(zip(*units, strict=True)), ratings.T[kept].tolist(), labels, rng(8), 200
    )
    interval = result.interval
    assert (interval.low, interval.high) == tuple(pytest.approx(q) for q in np.quantile(expected, [0.025, 0.975]))
    assert (interval.n, interval.n_missing, interval.n_resamples) == (kept.sum(), (~kept).sum(), 200)
    assert interval.n_clusters == (5 if by_cluster else kept.sum())


def test_a_large_bootstrap_of_alpha_takes_no_loop_over_resamples():
    # It takes a quarter of a second of processor time; filling 2,000 coincidence matrices pair by pair, half a minute.
    ratings = noisy_ratings(judges=5, items=1350, missing=0.05)
    start = time.process_time()
    interval = agreement.krippendorff_alpha(ratings, rng(1)).interval
    assert time.process_time() - start < 5
    assert (interval.n, interval.n_resamples) == (1350, 2000)
    assert 0.02 < interval.high - interval.low < 0.12


def test_documents_whose_items_are_copies_widen_the_interval():
    ratings = np.repeat(noisy_ratings(judges=3, items=40, missing=0), 9, axis=1)
    by_document = agreement.krippendorff_alpha(ratings, rng(), np.repeat(np.arange(40), 9)).interval
    by_item = agreement.krippendorff_alpha(ratings, rng()).interval
    assert (by_document.high - by_document.low) / (by_item.high - by_item.low) == pytest.approx(3, rel=0.15)


# --- coverage ---


def population(error_a, error_b, prior=0.6):
    """Return the shares of the cells of two judges who err independently of each other, given the truth."""
    yes = np.outer([1 - error_a, error_a], [1 - error_b, error_b])
    no = np.outer([error_a, 1 - error_a], [error_b, 1 - error_b])
    return prior * yes + (1 - prior) * no


def test_the_interval_of_kappa_covers():
    # 1,000 studies of 200 items: the standard error of a coverage of .95 is .0069, and 3 of them are allowed.
    p = population(0.1, 0.15)
    expected = p.sum(1) @ p.sum(0)
    truth = (np.trace(p) - expected) / (1 - expected)
    assert 0.45 < truth < 0.65
    covered = 0
    for counts in rng(20262).multinomial(200, p.ravel(), size=1000):
        interval = agreement.cohen_kappa(*ratings_of(counts.reshape(2, 2))).interval
        covered += interval.low <= truth <= interval.high
    assert abs(covered / 1000 - 0.95) < 3 * math.sqrt(0.95 * 0.05 / 1000)


def test_the_intervals_of_alpha_and_of_kappa_by_document_cover():
    # 400 studies of 120 documents with 4 items, which share their truth half of the time. At a coverage of .95 the
    # standard error is .0109; 3 of them leave room for the .005 that percentiles lack with so many documents.
    generator = rng(20263)
    errors = np.array([0.1, 0.15, 0.2])
    cells = [population(errors[i], errors[j]) for i, j in itertools.combinations(range(3), 2)]
    observed = np.mean([1 - np.trace(p) for p in cells])
    yes = np.mean(0.6 * (1 - errors) + 0.4 * errors)
    alpha = 1 - observed / (2 * yes * (1 - yes))
    by_chance = cells[0].sum(1) @ cells[0].sum(0)
    kappa = (np.trace(cells[0]) - by_chance) / (1 - by_chance)
    documents = np.repeat(np.arange(120), 4)
    covered = {"alpha": 0, "kappa": 0}
    for _ in range(400):
        shared = np.repeat(generator.random(120) < 0.6, 4)
        truth = np.where(generator.random(480) < 0.5, shared, generator.random(480) < 0.6)
        ratings = judged(np.tile(truth, (3, 1)), errors[:, None], generator)
        of_alpha = agreement.krippendorff_alpha(ratings, generator, documents, n_resamples=500).interval
        of_kappa = agreement.cohen_kappa(ratings[0], ratings[1], documents, generator, n_resamples=500).cluster_interval
        covered["alpha"] += of_alpha.low <= alpha <= of_alpha.high
        covered["kappa"] += of_kappa.low <= kappa <= of_kappa.high
    for name, count in covered.items():
        assert abs(count / 400 - 0.95) < 3 * math.sqrt(0.95 * 0.05 / 400), name


# --- majority ---


def test_majority_by_hand():
    ratings = [
        ["a", "a", "a", "a", None, None, "c"],
        ["a", "a", "b", "b", None, None, "c"],
        ["b", None, "a", "c", None, "b", "c"],
        ["a", None, "b", "a", None, None, NAN],
    ]
    result = agreement.majority(ratings)
    # 3 of 4; 2 of 2; tie 2:2; plurality 2 of 4; nobody; 1 of 1; 3 of 3
    assert result.labels == ("a", "a", None, None, None, "b", "c")
    assert result.votes == (3, 2, 2, 2, 0, 1, 3)
    assert result.n_judged == (4, 2, 4, 4, 0, 1, 3)
    assert (result.n_decided, result.n_undecided, result.n_unjudged) == (4, 2, 1)


def test_majority_keeps_a_false_verdict_apart_from_no_verdict():
    result = agreement.majority([[False, True], [False, False]])
    assert result.labels == (False, None)
    assert result.labels[0] is not None


@pytest.mark.parametrize("shape", [(0, 3), (2, 0)])
def test_majority_of_nothing(shape):
    result = agreement.majority(np.empty(shape))
    assert result.labels == (None,) * shape[1]
    assert (result.n_decided, result.n_undecided, result.n_unjudged) == (0, 0, shape[1])


@given(st.lists(st.lists(st.sampled_from([None, 0, 1, 2]), min_size=4, max_size=4), min_size=1, max_size=8))
def test_a_majority_is_what_more_than_half_say(items):
    result = agreement.majority(np.array(items, dtype=object).T)
    for unit, label in zip(items, result.labels, strict=True):
        given_by = [value for value in unit if value is not None]
        winners = [value for value in (0, 1, 2) if 2 * given_by.count(value) > len(given_by)]
        assert label == (winners[0] if winners else None)
    assert result.n_decided + result.n_undecided + result.n_unjudged == len(items)
