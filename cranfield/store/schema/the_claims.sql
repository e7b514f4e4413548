-- Claims of reference answers and of answers can be kept, and labelled by whether documents say them.

PRAGMA defer_foreign_keys = ON;
CREATE TEMP TABLE kept AS SELECT * FROM main.import;
DROP TABLE import;
CREATE TABLE import (  -- append-only: what came from files, and when
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,  -- UTC
    kind TEXT NOT NULL CHECK (
        kind IN ('corpus', 'topics', 'runs', 'qrels', 'votes', 'answers', 'nuggets', 'support', 'log', 'preferences', 'claims')
    ),
    files TEXT NOT NULL,  -- JSON, their names
    first_event INTEGER NOT NULL,  -- its events of judgment_event have ids from this one ...
    last_event INTEGER  -- ... to this one; none where it is the lower
) STRICT;
INSERT INTO import SELECT * FROM temp.kept;
DROP TABLE temp.kept;

CREATE TRIGGER import_unchanged BEFORE UPDATE ON import WHEN old.last_event IS NOT NULL BEGIN
    SELECT RAISE (ABORT, 'imports are never changed: `cranfield store remove` takes one back');
END;
CREATE TRIGGER import_stays BEFORE DELETE ON import BEGIN
    SELECT RAISE (ABORT, 'imports are never deleted: `cranfield store remove` takes one back');
END;

CREATE TABLE claim (  -- append-only: what a reference answer says, sentence by sentence, or an answer, by statements
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,  -- UTC
    topic INTEGER NOT NULL REFERENCES topic (id),
    answer INTEGER REFERENCES answer (id),  -- NULL: it is of the topic's reference answer
    position INTEGER NOT NULL CHECK (position >= 1),
    text TEXT NOT NULL CHECK (text <> ''),
    author INTEGER NOT NULL REFERENCES assessor (id),
    version INTEGER NOT NULL,  -- of what this author says an answer claims; the last one counts
    evidence TEXT,  -- JSON, of a model: its call
    import INTEGER REFERENCES import (id)
) STRICT;

CREATE INDEX claim_about ON claim (topic, answer);

CREATE VIEW counted_claim AS  -- those whose import was not removed, with what decides which authors count
SELECT c.*, t.qid, a.name, a.kind = 'model' AS by_model FROM claim c JOIN topic t ON t.id = c.topic
JOIN assessor a ON a.id = c.author WHERE c.import IS NULL OR NOT EXISTS (
    SELECT 1 FROM removal r WHERE r.kind = 'import' AND r.name = CAST(c.import AS TEXT));

CREATE VIEW current_claim AS  -- the claims that count: people's before models', of the first author, the last version
SELECT c.* FROM counted_claim c WHERE NOT EXISTS (
    SELECT 1 FROM counted_claim o WHERE o.topic = c.topic AND o.answer IS c.answer
        AND (o.by_model, o.author, -o.version) < (c.by_model, c.author, -c.version));

CREATE TABLE claim_event (  -- append-only: whether the documents of an answer, taken together, say a claim
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id TEXT NOT NULL UNIQUE,
    at TEXT NOT NULL,  -- UTC
    kind TEXT NOT NULL CHECK (kind IN ('label', 'retract', 'later', 'cannot-judge', 'note')),
    answer INTEGER NOT NULL REFERENCES answer (id),
    claim INTEGER NOT NULL REFERENCES claim (id),
    assessor INTEGER NOT NULL REFERENCES assessor (id),
    label TEXT CHECK ((label IS NOT NULL) = (kind = 'label'))  -- of a retract, later or cannot-judge: none
        CHECK (label IN ('support', 'partial_support', 'not_support')),
    reason TEXT NOT NULL DEFAULT '',  -- why it cannot be judged, or why a model failed
    note TEXT NOT NULL DEFAULT '',
    evidence TEXT,  -- JSON, of a model: its call
    seconds REAL,  -- of active time
    position INTEGER,  -- in the order shown
    order_seed INTEGER,
    fast INTEGER NOT NULL DEFAULT 0 CHECK (fast IN (0, 1)),  -- decided hardly after it was drawn
    input TEXT NOT NULL DEFAULT '',  -- key: full screen, plain: line mode, browser: served
    supersedes INTEGER REFERENCES claim_event (id)
) STRICT;

CREATE INDEX claim_event_item ON claim_event (answer, claim, assessor);
CREATE INDEX claim_event_retracted ON claim_event (supersedes) WHERE kind = 'retract';

CREATE VIEW current_claim_event AS  -- the last word of each assessor that was not taken back: whether the documents of an answer, taken together, say a claim
SELECT e.*, a.name, a.kind AS assessor_kind FROM claim_event e JOIN assessor a ON a.id = e.assessor WHERE e.id IN (
    SELECT max(w.id) FROM claim_event w WHERE w.kind IN ('label', 'later', 'cannot-judge')
        AND NOT EXISTS (SELECT 1 FROM claim_event r WHERE r.kind = 'retract' AND r.supersedes = w.id)
    GROUP BY answer, claim, assessor);

CREATE TRIGGER claim_unchanged BEFORE UPDATE ON claim BEGIN
    SELECT RAISE (ABORT, 'claim is append-only: nothing in it is changed');
END;
CREATE TRIGGER claim_stays BEFORE DELETE ON claim BEGIN
    SELECT RAISE (ABORT, 'claim is append-only: nothing in it is deleted');
END;
CREATE TRIGGER claim_new BEFORE INSERT ON claim WHEN EXISTS (SELECT 1 FROM claim WHERE id = new.id) BEGIN
    SELECT RAISE (ABORT, 'claim is append-only: nothing in it is replaced');
END;

CREATE TRIGGER claim_event_unchanged BEFORE UPDATE ON claim_event BEGIN
    SELECT RAISE (ABORT, 'claim_event is append-only: nothing in it is changed');
END;
CREATE TRIGGER claim_event_stays BEFORE DELETE ON claim_event BEGIN
    SELECT RAISE (ABORT, 'claim_event is append-only: nothing in it is deleted');
END;
CREATE TRIGGER claim_event_new BEFORE INSERT ON claim_event WHEN EXISTS (SELECT 1 FROM claim_event WHERE id = new.id) BEGIN
    SELECT RAISE (ABORT, 'claim_event is append-only: nothing in it is replaced');
END;

ALTER TABLE invitation RENAME TO invitation_before;
CREATE TABLE invitation (  -- a link for an assessor; its token is known to the assessor alone
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    assessor INTEGER NOT NULL REFERENCES assessor (id),
    token_sha256 TEXT NOT NULL UNIQUE,
    at TEXT NOT NULL,  -- UTC
    expires TEXT,  -- UTC; NULL: never
    revoked TEXT,  -- UTC; NULL: not revoked
    role TEXT NOT NULL DEFAULT 'judge'  -- what the link is for
        CHECK (role IN ('judge', 'adjudicate', 'prefer', 'nuggets', 'assign', 'support', 'support-each', 'claims'))
) STRICT;
INSERT INTO invitation SELECT id, assessor, token_sha256, at, expires, revoked, role FROM invitation_before;
DROP TABLE invitation_before;
