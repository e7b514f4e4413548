"""What chooses the next batch of documents, where the order is adaptive."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Protocol

from cranfield.judging.session.order import GAP, LEAST, bare, marked, priority_order
from cranfield.store.pools import PooledDocument

BATCH = 10
Decided = Mapping[str, int | None]


class Provider(Protocol):
    """Chooses which documents of a topic are judged next, a batch at a time."""

    def batch(self, qid: str, decided: Decided) -> Sequence[str]:
        """The current batch of documents, decided or not; empty where there is nothing more.

        `decided` has every document decided so far and its grade, in the order they were decided; the grade is None
        where a document was put off or cannot be judged. A session that is started again on the same store goes on with
        the same batch: a provider that learns replays the decisions, or keeps what it chose in the store. A batch is
        current until all of it is decided. Its order means nothing.
        """

    def size(self, qid: str) -> int | None:
        """How many documents the topic will have, as far as is known; None: as many as are pooled."""
        return None

    def pool(self) -> int | None:
        """The number of the pool that has the documents; None: the one the session was given."""
        return None


class PoolBatches(Provider):
    """The default provider: a pool's documents, the best ranks first, in batches.

    >>> documents = [PooledDocument("q", f"d{depth}", depth, ("a",)) for depth in (3, 1, 2)]
    >>> batches = PoolBatches({"q": documents}, size=2)
    >>> batches.batch("q", {}), batches.batch("q", {"d1": 0, "d2": None})
    (['d1', 'd2'], ['d3'])
    >>> batches.batch("q", {"d1": 0, "d2": 0, "d3": 1})
    []
    """

    def __init__(self, pooled: Mapping[str, Sequence[PooledDocument]], seed: int = 0, size: int = BATCH) -> None:
        self._order = cache(lambda qid: priority_order(pooled[qid], qid, seed))
        self._size = size

    def batch(self, qid: str, decided: Decided) -> list[str]:
        """The first batch with an undecided document."""
        order, size = self._order(qid), self._size
        batches = (order[start : start + size] for start in range(0, len(order), size))
        return next((batch for batch in batches if not all(docno in decided for docno in batch)), [])


class Repeating(Provider):
    """Batches with some documents shown a second time, at least GAP decisions after the first; LEAST at the end.

    >>> documents = [PooledDocument("q", f"d{depth:02}", depth, ("a",)) for depth in range(30)]
    >>> batches = Repeating(PoolBatches({"q": documents}), {"q": ["d05"]})
    >>> decided = dict.fromkeys(f"d{depth:02}" for depth in range(30))
    >>> [bare(docno) for docno in batches.batch("q", decided)]
    ['d05']
    >>> decided = dict.fromkeys(f"d{depth:02}" for depth in range(20))
    >>> marked("d05") in batches.batch("q", decided)
    False
    """

    def __init__(self, of: Provider, repeats: Mapping[str, Collection[str]]) -> None:
        self._of, self._repeats = of, repeats

    def batch(self, qid: str, decided: Decided) -> list[str]:
        """The other provider's batch, and what is far enough away to be shown again."""
        first = {docno: grade for docno, grade in decided.items() if bare(docno) == docno}
        return [*self._of.batch(qid, first), *self._due(qid, decided, GAP)] or self._due(qid, decided, LEAST)

    def _due(self, qid: str, decided: Decided, gap: int) -> list[str]:
        place = {docno: number for number, docno in enumerate(decided, 1)}
        far = [docno for docno in self._repeats.get(qid, ()) if len(decided) - place.get(docno, len(decided)) >= gap]
        return [marked(docno) for docno in far if marked(docno) not in decided]

    def size(self, qid: str) -> int | None:
        """The other provider's size, and the second showings."""
        size = self._of.size(qid)
        return None if size is None else size + len(self._repeats.get(qid, ()))

    def pool(self) -> int | None:
        """The other's."""
        return self._of.pool()
