"""Can this machine run the study that is meant? Libraries, models file, keys, routes, disk; a probe if asked for.

Keys are looked for by name and their values never read. Without ``probe`` nothing is sent.
"""

import asyncio
import datetime
import importlib.metadata
import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from muddle_utils.inference import client
from muddle_utils.inference.client import ModelError, Patience
from muddle_utils.inference.dispatch import StageStoppedError
from muddle_utils.inference.errors import redact
from muddle_utils.inference.routes import Model, ModelsFileError, Route, find_model, read_models
from muddle_utils.judging.judges import find_judge
from muddle_utils.study.labels import text_table
from muddle_utils.study.paths import project_root, resolve
from muddle_utils.study.records import Request
from muddle_utils.study.store import Store, StoreError

OK: Final = "ok"
NOTE: Final = "note"
PROBLEM: Final = "PROBLEM"

# Releases of litellm that carried a program which sends keys away (OSV MAL-2026-2144).
STOLEN: Final = ("1.82.7", "1.82.8")
OLD_PRICE: Final = datetime.timedelta(days=180)
LEAST_DISK: Final = 5e9
LEAST_PYTHON: Final = (3, 11)
# A probe is small: whoever does not answer it in this time will not answer a study.
PROBE_PATIENCE: Final = Patience(timeout=120.0, seconds=60.0)
_REDIRECTS: Final = (
    *("OPENAI_BASE_URL", "OPENAI_API_BASE", "ANTHROPIC_BASE_URL", "ANTHROPIC_API_BASE", "GEMINI_API_BASE"),
    *("OPENROUTER_API_BASE", "XAI_API_BASE"),
)
_PROXIES: Final = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")


@dataclass(frozen=True)
class Check:
    """One thing looked at: ``state`` is ``ok``, ``note`` (it works, but know this) or ``PROBLEM``, with its mend."""

    what: str
    state: str
    detail: str
    mend: str = ""


@dataclass(frozen=True)
class Asked:
    """A model that a study would ask: what it would be sent beside the message, in which modalities, and as what."""

    name: str
    model: Model
    parameters: Sequence[Mapping[str, Any]]
    modalities: Sequence[str]
    # A model that was named has to work; one that merely stands in the files may lack its key.
    named: bool


# --- The machine ----------------------------------------------------------------------------------------------------


def check_python(version: tuple[int, ...] = tuple(sys.version_info[:3])) -> Check:
    """Return whether Python is new enough."""
    said = ".".join(str(part) for part in version)
    if version[:2] >= LEAST_PYTHON:
        return Check("Python", OK, said)
    return Check("Python", PROBLEM, f"{said} is too old", "install Python 3.11 or newer and run make env")


def locked_versions(lock: str) -> dict[str, tuple[str, ...]]:
    """Return the versions that the text of a lock file pins, by name; some depend on the Python version."""
    pins: dict[str, tuple[str, ...]] = {}
    for name, version in re.findall(r"^([a-z0-9._-]+)(?:\[[a-z0-9,-]+\])?==([^\s;\\]+)", lock, re.MULTILINE):
        pins[name] = (*pins.get(name, ()), version)
    return pins


