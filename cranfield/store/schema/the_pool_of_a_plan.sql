-- Work can be assigned of an earlier pool.

ALTER TABLE plan ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0  -- 1: its topics stay with its pool; 0: the newest
    CHECK (pinned IN (0, 1));

DROP VIEW assigned;
CREATE VIEW assigned AS  -- the documents of every assignment, from the newest pool or the one that its plan stays with
SELECT a.id AS assignment, a.topic, a.role, a.assessor, a.lease, p.document, p.pool
FROM assignment a JOIN plan ON plan.id = a.plan
JOIN pool_document p ON p.topic = a.topic
    AND p.pool = CASE plan.pinned WHEN 1 THEN plan.pool ELSE (SELECT max(id) FROM pool) END
WHERE a.role = 'first' OR EXISTS (
    SELECT 1 FROM sampled s WHERE s.topic = a.topic AND s.document = p.document AND s.purpose = 'overlap'
) OR a.cannot_judge AND EXISTS (
    SELECT 1 FROM given_up g WHERE g.topic = a.topic AND g.document = p.document
);
