"""The criteria that assessors write down for themselves."""

import sqlite3

import pytest

from cranfield.store.log import add_criterion
from cranfield.store.store import Store
from tests.judging.cases import at, session_of, store_of


@pytest.mark.parametrize("change", ["UPDATE criterion SET text = 'x'", "DELETE FROM criterion"])
def test_criteria_are_never_changed(change: str) -> None:
    """The diary of criteria is append-only."""
    store = store_of()
    session_of(store)
    add_criterion(store, "q1", "ada", "counts if it says how")
    with pytest.raises(sqlite3.IntegrityError, match="criteria are never"):
        store.db.execute(change)


def test_criteria_are_the_assessors_own() -> None:
    """Another assessor sees hers, of this topic, with their day."""
    store = store_of()
    ada, bob = session_of(store), session_of(store, "bob")
    at(ada).criterion("first")
    at(ada).criterion("second")
    assert [one.text for one in ada.view.criteria] == ["first", "second"]
    assert ada.view.criteria[0].day == events_day(store)
    assert bob.view.criteria == ()
    at(ada).next_topic()
    assert ada.view.criteria == ()


def events_day(store: Store) -> str:
    return str(store.rows("SELECT substr(max(at), 1, 10) FROM criterion")[0][0])
