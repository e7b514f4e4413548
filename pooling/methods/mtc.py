"""Minimal test collections: judge the document that could most change which run has the higher average precision."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

import numpy as np

from cranfield.arrays.rankings import Floats
from cranfield.pooling.candidates import Candidates
from cranfield.pooling.confidence import Beliefs, averaged, belief, reciprocals
from cranfield.pooling.method import Method, MethodOption, State, StepByStep, top

SPREAD: dict[str, Callable[[Floats], Floats]] = {
    "variance": lambda worth: np.var(worth, axis=0),
    "range": lambda worth: np.ptp(worth, axis=0),
}


class MinimalTestCollection(StepByStep):
    """Two runs that agree on b: it is never worth a judgment before the others.

    >>> from cranfield.pooling.examples import example, judged
    >>> topic = example("a b c", "d b e")
    >>> judged(topic, MTC.start(topic), relevant="b")
    'd a e c b'
    """

    def __init__(self, topic: Candidates, options: Mapping[str, Any], seed: int) -> None:
        super().__init__(topic, seed)
        self.spread = SPREAD[options["spread"]]
        self.chance = np.full(len(topic), float(options["prior"]))
        self.reciprocal = reciprocals(topic)
        self.gain = self.reciprocal.copy()
        self.loss = self._everything()
        self.score: Floats | None = None
        self._belief: Beliefs | None = None

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

    @property
    def belief(self) -> Beliefs:
        """What is known of the runs from this topic, worked out once for the judgments so far."""
        if self._belief is None:
            self._belief = belief(self.topic, self.chance)
        return self._belief

    def learn(self, document: int, relevant: bool) -> None:
        self._belief = None
        self.chance[document] = relevant
        shared = np.minimum(self.reciprocal, self.reciprocal[:, [document]])
        if relevant:
            self.gain += shared
        else:
            self.loss -= shared
        self.score = None


def settled(states: Sequence[State], options: Mapping[str, Any]) -> str | None:
    """Why judging may stop: enough pairs of runs are in order."""
    if not options["stop"]:
        return None
    topics = cast("Sequence[MinimalTestCollection]", states)
    share = averaged([state.belief for state in topics]).share(options["stop"])
    if share < options["pairs"]:
        return None
    return f"{share:.1%} of run pairs are ordered with a confidence of {options['stop']:g}"


MTC = Method(
    "mtc", "what could most change the order of the runs", MinimalTestCollection,
    (
        MethodOption("spread", "variance", "how differences between many runs are summed up", tuple(SPREAD)),
        MethodOption("stop", 0.0, "stop once run pairs are ordered with this confidence; 0: never", low=0.0, high=1.0),
        MethodOption("pairs", 1.0, "the share of pairs that must be", low=0.0, high=1.0),
        MethodOption("prior", 0.5, "how likely an unjudged document is taken to be relevant", low=0.0, high=1.0),
    ),
    adaptive=True, source="Carterette, Allan and Sitaraman, SIGIR 2006", settled=settled, explanation="""
Minimal test collections: judge the document that could most change which run has the higher average precision.

    AP_s · R = sum over i <= j of a_s(i, j) x_i x_j,   a_s(i, j) = 1 / max(r_s(i), r_s(j)),   x: relevant or not
    if i is relevant:      v_s(i) = a_s(i, i) + sum of a_s(i, j) over j judged relevant
    if i is not relevant:  u_s(i) = a_s(i, i) + sum of a_s(i, j) over j not judged nonrelevant    is lost
    two runs:              next = argmax_i max(|v_1 - v_2|, |u_1 - u_2|)
    more:                  the same with the spread of v and u over runs instead of the difference

    stopping:              once P(s better than t) >= stop for the share `pairs` of all pairs of runs (`confidence.py`)

Good: fewest judgments to order these runs. Bad: these runs and no others: what two runs rank alike is never judged,
relevant or not, so that the judgments do not serve new runs. Source: Carterette, Allan and Sitaraman, Minimal test
collections for retrieval evaluation, SIGIR 2006; the spread over more than two runs is the variance (all pairs alike)
or the range (the most different pair), a choice that the paper leaves open.

Not here: topics do not compete for judgments; the prior is one number, where Carterette (Robust test collections for
retrieval evaluation, SIGIR 2007) predicts it for each document; judging does not stop by the worst case, once no labels
could change the order: bounds for that are in `diagnose --against`, of one pair at a time.
""")  # fmt: skip
