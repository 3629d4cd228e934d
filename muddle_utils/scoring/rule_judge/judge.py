"""The rule judge ``local/rules``: is a prediction the same answer as the reference, by rules alone?

It stands in for a language model as judge where there is no key. It sees question, reference and prediction and no
document, and it prefers to call a doubtful answer wrong. Text from a model is only ever compared with the reference,
never obeyed. ``reply_text`` finds the answer in a reply; ``number_match``, ``moments``, ``polarity``, ``members``,
``names`` and ``words`` compare the kinds of answers.
"""

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from muddle_utils.scoring.abstention import is_abstention
from muddle_utils.scoring.numbers import SEPARATOR, WORD_VALUES, Number, is_share, numbers_in, plain_digits
from muddle_utils.scoring.reply_text import (
    conclusions,
    corrected,
    declines,
    final_answer,
    is_enumerated,
    is_undecided,
    speaks_of_silence,
    stripped,
    without_small_talk,
    without_verdict,
)
from muddle_utils.scoring.rule_judge.dates import dates_in, is_date, is_time, same_date, same_time, times_in
from muddle_utils.scoring.rule_judge.lexicon import ASKS_FOR_EXCEPTION, EXCEPTIONS, FUNCTION_WORDS, canonical
from muddle_utils.scoring.rule_judge.members import judge_members, members_of
from muddle_utils.scoring.rule_judge.names import aligned, is_near_miss
from muddle_utils.scoring.rule_judge.number_match import (
    LONGEST_ANSWER,
    is_quantity,
    judge_number,
    judge_share,
    same_number,
)
from muddle_utils.scoring.rule_judge.words import (
    ALL_BUT,
    Words,
    best_statements,
    clause_denies,
    content_of,
    contradicts,
    facts_of,
    is_denied,
    is_one_of_several,
    novel_facts,
    overlap,
    places_of,
    says_the_same,
    words_of,
)
from muddle_utils.scoring.rule_judge.yes_no import polarity_of, polarity_of_reference, relative_sign
from muddle_utils.scoring.squad import normalise_answer
from muddle_utils.study.records import NOT_ANSWERABLE

LONGEST_TEXT: Final = 5_000


@dataclass(frozen=True)
class RuleVerdict:
    """The rule judge's verdict, in the shape a language model is asked for; ``reasoning`` names the rule."""

    correct: bool
    score: float
    reasoning: str


# --- Exact things -------------------------------------------------------------------------------------------------


# Repetitions are bounded so that a flood of dots and digits is read in linear time.
_EMAIL: Final = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}")
_URL: Final = re.compile(
    r"(?:https?://|www\.)[^\s<>\"',;]+"
    r"|(?<![\w@.-])(?:[a-z0-9-]{1,63}\.){1,8}(?:com|org|net|edu|gov|io|info|int|eu)\b(?:/[^\s<>\"',;]*)?",
    re.IGNORECASE,
)
_PHONE: Final = re.compile(r"(?<![\w.])[+(]?\d[\d() ./-]{6,30}(?<=\d)(?!\w)")


def _canonical_url(url: str) -> str:
    bare = re.sub(r"^https?://", "", url.rstrip(".,;:!?)"), flags=re.IGNORECASE)
    host, slash, path = re.sub(r"^www\.", "", bare, flags=re.IGNORECASE).partition("/")
    return (host.lower() + slash + path).rstrip("/")


def _emails(text: str) -> set[str]:
    return {email.lower() for email in _EMAIL.findall(text)}


def _urls(text: str) -> set[str]:
    return {_canonical_url(url) for url in _URL.findall(text)}


def _phones(text: str) -> set[str]:
    digits = (re.sub(r"\D", "", phone) for phone in _PHONE.findall(plain_digits(text).replace(SEPARATOR, " ")))
    return {phone for phone in digits if len(phone) >= 7}


def _is_phone(reference: str) -> bool:
    plain = plain_digits(reference).replace(SEPARATOR, " ")
    n_digits = sum(char.isdigit() for char in plain)
    return bool(re.fullmatch(r"[+(]?\d[\d() ./-]+", plain)) and n_digits >= 9 and not re.fullmatch(r"[\d.]+", plain)


