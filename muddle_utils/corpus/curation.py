"""Chooses each source's hard negatives from a ranked pool by gates, and keeps a row for every candidate looked at.

A hard negative is close to the source in topic, is no near-duplicate of it, does not hold the answer, and has 10 to
40 pages (paper, sections 3.3 and 3.4, appendix A.1). These gates are automatic; the paper's model-assisted ratings
and manual review are not made here.
"""

import random
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from muddle_utils.corpus.retrieval import PoolIndex, Ranked
from muddle_utils.scoring.phrases import WORD_OR_SIGN, find_phrase, normalise, searchable_items
from muddle_utils.study.records import Cell, Document, Exclusion, HardNegative, Question

ACADEMIC: Final = "Academic paper"
LEAK_SCOPES: Final = ("source", "question")
FEWER_HARD_NEGATIVES: Final = "too few hard negatives"
# Three quarters of all pairs of MMLongBench-Doc's documents have a lower cosine (median 0.03): what is under it shares
# no more with the source than any two documents do. In a pool of a few documents chance alone gives about 0.1.
COSINE_FLOOR: Final = 0.05
CHOSEN: Final = "chosen"
RECHECK_LEAK: Final = "answer leak in the study's text"
RECHECK_JACCARD: Final = "near-duplicate in the study's text"


@dataclass(frozen=True)
class Gates:
    """The limits a candidate has to keep, and how strictly (paper, sections 3.3 and 3.4).

    ``pages`` and ``cosine`` are bands with both ends allowed; ``jaccard`` is the first value refused. The lower end
    of the cosine band is a matter of the pool: a cosine falls with the size and variety of what the vectoriser was
    fitted on. With ``keep_weak`` a candidate under it is rated ``weak`` and used only where no good one is left.
    Academic papers have no cosine band: the paper finds their distractors by citation search. No candidate under
    ``floor`` is kept, whatever its type. Band and floor do not bind what the corpus names for a source, except the
    band's upper end, which keeps near-duplicates out.
    """

    pages: tuple[int, int] = (10, 40)
    cosine: tuple[float, float] = (0.30, 0.85)
    jaccard: float = 0.45
    keep: int = 4
    depth: int = 1000
    allow_sources: bool = False
    keep_weak: bool = False
    floor: float = COSINE_FLOOR
    leak_scope: str = "source"

    def __post_init__(self) -> None:
        """Refuse limits that no candidate could keep, and unknown scopes."""
        if self.leak_scope not in LEAK_SCOPES:
            raise ValueError(f"leak_scope = {self.leak_scope!r} is not known: take one of {', '.join(LEAK_SCOPES)}")
        for name in ("pages", "cosine"):
            low, high = getattr(self, name)
            if low > high:
                raise ValueError(f"{name} = ({low}, {high}) is not a band: give the lower end first")
        if not 0.0 < self.floor <= 1.0:
            raise ValueError(f"cosine floor = {self.floor}: it has to be above 0 and at most 1")
        if self.keep < 1 or self.depth < 1:
            raise ValueError(f"keep = {self.keep} and depth = {self.depth} have to be 1 or more")


class Leak(NamedTuple):
    """Whether a text gives an answer away: ``pass``, ``fail`` or ``not_applicable``; ``where`` quotes what was found.

    ``warning`` names the items of a list answer that were found although not all of them were.
    """

    status: str
    where: str
    warning: str = ""


class Curation(NamedTuple):
    """Every candidate looked at, kept or rejected, and the sources that got fewer hard negatives than asked for."""

    hard_negatives: list[HardNegative]
    exclusions: list[Exclusion]


# --- Answer leak -----------------------------------------------------------------------------------------------------


