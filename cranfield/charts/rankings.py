"""Rankings of systems: without a unit's contribution, by truth and estimate, and how far they depend on the topics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, isnan, nan
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
import numpy as np
from matplotlib.ticker import MaxNLocator

from cranfield.arrays.rankings import Floats, Ints
from cranfield.charts.curves import RELIABLE, LineChart, pairs_by_topics, reversed_pairs, tau_by_topics
from cranfield.charts.labels import POINTS, spread_places
from cranfield.charts.palette import GREYS, LIGHT, PAPER, series_look
from cranfield.charts.style import (
    HIGHEST,
    LINE,
    SETTINGS,
    SMALL,
    TINY,
    WIDEST,
    OnAxes,
    draw_label_beside,
    draw_lines,
    label_ends,
    make_panels,
    set_title,
    shorten,
)
from cranfield.metrics.reusability.stability import ENOUGH
from cranfield.text import counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


Row = Mapping[str, Any]
NAMED = 10  # the runs that fall most
FEW = 30  # of up to so many runs, each is named at the left
COLUMN = 5.0  # inches of a panel with its names


def rank_plot(document: Row, ax: OnAxes = None) -> Figure:
    """For each measure a line from the rank of each left-out run to its rank without its own unit's contribution.

    `document` is the JSON document of `cranfield reusability`. Ranks are among all runs. The runs that fall most are
    coloured and named at the right; the others are grey, rising ones dashed. Each line is an experiment of its own: on
    the right, two runs may have the same rank.
    """
    scores = [score for unit in document["units"] for score in unit["scores"]]
    measures = list(dict.fromkeys(score["measure"] for score in scores))
    last = max(max(score["full_rank"], score["reduced_rank"]) for score in scores)
    height = min(HIGHEST, max(4.2, 1.6 + (0.21 if len(document["units"]) <= FEW else 0.075) * last))
    width = min(COLUMN, WIDEST / len(measures))
    with mpl.rc_context(SETTINGS):
        figure, panels = make_panels(ax, max(6.0, width * len(measures)), height, 1, len(measures), share=False)
        for axes, measure in zip(panels, measures, strict=True):
            _draw(axes, [score for score in scores if score["measure"] == measure], last, height - 1.6)
            axes.set_title(shorten(measure))
        title = f"Ranks with and without the {document['by']}'s own contribution to the pool"
        note = (
            f"Coloured: the largest drops (up to {NAMED} per measure) with the number of ranks lost. Grey: the"
            " other runs. Dashed: runs that rise. Each line is a separate leave-one-out test."
        )
        lack = document["no_verdict"]
        set_title(figure, title, f"Not tested: {lack}. {note}" if lack else note)
    return figure


def _draw(axes: Axes, scores: Sequence[Row], last: int, height: float) -> None:
    drop = {score["run"]: score["reduced_rank"] - score["full_rank"] for score in scores}
    fallen = [run for run in sorted(drop, key=lambda run: -drop[run]) if drop[run] > 0][:NAMED]
    for score in scores:
        _line(axes, score["full_rank"], score["reduced_rank"], score["run"] in fallen)
    axes.set(xlim=(0, 1), ylim=(last + 0.5, 0.5))
    axes.set_xticks([0, 1], ["with", "without"])
    axes.set_yticks([])
    axes.grid(visible=False)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    left = [score for score in scores if score["run"] in fallen or len(scores) <= FEW]
    _draw_names(axes, [(score["full_rank"], shorten(score["run"], 22)) for score in left], last, height, 0)
    right = [score for score in scores if score["run"] in fallen]
    texts = [(score["reduced_rank"], f"{shorten(score['run'], 22)}  -{drop[score['run']]}") for score in right]
    _draw_names(axes, texts, last, height, 1)


def _line(axes: Axes, full: int, without: int, fallen: bool) -> None:
    colour = LIGHT[1] if fallen else GREYS.context if full != without else GREYS.faint
    axes.plot(
        [0, 1], [full, without], "s-" if fallen else ("o--" if without < full else "o-"), color=colour, clip_on=False,
        linewidth=1.8 if fallen else 0.8, markersize=4 if fallen else 2.5, zorder=3 if fallen else 2,
    )  # fmt: skip


def _draw_names(axes: Axes, ranks: Sequence[tuple[int, str]], last: int, height: float, side: int) -> None:
    """The rank and name of a line at its end, spread where they would overlap, with a lead to the line."""
    size = SMALL if len(ranks) <= FEW else TINY
    gap = 1.4 * size / POINTS / height * last
    places = spread_places([rank for rank, _ in ranks], gap, 1, last)
    for (rank, name), place in zip(ranks, places, strict=True):
        draw_label_beside(
            axes, (side, rank), place, f"{rank}  {name}" if side else f"{name}  {rank}", side=side, size=size
        )


Side = tuple[str, Mapping[str, float]]
SCATTER_NAMED = 8  # the systems whose ranks differ most
PANEL = 4.6  # inches


def scatter_plot(pairs: Sequence[tuple[Side, Side]], taus: Sequence[float], ax: OnAxes = None) -> Figure:
    """A panel for each pair of truth and estimate, a point for each system that both score.

    The systems whose ranks differ most are coloured and named; `taus` are Kendall's, printed above the panels.
    """
    columns = min(len(pairs), 3)
    lines = ceil(len(pairs) / columns)
    height = min(PANEL, (HIGHEST - 1) / lines)
    with mpl.rc_context(SETTINGS):
        figure, panels = make_panels(
            ax, max(6.0, min(WIDEST, (PANEL + 0.6) * columns)), 1 + height * lines, lines, columns, share=False
        )
        for axes, (truth, estimate), tau in zip(panels, pairs, taus, strict=False):
            systems = [name for name in truth[1] if name in estimate[1]]
            x, y = (np.array([scores[name] for name in systems], dtype=float) for scores in (truth[1], estimate[1]))
            ranks = [_ranks(values) for values in (x, y)]
            order = np.argsort(-np.abs(ranks[0] - ranks[1]), kind="stable")[:SCATTER_NAMED]
            far = [int(at) for at in order if ranks[0][at] != ranks[1][at]]
            near = [at for at in range(len(systems)) if at not in far]
            axes.plot(x[near], y[near], "o", color=GREYS.context, markersize=4, zorder=2)
            axes.plot(x[far], y[far], "s", color=LIGHT[1], markersize=5, zorder=3)
            for values, set_limits in ((x, axes.set_xlim), (y, axes.set_ylim)):
                low, high = min(0.0, float(np.nanmin(values))), float(np.nanmax(values)) or 1.0
                set_limits(low - 0.03 * (high - low), high + 0.05 * (high - low))
            axes.set(xlabel=f"{shorten(truth[0], 44)} (truth)", ylabel=shorten(estimate[0], 44))
            low, high = axes.get_ylim()
            places = spread_places(y[far].tolist(), LINE * SMALL / POINTS / (height - 1) * (high - low), low, high)
            for at, place in zip(far, places, strict=True):
                text = f"{shorten(systems[at], 18)}  {ranks[0][at]}→{ranks[1][at]}"
                draw_label_beside(axes, (float(x[at]), float(y[at])), place, text)
            axes.set_title("tau undefined" if np.isnan(tau) else f"Kendall's tau {tau:.3f}")
        for axes in panels[len(pairs) :]:
            axes.set_axis_off()
        note = f"One point per system. Labelled with both ranks: up to {SCATTER_NAMED} systems whose ranks differ most."
        set_title(figure, "Two rankings of the same systems", note)
    return figure


def _ranks(scores: Floats) -> Ints:
    """From 1, the best first; equal scores share the best rank.

    >>> _ranks(np.array([0.5, 0.9, 0.5])).tolist()
    [2, 1, 2]
    """
    return np.asarray(1 + np.sum(scores[:, None] < scores[None, :], axis=1))


HEIGHT = 3.2  # inches of a panel


def stability_plot(document: Row, ax: OnAxes = None) -> Figure:
    """Three panels for each measure: reversed pairs by difference, tau of two topic sets, and shares of pairs, by size.

    `document` is that of `cranfield stability`. Every defined number of it is a point, and every point is one, but
    for rates of few pairs.
    """
    measures = document["measures"]
    height = min(HEIGHT, (HIGHEST - 1.2) / len(measures))
    with mpl.rc_context(SETTINGS):
        figure, panels = make_panels(ax, 13, 1.2 + height * len(measures), len(measures), 3, share=False)
        for number, stability in enumerate(measures):
            charts = (reversed_pairs(stability), tau_by_topics(stability), pairs_by_topics(stability))
            for axes, chart in zip(panels[3 * number :], charts, strict=False):
                draw_lines(axes, chart)
                axes.set_title(shorten(chart.title, 44))
            left, middle, right = panels[3 * number : 3 * number + 3]
            _mark_reliable(left, charts[0], stability)
            for axes in (middle, right):
                axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
                axes.margins(x=0.06)
            middle.set_ylim(min([0.0, *charts[1].lines[0].without_nan().y]) - 0.03, 1.03)
            right.set_ylim(-3, 103)
            label_ends(right, charts[2], height - 0.9)
        about = f"{counted(document['runs'], 'run')}, {counted(document['topics'], 'topic')}"
        note = (
            f"Compared: disjoint topic sets of equal size. Hollow, at {RELIABLE}%: the reliable difference. Differences"
            f" of 0.2 or more share the last point. Differences with fewer than {ENOUGH} pairs are not shown."
            " Distinguished: significant at 0.05 (paired t test)."
        )
        set_title(figure, f"How stable is the ranking of systems? {about}", note)
    return figure


def _mark_reliable(axes: Axes, chart: LineChart, stability: Row) -> None:
    """The limits, a line at what is reliable, and for each size a hollow mark at the difference that is."""
    differences = {counted(row["topics"], "topic"): row["difference"] for row in stability["by_topics"]}
    for line in chart.lines:
        if not isnan(difference := differences.get(line.name, nan)):
            style = series_look(line.series or 0)
            axes.plot(
                difference, RELIABLE, style.marker, color=PAPER, markeredgecolor=style.color, markeredgewidth=1.4,
                markersize=8, zorder=4,
            )  # fmt: skip
    axes.axhline(RELIABLE, color=GREYS.soft, linewidth=0.9, linestyle=(0, (1.5, 1.5)))
    axes.set(xlim=(-0.005, 0.205), ylim=(-1.5, max([52, *(1.04 * y for line in chart.lines for y in line.y)])))
    if chart.lines:
        axes.legend(bbox_to_anchor=(1, 1), loc="upper left", frameon=False, fontsize=SMALL, handlelength=3.6)
