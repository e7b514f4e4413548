"""Tables, triggers and views of organised work: who judges what, until when, whose label counts, who is invited."""

ORGANISER = """
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
"""

SECOND_LOOK = """
ALTER TABLE assignment ADD COLUMN cannot_judge INTEGER NOT NULL DEFAULT 0  -- 1: a second gets that of the first, too
    CHECK (cannot_judge IN (0, 1));

CREATE VIEW given_up AS  -- what a topic's first assessor cannot judge, as her last word
SELECT e.topic, e.document, e.assessor FROM judgment_event e
JOIN holder h ON h.assessor = e.assessor
JOIN assignment a ON a.id = h.assignment AND a.topic = e.topic AND a.role = 'first'
WHERE e.kind = 'cannot-judge'
    AND NOT EXISTS (SELECT 1 FROM judgment_event r WHERE r.kind = 'retract' AND r.supersedes = e.id)
    AND NOT EXISTS (
        SELECT 1 FROM judgment_event l WHERE l.topic = e.topic AND l.document = e.document
            AND l.assessor = e.assessor AND l.id > e.id AND l.kind NOT IN ('retract', 'note')
            AND NOT EXISTS (SELECT 1 FROM judgment_event r WHERE r.kind = 'retract' AND r.supersedes = l.id)
    );

DROP VIEW assigned;
CREATE VIEW assigned AS  -- the documents of every assignment, from the newest pool
SELECT a.id AS assignment, a.topic, a.role, a.assessor, a.lease, p.document
FROM assignment a JOIN pool_document p ON p.topic = a.topic AND p.pool = (SELECT max(id) FROM pool)
WHERE a.role = 'first' OR EXISTS (
    SELECT 1 FROM sampled s WHERE s.topic = a.topic AND s.document = p.document AND s.purpose = 'overlap'
) OR a.cannot_judge AND EXISTS (
    SELECT 1 FROM given_up g WHERE g.topic = a.topic AND g.document = p.document
);
"""

_LAST_WORD = """e.kind IN ('label', 'later', 'cannot-judge', 'adjudicate', 'import')
    AND NOT EXISTS (SELECT 1 FROM judgment_event r WHERE r.kind = 'retract' AND r.supersedes = e.id)
    AND NOT EXISTS (
        SELECT 1 FROM judgment_event l
        WHERE l.topic = e.topic AND l.document = e.document AND l.assessor = e.assessor AND l.id > e.id
            AND l.kind IN ('label', 'later', 'cannot-judge', 'adjudicate', 'import')
            AND NOT EXISTS (SELECT 1 FROM judgment_event r WHERE r.kind = 'retract' AND r.supersedes = l.id)
    )"""

PEOPLE_FIRST = f"""
DROP VIEW qrels;
DROP VIEW current_event;
CREATE VIEW current_event AS  -- per topic, document and assessor the last word that was not taken back
SELECT e.id, e.topic, e.document, e.assessor FROM judgment_event e
WHERE {_LAST_WORD};

CREATE VIEW qrels_event AS  -- the events behind the qrels, policy "primary": an adjudication, else a model only where
-- nobody else labelled, else the topic's first assessor, else who came first: the row of the highest precedence
SELECT e.id, e.topic, e.document, e.assessor, e.grade, e.source, max(
    4e9 * (e.kind = 'adjudicate') + 2e9 * (a.kind <> 'model') + 1e9 * EXISTS (
        SELECT 1 FROM assignment g JOIN holder h ON h.assignment = g.id
        WHERE g.topic = e.topic AND g.role = 'first' AND h.assessor = e.assessor
    ) - e.assessor
) AS precedence
FROM judgment_event e JOIN assessor a ON a.id = e.assessor
WHERE {_LAST_WORD}
    AND e.grade IS NOT NULL AND a.repeats IS NULL  -- what was shown twice counts once
GROUP BY e.topic, e.document;

CREATE VIEW qrels AS
SELECT t.qid, d.docno, q.grade, a.name AS assessor, q.source, 'primary' AS policy FROM qrels_event q
JOIN topic t ON t.id = q.topic JOIN document d ON d.id = q.document JOIN assessor a ON a.id = q.assessor;
"""


