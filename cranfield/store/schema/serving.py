"""What serving a store adds: who was invited to judge in the browser, and the key of the pages' tokens."""

from __future__ import annotations

SERVING = """
CREATE TABLE invitation (  -- a link for an assessor; its token is known to the assessor alone
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    assessor INTEGER NOT NULL REFERENCES assessor (id),
    token_sha256 TEXT NOT NULL UNIQUE,
    at TEXT NOT NULL,  -- UTC
    expires TEXT,  -- UTC; NULL: never
    revoked TEXT  -- UTC; NULL: not revoked
) STRICT;

CREATE TABLE serving_key (  -- what the opaque names of documents are made with; they outlive a restart
    id INTEGER PRIMARY KEY CHECK (id = 1),
    key BLOB NOT NULL CHECK (length(key) = 32)
) STRICT;
"""

ROLES = """
ALTER TABLE invitation ADD COLUMN role TEXT NOT NULL DEFAULT 'judge'  -- what the link is for
    CHECK (role IN ('judge', 'adjudicate'));
"""

MORE_ROLES = """
ALTER TABLE invitation RENAME TO invitation_before;
CREATE TABLE invitation (  -- a link for an assessor; its token is known to the assessor alone
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    assessor INTEGER NOT NULL REFERENCES assessor (id),
    token_sha256 TEXT NOT NULL UNIQUE,
    at TEXT NOT NULL,  -- UTC
    expires TEXT,  -- UTC; NULL: never
    revoked TEXT,  -- UTC; NULL: not revoked
    role TEXT NOT NULL DEFAULT 'judge'  -- what the link is for
        CHECK (role IN ('judge', 'adjudicate', 'prefer', 'nuggets', 'assign', 'support', 'support-each'))
) STRICT;
INSERT INTO invitation SELECT id, assessor, token_sha256, at, expires, revoked, role FROM invitation_before;
DROP TABLE invitation_before;
"""
