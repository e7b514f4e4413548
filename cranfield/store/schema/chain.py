"""What makes the logs tamper-evident: hashes, seals, links, recorded changes, erasures and releases."""

from collections.abc import Iterator, Sequence
from secrets import token_bytes
from sqlite3 import Connection
from uuid import uuid4

from cranfield.store.chain import FIRST_SAID, Context, Event, add_origin, begin, first_hash, first_link_hash, scale_of
from cranfield.store.changes import KINDS, Kind
from cranfield.store.links import said_in
from cranfield.store.schema.answers import APPENDED, MORE_IMPORTS

COLUMNS = """
CREATE TABLE origin (  -- append-only: where events came into being; each has a chain of its own
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('store', 'bundle', 'import', 'earlier')),  -- earlier: before there were chains
    name TEXT NOT NULL,  -- of the file, where there is one
    made TEXT NOT NULL  -- UTC
) STRICT;

ALTER TABLE collection ADD COLUMN origin TEXT NOT NULL DEFAULT '';  -- of the events that come into being here
ALTER TABLE judgment_event ADD COLUMN origin TEXT NOT NULL DEFAULT '';
ALTER TABLE judgment_event ADD COLUMN previous TEXT NOT NULL DEFAULT '';  -- the hash of the event before it there
ALTER TABLE judgment_event ADD COLUMN hash TEXT NOT NULL DEFAULT '';  -- of `previous` and all that the event says
CREATE INDEX judgment_event_origin ON judgment_event (origin, id);
"""

FREE = "DROP TRIGGER judgment_event_unchanged;"  # while events that were there before are chained

GUARDS = """
CREATE TRIGGER judgment_event_unchanged BEFORE UPDATE ON judgment_event BEGIN
    SELECT RAISE (ABORT, 'judgments are never changed: append an event');
END;
CREATE TRIGGER judgment_event_new BEFORE INSERT ON judgment_event
WHEN EXISTS (SELECT 1 FROM judgment_event WHERE id = new.id OR event_id = new.event_id) BEGIN
    SELECT RAISE (ABORT, 'judgments are never replaced: append an event');
END;
CREATE TRIGGER judgment_event_on_scale BEFORE INSERT ON judgment_event
WHEN new.grade IS NOT NULL AND new.grade NOT IN (SELECT CAST(key AS INTEGER) FROM collection, json_each(grades)) BEGIN
    SELECT RAISE (ABORT, 'the grade is not on the scale of this collection');
END;
CREATE TRIGGER assessor_keeps_kind BEFORE UPDATE OF id, name, kind ON assessor
WHEN EXISTS (SELECT 1 FROM judgment_event WHERE assessor = old.id) BEGIN
    SELECT RAISE (ABORT, 'judgments exist: whose they are does not change');
END;
CREATE TRIGGER assessor_new BEFORE INSERT ON assessor
WHEN EXISTS (SELECT 1 FROM assessor WHERE id = new.id OR name = new.name) BEGIN
    SELECT RAISE (ABORT, 'this assessor is known already');
END;
CREATE TRIGGER assessor_stays BEFORE DELETE ON assessor
WHEN EXISTS (SELECT 1 FROM judgment_event WHERE assessor = old.id) BEGIN
    SELECT RAISE (ABORT, 'judgments exist: whose they are does not change');
END;
CREATE TRIGGER collection_new BEFORE INSERT ON collection WHEN EXISTS (SELECT 1 FROM collection) BEGIN
    SELECT RAISE (ABORT, 'a store has one collection');
END;
CREATE TRIGGER collection_stays BEFORE DELETE ON collection BEGIN
    SELECT RAISE (ABORT, 'a store has one collection');
END;
CREATE TRIGGER origin_unchanged BEFORE UPDATE ON origin BEGIN
    SELECT RAISE (ABORT, 'origins are never changed');
END;
CREATE TRIGGER origin_stays BEFORE DELETE ON origin BEGIN
    SELECT RAISE (ABORT, 'origins are never deleted');
END;
CREATE TRIGGER origin_new BEFORE INSERT ON origin WHEN EXISTS (SELECT 1 FROM origin WHERE id = new.id) BEGIN
    SELECT RAISE (ABORT, 'origins are never replaced');
END;
"""

