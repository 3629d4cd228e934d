import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as scipy_stats
from statsmodels.stats.contingency_tables import cochrans_q
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar
from statsmodels.stats.weightstats import DescrStatsW

from muddle_utils import stats
from muddle_utils.stats import paired

NAN = float("nan")
DOCUMENTS = ["a"] * 6 + ["b"] + ["c"] * 2 + ["d"] * 3 + ["e"] * 2 + ["f"]
thirds = st.sampled_from([0.0, 1 / 3, -1 / 3, 2 / 3, 1.0, -1.0])


def rng(seed=0):
    return np.random.default_rng(seed)


def differences_of(seed, n=15):
    return rng(seed).choice([-1.0, -0.5, 0.0, 0.0, 0.5, 1.0], size=n)


# --- Whole documents flipped ---


def enumerated(differences, clusters):
    names = sorted(set(clusters))
    sums = [sum(d for d, c in zip(differences, clusters, strict=True) if c == name) for name in names]
    flipped = [
        abs(sum(s * d for s, d in zip(signs, sums, strict=True)))
        for signs in itertools.product((-1, 1), repeat=len(sums))
    ]
    return sum(total >= abs(sum(sums)) - 1e-9 for total in flipped) / len(flipped)


@settings(max_examples=60)
@given(st.lists(thirds, min_size=len(DOCUMENTS), max_size=len(DOCUMENTS)))
def test_flipping_documents_equals_enumerating_their_signs(differences):
    test = stats.cluster_sign_flip(differences, DOCUMENTS)
    assert test.p_value == pytest.approx(enumerated(differences, DOCUMENTS), abs=1e-12)
    assert (test.n, test.n_clusters, test.n_missing) == (len(DOCUMENTS), 6, 0)


@settings(max_examples=40)
@given(st.lists(thirds, min_size=1, max_size=20))
def test_documents_of_one_question_are_the_test_by_question(differences):
    labels = [f"{number:02d}" for number in range(len(differences))]
    whole, single = stats.cluster_sign_flip(differences, labels), stats.question_sign_flip(differences)
    assert whole.p_value == single.p_value
    assert (whole.n_nonzero, whole.difference) == (single.n_nonzero, single.difference)
    drawn = stats.cluster_sign_flip(differences, labels, rng(3), 50)
    assert drawn.p_value == stats.question_sign_flip(differences, rng(3), 50).p_value


def test_agreement_inside_a_document_is_one_piece_of_evidence():
    # 16 gains, all in 2 documents: by question 2 / 2^16, by document 2 / 2^2
    gains, documents = np.ones(16), np.repeat(["a", "b"], 8)
    assert stats.question_sign_flip(gains).p_value == 2 / 2**16
    test = stats.cluster_sign_flip(gains, documents)
    assert (test.p_value, test.n, test.n_clusters, test.n_nonzero) == (0.5, 16, 2, 2)
    assert test.method == "exact sign-flip, whole clusters"
    assert stats.question_sign_flip(gains).n_clusters is None


def test_drawn_flips_agree_with_the_exact_ones_within_monte_carlo_error():
    differences, documents = differences_of(5, 120) + 0.25, np.arange(120) // 5
    exact = stats.cluster_sign_flip(differences, documents)
    drawn = stats.cluster_sign_flip(differences, documents, rng(1), 20_000)
    assert 0.001 < exact.p_value < 0.9
    assert abs(drawn.p_value - exact.p_value) < 4 * math.sqrt(exact.p_value * (1 - exact.p_value) / 20_000)
    assert (drawn.n_resamples, drawn.seed, drawn.method) == (20_000, 1, "sampled sign-flip, whole clusters")


def test_blocks_of_drawn_flips_change_nothing(monkeypatch):
    whole = stats.cluster_sign_flip(differences_of(1), DOCUMENTS, rng(2), 501)
    monkeypatch.setattr(stats.paired, "DRAWS_PER_BLOCK", 100)
    assert stats.cluster_sign_flip(differences_of(1), DOCUMENTS, rng(2), 501) == whole


@pytest.mark.parametrize(
    ("differences", "clusters", "note"),
    [
        ([0, 0, 0], ["a", "a", "b"], "add up to 0"),
        ([1, -1, 1 / 3, 1 / 3, -2 / 3], ["a", "a", "b", "b", "b"], "add up to 0"),
        ([math.pi, -math.pi, 0.1, 0.2, -0.1 - 0.2], ["a", "a", "b", "b", "b"], "add up to 0"),
    ],
)
def test_documents_without_a_difference_give_one_with_a_note(differences, clusters, note):
    for generator in (None, rng()):
        test = stats.cluster_sign_flip(differences, clusters, generator)
        assert (test.p_value, test.n_nonzero, test.n_resamples, test.seed) == (1.0, 0, 0, None)
        assert note in test.note


