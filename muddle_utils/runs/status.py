"""Where a study stands: what its last plan asks, what is stored, what the next run would do, what it has cost.

Everything is read from the rows on disk and the store; no option of the run has to be repeated. What a changed models
file or prompt would make anew shows after the next plan (``muddle estimate`` says what it would be).
"""

import csv
import dataclasses
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from muddle_utils.inference.client import ModelError
from muddle_utils.inference.errors import FAULTS, LASTING, NEVER, STOP, UNPAID
from muddle_utils.inference.routes import ModelsFileError
from muddle_utils.judging.judges import Judge, find_judge
from muddle_utils.runs.settings import command_of
from muddle_utils.runs.stored import stored_settings
from muddle_utils.study.labels import dollars, text_table
from muddle_utils.study.paths import Study
from muddle_utils.study.records import Exclusion, Question, Request, Response, Verdict, response_key
from muddle_utils.study.rows import is_whole, judged_digest, read_requests, read_rows
from muddle_utils.study.store import Store

Key = tuple[str, str, int]

_NOT_SENT: Final = "not yet sent"


@dataclass(frozen=True)
class ModelStatus:
    """One model in one modality; counts are requests. ``failed`` is by error class, ``infeasible`` by limit.

    ``to_send`` says why the next run would send what it would send: ``not yet sent``, an error class, or what the
    last plan changed about a request that has an answer in its older form.
    """

    model: str
    modality: str
    asked: int
    answered: int
    failed: Mapping[str, int]
    infeasible: Mapping[str, int]
    not_yet_sent: int
    lost: int
    to_send: Mapping[str, int]


@dataclass(frozen=True)
class JudgeStatus:
    """One judge on the answers of one model in one modality; ``unjudged`` is by reason, ``stale`` by what changed.

    ``read_again`` are verdicts that another version of the parser read: today's reads them again for nothing.
    """

    judge: str
    model: str
    modality: str
    answers: int
    judged: int
    unjudged: Mapping[str, int]
    stale: Mapping[str, int]
    read_again: int
    not_judged: int
    problem: str = ""


@dataclass(frozen=True)
class OldAnswers:
    """Stored answers to requests that the last plan does not hold, by what is different in its own."""

    model: str
    modality: str
    changed: str
    answers: int
    cost: float
    asked_anew: int


@dataclass(frozen=True)
class StudyStatus:
    """A whole study; costs in US dollars, ``unknown_costs`` the rows that may have cost something nobody said.

    ``command`` goes on with the study.
    """

    study: str
    models: Sequence[ModelStatus]
    judges: Sequence[JudgeStatus]
    old_answers: Sequence[OldAnswers]
    spent_answers: float
    spent_verdicts: float
    unknown_costs: int
    first: str
    last: str
    problems: Sequence[str] = field(default_factory=tuple)
    command: str = ""


# --- Answers --------------------------------------------------------------------------------------------------------


def changed_parts(old: Response, new: Request) -> str:
    """Return what is different between a stored answer's request and the plan's, as a comma-separated list."""
    if not old.components or not new.components:
        return "something (stored before the parts of a request were)"
    before, after = json.loads(old.components), json.loads(new.components)
    parts = [name for name in after if before.get(name) != after[name]]
    return ", ".join(parts) or "the route's own settings"


def _place(row: Request | Response) -> tuple[str, int]:
    return row.cell_id, row.replicate


def _old_answers(stored: Sequence[Response], requests: Sequence[Request]) -> list[tuple[Response, str]]:
    """Return the answers to other requests than these, each with what changed."""
    wanted = {response_key(request) for request in requests}
    by_place = {_place(request): request for request in requests}
    found = []
    for row in stored:
        if row.status != "answered" or row.condition == "canary" or response_key(row) in wanted:
            continue
        request = by_place.get(_place(row))
        found.append((row, changed_parts(row, request) if request else "not in the plan any more"))
    return found


