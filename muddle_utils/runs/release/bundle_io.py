"""Folders of files with checksums, as whole folders or archives: written so that nobody trips, read with mistrust.

A bundle comes from elsewhere. Before a file of it is read, its name has to be plain, itself no link, its bytes those
that the checksums list, and all of them together no more than memory and disk can be expected to hold.
"""

import contextlib
import json
import mmap
import os
import re
import shutil
import struct
import zipfile
import zlib
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final

from muddle_utils.runs.leftovers import temporary_folder
from muddle_utils.study.errors import MuddleError, json_fault, plain, quoted
from muddle_utils.study.rows import file_sha256, write_atomically

SUMS: Final = "SHA256SUMS"
CONTENTS: Final = "bundle.json"
MANIFEST: Final = "manifest.json"
# One part of a file's way in a bundle: nothing hidden, nothing that leads elsewhere.
NAME: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,199}")
# In GB of files, unpacked: rows of a study are read into memory, where they take several times as much.
LARGEST: Final = 2
_GB: Final = 10**9
# A document is one file: ten times as many as the largest corpora of questions on documents have.
MOST_FILES: Final = 20_000
# What zipfile lets through of what its parts raise at an archive that was forged.
_FORGED: Final = (
    *(zipfile.BadZipFile, zlib.error, struct.error, EOFError),
    *(ValueError, ArithmeticError, LookupError, RuntimeError),
)
# In bytes: what is read before anything of it is known, the list of so many files for one.
_LARGEST_LIST: Final = 16_000_000


class BundleError(MuddleError, ValueError):
    """A bundle that cannot be made or used; the message is one line that names the file or parameter and the mend."""

    def __init__(self, message: str) -> None:
        """Take the message, in which names from elsewhere may stand."""
        super().__init__(plain(message))


# --- Writing -------------------------------------------------------------------------------------------------------


def files_below(folder: Path) -> list[str]:
    """Return the ways of all files below a folder, sorted, with ``/`` between folders."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def write_sums(folder: Path) -> list[str]:
    """Write the checksums of all files; return the names of all files, the checksums included."""
    names = files_below(folder)
    lines = [f"{file_sha256(folder / name)}  {name}\n" for name in names]
    write_atomically(folder / SUMS, "".join(lines).encode())
    return sorted([*names, SUMS])


def refuse_foreign(out: Path, study: str) -> bool:
    """Return whether there is a bundle of this study to overwrite; refuse what is none, or holds files not its own.

    Raises:
        BundleError: naming what is there.
    """
    if not out.exists() and not out.is_symlink():
        return False
    if out.is_dir() and not any(out.iterdir()):
        return False
    if not (out / SUMS).is_file() or not (out / CONTENTS).is_file():
        raise BundleError(f"{out} is there and is no bundle, so it is not overwritten: give another --out")
    lines = (out / SUMS).read_text(encoding="utf-8", errors="replace").splitlines()
    own = {line[66:] for line in lines} | {SUMS}
    if foreign := [name for name in files_below(out) if name not in own]:
        raise BundleError(f"{out} holds {foreign[0]}, which no export wrote, so it is not overwritten: move it away")
    _refuse_other_study(out, (out / CONTENTS).read_bytes(), study)
    return True


def _refuse_other_study(path: Path, contents: bytes, study: str) -> None:
    """Refuse a bundle that does not say that it is of this study.

    Raises:
        BundleError: naming both.
    """
    try:
        other = json.loads(contents)["study"]
    except (ValueError, KeyError, TypeError, RecursionError):
        other = None
    if other != study:
        whose = "a damaged bundle" if other is None else f"a bundle of the study {quoted(str(other))}"
        raise BundleError(f"{path} is there and is {whose}, so it is not overwritten: give another --out")


def refuse_foreign_zip(path: Path, study: str) -> None:
    """Refuse to overwrite a file that is no archive of a bundle of this study.

    Raises:
        BundleError: naming it.
    """
    if not path.exists():
        return
    with contextlib.suppress(zipfile.BadZipFile), zipfile.ZipFile(path) as archive:
        if names := [name for name in archive.namelist() if name.endswith(f"/{CONTENTS}")]:
            with archive.open(names[0]) as file:
                _refuse_other_study(path, file.read(_LARGEST_LIST), study)
            return
    raise BundleError(f"{path} is there and is no bundle, so it is not overwritten: give another --out")


def put(temporary: Path, out: Path) -> None:
    """Give a finished folder its name, in place of an older bundle if there is one."""
    aside = out.with_name(f".{out.name}.{os.getpid()}.old")
    if out.exists():
        out.rename(aside)
    temporary.rename(out)
    shutil.rmtree(aside, ignore_errors=True)


def write_zip(folder: Path, names: Iterable[str], path: Path, top: str) -> None:
    """Write files below a folder as one archive in which all is below ``top``; no time gets into it."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED) as archive:
            for name in names:
                entry = zipfile.ZipInfo(f"{top}/{name}", (1980, 1, 1, 0, 0, 0))
                entry.external_attr = 0o100644 << 16
                entry.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(entry, (folder / name).read_bytes())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


