"""SDCG@k, scaled discounted cumulative gain: DCG divided by that of k documents of the best grade."""

from __future__ import annotations

import numpy as np

from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats
from cranfield.metrics.measure import Measure
from cranfield.metrics.measures.insq import share_of_best

BLOCK = 1 << 20  # ranks whose discounts are in memory at a time


def scaled_discounted_gain(r: Judged, cutoff: int, max_grade: int | None = None) -> Floats:
    """The discounted gains of the first k documents, divided by those of k documents of the best grade.

    >>> from cranfield.metrics.examples import example
    >>> scaled_discounted_gain(example([2, None, 1]), cutoff=3).round(4)  # (1 + 1/2 * 1/2) / (1 + 0.6309 + 1/2)
    array([0.5866])
    >>> scaled_discounted_gain(example([2, None, 1]), cutoff=3, max_grade=4).round(4)
    array([0.2933])
    """
    hit = r.relevant(1, cutoff)
    gain = share_of_best(r, hit.grade, max_grade)
    best = sum(
        (1 / np.log2(np.arange(rank, min(rank + BLOCK, cutoff + 2)))).sum() for rank in range(2, cutoff + 2, BLOCK)
    )
    return np.asarray(r.sum(hit, gain / np.log2(hit.rank + 1)) / best)


SDCG = Measure("SDCG", scaled_discounted_gain, extremes="one way", explanation="""
SDCG@k, scaled discounted cumulative gain: DCG divided by that of k documents of the best grade.

nDCG without the ideal ranking of the topic: all topics share one scale, and their relevant documents need not be known.
It misleads as an absolute number, since a topic with fewer best documents than k cannot reach 1; and between
collections, since a gain is the grade divided by max_grade, by default the highest grade in the judgments. The discount
is log2(rank + 1). cwl_eval calls it NDCG.

Source: Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, TOIS 20(4), 2002; scaled as in
Azzopardi, Thomas and Moffat, cwl_eval: an evaluation tool for information retrieval, SIGIR 2019, and in ir_measures.
""")  # fmt: skip
