"""Runs, judgments and pools as DataFrames, which the functions of the Python API also accept."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from cranfield.arrays.rankings import Ints, Qrels, Runs, Vocabulary

if TYPE_CHECKING:
    from pandas import DataFrame

    from cranfield.store.pools import PooledDocument


def runs_frame(runs: Runs) -> DataFrame:
    """One row per retrieved document: run, query_id, doc_id, rank, score; runs and topics in byte order.

    A run that retrieved nothing has no rows.

    >>> from cranfield.metrics.inputs import as_runs
    >>> runs_frame(as_runs({"a": {"q": {"d1": 1.0, "d2": 2.0}}})).values.tolist()
    [['a', 'q', 'd2', 1, 2.0], ['a', 'q', 'd1', 2, 1.0]]
    """
    import pandas as pd

    tags = Vocabulary(runs.tags)
    order = np.lexsort((runs.rank, _sorted_positions(runs.topics, runs.topic), _sorted_positions(tags, runs.run)))
    return pd.DataFrame(
        {
            "run": tags.names[runs.run[order]],
            "query_id": runs.topics.names[runs.topic[order]],
            "doc_id": runs.docnos.names[runs.document[order]],
            "rank": runs.rank[order],
            "score": runs.score[order],
        }
    )


def _sorted_positions(names: Vocabulary, codes: Ints) -> Ints:
    """The position of each code's name in byte order, among the names that occur."""
    inside = names.sorted_codes(codes)
    place = np.zeros(len(names.names), np.int64)
    place[inside] = np.arange(len(inside))
    return np.asarray(place[codes])


def qrels_frame(qrels: Qrels) -> DataFrame:
    """One row per judgment: query_id, doc_id, relevance, and iteration, stratum or subtopic if there are any.

    With subtopics, one row per document and subtopic. Topics and documents are in byte order.

    >>> from cranfield.metrics.inputs import as_qrels
    >>> qrels_frame(as_qrels({"q": {"d2": 1, "d1": 0}})).values.tolist()
    [['q', 'd1', 0], ['q', 'd2', 1]]
    """
    import pandas as pd

    about = qrels.subtopics
    row = np.arange(len(qrels)) if about is None else about.judgment
    columns: dict[str, object] = {
        "query_id": qrels.topics.names[qrels.topic[row]],
        "doc_id": qrels.docnos.names[qrels.document[row]],
        "relevance": qrels.grade if about is None else about.grade,
    }
    if about is not None:
        columns["subtopic"] = about.names[about.subtopic]
    more = {"iteration": qrels.iteration, "stratum": qrels.stratum}
    columns |= {name: values[row] for name, values in more.items() if values is not None}
    frame = pd.DataFrame(columns)
    keys = [name for name in ("query_id", "doc_id", "subtopic") if name in frame]
    return frame.sort_values(keys, kind="stable", ignore_index=True)


def pool_frame(documents: Iterable[PooledDocument]) -> DataFrame:
    """One row per pooled document: query_id, doc_id, the best rank (depth), and the runs that contributed it.

    A sample also has the stratum and the inclusion probability.
    """
    import pandas as pd

    columns = ["query_id", "doc_id", "depth", "runs", "stratum", "probability"]
    frame = pd.DataFrame([d._replace(runs=list(d.runs)) for d in documents], columns=columns)  # type: ignore[arg-type]
    return frame if frame["probability"].notna().any() else frame[columns[:4]]


def pivot_table(table: DataFrame, rows: Sequence[str], columns: str, values: str) -> DataFrame:
    """A table with one column for each value of a column; the rows are indexed by others, all in their first order.

    >>> import pandas as pd
    >>> long = pd.DataFrame({"run": ["b", "b", "a"], "measure": ["P", "AP", "P"], "value": [0.5, 0.25, 1.0]})
    >>> pivot_table(long, ["run"], "measure", "value")
           P    AP
    run
    b    0.5  0.25
    a    1.0   NaN
    """
    cells = table.set_index([*rows, columns])[values]
    spread = cells.unstack(columns).reindex(columns=table[columns].unique())
    return spread.reindex(table.set_index(list(rows)).index.unique()).rename_axis(columns=None)
