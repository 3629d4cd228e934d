"""What can go wrong with a request: a closed list of error classes, each with its rule for asking again.

A provider says the same thing in many dialects; ``classify`` reads the type, the status and the wording of an
exception and returns one class. ``redact`` takes out what looks like a key before anybody stores or shows a text.

Nothing here sends or waits.
"""

import base64
import datetime
import email.utils
import functools
import html.entities
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

NOW: Final = "now"
NEXT_RUN: Final = "next run"
STOP: Final = "stops the stage"
NEVER: Final = "only with --refresh"


@dataclass(frozen=True)
class Fault:
    """One error class: the response status it gives, when the request is asked again, and what it means.

    ``again`` is ``now`` (in this run after a wait, and by the next run), ``next run``, ``stops the stage`` (every
    further request would meet it; the next run resumes) or ``only with --refresh`` (asking the same again gives the
    same).
    """

    status: str
    again: str
    meaning: str


FAULTS: Final[Mapping[str, Fault]] = {
    "refused": Fault("refused", NEXT_RUN, "the model declined through the API's own refusal field"),
    "filtered": Fault("refused", NEXT_RUN, "a content filter withheld or cut the answer"),
    "truncated": Fault("failed", NEXT_RUN, "the answer was cut at max_tokens, or reasoning used them up"),
    "empty": Fault("failed", NEXT_RUN, "the reply holds no text"),
    "context_exceeded": Fault("failed", NEVER, "the provider says the request is too long, large or many-paged"),
    "attachment_lost": Fault("failed", STOP, "the reported usage is too small to hold the documents that were sent"),
    "timeout": Fault("failed", NOW, "no reply within the deadline"),
    "rate_limited": Fault("failed", NOW, "too many requests or tokens a minute"),
    "unreadable": Fault("failed", NEXT_RUN, "the request was accepted, and what came back cannot be read as a reply"),
    "server_error": Fault("failed", NOW, "the provider failed"),
    "connection": Fault("failed", NOW, "no connection, or it broke"),
    "bad_request": Fault("failed", NEXT_RUN, "the provider refuses the request as it is"),
    "redirected": Fault("failed", STOP, "the address sends requests on to another, which is never followed"),
    "not_found": Fault("failed", STOP, "the provider knows no such model or deployment"),
    "credentials": Fault("failed", STOP, "the key is missing, wrong or not allowed"),
    "quota": Fault("failed", STOP, "the account has nothing left to spend today"),
}
# Error classes after which asking again in the same run may help; after which the stage stops; that stay as they are.
TRANSIENT: Final = tuple(name for name, fault in FAULTS.items() if fault.again == NOW)
FATAL: Final = tuple(name for name, fault in FAULTS.items() if fault.again == STOP)
LASTING: Final = tuple(name for name, fault in FAULTS.items() if fault.again == NEVER)
# Refused, or never got through, before anything was read or written for it: without a stated cost it has cost nothing,
# unless the provider had accepted it first.
UNPAID: Final = (
    *("bad_request", "connection", "context_exceeded", "credentials", "not_found", "quota", "rate_limited"),
    *("redirected", "server_error"),
)

