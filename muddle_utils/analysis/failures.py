"""What went wrong: failed and flipped questions, and how they are counted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import pandas as pd

from muddle_utils.analysis.frames import join
from muddle_utils.study.errors import MuddleError
from muddle_utils.study.records import ANSWER_FORMATS, CONDITIONS

LONGEST_ANSWER: Final = 30
# The outcomes and statuses that a row which is not right can have.
FAILURES: Final = ("wrong", "unjudged", "refused", "failed", "not_run", "infeasible", "lost")


class ExplorerError(MuddleError, ValueError):
    """A request that the explorer cannot meet; the message names the parameter and the mend."""


# --- Failures and flips -----------------------------------------------------------------------------------------


def _outcome(frame: pd.DataFrame) -> pd.Series[Any]:
    """Return right, wrong or unjudged for an answered row, else its status."""
    correct = frame["correct"].fillna(value=False).astype("bool")
    outcome = frame["status"].mask(frame["answered"], "unjudged")
    return outcome.mask(frame["judged"] & correct, "right").mask(frame["judged"] & ~correct, "wrong")


def with_control(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the long frame with ``outcome`` and, from the same question's control cell, text, outcome and reasoning.

    ``outcome`` is ``right``, ``wrong``, ``unjudged``, or the status of a row without an answer. The control columns
    are empty where the control was not asked.
    """
    frame = frame.assign(outcome=_outcome(frame))
    keys = ["question_id", "model", "modality"]
    control = frame.loc[frame["condition"].eq("control"), [*keys, "text", "outcome", "reasoning"]]
    control = control.rename(columns={name: f"control_{name}" for name in ("text", "outcome", "reasoning")})
    joined = join(frame, control, keys, "m:1")
    names = ["control_text", "control_outcome", "control_reasoning"]
    joined[names] = joined[names].fillna("")
    return joined


def _chosen(
    frame: pd.DataFrame, parameter: str, column: str, value: str | None, known: Sequence[str] = ()
) -> pd.DataFrame:
    """Return the rows with a value, which may be none for a value that is ``known``."""
    if value is None:
        return frame
    if value not in {*frame[column], *known}:
        present = ", ".join(sorted({*frame[column], *known})) or "nothing, the frame has no rows"
        raise ExplorerError(f"{parameter} = {value!r} is in no row; there is {present}")
    return frame[frame[column].eq(value)]


def list_failures(
    frame: pd.DataFrame,
    condition: str | None = None,
    document_type: str | None = None,
    answer_format: str | None = None,
    status: str | None = None,
) -> pd.DataFrame:
    """Return every row that is not right: wrong answers, unjudged answers, and questions without an answer.

    Each filter takes one value, and may leave no row; None takes all. ``status`` is an outcome (``wrong``,
    ``unjudged``) or the status of a row (``failed``, ``lost``). The columns are those of ``with_control``.

    Raises:
        ExplorerError: a filter's value is in no row of the frame and none that a row could have; the message lists
            those that are.
    """
    everything = with_control(frame)
    of_row = status is not None and status in set(everything["status"])
    filters = (
        ("status", "status" if of_row else "outcome", status, FAILURES),
        ("condition", "condition", condition, CONDITIONS),
        ("document_type", "document_type", document_type, ()),
        ("answer_format", "answer_format", answer_format, ANSWER_FORMATS),
    )
    chosen = everything[everything["outcome"].ne("right")]
    for parameter, column, value, known in filters:
        # What is known is asked of all rows: no failure of a kind is an answer, too.
        fitting = _chosen(everything, parameter, column, value, known).index
        chosen = chosen[chosen.index.isin(fitting)]
    return chosen.reset_index(drop=True)


def arm_to_look_into(frame: pd.DataFrame, condition: str = "") -> str:
    """Return the given condition, or else ``hn-4`` or the first arm that was asked; empty where none was.

    Raises:
        ExplorerError: the given condition is no arm.
    """
    arms = [name for name in CONDITIONS if name != "control"]
    if condition and condition not in arms:
        raise ExplorerError(f"condition = {condition!r} is no arm: take one of {', '.join(arms)}, or none")
    asked = [name for name in frame["condition"].unique() if name in arms]
    return condition or next((name for name in ("hn-4", *asked) if name in asked), "")


def flips(frame: pd.DataFrame, arm: str) -> pd.DataFrame:
    """Return the rows of condition ``arm`` that are wrong where the same model's control answer is right.

    Raises:
        ExplorerError: the arm is the control, or no condition.
    """
    if arm == "control":
        raise ExplorerError("arm = 'control': a flip goes from the control to another condition")
    chosen = list_failures(frame, condition=arm)
    return chosen[chosen["control_outcome"].eq("right") & chosen["outcome"].eq("wrong")].reset_index(drop=True)


def flip_counts(frame: pd.DataFrame) -> pd.DataFrame:
    """Return, by model, modality and arm, how the questions judged in both control and arm went.

    ``kept`` are right in both, ``lost`` right in the control only, ``gained`` right in the arm only, ``never`` in
    neither; together they are ``n_pairs``.
    """
    both = with_control(frame)
    judged = both["outcome"].isin(("right", "wrong")) & both["control_outcome"].isin(("right", "wrong"))
    both = both[both["condition"].ne("control")].assign(pair=judged)
    counts = {
        "n_pairs": both["pair"],
        "kept": both["pair"] & both["control_outcome"].eq("right") & both["outcome"].eq("right"),
        "lost": both["pair"] & both["control_outcome"].eq("right") & both["outcome"].eq("wrong"),
        "gained": both["pair"] & both["control_outcome"].eq("wrong") & both["outcome"].eq("right"),
        "never": both["pair"] & both["control_outcome"].eq("wrong") & both["outcome"].eq("wrong"),
    }
    keys = ["model", "modality", "condition"]
    table = both[keys].assign(**counts).groupby(keys, sort=False)[list(counts)].sum()
    return table.astype("Int64").reset_index()
