"""F, van Rijsbergen's measure: precision and recall of a set in one number."""

from __future__ import annotations

from cranfield.arrays.judged import Judged, ratio
from cranfield.arrays.rankings import Floats
from cranfield.metrics.aliases import Alias
from cranfield.metrics.measure import Measure
from cranfield.metrics.measures.p import precision
from cranfield.metrics.measures.r import recall


def f_measure(r: Judged, beta: float = 1.0, rel: int = 1, cutoff: int | None = None) -> Floats:
    """The weighted harmonic mean of precision and recall.

    >>> from cranfield.metrics.examples import example
    >>> ranking = example([1, 0, 0, 0], unretrieved=[])  # P is 1/4, R is 1
    >>> f_measure(ranking), f_measure(ranking, beta=2)
    (array([0.4]), array([0.625]))
    >>> f_measure(example([1] * 9 + [0], unretrieved=[1] * 81)).round(2)  # P is 0.9, R is 0.1; their mean is 0.5
    array([0.18])
    >>> f_measure(example([0], unretrieved=[1]))
    array([0.])
    """
    p, r_ = precision(r, rel, cutoff), recall(r, rel, cutoff)
    return ratio((1 + beta**2) * p * r_, beta**2 * p + r_)


F = Measure("F", f_measure, synonyms=("set_F", "SetF"), aliases=(Alias("f1"),), extremes="one way", explanation="""
F, van Rijsbergen's measure: precision and recall of a set in one number.

For retrieval without ranks: Boolean search, filtering, classification. F(beta=2) gives recall twice the importance of
precision. It misleads for rankings, where it depends on how many documents were submitted. Beta is squared in the
formula; trec_eval's parameter of set_F is that square (set_F.4 is F(beta=2)). The mean over topics is not the F of mean
precision and mean recall.

Source: van Rijsbergen, Information Retrieval, 2nd edition, 1979, chapter 7.
""")  # fmt: skip
