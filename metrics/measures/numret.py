"""NumRet: the number of documents retrieved, judged or not."""

from __future__ import annotations

from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats
from cranfield.metrics.measure import Measure


def num_retrieved(r: Judged) -> Floats:
    """The documents retrieved.

    >>> from cranfield.metrics.examples import example
    >>> num_retrieved(example([1, None, 0], unretrieved=[1]))
    array([3.])
    """
    return r.retrieved.astype(float)


NUMRET = Measure(
    "NumRet", num_retrieved, synonyms=("num_ret",), range=(0.0, float("inf")), aggregate="sum", extremes="one way",
    explanation="""
NumRet: the number of documents retrieved, judged or not.

It shows which runs are shorter than others; their recall, AP and P without a cutoff are not comparable.

Source: trec_eval's num_ret.
""")  # fmt: skip
