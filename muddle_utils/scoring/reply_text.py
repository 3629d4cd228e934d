"""The answer inside a reply: markup, small talk, working and citations removed, and the last word taken.

Everything here only cuts a text; nothing in it is obeyed.
"""

import bisect
import re
from typing import Final

from muddle_utils.scoring.abstention import is_abstention
from muddle_utils.scoring.lists import list_items
from muddle_utils.scoring.numbers import plain_digits
from muddle_utils.scoring.phrases import folded


def is_blank(text: str) -> bool:
    r"""Return whether nothing of a text can be seen: there are only spaces, and signs without width or shape.

    >>> is_blank(" \u200b\ufeff\n"), is_blank("0")
    (True, False)
    """
    return not any(mark.isprintable() and not mark.isspace() for mark in text)


# --- Markup -------------------------------------------------------------------------------------------------------


_THINKING: Final = re.compile(r"<(think|thinking|reasoning|scratchpad)>.*?(?:</\1>|\Z)", re.DOTALL | re.I)
_THOUGHT: Final = re.compile(r"\A.*</(?:think|thinking|reasoning|scratchpad)>", re.DOTALL | re.I)
_FENCE: Final = re.compile(r"```[\w-]*\n?|```")
_MARKUP: Final = re.compile(r"[*`]+|^\s{0,9}#+\s|^\s{0,9}>\s|(?<!\w)_{1,2}(?=\w)|(?<=\w)_{1,2}(?!\w)", re.MULTILINE)
_JUDGE_REPLY: Final = re.compile(r"\{[^{}]*\"(?:correct|score|reasoning)\"[^{}]*\}")
_LABEL: Final = re.compile(r"\s*(?:the\s+)?(?:final\s+)?(?:answer|result)\s*(?:is\s*:|is\s|:|=)\s*", re.IGNORECASE)
_WHERE: Final = (
    r"(?:documents?|doc\.?|pages?|pp?\.|sections?|sec\.|§|tables?|figures?|fig\.|chapters?|appendix|annex|notes?"
    r"|slides?"
    r"|sources?|paragraphs?|lines?|rows?)"
)
_CITATION: Final = re.compile(
    rf"\[(?:\d{{1,3}}(?:\s*[,;-]\s*(?:\d{{1,3}}|p{{1,2}}\.\s*\d+))*|[^\[\]]{{0,30}}\b{_WHERE}\s*\d[^\[\]]{{0,40}})\]"
    rf"|\((?:see\s+|source:\s*|cf\.\s*|from\s+)?{_WHERE}\s*[\dA-Z][^()]{{0,40}}\)|【[^【】]{{0,60}}】",
    re.I,
)
_LATEX: Final = (
    (re.compile(r"\\[()\[\]]"), ""),
    (re.compile(r"\\[dt]?frac\{([^{}]*)\}\{([^{}]*)\}"), r"\1/\2"),
    (re.compile(r"\\(?:mathbf|mathrm|text|textbf|mathit|operatorname|textit|emph|boldsymbol"
    r"|mbox)\{([^{}]*(?:\{,\}[^{}]*)*)\}"), r"\1"),
    (re.compile(r"\{,\}"), ","),
    (re.compile(r"\^\{?\\circ\}?\s*"), "°"),
    (re.compile(r"\\(?:approx|simeq|sim)\b"), "≈"),
    (re.compile(r"\\times\b|\\cdot\b"), "×"),
    (re.compile(r"\\([%$&#_])"), r"\1"),
    (re.compile(r"\\[,;:! ]"), " "),
)  # fmt: skip
_BOXED: Final = re.compile(r"\\boxed\{((?:[^{}]|\{[^{}]*\})*)\}")


def _without_latex(text: str) -> str:
    if "\\" not in text:
        return text
    # Dollar signs around typeset mathematics are no currency.
    plain = re.sub(r"(?<!\\)\$\$?([^$\n]*\\[a-zA-Z{][^$\n]*)(?<!\\)\$\$?", r"\1", text)
    for pattern, plainly in _LATEX:
        plain = pattern.sub(plainly, plain)
    return plain


