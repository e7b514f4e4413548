"""The orders in which a topic's documents are shown; none of them knows a rank, a score or a run."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from cranfield.errors import InputError

Order = Callable[[Iterable[str], str, int], list[str]]


def hash_order(docnos: Iterable[str], qid: str, seed: int) -> list[str]:
    """By a keyed hash of the docno, the key being made of the seed and the topic.

    It says nothing of where a document came from, it can be repeated from the seed alone, and a document pooled later
    takes its place without moving the others (relative to each other).

    >>> hash_order(["d1", "d2", "d3"], "q1", seed=7)
    ['d2', 'd1', 'd3']
    >>> hash_order(["d3", "d1"], "q1", seed=7)
    ['d1', 'd3']
    """
    key = hmac.digest(str(seed).encode(), qid.encode(), "sha256")
    return sorted(docnos, key=lambda docno: (hmac.digest(key, docno.encode(), "sha256"), docno))


def docid_order(docnos: Iterable[str], qid: str, seed: int) -> list[str]:
    """By docno, as NIST's assessors see them. Docnos often tell the source and the date of a document.

    >>> docid_order(["d10", "d9", "d1"], "q1", seed=0)
    ['d1', 'd10', 'd9']
    """
    return sorted(docnos)


ORDERS: Mapping[str, Order] = MappingProxyType({"hash": hash_order, "docid": docid_order})


def order_named(name: str) -> Order:
    """The order of this name.

    >>> order_named("rank")
    Traceback (most recent call last):
    cranfield.errors.InputError: there is no order 'rank'; there are hash, docid
    """
    if name not in ORDERS:
        raise InputError(f"there is no order {name!r}; there are {', '.join(ORDERS)}")
    return ORDERS[name]