def _model_status(
    model: str,
    modality: str,
    requests: Sequence[Request],
    stored: Mapping[Key, Response],
    older: Mapping[tuple[str, int], str],
    lost: int,
) -> ModelStatus:
    answered, not_sent = 0, 0
    failed: Counter[str] = Counter()
    infeasible: Counter[str] = Counter()
    to_send: Counter[str] = Counter()
    for request in requests:
        row = stored.get(response_key(request))
        if request.infeasible:
            infeasible[request.infeasible] += 1
        elif row is None:
            not_sent += 1
            changed = older.get(_place(request))
            to_send[f"{changed} changed" if changed else _NOT_SENT] += 1
        elif row.status == "answered":
            answered += 1
        else:
            failed[row.error_class] += 1
            if row.error_class not in LASTING:
                to_send[row.error_class] += 1
    return ModelStatus(
        model, modality, len(requests), answered, dict(failed), dict(infeasible), not_sent, lost, dict(to_send)
    )


# --- Verdicts -------------------------------------------------------------------------------------------------------


def _readings(name: str, models_file: str) -> list[Judge]:
    """Return what a judge of this name can be today: as the files have it, or at an address given by hand."""
    return [find_judge(name, models_file), find_judge(name, "", "http://by-hand")]


def _today(name: str, verdicts: Sequence[Verdict], models_file: str) -> Judge:
    """Return the judge whose verdicts these are if one of today's readings of the name is, or else the files' one."""
    judges = _readings(name, models_file)
    latest = max(verdict.time for verdict in verdicts)
    used = {verdict.judge_fingerprint for verdict in verdicts if verdict.time == latest}
    return next((judge for judge in judges if judge.fingerprint in used), judges[0])


def _verdict_state(verdicts: Sequence[Verdict], judge: Judge, digest: str) -> tuple[str, str]:
    """Return what an answer's verdicts come to under today's judge: (state, reason)."""
    if not verdicts:
        return "not judged", ""
    about = [row for row in verdicts if row.judged_digest == digest]
    own = [row for row in about if row.judge_fingerprint == judge.fingerprint]
    if not about:
        return "stale", "the answer or its reference changed"
    if not own:
        return "stale", "another prompt, model or parameters"
    row = own[-1]
    if row.parser != judge.reading:
        return ("read again", "") if is_whole(row) else ("stale", "another parser")
    if row.status == "judged":
        return "judged", ""
    return "unjudged", row.error_class or "unparsed"


def _judge_status(
    judge: Judge, answers: Sequence[Response], verdicts: Sequence[Verdict], questions: Mapping[str, Question]
) -> JudgeStatus:
    by_key: dict[Key, list[Verdict]] = {}
    for verdict in verdicts:
        by_key.setdefault(response_key(verdict), []).append(verdict)
    states = Counter(
        _verdict_state(by_key.get(response_key(row), []), judge, judged_digest(questions[row.question_id], row))
        for row in answers
    )
    model, modality = answers[0].model, answers[0].modality
    return JudgeStatus(
        judge.name,
        model,
        modality,
        answers=len(answers),
        judged=states["judged", ""],
        unjudged={why: n for (state, why), n in states.items() if state == "unjudged"},
        stale={why: n for (state, why), n in states.items() if state == "stale"},
        read_again=states["read again", ""],
        not_judged=states["not judged", ""],
    )


def _judge_statuses(
    store: Store, answers: Mapping[tuple[str, str], list[Response]], questions: Mapping[str, Question], models_file: str
) -> tuple[list[JudgeStatus], list[str]]:
    """Return a row for each judge, model and modality, and a sentence for each judge that the files do not explain."""
    rows, problems = [], []
    everything = store.verdicts()
    for name in dict.fromkeys(verdict.judge for verdict in everything):
        verdicts = [verdict for verdict in everything if verdict.judge == name]
        try:
            judge = _today(name, verdicts, models_file)
            if not models_file and not any(verdict.judge_fingerprint == judge.fingerprint for verdict in verdicts):
                problems.append(
                    f"judge {name!r} is not as the kit's own models file has it: give yours (--models-file)"
                )
                continue
        except (ModelError, ModelsFileError) as error:
            problems.append(str(error))
            continue
        for (model, modality), stored in answers.items():
            own = [row for row in verdicts if (row.model, row.modality) == (model, modality)]
            if stored:
                rows.append(_judge_status(judge, stored, own, questions))
    return rows, problems


