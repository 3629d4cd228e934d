"""Set the documents of the demo corpus: blocks of content in, one deterministic PDF out.

``sources`` reads a document as a list of blocks (``heading``, ``para``, ``table`` and so on) under a ``Style``;
``build_pdf`` sets them with reportlab. A block is a function from a ``Sheet`` (the resolved style) to flowables, so the
same story can be set twice, once to learn the page numbers and once to print them in the table of contents. Only the
PDF base-14 fonts are used and nothing is embedded, which keeps a document of fifteen pages under 60 kB; text must
therefore be encodable in cp1252. Lengths are in points.

Inside any text, ``**bold**`` and ``*italic*`` are the only mark-up.
"""

import io
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from string import ascii_lowercase
from typing import Any
from xml.sax.saxutils import escape

import numpy as np
import pymupdf
from PIL import Image, ImageFilter
from reportlab import rl_config
from reportlab.graphics.charts.barcharts import VerticalBarChart
from reportlab.graphics.charts.legends import Legend
from reportlab.graphics.charts.linecharts import HorizontalLineChart
from reportlab.graphics.shapes import Drawing, String
from reportlab.lib.colors import Color, HexColor, black, white
from reportlab.lib.enums import TA_CENTER, TA_JUSTIFY, TA_LEFT, TA_RIGHT
from reportlab.lib.pagesizes import A4, A5, B5, LETTER
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    BaseDocTemplate,
    CondPageBreak,
    Flowable,
    Frame,
    FrameBreak,
    HRFlowable,
    KeepTogether,
    NextPageTemplate,
    PageBreak,
    PageTemplate,
    Paragraph,
    Spacer,
    Table,
    TableStyle,
)

rl_config.useA85 = 0  # streams as bytes: a fifth smaller

PAGE_SIZES = {"a4": A4, "a5": A5, "b5": B5, "letter": LETTER, "a4-landscape": (A4[1], A4[0])}
FONTS = {
    "serif": ("Times-Roman", "Times-Bold", "Times-Italic", "Times-BoldItalic"),
    "sans": ("Helvetica", "Helvetica-Bold", "Helvetica-Oblique", "Helvetica-BoldOblique"),
    "mono": ("Courier", "Courier-Bold", "Courier-Oblique", "Courier-BoldOblique"),
}
CHOICES = {
    "page": PAGE_SIZES,
    "font": FONTS,
    "heading_font": ("", *FONTS),
    "headings": ("plain", "ruled", "caps", "bar", "centred"),
    "tables": ("rules", "grid", "zebra"),
}
LABEL_STYLES = {"arabic": "ARABIC", "roman": "ROMAN_LOWER", "ROMAN": "ROMAN_UPPER", "none": None}
SCAN_WIDTH = 1240


@dataclass(frozen=True)
class Style:
    """How a document looks.

    ``header`` and ``footer`` may hold up to three parts divided by ``|`` (left, centre, right; two parts are left and
    right; one part is centred) and the placeholders ``{page}`` (the page's label), ``{title}`` and ``{section}`` (the
    last level-1 heading). ``first_label`` is (numbering, start, prefix) of page 1, numbering in arabic, roman, ROMAN,
    none; ``page_labels`` blocks change it later. ``mirror`` swaps left and right on even pages. ``bands`` sets level-2
    headings as dark strips with white text, as brochures have them.
    """

    page: str = "a4"
    font: str = "serif"
    heading_font: str = ""
    size: float = 10.0
    leading: float = 0.0
    columns: int = 1
    margin: float = 62.0
    gap: float = 18.0
    header: str = ""
    footer: str = "{page}"
    mirror: bool = False
    rule_under_header: bool = True
    first_label: tuple[str, int, str] = ("arabic", 1, "")
    accent: str = "#1f3a4d"
    justify: bool = True
    indent: bool = False
    headings: str = "plain"
    tables: str = "rules"
    bands: bool = False
    bullet: str = "\u2022"

    def __post_init__(self) -> None:
        """Refuse a choice that there is not; raises ValueError."""
        for name, known in CHOICES.items():
            if getattr(self, name) not in known:
                raise ValueError(f"style.{name} = {getattr(self, name)!r} is none of {', '.join(known)}")


@dataclass(frozen=True)
class DemoDocument:
    """One document: ``document_id`` is its file name below ``documents/``; ``scanned_pages`` are physical, from 1."""

    document_id: str
    document_type: str
    family: str
    style: Style
    story: Sequence["Block"]
    title: str
    role: str
    author: str = ""
    scanned_pages: Sequence[int] = ()


@dataclass(frozen=True)
class DemoQuestion:
    """One question about one source document; its evidence pages are found from ``evidence_spans``.

    ``evidence_spans`` are exact substrings of a page's text (any white space counts as one space; table cells read from
    left to right, row by row, so a row is ``Label 1,234 5,678``). ``answer_format`` None (the string) is an
    unanswerable question: the answer is ``Not answerable`` and there are no spans. A list answer is a JSON list.
    """

    question_id: str
    document_id: str
    question: str
    answer: str
    answer_format: str
    task_type: str
    skill: str
    evidence_sources: Sequence[str] = ()
    evidence_spans: Sequence[str] = ()


