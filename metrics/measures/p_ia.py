"""P_IA@k, intent-aware precision: the share of relevant documents among the first k, averaged over the subtopics."""

from __future__ import annotations

import numpy as np

from cranfield.arrays.judged import Judged, ratio
from cranfield.arrays.rankings import Floats
from cranfield.metrics.measure import Measure
from cranfield.metrics.subtopics import covered, num_subtopics


def intent_aware_precision(r: Judged, cutoff: int, rel: int = 1) -> Floats:
    """The share of the first k documents that are relevant to a subtopic, averaged over the topic's subtopics.

    >>> from cranfield.metrics.examples import example
    >>> ranking = example([1, 0, 1], subtopics=[{"a"}, set(), {"a", "b"}])
    >>> intent_aware_precision(ranking, cutoff=2), intent_aware_precision(ranking, cutoff=5)  # 1 / (2 * 2), 3 / (2 * 5)
    (array([0.25]), array([0.3]))
    """
    found = covered(r, rel, cutoff)
    return ratio(found.sum(r, np.ones(len(found.rank))), cutoff * num_subtopics(r, rel))


P_IA = Measure("P_IA", intent_aware_precision, synonyms=("P-IA",), explanation="""
P_IA@k, intent-aware precision: the share of relevant documents among the first k, averaged over the subtopics.

It needs judgments of subtopics. It misleads as P@k does, and more: a document that covers one of two subtopics counts
half, so that P_IA@k reaches 1 only where every document covers every subtopic. Repetition is not penalised. A ranking
with fewer than k documents is still divided by k. Subtopics without any relevant document do not count.

Source: Agrawal, Gollapudi, Halverson and Ieong, Diversifying search results, WSDM 2009; TREC's ndeval.
""")  # fmt: skip
