"""Whether the logs of answers, preferences and calls of models are what their chain says: every hash recomputed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from cranfield.errors import StoreError
from cranfield.store.chain import Head, LogHead, Person, first_link_hash, people, redactions, rest_hash
from cranfield.store.links.linking import EventLink, Place, link_hash
from cranfield.store.links.logs import SAID, SEALED, Item, items_in
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.store.store import Store


def verify_links(store: Store, heads: Sequence[LogHead] = ()) -> LogHead:
    """How many events these logs have, and the head of their chains; the first that fails is an error.

    `heads` are what they once had.
    """
    known = people(store.conn)
    items = {log: items_in(store.conn, log, known) for log in SAID}
    erased = {log: redactions(store.conn, log) for log in (*SEALED, "claim")}
    last: dict[str, EventLink] = {}
    head = Head()
    for link in _links(store):
        item = next(items.get(link.log, iter(())), None)
        kept = erased[link.log].get(str(link.event)) if link.log in erased else None
        for wrong, what in _checks(link, head.items + 1, item, last.get(link.origin), known, kept):
            if wrong:
                raise StoreError(f"{link.log}, event {link.event}: {what}")
        last[link.origin] = link
        head.follow(link.previous, link.hash)
        head.check(heads, "event of the other logs")
    _all_linked(store, head.items, items)
    head.check_reached(heads, "event of the other logs")
    return LogHead(head.items, head.hash)


def _links(store: Store) -> Iterator[EventLink]:
    rows = store.conn.execute("SELECT id, log, event, origin, previous, import, hash, rule FROM event_link ORDER BY id")
    return (EventLink(*row) for row in rows)


def _checks(
    link: EventLink,
    number: int,
    item: Item | None,
    before: EventLink | None,
    known: Mapping[str, Person],
    kept: str | None,
) -> Iterator[tuple[bool, str]]:
    yield link.id != number, f"link {number} of the chain, before its own, is missing"
    if item is None or item.said["id"] != link.event:
        yield True, "it is missing, or not in the order in which it was recorded"
        return
    yield not _is_unchanged(link, item, known, kept), "its content has changed since it was recorded"
    follows = link.previous == (before.hash if before else "")
    yield not follows, "the event before it is not the one that preceded it when it was recorded"
    yield before is not None and link.rule < before.rule, "it is hashed by an earlier rule than the one before it"


def _is_unchanged(link: EventLink, item: Item, known: Mapping[str, Person], kept: str | None) -> bool:
    """Whether an item is what was recorded; what is kept of one of which something was erased."""
    if kept and link.rule == 1:
        return kept == rest_hash(link.log, link.origin, link.previous, item.rest(known), link.hash)
    if kept:
        place = Place(link.origin, link.previous, link.brought)
        return not item.sealed and link.hash == link_hash(item, place, known, kept)
    return link.hash == _recomputed(link, item, known)


def _recomputed(link: EventLink, item: Item, known: Mapping[str, Person]) -> str:
    if link.rule == 1:
        return first_link_hash(link.log, link.origin, link.previous, [*item.said.values()])
    return link_hash(item, Place(link.origin, link.previous, link.brought), known)


def _all_linked(store: Store, links: int, items: dict[str, Iterator[Item]]) -> None:
    """An error for an event without a link, and for links that were cut off."""
    for log, rest in items.items():
        if more := next(rest, None):
            raise StoreError(f"{log}, event {more.said['id']}: it is not in the chain")
        there = store.rows(f"SELECT count(*) FROM {log}")[0][0]
        linked = store.rows("SELECT count(*) FROM event_link WHERE log = ?", [log])[0][0]
        if there != linked:
            what = "that name a topic, a document, an answer or an assessor that does not exist"
            raise StoreError(f"{log}: {counted(there - linked, 'event')} {what}")
    recorded = store.rows("SELECT seq FROM sqlite_sequence WHERE name = 'event_link'")
    if recorded and recorded[0][0] != links:
        raise StoreError(f"event_link: {recorded[0][0]} events were recorded, {links} are there")
