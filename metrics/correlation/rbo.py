"""Rank-biased overlap: how much two rankings have in common, the top counting most.

A reader goes down both lists, continuing to the next rank with probability p; at each depth d she sees the overlap of
the first d of both, divided by d. RBO is the average of what she sees. Unlike tau it accepts rankings of different
items and lengths, and its 0 is not chance but nothing in common: two random orders of the same systems have a good deal
in common. p sets the depth that counts: with p=0.9 the first ten ranks have 86 % of the weight.

Below the end of a list nothing is known: `min` assumes no further overlap, `max` all that is possible, `ext` the
agreement seen so far. A truncated sum without this is neither: of two identical lists of k items it is 1 - p^k.

Ties: with "w" tied items have the same rank; with "a" their order is unknown, and RBO is the mean over all orders; "b"
is "a" corrected so that a ranking with ties agrees with itself. All three are equal where nothing ties.

Source: Webber, Moffat and Zobel, A similarity measure for indefinite rankings, TOIS 28(4), 2010; ties: Corsi and
Urbano, The treatment of ties in rank-biased overlap, SIGIR 2024.
"""

from collections.abc import Callable, Iterable, Set
from typing import Literal, NamedTuple, get_args

import numpy as np

from cranfield.arrays.rankings import Floats
from cranfield.errors import CranfieldError
from cranfield.metrics.correlation.coefficients import Scores, why_undefined

Ties = Literal["w", "a", "b"]


class Overlap(NamedTuple):
    """Rank-biased overlap: extrapolated, and the least and the greatest that the unseen ranks allow."""

    ext: float
    min: float
    max: float


class Flat(NamedTuple):
    """A ranking with its ties: the place of each item, from 0, and the first and last rank of its group, from 1."""

    place: dict[object, int]
    top: Floats
    bottom: Floats

    def __len__(self) -> int:
        return len(self.place)


def rank_biased_overlap(x: Iterable[object], y: Iterable[object], p: float = 0.9, ties: Ties = "a") -> Overlap:
    """The overlap of two rankings, each a sequence of items, best first; tied items are in one set.

    >>> overlap = rank_biased_overlap(["red", {"blue", "green"}, "yellow"], [{"blue", "red"}, "white"], p=0.8)
    >>> [round(value, 4) for value in overlap]
    [0.6467, 0.4647, 0.7917]
    >>> rank_biased_overlap("abc", "xyz").ext
    0.0
    """
    if not 0 < p < 1:
        raise CranfieldError(f"p is {p!r}; expected a number above 0 and below 1")
    if ties not in get_args(Ties):
        raise CranfieldError(f"ties are {ties!r}; expected one of {', '.join(get_args(Ties))}")
    short, long = sorted((_flatten_ranking(x), _flatten_ranking(y)), key=len)
    if not len(short):
        return Overlap(0.0, 0.0, 0.0 if len(long) else 1.0)
    return _overlap(short, long, p, ties)


def rbo(truth: Scores, estimate: Scores, p: float = 0.9, ties: Ties = "w") -> float:
    """The extrapolated overlap of the rankings of the same systems by two scores; NaN where one side is all tied.

    Since both rank all systems, `ext` and `max` are the same here. It is symmetric.

    >>> round(rbo([3, 2, 1], [2, 3, 1]), 10), round(rbo([3, 2, 2], [3, 2, 2]), 10), rbo([1, 1], [1, 2])
    (0.9, 1.0, nan)
    """
    if why_undefined(truth, estimate):
        return np.nan
    return rank_biased_overlap(tie_groups(truth), tie_groups(estimate), p, ties).ext


def rbo_a(truth: Scores, estimate: Scores) -> float:
    """RBO with ties "a": the mean over all ways to break them.

    >>> round(rbo_a([3, 2, 2], [3, 2, 2]), 4)
    0.9775
    """
    return rbo(truth, estimate, ties="a")


def rbo_b(truth: Scores, estimate: Scores) -> float:
    """RBO with ties "b": as "a", corrected, so that a ranking agrees with itself.

    >>> round(rbo_b([3, 2, 2], [3, 2, 2]), 10)
    1.0
    """
    return rbo(truth, estimate, ties="b")


def rbo_min(truth: Scores, estimate: Scores, p: float = 0.9) -> float:
    """The least RBO if more systems followed, a lower bound; NaN where one side is all tied.

    >>> round(rbo_min([3, 2, 1], [3, 2, 1]), 4)  # of identical rankings, and yet not 1
    0.5225
    """
    if why_undefined(truth, estimate):
        return np.nan
    return rank_biased_overlap(tie_groups(truth), tie_groups(estimate), p, "w").min