def _events_of(view: str, whose: str, kinds: str) -> str:
    """A view of the events behind the qrels: of each pair the one of the highest precedence, unless it has no grade."""
    return f"""
CREATE VIEW {view} AS  -- the events behind the qrels of {whose}, policy "primary": an adjudication, be it that the
-- pair cannot be judged, else a model only where nobody else labelled, else the topic's first assessor, else who came
-- first
SELECT id, topic, document, assessor, grade, source, by_model FROM (
    SELECT e.id, e.topic, e.document, e.assessor, e.grade, e.source, a.kind = 'model' AS by_model, max(
        4e9 * (e.kind IN ('adjudicate', 'cannot-judge')) + 2e9 * (a.kind <> 'model') + 1e9 * EXISTS (
            SELECT 1 FROM assignment g JOIN holder h ON h.assignment = g.id
            WHERE g.topic = e.topic AND g.role = 'first' AND h.assessor = e.assessor
        ) - e.assessor
    ) AS precedence
    FROM judgment_event e JOIN assessor a ON a.id = e.assessor
    WHERE {_LAST_WORD}
        AND (e.grade IS NOT NULL OR e.kind = 'cannot-judge' AND e.source = 'adjudication')
        AND a.repeats IS NULL  -- what was shown twice counts once
        AND {kinds}
    GROUP BY e.topic, e.document
) WHERE grade IS NOT NULL;
"""


APART = f"""
DROP VIEW qrels;
DROP VIEW qrels_event;
{_events_of("qrels_event", "everybody", "true")}
{_events_of("qrels_event_people", "people", "a.kind <> 'model'")}
{_events_of("qrels_event_models", "models", "a.kind = 'model'")}
CREATE VIEW qrels AS
SELECT t.qid, d.docno, q.grade, a.name AS assessor, q.source, 'primary' AS policy, q.by_model FROM qrels_event q
JOIN topic t ON t.id = q.topic JOIN document d ON d.id = q.document JOIN assessor a ON a.id = q.assessor;
"""


PINNED = """
ALTER TABLE plan ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0  -- 1: its topics stay with its pool; 0: the newest
    CHECK (pinned IN (0, 1));

DROP VIEW assigned;
CREATE VIEW assigned AS  -- the documents of every assignment, from the newest pool or the one that its plan stays with
SELECT a.id AS assignment, a.topic, a.role, a.assessor, a.lease, p.document, p.pool
FROM assignment a JOIN plan ON plan.id = a.plan
JOIN pool_document p ON p.topic = a.topic
    AND p.pool = CASE plan.pinned WHEN 1 THEN plan.pool ELSE (SELECT max(id) FROM pool) END
WHERE a.role = 'first' OR EXISTS (
    SELECT 1 FROM sampled s WHERE s.topic = a.topic AND s.document = p.document AND s.purpose = 'overlap'
) OR a.cannot_judge AND EXISTS (
    SELECT 1 FROM given_up g WHERE g.topic = a.topic AND g.document = p.document
);
"""

KEY_FIRST = """
CREATE TEMP TABLE kept AS SELECT topic, document, purpose, plan FROM sampled;
DROP TABLE sampled;
CREATE TABLE sampled (  -- documents drawn beforehand: for a second assessor, or to be shown twice to the first
    topic INTEGER NOT NULL REFERENCES topic (id),
    document INTEGER NOT NULL REFERENCES document (id),
    purpose TEXT NOT NULL CHECK (purpose IN ('overlap', 'repeat')),
    plan INTEGER NOT NULL REFERENCES plan (id),
    PRIMARY KEY (topic, document, purpose)
) STRICT, WITHOUT ROWID;
INSERT INTO sampled SELECT topic, document, purpose, plan FROM temp.kept;
DROP TABLE temp.kept;
"""


SERVING = """
CREATE TABLE invitation (  -- a link for an assessor; its token is known to the assessor alone
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    assessor INTEGER NOT NULL REFERENCES assessor (id),
    token_sha256 TEXT NOT NULL UNIQUE,
    at TEXT NOT NULL,  -- UTC
    expires TEXT,  -- UTC; NULL: never
    revoked TEXT  -- UTC; NULL: not revoked
) STRICT;

CREATE TABLE serving_key (  -- what the opaque names of documents are made with; they outlive a restart
    id INTEGER PRIMARY KEY CHECK (id = 1),
    key BLOB NOT NULL CHECK (length(key) = 32)
) STRICT;
"""

ROLES = """
ALTER TABLE invitation ADD COLUMN role TEXT NOT NULL DEFAULT 'judge'  -- what the link is for
    CHECK (role IN ('judge', 'adjudicate'));
"""

MORE_ROLES = """
ALTER TABLE invitation RENAME TO invitation_before;
CREATE TABLE invitation (  -- a link for an assessor; its token is known to the assessor alone
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    assessor INTEGER NOT NULL REFERENCES assessor (id),
    token_sha256 TEXT NOT NULL UNIQUE,
    at TEXT NOT NULL,  -- UTC
    expires TEXT,  -- UTC; NULL: never
    revoked TEXT,  -- UTC; NULL: not revoked
    role TEXT NOT NULL DEFAULT 'judge'  -- what the link is for
        CHECK (role IN ('judge', 'adjudicate', 'prefer', 'nuggets', 'assign', 'support', 'support-each'))
) STRICT;
INSERT INTO invitation SELECT id, assessor, token_sha256, at, expires, revoked, role FROM invitation_before;
DROP TABLE invitation_before;
"""
