"""Models and their routes as data: which provider can carry which request, with which parameters, at which price.

The data is ``data/models.toml``, which says what each key means, and a file of the user's own of the same form. A
model that neither names is asked under its litellm name, with no declared limits and litellm's price where it has one.

Nothing here sends anything; ``client`` does.
"""

import functools
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from muddle_utils.inference.errors import credentials, is_key, redact, secret_in, without_keys
from muddle_utils.study.errors import MuddleError
from muddle_utils.study.paths import project_root, resolve
from muddle_utils.study.records import MODALITIES, Limit

MAX_TOKENS: Final = 16_000
JUDGE_MAX_TOKENS: Final = 2_000
# Least and most tokens where a model's entry does not say: the least is what no model goes under.
IMAGE_TOKENS: Final = (60, 3_000)
PDF_PAGE_TOKENS: Final = (20, 4_000)
OUTPUT_TOKENS: Final = (10, 3_000)
# A token holds so many characters of text at the most, and so many bytes at the least, over the tokenisers of the panel
# and documents from prose to tables of figures and scripts without spaces.
CHARS_PER_TOKEN: Final = 6
BYTES_PER_TOKEN: Final = 2
_VARIABLE: Final = re.compile(r"[A-Z_][A-Z0-9_]*")
_HEADER: Final = re.compile(r"[A-Za-z][A-Za-z0-9-]*")


class ModelsFileError(MuddleError, ValueError):
    """A models file that cannot be used; the message names the file, the entry, the key and the mend."""


@dataclass(frozen=True)
class Price:
    """US dollars per million tokens, and when and where they were read.

    Above ``above`` input tokens, where that is not 0, all tokens of a request cost ``above_times`` as much.
    """

    input: float
    output: float
    read: str
    source: str = ""
    cached: float | None = None
    above: int = 0
    above_times: float = 1.0

    def cost(self, tokens_in: int, tokens_out: int, tokens_cached: int = 0) -> float:
        """Return the US dollars of one request; cached input tokens are among ``tokens_in``."""
        cached = self.cached if self.cached is not None else self.input
        fresh = max(0, tokens_in - tokens_cached)
        times = self.above_times if self.above and tokens_in > self.above else 1.0
        return times * (fresh * self.input + tokens_cached * cached + tokens_out * self.output) / 1e6


@dataclass(frozen=True)
class Load:
    """What one request weighs: its page images, PDF pages, bytes as sent, and least and most input tokens."""

    modality: str
    n_images: int
    n_pdf_pages: int
    n_bytes: int
    tokens: tuple[int, int]


@dataclass(frozen=True)
class Route:
    """One way to reach a model; see ``data/models.toml`` for each field. A limit of 0 is no known limit."""

    provider: str
    api_base: str = ""
    label: str = ""
    api_version: str = ""
    base_model: str = ""
    key: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    needs: tuple[str, ...] = ()
    modalities: tuple[str, ...] = MODALITIES
    max_images: int = 0
    max_pdf_pages: int = 0
    max_bytes: int = 0
    max_tokens_in: int = 0
    price: Price | None = None
    structured_output: bool = False
    extra: Mapping[str, Any] = field(default_factory=dict)
    comparable: bool = True
    note: str = ""
    # Only the file's own routes go without a key to an address of their own; ``--api-base`` keeps the provider's key.
    listed: bool = False

    def __post_init__(self) -> None:
        """Have the values of the key and the headers kept out of every text, whether or not anything is sent."""
        for variable in self.variables[len(self.needs) :]:
            is_key(variable)

    @property
    def variables(self) -> tuple[str, ...]:
        """The environment variables that have to be set, those of its key and headers last."""
        return (*self.needs, *([self.key] if self.key else []), *self.headers.values())

    @property
    def name(self) -> str:
        """The provider and, where it is not the usual one, the address, or its label: what a response records."""
        return self.label or (f"{self.provider} at {self.api_base}" if self.api_base else self.provider)

    @property
    def account(self) -> str:
        """What shares one rate limit: the provider, and the address where it is not the usual one."""
        return f"{self.provider.split('/')[0]} {self.api_base}".strip()

    def broken_limit(self, load: Load) -> Limit | None:
        """Return the first limit that a request breaks, or None.

        Tokens count by their lower bound, so that a request is only held back if it is certainly too long.
        """
        if load.modality not in self.modalities:
            return Limit("modality")
        checks = (
            ("images", load.n_images, self.max_images),
            ("pdf_pages", load.n_pdf_pages, self.max_pdf_pages),
            ("bytes", load.n_bytes, self.max_bytes),
            ("tokens", load.tokens[0], self.max_tokens_in),
        )
        return next((Limit(name, size, most) for name, size, most in checks if most and size > most), None)


