"""YAAP, yet another average precision: the log odds of average precision."""

from __future__ import annotations

import numpy as np

from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats
from cranfield.metrics.measure import Measure


def log_odds_of_precision(r: Judged, rel: int = 1) -> Floats:
    """ln((1 + s) / (1 + R - s)), where s is the sum of the precisions at the relevant documents, R their number.

    >>> from cranfield.metrics.examples import example
    >>> log_odds_of_precision(example([1])), log_odds_of_precision(example([0], unretrieved=[1]))  # ln 2, ln 1/2
    (array([0.69314718]), array([-0.69314718]))
    """
    hit = r.relevant(rel)
    s = r.sum(hit, hit.nth / hit.rank)
    return np.log((1 + s) / (1 + r.num_relevant(rel) - s))


YAAP = Measure(
    "YAAP", log_odds_of_precision, synonyms=("yaap",), range=(float("-inf"), float("inf")), extremes="best on top",
    explanation="""
YAAP, yet another average precision: the log odds of average precision.

AP stretched at both ends: its values over topics are closer to a normal distribution, and a step near 0 or 1 counts
more than one in the middle. It misleads in a mean, since it has no fixed scale: a perfect ranking scores ln(1 + R), so
topics with many relevant documents dominate. Not to be confused with AP.

Source: trec_eval's yaap.
""")  # fmt: skip
