"""What keeps hashes free of personal words: an id that stands for each assessor, and the salt of her seals."""

from __future__ import annotations

from secrets import token_bytes
from sqlite3 import Connection
from uuid import uuid4

from cranfield.store.schema.chain import LOG

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
