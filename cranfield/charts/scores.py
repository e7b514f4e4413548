"""Scores over topics, a panel for each measure; and precision-recall curves, means of runs or single topics."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, isfinite
from typing import TYPE_CHECKING, NamedTuple

import matplotlib as mpl
import numpy as np

from cranfield.arrays.rankings import Floats
from cranfield.charts.curves import INTERPOLATED, Line, choose_runs, recall_curves
from cranfield.charts.intervals import quartiles
from cranfield.charts.palette import GREYS, LIGHT, series_look
from cranfield.charts.style import (
    HIGHEST,
    SETTINGS,
    SMALL,
    WIDEST,
    OnAxes,
    draw_legend_beside,
    draw_lines,
    make_panels,
    require_columns,
    set_title,
    shorten,
)
from cranfield.formats.text_tables import format_cell
from cranfield.lazy import lazy_type
from cranfield.metrics.notation import parse
from cranfield.text import counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from pandas import DataFrame
else:
    Figure = lazy_type("matplotlib.figure", "Figure")
    DataFrame = lazy_type("pandas", "DataFrame")


ROOMY, TIGHT = 0.34, 0.128  # inches a row
MOST_NUMBERS = 300  # side by side; more are a table
DOTTED = 20  # of more runs, topics are not drawn one by one
NAMES = 1.7  # inches, of the names of runs
HEADS = 0.62  # inches, of a panel's title and axis
ENDS = 1.0  # inches, of the figure's title and note


class PanelGrid(NamedTuple):
    """How the panels stand: in so many columns, `runs` runs in each, a row and a line of text so high."""

    columns: int
    lines: int
    runs: int
    row: float
    size: float
    width: float


def layout(runs: int, measures: int) -> PanelGrid:
    """Panels side by side, then below one another, within 16 x 20 inches; of too many runs the best.

    >>> layout(3, 1)[:3], layout(143, 12)[:3], layout(3, 12)[:3], layout(1000, 1)[2]
    ((1, 1, 3), (12, 1, 143), (4, 3, 3), 143)
    """
    row, height = ROOMY if runs <= DOTTED else TIGHT, HIGHEST - ENDS
    columns = min(measures, 4 if runs <= DOTTED else 12)
    if ceil(measures / columns) * (HEADS + runs * row) > height:
        row, columns = TIGHT, min(measures, 12)
    lines = ceil(measures / columns)
    fitting = max(1, min(runs, int((height / lines - HEADS) / row)))
    width = min(5.2 if columns == 1 else 3.2, (WIDEST - NAMES) / columns)
    return PanelGrid(columns, lines, fitting, row=row, size=SMALL if row == ROOMY else 6, width=width)


def score_distribution(table: DataFrame, measures: Sequence[str] = (), ax: OnAxes = None) -> Figure:
    """Draw the scores of each run over topics, with a panel for each measure.

    A box spans the middle half of the topics; a mark shows the mean. Runs are sorted by their mean of the first
    measure, which is printed at the right. With up to 20 runs, each topic is a dot.

    Parameters
    ----------
    table : DataFrame
        Scores by topic: the frame of `evaluate(..., per_topic=True)`.
    measures : sequence of str
        The measures; by default all measures of the table.
    ax : Axes or sequence of Axes, optional
        The axes to draw on; by default, a new figure.

    Returns
    -------
    Picture
        The figure, which a notebook shows and `savefig` writes.

    Examples
    --------
    >>> from cranfield import evaluate
    >>> scores = evaluate({"q": {"d1": 1}}, {"a": {"q": {"d1": 1.0}}}, ["AP", "P@1"], per_topic=True)
    >>> len(score_distribution(scores.frame).axes)
    2
    """
    require_columns(table, ["run", "query_id", "measure", "value"], "a score plot")
    names = list(measures) or list(dict.fromkeys(table["measure"]))
    scores = {name: scores_by_topic(table, name) for name in names}
    means = scores[names[0]].mean().sort_values(ascending=False, kind="stable")
    place = layout(len(means), len(names))
    runs = list(means.index[: place.runs])
    with mpl.rc_context(SETTINGS):
        size = (NAMES + place.columns * place.width, ENDS + place.lines * (HEADS + len(runs) * place.row))
        figure, panels = make_panels(ax, max(6.0, size[0]), size[1], place.lines, place.columns, share=False)
        for number, axes in enumerate(panels):
            if number < len(names):
                _draw_panel(axes, scores[names[number]].reindex(columns=runs), names[number], place, number)
            else:
                axes.set_axis_off()
        set_title(figure, _title(names, len(scores[names[0]]), len(means), len(runs)), _note(len(runs), place))
    return figure


def _draw_panel(axes: Axes, scores: DataFrame, name: str, place: PanelGrid, number: int) -> None:
    """The runs' rows by one measure."""
    rows, values = np.arange(scores.shape[1]), [scores[run].dropna().to_numpy(dtype=float) for run in scores.columns]
    has_names = number % place.columns == 0
    for row, own in zip(rows, values, strict=True):
        if len(own) and len(rows) <= DOTTED:
            axes.plot(own, row + _jitter(own), ".", color=GREYS.soft, alpha=0.6, markersize=3, zorder=2.5)
    # Lines from the least to the greatest score, boxes for the middle half, bars at medians, diamonds at means.
    have = [row for row, own in zip(rows, values, strict=True) if len(own)]
    fives = np.array([five for five in quartiles(scores.to_numpy(float).T) if isfinite(five.median)]).reshape(-1, 5)
    least, low, middle, high, most = fives.T
    thick = 0.5 * place.row * 72
    axes.hlines(have, least, most, color=GREYS.context, linewidth=0.7, zorder=2)
    axes.hlines(have, low, high, color=GREYS.faint, linewidth=thick, zorder=2.2, alpha=0.85)
    axes.plot(middle, have, "|", color=GREYS.soft, markersize=thick, markeredgewidth=1.2, zorder=3)
    means = [own.mean() for own in values if len(own)]
    axes.plot(means, have, "D", color=LIGHT[0], markersize=min(thick * 0.6, 5.5), zorder=4)
    if place.columns * len(rows) <= MOST_NUMBERS:
        # The means, right of the panel; the layout measures only the longest, which takes far less time.
        cells = [format_cell(float(own.mean())) if len(own) else "-" for own in values]
        longest = max(range(len(cells)), key=lambda number: len(cells[number]))
        for height, mean in enumerate(cells):
            text = axes.annotate(
                mean, (1, height), xycoords=axes.get_yaxis_transform(), xytext=(4, 0), va="center", fontsize=place.size,
                textcoords="offset points",
            )  # fmt: skip
            text.set_in_layout(height == longest)
    names = [shorten(str(run), 26) for run in scores.columns] if has_names else []
    axes.set_yticks(rows[: len(names)], names, fontsize=place.size)
    # From 0, or below where there are scores, to the greatest possible or present score, with a margin.
    present = np.concatenate([*values, [0.0]])
    first, last = parse(name).range
    last = last if np.isfinite(last) else max(float(present.max()), 1e-9)
    first = min(float(present.min()), 0.0) if not np.isfinite(first) or first < 0 else 0.0
    margin = 0.025 * (last - first)
    axes.set(ylim=(len(rows) - 0.5, -0.5), xlim=(first - margin, last + margin))
    axes.tick_params(axis="y", length=0)
    axes.locator_params(axis="x", nbins=5 if place.width > 2 else 2)
    axes.grid(axis="y", visible=False)
    axes.spines["left"].set_visible(False)
    if place.columns > 1:
        axes.set_title(shorten(name, int(place.width * 11)))


