"""nDCG, normalised discounted cumulative gain: graded relevance, early ranks count most."""

from __future__ import annotations

from cranfield.arrays.judged import Judged, ratio
from cranfield.arrays.rankings import Floats
from cranfield.metrics.aliases import EXPONENTIAL, Alias, with_gains
from cranfield.metrics.measure import Measure
from cranfield.metrics.measures.dcg import discounted_gain
from cranfield.metrics.measures.idcg import ideal_discounted_gain


def normalised_discounted_gain(
    r: Judged, gains: str = "linear", cutoff: int | None = None, base: float = 2, discount: str = "burges"
) -> Floats:
    """Discounted cumulative gain, divided by that of the best ranking of the judged documents.

    >>> from cranfield.metrics.examples import example
    >>> normalised_discounted_gain(example([2, 1, 0])), normalised_discounted_gain(example([1, 2]))
    (array([1.]), array([0.8597187]))
    >>> normalised_discounted_gain(example([1, 2]), gains="exp")
    array([0.79670758])
    >>> normalised_discounted_gain(example([3, 2, 1, 2, 3])).round(2)  # 6.78 / 7.12; the ideal is 3 3 2 2 1
    array([0.95])
    >>> normalised_discounted_gain(example([3, 2, 1, 2, 3]), discount="jarvelin").round(2)  # 7.92 / 8.69
    array([0.91])
    >>> normalised_discounted_gain(example([3, 2, 3]), gains="exp").round(4)  # linear gains: 0.9778
    array([0.9595])
    >>> normalised_discounted_gain(example([3, 2, 1]), gains="1=0.2,2=0.9,3=0.5").round(4)  # the ideal is 2 3 1
    array([0.8878])
    >>> normalised_discounted_gain(example([None, 0]))
    array([0.])
    """
    options = gains, cutoff, base, discount
    return ratio(discounted_gain(r, *options), ideal_discounted_gain(r, *options))


NDCG = Measure(
    "nDCG", normalised_discounted_gain, synonyms=("ndcg", "NDCG", "ndcg_cut_{}"),
    aliases=(with_gains("ndcg"), Alias("ndcg_burges", options=EXPONENTIAL)), extremes="nDCG", explanation="""
nDCG, normalised discounted cumulative gain: graded relevance, early ranks count most.

The measure for graded judgments; nDCG@10 is what a reader of one result page gains, relative to the best page that the
judgments allow. Two different numbers go by this name: with linear gains (the grade itself; trec_eval) and with
exponential gains (2^grade - 1; much of machine learning), which nearly ignore grade 1 next to grade 3. Here the name
says which: nDCG@10 or nDCG(gains="exp")@10; gains="1=3,2=9" sets them grade by grade. The grade scale determines the
outcome, and the option rel does not exist: any grade above 0 has gain. It misleads on topics with very few relevant
documents, where one document changes it a lot. The ideal ranking is cut at the same k. A topic without relevant
documents scores 0.

Source: Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, TOIS 20(4), 2002; trec_eval's ndcg
and ndcg_cut.
""")  # fmt: skip
