"""Defects found in the source of other labelling tools, each as a test that fails where the defect is.

Those of reading a model's answer are with the votes (UMBRELA), that of Quepid's aggregate is with the policies.
"""

import sqlite3
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest

from cranfield.errors import StoreError
from cranfield.formats import Document, Topic
from cranfield.judging.adjudication.adjudication import Adjudication
from cranfield.judging.adjudication.cases import disputes
from cranfield.judging.frontends.plain import Plain
from cranfield.judging.labels.derive import derive
from cranfield.judging.labels.export import export_qrels
from cranfield.judging.labels.policies import policy
from cranfield.judging.labels.why import why
from cranfield.judging.planning.assign import narrowed, organise
from cranfield.judging.session.session import Session
from cranfield.store import connection
from cranfield.store.assignments import assignments, claim, work_of
from cranfield.store.chain import Event
from cranfield.store.log import (
    add_assessor,
    add_criterion,
    append,
    assessors,
    criteria,
    current,
    events,
    guidelines,
    set_guidelines,
)
from cranfield.store.pools import add_pool, stored_pool
from cranfield.store.qrels import qrels_of
from cranfield.store.store import Store
from tests.judging.cases import SCALE, Clock, at, on_screen, pool_of, session_of, store_of
from tests.judging.screen import on_the_screen, typed

# Relevation


def test_relevation_a_digit_is_its_grade_and_not_the_place_of_a_button() -> None:
    """There 1 was "unjudged", 2 and 3 were each other's grades, 4 was grade 0. A digit off the scale does nothing."""
    store = store_of({"q1": [f"d{number}" for number in range(6)]})
    on_the_screen(session_of(store), "1", "4", "0", "3", "2")
    assert [event.grade for event in events(store)] == [1, 0, 2]


def test_relevation_a_digit_in_a_comment_is_a_digit() -> None:
    """There it submitted the form."""
    store = store_of({"q1": ["d1", "d2"]})
    on_the_screen(session_of(store), "n", *typed("0 of 12"), "escape", "2")
    (label,) = [event for event in events(store) if event.kind == "label"]
    assert (label.docno, label.grade, label.note) == ("d1", 2, "0 of 12")


def test_relevation_a_label_is_somebodys() -> None:
    """There no judgment had a user, and the second replaced the first."""
    store = store_of({"q1": ["d1"]})
    for grade, name in enumerate(("ada", "bob")):
        at(session_of(store, name)).grade(grade)
    assert {(event.assessor, event.grade) for event in events(store)} == {("ada", 0), ("bob", 1)}


def test_relevation_topics_have_any_name_and_any_length() -> None:
    """There a topic's id had to be a number, the next was the id plus one, and a query had 250 characters at most."""
    store, long = Store.memory("odd", SCALE), "wing " * 200
    store.add_documents([Document("d/1", text="x"), Document("D 2", text="y")])
    store.add_topics([Topic("q 7/ü", long), Topic("2", "short")])
    add_pool(store, pool_of({"q 7/ü": ["d/1"], "2": ["D 2"]}))
    session = session_of(store)
    assert session.view.topic is not None
    assert session.view.topic.title.split() == long.split()
    assert on_screen(session) == ("q 7/ü", "d/1")
    at(session).grade(2)
    assert on_screen(session) == ("2", "D 2")


def test_relevation_no_message_can_pass_for_a_document() -> None:
    """There a document that could not be read was an error message in its place, to be judged."""
    store, out = (
        store_of({"q1": ["d1", "d2"]}, texts={"d1": "", "d2": "The store has no text for this document."}),
        StringIO(),
    )
    Plain(session_of(store), StringIO("0\nq\n"), out).run()
    lines = out.getvalue().splitlines()
    assert lines.count("The store has no text for this document.") == 1  # the program's own words begin the line
    assert lines.count("  The store has no text for this document.") == 1  # a document's are set in


# Quepid


