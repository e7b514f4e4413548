"""IPrec@x, interpolated precision at a recall point: the best precision while at least a share x of the relevant"""

from __future__ import annotations

import numpy as np

from cranfield.arrays.judged import Hits, Judged
from cranfield.arrays.rankings import Floats
from cranfield.metrics.measure import Measure


def interpolated_precision(r: Judged, recall: float, rel: int = 1, rule: str = "trec_eval") -> Floats:
    """The highest precision at any rank from where the share x of the relevant documents is found.

    >>> from cranfield.metrics.examples import example
    >>> ranking = example([0, 1, 1, 0], unretrieved=[1, 1])
    >>> interpolated_precision(ranking, 0.25), interpolated_precision(ranking, 0.75)
    (array([0.66666667]), array([0.]))
    >>> ranking = example([1, 0, 1, 0, 0, 1])  # recall 1/3, 2/3, 1
    >>> interpolated_precision(ranking, 0.4), interpolated_precision(ranking, 0.4, rule="exact")
    (array([1.]), array([0.66666667]))
    """
    hit = r.relevant(rel)
    wanted = np.float64(recall) * r.num_relevant(rel)
    target = (rounded(wanted) if rule == "trec_eval" else no_fewer(wanted))[hit.ranking]
    return _highest(r, hit, np.where(hit.nth >= target, hit.nth / hit.rank, 0.0))


def rounded(x: Floats) -> Floats:
    return np.floor(x) + (x % 1 >= 0.5)


def no_fewer(x: Floats) -> Floats:
    """The least whole numbers from x on, where x is a product that may be off in its last digits.

    >>> no_fewer(np.array([0.1, 0.7]) * 30), no_fewer(np.array([0.1, 0.7]) * 3)
    (array([ 3., 21.]), array([1., 3.]))
    """
    return np.ceil(np.round(x, 9))


def _highest(r: Judged, hit: Hits, values: Floats) -> Floats:
    """Per ranking: the highest of the values of its hits, 0 without any."""
    highest = np.zeros(len(r.retrieved))
    np.maximum.at(highest, hit.ranking, values)
    return highest


IPREC = Measure(
    "IPrec", interpolated_precision, synonyms=("iprec_at_recall_{}",), at="recall", extremes="best on top",
    explanation="""
IPrec@x, interpolated precision at a recall point: the best precision while at least a share x of the relevant
documents is found.

The points of the precision-recall curve: the best precision at any rank with at least that recall. It misleads at
recall 0 (the best precision anywhere) and on topics with few relevant documents, where neighbouring points fall on the
same document. There are two rules for what reaches recall x: x R of the R relevant documents, rounded, halves up, which
is trec_eval 10's and the default; or, as in textbooks, no fewer than x R, IPrec(rule="exact")@x, which never gives
more. With 1 of 3 found, recall .4 is reached by trec_eval's rule, where 1.2 is rounded to 1, and not by the exact one.
(trec_eval 9 and what builds on it, pytrec_eval and ir_measures, round up from .1 on: a third rule, not here.)

Source: Salton and McGill, Introduction to Modern Information Retrieval, 1983; trec_eval's iprec_at_recall.
""")  # fmt: skip
