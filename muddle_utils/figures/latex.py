r"""LaTeX tables that fit: on a page, in a column if they are narrow, and on several pages if they are long.

Texts wrap in columns that are shares of ``\linewidth``; columns that do not fit beside each other are set as several
tables below each other, each beginning with what names its rows; more lines than a page holds are a ``longtable``.
Needed are the packages booktabs, array and longtable. Widths are counted in digits, since no font is at hand.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Final

import pandas as pd

PACKAGES: Final = ("booktabs", "array", "longtable")
# A text block of 345 points, as of the class article, in its type of 8 points, less a margin for wide letters.
_LINE: Final = 70.0
_BETWEEN: Final = 1.5  # six points between columns
_WRAPS: Final = 44.0  # a column wider than this is wrapped sooner than that another is set below
_LINES_ON_A_PAGE: Final = 42
_BREAKS_ANYWHERE: Final = 20  # letters of a word that no sign parts
_ENGINES: Final = "XeLaTeX or LuaLaTeX"

_ESCAPES: Final = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "&": r"\&",
        "%": r"\%",
        "$": r"\$",
        "#": r"\#",
        "_": r"\_\allowbreak{}",
        "/": r"/\allowbreak{}",
        "{": r"\{",
        "}": r"\}",
        "~": r"\textasciitilde{}",
        "\xa0": "~",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "–": "--",
        "−": "$-$",
        "→": r"$\rightarrow$",
        "≤": r"$\leq$",
        "≥": r"$\geq$",
    }
)
# What pdfLaTeX can set without another font: Latin letters and the usual signs.
_SET_BY_ALL: Final = re.compile("[\x20-\u017f‘’“”–—…•€™−→≤≥]*")
_NUMBER: Final = re.compile(r"[-+−–<$\d][\d,. /–−()]*")
_INTERVAL: Final = re.compile(r"[-+−]?[\d.,]+ \[[-+−]?[\d.,]+, [-+−]?[\d.,]+\]")


def numeric(table: pd.DataFrame) -> list[bool]:
    """Return of each column of a table of texts whether it holds nothing but numbers and dashes."""
    return [all(_NUMBER.fullmatch(value) for value in table.iloc[:, place]) for place in range(table.shape[1])]


def escaped(text: object) -> str:
    """Return any value as LaTeX text on one line: no character of it can act as a command, and long words may part."""
    line = " ".join("".join(filter(_is_seen, str(text))).split())
    words = _INTERVAL.sub(lambda found: found[0].replace(" ", "\xa0"), line).split(" ")
    return " ".join(map(_parted, words))


def _is_seen(character: str) -> bool:
    return character.isspace() or unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Co", "Cn")


def _parted(word: str) -> str:
    if max(map(len, _pieces(word)), default=0) > _BREAKS_ANYWHERE and "\xa0" not in word:
        return r"\allowbreak{}".join(letter.translate(_ESCAPES) for letter in word)
    return word.translate(_ESCAPES)


def _pieces(text: str) -> list[str]:
    """Return what no line can be broken in."""
    if _INTERVAL.fullmatch(text):
        return [text]
    return re.findall(r"[^\s/_-]+[/_-]?|[/_-]", text)


def latex_table(table: pd.DataFrame, caption: str, label: str, notes: Sequence[str]) -> str:
    """Return a table of texts as LaTeX with booktabs rules; numbers are set right, words left."""
    texts = [[str(name), *map(str, table.iloc[:, place])] for place, name in enumerate(table.columns)]
    natural = [max(map(_width, column)) + _BETWEEN for column in texts]
    needed = [max(_least(column), min(width, _WRAPS) / 2) for column, width in zip(texts, natural, strict=True)]
    blocks = list(_blocks(needed, _n_naming(table, needed)))
    shares = [_shares([needed[place] for place in block], [natural[place] for place in block]) for block in blocks]
    n_lines = sum(_n_lines(texts, block, widths) for block, widths in zip(blocks, shares, strict=True))
    is_long = n_lines > _LINES_ON_A_PAGE
    right = numeric(table)
    parts: list[str] = []
    for block, widths in zip(blocks, shares, strict=True):
        kinds = "".join(_kind(right[place], width) for place, width in zip(block, widths, strict=True))
        rows = [" & ".join(escaped(texts[place][row]) for place in block) + r" \\" for row in range(len(table) + 1)]
        parts.append(_long(kinds, rows, "" if parts else _caption(caption, label)) if is_long else _one(kinds, rows))
    below = [rf"\par\smallskip {escaped(note)}\par" for note in notes]
    body = "\n\\par\\medskip\n".join(parts)
    if is_long:
        lines = [r"\begingroup", r"\footnotesize\setlength{\tabcolsep}{3pt}\setlength{\LTcapwidth}{\linewidth}", body]
        lines += [r"\noindent\begin{minipage}{\linewidth}\raggedright\footnotesize", *below, r"\end{minipage}"]
        lines += [r"\par\endgroup"]
    else:
        lines = [r"\begin{table}", r"\centering\footnotesize\setlength{\tabcolsep}{3pt}", _caption(caption, label)]
        lines += [body, *below, r"\end{table}"]
    strange = sorted({sign for sign in "".join(lines) if sign != "\n" and not _SET_BY_ALL.fullmatch(sign)})
    needs = f"% needs {', '.join(PACKAGES)}"
    needs += f"; {_ENGINES} with a font that has {' '.join(strange)}" if strange else ""
    return "\n".join([needs, *lines, ""])


def _least(column: Sequence[str]) -> float:
    """Return how wide a column of texts has to be, so that no line of it is broken within a word."""
    pieces = [piece for text in column for piece in _pieces(text)]
    wide = [_width(piece) for piece in pieces if len(piece) <= _BREAKS_ANYWHERE or _INTERVAL.fullmatch(piece)]
    return max(wide, default=float(_BREAKS_ANYWHERE)) + _BETWEEN


def _width(text: str) -> float:
    """Return about how many digits wide a text is."""
    return sum(1.45 if sign.isupper() or sign in "mwMW%@—−+" else 2 if ord(sign) > 0x2E7F else 1 for sign in text)


def _n_naming(table: pd.DataFrame, needed: Sequence[float]) -> int:
    """Return how many of the first columns name a row: as many as make the rows unlike, within half a line."""
    n = 1
    while n < table.shape[1] and table.iloc[:, :n].duplicated().any() and sum(needed[: n + 1]) <= _LINE / 2:
        n += 1
    return min(n, table.shape[1])


def _blocks(needed: Sequence[float], n_naming: int) -> Iterator[list[int]]:
    """Yield the columns, by place, that are set beside each other."""
    naming = list(range(n_naming))
    block = list(naming)
    for place in range(n_naming, len(needed)):
        if len(block) > n_naming and sum(needed[each] for each in [*block, place]) > _LINE:
            yield block
            block = list(naming)
        block.append(place)
    yield block


def _shares(needed: Sequence[float], natural: Sequence[float]) -> list[float]:
    """Return the widths of columns as shares of a line, or zeros where each has room for its own."""
    if sum(natural) <= _LINE:
        return [0.0] * len(natural)
    total, spare = sum(needed), max(_LINE - sum(needed), 0)
    beyond = [max(min(width, _WRAPS) - least, 0) for least, width in zip(needed, natural, strict=True)]
    widths = [least + spare * more / max(sum(beyond), 1e-9) for least, more in zip(needed, beyond, strict=True)]
    return [width / max(total, sum(widths)) for width in widths]


def _n_lines(texts: Sequence[Sequence[str]], block: Sequence[int], widths: Sequence[float]) -> int:
    """Return about how many lines the rows of a block take, heading included."""
    return sum(
        max(
            -(-int(_width(texts[place][row])) // max(int(width * _LINE - _BETWEEN), 1)) if width else 1
            for place, width in zip(block, widths, strict=True)
        )
        for row in range(len(texts[block[0]]))
    )


def _kind(is_number: bool, width: float) -> str:
    """Return one column's specification: its own width, or a share of the line."""
    if not width:
        return "r" if is_number else "l"
    ragged = r"\raggedleft" if is_number else r"\raggedright"
    return rf">{{{ragged}\arraybackslash}}p{{\dimexpr {width:.4f}\linewidth-2\tabcolsep\relax}}"


def _caption(caption: str, label: str) -> str:
    return rf"\caption{{{escaped(caption)}}}" + "\n" + rf"\label{{tab:{label}}}"


def _one(kinds: str, rows: Sequence[str]) -> str:
    heading, *body = rows
    return "\n".join(
        [
            rf"\begin{{tabular}}{{{kinds}}}",
            r"\toprule",
            heading,
            r"\midrule",
            *body,
            r"\bottomrule",
            r"\end{tabular}",
        ]
    )


def _long(kinds: str, rows: Sequence[str], caption: str) -> str:
    heading, *body = rows
    begin = [rf"\begin{{longtable}}{{{kinds}}}", *([rf"{caption}\\"] if caption else [])]
    head = [r"\toprule", heading, r"\midrule"]
    end = [r"\bottomrule", r"\end{longtable}"]
    return "\n".join([*begin, *head, r"\endfirsthead", *head, r"\endhead", *body, *end])
