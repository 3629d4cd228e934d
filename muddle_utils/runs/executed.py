"""The executed notebooks of a study: which there are, with which parameters they ran, what may be shown of that."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from muddle_utils.inference.errors import redact
from muddle_utils.study.paths import Study
from muddle_utils.study.rows import RowsError

# The notebooks that make the tables and figures, by the digits of their names.
ANALYSES: Final = ("05", "06", "10")
# Part of the name of an executed copy that sets other studies beside its own.
BESIDE: Final = "--beside-"
# The folder of the copies that did not run to their end, beside those that did.
FAILED: Final = "failed"
_USER: Final = re.compile(r"(?<=:)//[^/@\s]+@")
_ABSOLUTE: Final = re.compile(r"(?<![\w.:/])(?:/[^/\s\"']+)+/([^/\s\"']+)/?")


@dataclass(frozen=True)
class Executed:
    """An executed notebook: its name, the parameters it ran with, and whether it ended with an error."""

    name: str
    parameters: Mapping[str, Any]
    failed: bool


# --- Reading --------------------------------------------------------------------------------------------------------


def read_notebooks(study: Study, skip_damaged: bool = False) -> list[Executed]:
    """Return the executed notebooks of a study by name, with the parameters that papermill wrote into them.

    Of an analysis the copy that ran to its end counts, because tables are its own; of the others, whose rows are
    written as they come, the last. Failed is what ended with an error when it was last run.

    Raises:
        RowsError: an executed copy is no notebook, and is not to be skipped.
    """
    found = []
    whole, failed = (
        {path.stem: path for path in folder.glob("*.ipynb")} for folder in (study.notebooks, study.notebooks / FAILED)
    )
    for name in sorted(whole | failed):
        last = failed.get(name) or whole[name]
        path = whole.get(name, last) if name[:2] in ANALYSES else last
        try:
            told, ended = (
                json.loads(each.read_text("utf-8"))["metadata"].get("papermill", {}) for each in (path, last)
            )
            found.append(Executed(name, dict(told.get("parameters", {})), bool(ended.get("exception"))))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            if not skip_damaged:
                raise RowsError(f"{path} is no executed notebook ({error}): run it again") from None
    return found


def beside_of(parameters: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the studies that an analysis with these parameters sets beside its own."""
    value = parameters.get("others") or ()
    return (value,) if isinstance(value, str) else tuple(map(str, value))


def own_analyses(study: Study, notebooks: Iterable[Executed]) -> list[Executed]:
    """Return the executed analyses whose tables and figures lie in a study's figures folder.

    What sets other studies beside it lies in a folder called after all of them, and has copies of its own.
    """
    analyses = [each for each in notebooks if each.name[:2] in ANALYSES]
    place = Path(study.figures_dir).name
    beside = [each for each in analyses if BESIDE in each.name]
    here = [each for each in beside if place == Path(str(each.parameters.get("figures_dir", ""))).name]
    return here or [each for each in analyses if each not in beside]


# --- Texts ----------------------------------------------------------------------------------------------------------


def shown(value: object) -> str:
    """Return a value as text that may leave this machine: no folder's way, nothing that looks like a key.

    >>> shown("/home/ann/studies/mine.toml"), shown(["control", "hn-2"]), shown("http://127.0.0.1:8000/v1")
    ('…/mine.toml', 'control, hn-2', 'http://127.0.0.1:8000/v1')
    """
    if isinstance(value, list | tuple):
        return ", ".join(map(shown, value)) or "none"
    if isinstance(value, str) and value.startswith("/"):
        return redact(f"…/{Path(value).name}")
    text = _USER.sub("//", value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
    return _ABSOLUTE.sub(r"…/\1", redact(text)) or "none"