# --- The whole ------------------------------------------------------------------------------------------------------


def _costs(rows: Iterable[Response | Verdict]) -> tuple[float, int]:
    """Return the known US dollars, and the number of rows that may have cost something that nobody said."""
    known, unknown = 0.0, 0
    for row in rows:
        if row.cost is not None:
            known += row.cost
        elif row.status != "superseded" and (row.error_class not in UNPAID or row.at_most):
            unknown += 1
    return known, unknown


def _read_lost(study: Study, modality: str) -> int:
    path = study.rows(f"lost_{modality}")
    return len(read_rows(path, Exclusion)) if path.is_file() else 0


def read_status(study: Study, models_file: str = "") -> StudyStatus:
    """Return where a study stands; nothing is written, and no store is made where there is none.

    Raises:
        RowsError, StoreError: a row file or the database cannot be read.
        ModelsFileError: a models file cannot be used.
    """
    plans = read_requests(study)
    if not study.store.exists():
        models = [
            _model_status(*pair, requests, {}, {}, _read_lost(study, pair[1])) for pair, requests in plans.items()
        ]
        return StudyStatus(study.name, models, (), (), 0.0, 0.0, 0, "", "")
    with Store(study.store, read_only=True) as store:
        status = _stored_status(study, plans, store, models_file)
    return dataclasses.replace(status, command=command_of(stored_settings(study)))


def _stored_status(
    study: Study, plans: Mapping[tuple[str, str], list[Request]], store: Store, models_file: str
) -> StudyStatus:
    models, old_answers = [], []
    answers: dict[tuple[str, str], list[Response]] = {}
    attempts, verdicts = store.attempts(), store.verdicts()
    stored_pairs = dict.fromkeys((row.model, row.modality) for row in attempts)
    for pair in dict.fromkeys([*plans, *stored_pairs]):
        requests = plans.get(pair, [])
        stored = store.responses(*pair)
        by_key = {response_key(row): row for row in stored}
        old = _old_answers(stored, requests)
        status = _model_status(
            *pair, requests, by_key, {_place(row): why for row, why in old}, _read_lost(study, pair[1])
        )
        models += [status] if requests else []
        wanted = [by_key[response_key(row)] for row in requests if response_key(row) in by_key]
        answers[pair] = [row for row in wanted if row.status == "answered"]
        old_answers += _grouped(pair, old, requests, by_key)
    questions_file = study.rows("questions")
    questions = (
        {row.question_id: row for row in read_rows(questions_file, Question)} if questions_file.is_file() else {}
    )
    judges, problems = _judge_statuses(store, answers, questions, models_file)
    spent_answers, unknown_answers = _costs(attempts)
    # What superseded verdicts have cost is spent, too.
    spent_verdicts, unknown_verdicts = store.spent() - spent_answers, _costs(verdicts)[1]
    times = [*(row.time for row in attempts), *(row.time for row in verdicts)]
    return StudyStatus(
        study.name,
        models,
        judges,
        old_answers,
        spent_answers,
        spent_verdicts,
        unknown_answers + unknown_verdicts,
        min(times, default=""),
        max(times, default=""),
        problems,
    )


def _grouped(
    pair: tuple[str, str],
    old: Sequence[tuple[Response, str]],
    requests: Sequence[Request],
    by_key: Mapping[Key, Response],
) -> list[OldAnswers]:
    open_places = {
        _place(request) for request in requests if not request.infeasible and response_key(request) not in by_key
    }
    rows = []
    for why in dict.fromkeys(why for _, why in old):
        own = [row for row, other in old if other == why]
        anew = {_place(row) for row in own} & open_places
        rows.append(OldAnswers(*pair, why, len(own), sum(row.cost or 0.0 for row in own), len(anew)))
    return rows


