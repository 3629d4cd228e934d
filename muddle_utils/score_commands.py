"""The commands for any system's predictions: ``muddle score``, ``predictions``, ``corrections`` and ``lint``."""

import argparse
import asyncio
import dataclasses
import difflib
import json
import os
import re
import shlex
import sys
import unicodedata
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from muddle_utils import gold, scores
from muddle_utils.annotations import CorpusError, gather_facts, pdfs_below
from muddle_utils.corpora import COLUMNS, mmlongbench_folder, read_json_rows
from muddle_utils.corrections import Correction, apply, counts_by_type, describe, listed, read_corrections
from muddle_utils.faults import LASTING
from muddle_utils.frames import TablesError, as_records
from muddle_utils.gold import Gold, annotation_rows, read_gold
from muddle_utils.judges import Judge, find_judge
from muddle_utils.mmlongbench_v2 import ScoredRow, judge_predictions, planned, scored
from muddle_utils.models import ModelError
from muddle_utils.predictions import (
    NO_PREDICTION,
    TWO_RESPONSES,
    Join,
    PredictionsError,
    as_predictions,
    join,
    read_predictions,
    study_predictions,
    system_names,
    why_unmatched,
)
from muddle_utils.score_tables import missing_notice, origin_of, save_all, summary, tables_of, written
from muddle_utils.status import find_study
from muddle_utils.store import Store, file_sha256, write_atomically
from muddle_utils.study import Study, resolve, slug

ERRORS: Final = (PredictionsError, TablesError, CorpusError)
_RUNS_DIR: Final = "data/runs"
_LISTED: Final = 10


def _here(path: str, own: str = "") -> str:
    """Return a path as the shell means it, from the current folder; empty texts and the kit's ``own`` place stay."""
    return str(Path(path).expanduser().resolve()) if path and path != own else path


def _annotation_options(options: argparse.ArgumentParser, default: str) -> None:
    options.add_argument(
        "--annotation",
        default=default,
        help="v1, v2, demo, or a JSON file in the benchmark's form, or a study's questions.jsonl",
    )
    options.add_argument("--overlay", default="", metavar="FILE", help="corrections of your own, applied on top")
    options.add_argument("--data-dir", default="", help="folder that holds the annotations; empty: fetch them once")
    options.add_argument("--offline", action="store_true", help="use what was fetched before and fetch nothing")


def score_options(options: argparse.ArgumentParser) -> None:
    """Give ``muddle score`` its own options."""
    options.add_argument(
        "predictions",
        nargs="+",
        metavar="PREDICTIONS",
        help="JSON list or JSON lines with doc_id, question, response; several files are compared",
    )
    _annotation_options(options, "v2")
    options.add_argument("--judge", action="append", help="model or judge, or local/rules (default); repeatable")
    options.add_argument(
        "--missing",
        default="wrong",
        choices=scores.MISSING,
        help="what a question without a prediction counts as; exclude leaves it out and says so",
    )
    options.add_argument(
        "--out", default="", metavar="FILE", help="write scores and every row with its verdict as JSON"
    )
    options.add_argument(
        "--dry-run",
        action="store_true",
        help="say how many responses would be judged and the most it can cost; ask nobody",
    )
    options.add_argument(
        "--refresh", action="store_true", help="judge anew what has a verdict, too; nothing is deleted"
    )
    options.add_argument("--study", default="", help="name for its tables and figure; empty: scores-SYSTEM")
    options.add_argument("--runs-dir", default=_RUNS_DIR, help="where verdicts are kept")
    options.add_argument("--figures-dir", default="figures", help="where tables and figure go")


def _annotation(arguments: argparse.Namespace) -> str:
    return str(arguments.annotation) if arguments.annotation in ("v1", "v2", "demo") else _here(arguments.annotation)


def _gold(arguments: argparse.Namespace) -> Gold:
    data_dir, overlay = _here(arguments.data_dir), _here(arguments.overlay)
    return read_gold(_annotation(arguments), data_dir, overlay, arguments.offline)


def _other_gold(arguments: argparse.Namespace) -> Gold | None:
    """Return the benchmark's other annotation, to say whose wording an unmatched prediction has, if it is at hand."""
    other = {"v2": "v1", "v1": "v2"}.get(arguments.annotation)
    try:
        return read_gold(other, _here(arguments.data_dir), offline=True) if other else None
    except CorpusError:
        # Nothing is scored against it, so that it is not there, or damaged, keeps nobody from a score.
        return None


def _printable(text: str) -> str:
    """Return a text without characters that steer a terminal, which names, questions and references may hold."""
    return "".join("\ufffd" if mark != "\n" and unicodedata.category(mark)[0] == "C" else mark for mark in text)


