"""Whether a topic is still an assessor's: asked in the transaction in which anything is recorded.

A claim lapses and may pass to somebody else while a session is open. What the session recorded before stays; from then
on it records nothing, so that no two people do one topic. A claim that has lapsed and that nobody wanted is still hers,
and what she records renews it. A topic that was never assigned is anybody's.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from cranfield.errors import InputError
from cranfield.store.assignments import taken_by
from cranfield.store.runs import Pool
from cranfield.store.store import Store


class PassedOnError(InputError):
    """A topic is not hers any more, so that nothing was recorded."""


@contextmanager
def held(store: Store, assessor: str, qid: str) -> Iterator[None]:
    """A transaction about a topic that is an assessor's; refused where it is not."""
    with store.writing():
        if taker := taken_by(store, assessor, qid):
            raise PassedOnError(f"topic {qid} is not yours any more: {taker}; what you had recorded stays")
        yield


def without(pool: Pool, qid: str) -> Pool:
    """A pool without one of its topics.

    >>> from cranfield.store.runs import PooledDocument
    >>> pool = Pool("depth", {}, [PooledDocument("q1", "d", 1, ()), PooledDocument("q2", "d", 1, ())])
    >>> [document.qid for document in without(pool, "q1").documents]
    ['q2']
    """
    return pool._replace(documents=[document for document in pool.documents if document.qid != qid])
