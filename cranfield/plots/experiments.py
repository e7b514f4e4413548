"""Effects of A/B tests and preferences of interleaved systems: each with its interval, beside 0."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import Any

import matplotlib as mpl
import numpy as np

from cranfield.plots.names import shortened
from cranfield.plots.palette import GREYS, LIGHT, PAPER
from cranfield.plots.style import HIGHEST, SETTINGS, Picture, picture, titled

ROW = 0.32  # inches of an interval
Interval = tuple[str, float, float, float, bool]  # name, value, low, high, whether it is significant


def preference_plot(rows: Sequence[dict[str, Any]]) -> Picture:
    """Delta of each pair of systems with its interval; `rows` are those of `cranfield online preference`."""
    several = len({row["experiment"] for row in rows}) > 1
    found = [
        (
            f"{row['a']} : {row['b']}" + (f" ({row['experiment']})" if several else ""),
            row["delta"], row["low"], row["high"], row["prefers"] is not None,
        )
        for row in rows
    ]  # fmt: skip
    note = "Right of 0: users prefer the first. Filled: significant. Bars: intervals over users."
    return intervals(found, "Whom users prefer", "Delta", note)


def intervals(found: Sequence[Interval], title: str, label: str, note: str) -> Picture:
    """A row per interval, from the top; a filled mark where it is significant, a hollow one where not."""
    shown = found[: int((HIGHEST - 1.9) / ROW)]
    with mpl.rc_context(SETTINGS):
        figure, (axes,) = picture(7, 1.9 + ROW * len(shown))
        axes.axvline(0, color=GREYS.ink, linewidth=0.8)
        for place, (_, value, low, high, significant) in enumerate(shown):
            colour = LIGHT[0] if value >= 0 else LIGHT[1]
            axes.plot([low, high], [place, place], color=colour, linewidth=1.6)
            axes.plot(
                value, place, "o" if value >= 0 else "s", markersize=6, markeredgewidth=1.4, markeredgecolor=colour,
                color=colour if significant else PAPER,
            )  # fmt: skip
        axes.set_yticks(np.arange(len(shown)), [shortened(name, 44) for name, *_ in shown])
        axes.set(ylim=(len(shown) - 0.4, -0.6), xlabel=label)
        axes.grid(axis="y", visible=False)
        left = f" The first {len(shown)} of {len(found)} are shown." if len(shown) < len(found) else ""
        titled(figure, title, note + left)
    return figure


def effect_plot(document: dict[str, Any]) -> Picture:
    """The change of each measure from the control, in %, with its interval; `document` is that of `online ab`."""
    rows = [row for row in document["effects"] if row["control"] and not isnan(row["low"])]
    found = [
        (
            f"{row['measure']}, {row['arm']}",
            *(100 * row[name] / row["control"] for name in ("difference", "low", "high")), row["significant"],
        )
        for row in rows
    ]  # fmt: skip
    kind = "confidence sequences" if document["sequential"] else "intervals"
    note = f"Bars: {100 * (1 - document['alpha']):.4g} % {kind}, not corrected. Filled: significant after correction."
    control = shortened(document["control"], 40)
    return intervals(found, f"Each arm against {control}", f"change from {control} (%)", note)
