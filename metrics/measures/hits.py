"""Hits@k: how many relevant documents a reader finds, on average over topics."""

from __future__ import annotations

from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats
from cranfield.metrics.measure import Measure
from cranfield.metrics.measures.numrelret import num_relevant_retrieved


def hits(r: Judged, rel: int = 1, cutoff: int | None = None) -> Floats:
    """The relevant documents retrieved, or among the first k; averaged over topics.

    >>> from cranfield.metrics.examples import example
    >>> hits(example([1, None, 2, 0], unretrieved=[1])), hits(example([1, None, 2]), cutoff=2)
    (array([2.]), array([1.]))
    """
    return num_relevant_retrieved(r, rel, cutoff)


HITS = Measure("Hits", hits, synonyms=("hits",), range=(0.0, float("inf")), extremes="one way", explanation="""
Hits@k: how many relevant documents a reader finds, on average over topics.

The name is ranx's. NumRelRet is the same count summed over topics, as in trec_eval. It misleads in a mean, which topics
with many relevant documents dominate; R divides it by what is relevant, P by what was retrieved.

Source: ranx: Bassani, ranx: a blazing-fast Python library for ranking evaluation and comparison, ECIR 2022.
""")  # fmt: skip
