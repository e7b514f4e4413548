"""Generated answers, the sentences with what each cites; nuggets and claims, and what people and models say of them."""

from cranfield.store.schema.planning import MORE_ROLES

MORE_IMPORTS = """
PRAGMA defer_foreign_keys = ON;
CREATE TEMP TABLE kept AS SELECT * FROM main.import;
DROP TABLE import;
CREATE TABLE import (  -- append-only: what came from files, and when
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,  -- UTC
    kind TEXT NOT NULL CHECK (
        kind IN ('corpus', 'topics', 'runs', 'qrels', 'votes', 'answers', 'nuggets', 'support', 'log')
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
"""

ANSWERS = """
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

CREATE TRIGGER answer_unchanged BEFORE UPDATE ON answer BEGIN
    SELECT RAISE (ABORT, 'answers are never changed: `cranfield store remove` removes an import of them');
END;
CREATE TRIGGER sentence_unchanged BEFORE UPDATE ON sentence BEGIN
    SELECT RAISE (ABORT, 'sentences are never changed: `cranfield store remove` removes an import of answers');
END;
CREATE TRIGGER sentence_stays BEFORE DELETE ON sentence WHEN EXISTS (SELECT 1 FROM answer WHERE id = old.answer) BEGIN
    SELECT RAISE (ABORT, 'sentences are never deleted by themselves');
END;

CREATE VIEW answered AS  -- every sentence of every answer, with names for numbers
SELECT r.tag AS run, r.team, t.qid, s.position, s.text, s.citations, a.id AS answer
FROM answer a JOIN answer_run r ON r.id = a.run JOIN topic t ON t.id = a.topic LEFT JOIN sentence s ON s.answer = a.id
ORDER BY r.id, t.id, s.position;
"""


NUGGETS = """
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
"""

LABELS = """
CREATE TABLE {table} (  -- append-only: {about}
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id TEXT NOT NULL UNIQUE,
    at TEXT NOT NULL,  -- UTC
    kind TEXT NOT NULL CHECK (kind IN ('label', 'retract', 'later', 'cannot-judge', 'note')),
{columns}
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
    supersedes INTEGER REFERENCES {table} (id){keys}
) STRICT;

CREATE INDEX {table}_item ON {table} ({item}, assessor);
CREATE INDEX {table}_retracted ON {table} (supersedes) WHERE kind = 'retract';

CREATE VIEW current_{table} AS  -- the last word of each assessor that was not taken back: {about}
SELECT e.*, a.name, a.kind AS assessor_kind FROM {table} e JOIN assessor a ON a.id = e.assessor WHERE e.id IN (
    SELECT max(w.id) FROM {table} w WHERE w.kind IN ('label', 'later', 'cannot-judge')
        AND NOT EXISTS (SELECT 1 FROM {table} r WHERE r.kind = 'retract' AND r.supersedes = w.id)
    GROUP BY {item}, assessor);
"""

APPENDED = """
CREATE TRIGGER {table}_unchanged BEFORE UPDATE ON {table} BEGIN
    SELECT RAISE (ABORT, '{table} is append-only: nothing in it is changed');
END;
CREATE TRIGGER {table}_stays BEFORE DELETE ON {table} BEGIN
    SELECT RAISE (ABORT, '{table} is append-only: nothing in it is deleted');
END;
CREATE TRIGGER {table}_new BEFORE INSERT ON {table} WHEN EXISTS (SELECT 1 FROM {table} WHERE id = new.id) BEGIN
    SELECT RAISE (ABORT, '{table} is append-only: nothing in it is replaced');
END;
"""

NUGGET_EVENTS = LABELS.format(
    table="nugget_event",
    about="whether an answer says what a nugget says",
    item="answer, nugget",
    columns="    answer INTEGER NOT NULL REFERENCES answer (id),\n    nugget INTEGER NOT NULL REFERENCES nugget (id),",
    keys="",
)
SUPPORT_EVENTS = LABELS.format(
    table="support_event",
    about="whether documents, taken together, support a sentence of an answer",
    item="answer, sentence, citations",
    columns="    answer INTEGER NOT NULL,\n    sentence INTEGER NOT NULL,  -- its position\n"
    "    citations TEXT NOT NULL,  -- JSON, the docnos of the set, in the order of the sentence",
    keys=",\n    FOREIGN KEY (answer, sentence) REFERENCES sentence (answer, position)",
)
TABLES = ("nugget", "nugget_edit", "nugget_event", "support_event")
NUGGET_GUARDS = "".join(APPENDED.format(table=table) for table in TABLES)


CLAIM_IMPORTS = MORE_IMPORTS.replace("'log'", "'log', 'preferences', 'claims'")
CLAIM_ROLES = MORE_ROLES.replace("'support-each'", "'support-each', 'claims'")
CLAIM_TABLE = """
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
"""
CLAIM_VIEWS = """
CREATE VIEW counted_claim AS  -- those whose import was not removed, with what decides which authors count
SELECT c.*, t.qid, a.name, a.kind = 'model' AS by_model FROM claim c JOIN topic t ON t.id = c.topic
JOIN assessor a ON a.id = c.author WHERE c.import IS NULL OR NOT EXISTS (
    SELECT 1 FROM removal r WHERE r.kind = 'import' AND r.name = CAST(c.import AS TEXT));

CREATE VIEW current_claim AS  -- the claims that count: people's before models', of the first author, the last version
SELECT c.* FROM counted_claim c WHERE NOT EXISTS (
    SELECT 1 FROM counted_claim o WHERE o.topic = c.topic AND o.answer IS c.answer
        AND (o.by_model, o.author, -o.version) < (c.by_model, c.author, -c.version));
"""
CLAIMS = CLAIM_TABLE + CLAIM_VIEWS
CLAIM_EVENTS = LABELS.format(
    table="claim_event",
    about="whether the documents of an answer, taken together, say a claim",
    item="answer, claim",
    columns="    answer INTEGER NOT NULL REFERENCES answer (id),\n    claim INTEGER NOT NULL REFERENCES claim (id),",
    keys="",
)
CLAIM_GUARDS = "".join(APPENDED.format(table=table) for table in ("claim", "claim_event"))

ANY_CLAIMS = CLAIM_TABLE.replace(
    "CHECK (position >= 1),", "CHECK (position >= 0),  -- from 1; 0: the author found that the answer states nothing"
).replace("CHECK (text <> '')", "CHECK ((text = '') = (position = 0))")
LATEST = CLAIM_VIEWS.replace(
    "current_claim AS  -- the claims that count: people's before models', of the first author, the last version",
    "latest_claim AS  -- what counts: people's before models', of the first author, the last version",
)
NO_CLAIMS = f"""
PRAGMA defer_foreign_keys = ON;
DROP VIEW current_claim;
DROP VIEW counted_claim;
CREATE TEMP TABLE kept AS SELECT * FROM main.claim;
DROP TABLE claim;
{ANY_CLAIMS}
INSERT INTO claim SELECT * FROM temp.kept;
DROP TABLE temp.kept;
{APPENDED.format(table="claim")}
{LATEST}
CREATE VIEW current_claim AS  -- the claims that count: people's before models', of the first author, the last version
SELECT * FROM latest_claim WHERE position > 0;
"""
