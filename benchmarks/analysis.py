"""Measures the cluster bootstrap beside scipy's on the same work in one run, and what a whole analysis takes.

    .venv/bin/python benchmarks/analysis.py [--quick] [--repeat 5] [--only a,b,c] [--whole COMMAND]

    a  one arm                            what a single interval takes
    b  75 arms, every question answered   the bootstrap of a whole analysis: 5 models, 3 modalities, 5 conditions
    c  75 arms, 10 % missing              the same where most arms lack a document or two

An arm has 270 questions in 85 documents, one of them with 17 questions, and gets 10,000 resamples. ``ours`` is
``stats.cluster_bootstrap_means`` of all arms; ``ours each`` calls ``cluster_bootstrap_mean`` for one after another;
both begin with questions and labels. ``scipy totals`` is ``scipy.stats.bootstrap``, paired and vectorised, of each
arm's document totals, which are made for it outside its time: what one calls for one interval. ``scipy at once`` hands
it all arms as one array, in batches of a few resamples that fit the cache: the quickest that it was found to go, where
its default of a single batch takes more than 1 GB and longer than one call an arm. ``scipy questions``, on a single
arm, puts the questions of the documents drawn into a list, as one does without thought of totals. All draw from one
seed, and their ends must be the same before a time is printed. Rounds are interleaved and ratios are taken within a
round, so that other work on the machine meets all alike.

``--whole`` runs a command, such as "muddle report STUDY", in a process of its own, and says what time and memory it
took beside what a whole analysis may take.
"""

import argparse
import os
import resource
import shlex
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import scipy.stats
from numpy.typing import NDArray

from muddle_utils import stats

SEED = 20261129
ARMS, QUESTIONS, DOCUMENTS, LARGEST, RESAMPLES, LEVEL = 75, 270, 85, 17, 10_000, 0.95
# A job of a few milliseconds is run several times a round, since a pause of the machine would be longer than it.
LEAST_SECONDS = 0.5
LEAST_RATIO, MOST_SECONDS, MOST_MEMORY = 20.0, 60.0, 1024
Ends = NDArray[np.float64]
Work = tuple[NDArray[np.float64], list[str]]


class Setting(NamedTuple):
    """What is to be resampled, and by whom."""

    name: str
    arms: int
    missing: float
    contenders: tuple[str, ...]


SETTINGS = (
    Setting("a", 1, 0.0, ("ours", "scipy totals", "scipy questions")),
    Setting("b", ARMS, 0.0, ("ours", "ours each", "scipy totals", "scipy at once")),
    Setting("c", ARMS, 0.1, ("ours", "ours each", "scipy totals")),
)


def make_work(setting: Setting) -> Work:
    """Return outcomes of shape (questions, arms), NaN where missing, and the document of each question."""
    rng = np.random.default_rng(SEED)
    rest = QUESTIONS - DOCUMENTS - (LARGEST - 1)
    document = np.concatenate([np.arange(DOCUMENTS), np.zeros(LARGEST - 1, int), rng.integers(1, DOCUMENTS, rest)])
    share = 0.72 + rng.normal(0, 0.1, DOCUMENTS)[document] + rng.normal(0, 0.1, QUESTIONS)
    values = (rng.random((QUESTIONS, setting.arms)) < share[:, None]).astype(np.float64)
    values[rng.random(values.shape) < setting.missing] = np.nan
    return values, [f"document-{number}" for number in document]


def totals_of(work: Work) -> list[tuple[Ends, Ends]]:
    """Return each arm's sums and counts by document, for the documents that have a value."""
    values, documents = work
    totals = []
    for column in values.T:
        known = ~np.isnan(column)
        sums, counts = stats.cluster_totals(
            column[known], [d for d, kept in zip(documents, known, strict=True) if kept]
        )
        totals.append((sums, counts.astype(np.float64)))
    return totals


def ends_of(intervals: list[stats.Interval]) -> Ends:
    """Return the ends of intervals, shape (arms, 2)."""
    return np.array([(interval.low, interval.high) for interval in intervals])


def ours(work: Work, resamples: int) -> Callable[[], Ends]:
    """Return the job of all arms in one call."""
    return lambda: ends_of(stats.cluster_bootstrap_means(*work, np.random.default_rng(SEED), resamples, LEVEL))


def ours_each(work: Work, resamples: int) -> Callable[[], Ends]:
    """Return the job of one call an arm."""
    values, documents = work

    def run() -> Ends:
        rngs = [np.random.default_rng(SEED) for _ in values.T]
        pairs = zip(values.T, rngs, strict=True)
        return ends_of(
            [stats.cluster_bootstrap_mean(column, documents, rng, resamples, LEVEL) for column, rng in pairs]
        )

    return run


def ratio_of_totals(sums: Ends, counts: Ends, axis: int = -1) -> Ends:
    """Return the mean of the questions whose totals these are."""
    return np.asarray(sums.sum(axis=axis) / counts.sum(axis=axis))


def scipy_bootstrap(
    data: tuple[Ends, ...], statistic: Callable[..., object], resamples: int, batch: int | None = None
) -> Ends:
    """Return the ends of scipy's percentile interval, shape (arms, 2)."""
    found = scipy.stats.bootstrap(
        data,
        statistic,
        n_resamples=resamples,
        batch=batch,
        paired=len(data) > 1,
        axis=-1,
        confidence_level=LEVEL,
        method="percentile",
        rng=np.random.default_rng(SEED),
    )
    return np.stack([np.atleast_1d(end) for end in found.confidence_interval], axis=-1)


