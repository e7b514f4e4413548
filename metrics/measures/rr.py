"""RR, reciprocal rank: how far down the first relevant document is."""

from __future__ import annotations

from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats
from cranfield.metrics.measure import Measure


def reciprocal_rank(r: Judged, rel: int = 1, cutoff: int | None = None) -> Floats:
    """1 over the rank of the first relevant document, 0 if there is none.

    >>> from cranfield.metrics.examples import example
    >>> reciprocal_rank(example([None, 0, 1, 1]))
    array([0.33333333])
    >>> reciprocal_rank(example([None, 0, 1, 1]), cutoff=2)
    array([0.])

    MRR is its mean over topics: with the first relevant documents at ranks 1, 3 and 2,

    >>> (sum(reciprocal_rank(example(ranking)) for ranking in ([1], [0, 0, 1], [0, 1])) / 3).round(2)
    array([0.61])
    """
    hit = r.relevant(rel, cutoff)
    return r.sum(hit, (hit.nth == 1) / hit.rank)


RR = Measure("RR", reciprocal_rank, synonyms=("recip_rank", "MRR", "mrr"), extremes="one way", explanation="""
RR, reciprocal rank: how far down the first relevant document is.

For known-item search and question answering, where one right answer is enough. It misleads where there is more to
find, and it is a coarse scale: from rank 1 to 2 costs half, from 10 to 20 a twentieth. RR@10 (MS MARCO's MRR@10) is
0 below rank 10 and is not the same number as RR.

Source: Kantor and Voorhees, The TREC-5 confusion track, Information Retrieval 2, 2000; trec_eval's recip_rank.
""")  # fmt: skip
