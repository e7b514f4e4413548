"""Rounds in Python: what `cranfield round` does."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from cranfield.lazy import lazy_type
from cranfield.options.arguments import check_arguments
from cranfield.view import StoreGiven, store_open

if TYPE_CHECKING:
    from pandas import DataFrame
else:
    DataFrame = lazy_type("pandas", "DataFrame")


@check_arguments
def list_unjudged(
    store: StoreGiven,
    *,
    runs: Iterable[str] = (),
    depth: int | None = None,
    pool: int | None = None,
    keep: bool = False,
) -> DataFrame:
    """List the pairs that must still be judged for runs, by default for all runs that are not pooled.

    Columns: query_id, doc_id, rank, runs. With `keep`, the pairs become a separate pool, which extends the previous
    pool.
    """
    import pandas as pd

    from cranfield.analysis.delta import plan_delta, store_delta

    with store_open(store) as there:
        delta = plan_delta(there, list(runs), depth, pool)
        if keep:
            store_delta(there, delta, pool)
        return pd.DataFrame(delta.pair_rows, columns=["query_id", "doc_id", "rank", "runs"])