def _title(names: Sequence[str], topics: int, runs: int, drawn_runs: int) -> str:
    what = names[0] if len(names) == 1 else f"{len(names)} measures"
    of = f"; the {drawn_runs} best of {counted(runs, 'run')}" if drawn_runs < runs else f", {counted(runs, 'run')}"
    order = f", sorted by {names[0]}" if len(names) > 1 else ""
    return f"{what} over {counted(topics, 'topic')}{of}{order}"


def _note(runs: int, place: PanelGrid) -> str:
    """How to read it."""
    dots = "Dots: topics; l" if runs <= DOTTED else "L"
    mean = "diamond and number: mean" if place.columns * runs <= MOST_NUMBERS else "diamond: mean"
    return f"{dots}ine: least to greatest score; box: middle half of the topics; bar: median; {mean}."


def _jitter(values: Floats) -> Floats:
    """Offsets that separate dots of similar values, by the golden ratio: deterministic.

    >>> _jitter(np.array([0.1, 0.5, 0.5, 0.5])).round(2).tolist()
    [0.0, -0.08, 0.02, -0.04]
    """
    width = max(float(np.ptp(values)), 1e-9) / 70
    alike = np.floor((values - values.min()) / width)
    _, first, number = np.unique(alike, return_index=True, return_counts=True)
    nth = np.arange(len(values)) - np.repeat(first, number)
    height = np.repeat(np.minimum(0.08 * (number - 1), 0.62), number)
    return np.asarray((nth * 0.6180339887 % 1 - 0.5) * height) + 0.0


def scores_by_topic(table: DataFrame, measure: str) -> DataFrame:
    """Scores by topic (rows) and run (columns) of one measure."""
    measure_scores = table[table["measure"] == measure]
    require_columns(measure_scores, ["run"], f"the table of scores by {measure}")
    return measure_scores.pivot(index="query_id", columns="run", values="value")


MOST_PANELS = 12
HALVES = 8  # from so many other runs on, the middle half of them is marked
BAND, MIDDLE = "#ebebeb", "#d6d6d6"