def answer_leak(question: Question, normalised_text: str) -> Leak:
    """Tell whether ``normalised_text`` holds the answer to ``question`` word for word.

    A list answer leaks if all of its searchable items are found. ``not_applicable`` means that no part of the answer
    can be searched for, which is not the same as passing.
    """
    items = searchable_items(question)
    if not items:
        return Leak("not_applicable", "")
    found = [(item, place) for item in items if (place := find_phrase(item, normalised_text)) >= 0]
    if len(found) < len(items):
        return Leak("pass", "", ", ".join(item for item, _ in found))
    item, place = found[0]
    excerpt = normalised_text[max(0, place - 40) : place + len(item) + 40]
    return Leak("fail", f"…{excerpt}…")


def find_leaks(questions: Iterable[Question], texts: Mapping[str, str]) -> dict[tuple[str, str], Leak]:
    """Return the leak of every (question_id, document_id), the question's own source left out."""
    normalised = {document_id: normalise(text) for document_id, text in texts.items()}
    return {
        (question.question_id, document_id): answer_leak(question, text)
        for question in questions
        for document_id, text in normalised.items()
        if document_id != question.document_id
    }


# --- Token overlap ---------------------------------------------------------------------------------------------------


def tokens(text: str) -> list[str]:
    """Return the words of ``text`` in order: runs of word characters after NFKC and lower case."""
    return WORD_OR_SIGN.findall(unicodedata.normalize("NFKC", text).lower())


def jaccard(one: Set[str], other: Set[str]) -> float:
    """Return the share of two token sets' union that they have in common, 0 if both are empty."""
    common = len(one & other)
    union = len(one) + len(other) - common
    return common / union if union else 0.0


def shingles(words: Sequence[str], n: int = 5) -> frozenset[int]:
    """Return the distinct word n-grams of a text, each as its hash: good for comparing within one process only."""
    return frozenset(map(hash, zip(*(words[start:] for start in range(n)), strict=False)))


def containment(candidate: Set[int], source: Set[int]) -> float:
    """Return the share of the candidate's shingles that the source holds too, 0 if it has none.

    It finds near-duplicates of any length, which the Jaccard of token sets does not: that grows with length.
    """
    return len(candidate & source) / len(candidate) if candidate else 0.0


# --- Selection -------------------------------------------------------------------------------------------------------


def _by_source(questions: Iterable[Question]) -> Mapping[str, list[Question]]:
    """Return the questions about each source; one that nothing is asked about has none."""
    found: dict[str, list[Question]] = defaultdict(list)
    for question in questions:
        found[question.document_id].append(question)
    return found


@dataclass(frozen=True)
class _Pool:
    documents: Mapping[str, Document]
    vocabulary: Mapping[str, frozenset[str]]
    shingles: Mapping[str, frozenset[int]]
    sources: frozenset[str]
    leaks: Mapping[tuple[str, str], Leak]
    gates: Gates
    chosen: Mapping[str, Sequence[str]]


def curate(
    questions: Sequence[Question],
    documents: Iterable[Document],
    texts: Mapping[str, str],
    index: PoolIndex,
    leaks: Mapping[tuple[str, str], Leak],
    gates: Gates | None = None,
    chosen: Mapping[str, Sequence[str]] | None = None,
) -> Curation:
    """Return the hard negatives of every document that a question is about.

    The candidates that are ``chosen`` for a source come first, in the order given; then the ranks are walked from the
    top. The first ``keep`` candidates that pass every gate are kept, good ones before weak ones, and a rejected
    candidate's row names the one that took its place. Chosen ones enter HN-2 and HN-4 in their order; the order of the
    others is drawn with the seed ``hnselv1|<source>``. Both are stored as ``position``.

    Args:
        questions: all questions of the study; a candidate must not give away any of its source's answers (scope
            ``source``), or must not give away all of them (scope ``question``: the questions it does give away lose
            the cells it stands in, in ``cells.build_cells``).
        documents: the pool, sources included.
        texts: document_id to text, from one renderer for all documents. A document without text is never kept.
        index: the pool ranked, fitted on the same texts.
        leaks: from ``find_leaks`` on the same texts.
        gates: the limits; None takes the paper's.
        chosen: source to the candidates that a person chose for it, which may be sources themselves.

    Raises:
        ValueError: a chosen candidate is not in the pool, or is the source itself.
    """
    gates = gates or Gates()
    by_source = _by_source(questions)
    words = {document_id: tokens(text) for document_id, text in texts.items()}
    pool = _Pool(
        documents={document.document_id: document for document in documents},
        vocabulary={document_id: frozenset(found) for document_id, found in words.items()},
        shingles={document_id: shingles(found) for document_id, found in words.items()},
        sources=frozenset(by_source),
        leaks=leaks,
        gates=gates,
        chosen=chosen or {},
    )
    curation = Curation([], [])
    for source_id in sorted(by_source):
        ranked = _walk(pool, source_id, index)
        rows = _choose(source_id, [_assess(pool, source_id, by_source[source_id], item) for item in ranked], pool)
        curation.hard_negatives.extend(rows)
        n_kept = sum(row.position > 0 for row in rows)
        if n_kept < gates.keep:
            curation.exclusions.append(
                Exclusion("source", source_id, FEWER_HARD_NEGATIVES, f"{n_kept} of {gates.keep}; {_why(rows)}")
            )
    return curation


