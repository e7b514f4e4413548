-- Events carry the hash of the one before; nothing is replaced, and no grade is off the scale.

CREATE TABLE origin (  -- append-only: where events came into being; each has a chain of its own
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('store', 'bundle', 'import', 'earlier')),  -- earlier: before there were chains
    name TEXT NOT NULL,  -- of the file, where there is one
    made TEXT NOT NULL  -- UTC
) STRICT;

ALTER TABLE collection ADD COLUMN origin TEXT NOT NULL DEFAULT '';  -- of the events that come into being here
ALTER TABLE judgment_event ADD COLUMN origin TEXT NOT NULL DEFAULT '';
ALTER TABLE judgment_event ADD COLUMN previous TEXT NOT NULL DEFAULT '';  -- the hash of the event before it there
ALTER TABLE judgment_event ADD COLUMN hash TEXT NOT NULL DEFAULT '';  -- of `previous` and all that the event says
CREATE INDEX judgment_event_origin ON judgment_event (origin, id);
DROP TRIGGER judgment_event_unchanged;
DROP VIEW judgment_log;
CREATE VIEW judgment_log AS  -- every event, with names for numbers
SELECT e.id, e.at, e.kind, t.qid, d.docno, a.name AS assessor, a.kind AS assessor_kind, e.grade, e.unsure,
    e.reason, e.note, e.evidence, e.source, e.seconds, e.position, e.order_policy, e.order_seed,
    e.document_sha256, e.pool, e.supersedes, e.event_id, e.input, e.fast, e.highlight_terms, e.docno_shown,
    e.origin, e.previous, e.hash
FROM judgment_event e
JOIN topic t ON t.id = e.topic JOIN document d ON d.id = e.document JOIN assessor a ON a.id = e.assessor;

-- in Python: chain_earlier

CREATE TRIGGER judgment_event_unchanged BEFORE UPDATE ON judgment_event BEGIN
    SELECT RAISE (ABORT, 'judgments are never changed: append an event');
END;
CREATE TRIGGER judgment_event_new BEFORE INSERT ON judgment_event
WHEN EXISTS (SELECT 1 FROM judgment_event WHERE id = new.id OR event_id = new.event_id) BEGIN
    SELECT RAISE (ABORT, 'judgments are never replaced: append an event');
END;
CREATE TRIGGER judgment_event_on_scale BEFORE INSERT ON judgment_event
WHEN new.grade IS NOT NULL AND new.grade NOT IN (SELECT CAST(key AS INTEGER) FROM collection, json_each(grades)) BEGIN
    SELECT RAISE (ABORT, 'the grade is not on the scale of this collection');
END;
CREATE TRIGGER assessor_keeps_kind BEFORE UPDATE OF id, name, kind ON assessor
WHEN EXISTS (SELECT 1 FROM judgment_event WHERE assessor = old.id) BEGIN
    SELECT RAISE (ABORT, 'judgments exist: whose they are does not change');
END;
CREATE TRIGGER assessor_new BEFORE INSERT ON assessor
WHEN EXISTS (SELECT 1 FROM assessor WHERE id = new.id OR name = new.name) BEGIN
    SELECT RAISE (ABORT, 'this assessor is known already');
END;
CREATE TRIGGER assessor_stays BEFORE DELETE ON assessor
WHEN EXISTS (SELECT 1 FROM judgment_event WHERE assessor = old.id) BEGIN
    SELECT RAISE (ABORT, 'judgments exist: whose they are does not change');
END;
CREATE TRIGGER collection_new BEFORE INSERT ON collection WHEN EXISTS (SELECT 1 FROM collection) BEGIN
    SELECT RAISE (ABORT, 'a store has one collection');
END;
CREATE TRIGGER collection_stays BEFORE DELETE ON collection BEGIN
    SELECT RAISE (ABORT, 'a store has one collection');
END;
CREATE TRIGGER origin_unchanged BEFORE UPDATE ON origin BEGIN
    SELECT RAISE (ABORT, 'origins are never changed');
END;
CREATE TRIGGER origin_stays BEFORE DELETE ON origin BEGIN
    SELECT RAISE (ABORT, 'origins are never deleted');
END;
CREATE TRIGGER origin_new BEFORE INSERT ON origin WHEN EXISTS (SELECT 1 FROM origin WHERE id = new.id) BEGIN
    SELECT RAISE (ABORT, 'origins are never replaced');
END;
