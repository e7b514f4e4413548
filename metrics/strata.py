"""What a stratified sample of judgments says of the pool it was drawn from.

A pool is cut into strata, and of each stratum some documents are judged, chosen at random, each as likely as any other.
The others stand in the qrels with a negative grade, so that the size of each stratum is known.
"""

from __future__ import annotations

import numpy as np

from cranfield.errors import MeasureError
from cranfield.judged import Judged, ratio
from cranfield.rankings import Floats, Ints


def strata(r: Judged) -> Ints:
    """The stratum of each judgment; judgments without strata are refused.

    >>> from cranfield.metrics.examples import example
    >>> strata(example([1]))
    Traceback (most recent call last):
    ...
    cranfield.errors.MeasureError: the judgments have no strata, which a stratified sample's qrels have:
    qid iteration docno stratum grade
    """
    if r.qrels_stratum is None:
        columns = "qid iteration docno stratum grade"
        raise MeasureError(f"the judgments have no strata, which a stratified sample's qrels have: {columns}")
    return r.qrels_stratum


def weights(r: Judged) -> Floats:
    """Per judgment: how many documents of its topic's stratum a judged one stands for, 0 where none was judged.

    >>> from cranfield.metrics.examples import example
    >>> weights(example([1, -1, 0], unretrieved=[-1, 1], strata=[1, 1, 2, 2, 2]))  # 2 of 1 judged, 3 of 2 judged
    array([2. , 2. , 1.5, 1.5, 1.5])
    """
    stratum = strata(r)
    key = r.qrels_topic * (int(stratum.max(initial=0)) + 1) + stratum
    pooled = np.bincount(key)
    judged = np.bincount(key[r.qrels_grade >= 0], minlength=len(pooled))
    per_stratum = ratio(pooled, judged)
    return np.asarray(per_stratum[key])
