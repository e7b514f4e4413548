"""Lipani, Lupu and Hanbury's adjustment of P@n: how do pooled runs fare in the order of the new run?"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from cranfield.arrays.join import judge
from cranfield.arrays.rankings import Floats, Ints, Qrels, Runs
from cranfield.metrics.evaluate import mean

ROUNDING = 1e-12  # smaller sums of shares count as 0


def adjusted_precision(pooled: Runs, new: Runs, qrels: Qrels, cutoff: int, rel: int = 1) -> float:
    """The new run's adjusted P@n, n being the cutoff; both sets of runs number topics and documents alike.

        s, a, k     the shares of the new run's first n that are relevant, judged not relevant, unjudged: s + a + k = 1
        each pooled run is re-ordered: documents that the new run retrieved go to its rank there, the rest keep their own
        ds, da, dk  the means over pooled runs of what this changes in their shares
        adjusted P@n = s + k max(dk, 0)   if k (ds a - da s) > 0, else s

    A new run whose order brings pooled runs more relevant than non-relevant documents is credited for its own unjudged
    documents. For P@n only. It misleads where few runs were pooled, since the new order then says little; it never
    lowers a score.

    Source: Lipani, Lupu and Hanbury, Splitting water: precision and anti-precision to reduce pool bias, SIGIR 2015; The
    curious incidence of bias corrections in the pool, ECIR 2016; formula and ties as in LipaniEstimator.scala of
    PoolBiasEstimators (moved up before unmoved before moved down), without its rounding to single precision.

    >>> from cranfield.metrics.inputs import as_qrels, as_runs
    >>> runs = as_runs({"new": {"q": {"x": 3.0, "a": 2.0, "b": 1.0}}, "old": {"q": {"b": 3.0, "a": 2.0, "x": 1.0}}})
    >>> qrels = as_qrels({"q": {"a": 1, "b": 0}})
    >>> adjusted_precision(runs.select(["old"]), runs.select(["new"]), qrels, 2)  # old in new order: x a b
    0.75
    """
    own = _shares(new, qrels, cutoff, rel)[0]
    unknown = 1 - own.sum()
    if unknown <= ROUNDING or not pooled.tags:
        return float(own[0])
    change = _shares(reordered(pooled, new), qrels, cutoff, rel) - _shares(pooled, qrels, cutoff, rel)
    relevant, other = change.mean(axis=0)
    if unknown * (relevant * own[1] - other * own[0]) <= ROUNDING:
        return float(own[0])
    return float(own[0] + unknown * max(-relevant - other, 0.0))


def _shares(runs: Runs, qrels: Qrels, cutoff: int, rel: int) -> Floats:
    """Per run: the mean shares of the first n that are relevant, and that are judged and not relevant."""
    judged = judge(runs, qrels)
    relevant = judged.sum(judged.relevant(rel, cutoff)) / cutoff
    other = judged.sum(judged.judged(cutoff)) / cutoff - relevant
    return np.stack([mean(share.reshape(judged.shape)) for share in (relevant, other)], axis=-1)


def reordered(runs: Runs, new: Runs) -> Runs:
    """The runs with what `new` retrieved at the ranks that it has there.

    >>> from cranfield.metrics.inputs import as_runs
    >>> runs = as_runs({"new": {"q": {"c": 3.0, "b": 2.0}}, "old": {"q": {"a": 3.0, "b": 2.0, "c": 1.0, "d": 0.0}}})
    >>> moved = reordered(runs.select(["old"]), runs.select(["new"]))
    >>> runs.docnos.names[moved.document].tolist()
    ['c', 'a', 'b', 'd']
    """
    there = _rank_in(new, runs)
    position = np.where(there > 0, there, runs.rank)
    moved = np.where(there > 0, np.sign(there - runs.rank), 0)  # up before unmoved before down
    order = np.lexsort((runs.rank, moved, position, runs.topic, runs.run))
    return replace(runs.rows(order), scores=-position[order].astype(float))


def _rank_in(new: Runs, runs: Runs) -> Ints:
    """Per row of `runs`: the rank of its document for its topic in the new run, 0 where it is not there."""
    size = max(int(runs.document.max(initial=0)), int(new.document.max(initial=0))) + 1
    keys = new.topic * size + new.document
    order = np.argsort(keys)
    wanted = runs.topic * size + runs.document
    if not len(keys):
        return np.zeros(len(wanted), np.int64)
    at = order[np.minimum(np.searchsorted(keys, wanted, sorter=order), len(keys) - 1)]
    return np.where(keys[at] == wanted, new.rank[at], 0)
