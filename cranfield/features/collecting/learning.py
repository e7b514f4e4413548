"""What a classifier of one topic thinks of all documents, from those that are judged.

Logistic regression of the vectors of judged documents, with the topic's own text as one more relevant document and
some unjudged ones, drawn at random, as presumed not relevant. Both classes weigh alike. It is fitted on the columns
that these rows use: all others would be 0.

Source: Cormack and Grossman, Autonomy and reliability of continuous active learning, 2015 (presumed negatives, the
topic as a document).
"""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from hashlib import blake2b
from typing import NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats, Ints, Mask
from cranfield.features.collecting.vectors import VectorCorpus, rows_used
from cranfield.pooling.method import topic_random_generator

LEARNER_THREAD = ThreadPoolExecutor(1, "learning")
KEPT = 8  # scores that are ready and not asked for: of two for each topic one never is


def name_of(*what: object, open: Mask) -> bytes:
    """A name for what decides an outcome: some values, and which documents are open."""
    digest = blake2b(repr(what).encode(), digest_size=16)
    digest.update(np.packbits(open).tobytes())
    return digest.digest()


class Learner(NamedTuple):
    """How the documents of a topic are ranked from judgments."""

    corpus: VectorCorpus
    qid: str
    seed: int
    negatives: int = 100
    c: float = 1.0

    def scores(self, judged: Mapping[int, bool], open: Mask, step: int) -> Floats:
        """The score of each document: the log odds of being relevant, less a constant.

        `judged` are the judged documents; negatives are drawn from those that are `open`, at each step others.
        Without anything relevant, not even a text, all scores are 0.

        >>> from cranfield.features.collecting.examples import wings
        >>> learner = Learner(wings(), "q", seed=0, negatives=1)
        >>> int(learner.scores({}, np.ones(4, bool), 0).argmax())
        0
        >>> Learner(wings(), "unknown", seed=0).scores({}, np.ones(4, bool), 0).tolist()
        [0.0, 0.0, 0.0, 0.0]
        """
        ready = self.corpus.ready.pop(self._name(judged, open, step), None)
        return ready.result() if ready else self._worked_out(judged, open, step)

    def prepare(self, judged: Mapping[int, bool], open: Mask, step: int) -> None:
        """Work out these scores beside, for when they are asked for."""
        ready, name = self.corpus.ready, self._name(judged, open, step)
        if name not in ready:
            ready[name] = LEARNER_THREAD.submit(self._worked_out, dict(judged), open.copy(), step)
        while len(ready) > KEPT:
            ready.pop(next(iter(ready))).cancel()

    def _name(self, judged: Mapping[int, bool], open: Mask, step: int) -> bytes:
        return name_of(self.qid, self.seed, self.negatives, self.c, *judged.items(), step, open=open)

    def _worked_out(self, judged: Mapping[int, bool], open: Mask, step: int) -> Floats:
        from scipy.sparse import vstack
        from sklearn.linear_model import LogisticRegression

        topic = self.corpus.topic(self.qid)
        # Some open documents are taken to be not relevant at this step.
        numbers = np.flatnonzero(open)
        random = topic_random_generator(self.seed, f"{self.qid}\0{step}")
        negatives = np.sort(random.choice(numbers, min(self.negatives, len(numbers)), replace=False))
        rows = np.array([*judged, *negatives], np.int64)
        labels = np.array([*judged.values(), *(False for _ in negatives)], bool)
        vectors = self.corpus.rows[rows]
        if topic.nnz:
            vectors, labels = vstack([vectors, topic], format="csr"), np.append(labels, True)
        weight = np.zeros(self.corpus.rows.shape[1], np.float32)
        if labels.any() and not labels.all():
            part, used = rows_used(vectors)
            model = LogisticRegression(C=self.c, class_weight="balanced", max_iter=1000)
            weight[used] = model.fit(part, labels).coef_[0]
        return self.corpus.score(weight)


def ranked(scores: Floats, open: Mask, size: int) -> Ints:
    """The open documents of the highest scores, ties by docno descending.

    >>> ranked(np.array([1.0, 2.0, 1.0, 3.0]), np.array([True, True, True, False]), 2)
    array([1, 2])
    """
    numbers = np.flatnonzero(open)
    if size < len(numbers):
        least = np.partition(scores[numbers], len(numbers) - size)[len(numbers) - size]
        numbers = numbers[scores[numbers] >= least]
    return numbers[np.lexsort((-numbers, -scores[numbers]))[:size]]
