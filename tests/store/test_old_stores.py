"""Stores made before there was a full screen, and what the log has had since."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from sqlite_utils import Database

from cranfield.judging.session.session import Session
from cranfield.store.chain import Event
from cranfield.store.log import Criterion, add_criterion, criteria, events, guidelines, set_guidelines
from cranfield.store.schema.steps import migrations
from cranfield.store.store import Store
from cranfield.store.verification import verify
from tests.judging.cases import at, pool_of, session_of, store_of


def old_store(path: Path) -> None:
    """A store as version 0.1 made it, with a pool and a label."""
    db = Database(path)
    migrations().apply(db, stop_before="the_full_screen")
    db.table("collection").insert(
        {"id": 1, "name": "old", "description": "", "licence": "", "created": "", "min_relevant": 1}
        | {"grades": '{"0": "not relevant", "1": "relevant"}'}
    )
    db.table("document").insert_all([{"docno": docno, "text": f"text of {docno}"} for docno in ("d1", "d2")])
    db.table("topic").insert({"qid": "q1", "title": "lift"})
    db.table("assessor").insert({"name": "ada", "kind": "human"})
    label = {"event_id": "a", "at": "", "kind": "label", "topic": 1, "document": 1, "assessor": 1, "grade": 1}
    db.table("judgment_event").insert(label)
    db.close()


def test_an_old_store_opens_and_is_judged_on(tmp_path: Path) -> None:
    """Its labels stand, new ones tell more, and it is migrated once."""
    path = tmp_path / "old.db"
    old_store(path)
    with Store.open(path) as store:
        session = Session(store, "ada", pool_of({"q1": ["d1", "d2"]}))
        assert session.view.counts.judged == 1
        session.input = "key"
        at(session).toggle_docno()
        at(session).criterion("says how")
        at(session).grade(0, fast=True)
        set_guidelines(store, "read it all")
    with Store.open(path) as store:
        first, note, second = events(store)
        old = Event("label", "q1", "d1", "ada", grade=1, event_id="a", id=1)
        assert first._replace(origin="", hash="", rule=2) == old
        assert verify(store).chains == 2
        assert (note.kind, note.docno_shown) == ("note", True)
        assert (second.input, second.fast, second.docno_shown, second.highlight_terms) == ("key", True, True, "")
        assert [one._replace(at="") for one in criteria(store, "q1", "ada")] == [Criterion("", "q1", "ada", "says how")]
        assert guidelines(store) == "read it all"
        assert [row["docno"] for row in store.db.table("document").search("d2")] == ["d2"]


def test_a_new_store_and_a_migrated_one_are_the_same(tmp_path: Path) -> None:
    """Both have the same tables, views and triggers."""
    old_store(tmp_path / "old.db")
    Store.open(tmp_path / "old.db").close()
    Store.create(tmp_path / "new.db", "new").close()
    schemas = []
    for name in ("old.db", "new.db"):
        with sqlite3.connect(tmp_path / name) as db:
            schemas.append(set(db.execute("SELECT type, name, sql FROM sqlite_master").fetchall()))
        db.close()
    assert schemas[0] == schemas[1]


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
