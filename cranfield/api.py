"""The verbs of the command line as functions: paths, DataFrames or dicts in, DataFrames out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from cranfield.metrics.correlation import correlate
from cranfield.metrics.evaluate import evaluate
from cranfield.metrics.inputs import QrelsLike, RunsLike, as_judged, as_runs
from cranfield.metrics.measure import Measure
from cranfield.metrics.reusability import leave_one_out as _leave_one_out

if TYPE_CHECKING:
    from pandas import DataFrame

__all__ = ["correlate", "evaluate", "leave_one_out", "pool"]


def leave_one_out(
    runs: RunsLike,
    qrels: QrelsLike,
    depth: int,
    units: Mapping[str, Sequence[str]] | None = None,
    measures: str | Measure | Iterable[str | Measure] = ("AP", "nDCG@10", "P@10"),
) -> DataFrame:
    """What each unit of runs (each run by default) loses when its pool of this depth is built without it.

    One row a unit, run and measure, with its score and rank in full and without the unit, and tau of all runs.

    >>> runs = {"a": {"q": {"d1": 2.0, "d2": 1.0}}, "b": {"q": {"d2": 2.0, "d3": 1.0}}}
    >>> table = leave_one_out(runs, {"q": {"d1": 1, "d2": 1, "d3": 0}}, 2, measures="P@1")
    >>> table[["unit", "unique", "full", "reduced"]].values.tolist()
    [['a', 1, 1.0, 0.0], ['b', 1, 1.0, 1.0]]
    """
    import pandas as pd

    judged = as_judged(runs, qrels)
    found = _leave_one_out(judged, units or {tag: [tag] for tag in judged.tags}, depth, measures)
    rows = [
        {
            "unit": unit.unit, "run": c.run, "unique": unit.unique, "unique_relevant": unit.unique_relevant,
            "measure": c.measure, "full": c.full, "reduced": c.reduced, "change_percent": c.change_percent,
            "full_rank": c.full_rank, "reduced_rank": c.reduced_rank, "tau": unit.tau[c.measure],
        }
        for unit in found.units
        for c in unit.changes
    ]  # fmt: skip
    return pd.DataFrame(rows)


def pool(runs: RunsLike, depth: int, depths: Mapping[str, int] | None = None) -> DataFrame:
    """The depth-k pool of runs: query_id, doc_id, the best rank (depth) and the contributing runs.

    >>> pool({"a": {"q": {"d1": 2.0, "d2": 1.0}}, "b": {"q": {"d2": 2.0}}}, 1)[["doc_id", "depth"]].values.tolist()
    [['d1', 1], ['d2', 1]]
    """
    import pandas as pd

    from cranfield.pooling.depth import depth_pool

    documents = depth_pool(as_runs(runs), depth, depths)
    return pd.DataFrame(
        [(d.qid, d.docno, d.depth, list(d.runs)) for d in documents], columns=["query_id", "doc_id", "depth", "runs"]
    )
