"""Methods that learn from judgments which runs to follow: move-to-front, Hedge, and RBP's residuals."""

from collections import defaultdict
from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from cranfield.arrays.rankings import Floats
from cranfield.pooling.candidates import Candidates
from cranfield.pooling.method import FixedOrder, Method, MethodOption, ScoredOrder, StepByStep, top_document


class MoveToFront(StepByStep):
    """Priorities are at most 0; -inf is a run that is at its end.

    r1's b is relevant: r1 stays in front until c, not relevant, puts it behind r2. d makes them tie, and r2 stays.

    >>> from cranfield.pooling.examples import example, judged
    >>> topic = example("b c e", "d f")
    >>> judged(topic, MTF.start(topic, seed=3), relevant="b")
    'b c d f e'
    """

    def __init__(self, topic: Candidates, options: Mapping[str, Any], seed: int) -> None:
        super().__init__(topic, seed)
        self.forgives = options["reset"] == "paper"
        self.priority = np.where(topic.lengths > 0, 0.0, -np.inf)
        self.front = -1
        self.place = np.zeros(len(topic.tags), np.int64)
        self.relevant = np.zeros(len(topic), bool)
        self.waiting: defaultdict[int, list[int]] = defaultdict(list)  # runs lowered by a pending document

    @property
    def promise(self) -> float:
        """The highest priority of a run."""
        return float(self.priority.max())

    def choose(self) -> int:
        while True:
            highest = self.priority.max()
            if self.front < 0 or self.priority[self.front] != highest:
                first = np.flatnonzero(self.priority == highest)
                self.front = int(first[self.random.integers(len(first))])
            run = self.front
            document = int(self.topic.lists[run][self.place[run]])
            if not self.relevant[document]:
                self.priority[run] -= 1
            elif self.forgives:
                self.priority[run] = 0
            self.place[run] += 1
            if not self.known[document]:
                self.waiting[document].append(run)
            if self.place[run] == len(self.topic.lists[run]):
                self.priority[run] = -np.inf
            if self.open[document]:
                return document

    def learn(self, document: int, relevant: bool) -> None:
        self.relevant[document] = relevant
        for run in self.waiting.pop(document, ()):
            if relevant and np.isfinite(self.priority[run]):
                self.priority[run] = 0 if self.forgives else self.priority[run] + 1


MTF = Method(
    "mtf", "from one run while it yields relevant documents", MoveToFront,
    (
        MethodOption("reset", "paper", "effect of a relevant document on the run's priority", ("paper", "decay")),
        MethodOption("scope", "local", "whether topics compete for the shared budget of --total", ("local", "global")),
    ),
    adaptive=True, random=True, source="Cormack, Palmer and Clarke, SIGIR 1998", explanation="""
Move-to-front: stay with a run while it yields relevant documents, otherwise turn to another run.

All runs start with equal priorities. The method takes the next document from a run with the highest priority. With
"paper", the run's priority becomes the highest again if the document is relevant, including documents judged relevant
for another run. Otherwise the priority falls by one. With "decay", a relevant document leaves the priority unchanged,
so priorities only fall. Public re-implementations do this, and on TREC-8 it found fewer relevant documents. Among tied
runs, the current run stays in front; otherwise the choice is random.

With scope=local, each topic has its own budget. With scope=global, all topics share one budget, `--total`, and the next
document comes from a run with the highest priority in any topic.

Strengths: it finds relevant documents fast, and the time since the last relevant document shows how many remain.
Weaknesses: it is unfair to runs whose relevant documents come late. Source: Cormack, Palmer and Clarke, Efficient
construction of large test collections, SIGIR 1998.
""")  # fmt: skip


def gains(topic: Candidates) -> Floats:
    """Runs x documents: what each run promises.

    N = 4; r2 has two documents, and promises the other two the mean of ln 4/3 and ln 4/4.

    >>> from cranfield.pooling.examples import example
    >>> gains(example("a b c", "b d")).round(2).tolist()
    [[1.39, 0.69, 0.29, 0.0], [0.14, 1.39, 0.14, 0.69]]
    """
    size = len(topic)
    gain = np.log(size) - np.log(np.arange(1, size + 1))
    below = np.append(gain[::-1].cumsum()[::-1], 0.0)[topic.lengths]
    absent = below / np.maximum(size - topic.lengths, 1)
    return np.where(topic.retrieved, gain[np.maximum(topic.rank, 1) - 1], absent[:, None])


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
        return top_document(self.score, self.open)

    def learn(self, document: int, relevant: bool) -> None:
        self.loss = self.loss + (-0.5 if relevant else 0.5) * self.gain[:, document]
        self.score = self._score()


