"""What the store keeps of interaction logs. Releases have none of it: its documents and topics may have come later."""

from pathlib import Path

from cranfield.store.tables import Presentation, Table, Tables, TopicUse

SHOWN = {
    "action": Presentation("Interaction log: actions", None, ("kind", "position")),
    "arm": Presentation("Experiments: arms", "name", ("experiment",)),
    "experiment": Presentation("Experiments", "name", ("kind",)),
    "impression": Presentation("Interaction log: lists shown", "name", ("experiment", "arm")),
    "query": Presentation("Interaction log: queries", "text"),
}
TABLES = Tables(
    Path(__file__).with_suffix(".sql").read_text("utf-8"),
    (
        Table("user_salt"),
        Table("experiment", "empty"),
        Table("arm", "empty"),
        Table("query", "empty"),
        Table("action", "empty"),
        Table("impression", "empty", names_topics=True,
              unpublished=("list of the interaction log", "lists of the interaction log")),
    ),
    counts={"impression": "impression"},
    topic_uses=(
        TopicUse("SELECT count(*) FROM impression WHERE topic = ?", "list", "{} of the interaction log are of it"),
    ),
    imports={"log": {"impression": "list"}},
    names={"experiment": "SELECT name FROM experiment", "arm": "SELECT DISTINCT name FROM arm"},
    shown=SHOWN,
    hidden=("user_salt",),
)  # fmt: skip
ATTRIBUTE_TABLES = """
CREATE TABLE attribute (  -- append-only: goes with its list, and with its user
    impression INTEGER NOT NULL REFERENCES impression (id),
    name TEXT NOT NULL,
    of TEXT NOT NULL CHECK (of IN ('list', 'document')),
    value TEXT NOT NULL,  -- of documents: a JSON array, in the order of the list
    PRIMARY KEY (impression, name)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER attribute_unchanged BEFORE UPDATE ON attribute BEGIN
    SELECT RAISE (ABORT, 'logs are never changed: `cranfield store remove` takes an import back');
END;
CREATE TRIGGER attribute_stays BEFORE DELETE ON attribute
WHEN EXISTS (SELECT 1 FROM impression m LEFT JOIN import i ON i.id = m.import WHERE m.id = old.impression
    AND (m.import IS NULL OR i.last_event IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM removal WHERE kind = 'import' AND name = CAST(m.import AS TEXT))))
    AND NOT EXISTS (SELECT 1 FROM redaction WHERE log = 'impression' AND item = CAST(old.impression AS TEXT)) BEGIN
    SELECT RAISE (ABORT, 'logs are never deleted: `cranfield store remove` takes an import back');
END;
"""
ATTRIBUTES = Tables(
    ATTRIBUTE_TABLES,
    (Table("attribute", "empty"),),
    shown={"attribute": Presentation("Interaction log: attributes", None, ("name", "of"))},
)
FILE_TABLES = """
CREATE TABLE log_file (  -- files that were imported, all of whose lists are in the log
    sha256 TEXT PRIMARY KEY,  -- of their bytes, and of how they were read
    lists INTEGER NOT NULL,
    notes TEXT NOT NULL  -- JSON: what was said of them
) STRICT, WITHOUT ROWID;

CREATE TRIGGER log_file_of_deleted AFTER DELETE ON impression BEGIN DELETE FROM log_file; END;
CREATE TRIGGER log_file_of_erased AFTER UPDATE OF name ON impression BEGIN DELETE FROM log_file; END;
"""
FILES = Tables(
    FILE_TABLES,
    (Table("log_file", "empty", json={"notes": "array"}),),
    shown={"log_file": Presentation("Interaction log: files")},
)
