"""How complete a pool is: new relevant documents by depth, and what each topic may still lack."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib as mpl
import numpy as np
from matplotlib.ticker import MaxNLocator

from cranfield.plots.differences import name_topics
from cranfield.plots.palette import GREYS, LIGHT, PAPER
from cranfield.plots.style import SETTINGS, SMALL, Picture, picture, titled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from cranfield.pooling.forecast.forecast import Forecast

WIDTH = 13.0  # inches


def forecast_plot(found: Forecast, to: int) -> Picture:
    """Left: relevant documents that each depth brought, with the fitted curve to depth `to`. Right: topics.

    A topic's bar is what was found, and hatched above it, by Chao's lower bound, what no team found.
    """
    with mpl.rc_context(SETTINGS):
        figure, (left, right) = picture(WIDTH, 4.4, 1, 2, share=False)
        _by_depth(left, found, to)
        _by_topic(right, found)
        titled(figure, f"How complete is the pool? {found.about}", _note(found))
    return figure


def _by_depth(axes: Axes, found: Forecast, to: int) -> None:
    """A bar for each depth; the curve is solid where it was fitted, dashed where it predicts."""
    axes.bar(np.arange(1, len(found.new) + 1), found.new, color=GREYS.faint, width=0.9, label="found")
    if found.fit is not None:
        first, last = found.fit.depths
        for low, high, line, name in ((first, last, "-", "fitted"), (last, to, (0, (6, 2)), "forecast")):
            depths = np.linspace(low, high, 100)
            curve = np.maximum(found.fit.c * depths**found.fit.s - 1, 0)
            axes.plot(depths, curve, color=LIGHT[0], linestyle=line, label=name)
    axes.xaxis.set_major_locator(MaxNLocator(8, integer=True))
    axes.set(ylim=(0, None), xlabel="pool depth", ylabel="new relevant documents")
    axes.set_title("New relevant documents by depth")
    axes.grid(axis="x", visible=False)
    axes.legend(bbox_to_anchor=(1, 1), loc="upper left", frameon=False, fontsize=SMALL)


def _by_topic(axes: Axes, found: Forecast) -> None:
    """The topics with the most missing documents first."""
    topics = sorted(found.topics, key=lambda topic: (-topic.missing, -topic.relevant))
    places, relevant = np.arange(len(topics)), [topic.relevant for topic in topics]
    missing = [topic.missing for topic in topics]
    axes.bar(places, relevant, color=LIGHT[0], label="found")
    axes.bar(
        places, missing, bottom=relevant, color=PAPER, edgecolor=LIGHT[1], linewidth=0.8, hatch="/////", label="missing"
    )
    name_topics(axes, [topic.query_id for topic in topics], WIDTH / 2 - 1.8)
    axes.set(ylim=(0, None), xlim=(-0.8, max(len(topics), 6) - 0.2), ylabel="relevant documents")
    axes.set_title("Relevant documents by topic")
    axes.legend(bbox_to_anchor=(1, 1), loc="upper left", frameon=False, fontsize=SMALL)


def _note(found: Forecast) -> str:
    missing = f"Missing: at least so many that no {found.unit} found (Chao), if {found.unit}s search independently."
    if found.fit is None or found.prediction is None or found.back_test is None:
        return f"Too few depths to fit and test a forecast. {missing}"
    ahead, test = found.prediction, found.back_test
    return (
        f"Back-test, depths {test.first}-{test.last}: {test.predicted:.0f} predicted,"
        f" {test.observed} found. Forecast, depths {ahead.first}-{ahead.last}: {ahead.predicted:.0f} more."
        f" {missing}"
    )
