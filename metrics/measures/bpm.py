"""BPM@k, the Bejeweled player model: the gain per document read of a reader who stops when she has enough or is tired."""

from __future__ import annotations

import numpy as np

from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats
from cranfield.metrics.gains import running_sum
from cranfield.metrics.measure import Measure
from cranfield.metrics.measures.insq import share_of_best


def bejeweled_player(r: Judged, cutoff: int, T: float = 1.0, max_grade: int | None = None) -> Floats:  # noqa: N803
    """The gain of a reader who stops once she has gained T, or after k documents, per document read.

    >>> from cranfield.metrics.examples import example
    >>> ranking = example([1, 0, 2, 2])  # gains 1/2, 0, 1, 1
    >>> bejeweled_player(ranking, cutoff=4)  # 3/2 after rank 3
    array([0.5])
    >>> bejeweled_player(ranking, cutoff=2), bejeweled_player(ranking, cutoff=4, T=2.5)  # 1/2 in 2, 5/2 in 4
    (array([0.25]), array([0.625]))
    >>> bejeweled_player(example([None]), cutoff=4)
    array([0.])
    """
    hit = r.relevant(1, cutoff)
    gain = share_of_best(r, hit.grade, max_grade)
    enough = np.round(running_sum(hit.ranking, gain), 9) >= T
    read = np.full(len(r.retrieved), cutoff)
    np.minimum.at(read, hit.ranking[enough], hit.rank[enough])
    return np.asarray(r.sum(hit, gain * (hit.rank <= read[hit.ranking])) / read)


BPM = Measure("BPM", bejeweled_player, explanation="""
BPM@k, the Bejeweled player model: the gain per document read of a reader who stops when she has enough or is tired.

She reads until she has gained T, or to rank k, whichever comes first, and the score is her gain divided by the number
of documents read. A gain is the grade divided by max_grade, by default the highest grade in the judgments, so that T=1
is one best document: then, with binary grades, BPM@k is RR@k. It misleads where gains are graded: a better document may
be the one that is enough, and the mean of fewer documents may be lower; so a better ranking can score less. It never
exceeds 1. This is the static model: in the dynamic one T and k move with what she reads.

Source: Zhang, Liu, Li, Zhang, Xu and Ma, Evaluating Web search with a Bejeweled player model, SIGIR 2017; as cwl_eval
and ir_measures have it (whose sums of gains fall short of T by a rounding: ten gains of .1 are not 1 there).
""")  # fmt: skip
