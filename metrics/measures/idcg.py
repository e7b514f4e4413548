"""IDCG, ideal discounted cumulative gain: the DCG of the best ranking that the judgments allow."""

from __future__ import annotations

from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats
from cranfield.metrics.aliases import with_gains
from cranfield.metrics.gains import ideal
from cranfield.metrics.measure import Measure
from cranfield.metrics.measures.dcg import logarithm


def ideal_discounted_gain(
    r: Judged, gains: str = "linear", cutoff: int | None = None, base: float = 2, discount: str = "burges"
) -> Floats:
    """The discounted cumulative gain of all judged documents by descending gain.

    >>> from cranfield.metrics.examples import example
    >>> ideal_discounted_gain(example([0, 1, None], unretrieved=[2]))  # 2/1 + 1/log2(3)
    array([2.63092975])
    >>> ideal_discounted_gain(example([1, 2, 3]), gains="1=0.5,2=0.9,3=0.2", cutoff=1)
    array([0.9])
    """
    best = ideal(r, gains)
    seen = best.rank <= (len(best.rank) if cutoff is None else cutoff)
    return r.of_topics(best.sum(seen * best.gain / logarithm(best.rank, base, discount)))


IDCG = Measure(
    "IDCG", ideal_discounted_gain, synonyms=("ideal_dcg",), range=(0.0, float("inf")),
    aliases=(with_gains("ideal_dcg"),), extremes="one way", explanation="""
IDCG, ideal discounted cumulative gain: the DCG of the best ranking that the judgments allow.

What nDCG divides by; a fact of the topic, the same for every run. It shows which topics dominate a mean of DCG, and
where nDCG depends on one document. It misleads as every ideal does: it is the best of what was judged, not of what
exists.

Source: Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, TOIS 20(4), 2002; trec_eval's
ideal_dcg. (trec_eval sorts gains that differ by less than 1 as if they were equal, and so finds less than the best.)
""")  # fmt: skip
