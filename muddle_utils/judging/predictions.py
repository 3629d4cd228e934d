"""Reads a system's predictions file and says everything that is wrong with it at once; joins it to an annotation.

A predictions file is a JSON list, or one object a line, of rows with ``doc_id``, ``question`` and ``response`` (the
system's whole reply), as MMLongBench-Doc-V2 takes it. Rows are joined on the document and the question with white space
collapsed, and the order of the rows has no influence on anything.
"""

import difflib
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NoReturn

from muddle_utils.corpus.annotation import Gold

# Shown by the face: what predictions are scored against.
from muddle_utils.corpus.annotation import read_gold as read_gold
from muddle_utils.corpus.checks import Problem, key_of, listed_problems
from muddle_utils.scoring.reply_text import is_blank
from muddle_utils.study.errors import MuddleError, json_fault
from muddle_utils.study.paths import Study, slug
from muddle_utils.study.records import (
    NO_PREDICTION,
    NO_RESPONSE,
    PREDICTED,
    TWO_RESPONSES,
    Join,
    Joined,
    Prediction,
    Question,
    Request,
)
from muddle_utils.study.rows import read_rows
from muddle_utils.study.store import Store

REQUIRED: Final = ("doc_id", "question", "response")
# What other kits call the three; never guessed at, only suggested.
_OTHER_NAMES: Final = {
    "doc_id": ("document_id", "doc", "document", "file", "pdf", "docid"),
    "question": ("query", "prompt", "input"),
    "response": ("prediction", "answer", "output", "pred", "model_response", "text", "generated"),
}


class PredictionsError(MuddleError, ValueError):
    """A predictions file that cannot be scored as given; the message names the file, the rows and fields, the mend."""


def read_predictions(path: str | Path) -> list[Prediction]:
    """Return the rows of a predictions file.

    A byte-order mark and Windows line ends do no harm; keys beside the required ones are left alone, except ``pred``.

    Raises:
        PredictionsError: the file is missing, not UTF-8 or not JSON, holds no rows, or rows lack a field or hold
            something else than text in it; the message lists the first twenty.
    """
    path = Path(path)
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise PredictionsError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise PredictionsError(f"{path} is not UTF-8 at byte {error.start}: save it as UTF-8") from None
    rows = _rows(path, text)
    if not rows:
        raise PredictionsError(f"{path} holds no predictions")
    problems = [problem for place, row in rows for problem in _problems(place, row)]
    if problems:
        raise PredictionsError(listed_problems(path, problems))
    return [_prediction(place, row) for place, row in rows]


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _parsed(text: str) -> object:
    return json.loads(text, parse_constant=_refuse_constant)


def _rows(path: Path, text: str) -> list[tuple[str, object]]:
    """Return (place, value) of every row: of one JSON list, or of one value a line."""
    try:
        whole = _parsed(text)
    except (ValueError, RecursionError) as error:
        if text.lstrip()[:1] != "{":
            why = json_fault(error)
            raise PredictionsError(f"{path} is not JSON ({why}): write a list of rows, or one row a line") from None
        return _line_rows(path, text)
    if isinstance(whole, list):
        return [(f"row {number}", row) for number, row in enumerate(whole, start=1)]
    if isinstance(whole, dict) and set(REQUIRED) & set(whole):
        return [("row 1", whole)]
    held = repr(whole)
    if isinstance(whole, dict):
        held = f"an object with the keys {', '.join(map(repr, list(whole)[:5]))}" if whole else "an empty object"
    raise PredictionsError(f"{path} holds {held[:200]}, not a list of rows with {', '.join(REQUIRED)}")


def _line_rows(path: Path, text: str) -> list[tuple[str, object]]:
    rows: list[tuple[str, object]] = []
    # Only "\n" ends a row: str.splitlines would split inside a string that holds U+2028.
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                rows.append((f"line {number}", _parsed(line)))
            except (ValueError, RecursionError) as error:
                place = f"{error.msg} at column {error.colno}" if isinstance(error, json.JSONDecodeError) else ""
                said = place or json_fault(error)
                raise PredictionsError(
                    f"{path}, line {number}: not JSON ({said}); write one object a line, or one list"
                ) from None
    return rows


def _problems(place: str, row: object) -> list[Problem]:
    if not isinstance(row, dict):
        return [Problem(place, "", f"{str(row)[:60]!r} is no object with {', '.join(REQUIRED)}")]
    found = []
    for name in REQUIRED:
        if name not in row:
            found.append(Problem(place, name, f"missing{_suggestion(name, row)}"))
        elif not isinstance(row[name], str) and not (name == "response" and row[name] is None):
            found.append(Problem(place, name, _no_text(row[name])))
        elif name != "response" and not row[name].strip():
            found.append(Problem(place, name, "empty"))
    if not isinstance(row.get("pred"), str | None):
        found.append(Problem(place, "pred", _no_text(row["pred"])))
    return found


def _no_text(value: object) -> str:
    mend = "write its parts as one text" if isinstance(value, list | dict) else "write it in double quotes"
    return f"holds {_shown(value)}, not text; {mend}"


def _shown(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)[:60]
    return "".join(mark if mark.isprintable() else "?" for mark in text)


def _suggestion(name: str, row: Mapping[str, Any]) -> str:
    free = [key for key in row if key not in REQUIRED]
    other = [key for key in free if key.lower() in _OTHER_NAMES[name]] or difflib.get_close_matches(name, free, 1, 0.8)
    if other:
        return f"; rename {other[0]!r}, if that is it"
    return f"; the row has {', '.join(map(repr, list(row)[:8])) or 'no keys'}"


