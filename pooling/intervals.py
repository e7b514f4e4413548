"""Intervals around what was estimated from a sample, made to hold as often as they say also where little was drawn.

    counts    found + others times what a beta distribution allows, in whole documents: its mean is
              (estimate - found + h) / (others + 2h), its variance (variance + w h) / others², h = (w - 1) / 2
    sums      ln x ± t sd / x
    ratios    ln(x / (1 - x)) ± t sd / (x (1 - x))
    freedom   of t, for a mean: (sum of v)² / sum of v² / f                                        (Satterthwaite)
    v         of a ratio from fewer than four documents, in a mean: u (x - mean)² n / (n - 1), u the share not drawn
    effective number of documents: (sum of weights)² / sum of weights²                             (Kish)

`others` are the documents outside the sample, and w is how many documents one stands for that is among them. For a
random sample this is Jeffreys' interval for a share, as for half a relevant and half another document more, each of
which stands for w - 1 others, give or take the root of w (w - 1); so that finding nothing, or nothing else, says how
much there may be of it. Sources: Brown, Cai and DasGupta, Interval estimation for a binomial proportion, Statistical
Science 16, 2001; with a variance by the design of the sample, and the interval of ratios: Korn and Graubard, Analysis
of health surveys, 1999; Satterthwaite, Biometrics Bulletin 2, 1946; Kish, Survey sampling, 1965.
"""

from collections.abc import Sequence
from math import exp, inf, nan, sqrt
from typing import NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats

LEAST = 0.05  # the parameters of a beta distribution sum to no less, however large the variance is said to be
FAR = 300  # e to this is as good as infinite
FEW = 4  # relevant documents in a sample: with fewer the variance of a ratio is seldom known from them


class SampleFrame(NamedTuple):
    """What a count is among: those found, how many others are outside the sample, how many each of these stands for."""

    relevant: int
    others: float
    weight: float


class Estimate(NamedTuple):
    """An estimate, its variance by the design of the sample, an interval, the degrees of freedom of the variance.

    `most` is what nothing exceeds that is estimated: 1 for a ratio; of a sum there is nothing, be it of a share of
    documents. Of a ratio: how many relevant documents it rests on, and which share of them is outside the sample. Of a
    count, divided by `size`: what it is among.
    """

    value: float
    variance: float
    low: float
    high: float
    freedom: float = inf
    most: float = inf
    relevant: float = inf
    unseen: float = 0.0
    among: SampleFrame | None = None
    size: int = 1

    @property
    def guess(self) -> bool:
        """Whether it rests on fewer than two relevant documents, and there may be more."""
        return self.relevant < 2 and self.unseen > 0


def count_interval(value: float, variance: float, among: SampleFrame, confidence: float = 0.95) -> tuple[float, float]:
    """An interval for how many there are, of which some were found; the others may be more.

    Ten of a hundred were drawn. Not one is what is looked for: there may be some, all the same. All are: so it may be
    with the others, or not quite.

    >>> count_interval(0, 0, SampleFrame(0, 90, 10)), count_interval(100, 0, SampleFrame(10, 90, 10))
    ((0.0, 24.0), (76.0, 100.0))
    """
    from scipy.special import betaincinv

    relevant, others, weight = among
    half = (weight - 1) / 2
    spread = (variance + weight * half) / max(others, 1.0) ** 2
    if others <= 0 or spread <= 0:
        return float(relevant), float(relevant)
    share = (min(max(value - relevant, 0.0), others) + half) / (others + 2 * half)
    size = max(share * (1 - share) / spread - 1, LEAST)
    ends = betaincinv(share * size, (1 - share) * size, [(1 - confidence) / 2, (1 + confidence) / 2])
    low, high = relevant + np.round(others * ends)
    return float(low), float(high)


def interval(
    value: float, variance: float, freedom: float = inf, confidence: float = 0.95, most: float = inf
) -> tuple[float, float]:
    """An interval within 0 and `most`, narrower on the side of the nearer end; of an estimate at an end, beside it.

    >>> [round(end, 3) for end in interval(0.1, 0.05**2, most=1.0)]
    [0.036, 0.248]
    >>> interval(1.0, 0.2**2, most=1.0)[1], interval(0.5, 0)
    (1.0, (0.5, 0.5))
    """
    from scipy.special import stdtrit

    wide = float(stdtrit(freedom, (1 + confidence) / 2)) * sqrt(variance)
    if not 0 < value < most:
        return min(max(value - wide, 0.0), most), min(value + wide, most)
    room = 1 - value / most
    odds, factor = value / room, exp(min(wide / (value * room), FAR))
    low, high = odds / factor, odds * factor
    return low / (1 + low / most), high / (1 + high / most)


