-- Whatever decides labels, pools and who judges is in the logs: as it is found, and whenever it changes.

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

-- in Python: record_everything

CREATE TRIGGER change_unchanged BEFORE UPDATE ON change BEGIN
    SELECT RAISE (ABORT, 'change is append-only: nothing in it is changed');
END;
CREATE TRIGGER change_stays BEFORE DELETE ON change BEGIN
    SELECT RAISE (ABORT, 'change is append-only: nothing in it is deleted');
END;
CREATE TRIGGER change_new BEFORE INSERT ON change WHEN EXISTS (SELECT 1 FROM change WHERE id = new.id) BEGIN
    SELECT RAISE (ABORT, 'change is append-only: nothing in it is replaced');
END;

-- in Python: note_changes
