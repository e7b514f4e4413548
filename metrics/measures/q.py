"""Q, the Q-measure: average precision for graded judgments."""

from __future__ import annotations

import numpy as np

from cranfield.arrays.judged import Judged, ratio
from cranfield.arrays.rankings import Floats
from cranfield.metrics.gains import gain_of, ideal, running_sum
from cranfield.metrics.measure import Measure


def q_measure(r: Judged, beta: float = 1.0, gains: str = "linear", cutoff: int | None = None) -> Floats:
    """The blended ratio of precision and gains at each relevant document, averaged over all relevant documents.

    >>> from cranfield.metrics.examples import example
    >>> q_measure(example([0, 1, 2]))  # rank 2: (1 + 1) / (2 + 3), rank 3: (2 + 3) / (3 + 3)
    array([0.61666667])
    >>> q_measure(example([2], unretrieved=[1])), q_measure(example([2], unretrieved=[1]), cutoff=1)
    (array([0.5]), array([1.]))
    """
    best = ideal(r, gains)
    hit = r.hits((gain_of(r.grade, gains) > 0) & r.within(cutoff))
    collected = running_sum(hit.ranking, gain_of(hit.grade, gains))
    possible = best.first(best.gain, r.topic[hit.ranking], hit.rank)
    blended = (hit.nth + beta * collected) / (hit.rank + beta * possible)
    relevant = best.sizes[r.topic]
    return ratio(r.sum(hit, blended), relevant if cutoff is None else np.minimum(relevant, cutoff))


Q = Measure("Q", q_measure, extremes="best on top, equal gains", explanation="""
Q, the Q-measure: average precision for graded judgments.

At each relevant document, precision is blended with the gain so far relative to the ideal ranking's; beta is the weight
of gains, and towards 0 the measure becomes AP. It keeps AP's stability and rewards the better documents more. It
misleads as AP does where judgments are incomplete. Q@k divides by min(k, number of relevant documents), so that it can
reach 1; AP@k does not. A document is relevant if its grade has a gain.

Source: Sakai, New performance metrics based on multigrade relevance: their application to question answering, NTCIR-4,
2004; with beta: Sakai, On penalising late arrival of relevant documents in information retrieval evaluation with graded
relevance, EVIA 2007; Q@k as in Sakai, Metrics, statistics, tests, PROMISE 2013.
""")  # fmt: skip
