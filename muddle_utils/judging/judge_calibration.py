"""How well a judge judges: its verdicts on answers that people have labelled (``data/judge_calibration.jsonl``).

The labels were written before any judge saw them and are split once, by a fixed digest, into a half that may be
looked at when a judge is changed (``tuning``) and one that may not (``held_out``). Report the second.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from muddle_utils.judging.judges import Judge
from muddle_utils.judging.judging import as_answered, judge_responses, verdicts_by_cell
from muddle_utils.stats import Interval
from muddle_utils.stats.agreement import CohenKappa, cohen_kappa, raw_agreement
from muddle_utils.study import rows
from muddle_utils.study.paths import project_root
from muddle_utils.study.records import PARTS, Question, Response, Verdict
from muddle_utils.study.rows import RowsError, read_rows
from muddle_utils.study.store import Store

SPLIT_SEED: Final = "muddle judge calibration 2026-11-30"


@dataclass(frozen=True)
class CalibrationPair:
    """One labelled answer: what the paper's judge prompt makes of it, and what MMLongBench-Doc-V2's rubric does.

    ``rule`` is what the pair tests. ``correct`` and ``score`` are under the paper's prompt (appendix A.3),
    ``equivalent`` and ``abstained`` under V2's rubric; ``note`` says why.
    """

    pair_id: str
    rule: str
    question: str
    reference: str
    response: str
    correct: bool
    score: float
    equivalent: bool
    abstained: bool
    note: str


def calibration_file() -> Path:
    """Return where the labelled pairs are."""
    return project_root() / "data" / "judge_calibration.jsonl"


def read_pairs(path: Path | None = None) -> list[CalibrationPair]:
    """Return the labelled pairs of a file, or the kit's own.

    Raises:
        RowsError: the file is missing or a line is no such pair; the message names file and line.
    """
    path = path or calibration_file()
    pairs = read_rows(path, CalibrationPair, "data/README.md lists the fields of a labelled pair")
    names = Counter(pair.pair_id for pair in pairs)
    if repeated := next((name for name, n in names.items() if n > 1), ""):
        raise RowsError(
            f"{path}: the pair_id {repeated!r} stands {names[repeated]} times; give each pair one of its own"
        )
    return pairs


def part_of(pair_id: str) -> str:
    """Return the half that a pair belongs to: ``tuning`` or ``held_out``, by a digest of its name alone."""
    return PARTS[int(rows.digest(SPLIT_SEED, pair_id)[:8], 16) % 2]


@dataclass(frozen=True)
class RuleResult:
    """One rule's pairs under one judge: how many, how many judged, and how they fell.

    ``false_correct`` are wrong answers that the judge let pass, ``false_incorrect`` right ones that it did not; both
    are named in ``pairs``, but for the half that nobody who changes a judge should look at.
    """

    rule: str
    n: int
    n_judged: int
    n_agree: int
    false_correct: int
    false_incorrect: int
    pairs: tuple[str, ...]


@dataclass(frozen=True)
class Validation:
    """How a judge did on labelled pairs: over those it judged, with 95 % intervals.

    ``accuracy`` has a Wilson interval; ``kappa`` is Cohen's against the labels. ``score_gap`` is the mean absolute
    difference of its partial credit from the labels'. A pair without a verdict counts nowhere but in
    ``n_unjudged``; ``causes`` says why, and ``example`` what the judge replied the last time.
    """

    judge: str
    part: str
    n: int
    n_judged: int
    n_unjudged: int
    n_repaired: int
    accuracy: Interval
    kappa: CohenKappa
    score_gap: float | None
    rules: tuple[RuleResult, ...]
    cost: float | None
    causes: Mapping[str, int]
    example: str


def _as_rows(pairs: Sequence[CalibrationPair]) -> tuple[list[Response], dict[str, Question]]:
    labelled = ("calibration", "labelled", "markdown", "labelled")
    questions = {
        pair.pair_id: Question(
            pair.pair_id, "calibration", pair.question, pair.reference, "Str", (), (), "", annotation="calibration"
        )
        for pair in pairs
    }
    return [as_answered(pair.pair_id, pair.response, *labelled) for pair in pairs], questions


async def judge_pairs(
    pairs: Sequence[CalibrationPair],
    judge: Judge,
    store: Store,
    concurrency: int = 8,
    budget: float = 0.0,
    waive: Sequence[str] = (),
    progress: bool = True,
) -> dict[str, Verdict]:
    """Judge labelled answers as any others, and return the verdicts by pair_id; what the store holds is not asked.

    Raises:
        ModelError, StageStoppedError, StoreError: as with ``judging.judge_responses``.
    """
    responses, questions = _as_rows(pairs)
    await judge_responses(responses, questions, judge, store, concurrency, budget, waive, progress=progress)
    return verdicts_by_cell(responses, questions, judge, store)


def label_of(pair: CalibrationPair, rubric: str) -> bool:
    """Return the label under a rubric: ``muddle``, the paper's, or ``equivalence``, that of MMLongBench-Doc-V2."""
    return pair.equivalent if rubric == "equivalence" else pair.correct


