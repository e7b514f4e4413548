"""Methods that draw a sample, with the probability of each document to be in it."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from cranfield.arrays.rankings import Floats, Ints, Mask, Names
from cranfield.errors import InputError
from cranfield.pooling.budget import LEAST
from cranfield.pooling.candidates import Candidates
from cranfield.pooling.method import Method, MethodOption, StratifiedSample, order_by_score, topic_random_generator
from cranfield.pooling.sampling import (
    bucket_name,
    draw_name,
    mean_prior,
    prior_weights,
    read_buckets,
    read_draws,
    short,
    stratify_documents,
)


def uniform_sample(topic: Candidates, options: Mapping[str, Any], seed: int) -> StratifiedSample:
    """All documents in random order.

    >>> from cranfield.pooling.examples import example
    >>> state = UNIFORM.start(example("a b c", "b d"), seed=7)
    >>> len(state.next(3)), state.probability.tolist()
    (3, [0.75, 0.75, 0.75, 0.75])
    """
    order = topic_random_generator(seed, topic.qid).permutation(len(topic))
    return StratifiedSample(order, np.zeros(len(topic), np.int64), ["all"])


UNIFORM = Method(
    "uniform", "a random sample", uniform_sample, design=stratify_documents, sized=True, random=True,
    source="Yilmaz and Aslam, CIKM 2006", explanation="""
A uniform random sample of the depth-k pool.

    pi(d) = m / n for m documents out of the n in the pool

Strengths: every estimator is valid for it, and trec_eval's infAP needs exactly this sample. Weaknesses: most of the
sampled documents are not relevant. With the same seed, a larger budget extends the sample of a smaller budget. Source:
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
    bounds, rates = _parse_ascending("bounds", options["bounds"]), _parse_ascending("rates", options["rates"])
    if len(rates) != len(bounds) + 1:
        mismatch = f"{len(rates)} rate{'s' * (len(rates) != 1)} for the {len(bounds) + 1} strata"
        raise InputError(f"rates={options['rates']} gives {mismatch} of bounds={options['bounds']}")
    strata = np.searchsorted(bounds, topic.best)
    order = topic_random_generator(seed, topic.qid).permutation(len(topic))
    order = order[np.argsort(strata[order], kind="stable")]
    size = np.bincount(strata, minlength=len(rates))
    within = np.arange(len(topic)) - np.repeat(np.cumsum(size) - size, size) + 0.5
    due = np.where(within < LEAST, 0, within) / (np.array(rates) * np.maximum(size, 1))[strata[order]]
    names = [
        f"{low}-{high}" for low, high in zip([1, *(int(b) + 1 for b in bounds)], [*map(int, bounds), ""], strict=True)
    ]
    return StratifiedSample(order[np.argsort(due, kind="stable")], strata, names)


def _parse_ascending(name: str, text: str) -> list[float]:
    """Ascending ranks, or rates above 0.

    >>> _parse_ascending("bounds", "10,5")
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
    "stratified", "a random sample, denser at higher ranks", stratified_sample,
    (
        MethodOption("bounds", "10,30", "last rank of each stratum except the last"),
        MethodOption("rates", "4,2,1", "relative sampling rate of each stratum"),
    ),
    design=stratify_documents, sized=True, random=True, source="Yilmaz, Kanoulas and Aslam, SIGIR 2008", explanation="""
A stratified random sample: strata by the best rank in any run, each with its own sampling rate.

    pi(d) = m_h / n_h for m_h documents out of the n_h of d's stratum

The rates are relative. With rates 4, 2, 1, the shares drawn from the strata are in the proportion 4:2:1, until the
budget or a stratum is used up. Two documents from each stratum come first, because estimates need them. Strengths: it
judges more documents where more are relevant, and it remains a sample; xinfAP is designed for it. Weaknesses: an
estimator that ignores the strata is wrong. Source: Yilmaz, Kanoulas and Aslam, A simple and efficient sampling method
for estimating AP and NDCG, SIGIR 2008.
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
    order = topic_random_generator(seed, topic.qid).permutation(len(topic))
    top, tail = order[strata[order] == 0], order[strata[order] == 1]
    number = max(int(np.ceil(round(options["rate"] * len(tail), 9))), LEAST if options["rate"] else 0)
    return StratifiedSample(np.append(top, tail[:number]), strata, ["top", "tail"])


