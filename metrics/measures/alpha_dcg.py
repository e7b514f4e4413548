"""alpha_DCG, DCG for diversity: alpha_nDCG relative to the best conceivable ranking, not to the topic's best."""

from __future__ import annotations

import numpy as np

from cranfield.arrays.judged import Judged, ratio
from cranfield.arrays.rankings import Floats
from cranfield.metrics.aliases import Alias
from cranfield.metrics.measure import Measure
from cranfield.metrics.subtopics import covered, num_subtopics


def discounted_diversity(r: Judged, cutoff: int, alpha: float = 0.5, rel: int = 1) -> Floats:
    """The novel subtopics in the first k documents, discounted by rank, relative to the best conceivable ranking.

    >>> from cranfield.metrics.examples import example
    >>> ranking = example([1, 1], subtopics=[{"a"}, {"a", "b"}])
    >>> discounted_diversity(ranking, cutoff=2).round(4)  # (1 + 1.5/1.585) / (2 + 2 * 0.5/1.585)
    array([0.7398])
    >>> discounted_diversity(ranking, cutoff=1)  # 1 of 2 subtopics
    array([0.5])
    """
    found = covered(r, rel, cutoff)
    ranks = np.arange(1, cutoff + 1)
    best = ((1 - alpha) ** (ranks - 1.0) / np.log2(ranks + 1)).sum()
    return ratio(found.sum(r, (1 - alpha) ** (found.nth - 1.0) / np.log2(found.rank + 1)), best * num_subtopics(r, rel))


ALPHA_DCG = Measure(
    "alpha_DCG", discounted_diversity, synonyms=("alpha-DCG",), aliases=(Alias("\u03b1_DCG"),), explanation="""
alpha_DCG, DCG for diversity: alpha_nDCG relative to the best conceivable ranking, not to the topic's best.

The sum is that of alpha_nDCG. It is divided by that of k documents which all cover every subtopic of the topic, so no
ideal ranking has to be found. It misleads as a share: no collection has such documents. It needs judgments of
subtopics. As in ndeval, which omits the division at k=1; this does not.

Source: Clarke, Kolla, Cormack, Vechtomova, Ashkan, Büttcher and MacKinnon, Novelty and diversity in information
retrieval evaluation, SIGIR 2008; TREC's ndeval.
""")  # fmt: skip