@dataclass
class Sheet:
    """The resolved style a block sets itself with."""

    style: Style
    title: str
    contents: Sequence[tuple[int, str, str]]
    column_width: float
    full_width: float
    columns: int
    first_in_section: bool = True
    has_contents: bool = False

    @property
    def width(self) -> float:
        """The width of the column the block stands in."""
        return self.column_width if self.columns > 1 else self.full_width

    @property
    def accent(self) -> Color:
        """The colour of rules and headings."""
        return HexColor(self.style.accent)

    @property
    def fonts(self) -> tuple[str, str, str, str]:
        """Regular, bold, italic and bold italic of the text."""
        return FONTS[self.style.font]

    @property
    def heading_fonts(self) -> tuple[str, str, str, str]:
        """The same of the headings."""
        return FONTS[self.style.heading_font or self.style.font]

    def text(self, name: str, **changes: object) -> ParagraphStyle:
        """Return a paragraph style: that of the body text with the changes."""
        size = self.style.size
        defaults: dict[str, Any] = {
            "fontName": self.fonts[0],
            "fontSize": size,
            "leading": self.style.leading or size * 1.28,
            "alignment": TA_JUSTIFY if self.style.justify else TA_LEFT,
            "spaceAfter": 0 if self.style.indent else size * 0.6,
            "allowWidows": 0,
            "allowOrphans": 0,
            "splitLongWords": 0,
        }
        defaults.update(changes)
        if "fontSize" in changes and "leading" not in changes:
            defaults["leading"] = defaults["fontSize"] * 1.25
        return ParagraphStyle(name, **defaults)


Block = Callable[[Sheet], list[Flowable]]


def marked_up(text: str) -> str:
    """Return reportlab mark-up for plain text with ``**bold**`` and ``*italic*``."""
    text = escape(" ".join(text.split()))
    text = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", text)
    return re.sub(r"\*(.+?)\*", r"<i>\1</i>", text)


# --- flowables that act on the page they land on -------------------------------------------------------------------


class _Mark(Flowable):
    """Nothing to see: does something to the document when its page is drawn."""

    def __init__(self, action: Callable[["_Template", Canvas], None]) -> None:
        super().__init__()
        self.action = action
        self.width = self.height = 0

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        return 0, 0

    def draw(self) -> None:
        self.action(self.canv._doctemplate, self.canv)


class _Heading(Paragraph):
    """A paragraph that reports itself to the table of contents and the PDF outline."""

    def __init__(self, markup: str, style: ParagraphStyle, level: int, plain: str) -> None:
        super().__init__(markup, style)
        self.level, self.plain = level, plain

    def draw(self) -> None:
        self.canv._doctemplate.note_heading(self.canv, self.level, self.plain)
        super().draw()


class _Band(Flowable):
    """A filled strip with a line of text in it, as wide as its column."""

    def __init__(self, text: str, font: str, size: float, fill: Color, ink: Color) -> None:
        super().__init__()
        self.text, self.font, self.size, self.fill, self.ink = text, font, size, fill, ink

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        self.width, self.height = width, self.size * 2.0
        return self.width, self.height

    def draw(self) -> None:
        self.canv.setFillColor(self.fill)
        self.canv.rect(0, 0, self.width, self.size * 1.7, stroke=0, fill=1)
        self.canv.setFillColor(self.ink)
        self.canv.setFont(self.font, self.size)
        self.canv.drawString(self.size * 0.6, self.size * 0.52, self.text)


# --- blocks ---------------------------------------------------------------------------------------------------------


def heading(text: str, level: int = 1) -> Block:
    """A heading of level 1 to 3; level 1 and 2 go to the contents and the outline."""

    def block(sheet: Sheet) -> list[Flowable]:
        style, size = sheet.style, sheet.style.size
        if style.bands and level == 2:
            return _band(sheet, text)
        scale = {1: 1.55, 2: 1.2, 3: 1.0}[level]
        if style.columns > 1:
            scale = {1: 1.2, 2: 1.05, 3: 1.0}[level]
        font = sheet.heading_fonts[3 if level == 3 else 1]
        shown = text.upper() if style.headings == "caps" and level == 1 else text
        paragraph = sheet.text(
            f"heading-{level}",
            fontName=font,
            fontSize=size * scale,
            alignment=TA_CENTER if style.headings == "centred" and level == 1 else TA_LEFT,
            textColor=sheet.accent if level < 3 else black,
            spaceBefore=size * {1: 1.3, 2: 1.0, 3: 0.7}[level],
            spaceAfter=size * {1: 0.6, 2: 0.4, 3: 0.25}[level],
            keepWithNext=1,
        )
        if style.headings == "bar" and level == 1:
            paragraph.borderPadding = (2, 4, 3, 6)
            paragraph.backColor = HexColor("#e4e4e4")
        sheet.first_in_section = True
        made: list[Flowable] = [_Heading(marked_up(shown), paragraph, level, text)]
        if style.headings == "ruled" and level == 1:
            rule = HRFlowable(width="100%", thickness=0.8, color=sheet.accent, spaceBefore=0, spaceAfter=size * 0.5)
            rule.keepWithNext = 1
            made.append(rule)
        return made

    return block


