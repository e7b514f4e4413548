"""CombSUM and its family: documents by what their normalised scores in all runs amount to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from cranfield.arrays.rankings import Floats
from cranfield.pooling.candidates import Candidates
from cranfield.pooling.method import FixedOrder, Method, MethodOption, ordered
from cranfield.pooling.normalise import NORMALISATIONS, normalised

Combine = Callable[[Candidates, Floats], Floats]


def votes(topic: Candidates) -> Floats:
    """How many runs retrieved each document."""
    return np.bincount(topic.document, minlength=len(topic)).astype(float)


def median(topic: Candidates, values: Floats) -> Floats:
    """The median of each document's values: the mean of the middle two where their number is even."""
    order = values[np.lexsort((values, topic.document))]
    count = np.bincount(topic.document, minlength=len(topic))
    start = np.cumsum(count) - count
    return np.asarray((order[start + (count - 1) // 2] + order[start + count // 2]) / 2)


def extreme(topic: Candidates, values: Floats, sign: int) -> Floats:
    """The largest value of each document, or with sign -1 the smallest."""
    found: Floats = np.full(len(topic), -np.inf)
    np.maximum.at(found, topic.document, sign * values)
    return np.asarray(sign * found)


FAMILY: dict[str, tuple[str, Combine]] = {
    "combsum": ("by the sum of normalised scores", Candidates.total),
    "combmnz": ("by that sum times the number of runs that retrieved it", lambda t, values: t.total(values) * votes(t)),
    "combanz": ("by the mean of normalised scores", lambda t, values: t.total(values) / votes(t)),
    "combmed": ("by the median of normalised scores", median),
    "combmax": ("by the largest normalised score", partial(extreme, sign=1)),
    "combmin": ("by the smallest normalised score", partial(extreme, sign=-1)),
}


def combined(combine: Combine, topic: Candidates, options: Mapping[str, Any], seed: int) -> FixedOrder:
    """Documents by their combined score, ties by docno descending.

    min-max: r1 gives a 1, b .5, c 0; r2, whose scores are all equal, gives 1 to b and d.

    >>> from cranfield.pooling.examples import example, shown
    >>> topic = example({"a": 4.0, "b": 2.0, "c": 0.0}, {"b": 7.0, "d": 7.0})
    >>> {method.name: shown(topic, method.start(topic).order) for method in COMB[:3]}
    {'combsum': 'b d a c', 'combmnz': 'b d a c', 'combanz': 'd a b c'}
    >>> {method.name: shown(topic, method.start(topic).order) for method in COMB[3:]}
    {'combmed': 'd a b c', 'combmax': 'd b a c', 'combmin': 'd a b c'}
    """
    return FixedOrder(ordered(combine(topic, normalised(topic, options["norm"]))))


ABOUT_COMB = """
CombSUM and its family: documents by what their normalised scores in all runs amount to.

    SUM   the sum                       MAX   the largest
    MNZ   the sum times the number      MIN   the smallest
    ANZ   the mean                      MED   the median

over the runs that retrieved the document; a run that did not adds nothing. Good: where scores say more than ranks. Bad:
scores have to be comparable, and a run of constant scores says nothing (see `normalise`); ANZ, MIN
and MED favour what a single run retrieved. Source: Fox and Shaw, Combination of multiple searches, TREC-2, 1994; MNZ's
number is that of the runs that retrieved the document, as everybody has it since, not of non-zero scores.
"""
COMB = tuple(
    Method(
        name,
        description,
        partial(combined, combine),
        (MethodOption("norm", "min-max", "how scores are made comparable", tuple(NORMALISATIONS)),),
        source="Fox and Shaw, TREC-2, 1994",
        explanation=ABOUT_COMB,
    )
    for name, (description, combine) in FAMILY.items()
)
