"""Measures every test and interval of ``muddle_utils.stats`` on simulated studies whose truth is known.

    .venv/bin/python benchmarks/calibration.py [--studies 2000] [--jobs 2] [--only NAME ...] [--output FOLDER]

It writes ``data/calibration/calibration.csv`` and prints it: how often each test at 5 % rejects a true null hypothesis
(type I error; power where the hypothesis is false), how often each 95 % interval holds the true value (coverage), both
with their Monte-Carlo standard error. What is measured is the code that users call, with its defaults except for the
number of resamples, which is ``RESAMPLES``.

One simulated study. Questions i lie in documents d of fixed sizes. Five arms j (control, random-2, hn-2, random-4,
hn-4) belong to three families f: the control, random and hard negatives, for the distractors at k = 2 are among those
at k = 4. With independent standard normal D, Q, W, V and E,

    y_ij = sqrt(r s) D_d + sqrt(r (1 - s)) Q_i + sqrt((1 - r) a) W_df + sqrt((1 - r) b) V_if + sqrt((1 - r) c) E_ij

is the difficulty of question i in arm j, and its answer is correct when y_ij < Phi^-1(p_j). The shares a + b + c are 1,
so y has variance 1 and the accuracy of arm j over all documents is p_j exactly. W is the arm's effect on a document
(topical adjacency differs by document): it makes the paired differences of questions on one document dependent.
V is the arm's effect on a question, which makes its differences at two k dependent. The share r of what the arms have
in common is set so that the answers of two arms, both at the accuracy of the scenario, differ with the wanted
probability. The ICC that the read-me beside the table gives is the correlation of the differences of two questions on
one document, without the variations.

Variations. ``own``: the largest document has a further arm effect with this variance, its thresholds being scaled by
sqrt(1 + own), which leaves p_j as it is. ``adjacent``: a document is with this probability one whose accuracy with the
family ``losing`` (hard negatives; random distractors where the effect is "margin") is lower, by ``loss``, than that of
the others, the mean over both still being p_j: an effect that is skewed over documents. ``missing``: each answer is
missing with this probability, by itself or, with ``by_difficulty`` h > 0, when h C + sqrt(1 - h^2) N is among the
largest, where C is the part of the difficulty that arms have in common, scaled to variance 1, and N normal noise:
difficult questions are missed more often, in all arms alike.

Truth. Accuracies and differences are those of the superpopulation of documents and questions, and a null hypothesis is
one about these; documents differ in their effects under it, too. Where answers are missing by difficulty, the questions
answered are not a sample of all: coverage is then measured of the mean over questions answered, which is integrated
numerically, and beside it, as "accuracy of all questions", of p_j.

Lengths. Tokens are the source's and those of the distractors; ``longer`` is by how much hard negatives are the longer
ones. With the effect "length" answers are drawn otherwise, so that the truth is one number: an answer is correct when
u_ij < p_ij, where u_ij = Phi(z_ij) with the variance of z shared as above, and p_ij = .6 + ``by_length`` times the
source's log length, standardised and cut at 2, + ``doubling`` times log2 of the prompt's tokens over the source's
- ``topic`` among hard negatives. "A" and "C" to "E" are the truths of one study each: sources that are longer may be
harder or easier, tokens that are added may cost or not, and hard negatives may cost by their topic.

Shared distractors. ``siblings`` sources share their hard negatives, and ``shared`` is the correlation of W in the
hard-negative arms between them; with ``pool``, each source has four hard negatives from a pool of so many, the first of
which are taken more often, and W has the share ``shared`` from their mean. "by sources" takes sources for independent,
"by clusters" what ``analysis.frames`` calls a cluster: with siblings the sources that share, with a pool the two-way
clustering by source and distractor.

Rare losses. With the effect "rare" hard negatives cost nothing but in one document of twenty, and there much. A study
that by chance drew no such document, .95^n of those of n documents, has an interval that is too short and shows nothing
of it: no number that is taken from its answers could tell. From 59 documents on this is less than one study in twenty.

Effects. "none": all arms have the same accuracy. "paper": the five accuracies of the paper's first model, a pooled gap
of .035 (at the ceiling .97 and .935). "margin": the control lies 5 points above the others (.80 and .75, at the ceiling
.98 and .93), exactly the margin of the equivalence test, so that finding them equivalent is an error. The nine
comparisons of the Holm family are the control with each other arm, random with hard negatives at k = 2, at k = 4 and
pooled, and k = 2 with k = 4 in both families.

Methods. "two pairs added" is the clustered t of the differences and of one more pair of each sign, 1 and -1, each in a
document of its own, as Bonett and Price (2012, Journal of Educational and Behavioral Statistics 37) add them for
independent pairs; as an interval it is ``stats.clustered_difference``. "Hall" is the transformation that takes skewness
out of a t statistic: with two pairs added it is ``stats.equivalence``, and the two simpler forms stand beside it.
"documents permuted" exchanges the arms of whole documents, which is a test of equal accuracies only if any two arms are
equally correlated inside a document; here arms of one family are more so.

Seeds. Study number n of a scenario is drawn from the seed (crc32 of the scenario's name, n), so neither the number of
processes nor other scenarios nor other methods change it. ``digest`` identifies the answers of the first studies.

Verdicts. A test holds when its type I error is at most .05 + 3 standard errors, an interval when its coverage is at
least .95 - 3 standard errors (those of a true .05 in this many studies), and is "conservative" above .99. A study to
which a method does not apply counts in ``n_not_applicable`` and in nothing else. Bootstraps and permutations see the
first half of the studies.
"""

