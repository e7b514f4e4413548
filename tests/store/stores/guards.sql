CREATE UNIQUE INDEX "idx__sqlite_migrations_migration_set_name"
    ON "_sqlite_migrations" ("migration_set", "name");
CREATE INDEX judgment_event_pair ON judgment_event (topic, document, assessor);
CREATE INDEX judgment_event_retracted ON judgment_event (supersedes) WHERE kind = 'retract';
CREATE TRIGGER document_indexed AFTER INSERT ON document WHEN new.text IS NOT NULL BEGIN
    INSERT INTO document_fts (rowid, title, text) VALUES (new.id, new.title, new.text);
END;
CREATE TRIGGER document_reindexed AFTER UPDATE OF title, text ON document BEGIN
    INSERT INTO document_fts (document_fts, rowid, title, text)
        SELECT 'delete', old.id, old.title, old.text WHERE old.text IS NOT NULL;
    INSERT INTO document_fts (rowid, title, text)
        SELECT new.id, new.title, new.text WHERE new.text IS NOT NULL;
END;
CREATE TRIGGER document_stays BEFORE DELETE ON document BEGIN
    SELECT RAISE (ABORT, 'documents are never deleted: rankings refer to them');
END;
CREATE TRIGGER topic_stays BEFORE DELETE ON topic BEGIN
    SELECT RAISE (ABORT, 'topics are never deleted: rankings and judgments refer to them');
END;
CREATE TRIGGER judgment_event_stays BEFORE DELETE ON judgment_event BEGIN
    SELECT RAISE (ABORT, 'judgments are never deleted: append a retract event');
END;
CREATE TRIGGER scale_frozen BEFORE UPDATE OF grades, min_relevant ON collection
WHEN EXISTS (SELECT 1 FROM judgment_event) BEGIN
    SELECT RAISE (ABORT, 'the grade scale is frozen: judgments exist');
END;
CREATE VIEW current_judgment AS
SELECT l.* FROM current_event c JOIN judgment_log l ON l.id = c.id;
CREATE VIEW pooled AS  -- the documents of every pool
SELECT p.pool, t.qid, d.docno, p.depth, p.runs, p.stratum, p.probability
FROM pool_document p JOIN topic t ON t.id = p.topic JOIN document d ON d.id = p.document;
CREATE VIEW run_overview AS
SELECT r.tag, r.team, r.kind, r.pooled, r.depth, count(k.topic) AS topics,
    total(length(k.documents)) / 4 AS documents, r.file, r.imported
FROM run r LEFT JOIN ranking k ON k.run = r.id GROUP BY r.id;
CREATE TRIGGER criterion_unchanged BEFORE UPDATE ON criterion BEGIN
    SELECT RAISE (ABORT, 'criteria are never changed: append another');
END;
CREATE TRIGGER criterion_stays BEFORE DELETE ON criterion BEGIN
    SELECT RAISE (ABORT, 'criteria are never deleted: append another');
END;
CREATE VIEW criteria AS  -- the diary of criteria, with names for numbers
SELECT c.id, c.at, t.qid, a.name AS assessor, c.text
FROM criterion c JOIN topic t ON t.id = c.topic JOIN assessor a ON a.id = c.assessor;
CREATE TRIGGER assignment_given AFTER INSERT ON assignment WHEN new.assessor IS NOT NULL BEGIN
    INSERT OR IGNORE INTO holder VALUES (new.id, new.assessor);
END;
CREATE TRIGGER assignment_taken AFTER UPDATE OF assessor ON assignment WHEN new.assessor IS NOT NULL BEGIN
    INSERT OR IGNORE INTO holder VALUES (new.id, new.assessor);
