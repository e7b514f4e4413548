"""What recorded changes say of an earlier moment: the number of items that the other logs had then stands for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cranfield.store.changes.recording import HEADS
from cranfield.store.decoding import json_of

if TYPE_CHECKING:
    from cranfield.store.store import Store

LAST_BY_THEN = (
    "SELECT name, said FROM change WHERE said IS NOT NULL AND id IN (SELECT max(id) FROM change"
    " WHERE kind = :kind AND id <= (SELECT max(event) FROM event_link WHERE log = 'change' AND id <= :items)"
    " GROUP BY name)"
)


def is_known(store: Store, items: int) -> bool:
    """Whether changes were recorded by then, as they were not in a store from before there were recorded changes."""
    begun = f"log = 'change' AND event IN (SELECT id FROM change WHERE kind = '{HEADS}')"
    return not store.rows(f"SELECT 1 FROM event_link WHERE id > ? AND {begun}", [items])


def changed_since(store: Store, kind: str, names: str, items: int) -> bool:
    """Whether an item whose name is LIKE `names` changed later."""
    later = "SELECT event FROM event_link WHERE log = 'change' AND id > ?"
    return bool(
        store.rows(f"SELECT 1 FROM change WHERE kind = ? AND name LIKE ? AND id IN ({later})", [kind, names, items])
    )


def first_assessors_then(store: Store, items: int) -> dict[str, set[str]]:
    """By topic: everybody whose it was until then, as `first_assessors` has it of now."""
    first = {name: said["topic"] for name, said in _then(store, "assignment", items) if said["role"] == "first"}
    qids = dict(store.rows("SELECT id, qid FROM topic"))
    people = dict(store.rows("SELECT id, name FROM assessor"))
    found: dict[str, set[str]] = {}
    for name, said in _then(store, "holder", items):
        if (assignment := name.partition("/")[0]) in first:
            found.setdefault(qids[first[assignment]], set()).add(people[said["assessor"]])
    return found


def _then(store: Store, kind: str, items: int) -> list[tuple[str, dict[str, Any]]]:
    rows = store.rows(LAST_BY_THEN, {"kind": kind, "items": items})
    return [(name, json_of(dict, said, "change", name, "said")) for name, said in rows]
