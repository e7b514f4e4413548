"""INSQ, inverse squares: the gain per document read of a reader who is more likely to continue the further she has"""

from __future__ import annotations

import numpy as np

from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats, Ints
from cranfield.metrics.measure import Measure


def inverse_squares(r: Judged, T: float = 1.0, max_grade: int | None = None) -> Floats:  # noqa: N803 - the paper's T
    """The gains of the retrieved documents, each weighted by the inverse square of its rank + 2T - 1.

    >>> from cranfield.metrics.examples import example
    >>> inverse_squares(example([1, None, 1])).round(4)  # (1/4 + 1/16) / (pi^2/6 - 1)
    array([0.4845])
    >>> inverse_squares(example([1, None, 1], unretrieved=[2])).round(4)  # gains of 1/2
    array([0.2423])
    """
    from scipy.special import zeta

    hit = r.relevant()
    weight = (hit.rank + 2 * T - 1.0) ** -2 / zeta(2, 2 * T)
    return r.sum(hit, weight * share_of_best(r, hit.grade, max_grade))


def share_of_best(r: Judged, grade: Ints, max_grade: int | None) -> Floats:
    """Grades divided by the highest of the scale."""
    highest = max(r.highest_grade if max_grade is None else max_grade, 1)
    return np.minimum(grade, highest) / highest


INSQ = Measure("INSQ", inverse_squares, extremes="one way", explanation="""
INSQ, inverse squares: the gain per document read of a reader who is more likely to continue the further she has
come.

A weighted precision like RBP, with a longer tail: rank i weighs 1 / (i + 2T - 1)^2, where T is how much gain she wants.
It misleads by never reaching 1 on a finite ranking, and between collections: a gain is the grade divided by max_grade,
by default the highest grade in the judgments. INST also takes into account what she has found so far.

Source: Moffat, Scholer and Thomas, Models and metrics: IR evaluation as a user process, ADCS 2012. The weights sum to 1
over all ranks, as there; cwl_eval cuts the ranks at 1000 and so gives slightly more (0.16% for T=1).
""")  # fmt: skip