def _judge_verbatim(reference: str, prediction: str) -> tuple[bool, str] | None:
    """Return the verdict on an e-mail address, URL or telephone number, or None if the reference is none of these."""
    plain = reference.strip()
    if _EMAIL.fullmatch(plain):
        return _emails(prediction) == _emails(plain), "e-mail address: compared exactly"
    if _URL.fullmatch(plain):
        wanted = _canonical_url(plain)
        # A host without "www" and with a rare ending is only known for a link by being the reference.
        bare = {_canonical_url(word) for word in prediction.split()} & {wanted}
        return _urls(prediction) | bare == {wanted}, "URL: compared exactly"
    if _is_phone(plain):
        return _phones(prediction) == _phones(plain), "telephone number: compared digit by digit"
    return None


# --- Dates and times ----------------------------------------------------------------------------------------------


def _judge_date(question: str, reference: str, prediction: str) -> tuple[bool, str]:
    wanted, asked = dates_in(reference)[0], dates_in(question)
    for stretch in (*conclusions(prediction), prediction):
        found = dates_in(stretch)
        given = [date for date in found if date not in asked] or found
        if given:
            break
    else:
        return False, "date: the prediction gives no date"
    if len(set(given)) > 1:
        stretch = _best_sentence(question, stretch)
        given = [date for date in dates_in(stretch) if date not in asked]
    if len(set(given)) != 1:
        return False, "date: the prediction gives several dates"
    return same_date(wanted, given[0]), "date: compared by year, month and day"


def _best_sentence(question: str, text: str) -> str:
    """Return the one statement of a text that takes up most of the question, or all of the text if several do."""
    parts = [part for part in re.split(r"[.;](?=\s|$)|,? \b(?:but|while|whereas|and)\b", text) if part.strip()]
    shares = [overlap(question, part) if dates_in(part) else -1 for part in parts]
    best = max(shares, default=0)
    return parts[shares.index(best)] if shares.count(best) == 1 else text


def _judge_time(question: str, reference: str, prediction: str) -> tuple[bool, str]:
    wanted, asked = times_in(reference)[0], times_in(question)
    found = [time for time in times_in(prediction) if time not in asked]
    if not found:
        return False, "time: the prediction gives none"
    # One moment may be given in two zones.
    same = all(same_time(wanted, time) for time in found) or (
        len(found) == 2 and all(time[2] is not None for time in found)
    )
    return same and any(same_time(wanted, time) for time in found), "time: compared by hour, minute and zone"


def _is_time_span(reference: str) -> bool:
    times = times_in(reference)
    return len(times) == 2 and not re.search(
        r"[a-z]{3}", re.sub(r"\b(?:from|until|till|between|and|uhr)\b", "", reference.lower())
    )


def _judge_time_span(question: str, reference: str, prediction: str) -> tuple[bool, str]:
    wanted, given = times_in(reference), times_in(prediction)
    # "9 to 5 pm" prints one half of the day for both ends.
    if len(given) == 1 and (match := re.search(r"\b(\d{1,2}) ?(?:-|to|until) ?(?=\d)", plain_digits(prediction))):
        given = [(int(match[1]) * 60, False, None), *given]
    same = len(given) == 2 and all(same_time(left, right) for left, right in zip(wanted, given, strict=True))
    return same, "times: compared by hour and minute"


# --- Ratios and ranges --------------------------------------------------------------------------------------------


_RATIO: Final = re.compile(r"(?P<a>\d{1,3}(?:\.\d+)?)\s*(?::|to)\s*(?P<b>\d{1,3}(?:\.\d+)?)(?!\d)")
_RANGE_JOINT: Final = re.compile(r"\s*(?:-|to|and|until|till|through)\s*", re.I)
_EACH: Final = re.compile(
    r"\b(?:each|every|per|for (?:a|an|one))\b(?! \d)(?! (?:" + "|".join(WORD_VALUES) + r")\b)", re.I
)


