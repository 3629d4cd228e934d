import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from muddle_utils import stats
from muddle_utils.stats.power import MAX_QUESTIONS


def rng(seed=0):
    return np.random.default_rng(seed)


def enumerated(n, gap, discordance, alpha=0.05):
    """The definition: every pair of discordant counts with its trinomial probability, and the test on each."""
    shares = [(discordance + gap) / 2, (discordance - gap) / 2, 1 - discordance]
    power = 0.0
    for only_a in range(n + 1):
        for only_b in range(n - only_a + 1):
            if stats.exact_mcnemar_counts(only_a, only_b).p_value <= alpha:
                power += scipy_stats.multinomial.pmf([only_a, only_b, n - only_a - only_b], n, shares)
    return power


@pytest.mark.parametrize(
    ("n", "gap", "discordance", "alpha"),
    [(30, 0.1, 0.4, 0.05), (30, 0, 0.4, 0.05), (40, 0.2, 0.2, 0.05), (25, -0.3, 0.5, 0.01), (20, 0.5, 1, 0.1)],
)
def test_power_equals_enumeration_of_every_outcome(n, gap, discordance, alpha):
    power = stats.paired_power(n, gap, discordance, alpha=alpha)
    assert power.power == pytest.approx(enumerated(n, gap, discordance, alpha), abs=1e-12)
    assert not power.approximate


def test_the_papers_design_had_less_than_even_odds_to_see_its_own_gap():
    # 270 questions with (20, 9) discordant: gap 11/270 = .041, p = .061. Every pair of counts below 80 with its
    # trinomial probability; beyond there is less than 1e-12.
    assert round(stats.exact_mcnemar_counts(20, 9, 270).p_value, 3) == 0.061
    a, b = (counts.ravel() for counts in np.meshgrid(np.arange(80), np.arange(80)))
    p_values = 2 * scipy_stats.binom.cdf(np.minimum(a, b), a + b, 0.5)
    chances = scipy_stats.multinomial.pmf(np.column_stack([a, b, 270 - a - b]), 270, [20 / 270, 9 / 270, 241 / 270])
    naive = chances[p_values <= 0.05].sum()
    study = stats.paired_power(270, 11 / 270, 29 / 270)
    assert study.power == pytest.approx(naive, abs=1e-9)
    assert 0.4 < study.power < 0.5
    assert study.n_effective == 270


def test_power_agrees_with_simulated_tests():
    generator = rng(1)
    counts = generator.multinomial(150, [0.12, 0.04, 0.84], size=4000)
    rejected = [stats.exact_mcnemar_counts(int(a), int(b)).p_value <= 0.05 for a, b, _ in counts]
    power = stats.paired_power(150, 0.08, 0.16).power
    assert abs(np.mean(rejected) - power) < 4 * math.sqrt(power * (1 - power) / 4000)


def test_a_gap_of_0_is_rejected_at_most_alpha_of_the_time():
    for n, discordance, alpha in itertools.product((5, 20, 270, 2000), (0.02, 0.106, 0.5, 1.0), (0.01, 0.05, 0.5)):
        assert stats.paired_power(n, 0.0, discordance, alpha=alpha).power <= alpha


def test_a_gap_of_all_discordant_pairs_needs_six_of_them():
    # With 5 in one direction p = 2/32 = .0625, with 6 it is .03125.
    for n, discordance in ((40, 0.1), (270, 0.041), (6, 1.0), (5, 1.0)):
        expected = scipy_stats.binom.sf(5, n, discordance)
        assert stats.paired_power(n, discordance, discordance).power == pytest.approx(expected)


def test_alpha_equal_to_a_p_value_rejects_it():
    # 4 of 4 in one direction: p = 1/8
    assert stats.paired_power(4, 1.0, 1.0, alpha=0.125).power == 1.0
    assert stats.paired_power(4, 1.0, 1.0, alpha=0.1249).power == 0.0


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 400), st.floats(0, 1), st.floats(0, 1))
def test_power_is_a_probability_that_ignores_the_sign_and_rises_with_the_gap(n, discordance, part):
    gap = part * discordance
    power = stats.paired_power(n, gap, discordance).power
    assert 0 <= power <= 1
    assert stats.paired_power(n, -gap, discordance).power == power
    assert stats.paired_power(n, gap / 2, discordance).power <= power + 1e-12