LOG = """
DROP VIEW judgment_log;
CREATE VIEW judgment_log AS  -- every event, with names for numbers
SELECT e.id, e.at, e.kind, t.qid, d.docno, a.name AS assessor, a.kind AS assessor_kind, e.grade, e.unsure,
    e.reason, e.note, e.evidence, e.source, e.seconds, e.position, e.order_policy, e.order_seed,
    e.document_sha256, e.pool, e.supersedes, e.event_id, e.input, e.fast, e.highlight_terms, e.docno_shown,
    e.origin, e.previous, e.hash
FROM judgment_event e
JOIN topic t ON t.id = e.topic JOIN document d ON d.id = e.document JOIN assessor a ON a.id = e.assessor;
"""


SEALS = f"""
ALTER TABLE collection ADD COLUMN rule INTEGER NOT NULL DEFAULT 2  -- by which judgments are hashed; 1: as a bundle that
    CHECK (rule IN (1, 2));                                        -- was made before there was the second rule
ALTER TABLE judgment_event ADD COLUMN rule INTEGER NOT NULL DEFAULT 1 CHECK (rule IN (1, 2));  -- by which it is hashed
ALTER TABLE event_link ADD COLUMN rule INTEGER NOT NULL DEFAULT 1 CHECK (rule IN (1, 2));  -- by which it is hashed
ALTER TABLE assessor ADD COLUMN uid TEXT NOT NULL DEFAULT '';  -- random: what stands for the name in hashes
CREATE UNIQUE INDEX assessor_uid ON assessor (uid) WHERE uid <> '';

CREATE TABLE assessor_salt (  -- of the seals of what an assessor wrote; deleted when she is erased
    assessor INTEGER PRIMARY KEY REFERENCES assessor (id),
    salt BLOB NOT NULL
) STRICT;

UPDATE collection SET rule = 1 WHERE EXISTS (SELECT 1 FROM bundle);
{LOG.replace("e.hash", "e.hash, e.rule")}"""
SEAL_GUARDS = """
CREATE TRIGGER assessor_keeps_uid BEFORE UPDATE OF uid ON assessor WHEN old.uid <> '' BEGIN
    SELECT RAISE (ABORT, 'the id of an assessor is never changed: hashes have it');
END;
CREATE TRIGGER assessor_salt_unchanged BEFORE UPDATE ON assessor_salt BEGIN
    SELECT RAISE (ABORT, 'salts are never changed: seals are made with them');
END;
"""


def give_ids(conn: Connection) -> None:
    """Give every assessor an id and a salt."""
    for (number,) in conn.execute("SELECT id FROM assessor ORDER BY id").fetchall():
        conn.execute("UPDATE assessor SET uid = ? WHERE id = ?", [uuid4().hex, number])
        conn.execute("INSERT INTO assessor_salt VALUES (?, ?)", [number, token_bytes(32)])


