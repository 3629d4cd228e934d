"""What the paper's published numbers imply by themselves.

Everything here is computed from ``data/published/*.csv`` alone: which whole counts, discordant pairs and intervals
stand behind numbers that are printed to three decimals. A search returns all that fits, not one; what no search finds
is missing, with its reason in ``not_applicable``. Every function raises TablesError where a published file is missing
or damaged, naming file and line.

The module computes no statistic of its own (see ``stats``), save the textbook tests that ``discordance`` tries on.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from muddle_utils import stats
from muddle_utils.analysis.comparisons import CONTRASTS, EACH_PAIR
from muddle_utils.analysis.frames import TablesError, as_records, places
from muddle_utils.analysis.published import DIGITS, published_table_1, read_file, read_statements, read_total
from muddle_utils.analysis.tables import ARM, BESIDE, N_RESAMPLES, SEED, generator, method_of, typed
from muddle_utils.study.records import CONDITIONS, MODALITIES

# How far a printed value may be from the true one.
HALF_UNIT: Final = 0.5 * 10**-DIGITS
# The fewest answered questions that the searches consider where a printed value is no count of all questions.
N_LEAST: Final = 200
ALPHA: Final = 0.05


# --- Whole counts -------------------------------------------------------------------------------------------------


def _metrics() -> pd.DataFrame:
    """Return judge accuracy (Tables 1 and 4), and F1 and exact match (Table 4), by model, modality and condition."""
    metrics = read_file("table_4_metrics.csv", ARM, shares=["judge", "f1", "em"])
    both = published_table_1().merge(metrics, on=ARM, how="outer", validate="1:1")
    order = pd.DataFrame(
        {
            "model": places(both["model"], list(metrics["model"])),
            "modality": places(both["modality"], MODALITIES),
            "condition": places(both["condition"], CONDITIONS),
        }
    ).sort_values(ARM, kind="stable")
    return both.loc[order.index].reset_index(drop=True)


class _Fit(NamedTuple):
    """Whole counts that print as a cell's values: of n answers, how many the judge calls right, and exact matches."""

    n: int
    right: int
    exact: int


def _fits(row: Mapping[str, Any], n: int) -> list[_Fit]:
    right_or_exact = (stats.consistent_counts(row[name], n, DIGITS) for name in ("published", "em"))
    return [_Fit(n, right, exact) for right, exact in itertools.product(*right_or_exact)]


def _why_not_all(row: Mapping[str, Any], n: int) -> str:
    """Return which printed values of a cell are no count of n, and where the paper's two tables differ."""
    wrong = {"judge": row["published"], "em": row["em"]}
    wrong = {name: value for name, value in wrong.items() if not stats.consistent_counts(value, n, DIGITS)}
    notes = [f"no count of {n} prints as {name} {value:.{DIGITS}f}" for name, value in wrong.items()]
    if row["published"] != row["judge"]:
        notes.append(f"Table 4 has judge {row['judge']:.{DIGITS}f}")
    return "; ".join(notes)


def counts(n_least: int = N_LEAST) -> pd.DataFrame:
    """Return the whole counts behind every cell of Tables 1 and 4, with the intervals that the paper does not print.

    Formula: a printed share v can come from n answers if some whole k has |k/n - v| <= 0.0005
    (``stats.consistent_counts``). Judge accuracy and exact match have the same n, so both must fit at once; F1 is a
    mean of fractions and says nothing. A cell that fits the paper's number of questions has one row with it, and
    ``fits_all`` is true. Every other cell has a row for each smaller n, down to ``n_least``, that it could have come
    from: one of them is the truth, and the paper does not say which. ``n_fitting`` is how many n from ``n_least`` up
    fit; as a share of all tried it is about the chance that a cell with fewer answers fits all questions, too.

    The interval is Wilson's at these counts (``stats.wilson_interval``). It takes questions for independent. They share
    ``n_documents`` documents, so it is as narrow as an interval could be; which question belongs to which document is
    not published, so none by document can be had.

    Args:
        n_least: the fewest answers to consider.

    Raises:
        ValueError: ``n_least`` is not between 1 and the number of questions.
    """
    n_all, n_documents = read_total("questions"), read_total("source documents")
    if not 1 <= n_least <= n_all:
        raise ValueError(f"n_least must be from 1 to the {n_all} questions, not {n_least}")
    rows: list[dict[str, object]] = []
    for row in as_records(_metrics()):
        keys = {name: row[name] for name in ARM} | {"judge": row["published"], "em": row["em"]}
        if pd.isna(row["published"]) or pd.isna(row["em"]):
            rows.append(keys | {"fits_all": False, "not_applicable": "in one of Tables 1 and 4 only"})
            continue
        fits = [fit for n in range(n_all, n_least - 1, -1) for fit in _fits(row, n)]
        fits_all = bool(fits) and fits[0].n == n_all
        keys |= {"fits_all": fits_all, "n_fitting": len({fit.n for fit in fits}), "remark": _why_not_all(row, n_all)}
        if not fits:
            rows.append(keys | {"not_applicable": f"no n from {n_least} to {n_all} fits"})
        rows += [keys | _counted(fit, n_documents) for fit in fits if fit.n == n_all or not fits_all]
    columns = [*ARM, "judge", "em", "fits_all", "n", "n_right", "n_exact", "n_fitting", "low", "high", "n_documents"]
    return typed(rows, [*columns, "remark", "not_applicable", "method"])


