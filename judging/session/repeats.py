"""Documents that are shown twice, to measure how far assessors agree with themselves.

The second label must neither replace the first nor look like somebody else's opinion. It is therefore stored under a
name of its own, "NAME (repeat)", which the store marks as such: the qrels leave it out, and `assessors` calls it
"repeat".

Inside a session a second showing is a document like any other, under a docno that ends in a mark no docno has. So it is
judged, put off and undone with the same keys and the same code, and the assessor cannot tell it from a first one.
`both` and `outward` translate where a session reads and writes the log, `bare` where it fetches a text, `with_repeats`
and `repeating` where it gets its pool and its order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from cranfield.judging.labels.pairs import of_adjudication
from cranfield.judging.session.order import DocumentOrder
from cranfield.store.assignments import REPEAT
from cranfield.store.chain import Event
from cranfield.store.log import events
from cranfield.store.pools import Pool, PooledDocument
from cranfield.store.store import Store

MARK = "\x1f2"  # a control character, which `visible` would show
GAP = 20  # documents between the two showings
LEAST = 10  # at least; with fewer the first is still remembered


def marked(docno: str) -> str:
    """The docno of the second showing, inside a session."""
    return docno + MARK


def bare(docno: str) -> str:
    r"""The docno in the store.

    >>> bare(marked("d1")), bare("d1")
    ('d1', 'd1')
    """
    return docno.removesuffix(MARK)


def outward(event: Event) -> Event:
    """An event as it is written to the log.

    >>> outward(Event("label", "q", marked("d"), "ada", grade=1))[:4]
    ('label', 'q', 'd', 'ada (repeat)')
    """
    if not event.docno.endswith(MARK):
        return event
    return event._replace(docno=bare(event.docno), assessor=event.assessor + REPEAT)


def inward(event: Event) -> Event:
    """An event as a session sees it; the inverse of `outward`."""
    if not event.assessor.endswith(REPEAT):
        return event
    return event._replace(docno=marked(event.docno), assessor=event.assessor.removesuffix(REPEAT))


def spaced(docnos: Sequence[str], repeats: Collection[str], gap: int = GAP, least: int = LEAST) -> list[str]:
    """The order of a topic with second showings, each `gap` documents after the first, or at least `least`.

    A first showing that would come too late for that is moved forward; nothing else changes its relative place. A topic
    that is too short for `repeats` has none, see `long_enough`.

    >>> [bare(docno) for docno in spaced(["d1", "d2", "d3", "d4", "d5"], ["d1", "d5"], gap=3, least=1)]
    ['d1', 'd2', 'd5', 'd3', 'd1', 'd4', 'd5']
    >>> spaced(["d1", "d2"], ["d1"])
    ['d1', 'd2']
    """
    twice = [docno for docno in docnos if docno in repeats]
    if not long_enough(len(docnos), len(twice), least):
        return list(docnos)
    room = len(docnos) - least - len(twice)
    place: dict[str, float] = {docno: number for number, docno in enumerate(docnos)}
    place.update({docno: place[docno] * room / len(docnos) for docno in twice if place[docno] >= room})
    order = sorted(docnos, key=place.__getitem__)
    after: dict[int, list[str]] = {}
    for number, docno in enumerate(order):
        if docno in twice:
            after.setdefault(min(number + gap, len(order) - 1), []).append(marked(docno))
    return [shown for number, docno in enumerate(order) for shown in (docno, *after.get(number, ()))]


def long_enough(documents: int, repeats: int, least: int = LEAST) -> bool:
    """Whether a topic has enough documents to keep these second showings far from the first."""
    return documents > least + repeats


def both(store: Store, assessor: str, view: str = "judgment_log", after: int = 0) -> list[Event]:
    """An assessor's events as a session sees them, in order: with second showings, without reasons of adjudications."""
    found = [event for name in (assessor, assessor + REPEAT) for event in events(store, name, view, after)]
    own = (event for event in found if not (event.kind == "note" and of_adjudication(event)))
    return [inward(event) for event in sorted(own, key=lambda event: event.id or 0)]


def with_repeats(pool: Pool, repeats: Mapping[str, Collection[str]]) -> Pool:
    """A pool with the documents to be repeated in it twice, in topics that are long enough."""
    size, wanted = (
        Counter(d.qid for d in pool.documents),
        [d for d in pool.documents if d.docno in repeats.get(d.qid, ())],
    )
    number = Counter(d.qid for d in wanted)
    again = [d._replace(docno=marked(d.docno)) for d in wanted if long_enough(size[d.qid], number[d.qid])]
    return pool._replace(documents=[*pool.documents, *again])


def repeating(order: DocumentOrder) -> DocumentOrder:
    """An order that shows repeats well after their first showing and leaves the rest in place."""
    arrange = order.arrange
    if arrange is None:
        return order

    def twice(documents: Iterable[PooledDocument], qid: str, seed: int) -> list[str]:
        found = list(documents)
        once = arrange([d for d in found if not d.docno.endswith(MARK)], qid, seed)
        return spaced(once, [bare(d.docno) for d in found if d.docno.endswith(MARK)])

    return order._replace(arrange=twice)
