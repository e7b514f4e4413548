"""Recording what changed, at the end of the transaction in which it did.

Triggers note which items a statement touched, in the table `unrecorded`; new documents are known by their numbers. What
is there before a transaction was changed by hand: it is left there, and `store verify` names it, unless it is as it was
recorded.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from sqlite3 import Connection
from typing import NamedTuple

from cranfield.store.chain import OTHERS, log_head, now
from cranfield.store.changes.kinds import BLOCK, KINDS, State, Whose, states, whose
from cranfield.store.links.linking import link

HEADS = "heads"  # the kind of the change that says where the logs stood when changes were first recorded
ROW = "INSERT INTO change (at, kind, name, said, sealed) VALUES (?, ?, ?, ?, ?)"
Named = tuple[str, str]  # a kind, and the name of an item


class Before(NamedTuple):
    """Where a transaction begins: the last thing that was changed by hand, and the last document."""

    unrecorded: int
    document: int


def before(conn: Connection) -> Before:
    """Where a transaction begins. What was changed by hand and is again as it was recorded is forgotten."""
    known = whose(conn) if (left := conn.execute("SELECT id, kind, name FROM unrecorded").fetchall()) else {}
    for number, kind, name in left:
        if _now(conn, (kind, name), known) == last_state(conn, (kind, name)):
            conn.execute("DELETE FROM unrecorded WHERE id = ?", [number])
    return Before(_most(conn, "unrecorded"), _most(conn, "document"))


def record_changes(conn: Connection, begun: Before) -> None:
    """Record what was touched since a transaction began."""
    touched = conn.execute("SELECT kind, name FROM unrecorded WHERE id > ? ORDER BY id", [begun.unrecorded]).fetchall()
    if (last := _most(conn, "document")) > begun.document:  # no trigger tells of each of them
        noted = {name for (name,) in conn.execute("SELECT name FROM unrecorded WHERE kind = 'document'")}
        blocks = map(str, range((begun.document + 1) // BLOCK, last // BLOCK + 1))
        touched += [("document", block) for block in blocks if block not in noted]
    if touched:
        _record(conn, dict.fromkeys(touched))
        conn.execute("DELETE FROM unrecorded WHERE id > ?", [begun.unrecorded])


def _most(conn: Connection, table: str) -> int:
    return int(conn.execute(f"SELECT coalesce(max(id), 0) FROM {table}").fetchone()[0])


def record_everything(conn: Connection) -> None:
    """Record a store as it is found: one from before its changes were recorded."""
    if not conn.execute("SELECT 1 FROM collection").fetchone():
        return
    known = whose(conn)
    heads = {"judgments": log_head(conn)._asdict(), "others": log_head(conn, OTHERS)._asdict()}
    _append(conn, [(HEADS, "1", State(json.dumps(heads), ""))])
    _append(conn, ((kind.table, name, state) for kind in KINDS.values() for name, state in states(conn, kind, known)))


def last_state(conn: Connection, item: Named) -> State | None:
    """What was recorded last of an item; None where it is gone, or was never there."""
    last = "SELECT said, sealed FROM change WHERE kind = ? AND name = ? ORDER BY id DESC LIMIT 1"
    found = conn.execute(last, item).fetchone()
    return State(*found) if found and found[0] is not None else None


def _now(conn: Connection, item: Named, known: Whose) -> State | None:
    return next((state for _, state in states(conn, KINDS[item[0]], known, item[1])), None)


def _record(conn: Connection, touched: Iterable[Named]) -> None:
    known = whose(conn)
    found = ((*item, _now(conn, item, known)) for item in touched)
    _append(conn, [one for one in found if one[2] != last_state(conn, one[:2])])


def _append(conn: Connection, items: Iterable[tuple[str, str, State | None]]) -> None:
    moment, first = now(), _most(conn, "change") + 1
    conn.executemany(ROW, ((moment, kind, name, *(state or (None, ""))) for kind, name, state in items))
    link(conn, "change", first)
