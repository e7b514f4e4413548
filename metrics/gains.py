"""What a grade is worth, and the best ranking that the judgments of a topic allow."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats, Ints


def gain_of(grade: Ints, gains: str) -> Floats:
    """The gain of each grade; a negative grade (unjudged) and grade 0 have none.

    Gains are "linear" (the grade itself), "exp" (2^grade - 1), "binary" (1 from grade 1 on), or a list such as
    "1=3,2=9", where grades not in the list keep their own number.

    >>> grades = np.array([-1, 0, 1, 2, 3])
    >>> gain_of(grades, "linear").tolist(), gain_of(grades, "exp").tolist(), gain_of(grades, "1=3,2=9").tolist()
    ([0.0, 0.0, 1.0, 2.0, 3.0], [0.0, 0.0, 1.0, 3.0, 7.0], [0.0, 0.0, 3.0, 9.0, 3.0])
    """
    level = np.maximum(grade, 0)
    if gains == "exp":
        return np.asarray(2.0**level - 1)
    gain = np.minimum(level, 1.0) if gains == "binary" else level.astype(float)
    for named, worth in pairs(gains):
        gain[grade == named] = worth
    return gain


def pairs(gains: str) -> list[tuple[int, float]]:
    r"""The grades that a list of gains names, ascending, with their gains.

    >>> pairs("2=9, 1=.5"), pairs("exp"), pairs("\x1c1=2")
    ([(1, 0.5), (2, 9.0)], [], [(1, 2.0)])
    """
    written = (part.split("=") for part in gains.split(",")) if "=" in gains else ()
    return sorted((int(grade.strip()), float(gain.strip())) for grade, gain in written)


def listed(gains: object) -> str:
    """Gains as text; a dict of them as a list.

    >>> listed({0: 1, 1: 4}), listed("exp")
    ('0=1,1=4', 'exp')
    """
    if isinstance(gains, Mapping):
        return ",".join(f"{grade}={gain}" for grade, gain in gains.items())
    return str(gains)


class Ideal(NamedTuple):
    """The best ranking of each topic: its positive gains in descending order, one row each."""

    topic: Ints
    rank: Ints
    gain: Floats
    sizes: Ints  # per topic

    def sum(self, values: Floats) -> Floats:
        """Per topic: the sum of values over its rows."""
        return np.bincount(self.topic, values, minlength=len(self.sizes)).astype(float, copy=False)

    def first(self, values: Floats, topic: Ints, rank: Ints) -> Floats:
        """The sum of values over the first `rank` rows of a topic, or over all where it has fewer."""
        start = np.cumsum(self.sizes) - self.sizes
        so_far = np.append(running_sum(self.topic, values), 0.0)
        last = start[topic] + np.minimum(rank, self.sizes[topic]) - 1
        return np.where(self.sizes[topic] > 0, so_far[last], 0.0)


def ideal(r: Judged, gains: str) -> Ideal:
    """The best rankings of the topics; judged documents without a gain are left out.

    >>> from cranfield.metrics.examples import example
    >>> ideal(example([0, 1, 3, None], unretrieved=[2]), "1=0.9,2=0.5").gain
    array([3. , 0.9, 0.5])
    """
    gain = gain_of(r.qrels_grade, gains)
    order = np.lexsort((-gain, r.qrels_topic))
    order = order[gain[order] > 0]
    topic = r.qrels_topic[order]
    rank = np.arange(len(topic)) - np.searchsorted(topic, topic) + 1
    return Ideal(topic, rank, gain[order], np.bincount(topic, minlength=len(r.qids)))


def running_sum(group: Ints, values: Floats) -> Floats:
    """The sum so far within each stretch of equal groups, added up one by one.

    >>> running_sum(np.array([0, 0, 2]), np.array([1.0, 2.0, 5.0]))
    array([1., 3., 5.])
    """
    starts = np.flatnonzero(np.diff(group, prepend=-1))
    parts = [np.cumsum(part) for part in np.split(values, starts[1:])]
    return np.concatenate(parts) if parts else values
