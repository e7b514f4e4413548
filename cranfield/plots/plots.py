"""Figures of runs, one function each, from the tables of `evaluate` and `metrics.curve`.

Lines and panels are in the order of the runs' scores, best first. Every run has its own line style and marker and is
labelled where it is drawn, so that nothing depends on colour; 17 runs fit.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd
from typing import TYPE_CHECKING

import matplotlib as mpl
import numpy as np

from cranfield.arrays.rankings import Floats
from cranfield.errors import InputError
from cranfield.formats.text_tables import cell
from cranfield.plots.style import GREY, SETTINGS, Picture, look, picture, require, save, shortened
from cranfield.text import counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame, Series

__all__ = ["difference_bars", "precision_recall_plot", "save", "score_distribution", "topic_curve_plot"]

FEW_RUNS = 5  # more than this are numbered on their lines
MEAN_LINE = "; black: interpolated mean"
MOST_RUNS = 20  # more than this cannot be distinguished
NAMED_TOPICS = 60  # more bars than this cannot all be named


def precision_recall_plot(table: DataFrame) -> Picture:
    """The interpolated curves of runs, averaged over topics, in one panel; `table` is that of `precision_recall`.

    A few runs are named on their lines; more are numbered, and the legend lists them by their mean precision over the
    eleven points (AP11). Of more than 20, the best 20 are distinguished and the others are grey.

    >>> from cranfield.metrics.curve import precision_recall
    >>> figure = precision_recall_plot(precision_recall({"q": {"d1": 1.0}}, {"q": {"d1": 1, "d2": 1}}))
    >>> len(figure.axes[0].lines)
    1
    """
    require(table, ["run", "recall", "precision"], "a precision-recall plot")
    curves = table.pivot(index="recall", columns="run", values="precision")
    best = curves.mean().sort_values(ascending=False, kind="stable")
    with mpl.rc_context(SETTINGS):
        figure, (axes,) = picture(8, 5)
        named = best.iloc[:MOST_RUNS]
        for number, (run, score) in enumerate(named.items()):
            key = f"{number + 1}  {shortened(str(run))}  {score:.3f}"
            axes.plot(curves.index, curves[run], label=key, linewidth=1.3, markersize=4.5, **look(number)._asdict())
            label = shortened(str(run), 16) if len(best) <= FEW_RUNS else str(number + 1)
            _label_line(axes, label, number, len(named), np.asarray(curves.index), np.asarray(curves[run]))
        _draw_rest(axes, curves[best.index[MOST_RUNS:]])
        _recall_axes(axes)
        axes.set_title("Interpolated precision at recall points, mean over topics")
        figure.legend(
            loc="outside right upper", title="run, mean over recall points", handlelength=4.2, frameon=False,
            fontsize=8, title_fontsize=8, alignment="left",
        )  # fmt: skip
    return figure


def _draw_rest(axes: Axes, curves: DataFrame) -> None:
    """Grey curves behind the others; the legend counts them."""
    for place, run in enumerate(curves.columns):
        key = f"{curves.shape[1]} more" if place == 0 else "_"
        axes.plot(curves.index, curves[run], label=key, color="0.75", linewidth=0.6, zorder=1)


def _label_line(axes: Axes, text: str, number: int, of: int, recall: Floats, precision: Floats) -> None:
    """A run's label on its line, at another recall than the neighbouring labels."""
    stride = next(step for step in (5, 7, 11, 1) if gcd(step, of) == 1)
    at = 0.03 + 0.94 * ((number * stride) % of + 0.5) / of
    axes.annotate(
        text, (at, float(np.interp(at, recall, precision))), ha="center", va="center", fontsize=7, fontweight="bold",
        color="black", bbox={"boxstyle": "round,pad=0.15", "fc": "white", "ec": GREY, "lw": 0.5},
    )  # fmt: skip


