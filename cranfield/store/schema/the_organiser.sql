-- Who judges what: plans, claims with a lease, samples drawn beforehand, bundles.

ALTER TABLE assessor ADD COLUMN repeats INTEGER REFERENCES assessor (id);  -- whose consistency this name measures

CREATE TABLE plan (  -- how work was distributed, and what was drawn before anybody judged
    id INTEGER PRIMARY KEY,
    made TEXT NOT NULL,  -- UTC
    pool INTEGER NOT NULL REFERENCES pool (id),
    overlap REAL NOT NULL,  -- the share of the pairs that a second assessor judges too
    repeats INTEGER NOT NULL,  -- the documents a topic that one assessor is shown twice
    seed INTEGER NOT NULL,  -- of both samples
    lease INTEGER NOT NULL  -- seconds without a sign of life after which claimed work is free again
) STRICT;

CREATE TABLE assignment (  -- a topic: all of it for the first assessor, a sample of it for the second
    id INTEGER PRIMARY KEY,
    plan INTEGER NOT NULL REFERENCES plan (id),
    topic INTEGER NOT NULL REFERENCES topic (id),
    role TEXT NOT NULL CHECK (role IN ('first', 'second')),
    assessor INTEGER REFERENCES assessor (id),  -- NULL: in the queue, for whoever claims it
    lease TEXT,  -- UTC, until when a claim holds; NULL: for good
    UNIQUE (topic, role)
) STRICT;

CREATE TABLE holder (  -- everybody who has had an assignment; written by triggers
    assignment INTEGER NOT NULL REFERENCES assignment (id),
    assessor INTEGER NOT NULL REFERENCES assessor (id),
    PRIMARY KEY (assignment, assessor)
) STRICT, WITHOUT ROWID;

CREATE TABLE sampled (  -- documents drawn beforehand: for a second assessor, or to be shown twice to the first
    plan INTEGER NOT NULL REFERENCES plan (id),
    topic INTEGER NOT NULL REFERENCES topic (id),
    document INTEGER NOT NULL REFERENCES document (id),
    purpose TEXT NOT NULL CHECK (purpose IN ('overlap', 'repeat')),
    PRIMARY KEY (topic, document, purpose)
) STRICT, WITHOUT ROWID;

CREATE TABLE bundle (  -- one row where this store was made for one assessor to judge elsewhere
    id INTEGER PRIMARY KEY CHECK (id = 1),
    assessor TEXT NOT NULL,
    made TEXT NOT NULL  -- UTC
) STRICT;

CREATE TRIGGER assignment_given AFTER INSERT ON assignment WHEN new.assessor IS NOT NULL BEGIN
    INSERT OR IGNORE INTO holder VALUES (new.id, new.assessor);
END;
CREATE TRIGGER assignment_taken AFTER UPDATE OF assessor ON assignment WHEN new.assessor IS NOT NULL BEGIN
    INSERT OR IGNORE INTO holder VALUES (new.id, new.assessor);
END;
CREATE TRIGGER lease_renewed AFTER INSERT ON judgment_event BEGIN  -- any sign of life renews it
    UPDATE assignment SET lease = coalesce(max(lease, strftime('%Y-%m-%dT%H:%M:%f+00:00', new.at,
        '+' || (SELECT plan.lease FROM plan WHERE plan.id = assignment.plan) || ' seconds')), lease)
    WHERE topic = new.topic AND assessor = new.assessor AND lease IS NOT NULL;
END;
CREATE TRIGGER bundle_is_one_persons BEFORE INSERT ON assessor
WHEN EXISTS (SELECT 1 FROM bundle) AND NOT EXISTS (SELECT 1 FROM assessor WHERE name = new.name) BEGIN
    SELECT RAISE (ABORT, 'this bundle was made for another assessor');
END;

CREATE VIEW settled AS  -- pairs that an assessor has a label for or cannot judge: finished work
SELECT e.topic, e.document, e.assessor FROM judgment_event e
WHERE e.kind IN ('label', 'cannot-judge', 'adjudicate', 'import')
    AND NOT EXISTS (SELECT 1 FROM judgment_event r WHERE r.kind = 'retract' AND r.supersedes = e.id)
    AND NOT EXISTS (
        SELECT 1 FROM judgment_event l WHERE l.topic = e.topic AND l.document = e.document
            AND l.assessor = e.assessor AND l.id > e.id AND l.kind = 'later'
            AND NOT EXISTS (SELECT 1 FROM judgment_event r WHERE r.kind = 'retract' AND r.supersedes = l.id)
    );

CREATE VIEW assigned AS  -- the documents of every assignment, from the newest pool
SELECT a.id AS assignment, a.topic, a.role, a.assessor, a.lease, p.document
FROM assignment a JOIN pool_document p ON p.topic = a.topic AND p.pool = (SELECT max(id) FROM pool)
WHERE a.role = 'first' OR EXISTS (
    SELECT 1 FROM sampled s WHERE s.topic = a.topic AND s.document = p.document AND s.purpose = 'overlap'
);

CREATE VIEW unfinished AS  -- what of it nobody who had it has settled
SELECT d.* FROM assigned d WHERE NOT EXISTS (
    SELECT 1 FROM holder h JOIN settled s ON s.assessor = h.assessor
    WHERE h.assignment = d.assignment AND s.topic = d.topic AND s.document = d.document
);

DROP VIEW qrels;
CREATE VIEW qrels AS  -- policy "primary": an adjudication, else the topic's first assessor, else who came first
SELECT qid, docno, grade, assessor, source, 'primary' AS policy FROM (
    SELECT t.qid, d.docno, e.grade, a.name AS assessor, e.source, row_number() OVER (
        PARTITION BY e.topic, e.document ORDER BY e.kind = 'adjudicate' DESC, EXISTS (
            SELECT 1 FROM assignment g JOIN holder h ON h.assignment = g.id
            WHERE g.topic = e.topic AND g.role = 'first' AND h.assessor = e.assessor
        ) DESC, e.assessor
    ) AS place
    FROM current_event c JOIN judgment_event e ON e.id = c.id
    JOIN topic t ON t.id = e.topic JOIN document d ON d.id = e.document JOIN assessor a ON a.id = e.assessor
    WHERE e.grade IS NOT NULL AND a.repeats IS NULL  -- what was shown twice counts once
) WHERE place = 1;