def test_no_differences_and_one_document():
    nothing = stats.cluster_sign_flip([NAN, NAN], ["a", "b"])
    assert math.isnan(nothing.p_value)
    assert (nothing.note, nothing.n, nothing.n_missing, nothing.n_clusters) == ("no differences", 0, 2, 0)
    assert math.isnan(stats.cluster_sign_flip([], []).p_value)
    assert stats.cluster_sign_flip([1, 1, 0], ["a", "a", "a"]).p_value == 1.0


def test_flips_that_cannot_be_exact_need_a_generator():
    odd = [math.pi, -1, math.e]
    with pytest.raises(ValueError, match="no common unit of at least 1/60: pass a generator"):
        stats.cluster_sign_flip(odd, ["a", "b", "c"])
    assert stats.cluster_sign_flip(odd, ["a", "b", "c"], rng(), 99).p_value == pytest.approx(
        enumerated(odd, ["a", "b", "c"]), abs=0.2
    )
    wide = rng().integers(1, 1_000_000, size=2000)
    with pytest.raises(ValueError, match=r"2000 differences .* is too large: pass a generator"):
        stats.cluster_sign_flip(wide, np.arange(2000))
    with pytest.raises(ValueError, match="n_resamples"):
        stats.cluster_sign_flip([1, 1], ["a", "b"], rng(), 0)


def test_a_common_factor_of_large_steps_is_no_obstacle():
    # The same 40 steps of a million: divided out, the distribution is that of 40 ones.
    assert stats.question_sign_flip([1e6] * 40).p_value == pytest.approx(2 / 2**40)


# --- The clustered t test ---


@pytest.mark.parametrize("seed", range(3))
def test_single_questions_give_students_test(seed):
    differences = rng(seed).normal(0.2, 1, size=30)
    test = stats.clustered_test(differences, np.arange(30))
    expected = scipy_stats.ttest_1samp(differences, 0)
    assert test.p_value == pytest.approx(expected.pvalue, rel=1e-9)
    assert test.statistic == pytest.approx(expected.statistic, rel=1e-10)
    assert test.degrees_of_freedom == pytest.approx(29)


@settings(max_examples=40)
@given(st.integers(0, 1000), st.sampled_from([0.8, 0.95, 0.99]))
def test_the_test_and_the_interval_say_the_same(seed, level):
    differences = rng(seed).normal(size=len(DOCUMENTS))
    interval = stats.clustered_mean(differences, DOCUMENTS, level)
    test = stats.clustered_test(differences, DOCUMENTS)
    assert (test.p_value < 1 - level) == (not interval.low <= 0 <= interval.high)
    at_its_end = stats.clustered_test(differences - interval.low, DOCUMENTS)
    assert at_its_end.p_value == pytest.approx(1 - level, rel=1e-6)
    assert test.standard_error == interval.standard_error
    assert stats.clustered_test(-differences, DOCUMENTS).p_value == pytest.approx(test.p_value)


# --- Equivalence ---


def skewness_and_error(values, documents):
    """Mean, CR2 standard error, its degrees of freedom and the skewness of what it is made of, with two pairs added."""
    enlarged, labels = np.append(values, [1, -1]), np.array([*documents, "plus", "minus"])
    share = np.array([np.mean(labels == label) for label in np.unique(labels)])
    parts = np.array([(enlarged - enlarged.mean())[labels == label].sum() for label in np.unique(labels)])
    parts = parts / np.sqrt(1 - share) / len(enlarged)
    interval = stats.clustered_mean(enlarged, labels)
    assert interval.standard_error == pytest.approx(math.sqrt((parts**2).sum()))
    return interval, (parts**3).sum() / (parts**2).sum() ** 1.5


def hall(t, s):
    # As Hall writes it; the code multiplies it out.
    return ((1 + s * t / 3) ** 3 - 1) / s + s / 6


@pytest.mark.parametrize("seed", range(5))
def test_equivalence_is_halls_test_with_two_pairs_added(seed):
    differences, margin = differences_of(seed), 0.3
    test = stats.equivalence(differences, DOCUMENTS, margin)
    interval, s = skewness_and_error(differences, DOCUMENTS)
    student = scipy_stats.t(interval.degrees_of_freedom)
    above, below = ((interval.estimate + m) / interval.standard_error for m in (margin, -margin))
    assert test.p_above == pytest.approx(student.sf(hall(above, s)), rel=1e-9)
    assert test.p_below == pytest.approx(student.cdf(hall(below, s)), rel=1e-9)
    assert (test.standard_error, test.degrees_of_freedom) == (interval.standard_error, interval.degrees_of_freedom)
    assert test.difference == pytest.approx(differences.mean())


