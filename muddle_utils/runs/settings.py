"""What a run of a study can be told, what a study on disk was told, and the command line that says the same again."""

import shlex
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Final

from muddle_utils.runs.executed import ANALYSES, Executed, beside_of, own_analyses, read_notebooks, shown
from muddle_utils.study.errors import MuddleError
from muddle_utils.study.paths import Study, find_study
from muddle_utils.study.records import CONDITIONS, MAJORITY, MODALITIES
from muddle_utils.study.rows import RowsError, read_requests
from muddle_utils.study.store import Store

Parameters = dict[str, Any]
# What a run of only these notebooks takes from the rows that are stored.
_LATE: Final = ("04", "09", *ANALYSES)
_BY_PLAN: Final = ("study", "model", "judge", "modality", "modalities", "conditions", "n_sources", "command")
# What is said in a form of its own, and the folders, which come last.
_SAID_APART: Final = ("study", "models", "plans", "judges", "headline", "extra")
_FOLDERS: Final = ("runs_dir", "figures_dir")
# What changes nothing about the rows, or says where something is on one machine.
OF_ONE_MACHINE: Final = (
    *("data_dir", "concurrency", "budget", "api_base", "judge_api_base", "models_file", "waive"),
    *_FOLDERS,
)
_OF_OTHERS: Final = ("others", "allow_unlike")
_OF_ANALYSES: Final = ("seed", "replicates", *_FOLDERS)
# What an option that is not given takes from the study, where only what is stored is looked at.
_STORED: Final = {
    **{"model": "models", "modality": "plans", "judge": "judges", "headline": "headline", "seed": "seed"},
    **{"replicates": "replicates", "models_file": "models_file", "judge_api_base": "judge_api_base", "waive": "waive"},
}


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


@dataclass(frozen=True)
class Settings:
    """Everything that ``muddle run`` can set; each field but ``plans`` is a parameter of the same name."""

    study: str
    corpus: str = "demo"
    models: tuple[str, ...] = ("local/reader",)
    plans: tuple[ModalityPlan, ...] = (ModalityPlan("markdown"),)
    judges: tuple[str, ...] = ("local/rules",)
    headline: str = ""
    annotation: str = "v1"
    data_dir: str = ""
    limit: int = 0
    seed: int = 42
    renderer: str = "markitdown"
    placement_key: str = "cell"
    reasoning_effort: str = ""
    replicates: int = 1
    concurrency: int = 8
    budget: float = 0.0
    api_base: str = ""
    judge_api_base: str = ""
    models_file: str = ""
    waive: tuple[str, ...] = ()
    runs_dir: str = "data/runs"
    figures_dir: str = "figures"
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
        unsaid = item.name in _SAID_APART or (public and item.name in OF_ONE_MACHINE)
        if unsaid or value == item.default or (analyses and item.name not in _OF_ANALYSES):
            continue
        values = value if isinstance(value, tuple) else (value,)
        option = f"--{item.name.replace('_', '-')}"
        words += [word for each in values for word in (option, shown(each) if public else str(each))]
    for name, value in sorted(settings.extra.items()):
        words += ["-p", name, shown(value) if public and isinstance(value, str) else str(value)]
    return shlex.join(words)


# --- What a study on disk was told ----------------------------------------------------------------------------------


def told(study: Study, notebooks: Sequence[Executed]) -> Settings:
    """Return the settings that executed notebooks ran with; what none of them says is at its default."""
    found: Parameters = {}
    plans: dict[str, ModalityPlan] = {}
    for notebook in notebooks:
        given = notebook.parameters
        found |= {name: value for name, value in given.items() if name not in found}
        if "modality" in given and "conditions" in given:
            name = str(given["modality"])
            plans[name] = ModalityPlan(name, tuple(given["conditions"]), int(given.get("n_sources") or 0))
    listed = [str(name) for name in found.get("modalities") or ()]
    models = _in_order_of(found.get("models"), _every(notebooks, "model", found.get("models")))
    judges = _in_order_of(found.get("judges"), _every(notebooks, "judge", found.get("judges"), "04"))
    headline = next((str(n.parameters.get("judge", "")) for n in notebooks if n.name == "05_analysis"), "")
    usual = {item.name: item.default for item in fields(Settings) if item.name not in _SAID_APART}
    options = {name: found.get(name, default) for name, default in usual.items() if name not in _FOLDERS}
    return Settings(
        study.name,
        models=models or Settings.models,
        plans=tuple(plans.get(name, ModalityPlan(name)) for name in MODALITIES if name in {*plans, *listed})
        or Settings.plans,
        judges=judges or Settings.judges,
        headline=headline if headline not in judges[:1] else "",
        runs_dir=study.runs_dir,
        figures_dir=study.figures_dir,
        extra={name: value for name, value in found.items() if name not in {*usual, *_SAID_APART, *_BY_PLAN}},
        **{**options, "waive": tuple(options["waive"])},
    )


