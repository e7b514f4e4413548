"""G: gains discounted by how much the best ranking had gained more by then."""

from __future__ import annotations

import numpy as np

from cranfield.arrays.judged import Judged, ratio
from cranfield.arrays.rankings import Floats
from cranfield.metrics.aliases import with_gains
from cranfield.metrics.gains import gain_of, ideal, running_sum
from cranfield.metrics.measure import Measure


def gain_by_cost(r: Judged, gains: str = "linear") -> Floats:
    """The gains, each over log2(2 + what the best ranking had gained more), divided by all there is to gain.

    >>> from cranfield.metrics.examples import example
    >>> gain_by_cost(example([3, 1])), gain_by_cost(example([0, 1]))  # as good as it gets; 1 / log2(2 + 2 - 1)
    (array([1.]), array([0.63092975]))
    >>> gain_by_cost(example([1, 2, 3])).round(2), gain_by_cost(example([1, 3, 2])).round(2)
    (array([0.75]), array([0.73]))
    >>> gain_by_cost(example([0]))
    array([0.])
    """
    hit, best = r.judged(), ideal(r, gains)
    gain = gain_of(hit.grade, gains)
    topic = r.topic[hit.ranking]
    cost = best.first(np.maximum(best.gain, 1.0), topic, hit.rank) + np.maximum(hit.rank - best.sizes[topic], 0)
    got = running_sum(hit.ranking, gain)
    return ratio(r.sum(hit, gain / np.log2(2 + cost - got)), r.of_topics(best.sum(best.gain)))


G = Measure("G", gain_by_cost, synonyms=(), aliases=(with_gains("G"),), explanation="""
G: gains discounted by how much the best ranking had gained more by then.

The graded binG: the discount of a document is not of its rank but of its cost, the gain that the best ranking would
have had by then (at least 1 per rank), less the gain that this one has. Experimental in trec_eval, and it misleads:
moving a better document up can lower it (grades 1 2 3 score .75, grades 1 3 2 score .73), and the cost grows with the
scale of grades. Not to be confused with DCG.

Source: trec_eval's G.
""")  # fmt: skip
