"""A study as a folder for release: rows in two forms, documents' text, tables and figures, a datasheet, checksums.

The folder holds all that ``replays`` needs to make every table and figure again, and nothing of the machine that it
comes from: no folder's way, no name of user or host, no key. The same study gives the same bytes.
"""

import hashlib
import json
import os
import platform
import re
import shutil
import sys
import tempfile
import types
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

from muddle_utils.analysis.frames import analysis_command
from muddle_utils.rendering.pdf import RenderError
from muddle_utils.rendering.rendering import read_markdown
from muddle_utils.runs.executed import ANALYSES, BESIDE, FAILED, Executed, own_analyses, read_notebooks
from muddle_utils.runs.leftovers import held, sweep_beside
from muddle_utils.runs.pipeline import only_run_of
from muddle_utils.runs.plan import STEPS, Step, declared_parameters
from muddle_utils.runs.release import provenance
from muddle_utils.runs.release.bundle_io import (
    CONTENTS,
    MANIFEST,
    NAME,
    BundleError,
    files_below,
    put,
    refuse_foreign,
    refuse_foreign_zip,
    write_sums,
    write_zip,
)
from muddle_utils.runs.release.datasheet import Contents, datasheet
from muddle_utils.runs.release.methods_text import origin_doubts
from muddle_utils.runs.release.private import PrivateError, quoted_in, refuse_text
from muddle_utils.runs.release.provenance import analysis_doubts
from muddle_utils.runs.settings import RunError
from muddle_utils.runs.stored import has_answers, remake
from muddle_utils.study.paths import Study, find_study, project_root, slug
from muddle_utils.study.records import (
    Cell,
    Document,
    Exclusion,
    HardNegative,
    PageQuality,
    Question,
    Rendering,
    Request,
    Response,
    Verdict,
)
from muddle_utils.study.rows import as_row, file_sha256, read_rows, write_atomically, write_rows
from muddle_utils.study.store import Store

FORMAT: Final = 1
DATASHEET: Final = "README.md"
LOCK: Final = "requirements.lock"
# Row files by name, and by the part of it before a modality or model.
RECORDS: Final[Mapping[str, type]] = {
    "questions": Question,
    "documents": Document,
    "hard_negatives": HardNegative,
    "exclusions": Exclusion,
    "cells": Cell,
    "responses": Response,
    "verdicts": Verdict,
}
FAMILIES: Final[Mapping[str, type]] = {
    "renderings": Rendering,
    "page_quality": PageQuality,
    "lost": Exclusion,
    "requests": Request,
}
# Parameters of the analyses that name further studies.
STUDY_PARAMETERS: Final = ("others", "placement_study", "annotation_study")
# Parameters that say where things are on one machine.
PLACES: Final = ("runs_dir", "figures_dir")
# The kit's own words in rows, which may name a folder of this machine. What people and models wrote is never changed.
_OWN_TEXTS: Final[Mapping[type, Sequence[str]]] = {
    Document: ("problem",),
    Exclusion: ("detail",),
    HardNegative: ("detail",),
    Rendering: ("problem", "warnings"),
    Request: ("detail", "route"),
    Response: ("error", "route"),
    Verdict: ("problem",),
}
# Seconds by which a file's time may be off from its notebook's.
_SLACK: Final = 2.0

Rows = Mapping[str, Sequence[Any]]


@dataclass(frozen=True)
class Exported:
    """A bundle that was written, its size in files and bytes, and what whoever hands it on should know."""

    folder: Path
    zipped: Path | None
    n_files: int
    n_bytes: int
    remarks: tuple[str, ...]


class Analysis(NamedTuple):
    """An executed analysis notebook: what it ran with, without places, and when, in seconds since 1970."""

    step: Step
    parameters: dict[str, Any]
    started: float
    ended: float


# --- Rows in two forms ----------------------------------------------------------------------------------------------


