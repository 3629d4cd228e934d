"""The paper's published numbers, read and set beside a study's.

The files are ``data/published/*.csv``. What their numbers imply by themselves is worked out in ``implied``.
"""

from __future__ import annotations

import csv
import hashlib
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import numpy as np
import pandas as pd

from muddle_utils.analysis.frames import TablesError, as_records, places, refuse_duplicates
from muddle_utils.analysis.tables import ARM
from muddle_utils.study.paths import project_root
from muddle_utils.study.records import CONDITIONS, MODALITIES
from muddle_utils.study.rows import file_sha256

# To how many decimals the paper prints shares and p-values.
DIGITS: Final = 3


# --- The files ----------------------------------------------------------------------------------------------------


def read_file(name: str, texts: Sequence[str], numbers: Sequence[str] = (), shares: Sequence[str] = ()) -> pd.DataFrame:
    """Return the named columns of a published file: texts, numbers, and shares, of which an empty one is NaN.

    Raises:
        TablesError: the file or a column is missing, or a value is no number, or no share as the paper prints it; the
            message names the file and the line. Or two rows have the same texts, which are their keys.
    """
    path = project_root() / "data" / "published" / name
    if not path.is_file():
        raise TablesError(f"{path} is missing: run from a checkout of the repository, which holds it")
    wanted = [*texts, *numbers, *shares]
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        header = reader.fieldnames or []
        if missing := [column for column in wanted if column not in header]:
            raise TablesError(f"{path} has no column {', '.join(missing)}: restore the file")
        rows: list[dict[str, object]] = []
        for row in reader:
            where = f"{path}, line {reader.line_num}"
            if None in row or None in row.values():
                raise TablesError(f"{where} has not the {len(header)} values of its header: restore the file")
            read: dict[str, object] = {column: _number(row[column], column, where) for column in numbers}
            read |= {column: _share(row[column], column, where) if row[column] else math.nan for column in shares}
            rows.append({column: row[column] for column in texts} | read)
    frame = pd.DataFrame(rows, columns=wanted)
    if texts:
        refuse_duplicates(frame, list(texts), f"rows of data/published/{name}")
    return frame


