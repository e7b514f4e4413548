"""Minimal test collections: judge the document that could most change which run has the higher average precision.

    AP_s · R = sum over i <= j of a_s(i, j) x_i x_j,   a_s(i, j) = 1 / max(r_s(i), r_s(j)),   x: relevant or not
    if i is relevant:      v_s(i) = a_s(i, i) + sum of a_s(i, j) over j judged relevant
    if i is not relevant:  u_s(i) = a_s(i, i) + sum of a_s(i, j) over j not judged nonrelevant    is lost
    two runs:              next = argmax_i max(|v_1 - v_2|, |u_1 - u_2|)
    more:                  the same with the spread of v and u over runs instead of the difference

Good: fewest judgments to order these runs. Bad: these runs and no others: what two runs rank alike is never judged,
relevant or not, so that the judgments do not serve new runs. Source: Carterette, Allan and Sitaraman, Minimal test
collections for retrieval evaluation, SIGIR 2006; the spread over more than two runs is the variance (all pairs alike)
or the range (the most different pair), a choice that the paper leaves open.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from cranfield.rankings import Floats

from .protocol import Choosing, Method, Option, top
from .retrieved import Retrieved

SPREAD: dict[str, Callable[[Floats], Floats]] = {
    "variance": lambda worth: np.var(worth, axis=0),
    "range": lambda worth: np.ptp(worth, axis=0),
}


class MinimalTestCollection(Choosing):
    """Two runs that agree on b: it is never worth a judgment before the others.

    >>> from cranfield.pooling.examples import example, judged
    >>> topic = example("a b c", "d b e")
    >>> judged(topic, METHOD.start(topic), relevant="b")
    'd a e c b'
    """

    def __init__(self, topic: Retrieved, options: Mapping[str, Any], seed: int) -> None:
        super().__init__(topic, seed)
        self.spread = SPREAD[options["spread"]]
        self.reciprocal = np.where(topic.found, 1 / np.maximum(topic.rank, 1), 0.0)
        self.gain = self.reciprocal.copy()
        self.loss = self._everything()
        self.score: Floats | None = None

    def _everything(self) -> Floats:
        """u with nothing judged: 1/r for the document and each above it, 1/r_j for each j below."""
        lengths = self.topic.lengths
        harmonic = np.append(0.0, np.cumsum(1 / np.arange(1, lengths.max(initial=1) + 1)))
        below = harmonic[lengths][:, None] - harmonic[self.topic.rank]
        return np.where(self.topic.found, 1 + below, 0.0)

    def choose(self) -> int:
        if self.score is None:
            self.score = np.maximum(self.spread(self.gain), self.spread(self.loss))
        return top(self.score, self.open)

    def learn(self, document: int, relevant: bool) -> None:
        shared = np.minimum(self.reciprocal, self.reciprocal[:, [document]])
        if relevant:
            self.gain += shared
        else:
            self.loss -= shared
        self.score = None


METHOD = Method(
    "mtc",
    "what could most change the order of the runs",
    MinimalTestCollection,
    (Option("spread", "variance", "how differences between many runs are summed up", tuple(SPREAD)),),
    adaptive=True,
    source="Carterette, Allan and Sitaraman, SIGIR 2006",
)
