"""NumNonrelRet: the number of retrieved documents that were judged not relevant."""

from __future__ import annotations

from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats
from cranfield.metrics.measure import Measure


def num_nonrelevant_retrieved(r: Judged, rel: int = 1) -> Floats:
    """The retrieved documents that were judged, and judged not relevant.

    >>> from cranfield.metrics.examples import example
    >>> num_nonrelevant_retrieved(example([1, None, -1, 0], unretrieved=[0]))
    array([1.])
    """
    return r.sum(r.as_trec_eval().judged()) - r.sum(r.relevant(rel))


NUMNONRELRET = Measure(
    "NumNonrelRet", num_nonrelevant_retrieved, synonyms=("num_nonrel_judged_ret",), range=(0.0, float("inf")),
    aggregate="sum", tells_unjudged=True, explanation="""
NumNonrelRet: the number of retrieved documents that were judged not relevant.

NumRet less NumRelRet and NumNonrelRet is the number of unjudged documents; as in trec_eval, no negative grade is a
judgment. It misleads as a sign of a bad run: it grows with the length of a ranking and with the number of judgments.

Source: trec_eval's num_nonrel_judged_ret.
""")  # fmt: skip
