"""What is to be judged: which documents of which topics, in what order, and how much of it is done.

Where the order is adaptive, a provider chooses the next batch of documents.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple, Protocol

from cranfield.formats import Topic
from cranfield.judging.labels.pairs import Pair
from cranfield.judging.session.assessor_state import AssessorState
from cranfield.judging.session.order import (
    GAP,
    LEAST,
    DocumentOrder,
    priority_order,
    second_showing_docno,
    sort_by_hash,
    stored_docno,
)
from cranfield.judging.session.transitions import TRANSITIONS, State
from cranfield.store.pools import PooledDocument

BATCH = 10
Decided = Mapping[str, int | None]


class Provider(Protocol):
    """Chooses which documents of a topic are judged next, a batch at a time."""

    def batch(self, qid: str, grades: Decided) -> Sequence[str]:
        """The current batch of documents, decided or not; empty where there is nothing more.

        `grades` has every document decided so far and its grade, in the order they were decided; the grade is None
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

    def batch(self, qid: str, grades: Decided) -> list[str]:
        """The first batch with an undecided document."""
        order, size = self._order(qid), self._size
        batches = (order[start : start + size] for start in range(0, len(order), size))
        return next((batch for batch in batches if not all(docno in grades for docno in batch)), [])


class Repeating(Provider):
    """Batches with some documents shown a second time, at least GAP decisions after the first; LEAST at the end.

    >>> documents = [PooledDocument("q", f"d{depth:02}", depth, ("a",)) for depth in range(30)]
    >>> batches = Repeating(PoolBatches({"q": documents}), {"q": ["d05"]})
    >>> decided = dict.fromkeys(f"d{depth:02}" for depth in range(30))
    >>> [stored_docno(docno) for docno in batches.batch("q", decided)]
    ['d05']
    >>> decided = dict.fromkeys(f"d{depth:02}" for depth in range(20))
    >>> second_showing_docno("d05") in batches.batch("q", decided)
    False
    """

    def __init__(self, of: Provider, repeats: Mapping[str, Collection[str]]) -> None:
        self._of, self._repeats = of, repeats

    def batch(self, qid: str, grades: Decided) -> list[str]:
        """The other provider's batch, and what is far enough away to be shown again."""
        first = {docno: grade for docno, grade in grades.items() if stored_docno(docno) == docno}
        return [*self._of.batch(qid, first), *self._due_repeats(qid, grades, GAP)] or self._due_repeats(
            qid, grades, LEAST
        )

    def _due_repeats(self, qid: str, grades: Decided, gap: int) -> list[str]:
        place = {docno: number for number, docno in enumerate(grades, 1)}
        far = [docno for docno in self._repeats.get(qid, ()) if len(grades) - place.get(docno, len(grades)) >= gap]
        return [second_showing_docno(docno) for docno in far if second_showing_docno(docno) not in grades]

    def size(self, qid: str) -> int | None:
        """The other provider's size, and the second showings."""
        size = self._of.size(qid)
        return None if size is None else size + len(self._repeats.get(qid, ()))

    def pool(self) -> int | None:
        """The other's."""
        return self._of.pool()


Pooled = Mapping[str, Sequence[PooledDocument]]


class Counts(NamedTuple):
    """How many documents are in each state; the four add up to all."""

    judged: int = 0
    later: int = 0
    cannot_judge: int = 0
    remaining: int = 0

    def __str__(self) -> str:
        return f"judged {self.judged}, later {self.later}, cannot judge {self.cannot_judge}, remaining {self.remaining}"


class Position(NamedTuple):
    """The place of a document in its order, from 1."""

    number: int
    of: int


