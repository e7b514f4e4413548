"""The topics, with who judges them."""

from __future__ import annotations

from collections.abc import Sequence

from cranfield.store.assignments import assignments
from cranfield.store.store import Store

from .query import Query
from .view import LookView, Row


def _rows(store: Store, query: Query) -> Sequence[Row]:
    given = {(one.qid, one.role): one for one in assignments(store)}
    return [
        {"topic": topic.qid, "title": topic.title}
        | {
            role: "" if (one := given.get((topic.qid, role))) is None else one.assessor or "in the queue"
            for role in ("first", "second")
        }
        | {"documents": one.documents if (one := given.get((topic.qid, "first"))) else None}
        | {"unfinished": one.unfinished if one else None}
        for topic in store.topics()
    ]


ASSIGNED = LookView("Topics and who judges them", _rows)