@dataclass(frozen=True)
class Model:
    """One model and its routes, in the order in which they are tried; ``listed`` if a models file names it."""

    name: str
    routes: tuple[Route, ...]
    parameters: Mapping[str, Any] = field(default_factory=dict)
    judge_parameters: Mapping[str, Any] | None = None
    waive: tuple[str, ...] = ()
    image_detail: str = "high"
    image_tokens: tuple[int, int] = IMAGE_TOKENS
    pdf_page_tokens: tuple[int, int] = PDF_PAGE_TOKENS
    output_tokens: tuple[int, int] = OUTPUT_TOKENS
    note: str = ""
    listed: bool = False

    def choose(self, load: Load) -> tuple[Route | None, Limit | None, str]:
        """Return the first route that can carry a request, or None, the limit that it broke last, and how on each."""
        broken = []
        for route in self.routes:
            limit = route.broken_limit(load)
            if limit is None:
                return route, None, ""
            broken.append((route.name, limit))
        # A route of another modality says nothing about the size of the request.
        limits = [limit for _, limit in broken if limit.most] or [Limit("modality")]
        return None, limits[-1], "; ".join(f"{name}: {_how(limit, load)}" for name, limit in broken)


def _how(limit: Limit, load: Load) -> str:
    """Return by how much a request breaks a limit; of its tokens only the least number is known."""
    if not limit.most:
        return f"takes no {load.modality}"
    return f"at least {limit.words}" if limit.name == "tokens" else limit.words