def _number(text: str, column: str, where: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise TablesError(f"{where}: {column} is {text!r}, which is no number: restore the file")
    return value


def _share(text: str, column: str, where: str) -> float:
    value = _number(text, column, where)
    if not 0 <= value <= 1 or abs(value - round(value, DIGITS)) > 1e-9:
        raise TablesError(f"{where}: {column} is {text!r}, which is no share of {DIGITS} decimals: restore the file")
    return value


def published_table_1() -> pd.DataFrame:
    """Return Table 1 as the paper prints it, one row for each model, modality and condition that has a value.

    Raises:
        TablesError: the file is missing, or damaged; the message names the line.
    """
    wide = read_file("table_1_judge_accuracy.csv", ["model", "condition"], shares=MODALITIES)
    tidy = wide.melt(["model", "condition"], list(MODALITIES), "modality", "published").dropna(subset="published")
    return tidy[[*ARM, "published"]].reset_index(drop=True)


def read_statements() -> dict[tuple[str, str], float]:
    """Return the numbers of the paper's text by (quantity, model).

    Raises:
        TablesError: the file is missing or damaged.
    """
    frame = read_file("statements.csv", ["quantity", "model"], ["value"])
    return {(row["quantity"], row["model"]): row["value"] for row in as_records(frame)}


def read_total(quantity: str) -> int:
    """Return a whole number that the paper states of the study, such as its questions.

    Raises:
        TablesError: the file is missing or damaged, or states no such number.
    """
    value = read_statements().get((quantity, ""))
    if value is None or value < 1 or value != int(value):
        raise TablesError(
            f"data/published/statements.csv has no row {quantity!r} with a whole number: restore the file"
        )
    return int(value)


# --- Where they come from ---


def origin_of_files(about: Mapping[str, str], folder: str = "data/published") -> dict[str, str]:
    """Return the origin of a table that is computed from files of the repository and from no row of a study.

    It has the study, command and date of ``about``, by which it was made, and instead of the digest of a study's rows
    ``source``, the files, and ``source_digest``: of one CSV file its SHA-256, of several that of the lines which
    ``sha256sum`` prints for them in order of their names.

    Args:
        about: as ``frames.origin_of`` returns it.
        folder: where the files are, in the repository; all its CSV files count.

    Raises:
        TablesError: the folder holds no CSV file.
    """
    root = project_root()
    files = sorted((root / folder).glob("*.csv"))
    if not files:
        raise TablesError(f"{root / folder} holds no CSV file: run from a checkout of the repository, which has them")
    digests = [file_sha256(file) for file in files]
    lines = (f"{digest}  {folder}/{file.name}\n" for digest, file in zip(digests, files, strict=True))
    whole = digests[0] if len(files) == 1 else hashlib.sha256("".join(lines).encode()).hexdigest()
    source = f"{folder}/{files[0].name if len(files) == 1 else '*.csv'}"
    return {key: value for key, value in about.items() if key != "digest"} | {"source": source, "source_digest": whole}


# --- Beside a study -----------------------------------------------------------------------------------------------


def _bare(model: str) -> str:
    """Return a model's name without the provider's prefix: ``azure/gpt-5-mini`` is the paper's ``gpt-5-mini``."""
    return model.rsplit("/", 1)[-1]


def published_statement(models: Iterable[str]) -> str:
    """Return a plain sentence on which of the study's models are the paper's, and what the others may show."""
    published = set(published_table_1()["model"])
    models = list(dict.fromkeys(models))
    foreign = [model for model in models if _bare(model) not in published]
    shared = [model for model in models if _bare(model) in published]
    sentences = []
    if shared:
        sentences.append(f"{', '.join(shared)} {_is(shared)} in the paper; its values stand beside this study's.")
    if foreign:
        sentences.append(
            f"{', '.join(foreign)} {_is(foreign)} not one of the paper's models: the published values are printed for "
            "orientation, and agreement or disagreement with them means nothing."
        )
    if "local/reader" in foreign:
        sentences.append(
            "local/reader is a lexical reader for running the pipeline; it supports no finding about language models."
        )
    return " ".join(sentences)


def _is(names: Sequence[str]) -> str:
    return "is" if len(names) == 1 else "are each"


def compare_published(table: pd.DataFrame) -> pd.DataFrame:
    """Return ``table_1`` beside the paper's Table 1.

    A model of the study that the paper ran has both values and their difference (measured minus published). Every
    other row has one of them and says so in ``remark``, which keeps that of ``table_1``.
    """
    keys = ["model", "modality", "condition"]
    published = published_table_1()
    measured = table.assign(study_model=table["model"], model=table["model"].map(_bare))
    refuse_duplicates(measured, keys, "rows of table_1 (one model by two routes?)")
    both = measured.merge(published, on=keys, how="outer", validate="1:1")
    own = both["study_model"].notna()
    ours = both["model"].isin(set(published["model"]))
    remark = pd.Series("", index=both.index, dtype="str")
    remark = remark.mask(~own, "published only: not run in this study")
    remark = remark.mask(own & ~ours, "not one of the paper's models")
    remark = remark.mask(own & ours & both["published"].isna(), "not run in the paper")
    shown = both["remark"].fillna("")
    remark = remark + np.where(remark.ne("") & shown.ne(""), "; ", "") + shown
    both = both.assign(
        model=both["study_model"].fillna(both["model"]),
        measured=both["accuracy"],
        difference=both["accuracy"] - both["published"],
        remark=remark,
        not_applicable=both["not_applicable"].fillna(""),
        method=both["method"].fillna(""),
        second_method=both["second_method"].fillna(""),
    )
    order = pd.DataFrame(
        {
            "own": ~own,
            "model": places(both["model"], [*table["model"], *published["model"]]),
            "modality": places(both["modality"], MODALITIES),
            "condition": places(both["condition"], CONDITIONS),
        }
    ).sort_values(["own", "model", "modality", "condition"], kind="stable")
    columns = [*keys, "published", "measured", "low", "high", "difference", "n_judged", "n_documents", "remark"]
    chosen = both.loc[order.index, [*columns, "not_applicable", "method", "second_method"]].reset_index(drop=True)
    return chosen.astype({name: "Float64" for name in ("published", "measured", "low", "high", "difference")})


def published_payloads() -> str:
    """Return a sentence on the share of requests that are too large in the paper, to stand beside this study's.

    The note gives that share by size of the context; weighed by the conditions of each size, the parts must add up to
    the whole within rounding, and the sentence says whether they do.

    Raises:
        TablesError: the file of published statements is missing or lacks this one.
    """
    statements = read_file("statements.csv", ["quantity", "model", "note"], ["value"])
    found = statements[statements["quantity"].eq("share of all cells whose payload exceeds 15 MB")]
    if len(found) != 1:
        raise TablesError("data/published/statements.csv lacks the share of cells over 15 MB: restore the file")
    share, note = float(found["value"].iloc[0]), str(found["note"].iloc[0])
    return f"In the paper {100 * share:.1f} % of all cells were over 15 MB ({note}){_weighed(share, note)}."


def _weighed(share: float, note: str) -> str:
    """Return what the parts of a share that a note gives in whole percents add up to, empty if it gives none."""
    sizes = Counter(int(k) for k in read_file("table_2_conditions.csv", [], ["k"])["k"])
    parts = {int(k or 0): int(percent) for percent, k in re.findall(r"(\d+) % (?:of control|at k=(\d+))", note)}
    if set(parts) != set(sizes):
        return ""
    whole = sum(parts[k] * n for k, n in sizes.items()) / sizes.total()
    within = "within" if abs(100 * share - whole) <= 0.5 + 0.05 else "not within"
    return f", which weighed by the conditions is {whole:.1f} %, {within} rounding of the whole"


# --- Methods ------------------------------------------------------------------------------------------------------


def read_calibration() -> pd.DataFrame:
    """Return how often each test rejects what is true and each interval holds it, in the cached simulated studies.

    ``value`` is a type I error, a power or a coverage, as ``quantity`` says, with its Monte-Carlo standard error.
    ``benchmarks/calibration.py`` makes the file anew.

    Raises:
        TablesError: the file is missing or is no such table.
    """
    path = project_root() / "data" / "calibration" / "calibration.csv"
    columns = (
        "scenario effect quantity what procedure n_studies n_not_applicable value mc_error verdict n_documents".split()
    )
    try:
        table = pd.read_csv(path, keep_default_na=False, na_values={"value": "", "mc_error": ""})
        # A column named method would be taken for a note on how intervals were made.
        return table.rename(columns={"method": "procedure"})[columns].convert_dtypes()
    except (OSError, ValueError, KeyError) as error:
        raise TablesError(f"{path} cannot be read ({error}): restore it, or run benchmarks/calibration.py") from None