def _unquoted(text: str) -> str:
    plain = text.strip()
    if len(plain) > 1 and plain[0] in "\"'\u201c\u2018\u00ab" and plain[-1] in "\"'\u201d\u2019\u00bb":
        return plain[1:-1].strip()
    return plain


_INLINE_TAG: Final = re.compile(
    r"</?(?:a|b|code|em|font|i|mark|small|span|strong|u)(?:\s[^<>=]{1,40}=[^<>]{0,300})?>", re.I
)
_BLOCK_TAG: Final = re.compile(
    r"</?(?:br|div|h[1-6]|li|ol|p|pre|table|tbody|td|th|thead|tr|ul)(?:\s[^<>=]{1,40}=[^<>]{0,300})?\s?/?>", re.I
)


def without_tags(text: str) -> str:
    """Return a text without HTML's everyday tags; those of blocks end a line. "a < b" and "<12" are no tags."""
    return _BLOCK_TAG.sub("\n", _INLINE_TAG.sub("", text)) if "<" in text else text


def _without_thinking(text: str) -> str:
    return without_tags(_THOUGHT.sub("", _THINKING.sub(" ", text))) if "<" in text else text


def stripped(text: str) -> str:
    """Return an answer without thinking, markdown, typesetting, citations, an "Answer:" label, and quotes around it."""
    plain = _without_thinking(text)
    plain = _MARKUP.sub("", _FENCE.sub("\n", plain))
    plain = _without_latex(plain).strip()
    cited = _CITATION.sub(" ", plain).strip()
    # A list of pages looks like citations; where nothing else is said, it is the answer.
    plain = cited if _LABEL.sub("", cited, count=1).strip(" .") else plain
    if label := _LABEL.match(plain):
        plain = plain[label.end() :]
    plain = re.sub(r"[ \t]+(?=[.,;:!?](?:\s|$))", "", _unquoted(plain))
    items = list_items(plain) if plain.startswith("[") and plain.endswith("]") else ()
    return items[0] if len(items) == 1 else plain


def without_verdict(text: str) -> str:
    """Return a text without a judge's reply that it brings along."""
    return _JUDGE_REPLY.sub(" ", text)


# --- Sentences ----------------------------------------------------------------------------------------------------


_ABBREVIATED: Final = re.compile(
    r"(?:\b(?:Dr|Mr|Mrs|Ms|Prof|St|No|Inc|Ltd|Co|Corp|Mt|Jr|Sr|vs|approx|ca|e\.g|i\.e|p|pp|fig|sec|vol|dept|univ|Nr)"
    r"|\b[A-Z]|\b[ap]\.m|\b[A-Z]\.[A-Z])\.$",
    re.I,
)
_SENTENCE_END: Final = re.compile(r"(?<=[.!?])[\"'”’)]*\s+|\n+|(?<=[。！？])")
_CHATTER: Final = re.compile(
    r"(?:sure|certainly|of course|absolutely|thanks?\b|thank you|great|good|excellent|happy to|glad to|hello|hi\b|i "
    r"hope"
    r"|hope this|let me know|feel free|please (?:let|feel|note that i|ask)|if you (?:have|need|would|want)"
    r"|(?:that|this|what) (?:is|was|'s) an? \w+ question|as an ai|i would be happy|do not hesitate|don't hesitate"
    r"|here is|here's|here are)\b[^.!?\n]{0,160}[!.?:]\s*",
    re.I,
)
_STEERING: Final = re.compile(
    r"\b(?:reference answer|the judge|the grader|grader|scor(?:e|ed|ing)\s*[:=]?\s*(?:of\s+)?[01]\b|full (?:marks"
    r"|credit|score)"
    r"|as (?:in)?correct\b|(?:answer|prediction|response) is (?:the same|correct|right|identical|equivalent)"
    r"|ignore (?:all|any|the|previous|your|prior)|instructions?\b.{0,30}\b(?:above|previous|override)|system\s*:"
    r"|assistant\s*:"
    r"|\"correct\"|must (?:output|return|be marked)|you are (?:now|a)\b)",
    re.I,
)


def sentences_of(text: str) -> list[str]:
    """Return the sentences and lines of a text; the dot of an abbreviation or an initial ends none."""
    parts: list[str] = []
    for part in _SENTENCE_END.split(text):
        if parts and _ABBREVIATED.search(parts[-1][-8:]) and not part.startswith(("-", "•")):
            parts[-1] = f"{parts[-1]} {part}"
        elif part.strip():
            parts.append(part.strip())
    return parts


