-- SQLite's own check of a file finds NULLs where a key without rowids is not the first of the columns.

CREATE TEMP TABLE kept AS SELECT topic, document, purpose, plan FROM sampled;
DROP TABLE sampled;
CREATE TABLE sampled (  -- documents drawn beforehand: for a second assessor, or to be shown twice to the first
    topic INTEGER NOT NULL REFERENCES topic (id),
    document INTEGER NOT NULL REFERENCES document (id),
    purpose TEXT NOT NULL CHECK (purpose IN ('overlap', 'repeat')),
    plan INTEGER NOT NULL REFERENCES plan (id),
    PRIMARY KEY (topic, document, purpose)
) STRICT, WITHOUT ROWID;
INSERT INTO sampled SELECT topic, document, purpose, plan FROM temp.kept;
DROP TABLE temp.kept;
