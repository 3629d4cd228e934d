"""Any system's predictions, judged as MMLongBench-Doc-V2 does and scored by its first scorer beside it.

V2 asks a judge whether the response means the reference (``prompts.EQUIVALENCE_PROMPT``); v1 compared short answers by
rule (``mmlongbench_v1``). A verdict belongs to the question, the reference, the response, the judge and its prompt, so
what was judged once is not judged again, whichever file it stands in, and a response that changed is. A failed judge
call is ``unjudged`` with its reason and asked for again by the next run.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from muddle_utils.inference.client import Patience
from muddle_utils.judging.judges import Judge
from muddle_utils.judging.judging import (
    as_answered,
    current_verdicts,
    judge_responses,
    most_to_pay,
    unjudged,
    verdicts_by_cell,
)
from muddle_utils.scoring.mmlongbench_v1 import score_v1, short_answer
from muddle_utils.study import rows
from muddle_utils.study.records import (
    NOT_ANSWERABLE,
    PREDICTED,
    Join,
    Joined,
    Question,
    Response,
    ScoredRow,
    Verdict,
)
from muddle_utils.study.rows import now
from muddle_utils.study.store import Store

_NOT_YET: Final = "not judged yet"


def is_unanswerable(question: Question) -> bool:
    """Return whether the reference says that the document holds no answer: it begins with "Not answerable"."""
    return question.answer.startswith(NOT_ANSWERABLE)


def stratum_of(question: Question) -> str:
    """Return the one stratum that a question is in.

    Unanswerable before all else; single-page with exactly one evidence page; cross-page otherwise, those that name no
    page included, as both scorers have it.
    """
    if is_unanswerable(question):
        return "unanswerable"
    return "single-page" if len(question.evidence_pages) == 1 else "cross-page"


def text_digest(row: Joined) -> str:
    """Return the digest of the texts that a verdict is about; rows of several systems may share it."""
    return rows.digest(row.question.question, row.question.answer, row.response)


def _to_judge(joins: Sequence[Join]) -> tuple[list[Response], dict[str, Question]]:
    """Return every different (question, reference, response) as a response to judge, and the questions by digest."""
    responses, questions = {}, {}
    for row in (row for join in joins for row in join.rows if row.status == PREDICTED):
        name = text_digest(row)
        responses[name] = as_answered(name, row.response, "prediction", "predictions", "text", name)
        questions[name] = row.question
    # In the order of the digest, so that the order of the rows in a file has no influence.
    return [responses[name] for name in sorted(responses)], questions


def planned(joins: Sequence[Join], judge: Judge, store: Store, waive: Sequence[str] = ()) -> tuple[int, float]:
    """Return how many responses a judge would be asked about, and the most US dollars that this can cost.

    Raises:
        ModelError: a price is unknown, or the judge would not be sent a parameter.
    """
    responses, questions = _to_judge(joins)
    todo = unjudged(responses, questions, judge, store)
    return len(todo), most_to_pay(todo, questions, judge, waive)


async def judge_predictions(
    joins: Sequence[Join],
    judge: Judge,
    store: Store,
    concurrency: int = 8,
    budget: float = 0.0,
    waive: Sequence[str] = (),
    patience: Patience | None = None,
    progress: bool = True,
    refresh: bool = False,
) -> dict[str, Verdict]:
    """Judge every response that has no verdict of this judge yet, and return all verdicts by ``text_digest``.

    Args:
        joins: the systems' answers; what two of them say alike is judged once.
        judge: with the equivalence rubric, see ``judges.find_judge``.
        store: where verdicts are kept.
        concurrency: requests under way at once.
        budget: the most US dollars that this call may cost, whatever the store's verdicts have cost; 0 for no limit.
        waive: parameters that the judge may go without.
        patience: how long to go on trying; None for the usual.
        progress: show a progress bar.
        refresh: judge all of them anew, those with a verdict too; nothing is deleted.

    Raises:
        ModelError, StageStoppedError, StoreError: as with ``judging.judge_responses``.
    """
    responses, questions = _to_judge(joins)
    if refresh:
        store.supersede(current_verdicts(responses, questions, judge, store), now())
    # The store outlives many scorings, and what they cost is paid.
    most = budget + store.spent(at_most=True) if budget else 0.0
    # Two scorings of different files share the store; the second goes on when the first is done.
    await judge_responses(responses, questions, judge, store, concurrency, most, waive, patience, progress, wait=True)
    return verdicts_by_cell(responses, questions, judge, store)


def scored(join: Join, judge: str, verdicts: Mapping[str, Verdict]) -> list[ScoredRow]:
    """Return a system's rows with one judge's verdicts and the v1 scores, in the annotation's order.

    Args:
        join: the system's answers.
        judge: the judge's name.
        verdicts: by ``text_digest``, as ``judge_predictions`` returns them; a response without one is unjudged.
    """
    return [_scored(join.system, row, judge, verdicts.get(text_digest(row))) for row in join.rows]


def _scored(system: str, row: Joined, judge: str, verdict: Verdict | None) -> ScoredRow:
    question, said = row.question, row.status == PREDICTED
    judged = verdict if said and verdict and verdict.status == "judged" else None
    lacking = said and not judged
    answer = (row.pred if row.pred is not None else short_answer(row.response, question.answer_format)) if said else ""
    v1 = score_v1(question.answer, answer, question.answer_format) if said else None
    return ScoredRow(
        system=system,
        judge=judge,
        question_id=question.question_id,
        doc_id=question.document_id,
        question=question.question,
        reference=question.answer,
        answer_format=question.answer_format,
        stratum=stratum_of(question),
        evidence_pages=question.evidence_pages,
        evidence_sources=question.evidence_sources,
        document_type=question.document_type,
        task_type=question.task_type,
        # Without a task type nobody has labelled the question, and False would only be the record's default.
        requires_visual=question.requires_visual if question.task_type else None,
        status=row.status,
        place=row.place,
        response=row.response,
        verdict=("judged" if judged else "unjudged") if said else "",
        equivalent=judged.correct if judged else None,
        abstained=judged.abstained if judged else None,
        reasoning=judged.reasoning if judged else "",
        problem=(verdict.problem if verdict else _NOT_YET) if lacking else "",
        repaired=bool(judged and judged.repaired),
        cost=verdict.cost if said and verdict else None,
        judge_fingerprint=verdict.judge_fingerprint if said and verdict else "",
        judged_on=verdict.time[:10] if said and verdict else "",
        v1_answer=answer,
        v1_answer_by=("the file" if row.pred is not None else "rule") if said else "",
        v1_score=v1.score if v1 else None,
        v1_rule=v1.rule if v1 else "",
        v1_detail=v1.detail if v1 else "",
        error_class=(verdict.error_class or "unparsed" if verdict else _NOT_YET) if lacking else "",
    )
