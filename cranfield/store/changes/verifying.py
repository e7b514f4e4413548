"""Whether the tables are what the recorded changes say: every item computed anew, the first that differs named."""

from __future__ import annotations

import hashlib
import json
from sqlite3 import Connection
from typing import TYPE_CHECKING

from cranfield.errors import StoreError
from cranfield.store.changes.kinds import KINDS, Kind, State, Whose, states, whose
from cranfield.store.decoding import json_of

if TYPE_CHECKING:
    from cranfield.store.store import Store

LAST = "SELECT name, said, sealed FROM change WHERE id IN (SELECT max(id) FROM change WHERE kind = ? GROUP BY name)"


def verify_changes(store: Store) -> int:
    """Compare every table whose changes are recorded with the last change of each item; how many changes there are.

    Their chain is known to hold.
    """
    known = whose(store.conn)
    for kind in KINDS.values():
        _verify(store.conn, kind, known)
    return store.count("change")


def verify_erasures(store: Store) -> int:
    """Compare the rows in which something was erased with what the erasures say; how many there are."""
    rows = store.count("redaction")
    for number, name, digest in store.rows("SELECT id, name, sha256 FROM erasure ORDER BY id"):
        if digest != redactions_hash(store.conn, number):
            raise StoreError(f"erasure {number} ({name}): its redactions are not those that were recorded")
        rows -= store.rows("SELECT count(*) FROM redaction WHERE erasure = ?", [number])[0][0]
    if rows:
        raise StoreError(f"{rows} redactions are of no erasure")
    return store.count("redaction")


def redactions_hash(conn: Connection, erasure: int) -> str:
    """The hash of the redactions of an erasure."""
    rows = conn.execute("SELECT log, item, kept FROM redaction WHERE erasure = ? ORDER BY log, item", [erasure])
    return hashlib.sha256(json.dumps(rows.fetchall()).encode()).hexdigest()


def _verify(conn: Connection, kind: Kind, known: Whose) -> None:
    last = {name: State(said, sealed) for name, said, sealed in conn.execute(LAST, [kind.table]) if said is not None}
    for name, state in states(conn, kind, known):
        was = last.pop(name, None)
        if was != state:
            raise StoreError(f"{kind.table} {name}: {_difference(kind, was, state)}")
    if last:
        raise StoreError(f"{kind.table} {next(iter(last))}: it is missing, and no removal of it was recorded")


def _difference(kind: Kind, was: State | None, state: State) -> str:
    """What differs from the last change that was recorded."""
    if was is None:
        return "it was not recorded: it came from another program, or by hand"
    if kind.together:
        return "its rows are not those that were recorded"
    before, now = (json_of(dict, one.said, "change", kind.table, "said") for one in (was, state))
    names = [name for name in (*before, *now) if before.get(name) != now.get(name)]
    return f"{(names or [kind.personal])[0]} is not what was recorded"
