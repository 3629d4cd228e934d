import itertools
import math

import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as smf
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as scipy_stats
from statsmodels.regression.mixed_linear_model import MixedLM
from statsmodels.stats.anova import anova_lm

from muddle_utils import stats

NAN = float("nan")


def rng(seed=0):
    return np.random.default_rng(seed)


# --- questions and runs ---


def test_components_by_hand_in_an_unbalanced_design():
    # Question means 1 (n 2), 1/3 (n 3), 0 (n 1); grand mean 3/6. SSW = 2/3, MSW = (2/3)/(6 - 3) = 2/9.
    # SSB = 2 (1/2)^2 + 3 (1/6)^2 + 1 (1/2)^2 = 5/6, MSB = 5/12; n0 = (6 - 14/6)/2 = 11/6.
    result = stats.replicate_variance([[1, NAN, 1], [0, 1, 0], [NAN, NAN, 0], [NAN, NAN, NAN]])
    between = (5 / 12 - 2 / 9) / (11 / 6)
    assert result.between_run == pytest.approx(2 / 9)
    assert result.n0 == pytest.approx(11 / 6)
    assert result.between_question == pytest.approx(between)
    assert result.icc == pytest.approx(between / (between + 2 / 9))
    assert result.mean == pytest.approx(4 / 9)  # each question once
    assert result.se_between_question == pytest.approx(math.sqrt(between / 3))
    assert result.se_between_run == pytest.approx(math.sqrt(2 / 9 * (1 / 2 + 1 / 3 + 1)) / 3)
    assert (result.n_questions, result.n_values, result.n_questions_left_out, result.n_missing) == (3, 6, 1, 6)
    assert result.accuracies == (0.5, 1.0, pytest.approx(1 / 3))
    assert result.n_by_replicate == (2, 1, 3)
    assert result.variance_of_accuracies == pytest.approx(np.var([1 / 2, 1, 1 / 3], ddof=1))
    assert (result.clamped, result.reason) == (False, "")


def test_the_balanced_closed_form():
    values = (rng(1).random((40, 5)) < rng(2).beta(1, 1, 40)[:, None]).astype(float)
    result = stats.replicate_variance(values)
    within = values.var(axis=1, ddof=1).mean()
    of_means = values.mean(axis=1).var(ddof=1)
    assert result.n0 == pytest.approx(5)
    assert result.between_run == pytest.approx(within)
    assert result.between_question == pytest.approx(of_means - within / 5)
    # together the two parts are the ordinary standard error of a mean of question means
    assert result.se_between_run**2 + result.se_between_question**2 == pytest.approx(of_means / 40)
    assert result.variance_of_accuracies == pytest.approx(values.mean(axis=0).var(ddof=1))


def test_the_mean_squares_are_those_of_scipys_analysis_of_variance():
    generator = rng(5)
    values = (generator.random((30, 6)) < generator.beta(1, 1, (30, 1))).astype(float)
    values[generator.random(values.shape) < 0.3] = NAN
    groups = [row[~np.isnan(row)] for row in values]
    f = scipy_stats.f_oneway(*(group for group in groups if len(group))).statistic
    result = stats.replicate_variance(values)
    assert f > 2
    assert result.between_question == pytest.approx((f - 1) * result.between_run / result.n0)


def test_mixed_model_agrees_in_a_balanced_design():
    generator = rng(7)
    values = 0.6 + generator.normal(0, 0.3, (80, 1)) + generator.normal(0, 0.2, (80, 6))
    questions = np.repeat(np.arange(80), 6)
    fit = MixedLM(values.ravel(), np.ones(480), groups=questions).fit(reml=True)
    result = stats.replicate_variance(values)
    assert fit.converged
    assert result.between_run == pytest.approx(fit.scale, rel=1e-3)
    assert result.between_question == pytest.approx(float(fit.cov_re[0, 0]), rel=1e-3)
    total = math.hypot(result.se_between_run, result.se_between_question)
    assert total == pytest.approx(fit.bse_fe[0], rel=1e-3)


