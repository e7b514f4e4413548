"""The tables of features are made when one of them is first written, and are empty for readers until then."""

import sqlite3
from contextlib import closing, suppress
from pathlib import Path

import pytest

from cranfield.errors import StoreError
from cranfield.features.preferences.store import PreferenceEvent, append_preferences, preference_events
from cranfield.store.first_use import FirstUseConnection, declared_objects, parts_with_needed
from cranfield.store.releases import make_release
from cranfield.store.schema import FeaturePart, add_tables, feature_parts
from cranfield.store.schema_check import foreign_objects, has_built_in_schema, schema_objects
from cranfield.store.store import Store
from cranfield.store.verification import verify
from tests.hardening.damage import triggers_away
from tests.stores import new_store

DECLARED = declared_objects(tuple(feature_parts()))
INSERT = "INSERT INTO gold_label (topic, document, grade, label) VALUES (1, 1, 1, 1)"
WRITES = {
    "insert": INSERT,
    "upsert": f"{INSERT} ON CONFLICT DO UPDATE SET grade = 2",
    "returning": f"{INSERT} RETURNING grade",
    "update": "UPDATE gold_label SET grade = 2",
    "delete": "DELETE FROM gold_label",
    "copy": "INSERT INTO gold_label SELECT topic, document, grade, label FROM gold_label",
}


def names(store: Store) -> set[str]:
    return {item.name for item in schema_objects(store.conn)}


def names_before_rollback(store: Store, statement: str) -> set[str]:
    """What the schema has after a statement, in a transaction that is rolled back."""
    found = set[str]()
    with suppress(KeyError), store.writing():
        store.conn.execute("PRAGMA defer_foreign_keys = ON")
        store.conn.execute(statement)
        found = names(store)
        raise KeyError
    return found


def test_a_new_store_has_no_tables_of_features() -> None:
    with Store.memory("new") as store:
        assert not names(store) & DECLARED.keys()
        assert has_built_in_schema(store.conn)


@pytest.mark.parametrize("name", DECLARED)
def test_readers_find_each_table_empty(name: str) -> None:
    """With the columns of the table, and the store stays as it is."""
    with Store.memory("new") as store:
        before = names(store)
        cursor = store.conn.execute(f"SELECT * FROM {name}")
        columns = [column for column, *_ in cursor.description]
        assert cursor.fetchall() == []
        assert names(store) == before
        add_tables(store.conn, feature_parts())
        assert [column for column, *_ in store.conn.execute(f"SELECT * FROM main.{name}").description] == columns


@pytest.mark.parametrize("name", DECLARED)
def test_each_table_comes_with_what_it_needs(name: str) -> None:
    """Its triggers, and the tables that its views and triggers read; the store opens by the hashes alone."""
    with Store.memory("new") as store:
        add_tables(store.conn, parts_with_needed(DECLARED, name))
        assert has_built_in_schema(store.conn)
        for item in schema_objects(store.conn):
            if item.kind in ("table", "view"):
                store.rows(f'SELECT * FROM main."{item.name}" LIMIT 1')
        assert foreign_objects(store.conn) == []


@pytest.mark.parametrize("statement", WRITES.values(), ids=WRITES)
@pytest.mark.parametrize("is_read_first", [False, True])
@pytest.mark.needs("briefing")
def test_a_write_makes_the_table_in_its_transaction(statement: str, is_read_first: bool) -> None:
    """With the triggers that record changes; if it is rolled back, the table is not there."""
    with new_store(documents=["d1"], topics=["q1"]) as store:
        before = names(store)
        if is_read_first:
            assert store.rows("SELECT count(*) FROM gold_label") == [(0,)]
        assert {"gold_label", "recorded_gold_label_insert"} <= names_before_rollback(store, statement)
        assert names(store) == before
        assert store.rows("SELECT count(*) FROM gold_label") == [(0,)]


def test_rows_are_recorded_from_the_first_one() -> None:
    with new_store(documents=["d1", "d2"], topics=["q1"], people=["ada"]) as store:
        assert preference_events(store) == []
        append_preferences(store, PreferenceEvent("prefer", "q1", "d1", "d2", "ada", "second"))
        assert len(preference_events(store)) == 1
        verify(store)
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            store.conn.execute("DELETE FROM preference_event")


