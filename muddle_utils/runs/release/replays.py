"""A bundle's tables and figures made again from its rows alone, and compared with its own byte for byte.

Nobody is asked and nothing is fetched: notebooks read the rows that are laid back into a study's folder. A bundle is
taken with mistrust. Beside the checks of ``bundle_io``, it says which of this kit's analyses are run, and of their
parameters those that say what tables are made of; it names no other notebook, no place, no address and no model file.
The notebooks' kernels have no key and open no connection, see ``offline``.
"""

import contextlib
import json
import math
import shutil
import sys
import time
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Final

from muddle_utils.analysis.answers import read_frames
from muddle_utils.analysis.asked_alike import refuse_unlike, shared
from muddle_utils.figures.items import ITEMS
from muddle_utils.runs.executed import ANALYSES
from muddle_utils.runs.leftovers import KEPT, sweep_temporary, temporary_folder
from muddle_utils.runs.pipeline import execute, only_run_of
from muddle_utils.runs.plan import STEPS, Run, check_parameters, declared_parameters
from muddle_utils.runs.release.bundle_io import (
    CONTENTS,
    LARGEST,
    MANIFEST,
    BundleError,
    check_sums,
    opened,
    read_json,
    unlisted,
)
from muddle_utils.runs.release.bundles import FORMAT, RECORDS, STUDY_PARAMETERS, code_digests, record_of, versions
from muddle_utils.runs.release.datasheet import Contents
from muddle_utils.runs.release.row_checks import check_rows
from muddle_utils.runs.settings import OF_ONE_MACHINE, Parameters, RunError
from muddle_utils.study.errors import MuddleError, plain, quoted
from muddle_utils.study.holdings import Held
from muddle_utils.study.holdings import held as held_by
from muddle_utils.study.paths import NAME_PATTERN, Study, slug
from muddle_utils.study.records import CONDITIONS, MODALITIES, Document, Rendering
from muddle_utils.study.rows import read_rows, write_rows
from muddle_utils.study.store import Store, StoreError, locked

# Says that a replay made a folder, so that the next one may empty it.
MARK: Final = ".replayed"
# What tells where wrong answers stand, for which it takes the documents' text.
NEEDS_TEXTS: Final = tuple(item.name for item in ITEMS if item.needs_texts)
_GET_AGAIN: Final = "get the bundle again"
# Of how many resamples, runs or cards a bundle may ask, which is ten times what a study takes unasked: a notebook then
# takes seconds longer and not minutes.
_MOST: Final = 100_000
# The kinds of what a bundle says of itself, and of its parts.
_KINDS: Final[Mapping[str, tuple[type, type | None]]] = {
    **{"study": (str, None), "documents": (bool, None), "studies": (list, str), "doubts": (list, str)},
    **{"notebooks": (dict, dict), "rows": (dict, int), "versions": (dict, str), "code": (dict, str)},
}
# What a parameter may name.
_WORDS: Final = {"modalities": {*MODALITIES}, "condition": {"", *CONDITIONS}}


@dataclass(frozen=True)
class Replayed:
    """What a replay came to: names of files by how they compare with the bundle's, and what may explain a difference.

    ``missing`` were not made, ``extra`` were made and are not in the bundle, ``untold`` need the documents' text, which
    the bundle leaves out. ``unlisted`` lie in the bundle and are none of its files, so nothing was read of them.
    """

    figures: Path
    identical: tuple[str, ...]
    differing: tuple[str, ...]
    missing: tuple[str, ...]
    extra: tuple[str, ...]
    untold: tuple[str, ...]
    reasons: tuple[str, ...]
    unlisted: tuple[str, ...] = ()

    @property
    def is_same(self) -> bool:
        """Whether all that can be made again came out the same."""
        return not (self.differing or self.missing or self.extra)


# --- What a bundle says ---------------------------------------------------------------------------------------------


