"""Builds the cells: which documents stand beside each question's source in each condition, and where the source stands.

Everything is drawn from strings that name the question or the cell, so cells do not depend on the order of rows, on
the model or on the modality, and the same corpus and seed give the same bytes (paper, sections 3.2, 3.5 and 3.6).
"""

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from muddle_utils.corpus.curation import FEWER_HARD_NEGATIVES, Leak
from muddle_utils.corpus.retrieval import PoolIndex
from muddle_utils.study.records import (
    CONDITIONS,
    Cell,
    Condition,
    Document,
    Exclusion,
    HardNegative,
    Question,
    Rendering,
    condition_of,
)

PLACEMENT_KEYS: Final = ("cell", "question_k")
ACCIDENTAL_COSINE: Final = 0.30
N_DRAWN: Final = 4
TOO_FEW_HARD_NEGATIVES: Final = "its source has too few hard negatives"
LEAKING_HARD_NEGATIVE: Final = "a hard negative gives the answer away"
POOL_TOO_SMALL: Final = "too few documents to draw from"


class CellSet(NamedTuple):
    """The cells of a study and the cells it could not build, each with its reason."""

    cells: list[Cell]
    exclusions: list[Exclusion]


@dataclass(frozen=True)
class Shortfall:
    """The cells of one source in one condition that cannot be built for one reason.

    ``n_lost`` are these cells, of the source's ``n_questions`` in the condition. ``detail`` is why its candidates were
    rejected where hard negatives are missing, or else the distinct details of the cells.
    """

    document_id: str
    condition: str
    n_questions: int
    n_lost: int
    reason: str
    detail: str


def shortfalls(questions: Sequence[Question], exclusions: Iterable[Exclusion]) -> list[Shortfall]:
    """Return what a study cannot build, by source, condition and reason, from its rows of exclusions."""
    exclusions = list(exclusions)
    places = {f"{asked.question_id}|{name}": (asked.document_id, name) for asked in questions for name in CONDITIONS}
    rejected = {row.identifier: row.detail for row in exclusions if row.reason == FEWER_HARD_NEGATIVES}
    details: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for row in exclusions:
        if row.kind == "cell" and row.identifier in places:
            details[*places[row.identifier], row.reason].append(row.detail)
    n_questions = Counter(asked.document_id for asked in questions)
    return [
        Shortfall(
            source_id,
            condition,
            n_questions[source_id],
            len(found),
            reason,
            rejected[source_id]
            if reason == TOO_FEW_HARD_NEGATIVES and source_id in rejected
            else "; ".join(dict.fromkeys(found)),
        )
        for (source_id, condition, reason), found in sorted(
            details.items(), key=lambda item: (item[0][0], CONDITIONS.index(item[0][1]), item[0][2])
        )
    ]


def random_draw(question_id: str, pool: Iterable[str], n: int = N_DRAWN) -> tuple[str, ...]:
    """Return the nested draw of ``n`` documents from a pool that already leaves out the question's own.

    Random-2 is the first two of the same four. The generator is Python's, seeded with ``randselv2|<question_id>``
    (section 3.5 and appendix A.1 give the string); the pool is sorted first, so that its order does not matter.

    >>> random_draw("q0001", [f"d{number:03d}" for number in range(339)])
    ('d173', 'd040', 'd253', 'd295')

    Raises:
        ValueError: the pool holds fewer than ``n`` documents.
    """
    ordered = sorted(set(pool))
    if len(ordered) < n:
        raise ValueError(f"{question_id}: {n} documents cannot be drawn from a pool of {len(ordered)}")
    return tuple(random.Random(f"randselv2|{question_id}").sample(ordered, n))


def source_position(key: str, k: int, seed: int = 42) -> int:
    """Return the index, from 0 to ``k``, at which the source stands among ``k`` distractors.

    The generator is seeded with ``<seed>|<key>``, and the key is the cell's identifier, so a cell has one placement
    for all models and modalities (section 3.6).

    >>> source_position("q0001|hn-2", 2), source_position("q0001|random-4", 4)
    (2, 3)
    """
    return random.Random(f"{seed}|{key}").randint(0, k)