END;
CREATE TRIGGER lease_renewed AFTER INSERT ON judgment_event BEGIN  -- any sign of life renews it
    UPDATE assignment SET lease = coalesce(max(lease, strftime('%Y-%m-%dT%H:%M:%f+00:00', new.at,
        '+' || (SELECT plan.lease FROM plan WHERE plan.id = assignment.plan) || ' seconds')), lease)
    WHERE topic = new.topic AND assessor = new.assessor AND lease IS NOT NULL;
END;
CREATE TRIGGER bundle_is_one_persons BEFORE INSERT ON assessor
WHEN EXISTS (SELECT 1 FROM bundle) AND NOT EXISTS (SELECT 1 FROM assessor WHERE name = new.name) BEGIN
    SELECT RAISE (ABORT, 'this bundle was made for another assessor');
END;
CREATE VIEW settled AS  -- pairs that an assessor has a label for or cannot judge: finished work
SELECT e.topic, e.document, e.assessor FROM judgment_event e
WHERE e.kind IN ('label', 'cannot-judge', 'adjudicate', 'import')
    AND NOT EXISTS (SELECT 1 FROM judgment_event r WHERE r.kind = 'retract' AND r.supersedes = e.id)
    AND NOT EXISTS (
        SELECT 1 FROM judgment_event l WHERE l.topic = e.topic AND l.document = e.document
            AND l.assessor = e.assessor AND l.id > e.id AND l.kind = 'later'
            AND NOT EXISTS (SELECT 1 FROM judgment_event r WHERE r.kind = 'retract' AND r.supersedes = l.id)
    );
CREATE VIEW unfinished AS  -- what of it nobody who had it has settled
SELECT d.* FROM assigned d WHERE NOT EXISTS (
    SELECT 1 FROM holder h JOIN settled s ON s.assessor = h.assessor
    WHERE h.assignment = d.assignment AND s.topic = d.topic AND s.document = d.document
);
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
CREATE INDEX document_without_text ON document (removed) WHERE text IS NULL;
CREATE VIEW unknown_document AS  -- named by runs or judgments, but not in the corpus; where there is none, all are
SELECT id, docno FROM document WHERE text IS NULL AND removed = 0;
CREATE VIEW unknown_topic AS  -- named by runs or judgments, but not among the topics
SELECT id, qid FROM topic WHERE title IS NULL AND removed = 0;
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
CREATE TRIGGER removal_unchanged BEFORE UPDATE ON removal BEGIN
    SELECT RAISE (ABORT, 'removals are never changed');
END;
CREATE TRIGGER removal_stays BEFORE DELETE ON removal BEGIN
    SELECT RAISE (ABORT, 'removals are never deleted');
END;
CREATE VIEW standing_event AS  -- what assessors did and nobody took back
SELECT e.* FROM judgment_event e WHERE e.kind <> 'retract'
    AND NOT EXISTS (SELECT 1 FROM judgment_event r WHERE r.kind = 'retract' AND r.supersedes = e.id);
CREATE INDEX judgment_event_about ON judgment_event (id) WHERE kind = 'import' AND evidence IS NOT NULL;
CREATE INDEX judgment_event_origin ON judgment_event (origin, id);
CREATE VIEW judgment_log AS  -- every event, with names for numbers
SELECT e.id, e.at, e.kind, t.qid, d.docno, a.name AS assessor, a.kind AS assessor_kind, e.grade, e.unsure,
    e.reason, e.note, e.evidence, e.source, e.seconds, e.position, e.order_policy, e.order_seed,
    e.document_sha256, e.pool, e.supersedes, e.event_id, e.input, e.fast, e.highlight_terms, e.docno_shown,
    e.origin, e.previous, e.hash
FROM judgment_event e
JOIN topic t ON t.id = e.topic JOIN document d ON d.id = e.document JOIN assessor a ON a.id = e.assessor;
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
CREATE VIEW retrieved AS  -- the rankings, one row per document; give a tag, a qid or both: unpacking takes time
SELECT tag, team, qid, rank, docno, CASE
    WHEN exponent = 2047 THEN sign * 9e999
    WHEN exponent = 0 THEN sign * mantissa * unit
    ELSE sign * (mantissa + 4503599627370496) * unit