_BY_TYPE: Final = {
    "ContextWindowExceededError": "context_exceeded",
    "ContentPolicyViolationError": "filtered",
    "AuthenticationError": "credentials",
    "PermissionDeniedError": "credentials",
    "NotFoundError": "not_found",
    "RateLimitError": "rate_limited",
    "Timeout": "timeout",
    # litellm's name for whatever it did not expect, unreadable replies included: a broken connection says so itself.
    "APIConnectionError": "server_error",
    "InternalServerError": "server_error",
    "ServiceUnavailableError": "server_error",
    "BadGatewayError": "server_error",
    "BadRequestError": "bad_request",
    "UnprocessableEntityError": "bad_request",
    "UnsupportedParamsError": "bad_request",
}
_BY_STATUS: Final = {
    400: "bad_request",
    401: "credentials",
    402: "quota",
    403: "credentials",
    404: "not_found",
    408: "timeout",
    413: "context_exceeded",
    422: "bad_request",
    429: "rate_limited",
}
# How providers say that a request is too long, too large, or holds too many images or pages.
_OVERFLOW: Final = re.compile(
    r"context[ _-]?(?:length|window|size)|exceed_context|maximum (?:prompt|input) length|maximum model length"
    r"|prompt is too long|input is too long|input token count|too large for (?:the )?model"
    r"|request(?: entity)?[ _]too[ _]large|payload (?:size )?(?:exceeds|too large)|max_new_tokens`? must be"
    r"|(?:exceed\w*|longer than|over|maximum)[^.]{0,60}\b(?:context|n_ctx)\b|exceed\w* (?:the )?model token limit"
    r"|'body' failed to satisfy constraint|content'?: string too long"
    r"|too many (?:images|pages|tokens(?: in|:))|too much media|number of (?:images|pages)"
    r"|(?:images?|pages?)[^.]{0,40}(?:exceeds?|at most|maximum)"
    r"|(?:maximum|at most|limit of|up to)[^.]{0,20}\d+[^.]{0,10}(?:image|page)"
    r"|image dimensions exceed"
    r"|tokens?[^.]{0,40}exceed(?:s|ed)?[^.]{0,40}(?:maximum|limit)[^.]{0,20}(?:model|allowed)",
)
_FILTER: Final = re.compile(
    r"content[ _](?:management )?(?:policy|filter)|safety system|responsible ?ai|was flagged|flagged as"
    r"|usage (?:guidelines|policy)|inappropriate content|data_inspection_failed|content exists risk"
)
_QUOTA: Final = re.compile(
    r"insufficient[_ ](?:quota|credits?|balance|funds)|(?:exceeded|exhausted|over)[^.]{0,40}quota"
    r"|quota[^.]{0,40}exhaust|credit balance|out of credits|billing|more credits|requires credits"
    r"|\bspend(?:ing)? limit"
)
# Said of the day, it holds whatever is said of the minute beside it.
_PER_DAY: Final = re.compile(r"per[ _-]?day|daily (?:limit|quota)")
_PER_MINUTE: Final = re.compile(r"per[ _-]?minute|\b[rt]pm\b|per[ _-]?second")
# An empty account that comes as a bad request.
_SPENT: Final = re.compile(r"credit balance is too low|billing hard limit|insufficient[_ ](?:quota|credits?|balance)")
_NO_KEY: Final = re.compile(
    r"missing credentials|missing[^.]{0,60}api[_ ]key|api[_ ]key[^.]{0,60}(?:missing|must be set|not set|not found)"
    r"|\b(?:invalid|incorrect|no)\b[^.]{0,10}\b(?:api[_ ]key|token|credentials)\b|api key not valid"
)
_NO_MODEL: Final = re.compile(r"not a valid model|model_not_found|model_decommissioned|has been decommissioned")
# A small server that calls a request it cannot take its own failure.
_NOT_TAKEN: Final = re.compile(r"\b\d+ validation errors?\b|can only concatenate str|has no attribute 'text'")
_CONNECTION: Final = re.compile(
    r"connection (?:error|refused|reset|aborted|closed)|cannot connect|server disconnected|peer closed"
    r"|incomplete (?:chunked )?(?:read|message)|name or service not known|temporary failure in name resolution"
    r"|payload is not completed|response payload|all connection attempts failed|network is unreachable"
)


def words(error: BaseException) -> str:
    """Return what an exception says and the reply behind it, of which litellm may have kept the status alone.

    A traceback inside the text is left out, and so is what a reply repeats of the request: a document may say anything.
    """
    said = str(error).partition("\nTraceback (most recent call last)")[0]
    try:
        body = str(getattr(getattr(error, "response", None), "text", None) or "")[:20_000]
    except RuntimeError:
        # A reply that nobody has read to its end has no text.
        return said
    return (said if body in said else f"{said} {body}").partition('"input":')[0]


def _is_spent(text: str, name: str, status: int | None) -> bool:
    if status == 400:
        return bool(_SPENT.search(text))
    if status not in (402, 403, 429) and name != "RateLimitError":
        return False
    return bool(_PER_DAY.search(text) or (_QUOTA.search(text) and not _PER_MINUTE.search(text)))


