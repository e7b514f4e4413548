"""alpha_nDCG, nDCG for diversity: a document gains by each subtopic it covers, less if it was covered before."""

from __future__ import annotations

import numpy as np

from cranfield.arrays.judged import Judged, ratio
from cranfield.arrays.rankings import Floats
from cranfield.metrics.aliases import Alias
from cranfield.metrics.measure import Measure
from cranfield.metrics.subtopics import covered, ideal_gains


def diversity_gain(r: Judged, cutoff: int, alpha: float = 0.5, rel: int = 1) -> Floats:
    """The novel subtopics in the first k documents, discounted by rank, divided by those of a greedy ideal ranking.

    >>> from cranfield.metrics.examples import example
    >>> ranking = example([1, 1], unretrieved=[1], subtopics=[{"a"}, {"a"}, {"b"}])
    >>> diversity_gain(ranking, cutoff=2).round(4)  # (1 + 0.5/1.585) / (1 + 1/1.585)
    array([0.8066])
    >>> diversity_gain(example([0], subtopics=[set()]), cutoff=2)
    array([0.])
    """
    found = covered(r, rel, cutoff)
    gain = found.sum(r, (1 - alpha) ** (found.nth - 1.0) / np.log2(found.rank + 1))
    best = ideal_gains(r, rel, alpha, cutoff) @ (1 / np.log2(np.arange(2, cutoff + 2)))
    return ratio(gain, r.of_topics(best))


ALPHA_NDCG = Measure(
    "alpha_nDCG", diversity_gain, synonyms=("alpha-nDCG",), range=(0.0, float("inf")), aliases=(Alias("\u03b1_nDCG"),),
    explanation="""
alpha_nDCG, nDCG for diversity: a document gains by each subtopic it covers, less if it was covered before.

For topics that mean several things, or have several sides: a ranking that repeats itself scores low. alpha is how much
a repetition loses: at 0 nothing, at 1 all. It needs judgments of subtopics. It misleads where subtopics were judged
unevenly, since those with one relevant document weigh as much as those with many; and by its ideal ranking, which is
chosen greedily, because the best one is too costly to find: values above 1 are possible. Ties in the ideal go to the
later docno. All this follows ndeval, whose cutoffs end at 20; these do not. Grades only decide whether a subtopic is
covered: from rel on.

Source: Clarke, Kolla, Cormack, Vechtomova, Ashkan, Büttcher and MacKinnon, Novelty and diversity in information
retrieval evaluation, SIGIR 2008; TREC's ndeval.
""")  # fmt: skip
