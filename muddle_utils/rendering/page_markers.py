"""Pages in one Markdown text: a marker line before each page, always ours and never a document's own.

A marker is a line ``<!-- page N -->`` or ``<!-- page N, label L -->``: the physical page counted from 1, and the
page number that viewers print where it differs. Text of a document that looks like one is broken up first.
"""

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

MARKER: Final = re.compile(r"^<!-- page (\d+)(?:, label (.+))? -->$", re.MULTILINE)
MARKER_LIKE: Final = re.compile(r"<!(?=--\s*page\b)", re.IGNORECASE)


class Page(NamedTuple):
    """One page of a rendered Markdown document: physical number from 1, label (empty if none), text."""

    number: int
    label: str
    text: str


def page_marker(number: int, label: str = "") -> str:
    """Return the marker line of a page; the label is shown where it differs from the physical number."""
    label = label.replace("-->", "-- >")
    return f"<!-- page {number}, label {label} -->" if label not in ("", str(number)) else f"<!-- page {number} -->"


def break_markers(text: str) -> str:
    """Return a document's text with everything that looks like a page marker broken up (``<! -- page``)."""
    return MARKER_LIKE.sub("<! ", text)


def join_pages(pages: Iterable[Page]) -> str:
    """Return pages as one Markdown text: marker, empty line, text, empty line, for each page."""
    return "".join(f"{page_marker(page.number, page.label)}\n\n{page.text}\n\n" for page in pages)


def split_pages(markdown: str) -> list[Page]:
    """Return the pages of a rendered Markdown text; none if it has no page markers.

    >>> split_pages(join_pages([Page(1, "i", "First."), Page(2, "", "")]))
    [Page(number=1, label='i', text='First.'), Page(number=2, label='', text='')]
    """
    markers = list(MARKER.finditer(markdown))
    starts = [marker.start() for marker in markers] + [len(markdown)]
    return [
        Page(int(marker[1]), marker[2] or "", markdown[marker.end() : starts[i + 1]].strip("\n"))
        for i, marker in enumerate(markers)
    ]