def _show(text: str) -> None:
    print(_printable(text))


def _say(text: str) -> None:
    print(_printable(text), file=sys.stderr, flush=True)


def _check_place(path: Path, parameter: str, folder: bool = False) -> None:
    """Refuse a place that cannot be written, before anything is asked of anybody.

    Raises:
        PredictionsError: a folder is where a file should go, a file where a folder should, or writing is not allowed.
    """
    place = path if folder else path.parent
    found = next(parent for parent in (place, *place.parents) if parent.exists())
    if not folder and path.is_dir():
        raise PredictionsError(f"{parameter} {path} is a folder: name a file in it")
    if not found.is_dir() or not os.access(found, os.W_OK | os.X_OK):
        why = "is not writable" if found.is_dir() else "is a file, not a folder"
        raise PredictionsError(f"{parameter} {path} cannot be written, because {found} {why}: take another place")


def _say_rows(label: str, places: Sequence[str]) -> None:
    if places:
        _say(f"{label}: {len(places)}")
        for place in places[:_LISTED]:
            _say(f"  {place}")
        if len(places) > _LISTED:
            _say(f"  and {len(places) - _LISTED} more; --out lists all")


def _say_unscored(found: Join, annotation: Gold, other: Gold | None) -> None:
    name = found.system
    reasons = [
        f"{row.place}: {row.doc_id}: {row.question[:100]!r}: {why_unmatched(row, annotation, other)}"
        for row in found.unmatched
    ]
    _say_rows(f"{name}, predictions that match no question, not scored", reasons)
    _say_rows(f"{name}, predictions said twice, counted once", [row.place for row in found.repeated])
    asked = [f"{row.question.document_id}: {row.question.question[:100]!r}" for row in found.rows if not row.response]
    _say_rows(f"{name}, questions without a usable prediction", asked)
    twice = [
        f"{row.place}: {row.question.document_id}: {row.question.question[:100]!r}"
        for row in found.rows
        if row.status == TWO_RESPONSES
    ]
    _say_rows(f"{name}, questions answered twice and differently, none of it scored", twice)


def _store(arguments: argparse.Namespace) -> Store:
    runs_dir = _here(arguments.runs_dir, _RUNS_DIR)
    return Store(resolve(runs_dir) / "scores.sqlite")


def _plan(joins: Sequence[Join], judges: Sequence[Judge], arguments: argparse.Namespace) -> None:
    with _store(arguments) as store:
        for judge in judges:
            n, most = planned(joins, judge, store, arguments.waive)
            _show(f"{judge.name}: {n:,} responses to judge, at most ${most:,.2f}; nobody was asked")


def _judged(joins: Sequence[Join], judges: Sequence[Judge], arguments: argparse.Namespace) -> list[ScoredRow]:
    rows: list[ScoredRow] = []
    with _store(arguments) as store:
        before = store.spent(at_most=True)
        for judge in judges:
            # What is left for this judge; nothing left is not the same as no limit.
            left = max(arguments.budget - store.spent(at_most=True) + before, 1e-9) if arguments.budget else 0.0
            asked = judge_predictions(
                joins, judge, store, arguments.concurrency, left, arguments.waive, refresh=arguments.refresh
            )
            verdicts = asyncio.run(asked)
            rows += [row for found in joins for row in scored(found, judge.name, verdicts)]
    return rows


def _command(arguments: argparse.Namespace, judges: Sequence[str]) -> str:
    """Return the command that makes the same scores again, without folders and addresses of this machine."""
    words = ["muddle", "score", *(Path(path).name for path in arguments.predictions)]
    words += ["--annotation", Path(arguments.annotation).name]
    words += [
        word
        for name in ("overlay", "models_file")
        if getattr(arguments, name)
        for word in (f"--{name.replace('_', '-')}", Path(getattr(arguments, name)).name)
    ]
    words += [word for name in judges for word in ("--judge", name)]
    return shlex.join([*words, "--missing", arguments.missing])


def _study(arguments: argparse.Namespace, systems: Sequence[str]) -> Study:
    """Return the study whose folder the tables and the figure go to."""
    # Other settings are other scores: each has a folder of its own.
    parts = [*systems, arguments.annotation if arguments.annotation != "v2" else "", Path(arguments.overlay).stem]
    parts += [*(arguments.judge or []), "" if arguments.missing == "wrong" else arguments.missing]
    named = "-".join(("scores", *(Path(part).name for part in parts if part)))
    name = re.sub(r"\.{2,}", ".", slug(named))[:64].rstrip("-.")
    figures_dir = _here(arguments.figures_dir, "figures")
    runs_dir = _here(arguments.runs_dir, _RUNS_DIR)
    study = Study(arguments.study or name, runs_dir, figures_dir)
    if study.rows("questions").exists() or (study.figures / "table_1.csv").exists():
        raise PredictionsError(
            f"--study {study.name}: that is a study, whose tables these would replace; take another name, such as "
            f"{study.name}-scores"
        )
    return study


