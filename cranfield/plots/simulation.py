"""A simulation of pooling methods: what each finds, and its bias against left-out units."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING

import matplotlib as mpl
import numpy as np
from matplotlib.ticker import MaxNLocator

from cranfield.plots.names import shortened
from cranfield.plots.style import SETTINGS, Picture, key_beside, look, picture, titled
from cranfield.pooling.simulate.results import Replay, Simulation

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SMALLEST, LARGEST = 4, 9  # the marker sizes of the first and the last budget


def simulation_plot(found: Simulation) -> Picture:
    """Left: relevant documents found by budget, higher is better. Right: bias against relevant documents found.

    On the right each line follows a method through its budgets, from the small marker to the large one; low and far
    right is best.
    """
    with mpl.rc_context(SETTINGS):
        figure, (left, right) = picture(11, max(4.6, 1.4 + 0.18 * len(found.replays)), 1, 2, share=False)
        for number, replay in enumerate(found.replays):
            _draw(left, right, replay, number, max(found.topics, 1))
        left.set(xlabel="judged documents per topic", ylabel="relevant documents found per topic")
        left.set_title("Relevant documents found")
        right.set(
            xlabel="relevant documents found per topic", ylabel=f"mean absolute change of own {found.measure} (%)"
        )
        right.set_title(f"Bias against a left-out {found.by}")
        for axes in (left, right):
            axes.set_ylim(bottom=0)
            axes.xaxis.set_major_locator(MaxNLocator(6))
        key_beside(figure, "method")
        note = "Right: from the smallest budget (small mark) to the largest; low and far right is best."
        titled(figure, "What pooling methods find, and how fair they are", note)
    return figure


def _draw(left: Axes, right: Axes, replay: Replay, number: int, topics: int) -> None:
    """A method's line on both sides; a bias that is undefined is left out."""
    style = look(number)
    judged = [point.documents / topics for point in replay.points]
    relevant = [point.relevant / topics for point in replay.points]
    left.plot(judged, relevant, label=shortened(replay.label, 30), **style._asdict())
    known = [(x, float(y), size) for x, point, size in zip(
        relevant, replay.points, np.linspace(SMALLEST, LARGEST, len(relevant)), strict=True
    ) if (y := point.bias["mean_change_percent"]) is not None and not isnan(y)]  # fmt: skip
    right.plot([x for x, _, _ in known], [y for _, y, _ in known], color=style.color, linestyle=style.linestyle)
    for x, y, size in known:
        right.plot(x, y, style.marker, color=style.color, markersize=size)
