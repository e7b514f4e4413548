-- What is personal is in hashes as a seal, with a salt that can be deleted.

ALTER TABLE collection ADD COLUMN rule INTEGER NOT NULL DEFAULT 2  -- by which judgments are hashed; 1: as a bundle that
    CHECK (rule IN (1, 2));                                        -- was made before there was the second rule
ALTER TABLE judgment_event ADD COLUMN rule INTEGER NOT NULL DEFAULT 1 CHECK (rule IN (1, 2));  -- by which it is hashed
ALTER TABLE event_link ADD COLUMN rule INTEGER NOT NULL DEFAULT 1 CHECK (rule IN (1, 2));  -- by which it is hashed
ALTER TABLE assessor ADD COLUMN uid TEXT NOT NULL DEFAULT '';  -- random: what stands for the name in hashes
CREATE UNIQUE INDEX assessor_uid ON assessor (uid) WHERE uid <> '';

CREATE TABLE assessor_salt (  -- of the seals of what an assessor wrote; deleted when she is erased
    assessor INTEGER PRIMARY KEY REFERENCES assessor (id),
    salt BLOB NOT NULL
) STRICT;

UPDATE collection SET rule = 1 WHERE EXISTS (SELECT 1 FROM bundle);

DROP VIEW judgment_log;
CREATE VIEW judgment_log AS  -- every event, with names for numbers
SELECT e.id, e.at, e.kind, t.qid, d.docno, a.name AS assessor, a.kind AS assessor_kind, e.grade, e.unsure,
    e.reason, e.note, e.evidence, e.source, e.seconds, e.position, e.order_policy, e.order_seed,
    e.document_sha256, e.pool, e.supersedes, e.event_id, e.input, e.fast, e.highlight_terms, e.docno_shown,
    e.origin, e.previous, e.hash, e.rule
FROM judgment_event e
JOIN topic t ON t.id = e.topic JOIN document d ON d.id = e.document JOIN assessor a ON a.id = e.assessor;

-- in Python: give_ids

CREATE TRIGGER assessor_keeps_uid BEFORE UPDATE OF uid ON assessor WHEN old.uid <> '' BEGIN
    SELECT RAISE (ABORT, 'the id of an assessor is never changed: hashes have it');
END;
CREATE TRIGGER assessor_salt_unchanged BEFORE UPDATE ON assessor_salt BEGIN
    SELECT RAISE (ABORT, 'salts are never changed: seals are made with them');
END;
