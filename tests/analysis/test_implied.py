"""What the published numbers imply: golden values at printed precision, and independent oracles for the searches."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats as scipy_stats

from muddle_utils import stats
from muddle_utils.analysis import implied
from muddle_utils.figures import layouts

SEARCHED = range(200, 271)


@pytest.fixture(scope="module")
def counts():
    return implied.counts()


@pytest.fixture(scope="module")
def gaps():
    return implied.gaps()


@pytest.fixture(scope="module")
def discordance():
    return implied.discordance()


@pytest.fixture(scope="module")
def intervals():
    return implied.intervals(n_resamples=4000)


def cell(table, model, condition, modality="markdown"):
    return table[table["model"].eq(model) & table["condition"].eq(condition) & table["modality"].eq(modality)]


def row_of(table, model, contrast, **others):
    chosen = table["model"].eq(model) & table["contrast"].str.startswith(contrast)
    for name, value in others.items():
        chosen &= table[name].eq(value)
    return table[chosen].iloc[0]


# --- whole counts ---


@pytest.mark.parametrize(
    ("model", "right"),
    [
        # control, hn-2, random-2, hn-4, random-4
        ("gpt-5-mini", [206, 199, 207, 191, 202]),
        ("gemini-3.5-flash", [198, 192, 195, 196, 192]),
    ],
)
def test_every_cell_of_two_models_is_a_count_of_270(counts, model, right):
    chosen = counts[counts["model"].eq(model)]
    sweep = chosen[chosen["modality"].eq("markdown")]
    assert sweep["condition"].tolist() == ["control", "hn-2", "random-2", "hn-4", "random-4"]
    assert sweep["n_right"].tolist() == right
    assert chosen["fits_all"].all() and chosen["n"].eq(270).all() and chosen["remark"].eq("").all()


@pytest.mark.parametrize(
    ("condition", "modality", "expected", "remark"),
    [
        ("hn-4", "markdown", [(261, 178, 53), (236, 161, 48), (217, 148, 44)], "judge 0.682; no count.* em 0.203"),
        ("random-4", "markdown", [(259, 183, 54)], "^no count of 270 prints as em 0.208$"),
        (
            "control",
            "image",
            [(269, 219, 33), (253, 206, 31), (236, 192, 29), (220, 179, 27), (204, 166, 25)],
            "judge 0.814; no count of 270 prints as em 0.123",
        ),
    ],
)
def test_three_cells_of_grok_are_no_counts_of_270_and_all_that_fits_is_listed(
    counts, condition, modality, expected, remark
):
    rows = cell(counts, "grok-4.3", condition, modality)
    assert list(rows[["n", "n_right", "n_exact"]].itertuples(index=False, name=None)) == expected
    assert not rows["fits_all"].any()
    assert rows["n_fitting"].eq(len(expected)).all()
    assert rows["remark"].str.contains(remark).all()


def test_only_three_of_21_cells_are_impossible(counts):
    cells = counts.drop_duplicates(["model", "modality", "condition"])
    assert (len(cells), int((~cells["fits_all"]).sum())) == (21, 3)
    assert cells.loc[~cells["fits_all"], "model"].eq("grok-4.3").all()


def test_candidates_are_those_that_printing_every_fraction_finds(counts):
    for (judge, em), rows in counts.groupby(["judge", "em"]):
        fitting = [
            n
            for n in SEARCHED
            if all(f"{value:.3f}" in {f"{k / n:.3f}" for k in range(n + 1)} for value in (judge, em))
        ]
        assert rows["n_fitting"].eq(len(fitting)).all()
        assert rows["n"].tolist() == ([270] if 270 in fitting else sorted(fitting, reverse=True))
        for row in rows.itertuples():
            assert (f"{row.n_right / row.n:.3f}", f"{row.n_exact / row.n:.3f}") == (f"{judge:.3f}", f"{em:.3f}")


def test_the_bound_of_the_search_is_kept():
    table = implied.counts(n_least=250)
    assert cell(table, "grok-4.3", "hn-4")["n"].tolist() == [261]
    assert cell(implied.counts(261), "grok-4.3", "hn-4")["n"].tolist() == [261]
    assert cell(table, "grok-4.3", "control", "image")["n"].tolist() == [269, 253]
    none = cell(implied.counts(n_least=262), "grok-4.3", "hn-4").iloc[0]
    assert none["not_applicable"] == "no n from 262 to 270 fits"
    assert pd.isna(none["n"]) and pd.isna(none["low"]) and none["n_fitting"] == 0
    for bad in (0, 271):
        with pytest.raises(ValueError, match="n_least must be from 1 to the 270 questions"):
            implied.counts(bad)


def test_accuracies_have_wilsons_interval_of_their_counts(counts):
    row = cell(counts, "gpt-5-mini", "control").iloc[0]
    assert (round(row["low"], 3), round(row["high"], 3)) == (0.709, 0.810)
    expected = scipy_stats.binomtest(178, 261).proportion_ci(method="wilson")
    row = cell(counts, "grok-4.3", "hn-4").iloc[0]
    assert (row["low"], row["high"]) == (pytest.approx(expected.low), pytest.approx(expected.high))
    assert counts["n_documents"].eq(85).all()
    assert counts["method"].str.contains("lower bound of the width").all()


def test_tables_that_disagree_or_lack_a_cell_say_so(change_published):
    change_published("table_1_judge_accuracy.csv", "gpt-5-mini,hn-2,0.737", "gpt-5-mini,hn-2,0.733")
    change_published("table_4_metrics.csv", "gpt-5-mini,pdf,control,0.804,0.701,0.493\n", "")
    table = implied.counts()
    assert cell(table, "gpt-5-mini", "hn-2")["remark"].item() == "Table 4 has judge 0.737"
    alone = cell(table, "gpt-5-mini", "control", "pdf").iloc[0]
    assert alone["not_applicable"] == "in one of Tables 1 and 4 only"
    assert pd.isna(alone["n"])


# --- gaps ---


@pytest.mark.parametrize(
    ("model", "contrast", "difference", "n"),
    [
        ("gpt-5-mini", "random-2 − hn-2", 8, 270),
        ("gpt-5-mini", "random-4 − hn-4", 11, 270),
        ("gpt-5-mini", "random − hn, pooled", 19, 540),
        ("gpt-5-mini", "random-2 − random-4", 5, 270),
        ("gpt-5-mini", "hn-2 − hn-4", 8, 270),
        ("gpt-5-mini", "control − hn-4", 15, 270),
        ("gpt-5-mini", "highest − lowest", 16, 270),
        ("gemini-3.5-flash", "random-2 − hn-2", 3, 270),
        ("gemini-3.5-flash", "random-4 − hn-4", -4, 270),
        ("gemini-3.5-flash", "random − hn, pooled", -1, 540),
        ("grok-4.3", "random-2 − hn-2", -2, 270),
    ],
)
def test_gaps_in_whole_answers(gaps, model, contrast, difference, n):
    row = row_of(gaps, model, contrast)
    assert (row["n_difference"], row["n_pairs"]) == (difference, n)
    assert row["n_right_a"] - row["n_right_b"] == difference
    assert row["gap"] == row["gap_least"] == row["gap_most"] == pytest.approx(difference / n)


def test_the_pooled_gap_is_not_the_mean_of_the_rounded_gaps(gaps):
    assert round(row_of(gaps, "gpt-5-mini", "random − hn, pooled")["gap"], 4) == 0.0352
    stated = gaps["stated"].dropna().tolist()
    assert stated == [0.030, 0.041, 0.019, 0.030]
    assert round((stated[0] + stated[1]) / 2, 4) == 0.0355


def test_every_gap_that_the_text_states_agrees_with_table_1(gaps):
    assert gaps.loc[gaps["stated"].notna(), "agrees"].tolist() == [True] * 4
    assert gaps.loc[gaps["stated"].isna(), "agrees"].isna().all()


def test_a_stated_gap_that_table_1_does_not_give_is_flagged(change_published):
    change_published("statements.csv", "0.041,paired", "0.042,paired")
    assert row_of(implied.gaps(), "gpt-5-mini", "random-4 − hn-4")["agrees"] is np.False_


def test_a_stated_gap_is_held_against_the_counts_and_not_against_rounded_values(change_published):
    # 195 and 190 of 270 print as .722 and .704, which differ by .018; 5 of 270 prints as .019.
    change_published("table_1_judge_accuracy.csv", "gpt-5-mini,random-2,0.767", "gpt-5-mini,random-2,0.722")
    change_published("table_1_judge_accuracy.csv", "gpt-5-mini,random-4,0.748", "gpt-5-mini,random-4,0.704")
    row = row_of(implied.gaps(), "gpt-5-mini", "random-2 − random-4")
    assert (row["n_difference"], row["stated"]) == (5, 0.019)
    assert row["agrees"] is np.True_


def test_the_sign_of_the_topical_gap_is_not_that_of_all_models(gaps):
    topical = gaps[gaps["contrast"].isin(["random-2 − hn-2", "random-4 − hn-4"])]
    higher = {model: rows["higher"].tolist() for model, rows in topical.groupby("model")}
    assert higher == {
        "gpt-5-mini": ["random-2", "random-4"],
        "gemini-3.5-flash": ["random-2", "hn-4"],
        "grok-4.3": ["hn-2", "random-4"],
    }


def test_a_gap_of_an_arm_with_missing_answers_has_bounds_and_no_count(gaps):
    row = row_of(gaps, "grok-4.3", "control − hn-4")
    assert (round(row["gap_least"], 4), round(row["gap_most"], 4)) == (0.061, 0.063)
    assert row["not_applicable"] == "an arm is no count of all questions"
    assert row[["gap", "n_pairs", "n_difference"]].isna().all()


def test_the_widest_spread_is_not_the_one_that_the_paper_names(gaps):
    spreads = gaps[gaps["contrast"].str.startswith("highest")].set_index("model")
    printed = (spreads["mean_a"] - spreads["mean_b"]).round(3).to_dict()
    assert printed == {"gpt-5-mini": 0.060, "gemini-3.5-flash": 0.022, "grok-4.3": 0.062}
    assert spreads.loc["grok-4.3", "remark"] == "the widest spread, whatever the rounding"
    assert spreads.loc["gpt-5-mini", "remark"] == "not the widest spread, whatever the rounding"
    assert spreads.loc["grok-4.3", "contrast"] == "highest − lowest (control − hn-4)"


def test_spreads_within_rounding_are_left_open(change_published):
    # grok's .742 - .682 may be .059 to .061, and gpt's spread is 16/270 = .0593.
    change_published("table_1_judge_accuracy.csv", "grok-4.3,control,0.744", "grok-4.3,control,0.742")
    table = implied.gaps()
    spreads = table[table["contrast"].str.startswith("highest")].set_index("model")
    assert (spreads.loc["grok-4.3", "gap_least"], spreads.loc["grok-4.3", "gap_most"]) == (
        pytest.approx(0.059),
        pytest.approx(0.061),
    )
    assert spreads.loc["grok-4.3", "remark"] == "the widest spread or not, within rounding"
    assert spreads.loc["gpt-5-mini", "remark"] == "the widest spread or not, within rounding"
    assert spreads.loc["gemini-3.5-flash", "remark"] == "not the widest spread, whatever the rounding"


# --- discordant pairs ---


@pytest.mark.parametrize(
    ("model", "contrast", "pairs", "n", "p", "share"),
    [
        ("gpt-5-mini", "random − hn, pooled", (38, 19), 540, 0.016348, 10.6),
        ("gpt-5-mini", "control − hn-4", (22, 7), 270, 0.008130, 10.7),
        ("grok-4.3", "control − hn-4", (31, 15), 261, 0.025896, 17.6),
    ],
)
def test_the_exact_test_reproduces_all_three_printed_p_values(discordance, model, contrast, pairs, n, p, share):
    row = row_of(discordance, model, contrast, test="exact McNemar", sides="two-sided")
    assert (row["a_only"], row["b_only"], row["n_pairs"]) == (*pairs, n)
    assert row["p_test"] == pytest.approx(p, abs=5e-7)
    assert round(100 * row["discordance"], 1) == share
    assert row["conclusion"] == "reproduces"


def solutions(discordance, sides):
    chosen = discordance[discordance["sides"].eq(sides)]
    return {
        test: [
            (row.a_only, row.b_only) if row.conclusion == "reproduces" else None
            for row in rows.sort_values("p").itertuples()
        ]
        for test, rows in chosen.groupby("test")
    }


def test_no_other_two_sided_test_reproduces_all_three(discordance):
    # In the order of p: control - hn-4 of gpt-5-mini (.008), pooled (.016), control - hn-4 of grok-4.3 (.026).
    assert solutions(discordance, "two-sided") == {
        "exact McNemar": [(22, 7), (38, 19), (31, 15)],
        "mid-p McNemar": [None, None, None],
        "chi-square McNemar": [None, None, None],
        "chi-square McNemar, continuity-corrected": [None, None, None],
        "Wilcoxon signed-rank, normal": [None, None, None],
        "paired t": [None, None, (34, 18)],
        "paired z": [(24, 9), (41, 22), None],
    }


def test_one_sided_tests_reproduce_them_too_at_more_discordant_pairs(discordance):
    one_sided = solutions(discordance, "one-sided")
    assert one_sided["exact McNemar"] == [(25, 10), (45, 26), (38, 22)]
    assert one_sided["paired t"] == [(27, 12), (49, 30), (42, 26)]
    assert one_sided["mid-p McNemar"][2] is None


def test_nearest_p_values_stand_where_nothing_fits(discordance):
    def nearest(test):
        row = row_of(discordance, "gpt-5-mini", "random − hn, pooled", test=test, sides="two-sided")
        return row["a_only"], row["b_only"], round(row["p_test"], 4)

    assert nearest("mid-p McNemar") == (41, 22, 0.0169)
    assert nearest("chi-square McNemar") == (41, 22, 0.0167)
    assert nearest("chi-square McNemar, continuity-corrected") == (37, 18, 0.0152)
    assert nearest("paired t") == (41, 22, 0.0165)


ORACLES = {
    "exact McNemar": lambda a, b, d: scipy_stats.binomtest(a, a + b).pvalue,
    "mid-p McNemar": lambda a, b, d: 2 * scipy_stats.binom.cdf(b, a + b, 0.5) - scipy_stats.binom.pmf(b, a + b, 0.5),
    "chi-square McNemar": lambda a, b, d: scipy_stats.chi2.sf((a - b) ** 2 / (a + b), 1),
    "chi-square McNemar, continuity-corrected": lambda a, b, d: scipy_stats.chi2.sf((a - b - 1) ** 2 / (a + b), 1),
    "Wilcoxon signed-rank, normal": lambda a, b, d: scipy_stats.wilcoxon(d, method="asymptotic").pvalue,
    "paired t": lambda a, b, d: scipy_stats.ttest_1samp(d, 0).pvalue,
    "paired z": lambda a, b, d: 2 * scipy_stats.norm.sf(d.mean() / scipy_stats.sem(d)),
}


@pytest.mark.parametrize("test", implied.TESTS)
@pytest.mark.parametrize(("a_only", "b_only", "n"), [(38, 19, 540), (22, 7, 270), (31, 15, 261), (41, 22, 540)])
def test_every_tried_test_is_that_of_scipy(test, a_only, b_only, n):
    differences = np.repeat([1.0, -1.0, 0.0], [a_only, b_only, n - a_only - b_only])
    ours = implied.TESTS[test](np.array([a_only]), np.array([b_only]), n)[0]
    assert ours == pytest.approx(ORACLES[test](a_only, b_only, differences), rel=1e-9)


def test_wilcoxon_with_pratts_zeros_is_the_same():
    differences = np.repeat([1.0, -1.0, 0.0], [38, 19, 483])
    pratt = scipy_stats.wilcoxon(differences, zero_method="pratt", method="asymptotic").pvalue
    assert pratt == pytest.approx(implied.TESTS["chi-square McNemar"](np.array([38]), np.array([19]), 540)[0])
    assert round(pratt, 5) == 0.01185


def test_the_search_finds_every_solution_there_is(discordance):
    row = row_of(discordance, "grok-4.3", "control − hn-4", test="exact McNemar", sides="two-sided")
    found = [
        (a, b)
        for a, b in itertools.product(range(130), repeat=2)
        if 14 <= a - b <= 23 and a + b <= 261 and f"{stats.exact_mcnemar_counts(a, b).p_value:.3f}" == "0.026"
    ]
    # 9 questions are missing: of 201 right in control 192 to 201 are among the 261, so the gap is 14 to 23 of them.
    assert found == [(31, 15), (51, 30), (56, 34)]
    assert row["other_differences"] == "(51, 30); (56, 34)"


def test_the_difference_on_fewer_questions_is_the_whole_one_that_table_1_allows(discordance):
    # .682 fits 261, 236 and 217, but .061 to .063 holds a whole number of answers for 261 alone: 15.9 to 16.4.
    grok = discordance[discordance["model"].eq("grok-4.3")]
    assert grok[["n_pairs", "n_difference"]].drop_duplicates().values.tolist() == [[261, 16]]


def test_chance_is_the_printed_width_over_the_distance_of_neighbours(discordance):
    row = row_of(discordance, "gpt-5-mini", "random − hn, pooled", test="exact McNemar", sides="two-sided")
    above, below = (stats.exact_mcnemar_counts(a, b).p_value for a, b in ((39, 20), (37, 18)))
    assert row["chance"] == pytest.approx(0.001 / ((above - below) / 2))
    assert discordance["chance"].between(0.2, 1).all()


def test_a_p_value_that_no_whole_pairs_give_has_no_solution(change_published):
    change_published("statements.csv", "0.016,paired", "0.015,paired")
    row = row_of(implied.discordance(), "gpt-5-mini", "random − hn", test="exact McNemar", sides="two-sided")
    assert row["conclusion"] == "no whole-number solution"
    assert round(row["p_test"], 4) == 0.0145
    pooled = implied.pooling(n_draws=5).iloc[0]
    assert pooled["not_applicable"] == "no whole discordant pairs give the pooled p"
    assert pd.isna(pooled["p"])
    kept = implied.intervals(n_resamples=10)
    assert "half of the pairs that the pooled p implies" not in set(kept["discordance_from"])


def test_a_gap_whose_pairs_fit_nothing_is_not_applicable(change_published):
    change_published("table_4_metrics.csv", "0.682,0.295,0.203", "0.682,0.295,0.001")
    row = row_of(implied.discordance(), "grok-4.3", "control − hn-4")
    assert row["not_applicable"] == "no number of pairs fits Tables 1 and 4"
    assert row[["a_only", "p_test"]].isna().all()
    layout = layouts.print_discordance(implied.discordance())
    assert layout["grok-4.3, Control − HN-4, p = 0.026"].eq("").all()


def test_tests_are_laid_out_in_rows_and_p_values_in_columns(discordance):
    layout = layouts.print_discordance(discordance)
    assert list(layout.columns) == [
        "Test",
        "Sides",
        "gpt-5-mini, Random − HN, pooled over k = 2 and 4, each pair once, p = 0.016",
        "gpt-5-mini, Control − HN-4, p = 0.008",
        "grok-4.3, Control − HN-4, p = 0.026",
        "Reproduced",
        "By chance",
    ]
    first = layout.iloc[0].tolist()
    assert first[2:] == [
        "38, 19 (10.6 % of 540)",
        "22, 7 (10.7 % of 270)",
        "31, 15 (17.6 % of 261)",
        "3 of 3",
        "6 %",
    ]
    assert layout["Reproduced"].tolist()[::2] == ["3 of 3", "0 of 3", "0 of 3", "0 of 3", "0 of 3", "1 of 3", "2 of 3"]
    assert layout.iloc[2, 2] == "none (nearest p 0.0169)"
    assert "then also fits (51, 30); (56, 34)." in layout.attrs["notes"]


# --- intervals of gaps ---


def test_the_pooled_gap_has_the_interval_that_the_paper_does_not_print(intervals):
    row = row_of(intervals, "gpt-5-mini", "random − hn, pooled")
    # Sum of squares 57, mean 19/540: SE^2 = (57/540 - (19/540)^2) / 539.
    error = math.sqrt((57 / 540 - (19 / 540) ** 2) / 539)
    assert row["gap"] == pytest.approx(19 / 540)
    assert row["low"] == pytest.approx(19 / 540 - 1.959964 * error, abs=1e-7)
    assert row["high"] == pytest.approx(19 / 540 + 1.959964 * error, abs=1e-7)
    # The bootstrap's ends are multiples of 1/540: 4 and 34 of them.
    assert (round(row["bootstrap_low"], 4), round(row["bootstrap_high"], 3)) == (0.0074, 0.063)
    assert (row["n_pairs"], row["n_documents"]) == (540, 85)
    assert "4,000 resamples, seed 42" in row["method"]


@pytest.mark.parametrize(
    ("contrast", "pairs", "p", "power"),
    [("random-2 − hn-2", (18, 10), 0.185, 0.257), ("random-4 − hn-4", (20, 9), 0.061, 0.461)],
)
def test_neither_k_alone_is_significant_if_discordance_is_split_evenly(intervals, contrast, pairs, p, power):
    row = row_of(intervals, "gpt-5-mini", contrast, discordance_from="half of the pairs that the pooled p implies")
    assert (row["a_only"], row["b_only"]) == pairs
    assert (round(row["p"], 3), round(row["power"], 3)) == (p, power)


def test_what_no_p_value_tells_lies_between_the_fewest_and_the_most_discordant_pairs(intervals):
    rows = intervals[intervals["model"].eq("gemini-3.5-flash") & intervals["contrast"].eq("random-4 − hn-4")]
    fewest, most = rows.iloc[0], rows.iloc[1]
    # -4 of 270: four losses alone; or the largest share implied, 46/261 of 270 is 47.6, so 46 pairs: 21 and 25.
    assert (fewest["a_only"], fewest["b_only"], most["a_only"], most["b_only"]) == (0, 4, 21, 25)
    assert most["low"] < fewest["low"] < fewest["gap"] < fewest["high"] < most["high"]
    assert fewest["gap"] == pytest.approx(-4 / 270) and most["gap"] == pytest.approx(-4 / 270)
    assert most["discordance"] <= 46 / 261


def test_every_gap_has_intervals_or_a_reason(intervals):
    known = intervals["not_applicable"].eq("")
    assert intervals.groupby("model")["contrast"].nunique().tolist() == [6, 6, 6]
    needed = ["low", "high", "bootstrap_low", "bootstrap_high", "n_pairs", "n_documents", "p", "power"]
    assert intervals.loc[known, needed].notna().all(axis=None)
    assert intervals.loc[known, "method"].ne("").all()
    assert intervals.loc[~known, "not_applicable"].eq("an arm is no count of all questions").all()
    assert intervals.loc[~known, "low"].isna().all()
    assert (~known).sum() == 4


def test_intervals_are_the_same_bytes_every_time_and_differ_by_seed():
    first, again, other = (implied.intervals(50, seed).to_csv() for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_a_gap_of_nothing_has_no_interval_at_the_fewest_pairs(change_published):
    change_published("table_1_judge_accuracy.csv", "gemini-3.5-flash,random-2,0.722", "gemini-3.5-flash,random-2,0.711")
    assert row_of(implied.gaps(), "gemini-3.5-flash", "random-2 − hn-2")["higher"] == "neither"
    rows = implied.intervals(n_resamples=20)
    row = row_of(rows, "gemini-3.5-flash", "random-2 − hn-2")
    assert row["not_applicable"] == "interval: no discordant pairs"
    assert (row["gap"], row["p"]) == (0, 1)
    assert pd.isna(row["low"]) and pd.isna(row["power"])
    layout = layouts.print_intervals(rows)
    assert "0.000 (interval not applicable: no discordant pairs)" in set(layout["Gap [95 % interval]"])


def test_intervals_are_laid_out_with_their_pairs(intervals):
    layout = layouts.print_intervals(intervals)
    row = layout[layout["Comparison"].str.startswith("Random − HN, pooled")].iloc[0]
    assert row["Gap [95 % interval]"] == "+0.035 [+0.008, +0.062]"
    assert (row["Only first / only second right"], row["n pairs (documents)"]) == ("38 / 19", "540 (85)")
    unknown = layout[layout["Gap [95 % interval]"].str.startswith("not applicable")].iloc[0]
    assert unknown["Only first / only second right"] == "–"
    assert "<NA>" not in " ".join(layout.to_numpy().ravel())


# --- families and pooling ---


def test_holm_over_the_printed_three_and_over_six():
    table = implied.multiplicity()
    adjusted = {n: sorted(rows["p_holm"].round(3)) for n, rows in table.groupby("n_family")}
    assert adjusted == {3: [0.024, 0.032, 0.032], 6: [0.048, 0.080, 0.104]}
    survivors = table[table["n_family"].eq(6) & table["survives"]]
    assert survivors[["model", "contrast"]].values.tolist() == [["gpt-5-mini", "control − hn-4"]]
    assert table.loc[table["n_family"].eq(3), "survives"].all()


def sign_flip(n_double, n_single, total):
    """Return P(|2 A + B| >= total), A and B sums of n fair signs each."""
    double = {2 * (2 * k - n_double): scipy_stats.binom.pmf(k, n_double, 0.5) for k in range(n_double + 1)}
    single = {2 * k - n_single: scipy_stats.binom.pmf(k, n_single, 0.5) for k in range(n_single + 1)}
    return sum(p * q for (a, p), (b, q) in itertools.product(double.items(), single.items()) if abs(a + b) >= total)


def test_each_question_once_makes_the_pooled_p_depend_on_overlap():
    table = implied.pooling().set_index("discordance_falls")
    independent = table.loc["independently at each k"]
    # Expected 28 x 29 / 270 = 3.0 questions at both k; p about .017, 5 % to 95 % .0125 to .022.
    assert independent["n_shared"] == 3
    assert independent["p"] == pytest.approx(0.017, abs=0.0005)
    assert independent["p_5"] == pytest.approx(0.0125, abs=0.0005)
    assert independent["p_95"] == pytest.approx(0.022, abs=0.0005)
    assert "2,000 draws, seed 42" in independent["test"]
    same = table.loc["on the same questions"]
    # (18, 10) and (20, 9): 18 and 9 questions at both k, 2 gained at k = 4 alone, 1 lost at k = 2 alone.
    assert same["n_shared"] == 27
    assert same["p"] == pytest.approx(sign_flip(27, 3, 19))
    assert round(same["p"], 3) == 0.087
    assert table.loc["half on the same questions", "p"] == pytest.approx(sign_flip(13, 31, 19))
    assert table.loc["on no question twice", "p"] == pytest.approx(stats.exact_mcnemar_counts(38, 19).p_value)
    split = table.iloc[0][["n_questions", "k2_a_only", "k2_b_only", "k4_a_only", "k4_b_only"]]
    assert split.tolist() == [270, 18, 10, 20, 9]


def test_pooling_repeats_by_seed():
    first, again, other = (implied.pooling(50, seed)["p"].tolist() for seed in (1, 1, 2))
    assert first == again
    assert first != other
    with pytest.raises(ValueError, match="n_draws must be at least 1, not 0"):
        implied.pooling(0)


# --- lengths ---


def test_hard_negatives_have_more_text_and_fewer_pages():
    table = implied.lengths().set_index(["k", "measure"])
    excess = (100 * table["excess"]).round(1).to_dict()
    assert excess == {
        (2, "markdown characters"): 11.0,
        (2, "pages"): -2.3,
        (2, "markdown characters a page"): 13.7,
        (4, "markdown characters"): 5.7,
        (4, "pages"): -8.9,
        (4, "markdown characters a page"): 16.0,
    }
    assert table.loc[(2, "markdown characters a page"), "random"] == pytest.approx(250677 / 86)
    assert table.loc[(4, "markdown characters"), "confound"] == "with the claim: hard negatives have more"
    assert table.loc[(4, "pages"), "confound"] == "against the claim: hard negatives have fewer"


def test_lengths_are_laid_out_in_percent():
    layout = layouts.print_lengths(implied.lengths())
    assert layout["Excess"].tolist() == ["+11.0 %", "−2.3 %", "+13.7 %", "+5.7 %", "−8.9 %", "+16.0 %"]
    assert layout["Hard negatives"].tolist() == ["278,316", "84", "3,313", "382,850", "123", "3,113"]


def test_equal_lengths_confound_nothing(change_published):
    change_published("table_3_cell_sizes.csv", "278316,84", "250677,86")
    table = implied.lengths()
    assert table.loc[table["k"].eq(2), "confound"].eq("none: the arms are equal").all()
    assert table.loc[table["k"].eq(2), "excess"].eq(0).all()


# --- another published table: 200 cases with the evidence early, in the middle, late ---

# Cases by (early, middle, late) right, from the marginals 176, 152, 174 and discordant pairs (30, 6) and (24, 2).
PATTERNS = {(0, 0, 0): 18, (0, 1, 0): 2, (0, 1, 1): 4, (1, 0, 0): 6, (1, 0, 1): 24, (1, 1, 1): 146}


def test_statistics_reproduce_a_published_table_of_three_positions():
    early, middle, late = np.repeat(list(PATTERNS), list(PATTERNS.values()), axis=0).T.astype(float)
    assert (early.sum(), middle.sum(), late.sum()) == (176, 152, 174)
    effect = middle - (early + late) / 2
    interval = stats.cluster_bootstrap_mean(effect, np.arange(200), np.random.default_rng(20261010), 20_000)
    assert interval.estimate == pytest.approx(-0.115)
    # The bootstrap's exact law, by convolution of its four values, has these quantiles; a step is .25 points.
    assert interval.low == pytest.approx(-0.165, abs=0.0025)
    assert interval.high == pytest.approx(-0.0675, abs=0.0025)
    p_values = [stats.exact_mcnemar(*pair).p_value for pair in ((early, middle), (late, middle), (early, late))]
    assert [f"{p:.2e}" for p in p_values] == ["6.96e-05", "1.05e-05", "7.54e-01"]
    assert [f"{p:.2e}" for p in stats.holm(p_values).adjusted] == ["1.39e-04", "3.15e-05", "7.54e-01"]
    cochran = stats.cochran_q(np.column_stack([early, middle, late]))
    assert (round(cochran.q, 2), f"{cochran.p_value:.1e}") == (29.56, "3.8e-07")
