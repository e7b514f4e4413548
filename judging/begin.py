"""What is settled before a session begins: who judges, which documents, in which order."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from cranfield.errors import InputError, StoreError
from cranfield.holdings import Pool, PooledDocument
from cranfield.log import Event, add_assessor, assessors
from cranfield.store import Store


def admit(store: Store, assessor: str) -> None:
    """Make the assessor known; a name under which a model or an import has labels is refused."""
    if not assessor.strip():
        raise InputError("an assessor needs a name")
    add_assessor(store, assessor)
    if (kind := assessors(store)[assessor]) != "human":
        raise StoreError(f"{assessor!r} has labels of another kind ({kind}); judge under a name of your own")


def by_topic(pool: Pool, topics: Collection[str] | None) -> dict[str, list[PooledDocument]]:
    """The pooled documents of each topic wanted."""
    pooled: dict[str, list[PooledDocument]] = {}
    for document in pool.documents:
        pooled.setdefault(document.qid, []).append(document)
    for qid in topics or ():
        if qid not in pooled:
            raise InputError(f"topic {qid!r} is not in the pool; its topics are {', '.join(list(pooled)[:10])}")
    return {qid: documents for qid, documents in pooled.items() if not topics or qid in topics}


def order_of(past: Sequence[Event], order: str | None, seed: int | None) -> tuple[str, int]:
    """The order asked for, else that of the last event, else by hash with seed 0."""
    policy, number = next(((e.order_policy, e.order_seed) for e in reversed(past) if e.order_policy), ("hash", 0))
    return order or policy, seed if seed is not None else number or 0
