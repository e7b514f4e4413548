"""Rounds in Python: what `cranfield round` does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from cranfield.api.inputs import StoreGiven, store_open

if TYPE_CHECKING:
    from pandas import DataFrame


def round_start(
    store: StoreGiven,
    name: str,
    *,
    topics: Iterable[str] | None = None,
    documents: Iterable[str] | None = None,
    renamed: Mapping[str, str] | None = None,
) -> None:
    """Open a round of these topics and documents, by default of all; `renamed` maps old docnos to new ones."""
    from cranfield.features.rounds.store import start_round

    with store_open(store) as there:
        start_round(
            there,
            name,
            topics=None if topics is None else list(topics),
            documents=None if documents is None else list(documents),
            renamed=renamed,
        )


def round_close(store: StoreGiven, name: str) -> None:
    """Close a round, so that the next one can be opened."""
    from cranfield.features.rounds.store import close_round

    with store_open(store) as there:
        close_round(there, name)


def round_list(store: StoreGiven) -> DataFrame:
    """The rounds with how much each has: round, opened, closed, topics, documents, renamed, runs, judgments."""
    import pandas as pd

    from cranfield.features.rounds.store import round_rows

    with store_open(store) as there:
        return pd.DataFrame(round_rows(there))
