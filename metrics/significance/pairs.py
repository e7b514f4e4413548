"""What a significance test is, and its input: pairs of runs by one measure, as arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from cranfield.arrays.rankings import Floats, Ints, Mask

SAMPLES = 100_000
DECIMALS = 12  # scores are sums of fractions: 0.3 - 0.2 and 0.2 - 0.1 are one difference
LEAST = float(np.finfo(float).tiny)  # no p is 0


def ignore(done: int) -> None:
    """Report no progress."""


@dataclass(frozen=True, eq=False)
class Pairs:
    """Pairs of runs by one measure. A test sees no NaN: `p_values` passes only topics with defined scores."""

    scores: Floats  # (runs, topics)
    a: Ints  # per pair, a run
    b: Ints
    samples: int = SAMPLES
    seed: int = 0
    zeros: str = "wilcox"  # how Wilcoxon's test treats topics without a difference
    advance: Callable[[int], None] = ignore  # called with the samples done, `samples` in all

    @cached_property
    def differences(self) -> Floats:
        """a - b, as an array (pairs, topics)."""
        scores = np.ascontiguousarray(self.scores)
        return scores[self.a] - scores[self.b]

    @cached_property
    def rounded(self) -> Floats:
        """The differences without the last digits' noise, for tests that look at ties."""
        return np.round(self.differences, DECIMALS)

    def by(self, scores: Floats) -> Pairs:
        """The same by another measure."""
        return replace(self, scores=scores)

    def at(self, topics: Mask, pairs: Mask | None = None) -> Pairs:
        """The same on fewer topics, and perhaps fewer pairs."""
        kept = np.ones(len(self.a), bool) if pairs is None else pairs
        return replace(self, scores=self.scores[:, topics], a=self.a[kept], b=self.b[kept])


@dataclass(frozen=True)
class SignificanceTest:
    """A test: a function from pairs to their p values, two-sided. Its module says what it is for."""

    name: str
    title: str
    function: Callable[[Pairs], Floats]
    least: Callable[[int, int, int], float]  # the smallest p possible with so many topics, samples and runs
    resamples: bool = False
    whole: bool = False  # whether it tests all runs at once, so that its p needs no correction
    exact: Callable[[Pairs], Mask] | None = None  # per pair: whether all resamples are enumerated, none drawn at random

    @property
    def description(self) -> str:
        """One sentence."""
        return (self.function.__doc__ or "").partition("\n")[0]


def all_pairs(runs: int) -> tuple[Ints, Ints]:
    """Every pair of this many runs, once.

    >>> all_pairs(3)
    (array([0, 0, 1]), array([1, 2, 2]))
    """
    first, second = np.triu_indices(runs, k=1)
    return first.astype(np.int64), second.astype(np.int64)


def p_values(test: SignificanceTest, pairs: Pairs) -> Floats:
    """The p value of each pair, above 0 and up to 1.

    A topic counts for a pair where both runs have a score, and for a test of all runs at once where all have one.
    NaN where fewer than two topics count.

    >>> from cranfield.metrics.significance import TESTS
    >>> scores = np.array([[0.1, 0.2, 0.3, np.nan], [0.1, 0.2, 0.3, 0.4], [np.nan, np.nan, np.nan, 0.2]])
    >>> p_values(TESTS["t"], Pairs(scores, *all_pairs(3)))  # identical runs; no topic in common; one topic in common
    array([ 1., nan, nan])
    """
    p = np.full(len(pairs.a), np.nan)
    for members, part in _parts(test, pairs):
        p[members] = np.clip(test.function(part), LEAST, 1.0)
    return p


def tried_all(test: SignificanceTest, pairs: Pairs) -> list[bool | None]:
    """Per pair: whether p counts all resamples there are; None where there is no p, or the test does not resample.

    >>> from cranfield.metrics.significance import TESTS
    >>> few = Pairs(np.array([[0.1, 0.2, 0.3], [0.2, 0.3, 0.4]]), *all_pairs(2))
    >>> tried_all(TESTS["permutation"], few), tried_all(TESTS["bootstrap"], few), tried_all(TESTS["t"], few)
    ([True], [False], [None])
    """
    found: list[bool | None] = [None] * len(pairs.a)
    for members, part in _parts(test, pairs) if test.resamples else ():
        whole = test.exact(part) if test.exact else np.zeros(len(part.a), bool)
        for pair, one in zip(np.flatnonzero(members).tolist(), whole.tolist(), strict=True):
            found[pair] = one
    return found


def _parts(test: SignificanceTest, pairs: Pairs) -> Iterator[tuple[Mask, Pairs]]:
    """Which pairs have two topics or more in common, and these on their topics; the first tell of their progress."""
    defined = ~np.isnan(pairs.scores)
    if test.whole:
        common = np.broadcast_to(defined.all(axis=0), (len(pairs.a), defined.shape[1]))
    else:
        common = defined[pairs.a] & defined[pairs.b]
    for topics, members in _alike(common):
        if topics.sum() > 1:
            yield members, pairs.at(topics, members)
        pairs = replace(pairs, advance=ignore)


def _alike(common: Mask) -> list[tuple[Mask, Mask]]:
    """The pairs (rows) by the topics that count, the largest group first."""
    if common.all():
        return [(np.ones(common.shape[1], bool), np.ones(len(common), bool))]
    patterns, group, sizes = np.unique(common, axis=0, return_inverse=True, return_counts=True)
    return [(patterns[i], group.ravel() == i) for i in np.argsort(-sizes, kind="stable")]
