"""MUDDLE: plan a study, see what it would cost, run its notebooks, see where it stands, judge it again."""

import argparse
import ast
import asyncio
import dataclasses
import json
import os
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from muddle_utils import __version__
from muddle_utils.inference.errors import secret_in
from muddle_utils.inference.routes import check_addresses
from muddle_utils.judging import judge_calibration
from muddle_utils.judging.judges import find_judge
from muddle_utils.runs import cli_score, costs, doctor, status
from muddle_utils.runs.pipeline import REFRESHES, estimate_study, judge_study, run_study, where
from muddle_utils.runs.release import bundles, replays
from muddle_utils.runs.release.bundle_io import LARGEST
from muddle_utils.runs.release.report import write_report
from muddle_utils.runs.settings import ModalityPlan, RunError, Settings, check_conditions, with_stored
from muddle_utils.study import paths
from muddle_utils.study.errors import MuddleError
from muddle_utils.study.paths import Study, resolve
from muddle_utils.study.store import Store

Command = Callable[[argparse.Namespace], int]
Options = argparse.ArgumentParser
_RUNS_DIR: Final = "data/runs"
_FIGURES_DIR: Final = "figures"
_REPLAYS: Final = "figures/replay"
_ONLY: Final = (
    "run only this notebook, such as 03; without one before 04, models, modalities and judges that are not given are "
    "those of the study; repeatable"
)


def _literal(text: str) -> Any:  # noqa: ANN401 - whatever a parameter can be
    """Return a parameter's value as Python writes it, or the text itself."""
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text


# --- Options that several commands share ----------------------------------------------------------------------------


def _study_options(name: str = "--study") -> Options:
    """Return what says which study, by an option or else the first word, and where it is kept."""
    options = Options(add_help=False)
    text = "name of the run; its folder below data/runs and figures"
    if name.startswith("-"):
        options.add_argument(name, required=True, help=text)
    else:
        options.add_argument(name, metavar=name.upper(), help=text)
    options.add_argument("--runs-dir", default=_RUNS_DIR, help="where studies are kept")
    options.add_argument("--figures-dir", default=_FIGURES_DIR, help="where figures and tables are kept")
    return options


def _models_options() -> Options:
    options = Options(add_help=False)
    options.add_argument("--models-file", default="", help="your own models, routes and prices, as in data/models.toml")
    options.add_argument(
        "--waive", action="append", default=[], metavar="NAME", help="a parameter that a model may go without"
    )
    options.add_argument(
        "--judge-api-base", default="", help="base URL of the judge's own server; it has no share in --api-base"
    )
    return options


def _sending_options() -> Options:
    options = Options(add_help=False)
    options.add_argument(
        "--budget",
        type=float,
        default=0.0,
        help="stop before the study costs more US dollars, as far as providers keep to max_tokens; 0: none",
    )
    options.add_argument("--concurrency", type=int, default=8, help="requests under way at once")
    return options


def _headline_options() -> Options:
    options = Options(add_help=False)
    options.add_argument(
        "--headline", default="", help="whose verdicts the tables go by: a judge, or majority (default: first)"
    )
    options.add_argument("--seed", type=int, help="seed of placement, samples and resampling (default: 42)")
    options.add_argument("--jobs", type=int, default=1, help="notebooks of one step at once, for models and modalities")
    return options