def test_components_and_standard_errors_are_right_on_average_in_an_unbalanced_simulation():
    # y = mu + q + e with variances .04 and .09 and a third of the values missing. Over 1,000 studies the means of the
    # estimates lie within 4 of their standard errors of the truth, and the standard error is the spread of the mean.
    generator = rng(11)
    missing = generator.random((50, 4)) < np.linspace(0, 0.7, 50)[:, None]
    missing[missing.all(axis=1), 0] = False
    found = []
    for _ in range(1000):
        values = 0.5 + generator.normal(0, 0.2, (50, 1)) + generator.normal(0, 0.3, (50, 4))
        found.append(stats.replicate_variance(np.where(missing, NAN, values)))
    for name, truth in (("between_run", 0.09), ("between_question", 0.04)):
        estimates = np.array([getattr(result, name) for result in found])
        assert abs(estimates.mean() - truth) < 4 * estimates.std() / math.sqrt(1000), name
    spread = np.std([result.mean for result in found], ddof=1)
    variance = np.mean([result.se_between_run**2 + result.se_between_question**2 for result in found])
    # an estimated standard deviation of 1,000 values has a relative standard error of 1/sqrt(2000) = .022
    assert math.sqrt(variance) == pytest.approx(spread, rel=0.09)
    assert sum(result.clamped for result in found) < 20


def test_answers_of_0_and_1_give_the_bernoulli_components():
    # p uniform on {.2, .8}: between questions .09, between runs .16
    generator = rng(12)
    p = np.where(generator.random(4000) < 0.5, 0.2, 0.8)
    result = stats.replicate_variance((generator.random((4000, 5)) < p[:, None]).astype(int))
    assert result.between_run == pytest.approx(0.16, abs=0.005)
    assert result.between_question == pytest.approx(0.09, abs=0.005)
    assert result.icc == pytest.approx(0.09 / 0.25, abs=0.02)


def test_the_accuracies_of_runs_vary_as_the_component_between_runs_says_unless_a_run_is_better_throughout():
    generator = rng(13)
    questions = generator.normal(0.5, 0.3, (400, 1))
    chance = stats.replicate_variance(questions + generator.normal(0, 0.2, (400, 60)))
    # a variance of 60 values has a relative standard error of sqrt(2/59) = .18
    assert chance.variance_of_accuracies == pytest.approx(chance.between_run / 400, rel=0.6)
    better = stats.replicate_variance(questions + generator.normal(0, 0.2, (400, 60)) + np.linspace(0, 0.3, 60))
    assert better.variance_of_accuracies > 10 * better.between_run / 400


def test_a_negative_component_is_given_as_0_and_says_so():
    # Every question has mean 1/2: MSB = 0, MSW = 1/2, the estimate is -1/4.
    result = stats.replicate_variance([[0, 1], [1, 0], [0, 1]])
    assert (result.between_question, result.se_between_question, result.icc) == (0.0, 0.0, 0.0)
    assert result.clamped
    assert result.between_run == pytest.approx(0.5)


@pytest.mark.parametrize("unit", [1, 0.1, 0.3, 1 / 3, 0.7, 1 / 7])
def test_a_component_of_0_is_not_called_negative_for_its_rounding(unit):
    # A single 1 among nine: SSW = 2/3, MSW = 1/9; means 0, 0 and 1/3, MSB = 3 x 2/27 / 2 = 1/9, in any unit.
    for place in range(9):
        values = unit * (np.arange(9) == place).reshape(3, 3)
        result = stats.replicate_variance(values)
        assert result.between_question == pytest.approx(0, abs=1e-12)
        assert not result.clamped


def test_runs_that_repeat_themselves_have_no_variance_between_runs():
    # MSW = 0; grand mean 5/8, MSB = (3 x 9 + 3 x 25 + 2 x 9) / 64 / 2 = 15/16; n0 = (8 - 22/8)/2 = 21/8
    result = stats.replicate_variance([[1, 1, 1], [0, 0, 0], [1, 1, NAN]])
    assert (result.between_run, result.se_between_run, result.icc, result.clamped) == (0.0, 0.0, 1.0, False)
    assert result.between_question == pytest.approx(15 / 16 / (21 / 8))


@pytest.mark.parametrize("value", [0.0, 1.0, 0.1])
def test_equal_values_have_no_components_and_no_error_but_a_reason(value):
    values = np.full((7, 3), value)
    values[0, 0] = NAN
    result = stats.replicate_variance(values)
    assert (result.between_run, result.between_question, result.icc, result.clamped) == (None, None, None, False)
    assert (result.se_between_run, result.se_between_question) == (None, None)
    assert "every value is the same" in result.reason
    assert result.mean == pytest.approx(value)


