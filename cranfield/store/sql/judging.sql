-- Who judges, and everything that assessors did; views say what of it counts.

CREATE TABLE assessor (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL CHECK (kind IN ('human', 'model', 'panel', 'import')),
    repeats INTEGER REFERENCES assessor (id),  -- whose consistency this name measures
    uid TEXT NOT NULL DEFAULT ''  -- random: what stands for the name in hashes
) STRICT;

CREATE TABLE judgment_event (  -- append-only: the record of everything assessors did
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id TEXT NOT NULL UNIQUE,
    at TEXT NOT NULL,  -- UTC
    kind TEXT NOT NULL CHECK (kind IN ('label', 'retract', 'later', 'cannot-judge', 'note', 'adjudicate', 'import')),
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
    supersedes INTEGER REFERENCES judgment_event (id),  -- the event that this one takes back
    input TEXT NOT NULL DEFAULT '',  -- key: full screen, plain: line mode
    fast INTEGER NOT NULL DEFAULT 0 CHECK (fast IN (0, 1)),  -- decided hardly after the document was drawn
    highlight_terms TEXT NOT NULL DEFAULT '',  -- the assessor's own, while marked
    docno_shown INTEGER NOT NULL DEFAULT 0 CHECK (docno_shown IN (0, 1)),
    origin TEXT NOT NULL DEFAULT '',
    previous TEXT NOT NULL DEFAULT '',  -- the hash of the event before it there
    hash TEXT NOT NULL DEFAULT '',  -- of `previous` and all that the event says
    rule INTEGER NOT NULL DEFAULT 1 CHECK (rule IN (1, 2))  -- by which it is hashed
) STRICT;

CREATE TABLE criterion (  -- append-only: what an assessor takes to count as relevant, and since when
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,  -- UTC
    topic INTEGER NOT NULL REFERENCES topic (id),
    assessor INTEGER NOT NULL REFERENCES assessor (id),
    text TEXT NOT NULL
) STRICT;

CREATE TABLE origin (  -- append-only: where events came into being; each has a chain of its own
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('store', 'bundle', 'import', 'earlier')),  -- earlier: before there were chains
    name TEXT NOT NULL,  -- of the file, where there is one
    made TEXT NOT NULL  -- UTC
) STRICT;

CREATE TABLE serving_key (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    key BLOB NOT NULL CHECK (length(key) = 32)
) STRICT;

CREATE TABLE invitation (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    assessor INTEGER NOT NULL REFERENCES assessor (id),
    token_sha256 TEXT NOT NULL UNIQUE,
    at TEXT NOT NULL,
    expires TEXT,
    revoked TEXT,
    role TEXT NOT NULL DEFAULT 'judge'
) STRICT;

CREATE TABLE assessor_salt (  -- of the seals of what an assessor wrote; deleted when she is erased
    assessor INTEGER PRIMARY KEY REFERENCES assessor (id),
    salt BLOB NOT NULL
) STRICT;

CREATE INDEX judgment_event_pair ON judgment_event (topic, document, assessor);
CREATE INDEX judgment_event_document ON judgment_event (document);
CREATE INDEX judgment_event_retracted ON judgment_event (supersedes) WHERE kind = 'retract';
CREATE INDEX judgment_event_about ON judgment_event (id) WHERE kind = 'import' AND evidence IS NOT NULL;
CREATE INDEX judgment_event_origin ON judgment_event (origin, id);
CREATE UNIQUE INDEX assessor_uid ON assessor (uid) WHERE uid <> '';

CREATE VIEW current_judgment AS
SELECT l.* FROM current_event c JOIN judgment_log l ON l.id = c.id;

CREATE VIEW criteria AS  -- the diary of criteria, with names for numbers
SELECT c.id, c.at, t.qid, a.name AS assessor, c.text
FROM criterion c JOIN topic t ON t.id = c.topic JOIN assessor a ON a.id = c.assessor;

