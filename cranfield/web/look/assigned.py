"""The topics with their state: who judges them, until when, and what is left."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from cranfield.judging.planning.sections import topic_states
from cranfield.store.store import Store

from .query import Query
from .view import LookView, Row


def _rows(store: Store, query: Query) -> Sequence[Row]:
    return [one._asdict() for one in topic_states(store, datetime.now(UTC))]


ASSIGNED = LookView("Topics and who judges them", _rows)