@pytest.mark.parametrize(
    ("values", "reason", "between_run"),
    [
        ([[1], [0], [1]], "no question has two runs", None),
        ([[1, NAN], [NAN, 0]], "no question has two runs", None),
        ([[1, 0, 1]], "one question", pytest.approx(1 / 3)),
        ([[1, 1, 1]], "one question", None),
        ([[NAN, NAN]], "no values", None),
        (np.empty((0, 2)), "no values", None),
        (np.empty((3, 0)), "no values", None),
    ],
)
def test_what_cannot_be_estimated_is_none_with_its_reason(values, reason, between_run):
    result = stats.replicate_variance(values)
    assert reason in result.reason
    assert result.between_run == between_run
    assert (result.between_question, result.se_between_question, result.icc, result.n0) == (None, None, None, None)
    assert (result.mean is None) == (reason == "no values")


def test_a_run_without_values_has_no_accuracy():
    result = stats.replicate_variance([[1, NAN, 1], [0, NAN, 1]])
    assert result.accuracies == (0.5, None, 1.0)
    assert result.n_by_replicate == (2, 0, 2)
    assert result.variance_of_accuracies == pytest.approx(1 / 8)


def test_outcomes_of_a_wrong_shape_or_infinite_are_refused():
    with pytest.raises(ValueError, match=r"shape \(questions, replicates\), not \(2,\)"):
        stats.replicate_variance([1, 0])
    with pytest.raises(ValueError, match="infinite value at row 1"):
        stats.replicate_variance([[1, 0], [1, math.inf]])


# --- clusters ---


def test_cluster_correlation_is_the_one_way_component_share_and_counts_what_design_effects_need():
    # clusters a (1, 1, 0), b (0), c (1, 0): means 2/3, 0, 1/2; grand mean 1/2; SSW = 2/3 + 0 + 1/2 = 7/6, MSW = 7/18.
    # SSB = 3/36 + 1/4 + 0 = 1/3, MSB = 1/6; n0 = (6 - 14/6)/2 = 11/6; between = (1/6 - 7/18)/(11/6) = -4/33
    result = stats.cluster_correlation([1, 0, 1, NAN, 0, 1, 0], ["a", "b", "a", "a", "a", "c", "c"])
    between, within = -4 / 33, 7 / 18
    assert result.estimate == pytest.approx(between / (between + within))
    assert (result.icc, result.cut) == (0.0, True)
    assert (result.n, result.n_missing, result.n_clusters, result.mean_size) == (6, 1, 3, 2.0)
    assert result.size_variation == pytest.approx(math.sqrt(2 / 3) / 2)


def test_cluster_correlation_finds_what_was_put_in():
    generator = rng(3)
    sizes = generator.integers(1, 8, 3000)
    clusters = np.repeat(np.arange(3000), sizes)
    values = np.repeat(generator.normal(0, 1, 3000), sizes) + generator.normal(0, 2, len(clusters))
    assert stats.cluster_correlation(values, clusters).icc == pytest.approx(0.2, abs=0.02)
    shuffled = generator.permutation(len(clusters))
    moved = stats.cluster_correlation(values[shuffled], clusters[shuffled])
    assert moved.icc == pytest.approx(stats.cluster_correlation(values, clusters).icc)


@pytest.mark.parametrize(
    ("values", "clusters", "reason"),
    [
        ([NAN], ["a"], "no values"),
        ([], [], "no values"),
        ([1, 0], ["a", "a"], "one cluster"),
        ([1, 0], ["a", "b"], "one value a cluster"),
        ([1, 1, 1], ["a", "b", "b"], "every value is the same"),
    ],
)
def test_a_correlation_that_is_not_defined_is_nan_with_its_reason(values, clusters, reason):
    result = stats.cluster_correlation(values, clusters)
    assert math.isnan(result.icc)
    assert math.isnan(result.estimate)
    assert reason in result.reason
    assert not result.cut


def test_cluster_correlation_refuses_missing_labels_and_unequal_lengths():
    with pytest.raises(ValueError, match="cluster label"):
        stats.cluster_correlation([1, 0], ["a", None])
    with pytest.raises(ValueError, match="equal length"):
        stats.cluster_correlation([1, 0], ["a"])


# --- questions, runs and judges ---


