"""Whether the logs of answers, preferences and calls of models are what their chain says: every hash recomputed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from cranfield.errors import StoreError
from cranfield.store.chain import head_of
from cranfield.store.links.linking import EventLink, link_hash
from cranfield.store.links.logs import SAID, said_in
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.store.store import Store


def verify_links(store: Store) -> tuple[int, str]:
    """How many events these logs have, and the head of their chains; the first that fails is an error."""
    said = {log: said_in(store.conn, log) for log in SAID}
    last: dict[str, str] = {}
    links: list[tuple[str, str]] = []
    for link in _links(store):
        for wrong, what in _checks(link, len(links) + 1, next(said.get(link.log, iter(())), None), last):
            if wrong:
                raise StoreError(f"{link.log}, event {link.event}: {what}")
        last[link.origin] = link.hash
        links.append((link.previous, link.hash))
    _all_linked(store, len(links), said)
    return len(links), head_of(links)


def _links(store: Store) -> Iterator[EventLink]:
    rows = store.conn.execute("SELECT id, log, event, origin, previous, hash FROM event_link ORDER BY id")
    return (EventLink(*row) for row in rows)


def _checks(
    link: EventLink, number: int, said: tuple[Any, ...] | None, last: dict[str, str]
) -> Iterator[tuple[bool, str]]:
    yield link.id != number, f"link {number} of the chain, before its own, is missing"
    yield said is None or said[0] != link.event, "it is missing, or not in the order in which it was recorded"
    changed = link.hash != link_hash(link.log, link.origin, link.previous, said or ())
    yield changed, "its content has changed since it was recorded"
    before = link.previous != last.get(link.origin, "")
    yield before, "the event before it is not the one that preceded it when it was recorded"


def _all_linked(store: Store, links: int, said: dict[str, Iterator[tuple[Any, ...]]]) -> None:
    """An error for an event without a link, and for links that were cut off."""
    for log, rest in said.items():
        if more := next(rest, None):
            raise StoreError(f"{log}, event {more[0]}: it is not in the chain")
        there = store.rows(f"SELECT count(*) FROM {log}")[0][0]
        linked = store.rows("SELECT count(*) FROM event_link WHERE log = ?", [log])[0][0]
        if there != linked:
            what = "that name a topic, a document, an answer or an assessor that does not exist"
            raise StoreError(f"{log}: {counted(there - linked, 'event')} {what}")
    recorded = store.rows("SELECT seq FROM sqlite_sequence WHERE name = 'event_link'")
    if recorded and recorded[0][0] != links:
        raise StoreError(f"event_link: {recorded[0][0]} events were recorded, {links} are there")