def topic_curve_plot(topics: DataFrame, mean: DataFrame | None = None) -> Picture:
    """The curves of single topics, not interpolated, one panel per run; `topics` is the table of `topic_curves`.

    The thick line is the interpolated mean, if `mean`, the table of `precision_recall`, is given; it shows how much
    topics vary around an average.
    """
    require(topics, ["run", "query_id", "recall", "precision"], "a plot of topic curves")
    runs = _by_area(mean) if mean is not None else sorted(topics["run"].unique())
    columns = min(len(runs), 4 if len(runs) > 6 else 3)
    rows, width = -(-len(runs) // columns), 2.5 if columns > 2 else 4.0
    with mpl.rc_context(SETTINGS):
        figure, panels = picture(0.6 + width * columns, 0.6 + 0.88 * width * rows, rows, columns)
        for axes, run in zip(panels, runs, strict=False):
            _draw_topics(axes, topics[topics["run"] == run])
            if mean is not None:
                own = mean[mean["run"] == run].sort_values("recall")
                axes.plot(own["recall"], own["precision"], color="black", linewidth=2, marker="o", markersize=3)
            _recall_axes(axes)
            axes.set_title(shortened(run, 26))
        _label_outside(panels, len(runs), columns)
        figure.suptitle("grey: single topics, not interpolated" + (MEAN_LINE if mean is not None else ""), fontsize=9)
    return figure


def _draw_topics(axes: Axes, topics: DataFrame) -> None:
    for _, points in topics.groupby("query_id", sort=True):
        marker = "." if len(points) == 1 else ""
        axes.plot(points["recall"], points["precision"], color="0.7", linewidth=0.5, marker=marker, markersize=3)


def _label_outside(panels: Sequence[Axes], used: int, columns: int) -> None:
    """Labels at the left and below the lowest panel of each column; unused panels are removed."""
    for place, axes in enumerate(panels):
        lowest = place + columns >= used
        axes.label_outer()
        axes.tick_params(labelbottom=lowest)
        axes.set_xlabel("recall" if lowest else "")
        if place >= used:
            axes.set_axis_off()


def _by_area(mean: DataFrame) -> list[str]:
    require(mean, ["run", "recall", "precision"], "the mean curves")
    best = mean.groupby("run")["precision"].mean().sort_values(ascending=False, kind="stable")
    return [str(run) for run in best.index]


def _recall_axes(axes: Axes) -> None:
    axes.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), xlabel="recall", ylabel="precision")


def difference_bars(table: DataFrame, run: str, baseline: str, measure: str | None = None) -> Picture:
    """The difference of a run from a baseline on each topic, largest first; `table` is that of `evaluate(per_topic)`.

    Bars point up where the run is better, hatched bars down where the baseline is. A few high bars can cause a
    difference of means that most topics do not show.
    """
    scores = _by_topic(table, measure, "a difference plot")
    for tag in (run, baseline):
        if tag not in scores:
            raise InputError(f"no scores of run {tag!r}; there are {', '.join(map(str, scores.columns))}")
    difference = (scores[run] - scores[baseline]).dropna().sort_values(ascending=False, kind="stable")
    if difference.empty:
        raise InputError(f"no topic on which {run!r} and {baseline!r} both have a score")
    name = measure or str(table["measure"].iloc[0])
    with mpl.rc_context(SETTINGS):
        figure, (axes,) = picture(max(6.0, min(14.0, 1.5 + 0.16 * len(difference))), 4.2)
        places = np.arange(len(difference))
        worse = np.asarray(difference < 0)
        axes.bar(places[~worse], difference[~worse], color="#0072B2", edgecolor="black", linewidth=0.4)
        axes.bar(places[worse], difference[worse], color="#FFFFFF", edgecolor="#D55E00", linewidth=0.8, hatch="////")
        axes.axhline(0, color="black", linewidth=0.8)
        axes.axhline(difference.mean(), color="black", linewidth=1, linestyle=(0, (6, 2)))
        _name_topics(axes, difference)
        axes.grid(axis="x", visible=False)
        axes.set(ylabel=f"difference in {name}", xlim=(-0.8, len(difference) - 0.2))
        axes.set_title(_summary(difference, shortened(run), shortened(baseline), name))
    return figure