def _asked_sides(question: str) -> list[str]:
    """Return the two things of a ratio in the question's order, as in "staff-to-child ratio"; or nothing."""
    match = re.search(r"([a-z]+)[ -]to[ -]([a-z]+)", question, re.I) or re.search(
        r"ratio (?:of|between) (?:\w+ )?(\w+) (?:to|and) (?:\w+ )?(\w+)", question, re.I
    )
    sides = [facts_of(side).order[:1] for side in match.groups()] if match else []
    return [side[0] for side in sides if side]


def _turned(question: str, prediction: str) -> bool:
    """Return whether a prediction names the second thing of a ratio before the first."""
    sides = _asked_sides(question)
    said = facts_of(prediction).order
    places = [said.index(side) if side in said else -1 for side in sides]
    return len(places) == 2 and places[0] > places[1] >= 0


def _judge_ratio(question: str, reference: str, prediction: str) -> tuple[bool, str]:
    wanted = [float(part) for part in re.findall(r"\d+(?:\.\d+)?", reference)]
    plain = plain_digits(prediction)
    printed = _RATIO.search(plain)
    given = (
        [float(printed["a"]), float(printed["b"])]
        if printed
        else [n.value for n in numbers_in(plain.replace(":", " : "))]
    )
    if len(given) == 1 and _EACH.search(plain):
        given.append(1.0)
    if len(given) != 2:
        return False, "ratio: the prediction does not give two numbers"
    if not printed and _turned(question, prediction):
        given.reverse()
    return wanted[0] * given[1] == wanted[1] * given[0] and given[1] > 0, "ratio: compared as quotients"


def _range_in(text: str, question: str) -> list[Number]:
    plain = canonical(plain_digits(text))
    asked = {number.value for number in numbers_in(question)}
    found = [number for number in numbers_in(plain) if number.value not in asked]
    for first, second in pairwise(found):
        if _RANGE_JOINT.fullmatch(plain[first.end : second.start]):
            return [first, second]
    return []


def _is_range(reference: str) -> bool:
    found = _range_in(reference, "")
    plain = canonical(plain_digits(reference))
    if len(found) != 2 or len(numbers_in(plain)) != 2 or ":" in plain:
        return False
    if "and" in plain[found[0].end : found[1].start] and "between" not in plain.lower():
        return False
    outside = plain[: found[0].start] + plain[found[1].end :]
    return len(content_of(words_of(outside).tokens)) <= 2


def _with_unit(first: Number, second: Number) -> Number:
    """Return the lower end of a range with the unit and the scale that are printed once, after its upper end."""
    if first.unit or first.is_percent or first.scale != 1:
        return first
    factor = second.scale
    return Number(first.value * factor, second.is_percent, second.unit, first.quantum * factor, first.digits, factor,
                  first.text, first.start, first.end)  # fmt: skip


def _judge_range(question: str, reference: str, prediction: str) -> tuple[bool, str]:
    wanted, given = _range_in(reference, ""), _range_in(prediction, question)
    if not given:
        return False, "range: the prediction gives none"
    pairs = [(_with_unit(*wanted), _with_unit(*given)), (wanted[1], given[1])]
    return all(same_number(question, left, right, "") for left, right in pairs), "range: both ends compared by value"


# --- Yes and no ---------------------------------------------------------------------------------------------------


def _judge_polarity(question: str, reference: str, prediction: str) -> tuple[bool, str]:
    wanted = polarity_of_reference(reference)
    given = polarity_of(question, prediction)
    if given != wanted:
        return False, "yes or no: the prediction says the other or neither"
    left, right = [{t for t in words_of(text).tokens if t[0].isdigit()} for text in (reference, prediction)]
    asked = set(words_of(question).tokens)
    if left - asked and right - asked and not left & right:
        return False, "yes or no: the prediction gives another figure for it"
    return True, "yes or no: the prediction says the same"


# --- Text ---------------------------------------------------------------------------------------------------------


_GENERIC: Final = frozenset("model type room gate river lake mount company group version series number street".split())


