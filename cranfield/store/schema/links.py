"""The chain of what is said of answers and of pairs of documents, and the imports that brought some of it."""

from __future__ import annotations

from cranfield.store.schema.answers import MORE_IMPORTS

PREFERENCE_IMPORTS = MORE_IMPORTS.replace("'log'", "'log', 'preferences'")
LINKS = """
CREATE TABLE event_link (  -- append-only: the events of all logs but that of judgments, as they were recorded
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    log TEXT NOT NULL,  -- nugget_edit, nugget_event, support_event, preference_event
    event INTEGER NOT NULL,  -- its id there
    import INTEGER REFERENCES import (id),  -- that brought it
    origin TEXT NOT NULL REFERENCES origin (id),
    previous TEXT NOT NULL,  -- the hash of the link before it of this origin
    hash TEXT NOT NULL,  -- of `previous` and all that the event says
    UNIQUE (log, event)
) STRICT;

CREATE INDEX event_link_origin ON event_link (origin, id);
CREATE INDEX event_link_import ON event_link (import) WHERE import IS NOT NULL;
"""
LINK_GUARDS = """
CREATE TRIGGER event_link_unchanged BEFORE UPDATE ON event_link BEGIN
    SELECT RAISE (ABORT, 'links of the logs are never changed');
END;
CREATE TRIGGER event_link_stays BEFORE DELETE ON event_link BEGIN
    SELECT RAISE (ABORT, 'links of the logs are never deleted');
END;
CREATE TRIGGER event_link_new BEFORE INSERT ON event_link
WHEN EXISTS (SELECT 1 FROM event_link WHERE id = new.id OR (log = new.log AND event = new.event)) BEGIN
    SELECT RAISE (ABORT, 'links of the logs are never replaced');
END;
"""