CREATE VIEW settled AS  -- pairs that an assessor has a label for or cannot judge, by the very docno: finished work
SELECT e.topic, e.document, e.assessor FROM judgment_event e
WHERE e.kind IN ('label', 'cannot-judge', 'adjudicate', 'import')
    AND NOT EXISTS (SELECT 1 FROM judgment_event r WHERE r.kind = 'retract' AND r.supersedes = e.id)
    AND NOT EXISTS (
        SELECT 1 FROM judgment_event l WHERE l.topic = e.topic AND l.document = e.document
            AND l.assessor = e.assessor AND l.id > e.id AND l.kind = 'later'
            AND NOT EXISTS (SELECT 1 FROM judgment_event r WHERE r.kind = 'retract' AND r.supersedes = l.id)
    );

CREATE VIEW settled_by_other_name AS  -- pairs whose document an assessor has settled under another of its names
SELECT s.topic, o.document, s.assessor FROM other_name o CROSS JOIN settled s ON s.document = o.other;

CREATE VIEW unfinished AS  -- what of it nobody who had it has settled, by whatever name
SELECT d.* FROM assigned d WHERE NOT EXISTS (
    SELECT 1 FROM holder h WHERE h.assignment = d.assignment AND (
        EXISTS (SELECT 1 FROM settled s
            WHERE s.topic = d.topic AND s.document = d.document AND s.assessor = h.assessor)
        OR (d.topic, d.document, h.assessor) IN (SELECT topic, document, assessor FROM settled_by_other_name)
    )
);

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

CREATE VIEW current_event AS  -- per topic, document and assessor the last word that was not taken back
SELECT e.id, e.topic, e.document, e.assessor FROM judgment_event e
WHERE e.kind IN ('label', 'later', 'cannot-judge', 'adjudicate', 'import')
    AND NOT EXISTS (SELECT 1 FROM judgment_event r WHERE r.kind = 'retract' AND r.supersedes = e.id)
    AND NOT EXISTS (
        SELECT 1 FROM judgment_event l
        WHERE l.topic = e.topic AND l.document = e.document AND l.assessor = e.assessor AND l.id > e.id
            AND l.kind IN ('label', 'later', 'cannot-judge', 'adjudicate', 'import')
            AND NOT EXISTS (SELECT 1 FROM judgment_event r WHERE r.kind = 'retract' AND r.supersedes = l.id)
    );

-- the events behind the qrels of everybody, policy "primary": an adjudication, be it that the
CREATE VIEW qrels_event AS
-- pair cannot be judged, else a model only where nobody else labelled, else the topic's first assessor, else who came
-- first
SELECT id, topic, document, assessor, grade, source, by_model FROM (
    SELECT e.id, e.topic, e.document, e.assessor, e.grade, e.source, a.kind IN ('model', 'panel') AS by_model, max(
        4e9 * (e.kind IN ('adjudicate', 'cannot-judge')) + 2e9 * (a.kind NOT IN ('model', 'panel')) + 1e9 * EXISTS (
            SELECT 1 FROM assignment g JOIN holder h ON h.assignment = g.id
            WHERE g.topic = e.topic AND g.role = 'first' AND h.assessor = e.assessor
        ) - e.assessor
    ) AS precedence
    FROM judgment_event e JOIN assessor a ON a.id = e.assessor
    WHERE e.kind IN ('label', 'later', 'cannot-judge', 'adjudicate', 'import')
    AND NOT EXISTS (SELECT 1 FROM judgment_event r WHERE r.kind = 'retract' AND r.supersedes = e.id)
    AND NOT EXISTS (
        SELECT 1 FROM judgment_event l
        WHERE l.topic = e.topic AND l.document = e.document AND l.assessor = e.assessor AND l.id > e.id
            AND l.kind IN ('label', 'later', 'cannot-judge', 'adjudicate', 'import')
            AND NOT EXISTS (SELECT 1 FROM judgment_event r WHERE r.kind = 'retract' AND r.supersedes = l.id)
    )
        AND (e.grade IS NOT NULL OR e.kind = 'cannot-judge' AND e.source = 'adjudication')
        AND a.repeats IS NULL  -- what was shown twice counts once
        AND e.topic NOT IN (SELECT item FROM withdrawn WHERE what = 'topic')
        AND e.document NOT IN (SELECT item FROM withdrawn WHERE what = 'document')
        AND true
    GROUP BY e.topic, e.document
) WHERE grade IS NOT NULL;

