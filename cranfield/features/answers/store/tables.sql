-- Answers that systems generated: nuggets, support of citations, claims.

CREATE TABLE answer_run (  -- the runs of systems that generate answers; a run of the same tag is the same system's
    id INTEGER PRIMARY KEY,
    tag TEXT NOT NULL UNIQUE,
    team TEXT NOT NULL,
    kind TEXT NOT NULL,  -- automatic, manual, ...
    description TEXT NOT NULL,
    file TEXT NOT NULL,
    imported TEXT NOT NULL  -- UTC
) STRICT;

CREATE TABLE answer (  -- what a run answers to a topic
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    run INTEGER NOT NULL REFERENCES answer_run (id),
    topic INTEGER NOT NULL REFERENCES topic (id),
    documents TEXT NOT NULL,  -- JSON, the docnos of its list of references, in order
    metadata TEXT,  -- JSON, what else its file says
    sha256 TEXT NOT NULL,  -- of its sentences and what they cite
    import INTEGER REFERENCES import (id),
    UNIQUE (run, topic)
) STRICT;

CREATE TABLE sentence (  -- the sentences of the answers
    answer INTEGER NOT NULL REFERENCES answer (id) ON DELETE CASCADE,
    position INTEGER NOT NULL CHECK (position >= 1),
    text TEXT NOT NULL,
    citations TEXT NOT NULL,  -- JSON, the docnos it cites, in order, each with the stated confidence or null
    PRIMARY KEY (answer, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE nugget (  -- append-only: what a good answer to a topic says; another wording is another nugget
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,  -- UTC
    topic INTEGER NOT NULL REFERENCES topic (id),
    text TEXT NOT NULL CHECK (text <> ''),
    author INTEGER NOT NULL REFERENCES assessor (id),
    contributors TEXT NOT NULL DEFAULT '[]',  -- JSON, the tags of the runs whose answers it comes from, where known
    place INTEGER  -- in the list of its topic: that of the nugget it replaces; NULL: its own number
) STRICT;

CREATE TABLE nugget_edit (  -- append-only: which nuggets a topic has, and how important they are
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id TEXT NOT NULL UNIQUE,
    at TEXT NOT NULL,  -- UTC
    kind TEXT NOT NULL CHECK (kind IN ('vital', 'okay', 'drop', 'retract')),  -- vital, okay: the topic has it, as such
    nugget INTEGER NOT NULL REFERENCES nugget (id),
    assessor INTEGER NOT NULL REFERENCES assessor (id),
    replaces TEXT NOT NULL DEFAULT '[]',  -- JSON, the nuggets that this one was reworded or merged from
    seconds REAL,  -- of active time
    input TEXT NOT NULL DEFAULT '',  -- key: full screen, plain: line mode, browser: served
    supersedes INTEGER REFERENCES nugget_edit (id)  -- a retract: the edit that it takes back
) STRICT;

CREATE TABLE nugget_event (  -- append-only: whether an answer says what a nugget says
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id TEXT NOT NULL UNIQUE,
    at TEXT NOT NULL,  -- UTC
    kind TEXT NOT NULL CHECK (kind IN ('label', 'retract', 'later', 'cannot-judge', 'note')),
    answer INTEGER NOT NULL REFERENCES answer (id),
    nugget INTEGER NOT NULL REFERENCES nugget (id),
    assessor INTEGER NOT NULL REFERENCES assessor (id),
    label TEXT  -- of a retract, later or cannot-judge: none
        CHECK ((label IS NOT NULL) = (kind = 'label')) CHECK (label IN ('support', 'partial_support', 'not_support')),
    reason TEXT NOT NULL DEFAULT '',  -- why it cannot be judged, or why a model failed
    note TEXT NOT NULL DEFAULT '',
    evidence TEXT,  -- JSON, of a model: its call
    seconds REAL,  -- of active time
    position INTEGER,  -- in the order shown
    order_seed INTEGER,
    fast INTEGER NOT NULL DEFAULT 0 CHECK (fast IN (0, 1)),  -- decided hardly after it was drawn
    input TEXT NOT NULL DEFAULT '',  -- key: full screen, plain: line mode, browser: served
    supersedes INTEGER REFERENCES nugget_event (id)
) STRICT;

CREATE TABLE support_event (  -- append-only: whether documents, taken together, support a sentence of an answer
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id TEXT NOT NULL UNIQUE,
    at TEXT NOT NULL,  -- UTC
    kind TEXT NOT NULL CHECK (kind IN ('label', 'retract', 'later', 'cannot-judge', 'note')),
    answer INTEGER NOT NULL,
    sentence INTEGER NOT NULL,  -- its position
    citations TEXT NOT NULL,  -- JSON, the docnos of the set, in the order of the sentence
    assessor INTEGER NOT NULL REFERENCES assessor (id),
    label TEXT  -- of a retract, later or cannot-judge: none
        CHECK ((label IS NOT NULL) = (kind = 'label')) CHECK (label IN ('support', 'partial_support', 'not_support')),
    reason TEXT NOT NULL DEFAULT '',  -- why it cannot be judged, or why a model failed
    note TEXT NOT NULL DEFAULT '',
    evidence TEXT,  -- JSON, of a model: its call
    seconds REAL,  -- of active time
    position INTEGER,  -- in the order shown
    order_seed INTEGER,
    fast INTEGER NOT NULL DEFAULT 0 CHECK (fast IN (0, 1)),  -- decided hardly after it was drawn
    input TEXT NOT NULL DEFAULT '',  -- key: full screen, plain: line mode, browser: served
    supersedes INTEGER REFERENCES support_event (id),
    FOREIGN KEY (answer, sentence) REFERENCES sentence (answer, position)
) STRICT;

CREATE TABLE claim_event (  -- append-only: whether the documents of an answer, taken together, say a claim
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id TEXT NOT NULL UNIQUE,
    at TEXT NOT NULL,  -- UTC
    kind TEXT NOT NULL CHECK (kind IN ('label', 'retract', 'later', 'cannot-judge', 'note')),
    answer INTEGER NOT NULL REFERENCES answer (id),
    claim INTEGER NOT NULL REFERENCES claim (id),
    assessor INTEGER NOT NULL REFERENCES assessor (id),
    label TEXT  -- of a retract, later or cannot-judge: none
        CHECK ((label IS NOT NULL) = (kind = 'label')) CHECK (label IN ('support', 'partial_support', 'not_support')),
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

CREATE TABLE claim (  -- append-only: what a reference answer says, sentence by sentence, or an answer, by statements
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,  -- UTC
    topic INTEGER NOT NULL REFERENCES topic (id),
    answer INTEGER REFERENCES answer (id),  -- NULL: it is of the topic's reference answer
    position INTEGER NOT NULL CHECK (position >= 0),  -- from 1; 0: the author found that the answer states nothing
    text TEXT NOT NULL CHECK ((text = '') = (position = 0)),
    author INTEGER NOT NULL REFERENCES assessor (id),
    version INTEGER NOT NULL,  -- of what this author says an answer claims; the last one counts
    evidence TEXT,  -- JSON, of a model: its call
    import INTEGER REFERENCES import (id)
) STRICT;

CREATE INDEX nugget_topic ON nugget (topic);
CREATE INDEX nugget_edit_nugget ON nugget_edit (nugget);
CREATE INDEX nugget_edit_retracted ON nugget_edit (supersedes) WHERE kind = 'retract';
CREATE INDEX nugget_event_item ON nugget_event (answer, nugget, assessor);
CREATE INDEX nugget_event_retracted ON nugget_event (supersedes) WHERE kind = 'retract';
CREATE INDEX support_event_item ON support_event (answer, sentence, citations, assessor);
CREATE INDEX support_event_retracted ON support_event (supersedes) WHERE kind = 'retract';
CREATE INDEX claim_event_item ON claim_event (answer, claim, assessor);
CREATE INDEX claim_event_retracted ON claim_event (supersedes) WHERE kind = 'retract';
CREATE INDEX claim_about ON claim (topic, answer);

CREATE VIEW answered AS  -- every sentence of every answer, with names for numbers
SELECT r.tag AS run, r.team, t.qid, s.position, s.text, s.citations, a.id AS answer
FROM answer a JOIN answer_run r ON r.id = a.run JOIN topic t ON t.id = a.topic LEFT JOIN sentence s ON s.answer = a.id
ORDER BY r.id, t.id, s.position;

CREATE VIEW standing_nugget_edit AS  -- what was done to nuggets and not taken back
SELECT e.* FROM nugget_edit e WHERE e.kind <> 'retract'
    AND NOT EXISTS (SELECT 1 FROM nugget_edit r WHERE r.kind = 'retract' AND r.supersedes = e.id);

CREATE VIEW current_nugget AS  -- the nuggets of each topic as they are now, with names for numbers
SELECT n.id, t.qid, n.text, e.kind AS importance, a.name AS author, n.contributors, coalesce(n.place, n.id) AS place,
    e.id AS edit
FROM nugget n JOIN topic t ON t.id = n.topic JOIN assessor a ON a.id = n.author
JOIN (SELECT nugget, max(id) AS id FROM standing_nugget_edit GROUP BY nugget) last ON last.nugget = n.id
JOIN nugget_edit e ON e.id = last.id
WHERE e.kind <> 'drop'
    AND n.id NOT IN (SELECT o.value FROM standing_nugget_edit s, json_each(s.replaces) o);

-- the last word of each assessor that was not taken back: whether an answer says what a nugget says
CREATE VIEW current_nugget_event AS
SELECT e.*, a.name, a.kind AS assessor_kind FROM nugget_event e JOIN assessor a ON a.id = e.assessor WHERE e.id IN (
    SELECT max(w.id) FROM nugget_event w WHERE w.kind IN ('label', 'later', 'cannot-judge')
        AND NOT EXISTS (SELECT 1 FROM nugget_event r WHERE r.kind = 'retract' AND r.supersedes = w.id)
    GROUP BY answer, nugget, assessor);

-- the last word of each assessor that was not taken back: whether documents, taken together, support a sentence of an answer
CREATE VIEW current_support_event AS
SELECT e.*, a.name, a.kind AS assessor_kind FROM support_event e JOIN assessor a ON a.id = e.assessor WHERE e.id IN (
    SELECT max(w.id) FROM support_event w WHERE w.kind IN ('label', 'later', 'cannot-judge')
        AND NOT EXISTS (SELECT 1 FROM support_event r WHERE r.kind = 'retract' AND r.supersedes = w.id)
    GROUP BY answer, sentence, citations, assessor);

-- the last word of each assessor that was not taken back: whether the documents of an answer, taken together, say a claim
CREATE VIEW current_claim_event AS
SELECT e.*, a.name, a.kind AS assessor_kind FROM claim_event e JOIN assessor a ON a.id = e.assessor WHERE e.id IN (
    SELECT max(w.id) FROM claim_event w WHERE w.kind IN ('label', 'later', 'cannot-judge')
        AND NOT EXISTS (SELECT 1 FROM claim_event r WHERE r.kind = 'retract' AND r.supersedes = w.id)
    GROUP BY answer, claim, assessor);

CREATE VIEW counted_claim AS  -- those whose import was not removed, with what decides which authors count
SELECT c.*, t.qid, a.name, a.kind IN ('model', 'panel') AS by_model FROM claim c JOIN topic t ON t.id = c.topic
JOIN assessor a ON a.id = c.author WHERE c.import IS NULL OR NOT EXISTS (
    SELECT 1 FROM removal r WHERE r.kind = 'import' AND r.name = CAST(c.import AS TEXT));

CREATE VIEW latest_claim AS  -- what counts: people's before models', of the first author, the last version
SELECT c.* FROM counted_claim c WHERE NOT EXISTS (
    SELECT 1 FROM counted_claim o WHERE o.topic = c.topic AND o.answer IS c.answer
        AND (o.by_model, o.author, -o.version) < (c.by_model, c.author, -c.version));

CREATE VIEW current_claim AS  -- the claims that count: people's before models', of the first author, the last version
SELECT * FROM latest_claim WHERE position > 0;

CREATE TRIGGER answer_unchanged BEFORE UPDATE ON answer BEGIN
    SELECT RAISE (ABORT, 'answers are never changed: `cranfield store remove` removes an import of them');
END;
CREATE TRIGGER sentence_unchanged BEFORE UPDATE ON sentence BEGIN
    SELECT RAISE (ABORT, 'sentences are never changed: `cranfield store remove` removes an import of answers');
END;
CREATE TRIGGER sentence_stays BEFORE DELETE ON sentence WHEN EXISTS (SELECT 1 FROM answer WHERE id = old.answer) BEGIN
    SELECT RAISE (ABORT, 'sentences are never deleted by themselves');
END;
CREATE TRIGGER answer_released_stays BEFORE DELETE ON answer
WHEN old.id <= (SELECT max(json_extract(last, '$.answer')) FROM release) BEGIN
    SELECT RAISE (ABORT, 'a release has this answer: it stays');
END;