# --- Reading -------------------------------------------------------------------------------------------------------


def way_problem(name: str) -> str:
    """Return what is wrong with a file's way in a bundle: only plain names below it are taken."""
    if name.startswith("/") or "\\" in name or ":" in name:
        return "is no relative way"
    parts = name.split("/")
    if ".." in parts:
        return "leads out of the bundle"
    return "" if len(parts) <= 3 and all(NAME.fullmatch(part) for part in parts) else "is no plain name"


@contextlib.contextmanager
def opened(bundle: Path, largest: float = LARGEST) -> Iterator[Path]:
    """Give the folder of a bundle: itself, or that of an archive's files, which are unpacked for the time being.

    Raises:
        BundleError: there is nothing, or the archive is damaged, holds what no bundle holds, or more than ``largest``
            GB.
    """
    if bundle.is_dir():
        yield bundle
        return
    if not bundle.exists():
        raise BundleError(f"{bundle} is missing: give the folder or .zip file that muddle export made")
    if not zipfile.is_zipfile(bundle):
        raise BundleError(f"{bundle} is no bundle: give the folder or .zip file that muddle export made")
    with temporary_folder("replay") as folder:
        _unpack(bundle, folder, largest)
        yield folder


def _unpack(bundle: Path, folder: Path, largest: float) -> None:
    """Unpack an archive whose every entry is a plain file below one folder.

    No more can come out of an entry than it declares: ``zipfile`` stops there, and compares a checksum.

    Raises:
        BundleError: naming the archive and the entry.
    """
    try:
        _refuse_size(bundle, bundle.stat().st_size, largest)
        _refuse_number(bundle, _n_entries(bundle))
        with zipfile.ZipFile(bundle) as archive:
            entries = [entry for entry in archive.infolist() if not entry.is_dir()]
            _refuse_entries(bundle, entries)
            size = sum(entry.file_size for entry in entries)
            _refuse_size(bundle, size, largest)
            if size > shutil.disk_usage(folder).free:
                raise BundleError(f"{bundle} needs more room than {folder} has: free some, or unpack it yourself")
            for entry in entries:
                target = folder / entry.filename.partition("/")[2]
                target.parent.mkdir(parents=True, exist_ok=True)
                with archive.open(entry) as source, target.open("xb") as file:
                    shutil.copyfileobj(source, file)
    except BundleError:
        raise
    except (*_FORGED, OSError) as error:
        raise BundleError(f"{bundle} is damaged, or cannot be unpacked ({error}): get it again") from None


def _n_entries(bundle: Path) -> int:
    """Return how many entries an archive has at most, without reading its directory into memory."""
    with bundle.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        return sum(1 for _ in islice(re.finditer(rb"PK\x01\x02", data), MOST_FILES + 2))


def _refuse_size(place: Path, size: int, largest: float) -> None:
    if size > largest * _GB:
        raise BundleError(
            f"{place} holds {size / _GB:,.1f} GB, and more than {largest:g} GB is not taken unasked: if you trust it, "
            f"give --largest {-(-size // _GB)}"
        )


def _refuse_number(place: Path, n_files: int) -> None:
    if n_files > MOST_FILES + 1:
        raise BundleError(f"{place} holds more than {MOST_FILES:,} files: no export made it, do not trust it")


