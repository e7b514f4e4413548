"""Rows of runs and pools that are hashed before the store is locked: the log says what it would have said."""

from pathlib import Path

import pytest

from cranfield.arrays.rankings import Runs
from cranfield.errors import InputError, StoreError
from cranfield.metrics.inputs import as_runs
from cranfield.store import changes
from cranfield.store.brief_imports import importing_briefly
from cranfield.store.changes import ItemState, adding_known_rows, item_states, persons_by_number_and_name, state_of_rows
from cranfield.store.history import importing
from cranfield.store.pools import Pool, PooledDocument, add_pool, preparing_pool, stored_pool
from cranfield.store.removal import remove
from cranfield.store.runs import add_runs, run_info, stored_runs
from cranfield.store.store import Store
from cranfield.store.tables import recorded_tables
from cranfield.store.verification import verify
from tests.stores import new_store

RUNS = {"a": {"q2": {"d1": 2.0, "d3": 1.0}, "q1": {"d2": 3.0}}, "b": {"q1": {"d3": 2.0, "d1": 1.0}}}
DOCUMENTS = [
    PooledDocument("q2", "d3", 1, ("a", "b")),
    PooledDocument("q1", "d1", 2, ("a",), "top", 0.5),
    PooledDocument("q1", "d2", 1, ("b",)),
]
POOL = Pool("depth", {"depth": 2, "runs": ["a", "b"]}, DOCUMENTS)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "a.db"
    with new_store(path, topics=["q1", "q2", "q3"], documents=["d1", "d2", "d3", "d4"]):
        pass
    return path


def recorded(store: Store, table: str) -> dict[str, str]:
    """What the log says last of each item of a table."""
    return dict(store.rows("SELECT name, said FROM change WHERE kind = ? ORDER BY id", [table]))


def read(store: Store, table: str) -> dict[str, str]:
    """What the rows of a table say."""
    conn = store.conn
    states = item_states(conn, recorded_tables(conn)[table], persons_by_number_and_name(conn))
    return {name: state.content for name, state in states}


def import_runs(store: Store, runs: Runs) -> None:
    with importing_briefly(store), importing(store, "runs", ["a.run"]):
        add_runs(store, runs)


def triggers(store: Store) -> list[tuple[str, str]]:
    return store.rows("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY name")


