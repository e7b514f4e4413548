"""Figures of reusability: changes of left-out units, pool depths, stability over topics, topic difficulty.

Each shows the JSON document, or the rows, of the command that computes the numbers. Nothing depends on colour: lines
have their own markers and names, bars and dots are labelled.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
import numpy as np
from matplotlib.ticker import MaxNLocator, MultipleLocator

from cranfield.errors import InputError
from cranfield.metrics.notation.parse import parse
from cranfield.metrics.reusability.thresholds import CARE, NOISE
from cranfield.plots.style import GREY, SETTINGS, Picture, look, picture, shortened
from cranfield.text import counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Row = Mapping[str, Any]
MOST_UNITS = 30  # that are drawn
MOST_TOPICS = 60


def change_plot(rows: Sequence[Row], by: str, measure: str) -> Picture:
    """The change of each left-out unit's own score, one dot per run, largest first, and the run's rank drop.

    `rows` have unit, run, change and fall. Lines at 1 and 6 per cent mark noise and what calls for care.

    >>> figure = change_plot([{"unit": "a", "run": "a", "change": 7.5, "fall": 3}], "run", "AP")
    >>> [text.get_text() for text in figure.axes[0].texts]
    [' 7.5 %, 3 ranks']
    """
    defined = [row for row in rows if not np.isnan(row["change"])]
    if not defined:
        raise InputError("no left-out unit has a defined score that could change")
    names = list(dict.fromkeys(row["unit"] for row in sorted(defined, key=lambda row: -row["change"])))
    shown = names[:MOST_UNITS]
    with mpl.rc_context(SETTINGS):
        figure, (axes,) = picture(8, 1.5 + 0.24 * len(shown))
        for place, name in enumerate(shown):
            _draw_unit(axes, [row for row in defined if row["unit"] == name], place)
        for at, style in ((NOISE, (0, (1.5, 1.5))), (CARE, (0, (6, 2)))):
            axes.axvline(at, color=GREY, linewidth=0.9, linestyle=style, zorder=0)
        axes.set_yticks(np.arange(len(shown)), [shortened(name, 30) for name in shown])
        widest = max(row["change"] for row in defined)
        axes.set(ylim=(len(shown) - 0.4, -0.6), xlim=(0, max(1.22 * widest, 1.2 * CARE)))
        axes.set_xlabel(f"change of own {measure} (%)")
        axes.grid(axis="y", visible=False)
        of = f", {len(shown)} largest of {len(names)}" if len(names) > len(shown) else ""
        axes.set_title(f"Without the {by}'s unique documents{of}")
    return figure


def _draw_unit(axes: Axes, own: Sequence[Row], place: int) -> None:
    most = max(own, key=lambda row: row["change"])
    axes.plot([0, most["change"]], [place, place], color="0.75", linewidth=2.2, solid_capstyle="butt", zorder=1)
    axes.plot([row["change"] for row in own], [place] * len(own), "o", color="#0072B2", markersize=5, clip_on=False)
    fall = f", {counted(most['fall'], 'rank')}" if most["fall"] > 0 else ""
    axes.annotate(
        f" {most['change']:.1f} %{fall}", (most["change"], place), xytext=(4, 0), textcoords="offset points",
        va="center", fontsize=7.5, bbox={"fc": "white", "ec": "none", "pad": 0.4},
    )  # fmt: skip


def depths_plot(document: Row) -> Picture:
    """The cost of shallower pools against the changes of left-out units and against Kendall's tau.

    `document` is the JSON document of `cranfield depths`; its first measure is drawn.
    """
    measure = document["rows"][0]["measure"]
    rows = [row for row in document["rows"] if row["measure"] == measure]
    cost = [row["judged"] for row in rows]
    with mpl.rc_context(SETTINGS):
        figure, (left, right) = picture(8, 3.6, 1, 2, share=False)
        _line(left, cost, [row["max_change_percent"] for row in rows], 0, "largest")
        _line(left, cost, [row["mean_change_percent"] for row in rows], 1, "mean")
        left.set(ylim=(0, None), ylabel=f"change of own {measure} (%)")
        left.set_title(f"Loss of a left-out {document['by']}")
        _line(right, cost, [row["tau"] for row in rows], 2, "")
        right.set(ylabel="Kendall's tau")
        right.set_title("Agreement with the full system ranking")
        for axes in (left, right):
            axes.set_xlabel("judged documents (points: pool depth)")
            _widen(axes, cost)
            _name_depths(axes, rows)
    return figure


def _widen(axes: Axes, x: Sequence[float]) -> None:
    """Room for the names on the right and below the points."""
    width = max(x) - min(x) or 1
    axes.set_xlim(min(x) - 0.08 * width, max(x) + 0.22 * width)
    axes.margins(y=0.12)


def _line(axes: Axes, x: Sequence[float], y: Sequence[float], number: int, name: str) -> None:
    axes.plot(x, y, linewidth=1.4, markersize=5, **look(number)._asdict())
    defined = [at for at, value in enumerate(y) if not np.isnan(value)]
    if name and defined:
        axes.annotate(
            name, (x[defined[-1]], y[defined[-1]]), xytext=(7, 0), textcoords="offset points", va="center", fontsize=8
        )


def _name_depths(axes: Axes, rows: Sequence[Row]) -> None:
    """Depths at the points of the upper line, as many as fit: about eight."""
    line = axes.lines[0]
    every = max(1, -(-len(rows) // 8))
    for at in sorted({*range(0, len(rows), every), len(rows) - 1}):
        value = np.asarray(line.get_ydata())[at]
        if not np.isnan(value):
            axes.annotate(
                str(rows[at]["depth"]), (rows[at]["judged"], value), xytext=(0, -11), textcoords="offset points",
                ha="center", fontsize=7, color=GREY,
            )  # fmt: skip


def stability_plot(document: Row) -> Picture:
    """How often two topic sets disagree, by score difference, and the share of significantly different pairs.

    `document` is the entry of one measure in the document of `cranfield stability`.
    """
    with mpl.rc_context(SETTINGS):
        figure, (left, right) = picture(8, 3.6, 1, 2, share=False)
        sizes = sorted({row["topics"] for row in document["swap_rates"]})
        kept = sizes if len(sizes) <= 4 else [sizes[round(i * (len(sizes) - 1) / 3)] for i in range(4)]
        for number, size in enumerate(kept):
            own = [row for row in document["swap_rates"] if row["topics"] == size and row["pairs"] >= 20]
            _swaps(left, own, number, f"{size} topics")
        left.axhline(5, color=GREY, linewidth=0.9, linestyle=(0, (1.5, 1.5)))
        left.xaxis.set_major_locator(MultipleLocator(0.05))
        right.xaxis.set_major_locator(MaxNLocator(integer=True))
        left.set(ylim=(0, 52), xlabel=f"difference in {document['measure']}", ylabel="reversed pairs (%)")
        left.set_title("Disagreement of disjoint topic sets (dotted: 5 %)")
        rows = document["by_topics"]
        _line(right, [row["topics"] for row in rows], [100 * row["told_apart"] for row in rows], 0, "")
        right.set(ylim=(0, 100), xlabel="topics", ylabel="pairs of systems (%)")
        right.set_title("Significant differences (paired t, .05)")
    return figure


def _swaps(axes: Axes, own: Sequence[Row], number: int, name: str) -> None:
    axes.plot(
        [row["from"] for row in own], [100 * row["rate"] for row in own], label=name, linewidth=1.3, markersize=4,
        **look(number)._asdict(),
    )  # fmt: skip
    axes.legend(frameon=False, fontsize=8, handlelength=3.6)


def topic_plot(rows: Sequence[Row], measure: str) -> Picture:
    """The scores of each topic, hardest first: a bar for the median run, a diamond for the best.

    `rows` have topic, median and best, hardest first.
    """
    with mpl.rc_context(SETTINGS):
        figure, (axes,) = picture(8, 3.2)
        places = np.arange(len(rows))
        axes.bar(places, [row["median"] for row in rows], color="#56B4E9", edgecolor="black", linewidth=0.4)
        axes.plot(places, [row["best"] for row in rows], "D", color="black", markersize=3.2)
        few = len(rows) <= MOST_TOPICS
        named = places if few else np.concatenate([places[:10], places[-10:]])
        axes.set_xticks(named, [shortened(str(rows[at]["topic"]), 12) for at in named], rotation=90, fontsize=6.5)
        axes.set_xlabel("topic" if few else f"topic (first and last ten of {len(rows)} labelled)")
        axes.grid(axis="x", visible=False)
        axes.set(ylim=(0, 1.02 if parse(measure).range == (0.0, 1.0) else None), xlim=(-0.8, len(rows) - 0.2))
        axes.set_ylabel(measure)
        axes.set_title("Topics, hardest first (bars: median run, diamonds: best run)")
    return figure
