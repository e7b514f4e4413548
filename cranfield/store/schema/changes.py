"""The log of changes, and the triggers that note which items of other tables a statement touches."""

from __future__ import annotations

from cranfield.store.changes.kinds import KINDS, Kind
from cranfield.store.schema.nuggets import APPENDED

CHANGES = """
CREATE TABLE change (  -- append-only: what decides labels, pools and who judges, each time that it changed
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,  -- UTC
    kind TEXT NOT NULL,  -- the table
    name TEXT NOT NULL,  -- of one of its rows, or of rows that were recorded together: their key
    said TEXT,  -- JSON, what it says from now on, or the hash of its rows; NULL: it is gone
    sealed TEXT NOT NULL DEFAULT ''  -- the seal of what is personal in it
) STRICT;

CREATE INDEX change_name ON change (kind, name);

CREATE TABLE unrecorded (  -- what a transaction has touched; before and after one, what was changed by hand
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    UNIQUE (kind, name)
) STRICT;
"""
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


NOTED = "".join(map(_triggers, KINDS.values()))
CHANGE_GUARDS = APPENDED.format(table="change") + NOTED
