"""A random draw from the whole corpus, judged blind before learning begins, from which a recall is certified."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

import numpy as np

from cranfield.arrays.rankings import Ints, Mask
from cranfield.features.collecting.vectors import corpus_of
from cranfield.pooling.candidates import Candidates
from cranfield.pooling.method import CorpusState, Method, generator
from cranfield.store.pools import PooledDocument


class RandomDraw(CorpusState):
    """The documents of a corpus in random order, but those that are judged.

    >>> from cranfield.features.collecting.examples import wide
    >>> state = DRAW.start(wide(budget=2), seed=1)
    >>> state.observe({0: True})
    >>> [(one.docno, one.depth, one.stratum, one.probability) for one in state.pooled(state.next(2))]
    [('c', 1, 'draw', 0.6666666666666666), ('d', 2, 'draw', 0.6666666666666666)]
    """

    def __init__(self, topic: Candidates, options: Mapping[str, Any], seed: int) -> None:
        self.topic, self.held = topic, 0
        self.shuffled = generator(seed, f"{topic.qid}\0draw").permutation(len(topic))
        self.open: Mask = np.ones(len(topic), bool)
        self._entries: dict[int, tuple[int, float]] = {}  # since it began: the place in the draw, and the probability

    @property
    def batch(self) -> int:
        return (len(self.topic) if self.topic.budget is None else self.topic.budget) - self.held

    def next(self, size: int) -> Ints:
        documents: Ints = self.shuffled[self.open[self.shuffled]][:size]
        chance = (self.held + len(documents)) / max(self.held + int(self.open.sum()), 1)
        self._entries |= {document: (self.held + place, chance) for place, document in enumerate(documents.tolist(), 1)}
        self.restore(documents.tolist(), {})
        return documents

    def observe(self, judged: Mapping[int, bool]) -> None:
        """What is judged is not drawn; whether it is relevant does not matter."""
        self.open[list(judged)] = False

    def restore(self, held: Collection[int], known: Mapping[int, bool]) -> None:
        self.held += len(held)
        self.open[[*held, *known]] = False

    def prepare(self) -> None:
        """Nothing takes long."""

    def pooled(self, documents: Iterable[int]) -> list[PooledDocument]:
        return [
            PooledDocument(self.topic.qid, str(self.topic.docnos[document]), place, (), "draw", chance)
            for document in sorted({*documents} & {*self._entries})
            for place, chance in [self._entries[document]]
        ]


DRAW = Method(
    "draw", "a random draw from the whole corpus, to certify what cal then finds", RandomDraw,
    adaptive=True, sized=True, random=True, corpus=corpus_of,
    source="Lewis, Yang and Frieder 2021",
    explanation="""
A uniform random draw of each topic's unjudged documents, from the whole corpus, to be judged before active learning.

What cal finds of the relevant documents of the draw tells what it finds of all: `progress --stop qbcb:0.8` and `target`
certify a recall by it. So build and judge this pool first, then one by cal: that learns from a document of the draw
only once it would have proposed it itself (it is not judged twice). Good: the only way here to promise a recall. Bad:
the price: to have 14 relevant documents in the draw takes about 14 N / R labels of N documents of which R are relevant,
280,000 for 50 in a million. What was judged before is not drawn; the promise then holds for the rest and so for all.
Labels that come from elsewhere meanwhile must not depend on the draw. Source: Lewis, Yang and Frieder, Certifying
one-phase technology-assisted reviews, CIKM 2021.
""")  # fmt: skip
