"""What each page lost or may have lost as Markdown, and renderers side by side."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from muddle_utils.rendering.cache import MARKDOWN_RENDERERS, PageRecord, read_record
from muddle_utils.rendering.page_markers import split_pages
from muddle_utils.rendering.page_work import text_flags, text_shares
from muddle_utils.rendering.rendering import DOCUMENT_WARNINGS, read_markdown, render_documents
from muddle_utils.study.records import Document, PageQuality

TABLE_ROW: Final = re.compile(r"^\s*\|(?!(?:\s*:?-+:?\s*\|)+\s*$).*\|\s*$", re.MULTILINE)


# Reading renderings --------------------------------------------------------------------------------------------------


def page_quality(
    documents: Sequence[Document],
    cache: Path,
    markdown_renderer: str = "markitdown",
    workers: int | None = None,
    progress: bool = True,
) -> list[PageQuality]:
    """Return what each page lost or may have lost as Markdown, rendering what the cache does not hold.

    Documents that cannot be opened have no pages here; their reason is in ``render_documents``. ``repaired`` and
    ``encrypted`` stand on every page of their document.

    Raises:
        ValueError: the renderer keeps no pages apart (``markitdown-document``) or is unknown.
    """
    if markdown_renderer == "markitdown-document":
        raise ValueError("markdown_renderer = 'markitdown-document' keeps no pages apart: take markitdown or pymupdf")
    rows = render_documents(documents, "markdown", cache, markdown_renderer, workers, progress=progress)
    qualities = []
    for row in rows:
        folder = Path(cache).absolute() / "renderings" / row.key
        whole = tuple(flag for flag, warning in DOCUMENT_WARNINGS.items() if warning in row.warnings)
        records = (read_record(folder, number) for number in range(1, row.n_pages + 1))
        qualities += [_quality(row.document_id, record, whole) for record in records if record]
    return qualities


def _quality(document_id: str, record: PageRecord, document_flags: tuple[str, ...]) -> PageQuality:
    cid, replaced, ligatures = text_shares(record.text)
    rotated = ("rotated",) if record.rotation or record.upright else ()
    return PageQuality(
        document_id=document_id,
        page=record.page,
        label=record.label,
        n_chars=len(record.text),
        cid_share=cid,
        replacement_share=replaced,
        ligatures=ligatures,
        rotation=record.rotation,
        flags=(*text_flags(record.text, record.blank), *rotated, *document_flags),
    )


def compare_renderers(
    document: Document,
    cache: Path,
    renderers: Sequence[str] = MARKDOWN_RENDERERS,
    workers: int | None = None,
) -> list[dict[str, object]]:
    """Return one row a renderer for the same document: pages, page markers, characters, table rows and seconds.

    ``n_chars`` counts the document's text without markers, ``n_table_rows`` the Markdown table rows without the
    rules under headers, ``seconds`` the work of all processes when the document was rendered.
    """
    rows: list[dict[str, object]] = []
    for renderer in renderers:
        row = render_documents([document], "markdown", cache, renderer, workers, progress=False)[0]
        markdown = read_markdown(row) if row.status == "rendered" else ""
        rows.append(
            {
                "document_id": row.document_id,
                "renderer": renderer,
                "renderer_version": row.renderer_version,
                "status": row.status,
                "n_pages": row.n_pages,
                "n_page_markers": len(split_pages(markdown)),
                "n_chars": row.n_chars,
                "n_table_rows": len(TABLE_ROW.findall(markdown)),
                "seconds": row.seconds,
                "problem": row.problem,
            }
        )
    return rows
