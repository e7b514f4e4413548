-- What a collection has: documents, topics, runs and their rankings, and how they came.

CREATE TABLE collection (  -- one row: what this collection is
    id INTEGER PRIMARY KEY CHECK (id = 1),
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    licence TEXT NOT NULL,
    created TEXT NOT NULL,  -- UTC
    grades TEXT NOT NULL,  -- JSON, grade to its meaning; frozen once a judgment exists
    min_relevant INTEGER NOT NULL,  -- the lowest grade that counts as relevant
    guidelines TEXT NOT NULL DEFAULT '',  -- for assessors
    origin TEXT NOT NULL DEFAULT '',  -- of the events that come into being here
    -- by which judgments are hashed; 1: as a bundle that was made before there was the second rule
    rule INTEGER NOT NULL DEFAULT 2 CHECK (rule IN (1, 2))
) STRICT;

CREATE TABLE document (
    id INTEGER PRIMARY KEY,
    docno TEXT NOT NULL UNIQUE,
    title TEXT,
    text TEXT,  -- NULL: known only from a run or from qrels
    url TEXT,
    metadata TEXT,  -- JSON
    sha256 TEXT,  -- in hexadecimal: of the text, and of its layout and the fields shown, if it has any
    -- 1: taken back; the row keeps its place, for the row numbers are places in rankings' vocabulary
    removed INTEGER NOT NULL DEFAULT 0 CHECK (removed IN (0, 1)),
    import INTEGER REFERENCES import (id)  -- that brought its text
) STRICT;

CREATE TABLE topic (
    id INTEGER PRIMARY KEY,
    qid TEXT NOT NULL UNIQUE,
    title TEXT,  -- NULL: known only from a run or from qrels
    description TEXT,
    narrative TEXT,
    metadata TEXT,  -- JSON
    removed INTEGER NOT NULL DEFAULT 0 CHECK (removed IN (0, 1)),  -- 1: taken back
    import INTEGER REFERENCES import (id)  -- that brought its title
) STRICT;

CREATE TABLE run (
    id INTEGER PRIMARY KEY,
    tag TEXT NOT NULL UNIQUE,  -- what it is called here: its tag, 2/tag or 2/team/tag
    team TEXT NOT NULL,
    kind TEXT NOT NULL,  -- automatic, manual, ...
    description TEXT NOT NULL,
    pooled INTEGER NOT NULL CHECK (pooled IN (0, 1)),  -- does it contribute to pools
    depth INTEGER,  -- how deep; NULL: as deep as the pool
    file TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    imported TEXT NOT NULL,  -- UTC
    import INTEGER REFERENCES import (id),
    metadata TEXT,  -- JSON, what the ir_metadata header of its file says
    round INTEGER,  -- that it was made for; NULL: the first
    submitted TEXT  -- its tag as its team gave it, where another round or team has that too; NULL: the same
) STRICT;

CREATE TABLE ranking (  -- what a run retrieved for a topic, in canonical order
    run INTEGER NOT NULL REFERENCES run (id),
    topic INTEGER NOT NULL REFERENCES topic (id),
    documents BLOB NOT NULL,  -- document.id, little-endian 32-bit integers
    scores BLOB NOT NULL,  -- as submitted, little-endian 64-bit floats
    PRIMARY KEY (run, topic)
) STRICT;

CREATE VIRTUAL TABLE document_fts USING fts5 (
    title, text, content="document", content_rowid = 'id', tokenize = 'porter unicode61'
);

