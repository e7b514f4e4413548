-- What runs and judgments name and nobody added; runs of nothing contribute to no pool.

ALTER TABLE document ADD COLUMN removed INTEGER NOT NULL DEFAULT 0  -- 1: taken back; the row keeps its place, for the
    CHECK (removed IN (0, 1));                                      -- row numbers are places in rankings' vocabulary
ALTER TABLE topic ADD COLUMN removed INTEGER NOT NULL DEFAULT 0  -- 1: taken back
    CHECK (removed IN (0, 1));
CREATE INDEX document_without_text ON document (removed) WHERE text IS NULL;

CREATE VIEW unknown_document AS  -- named by runs or judgments, but not in the corpus; where there is none, all are
SELECT id, docno FROM document WHERE text IS NULL AND removed = 0;

CREATE VIEW unknown_topic AS  -- named by runs or judgments, but not among the topics
SELECT id, qid FROM topic WHERE title IS NULL AND removed = 0;

UPDATE run SET pooled = 0 WHERE NOT EXISTS (SELECT 1 FROM ranking WHERE run = run.id);  -- they retrieved nothing