-- the events behind the qrels of people, policy "primary": an adjudication, be it that the
CREATE VIEW qrels_event_people AS
-- pair cannot be judged, else a model only where nobody else labelled, else the topic's first assessor, else who came
-- first
SELECT id, topic, document, assessor, grade, source, by_model FROM (
    SELECT e.id, e.topic, e.document, e.assessor, e.grade, e.source, a.kind IN ('model', 'panel') AS by_model, max(
        4e9 * (e.kind IN ('adjudicate', 'cannot-judge')) + 2e9 * (a.kind NOT IN ('model', 'panel')) + 1e9 * EXISTS (
            SELECT 1 FROM assignment g JOIN holder h ON h.assignment = g.id
            WHERE g.topic = e.topic AND g.role = 'first' AND h.assessor = e.assessor
        ) - e.assessor
    ) AS precedence
    FROM judgment_event e JOIN assessor a ON a.id = e.assessor
    WHERE e.kind IN ('label', 'later', 'cannot-judge', 'adjudicate', 'import')
    AND NOT EXISTS (SELECT 1 FROM judgment_event r WHERE r.kind = 'retract' AND r.supersedes = e.id)
    AND NOT EXISTS (
        SELECT 1 FROM judgment_event l
        WHERE l.topic = e.topic AND l.document = e.document AND l.assessor = e.assessor AND l.id > e.id
            AND l.kind IN ('label', 'later', 'cannot-judge', 'adjudicate', 'import')
            AND NOT EXISTS (SELECT 1 FROM judgment_event r WHERE r.kind = 'retract' AND r.supersedes = l.id)
    )
        AND (e.grade IS NOT NULL OR e.kind = 'cannot-judge' AND e.source = 'adjudication')
        AND a.repeats IS NULL  -- what was shown twice counts once
        AND e.topic NOT IN (SELECT item FROM withdrawn WHERE what = 'topic')
        AND e.document NOT IN (SELECT item FROM withdrawn WHERE what = 'document')
        AND a.kind NOT IN ('model', 'panel')
    GROUP BY e.topic, e.document
) WHERE grade IS NOT NULL;

-- the events behind the qrels of models, policy "primary": an adjudication, be it that the
CREATE VIEW qrels_event_models AS
-- pair cannot be judged, else a model only where nobody else labelled, else the topic's first assessor, else who came
-- first
SELECT id, topic, document, assessor, grade, source, by_model FROM (
    SELECT e.id, e.topic, e.document, e.assessor, e.grade, e.source, a.kind IN ('model', 'panel') AS by_model, max(
        4e9 * (e.kind IN ('adjudicate', 'cannot-judge')) + 2e9 * (a.kind NOT IN ('model', 'panel')) + 1e9 * EXISTS (
            SELECT 1 FROM assignment g JOIN holder h ON h.assignment = g.id
            WHERE g.topic = e.topic AND g.role = 'first' AND h.assessor = e.assessor
        ) - e.assessor
    ) AS precedence
    FROM judgment_event e JOIN assessor a ON a.id = e.assessor
    WHERE e.kind IN ('label', 'later', 'cannot-judge', 'adjudicate', 'import')
    AND NOT EXISTS (SELECT 1 FROM judgment_event r WHERE r.kind = 'retract' AND r.supersedes = e.id)
    AND NOT EXISTS (
        SELECT 1 FROM judgment_event l
        WHERE l.topic = e.topic AND l.document = e.document AND l.assessor = e.assessor AND l.id > e.id
            AND l.kind IN ('label', 'later', 'cannot-judge', 'adjudicate', 'import')
            AND NOT EXISTS (SELECT 1 FROM judgment_event r WHERE r.kind = 'retract' AND r.supersedes = l.id)
    )
        AND (e.grade IS NOT NULL OR e.kind = 'cannot-judge' AND e.source = 'adjudication')
        AND a.repeats IS NULL  -- what was shown twice counts once
        AND e.topic NOT IN (SELECT item FROM withdrawn WHERE what = 'topic')
        AND e.document NOT IN (SELECT item FROM withdrawn WHERE what = 'document')
        AND a.kind IN ('model', 'panel')
    GROUP BY e.topic, e.document
) WHERE grade IS NOT NULL;

