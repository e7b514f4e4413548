-- What assessors search for and find, topics in development, and variations of queries.

CREATE TABLE searcher (  -- the assessors who may search, and judge what they find
    assessor INTEGER PRIMARY KEY REFERENCES assessor (id),
    at TEXT NOT NULL  -- UTC, since when
) STRICT;

CREATE TABLE search_event (  -- append-only: the searches of assessors, with what they were shown
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id TEXT NOT NULL UNIQUE,
    at TEXT NOT NULL,  -- UTC
    topic INTEGER NOT NULL REFERENCES topic (id),
    assessor INTEGER NOT NULL REFERENCES assessor (id),
    query TEXT NOT NULL,
    engine TEXT NOT NULL CHECK (engine IN ('text', 'learnt', 'like')),
    version TEXT NOT NULL,  -- of the program
    shown TEXT NOT NULL,  -- JSON, the docnos in the order of the list
    seconds REAL NOT NULL  -- that the search took
) STRICT;

CREATE TABLE candidate_event (  -- append-only: topics in development: their texts, labels, and what became of them
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id TEXT NOT NULL UNIQUE,
    at TEXT NOT NULL,  -- UTC
    kind TEXT NOT NULL CHECK (kind IN ('try', 'label', 'keep', 'drop', 'later')),
    qid TEXT NOT NULL,
    assessor INTEGER NOT NULL REFERENCES assessor (id),  -- the author of a topic, who judges it
    texts TEXT NOT NULL DEFAULT '',  -- of a topic that is tried, JSON: title, description, narrative
    document INTEGER REFERENCES document (id),
    grade INTEGER CHECK ((grade IS NOT NULL) = (kind = 'label')),
    reason TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE TABLE variation (  -- the queries in which people put the need of a topic
    topic INTEGER NOT NULL REFERENCES topic (id),
    vid TEXT NOT NULL,  -- runs answer it as qid/vid
    query TEXT NOT NULL,
    count INTEGER NOT NULL CHECK (count > 0),  -- how many people put it so
    PRIMARY KEY (topic, vid)
) STRICT, WITHOUT ROWID;

CREATE VIEW searches AS  -- with names for numbers
SELECT s.id, s.at, t.qid, a.name AS assessor, s.engine, s.query, json_array_length(s.shown) AS documents, s.seconds
FROM search_event s JOIN topic t ON t.id = s.topic JOIN assessor a ON a.id = s.assessor;

CREATE VIEW candidate AS  -- the topics in development, each with its latest texts and state
SELECT e.qid, a.name AS author, e.at, e.texts,
    (SELECT count(*) FROM candidate_event l WHERE l.qid = e.qid AND l.kind = 'label') AS labels,
    coalesce((SELECT kind FROM candidate_event s WHERE s.qid = e.qid AND s.kind IN ('keep', 'drop', 'later')
        ORDER BY s.id DESC LIMIT 1), 'trying') AS state,
    coalesce((SELECT reason FROM candidate_event s WHERE s.qid = e.qid AND s.kind IN ('keep', 'drop', 'later')
        ORDER BY s.id DESC LIMIT 1), '') AS reason
FROM candidate_event e JOIN assessor a ON a.id = e.assessor WHERE e.kind = 'try'
    AND NOT EXISTS (SELECT 1 FROM candidate_event n WHERE n.qid = e.qid AND n.kind = 'try' AND n.id > e.id);