def _judge(name: str, arguments: argparse.Namespace) -> Judge:
    try:
        return find_judge(name, _here(arguments.models_file), arguments.judge_api_base, "equivalence")
    except ModelError as error:
        raise ModelError(f"--judge {name}: {error}") from None


def score(arguments: argparse.Namespace) -> int:
    """Score predictions files, print the result, and write rows, tables and figure."""
    files = [Path(path).expanduser() for path in arguments.predictions]
    systems = system_names(files)
    study = _study(arguments, systems)
    _check_place(study.figures, "--figures-dir", folder=True)
    if arguments.out:
        _check_place(Path(_here(arguments.out)), "--out")
    read = [read_predictions(path) for path in files]
    annotation = _gold(arguments)
    joins = [join(system, rows, annotation) for system, rows in zip(systems, read, strict=True)]
    names = list(dict.fromkeys(arguments.judge or ["local/rules"]))
    judges = [_judge(name, arguments) for name in names]
    unmatched = any(found.unmatched for found in joins)
    other = _other_gold(arguments) if unmatched else None
    if notice := missing_notice(joins, arguments.missing):
        _say(notice)
    for found in joins:
        _say_unscored(found, annotation, other)
    if all(row.status == NO_PREDICTION for found in joins for row in found.rows):
        raise PredictionsError(
            f"{', '.join(map(str, files))}: no prediction answers a question of {annotation.name}; "
            "take another --annotation"
        )
    if arguments.dry_run:
        _plan(joins, judges, arguments)
        return 0
    frame = scores.scored_frame(_judged(joins, judges, arguments))
    fingerprints = {judge.name: judge.fingerprint for judge in judges}
    about = {"command": _command(arguments, names), "annotation": annotation.name, "revision": annotation.revision}
    about |= origin_of(frame)
    made = tables_of(frame, joins, arguments.missing)
    save_all(made, study, about)
    if arguments.out:
        whole = {**about, "pinned": annotation.pinned, "missing": arguments.missing, "judges": fingerprints}
        write_atomically(Path(arguments.out).expanduser(), written(frame, made, joins, whole))
    _show("\n".join([*([notice] if notice else []), summary(made, annotation, fingerprints, arguments.missing)]))
    print(f"\ntables and figure: {study.figures}")
    if n_unjudged := int(frame["verdict"].eq("unjudged").sum()):
        causes = Counter(row["problem"].split(":")[0] for row in as_records(frame[frame["verdict"].eq("unjudged")]))
        said = ", ".join(f"{n} {cause}" for cause, n in causes.most_common(3))
        n_open = sum(n for cause, n in causes.items() if cause not in LASTING)
        again = f"the same command asks for {n_open} of them again" if n_open else "asking again would change nothing"
        _say(f"{n_unjudged} responses are unjudged ({said}): {again}")
    return 0


# --- A study's answers as predictions -------------------------------------------------------------------------------


def predictions_options(options: argparse.ArgumentParser) -> None:
    """Give ``muddle predictions`` its own options."""
    options.add_argument("study", metavar="STUDY", help="name of the run")
    options.add_argument("--model", default="local/reader", help="whose answers")
    options.add_argument("--modality", default="markdown", help="in which modality")
    options.add_argument("--condition", default="control", help="in which condition")
    options.add_argument("--runs-dir", default=_RUNS_DIR, help="where studies are kept")
    options.add_argument(
        "--out", default="", metavar="FILE", help="the file to write; empty: STUDY-MODEL-MODALITY.json"
    )


def predictions(arguments: argparse.Namespace) -> int:
    """Write a study's answers in one condition as a predictions file."""
    runs_dir = _here(arguments.runs_dir, _RUNS_DIR)
    study = find_study(arguments.study, runs_dir, "figures")
    found = study_predictions(study, arguments.model, arguments.modality, arguments.condition.lower())
    default = f"{study.name}-{slug(arguments.model)}-{arguments.modality}.json"
    path = write_atomically(Path(arguments.out or default).expanduser(), as_predictions(found))
    n_none = sum(row.response is None for row in found)
    print(f"{path}: {len(found):,} questions, {n_none:,} of them without an answer")
    print(f"score it with: muddle score {path} --annotation {study.rows('questions')}")
    return 0


