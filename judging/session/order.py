"""The orders in which the documents of a topic are shown, and which are shown twice."""

import hmac
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from cranfield.errors import InputError
from cranfield.judging.labels.pairs import is_adjudicator_event
from cranfield.store.chain import Event
from cranfield.store.log import REPEAT, read_events
from cranfield.store.pools import Pool, PooledDocument
from cranfield.store.store import Store


def sort_by_hash(docnos: Iterable[str], qid: str, seed: int) -> list[str]:
    """By a keyed hash of the docno; the key is made of the seed and the topic, or of any other purpose.

    It reveals nothing about where a document came from, it can be reproduced from the seed alone, and a document pooled
    later takes its place without moving the others (relative to each other).

    >>> sort_by_hash(["d1", "d2", "d3"], "q1", seed=7)
    ['d2', 'd1', 'd3']
    >>> sort_by_hash(["d3", "d1"], "q1", seed=7)
    ['d1', 'd3']
    """
    key = hmac.digest(str(seed).encode(), qid.encode(), "sha256")
    return sorted(docnos, key=lambda docno: (hmac.digest(key, docno.encode(), "sha256"), docno))


def hash_order(documents: Iterable[PooledDocument], qid: str, seed: int) -> list[str]:
    """Blind: see sort_by_hash."""
    return sort_by_hash((document.docno for document in documents), qid, seed)


def docid_order(documents: Iterable[PooledDocument], qid: str, seed: int) -> list[str]:
    """By docno, as NIST's assessors see them. Docnos often reveal the source and the date of a document."""
    return sorted(document.docno for document in documents)


def priority_order(documents: Iterable[PooledDocument], qid: str, seed: int) -> list[str]:
    """The best rank in any run first, then the number of runs; the hash order among equals.

    >>> priority_order([PooledDocument("q", "d1", 2, ("a",)), PooledDocument("q", "d2", 2, ("a", "b"))], "q", 0)
    ['d2', 'd1']
    """
    pooled = list(documents)
    place = {docno: number for number, docno in enumerate(hash_order(pooled, qid, seed))}
    return [d.docno for d in sorted(pooled, key=lambda d: (d.depth, -len(d.runs), place[d.docno]))]


class DocumentOrder(NamedTuple):
    """A row of the table; `arrange` is None where a provider gives batches."""

    about: str
    blind: bool
    arrange: Callable[[Iterable[PooledDocument], str, int], list[str]] | None


ORDERS: Mapping[str, DocumentOrder] = MappingProxyType(
    {
        "hash": DocumentOrder("a seeded shuffle; blind", True, hash_order),
        "docid": DocumentOrder("by docno; blind if docnos reveal nothing about relevance", True, docid_order),
        "priority": DocumentOrder(
            "the best ranks first; not blind, because a document's position shows how it was found",
            False,
            priority_order,
        ),
        "adaptive": DocumentOrder(
            "in the pool's batches; shuffled within a batch, but not blind between batches", False, None
        ),
    }
)


DRAWN = "draw"  # the order of a pool that is a random draw, over all topics; no one chooses it
DRAWN_ORDER = DocumentOrder(
    "the order of the random draw; blind",
    True,
    lambda documents, qid, seed: [d.docno for d in sorted(documents, key=_place)],
)


def _place(document: PooledDocument) -> tuple[int, str]:
    return document.depth, document.docno


def order_named(name: str) -> DocumentOrder:
    """The order with this name.

    >>> order_named("rank")
    Traceback (most recent call last):
    cranfield.errors.InputError: 'rank' is not an order; expected one of hash, docid, priority, adaptive
    """
    if name == DRAWN:
        return DRAWN_ORDER
    if name not in ORDERS:
        raise InputError(f"{name!r} is not an order; expected one of {', '.join(ORDERS)}")
    return ORDERS[name]


MARK = "\x1f2"  # a control character, which `visible` would show
GAP = 20  # documents between the two showings
LEAST = 10  # at least; with fewer the first is still remembered


def second_showing_docno(docno: str) -> str:
    """The docno of the second showing, inside a session."""
    return docno + MARK


