"""The datasheet of a bundle: what it holds, how it was made, whose it is, what it cannot tell, what its columns mean.

Everything is counted from rows, or taken from ``data/README.md``; nothing is remembered. The same study gives the same
text.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from muddle_utils.figures.writers import markdown_table
from muddle_utils.runs.executed import BESIDE, Executed
from muddle_utils.runs.release import provenance
from muddle_utils.runs.release.provenance import Prompt, texts
from muddle_utils.runs.settings import Parameters, command_of
from muddle_utils.runs.stored import told
from muddle_utils.study.paths import Study, project_root
from muddle_utils.study.records import Document, Question, Rendering

# Whose the questions are, by annotation.
_ANNOTATIONS: Final = {
    "demo": "written for the demo corpus, CC0-1.0",
    "v1": "MMLongBench-Doc, Apache-2.0",
    "v2": "MMLongBench-Doc-V2, Apache-2.0",
    "own": "from a questions file of the study's makers, who say whose they are",
}
# In a bundle these fields mean something else than in a study's folder.
_PLACES: Final = {
    (Document, "path"): "empty: the PDFs are not in the bundle",
    (Rendering, "path"): "for markdown the file below the bundle, if it is there; else empty",
}


@dataclass(frozen=True)
class Contents:
    """What a bundle says of itself, for programs; all fields but ``format`` and ``documents`` are by name.

    ``notebooks`` are the parameters of each analysis notebook, without places; ``rows`` is how many rows each row file
    has, ``documents`` whether the documents' text is there, ``versions`` and ``code`` what the kit was when it wrote
    this, ``doubts`` why making the tables again may give others.
    """

    format: int
    study: str
    studies: tuple[str, ...]
    notebooks: Mapping[str, Parameters]
    rows: Mapping[str, int]
    documents: bool
    versions: Mapping[str, str]
    code: Mapping[str, str]
    doubts: tuple[str, ...]


# --- The command ----------------------------------------------------------------------------------------------------


def run_command(study: str, notebooks: Sequence[Executed]) -> str:
    """Return the command that runs a study like this one, from what its notebooks were executed with.

    Folders of the machine, the pace and the budget are left out; a parameter at its default is not named.
    """
    own = [each for each in notebooks if BESIDE not in each.name]
    return command_of(told(Study(study), own), public=True)


# --- The dictionary -------------------------------------------------------------------------------------------------


def meanings(dictionary: str) -> dict[str, dict[str, str]]:
    """Return what ``data/README.md`` says of every field, by record type and field."""
    found: dict[str, dict[str, str]] = {}
    for part in re.split(r"^#{2,3} ", dictionary, flags=re.MULTILINE)[1:]:
        heading, _, body = part.partition("\n")
        if match := re.search(r"\(`(\w+)`\)$", heading):
            rows = re.findall(r"^\| `(\w+)` \| [^|]+ \| (.+) \|$", body, flags=re.MULTILINE)
            found[match[1]] = dict(rows)
    return found


def _sections(dictionary: str, titles: Sequence[str]) -> str:
    """Return sections of ``data/README.md`` with these titles, one heading lower."""
    parts = re.split(r"^(?=## )", dictionary, flags=re.MULTILINE)
    chosen = [part for part in parts for title in titles if part.startswith(f"## {title}\n")]
    lowered = re.sub(r"^#", "##", "".join(chosen), flags=re.MULTILINE)
    return re.sub(r"\[([^\]]+)\]\(#[^)]*\)", r"\1", lowered).strip()


def _columns(kinds: Mapping[type, tuple[Sequence[str], Any]], dictionary: str) -> str:
    """Return a table of columns for each record type of the bundle, under the names of its files."""
    said = meanings(dictionary)
    parts = []
    for kind, (names, schema) in kinds.items():
        lines = ["| column | Parquet type | meaning |", "| --- | --- | --- |"]
        for field in schema:
            meaning = _PLACES.get((kind, field.name)) or said.get(kind.__name__, {}).get(field.name, "")
            null = " or null" if field.nullable else ""
            lines.append(f"| `{field.name}` | {_type(field.type)}{null} | {meaning} |")
        heading = ", ".join(f"`{name}`" for name in names)
        parts.append(f"### {heading}\n\n" + "\n".join(lines))
    return "\n\n".join(parts)


def _type(arrow: object) -> str:
    text = str(arrow)
    return f"list of {text.partition(': ')[2].split()[0].rstrip('>')}" if text.startswith("list") else text


# --- The text -------------------------------------------------------------------------------------------------------


def _prompt(prompt: Prompt) -> str:
    """Return a prompt in a fence longer than any in it."""
    fence = "`" * max(3, 1 + max(map(len, re.findall(r"`+", prompt.text)), default=0))
    doubt = f"\n\n{prompt.doubt[0].upper()}{prompt.doubt[1:]}." if prompt.doubt else ""
    body = f"\n\n{fence}\n{prompt.text.rstrip()}\n{fence}" if prompt.text else ""
    return f"### {prompt.title}{doubt}{body}"


def _rights(documents: Sequence[Document], questions: Sequence[Question], with_documents: bool) -> str:
    licences = Counter((row.licence or "not known", row.role) for row in documents)
    table = texts(((licence, role, n) for (licence, role), n in licences.items()), ("Licence", "Role", "Documents"))
    lines = [
        "The markdown in `markdown/` is the documents' own text, and each document keeps its owner's rights: a bundle "
        "gives none of them away. Before you hand it on, see that you may, or export it with `--without-documents`."
        if with_documents
        else "The documents' text is not in this bundle. Quotations of it are: evidence spans, answers, what leaked.",
        markdown_table(table, "Documents by licence", ()).rstrip(),
    ]
    annotations = Counter(row.annotation for row in questions)
    lines += [
        f"- {n:,} questions: {_ANNOTATIONS.get(name, f'annotation {name}' if name else 'origin not recorded')}."
        for name, n in annotations.items()
    ]
    lines.append("- Models' replies and judges' verdicts: their providers' terms may say what they may be used for.")
    return "\n\n".join(lines[:2]) + "\n\n" + "\n".join(lines[2:])


def _limits(contents: Contents, rows: provenance.Rows) -> str:
    """Return the known limits as a list; what could not be read or may come out otherwise stands first."""
    lines = [*contents.doubts, *rows.problems]
    if not contents.documents:
        lines.append(
            "without the documents' text, `origins` and `placebo` (where wrong answers stand) cannot be made again"
        )
    if any(model == "local/reader" for model in {row.model for row in rows.responses}):
        lines.append("`local/reader` is a lexical program: its answers show the kit and nothing of language models")
    lines += [
        "models' replies are not repeatable: asked again, a model may answer otherwise. What can be repeated is all "
        "that is computed from the stored replies",
        "a verdict is one judge's reading, and no judge is always right: see the counts",
        "failed, refused and cut replies are rows with their reason and count as no answer; nothing is filled in",
        "the same bytes need the same versions (`requirements.lock`) and the same kind of processor: another numeric "
        "library may round the last digit otherwise",
    ]
    return "\n".join(f"- {line[0].upper()}{line[1:].rstrip('.')}." for line in lines)


def _what(contents: Contents, items: Mapping[str, Mapping[str, Any]], rows: provenance.Rows) -> str:
    others = [name for name in contents.studies if name != contents.study]
    beside = f", and the rows of {', '.join(others)}, which its tables are set beside" if others else ""
    dates = [row.time[:10] for row in rows.attempts if row.time[:10]]
    span = " to ".join(dict.fromkeys((min(dates), max(dates)))) if dates else ""
    when = f" Answers were stored {'from' if ' to ' in span else 'on'} {span}." if span else " No answer is stored yet."
    return (
        f"Everything that the study `{contents.study}` holds{beside}: questions in conditions, what was asked, every "
        f"answer and verdict, and {len(items):,} tables and figures made of them.{when} Made by muddle-utils "
        f"{contents.versions.get('muddle-utils', '')}, a kit that asks one question over one document with topical or "
        "random distractors beside it, and compares."
    )


_FILES: Final = """\
| place | what |
| --- | --- |
| `rows/<study>/*.parquet` | rows with typed columns; read these with `pandas.read_parquet` |
| `rows/<study>/*.jsonl` | the same rows as JSON, one a line, UTF-8; keep texts such as `None` and `007` as they are |
| `markdown/` | the documents as markdown, as models were sent them |
| `figures/` | every table and figure, and `manifest.json` with captions, notes, origins and digests |
| `bundle.json` | what `muddle replay` goes by: parameters of the notebooks, versions, digests of the code |
| `requirements.lock` | the versions of all packages, with hashes |
| `SHA256SUMS` | SHA-256 of every other file |

