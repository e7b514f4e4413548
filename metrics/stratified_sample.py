"""What a stratified sample of judgments says about its pool.

The pool is divided into strata, and in each stratum a uniform random sample is judged. The other documents have a
negative grade in the qrels, so the size of each stratum is known.
"""

from __future__ import annotations

import numpy as np

from cranfield.arrays.judged import Judged, ratio
from cranfield.arrays.rankings import Floats, Ints, Mask
from cranfield.errors import MeasureError


def strata(r: Judged) -> Ints:
    """The stratum of each judgment; judgments without strata are an error.

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
    key, pooled, judged = _sizes(r)
    return np.asarray(ratio(pooled, judged)[key])


def estimated(r: Judged, found: Mask) -> Floats:
    """Per topic: the estimated number of documents like those found, summed by stratum as in NIST's sample_eval.

    Six of twelve judged in a stratum of thirteen stand for 6.5 documents, where six times 13/12 would be 6.4999...:

    >>> from cranfield.metrics.examples import example
    >>> some = example([1] * 6 + [0] * 6 + [-1], strata=[1] * 13)
    >>> estimated(some, some.qrels_grade > 0), weights(some)[:6].cumsum()[-1].item()
    (array([6.5]), 6.499999999999999)
    """
    key, pooled, judged = _sizes(r)
    of_stratum = np.bincount(key[found], minlength=len(pooled)) * pooled
    topic = np.repeat(np.arange(len(r.qids)), len(pooled) // max(len(r.qids), 1))
    return np.bincount(topic, ratio(of_stratum, judged), minlength=len(r.qids)).astype(float)


def blind(r: Judged) -> str | None:
    """What these measures miss, if anything: strata without any judged document.

    >>> from cranfield.metrics.examples import example
    >>> blind(example([1, 0, -1], unretrieved=[-1], strata=[1, 1, 2, 2]))
    'nothing is judged of 1 stratum with 2 documents, such as in topic topic: they count as not relevant'
    >>> blind(example([1, -1], strata=[1, 1]))
    """
    key, pooled, judged = _sizes(r)
    unseen = (pooled > 0) & (judged == 0)
    if not unseen.any():
        return None
    first, of = r.qids[r.qrels_topic[unseen[key]][0]], "stratum" if unseen.sum() == 1 else "strata"
    return (
        f"nothing is judged of {unseen.sum()} {of} with {pooled[unseen].sum()} documents, such as in topic {first}:"
        " they count as not relevant"
    )


def _sizes(r: Judged) -> tuple[Ints, Ints, Ints]:
    """Per judgment its stratum, topic by topic; per such stratum how many documents it has, and how many judged."""
    stratum = strata(r)
    every = int(stratum.max(initial=0)) + 1
    key = r.qrels_topic * every + stratum
    pooled = np.bincount(key, minlength=len(r.qids) * every)
    return key, pooled, np.bincount(key[r.qrels_grade >= 0], minlength=len(pooled))