def _every(notebooks: Sequence[Executed], name: str, otherwise: object, number: str = "") -> tuple[str, ...]:
    """Return every value of a parameter in the order of the notebooks, or what an analysis says of them."""
    own = (notebook for notebook in notebooks if notebook.name.startswith(number))
    found = [str(notebook.parameters[name]) for notebook in own if name in notebook.parameters]
    return tuple(dict.fromkeys(found)) or tuple(str(value) for value in otherwise or ())  # type: ignore[attr-defined]


def _in_order_of(known: object, names: Collection[str]) -> tuple[str, ...]:
    """Return names, those that an earlier analysis listed first and in its order."""
    listed = [name for name in (known if isinstance(known, list) else ()) if name in names]
    return tuple(dict.fromkeys([*listed, *names]))


def stored_settings(study: Study) -> Settings:
    """Return the settings of a study by what is on disk of it: its requests, verdicts and executed notebooks.

    Models and modalities are those of the stored requests, judges those with stored verdicts; first come those that
    the last analysis named, in its order.

    Raises:
        RowsError, StoreError: rows, notebooks or database cannot be read.
    """
    notebooks = read_notebooks(study, skip_damaged=True)
    analyses = own_analyses(study, notebooks)
    settings = told(study, [*(each for each in notebooks if each.name[:2] not in ANALYSES), *analyses])
    listed: Parameters = {}
    for notebook in analyses:
        listed = {**notebook.parameters, **listed}
    requests = read_requests(study)
    if not requests:
        return replace(settings, extra=_without_others(settings.extra))
    modalities = _in_order_of(
        listed.get("modalities"), [name for name in MODALITIES if name in {pair[1] for pair in requests}]
    )
    judges = _in_order_of(listed.get("judges"), _stored_judges(study)) or settings.judges
    headline = str(listed.get("judge") or settings.headline)
    return replace(
        settings,
        models=_in_order_of(listed.get("models"), list(dict.fromkeys(model for model, _ in requests))),
        plans=tuple(_plan(settings, name) for name in modalities),
        judges=judges,
        headline=_headline(headline, judges),
        replicates=max((row.replicate for rows in requests.values() for row in rows), default=settings.replicates),
        extra=_without_others(settings.extra),
    )


