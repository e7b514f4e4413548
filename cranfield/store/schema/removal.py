"""The tables, triggers and views of what is unknown here, and of what was removed."""

from __future__ import annotations

UNKNOWN = """
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
"""

WAY_BACK = """
CREATE TABLE import (  -- append-only: what came from files, and when
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,  -- UTC
    kind TEXT NOT NULL CHECK (kind IN ('corpus', 'topics', 'runs', 'qrels', 'votes')),
    files TEXT NOT NULL,  -- JSON, their names
    first_event INTEGER NOT NULL,  -- its events of judgment_event have ids from this one ...
    last_event INTEGER  -- ... to this one; none where it is the lower
) STRICT;

CREATE TABLE removal (  -- append-only: what was taken back
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,  -- UTC
    kind TEXT NOT NULL CHECK (kind IN ('run', 'topic', 'pool', 'import')),
    name TEXT NOT NULL,  -- the tag, the qid, the number
    what TEXT NOT NULL,  -- JSON, what it was; the rankings of a run are not kept
    reason TEXT NOT NULL DEFAULT ''
) STRICT;

ALTER TABLE document ADD COLUMN import INTEGER REFERENCES import (id);  -- that brought its text
ALTER TABLE topic ADD COLUMN import INTEGER REFERENCES import (id);  -- that brought its title
ALTER TABLE run ADD COLUMN import INTEGER REFERENCES import (id);

CREATE TRIGGER import_unchanged BEFORE UPDATE ON import WHEN old.last_event IS NOT NULL BEGIN
    SELECT RAISE (ABORT, 'imports are never changed: `cranfield store remove` takes one back');
END;
CREATE TRIGGER import_stays BEFORE DELETE ON import BEGIN
    SELECT RAISE (ABORT, 'imports are never deleted: `cranfield store remove` takes one back');
END;
CREATE TRIGGER removal_unchanged BEFORE UPDATE ON removal BEGIN
    SELECT RAISE (ABORT, 'removals are never changed');
END;
CREATE TRIGGER removal_stays BEFORE DELETE ON removal BEGIN
    SELECT RAISE (ABORT, 'removals are never deleted');
END;

CREATE VIEW standing_event AS  -- what assessors did and nobody took back
SELECT e.* FROM judgment_event e WHERE e.kind <> 'retract'
    AND NOT EXISTS (SELECT 1 FROM judgment_event r WHERE r.kind = 'retract' AND r.supersedes = e.id);
"""
