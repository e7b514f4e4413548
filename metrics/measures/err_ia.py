"""ERR_IA, intent-aware expected reciprocal rank: ERR for each subtopic, averaged over the subtopics."""

from __future__ import annotations

import numpy as np

from cranfield.arrays.judged import Judged, ratio
from cranfield.arrays.rankings import Floats
from cranfield.metrics.measure import Measure
from cranfield.metrics.subtopics import covered, num_subtopics


def intent_aware_reciprocal_rank(r: Judged, cutoff: int, alpha: float = 0.5, rel: int = 1) -> Floats:
    """The novel subtopics in the first k documents, each divided by its rank, relative to the best conceivable.

    >>> from cranfield.metrics.examples import example
    >>> ranking = example([1, 1], subtopics=[{"a"}, {"a", "b"}])
    >>> intent_aware_reciprocal_rank(ranking, cutoff=2)  # (1/1 + (0.5 + 1)/2) / (2/1 + 1/2)
    array([0.7])
    >>> intent_aware_reciprocal_rank(ranking, cutoff=1)  # 1 of 2 subtopics
    array([0.5])
    """
    found = covered(r, rel, cutoff)
    gain = found.sum(r, (1 - alpha) ** (found.nth - 1.0) / found.rank)
    ranks = np.arange(1, cutoff + 1)
    best = ((1 - alpha) ** (ranks - 1.0) / ranks).sum()
    return ratio(gain, best * num_subtopics(r, rel))


ERR_IA = Measure("ERR_IA", intent_aware_reciprocal_rank, synonyms=("ERR-IA",), explanation="""
ERR_IA, intent-aware expected reciprocal rank: ERR for each subtopic, averaged over the subtopics.

For topics that mean several things, where one good document is enough for each meaning. It needs judgments of
subtopics. It misleads where some meanings are wanted more often than others, since all subtopics count alike. As in
ndeval, a document satisfies the reader of a subtopic it covers with probability alpha, whatever its grade from rel on
(the paper takes the grade's own probability); and the value is divided by that of the best conceivable ranking, in
which every document covers every subtopic. ndeval omits that division at k=1; this does not.

Source: Chapelle, Metzler, Zhang and Grinspan, Expected reciprocal rank for graded relevance, CIKM 2009; Chapelle, Ji,
Liao, Velipasaoglu, Lai and Wu, Intent-based diversification of web search results, Information Retrieval 14(6), 2011;
TREC's ndeval.
""")  # fmt: skip
