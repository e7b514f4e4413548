"""The links that were given out."""

from __future__ import annotations

from collections.abc import Sequence

from cranfield.store.invitations import invitations
from cranfield.store.store import Store, now

from .query import Query
from .view import LookView, Row


def _rows(store: Store, query: Query) -> Sequence[Row]:
    return [
        {"assessor": one.assessor, "role": one.role, "invited": one.at[:16], "expires": (one.expires or "never")[:16]}
        | {"state": one.state(now())}
        for one in invitations(store)
    ]


LINKS = LookView("Links", _rows)
