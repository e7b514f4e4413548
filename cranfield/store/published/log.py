"""The judgment log of a store as it is published: its events, and by what they can be verified.

The commitment of an event is its hash in the log: it covers all that the event says, with its random id, which is not
published, so that nobody can find out what was left out of it by trying. Whoever has the store can show what an event
was, and that the log has the head that is published.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import NamedTuple

from cranfield.store.chain import SELECT, Event, event_of, head_of
from cranfield.store.decoding import json_of
from cranfield.store.store import Store


class LogState(NamedTuple):
    """How many events a log has, its head, and the last commitment of each of its chains."""

    events: int
    head: str
    chains: tuple[str, ...]


def published_logs(store: Store) -> dict[str, LogState]:
    """The logs that were imported from published folders, by the origin of their events here."""
    rows = store.rows(
        "SELECT origin, events, head, chains FROM published_log p"
        " ORDER BY (SELECT min(e.id) FROM judgment_event e WHERE e.origin = p.origin)"
    )
    return {
        origin: LogState(events, head, tuple(json_of(list, chains, "published_log", origin, "chains")))
        for origin, events, head, chains in rows
    }


def log_states(store: Store) -> list[LogState]:
    """The states of the logs whose events this store has: those that were published before, and last its own."""
    earlier = published_logs(store)
    links = [
        (previous, own)
        for origin, previous, own in store.rows("SELECT origin, previous, hash FROM judgment_event ORDER BY id")
        if origin not in earlier
    ]
    chains = tuple(sorted({own for _, own in links} - {previous for previous, _ in links}))
    return [*earlier.values(), *([LogState(len(links), head_of(links), chains)] if links else [])]


def events_with_commitments(store: Store) -> Iterator[tuple[Event, str]]:
    """Every event in the order of the log, with its commitment."""
    earlier = published_logs(store)
    for row in store.conn.execute(f"{SELECT} judgment_log ORDER BY id"):
        event = event_of(row)
        yield event, event.event_id if event.origin in earlier else event.hash


def add_published_log(store: Store, origin: str, state: LogState) -> None:
    """Keep what a folder said of the log whose events are imported."""
    row = [origin, state.events, state.head, json.dumps(state.chains)]
    store.conn.execute("INSERT INTO published_log VALUES (?, ?, ?, ?)", row)
