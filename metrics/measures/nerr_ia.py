"""nERR_IA, normalised intent-aware expected reciprocal rank: ERR_IA relative to the best ranking that the judgments"""

from __future__ import annotations

import numpy as np

from cranfield.arrays.judged import Judged, ratio
from cranfield.arrays.rankings import Floats
from cranfield.metrics.measure import Measure
from cranfield.metrics.subtopics import covered, ideal_gains


def normalised_intent_aware_reciprocal_rank(r: Judged, cutoff: int, alpha: float = 0.5, rel: int = 1) -> Floats:
    """The novel subtopics in the first k documents, each divided by its rank, relative to a greedy ideal ranking.

    >>> from cranfield.metrics.examples import example
    >>> ranking = example([1, 1], unretrieved=[1], subtopics=[{"a"}, {"a"}, {"b"}])
    >>> normalised_intent_aware_reciprocal_rank(ranking, cutoff=2).round(4)  # (1 + 0.5/2) / (1 + 1/2)
    array([0.8333])
    >>> normalised_intent_aware_reciprocal_rank(example([0], subtopics=[set()]), cutoff=2)
    array([0.])
    """
    found = covered(r, rel, cutoff)
    best = ideal_gains(r, rel, alpha, cutoff) @ (1 / np.arange(1, cutoff + 1))
    return ratio(found.sum(r, (1 - alpha) ** (found.nth - 1.0) / found.rank), r.of_topics(best))


NERR_IA = Measure(
    "nERR_IA", normalised_intent_aware_reciprocal_rank, synonyms=("nERR-IA",), range=(0.0, float("inf")),
    explanation="""
nERR_IA, normalised intent-aware expected reciprocal rank: ERR_IA relative to the best ranking that the judgments
allow.

It lets a topic score 1 even if each of its documents covers one meaning only. It needs judgments of subtopics. It
misleads by hiding that there was nothing better to find, and by its ideal ranking, which is that of alpha_nDCG: chosen
greedily, so that values above 1 are possible. As in ndeval, a document satisfies the reader of a subtopic it covers
with probability alpha, whatever its grade from rel on.

Source: Chapelle, Ji, Liao, Velipasaoglu, Lai and Wu, Intent-based diversification of web search results, Information
Retrieval 14(6), 2011; TREC's ndeval.
""")  # fmt: skip
