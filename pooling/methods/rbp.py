"""RBP-weighted pooling: documents by how much their relevance would change the runs' rank-biased precision."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from cranfield.pooling.candidates import Candidates
from cranfield.pooling.method import FixedOrder, Method, MethodOption, StepByStep, ordered, top


def by_weights(topic: Candidates, options: Mapping[str, Any], seed: int) -> FixedOrder:
    """RBP-A; with p = .8, b: .16 + .2, a: .2, d: .16, c: .128.

    >>> from cranfield.pooling.examples import example, shown
    >>> topic = example("a b c", "b d")
    >>> shown(topic, RBP[0].start(topic).order)
    'b a d c'
    """
    p = options["p"]
    return FixedOrder(ordered(topic.total((1 - p) * p ** (topic.ranks - 1.0))))


class Residual(StepByStep):
    """RBP-B and RBP-C.

    With p = .5, b is first; then r1 has residual .75 and r2 .5, so that a (.5 · .75) goes before d (.25 · .5), and c
    (.125 · .25) comes last. If b is relevant, r2's base is .5 and r1's .25: C then does the same.

    >>> from cranfield.pooling.examples import example, judged
    >>> topic = example("a b c", "b d")
    >>> [judged(topic, method.start(topic, {"p": 0.5}), relevant="b") for method in RBP[1:]]
    ['b a d c', 'b a d c']
    """

    def __init__(self, power: int, topic: Candidates, options: Mapping[str, Any], seed: int) -> None:
        super().__init__(topic, seed)
        p, self.power = options["p"], power
        self.weight = np.where(topic.found, (1 - p) * p ** (topic.rank - 1.0), 0.0)
        self.residual = np.ones(len(topic.tags))
        self.base = np.zeros(len(topic.tags))

    def choose(self) -> int:
        worth = self.residual * (self.base + self.residual / 2) ** self.power
        document = top(worth @ self.weight, self.open)
        self.residual = self.residual - self.weight[:, document]
        return document

    def observe(self, judged: Mapping[int, bool]) -> None:
        """Of no use to RBP-B."""
        if self.power:
            super().observe(judged)

    def learn(self, document: int, relevant: bool) -> None:
        weight = self.weight[:, document]
        if not self.pending(document):
            self.residual = self.residual - weight
        if relevant:
            self.base = self.base + weight


P = MethodOption("p", 0.8, "the user's persistence: larger looks deeper", low=0.0, high=0.9999)
SOURCE = "Moffat, Webber and Zobel, SIGIR 2007"
ABOUT_RBP = """
RBP-weighted pooling: documents by how much their relevance would change the runs' rank-biased precision.

    w_s(d) = (1 - p) p^(r_s(d) - 1)
    RBP-A   score(d) = sum_s w_s(d)                                    static
    RBP-B   score(d) = sum_s w_s(d) resid_s                            static: judge where scores are uncertain
    RBP-C   score(d) = sum_s w_s(d) resid_s (base_s + resid_s / 2)^3   judge where the best runs are uncertain
    resid_s = 1 - sum of w_s over judged documents,   base_s = sum of w_s over relevant ones

Good: few judgments settle which runs are best (the paper's claim: about 200 per topic for over 100 runs). Bad: a small
p looks at the first ranks only, so measures that look deeper find little judged; C neglects weak runs on purpose. B
asks what is judged, not what is relevant, and so knows its order in advance; in C a pending document counts as judged.
Source: Moffat, Webber and Zobel, Strategic system comparisons via targeted relevance judgments, SIGIR 2007; the powers
of C as in Lipani's PoolBiasEstimators.
"""
RBP = tuple(
    Method(name, description, begin, (P,), adaptive, source=SOURCE, explanation=ABOUT_RBP)
    for name, description, begin, adaptive in (
        ("rbp-a", "by the sum of RBP's weights", by_weights, False),
        ("rbp-b", "where the RBP of runs is most uncertain", partial(Residual, 0), False),
        ("rbp-c", "where the RBP of the best runs is most uncertain", partial(Residual, 3), True),
    )
)
