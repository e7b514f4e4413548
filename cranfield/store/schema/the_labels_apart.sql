-- People's labels and models' can be asked for apart; an adjudicated "cannot judge" settles a pair.

DROP VIEW qrels;
DROP VIEW qrels_event;

CREATE VIEW qrels_event AS  -- the events behind the qrels of everybody, policy "primary": an adjudication, be it that the
-- pair cannot be judged, else a model only where nobody else labelled, else the topic's first assessor, else who came
-- first
SELECT id, topic, document, assessor, grade, source, by_model FROM (
    SELECT e.id, e.topic, e.document, e.assessor, e.grade, e.source, a.kind = 'model' AS by_model, max(
        4e9 * (e.kind IN ('adjudicate', 'cannot-judge')) + 2e9 * (a.kind <> 'model') + 1e9 * EXISTS (
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
        AND (e.grade IS NOT NULL OR e.kind = 'cannot-judge' AND e.source = 'adjudication')
        AND a.repeats IS NULL  -- what was shown twice counts once
        AND true
    GROUP BY e.topic, e.document
) WHERE grade IS NOT NULL;


CREATE VIEW qrels_event_people AS  -- the events behind the qrels of people, policy "primary": an adjudication, be it that the
-- pair cannot be judged, else a model only where nobody else labelled, else the topic's first assessor, else who came
-- first
SELECT id, topic, document, assessor, grade, source, by_model FROM (
    SELECT e.id, e.topic, e.document, e.assessor, e.grade, e.source, a.kind = 'model' AS by_model, max(
        4e9 * (e.kind IN ('adjudicate', 'cannot-judge')) + 2e9 * (a.kind <> 'model') + 1e9 * EXISTS (
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
        AND (e.grade IS NOT NULL OR e.kind = 'cannot-judge' AND e.source = 'adjudication')
        AND a.repeats IS NULL  -- what was shown twice counts once
        AND a.kind <> 'model'
    GROUP BY e.topic, e.document
) WHERE grade IS NOT NULL;


CREATE VIEW qrels_event_models AS  -- the events behind the qrels of models, policy "primary": an adjudication, be it that the
-- pair cannot be judged, else a model only where nobody else labelled, else the topic's first assessor, else who came
-- first
SELECT id, topic, document, assessor, grade, source, by_model FROM (
    SELECT e.id, e.topic, e.document, e.assessor, e.grade, e.source, a.kind = 'model' AS by_model, max(
        4e9 * (e.kind IN ('adjudicate', 'cannot-judge')) + 2e9 * (a.kind <> 'model') + 1e9 * EXISTS (
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
        AND (e.grade IS NOT NULL OR e.kind = 'cannot-judge' AND e.source = 'adjudication')
        AND a.repeats IS NULL  -- what was shown twice counts once
        AND a.kind = 'model'
    GROUP BY e.topic, e.document
) WHERE grade IS NOT NULL;

CREATE VIEW qrels AS
SELECT t.qid, d.docno, q.grade, a.name AS assessor, q.source, 'primary' AS policy, q.by_model FROM qrels_event q
JOIN topic t ON t.id = q.topic JOIN document d ON d.id = q.document JOIN assessor a ON a.id = q.assessor;