ERASURES = f"""
CREATE TABLE erasure (  -- append-only: who was erased from this store, and why
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,  -- UTC
    kind TEXT NOT NULL CHECK (kind IN ('assessor', 'user')),
    name TEXT NOT NULL,  -- what stands for the name
    what TEXT NOT NULL,  -- JSON, in how many rows of each table something was erased
    reason TEXT NOT NULL,
    sha256 TEXT NOT NULL  -- of its redactions
) STRICT;

CREATE TABLE redaction (  -- append-only: the rows in which something was erased
    log TEXT NOT NULL,  -- the table
    item TEXT NOT NULL,  -- the number or id of the row
    erasure INTEGER NOT NULL REFERENCES erasure (id),
    kept TEXT NOT NULL,  -- its seal; of what was hashed whole, the hash of what remains
    PRIMARY KEY (log, item, erasure)
) STRICT, WITHOUT ROWID;
{APPENDED.format(table="erasure")}
CREATE TRIGGER redaction_unchanged BEFORE UPDATE ON redaction BEGIN
    SELECT RAISE (ABORT, 'redaction is append-only: nothing in it is changed');
END;
CREATE TRIGGER redaction_stays BEFORE DELETE ON redaction BEGIN
    SELECT RAISE (ABORT, 'redaction is append-only: nothing in it is deleted');
END;
"""
ERASED = {  # what can be erased of a row, and only with its redaction
    "judgment_event": ("reason", "note", "seconds", "highlight_terms", "evidence"),
    "nugget_edit": ("seconds",),
    **dict.fromkeys(
        ("nugget_event", "claim_event", "support_event", "preference_event"), ("reason", "note", "evidence", "seconds")
    ),
    "criterion": ("text",),
    "origin": ("name",),
    "release": ("kept", "hashes"),
    "impression": ("name", "user", "session"),
    "query": ("text",),
}
GUARD = """
CREATE TRIGGER {table}_unchanged BEFORE UPDATE ON {table}
WHEN NOT EXISTS (SELECT 1 FROM redaction WHERE log = '{table}' AND item = CAST(old.id AS TEXT))
    OR {changed} BEGIN{action}
END;
"""
NAME = """
DROP TRIGGER assessor_keeps_kind;
CREATE TRIGGER assessor_keeps_kind BEFORE UPDATE OF id, name, kind ON assessor
WHEN EXISTS (SELECT 1 FROM judgment_event WHERE assessor = old.id)
    AND (new.id <> old.id OR new.kind <> old.kind OR new.name NOT LIKE 'erased %'
    OR NOT EXISTS (SELECT 1 FROM redaction WHERE log = 'assessor' AND item = CAST(old.id AS TEXT))) BEGIN
    SELECT RAISE (ABORT, 'judgments exist: whose they are does not change');
END;
"""


def let_redactions_through(conn: Connection) -> str:
    """The guards of these tables, made again: a row with a redaction may lose what is personal, and nothing else."""
    return NAME + "".join(f"DROP TRIGGER {table}_unchanged;\n{_guard(conn, table)}" for table in ERASED)


def _guard(conn: Connection, table: str) -> str:
    named = "SELECT sql FROM sqlite_master WHERE name = ?"
    _, _, rest = conn.execute(named, [f"{table}_unchanged"]).fetchone()[0].partition("BEGIN")
    columns = [name for _, name, *_ in conn.execute(f"PRAGMA table_info({table})")]
    kept = [f"new.{name} IS NOT old.{name}" for name in columns if name not in ERASED[table]]
    gone = "new.{0} IS NOT old.{0} AND coalesce(new.{0}, '') <> '' AND new.{0} NOT LIKE 'erased %'"
    erased = [gone.format(name) for name in ERASED[table] if table != "release"]
    return GUARD.format(table=table, changed="\n    OR ".join((*kept, *erased)), action=rest.removesuffix("\nEND"))


CHANGES = """
CREATE TABLE change (  -- append-only: what decides labels, pools and who judges, each time that it changed
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,  -- UTC
    kind TEXT NOT NULL,  -- the table
    name TEXT NOT NULL,  -- of one of its rows, or of rows that were recorded together: their key
    said TEXT,  -- JSON, what it says from now on, or the hash of its rows; NULL: it is gone
    sealed TEXT NOT NULL DEFAULT ''  -- the seal of what is personal in it
) STRICT;

CREATE INDEX change_name ON change (kind, name);

CREATE TABLE unrecorded (  -- what a transaction has touched; before and after one, what was changed by hand
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    UNIQUE (kind, name)
) STRICT;
"""
NEW = """
    INSERT OR IGNORE INTO unrecorded (kind, name) VALUES ('{table}', {name});"""
OLD = """  -- what is said of conflicts in an upsert overrules IGNORE
    INSERT INTO unrecorded (kind, name) SELECT '{table}', {name}
    WHERE NOT EXISTS (SELECT 1 FROM unrecorded WHERE kind = '{table}' AND name = {name});"""
TRIGGER = """
CREATE TRIGGER recorded_{table}_{event} AFTER {what} ON {table} BEGIN{notes}
END;
"""


