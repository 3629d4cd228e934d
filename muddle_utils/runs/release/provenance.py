"""Where a study's numbers come from, read from its rows, its store and its executed notebooks, as tables of texts.

Digests, prompts, parameters, models as the server named them, tokens and costs, counts by status and cause, exclusions
and judges. Nothing here is remembered: all is counted anew from what is on disk, and the same rows give the same texts.
Folders of this machine and what looks like a key stay out of every text.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import platform
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

import pandas as pd

from muddle_utils.inference import prompts
from muddle_utils.inference.client import ModelError
from muddle_utils.inference.errors import FAULTS, UNPAID
from muddle_utils.inference.routes import ModelsFileError
from muddle_utils.judging.judges import Judge, find_judge
from muddle_utils.runs.executed import Executed, beside_of, own_analyses, read_notebooks, shown
from muddle_utils.runs.status import StudyStatus, read_status, rule_of
from muddle_utils.study import rows as rows_module
from muddle_utils.study.labels import dollars, modality_names
from muddle_utils.study.paths import Study, project_root, resolve
from muddle_utils.study.records import Cell, Document, Exclusion, Question, Response, Verdict
from muddle_utils.study.rows import as_row, file_sha256, read_rows
from muddle_utils.study.store import Store

Record = TypeVar("Record")
Row = TypeVar("Row")
Key = TypeVar("Key", bound=Hashable)
# What reads rows and makes tables and figures of them.
ANALYSIS_PACKAGES: Final = (
    *("muddle-utils", "numpy", "pandas", "scipy", "statsmodels", "matplotlib", "seaborn", "sqlalchemy", "pillow"),
    *("papermill", "jinja2"),
)


@dataclass(frozen=True)
class Prompt:
    """A prompt word for word, whose it is, and why it may not be what was sent (empty if it is)."""

    title: str
    text: str
    doubt: str = ""


@dataclass(frozen=True)
class Rows:
    """All that is on disk of a study besides its tables and figures; empty where nothing is written yet.

    ``attempts`` are all responses, ``responses`` and ``verdicts`` the current ones. ``problems`` says in sentences
    what could not be read.
    """

    status: StudyStatus
    questions: Sequence[Question] = ()
    documents: Sequence[Document] = ()
    cells: Sequence[Cell] = ()
    exclusions: Sequence[Exclusion] = ()
    attempts: Sequence[Response] = ()
    responses: Sequence[Response] = ()
    verdicts: Sequence[Verdict] = ()
    notebooks: Sequence[Executed] = ()
    models_file: str = ""
    problems: Sequence[str] = field(default_factory=tuple)


# --- Reading --------------------------------------------------------------------------------------------------------


def analysis_doubts(study: Study, notebooks: Iterable[Executed]) -> list[str]:
    """Return where the analyses did not run with the same parameters, or span other studies, each in a sentence."""
    analyses = own_analyses(study, notebooks)
    found = []
    names = dict.fromkeys(name for each in analyses for name in each.parameters if name != "command")
    for name in names:
        values: dict[str, list[str]] = {}
        for each in analyses:
            if name in each.parameters:
                values.setdefault(shown(each.parameters[name]), []).append(each.name[:2])
        if len(values) > 1:
            told = "; ".join(f"{' and '.join(numbers)} with {value}" for value, numbers in values.items())
            found.append(f"The analyses did not all run with the same {name}: notebook {told}.")
    for each in analyses:
        if others := beside_of(each.parameters):
            found.append(
                f"Notebook {each.name[:2]} sets {', '.join(others)} beside this study: its tables, its claims and the "
                "families of Holm's adjustment span their models, too."
            )
    return found


def given_models_file(notebooks: Iterable[Executed]) -> str:
    """Return the models file that the notebooks ran with, or an empty text."""
    given = [str(notebook.parameters.get("models_file") or "") for notebook in notebooks]
    return next((path for path in reversed(given) if path), "")


def read_study(study: Study, models_file: str = "") -> Rows:
    """Return what is on disk of a study; ``models_file`` is where its judges are, else the one its notebooks had.

    Raises:
        RowsError, StoreError: a row file, a notebook or the database cannot be read.
        ModelsFileError: the models file that was given cannot be used.
    """
    notebooks = read_notebooks(study)
    problems = []
    if not models_file:
        models_file = given_models_file(notebooks)
        if models_file and not resolve(models_file).is_file():
            problems = [f"The models file of the run is not there any more: {models_file}."]
            models_file = ""
    status = read_status(study, models_file)
    attempts, responses, verdicts = _stored(study)
    lost = [row for path in sorted(study.folder.glob("lost_*.jsonl")) for row in read_rows(path, Exclusion)]
    return Rows(
        status,
        _read(study, "questions", Question),
        _read(study, "documents", Document),
        _read(study, "cells", Cell),
        [*_read(study, "exclusions", Exclusion), *lost],
        attempts,
        responses,
        verdicts,
        notebooks,
        models_file,
        [*problems, *status.problems],
    )


def _read(study: Study, kind: str, record: type[Record]) -> list[Record]:
    path = study.rows(kind)
    return read_rows(path, record) if path.is_file() else []


def _stored(study: Study) -> tuple[list[Response], list[Response], list[Verdict]]:
    if not study.store.exists():
        return [], [], []
    with Store(study.store, read_only=True) as store:
        return store.attempts(), store.responses(), store.verdicts()


# --- Texts ----------------------------------------------------------------------------------------------------------


def texts(rows: Iterable[Sequence[object]], columns: Sequence[str]) -> pd.DataFrame:
    """Return rows as a table of texts; whole numbers get thousands separators, None becomes a dash."""
    return pd.DataFrame([list(map(_cell, row)) for row in rows], columns=list(columns), dtype="str")


def _cell(value: object) -> str:
    if value is None:
        return "–"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def _counts(rows: Iterable[Row], key: Callable[[Row], Key]) -> list[tuple[Key, int]]:
    """Return how often each key comes, in the order of its first row."""
    return list(Counter(map(key, rows)).items())


# --- Tables of texts ------------------------------------------------------------------------------------------------


def _rows_digest(rows: Iterable[object]) -> str:
    """Return the SHA-256 of rows as JSON lines, as they would stand in a row file."""
    digest = hashlib.sha256()
    for row in rows:
        digest.update(f"{json.dumps(as_row(row), ensure_ascii=False)}\n".encode())
    return digest.hexdigest()


def data_digests(study: Study, rows: Rows) -> pd.DataFrame:
    """Return the SHA-256 of every row file, of the stored rows as JSON lines, and of the lock file."""
    found: list[tuple[object, ...]] = [
        (path.name, path.read_bytes().count(b"\n"), file_sha256(path)) for path in sorted(study.folder.glob("*.jsonl"))
    ]
    if study.store.exists():
        found.append(("all stored responses, as JSON lines", len(rows.attempts), _rows_digest(rows.attempts)))
        found.append(("current verdicts, as JSON lines", len(rows.verdicts), _rows_digest(rows.verdicts)))
    lock = project_root() / "requirements.lock"
    found.append(("requirements.lock", None, file_sha256(lock) if lock.is_file() else "not beside the package"))
    return texts(found, ("Data", "Rows", "SHA-256"))


def file_digests(items: Mapping[str, Mapping[str, Any]]) -> pd.DataFrame:
    """Return the SHA-256 of every file of every entry of a figures manifest."""
    return texts(((name, digest) for item in items.values() for name, digest in item["files"].items()), _DIGESTS)


_DIGESTS: Final = ("File", "SHA-256")


def origins(items: Mapping[str, Mapping[str, Any]]) -> pd.DataFrame:
    """Return what tables and figures were made by and of: command, last day of the rows, and the rows' digest."""
    made: dict[tuple[str, ...], list[str]] = {}
    for name, item in items.items():
        made.setdefault(_origin(item["metadata"]), []).append(name)
    found = ((", ".join(names), *(shown(text) for text in origin)) for origin, names in made.items())
    return texts(found, ("Tables and figures", "Command", "Rows up to", "Digest of the rows or files"))


