"""Adaptive pools: every topic taken up where it was left, and its next documents, step by step.

A topic gets documents until a batch of it waits for judgment or its share of the budget is used. What was judged before
it came does not wait, so that on judged data a pool goes on to its budget at once. Where topics compete, as many wait
in all as there are in a batch of every topic, of whichever topics they are.

A state is taken up again from the judgments so far and the seed. Batches are replayed in the sizes they had. Where
every batch was judged before the next was proposed, the replay is the straight run, document for document. It cannot be
where judgments came late or were changed, or a run came late; then it follows as far as the pool agrees, learns
there all judgments of the pool, and goes on. So nothing is lost, and no document of the pool is proposed again. A
judgment of a document outside the pool is not used until the method asks for the document, which costs as much of the
budget as any other.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple, cast

from cranfield.pooling.budget import CompetingTopic, allocate_total, split_budget, topics_compete
from cranfield.pooling.build import make_pooled_documents
from cranfield.pooling.candidates import Candidates
from cranfield.pooling.method import CorpusState, Method, State
from cranfield.store.open_pools import PoolStep
from cranfield.store.pools import PooledDocument

BATCH = 10  # how many documents of a topic an adaptive method lets wait for judgment
Known = Mapping[str, Mapping[str, bool]]  # topic -> document -> relevant


@dataclass
class GrowingTopic:
    """A topic of an adaptive pool. `room` is how many more documents may come at this step."""

    topic: Candidates
    start: Callable[[], State]
    in_pool: set[int]  # of what the pool has, what the runs still have
    absent: int  # how many documents of it no run has any more
    batches: list[int]
    labels: dict[int, bool] = field(default_factory=dict)  # of those held, what is judged: relevant or not
    room: int = 0
    new: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.state, self._straight = self.start(), not self.in_pool
        self._unheard: list[int] = []  # the last batch, until the state has learned its judgments

    @property
    def listens(self) -> bool:
        """Whether judgments of documents that are not in the pool are learned, too."""
        return isinstance(self.state, CorpusState)

    @property
    def size(self) -> int:
        """How many documents the pool has."""
        return len(self.in_pool) + self.absent

    @property
    def promise(self) -> float:
        """As the method sees it."""
        return cast("CompetingTopic", self.state).promise

    def learn(self, news: Mapping[int, bool | None]) -> None:
        """Take in judgments of what is held, None for one that was retracted; they take effect at the next step."""
        for document, relevant in news.items():
            if (document in self.in_pool or self.listens) and self.labels.get(document) != relevant:
                self._straight &= document in self._unheard
                if relevant is None:
                    self.labels.pop(document, None)
                else:
                    self.labels[document] = relevant

    def take_up(self) -> None:
        """Bring the state up to date with the judgments: one batch further, or from the start."""
        if not self._straight:
            self.state, self._straight = resume(self.start, self.in_pool, self.labels, self.batches)
        elif self._unheard:
            self.state.observe({d: self.labels[d] for d in self._unheard if d in self.labels})
        self._unheard = []

    def next(self, size: int) -> list[int]:
        """The next documents that may come."""
        size = min(size, self.room - len(self.new))
        documents = propose_documents(self.state, self.in_pool, size)
        self._straight &= self.listens or len(documents) >= size
        self.new += documents
        return documents

    def keep(self) -> list[int]:
        """Put what came into the pool, as a batch."""
        batch, self.new = self.new, []
        if batch:
            self.batches.append(len(batch))
            self.in_pool.update(batch)
            self._unheard = batch
        return batch

    def pooled(self) -> list[PooledDocument]:
        """The topic's part of the pool, less what no run has any more."""
        return make_pooled_documents(self.topic, self.in_pool, self.state)


def growing_topics(
    method: Method,
    options: Mapping[str, Any],
    topics: Sequence[Candidates],
    *,
    in_pool: Mapping[str, Collection[str]],
    batches: Mapping[str, Sequence[int]],
    seed: int,
) -> list[GrowingTopic]:
    """Every topic of a pool that has these documents, proposed in these batches; nothing of it is heard yet."""
    growing = []
    for topic in topics:
        old = in_pool.get(topic.qid, ())
        there = {topic.numbers[docno] for docno in old if docno in topic.numbers}
        start = partial(method.start, topic, options, seed)
        growing.append(GrowingTopic(topic, start, there, len(old) - len(there), list(batches.get(topic.qid, ()))))
    return growing


def pool_size_limits(
    method: Method, options: Mapping[str, Any], available: Sequence[int], budget: int | None, total: int | None
) -> list[int] | int:
    """How many documents each topic may have, from how many there are; or all together, where topics compete."""
    if total is not None and topics_compete(method, options):
        return total
    sizes = split_budget(available, budget, total)
    return sizes if method.most is None else [method.most(size, options) for size in sizes]


def grow_topics(topics: Sequence[GrowingTopic], most: Sequence[int] | int) -> dict[str, list[int]]:
    """Give topics that were taken up their next documents, within room and limits; those that came, by topic."""
    if isinstance(most, int):
        sizes = [topic.size for topic in topics]
        allocate_total(topics, sizes, min(most - sum(sizes), max(topic.room for topic in topics)) if topics else 0)
    else:
        for topic, size in zip(topics, most, strict=True):
            topic.next(size - topic.size)
    return {topic.topic.qid: documents for topic in topics if (documents := topic.keep())}