def _plan_options() -> Options:
    """Return what says which study: the same for running it and for estimating it."""
    options = Options(add_help=False)
    options.add_argument(
        "--corpus", default="demo", help="demo, mmlongbench, or a folder of PDFs with a questions file"
    )
    options.add_argument(
        "--model", action="append", help="a name of data/models.toml, litellm's name, or local/reader; repeatable"
    )
    options.add_argument(
        "--modality",
        action="append",
        metavar="NAME[:CONDITIONS[:SOURCES]]",
        help="markdown, image or pdf; image:control:7 asks only the control, over a seeded sample of 7 sources",
    )
    options.add_argument("--conditions", help="comma-separated conditions for every --modality that names none")
    options.add_argument("--judge", action="append", help="model or judge, or local/rules; repeatable")
    options.add_argument("--annotation", default="v1", choices=("v1", "v2"), help="MMLongBench-Doc annotation")
    options.add_argument("--data-dir", default="", help="folder that already holds the corpus; empty: its own place")
    options.add_argument("--limit", type=int, default=0, help="ask only a seeded sample of this many questions; 0: all")
    options.add_argument(
        "--renderer",
        default="markitdown",
        choices=("markitdown", "markitdown-document", "pymupdf"),
        help="what turns PDFs into markdown",
    )
    options.add_argument("--placement-key", default="cell", help="cell (the paper) or question_k (pairs the arms)")
    options.add_argument("--reasoning-effort", default="", help="in place of the effort that the models file gives")
    options.add_argument("--replicates", type=int, help="ask every request so many times (default: once)")
    options.add_argument("--api-base", default="", help="base URL of an OpenAI-compatible server")
    options.add_argument(
        "-p", nargs=2, action="append", metavar=("NAME", "VALUE"), default=[], help="any other notebook parameter"
    )
    return options


# --- The commands' own options --------------------------------------------------------------------------------------


Commands = Any


def _add(commands: Commands, name: str, do: Command, text: str, *shared: Options) -> Options:
    said = f"{text[0].upper()}{text[1:]}."
    # Where --model is no option, it would be taken for --models-file.
    made: Options = commands.add_parser(name, help=text, description=said, parents=shared, allow_abbrev=False)
    made.set_defaults(do=do)
    return made


def add_estimate(commands: Commands) -> None:
    """Add ``muddle estimate``."""
    shared = (_study_options(), _plan_options(), _models_options(), _sending_options(), _headline_options())
    text = "say what a study would send and cost: takes the options of run, sends nothing, needs no key"
    options = _add(commands, "estimate", _estimate, text, *shared)
    options.add_argument("--json", action="store_true", help="the rows as JSON lines")


def add_run(commands: Commands) -> None:
    """Add ``muddle run``."""
    shared = (_study_options(), _plan_options(), _models_options(), _sending_options(), _headline_options())
    options = _add(commands, "run", _run, "run the notebooks of a study, or some of them", *shared)
    options.add_argument("--only", action="append", metavar="NN", default=[], help=_ONLY)
    options.add_argument(
        "--refresh",
        action="append",
        choices=tuple(REFRESHES),
        default=[],
        help="ask anew for all responses or verdicts of these models and judges, or for what failed for good; "
        "nothing is deleted; repeatable",
    )


def add_status(commands: Commands) -> None:
    """Add ``muddle status``."""
    text = "say where a study stands: answered, failed and why, judged, spent, and what the next run would do"
    options = _add(commands, "status", _status, text, _study_options())
    options.add_argument("--models-file", default="", help="the models file that names the study's judges")
    options.add_argument("--json", action="store_true", help="the same as one JSON object")


def add_judge(commands: Commands) -> None:
    """Add ``muddle judge``."""
    shared = (_study_options(), _models_options(), _sending_options(), _headline_options())
    text = "judge the stored answers of a study, of every model and modality, without asking a model anything"
    options = _add(commands, "judge", _judge, text, *shared)
    options.add_argument("--judge", action="append", required=True, help="model or judge, or local/rules; repeatable")
    options.add_argument(
        "--refresh",
        action="append",
        choices=("verdicts",),
        default=[],
        help="ask anew for all verdicts of these judges",
    )
    options.add_argument("--analyse", action="store_true", help="make the tables and figures (05, 06, 10) after it")


def add_doctor(commands: Commands) -> None:
    """Add ``muddle doctor``."""
    text = "check libraries, keys, models file, routes, prices and disk; exit code 1 if what is asked for cannot work"
    options = _add(commands, "doctor", _doctor, text, _models_options())
    options.add_argument("--model", action="append", default=[], help="look at this model; repeatable (default: all)")
    options.add_argument("--judge", action="append", default=[], help="look at this judge; repeatable")
    options.add_argument("--api-base", default="", help="base URL of an OpenAI-compatible server")
    options.add_argument("--runs-dir", default=_RUNS_DIR, help="where studies are kept")
    options.add_argument(
        "--probe", action="store_true", help="send one small page over each usable route; a few hundred tokens each"
    )


