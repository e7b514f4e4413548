"""Topics in development in Python: what `cranfield topics` does with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.api.arguments import checked
from cranfield.formats import Topic
from cranfield.view import StoreGiven, store_open

if TYPE_CHECKING:
    from pandas import DataFrame


@checked
def propose(store: StoreGiven, topic: Topic, *, assessor: str) -> None:
    """Take up a topic in development."""
    from cranfield.features.collecting.finding.development import propose

    with store_open(store) as there:
        propose(there, topic, assessor)


@checked
def keep(store: StoreGiven, qid: str, *, reason: str = "") -> None:
    """Keep a topic in development: it becomes a topic of the store, with its labels."""
    from cranfield.features.collecting.finding.development import decide

    with store_open(store) as there:
        decide(there, qid, "keep", reason)


@checked
def drop(store: StoreGiven, qid: str, *, reason: str) -> None:
    """Drop a topic in development, with the reason."""
    from cranfield.features.collecting.finding.development import decide

    with store_open(store) as there:
        decide(there, qid, "drop", reason)


@checked
def list_candidates(store: StoreGiven) -> DataFrame:
    """The topics, those in development, too: topic, title, author, state, judged, relevant, reason, sets."""
    import pandas as pd

    from cranfield.features.collecting.finding.development import topic_rows

    columns = ["topic", "title", "author", "state", "judged", "relevant", "reason", "sets"]
    with store_open(store) as there:
        return pd.DataFrame(topic_rows(there), columns=columns)
