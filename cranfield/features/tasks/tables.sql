-- A shared task: its description, its teams, what they submitted, and what became of it.

CREATE TABLE task (  -- append-only: the versions of the task's description
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,  -- UTC
    text TEXT NOT NULL  -- TOML
) STRICT;

CREATE TABLE task_phase (  -- append-only: the phases that the organisers began, besides those that dates begin
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,  -- UTC
    phase TEXT NOT NULL CHECK (phase IN ('announced', 'topics', 'open', 'closed', 'results')),
    reason TEXT NOT NULL DEFAULT ''  -- of going back
) STRICT;

CREATE TABLE team (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,  -- UTC
    name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE team_contact (  -- in no chain and no archive
    team INTEGER PRIMARY KEY REFERENCES team (id),
    contact TEXT NOT NULL
) STRICT;

CREATE TABLE team_link (  -- in no chain: tokens are stored as their hashes only
    id INTEGER PRIMARY KEY,
    team INTEGER NOT NULL REFERENCES team (id),
    token_sha256 TEXT NOT NULL UNIQUE,
    at TEXT NOT NULL,  -- UTC
    revoked TEXT  -- UTC
) STRICT;

CREATE TABLE terms_accepted (  -- append-only
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,  -- UTC
    team INTEGER NOT NULL REFERENCES team (id),
    sha256 TEXT NOT NULL  -- of the terms
) STRICT;

CREATE TABLE submission (  -- append-only: a run as a team sent it
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    team INTEGER NOT NULL REFERENCES team (id),
    tag TEXT NOT NULL,
    at TEXT NOT NULL,  -- UTC
    received TEXT NOT NULL,  -- UTC, the last byte
    late INTEGER NOT NULL CHECK (late IN (0, 1)),
    bytes INTEGER NOT NULL,
    sha256 TEXT NOT NULL,  -- of the file as sent
    unpacked INTEGER NOT NULL,  -- bytes
    unpacked_sha256 TEXT NOT NULL,
    priority INTEGER NOT NULL,
    metadata TEXT NOT NULL  -- JSON, what the form and the header of the file say
) STRICT;

CREATE INDEX submission_team ON submission (team, tag);

CREATE TABLE submission_upload (  -- a file that was sent; deleted when it is replaced, or withdrawn before the close
    id INTEGER PRIMARY KEY,
    submission INTEGER UNIQUE REFERENCES submission (id)  -- NULL until it is accepted
) STRICT;

CREATE TABLE submission_piece (  -- of such a file
    id INTEGER PRIMARY KEY,
    upload INTEGER NOT NULL REFERENCES submission_upload (id) ON DELETE CASCADE,
    content BLOB NOT NULL
) STRICT;

CREATE INDEX submission_piece_upload ON submission_piece (upload);

CREATE TABLE submission_event (  -- append-only
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,  -- UTC
    submission INTEGER NOT NULL REFERENCES submission (id),
    kind TEXT NOT NULL CHECK (kind IN ('accepted', 'replaced', 'withdrawn', 'taken', 'scored')),
    said TEXT NOT NULL DEFAULT ''  -- JSON: of one that was accepted, what its receipt says
) STRICT;

CREATE INDEX submission_event_submission ON submission_event (submission);

CREATE VIEW submission_log AS  -- every event, with names for numbers
SELECT e.id, e.at, e.kind, t.name AS team, s.tag, s.received, s.late, s.sha256, s.unpacked_sha256, s.priority, e.said
FROM submission_event e JOIN submission s ON s.id = e.submission JOIN team t ON t.id = s.team;
