"""Pools: what each depth costs and changes, what topics may still lack, what methods find and how biased they are."""

from __future__ import annotations

from collections.abc import Mapping
from math import isnan
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
import numpy as np
from matplotlib.ticker import FuncFormatter, MaxNLocator

from cranfield.charts.curves import losses_by_depth, tau_by_depth
from cranfield.charts.differences import name_topics
from cranfield.charts.labels import pick_spaced_places
from cranfield.charts.palette import GREYS, LIGHT, PAPER, series_look
from cranfield.charts.style import (
    HIGHEST,
    SETTINGS,
    SMALL,
    TINY,
    OnAxes,
    draw_legend_beside,
    draw_lines,
    label_ends,
    make_panels,
    set_title,
    shorten,
)
from cranfield.pooling.simulate import Simulation
from cranfield.text import counted

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from cranfield.pooling.forecast import Forecast


Row = Mapping[str, Any]
HEIGHT = 3.1  # inches of a panel
MIN_DEPTH_GAP = 0.045  # of the width of a panel: the least distance of two depths on its upper axis


def depths_plot(document: Row, ax: OnAxes = None) -> Figure:
    """What each depth of the pool would have cost and changed; two panels for each measure.

    `document` is the JSON document of `cranfield depths`. Depths stand above the panels, where no line is.
    """
    measures = list(dict.fromkeys(row["measure"] for row in document["rows"]))
    height = min(HEIGHT, (HIGHEST - 1.2) / len(measures))
    with mpl.rc_context(SETTINGS):
        figure, panels = make_panels(ax, 9, 1.2 + height * len(measures), len(measures), 2, share=False)
        for number, measure in enumerate(measures):
            rows = [row for row in document["rows"] if row["measure"] == measure]
            losses, taus = losses_by_depth(document, measure), tau_by_depth(document, measure)
            for axes, chart in zip(panels[2 * number :], (losses, taus), strict=False):
                draw_lines(axes, chart)
                # Documents below, and above the depths they belong to, as many as fit.
                cost = [row["judged"] for row in rows]
                margin = 0.04 * (max(cost) - min(cost) or 1)
                axes.set_xlim(min(cost) - margin, max(cost) + margin)
                axes.xaxis.set_major_locator(MaxNLocator(5, integer=True))
                axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
                places = pick_spaced_places(cost, MIN_DEPTH_GAP * (max(cost) - min(cost)))
                above = axes.secondary_xaxis("top")
                above.set_xticks([cost[at] for at in places], [str(rows[at]["depth"]) for at in places], fontsize=TINY)
                above.set_xlabel("pool depth", color=GREYS.soft)
                above.spines["top"].set_visible(False)
            panels[2 * number].set_ylim(bottom=0)
            label_ends(panels[2 * number], losses, height - 1)
            low = min([0.9, *taus.lines[0].without_nan().y])
            panels[2 * number + 1].set_ylim(low - 0.05 * (1 - low), 1 + 0.05 * (1 - low))
        about = f"Pool depth {document['depth']}, {counted(document['topics'], 'topic')}"
        note = "One point per depth, labelled above the panels. Tau: agreement with the ranking from all judgments."
        if document["no_verdict"]:
            note += f" Not tested: {document['no_verdict']}."
        set_title(figure, f"{about}: cost of shallower pools, and loss of a left-out {document['by']}", note)
    return figure


WIDTH = 13.0  # inches


