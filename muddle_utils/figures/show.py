"""What a notebook says to show a table or figure: its name, its frame, and how it is drawn or laid out."""

from __future__ import annotations

import functools
import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import pandas as pd
from matplotlib.figure import Figure

from muddle_utils.analysis.frames import TablesError
from muddle_utils.figures.items import ITEMS, Item
from muddle_utils.figures.latex import numeric
from muddle_utils.figures.style import save_figure
from muddle_utils.figures.writers import Table, forget, html_table, markdown_table, save_table
from muddle_utils.study.paths import Study

# More rows than a screen holds are shown by pages, sorted and searched.
SCREEN: Final = 25


# Words begin at the left, and no number is broken.
_LOOKS: Final = """<style>
.muddle { overflow-x: auto }
.muddle :is(td, th) { text-align: left !important }
.muddle .number { text-align: right !important }
.muddle td:is(.number, .short) { white-space: nowrap }
</style>
"""


class Shown:
    """A table as a notebook displays it: as in print, with its notes; a long one sorts, searches and turns pages.

    What has no row, or none to which it applies, is a sentence. Where no script may run, a long table's first rows are
    a plain table.
    """

    def __init__(self, table: Table, sentence: str = "") -> None:
        """Take a table as it was written, or the sentence that stands for it."""
        self.table, self.sentence = table, sentence
        texts = table.texts
        if not sentence and not texts.size:
            self.sentence = "None."
        elif not sentence and list(texts.columns) == ["Not applicable"]:
            self.sentence = f"Not applicable: {'; '.join(texts['Not applicable'].unique())}."

    def _repr_html_(self) -> str:
        texts, caption, notes = self.table.texts, self.table.caption, self.table.notes
        if self.sentence:
            return f"<p><b>{html.escape(caption)}</b> {html.escape(self.sentence)}</p>"
        if len(texts) <= SCREEN:
            return f'{_LOOKS}<div class="muddle">\n{html_table(texts, caption, notes)}</div>\n'
        from itables import to_html_datatable

        _load_tables()
        said = "".join(f"<p>{html.escape(note)}</p>" for note in notes)
        columns = [place for place, is_number in enumerate(numeric(texts)) if not is_number]
        table = to_html_datatable(
            texts,
            caption,
            classes="display compact",
            connected=False,
            showIndex=False,
            maxBytes=0,
            lengthMenu=[SCREEN, 100, -1],
            scrollX=True,
            columnDefs=[{"targets": columns, "className": "dt-left"}],
        )
        return table + said

    def __repr__(self) -> str:
        """Return it as plain text, a long table's first rows."""
        texts, caption, notes = self.table.texts, self.table.caption, self.table.notes
        return f"{caption} {self.sentence}" if self.sentence else markdown_table(texts.head(SCREEN), caption, notes)


@functools.cache
def _load_tables() -> None:
    """Put into the notebook, once, what sorts and searches its long tables: it loads nothing from elsewhere."""
    from itables import init_notebook_mode

    init_notebook_mode(all_interactive=False, connected=False)


@dataclass(frozen=True)
class Show:
    """Writes tables and figures of one origin as they are declared.

    Attributes:
        study: under whose figures they go.
        metadata: their origin, as ``analysis.origin_of`` returns it.
        items: where they are declared.
    """

    study: Study
    metadata: Mapping[str, Any]
    items: Sequence[Item] = ITEMS

    def __call__(
        self, name: str, frame: pd.DataFrame, drawn: pd.DataFrame | Figure | str | None = None, **values: str
    ) -> Shown | Figure:
        """Write the files of an item, and return what a notebook displays of it.

        Args:
            name: of the item.
            frame: its tidy frame.
            drawn: the figure, or why there is none, or a table's layout where it is not the frame as it is.
            values: what the item's note leaves open.

        Raises:
            TablesError: no item is called that, or the manifest there is none.
        """
        item = next((item for item in self.items if item.name == name), None)
        if item is None:
            raise TablesError(f"no table or figure is called {name!r}: declare it in muddle_utils/figures/items.py")
        if isinstance(drawn, Figure):
            save_figure(name, drawn, self.study, item.caption, frame, self.metadata)
            return drawn
        if isinstance(drawn, str):
            forget(name, self.study)
            return Shown(Table(frame, item.caption, [], []), drawn)
        note = item.note.format(**values)
        return Shown(save_table(name, frame, self.study, item.caption, note, self.metadata, drawn))