END AS score FROM (
    SELECT r.tag, r.team, t.qid, i.key + 1 AS rank, d.docno, p.unit, p.exponent,
        1 - ((instr(b.every, substr(k.scores, i.key * 8 + 8, 1)) - 1) * 1) / 128 * 2 AS sign,
        ((instr(b.every, substr(k.scores, i.key * 8 + 1, 1)) - 1) * 1 + (instr(b.every, substr(k.scores, i.key * 8 + 2, 1)) - 1) * 256 + (instr(b.every, substr(k.scores, i.key * 8 + 3, 1)) - 1) * 65536 + (instr(b.every, substr(k.scores, i.key * 8 + 4, 1)) - 1) * 16777216 + (instr(b.every, substr(k.scores, i.key * 8 + 5, 1)) - 1) * 4294967296 + (instr(b.every, substr(k.scores, i.key * 8 + 6, 1)) - 1) * 1099511627776 + (instr(b.every, substr(k.scores, i.key * 8 + 7, 1)) - 1) * 281474976710656) & 4503599627370495 AS mantissa
    FROM ranking k JOIN run r ON r.id = k.run JOIN topic t ON t.id = k.topic
    JOIN (SELECT X'000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f404142434445464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f606162636465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9fa0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4b5b6b7b8b9babbbcbdbebfc0c1c2c3c4c5c6c7c8c9cacbcccdcecfd0d1d2d3d4d5d6d7d8d9dadbdcdddedfe0e1e2e3e4e5e6e7e8e9eaebecedeeeff0f1f2f3f4f5f6f7f8f9fafbfcfdfeff' AS every) b
    JOIN json_each('[' || rtrim(replace(hex(zeroblob(length(k.documents) / 4)), '00', '0,'), ',') || ']') i
    JOIN document d ON d.id = (instr(b.every, substr(k.documents, i.key * 4 + 1, 1)) - 1) * 1 + (instr(b.every, substr(k.documents, i.key * 4 + 2, 1)) - 1) * 256 + (instr(b.every, substr(k.documents, i.key * 4 + 3, 1)) - 1) * 65536 + (instr(b.every, substr(k.documents, i.key * 4 + 4, 1)) - 1) * 16777216
    LEFT JOIN (  -- the last binary place of the numbers of each exponent
        WITH RECURSIVE larger (exponent, unit) AS (
            SELECT 1075, 1.0 UNION ALL SELECT exponent + 1, unit * 2 FROM larger WHERE exponent < 2047
        ), smaller (exponent, unit) AS (
            SELECT 1075, 1.0 UNION ALL SELECT exponent - 1, unit / 2 FROM smaller WHERE exponent > 1
        )
        SELECT exponent, unit FROM larger UNION SELECT exponent, unit FROM smaller
        UNION SELECT 0, min(unit) FROM smaller
    ) p ON p.exponent = (((instr(b.every, substr(k.scores, i.key * 8 + 7, 1)) - 1) * 1 + (instr(b.every, substr(k.scores, i.key * 8 + 8, 1)) - 1) * 256) & 32767) / 16
);
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
CREATE INDEX nugget_event_item ON nugget_event (answer, nugget, assessor);
CREATE INDEX nugget_event_retracted ON nugget_event (supersedes) WHERE kind = 'retract';
CREATE VIEW current_nugget_event AS  -- the last word of each assessor that was not taken back: whether an answer says what a nugget says
SELECT e.*, a.name, a.kind AS assessor_kind FROM nugget_event e JOIN assessor a ON a.id = e.assessor WHERE e.id IN (
    SELECT max(w.id) FROM nugget_event w WHERE w.kind IN ('label', 'later', 'cannot-judge')
        AND NOT EXISTS (SELECT 1 FROM nugget_event r WHERE r.kind = 'retract' AND r.supersedes = w.id)
    GROUP BY answer, nugget, assessor);
