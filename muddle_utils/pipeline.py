"""The study as a list of steps, and the strict runner that takes them through papermill.

papermill only warns of a misspelt parameter and runs an untagged notebook with its own defaults; this runner refuses
both before a kernel starts. A notebook that fails keeps its executed copy, and the next run resumes, because every
stage skips what is already on disk.
"""

import contextlib
import fcntl
import re
import sys
import tempfile
import time
import uuid
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final

from muddle_utils.models import READER, RULES, ModelError, check_model, check_name
from muddle_utils.records import CONDITIONS, MODALITIES
from muddle_utils.study import Study, project_root, resolve, slug

Parameters = dict[str, Any]
_SECRET_NAME: Final = re.compile(r"(?i)(?:key|secret|token|password|passwd|credential)s?$|api_?key|secret|password")
_NOT_SECRET: Final = ("placement_key",)
_SET_BY_PLAN: Final = {"model", "modality", "modalities", "conditions", "n_sources"}
PLACEMENT_KEYS: Final = ("cell", "question_k")


class RunError(RuntimeError):
    """A run that was refused or failed; the message names the notebook, cell or parameter and the mend."""


@dataclass(frozen=True)
class Step:
    """One notebook: which rows it reads and writes, which items of the paper it makes, and what it runs once for.

    ``per`` is ``study`` (once), ``modality`` (once a modality) or ``model`` (once a model and modality).
    """

    notebook: str
    per: str
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    paper_items: tuple[str, ...] = ()

    @property
    def number(self) -> str:
        """The two digits that the notebook's name begins with."""
        return self.notebook[:2]

    @property
    def path(self) -> Path:
        """The notebook's source."""
        return project_root() / "notebooks" / f"{self.notebook}.ipynb"


STEPS: Final = (
    Step(
        "01_curation",
        "study",
        reads=("corpus",),
        writes=("questions", "documents", "hard_negatives", "cells", "exclusions"),
        paper_items=("Table 2",),
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
        "model",
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
        writes=("figures/<study>",),
        paper_items=("Table 1", "Table 3", "Table 4", "Figure 1"),
    ),
    Step(
        "06_failures",
        "study",
        reads=(
            "questions",
            "documents",
            "cells",
            "renderings_markdown",
            "requests_<model>_<modality>",
            "lost_<modality>",
            "store",
        ),
        writes=("figures/<study>",),
    ),
)


@dataclass(frozen=True)
class ModalityPlan:
    """One modality of a run: which conditions it asks, over how many source documents (0: all)."""

    modality: str
    conditions: tuple[str, ...] = CONDITIONS
    n_sources: int = 0

    @classmethod
    def parse(cls, text: str) -> "ModalityPlan":
        """Return the plan that ``NAME[:CONDITION[,CONDITION…][:SOURCES]]`` writes, such as ``image:control:7``.

        Raises:
            RunError: the modality or a condition is unknown, or SOURCES is not a whole number.
        """
        name, _, rest = text.partition(":")
        listed, _, sources = rest.partition(":")
        if name not in MODALITIES:
            raise RunError(f"--modality {text}: {name!r} is unknown, take one of {', '.join(MODALITIES)}")
        conditions = tuple(listed.split(",")) if listed else CONDITIONS
        check_conditions(conditions)
        if sources and not sources.isdecimal():
            raise RunError(f"--modality {text}: {sources!r} is not a number of source documents")
        return cls(name, conditions, int(sources or 0))


def check_conditions(conditions: Sequence[str]) -> None:
    """Refuse a condition that the protocol does not have.

    Raises:
        RunError: naming the condition.
    """
    for condition in conditions:
        if condition not in CONDITIONS:
            raise RunError(f"condition {condition!r} is unknown: take some of {', '.join(CONDITIONS)}")


@dataclass(frozen=True)
class Settings:
    """Everything that ``muddle run`` can set; each field but ``plans`` is a parameter of the same name."""

    study: str
    corpus: str = "demo"
    models: tuple[str, ...] = ("local/reader",)
    plans: tuple[ModalityPlan, ...] = (ModalityPlan("markdown"),)
    judge: str = "local/rules"
    annotation: str = "v1"
    data_dir: str = ""
    limit: int = 0
    seed: int = 42
    renderer: str = "markitdown"
    placement_key: str = "cell"
    reasoning_effort: str = "medium"
    concurrency: int = 8
    api_base: str = ""
    judge_api_base: str = ""
    runs_dir: str = "data/runs"
    figures_dir: str = "figures"
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def folders(self) -> Study:
        """The study's folders."""
        return Study(self.study, self.runs_dir, self.figures_dir)

    def parameters(self, model: str, plan: ModalityPlan | None) -> Parameters:
        """Return every parameter by name, for one model and modality where a notebook takes one."""
        shared: Parameters = {
            item.name: getattr(self, item.name) for item in fields(self) if item.name not in ("plans", "extra")
        }
        shared["models"] = list(self.models)
        shared["modalities"] = [each.modality for each in self.plans]
        if plan is not None:
            shared.update(modality=plan.modality, conditions=list(plan.conditions), n_sources=plan.n_sources)
        else:
            wanted = [name for name in CONDITIONS if any(name in each.conditions for each in self.plans)]
            shared.update(conditions=wanted)
        if model:
            shared["model"] = model
        return {**shared, **self.extra}