def scipy_totals(work: Work, resamples: int) -> Callable[[], Ends]:
    """Return the job of one call an arm, of its totals."""
    totals = totals_of(work)
    return lambda: np.concatenate([scipy_bootstrap(each, ratio_of_totals, resamples) for each in totals])


def scipy_at_once(work: Work, resamples: int) -> Callable[[], Ends]:
    """Return the job of one call for all arms, which must have the same documents."""
    sums, counts = (np.array(each) for each in zip(*totals_of(work), strict=True))
    return lambda: scipy_bootstrap((sums, counts), ratio_of_totals, resamples, batch=max(1, 1600 // len(sums)))


def scipy_questions(work: Work, resamples: int) -> Callable[[], Ends]:
    """Return the job of one arm whose statistic joins the questions of the documents drawn."""
    values, documents = work
    members = [values[np.flatnonzero(np.array(documents) == name), 0] for name in sorted(set(documents))]

    def mean(drawn: NDArray[np.int64]) -> float:
        return float(np.concatenate([members[number] for number in drawn]).mean())

    return lambda: scipy_bootstrap((np.arange(len(members)),), mean, resamples)


CONTENDERS = {
    "ours": ours,
    "ours each": ours_each,
    "scipy totals": scipy_totals,
    "scipy at once": scipy_at_once,
    "scipy questions": scipy_questions,
}


def timed(job: Callable[[], Ends]) -> tuple[Ends, float]:
    """Return what a job gives, and the seconds of the quickest of as many runs as fit into ``LEAST_SECONDS``."""
    begin, took = time.perf_counter(), float("inf")
    while took == float("inf") or time.perf_counter() - begin < LEAST_SECONDS:
        start = time.perf_counter()
        ends = job()
        took = min(took, time.perf_counter() - start)
    return ends, took


def measure(setting: Setting, resamples: int, rounds: int) -> dict[str, list[float]]:
    """Return the seconds of each contender in each round.

    Raises:
        SystemExit: two contenders give different intervals.
    """
    work = make_work(setting)
    jobs = {name: CONTENDERS[name](work, resamples) for name in setting.contenders}
    seconds: dict[str, list[float]] = {name: [] for name in jobs}
    expected = jobs["ours"]()
    for number in range(rounds):
        # Every other round goes backwards, so that nobody always runs first.
        for name in list(jobs)[:: -1 if number % 2 else 1]:
            ends, took = timed(jobs[name])
            seconds[name].append(took)
            if ends.shape != expected.shape or not np.allclose(ends, expected, rtol=0, atol=1e-12):
                sys.exit(f"{setting.name}: the intervals of {name!r} are not ours")
    return seconds


def ratio(above: list[float], below: list[float]) -> float:
    """Return the median over the rounds of one contender's time over another's in the same round."""
    return statistics.median(a / b for a, b in zip(above, below, strict=True))


def report(setting: Setting, seconds: dict[str, list[float]], resamples: int) -> None:
    """Print one line a contender."""
    about = f"{setting.missing:.0%} missing, {resamples:,} resamples"
    print(f"\n{setting.name}  {setting.arms} arms, {about}: ms (least to most), times ours")
    for name, runs in seconds.items():
        spread = f"({1000 * min(runs):.1f} to {1000 * max(runs):.1f})"
        print(f"   {name:16s} {1000 * statistics.median(runs):10.1f} {spread:>22s} {ratio(runs, seconds['ours']):8.1f}")


def verdict(text: str, value: float, sign: str, bound: float) -> None:
    """Print whether a requirement holds, the figure and the bound."""
    met = value >= bound if sign == ">" else value <= bound
    print(f"{'met    ' if met else 'NOT MET'}  {text}: {value:.2f} ({sign} {bound:g})")


def whole_analysis(command: list[str]) -> None:
    """Run a command and print what it took of the time and memory that a whole analysis may take.

    Raises:
        SystemExit: the command failed.
    """
    start = time.monotonic()
    if subprocess.run(command, stdout=subprocess.DEVNULL).returncode:
        sys.exit(f"{shlex.join(command)} failed: its own message is above")
    verdict("seconds of the whole analysis", time.monotonic() - start, "<", MOST_SECONDS)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    verdict("MiB at the peak of its largest process", peak, "<", MOST_MEMORY)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="few resamples, one round, no verdicts: a smoke run")
    parser.add_argument("--repeat", type=int, default=5, help="rounds; the figures are medians over them")
    parser.add_argument("--only", default="a,b,c", help="settings, separated by commas")
    parser.add_argument("--whole", default="", metavar="COMMAND", help="time a command instead")
    options = parser.parse_args()
    if options.whole:
        return whole_analysis(shlex.split(options.whole))
    names = [setting.name for setting in SETTINGS]
    if unknown := sorted(set(options.only.split(",")) - set(names)):
        parser.error(f"--only {options.only}: {unknown[0]!r} is no setting, take some of {','.join(names)}")
    resamples, rounds = (200, 1) if options.quick else (RESAMPLES, options.repeat)
    load = os.getloadavg()[0]
    for setting in SETTINGS:
        if setting.name not in options.only.split(","):
            continue
        seconds = measure(setting, resamples, rounds)
        report(setting, seconds, resamples)
        if setting.name == "b" and not options.quick:
            for name in ("scipy totals", "scipy at once"):
                verdict(
                    f"{name} over ours, {setting.arms} arms", ratio(seconds[name], seconds["ours"]), ">", LEAST_RATIO
                )
    print(f"\nload {load:.1f} to {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
