"""What a notebook says to show a table or figure: its name, its frame, and how it is drawn or laid out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from muddle_utils.analysis.frames import TablesError
from muddle_utils.figures.items import ITEMS, Item
from muddle_utils.figures.style import save_figure
from muddle_utils.figures.writers import save_table, told
from muddle_utils.study.paths import Study


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
        self, name: str, frame: pd.DataFrame, drawn: pd.DataFrame | Figure | None = None, **values: str
    ) -> pd.DataFrame | Figure:
        """Write the files of an item, and return what a notebook displays of it.

        Args:
            name: of the item.
            frame: its tidy frame.
            drawn: the figure, or a table's layout where it is not the frame as it is.
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
        save_table(name, frame, self.study, item.caption, item.note.format(**values), self.metadata, drawn)
        return told(frame) if drawn is None else drawn
