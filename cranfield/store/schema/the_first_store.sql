-- Everything a store of version 0.1 has.

CREATE TABLE collection (  -- one row: what this collection is
    id INTEGER PRIMARY KEY CHECK (id = 1),
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    licence TEXT NOT NULL,
    created TEXT NOT NULL,  -- UTC
    grades TEXT NOT NULL,  -- JSON, grade to its meaning; frozen once a judgment exists
    min_relevant INTEGER NOT NULL  -- the lowest grade that counts as relevant
) STRICT;

CREATE TABLE document (
    id INTEGER PRIMARY KEY,
    docno TEXT NOT NULL UNIQUE,
    title TEXT,
    text TEXT,  -- NULL: known only from a run or from qrels
    url TEXT,
    metadata TEXT,  -- JSON
    sha256 TEXT  -- of the text, in hexadecimal
) STRICT;

CREATE TABLE topic (
    id INTEGER PRIMARY KEY,
    qid TEXT NOT NULL UNIQUE,
    title TEXT,  -- NULL: known only from a run or from qrels
    description TEXT,
    narrative TEXT,
    metadata TEXT  -- JSON
) STRICT;

CREATE TABLE run (
    id INTEGER PRIMARY KEY,
    tag TEXT NOT NULL UNIQUE,
    team TEXT NOT NULL,
    kind TEXT NOT NULL,  -- automatic, manual, ...
    description TEXT NOT NULL,
    pooled INTEGER NOT NULL CHECK (pooled IN (0, 1)),  -- does it contribute to pools
    depth INTEGER,  -- how deep; NULL: as deep as the pool
    file TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    imported TEXT NOT NULL  -- UTC
) STRICT;

CREATE TABLE ranking (  -- what a run retrieved for a topic, in canonical order
    run INTEGER NOT NULL REFERENCES run (id),
    topic INTEGER NOT NULL REFERENCES topic (id),
    documents BLOB NOT NULL,  -- document.id, little-endian 32-bit integers
    scores BLOB NOT NULL,  -- as submitted, little-endian 64-bit floats
    PRIMARY KEY (run, topic)
) STRICT;

CREATE TABLE pool (
    id INTEGER PRIMARY KEY,
    method TEXT NOT NULL,
    parameters TEXT NOT NULL,  -- JSON
    seed INTEGER,
    version TEXT NOT NULL,  -- of the program that built it
    created TEXT NOT NULL  -- UTC
) STRICT;

CREATE TABLE pool_document (
    pool INTEGER NOT NULL REFERENCES pool (id),
    topic INTEGER NOT NULL REFERENCES topic (id),
    document INTEGER NOT NULL REFERENCES document (id),
    depth INTEGER NOT NULL,  -- best rank among the contributing runs
    runs TEXT NOT NULL,  -- JSON, the tags of the contributing runs
    stratum TEXT,
    probability REAL,  -- of inclusion, where the method samples
    PRIMARY KEY (pool, topic, document)
) STRICT, WITHOUT ROWID;

CREATE TABLE assessor (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL CHECK (kind IN ('human', 'model', 'import'))
) STRICT;

CREATE TABLE judgment_event (  -- append-only: the record of everything assessors did
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id TEXT NOT NULL UNIQUE,
    at TEXT NOT NULL,  -- UTC
    kind TEXT NOT NULL
        CHECK (kind IN ('label', 'retract', 'later', 'cannot-judge', 'note', 'adjudicate', 'import')),
    topic INTEGER NOT NULL REFERENCES topic (id),
    document INTEGER NOT NULL REFERENCES document (id),
    assessor INTEGER NOT NULL REFERENCES assessor (id),
    grade INTEGER CHECK ((grade IS NOT NULL) = (kind IN ('label', 'adjudicate', 'import'))),
    unsure INTEGER NOT NULL DEFAULT 0 CHECK (unsure IN (0, 1)),
    reason TEXT NOT NULL DEFAULT '',  -- why it cannot be judged
    note TEXT NOT NULL DEFAULT '',
    evidence TEXT,  -- JSON
    source TEXT NOT NULL DEFAULT '',  -- of an import: the second column of its qrels
    seconds REAL,  -- of active time
    position INTEGER,  -- how many documents of the topic were shown before, plus one; never a key
    order_policy TEXT NOT NULL DEFAULT '',
    order_seed INTEGER,
    document_sha256 TEXT,  -- of the text as shown
    pool INTEGER REFERENCES pool (id),
    supersedes INTEGER REFERENCES judgment_event (id)  -- the event that this one takes back
) STRICT;