def topic_mean(estimates: Sequence[Estimate], confidence: float = 0.95) -> Estimate:
    """The mean over topics, which are sampled independently of each other.

    Counts have the interval of their sum, as of one sample: of single topics, too few of the documents that count are
    drawn to know a variance. Of other estimates, a topic without a variance, and yet unsure, counts with that of its
    interval; one of few relevant documents with the square of how far it is from the mean, if that is more. Where more
    than half of them are guesses, the ends are nan.

    >>> topic_mean([Estimate(0.2, 0.01, 0, 1), Estimate(0.4, 0.03, 0, 1)])[:2]
    (0.30000000000000004, 0.01)
    >>> topic_mean([Estimate(0.2, 0.01, 0, 1), Estimate(0.4, 0.03, 0, 1, relevant=1, unseen=0.9)])[:2]
    (0.30000000000000004, 0.01)
    >>> topic_mean([Estimate(0.0, 0.0, 0, 1, most=1.0, relevant=0, unseen=1.0)] * 2)[2:4]
    (nan, nan)
    """
    if len(estimates) == 1:
        return estimates[0]
    size, most = len(estimates), estimates[0].most
    value = sum(one.value for one in estimates) / size
    spread, freedoms = np.array([_spread(one, value, size, confidence) for one in estimates]).T
    variance, freedom = float(spread.sum()) / size**2, _satterthwaite(spread, freedoms)
    counts = [one.among for one in estimates if one.among]
    if len(counts) == size:
        ends = _sum_interval(size * estimates[0].size, value, variance, counts, confidence)
    else:
        is_guess = 2 * sum(one.guess for one in estimates) > len(estimates)
        ends = (nan, nan) if is_guess else interval(value, variance, freedom, confidence, most)
    return Estimate(value, variance, *ends, freedom, most)


def _sum_interval(
    size: int, value: float, variance: float, of: Sequence[SampleFrame], confidence: float
) -> tuple[float, float]:
    """The interval of a sum of counts, divided by `size`; one outside counts with the mean of their weights."""
    others = sum(one.others for one in of)
    weight = sum(one.others * one.weight for one in of) / others if others else 1.0
    among = SampleFrame(sum(one.relevant for one in of), others, weight)
    low, high = count_interval(size * value, size**2 * variance, among, confidence)
    return low / size, high / size


def _spread(one: Estimate, mean: float, size: int, confidence: float) -> tuple[float, float]:
    """The variance of a topic among `size`, and its degrees of freedom."""
    from scipy.special import ndtri

    far = one.unseen * (one.value - mean) ** 2 * size / (size - 1) if one.relevant < FEW else 0.0
    if far > one.variance:
        return far, 1.0
    wide = (one.high - one.low) / (2 * float(ndtri((1 + confidence) / 2)))
    return one.variance or wide**2, one.freedom


def _satterthwaite(spread: Floats, freedom: Floats) -> float:
    parts = float(np.sum(spread**2 / freedom))
    return float(spread.sum()) ** 2 / parts if parts > 0 else inf


def effective_size(weight: Floats) -> float:
    """As many documents of equal weights say as much.

    >>> effective_size(np.array([2.0, 2.0])), effective_size(np.array([9.0, 1.0]))
    (2.0, 1.2195121951219512)
    """
    return float(weight.sum() ** 2 / np.sum(weight**2)) if len(weight) else 0.0


def mean_unsampled(weight: Floats) -> float:
    """How many documents one stands for that is not in the sample, on average; 1 where all are.

    Each of the sample stands for weight - 1 outside.

    >>> mean_unsampled(np.array([1.0, 1.0, 3.0])), mean_unsampled(np.ones(2))
    (3.0, 1.0)
    """
    more = np.maximum(weight - 1, 0)
    return float(np.sum(weight * more) / more.sum()) if more.sum() > 0 else 1.0
