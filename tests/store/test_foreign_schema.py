"""Stores of strangers: a schema that the program does not make is refused by name, and its data can be adopted."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from cranfield.errors import StoreError
from cranfield.hooks import entry_points_of_features
from cranfield.store import schema_check
from cranfield.store.adoption import adopt
from cranfield.store.chain import Event
from cranfield.store.damage import find_store_damage
from cranfield.store.log import append, read_events
from cranfield.store.named_rows import NAMED_ONLY_INDEX
from cranfield.store.schema import create_schema
from cranfield.store.schema_check import BUILT_IN_SHA256, foreign_objects, reading_tables_only, schema_fingerprints
from cranfield.store.store import Store
from cranfield.store.verification import verify
from tests.conftest import Cranfield
from tests.store.earlier import earlier
from tests.store.full_store import full_store
from tests.stores import new_store

pytestmark = pytest.mark.full

SCALE = {0: "no", 1: "some", 2: "yes"}
SWAP = """CREATE TRIGGER swap AFTER INSERT ON judgment_event BEGIN
    INSERT INTO topic (qid) VALUES ('evil' || new.id); END"""
RENEW = "the schema has changed: set BUILT_IN_SHA256 in cranfield/store/schema_check.py to the value on the left"


def received_store(path: Path, *statements: str) -> Path:
    """A store with one label, and with statements that a stranger ran in it."""
    with new_store(path, grades=SCALE, documents=["d1", "d2"], topics=["q1"], people=["ada"]) as store:
        append(store, Event("label", "q1", "d1", "ada", grade=2))
    with closing(sqlite3.connect(path)) as shell, shell:
        for statement in statements:
            shell.execute(statement)
    return path


def replace_schema_row(path: Path, name: str, old: str, new: str) -> None:
    with closing(sqlite3.connect(path)) as shell, shell:
        shell.execute("PRAGMA writable_schema = ON")
        count = shell.execute(
            "UPDATE sqlite_master SET sql = replace(sql, ?, ?) WHERE name = ? AND instr(sql, ?)", [old, new, name, old]
        ).rowcount
        assert count == 1


def test_the_fingerprints_are_those_of_all_tables() -> None:
    """Without extensions, opening compares a hash for the core and for each feature that the store uses."""
    if entry_points_of_features():
        pytest.skip("an installed extension adds tables")
    with closing(sqlite3.connect(":memory:")) as conn:
        create_schema(conn)
        assert schema_fingerprints(conn) == BUILT_IN_SHA256, RENEW


def test_a_trigger_behind_a_zero_byte_is_missing(tmp_path: Path) -> None:
    """SQLite reads the statement before the zero byte, and the text of the whole schema is what it was."""
    path, name = received_store(tmp_path / "store.db"), "recorded_topic_delete"
    with closing(sqlite3.connect(path)) as shell, shell:
        rows = shell.execute("SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_master").fetchall()
        rows.sort()
        place = next(place for place, row in enumerate(rows) if row[1] == name)
        shell.execute("PRAGMA writable_schema = ON")
        before, text = rows[place - 1], "\0".join([rows[place - 1][3], *rows[place]])
        shell.execute("UPDATE sqlite_master SET sql = ? WHERE type = ? AND name = ?", [text, *before[:2]])
        shell.execute("DELETE FROM sqlite_master WHERE name = ?", [name])
    with pytest.raises(StoreError, match=f"{before[1]} differs from .*; the trigger {name} is missing"):
        Store.open(path)


INDEXES = {
    "of an earlier version": ("document_removed", NAMED_ONLY_INDEX, "document_without_text"),
    "with a corpus": ("no_such_index", NAMED_ONLY_INDEX, "document_without_text"),
}


@pytest.mark.parametrize("which", INDEXES)
def test_the_indexes_of_documents_may_differ(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, which: str) -> None:
    """Stores of earlier versions have the index of documents without text, and new ones only with a corpus."""
    dropped, made, name = INDEXES[which]
    path = received_store(tmp_path / "store.db")
    with closing(sqlite3.connect(path)) as shell, shell:
        shell.execute("DROP INDEX IF EXISTS document_without_text")
        before = schema_fingerprints(shell)
        shell.execute(f"DROP INDEX IF EXISTS {dropped}")
        shell.execute(made)
        assert schema_fingerprints(shell) == before
    monkeypatch.setattr(schema_check, "BUILT_IN_SHA256", {})
    with Store.open(path) as store:
        assert foreign_objects(store.conn) == []
        store.conn.execute(f"DROP INDEX {name}")
        store.conn.execute(f"CREATE INDEX {name} ON document (removed) WHERE text IS NULL AND abs(removed) = 0")
        assert foreign_objects(store.conn) == [f"index {name} differs from this program's schema"]


def test_every_object_of_the_program_is_expected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the hash differs, as with an extension, and in a store with rows in every table."""
    monkeypatch.setattr(schema_check, "BUILT_IN_SHA256", {})
    with Store.open(full_store(tmp_path)) as store:
        assert foreign_objects(store.conn) == []