CREATE INDEX support_event_item ON support_event (answer, sentence, citations, assessor);
CREATE INDEX support_event_retracted ON support_event (supersedes) WHERE kind = 'retract';
CREATE VIEW current_support_event AS  -- the last word of each assessor that was not taken back: whether documents, taken together, support a sentence of an answer
SELECT e.*, a.name, a.kind AS assessor_kind FROM support_event e JOIN assessor a ON a.id = e.assessor WHERE e.id IN (
    SELECT max(w.id) FROM support_event w WHERE w.kind IN ('label', 'later', 'cannot-judge')
        AND NOT EXISTS (SELECT 1 FROM support_event r WHERE r.kind = 'retract' AND r.supersedes = w.id)
    GROUP BY answer, sentence, citations, assessor);
CREATE TRIGGER nugget_unchanged BEFORE UPDATE ON nugget BEGIN
    SELECT RAISE (ABORT, 'nugget is append-only: nothing in it is changed');
END;
CREATE TRIGGER nugget_stays BEFORE DELETE ON nugget BEGIN
    SELECT RAISE (ABORT, 'nugget is append-only: nothing in it is deleted');
END;
CREATE TRIGGER nugget_new BEFORE INSERT ON nugget WHEN EXISTS (SELECT 1 FROM nugget WHERE id = new.id) BEGIN
    SELECT RAISE (ABORT, 'nugget is append-only: nothing in it is replaced');
END;
CREATE TRIGGER nugget_edit_unchanged BEFORE UPDATE ON nugget_edit BEGIN
    SELECT RAISE (ABORT, 'nugget_edit is append-only: nothing in it is changed');
END;
CREATE TRIGGER nugget_edit_stays BEFORE DELETE ON nugget_edit BEGIN
    SELECT RAISE (ABORT, 'nugget_edit is append-only: nothing in it is deleted');
END;
CREATE TRIGGER nugget_edit_new BEFORE INSERT ON nugget_edit WHEN EXISTS (SELECT 1 FROM nugget_edit WHERE id = new.id) BEGIN
    SELECT RAISE (ABORT, 'nugget_edit is append-only: nothing in it is replaced');
END;
CREATE TRIGGER nugget_event_unchanged BEFORE UPDATE ON nugget_event BEGIN
    SELECT RAISE (ABORT, 'nugget_event is append-only: nothing in it is changed');
END;
CREATE TRIGGER nugget_event_stays BEFORE DELETE ON nugget_event BEGIN
    SELECT RAISE (ABORT, 'nugget_event is append-only: nothing in it is deleted');
END;
CREATE TRIGGER nugget_event_new BEFORE INSERT ON nugget_event WHEN EXISTS (SELECT 1 FROM nugget_event WHERE id = new.id) BEGIN
    SELECT RAISE (ABORT, 'nugget_event is append-only: nothing in it is replaced');
END;
CREATE TRIGGER support_event_unchanged BEFORE UPDATE ON support_event BEGIN
    SELECT RAISE (ABORT, 'support_event is append-only: nothing in it is changed');
END;
CREATE TRIGGER support_event_stays BEFORE DELETE ON support_event BEGIN
    SELECT RAISE (ABORT, 'support_event is append-only: nothing in it is deleted');
END;
CREATE TRIGGER support_event_new BEFORE INSERT ON support_event WHEN EXISTS (SELECT 1 FROM support_event WHERE id = new.id) BEGIN
    SELECT RAISE (ABORT, 'support_event is append-only: nothing in it is replaced');
END;
CREATE INDEX model_call_request ON model_call (request_sha256) WHERE outcome <> 'error';
CREATE INDEX model_call_about ON model_call (assessor, task, topic, subject);
CREATE INDEX model_request_about ON model_request (assessor, task, topic, subject);
CREATE TRIGGER prompt_unchanged BEFORE UPDATE ON prompt BEGIN
    SELECT RAISE (ABORT, 'prompts are never changed');
