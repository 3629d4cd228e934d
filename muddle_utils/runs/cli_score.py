"""The commands for any system's predictions: ``muddle score``, ``predictions``, ``corrections`` and ``lint``.

``cli`` gives them their options, and loads this module only when one of them is run.
"""

from __future__ import annotations

import argparse
import asyncio
import dataclasses
import difflib
import json
import os
import re
import shlex
import sys
import textwrap
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import pandas as pd

from muddle_utils.analysis import benchmark_scores
from muddle_utils.analysis.frames import as_records, ordered
from muddle_utils.corpus import lint as lint_module
from muddle_utils.corpus.annotation import Gold, annotation_rows, read_gold
from muddle_utils.corpus.checks import CorpusError
from muddle_utils.corpus.corpora import COLUMNS, mmlongbench_folder, read_json_rows
from muddle_utils.corpus.corrections import CHANGING, DISPUTE_TYPES, Correction, apply, read_corrections
from muddle_utils.corpus.pdf_facts import gather_facts, pdfs_below
from muddle_utils.figures.benchmark_tables import (
    MISSING_WORDS,
    missing_notice,
    save_all,
    scores_origin,
    tables_of,
)
from muddle_utils.inference.client import ModelError
from muddle_utils.inference.errors import LASTING
from muddle_utils.judging.judges import Judge, find_judge
from muddle_utils.judging.mmlongbench_v2 import judge_predictions, planned, scored
from muddle_utils.judging.predictions import (
    PredictionsError,
    as_predictions,
    join,
    read_predictions,
    study_predictions,
    system_names,
    why_unmatched,
)
from muddle_utils.study.labels import value_text
from muddle_utils.study.paths import Study, find_study, resolve, slug
from muddle_utils.study.records import NO_PREDICTION, PREDICTED, TWO_RESPONSES, Join, ScoredRow
from muddle_utils.study.rows import file_sha256, write_atomically
from muddle_utils.study.store import Store

_RUNS_DIR: Final = "data/runs"
_LISTED: Final = 10


def _here(path: str, own: str = "") -> str:
    """Return a path as the shell means it, from the current folder; empty texts and the kit's ``own`` place stay."""
    return str(Path(path).expanduser().resolve()) if path and path != own else path


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
    print(_printable(text), flush=True)


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
    """Score predictions files, print the result, and write rows, tables and figure; 1 if a judge gave no verdict."""
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
        _show(notice)
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
    frame = benchmark_scores.scored_frame(_judged(joins, judges, arguments))
    fingerprints = {judge.name: judge.fingerprint for judge in judges}
    about = {"command": _command(arguments, names), "annotation": annotation.name, "revision": annotation.revision}
    about |= scores_origin(frame)
    made = tables_of(frame, joins, arguments.missing)
    save_all(made, study, about, arguments.missing)
    if arguments.out:
        whole = {**about, "pinned": annotation.pinned, "missing": arguments.missing, "judges": fingerprints}
        write_atomically(Path(arguments.out).expanduser(), written(frame, made, joins, whole))
    _show(summary(made, annotation, fingerprints, arguments.missing))
    print(f"\ntables and figure: {study.figures}")
    if n_unjudged := int(frame["verdict"].eq("unjudged").sum()):
        causes = Counter(frame.loc[frame["verdict"].eq("unjudged"), "error_class"])
        said = ", ".join(f"{n} {cause}" for cause, n in causes.most_common(3))
        n_open = sum(n for cause, n in causes.items() if cause not in LASTING)
        again = f"the same command asks for {n_open} of them again" if n_open else "asking again would change nothing"
        _say(f"{n_unjudged} responses are unjudged ({said}): {again}")
    said_by = frame[frame["status"].eq(PREDICTED)].groupby("judge", sort=False)["verdict"]
    if silent := [str(judge) for judge, verdicts in said_by if not verdicts.eq("judged").any()]:
        _say(f"no response was judged by {', '.join(silent)}: there is no score by V2")
        return 1
    return 0


# --- A study's answers as predictions -------------------------------------------------------------------------------


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
    findings = lint_module.lint_annotation(rows, facts)
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


# --- For people ------------------------------------------------------------------------------------------------------


def counts_by_type(corrections: Iterable[Correction]) -> dict[str, int]:
    """Return how many corrections there are of each type that occurs, the known types first and in their order."""
    counts = Counter(correction.dispute_type for correction in corrections)
    return {
        kind: counts[kind] for kind in (*DISPUTE_TYPES, *sorted(counts.keys() - DISPUTE_TYPES.keys())) if counts[kind]
    }


def listed(corrections: Sequence[Correction]) -> list[str]:
    """Return lines: every type with its count and meaning, and under it its questions in the given order."""
    lines = []
    for kind, count in counts_by_type(corrections).items():
        meaning = DISPUTE_TYPES.get(kind)
        lines.append(f"{kind}: {count}" + (f" ({meaning})" if meaning else ""))
        lines += [f"  {item.doc_id}: {_line(item.question)}" for item in corrections if item.dispute_type == kind]
    return lines


def describe(correction: Correction, width: int = 100) -> str:
    """Return a correction as lines of at most ``width`` characters, but for words that are longer."""
    names = [name for name in CHANGING if name in correction.after]
    parts = [("document", correction.doc_id)]
    if "question" not in names:
        parts.append(("question", correction.question))
    if correction.removed:
        parts += [(_label(name), was) for name, was in correction.before.items()]
        parts.append(("after", "removed"))
    parts += [(_label(name), f"{correction.before[name]} → {correction.after[name]}") for name in names]
    parts += [
        ("type", f"{correction.dispute_type} ({DISPUTE_TYPES.get(correction.dispute_type, 'not a known type')})"),
        ("reason", correction.note),
        ("pages", ", ".join(map(str, correction.pages)) or "none named"),
        ("verified by", ", ".join(correction.verified_by) or "nobody named"),
    ]
    wrapped = (
        textwrap.wrap(
            _line(text), width, initial_indent=f"{label:<18}", subsequent_indent=" " * 18, break_on_hyphens=False
        )
        for label, text in parts
    )
    return "\n".join(line for lines in wrapped for line in lines)