def stored_docno(docno: str) -> str:
    r"""The docno in the store.

    >>> stored_docno(second_showing_docno("d1")), stored_docno("d1")
    ('d1', 'd1')
    """
    return docno.removesuffix(MARK)


def event_in_log(event: Event) -> Event:
    """An event as it is written to the log.

    >>> event_in_log(Event("label", "q", second_showing_docno("d"), "ada", grade=1))[:4]
    ('label', 'q', 'd', 'ada (repeat)')
    """
    if not event.docno.endswith(MARK):
        return event
    return event._replace(docno=stored_docno(event.docno), assessor=event.assessor + REPEAT)


def event_in_session(event: Event) -> Event:
    """An event as a session sees it; the inverse of `outward`."""
    if not event.assessor.endswith(REPEAT):
        return event
    return event._replace(docno=second_showing_docno(event.docno), assessor=event.assessor.removesuffix(REPEAT))


def space_out(docnos: Sequence[str], repeats: Collection[str], gap: int = GAP, least: int = LEAST) -> list[str]:
    """The order of a topic with second showings, each `gap` documents after the first, or at least `least`.

    A first showing that would come too late for that is moved forward; nothing else changes its relative place. A topic
    that is too short for `repeats` has none, see `has_room_for_repeats`.

    >>> [stored_docno(docno) for docno in space_out(["d1", "d2", "d3", "d4", "d5"], ["d1", "d5"], gap=3, least=1)]
    ['d1', 'd2', 'd5', 'd3', 'd1', 'd4', 'd5']
    >>> space_out(["d1", "d2"], ["d1"])
    ['d1', 'd2']
    """
    twice = [docno for docno in docnos if docno in repeats]
    if not has_room_for_repeats(len(docnos), len(twice), least):
        return list(docnos)
    room = len(docnos) - least - len(twice)
    place: dict[str, float] = {docno: number for number, docno in enumerate(docnos)}
    place.update({docno: place[docno] * room / len(docnos) for docno in twice if place[docno] >= room})
    order = sorted(docnos, key=place.__getitem__)
    after: dict[int, list[str]] = {}
    for number, docno in enumerate(order):
        if docno in twice:
            after.setdefault(min(number + gap, len(order) - 1), []).append(second_showing_docno(docno))
    return [name for number, docno in enumerate(order) for name in (docno, *after.get(number, ()))]


def has_room_for_repeats(documents: int, repeats: int, least: int = LEAST) -> bool:
    """Whether a topic has enough documents to keep these second showings far from the first."""
    return documents > least + repeats


def session_events(store: Store, assessor: str, view: str = "judgment_log", after: int = 0) -> list[Event]:
    """An assessor's events as a session sees them, in order: with second showings, without reasons of adjudications."""
    log = [event for name in (assessor, assessor + REPEAT) for event in read_events(store, name, view, after)]
    own = (event for event in log if not (event.kind == "note" and is_adjudicator_event(event)))
    return [event_in_session(event) for event in sorted(own, key=lambda event: event.id or 0)]


def with_repeats(pool: Pool, repeats: Mapping[str, Collection[str]]) -> Pool:
    """A pool with the documents to be repeated in it twice, in topics that are long enough."""
    size, twice = (
        Counter(d.qid for d in pool.documents),
        [d for d in pool.documents if d.docno in repeats.get(d.qid, ())],
    )
    number = Counter(d.qid for d in twice)
    again = [
        d._replace(docno=second_showing_docno(d.docno))
        for d in twice
        if has_room_for_repeats(size[d.qid], number[d.qid])
    ]
    return pool._replace(documents=[*pool.documents, *again])


def order_with_repeats(order: DocumentOrder) -> DocumentOrder:
    """An order that shows repeats well after their first showing and leaves the rest in place."""
    arrange = order.arrange
    if arrange is None:
        return order

    def repeat_documents(documents: Iterable[PooledDocument], qid: str, seed: int) -> list[str]:
        pooled = list(documents)
        once = arrange([d for d in pooled if not d.docno.endswith(MARK)], qid, seed)
        return space_out(once, [stored_docno(d.docno) for d in pooled if d.docno.endswith(MARK)])

    return order._replace(arrange=repeat_documents)
