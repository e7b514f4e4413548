"""What the resampling tests share: reweighting the topics many times, and counting."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

import numpy as np

from cranfield.arrays.rankings import Floats, Ints
from cranfield.metrics.significance.pairs import Pairs
from cranfield.parallel import in_blocks

T = TypeVar("T")
BLOCK = 1000
TOGETHER = 128  # pairs whose samples are in memory at once
TOLERANCE = 1e-10  # what counts as a tie, as a share of the sum of all sizes

Draw = Callable[[np.random.Generator, int, int], Floats]


def sampled(
    work: Callable[..., T], shared: Sequence[Any], samples: int, seed: int, advance: Callable[[int], None]
) -> Iterator[T]:
    """The results of `work(generator, size, *shared)` for each block of samples, side by side.

    Samples are drawn in blocks, each with its own generator from the seed and the block's number, so a p value depends
    only on the seed, the number of samples and its own pair, not on other pairs or on memory.

    >>> list(sampled(lambda generator, size: size, (), 2500, 0, lambda size: None))
    [1000, 1000, 500]
    """
    blocks = [(number, min(BLOCK, samples - start)) for number, start in enumerate(range(0, samples, BLOCK))]
    for (_, size), found in zip(blocks, in_blocks(_drawn, blocks, (seed, work, shared)), strict=True):
        advance(size)
        yield found


def _drawn(number: int, size: int, seed: int, work: Callable[..., T], shared: Sequence[Any]) -> T:
    return work(np.random.default_rng([seed, number]), size, *shared)


def monte_carlo(values: Floats, observed: Floats, draw: Draw, pairs: Pairs) -> Floats:
    """p = (1 + samples at least as far from 0 as what was observed) / (1 + samples).

    The 1 is the observed sample itself: without it p could be 0, and a test at alpha would reject too often.
    `values` is (pairs, topics); `draw` gives the weights of the topics (samples, topics).

    Source: Phipson and Smyth, Permutation p-values should never be zero, Statistical Applications in Genetics and
    Molecular Biology 9(1), 2010.
    """
    threshold = _threshold(values, observed)
    count = np.ones(len(values), np.int64)
    for found in sampled(_as_far, (values, threshold, draw), pairs.samples, pairs.seed, pairs.advance):
        count += found
    return count / (pairs.samples + 1)


def _as_far(generator: np.random.Generator, size: int, values: Floats, threshold: Floats, draw: Draw) -> Ints:
    return exceeding(values, threshold, draw(generator, size, values.shape[1]))


def exact(sizes: Floats, observed: Floats) -> Floats:
    """The share of all sign patterns whose sum of `sizes` (pairs, topics) is at least as far from 0 as the observed.

    Half of the patterns suffice, since the others mirror them.

    >>> exact(np.array([[1.0, 2.0, 3.0]]), np.array([6.0]))  # 2 of 8
    array([0.25])
    """
    signs = every_sign(sizes.shape[1])
    return np.asarray(exceeding(sizes, _threshold(sizes, observed), signs) / len(signs))


def every_sign(topics: int) -> Floats:
    """Every pattern of signs (patterns, topics) that begins with a plus.

    >>> every_sign(2)
    array([[ 1., -1.],
           [ 1.,  1.]])
    """
    patterns = np.arange(2 ** (topics - 1))[:, None] >> np.arange(topics - 1) & 1
    signs: Floats = np.column_stack([np.ones(len(patterns)), patterns * 2.0 - 1])
    return signs


def exceeding(values: Floats, threshold: Floats, weights: Floats) -> Ints:
    """Per pair: how many of the weighted sums are at least the threshold away from 0."""
    count = np.zeros(len(values), np.int64)
    together = max(1, TOGETHER * BLOCK // len(weights))
    for start in range(0, len(values), together):
        some = slice(start, start + together)
        sums = np.abs(values[some] @ weights.T)
        count[some] = np.count_nonzero(sums >= threshold[some, None], axis=1)
    return count


def _threshold(values: Floats, observed: Floats) -> Floats:
    slack: Floats = TOLERANCE * np.abs(values).sum(axis=1)
    return np.abs(observed) - slack
