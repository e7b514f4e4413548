-- A store can have named states that stay as they are.

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

CREATE TRIGGER document_changes BEFORE UPDATE ON document
WHEN old.text IS NULL AND (new.text IS NOT NULL OR new.removed <> old.removed)
    AND old.id <= (SELECT max(json_extract(last, '$.document')) FROM release) BEGIN
    INSERT INTO earlier_document (document, release, removed)
        SELECT old.id, r.id, old.removed FROM release r
        WHERE r.id = (SELECT max(id) FROM release WHERE json_extract(last, '$.document') >= old.id)
            AND NOT EXISTS (SELECT 1 FROM earlier_document e WHERE e.document = old.id AND e.release = r.id);
END;
CREATE TRIGGER document_released BEFORE UPDATE ON document
WHEN old.text IS NOT NULL AND old.id <= (SELECT max(json_extract(last, '$.document')) FROM release)
    AND EXISTS (
        SELECT 1 FROM release r WHERE json_extract(r.last, '$.document') >= old.id
            AND NOT EXISTS (SELECT 1 FROM earlier_document e WHERE e.document = old.id AND e.release >= r.id)
    ) BEGIN
    SELECT RAISE (ABORT, 'a release has this document: it stays as it is');
END;

CREATE TRIGGER topic_changes BEFORE UPDATE ON topic
WHEN old.title IS NULL AND (new.title IS NOT NULL OR new.removed <> old.removed)
    AND old.id <= (SELECT max(json_extract(last, '$.topic')) FROM release) BEGIN
    INSERT INTO earlier_topic (topic, release, removed)
        SELECT old.id, r.id, old.removed FROM release r
        WHERE r.id = (SELECT max(id) FROM release WHERE json_extract(last, '$.topic') >= old.id)
            AND NOT EXISTS (SELECT 1 FROM earlier_topic e WHERE e.topic = old.id AND e.release = r.id);
END;
CREATE TRIGGER topic_released BEFORE UPDATE ON topic
WHEN old.title IS NOT NULL AND old.id <= (SELECT max(json_extract(last, '$.topic')) FROM release)
    AND EXISTS (
        SELECT 1 FROM release r WHERE json_extract(r.last, '$.topic') >= old.id
            AND NOT EXISTS (SELECT 1 FROM earlier_topic e WHERE e.topic = old.id AND e.release >= r.id)
    ) BEGIN
    SELECT RAISE (ABORT, 'a release has this topic: it stays as it is');
END;

CREATE TRIGGER run_released_stays BEFORE DELETE ON run
WHEN old.id <= (SELECT max(json_extract(last, '$.run')) FROM release) BEGIN
    SELECT RAISE (ABORT, 'a release has this run: it stays');
END;

CREATE TRIGGER ranking_released_stays BEFORE DELETE ON ranking
WHEN old.run <= (SELECT max(json_extract(last, '$.run')) FROM release) BEGIN
    SELECT RAISE (ABORT, 'a release has this run: it stays');
END;

CREATE TRIGGER pool_released_stays BEFORE DELETE ON pool
WHEN old.id <= (SELECT max(json_extract(last, '$.pool')) FROM release) BEGIN
    SELECT RAISE (ABORT, 'a release has this pool: it stays');
END;

CREATE TRIGGER answer_released_stays BEFORE DELETE ON answer
WHEN old.id <= (SELECT max(json_extract(last, '$.answer')) FROM release) BEGIN
    SELECT RAISE (ABORT, 'a release has this answer: it stays');
END;

CREATE TRIGGER ranking_released BEFORE UPDATE ON ranking
WHEN old.run <= (SELECT max(json_extract(last, '$.run')) FROM release) BEGIN
    SELECT RAISE (ABORT, 'a release has this run: it stays as it is');
END;

CREATE TRIGGER release_unchanged BEFORE UPDATE ON release BEGIN
    SELECT RAISE (ABORT, 'releases are never changed');
END;
CREATE TRIGGER release_stays BEFORE DELETE ON release BEGIN
    SELECT RAISE (ABORT, 'releases are never deleted');
END;
CREATE TRIGGER release_new BEFORE INSERT ON release WHEN EXISTS (SELECT 1 FROM release WHERE id = new.id OR name = new.name) BEGIN
    SELECT RAISE (ABORT, 'releases are never replaced');
END;

CREATE TRIGGER earlier_document_unchanged BEFORE UPDATE ON earlier_document BEGIN
    SELECT RAISE (ABORT, 'releases are never changed');
END;
CREATE TRIGGER earlier_document_stays BEFORE DELETE ON earlier_document BEGIN
    SELECT RAISE (ABORT, 'releases are never deleted');
END;
CREATE TRIGGER earlier_document_new BEFORE INSERT ON earlier_document WHEN EXISTS (SELECT 1 FROM earlier_document WHERE document = new.document AND release = new.release) BEGIN
    SELECT RAISE (ABORT, 'releases are never replaced');
END;

CREATE TRIGGER earlier_topic_unchanged BEFORE UPDATE ON earlier_topic BEGIN
    SELECT RAISE (ABORT, 'releases are never changed');
END;
CREATE TRIGGER earlier_topic_stays BEFORE DELETE ON earlier_topic BEGIN
    SELECT RAISE (ABORT, 'releases are never deleted');
END;
CREATE TRIGGER earlier_topic_new BEFORE INSERT ON earlier_topic WHEN EXISTS (SELECT 1 FROM earlier_topic WHERE topic = new.topic AND release = new.release) BEGIN
    SELECT RAISE (ABORT, 'releases are never replaced');
END;