HEDGE = Method(
    "hedge", "by the weighted gains of runs, which lose weight with each wrong document", Hedge,
    (MethodOption("beta", 0.1, "factor by which a weight shrinks at a loss of 1", low=0.0001, high=0.9999),),
    adaptive=True, source="Aslam, Pavlu and Savell, CIKM 2003", explanation="""
Hedge: each run is an expert that loses weight with every wrong document.

    g_s(d)  = ln N - ln r_s(d);  where not retrieved the mean of that over the ranks |s|+1 .. N
    loss_s += g_s(d) / 2 for a judged document that is not relevant, -= for a relevant one
    w_s ∝ beta^loss_s,   next = argmax_d sum_s w_s g_s(d)

N is the number of documents that any run retrieved. Strengths: very few judgments find the best runs, and the weights
rank the systems. Weaknesses: it soon uses only a few runs and falls behind later (on TREC-8 after 300 documents per
topic). Source: Aslam, Pavlu and Savell, A unified model for metasearch, pooling, and system evaluation, CIKM 2003.
""")  # fmt: skip


def order_by_weights(topic: Candidates, options: Mapping[str, Any], seed: int) -> FixedOrder:
    """RBP-A; with p = .8, b: .16 + .2, a: .2, d: .16, c: .128.

    >>> from cranfield.pooling.examples import example, docnos_of
    >>> topic = example("a b c", "b d")
    >>> docnos_of(topic, RBP[0].start(topic).order)
    'b a d c'
    """
    p = options["p"]
    return ScoredOrder(topic.total((1 - p) * p ** (topic.ranks - 1.0)))


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
        self.weight = np.where(topic.retrieved, (1 - p) * p ** (topic.rank - 1.0), 0.0)
        self.residual = np.ones(len(topic.tags))
        self.base = np.zeros(len(topic.tags))

    def choose(self) -> int:
        worth = self.residual * (self.base + self.residual / 2) ** self.power
        document = top_document(worth @ self.weight, self.open)
        self.residual = self.residual - self.weight[:, document]
        return document

    def observe(self, judged: Mapping[int, bool]) -> None:
        """Of no use to RBP-B."""
        if self.power:
            super().observe(judged)

    def learn(self, document: int, relevant: bool) -> None:
        weight = self.weight[:, document]
        if not self.is_pending(document):
            self.residual = self.residual - weight
        if relevant:
            self.base = self.base + weight


P = MethodOption("p", 0.8, "persistence of the user; a larger value looks deeper", low=0.0, high=0.9999)
SOURCE = "Moffat, Webber and Zobel, SIGIR 2007"
RBP_DESCRIPTION = """
RBP-weighted pooling: documents in order of their effect on the runs' rank-biased precision.

    w_s(d) = (1 - p) p^(r_s(d) - 1)
    RBP-A   score(d) = sum_s w_s(d)                                    static
    RBP-B   score(d) = sum_s w_s(d) resid_s                            static: judge where scores are uncertain
    RBP-C   score(d) = sum_s w_s(d) resid_s (base_s + resid_s / 2)^3   judge where the best runs are uncertain
    resid_s = 1 - sum of w_s over judged documents,   base_s = sum of w_s over relevant ones

Strengths: few judgments show which runs are best (the paper reports about 200 per topic for over 100 runs). Weaknesses:
a small p covers only the first ranks, so deeper measures find few judged documents; C neglects weak runs on purpose. B
depends on which documents are judged, not on their labels, so its order is fixed. In C, a pending document counts as
judged. Source: Moffat, Webber and Zobel, Strategic system comparisons via targeted relevance judgments, SIGIR 2007; the
powers of C as in Lipani's PoolBiasEstimators.
"""
RBP = tuple(
    Method(name, description, begin, (P,), adaptive, source=SOURCE, explanation=RBP_DESCRIPTION)
    for name, description, begin, adaptive in (
        ("rbp-a", "by the sum of RBP weights", order_by_weights, False),
        ("rbp-b", "where the RBP of runs is most uncertain", partial(Residual, 0), False),
        ("rbp-c", "where the RBP of the best runs is most uncertain", partial(Residual, 3), True),
    )
)
