"""Adaptive pools in a store: every topic taken up where it was left, and its next documents.

A topic gets documents until a batch of it waits for judgment or its share of the budget is used. Where topics compete,
as many wait in all as there are in a batch of every topic, of whichever topics they are.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, cast

from cranfield.holdings import Pool, PooledDocument

from .budget import shares
from .build import pooled
from .compete import Rival, compete, competes
from .protocol import Method, State
from .replay import propose, resume
from .retrieved import Retrieved

Known = Mapping[str, Mapping[str, bool]]  # topic -> document -> relevant


@dataclass
class Growing:
    """A topic of an adaptive pool. `room` is how many more documents may wait for judgment."""

    topic: Retrieved
    state: State
    size: int  # of what the pool has
    held: set[int]  # those of them that the runs still have
    room: int
    new: list[int] = field(default_factory=list)

    @property
    def promise(self) -> float:
        """As the method sees it."""
        return cast("Rival", self.state).promise

    def next(self, size: int) -> list[int]:
        """The next documents that may come; they are the pool's from now on."""
        found = propose(self.state, self.held, min(size, self.room - len(self.new)))
        self.new += found
        return found

    def pooled(self) -> list[PooledDocument]:
        """The topic's part of the pool, less what no run has any more."""
        return pooled(self.topic, [*self.held, *self.new], self.state)


def grown(
    method: Method,
    options: Mapping[str, Any],
    topics: Sequence[Retrieved],
    before: Pool | None,
    known: Known,
    settled: Collection[tuple[str, str]],
    batch: int,
    seed: int,
) -> list[Growing]:
    """Every topic as it stands: what the pool `before` holds, all judgments heard."""
    batches = before.parameters.get("batches", {}) if before else {}
    pool: dict[str, list[str]] = {}
    for document in before.documents if before else ():
        pool.setdefault(document.qid, []).append(document.docno)
    found = []
    for topic in topics:
        number = {docno: document for document, docno in enumerate(topic.docnos)}
        old = pool.get(topic.qid, [])
        held = {number[docno] for docno in old if docno in number}
        judged = {number[d]: relevant for d, relevant in known.get(topic.qid, {}).items() if d in number}
        state = resume(partial(method.start, topic, options, seed), held, judged, batches.get(topic.qid, ()))
        waiting = sum((topic.qid, docno) not in settled for docno in old)
        found.append(Growing(topic, state, len(old), held, batch - waiting))
    return found


def grow(
    topics: Sequence[Growing], method: Method, options: Mapping[str, Any], budget: int | None, total: int | None
) -> str | None:
    """Give every topic its next documents; if the method has found that judging may stop, give none and say why."""
    if method.settled and (why := method.settled([topic.state for topic in topics], options)):
        return why
    if total is not None and competes(method, options):
        sizes, room = [topic.size for topic in topics], sum(topic.room for topic in topics)
        for topic in topics:
            topic.room = room
        compete(topics, sizes, min(total - sum(sizes), room))
    else:
        for topic, size in zip(topics, shares([len(topic.topic) for topic in topics], budget, total), strict=True):
            topic.next(size - topic.size)
    return None
