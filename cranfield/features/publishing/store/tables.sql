-- What people say of the collection that is to be published, and what published logs said.

CREATE TABLE publication (  -- what people say of the collection that is to be published
    field TEXT PRIMARY KEY,  -- a key of `cranfield publish describe`
    value TEXT NOT NULL  -- JSON: a text or a list
) STRICT, WITHOUT ROWID;

CREATE TABLE published_log (  -- append-only: what the folder said of a log whose events were imported from it
    origin TEXT PRIMARY KEY REFERENCES origin (id),  -- of the imported events; the id of each is its commitment
    events INTEGER NOT NULL,
    head TEXT NOT NULL,  -- of the log that was published
    chains TEXT NOT NULL  -- JSON, the last commitment of each of its chains
) STRICT, WITHOUT ROWID;

CREATE TRIGGER published_log_unchanged BEFORE UPDATE ON published_log BEGIN
    SELECT RAISE (ABORT, 'what was published is never changed');
END;
CREATE TRIGGER published_log_stays BEFORE DELETE ON published_log BEGIN
    SELECT RAISE (ABORT, 'what was published is never deleted');
END;
