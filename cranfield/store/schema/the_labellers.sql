-- An invitation can be to make nuggets, or to label answers or citations.

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
