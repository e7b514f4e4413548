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

from cranfield.arrays.judged import ratio
from cranfield.arrays.rankings import Floats, Ints, Runs
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
    short, long = sorted((_flat(x), _flat(y)), key=len)
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
    return rank_biased_overlap(groups(truth), groups(estimate), p, ties).ext


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
    return rank_biased_overlap(groups(truth), groups(estimate), p, "w").min


def groups(scores: Scores) -> list[set[int]]:
    """The numbers of the systems, best first; those that tie are one set.

    >>> groups([0.1, 0.3, 0.3])
    [{1, 2}, {0}]
    """
    values = np.asarray(scores, float)
    return [set(np.flatnonzero(values == score).tolist()) for score in np.unique(values)[::-1]]


def _flat(ranking: Iterable[object]) -> Flat:
    tied = [list(group) if isinstance(group, Set) else [group] for group in ranking]
    items = [item for group in tied for item in group]
    place = {item: i for i, item in enumerate(items)}
    if len(place) < len(items):
        raise CranfieldError("an item is in a ranking twice")
    sizes = np.array([len(group) for group in tied], int)
    bottom = np.cumsum(sizes)
    return Flat(place, np.repeat(bottom - sizes + 1, sizes).astype(float), np.repeat(bottom, sizes).astype(float))


def _overlap(short: Flat, long: Flat, p: float, ties: Ties) -> Overlap:
    s, l = len(short), len(long)  # noqa: E741 - the paper's letters
    depth = np.arange(1.0, l + 1)
    in_short, in_long = _shares(short, depth, ties), _shares(long, depth, ties)
    common = [(place, long.place[item]) for item, place in short.place.items() if item in long.place]
    mine, other = np.array(common, int).reshape(-1, 2).T
    overlap = np.sum(in_short[mine] * in_long[other], axis=0)
    only_long = in_long[np.setdiff1d(np.arange(l), other)]  # in order of rank
    unseen = np.maximum(depth - s, 0)  # how many ranks the shorter list lacks

    agreement = AGREEMENTS[ties](in_short, in_long, depth, s)
    share = agreement(overlap)[s - 1]
    weight, total, last = p**depth, (1 - p) / p, overlap[-1]
    extension, possible = overlap + unseen * share * _mean_active(only_long), overlap + _first(only_long, unseen)
    ext_below = (last + (l - s) * share) / l * p ** (l + 1) / (1 - p)
    min_below = last * (-np.log1p(-p) - np.sum(weight / depth))
    return Overlap(
        float(total * (weight @ agreement(extension) + ext_below)),
        float(total * (weight @ agreement(overlap) + min_below)),
        float(total * (weight @ agreement(possible) + _most_below(s, l, last, p))),
    )


def _mean_active(shares: Floats) -> Floats:
    """Per depth: the mean share of the items that have entered."""
    return np.asarray(np.sum(shares, axis=0) / np.maximum(np.sum(shares > 0, axis=0), 1))


def _first(shares: Floats, number: Floats) -> Floats:
    """Per depth: the shares of the first so many items, summed."""
    return np.asarray(np.sum(shares * (np.arange(len(shares))[:, None] < number), axis=0))


def _shares(ranking: Flat, depth: Floats, ties: Ties) -> Floats:
    """How much of each item (row) is within each depth (column): a tie group enters at once, or bit by bit."""
    if ties == "w":
        return (depth >= ranking.top[:, None]).astype(float)
    size = (ranking.bottom - ranking.top + 1)[:, None]
    return np.clip((depth - ranking.top[:, None] + 1) / size, 0, 1)


Agreement = Callable[[Floats], Floats]


def _agreement_w(in_short: Floats, in_long: Floats, depth: Floats, s: int) -> Agreement:
    number = np.where(depth <= s, in_short.sum(axis=0), depth) + in_long.sum(axis=0)
    return lambda overlap: 2 * overlap / number


def _agreement_a(in_short: Floats, in_long: Floats, depth: Floats, s: int) -> Agreement:
    return lambda overlap: overlap / depth


def _agreement_b(in_short: Floats, in_long: Floats, depth: Floats, s: int) -> Agreement:
    squares = np.where(depth <= s, (in_short**2).sum(axis=0), depth) * (in_long**2).sum(axis=0)
    return lambda overlap: overlap / np.sqrt(squares)


AGREEMENTS: dict[Ties, Callable[[Floats, Floats, Floats, int], Agreement]] = {
    "w": _agreement_w,
    "a": _agreement_a,
    "b": _agreement_b,
}


def _most_below(s: int, l: int, overlap: float, p: float) -> float:  # noqa: E741 - the paper's letters
    """The weighted agreement below both lists if every further item is one that the other has shown."""
    full = round(l + s - overlap)  # the depth from which the two agree fully
    depth = np.arange(l + 1.0, full + 1)
    rising = np.sum((2 * depth - l - s + overlap) / depth * p**depth)
    return float(rising + p ** (full + 1) / (1 - p))


P = 0.9
TOP = 50  # ranks considered; those below have .9^50, half a per cent, of the weight
ALIKE = 0.9


