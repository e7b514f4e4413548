"""What comes along with runs and judgments: metadata of a run, the strata of a sample, grades by subtopic."""

from __future__ import annotations

DETAILS = """
ALTER TABLE run ADD COLUMN metadata TEXT;  -- JSON, what the ir_metadata header of its file says

CREATE TABLE frame_document (  -- every document that a stratified pool could have drawn, with its stratum
    pool INTEGER NOT NULL REFERENCES pool (id) ON DELETE CASCADE,
    topic INTEGER NOT NULL REFERENCES topic (id),
    document INTEGER NOT NULL REFERENCES document (id),
    stratum TEXT NOT NULL,
    PRIMARY KEY (pool, topic, document)
) STRICT, WITHOUT ROWID;

CREATE TABLE subtopic_grade (  -- append-only: the grade of an imported judgment in each subtopic; it has the best
    event INTEGER NOT NULL REFERENCES judgment_event (id),
    subtopic TEXT NOT NULL,
    grade INTEGER NOT NULL,
    PRIMARY KEY (event, subtopic)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER subtopic_grade_unchanged BEFORE UPDATE ON subtopic_grade BEGIN
    SELECT RAISE (ABORT, 'judgments are never changed: append an event');
END;
CREATE TRIGGER subtopic_grade_stays BEFORE DELETE ON subtopic_grade BEGIN
    SELECT RAISE (ABORT, 'judgments are never deleted: append a retract event');
END;
"""