def _counted(fit: _Fit, n_documents: int) -> dict[str, object]:
    interval = stats.wilson_interval(fit.right, fit.n)
    return {
        "n": fit.n,
        "n_right": fit.right,
        "n_exact": fit.exact,
        "low": interval.low,
        "high": interval.high,
        "n_documents": n_documents,
        "method": "95 % Wilson, questions taken for independent: a lower bound of the width, as they share documents",
    }


# --- Gaps ---------------------------------------------------------------------------------------------------------


POOLED: Final = next(each.label for each in CONTRASTS if each.pooled) + EACH_PAIR
STATED_GAPS: Final = {
    "topical gap at k=2 (random-2 minus hn-2)": "random-2 − hn-2",
    "topical gap at k=4 (random-4 minus hn-4)": "random-4 − hn-4",
    "length effect k=2 to k=4 in the random arm": "random-2 − random-4",
    "length effect k=2 to k=4 in the hard-negative arm": "hn-2 − hn-4",
}
# The sweep over the conditions is of this modality alone.
SWEEP: Final = "markdown"
STATED_P: Final = {"topical gap pooled over k: p": POOLED, "control minus hn-4: p": "control − hn-4"}
_STATED: Final = frozenset((*STATED_GAPS.values(), *STATED_P.values()))


class _Arm(NamedTuple):
    """A cell of the markdown sweep: its printed accuracy, and the whole counts that it may come from, most first."""

    printed: float
    fits: tuple[_Fit, ...]
    whole: bool


class _Gap(NamedTuple):
    """A difference between two arms of one model: as printed, and in whole counts where both arms are whole.

    ``sides`` are what the arms are called.
    """

    model: str
    contrast: str
    sides: tuple[str, str]
    first: tuple[_Arm, ...]
    second: tuple[_Arm, ...]

    @property
    def printed(self) -> float:
        """The difference of the printed accuracies, which rounding may move by twice HALF_UNIT."""
        return float(np.mean([arm.printed for arm in self.first]) - np.mean([arm.printed for arm in self.second]))

    @property
    def counts(self) -> tuple[int, int, int] | None:
        """Pairs and right answers of both arms, None where an arm is no count of all questions."""
        if not all(arm.whole for arm in (*self.first, *self.second)):
            return None
        n, first, second = ([arm.fits[0] for arm in side] for side in (self.first, self.first, self.second))
        return sum(fit.n for fit in n), sum(fit.right for fit in first), sum(fit.right for fit in second)

    @property
    def reach(self) -> tuple[float, float]:
        """The least and the most that the difference can be, given what is printed."""
        if self.counts is None:
            return self.printed - 2 * HALF_UNIT, self.printed + 2 * HALF_UNIT
        n, first, second = self.counts
        return (first - second) / n, (first - second) / n


def _arms(n_least: int = N_LEAST) -> dict[str, dict[str, _Arm]]:
    """Return the markdown sweep by model and condition."""
    table = counts(n_least)
    sweep: dict[str, dict[str, _Arm]] = {}
    keys = ["model", "condition"]
    for _, group in table[table["modality"].eq(SWEEP) & table["judge"].notna()].groupby(keys, sort=False):
        rows = as_records(group)
        fits = tuple(_Fit(row["n"], row["n_right"], row["n_exact"]) for row in rows if not pd.isna(row["n"]))
        arm = _Arm(rows[0]["judge"], fits, bool(rows[0]["fits_all"]))
        sweep.setdefault(rows[0]["model"], {})[rows[0]["condition"]] = arm
    missing = [f"{model} {name}" for model, arms in sweep.items() for name in CONDITIONS if name not in arms]
    if missing:
        raise TablesError(f"data/published/table_1_judge_accuracy.csv lacks {', '.join(missing)}: restore the file")
    return sweep


def _gaps(n_least: int = N_LEAST) -> list[_Gap]:
    return [
        _Gap(
            model,
            POOLED if each.pooled else each.label,
            each.sides,
            *(tuple(arms[name] for name in side) for side in (each.first, each.second)),
        )
        for model, arms in _arms(n_least).items()
        for each in CONTRASTS
        if each.pooled or each.label in _STATED
    ]