def without_small_talk(text: str) -> str:
    """Return a text without courtesies and sentences about its own grading, unless nothing else is in it."""
    kept = []
    for line in text.split("\n"):
        spoken = sentences_of(line)
        said = [one for one in spoken if not _CHATTER.fullmatch(one) and not _STEERING.search(one)]
        # A line that keeps all its sentences keeps its form, too.
        kept.append(line if len(said) == len(spoken) else " ".join(said))
    plain = "\n".join(line for line in kept if line.strip())
    opening = re.match(r"(?:sure|certainly|of course|absolutely|great question)[,!.]\s+", plain, re.I)
    return (plain[opening.end() :] if opening and len(plain) > opening.end() else plain) or text


# --- The last word ------------------------------------------------------------------------------------------------


_FINAL: Final = re.compile(
    r"(?:(?:\bmy |\bthe )?\b(?:final|short|direct)\s+(?:answer|result)|(?<!reference )(?<!correct )(?<!expected "
    r")\b(?:the |my )?answer|\bmy prediction|^result|^conclusion"
    r"|\bin conclusion|\bin short|\bin summary|####|\bto sum up)(?:\s+to (?:the|this) question)?"
    r"(?:\s*[:=]|,|\s+(?:is|would be|must be|should be|remains)\s*:?(?=\s)|(?<=####))\s*",
    re.I | re.MULTILINE,
)
_CORRECTED: Final = re.compile(
    r"(?:^|[.!?,;\n\u2014-]\s*)(?:wait|actually|correction|no, wait|hold on|scratch that|sorry|on second thought|i "
    r"mean|rather)"
    r"[,:.!\u2014-]+\s*(?:i (?:meant|mean)\s+|that should be\s+|make that\s+|it (?:is|should be)\s+)?",
    re.I,
)
_CONCLUDES: Final = re.compile(
    r"(?:(?:(?:^|[,.;:!?\u2014(-]\s*|\band\s+)so|\b(?:therefore|thus|hence|consequently|accordingly|it follows that"
    r"|that makes|which makes|this makes|this gives"
    r"|which gives|that gives|that leaves|which leaves|leaving|making|giving|which means|this means|that is why|ergo"
    r"|overall"
    r"|adds? up to|add up to|amounts? to|comes? to|for a total of|in total|totalling|totaling))\b(?! (?:that|far"
    r"|called)\b)(?!-)|,\s+(?:that is|which is|that's|i\.e\.)(?= (?:a total of |about )?[$€£]?\d)|[⇒→]|=>)[,:]?\s+",
    re.I,
)
_LONGEST_TAIL: Final = 2_000


def _first_part(text: str) -> str:
    """Return a stated answer without the paragraphs after it."""
    return re.split(r"\n\s*\n", text.strip())[0].strip()


def _bold(text: str) -> str:
    found = [span for span in re.findall(r"\*\*([^*\n]{1,120})\*\*", text) if not span.rstrip().endswith(":")]
    return found[0] if len(found) == 1 and not re.match(r"(?:final )?answer\b", found[0], re.I) else ""


def final_answer(text: str) -> str:
    """Return what a reply calls its answer, in a box, after "Answer:" or as its only words in bold; or an empty text.

    Where it does so more than once the last counts. ``text`` is the reply as it came.
    """
    plain = _without_thinking(text)
    if boxes := _BOXED.findall(plain[-_LONGEST_TAIL:]):
        return stripped(boxes[-1])
    tail = stripped(plain)[-_LONGEST_TAIL:]
    marks = list(_FINAL.finditer(tail))
    if marks and (said := _first_part(tail[marks[-1].end() :])) and not _STEERING.search(tail[marks[-1].start() :]):
        return said
    if len(plain.split()) > 12 and (bold := _bold(plain[-_LONGEST_TAIL:])):
        return stripped(bold)
    return ""


def corrected(text: str) -> str:
    """Return what a reply says after it takes something back ("Wait, ...", "Correction: ..."), or all of it."""
    marks = list(_CORRECTED.finditer(text))
    rest = text[marks[-1].end() :].strip() if marks and marks[-1].start() else ""
    return rest or text


