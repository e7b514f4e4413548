"""Interaction logs: measures, effects of A/B tests and interleaving, click models, counterfactual estimates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, isnan
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
import numpy as np
from matplotlib.ticker import MaxNLocator

from cranfield.arrays.rankings import Floats
from cranfield.charts.curves import Line, LineChart
from cranfield.charts.intervals import IntervalRow
from cranfield.charts.labels import POINTS, spread_places
from cranfield.charts.palette import GREYS, series_look
from cranfield.charts.style import (
    HIGHEST,
    LINE,
    SETTINGS,
    SMALL,
    Picture,
    draw_intervals,
    draw_label_beside,
    draw_legend_beside,
    draw_lines,
    new_picture,
    set_title,
    shorten,
)
from cranfield.errors import InputError
from cranfield.features.online.estimates import OnlineEstimate

if TYPE_CHECKING:
    from matplotlib.axes import Axes


COLUMNS, PANEL, ROW, HEADS = 4, 2.6, 0.3, 0.7  # panels side by side, and inches
MOST = 40  # rows of a panel


def online_plot(rows: Sequence[Mapping[str, Any]], by: str, confidence: float = 0.95) -> Picture:
    """The measures as dots with their intervals; `rows` are those of `online_rows`."""
    names = list(dict.fromkeys(row["measure"] for row in rows))
    several = len({row.get("experiment") for row in rows}) > 1
    labels = [(f"{row['experiment']}: " if several else "") + (str(row[by]) or "(none)") for row in rows]
    groups = list(dict.fromkeys(labels))[:MOST]
    if not groups:
        raise InputError(f"there is nothing to draw, because no {by} has enough users")
    columns = min(len(names), COLUMNS)
    lines = ceil(len(names) / columns)
    with mpl.rc_context(SETTINGS):
        size = (1.4 + columns * PANEL, 0.9 + lines * (HEADS + ROW * len(groups)))
        figure, panels = new_picture(max(size[0], 5.0), size[1], lines, columns, share=False)
        for number, axes in enumerate(panels):
            if number < len(names):
                of = {name: row for name, row in zip(labels, rows, strict=True) if row["measure"] == names[number]}
                values = [
                    IntervalRow(group, of[group]["value"], of[group]["low"], of[group]["high"])
                    for group in groups
                    if group in of
                ]
                draw_intervals(axes, values, length=28 if number % columns == 0 else 0, show_zero=False)
                if not any(row.high > 0 for row in values):
                    axes.set_xlim(-0.02, 1)
                axes.locator_params(axis="x", nbins=4)
                axes.set_title(names[number])
            else:
                axes.set_axis_off()
        note = f"Dot: value. Line: {100 * confidence:g}% interval over users."
        set_title(figure, f"Online measures by {by}", note)
    return figure


EXPERIMENTS_ROW = 0.32  # inches of an interval


def preference_plot(rows: Sequence[dict[str, Any]]) -> Picture:
    """Delta of each pair of systems with its interval; `rows` are those of `cranfield online preference`."""
    several = len({row["experiment"] for row in rows}) > 1
    marks = [
        IntervalRow(
            f"{row['a']} : {row['b']}" + (f" ({row['experiment']})" if several else ""),
            row["delta"], row["low"], row["high"], row["prefers"] is not None,
        )
        for row in rows
    ]  # fmt: skip
    note = (
        "Right of 0, users prefer the first system. Filled marks are significant differences; bars are"
        " intervals over users."
    )
    return intervals(marks, "Which system users prefer", "Delta", note)


def intervals(marks: Sequence[IntervalRow], title: str, label: str, note: str) -> Picture:
    """A row per interval, from the top; a filled mark where it is significant, a hollow one where not."""
    first = marks[: int((HIGHEST - 1.9) / EXPERIMENTS_ROW)]
    with mpl.rc_context(SETTINGS):
        figure, (axes,) = new_picture(7, 1.9 + EXPERIMENTS_ROW * len(first))
        draw_intervals(axes, first, length=44)
        axes.set_xlabel(label)
        limit = f" The first {len(first)} of {len(marks)} are shown." if len(first) < len(marks) else ""
        set_title(figure, title, note + limit)
    return figure


def effect_plot(document: dict[str, Any]) -> Picture:
    """The change of each measure from the control, in %, with its interval; `document` is that of `online ab`."""
    rows = [row for row in document["effects"] if row["control"] and not isnan(row["low"])]
    marks = [
        IntervalRow(f"{row['measure']}, {row['arm']}", value, low, high, row["significant"])
        for row in rows
        for value, low, high in [[100 * row[name] / row["control"] for name in ("difference", "low", "high")]]
    ]
    kind = "confidence sequences" if document["sequential"] else "intervals"
    note = f"Bars: uncorrected {100 * (1 - document['alpha']):.4g}% {kind}. Filled: significant after correction."
    control = shorten(document["control"], 40)
    return intervals(marks, f"Each arm against {control}", f"change from {control} (%)", note)


HEIGHT = 5  # inches
NAMED, DIVERGENCE_MOST = 12, 20  # with more pairs only those that are opposite have names, and of them so many at most
VERDICTS = ("same", "opposite", "undecided")


def divergence_plot(rows: Sequence[Mapping[str, Any]], online: str) -> Picture:
    """A point for each pair by the first measure, with both intervals; a key says what became of it."""
    measure = rows[0]["measure"]
    pairs = [row for row in rows if row["measure"] == measure]
    labels = [row for row in pairs if len(pairs) <= NAMED or row["verdict"] == "opposite"]
    with mpl.rc_context(SETTINGS):
        figure, (axes,) = new_picture(9, HEIGHT)
        axes.axhline(0, color=GREYS.context, linewidth=0.8)
        axes.axvline(0, color=GREYS.context, linewidth=0.8)
        for number, verdict in enumerate(VERDICTS):
            style = series_look(number)
            of = [row for row in pairs if row["verdict"] == verdict]
            for row in of:
                x, y = row["offline"], row["online"]
                axes.plot([row["offline_low"], row["offline_high"]], [y, y], color=style.color, linewidth=1, zorder=4)
                axes.plot([x, x], [row["online_low"], row["online_high"]], color=style.color, linewidth=1, zorder=4)
            if of:
                points = [[row[side] for row in of] for side in ("offline", "online")]
                axes.plot(*points, linestyle="none", marker=style.marker, color=style.color, label=verdict)
        axes.set(xlabel=f"{measure}: difference", ylabel=f"{online}: difference")
        _name(axes, sorted(labels, key=lambda row: row["online"])[:DIVERGENCE_MOST])
        draw_legend_beside(figure, "offline and online")
        note = "Lines are intervals. A pair is undecided if either interval contains 0."
        limit = f" At most {DIVERGENCE_MOST} opposite pairs are labelled." if len(pairs) > NAMED else ""
        set_title(figure, "Offline and online differences between arms", note + limit)
    return figure


def _name(axes: Axes, rows: Sequence[Mapping[str, Any]]) -> None:
    """The names of the pairs, right of the axes, as far apart as they need, each with a lead to its point."""
    low, high = axes.get_ylim()
    places = [(row["online"] - low) / (high - low) for row in rows]
    for row, place in zip(rows, spread_places(places, LINE * SMALL / POINTS / (0.8 * HEIGHT)), strict=True):
        pair = f"{shorten(row['arm_a'], 12)} - {shorten(row['arm_b'], 12)}"
        draw_label_beside(axes, (row["offline"], row["online"]), low + place * (high - low), pair)
    axes.set_ylim(low, high)


def perplexity_plot(models: Mapping[str, tuple[Floats, Floats]]) -> Picture:
    """Two panels, a line for each model: perplexity by rank, without and with the clicks above known."""
    with mpl.rc_context(SETTINGS):
        figure, panels = new_picture(9.5, 4.2, columns=2)
        for number, axes in enumerate(panels):
            _lines(axes, {name: both[number] for name, both in models.items()}, has_names=not number)
            axes.set_title(("perplexity", "conditional perplexity")[number])
        draw_legend_beside(figure, "model")
        note = (
            "A perplexity of 1 is perfect, and 2 equals a coin toss."
            " The conditional perplexity uses the clicks at higher ranks."
        )
        set_title(figure, "Prediction of held-out clicks by rank", note)
    return figure


def examination_plot(model: str, parameters: Mapping[str, Floats]) -> Picture:
    """A line for each parameter that depends on the rank, and for each last click above where it depends on that."""
    lines = {
        line: values for name, chances in parameters.items() for line, values in _rank_series(name, chances).items()
    }
    with mpl.rc_context(SETTINGS):
        figure, (axes,) = new_picture(7, 4.2)
        _lines(axes, lines, "probability")
        axes.set_ylim(0, 1)
        draw_legend_beside(figure, ", ".join(parameters))
        set_title(figure, f"{model}: parameters by rank")
    return figure


def _rank_series(name: str, values: Floats) -> dict[str, Floats]:
    if values.ndim == 1:
        return {name: values}
    ranks = np.arange(len(values))
    after = {
        f"after a click at rank {last}": np.where(ranks >= last, values[:, last], np.nan) for last in ranks[1:].tolist()
    }
    return {"no click above": values[:, 0], **after}


def _lines(axes: Axes, values: Mapping[str, Floats], y: str = "", has_names: bool = True) -> None:
    lines = [
        Line(name if has_names else "", range(1, len(rank_values) + 1), rank_values.tolist(), number)
        for number, (name, rank_values) in enumerate(values.items())
    ]
    draw_lines(axes, LineChart("", "", "rank", y, lines))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))


def counterfactual_plot(
    run: str, rows: Sequence[Mapping[str, Any]], log_estimate: OnlineEstimate, confidence: float = 0.95
) -> Picture:
    """A point with its interval for each estimator; the band is that of the lists logged."""
    with mpl.rc_context(SETTINGS):
        figure, (axes,) = new_picture(7.5, 1.9 + 0.4 * len(rows))
        axes.axvspan(log_estimate.low, log_estimate.high, color=GREYS.grid, zorder=1)
        axes.axvline(log_estimate.value, color=GREYS.soft, linewidth=1, zorder=2)
        values = [IntervalRow(_label(row), row["clicks_per_list"], row["low"], row["high"]) for row in rows]
        draw_intervals(axes, values, length=60, show_zero=False)
        axes.set_xlabel("clicks per list")
        note = f"Grey: logged clicks. Lines: {confidence:.0%} intervals over users. No point: estimate withheld."
        set_title(figure, f"Clicks that {shorten(run, 40)} would get", note)
    return figure


def _label(row: Mapping[str, Any]) -> str:
    size = row["effective_sample_size"]
    return f"{row['estimator']} (no weights)" if np.isnan(size) else f"{row['estimator']} (effective size {size:,.0f})"
