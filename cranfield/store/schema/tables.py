"""The tables, triggers and views of a collection, its runs and its judgments, in SQL.

Other programs read a store by rankings as rows, and by a full-text index that they recognise as the documents'. A
ranking is two packed arrays. The view unpacks them in plain SQL: json_each counts the positions, and the value of a
byte is its place among all bytes. A score is sign x mantissa x a power of two, which is exact.
"""

TABLES = """
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
"""

TRIGGERS = """
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
"""

VIEWS = """
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
"""


DETAILS = """
ALTER TABLE run ADD COLUMN metadata TEXT;  -- JSON, what the ir_metadata header of its file says

CREATE TABLE frame_document (  -- every document that a stratified pool could have drawn, with its stratum
    pool INTEGER NOT NULL REFERENCES pool (id) ON DELETE CASCADE,
    topic INTEGER NOT NULL REFERENCES topic (id),
    document INTEGER NOT NULL REFERENCES document (id),
    stratum TEXT NOT NULL,
    PRIMARY KEY (pool, topic, document)
) STRICT, WITHOUT ROWID;

CREATE INDEX judgment_event_about ON judgment_event (id) WHERE kind = 'import' AND evidence IS NOT NULL;  -- subtopics
"""


SCREEN = """
ALTER TABLE judgment_event ADD COLUMN input TEXT NOT NULL DEFAULT '';  -- key: full screen, plain: line mode
ALTER TABLE judgment_event ADD COLUMN fast INTEGER NOT NULL DEFAULT 0  -- decided hardly after the document was drawn
    CHECK (fast IN (0, 1));
ALTER TABLE judgment_event ADD COLUMN highlight_terms TEXT NOT NULL DEFAULT '';  -- the assessor's own, while marked
ALTER TABLE judgment_event ADD COLUMN docno_shown INTEGER NOT NULL DEFAULT 0 CHECK (docno_shown IN (0, 1));
ALTER TABLE collection ADD COLUMN guidelines TEXT NOT NULL DEFAULT '';  -- for assessors

CREATE TABLE criterion (  -- append-only: what an assessor takes to count as relevant, and since when
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,  -- UTC
    topic INTEGER NOT NULL REFERENCES topic (id),
    assessor INTEGER NOT NULL REFERENCES assessor (id),
    text TEXT NOT NULL
) STRICT;

CREATE TRIGGER criterion_unchanged BEFORE UPDATE ON criterion BEGIN
    SELECT RAISE (ABORT, 'criteria are never changed: append another');
END;
CREATE TRIGGER criterion_stays BEFORE DELETE ON criterion BEGIN
    SELECT RAISE (ABORT, 'criteria are never deleted: append another');
END;

DROP VIEW judgment_log;
CREATE VIEW judgment_log AS  -- every event, with names for numbers
SELECT e.id, e.at, e.kind, t.qid, d.docno, a.name AS assessor, a.kind AS assessor_kind, e.grade, e.unsure,
    e.reason, e.note, e.evidence, e.source, e.seconds, e.position, e.order_policy, e.order_seed,
    e.document_sha256, e.pool, e.supersedes, e.event_id, e.input, e.fast, e.highlight_terms, e.docno_shown
FROM judgment_event e
JOIN topic t ON t.id = e.topic JOIN document d ON d.id = e.document JOIN assessor a ON a.id = e.assessor;

CREATE VIEW criteria AS  -- the diary of criteria, with names for numbers
SELECT c.id, c.at, t.qid, a.name AS assessor, c.text
FROM criterion c JOIN topic t ON t.id = c.topic JOIN assessor a ON a.id = c.assessor;
"""


UNKNOWN = """
ALTER TABLE document ADD COLUMN removed INTEGER NOT NULL DEFAULT 0  -- 1: taken back; the row keeps its place, for the
    CHECK (removed IN (0, 1));                                      -- row numbers are places in rankings' vocabulary
ALTER TABLE topic ADD COLUMN removed INTEGER NOT NULL DEFAULT 0  -- 1: taken back
    CHECK (removed IN (0, 1));
CREATE INDEX document_without_text ON document (removed) WHERE text IS NULL;

CREATE VIEW unknown_document AS  -- named by runs or judgments, but not in the corpus; where there is none, all are
SELECT id, docno FROM document WHERE text IS NULL AND removed = 0;

CREATE VIEW unknown_topic AS  -- named by runs or judgments, but not among the topics
SELECT id, qid FROM topic WHERE title IS NULL AND removed = 0;

UPDATE run SET pooled = 0 WHERE NOT EXISTS (SELECT 1 FROM ranking WHERE run = run.id);  -- they retrieved nothing
"""