def _band(sheet: Sheet, text: str) -> list[Flowable]:
    strip = _Band(text, sheet.heading_fonts[1], sheet.style.size * 1.2, sheet.accent, white)
    strip.keepWithNext = 1
    return [_Mark(lambda document, canvas: document.note_heading(canvas, 2, text)), strip, Spacer(1, 4)]


def para(text: str, *, lead: bool = False, centred: bool = False) -> Block:
    """A paragraph; ``lead`` sets it larger, as an opening statement."""

    def block(sheet: Sheet) -> list[Flowable]:
        changes: dict[str, Any] = {}
        if sheet.style.indent and not sheet.first_in_section:
            changes["firstLineIndent"] = sheet.style.size * 1.3
        if lead:
            changes |= {"fontSize": sheet.style.size * 1.2, "spaceAfter": sheet.style.size * 0.8, "firstLineIndent": 0}
        if centred:
            changes |= {"alignment": TA_CENTER, "firstLineIndent": 0}
        sheet.first_in_section = False
        return [Paragraph(marked_up(text), sheet.text("para", **changes))]

    return block


def note(text: str) -> Block:
    """Small print: a footnote, a source line, a remark under a table."""

    def block(sheet: Sheet) -> list[Flowable]:
        size = sheet.style.size
        return [Paragraph(marked_up(text), sheet.text("note", fontSize=size * 0.82, spaceAfter=size * 0.7))]

    return block


def quote(text: str, who: str = "") -> Block:
    """An indented quotation, with who said it."""

    def block(sheet: Sheet) -> list[Flowable]:
        size = sheet.style.size
        style = sheet.text(
            "quote",
            fontName=sheet.fonts[2],
            leftIndent=size * 2,
            rightIndent=size * 2,
            spaceBefore=size * 0.4,
            spaceAfter=size * 0.6,
        )
        made: list[Flowable] = [Paragraph(marked_up(text), style)]
        if who:
            made.append(
                Paragraph(marked_up(who), sheet.text("who", alignment=TA_RIGHT, rightIndent=size * 2, spaceAfter=size))
            )
        return made

    return block


def _items(sheet: Sheet, marks: Sequence[str], items: Sequence[str]) -> list[Flowable]:
    size = sheet.style.size
    style = sheet.text(
        "item",
        leftIndent=size * 1.7,
        bulletIndent=size * 0.3,
        spaceAfter=size * 0.28,
        alignment=TA_LEFT,
        bulletFontName=sheet.fonts[0],
        bulletFontSize=size,
    )
    made: list[Flowable] = [
        Paragraph(marked_up(item), style, bulletText=mark) for mark, item in zip(marks, items, strict=True)
    ]
    return [*made, Spacer(1, size * 0.4)]


def bullets(items: Sequence[str], mark: str = "") -> Block:
    """A bulleted list; ``mark`` overrides the style's bullet."""
    return lambda sheet: _items(sheet, [mark or sheet.style.bullet] * len(items), items)


def numbered(items: Sequence[str], start: int = 1, form: str = "{}.") -> Block:
    """A numbered list; ``form`` is how a number is written, such as ``({})`` or ``Step {}``."""
    return lambda sheet: _items(sheet, [form.format(start + i) for i in range(len(items))], items)


def lettered(items: Sequence[str], form: str = "({})") -> Block:
    """A list lettered (a), (b), (c)."""
    return lambda sheet: _items(sheet, [form.format(ascii_lowercase[i]) for i in range(len(items))], items)


def _is_number(text: str) -> bool:
    digits = bool(re.search(r"\d", text)) and not re.search(r"[A-Za-z]{4,}", text)
    return digits or text in {"-", "\u2013", "\u2014", "n/a", "nil", ""}


