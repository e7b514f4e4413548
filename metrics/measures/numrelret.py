"""NumRelRet: the number of relevant documents retrieved."""

from __future__ import annotations

from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats
from cranfield.metrics.measure import Measure


def num_relevant_retrieved(r: Judged, rel: int = 1, cutoff: int | None = None) -> Floats:
    """The relevant documents retrieved, or among the first k.

    >>> from cranfield.metrics.examples import example
    >>> num_relevant_retrieved(example([1, None, 0], unretrieved=[1]))
    array([1.])
    """
    return r.sum(r.relevant(rel, cutoff))


NUMRELRET = Measure(
    "NumRelRet", num_relevant_retrieved, synonyms=("num_rel_ret",), range=(0.0, float("inf")), aggregate="sum",
    extremes="one way", explanation="""
NumRelRet: the number of relevant documents retrieved.

The numerator of recall. In a sum over topics, those with most relevant documents dominate.

Source: trec_eval's num_rel_ret.
""")  # fmt: skip