def _stated(quantities: Mapping[str, str]) -> dict[tuple[str, str], float]:
    """Return what the paper's text states, by (model, contrast), of the quantities named."""
    return {
        (model, quantities[quantity]): value
        for (quantity, model), value in read_statements().items()
        if quantity in quantities
    }


def _prints_as(value: float, printed: float) -> bool:
    return abs(value - printed) <= HALF_UNIT + 1e-12


def gaps() -> pd.DataFrame:
    """Return the paper's gaps in whole answers, against what its text states, first arm minus second.

    Formula: (right answers of the first arm - right answers of the second) / pairs, from ``counts``, which is
    the paired difference where all questions were answered in both arms. ``gap_least`` and ``gap_most`` are what the
    printed values allow; where both arms are counts of all questions both are the gap itself. ``agrees`` says whether
    the gap prints as ``stated``; it is missing where either is. ``higher`` names the arm that does better beyond
    rounding.

    The last row of each model is its spread, the highest less the lowest of its five conditions. ``remark`` ranks the
    spreads: the paper's text takes gpt-5-mini for its anchor because it has the widest.
    """
    stated, every = _stated(STATED_GAPS), _gaps()
    spreads = {model: _spread(model, arms) for model, arms in _arms().items()}
    rows: list[dict[str, object]] = []
    for model, spread in spreads.items():
        for gap in (gap for gap in every if gap.model == model):
            value = stated.get((model, gap.contrast))
            known = None if value is None or gap.counts is None else _prints_as(gap.reach[0], value)
            rows.append(_gap_row(gap) | {"stated": value, "agrees": known})
        rows.append(_gap_row(spread) | {"remark": _ranked(spread, spreads.values())})
    columns = ["model", "modality", "contrast", "mean_a", "mean_b", "n_pairs", "n_right_a", "n_right_b", "n_difference"]
    columns += ["gap", "gap_least", "gap_most", "stated", "agrees", "higher", "remark", "not_applicable"]
    return typed([{"remark": "", "modality": SWEEP} | row for row in rows], columns)


def _gap_row(gap: _Gap) -> dict[str, object]:
    least, most = gap.reach
    row: dict[str, object] = {
        "model": gap.model,
        "contrast": gap.contrast,
        "mean_a": float(np.mean([arm.printed for arm in gap.first])),
        "mean_b": float(np.mean([arm.printed for arm in gap.second])),
        "gap_least": least,
        "gap_most": most,
        "higher": gap.sides[0] if least > 0 else gap.sides[1] if most < 0 else "neither",
        "not_applicable": "",
    }
    if gap.counts is None:
        return row | {"not_applicable": "an arm is no count of all questions"}
    n, first, second = gap.counts
    row |= {"n_pairs": n, "n_right_a": first, "n_right_b": second, "n_difference": first - second}
    return row | {"gap": (first - second) / n}


def _spread(model: str, arms: Mapping[str, _Arm]) -> _Gap:
    high, low = (pick(arms, key=lambda name: arms[name].printed) for pick in (max, min))
    return _Gap(model, f"highest − lowest ({high} − {low})", ("highest", "lowest"), (arms[high],), (arms[low],))


def _ranked(spread: _Gap, spreads: Iterable[_Gap]) -> str:
    others = [other.reach for other in spreads if other.model != spread.model]
    least, most = spread.reach
    if all(least > other[1] for other in others):
        return "the widest spread, whatever the rounding"
    if any(most < other[0] for other in others):
        return "not the widest spread, whatever the rounding"
    return "the widest spread or not, within rounding"


# --- Discordant pairs ---------------------------------------------------------------------------------------------


PValues = NDArray[np.float64]
TwoSided = Callable[[NDArray[np.int64], NDArray[np.int64], int], PValues]


def _mcnemar(a_only: NDArray[np.int64], b_only: NDArray[np.int64], n: int) -> list[stats.McNemar]:
    return [stats.exact_mcnemar_counts(a, b, n) for a, b in zip(a_only.tolist(), b_only.tolist(), strict=True)]


def _exact(a_only: NDArray[np.int64], b_only: NDArray[np.int64], n: int) -> PValues:
    return np.array([test.p_value for test in _mcnemar(a_only, b_only, n)])


def _mid_p(a_only: NDArray[np.int64], b_only: NDArray[np.int64], n: int) -> PValues:
    return np.array([test.mid_p for test in _mcnemar(a_only, b_only, n)])


def _normal(z: PValues) -> PValues:
    from scipy.special import ndtr

    return np.asarray(2 * ndtr(-np.abs(z)), dtype=np.float64)


