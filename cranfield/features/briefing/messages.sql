-- Messages from the organiser to assessors.

CREATE TABLE message (  -- append-only: what the organiser tells an assessor, and that the assessor dismissed it
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id TEXT NOT NULL UNIQUE,
    at TEXT NOT NULL,  -- UTC
    assessor INTEGER NOT NULL REFERENCES assessor (id),  -- to whom
    text TEXT NOT NULL,  -- empty in a dismissal
    dismisses INTEGER REFERENCES message (id)  -- the message that the assessor has dismissed
) STRICT;

CREATE VIEW messages AS  -- what the organiser told assessors, with names, and whether it was dismissed
SELECT m.id, m.at, a.name AS assessor, m.text,
    EXISTS (SELECT 1 FROM message d WHERE d.dismisses = m.id) AS dismissed
FROM message m JOIN assessor a ON a.id = m.assessor WHERE m.dismisses IS NULL;
