"""NumQ: the number of topics that a mean is over."""

from __future__ import annotations

import numpy as np

from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats
from cranfield.metrics.measure import Measure


def num_topics(r: Judged) -> Floats:
    """The topics that count: 1 for each, their number in the summary.

    >>> from cranfield.metrics.examples import example
    >>> num_topics(example([]))
    array([1.])
    """
    return np.ones(len(r.retrieved))


NUMQ = Measure(
    "NumQ", num_topics, synonyms=("num_q",), range=(0.0, float("inf")), aggregate="sum", extremes="one way",
    explanation="""
NumQ: the number of topics that a mean is over.

Check it first: means over different topics cannot be compared. Every topic of the qrels counts, answered or not, unless
only retrieved topics are asked for.

Source: trec_eval's num_q with -c.
""")  # fmt: skip
