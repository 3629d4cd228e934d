"""Plain frozen records: the rows that pass between notebooks.

A record's field names are the JSON keys and the frame columns. Nothing here reads or writes, and nothing here knows
about models or files; ``store`` turns records into rows on disk and back.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

MODALITIES: Final = ("markdown", "image", "pdf")
ANSWER_FORMATS: Final = ("Int", "Float", "Str", "List", "None")
DISTRACTOR_TYPES: Final = ("none", "hard_negative", "random")
ROLES: Final = ("source", "hard_negative", "unrelated")
_STEMS: Final = {"none": "control", "hard_negative": "hn", "random": "random"}
DOCUMENT_TYPES: Final = (
    "Research report / Introduction",
    "Academic paper",
    "Guidebook",
    "Tutorial/Workshop",
    "Brochure",
    "Administration/Industry file",
    "Financial report",
)
NOT_ANSWERABLE: Final = "Not answerable"

# A row "superseded" says that what was stored for its key before no longer counts: it is asked (judged) anew.
RESPONSE_STATUSES: Final = ("answered", "refused", "failed", "superseded")
VERDICT_STATUSES: Final = ("judged", "unjudged", "superseded")
LIMITS: Final = ("images", "pdf_pages", "bytes", "tokens", "modality")


@dataclass(frozen=True)
class Condition:
    """Which documents stand beside the source: ``k`` of one kind, which is one of DISTRACTOR_TYPES."""

    kind: str
    k: int = 0

    @property
    def stem(self) -> str:
        """What the conditions of this kind are called, whatever their ``k``."""
        return _STEMS[self.kind]

    @property
    def name(self) -> str:
        """What the condition is called in rows and parameters.

        >>> Condition("none").name, Condition("hard_negative", 4).name
        ('control', 'hn-4')
        """
        return f"{self.stem}-{self.k}" if self.k else self.stem


_BY_NAME: Final = {
    condition.name: condition
    for condition in (Condition("none"), *(Condition(kind, k) for k in (2, 4) for kind in DISTRACTOR_TYPES[1:]))
}
CONDITIONS: Final = tuple(_BY_NAME)


def condition_of(name: str) -> Condition:
    """Return the condition that is called so.

    Raises:
        ValueError: there is none.
    """
    if name not in _BY_NAME:
        raise ValueError(f"condition = {name!r} is not known: take one of {', '.join(CONDITIONS)}")
    return _BY_NAME[name]


@dataclass(frozen=True)
class Limit:
    """A limit of a route that a request breaks: ``name`` is one of LIMITS; for ``modality`` there is no size."""

    name: str
    size: int = 0
    most: int = 0

    @property
    def times(self) -> float:
        """The size over the limit, 0 where it is no matter of size."""
        return self.size / self.most if self.most else 0.0

    @property
    def words(self) -> str:
        """By how much the limit is broken, empty where it is no matter of size.

        >>> Limit("pdf_pages", 4, 3).words
        '4 pdf pages, 1 over 3 (1.33 times)'
        """
        unit = self.name.replace("_", " ")
        over = f"{self.size - self.most:,} over {self.most:,} ({self.times:.2f} times)"
        return f"{self.size:,} {unit}, {over}" if self.most else ""


@dataclass(frozen=True)
class Question:
    """One annotated question about one source document.

    ``evidence_pages`` are physical page numbers, counted from 1. ``evidence_spans`` are exact substrings of the
    source's text that carry the answer, where the corpus knows them. ``skill`` is ``recall``, ``reasoning`` or empty
    where the annotation does not say. A question whose answer is ``Not answerable`` has answer_format ``None``.
    """

    question_id: str
    document_id: str
    question: str
    answer: str
    answer_format: str
    evidence_pages: tuple[int, ...]
    evidence_sources: tuple[str, ...]
    document_type: str
    task_type: str = ""
    skill: str = ""
    requires_visual: bool = False
    annotation: str = ""
    evidence_spans: tuple[str, ...] = ()


@dataclass(frozen=True)
class Document:
    """One PDF. ``document_id`` is its path below the corpus's documents folder, in POSIX form.

    ``path`` is where the bytes are on this machine; ``sha256`` is their digest and the identity that caches use.
    ``problem`` is empty, or says in one sentence why the file cannot be used.
    """

    document_id: str
    sha256: str
    path: str
    n_pages: int
    n_chars: int
    title: str
    document_type: str
    role: str
    origin: str
    licence: str
    problem: str = ""


@dataclass(frozen=True)
class Exclusion:
    """A question, document or cell that the study does not use, with the reason: nothing leaves in silence."""

    kind: str
    identifier: str
    reason: str
    detail: str


@dataclass(frozen=True)
class HardNegative:
    """One candidate for one source, kept or rejected (paper, section 3.4 and appendix A.1).

    ``rank`` counts retrieval ranks from 1; ``cosine`` is the TF-IDF cosine to the source, ``jaccard`` the token
    overlap, ``shingle_containment`` the share of the candidate's word 5-grams that the source holds. ``leak`` is
    ``pass``, ``fail`` or ``not_applicable`` over all questions of the source; ``leak_where`` names the question
    and the text that leaked. ``verdict`` is ``good``, ``weak`` (under the cosine band, kept only where no good one is
    left) or ``bad``; ``reason`` says why a candidate was rejected or is weak, ``detail`` with which value. ``position``
    is its place in the nested draw (1 and 2 make HN-2, 1 to 4 make HN-4), 0 if unused. ``origin`` is ``retrieved``, or
    ``chosen`` where the corpus names the candidate for this source.
    """

    document_id: str
    candidate_id: str
    rank: int
    score: float
    cosine: float
    jaccard: float
    shingle_containment: float
    leak: str
    leak_where: str
    n_pages: int
    verdict: str
    reason: str
    replaced_by: str
    position: int
    origin: str = "retrieved"
    detail: str = ""

    def __post_init__(self) -> None:
        """Take the detail from the reason, after a colon, where a row of an earlier version has it."""
        reason, colon, detail = self.reason.partition(": ")
        if colon:
            object.__setattr__(self, "reason", reason)
            object.__setattr__(self, "detail", detail)


@dataclass(frozen=True)
class Cell:
    """One question in one condition: which documents stand in the prompt, and in which order.

    ``document_ids`` is the placed order with the source at index ``source_position`` (from 0). ``draw_key`` and
    ``placement_key`` are the strings that seeded the draw and the placement. A cell knows no model and no modality.
    ``accidental_hard_negatives`` are random distractors whose TF-IDF cosine to the source is 0.30 or more;
    ``leaking_distractors`` are random distractors that the answer-leak gate would have rejected.
    """

    cell_id: str
    question_id: str
    condition: str
    k: int
    distractor_type: str
    document_ids: tuple[str, ...]
    source_position: int
    draw_key: str
    placement_key: str
    accidental_hard_negatives: tuple[str, ...] = ()
    leaking_distractors: tuple[str, ...] = ()


@dataclass(frozen=True)
class PageQuality:
    """What one page lost or may lose when it becomes text (numbers are counts unless they say share).

    ``flags`` is a subset of ``no_text_layer, cid, replacement_characters, ligatures, rotated, one_letter_lines``, and
    of ``repaired, encrypted``, which stand on every page of such a document.
    """

    document_id: str
    page: int
    label: str
    n_chars: int
    cid_share: float
    replacement_share: float
    ligatures: int
    rotation: int
    flags: tuple[str, ...]


@dataclass(frozen=True)
class Rendering:
    """One document in one modality by one renderer: a file in the content-addressed cache, or a reason why not.

    ``key`` is the digest of (document sha256, modality, renderer, version, settings). ``status`` is ``rendered`` or
    ``failed``; a failed row keeps ``problem`` and has an empty path. ``path`` is a file for markdown and PDF, a
    folder of numbered page images for image. ``seconds`` is what the conversion took when it ran.
    """

    document_id: str
    sha256: str
    modality: str
    renderer: str
    renderer_version: str
    settings: str
    key: str
    path: str
    n_bytes: int
    n_pages: int
    n_chars: int
    warnings: tuple[str, ...]
    status: str
    problem: str
    seconds: float


@dataclass(frozen=True)
class Request:
    """One cell as it is asked of one model in one modality: the row that says what the study asks for.

    ``fingerprint`` digests everything that shapes the message: instruction, question, rendered documents in placed
    order, image setting, model and parameters; ``components`` is the JSON of one digest each, to say what changed.
    ``n_bytes`` is the size of the document payload before base64, ``n_chars`` of the markdown (None for other
    modalities). ``parameters`` is the JSON of what is asked for beside the message. ``route`` is the first of the
    model's routes that can carry the request; where none can, it is empty, ``infeasible`` is one of LIMITS and
    ``detail`` says by how much each route's limit is broken, ``limit_size`` and ``limit_most`` what of that limit the
    request takes and what it may, 0 where it is no matter of size. ``tokens_least`` and ``tokens_most`` bound the input
    tokens; ``comparable`` is False where the route changes what the model is shown.
    """

    cell_id: str
    question_id: str
    condition: str
    model: str
    modality: str
    replicate: int
    fingerprint: str
    image_setting: str
    n_pages: int
    n_chars: int | None
    n_bytes: int
    parameters: str
    components: str = ""
    route: str = ""
    infeasible: str = ""
    detail: str = ""
    tokens_least: int = 0
    tokens_most: int = 0
    comparable: bool = True
    limit_size: int = 0
    limit_most: int = 0


@dataclass(frozen=True)
class Response:
    """One attempt to get one answer (paper, section 4.2). Failures are rows too, with their class.

    ``fingerprint`` digests everything that was sent: prompt, question, rendered documents in order, image settings,
    model and parameters. ``status`` is one of RESPONSE_STATUSES; ``error_class`` is empty when answered, or else a
    key of ``errors.FAULTS``. Token counts, ``cost`` (US dollars) and ``confidence`` are None where the provider does
    not say; ``at_most`` is then what attempts that may have been paid for can have cost, as far as a price is known.
    ``parameters`` is what was asked for beside the message, ``sent`` what the provider got, both JSON.
    ``read_from`` is where an embedded reader found its answer, as JSON; empty for other models.
    """

    cell_id: str
    question_id: str
    condition: str
    model: str
    modality: str
    replicate: int
    fingerprint: str
    status: str
    text: str
    error_class: str
    error: str
    finish_reason: str
    tokens_in: int | None
    tokens_out: int | None
    tokens_reasoning: int | None
    cost: float | None
    seconds: float
    attempts: int
    route: str
    model_returned: str
    parameters: str
    confidence: float | None
    read_from: str
    time: str
    versions: str
    components: str = ""
    sent: str = ""
    at_most: float = 0.0


@dataclass(frozen=True)
class Verdict:
    """One judge's reading of one answered response.

    ``status`` is ``judged`` or ``unjudged`` (then ``correct`` and ``score`` are None and ``problem`` says why; they
    are never guessed). ``raw`` is the judge's whole reply; ``repaired`` says that it had to be mended to be read.
    ``exact_match`` and ``f1`` are SQuAD metrics of the response text, computed without the judge. ``abstained`` is
    the answer declining to answer. ``judged_digest`` digests the question, reference and answer that were judged: a
    verdict holds for no others. ``parser`` is how the raw reply was read. ``at_most`` is as with
    responses.
    """

    fingerprint: str
    replicate: int
    cell_id: str
    model: str
    modality: str
    judge: str
    judge_fingerprint: str
    status: str
    correct: bool | None
    score: float | None
    reasoning: str
    raw: str
    problem: str
    abstained: bool
    exact_match: float
    f1: float
    cost: float | None
    seconds: float
    time: str
    judged_digest: str = ""
    repaired: bool = False
    error_class: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None
    sent: str = ""
    parser: str = ""
    at_most: float = 0.0


def response_key(row: Request | Response | Verdict) -> tuple[str, str, int]:
    """Return what ties a request, its responses and their verdicts together: cell, fingerprint and replicate."""
    return row.cell_id, row.fingerprint, row.replicate


PREDICTED: Final = "predicted"
NO_PREDICTION: Final = "no prediction"
NO_RESPONSE: Final = "no response"
TWO_RESPONSES: Final = "two different responses"
STATUSES: Final = (PREDICTED, NO_PREDICTION, NO_RESPONSE, TWO_RESPONSES)
# Of two different answers none is scored as the system's, and the question is answered all the same.
ANSWERED: Final = (PREDICTED, TWO_RESPONSES)
# What a question without a prediction counts as.
MISSING: Final = ("wrong", "exclude")
# The halves of the labelled pairs that judges are measured on.
PARTS: Final = ("tuning", "held_out")


@dataclass(frozen=True)
class Prediction:
    """One row of a predictions file; ``place`` says where it stands.

    ``response`` is None where the row holds null: the system failed there. ``pred`` is the short answer that v1's
    extractor made of the response, where the row holds one.
    """

    place: str
    doc_id: str
    question: str
    response: str | None
    pred: str | None = None


@dataclass(frozen=True)
class Joined:
    """A question of the annotation and what one system said to it; ``status`` is one of STATUSES.

    ``response`` is empty unless the status is ``predicted``.
    """

    question: Question
    status: str
    response: str = ""
    pred: str | None = None
    place: str = ""


@dataclass(frozen=True)
class Join:
    """A system's answers to every question of an annotation, in its order, and the rows that found no place.

    ``unmatched`` are rows whose question the annotation does not hold; ``repeated`` are rows that say the same as an
    earlier one; ``contradicting`` are rows that answer one question differently, of which none is scored.
    """

    system: str
    rows: tuple[Joined, ...]
    unmatched: tuple[Prediction, ...]
    repeated: tuple[Prediction, ...]
    contradicting: tuple[Prediction, ...]


STRATA: Final = ("single-page", "cross-page", "unanswerable")
CHART_OR_FIGURE: Final = frozenset({"Chart", "Figure"})


@dataclass(frozen=True)
class ScoredRow:
    """One question of the annotation, one system's response to it, one judge's verdict, and the v1 score.

    ``status`` is one of ``predictions.STATUSES``; where it is not ``predicted`` the response is empty and nothing was
    judged. ``verdict`` is ``judged``, ``unjudged`` or empty; ``equivalent`` and ``abstained`` are None unless it is
    ``judged``, ``problem`` says why, ``error_class`` in a word, and ``judged_on`` is the day. ``requires_visual`` is
    None where nobody labelled the question. ``v1_answer`` is the short answer that v1 compares, ``v1_rule`` how its
    score came about; ``v1_score`` is None where there is no response.
    """

    system: str
    judge: str
    question_id: str
    doc_id: str
    question: str
    reference: str
    answer_format: str
    stratum: str
    evidence_pages: tuple[int, ...]
    evidence_sources: tuple[str, ...]
    document_type: str
    task_type: str
    requires_visual: bool | None
    status: str
    place: str
    response: str
    verdict: str
    equivalent: bool | None
    abstained: bool | None
    reasoning: str
    problem: str
    repaired: bool
    cost: float | None
    judge_fingerprint: str
    judged_on: str
    v1_answer: str
    v1_answer_by: str
    v1_score: float | None
    v1_rule: str
    v1_detail: str
    error_class: str = ""


# The name under which three or more judges judge together.
MAJORITY: Final = "majority"
