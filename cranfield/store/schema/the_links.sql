-- Events of nuggets, support and preferences carry the hash of the one before, and the import that brought them.

PRAGMA defer_foreign_keys = ON;
CREATE TEMP TABLE kept AS SELECT * FROM main.import;
DROP TABLE import;
CREATE TABLE import (  -- append-only: what came from files, and when
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,  -- UTC
    kind TEXT NOT NULL CHECK (
        kind IN ('corpus', 'topics', 'runs', 'qrels', 'votes', 'answers', 'nuggets', 'support', 'log', 'preferences')
    ),
    files TEXT NOT NULL,  -- JSON, their names
    first_event INTEGER NOT NULL,  -- its events of judgment_event have ids from this one ...
    last_event INTEGER  -- ... to this one; none where it is the lower
) STRICT;
INSERT INTO import SELECT * FROM temp.kept;
DROP TABLE temp.kept;

CREATE TRIGGER import_unchanged BEFORE UPDATE ON import WHEN old.last_event IS NOT NULL BEGIN
    SELECT RAISE (ABORT, 'imports are never changed: `cranfield store remove` takes one back');
END;
CREATE TRIGGER import_stays BEFORE DELETE ON import BEGIN
    SELECT RAISE (ABORT, 'imports are never deleted: `cranfield store remove` takes one back');
END;

CREATE TABLE event_link (  -- append-only: the events of all logs but that of judgments, as they were recorded
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    log TEXT NOT NULL,  -- nugget_edit, nugget_event, support_event, preference_event
    event INTEGER NOT NULL,  -- its id there
    import INTEGER REFERENCES import (id),  -- that brought it
    origin TEXT NOT NULL REFERENCES origin (id),
    previous TEXT NOT NULL,  -- the hash of the link before it of this origin
    hash TEXT NOT NULL,  -- of `previous` and all that the event says
    UNIQUE (log, event)
) STRICT;

CREATE INDEX event_link_origin ON event_link (origin, id);
CREATE INDEX event_link_import ON event_link (import) WHERE import IS NOT NULL;

-- in Python: link_earlier

CREATE TRIGGER event_link_unchanged BEFORE UPDATE ON event_link BEGIN
    SELECT RAISE (ABORT, 'links of the logs are never changed');
END;
CREATE TRIGGER event_link_stays BEFORE DELETE ON event_link BEGIN
    SELECT RAISE (ABORT, 'links of the logs are never deleted');
END;
CREATE TRIGGER event_link_new BEFORE INSERT ON event_link
WHEN EXISTS (SELECT 1 FROM event_link WHERE id = new.id OR (log = new.log AND event = new.event)) BEGIN
    SELECT RAISE (ABORT, 'links of the logs are never replaced');
END;
