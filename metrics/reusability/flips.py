"""Which claims "this system is significantly better than that one" a change of the judgments would change."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats, Ints


class Flips(NamedTuple):
    """Pairs of systems by what happens to the claim that one is better: lost, gained, or reversed."""

    claims: int  # before
    lost: int
    gained: int
    reversed: int


def claims(scores: Floats, alpha: float = 0.05) -> Ints:
    """Runs x runs: 1 where the row's run is significantly better by the paired t test, -1 where worse, else 0.

    `scores` is (runs, topics). No correction for the number of pairs, as in the source. Equal runs make no claim.

    >>> claims(np.array([[0.5, 0.6, 0.7], [0.1, 0.2, 0.4], [0.5, 0.6, 0.7]])).tolist()
    [[0, 1, 0], [-1, 0, -1], [0, 1, 0]]
    """
    from scipy.special import stdtrit

    topics = scores.shape[1]
    if topics < 2:
        return np.zeros((len(scores), len(scores)), np.int64)
    mean = scores.mean(axis=1)
    difference = mean[:, None] - mean
    centred = (scores - mean[:, None]).T.copy()
    cross = np.einsum("ti,tj->ij", centred, centred)  # not BLAS: so small, its threads cost more
    squares = np.maximum(np.diag(cross)[:, None] + np.diag(cross) - 2 * cross, 0)
    error = np.sqrt(squares / (topics - 1) / topics)
    better = difference > error * stdtrit(topics - 1, 1 - alpha / 2) + 1e-12
    return np.asarray(better.astype(np.int64) - better.T)


def flips(before: Ints, after: Ints) -> Flips:
    """What happens to the `claims` made before under those made after.

    Two collections may rank systems alike and yet support different claims, and claims are closer to what a collection
    is used for than a correlation. It misleads as significance does: among many pairs some claims come and go by
    chance.

    Source: Otero, Parapar and Ferro, How discriminative are your qrels?, CIKM 2023.

    >>> better, worse = [0.5, 0.6, 0.7], [0.1, 0.2, 0.4]
    >>> flips(claims(np.array([better, worse])), claims(np.array([worse, better])))
    Flips(claims=1, lost=0, gained=0, reversed=1)
    """
    one, other = before != 0, after != 0
    both_ways = one, one & ~other, other & ~one, before * after < 0
    return Flips(*(int(np.count_nonzero(pairs)) // 2 for pairs in both_ways))
