"""Click models by rank: how well they predict held-out clicks, or what users examine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import matplotlib as mpl
import numpy as np
from matplotlib.ticker import MaxNLocator

from cranfield.arrays.rankings import Floats
from cranfield.plots.style import SETTINGS, Picture, key_beside, look, picture, titled

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def perplexity_plot(models: Mapping[str, tuple[Floats, Floats]]) -> Picture:
    """Two panels, a line for each model: perplexity by rank, without and with the clicks above known."""
    with mpl.rc_context(SETTINGS):
        figure, panels = picture(9.5, 4.2, columns=2)
        for number, axes in enumerate(panels):
            _lines(axes, {name: both[number] for name, both in models.items()}, label=not number)
            axes.set_title(("perplexity", "conditional perplexity")[number])
        key_beside(figure, "model")
        titled(
            figure,
            "Prediction of held-out clicks by rank",
            "1 is perfect, 2 a coin. Conditional: knowing the clicks above.",
        )
    return figure


def examination_plot(model: str, parameters: Mapping[str, Floats]) -> Picture:
    """A line for each parameter that depends on the rank, and for each last click above where it depends on that."""
    lines = {line: values for name, found in parameters.items() for line, values in _of_rank(name, found).items()}
    with mpl.rc_context(SETTINGS):
        figure, (axes,) = picture(7, 4.2)
        _lines(axes, lines)
        axes.set_ylim(0, 1)
        axes.set_ylabel("probability")
        key_beside(figure, ", ".join(parameters))
        titled(figure, f"{model}: what depends on the rank")
    return figure


def _of_rank(name: str, values: Floats) -> dict[str, Floats]:
    if values.ndim == 1:
        return {name: values}
    ranks = np.arange(len(values))
    after = {
        f"after a click at {last}": np.where(ranks >= last, values[:, last], np.nan) for last in ranks[1:].tolist()
    }
    return {"no click above": values[:, 0], **after}


def _lines(axes: Axes, values: Mapping[str, Floats], label: bool = True) -> None:
    for number, (name, of_ranks) in enumerate(values.items()):
        ranks = range(1, len(of_ranks) + 1)
        axes.plot(ranks, of_ranks, label=name if label else None, **look(number)._asdict())
    axes.set_xlabel("rank")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