def _triggers(kind: Kind) -> str:
    watched = ", ".join(dict.fromkeys((*kind.key, *kind.columns)))
    events = (("insert", "INSERT", NEW, "new"), ("update", f"UPDATE OF {watched}", OLD, "old", "new"),
              ("delete", "DELETE", NEW, "old"))  # fmt: skip
    return "".join(_trigger(kind, *event) for event in events if (kind.table, event[0]) != ("document", "insert"))


def _trigger(kind: Kind, event: str, what: str, note: str, *rows: str) -> str:
    names = (f"CAST({kind.name.format(row)} AS TEXT)" for row in rows)
    notes = "".join(note.format(table=kind.table, name=name) for name in names)
    return TRIGGER.format(table=kind.table, event=event, what=what, notes=notes)


NOTED = "".join(map(_triggers, KINDS.values()))
CHANGE_GUARDS = APPENDED.format(table="change") + NOTED


EARLIER = ("nugget_edit", "nugget_event", "support_event", "preference_event")  # the logs older than their chain


def chain_earlier(conn: Connection) -> None:
    """Chain the judgments of a store from before there were chains, while its schema does not forbid that yet."""
    if not conn.execute("SELECT 1 FROM collection").fetchone():
        return
    begin(conn)
    scale, previous, origin = scale_of(conn), "", ""
    for number, kind, superseded, event in list(_unchained(conn)):
        origin = origin or add_origin(conn, "earlier")
        link = event._replace(origin=origin, previous=previous)
        found = first_hash(link, Context(scale, kind, superseded))
        change = "UPDATE judgment_event SET origin = ?, previous = ?, hash = ? WHERE id = ?"
        conn.execute(change, [origin, previous, found, number])
        previous = found


def _unchained(conn: Connection) -> Iterator[tuple[int, str, str | None, Event]]:
    """The number of each event, the kind of its assessor, what it supersedes, and the event."""
    columns = [name for name in FIRST_SAID if name not in ("origin", "previous")]
    listed = f"SELECT {', '.join('l.' + name for name in columns)}, l.id, l.assessor_kind, s.event_id"
    for *said, number, kind, superseded in conn.execute(
        f"{listed} FROM judgment_log l LEFT JOIN judgment_event s ON s.id = l.supersedes ORDER BY l.id"
    ):
        yield number, kind, superseded, Event(**dict(zip(columns, said, strict=True)))


def link_earlier(conn: Connection, earlier: Sequence[str] = EARLIER) -> None:
    """Link the events of logs from before these were in a chain."""
    logs = [log for log in earlier if conn.execute(f"SELECT 1 FROM {log} LIMIT 1").fetchone()]
    origin, previous = add_origin(conn, "earlier") if logs else "", ""
    for log in logs:
        for said in said_in(conn, log):
            found = first_link_hash(log, origin, previous, [*said.values()])
            row = "INSERT INTO event_link (log, event, origin, previous, hash) VALUES (?, ?, ?, ?, ?)"
            conn.execute(row, [log, said["id"], origin, previous, found])
            previous = found


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


RELEASES = """
CREATE TABLE release (  -- append-only: named states of this store; one reads `track.db@NAME`
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    date TEXT NOT NULL,  -- of publication, YYYY-MM-DD
    note TEXT NOT NULL DEFAULT '',
    at TEXT NOT NULL,  -- UTC, when it was made
    version TEXT NOT NULL,  -- of the program that made it
    head TEXT NOT NULL,  -- of the judgment log
    counts TEXT NOT NULL,  -- JSON, how much of everything it has
    last TEXT NOT NULL,  -- JSON, by table: the number of its last row; later rows are not in this release
    kept TEXT NOT NULL,  -- JSON, by table: the rows of a table whose rows may change later
    hashes TEXT NOT NULL,  -- JSON, by table: the columns, and the SHA-256 of its rows
    sha256 TEXT NOT NULL  -- of all of the above
) STRICT;

CREATE TABLE earlier_document (  -- append-only: documents that changed later, as releases have them: without a text
    document INTEGER NOT NULL REFERENCES document (id),
    release INTEGER NOT NULL REFERENCES release (id),  -- and those before it, back to the next row of this document
    removed INTEGER NOT NULL CHECK (removed IN (0, 1)),
    PRIMARY KEY (document, release)
) STRICT, WITHOUT ROWID;

CREATE TABLE earlier_topic (  -- append-only: topics that changed later, as releases have them: without a text
    topic INTEGER NOT NULL REFERENCES topic (id),
    release INTEGER NOT NULL REFERENCES release (id),  -- and those before it, back to the next row of this topic
    removed INTEGER NOT NULL CHECK (removed IN (0, 1)),
    PRIMARY KEY (topic, release)
) STRICT, WITHOUT ROWID;
"""

