"""The orders of documents."""

import random
from collections.abc import Iterable, Mapping

import pytest

from cranfield.errors import InputError
from cranfield.judging.session.order import ORDERS, order_named, sort_by_hash
from cranfield.judging.session.session import Session
from cranfield.judging.session.worklist import Provider
from cranfield.store.pools import PooledDocument
from tests.judging.cases import at, on_screen, pool_with, session_of, store_of

DOCNOS = [f"d{number}" for number in range(50)]


def shuffle() -> list[str]:
    return random.Random(1).sample(DOCNOS, len(DOCNOS))


def in_order(name: str, docnos: Iterable[str], qid: str = "q1", seed: int = 7) -> list[str]:
    """These documents in an order; the rank of each is its number, halved."""
    arrange = order_named(name).arrange
    assert arrange
    return arrange([PooledDocument(qid, docno, int(docno[1:]) // 2, ("a",)) for docno in docnos], qid, seed)


def test_an_order_does_not_depend_on_the_order_of_insertion() -> None:
    """The same documents, given in any order, are shown in one order, each once; later ones come between the others."""
    some = set(DOCNOS[:20])
    for name in (name for name, order in ORDERS.items() if order.arrange):
        assert in_order(name, DOCNOS) == in_order(name, shuffle())
        assert sorted(in_order(name, DOCNOS)) == sorted(DOCNOS)
        assert [docno for docno in in_order(name, DOCNOS) if docno in some] == in_order(name, some)
    one, two = (session_of(store_of({"q1": docnos}), order="hash", seed=3) for docnos in (DOCNOS, shuffle()))
    assert judged_in(one) == judged_in(two)


def test_hash_order_changes_with_seed_and_topic() -> None:
    """Another seed or another topic is another order."""
    orders = [in_order("hash", DOCNOS, *key) for key in (("q1", 7), ("q1", 8), ("q2", 7))]
    assert len(set(map(tuple, [*orders, sorted(DOCNOS)]))) == 4


def test_only_hash_and_docid_are_blind() -> None:
    """The table says of each order whether it tells where a document came from; one that shows ranks does not exist."""
    assert [name for name, order in ORDERS.items() if order.blind] == ["hash", "docid"]
    with pytest.raises(InputError, match="'rank' is not an order; expected one of hash, docid, priority, adaptive"):
        session_of(store_of(), order="rank")


def test_priority_order_is_the_pools() -> None:
    """The best rank first, then the most runs; the hash decides between equals, and moves with the seed."""
    documents = [PooledDocument("q", f"d{n}", n // 10, ("a",) * (1 + n % 2)) for n in range(40)]
    arrange = order_named("priority").arrange
    assert arrange
    rows = {d.docno: (d.depth, -len(d.runs)) for d in documents}
    one, two = arrange(documents, "q", 1), arrange(documents, "q", 2)
    assert [rows[docno] for docno in one] == sorted(rows.values())
    assert one != two


def judged_in(session: Session, most: int = 100) -> list[str]:
    """The documents shown one after the other, each graded by its number, odd or even."""
    docnos: list[str] = []
    while not session.view.done and len(docnos) < most:
        pair = on_screen(session)
        assert pair
        docnos.append(pair[1])
        at(session).grade(int(pair[1][1:]) % 2)
    return docnos


def test_adaptive_order_shows_batch_after_batch() -> None:
    """The pool's best ten come first, in hash order among themselves, then the next ten; begun anew, it goes on."""
    pool = pool_with({"q1": {docno: int(docno[1:]) + 1 for docno in DOCNOS}})
    store = store_of({"q1": DOCNOS})
    docnos = judged_in(Session(store, "ada", pool, order="adaptive", seed=3), 14)
    again = Session(store, "ada", pool)
    assert again.order == "adaptive"
    assert again.view.position == (15, 50)
    docnos += judged_in(again)
    for start in range(0, 50, 10):
        batch = docnos[start : start + 10]
        assert sorted(batch) == sorted(DOCNOS[start : start + 10])
        assert batch == sort_by_hash(batch, "q1", 3)


class Learner(Provider):
    """A provider that asks for the even numbers only once an odd one was relevant, three documents at a time."""

    def batch(self, qid: str, grades: Mapping[str, int | None]) -> list[str]:
        earlier: list[str] = []
        while True:
            relevant = any((grades[docno] or 0) > 0 for docno in earlier)
            rest = [docno for docno in DOCNOS[:12] if docno not in earlier and (relevant or int(docno[1:]) % 2 == 0)]
            if not all(docno in grades for docno in rest[:3]):
                return rest[:3]
            if not rest:
                return []
            earlier += rest[:3]


def test_a_provider_learns_from_the_labels() -> None:
    """The next batch follows from the labels so far; where nothing more comes, the topic is done."""
    store = store_of({"q1": DOCNOS[:12]})
    session = session_of(store, order="adaptive", provider=Learner())
    first = judged_in(session, 3)
    assert sorted(first) == ["d0", "d2", "d4"]
    assert len(first + judged_in(session)) == 6  # no odd one was ever asked for
    assert session.view.done
    at(session).undo()
    at(session).grade(2)  # relevant after all
    assert sorted(judged_in(session_of(store, order=None, provider=Learner()))) == ["d1", "d11", "d3", "d5", "d7", "d9"]


def test_what_is_put_off_does_not_hold_up_the_next_batch() -> None:
    """It comes back when the provider has no more."""
    session = session_of(store_of({"q1": DOCNOS[:12]}), order="adaptive", provider=Learner())
    put_off = on_screen(session)
    at(session).later()
    assert len(judged_in(session, 5)) == 5
    assert on_screen(session) == put_off