class _Distractors(NamedTuple):
    """What a question may stand beside: its source's hard negatives in nested order, and its random draw."""

    own: tuple[str, ...]
    drawn: tuple[str, ...]


def build_cells(
    questions: Sequence[Question],
    documents: Iterable[Document],
    hard_negatives: Iterable[HardNegative],
    index: PoolIndex,
    leaks: Mapping[tuple[str, str], Leak],
    conditions: Sequence[str] = CONDITIONS,
    seed: int = 42,
    placement_key: str = "cell",
) -> CellSet:
    """Return every question in every condition, in the order of ``questions`` and ``conditions``.

    The random pool is the hard negatives of all sources together, from which a question's draw leaves out its source,
    all hard negatives of that source, and any document with the same bytes as one of these. What chance puts there is
    kept: a random distractor close to the source (cosine 0.30 or more) or one that gives the answer away is named in
    the cell and never drawn again.

    Args:
        questions: the study's questions.
        documents: the pool, sources included.
        hard_negatives: rows of ``curation.curate``; those with a position are used.
        index: the pool's cosines.
        leaks: from ``curation.find_leaks``. A hard-negative cell whose distractors give its own answer away is
            left out.
        conditions: names out of ``records.CONDITIONS``.
        seed: seed of the placement; the draw has its own fixed key.
        placement_key: ``cell`` (the paper's), or ``question_k``, which gives HN-k and Random-k of a question the same
            position and so pairs the two arms exactly.

    Raises:
        ValueError: an unknown condition or placement key, or a question asked about a document that is not there.
    """
    if placement_key not in PLACEMENT_KEYS:
        raise ValueError(f"placement_key = {placement_key!r} is not known: take one of {', '.join(PLACEMENT_KEYS)}")
    digests = {document.document_id: document.sha256 for document in documents}
    if absent := sorted({question.document_id for question in questions} - digests.keys()):
        raise ValueError(f"questions ask about {absent[0]!r}, which is not among the documents")
    own = _own_hard_negatives(hard_negatives)
    built = CellSet([], [])
    for question in questions:
        nested = own.get(question.document_id, ())
        distractors = _Distractors(nested, _drawn(question, nested, own, digests))
        for condition in map(condition_of, conditions):
            fault = _fault(question, condition, distractors, leaks)
            if fault:
                built.exclusions.append(Exclusion("cell", f"{question.question_id}|{condition.name}", *fault))
            else:
                built.cells.append(_cell(question, condition, distractors, index, leaks, seed, placement_key))
    return built


def _own_hard_negatives(rows: Iterable[HardNegative]) -> dict[str, tuple[str, ...]]:
    placed: dict[str, list[HardNegative]] = defaultdict(list)
    for row in rows:
        if row.position > 0:
            placed[row.document_id].append(row)
    return {
        source_id: tuple(row.candidate_id for row in sorted(found, key=lambda row: row.position))
        for source_id, found in placed.items()
    }


def _drawn(
    question: Question, nested: Sequence[str], own: Mapping[str, Sequence[str]], digests: Mapping[str, str]
) -> tuple[str, ...]:
    barred = {digests[question.document_id], *(digests[document_id] for document_id in nested)}
    pool: dict[str, str] = {}
    for document_id in sorted({candidate for found in own.values() for candidate in found}):
        if digests[document_id] not in barred:
            pool.setdefault(digests[document_id], document_id)
    return random_draw(question.question_id, pool.values(), min(N_DRAWN, len(pool)))


def _fault(
    question: Question, condition: Condition, distractors: _Distractors, leaks: Mapping[tuple[str, str], Leak]
) -> tuple[str, str] | None:
    kind, k = condition.kind, condition.k
    if kind == "hard_negative":
        if len(distractors.own) < k:
            return TOO_FEW_HARD_NEGATIVES, f"{question.document_id} has {len(distractors.own)} of {k}"
        leaking = [name for name in distractors.own[:k] if leaks[question.question_id, name].status == "fail"]
        if leaking:
            return LEAKING_HARD_NEGATIVE, ", ".join(leaking)
    if kind == "random" and len(distractors.drawn) < k:
        return POOL_TOO_SMALL, f"{len(distractors.drawn)} of {k}"
    return None


