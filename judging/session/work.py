"""The work of a session: which documents of which topics, in which order, and what happened to them before.

A claim expires and may pass to somebody else while a session is open. What the session recorded before stays; from then
on it records nothing, so that no two people judge one topic. A claim that has expired but that nobody else took still
holds, and recording renews it. A topic that was never assigned is open to anyone.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from cranfield.errors import InputError, StoreError
from cranfield.judging.session.assessor_state import AssessorState
from cranfield.judging.session.order import (
    DRAWN,
    MARK,
    ORDERS,
    order_named,
    order_with_repeats,
    session_events,
    stored_docno,
)
from cranfield.judging.session.worklist import PoolBatches, Provider, Repeating, Worklist
from cranfield.store import open_pools
from cranfield.store.assignments import other_holder, pairs_of
from cranfield.store.chain import Event
from cranfield.store.log import add_assessor, assessors
from cranfield.store.pools import RANDOM_DRAW, Pool, PooledDocument, pairs_left_out_of_pool
from cranfield.store.store import Store
from cranfield.store.withdrawals import drop_renamed
from cranfield.text import name_hint

Pooled = Mapping[str, Sequence[PooledDocument]]


class PassedOnError(InputError):
    """A topic has passed to somebody else, so nothing was recorded."""


class AssessorWork(NamedTuple):
    """A pool as the work of an assessor: its order, what happened so far, and what chooses the next batch."""

    pool: Pool
    order: str
    seed: int
    past: Sequence[Event]
    state: AssessorState
    documents: Worklist
    provider: Provider | None  # where batches are chosen
    waiting: Callable[[], Sequence[str]]  # undecided docnos; all of them where none is known


def take_up(
    store: Store,
    assessor: str,
    pool: Pool,
    *,
    order: str | None = None,
    seed: int | None = None,
    topics: Collection[str] | None = None,
    provider: Provider | None = None,
) -> AssessorWork:
    """Take up a pool: all or some of its topics, in the order asked for or the previous one."""
    pooled, gone = documents_by_topic(pool, topics), pairs_left_out_of_pool(store, pool.number)
    if gone:
        pooled = {
            qid: [one for one in own if (qid, stored_docno(one.docno)) not in gone] for qid, own in pooled.items()
        }
        pooled = {qid: own for qid, own in pooled.items() if own}
    rest = pairs_of(drop_renamed(store, assessor, {q: [one.docno for one in own] for q, own in pooled.items()}))
    pooled = {qid: [one for one in own if (qid, one.docno) in rest] for qid, own in pooled.items()}
    past = [event for event in session_events(store, assessor) if event.qid in pooled]
    order, seed = judging_order_and_seed(store, pool, past, order, seed)
    how = order_with_repeats(order_named(order))
    register_assessor(store, assessor)
    pooled_docnos = {qid: {document.docno for document in pooled[qid]} for qid in {event.qid for event in past}}
    past = [event for event in past if provider or event.docno in pooled_docnos[event.qid]]
    state = AssessorState(past)
    if provider is None and how.arrange is None:
        provider = provider_of(store, assessor, pool, pooled, seed)
    documents = Worklist(
        store.topics(), pooled, how, seed=seed, state=state, provider=provider, mix_topics=order == DRAWN
    )

    def waiting() -> list[str]:
        rest: list[str] = []
        for qid, documents in pooled.items():
            docnos = [document.docno for document in documents]
            is_begun = bool(state.decided[qid])
            rest += [docno for docno in docnos if not state.decision((qid, docno))] if is_begun else docnos
        return rest or [document.docno for documents in pooled.values() for document in documents]

    return AssessorWork(
        pool, order, seed, past=past, state=state, documents=documents, provider=provider, waiting=waiting
    )


def register_assessor(store: Store, assessor: str, role: str = "assessor", verb: str = "judge") -> None:
    """Register the assessor; a name that holds labels of a model or an import is refused."""
    if not assessor.strip():
        raise InputError(f"an {role} needs a name")
    add_assessor(store, assessor)
    if (kind := assessors(store)[assessor]) != "human":
        raise StoreError(f"assessor {assessor!r} has kind {kind}, not human; {verb} under a different name")


def documents_by_topic(pool: Pool, topics: Collection[str] | None) -> dict[str, list[PooledDocument]]:
    """The pooled documents of each requested topic."""
    pooled: dict[str, list[PooledDocument]] = {}
    for qid, documents in groupby(pool.documents, attrgetter("qid")):
        pooled.setdefault(qid, []).extend(documents)
    for qid in topics or ():
        if qid not in pooled:
            raise InputError(f"topic {qid!r} is not in the pool{name_hint(qid, pooled)}")
    return {qid: documents for qid, documents in pooled.items() if not topics or qid in topics}


def judging_order_and_seed(
    store: Store, pool: Pool, past: Sequence[Event], order: str | None, seed: int | None
) -> tuple[str, int]:
    """The order and seed asked for, else those of the last event, else by hash with seed 0.

    An open pool is judged in its own batches, and a random draw as drawn, unless something else is asked for; that has
    no effect on other pools.
    """
    before = [event for event in past if event.order_policy in ORDERS]
    number = before[-1].order_seed if before else 0
    adaptive = open_pools.numbers_of_pools_built_in_batches(store)
    policies = (event.order_policy for event in reversed(before) if event.pool not in adaptive)
    if pool.method == RANDOM_DRAW:
        return order or DRAWN, seed if seed is not None else number or 0
    usual = "adaptive" if open_pools.is_open(store, pool) else next(policies, "hash")
    return order or usual, seed if seed is not None else number or 0


def provider_of(store: Store, assessor: str, pool: Pool, pooled: Pooled, seed: int) -> Provider:
    """What chooses the batches: an open pool's own method, else the ranks in the pool; with second showings."""
    again = {
        qid: [stored_docno(d.docno) for d in documents if d.docno.endswith(MARK)] for qid, documents in pooled.items()
    }
    first = {qid: [d for d in documents if not d.docno.endswith(MARK)] for qid, documents in pooled.items()}
    if not open_pools.is_open(store, pool):
        return Repeating(PoolBatches(first, seed), again)
    from cranfield.judging.session.adaptive import AdaptiveBatches

    return Repeating(AdaptiveBatches(store, assessor, pool, first), again)


@contextmanager
def topic_transaction(store: Store, assessor: str, qid: str) -> Iterator[None]:
    """A transaction about a topic that is still the assessor's; an error where it is not."""
    with store.writing():
        if taker := other_holder(store, assessor, qid):
            raise PassedOnError(f"topic {qid} is no longer yours: {taker}; your earlier labels are kept")
        yield


def drop_topic(pool: Pool, qid: str) -> Pool:
    """A pool without one of its topics.

    >>> pool = Pool("depth", {}, [PooledDocument("q1", "d", 1, ()), PooledDocument("q2", "d", 1, ())])
    >>> [document.qid for document in drop_topic(pool, "q1").documents]
    ['q2']
    """
    return pool._replace(documents=[document for document in pool.documents if document.qid != qid])