@pytest.mark.needs("publishing")
def test_a_table_that_another_program_makes_is_seen(tmp_path: Path) -> None:
    """Also while a transaction that made it is rolled back here."""
    path = tmp_path / "track.db"
    new_store(path).close()
    with Store.open(path) as reader, Store.open(path) as writer:
        statement = "INSERT INTO publication VALUES ('name', '1')"
        assert reader.rows("SELECT count(*) FROM publication") == [(0,)]
        assert "publication" in names_before_rollback(reader, statement)
        with writer.writing():
            writer.conn.execute(statement)
        assert reader.rows("SELECT count(*) FROM publication") == [(1,)]
        with reader.writing():
            reader.conn.execute("DELETE FROM publication")
        assert writer.rows("SELECT count(*) FROM publication") == [(0,)]


@pytest.mark.needs("documents")
def test_a_release_stays_without_tables_that_are_made_later(tmp_path: Path) -> None:
    path = tmp_path / "track.db"
    with new_store(path, documents=["d1"], topics=["q1"]) as store:
        make_release(store, "1.0", "2026-01-31")
        with Store.open(path, "1.0") as release:
            with store.writing():
                store.conn.execute("INSERT INTO shown_field (name, type) VALUES ('year', 'date')")
            assert release.rows("SELECT count(*) FROM shown_field") == [(0,)]
            assert store.rows("SELECT count(*) FROM shown_field") == [(1,)]
            with pytest.raises(StoreError, match="never changes"), release.writing():
                pass
        assert verify(store).releases == 1


@pytest.mark.needs("briefing")
def test_a_changed_trigger_of_one_feature_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "track.db"
    with new_store(path) as store, store.writing():
        store.make_table("gold_label")
    Store.open(path).close()
    with closing(sqlite3.connect(path)) as shell, shell:
        shell.execute("DROP TRIGGER recorded_gold_label_insert")
    with pytest.raises(StoreError, match="the trigger recorded_gold_label_insert is missing"):
        Store.open(path)


@pytest.mark.parametrize("column", ["name", "part"])
@pytest.mark.needs("briefing")
def test_a_changed_name_in_a_declaration_is_reported(column: str, tmp_path: Path) -> None:
    """Otherwise the store would seem to need a feature that is not installed."""
    with Store.create(tmp_path / "new.db", "new") as store:
        with store.writing():
            store.make_table("gold_label")
        verify(store)
    with closing(sqlite3.connect(tmp_path / "new.db")) as shell, shell, triggers_away(shell):
        shell.execute(f"UPDATE feature SET {column} = {column} || 'x' WHERE name = 'briefing'")
    with (
        Store.open(tmp_path / "new.db") as store,
        pytest.raises(StoreError, match=r"the feature '\w+' declares \w+ in '[\w.:]+'; expected 'briefing' in "),
    ):
        verify(store)


@pytest.mark.needs("briefing")
def test_a_table_that_no_feature_declares_is_missing() -> None:
    with Store.memory("new") as store:
        assert isinstance(store.conn, FirstUseConnection)
        with pytest.raises(sqlite3.OperationalError, match="no such table: nowhere"):
            store.rows("SELECT * FROM nowhere")
        store.rows("SELECT * FROM gold_label")
        with pytest.raises(sqlite3.OperationalError, match=r"no such table: main\.gold_label"):
            store.rows("SELECT * FROM main.gold_label")
        with pytest.raises(sqlite3.OperationalError, match="cannot modify qrels because it is a view"):
            store.conn.execute("DELETE FROM qrels")


def test_a_trigger_on_a_table_of_the_core_is_refused() -> None:
    """It would have to be there before the feature is used."""
    swap = "CREATE TABLE mine (a);\nCREATE TRIGGER swap AFTER INSERT ON topic BEGIN DELETE FROM mine; END;\n"
    with pytest.raises(StoreError, match="the feature mine: trigger swap is on topic; expected a table of a feature"):
        declared_objects((FeaturePart("mine", "tables:TABLES", swap, "[]"),))
