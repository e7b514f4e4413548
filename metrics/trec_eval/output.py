"""The output of trec_eval 10.0: its order, numbers and lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from math import isnan
from typing import NamedTuple

import numpy as np

from cranfield.arrays.join import judge
from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats, Mask, Qrels, Runs
from cranfield.errors import InputError
from cranfield.metrics.evaluate import FLOOR
from cranfield.metrics.measure import Aggregate, Measure
from cranfield.metrics.measures.iprec import rounded
from cranfield.metrics.trec_eval.table import OutputLine


class TrecEvalOptions(NamedTuple):
    """trec_eval's options: -l, -c, -M, -J, -N, -q and not -n."""

    level: int = 1
    complete: bool = False
    most: int | None = None
    judged_only: bool = False
    size: int = 0
    per_topic: bool = False
    summary: bool = True


def evaluation(runs: Runs, qrels: Qrels, lines: Sequence[OutputLine], settings: TrecEvalOptions) -> Iterator[str]:
    """What trec_eval prints for one run, line by line.

    What it does differently from `evaluate` is here: documents cut off (-M) or left out (-J) first, topics without a
    ranking, sums in its order, and the quirks of single measures.
    """
    full = judge(runs, qrels).as_trec_eval()
    answered = full.retrieved > 0
    counted = np.ones(len(full.qids), bool) if settings.complete else answered
    if not counted.any():
        raise InputError(f"no topic of run {full.tags[0]} was judged; with -c it scores 0")
    judged = first(full, settings.most) if settings.most is not None else full
    judged = judged.condensed() if settings.judged_only else judged
    columns = [_column(line, judged, answered, settings) for line in lines]
    if settings.per_topic:
        for topic in np.flatnonzero(counted):
            for line, column in zip(lines, columns, strict=True):
                if not _only_in_summary(line):
                    yield printed(line.name, full.qids[topic], column(int(topic)))
    if settings.summary:
        yield from _summary(full, lines, columns, counted, settings)


Column = Callable[[int], str | float]


def _column(line: OutputLine, judged: Judged, answered: Mask, settings: TrecEvalOptions) -> Column:
    """The values of a line, by topic."""
    if line.measure is None:
        return lambda topic: _relstring(judged, topic, line.length)
    values = topic_scores(line.measure, judged, settings)
    if line.row.quirk == "0 where a topic has no ranking" and line.name == line.row.name:
        values = np.where(answered, values, 0.0)
    if line.row.quirk == "0 where a topic has no relevant document":
        values = np.where(judged.num_relevant(settings.level) > 0, values, 0.0)
    if line.row.quirk == "0/0 where nothing is retrieved":
        empty = (judged.retrieved == 0) & (answered | settings.judged_only)
        values = np.where(empty & _asks_for_none(line.measure, judged, settings.level), np.nan, values)
    whole = line.measure.aggregate == "sum"
    return lambda topic: int(values[topic]) if whole else float(values[topic])


def topic_scores(measure: Measure, judged: Judged, settings: TrecEvalOptions) -> Floats:
    """One number per topic, with trec_eval's -l and -N where the measure depends on them."""
    options = {"rel": settings.level, "size": settings.size}
    return measure.set(**{name: value for name, value in options.items() if name in measure.defaults}).scores(judged)


def _asks_for_none(measure: Measure, judged: Judged, level: int) -> Mask:
    """Topics where (the lowest of) the recall points is reached with no document: 0/0 where nothing is retrieved."""
    points = measure.options.get("points") or measure.options.get("recall", 0)
    lowest = min(float(point) for point in str(points).split(","))
    return np.asarray(rounded(np.float64(lowest) * judged.num_relevant(level)) == 0)


def first(judged: Judged, most: int) -> Judged:
    """The rankings cut off after this many documents.

    >>> from cranfield.metrics.examples import example
    >>> cut = first(example([1, None, 1]), 2)
    >>> cut.rank, cut.retrieved
    (array([1]), array([2]))
    """
    kept = judged.within(most)
    return replace(
        judged, ranking=judged.ranking[kept], rank=judged.rank[kept], grade=judged.grade[kept],
        judgment=judged.judgment[kept], retrieved=np.minimum(judged.retrieved, most),
    )  # fmt: skip


def _relstring(judged: Judged, topic: int, length: int) -> str:
    """The grades of the first documents: a digit, > above 9, - where there is no judgment, . for a negative one."""
    rows = (judged.ranking == topic) & judged.within(length)
    written = ["-"] * min(int(judged.retrieved[topic]), length)
    for rank, grade in zip(judged.rank[rows], judged.grade[rows], strict=True):
        written[rank - 1] = "." if grade < 0 else ">" if grade > 9 else str(grade)
    return f"'{''.join(written)}'"


def _only_in_summary(line: OutputLine) -> bool:
    geometric = line.measure is not None and line.measure.aggregate == "geometric mean"
    return geometric or line.row.only_in_summary


def _summary(
    full: Judged, lines: Sequence[OutputLine], columns: Sequence[Column], counted: Mask, settings: TrecEvalOptions
) -> Iterator[str]:
    for line, column in zip(lines, columns, strict=True):
        if line.measure is not None:
            values = np.array([column(int(topic)) for topic in np.flatnonzero(counted)], float)
            value = summed(values, line.measure.aggregate)
            if line.row.quirk == "summed over all judgments with -c" and settings.complete:
                value = int(np.sum(full.qrels_grade > 0))
            yield printed(line.name, "all", value)
        elif line.name == "runid":
            yield printed("runid", "all", full.tags[0])


def summed(values: Floats, aggregate: Aggregate) -> float:
    """The sum, the mean or the geometric mean, added up one by one; undefined if any value is.

    >>> round(summed(np.array([0.1, 0.001]), "geometric mean"), 6), summed(np.array([1.0, np.nan]), "mean")
    (0.01, nan)
    """
    added = np.log(np.maximum(values, FLOOR)) if aggregate == "geometric mean" else values
    total = float(np.cumsum(added)[-1])
    if aggregate == "sum":
        return int(total)
    return float(np.exp(total / len(values))) if aggregate == "geometric mean" else total / len(values)


def printed(name: str, topic: str, value: str | float) -> str:
    """A line; 0/0 is "-nan", as C writes it on x86.

    >>> printed("map", "301", 0.125), printed("num_q", "all", 3)
    ('map                   \\t301\\t0.1250', 'num_q                 \\tall\\t3')
    >>> printed("11pt_avg", "all", float("nan"))
    '11pt_avg              \\tall\\t  -nan'
    """
    if isinstance(value, float):
        value = "  -nan" if isnan(value) else f"{value:6.4f}"
    return f"{name:<22}\t{topic}\t{value}"