def _says_most_of(question: str, wanted: Words, given: Words) -> bool:
    """Return whether the prediction is a stretch of the reference that leaves out little of it."""
    expected, said = content_of(wanted.tokens), content_of(given.tokens)
    asked = set(words_of(question).tokens)
    digits = [{t for t in tokens if any(char.isdigit() for char in t)} for tokens in (expected, said)]
    enough = len(said) >= 2 and len(said) >= 0.6 * len(expected)
    whole = not digits[0] - digits[1] and not wanted.names - given.names - set(given.tokens) - asked - _GENERIC
    enough = enough or (bool(digits[0]) and not set(expected) - set(said) - _GENERIC)
    return enough and whole and bool(places_of(given.tokens, wanted.tokens))


def _same_parts(reference: str, prediction: str) -> bool:
    """Return whether two texts are the same but for blanks, or the same parts in any order."""
    if _spaced_alike(reference, prediction):
        return True
    parts = [
        sorted(words_of(part).tokens for part in re.split(r",|;|\band\b|&", text, flags=re.I) if part.strip())
        for text in (reference, prediction)
    ]
    return len(parts[0]) > 1 and parts[0] == parts[1]


def _reference_forms(reference: str) -> list[str]:
    """Return the reference, and without its brackets, and the abbreviation in its brackets."""
    bracket = re.fullmatch(r"(?P<name>[^()]+?)\s*\((?P<other>[^()]+)\)", reference.strip())
    if bracket is None:
        return [reference]
    forms = [reference, bracket["name"]]
    return [*forms, bracket["other"]] if re.fullmatch(r"[A-Z][A-Z0-9&-]+", bracket["other"]) else forms


_ALIAS: Final = re.compile(
    r",?\s*\(?\b(?:i\.e\.,?|that is,|aka|a\.k\.a\.|also (?:known|called|referred to) as|also called|in other words,?"
    r"|or rather|known as"
    r"|formerly|better known as)\s+(?:the )?",
    re.I,
)
_OWN_WORDS: Final = frozenset({"not", "no", "never", "none"})


def _stands_out(question: str, reference: str, prediction: str) -> bool:
    """Return whether the reference has a statement of its own that answers the question: "A won; B came next"."""
    places = [match.span() for match in re.finditer(re.escape(reference.strip(" .")), prediction, re.I)]
    if not places:
        return False
    start, end = places[-1]
    joined = re.search(r"(?:\b(?:and|or|either)|/)\s*(?:the )?$", prediction[:start], re.I) or re.match(
        r"\s*(?:(?:and|or)\b|/)", prediction[end:], re.I
    )
    own, other = best_statements(question, prediction, start, end)
    return not joined and own > other


def _contains(question: str, wanted: Words, given: Words, most_others: int, stands_out: bool) -> tuple[bool, str]:
    size = len(wanted.tokens)
    places = places_of(wanted.tokens, given.tokens)
    excepts = bool(ASKS_FOR_EXCEPTION.search(question))
    # "Of A, B and C, A won" ends in one answer.
    if is_one_of_several(given, places[-1], places[-1] + size, most_others) and not stands_out:
        return False, "text: the prediction offers several answers of which the reference is one"
    if all(is_denied(given, i, i + size, excepts) for i in places) and not _OWN_WORDS & set(wanted.tokens):
        return False, "text: the prediction names the reference only to deny it"
    if not excepts and all(EXCEPTIONS & set(given.tokens[max(0, i - 2) : i]) for i in places):
        return False, "text: the prediction names the reference as an exception"
    return True, "text by containment: the prediction contains the reference"


def _outweighed(question: str, reference: str, prediction: str) -> bool:
    """Return whether another statement of the prediction answers the question, with a name that is not the reference.

    In "A paid for the dig, but it was led by B" the second statement takes up more of "Who led the dig?".
    """
    plain = reference.strip(" .")
    places = [match.span() for match in re.finditer(re.escape(plain), prediction)]
    if not plain[:1].isupper() or not places or len(prediction.split()) < 8:
        return False
    shares = [best_statements(question, prediction, *place) for place in places]
    if any(own >= other for own, other in shares):
        return False
    rest = prediction.replace(plain, "")
    known = words_of(question).names | words_of(reference).names | FUNCTION_WORDS
    best = max((part for part in re.split(r"[.;](?=\s|$)|\bbut\b|, ", rest)), key=lambda part: overlap(question, part))
    told = words_of(best)
    return bool(told.names - known - set(told.tokens[:1])) and not facts_of(best).negated


