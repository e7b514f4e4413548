"""Rounds in Python: what `cranfield round` does."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from cranfield.api.arguments import check_arguments
from cranfield.lazy import type_in
from cranfield.view import StoreGiven, store_open

if TYPE_CHECKING:
    from pandas import DataFrame
else:
    DataFrame = type_in("pandas", "DataFrame")


@check_arguments
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
