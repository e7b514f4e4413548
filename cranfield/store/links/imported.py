"""What imports brought of nuggets, their labels and preferences, and taking it back."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cranfield.store.store import Store


def linked_events(store: Store, log: str, number: int) -> list[int]:
    """The events of a log that an import brought."""
    rows = store.rows("SELECT event FROM event_link WHERE log = ? AND import = ? ORDER BY event", [log, number])
    return [event for (event,) in rows]


def standing_links(store: Store, log: str, number: int) -> list[int]:
    """Those of them that nobody took back."""
    rows = store.rows(
        "SELECT event FROM event_link k WHERE log = ? AND import = ? AND NOT EXISTS"
        f" (SELECT 1 FROM {log} r WHERE r.kind = 'retract' AND r.supersedes = k.event) ORDER BY event",
        [log, number],
    )
    return [event for (event,) in rows]
