"""Active sampling: a sample that follows the judgments, with draws whose chances are known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from cranfield.arrays.rankings import Floats, Ints, Mask, Names
from cranfield.pooling.candidates import Candidates
from cranfield.pooling.method import Method, MethodOption, generator
from cranfield.pooling.sampling.ap_weights import prior
from cranfield.pooling.sampling.draws import draw_name, read_draws

EVEN = 0.1  # the share of draws that takes all documents alike


class ActiveSample:
    """The sample so far; documents drawn beyond what `next` was asked for come at its next call.

    One draw of one run: W is .625 and .375, nine times in ten.

    >>> from cranfield.pooling.examples import example
    >>> state = ACTIVE.start(example("a b"), {"round": 1})
    >>> state.next(1), state.probability.tolist(), state.stratum.tolist()
    (array([0]), [0.6125, 0.3875], ['draw 1 from 2 at 0.6125', None])
    """

    order: Ints | None = None

    def __init__(self, topic: Candidates, options: Mapping[str, Any], seed: int) -> None:
        self.topic, self.round = topic, options["round"]
        self.random = generator(seed, topic.qid)
        self.weight = np.zeros(topic.rank.shape)
        self.weight[topic.run, topic.document] = prior(topic)
        self.missed = np.zeros(len(topic))  # log of the chance not to be drawn so far
        self.drawn: Mask = np.zeros(len(topic), bool)
        self.stratum: Names = np.full(len(topic), None, object)
        self.relevant: Mask = np.zeros(len(topic), bool)
        self.waiting: list[int] = []
        self.draws = 0
        self._aim(topic.lengths > 0)

    def _aim(self, worth: Floats | Mask) -> None:
        """Draw runs in proportion to what they are worth from now on."""
        chance = worth / worth.sum() @ self.weight
        self.chance = (1 - EVEN) * chance / chance.sum() + EVEN / len(chance)

    @property
    def probability(self) -> Floats:
        """The chance to have been drawn by now."""
        return -np.expm1(self.missed)

    def next(self, size: int) -> Ints:
        while len(self.waiting) < size and self.draws < 20 * len(self.topic) and not self.drawn.all():
            self._draw()
        found, self.waiting = self.waiting[:size], self.waiting[size:]
        return np.array(found, np.int64)

    def _draw(self) -> None:
        """A round of draws."""
        for document in self.random.choice(len(self.topic), self.round, p=self.chance).tolist():
            if not self.drawn[document]:
                self._take(document)
        self.draws += self.round
        self.missed += self.round * np.log1p(-np.minimum(self.chance, 1 - 1e-16))

    def _take(self, document: int) -> None:
        """A new document; its chance is that among those not drawn yet."""
        left = ~self.drawn
        number, chance = len(left) - int(left.sum()) + 1, self.chance[document] / self.chance[left].sum()
        self.stratum[document] = draw_name(number, len(left) - number + 1, chance)
        self.drawn[document] = True
        self.waiting.append(document)

    def observe(self, judged: Mapping[int, bool]) -> None:
        """Only documents that were drawn count."""
        for document, relevant in judged.items():
            self.relevant[document] = relevant and self.drawn[document]
        worth = estimated_ap(self.topic, np.flatnonzero(self.relevant), self.probability)
        if worth.sum() > 0:
            self._aim(worth)


def estimated_ap(topic: Candidates, relevant: Ints, probability: Floats) -> Floats:
    """Each run's average precision, from the relevant documents of a sample, each counted 1 / pi times.

    With all of them drawn for sure it is average precision.

    >>> from cranfield.pooling.examples import example
    >>> estimated_ap(example("a b c", "b d"), np.array([0, 2]), np.ones(4)).round(4).tolist()
    [0.8333, 0.0]
    """
    weight = 1 / probability[relevant]
    rank = topic.rank[:, relevant].astype(float)
    rank[rank == 0] = np.inf
    order = np.argsort(rank, axis=1, kind="stable")
    rank, weight = np.take_along_axis(rank, order, 1), weight[order]
    return np.asarray((weight / rank * weight.cumsum(axis=1)).sum(axis=1) / max(weight[:1].sum(), 1e-300))


ACTIVE = Method(
    "active", "a sample guided by the judgments", ActiveSample,
    (MethodOption("round", 3, "draws between estimates of the runs' AP", low=1),), adaptive=True, design=read_draws,
    sized=True, random=True, source="Li and Kanoulas, CIKM 2017", explanation="""
Active sampling: a sample that follows the judgments, with draws whose chances are known.

Each draw takes a run in proportion to its estimated AP, then a rank by AP's prior (see `prior`), with replacement; one
draw in ten takes any document:

    p_t(d) = 0.9 sum_s P_t(s) W_s(r_s(d)) + 0.1 / N,    pi(d) = 1 - prod over draws t of (1 - p_t(d))
    AP_s   = 1/R sum over relevant d of s  1/pi(d) 1/r_s(d) sum over relevant e at or above d  1/pi(e)

P_1 is uniform; P is estimated again after every round of draws. A document drawn twice costs one judgment. Good:
between bandits and samples: finds many relevant documents, and estimates hold. Bad: weak runs' documents get small
chances, large weights and wide intervals. P follows what was found, and so pi, as the paper has it and as it is stored,
is no probability of inclusion: with it the number of relevant documents came out up to 17 % low in simulations. So the
pool has in place of a stratum which draw brought a document and at what chance, which is what estimates use (see
`draws`). They take every document to have a chance at every draw, which the paper's P, 0 for runs that found nothing,
does not give; a tenth of even draws does, and keeps weights below ten times those of a random sample. Where draws bring
no more new documents (20 times the number of documents were made) it ends. Sources: Li and Kanoulas, Active sampling
for large-scale information retrieval evaluation, CIKM 2017 (arXiv 1709.01709); even draws: Hesterberg, Weighted average
importance sampling and defensive mixture distributions, Technometrics 37, 1995.
""")  # fmt: skip
