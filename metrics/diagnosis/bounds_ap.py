"""The least and the greatest AP that any labels of a run's unjudged documents can give, exactly."""

from __future__ import annotations

import numpy as np

from cranfield.arrays.judged import Judged, ratio
from cranfield.arrays.rankings import Floats, Ints
from cranfield.metrics.diagnosis.unjudged_ranks import unjudged_ranks


def average_precision_bounds(
    judged: Judged, rel: int = 1, cutoff: int | None = None, depth: int | None = None
) -> tuple[Floats, Floats]:
    """Per ranking the least and the greatest AP; `depth` is how far down unjudged documents may be relevant.

    Counting unjudged documents as not relevant is no lower bound of AP: one more relevant document far down the
    ranking, or beyond the cutoff, adds more to the number of relevant documents than to the sum of precisions. For m
    relevant documents among the unjudged ones, AP is greatest if they are the topmost and least if they are the lowest,
    since moving one up moves up all precisions; so it is enough to try every m.

        AP(m) = (N + sum of what each adds) / (R + m)
        the document at rank u adds (1 + relevant above u) / u + sum of 1/v over relevant v below u

    The bounds range over the labels of this run's unjudged documents to a depth; all other unjudged documents stay not
    relevant, and more relevant documents that the run does not retrieve would lower both bounds. That AP can fall:
    Moffat and Zobel, Rank-biased precision for measurement of retrieval effectiveness, TOIS 27(1), 2008, section 4.

    >>> from cranfield.metrics.examples import example
    >>> average_precision_bounds(example([1, 1, 1, None]))  # now 1; no label of the last makes it less
    (array([1.]), array([1.]))
    >>> low, high = average_precision_bounds(example([1, None, None, None]))  # now 1, at least (1 + 2/4) / 2
    >>> low, high
    (array([0.75]), array([1.]))
    """
    unknown, hit = unjudged_ranks(judged, depth), judged.relevant(rel, cutoff)
    total, end = judged.num_relevant(rel), int(judged.retrieved.max(initial=0)) if cutoff is None else cutoff
    found = np.array(
        [
            _bounds(hit.rank[hit.ranking == i], unknown.rank[unknown.ranking == i], int(total[i]), end)
            for i in range(len(judged.retrieved))
        ]
    ).reshape(-1, 2)
    return found[:, 0], found[:, 1]


def _bounds(relevant: Ints, unknown: Ints, total: int, end: int) -> tuple[float, float]:
    """Of one ranking, from the ranks of what is relevant, within the cutoff, and of what is unjudged."""
    above = np.searchsorted(relevant, unknown)
    tail = np.append(np.cumsum((1 / relevant)[::-1])[::-1], 0.0)  # the sum of 1/v from the i-th relevant on
    counts = unknown <= end
    reciprocal = counts / unknown
    alone = (1 + above) * reciprocal + tail[above] * counts
    now = float(np.sum(np.arange(1, len(relevant) + 1) / relevant))
    downwards = alone + np.arange(len(unknown)) * reciprocal
    below = np.cumsum(reciprocal[::-1])[::-1] - reciprocal
    upwards = (alone + below * counts)[::-1]
    sizes = total + np.arange(len(unknown) + 1)
    low, high = (ratio(now + np.append(0.0, np.cumsum(adds)), sizes) for adds in (upwards, downwards))
    return float(low.min()), float(high.max())
