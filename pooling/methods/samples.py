"""Methods that draw a sample, with the probability of each document to be in it."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from cranfield.arrays.rankings import Floats, Ints, Mask, Names
from cranfield.errors import InputError
from cranfield.pooling.budget import LEAST
from cranfield.pooling.candidates import Candidates
from cranfield.pooling.method import Method, MethodOption, StratifiedSample, generator, order_by_score
from cranfield.pooling.sampling import (
    bucket_name,
    draw_name,
    mean_prior,
    prior_weights,
    read_buckets,
    read_draws,
    short,
    stratified,
)


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


def stratified_sample(topic: Candidates, options: Mapping[str, Any], seed: int) -> StratifiedSample:
    """Documents in random order, two of each stratum and then strata interleaved so that every beginning has the rates.

    a and d stand first; of the four others two are drawn by the time both are.

    >>> from cranfield.pooling.examples import example, docnos_of
    >>> topic = example("a b c", "d e f")
    >>> state = STRATIFIED.start(topic, {"bounds": "1", "rates": "2,1"}, seed=1)
    >>> sorted(docnos_of(topic, state.next(4)).split())[:1], state.stratum.tolist(), state.probability.tolist()
    (['a'], ['1-1', '2-', '2-', '1-1', '2-', '2-'], [1.0, 0.5, 0.5, 1.0, 0.5, 0.5])
    >>> STRATIFIED.start(topic, {"bounds": "10,30", "rates": "1"})
    Traceback (most recent call last):
    ...
    cranfield.errors.InputError: rates=1 gives 1 rate for the 3 strata of bounds=10,30
    """
    bounds, rates = _numbers("bounds", options["bounds"]), _numbers("rates", options["rates"])
    if len(rates) != len(bounds) + 1:
        mismatch = f"{len(rates)} rate{'s' * (len(rates) != 1)} for the {len(bounds) + 1} strata"
        raise InputError(f"rates={options['rates']} gives {mismatch} of bounds={options['bounds']}")
    strata = np.searchsorted(bounds, topic.best)
    order = generator(seed, topic.qid).permutation(len(topic))
    order = order[np.argsort(strata[order], kind="stable")]
    size = np.bincount(strata, minlength=len(rates))
    within = np.arange(len(topic)) - np.repeat(np.cumsum(size) - size, size) + 0.5
    due = np.where(within < LEAST, 0, within) / (np.array(rates) * np.maximum(size, 1))[strata[order]]
    names = [
        f"{low}-{high}" for low, high in zip([1, *(int(b) + 1 for b in bounds)], [*map(int, bounds), ""], strict=True)
    ]
    return StratifiedSample(order[np.argsort(due, kind="stable")], strata, names)


def _numbers(name: str, text: str) -> list[float]:
    """Ascending ranks, or rates above 0.

    >>> _numbers("bounds", "10,5")
    Traceback (most recent call last):
    ...
    cranfield.errors.InputError: bounds=10,5; expected ascending ranks such as 10,30
    """
    right = {"bounds": "ascending ranks such as 10,30", "rates": "rates above 0 such as 4,2,1"}[name]
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        numbers = [-1.0]
    ascending = all(low < high for low, high in pairwise(numbers)) and all(f % 1 == 0 for f in numbers)
    if not all(0 < number < np.inf for number in numbers) or (name == "bounds" and not ascending):
        raise InputError(f"{name}={text}; expected {right}")
    return numbers


STRATIFIED = Method(
    "stratified", "a random sample, denser where runs rank higher", stratified_sample,
    (
        MethodOption("bounds", "10,30", "last rank of each stratum except the last"),
        MethodOption("rates", "4,2,1", "relative sampling rate of each stratum"),
    ),
    design=stratified, sized=True, random=True, source="Yilmaz, Kanoulas and Aslam, SIGIR 2008", explanation="""
A stratified random sample: strata by the best rank in any run, each sampled at a rate of its own.

    pi(d) = m_h / n_h for m_h documents out of the n_h of d's stratum

