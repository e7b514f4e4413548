"""Pool closure: do these runs, pooled to some depth, give these judgments?

A collection whose pool cannot be rebuilt cannot be asked what a left-out run would have lost. The evidence is in how
far down each ranking is judged without a gap: to the depth of the pool gaps are rare, right below it they are not. It
misleads where few rankings reach the pool's depth, and where topics were pooled to different depths.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.special import xlog1py, xlogy

from cranfield.judged import Judged, ratio
from cranfield.meeting import judge
from cranfield.rankings import Floats, Ints, Qrels, Runs

CLOSED = 0.98  # the share of judged documents from which a topic's pool counts as closed
AS_GOOD = 0.8  # a run contributed if it is covered at least this often, compared with the run covered most

Pair = tuple[str, str]


class Closure(NamedTuple):
    """What pooling `runs` to `depth` gives, against what is judged."""

    depth: int
    runs: tuple[str, ...]  # that contribute
    outside: tuple[str, ...]  # that do not
    topics: int
    closed_topics: int  # whose pool is judged, but for 2 % at most
    pooled: int
    judged: int
    pooled_not_judged: list[Pair]
    judged_not_pooled: list[Pair]


def verify(
    runs: Runs,
    qrels: Qrels,
    contributing: Sequence[str] | None = None,
    depth: int | None = None,
    judged: Judged | None = None,
) -> Closure:
    """Infer the depth and the contributing runs where they are not given, pool anew, and compare with the judgments.

    `judged` is what `judge` makes of the runs and the judgments, where that is at hand.
    """
    judged = judged or judge(runs, qrels)
    gapless = judged_prefix(judged)
    if depth is None:
        known = np.isin(judged.tags, contributing or judged.tags)
        depth = pool_depth(gapless[known], judged.retrieved.reshape(judged.shape)[known])
    chosen = tuple(contributing or _covered(judged, gapless, depth))
    pooled = pooled_pairs(runs.select(chosen), qrels, np.full(len(chosen), depth))
    labelled = judged_pairs(qrels)
    return Closure(
        depth,
        chosen,
        tuple(tag for tag in judged.tags if tag not in chosen),
        len(judged.qids),
        _closed(pooled, labelled),
        len(pooled),
        len(labelled),
        sorted(pooled - labelled),
        sorted(labelled - pooled),
    )


def judged_prefix(judged: Judged) -> Ints:
    """Runs x topics: how many documents from the top of the ranking are judged without a gap."""
    every = judged.hits(np.ones(len(judged.rank), bool))
    return judged.sum(every, every.nth == every.rank).astype(np.int64).reshape(judged.shape)


def pool_depth(gapless: Ints, retrieved: Ints) -> int:
    """The depth from which on gaps become common: the likeliest place for their rate to change once.

    >>> pool_depth(np.array([100, 100, 103, 101, 100, 7]), np.full(6, 1000))
    100
    """
    gapless, retrieved = gapless.ravel(), retrieved.ravel()
    last = int(retrieved.max(initial=0))
    gaps = np.bincount(gapless[gapless < retrieved], minlength=last + 1)
    reached = np.bincount(np.where(gapless < retrieved, gapless, gapless - 1).clip(0), minlength=last + 1)
    at_risk = reached[::-1].cumsum()[::-1]
    above, below = gaps.cumsum(), at_risk.cumsum()
    likelihood = _binomial(above, below) + _binomial(above[-1] - above, below[-1] - below)
    return int(np.argmax(likelihood)) + 1


def _binomial(successes: Ints, trials: Ints) -> Floats:
    """The log-likelihood of successes among trials at the rate that suits them best."""
    rate = ratio(successes, trials)
    return np.asarray(xlogy(successes, rate) + xlog1py(trials - successes, -rate))


def _covered(judged: Judged, gapless: Ints, depth: int) -> list[str]:
    """The runs that are judged down to the depth, or to their end, about as often as any that goes so deep."""
    retrieved = judged.retrieved.reshape(judged.shape)
    share = (gapless >= np.minimum(depth, retrieved)).mean(axis=1)
    best = share[(retrieved >= depth).any(axis=1)].max(initial=0)
    return [tag for tag, own in zip(judged.tags, share, strict=True) if own >= AS_GOOD * best]


def _closed(pooled: set[Pair], labelled: set[Pair]) -> int:
    documents = Counter(qid for qid, _ in pooled)
    judged = Counter(qid for qid, _ in pooled & labelled)
    return sum(judged[qid] >= CLOSED * size for qid, size in documents.items())


def summary(closure: Closure, examples: int = 5) -> list[tuple[str, object]]:
    """The findings in words, with some of the exceptions."""

    def some(pairs: list[Pair]) -> str:
        return ", ".join(f"{qid} {docno}" for qid, docno in pairs[:examples])

    rows: list[tuple[str, object]] = [
        ("depth", closure.depth),
        ("contributing runs", len(closure.runs)),
        ("other runs", len(closure.outside)),
        ("topics judged to that depth", f"{closure.closed_topics} of {closure.topics}"),
        ("documents pooled", closure.pooled),
        ("documents judged", closure.judged),
        ("pooled, not judged", len(closure.pooled_not_judged)),
        ("judged, not pooled", len(closure.judged_not_pooled)),
        ("pooled, not judged, such as", some(closure.pooled_not_judged)),
        ("judged, not pooled, such as", some(closure.judged_not_pooled)),
    ]
    return [row for row in rows if row[1] != ""]


def pooled_pairs(runs: Runs, qrels: Qrels, depths: Ints) -> set[Pair]:
    """The pairs of judged topics that the runs have down to the depth of each."""
    kept = runs.rows((runs.rank <= depths[runs.run]) & np.isin(runs.topics.names, qrels.qids)[runs.topic])
    return set(zip(runs.topics.names[kept.topic], runs.docnos.names[kept.document], strict=True))


def judged_pairs(qrels: Qrels) -> set[Pair]:
    """The pairs that have a judgment."""
    return set(zip(qrels.topics.names[qrels.topic], qrels.docnos.names[qrels.document], strict=True))
