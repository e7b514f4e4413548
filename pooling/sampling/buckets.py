"""What documents stand for that were drawn by buckets, as in statAP."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from cranfield.arrays.rankings import Floats, Ints
from cranfield.pooling.sampling.inclusion import SURE, Inclusion

BUCKET = re.compile(r"bucket (\d+), (\d+) of (\d+) documents, (\d+) draws")


def bucket_name(number: int, size: int, every: int, draws: int) -> str:
    """A bucket as a pool has it for the stratum of its documents.

    >>> bucket_name(4, 60, 300, 80)
    'bucket 4, 60 of 300 documents, 80 draws'
    """
    return f"bucket {number}, {size} of {every} documents, {draws} draws"


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
    every: int
    draws: int

    @property
    def others(self) -> float:
        return float(self.every - len(self.stratum))

    def together(self, which: Ints) -> Floats:
        alone, bucket, size = self.probability[which], self.stratum[which], self.size[which]
        within, across = alone**2, alone * (1 - 1 / self.draws)
        partial = (size < self.draws) & (alone < SURE)
        if partial.any():
            within[partial], across[partial] = _in_short(int(size[partial][0]), self.draws, float(alone[partial][0]))
        apart = np.where(partial[:, None], across[:, None] * alone, alone[:, None] * across)
        return np.asarray(np.where(bucket[:, None] == bucket, within[:, None], apart))


def short(size: int, draws: int, share: float) -> float:
    """E[min(K, size)] / size of a binomial K: the mean of P(K > k) over k below the size.

    >>> round(short(1, 2, 0.5), 4)
    0.75
    """
    from scipy.special import bdtrc

    return float(np.mean(bdtrc(np.arange(size, dtype=float), draws, min(share, 1.0))))


@cache
def _in_short(size: int, draws: int, alone: float) -> tuple[float, float]:
    """In the last bucket: the chance of two of its documents, and of one of them with one of chance 1 from another.

    >>> [round(chance, 9) for chance in _in_short(80, 80, 0.25)]
    [0.0625, 0.246875]
    """
    from scipy.optimize import brentq
    from scipy.stats import binom

    share = brentq(lambda chance: short(size, draws, chance) - alone, 0.0, 1.0)
    times = np.arange(draws + 1)
    chance, came = binom.pmf(times, draws, share), np.minimum(times, size)
    two = chance @ (came * (came - 1)) / max(size * (size - 1), 1)
    return float(two), float(chance @ ((draws - times) * came) / ((1 - share) * draws * size))


def read_buckets(strata: Sequence[str], probability: Floats) -> tuple[Ints, Buckets]:
    """The documents that have a bucket, and the buckets, from how they were written.

    >>> names = ["bucket 1, 8 of 11 documents, 8 draws", "bucket 2, 3 of 11 documents, 8 draws"]
    >>> _, found = read_buckets(names, np.array([0.9, 0.2]))
    >>> found.size.tolist(), found.every, found.draws
    ([8, 3], 11, 8)
    """
    found = {at: match.groups() for at, match in enumerate(map(BUCKET.fullmatch, strata)) if match}
    documents = np.array(list(found), np.int64)
    number, size, every, draws = np.array(list(found.values()), np.int64).reshape(-1, 4).T
    return documents, Buckets(
        probability[documents], number, size, int(every.max(initial=0)), int(draws.max(initial=0))
    )
