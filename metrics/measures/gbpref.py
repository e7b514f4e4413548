"""gBpref: Bpref, with the topics averaged geometrically."""

from __future__ import annotations

from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats
from cranfield.metrics.measure import Measure
from cranfield.metrics.measures.bpref import binary_preference


def geometric_binary_preference(r: Judged, rel: int = 1) -> Floats:
    """Binary preference, with the topics averaged geometrically.

    >>> from cranfield.metrics.examples import example
    >>> geometric_binary_preference(example([None, 1, 0]))
    array([1.])
    """
    return binary_preference(r, rel)


GBPREF = Measure(
    "gBpref", geometric_binary_preference, synonyms=("gm_bpref",), aggregate="geometric mean", tells_unjudged=True,
    condenses=True, explanation="""
gBpref: Bpref, with the topics averaged geometrically.

How a system does on its worst topics, by a measure that looks at judged documents only. It misleads doubly where
judgments are few: as Bpref does, and because the floor of .00001 decides how much a topic at 0 weighs.

Source: trec_eval's gm_bpref; Robertson, On GMAP - and other transformations, CIKM 2006, for the mean.
""")  # fmt: skip
