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
from muddle_utils.runs import plan
from muddle_utils.runs.release.bundle_io import LARGEST
from muddle_utils.runs.settings import (
    ModalityPlan,
    RunError,
    Settings,
    check_budget,
    check_conditions,
    keep_fonts_below,
    word_of,
)
from muddle_utils.study import paths
from muddle_utils.study.errors import MuddleError
from muddle_utils.study.paths import Study, resolve
from muddle_utils.study.records import MISSING, PARTS

Command = Callable[[argparse.Namespace], int]
Options = argparse.ArgumentParser
_REPLAYS: Final = "figures/replay"
_ONLY: Final = (
    "run only this notebook, such as 03; without one before 04, models, modalities and judges that are not given are "
    "those of the study; repeatable"
)
_ALSO: Final = "run this notebook, too, which a study leaves out, such as 09; repeatable"


def _literal(text: str) -> Any:  # noqa: ANN401 - whatever a parameter can be
    """Return a parameter's value as Python writes it, or the text itself."""
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text


# --- Options that several commands share ----------------------------------------------------------------------------


_FIELDS: Final = {item.name: item for item in dataclasses.fields(Settings)}


def _setting(options: Options, name: str, **changes: Any) -> None:  # noqa: ANN401 - argparse's
    """Give a command the option of a setting, as ``Settings`` declares it but for ``changes``."""
    item = _FIELDS[name]
    if item.default is dataclasses.MISSING:
        about: dict[str, Any] = {"required": True}
    elif isinstance(item.default, tuple):
        about = {"action": "append", "default": []}
    else:
        about = {"type": type(item.default), "default": item.default}
    about |= {**item.metadata, **changes}
    about.pop("word", None)
    options.add_argument(f"--{word_of(item).replace('_', '-')}", **about)


def _settings(*names: str) -> Options:
    """Return the options of these settings, to be shared by several commands."""
    options = Options(add_help=False)
    for name in names:
        _setting(options, name)
    return options


def _study_word() -> Options:
    """Return what says which study by the first word, and where it is kept."""
    options = Options(add_help=False)
    options.add_argument("study", metavar="STUDY", help=_FIELDS["study"].metadata["help"])
    _setting(options, "runs_dir")
    _setting(options, "figures_dir")
    return options


_STUDY: Final = ("study", "runs_dir", "figures_dir")
_MODELS: Final = ("models_file", "waive", "judge_api_base")
_SENDING: Final = ("budget", "concurrency")


def _headline_options() -> Options:
    options = _settings("headline", "seed")
    options.add_argument("--jobs", type=int, default=1, help="notebooks of one step at once, for models and modalities")
    return options


def _plan_options() -> Options:
    """Return what says which study: the same for running it and for estimating it."""
    options = _settings("corpus", "models", "plans")
    options.add_argument("--conditions", help="comma-separated conditions for every --modality that names none")
    for name in ("judges", "annotation", "data_dir", "limit", "renderer", "placement_key"):
        _setting(options, name)
    for name in ("reasoning_effort", "replicates", "api_base"):
        _setting(options, name)
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
    shared = (_settings(*_STUDY), _plan_options(), _settings(*_MODELS, *_SENDING), _headline_options())
    text = "say what a study would send and cost: takes the options of run, sends nothing, needs no key"
    options = _add(commands, "estimate", _estimate, text, *shared)
    options.add_argument("--json", action="store_true", help="the rows as JSON lines")


def add_run(commands: Commands) -> None:
    """Add ``muddle run``."""
    shared = (_settings(*_STUDY), _plan_options(), _settings(*_MODELS, *_SENDING), _headline_options())
    options = _add(commands, "run", _run, "run the notebooks of a study, or some of them", *shared)
    which = options.add_mutually_exclusive_group()
    which.add_argument("--only", action="append", metavar="NN", default=[], help=_ONLY)
    which.add_argument("--also", action="append", metavar="NN", default=[], help=_ALSO)
    options.add_argument(
        "--refresh",
        action="append",
        choices=tuple(plan.REFRESHES),
        default=[],
        help="ask anew for all responses or verdicts of these models and judges, or for what failed for good; "
        "nothing is deleted; repeatable",
    )


