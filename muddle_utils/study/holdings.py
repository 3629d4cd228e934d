"""What a study on disk holds: what a notebook that is told nothing takes, and what may not be written over."""

import contextlib
import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from muddle_utils.study.errors import quoted
from muddle_utils.study.paths import Study, StudyError, slug
from muddle_utils.study.records import MAJORITY, MODALITIES, Cell, Question, Rendering
from muddle_utils.study.rows import read_requests, read_rows
from muddle_utils.study.store import Store


class Held(NamedTuple):
    """Which part of a study an analysis is of; ``judge`` is the one whose verdicts its tables go by."""

    models: list[str]
    modalities: list[str]
    judges: list[str]
    judge: str
    replicates: int


def held(
    study: Study,
    models: Sequence[str] = (),
    modalities: Sequence[str] = (),
    judges: Sequence[str] = (),
    judge: str = "",
    replicates: int = 0,
) -> Held:
    """Return what was given, and for what is empty what the study's rows hold, so that no default overrules a study.

    Those that the last analysis named come first and in its order; of the tables' judge it is the last word, too.

    Raises:
        RowsError, StoreError: rows or database cannot be read.
        StudyError: the study does not hold what was given, or not every model in every modality; the message says what
            it holds.
    """
    plans, stored, last = read_requests(study), stored_judges(study), _last_analysis(study)
    if not plans:
        raise StudyError(f"study {study.name!r} has asked nothing yet: run notebook 03 first")
    _refuse_unknown(study, "models", models, [model for model, _ in plans])
    # A plan without any request, where no cell could be built, is one all the same.
    planned = [name for name in MODALITIES if any(study.folder.glob(f"requests_*_{name}.jsonl"))]
    _refuse_unknown(study, "modalities", modalities, planned)
    # A study none of whose answers is judged yet has no judge that could be overruled.
    _refuse_unknown(study, "judges", judges, stored or judges)
    of_these = [
        pair for pair in plans if (not models or pair[0] in models) and (not modalities or pair[1] in modalities)
    ]
    taken = list(models) or in_order(last.get("models"), [model for model, _ in of_these])
    asked = {modality for _, modality in of_these}
    kinds = list(modalities) or in_order(last.get("modalities"), [name for name in MODALITIES if name in asked])
    pairs = [(model, kind) for model in taken for kind in kinds]
    if lacking := [pair for pair in pairs if not study.rows(f"requests_{slug(pair[0])}_{pair[1]}").is_file()]:
        there = ", ".join(" in ".join(pair) for pair in plans)
        raise StudyError(
            f"study {study.name!r} has not asked {' in '.join(lacking[0])}, only {there}: say in models and modalities "
            "which to compare"
        )
    who = list(judges) or in_order(last.get("judges"), stored)
    if not who:
        raise StudyError(f"no answer of study {study.name!r} is judged yet: run notebook 04 first, or name judges")
    known = [*who, MAJORITY]
    said = judge or (last.get("judge") if last.get("judge") in known else who[0])
    _refuse_unknown(study, "judge", [str(said)], known)
    most = max(row.replicate for rows in plans.values() for row in rows)
    if replicates > most:
        raise StudyError(f"replicates = {replicates}: study {study.name!r} has asked everything {most} times at most")
    return Held(taken, kinds, who, str(said), replicates or most)


def refuse_other_corpus(study: Study, questions: Sequence[Question], cells: Sequence[Cell]) -> None:
    """Refuse to put other questions and cells in the place of those that a study has asked.

    A corpus that was mended is the same corpus; one that shares no question with it, another annotation and another
    placement of the source are not.

    Raises:
        RowsError: the study's rows cannot be read.
        StudyError: naming the parameter.
    """
    if not (read_requests(study) and study.rows("questions").is_file() and study.rows("cells").is_file()):
        return
    asked = {row.question_id: row for row in read_rows(study.rows("questions"), Question)}
    placed = {row.cell_id: row.placement_key for row in read_rows(study.rows("cells"), Cell)}
    again = [(asked[row.question_id], row) for row in questions if row.question_id in asked]
    if asked and not again:
        what = "corpus: none of its questions is the study's"
    elif other := [(old, new) for old, new in again if old.annotation != new.annotation]:
        what = f"annotation: it is {other[0][1].annotation}, the study's is {other[0][0].annotation}"
    elif moved := [row for row in cells if placed.get(row.cell_id, row.placement_key) != row.placement_key]:
        here, there = moved[0].placement_key, placed[moved[0].cell_id]
        what = f"seed or placement_key: the source is placed by {here}, the study's by {there}"
    else:
        return
    raise StudyError(
        f"study {study.name!r} has asked other cells than these ({what}): run with the settings it was made with, or "
        "under another name"
    )


def refuse_other_renderer(study: Study, rendered: Sequence[Rendering]) -> None:
    """Refuse to put renderings by another renderer in the place of those that a study has sent.

    Raises:
        RowsError: the study's rows cannot be read.
        StudyError: naming both.
    """
    for modality in {row.modality for row in rendered}:
        path = study.rows(f"renderings_{modality}")
        if path.is_file() and modality in {kind for _, kind in read_requests(study)}:
            sent = {row.document_id: row.renderer for row in read_rows(path, Rendering)}
            for row in rendered:
                if (there := sent.get(row.document_id, row.renderer)) != row.renderer:
                    raise StudyError(
                        f"renderer: study {study.name!r} has sent documents as {there} renders them, not "
                        f"{row.renderer}: run with that renderer, or under another name"
                    )


def stored_judges(study: Study) -> list[str]:
    """Return the judges that a study has verdicts of, in the order in which they first spoke.

    Raises:
        StoreError: the database cannot be read.
    """
    if not study.store.exists():
        return []
    with Store(study.store, read_only=True) as store:
        return list(dict.fromkeys(row.judge for row in store.verdicts()))


def _last_analysis(study: Study) -> dict[str, Any]:
    """Return the parameters of the last analysis that ran to its end, as papermill wrote them; nothing if none did."""
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        text = (study.notebooks / "05_analysis.ipynb").read_text(encoding="utf-8")
        return dict(json.loads(text)["metadata"]["papermill"]["parameters"])
    return {}


def in_order(listed: object, names: Sequence[str]) -> list[str]:
    """Return names once, those that are listed first and in that order."""
    first = [name for name in (listed if isinstance(listed, list) else ()) if name in names]
    return list(dict.fromkeys([*first, *names]))


def _refuse_unknown(study: Study, parameter: str, given: Sequence[str], known: Sequence[str]) -> None:
    if unknown := [name for name in given if name not in known]:
        there = ", ".join(dict.fromkeys(known))
        raise StudyError(f"{parameter}: {quoted(unknown[0])} is not in study {study.name!r}, which has {there}")