def table(
    rows: Sequence[Sequence[str]],
    header: bool = True,
    widths: Sequence[float] | None = None,
    caption: str = "",
    align: Sequence[str] = (),
    total_rows: Sequence[int] = (),
    size: float = 0.0,
    keep: bool | None = None,
) -> Block:
    """A table of strings, the caption above it.

    ``widths`` are relative; without them the first column is twice as wide as the others. ``align`` has ``l``, ``c`` or
    ``r`` per column; where it is empty, a column whose cells are mostly numbers is right-aligned. Rows listed in
    ``total_rows`` (from 0, which is the header where there is one; negatives count from the end) are bold with a rule
    above. Tables of up to 16 rows are kept on one page.
    """
    count = len(rows[0])
    if widths and len(widths) != count:
        raise ValueError(f"{len(widths)} widths for {count} columns")

    def block(sheet: Sheet) -> list[Flowable]:
        body = rows[1:] if header else rows
        alignment = [
            given or ("r" if i and sum(_is_number(row[i]) for row in body) > len(body) / 2 else "l")
            for i, given in enumerate(align or [""] * count)
        ]
        shares = list(widths) if widths else [2.0, *[1.0] * (count - 1)]
        total = sum(shares)
        points = [share / total * sheet.width for share in shares]
        scale = size or (sheet.style.size * (0.86 if sheet.columns == 1 else 0.8))
        strong = {i % len(rows) for i in total_rows} | ({0} if header else set())
        codes = {"l": TA_LEFT, "c": TA_CENTER, "r": TA_RIGHT}
        styles = {
            (bold, letter): sheet.text(
                "cell",
                fontName=sheet.fonts[1 if bold else 0],
                fontSize=scale,
                leading=scale * 1.2,
                alignment=codes[letter],
                spaceAfter=0,
            )
            for bold in (False, True)
            for letter in "lcr"
        }
        fonts = sheet.fonts

        def content(text: str, row: int, column: int) -> str | Paragraph:
            bold = row in strong
            shown = marked_up(text)
            if "<" not in shown and "&" not in shown and stringWidth(shown, fonts[bold], scale) <= points[column] - 7:
                return shown  # a bare string is set many times faster than a paragraph
            return Paragraph(shown, styles[bold, alignment[column]])

        data = [[content(cell, i, j) for j, cell in enumerate(row)] for i, row in enumerate(rows)]
        commands: list[tuple[Any, ...]] = [
            ("FONT", (0, 0), (-1, -1), fonts[0], scale, scale * 1.2),
            *(("FONT", (0, i), (-1, i), fonts[1], scale, scale * 1.2) for i in sorted(strong)),
            *(
                ("ALIGN", (j, 0), (j, -1), {"l": "LEFT", "c": "CENTER", "r": "RIGHT"}[letter])
                for j, letter in enumerate(alignment)
            ),
            ("VALIGN", (0, 0), (-1, -1), "TOP"),
            ("TOPPADDING", (0, 0), (-1, -1), 1.6),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 2.4),
            ("LEFTPADDING", (0, 0), (-1, -1), 3),
            ("RIGHTPADDING", (0, 0), (-1, -1), 3),
        ]
        if sheet.style.tables == "grid":
            commands.append(("GRID", (0, 0), (-1, -1), 0.4, HexColor("#777777")))
        else:
            commands += [
                ("LINEABOVE", (0, 0), (-1, 0), 0.9, sheet.accent),
                ("LINEBELOW", (0, -1), (-1, -1), 0.9, sheet.accent),
            ]
            if header:
                commands.append(("LINEBELOW", (0, 0), (-1, 0), 0.5, sheet.accent))
        if sheet.style.tables == "zebra":
            commands += [
                ("BACKGROUND", (0, i), (-1, i), HexColor("#eeeeee")) for i in range(2 if header else 1, len(rows), 2)
            ]
        if header and sheet.style.tables != "rules":
            commands.append(("BACKGROUND", (0, 0), (-1, 0), HexColor("#dddddd")))
        commands += [("LINEABOVE", (0, i % len(rows)), (-1, i % len(rows)), 0.5, black) for i in total_rows]
        made: list[Flowable] = []
        if caption:
            made.append(
                Paragraph(
                    marked_up(caption),
                    sheet.text(
                        "caption",
                        fontName=sheet.fonts[1],
                        fontSize=scale,
                        alignment=TA_LEFT,
                        spaceBefore=scale * 0.5,
                        spaceAfter=scale * 0.4,
                        keepWithNext=1,
                    ),
                )
            )
        grid = Table(data, colWidths=points, repeatRows=1 if header else 0, style=TableStyle(commands), hAlign="LEFT")
        grid.spaceAfter = sheet.style.size * 1.1
        made.append(grid)
        together = keep if keep is not None else len(rows) <= 16
        return [KeepTogether(made)] if together else made

    return block


def _grey(index: int, total: int) -> Color:
    shade = 0.25 + 0.55 * index / max(total - 1, 1)
    return Color(shade, shade, shade)


def _legend_rows(names: Sequence[str], font: str, width: float) -> int:
    longest = max(stringWidth(name, font, 7.5) for name in names)
    return 2 if len(names) > 1 and (longest + 24) * len(names) > width - 60 else 1