def crossed_values(generator, sizes, spreads):
    """Return normal values with these standard deviations of q, r, j, qr, qj, rj and chance."""
    shapes = [(0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)]
    values = np.zeros(sizes)
    for axes, spread in zip(shapes, spreads, strict=True):
        shape = [size if axis in axes else 1 for axis, size in enumerate(sizes)]
        values = values + generator.normal(0, spread, shape)
    return values


NAMES = ["question", "run", "judge", "question × run", "question × judge", "run × judge", "residual"]


def long(values):
    axes = np.meshgrid(*(np.arange(size) for size in values.shape), indexing="ij")
    frame = pd.DataFrame({name: axis.ravel() for name, axis in zip("qrj", axes, strict=True)})
    return frame.assign(y=values.ravel())


def test_three_way_components_are_those_of_the_analysis_of_variance():
    values = crossed_values(rng(1), (7, 4, 3), [1, 0.5, 0.7, 0.4, 0.3, 0.6, 0.8])
    frame = long(values)
    fit = smf.ols("y ~ (C(q) + C(r) + C(j)) ** 2", frame).fit()
    table = anova_lm(fit)
    ms = {name: table.loc[name, "mean_sq"] for name in table.index}
    q, r, j = values.shape
    two = {
        "question × run": (ms["C(q):C(r)"] - ms["Residual"]) / j,
        "question × judge": (ms["C(q):C(j)"] - ms["Residual"]) / r,
        "run × judge": (ms["C(r):C(j)"] - ms["Residual"]) / q,
    }
    expected = {
        "question": (ms["C(q)"] - ms["C(q):C(r)"] - ms["C(q):C(j)"] + ms["Residual"]) / (r * j),
        "run": (ms["C(r)"] - ms["C(q):C(r)"] - ms["C(r):C(j)"] + ms["Residual"]) / (q * j),
        "judge": (ms["C(j)"] - ms["C(q):C(j)"] - ms["C(r):C(j)"] + ms["Residual"]) / (q * r),
        **two,
        "residual": ms["Residual"],
    }
    result = stats.crossed_variance(values)
    assert [component.name for component in result.components] == NAMES
    assert {component.name: component.estimate for component in result.components} == pytest.approx(expected)
    assert [component.n_levels for component in result.components] == [7, 4, 3, 28, 21, 12, 84]


def test_two_way_components_are_those_of_the_analysis_of_variance_when_a_factor_has_one_level():
    values = crossed_values(rng(2), (9, 1, 4), [1, 0, 0.7, 0, 0.3, 0, 0.8])
    table = anova_lm(smf.ols("y ~ C(q) + C(j)", long(values)).fit())["mean_sq"]
    result = stats.crossed_variance(values)
    found = {component.name: component.estimate for component in result.components}
    assert found == pytest.approx(
        {
            "question": (table["C(q)"] - table["Residual"]) / 4,
            "judge": (table["C(j)"] - table["Residual"]) / 9,
            "residual": table["Residual"],
        }
    )
    assert math.isnan(result.se_run)
    assert "one run: its variance is unknown" in result.notes[0]


def test_the_standard_error_is_the_sum_of_its_parts_and_each_goes_down_as_it_should():
    values = crossed_values(rng(3), (30, 5, 4), [1, 0.5, 0.7, 0.4, 0.3, 0.6, 0.8])
    result = stats.crossed_variance(values)
    v = {component.name: component.variance for component in result.components}
    of_question = v["question"] / 30
    of_run = v["run"] / 5 + v["question × run"] / 150
    of_judge = v["judge"] / 4 + v["question × judge"] / 120 + v["run × judge"] / 20 + v["residual"] / 600
    assert result.se_question == pytest.approx(math.sqrt(of_question))
    assert result.se_run == pytest.approx(math.sqrt(of_run))
    assert result.se_judge == pytest.approx(math.sqrt(of_judge))
    assert result.standard_error == pytest.approx(math.sqrt(of_question + of_run + of_judge))
    assert result.mean == pytest.approx(values.mean())
    assert sum(component.share for component in result.components) == pytest.approx(1)
    assert stats.projected_error(result, 30, 5, 4) == pytest.approx(result.standard_error)
    assert stats.projected_error(result, 10**9, 5, 4) == pytest.approx(
        math.sqrt(v["run"] / 5 + v["judge"] / 4 + v["run × judge"] / 20), rel=1e-6
    )


