"""What steps to the schema do in Python: chains for what was there before them, and triggers made from tables."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from secrets import token_bytes
from sqlite3 import Connection
from uuid import uuid4

from cranfield.store.chain import FIRST_SAID, Context, Event, add_origin, begin, first_hash, first_link_hash, scale_of
from cranfield.store.changes import KINDS, Kind
from cranfield.store.links import said_in


def give_ids(conn: Connection) -> None:
    """Give every assessor an id and a salt."""
    for (number,) in conn.execute("SELECT id FROM assessor ORDER BY id").fetchall():
        conn.execute("UPDATE assessor SET uid = ? WHERE id = ?", [uuid4().hex, number])
        conn.execute("INSERT INTO assessor_salt VALUES (?, ?)", [number, token_bytes(32)])


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


def link_calls(conn: Connection) -> None:
    """Link the calls of models from before these were in the chain."""
    link_earlier(conn, ["model_call"])


NEW = """
    INSERT OR IGNORE INTO unrecorded (kind, name) VALUES ('{table}', {name});"""
OLD = """  -- what is said of conflicts in an upsert overrules IGNORE
    INSERT INTO unrecorded (kind, name) SELECT '{table}', {name}
    WHERE NOT EXISTS (SELECT 1 FROM unrecorded WHERE kind = '{table}' AND name = {name});"""
TRIGGER = """
CREATE TRIGGER recorded_{table}_{event} AFTER {what} ON {table} BEGIN{notes}
END;
"""


def _triggers(kind: Kind) -> str:
    watched = ", ".join(dict.fromkeys((*kind.key, *kind.columns)))
    events = (("insert", "INSERT", NEW, "new"), ("update", f"UPDATE OF {watched}", OLD, "old", "new"),
              ("delete", "DELETE", NEW, "old"))  # fmt: skip
    return "".join(_trigger(kind, *event) for event in events if (kind.table, event[0]) != ("document", "insert"))


def _trigger(kind: Kind, event: str, what: str, note: str, *rows: str) -> str:
    names = (f"CAST({kind.name.format(row)} AS TEXT)" for row in rows)
    notes = "".join(note.format(table=kind.table, name=name) for name in names)
    return TRIGGER.format(table=kind.table, event=event, what=what, notes=notes)


def note_changes(conn: Connection) -> str:
    """Triggers that note which items of other tables a statement touches."""
    return "".join(map(_triggers, KINDS.values()))


def everything_recorded(conn: Connection) -> None:
    """Record what decides labels, pools and who judges as it is found."""
    from cranfield.store.changes import record_everything

    record_everything(conn)


ERASED = {  # what can be erased of a row, and only with its redaction
    "judgment_event": ("reason", "note", "seconds", "highlight_terms", "evidence"),
    "nugget_edit": ("seconds",),
    **dict.fromkeys(
        ("nugget_event", "claim_event", "support_event", "preference_event"), ("reason", "note", "evidence", "seconds")
    ),
    "criterion": ("text",),
    "origin": ("name",),
    "release": ("kept", "hashes"),
    "impression": ("name", "user", "session"),
    "query": ("text",),
}
GUARD = """
CREATE TRIGGER {table}_unchanged BEFORE UPDATE ON {table}
WHEN NOT EXISTS (SELECT 1 FROM redaction WHERE log = '{table}' AND item = CAST(old.id AS TEXT))
    OR {changed} BEGIN{action}
END;
"""
NAMES_ERASED = """
DROP TRIGGER assessor_keeps_kind;
CREATE TRIGGER assessor_keeps_kind BEFORE UPDATE OF id, name, kind ON assessor
WHEN EXISTS (SELECT 1 FROM judgment_event WHERE assessor = old.id)
    AND (new.id <> old.id OR new.kind <> old.kind OR new.name NOT LIKE 'erased %'
    OR NOT EXISTS (SELECT 1 FROM redaction WHERE log = 'assessor' AND item = CAST(old.id AS TEXT))) BEGIN
    SELECT RAISE (ABORT, 'judgments exist: whose they are does not change');
END;
"""


def let_redactions_through(conn: Connection) -> str:
    """The guards of these tables, made again: a row with a redaction may lose what is personal, and nothing else."""
    return NAMES_ERASED + "".join(f"DROP TRIGGER {table}_unchanged;\n{_guard(conn, table)}" for table in ERASED)


def _guard(conn: Connection, table: str) -> str:
    named = "SELECT sql FROM sqlite_master WHERE name = ?"
    _, _, rest = conn.execute(named, [f"{table}_unchanged"]).fetchone()[0].partition("BEGIN")
    columns = [name for _, name, *_ in conn.execute(f"PRAGMA table_info({table})")]
    kept = [f"new.{name} IS NOT old.{name}" for name in columns if name not in ERASED[table]]
    gone = "new.{0} IS NOT old.{0} AND coalesce(new.{0}, '') <> '' AND new.{0} NOT LIKE 'erased %'"
    erased = [gone.format(name) for name in ERASED[table] if table != "release"]
    return GUARD.format(table=table, changed="\n    OR ".join((*kept, *erased)), action=rest.removesuffix("\nEND"))


HOOKS: Mapping[str, Callable[[Connection], str | None]] = {
    "chain_earlier": chain_earlier,
    "link_earlier": link_earlier,
    "link_calls": link_calls,
    "give_ids": give_ids,
    "record_everything": everything_recorded,
    "note_changes": note_changes,
    "let_redactions_through": let_redactions_through,
}
