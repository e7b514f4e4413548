"""What keeps hashes free of personal words: an id that stands for each assessor, and the salt of her seals.

And erasures: who was erased, what is kept in place of what was, and guards that let nothing else through.
"""

from __future__ import annotations

from secrets import token_bytes
from sqlite3 import Connection
from uuid import uuid4

from cranfield.store.schema.chain import LOG
from cranfield.store.schema.nuggets import APPENDED

SEALS = f"""
ALTER TABLE collection ADD COLUMN rule INTEGER NOT NULL DEFAULT 2  -- by which judgments are hashed; 1: as a bundle that
    CHECK (rule IN (1, 2));                                        -- was made before there was the second rule
ALTER TABLE judgment_event ADD COLUMN rule INTEGER NOT NULL DEFAULT 1 CHECK (rule IN (1, 2));  -- by which it is hashed
ALTER TABLE event_link ADD COLUMN rule INTEGER NOT NULL DEFAULT 1 CHECK (rule IN (1, 2));  -- by which it is hashed
ALTER TABLE assessor ADD COLUMN uid TEXT NOT NULL DEFAULT '';  -- random: what stands for the name in hashes
CREATE UNIQUE INDEX assessor_uid ON assessor (uid) WHERE uid <> '';

CREATE TABLE assessor_salt (  -- of the seals of what an assessor wrote; deleted when she is erased
    assessor INTEGER PRIMARY KEY REFERENCES assessor (id),
    salt BLOB NOT NULL
) STRICT;

UPDATE collection SET rule = 1 WHERE EXISTS (SELECT 1 FROM bundle);
{LOG.replace("e.hash", "e.hash, e.rule")}"""
SEAL_GUARDS = """
CREATE TRIGGER assessor_keeps_uid BEFORE UPDATE OF uid ON assessor WHEN old.uid <> '' BEGIN
    SELECT RAISE (ABORT, 'the id of an assessor is never changed: hashes have it');
END;
CREATE TRIGGER assessor_salt_unchanged BEFORE UPDATE ON assessor_salt BEGIN
    SELECT RAISE (ABORT, 'salts are never changed: seals are made with them');
END;
"""


def give_ids(conn: Connection) -> None:
    """Give every assessor an id and a salt."""
    for (number,) in conn.execute("SELECT id FROM assessor ORDER BY id").fetchall():
        conn.execute("UPDATE assessor SET uid = ? WHERE id = ?", [uuid4().hex, number])
        conn.execute("INSERT INTO assessor_salt VALUES (?, ?)", [number, token_bytes(32)])


ERASURES = f"""
CREATE TABLE erasure (  -- append-only: who was erased from this store, and why
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,  -- UTC
    kind TEXT NOT NULL CHECK (kind IN ('assessor', 'user')),
    name TEXT NOT NULL,  -- what stands for the name
    what TEXT NOT NULL,  -- JSON, in how many rows of each table something was erased
    reason TEXT NOT NULL,
    sha256 TEXT NOT NULL  -- of its redactions
) STRICT;

CREATE TABLE redaction (  -- append-only: the rows in which something was erased
    log TEXT NOT NULL,  -- the table
    item TEXT NOT NULL,  -- the number or id of the row
    erasure INTEGER NOT NULL REFERENCES erasure (id),
    kept TEXT NOT NULL,  -- its seal; of what was hashed whole, the hash of what remains
    PRIMARY KEY (log, item, erasure)
) STRICT, WITHOUT ROWID;
{APPENDED.format(table="erasure")}
CREATE TRIGGER redaction_unchanged BEFORE UPDATE ON redaction BEGIN
    SELECT RAISE (ABORT, 'redaction is append-only: nothing in it is changed');
END;
CREATE TRIGGER redaction_stays BEFORE DELETE ON redaction BEGIN
    SELECT RAISE (ABORT, 'redaction is append-only: nothing in it is deleted');
END;
"""
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
NAME = """
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
    return NAME + "".join(f"DROP TRIGGER {table}_unchanged;\n{_guard(conn, table)}" for table in ERASED)


def _guard(conn: Connection, table: str) -> str:
    named = "SELECT sql FROM sqlite_master WHERE name = ?"
    _, _, rest = conn.execute(named, [f"{table}_unchanged"]).fetchone()[0].partition("BEGIN")
    columns = [name for _, name, *_ in conn.execute(f"PRAGMA table_info({table})")]
    kept = [f"new.{name} IS NOT old.{name}" for name in columns if name not in ERASED[table]]
    gone = "new.{0} IS NOT old.{0} AND coalesce(new.{0}, '') <> '' AND new.{0} NOT LIKE 'erased %'"
    erased = [gone.format(name) for name in ERASED[table] if table != "release"]
    return GUARD.format(table=table, changed="\n    OR ".join((*kept, *erased)), action=rest.removesuffix("\nEND"))