def test_with_values_missing_the_components_and_the_standard_error_are_right_on_average():
    # 60 questions, 4 runs, 3 judges, a third missing and more so for late questions; 600 studies.
    generator = rng(11)
    spreads = np.array([0.5, 0.2, 0.2, 0.3, 0.2, 0.1, 0.4])
    missing = generator.random((60, 4, 3)) < np.linspace(0.1, 0.6, 60)[:, None, None]
    found, means, errors = [], [], []
    for _ in range(600):
        values = crossed_values(generator, (60, 4, 3), spreads)
        values[missing] = NAN
        result = stats.crossed_variance(values)
        found.append([component.estimate for component in result.components])
        means.append(result.mean)
        errors.append(result.standard_error**2)
    found = np.array(found)
    off = np.abs(found.mean(axis=0) - spreads**2) / (found.std(axis=0) / math.sqrt(600))
    assert off.max() < 4
    # the relative standard error of a standard deviation of 600 values is 1/sqrt(1200) = .029; cutting negative
    # estimates at 0 makes the standard error a little larger on average
    assert math.sqrt(np.mean(errors)) == pytest.approx(np.std(means, ddof=1), rel=0.12)


def test_the_mean_counts_every_question_once_and_empty_levels_are_left_out():
    values = np.full((4, 3, 2), NAN)
    values[0, 0, 0], values[0, 1, 0], values[0, 0, 1], values[0, 1, 1] = 1, 1, 1, 0
    values[2, 0, 0], values[2, 1, 1], values[2, 0, 1] = 0, 0, 1
    values[3, 1, 0] = 1
    result = stats.crossed_variance(values)
    assert result.mean == pytest.approx((3 / 4 + 1 / 3 + 1) / 3)
    assert (result.n, result.n_missing, result.n_questions, result.n_runs, result.n_judges) == (8, 16, 3, 2, 2)


def test_negative_estimates_are_kept_and_flagged_as_cut():
    # Two judges who always differ, in turn: judge means alike, all variance in the interaction.
    values = np.array([[[0, 1]], [[1, 0]], [[0, 1]], [[1, 0]]])
    result = stats.crossed_variance(values)
    question, judge, residual = result.components
    # MSQ = MSJ = 0, MSE = 4 x 2 x .25 / 3 = 2/3
    assert (question.estimate, judge.estimate) == (pytest.approx(-1 / 3), pytest.approx(-1 / 6))
    assert (question.variance, question.cut, question.standard_error, residual.share) == (0.0, True, 0.0, 1.0)
    assert residual.estimate == pytest.approx(2 / 3)
    assert sum("cut at 0" in note for note in result.notes) == 2


def test_runs_alone_agree_with_the_one_way_components_when_no_run_is_better():
    values = (rng(4).random((300, 5)) < rng(5).beta(2, 1, (300, 1))).astype(float)
    crossed = {c.name: c for c in stats.crossed_variance(values[:, :, None]).components}
    nested = stats.replicate_variance(values)
    assert crossed["run"].estimate + crossed["residual"].estimate == pytest.approx(nested.between_run, abs=1e-3)
    assert crossed["question"].estimate == pytest.approx(nested.between_question, abs=1e-3)


def test_a_run_or_judge_that_is_better_throughout_shows_in_its_own_component():
    generator = rng(6)
    values = crossed_values(generator, (200, 6, 6), [0.3, 0, 0, 0.1, 0.1, 0, 0.2])
    values += np.linspace(0, 1, 6)[None, :, None]
    parts = {c.name: c for c in stats.crossed_variance(values).components}
    assert parts["run"].estimate == pytest.approx(np.var(np.linspace(0, 1, 6), ddof=1), rel=0.05)
    assert abs(parts["judge"].estimate) < 0.001


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        (np.full((3, 2, 2), NAN), "no values"),
        (np.empty((0, 2, 2)), "no values"),
        ([[[1, 0], [1, 1]]], "one question"),
        # every question judged by one judge in one run: nothing parts them
        (np.where(np.arange(8).reshape(2, 2, 2) % 7 == 0, 1.0, NAN), "too much is missing"),
    ],
)
def test_components_that_cannot_be_told_are_nan_with_their_reason(values, reason):
    result = stats.crossed_variance(values)
    assert reason in result.reason
    assert math.isnan(result.standard_error)
    assert math.isnan(result.se_question)
    assert all(math.isnan(component.estimate) and reason in component.reason for component in result.components)
    options = stats.design_options(result)
    assert all(math.isnan(option.standard_error) and reason in option.reason for option in options)


