"""The ``muddle`` command: the notebooks of a study, run in order."""

import argparse
import ast
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from muddle_utils import __version__
from muddle_utils.pipeline import ModalityPlan, RunError, Settings, check_conditions, run_study, where
from muddle_utils.study import StudyError


def _literal(text: str) -> Any:  # noqa: ANN401 - whatever a parameter can be
    """Return a parameter's value as Python writes it, or the text itself."""
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text


def parser() -> argparse.ArgumentParser:
    """Return the parser of the ``muddle`` command."""
    top = argparse.ArgumentParser(prog="muddle", description=__doc__)
    top.add_argument("--version", action="version", version=__version__)
    commands = top.add_subparsers(dest="command", required=True)
    run = commands.add_parser("run", help="run the notebooks of a study, or some of them")
    run.add_argument("--study", required=True, help="name of the run; its folder below data/runs and figures")
    run.add_argument("--corpus", default="demo", help="demo, mmlongbench, or a folder of PDFs with a questions file")
    run.add_argument("--model", action="append", help="litellm model, or local/reader (may be given several times)")
    run.add_argument(
        "--modality",
        action="append",
        metavar="NAME[:CONDITIONS[:SOURCES]]",
        help="markdown, image or pdf; image:control:7 asks only the control, over a seeded sample of 7 sources",
    )
    run.add_argument("--conditions", help="comma-separated conditions for every --modality that names none")
    run.add_argument("--judge", default="local/rules", help="litellm model, or local/rules")
    run.add_argument("--annotation", default="v1", choices=("v1", "v2"), help="MMLongBench-Doc annotation")
    run.add_argument("--data-dir", default="", help="folder that already holds the corpus; empty: its own place")
    run.add_argument("--limit", type=int, default=0, help="ask only a seeded sample of this many questions; 0: all")
    run.add_argument("--seed", type=int, default=42, help="seed of placement, samples and resampling")
    run.add_argument(
        "--renderer",
        default="markitdown",
        choices=("markitdown", "markitdown-document", "pymupdf"),
        help="what turns PDFs into markdown",
    )
    run.add_argument("--placement-key", default="cell", help="cell (the paper) or question_k (pairs the arms)")
    run.add_argument("--reasoning-effort", default="medium", help="sent where the provider takes one")
    run.add_argument("--concurrency", type=int, default=8, help="requests under way at once")
    run.add_argument("--api-base", default="", help="base URL of an OpenAI-compatible server")
    run.add_argument("--judge-api-base", default="", help="the same for the judge; it has no share in --api-base")
    run.add_argument("--jobs", type=int, default=1, help="notebooks of one step at once, for models and modalities")
    run.add_argument("--runs-dir", default="data/runs", help="where studies are kept")
    run.add_argument("--figures-dir", default="figures", help="where figures and tables are kept")
    run.add_argument("--only", action="append", metavar="NN", default=[], help="run only this notebook, such as 03")
    run.add_argument(
        "-p", nargs=2, action="append", metavar=("NAME", "VALUE"), default=[], help="any other notebook parameter"
    )
    return top


def _here(path: str) -> str:
    """Return a path as the shell means it, from the current folder; names of corpora and empty texts stay."""
    return str(Path(path).expanduser().resolve()) if path else path


def _corpus(corpus: str) -> str:
    return corpus if corpus in ("demo", "mmlongbench") else _here(corpus)


def settings_from(arguments: argparse.Namespace) -> Settings:
    """Return the settings that a command line asks for.

    Raises:
        RunError: a modality, condition or parameter is not one.
    """
    plans = [ModalityPlan.parse(text) for text in arguments.modality or ["markdown"]]
    if arguments.conditions:
        conditions = tuple(name.strip() for name in arguments.conditions.split(","))
        check_conditions(conditions)
        named = [":" in text for text in arguments.modality or ["markdown"]]
        plans = [
            plan if has else ModalityPlan(plan.modality, conditions, plan.n_sources)
            for plan, has in zip(plans, named, strict=True)
        ]
    if len({plan.modality for plan in plans}) < len(plans):
        raise RunError("--modality names one modality twice: give each once, with all its conditions")
    return Settings(
        study=arguments.study,
        corpus=_corpus(arguments.corpus),
        models=tuple(dict.fromkeys(arguments.model or ["local/reader"])),
        plans=tuple(plans),
        judge=arguments.judge,
        annotation=arguments.annotation,
        data_dir=_here(arguments.data_dir),
        limit=arguments.limit,
        seed=arguments.seed,
        renderer=arguments.renderer,
        placement_key=arguments.placement_key,
        reasoning_effort=arguments.reasoning_effort,
        concurrency=arguments.concurrency,
        api_base=arguments.api_base,
        judge_api_base=arguments.judge_api_base,
        runs_dir=_here(arguments.runs_dir) if arguments.runs_dir != "data/runs" else arguments.runs_dir,
        figures_dir=_here(arguments.figures_dir) if arguments.figures_dir != "figures" else arguments.figures_dir,
        extra={name: _literal(value) for name, value in arguments.p},
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code: 0, or 1 with one message on standard error."""
    arguments = parser().parse_args(argv)
    # Being told to end is being interrupted: the same message, the same tidying.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        settings = settings_from(arguments)
        if arguments.jobs < 1:
            raise RunError(f"--jobs {arguments.jobs}: at least one notebook has to run at a time")
        run_study(settings, arguments.only, arguments.jobs)
    except (RunError, StudyError) as error:
        print(f"muddle: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("muddle: interrupted; what was done is kept, run the same command to go on", file=sys.stderr, flush=True)
        # Leave at once: notebooks that run side by side would be waited for. Their kernels end with this process.
        os._exit(130)
    print(where(settings))
    return 0


if __name__ == "__main__":
    sys.exit(main())