END;
CREATE TRIGGER prompt_stays BEFORE DELETE ON prompt BEGIN
    SELECT RAISE (ABORT, 'prompts are never deleted');
END;
CREATE TRIGGER prompt_new BEFORE INSERT ON prompt WHEN EXISTS (SELECT 1 FROM prompt WHERE id = new.id OR sha256 = new.sha256) BEGIN
    SELECT RAISE (ABORT, 'prompts are never replaced');
END;
CREATE TRIGGER model_setting_unchanged BEFORE UPDATE ON model_setting BEGIN
    SELECT RAISE (ABORT, 'settings of models are never changed');
END;
CREATE TRIGGER model_setting_stays BEFORE DELETE ON model_setting BEGIN
    SELECT RAISE (ABORT, 'settings of models are never deleted');
END;
CREATE TRIGGER model_setting_new BEFORE INSERT ON model_setting WHEN EXISTS (SELECT 1 FROM model_setting WHERE assessor = new.assessor AND task = new.task) BEGIN
    SELECT RAISE (ABORT, 'settings of models are never replaced');
END;
CREATE TRIGGER model_request_unchanged BEFORE UPDATE ON model_request BEGIN
    SELECT RAISE (ABORT, 'requests are never changed');
END;
CREATE TRIGGER model_request_stays BEFORE DELETE ON model_request BEGIN
    SELECT RAISE (ABORT, 'requests are never deleted');
END;
CREATE TRIGGER model_request_new BEFORE INSERT ON model_request WHEN EXISTS (SELECT 1 FROM model_request WHERE id = new.id) BEGIN
    SELECT RAISE (ABORT, 'requests are never replaced');
END;
CREATE TRIGGER model_call_unchanged BEFORE UPDATE ON model_call BEGIN
    SELECT RAISE (ABORT, 'calls are never changed');
END;
CREATE TRIGGER model_call_stays BEFORE DELETE ON model_call BEGIN
    SELECT RAISE (ABORT, 'calls are never deleted');
END;
CREATE TRIGGER model_call_new BEFORE INSERT ON model_call WHEN EXISTS (SELECT 1 FROM model_call WHERE id = new.id OR request = new.request) BEGIN
    SELECT RAISE (ABORT, 'calls are never replaced');
END;
CREATE TRIGGER action_unchanged BEFORE UPDATE ON action BEGIN
    SELECT RAISE (ABORT, 'logs are never changed: `cranfield store remove` takes an import back');
END;
CREATE TRIGGER action_stays BEFORE DELETE ON action
WHEN EXISTS (SELECT 1 FROM impression m LEFT JOIN import i ON i.id = m.import WHERE m.id = old.impression
    AND (m.import IS NULL OR i.last_event IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM removal WHERE kind = 'import' AND name = CAST(m.import AS TEXT)))) BEGIN
    SELECT RAISE (ABORT, 'logs are never deleted: `cranfield store remove` takes an import back');
END;
CREATE TRIGGER experiment_unchanged BEFORE UPDATE ON experiment BEGIN
    SELECT RAISE (ABORT, 'experiments are never changed');
END;
CREATE TRIGGER experiment_stays BEFORE DELETE ON experiment BEGIN
    SELECT RAISE (ABORT, 'experiments are never deleted');
END;
CREATE TRIGGER arm_unchanged BEFORE UPDATE ON arm BEGIN
    SELECT RAISE (ABORT, 'arms are never changed');
END;
CREATE TRIGGER arm_stays BEFORE DELETE ON arm BEGIN
    SELECT RAISE (ABORT, 'arms are never deleted');
END;
CREATE TRIGGER query_unchanged BEFORE UPDATE ON query BEGIN
    SELECT RAISE (ABORT, 'queries are never changed');
