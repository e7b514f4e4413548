"""Second showings: a session that is given them needs nothing but translation where it meets store and log."""

from typing import Any

from cranfield.judging.planning.assign import narrowed, organise
from cranfield.judging.planning.progress import progress_of
from cranfield.judging.planning.sections import repeat_rows
from cranfield.judging.session.order import order_named, repeating, with_repeats
from cranfield.judging.session.session import Session
from cranfield.store.assignments import REPEAT, repeats_of, work_of
from cranfield.store.log import current
from cranfield.store.pools import stored_pool
from cranfield.store.qrels import qrels_of
from cranfield.store.store import Store
from tests.judging.cases import Clock, at, store_of

LONG = {"q1": [f"d{number:02}" for number in range(40)]}


def session(store: Store) -> Session:
    pool = narrowed(stored_pool(store), work_of(store, "ada"))
    return Session(store, "ada", with_repeats(pool, repeats_of(store, "ada")), clock=Clock())


def test_shown_twice_counted_once() -> None:
    """Every document is shown once, the drawn ones twice and far apart; the qrels have the first labels."""
    store = store_of(LONG)
    organise(store, ["ada"], repeats=4, seed=1)
    judging, shown = session(store), []
    while (document := judging.view.document) is not None:
        shown.append(document.docno)
        judging = session(store) if len(shown) % 7 == 0 else judging  # stopped and begun anew
        at(judging).grade(int(document.docno in shown[:-1]))
    twice = sorted(docno for docno in set(shown) if shown.count(docno) == 2)
    assert set(shown) == set(LONG["q1"])
    assert twice == repeats_of(store, "ada")["q1"]
    assert len(twice) == 4 == len(shown) - 40
    for docno in twice:
        first = shown.index(docno)
        assert shown.index(docno, first + 1) - first > 10
    assert (len(qrels_of(store)), set(qrels_of(store).grade.tolist())) == (40, {0})
    (row,) = repeat_rows(progress_of(store))
    assert (row["planned"], row["pairs"], row["same grade"]) == (4, 4, 0)


def test_undo_later_and_notes_work_on_a_second_showing() -> None:
    """It is taken back, put off and decided again like any document, without touching the first label."""
    store = store_of(LONG)
    organise(store, ["ada"], repeats=20)
    judging, seen = session(store), set()
    while (document := judging.view.document) is not None and document.docno not in seen:
        seen.add(document.docno)
        at(judging).grade(2)
    assert document is not None
    assert document.text == f"text of {document.docno}"
    at(judging).note("seen before?")
    at(judging).grade(0)
    second: Any = current(store, "ada" + REPEAT)
    assert [(event.grade, event.note) for event in second.values()] == [(0, "seen before?")]
    at(judging).undo()
    assert current(store, "ada" + REPEAT) == {}
    at(judging).later()
    assert [event.kind for event in current(store, "ada" + REPEAT).values()] == ["later"]
    assert {event.grade for event in current(store, "ada").values()} == {2}


def test_without_repeats_nothing_changes() -> None:
    """The pool and every order are as they were."""
    store = store_of(LONG)
    pool = stored_pool(store)
    assert with_repeats(pool, {}) == pool
    for name in ("hash", "docid", "priority"):
        once, twice = order_named(name).arrange, repeating(order_named(name)).arrange
        assert once is not None
        assert twice is not None
        assert once(pool.documents, "q1", 3) == twice(pool.documents, "q1", 3)
    assert repeating(order_named("adaptive")).arrange is None