# --- Annotations ----------------------------------------------------------------------------------------------------


def lint_options(options: argparse.ArgumentParser) -> None:
    """Give ``muddle lint`` its own options."""
    _annotation_options(options, "v2")
    options.add_argument("--documents", default="", metavar="FOLDER", help="PDFs, to check evidence pages against")
    options.add_argument("--json", action="store_true", help="the findings as JSON lines")


def lint(arguments: argparse.Namespace) -> int:
    """List what may be wrong with an annotation; exit code 1 if anything is, 0 if nothing."""
    rows = annotation_rows(
        _annotation(arguments), _here(arguments.data_dir), _here(arguments.overlay), arguments.offline
    )
    facts = {}
    beside = Path(_here(arguments.data_dir)) / "documents" if arguments.data_dir else None
    documents = _here(arguments.documents) or (str(beside) if beside and beside.is_dir() else "")
    if documents:
        paths = pdfs_below(Path(documents))
        if not paths:
            raise CorpusError(f"--documents {arguments.documents}: no PDF is there")
        digests = {name: file_sha256(path) for name, path in paths.items()}
        facts = gather_facts(paths, digests, resolve(_RUNS_DIR) / ".cache")
    findings = gold.lint(rows, facts)
    for finding in findings:
        if arguments.json:
            print(json.dumps(dataclasses.asdict(finding)))
            continue
        place = f"row {finding.place}, {finding.document_id}, {finding.question[:80]!r}: " if finding.place else ""
        _show(f"{finding.kind}: {place}{finding.detail}")
    counts = Counter(finding.kind for finding in findings)
    said = ", ".join(f"{kind}: {n}" for kind, n in counts.most_common()) or "nothing found"
    _say(f"{len(rows):,} rows: {said}")
    return int(any(finding.place for finding in findings))


def corrections_options(options: argparse.ArgumentParser) -> None:
    """Give ``muddle corrections`` its own options."""
    options.add_argument(
        "document", nargs="?", default="", metavar="DOC_ID", help="show those of this document in full"
    )
    options.add_argument("--type", default="", help="only of this type, such as wrong_answer")
    options.add_argument("--find", default="", metavar="TEXT", help="show those with this text in question or reason")
    options.add_argument("--data-dir", default="", help="folder that holds the annotations; empty: fetch them once")
    options.add_argument("--offline", action="store_true", help="use what was fetched before and fetch nothing")
    options.add_argument("--apply", default="", metavar="FILE", help="apply all to this copy of v1 and write --out")
    options.add_argument("--out", default="", metavar="FILE", help="where the corrected annotation goes")


def _chosen(found: Sequence[Correction], arguments: argparse.Namespace) -> list[Correction]:
    kinds = counts_by_type(found)
    if arguments.type and arguments.type not in kinds:
        raise CorpusError(f"--type {arguments.type}: there is no such type, take one of {', '.join(kinds)}")
    documents = {item.doc_id for item in found}
    if arguments.document and arguments.document not in documents:
        close = difflib.get_close_matches(arguments.document, documents, 1)
        hint = f"; is {close[0]!r} meant?" if close else ""
        raise CorpusError(f"{arguments.document!r} has no correction{hint}")
    text = arguments.find.casefold()
    return [
        item
        for item in found
        if arguments.document in ("", item.doc_id)
        and arguments.type in ("", item.dispute_type)
        and text in f"{item.question} {item.after.get('question', '')} {item.note}".casefold()
    ]


def corrections(arguments: argparse.Namespace) -> int:
    """Show what V2 corrected and why, or apply it to a copy of v1."""
    if bool(arguments.apply) != bool(arguments.out):
        raise CorpusError("--apply FILE and --out FILE go together: the first is read, the second written")
    folder = mmlongbench_folder(_here(arguments.data_dir), arguments.offline, annotations_only=True)
    found = read_corrections(folder)
    if arguments.apply:
        rows = read_json_rows(Path(_here(arguments.apply)), COLUMNS)
        corrected = apply(rows, found, arguments.apply)
        data = json.dumps(corrected, indent=2, ensure_ascii=False).encode()
        path = write_atomically(Path(arguments.out).expanduser(), data)
        print(f"{path}: {len(corrected):,} of {len(rows):,} rows, after {len(found)} corrections")
        return 0
    chosen = _chosen(found, arguments)
    if arguments.document or arguments.type or arguments.find:
        print("\n\n".join(describe(item) for item in chosen) or "no correction holds that")
    else:
        print("\n".join(listed(chosen)))
    _say(f"{len(chosen)} of {len(found)} corrections")
    return 0
