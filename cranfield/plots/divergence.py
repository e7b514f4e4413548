"""Offline against online differences of pairs of arms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib as mpl

from cranfield.plots.names import shortened
from cranfield.plots.palette import GREYS
from cranfield.plots.style import SETTINGS, Picture, key_beside, look, picture, titled

VERDICTS = ("same", "opposite", "undecided")


def divergence_plot(rows: Sequence[Mapping[str, Any]], online: str) -> Picture:
    """A point for each pair by the first measure, with both intervals; a key says what became of it."""
    measure = rows[0]["measure"]
    with mpl.rc_context(SETTINGS):
        figure, (axes,) = picture(8, 5)
        axes.axhline(0, color=GREYS.context, linewidth=0.8)
        axes.axvline(0, color=GREYS.context, linewidth=0.8)
        for number, verdict in enumerate(VERDICTS):
            style = look(number)
            of = [row for row in rows if row["measure"] == measure and row["verdict"] == verdict]
            for row in of:
                x, y = row["offline"], row["online"]
                axes.plot([row["offline_low"], row["offline_high"]], [y, y], color=style.color, linewidth=1)
                axes.plot([x, x], [row["online_low"], row["online_high"]], color=style.color, linewidth=1)
                pair = f"{shortened(row['arm_a'], 12)} - {shortened(row['arm_b'], 12)}"
                axes.annotate(pair, (x, y), xytext=(5, 4), textcoords="offset points", fontsize=8)
            if of:
                points = [[row[side] for row in of] for side in ("offline", "online")]
                axes.plot(*points, linestyle="none", marker=style.marker, color=style.color, label=verdict)
        axes.set(xlabel=f"{measure}: difference", ylabel=f"{online}: difference")
        key_beside(figure, "offline and online")
        titled(figure, "Offline and online differences of arms", "Lines are intervals; undecided: one of them holds 0.")
    return figure
