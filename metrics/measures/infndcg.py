"""infNDCG, inferred nDCG: nDCG estimated from a stratified random sample of the pool."""

from __future__ import annotations

import numpy as np

from cranfield.arrays.judged import Judged, ratio
from cranfield.arrays.rankings import Floats
from cranfield.metrics.gains import gain_of
from cranfield.metrics.measure import Measure
from cranfield.metrics.stratified_sample import estimated, strata


def inferred_gain(r: Judged, gains: str = "linear", cutoff: int | None = None) -> Floats:
    """Discounted cumulative gain, divided by that of the best ranking, both estimated from the sample.

    >>> from cranfield.metrics.examples import example
    >>> inferred_gain(example([1, 2, 0], strata=[1, 2, 2])) == [(1 + 2 / np.log2(3)) / (2 + 1 / np.log2(3))]
    array([ True])
    >>> inferred_gain(example([1, -1], strata=[1, 1])).round(4)  # 2 * 1/1, and the ideal has two: 1/1 + 1/1.585
    array([1.2263])
    >>> thirteen = example([1] * 6 + [0] * 6 + [-1], strata=[1] * 13)  # 6 of 12 judged: 6.5 of 13, and the ideal has 7
    >>> inferred_gain(thirteen).round(4)
    array([0.9841])
    """
    key, within = strata(r)[r.judgment], r.within(cutoff)
    collected = np.zeros(len(r.retrieved))
    for one in np.unique(key):
        here = within & (key == one)
        judged = r.hits(here & (r.grade >= 0))
        mean = ratio(r.sum(judged, gain_of(judged.grade, gains) / np.log2(judged.rank + 1)), r.sum(judged))
        collected += r.sum(r.hits(here)) * mean
    return ratio(collected, r.of_topics(_ideal(r, gains, cutoff)))


def _ideal(r: Judged, gains: str, cutoff: int | None) -> Floats:
    """Per topic: the discounted gain of the estimated number of documents of each gain, best first."""
    gain = gain_of(r.qrels_grade, gains)
    best, placed = np.zeros(len(r.qids)), np.zeros(len(r.qids), np.int64)
    for worth in np.unique(gain[gain > 0])[::-1]:
        up_to = placed + np.floor(estimated(r, gain == worth) + 0.5).astype(np.int64)
        discounts = np.concatenate([[0.0], np.cumsum(1 / np.log2(np.arange(2, up_to.max() + 2)))])
        first, last = (at if cutoff is None else np.minimum(at, cutoff) for at in (placed, up_to))
        best += worth * (discounts[last] - discounts[first])
        placed = up_to
    return best


INFNDCG = Measure(
    "infNDCG", inferred_gain, range=(0.0, float("inf")), tells_unjudged=True, by_strata=True, explanation="""
infNDCG, inferred nDCG: nDCG estimated from a stratified random sample of the pool.

The graded companion of xinfAP, and the measure of TREC's Clinical Decision Support and Precision Medicine tracks. The
gains of the judged documents retrieved from a stratum are scaled up to all that was retrieved from it; the ideal
ranking has the estimated number of documents of each grade, halves rounded up. It misleads as xinfAP does, and being a
quotient of two estimates it can exceed 1. Refused where the qrels have no strata; with everything judged it is nDCG.
NIST's sample_eval.pl is infNDCG@1000. It scales by what was retrieved of a stratum, as here, not by the whole stratum.

Source: Yilmaz, Kanoulas and Aslam, A simple and efficient sampling method for estimating AP and NDCG, SIGIR 2008, and
their program, sample_eval.pl, as NIST has it.
""")  # fmt: skip