def add_status(commands: Commands) -> None:
    """Add ``muddle status``."""
    text = "say where a study stands: answered, failed and why, judged, spent, and what the next run would do"
    options = _add(commands, "status", _status, text, _settings(*_STUDY))
    _setting(options, "models_file", help="the models file that names the study's judges")
    options.add_argument("--json", action="store_true", help="the same as one JSON object")


def add_judge(commands: Commands) -> None:
    """Add ``muddle judge``."""
    shared = (_settings(*_STUDY, *_MODELS, *_SENDING), _headline_options())
    text = "judge the stored answers of a study, of every model and modality, without asking a model anything"
    options = _add(commands, "judge", _judge, text, *shared)
    _setting(options, "judges", required=True)
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
    options = _add(commands, "doctor", _doctor, text, _settings(*_MODELS))
    looks = "look at this model, and what it would be sent; repeatable (default: what the models files say of all)"
    _setting(options, "models", help=looks)
    _setting(options, "judges", help="look at this judge, and what it would be sent; repeatable")
    _setting(options, "api_base")
    _setting(options, "runs_dir")
    options.add_argument(
        "--probe", action="store_true", help="send one small page over each usable route; a few hundred tokens each"
    )


def add_validate_judge(commands: Commands) -> None:
    """Add ``muddle validate-judge``."""
    text = "measure a judge on answers that people have labelled: agreement, kappa, confusions by rule"
    options = _add(commands, "validate-judge", _validate_judge, text, _settings(*_MODELS, *_SENDING))
    options.add_argument("judge", metavar="JUDGE", help="model or judge, or local/rules")
    options.add_argument(
        "--part",
        default="held_out",
        choices=("all", *PARTS),
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
    options = _add(commands, "report", _report, text, _study_word())
    _setting(options, "models_file", help="the models file of its judges, if not the one it ran with")
    options.add_argument("--brief", action="store_true", help="claims, Table 1, gaps, coverage and doubts alone")
    options.add_argument("--out", default="", help="where the page goes; empty: report.html in the study's folder")


def add_export(commands: Commands) -> None:
    """Add ``muddle export``."""
    text = "write a finished study as a folder for release: rows, documents' text, figures, datasheet, checksums"
    options = _add(commands, "export", _export, text, _study_word())
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
    options.add_argument("--largest", type=float, default=LARGEST, metavar="GB", help=largest)


def _annotation_options() -> Options:
    options = Options(add_help=False)
    options.add_argument(
        "--annotation",
        default="v2",
        help="v1, v2, demo, or a JSON file in the benchmark's form, or a study's questions.jsonl",
    )
    options.add_argument("--overlay", default="", metavar="FILE", help="corrections of your own, applied on top")
    options.add_argument("--data-dir", default="", help="folder that holds the annotations; empty: fetch them once")
    options.add_argument("--offline", action="store_true", help="use what was fetched before and fetch nothing")
    return options


def add_score(commands: Commands) -> None:
    """Add ``muddle score``."""
    text = "score any system's predictions on MMLongBench-Doc, by V2's judge and by v1's rules; several are compared"
    shared = (_annotation_options(), _settings(*_MODELS, *_SENDING))
    options = _add(commands, "score", _scoring("score"), text, *shared)
    options.add_argument(
        "predictions",
        nargs="+",
        metavar="PREDICTIONS",
        help="JSON list or JSON lines with doc_id, question, response; several files are compared",
    )
    options.add_argument("--judge", action="append", help="model or judge, or local/rules (default); repeatable")
    options.add_argument(
        "--missing",
        default="wrong",
        choices=MISSING,
        help="what a question without a prediction counts as; exclude leaves it out and says so",
    )
    options.add_argument(
        "--out", default="", metavar="FILE", help="write scores and every row with its verdict as JSON"
    )
    options.add_argument(
        "--dry-run",
        action="store_true",
        help="say how many responses would be judged and the most it can cost; ask nobody",
    )
    options.add_argument(
        "--refresh", action="store_true", help="judge anew what has a verdict, too; nothing is deleted"
    )
    options.add_argument("--study", default="", help="name for its tables and figure; empty: scores-SYSTEM")
    options.add_argument("--runs-dir", default=Settings.runs_dir, help="where verdicts are kept")
    options.add_argument("--figures-dir", default="figures", help="where tables and figure go")


def add_predictions(commands: Commands) -> None:
    """Add ``muddle predictions``."""
    text = "write a study's stored answers in one condition as a predictions file"
    options = _add(commands, "predictions", _scoring("predictions"), text)
    options.add_argument("study", metavar="STUDY", help="name of the run")
    options.add_argument("--model", default="local/reader", help="whose answers")
    options.add_argument("--modality", default="markdown", help="in which modality")
    options.add_argument("--condition", default="control", help="in which condition")
    options.add_argument("--runs-dir", default=Settings.runs_dir, help="where studies are kept")
    options.add_argument(
        "--out", default="", metavar="FILE", help="the file to write; empty: STUDY-MODEL-MODALITY.json"
    )


def add_corrections(commands: Commands) -> None:
    """Add ``muddle corrections``."""
    text = "show what MMLongBench-Doc-V2 corrected, with before, after, reason and page, or apply it to v1"
    options = _add(commands, "corrections", _scoring("corrections"), text)
    options.add_argument(
        "document", nargs="?", default="", metavar="DOC_ID", help="show those of this document in full"
    )
    options.add_argument("--type", default="", help="only of this type, such as wrong_answer")
    options.add_argument("--find", default="", metavar="TEXT", help="show those with this text in question or reason")
    options.add_argument("--data-dir", default="", help="folder that holds the annotations; empty: fetch them once")
    options.add_argument("--offline", action="store_true", help="use what was fetched before and fetch nothing")
    options.add_argument("--apply", default="", metavar="FILE", help="apply all to this copy of v1 and write --out")
    options.add_argument("--out", default="", metavar="FILE", help="where the corrected annotation goes")


def add_lint(commands: Commands) -> None:
    """Add ``muddle lint``."""
    text = "list what may be wrong with an annotation; exit code 1 if anything is"
    options = _add(commands, "lint", _scoring("lint"), text, _annotation_options())
    options.add_argument("--documents", default="", metavar="FOLDER", help="PDFs, to check evidence pages against")
    options.add_argument("--json", action="store_true", help="the findings as JSON lines")


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


def _said(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the settings that a command line says, by name; what it does not say is left to ``Settings``."""
    if arguments.jobs < 1:
        raise RunError(f"--jobs {arguments.jobs}: at least one notebook has to run at a time")
    found = {}
    for item in _FIELDS.values():
        value = getattr(arguments, word_of(item), None)
        if item.name in ("data_dir", "models_file", "runs_dir", "figures_dir"):
            value = _here(value or "", str(item.default))
        if value not in (None, []):
            found[item.name] = tuple(dict.fromkeys(value)) if isinstance(value, list) else value
    return found


def settings_from(arguments: argparse.Namespace) -> Settings:
    """Return the settings that a command line of ``run`` or ``estimate`` asks for.

    Raises:
        RunError: a modality, condition or parameter is not one.
    """
    apart = {
        "corpus": _corpus(arguments.corpus),
        "plans": _plans(arguments.modality or [str(plan) for plan in Settings.plans], arguments.conditions),
        "extra": {name: _literal(value) for name, value in arguments.p},
    }
    return Settings(**{**_said(arguments), **apart})


def _run(arguments: argparse.Namespace) -> int:
    given = {name for name, value in vars(arguments).items() if value not in (None, "", [])}
    settings = settings_from(arguments)
    only = arguments.only
    if only:
        from muddle_utils.runs.stored import with_stored

        settings = with_stored(settings, only, given)
    elif arguments.also:
        only = [step.number for step in plan.STEPS if not step.optional] + arguments.also
    # Before what runs them is loaded, which takes longer.
    plan.check_runs(plan.plan_runs(settings, only), settings.extra)
    from muddle_utils.runs import pipeline, status

    runs = pipeline.run_study(settings, only, arguments.jobs, arguments.refresh)
    analysed = any(run.step.number == "05" for run in runs) and not settings.others
    print(f"\n{status.ending(settings.folders, settings.models_file, analysed)}\n\n{pipeline.where(settings)}")
    return 0


def _estimate(arguments: argparse.Namespace) -> int:
    settings = settings_from(arguments)
    plan.check_runs(plan.plan_runs(settings), settings.extra)
    from muddle_utils.runs import costs, pipeline

    estimated = pipeline.estimate_study(settings, arguments.jobs)
    print("\n".join(map(costs.as_json, estimated.rows)) if arguments.json else estimated.text)
    return 0


def _study(arguments: argparse.Namespace) -> Study:
    """Return the study that a command looks at."""
    runs, figures = _here(arguments.runs_dir, Settings.runs_dir), _here(arguments.figures_dir, Settings.figures_dir)
    return paths.find_study(arguments.study, runs, figures)


def _status(arguments: argparse.Namespace) -> int:
    from muddle_utils.runs import status

    found = status.read_status(_study(arguments), _here(arguments.models_file))
    print(status.as_json(found) if arguments.json else status.report(found))
    return 0


def _report(arguments: argparse.Namespace) -> int:
    from muddle_utils.runs.release.report import write_report

    # A folder that is not there yet is one by its last sign.
    out = Path(_here(arguments.out), "report.html" if arguments.out.endswith("/") else "") if arguments.out else None
    print(write_report(_study(arguments), out, _here(arguments.models_file), arguments.brief))
    return 0


def _export(arguments: argparse.Namespace) -> int:
    from muddle_utils.runs.release import bundles

    study = _study(arguments)
    out = Path(_here(arguments.out or f"{study.name}-bundle"))
    done = bundles.export(study, out, not arguments.without_documents, arguments.zip)
    for remark in done.remarks:
        print(f"muddle: {remark}", file=sys.stderr)
    print("\n".join(str(path) for path in (done.folder, done.zipped) if path))
    return 0


def _replay(arguments: argparse.Namespace) -> int:
    from muddle_utils.runs.release import replays

    figures = str(resolve(arguments.figures_dir)) if arguments.figures_dir == _REPLAYS else _here(arguments.figures_dir)
    done = replays.replay(Path(_here(arguments.bundle)), figures, _here(arguments.runs_dir), arguments.largest)
    print(replays.report(done))
    return int(not done.is_same)


def _judge(arguments: argparse.Namespace) -> int:
    from muddle_utils.runs import pipeline

    settings = Settings(**_said(arguments))
    found, _ = pipeline.judge_study(settings, arguments.jobs, arguments.refresh, arguments.analyse)
    print(pipeline.where(found))
    return 0


def _validate_judge(arguments: argparse.Namespace) -> int:
    from muddle_utils.judging import judge_calibration
    from muddle_utils.judging.judges import find_judge
    from muddle_utils.study.store import Store

    judge = find_judge(arguments.judge, _here(arguments.models_file), arguments.judge_api_base, arguments.rubric)
    everything = judge_calibration.read_pairs(Path(_here(arguments.pairs)) if arguments.pairs else None)
    pairs = [pair for pair in everything if arguments.part in ("all", judge_calibration.part_of(pair.pair_id))]
    if not pairs:
        raise RunError(f"--part {arguments.part} holds none of the {len(everything)} labelled pairs: take another part")
    place = Path(_here(arguments.store)) if arguments.store else resolve(Settings.runs_dir) / "judge_calibration.sqlite"
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
    from muddle_utils.runs import doctor

    models_file = _here(arguments.models_file)
    asked, found = doctor.find_asked(
        arguments.model, arguments.judge, models_file, arguments.api_base, arguments.judge_api_base
    )
    checks = doctor.examine(asked, found, _here(arguments.runs_dir, Settings.runs_dir), arguments.waive)
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


def _scoring(name: str) -> Command:
    """Return a command of ``cli_score``, which is loaded when it is run."""

    def do(arguments: argparse.Namespace) -> int:
        from muddle_utils.runs import cli_score

        made: Command = getattr(cli_score, name)
        return made(arguments)

    return do


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
        check_budget(getattr(arguments, "budget", None) or 0.0)
        if runs_dir := getattr(arguments, "runs_dir", ""):
            keep_fonts_below(_here(runs_dir, Settings.runs_dir))
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