def test_no_discordance_has_no_power_and_says_so():
    none = stats.paired_power(270, 0.0, 0.0)
    assert none.power == 0
    assert "never rejects" in none.reason


def test_many_questions_neither_overflow_nor_take_long():
    # Far from the edge the normal approximation is right to two digits.
    power = stats.paired_power(50_000, 0.004, 0.106).power
    z = 0.004 * math.sqrt(50_000) / math.sqrt(0.106 - 0.004**2)
    assert power == pytest.approx(scipy_stats.norm.sf(1.96 - z), abs=0.005)


# --- clusters ---


def test_design_effect_by_hand():
    assert stats.design_effect(3, 0.1) == pytest.approx(1.2)
    assert stats.design_effect(1, 0.9) == 1
    # sizes 1, 1, 1, 5: m = 2, v^2 = 3/4 x ... = variance 3 / 4; the average question is in a document of 28/8 = 3.5
    sizes = np.array([1, 1, 1, 5])
    v = sizes.std() / sizes.mean()
    assert stats.design_effect(2, 0.2, v) == pytest.approx(1 + (28 / 8 - 1) * 0.2)


def test_clusters_shrink_the_study_by_the_design_effect():
    study = stats.paired_power(270, 0.05, 0.106, n_documents=90, icc=0.1)
    assert (study.design_effect, study.n_effective, study.approximate) == (pytest.approx(1.2), 225, True)
    assert study.power == stats.paired_power(225, 0.05, 0.106).power
    assert "approximate" in study.method
    independent = stats.paired_power(270, 0.05, 0.106, n_documents=90)
    assert (independent.n_effective, independent.approximate) == (270, False)


def test_the_design_effect_predicts_the_power_of_a_test_that_keeps_documents_together():
    # Differences of +1, 0, -1 on 60 documents with 5 questions; a document's questions copy its own difference with
    # probability root .3, so that two of them correlate by .3. The test is a t test on document means.
    generator, copied = rng(7), math.sqrt(0.3)
    shares, k, m, reps = [0.13, 0.03, 0.84], 60, 5, 3000
    outcome = np.array([1.0, -1.0, 0.0])
    own = outcome[generator.choice(3, size=(reps, k, m), p=shares)]
    shared = outcome[generator.choice(3, size=(reps, k, 1), p=shares)]
    differences = np.where(generator.random((reps, k, m)) < copied, shared, own)
    icc = np.mean([stats.cluster_correlation(d.ravel(), np.repeat(np.arange(k), m)).icc for d in differences[:200]])
    assert icc == pytest.approx(0.3, abs=0.03)
    clustered = (scipy_stats.ttest_1samp(differences.mean(axis=2), 0, axis=1).pvalue <= 0.05).mean()
    naive = stats.paired_power(k * m, 0.1, 0.16).power
    predicted = stats.paired_power(k * m, 0.1, 0.16, n_documents=k, icc=0.3).power
    assert predicted == pytest.approx(clustered, abs=0.06)
    assert naive - clustered > 0.1


# --- what a study can see ---


def test_the_minimal_detectable_gap_is_where_power_is_reached():
    least = stats.minimal_detectable_gap(270, 85, 0.106)
    assert stats.paired_power(270, least.gap, 0.106).power >= 0.8
    assert stats.paired_power(270, least.gap - 1e-6, 0.106).power < 0.8
    clustered = stats.minimal_detectable_gap(270, 85, 0.106, icc=0.2)
    assert clustered.gap > least.gap
    assert clustered.approximate
    assert stats.minimal_detectable_gap(540, None, 0.106).gap < least.gap
    assert stats.minimal_detectable_gap(270, None, 0.2).gap > least.gap


def test_a_study_too_small_for_any_gap_says_what_power_it_has():
    least = stats.minimal_detectable_gap(40, None, 0.1)
    assert math.isnan(least.gap)
    assert f"{scipy_stats.binom.sf(5, 40, 0.1):.3g}" in least.reason


# --- how many questions ---


