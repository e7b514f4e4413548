-- Who decided a withdrawal, or its end, where that is said.

CREATE TABLE withdrawn_by (  -- append-only: who withdrew something, or restored it
    id INTEGER PRIMARY KEY REFERENCES withdrawal (id),
    assessor INTEGER NOT NULL REFERENCES assessor (id)
) STRICT;
