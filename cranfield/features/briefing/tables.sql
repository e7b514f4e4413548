-- Practice before the first topic, and questions to the organiser.

CREATE TABLE gold_label (  -- what assessors practise on: the right grade, and the label that says why
    topic INTEGER NOT NULL REFERENCES topic (id),
    document INTEGER NOT NULL REFERENCES document (id),
    grade INTEGER NOT NULL,
    label INTEGER NOT NULL REFERENCES judgment_event (id),  -- whose note says why
    PRIMARY KEY (topic, document)
) STRICT, WITHOUT ROWID;

CREATE TABLE practice_label (  -- append-only: the grades that assessors gave while they practised; none of them counts
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id TEXT NOT NULL UNIQUE,
    at TEXT NOT NULL,  -- UTC
    topic INTEGER NOT NULL REFERENCES topic (id),
    document INTEGER NOT NULL REFERENCES document (id),
    assessor INTEGER NOT NULL REFERENCES assessor (id),
    grade INTEGER NOT NULL,
    gold INTEGER NOT NULL  -- the right grade at that time
) STRICT;

CREATE TABLE question (  -- append-only: what assessors ask the organiser about topics, and the answers
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id TEXT NOT NULL UNIQUE,
    at TEXT NOT NULL,  -- UTC
    topic INTEGER NOT NULL REFERENCES topic (id),
    assessor INTEGER NOT NULL REFERENCES assessor (id),  -- who asked
    text TEXT NOT NULL,
    answers INTEGER REFERENCES question (id)  -- the question to which this is the organiser's answer
) STRICT;

CREATE VIEW practice AS  -- the grades of assessors who practised, with names
SELECT p.id, p.at, t.qid, d.docno, a.name AS assessor, p.grade, p.gold
FROM practice_label p JOIN topic t ON t.id = p.topic JOIN document d ON d.id = p.document
JOIN assessor a ON a.id = p.assessor;

CREATE VIEW questions AS  -- what assessors asked, with the last answer to each
SELECT q.id, q.at, t.qid, a.name AS assessor, q.text AS question,
    coalesce((SELECT text FROM question r WHERE r.answers = q.id ORDER BY r.id DESC LIMIT 1), '') AS answer
FROM question q JOIN topic t ON t.id = q.topic JOIN assessor a ON a.id = q.assessor WHERE q.answers IS NULL;
