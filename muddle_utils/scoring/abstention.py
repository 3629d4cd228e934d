"""Whether a reply declines to answer, by its own words."""

import re
from typing import Final

from muddle_utils.scoring.squad import normalise_answer

# --- Abstention ---------------------------------------------------------------------------------------------------


CONTRACTIONS: Final = (
    (re.compile(r"\b(?:can't|can not)\b"), "cannot"),
    (re.compile(r"\b(do|does|did|is|are|was|were|could|has|have|would|should)n't\b"), r"\1 not"),
    (re.compile(r"\bi'm\b"), "i am"),
)
_PREAMBLE: Final = re.compile(
    r"(?:(?:final )?answer\s*[:=-]\s*|(?:the )?answer is:?\s+|(?:i am (?:very )?)?sorry[,.]?\s+(?:but\s+)?"
    r"|i apologi[sz]e[,.]?\s+(?:but\s+)?|unfortunately,?\s+|(?:based on|according to|judging by|from|in|within)\b"
    r"[^,.]{0,80},\s+|therefore,?\s+|so,?\s+)+"
)
_SOURCE: Final = (
    r"(?:(?:the|this|these|those|any|either|both|all|your|of|provided|given|supplied|attached|available|source|page"
    r"|pdf) )*(?:documents?|texts?|contexts?|reports?|papers?|pages|passages?|excerpts?|materials?|files?|pdfs?|images"
    r"|contents?|sources?)(?: (?:provided|given|supplied|contents?|texts?))*"
)
_END: Final = r"(?=\s*(?:$|[.;:!,()\-]|(?:and|or)\b))"
_WHY: Final = r"(?=\s*(?:$|[.;:!,()\-]|(?:and|as|based|because|by|due|from|given|in|on|or|since|using|with|within)\b))"
_IN_SOURCE: Final = rf"(?: \w+ly| anywhere)? (?:in|from|by|within|using|based on|given|with) {_SOURCE}"
_STATED: Final = (
    r"(?:answerable|mentioned|provided|stated|specified|given|available|found|disclosed|reported|determinable)"
)
_COVERED: Final = (
    r"(?:answerable|mentioned|provided|stated|specified|given|available|found|disclosed|reported|determinable|present"
    r"|included|contained|listed|addressed|covered|discussed|shown|indicated|answered|clear|known)"
)
_WORKED_OUT: Final = (
    r"(?:answered|determined|found|inferred|established|identified|derived|calculated|computed|concluded|ascertained"
    r"|deduced|verified|located)"
)
_ASKED: Final = (
    r"(?:the|this|that|your|such) (?:[a-z]+ ){0,2}(?:question|query|answer|information|details?|figures?|values?|data)"
)
_SAY: Final = (
    r"(?:contain|mention|provide|state|specify|give|include|answer|disclose|report|address|say|list|discuss|indicate"
    r"|show|cover)"
)
_DECLINES: Final = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?:not answerable|unanswerable|cannot answer|no answer(?: (?:is )?(?:found|available|possible))?){_WHY}",
        r"(?:n/a|n\.a|unknown|not applicable)(?=\s*(?:$|[.;:!,(]))",
        rf"not {_STATED}{_END}",
        rf"not {_COVERED}{_IN_SOURCE}{_END}",
        r"(?:not enough|insufficient) (?:information|data|evidence|context|details?)\b",
        rf"{_ASKED} (?:is|are|was|were) (?:not|un)(?: \w+ly)? ?{_STATED}(?:{_IN_SOURCE})?{_END}",
        rf"[^.;!?]{{0,160}} (?:is|are|was|were|has|have) not (?:been )?(?:\w+ly )?{_COVERED}{_IN_SOURCE}{_END}",
        rf"(?:{_ASKED} |it |this )?(?:cannot|could not) be (?:\w+ly )?{_WORKED_OUT}{_WHY}",
        rf"[^.;!?]{{0,160}} (?:cannot|could not) be (?:\w+ly )?{_WORKED_OUT}{_IN_SOURCE}{_END}",
        rf"{_SOURCE} (?:do not|does not|did not|cannot) (?:\w+ly )?{_SAY}\b",
        rf"{_SOURCE} (?:contains?|provides?|gives?|includes?|has|have|makes?) (?:no|insufficient|not enough) (?:\w+ )?"
        r"(?:information|mention|details?|answers?|data)\b",
        rf"(?:none of|nothing in|neither(?: of)?) {_SOURCE}",
        r"there (?:is|are|was|were) (?:no|not enough|insufficient) (?:\w+ )?(?:information|mention|details?|answers?)"
        r"\b",
        r"(?:there (?:is|are|was|were) )?no (?:\w+ )?(?:information|data|evidence|mention|answers?|details?)"
        rf"[^.;!?]{{0,80}}{_IN_SOURCE}",
        r"(?:i|we) (?:\w+ly )?(?:do not|cannot|could not|am unable to|are unable to|was unable to|am not able to) "
        r"(?:find|determine|answer|locate|provide|identify|help|assist|comply|tell|confirm|verify|access|open|read|view)\b",
        r"(?:i|we) (?:\w+ly )?do not know(?=\s*(?:$|[.;:!,]|(?:about|because|based|from|how|if|that|the|this|what|when"
        r"|where|whether|which|who|why)\b))",
        r"(?:i|we) do not have (?:\w+ ){0,2}(?:information|data|access|context|answer)\b",
        r"(?:unable|not able) to (?:find|determine|answer|locate|identify|help|assist)\b",
        rf"(?:(?:i|we) (?:really |honestly )?have )?(?:absolutely )?no (?:idea|clue){_WHY}",
        rf"(?:i|we) (?:am|are) not sure{_WHY}",
    )
)
_COMMITS: Final = re.compile(
    r"\b(?:but|however|although|though|nevertheless|yet)\b.*\b(?:answer (?:is|would be)|probably|likely|perhaps|maybe"
    r"|approximately|guess|estimate|assum\w+|i would say|it is|it was|must be|should be|appears? to be|seems? to be)\b",
    re.DOTALL,
)


def _opening(text: str) -> str:
    """Return ``text`` as the abstention patterns expect it: normalised, contractions opened, preamble gone."""
    plain = normalise_answer(re.sub(r"[*_#`]+", "", text)).lstrip("([{<\"' ")
    for pattern, opened in CONTRACTIONS:
        plain = pattern.sub(opened, plain)
    return plain[match.end() :] if (match := _PREAMBLE.match(plain)) else plain


def is_abstention(text: str) -> bool:
    """Return whether ``text`` declines to answer: the paper's "Not answerable", other wordings, and refusals.

    The text has to open with the declining statement, after at most an apology or "Based on the documents,". Words
    such as "not provided" inside an answer do not count, nor does a text that declines and then commits itself to an
    answer ("..., but it is probably 7"). An empty text is a failure to reply, not an abstention.

    >>> is_abstention("The question is not answerable."), is_abstention("The loan was not provided until 2019")
    (True, False)
    """
    opening = _opening(text)
    for pattern in _DECLINES:
        if match := pattern.match(opening):
            return not _COMMITS.search(opening[match.end() : match.end() + 500])
    return False
