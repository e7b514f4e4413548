"""nDCGrel: nDCG at every relevant document, averaged over them."""

from __future__ import annotations

import numpy as np

from cranfield.arrays.judged import Judged, ratio
from cranfield.arrays.rankings import Floats
from cranfield.metrics.aliases import with_gains
from cranfield.metrics.gains import gain_of, ideal, running_sum
from cranfield.metrics.measure import Measure
from cranfield.metrics.measures.dcg import discounted_gain


def ndcg_at_relevant(r: Judged, gains: str = "linear") -> Floats:
    """The nDCG at the rank of each document with a gain, averaged over all such documents of the topic.

    >>> from cranfield.metrics.examples import example
    >>> ndcg_at_relevant(example([1, 0, 1])).round(4)  # 1, and (1/1 + 1/2) / (1/1 + 1/log2(3))
    array([0.9599])
    >>> ndcg_at_relevant(example([1, 0], unretrieved=[1])).round(4)  # 1, and (1/1) / (1/1 + 1/log2(3))
    array([0.8066])
    >>> ndcg_at_relevant(example([0]))
    array([0.])
    """
    hit, best = r.judged(), ideal(r, gains)
    gain = gain_of(hit.grade, gains)
    dcg = running_sum(hit.ranking, gain / np.log2(hit.rank + 1))
    best_gain = best.gain / np.log2(best.rank + 1)
    ndcg = ratio(dcg, best.first(best_gain, r.topic[hit.ranking], hit.rank))
    relevant = gain > 0
    at_end = ratio(discounted_gain(r, gains), r.of_topics(best.sum(best_gain)))
    missed = best.sizes[r.topic] - r.sum(hit, relevant)
    return ratio(r.sum(hit, np.where(relevant, ndcg, 0.0)) + missed * at_end, best.sizes[r.topic])


NDCGREL = Measure(
    "nDCGrel", ndcg_at_relevant, synonyms=("ndcg_rel",), aliases=(with_gains("ndcg_rel"),),
    extremes="best on top, equal gains", explanation="""
nDCGrel: nDCG at every relevant document, averaged over them.

To nDCG what AP is to precision: no cutoff has to be chosen, since each relevant document is one. It misleads as AP does
where judgments are few, and it favours short rankings: relevant documents that were not retrieved count with the nDCG
of the whole ranking, not with 0. As in nDCG, a document with a gain is relevant; there is no option rel. Not to be
confused with RnDCG.

Source: trec_eval's ndcg_rel.
""")  # fmt: skip