def _origin(metadata: Mapping[str, Any]) -> tuple[str, ...]:
    """Return command, date and digest; what was made of files and not of rows names them before their digest."""
    digest = metadata.get("digest") or ""
    if metadata.get("source"):
        digest = f"{metadata['source']}: {metadata.get('source_digest', '')}"
    return tuple(str(text or "–") for text in (metadata.get("command"), metadata.get("date"), digest))


def answer_counts(rows: Rows) -> pd.DataFrame:
    """Return what became of the requests of the last plan, by model, modality and cause."""
    found: list[tuple[object, ...]] = []
    for row in rows.status.models:
        about = row.model, row.modality
        found.append((*about, "answered", "", row.answered, ""))
        for name, n in row.failed.items():
            fault = FAULTS.get(name)
            found.append((*about, fault.status if fault else "failed", _cause(name), n, rule_of(name)))
        for name, n in row.infeasible.items():
            found.append((*about, "infeasible", f"over the limit of {name.replace('_', ' ')}", n, "never sent"))
        found += [(*about, "not yet sent", "", row.not_yet_sent, "sent by the next run")] if row.not_yet_sent else []
        found += [(*about, "lost", "a document has no rendering", row.lost, "")] if row.lost else []
    return texts(found, ("Model", "Modality", "Status", "Cause", "Requests", "Next"))