WAY_BACK = """
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
"""


EVERY_BYTE = f"X'{bytes(range(256)).hex()}'"


def _number(array: str, width: int, first: int, last: int) -> str:
    """The bytes from `first` to `last` of an array's item, of `width` bytes, as an integer, the lowest byte first.

    >>> _number("k.scores", 8, 6, 7)[:72]
    '(instr(b.every, substr(k.scores, i.key * 8 + 7, 1)) - 1) * 1 + (instr(b.'
    """
    places = range(first, last + 1)
    byte = "(instr(b.every, substr({array}, i.key * {width} + {at}, 1)) - 1) * {weight}"
    return " + ".join(byte.format(array=array, width=width, at=at + 1, weight=256 ** (at - first)) for at in places)


BROWSING = f"""
PRAGMA writable_schema = ON;
UPDATE sqlite_master SET sql = replace(sql, 'content = ''document''', 'content="document"') WHERE name = 'document_fts';
PRAGMA writable_schema = OFF;

CREATE VIEW retrieved AS  -- the rankings, one row per document; give a tag, a qid or both: unpacking takes time
SELECT tag, team, qid, rank, docno, CASE
    WHEN exponent = 2047 THEN sign * 9e999
    WHEN exponent = 0 THEN sign * mantissa * unit
    ELSE sign * (mantissa + {2**52}) * unit
END AS score FROM (
    SELECT r.tag, r.team, t.qid, i.key + 1 AS rank, d.docno, p.unit, p.exponent,
        1 - ({_number("k.scores", 8, 7, 7)}) / 128 * 2 AS sign,
        ({_number("k.scores", 8, 0, 6)}) & {2**52 - 1} AS mantissa
    FROM ranking k JOIN run r ON r.id = k.run JOIN topic t ON t.id = k.topic
    JOIN (SELECT {EVERY_BYTE} AS every) b
    JOIN json_each('[' || rtrim(replace(hex(zeroblob(length(k.documents) / 4)), '00', '0,'), ',') || ']') i
    JOIN document d ON d.id = {_number("k.documents", 4, 0, 3)}
    LEFT JOIN (  -- the last binary place of the numbers of each exponent
        WITH RECURSIVE larger (exponent, unit) AS (
            SELECT 1075, 1.0 UNION ALL SELECT exponent + 1, unit * 2 FROM larger WHERE exponent < 2047
        ), smaller (exponent, unit) AS (
            SELECT 1075, 1.0 UNION ALL SELECT exponent - 1, unit / 2 FROM smaller WHERE exponent > 1
        )
        SELECT exponent, unit FROM larger UNION SELECT exponent, unit FROM smaller
        UNION SELECT 0, min(unit) FROM smaller
    ) p ON p.exponent = (({_number("k.scores", 8, 6, 7)}) & 32767) / 16
);
"""


GROWTH = """
CREATE TABLE pool_step (  -- when a topic of a pool that listens to judgments could get documents
    pool INTEGER NOT NULL REFERENCES pool (id),
    step INTEGER NOT NULL,  -- 1, 2, ...; several topics may share one
    topic INTEGER NOT NULL REFERENCES topic (id),
    room INTEGER NOT NULL,  -- how many might come: for the topic or, where topics compete, for all of the step
    PRIMARY KEY (pool, step, topic)
) STRICT, WITHOUT ROWID;

CREATE TABLE pool_heard (  -- the judgments that were new to such a pool at a step
    pool INTEGER NOT NULL REFERENCES pool (id),
    step INTEGER NOT NULL,
    topic INTEGER NOT NULL REFERENCES topic (id),
    document INTEGER NOT NULL REFERENCES document (id),
    relevant INTEGER CHECK (relevant IN (0, 1)),  -- NULL: the judgment was taken back
    PRIMARY KEY (pool, step, topic, document)
) STRICT, WITHOUT ROWID;
"""
