"""The parts of a reference answer as phrases, and where they stand in a text."""

import re
import unicodedata
from typing import Final

from muddle_utils.scoring.lists import list_items
from muddle_utils.scoring.squad import normalise_answer
from muddle_utils.study.records import NOT_ANSWERABLE, Question

_LETTERS: Final = str.maketrans(
    {
        "ß": "ss",
        "ø": "o",
        "Ø": "O",
        "æ": "ae",
        "Æ": "Ae",
        "ł": "l",
        "Ł": "L",
        "đ": "d",
        "ð": "d",
        "þ": "th",
        "œ": "oe",
        "ı": "i",
    }
)


def folded(text: str) -> str:
    """Return ``text`` with plain Latin letters for accented ones, since names are printed with and without accents."""
    if text.isascii():
        return text
    plain = text.translate(_LETTERS)
    return "".join(
        unicodedata.normalize("NFKD", char)[0] if "\u00c0" <= char <= "\u024f" or "\u1e00" <= char <= "\u1eff" else char
        for char in plain
    )


WORD_OR_SIGN: Final = re.compile(r"\w+")
# Thai, and Chinese and Japanese characters.
_UNSPACED: Final = re.compile("[\u0e00-\u0e7f\u2e80-\u9fff\uf900-\ufaff]")
_CURRENCY: Final = "$€£¥"


# --- Answer leak -----------------------------------------------------------------------------------------------------


def normalise(text: str) -> str:
    r"""Return ``text`` as the leak gate compares it.

    As ``lists.normalise_answer`` gives it, and words broken at a line end joined, thousands separators taken out,
    ``percent`` written ``%``, and percent and currency signs set against their number.

    >>> normalise("Infor-\nmation:  1,250\u00a0per cent")
    'information: 1250%'
    """
    text = normalise_answer(text)
    text = re.sub(r"(?<=[^\W\d_])-\s*(?=[^\W\d_])", "", text)
    text = re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", text)
    text = re.sub(r"(?<=\d)\s*(?:%|per\s?cent\b)", "%", text)
    return re.sub(rf"([{_CURRENCY}])\s+(?=\d)", r"\1", text)


def answer_parts(question: Question) -> tuple[str, ...]:
    """Return the items of a list answer, or the one answer."""
    return list_items(question.answer) if question.answer_format == "List" else (question.answer,)


def searchable_items(question: Question) -> tuple[str, ...]:
    """Return the normalised parts of the answer that are long or telling enough to be searched for.

    Items of fewer than four characters are skipped unless they hold a percent sign, a currency sign or a decimal
    point, and so are bare whole numbers under 100; years stay (appendix A.1 names the rule, the limits are ours).
    """
    if question.answer.startswith(NOT_ANSWERABLE):
        return ()
    items = map(normalise, answer_parts(question))
    return tuple(item for item in items if item and not _too_plain(item))


def _too_plain(item: str) -> bool:
    if re.fullmatch(r"[-+]?\d+", item) and abs(int(item)) < 100:
        return True
    return len(item) < 4 and not re.search(rf"[%{_CURRENCY}]|\d\.\d", item)


def find_phrase(phrase: str, text: str) -> int:
    """Return where ``phrase`` stands in ``text`` between word boundaries, both normalised, or -1.

    A number is not found inside a longer number: 3.5 is neither in 13.5 nor in 3.55 nor in 3.5.1. Scripts that are
    written without spaces have no word boundaries to look for.
    """
    # A plain search first: it is many times faster, and nearly always settles the matter.
    if not phrase or phrase not in text:
        return -1
    before = "" if _UNSPACED.match(phrase[0]) else r"(?<!\w)(?<!\d[.,])" if phrase[0].isdigit() else r"(?<!\w)"
    after = "" if _UNSPACED.match(phrase[-1]) else r"(?!\w)(?![.,]\d)" if phrase[-1].isdigit() else r"(?!\w)"
    found = re.search(before + re.escape(phrase) + after, text)
    return found.start() if found else -1