def has_stopping_rule(method: Method, options: Mapping[str, Any]) -> bool:
    """Whether a method was asked to find out when judging may stop."""
    return method.reason_to_stop is not None and bool(options.get("stop"))


def stopping_reason(method: Method, options: Mapping[str, Any], topics: Sequence[GrowingTopic]) -> str | None:
    """Why judging may stop, if the method was asked to find that out and has."""
    if method.reason_to_stop is None or not has_stopping_rule(method, options):
        return None
    return method.reason_to_stop([topic.state for topic in topics], options)


class PoolGrowth(NamedTuple):
    """The steps in which a pool grew, and why it may stop, if it may."""

    steps: list[PoolStep]
    stop: str | None


def grow(
    method: Method,
    options: Mapping[str, Any],
    topics: Sequence[GrowingTopic],
    *,
    most: Sequence[int] | int,
    batch: int | None,
    judged: Known,
    waits: Callable[[str, str], bool],
    waiting: Mapping[str, int] = {},
) -> PoolGrowth:
    """Take topics further until a batch of each waits for judgment, or there is no more.

    `judged` has all documents that have a judgment, in the pool or not; `waits` says whether one of a topic needs one
    still, and `waiting` how many of each topic's pool do.
    """
    steps, unjudged, number = list[PoolStep](), Counter(waiting), 0
    while True:
        number += 1
        for topic in topics:
            topic.take_up()
        set_batch_room(topics, batch, unjudged, isinstance(most, int))
        room = {topic.topic.qid: topic.room for topic in topics}
        why = stopping_reason(method, options, topics)
        new_by_topic = {} if why else grow_topics(topics, most)
        if not new_by_topic:
            return PoolGrowth(steps, why)
        steps += [PoolStep(number, qid, room[qid]) for qid in (room if isinstance(most, int) else new_by_topic)]
        for topic in topics:
            new, qid = new_by_topic.get(topic.topic.qid, []), topic.topic.qid
            unjudged[qid] += sum(waits(qid, topic.topic.docnos[document]) for document in new)
            pass_judgments(topic, new, judged.get(qid, {}))


def set_batch_room(
    topics: Sequence[GrowingTopic], batch: int | None, waiting: Mapping[str, int], together: bool
) -> None:
    """Let so many documents come that a batch of each topic waits, or as many of all together."""
    for topic in topics:
        topic.room = (batch or own_batch_size(topic)) - waiting.get(topic.topic.qid, 0)
    if together:
        room = sum(topic.room for topic in topics)
        for topic in topics:
            topic.room = room


def own_batch_size(topic: GrowingTopic) -> int:
    """The size of a batch where none was asked for: the method's own, if it has one."""
    return topic.state.batch if isinstance(topic.state, CorpusState) else BATCH


def pass_judgments(topic: GrowingTopic, documents: Iterable[int], judged: Mapping[str, bool | None]) -> None:
    """Pass a topic the judgments of some of its documents."""
    topic.learn({document: judged.get(topic.topic.docnos[document]) for document in documents})


def pass_all_judgments(topic: GrowingTopic, judged: Mapping[str, bool | None]) -> None:
    """Pass a topic all its judgments: those of its documents or, where it listens to others, all."""
    numbers = topic.topic.numbers
    own = topic.in_pool if not topic.listens else [numbers[docno] for docno in judged if docno in numbers]
    pass_judgments(topic, own, judged)


class ResumedState(NamedTuple):
    """A state taken up again; `straight` if the pool is what it proposed, in these batches, and no more."""

    state: State
    straight: bool


def resume(
    start: Callable[[], State], in_pool: Collection[int], judged: Mapping[int, bool], batches: Sequence[int] = ()
) -> ResumedState:
    """The state after these batches, with `in_pool` in the pool and `judged` known."""
    state, pool, proposals = start(), set(in_pool), set[int]()
    if isinstance(state, CorpusState):
        state.restore(pool, judged)
        return ResumedState(state, True)
    for number, size in enumerate(batches):
        documents = state.next(size).tolist()
        if not pool.issuperset(documents):
            return ResumedState(resume(start, pool, judged, batches[:number]).state, False)
        state.observe({document: judged[document] for document in documents if document in judged})
        proposals.update(documents)
    rest = {document: judged[document] for document in sorted(pool - proposals) if document in judged}
    if rest:
        state.observe(rest)
    return ResumedState(state, proposals == pool)


def propose_documents(state: State, in_pool: Collection[int], size: int) -> list[int]:
    """The next documents that are not in the pool yet, `size` of them or what is left.

    >>> from cranfield.pooling.examples import docnos_of, example
    >>> from cranfield.pooling.methods import METHODS
    >>> topic = example("a b c", "b d")
    >>> def start():
    ...     return METHODS["hedge"].start(topic)
    >>> first = propose_documents(start(), [], 2)
    >>> later = propose_documents(resume(start, first, {1: True, 0: False}, [2]).state, first, 2)
    >>> docnos_of(topic, first), docnos_of(topic, later)
    ('b a', 'd c')
    """
    proposals: list[int] = []
    while len(proposals) < size and len(documents := state.next(size - len(proposals))):
        proposals += [document for document in documents.tolist() if document not in in_pool]
        if isinstance(state, CorpusState):
            break
    return proposals
