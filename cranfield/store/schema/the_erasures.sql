-- A person can be erased; the guards let that through and nothing else.

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

CREATE TRIGGER erasure_unchanged BEFORE UPDATE ON erasure BEGIN
    SELECT RAISE (ABORT, 'erasure is append-only: nothing in it is changed');
END;
CREATE TRIGGER erasure_stays BEFORE DELETE ON erasure BEGIN
    SELECT RAISE (ABORT, 'erasure is append-only: nothing in it is deleted');
END;
CREATE TRIGGER erasure_new BEFORE INSERT ON erasure WHEN EXISTS (SELECT 1 FROM erasure WHERE id = new.id) BEGIN
    SELECT RAISE (ABORT, 'erasure is append-only: nothing in it is replaced');
END;

CREATE TRIGGER redaction_unchanged BEFORE UPDATE ON redaction BEGIN
    SELECT RAISE (ABORT, 'redaction is append-only: nothing in it is changed');
END;
CREATE TRIGGER redaction_stays BEFORE DELETE ON redaction BEGIN
    SELECT RAISE (ABORT, 'redaction is append-only: nothing in it is deleted');
END;

-- in Python: let_redactions_through
