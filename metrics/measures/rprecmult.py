"""RprecMult@x: precision at rank x R, where R is the number of relevant documents."""

from __future__ import annotations

import numpy as np

from cranfield.arrays.judged import Judged, ratio
from cranfield.arrays.rankings import Floats
from cranfield.metrics.measure import Measure


def r_precision_multiple(r: Judged, mult: float, rel: int = 1) -> Floats:
    """The share of relevant documents at rank x R, where R is how many the topic has.

    >>> from cranfield.metrics.examples import example
    >>> ranking = example([1, 0, 0, 1], unretrieved=[1, 1])  # R is 4
    >>> r_precision_multiple(ranking, 0.5), r_precision_multiple(ranking, 2.0)
    (array([0.5]), array([0.25]))
    >>> r_precision_multiple(example([0]), 1.0)
    array([0.])
    """
    target = np.trunc(mult * r.num_relevant(rel) + 0.9)
    hit = r.relevant(rel)
    return ratio(r.sum(hit, hit.rank <= target[hit.ranking]), target)


RPRECMULT = Measure(
    "RprecMult", r_precision_multiple, synonyms=("Rprec_mult_{}", "Rprec_mult"), at="mult", extremes="best on top",
    explanation="""
RprecMult@x: precision at rank x R, where R is the number of relevant documents.

Rprec read before (x < 1) and after (x > 1) its own rank, so that topics with few and with many relevant documents share
a scale: a precision curve in units of R. The rank is x times R, rounded up (trunc(x R + .9), as in trec_eval). It
misleads beyond x = 1, where it cannot reach 1, and on topics with very few relevant documents, where neighbouring
points fall on the same rank. Beyond the end of a ranking it still divides by that rank. RprecMult@1 is Rprec.

Source: trec_eval's Rprec_mult.
""")  # fmt: skip