import argparse
import csv
import hashlib
import math
import os
import platform
import sys
import time
import zlib
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib.metadata import version
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy import optimize, special

from muddle_utils import stats
from muddle_utils.analysis import length_models

ROOT = Path(__file__).resolve().parent.parent
COMMAND = "python benchmarks/calibration.py"
STUDIES, RESAMPLES, CHUNK, FINGERPRINTED = 2_000, 1_000, 50, 20
ALPHA, LEVEL, MARGIN = 0.05, 0.95, 0.05
ARMS = ("control", "random-2", "hn-2", "random-4", "hn-4")
FAMILY = np.array([0, 1, 2, 1, 2])
CONTROL, RANDOM_2, HN_2, RANDOM_4, HN_4 = range(5)
SINGLE_PAIRS = ((0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (3, 4), (1, 3), (2, 4))
COLUMNS = (
    *("scenario", "effect", "kind", "quantity", "what", "method", "n_studies", "n_not_applicable", "value", "mc_error"),
    *("verdict", "mean_width", "mean_middle", "truth", "n_documents", "n_questions", "n_resamples", "seed", "digest"),
)
MEANINGS = {
    "scenario`, `effect": "what was simulated, see below",
    "kind`, `quantity": "test: type I error, family-wise error or power; interval: coverage",
    "what`, `method": "which hypothesis or mean, and how it is tested or estimated",
    "n_studies`, `n_not_applicable": "simulated studies, and those to which the method does not apply",
    "value`, `mc_error": "share of the studies to which it applies, and its standard error; empty if there is none",
    "verdict": "holds, fails, conservative or not applicable; empty for power",
    "mean_width`, `mean_middle`, `truth": "of the intervals: mean width, mean middle and what they are to hold",
    "n_documents`, `n_questions": "size of one study",
    "n_resamples": "resamples or permutations inside the method, 0 where it takes no chance",
    "seed`, `digest": "seed of the scenario, and digest of the answers of its first 20 studies",
}
FURTHER = (
    *("own", "adjacent", "loss", "missing", "by_difficulty", "by_length", "doubling", "topic"),
    *("siblings", "shared", "pool"),
)

AT_MARGIN = (
    *("paper size", "independent", "strong effect by document", "effect in few documents", "one large document"),
    *("14 documents", "14 documents, strong effect by document", "ceiling"),
)

# 85 documents and 270 questions as in the paper, with 1 to 17 on a document; the tail is that of MMLongBench-Doc.
PAPER_SIZES = (17, 15, 12, 10, 9, 8, 7, 7, 6, 6, 5, 5, 5) + (4,) * 9 + (3,) * 18 + (2,) * 23 + (1,) * 22
DEMO_SIZES = (18, 18, 18, 16, 15, 15, 15, 14, 14, 14, 13, 13, 12, 12)
EIGHT_SIZES = (17, 12, 9, 7, 5, 4, 3, 2)
ONE_LARGE_SIZES = (17,) + (4,) * 40 + (3,) * 15 + (2,) * 19 + (1,) * 10
# 206, 207, 199, 202 and 191 of 270, in the order of ARMS.
PAPER = (206 / 270, 207 / 270, 199 / 270, 202 / 270, 191 / 270)


@dataclass(frozen=True)
class Scenario:
    """What is simulated; the module's docstring defines every field but the first four.

    ``accuracies`` are the five p_j, ``discordance`` that of two arms with the accuracy ``level``; ``document`` is s,
    ``arm_document`` a and ``arm_question`` b.
    """

    setting: str
    effect: str
    sizes: tuple[int, ...] = PAPER_SIZES
    accuracies: tuple[float, ...] = (0.75,) * 5
    level: float = 0.75
    discordance: float = 0.106
    document: float = 0.25
    arm_document: float = 0.4
    arm_question: float = 0.3
    own: float = 0.0
    adjacent: float = 0.0
    loss: float = 0.0
    losing: int = 2
    missing: float = 0.0
    by_difficulty: float = 0.0
    longer: float = 0.08
    by_length: float = 0.0
    doubling: float = 0.0
    topic: float = 0.0
    siblings: int = 1
    shared: float = 0.0
    pool: int = 0

    @property
    def seed(self) -> int:
        """The first half of each study's seed."""
        return zlib.crc32(f"{self.setting}, {self.effect}".encode())


def scenarios() -> list[Scenario]:
    """Return every scenario, in the order of the table."""
    paper = Scenario("paper size", "none")
    strong = replace(paper, discordance=0.176, arm_document=0.9, arm_question=0.05)
    settings = [
        paper,
        replace(paper, setting="independent", document=0.0, arm_document=0.0),
        replace(strong, setting="strong effect by document"),
        replace(paper, setting="effect in few documents", adjacent=0.1, loss=0.4),
        replace(paper, setting="14 documents", sizes=DEMO_SIZES),
        replace(strong, setting="14 documents, strong effect by document", sizes=DEMO_SIZES),
        replace(paper, setting="8 documents", sizes=EIGHT_SIZES),
        replace(paper, setting="one large document", sizes=ONE_LARGE_SIZES, own=0.5),
        replace(paper, setting="ceiling", accuracies=(0.97,) * 5, level=0.97, discordance=0.03),
        replace(paper, setting="missing at random", missing=0.1),
        replace(paper, setting="missing by difficulty", missing=0.1, by_difficulty=0.7),
    ]
    every = []
    for setting in settings:
        effect = (0.97, 0.97, 0.935, 0.97, 0.935) if setting.setting == "ceiling" else PAPER
        every += [setting, replace(setting, effect="paper", accuracies=effect)]
    margin = (0.75 + MARGIN, 0.75, 0.75, 0.75, 0.75)
    high = (0.93 + MARGIN, 0.93, 0.93, 0.93, 0.93)
    for each in settings:
        if each.setting in AT_MARGIN:
            accuracies = high if each.setting == "ceiling" else margin
            every.append(replace(each, effect="margin", accuracies=accuracies, losing=1))
    one_in_20 = replace(paper, setting="effect in one document of 20", adjacent=0.05, loss=0.7)
    every.append(replace(one_in_20, effect="margin", accuracies=margin, losing=1))
    length = Scenario("", "length", sizes=(4,) * 60, longer=0.12)
    every += [
        replace(length, setting="A: longer sources harder", by_length=-0.12),
        replace(length, setting="B: added length costs", doubling=-0.09),
        replace(length, setting="C: added length costs, longer sources easier", doubling=-0.09, by_length=0.12),
        replace(length, setting="E: topic costs, longer sources harder", topic=0.1, by_length=-0.12),
    ]
    sharing = replace(strong, effect="shared", arm_document=0.8, arm_question=0.1)
    every += [
        replace(sharing, setting="7 families of 2", sizes=(8,) * 14, siblings=2, shared=0.8),
        replace(sharing, setting="10 families of 5", sizes=(4,) * 50, siblings=5, shared=0.8),
        replace(sharing, setting="85 sources, a pool of 135", pool=135, shared=0.8),
        replace(sharing, setting="40 sources, a pool of 80", sizes=(5,) * 40, pool=80, shared=0.8),
    ]
    losses = (0.8, 0.8, 0.765, 0.8, 0.765)
    rare = Scenario("", "rare", accuracies=losses, level=0.8, discordance=0.02, adjacent=0.05, loss=0.7)
    for n, each in ((14, 8), (30, 4), (60, 4), (120, 3)):
        every.append(replace(rare, setting=f"a heavy loss in one document of 20, {n} documents", sizes=(each,) * n))
    return every


def both_below(threshold: float, correlation: float) -> float:
    """Return P(X < t, Y < t) of two standard normal variables."""
    # Owen's T: Phi_2(t, t; rho) = Phi(t) - 2 T(t, sqrt((1 - rho) / (1 + rho))).
    slope = math.sqrt((1 - correlation) / (1 + correlation))
    return float(special.ndtr(threshold) - 2 * special.owens_t(threshold, slope))


@cache
def common_share(level: float, discordance: float) -> float:
    """Return r: the correlation at which two arms of this accuracy differ this often."""
    threshold = float(special.ndtri(level))
    return float(optimize.brentq(lambda r: 2 * (level - both_below(threshold, r)) - discordance, 0, 1 - 1e-9))


def difference_icc(scenario: Scenario) -> float:
    """Return the correlation of the differences of two questions on one document, arms equal, no variations."""
    common, threshold = common_share(scenario.level, scenario.discordance), float(special.ndtri(scenario.level))
    same = common * scenario.document
    apart = same + (1 - common) * scenario.arm_document
    return 2 * (both_below(threshold, apart) - both_below(threshold, same)) / scenario.discordance


def class_accuracies(scenario: Scenario) -> np.ndarray:
    """Return the accuracies of shape (2 classes of documents, 5 arms): the ordinary and the adjacent ones."""
    accuracies = np.tile(scenario.accuracies, (2, 1))
    accuracies[0, FAMILY == scenario.losing] += scenario.adjacent * scenario.loss
    accuracies[1, FAMILY == scenario.losing] -= (1 - scenario.adjacent) * scenario.loss
    return accuracies


@cache
def truth(scenario: Scenario) -> Mapping[str, float]:
    """Return the true value of each mean, integrated over what the arms of a question have in common."""
    if scenario.effect == "length":
        return {
            length_models.EQUAL_TOKENS: scenario.topic,
            length_models.BETWEEN_ARMS: scenario.doubling,
            length_models.LENGTH_ALONE: scenario.doubling,
        }
    common = common_share(scenario.level, scenario.discordance)
    difficulty = np.linspace(-9, 9, 7201)
    weights = np.exp(-(difficulty**2) / 2)
    weights /= weights.sum()
    by_difficulty = scenario.by_difficulty
    answered = np.ones_like(difficulty)
    if scenario.missing:
        limit = special.ndtri(1 - scenario.missing)
        answered = special.ndtr((limit - by_difficulty * difficulty) / math.sqrt(1 - by_difficulty**2))

    def mean_of(arm: int, weight: np.ndarray) -> float:
        shares = np.array([1 - scenario.adjacent, scenario.adjacent])
        thresholds = special.ndtri(class_accuracies(scenario)[:, arm])
        correct = special.ndtr((thresholds[:, None] - math.sqrt(common) * difficulty) / math.sqrt(1 - common))
        return float((shares @ correct) @ (weights * weight) / (weights @ weight))

    both = answered**2
    # A question with one pair of two counts with it: given the difficulty, each k adds half of P(any pair).
    any_pair = 1 - (1 - both) ** 2
    gaps = [mean_of(a, any_pair) - mean_of(b, any_pair) for a, b in ((RANDOM_2, HN_2), (RANDOM_4, HN_4))]
    return {
        "difference": mean_of(RANDOM_4, both) - mean_of(HN_4, both),
        "pooled gap": sum(gaps) / 2,
        "accuracy": mean_of(HN_4, answered),
        "accuracy of all questions": scenario.accuracies[HN_4],
    }


@dataclass(frozen=True)
class Study:
    """The answers of one simulated study, shape (questions, arms), NaN where missing, and the questions' documents."""

    outcomes: np.ndarray
    documents: np.ndarray
    log_tokens: np.ndarray
    clusters: Sequence[object] = ()

    @property
    def questions(self) -> np.ndarray:
        """The label of each question."""
        return np.arange(len(self.documents))

    @property
    def random(self) -> np.ndarray:
        """Random arms by k."""
        return self.outcomes[:, (RANDOM_2, RANDOM_4)]

    @property
    def hard_negative(self) -> np.ndarray:
        """Hard-negative arms by k."""
        return self.outcomes[:, (HN_2, HN_4)]

    @cached_property
    def values(self) -> dict[str, np.ndarray]:
        """The column that each interval is of."""
        return {
            "difference": self.outcomes[:, RANDOM_4] - self.outcomes[:, HN_4],
            "pooled gap": stats.question_differences(self.random, self.hard_negative),
            "accuracy": self.outcomes[:, HN_4],
            "accuracy of all questions": self.outcomes[:, HN_4],
        }


def draw(scenario: Scenario, number: int) -> Study:
    """Return study ``number`` of a scenario."""
    rng = np.random.default_rng([scenario.seed, number])
    n_documents, n = len(scenario.sizes), sum(scenario.sizes)
    documents = np.repeat(np.arange(n_documents), scenario.sizes)
    r = common_share(scenario.level, scenario.discordance)
    a, b = scenario.arm_document, scenario.arm_question
    common = math.sqrt(r * scenario.document) * rng.standard_normal(n_documents)[documents]
    common += math.sqrt(r * (1 - scenario.document)) * rng.standard_normal(n)
    by_arm, clusters = rng.standard_normal((n_documents, 3)), documents
    if scenario.effect == "shared":
        common_part, labels = shared_part(scenario, rng)
        by_arm[:, 2] = math.sqrt(scenario.shared) * common_part + math.sqrt(1 - scenario.shared) * by_arm[:, 2]
        clusters = np.array(labels, dtype=object)[documents]
    difficulty = common[:, None] + math.sqrt((1 - r) * a) * by_arm[documents][:, FAMILY]
    difficulty += math.sqrt((1 - r) * b) * rng.standard_normal((n, 3))[:, FAMILY]
    difficulty += math.sqrt(max(0.0, (1 - r) * (1 - a - b))) * rng.standard_normal((n, 5))
    largest = documents == int(np.argmax(scenario.sizes))
    difficulty[largest] += math.sqrt(scenario.own) * rng.standard_normal(3)[FAMILY]
    adjacent = (rng.random(n_documents) < scenario.adjacent)[documents]
    thresholds = special.ndtri(class_accuracies(scenario))[adjacent.astype(int)]
    thresholds[largest] *= math.sqrt(1 + scenario.own)
    outcomes = (difficulty < thresholds).astype(float)
    if scenario.missing:
        h = scenario.by_difficulty
        pull = h * common[:, None] / math.sqrt(r) + math.sqrt(1 - h**2) * rng.standard_normal((n, 5))
        outcomes[pull > special.ndtri(1 - scenario.missing)] = np.nan
    log_tokens = draw_tokens(rng, documents, scenario.longer)
    if scenario.effect == "length":
        outcomes = (special.ndtr(difficulty) < chances(scenario, log_tokens)).astype(float)
    return Study(outcomes, documents, log_tokens, clusters)


def shared_part(scenario: Scenario, rng: np.random.Generator) -> tuple[np.ndarray, list[object]]:
    """Return what sources that share hard negatives have in common, of variance 1, and each source's cluster."""
    n = len(scenario.sizes)
    if not scenario.pool:
        family = np.arange(n) // scenario.siblings
        return rng.standard_normal(n)[family], list(family)
    weights = 1 / np.arange(5, scenario.pool + 5)
    drawn = [rng.choice(scenario.pool, 4, replace=False, p=weights / weights.sum()) for _ in range(n)]
    effects = rng.standard_normal(scenario.pool)
    labels = [frozenset({f"s{source}", *(f"h{name}" for name in names)}) for source, names in enumerate(drawn)]
    return np.array([effects[names].sum() / 2 for names in drawn]), list(labels)


def chances(scenario: Scenario, log_tokens: np.ndarray) -> np.ndarray:
    """Return the chance of a right answer, shape (questions, arms), under the effect "length"."""
    source = log_tokens[:, :1]
    added = (log_tokens - source) / math.log(2)
    by_length = scenario.by_length * np.clip((source - 10) / 0.5, -2, 2)
    return 0.6 + by_length + scenario.doubling * added - scenario.topic * (FAMILY == 2)


def draw_tokens(rng: np.random.Generator, documents: np.ndarray, longer: float) -> np.ndarray:
    """Return log tokens, shape (questions, arms): the source's, and per family two nested pairs of distractors."""
    source = rng.lognormal(10, 0.5, size=documents.max() + 1)[documents]
    pairs = rng.lognormal(10, 0.5, size=(len(documents), 2, 2, 2)).sum(axis=-1)
    pairs[:, 1] *= 1 + longer  # hard negatives are the longer ones in the paper
    two = source[:, None] + pairs[:, :, 0]
    four = two + pairs[:, :, 1]
    return np.log(np.column_stack([source, two, four]))


@cache
def digest(scenario: Scenario) -> str:
    """Return a digest of the answers of the first studies, 16 hexadecimal digits."""
    answers = [np.nan_to_num(draw(scenario, number).outcomes, nan=-1) for number in range(FINGERPRINTED)]
    return hashlib.sha256(np.stack(answers).astype(np.int8).tobytes()).hexdigest()[:16]


class Finding(NamedTuple):
    """What a method says of a study: a p-value, or the ends of an interval; NaN where it does not apply."""

    what: str
    method: str
    p_value: float = math.nan
    low: float = math.nan
    high: float = math.nan
    is_test: bool = True


def interval_of(what: str, method: str, interval: stats.Interval) -> Finding:
    """Return an interval's ends as a finding."""
    return Finding(what, method, low=interval.low, high=interval.high, is_test=False)


def normal_p(values: np.ndarray, documents: np.ndarray) -> float:
    """Return the p-value that belongs to the normal interval from the clustered standard error."""
    mean = stats.clustered_mean(values, documents, method="normal")
    return float(2 * special.ndtr(-abs(mean.estimate / mean.standard_error)))


def with_two_pairs(values: np.ndarray, documents: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return differences with one more of each sign, 1 and -1, in documents of their own."""
    return np.append(values, [1.0, -1.0]), np.append(documents, documents.max() + np.arange(1, 3))


def cheap_tests(study: Study) -> Iterable[Finding]:
    """Yield every test that takes no chance."""
    a, b, documents = study.outcomes[:, RANDOM_4], study.outcomes[:, HN_4], study.documents
    mcnemar = stats.exact_mcnemar(a, b)
    yield Finding("difference", "exact McNemar", mcnemar.p_value)
    yield Finding("difference", "McNemar, mid-p", mcnemar.mid_p)
    yield Finding("difference", "sign-flip of questions", stats.question_sign_flip(a - b).p_value)
    pairs = stats.pooled_pairs(study.random, study.hard_negative).mcnemar
    yield Finding("pooled gap", "exact McNemar, pairs", pairs.p_value)
    yield Finding("pooled gap", "McNemar, mid-p, pairs", pairs.mid_p)
    pooled = stats.pooled_question(study.random, study.hard_negative)
    yield Finding("pooled gap", "sign-flip of questions", pooled.sign_flip.p_value)
    for what in ("difference", "pooled gap"):
        values = study.values[what]
        yield Finding(what, "sign-flip of documents", stats.cluster_sign_flip(values, documents).p_value)
        yield Finding(what, "clustered t, CR2", stats.clustered_test(values, documents).p_value)
        yield Finding(what, "clustered normal", normal_p(values, documents))
        adjusted = stats.clustered_test(*with_two_pairs(values, documents))
        yield Finding(what, "clustered t, CR2, two pairs added", adjusted.p_value)


def equivalence_p(values: np.ndarray, documents: np.ndarray) -> float:
    """Return the p-value of two one-sided t tests without more ado, from the clustered standard error."""
    mean = stats.clustered_mean(values, documents)
    nearest = (MARGIN - abs(mean.estimate)) / mean.standard_error
    return float(special.stdtr(mean.degrees_of_freedom, -nearest))


def equivalence_test(study: Study) -> Iterable[Finding]:
    """Yield the test that random-4 is within the margin of the control."""
    what, gap = "control and random-4", study.outcomes[:, CONTROL] - study.outcomes[:, RANDOM_4]
    yield Finding(what, "equivalence, clustered t, CR2", equivalence_p(gap, study.documents))
    yield Finding(what, "equivalence, two pairs added", equivalence_p(*with_two_pairs(gap, study.documents)))
    test = stats.equivalence(gap, study.documents, MARGIN)
    yield Finding(what, "equivalence, two pairs added, Hall", test.p_value)


def family_tests(study: Study) -> Iterable[Finding]:
    """Yield the smallest Holm-adjusted p-value of the nine comparisons, by three kinds of test."""
    pairs = [(study.outcomes[:, a], study.outcomes[:, b]) for a, b in SINGLE_PAIRS]
    columns = [*(a - b for a, b in pairs), study.values["pooled gap"]]
    independent = [stats.exact_mcnemar(a, b).p_value for a, b in pairs]
    independent.append(stats.question_sign_flip(columns[-1]).p_value)
    families = {
        "Holm, exact McNemar and sign-flip of questions": independent,
        "Holm, sign-flip of documents": [stats.cluster_sign_flip(each, study.documents).p_value for each in columns],
        "Holm, clustered t, CR2": [stats.clustered_test(each, study.documents).p_value for each in columns],
    }
    for method, p_values in families.items():
        adjusted = np.array(stats.holm(p_values).adjusted)
        yield Finding("family of 9", method, float(np.nan if np.isnan(adjusted).all() else np.nanmin(adjusted)))


def cheap_intervals(study: Study) -> Iterable[Finding]:
    """Yield every interval that takes no chance."""
    documents = study.documents
    for what, values in study.values.items():
        yield interval_of(what, "clustered t, CR2", stats.clustered_mean(values, documents))
        yield interval_of(what, "clustered normal", stats.clustered_mean(values, documents, method="normal"))
        if what.startswith("accuracy"):
            known = values[~np.isnan(values)]
            yield interval_of(what, "Wilson, effective size", stats.clustered_proportion(values, documents))
            yield interval_of(what, "Wilson, independent", stats.wilson_interval(int(known.sum()), len(known)))
        else:
            enlarged = stats.clustered_difference(values, documents)
            yield interval_of(what, "clustered t, CR2, two pairs added", enlarged)


def bootstraps(study: Study, seed: Sequence[int]) -> Iterable[Finding]:
    """Yield every interval, and the test, that resamples."""
    columns = np.column_stack(list(study.values.values()))
    for unit, labels, method in (
        ("documents", study.documents, "percentile"),
        ("questions", study.questions, "percentile"),
        ("documents", study.documents, "bca"),
    ):
        rng = np.random.default_rng(seed)
        found = stats.cluster_bootstrap_means(columns, labels, rng, RESAMPLES, LEVEL, method)
        name = {"percentile": "percentile", "bca": "BCa"}[method]
        for what, interval in zip(study.values, found, strict=True):
            yield interval_of(what, f"{name} bootstrap of {unit}", interval)
    chi_square = stats.cochran_q(study.outcomes, np.random.default_rng(seed), RESAMPLES)
    yield Finding("five arms", "Cochran's Q, chi-square", chi_square.p_value)
    yield Finding("five arms", "Cochran's Q, questions permuted", chi_square.permutation_p)
    permuted = stats.cochran_q(study.outcomes, np.random.default_rng(seed), RESAMPLES, study.documents)
    yield Finding("five arms", "Cochran's Q, documents permuted", permuted.permutation_p)


def length_effects(study: Study) -> Iterable[Finding]:
    """Yield topic and length within the question, as test and as interval."""
    for effect in length_models.within_question(study.outcomes, study.log_tokens, ARMS, study.documents):
        interval, method = effect.interval, "within the question, CR2"
        yield Finding(effect.name, method, stats.p_value_of(interval))
        yield interval_of(
            effect.name, method, replace(interval, low=effect.times * interval.low, high=effect.times * interval.high)
        )


def shared_distractors(study: Study) -> Iterable[Finding]:
    """Yield the headline's interval and test with sources for the units, and with clusters."""
    for name, labels in (("by sources", study.documents), ("by clusters", study.clusters)):
        for what in ("difference", "pooled gap"):
            interval = stats.clustered_difference(study.values[what], labels)
            yield interval_of(what, f"clustered t, CR2, two pairs added, {name}", interval)
            if isinstance(labels[0], frozenset):
                yield Finding(what, f"clustered t, CR2, two pairs added, {name}", stats.p_value_of(interval))
            else:
                flip = stats.cluster_sign_flip(study.values[what], labels)
                yield Finding(what, f"sign-flip, {name}", flip.p_value)


def rare_losses(study: Study) -> Iterable[Finding]:
    """Yield the headline's interval."""
    for what in ("difference", "pooled gap"):
        interval = stats.clustered_difference(study.values[what], study.documents)
        yield interval_of(what, "clustered t, CR2, two pairs added", interval)


def null_holds(scenario: Scenario, what: str) -> bool:
    """Return whether the hypothesis that a test tries to reject is true in the superpopulation."""
    arms = scenario.accuracies
    if scenario.effect == "length":
        return truth(scenario)[what] == 0
    return {
        "difference": arms[RANDOM_4] == arms[HN_4],
        "pooled gap": arms[RANDOM_2] - arms[HN_2] + arms[RANDOM_4] - arms[HN_4] == 0,
        "five arms": len(set(arms)) == 1,
        "family of 9": len(set(arms)) == 1,
        # The margin is reached only to rounding.
        "control and random-4": abs(arms[CONTROL] - arms[RANDOM_4]) > MARGIN - 1e-9,
    }[what]


@dataclass
class Tally:
    """Counts of one row of the table over some studies: rejections or intervals that hold the truth are hits."""

    n_studies: int = 0
    n_not_applicable: int = 0
    hits: int = 0
    width: float = 0.0
    middle: float = 0.0

    def add(self, finding: Finding, true_value: float) -> None:
        """Count what a method said of one study."""
        self.n_studies += 1
        if math.isnan(finding.p_value if finding.is_test else finding.low):
            self.n_not_applicable += 1
        elif finding.is_test:
            self.hits += finding.p_value <= ALPHA
        else:
            self.hits += finding.low <= true_value <= finding.high
            self.width += finding.high - finding.low
            self.middle += (finding.high + finding.low) / 2

    def join(self, other: "Tally") -> None:
        """Add the counts of other studies."""
        self.n_studies += other.n_studies
        self.n_not_applicable += other.n_not_applicable
        self.hits += other.hits
        self.width += other.width
        self.middle += other.middle


Key = tuple[bool, str, str]
Tallies = dict[Key, Tally]


def findings(scenario: Scenario, number: int, n_studies: int) -> Iterable[Finding]:
    """Yield what each method says of study ``number`` out of ``n_studies``."""
    study = draw(scenario, number)
    if own := {"length": length_effects, "shared": shared_distractors, "rare": rare_losses}.get(scenario.effect):
        yield from own(study)
        return
    yield from equivalence_test(study)
    if scenario.effect == "margin":
        return
    yield from cheap_tests(study)
    yield from cheap_intervals(study)
    if scenario.effect == "none":
        yield from family_tests(study)
    if number < n_studies / 2:
        yield from bootstraps(study, [scenario.seed, number, 1])


def measure(scenario: Scenario, numbers: range, n_studies: int) -> Tallies:
    """Return the counts of every method over the studies with these numbers."""
    truths = truth(scenario)
    tallies: Tallies = {}
    for number in numbers:
        for finding in findings(scenario, number, n_studies):
            if finding.what == "accuracy of all questions" and not scenario.by_difficulty:
                continue  # the same as accuracy
            key = (finding.is_test, finding.what, finding.method)
            tallies.setdefault(key, Tally()).add(finding, truths.get(finding.what, math.nan))
    return tallies


def verdict_of(is_test: bool, value: float, n: int) -> str:
    """Return whether an error rate or a coverage is the promised one, as the module's docstring says."""
    if not n:
        return "not applicable"
    tolerance = 3 * math.sqrt(ALPHA * (1 - ALPHA) / n)
    if is_test:
        return "holds" if value <= ALPHA + tolerance else "fails"
    if value < LEVEL - tolerance:
        return "fails"
    return "conservative" if value > 0.99 else "holds"


def rows_of(scenario: Scenario, tallies: Tallies) -> list[dict[str, object]]:
    """Return the rows of the table for one scenario."""
    truths = truth(scenario)
    rows: list[dict[str, object]] = []
    for (is_test, what, method), tally in tallies.items():
        n = tally.n_studies - tally.n_not_applicable
        value = tally.hits / n if n else math.nan
        is_null = is_test and null_holds(scenario, what)
        quantity = ("type I error" if is_null else "power") if is_test else "coverage"
        if is_null and what == "family of 9":
            quantity = "family-wise error"
        resampled = "bootstrap" in method or "permuted" in method
        row: dict[str, object] = {
            "scenario": scenario.setting,
            "effect": scenario.effect,
            "kind": "test" if is_test else "interval",
            "quantity": quantity,
            "what": what,
            "method": method,
            "n_studies": tally.n_studies,
            "n_not_applicable": tally.n_not_applicable,
            "value": f"{value:.6f}" if n else "",
            "mc_error": f"{math.sqrt(value * (1 - value) / n):.6f}" if n else "",
            "verdict": "" if quantity == "power" else verdict_of(is_test, value, n),
            "mean_width": "" if is_test or not n else f"{tally.width / n:.6f}",
            "mean_middle": "" if is_test or not n else f"{tally.middle / n:.6f}",
            "truth": "" if is_test else f"{truths[what]:.6f}",
            "n_documents": len(scenario.sizes),
            "n_questions": sum(scenario.sizes),
            "n_resamples": RESAMPLES if resampled else 0,
            "seed": scenario.seed,
            "digest": digest(scenario),
        }
        rows.append(row)
    return rows


def simulate(chosen: Sequence[Scenario], n_studies: int, n_jobs: int) -> list[dict[str, object]]:
    """Return the table's rows for these scenarios, worked on by ``n_jobs`` processes."""
    parts = [range(start, min(start + CHUNK, n_studies)) for start in range(0, n_studies, CHUNK)]
    rows, start = [], time.monotonic()
    with ProcessPoolExecutor(n_jobs, mp_context=get_context("spawn")) as pool:
        futures = [[pool.submit(measure, each, part, n_studies) for part in parts] for each in chosen]
        for scenario, parts_of in zip(chosen, futures, strict=True):
            tallies: Tallies = {}
            for future in parts_of:
                for key, tally in future.result().items():
                    tallies.setdefault(key, Tally()).join(tally)
            rows += rows_of(scenario, tallies)
            print(
                f"{time.monotonic() - start:6.0f} s  {scenario.setting}, {scenario.effect}", file=sys.stderr, flush=True
            )
    return rows


def report(rows: Sequence[dict[str, object]]) -> None:
    """Print, for each kind of quantity and effect, the methods by the scenarios."""
    marks = {"fails": "*", "conservative": "+"}
    for quantity in ("type I error", "family-wise error", "power", "coverage", "mean width"):
        column = "mean_width" if quantity == "mean width" else "value"
        for effect in ("none", "paper", "margin", "length", "shared", "rare"):
            wanted = "coverage" if quantity == "mean width" else quantity
            part = [row for row in rows if (row["quantity"], row["effect"]) == (wanted, effect)]
            settings = list(dict.fromkeys(str(row["scenario"]) for row in part))
            if not settings or (quantity == "mean width" and effect != "none"):
                continue
            print(f"\n{quantity}, effect: {effect}   (* fails, + conservative)")
            print("\n".join(f"  {number:>2d} {setting}" for number, setting in enumerate(settings, 1)))
            print(" " * 72 + "".join(f"{number:>8d}" for number in range(1, len(settings) + 1)))
            for what, method in dict.fromkeys((str(row["what"]), str(row["method"])) for row in part):
                cells = dict.fromkeys(settings, "")
                for row in part:
                    if (row["what"], row["method"]) == (what, method):
                        mark = marks.get(str(row["verdict"]), " ") if column == "value" else " "
                        number = str(row[column])
                        cells[str(row["scenario"])] = f"{float(number):.3f}{mark}" if number else "n/a "
                print(f"{what:26s}{method:46s}" + "".join(f"{cell:>8s}" for cell in cells.values()))


def read_me(n_studies: int, chosen: Sequence[Scenario]) -> str:
    """Return the text that stands beside the table: command, versions and every scenario's numbers."""
    versions = ", ".join(f"{name} {version(name)}" for name in ("numpy", "scipy"))
    lines = [
        "# Calibration of the tests and intervals",
        "",
        f"`calibration.csv` was made by `{COMMAND}`, {n_studies:,} studies a scenario, with Python",
        f"{platform.python_version()}, {versions}. The docstring of `benchmarks/calibration.py` defines the",
        "simulation and the verdicts. Columns:",
        "",
        *(f"- `{names}`: {meaning}" for names, meaning in MEANINGS.items()),
        "",
        "Scenarios:",
        "",
        "| scenario | effect | documents | questions | accuracies: control, random-2, hn-2, random-4, hn-4 "
        "| discordance | ICC of differences | further |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for each in chosen:
        further = [
            f"{name} {getattr(each, name):g}"
            for name in FURTHER
            if getattr(each, name) not in (0, each.__dataclass_fields__[name].default)
        ]
        accuracies = ", ".join(f"{accuracy:.3f}" for accuracy in each.accuracies)
        lines.append(
            f"| {each.setting} | {each.effect} | {len(each.sizes)} | {sum(each.sizes)} | {accuracies} "
            f"| {each.discordance:g} | {difference_icc(each):.3f} | {', '.join(further) or 'none'} |"
        )
    lines += ["", f"Sizes of the documents: {'; '.join(sorted({size_text(each.sizes) for each in chosen}))}.", ""]
    return "\n".join(lines)


def size_text(sizes: Sequence[int]) -> str:
    """Return how many documents have how many questions."""
    return f"{len(sizes)} with " + ", ".join(
        f"{sizes.count(size)} × {size}" for size in sorted(set(sizes), reverse=True)
    )


def main() -> None:
    """Simulate, print and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--studies", type=int, default=STUDIES, help="simulated studies a scenario")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument(
        "--only", action="append", help="a scenario's name; may be given again; the table is not written"
    )
    parser.add_argument("--output", type=Path, default=ROOT / "data" / "calibration", help="folder of the table")
    options = parser.parse_args()
    every = scenarios()
    if unknown := sorted(set(options.only or ()) - {each.setting for each in every}):
        parser.error(
            f"--only {unknown[0]!r} is no scenario, take one of: {', '.join(dict.fromkeys(e.setting for e in every))}"
        )
    if options.studies < 1 or options.jobs < 1:
        parser.error("--studies and --jobs must be at least 1")
    # One thread a process: the matrices are small, and threads that wait for each other make it slower.
    os.environ.update(dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1"))
    chosen = [each for each in every if not options.only or each.setting in options.only]
    rows = simulate(chosen, options.studies, options.jobs)
    report(rows)
    if options.only:
        return
    options.output.mkdir(parents=True, exist_ok=True)
    with (options.output / "calibration.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    (options.output / "README.md").write_text(read_me(options.studies, chosen), encoding="utf-8")


if __name__ == "__main__":
    main()
