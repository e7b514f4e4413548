"""Pool depths: the cost of shallower pools against what left-out units lose, and against Kendall's tau."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
from matplotlib.ticker import FuncFormatter, MaxNLocator

from cranfield.plots.labels import End, label_ends
from cranfield.plots.names import shortened
from cranfield.plots.palette import GREYS
from cranfield.plots.style import HIGHEST, SETTINGS, TINY, Picture, look, picture, titled
from cranfield.text import counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Row = Mapping[str, Any]
HEIGHT = 3.1  # inches of a panel
APART = 0.045  # of the width of a panel: the least distance of two depths on its upper axis


def depths_plot(document: Row) -> Picture:
    """What each depth of the pool would have cost and changed; two panels for each measure.

    `document` is the JSON document of `cranfield depths`. Depths stand above the panels, where no line is.
    """
    measures = list(dict.fromkeys(row["measure"] for row in document["rows"]))
    height = min(HEIGHT, (HIGHEST - 1.2) / len(measures))
    with mpl.rc_context(SETTINGS):
        figure, panels = picture(9, 1.2 + height * len(measures), len(measures), 2, share=False)
        for number, measure in enumerate(measures):
            rows = [row for row in document["rows"] if row["measure"] == measure]
            _losses(panels[2 * number], rows, measure, height)
            _taus(panels[2 * number + 1], rows, measure)
        about = f"Pool depth {document['depth']}, {counted(document['topics'], 'topic')}"
        note = "A point for each depth; depths above the panels."
        if document["no_verdict"]:
            note += f" No verdict: {document['no_verdict']}."
        titled(figure, f"{about}: what shallower pools cost, and what a left-out {document['by']} loses", note)
    return figure


def _losses(axes: Axes, rows: Sequence[Row], measure: str, height: float) -> None:
    ends = []
    for number, (field, name) in enumerate((("max_change_percent", "largest"), ("mean_change_percent", "mean"))):
        axes.plot([row["judged"] for row in rows], [row[field] for row in rows], **look(number)._asdict())
        defined = [row for row in rows if not isnan(row[field])]
        ends += [End((defined[-1]["judged"], defined[-1][field]), name, look(number))] if defined else []
    axes.set_ylim(bottom=0)
    axes.set_ylabel(f"absolute change of own {shortened(measure)} (%)")
    _cost_axis(axes, rows)
    label_ends(axes, ends, height - 1)


def _taus(axes: Axes, rows: Sequence[Row], measure: str) -> None:
    taus = [row["tau"] for row in rows]
    axes.plot([row["judged"] for row in rows], taus, **look(2)._asdict())
    low = min([0.9, *(tau for tau in taus if not isnan(tau))])
    axes.set_ylim(low - 0.05 * (1 - low), 1 + 0.05 * (1 - low))
    axes.set_ylabel(f"Kendall's tau with the full ranking by {shortened(measure)}")
    _cost_axis(axes, rows)


def _cost_axis(axes: Axes, rows: Sequence[Row]) -> None:
    """Documents below, and above the depths they belong to, as many as fit."""
    cost = [row["judged"] for row in rows]
    margin = 0.04 * (max(cost) - min(cost) or 1)
    axes.set_xlim(min(cost) - margin, max(cost) + margin)
    axes.set_xlabel("documents to judge")
    axes.xaxis.set_major_locator(MaxNLocator(5, integer=True))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    shown = apart(cost, APART * (max(cost) - min(cost)))
    above = axes.secondary_xaxis("top")
    above.set_xticks([cost[at] for at in shown], [str(rows[at]["depth"]) for at in shown], fontsize=TINY)
    above.set_xlabel("pool depth", color=GREYS.soft)
    above.spines["top"].set_visible(False)


def apart(places: Sequence[float], least: float) -> list[int]:
    """Which of the rising places to name, so that no two are nearer than `least`; always the last.

    >>> apart([1, 2, 3, 10, 20, 21], 2)
    [0, 2, 3, 5]
    """
    kept = [len(places) - 1]
    for at in range(len(places) - 2, -1, -1):
        if abs(places[kept[-1]] - places[at]) >= least:
            kept.append(at)
    return kept[::-1]