def precision_recall_curves(table: DataFrame, runs: Sequence[str] = (), ax: OnAxes = None) -> Figure:
    """Draw the interpolated curves of runs, averaged over topics.

    A grey band shows the range of the runs that are not drawn as lines.

    Parameters
    ----------
    table : DataFrame
        The frame of `curve`: run, recall and precision.
    runs : sequence of str
        The runs to draw as lines. By default all of up to six runs; otherwise the best, the median and the worst run by
        mean precision at the eleven points (AP11).
    ax : Axes or sequence of Axes, optional
        The axes to draw on; by default, a new figure.

    Returns
    -------
    Picture
        The figure, which a notebook shows and `savefig` writes.

    Examples
    --------
    >>> from cranfield.metrics.evaluate import precision_recall
    >>> figure = precision_recall_curves(precision_recall({"q": {"d1": 1, "d2": 1}}, {"q": {"d1": 1.0}}))
    >>> [text.get_text() for text in figure.legends[0].get_texts()]
    ['0.727  run']
    """
    require_columns(table, ["run", "recall", "precision"], "a precision-recall plot")
    chart = recall_curves(table, runs)
    lines = [
        line._replace(name=f"{np.mean(line.y):.3f}  {line.role}{shorten(line.name)}")  # no key may begin with _
        for line in chart.lines
        if line.series is not None
    ]
    with mpl.rc_context(SETTINGS):
        figure, (axes,) = make_panels(ax, 8, max(4.8, 1 + 0.17 * len(lines)))
        draw_lines(axes, chart._replace(lines=lines))
        _draw_range(axes, [line for line in chart.lines if line.series is None])
        _recall_axes(axes)
        draw_legend_beside(figure, "mean over recall points, run", axes)
        set_title(figure, INTERPOLATED)
    return figure


def _draw_range(axes: Axes, others: Sequence[Line]) -> None:
    """A band from the lowest to the highest curve, and within it their middle half."""
    if len(others) == 1:
        axes.plot(others[0].x, others[0].y, label="the other run", color=GREYS.context, linewidth=0.9, zorder=1)
    bands = [
        (0, 1, f"range of {len(others)} others", BAND, 2),
        (0.25, 0.75, "their middle half", MIDDLE, HALVES),
    ]
    for number, (low, high, name, colour, least) in enumerate(bands):
        if len(others) >= least:
            edges = np.quantile([line.y for line in others], (low, high), axis=0)
            axes.fill_between(others[0].x, *edges, label=name, color=colour, linewidth=0, zorder=0.5 + number / 10)


def topic_recall_curves(
    topics: DataFrame, mean: DataFrame | None = None, runs: Sequence[str] = (), ax: OnAxes = None
) -> Figure:
    """Draw the curves of single topics, not interpolated, with a panel for each run.

    A thick line is the interpolated mean of the topics. The panel shows how much the topics vary around their average.

    Parameters
    ----------
    topics : DataFrame
        The frame of `curve(..., points="raw")`.
    mean : DataFrame, optional
        The frame of `curve`; without it, no mean is drawn.
    runs : sequence of str
        The runs. By default all of up to twelve runs; otherwise the best, the median and the worst run.
    ax : Axes or sequence of Axes, optional
        The axes to draw on; by default, a new figure.

    Returns
    -------
    Picture
        The figure, which a notebook shows and `savefig` writes.

    Examples
    --------
    >>> from cranfield import curve
    >>> qrels, runs = {"q": {"d2": 1}}, {"a": {"q": {"d1": 2.0, "d2": 1.0}}}
    >>> raw, mean = curve(qrels, runs, points="raw").frame, curve(qrels, runs).frame
    >>> topic_recall_curves(raw, mean).axes[0].get_xlabel()
    'recall'
    """
    require_columns(topics, ["run", "query_id", "recall", "precision"], "a plot of topic curves")
    curves = topics if mean is None else mean
    require_columns(curves, ["run", "recall", "precision"], "the mean curves")
    means = curves.groupby("run")["precision"].mean().sort_values(ascending=False, kind="stable")
    roles = choose_runs(means, runs, MOST_PANELS)
    columns = min(len(roles), 4 if len(roles) > 6 else 3)
    rows, width = -(-len(roles) // columns), 2.5 if columns > 2 else 4.0
    with mpl.rc_context(SETTINGS):
        figure, panels = make_panels(ax, max(0.6 + width * columns, 5), 1.1 + 0.88 * width * rows, rows, columns)
        for axes, (run, role) in zip(panels, roles.items(), strict=False):
            _draw_topics(axes, topics[topics["run"] == run])
            if mean is not None:
                own = mean[mean["run"] == run].sort_values("recall")
                axes.plot(
                    own["recall"], own["precision"], "o-", color=series_look(0).color, linewidth=2, markersize=3.5
                )
            _recall_axes(axes)
            axes.set_title(shorten(f"{role}{run}", 30 if columns > 2 else 44), fontsize=7.5)
        _label_outside(panels, len(roles), columns)
        thick = " Thick: interpolated mean over topics." if mean is not None else ""
        set_title(figure, "Precision and recall by topic", f"Thin lines: single topics, not interpolated.{thick}")
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


def _recall_axes(axes: Axes) -> None:
    ticks = np.linspace(0, 1, 6)
    axes.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), xlabel="recall", ylabel="precision", xticks=ticks, yticks=ticks)
