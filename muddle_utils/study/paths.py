"""Every path of a study; nobody else formats a path.

A study is a named run. Everything it writes is under ``<runs_dir>/<name>/`` and ``<figures_dir>/<name>/``. What does
not depend on the study (rendered documents, recognised pages) is under ``<runs_dir>/.cache/`` and shared by all
studies.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from muddle_utils.study.errors import MuddleError

NAME_PATTERN: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


class StudyError(MuddleError, ValueError):
    """A setting that no study can have; the message names the parameter and the mend."""


def project_root() -> Path:
    """Return the checkout that holds this package, against which relative paths are resolved.

    Notebooks run from ``notebooks/`` in JupyterLab and from the root under papermill; resolving against the checkout
    makes both write to the same place. An installed copy without a checkout resolves against the current folder.
    """
    root = Path(__file__).resolve().parents[2]
    return root if (root / "pyproject.toml").is_file() else Path.cwd()


def resolve(path: str | Path) -> Path:
    """Return ``path`` as an absolute path, relative ones taken from the project root."""
    path = Path(path).expanduser()
    return path if path.is_absolute() else project_root() / path


def slug(text: str) -> str:
    """Return ``text`` fit for a file name: ``local/reader`` becomes ``local-reader``."""
    return re.sub(r"[^A-Za-z0-9._]+", "-", text).strip("-.") or "unnamed"


@dataclass(frozen=True)
class Study:
    """A named run and its folders.

    Raises:
        StudyError: the name is not 1 to 64 letters, digits, dots, dashes or underscores starting with a letter or
            digit (a name is a folder name; ``../x`` is not one).
    """

    name: str
    runs_dir: str = "data/runs"
    figures_dir: str = "figures"

    def __post_init__(self) -> None:
        """Refuse a name that is not a plain folder name."""
        if not NAME_PATTERN.fullmatch(self.name) or ".." in self.name:
            raise StudyError(
                f"study = {self.name!r} is not a usable name: take 1 to 64 letters, digits, '.', '-' or '_', "
                "starting with a letter or digit"
            )

    @property
    def folder(self) -> Path:
        """Everything this study writes except its figures and tables."""
        return resolve(self.runs_dir) / self.name

    @property
    def figures(self) -> Path:
        """Where ``accuracy.save_figure`` and ``writers.save_table`` write."""
        return resolve(self.figures_dir) / self.name

    @property
    def cache(self) -> Path:
        """Content-addressed renderings and recognised pages, shared by all studies under one ``runs_dir``."""
        return resolve(self.runs_dir) / ".cache"

    @property
    def notebooks(self) -> Path:
        """Executed copies of the notebooks."""
        return self.folder / "notebooks"

    @property
    def store(self) -> Path:
        """The SQLite file of responses and verdicts."""
        return self.folder / "store.sqlite"

    @property
    def frame(self) -> Path:
        """The Parquet file of the long frame."""
        return self.folder / "frame.parquet"

    def rows(self, kind: str) -> Path:
        """Return the JSONL file of one kind of row, such as ``questions`` or ``renderings_markdown``."""
        return self.folder / f"{kind}.jsonl"


# --- Rows on disk ---------------------------------------------------------------------------------------------------


def find_study(name: str, runs_dir: str = "data/runs", figures_dir: str = "figures") -> Study:
    """Return a study that exists.

    Raises:
        StudyError: there is none of this name; the message lists the studies there are.
    """
    study = Study(name, runs_dir, figures_dir)
    if not study.folder.is_dir():
        runs = resolve(runs_dir)
        there = sorted(path.name for path in runs.glob("[!.]*") if path.is_dir()) if runs.is_dir() else []
        known = f"there are {', '.join(there)}" if there else "there is none yet, muddle run makes one"
        raise StudyError(f"study {name!r} is unknown below {runs}: {known}")
    return study