def _chi_square(a_only: NDArray[np.int64], b_only: NDArray[np.int64], n: int) -> PValues:
    return _normal((a_only - b_only) / np.sqrt(a_only + b_only))


def _chi_square_corrected(a_only: NDArray[np.int64], b_only: NDArray[np.int64], n: int) -> PValues:
    return _normal((np.abs(a_only - b_only) - 1) / np.sqrt(a_only + b_only))


def _standard_errors(a_only: NDArray[np.int64], b_only: NDArray[np.int64], n: int) -> PValues:
    """Return the mean difference in standard errors; without variation it is infinite."""
    mean = (a_only - b_only) / n
    with np.errstate(divide="ignore"):
        return np.asarray(mean / np.sqrt(((a_only + b_only) / n - mean**2) / (n - 1)), dtype=np.float64)


def _paired_z(a_only: NDArray[np.int64], b_only: NDArray[np.int64], n: int) -> PValues:
    return _normal(_standard_errors(a_only, b_only, n))


def _paired_t(a_only: NDArray[np.int64], b_only: NDArray[np.int64], n: int) -> PValues:
    from scipy.special import stdtr

    return np.asarray(2 * stdtr(n - 1, -np.abs(_standard_errors(a_only, b_only, n))), dtype=np.float64)


EXACT: Final = "exact McNemar"
# Two-sided p-values by test. Wilcoxon's signed ranks of differences that are 1, 0 or -1 are all tied, and its normal
# approximation without correction is then the chi-square; so it is with zeros dropped, and with Pratt's.
TESTS: Final[Mapping[str, TwoSided]] = {
    EXACT: _exact,
    "mid-p McNemar": _mid_p,
    "chi-square McNemar": _chi_square,
    "chi-square McNemar, continuity-corrected": _chi_square_corrected,
    "Wilcoxon signed-rank, normal": _chi_square,
    "paired t": _paired_t,
    "paired z": _paired_z,
}
SIDES: Final = {"two-sided": 1.0, "one-sided": 0.5}


class _Solution(NamedTuple):
    """Discordant pairs, and the p-value that a test gives them."""

    a_only: int
    b_only: int
    p: float


class _Search(NamedTuple):
    """All discordant pairs whose p prints as asked, those whose p is nearest, and the chance of there being any."""

    found: list[_Solution]
    nearest: _Solution
    chance: float