@pytest.mark.parametrize("mean", [-0.1, 0.0, 0.15])
def test_equivalence_of_many_single_questions_is_nearly_statsmodels_ttost(mean):
    differences = np.clip(rng(4).normal(mean, 0.3, size=20_000), -1, 1)
    margin = abs(differences.mean()) + 0.003
    test = stats.equivalence(differences, np.arange(20_000), margin)
    assert test.p_value == pytest.approx(DescrStatsW(differences).ttost_mean(-margin, margin)[0], abs=0.01)
    assert 0.05 < test.p_value < 0.5


@settings(max_examples=60)
@given(st.integers(0, 1000), st.floats(0.01, 0.99), st.sampled_from([0.9, 0.95, 0.99]))
def test_equivalent_means_that_the_interval_is_inside_the_margin(seed, margin, level):
    differences = differences_of(seed)
    test = stats.equivalence(differences, DOCUMENTS, margin, level)
    assert test.equivalent == (-margin < test.low and test.high < margin)
    assert test.equivalent == (test.p_value < 1 - level)
    assert test.p_value == max(test.p_above, test.p_below)
    if 0 < test.high < 1:
        at_its_end = stats.equivalence(differences, DOCUMENTS, test.high, level)
        assert at_its_end.p_below == pytest.approx(1 - level, rel=1e-6)
    turned = stats.equivalence(-differences, DOCUMENTS, margin, level)
    assert (turned.low, turned.high) == pytest.approx((-test.high, -test.low), abs=1e-12)
    assert turned.p_value == pytest.approx(test.p_value, rel=1e-9)


@given(st.floats(-5, 5), st.floats(-1.5, 1.5))
def test_the_transformation_is_undone_and_is_none_without_skewness(t, s):
    assert paired._skewed(paired._unskewed(t, s), s) == pytest.approx(t, abs=1e-4)
    assert paired._unskewed(t, 0.0) == t
    assert paired._skewed(t, 0.0) == pytest.approx(t)


def test_a_loss_that_few_documents_carry_is_not_found_equivalent_more_often_than_it_should():
    # One document in ten loses half of its answers: 5 points, the margin. 60 documents of 4, 600 studies.
    generator, documents, n = rng(13), np.repeat(np.arange(60), 4), 600
    found = np.zeros(2)
    for _ in range(n):
        lost = np.where(generator.random(60) < 0.1, 0.5, 0.0)[documents]
        gap = (generator.random(240) < lost).astype(float)
        plain = stats.clustered_mean(gap, documents, 0.9)
        found += [stats.equivalence(gap, documents, 0.05).equivalent, plain.high < 0.05]
    assert found[1] / n > 0.05 + 3 * math.sqrt(0.05 * 0.95 / n)
    assert found[0] / n < 0.05 + 3 * math.sqrt(0.05 * 0.95 / n)


def test_no_significant_difference_is_not_equivalence():
    # Two right and two wrong of 20, in documents of 4: p is large, but 5 points either way cannot be ruled out.
    differences = np.zeros(20)
    differences[[0, 7, 13, 18]] = [1, -1, 1, -1]
    documents = np.arange(20) // 4
    assert stats.clustered_test(differences, documents).p_value > 0.5
    assert not stats.equivalence(differences, documents, 0.05).equivalent
    assert stats.equivalence(differences, documents, 0.3).equivalent


@pytest.mark.parametrize("margin", [0, -0.1, 1, math.inf, NAN])
def test_a_margin_that_is_none_is_refused(margin):
    with pytest.raises(ValueError, match="margin must be between 0 and 1"):
        stats.equivalence([1, 0], ["a", "b"], margin)


@pytest.mark.parametrize("level", [0.5, 1, 95])
def test_a_level_without_two_sides_is_refused(level):
    with pytest.raises(ValueError, match=r"level must be between 0\.5 and 1"):
        stats.equivalence([1, 0], ["a", "b"], 0.1, level)


# --- What cannot be tested ---


