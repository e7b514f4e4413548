"""The ranks of left-out runs, with and without their own unit's contribution to the pool, as a slopegraph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import matplotlib as mpl

from cranfield.plots.labels import label_side, spread
from cranfield.plots.names import shortened
from cranfield.plots.palette import GREYS, LIGHT
from cranfield.plots.style import HIGHEST, POINTS, SETTINGS, SMALL, TINY, WIDEST, Picture, picture, titled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Row = Mapping[str, Any]
NAMED = 10  # the runs that fall most
FEW = 30  # of up to so many runs, each is named at the left
COLUMN = 5.0  # inches of a panel with its names


def rank_plot(document: Row) -> Picture:
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
        figure, panels = picture(max(6.0, width * len(measures)), height, 1, len(measures), share=False)
        for axes, measure in zip(panels, measures, strict=True):
            _draw(axes, [score for score in scores if score["measure"] == measure], last, height - 1.6)
            axes.set_title(shortened(measure))
        title = f"Ranks with and without the {document['by']}'s own contribution to the pool"
        titled(figure, title, _note(document))
    return figure


def _note(document: Row) -> str:
    note = (
        f"Coloured: the largest drops, up to {NAMED} by each measure, with the number of ranks lost. Grey: the other"
        " runs; dashed: runs that rise. Each line is an experiment of its own."
    )
    lack = document["no_verdict"]
    return f"No verdict: {lack}. {note}" if lack else note


def _draw(axes: Axes, scores: Sequence[Row], last: int, height: float) -> None:
    drop = {score["run"]: score["reduced_rank"] - score["full_rank"] for score in scores}
    fallen = [run for run in sorted(drop, key=lambda run: -drop[run]) if drop[run] > 0][:NAMED]
    for score in scores:
        _line(axes, score["full_rank"], score["reduced_rank"], score["run"] in fallen)
    axes.set(
        xlim=(0, 1),
        ylim=(last + 0.5, 0.5),
    )
    axes.set_xticks([0, 1], ["with", "without"])
    axes.set_yticks([])
    axes.grid(visible=False)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    left = [score for score in scores if score["run"] in fallen or len(scores) <= FEW]
    _names(axes, [(score["full_rank"], shortened(score["run"], 22)) for score in left], last, height, 0)
    right = [score for score in scores if score["run"] in fallen]
    texts = [(score["reduced_rank"], f"{shortened(score['run'], 22)}  -{drop[score['run']]}") for score in right]
    _names(axes, texts, last, height, 1)


def _line(axes: Axes, full: int, reduced: int, fallen: bool) -> None:
    colour = LIGHT[1] if fallen else GREYS.context if full != reduced else GREYS.faint
    axes.plot(
        [0, 1], [full, reduced], "s-" if fallen else ("o--" if reduced < full else "o-"), color=colour, clip_on=False,
        linewidth=1.8 if fallen else 0.8, markersize=4 if fallen else 2.5, zorder=3 if fallen else 2,
    )  # fmt: skip


def _names(axes: Axes, ranks: Sequence[tuple[int, str]], last: int, height: float, side: int) -> None:
    """The rank and name of a line at its end, spread where they would overlap, with a lead to the line."""
    size = SMALL if len(ranks) <= FEW else TINY
    gap = 1.4 * size / POINTS / height * last
    places = spread([rank for rank, _ in ranks], gap, 1, last)
    for (rank, name), place in zip(ranks, places, strict=True):
        label_side(axes, (side, rank), place, f"{rank}  {name}" if side else f"{name}  {rank}", side, size)
