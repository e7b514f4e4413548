"""IPrec@x, interpolated precision at a recall point: how clean a list is that finds a share x of the relevant.

The points of the precision-recall curve: the best precision that can be had with at least that recall. It misleads
at recall 0 (the best precision anywhere) and on topics with few relevant documents, where neighbouring points fall on
the same document. The point is x times the number of relevant documents, rounded, halves up: trec_eval 10's rule;
trec_eval 9 and what builds on it (pytrec_eval, ir_measures) round up nearly always and print lower values.

Source: Salton and McGill, Introduction to Modern Information Retrieval, 1983; trec_eval's iprec_at_recall.
"""

from __future__ import annotations

import numpy as np

from cranfield.judged import Hits, Judged
from cranfield.rankings import Floats

from .measure import Measure


def interpolated_precision(r: Judged, recall: float, rel: int = 1) -> Floats:
    """The highest precision at any rank from where the share x of the relevant documents is found.

    >>> from cranfield.metrics.examples import example
    >>> ranking = example([0, 1, 1, 0], unretrieved=[1, 1])
    >>> interpolated_precision(ranking, 0.25), interpolated_precision(ranking, 0.75)
    (array([0.66666667]), array([0.]))
    """
    hit = r.relevant(rel)
    target = rounded(np.float64(recall) * r.num_relevant(rel))[hit.ranking]
    return _highest(r, hit, np.where(hit.nth >= target, hit.nth / hit.rank, 0.0))


def rounded(x: Floats) -> Floats:
    return np.floor(x) + (x % 1 >= 0.5)


def _highest(r: Judged, hit: Hits, values: Floats) -> Floats:
    """Per ranking: the highest of the values of its hits, 0 without any."""
    highest = np.zeros(len(r.retrieved))
    np.maximum.at(highest, hit.ranking, values)
    return highest


IPREC = Measure("IPrec", interpolated_precision, synonyms=("iprec_at_recall_{}",), at="recall")