def tie_groups(scores: Scores) -> list[set[int]]:
    """The numbers of the systems, best first; those that tie are one set.

    >>> tie_groups([0.1, 0.3, 0.3])
    [{1, 2}, {0}]
    """
    values = np.asarray(scores, float)
    return [set(np.flatnonzero(values == score).tolist()) for score in np.unique(values)[::-1]]


def _flatten_ranking(ranking: Iterable[object]) -> Flat:
    tied = [list(group) if isinstance(group, Set) else [group] for group in ranking]
    items = [item for group in tied for item in group]
    place = {item: i for i, item in enumerate(items)}
    if len(place) < len(items):
        raise CranfieldError("a ranking contains an item twice")
    sizes = np.array([len(group) for group in tied], int)
    bottom = np.cumsum(sizes)
    return Flat(place, np.repeat(bottom - sizes + 1, sizes).astype(float), np.repeat(bottom, sizes).astype(float))


def _overlap(short: Flat, long: Flat, p: float, ties: Ties) -> Overlap:
    s, l = len(short), len(long)  # noqa: E741 - the paper's letters
    depth = np.arange(1.0, l + 1)
    short_shares, long_shares = _shares_within_depths(short, depth, ties), _shares_within_depths(long, depth, ties)
    common = [(place, long.place[item]) for item, place in short.place.items() if item in long.place]
    mine, other = np.array(common, int).reshape(-1, 2).T
    overlap = np.sum(short_shares[mine] * long_shares[other], axis=0)
    only_long = long_shares[np.setdiff1d(np.arange(l), other)]  # in order of rank
    unseen = np.maximum(depth - s, 0)  # how many ranks the shorter list lacks

    agreement = AGREEMENTS[ties](short_shares, long_shares, depth, s)
    share = agreement(overlap)[s - 1]
    weight, total, last = p**depth, (1 - p) / p, overlap[-1]
    extension, possible = (
        overlap + unseen * share * _mean_active(only_long),
        overlap + _sum_first_shares(only_long, unseen),
    )
    ext_below = (last + (l - s) * share) / l * p ** (l + 1) / (1 - p)
    min_below = last * (-np.log1p(-p) - np.sum(weight / depth))
    return Overlap(
        float(total * (weight @ agreement(extension) + ext_below)),
        float(total * (weight @ agreement(overlap) + min_below)),
        float(total * (weight @ agreement(possible) + _max_agreement_below(s, l, last, p))),
    )


def _mean_active(shares: Floats) -> Floats:
    """Per depth: the mean share of the items that have entered."""
    return np.asarray(np.sum(shares, axis=0) / np.maximum(np.sum(shares > 0, axis=0), 1))


def _sum_first_shares(shares: Floats, number: Floats) -> Floats:
    """Per depth: the shares of the first so many items, summed."""
    return np.asarray(np.sum(shares * (np.arange(len(shares))[:, None] < number), axis=0))


def _shares_within_depths(ranking: Flat, depth: Floats, ties: Ties) -> Floats:
    """How much of each item (row) is within each depth (column): a tie group enters at once, or bit by bit."""
    if ties == "w":
        return (depth >= ranking.top[:, None]).astype(float)
    size = (ranking.bottom - ranking.top + 1)[:, None]
    return np.clip((depth - ranking.top[:, None] + 1) / size, 0, 1)


Agreement = Callable[[Floats], Floats]


def _agreement_w(short_shares: Floats, long_shares: Floats, depth: Floats, s: int) -> Agreement:
    number = np.where(depth <= s, short_shares.sum(axis=0), depth) + long_shares.sum(axis=0)
    return lambda overlap: 2 * overlap / number


def _agreement_a(short_shares: Floats, long_shares: Floats, depth: Floats, s: int) -> Agreement:
    return lambda overlap: overlap / depth


def _agreement_b(short_shares: Floats, long_shares: Floats, depth: Floats, s: int) -> Agreement:
    squares = np.where(depth <= s, (short_shares**2).sum(axis=0), depth) * (long_shares**2).sum(axis=0)
    return lambda overlap: overlap / np.sqrt(squares)


AGREEMENTS: dict[Ties, Callable[[Floats, Floats, Floats, int], Agreement]] = {
    "w": _agreement_w,
    "a": _agreement_a,
    "b": _agreement_b,
}


def _max_agreement_below(s: int, l: int, overlap: float, p: float) -> float:  # noqa: E741 - the paper's letters
    """The weighted agreement below both lists if every further item is one that the other has shown."""
    full = round(l + s - overlap)  # the depth from which the two agree fully
    depth = np.arange(l + 1.0, full + 1)
    rising = np.sum((2 * depth - l - s + overlap) / depth * p**depth)
    return float(rising + p ** (full + 1) / (1 - p))
