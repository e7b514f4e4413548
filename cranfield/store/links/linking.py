"""Linking events of the logs of answers, of preferences and of calls of models to their chain, as they are recorded.

The chain is beside the logs: a link for every event, in the order of recording over all these logs, with the hash of
the link before it. There is a chain for each origin, as of judgments: the store itself, and what was there before.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from sqlite3 import Connection
from typing import TYPE_CHECKING, Any, NamedTuple

from cranfield.store.chain import add_origin, own_origin
from cranfield.store.links.logs import said_in

if TYPE_CHECKING:
    from cranfield.store.store import Store


EARLIER = ("nugget_edit", "nugget_event", "support_event", "preference_event")  # the logs older than the chain


class EventLink(NamedTuple):
    """A link of the chain."""

    id: int
    log: str
    event: int
    origin: str
    previous: str
    hash: str


def link_hash(log: str, origin: str, previous: str, said: Sequence[Any]) -> str:
    """The hash of a link.

    >>> link_hash("nugget_edit", "a", "", [1, "vital"]) == link_hash("nugget_edit", "a", "", [1, "okay"])
    False
    """
    return hashlib.sha256(json.dumps([log, origin, previous, *said]).encode()).hexdigest()


def link_events(store: Store, log: str, events: Sequence[int]) -> None:
    """Link events that were appended just now, in the same transaction."""
    if events:
        _link(store.conn, log, own_origin(store.conn), events[0], store.importing)


def link_earlier(conn: Connection, earlier: Sequence[str] = EARLIER) -> None:
    """Link the events of logs from before these were in this chain."""
    logs = [log for log in earlier if conn.execute(f"SELECT 1 FROM {log} LIMIT 1").fetchone()]
    if logs:
        origin = add_origin(conn, "earlier")
        for log in logs:
            _link(conn, log, origin, 1)


def _link(conn: Connection, log: str, origin: str, first: int, brought: int | None = None) -> None:
    last = conn.execute("SELECT hash FROM event_link WHERE origin = ? ORDER BY id DESC LIMIT 1", [origin]).fetchone()
    previous = str(last[0]) if last else ""
    row = "INSERT INTO event_link (log, event, import, origin, previous, hash) VALUES (?, ?, ?, ?, ?, ?)"
    for said in said_in(conn, log, first):
        found = link_hash(log, origin, previous, said)
        conn.execute(row, [log, said[0], brought, origin, previous, found])
        previous = found
