-- Pools, the samples among them, and who is to judge what.

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

CREATE TABLE plan (  -- how work was distributed, and what was drawn before anybody judged
    id INTEGER PRIMARY KEY,
    made TEXT NOT NULL,  -- UTC
    pool INTEGER NOT NULL REFERENCES pool (id),
    overlap REAL NOT NULL,  -- the share of the pairs that a second assessor judges too
    repeats INTEGER NOT NULL,  -- the documents a topic that one assessor is shown twice
    seed INTEGER NOT NULL,  -- of both samples
    lease INTEGER NOT NULL,  -- seconds without a sign of life after which claimed work is free again
    pinned INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1))  -- 1: its topics stay with its pool; 0: the newest
) STRICT;

CREATE TABLE assignment (  -- a topic: all of it for the first assessor, a sample of it for the second
    id INTEGER PRIMARY KEY,
    plan INTEGER NOT NULL REFERENCES plan (id),
    topic INTEGER NOT NULL REFERENCES topic (id),
    role TEXT NOT NULL CHECK (role IN ('first', 'second')),
    assessor INTEGER REFERENCES assessor (id),  -- NULL: in the queue, for whoever claims it
    lease TEXT,  -- UTC, until when a claim holds; NULL: for good
    cannot_judge INTEGER NOT NULL DEFAULT 0 CHECK (cannot_judge IN (0, 1)),  -- 1: a second gets that of the first, too
    UNIQUE (topic, role)
) STRICT;

CREATE TABLE holder (  -- everybody who has had an assignment; written by triggers
    assignment INTEGER NOT NULL REFERENCES assignment (id),
    assessor INTEGER NOT NULL REFERENCES assessor (id),
    PRIMARY KEY (assignment, assessor)
) STRICT, WITHOUT ROWID;

CREATE TABLE bundle (  -- one row where this store was made for one assessor to judge elsewhere
    id INTEGER PRIMARY KEY CHECK (id = 1),
    assessor TEXT NOT NULL,
    made TEXT NOT NULL  -- UTC
) STRICT;

CREATE TABLE frame_document (  -- every document that a stratified pool could have drawn, with its stratum
    pool INTEGER NOT NULL REFERENCES pool (id) ON DELETE CASCADE,
    topic INTEGER NOT NULL REFERENCES topic (id),
    document INTEGER NOT NULL REFERENCES document (id),
    stratum TEXT NOT NULL,
    PRIMARY KEY (pool, topic, document)
) STRICT, WITHOUT ROWID;

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

CREATE TABLE sampled (  -- documents drawn beforehand: for a second assessor, or to be shown twice to the first
    topic INTEGER NOT NULL REFERENCES topic (id),
    document INTEGER NOT NULL REFERENCES document (id),
    purpose TEXT NOT NULL CHECK (purpose IN ('overlap', 'repeat')),
    plan INTEGER NOT NULL REFERENCES plan (id),
    PRIMARY KEY (topic, document, purpose)
) STRICT, WITHOUT ROWID;

CREATE VIEW pooled AS  -- the documents of every pool
SELECT p.pool, t.qid, d.docno, p.depth, p.runs, p.stratum, p.probability
FROM pool_document p JOIN topic t ON t.id = p.topic JOIN document d ON d.id = p.document;

CREATE VIEW left_out_of_pools AS  -- pooled documents that nobody is to judge any more, as what brought them was withdrawn
SELECT pool, topic, document FROM pool_document
WHERE topic IN (SELECT item FROM withdrawn WHERE what = 'topic')
    OR document IN (SELECT item FROM withdrawn WHERE what = 'document')
    OR EXISTS (SELECT 1 FROM withdrawn WHERE what = 'run') AND runs <> '[]' AND NOT EXISTS (
        SELECT 1 FROM json_each(runs) WHERE value NOT IN (SELECT name FROM withdrawn WHERE what = 'run')
    );

CREATE VIEW second_by_other_name AS  -- what a second assessor gets under another name: what was drawn, what was given up
SELECT g.topic, o.document, 1 AS cannot_judge FROM given_up g JOIN other_name o ON o.other = g.document
UNION ALL
SELECT s.topic, o.document, w.cannot_judge FROM sampled s JOIN other_name o ON o.other = s.document
JOIN (SELECT 0 AS cannot_judge UNION ALL SELECT 1) w WHERE s.purpose = 'overlap';

CREATE VIEW assigned AS  -- the documents of every assignment, from the newest pool or the one that its plan stays with
SELECT a.id AS assignment, a.topic, a.role, a.assessor, a.lease, p.document, p.pool
FROM assignment a JOIN plan ON plan.id = a.plan
JOIN pool_document p ON p.topic = a.topic
    AND p.pool = CASE plan.pinned WHEN 1 THEN plan.pool ELSE (SELECT max(id) FROM pool) END
WHERE (a.role = 'first' OR EXISTS (
    SELECT 1 FROM sampled s WHERE s.topic = a.topic AND s.document = p.document AND s.purpose = 'overlap'
) OR a.cannot_judge AND EXISTS (
    SELECT 1 FROM given_up g WHERE g.topic = a.topic AND g.document = p.document
) OR (a.topic, p.document, a.cannot_judge) IN (SELECT topic, document, cannot_judge FROM second_by_other_name))
AND NOT EXISTS (
    SELECT 1 FROM left_out_of_pools o WHERE o.pool = p.pool AND o.topic = p.topic AND o.document = p.document
);

CREATE TRIGGER assignment_given AFTER INSERT ON assignment WHEN new.assessor IS NOT NULL BEGIN
    INSERT OR IGNORE INTO holder VALUES (new.id, new.assessor);
END;
CREATE TRIGGER assignment_taken AFTER UPDATE OF assessor ON assignment WHEN new.assessor IS NOT NULL BEGIN
    INSERT OR IGNORE INTO holder VALUES (new.id, new.assessor);
END;
CREATE TRIGGER pool_released_stays BEFORE DELETE ON pool
WHEN old.id <= (SELECT max(json_extract(last, '$.pool')) FROM release) BEGIN
    SELECT RAISE (ABORT, 'a release has this pool: it stays');
END;
