"""What a run of a study can be told, and the command line that says it again: each setting is declared here alone."""

import math
import os
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import Field, dataclass, field, fields
from pathlib import Path
from typing import Any, Final

from muddle_utils.runs.executed import ANALYSES, beside_of, shown
from muddle_utils.study.errors import MuddleError
from muddle_utils.study.paths import Study, resolve
from muddle_utils.study.records import CONDITIONS, MODALITIES

Parameters = dict[str, Any]
# Parameters of notebooks that the plan gives them.
BY_PLAN: Final = ("study", "model", "judge", "modality", "modalities", "conditions", "n_sources", "command")
# What is said in a form of its own, and the folders, which come last.
SAID_APART: Final = ("study", "models", "plans", "judges", "headline", "extra")
FOLDERS: Final = ("runs_dir", "figures_dir")
# What changes nothing about the rows, or says where something is on one machine.
OF_ONE_MACHINE: Final = (
    *("data_dir", "concurrency", "budget", "api_base", "judge_api_base", "models_file", "waive"),
    *FOLDERS,
)
_OF_ANALYSES: Final = ("seed", "replicates", *FOLDERS)


class RunError(MuddleError, RuntimeError):
    """A run that was refused or failed; the message names the notebook, cell or parameter and the mend."""


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

    def __str__(self) -> str:
        """Return the text that ``parse`` reads.

        >>> str(ModalityPlan("image", ("control",), 7)), str(ModalityPlan("pdf"))
        ('image:control:7', 'pdf')
        """
        if self.conditions == CONDITIONS and not self.n_sources:
            return self.modality
        sources = f":{self.n_sources}" if self.n_sources else ""
        return f"{self.modality}:{','.join(self.conditions)}{sources}"


def check_conditions(conditions: Sequence[str]) -> None:
    """Refuse a condition that the protocol does not have.

    Raises:
        RunError: naming the condition.
    """
    for condition in conditions:
        if condition not in CONDITIONS:
            raise RunError(f"condition {condition!r} is unknown: take some of {', '.join(CONDITIONS)}")


def check_budget(budget: float) -> None:
    """Refuse an amount that no account knows.

    Raises:
        RunError: it is negative, infinite or no number.
    """
    if not 0 <= budget < math.inf:
        raise RunError(f"--budget {budget}: give the most US dollars to spend, such as 2.5, or 0 for no limit")


def keep_fonts_below(runs_dir: str) -> None:
    """Have matplotlib keep its list of fonts, which takes seconds to make, there and not below the user's home."""
    os.environ["MPLCONFIGDIR"] = str(resolve(runs_dir) / ".cache" / "matplotlib")


def _setting(value: Any, text: str, /, **option: Any) -> Any:  # noqa: ANN401 - the field's own type
    """Return a field with its default and help; ``word`` is what its option is called, the rest is argparse's."""
    return field(default=value, metadata={"help": text, **option})


