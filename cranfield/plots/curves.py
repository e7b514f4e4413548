"""Precision-recall curves: means of runs in one panel, or single topics with a panel for each run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import matplotlib as mpl
import numpy as np

from cranfield.errors import InputError
from cranfield.plots.names import shortened
from cranfield.plots.palette import GREYS
from cranfield.plots.style import SETTINGS, Picture, key_beside, look, picture, require, titled

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame, Series

FEW_RUNS = 5  # of more than these, only some are drawn as lines
MOST_PANELS = 12
HALVES = 8  # from so many other runs on, the middle half of them is marked
BAND, MIDDLE = "#ebebeb", "#d6d6d6"


def precision_recall_plot(table: DataFrame, runs: Sequence[str] = ()) -> Picture:
    """The interpolated curves of runs, averaged over topics; `table` is that of `precision_recall`.

    Drawn as lines are the given `runs`; without any, up to five runs, or else the best, the median and the worst by
    their mean precision at the eleven points (AP11). A grey band is the range of the others.

    >>> from cranfield.metrics.curve import precision_recall
    >>> figure = precision_recall_plot(precision_recall({"q": {"d1": 1.0}}, {"q": {"d1": 1, "d2": 1}}))
    >>> [text.get_text() for text in figure.legends[0].get_texts()]
    ['0.727  run']
    """
    require(table, ["run", "recall", "precision"], "a precision-recall plot")
    curves = table.pivot(index="recall", columns="run", values="precision")
    best = curves.mean().sort_values(ascending=False, kind="stable")
    shown = chosen(best, runs, FEW_RUNS)
    others = curves.drop(columns=[*shown])
    with mpl.rc_context(SETTINGS):
        figure, (axes,) = picture(8, max(4.8, 1 + 0.17 * len(shown)))
        for number, (run, role) in enumerate(shown.items()):
            key = f"{best[run]:.3f}  {role}{shortened(str(run))}"  # no key may begin with _
            axes.plot(curves.index, curves[run], label=key, **look(number)._asdict())
        _draw_range(axes, others)
        _recall_axes(axes)
        key_beside(figure, "mean over recall points, run")
        titled(figure, "Interpolated precision at recall points, mean over topics")
    return figure


def chosen(best: Series[float], runs: Sequence[str], most: int) -> dict[str, str]:
    """Which of the runs, given best first, are named, in their order, each with its role.

    >>> from pandas import Series
    >>> scores = Series({"a": 0.9, "b": 0.5, "c": 0.4, "d": 0.1})
    >>> chosen(scores, ["c", "b"], 3), chosen(scores, [], 4)
    ({'b': '', 'c': ''}, {'a': '', 'b': '', 'c': '', 'd': ''})
    >>> chosen(scores, [], 3)
    {'a': 'best: ', 'b': 'median: ', 'd': 'worst: '}
    """
    if unknown := [run for run in runs if run not in best]:
        raise InputError(f"no run {unknown[0]!r} here; available: {', '.join(map(str, best.index))}")
    if runs or len(best) <= most:
        return {run: "" for run in best.index if not runs or run in runs}
    names = list(best.index)
    return {names[0]: "best: ", names[(len(names) - 1) // 2]: "median: ", names[-1]: "worst: "}


def _draw_range(axes: Axes, others: DataFrame) -> None:
    """A band from the lowest to the highest curve, and within it their middle half."""
    count = others.shape[1]
    if count == 1:
        axes.plot(others.index, others.iloc[:, 0], label="the other run", color=GREYS.context, linewidth=0.9, zorder=1)
    elif count:
        low, high = others.min(axis=1), others.max(axis=1)
        axes.fill_between(
            others.index, low, high, label=f"range of {count} others", color=BAND, linewidth=0, zorder=0.5
        )
    if count >= HALVES:
        low, high = (others.quantile(share, axis=1) for share in (0.25, 0.75))
        axes.fill_between(others.index, low, high, label="their middle half", color=MIDDLE, linewidth=0, zorder=0.6)


def topic_curve_plot(topics: DataFrame, mean: DataFrame | None = None, runs: Sequence[str] = ()) -> Picture:
    """The curves of single topics, not interpolated, one panel per run; `topics` is the table of `topic_curves`.

    The thick line is the interpolated mean, if `mean`, the table of `precision_recall`, is given; it shows how much
    topics vary around an average. Drawn are the given `runs`; without any, up to twelve runs, or else the best, the
    median and the worst.
    """
    require(topics, ["run", "query_id", "recall", "precision"], "a plot of topic curves")
    shown = chosen(_by_area(topics if mean is None else mean), runs, MOST_PANELS)
    columns = min(len(shown), 4 if len(shown) > 6 else 3)
    rows, width = -(-len(shown) // columns), 2.5 if columns > 2 else 4.0
    with mpl.rc_context(SETTINGS):
        figure, panels = picture(max(0.6 + width * columns, 5), 1.1 + 0.88 * width * rows, rows, columns)
        for axes, (run, role) in zip(panels, shown.items(), strict=False):
            _draw_topics(axes, topics[topics["run"] == run])
            if mean is not None:
                own = mean[mean["run"] == run].sort_values("recall")
                axes.plot(own["recall"], own["precision"], "o-", color=look(0).color, linewidth=2, markersize=3.5)
            _recall_axes(axes)
            axes.set_title(shortened(f"{role}{run}", 30 if columns > 2 else 44), fontsize=7.5)
        _label_outside(panels, len(shown), columns)
        thick = " Thick: interpolated mean over topics." if mean is not None else ""
        titled(figure, "Precision and recall by topic", f"Thin lines: single topics, not interpolated.{thick}")
    return figure


def _draw_topics(axes: Axes, topics: DataFrame) -> None:
    for _, points in topics.groupby("query_id", sort=True):
        marker = "." if len(points) == 1 else ""
        axes.plot(points["recall"], points["precision"], color="#b3b3b3", linewidth=0.5, marker=marker, markersize=3)


def _label_outside(panels: Sequence[Axes], used: int, columns: int) -> None:
    """Labels at the left and below the lowest panel of each column; unused panels are removed."""
    for place, axes in enumerate(panels):
        lowest = place + columns >= used
        axes.label_outer()
        axes.tick_params(labelbottom=lowest)
        axes.set_xlabel("recall" if lowest else "")
        if place >= used:
            axes.set_axis_off()


def _by_area(curves: DataFrame) -> Series[float]:
    """The mean precision of each run, the best first."""
    require(curves, ["run", "recall", "precision"], "the mean curves")
    return curves.groupby("run")["precision"].mean().sort_values(ascending=False, kind="stable")


def _recall_axes(axes: Axes) -> None:
    ticks = np.linspace(0, 1, 6)
    axes.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), xlabel="recall", ylabel="precision", xticks=ticks, yticks=ticks)
