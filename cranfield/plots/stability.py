"""How far a ranking of systems depends on the topics: all points that `cranfield stability` computes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
from matplotlib.ticker import MaxNLocator

from cranfield.metrics.reusability.stability import ENOUGH
from cranfield.plots.labels import End, label_ends
from cranfield.plots.names import shortened
from cranfield.plots.palette import GREYS, PAPER
from cranfield.plots.style import HIGHEST, SETTINGS, SMALL, Look, Picture, look, picture, titled
from cranfield.text import counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Row = Mapping[str, Any]
HEIGHT = 3.2  # inches of a panel
RELIABLE = 5  # per cent of pairs reversed


def stability_plot(document: Row) -> Picture:
    """Three panels for each measure: reversed pairs by difference, tau of two topic sets, and shares of pairs, by size.

    `document` is that of `cranfield stability`. Every defined number of it is a point, and every point is one, but
    for rates of few pairs.
    """
    measures = document["measures"]
    height = min(HEIGHT, (HIGHEST - 1.2) / len(measures))
    with mpl.rc_context(SETTINGS):
        figure, panels = picture(13, 1.2 + height * len(measures), len(measures), 3, share=False)
        for number, measured in enumerate(measures):
            left, middle, right = panels[3 * number : 3 * number + 3]
            _swaps(left, measured)
            _taus(middle, measured)
            _shares(right, measured, height)
        about = f"{counted(document['runs'], 'run')}, {counted(document['topics'], 'topic')}"
        note = (
            f"Two disjoint topic sets of a size compared. Hollow, at {RELIABLE} %: the reliable difference. Differences"
            f" of .2 or more share the last point; those of fewer than {ENOUGH} pairs are left out. Distinguished:"
            " paired t test, .05."
        )
        titled(figure, f"How stable is the ranking of systems? {about}", note)
    return figure


def _swaps(axes: Axes, measured: Row) -> None:
    """The share of reversed pairs by their difference, a line for each size of the topic sets."""
    defined = [row for row in measured["swap_rates"] if row["pairs"] >= ENOUGH]
    for number, size in enumerate(dict.fromkeys(row["topics"] for row in defined)):
        own = [row for row in defined if row["topics"] == size]
        x, y = [row["from"] for row in own], [100 * row["rate"] for row in own]
        style = look(number)
        axes.plot(x, y, label=counted(size, "topic"), **style._asdict())
        _needed(axes, [row["difference"] for row in measured["by_topics"] if row["topics"] == size], style)
    axes.axhline(RELIABLE, color=GREYS.soft, linewidth=0.9, linestyle=(0, (1.5, 1.5)))
    axes.set(xlim=(-0.005, 0.205), ylim=(-1.5, max([52, *(104 * row["rate"] for row in defined)])))
    axes.set(xlabel=f"difference in {shortened(measured['measure'])}", ylabel="reversed pairs (%)")
    axes.set_title("Pairs that two topic sets order differently")
    if defined:
        axes.legend(bbox_to_anchor=(1, 1), loc="upper left", frameon=False, fontsize=SMALL, handlelength=3.6)


def _needed(axes: Axes, differences: Sequence[float], style: Look) -> None:
    """A hollow mark at the reliable difference, where there is one."""
    for difference in differences:
        if not isnan(difference):
            axes.plot(
                difference, RELIABLE, style.marker, color=PAPER, markeredgecolor=style.color, markeredgewidth=1.4,
                markersize=8, zorder=4,
            )  # fmt: skip


def _taus(axes: Axes, measured: Row) -> None:
    """Tau by size."""
    rows = [row for row in measured["by_topics"] if not isnan(row["tau"])]
    _line(axes, [row["topics"] for row in rows], [row["tau"] for row in rows], 0)
    low = min([0.0, *(row["tau"] for row in rows)])
    axes.set(ylim=(low - 0.03, 1.03), xlabel="topics in each set", ylabel="Kendall's tau")
    axes.set_title(f"Agreement of two rankings by {shortened(measured['measure'], 16)}")


def _shares(axes: Axes, measured: Row, height: float) -> None:
    """Reversed and distinguished pairs by size."""
    ends = []
    for number, (field, name) in enumerate((("told_apart", "distinguished"), ("swap_rate", "reversed"))):
        rows = [row for row in measured["by_topics"] if not isnan(row[field])]
        x, y = [row["topics"] for row in rows], [100 * row[field] for row in rows]
        _line(axes, x, y, number)
        ends += [End((x[-1], y[-1]), name, look(number))] if rows else []
    axes.set(ylim=(-3, 103), xlabel="topics in each set", ylabel="pairs of systems (%)")
    axes.set_title("Pairs distinguished, and reversed")
    label_ends(axes, ends, height - 0.9)


def _line(axes: Axes, x: Sequence[float], y: Sequence[float], number: int) -> None:
    axes.plot(x, y, **look(number)._asdict())
    axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    axes.margins(x=0.06)