def record_of(stem: str) -> type | None:
    """Return the record type of a row file by its name without ending, or None if it is no row file.

    >>> record_of("requests_local-reader_markdown").__name__, record_of("notes")
    ('Request', None)
    """
    if stem in RECORDS:
        return RECORDS[stem]
    return next((kind for prefix, kind in FAMILIES.items() if stem.startswith(f"{prefix}_")), None)


_ARROW: Final = {str: "string", int: "int64", float: "float64", bool: "bool_"}


def arrow_schema(kind: type) -> Any:  # noqa: ANN401 - pyarrow has no types
    """Return the Parquet schema of a record type, from its fields alone: a column without a value keeps its type."""
    import pyarrow as pa

    fields = []
    for name, hint in typing.get_type_hints(kind).items():
        parts = [part for part in typing.get_args(hint) or (hint,) if part in _ARROW]
        column = getattr(pa, _ARROW[parts[0]])()
        if typing.get_origin(hint) is tuple:
            column = pa.list_(pa.field("element", column, nullable=False))
        fields.append(pa.field(name, column, nullable=types.NoneType in typing.get_args(hint)))
    return pa.schema(fields)


def write_parquet(path: Path, rows: Iterable[object], kind: type) -> Path:
    """Write records of one type as a Parquet file; equal records give equal bytes with one version of pyarrow."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    path.parent.mkdir(parents=True, exist_ok=True)
    table = pa.Table.from_pylist([as_row(row) for row in rows], schema=arrow_schema(kind))
    pq.write_table(table, path, compression="zstd")
    return path


# --- What a study holds ---------------------------------------------------------------------------------------------


def _read_rows_of(study: Study) -> tuple[dict[str, Sequence[Any]], list[str]]:
    """Return all rows of a study by kind, superseded ones and their marks too, and the row files of no known kind."""
    rows: dict[str, Sequence[Any]] = {}
    unknown = []
    for path in sorted(study.folder.glob("*.jsonl")):
        kind = record_of(path.stem)
        if kind is None or not NAME.fullmatch(path.name):
            unknown.append(path.name)
        else:
            rows[path.stem] = read_rows(path, kind)
    rows |= {"responses": [], "verdicts": []}
    if study.store.exists():
        with Store(study.store, read_only=True) as store:
            rows |= {"responses": store.attempts(), "verdicts": store.judgements()}
    return rows, unknown


def _command(study: Study, number: str, parameters: Mapping[str, Any]) -> str:
    """Return the command that an analysis notebook says of itself in its tables and figures."""
    if said := parameters.get("command"):
        return str(said)
    models, modalities, judges = (list(parameters.get(name) or ()) for name in ("models", "modalities", "judges"))
    return analysis_command(study, number, models, modalities, judges, str(parameters.get("judge", "")))


def read_analyses(study: Study) -> list[Analysis]:
    """Return the executed notebooks that make the tables and figures, in order.

    Raises:
        BundleError: one was never executed, or not to its end; the message holds the command to run.
    """
    from nbformat import ValidationError

    steps = [step for step in STEPS if step.number in ANALYSES]
    paths = {step: study.notebooks / f"{step.notebook}.ipynb" for step in steps}
    if missing := [step.number for step in steps if not paths[step].is_file()]:
        raise BundleError(
            f"study {study.name!r}: notebook {' and '.join(missing)} was never run, so nothing says how its tables "
            f"and figures are made: {remake(study, missing)}"
        )
    found = []
    for step, path in paths.items():
        try:
            about = json.loads(path.read_text(encoding="utf-8"))["metadata"]["papermill"]
            parameters = _effective(path, about["parameters"])
            failed = about.get("exception") or not about.get("end_time") or _failed_since(path)
            times = [] if failed else [datetime.fromisoformat(about[name]) for name in ("start_time", "end_time")]
        except (ValueError, KeyError, TypeError, AttributeError, SyntaxError, RunError, ValidationError):
            raise BundleError(f"{path} is no executed notebook: {remake(study, [step.number])}") from None
        if failed:
            raise BundleError(f"{path} did not end well, so its tables are not whole: {remake(study, [step.number])}")
        found.append(Analysis(step, parameters, *(time.timestamp() for time in times)))
    return found


def _failed_since(path: Path) -> bool:
    """Return whether a notebook was run again after this copy, and not to its end."""
    return (path.parent / FAILED / path.name).exists()


def _effective(path: Path, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return all that an executed notebook ran with, its own defaults too, without places on this machine."""
    declared = {name: default for name, (_, default) in declared_parameters(path).items()}
    return {name: value for name, value in {**declared, **given}.items() if name not in PLACES}


