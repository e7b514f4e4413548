"""ERR, expected reciprocal rank: a reader goes down the ranking until a document satisfies her."""

from __future__ import annotations

import numpy as np

from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats, Ints
from cranfield.metrics.measure import Measure


def expected_reciprocal_rank(r: Judged, max_grade: int | None = None, cutoff: int | None = None) -> Floats:
    """1 over the rank at which a reader is satisfied, as expected if each grade has its chance to satisfy.

    >>> from cranfield.metrics.examples import example
    >>> expected_reciprocal_rank(example([2, None, 2]))  # 3/4 / 1 + (1 - 3/4) * 3/4 / 3
    array([0.8125])
    >>> expected_reciprocal_rank(example([2, None, 2]), max_grade=3)  # 3/8 / 1 + (1 - 3/8) * 3/8 / 3
    array([0.453125])
    >>> expected_reciprocal_rank(example([0, 0]))
    array([0.])
    """
    hit = r.relevant(1, cutoff)
    highest = r.highest_grade if max_grade is None else max_grade
    satisfied = 2.0 ** (np.minimum(hit.grade, highest) - highest) - 2.0**-highest
    return r.sum(hit, product_above(hit.nth, 1 - satisfied) * satisfied / hit.rank)


def product_above(nth: Ints, values: Floats) -> Floats:
    """Per hit: the product of the values above it in its ranking, 1 for the first, by doubling the reach."""
    product = np.where(nth > 1, np.roll(values, 1), 1.0)
    reach = 1
    while reach < nth.max(initial=0):
        further = np.flatnonzero(nth > reach)
        product[further] *= product[further - reach]
        reach *= 2
    return product


ERR = Measure("ERR", expected_reciprocal_rank, synonyms=("err",), extremes="one way", explanation="""
ERR, expected reciprocal rank: a reader goes down the ranking until a document satisfies her.

For graded judgments where one good document is enough: a second one after a perfect one is worth little. The higher
the grade, the likelier she stops: (2^grade - 1) / 2^max_grade. It misleads where several documents are needed, and
between collections: max_grade, by default the highest grade in the judgments, scales it. Give it where the scale has
a grade that nobody assigned; a higher grade than max_grade counts as max_grade. (gdeval takes 4 always.)

Source: Chapelle, Metzler, Zhang and Grinspan, Expected reciprocal rank for graded relevance, CIKM 2009.
""")  # fmt: skip
