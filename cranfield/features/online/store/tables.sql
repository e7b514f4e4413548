-- Interaction logs: what users of a search system saw and did.

CREATE TABLE user_salt (  -- users and sessions of logs are hashed with it; their own ids are not kept
    id INTEGER PRIMARY KEY CHECK (id = 1),
    salt BLOB NOT NULL
) STRICT;

CREATE TABLE experiment (  -- append-only: what the lists of a log were shown for
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL CHECK (kind IN ('ab', 'interleave', 'log')),
    method TEXT NOT NULL DEFAULT '',  -- of interleaving
    seed INTEGER,
    started TEXT NOT NULL  -- UTC
) STRICT;

CREATE TABLE arm (  -- append-only: the systems that an experiment compares; in interleaved lists, team a is the first
    id INTEGER PRIMARY KEY,
    experiment INTEGER NOT NULL REFERENCES experiment (id),
    name TEXT NOT NULL,  -- the tag of a run, where the system has one
    UNIQUE (experiment, name)
) STRICT;

CREATE TABLE query (  -- append-only: what users typed
    id INTEGER PRIMARY KEY,
    text TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE action (  -- append-only: what users did with a list
    impression INTEGER NOT NULL REFERENCES impression (id),
    number INTEGER NOT NULL,  -- from 1, in the order of the log
    at REAL,  -- seconds since 1970
    kind TEXT NOT NULL CHECK (kind IN ('click', 'dwell', 'convert', 'reformulate', 'hover')),
    document INTEGER REFERENCES document (id),
    position INTEGER,  -- of the document in the list, from 1
    seconds REAL,  -- of dwelling
    value REAL,  -- of a conversion
    PRIMARY KEY (impression, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE impression (  -- append-only: lists that were shown, one row per list
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,  -- its id in the log
    at REAL NOT NULL,  -- seconds since 1970
    experiment INTEGER NOT NULL REFERENCES experiment (id),
    arm INTEGER REFERENCES arm (id),
    user INTEGER,  -- a salted hash
    session INTEGER,  -- a salted hash
    query INTEGER NOT NULL REFERENCES query (id),
    topic INTEGER REFERENCES topic (id),  -- where the log has a qid; others are found by the text of the query
    first INTEGER NOT NULL DEFAULT 0,  -- documents on earlier pages
    documents BLOB NOT NULL,  -- little-endian 32-bit numbers of rows of `document`, in the order of the list
    teams BLOB,  -- one byte for each document of an interleaved list: 0 for team a; 255 for no team
    propensities BLOB,  -- little-endian doubles: the probability of each document at its position
    import INTEGER REFERENCES import (id)
) STRICT;

CREATE UNIQUE INDEX impression_name ON impression (name);

CREATE TRIGGER action_unchanged BEFORE UPDATE ON action BEGIN
    SELECT RAISE (ABORT, 'logs are never changed: `cranfield store remove` takes an import back');
END;
CREATE TRIGGER action_stays BEFORE DELETE ON action
WHEN EXISTS (SELECT 1 FROM impression m LEFT JOIN import i ON i.id = m.import WHERE m.id = old.impression
    AND (m.import IS NULL OR i.last_event IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM removal WHERE kind = 'import' AND name = CAST(m.import AS TEXT)))) BEGIN
    SELECT RAISE (ABORT, 'logs are never deleted: `cranfield store remove` takes an import back');
END;
CREATE TRIGGER experiment_unchanged BEFORE UPDATE ON experiment BEGIN
    SELECT RAISE (ABORT, 'experiments are never changed');
END;
CREATE TRIGGER experiment_stays BEFORE DELETE ON experiment BEGIN
    SELECT RAISE (ABORT, 'experiments are never deleted');
END;
CREATE TRIGGER arm_unchanged BEFORE UPDATE ON arm BEGIN
    SELECT RAISE (ABORT, 'arms are never changed');
END;
CREATE TRIGGER arm_stays BEFORE DELETE ON arm BEGIN
    SELECT RAISE (ABORT, 'arms are never deleted');
END;
CREATE TRIGGER user_salt_unchanged BEFORE UPDATE ON user_salt BEGIN
    SELECT RAISE (ABORT, 'the salt is never changed: users would be other users');
END;
CREATE TRIGGER user_salt_stays BEFORE DELETE ON user_salt BEGIN
    SELECT RAISE (ABORT, 'the salt is never deleted: users would be other users');
END;
CREATE TRIGGER impression_stays BEFORE DELETE ON impression
WHEN EXISTS (SELECT 1 FROM import WHERE id = old.import AND last_event IS NOT NULL)
    AND NOT EXISTS (SELECT 1 FROM removal WHERE kind = 'import' AND name = CAST(old.import AS TEXT))
    OR old.import IS NULL BEGIN
    SELECT RAISE (ABORT, 'logs are never deleted: `cranfield store remove` takes an import back');
END;
CREATE TRIGGER impression_unchanged BEFORE UPDATE ON impression
WHEN NOT EXISTS (SELECT 1 FROM redaction WHERE log = 'impression' AND item = CAST(old.id AS TEXT))
    OR new.id IS NOT old.id
    OR new.at IS NOT old.at
    OR new.experiment IS NOT old.experiment
    OR new.arm IS NOT old.arm
    OR new.query IS NOT old.query
    OR new.topic IS NOT old.topic
    OR new.first IS NOT old.first
    OR new.documents IS NOT old.documents
    OR new.teams IS NOT old.teams
    OR new.propensities IS NOT old.propensities
    OR new.import IS NOT old.import
    OR new.name IS NOT old.name AND coalesce(new.name, '') <> '' AND new.name NOT LIKE 'erased %'
    OR new.user IS NOT old.user AND coalesce(new.user, '') <> '' AND new.user NOT LIKE 'erased %'
    OR new.session IS NOT old.session AND coalesce(new.session, '') <> '' AND new.session NOT LIKE 'erased %' BEGIN
    SELECT RAISE (ABORT, 'logs are never changed: `cranfield store remove` takes an import back');
END;
CREATE TRIGGER query_unchanged BEFORE UPDATE ON query
WHEN NOT EXISTS (SELECT 1 FROM redaction WHERE log = 'query' AND item = CAST(old.id AS TEXT))
    OR new.id IS NOT old.id
    OR new.text IS NOT old.text AND coalesce(new.text, '') <> '' AND new.text NOT LIKE 'erased %' BEGIN
    SELECT RAISE (ABORT, 'queries are never changed');
END;
