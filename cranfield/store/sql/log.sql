-- What makes the log verifiable: links, changes of other tables, erasures, and named releases.

CREATE TABLE event_link (  -- append-only: the events of all logs but that of judgments, as they were recorded
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    log TEXT NOT NULL,  -- its table: change, nugget_event, preference_event, ...
    event INTEGER NOT NULL,  -- its id there
    import INTEGER REFERENCES import (id),  -- that brought it
    origin TEXT NOT NULL REFERENCES origin (id),
    previous TEXT NOT NULL,  -- the hash of the link before it of this origin
    hash TEXT NOT NULL,  -- of `previous` and all that the event says
    rule INTEGER NOT NULL DEFAULT 1 CHECK (rule IN (1, 2)),  -- by which it is hashed
    UNIQUE (log, event)
) STRICT;

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

CREATE TABLE change (  -- append-only: what decides labels, pools and who judges, each time that it changed
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,  -- UTC
    kind TEXT NOT NULL,  -- the table
    name TEXT NOT NULL,  -- of one of its rows, or of rows that were recorded together: their key
    said TEXT,  -- JSON, what it says from now on, or the hash of its rows; NULL: it is gone
    sealed TEXT NOT NULL DEFAULT ''  -- the seal of what is personal in it
) STRICT;

CREATE TABLE unrecorded (  -- what a transaction has touched; before and after one, what was changed by hand
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    UNIQUE (kind, name)
) STRICT;

CREATE TABLE erasure (  -- append-only: who was erased from this store, and why
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,  -- UTC
    kind TEXT NOT NULL,  -- assessor, user, ...
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

CREATE TABLE feature (  -- append-only: the features that this store has tables of, and what it does with them
    name TEXT NOT NULL,
    part TEXT NOT NULL,  -- their name in the feature
    sql TEXT NOT NULL,  -- that made them
    tables TEXT NOT NULL,  -- JSON, of each: what is hashed, recorded, released and erased
    PRIMARY KEY (name, part)
) STRICT;

CREATE INDEX event_link_origin ON event_link (origin, id);
CREATE INDEX event_link_import ON event_link (import) WHERE import IS NOT NULL;
CREATE INDEX change_name ON change (kind, name);

CREATE TRIGGER release_stays BEFORE DELETE ON release BEGIN
    SELECT RAISE (ABORT, 'releases are never deleted');
END;
CREATE TRIGGER release_new BEFORE INSERT ON release
WHEN EXISTS (SELECT 1 FROM release WHERE id = new.id OR name = new.name) BEGIN
    SELECT RAISE (ABORT, 'releases are never replaced');
END;
CREATE TRIGGER release_unchanged BEFORE UPDATE ON release
WHEN NOT EXISTS (SELECT 1 FROM redaction WHERE log = 'release' AND item = CAST(old.id AS TEXT))
    OR new.id IS NOT old.id
    OR new.name IS NOT old.name
    OR new.date IS NOT old.date
    OR new.note IS NOT old.note
    OR new.at IS NOT old.at
    OR new.version IS NOT old.version
    OR new.head IS NOT old.head
    OR new.counts IS NOT old.counts
    OR new.last IS NOT old.last
    OR new.sha256 IS NOT old.sha256 BEGIN
    SELECT RAISE (ABORT, 'releases are never changed');
END;
