"""binG: each relevant document is discounted by the number of other documents above it."""

from __future__ import annotations

import numpy as np

from cranfield.arrays.judged import Judged, ratio
from cranfield.arrays.rankings import Floats
from cranfield.metrics.measure import Measure


def binary_gain(r: Judged, rel: int = 1) -> Floats:
    """1 / log2(2 + the others above it) of each relevant document, averaged over all relevant documents of the topic.

    >>> from cranfield.metrics.examples import example
    >>> binary_gain(example([1, 1])), binary_gain(example([None, 0, 1], unretrieved=[1]))  # 1/2 of one, 0 of the other
    (array([1.]), array([0.25]))
    """
    hit = r.relevant(rel)
    return ratio(r.sum(hit, 1 / np.log2(2 + hit.rank - hit.nth)), r.num_relevant(rel))


BING = Measure("binG", binary_gain, synonyms=(), extremes="best on top", explanation="""
binG: each relevant document is discounted by the number of other documents above it.

A discounted gain that is stable over topics: the discount is not of the rank but of the documents read in vain, so the
second of two relevant documents at the top counts as much as the first, and a perfect ranking scores 1 however many
there are. It misleads at late ranks, which it hardly distinguishes. Grades above rel count alike; see G for graded
gains. Not to be confused with nDCG of binary gains.

Source: trec_eval's binG.
""")  # fmt: skip