END;
CREATE TRIGGER user_salt_unchanged BEFORE UPDATE ON user_salt BEGIN
    SELECT RAISE (ABORT, 'the salt is never changed: users would be other users');
END;
CREATE TRIGGER user_salt_stays BEFORE DELETE ON user_salt BEGIN
    SELECT RAISE (ABORT, 'the salt is never deleted: users would be other users');
END;
CREATE INDEX preference_event_pair ON preference_event (assessor, topic, first, second);
CREATE INDEX preference_event_retracted ON preference_event (supersedes) WHERE kind = 'retract';
CREATE TRIGGER preference_event_unchanged BEFORE UPDATE ON preference_event BEGIN
    SELECT RAISE (ABORT, 'preferences are never changed: append an event');
END;
CREATE TRIGGER preference_event_stays BEFORE DELETE ON preference_event BEGIN
    SELECT RAISE (ABORT, 'preferences are never deleted: append a retract event');
END;
CREATE TRIGGER preference_event_new BEFORE INSERT ON preference_event
WHEN EXISTS (SELECT 1 FROM preference_event WHERE id = new.id OR event_id = new.event_id) BEGIN
    SELECT RAISE (ABORT, 'preferences are never replaced: append an event');
END;
CREATE VIEW preference_log AS  -- every event, with names for numbers
SELECT e.id, e.at, e.kind, t.qid, f.docno AS first, s.docno AS second, a.name AS assessor, a.kind AS assessor_kind,
    e.choice, e.reason, e.note, e.evidence, e.seconds, e.position, e.order_seed, e.document_sha256, e.input, e.fast,
    e.supersedes, e.event_id
FROM preference_event e JOIN topic t ON t.id = e.topic JOIN document f ON f.id = e.first
JOIN document s ON s.id = e.second JOIN assessor a ON a.id = e.assessor;
CREATE VIEW current_preference AS  -- the last word of each assessor on each pair in each order, if not taken back
SELECT l.* FROM preference_log l WHERE l.id IN (
    SELECT max(e.id) FROM preference_event e
    WHERE e.kind IN ('prefer', 'later', 'cannot-judge', 'import')
        AND NOT EXISTS (SELECT 1 FROM preference_event r WHERE r.kind = 'retract' AND r.supersedes = e.id)
    GROUP BY e.assessor, e.topic, e.first, e.second
);
CREATE INDEX event_link_origin ON event_link (origin, id);
CREATE INDEX event_link_import ON event_link (import) WHERE import IS NOT NULL;
CREATE TRIGGER event_link_unchanged BEFORE UPDATE ON event_link BEGIN
    SELECT RAISE (ABORT, 'links of the logs are never changed');
END;
CREATE TRIGGER event_link_stays BEFORE DELETE ON event_link BEGIN
    SELECT RAISE (ABORT, 'links of the logs are never deleted');
END;
CREATE TRIGGER event_link_new BEFORE INSERT ON event_link
WHEN EXISTS (SELECT 1 FROM event_link WHERE id = new.id OR (log = new.log AND event = new.event)) BEGIN
    SELECT RAISE (ABORT, 'links of the logs are never replaced');
END;
CREATE TRIGGER published_log_unchanged BEFORE UPDATE ON published_log BEGIN
    SELECT RAISE (ABORT, 'what was published is never changed');
END;
CREATE TRIGGER published_log_stays BEFORE DELETE ON published_log BEGIN
    SELECT RAISE (ABORT, 'what was published is never deleted');
END;
CREATE TRIGGER document_changes BEFORE UPDATE ON document
WHEN old.text IS NULL AND (new.text IS NOT NULL OR new.removed <> old.removed)
    AND old.id <= (SELECT max(json_extract(last, '$.document')) FROM release) BEGIN
    INSERT INTO earlier_document (document, release, removed)
        SELECT old.id, r.id, old.removed FROM release r
        WHERE r.id = (SELECT max(id) FROM release WHERE json_extract(last, '$.document') >= old.id)
            AND NOT EXISTS (SELECT 1 FROM earlier_document e WHERE e.document = old.id AND e.release = r.id);