def _by_wording(text: str, name: str, status: int | None) -> str:
    """Return the class that an error's own words give, or an empty string."""
    refused = status in (400, 413, 422, 429) or name in ("BadRequestError", "ContextWindowExceededError")
    rules = (
        ("context_exceeded", (refused or status in (None, 500)) and bool(_OVERFLOW.search(text))),
        ("filtered", status in (400, 403, None) and bool(_FILTER.search(text))),
        ("credentials", status not in (404, 429) and bool(_NO_KEY.search(text))),
        ("quota", _is_spent(text, name, status)),
        ("not_found", status == 400 and bool(_NO_MODEL.search(text))),
        ("connection", status in (None, 500) and bool(_CONNECTION.search(text))),
        ("bad_request", status == 500 and bool(_NOT_TAKEN.search(text))),
    )
    return next((kind for kind, holds in rules if holds), "")


def classify(error: BaseException) -> str:
    """Return the error class of an exception from a provider or from litellm: wording first, then status, then type.

    Types alone mislead: litellm raises a server error for a missing key and a rate limit for "request too large".
    """
    name = type(error).__name__
    status = getattr(error, "status_code", None)
    status = status if isinstance(status, int) else None
    # litellm calls a gateway's 504 a timeout, too.
    if isinstance(error, TimeoutError) or (name in ("Timeout", "APITimeoutError") and (status or 0) < 500):
        return "timeout"
    by_type = _BY_TYPE.get(name, "")
    by_type = "server_error" if by_type == "timeout" else by_type
    return (
        _by_wording(words(error).lower(), name, status)
        or (by_type if by_type in ("context_exceeded", "filtered") else "")
        or _BY_STATUS.get(status or 0, "")
        or by_type
        or "server_error"
    )


def retry_after(error: BaseException, now: datetime.datetime | None = None) -> float | None:
    """Return the seconds that the provider asks to wait, or None where it does not say (RFC 9110, section 10.2.3).

    ``Retry-After`` is a number of seconds or an HTTP date; ``retry-after-ms`` is what some providers send beside it.
    """
    headers = getattr(error, "litellm_response_headers", None) or getattr(
        getattr(error, "response", None), "headers", None
    )
    lowered = {str(name).lower(): str(value).strip() for name, value in dict(headers or {}).items()}
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        if re.fullmatch(r"\d+(?:\.\d+)?", value := lowered.get(name, "")):
            return float(value) * unit
    try:
        when = email.utils.parsedate_to_datetime(lowered.get("retry-after", ""))
    except ValueError:
        return None
    when = when if when.tzinfo else when.replace(tzinfo=datetime.UTC)
    return max(0.0, (when - (now or datetime.datetime.now(datetime.UTC))).total_seconds())


