"""Near-duplicate runs: runs so similar that leaving one out of the pool leaves its duplicate in.

Two variants of one system cover for each other: what one contributes to the pool, the other contributes as well, so
leave-one-run-out finds nothing to lose. As one unit they are left out together. Who submitted a run does not matter
here, only what it retrieved. It misleads where runs share a first stage and differ only in reordering a few documents:
they form one cluster, though a user may see two systems.

Similarity is rank-biased overlap (p = .9) of the first ranks, averaged over topics; clustering is by average linkage.
Sources: the overlap: Webber, Moffat and Zobel, A similarity measure for indefinite rankings, TOIS 28(4), 2010, equation
32; that runs of one system cover for each other: Buckley, Dimmick, Soboroff and Voorhees, Bias and the limits of
pooling, Information Retrieval 10, 2007.
"""

import numpy as np

from cranfield.arrays.judged import ratio
from cranfield.arrays.rankings import Floats, Ints, Runs

P = 0.9
TOP = 50  # ranks considered; those below have .9^50, half a per cent, of the weight
ALIKE = 0.9


def clusters(runs: Runs, threshold: float = ALIKE) -> dict[str, list[str]]:
    """The runs by cluster, in their order; a cluster is named after its first run and how many more it has.

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
    joined = linkage(squareform(distances, checks=False), "average")
    return [int(number) for number in fcluster(joined, 1 - threshold, "distance")]


def likeness(runs: Runs, p: float = P, top: int = TOP) -> Floats:
    """Runs x runs: the mean rank-biased overlap (extrapolated) over the topics that either run answers.

    >>> from cranfield.metrics.inputs import as_runs
    >>> likeness(as_runs({"a": {"q": {"d1": 2.0, "d2": 1.0}}, "b": {"q": {"d2": 2.0, "d1": 1.0}}})).round(2).tolist()
    [[1.0, 0.9], [0.9, 1.0]]
    """
    size = len(runs.tags)
    total, topics = np.zeros((size, size)), np.zeros((size, size))
    first = runs.rows(runs.rank <= top)
    for topic in np.unique(first.topic):
        here = first.rows(first.topic == topic)
        length = np.bincount(here.run, minlength=size)
        total += _overlap(_ranks(here, size), _tops(here, size, top), length, p)
        topics += (length[:, None] > 0) | (length > 0)
    return np.asarray(ratio(total, topics, undefined=1.0))


def _tops(here: Runs, size: int, top: int) -> Ints:
    """Runs x ranks: the document at each rank, as a number among the topic's, -1 for none."""
    tops = np.full((size, top), -1)
    tops[here.run, here.rank - 1] = np.unique(here.document, return_inverse=True)[1]
    return tops


def _ranks(here: Runs, size: int) -> Ints:
    """Runs x documents of the topic: the rank of each, beyond all others where it is not retrieved."""
    documents, number = np.unique(here.document, return_inverse=True)
    ranks = np.full((size, len(documents)), np.iinfo(np.int64).max)
    ranks[here.run, number] = here.rank
    return ranks


def _overlap(ranks: Ints, tops: Ints, length: Ints, p: float) -> Floats:
    """Runs x runs: the overlap on one topic, 0 where either retrieves nothing.

    With X_d documents in common down to d, s and l the lengths of the shorter and the longer ranking:

        (1-p)/p (sum_{d=1..l} X_d/d p^d + sum_{d=s+1..l} X_s (d-s)/(s d) p^d) + ((X_l - X_s)/l + X_s/s) p^l
    """
    shorter, longer = np.minimum.outer(length, length), np.maximum.outer(length, length)
    common, at_shorter, total = np.zeros(shorter.shape), np.zeros(shorter.shape), np.zeros(shorter.shape)
    for depth in range(1, int(length.max(initial=0)) + 1):
        common = common + _joining(ranks, tops[:, depth - 1], depth)
        at_shorter = np.where(depth == shorter, common, at_shorter)
        guessed = ratio(at_shorter * np.maximum(depth - shorter, 0), shorter)
        total += np.where(depth <= longer, (common + guessed) / depth * p**depth, 0)
    tail = ratio(common - at_shorter, longer) + ratio(at_shorter, shorter)
    return np.where(shorter > 0, (1 - p) / p * total + tail * p**longer, 0.0)


def _joining(ranks: Ints, documents: Ints, depth: int) -> Floats:
    """Runs x runs: the documents that become common at this depth, given the one that each run has there."""
    there = documents >= 0
    within = (ranks[:, documents] <= depth) & there  # by the row's run, of what stands there in the column's
    same = (documents[:, None] == documents) & there
    return np.asarray(within.astype(float) + within.T - same)