def add_validate_judge(commands: Commands) -> None:
    """Add ``muddle validate-judge``."""
    text = "measure a judge on answers that people have labelled: agreement, kappa, confusions by rule"
    options = _add(commands, "validate-judge", _validate_judge, text, _models_options(), _sending_options())
    options.add_argument("judge", metavar="JUDGE", help="model or judge, or local/rules")
    options.add_argument(
        "--part",
        default="held_out",
        choices=("all", *judge_calibration.PARTS),
        help="which half of the labelled pairs: report held_out, look at tuning while you change a judge",
    )
    options.add_argument(
        "--rubric",
        default="muddle",
        choices=("muddle", "equivalence"),
        help="the paper's rules and labels, or those of MMLongBench-Doc-V2 that muddle score judges by",
    )
    options.add_argument("--pairs", default="", help="labelled pairs of your own; empty: data/judge_calibration.jsonl")
    options.add_argument("--store", default="", help="database of its verdicts; empty: one in data/runs")
    options.add_argument("--json", action="store_true", help="the same as one JSON object")


def add_report(commands: Commands) -> None:
    """Add ``muddle report``."""
    text = "write a study's claims, tables, figures, methods and manifest as one HTML page that stands by itself"
    options = _add(commands, "report", _report, text, _study_options("study"))
    options.add_argument("--models-file", default="", help="the models file of its judges, if not the one it ran with")
    options.add_argument("--out", default="", help="where the page goes; empty: report.html in the study's folder")


def add_export(commands: Commands) -> None:
    """Add ``muddle export``."""
    text = "write a finished study as a folder for release: rows, documents' text, figures, datasheet, checksums"
    options = _add(commands, "export", _export, text, _study_options("study"))
    options.add_argument("--out", default="", metavar="FOLDER", help="the folder to write; empty: STUDY-bundle, here")
    options.add_argument(
        "--without-documents", action="store_true", help="leave out the documents' text, which has rights of its own"
    )
    options.add_argument("--zip", action="store_true", help="write FOLDER.zip beside it, too")


def add_replay(commands: Commands) -> None:
    """Add ``muddle replay``."""
    text = "make every table and figure of an exported study again, offline; exit code 1 if a file is not the same"
    options = _add(commands, "replay", _replay, text)
    options.add_argument("bundle", metavar="BUNDLE", help="the folder or .zip file that muddle export made")
    options.add_argument("--runs-dir", default="", help="where its rows are laid; empty: a folder for the time being")
    options.add_argument("--figures-dir", default=_REPLAYS, help="where figures and tables go")
    largest = f"refuse a bundle whose files are more than this many GB (default: {LARGEST})"
    options.add_argument("--largest", type=int, default=LARGEST, metavar="GB", help=largest)


def add_score(commands: Commands) -> None:
    """Add ``muddle score``."""
    text = "score any system's predictions on MMLongBench-Doc, by V2's judge and by v1's rules; several are compared"
    cli_score.score_options(_add(commands, "score", cli_score.score, text, _models_options(), _sending_options()))


def add_predictions(commands: Commands) -> None:
    """Add ``muddle predictions``."""
    text = "write a study's stored answers in one condition as a predictions file"
    cli_score.predictions_options(_add(commands, "predictions", cli_score.predictions, text))


def add_corrections(commands: Commands) -> None:
    """Add ``muddle corrections``."""
    text = "show what MMLongBench-Doc-V2 corrected, with before, after, reason and page, or apply it to v1"
    cli_score.corrections_options(_add(commands, "corrections", cli_score.corrections, text))


def add_lint(commands: Commands) -> None:
    """Add ``muddle lint``."""
    text = "list what may be wrong with an annotation; exit code 1 if anything is"
    cli_score.lint_options(_add(commands, "lint", cli_score.lint, text))


def parser() -> argparse.ArgumentParser:
    """Return the parser of the ``muddle`` command."""
    top = argparse.ArgumentParser(prog="muddle", description=__doc__)
    top.add_argument("--version", action="version", version=__version__)
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    asking = (add_doctor, add_estimate, add_run, add_status, add_judge, add_validate_judge)
    for add in (*asking, add_report, add_export, add_replay, add_score, add_predictions, add_corrections, add_lint):
        add(commands)
    return top


# --- What the commands do -------------------------------------------------------------------------------------------


