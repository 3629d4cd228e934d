"""The strict runner that takes the steps of a study through papermill, after everything about them was checked.

A notebook that fails keeps its executed copy apart, and the next run resumes, because every stage skips what is
already on disk.
"""

import contextlib
import os
import sys
import time
import uuid
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from muddle_utils.corpus.cells import shortfalls
from muddle_utils.inference.client import ModelError, check_name, is_embedded
from muddle_utils.inference.errors import LASTING
from muddle_utils.inference.routes import ModelsFileError, find_model
from muddle_utils.judging.judges import find_judge
from muddle_utils.runs import costs
from muddle_utils.runs.checks import JUDGING_STEPS, check_settings
from muddle_utils.runs.executed import ANALYSES, FAILED
from muddle_utils.runs.leftovers import temporary_folder
from muddle_utils.runs.plan import REFRESHES, Run, check_runs, declared_parameters, plan_runs
from muddle_utils.runs.settings import ModalityPlan, RunError, Settings, keep_fonts_below
from muddle_utils.runs.stored import has_answers
from muddle_utils.study.paths import Study, find_study, project_root, resolve
from muddle_utils.study.records import MODALITIES, Cell, Exclusion, Question, Response, Verdict
from muddle_utils.study.rows import RowsError, now, read_requests, read_rows
from muddle_utils.study.store import Store, StoreError, locked

# nbformat's validator would build a grammar for a kind of link that no notebook holds: a processor second a command. It
# takes the missing package in its stride.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]

# The notebooks that cost nothing and say what there is to ask.
_FREE: Final = ("01", "02")
# What a notebook is run once for, if it asks somebody.
_ASKS: Final = ("model", "judge")


def _keep_within(run: Run, temporary: str) -> None:
    """Give kernels folders of the study's for what they would otherwise write below the user's home."""
    keep_fonts_below(run.parameters.get("runs_dir", Study.runs_dir))
    os.environ["IPYTHONDIR"] = f"{temporary}/ipython"
    os.environ["JUPYTER_RUNTIME_DIR"] = f"{temporary}/jupyter"


class _LastLines:
    """A log that is no terminal gets of a progress bar what it says at its end, not each of its states."""

    def __init__(self) -> None:
        self._begun = ""

    def write(self, text: str) -> None:
        *lines, self._begun = (self._begun + text).replace("\r\n", "\n").split("\n")
        for line in lines:
            _say(line.rpartition("\r")[2])
        self._begun = self._begun.rpartition("\r")[2]

    def flush(self) -> None:
        """What is not yet a line may be a bar under way."""

    def end(self) -> None:
        if self._begun:
            self.write("\n")


def execute(run: Run, sockets: str) -> None:
    """Execute one notebook into its copy below the study; ``sockets`` is a folder for its kernel's sockets.

    Where ``warm_kernels`` is at work in that folder, it forks the kernel.

    Raises:
        RunError: a cell failed, the kernel died, or the notebook ended early; the executed copy is kept in a folder of
            its own, and an earlier one that ran to its end stays.
    """
    import papermill
    from nbclient.exceptions import CellTimeoutError, DeadKernelError
    from papermill.exceptions import PapermillExecutionError
    from traitlets.config import Config

    from muddle_utils.runs.kernels import SERVER, ForkedKernel

    _keep_within(run, sockets)
    server = Path(sockets) / SERVER
    kernels: dict[str, Any] = {}
    if run.offline:
        from muddle_utils.runs.offline import OfflineKernel

        kernels = {"kernel_manager_class": OfflineKernel}
    elif server.exists():
        kernels = {"kernel_manager_class": ForkedKernel}
    unfinished = run.output.parent / FAILED / run.output.name
    unfinished.parent.mkdir(parents=True, exist_ok=True)
    kept = f"the executed copy is {unfinished}; the same command goes on from what is finished"
    lines = _LastLines()
    try:
        notebook = papermill.execute_notebook(
            str(run.step.path),
            # papermill reads the name as a template; braces in a folder name must stay what they are.
            str(unfinished).replace("{", "{{").replace("}", "}}"),
            parameters=run.parameters,
            progress_bar=False,
            kernel_name="python3",
            language="python",
            cwd=str(project_root()),
            request_save_on_cell_execute=False,
            stderr_file=sys.stderr if sys.stderr.isatty() else lines,
            # The copy holds a progress bar's last line.
            coalesce_streams=True,
            # Sockets of the kernel's own: ports could be read by others on the machine, and one name would collide.
            config=Config(
                {
                    "KernelManager": {"transport": "ipc", "ip": f"{sockets}/{uuid.uuid4().hex[:8]}"},
                    "ForkedKernel": {"server": str(server)},
                }
            ),
            # A kernel that is told to end logs the interrupt it is sent as an error.
            extra_arguments=["--IPKernelApp.log_level=CRITICAL"],
            **kernels,
        )
    except PapermillExecutionError as error:
        raise RunError(
            f"{run.label}: cell {error.exec_count} failed with {error.ename}: {error.evalue}\n{kept}"
        ) from None
    except (DeadKernelError, CellTimeoutError) as error:
        raise RunError(
            f"{run.label}: the kernel died ({type(error).__name__}), perhaps out of memory\n{kept}"
        ) from None
    finally:
        lines.end()
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    if code and code[-1].execution_count is None:
        raise RunError(f"{run.label}: the notebook ended before its last cell\n{kept}")
    unfinished.replace(run.output)