def _denies_matter(question: str, reference: str, prediction: str) -> bool:
    """Return whether every clause that holds the reference says the opposite of what is asked."""
    excepted = re.search(
        rf"\b(?:except|excluding|besides|but|apart from|other than)(?: for)? (?:the "
        rf")?{re.escape(reference.strip(' .'))}",
        prediction,
        re.I,
    )
    if excepted and (ALL_BUT.search(prediction) or not excepted[0].lower().startswith("but")):
        return not ASKS_FOR_EXCEPTION.search(question)
    wanted = words_of(reference).tokens
    clauses = re.split(r"[.;,](?=\s|$)|\b(?:but|because|since)\b", prediction)
    holding = [clause for clause in clauses if places_of(wanted, words_of(clause).tokens)]
    if not holding or facts_of(reference).negated or set(facts_of(reference).signs) <= set(facts_of(question).signs):
        return False
    return all(clause_denies(question, clause) for clause in holding)


_JOURNEY: Final = re.compile(
    r"(?:from )?(?:the )?(?P<start>[A-Z][\w' -]*?) (?:to|-+>|→|\u2013|-) (?:the )?(?P<end>[A-Z][\w' -]*)"
)


def _journey(reference: str, prediction: str) -> bool | None:
    """Return whether a prediction keeps the direction of "from A to B", or None if the reference has none."""
    match = _JOURNEY.fullmatch(reference.strip(" ."))
    if match is None or any(word[0].islower() for word in match["start"].split()):
        return None
    tokens = words_of(prediction).tokens
    places = [places_of(words_of(match[name]).tokens, tokens) for name in ("start", "end")]
    if not all(places):
        return False
    start, end = places[0][0], places[1][0]
    if "to" in tokens[max(0, start - 2) : start] or "from" in tokens[max(0, end - 2) : end]:
        return False
    return start < end or "from" in tokens[max(0, start - 2) : start]


def _prepared(reference: str, prediction: str) -> str:
    """Return a prediction with the reference's form of its name, and with "X, i.e. Y" read as "Y (X)"."""
    parts = _ALIAS.split(prediction, maxsplit=1)
    if len(parts) == 2 and all(len(part.split()) <= 8 for part in parts):
        wanted = words_of(reference).tokens
        for part in parts:
            if places_of(wanted, words_of(aligned(reference, part)).tokens):
                return aligned(reference, part)
    return aligned(reference, prediction)


def _spaced_alike(reference: str, prediction: str) -> bool:
    """Return whether two texts differ by blanks, hyphens and capitals alone: "data set", "data-set", "dataset"."""
    left, right = (re.sub(r"[\W_]+", "", normalise_answer(text)) for text in (reference, prediction))
    return len(left) > 4 and left == right and left.isalpha()


def _offers_two(reference: str, prediction: str, question: str) -> bool:
    """Return whether a prediction joins two answers by "or" where neither reference nor question does."""
    return bool(re.search(r"\b(?:or|either)\b", prediction, re.I)) and not re.search(
        r"\b(?:or|either|neither|whether)\b", f"{reference} {question}", re.I
    )


def _judge_text(question: str, reference: str, prediction: str, most_others: int) -> tuple[bool, str]:
    wanted = words_of(reference)
    if not wanted.tokens:
        return normalise_answer(reference) == normalise_answer(prediction), "text: symbols compared literally"
    if is_near_miss(reference, prediction):
        return False, "text: the prediction names another one that contains the reference's name"
    prediction = _prepared(reference, prediction)
    given = words_of(prediction)
    forms = [words_of(form) for form in _reference_forms(reference)]
    if any(form.tokens == given.tokens for form in forms) or _same_parts(reference, prediction):
        return True, "text: equal but for case, articles and punctuation"
    if len(given.tokens) > max(LONGEST_ANSWER, 3 * len(wanted.tokens)):
        return False, "text: the prediction is too long to be an answer"
    if (is_undecided(prediction) or is_enumerated(prediction)) and not is_undecided(reference):
        return False, "text: the prediction hedges between several answers"
    kept = _journey(reference, prediction)
    if kept is not None:
        return kept, "text: start and end compared in their order"
    held = next((form for form in forms if form.tokens and places_of(form.tokens, given.tokens)), None)
    if held is None:
        return _judge_wording(question, reference, prediction)
    return _judge_held(question, reference, prediction, held, most_others)