def test_the_log_says_of_runs_what_the_rows_say(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rows are hashed before the transaction, and not once more in it."""
    with Store.open(path) as store:
        before = triggers(store)
        monkeypatch.setattr(changes, "_current_state", never_for("ranking", changes._current_state))
        import_runs(store, as_runs(RUNS))
        assert recorded(store, "ranking") == read(store, "ranking")
        assert [*recorded(store, "ranking")] == ["1", "2"]
        assert triggers(store) == before
        verify(store)


def never_for(table: str, read_state):  # type: ignore[no-untyped-def] # of a private function
    def read_other_state(conn, kind, *arguments):  # type: ignore[no-untyped-def]
        assert kind.name != table
        return read_state(conn, kind, *arguments)

    return read_other_state


def test_the_log_says_of_a_pool_what_the_rows_say(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of each topic, though the pool's documents come in another order."""
    with Store.open(path) as store:
        before = triggers(store)
        monkeypatch.setattr(changes, "_current_state", never_for("pool_document", changes._current_state))
        assert add_pool(store, POOL) == 1
        assert recorded(store, "pool_document") == read(store, "pool_document")
        assert [*recorded(store, "pool_document")] == ["1/1", "1/2"]
        assert triggers(store) == before
        assert store.rows("PRAGMA foreign_keys") == [(1,)]
        verify(store)


def test_a_run_of_another_program_meanwhile_takes_the_number(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The runs get the next numbers, and the log says what their rows say."""
    with Store.open(path) as store, Store.open(path) as other:
        at_begin(store, monkeypatch, lambda: add_runs(other, as_runs({"c": {"q3": {"d4": 1.0}}})))
        import_runs(store, as_runs(RUNS))
        assert [*run_info(store)] == ["c", "a", "b"]
        assert recorded(store, "ranking") == read(store, "ranking")
        assert [*recorded(store, "ranking")] == ["1", "2", "3"]
        verify(store)


def at_begin(store: Store, monkeypatch: pytest.MonkeyPatch, act) -> None:  # type: ignore[no-untyped-def]
    """Let another program act between the preparation of runs and their transaction."""
    from cranfield.store import runs

    prepare = runs._prepare_rankings

    def prepare_then_act(*arguments):  # type: ignore[no-untyped-def]
        prepared = prepare(*arguments)
        act()
        return prepared

    monkeypatch.setattr(runs, "_prepare_rankings", prepare_then_act)


def test_a_document_removed_meanwhile_is_restored(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A document that only a run named is gone with it, and back with the runs that name it again."""
    with Store.open(path) as store, Store.open(path) as other:
        add_runs(store, as_runs({"first": {"q1": {"new": 1.0}}}))
        at_begin(store, monkeypatch, lambda: remove(other, "run", ["first"]))
        import_runs(store, as_runs({"a": {"q1": {"new": 2.0, "d1": 1.0}}}))
        assert store.rows("SELECT removed FROM document WHERE docno = 'new'") == [(0,)]
        assert stored_runs(store).docnos.names[stored_runs(store).document].tolist() == ["new", "d1"]
        assert recorded(store, "ranking") == {"1": read(store, "ranking")["1"]}
        verify(store)


def test_a_topic_removed_meanwhile_refuses_the_runs(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the import stays."""
    with Store.open(path) as store, Store.open(path) as other:
        at_begin(store, monkeypatch, lambda: remove(other, "topic", ["q2"]))
        with pytest.raises(InputError, match="topic 'q2' is not in the store"):
            import_runs(store, as_runs(RUNS))
        assert (run_info(store), recorded(store, "ranking")) == ({}, {})
        verify(store)


def test_runs_with_a_new_document_are_recorded_in_their_transaction(path: Path) -> None:
    """Its number is not known before."""
    with Store.open(path) as store:
        import_runs(store, as_runs({"a": {"q1": {"new": 2.0, "d1": 1.0}}}))
        assert recorded(store, "ranking") == read(store, "ranking")
        verify(store)


def test_a_pool_of_another_program_meanwhile_takes_the_number(path: Path) -> None:
    """The pool gets the next number, and the log says what its rows say."""
    with Store.open(path) as store, Store.open(path) as other:
        with preparing_pool(store, DOCUMENTS) as prepared:
            assert (prepared.number, add_pool(other, POOL._replace(documents=DOCUMENTS[:1]))) == (1, 1)
            assert add_pool(store, POOL, prepared) == 2
        assert recorded(store, "pool_document") == read(store, "pool_document")
        assert len(stored_pool(store, 2).documents) == 3
        verify(store)


def test_a_pool_of_unknown_names_is_refused(path: Path) -> None:
    """Rows refer to what is there, though SQLite does not look for it."""
    with Store.open(path) as store:
        for unknown in (PooledDocument("q9", "d1", 1, ()), PooledDocument("q1", "d9", 1, ())):
            with pytest.raises(StoreError, match=r"no topic 'q9'|no document 'd9'"):
                add_pool(store, POOL._replace(documents=[*DOCUMENTS, unknown]))
        assert store.rows("SELECT count(*) FROM pool") == [(0,)]
        assert store.rows("PRAGMA foreign_keys") == [(1,)]


def test_what_a_transaction_touches_later_is_read_again(path: Path) -> None:
    """The record that was worked out before is not taken, where rows changed after they were added."""
    with Store.open(path) as store:
        with store.writing():
            add_pool(store, POOL)
            store.conn.execute("UPDATE pool_document SET depth = 9 WHERE topic = 1 AND document = 1")
        assert recorded(store, "pool_document") == read(store, "pool_document")
        verify(store)


def test_a_failure_while_rows_are_added_leaves_the_trigger(path: Path) -> None:
    """The transaction is undone whole, within another one, too."""
    with Store.open(path) as store:
        before = triggers(store)
        for _ in range(2):
            with pytest.raises(ZeroDivisionError), store.writing():
                fail_while_adding(store)
        with store.writing(), pytest.raises(ZeroDivisionError), store.writing():
            fail_while_adding(store)
        assert triggers(store) == before
        assert store.rows("SELECT * FROM unrecorded") == []


def fail_while_adding(store: Store) -> None:
    with adding_known_rows(store.conn, "pool_document", {"1/1": ItemState("{}", "")}):
        raise ZeroDivisionError


def test_what_was_changed_by_hand_before_is_still_named(path: Path) -> None:
    """A pool that takes the number of rows that somebody added by hand does not hide them."""
    with Store.open(path) as store:
        add_pool(store, POOL)
        store.conn.execute("UPDATE pool_document SET depth = 7 WHERE topic = 2")
        store.conn.commit()
        add_pool(store, POOL)
        with pytest.raises(StoreError, match="pool_document 1/2: the rows differ from the recorded rows"):
            verify(store)


def test_a_copy_without_triggers_records_nothing(path: Path) -> None:
    """Rows are added as they are."""
    with Store.open(path) as store:
        store.conn.execute("DROP TRIGGER recorded_ranking_insert")
        add_runs(store, as_runs(RUNS))
        assert len(stored_runs(store)) == 5
        assert recorded(store, "ranking") == {}


def test_packed_numbers_are_hashed_by_themselves() -> None:
    """Rows of rankings have bytes."""
    assert state_of_rows([(1, 2, b"ab", b"")]) == state_of_rows([(1, 2, b"ab", b"")])
    assert state_of_rows([(1, 2, b"ab", b"")]) != state_of_rows([(1, 2, b"a", b"b")])
