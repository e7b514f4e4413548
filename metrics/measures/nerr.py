"""nERR, normalised expected reciprocal rank: ERR relative to the best ranking that the judgments allow."""

from __future__ import annotations

from cranfield.arrays.judged import Judged, ratio
from cranfield.arrays.rankings import Floats
from cranfield.metrics.measure import Measure
from cranfield.metrics.measures.err import expected_reciprocal_rank


def normalised_reciprocal_rank(r: Judged, max_grade: int | None = None, cutoff: int | None = None) -> Floats:
    """Expected reciprocal rank, divided by that of the best ranking of the judged documents.

    >>> from cranfield.metrics.examples import example
    >>> normalised_reciprocal_rank(example([0, 2])), normalised_reciprocal_rank(example([2, 0]))
    (array([0.5]), array([1.]))
    >>> normalised_reciprocal_rank(example([0]))
    array([0.])
    """
    best = expected_reciprocal_rank(r.ideal(), max_grade, cutoff)
    return ratio(expected_reciprocal_rank(r, max_grade, cutoff), r.of_topics(best))


NERR = Measure("nERR", normalised_reciprocal_rank, synonyms=("nerr",), extremes="best on top", explanation="""
nERR, normalised expected reciprocal rank: ERR relative to the best ranking that the judgments allow.

It lets a topic score 1 even if its best document has a low grade. It misleads by hiding that there was nothing good to
find. The ideal ranking is cut at the same k. Not to be confused with NERR8 to NERR11 of cwl_eval and ir_measures ("not,
but nearly" ERR), which are not normalised. max_grade is as in ERR.

Source: Chapelle, Metzler, Zhang and Grinspan, Expected reciprocal rank for graded relevance, CIKM 2009; normalised, as
in NTCIREVAL: Sakai and Song, Evaluating diversified search results using per-intent graded relevance, SIGIR 2011.
""")  # fmt: skip