STAYS_IN_RELEASES = """
CREATE TRIGGER {table}_changes BEFORE UPDATE ON {table}
WHEN old.{text} IS NULL AND (new.{text} IS NOT NULL OR new.removed <> old.removed)
    AND old.id <= (SELECT max(json_extract(last, '$.{table}')) FROM release) BEGIN
    INSERT INTO earlier_{table} ({table}, release, removed)
        SELECT old.id, r.id, old.removed FROM release r
        WHERE r.id = (SELECT max(id) FROM release WHERE json_extract(last, '$.{table}') >= old.id)
            AND NOT EXISTS (SELECT 1 FROM earlier_{table} e WHERE e.{table} = old.id AND e.release = r.id);
END;
CREATE TRIGGER {table}_released BEFORE UPDATE ON {table}
WHEN old.{text} IS NOT NULL AND old.id <= (SELECT max(json_extract(last, '$.{table}')) FROM release)
    AND EXISTS (
        SELECT 1 FROM release r WHERE json_extract(r.last, '$.{table}') >= old.id
            AND NOT EXISTS (SELECT 1 FROM earlier_{table} e WHERE e.{table} = old.id AND e.release >= r.id)
    ) BEGIN
    SELECT RAISE (ABORT, 'a release has this {table}: it stays as it is');
END;
"""

STAYS = """
CREATE TRIGGER {table}_released_stays BEFORE DELETE ON {table}
WHEN old.{number} <= (SELECT max(json_extract(last, '$.{of}')) FROM release) BEGIN
    SELECT RAISE (ABORT, 'a release has this {of}: it stays');
END;
"""

UNCHANGED = """
CREATE TRIGGER ranking_released BEFORE UPDATE ON ranking
WHEN old.run <= (SELECT max(json_extract(last, '$.run')) FROM release) BEGIN
    SELECT RAISE (ABORT, 'a release has this run: it stays as it is');
END;
"""

RELEASE_APPENDED = """
CREATE TRIGGER {table}_unchanged BEFORE UPDATE ON {table} BEGIN
    SELECT RAISE (ABORT, 'releases are never changed');
END;
CREATE TRIGGER {table}_stays BEFORE DELETE ON {table} BEGIN
    SELECT RAISE (ABORT, 'releases are never deleted');
END;
CREATE TRIGGER {table}_new BEFORE INSERT ON {table} WHEN EXISTS (SELECT 1 FROM {table} WHERE {same}) BEGIN
    SELECT RAISE (ABORT, 'releases are never replaced');
END;
"""

RELEASE_GUARDS = "".join((
    STAYS_IN_RELEASES.format(table="document", text="text"),
    STAYS_IN_RELEASES.format(table="topic", text="title"),
    STAYS.format(table="run", number="id", of="run"),
    STAYS.format(table="ranking", number="run", of="run"),
    STAYS.format(table="pool", number="id", of="pool"),
    STAYS.format(table="answer", number="id", of="answer"),
    UNCHANGED,
    RELEASE_APPENDED.format(table="release", same="id = new.id OR name = new.name"),
    *(
        RELEASE_APPENDED.format(table=f"earlier_{table}", same=f"{table} = new.{table} AND release = new.release")
        for table in ("document", "topic")
    ),
))  # fmt: skip