END;
CREATE TRIGGER document_released BEFORE UPDATE ON document
WHEN old.text IS NOT NULL AND old.id <= (SELECT max(json_extract(last, '$.document')) FROM release)
    AND EXISTS (
        SELECT 1 FROM release r WHERE json_extract(r.last, '$.document') >= old.id
            AND NOT EXISTS (SELECT 1 FROM earlier_document e WHERE e.document = old.id AND e.release >= r.id)
    ) BEGIN
    SELECT RAISE (ABORT, 'a release has this document: it stays as it is');
END;
CREATE TRIGGER topic_changes BEFORE UPDATE ON topic
WHEN old.title IS NULL AND (new.title IS NOT NULL OR new.removed <> old.removed)
    AND old.id <= (SELECT max(json_extract(last, '$.topic')) FROM release) BEGIN
    INSERT INTO earlier_topic (topic, release, removed)
        SELECT old.id, r.id, old.removed FROM release r
        WHERE r.id = (SELECT max(id) FROM release WHERE json_extract(last, '$.topic') >= old.id)
            AND NOT EXISTS (SELECT 1 FROM earlier_topic e WHERE e.topic = old.id AND e.release = r.id);
END;
CREATE TRIGGER topic_released BEFORE UPDATE ON topic
WHEN old.title IS NOT NULL AND old.id <= (SELECT max(json_extract(last, '$.topic')) FROM release)
    AND EXISTS (
        SELECT 1 FROM release r WHERE json_extract(r.last, '$.topic') >= old.id
            AND NOT EXISTS (SELECT 1 FROM earlier_topic e WHERE e.topic = old.id AND e.release >= r.id)
    ) BEGIN
    SELECT RAISE (ABORT, 'a release has this topic: it stays as it is');
END;
CREATE TRIGGER run_released_stays BEFORE DELETE ON run
WHEN old.id <= (SELECT max(json_extract(last, '$.run')) FROM release) BEGIN
    SELECT RAISE (ABORT, 'a release has this run: it stays');
END;
CREATE TRIGGER ranking_released_stays BEFORE DELETE ON ranking
WHEN old.run <= (SELECT max(json_extract(last, '$.run')) FROM release) BEGIN
    SELECT RAISE (ABORT, 'a release has this run: it stays');
END;
CREATE TRIGGER pool_released_stays BEFORE DELETE ON pool
WHEN old.id <= (SELECT max(json_extract(last, '$.pool')) FROM release) BEGIN
    SELECT RAISE (ABORT, 'a release has this pool: it stays');
END;
CREATE TRIGGER answer_released_stays BEFORE DELETE ON answer
WHEN old.id <= (SELECT max(json_extract(last, '$.answer')) FROM release) BEGIN
    SELECT RAISE (ABORT, 'a release has this answer: it stays');
END;
CREATE TRIGGER ranking_released BEFORE UPDATE ON ranking
WHEN old.run <= (SELECT max(json_extract(last, '$.run')) FROM release) BEGIN
    SELECT RAISE (ABORT, 'a release has this run: it stays as it is');
END;
CREATE TRIGGER release_unchanged BEFORE UPDATE ON release BEGIN
    SELECT RAISE (ABORT, 'releases are never changed');
END;
CREATE TRIGGER release_stays BEFORE DELETE ON release BEGIN
    SELECT RAISE (ABORT, 'releases are never deleted');
END;
CREATE TRIGGER release_new BEFORE INSERT ON release WHEN EXISTS (SELECT 1 FROM release WHERE id = new.id OR name = new.name) BEGIN
    SELECT RAISE (ABORT, 'releases are never replaced');