def run_study(settings: Settings, only: Sequence[str] = (), jobs: int = 1, refresh: Sequence[str] = ()) -> list[Run]:
    """Check all runs of a study, then execute them in order, saying how long each took.

    With ``jobs`` above 1 the models and modalities of one step run side by side; they write different rows.
    ``refresh`` names what of the stored rows is to be asked for anew first, see ``refresh_rows``.

    Raises:
        RunError, StudyError: the run was refused or a notebook failed.
    """
    _ = settings.folders
    runs = plan_runs(settings, only)
    check_runs(runs, settings.extra)
    numbers = {run.step.number for run in runs}
    check_settings(settings, numbers, must_ask=bool(refresh))
    for name in refresh:
        if REFRESHES[name] not in numbers:
            raise RunError(f"--refresh {name} needs notebook {REFRESHES[name]}, which --only leaves out: name it, too")
    _execute_all(settings, runs, jobs, refresh)
    return runs


def _execute_all(settings: Settings, runs: Sequence[Run], jobs: int, refresh: Sequence[str]) -> None:
    """Execute checked runs under the study's lock, step by step."""
    from muddle_utils.runs.kernels import warm_kernels

    with only_run_of(settings.folders), temporary_folder("run") as sockets, contextlib.ExitStack() as warm:
        _keep_within(runs[0], str(sockets))
        # A single kernel would not be worth it.
        if len(runs) > 1:
            warm.enter_context(warm_kernels(sockets))
        asking = [run for run in runs if run.step.per in _ASKS]
        pairs = list(dict.fromkeys((str(run.parameters["model"]), str(run.parameters["modality"])) for run in asking))
        done: list[str] = []
        try:
            numbers = list(dict.fromkeys(run.step.number for run in runs))
            for number in numbers:
                if number == "03" and "01" not in numbers:
                    tell_shortfall(settings.folders)
                # Not before it is this notebook's turn: an earlier one may fail, and no command takes a mark back.
                if due := [name for name in refresh if REFRESHES[name] == number]:
                    done += due
                    _say(f"{refresh_rows(settings.folders, due, pairs, settings.judges)} stored rows count no more")
                if number in ANALYSES and not has_answers(settings.folders):
                    raise RunError(
                        f"study {settings.study!r} has no answer yet, so there is nothing to analyse: muddle status "
                        f"--study {settings.study} says why"
                    )
                # Under a budget only one notebook may spend at a time: what another has under way cannot be seen.
                at_once = 1 if settings.budget and number in ("03", *JUDGING_STEPS) else jobs
                _side_by_side([run for run in runs if run.step.number == number], at_once, str(sockets))
                if number == "01":
                    tell_shortfall(settings.folders)
        except RunError as error:
            # The same command would ask again for what this run has just paid for.
            again = f"\nleave out --refresh {' and '.join(done)} when you do: it has been done" if done else ""
            raise RunError(f"{error}{again}") from None


def tell_shortfall(folders: Study) -> None:
    """Say in one line how many cells a study could not build, by reason and arm, and where they are listed.

    Raises:
        RunError: it could build none, or its rows cannot be read.
    """
    listed = folders.rows("exclusions")
    # The notebook that reads what is missing says so, and what to run.
    if not all(folders.rows(kind).is_file() for kind in ("questions", "cells", "exclusions")):
        return
    try:
        n_built = len(read_rows(folders.rows("cells"), Cell))
        rows = shortfalls(read_rows(folders.rows("questions"), Question), read_rows(listed, Exclusion))
    except RowsError as error:
        raise RunError(str(error)) from None
    arms: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        arms[row.reason][row.condition] += row.n_lost
    n_lost = sum(row.n_lost for row in rows)
    reasons = [
        f"{reason} ({', '.join(f'{name}: {n}' for name, n in lost.items())})" for reason, lost in sorted(arms.items())
    ]
    said = (
        f"{n_lost} of {n_lost + n_built} cells cannot be built: {'; '.join(reasons)}; by source and arm in notebook 01"
    )
    said = said if rows else "no question is left"
    if not n_built:
        raise RunError(f"study {folders.name!r} has no cell to ask: {said}, as rows in {listed}")
    if rows:
        _say(f"{said}, as rows in {listed}")