class Worklist:
    """The documents of a session: topics in the order of the store, documents of a topic in the order of the session.

    Where a provider chooses, a topic's documents are those decided and those of the current batch; the next batch is
    requested when nothing of it is left. What was put off comes back when there is nothing else. A random draw is
    shown in the order of the draw `mix_topics`, so that its labels count as far as they go.
    """

    def __init__(
        self,
        topics: Iterable[Topic],
        pooled: Pooled,
        order: DocumentOrder,
        *,
        seed: int,
        state: AssessorState,
        provider: Provider | None,
        mix_topics: bool = False,
    ) -> None:
        depths = {(qid, d.docno): d.depth for qid, several in pooled.items() for d in several}
        self._drawn_place = depths if mix_topics else None
        self.topics = {topic.qid: topic for topic in topics if topic.qid in pooled}
        self._pooled, self._arrange = pooled, order.arrange
        self._state, self._seed = state, seed
        self._provider = provider if order.arrange is None else None
        self._sizes = {qid: self._size(qid) or len(pooled[qid]) for qid in self.topics}
        self._places: dict[str, dict[str, int]] = {}  # by topic: the documents in order, each with its place from 1
        if self._provider:
            for qid in self.topics:
                self._ordered_documents(qid)

    def _size(self, qid: str) -> int:
        """How many documents the provider announces for a topic; 0 if it does not say."""
        return (self._provider and self._provider.size(qid)) or 0

    def _ordered_documents(self, qid: str) -> dict[str, int]:
        """The documents of a topic, put in order when first needed."""
        if qid not in self._places:
            self._places[qid] = {}
            arrange = self._arrange
            self._extend(qid, arrange(self._pooled[qid], qid, self._seed) if arrange else [*self._state.decided[qid]])
        return self._places[qid]

    def _extend(self, qid: str, docnos: Iterable[str]) -> bool:
        """Append documents to a topic; whether any was new."""
        places = self._ordered_documents(qid)
        size = len(places)
        for docno in docnos:
            places.setdefault(docno, len(places) + 1)
        self._sizes[qid] = max(self._sizes[qid], len(places))
        return len(places) > size

    def has_pair(self, pair: Pair) -> bool:
        """Whether a pair belongs to the work; where a provider chooses, one shown in another window does."""
        if self._provider is not None and pair[0] in self.topics:
            self._extend(pair[0], [pair[1]])
        return pair[0] in self.topics and pair[1] in self._ordered_documents(pair[0])

    def order(self, qid: str) -> Sequence[str]:
        """The documents of a topic in the order in which they are shown, as far as it is known."""
        return [*self._ordered_documents(qid)]

    def place(self, pair: Pair) -> Position:
        """The position of a document in its topic."""
        return Position((places := self._ordered_documents(pair[0])).get(pair[1], len(places)), self._sizes[pair[0]])

    def overall(self, pair: Pair) -> Position:
        """Its position among all documents."""
        before = 0
        for qid in self.topics:
            if qid == pair[0]:
                break
            before += self._sizes[qid]
        return Position(before + self.place(pair).number, sum(self._sizes.values()))

    def counts(self, qids: Iterable[str]) -> Counts:
        """How many documents of these topics are in each state."""
        tally: Counter[State] = Counter()
        size = 0
        for qid in qids:
            tally.update(self._state.counts[qid])
            size += self._sizes[qid]
        return Counts(tally["judged"], tally["later"], tally["cannot judge"], size - tally.total())

    def next(self, start: str | None) -> Pair | None:
        """What undo restored, else the next document of the topic last worked on, else of the first open one."""
        state = self._state
        if state.focus and start is None:
            return state.focus
        if self._drawn_place is not None and start is None and (pair := self._first_drawn(self._drawn_place)):
            return pair
        last = state.last.qid if state.last else None
        for qid in (start, last, *self.topics):
            if qid and self.open(qid):
                return qid, self._first_undecided_or_postponed(qid)
        return None

    def _first_drawn(self, place: Mapping[Pair, int]) -> Pair | None:
        """The undecided document that was drawn first, of any topic."""
        pairs = [(qid, docno) for qid in self.topics if (docno := self._first_undecided_document(qid)) is not None]
        return min(pairs, key=lambda pair: place.get(pair, len(place)), default=None)

    def open(self, qid: str) -> bool:
        """Whether there is something to judge in a topic."""
        if self._provider and self._first_undecided_document(qid) is None:
            self._sizes[qid] = len(self._ordered_documents(qid))  # nothing more came
        counts = self.counts([qid])
        return counts.remaining + counts.later > 0

    def next_topic(self, here: str) -> str | None:
        """The next topic with something to judge, after the one given."""
        qids = list(self.topics)
        place = qids.index(here)
        return next((qid for qid in qids[place + 1 :] + qids[:place] if self.open(qid)), None)

    def _first_undecided_or_postponed(self, qid: str) -> str:
        """The first undecided document; when there is none, the one that was put off longest ago."""
        if (first := self._first_undecided_document(qid)) is not None:
            return first
        decisions = ((docno, self._state.decision((qid, docno))) for docno in self._ordered_documents(qid))
        later = ((one.id or 0, docno) for docno, one in decisions if one and TRANSITIONS[one.kind].state == "later")
        return min(later)[1]

    def _first_undecided_document(self, qid: str) -> str | None:
        """The first undecided document of those known; where there is none, of the provider's next batch."""
        while True:
            documents = self._ordered_documents(qid)
            first = next((docno for docno in documents if self._state.decision((qid, docno)) is None), None)
            if first is not None or self._provider is None or not self._extend(qid, self._batch(self._provider, qid)):
                return first
            self._sizes[qid] = max(self._sizes[qid], self._size(qid))

    def _batch(self, provider: Provider, qid: str) -> list[str]:
        states = {docno: self._state.decision((qid, docno)) for docno in self._state.decided[qid]}
        grades = {docno: state.grade for docno, state in states.items() if state}
        return sort_by_hash(provider.batch(qid, grades), qid, self._seed)
