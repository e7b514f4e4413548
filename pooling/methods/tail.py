"""Depth-k and a sample of the tail: all first k documents of every run, and some of what is below."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from cranfield.pooling.candidates import Candidates
from cranfield.pooling.method import Method, MethodOption, StratifiedSample, generator
from cranfield.pooling.sampling.inclusion import stratified
from cranfield.pooling.sampling.strata import LEAST


def depth_and_sample(topic: Candidates, options: Mapping[str, Any], seed: int) -> StratifiedSample:
    """The top in random order, then the tail in random order, cut.

    a and b stand first; half of c, d, e, rounded up, are two.

    >>> from cranfield.pooling.examples import example, shown
    >>> topic = example("a c e", "b d")
    >>> state = TAIL.start(topic, {"k": 1, "rate": 0.5}, seed=1)
    >>> found = shown(topic, state.next(9))
    >>> sorted(found[:3].split()), len(found.split()), state.probability.round(2).tolist()
    (['a', 'b'], 4, [1.0, 1.0, 0.67, 0.67, 0.67])
    """
    strata = (topic.best > options["k"]).astype(np.int64)
    shuffled = generator(seed, topic.qid).permutation(len(topic))
    top, tail = shuffled[strata[shuffled] == 0], shuffled[strata[shuffled] == 1]
    wanted = max(int(np.ceil(round(options["rate"] * len(tail), 9))), LEAST if options["rate"] else 0)
    return StratifiedSample(np.append(top, tail[:wanted]), strata, ["top", "tail"])


TAIL = Method(
    "tail", "the first k documents and a sample of the rest", depth_and_sample,
    (
        MethodOption("k", 10, "depth to which everything is judged", low=1),
        MethodOption("rate", 0.1, "the share of the rest to sample; above 0", low=0.0, high=1.0),
    ),
    design=stratified, random=True, source="NIST, make-pools.pl", explanation="""
Depth-k and a sample of the tail: all first k documents of every run, and some of what is below.

    pi(d) = 1                    where min_s r_s(d) <= k
            rate, rounded up     below, to the considered depth;

and of a tail two documents at least. Good: the depth-k measures are exact, and the tail says how many relevant
documents are missed: a standing check of "unjudged is not relevant". Bad: a tail of few documents says it roughly. A
budget may end the sample sooner; one that does not cover the top and two documents of the tail is refused, since
nothing could be estimated from what it draws. Drawn to a fixed number, where NIST's make-pools draws each document with
a chance of its own: the same on average, with less left to luck. Source: make-pools.pl of NIST's testcoll-tools.
""")  # fmt: skip