Superseded answers and verdicts are there, too: a row `superseded` says that what stands before it for its key no longer
counts. Of the rest, the answered (judged) row counts, or else the last."""
_REPLAY: Final = """\
```sh
sha256sum -c SHA256SUMS          # in this folder: is every file as it was?
muddle replay FOLDER             # in the kit: make every table and figure again, and compare byte for byte
```

Nothing is asked and nothing is downloaded. `muddle replay` writes to `figures/replay/` unless told otherwise, says
which files differ, and ends with exit code 1 if any does."""


def datasheet(
    contents: Contents,
    rows: provenance.Rows,
    items: Mapping[str, Mapping[str, Any]],
    kinds: Mapping[type, tuple[Sequence[str], Any]],
) -> str:
    """Return the datasheet of a bundle as Markdown.

    Args:
        contents: what the bundle says of itself.
        rows: the study's rows.
        items: tables and figures by name, as their manifest has them.
        kinds: by record type, its row files by their names without ending, and its Parquet schema.
    """
    dictionary = (project_root() / "data" / "README.md").read_text(encoding="utf-8")
    counted = texts(contents.rows.items(), ("Row file", "Rows"))
    made = markdown_table(provenance.notebook_parameters(rows), "Parameters of the executed notebooks", ())
    tables = {
        "What became of the requests": provenance.answer_counts(rows),
        "What became of the answers at each judge": provenance.verdict_counts(rows),
        "Exclusions by reason": provenance.exclusion_counts(rows),
        "Models as the servers named them": provenance.served_models(rows),
        "Parameters asked for and sent": provenance.asked_parameters(rows),
        "Tokens and US dollars": provenance.spending(rows),
        "Judges": provenance.judges_used(rows),
        "Versions when answers were stored": provenance.recorded_versions(rows),
    }
    counts = "\n\n".join(
        markdown_table(table, title, ()).rstrip() if len(table) else f"**{title}**\n\nNone."
        for title, table in tables.items()
    )
    prompts = [*provenance.model_prompts(rows), *provenance.judge_prompts(rows)]
    captions = texts(((name, item.get("caption", "")) for name, item in sorted(items.items())), ("Name", "Caption"))
    parts = {
        "": f"# Study {contents.study}\n\n{_what(contents, items, rows)}",
        "Files": f"{_FILES}\n\n{markdown_table(counted, 'Rows by file', ()).rstrip()}",
        "Replay": _REPLAY,
        "How it was made": f"```sh\n{run_command(contents.study, rows.notebooks)}\n```\n\n{made.rstrip()}",
        "Counts": counts,
        "Prompts": "\n\n".join(map(_prompt, prompts)) or "Nobody was asked yet.",
        "Rights": _rights(rows.documents, rows.questions, contents.documents),
        "Known limits": _limits(contents, rows),
        "Tables and figures": markdown_table(captions, "Tables and figures by name", ()).rstrip(),
        "Columns of the rows": _columns(kinds, dictionary),
        "Vocabularies, and columns of the tables": _sections(
            dictionary, ("Closed vocabularies", "A study's tables and figures")
        ),
    }
    return "\n\n".join(f"## {title}\n\n{text}" if title else text for title, text in parts.items()) + "\n"