@dataclass(frozen=True)
class Settings:
    """Everything that ``muddle run`` can set; each field but ``plans`` is a parameter of the same name.

    The command line's options and what is checked of the notebooks' parameters are read from these fields.
    """

    study: str = field(metadata={"help": "name of the run; its folder below data/runs and figures"})
    corpus: str = _setting("demo", "demo, mmlongbench, or a folder of PDFs with a questions file")
    models: tuple[str, ...] = _setting(
        ("local/reader",), "a name of data/models.toml, litellm's name, or local/reader; repeatable", word="model"
    )
    plans: tuple[ModalityPlan, ...] = _setting(
        (ModalityPlan("markdown"),),
        "markdown, image or pdf; image:control:7 asks only the control, over a seeded sample of 7 sources",
        word="modality",
        metavar="NAME[:CONDITIONS[:SOURCES]]",
    )
    judges: tuple[str, ...] = _setting(("local/rules",), "model or judge, or local/rules; repeatable", word="judge")
    headline: str = _setting("", "whose verdicts the tables go by: a judge, or majority (default: first)")
    annotation: str = _setting("v1", "MMLongBench-Doc annotation", choices=("v1", "v2"))
    data_dir: str = _setting("", "folder that already holds the corpus; empty: its own place")
    limit: int = _setting(0, "ask only a seeded sample of this many questions; 0: all")
    # Where the command does not say these two, they may be the study's.
    seed: int = _setting(42, "seed of placement, samples and resampling (default: 42)", default=None)
    renderer: str = _setting(
        "markitdown", "what turns PDFs into markdown", choices=("markitdown", "markitdown-document", "pymupdf")
    )
    placement_key: str = _setting("cell", "cell (the paper) or question_k (pairs the arms)")
    reasoning_effort: str = _setting("", "in place of the effort that the models file gives")
    replicates: int = _setting(1, "ask every request so many times (default: once)", default=None)
    concurrency: int = _setting(8, "requests under way at once")
    budget: float = _setting(
        0.0, "stop before the study costs more US dollars, as far as providers keep to max_tokens; 0: none"
    )
    api_base: str = _setting("", "base URL of an OpenAI-compatible server")
    judge_api_base: str = _setting("", "base URL of the judge's own server; it has no share in --api-base")
    models_file: str = _setting("", "your own models, routes and prices, as in data/models.toml")
    waive: tuple[str, ...] = _setting((), "a parameter that a model may go without", metavar="NAME")
    runs_dir: str = _setting("data/runs", "where studies are kept")
    figures_dir: str = _setting("figures", "where figures and tables are kept")
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def others(self) -> tuple[str, ...]:
        """The studies that the analysis sets beside this one."""
        return beside_of(self.extra)

    @property
    def folders(self) -> Study:
        """The study's folders; what is set beside other studies has a figures folder of its own.

        >>> Settings("demo", extra={"others": ["panel"]}).folders.figures_dir
        'figures/demo+panel'
        """
        own = str(Path(self.figures_dir) / "+".join([self.study, *self.others])) if self.others else self.figures_dir
        return Study(self.study, self.runs_dir, own)

    def parameters(self, model: str, plan: ModalityPlan | None, judge: str = "") -> Parameters:
        """Return every parameter by name, for one model, modality and judge where a notebook takes one."""
        left_out = ("plans", "extra", "headline")
        shared: Parameters = {item.name: getattr(self, item.name) for item in fields(self) if item.name not in left_out}
        shared["models"], shared["judges"], shared["waive"] = list(self.models), list(self.judges), list(self.waive)
        shared["figures_dir"] = self.folders.figures_dir
        # What the tables go by, unless a notebook is run for one judge.
        shared["judge"] = judge or self.headline or self.judges[0]
        shared["modalities"] = [each.modality for each in self.plans]
        if plan is not None:
            shared.update(modality=plan.modality, conditions=list(plan.conditions), n_sources=plan.n_sources)
        else:
            wanted = [name for name in CONDITIONS if any(name in each.conditions for each in self.plans)]
            shared.update(conditions=wanted)
        if model:
            shared["model"] = model
        return {**shared, **self.extra}


def word_of(setting: "Field[Any]") -> str:
    """Return what the option of a setting is called, without its dashes: ``--model`` is one of ``models``."""
    return str(setting.metadata.get("word", setting.name))


# --- The command ----------------------------------------------------------------------------------------------------


def command_of(settings: Settings, only: Sequence[str] = (), public: bool = False) -> str:
    """Return the whole command of a run; an option at its default is not named, but models, modalities and judges are.

    A ``public`` command may leave this machine: folders, addresses, the pace and the budget are left out.
    """
    words = ["muddle", "run", "--study", settings.study]
    words += [word for name in settings.models for word in ("--model", name)]
    words += [word for plan in settings.plans for word in ("--modality", str(plan))]
    words += [word for name in settings.judges for word in ("--judge", name)]
    words += ["--headline", settings.headline] if settings.headline not in ("", settings.judges[0]) else []
    words += [word for number in only for word in ("--only", number)]
    analyses = bool(only) and set(only) <= set(ANALYSES)
    for item in fields(Settings):
        value = getattr(settings, item.name)
        unsaid = item.name in SAID_APART or (public and item.name in OF_ONE_MACHINE)
        if unsaid or value == item.default or (analyses and item.name not in _OF_ANALYSES):
            continue
        values = value if isinstance(value, tuple) else (value,)
        option = f"--{item.name.replace('_', '-')}"
        words += [word for each in values for word in (option, shown(each) if public else str(each))]
    for name, value in sorted(settings.extra.items()):
        words += ["-p", name, shown(value) if public and isinstance(value, str) else str(value)]
    return shlex.join(words)