TAIL = Method(
    "tail", "the first k documents and a sample of the rest", depth_and_sample,
    (
        MethodOption("k", 10, "depth to which the pool contains every document", low=1),
        MethodOption("rate", 0.1, "share of the remaining documents to sample; above 0", low=0.0, high=1.0),
    ),
    design=stratify_documents, random=True, source="NIST, make-pools.pl", explanation="""
Depth-k and a sample of the tail: the first k documents of every run, and a sample of deeper documents.

    pi(d) = 1                    where min_s r_s(d) <= k
            rate, rounded up     below, to the considered depth

The sample contains at least two documents from the tail. Strengths: the depth-k measures are exact, and the tail shows
how many relevant documents are missed. It tests the assumption that unjudged documents are not relevant. Weaknesses: a
tail with few documents gives only a rough estimate. A budget may end the sample sooner. A budget that does not cover
the top and two documents from the tail is an error, because estimates would be impossible. The number of sampled
documents is fixed. NIST's make-pools draws each document independently instead, which gives the same number on average,
with more variation. Source: make-pools.pl in NIST's testcoll-tools.
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
        self.random = topic_random_generator(seed, topic.qid)
        self.probability: Floats | None = np.zeros(len(topic))
        self.stratum: Names | None = None

    def next(self, size: int) -> Ints:
        if self.stratum is not None or size < 1:
            return np.zeros(0, np.int64)
        weight = mean_prior(self.topic)
        buckets = np.split(order_by_score(weight), range(size, len(weight), size))
        mass = np.array([weight[bucket].sum() for bucket in buckets])
        self.stratum = np.empty(len(self.topic), object)
        self.probability = np.zeros(len(self.topic))
        for number, (bucket, share) in enumerate(zip(buckets, mass / mass.sum(), strict=True), 1):
            self.stratum[bucket] = bucket_name(number, len(bucket), len(self.topic), size)
            self.probability[bucket] = share if len(bucket) == size else short(len(bucket), size, share)
        draws = self.random.multinomial(size, mass / mass.sum())
        documents = [self.random.permutation(b)[:count] for b, count in zip(buckets, draws, strict=True)]
        return np.concatenate(documents)

    def observe(self, judged: Mapping[int, bool]) -> None:
        """Nothing: a sample does not depend on judgments."""


STATAP = Method(
    "statap", "a sample in proportion to AP weights", StatAP, design=read_buckets, fixed=True, sized=True,
    random=True, source="Aslam and Pavlu 2007", explanation="""
The sample of statAP: documents drawn in proportion to their weight in average precision.

The method sorts documents by the mean over runs of AP's prior (see `prior`). It cuts them into buckets of m documents,
where m is the sample size. The method draws m buckets with replacement, in proportion to the sum of their documents'
priors. From each bucket it then takes as many documents as the bucket was drawn, uniformly and without replacement
(Stevens' method).

    pi(d) = sum of the priors in d's bucket        (a bucket of m documents)
    pi(d) = E[min(K, b)] / b,  K ~ Binomial(m, sum of the priors)        (the last bucket, of b < m)

Strengths: it is a true sample with most judgments where they matter for AP. Weaknesses: with unequal probabilities, a
relevant document that is unlikely to be drawn has a large weight, and the sample cannot be extended. `Buckets`
describes the estimates. Source: Aslam and Pavlu, A practical sampling strategy for efficient retrieval evaluation,
technical report, Northeastern University 2007.
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
        self.random = topic_random_generator(seed, topic.qid)
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
            for document in self.random.choice(len(self.topic), self.round, p=self.chance).tolist():
                if not self.sampled[document]:
                    self._take(document)
            self.draws += self.round
            self.missed += self.round * np.log1p(-np.minimum(self.chance, 1 - 1e-16))
        documents, self.waiting = self.waiting[:size], self.waiting[size:]
        return np.array(documents, np.int64)

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
    "active", "a random sample guided by the judgments", ActiveSample,
    (MethodOption("round", 3, "draws between two estimates of the runs' AP", low=1),), adaptive=True, design=read_draws,
    sized=True, random=True, source="Li and Kanoulas, CIKM 2017", explanation="""
Active sampling: a sample that follows the judgments, with known probabilities for each draw.

Each draw takes a run in proportion to its estimated AP, then a rank by AP's prior (see `prior`), with replacement. One
draw in ten takes any document:

    p_t(d) = 0.9 sum_s P_t(s) W_s(r_s(d)) + 0.1 / N,    pi(d) = 1 - prod over draws t of (1 - p_t(d))
    AP_s   = 1/R sum over relevant d of s  1/pi(d) 1/r_s(d) sum over relevant e at or above d  1/pi(e)

P_1 is uniform, and P is estimated again after every round of draws. A document drawn twice costs one judgment.
Strengths: like a bandit it finds many relevant documents, and like a sample it gives valid estimates. Weaknesses:
documents from weak runs have small probabilities, large weights and wide intervals. P depends on the judgments, so the
paper's pi, which the pool stores, is not an inclusion probability. In simulations, estimates with pi put the number of
relevant documents up to 17% too low. In place of a stratum, the pool therefore stores each document's draw and its
probability, and estimates use these (see `Draws`). The estimates require a probability above 0 for every document at
every draw. The paper's P does not ensure this, because it is 0 for runs without relevant documents. The tenth of
uniform draws ensures it, and keeps weights below ten times the weights of a random sample. Sampling ends when draws
find no more new documents (after 20 draws per document). Sources: Li and Kanoulas, Active sampling for large-scale
information retrieval evaluation, CIKM 2017 (arXiv 1709.01709); uniform draws: Hesterberg, Weighted average importance
sampling and defensive mixture distributions, Technometrics 37, 1995.
""")  # fmt: skip
