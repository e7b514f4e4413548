"""RnDCG: nDCG at the ranks where the best ranking goes from one grade to the next, averaged."""

from __future__ import annotations

import numpy as np

from cranfield.arrays.judged import Judged, ratio
from cranfield.arrays.rankings import Floats, Ints
from cranfield.metrics.aliases import with_gains
from cranfield.metrics.gains import Ideal, gain_of, ideal
from cranfield.metrics.measure import Measure


def ndcg_at_grades(r: Judged, gains: str = "linear") -> Floats:
    """The nDCG after the last document of each grade in the best ranking, averaged.

    >>> from cranfield.metrics.examples import example
    >>> ndcg_at_grades(example([1, 2])).round(4)  # at rank 1: 1/2; at rank 2: (1 + 2/log2(3)) / (2 + 1/log2(3))
    array([0.6799])
    >>> ndcg_at_grades(example([0, 1])).round(4)  # at rank 1: 0; the end is too near to count
    array([0.])
    >>> ndcg_at_grades(example([0, 1, 0])).round(4)  # at rank 1: 0; at the end: 1/log2(3)
    array([0.3155])
    """
    best = ideal(r, gains)
    size = best.sizes[r.topic]
    ends = [ranks[r.topic] for ranks in _ends(best)]
    values = np.array([np.where(end > 0, _ndcg(r, best, gains, end), 0.0) for end in ends]).reshape(-1, len(size))
    beyond = r.retrieved > size + 1
    total = values.sum(axis=0) + np.where(beyond, _ndcg(r, best, gains, r.retrieved), 0.0)
    count = np.sum([end > 0 for end in ends], axis=0) + beyond
    return ratio(total, count)


def _ends(best: Ideal) -> list[Ints]:
    """For the first, second, ... gain of each topic: the rank of its last document, 0 where there is no such gain."""
    last = np.append((np.diff(best.gain) != 0) | (np.diff(best.topic) != 0), True)[: len(best.gain)]
    topic, rank = best.topic[last], best.rank[last]
    nth = np.arange(len(topic)) - np.searchsorted(topic, topic)
    ends = np.zeros((int(nth.max(initial=-1)) + 1, len(best.sizes)), np.int64)
    ends[nth, topic] = rank
    return list(ends)


def _ndcg(r: Judged, best: Ideal, gains: str, cutoff: Ints) -> Floats:
    """nDCG with a cutoff for each ranking."""
    hit = r.judged()
    seen = hit.rank <= cutoff[hit.ranking]
    dcg = r.sum(hit, seen * gain_of(hit.grade, gains) / np.log2(hit.rank + 1))
    return ratio(dcg, best.first(best.gain / np.log2(best.rank + 1), r.topic, cutoff))


RNDCG = Measure(
    "RnDCG", ndcg_at_grades, synonyms=("Rndcg",), aliases=(with_gains("Rndcg"),), extremes="best on top",
    explanation="""
RnDCG: nDCG at the ranks where the best ranking goes from one grade to the next, averaged.

To nDCG what Rprec is to precision: it is read where a perfect ranking would have all documents of the highest grade,
then all of the two highest, and so on; and at the end of the ranking, where that lies beyond. It misleads between
collections: the number of grades decides where it is read. Not to be confused with nDCG at rank R.

Source: trec_eval's Rndcg.
""")  # fmt: skip
