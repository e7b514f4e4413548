"""Which grades an unjudged document may get, and what they are worth to a measure."""

from __future__ import annotations

import numpy as np

from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats, Ints
from cranfield.metrics.gains import gain_of
from cranfield.metrics.measure import Measure


def worths(measure: Measure, grades: Ints) -> Floats:
    """What each grade is worth: its gain, or 1 from rel on, or itself where the measure has neither option.

    >>> from cranfield.metrics.notation.parse import parse
    >>> for name in ("P(rel=2)", "DCG(gains=exp)", "RBP", "ERR"):
    ...     print(worths(parse(name), np.arange(4)))
    [0. 0. 1. 1.]
    [0. 1. 3. 7.]
    [0. 1. 1. 1.]
    [0. 1. 2. 3.]
    """
    gains, rel = measure.options.get("gains"), measure.options.get("rel")
    if gains is not None and not (gains == "binary" and isinstance(rel, int)):
        return gain_of(grades, str(gains))
    return np.asarray(grades >= rel if isinstance(rel, int) else grades, float)


def levels(judged: Judged, measure: Measure) -> Ints:
    """One grade for each worth, the least first; up to the highest of the collection, or the measure's own if higher.

    >>> from cranfield.metrics.examples import example
    >>> from cranfield.metrics.notation.parse import parse
    >>> run = example([1, 3, None])
    >>> for name in ("P(rel=2)", "DCG(gains='1=5,2=1')", "ERR(max_grade=4)"):
    ...     print(levels(run, parse(name)))
    [0 2]
    [0 2 3 1]
    [0 1 2 3 4]
    """
    named = [measure.options.get(name) for name in ("rel", "max_grade")]
    top = max(judged.highest_grade, 1, *(grade for grade in named if isinstance(grade, int)))
    return np.unique(worths(measure, np.arange(top + 1)), return_index=True)[1]