# --- For people -----------------------------------------------------------------------------------------------------


def rule_of(error_class: str) -> str:
    """Return when a request or verdict that ended in this way is asked again.

    >>> rule_of("timeout"), rule_of("context_exceeded")
    ('tried again by the next run', 'only with --refresh failed')
    """
    again = FAULTS[error_class].again if error_class in FAULTS else ""
    if again == NEVER:
        return "only with --refresh failed"
    return "stopped the stage; tried again by the next run" if again == STOP else "tried again by the next run"


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{n} {name}" for name, n in counts.items()) or "-"


def _counted(about: Sequence[str], rows: Sequence[tuple[Sequence[str], Mapping[str, int]]]) -> str:
    """Return a table of what each row is about and of its counts by name; there is at least one row."""
    numbers = tuple(rows[0][1])
    lines = [[*named, *(f"{n:,}" for n in counts.values())] for named, counts in rows]
    return text_table([*about, *numbers], lines, right=numbers)


def _models_text(rows: Sequence[ModelStatus]) -> str:
    if not rows:
        return "No requests are planned yet: notebook 03 plans them."
    counts = [
        (
            [row.model, row.modality],
            {
                "asked": row.asked,
                "answered": row.answered,
                "failed": sum(row.failed.values()),
                "infeasible": sum(row.infeasible.values()),
                "not yet sent": row.not_yet_sent,
                "lost": row.lost,
            },
        )
        for row in rows
    ]
    return "\n".join([_counted(["model", "modality"], counts), *_unanswered(rows)])


def _unanswered(rows: Iterable[ModelStatus]) -> list[str]:
    """Return a line for each reason why requests of a model have no answer."""
    never = [
        f"  {row.model} {row.modality}: {n} {name.replace('_', ' ')} limit: infeasible, never sent"
        for row in rows
        for name, n in row.infeasible.items()
    ]
    failed = [
        f"  {row.model} {row.modality}: {n} {name}: {rule_of(name)}" for row in rows for name, n in row.failed.items()
    ]
    return never + failed


def _judges_text(rows: Sequence[JudgeStatus]) -> str:
    if not rows:
        return "Nothing is judged yet."
    counts = [
        (
            [row.judge, row.model, row.modality],
            {
                "answers": row.answers,
                "judged": row.judged,
                "unjudged": sum(row.unjudged.values()),
                "stale": sum(row.stale.values()),
                "not judged yet": row.not_judged,
                "to be read again": row.read_again,
            },
        )
        for row in rows
    ]
    return "\n".join([_counted(["judge", "of", "modality"], counts), *_unjudged(rows)])


def _unjudged(rows: Iterable[JudgeStatus]) -> list[str]:
    """Return a line for each reason why answers have no verdict of today's judge."""
    lines = []
    for row in rows:
        where = f"  {row.judge} of {row.model} {row.modality}"
        lines += [f"{where}: {n} unjudged, {name}: {rule_of(name)}" for name, n in row.unjudged.items()]
        lines += [f"{where}: {n} stale, {why}: judged anew by the next run" for why, n in row.stale.items()]
        if row.read_again:
            lines.append(f"{where}: {row.read_again} read by another version of the parser: read again for nothing")
    return lines


def _next_text(status: StudyStatus) -> str:
    if not status.models:
        return "The next run plans the requests, and sends them."
    sent = [
        f"  {row.model} {row.modality}: {sum(row.to_send.values()):,} to send ({_listed(row.to_send)})"
        for row in status.models
        if row.to_send
    ]
    judged = []
    for judge in status.judges:
        unjudged = sum(n for name, n in judge.unjudged.items() if name not in LASTING)
        if n := judge.not_judged + sum(judge.stale.values()) + unjudged:
            judged.append(f"  {judge.judge} of {judge.model} {judge.modality}: {n:,} stored answers to judge")
    if not status.judges:
        judged = [
            f"  {row.model} {row.modality}: {row.answered:,} stored answers to judge"
            for row in status.models
            if row.answered
        ]
    nothing = ["  nothing is left to do"] if not status.problems else []
    on = [f"  {status.command}"] if status.command and (sent or judged) else []
    return "\n".join(["The next run, with the plan as it is:", *(sent + judged or nothing), *on])


