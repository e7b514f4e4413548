"""P, precision: the share of the retrieved documents that are relevant."""

from __future__ import annotations

from cranfield.arrays.judged import Judged, ratio
from cranfield.arrays.rankings import Floats
from cranfield.metrics.measure import Measure


def precision(r: Judged, rel: int = 1, cutoff: int | None = None) -> Floats:
    """The share of relevant documents among those retrieved, or among the first k.

    >>> from cranfield.metrics.examples import example
    >>> short = example([1, None, 1])
    >>> precision(short, cutoff=5), precision(short)
    (array([0.4]), array([0.66666667]))
    """
    return ratio(r.sum(r.relevant(rel, cutoff)), r.retrieved if cutoff is None else cutoff)


P = Measure(
    "P", precision, synonyms=("P_{}", "set_P", "SetP", "precision", "Precision"), extremes="one way", difference="sum",
    explanation="""
P, precision: the share of the retrieved documents that are relevant.

P@k is what a reader of the first k documents sees, and easy to explain. It misleads in a mean: P@20 is hard to raise
where a topic has 3 relevant documents and easy where it has 300; it ignores the order within the first k. P@k always
divides by k: a ranking of 4 documents is as good as one with 6 bad ones after them. Without a cutoff it divides by the
number retrieved (trec_eval's set_P); so P@1000 and P differ as soon as a ranking is shorter.

Source: Cleverdon, Mills and Keen, Factors determining the performance of indexing systems, 1966; trec_eval's P, set_P.
""")  # fmt: skip
