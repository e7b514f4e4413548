"""The orders in which the documents of a topic are shown.

`hash` and `docid` are blind: they use no rank, score or run. `priority` is not. `adaptive` is blind within a batch; a
provider chooses the next batch, perhaps from the labels so far.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from cranfield.errors import InputError
from cranfield.store.pools import PooledDocument


def by_hash(docnos: Iterable[str], qid: str, seed: int) -> list[str]:
    """By a keyed hash of the docno; the key is made of the seed and the topic, or of any other purpose.

    It reveals nothing about where a document came from, it can be reproduced from the seed alone, and a document pooled
    later takes its place without moving the others (relative to each other).

    >>> by_hash(["d1", "d2", "d3"], "q1", seed=7)
    ['d2', 'd1', 'd3']
    >>> by_hash(["d3", "d1"], "q1", seed=7)
    ['d1', 'd3']
    """
    key = hmac.digest(str(seed).encode(), qid.encode(), "sha256")
    return sorted(docnos, key=lambda docno: (hmac.digest(key, docno.encode(), "sha256"), docno))


def hash_order(documents: Iterable[PooledDocument], qid: str, seed: int) -> list[str]:
    """Blind: see by_hash."""
    return by_hash((document.docno for document in documents), qid, seed)


def docid_order(documents: Iterable[PooledDocument], qid: str, seed: int) -> list[str]:
    """By docno, as NIST's assessors see them. Docnos often reveal the source and the date of a document."""
    return sorted(document.docno for document in documents)


def priority_order(documents: Iterable[PooledDocument], qid: str, seed: int) -> list[str]:
    """The best rank in any run first, then the number of runs; the hash order among equals.

    >>> priority_order([PooledDocument("q", "d1", 2, ("a",)), PooledDocument("q", "d2", 2, ("a", "b"))], "q", 0)
    ['d2', 'd1']
    """
    found = list(documents)
    place = {docno: number for number, docno in enumerate(hash_order(found, qid, seed))}
    return [d.docno for d in sorted(found, key=lambda d: (d.depth, -len(d.runs), place[d.docno]))]


class DocumentOrder(NamedTuple):
    """A row of the table; `arrange` is None where a provider gives batches."""

    about: str
    blind: bool
    arrange: Callable[[Iterable[PooledDocument], str, int], list[str]] | None


ORDERS: Mapping[str, DocumentOrder] = MappingProxyType(
    {
        "hash": DocumentOrder("a seeded shuffle; blind", True, hash_order),
        "docid": DocumentOrder("by docno; blind, as far as docnos give nothing away", True, docid_order),
        "priority": DocumentOrder(
            "the best ranks first; not blind: the position of a document shows how it was found", False, priority_order
        ),
        "adaptive": DocumentOrder(
            "batch by batch, as the pool chooses; shuffled within a batch, but not blind between batches", False, None
        ),
    }
)


def order_named(name: str) -> DocumentOrder:
    """The order with this name.

    >>> order_named("rank")
    Traceback (most recent call last):
    cranfield.errors.InputError: there is no order 'rank'; there are hash, docid, priority, adaptive
    """
    if name not in ORDERS:
        raise InputError(f"there is no order {name!r}; there are {', '.join(ORDERS)}")
    return ORDERS[name]