def _old_text(rows: Sequence[OldAnswers], any_rows: bool) -> str:
    if not rows:
        return "Every stored answer belongs to the last plan." if any_rows else "No answer is stored yet."
    table = text_table(
        ["model", "modality", "what is different in the last plan", "answers", "their cost", "asked anew"],
        [
            [row.model, row.modality, row.changed, f"{row.answers:,}", dollars(row.cost), f"{row.asked_anew:,}"]
            for row in rows
        ],
        right=("answers", "their cost", "asked anew"),
    )
    return f"Answers to requests that the last plan does not hold (kept, and used by no table):\n{table}"


def report(status: StudyStatus) -> str:
    """Return the status as plain text."""
    times = f"First row {status.first}, last row {status.last}." if status.first else "The store is empty."
    parts = [
        f"Study {status.study}",
        _models_text(status.models),
        "\n".join([_judges_text(status.judges), *(f"  {problem}" for problem in status.problems)]),
        _old_text(status.old_answers, bool(status.first)),
        _next_text(status),
        f"{_spent_text(status)}\n{times}",
    ]
    return "\n\n".join(parts)


def _spent_text(status: StudyStatus) -> str:
    unknown = f", and {status.unknown_costs:,} rows of unknown cost" if status.unknown_costs else ""
    return (
        f"Spent so far: {dollars(status.spent_answers + status.spent_verdicts)} "
        f"({dollars(status.spent_answers)} for answers, {dollars(status.spent_verdicts)} for verdicts){unknown}."
    )


# --- What a run says at its end -------------------------------------------------------------------------------------


def ending(study: Study, models_file: str, analysed: bool) -> str:
    """Return what came of a run: accuracies if it ``analysed``, what was lost and why, what is left, what it cost.

    Raises:
        RowsError, StoreError: a row file or the database cannot be read.
        ModelsFileError: a models file cannot be used.
    """
    status = read_status(study, models_file)
    lost = [f"  {row.model} {row.modality}: {row.lost} lost before asking" for row in status.models if row.lost]
    missing = [
        *lost,
        *_unanswered(status.models),
        *_unjudged(status.judges),
        *(f"  {each}" for each in status.problems),
    ]
    parts = [
        _found_text(study) if analysed else "",
        "\n".join(["Not scored:", *missing]) if missing else "",
        _next_text(status),
        _spent_text(status),
    ]
    return "\n\n".join(filter(None, parts))


def _found_text(study: Study) -> str:
    """Return accuracy by model, modality and condition, and the claims about topic, from the tables that were made."""
    header = ["model", "modality", "condition", "accuracy", "judged of asked", "documents"]
    rows = [
        [
            row["model"],
            row["modality"],
            row["condition"],
            f"{float(row['accuracy']):.3f} [{float(row['low']):.3f}, {float(row['high']):.3f}]" if row["low"] else "-",
            f"{int(row['n_judged']):,} of {int(row['n_asked']):,}",
            row["n_documents"],
        ]
        for row in _made(study, "table_1")
    ]
    claims = [row["claim"] for row in _made(study, "claims") if row["research_question"] == "RQ1"]
    return "\n".join([text_table(header, rows, right=header[4:]), *claims]) if rows else ""


def _made(study: Study, table: str) -> list[dict[str, str]]:
    path = study.figures / f"{table}.csv"
    if not path.is_file():
        return []
    with path.open(encoding="utf-8", newline="") as rows:
        return list(csv.DictReader(rows))


def as_json(status: StudyStatus) -> str:
    """Return the status as one JSON object."""
    return json.dumps(dataclasses.asdict(status), ensure_ascii=False)
