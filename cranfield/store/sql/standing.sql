-- What of a collection counts: what was withdrawn, and named sets of topics.

CREATE TABLE withdrawal (  -- append-only: what no analysis takes any more, and what one takes again; nothing is deleted
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,  -- UTC
    what TEXT NOT NULL CHECK (what IN ('run', 'topic', 'document')),
    item INTEGER NOT NULL,  -- the number of its row
    name TEXT NOT NULL,  -- its tag, qid or docno
    reason TEXT NOT NULL,
    restores INTEGER UNIQUE REFERENCES withdrawal (id)  -- the withdrawal that this one undoes; NULL: it is one
) STRICT;

CREATE TABLE topic_set (  -- append-only: named sets of topics; a set that changes has another version
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,  -- UTC
    name TEXT NOT NULL,
    version INTEGER NOT NULL,
    topics TEXT NOT NULL,  -- JSON, the qids
    origin TEXT NOT NULL,  -- JSON, how it was made: its file, or the set, the number of folds and the seed
    UNIQUE (name, version)
) STRICT;

CREATE VIEW withdrawn AS  -- the withdrawals that stand
SELECT w.id, w.at, w.what, w.item, w.name, w.reason FROM withdrawal w
WHERE w.restores IS NULL AND NOT EXISTS (SELECT 1 FROM withdrawal r WHERE r.restores = w.id);

CREATE VIEW latest_topic_set AS
SELECT s.* FROM topic_set s WHERE NOT EXISTS (SELECT 1 FROM topic_set l WHERE l.name = s.name AND l.version > s.version);