def clusters(runs: Runs, threshold: float = ALIKE) -> dict[str, list[str]]:
    """The runs by cluster, in their order; a cluster is named after its first run and how many more it has.

    Near-duplicate runs: runs so similar that leaving one out of the pool leaves its duplicate in.

    Two variants of one system cover for each other: what one contributes to the pool, the other contributes as well, so
    leave-one-run-out finds nothing to lose. As one unit they are left out together. Who submitted a run does not matter
    here, only what it retrieved. It misleads where runs share a first stage and differ only in reordering a few
    documents: they form one cluster, though a user may see two systems.

    Similarity is rank-biased overlap (p = .9) of the first ranks, averaged over topics; clustering is by average
    linkage. Sources: the overlap: Webber, Moffat and Zobel, A similarity measure for indefinite rankings, TOIS 28(4),
    2010, equation 32; that runs of one system cover for each other: Buckley, Dimmick, Soboroff and Voorhees, Bias and
    the limits of pooling, Information Retrieval 10, 2007.

    >>> from cranfield.metrics.inputs import as_runs
    >>> near = {"q": {"d1": 3.0, "d2": 2.0, "d3": 1.0}}
    >>> clusters(as_runs({"a": near, "b": {"q": {"d9": 1.0}}, "c": near}))
    {'a +1': ['a', 'c'], 'b': ['b']}
    """
    members: dict[int, list[str]] = {}
    for tag, number in zip(runs.tags, _numbers(likeness(runs), threshold), strict=True):
        members.setdefault(number, []).append(tag)
    return {tags[0] + (f" +{len(tags) - 1}" if len(tags) > 1 else ""): tags for tags in members.values()}


def _numbers(alike: Floats, threshold: float) -> list[int]:
    """The number of each run's cluster."""
    from scipy.cluster.hierarchy import fcluster, linkage
    from scipy.spatial.distance import squareform

    if len(alike) < 2:
        return [1] * len(alike)
    distances = np.clip(1 - alike, 0, 1)
    np.fill_diagonal(distances, 0)
    tree = linkage(squareform(distances, checks=False), "average")
    return [int(number) for number in fcluster(tree, 1 - threshold, "distance")]


def likeness(runs: Runs) -> Floats:
    """Runs x runs: the mean rank-biased overlap (extrapolated) over the topics that either run answers.

    >>> from cranfield.metrics.inputs import as_runs
    >>> likeness(as_runs({"a": {"q": {"d1": 2.0, "d2": 1.0}}, "b": {"q": {"d2": 2.0, "d1": 1.0}}})).round(2).tolist()
    [[1.0, 0.9], [0.9, 1.0]]
    """
    size = len(runs.tags)
    total, topics = np.zeros((size, size)), np.zeros((size, size))
    first = runs.rows(runs.rank <= TOP)
    for topic in np.unique(first.topic):
        here = first.rows(first.topic == topic)
        length = np.bincount(here.run, minlength=size)
        total += _overlap_of_runs(_ranks(here, size), _tops(here, size), length)
        topics += (length[:, None] > 0) | (length > 0)
    return np.asarray(ratio(total, topics, undefined=1.0))


def _tops(here: Runs, size: int) -> Ints:
    """Runs x ranks: the document at each rank, as a number among the topic's, -1 for none."""
    tops = np.full((size, TOP), -1)
    tops[here.run, here.rank - 1] = np.unique(here.document, return_inverse=True)[1]
    return tops


def _ranks(here: Runs, size: int) -> Ints:
    """Runs x documents of the topic: the rank of each, beyond all others where it is not retrieved."""
    documents, number = np.unique(here.document, return_inverse=True)
    ranks = np.full((size, len(documents)), np.iinfo(np.int64).max)
    ranks[here.run, number] = here.rank
    return ranks


def _overlap_of_runs(ranks: Ints, tops: Ints, length: Ints) -> Floats:
    """Runs x runs: the overlap on one topic, 0 where either retrieves nothing.

    With X_d documents in common down to d, s and l the lengths of the shorter and the longer ranking:

        (1-p)/p (sum_{d=1..l} X_d/d p^d + sum_{d=s+1..l} X_s (d-s)/(s d) p^d) + ((X_l - X_s)/l + X_s/s) p^l
    """
    shorter, longer = np.minimum.outer(length, length), np.maximum.outer(length, length)
    common, at_shorter, total = np.zeros(shorter.shape), np.zeros(shorter.shape), np.zeros(shorter.shape)
    for depth in range(1, int(length.max(initial=0)) + 1):
        common = common + _joining(ranks, tops[:, depth - 1], depth)
        at_shorter = np.where(depth == shorter, common, at_shorter)
        guess = ratio(at_shorter * np.maximum(depth - shorter, 0), shorter)
        total += np.where(depth <= longer, (common + guess) / depth * P**depth, 0)
    tail = ratio(common - at_shorter, longer) + ratio(at_shorter, shorter)
    return np.where(shorter > 0, (1 - P) / P * total + tail * P**longer, 0.0)


def _joining(ranks: Ints, documents: Ints, depth: int) -> Floats:
    """Runs x runs: the documents that become common at this depth, given the one that each run has there."""
    there = documents >= 0
    within = (ranks[:, documents] <= depth) & there  # by the row's run, of what stands there in the column's
    same = (documents[:, None] == documents) & there
    return np.asarray(within.astype(float) + within.T - same)
