"""The embedded judge ``local/rules``: does a reply say the same as a reference, by numbers, names and words?

Sealed: this face is all that the rest of the house uses of it. It may import its siblings in ``scoring`` and ``study``.
It knows few synonyms and little of the world, reads nothing but the texts it is given, and never asks anybody.
"""

from muddle_utils.scoring.rule_judge.judge import (
    RULES_VERSION,
    EquivalenceVerdict,
    RuleVerdict,
    equivalent_by_rules,
    judge_by_rules,
)
from muddle_utils.scoring.rule_judge.members import members_of

__all__ = ["RULES_VERSION", "EquivalenceVerdict", "RuleVerdict", "equivalent_by_rules", "judge_by_rules", "members_of"]
