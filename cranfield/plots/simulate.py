"""The figure of a simulation: what each pooling method finds, and its bias against left-out units."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib as mpl
from matplotlib.backends.backend_agg import FigureCanvasAgg

from cranfield.plots.style import SETTINGS, Picture, look, shortened
from cranfield.pooling.simulate.results import Replay, Simulation

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LARGEST = 8  # the marker size of the largest budget


def simulation_plot(found: Simulation) -> Picture:
    """Left: relevant documents found by budget, higher is better. Right: bias against relevant documents found.

    On the right each line follows a method through its budgets, from the small marker to the large one; low and far
    right is best.
    """
    with mpl.rc_context(SETTINGS):
        figure = Picture(figsize=(10.5, 4.4), dpi=150, layout="constrained")
        FigureCanvasAgg(figure)
        left, right = figure.subplots(1, 2)
        for number, replay in enumerate(found.replays):
            _draw(left, right, replay, number, max(found.topics, 1))
        left.set(xlabel="judged documents per topic", ylabel="relevant documents found per topic")
        left.set_title("Relevant documents found")
        left.set_ylim(bottom=0)
        right.set(xlabel="relevant documents found per topic", ylabel=f"mean change of own {found.measure} (%)")
        right.set_title(f"Bias against a left-out {found.by}")
        right.set_ylim(bottom=0)
        figure.legend(*left.get_legend_handles_labels(), loc="outside right upper", frameon=False, fontsize=8)
    return figure


def _draw(left: Axes, right: Axes, replay: Replay, number: int, topics: int) -> None:
    style = look(number)
    judged = [point.documents / topics for point in replay.points]
    relevant = [point.relevant / topics for point in replay.points]
    change = [float(point.bias["mean_change_percent"] or 0.0) for point in replay.points]
    label = shortened(replay.label, 30)
    left.plot(judged, relevant, label=label, linewidth=1.3, markersize=4.5, **style._asdict())
    right.plot(relevant, change, linewidth=1, color=style.color, linestyle=style.linestyle)
    for at, (x, y) in enumerate(zip(relevant, change, strict=True), 1):
        right.plot(x, y, color=style.color, marker=style.marker, markersize=3 + (LARGEST - 3) * at / len(relevant))
