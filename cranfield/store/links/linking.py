"""Linking events of the logs of answers, of preferences and of calls of models to their chain, as they are recorded.

The chain is beside the logs: a link for every event, in the order of recording over all these logs, with the hash of
the link before it. There is a chain for each origin, as of judgments: the store itself, and what was there before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from sqlite3 import Connection
from typing import TYPE_CHECKING, NamedTuple

from cranfield.store.chain import RULE, Person, item_hash, own_origin, people
from cranfield.store.links.logs import Item, items_in

if TYPE_CHECKING:
    from cranfield.store.store import Store


class EventLink(NamedTuple):
    """A link of the chain."""

    id: int
    log: str
    event: int
    origin: str
    previous: str
    brought: int | None
    hash: str
    rule: int


class Place(NamedTuple):
    """Where a link is: its origin, the hash before it there, and the import that brought it."""

    origin: str
    previous: str
    brought: int | None


def link_hash(item: Item, place: Place, known: Mapping[str, Person], sealed: str | None = None) -> str:
    """The hash of a link; `sealed` is the seal of an item of which something was erased."""
    said = {**item.open(known), "brought": place.brought}
    return item_hash(item.log, place.origin, place.previous, said, item.sealed if sealed is None else sealed)


def link_events(store: Store, log: str, events: Sequence[int]) -> None:
    """Link events that were appended just now, in the same transaction."""
    if events:
        link(store.conn, log, events[0], store.importing)


def link(conn: Connection, log: str, first: int, brought: int | None = None) -> None:
    """Link the events of a log from that with the id `first`, which an import may have brought."""
    origin, known = own_origin(conn), people(conn)
    last = conn.execute("SELECT hash FROM event_link WHERE origin = ? ORDER BY id DESC LIMIT 1", [origin]).fetchone()
    previous = str(last[0]) if last else ""
    row = "INSERT INTO event_link (log, event, import, origin, previous, hash, rule) VALUES (?, ?, ?, ?, ?, ?, ?)"
    for item in items_in(conn, log, known, first):
        found = link_hash(item, Place(origin, previous, brought), known)
        conn.execute(row, [log, item.said["id"], brought, origin, previous, found, RULE])
        previous = found