def validate(
    pairs: Sequence[CalibrationPair], verdicts: Mapping[str, Verdict], judge: str, part: str, rubric: str = "muddle"
) -> Validation:
    """Compare verdicts with labels; ``verdicts`` is keyed by pair_id.

    Under ``equivalence`` the labels are V2's, and there is no partial credit to be off by.

    Raises:
        ValueError: there are no pairs.
    """
    if not pairs:
        raise ValueError(f"no labelled pair is in the part {part!r}")
    judged = [pair for pair in pairs if pair.pair_id in verdicts and verdicts[pair.pair_id].status == "judged"]
    said = {pair.pair_id: bool(verdicts[pair.pair_id].correct) for pair in judged}
    labels = np.array([label_of(pair, rubric) for pair in judged], dtype=object)
    given = np.array([said[pair.pair_id] for pair in judged], dtype=object)
    gaps = [abs((verdicts[pair.pair_id].score or 0.0) - pair.score) for pair in judged]
    costs = [verdict.cost for verdict in verdicts.values()]
    known = [cost for cost in costs if cost is not None]
    lacking = [verdict for verdict in verdicts.values() if verdict.status != "judged"]
    return Validation(
        judge=judge,
        part=part,
        n=len(pairs),
        n_judged=len(judged),
        n_unjudged=len(pairs) - len(judged),
        n_repaired=sum(verdict.repaired for verdict in verdicts.values()),
        accuracy=raw_agreement(labels, given),
        kappa=cohen_kappa(labels, given),
        score_gap=sum(gaps) / len(gaps) if gaps and rubric == "muddle" else None,
        rules=tuple(
            _rule(rule, pairs, said, part != PARTS[1], rubric) for rule in dict.fromkeys(pair.rule for pair in pairs)
        ),
        cost=sum(known) if len(known) == len(costs) else None,
        causes=Counter(verdict.error_class for verdict in lacking),
        example=(lacking[-1].raw or lacking[-1].problem)[:200] if lacking else "",
    )


def _rule(
    rule: str, pairs: Sequence[CalibrationPair], said: Mapping[str, bool], named: bool, rubric: str
) -> RuleResult:
    own = [pair for pair in pairs if pair.rule == rule]
    judged = [pair for pair in own if pair.pair_id in said]
    wrong = [pair for pair in judged if said[pair.pair_id] != label_of(pair, rubric)]
    return RuleResult(
        rule=rule,
        n=len(own),
        n_judged=len(judged),
        n_agree=len(judged) - len(wrong),
        false_correct=sum(not label_of(pair, rubric) for pair in wrong),
        false_incorrect=sum(label_of(pair, rubric) for pair in wrong),
        pairs=tuple(pair.pair_id for pair in wrong) if named else (),
    )


def _between(interval: Interval) -> str:
    return f"[{interval.low:.3f}, {interval.high:.3f}]" if not interval.reason else f"[{interval.reason}]"


def as_text(result: Validation) -> str:
    """Return a validation as lines for people: accuracy, kappa, and the confusions by rule."""
    kappa = result.kappa
    unjudged = ", ".join(f"{n} {kind}" for kind, n in result.causes.items())
    lines = [
        f"{result.judge} on {result.n} labelled answers ({result.part}): {result.n_judged} judged, "
        f"{result.n_unjudged} unjudged, {result.n_repaired} replies mended",
        *([f"unjudged: {unjudged}; the last said: {result.example}"] if unjudged else []),
        f"accuracy {result.accuracy.estimate:.3f} {_between(result.accuracy)}",
        f"Cohen's kappa {kappa.kappa:.3f} {_between(kappa.interval)}" if kappa.kappa is not None else kappa.reason,
        f"mean gap of the score {result.score_gap:.3f}" if result.score_gap is not None else "no score",
        "",
        f"{'rule':<22}{'n':>4}{'judged':>8}{'agree':>7}{'wrong passed':>14}{'right failed':>14}  pairs",
    ]
    lines += [
        f"{row.rule:<22}{row.n:>4}{row.n_judged:>8}{row.n_agree:>7}{row.false_correct:>14}{row.false_incorrect:>14}  "
        + " ".join(row.pairs)
        for row in result.rules
    ]
    return "\n".join(lines)