def _search(test: TwoSided, share: float, p: float, n: int, difference: int) -> _Search:
    """Return the discordant pairs of n with this difference whose p is ``p`` as printed."""
    fewer = np.arange(0 if difference else 1, (n - abs(difference)) // 2 + 1)
    a_only, b_only = fewer + max(difference, 0), fewer + max(-difference, 0)
    values = share * test(a_only, b_only, n)
    solutions = [_Solution(int(a), int(b), float(v)) for a, b, v in zip(a_only, b_only, values, strict=True)]
    at = int(np.argmin(np.abs(values - p)))
    around = values[max(0, at - 1) : at + 2]
    step = float(np.ptp(around)) / max(1, len(around) - 1)
    return _Search(
        [solution for solution in solutions if _prints_as(solution.p, p)],
        solutions[at],
        min(1.0, 2 * HALF_UNIT / step) if step else math.nan,
    )


def _sizes(gap: _Gap) -> list[tuple[int, int]]:
    """Return the (pairs, whole difference) that a printed gap can come from, most pairs first.

    Where an arm is no count of all questions, the pairs are those that it fits, and the difference any whole one that
    rounding of the two printed accuracies allows.
    """
    if gap.counts is not None:
        n, first, second = gap.counts
        return [(n, first - second)]
    if len(gap.first) > 1:
        return []
    arms = [arm for arm in (*gap.first, *gap.second) if not arm.whole]
    sizes = sorted({fit.n for arm in arms for fit in arm.fits}, reverse=True)
    least, most = gap.reach
    return [
        (n, difference)
        for n in sizes
        for difference in range(math.ceil(least * n - 1e-9), math.floor(most * n + 1e-9) + 1)
    ]


def _free_differences(gap: _Gap, n: int) -> list[int]:
    """Return every difference that is possible on the n questions answered in a second arm with missing answers.

    The paper compares on the questions answered in both arms; how the first arm did on those alone is not printed, only
    how it did on all. It may have lost up to all the missing ones as right answers.
    """
    if len(gap.first) != 1 or not gap.first[0].whole:
        return []
    whole = gap.first[0].fits[0]
    second = {fit.right for fit in gap.second[0].fits if fit.n == n}
    firsts = range(max(0, whole.right - (whole.n - n)), min(whole.right, n) + 1)
    return sorted({first - right for first in firsts for right in second})


def discordance(n_least: int = N_LEAST) -> pd.DataFrame:
    """Return the discordant pairs that each printed p-value implies, test by test, or that there are none.

    The paper calls its p-values paired and names no test. Formula: with the difference d = a_only - b_only fixed by
    ``counts``, try every a_only + b_only up to the number of pairs n, and keep those whose p-value prints as
    the paper's. The tests are exact and mid-p McNemar, McNemar's chi-square z^2 = d^2 / (a_only + b_only) without and
    with correction (|d| - 1)^2, Wilcoxon's signed ranks (the same as the chi-square here), and Student's t and the
    normal z of the mean difference, d / n over its standard error; each two-sided, and one-sided in the direction of
    the gap, which halves p. Where there is no solution, the row has the pairs whose ``p_test`` comes nearest.

    Where an arm is no count of all questions, n is what fits it and d what rounding of Table 1 allows. The first arm
    may have done otherwise on the questions that the second answered; ``other_differences`` lists the solutions at
    every other d that this allows, so that the row's own is seen for what it is, the one that Table 1 allows.

    A solution proves no test. ``chance`` is how likely a test has one for a p-value that it did not make: the width of
    a printed value over the distance of neighbouring p-values. The pooled p may also come from each question's mean
    over k; it then depends on how far the two k overlap, which is not printed (see ``pooling``), and no search excludes
    it.

    Reference: McNemar (1947), Psychometrika 12; Fagerland, Lydersen and Laake (2013), BMC Medical Research Methodology
    13:91; Wilcoxon (1945), Biometrics Bulletin 1.
    """
    gaps = {(gap.model, gap.contrast): gap for gap in _gaps(n_least)}
    rows: list[dict[str, object]] = []
    for key, p in _stated(STATED_P).items():
        if key not in gaps or not 0 < p < 1:
            what = "is no p-value" if key in gaps else "is no row of Table 1"
            raise TablesError(f"data/published/statements.csv: p = {p} of {key[0]}, {key[1]}, {what}: restore the file")
        gap = gaps[key]
        keys: dict[str, object] = {"model": key[0], "modality": SWEEP, "contrast": key[1], "p": p}
        sizes = _sizes(gap)
        for n, difference in sizes:
            for (test, values), (sides, share) in itertools.product(TESTS.items(), SIDES.items()):
                search = _search(values, share, p, n, difference)
                row = keys | {"n_pairs": n, "n_difference": difference, "test": test, "sides": sides}
                row |= {"chance": search.chance, "conclusion": "reproduces" if search.found else NO_SOLUTION}
                row["other_differences"] = _others(gap, values, share, p, n, difference)
                rows += [row | _discordant(each, n) | {"p_test": each.p} for each in search.found or [search.nearest]]
        if not sizes:
            rows.append(keys | {"conclusion": NO_SOLUTION, "not_applicable": "no number of pairs fits Tables 1 and 4"})
    columns = ["model", "modality", "contrast", "p", "n_pairs", "n_difference", "test", "sides", "a_only", "b_only"]
    columns += ["discordance", "p_test", "chance", "conclusion", "other_differences", "not_applicable"]
    return typed([{"not_applicable": ""} | row for row in rows], columns)


NO_SOLUTION: Final = "no whole-number solution"


def _discordant(pairs: _Solution | _Assumed, n: int) -> dict[str, object]:
    return {"a_only": pairs.a_only, "b_only": pairs.b_only, "discordance": (pairs.a_only + pairs.b_only) / n}


def _others(gap: _Gap, test: TwoSided, share: float, p: float, n: int, difference: int) -> str:
    differences = [] if gap.counts else [other for other in _free_differences(gap, n) if other != difference]
    found = [solution for other in differences for solution in _search(test, share, p, n, other).found]
    return "; ".join(f"({solution.a_only}, {solution.b_only})" for solution in found)


# --- Intervals of the gaps ----------------------------------------------------------------------------------------


class _Assumed(NamedTuple):
    """Discordant pairs of n, and where they are taken from."""

    source: str
    a_only: int
    b_only: int
    n: int

    @property
    def differences(self) -> NDArray[np.float64]:
        """The differences of all pairs, 1, -1 and 0."""
        return np.repeat([1.0, -1.0, 0.0], [self.a_only, self.b_only, self.n - self.a_only - self.b_only])


FROM_P: Final = "the printed p, by the exact test"
FROM_SPLIT: Final = "half of the pairs that the pooled p implies"
FEWEST: Final = "fewest: every discordant pair favours one arm"
MOST: Final = "most: the largest share that a printed p implies"


def _exact_solutions(table: pd.DataFrame) -> dict[tuple[str, str], _Assumed]:
    """Return the first solution of the two-sided exact test for each printed p-value that has one."""
    chosen = table[table["test"].eq(EXACT) & table["sides"].eq("two-sided") & table["conclusion"].ne(NO_SOLUTION)]
    found: dict[tuple[str, str], _Assumed] = {}
    for row in as_records(chosen):
        assumed = _Assumed(FROM_P, row["a_only"], row["b_only"], row["n_pairs"])
        found.setdefault((row["model"], row["contrast"]), assumed)
    return found


def _split(pooled: _Assumed, differences: Sequence[tuple[int, int]]) -> list[_Assumed]:
    """Return pooled discordant pairs split as evenly between two sizes as their (pairs, difference) allow."""
    total = pooled.a_only + pooled.b_only
    first, second = (abs(difference) for _, difference in differences)
    shares = [n for n in range(first, total - second + 1, 2) if (total - n - second) % 2 == 0]
    if not shares:
        return []
    nearest = min(shares, key=lambda n: abs(2 * n - total))
    return [
        _Assumed(FROM_SPLIT, (m + difference) // 2, (m - difference) // 2, n)
        for m, (n, difference) in zip((nearest, total - nearest), differences, strict=True)
    ]


def _splits(gaps: Sequence[_Gap], solutions: Mapping[tuple[str, str], _Assumed]) -> dict[tuple[str, str], _Assumed]:
    """Return the even split of every pooled solution, by model and the contrast at each k."""
    found: dict[tuple[str, str], _Assumed] = {}
    for model in dict.fromkeys(gap.model for gap in gaps):
        parts = [gap for gap in gaps if gap.model == model][:2]
        counts = [gap.counts for gap in parts]
        pooled = solutions.get((model, POOLED))
        if pooled and all(counts):
            sizes = [(n, first - second) for n, first, second in (count for count in counts if count)]
            found |= dict(zip(((model, gap.contrast) for gap in parts), _split(pooled, sizes), strict=False))
    return found


def _bounds_of(n: int, difference: int, share: float) -> list[_Assumed]:
    """Return the fewest discordant pairs that a difference can have, and the most at a share of all pairs."""
    spare = max(0, (math.floor(share * n + 1e-9) - abs(difference)) // 2)
    more, fewer = max(difference, 0), max(-difference, 0)
    return [_Assumed(FEWEST, more, fewer, n), _Assumed(MOST, more + spare, fewer + spare, n)]


def intervals(n_resamples: int = N_RESAMPLES, seed: int = SEED) -> pd.DataFrame:
    """Return the intervals of the paper's gaps, which it does not print, from the discordant pairs they imply.

    Formula: gap +- z SE with SE^2 = sum_i (d_i - mean)^2 / (n (n - 1)) over the pairs' differences 1, 0 and -1 (Miller
    2024; ``stats.clustered_mean``, "normal", each pair its own cluster); beside it the percentile bootstrap
    of pairs. Both take pairs for independent, which questions on one document, and a question at two k, are not: a
    lower bound of the width. ``p`` is the exact McNemar test of the same pairs, ``power`` what such a study has to find
    a true gap of this size at 5 %, a guide for the next study and no evidence on this one.

    ``discordance_from`` says where the discordant pairs are taken from: from the printed p by the exact test; at one k,
    where p is printed for the pooled pairs, from these, split as evenly as whole numbers allow; and, where p is not
    printed for the gap itself, the fewest that it can have and the most that any printed p implies as a share. The
    truth lies between these two unless discordance differs more than that between the comparisons.

    Args:
        n_resamples: bootstrap resamples.
        seed: of the bootstrap.
    """
    n_documents, gaps = read_total("source documents"), _gaps()
    solutions = _exact_solutions(discordance())
    most = max(((each.a_only + each.b_only) / each.n for each in solutions.values()), default=math.nan)
    halves = _splits(gaps, solutions)
    rows: list[dict[str, object]] = []
    for gap in gaps:
        key = gap.model, gap.contrast
        keys: dict[str, object] = {"model": gap.model, "modality": SWEEP, "contrast": gap.contrast}
        keys |= {"n_documents": n_documents, "not_applicable": ""}
        if key in solutions:
            assumed = [solutions[key]]
        elif gap.counts and not math.isnan(most):
            n, first, second = gap.counts
            assumed = [halves[key]] if key in halves else []
            assumed += _bounds_of(n, first - second, most)
        else:
            reason = "no discordance is implied" if gap.counts else "an arm is no count of all questions"
            rows.append(keys | {"not_applicable": reason})
            continue
        rows += [keys | _interval_row(each, n_resamples, seed, key) for each in assumed]
    columns = ["model", "modality", "contrast", "gap", "low", "high", "bootstrap_low", "bootstrap_high", "n_pairs"]
    columns += ["n_documents", "a_only", "b_only", "discordance", "discordance_from", "p", "power", "not_applicable"]
    columns += ["method", "no_interval", "second_method"]
    return typed([{"discordance_from": "", "method": ""} | row for row in rows], columns)


def _interval_row(assumed: _Assumed, n_resamples: int, seed: int, key: Sequence[str]) -> dict[str, object]:
    differences, units = assumed.differences, np.arange(assumed.n)
    analytic = stats.clustered_mean(differences, units, method="normal")
    resampled = stats.cluster_bootstrap_mean(
        differences, units, generator(seed, "implied", *key, assumed.source), n_resamples
    )
    row: dict[str, object] = {
        "gap": analytic.estimate,
        "n_pairs": assumed.n,
        **_discordant(assumed, assumed.n),
        "discordance_from": assumed.source,
        "p": stats.exact_mcnemar_counts(assumed.a_only, assumed.b_only, assumed.n).p_value,
    }
    if analytic.reason:
        none = "no discordant pairs"
        return row | {"not_applicable": f"interval: {none}", "no_interval": none}
    share = (assumed.a_only + assumed.b_only) / assumed.n
    power = stats.paired_power(assumed.n, analytic.estimate, share, alpha=ALPHA)
    row |= {"low": analytic.low, "high": analytic.high, "power": power.power}
    row |= {"bootstrap_low": resampled.low, "bootstrap_high": resampled.high}
    method, second = method_of(analytic, units="pairs"), method_of(resampled, seed, "pairs")
    lower = "pairs taken for independent, a lower bound of the width"
    return row | {"method": f"{method}{BESIDE}{second}; {lower}", "second_method": second}


# --- Families and pooling -----------------------------------------------------------------------------------------


def multiplicity() -> pd.DataFrame:
    """Return Holm's adjustment of the printed p-values: among themselves, and in the family they were picked from.

    The paper reports the p-values that it finds worth reporting, and corrects none. ``n_family`` is first the number
    that it prints; then the number of models times the number of different gaps tested, all of which its text speaks
    of. The p-values that are not printed are not known; as the printed ones are taken for the smallest, they need only
    be counted (``stats.holm``). ``survives`` is p_holm < 0.05.
    """
    printed = _stated(STATED_P)
    n_models = len(_arms())
    sizes = {"the printed p-values": len(printed)}
    sizes["every model, for each gap with a printed p"] = n_models * len({contrast for _, contrast in printed})
    rows: list[dict[str, object]] = []
    for family, size in sizes.items():
        padded = [*printed.values(), *[math.nan] * (size - len(printed))]
        adjusted = stats.holm(padded)
        for (model, contrast), p, p_holm in zip(printed, printed.values(), adjusted.adjusted, strict=False):
            row: dict[str, object] = {"family": family, "n_family": adjusted.family_size, "model": model}
            row |= {"modality": SWEEP, "contrast": contrast, "p": p, "p_holm": p_holm, "survives": p_holm < ALPHA}
            rows.append(row)
    return typed(rows, ["family", "n_family", "model", "modality", "contrast", "p", "p_holm", "survives"])


def _overlapping(first: _Assumed, second: _Assumed, share: float) -> NDArray[np.int64]:
    """Return each question's summed difference if a share of the discordant questions is so at both k, alike."""
    steps: list[int] = []
    for sign, one, two in ((1, first.a_only, second.a_only), (-1, first.b_only, second.b_only)):
        both = math.floor(share * min(one, two))
        steps += [2 * sign] * both + [sign] * (one + two - 2 * both)
    return np.array(steps + [0] * (first.n - len(steps)), dtype=np.int64)


def pooling(n_draws: int = 2000, seed: int = SEED) -> pd.DataFrame:
    """Return what the pooled p-value is when every question counts once, by how far its two k fall together.

    The paper pools the pairs of both k, so that each question counts twice. Formula: the two-sided exact sign-flip test
    of the questions' mean gaps over k (``stats.question_sign_flip``), on the discordant pairs that the pooled p implies
    by the exact test, split evenly between the k. Which questions these are at each k is not published. If they fall
    independently, questions are drawn at each k, ``n_draws`` times, and ``p`` is the mean, ``p_5`` and ``p_95`` the 5 %
    and 95 % quantiles; otherwise a share of them, none to all, is the same questions, right in the same arm.
    ``n_shared`` is how many questions are discordant at both k, in draws the median. Random-2 is part of Random-4, HN-2
    of HN-4, and the source is the same, so that some overlap is likely. Documents are left out: p by document can only
    be known from the answers.

    Args:
        n_draws: draws of the independent case.
        seed: of the draws.

    Raises:
        ValueError: ``n_draws`` is less than 1.
    """
    if n_draws < 1:
        raise ValueError(f"n_draws must be at least 1, not {n_draws}")
    solutions = _exact_solutions(discordance())
    halves = _splits(_gaps(), solutions)
    rows: list[dict[str, object]] = []
    for model in (model for model, contrast in _stated(STATED_P) if contrast == POOLED):
        parts = [each for key, each in halves.items() if key[0] == model]
        keys: dict[str, object] = {"model": model, "modality": SWEEP, "not_applicable": ""}
        if not parts:
            rows.append(keys | {"not_applicable": "no whole discordant pairs give the pooled p"})
            continue
        keys |= {"n_questions": parts[0].n, "k2_a_only": parts[0].a_only, "k2_b_only": parts[0].b_only}
        keys |= {"k4_a_only": parts[1].a_only, "k4_b_only": parts[1].b_only}
        rng = generator(seed, "implied pooling", model)
        rows.append(keys | _independent(parts[0], parts[1], n_draws, rng, seed))
        rows += [keys | _shared(parts[0], parts[1], share, falls) for falls, share in OVERLAPS.items()]
    columns = ["model", "modality", "n_questions", "k2_a_only", "k2_b_only", "k4_a_only", "k4_b_only"]
    return typed(rows, [*columns, "discordance_falls", "n_shared", "p", "p_5", "p_95", "test", "not_applicable"])


OVERLAPS: Final = {"on no question twice": 0.0, "half on the same questions": 0.5, "on the same questions": 1.0}


def _shared(first: _Assumed, second: _Assumed, share: float, falls: str) -> dict[str, object]:
    sums = _overlapping(first, second, share)
    test = stats.question_sign_flip(sums / 2)
    n_shared = int((np.abs(sums) == 2).sum())
    return {"discordance_falls": falls, "n_shared": n_shared, "p": test.p_value, "test": test.method}


def _independent(
    first: _Assumed, second: _Assumed, n_draws: int, rng: np.random.Generator, seed: int
) -> dict[str, object]:
    """Return the sign-flip test's p over draws of the questions that are discordant at each k."""
    known: dict[tuple[int, int], float] = {}
    p_values, shared = np.empty(n_draws), np.empty(n_draws)
    for draw in range(n_draws):
        one, two = first.differences, rng.permutation(second.differences)
        sums = one + two
        # p depends on how many questions have a sum of 1 and of 2 alone, because the total is the same in every draw.
        key = int((np.abs(sums) == 1).sum()), int((np.abs(sums) == 2).sum())
        if key not in known:
            known[key] = stats.question_sign_flip(sums / 2).p_value
        p_values[draw], shared[draw] = known[key], ((one != 0) & (two != 0)).sum()
    low, high = np.quantile(p_values, [0.05, 0.95])
    return {
        "discordance_falls": "independently at each k",
        "n_shared": int(np.median(shared)),
        "p": float(p_values.mean()),
        "p_5": float(low),
        "p_95": float(high),
        "test": f"exact sign-flip, mean of {n_draws:,} draws, seed {seed}",
    }


# --- Lengths ------------------------------------------------------------------------------------------------------


def lengths() -> pd.DataFrame:
    """Return how well the arms are matched in length (Table 3): characters, pages, and characters a page, by k.

    Formula: excess = hard negatives / random - 1, of the printed medians over cells; characters a page are the ratio
    of two medians, not the median of ratios, which is not printed. ``confound`` says which way a difference in
    length would move the gap if length costs accuracy: with the claim that hard negatives cost more where they are
    also longer, against it where they are shorter.
    """
    name = "table_3_cell_sizes.csv"
    frame = read_file(name, ["condition"], ["markdown_chars_median", "pages_median"])
    sizes = {row["condition"]: (row["markdown_chars_median"], row["pages_median"]) for row in as_records(frame)}
    if missing := [condition for condition in CONDITIONS if min(sizes.get(condition, (0, 0))) <= 0]:
        raise TablesError(f"data/published/{name} has no sizes for {', '.join(missing)}: restore the file")
    rows: list[dict[str, object]] = []
    for k in (2, 4):
        hard, random = sizes[f"hn-{k}"], sizes[f"random-{k}"]
        measures = {"markdown characters": 0, "pages": 1}
        pairs = {measure: (hard[place], random[place]) for measure, place in measures.items()}
        pairs["markdown characters a page"] = hard[0] / hard[1], random[0] / random[1]
        for measure, (left, right) in pairs.items():
            row: dict[str, object] = {"k": k, "measure": measure, "hard_negatives": left, "random": right}
            rows.append(row | {"excess": left / right - 1, "confound": _confound(left, right)})
    return typed(rows, ["k", "measure", "hard_negatives", "random", "excess", "confound"])


def _confound(hard: float, random: float) -> str:
    if hard == random:
        return "none: the arms are equal"
    return (
        "with the claim: hard negatives have more" if hard > random else "against the claim: hard negatives have fewer"
    )
