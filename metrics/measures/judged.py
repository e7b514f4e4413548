"""Judged@k: the share of the first k documents that were judged."""

from __future__ import annotations

import numpy as np

from cranfield.arrays.judged import Judged, ratio
from cranfield.arrays.rankings import Floats
from cranfield.metrics.measure import Measure


def judged_share(r: Judged, cutoff: int) -> Floats:
    """The share of the first k retrieved documents that were judged, whatever their grade.

    >>> from cranfield.metrics.examples import example
    >>> judged_share(example([0, None, 1]), cutoff=10), judged_share(example([]), cutoff=10)
    (array([0.66666667]), array([nan]))
    >>> judged_share(example([-1, -2]), cutoff=10)  # -1 says that nobody judged it, -2 that it is junk
    array([0.5])
    """
    return ratio(r.sum(r.judged(cutoff)), np.minimum(r.retrieved, cutoff), undefined=np.nan)


JUDGED = Measure("Judged", judged_share, tells_unjudged=True, explanation="""
Judged@k: the share of the first k documents that were judged.

It says nothing about quality, but how far other scores can be trusted. Where it is low, the system was not in the pool,
and its P@k, AP and nDCG may be far too low. A short ranking divides by the documents it has; an empty ranking is
undefined (NaN), not 0. A grade of -1 counts as unjudged, a lower one (junk, spam) as judged.

Source: ir_measures' Judged; its complement is trec_eval's unj, which divides by k always.
""")  # fmt: skip