def _cause(name: str) -> str:
    return f"{name}: {FAULTS[name].meaning}" if name in FAULTS else name


def verdict_counts(rows: Rows) -> pd.DataFrame:
    """Return what became of the answers at each judge, by model, modality and cause."""
    found: list[tuple[object, ...]] = []
    for row in rows.status.judges:
        about = row.judge, row.model, row.modality
        found.append((*about, "judged", "", row.judged))
        found += [(*about, "unjudged", why, n) for why, n in row.unjudged.items()]
        found += [(*about, "stale", why, n) for why, n in row.stale.items()]
        found += [(*about, "not judged yet", "", row.not_judged)] if row.not_judged else []
        found += [(*about, "to be read again", "another version of the parser", row.read_again)] * bool(row.read_again)
    # What judge the others were is not known any more: what their rows say is all there is.
    explained = {row.judge for row in rows.status.judges}
    others = [row for row in rows.verdicts if row.judge not in explained]
    counted = _counts(others, lambda row: (row.judge, row.model, row.modality, row.status, _unread(row)))
    found += [(*names, n) for names, n in counted]
    return texts(found, ("Judge", "Model", "Modality", "Status", "Cause", "Answers"))


def _unread(row: Verdict) -> str:
    return "" if row.status == "judged" else row.error_class or "unparsed"


def exclusion_counts(rows: Rows) -> pd.DataFrame:
    """Return how many questions, documents and cells the study does not use, by reason."""
    counted = _counts(rows.exclusions, lambda row: (row.kind, row.reason))
    return texts(((kind, reason, n) for (kind, reason), n in counted), ("Kind", "Reason", "n"))


def served_models(rows: Rows) -> pd.DataFrame:
    """Return each model by route as the server named it, with the number of answers."""
    answered = [row for row in rows.responses if row.status == "answered"]
    counted = _counts(answered, lambda row: (row.model, row.modality, row.route or "–", row.model_returned or "–"))
    columns = ("Model", "Modality", "Route", "Named by the server", "Answers")
    return texts(((*names, n) for names, n in counted), columns)


def asked_parameters(rows: Rows) -> pd.DataFrame:
    """Return what was asked for beside the message and what was sent, by model, route and judge."""
    answers = _counts(rows.responses, lambda row: (row.model, row.route or "–", row.parameters, row.sent))
    verdicts = _counts(rows.verdicts, lambda row: (f"{row.judge} (judge)", "–", None, row.sent))
    found = [(who, route, _json(asked), _json(sent), n) for (who, route, asked, sent), n in [*answers, *verdicts]]
    return texts(found, ("Model or judge", "Route", "Asked for", "Sent", "Rows"))


def _json(text: str | None) -> str | None:
    return shown(text) if text else None


def spending(rows: Rows) -> pd.DataFrame:
    """Return attempts, tokens and US dollars by model and by judge, as far as providers say."""
    answers = [
        (f"{model}, {modality}", [row for row in rows.attempts if (row.model, row.modality) == (model, modality)])
        for model, modality in dict.fromkeys((row.model, row.modality) for row in rows.attempts)
    ]
    verdicts = [
        (f"{judge} (judge)", [row for row in rows.verdicts if row.judge == judge])
        for judge in dict.fromkeys(row.judge for row in rows.verdicts)
    ]
    found = [_spent(who, own) for who, own in answers] + [_spent(who, own) for who, own in verdicts]
    columns = ("Who", "Rows", "Tokens in", "Tokens out", "Of them reasoning", "US dollars", "Rows of unknown cost")
    return texts(found, columns)


def _spent(who: str, rows: Sequence[Response] | Sequence[Verdict]) -> tuple[object, ...]:
    sent = [row for row in rows if row.status != "superseded"]
    unknown = sum(row.cost is None and (row.error_class not in UNPAID or row.at_most > 0) for row in sent)
    tokens = [_sum(getattr(row, name, None) for row in rows) for name in _TOKENS]
    known = [row.cost for row in rows if row.cost is not None]
    return who, len(sent), *tokens, dollars(sum(known)) if known else None, unknown


