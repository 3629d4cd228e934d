"""Yes or no: which of the two a reply says, by its first word or by what it says about the question."""

import re
from typing import Final

from muddle_utils.scoring.abstention import is_abstention
from muddle_utils.scoring.numbers import numbers_in, plain_digits
from muddle_utils.scoring.phrases import folded
from muddle_utils.scoring.reply_text import conclusions, sentences_of
from muddle_utils.scoring.rule_judge.lexicon import FUNCTION_WORDS, canonical
from muddle_utils.scoring.rule_judge.words import Facts, clauses_of, facts_of, opposites_shared, words_of
from muddle_utils.scoring.squad import normalise_answer

_YES: Final = (
    "yes|yeah|yep|true|ja|jawohl|oui|si|sim|da|hai|correct|indeed|certainly|definitely|absolutely|affirmative|of course"
    "|right|exactly|はい|是|是的|对|有|可以|네|예|да|tak|kylla|igen"
)
_NO: Final = (
    "no|nope|nay|false|nein|non|nao|nee|nej|nie|incorrect|wrong|negative|not at all|by no means|certainly not"
    "|definitely not"
    "|absolutely not|of course not|never|いいえ|不|不是|否|没有|아니요|нет|nem|ei"
    "|on the contrary|untrue|not true|not correct"
)
_OPENING: Final = re.compile(
    rf"(?:(?P<no>{_NO})|(?P<yes>{_YES}))"
    r"(?=$|\s*[.,;:!()\-\u2014、。，]|\s+(?:it|they|he|she|we|there|this|that|these|those|the|because|as|since|both|all"
    r"|in|on|at|according"
    r"|according to|but|only|not|i|you|per|see|both|table|figure|page)\b)"
)
_STATED: Final = re.compile(
    rf"\b(?:answer|response|conclusion|verdict|value|statement|claim|it)(?: to [^.]{{0,40}})?(?: is| would be|:| "
    rf"remains| must be)?:? \"?(?P<word>{_NO}|{_YES})\b(?! (?:longer|more|one))",
    re.I,
)
_BOTH: Final = re.compile(
    r"\b(?:yes and no|yes or no|both yes and no|yes\W{1,3}no\b|no\W{1,3}yes\b|partly yes|yes in (?:part|some)|it "
    r"depends|maybe|perhaps|possibly"
    r"|yes\b.{0,60}\bbut (?:also )?no\b|no\b.{0,60}\bbut (?:also )?yes\b|could be either|either way|ja und nein|oui "
    r"et non|partially|unclear|not (?:sure|clear)"
    r"|to some extent|in a way|yes\b[^.]{0,40}\bor\b[^.]{0,10}\bno\b)",
    re.I,
)
_ALL: Final = re.compile(r"\b(?:both|all|every|each|everybody|everyone|always|entire|whole|any)\b", re.I)
_SOME: Final = re.compile(
    r"\b(?:only|not (?:all|both|every|each|always)|some (?:of|do|did|are|were|have)|except|apart from|but not|just "
    r"one|neither|none|no one|nobody"
    r"|merely|nor|all but)\b",
    re.I,
)
_THRESHOLD: Final = re.compile(
    r"\b(?P<how>more|greater|larger|higher|over|above|exceed\w*|at least|less|fewer|smaller|lower|under|below|at "
    r"most)\b"
    r"(?: than)? ",
    re.I,
)
# "The report does not say" leaves a question open, unless what the report says is the question.
_SILENT: Final = re.compile(
    r"\b(?:documents?|reports?|texts?|pages?|papers?|sources?|files?|brochure|it|they|this|that) (?:do|does|did|is"
    r"|are|was|were)(?: not|n't)"
    r" (?:\w+ly )?(?:say|state|stated|mention|mentioned|tell|specif\w+|indicate\w*|disclose\w*|reveal\w*|clear"
    r"|address\w*|known)\b"
    r"|\b(?:not answerable|cannot be (?:answered|determined)|no information)\b",
    re.I,
)
_ASKS_WHETHER_SAID: Final = re.compile(
    r"\b(?:say|state|mention|tell|specify|indicate|disclose|reveal|address|give|contain|answer|known)\w*\b", re.I
)
_PRONOUNS: Final = frozenset("it they he she we this that these those there you one".split())
_AUXILIARIES: Final = re.compile(
    r"^(?:it|they|he|she|we|this|that|these|those|there|you|the \w+|\w+) (?P<aux>does|do|did|is|are|was|were|has"
    r"|have|can|could|will|would|may|must|should)"
    r"(?P<not>n't| not)?(?= so\b|\s*$|[.,;])",
    re.I,
)


def polarity_of_reference(reference: str) -> str:
    """Return "yes" or "no" if that is what a reference is or opens with ("No, it was rejected"), or an empty text."""
    plain = normalise_answer(reference)
    match = re.match(r"(yes|no|true|false)(?=$|[,.;:!]|\s*[-(\u2014])", plain)
    return {"yes": "yes", "true": "yes"}.get(match[1], "no") if match else ""


def _side(match: re.Match[str]) -> str:
    return "no" if match["no"] else "yes"


def _comparison_turned(question: str, sentence: str) -> bool:
    """Return whether a comparison names its two things in the other order: "B is smaller than A" for "is A larger"."""
    asked, said = words_of(question).tokens, words_of(sentence).tokens
    if "than" not in asked or "than" not in said:
        return False
    after_asked = [t for t in asked[asked.index("than") + 1 :] if t not in FUNCTION_WORDS]
    before_said = said[: said.index("than")]
    after_said = said[said.index("than") + 1 :]
    told_apart = [t for t in after_asked if t not in asked[: asked.index("than")]]
    return bool(told_apart) and all(t in before_said and t not in after_said for t in told_apart)


