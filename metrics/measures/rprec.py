"""Rprec, R-precision: precision at the rank by which a perfect ranking has found everything."""

from __future__ import annotations

from cranfield.arrays.judged import Judged, ratio
from cranfield.arrays.rankings import Floats
from cranfield.metrics.aliases import Alias
from cranfield.metrics.measure import Measure


def r_precision(r: Judged, rel: int = 1) -> Floats:
    """The share of relevant documents among the first R, where R is how many the topic has.

    >>> from cranfield.metrics.examples import example
    >>> r_precision(example([1, 0, 1, 1]))
    array([0.66666667])
    >>> r_precision(example([1], unretrieved=[1]))  # divides by R, not by the 1 retrieved
    array([0.5])
    """
    hit, num_relevant = r.relevant(rel), r.num_relevant(rel)
    return ratio(r.sum(hit, hit.rank <= num_relevant[hit.ranking]), num_relevant)


RPREC = Measure(
    "Rprec", r_precision, synonyms=("RPrec",), aliases=(Alias("r-precision"),), extremes="best on top", explanation="""
Rprec, R-precision: precision at the rank by which a perfect ranking has found everything.

The cutoff is the topic's own number R of relevant documents, so that topics with few and with many can be averaged; at
that rank precision and recall are equal. It misleads about early ranks where R is large, and it cannot be computed
where R is not known. Not to be confused with R, recall.

Source: Buckley and Voorhees, Evaluating evaluation measure stability, SIGIR 2000; trec_eval's Rprec.
""")  # fmt: skip
