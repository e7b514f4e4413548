"""RBP, rank-biased precision: what a reader gains per document read, who goes on with probability p.

Needs nothing but the ranking: no number of relevant documents, so that topics and collections of unknown
completeness can be compared, and what is unjudged can be bounded. p=0.5 is an impatient reader, 0.95 a patient one:
different values of p are different measures. It misleads by never reaching 1 on a finite ranking. Gains are binary
here, by rel. The score of a ranking with unjudged documents is a lower bound.

Source: Moffat and Zobel, Rank-biased precision for measurement of retrieval effectiveness, TOIS 27(1), 2008.
(The rbp of trec_eval 10.0 reads uninitialised memory and is no reference.)
"""

from __future__ import annotations

from cranfield.judged import Judged
from cranfield.rankings import Floats

from .measure import Measure


def rank_biased_precision(r: Judged, p: float = 0.8, rel: int = 1, cutoff: int | None = None) -> Floats:
    """The relevant documents a reader meets per document read, if she goes on to the next with probability p.

    >>> from cranfield.metrics.examples import example
    >>> rank_biased_precision(example([1, None, 1]), p=0.5)  # 1/2 * (1 + 1/4)
    array([0.625])
    """
    hit = r.relevant(rel, cutoff)
    return (1 - p) * r.sum(hit, p ** (hit.rank - 1.0))


RBP = Measure("RBP", rank_biased_precision)
