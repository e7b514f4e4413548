"""What releases add: named states of a store, and what keeps them as they are."""

from __future__ import annotations

RELEASES = """
CREATE TABLE release (  -- append-only: named states of this store; one reads `track.db@NAME`
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    date TEXT NOT NULL,  -- of publication, YYYY-MM-DD
    note TEXT NOT NULL DEFAULT '',
    at TEXT NOT NULL,  -- UTC, when it was made
    version TEXT NOT NULL,  -- of the program that made it
    head TEXT NOT NULL,  -- of the judgment log
    counts TEXT NOT NULL,  -- JSON, how much of everything it has
    last TEXT NOT NULL,  -- JSON, by table: the number of its last row; later rows are not in this release
    kept TEXT NOT NULL,  -- JSON, by table: the rows of a table whose rows may change later
    hashes TEXT NOT NULL,  -- JSON, by table: the columns, and the SHA-256 of its rows
    sha256 TEXT NOT NULL  -- of all of the above
) STRICT;

CREATE TABLE earlier_document (  -- append-only: documents that changed later, as releases have them: without a text
    document INTEGER NOT NULL REFERENCES document (id),
    release INTEGER NOT NULL REFERENCES release (id),  -- and those before it, back to the next row of this document
    removed INTEGER NOT NULL CHECK (removed IN (0, 1)),
    PRIMARY KEY (document, release)
) STRICT, WITHOUT ROWID;

CREATE TABLE earlier_topic (  -- append-only: topics that changed later, as releases have them: without a text
    topic INTEGER NOT NULL REFERENCES topic (id),
    release INTEGER NOT NULL REFERENCES release (id),  -- and those before it, back to the next row of this topic
    removed INTEGER NOT NULL CHECK (removed IN (0, 1)),
    PRIMARY KEY (topic, release)
) STRICT, WITHOUT ROWID;
"""

STAYS_IN_RELEASES = """
CREATE TRIGGER {table}_changes BEFORE UPDATE ON {table}
WHEN old.{text} IS NULL AND (new.{text} IS NOT NULL OR new.removed <> old.removed)
    AND old.id <= (SELECT max(json_extract(last, '$.{table}')) FROM release) BEGIN
    INSERT INTO earlier_{table} ({table}, release, removed)
        SELECT old.id, r.id, old.removed FROM release r
        WHERE r.id = (SELECT max(id) FROM release WHERE json_extract(last, '$.{table}') >= old.id)
            AND NOT EXISTS (SELECT 1 FROM earlier_{table} e WHERE e.{table} = old.id AND e.release = r.id);
END;
CREATE TRIGGER {table}_released BEFORE UPDATE ON {table}
WHEN old.{text} IS NOT NULL AND old.id <= (SELECT max(json_extract(last, '$.{table}')) FROM release)
    AND EXISTS (
        SELECT 1 FROM release r WHERE json_extract(r.last, '$.{table}') >= old.id
            AND NOT EXISTS (SELECT 1 FROM earlier_{table} e WHERE e.{table} = old.id AND e.release >= r.id)
    ) BEGIN
    SELECT RAISE (ABORT, 'a release has this {table}: it stays as it is');
END;
"""

STAYS = """
CREATE TRIGGER {table}_released_stays BEFORE DELETE ON {table}
WHEN old.{number} <= (SELECT max(json_extract(last, '$.{of}')) FROM release) BEGIN
    SELECT RAISE (ABORT, 'a release has this {of}: it stays');
END;
"""

UNCHANGED = """
CREATE TRIGGER ranking_released BEFORE UPDATE ON ranking
WHEN old.run <= (SELECT max(json_extract(last, '$.run')) FROM release) BEGIN
    SELECT RAISE (ABORT, 'a release has this run: it stays as it is');
END;
"""

RELEASE_APPENDED = """
CREATE TRIGGER {table}_unchanged BEFORE UPDATE ON {table} BEGIN
    SELECT RAISE (ABORT, 'releases are never changed');
END;
CREATE TRIGGER {table}_stays BEFORE DELETE ON {table} BEGIN
    SELECT RAISE (ABORT, 'releases are never deleted');
END;
CREATE TRIGGER {table}_new BEFORE INSERT ON {table} WHEN EXISTS (SELECT 1 FROM {table} WHERE {same}) BEGIN
    SELECT RAISE (ABORT, 'releases are never replaced');
END;
"""

RELEASE_GUARDS = "".join((
    STAYS_IN_RELEASES.format(table="document", text="text"),
    STAYS_IN_RELEASES.format(table="topic", text="title"),
    STAYS.format(table="run", number="id", of="run"),
    STAYS.format(table="ranking", number="run", of="run"),
    STAYS.format(table="pool", number="id", of="pool"),
    STAYS.format(table="answer", number="id", of="answer"),
    UNCHANGED,
    RELEASE_APPENDED.format(table="release", same="id = new.id OR name = new.name"),
    *(
        RELEASE_APPENDED.format(table=f"earlier_{table}", same=f"{table} = new.{table} AND release = new.release")
        for table in ("document", "topic")
    ),
))  # fmt: skip