def _judge_held(question: str, reference: str, prediction: str, held: Words, most_others: int) -> tuple[bool, str]:
    """Return whether a prediction that contains the reference, in the form ``held``, means it as its answer."""
    if _outweighed(question, reference, prediction):
        return False, "text: another statement of the prediction answers the question"
    if _denies_matter(question, reference, prediction):
        return False, "text: the prediction says the opposite of the reference"
    stands_out = _stands_out(question, reference, prediction)
    return _contains(question, held, words_of(prediction), most_others, stands_out)


def _denies_all(question: str, reference: str, prediction: str) -> bool:
    """Return whether "both passed" answers "which failed?" with the reference's "none"."""
    tokens = words_of(reference).tokens
    whole = re.match(r"\W*(?:both|all|every\w*|each)\b", prediction, re.I)
    return tokens == ("none",) and bool(whole) and relative_sign(facts_of(question), facts_of(prediction)) < 0


def _judge_wording(question: str, reference: str, prediction: str) -> tuple[bool, str]:
    """Return whether a prediction that does not contain the reference says it in other words."""
    wanted, given = words_of(reference), words_of(prediction)
    if _offers_two(reference, prediction, question):
        return False, "text: the prediction offers several answers"
    if _says_most_of(question, wanted, given) and not contradicts(facts_of(reference), facts_of(prediction)):
        return True, "text by containment: the prediction is most of the reference"
    if _denies_all(question, reference, prediction):
        return True, "text by concepts: all are said to be the opposite, and the reference is none"
    if says_the_same(question, reference, prediction):
        return True, "text by concepts: the prediction says the reference in other words"
    return False, "text: the prediction does not contain the reference"


def _concludes(question: str, clause: str) -> bool:
    """Return whether a concluding clause is about the question, so that it outweighs what was said before it."""
    shared = set(facts_of(clause).signs) & set(facts_of(question).signs)
    return bool(shared) or "answer" in clause.lower() or len(clause.split()) <= 3


def _judge_committed_text(question: str, reference: str, prediction: str, most_others: int) -> tuple[bool, str]:
    """Return the verdict on a text, its conclusion first if it draws one."""
    for clause in conclusions(prediction):
        correct, reasoning = _judge_text(question, reference, clause, most_others)
        if correct or (_concludes(question, clause) and (novel_facts(question, clause) or words_of(clause).names)):
            return correct, reasoning
    return _judge_text(question, reference, prediction, most_others)


# --- The whole ----------------------------------------------------------------------------------------------------


def _judge_one(question: str, reference: str, prediction: str, most_others: int) -> tuple[bool, str]:
    """Return the verdict on one answer that is not a list, by the kind of thing the reference is."""
    verbatim = _judge_verbatim(reference, prediction)
    if verbatim is not None:
        return verbatim
    if polarity_of_reference(reference):
        return _judge_polarity(question, reference, prediction)
    for is_kind, judge in (
        (is_date, _judge_date),
        (_is_time_span, _judge_time_span),
        (lambda text: is_time(text) and not re.search(r"\b(?:ratio|odds|scale)\b", question, re.I), _judge_time),
        (lambda text: bool(_RATIO.fullmatch(text.strip(" ."))), _judge_ratio),
        (is_share, judge_share),
        (is_quantity, judge_number),
        (_is_range, _judge_range),
    ):
        if is_kind(reference):
            return judge(question, reference, prediction)
    return _judge_committed_text(question, reference, prediction, most_others)


def _same_item(question: str, reference: str, prediction: str) -> bool:
    return _judge_one(question, reference, prediction, 0)[0]


