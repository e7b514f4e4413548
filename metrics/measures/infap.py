"""infAP, inferred average precision: AP estimated where only a random sample of the pool was judged."""

from __future__ import annotations

import numpy as np

from cranfield.arrays.judged import Judged, ratio
from cranfield.arrays.rankings import Floats
from cranfield.metrics.measure import Measure

SMOOTHING = 1e-5


def inferred_average_precision(r: Judged, rel: int = 1) -> Floats:
    """Average precision, each precision estimated from the share of relevant documents among the judged above.

    >>> from cranfield.metrics.examples import example
    >>> inferred_average_precision(example([1, -1, 1])).round(4)  # rank 3: 1/3 + 2/3 * (2/2) * (1/1)
    array([1.])
    >>> inferred_average_precision(example([1, None, 1])).round(4)  # rank 3: 1/3 + 2/3 * (1/2) * (1/1)
    array([0.8333])
    """
    hit, relevant = r.relevant(rel), r.grade >= rel
    pooled_above = r.running(np.ones_like(relevant))[relevant] - 1
    judged_above = r.running(r.grade >= 0)[relevant] - 1
    share = (hit.nth - 1 + SMOOTHING) / (judged_above + 2 * SMOOTHING)
    return ratio(r.sum(hit, (1 + pooled_above * share) / hit.rank), r.num_relevant(rel))


INFAP = Measure("infAP", inferred_average_precision, tells_unjudged=True, explanation="""
infAP, inferred average precision: AP estimated where only a random sample of the pool was judged.

Unjudged documents of the pool have a negative grade in the qrels, any one, as in trec_eval. It misleads unless the
judged ones are a uniform random sample of the pool: the samples of two depths or rates need other estimators. Documents
outside the pool count as not relevant. With everything judged it is AP, except for the smoothing of 1/100000.

Source: Yilmaz and Aslam, Estimating average precision with incomplete and imperfect judgments, CIKM 2006; trec_eval's
infAP.
""")  # fmt: skip
