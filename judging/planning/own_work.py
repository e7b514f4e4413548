"""What an assessor is to judge of the pools."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from cranfield.errors import InputError
from cranfield.judging.planning.assign import narrowed
from cranfield.judging.session.adaptive import mend
from cranfield.judging.session.repeats import with_repeats
from cranfield.store.assignments import assignments, claim, organised, pools_to_do, repeats_of, work_of
from cranfield.store.models import audit_sample
from cranfield.store.pools import Pool, PooledDocument, stored_pool

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.store.assignments import Work
    from cranfield.store.store import Store


class PoolOf(Protocol):
    """Reads a pool by its number, or the newest."""

    def __call__(self, store: Store, number: int | None = None) -> Pool: ...


def work_for(
    store: Store, assessor: str, topics: Sequence[str] | None = None, pool_of: PoolOf = stored_pool
) -> Pool | None:
    """The pool, narrowed to what is assigned to the assessor or claimed from the queue; with second showings.

    It is the newest pool or, of the assigned pools, the most recent one with something to do. What is done is included.
    None if there is nothing for this assessor, and never was. `topics` are those to claim from; `pool_of` reads pools.
    """
    if not organised(store):
        return pool_of(store)
    mend(store)
    claim(store, assessor, topics=topics)
    return given_work(store, assessor, pool_of=pool_of)


def given_work(store: Store, assessor: str, number: int | None = None, pool_of: PoolOf = stored_pool) -> Pool | None:
    """What is the assessor's already, of one pool or of the first that has any; nothing is claimed."""
    numbers = pools_to_do(store, assessor) if number is None else [number]
    own = ((number, work_of(store, assessor, number)) for number in numbers)
    return next((_narrowed(store, assessor, pool_of(store, number), work) for number, work in own if work), None)


def work_in(store: Store, assessor: str, number: int) -> Pool | None:
    """The same for one pool: the assessor's own part, and topics that were never assigned. Nothing is claimed."""
    pool = stored_pool(store, number)
    if not organised(store):
        return pool
    given = {one.qid for one in assignments(store)}
    free = [document for document in pool.documents if document.qid not in given]
    own = _narrowed(store, assessor, pool, work_of(store, assessor)).documents
    return pool._replace(documents=[*own, *free]) if own or free else None


def sample_for(store: Store, assessor: str, number: int) -> Pool:
    """The documents of a sample of a model's labels, for the one who judges it; they show nothing of the labels."""
    sample = audit_sample(store, number)
    if sample.assessor != assessor:
        raise InputError(f"sample {number} is for {sample.assessor!r} to judge, not for {assessor!r}")
    documents = [PooledDocument(pair.qid, pair.docno, 1, ()) for pair in sample.pairs]
    return Pool("audit", {}, documents)


def _narrowed(store: Store, assessor: str, pool: Pool, work: Work) -> Pool:
    """An assessor's part of a pool, with second showings."""
    return with_repeats(narrowed(pool, work), repeats_of(store, assessor))
