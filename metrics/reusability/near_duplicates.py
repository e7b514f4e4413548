"""Near-duplicate runs: runs that share most of the documents that they gave to the pool."""

from __future__ import annotations

import numpy as np

from cranfield.arrays.rankings import Floats, Runs

MIN_SHARE = 0.9


def cluster_near_duplicates(runs: Runs, depth: int, min_share: float = MIN_SHARE) -> dict[str, list[str]]:
    """Group the runs that share most of their first documents.

    Two variants of a system cover for each other: what one contributes to the pool, the other contributes as well, so
    leaving out one of them loses nothing. As one unit they are left out together. Runs that are linked by a chain of
    near-duplicates form one cluster.

    Parameters
    ----------
    runs : Runs
        The pooled runs.
    depth : int
        Number of documents per topic that are compared, from 1: the depth of the pool.
    min_share : float, default 0.9
        Share of the documents, of all topics together, that two near-duplicates have in common.

    Returns
    -------
    dict of str to list of str
        The tags of each cluster, in the order of the runs. A cluster has the name of its first run, and the number of
        the others after it.

    References
    ----------
    That runs of one system cover for each other: Buckley, Dimmick, Soboroff and Voorhees, Bias and the limits of
    pooling, Information Retrieval 10, 2007.

    Examples
    --------
    >>> from cranfield.metrics.inputs import as_runs
    >>> near = {"q": {"d1": 3.0, "d2": 2.0, "d3": 1.0}}
    >>> cluster_near_duplicates(as_runs({"a": near, "b": {"q": {"d9": 1.0}}, "c": near}), 3)
    {'a +1': ['a', 'c'], 'b': ['b']}
    """
    from scipy.sparse.csgraph import connected_components

    if not runs.tags:
        return {}
    numbers = connected_components(shared_document_shares(runs, depth) >= min_share, directed=False)[1]
    members: dict[int, list[str]] = {}
    for tag, number in zip(runs.tags, numbers.tolist(), strict=True):
        members.setdefault(number, []).append(tag)
    return {tags[0] + (f" +{len(tags) - 1}" if len(tags) > 1 else ""): tags for tags in members.values()}


def shared_document_shares(runs: Runs, depth: int) -> Floats:
    """The share of their first documents that each two runs have in common.

    Parameters
    ----------
    runs : Runs
        The runs.
    depth : int
        Number of documents per topic that are compared, from 1.

    Returns
    -------
    array of float, shape (runs, runs)
        Documents in common, of all topics together, divided by the documents of the run that has more; 0 where a run
        has none, 1 on the diagonal.

    Examples
    --------
    >>> from cranfield.metrics.inputs import as_runs
    >>> both = as_runs({"a": {"q": {"d1": 2.0, "d2": 1.0}}, "b": {"q": {"d2": 2.0, "d3": 1.0}}})
    >>> shared_document_shares(both, 2).tolist()
    [[1.0, 0.5], [0.5, 1.0]]
    """
    from scipy.sparse import csr_array

    first = runs.rank <= depth
    run, topic, document = runs.run[first], runs.topic[first], runs.document[first]
    pair = np.unique(topic * (int(document.max(initial=0)) + 1) + document, return_inverse=True)[1]
    retrieved = csr_array((np.ones(len(run)), (run, pair)), shape=(len(runs.tags), int(pair.max(initial=-1)) + 1))
    common = (retrieved @ retrieved.T).toarray()
    sizes = np.diag(common)
    shares = common / np.maximum(np.maximum.outer(sizes, sizes), 1)
    np.fill_diagonal(shares, 1.0)
    return np.asarray(shares)