def conclusions(text: str) -> list[str]:
    """Return what follows the last "so", "hence" or "that makes" of a text, up to the end of its sentence."""
    marks = list(_CONCLUDES.finditer(text))
    if not marks:
        return []
    rest = sentences_of(text[marks[-1].end() :])
    return rest[:1]


# --- Offers that commit to nothing --------------------------------------------------------------------------------


HEDGE: Final = re.compile(r"\b(?:could|may|might|can) be\b|\b(?:possibly|perhaps|maybe|alternatively)\b", re.IGNORECASE)
_UNDECIDED: Final = re.compile(
    r"does(?: not|n't) say which|not (?:\w+ )?(?:said|stated|specified|given|defined|indicated) (?:which|whether)"
    r"|do(?: not|n't) say which|not (?:\w+ )?clear (?:which|whether|if)|unclear (?:which|whether|if)"
    r"|depend(?:s|ing) on (?:how|which|whether|what|the)|\beither (?:one )?(?:is|could|may|might|of (?:these|them|the "
    r"two))\b"
    r"|(?:both|any of (?:these|them)|all of (?:these|them)) (?:are|is|could|may|might) (?:be )?(?:possible|plausible"
    r"|right|correct|defensible)"
    r"|(?:can|could|may|might) (?:also )?be (?:read|argued|either|both)|(?:is|are) also (?:possible|plausible"
    r"|conceivable)"
    r"|(?:cannot|can't|could not|unable to|hard to|difficult to|impossible to) (?:decide|choose|say which|tell which"
    r"|tell whether|commit)"
    r"|\bone of (?:these|them|the following|the two)\b|take your pick|not sure (?:which|whether|if)|(?:two|three"
    r"|several|multiple) (?:candidates"
    r"|possibilit\w+|possible \w+|readings|interpretations|options)|equally (?:well|likely|plausible|possible)"
    r"|somewhere between"
    r"|cannot be ruled out|can't be ruled out|cannot tell\b|\bif\b.{3,80}\bif\b(?! (?:you|any))|\b(?:both|each"
    r"|either) (?:could|may|might|can) be\b|can't tell\b|(?:could|may|might) also be\b|or possibly|\b(?:is|was|are) "
    r"(?:probably |likely )?one of (?!the (?!following))|is possible,? (?:too|as well)|toss-?up|either way|whichever",
    re.I,
)


_OPTIONS: Final = re.compile(
    r"(?:^|\s)\(?a[).] .*\s\(?b[).] |(?:^|\s)\(?1[).] .*\s\(?2[).] |\ba ?1\b.*\ba ?2\b", re.DOTALL | re.I
)


def is_enumerated(text: str) -> bool:
    """Return whether a reply numbers two or more options."""
    return bool(_OPTIONS.search(text[:1000]))


def is_undecided(text: str) -> bool:
    """Return whether a reply says that it does not choose between answers, or hedges more than once."""
    return bool(_UNDECIDED.search(text)) or len(HEDGE.findall(text)) > 1


# --- Declining ----------------------------------------------------------------------------------------------------


