"""AP11, eleven-point average precision: the mean of the interpolated precisions at recall 0, .1, ... 1."""

from __future__ import annotations

import numpy as np

from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats
from cranfield.metrics.aliases import NUMBERS, Alias, points
from cranfield.metrics.measure import Measure
from cranfield.metrics.measures.iprec import interpolated_precision

RECALL_POINTS = tuple(point / 10 for point in range(11))


def eleven_point_precision(r: Judged, points: str | None = None, rel: int = 1, rule: str = "trec_eval") -> Floats:
    """The mean of interpolated precision at the eleven recall points 0, 0.1, ... 1.

    >>> from cranfield.metrics.examples import example
    >>> eleven_point_precision(example([1, 0, 0, 1]))  # 1 up to recall .7, then 2/4
    array([0.86363636])
    >>> eleven_point_precision(example([1, 0, 0, 1]), points="0.5,1")
    array([0.75])
    >>> ranking = example([1, 0, 1, 0, 0, 1])  # (4 * 1 + 3 * 2/3 + 4 * 1/2) / 11 by the exact rule
    >>> eleven_point_precision(ranking, rule="exact").round(4), eleven_point_precision(ranking).round(4)
    (array([0.7273]), array([0.7879]))
    """
    at = RECALL_POINTS if points is None else [float(point) for point in points.split(",")]
    return np.asarray(np.mean([interpolated_precision(r, point, rel, rule) for point in at], axis=0))


AP11 = Measure(
    "AP11", eleven_point_precision, synonyms=("11pt_avg",), aliases=(Alias("11pt_avg", NUMBERS, points),),
    extremes="best on top", explanation="""
AP11, eleven-point average precision: the mean of the interpolated precisions at recall 0, .1, ... 1.

The measure of the eighties and of the first TRECs, for comparison with papers of that time. It misleads as IPrec does,
and interpolation flatters: it is higher than AP. IPrec's two rules differ in which document reaches a recall point:
trec_eval's, the default, and the textbooks', AP11(rule="exact"). AP11(points="0.25,0.5,0.75") averages over other
points (the three-point average of the same time), which is another number. Not to be confused with AP, which took its
place.

Source: Salton and McGill, Introduction to Modern Information Retrieval, 1983; trec_eval's 11pt_avg.
""")  # fmt: skip