def load_of(model: Model, modality: str, n_pages: int, n_bytes: int, text: int, text_bytes: int) -> Load:
    """Return what a request weighs.

    ``n_pages`` and ``n_bytes`` are of its page images or PDFs before base64, 0 for markdown; ``text`` and
    ``text_bytes`` are the characters and UTF-8 bytes of all its text.
    """
    a_page = {"image": model.image_tokens, "pdf": model.pdf_page_tokens}.get(modality, (0, 0))
    return Load(
        modality=modality,
        n_images=n_pages if modality == "image" else 0,
        n_pdf_pages=n_pages if modality == "pdf" else 0,
        n_bytes=-(-n_bytes // 3) * 4 + text_bytes,
        tokens=(text // CHARS_PER_TOKEN + n_pages * a_page[0], text_bytes // BYTES_PER_TOKEN + n_pages * a_page[1]),
    )


# --- Files ----------------------------------------------------------------------------------------------------------


def _refuse(where: str, problem: str) -> ModelsFileError:
    return ModelsFileError(f"{where}: {redact(problem)}")


_RANGE: Final = "two whole numbers, the lesser first"
_KINDS: Final[Mapping[str, tuple[type, str]]] = {
    "name": (str, "a text"),
    "provider": (str, "a text"),
    "label": (str, "a text"),
    "model": (str, "a text"),
    "prompt": (str, "a text"),
    "parser": (str, "a text"),
    "api_base": (str, "a text"),
    "api_version": (str, "a text"),
    "base_model": (str, "a text"),
    "key": (str, "a text"),
    "note": (str, "a text"),
    "image_detail": (str, "a text"),
    "needs": (list, "a list of texts"),
    "modalities": (list, "a list of texts"),
    "waive": (list, "a list of texts"),
    "max_images": (int, "a whole number"),
    "max_pdf_pages": (int, "a whole number"),
    "max_bytes": (int, "a whole number"),
    "max_tokens_in": (int, "a whole number"),
    "image_tokens": (list, _RANGE),
    "pdf_page_tokens": (list, _RANGE),
    "output_tokens": (list, _RANGE),
    "structured_output": (bool, "true or false"),
    "comparable": (bool, "true or false"),
    "parameters": (dict, "a table"),
    "judge_parameters": (dict, "a table"),
    "price": (dict, "a table"),
    "extra": (dict, "a table"),
    "headers": (dict, "a table"),
    "route": (list, "tables [[model.route]]"),
}
_ROUTE_KEYS: Final = {
    *(
        "provider",
        "api_base",
        "label",
        "api_version",
        "base_model",
        "key",
        "headers",
        "needs",
        "modalities",
        "max_images",
    ),
    *("max_pdf_pages", "max_bytes", "max_tokens_in", "price", "structured_output", "extra", "comparable", "note"),
}
_MODEL_KEYS: Final = {
    *("name", "route", "parameters", "judge_parameters", "waive", "image_detail", "image_tokens"),
    *("pdf_page_tokens", "output_tokens", "note"),
}


def _checked(where: str, entry: object, known: set[str], needed: str) -> dict[str, Any]:
    """Return an entry whose keys are known and whose values have their kind; lists become tuples."""
    if not isinstance(entry, dict):
        raise _refuse(where, f"{entry!r} is not a table")
    if unknown := sorted(entry.keys() - known):
        raise _refuse(where, f"unknown key {unknown[0]!r}: take some of {', '.join(sorted(known))}")
    if needed not in entry:
        raise _refuse(where, f"{needed} is missing")
    values: dict[str, Any] = {}
    for name, value in entry.items():
        kind, said = _KINDS[name]
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise _refuse(where, f"{name} = {value!r} has to be {said}")
        if isinstance(value, int) and not isinstance(value, bool) and value < 1:
            raise _refuse(where, f"{name} = {value} has to be above 0: leave it out where there is no limit")
        if isinstance(value, list) and name != "route":
            _check_list(where, name, value, said)
        values[name] = tuple(value) if isinstance(value, list) else value
    _refuse_secrets(where, values)
    return values


def _check_list(where: str, name: str, value: Sequence[object], said: str) -> None:
    if said == _RANGE:
        whole = [item for item in value if isinstance(item, int) and not isinstance(item, bool) and item >= 0]
        if len(value) != 2 or len(whole) != 2 or whole[0] > whole[1]:
            raise _refuse(where, f"{name} = {value!r} has to be {said}")
    elif not all(isinstance(item, str) for item in value):
        raise _refuse(where, f"{name} = {value!r} has to be {said}")


def _price(where: str, entry: Mapping[str, Any]) -> Price:
    known = ("input", "output", "cached", "read", "source", "above", "above_times")
    if unknown := sorted(entry.keys() - set(known)):
        raise _refuse(where, f"unknown key {unknown[0]!r} in price: take some of {', '.join(known)}")
    for name in ("input", "output", "cached", "above", "above_times"):
        value = entry.get(name, None if name in ("input", "output") else 0.0)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < float("inf"):
            raise _refuse(where, f"price.{name} = {value!r} has to be US dollars per million tokens")
    if "read" not in entry:
        raise _refuse(where, "price.read is missing: the date on which the price was read")
    cached = entry.get("cached")
    return Price(
        input=float(entry["input"]),
        output=float(entry["output"]),
        read=str(entry["read"]),
        source=str(entry.get("source", "")),
        cached=None if cached is None else float(cached),
        above=int(entry.get("above", 0)),
        above_times=float(entry.get("above_times", 1.0)),
    )


def _check_address(what: str, address: str) -> None:
    """Refuse an address that holds a key anywhere; the message does not repeat it.

    Raises:
        ModelsFileError: naming the place of the address in ``what``.
    """
    try:
        parts = urlsplit(address)
        # A port that is none is told only when it is asked for.
        is_plain = parts.port != 0 and all(each.isprintable() and not each.isspace() for each in address)
    except ValueError:
        is_plain = False
    if not is_plain:
        raise ModelsFileError(f"{what} is no address: write one such as http://127.0.0.1:8000/v1")
    plain = unquote(unquote(address))
    secret = any(mark in plain for mark in "?#;=") or "@" in unquote(unquote(parts.netloc or address))
    if secret or credentials(plain) or any(without_keys(each) != each for each in (address, plain)):
        raise ModelsFileError(
            f"{what} holds credentials, or a query, fragment or parameter that may be some: put the key into the "
            "environment and name its variable with key in a models file"
        )
    if address and not (parts.scheme in ("http", "https") and parts.netloc):
        raise ModelsFileError(f"{what} = {redact(address)!r} has to begin with http:// or https://")


def check_addresses(given: Mapping[str, object]) -> None:
    """Refuse an address given by hand, under the name of its option, by the rule that holds in a models file.

    Raises:
        ModelsFileError: it holds credentials, or is no address.
    """
    for name, address in given.items():
        if isinstance(address, str):
            _check_address(name, address)


def _refuse_secrets(where: str, values: Mapping[str, Any]) -> None:
    """Refuse an entry that holds a key: what stands in a models file is stored with every row and handed on."""
    nested = ("parameters", "judge_parameters", "extra")
    found = secret_in({name: values[name] for name in values if name in nested})
    # Of the entry's own keys, key and headers name variables and the address has a check of its own.
    names = (*nested, "key", "headers", "needs", "api_base", "route")
    own = {name: value for name, value in values.items() if name not in names}
    if found := found or (secret_in(list(own.values())) and "one of its values"):
        raise _refuse(
            where,
            f"{found} looks like a key: put it into the environment and name its variable with key or headers in "
            "[[model.route]]",
        )


def _route(where: str, entry: object) -> Route:
    values = _checked(where, entry, _ROUTE_KEYS, "provider")
    where = f"{where} ({values['provider']})"
    headers = values.get("headers", {})
    for name in (values.get("key", ""), *values.get("needs", ()), *headers.values()):
        if name and not (isinstance(name, str) and _VARIABLE.fullmatch(name)):
            # The value is not repeated: it may be a key.
            raise _refuse(
                where, "key, headers and needs name environment variables, such as MY_SERVER_KEY, and hold no key"
            )
    if headers and not values.get("api_base"):
        raise _refuse(where, "headers are sent to the route's own address alone: give it an api_base")
    if wrong := [name for name in headers if not _HEADER.fullmatch(name)]:
        raise _refuse(where, f"headers: {wrong[0]!r} is no name of a header")
    _check_address(f"{where}: api_base", values.get("api_base", ""))
    if unknown := [name for name in values.get("modalities", ()) if name not in MODALITIES]:
        raise _refuse(where, f"modality {unknown[0]!r} is unknown: take some of {', '.join(MODALITIES)}")
    if "price" in values:
        values["price"] = _price(where, values["price"])
    return Route(**values, listed=True)


def _model(where: str, entry: object) -> Model:
    values = _checked(where, entry, _MODEL_KEYS, "name")
    where = f"{where} ({values['name']})"
    routes = tuple(
        _route(f"{where}, route {number}", each) for number, each in enumerate(values.pop("route", ()), start=1)
    )
    if not routes:
        raise _refuse(where, "it has no [[model.route]]")
    names = [route.name for route in routes]
    if repeated := next((name for name in names if names.count(name) > 1), ""):
        raise _refuse(where, f"two routes are {repeated!r}: give one of them a label of its own")
    if values["name"].startswith("local/"):
        raise _refuse(where, "names that begin with local/ are the embedded models'")
    return Model(**values, routes=routes, listed=True)


@dataclass(frozen=True)
class JudgeEntry:
    """One ``[[judge]]`` of a models file: ``prompt`` is a prompt's name or text, ``parser`` a parser's name."""

    name: str
    model: str
    prompt: str = "muddle"
    parser: str = "json"
    parameters: Mapping[str, Any] | None = None
    note: str = ""


def _judge(where: str, entry: object) -> JudgeEntry:
    values = _checked(where, entry, {"name", "model", "prompt", "parser", "parameters", "note"}, "name")
    if "model" not in values:
        raise _refuse(f"{where} ({values['name']})", "model is missing: the name of the model that judges")
    return JudgeEntry(**values)


def _named(path: Path, kind: str, entries: Sequence[Any]) -> dict[str, Any]:
    names = [entry.name for entry in entries]
    if repeated := next((name for name in names if names.count(name) > 1), ""):
        raise _refuse(str(path), f"two {kind}s are named {repeated!r}")
    return dict(zip(names, entries, strict=True))


@functools.cache
def _read(path: Path, _changed: float) -> tuple[dict[str, Model], dict[str, JudgeEntry]]:
    try:
        data = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ModelsFileError(f"{path} is not TOML: {error}") from None
    if unknown := sorted(data.keys() - {"model", "judge"}):
        raise _refuse(str(path), f"unknown table {unknown[0]!r}: it takes [[model]] and [[judge]]")
    entries = {kind: data.get(kind, []) for kind in ("model", "judge")}
    for kind, listed in entries.items():
        if not isinstance(listed, list):
            raise _refuse(str(path), f"{kind} is one table: write [[{kind}]] with two brackets")
    models = [_model(f"{path}, model {number}", entry) for number, entry in enumerate(entries["model"], start=1)]
    judges = [_judge(f"{path}, judge {number}", entry) for number, entry in enumerate(entries["judge"], start=1)]
    return _named(path, "model", models), _named(path, "judge", judges)


def _files(models_file: str) -> list[tuple[dict[str, Model], dict[str, JudgeEntry]]]:
    found = []
    for path in (project_root() / "data" / "models.toml", resolve(models_file) if models_file else None):
        if path is None:
            continue
        try:
            changed = path.stat().st_mtime
        except OSError:
            raise ModelsFileError(f"{path} is missing: give a file with --models-file, or leave it out") from None
        found.append(_read(path, changed))
    return found


def read_models(models_file: str = "") -> dict[str, Model]:
    """Return the models of ``data/models.toml`` by name, with those of the user's own file in their place.

    Raises:
        ModelsFileError: a file is missing or an entry cannot be used.
    """
    return {name: model for models, _ in _files(models_file) for name, model in models.items()}


def read_judges(models_file: str = "") -> dict[str, JudgeEntry]:
    """Return the judges of the same files by name.

    Raises:
        ModelsFileError: a file is missing or an entry cannot be used.
    """
    return {name: judge for _, judges in _files(models_file) for name, judge in judges.items()}


def find_model(name: str, models_file: str = "", api_base: str = "") -> Model:
    """Return the model of this name from the files, or else one with a single route: its litellm name as it stands.

    Raises:
        ModelsFileError: a file cannot be used, or ``api_base`` holds credentials or is given for a model whose routes a
            file lists.
    """
    check_addresses({"api_base": api_base})
    if name.startswith("local/"):
        return Model(name, (Route(name, price=Price(0.0, 0.0, "always")),))
    listed = read_models(models_file).get(name)
    if listed is None or (api_base and not models_file):
        # An address given by hand means that server, whatever the kit's own file says of a model of that name.
        return Model(name, (Route(name, api_base),), {"max_tokens": MAX_TOKENS})
    if api_base:
        raise ModelsFileError(
            f"--api-base {api_base} and the routes that a models file lists for {name!r} exclude each other: write "
            "api_base into the file"
        )
    return listed
