"""Read the corpus from its plain sources: a Markdown file a document, a file of questions a family.

``data/README.md`` tells the format. A document is read to the blocks of ``layout``; nothing is set here.
"""

import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

from data.demo.build import layout
from data.demo.build.layout import Block, DemoDocument, DemoQuestion, Style

SOURCES: Final = Path(__file__).resolve().parents[1] / "sources"
ALIGNMENTS: Final = {(False, False): "", (True, False): "l", (True, True): "c", (False, True): "r"}
BY: Final = "\u2014 "
NUMBER: Final = r"\d+\. "

Run = list[tuple[int, str]]
Options = dict[str, Any]


class SourceError(Exception):
    """A source cannot be read; the message names the file, inside a document the line, and what is wrong there."""


def read_plan() -> dict[str, dict[str, Any]]:
    """Return the families in the order of the corpus, each with its ``document_type`` and its ``documents`` in order.

    Raises:
        SourceError: the list cannot be read, or a family lists other documents than its folder holds.
    """
    path = SOURCES / "corpus.toml"
    plan = _toml(path)
    for family, entry in plan.items():
        if set(entry) != {"document_type", "documents"}:
            raise SourceError(f"{path}: {family} has to have document_type and documents, and nothing else")
        found = {source.stem for source in (SOURCES / family).glob("*.md")}
        if odd := sorted(found.symmetric_difference(entry["documents"])):
            raise SourceError(f"{path}: {odd} must stand both in the list of {family} and in its folder")
    return plan


def read_questions(path: Path) -> list[DemoQuestion]:
    """Return the questions of a family, a list answer as a JSON list.

    Raises:
        SourceError: the file cannot be read, or a field of a question is missing or unknown.
    """
    made = []
    for row in _toml(path).get("question", []):
        if isinstance(row.get("answer"), list):
            row["answer"] = json.dumps(row["answer"], ensure_ascii=False)
        if not isinstance(row.get("answer"), str):
            raise SourceError(f"{path}: {row.get('question_id')}: answer has to be a text in quotes or a list of them")
        try:
            made.append(DemoQuestion(**row))
        except TypeError as error:
            raise SourceError(f"{path}: {row.get('question_id')}: {error}") from None
    return made


def read_document(path: Path, document_type: str) -> DemoDocument:
    """Return the document of a Markdown file; its family is the name of the folder.

    Raises:
        SourceError: the head, a block or a character cannot be read.
    """
    text = _text(path)
    try:
        text.encode("cp1252")
    except UnicodeEncodeError as error:
        line, glyph = text.count("\n", 0, error.start) + 1, text[error.start]
        raise SourceError(f"{path}, line {line}: the PDF's fonts have no {glyph!r}; use a cp1252 character") from None
    try:
        _, front, body = text.split("+++\n", 2)
        fields = tomllib.loads(front)
        style = Style(**fields.pop("style", {}))
        story = _story(enumerate(body.split("\n"), start=front.count("\n") + 3))
        return DemoDocument(f"{path.stem}.pdf", document_type, path.parent.name, style, story, **fields)
    except SourceError as error:
        raise SourceError(f"{path}, {error}") from None
    except (TypeError, ValueError) as error:
        raise SourceError(f"{path}: the head, TOML between two lines of +++, cannot be read: {error}") from None


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, ValueError) as error:
        raise SourceError(f"{path}: {error}") from None


def _toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(_text(path))
    except ValueError as error:
        raise SourceError(f"{path}: {error}") from None


# --- blocks ----------------------------------------------------------------------------------------------------------


def _story(lines: Iterable[tuple[int, str]]) -> list[Block]:
    made: list[Block] = []
    for run in _runs(lines):
        try:
            made += _blocks(run)
        except (TypeError, ValueError) as error:
            raise SourceError(f"line {run[0][0]}: {error}") from None
    return made


def _runs(lines: Iterable[tuple[int, str]]) -> Iterator[Run]:
    """Yield the lines between blank lines; ``:::name`` to its ``:::`` is one run, blank lines and all."""
    run: Run = []
    depth = 0
    for number, line in lines:
        if line.startswith(":::"):
            depth += -1 if line.rstrip() == ":::" else 1
            if depth < 0:
                raise SourceError(f"line {number}: this ::: ends nothing")
        if line.strip() or depth:
            run.append((number, line.rstrip()))
        elif run:
            yield run
            run = []
    if depth:
        raise SourceError(f"line {run[0][0]}: this block has no ::: at its end")
    if run:
        yield run


def _blocks(run: Run) -> list[Block]:
    options: Options = {}
    if run[0][1].startswith("{"):
        options, run = tomllib.loads(f"options = {run[0][1]}")["options"], run[1:]
    if not run:
        raise ValueError("options stand on the line above their block, with no blank line between")
    return next(read(run, options) for start, read in KINDS.items() if re.match(start, run[0][1]))


def _fence(run: Run, options: Options) -> list[Block]:
    if run[-1][1] != ":::":
        raise ValueError("a blank line has to follow the ::: at the end")
    return _named(FENCES, run[0][1][3:])(run[1:-1], options)