def _further_studies(study: Study, analyses: Iterable[Analysis]) -> list[Study]:
    """Return the other studies whose rows the analyses read, by name.

    Raises:
        StudyError: there is no such study.
    """
    given = [item.parameters.get(name) or () for item in analyses for name in STUDY_PARAMETERS]
    names = {name for value in given for name in ([value] if isinstance(value, str) else value)} - {study.name}
    return [find_study(name, study.runs_dir, study.figures_dir) for name in sorted(names)]


def _figures_of(study: Study, again: str) -> tuple[dict[str, Path], dict[str, dict[str, Any]]]:
    """Return the files that the manifest of the figures lists, itself included, by name; and its entries.

    Raises:
        BundleError: there is no manifest, or a file is not the one it lists.
    """
    path = study.figures / MANIFEST
    if not path.is_file():
        raise BundleError(f"{path} is missing, so there are no tables and figures to hand on: {again}")
    try:
        items: dict[str, dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["items"]
        listed = {name: str(digest) for item in items.values() for name, digest in item["files"].items()}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BundleError(f"{path} is no manifest of figures ({error}): delete it, then {again}") from None
    for name, digest in listed.items():
        file = study.figures / name
        if not NAME.fullmatch(name) or not file.is_file() or file_sha256(file) != digest:
            raise BundleError(f"{file} is not the file that {MANIFEST} lists: make it again with {again}")
    return {name: study.figures / name for name in (*sorted(listed), MANIFEST)}, items


# --- What is only this machine's -------------------------------------------------------------------------------------


def _machine_folders(studies: Iterable[Study], rows: Mapping[str, Rows]) -> list[str]:
    """Return the folders of this machine that rows and tables may name, longest first."""
    places = [Path(os.path.expanduser("~")), project_root(), Path.cwd(), Path(tempfile.gettempdir()), Path(sys.prefix)]
    for study in studies:
        places += [study.folder, study.figures, study.cache]
        documents = [row.path for row in rows[study.name].get("documents", ())]
        rendered = [row.path for stem, own in rows[study.name].items() if stem.startswith("renderings_") for row in own]
        places += {Path(path).parent for path in (*documents, *rendered) if path}
    found = {str(path) for place in places for path in (place, place.resolve()) if path.is_absolute()}
    return sorted((path for path in found if len(Path(path).parts) > 1), key=lambda path: (-len(path), path))


def _impersonal(folders: Sequence[str]) -> Callable[[str], str]:
    """Return what takes this machine's folders and its host name out of a text of the kit's own."""
    places = re.compile(rf"(?:{'|'.join(map(re.escape, folders))})(?=[/\s\"',:;)]|$)")
    # Only as an address: a host may be called like any word.
    host = re.compile(rf"(?<=//){re.escape(platform.node() or 'localhost')}(?=[:/\s\"']|$)")
    return lambda text: host.sub("localhost", places.sub("…", text))


def _impersonal_row(row: Any, clean: Callable[[str], str]) -> Any:  # noqa: ANN401 - a record of any type
    """Return a record whose own texts name no folder of this machine; the record itself if none does."""
    changes: dict[str, Any] = {}
    for name in _OWN_TEXTS.get(type(row), ()):
        value = getattr(row, name)
        parts = value if isinstance(value, tuple) else (value,)
        cleaned = tuple(map(clean, parts))
        if cleaned != parts:
            changes[name] = cleaned if isinstance(value, tuple) else cleaned[0]
    return replace(row, **changes) if changes else row


def _without_place(row: Any, markdown: Mapping[str, str]) -> Any:  # noqa: ANN401 - a record of any type
    """Return a record with the place that its file has in the bundle, by document; empty where it has none."""
    if isinstance(row, Document):
        return replace(row, path="")
    if isinstance(row, Rendering):
        return replace(row, path=markdown.get(row.document_id, "") if row.modality == "markdown" else "")
    return row


def _refuse_private(folder: Path, names: Iterable[str], folders: Sequence[str], quoted: Callable[[str], bool]) -> None:
    """Refuse a bundle that would publish a key or, where the kit wrote it, a folder of this machine.

    Raises:
        BundleError: naming the file.
    """
    # A home that is one word, such as /root, stands in many documents.
    telling = [place for place in folders if len(Path(place).parts) > 2]
    # The rows first: what the datasheet and the tables say of them is mended there, too.
    for name in sorted(names, key=lambda name: not name.startswith("rows/")):
        if name.endswith(".parquet"):
            # It holds what the JSON lines beside it hold.
            continue
        text = (folder / name).read_bytes().decode("utf-8", "replace")
        try:
            refuse_text(name, text, quoted)
        except PrivateError as error:
            raise BundleError(str(error)) from None
        found = "" if name.startswith(("rows/", "markdown/")) else next((p for p in telling if p in text), "")
        if found:
            raise BundleError(
                f"{name} would publish {found}, a folder of this machine: make it anew without, or take it out of the "
                f"figures and their {MANIFEST}"
            )


# --- Writing --------------------------------------------------------------------------------------------------------


def export(study: Study, out: Path, documents: bool = True, as_zip: bool = False) -> Exported:
    """Write a study's bundle to the folder ``out``, and with ``as_zip`` also as one file beside it.

    Without ``documents`` the text of the documents stays out. The folder is made under another name and renamed, so
    that ``out`` is whole or as it was.

    Raises:
        BundleError: there are no answers, the tables were never made or are others than listed, ``out`` is no bundle
            of this study or cannot be written, or something private would get out.
        RowsError, StoreError, RenderError, RunError: the study cannot be read, or is being run.
    """
    try:
        return _export(study, out, documents, as_zip)
    except OSError as error:
        raise BundleError(
            f"{error.filename or out} cannot be written or read ({error.strerror or error}): mend that, or give "
            "another --out"
        ) from None


def _export(study: Study, out: Path, documents: bool, as_zip: bool) -> Exported:
    zipped = out.with_name(f"{out.name}.zip") if as_zip else None
    sweep_beside(out)
    replaced = refuse_foreign(out, study.name)
    if zipped:
        refuse_foreign_zip(zipped, study.name)
    out.parent.mkdir(parents=True, exist_ok=True)
    temporary = out.with_name(f".{out.name}.{os.getpid()}.tmp")
    shutil.rmtree(temporary, ignore_errors=True)
    temporary.mkdir()
    try:
        with held(temporary):
            with only_run_of(study):
                remarks = [f"{out} held an older bundle of this study, which is replaced"] if replaced else []
                remarks += _fill(study, temporary, documents)
            names = write_sums(temporary)
            n_bytes = sum((temporary / name).stat().st_size for name in names)
            if zipped:
                write_zip(temporary, names, zipped, slug(out.name))
            put(temporary, out)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    return Exported(out, zipped, len(names), n_bytes, tuple(remarks))


def _fill(study: Study, folder: Path, documents: bool) -> list[str]:
    """Write everything but the checksums; return what should be known of it."""
    notebooks = _exportable(study)
    analyses = read_analyses(study)
    figures, items = _figures_of(study, remake(study))
    studies = [study, *_further_studies(study, analyses)]
    read = {each.name: _read_rows_of(each) for each in studies}
    rows = {name: own for name, (own, _) in read.items()}
    folders = _machine_folders(studies, rows)
    markdown = _write_markdown(study, folder, rows[study.name]) if documents else {}
    clean = _impersonal(folders)
    counts, n_changed = _write_all_rows(folder, rows, markdown, clean)
    # What leaves the machine names no folder; what is said here is a command that can be run as it stands.
    other_rows = origin_doubts(study, notebooks, items, public=True)
    doubts = [*analysis_doubts(study, notebooks), *_other_commands(study, analyses, items), *_changed_texts(n_changed)]
    contents = Contents(
        FORMAT,
        study.name,
        tuple(each.name for each in studies),
        {item.step.notebook: item.parameters for item in analyses},
        counts,
        documents,
        versions(),
        code_digests(),
        (*other_rows, *doubts),
    )
    for name, path in figures.items():
        write_atomically(folder / "figures" / name, path.read_bytes())
    write_atomically(folder / LOCK, (project_root() / LOCK).read_bytes())
    text = json.dumps(asdict(contents), ensure_ascii=False, indent=1, sort_keys=True)
    write_atomically(folder / CONTENTS, f"{text}\n".encode())
    about = datasheet(contents, provenance.read_study(study), items, _kinds(rows))
    write_atomically(folder / DATASHEET, clean(about).encode())
    _refuse_private(folder, files_below(folder), folders, quoted_in(*studies))
    left_out = [f"left out, no row file of the kit: {name}" for _, unknown in read.values() for name in unknown]
    return [
        *origin_doubts(study, notebooks, items),
        *doubts,
        *left_out,
        *_other_times(study, analyses, items, rows[study.name]),
    ]


def _exportable(study: Study) -> list[Executed]:
    """Return the executed notebooks of a study that has something to hand on.

    Raises:
        BundleError: it has no answer, or its figures folder is that of a comparison with other studies.
    """
    if not has_answers(study):
        raise BundleError(f"study {study.name!r} has no answer yet, so there is nothing to hand on: {remake(study)}")
    notebooks = read_notebooks(study, skip_damaged=True)
    if any(BESIDE in each.name for each in own_analyses(study, notebooks)):
        raise BundleError(
            f"{study.figures} sets other studies beside {study.name!r}: export each study with its own --figures-dir"
        )
    return notebooks


def _kinds(rows: Mapping[str, Rows]) -> dict[type, tuple[list[str], Any]]:
    """Return the row files of each record type by their names without ending, and the type's Parquet schema."""
    stems = list(dict.fromkeys(stem for own in rows.values() for stem in own))
    kinds = dict.fromkeys((*RECORDS.values(), *FAMILIES.values()))
    named = {kind: [stem for stem in stems if record_of(stem) is kind] for kind in kinds}
    return {kind: (names, arrow_schema(kind)) for kind, names in named.items() if names}


def _write_markdown(study: Study, folder: Path, rows: Rows) -> dict[str, str]:
    """Write the documents' markdown; return the file of each document below the bundle.

    Raises:
        BundleError: a file has left the cache.
    """
    written = {}
    for row in rows.get("renderings_markdown", ()):
        if row.status != "rendered":
            continue
        try:
            text = read_markdown(row)
        except RenderError as error:
            raise BundleError(f"study {study.name!r}: {error}, or export it with --without-documents") from None
        name = f"markdown/{slug(row.document_id)[:120]}-{hashlib.sha256(row.document_id.encode()).hexdigest()[:8]}.md"
        write_atomically(folder / name, text.encode())
        written[row.document_id] = name
    return written


def _write_all_rows(
    folder: Path, rows: Mapping[str, Rows], markdown: Mapping[str, str], clean: Callable[[str], str]
) -> tuple[dict[str, int], int]:
    """Write the rows of all studies in both forms; return how many of each file, and how many had to be changed."""
    counts, n_changed = {}, 0
    for study, own in rows.items():
        for stem, records in own.items():
            place = f"{study}/{stem}"
            cleaned = [_impersonal_row(row, clean) for row in records]
            n_changed += sum(new is not old for new, old in zip(cleaned, records, strict=True))
            ready = [_without_place(row, markdown) for row in cleaned]
            kind = record_of(stem)
            assert kind is not None
            write_rows(folder / "rows" / f"{place}.jsonl", ready)
            write_parquet(folder / "rows" / f"{place}.parquet", ready, kind)
            counts[place] = len(ready)
    return counts, n_changed


def _changed_texts(n_changed: int) -> list[str]:
    if not n_changed:
        return []
    return [
        f"{n_changed:,} rows named folders or the host of the machine they come from, which is taken out; tables whose "
        "origin is a digest of such rows have another one when they are made again"
    ]


def _other_commands(study: Study, analyses: Sequence[Analysis], items: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return what tables and figures were made by other commands than the notebooks' executed copies."""
    expected = {_command(study, item.step.number, item.parameters) for item in analyses}
    other = sorted(name for name, item in items.items() if item.get("metadata", {}).get("command") not in expected)
    if not other:
        return []
    return [
        f"{', '.join(other)}: not made by the notebooks as they were last executed, with other parameters or by an "
        "older version of the kit"
    ]


def _other_times(
    study: Study, analyses: Sequence[Analysis], items: Mapping[str, Mapping[str, Any]], rows: Rows
) -> list[str]:
    """Return what files were not written while the notebook ran that says it made them, and rows that came later."""
    by_command = {_command(study, item.step.number, item.parameters): item for item in analyses}
    elsewhen = []
    for item in items.values():
        run = by_command.get(item.get("metadata", {}).get("command", ""))
        for name in item["files"] if run else ():
            time = (study.figures / name).stat().st_mtime
            if run and not run.started - _SLACK <= time <= run.ended + _SLACK:
                elsewhen.append(name)
    remarks = []
    if elsewhen:
        remarks.append(
            f"{len(elsewhen)} files, {elsewhen[0]} for one, have another date than the run of their notebook: "
            "copied since, or written by hand; if with other parameters, a replay will differ"
        )
    latest = max((_seconds(row.time) for kind in ("responses", "verdicts") for row in rows[kind]), default=0.0)
    if latest > min(item.started for item in analyses) + _SLACK:
        remarks.append("answers or verdicts were stored after the tables and figures were made: make them again")
    return remarks


def _seconds(text: str) -> float:
    try:
        return datetime.fromisoformat(text).timestamp()
    except ValueError:
        return 0.0


# --- What it was made with -------------------------------------------------------------------------------------------


def versions() -> dict[str, str]:
    """Return the versions of what makes tables and figures, and the kind of machine."""
    found = provenance.analysis_versions()
    listed = dict(zip(found["Package"], found["Version"], strict=True))
    return {**listed, "machine": f"{platform.system()} {platform.machine()}"}


def code_digests() -> dict[str, str]:
    """Return digests of the code of each analysis notebook, of the package, and of the data that notebooks read."""
    root = project_root()
    found = {}
    for step in STEPS:
        if step.number in ANALYSES:
            cells = json.loads(step.path.read_text(encoding="utf-8"))["cells"]
            sources = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
            found[f"notebook {step.notebook}"] = hashlib.sha256(json.dumps(sources).encode()).hexdigest()
    package = [path for path in (root / "muddle_utils").rglob("*") if path.suffix in (".py", ".mplstyle")]
    found["package"] = _digest_of(root, package)
    found["published numbers and calibration"] = _digest_of(
        root, [path for name in ("published", "calibration") for path in (root / "data" / name).glob("*.csv")]
    )
    return found


def _digest_of(root: Path, paths: Iterable[Path]) -> str:
    lines = [f"{file_sha256(path)}  {path.relative_to(root).as_posix()}\n" for path in sorted(paths)]
    return hashlib.sha256("".join(lines).encode()).hexdigest()
