"""Utility: what a set is worth, at a price per document."""

from __future__ import annotations

from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats
from cranfield.metrics.aliases import NUMBERS, Alias, weights
from cranfield.metrics.measure import Measure


def utility(
    r: Judged, p1: float = 1, p2: float = -1, p3: float = 0, p4: float = 0, size: int = 0, rel: int = 1
) -> Floats:
    """The worth of what was retrieved and of what was not, at four prices.

    >>> from cranfield.metrics.examples import example
    >>> utility(example([1, 0, None], unretrieved=[1]))  # 1 - 2
    array([-1.])
    >>> utility(example([1, 0, None], unretrieved=[1]), p1=2, p3=-1, p4=0.5, size=10)  # 2 - 2 - 1 + 6/2
    array([2.])
    """
    found, num_relevant = r.sum(r.relevant(rel)), r.num_relevant(rel)
    others_left = size + found - r.retrieved - num_relevant
    return p1 * found + p2 * (r.retrieved - found) + p3 * (num_relevant - found) + p4 * others_left


UTILITY = Measure(
    "Utility", utility, synonyms=("utility",), range=(float("-inf"), float("inf")),
    aliases=(Alias("utility", NUMBERS, weights),), extremes="one way", explanation="""
Utility: what a set is worth, at a price per document.

For filtering: p1 for each relevant document retrieved, p2 for each other retrieved, p3 for each relevant one missed, p4
for each other not retrieved, where `size` is the number of documents in the collection. By default it is the relevant
less the others retrieved. It misleads in a mean: it has no bounds, and topics with many retrieved documents dominate
it. Unjudged documents count as not relevant.

Source: Lewis, The TREC-4 filtering track, TREC 1995; trec_eval's utility, whose -N is the size.
""")  # fmt: skip