REFUSED = {
    "a trigger": ([SWAP], "trigger swap is not part"),
    "a trigger of an extra table": (
        ["CREATE TABLE mine (a)", "CREATE TRIGGER t AFTER INSERT ON mine BEGIN DELETE FROM run; END"],
        "trigger t is not part",
    ),
    "a trigger with a name of the program": (
        [
            "DROP TRIGGER judgment_event_stays",
            "CREATE TRIGGER judgment_event_stays AFTER INSERT ON judgment_event BEGIN SELECT 1; END",
        ],
        "trigger judgment_event_stays differs",
    ),
    "a trigger on a view": (
        ["CREATE TRIGGER v INSTEAD OF INSERT ON qrels BEGIN SELECT 1; END"],
        "trigger v is not part",
    ),
    "a view": (["CREATE VIEW mine AS SELECT 1"], "view mine is not part"),
    "another body of a view": (["DROP VIEW qrels", "CREATE VIEW qrels AS SELECT 1"], "view qrels differs"),
    "a view in place of a table": (
        ["ALTER TABLE bundle RENAME TO other", "CREATE VIEW bundle AS SELECT * FROM other"],
        "view bundle differs",
    ),
    "a column more": (["ALTER TABLE run ADD COLUMN mine TEXT"], "table run differs"),
    "a generated column": (
        ["ALTER TABLE topic ADD COLUMN twice TEXT GENERATED ALWAYS AS (qid || qid)"],
        "table topic differs",
    ),
    "a unique index": (["CREATE UNIQUE INDEX u ON judgment_event (grade)"], "index u is not part"),
    "an index on an expression": (["CREATE INDEX e ON document (abs(id))"], "index e is not part"),
    "a partial index": (["CREATE INDEX p ON document (id) WHERE id > abs(id)"], "index p is not part"),
    "a virtual table": (["CREATE VIRTUAL TABLE topic_fts USING fts5 (qid)"], "virtual table topic_fts is not part"),
    "an index of the program over others": (
        ["DROP INDEX change_name", "CREATE INDEX change_name ON change (name)"],
        "index change_name differs",
    ),
    "a declared feature that writes": (
        [
            "CREATE TABLE gift (id INTEGER PRIMARY KEY)",
            SWAP,
            "INSERT INTO feature VALUES ('gift', 'a', 'CREATE TABLE gift (id INTEGER PRIMARY KEY);\n"
            + SWAP.replace("'", "''")
            + ";', '[]')",
        ],
        "trigger swap is not part",
    ),
    "a declaration with SQL for a name": (
        [
            "INSERT INTO feature VALUES ('gift', 'a', '',"
            ' \'[{"name": "judgment_event SET grade = 0 --", "personal": "note"}]\')'
        ],
        "declaration of the feature 'gift' is not valid",
    ),
    "a declaration of a table of the program": (
        ["INSERT INTO feature VALUES ('gift', 'a', '', '[{\"name\": \"judgment_event\", \"personal\": \"grade\"}]')"],
        "declaration of the feature 'gift' is not valid",
    ),
}