def _refuse_entries(bundle: Path, entries: Sequence[zipfile.ZipInfo]) -> None:
    seen = set()
    for entry in entries:
        # As it stands there: zipfile cuts it at a NUL.
        whole = entry.orig_filename
        top, _, name = whole.partition("/")
        kind = (entry.external_attr >> 16) & 0o170000
        problem = way_problem(whole) if whole.startswith(("/", "\\")) else way_problem(name)
        if not problem and not NAME.fullmatch(top):
            problem = "does not lie below one folder"
        if kind not in (0, 0o100000):
            problem = "is a link or device"
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            problem = "is packed in a way that may take any amount of memory"
        if entry.filename in seen:
            problem = "is there twice"
        if problem:
            raise BundleError(f"{bundle} holds {quoted(whole)}, which {problem}: no export made it, do not trust it")
        seen.add(entry.filename)
    if len({entry.filename.partition("/")[0] for entry in entries}) > 1:
        raise BundleError(f"{bundle} holds more than one folder: give a .zip file that muddle export made")


def check_sums(folder: Path, largest: float = LARGEST) -> dict[str, str]:
    """Return the checksum of every file that a bundle lists, after checking all of them.

    Raises:
        BundleError: the list is missing or holds what no export writes, files are damaged, missing or links, or they
            are more than ``largest`` GB; the message names them.
    """
    path = folder / SUMS
    if not path.is_file() or path.is_symlink():
        raise BundleError(f"{path} is missing: {folder} is no bundle, or not all of one")
    _refuse_long(path)
    sums: dict[str, str] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), start=1):
        match = re.fullmatch(r"([0-9a-f]{64})  (.+)", line)
        if match is None:
            raise BundleError(f"{path}, line {number}: it is no checksum and name, get the bundle again")
        digest, name = match.groups()
        if problem := way_problem(name) or ("is there twice" if name in sums else ""):
            raise BundleError(f"{path}, line {number}: {quoted(name)} {problem}; no export made it, do not trust it")
        sums[name] = digest
    _refuse_number(path, len(sums))
    if unlisted := [name for name in (CONTENTS, f"figures/{MANIFEST}") if name not in sums]:
        raise BundleError(f"{path} does not list {unlisted[0]}: get the bundle again")
    _refuse_size(folder, sum(file.lstat().st_size for name in sums if (file := folder / name).is_file()), largest)
    _check_files(folder, sums)
    return sums


def _refuse_long(path: Path) -> None:
    if path.stat().st_size > _LARGEST_LIST:
        raise BundleError(f"{path} is longer than any export writes it: do not trust it")


def read_json(path: Path) -> Any:  # noqa: ANN401 - whatever it holds
    """Return what a JSON file of a bundle holds.

    Raises:
        BundleError: it is not what an export writes: too long, no JSON, or JSON that readers take differently.
    """
    _refuse_long(path)
    try:
        return json.loads(path.read_bytes(), parse_constant=_refuse_constant, object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        raise BundleError(f"{path} is not what an export writes ({json_fault(error)}): get the bundle again") from None


def _refuse_constant(text: str) -> None:
    raise ValueError(f"{text} is no number of JSON")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name stands twice in it")
    return found


def unlisted(folder: Path, sums: Container[str]) -> list[str]:
    """Return the ways of the files in a bundle that its checksums do not list."""
    return [name for name in files_below(folder) if name not in sums and name != SUMS]


def _check_files(folder: Path, sums: Mapping[str, str]) -> None:
    problems = []
    for name, digest in sums.items():
        file = folder / name
        if any(place.is_symlink() for place in (file, *file.parents) if place != folder and folder in place.parents):
            problems.append(f"{name} (a link)")
        elif not file.is_file():
            problems.append(f"{name} (missing)")
        elif file.stat().st_nlink > 1:
            problems.append(f"{name} (a hard link: copy the bundle)")
        elif file_sha256(file) != digest:
            problems.append(f"{name} (damaged)")
    if problems:
        more = f" and {len(problems) - 20} more" if problems[20:] else ""
        rows = any(name.startswith("rows/") for name in problems)
        what = ", so its rows are others than its tables were made of" if rows else ""
        raise BundleError(f"{folder} is not as it was exported: {', '.join(problems[:20])}{more}{what}; get it again")
