"""NumRel: the number of known relevant documents."""

from __future__ import annotations

from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats
from cranfield.metrics.measure import Measure


def num_relevant(r: Judged, rel: int = 1) -> Floats:
    """The relevant documents of the topic, retrieved or not.

    >>> from cranfield.metrics.examples import example
    >>> num_relevant(example([1, None, 0], unretrieved=[1]))
    array([2.])
    """
    return r.num_relevant(rel).astype(float)


NUMREL = Measure(
    "NumRel", num_relevant, synonyms=("num_rel",), range=(0.0, float("inf")), aggregate="sum", extremes="one way",
    explanation="""
NumRel: the number of known relevant documents.

A fact of the topic, the same for every run. (trec_eval's summary with -c ignores its level -l; this one does not.)

Source: trec_eval's num_rel.
""")  # fmt: skip
