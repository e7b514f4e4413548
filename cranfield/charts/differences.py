"""Differences of runs: of one pair by topic, of many from a baseline, or of all pairs."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import TYPE_CHECKING

import matplotlib as mpl
import numpy as np
from matplotlib.colors import LinearSegmentedColormap

from cranfield.arrays.rankings import Floats, Mask
from cranfield.charts.intervals import IntervalRow, summarise_differences
from cranfield.charts.labels import labelled_places
from cranfield.charts.palette import GREYS, PAPER
from cranfield.charts.scores import scores_by_topic
from cranfield.charts.style import (
    BETTER,
    HIGHEST,
    SETTINGS,
    SMALL,
    TINY,
    WIDEST,
    WORSE,
    OnAxes,
    draw_intervals,
    make_panels,
    require_columns,
    set_title,
    shorten,
)
from cranfield.errors import InputError
from cranfield.lazy import lazy_type
from cranfield.text import counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.image import AxesImage
    from pandas import DataFrame
else:
    Figure = lazy_type("matplotlib.figure", "Figure")
    DataFrame = lazy_type("pandas", "DataFrame")

DIVERGING = LinearSegmentedColormap.from_list("differences", ["#e8935a", PAPER, "#5fa6d3"])  # light: text on it is read
ROW = 0.2  # inches a run
BAR = 1.0  # inches of the colour bar and its numbers
WRITTEN = 20  # of more runs, the differences of a matrix are not written into it


def difference_bars(
    table: DataFrame, run: str, baseline: str, measure: str | None = None, *, ax: OnAxes = None
) -> Figure:
    """Draw the difference of a run from a baseline on each topic, the largest first.

    Bars point up where the run is better; hatched bars point down where the baseline is better. A few high bars can
    cause a difference in means that does not exist on most topics.

    Parameters
    ----------
    table : DataFrame
        Scores by topic: the frame of `evaluate(..., per_topic=True)`.
    run, baseline : str
        The tags of the two runs.
    measure : str, optional
        The measure; by default, the first measure in the table.
    ax : Axes or sequence of Axes, optional
        The axes to draw on; by default, a new figure.

    Returns
    -------
    Picture
        The figure, which a notebook shows and `savefig` writes.

    Raises
    ------
    InputError
        If the table has no scores for one of the runs, or the runs share no topic.

    Examples
    --------
    >>> from cranfield import evaluate
    >>> runs = {"a": {"1": {"d": 1.0}, "2": {"d": 1.0}}, "b": {"1": {"e": 1.0}, "2": {"d": 1.0}}}
    >>> scores = evaluate({"1": {"d": 1}, "2": {"d": 1}}, runs, "AP", per_topic=True)
    >>> difference_bars(scores.frame, "a", "b").axes[0].get_ylabel()
    'difference in AP'
    """
    require_columns(table, ["run", "query_id", "measure", "value"], "a difference plot")
    name = measure or str(table["measure"].iloc[0])
    scores = scores_by_topic(table, name)
    for tag in (run, baseline):
        if tag not in scores:
            raise InputError(
                f"there are no scores for run {tag!r}; the table has scores for {', '.join(map(str, scores.columns))}"
            )
    difference = (scores[run] - scores[baseline]).dropna().sort_values(ascending=False, kind="stable")
    if difference.empty:
        raise InputError(f"no topic has scores for both {run!r} and {baseline!r}")
    width = max(6.0, min(14.0, 1.5 + 0.16 * len(difference)))
    with mpl.rc_context(SETTINGS):
        figure, (axes,) = make_panels(ax, width, 4.4)
        places, worse = np.arange(len(difference)), np.asarray(difference < 0)
        axes.bar(places[~worse], difference[~worse], color=BETTER)
        axes.bar(places[worse], difference[worse], color=PAPER, edgecolor=WORSE, linewidth=0.8, hatch="/////")
        axes.axhline(0, color=GREYS.ink, linewidth=0.8)
        axes.axhline(difference.mean(), color=GREYS.ink, linewidth=1, linestyle=(0, (6, 2)))
        name_topics(axes, list(difference.index), width - 1)
        axes.set(ylabel=f"difference in {shorten(name)}", xlim=(-0.8, max(len(difference), 6) - 0.2))
        who = f"{shorten(run, 30)} minus {shorten(baseline, 30)}"
        summary = summarise_differences((shorten(run), shorten(baseline)), difference.tolist())
        note = f"{summary} (dashed). Bar up: the first run is better. Hatched bar down: the second run is better."
        set_title(figure, f"{who}, {shorten(name)} by topic", note)
    return figure


def name_topics(axes: Axes, topics: Sequence[object], inches: float) -> None:
    """Topics below their bars, as many as there is room for."""
    places = labelled_places(len(topics), inches, TINY)
    axes.set_xticks(places, [shorten(str(topics[at]), 14) for at in places], rotation=90, fontsize=TINY)
    axes.grid(axis="x", visible=False)
    every = "" if len(places) == len(topics) else f" ({len(places)} of {len(topics)} are named)"
    axes.set_xlabel(f"topic{every}")


def comparison_chart(table: DataFrame, baseline: str | None, alpha: float, ax: OnAxes = None) -> Figure:
    """Draw a comparison: each run's difference from the baseline with its interval, or a matrix of all pairs.

    There is a panel for each measure.

    Parameters
    ----------
    table : DataFrame
        The table that `compare` returns.
    baseline : str or None
        The run that the others were compared with; None for a matrix of all pairs.
    alpha : float
        The significance level of the comparison.
    ax : Axes or sequence of Axes, optional
        The axes to draw on; by default, a new figure.

    Returns
    -------
    Picture
        The figure, which a notebook shows and `savefig` writes.

    Examples
    --------
    >>> from cranfield.metrics.significance.compare import compare
    >>> runs = {"a": {t: {"d": 1.0} for t in "123"}, "b": {"1": {"d": 1.0}, "2": {"e": 1.0}, "3": {"e": 1.0}}}
    >>> table = compare({t: {"d": 1} for t in "123"}, runs, measures="RR", baseline="b", test="t")
    >>> comparison_chart(table, "b", 0.05).axes[0].get_xlabel()
    'difference in RR'
    """
    require_columns(table, ["run_a", "run_b", "measure", "difference", "significant"], "a comparison plot")
    measures = [(str(name), own) for name, own in table.groupby("measure", sort=False)]
    if baseline is not None:
        return _interval_figure(table, measures, baseline, alpha, ax)
    return _matrix_figure(table, measures, alpha, ax)


def _interval_figure(
    table: DataFrame, measures: Sequence[tuple[str, DataFrame]], baseline: str, alpha: float, ax: OnAxes = None
) -> Figure:
    first = measures[0][1].sort_values("difference", ascending=False, kind="stable")
    most = int((HIGHEST - 1.6) / ROW)
    runs = list(first["run_a"])[:most]
    width = min(6.0 if len(measures) == 1 else 3.2, (WIDEST - 1.8) / len(measures))
    with mpl.rc_context(SETTINGS):
        figure, panels = make_panels(
            ax, max(6, 1.8 + width * len(measures)), 1.6 + ROW * len(runs), 1, len(measures), share=False
        )
        for number, (axes, (name, own)) in enumerate(zip(panels, measures, strict=True)):
            of = own.set_index("run_a").reindex(runs)
            columns = (of[name] for name in ("difference", "low", "high"))
            marks = of["significant"].fillna(False).astype(bool), _are_undecided(of)
            rows = map(IntervalRow, map(str, runs), *columns, *marks)
            draw_intervals(axes, list(rows), length=0 if number else 24)
            axes.set_xlabel(f"difference in {shorten(name)}")
        which = f"; {len(runs)} of {len(first)} runs" if len(runs) < len(first) else ""
        title = f"Each run minus {shorten(baseline, 40)}, sorted by {shorten(measures[0][0])}{which}"
        note = (
            f"Lines: {100 * (1 - alpha):.4g}% interval of the mean difference (paired t, not corrected). Filled:"
            f" significant at {alpha:g} after correction; hollow: not."
        ) + _undecided_caption(table)
        set_title(figure, title, note)
    return figure


def _matrix_figure(
    table: DataFrame, measures: Sequence[tuple[str, DataFrame]], alpha: float, ax: OnAxes = None
) -> Figure:
    pairs = measures[0][1]
    means = dict(zip([*pairs["run_a"], *pairs["run_b"]], [*pairs["mean_a"], *pairs["mean_b"]], strict=True))
    runs = sorted(means, key=lambda run: -np.nan_to_num(means[run]))
    columns = ceil(len(measures) ** 0.5) if len(measures) > 1 else 1
    lines = ceil(len(measures) / columns)
    names = 1.6 / columns if len(runs) > WRITTEN else 1.6
    room = min(WIDEST / columns - BAR, (HIGHEST - 1.5) / lines) - names
    side = min(max(0.42 * len(runs), 1.6), room)
    with mpl.rc_context(SETTINGS):
        figure, panels = make_panels(
            ax, max(6.0, columns * (side + names + BAR)), 1.2 + lines * (side + names), lines, columns, share=False
        )
        for axes, (name, own) in zip(panels, measures, strict=False):
            figure.colorbar(_draw_matrix(axes, own, runs, side), ax=axes, shrink=0.5, aspect=30).outline.set_visible(
                False
            )
            axes.set_title(f"difference in {shorten(name)}")
        for axes in panels[len(measures) :]:
            axes.set_axis_off()
        title = f"Row minus column: {counted(len(runs), 'run')}, sorted by their mean {shorten(measures[0][0])}"
        mark = "Number" if len(runs) <= WRITTEN else "Dot"
        note = (
            f"Blue: the run in the row is better. Orange: the run in the column is better. {mark}:"
            f" significant at {alpha:g} after correction."
        ) + _undecided_caption(table)
        set_title(figure, title, note)
    return figure


def _are_undecided(table: DataFrame) -> Mask:
    """Which differences unjudged documents leave undecided; scores alone have no outcomes."""
    if "outcome" not in table:
        return np.zeros(len(table), bool)
    return table["outcome"].fillna("").str.startswith("not decided").to_numpy(bool)


def _undecided_caption(table: DataFrame) -> str:
    return " ?: not decided because of unjudged documents." if _are_undecided(table).any() else ""


def _draw_matrix(axes: Axes, own: DataFrame, runs: Sequence[str], side: float) -> AxesImage:
    """The differences as colours, those of significant and of undecided pairs marked."""
    differences, significant, undecided = _pair_matrix(own, runs)
    widest = float(np.nanmax(np.abs(differences))) or 1
    image = axes.imshow(differences, cmap=DIVERGING, vmin=-widest, vmax=widest, interpolation="nearest")
    if len(runs) <= WRITTEN:
        for row, column in np.argwhere(significant).tolist():
            axes.text(column, row, difference_text(differences[row, column]), ha="center", va="center", fontsize=TINY)
        for row, column in np.argwhere(undecided).tolist():
            axes.text(column, row, "?", ha="center", va="center", fontsize=TINY)
    else:
        rows, columns = np.nonzero(significant)
        size = 0.35 * side / len(runs) * 72
        axes.plot(columns, rows, "o", color=GREYS.ink, markersize=size, alpha=0.55)
        rows, columns = np.nonzero(undecided)
        axes.plot(columns, rows, "$?$", color=GREYS.ink, markersize=2 * size, alpha=0.55)
    places = labelled_places(len(runs), side, TINY if side / len(runs) < 0.3 else SMALL)
    names = [shorten(runs[at]) for at in places]
    axes.set_xticks(places, names, rotation=90, fontsize=TINY)
    axes.set_yticks(places, names, fontsize=TINY)
    axes.tick_params(length=0, top=False)
    axes.grid(visible=False)
    axes.spines[:].set_visible(False)
    return image


def difference_text(difference: float) -> str:
    """A difference in a cell: two decimals, or one digit that is not 0 where those are.

    >>> [difference_text(value) for value in (0.25, -10.25, 0.004, -0.00004)]
    ['+.25', '-10.25', '+.004', '-4e-05']
    """
    text = f"{difference:+.2f}" if abs(round(difference, 2)) else f"{difference:+.1g}"
    return text.replace("+0.", "+.").replace("-0.", "-.")


def _pair_matrix(own: DataFrame, runs: Sequence[str]) -> tuple[Floats, Mask, Mask]:
    """Row minus column of every pair, both ways, and which are significant or undecided."""
    place = {run: at for at, run in enumerate(runs)}
    one, other = (own[name].map(place).to_numpy() for name in ("run_a", "run_b"))
    shape = (len(runs),) * 2
    differences, significant, undecided = np.full(shape, np.nan), np.zeros(shape, bool), np.zeros(shape, bool)
    for rows, columns, sign in ((one, other, 1), (other, one, -1)):
        differences[rows, columns] = sign * own["difference"]
        significant[rows, columns] = own["significant"]
        undecided[rows, columns] = _are_undecided(own)
    return differences, significant, undecided