@pytest.mark.parametrize(("statements", "message"), REFUSED.values(), ids=REFUSED)
def test_a_foreign_schema_is_refused(tmp_path: Path, cranfield: Cranfield, statements: list[str], message: str) -> None:
    """By name, with the remedy; reading and writing, and nothing of it runs."""
    path = received_store(tmp_path / "a.db", *statements)
    before = path.read_bytes()
    for words in (["info", path], ["serve", path, "--no-browser"], ["judge", path, "--assessor", "ada", "--plain"]):
        error = cranfield(*words)
        assert error.code in (1, 2)
        if error.code == 1:
            assert error.err.startswith(f"error: {path}: the ")
            assert f"the {message}" in error.err
            assert f"`cranfield store adopt {path} NEW.db`" in error.err
    with pytest.raises(StoreError, match=f"the {message}"):
        Store.open(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("collection", "CREATE TABLE collection", "CREATE VIEW collection"),
        ("judgment_event", "grade INTEGER", "grade INTEGER DEFAULT 2"),
    ],
)
def test_a_rewritten_schema_is_refused(tmp_path: Path, name: str, old: str, new: str) -> None:
    """Rows of sqlite_master that no statement would have written."""
    path = received_store(tmp_path / "a.db")
    replace_schema_row(path, name, old, new)
    with pytest.raises(StoreError, match=r"differs from this program|not a store"):
        Store.open(path)


@pytest.mark.parametrize("name", ["_sqlite_migrations", "feature"])
def test_a_view_that_is_read_first_is_refused(tmp_path: Path, name: str) -> None:
    """What decides which schema is right cannot be computed by the file."""
    path = received_store(
        tmp_path / "a.db", f"ALTER TABLE {name} RENAME TO real", f"CREATE VIEW {name} AS SELECT * FROM real"
    )
    with pytest.raises(StoreError, match=r"prohibited|is not a plain table|differs from the one"):
        Store.open(path)


@pytest.mark.parametrize(
    "statements",
    [
        ["CREATE TABLE mine (a)", "CREATE UNIQUE INDEX mine_a ON mine (a)", "INSERT INTO mine VALUES (1)"],
        ["CREATE INDEX [document_url]\n    ON [document] ([url])"],
        ["CREATE INDEX titles ON document (title COLLATE NOCASE DESC, url)"],
        ["ANALYZE"],
    ],
)
def test_harmless_additions_are_accepted(tmp_path: Path, statements: list[str]) -> None:
    """Tables of one's own, plain indexes, and statistics change no label."""
    with Store.open(received_store(tmp_path / "a.db", *statements)) as store:
        append(store, Event("label", "q1", "d2", "ada", grade=0))
        assert [event.grade for event in read_events(store)] == [2, 0]
        assert verify(store).events == 2


def test_nothing_but_tables_is_read_before_the_schema_is_known(tmp_path: Path) -> None:
    """No function, view or write; afterwards everything works."""
    with Store.open(received_store(tmp_path / "a.db")) as store:
        with reading_tables_only(store.conn):
            assert store.rows("SELECT qid FROM topic") == [("q1",)]
            for sql in ("SELECT abs(id) FROM topic", "SELECT * FROM qrels", "DELETE FROM topic", "ATTACH 'x' AS y"):
                with pytest.raises(sqlite3.DatabaseError, match=r"not authorized|prohibited"):
                    store.rows(sql)
        assert store.rows("SELECT count(*) FROM qrels") == [(1,)]


def test_the_data_of_a_foreign_store_are_adopted(tmp_path: Path, cranfield: Cranfield) -> None:
    """Rows and chains are the same, the old file is unchanged, and what was not copied is named."""
    path = received_store(tmp_path / "a.db", SWAP, "CREATE TABLE mine (a)", "INSERT INTO mine VALUES (1)")
    before, new = path.read_bytes(), tmp_path / "new.db"
    output = cranfield("store", "adopt", path, new)
    assert (output.code, output.out.split(";")[1]) == (0, " 1 event verified")
    assert output.err.splitlines() == ["note: not copied: table mine, 1 row", "note: not copied: trigger swap"]
    assert path.read_bytes() == before
    with Store.open(new) as store:
        append(store, Event("label", "q1", "d2", "ada", grade=0))
        assert [event.grade for event in read_events(store)] == [2, 0]
        assert [topic.qid for topic in store.topics()] == ["q1"]
    refused = cranfield("store", "adopt", path, new)
    assert (refused.code, refused.err) == (1, f"error: {new}: already exists; a new store needs a new file\n")