@pytest.mark.parametrize("value", [0.0, 1.0, 0.1])
def test_equal_values_have_no_standard_error_but_a_reason(value):
    result = stats.crossed_variance(np.full((5, 3, 2), value))
    assert "every value is the same" in result.reason
    assert result.mean == pytest.approx(value)
    assert all(math.isnan(x) for x in (result.standard_error, result.se_question, result.se_run, result.se_judge))
    assert all(math.isnan(component.standard_error) and not component.cut for component in result.components)
    assert math.isnan(stats.projected_error(result, 10, 3, 2))
    assert all(math.isnan(option.ratio) for option in stats.design_options(result))


def test_runs_that_repeat_themselves_are_not_shown_to_be_alike():
    values = np.repeat((rng(5).random((20, 1, 1)) < 0.5).astype(float), 3, axis=1)
    result = stats.crossed_variance(values)
    assert result.reason == ""
    assert (result.se_run, math.isnan(result.se_judge)) == (0.0, True)
    assert "the part of the runs is estimated as 0, which does not show that they do not matter" in result.notes
    assert result.standard_error > 0


def test_what_more_would_buy():
    result = stats.crossed_variance(crossed_values(rng(8), (40, 3, 2), [1, 0.3, 0.5, 0.4, 0.3, 0.2, 0.5]))
    options = {option.name: option for option in stats.design_options(result)}
    assert options["as it is"].ratio == 1
    assert options["twice the runs"].standard_error == pytest.approx(stats.projected_error(result, 40, 6, 2))
    assert (options["one more judge"].n_judges, options["twice the questions"].n_questions) == (3, 80)
    for twice, one in (("twice the runs", "one more run"), ("twice the judges", "one more judge")):
        assert options[twice].ratio <= options[one].ratio <= 1


def test_more_of_a_factor_that_had_one_level_is_unknown():
    result = stats.crossed_variance(crossed_values(rng(9), (40, 1, 3), [1, 0, 0.5, 0, 0.3, 0, 0.5]))
    options = {option.name: option for option in stats.design_options(result)}
    assert math.isnan(options["one more run"].ratio)
    assert options["one more run"].reason == "one run: what more would buy is unknown"
    assert options["one more judge"].ratio < 1
    assert options["one more judge"].reason == ""
    with pytest.raises(ValueError, match="1 or more, not 0, 1, 3"):
        stats.projected_error(result, 0, 1, 3)


def test_one_run_and_one_judge_leave_the_variance_of_question_means():
    values = rng(10).random((50, 1, 1))
    result = stats.crossed_variance(values)
    assert [component.name for component in result.components] == ["question"]
    assert result.components[0].estimate == pytest.approx(values.var(ddof=1))
    assert result.standard_error == pytest.approx(math.sqrt(values.var(ddof=1) / 50))
    assert len(result.notes) == 2


def test_two_judges_are_said_to_be_few():
    result = stats.crossed_variance(rng(12).random((30, 3, 2)))
    assert "3 runs: the variance between runs rests on 2 degrees of freedom" in result.notes
    assert "2 judges: the variance between judges rests on 1 degree of freedom" in result.notes


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000))
def test_order_and_scale_change_nothing_but_the_unit(seed):
    generator = rng(seed)
    values = generator.integers(0, 2, (12, 3, 3)).astype(float)
    values[generator.random(values.shape) < 0.2] = NAN
    values[0] = [[1, 0, 1], [0, 0, 1], [1, 1, 0]]
    first = stats.crossed_variance(values)
    axes = [generator.permutation(size) for size in values.shape]
    moved = stats.crossed_variance(values[np.ix_(*axes)] * 10 + 3)
    for a, b in itertools.zip_longest(first.components, moved.components):
        assert b.estimate == pytest.approx(100 * a.estimate, abs=1e-8)
    assert moved.standard_error == pytest.approx(10 * first.standard_error, abs=1e-6)


def test_values_of_a_wrong_shape_or_infinite_are_refused():
    with pytest.raises(ValueError, match=r"shape \(questions, runs, judges\), not \(2, 2\)"):
        stats.crossed_variance([[1, 0], [0, 1]])
    with pytest.raises(ValueError, match="infinite value at row 1"):
        stats.crossed_variance([[[1]], [[math.inf]]])