def _without_others(extra: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return parameters by name without what sets other studies beside one: that is no setting of the study."""
    return {name: value for name, value in extra.items() if name not in _OF_OTHERS}


def _plan(settings: Settings, modality: str) -> ModalityPlan:
    return next((plan for plan in settings.plans if plan.modality == modality), ModalityPlan(modality))


def _stored_judges(study: Study) -> list[str]:
    if not study.store.exists():
        return []
    with Store(study.store, read_only=True) as store:
        return list(dict.fromkeys(row.judge for row in store.verdicts()))


def _headline(name: str, judges: Sequence[str]) -> str:
    """Return a headline that these judges can give, empty for the first of them."""
    return name if name in judges[1:] or (name == MAJORITY and len(judges) >= 3) else ""


def has_answers(study: Study) -> bool:
    """Return whether an answer to one of the study's questions is stored.

    Raises:
        StoreError: the database cannot be read.
    """
    if not study.store.exists():
        return False
    with Store(study.store, read_only=True) as store:
        return any(row.status == "answered" and row.condition != "canary" for row in store.responses())


def remake(study: Study, numbers: Sequence[str] = ANALYSES, public: bool = False) -> str:
    """Return the whole command that runs these notebooks of a study, or all of it where it has no answer yet.

    A ``public`` command names no folder, see ``command_of``.

    Raises:
        RowsError, StoreError: rows or database cannot be read.
    """
    settings = stored_settings(study)
    if not has_answers(study):
        return command_of(settings, (), public)
    ran = own_analyses(study, read_notebooks(study, skip_damaged=True))
    given = {name: value for each in ran for name, value in each.parameters.items() if each.name[:2] in numbers}
    extra = {name: value for name, value in settings.extra.items() if name in given}
    if others := beside_of(given):
        # What is set beside others lies in a folder of its own, whose place the command works out.
        extra |= {name: value for name, value in given.items() if name in _OF_OTHERS and value}
        if others and Path(study.figures_dir).name == "+".join([study.name, *others]):
            settings, numbers = replace(settings, figures_dir=str(Path(study.figures_dir).parent)), ("05",)
    return command_of(replace(settings, extra=extra), numbers, public)


def with_stored(settings: Settings, only: Sequence[str], given: Collection[str]) -> Settings:
    """Return settings in which a run of stored rows takes from the study what no option of the command says.

    ``given`` are the options that were given, by name. Where a notebook that asks models is to run, too, nothing is
    taken: it would be asked of others than the command says.

    Raises:
        RunError: the study has asked nothing or not all that is given, or not every model in every modality.
        StudyError: there is no such study.
    """
    if not only or not set(only) <= set(_LATE):
        return settings
    study = find_study(settings.study, settings.runs_dir, settings.figures_dir)
    try:
        stored, pairs = stored_settings(study), list(read_requests(study))
    except RowsError as error:
        raise RunError(str(error)) from None
    if not pairs:
        raise RunError(f"study {study.name!r} has asked nothing yet: run {command_of(stored)} first")
    taken = {own: getattr(stored, own) for option, own in _STORED.items() if option not in given}
    settings = replace(settings, **taken)
    settings = replace(settings, plans=tuple(_plan_as_stored(plan, stored) for plan in settings.plans))
    if "headline" not in given:
        settings = replace(settings, headline=_headline(settings.headline, settings.judges))
    return _complete(settings, only, given, pairs)


def _plan_as_stored(plan: ModalityPlan, stored: Settings) -> ModalityPlan:
    """Return a modality that is named alone as the study asked it."""
    return plan if plan != ModalityPlan(plan.modality) else _plan(stored, plan.modality)


def _complete(
    settings: Settings, only: Sequence[str], given: Collection[str], pairs: Sequence[tuple[str, str]]
) -> Settings:
    """Return settings all of whose models were asked in all of their modalities.

    Raises:
        RunError: they were not; the message holds a command for those that were.
    """
    models, modalities = settings.models, tuple(plan.modality for plan in settings.plans)
    there = ", ".join(f"{model} in {modality}" for model, modality in pairs)
    for option, names, place in (("model", models, 0), ("modality", modalities, 1)):
        if unknown := [name for name in names if option in given and name not in {pair[place] for pair in pairs}]:
            raise RunError(f"--{option} {unknown[0]}: study {settings.study!r} has not asked it, it has asked {there}")
    if "model" not in given:
        models = tuple(name for name in models if any((name, modality) in pairs for modality in modalities))
    if "modality" not in given:
        modalities = tuple(name for name in modalities if any((model, name) in pairs for model in models))
    plans = tuple(plan for plan in settings.plans if plan.modality in modalities)
    settings = replace(settings, models=models, plans=plans)
    if all((model, modality) in pairs for model in models for modality in modalities):
        return settings
    everywhere = tuple(plan for plan in plans if all((model, plan.modality) in pairs for model in models))
    block = replace(settings, plans=everywhere)
    if not everywhere:
        first = tuple(plan for plan in plans if (models[0], plan.modality) in pairs)
        block = replace(settings, models=models[:1], plans=first or plans[:1])
    raise RunError(
        f"study {settings.study!r} has not asked every model in every modality (it has asked {there}), so say which to "
        f"compare, such as {command_of(block, only)}"
    )
