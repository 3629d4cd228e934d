"""What codes and columns are called in print, and how single values and plain tables are written."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from muddle_utils.study.records import CONDITIONS, condition_of

if TYPE_CHECKING:
    import pandas as pd

# --- Accuracy ---------------------------------------------------------------------------------------------------


def or_none(rows: pd.DataFrame, reason: str) -> pd.DataFrame:
    """Return rows for reading, or in place of an empty frame a line that says why it is."""
    import pandas as pd

    return rows if len(rows) else pd.DataFrame({"none": [reason]})


KIND_NAMES: Final = {"none": "Control", "hard_negative": "HN", "random": "Random"}
CONDITION_NAMES: Final = {
    name: f"{KIND_NAMES[condition.kind]}-{condition.k}" if condition.k else KIND_NAMES[condition.kind]
    for name, condition in zip(CONDITIONS, map(condition_of, CONDITIONS), strict=True)
}
MODALITY_NAMES: Final = {"markdown": "Markdown", "image": "Image", "pdf": "PDF"}
HEADINGS: Final = {
    "model": "Model",
    "modality": "Modality",
    "condition": "Condition",
    "distractor_type": "Distractor type",
    "k": "k (added docs)",
    "purpose": "Purpose",
    "judge": "Judge",
    "f1": "F1",
    "em": "EM",
    "n": "n",
    "p": "p",
    "icc": "ICC",
    "se_between_run": "SE between runs",
    "se_between_question": "SE between questions",
    "agreement_low": "Agreement, 95 % low",
    "agreement_high": "Agreement, 95 % high",
    "largest_excess": "Largest, times its limit",
    "largest": "The largest in words",
    "clamped": "ICC cut at 0",
    "p_holm": "p (Holm)",
    "p_document": "p (documents)",
    "causes": "Gaps by cause",
    "accuracy": "Accuracy",
    "low_90": "90 % low",
    "high_90": "90 % high",
    "low": "95 % low",
    "high": "95 % high",
    "lowest": "All gaps wrong",
    "highest": "All gaps right",
}


# Columns of words that a program chooses from, with underscores for spaces.
_VOCABULARIES: Final = ("stands_in", "distractor_type", "status")


def heading(column: str) -> str:
    """Return what a column is called in print."""
    if column.startswith("n_"):
        return f"n {column[2:].replace('_', ' ')}"
    return HEADINGS.get(column, column.replace("_", " ").capitalize())


def interval_name(low: str) -> str:
    """Return what an interval is called in print, by the column of its lower end.

    >>> interval_name("low"), interval_name("overall_low"), interval_name("low_90"), interval_name("tokens_low")
    ('95 % interval', '95 % interval', '90 % interval', 'quartiles')
    """
    if low.startswith("tokens"):
        return "quartiles"
    level = low.rpartition("_")[2]
    return f"{level if level.isdecimal() else 95} % interval"


def number_text(value: float, column: str) -> str:
    """Return a number as printed in a column: p-values, sizes, or three decimals."""
    if column in ("p", "mid_p") or column.startswith("p_"):
        return "<0.001" if value < 0.001 else f"{value:.3f}"
    if any(size in column for size in ("chars", "pages", "tokens")):
        return f"{value:,.0f}" if value >= 1000 or value == round(value) else f"{value:,.1f}"
    return _signed(value, "")


def _signed(value: float, sign: str) -> str:
    """Return a number to three decimals with a minus sign, no sign on zero; ``sign`` is ``+`` to show both signs."""
    text = format(value, f"{sign}.3f")
    return text.lstrip("+-") if float(text) == 0 else text.replace("-", "−")


def value_text(value: object, column: str) -> str:
    """Return a value as printed: three decimals, p to three, sizes with thousands separators, missing as a dash."""
    import numpy as np
    import pandas as pd

    if pd.isna(value):  # type: ignore[call-overload]
        return "–"
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if isinstance(value, int | np.integer):
        return f"{value:,}"
    if isinstance(value, float | np.floating):
        return number_text(float(value), column)
    if column in ("condition", "contrast"):
        return contrast_name(str(value))
    if column in _VOCABULARIES:
        return str(value).replace("_", " ")
    return modality_names(str(value)) if column == "modality" else str(value)


def modality_names(text: str) -> str:
    """Return a modality, or several with commas between them, as people write them.

    >>> modality_names("markdown, pdf")
    'Markdown, PDF'
    """
    return ", ".join(MODALITY_NAMES.get(name, name) for name in text.split(", "))


def estimate_text(row: Mapping[str, Any], value: str = "accuracy", sign: str = "") -> str:
    """Return ``0.763 [0.710, 0.812]``, or the value and why it has no interval."""
    import pandas as pd

    if pd.isna(row[value]):
        return f"not applicable: {row['not_applicable']}"
    text = _signed(float(row[value]), sign)
    if pd.isna(row["low"]):
        return f"{text} (interval not applicable: {row['no_interval']})"
    return f"{text} [{_signed(float(row['low']), sign)}, {_signed(float(row['high']), sign)}]"


def contrast_name(text: str) -> str:
    """Return a contrast or condition with the paper's capitals: ``random-2 − hn-2`` becomes ``Random-2 − HN-2``."""
    return re.sub(r"\b(?:control|hn|random|pdf)\b", lambda word: _CAPITALS[word[0]], text)


_CAPITALS: Final = {"control": "Control", "hn": "HN", "random": "Random", "pdf": "PDF"}


# --- For people -----------------------------------------------------------------------------------------------------


def dollars(amount: float) -> str:
    """Return US dollars for people: cents above one dollar, four decimals below it.

    >>> dollars(12.345), dollars(0.01234), dollars(0.0)
    ('$12.35', '$0.0123', '$0')
    """
    if not amount:
        return "$0"
    return f"${amount:,.2f}" if amount >= 1 else f"${amount:.4f}"


def text_table(header: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[str] = ()) -> str:
    """Return a plain text table; the columns named in ``right`` are set flush right.

    >>> print(text_table(["model", "n"], [["a", "7"], ["bc", "12"]], right=["n"]))
    model   n
    a       7
    bc     12
    """
    lines = [list(header), *(list(row) for row in rows)]
    widths = [max(len(line[place]) for line in lines) for place in range(len(header))]
    set_flush = [str.rjust if name in right else str.ljust for name in header]
    return "\n".join(
        "  ".join(flush(cell, width) for flush, cell, width in zip(set_flush, line, widths, strict=True)).rstrip()
        for line in lines
    )