@pytest.mark.parametrize(
    ("differences", "clusters", "why"),
    [
        ([], [], "no values"),
        ([NAN], ["a"], "no values"),
        ([1, 0, 1], ["a", "a", "a"], "one unit"),
        ([0, 0, 0], ["a", "b", "c"], "same mean"),
        ([1, 1, 1], ["a", "b", "c"], "same mean"),
        ([1, -1, 1, -1], ["a", "a", "b", "b"], "same mean"),
    ],
)
def test_without_variation_between_documents_there_is_no_p_value(differences, clusters, why):
    test, tost = stats.clustered_test(differences, clusters), stats.equivalence(differences, clusters, 0.1)
    assert why in test.note
    assert why in tost.reason
    assert all(math.isnan(x) for x in (test.p_value, test.statistic, test.standard_error, test.degrees_of_freedom))
    assert all(math.isnan(x) for x in (tost.p_value, tost.p_above, tost.low, tost.high, tost.standard_error))
    assert tost.equivalent is False
    assert test.n + test.n_missing == len(differences)


CLUSTERED = {
    "sign flip": stats.cluster_sign_flip,
    "t": stats.clustered_test,
    "equivalence": lambda d, c: stats.equivalence(d, c, 0.1),
}


@pytest.mark.parametrize("name", CLUSTERED)
def test_what_should_not_be_asked_is_refused(name):
    with pytest.raises(ValueError, match="differences holds an infinite value at row 1"):
        CLUSTERED[name]([1, math.inf], ["a", "b"])
    with pytest.raises(ValueError, match="differences and clusters must have equal length, not 2 and 3"):
        CLUSTERED[name]([1, 0], ["a", "b", "c"])
    with pytest.raises(ValueError, match="cluster label"):
        CLUSTERED[name]([1, 0], ["a", ""])


@pytest.mark.parametrize("name", CLUSTERED)
def test_a_row_without_a_difference_needs_no_label(name):
    gaps = CLUSTERED[name]([1, 0, 1, NAN], ["a", "a", "b", None])
    np.testing.assert_equal(gaps, CLUSTERED[name]([1, NAN, 0, 1], ["a", "z", "a", "b"]))
    assert (gaps.n, gaps.n_missing, gaps.n_clusters) == (3, 1, 2)


# --- Cochran's Q ---


def outcomes_of(seed, n=60, shares=(0.5, 0.6, 0.7, 0.4, 0.5)):
    return (rng(seed).random((n, len(shares))) < shares).astype(float)


@pytest.mark.parametrize("seed", range(4))
def test_cochran_is_statsmodels(seed):
    outcomes = outcomes_of(seed)
    test, theirs = stats.cochran_q(outcomes), cochrans_q(outcomes)
    assert test.q == pytest.approx(theirs.statistic, rel=1e-12)
    assert test.p_value == pytest.approx(theirs.pvalue, rel=1e-9)
    assert test.degrees_of_freedom == theirs.df == 4
    assert math.isnan(test.permutation_p)
    assert (test.n_resamples, test.seed, test.n_clusters) == (0, None, None)


def test_cochran_of_two_conditions_is_mcnemar_without_correction():
    outcomes = outcomes_of(1, shares=(0.7, 0.4))
    first, second = outcomes.T.astype(bool)
    only = [(first & ~second).sum(), (second & ~first).sum()]
    theirs = statsmodels_mcnemar([[0, only[0]], [only[1], 0]], exact=False, correction=False)
    test = stats.cochran_q(outcomes)
    assert test.q == pytest.approx(theirs.statistic)
    assert test.p_value == pytest.approx(theirs.pvalue)
    assert test.n_discordant == sum(only)


def test_only_discordant_questions_count_and_incomplete_ones_are_left_out():
    outcomes = outcomes_of(2, 20)
    padded = np.vstack([outcomes, np.ones((7, 5)), np.zeros((3, 5)), [[1, NAN, 0, 1, 1], [NAN] * 5]])
    test, plain = stats.cochran_q(padded), stats.cochran_q(outcomes)
    assert test.q == pytest.approx(plain.q)
    assert (test.n, test.n_missing, test.n_conditions) == (30, 2, 5)
    assert test.n_discordant == plain.n_discordant <= 20


def spread(rows):
    return (np.sum(rows, axis=0) ** 2).sum()


def permutation_share(rows):
    """The share of all permutations within rows whose column totals spread as far as those seen."""
    each = [list(itertools.permutations(row)) for row in rows]
    totals = [spread(chosen) for chosen in itertools.product(*each)]
    return np.mean([total >= spread(rows) for total in totals])