def _threshold(question: str, sentence: str) -> str:
    """Return what the one number of a reply says to a question whether something exceeds a limit."""
    plain, match = plain_digits(question), _THRESHOLD.search(plain_digits(question))
    if match is None:
        return ""
    limits = [n for n in numbers_in(plain) if n.start >= match.end() - 2]
    asked = {n.value for n in numbers_in(plain)}
    given = [n for n in numbers_in(sentence) if n.value not in asked and not n.is_year]
    if len(limits) != 1 or len(given) != 1:
        return ""
    how = match["how"].lower()
    wants_more = how.startswith(("more", "great", "larg", "high", "over", "above", "exceed", "at least"))
    equal = given[0].value == limits[0].value
    more = given[0].value > limits[0].value or (equal and how == "at least")
    less = given[0].value < limits[0].value or (equal and how == "at most")
    return "yes" if (more if wants_more else less) else "no"


def relative_sign(asked: Facts, said: Facts) -> int:
    """Return +1 if a statement says what the question asks, -1 if the opposite, by shared opposites and negation."""
    sign = -1 if asked.negated != said.negated else 1
    for name in opposites_shared(asked, said):
        sign *= said.signs[name] * asked.signs[name]
    return sign


def _about(question: str, clause: str) -> bool:
    """Return whether a clause is about the question: it takes up half of its content, or stands for it by a pronoun."""
    asked = [name for name in facts_of(question).signs if name not in FUNCTION_WORDS]
    said = facts_of(clause).signs
    shared = sum(name in said for name in asked)
    first = words_of(clause).tokens[:1]
    pronoun = bool(first) and first[0] in _PRONOUNS and shared >= 1
    return bool(asked) and (shared >= 0.5 * len(asked) or shared >= 2 or pronoun)


def _by_statement(question: str, sentence: str) -> str:
    """Return the side that a sentence without yes or no takes, or an empty text."""
    plain = canonical(sentence)
    short = _AUXILIARIES.match(plain)
    if _ALL.search(question) and _SOME.search(plain):
        return "no"
    if " than " in question and re.search(
        r"\b(?:the same|equal(?:ly)?|identical|no difference|as (?:much|many|high|large))\b", plain, re.I
    ):
        return "no"
    grows = "±increase" in facts_of(question).signs
    if grows and re.search(
        r"\b(?:the same|unchanged|constant|no change|stable|stagnat\w*|did not change|flat)\b", plain, re.I
    ):
        return "no"
    if _ALL.search(question) and any(facts_of(clause).negated for clause in clauses_of(sentence)):
        return "no"
    if short:
        negated = bool(short["not"]) or plain.lower().startswith(("neither", "none", "nobody"))
        return "no" if negated else "yes"
    if decided := _threshold(question, sentence):
        return decided
    clauses = [clause for clause in clauses_of(sentence) if _about(question, clause)] or [sentence]
    told = [clause for clause in clauses if _about(question, clause)]
    if not told:
        return ""
    # Where several clauses speak of the matter, one with an opposite or a negation says more than one without.
    asked = facts_of(question)
    signs = [
        relative_sign(asked, facts_of(clause)) * (-1 if _comparison_turned(question, clause) else 1) for clause in told
    ]
    return "no" if min(signs) < 0 else "yes"


def _takes_back(question: str, rest: str) -> bool:
    """Return whether the first clause after a "yes" denies what is asked: "Yes, the target was not met"."""
    first = clauses_of(rest)[:1]
    if not first or not _about(question, first[0]):
        return False
    return relative_sign(facts_of(question), facts_of(first[0])) < 0 and not _comparison_turned(question, first[0])


def polarity_of(question: str, prediction: str) -> str:
    """Return "yes" or "no" as a reply answers the question, or an empty text if it says neither or both.

    >>> polarity_of("Did the council approve the plan?", "The council rejected it.")
    'no'
    """
    plain = folded(normalise_answer(prediction))
    opening = _OPENING.match(plain)
    if _BOTH.search(plain) and not (
        opening and len(plain.split()) > 8 and not re.match(r"(?:yes|no)\W+(?:and|or|but)\b", plain)
    ):
        return ""
    if opening:
        # "Yes. ... No." commits to neither.
        later = re.search(
            rf"(?:^|[.;!?,]\s*)(?:{'no' if opening['yes'] else 'yes'})(?=$|[.,;!])", plain[opening.end() :]
        )
        rest = prediction.strip()[opening.end() :] if len(plain) == len(prediction.strip(" .!*_\"'`")) else ""
        denied = bool(opening["yes"]) and len(facts_of(question).signs) > 0 and _takes_back(question, rest)
        return "" if later or denied else _side(opening)
    if re.fullmatch(
        r"(?:unfortunately|sadly|regrettably|apparently|probably|i think|it seems|i am afraid|i'm afraid)?[, "
        r"]*not\b[^.;]{0,20}",
        plain,
    ):
        return "no"
    if closing := re.search(
        r"(?:^|[\s,])(?:(?P<no>no|nein|non)|(?P<yes>yes|ja|oui))$", plain if len(plain.split()) <= 6 else ""
    ):
        return _side(closing)
    if stated := list(_STATED.finditer(plain)):
        return "yes" if re.fullmatch(_YES, stated[-1]["word"]) else "no"
    if is_abstention(prediction) or (_SILENT.search(plain) and not _ASKS_WHETHER_SAID.search(question)):
        return ""
    for part in (*conclusions(prediction), prediction):
        found = [side for sentence in sentences_of(part) if (side := _by_statement(question, sentence))]
        if found:
            return found[-1] if len(set(found)) == 1 or part != prediction else found[0]
    return ""