def _leaf(run: Run, options: Options) -> list[Block]:
    name, _, value = _only(run)[2:].partition(" ")
    given = [tomllib.loads(f"value = {value}")["value"]] if value else []
    return [_named(LEAVES, name)(*given, **options)]


def _named(known: dict[str, Callable[..., Any]], name: str) -> Callable[..., Any]:
    if name not in known:
        raise ValueError(f"no block is called {name!r}; there are {', '.join(known)}")
    return known[name]


def _only(run: Run) -> str:
    if len(run) > 1:
        raise ValueError("a blank line has to follow this line")
    return run[0][1]


def _heading(run: Run, options: Options) -> list[Block]:
    found = re.fullmatch(r"(#{1,3}) (.+)", _only(run))
    if not found:
        raise ValueError("a heading is #, ## or ###, a space and its text")
    return [layout.heading(found[2], level=len(found[1]), **options)]


def _quote(run: Run, options: Options) -> list[Block]:
    lines = [text.removeprefix(">").strip() for _, text in run]
    who = lines.pop().removeprefix(BY) if lines[-1].startswith(BY) else ""
    return [layout.quote(" ".join(lines), who, **options)]


def _list(mark: str, run: Run, options: Options) -> list[Block]:
    items: list[str] = []
    for _, text in run:
        if found := re.match(mark, text):
            items.append(text[found.end() :])
        elif text.startswith("  "):
            items[-1] += text
        else:
            raise ValueError(f"{text[:30]!r} is no item of this list: indent it, or put a blank line before it")
    if mark == NUMBER:
        options = {"start": int(run[0][1].split(".")[0])} | options
    return [LISTS[mark](items, **options)]


def _paragraph(run: Run, options: Options) -> list[Block]:
    for _, text in run[1:]:
        if any(start and re.match(start, text) for start in KINDS):
            raise ValueError(f"{text[:30]!r} begins another block: put a blank line before it")
    return [layout.para(_joined(run).removeprefix("\\"), **options)]


def _joined(run: Run) -> str:
    return " ".join(text for _, text in run)


def _table(run: Run, options: Options) -> list[Block]:
    head, rule, *rows = _cells(run)
    align = [ALIGNMENTS[cell[0] == ":", cell[-1] == ":"] for cell in rule]
    if any(head):
        return [layout.table([head, *rows], align=align, **options)]
    return [layout.table(rows, header=False, align=align, **options)]


def _cells(run: Run) -> list[list[str]]:
    """Return the cells of a pipe table: the header, the rule under it, the rows."""
    cells = [[cell.strip() for cell in text.removeprefix("|").removesuffix("|").split("|")] for _, text in run]
    if len(cells) < 3 or not all(re.fullmatch(":?-+:?", cell) for cell in cells[1]):
        raise ValueError("a table is a header, a rule such as | --- | --: |, and at least one row")
    for (number, _), row in zip(run, cells, strict=True):
        if len(row) != len(cells[0]):
            raise SourceError(f"line {number}: {len(row)} cells, where the table's first row has {len(cells[0])}")
    return cells


def _chart(block: Callable[..., Block], run: Run, options: Options) -> list[Block]:
    head, _, *rows = _cells(run)
    series = {name: [_number(row[i]) for row in rows] for i, name in enumerate(head) if i}
    return [block([row[0] for row in rows], series, **options)]


def _number(text: str) -> float:
    return int(text) if text.isdigit() else float(text)


def _fields(block: Callable[..., Block], run: Run, options: Options) -> list[Block]:
    return [block(**tomllib.loads("\n".join(text for _, text in run)), **options)]


def _columns(run: Run, options: Options) -> list[Block]:
    left, right = (_story(column[1:-1]) for column in _runs(run))
    return [layout.side_by_side(left, right, **options)]


LISTS: Final[dict[str, Callable[..., Block]]] = {
    r"[-*+] ": layout.bullets,
    NUMBER: layout.numbered,
    r"[a-z]\. ": layout.lettered,
}
LEAVES: Final[dict[str, Callable[..., Block]]] = {
    "page-break": layout.page_break,
    "one-column": layout.one_column,
    "two-column": layout.two_column,
    "bare-page": layout.bare_page,
    "page-labels": layout.page_labels,
    "contents": layout.contents,
    "need": layout.need,
    "space": layout.space,
}
FENCES: Final[dict[str, Callable[[Run, Options], list[Block]]]] = {
    "cover": partial(_fields, layout.cover),
    "title": partial(_fields, layout.big_title),
    "title-block": lambda run, options: [layout.title_block(_story(run), **options)],
    "note": lambda run, options: [layout.note(_joined(part), **options) for part in _runs(run)],
    "box": lambda run, options: [layout.box([_joined(part) for part in _runs(run)], **options)],
    "bar-chart": partial(_chart, layout.bar_chart),
    "line-chart": partial(_chart, layout.line_chart),
    "columns": _columns,
}
# How the first line of a block tells its kind; the first that matches is taken.
KINDS: Final[dict[str, Callable[[Run, Options], list[Block]]]] = {
    r":::": _fence,
    r"::": _leaf,
    r"#": _heading,
    r"\|": _table,
    r">": _quote,
    r"---$": lambda run, options: [layout.rule(**options)],
    **{mark: partial(_list, mark) for mark in LISTS},
    r"": _paragraph,
}