def test_permutations_agree_with_all_of_them_within_monte_carlo_error():
    rows = np.array([[1, 1, 0], [1, 0, 0], [1, 1, 0], [1, 0, 1], [1, 1, 1]])
    expected = permutation_share(rows)
    test = stats.cochran_q(rows, rng(5), 20_000)
    assert 0.02 < expected < 0.5
    assert abs(test.permutation_p - expected) < 4 * math.sqrt(expected * (1 - expected) / 20_000)
    assert (test.n_resamples, test.seed) == (20_000, 5)
    assert test.method == "Cochran's Q, chi-square, permutations inside questions"


def test_permuted_documents_agree_with_all_of_their_permutations():
    rows = np.array([[1, 1, 0], [1, 0, 0], [1, 1, 0], [1, 0, 1], [0, 1, 0], [1, 1, 0], [1, 0, 0]])
    documents = ["a", "a", "b", "b", "c", "c", "d"]
    sums = [rows[:2].sum(axis=0), rows[2:4].sum(axis=0), rows[4:6].sum(axis=0), rows[6]]
    expected = permutation_share(np.array(sums))
    test = stats.cochran_q(rows, rng(6), 20_000, documents)
    assert abs(test.permutation_p - expected) < 4 * math.sqrt(expected * (1 - expected) / 20_000)
    plain = stats.cochran_q(rows)
    assert (test.q, test.p_value, test.n_clusters, plain.n_clusters) == (plain.q, plain.p_value, 4, None)
    assert (test.method, plain.method) == (
        "Cochran's Q, chi-square, permutations of whole clusters",
        "Cochran's Q, chi-square",
    )


def test_questions_as_clusters_are_no_clusters():
    outcomes = outcomes_of(3)
    outcomes[5, 2] = NAN
    single = stats.cochran_q(outcomes, rng(1), 300, [f"{number:02d}" for number in range(60)])
    assert single.permutation_p == stats.cochran_q(outcomes, rng(1), 300).permutation_p
    assert single.n_clusters == 59


def test_the_permutation_p_is_never_zero_and_its_blocks_change_nothing(monkeypatch):
    outcomes = np.tile([1.0, 0.0, 0.0], (50, 1))
    assert stats.cochran_q(outcomes, rng(), 199).permutation_p == 1 / 200
    whole = stats.cochran_q(outcomes_of(4), rng(2), 500)
    monkeypatch.setattr(stats.paired, "DRAWS_PER_BLOCK", 1000)
    assert stats.cochran_q(outcomes_of(4), rng(2), 500) == whole


def test_documents_whose_conditions_even_out_leave_nothing_to_permute():
    test = stats.cochran_q([[1, 0], [0, 1]], rng(), 99, ["a", "a"])
    assert (test.q, test.p_value, test.permutation_p) == (0.0, 1.0, 1.0)


@pytest.mark.parametrize(
    ("outcomes", "note"),
    [
        (np.ones((8, 5)), "no question differs"),
        (np.tile([[1.0], [0.0]], (4, 5)), "no question differs"),
        (np.full((4, 3), NAN), "no question has an outcome in every condition"),
        (np.zeros((0, 3)), "no question has an outcome in every condition"),
    ],
)
def test_without_discordant_questions_there_is_no_q(outcomes, note):
    test = stats.cochran_q(outcomes, rng(), 99)
    assert all(math.isnan(x) for x in (test.q, test.p_value, test.permutation_p))
    assert note in test.note
    assert (test.n_resamples, test.seed, test.n_discordant) == (0, None, 0)


def test_outcomes_that_are_none_are_refused():
    with pytest.raises(ValueError, match=r"outcomes must be 0 or 1 for Cochran's Q, not \[0\.5, 1\.0\] at row 1"):
        stats.cochran_q([[1, 0], [0.5, 1]])
    with pytest.raises(ValueError, match="infinite value at row 1"):
        stats.cochran_q([[1, 0], [math.inf, 1]])
    with pytest.raises(ValueError, match="two or more conditions"):
        stats.cochran_q([[1], [0]])
    with pytest.raises(ValueError, match=r"shape \(questions, conditions\)"):
        stats.cochran_q([1, 0])
    with pytest.raises(ValueError, match="pass rng"):
        stats.cochran_q([[1, 0]], clusters=["a"])
    with pytest.raises(ValueError, match="equal length, not 1 and 2"):
        stats.cochran_q([[1, 0]], rng(), clusters=["a", "b"])
    with pytest.raises(ValueError, match="n_resamples"):
        stats.cochran_q([[1, 0]], rng(), 0)


def test_both_arms_name_the_row_that_is_infinite():
    with pytest.raises(ValueError, match="b holds an infinite value at row 1"):
        stats.pooled_pairs([[1, 0], [1, 1]], [[1, 0], [1, math.inf]])