def _walk(pool: _Pool, source_id: str, index: PoolIndex) -> list[Ranked]:
    """Return what is looked at for a source: what was chosen for it in its order, then the others by rank."""
    ranked = {item.document_id: item for item in index.rank(source_id) if item.document_id in pool.documents}
    names = pool.chosen.get(source_id, ())
    if absent := [name for name in names if name not in ranked]:
        raise ValueError(f"{absent[0]!r} is chosen for {source_id!r}, but it is no other document of the pool")
    own = [ranked.pop(name) for name in names]
    return [*own, *ranked.values()][: max(pool.gates.depth, len(own))]


def _why(rows: Sequence[HardNegative]) -> str:
    if not rows:
        return "the pool holds no other document"
    counts = Counter(row.reason for row in rows if row.position == 0)
    return "rejected: " + (", ".join(f"{n} {reason}" for reason, n in counts.most_common()) or "none")


class _SourceLeak(NamedTuple):
    status: str
    where: str
    n_failed: int
    n_searchable: int


def _source_leak(
    leaks: Mapping[tuple[str, str], Leak], questions: Sequence[Question], candidate_id: str
) -> _SourceLeak:
    found = {question.question_id: leaks[question.question_id, candidate_id] for question in questions}
    where = [f"{question_id}: {leak.where}" for question_id, leak in found.items() if leak.status == "fail"]
    n_searchable = sum(leak.status != "not_applicable" for leak in found.values())
    status = "fail" if where else "pass" if n_searchable else "not_applicable"
    return _SourceLeak(status, "; ".join(where), len(where), n_searchable)


def _assess(pool: _Pool, source_id: str, questions: Sequence[Question], ranked: Ranked) -> HardNegative:
    candidate = pool.documents[ranked.document_id]
    leak = _source_leak(pool.leaks, questions, candidate.document_id)
    row = HardNegative(
        document_id=source_id,
        candidate_id=candidate.document_id,
        rank=ranked.rank,
        score=round(ranked.score, 6),
        cosine=round(ranked.cosine, 6),
        jaccard=round(jaccard(pool.vocabulary[candidate.document_id], pool.vocabulary[source_id]), 6),
        shingle_containment=round(containment(pool.shingles[candidate.document_id], pool.shingles[source_id]), 6),
        leak=leak.status,
        leak_where=leak.where,
        n_pages=candidate.n_pages,
        verdict="good",
        reason="",
        replaced_by="",
        position=0,
    )
    if candidate.document_id in pool.chosen.get(source_id, ()):
        row = replace(row, origin=CHOSEN)
    topical = pool.documents[source_id].document_type != ACADEMIC
    rejected = (
        _unfit(pool, source_id, candidate, row.origin)
        or _out_of_band(pool.gates, row, topical)
        or _leaking(pool.gates, leak)
    )
    if rejected:
        return replace(row, verdict="bad", reason=rejected[0], detail=rejected[1])
    if topical and row.origin != CHOSEN and row.cosine < pool.gates.cosine[0]:
        reason, detail = _under(pool.gates, row)
        row = replace(row, verdict="weak", reason=reason, detail=detail)
    return row