CREATE INDEX judgment_event_pair ON judgment_event (topic, document, assessor);
CREATE INDEX judgment_event_retracted ON judgment_event (supersedes) WHERE kind = 'retract';

CREATE VIRTUAL TABLE document_fts USING fts5 (
    title, text, content = 'document', content_rowid = 'id', tokenize = 'porter unicode61'
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
CREATE TRIGGER judgment_event_unchanged BEFORE UPDATE ON judgment_event BEGIN
    SELECT RAISE (ABORT, 'judgments are never changed: append an event');
END;
CREATE TRIGGER judgment_event_stays BEFORE DELETE ON judgment_event BEGIN
    SELECT RAISE (ABORT, 'judgments are never deleted: append a retract event');
END;
CREATE TRIGGER scale_frozen BEFORE UPDATE OF grades, min_relevant ON collection
WHEN EXISTS (SELECT 1 FROM judgment_event) BEGIN
    SELECT RAISE (ABORT, 'the grade scale is frozen: judgments exist');
END;

CREATE VIEW judgment_log AS  -- every event, with names for numbers
SELECT e.id, e.at, e.kind, t.qid, d.docno, a.name AS assessor, a.kind AS assessor_kind, e.grade, e.unsure,
    e.reason, e.note, e.evidence, e.source, e.seconds, e.position, e.order_policy, e.order_seed,
    e.document_sha256, e.pool, e.supersedes, e.event_id
FROM judgment_event e
JOIN topic t ON t.id = e.topic JOIN document d ON d.id = e.document JOIN assessor a ON a.id = e.assessor;

CREATE VIEW current_event AS  -- per topic, document and assessor the last word that was not taken back
SELECT max(e.id) AS id, e.topic, e.document, e.assessor
FROM judgment_event e
WHERE e.kind IN ('label', 'later', 'cannot-judge', 'adjudicate', 'import')
    AND NOT EXISTS (SELECT 1 FROM judgment_event r WHERE r.kind = 'retract' AND r.supersedes = e.id)
GROUP BY e.topic, e.document, e.assessor;

CREATE VIEW current_judgment AS
SELECT l.* FROM current_event c JOIN judgment_log l ON l.id = c.id;

CREATE VIEW qrels AS  -- policy "primary": an adjudication first, else the label of the assessor who came first
SELECT qid, docno, grade, assessor, source, 'primary' AS policy FROM (
    SELECT t.qid, d.docno, e.grade, a.name AS assessor, e.source, row_number() OVER (
        PARTITION BY e.topic, e.document ORDER BY e.kind = 'adjudicate' DESC, e.assessor
    ) AS place
    FROM current_event c JOIN judgment_event e ON e.id = c.id
    JOIN topic t ON t.id = e.topic JOIN document d ON d.id = e.document JOIN assessor a ON a.id = e.assessor
    WHERE e.grade IS NOT NULL
) WHERE place = 1;

CREATE VIEW pooled AS  -- the documents of every pool
SELECT p.pool, t.qid, d.docno, p.depth, p.runs, p.stratum, p.probability
FROM pool_document p JOIN topic t ON t.id = p.topic JOIN document d ON d.id = p.document;

CREATE VIEW run_overview AS
SELECT r.tag, r.team, r.kind, r.pooled, r.depth, count(k.topic) AS topics,
    total(length(k.documents)) / 4 AS documents, r.file, r.imported
FROM run r LEFT JOIN ranking k ON k.run = r.id GROUP BY r.id;

PRAGMA application_id = 1129467462;
