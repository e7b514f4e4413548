"""The scores to compare: per run, topic and measure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cranfield.arrays.blocks import JudgedBlocks
from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats
from cranfield.errors import InputError, MeasureError
from cranfield.metrics.evaluate import score
from cranfield.metrics.inputs import QrelsLike, RunsLike, as_judged
from cranfield.metrics.measure import Measure
from cranfield.metrics.notation.parse import parse_all
from cranfield.metrics.significance.pairs import DECIMALS

if TYPE_CHECKING:
    from pandas import DataFrame


class ComparedScores(NamedTuple):
    """Scores as an array (runs, topics, measures), the best run by the first measure first, NaN where undefined."""

    tags: tuple[str, ...]
    qids: tuple[str, ...]
    measures: tuple[str, ...]
    values: Floats


def scores_of(
    runs: RunsLike | Judged | JudgedBlocks,
    qrels: QrelsLike | None = None,
    measures: str | Measure | Iterable[str | Measure] | None = None,
) -> ComparedScores:
    """The scores of runs under qrels (by AP by default), or those of a table of scores (by all its measures).

    The table is as `evaluate(..., per_topic=True)` returns it: run, query_id, measure, value.

    >>> qrels = {"q1": {"d1": 1}, "q2": {"d2": 1}}
    >>> found = scores_of({"x": {"q1": {"d1": 1.0}}, "y": {"q1": {"d1": 1.0}, "q2": {"d2": 1.0}}}, qrels)
    >>> found.tags, found.measures, found.values[..., 0].tolist()
    (('y', 'x'), ('AP',), [[1.0, 1.0], [1.0, 0.0]])
    """
    is_table = qrels is None and not isinstance(runs, Judged | JudgedBlocks)
    found = _from_table(runs, measures) if is_table else _from_runs(runs, qrels, measures)
    if len(found.tags) < 2:
        have = f"only one run ('{found.tags[0]}')" if found.tags else "no run"
        raise InputError(f"{have}; a comparison needs two")
    if len(found.qids) < 2:
        raise InputError(f"only one topic ('{found.qids[0]}'); a comparison needs at least two, better 50")
    return _best_first(found)


def _from_runs(
    runs: RunsLike | Judged | JudgedBlocks,
    qrels: QrelsLike | None,
    measures: str | Measure | Iterable[str | Measure] | None,
) -> ComparedScores:
    asked = parse_all(("AP",) if measures is None else measures)
    geometric = [measure for measure in asked if measure.aggregate == "geometric mean"]
    if geometric:
        raise MeasureError(
            f"{geometric[0]} is a geometric mean, where a comparison is about means over topics: take AP"
        )
    judged = runs if isinstance(runs, JudgedBlocks) else as_judged(runs, qrels)
    return ComparedScores(judged.tags, judged.qids, tuple(map(str, asked)), score(judged, asked))


def _from_table(table: object, measures: str | Measure | Iterable[str | Measure] | None) -> ComparedScores:
    import pandas as pd

    needed = ["run", "query_id", "measure", "value"]
    if not isinstance(table, pd.DataFrame) or any(column not in table for column in needed):
        raise InputError(f"without qrels, scores are a DataFrame with the columns {', '.join(needed)}")
    twice = np.flatnonzero(table.duplicated(needed[:3]))
    if len(twice):
        row = table.iloc[int(twice[0])]
        raise InputError(f"run '{row['run']}', topic '{row['query_id']}' has two scores by {row['measure']}")
    names = list(dict.fromkeys(str(name) for name in table["measure"]))
    asked = names if measures is None else [str(measure) for measure in parse_all(measures)]
    missing = [name for name in asked if name not in names]
    if missing:
        raise InputError(f"no scores by {missing[0]}, only by {', '.join(names)}")
    return _cube(table, asked)


def _cube(table: DataFrame, measures: list[str]) -> ComparedScores:
    import pandas as pd

    run, tags = pd.factorize(table["run"].astype(str), sort=True)
    topic, qids = pd.factorize(table["query_id"].astype(str), sort=True)
    measure = pd.Index(measures).get_indexer(pd.Index(table["measure"].astype(str)))
    values = np.full((len(tags), len(qids), len(measures)), np.nan)
    kept = measure >= 0
    values[run[kept], topic[kept], measure[kept]] = table["value"].to_numpy(dtype=float)[kept]
    return ComparedScores(tuple(map(str, tags)), tuple(map(str, qids)), tuple(measures), values)


def _best_first(found: ComparedScores) -> ComparedScores:
    """In an order independent of the input's: by the mean of the first measure, then by tag."""
    first = np.ma.masked_invalid(found.values[..., 0]).mean(axis=1).filled(-np.inf).round(DECIMALS)
    order = sorted(range(len(found.tags)), key=lambda run: (-first[run], found.tags[run]))
    return found._replace(tags=tuple(found.tags[run] for run in order), values=found.values[order])