CREATE TABLE removal (  -- append-only: what was taken back
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,  -- UTC
    kind TEXT NOT NULL,  -- run, topic, pool, import, ...
    name TEXT NOT NULL,  -- the tag, the qid, the number
    what TEXT NOT NULL,  -- JSON, what it was; the rankings of a run are not kept
    reason TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE TABLE import (  -- append-only: what came from files, and when
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,  -- UTC
    kind TEXT NOT NULL,  -- corpus, topics, runs, qrels, votes, ...
    files TEXT NOT NULL,  -- JSON, their names
    first_event INTEGER NOT NULL,  -- its events of judgment_event have ids from this one ...
    last_event INTEGER  -- ... to this one; none where it is the lower
) STRICT;

CREATE INDEX document_removed ON document (removed) WHERE removed = 1;

CREATE VIEW run_overview AS
SELECT r.tag, r.team, r.kind, r.pooled, r.depth, count(k.topic) AS topics,
    total(length(k.documents)) / 4 AS documents, r.file, r.imported
FROM run r LEFT JOIN ranking k ON k.run = r.id GROUP BY r.id;

CREATE VIEW unknown_document AS  -- named by runs or judgments, but not in the corpus; where there is none, all are
SELECT id, docno FROM document WHERE text IS NULL AND removed = 0;

CREATE VIEW unknown_topic AS  -- named by runs or judgments, but not among the topics
SELECT id, qid FROM topic WHERE title IS NULL AND removed = 0;

CREATE VIEW retrieved AS  -- the rankings, one row per document; give a tag, a qid or both: unpacking takes time
SELECT tag, team, qid, rank, docno, CASE
    WHEN exponent = 2047 THEN sign * 9e999
    WHEN exponent = 0 THEN sign * mantissa * unit
    ELSE sign * (mantissa + 4503599627370496) * unit
END AS score FROM (
    SELECT r.tag, r.team, t.qid, i.key + 1 AS rank, d.docno, p.unit, p.exponent,
        1 - ((instr(b.every, substr(k.scores, i.key * 8 + 8, 1)) - 1) * 1) / 128 * 2 AS sign,
        ((instr(b.every, substr(k.scores, i.key * 8 + 1, 1)) - 1) * 1 + (instr(b.every, substr(k.scores, i.key * 8 + 2, 1)) - 1) * 256 + (instr(b.every, substr(k.scores, i.key * 8 + 3, 1)) - 1) * 65536 + (instr(b.every, substr(k.scores, i.key * 8 + 4, 1)) - 1) * 16777216 + (instr(b.every, substr(k.scores, i.key * 8 + 5, 1)) - 1) * 4294967296 + (instr(b.every, substr(k.scores, i.key * 8 + 6, 1)) - 1) * 1099511627776 + (instr(b.every, substr(k.scores, i.key * 8 + 7, 1)) - 1) * 281474976710656) & 4503599627370495 AS mantissa
    FROM ranking k JOIN run r ON r.id = k.run JOIN topic t ON t.id = k.topic
    JOIN (SELECT X'000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f404142434445464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f606162636465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9fa0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4b5b6b7b8b9babbbcbdbebfc0c1c2c3c4c5c6c7c8c9cacbcccdcecfd0d1d2d3d4d5d6d7d8d9dadbdcdddedfe0e1e2e3e4e5e6e7e8e9eaebecedeeeff0f1f2f3f4f5f6f7f8f9fafbfcfdfeff' AS every) b
    JOIN json_each('[' || rtrim(replace(hex(zeroblob(length(k.documents) / 4)), '00', '0,'), ',') || ']') i
    JOIN document d ON d.id = (instr(b.every, substr(k.documents, i.key * 4 + 1, 1)) - 1) * 1 + (instr(b.every, substr(k.documents, i.key * 4 + 2, 1)) - 1) * 256 + (instr(b.every, substr(k.documents, i.key * 4 + 3, 1)) - 1) * 65536 + (instr(b.every, substr(k.documents, i.key * 4 + 4, 1)) - 1) * 16777216
    LEFT JOIN (  -- the last binary place of the numbers of each exponent
        WITH RECURSIVE larger (exponent, unit) AS (
            SELECT 1075, 1.0 UNION ALL SELECT exponent + 1, unit * 2 FROM larger WHERE exponent < 2047
        ), smaller (exponent, unit) AS (
            SELECT 1075, 1.0 UNION ALL SELECT exponent - 1, unit / 2 FROM smaller WHERE exponent > 1
        )
        SELECT exponent, unit FROM larger UNION SELECT exponent, unit FROM smaller
        UNION SELECT 0, min(unit) FROM smaller
    ) p ON p.exponent = (((instr(b.every, substr(k.scores, i.key * 8 + 7, 1)) - 1) * 1 + (instr(b.every, substr(k.scores, i.key * 8 + 8, 1)) - 1) * 256) & 32767) / 16
);

CREATE TRIGGER document_indexed AFTER INSERT ON document WHEN new.text IS NOT NULL BEGIN
    INSERT INTO document_fts (rowid, title, text) VALUES (new.id, new.title, new.text);
END;
CREATE TRIGGER document_reindexed AFTER UPDATE OF title, text ON document BEGIN
    INSERT INTO document_fts (document_fts, rowid, title, text)
        SELECT 'delete', old.id, old.title, old.text WHERE old.text IS NOT NULL;
    INSERT INTO document_fts (rowid, title, text)
        SELECT new.id, new.title, new.text WHERE new.text IS NOT NULL;
END;
CREATE TRIGGER document_stays BEFORE DELETE ON document BEGIN
    SELECT RAISE (ABORT, 'documents are never deleted: rankings refer to them');
END;
CREATE TRIGGER topic_stays BEFORE DELETE ON topic BEGIN
    SELECT RAISE (ABORT, 'topics are never deleted: rankings and judgments refer to them');
END;
CREATE TRIGGER scale_frozen BEFORE UPDATE OF grades, min_relevant ON collection
WHEN EXISTS (SELECT 1 FROM judgment_event) BEGIN
    SELECT RAISE (ABORT, 'the grade scale is frozen: judgments exist');
END;
CREATE TRIGGER collection_new BEFORE INSERT ON collection WHEN EXISTS (SELECT 1 FROM collection) BEGIN
    SELECT RAISE (ABORT, 'a store has one collection');
END;
CREATE TRIGGER collection_stays BEFORE DELETE ON collection BEGIN
    SELECT RAISE (ABORT, 'a store has one collection');
END;
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
CREATE TRIGGER ranking_released BEFORE UPDATE ON ranking
WHEN old.run <= (SELECT max(json_extract(last, '$.run')) FROM release) BEGIN
    SELECT RAISE (ABORT, 'a release has this run: it stays as it is');
END;
CREATE TRIGGER import_unchanged BEFORE UPDATE ON import WHEN old.last_event IS NOT NULL BEGIN
    SELECT RAISE (ABORT, 'imports are never changed: `cranfield store remove` takes one back');
END;
CREATE TRIGGER import_stays BEFORE DELETE ON import BEGIN
    SELECT RAISE (ABORT, 'imports are never deleted: `cranfield store remove` takes one back');
END;
