"""Online measures: a panel for each measure, a row with an interval for each arm, run, position or query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
import numpy as np

from cranfield.errors import InputError
from cranfield.plots.names import shortened
from cranfield.plots.palette import GREYS, LIGHT
from cranfield.plots.style import SETTINGS, SMALL, Picture, picture, titled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLUMNS, PANEL, ROW, HEADS = 4, 2.6, 0.3, 0.7  # panels side by side, and inches
MOST = 40  # rows of a panel


def online_plot(rows: Sequence[Mapping[str, Any]], by: str, confidence: float = 0.95) -> Picture:
    """The measures as dots with their intervals; `rows` are those of `online_rows`."""
    names = list(dict.fromkeys(row["measure"] for row in rows))
    several = len({row.get("experiment") for row in rows}) > 1
    named = [(f"{row['experiment']}: " if several else "") + (str(row[by]) or "(none)") for row in rows]
    groups = list(dict.fromkeys(named))[:MOST]
    if not groups:
        raise InputError(f"nothing to draw: no {by} has enough users")
    columns = min(len(names), COLUMNS)
    lines = ceil(len(names) / columns)
    with mpl.rc_context(SETTINGS):
        size = (1.4 + columns * PANEL, 0.9 + lines * (HEADS + ROW * len(groups)))
        figure, panels = picture(max(size[0], 5.0), size[1], lines, columns, share=False)
        for number, axes in enumerate(panels):
            if number < len(names):
                of = {name: row for name, row in zip(named, rows, strict=True) if row["measure"] == names[number]}
                _panel(axes, {group: of[group] for group in groups if group in of}, number % columns == 0)
                axes.set_title(names[number])
            else:
                axes.set_axis_off()
        note = f"A dot is the value, a line its {100 * confidence:g} % interval over users."
        titled(figure, f"Online measures by {by}", note)
    return figure


def _panel(axes: Axes, rows: Mapping[str, Mapping[str, Any]], named: bool) -> None:
    """The groups by one measure."""
    places = np.arange(len(rows))
    low, value, high = (np.array([row[name] for row in rows.values()], float) for name in ("low", "value", "high"))
    axes.hlines(places, low, high, color=GREYS.context, linewidth=1.4)
    axes.plot(value, places, "o", color=LIGHT[0])
    names = [shortened(name, 28) for name in rows] if named else []
    axes.set_yticks(places[: len(names)], names, fontsize=SMALL)
    axes.set(ylim=(len(rows) - 0.5, -0.5))
    if not np.nan_to_num(high).any():
        axes.set_xlim(-0.02, 1)
    axes.tick_params(axis="y", length=0)
    axes.locator_params(axis="x", nbins=4)
    axes.grid(axis="y", visible=False)
    axes.spines["left"].set_visible(False)