def refresh_rows(
    folders: Study, refresh: Sequence[str], pairs: Sequence[tuple[str, str]], judges: Sequence[str]
) -> int:
    """Say that stored rows no longer count, so that they are asked for anew; return how many. Nothing is deleted.

    ``responses`` are all current responses of these (model, modality) pairs, ``verdicts`` all current verdicts of the
    judges on them, ``failed`` what of both no run tries again by itself.

    Raises:
        RunError: the study's database cannot be used.
    """
    if not folders.store.exists():
        return 0
    try:
        with Store(folders.store) as store:
            responses = [row for pair in pairs for row in store.responses(*pair)]
            verdicts = [row for name in judges for pair in pairs for row in store.verdicts(name, *pair)]
            chosen: list[Response | Verdict] = [
                *(row for row in responses if "responses" in refresh or _lasts(row.error_class, refresh)),
                *(row for row in verdicts if "verdicts" in refresh or _lasts(row.error_class, refresh)),
            ]
            return store.supersede(chosen, now())
    except StoreError as error:
        raise RunError(str(error)) from None


def _lasts(error_class: str, refresh: Sequence[str]) -> bool:
    return "failed" in refresh and error_class in LASTING


def judge_study(
    settings: Settings, jobs: int = 1, refresh: Sequence[str] = (), analyse: bool = False
) -> tuple[Settings, list[Run]]:
    """Judge the stored answers of every model and modality that a study has rows of; ask no model anything.

    With ``analyse`` the tables and figures follow. The settings' own models and plans do not count; returned are those
    that were found, and the runs.

    Raises:
        RunError, StudyError: there is no such study, it has nothing to judge, or a notebook failed.
    """
    folders = find_study(settings.study, settings.runs_dir, settings.figures_dir)
    try:
        pairs = list(read_requests(folders))
    except RowsError as error:
        raise RunError(str(error)) from None
    if not pairs:
        raise RunError(
            f"study {settings.study!r} has asked nothing yet, so there is nothing to judge: muddle run first"
        )
    found = replace(
        settings,
        models=tuple(dict.fromkeys(model for model, _ in pairs)),
        plans=tuple(ModalityPlan(name) for name in MODALITIES if name in {modality for _, modality in pairs}),
    )
    runs = [
        run
        for run in plan_runs(found, ["04", *ANALYSES] if analyse else ["04"])
        if run.step.per != "judge" or (run.parameters["model"], run.parameters["modality"]) in pairs
    ]
    if analyse and len(pairs) < len(found.models) * len(found.plans):
        raise RunError(
            f"study {settings.study!r} has not asked every model in every modality, so --analyse cannot say what to "
            "compare: leave it out, and run notebooks 05, 06 and 10 with the models and modalities you mean"
        )
    check_runs(runs, found.extra)
    check_settings(found, {run.step.number for run in runs}, must_ask=bool(refresh))
    _execute_all(found, runs, jobs, refresh)
    return found, runs


@dataclass(frozen=True)
class StudyEstimate:
    """What a study would send: the rows, the same as text, and nothing that was sent."""

    rows: Sequence[costs.Estimate]
    text: str


def estimate_study(settings: Settings, jobs: int = 1) -> StudyEstimate:
    """Run the notebooks that cost nothing, then plan the rest as notebook 03 does; ask nobody.

    Raises:
        RunError, StudyError: the settings were refused, a notebook failed, or a row file cannot be read.
    """
    check_runs(plan_runs(settings), settings.extra)
    free = plan_runs(replace(settings, extra={}), _FREE)
    known = {name for run in free for name in declared_parameters(run.step.path)}
    own = {name: value for name, value in settings.extra.items() if name in known}
    try:
        models = [find_model(name, settings.models_file, settings.api_base) for name in settings.models]
        judges = [find_judge(name, settings.models_file, settings.judge_api_base) for name in settings.judges]
        for model in (*models, *(judge.model for judge in judges)):
            check_name(model.name if is_embedded(model.name) else model.routes[0].provider)
        run_study(replace(settings, extra=own), _FREE, jobs)
        plans = [
            costs.read_plan(
                settings.folders,
                model,
                plan.modality,
                plan.conditions,
                plan.n_sources,
                settings.limit,
                settings.seed,
                settings.reasoning_effort,
                settings.replicates,
            )
            for model in models
            for plan in settings.plans
        ]
        with_canary = bool(settings.extra.get("canary", True))
        rows, spent = costs.estimate(plans, judges, settings.folders, with_canary)
    except (ModelError, ModelsFileError, RowsError, StoreError) as error:
        raise RunError(str(error)) from None
    return StudyEstimate(rows, costs.report(rows, plans, judges, spent, settings.budget))


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
    refusal = f"study {folders.name!r} is being run by another process: wait for it, or end it"
    with contextlib.ExitStack() as held:
        try:
            held.enter_context(locked(folders.folder / ".lock", refusal))
        except StoreError as error:
            raise RunError(str(error)) from None
        yield


def _say(line: str) -> None:
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


def where(settings: Settings) -> str:
    """Return the lines that say where a study's results are."""
    folders = settings.folders
    beside = [
        ("scored predictions", folders.figures.with_name(f"{folders.name}-scores")),
        ("published numbers", folders.figures.with_name("published-numbers")),
    ]
    rows = [
        ("tables, figures", folders.figures),
        *((name, path) for name, path in beside if path.exists()),
        ("executed notebooks", folders.notebooks),
        ("rows and store", folders.folder),
    ]
    return "\n".join(f"{name + ':':<20}{resolve(path)}" for name, path in rows)
