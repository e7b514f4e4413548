"""Two rankings of the same systems, as points: scores by the truth against scores by the estimate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil
from typing import TYPE_CHECKING

import matplotlib as mpl
import numpy as np

from cranfield.arrays.rankings import Floats, Ints
from cranfield.plots.labels import LINE, label_side, spread
from cranfield.plots.names import shortened
from cranfield.plots.palette import GREYS, LIGHT
from cranfield.plots.style import HIGHEST, POINTS, SETTINGS, SMALL, WIDEST, Picture, picture, titled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Side = tuple[str, Mapping[str, float]]
NAMED = 8  # the systems whose ranks differ most
PANEL = 4.6  # inches


def scatter_plot(pairs: Sequence[tuple[Side, Side]], taus: Sequence[float]) -> Picture:
    """A panel for each pair of truth and estimate, a point for each system that both score.

    The systems whose ranks differ most are coloured and named; `taus` are Kendall's, printed above the panels.
    """
    columns = min(len(pairs), 3)
    lines = ceil(len(pairs) / columns)
    height = min(PANEL, (HIGHEST - 1) / lines)
    with mpl.rc_context(SETTINGS):
        figure, panels = picture(
            max(6.0, min(WIDEST, (PANEL + 0.6) * columns)), 1 + height * lines, lines, columns, share=False
        )
        for axes, (truth, estimate), tau in zip(panels, pairs, taus, strict=False):
            _draw(axes, truth, estimate, height - 1)
            axes.set_title("tau undefined" if np.isnan(tau) else f"Kendall's tau {tau:.3f}")
        for axes in panels[len(pairs) :]:
            axes.set_axis_off()
        note = f"A point for each system. Named: up to {NAMED} whose ranks differ most, with both ranks."
        titled(figure, "Two rankings of the same systems", note)
    return figure


def _draw(axes: Axes, truth: Side, estimate: Side, height: float) -> None:
    systems = [name for name in truth[1] if name in estimate[1]]
    x, y = (np.array([scores[name] for name in systems], dtype=float) for scores in (truth[1], estimate[1]))
    ranks = [_ranks(values) for values in (x, y)]
    order = np.argsort(-np.abs(ranks[0] - ranks[1]), kind="stable")[:NAMED]
    far = [int(at) for at in order if ranks[0][at] != ranks[1][at]]
    near = [at for at in range(len(systems)) if at not in far]
    axes.plot(x[near], y[near], "o", color=GREYS.context, markersize=4, zorder=2)
    axes.plot(x[far], y[far], "s", color=LIGHT[1], markersize=5, zorder=3)
    for values, set_limits in ((x, axes.set_xlim), (y, axes.set_ylim)):
        low, high = min(0.0, float(np.nanmin(values))), float(np.nanmax(values)) or 1.0
        set_limits(low - 0.03 * (high - low), high + 0.05 * (high - low))
    axes.set(xlabel=f"{shortened(truth[0], 44)} (truth)", ylabel=shortened(estimate[0], 44))
    low, high = axes.get_ylim()
    places = spread(y[far].tolist(), LINE * SMALL / POINTS / height * (high - low), low, high)
    for at, place in zip(far, places, strict=True):
        text = f"{shortened(systems[at], 18)}  {ranks[0][at]}→{ranks[1][at]}"
        label_side(axes, (float(x[at]), float(y[at])), place, text)


def _ranks(scores: Floats) -> Ints:
    """From 1, the best first; equal scores share the best rank.

    >>> _ranks(np.array([0.5, 0.9, 0.5])).tolist()
    [2, 1, 2]
    """
    return np.asarray(1 + np.sum(scores[:, None] < scores[None, :], axis=1))
