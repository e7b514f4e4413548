"""What is to be judged: which documents of which topics, in what order, and how much of it is done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from cranfield.formats import Topic
from cranfield.judging.labels.pairs import JUDGED, Pair
from cranfield.judging.session.assessor_state import AssessorState
from cranfield.judging.session.batches import Provider
from cranfield.judging.session.order import DocumentOrder, by_hash
from cranfield.store.pools import PooledDocument

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
    requested when nothing of it is left. What was put off comes back when there is nothing else.
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
    ) -> None:
        self.topics = {topic.qid: topic for topic in topics if topic.qid in pooled}
        self._pooled, self._arrange = pooled, order.arrange
        self._state, self._seed = state, seed
        self._provider = provider if order.arrange is None else None
        self._sizes = {qid: self._size(qid) or len(pooled[qid]) for qid in self.topics}
        self._places: dict[str, dict[str, int]] = {}  # by topic: the documents in order, each with its place from 1
        if self._provider:
            for qid in self.topics:
                self._of(qid)

    def _size(self, qid: str) -> int:
        """How many documents the provider announces for a topic; 0 if it does not say."""
        return (self._provider and self._provider.size(qid)) or 0

    def _of(self, qid: str) -> dict[str, int]:
        """The documents of a topic, put in order when first needed."""
        if qid not in self._places:
            self._places[qid] = {}
            arrange = self._arrange
            self._extend(qid, arrange(self._pooled[qid], qid, self._seed) if arrange else [*self._state.decided[qid]])
        return self._places[qid]

    def _extend(self, qid: str, docnos: Iterable[str]) -> bool:
        """Append documents to a topic; whether any was new."""
        places = self._of(qid)
        known = len(places)
        for docno in docnos:
            places.setdefault(docno, len(places) + 1)
        self._sizes[qid] = max(self._sizes[qid], len(places))
        return len(places) > known

    def takes(self, pair: Pair) -> bool:
        """Whether a pair belongs to the work; where a provider chooses, one shown in another window does."""
        if self._provider is not None and pair[0] in self.topics:
            self._extend(pair[0], [pair[1]])
        return pair[0] in self.topics and pair[1] in self._of(pair[0])

    def ordered(self, qid: str) -> Sequence[str]:
        """The documents of a topic in the order in which they are shown, as far as it is known."""
        return [*self._of(qid)]

    def place(self, pair: Pair) -> Position:
        """The position of a document in its topic."""
        return Position((places := self._of(pair[0])).get(pair[1], len(places)), self._sizes[pair[0]])

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
        tally: Counter[str] = Counter()
        size = 0
        for qid in qids:
            tally.update(self._state.counts[qid])
            size += self._sizes[qid]
        judged = sum(tally[kind] for kind in JUDGED)
        later, cannot = tally["later"], tally["cannot-judge"]
        return Counts(judged, later, cannot, size - judged - later - cannot)

    def next(self, left: str | None) -> Pair | None:
        """What undo restored, else the next document of the topic last worked on, else of the first open one."""
        state = self._state
        if state.focus and left is None:
            return state.focus
        last = state.last.qid if state.last else None
        for qid in (left, last, *self.topics):
            if qid and self.open(qid):
                return qid, self._first_open(qid)
        return None

    def open(self, qid: str) -> bool:
        """Whether there is something to judge in a topic."""
        if self._provider and self._undecided(qid) is None:
            self._sizes[qid] = len(self._of(qid))  # nothing more came
        counts = self.counts([qid])
        return counts.remaining + counts.later > 0

    def next_topic(self, here: str) -> str | None:
        """The next topic with something to judge, after the one given."""
        qids = list(self.topics)
        place = qids.index(here)
        return next((qid for qid in qids[place + 1 :] + qids[:place] if self.open(qid)), None)

    def _first_open(self, qid: str) -> str:
        """The first undecided document; when there is none, the one that was put off longest ago."""
        if (undecided := self._undecided(qid)) is not None:
            return undecided
        states = ((docno, self._state.decision((qid, docno))) for docno in self._of(qid))
        return min((state.id or 0, docno) for docno, state in states if state and state.kind == "later")[1]

    def _undecided(self, qid: str) -> str | None:
        """The first undecided document of those known; where there is none, of the provider's next batch."""
        while True:
            documents = self._of(qid)
            found = next((docno for docno in documents if self._state.decision((qid, docno)) is None), None)
            if found is not None or self._provider is None or not self._extend(qid, self._batch(self._provider, qid)):
                return found
            self._sizes[qid] = max(self._sizes[qid], self._size(qid))

    def _batch(self, provider: Provider, qid: str) -> list[str]:
        states = {docno: self._state.decision((qid, docno)) for docno in self._state.decided[qid]}
        decided = {docno: state.grade for docno, state in states.items() if state}
        return by_hash(provider.batch(qid, decided), qid, self._seed)
