"""What the documents of a sample stand for: by how likely each was to be drawn, alone and together with another.

    pi_i    is stored with the pool; a document stands for 1 / pi_i, two for 1 / pi_ij pairs
    pi_ij   strata (uniform, stratified, tail)   n drawn of N: pi (n - 1) / (N - 1);  pi_i pi_j across strata
            buckets (statap)                     see `Buckets`
            not known more closely               pi_i pi_j

All are needed of sampled documents only. Sources: Horvitz and Thompson, A generalization of sampling without
replacement from a finite universe, JASA 47, 1952; Särndal, Swensson and Wretman, Model assisted survey sampling, 1992.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import count, takewhile

import numpy as np

from cranfield.arrays.rankings import Floats, Ints
from cranfield.pooling.candidates import Candidates

SURE = 1 - 1e-12


@dataclass(frozen=True, eq=False)
class Inclusion:
    """Every document drawn independently."""

    probability: Floats

    @property
    def n_unsampled(self) -> float:
        return float(np.round(np.sum(self.weight - 1)))

    @property
    def weight(self) -> Floats:
        return np.asarray(1 / self.probability)

    def pairs(self, which: Ints) -> Floats:
        alone = self.probability[which]
        sure = alone >= SURE
        both = np.where(sure[:, None] | sure, np.outer(alone, alone), self.together(which))
        np.fill_diagonal(both, alone)
        return np.asarray(1 / both)

    def together(self, which: Ints) -> Floats:
        """The chance of each two to be drawn together, where neither is sure; the diagonal does not count."""
        return np.outer(self.probability[which], self.probability[which])


@dataclass(frozen=True, eq=False)
class Strata(Inclusion):
    """Each stratum a simple random sample of its own.

    2 of 4 were drawn, one of the 6 pairs: they stand for 6.

    >>> one = Strata(np.array([0.5, 0.5]), np.zeros(2, int))
    >>> one.weight.tolist(), one.pairs(np.array([0, 1])).round(9).tolist(), one.n_unsampled
    ([2.0, 2.0], [[2.0, 6.0], [6.0, 2.0]], 2.0)
    """

    stratum: Ints

    def together(self, which: Ints) -> Floats:
        sizes = np.bincount(self.stratum)[self.stratum[which]]
        alone = self.probability[which]
        there = np.maximum(np.round(sizes / alone), 2)
        same = self.stratum[which][:, None] == self.stratum[which]
        return np.asarray(np.where(same, (alone * (sizes - 1) / (there - 1))[:, None], alone[:, None] * alone))


def stratify_documents(names: Sequence[str], probability: Floats) -> tuple[Ints, Strata]:
    """All documents, and the strata of those names."""
    return np.arange(len(names)), Strata(probability, np.unique(names, return_inverse=True)[1].astype(np.int64))


def independent(names: Sequence[str], probability: Floats) -> tuple[Ints, Inclusion]:
    """All documents, each drawn independently: for designs that are not known more precisely."""
    return np.arange(len(names)), Inclusion(probability)


BUCKET = re.compile(r"bucket (\d+), (\d+) of (\d+) documents, (\d+) draws")


def bucket_name(number: int, size: int, total: int, draws: int) -> str:
    """A bucket as a pool has it for the stratum of its documents.

    >>> bucket_name(4, 60, 300, 80)
    'bucket 4, 60 of 300 documents, 80 draws'
    """
    return f"bucket {number}, {size} of {total} documents, {draws} draws"


@dataclass(frozen=True, eq=False)
class Buckets(Inclusion):
    """Buckets by multinomial draws, documents of a bucket at random.

        K_h       how often bucket h of b_h documents was drawn, m times in all, with probability P_h each time;
                  min(K_h, b_h) of its documents are in the sample, any as likely as any other
        pi_i    = E[min(K, b)] / b                                      P in a full bucket, one of m documents
        pi_ij   = E[min(K, b) (min(K, b) - 1)] / (b (b - 1))            P² in a full bucket
                = E[min(K_g, b_g) min(K_h, b_h)] / (b_g b_h)            P_g P_h (m - 1) / m across full buckets

    K is multinomial, so that K_g given K_h is binomial, of m - K_h draws with probability P_g / (1 - P_h). Source:
    Stevens, Sampling without replacement with probability proportional to size, JRSS B 20, 1958; the last bucket is our
    own.

    Of each document of the sample its bucket and the bucket's size; how many documents and how many draws there are.
    Two draws from two buckets of two: in one of four cases they bring both documents of the first, in two one of each.

    >>> halves = Buckets(np.full(4, 0.5), np.array([0, 0, 1, 1]), np.full(4, 2), 4, 2)
    >>> halves.together(np.arange(4))[0].tolist()
    [0.25, 0.25, 0.125, 0.125]
    """

    stratum: Ints
    size: Ints
    total: int
    draws: int

    @property
    def n_unsampled(self) -> float:
        return float(self.total - len(self.stratum))

    def together(self, which: Ints) -> Floats:
        alone, bucket, size = self.probability[which], self.stratum[which], self.size[which]
        variance_within, variance_across = alone**2, alone * (1 - 1 / self.draws)
        partial = (size < self.draws) & (alone < SURE)
        if partial.any():
            variance_within[partial], variance_across[partial] = _last_bucket_chances(
                int(size[partial][0]), self.draws, float(alone[partial][0])
            )
        apart = np.where(partial[:, None], variance_across[:, None] * alone, alone[:, None] * variance_across)
        return np.asarray(np.where(bucket[:, None] == bucket, variance_within[:, None], apart))


def short(size: int, draws: int, share: float) -> float:
    """E[min(K, size)] / size of a binomial K: the mean of P(K > k) over k below the size.

    >>> round(short(1, 2, 0.5), 4)
    0.75
    """
    from scipy.special import bdtrc

    return float(np.mean(bdtrc(np.arange(size, dtype=float), draws, min(share, 1.0))))


@cache
def _last_bucket_chances(size: int, draws: int, alone: float) -> tuple[float, float]:
    """In the last bucket: the chance of two of its documents, and of one of them with one of chance 1 from another.

    >>> [round(chance, 9) for chance in _last_bucket_chances(80, 80, 0.25)]
    [0.0625, 0.246875]
    """
    from scipy.optimize import brentq
    from scipy.stats import binom

    share = brentq(lambda chance: short(size, draws, chance) - alone, 0.0, 1.0)
    times = np.arange(draws + 1)
    chance, distinct = binom.pmf(times, draws, share), np.minimum(times, size)
    two = chance @ (distinct * (distinct - 1)) / max(size * (size - 1), 1)
    return float(two), float(chance @ ((draws - times) * distinct) / ((1 - share) * draws * size))


def read_buckets(strata: Sequence[str], probability: Floats) -> tuple[Ints, Buckets]:
    """The documents that have a bucket, and the buckets, from how they were written.

    >>> names = ["bucket 1, 8 of 11 documents, 8 draws", "bucket 2, 3 of 11 documents, 8 draws"]
    >>> _, design = read_buckets(names, np.array([0.9, 0.2]))
    >>> design.size.tolist(), design.total, design.draws
    ([8, 3], 11, 8)
    """
    buckets = {at: match.groups() for at, match in enumerate(map(BUCKET.fullmatch, strata)) if match}
    documents = np.array(list(buckets), np.int64)
    number, size, total, draws = np.array(list(buckets.values()), np.int64).reshape(-1, 4).T
    return documents, Buckets(
        probability[documents], number, size, int(total.max(initial=0)), int(draws.max(initial=0))
    )


DRAW = re.compile(r"draw (\d+) from (\d+) at (\S+)")


@dataclass(frozen=True, eq=False)
class Draws:
    """The draws of a sample: for each document at which it came, counted from 0, and how likely; of `size` in all.

        q_r     the chance of the r-th document to be the next new one, r = 1..n, of the N there are
        t_r     = values of the documents before + value / q_r           each is right on average, given what was before
        w_r     = N (N - n) / (n (N - r) (N - r + 1))                       what t_r counts, in all 1
        total   = sum of w_r t_r
        square  = sum over r and s of w_r w_s t_r t_s, r not s / (1 - sum of w_r²),    so variance = total² - square

    However the chances followed the judgments, total and square are unbiased, and so is what they give for pairs of
    documents; known probabilities of inclusion there are none in such a sample. The weights are those that are best
    where all chances are alike; with everything drawn there is no error. Every document has to have a chance above 0 at
    every draw. Sources: Des Raj, Some estimators in sampling with varying probabilities without replacement, JASA 51,
    1956, has t_r and their mean; Farquhar, Gal and Rainforth, On statistical bias in active learning, ICLR 2021, have
    the weights and that following what was found does no harm.

    Of three documents two were drawn, all as likely as any other: each stands for one and a half, both for all three
    pairs. What they stand for squared is right on average only: it depends on which came first.

    >>> two = Draws(np.array([0, 1]), np.array([1 / 3, 1 / 2]), 3)
    >>> two.weight.round(9).tolist(), two.pairs(np.array([0, 1])).round(9).tolist()
    ([1.5, 1.5], [[3.0, 3.0], [3.0, 0.0]])
    """

    draw: Ints
    chance: Floats
    size: int

    @cached_property
    def share(self) -> Floats:
        """w_r: how much each draw counts."""
        draws, remaining = len(self.draw), self.size - np.arange(len(self.draw))
        if draws == self.size:
            return np.asarray(np.eye(draws)[-1])
        return np.asarray(self.size * (self.size - draws) / (draws * (remaining - 1) * remaining))

    @property
    def n_unsampled(self) -> float:
        """How many documents were not drawn."""
        return float(self.size - len(self.draw))

    @cached_property
    def weight(self) -> Floats:
        """How many documents each stands for."""
        later = 1 - np.cumsum(self.share)
        return np.asarray(self.share[self.draw] / self.chance + later[self.draw])

    def pairs(self, which: Ints) -> Floats:
        """How many pairs each two of these documents stand for; on the diagonal squares, which one draw cannot tell."""
        weight, squares = self.weight[which], self.share**2
        if len(self.draw) == 1 or self.n_unsampled == 0:
            return np.outer(weight, np.ones(len(which)))
        now = np.arange(len(self.draw))[:, None]
        share = (now > self.draw[which]) + (now == self.draw[which]) / self.chance[which]
        return np.asarray((np.outer(weight, weight) - share.T @ (squares[:, None] * share)) / (1 - squares.sum()))


def draw_name(number: int, others: int, chance: float) -> str:
    """A draw as a pool has it for the document's stratum.

    >>> draw_name(17, 141, 0.0123)
    'draw 17 from 141 at 0.0123'
    """
    return f"draw {number} from {others} at {chance:.9g}"


def read_draws(strata: Sequence[str], probability: Floats) -> tuple[Ints, Draws]:
    """The documents that draws brought, and the draws, from how they were written; in a row from the first on.

    Others count for nothing: those of an earlier stage of the pool that draws since have not brought, after judgments
    were changed. The stored probability is not needed.

    >>> names = ["draw 2 from 8 at 0.2", "", "draw 1 from 9 at 0.5", "draw 4 from 6 at 0.1"]
    >>> documents, match = read_draws(names, np.ones(4))
    >>> documents.tolist(), match.draw.tolist(), match.chance.tolist(), match.size
    ([0, 2], [1, 0], [0.2, 0.5], 9)
    """
    draw_of_number = {int(match[1]): (at, match) for at, match in enumerate(map(DRAW.fullmatch, strata)) if match}
    row = sorted(draw_of_number[number] for number in takewhile(draw_of_number.__contains__, count(1)))
    number, rest, chance = (np.array([float(match[part]) for _, match in row]) for part in (1, 2, 3))
    size = int(number[0] + rest[0]) - 1 if row else 0
    return np.array([at for at, _ in row], np.int64), Draws(number.astype(np.int64) - 1, chance, size)


def prior_weights(topic: Candidates) -> Floats:
    """The weight of each retrieved document in its run, summing to 1 in each run.

        W(r) = (1 + 1/r + 1/(r+1) + ... + 1/n) / 2n

    over the run's n documents: the sum of a row of AP's quadratic form, about ln(n / r). Unlike that it is above 0 at
    the last rank, so that every document can be drawn. Source: Aslam, Pavlu and Yilmaz, A statistical method for system
    evaluation using incomplete judgments, SIGIR 2006.

    >>> from cranfield.pooling.examples import example
    >>> prior_weights(example("a b", "c")).tolist()
    [0.625, 0.375, 1.0]
    """
    harmonic = np.append(0.0, np.cumsum(1 / np.arange(1, topic.lengths.max(initial=1) + 1)))
    length = topic.lengths[topic.run]
    return np.asarray((1 + harmonic[length] - harmonic[topic.ranks - 1]) / (2 * length))


def mean_prior(topic: Candidates) -> Floats:
    """The prior of each document, averaged over the runs that retrieved anything.

    >>> from cranfield.pooling.examples import example
    >>> mean_prior(example("a b", "a")).tolist()
    [0.8125, 0.1875]
    """
    return topic.total(prior_weights(topic)) / np.count_nonzero(topic.lengths)
