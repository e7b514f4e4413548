"""The orders of documents."""

from __future__ import annotations

import random

import pytest

from cranfield.errors import InputError
from cranfield.judging.order import ORDERS, order_named
from cranfield.judging.session import Session
from tests.judging_cases import on_screen, session_of, store_of

DOCNOS = [f"d{number}" for number in range(50)]


def shuffled() -> list[str]:
    return random.Random(1).sample(DOCNOS, len(DOCNOS))


@pytest.mark.parametrize("name", ORDERS)
def test_an_order_does_not_depend_on_the_order_of_insertion(name: str) -> None:
    """The same documents, given in any order, are shown in one order; all of them, each once."""
    order = order_named(name)
    assert order(DOCNOS, "q1", 7) == order(shuffled(), "q1", 7)
    assert sorted(order(DOCNOS, "q1", 7)) == sorted(DOCNOS)


@pytest.mark.parametrize("name", ORDERS)
def test_more_documents_do_not_move_the_others(name: str) -> None:
    """Documents pooled later take their places between the others."""
    order = order_named(name)
    some = set(DOCNOS[:20])
    assert [docno for docno in order(DOCNOS, "q1", 7) if docno in some] == order(some, "q1", 7)


def test_hash_order_changes_with_seed_and_topic() -> None:
    """Another seed or another topic is another order."""
    order = order_named("hash")
    orders = [order(DOCNOS, "q1", 7), order(DOCNOS, "q1", 8), order(DOCNOS, "q2", 7), sorted(DOCNOS)]
    assert len(set(map(tuple, orders))) == 4


def test_a_session_shows_the_same_order_whatever_the_pool_was_built_from() -> None:
    """Two stores that got the documents in different orders show them alike."""

    def shown(session: Session) -> list[object]:
        pairs: list[object] = []
        while not session.view.done:
            pairs.append(on_screen(session))
            session.grade(0)
        return pairs

    one, two = (session_of(store_of({"q1": docnos}), order="hash", seed=3) for docnos in (DOCNOS, shuffled()))
    assert shown(one) == shown(two)


def test_an_unknown_order_is_refused() -> None:
    """An order that would show ranks does not exist."""
    with pytest.raises(InputError, match="there is no order 'rank'; there are hash, docid"):
        session_of(store_of(), order="rank")