def _clean(text: str) -> str:
    """Return a text without halves of characters, which escapes in JSON can write and no file takes."""
    return text.encode("utf-8", "replace").decode()


def _prediction(place: str, row: object) -> Prediction:
    assert isinstance(row, dict)
    response, pred = row["response"], row.get("pred")
    return Prediction(
        place,
        _clean(row["doc_id"].strip()),
        _clean(row["question"]),
        None if response is None else _clean(response),
        None if pred is None else _clean(pred),
    )


def system_names(paths: Sequence[str | Path]) -> list[str]:
    """Return what to call the system of each file: its name without ending, with its folder where two are called alike.

    Raises:
        PredictionsError: a file is named twice.
    """
    places = [Path(path).expanduser().resolve() for path in paths]
    if repeated := next((place for place in places if places.count(place) > 1), None):
        raise PredictionsError(f"{repeated} is named twice: compare different files")
    names = [place.stem for place in places]
    for depth in range(1, max((len(place.parts) for place in places), default=0)):
        if len(set(names)) == len(names):
            break
        names = [
            "/".join((*place.parent.parts[-depth:], place.stem)) if names.count(name) > 1 else name
            for name, place in zip(names, places, strict=True)
        ]
    return names if len(set(names)) == len(names) else [place.name for place in places]


def join(system: str, predictions: Iterable[Prediction], gold: Gold) -> Join:
    """Return what a system said to every question of an annotation.

    Rows that answer one question with the same text count once. Where they differ, choosing one would be a choice made
    for the system: the question then has the status ``two different responses``, which counts as answered and wrong. A
    response that is null or blank is ``no response``.
    """
    by_key: dict[tuple[str, str], list[Prediction]] = {}
    for prediction in predictions:
        by_key.setdefault(key_of(prediction.doc_id, prediction.question), []).append(prediction)
    wanted = {key_of(question.document_id, question.question) for question in gold.questions}
    repeated: list[Prediction] = []
    contradicting: list[Prediction] = []
    for key, rows in by_key.items():
        if key in wanted and len(rows) > 1:
            same = len({row.response for row in rows}) == 1
            (repeated if same else contradicting).extend(rows[1:] if same else rows)
    found = tuple(_joined(question, by_key) for question in gold.questions)
    unmatched = tuple(row for key, rows in by_key.items() if key not in wanted for row in rows)
    return Join(system, found, unmatched, tuple(repeated), tuple(contradicting))


def _joined(question: Question, by_key: Mapping[tuple[str, str], Sequence[Prediction]]) -> Joined:
    rows = by_key.get(key_of(question.document_id, question.question), ())
    if not rows:
        return Joined(question, NO_PREDICTION)
    places = ", ".join(row.place for row in rows)
    if len({row.response for row in rows}) > 1:
        return Joined(question, TWO_RESPONSES, place=places)
    response, pred = rows[0].response, rows[0].pred if len({row.pred for row in rows}) == 1 else None
    if response is None or is_blank(response):
        return Joined(question, NO_RESPONSE, place=places)
    return Joined(question, PREDICTED, response, pred, places)


def why_unmatched(prediction: Prediction, gold: Gold, other: Gold | None = None) -> str:
    """Return why a row found no question, as far as it can be told; ``other`` is another annotation to look into."""
    key = key_of(prediction.doc_id, prediction.question)
    if other and any(key == key_of(question.document_id, question.question) for question in other.questions):
        return f"a question of {other.name} that {gold.name} words otherwise or leaves out"
    own = [question.question for question in gold.questions if question.document_id == prediction.doc_id]
    if not own:
        names = {name.casefold(): name for name in (question.document_id for question in gold.questions)}
        near = difflib.get_close_matches(prediction.doc_id.casefold(), names, 1, 0.7)
        hint = f"; is {names[near[0]]!r} meant?" if near else ""
        return f"{gold.name} has no question about this document{hint}"
    close = difflib.get_close_matches(key[1], [key_of("", text)[1] for text in own], 1, 0.8)
    return f"not a question of {gold.name}" + (f"; nearest: {close[0]!r}" if close else "")


def as_predictions(predictions: Iterable[Prediction]) -> bytes:
    """Return a predictions file of these rows."""
    rows = [{"doc_id": row.doc_id, "question": row.question, "response": row.response} for row in predictions]
    return (json.dumps(rows, indent=2, ensure_ascii=False) + "\n").encode()


def study_predictions(study: Study, model: str, modality: str, condition: str) -> list[Prediction]:
    """Return what a model answered in one condition of a study; the response is None where there is no answer.

    Raises:
        RowsError: the study has no such rows.
        PredictionsError: nothing was asked so.
    """
    questions = {row.question_id: row for row in read_rows(study.rows("questions"), Question)}
    asked = read_rows(study.rows(f"requests_{slug(model)}_{modality}"), Request)
    wanted = [row for row in asked if row.condition == condition and row.replicate == 1]
    if not wanted:
        held = ", ".join(sorted({row.condition for row in asked}))
        raise PredictionsError(f"study {study.name}: {model} was not asked {condition} in {modality}; it has {held}")
    with Store(study.store, read_only=True) as store:
        said = {
            (row.cell_id, row.fingerprint): row.text
            for row in store.responses(model, modality)
            if row.status == "answered" and row.replicate == 1
        }
    return [
        Prediction(row.cell_id, question.document_id, question.question, said.get((row.cell_id, row.fingerprint)))
        for row in wanted
        for question in (questions[row.question_id],)
    ]
