"""Answers, nuggets, labels and support of citations in a store: logs that only grow, and what is current in them."""

import sqlite3
from collections.abc import Iterator

import pytest

from cranfield.analysis.collections import overview
from cranfield.errors import InputError, StoreError
from cranfield.features.answers.formats.answers import Answer, Sentence
from cranfield.features.answers.judging.progress import label_work_of_answers
from cranfield.features.answers.store.answers import add_answers, answer_runs, stored_answers, topic_ids_with_answers
from cranfield.features.answers.store.labels import NUGGET_LABELS, LabelEvent
from cranfield.features.answers.store.nuggets import (
    NuggetEdit,
    current_nuggets,
    edit_nuggets,
    nugget_edits,
)
from cranfield.judging.planning.label_work import labeller_rows
from cranfield.selection import Selection
from cranfield.store.history import importing
from cranfield.store.log import add_assessor
from cranfield.store.removal import remove
from cranfield.store.store import Store
from cranfield.store.topic_sets import store_topic_set
from cranfield.store.verification import verify
from tests.features.answers.stores import SAID, answered_store
from tests.stores import new_store

ANSWERS = [
    Answer("b", "2", [Sentence("One.", {"d1": 0.5, "x": None}), Sentence("Two.")], ["d1", "x", "y"], team="B"),
    Answer("a", "2", [Sentence("Three.", {"d2": None})], metadata={"length": 1}),
    Answer("b", "1", []),
]


@pytest.fixture
def store() -> Iterator[Store]:
    """A corpus of two documents, two topics, and two runs of three answers."""
    with new_store(documents=["d1", "d2"], topics={"1": "first", "2": "second"}) as store:
        with importing(store, "answers", ["answers.jsonl"]):
            add_answers(store, ANSWERS)
        yield store


def test_answers_come_by_topic_and_run_as_they_went(store: Store) -> None:
    """With their sentences, what these cite, and the list of references."""
    answers = stored_answers(store)
    assert [(answer.run, answer.qid) for answer in answers] == [("b", "1"), ("b", "2"), ("a", "2")]
    assert [tuple(answer.sentences) for answer in answers] == [
        (),
        tuple(ANSWERS[0].sentences),
        tuple(ANSWERS[1].sentences),
    ]
    assert [tuple(answer.documents) for answer in answers] == [(), ("d1", "x", "y"), ()]
    assert answers[2].metadata == {"length": 1}
    assert stored_answers(store, "2", "a") == answers[2:]
    assert topic_ids_with_answers(store) == ["1", "2"]
    assert [(tag, info.team) for tag, info in answer_runs(store).items()] == [("b", "B"), ("a", "a")]
    assert store.counts()["run"] == 0
    assert {name: overview(store).document.get(name) for name in ("answer", "answer_run", "nugget")} == {
        "answer": 3, "answer_run": 2, "nugget": None,
    }  # fmt: skip


def test_an_answer_is_never_changed(store: Store) -> None:
    """Its words are what labels are about."""
    for change in ("UPDATE answer SET documents = '[]'", "UPDATE sentence SET text = 'x'", "DELETE FROM sentence"):
        with pytest.raises(sqlite3.IntegrityError, match="never"):
            store.conn.execute(change)


def test_labelled_answers_and_their_topics_stay(store: Store) -> None:
    """Until then an import, a run and a topic without answers can be removed."""
    add_assessor(store, "ada")
    [nugget] = edit_nuggets(store, [NuggetEdit("vital", "1", "ada", "One.")])
    for kind, name, why in (
        ("topic", "2", "2 runs generated answers to it"),
        ("topic", "1", "1 run generated answers to it"),
    ):
        with pytest.raises(StoreError, match=why):
            remove(store, kind, [name])
    NUGGET_LABELS.append(store, [LabelEvent("label", (1, nugget), "ada", "support")])
    for kind, name in (("import", "1"), ("run", "b")):
        with pytest.raises(StoreError, match="some of its answers have labels"):
            remove(store, kind, [name])
    assert remove(store, "run", ["a"]) == ["run a: removed, with 1 answer and 0 rankings"]
    assert len(stored_answers(store)) == 2