The rates are relative: strata of rates 4, 2, 1 are drawn from in that proportion to their sizes until the budget is
spent or a stratum is; two documents of each come first, without which nothing could be estimated. Good: judges more
where more is relevant, and stays a sample; xinfAP is made for it. Bad: an estimator that ignores the strata is wrong
for it. Source: Yilmaz, Kanoulas and Aslam, A simple and efficient sampling method for estimating AP and NDCG, SIGIR
2008.
""")  # fmt: skip


def depth_and_sample(topic: Candidates, options: Mapping[str, Any], seed: int) -> StratifiedSample:
    """The top in random order, then the tail in random order, cut.

    a and b stand first; half of c, d, e, rounded up, are two.

    >>> from cranfield.pooling.examples import example, docnos_of
    >>> topic = example("a c e", "b d")
    >>> state = TAIL.start(topic, {"k": 1, "rate": 0.5}, seed=1)
    >>> documents = docnos_of(topic, state.next(9))
    >>> sorted(documents[:3].split()), len(documents.split()), state.probability.round(2).tolist()
    (['a', 'b'], 4, [1.0, 1.0, 0.67, 0.67, 0.67])
    """
    strata = (topic.best > options["k"]).astype(np.int64)
    order = generator(seed, topic.qid).permutation(len(topic))
    top, tail = order[strata[order] == 0], order[strata[order] == 1]
    number = max(int(np.ceil(round(options["rate"] * len(tail), 9))), LEAST if options["rate"] else 0)
    return StratifiedSample(np.append(top, tail[:number]), strata, ["top", "tail"])


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
        buckets = np.split(order_by_score(weight), range(size, len(weight), size))
        mass = np.array([weight[bucket].sum() for bucket in buckets])
        self._set_strata(buckets, mass / mass.sum(), size)
        draws = self.random.multinomial(size, mass / mass.sum())
        documents = [self.random.permutation(b)[:count] for b, count in zip(buckets, draws, strict=True)]
        return np.concatenate(documents)

    def _set_strata(self, buckets: list[Ints], mass: Floats, size: int) -> None:
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
the sample is drawn for one size and cannot be extended. What it says of the pool: see `Buckets`. Source: Aslam and
Pavlu, A practical sampling strategy for efficient retrieval evaluation, technical report, Northeastern University 2007.
""")  # fmt: skip


EVEN = 0.1  # the share of draws that takes all documents alike


class ActiveSample:
    """The sample so far; documents drawn beyond what `next` was asked for come at its next call.

    One draw of one run: W is .625 and .375, nine times in ten.

    >>> from cranfield.pooling.examples import example
    >>> state = ACTIVE.start(example("a b"), {"round": 1})
    >>> state.next(1), state.probability.round(4).tolist(), state.stratum.tolist()
    (array([0]), [0.6125, 0.3875], ['draw 1 from 2 at 0.6125', None])
    """

    order: Ints | None = None

    def __init__(self, topic: Candidates, options: Mapping[str, Any], seed: int) -> None:
        self.topic, self.round = topic, options["round"]
        self.random = generator(seed, topic.qid)
        self.weight = np.zeros(topic.rank.shape)
        self.weight[topic.run, topic.document] = prior_weights(topic)
        self.missed = np.zeros(len(topic))  # log of the chance not to be drawn so far
        self.sampled: Mask = np.zeros(len(topic), bool)
        self.stratum: Names = np.full(len(topic), None, object)
        self.relevant: Mask = np.zeros(len(topic), bool)
        self.waiting: list[int] = []
        self.draws = 0
        self._weight_runs(topic.lengths > 0)

    def _weight_runs(self, worth: Floats | Mask) -> None:
        """Draw runs in proportion to what they are worth from now on."""
        chance = worth / worth.sum() @ self.weight
        self.chance = (1 - EVEN) * chance / chance.sum() + EVEN / len(chance)

    @property
    def probability(self) -> Floats:
        """The chance to have been drawn by now."""
        return -np.expm1(self.missed)

    def next(self, size: int) -> Ints:
        while len(self.waiting) < size and self.draws < 20 * len(self.topic) and not self.sampled.all():
            self._draw_round()
        documents, self.waiting = self.waiting[:size], self.waiting[size:]
        return np.array(documents, np.int64)

    def _draw_round(self) -> None:
        for document in self.random.choice(len(self.topic), self.round, p=self.chance).tolist():
            if not self.sampled[document]:
                self._take(document)
        self.draws += self.round
        self.missed += self.round * np.log1p(-np.minimum(self.chance, 1 - 1e-16))

    def _take(self, document: int) -> None:
        """A new document; its chance is that among those not drawn yet."""
        others = ~self.sampled
        number, chance = len(others) - int(others.sum()) + 1, self.chance[document] / self.chance[others].sum()
        self.stratum[document] = draw_name(number, len(others) - number + 1, chance)
        self.sampled[document] = True
        self.waiting.append(document)

    def observe(self, judged: Mapping[int, bool]) -> None:
        """Only documents that were drawn count."""
        for document, relevant in judged.items():
            self.relevant[document] = relevant and self.sampled[document]
        worth = estimated_ap(self.topic, np.flatnonzero(self.relevant), self.probability)
        if worth.sum() > 0:
            self._weight_runs(worth)


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
`Draws`). They take every document to have a chance at every draw, which the paper's P, 0 for runs that found nothing,
does not give; a tenth of even draws does, and keeps weights below ten times those of a random sample. Where draws bring
no more new documents (20 times the number of documents were made) it ends. Sources: Li and Kanoulas, Active sampling
for large-scale information retrieval evaluation, CIKM 2017 (arXiv 1709.01709); even draws: Hesterberg, Weighted average
importance sampling and defensive mixture distributions, Technometrics 37, 1995.
""")  # fmt: skip
