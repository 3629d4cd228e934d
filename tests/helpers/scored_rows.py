"""Scored rows of three answerable questions and two unanswerable ones, of two documents."""

from muddle_utils.judging.mmlongbench_v2 import stratum_of
from muddle_utils.study.records import Question, ScoredRow

REFERENCES = {"q1": "7", "q2": "Oslo", "q3": "12%", "q4": "Not answerable", "q5": "Not answerable or 0"}


DOCUMENTS = {"q1": "a", "q2": "a", "q3": "b", "q4": "a", "q5": "b"}


PAGES = {"q1": (1,), "q2": (1, 2), "q3": (), "q4": (), "q5": (3,)}


SOURCES = {"q1": ("Chart",), "q2": ("Table", "Figure"), "q3": (), "q4": (), "q5": ("Table",)}


VISUAL = {"q1": False, "q2": True, "q3": True, "q4": False, "q5": None}


def scored_row(name, status="predicted", equivalent=None, abstained=False, verdict=None, v1=0.0, **others):
    question = Question(
        name, DOCUMENTS[name], f"Question {name}?", REFERENCES[name], "Str", PAGES[name], SOURCES[name], "Brochure"
    )
    said = status == "predicted"
    verdict = verdict or ("judged" if said and equivalent is not None else "unjudged" if said else "")
    fields = {
        "system": "a",
        "judge": "local/rules",
        "question_id": name,
        "doc_id": question.document_id,
        "question": question.question,
        "reference": question.answer,
        "answer_format": "Str",
        "stratum": stratum_of(question),
        "evidence_pages": question.evidence_pages,
        "evidence_sources": question.evidence_sources,
        "document_type": "Brochure",
        "task_type": "" if VISUAL[name] is None else "lookup",
        "requires_visual": VISUAL[name],
        "status": status,
        "place": "row 1",
        "response": "said" if said else "",
        "verdict": verdict,
        "equivalent": equivalent if verdict == "judged" else None,
        "abstained": abstained if verdict == "judged" else None,
        "reasoning": "",
        "problem": "failed: why" if verdict == "unjudged" else "",
        "repaired": False,
        "cost": 0.0,
        "judge_fingerprint": "f",
        "judged_on": "2026-11-30",
        "v1_answer": "Not answerable" if abstained else "said",
        "v1_answer_by": "rule",
        "v1_score": v1 if said else None,
        "v1_rule": "text: ANLS" if said else "",
        "v1_detail": "",
    }
    return ScoredRow(**(fields | others))


PERFECT = [scored_row(name, equivalent=True, abstained=name in ("q4", "q5"), v1=1.0) for name in REFERENCES]


EMPTY = [scored_row(name, status="no prediction") for name in REFERENCES]


ABSTAINING = [
    scored_row(name, equivalent=name in ("q4", "q5"), abstained=True, v1=float(name in ("q4", "q5")))
    for name in REFERENCES
]


GUESSING = [scored_row(name, equivalent=name in ("q1", "q2")) for name in REFERENCES]


def of_system(rows, system, judge="local/rules"):
    return [ScoredRow(**{**vars(row), "system": system, "judge": judge}) for row in rows]