def test_a_full_store_is_adopted_as_it_is(tmp_path: Path) -> None:
    """Every row of every table."""
    path = full_store(tmp_path)
    with Store.open(path) as store:
        before = verify(store)
        tables = [name for (name,) in store.rows("SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE TABLE %(%'")]
        rows = {
            name: store.count(name) for name in tables if not name.startswith(("sqlite_", "_sqlite", "document_fts"))
        }
    outcome = adopt(path, tmp_path / "new.db")
    assert (outcome.verified, outcome.left_behind) == (before, [])
    with Store.open(tmp_path / "new.db") as store:
        assert {name: store.count(name) for name in rows} == rows


@pytest.mark.parametrize("name", ["full", "sealed", "one_step"])
def test_a_store_of_an_earlier_version_is_adopted(tmp_path: Path, name: str) -> None:
    """Its triggers are other ones, and are not run."""
    adopt(earlier(tmp_path, name), tmp_path / "new.db")
    with Store.open(tmp_path / "new.db") as store:
        assert verify(store).events > 0


BROKEN = {
    "a label that was changed": ("UPDATE judgment_event SET grade = 0", "event 1"),
    "a value that is not allowed": ("UPDATE topic SET removed = 7", "CHECK constraint failed"),
    "a row of nobody": ("UPDATE judgment_event SET assessor = 99", "refers to a row of table assessor"),
}


@pytest.mark.parametrize(("statement", "message"), BROKEN.values(), ids=BROKEN)
def test_data_that_do_not_hold_are_not_adopted(tmp_path: Path, statement: str, message: str) -> None:
    """There is no new store then."""
    path = received_store(tmp_path / "a.db")
    with closing(sqlite3.connect(path)) as shell, shell:
        for (trigger,) in shell.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            shell.execute(f"DROP TRIGGER {trigger}")
        shell.execute("PRAGMA ignore_check_constraints = ON")
        shell.execute(statement)
    with pytest.raises(StoreError, match=message):
        adopt(path, tmp_path / "new.db")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a.db"]


@pytest.mark.parametrize("view", ["settled", "qrels"])
def test_a_missing_view_is_named(tmp_path: Path, cranfield: Cranfield, view: str) -> None:
    path = received_store(tmp_path / "s.db", f"DROP VIEW {view}")
    result = cranfield("evaluate", path)
    found = (
        f"s.db: the view {view} is missing; copy the data into a new store with `cranfield store adopt {path} NEW.db`"
    )
    assert (result.code, found in result.err) == (1, True)
    assert cranfield("store", "adopt", path, tmp_path / "new.db").code == 0
    assert cranfield("info", tmp_path / "new.db").code == 0


@pytest.mark.parametrize("trigger", ["document_indexed", "recorded_topic_insert", "recorded_pool_delete"])
def test_a_missing_trigger_that_writes_is_named(tmp_path: Path, cranfield: Cranfield, trigger: str) -> None:
    """Without it changes would not be recorded, or texts not be found. `store verify` finds those that only refuse."""
    path = received_store(tmp_path / "s.db", f"DROP TRIGGER {trigger}")
    found = f"s.db: the trigger {trigger} is missing; copy the data into a new store with"
    for command in ("info", "evaluate", "serve"):
        result = cranfield(command, path)
        assert (result.code, found in result.err) == (1, True), command
    assert cranfield("store", "adopt", path, tmp_path / "new.db").code == 0
    assert cranfield("info", tmp_path / "new.db").code == 0


def test_the_search_for_damage_leaves_the_connection_as_it_was() -> None:
    with Store.memory("tiny") as store:
        assert [find_store_damage(store.conn) for _ in range(2)] == [None, None]
