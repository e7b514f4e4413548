-- What a topic's first assessor cannot judge may go to its second one; people's labels go before models'.

ALTER TABLE assignment ADD COLUMN cannot_judge INTEGER NOT NULL DEFAULT 0  -- 1: a second gets that of the first, too
    CHECK (cannot_judge IN (0, 1));

CREATE VIEW given_up AS  -- what a topic's first assessor cannot judge, as her last word
SELECT e.topic, e.document, e.assessor FROM judgment_event e
JOIN holder h ON h.assessor = e.assessor
JOIN assignment a ON a.id = h.assignment AND a.topic = e.topic AND a.role = 'first'
WHERE e.kind = 'cannot-judge'
    AND NOT EXISTS (SELECT 1 FROM judgment_event r WHERE r.kind = 'retract' AND r.supersedes = e.id)
    AND NOT EXISTS (
        SELECT 1 FROM judgment_event l WHERE l.topic = e.topic AND l.document = e.document
            AND l.assessor = e.assessor AND l.id > e.id AND l.kind NOT IN ('retract', 'note')
            AND NOT EXISTS (SELECT 1 FROM judgment_event r WHERE r.kind = 'retract' AND r.supersedes = l.id)
    );

DROP VIEW assigned;
CREATE VIEW assigned AS  -- the documents of every assignment, from the newest pool
SELECT a.id AS assignment, a.topic, a.role, a.assessor, a.lease, p.document
FROM assignment a JOIN pool_document p ON p.topic = a.topic AND p.pool = (SELECT max(id) FROM pool)
WHERE a.role = 'first' OR EXISTS (
    SELECT 1 FROM sampled s WHERE s.topic = a.topic AND s.document = p.document AND s.purpose = 'overlap'
) OR a.cannot_judge AND EXISTS (
    SELECT 1 FROM given_up g WHERE g.topic = a.topic AND g.document = p.document
);

DROP VIEW qrels;
DROP VIEW current_event;
CREATE VIEW current_event AS  -- per topic, document and assessor the last word that was not taken back
SELECT e.id, e.topic, e.document, e.assessor FROM judgment_event e
WHERE e.kind IN ('label', 'later', 'cannot-judge', 'adjudicate', 'import')
    AND NOT EXISTS (SELECT 1 FROM judgment_event r WHERE r.kind = 'retract' AND r.supersedes = e.id)
    AND NOT EXISTS (
        SELECT 1 FROM judgment_event l
        WHERE l.topic = e.topic AND l.document = e.document AND l.assessor = e.assessor AND l.id > e.id
            AND l.kind IN ('label', 'later', 'cannot-judge', 'adjudicate', 'import')
            AND NOT EXISTS (SELECT 1 FROM judgment_event r WHERE r.kind = 'retract' AND r.supersedes = l.id)
    );

CREATE VIEW qrels_event AS  -- the events behind the qrels, policy "primary": an adjudication, else a model only where
-- nobody else labelled, else the topic's first assessor, else who came first: the row of the highest precedence
SELECT e.id, e.topic, e.document, e.assessor, e.grade, e.source, max(
    4e9 * (e.kind = 'adjudicate') + 2e9 * (a.kind <> 'model') + 1e9 * EXISTS (
        SELECT 1 FROM assignment g JOIN holder h ON h.assignment = g.id
        WHERE g.topic = e.topic AND g.role = 'first' AND h.assessor = e.assessor
    ) - e.assessor
) AS precedence
FROM judgment_event e JOIN assessor a ON a.id = e.assessor
WHERE e.kind IN ('label', 'later', 'cannot-judge', 'adjudicate', 'import')
    AND NOT EXISTS (SELECT 1 FROM judgment_event r WHERE r.kind = 'retract' AND r.supersedes = e.id)
    AND NOT EXISTS (
        SELECT 1 FROM judgment_event l
        WHERE l.topic = e.topic AND l.document = e.document AND l.assessor = e.assessor AND l.id > e.id
            AND l.kind IN ('label', 'later', 'cannot-judge', 'adjudicate', 'import')
            AND NOT EXISTS (SELECT 1 FROM judgment_event r WHERE r.kind = 'retract' AND r.supersedes = l.id)
    )
    AND e.grade IS NOT NULL AND a.repeats IS NULL  -- what was shown twice counts once
GROUP BY e.topic, e.document;

CREATE VIEW qrels AS
SELECT t.qid, d.docno, q.grade, a.name AS assessor, q.source, 'primary' AS policy FROM qrels_event q
JOIN topic t ON t.id = q.topic JOIN document d ON d.id = q.document JOIN assessor a ON a.id = q.assessor;