@dataclass(frozen=True)
class Run:
    """One execution of one notebook: its parameters and where the executed copy goes."""

    step: Step
    parameters: Parameters
    output: Path

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
        raise RunError(f"--only {unknown[0]}: there is no such notebook, take one of {', '.join(sorted(known))}")
    runs = []
    for step in STEPS:
        if only and step.number not in only:
            continue
        for model, plan in _executions(step, settings):
            parts = [step.notebook, slug(model), plan.modality if plan else ""]
            name = "--".join(part for part in parts if part and part != "unnamed")
            available = settings.parameters(model, plan)
            runs.append(Run(step, _taken(step, available), settings.folders.notebooks / f"{name}.ipynb"))
    return runs


def _executions(step: Step, settings: Settings) -> Iterator[tuple[str, ModalityPlan | None]]:
    if step.per == "study":
        yield "", None
    elif step.per == "modality":
        yield from (("", plan) for plan in settings.plans)
    else:
        yield from ((model, plan) for model in settings.models for plan in settings.plans)


_FOLDERS: Final = ("study", "runs_dir", "figures_dir")
_NEEDED: Final = {
    "study": _FOLDERS,
    "modality": (*_FOLDERS, "modality"),
    "model": (*_FOLDERS, "model", "modality"),
}


def declared_parameters(path: Path) -> dict[str, tuple[str, object]]:
    """Return the parameters a notebook declares: name to (type name, default as written).

    Raises:
        RunError: the file is missing, or not exactly one code cell is tagged ``parameters``.
    """
    import nbformat
    from papermill.translators import PythonTranslator

    if not path.is_file():
        raise RunError(f"{path} is missing: the checkout is not whole")
    cells = nbformat.read(path, as_version=4).cells  # type: ignore[no-untyped-call]
    tagged = [cell for cell in cells if "parameters" in cell.metadata.get("tags", [])]
    if len(tagged) != 1:
        raise RunError(f"{path.name} has {len(tagged)} cells tagged 'parameters': it must have exactly one")
    return {item.name: (item.inferred_type_name, item.default) for item in PythonTranslator().inspect(tagged[0])}


_TYPES: Final[dict[str, tuple[type, ...]]] = {
    "str": (str,),
    "int": (int,),
    "float": (int, float),
    "bool": (bool,),
    "list": (list,),
    "list[str]": (list,),
    "dict": (dict,),
}


def check_parameters(path: Path, parameters: Mapping[str, Any]) -> None:
    """Refuse parameters that a notebook does not declare, lacks or types otherwise, and names that look like secrets.

    Raises:
        RunError: naming the notebook, the parameter and the mend.
    """
    for name in parameters:
        if _SECRET_NAME.search(name) and name not in _NOT_SECRET:
            raise RunError(
                f"parameter {name!r} looks like a secret and would be written into the executed notebook: "
                "put it into the environment"
            )
    declared = declared_parameters(path)
    if unknown := sorted(parameters.keys() - declared.keys()):
        raise RunError(f"{path.name} has no parameter {unknown[0]!r}: it takes {', '.join(sorted(declared)) or 'none'}")
    required = {name for name, (_, default) in declared.items() if default == "None"}
    if missing := sorted(required - parameters.keys()):
        raise RunError(f"{path.name} needs the parameter {missing[0]!r}: give it with -p {missing[0]} VALUE")
    for name, value in parameters.items():
        kind = declared[name][0]
        accepted = _TYPES.get(kind)
        if accepted is None:
            raise RunError(f"{path.name} declares {name!r} as {kind!r}: write one of {', '.join(_TYPES)}")
        if not isinstance(value, accepted) or (isinstance(value, bool) and bool not in accepted):
            raise RunError(f"{path.name} takes {name} as {kind}, not {value!r}")


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


