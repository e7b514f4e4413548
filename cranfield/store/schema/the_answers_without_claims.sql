-- It can be on record that an answer states nothing.

PRAGMA defer_foreign_keys = ON;
DROP VIEW current_claim;
DROP VIEW counted_claim;
CREATE TEMP TABLE kept AS SELECT * FROM main.claim;
DROP TABLE claim;

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

CREATE INDEX claim_about ON claim (topic, answer);

INSERT INTO claim SELECT * FROM temp.kept;
DROP TABLE temp.kept;

CREATE TRIGGER claim_unchanged BEFORE UPDATE ON claim BEGIN
    SELECT RAISE (ABORT, 'claim is append-only: nothing in it is changed');
END;
CREATE TRIGGER claim_stays BEFORE DELETE ON claim BEGIN
    SELECT RAISE (ABORT, 'claim is append-only: nothing in it is deleted');
END;
CREATE TRIGGER claim_new BEFORE INSERT ON claim WHEN EXISTS (SELECT 1 FROM claim WHERE id = new.id) BEGIN
    SELECT RAISE (ABORT, 'claim is append-only: nothing in it is replaced');
END;


CREATE VIEW counted_claim AS  -- those whose import was not removed, with what decides which authors count
SELECT c.*, t.qid, a.name, a.kind = 'model' AS by_model FROM claim c JOIN topic t ON t.id = c.topic
JOIN assessor a ON a.id = c.author WHERE c.import IS NULL OR NOT EXISTS (
    SELECT 1 FROM removal r WHERE r.kind = 'import' AND r.name = CAST(c.import AS TEXT));

CREATE VIEW latest_claim AS  -- what counts: people's before models', of the first author, the last version
SELECT c.* FROM counted_claim c WHERE NOT EXISTS (
    SELECT 1 FROM counted_claim o WHERE o.topic = c.topic AND o.answer IS c.answer
        AND (o.by_model, o.author, -o.version) < (c.by_model, c.author, -c.version));

CREATE VIEW current_claim AS  -- the claims that count: people's before models', of the first author, the last version
SELECT * FROM latest_claim WHERE position > 0;
