"""nNRBP, normalised novelty- and rank-biased precision: NRBP relative to the best ranking that the judgments allow."""

from __future__ import annotations

import numpy as np

from cranfield.arrays.judged import Judged, ratio
from cranfield.arrays.rankings import Floats
from cranfield.metrics.measure import Measure
from cranfield.metrics.measures.nrbp import novelty_and_rank_biased_gain
from cranfield.metrics.subtopics import ideal_gains, most_covering


def normalised_novelty_biased_precision(r: Judged, alpha: float = 0.5, beta: float = 0.5, rel: int = 1) -> Floats:
    """The novel subtopics seen by a reader who continues with probability beta, relative to a greedy ideal ranking.

    >>> from cranfield.metrics.examples import example
    >>> ranking = example([1, 1], subtopics=[{"a"}, {"a", "b"}])
    >>> normalised_novelty_biased_precision(ranking).round(4)  # (1 + 1.5 * 0.5) / (2 + 0.5 * 0.5)
    array([0.7778])
    """
    depth = most_covering(r, rel)
    best = ideal_gains(r, rel, alpha, depth) @ beta ** np.arange(depth)
    return ratio(novelty_and_rank_biased_gain(r, alpha, beta, rel), r.of_topics(best))


NNRBP = Measure("nNRBP", normalised_novelty_biased_precision, range=(0.0, float("inf")), explanation="""
nNRBP, normalised novelty- and rank-biased precision: NRBP relative to the best ranking that the judgments allow.

NRBP that can reach 1. It needs judgments of subtopics. It misleads by hiding that there was nothing better to find, and
by its ideal ranking, which is that of alpha_nDCG: chosen greedily, so that values above 1 are possible.

Source: Clarke, Kolla and Vechtomova, An effectiveness measure for ambiguous and underspecified queries, ICTIR 2009;
TREC's ndeval.
""")  # fmt: skip
