"""Scalable active learning: batches of which a sample is judged, through the whole corpus, for unbiased estimates."""

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from cranfield.arrays.rankings import Ints
from cranfield.features.collecting.cal import LEARN, Learning
from cranfield.features.collecting.learning import name_of, ranked
from cranfield.features.collecting.vectors import corpus_of
from cranfield.pooling.candidates import Candidates
from cranfield.pooling.method import Method, MethodOption, topic_random_generator
from cranfield.pooling.sampling import stratify_documents

BATCHES = 10_000  # that are kept, so that replaying them takes no time


class ScalableLearning(Learning):
    """A batch of what the learner ranks first leaves at each step; some of it, drawn at random, is judged.

    >>> from cranfield.features.collecting.examples import wide
    >>> state = SCAL.start(wide(), {"bound": 1})
    >>> [state.next(9).tolist(), state.batch, len(state.next(9)), len(state.next(9)), len(state.next(9))]
    [[0], 1, 1, 1, 0]
    >>> [(document.docno, document.stratum, document.probability) for document in state.pooled(range(4))][0]
    ('a', 'batch 1, 1 of 1', 1.0)
    """

    def __init__(self, topic: Candidates, options: Mapping[str, Any], seed: int) -> None:
        super().__init__(topic, options, seed)
        self.bound, self.number, self.size = options["bound"], 0, 1
        self.waiting = np.zeros(0, np.int64)  # of a batch, beyond what was asked for

    @property
    def batch(self) -> int:
        return len(self.waiting) or min(self.size, self.bound)

    def next(self, size: int) -> Ints:
        if not len(self.waiting):
            self.waiting = self._next_batch()
        first, self.waiting = self.waiting[:size], self.waiting[size:]
        return first

    def _next_batch(self) -> Ints:
        """The next batch leaves; what is drawn of it."""
        options = self.learner[1:], self.bound, self.size, len(self.held)
        name, samples = name_of(*options, *sorted(self.known.items()), open=self.open), self.learner.corpus.samples
        if name not in samples:
            batch = ranked(self.scores(), self.open, self.size)
            several = min(len(batch), self.bound)
            random = topic_random_generator(self.seed, f"{self.topic.qid}\0batch\0{len(self.held)}")
            samples[name] = batch, np.sort(random.choice(batch, several, replace=False)) if several else batch
        batch, sample = samples[name]
        if len(samples) > BATCHES:
            samples.clear()
        self.number += 1
        several = len(sample)
        self.take(sample, f"batch {self.number}, {several} of {len(batch)}", several / max(len(batch), 1))
        self.open[batch] = False
        self.size += -(-self.size // 10)
        return sample

    def observe(self, judged: Mapping[int, bool]) -> None:
        """Only what was drawn: other labels would not be of the sample."""
        self.known.update({document: label for document, label in judged.items() if document in self.held})

    def restore(self, documents: Collection[int], labels: Mapping[int, bool]) -> None:
        """Batch after batch again, for what leaves is not kept; what no longer agrees just leaves."""
        pool = {*documents}
        while not pool.issubset(self.held):
            state = self.number, self.size, self.open.copy()
            sample = self._next_batch()
            missing = sample[~np.isin(sample, [*pool])]
            if len(missing) and pool.issubset(self.held):
                self.waiting = missing
            elif len(missing) or not len(sample):
                self.number, self.size, self.open = state
                for document in sample.tolist():
                    del self.held[document]
                self._hold(sorted(pool - {*self.held}))
                break
            self.observe({document: labels[document] for document in sample.tolist() if document in labels})
        self.observe(labels)
        waiting = {*self.waiting.tolist()}
        self._entries = {document: entry for document, entry in self._entries.items() if document in waiting}


def labels(documents: int, bound: int) -> int:
    """How many documents are judged of a corpus.

    >>> labels(4, 1), labels(1460, 10), labels(1460, 3)
    (3, 305, 102)
    """
    number, size = 0, 1
    while documents > 0:
        number += min(size, bound, documents)
        documents, size = documents - size, size + -(-size // 10)
    return number


SCAL = Method(
    "scal",
    "active learning through the whole corpus, with samples that estimate the number of relevant documents",
    ScalableLearning,
    (MethodOption("bound", 10, "maximum number of judged documents per batch", low=1), *LEARN),
    adaptive=True, random=True, design=stratify_documents, corpus=corpus_of,
    most=lambda size, options: labels(size, options["bound"]),
    source="Cormack and Grossman 2016",
    explanation="""
Scalable continuous active learning: it removes the classifier's top documents in batches, until no document is left.

The first batch is one document, and each later batch is larger by a tenth. At most `bound` documents of each batch are
drawn at random and judged. If b documents are drawn from a batch of B, each was drawn with probability b / B and
represents B / b documents. Strengths: the sum of these weights over the relevant documents is an unbiased estimate of
their number. With bound 10 and three seeds, it was 0.99 to 1.03 times the true number (CACM, NPL, CISI; 305 to 515
labels per topic). Weaknesses: it needs many labels, and in a prototype the usual 95% intervals contained the true
number for only 66% to 85% of topics. Source: Cormack and Grossman,
Scalability of continuous active learning for reliable high-recall text classification, CIKM 2016.
""")  # fmt: skip
