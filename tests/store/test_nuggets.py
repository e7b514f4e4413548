"""Nuggets, labels of answers, and the support of citations: logs that only grow, and what is current in them."""

import sqlite3
from collections.abc import Iterator

import pytest

from cranfield.errors import InputError
from cranfield.formats import Topic
from cranfield.store.answers.nuggets import NuggetEdit, current_nuggets, edit_nuggets, nugget_edits
from cranfield.store.log import add_assessor
from cranfield.store.store import Store


@pytest.fixture
def store() -> Iterator[Store]:
    with Store.memory("nuggets") as opened:
        opened.add_topics([Topic("q1", "lift"), Topic("q2", "drag")])
        add_assessor(opened, "ada")
        kept = [NuggetEdit(kind, "q1", "ada", text) for kind, text in (("vital", "a"), ("okay", "b"), ("okay", "c"))]
        edit_nuggets(opened, kept)
        yield opened


def texts(store: Store) -> str:
    return " ".join(f"{one.text}:{one.importance}" for one in current_nuggets(store, "q1"))


def test_a_reworded_nugget_keeps_its_place_and_a_merged_one_takes_the_first(store: Store) -> None:
    edit_nuggets(store, [NuggetEdit("okay", "q1", "ada", " B\n two ", replaces=(2,))])
    assert texts(store) == "a:vital B two:okay c:okay"
    edit_nuggets(store, [NuggetEdit("vital", "q1", "ada", "ac", replaces=(1, 3))])
    assert texts(store) == "ac:vital B two:okay"
    edit_nuggets(store, [NuggetEdit("retract", "q1", "ada", nugget=5, supersedes=5)])
    assert texts(store) == "a:vital B two:okay c:okay"


def test_the_importance_changes_and_the_nugget_stays_the_same(store: Store) -> None:
    edit_nuggets(store, [NuggetEdit("vital", "q1", "ada", nugget=2), NuggetEdit("drop", "q1", "ada", nugget=1)])
    assert texts(store) == "b:vital c:okay"
    assert [edit.kind for edit in nugget_edits(store, "q1", after=3)] == ["vital", "drop"]
    assert not current_nuggets(store, "q2")


def test_what_is_refused_leaves_no_trace(store: Store) -> None:
    with pytest.raises(InputError, match="a nugget needs a text"):
        edit_nuggets(store, [NuggetEdit("okay", "q1", "ada", "d"), NuggetEdit("okay", "q1", "ada", " \n")])
    assert texts(store) == "a:vital b:okay c:okay"


@pytest.mark.parametrize("change", ["UPDATE nugget SET text = 'x'", "DELETE FROM nugget_edit",
                                    "INSERT OR REPLACE INTO nugget SELECT * FROM nugget"])  # fmt: skip
def test_the_logs_only_grow(store: Store, change: str) -> None:
    with pytest.raises(sqlite3.IntegrityError, match="is append-only"):
        store.conn.execute(change)