_DECLINES_ABROAD: Final = re.compile(
    r"(?:ne (?:contien\w+|mentionn\w+|precis\w+|donn\w+|fourni\w+|permet\w*|figur\w+|dis\w+|indiqu\w+|comport\w+"
    r"|repond\w+) (?:pas|aucun\w*)"
    r"|n'(?:est|y a|ont|a|indiqu\w+|est pas|apparait) (?:pas|aucun\w*)|aucune (?:information|reponse|donnee"
    r"|indication|mention)|pas (?:de|d') ?(?:reponse|information)"
    r"|(?:lasst|laesst|kann|konnte) \w*\s*(?:sich )?(?:\w+ ){0,6}nicht (?:beantwort\w+|entnehm\w+|ermittel\w+"
    r"|bestimm\w+|find\w+|beantworten)"
    r"|nicht (?:beantwortbar|angegeben|enthalten|genannt|erwahnt|ersichtlich|zu entnehmen|bekannt|verfugbar"
    r"|vorhanden|aufgefuhrt)|kein(?:e|en|er)? (?:angabe\w*|information\w*|antwort|hinweis\w*|auskunft)"
    r"|nicht hervor|nicht \w+ beantwort\w+|no (?:contien\w+|menciona\w*|indica\w*|proporciona\w*|especifica\w*"
    r"|figura\w*|aparece\w*|se puede|se menciona|se indica|hay (?:informacion|datos|respuesta))"
    r"|sin respuesta|non (?:contengono|contiene|menziona\w*|e possibile|indica\w*|specifica\w*|riporta\w*"
    r"|risponde\w*)|nie zawiera\w*|nessuna informazione"
    r"|nao (?:contem|menciona\w*|ha informac\w+|e possivel|informa\w*)|niet (?:vermeld|beantwoord\w*|te beantwoorden"
    r"|genoemd|beschikbaar)|geen (?:informatie|antwoord|gegevens))",
    re.I,
)
_DECLINES_IN_SCRIPT: Final = re.compile(
    r"(?:回答できません|回答不可|記載されていません|記載がありません|記載はありません|書かれていません|わかりません|分かりません|不明|答えられません|含まれていません|ありません"
    r"|无法回答|無法回答|没有提到|没有提及|未提及|未提供|没有给出|没有说明|文档中没有|文件中没有"
    r"|无法确定|没有相关信息|不包含|无答案|답할 수 없|없습니다|нет ответа|не указан\w*|не "
    r"содерж\w+|невозможно)"
)
_DECLINING_SENTENCE: Final = re.compile(
    r"^(?:(?:so|thus|therefore|hence),? )?(?:not answerable|unanswerable|no answer|cannot be answered|i (?:cannot"
    r"|can't) answer)\b"
    r"|\b(?:not|un)\s?answerable\b|\b(?:cannot|can't|could not|can not) be (?:answered|determined|established"
    r"|inferred|derived)\b"
    r"|\b(?:is|are|was|were|has|have|does|do|did)(?: not|n't) (?:been )?(?:\w+ly )?(?:stat\w*|given|mention\w*"
    r"|report\w*|disclos\w*|specif\w*|provid\w*|contain\w*"
    r"|includ\w*|say|tell|record\w*|list\w*|reveal\w*|cover\w*|appear|discuss\w*|address\w*|publish\w*|indicat\w*"
    r"|answer\w*|available|found|named?|show\w*|break)\b(?! (?:until|before|after|till|in \d|on \d|at \d|by \d))"
    r"|\b(?:no|any) (?:\w+ ){0,3}(?:information|figures?|mention|data|details?|values?|indication|answer|evidence"
    r"|record|statement)\b"
    r"|^it(?:'s| is) (?:unclear|not clear|unknown|not known)\b"
    r"|\b(?:nowhere|silent on|silent about|insufficient (?:information|data)|not enough (?:information|data)"
    r"|missing from|unable to (?:answer|find|determine))\b"
    r"|\b(?:nothing|none of)\b.{0,60}\b(?:documents?|reports?|pages?|texts?|says?|mentions?)\b"
    r"|\b(?:gives?|lists?|names?|mentions?|contains?|shows?|covers?|states?)\b.{1,80}\bbut not\b"
    r"|\bthere(?:'s| is| are| was| were) no .{1,60} in (?:the|these|any|either)\b"
    r"|\b(?:information|data|answer|figure|value|details?) (?:is |are )?(?:missing|absent|unavailable|lacking|not "
    r"available)\b"
    r"|\b(?:table|report|document|list|chart|figure|series|data|text|page|brochure|leaflet|catalogue|guide|paper"
    r"|statement|map|file|article|manual|letter|contract|survey)s?\b.{0,30}\b(?:ends?|stops?|begins?|starts?|goes? "
    r"(?:only )?up to|(?:covers?|lists?|gives?|shows?|concerns?|mentions?) only|only (?:covers?|lists?|gives?|shows?"
    r"|mentions?))\b"
    r"|\b(?:i|we) (?:do not|don't|cannot|can't|could not|couldn't|did not|didn't) (?:find|see|know|answer|determine"
    r"|tell|locate)\b",
    re.I,
)
_SUPPLIES: Final = re.compile(
    r"\b(?:(?:not answerable|n/a)\s*(?:/|\bor\b)\s*\w+|my (?:best )?(?:answer|guess|estimate)|best guess|i would "
    r"(?:guess|say|estimate|assume)|i'd (?:guess|say"
    r"|estimate)|presumably|probably"
    r"|most likely|likely|it must|must have been|should be|would be (?:about|around|roughly)|we can (?:assume|infer"
    r"|estimate)|i (?:assume|guess|estimate)"
    r"|(?:can|may) be (?:estimated|inferred|assumed|extrapolated)|one (?:can|may|could) (?:assume|infer|estimate)"
    r"|extrapolat\w+|appears? to be|seems to be"
    r"|the answer (?:is|would be)(?! not)|so (?:it|the \w+) (?:is|was)(?! not)|was about|is about|so (?:the |that "
    r")?\w+(?: \w+)? (?:costs?|is|was|are|were|has|had|amounts? to)(?: about| around| approximately| roughly)? "
    r"?[$€£\d]|suggests? (?:that )?(?:it|the)|going by|judging by)\b",
    re.I,
)