def brute_force(gap, discordance, power, n_most):
    """The definition, with every number of questions up to ``n_most`` looked at."""
    powers = np.array([stats.paired_power(n, gap, discordance).power for n in range(1, n_most + 1)])
    below = np.flatnonzero(powers < power)
    return int(below[-1]) + 2, int(np.flatnonzero(powers >= power)[0]) + 1


@pytest.mark.parametrize(
    ("gap", "discordance", "power"),
    [(0.1, 0.2, 0.8), (0.3, 1.0, 0.8), (0.5, 1.0, 0.9), (0.25, 0.3, 0.5), (0.2, 0.9, 0.7), (1.0, 1.0, 0.8)],
)
def test_the_number_that_settles_is_the_one_from_which_power_stays(gap, discordance, power):
    answer = stats.questions_to_settle(gap, discordance, power=power)
    assert (answer.n_questions, answer.n_first) == brute_force(gap, discordance, power, 500)


def test_power_falls_between_the_first_number_and_the_one_that_settles():
    answer = stats.questions_to_settle(0.3, 1.0)
    assert answer.n_first < answer.n_questions
    assert stats.paired_power(answer.n_first, 0.3, 1.0).power >= 0.8
    assert stats.paired_power(answer.n_questions - 1, 0.3, 1.0).power < 0.8
    # and never again, as far as one cares to look
    assert all(stats.paired_power(answer.n_questions + i, 0.3, 1.0).power >= 0.8 for i in range(300))


def test_clusters_multiply_the_questions_and_name_the_documents():
    plain = stats.questions_to_settle(0.041, 0.106)
    clustered = stats.questions_to_settle(0.041, 0.106, questions_per_document=3, icc=0.1)
    assert clustered.n_questions == math.ceil(plain.n_questions * 1.2)
    assert clustered.n_documents == math.ceil(clustered.n_questions / 3)
    assert (plain.n_documents, plain.approximate, clustered.approximate) == (None, False, True)
    study = stats.paired_power(
        clustered.n_questions, 0.041, 0.106, n_documents=round(clustered.n_questions / 3), icc=0.1
    )
    assert study.power == pytest.approx(0.8, abs=0.005)


def test_a_gap_that_is_none_or_too_small_has_no_number():
    assert stats.questions_to_settle(0.0, 0.1).reason == "there is no gap to find"
    tiny = stats.questions_to_settle(0.0001, 0.106)
    assert (tiny.n_questions, tiny.n_first) == (None, None)
    assert str(MAX_QUESTIONS) in tiny.reason


def test_a_smaller_gap_takes_more_questions():
    numbers = [stats.questions_to_settle(gap, 0.106).n_questions for gap in (0.1, 0.06, 0.041, 0.03, 0.01)]
    assert numbers == sorted(numbers)
    assert numbers[-1] == pytest.approx((1.96 + 0.8416) ** 2 * 0.106 / 0.01**2, rel=0.03)


# --- bad input ---


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"gap": 0.2}, r"gap = 0.2 is larger than discordance = 0.1"),
        ({"gap": math.nan}, r"gap = nan"),
        ({"discordance": 10.6}, r"discordance must be a share"),
        ({"alpha": 5}, r"alpha must be between 0 and 1"),
        ({"n_questions": 0}, r"n_questions must be between 1 and"),
        ({"n_documents": 300}, r"n_documents must be between 1 and n_questions = 270, not 300"),
        ({"n_documents": 90, "icc": -0.1}, r"icc must be between 0 and 1, not -0.1; take a negative estimate for 0"),
        ({"icc": 0.1}, r"icc = 0.1 needs n_documents"),
        ({"n_documents": 90, "size_variation": -1}, r"size_variation must be 0 or more"),
    ],
)
def test_what_makes_no_sense_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        stats.paired_power(**{"n_questions": 270, "gap": 0.05, "discordance": 0.1} | arguments)


def test_bad_plans_are_refused():
    with pytest.raises(ValueError, match="power must be between 0 and 1"):
        stats.minimal_detectable_gap(270, 85, 0.1, power=80)
    with pytest.raises(ValueError, match="needs questions_per_document"):
        stats.questions_to_settle(0.05, 0.1, icc=0.1)
    with pytest.raises(ValueError, match="questions_per_document must be 1 or more"):
        stats.questions_to_settle(0.05, 0.1, questions_per_document=0.5)
