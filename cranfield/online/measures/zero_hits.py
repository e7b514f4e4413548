"""ZeroHits: the share of lists without a document."""

from __future__ import annotations

import numpy as np

from cranfield.arrays.interactions import Interactions

from cranfield.online.measures.measure import Counts, OnlineMeasure, share


def zero_hits(log: Interactions, cutoff: int | None) -> Counts:
    """The share of lists without a document.

    >>> from cranfield.arrays.interactions import example
    >>> zero_hits(example("abc:a", ":"), None).total
    array([0., 1.])
    """
    return share(np.logical_and(log.length == 0, log.first == 0))


ZERO_HITS = OnlineMeasure("ZeroHits", zero_hits, "worse", explanation="""
ZeroHits: the share of lists without a document.

What a search engine can fix first: these queries, by `--by query`, are where users get nothing. An empty later page is
not counted as one.

Source: Kohavi, Tang and Xu, Trustworthy Online Controlled Experiments, Cambridge University Press 2020.
""")  # fmt: skip