def read_contents(folder: Path, names: Container[str]) -> Contents:
    """Return what a bundle says of itself; ``names`` are the files that its checksums list.

    Raises:
        BundleError: it was made by a kit with another format, or is not what an export writes.
    """
    path = folder / CONTENTS
    said = read_json(path)
    said = said if isinstance(said, dict) else {}
    if "format" in said and said["format"] != FORMAT:
        raise BundleError(f"{path}: format {quoted(said['format'])} is not {FORMAT}: use the kit that wrote it")
    if strange := sorted({each.name for each in fields(Contents)} ^ said.keys()):
        why = "says more, or less, than the format has"
        raise BundleError(f"{path} is not what an export writes: {quoted(strange[0])} {why}; {_GET_AGAIN}")
    contents = Contents(**said)
    try:
        problem = _problem(contents, names)
    except (KeyError, TypeError, AttributeError):
        problem = "a value is of another kind"
    if problem:
        raise BundleError(f"{path}: {problem}; {_GET_AGAIN}")
    return replace(contents, studies=tuple(contents.studies), doubts=tuple(contents.doubts))


def _problem(contents: Contents, names: Container[str]) -> str:
    """Return what is wrong with what a bundle says of itself, or an empty text."""
    for name, (kind, part) in _KINDS.items():
        value = getattr(contents, name)
        parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        if type(value) is not kind or not all(type(each) is part for each in parts):
            return f"{name!r} is of another kind"
    named = (contents.study, *_named(contents))
    if unknown := [name for name in named if name not in contents.studies]:
        return f"it has no rows of the study {quoted(unknown[0])}"
    if strange := [name for name in contents.studies if name not in named]:
        return f"no notebook takes the rows of the study {quoted(strange[0])}"
    if wrong := [name for name in contents.studies if not NAME_PATTERN.fullmatch(name) or ".." in name]:
        return f"{quoted(wrong[0])} is no name of a study"
    for place in contents.rows:
        study, _, stem = place.partition("/")
        if study not in contents.studies or record_of(stem) is None or f"rows/{place}.jsonl" not in names:
            return f"it has no rows {quoted(place)}"
    if lacking := [f"{name}/{stem}" for name in named for stem in RECORDS if f"{name}/{stem}" not in contents.rows]:
        return f"it has no rows {quoted(lacking[0])}"
    return ""


def _named(contents: Contents) -> list[str]:
    """Return the further studies that the notebooks' parameters name."""
    found: list[str] = []
    for parameters in contents.notebooks.values():
        for name in STUDY_PARAMETERS:
            value = parameters.get(name) or []
            found += [value] if isinstance(value, str) else value
    return found


def _check_manifest(folder: Path) -> None:
    """Refuse a bundle whose manifest of figures is none: what differs could not be told.

    Raises:
        BundleError: naming it.
    """
    path = folder / "figures" / MANIFEST
    said = read_json(path)
    items = said.get("items") if isinstance(said, dict) else None
    entries = list(items.values()) if isinstance(items, dict) else [None]
    if not all(isinstance(item, dict) and isinstance(item.get("metadata", {}), dict) for item in entries):
        raise BundleError(f"{path} is no manifest of figures; {_GET_AGAIN}")


# --- Laying rows back -----------------------------------------------------------------------------------------------


@contextlib.contextmanager
def _cleared(folder: Path, option: str) -> Iterator[None]:
    """Hold an empty folder, in place of one that an earlier replay made; its mark is what other replays wait for.

    Raises:
        BundleError: there is another folder, or another replay is writing it.
    """
    mark = folder / MARK
    if folder.exists() and any(folder.iterdir()) and not mark.is_file():
        raise BundleError(f"{folder} was not made by a replay, so it is not overwritten: give another {option}")
    with contextlib.ExitStack() as held:
        try:
            held.enter_context(locked(mark, f"{folder} is being written by another replay: give another {option}"))
        except StoreError as error:
            raise BundleError(str(error)) from None
        for path in folder.iterdir():
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            elif path != mark:
                path.unlink()
        yield


