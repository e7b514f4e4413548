"""Chains for the events of stores from before there were chains, by the rule that was the first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from sqlite3 import Connection

from cranfield.store.chain import FIRST_SAID, Context, add_origin, begin, first_hash, first_link_hash, scale_of
from cranfield.store.events import Event
from cranfield.store.links.logs import said_in

EARLIER = ("nugget_edit", "nugget_event", "support_event", "preference_event")  # the logs older than their chain


def chain_earlier(conn: Connection) -> None:
    """Chain the judgments of a store from before there were chains, while its schema does not forbid that yet."""
    if not conn.execute("SELECT 1 FROM collection").fetchone():
        return
    begin(conn)
    scale, previous, origin = scale_of(conn), "", ""
    for number, kind, superseded, event in list(_unchained(conn)):
        origin = origin or add_origin(conn, "earlier")
        link = event._replace(origin=origin, previous=previous)
        found = first_hash(link, Context(scale, kind, superseded))
        change = "UPDATE judgment_event SET origin = ?, previous = ?, hash = ? WHERE id = ?"
        conn.execute(change, [origin, previous, found, number])
        previous = found


def _unchained(conn: Connection) -> Iterator[tuple[int, str, str | None, Event]]:
    """The number of each event, the kind of its assessor, what it supersedes, and the event."""
    columns = [name for name in FIRST_SAID if name not in ("origin", "previous")]
    listed = f"SELECT {', '.join('l.' + name for name in columns)}, l.id, l.assessor_kind, s.event_id"
    for *said, number, kind, superseded in conn.execute(
        f"{listed} FROM judgment_log l LEFT JOIN judgment_event s ON s.id = l.supersedes ORDER BY l.id"
    ):
        yield number, kind, superseded, Event(**dict(zip(columns, said, strict=True)))


def link_earlier(conn: Connection, earlier: Sequence[str] = EARLIER) -> None:
    """Link the events of logs from before these were in a chain."""
    logs = [log for log in earlier if conn.execute(f"SELECT 1 FROM {log} LIMIT 1").fetchone()]
    origin, previous = add_origin(conn, "earlier") if logs else "", ""
    for log in logs:
        for said in said_in(conn, log):
            found = first_link_hash(log, origin, previous, [*said.values()])
            row = "INSERT INTO event_link (log, event, origin, previous, hash) VALUES (?, ?, ?, ?, ?)"
            conn.execute(row, [log, said["id"], origin, previous, found])
            previous = found
