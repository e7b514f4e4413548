-- Pairs of documents, and which of them is better.

CREATE TABLE preference_pair (  -- pairs of documents that an assessor compares, in both orders
    assessor INTEGER NOT NULL REFERENCES assessor (id),
    topic INTEGER NOT NULL REFERENCES topic (id),
    first INTEGER NOT NULL REFERENCES document (id),
    second INTEGER NOT NULL REFERENCES document (id),
    source TEXT NOT NULL,  -- adjacent, disputed or file
    made TEXT NOT NULL,  -- UTC
    PRIMARY KEY (assessor, topic, first, second),
    CHECK (first <> second)
) STRICT, WITHOUT ROWID;

CREATE TABLE preference_event (  -- append-only: everything assessors say of pairs of documents
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id TEXT NOT NULL UNIQUE,
    at TEXT NOT NULL,  -- UTC
    kind TEXT NOT NULL CHECK (kind IN ('prefer', 'retract', 'later', 'cannot-judge', 'note', 'import')),
    topic INTEGER NOT NULL REFERENCES topic (id),
    first INTEGER NOT NULL REFERENCES document (id),  -- the document shown first
    second INTEGER NOT NULL REFERENCES document (id),
    assessor INTEGER NOT NULL REFERENCES assessor (id),
    choice TEXT CHECK (choice IN ('first', 'second', 'equal')),  -- which is better
    reason TEXT NOT NULL DEFAULT '',  -- why they cannot be compared
    note TEXT NOT NULL DEFAULT '',
    evidence TEXT,  -- JSON; of a model, its call
    seconds REAL,  -- of active time
    position INTEGER,  -- the place of this showing among all of the assessor, from 1
    order_seed INTEGER,
    document_sha256 TEXT,  -- of both texts as shown
    input TEXT NOT NULL DEFAULT '',  -- key: full screen, plain: line mode, browser: served
    fast INTEGER NOT NULL DEFAULT 0 CHECK (fast IN (0, 1)),  -- 1: decided hardly after the pair was shown
    supersedes INTEGER REFERENCES preference_event (id),  -- the event that this one takes back
    CHECK ((choice IS NOT NULL) = (kind IN ('prefer', 'import'))),
    CHECK (first <> second)
) STRICT;

CREATE INDEX preference_event_pair ON preference_event (assessor, topic, first, second);
CREATE INDEX preference_event_retracted ON preference_event (supersedes) WHERE kind = 'retract';

CREATE VIEW preference_log AS  -- every event, with names for numbers
SELECT e.id, e.at, e.kind, t.qid, f.docno AS first, s.docno AS second, a.name AS assessor, a.kind AS assessor_kind,
    e.choice, e.reason, e.note, e.evidence, e.seconds, e.position, e.order_seed, e.document_sha256, e.input, e.fast,
    e.supersedes, e.event_id
FROM preference_event e JOIN topic t ON t.id = e.topic JOIN document f ON f.id = e.first
JOIN document s ON s.id = e.second JOIN assessor a ON a.id = e.assessor;

CREATE VIEW current_preference AS  -- the last word of each assessor on each pair in each order, if not taken back
SELECT l.* FROM preference_log l WHERE l.id IN (
    SELECT max(e.id) FROM preference_event e
    WHERE e.kind IN ('prefer', 'later', 'cannot-judge', 'import')
        AND NOT EXISTS (SELECT 1 FROM preference_event r WHERE r.kind = 'retract' AND r.supersedes = e.id)
    GROUP BY e.assessor, e.topic, e.first, e.second
);

