"""What is unusual in the labels: one row per finding."""

from __future__ import annotations

from collections.abc import Sequence

from cranfield.judging.planning.checks import findings
from cranfield.judging.planning.progress import progress_of
from cranfield.store.store import Store

from .query import Query
from .view import LookView, Row


def _rows(store: Store, query: Query) -> Sequence[Row]:
    return findings(progress_of(store))


UNUSUAL = LookView("What is unusual in the labels", _rows, heavy=True)