END;
CREATE TRIGGER earlier_document_unchanged BEFORE UPDATE ON earlier_document BEGIN
    SELECT RAISE (ABORT, 'releases are never changed');
END;
CREATE TRIGGER earlier_document_stays BEFORE DELETE ON earlier_document BEGIN
    SELECT RAISE (ABORT, 'releases are never deleted');
END;
CREATE TRIGGER earlier_document_new BEFORE INSERT ON earlier_document WHEN EXISTS (SELECT 1 FROM earlier_document WHERE document = new.document AND release = new.release) BEGIN
    SELECT RAISE (ABORT, 'releases are never replaced');
END;
CREATE TRIGGER earlier_topic_unchanged BEFORE UPDATE ON earlier_topic BEGIN
    SELECT RAISE (ABORT, 'releases are never changed');
END;
CREATE TRIGGER earlier_topic_stays BEFORE DELETE ON earlier_topic BEGIN
    SELECT RAISE (ABORT, 'releases are never deleted');
END;
CREATE TRIGGER earlier_topic_new BEFORE INSERT ON earlier_topic WHEN EXISTS (SELECT 1 FROM earlier_topic WHERE topic = new.topic AND release = new.release) BEGIN
    SELECT RAISE (ABORT, 'releases are never replaced');
END;
CREATE TRIGGER import_unchanged BEFORE UPDATE ON import WHEN old.last_event IS NOT NULL BEGIN
    SELECT RAISE (ABORT, 'imports are never changed: `cranfield store remove` takes one back');
END;
CREATE TRIGGER import_stays BEFORE DELETE ON import BEGIN
    SELECT RAISE (ABORT, 'imports are never deleted: `cranfield store remove` takes one back');
END;
CREATE INDEX claim_event_item ON claim_event (answer, claim, assessor);
CREATE INDEX claim_event_retracted ON claim_event (supersedes) WHERE kind = 'retract';
CREATE VIEW current_claim_event AS  -- the last word of each assessor that was not taken back: whether the documents of an answer, taken together, say a claim
SELECT e.*, a.name, a.kind AS assessor_kind FROM claim_event e JOIN assessor a ON a.id = e.assessor WHERE e.id IN (
    SELECT max(w.id) FROM claim_event w WHERE w.kind IN ('label', 'later', 'cannot-judge')
        AND NOT EXISTS (SELECT 1 FROM claim_event r WHERE r.kind = 'retract' AND r.supersedes = w.id)
    GROUP BY answer, claim, assessor);
CREATE TRIGGER claim_event_unchanged BEFORE UPDATE ON claim_event BEGIN
    SELECT RAISE (ABORT, 'claim_event is append-only: nothing in it is changed');
END;
CREATE TRIGGER claim_event_stays BEFORE DELETE ON claim_event BEGIN
    SELECT RAISE (ABORT, 'claim_event is append-only: nothing in it is deleted');
END;
CREATE TRIGGER claim_event_new BEFORE INSERT ON claim_event WHEN EXISTS (SELECT 1 FROM claim_event WHERE id = new.id) BEGIN
    SELECT RAISE (ABORT, 'claim_event is append-only: nothing in it is replaced');
END;
CREATE INDEX claim_about ON claim (topic, answer);
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
CREATE TRIGGER impression_unchanged BEFORE UPDATE ON impression BEGIN
    SELECT RAISE (ABORT, 'logs are never changed: `cranfield store remove` takes an import back');
END;
CREATE TRIGGER impression_stays BEFORE DELETE ON impression
WHEN EXISTS (SELECT 1 FROM import WHERE id = old.import AND last_event IS NOT NULL)
    AND NOT EXISTS (SELECT 1 FROM removal WHERE kind = 'import' AND name = CAST(old.import AS TEXT))
    OR old.import IS NULL BEGIN
    SELECT RAISE (ABORT, 'logs are never deleted: `cranfield store remove` takes an import back');
END;
CREATE UNIQUE INDEX impression_name ON impression (name);
