-- What of a collection counts: what was withdrawn, names that documents have now, and named sets of topics.

CREATE TABLE withdrawal (  -- append-only: what no analysis takes any more, and what one takes again; nothing is deleted
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,  -- UTC
    what TEXT NOT NULL CHECK (what IN ('run', 'topic', 'document')),
    item INTEGER NOT NULL,  -- the number of its row
    name TEXT NOT NULL,  -- its tag, qid or docno
    reason TEXT NOT NULL,
    restores INTEGER UNIQUE REFERENCES withdrawal (id)  -- the withdrawal that this one undoes; NULL: it is one
) STRICT;

CREATE TABLE withdrawn_by (  -- append-only: who withdrew something, or restored it
    id INTEGER PRIMARY KEY REFERENCES withdrawal (id),
    assessor INTEGER NOT NULL REFERENCES assessor (id)
) STRICT;

CREATE TABLE renamed (  -- append-only: documents that have another name from a round on
    id INTEGER PRIMARY KEY,
    round INTEGER NOT NULL,
    old INTEGER NOT NULL REFERENCES document (id),
    new INTEGER NOT NULL REFERENCES document (id),
    UNIQUE (round, old)
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

CREATE VIEW present_name AS  -- what each document that was ever renamed is called now: its first new name, or that one's
WITH RECURSIVE step (document, name, round) AS (
    SELECT old, new, round FROM renamed r WHERE round = (SELECT min(round) FROM renamed f WHERE f.old = r.old)
    UNION ALL
    SELECT s.document, r.new, r.round FROM step s JOIN renamed r ON r.old = s.name
        AND r.round = (SELECT min(round) FROM renamed f WHERE f.old = s.name AND f.round > s.round)
)
SELECT document, name FROM (SELECT document, name, max(round) FROM step GROUP BY document);

CREATE VIEW other_name AS  -- by each name of a document that was renamed, the others that it has or had
WITH called (document, name) AS MATERIALIZED (
    SELECT document, name FROM present_name UNION SELECT name, name FROM present_name
)
SELECT a.document, b.document AS other FROM called a JOIN called b ON b.name = a.name AND b.document <> a.document;

CREATE VIEW latest_topic_set AS
SELECT s.* FROM topic_set s WHERE NOT EXISTS (SELECT 1 FROM topic_set l WHERE l.name = s.name AND l.version > s.version);

CREATE INDEX renamed_old ON renamed (old, round);
CREATE TRIGGER renamed_unchanged BEFORE UPDATE ON renamed BEGIN
    SELECT RAISE (ABORT, 'new names of documents are never changed');
END;
CREATE TRIGGER renamed_stays BEFORE DELETE ON renamed BEGIN
    SELECT RAISE (ABORT, 'new names of documents are never deleted');
END;