def test_quepid_later_comes_back_to_the_same_person_and_uses_nothing_up() -> None:
    """There it never did, and it counted as one of the three ratings."""
    store = store_of({"q1": ["d1", "d2"]})
    organise(store, overlap=1.0)
    claim(store, "ada")
    pool = narrowed(stored_pool(store), work_of(store, "ada"))
    at(session_of(store, "ada")).later()
    again = Session(store, "ada", pool, "docid", clock=Clock())
    at(again).grade(1)
    assert on_screen(again) == ("q1", "d1")
    assert {(given.role, given.unfinished) for given in assignments(store)} == {("first", 1), ("second", 2)}
    assert export_counts(store)["unlabelled"] + export_counts(store)["later"] == 1


def export_counts(store: Store) -> dict[str, int]:
    """How many pairs of the pool are in each state."""
    derived = derive(store)
    states = [derived.state((document.qid, document.docno)) for document in stored_pool(store).documents]
    return {state: states.count(state) for state in ("label", "later", "cannot-judge", "unsure", "unlabelled")}


def test_quepid_two_windows_overwrite_nothing(tmp_path: Path) -> None:
    """There overlapping creates were caught and overwritten. Here both are on record, and the later one stands."""
    path = tmp_path / "a.db"
    store_of({"q1": ["d1"]}, path).close()
    with Store.open(path) as one, Store.open(path) as other:
        windows = [session_of(one), session_of(other)]
        for window, grade in zip(windows, (2, 0), strict=True):
            at(window).grade(grade)
        assert [event.grade for event in events(one)] == [event.grade for event in events(other)] == [2, 0]
        assert current(one, "ada")["q1", "d1"].grade == 0


WRITES: dict[str, Callable[[Store], object]] = {
    "a label": lambda store: append(store, Event("label", "q1", "d1", "ada", grade=1)),
    "an assessor": lambda store: add_assessor(store, "bob"),
    "a criterion": lambda store: add_criterion(store, "q1", "ada", "says how"),
    "the guidelines": lambda store: set_guidelines(store, "read it all"),
}


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_quepid_whoever_writes_waits_for_her_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write: Callable[[Store], object]
) -> None:
    """While another program writes nothing gets in between, and who waits in vain is told so; then it works."""
    monkeypatch.setattr(connection, "PATIENCE", 0)
    path = tmp_path / "a.db"
    store_of({"q1": ["d1"]}, path).close()
    other = sqlite3.connect(path, isolation_level=None)
    with Store.open(path) as store:
        add_assessor(store, "ada")
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="another program has been writing"):
            write(store)
        other.execute("ROLLBACK")
        write(store)
        assert not store.db.conn.in_transaction
    other.close()


def test_quepid_criteria_and_guidelines_are_part_of_the_transaction_they_are_in(tmp_path: Path) -> None:
    """Undone with it; and not to be seen from elsewhere before its end."""
    path = tmp_path / "a.db"
    store_of({"q1": ["d1"]}, path).close()
    with Store.open(path) as store, Store.open(path) as other:
        add_assessor(store, "ada")
        with pytest.raises(KeyboardInterrupt):
            interrupted(store, other)
        assert (criteria(store, "q1", "ada"), guidelines(store)) == ([], "")


def interrupted(store: Store, other: Store) -> None:
    with store.writing():
        add_criterion(store, "q1", "ada", "says how")
        set_guidelines(store, "read it all")
        assert (criteria(other, "q1", "ada"), guidelines(other)) == ([], "")
        raise KeyboardInterrupt


# Relevance Studio


def test_relevance_studio_unjudged_and_zero_are_two_things(tmp_path: Path) -> None:
    """There a document without a rating was drawn as 0, and a rating of 0 could not be cleared."""
    store = store_of({"q1": ["d1", "d2"]})
    session = session_of(store)
    at(session).grade(0)
    assert (session.view.counts.judged, session.view.counts.remaining) == (1, 1)
    assert (why(store, "q1", "d1").grade, why(store, "q1", "d2").grade) == (0, None)
    assert export_counts(store) == {"label": 1, "later": 0, "cannot-judge": 0, "unsure": 0, "unlabelled": 1}
    export_qrels(store, tmp_path / "qrels")
    assert (tmp_path / "qrels").read_text() == "q1 0 d1 0\n"
    at(session).undo()
    assert (len(qrels_of(store)), session.view.counts.remaining) == (0, 2)


