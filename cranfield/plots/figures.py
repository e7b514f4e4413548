"""The pictures of trust: what left-out units lose, depths of the pool, stability over topics, and how hard topics are.

Each is of the JSON document, or the rows, of the command that makes the numbers. Nothing depends on colour: lines have
markers of their own and are named, bars and dots are labelled.
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

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Row = Mapping[str, Any]
MOST_UNITS = 30  # more are left to the table
MOST_TOPICS = 60


def change_plot(rows: Sequence[Row], by: str, measure: str) -> Picture:
    """How far each left-out unit's own score moves, a dot a run, the most first, and how far the run falls.

    `rows` have unit, run, change and fall. Lines at 1 and 6 per cent say what is noise and what calls for care.

    >>> figure = change_plot([{"unit": "a", "run": "a", "change": 7.5, "fall": 3}], "run", "AP")
    >>> [text.get_text() for text in figure.axes[0].texts]
    [' 7.5 %, 3 ranks']
    """
    defined = [row for row in rows if not np.isnan(row["change"])]
    if not defined:
        raise InputError("no left-out unit has a score that could change")
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
        axes.set_xlabel(f"change of its own {measure}, per cent")
        axes.grid(axis="y", visible=False)
        of = f", the {len(shown)} largest of {len(names)}" if len(names) > len(shown) else ""
        axes.set_title(f"Without what the {by} alone brought{of}")
    return figure


def _draw_unit(axes: Axes, own: Sequence[Row], place: int) -> None:
    most = max(own, key=lambda row: row["change"])
    axes.plot([0, most["change"]], [place, place], color="0.75", linewidth=2.2, solid_capstyle="butt", zorder=1)
    axes.plot([row["change"] for row in own], [place] * len(own), "o", color="#0072B2", markersize=5, clip_on=False)
    fall = f", {most['fall']} ranks" if most["fall"] > 1 else ", 1 rank" if most["fall"] == 1 else ""
    axes.annotate(
        f" {most['change']:.1f} %{fall}", (most["change"], place), xytext=(4, 0), textcoords="offset points",
        va="center", fontsize=7.5, bbox={"fc": "white", "ec": "none", "pad": 0.4},
    )  # fmt: skip


def depths_plot(document: Row) -> Picture:
    """What a shallower pool would have cost, against what left-out units would lose and how alike it would rank.

    `document` is the JSON document of `cranfield depths`; the first measure is drawn.
    """
    measure = document["rows"][0]["measure"]
    rows = [row for row in document["rows"] if row["measure"] == measure]
    cost = [row["judged"] for row in rows]
    with mpl.rc_context(SETTINGS):
        figure, (left, right) = picture(8, 3.6, 1, 2, share=False)
        _line(left, cost, [row["max_change_percent"] for row in rows], 0, "largest")
        _line(left, cost, [row["mean_change_percent"] for row in rows], 1, "mean")
        left.set(ylim=(0, None), ylabel=f"change of own {measure}, per cent")
        left.set_title(f"What a left-out {document['by']} loses")
        _line(right, cost, [row["tau"] for row in rows], 2, "")
        right.set(ylabel="Kendall's tau")
        right.set_title("How alike it ranks the systems")
        for axes in (left, right):
            axes.set_xlabel("documents judged (pool depth at the points)")
            _widen(axes, cost)
            _name_depths(axes, rows)
    return figure


def _widen(axes: Axes, x: Sequence[float]) -> None:
    """Room for the names at the right, and under the points."""
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
    """Depths at the points of the upper line, as far as there is room: at most eight."""
    line = axes.lines[0]
    every = max(1, -(-len(rows) // 8))
    for at in sorted({*range(0, len(rows), every), len(rows) - 1}):
        value = np.asarray(line.get_ydata())[at]
        if not np.isnan(value):
            axes.annotate(
                str(rows[at]["depth"]), (rows[at]["judged"], value), xytext=(0, -11), textcoords="offset points",
                ha="center", fontsize=7, color=GREY,
            )  # fmt: skip


def stability_plot(told: Row) -> Picture:
    """How often two sets of topics disagree, by how far two systems differ; and how many pairs a set tells apart.

    `told` is what `cranfield stability` says of one measure.
    """
    with mpl.rc_context(SETTINGS):
        figure, (left, right) = picture(8, 3.6, 1, 2, share=False)
        sizes = sorted({row["topics"] for row in told["swap_rates"]})
        kept = sizes if len(sizes) <= 4 else [sizes[round(i * (len(sizes) - 1) / 3)] for i in range(4)]
        for number, size in enumerate(kept):
            own = [row for row in told["swap_rates"] if row["topics"] == size and row["pairs"] >= 20]
            _swaps(left, own, number, f"{size} topics")
        left.axhline(5, color=GREY, linewidth=0.9, linestyle=(0, (1.5, 1.5)))
        left.xaxis.set_major_locator(MultipleLocator(0.05))
        right.xaxis.set_major_locator(MaxNLocator(integer=True))
        left.set(ylim=(0, 52), xlabel=f"difference in {told['measure']}", ylabel="pairs turned round, per cent")
        left.set_title("Two disjoint sets disagree (dotted: 5 %)")
        rows = told["by_topics"]
        _line(right, [row["topics"] for row in rows], [100 * row["told_apart"] for row in rows], 0, "")
        right.set(ylim=(0, 100), xlabel="topics", ylabel="pairs of systems, per cent")
        right.set_title("Told apart (paired t, .05)")
    return figure


def _swaps(axes: Axes, own: Sequence[Row], number: int, name: str) -> None:
    axes.plot(
        [row["from"] for row in own], [100 * row["rate"] for row in own], label=name, linewidth=1.3, markersize=4,
        **look(number)._asdict(),
    )  # fmt: skip
    axes.legend(frameon=False, fontsize=8, handlelength=3.6)


def topic_plot(rows: Sequence[Row], measure: str) -> Picture:
    """How well the topics are answered, the hardest first: a bar for the median run, a mark for the best.

    `rows` have topic, median and best, the hardest first.
    """
    with mpl.rc_context(SETTINGS):
        figure, (axes,) = picture(8, 3.2)
        places = np.arange(len(rows))
        axes.bar(places, [row["median"] for row in rows], color="#56B4E9", edgecolor="black", linewidth=0.4)
        axes.plot(places, [row["best"] for row in rows], "D", color="black", markersize=3.2)
        few = len(rows) <= MOST_TOPICS
        named = places if few else np.concatenate([places[:10], places[-10:]])
        axes.set_xticks(named, [shortened(str(rows[at]["topic"]), 12) for at in named], rotation=90, fontsize=6.5)
        axes.set_xlabel("topic" if few else f"topic (the ten at either end of {len(rows)} are named)")
        axes.grid(axis="x", visible=False)
        axes.set(ylim=(0, 1.02 if parse(measure).range == (0.0, 1.0) else None), xlim=(-0.8, len(rows) - 0.2))
        axes.set_ylabel(measure)
        axes.set_title("Bars: the median run, diamonds: the best; the hardest topic first")
    return figure
