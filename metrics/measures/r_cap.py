"""R_cap, capped recall: the relevant documents among the first k, relative to the most that k could hold."""

from __future__ import annotations

import numpy as np

from cranfield.arrays.judged import Judged, ratio
from cranfield.arrays.rankings import Floats
from cranfield.metrics.measure import Measure


def capped_recall(r: Judged, rel: int = 1, cutoff: int | None = None) -> Floats:
    """The relevant documents among the first k, divided by k or by the number of relevant ones, whichever is less.

    >>> from cranfield.metrics.examples import example
    >>> ranking = example([1, 0, 1, 1, 0], unretrieved=[1, 1, 1, 1])
    >>> capped_recall(ranking, cutoff=5)  # 3 of the 5 there could be; recall is 3/7
    array([0.6])
    >>> capped_recall(example([]))
    array([0.])
    """
    room = r.retrieved if cutoff is None else cutoff
    return ratio(r.sum(r.relevant(rel, cutoff)), np.minimum(r.num_relevant(rel), room))


R_CAP = Measure(
    "R_cap", capped_recall, synonyms=("RCap", "relative_P_{}", "set_relative_P", "relative_P", "SetRelP"),
    extremes="one way", explanation="""
R_cap, capped recall: the relevant documents among the first k, relative to the most that k could hold.

Recall whose best value is 1 also where a topic has more than k relevant documents; then it is precision, and where k is
larger it is recall. It misleads in a mean, which mixes the two. Without a cutoff the ranking's length stands for k.
BEIR reports it as R_cap@100; trec_eval's relative_P and set_relative_P are the same.

Source: Thakur, Reimers, Rueckle, Srivastava and Gurevych, BEIR, NeurIPS Datasets and Benchmarks 2021; trec_eval's
relative_P.
""")  # fmt: skip