def _here(path: str, own: str = "") -> str:
    """Return a path as the shell means it, from the current folder; empty texts and the kit's ``own`` place stay."""
    return str(Path(path).expanduser().resolve()) if path and path != own else path


def _corpus(corpus: str) -> str:
    return corpus if corpus in ("demo", "mmlongbench") else _here(corpus)


def _plans(modalities: Sequence[str], conditions: str | None) -> tuple[ModalityPlan, ...]:
    plans = [ModalityPlan.parse(text) for text in modalities]
    if conditions:
        shared = tuple(name.strip() for name in conditions.split(","))
        check_conditions(shared)
        plans = [
            plan if ":" in text else ModalityPlan(plan.modality, shared, plan.n_sources)
            for plan, text in zip(plans, modalities, strict=True)
        ]
    if len({plan.modality for plan in plans}) < len(plans):
        raise RunError("--modality names one modality twice: give each once, with all its conditions")
    return tuple(plans)


def _shared_settings(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the settings that commands which ask somebody have in common."""
    if arguments.jobs < 1:
        raise RunError(f"--jobs {arguments.jobs}: at least one notebook has to run at a time")
    return {
        "study": arguments.study,
        "judges": tuple(dict.fromkeys(arguments.judge or ["local/rules"])),
        "headline": arguments.headline,
        "seed": Settings.seed if arguments.seed is None else arguments.seed,
        "concurrency": arguments.concurrency,
        "budget": arguments.budget,
        "models_file": _here(arguments.models_file),
        "waive": tuple(dict.fromkeys(arguments.waive)),
        "judge_api_base": arguments.judge_api_base,
        "runs_dir": _here(arguments.runs_dir, _RUNS_DIR),
        "figures_dir": _here(arguments.figures_dir, _FIGURES_DIR),
    }


def settings_from(arguments: argparse.Namespace) -> Settings:
    """Return the settings that a command line of ``run`` or ``estimate`` asks for.

    Raises:
        RunError: a modality, condition or parameter is not one.
    """
    return Settings(
        **_shared_settings(arguments),
        corpus=_corpus(arguments.corpus),
        models=tuple(dict.fromkeys(arguments.model or ["local/reader"])),
        plans=_plans(arguments.modality or ["markdown"], arguments.conditions),
        annotation=arguments.annotation,
        data_dir=_here(arguments.data_dir),
        limit=arguments.limit,
        renderer=arguments.renderer,
        placement_key=arguments.placement_key,
        reasoning_effort=arguments.reasoning_effort,
        replicates=Settings.replicates if arguments.replicates is None else arguments.replicates,
        api_base=arguments.api_base,
        extra={name: _literal(value) for name, value in arguments.p},
    )


def _run(arguments: argparse.Namespace) -> int:
    given = {name for name, value in vars(arguments).items() if value not in (None, "", [])}
    settings = with_stored(settings_from(arguments), arguments.only, given)
    run_study(settings, arguments.only, arguments.jobs, arguments.refresh)
    print(where(settings))
    return 0


def _estimate(arguments: argparse.Namespace) -> int:
    estimated = estimate_study(settings_from(arguments), arguments.jobs)
    print("\n".join(map(costs.as_json, estimated.rows)) if arguments.json else estimated.text)
    return 0


def _study(arguments: argparse.Namespace) -> Study:
    """Return the study that a command looks at."""
    runs, figures = _here(arguments.runs_dir, _RUNS_DIR), _here(arguments.figures_dir, _FIGURES_DIR)
    return paths.find_study(arguments.study, runs, figures)


def _status(arguments: argparse.Namespace) -> int:
    found = status.read_status(_study(arguments), _here(arguments.models_file))
    print(status.as_json(found) if arguments.json else status.report(found))
    return 0


def _report(arguments: argparse.Namespace) -> int:
    # A folder that is not there yet is one by its last sign.
    out = Path(_here(arguments.out), "report.html" if arguments.out.endswith("/") else "") if arguments.out else None
    print(write_report(_study(arguments), out, _here(arguments.models_file)))
    return 0


def _export(arguments: argparse.Namespace) -> int:
    study = _study(arguments)
    out = Path(_here(arguments.out or f"{study.name}-bundle"))
    done = bundles.export(study, out, not arguments.without_documents, arguments.zip)
    for remark in done.remarks:
        print(f"muddle: {remark}", file=sys.stderr)
    print("\n".join(str(path) for path in (done.folder, done.zipped) if path))
    return 0


def _replay(arguments: argparse.Namespace) -> int:
    figures = str(resolve(arguments.figures_dir)) if arguments.figures_dir == _REPLAYS else _here(arguments.figures_dir)
    done = replays.replay(Path(_here(arguments.bundle)), figures, _here(arguments.runs_dir), arguments.largest)
    print(replays.report(done))
    return int(not done.is_same)


def _judge(arguments: argparse.Namespace) -> int:
    settings = Settings(**_shared_settings(arguments))
    found, _ = judge_study(settings, arguments.jobs, arguments.refresh, arguments.analyse)
    print(where(found))
    return 0


def _validate_judge(arguments: argparse.Namespace) -> int:
    judge = find_judge(arguments.judge, _here(arguments.models_file), arguments.judge_api_base, arguments.rubric)
    everything = judge_calibration.read_pairs(Path(_here(arguments.pairs)) if arguments.pairs else None)
    pairs = [pair for pair in everything if arguments.part in ("all", judge_calibration.part_of(pair.pair_id))]
    if not pairs:
        raise RunError(f"--part {arguments.part} holds none of the {len(everything)} labelled pairs: take another part")
    place = Path(_here(arguments.store)) if arguments.store else resolve(_RUNS_DIR) / "judge_calibration.sqlite"
    with Store(place) as store:
        judged = judge_calibration.judge_pairs(
            pairs, judge, store, arguments.concurrency, arguments.budget, arguments.waive
        )
        result = judge_calibration.validate(pairs, asyncio.run(judged), judge.name, arguments.part, arguments.rubric)
    # An interval that cannot be computed holds numbers that are none, which JSON does not know.
    plain = json.loads(json.dumps(dataclasses.asdict(result)), parse_constant=lambda _: None)
    print(json.dumps(plain) if arguments.json else judge_calibration.as_text(result))
    return 0


def _doctor(arguments: argparse.Namespace) -> int:
    models_file = _here(arguments.models_file)
    asked, found = doctor.find_asked(
        arguments.model, arguments.judge, models_file, arguments.api_base, arguments.judge_api_base
    )
    checks = doctor.examine(asked, found, _here(arguments.runs_dir, _RUNS_DIR), arguments.waive)
    if arguments.probe:
        wanted = doctor.probes(asked)
        print(
            f"--probe sends one small page {len(wanted)} times, which costs a few hundred tokens each …",
            file=sys.stderr,
            flush=True,
        )
        checks += doctor.run_probes(wanted, arguments.waive)
    print(doctor.report(checks))
    return int(any(check.state == doctor.PROBLEM for check in checks))


def _refuse_secrets(arguments: argparse.Namespace) -> None:
    """Refuse a command line that holds a key, before anything starts; what it says is stored with a study.

    Raises:
        ModelsFileError, RunError: naming the option, not its value.
    """
    for name, value in vars(arguments).items():
        option = f"--{name.replace('_', '-')}"
        if name.endswith("api_base"):
            check_addresses({option: value})
        # Parameters given by name are checked under their names.
        if name != "p" and secret_in([value]):
            raise RunError(f"{option} holds what looks like a key: put it into the environment")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code: 0, or 1 with one message on standard error."""
    arguments = parser().parse_args(argv)
    # Being told to end is being interrupted: the same message, the same tidying.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        _refuse_secrets(arguments)
        return int(arguments.do(arguments))
    except BrokenPipeError:
        # Whoever read the output has seen enough (``| head``); nothing of it is lost.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (MuddleError, OSError) as error:
        print(f"muddle: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        # A refresh that is begun again would ask for what it has just got.
        without = " without --refresh" if getattr(arguments, "refresh", None) else ""
        said = f"interrupted; what was done is kept, run the same command{without} to go on"
        print(f"muddle: {said}", file=sys.stderr, flush=True)
        # Leave at once: notebooks that run side by side would be waited for. Their kernels end with this process.
        os._exit(130)


if __name__ == "__main__":
    sys.exit(main())
