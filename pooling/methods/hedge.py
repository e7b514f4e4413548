"""Hedge: runs are experts whose weight falls with every wrong promise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from cranfield.arrays.rankings import Floats
from cranfield.pooling.candidates import Candidates
from cranfield.pooling.method import Method, MethodOption, StepByStep, top


def gains(topic: Candidates) -> Floats:
    """Runs x documents: what each run promises.

    N = 4; r2 has two documents, and promises the other two the mean of ln 4/3 and ln 4/4.

    >>> from cranfield.pooling.examples import example
    >>> gains(example("a b c", "b d")).round(2).tolist()
    [[1.39, 0.69, 0.29, 0.0], [0.14, 1.39, 0.14, 0.69]]
    """
    size = len(topic)
    promised = np.log(size) - np.log(np.arange(1, size + 1))
    below = np.append(promised[::-1].cumsum()[::-1], 0.0)[topic.lengths]
    absent = below / np.maximum(size - topic.lengths, 1)
    return np.where(topic.found, promised[np.maximum(topic.rank, 1) - 1], absent[:, None])


class Hedge(StepByStep):
    """b is promised most, and disappoints: r1 loses .35, r2 .69, and a is next.

    If a disappoints as well, r1 is at 1.04 and r2 at .76: r2's d is next. If not, r1 is at -.35, r2 at .62: r1's c.

    >>> from cranfield.pooling.examples import example, judged
    >>> topic = example("a b c", "b d")
    >>> judged(topic, HEDGE.start(topic), relevant=""), judged(topic, HEDGE.start(topic), relevant="a")
    ('b a d c', 'b a c d')
    """

    def __init__(self, topic: Candidates, options: Mapping[str, Any], seed: int) -> None:
        super().__init__(topic, seed)
        self.gain, self.beta = gains(topic), options["beta"]
        self.loss = np.zeros(len(topic.tags))
        self.score = self._score()

    def _score(self) -> Floats:
        weight = self.beta ** (self.loss - self.loss.min(initial=0))
        return np.asarray(weight / weight.sum() @ self.gain)

    def choose(self) -> int:
        return top(self.score, self.open)

    def learn(self, document: int, relevant: bool) -> None:
        self.loss = self.loss + (-0.5 if relevant else 0.5) * self.gain[:, document]
        self.score = self._score()


HEDGE = Method(
    "hedge", "runs are experts that lose weight when wrong", Hedge,
    (MethodOption("beta", 0.1, "the factor by which a weight shrinks at a loss of 1", low=0.0001, high=0.9999),),
    adaptive=True, source="Aslam, Pavlu and Savell, CIKM 2003", explanation="""
Hedge: runs are experts whose weight falls with every wrong promise.

    g_s(d)  = ln N - ln r_s(d);  where not retrieved the mean of that over the ranks |s|+1 .. N
    loss_s += g_s(d) / 2 for a judged document that is not relevant, -= for a relevant one
    w_s ∝ beta^loss_s,   next = argmax_d sum_s w_s g_s(d)

N is the number of documents that any run retrieved. Good: very few judgments find the best runs, and the weights rank
the systems. Bad: it soon listens to a few runs only, and falls behind in the long run (on TREC-8 after 300 documents a
topic). Source: Aslam, Pavlu and Savell, A unified model for metasearch, pooling, and system evaluation, CIKM 2003.
""")  # fmt: skip
