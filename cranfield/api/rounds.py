"""Rounds in Python: what `cranfield round` does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from cranfield.api.arguments import checked
from cranfield.errors import give_warning
from cranfield.lazy import type_in
from cranfield.selection import Selection
from cranfield.view import Measures, StoreGiven, Topics, store_open, topic_set_of, topics_that

if TYPE_CHECKING:
    from pandas import DataFrame
else:
    DataFrame = type_in("pandas", "DataFrame")


@checked
def start(
    store: StoreGiven,
    name: str,
    *,
    topics: Iterable[str] | None = None,
    documents: Iterable[str] | None = None,
    renamed: Mapping[str, str] | None = None,
) -> None:
    """Open a round of these topics and documents, by default of all; `renamed` maps old docnos to new ones."""
    from cranfield.store.round_changes import start_round

    with store_open(store) as there:
        start_round(
            there,
            name,
            topics=None if topics is None else list(topics),
            documents=None if documents is None else list(documents),
            new_names=renamed,
        )


@checked
def close(store: StoreGiven, name: str) -> None:
    """Close a round, so that the next one can be opened."""
    from cranfield.store.round_changes import close_round

    with store_open(store) as there:
        close_round(there, name)


@checked
def summarize(store: StoreGiven) -> DataFrame:
    """The rounds with how much each has: round, opened, closed, topics, documents, renamed, runs, judgments."""
    import pandas as pd

    from cranfield.store.round_changes import round_rows

    with store_open(store) as there:
        return pd.DataFrame(round_rows(there))


@checked
def declare_same_system(store: StoreGiven, run: str, earlier: str) -> None:
    """Declare that two runs of different rounds are of one system."""
    from cranfield.store.round_changes import declare_same

    with store_open(store) as there:
        declare_same(there, run, earlier)


@checked
def compare_systems(
    store: StoreGiven,
    rounds: Sequence[str],
    *,
    runs: Iterable[str] = (),
    pivot: str | None = None,
    measures: Measures = "nDCG@10",
    topics: Topics = "all",
    judged: str | None = None,
) -> DataFrame:
    """How the same systems do from round to round: a row for each system, measure and round after the first.

    Columns system, measure, round, topics, first, now, change, and with a pivot delta_ri and er; each of these three
    with the ends of its 95 % interval, _low and _high.
    """
    import pandas as pd

    from cranfield.analysis.lag import as_rows
    from cranfield.analysis.lag import lag as lag_of
    from cranfield.metrics.notation import parse_all

    with store_open(store) as opened:
        there = opened.select(Selection(topics=topic_set_of(topics)))
        scorers = parse_all(measures, there.collection.min_relevant)
        which = topics_that(topics)
        rows, lines = lag_of(there, rounds, scorers, pivot=pivot, runs=runs, topics=which, judged=judged)
    for line in lines:
        give_warning(line)
    return pd.DataFrame(as_rows(rows))


@checked
def list_unjudged(
    store: StoreGiven,
    *,
    runs: Iterable[str] = (),
    depth: int | None = None,
    pool: int | None = None,
    keep: bool = False,
) -> DataFrame:
    """The pairs that must still be judged for runs, or for all that are not pooled: query_id, doc_id, rank, runs.

    With `keep` they become a pool of their own, the one before the pool that is extended by them.
    """
    import pandas as pd

    from cranfield.analysis.delta import delta_of, keep_delta

    with store_open(store) as there:
        delta = delta_of(there, list(runs), depth, pool)
        if keep:
            keep_delta(there, delta, pool)
        return pd.DataFrame(delta.pair_rows, columns=["query_id", "doc_id", "rank", "runs"])
