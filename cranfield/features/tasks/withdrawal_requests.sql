-- Requests of teams to withdraw runs after the close, and what the organiser decided.

CREATE TABLE withdrawal_request (  -- append-only: a team asks for a withdrawal after the close; the organiser decides
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,  -- UTC
    submission INTEGER NOT NULL REFERENCES submission (id),
    kind TEXT NOT NULL CHECK (kind IN ('asked', 'granted', 'refused')),
    reason TEXT NOT NULL  -- the team's or, where it is decided, the organiser's
) STRICT;

CREATE INDEX withdrawal_request_submission ON withdrawal_request (submission);