def test_a_changed_answer_is_found(store: Store) -> None:
    """Labels are about the words that were imported."""
    verify(store)
    [(guard,)] = store.rows("SELECT sql FROM sqlite_master WHERE name = 'sentence_unchanged'")
    store.conn.executescript(
        f"DROP TRIGGER sentence_unchanged; UPDATE sentence SET text = 'No.' WHERE answer = 2; {guard};"
    )
    with pytest.raises(StoreError, match="the answer of run a to topic 2 differs from the imported answer"):
        verify(store)


def test_what_cannot_be_added_leaves_nothing(store: Store) -> None:
    """A second answer to a topic, a topic that is not here."""
    before = list(store.conn.iterdump())
    for answer, wrong in ((ANSWERS[0], "run 'b' already answers topic '2'"), (Answer("c", "9", []), "topic '9'")):
        with pytest.raises(InputError, match=wrong):
            add_answers(store, [Answer("new", "1", [Sentence("Fine.", {"new": None})]), answer])
        assert list(store.conn.iterdump()) == before


@pytest.fixture
def nuggets_store() -> Iterator[Store]:
    with new_store(topics=["q1", "q2"], people=["ada"]) as store:
        nuggets = [NuggetEdit(kind, "q1", "ada", text) for kind, text in (("vital", "a"), ("okay", "b"), ("okay", "c"))]
        edit_nuggets(store, nuggets)
        yield store


def texts(store: Store) -> str:
    return " ".join(f"{one.text}:{one.importance}" for one in current_nuggets(store, "q1"))


def test_a_reworded_nugget_keeps_its_place_and_a_merged_one_takes_the_first(nuggets_store: Store) -> None:
    edit_nuggets(nuggets_store, [NuggetEdit("okay", "q1", "ada", " B\n two ", replaces=(2,))])
    assert texts(nuggets_store) == "a:vital B two:okay c:okay"
    edit_nuggets(nuggets_store, [NuggetEdit("vital", "q1", "ada", "ac", replaces=(1, 3))])
    assert texts(nuggets_store) == "ac:vital B two:okay"
    edit_nuggets(nuggets_store, [NuggetEdit("retract", "q1", "ada", nugget=5, supersedes=5)])
    assert texts(nuggets_store) == "a:vital B two:okay c:okay"


def test_the_importance_changes_and_the_nugget_stays_the_same(nuggets_store: Store) -> None:
    """What is refused leaves no trace, and the logs only grow."""
    with pytest.raises(InputError, match="a nugget needs a text"):
        edit_nuggets(nuggets_store, [NuggetEdit("okay", "q1", "ada", "d"), NuggetEdit("okay", "q1", "ada", " \n")])
    assert texts(nuggets_store) == "a:vital b:okay c:okay"
    edit_nuggets(nuggets_store, [NuggetEdit("vital", "q1", "ada", nugget=2), NuggetEdit("drop", "q1", "ada", nugget=1)])
    assert texts(nuggets_store) == "b:vital c:okay"
    assert [edit.kind for edit in nugget_edits(nuggets_store, "q1", after=3)] == ["vital", "drop"]
    assert not current_nuggets(nuggets_store, "q2")
    for change in ("UPDATE nugget SET text = 'x'", "DELETE FROM nugget_edit",
                   "INSERT OR REPLACE INTO nugget SELECT * FROM nugget"):  # fmt: skip
        with pytest.raises(sqlite3.IntegrityError, match="is append-only"):
            nuggets_store.conn.execute(change)


def test_progress_is_of_the_topics_asked_for() -> None:
    with answered_store(labels={"ada": SAID}) as store:
        store_topic_set(store, "second", ["2"])
        all_rows = [(row["task"], row["done"]) for row in labeller_rows(label_work_of_answers(store)) if row["done"]]
        second = store.select(Selection(topics="second"))
        some = [(row["task"], row["done"]) for row in labeller_rows(label_work_of_answers(second)) if row["done"]]
    assert all_rows == [("make nuggets", 7), ("assign nuggets", 14)]
    assert some == [("make nuggets", 2), ("assign nuggets", 4)]