def _label(name: str) -> str:
    return name.replace("_", " ")


def _line(text: str) -> str:
    """Return the text on one line, without characters that move a terminal's cursor."""
    return " ".join("".join(mark if mark.isprintable() else " " for mark in text).split()) or "(empty)"


# --- On the screen --------------------------------------------------------------------------------------------------


def _number(value: object) -> str:
    return "–" if pd.isna(value) else f"{float(value):.3f}"  # type: ignore[call-overload, arg-type]


def _estimate(row: Mapping[str, Any]) -> str:
    said = _number(row["value"])
    if not pd.isna(row["low"]):
        said += f" [{_number(row['low'])}, {_number(row['high'])}]"
    if row["n_unjudged"] and not pd.isna(row["least"]):
        said += f" ({_number(row['least'])} to {_number(row['most'])})"
    return said + (f" {row['not_applicable']}" if row["not_applicable"] else "")


def _scores_lines(rows: pd.DataFrame) -> list[str]:
    lines = []
    for row in as_records(rows):
        name = f"{row['scorer']} {row['metric']}"
        lines.append(f"  {name:<14}{_estimate(row):<42}{row['n_questions']:>7,} questions")
    return lines


def summary(made: Mapping[str, pd.DataFrame], gold: Gold, judges: Mapping[str, str], missing: str) -> str:
    """Return the scores as lines for people: what was scored against what, each value with its interval and n.

    Args:
        made: as ``tables_of`` returns it.
        gold: the annotation.
        judges: the digest of each judge's model, prompt and parameters, by name.
        missing: ``wrong`` or ``exclude``.
    """
    pinned = (" (as pinned)" if gold.pinned else " (not the pinned revision)") if gold.published else ""
    n_documents = len({question.document_id for question in gold.questions})
    lines = [
        f"annotation {gold.name}, revision {gold.revision}{pinned}: {len(gold.questions):,} questions of "
        f"{n_documents:,} documents; {MISSING_WORDS[missing]}",
        *(f"judge {name}, fingerprint {digest[:12]}" for name, digest in judges.items()),
        *gold.notes,
    ]
    table = made["scores"]
    for counts in as_records(made["predictions"]):
        system = counts["system"]
        n_missing = counts["n_questions"] - counts["n_predicted"]
        lines += ["", f"{system}: {counts['n_predicted']:,} predicted, {n_missing:,} without a usable prediction"]
        own = table[table["system"].eq(system)]
        for judge in ordered(own["judge"], ()):
            rows = own[own["judge"].eq(judge)]
            n_unjudged = int(rows["n_unjudged"].max() or 0)
            head = f" by {judge}, {n_unjudged:,} unjudged" if judge else " by the first scorer (v1), without a judge"
            lines += [head, *_scores_lines(rows)]
    between = made["systems"]
    for row in as_records(between[between["second"].ne("")]):
        said = f"{row['first']} − {row['second']} by {row['judge']}"
        if pd.isna(row["difference"]):
            lines += ["", f"{said}: {row['not_applicable']}"]
            continue
        numbers = f"{100 * row['difference']:+.1f} points".replace("-", "−")
        if not pd.isna(row["low"]):
            numbers += f" [{100 * row['low']:+.1f}, {100 * row['high']:+.1f}]".replace("-", "−")
        tests = "".join(
            f", {name} {value_text(row[column], column)}"
            for name, column in (("McNemar p", "p"), ("p over documents", "p_document"), ("Holm", "p_holm"))
            if not pd.isna(row[column])
        )
        counted = f"{row['first_only']} to {row['second_only']} of {row['n_questions']:,} questions"
        lines += ["", f"{said}: {numbers}, {counted}{tests}"]
    return "\n".join(lines)


def written(
    frame: pd.DataFrame, made: Mapping[str, pd.DataFrame], joins: Sequence[Join], about: Mapping[str, Any]
) -> bytes:
    """Return the file of a scoring as JSON: what was scored, all scores, and every row with its verdict.

    Args:
        frame: as ``benchmark_scores.scored_frame`` returns it.
        made: as ``tables_of`` returns it.
        joins: the systems' answers; rows that found no question are listed.
        about: what was scored against what.
    """
    left_out = [
        {"system": found.system, "place": row.place, "doc_id": row.doc_id, "question": row.question, "why": why}
        for found in joins
        for why, rows in (
            ("matches no question", found.unmatched),
            ("said twice", found.repeated),
            ("answered twice and differently", found.contradicting),
        )
        for row in rows
    ]
    asked = frame.drop_duplicates(["system", "question_id"])
    n_predicted = {
        system: int(rows["status"].eq(PREDICTED).sum()) for system, rows in asked.groupby("system", sort=False)
    }
    tables = {name: json.loads(made[name].to_json(orient="records")) for name in ("scores", "systems")}
    rows = json.loads(frame.drop(columns="judge_fingerprint").to_json(orient="records", force_ascii=False))
    whole = {
        **about,
        "n_predicted": n_predicted,
        **tables,
        "left_out": left_out,
        "rows": rows,
    }
    return (json.dumps(whole, indent=1, ensure_ascii=False) + "\n").encode()