def _lay_rows(bundle: Path, study: Study, stems: Iterable[str], names: Container[str]) -> None:
    """Write a study's rows where the notebooks look for them, its documents' markdown beside them.

    Raises:
        BundleError: a row does not fit the others, or names a file that the bundle does not have.
        RowsError: a row is not of its kind.
    """
    folder = bundle / "rows" / study.name
    rows: dict[str, list[Any]] = {}
    for stem in stems:
        kind = record_of(stem)
        assert kind is not None
        rows[stem] = read_rows(folder / f"{stem}.jsonl", kind, _GET_AGAIN)
    check_rows(folder, rows)
    for stem, own in rows.items():
        if stem not in ("responses", "verdicts"):
            write_rows(study.rows(stem), [_placed(row, bundle, study, names) for row in own])
    with Store(study.store) as store:
        store.add_all([*rows["responses"], *rows["verdicts"]])


def _placed(row: Any, bundle: Path, study: Study, names: Container[str]) -> Any:  # noqa: ANN401 - any record
    """Return a record with the place of its file on this machine; a file that is in the bundle is copied there."""
    if isinstance(row, Document):
        # Nothing is there: whoever opens it says so by the document's name.
        return replace(row, path=str(study.folder / "documents" / slug(Path(row.document_id).name)[:200]))
    if isinstance(row, Rendering) and row.path:
        if row.path not in names or not row.path.startswith("markdown/"):
            raise BundleError(f"the rendering of {quoted(row.document_id)} names {quoted(row.path)}: {_GET_AGAIN}")
        try:
            (bundle / row.path).read_text("utf-8")
        except UnicodeDecodeError:
            raise BundleError(f"{bundle / row.path} is not UTF-8: {_GET_AGAIN}") from None
        target = study.folder / row.path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(bundle / row.path, target)
        return replace(row, path=str(target))
    return row


# --- Making and comparing -------------------------------------------------------------------------------------------


def _runs(contents: Contents, study: Study) -> list[Run]:
    """Return the executions of the notebooks with the parameters of the bundle.

    Taken are the analyses alone, and of their parameters what says what tables are made of: all that the notebook
    declares but those that say where something is, which are this machine's. Values are plain texts, names of this
    kit's modalities and of the bundle's studies, and numbers that a computer can be asked for.

    Raises:
        BundleError: this kit's notebooks are others, or take other parameters; or they are none of these.
    """
    steps = {step.notebook: step for step in STEPS}
    runs = []
    for name, parameters in sorted(contents.notebooks.items()):
        if name not in steps:
            raise BundleError(f"this kit has no notebook {quoted(name)}: {_use_its_kit(contents)}")
        if steps[name].number not in ANALYSES:
            raise BundleError(
                f"{CONTENTS} names notebook {name}, which is no analysis: a replay runs {', '.join(ANALYSES)} and asks "
                "nobody; no export made it, do not trust it"
            )
        if places := sorted(parameters.keys() & set(OF_ONE_MACHINE)):
            raise BundleError(
                f"{CONTENTS} gives notebook {name} the parameter {places[0]!r}, which is this machine's to say: no "
                "export made it, do not trust it"
            )
        given = {**parameters, "study": study.name, "runs_dir": study.runs_dir, "figures_dir": study.figures_dir}
        try:
            check_parameters(steps[name].path, given)
        except RunError as error:
            raise BundleError(f"{error}; {_use_its_kit(contents)}") from None
        for parameter, value in parameters.items():
            if problem := _value_problem(parameter, value, study):
                raise BundleError(
                    f"{CONTENTS} gives notebook {name} {parameter} = {quoted(value)}, {problem}; {_GET_AGAIN}"
                )
        runs.append(Run(steps[name], given, study.notebooks / f"{name}.ipynb", offline=True))
    return runs