def forecast_plot(forecast: Forecast, to: int, ax: OnAxes = None) -> Figure:
    """Left: relevant documents that each depth brought, with the fitted curve to depth `to`. Right: topics.

    A topic's bar is what was found, and hatched above it, by Chao's lower bound, what no team found.
    """
    with mpl.rc_context(SETTINGS):
        figure, (left, right) = make_panels(ax, WIDTH, 4.4, 1, 2, share=False)
        # A bar for each depth; the curve is solid where it was fitted, dashed where it predicts.
        left.bar(np.arange(1, len(forecast.new) + 1), forecast.new, color=GREYS.faint, width=0.9, label="found")
        if forecast.fit is not None:
            first, last = forecast.fit.depths
            for low, high, line, name in ((first, last, "-", "fitted"), (last, to, (0, (6, 2)), "forecast")):
                depths = np.linspace(low, high, 100)
                curve = np.maximum(forecast.fit.c * depths**forecast.fit.s - 1, 0)
                left.plot(depths, curve, color=LIGHT[0], linestyle=line, label=name)
        left.xaxis.set_major_locator(MaxNLocator(8, integer=True))
        left.set(ylim=(0, None), xlabel="pool depth", ylabel="new relevant documents")
        left.set_title("New relevant documents by depth")
        left.grid(axis="x", visible=False)
        left.legend(bbox_to_anchor=(1, 1), loc="upper left", frameon=False, fontsize=SMALL)
        topics = sorted(forecast.topics, key=lambda topic: (-topic.missing, -topic.relevant))
        places, relevant = np.arange(len(topics)), [topic.relevant for topic in topics]
        missing = [topic.missing for topic in topics]
        right.bar(places, relevant, color=LIGHT[0], label="found")
        right.bar(
            places, missing, bottom=relevant, color=PAPER, edgecolor=LIGHT[1], linewidth=0.8, hatch="/////",
            label="missing",
        )  # fmt: skip
        name_topics(right, [topic.query_id for topic in topics], WIDTH / 2 - 1.8)
        right.set(ylim=(0, None), xlim=(-0.8, max(len(topics), 6) - 0.2), ylabel="relevant documents")
        right.set_title("Relevant documents by topic")
        right.legend(bbox_to_anchor=(1, 1), loc="upper left", frameon=False, fontsize=SMALL)
        set_title(figure, f"How complete is the pool? {forecast.about}", _forecast_note(forecast))
    return figure


def _forecast_note(forecast: Forecast) -> str:
    missing = f"Missing: estimated lower bound (Chao), assuming {forecast.unit}s search independently."
    if forecast.fit is None or forecast.prediction is None or forecast.back_test is None:
        return f"There are too few depths to fit and test a forecast. {missing}"
    ahead, test = forecast.prediction, forecast.back_test
    return (
        f"Back-test, depths {test.first}-{test.last}: {test.predicted:.0f} predicted,"
        f" {test.observed} found. Forecast, depths {ahead.first}-{ahead.last}: {ahead.predicted:.0f} more."
        f" {missing}"
    )


SMALLEST, LARGEST = 4, 9  # the marker sizes of the first and the last budget


def simulation_plot(simulation: Simulation, ax: OnAxes = None) -> Figure:
    """Left: relevant documents found by budget, higher is better. Right: bias against relevant documents found.

    On the right each line follows a method through its budgets, from the small marker to the large one; low and far
    right is best.
    """
    with mpl.rc_context(SETTINGS):
        figure, (left, right) = make_panels(ax, 11, max(4.6, 1.4 + 0.18 * len(simulation.replays)), 1, 2, share=False)
        for number, replay in enumerate(simulation.replays):
            topics = max(simulation.topics, 1)
            style = series_look(number)
            judged = [point.documents / topics for point in replay.points]
            relevant = [point.relevant / topics for point in replay.points]
            left.plot(judged, relevant, label=shorten(replay.label, 30), **style._asdict())
            points = [(x, float(y), size) for x, point, size in zip(
                relevant, replay.points, np.linspace(SMALLEST, LARGEST, len(relevant)), strict=True
            ) if (y := point.bias["mean_change_percent"]) is not None and not isnan(y)]  # fmt: skip
            right.plot([x for x, _, _ in points], [y for _, y, _ in points], color=style.color, dashes=style.dashes)
            for x, y, size in points:
                right.plot(x, y, style.marker, color=style.color, markersize=size)
        left.set(xlabel="judged documents per topic", ylabel="relevant documents found per topic")
        left.set_title("Relevant documents found")
        right.set(
            xlabel="relevant documents found per topic", ylabel=f"mean absolute change of own {simulation.measure} (%)"
        )
        right.set_title(f"Bias against a left-out {simulation.by}")
        for axes in (left, right):
            axes.set_ylim(bottom=0)
            axes.xaxis.set_major_locator(MaxNLocator(6))
        draw_legend_beside(figure, "method", left)
        note = "Right panel, from the smallest budget (small marker) to the largest: bottom right is best."
        set_title(figure, "Relevant documents found by pooling methods, and score changes of left-out systems", note)
    return figure
