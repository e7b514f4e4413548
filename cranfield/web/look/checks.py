"""What is unusual in the labels: one row per finding."""

from __future__ import annotations

from collections.abc import Sequence

from cranfield.judging.planning.checks import findings
from cranfield.judging.planning.progress import progress_of
from cranfield.store.store import Store
from cranfield.web.look.query import Query
from cranfield.web.look.view import LookView, Row


def _rows(store: Store, query: Query) -> Sequence[Row]:
    return findings(progress_of(store))


UNUSUAL = LookView("What is unusual in the labels", _rows, heavy=True)
