-- Answers that systems generated, with their sentences and what these cite.

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
