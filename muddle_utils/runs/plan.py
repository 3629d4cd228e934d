"""The study as a list of steps, which runs of notebooks it takes, and what of their parameters is refused.

papermill only warns of a misspelt parameter and runs an untagged notebook with its own defaults; here both are refused,
before anything that takes a second to load is.
"""

import ast
import itertools
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from muddle_utils.figures.items import paper_items
from muddle_utils.inference.errors import secret_in
from muddle_utils.inference.routes import ModelsFileError, check_addresses
from muddle_utils.runs.executed import ANALYSES, BESIDE
from muddle_utils.runs.settings import ModalityPlan, Parameters, RunError, Settings, command_of
from muddle_utils.study.errors import quoted
from muddle_utils.study.paths import project_root, slug

_SECRET_NAME: Final = re.compile(r"(?i)(?:key|secret|token|password|passwd|credential)s?$|api_?key|secret|password")
_NOT_SECRET: Final = ("placement_key",)
# What can be asked for anew, and the notebook that asks.
REFRESHES: Final = {"responses": "03", "verdicts": "04", "failed": "03"}


@dataclass(frozen=True)
class Step:
    """One notebook: which rows it reads and writes, which items of the paper it makes, and what it runs once for.

    ``per`` is ``study`` (once), ``modality`` (once a modality), ``model`` (once a model and modality) or ``judge``
    (once a judge, model and modality). One that is ``optional`` runs only when it is named: it is no part of the
    study.
    """

    notebook: str
    per: str
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    optional: bool = False

    @property
    def number(self) -> str:
        """The two digits that the notebook's name begins with."""
        return self.notebook[:2]

    @property
    def path(self) -> Path:
        """The notebook's source."""
        return project_root() / "notebooks" / f"{self.notebook}.ipynb"

    @property
    def paper_items(self) -> tuple[str, ...]:
        """What of the paper it makes."""
        return tuple(item.paper_item for item in paper_items(self.number))


STEPS: Final = (
    Step(
        "01_curation",
        "study",
        reads=("corpus",),
        writes=("questions", "documents", "hard_negatives", "cells", "exclusions"),
    ),
    Step(
        "02_rendering",
        "modality",
        reads=("questions", "documents", "hard_negatives", "cells"),
        writes=("renderings_<modality>", "page_quality_<modality>", "lost_<modality>"),
    ),
    Step(
        "03_inference",
        "model",
        reads=("questions", "cells", "renderings_<modality>", "lost_<modality>"),
        writes=("requests_<model>_<modality>", "store: responses"),
    ),
    Step(
        "04_judging",
        "judge",
        reads=("questions", "requests_<model>_<modality>", "store: responses"),
        writes=("store: verdicts",),
    ),
    Step(
        "05_analysis",
        "study",
        reads=(
            "questions",
            "documents",
            "hard_negatives",
            "exclusions",
            "cells",
            "renderings_<modality>",
            "requests_<model>_<modality>",
            "lost_<modality>",
            "store",
        ),
        writes=("frame.parquet", "figures/<study>"),
    ),
    Step(
        "06_failures",
        "study",
        reads=("frame.parquet", "questions", "documents", "cells", "renderings_markdown"),
        writes=("figures/<study>",),
    ),
    Step(
        "09_mmlongbench_v2",
        "study",
        reads=("predictions files or questions", "requests_<model>_<modality>", "store: responses"),
        writes=("scores.sqlite: verdicts", "figures/<study>-scores"),
        optional=True,
    ),
    Step(
        "10_robustness",
        "study",
        reads=("frame.parquet", "cells"),
        writes=("figures/<study>",),
    ),
    Step(
        "11_published_numbers",
        "study",
        reads=("data/published",),
        writes=("figures/published-numbers",),
        optional=True,
    ),
)


@dataclass(frozen=True)
class Run:
    """One execution of one notebook: its parameters and where the executed copy goes.

    One that is ``offline`` gets no key and no connection, see ``OfflineKernel``.
    """

    step: Step
    parameters: Parameters
    output: Path
    offline: bool = False

    @property
    def label(self) -> str:
        """The notebook and what it runs for, for people."""
        return self.output.stem.replace("--", " ")


def plan_runs(settings: Settings, only: Sequence[str] = ()) -> list[Run]:
    """Return the notebook executions of a study, in order; ``only`` keeps the steps with these numbers.

    Raises:
        RunError: ``only`` names no step.
    """
    known = {step.number for step in STEPS}
    if unknown := [number for number in only if number not in known]:
        raise RunError(f"there is no notebook {unknown[0]}, take one of {', '.join(sorted(known))}")
    if settings.others and set(only) != {"05"}:
        raise RunError(
            "-p others sets studies beside one that is finished, in a figures folder of their own: add --only 05"
        )
    runs = []
    for step in STEPS:
        if step.number not in only if only else step.optional:
            continue
        for model, plan, judge in _executions(step, settings):
            parts = [step.notebook, model and slug(model), plan.modality if plan else ""]
            parts += [slug(judge)] if judge and len(settings.judges) > 1 else []
            name = "--".join(part for part in parts if part)
            name += f"{BESIDE}{'+'.join(settings.others)}" if settings.others else ""
            available = settings.parameters(model, plan, judge)
            available |= {"command": _own_command(step, settings)} if step.number in ANALYSES or step.optional else {}
            runs.append(Run(step, _taken(step, available), settings.folders.notebooks / f"{name}.ipynb"))
    return runs


