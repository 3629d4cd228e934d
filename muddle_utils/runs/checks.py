"""What is refused before the first notebook of a run starts, and what a run would cost."""

import contextlib
from collections.abc import Collection, Mapping
from dataclasses import fields
from typing import Any, Final

from muddle_utils.corpus.cells import PLACEMENT_KEYS
from muddle_utils.inference.client import (
    READER,
    RULES,
    ModelError,
    check_name,
    check_route,
    is_embedded,
    known_price,
    longest_output,
    missing_variables,
    parameters_of,
    sent_parameters,
)
from muddle_utils.inference.routes import Model, ModelsFileError, find_model
from muddle_utils.judging.judges import find_judge
from muddle_utils.runs.settings import BY_PLAN, RunError, Settings, check_budget
from muddle_utils.study.paths import Study, slug
from muddle_utils.study.records import MAJORITY, Request
from muddle_utils.study.rows import RowsError, read_rows
from muddle_utils.study.store import Store, StoreError

# The notebooks that ask judges.
JUDGING_STEPS: Final = frozenset(("04", "09"))


def check_settings(settings: Settings, steps: Collection[str], must_ask: bool = False) -> None:
    """Refuse what a later notebook would refuse only after earlier ones have worked, or cost money.

    ``steps`` are the numbers of the notebooks to be run; ``must_ask`` says that somebody will certainly be asked.

    Raises:
        RunError: naming the setting.
    """
    options = {item.name for item in fields(settings)} | {*BY_PLAN}
    if taken := sorted(settings.extra.keys() & options):
        raise RunError(f"-p {taken[0]}: the command has an option of its own for it")
    for name, least in (("limit", 0), ("concurrency", 1), ("replicates", 1)):
        # Written so that what is not a number is refused, too.
        if not getattr(settings, name) >= least:
            raise RunError(f"{name} = {getattr(settings, name)}: it has to be {least} or more")
    check_budget(settings.budget)
    if settings.placement_key not in PLACEMENT_KEYS:
        raise RunError(f"placement_key = {settings.placement_key!r}: take {' or '.join(PLACEMENT_KEYS)}")
    if RULES in settings.models or READER in settings.judges:
        raise RunError(f"{READER} answers and {RULES} judges: they cannot change places")
    if settings.headline and settings.headline not in (*settings.judges, MAJORITY):
        raise RunError(f"--headline {settings.headline}: take one of the judges, or {MAJORITY}")
    if settings.headline == MAJORITY and len(settings.judges) < 3:
        raise RunError(f"--headline {MAJORITY} needs at least three judges: give --judge three times")
    if MAJORITY in settings.judges:
        raise RunError(f"--judge {MAJORITY} is no judge: name three or more, and --headline {MAJORITY}")
    check_file_names(settings)
    try:
        _check_models(settings, steps, must_ask)
    except (ModelError, ModelsFileError) as error:
        raise RunError(str(error)) from None


def check_file_names(settings: Settings) -> None:
    """Refuse models, or judges, that this run or what is stored of the study would keep under one file name.

    Names that differ by case alone are one file on some machines.

    Raises:
        RunError: naming both and the mend.
    """
    for option, given, stored in zip(
        ("model", "judge"), (settings.models, settings.judges), _stored_names(settings.folders), strict=True
    ):
        for name in given:
            same = [other for other in (*given, *stored) if slug(other).lower() == slug(name).lower() and other != name]
            if same:
                raise RunError(
                    f"--{option} {name} and {same[0]} would share the file name {slug(name)!r}: give one of them "
                    "another name in a models file (--models-file), or run it as a study of its own"
                )


def _stored_names(folders: Study) -> tuple[set[str], set[str]]:
    """Return the models and judges that a study has rows of; a damaged row file counts as none, 03 writes it anew."""
    models: set[str] = set()
    for path in folders.folder.glob("requests_*.jsonl"):
        with contextlib.suppress(RowsError):
            models |= {row.model for row in read_rows(path, Request)}
    if not folders.store.is_file():
        return models, set()
    try:
        with Store(folders.store) as store:
            asked, judges = store.names()
    except StoreError as error:
        raise RunError(str(error)) from None
    return models | set(asked), set(judges)


def _check_models(settings: Settings, steps: Collection[str], must_ask: bool) -> None:
    """Refuse unknown models, and before the first answer also models without a key.

    A study that has answers may be finished: it can be run again without a key as long as nothing is missing.

    Raises:
        ModelError, ModelsFileError: naming the model.
    """
    modalities = {plan.modality for plan in settings.plans}
    known: set[str] = set()
    if "03" in steps:
        for name in settings.models:
            model = find_model(name, settings.models_file, settings.api_base)
            parameters = parameters_of(model, settings.reasoning_effort)
            known |= parameters.keys()
            _check_routes(settings, model, parameters, modalities, must_ask)
    if JUDGING_STEPS & set(steps):
        for name in settings.judges:
            judge = find_judge(name, settings.models_file, settings.judge_api_base)
            known |= judge.parameters.keys()
            try:
                _check_routes(settings, judge.model, judge.parameters, {"markdown"}, must_ask)
            except ModelError as error:
                raise ModelError(f"judge {name!r}: {error}") from None
    if {"03", "04"} <= set(steps) and (unknown := [name for name in settings.waive if name not in known]):
        raise ModelError(
            f"--waive {unknown[0]}: no model or judge has such a parameter, they have {', '.join(sorted(known))}"
        )


def _check_routes(
    settings: Settings, model: Model, parameters: Mapping[str, Any], modalities: Collection[str], must_ask: bool
) -> None:
    """Refuse a model none of whose routes can be used, or whose parameters a usable route would not be sent."""
    check_name(model.name if is_embedded(model.name) else model.routes[0].provider)
    routes = [route for route in model.routes if set(route.modalities) & set(modalities)]
    if not routes:
        raise ModelError(f"model = {model.name!r} has no route for {' or '.join(sorted(modalities))}")
    usable = [route for route in routes if not missing_variables(route)]
    if not usable and (must_ask or not settings.folders.store.exists()):
        check_route(routes[0])
    for route in usable:
        sent = sent_parameters(route, parameters, (*settings.waive, *model.waive))
        if settings.budget and not is_embedded(model.name):
            known_price(route, model.name)
            longest_output(sent, model.name)