# Why a candidate is rejected or weak, and with which value; None where it is neither.
_Fault = tuple[str, str]


def _unfit(pool: _Pool, source_id: str, candidate: Document, origin: str) -> _Fault | None:
    if candidate.problem:
        return "unreadable", candidate.problem
    if candidate.sha256 == pool.documents[source_id].sha256:
        return "same bytes as the source", ""
    if candidate.document_id in pool.sources and not pool.gates.allow_sources and origin != CHOSEN:
        return "already in the benchmark", "it is the source of other questions"
    if not pool.vocabulary[candidate.document_id]:
        return "no text layer", ""
    return None


def _under(gates: Gates, row: HardNegative) -> _Fault:
    return "cosine under the band", f"{row.cosine:.3f} < {gates.cosine[0]}"


def _out_of_band(gates: Gates, row: HardNegative, topical: bool) -> _Fault | None:
    if not gates.pages[0] <= row.n_pages <= gates.pages[1]:
        return "page band", f"{row.n_pages} pages, not {gates.pages[0]} to {gates.pages[1]}"
    if topical and row.cosine > gates.cosine[1]:
        return "cosine over the band", f"{row.cosine:.3f} > {gates.cosine[1]}"
    if row.origin != CHOSEN and (distant := _distant(gates, row, topical)):
        return distant
    if row.jaccard >= gates.jaccard:
        return "token overlap", f"Jaccard {row.jaccard:.3f}, not under {gates.jaccard}"
    return None


def _distant(gates: Gates, row: HardNegative, topical: bool) -> _Fault | None:
    if row.cosine < gates.floor:
        return "cosine under the floor", f"{row.cosine:.4f} < {gates.floor}"
    return _under(gates, row) if topical and row.cosine < gates.cosine[0] and not gates.keep_weak else None


def _leaking(gates: Gates, leak: _SourceLeak) -> _Fault | None:
    too_many = leak.n_searchable if gates.leak_scope == "question" else 1
    if leak.n_failed and leak.n_failed >= too_many:
        return "answer leak", f"{leak.n_failed} of {leak.n_searchable} searchable answers; {leak.where}"
    return None


def _choose(source_id: str, rows: Sequence[HardNegative], pool: _Pool) -> list[HardNegative]:
    """Return the rows in their order with the first survivors placed, and each other one's replacement named."""
    kept: list[str] = []
    digests: dict[str, str] = {}
    chosen: dict[str, HardNegative] = {}
    for row in sorted(rows, key=lambda row: row.verdict == "weak"):
        if row.verdict != "bad" and len(kept) < pool.gates.keep:
            digest = pool.documents[row.candidate_id].sha256
            if twin := digests.get(digest):
                row = replace(row, verdict="bad", reason="same bytes as another candidate", detail=twin)
            else:
                kept.append(row.candidate_id)
                digests[digest] = row.candidate_id
        elif row.verdict == "good" and row.origin == CHOSEN:
            row = replace(row, reason="not needed", detail=f"{pool.gates.keep} stand before it")
        chosen[row.candidate_id] = row
    drawn = [name for name in kept if chosen[name].origin != CHOSEN]
    random.Random(f"hnselv1|{source_id}").shuffle(drawn)
    order = [*(name for name in kept if chosen[name].origin == CHOSEN), *drawn]
    replacements = _replacements(rows, kept, pool.gates.keep)
    last = max((place for place, row in enumerate(rows) if row.candidate_id in kept), default=len(rows))
    return [
        replace(
            chosen[row.candidate_id],
            replaced_by=replacements.get(row.candidate_id, ""),
            position=order.index(row.candidate_id) + 1 if row.candidate_id in kept else 0,
        )
        for place, row in enumerate(rows)
        if len(kept) < pool.gates.keep or place <= last or row.origin == CHOSEN
    ]