def _value_problem(name: str, value: object, study: Study) -> str:
    """Return why a parameter's value is not taken from a bundle, or an empty text."""
    if name == "study" and value != study.name:
        return f"and is of the study {study.name!r}"
    if isinstance(value, int | float):
        most = 2**63 - 1 if name == "seed" else _MOST
        return "" if 0 <= value <= most else f"which is not from 0 to {most:,}"
    texts = value if isinstance(value, list) else [value]
    if not all(isinstance(text, str) and text.isprintable() for text in texts):
        return "which is no plain text"
    return "which this kit does not know" if name in _WORDS and set(texts) - _WORDS[name] else ""


def _check_answers(run: Run, study: Study) -> None:
    """Read what a notebook reads, so that what it would refuse is refused before it runs.

    Raises:
        RowsError, StoreError, StudyError, TablesError: as the notebook would.
    """
    given: Parameters = {
        **{name: default for name, (_, default) in declared_parameters(run.step.path).items()},
        **run.parameters,
    }
    taken = {name: given[name] for name in Held._fields if name in given}
    models, modalities, judges, judge, _ = held_by(study, **taken)
    beside = [replace(study, name=name) for name in given.get("others", ())]
    frame = read_frames([study, *beside], models, modalities, judge, judges)
    if beside:
        refuse_unlike(shared(frame), given["allow_unlike"])


def _use_its_kit(contents: Contents) -> str:
    version = quoted(contents.versions.get("muddle-utils", "unknown"))
    return f"the bundle was made by version {version} of the kit, use that"


def _execute(study: Study, runs: Sequence[Run]) -> None:
    with only_run_of(study), temporary_folder("replay") as sockets:
        for run in runs:
            started = time.monotonic()
            execute(run, str(sockets))
            sys.stderr.write(f"{run.label}: {time.monotonic() - started:.1f} s\n")
            sys.stderr.flush()


def replay(bundle: Path, figures_dir: str, runs_dir: str = "", largest: float = LARGEST) -> Replayed:
    """Make every table and figure of a bundle again, below ``figures_dir``, and compare them with the bundle's.

    Rows are laid into a folder below ``runs_dir``, or into one for the time being; it is kept if a notebook fails. A
    bundle of more than ``largest`` GB is refused.

    Raises:
        BundleError: the bundle is damaged or not to be trusted, is another kit's, or a folder would be overwritten.
        RunError: a notebook failed.
    """
    if not 0 < largest < math.inf:
        raise BundleError(f"--largest {largest:g}: give the most GB that a bundle may hold, such as {LARGEST}")
    sweep_temporary()
    with contextlib.nullcontext(Path(runs_dir)) if runs_dir else temporary_folder("replay") as kept:
        try:
            with opened(bundle, largest) as folder:
                try:
                    return _replay(folder, Path(figures_dir), kept, largest)
                except RunError:
                    raise
                except MuddleError as error:
                    # What is for the time being is called by what it is made of.
                    said = str(error).replace(str(folder), str(bundle))
                    said = said if runs_dir else said.replace(str(kept), f"{bundle}/rows")
                    raise BundleError(said if str(bundle) in said else f"{bundle}: {said}") from None
        except RecursionError:
            raise BundleError(f"{bundle} nests values deeper than any export does: do not trust it") from None
        except RunError as error:
            if not runs_dir:
                (kept / KEPT).touch()
            raise RunError(f"{error}\nthe rows and executed copies are in {kept}") from None


def _replay(folder: Path, figures_dir: Path, runs_dir: Path, largest: float) -> Replayed:
    sums = check_sums(folder, largest)
    contents = read_contents(folder, sums)
    _check_manifest(folder)
    study = Study(contents.study, str(runs_dir), str(figures_dir))
    runs = _runs(contents, study)
    with contextlib.ExitStack() as held:
        held.enter_context(_cleared(study.figures, "--figures-dir"))
        for name in contents.studies:
            beside = replace(study, name=name)
            held.enter_context(_cleared(beside.folder, "--runs-dir"))
            stems = [place.partition("/")[2] for place in contents.rows if place.startswith(f"{name}/")]
            _lay_rows(folder, beside, stems, sums)
        for run in runs:
            _check_answers(run, study)
        _execute(study, runs)
        own = [name.removeprefix("figures/") for name in sums if name.startswith("figures/")]
        result = _compare(folder / "figures", own, study.figures, contents)
        return replace(result, unlisted=tuple(unlisted(folder, sums)))


