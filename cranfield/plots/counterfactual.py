"""Counterfactual estimates of a run, beside what the logged lists got."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib as mpl
import numpy as np

from cranfield.online.measures.estimate import Estimate
from cranfield.plots.names import shortened
from cranfield.plots.palette import GREYS, LIGHT
from cranfield.plots.style import SETTINGS, Picture, picture, titled


def counterfactual_plot(
    run: str, rows: Sequence[Mapping[str, Any]], logged: Estimate, confidence: float = 0.95
) -> Picture:
    """A point with its interval for each estimator; the band is that of the lists logged."""
    with mpl.rc_context(SETTINGS):
        figure, (axes,) = picture(7.5, 1.9 + 0.4 * len(rows))
        axes.axvspan(logged.low, logged.high, color=GREYS.grid, zorder=1)
        axes.axvline(logged.value, color=GREYS.soft, linewidth=1, zorder=2)
        for place, row in enumerate(rows):
            if not np.isnan(row["clicks_per_list"]):
                axes.plot([row["low"], row["high"]], [place, place], color=LIGHT[0], zorder=3)
                axes.plot([row["clicks_per_list"]], [place], "o", color=LIGHT[0], zorder=4)
        axes.set_yticks(range(len(rows)), [_label(row) for row in rows])
        axes.set_ylim(len(rows) - 0.5, -0.5)
        axes.set_xlabel("clicks per list")
        note = f"Grey: as logged. Lines: {confidence:.0%} intervals over users. A row without a point is withheld."
        titled(figure, f"Clicks that {shortened(run, 40)} would get", note)
    return figure


def _label(row: Mapping[str, Any]) -> str:
    size = row["effective_sample_size"]
    return f"{row['estimator']} (no weights)" if np.isnan(size) else f"{row['estimator']} (effective size {size:,.0f})"