def execute(run: Run, sockets: str) -> None:
    """Execute one notebook into its copy below the study; ``sockets`` is a folder for its kernel's sockets.

    Raises:
        RunError: a cell failed, the kernel died, or the notebook ended early; the executed copy is kept.
    """
    import papermill
    from nbclient.exceptions import CellTimeoutError, DeadKernelError
    from papermill.exceptions import PapermillExecutionError
    from traitlets.config import Config

    run.output.parent.mkdir(parents=True, exist_ok=True)
    kept = f"the executed copy is {run.output}; mend it and run the same command again, finished work is kept"
    try:
        notebook = papermill.execute_notebook(
            str(run.step.path),
            # papermill reads the name as a template; braces in a folder name must stay what they are.
            str(run.output).replace("{", "{{").replace("}", "}}"),
            parameters=run.parameters,
            progress_bar=False,
            kernel_name="python3",
            language="python",
            cwd=str(project_root()),
            request_save_on_cell_execute=False,
            stderr_file=sys.stderr,
            # Sockets of the kernel's own: ports could be read by others on the machine, and one name would collide.
            config=Config({"KernelManager": {"transport": "ipc", "ip": f"{sockets}/{uuid.uuid4().hex[:8]}"}}),
            # A kernel that is told to end logs the interrupt it is sent as an error.
            extra_arguments=["--IPKernelApp.log_level=CRITICAL"],
        )
    except PapermillExecutionError as error:
        raise RunError(
            f"{run.label}: cell {error.exec_count} failed with {error.ename}: {error.evalue}\n{kept}"
        ) from None
    except (DeadKernelError, CellTimeoutError) as error:
        raise RunError(
            f"{run.label}: the kernel died ({type(error).__name__}), perhaps out of memory\n{kept}"
        ) from None
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    if code and code[-1].execution_count is None:
        raise RunError(f"{run.label}: the notebook ended before its last cell\n{kept}")


def run_study(settings: Settings, only: Sequence[str] = (), jobs: int = 1) -> list[Run]:
    """Check all runs of a study, then execute them in order, saying how long each took.

    With ``jobs`` above 1 the models and modalities of one step run side by side; they write different rows.

    Raises:
        RunError, StudyError: the run was refused or a notebook failed.
    """
    _ = settings.folders
    runs = plan_runs(settings, only)
    check_runs(runs, settings.extra)
    check_settings(settings, {run.step.number for run in runs})
    with only_run_of(settings.folders), tempfile.TemporaryDirectory(prefix="muddle-") as sockets:
        for number in dict.fromkeys(run.step.number for run in runs):
            _side_by_side([run for run in runs if run.step.number == number], jobs, sockets)
    return runs


def _side_by_side(runs: Sequence[Run], jobs: int, sockets: str) -> None:
    """Execute notebooks of one step, ``jobs`` at a time; all are let finish before a failed one raises."""
    if jobs == 1 or len(runs) == 1:
        for run in runs:
            _timed(run, sockets)
        return
    pool = ThreadPoolExecutor(jobs)
    try:
        for future in [pool.submit(_timed, run, sockets) for run in runs]:
            future.result()
    except KeyboardInterrupt:
        # Nobody who interrupts wants to wait for the notebooks under way.
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    except RunError:
        pool.shutdown()
        raise
    pool.shutdown()


def _timed(run: Run, sockets: str) -> None:
    started = time.monotonic()
    _say(f"{run.label} …")
    execute(run, sockets)
    _say(f"{run.label}: {time.monotonic() - started:.1f} s")


@contextlib.contextmanager
def only_run_of(folders: Study) -> Iterator[None]:
    """Hold the study's lock: two runs of one study would ask, and pay, for the same cells twice.

    The lock is the process's: it is gone when the process is, however it ended.

    Raises:
        RunError: another process runs this study.
    """
    path = folders.folder / ".lock"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise RunError(f"study {folders.name!r} is being run by another process: wait for it, or end it") from None
        yield


def check_settings(settings: Settings, steps: Collection[str]) -> None:
    """Refuse what a later notebook would refuse only after earlier ones have worked, or cost money.

    ``steps`` are the numbers of the notebooks to be run.

    Raises:
        RunError: naming the setting.
    """
    options = {item.name for item in fields(settings)} | _SET_BY_PLAN
    if taken := sorted(settings.extra.keys() & options):
        raise RunError(f"-p {taken[0]}: the command has an option of its own for it")
    for name, least in (("limit", 0), ("concurrency", 1)):
        if getattr(settings, name) < least:
            raise RunError(f"{name} = {getattr(settings, name)}: it has to be {least} or more")
    if settings.placement_key not in PLACEMENT_KEYS:
        raise RunError(f"placement_key = {settings.placement_key!r}: take {' or '.join(PLACEMENT_KEYS)}")
    if RULES in settings.models or settings.judge == READER:
        raise RunError(f"{READER} answers and {RULES} judges: they cannot change places")
    _check_models(settings, steps)


def _check_models(settings: Settings, steps: Collection[str]) -> None:
    """Refuse unknown models, and before the first answer also models without a key.

    A study that has answers may be finished: it can be run again without a key as long as nothing is missing.
    """
    asked = [(model, settings.api_base) for model in settings.models if "03" in steps]
    asked += [(settings.judge, settings.judge_api_base)] if "04" in steps else []
    for model, api_base in asked:
        try:
            if settings.folders.store.exists():
                check_name(model)
            else:
                check_model(model, api_base)
        except ModelError as error:
            raise RunError(str(error)) from None


def _say(line: str) -> None:
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


def where(settings: Settings) -> str:
    """Return the lines that say where a study's results are."""
    folders = settings.folders
    rows = [
        ("tables, figures", folders.figures),
        ("executed notebooks", folders.notebooks),
        ("rows and store", folders.folder),
    ]
    return "\n".join(f"{name + ':':<20}{resolve(path)}" for name, path in rows)