def _installed(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return ""


def _own_requirements() -> list[str]:
    """Return the names of the libraries that the package itself asks for."""
    requirements = importlib.metadata.requires("muddle-utils") or []
    named = [re.match(r"[A-Za-z0-9._-]+", line) for line in requirements if "extra ==" not in line]
    return [match.group().lower() for match in named if match]


def check_libraries(lock_file: Path | None = None) -> list[Check]:
    """Return a check of each library that is not as locked, or one that all are; litellm always has its own."""
    litellm = _installed("litellm")
    if litellm in STOLEN:
        detail = f"{litellm} is a release that sends the keys of this machine to a stranger"
        mend = "remove it now, run make distclean env, and replace every key that this machine has held"
        return [Check("litellm", PROBLEM, detail, mend)]
    path = lock_file or project_root() / "requirements.lock"
    if not path.is_file():
        return [
            Check("libraries", NOTE, f"{path} is missing, so no version can be compared", "install from a checkout")
        ]
    pins = locked_versions(path.read_text("utf-8"))
    found = []
    for name in _own_requirements():
        wanted, have = pins.get(name, ()), _installed(name)
        if have not in wanted:
            # Requests are made, and prices and errors read, by litellm: another release is another instrument.
            state = PROBLEM if name == "litellm" or not have else NOTE
            detail = f"{have or 'not installed'}, and {' or '.join(wanted) or 'nothing'} is locked"
            found.append(Check(name, state, detail, "run make env"))
    if all(check.what != "litellm" for check in found):
        found.insert(0, Check("litellm", OK, f"{litellm}, as locked"))
    others = len(_own_requirements()) - len({check.what for check in found} | {"litellm"})
    return [*found, Check("libraries", OK, f"{others} others are as locked")]


def check_disk(runs_dir: str = "data/runs") -> list[Check]:
    """Return whether there is room where studies are kept, and whether a store can be written and locked there."""
    wanted = resolve(runs_dir)
    place = next(each for each in (wanted, *wanted.parents) if each.exists())
    if not place.is_dir():
        return [Check("store", PROBLEM, f"{place} is a file, no folder", "give a folder with --runs-dir")]
    free = shutil.disk_usage(place).free
    room = f"{free / 1e9:.1f} GB free at {place}"
    checks = [
        Check("disk", OK, room)
        if free >= LEAST_DISK
        else Check("disk", NOTE, f"only {room}", "free some: page images of a large study take gigabytes")
    ]
    try:
        with (
            tempfile.TemporaryDirectory(prefix=".muddle-doctor-", dir=place) as folder,
            Store(Path(folder) / "store.sqlite") as store,
            store.only_worker("doctor"),
        ):
            pass
    except (OSError, StoreError) as error:
        mend = "mend the folder's permissions, or give another with --runs-dir"
        return [*checks, Check("store", PROBLEM, f"no store can be written in {place}: {error}", mend)]
    return [*checks, Check("store", OK, f"can be written in {place}")]


def check_environment(asked: Iterable[Asked]) -> list[Check]:
    """Return a note for each variable that sends requests elsewhere; names only, no value is read."""
    meant = {name for each in asked for route in each.model.routes for name in route.needs}
    set_here = [name for name in _REDIRECTS if os.environ.get(name) and name not in meant]
    proxies = [name for name in (*_PROXIES, *map(str.lower, _PROXIES)) if os.environ.get(name)]
    checks = [
        Check(name, NOTE, "is set: requests of that provider go to the address in it", f"unset {name} if not meant")
        for name in set_here
    ]
    checks += [
        Check(name, NOTE, "is set: requests may go through a proxy", f"unset {name} if not meant") for name in proxies
    ]
    return checks or [Check("environment", OK, "no variable sends requests elsewhere")]


# --- The models -----------------------------------------------------------------------------------------------------


def find_asked(
    names: Sequence[str], judges: Sequence[str], models_file: str = "", api_base: str = "", judge_api_base: str = ""
) -> tuple[list[Asked], list[Check]]:
    """Return the models and judges to look at, and a check of the models files and of each name that is none.

    Without a name it is every model in the files.
    """
    try:
        listed = read_models(models_file)
    except ModelsFileError as error:
        return [], [Check("models file", PROBLEM, str(error), "mend the file")]
    own = f", with those of {models_file}" if models_file else ""
    more = "" if names or judges else "; what one would be sent is looked at when it is named (--model, --judge)"
    checks = [Check("models file", OK, f"{len(listed)} models{own}{more}")]
    asked = [_as_asked(model, named=False) for model in listed.values() if not (names or judges)]
    for name in names:
        try:
            asked.append(_as_asked(find_model(name, models_file, api_base), named=True))
        except ModelsFileError as error:
            checks.append(Check(name, PROBLEM, str(error)))
    for name in judges:
        try:
            judge = find_judge(name, models_file, judge_api_base)
        except (ModelsFileError, ModelError) as error:
            checks.append(Check(f"judge {name}", PROBLEM, str(error)))
            continue
        asked.append(Asked(f"judge {name}", judge.model, [judge.parameters], ("markdown",), named=True))
    return asked, checks


def _as_asked(model: Model, named: bool) -> Asked:
    parameters: list[Mapping[str, Any]] = [client.parameters_of(model)]
    if model.judge_parameters is not None and not named:
        parameters.append(model.judge_parameters)
    modalities = tuple(dict.fromkeys(name for route in model.routes for name in route.modalities))
    return Asked(model.name, model, parameters, modalities, named)


def _limits(route: Route) -> str:
    limits = [
        f"{most:,} {unit}"
        for most, unit in (
            (route.max_images, "images"),
            (route.max_pdf_pages, "PDF pages"),
            (route.max_bytes, "bytes"),
            (route.max_tokens_in, "tokens"),
        )
        if most
    ]
    return f"at most {', '.join(limits)}" if limits else "no known limit"


def check_price(what: str, route: Route, today: datetime.date) -> Check:
    """Return a route's price with its date; one older than 180 days, or of no date, is noted."""
    price = client.price_of(route)
    if price is None:
        mend = "give its price in a models file (--models-file); --budget refuses it until then"
        return Check(what, NOTE, "price unknown", mend)
    said = f"${price.input:g} in, ${price.output:g} out a million tokens ({price.source or 'no source'}"
    try:
        read = datetime.date.fromisoformat(price.read)
    except ValueError:
        return Check(what, NOTE, f"{said}, of no date)", "give price and date in a models file")
    if today - read > OLD_PRICE:
        return Check(what, NOTE, f"{said}, read {read}, {(today - read).days} days ago)", "read the price again")
    return Check(what, OK, f"{said}, read {read})")


def _check_parameters(what: str, asked: Asked, route: Route, waive: Sequence[str]) -> Iterator[Check]:
    for parameters in asked.parameters:
        try:
            sent = client.sent_parameters(route, parameters, (*waive, *asked.model.waive))
        except ModelError as error:
            yield Check(what, PROBLEM, redact(str(error)), "mend its parameters in the models file, or waive them")
            return
        yield Check(what, OK, f"would be sent {json.dumps(sent, ensure_ascii=False, sort_keys=True)}")


def _has_all(route: Route) -> str:
    if needed := route.variables:
        return f"{' and '.join(needed)} {'is' if len(needed) == 1 else 'are'} set"
    return "needs no key" if route.listed and route.api_base else "the provider's usual variables are set"


def _check_route(asked: Asked, route: Route, waive: Sequence[str], today: datetime.date) -> Iterator[Check]:
    what = f"{asked.name}: {route.name}"
    try:
        if asked.named:
            client.check_name(route.provider)
    except ModelError as error:
        yield Check(what, PROBLEM, str(error), "mend the provider's name")
        return
    missing = client.missing_variables(route)
    if missing:
        detail = f"{' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} not set"
        yield Check(what, NOTE, detail, f"export {' '.join(f'{name}=…' for name in missing)}")
    else:
        yield Check(what, OK, _has_all(route))
    yield Check(what, OK, f"takes {', '.join(route.modalities)}; {_limits(route)}")
    yield check_price(what, route, today)
    # litellm says what would be sent, and takes seconds to load: it is asked about what was named only.
    if not asked.named:
        return
    checks = list(_check_parameters(what, asked, route, waive))
    # Some providers' request can only be made with their address and key.
    if missing and checks[-1].state == PROBLEM:
        checks = [Check(what, NOTE, "what it would be sent cannot be seen before its variables are set")]
    yield from checks


def check_model(asked: Asked, waive: Sequence[str] = (), today: datetime.date | None = None) -> list[Check]:
    """Return the checks of each route of a model, and a problem if it was named and no route can be used."""
    if client.is_embedded(asked.model.name):
        return [Check(asked.name, OK, "runs in this process and needs nothing")]
    today = today or datetime.datetime.now(datetime.UTC).date()
    checks = [check for route in asked.model.routes for check in _check_route(asked, route, waive, today)]
    if asked.named and not usable_routes(asked):
        detail = "none of its routes can be used"
        checks.append(Check(asked.name, PROBLEM, detail, "mend what stands above for one of them"))
    return checks


def usable_routes(asked: Asked) -> list[Route]:
    """Return the routes whose provider is known and whose variables are set; embedded models have none."""
    usable = []
    for route in asked.model.routes:
        try:
            client.check_route(route)
        except ModelError:
            continue
        if not client.is_embedded(route.provider):
            usable.append(route)
    return usable


# --- The probe ------------------------------------------------------------------------------------------------------


def probes(asked: Iterable[Asked]) -> list[tuple[Asked, Route, str]]:
    """Return what a probe would send: one small page for each model, usable route and modality."""
    return [
        (each, route, modality)
        for each in asked
        for route in usable_routes(each)
        for modality in route.modalities
        if modality in each.modalities
    ]


def _probe_request(asked: Asked, route: Route, modality: str) -> Request:
    parameters = json.dumps(dict(asked.parameters[0]), sort_keys=True)
    return Request(
        *("probe", "probe", "control", asked.model.name, modality),
        replicate=1,
        fingerprint="probe",
        image_setting="",
        n_pages=1,
        n_chars=None,
        n_bytes=0,
        parameters=parameters,
        route=route.name,
    )


async def _probe(
    asked: Asked, route: Route, modality: str, store: Store, waive: Sequence[str], patience: Patience
) -> Check:
    from muddle_utils.inference.attachment_check import prove_arrival

    what = f"probe {asked.name}: {route.name} {modality}"
    # A model that merely stands in the files, such as the example of a server, need not be there.
    failed = PROBLEM if asked.named else NOTE
    try:
        (arrival,) = await prove_arrival([_probe_request(asked, route, modality)], asked.model, store, waive, patience)
    except StageStoppedError as error:
        return Check(what, failed, redact(error.cause), "mend this and probe again")
    except ModelError as error:
        return Check(what, failed, redact(str(error)), "mend this and probe again")
    if arrival.proven:
        return Check(what, OK, f"proven: the code word came back ({arrival.tokens_in} input tokens)")
    answer = redact(arrival.answer)[:80]
    detail = f"not proven: no code word in {answer!r}, at {arrival.tokens_in} input tokens"
    return Check(what, NOTE, detail, "small models misread; with a large one, look at what the route does with pages")


def run_probes(
    wanted: Sequence[tuple[Asked, Route, str]], waive: Sequence[str] = (), patience: Patience = PROBE_PATIENCE
) -> list[Check]:
    """Send one small page over each, one after the other, into a store that is thrown away; return what came back.

    This costs a few hundred tokens each.
    """

    async def every(store: Store) -> list[Check]:
        return [await _probe(*each, store, waive, patience) for each in wanted]

    with tempfile.TemporaryDirectory(prefix="muddle-probe-") as folder, Store(Path(folder) / "store.sqlite") as store:
        return asyncio.run(every(store))


# --- The whole ------------------------------------------------------------------------------------------------------


def examine(
    asked: Sequence[Asked], found: Sequence[Check], runs_dir: str = "data/runs", waive: Sequence[str] = ()
) -> list[Check]:
    """Return all checks that send nothing; ``asked`` and ``found`` come from ``find_asked``."""
    return [
        check_python(),
        *check_libraries(),
        *check_disk(runs_dir),
        *check_environment(asked),
        *found,
        *(check for each in asked for check in check_model(each, waive)),
    ]


def report(checks: Sequence[Check]) -> str:
    """Return the checks as a plain text table, each mend under what it mends, and how many problems there are."""
    rows = []
    for check in checks:
        rows.append([check.state, check.what, check.detail])
        rows += [["", "", f"mend: {check.mend}"]] if check.mend else []
    n = sum(check.state == PROBLEM for check in checks)
    said = "No problem." if not n else f"{n} problem{'s' if n > 1 else ''}."
    return f"{text_table(['state', 'check', 'found'], rows)}\n\n{said}"