# What a key among other things looks like: a bearer header, a query parameter, a provider's prefix.
_SECRET: Final = re.compile(
    r"(?i)(?:(?:bearer|basic)\s+|provided:\s+|//[^\s/:@]*:(?=[^\s/@]+@)"
    r"|(?:api[-_]?key|key|token|secret|password|authorization)[\"']?\s*[=:]\s*[\"']?(?:(?:bearer|basic)\s+)?)"
    r"[\w.\-+/=]{6,}"
    r"|\b(?:sk|pk|xai|gsk|AIza)[-_]?[A-Za-z0-9_\-]{12,}"
)
# What is a key and hardly anything else: the formats that providers issue, and a long value with a digit where only a
# credential stands. Words such as "password: ..." in a manual are none, nor is the user of an anonymous FTP (RFC 1635).
_LONG: Final = r"(?:[\w.~+/-]*?(?=[A-Za-z]*[0-9])[A-Za-z0-9]{16,}[\w.~+/-]*=*|[A-Za-z0-9+/]{30,}={1,2})"
_CREDENTIAL: Final = re.compile(
    r"(?<![A-Za-z0-9])(?:"
    r"(?:sk|pk|rk|xai|gsk|hf|r8|pplx|nvapi|fw|csk|glpat|gh[opsu]|github_pat|do[opr]_v1)[-_]"
    r"(?:[A-Za-z0-9]+[-_]){0,4}(?:(?=[A-Za-z]*[0-9](?:[a-z0-9]*[A-Z]|[A-Za-z]*[0-9])|[a-z]*[A-Z][A-Za-z]*[0-9])[A-Za-z0-9]{16,}|[A-Za-z]{24,})"
    r"[A-Za-z0-9_-]*"
    r"|xox[a-z]-[A-Za-z0-9-]{6,}|ya29\.[A-Za-z0-9_-]{16,}"
    r"|AIza[A-Za-z0-9_-]{30,}|(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])"
    r"|eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*"
    rf"|(?i:bearer|basic)\s+{_LONG}"
    r"|(?i:(?!mailto:)[a-z][a-z0-9+.-]*)://(?!(?i:anonymous|ftp):)[^\s/:@?#\"'<>]*:[^\s/@?#\"'<>]+@"
    r"|(?i:(?:api[-_]?key|access[-_]?token|auth[-_]?token|client[-_]?secret|authorization))[\"']?\s*[=:]\s*[\"']?"
    rf"{_LONG}"
    # Assigned as in a shell or a connection string, the name may be any that says secret.
    r"|(?i:[a-z0-9_-]*(?:[_-]|(?<=[a-z])(?-i:(?=[A-Z])))(?:key|token|secret|passw(?:or)?d|pwd))=[\"']?"
    rf"{_LONG}"
    r")|-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----"
)
# The last word of a name tells what it holds. Some words say a secret; a key or token may also be one of a table or a
# text, unless nothing or a word of access stands before it.
_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_SECRET_WORD: Final = re.compile(
    r"(.*?)(?:(passphrase|passw(?:or)?d|pwd|pass|secret|credential|authorization|bearer|cookie|sig|signature)"
    r"|(?:key|token|auth))(s?)"
)
_OF_ACCESS: Final = ("", "api", "access", "auth", "client", "private", "refresh", "session", "x")
# A part of a text that nobody made up to be read.
_RANDOM: Final = re.compile(r"(?=[A-Za-z]*[0-9])[A-Za-z0-9]{8,}|[A-Za-z]{20,}")
_SECRET_VARIABLE: Final = re.compile(
    r"(?i)(?:^|_)(?:api)?(?:key|token|secret|passw(?:or)?d|credential|auth)s?(?:$|_)|(?:key|token|secret|passw(?:or)?d)s?$"
)
_HEADERS_NAME: Final = re.compile(r"(?i)headers$")
# Variables that a models file says hold a key, whatever their name.
_KEY_VARIABLES: Final[set[str]] = set()
SHORTEST_KEY: Final = 8


def is_key(variable: str) -> None:
    """Take note that an environment variable holds a key, so that its value is kept out of every text."""
    _KEY_VARIABLES.add(variable)


def without_keys(text: str) -> str:
    """Return the text without the values of environment variables whose names look like keys, otherwise as it is.

    The values are taken out as they stand and as URLs, JSON, HTML, base64 and hexadecimal digits spell them, long ones
    also where white space parts them.
    """
    for name, value in os.environ.items():
        if text and len(value) >= SHORTEST_KEY and (name in _KEY_VARIABLES or _SECRET_VARIABLE.search(name)):
            text = _spellings(value).sub("[redacted]", text)
    return text


@functools.lru_cache(maxsize=256)
def _spellings(value: str) -> re.Pattern[str]:
    """Return what finds a value in every spelling; encoders leave letters and digits alone, but for the two last."""
    forms = _broken(map(_spelt, value), value)
    hexadecimal = value.encode().hex()
    return re.compile("|".join([forms, *_base64_forms(value), f"(?i:{hexadecimal})"]))


def _broken(parts: Iterable[str], value: str) -> str:
    """Return the pattern of parts that white space may stand between, as where a line is broken, if a value is long."""
    return (r"(?:\s|\\[nrt])*" if len(value) >= 2 * SHORTEST_KEY else "").join(parts)


def _spelt(character: str) -> str:
    if character.isascii() and character.isalnum():
        return character
    percent = "".join(f"%(?:25)*{byte:02x}" for byte in character.encode())
    number = ord(character)
    names = sorted((name for name, meant in html.entities.html5.items() if meant == character), key=len, reverse=True)
    entities = [re.escape(f"&{name}") for name in names]
    ways = [rf"\\*{re.escape(character)}", percent, rf"\\+u{number:04x}", rf"\\+x{number:02x}", f"&#0*{number};"]
    ways += [f"&#x0*{number:x};", *entities, *([r"\+"] if character == " " else [])]
    return f"(?i:{'|'.join(ways)})"


