"""Offline against online differences of pairs of arms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import matplotlib as mpl

from cranfield.plots.labels import LINE, label_side, spread
from cranfield.plots.names import shortened
from cranfield.plots.palette import GREYS
from cranfield.plots.style import POINTS, SETTINGS, SMALL, Picture, key_beside, look, picture, titled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HEIGHT = 5  # inches
NAMED, MOST = 12, 20  # with more pairs only those that are opposite have names, and of them so many at most
VERDICTS = ("same", "opposite", "undecided")


def divergence_plot(rows: Sequence[Mapping[str, Any]], online: str) -> Picture:
    """A point for each pair by the first measure, with both intervals; a key says what became of it."""
    measure = rows[0]["measure"]
    drawn = [row for row in rows if row["measure"] == measure]
    named = [row for row in drawn if len(drawn) <= NAMED or row["verdict"] == "opposite"]
    with mpl.rc_context(SETTINGS):
        figure, (axes,) = picture(9, HEIGHT)
        axes.axhline(0, color=GREYS.context, linewidth=0.8)
        axes.axvline(0, color=GREYS.context, linewidth=0.8)
        for number, verdict in enumerate(VERDICTS):
            style = look(number)
            of = [row for row in drawn if row["verdict"] == verdict]
            for row in of:
                x, y = row["offline"], row["online"]
                axes.plot([row["offline_low"], row["offline_high"]], [y, y], color=style.color, linewidth=1, zorder=4)
                axes.plot([x, x], [row["online_low"], row["online_high"]], color=style.color, linewidth=1, zorder=4)
            if of:
                points = [[row[side] for row in of] for side in ("offline", "online")]
                axes.plot(*points, linestyle="none", marker=style.marker, color=style.color, label=verdict)
        axes.set(xlabel=f"{measure}: difference", ylabel=f"{online}: difference")
        _name(axes, sorted(named, key=lambda row: row["online"])[:MOST])
        key_beside(figure, "offline and online")
        note = "Lines are intervals; undecided: one of them holds 0."
        left = f" Only opposite pairs are named, {MOST} at most." if len(drawn) > NAMED else ""
        titled(figure, "Offline and online differences of arms", note + left)
    return figure


def _name(axes: Axes, rows: Sequence[Mapping[str, Any]]) -> None:
    """The names of the pairs, right of the axes, as far apart as they need, each with a lead to its point."""
    low, high = axes.get_ylim()
    wanted = [(row["online"] - low) / (high - low) for row in rows]
    for row, place in zip(rows, spread(wanted, LINE * SMALL / POINTS / (0.8 * HEIGHT)), strict=True):
        pair = f"{shortened(row['arm_a'], 12)} - {shortened(row['arm_b'], 12)}"
        label_side(axes, (row["offline"], row["online"]), low + place * (high - low), pair)
    axes.set_ylim(low, high)