def _own_command(step: Step, settings: Settings) -> str:
    """Return the command that runs one notebook again on what is stored; it names nothing of this machine."""
    declared = declared_parameters(step.path)
    extra = {name: value for name, value in settings.extra.items() if name in declared}
    return command_of(replace(settings, extra=extra), (step.number,), public=True)


def _executions(step: Step, settings: Settings) -> Iterator[tuple[str, ModalityPlan | None, str]]:
    """Return the model, modality and judge of each execution of a step, empty where it runs for all."""
    if step.per == "study":
        yield "", None, ""
    elif step.per == "modality":
        yield from (("", plan, "") for plan in settings.plans)
    else:
        judges = settings.judges if step.per == "judge" else ("",)
        yield from itertools.product(settings.models, settings.plans, judges)


_FOLDERS: Final = ("study", "runs_dir", "figures_dir")
_NEEDED: Final = {
    "study": _FOLDERS,
    "modality": (*_FOLDERS, "modality"),
    "model": (*_FOLDERS, "model", "modality"),
    "judge": (*_FOLDERS, "model", "modality", "judge"),
}


def declared_parameters(path: Path) -> dict[str, tuple[str, Any]]:
    """Return the parameters a notebook declares: name to (type name, default).

    Raises:
        RunError: the file is missing or no notebook, not exactly one cell is tagged ``parameters``, or that cell holds
            anything but names with a type and a literal default.
    """
    if not path.is_file():
        raise RunError(f"{path} is missing: the checkout is not whole")
    try:
        cells = json.loads(path.read_text("utf-8"))["cells"]
        tagged = ["".join(cell["source"]) for cell in cells if "parameters" in cell["metadata"].get("tags", [])]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise RunError(f"{path} is no notebook ({error!r}): the checkout is not whole") from None
    if len(tagged) != 1:
        raise RunError(f"{path.name} has {len(tagged)} cells tagged 'parameters': it must have exactly one")
    try:
        return dict(map(_declared, ast.parse(tagged[0]).body))
    except (ValueError, SyntaxError) as error:
        raise RunError(f"{path.name} declares a parameter by other than 'name: type = value': {error}") from None


def _declared(line: ast.stmt) -> tuple[str, tuple[str, Any]]:
    if not (isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name) and line.value):
        raise ValueError(ast.unparse(line))
    return line.target.id, (ast.unparse(line.annotation), ast.literal_eval(line.value))


_TYPES: Final[dict[str, tuple[type, ...]]] = {
    "str": (str,),
    "int": (int,),
    "float": (int, float),
    "bool": (bool,),
    "list": (list,),
    "list[str]": (list,),
    "dict": (dict,),
}


def _refuse_secrets(parameters: Mapping[str, Any]) -> None:
    """Refuse values that hold a key, which would be written into the executed notebook.

    Raises:
        RunError: naming the parameter, not its value.
    """
    try:
        check_addresses({name: value for name, value in parameters.items() if name.endswith("api_base")})
    except ModelsFileError as error:
        raise RunError(f"parameter {error}") from None
    for name, value in parameters.items():
        if secret_in([value]):
            raise RunError(
                f"the value of parameter {quoted(name)} looks like a key and would be written into "
                "the executed notebook: put it into the environment"
            )


def check_parameters(path: Path, parameters: Mapping[str, Any]) -> None:
    """Refuse parameters that a notebook does not declare, lacks or types otherwise, and names that look like secrets.

    Raises:
        RunError: naming the notebook, the parameter and the mend.
    """
    for name in parameters:
        if _SECRET_NAME.search(name) and name not in _NOT_SECRET:
            raise RunError(
                f"parameter {quoted(name)} looks like a secret and would be written into the executed notebook: "
                "put it into the environment"
            )
    _refuse_secrets(parameters)
    declared = declared_parameters(path)
    if unknown := sorted(parameters.keys() - declared.keys()):
        raise RunError(
            f"{path.name} has no parameter {quoted(unknown[0])}: it takes {', '.join(sorted(declared)) or 'none'}"
        )
    required = {name for name, (_, default) in declared.items() if default is None}
    if missing := sorted(required - parameters.keys()):
        raise RunError(f"{path.name} needs the parameter {missing[0]!r}: give it with -p {missing[0]} VALUE")
    for name, value in parameters.items():
        kind = declared[name][0]
        accepted = _TYPES.get(kind)
        if accepted is None:
            raise RunError(f"{path.name} declares {name!r} as {kind!r}: write one of {', '.join(_TYPES)}")
        if not isinstance(value, accepted) or (isinstance(value, bool) and bool not in accepted):
            raise RunError(f"{path.name} takes {name} as {kind}, not {quoted(value)}")


def _taken(step: Step, available: Mapping[str, Any]) -> Parameters:
    """Return the parameters that a step takes: those its notebook declares, and those it cannot do without.

    The latter are passed even to a notebook that does not declare them, so that ``check_parameters`` refuses it:
    it would run its own default model under another model's name.
    """
    declared = declared_parameters(step.path)
    return {name: value for name, value in available.items() if name in declared or name in _NEEDED[step.per]}


def check_runs(runs: Sequence[Run], extra: Mapping[str, Any]) -> None:
    """Check every run of a study before the first one starts.

    Raises:
        RunError: a parameter given by name is taken by no notebook of the run, or a notebook refuses its parameters.
    """
    for name in extra:
        if not any(name in run.parameters for run in runs):
            check_parameters(runs[0].step.path, {name: extra[name]})
            raise RunError(f"no notebook of this run takes the parameter {name!r}")
    for run in runs:
        check_parameters(run.step.path, run.parameters)