def _judge_list(question: str, reference: str, wanted: tuple[str, ...], prediction: str) -> RuleVerdict:
    if not wanted:
        empty = normalise_answer(prediction) in ("[]", "none", "no items", "empty", "empty list", "nothing")
        return RuleVerdict(empty, float(empty), "list: the reference is empty and so must the prediction be.")
    if len(prediction.split()) > max(LONGEST_ANSWER, 4 * len(reference.split())):
        return RuleVerdict(False, 0.0, "list: the prediction is too long to be an answer.")
    if is_undecided(prediction):
        return RuleVerdict(False, 0.0, "list: the prediction hedges between several answers.")
    found = judge_members(question, wanted, prediction, _same_item)
    reasoning = f"list: {found.n_matched} of {len(wanted)} items matched and {found.n_extra} extra."
    return RuleVerdict(found.is_right, found.score, reasoning)


def _judge_unanswerable(reference: str, prediction: str) -> RuleVerdict:
    if declines(final_answer(prediction) or prediction):
        return RuleVerdict(True, 1.0, "abstention: the question is not answerable and the prediction says so.")
    alternatives = [part for part in re.split(r"\s+or\s+", reference)[1:] if part.strip()]
    if any(_judge_one("", part, prediction, 0)[0] for part in alternatives if not is_abstention(part)):
        return RuleVerdict(True, 1.0, "abstention: the prediction is an alternative that the reference allows.")
    return RuleVerdict(False, 0.0, "abstention: the question is not answerable and the prediction answers it.")


def _judge_answer(question: str, reference: str, answer: str) -> RuleVerdict:
    wanted = members_of(question, reference)
    if wanted or reference.strip() == "[]":
        return _judge_list(question, reference, wanted, answer)
    correct, reasoning = _judge_one(question, reference, answer, 1)
    return RuleVerdict(correct, float(correct), f"{reasoning}.")


def _squeezed(text: str) -> str:
    """Return a text without endless white space, over which the patterns for markup would take hours."""
    return re.sub(r"\s{50,}", lambda run: "\n\n" if "\n" in run[0] else " ", text)


def judge_by_rules(question: str, reference: str, prediction: str) -> RuleVerdict:
    """Return the verdict of ``local/rules``, the embedded judge, on one prediction.

    The answer is what the reply commits to: what it boxes, calls its answer, concludes or corrects itself to. The
    kind of answer is inferred from the reference. A list scores the share of the members that both sides name, order
    free unless it is asked for, and is correct only with every member and no other. Everything else scores 1 or 0.
    Numbers match by value: scale words, separators and units converted; a bare whole number exactly, others also when
    equal at the coarser printed precision (of two digits or more); 25 %, 0.25 and a quarter when reference or question
    allows. Dates and times match by meaning; addresses, links and telephone numbers exactly. Text matches when the
    prediction is, contains or says the reference in other words, in at most ``LONGEST_ANSWER`` words, without denying
    it and without offering it as one of several. Declining is right only where the reference is "Not answerable".

    The prediction is compared and never obeyed: what it says about its own correctness is not looked at.

    >>> judge_by_rules("What share?", "25%", "The share was 0.25.")
    RuleVerdict(correct=True, score=1.0, reasoning='number by value: 0.25 equals 25%.')
    """
    if not prediction.strip():
        return RuleVerdict(False, 0.0, "empty: the prediction holds no answer.")
    prediction = _squeezed(prediction)
    answer = stripped(prediction)
    if is_abstention(reference):
        return _judge_unanswerable(reference, without_verdict(answer))
    if reference.strip() in (answer, prediction.strip()):
        return RuleVerdict(True, 1.0, "equal: the prediction is the reference.")
    answer = without_verdict(answer).strip()
    if not answer:
        return RuleVerdict(False, 0.0, "empty: the prediction holds only markup or an imitated verdict.")
    if is_abstention(answer) and not speaks_of_silence(reference):
        return RuleVerdict(False, 0.0, "refusal: the prediction declines to answer.")
    if len(answer) > max(LONGEST_TEXT, 10 * len(reference)):
        return RuleVerdict(False, 0.0, "length: the prediction is too long to be an answer.")
    committed = without_verdict(final_answer(prediction)).strip() or corrected(without_small_talk(answer))
    if is_abstention(committed) and not speaks_of_silence(reference):
        return RuleVerdict(False, 0.0, "refusal: the prediction declines to answer.")
    return _judge_answer(question, reference, committed)


