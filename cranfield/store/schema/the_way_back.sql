-- Imports by number, and a log of what was removed.

CREATE TABLE import (  -- append-only: what came from files, and when
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,  -- UTC
    kind TEXT NOT NULL CHECK (kind IN ('corpus', 'topics', 'runs', 'qrels', 'votes')),
    files TEXT NOT NULL,  -- JSON, their names
    first_event INTEGER NOT NULL,  -- its events of judgment_event have ids from this one ...
    last_event INTEGER  -- ... to this one; none where it is the lower
) STRICT;

CREATE TABLE removal (  -- append-only: what was taken back
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,  -- UTC
    kind TEXT NOT NULL CHECK (kind IN ('run', 'topic', 'pool', 'import')),
    name TEXT NOT NULL,  -- the tag, the qid, the number
    what TEXT NOT NULL,  -- JSON, what it was; the rankings of a run are not kept
    reason TEXT NOT NULL DEFAULT ''
) STRICT;

ALTER TABLE document ADD COLUMN import INTEGER REFERENCES import (id);  -- that brought its text
ALTER TABLE topic ADD COLUMN import INTEGER REFERENCES import (id);  -- that brought its title
ALTER TABLE run ADD COLUMN import INTEGER REFERENCES import (id);

CREATE TRIGGER import_unchanged BEFORE UPDATE ON import WHEN old.last_event IS NOT NULL BEGIN
    SELECT RAISE (ABORT, 'imports are never changed: `cranfield store remove` takes one back');
END;
CREATE TRIGGER import_stays BEFORE DELETE ON import BEGIN
    SELECT RAISE (ABORT, 'imports are never deleted: `cranfield store remove` takes one back');
END;
CREATE TRIGGER removal_unchanged BEFORE UPDATE ON removal BEGIN
    SELECT RAISE (ABORT, 'removals are never changed');
END;
CREATE TRIGGER removal_stays BEFORE DELETE ON removal BEGIN
    SELECT RAISE (ABORT, 'removals are never deleted');
END;

CREATE VIEW standing_event AS  -- what assessors did and nobody took back
SELECT e.* FROM judgment_event e WHERE e.kind <> 'retract'
    AND NOT EXISTS (SELECT 1 FROM judgment_event r WHERE r.kind = 'retract' AND r.supersedes = e.id);
