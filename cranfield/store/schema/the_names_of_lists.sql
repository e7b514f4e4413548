-- The index of the names of logged lists can be made after them, which takes less time.

PRAGMA defer_foreign_keys = ON;
CREATE TEMP TABLE kept AS SELECT * FROM main.impression;
DROP TABLE impression;
CREATE TABLE impression (  -- append-only: lists that were shown, one row per list
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,  -- its id in the log
    at REAL NOT NULL,  -- seconds since 1970
    experiment INTEGER NOT NULL REFERENCES experiment (id),
    arm INTEGER REFERENCES arm (id),
    user INTEGER,  -- a salted hash
    session INTEGER,  -- a salted hash
    query INTEGER NOT NULL REFERENCES query (id),
    topic INTEGER REFERENCES topic (id),  -- where the log has a qid; others are found by the text of the query
    first INTEGER NOT NULL DEFAULT 0,  -- documents on earlier pages
    documents BLOB NOT NULL,  -- little-endian 32-bit numbers of rows of `document`, in the order of the list
    teams BLOB,  -- one byte for each document of an interleaved list: 0 for team a; 255 for no team
    propensities BLOB,  -- little-endian doubles: the probability of each document at its position
    import INTEGER REFERENCES import (id)
) STRICT;
INSERT INTO impression SELECT * FROM temp.kept;
DROP TABLE temp.kept;

CREATE UNIQUE INDEX impression_name ON impression (name);

CREATE TRIGGER impression_unchanged BEFORE UPDATE ON impression BEGIN
    SELECT RAISE (ABORT, 'logs are never changed: `cranfield store remove` takes an import back');
END;
CREATE TRIGGER impression_stays BEFORE DELETE ON impression
WHEN EXISTS (SELECT 1 FROM import WHERE id = old.import AND last_event IS NOT NULL)
    AND NOT EXISTS (SELECT 1 FROM removal WHERE kind = 'import' AND name = CAST(old.import AS TEXT))
    OR old.import IS NULL BEGIN
    SELECT RAISE (ABORT, 'logs are never deleted: `cranfield store remove` takes an import back');
END;