def test_relevance_studio_a_zero_decides_as_any_grade_does() -> None:
    """Adjudicated to 0, a pair is not relevant, whatever the votes; a vote of 0 is a vote."""
    for name in ("primary", "adjudicated-else-max"):
        assert policy(name).decide([2, 2], adjudications=[0]) == (0, False, True)
    assert policy("mean-rounded").grade([0, 2]) == 1
    store = store_of({"q1": ["d1"]})
    for name, grade in (("ada", 0), ("bob", 2)):
        at(session_of(store, name)).grade(grade)
    adjudication = Adjudication(store, "eve", disputes(derive(store).by_pair))
    at(adjudication).grade(0)
    assert (adjudication.progress(), why(store, "q1", "d1").grade) == ((1, 1), 0)


# HiCAL


def test_hical_time_away_is_neither_lost_nor_counted_as_work() -> None:
    """There a variable that nobody had declared lost the time away after idling, and active time came out too long."""
    store, clock = store_of({"q1": ["d1", "d2"]}), Clock()
    session = session_of(store, clock=clock, idle=60.0)
    for pause in (10, 5000, 20, 7000, 5):
        clock.now += pause
        session.touch()
    at(session).grade(1)
    clock.now += 3
    at(session).grade(1)
    assert [event.seconds for event in events(store)] == [10 + 20 + 5, 3.0]


def test_hical_judging_again_is_blind_to_the_first_time() -> None:
    """There undo opened a list with the grade in it, which then was in sight. Here what was taken back is not."""
    store = store_of({"q1": ["d1", "d2"]})
    on_the_screen(session_of(store), "2")
    again = session_of(store)
    fresh = on_the_screen(session_of(store_of({"q1": ["d1", "d2"]})), "U").text
    back = on_the_screen(again, "u").text
    assert "text of d1" in back
    assert [row for row in back.splitlines() if "2" in row and "highly" in row] == [
        row for row in fresh.splitlines() if "2" in row and "highly" in row
    ]


# INCEpTION


def test_inception_to_nothing_is_an_answer() -> None:
    """There a unit could not be settled as having no annotation. Here it is settled, and nobody is asked again."""
    store = store_of({"q1": ["d1"]})
    for name, grade in (("ada", 0), ("bob", 2)):
        at(session_of(store, name)).grade(grade)
    several = disputes(derive(store).by_pair)
    at(Adjudication(store, "eve", several)).cannot_judge("torn in half")
    again = Adjudication(store, "fay", several)
    assert (again.view.done, again.progress()) == (True, (1, 1))
    settled = derive(store, "adjudicated-else-primary")
    assert (settled.labels, settled.state(("q1", "d1"))) == ({}, "cannot-judge")


# Label Studio


def test_label_studio_nobody_is_deleted_from_under_her_labels(tmp_path: Path) -> None:
    """There deleting a user left labels of nobody. Here it is refused, as is another name for her."""
    path = tmp_path / "a.db"
    with store_of({"q1": ["d1"]}, path) as store:
        at(session_of(store, "ada")).grade(2)
        for change in ("DELETE FROM assessor", "UPDATE assessor SET name = 'assessor 1'"):
            with pytest.raises(sqlite3.IntegrityError):
                store.db.conn.execute(f"{change} WHERE name = 'ada'")
            store.db.conn.rollback()
        assert list(assessors(store)) == ["ada"]
        assert [(event.assessor, event.grade) for event in events(store)] == [("ada", 2)]
        assert why(store, "q1", "d1").grade == 2