def _name_topics(axes: Axes, difference: Series[float]) -> None:
    """Topics below their bars; of very many, only the first and last ten."""
    places = np.arange(len(difference))
    few = len(places) <= NAMED_TOPICS
    shown = places if few else np.concatenate([places[:10], places[-10:]])
    axes.set_xticks(shown, [shortened(str(difference.index[i]), 14) for i in shown], rotation=90, fontsize=6.5)
    axes.set_xlabel("topic" if few else f"topic (first and last ten of {len(places)} labelled)")


def _summary(difference: Series[float], run: str, baseline: str, name: str) -> str:
    better, worse = int((difference > 0).sum()), int((difference < 0).sum())
    return (
        f"{run} minus {baseline}, {name}\n"
        f"{better} topics better, {worse} worse, {len(difference) - better - worse} equal; "
        f"mean {difference.mean():+.4f} (dashed)"
    )


def score_distribution(table: DataFrame, measure: str | None = None) -> Picture:
    """The scores of each run over topics: one dot per topic, a box for the quartiles, a cross for the mean.

    `table` is that of `evaluate(per_topic)`. Runs are sorted by their mean, which is printed in the right margin.
    """
    scores = _by_topic(table, measure, "a score plot")
    means = scores.mean().sort_values(ascending=False, kind="stable")
    name = measure or str(table["measure"].iloc[0])
    with mpl.rc_context(SETTINGS):
        figure, (axes,) = picture(8, 1.3 + 0.36 * len(means))
        for place, run in enumerate(means.index):
            _draw_scores(axes, np.sort(scores[run].dropna().to_numpy(dtype=float)), place)
            axes.annotate(
                cell(float(means[run])), (1, place), xycoords=axes.get_yaxis_transform(), xytext=(4, 0), va="center",
                textcoords="offset points", fontsize=8,
            )  # fmt: skip
        axes.set_yticks(np.arange(len(means)), [shortened(str(run)) for run in means.index])
        axes.set(ylim=(len(means) - 0.5, -0.5), xlabel=name)
        axes.grid(axis="y", visible=False)
        axes.set_title(f"{name} over {counted(len(scores), 'topic')} (dots: topics, boxes: quartiles, crosses: means)")
    return figure


def _draw_scores(axes: Axes, values: Floats, place: int) -> None:
    if not len(values):
        return
    axes.plot(values, place + _spread(values), ".", color="0.5", markersize=2.6, zorder=1)
    axes.boxplot(
        [values], positions=[place], orientation="horizontal", widths=0.72, showfliers=False, manage_ticks=False,
        medianprops={"color": "black", "linewidth": 1.6}, boxprops={"color": GREY}, whiskerprops={"color": GREY},
        capprops={"color": GREY}, zorder=3,
    )  # fmt: skip
    axes.plot(values.mean(), place, marker="X", color="black", markeredgecolor="white", markersize=8, zorder=4)


def _spread(values: Floats) -> Floats:
    """Offsets that separate dots of similar values, by the golden ratio: deterministic.

    >>> _spread(np.array([0.1, 0.5, 0.5, 0.5])).round(2).tolist()
    [0.0, -0.08, 0.02, -0.04]
    """
    width = max(float(np.ptp(values)), 1e-9) / 70
    alike = np.floor((values - values.min()) / width)
    _, first, number = np.unique(alike, return_index=True, return_counts=True)
    nth = np.arange(len(values)) - np.repeat(first, number)
    height = np.repeat(np.minimum(0.08 * (number - 1), 0.62), number)
    return np.asarray((nth * 0.6180339887 % 1 - 0.5) * height) + 0.0


def _by_topic(table: DataFrame, measure: str | None, what: str) -> DataFrame:
    """Scores by topic (rows) and run (columns) of one measure, the first by default."""
    require(table, ["run", "query_id", "measure", "value"], what)
    chosen = str(table["measure"].iloc[0]) if measure is None else measure
    of_measure = table[table["measure"] == chosen]
    require(of_measure, ["run"], f"the table of scores by {chosen}")
    return of_measure.pivot(index="query_id", columns="run", values="value")
