"""Folders for the time being that other processes can tell to be in use, and the sweeping of those that are not.

A process that is killed removes nothing. What it left holds rows and documents, so whoever comes next removes it. In
use is what a process holds the lock of: the lock is on the folder or file itself, and gone when the process is.
"""

import contextlib
import fcntl
import os
import re
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

# In a folder that stays for its user to look into.
KEPT: Final = ".kept"
_TEMPORARY: Final = re.compile(r"muddle-(?:replay|run)-[a-z0-9_]{8}")
# Only its user can enter what ``tempfile`` makes: a folder that was called so by hand is another.
_PRIVATE: Final = 0o700


@contextlib.contextmanager
def held(path: Path) -> Iterator[bool]:
    """Hold the lock of a folder or file of one's own; give False if it is not there, a link, another's, or held."""
    with contextlib.ExitStack() as opened:
        try:
            handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            opened.callback(os.close, handle)
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # Whoever held it before may have removed it.
            got = os.path.samestat(os.fstat(handle), os.lstat(path)) and os.fstat(handle).st_uid == os.getuid()
        except OSError:
            got = False
        yield got


@contextlib.contextmanager
def temporary_folder(kind: str) -> Iterator[Path]:
    """Give an empty folder ``muddle-<kind>-…`` that is removed at the end, unless somebody puts ``KEPT`` into it."""
    with contextlib.ExitStack() as holding:
        # Another process may sweep it before it is held; where folders cannot be locked, none is ever swept.
        for _ in range(3):
            folder = Path(tempfile.mkdtemp(prefix=f"muddle-{kind}-"))
            if holding.enter_context(held(folder)):
                break
        try:
            yield folder
        finally:
            if not (folder / KEPT).exists():
                shutil.rmtree(folder, ignore_errors=True)


def sweep_temporary() -> None:
    """Remove the temporary folders of the kit that killed processes of this user left behind."""
    for path in Path(tempfile.gettempdir()).glob("muddle-*"):
        with contextlib.suppress(OSError):
            if _TEMPORARY.fullmatch(path.name) and stat.S_IMODE(path.lstat().st_mode) == _PRIVATE:
                _remove(path)


def sweep_beside(out: Path) -> None:
    """Remove what a killed export left beside the folder ``out``; an older bundle that it had put aside comes back."""
    pattern = re.compile(rf"\.{re.escape(out.name)}(?:\.zip)?\.([0-9]{{1,9}})\.(tmp|old)")
    found = [(path, match) for path in out.parent.glob(".*") if (match := pattern.fullmatch(path.name))]
    for path, match in sorted(found, key=lambda item: item[0].lstat().st_mtime, reverse=True):
        if _runs(int(match[1])):
            continue
        if match[2] == "old" and path.is_dir() and not any(place.is_symlink() for place in (path, out)):
            if not out.exists():
                path.rename(out)
                continue
        _remove(path)


def _remove(path: Path) -> None:
    with held(path) as got:
        if got and path.is_dir():
            if not (path / KEPT).exists():
                shutil.rmtree(path, ignore_errors=True)
        elif got:
            path.unlink(missing_ok=True)


def _runs(process: int) -> bool:
    """Return whether there is a process of this number on this machine."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
