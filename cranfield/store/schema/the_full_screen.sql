-- How a label was given, the assessors' criteria, the guidelines.

ALTER TABLE judgment_event ADD COLUMN input TEXT NOT NULL DEFAULT '';  -- key: full screen, plain: line mode
ALTER TABLE judgment_event ADD COLUMN fast INTEGER NOT NULL DEFAULT 0  -- decided hardly after the document was drawn
    CHECK (fast IN (0, 1));
ALTER TABLE judgment_event ADD COLUMN highlight_terms TEXT NOT NULL DEFAULT '';  -- the assessor's own, while marked
ALTER TABLE judgment_event ADD COLUMN docno_shown INTEGER NOT NULL DEFAULT 0 CHECK (docno_shown IN (0, 1));
ALTER TABLE collection ADD COLUMN guidelines TEXT NOT NULL DEFAULT '';  -- for assessors

CREATE TABLE criterion (  -- append-only: what an assessor takes to count as relevant, and since when
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,  -- UTC
    topic INTEGER NOT NULL REFERENCES topic (id),
    assessor INTEGER NOT NULL REFERENCES assessor (id),
    text TEXT NOT NULL
) STRICT;

CREATE TRIGGER criterion_unchanged BEFORE UPDATE ON criterion BEGIN
    SELECT RAISE (ABORT, 'criteria are never changed: append another');
END;
CREATE TRIGGER criterion_stays BEFORE DELETE ON criterion BEGIN
    SELECT RAISE (ABORT, 'criteria are never deleted: append another');
END;

DROP VIEW judgment_log;
CREATE VIEW judgment_log AS  -- every event, with names for numbers
SELECT e.id, e.at, e.kind, t.qid, d.docno, a.name AS assessor, a.kind AS assessor_kind, e.grade, e.unsure,
    e.reason, e.note, e.evidence, e.source, e.seconds, e.position, e.order_policy, e.order_seed,
    e.document_sha256, e.pool, e.supersedes, e.event_id, e.input, e.fast, e.highlight_terms, e.docno_shown
FROM judgment_event e
JOIN topic t ON t.id = e.topic JOIN document d ON d.id = e.document JOIN assessor a ON a.id = e.assessor;

CREATE VIEW criteria AS  -- the diary of criteria, with names for numbers
SELECT c.id, c.at, t.qid, a.name AS assessor, c.text
FROM criterion c JOIN topic t ON t.id = c.topic JOIN assessor a ON a.id = c.assessor;