CREATE VIEW qrels AS
SELECT t.qid, d.docno, q.grade, a.name AS assessor, q.source, 'primary' AS policy, q.by_model FROM qrels_event q
JOIN topic t ON t.id = q.topic JOIN document d ON d.id = q.document JOIN assessor a ON a.id = q.assessor;

CREATE VIEW standing_event AS  -- what assessors did and nobody took back
SELECT e.* FROM judgment_event e WHERE e.kind <> 'retract'
    AND NOT EXISTS (SELECT 1 FROM judgment_event r WHERE r.kind = 'retract' AND r.supersedes = e.id);

CREATE VIEW judgment_log AS  -- every event, with names for numbers
SELECT e.id, e.at, e.kind, t.qid, d.docno, a.name AS assessor, a.kind AS assessor_kind, e.grade, e.unsure,
    e.reason, e.note, e.evidence, e.source, e.seconds, e.position, e.order_policy, e.order_seed,
    e.document_sha256, e.pool, e.supersedes, e.event_id, e.input, e.fast, e.highlight_terms, e.docno_shown,
    e.origin, e.previous, e.hash, e.rule
FROM judgment_event e
JOIN topic t ON t.id = e.topic JOIN document d ON d.id = e.document JOIN assessor a ON a.id = e.assessor;

CREATE TRIGGER lease_renewed AFTER INSERT ON judgment_event BEGIN  -- any sign of life renews it
    UPDATE assignment SET lease = coalesce(max(lease, strftime('%Y-%m-%dT%H:%M:%f+00:00', new.at,
        '+' || (SELECT plan.lease FROM plan WHERE plan.id = assignment.plan) || ' seconds')), lease)
    WHERE topic = new.topic AND assessor = new.assessor AND lease IS NOT NULL;
END;
CREATE TRIGGER bundle_is_one_persons BEFORE INSERT ON assessor
WHEN EXISTS (SELECT 1 FROM bundle) AND NOT EXISTS (SELECT 1 FROM assessor WHERE name = new.name) BEGIN
    SELECT RAISE (ABORT, 'this bundle was made for another assessor');
END;
CREATE TRIGGER judgment_event_on_scale BEFORE INSERT ON judgment_event
WHEN new.grade IS NOT NULL AND new.grade NOT IN (SELECT CAST(key AS INTEGER) FROM collection, json_each(grades)) BEGIN
    SELECT RAISE (ABORT, 'the grade is not on the scale of this collection');
END;
CREATE TRIGGER assessor_new BEFORE INSERT ON assessor
WHEN EXISTS (SELECT 1 FROM assessor WHERE id = new.id OR name = new.name) BEGIN
    SELECT RAISE (ABORT, 'this assessor is known already');
END;
CREATE TRIGGER assessor_stays BEFORE DELETE ON assessor
WHEN EXISTS (SELECT 1 FROM judgment_event WHERE assessor = old.id) BEGIN
    SELECT RAISE (ABORT, 'judgments exist: whose they are does not change');
END;
CREATE TRIGGER assessor_keeps_uid BEFORE UPDATE OF uid ON assessor WHEN old.uid <> '' BEGIN
    SELECT RAISE (ABORT, 'the id of an assessor is never changed: hashes have it');
END;
CREATE TRIGGER assessor_salt_unchanged BEFORE UPDATE ON assessor_salt BEGIN
    SELECT RAISE (ABORT, 'salts are never changed: seals are made with them');
END;
CREATE TRIGGER assessor_keeps_kind BEFORE UPDATE OF id, name, kind ON assessor
WHEN EXISTS (SELECT 1 FROM judgment_event WHERE assessor = old.id)
    AND (new.id <> old.id OR new.kind <> old.kind OR new.name NOT LIKE 'erased %'
    OR NOT EXISTS (SELECT 1 FROM redaction WHERE log = 'assessor' AND item = CAST(old.id AS TEXT))) BEGIN
    SELECT RAISE (ABORT, 'judgments exist: whose they are does not change');
END;