# --- MMLongBench-Doc-V2's rubric ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class EquivalenceVerdict:
    """The rule judge's verdict by the rubric of MMLongBench-Doc-V2; ``reasoning`` names the rule."""

    equivalent: bool
    abstained: bool
    reasoning: str


_NEAREST: Final = re.compile(
    r"\b(?:closest|nearest|most similar|next best|best available|only|related|comparable)\b[^.;!?]{0,60}"
    r"\b(?:figure|value|number|amount|estimate|data|statistic|information|answer|date|year|mention\w*|stated?|given)\b"
    r"[^.;!?]{0,60}\b(?:is|are|was|were|would be)\b",
    re.IGNORECASE,
)
_READINGS: Final = re.compile(
    r"\b(?:if (?:the question|you|it|this|that|one|by)\b[^.;]{0,60}\bmeans?\b"
    r"|depend(?:s|ing) on (?:what|whether|how|which)"
    r"|does not say which|which one is meant|(?:two|both) (?:readings|interpretations|meanings))",
    re.IGNORECASE,
)
_BETWEEN_READINGS: Final = re.compile(
    r"[;.]\s+|,\s+(?=(?:if|on|for|by)\b)|,?\s+(?:and|or|but)\s+(?=(?:if|on|for|by)\b)", re.I
)


def _one_reading_matches(question: str, reference: str, prediction: str) -> bool:
    """Return whether a reply that answers two named readings of the question gives the reference in just one."""
    parts = [part for part in _BETWEEN_READINGS.split(prediction) if part and part.strip()]
    right = [part for part in parts if judge_by_rules(question, reference, part).correct]
    return len(right) == 1 and 2 <= len(parts) <= 4


def equivalent_by_rules(question: str, reference: str, prediction: str) -> EquivalenceVerdict:
    """Return the verdict of ``local/rules`` by the rubric of MMLongBench-Doc-V2.

    As ``judge_by_rules``, but without partial credit; where the reply names two readings of the question and answers
    each, one that matches is enough; and a reply that declines and then offers the nearest figure has answered.

    >>> equivalent_by_rules("How many in 2017?", "Not answerable", "Not stated. The nearest figure is 4, for 2018.")
    EquivalenceVerdict(equivalent=False, abstained=False, reasoning='abstention: it declines and offers a figure.')
    """
    verdict = judge_by_rules(question, reference, prediction)
    answer = without_verdict(stripped(_squeezed(prediction)))
    if is_abstention(reference) and not reference.startswith(NOT_ANSWERABLE):
        # A reference such as "N/A" reads like a decline and is an answer: only its own words give it.
        said = normalise_answer(final_answer(prediction) or answer)
        same = said in (normalise_answer(reference), normalise_answer(f"The answer is {reference}"))
        declined = not same and is_abstention(answer[:LONGEST_TEXT])
        return EquivalenceVerdict(same, declined, "verbatim: the reference reads like a decline and is an answer.")
    opens = answer[:LONGEST_TEXT]
    silent = speaks_of_silence(reference) and not is_abstention(reference)
    reads_twice = len(answer) <= LONGEST_TEXT and bool(_READINGS.search(answer))
    declined = not silent and not reads_twice and (is_abstention(opens) or declines(final_answer(opens) or opens))
    if declined and _NEAREST.search(opens) and numbers_in(opens):
        return EquivalenceVerdict(False, False, "abstention: it declines and offers a figure.")
    if reads_twice and not verdict.correct and _one_reading_matches(question, reference, answer):
        return EquivalenceVerdict(True, False, "readings: one of the two that the prediction names matches.")
    abstained = declined and (reference.startswith(NOT_ANSWERABLE) or not verdict.correct)
    return EquivalenceVerdict(verdict.correct, abstained, verdict.reasoning)


# Part of what is sent to the embedded judge: raise it when ``judge`` judges differently, so that its verdicts are made
# anew instead of mixed.
RULES_VERSION: Final = "5"