def _compare(there: Path, names: Iterable[str], here: Path, contents: Contents) -> Replayed:
    """Compare the files of two folders of figures byte for byte."""
    made = {path.name for path in here.iterdir()} - {MARK}
    pairs = {name: (there / name, here / name) for name in names}
    missing = sorted(pairs.keys() - made)
    other = [name for name, (a, b) in sorted(pairs.items()) if name not in missing and a.read_bytes() != b.read_bytes()]
    untold = [] if contents.documents else [name for name in other if _needs_texts(*pairs[name])]
    differing = [name for name in other if name not in untold]
    return Replayed(
        here,
        tuple(sorted(pairs.keys() - {*missing, *other})),
        tuple(differing),
        tuple(missing),
        tuple(sorted(made - pairs.keys())),
        tuple(untold),
        tuple([*_other_rows(there, here), *_reasons(contents)]),
    )


def _other_rows(there: Path, here: Path) -> list[str]:
    """Return how many tables and figures say that they are of other rows than those of the same name in the bundle."""
    digests = [_row_digests(folder / MANIFEST) for folder in (there, here)]
    both = digests[0].keys() & digests[1].keys()
    n_other = sum(digests[0][name] != digests[1][name] for name in both)
    if not n_other:
        return []
    return [
        f"the rows are not those that the bundle's tables and figures were made of: the digest of the rows is another "
        f"for {n_other} of {len(both)}"
    ]


def _row_digests(manifest: Path) -> dict[str, str]:
    """Return the digest of the rows that each table and figure was made of, by name, where it says one."""
    if not manifest.is_file():
        return {}
    items = json.loads(manifest.read_text(encoding="utf-8"))["items"]
    found = {name: item.get("metadata", {}).get("digest") for name, item in items.items()}
    return {name: str(digest) for name, digest in found.items() if digest}


def _needs_texts(there: Path, here: Path) -> bool:
    """Return whether a file differs only because the documents' text is not there."""
    if there.name != MANIFEST:
        return there.stem in NEEDS_TEXTS
    manifests = [json.loads(path.read_text(encoding="utf-8")) for path in (there, here)]
    for manifest in manifests:
        for name in NEEDS_TEXTS:
            manifest["items"].pop(name, None)
    return bool(manifests[0] == manifests[1])


def _reasons(contents: Contents) -> list[str]:
    """Return what is different here from where the bundle was made, in sentences."""
    here = versions()
    found = [
        f"{name} is {here.get(name, 'not installed')} here and was {version} there"
        for name, version in contents.versions.items()
        if here.get(name) != version
    ]
    code = code_digests()
    changed = [name for name, digest in contents.code.items() if code.get(name) != digest]
    found += [f"this kit's {', '.join(changed)} differ from those that the bundle was made with"] if changed else []
    return [*found, *contents.doubts]


def report(result: Replayed) -> str:
    """Return what a replay came to as lines for people; the last is the count."""
    n = len(result.identical) + len(result.differing) + len(result.missing)
    lines = [f"differs: {name}" for name in result.differing]
    lines += [f"not made: {name}" for name in result.missing]
    lines += [f"not in the bundle: {name}" for name in result.extra]
    if result.untold:
        lines.append(f"not compared, for want of the documents' text: {', '.join(result.untold)}")
    if result.unlisted:
        lines.append(f"in the bundle, and no file of it, so not looked at: {', '.join(result.unlisted)}")
    if not result.is_same:
        nothing = "nothing that the bundle records explains it; another processor may round the last digit otherwise"
        lines += [f"likely why: {reason}" for reason in result.reasons or (nothing,)]
    lines += [f"written to {result.figures}", f"{len(result.identical)} of {n} files identical"]
    return "\n".join(map(plain, lines))