def _replacements(rows: Sequence[HardNegative], kept: Sequence[str], n_slots: int) -> dict[str, str]:
    """Return what took the place of each rejected candidate.

    The first ``n_slots`` ranks stand in the slots. A rejected one's slot goes to the next candidate in rank order that
    stands in none, and if that is rejected too, to the next again: all of them were replaced by the one that stayed.
    """
    queue = [row.candidate_id for row in rows]
    slots, spares = queue[:n_slots], iter(queue[n_slots:])
    replaced: dict[str, str] = {}
    for first in slots:
        tried = [first]
        while tried[-1] not in kept and (spare := next(spares, None)) is not None:
            tried.append(spare)
        if tried[-1] in kept:
            replaced.update(dict.fromkeys(tried[:-1], tried[-1]))
    return replaced


# --- Recheck ---------------------------------------------------------------------------------------------------------


def recheck_gates(
    hard_negatives: Iterable[HardNegative],
    questions: Sequence[Question],
    texts: Mapping[str, str],
    gates: Gates | None = None,
) -> list[Exclusion]:
    """Return the kept hard negatives that fail the token-overlap or the leak gate on other texts than curation's.

    Candidates are chosen on a fast rendering; the study sends another one, in which an answer may have become
    readable. A pair is named ``<source>|<candidate>``. A leak that curation already knew of is not reported again.
    """
    gates = gates or Gates()
    pairs = [row for row in hard_negatives if row.position > 0]
    by_source = _by_source(questions)
    involved = {row.document_id for row in pairs} | {row.candidate_id for row in pairs}
    vocabulary = {
        document_id: frozenset(tokens(texts[document_id])) for document_id in involved if document_id in texts
    }
    normalised = {row.candidate_id: normalise(texts[row.candidate_id]) for row in pairs if row.candidate_id in texts}
    found = []
    for row in pairs:
        name = f"{row.document_id}|{row.candidate_id}"
        if row.document_id in vocabulary and row.candidate_id in vocabulary:
            overlap = jaccard(vocabulary[row.document_id], vocabulary[row.candidate_id])
            if overlap >= gates.jaccard:
                found.append(Exclusion("hard_negative", name, RECHECK_JACCARD, f"{overlap:.3f}, was {row.jaccard:.3f}"))
        for question in by_source[row.document_id] if row.candidate_id in normalised else ():
            leak = answer_leak(question, normalised[row.candidate_id])
            if leak.status == "fail" and f"{question.question_id}: " not in row.leak_where:
                found.append(Exclusion("hard_negative", name, RECHECK_LEAK, f"{question.question_id}: {leak.where}"))
    return found


def leaking_cells(cells: Iterable[Cell], questions: Iterable[Question], texts: Mapping[str, str]) -> list[Exclusion]:
    """Return the hard-negative cells in which a hard negative's text, as it is sent, gives the answer away.

    Such a cell asks nothing about distraction, so it is not asked. Random cells are kept whatever chance put into
    them (paper, section 3.5); their rows name the distractors that leak.
    """
    by_id = {question.question_id: question for question in questions}
    normalised = {document_id: normalise(text) for document_id, text in texts.items()}
    found = []
    for cell in cells:
        question = by_id.get(cell.question_id)
        if cell.distractor_type != "hard_negative" or question is None:
            continue
        for document_id in cell.document_ids:
            if document_id != question.document_id and document_id in normalised:
                leak = answer_leak(question, normalised[document_id])
                if leak.status == "fail":
                    found.append(Exclusion("cell", cell.cell_id, RECHECK_LEAK, f"{document_id}: {leak.where}"))
                    break
    return found