def _chart_legend(
    drawing: Drawing, names: Sequence[str], colours: Sequence[Color], font: str, width: float, height: float
) -> None:
    legend = Legend()
    legend.x, legend.y = 40, height - 2
    legend.boxAnchor = "nw"
    legend.fontName, legend.fontSize = font, 7.5
    rows = _legend_rows(names, font, width)
    legend.alignment, legend.columnMaximum, legend.dx, legend.dy = "right", rows, 7, 7
    legend.deltax = (width - 60) / max(-(-len(names) // rows), 1)
    legend.deltay = 10
    legend.autoXPadding = 6
    legend.colorNamePairs = list(zip(colours, names, strict=True))
    drawing.add(legend)


def _chart(
    kind: type[VerticalBarChart] | type[HorizontalLineChart],
    dress: Callable[[Any, Sequence[Color]], None],
    categories: Sequence[str],
    series: Mapping[str, Sequence[float]],
    caption: str,
    height: float,
    unit: str,
) -> Block:
    def block(sheet: Sheet) -> list[Flowable]:
        width, font, names = min(sheet.width, 430.0), sheet.fonts[0], list(series)
        drawing, chart = Drawing(width, height), kind()
        drawing.hAlign = "CENTER"
        chart.x, chart.y, chart.width = 40, 26, width - 55
        chart.height = height - 44 - 10 * _legend_rows(names, font, width)
        chart.data = [list(values) for values in series.values()]
        chart.categoryAxis.categoryNames = list(categories)
        chart.categoryAxis.labels.fontName = chart.valueAxis.labels.fontName = font
        chart.categoryAxis.labels.fontSize = chart.valueAxis.labels.fontSize = 7.5
        if max(stringWidth(name, font, 7.5) for name in categories) + 3 > (width - 55) / len(categories):
            chart.categoryAxis.labels.fontSize = 5.6
        colours = [_grey(i, len(names)) for i in range(len(names))]
        dress(chart, colours)
        drawing.add(chart)
        if len(names) > 1:
            _chart_legend(drawing, names, colours, font, width, height)
        if unit:
            drawing.add(String(width - 15, height - 10, unit, fontName=font, fontSize=7.5, textAnchor="end"))
        return [KeepTogether([drawing, *_figure_caption(sheet, caption)])]

    return block


def _figure_caption(sheet: Sheet, caption: str) -> list[Flowable]:
    size = sheet.style.size * 0.86
    style = sheet.text(
        "figure", fontName=sheet.fonts[2], fontSize=size, alignment=TA_CENTER, spaceBefore=3, spaceAfter=size
    )
    return [Paragraph(marked_up(caption), style)] if caption else []


def bar_chart(
    categories: Sequence[str],
    series: Mapping[str, Sequence[float]],
    caption: str = "",
    height: float = 170.0,
    unit: str = "",
    labels: bool = False,
) -> Block:
    """A bar chart in greys; ``labels`` prints the values on the bars (they then are text on the page)."""

    def dress(chart: VerticalBarChart, colours: Sequence[Color]) -> None:
        chart.valueAxis.valueMin = 0 if min(map(min, series.values())) >= 0 else None
        for i, colour in enumerate(colours):
            chart.bars[i].fillColor, chart.bars[i].strokeColor = colour, None
        if labels:
            chart.barLabelFormat = "%s"
            font = chart.valueAxis.labels.fontName
            chart.barLabels.fontName, chart.barLabels.fontSize, chart.barLabels.nudge = font, 7, 6

    return _chart(VerticalBarChart, dress, categories, series, caption, height, unit)


def line_chart(
    categories: Sequence[str],
    series: Mapping[str, Sequence[float]],
    caption: str = "",
    height: float = 170.0,
    unit: str = "",
) -> Block:
    """A line chart in greys, one line a series."""

    def dress(chart: HorizontalLineChart, colours: Sequence[Color]) -> None:
        for i, colour in enumerate(colours):
            chart.lines[i].strokeColor, chart.lines[i].strokeWidth = colour, 1.4
            chart.lines[i].strokeDashArray = [None, (4, 2), (1, 2), (6, 2, 1, 2)][i % 4]

    return _chart(HorizontalLineChart, dress, categories, series, caption, height, unit)


def box(texts: Sequence[str], title: str = "") -> Block:
    """A framed call-out of one or several paragraphs (kept on one page)."""

    def block(sheet: Sheet) -> list[Flowable]:
        size = sheet.style.size
        body = sheet.text("box", fontSize=size * 0.95, alignment=TA_LEFT, spaceAfter=size * 0.3)
        inner: list[Flowable] = []
        if title:
            inner.append(
                Paragraph(
                    marked_up(title),
                    sheet.text(
                        "box-title",
                        fontName=sheet.heading_fonts[1],
                        fontSize=size,
                        alignment=TA_LEFT,
                        textColor=sheet.accent,
                        spaceAfter=size * 0.3,
                    ),
                )
            )
        inner += [Paragraph(marked_up(item), body) for item in texts]
        frame = Table(
            [[inner]],
            colWidths=[sheet.width],
            style=TableStyle(
                [
                    ("BOX", (0, 0), (-1, -1), 0.7, sheet.accent),
                    ("BACKGROUND", (0, 0), (-1, -1), HexColor("#f3f3f3")),
                    ("LEFTPADDING", (0, 0), (-1, -1), 8),
                    ("RIGHTPADDING", (0, 0), (-1, -1), 8),
                    ("TOPPADDING", (0, 0), (-1, -1), 6),
                    ("BOTTOMPADDING", (0, 0), (-1, -1), 6),
                ]
            ),
        )
        frame.spaceBefore, frame.spaceAfter = size * 0.5, size
        return [frame]

    return block


def side_by_side(left: Sequence[Block], right: Sequence[Block], share: float = 0.5) -> Block:
    """Two stacks of blocks beside each other, to fit on one page; ``share`` is the left one's part of the width."""

    def block(sheet: Sheet) -> list[Flowable]:
        columns, full = sheet.columns, sheet.full_width
        width, gap = sheet.width, sheet.style.gap
        widths = [(width - gap) * share, (width - gap) * (1 - share)]
        stacks = []
        for blocks, part in zip((left, right), widths, strict=True):
            sheet.columns, sheet.full_width = 1, part
            stacks.append(_loose([flowable for one in blocks for flowable in one(sheet)]))
        sheet.columns, sheet.full_width = columns, full
        pad = TableStyle(
            [
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
                ("LEFTPADDING", (0, 0), (-1, -1), 0),
                ("RIGHTPADDING", (0, 0), (-1, -1), 0),
            ]
        )
        return [Table([[stacks[0], "", stacks[1]]], colWidths=[widths[0], gap, widths[1]], style=pad)]

    return block


def _loose(flowables: Sequence[Flowable]) -> list[Flowable]:
    """Return the flowables without their KeepTogether wrappers, which cannot be measured inside a table cell."""
    return [part for one in flowables for part in (one._content if isinstance(one, KeepTogether) else [one])]


def rule() -> Block:
    """A thin line across the column."""
    return lambda sheet: [HRFlowable(width="100%", thickness=0.5, color=sheet.accent, spaceBefore=4, spaceAfter=6)]


def space(points: float) -> Block:
    """Vertical white space."""
    return lambda sheet: [Spacer(1, points)]


def page_break() -> Block:
    """Go on at the top of the next page."""
    return lambda sheet: [PageBreak()]


def need(points: float) -> Block:
    """Break the page (or column) unless so many points are left on it."""
    return lambda sheet: [CondPageBreak(points)]


def page_labels(numbering: str, start: int = 1, prefix: str = "") -> Block:
    """From this page on, number so: put it right after a ``page_break``. numbering: arabic, roman, ROMAN or none."""
    if numbering not in LABEL_STYLES:
        raise ValueError(f"numbering {numbering!r} is none of {sorted(LABEL_STYLES)}")
    return lambda sheet: [_Mark(lambda document, canvas: document.relabel(canvas, (numbering, start, prefix)))]


def bare_page() -> Block:
    """No running header or footer on the page this lands on."""
    return lambda sheet: [_Mark(lambda document, canvas: setattr(document, "bare", True))]


def one_column() -> Block:
    """Start a new page set in one column over the whole width."""
    return lambda sheet: _switch(sheet, 1)


def two_column() -> Block:
    """Start a new page set in two columns."""
    return lambda sheet: _switch(sheet, 2)


def _switch(sheet: Sheet, columns: int) -> list[Flowable]:
    sheet.columns = columns
    return [NextPageTemplate("one" if columns == 1 else "two"), PageBreak()]


def title_block(blocks: Sequence[Block]) -> Block:
    """The head of a two-column paper, across both columns of page 1. Only as the first block of a story."""

    def block(sheet: Sheet) -> list[Flowable]:
        columns, sheet.columns = sheet.columns, 1
        made = [flowable for one in blocks for flowable in one(sheet)]
        sheet.columns = columns
        return made

    block.is_title_block = True  # type: ignore[attr-defined]
    return block


def big_title(text: str, subtitle: str = "", centred: bool = True, scale: float = 1.9) -> Block:
    """A title with an optional subtitle, where it stands (not on a page of its own, not in the contents)."""

    def block(sheet: Sheet) -> list[Flowable]:
        size, place = sheet.style.size, TA_CENTER if centred else TA_LEFT
        made: list[Flowable] = [
            Paragraph(
                marked_up(text),
                sheet.text(
                    "title",
                    fontName=sheet.heading_fonts[1],
                    fontSize=size * scale,
                    alignment=place,
                    textColor=sheet.accent,
                    spaceAfter=size * 0.8,
                ),
            )
        ]
        if subtitle:
            made.append(
                Paragraph(
                    marked_up(subtitle),
                    sheet.text(
                        "subtitle",
                        fontName=sheet.heading_fonts[2],
                        fontSize=size * 1.2,
                        alignment=place,
                        spaceAfter=size,
                    ),
                )
            )
        return made

    return block


def cover(
    title: str,
    subtitle: str = "",
    lines: Sequence[str] = (),
    band_text: str = "",
    bottom: Sequence[str] = (),
    drop: float = 140.0,
) -> Block:
    """A cover page without header and footer: a strip, the title, a subtitle, some lines, and lines lower down."""

    def block(sheet: Sheet) -> list[Flowable]:
        size = sheet.style.size
        made: list[Flowable] = bare_page()(sheet)
        if band_text:
            made.append(_Band(band_text, sheet.heading_fonts[1], size * 1.3, sheet.accent, white))
        made.append(Spacer(1, drop))
        made += big_title(title, subtitle, centred=False, scale=2.7)(sheet)
        plain = sheet.text("cover", alignment=TA_LEFT, fontSize=size * 1.05)
        made += [Paragraph(marked_up(line), plain) for line in lines]
        if bottom:
            made.append(Spacer(1, drop))
            made += [Paragraph(marked_up(line), plain) for line in bottom]
        return [*made, PageBreak()]

    return block


def contents(title: str = "Contents", levels: int = 1) -> Block:
    """A table of contents with dot leaders and page labels, of headings down to ``levels``."""

    def block(sheet: Sheet) -> list[Flowable]:
        size = sheet.style.size
        sheet.has_contents = True
        made: list[Flowable] = []
        if title:
            made.append(
                Paragraph(
                    marked_up(title),
                    sheet.text(
                        "contents-title",
                        fontName=sheet.heading_fonts[1],
                        fontSize=size * 1.5,
                        alignment=TA_LEFT,
                        textColor=sheet.accent,
                        spaceAfter=size,
                    ),
                )
            )
        rows = [(level, text, label) for level, text, label in sheet.contents if level <= levels]
        font, room = sheet.fonts[0], sheet.width
        lines = []
        for level, text, label in rows:
            indent = (level - 1) * size * 1.4
            left = stringWidth(text, font, size) + indent
            dots = max(3, int((room - 34 - left - size) / stringWidth(" .", font, size)))
            lines.append(
                [
                    Paragraph(
                        marked_up(text) + " ." * dots,
                        sheet.text("toc", leftIndent=indent, alignment=TA_LEFT, spaceAfter=0, fontSize=size),
                    ),
                    Paragraph(label, sheet.text("toc-page", alignment=TA_RIGHT, spaceAfter=0, fontSize=size)),
                ]
            )
        if lines:
            made.append(
                Table(
                    lines,
                    colWidths=[room - 34, 34],
                    style=TableStyle(
                        [
                            ("LEFTPADDING", (0, 0), (-1, -1), 0),
                            ("RIGHTPADDING", (0, 0), (-1, -1), 0),
                            ("TOPPADDING", (0, 0), (-1, -1), 1),
                            ("BOTTOMPADDING", (0, 0), (-1, -1), 2),
                        ]
                    ),
                )
            )
            made.append(Spacer(1, size))
        return made

    return block


# --- setting a document ---------------------------------------------------------------------------------------------

ROMAN = ((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))


def _roman(number: int) -> str:
    out = ""
    for value, letters_ in ROMAN:
        while number >= value:
            out, number = out + letters_, number - value
    return out


class _Template(BaseDocTemplate):
    """One document being set: frames, running headers and footers, page labels, the record of headings."""

    def __init__(self, target: io.BytesIO, document: DemoDocument, title_height: float) -> None:
        style = document.style
        width, height = PAGE_SIZES[style.page]
        super().__init__(
            target,
            pagesize=(width, height),
            invariant=1,
            title=document.title,
            author=document.author,
            creator="demo corpus",
            subject=document.document_type,
        )
        self.demo, self.bare, self.section = document, False, ""
        self.numbering: tuple[str, int, str] = style.first_label
        self.numbered_from = 1
        self.headings: list[tuple[int, str, str]] = []
        margin, top = style.margin, style.margin + (10 if style.header else 0)
        inner_width, inner_height = width - 2 * margin, height - margin - top
        column = (inner_width - style.gap) / 2

        def frame(x: float, y: float, w: float, h: float) -> Frame:
            return Frame(x, y, w, h, leftPadding=0, rightPadding=0, topPadding=0, bottomPadding=0)

        def columns(h: float) -> list[Frame]:
            return [frame(margin, margin, column, h), frame(margin + column + style.gap, margin, column, h)]

        one = PageTemplate("one", [frame(margin, margin, inner_width, inner_height)], onPageEnd=_furniture)
        two = PageTemplate("two", columns(inner_height), onPageEnd=_furniture)
        front = PageTemplate(
            "front",
            [
                frame(margin, margin + inner_height - title_height, inner_width, title_height),
                *columns(inner_height - title_height),
            ],
            onPageEnd=_furniture,
            autoNextPageTemplate="two",
        )
        first = front if title_height else (one if style.columns == 1 else two)
        self.addPageTemplates([first, *[one_ for one_ in (one, two) if one_ is not first]])
        self.widths = (column, inner_width)

    def label(self, page: int) -> str:
        numbering, start, prefix = self.numbering
        number = start + page - self.numbered_from
        shown = {"arabic": str(number), "roman": _roman(number), "ROMAN": _roman(number).upper(), "none": ""}[numbering]
        return prefix + shown

    def beforeDocument(self) -> None:  # noqa: N802 - the name is reportlab's
        self.relabel(self.canv, self.numbering)

    def relabel(self, canvas: Canvas, numbering: tuple[str, int, str]) -> None:
        self.numbering, self.numbered_from = numbering, max(canvas.getPageNumber(), 1)
        style, start, prefix = numbering
        canvas.addPageLabel(self.numbered_from - 1, LABEL_STYLES[style], start, prefix or None)

    def note_heading(self, canvas: Canvas, level: int, text: str) -> None:
        if level == 1:
            self.section = text
        if level <= 2:
            self.headings.append((level, text, self.label(canvas.getPageNumber())))
            key = f"h{len(self.headings)}"
            canvas.bookmarkPage(key)
            canvas.addOutlineEntry(
                text,
                key,
                level=0 if level == 1 or len(self.headings) == 1 or not any(h[0] == 1 for h in self.headings) else 1,
                closed=1,
            )


def _furniture(canvas: Canvas, document: _Template) -> None:
    """Draw the running header and footer when a page is complete, so that they know what stands on it."""
    if document.bare:
        document.bare = False
        return
    style = document.demo.style
    width, height = PAGE_SIZES[style.page]
    font, size = FONTS[style.heading_font or style.font][0], style.size * 0.8
    page = canvas.getPageNumber()
    canvas.saveState()
    canvas.setFont(font, size)
    canvas.setFillColor(HexColor("#444444"))
    for text, y in ((style.header, height - style.margin * 0.72), (style.footer, style.margin * 0.55)):
        parts = [
            part.strip().format(page=document.label(page), title=document.demo.title, section=document.section)
            for part in text.split("|")
        ]
        left, centre, right = {1: ("", parts[0], ""), 2: (parts[0], "", parts[-1])}.get(len(parts), tuple(parts[:3]))
        if style.mirror and page % 2 == 0:
            left, right = right, left
        canvas.drawString(style.margin, y, left)
        canvas.drawCentredString(width / 2, y, centre)
        canvas.drawRightString(width - style.margin, y, right)
    if style.header and style.rule_under_header:
        canvas.setLineWidth(0.4)
        canvas.line(
            style.margin, height - style.margin * 0.72 - 4, width - style.margin, height - style.margin * 0.72 - 4
        )
    canvas.restoreState()


def _title_height(document: DemoDocument) -> float:
    first = document.story[0]
    if document.style.columns == 1 or not getattr(first, "is_title_block", False):
        return 0.0
    probe = _Template(io.BytesIO(), document, 0.0)
    sheet = Sheet(document.style, document.title, (), probe.widths[0], probe.widths[1], 1)
    canvas = Canvas(io.BytesIO())
    total = 0.0
    for flowable in first(sheet):
        total += (
            flowable.wrapOn(canvas, probe.widths[1], 2000)[1] + flowable.getSpaceAfter() + flowable.getSpaceBefore()
        )
    return total + 6.0


def _kept(flowables: Sequence[Flowable]) -> list[Flowable]:
    """Return the flowables with headings taken into the kept-together table or chart after them.

    Left to itself reportlab would wrap the heading and the wrapped table once more, and such a nest has no height.
    """
    made: list[Flowable] = []
    waiting: list[Flowable] = []
    for one in flowables:
        if isinstance(one, KeepTogether) and waiting:
            made.append(KeepTogether([*waiting, *one._content]))
            waiting = []
        elif one.getKeepWithNext():
            waiting.append(one)
        else:
            made += [*waiting, one]
            waiting = []
    return [*made, *waiting]


def _set_once(
    document: DemoDocument, contents_: Sequence[tuple[int, str, str]], title_height: float
) -> tuple[bytes, list[tuple[int, str, str]], bool]:
    target = io.BytesIO()
    template = _Template(target, document, title_height)
    sheet = Sheet(
        document.style, document.title, contents_, template.widths[0], template.widths[1], document.style.columns
    )
    flowables: list[Flowable] = []
    for index, block in enumerate(document.story):
        flowables += block(sheet)
        if index == 0 and title_height:
            flowables.append(FrameBreak())

    template.build(_kept(flowables))
    return target.getvalue(), template.headings, sheet.has_contents


def _scanned(pdf: bytes, pages: Sequence[int], seed: str) -> bytes:
    """Replace pages by pictures of themselves: grey, a little rotated and noisy, with no text layer."""
    with pymupdf.open(stream=pdf, filetype="pdf") as document:
        for number in pages:
            page = document[number - 1]
            pixels = page.get_pixmap(
                matrix=pymupdf.Matrix(SCAN_WIDTH / page.rect.width, SCAN_WIDTH / page.rect.width),
                colorspace=pymupdf.csGRAY,
            )
            rng = np.random.default_rng([number, *seed.encode()])
            picture = Image.frombytes("L", (pixels.width, pixels.height), pixels.samples)
            picture = picture.rotate(
                0.35 if number % 2 else -0.3, resample=Image.Resampling.BICUBIC, fillcolor=250
            ).filter(ImageFilter.GaussianBlur(0.5))
            grey = np.asarray(picture, dtype=np.int16)
            speckle = (rng.random(grey.shape) < 0.0004) * -110
            noisy = np.clip(grey * 15 // 16 + 6 + rng.integers(-5, 6, grey.shape) + speckle, 0, 255).astype(np.uint8)
            jpeg = io.BytesIO()
            Image.fromarray(noisy).save(jpeg, "JPEG", quality=48)
            document.xref_set_key(page.xref, "Contents", "null")
            document.xref_set_key(page.xref, "Resources", "<<>>")
            document[number - 1].insert_image(page.rect, stream=jpeg.getvalue())
        return bytes(document.tobytes(garbage=3, deflate=True, no_new_id=True))


def build_pdf(document: DemoDocument) -> tuple[bytes, list[str]]:
    """Return the PDF and the text of each page as it was before scanning (a scanned page has no text any more)."""
    title_height = _title_height(document)
    shown: Sequence[tuple[int, str, str]] = ()
    for _ in range(4):
        pdf, headings, has_contents = _set_once(document, shown, title_height)
        if not has_contents or headings == list(shown):
            break
        shown = headings
    with pymupdf.open(stream=pdf, filetype="pdf") as opened:
        texts = [page.get_text() for page in opened]
    if document.scanned_pages:
        pdf = _scanned(pdf, document.scanned_pages, document.document_id)
    return pdf, texts
