"""Compat, compatibility: how similar the ranking is to the closest ideal ranking, by rank-biased overlap."""

from __future__ import annotations

import numpy as np

from cranfield.arrays.judged import Judged, ratio
from cranfield.arrays.rankings import Floats, Ints
from cranfield.metrics.measure import Measure


def compatibility(r: Judged, p: float = 0.95, normalize: bool = True) -> Floats:
    """The rank-biased overlap with the best ideal ranking, divided by the overlap of that ranking with itself.

    >>> from cranfield.metrics.examples import example
    >>> compatibility(example([2, 1, 1, 0])), compatibility(example([1, 2]), p=0.5).round(3)
    (array([1.]), array([0.333]))
    >>> compatibility(example([None, 0]))
    array([0.])
    """
    hit, wanted = r.relevant(), r.num_relevant()
    depth = np.maximum(r.retrieved, wanted)
    agreement = np.cumsum(p ** np.arange(depth.max(initial=0)) / np.arange(1, depth.max(initial=0) + 1))
    agreement = np.concatenate([[0.0], agreement])  # of one document that both have from rank 1 to each depth
    both = np.maximum(hit.rank, _ideal_rank(r))
    overlap = r.sum(hit, agreement[depth[hit.ranking]] - agreement[both - 1])
    if not normalize:
        return ratio(overlap, (1 - p**depth) / (1 - p))
    before = np.concatenate([[0.0], np.cumsum(agreement)])  # the ideal's documents enter at ranks 1, 2, ...
    return ratio(overlap, wanted * agreement[depth] - before[wanted])


def _ideal_rank(r: Judged) -> Ints:
    """Per relevant row: its rank in the ideal ranking closest to its own."""
    hit = r.relevant()
    rank = np.zeros(len(hit.rank), np.int64)
    for grade in np.unique(hit.grade):
        same = hit.grade == grade
        better = r.count(r.qrels_grade > grade)[hit.ranking[same]]
        rank[same] = better + r.hits(r.grade == grade).nth
    return rank


COMPAT = Measure("Compat", compatibility, extremes="best on top", explanation="""
Compat, compatibility: how similar the ranking is to the closest ideal ranking, by rank-biased overlap.

For judgments whose order alone counts: preferences, or grades in many steps. The ideal ranking has all documents with a
positive grade, the better grades first, and orders equals as the ranking does. p is the reader's patience: 0.95 looks
at some 20 documents, 0.8 at 5. It misleads where there are few grades and many relevant documents, since then most
orders are ideal. The score is divided by that of the ideal ranking itself, since ideal rankings are finite;
normalize=False omits this.

Source: Clarke, Vtyurina and Smucker, Assessing top-k preferences, TOIS 39(3), 2021 (and ICTIR 2020, Offline evaluation
without gain). RBO here is cut at the depth of the longer ranking, as in the authors' program and in ir_measures, which
both take a missing document's score as 0 when they break ties in the ideal: with scores below 0 they differ from this.
""")  # fmt: skip