def _cell(
    question: Question,
    condition: Condition,
    distractors: _Distractors,
    index: PoolIndex,
    leaks: Mapping[tuple[str, str], Leak],
    seed: int,
    placement_key: str,
) -> Cell:
    kind, k = condition.kind, condition.k
    cell_id = f"{question.question_id}|{condition.name}"
    key = cell_id if placement_key == "cell" else f"{question.question_id}|{k}"
    beside = {"none": (), "hard_negative": distractors.own, "random": distractors.drawn}[kind][:k]
    drawn = beside if kind == "random" else ()
    position = source_position(key, k, seed) if k else 0
    draw_keys = {
        "none": "",
        "hard_negative": f"hnselv1|{question.document_id}",
        "random": f"randselv2|{question.question_id}",
    }
    return Cell(
        cell_id=cell_id,
        question_id=question.question_id,
        condition=condition.name,
        k=k,
        distractor_type=kind,
        document_ids=(*beside[:position], question.document_id, *beside[position:]),
        source_position=position,
        draw_key=draw_keys[kind],
        placement_key=f"{seed}|{key}" if k else "",
        accidental_hard_negatives=tuple(
            name for name in drawn if index.cosine(question.document_id, name) >= ACCIDENTAL_COSINE
        ),
        leaking_distractors=tuple(name for name in drawn if leaks[question.question_id, name].status == "fail"),
    )


def sample_sources(questions: Iterable[Question], n: int, seed: int = 42) -> tuple[str, ...]:
    """Return ``n`` source documents for a modality too dear to run on all, spread over the document types.

    Each type's sources are shuffled with the seed ``sources|<seed>|<type>``, and the types take turns in alphabetical
    order until ``n`` are drawn; a larger ``n`` only adds to a smaller one's sample. All sources are returned if there
    are no more than ``n``.
    """
    if n < 1:
        raise ValueError(f"n = {n}: at least one source has to be sampled")
    types: dict[str, set[str]] = defaultdict(set)
    for question in questions:
        types[question.document_type].add(question.document_id)
    queues = []
    for document_type in sorted(types):
        queue = sorted(types[document_type])
        random.Random(f"sources|{seed}|{document_type}").shuffle(queue)
        queues.append(queue)
    turns = [queue[turn] for turn in range(max(map(len, queues), default=0)) for queue in queues if turn < len(queue)]
    return tuple(turns[:n])


def select_cells(
    cells: Iterable[Cell],
    questions: Sequence[Question],
    conditions: Sequence[str] = CONDITIONS,
    limit: int = 0,
    n_sources: int = 0,
    seed: int = 42,
) -> list[Cell]:
    """Return the cells of these conditions, in their order, over all questions or a seeded sample of them.

    ``n_sources`` keeps the questions of that many source documents (``sample_sources``); ``limit`` then keeps that
    many questions, drawn with the seed ``limit|<seed>``. Both are nested: a larger number only adds. 0 keeps all.

    Raises:
        ValueError: a condition is unknown, or a number is negative.
    """
    for condition in conditions:
        condition_of(condition)
    if limit < 0 or n_sources < 0:
        raise ValueError(f"limit = {limit} and n_sources = {n_sources} cannot be negative: 0 takes all")
    kept = list(questions)
    if n_sources:
        sources = set(sample_sources(kept, n_sources, seed))
        kept = [question for question in kept if question.document_id in sources]
    identifiers = sorted(question.question_id for question in kept)
    random.Random(f"limit|{seed}").shuffle(identifiers)
    wanted = set(identifiers[:limit] if limit else identifiers)
    return [cell for cell in cells if cell.condition in conditions and cell.question_id in wanted]


def lost_cells(cells: Iterable[Cell], renderings: Mapping[str, Rendering]) -> list[Exclusion]:
    """Return the cells that cannot be asked because one of their documents has no rendering, with the reason."""
    lost = []
    for cell in cells:
        for document_id in cell.document_ids:
            rendering = renderings.get(document_id)
            if rendering is None or rendering.status != "rendered":
                problem = rendering.problem if rendering else "it was not rendered"
                lost.append(Exclusion("cell", cell.cell_id, "document not rendered", f"{document_id}: {problem}"))
                break
    return lost
