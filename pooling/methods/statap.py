"""statAP's sample: documents drawn in proportion to how much average precision depends on them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from cranfield.arrays.rankings import Floats, Ints, Names
from cranfield.pooling.candidates import Candidates
from cranfield.pooling.method import Method, generator, ordered
from cranfield.pooling.sampling.ap_weights import mean_prior
from cranfield.pooling.sampling.buckets import bucket_name, read_buckets, short


class StatAP:
    """The sample of the size that is asked for first; there is no second.

    Four documents in two buckets: b and a, the likelier ones, hold .70 of the prior's mass.

    >>> from cranfield.pooling.examples import example
    >>> state = STATAP.start(example("a b c", "b d"), seed=1)
    >>> len(state.next(2)), len(state.next(2)), state.probability.round(2).tolist(), state.stratum[0]
    (2, 0, [0.7, 0.7, 0.3, 0.3], 'bucket 1, 2 of 4 documents, 2 draws')
    """

    order: Ints | None = None

    def __init__(self, topic: Candidates, options: Mapping[str, Any], seed: int) -> None:
        self.topic = topic
        self.random = generator(seed, topic.qid)
        self.probability: Floats | None = np.zeros(len(topic))
        self.stratum: Names | None = None

    def next(self, size: int) -> Ints:
        if self.stratum is not None or size < 1:
            return np.zeros(0, np.int64)
        weight = mean_prior(self.topic)
        buckets = np.split(ordered(weight), range(size, len(weight), size))
        mass = np.array([weight[bucket].sum() for bucket in buckets])
        self._describe(buckets, mass / mass.sum(), size)
        drawn = self.random.multinomial(size, mass / mass.sum())
        found = [self.random.permutation(b)[:count] for b, count in zip(buckets, drawn, strict=True)]
        return np.concatenate(found)

    def _describe(self, buckets: list[Ints], mass: Floats, size: int) -> None:
        """The stratum and the probability of every document."""
        self.stratum = np.empty(len(self.topic), object)
        self.probability = np.zeros(len(self.topic))
        for number, (bucket, share) in enumerate(zip(buckets, mass, strict=True), 1):
            self.stratum[bucket] = bucket_name(number, len(bucket), len(self.topic), size)
            self.probability[bucket] = share if len(bucket) == size else short(len(bucket), size, share)

    def observe(self, judged: Mapping[int, bool]) -> None:
        """Nothing: a sample does not depend on judgments."""


STATAP = Method(
    "statap", "a sample in proportion to AP's weights", StatAP, design=read_buckets, fixed=True, sized=True,
    random=True, source="Aslam and Pavlu 2007", explanation="""
statAP's sample: documents drawn in proportion to how much average precision depends on them.

Documents are sorted by the mean over runs of AP's prior (see `prior`) and cut into buckets of m, the sample's size.
m times a bucket is drawn in proportion to the sum of its documents' priors, with replacement; then as many of its
documents as it was drawn are taken uniformly, without replacement (Stevens' method).

    pi(d) = sum of the priors in d's bucket        (a bucket of m documents)
    pi(d) = E[min(K, b)] / b,  K ~ Binomial(m, sum of the priors)        (the last bucket, of b < m)

Good: a true sample with most judgments where AP is decided. Bad: unequal probabilities make rare surprises weigh much;
the sample is drawn for one size and cannot be extended. What it says of the pool: see `buckets`. Source: Aslam and
Pavlu, A practical sampling strategy for efficient retrieval evaluation, technical report, Northeastern University 2007.
""")  # fmt: skip
