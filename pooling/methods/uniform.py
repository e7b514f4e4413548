"""A uniform random sample of the depth-k pool."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from cranfield.pooling.candidates import Candidates
from cranfield.pooling.method import Method, StratifiedSample, generator
from cranfield.pooling.sampling.inclusion import stratified


def uniform_sample(topic: Candidates, options: Mapping[str, Any], seed: int) -> StratifiedSample:
    """All documents in random order.

    >>> from cranfield.pooling.examples import example
    >>> state = UNIFORM.start(example("a b c", "b d"), seed=7)
    >>> len(state.next(3)), state.probability.tolist()
    (3, [0.75, 0.75, 0.75, 0.75])
    """
    order = generator(seed, topic.qid).permutation(len(topic))
    return StratifiedSample(order, np.zeros(len(topic), np.int64), ["all"])


UNIFORM = Method(
    "uniform", "a random sample", uniform_sample, design=stratified, sized=True, random=True,
    source="Yilmaz and Aslam, CIKM 2006", explanation="""
A uniform random sample of the depth-k pool.

    pi(d) = m / n for m documents out of the n in the pool

Good: every estimator is right for it; infAP of trec_eval needs exactly this. Bad: most of what it finds is not
relevant. What is drawn first is a sample too, so that a larger budget with the same seed keeps a smaller one's. Source:
Yilmaz and Aslam, Estimating average precision with incomplete and imperfect judgments, CIKM 2006.
""")  # fmt: skip
