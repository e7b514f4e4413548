"""SetAP: precision times recall of a set."""

from __future__ import annotations

from cranfield.arrays.judged import Judged, ratio
from cranfield.arrays.rankings import Floats
from cranfield.metrics.measure import Measure


def set_average_precision(r: Judged, rel: int = 1) -> Floats:
    """The square of the relevant documents retrieved, over the retrieved times the relevant.

    >>> from cranfield.metrics.examples import example
    >>> set_average_precision(example([0, 1], unretrieved=[1])), set_average_precision(example([]))
    (array([0.25]), array([0.]))
    """
    found = r.sum(r.relevant(rel))
    return ratio(found * found, r.retrieved * r.num_relevant(rel))


SETAP = Measure("SetAP", set_average_precision, synonyms=("set_map",), extremes="one way", explanation="""
SetAP: precision times recall of a set.

For retrieval without ranks: the AP that a set could expect if its relevant documents were spread evenly over it. It
misleads for rankings, whose order it ignores; not to be confused with AP, nor with F, which is kinder to a set that
does well in only one of the two.

Source: trec_eval's set_map.
""")  # fmt: skip