_TOKENS: Final = ("tokens_in", "tokens_out", "tokens_reasoning")


def _sum(values: Iterable[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    return sum(known) if known else None


def judges_used(rows: Rows) -> pd.DataFrame:
    """Return each judge with the fingerprint of its model, prompt and parameters, its parser, and verdicts."""
    counted = _counts(rows.verdicts, lambda row: (row.judge, row.judge_fingerprint, row.parser or "–"))
    return texts(((*names, n) for names, n in counted), ("Judge", "Fingerprint", "Parser", "Verdicts"))


def recorded_versions(rows: Rows) -> pd.DataFrame:
    """Return the package versions that were stored with the answers, with the number of answers each."""
    found: Counter[tuple[str, str]] = Counter()
    for row in rows.responses:
        try:
            versions = json.loads(row.versions)
            found.update((str(name), str(version)) for name, version in versions.items())
        except (ValueError, AttributeError):
            found["–", row.versions] += 1
    return texts(((*names, n) for names, n in sorted(found.items())), ("Package", "Version", "Answers"))


def analysis_versions() -> pd.DataFrame:
    """Return the installed versions of what reads rows and makes tables and figures."""
    found = [("python", platform.python_version())]
    for name in ANALYSIS_PACKAGES:
        try:
            found.append((name, importlib.metadata.version(name)))
        except importlib.metadata.PackageNotFoundError:
            found.append((name, "not installed"))
    return texts(found, ("Package", "Version"))


def notebook_parameters(rows: Rows) -> pd.DataFrame:
    """Return every parameter and value of the executed notebooks, with the notebooks that ran with it."""
    used: dict[tuple[str, str], list[str]] = {}
    takers: Counter[str] = Counter()
    for notebook in rows.notebooks:
        for name, value in notebook.parameters.items():
            used.setdefault((name, shown(value)), []).append(notebook.name.replace("--", " "))
            takers[name] += 1
    found = [
        (name, value, f"all {len(names)} that take it" if len(names) == takers[name] > 1 else ", ".join(names))
        for (name, value), names in sorted(used.items())
    ]
    return texts(found, ("Parameter", "Value", "Notebooks"))


# --- Prompts --------------------------------------------------------------------------------------------------------


def model_prompts(rows: Rows) -> list[Prompt]:
    """Return the opening of the message in each modality that was asked, word for word."""
    found = []
    for modality in prompts.DOCUMENT_FORMS:
        asked = [row for row in rows.responses if row.modality == modality and row.condition != "canary"]
        if not asked:
            continue
        digest = rows_module.digest(prompts.instruction(modality))
        others = sum(_part(row.components, "prompt") not in ("", digest) for row in asked)
        doubt = f"{others:,} of {len(asked):,} stored answers were asked for with another instruction" if others else ""
        text = prompts.question_text(modality, "{question}")
        found.append(Prompt(f"Models, {modality_names(modality)}", f"{text}\n{prompts.document_header(1)}…", doubt))
    return found


def _part(components: str, name: str) -> str:
    return str(json.loads(components).get(name, "")) if components else ""


def judge_prompts(rows: Rows) -> list[Prompt]:
    """Return the prompt of each judge whose verdicts are stored, word for word, or why it cannot be shown."""
    found = []
    for name in dict.fromkeys(row.judge for row in rows.verdicts):
        stored = {row.judge_fingerprint for row in rows.verdicts if row.judge == name}
        try:
            judges = _readings(name, rows)
        except (ModelError, ModelsFileError) as error:
            found.append(Prompt(f"Judge {name}", "", shown(str(error))))
            continue
        judge = next((judge for judge in judges if judge.fingerprint in stored), None)
        if judge is None:
            why = "no verdict was made with the model, prompt and parameters that the models file gives it today"
            found.append(Prompt(f"Judge {name}", "", why))
            continue
        others = len(stored - {judge.fingerprint})
        doubt = f"{others} other fingerprints have verdicts, too" if others else ""
        found.append(Prompt(f"Judge {name}, reply read by {judge.reading}", judge.prompt, doubt))
    return found


def _readings(name: str, rows: Rows) -> list[Judge]:
    """Return what a judge of this name can be: as the models file has it, or at a server of the user's own."""
    return [find_judge(name, rows.models_file), find_judge(name, "", "http://by-hand")]