def declines(text: str) -> bool:
    """Return whether a reply declines to answer, in whatever words, and supplies no answer beside.

    Beyond ``lists.is_abstention`` this knows other languages, a declining sentence after a first look, and an
    answer that follows a declining sentence without a "but".

    >>> declines("Les documents ne contiennent pas cette information."), declines("Not stated. My guess is 4.")
    (True, False)
    """
    plain = folded(stripped(without_small_talk(text)))
    spoken = sentences_of(plain)
    if not spoken or len(plain) > _LONGEST_TAIL:
        return is_abstention(text)
    if _DECLINES_ABROAD.search(plain) or _DECLINES_IN_SCRIPT.search(plain_digits(text)) or is_abstention(plain):
        return not _SUPPLIES.search(plain)
    opens = bool(_DECLINING_SENTENCE.search(spoken[0])) and not re.search(
        r"\bbut (?:to|by|in|for|only|with)\b", spoken[0], re.I
    )
    # A first look may precede the decline, but then the decline has to be about the question and the last word.
    closes = is_abstention(spoken[-1])
    return (opens or closes) and not _SUPPLIES.search(plain)


def speaks_of_silence(reference: str) -> bool:
    """Return whether a reference itself states that something is not disclosed, known or given."""
    return bool(_DECLINING_SENTENCE.search(reference)) or bool(
        re.search(r"\b(?:unknown|undisclosed|not known)\b", reference, re.I)
    )


_REASONING: Final = r"(?:think|thinking|thought|reasoning|analysis)"
_TAG: Final = re.compile(rf"<(/?)({_REASONING})>", re.IGNORECASE)


def _without_closed(text: str) -> str:
    """Return a text without its closed reasoning: from each tag to the first one that closes it.

    Every tag is looked at once, because a long text of tags that nothing closes would take a search for hours.
    """
    tags = list(_TAG.finditer(text))
    closing: dict[str, list[re.Match[str]]] = {}
    for tag in tags:
        if tag[1]:
            closing.setdefault(tag[2].lower(), []).append(tag)
    kept, place = [], 0
    for tag in tags:
        found = closing.get(tag[2].lower(), [])
        after = bisect.bisect_left(found, tag.end(), key=re.Match.start)
        if not tag[1] and tag.start() >= place and after < len(found):
            kept.append(text[place : tag.start()])
            place = found[after].end()
    return "".join([*kept, text[place:]])


def without_reasoning(text: str) -> str | None:
    """Return the text after the reasoning that some models write before it, or None if it ends inside that.

    What comes before a lone closing tag is reasoning, too. A text without such tags is returned as it is.

    >>> without_reasoning("<think>12 or 13?</think>12"), without_reasoning("so it is 12</think> 12")
    ('12', '12')
    >>> without_reasoning("<think>12 or 13?") is None
    True
    """
    if not _TAG.search(text):
        return text
    rest = _without_closed(text)
    # Reasoning stands at the beginning; a tag that the answer mentions later opens none.
    opening = _TAG.match(rest.lstrip())
    if opening and not opening[1]:
        return None
    closing = [tag.end() for tag in _TAG.finditer(rest) if tag[1]]
    return rest[closing[-1] if closing else 0 :].strip()
