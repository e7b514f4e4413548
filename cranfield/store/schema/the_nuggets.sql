-- Nuggets of topics, which answers say them, and whether documents support the sentences of answers.

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

CREATE INDEX nugget_topic ON nugget (topic);
CREATE INDEX nugget_edit_nugget ON nugget_edit (nugget);
CREATE INDEX nugget_edit_retracted ON nugget_edit (supersedes) WHERE kind = 'retract';

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

CREATE TABLE nugget_event (  -- append-only: whether an answer says what a nugget says
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id TEXT NOT NULL UNIQUE,
    at TEXT NOT NULL,  -- UTC
    kind TEXT NOT NULL CHECK (kind IN ('label', 'retract', 'later', 'cannot-judge', 'note')),
    answer INTEGER NOT NULL REFERENCES answer (id),
    nugget INTEGER NOT NULL REFERENCES nugget (id),
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
    supersedes INTEGER REFERENCES nugget_event (id)
) STRICT;

CREATE INDEX nugget_event_item ON nugget_event (answer, nugget, assessor);
CREATE INDEX nugget_event_retracted ON nugget_event (supersedes) WHERE kind = 'retract';

CREATE VIEW current_nugget_event AS  -- the last word of each assessor that was not taken back: whether an answer says what a nugget says
SELECT e.*, a.name, a.kind AS assessor_kind FROM nugget_event e JOIN assessor a ON a.id = e.assessor WHERE e.id IN (
    SELECT max(w.id) FROM nugget_event w WHERE w.kind IN ('label', 'later', 'cannot-judge')
        AND NOT EXISTS (SELECT 1 FROM nugget_event r WHERE r.kind = 'retract' AND r.supersedes = w.id)
    GROUP BY answer, nugget, assessor);

CREATE TABLE support_event (  -- append-only: whether documents, taken together, support a sentence of an answer
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id TEXT NOT NULL UNIQUE,
    at TEXT NOT NULL,  -- UTC
    kind TEXT NOT NULL CHECK (kind IN ('label', 'retract', 'later', 'cannot-judge', 'note')),
    answer INTEGER NOT NULL,
    sentence INTEGER NOT NULL,  -- its position
    citations TEXT NOT NULL,  -- JSON, the docnos of the set, in the order of the sentence
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
    supersedes INTEGER REFERENCES support_event (id),
    FOREIGN KEY (answer, sentence) REFERENCES sentence (answer, position)
) STRICT;

CREATE INDEX support_event_item ON support_event (answer, sentence, citations, assessor);
CREATE INDEX support_event_retracted ON support_event (supersedes) WHERE kind = 'retract';

CREATE VIEW current_support_event AS  -- the last word of each assessor that was not taken back: whether documents, taken together, support a sentence of an answer
SELECT e.*, a.name, a.kind AS assessor_kind FROM support_event e JOIN assessor a ON a.id = e.assessor WHERE e.id IN (
    SELECT max(w.id) FROM support_event w WHERE w.kind IN ('label', 'later', 'cannot-judge')
        AND NOT EXISTS (SELECT 1 FROM support_event r WHERE r.kind = 'retract' AND r.supersedes = w.id)
    GROUP BY answer, sentence, citations, assessor);

CREATE TRIGGER nugget_unchanged BEFORE UPDATE ON nugget BEGIN
    SELECT RAISE (ABORT, 'nugget is append-only: nothing in it is changed');
END;
CREATE TRIGGER nugget_stays BEFORE DELETE ON nugget BEGIN
    SELECT RAISE (ABORT, 'nugget is append-only: nothing in it is deleted');
END;
CREATE TRIGGER nugget_new BEFORE INSERT ON nugget WHEN EXISTS (SELECT 1 FROM nugget WHERE id = new.id) BEGIN
    SELECT RAISE (ABORT, 'nugget is append-only: nothing in it is replaced');
END;

CREATE TRIGGER nugget_edit_unchanged BEFORE UPDATE ON nugget_edit BEGIN
    SELECT RAISE (ABORT, 'nugget_edit is append-only: nothing in it is changed');
END;
CREATE TRIGGER nugget_edit_stays BEFORE DELETE ON nugget_edit BEGIN
    SELECT RAISE (ABORT, 'nugget_edit is append-only: nothing in it is deleted');
END;
CREATE TRIGGER nugget_edit_new BEFORE INSERT ON nugget_edit WHEN EXISTS (SELECT 1 FROM nugget_edit WHERE id = new.id) BEGIN
    SELECT RAISE (ABORT, 'nugget_edit is append-only: nothing in it is replaced');
END;

CREATE TRIGGER nugget_event_unchanged BEFORE UPDATE ON nugget_event BEGIN
    SELECT RAISE (ABORT, 'nugget_event is append-only: nothing in it is changed');
END;
CREATE TRIGGER nugget_event_stays BEFORE DELETE ON nugget_event BEGIN
    SELECT RAISE (ABORT, 'nugget_event is append-only: nothing in it is deleted');
END;
CREATE TRIGGER nugget_event_new BEFORE INSERT ON nugget_event WHEN EXISTS (SELECT 1 FROM nugget_event WHERE id = new.id) BEGIN
    SELECT RAISE (ABORT, 'nugget_event is append-only: nothing in it is replaced');
END;

CREATE TRIGGER support_event_unchanged BEFORE UPDATE ON support_event BEGIN
    SELECT RAISE (ABORT, 'support_event is append-only: nothing in it is changed');
END;
CREATE TRIGGER support_event_stays BEFORE DELETE ON support_event BEGIN
    SELECT RAISE (ABORT, 'support_event is append-only: nothing in it is deleted');
END;
CREATE TRIGGER support_event_new BEFORE INSERT ON support_event WHEN EXISTS (SELECT 1 FROM support_event WHERE id = new.id) BEGIN
    SELECT RAISE (ABORT, 'support_event is append-only: nothing in it is replaced');
END;
