"""The depth dial: what each shallower pool would have cost, and what it would have changed.

For a collection whose pool of depth k was judged, every depth up to k is a collection, too. The dial tells how many
documents it would have judged and found relevant, how it would rank the systems, and how much a unit that did not take
part would lose under it. It answers when to stop; it cannot say anything about depths below k that were never judged.

Source: the depth study of Zobel, How reliable are the results of large-scale information retrieval experiments?, SIGIR
1998, with leave-one-out at every depth.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from cranfield.judged import Judged
from cranfield.rankings import Mask

from .correlation import kendall_tau
from .evaluate import aggregate, score
from .left_out import Units
from .measure import Measure, parse_all
from .reusability import entry, leave_one_out, unit_of_rows

if TYPE_CHECKING:
    from pandas import DataFrame


def dial(
    judged: Judged,
    units: Units,
    depths: Sequence[int],
    measures: str | Measure | Iterable[str | Measure] = "AP",
    protected: Mask | None = None,
    rel: int = 1,
    progress: Callable[[int], object] | None = None,
) -> DataFrame:
    """One row a depth and measure: judged and relevant documents, tau with the whole collection's ranking, own losses.

    `protected` judgments came by another way and are there at every depth.

    >>> from cranfield.judged import judge
    >>> from cranfield.metrics.inputs import as_qrels, as_runs
    >>> runs = {"a": {"q": {"d1": 2.0, "d2": 1.0}}, "b": {"q": {"d2": 2.0, "d3": 1.0}}}
    >>> judged = judge(as_runs(runs), as_qrels({"q": {"d1": 1, "d2": 1, "d3": 0}}))
    >>> table = dial(judged, {"a": ["a"], "b": ["b"]}, [1, 2], "P@1")
    >>> table[["depth", "judged", "relevant", "max_change_percent"]].values.tolist()
    [[1.0, 2.0, 2.0, 100.0], [2.0, 3.0, 2.0, 100.0]]
    """
    import pandas as pd

    asked = parse_all(measures)
    spared = np.zeros(len(judged.qrels_grade), bool) if protected is None else protected
    came_in = entry(judged, unit_of_rows(judged, units, max(depths)), protected)
    full = aggregate(score(judged, asked), asked)
    rows = []
    for depth in depths:
        kept = came_in.pooled(depth) | spared
        world = judged.only(kept)
        found = leave_one_out(world, units, depth, asked, spared[kept], rel=rel)
        here = aggregate(score(world, asked), asked)
        size = {"judged": int(np.sum(world.qrels_grade >= 0)), "relevant": int(np.sum(world.qrels_grade >= rel))}
        for at, (measure, summary) in enumerate(found.summary.items()):
            losses = {
                "mean_change_percent": summary.mean_change_percent,
                "max_change_percent": summary.max_change_percent,
                "max_rank_drop": summary.max_rank_drop,
            }
            tau = kendall_tau(full[:, at], here[:, at])
            rows.append({"depth": depth, **size, "measure": measure, "tau": tau, **losses})
        if progress:
            progress(1)
    return pd.DataFrame(rows)
