"""What a study on disk was told: its settings by its requests, verdicts and executed notebooks, and its command."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, Final

from muddle_utils.runs.executed import ANALYSES, Executed, beside_of, own_analyses, read_notebooks
from muddle_utils.runs.settings import (
    BY_PLAN,
    FOLDERS,
    SAID_APART,
    ModalityPlan,
    Parameters,
    RunError,
    Settings,
    command_of,
    word_of,
)
from muddle_utils.study.holdings import in_order, stored_judges
from muddle_utils.study.paths import Study, find_study
from muddle_utils.study.records import MAJORITY, MODALITIES
from muddle_utils.study.rows import RowsError, read_requests
from muddle_utils.study.store import Store

# What a run of only these notebooks takes from the rows that are stored.
_LATE: Final = ("04", "09", *ANALYSES)
# What reads no row of a study, and may be run beside any of them or without one.
_APART: Final = ("11",)
_OF_OTHERS: Final = ("others", "allow_unlike")
# What an option that is not given takes from the study, where only what is stored is looked at.
_STORED: Final = (
    *("models", "plans", "judges", "headline", "seed", "replicates", "models_file", "judge_api_base", "waive"),
)


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
    models = tuple(in_order(found.get("models"), _every(notebooks, "model", found.get("models"))))
    judges = tuple(in_order(found.get("judges"), _every(notebooks, "judge", found.get("judges"), "04")))
    headline = next((str(n.parameters.get("judge", "")) for n in notebooks if n.name == "05_analysis"), "")
    usual = {item.name: item.default for item in fields(Settings) if item.name not in SAID_APART}
    options = {name: found.get(name, default) for name, default in usual.items() if name not in FOLDERS}
    return Settings(
        study.name,
        models=models or Settings.models,
        plans=tuple(plans.get(name, ModalityPlan(name)) for name in MODALITIES if name in {*plans, *listed})
        or Settings.plans,
        judges=judges or Settings.judges,
        headline=headline if headline not in judges[:1] else "",
        runs_dir=study.runs_dir,
        figures_dir=study.figures_dir,
        extra={name: value for name, value in found.items() if name not in {*usual, *SAID_APART, *BY_PLAN}},
        **{**options, "waive": tuple(options["waive"])},
    )


def _every(notebooks: Sequence[Executed], name: str, otherwise: object, number: str = "") -> tuple[str, ...]:
    """Return every value of a parameter in the order of the notebooks, or what an analysis says of them."""
    own = (notebook for notebook in notebooks if notebook.name.startswith(number))
    found = [str(notebook.parameters[name]) for notebook in own if name in notebook.parameters]
    return tuple(dict.fromkeys(found)) or tuple(str(value) for value in otherwise or ())  # type: ignore[attr-defined]


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
    asked = {modality for _, modality in requests}
    modalities = in_order(listed.get("modalities"), [name for name in MODALITIES if name in asked])
    judges = tuple(in_order(listed.get("judges"), stored_judges(study))) or settings.judges
    headline = str(listed.get("judge") or settings.headline)
    return replace(
        settings,
        models=tuple(in_order(listed.get("models"), [model for model, _ in requests])),
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
    late = set(only) - set(_APART)
    if not late or not late <= set(_LATE):
        return settings
    study = find_study(settings.study, settings.runs_dir, settings.figures_dir)
    try:
        stored, pairs = stored_settings(study), list(read_requests(study))
    except RowsError as error:
        raise RunError(str(error)) from None
    if not pairs:
        raise RunError(f"study {study.name!r} has asked nothing yet: run {command_of(stored)} first")
    unsaid = [item.name for item in fields(Settings) if item.name in _STORED and word_of(item) not in given]
    settings = replace(settings, **{name: getattr(stored, name) for name in unsaid})
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
