"""gMAP, geometric mean average precision: how a system does on its worst topics."""

from __future__ import annotations

from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats
from cranfield.metrics.measure import Measure
from cranfield.metrics.measures.ap import average_precision


def geometric_average_precision(r: Judged, rel: int = 1, cutoff: int | None = None) -> Floats:
    """Average precision, with the topics averaged geometrically.

    >>> from cranfield.metrics.examples import example
    >>> geometric_average_precision(example([1, 1]))
    array([1.])

    A measure per topic; over topics with AP 1.0, 0.5 and 0.1, where MAP is 0.53:

    >>> from cranfield.metrics.evaluate import evaluate
    >>> docnos = [f"d{rank:02}" for rank in range(10)]
    >>> run = {qid: {docno: -float(rank) for rank, docno in enumerate(docnos)} for qid in "123"}
    >>> evaluate(run, {"1": {"d00": 1}, "2": {"d01": 1}, "3": {"d09": 1}}, ["gMAP", "AP"]).round(2)
       run measure  value
    0  run    gMAP   0.37
    1  run      AP   0.53
    """
    return average_precision(r, rel, cutoff)


GMAP = Measure(
    "gMAP", geometric_average_precision, synonyms=("gm_map", "GMAP"), aggregate="geometric mean",
    extremes="average precision", explanation="""
gMAP, geometric mean average precision: how a system does on its worst topics.

Per topic it is AP; the topics are averaged geometrically, so doubling AP from .01 to .02 counts as much as from .3 to
.6. Use it where no topic may fail. It misleads on few topics and on incomplete judgments: it depends on values near 0,
and on the floor of .00001 that stands for them. Not to be confused with MAP, which good topics dominate.

Source: Robertson, On GMAP - and other transformations, CIKM 2006; trec_eval's gm_map.
""")  # fmt: skip