def credentials(text: str) -> list[str]:
    """Return the parts of a text that are keys by their looks alone.

    That is a provider's own format, a header, an address or a PEM block: few texts that hold no key have such a part.
    """
    found = [each.group() for each in _CREDENTIAL.finditer(text)]
    return [each for each in found if each[:6].lower() != "basic " or _is_basic(each[6:].strip())]


def _is_basic(value: str) -> bool:
    """Return whether a text is a user and a password as HTTP spells them (RFC 7617)."""
    try:
        return b":" in base64.b64decode(value + "=" * (-len(value) % 4))
    except ValueError:
        return False


def secret_in(value: object, name: str = "") -> str:
    """Return the name of the first entry of nested tables and lists that holds a key, by name or looks; else nothing.

    >>> secret_in({"extra": {"api_key": "abc-123"}}), secret_in({"max_tokens": 9, "pad_token": "<pad>"})
    ('extra.api_key', '')
    """
    if isinstance(value, Mapping):
        inner = [(f"{name}.{key}" if name else str(key), each) for key, each in value.items()]
        return next((found for place, each in inner if (found := _secret_entry(place, each))), "")
    if isinstance(value, list | tuple):
        return next((found for each in value if (found := secret_in(each, name))), "")
    return (name or "text") if isinstance(value, str) and (credentials(value) or without_keys(value) != value) else ""


def _secret_entry(name: str, value: object) -> str:
    # A token of a tokeniser stands in brackets and is no secret.
    values = [each for each in (value if isinstance(value, list | tuple) else [value]) if each not in ("", None)]
    texts = [each for each in values if isinstance(each, str) and each[0] not in "<["]
    numbers = [each for each in values if isinstance(each, int | float) and not isinstance(each, bool)]
    kind = _said_secret(name)
    random = [each for each in texts if _RANDOM.search(each)]
    # A number of so many digits counts nothing.
    random += [str(each) for each in numbers if abs(each) >= 10 ** (SHORTEST_KEY - 1) and kind != "several"]
    if (kind == "surely" and (texts or numbers)) or (kind and random):
        return name
    path, _, own = name.rpartition(".")
    if _HEADERS_NAME.search(path.rpartition(".")[2]) and random:
        # What a header's value is, its name need not say.
        return name
    # A name may be the key itself.
    return "a name" if credentials(own) else secret_in(value, name)


def _said_secret(name: str) -> str:
    """Return whether a name says that it holds a secret: ``surely``, ``maybe``, ``several`` (maybe) or not at all."""
    for part in reversed(name.split(".")):
        words = [word.lower() for word in _WORD.findall(part)]
        while words and words[-1] == "value":
            words.pop()
        if words:
            found = _SECRET_WORD.fullmatch(words[-1])
            if found is None:
                return ""
            before = found[1] or ["", *words][-2]
            if (found[2] and not found[1]) or before in _OF_ACCESS:
                return "surely"
            return "several" if found[3] else "maybe"
    return ""


def _base64_forms(value: str) -> list[str]:
    """Return what finds a value in base64 text, in either alphabet, wherever it begins in the encoded bytes."""
    forms = []
    for offset in range(3):
        data = b"\0" * offset + value.encode()
        encoded = base64.b64encode(data).decode()
        # A character at an end may also hold bits of the neighbour: any is taken there, with the padding.
        own = encoded[(0, 2, 3)[offset] : len(data) * 8 // 6]
        if len(own) >= SHORTEST_KEY:
            letters = _broken(({"+": "[+-]", "/": "[/_]"}.get(letter, letter) for letter in own), value)
            before = "[A-Za-z0-9+/_-]" if offset else ""
            after = "[A-Za-z0-9+/_-]={0,2}" if len(data) % 3 else ""
            forms.append(f"{before}{letters}{after}")
    return forms


def storable(text: str) -> str:
    """Return a text that every database and file takes: without halves of characters and without NUL."""
    return text.encode("utf-8", "replace").decode().replace("\0", "\ufffd")


def redact(text: str) -> str:
    """Return the text without anything that is or looks like a key, and without line breaks."""
    return " ".join(_SECRET.sub("[redacted]", without_keys(storable(text))).split())
