-- Rounds: which topics and documents each has, and which judgments. All are append-only.

CREATE TABLE round (  -- append-only: when each round began, and with what
    id INTEGER PRIMARY KEY,  -- 1, 2, ...: their order
    name TEXT NOT NULL UNIQUE,
    opened TEXT NOT NULL,  -- UTC
    first_event INTEGER NOT NULL,  -- judgments from this event on are of it, until the next one is opened
    topics TEXT,  -- JSON, its qids; NULL: all that had come by then
    documents BLOB,  -- document.id, little-endian 32-bit integers; NULL: all
    documents_sha256 TEXT  -- of these
) STRICT;

CREATE TABLE round_end (  -- the rounds that are closed
    id INTEGER PRIMARY KEY REFERENCES round (id),
    closed TEXT NOT NULL  -- UTC
) STRICT;

CREATE TABLE round_import (  -- imports that were said to be of a round
    id INTEGER PRIMARY KEY REFERENCES import (id),
    round INTEGER NOT NULL
) STRICT;

CREATE TABLE same_system (  -- runs of different teams or tags that are of one system, as somebody declared
    id INTEGER PRIMARY KEY,
    at TEXT NOT NULL,  -- UTC
    run TEXT NOT NULL,
    earlier TEXT NOT NULL
) STRICT;

CREATE TRIGGER round_unchanged BEFORE UPDATE ON round BEGIN
    SELECT RAISE (ABORT, 'rounds are never changed');
END;
CREATE TRIGGER round_stays BEFORE DELETE ON round BEGIN
    SELECT RAISE (ABORT, 'rounds are never deleted');
END;
