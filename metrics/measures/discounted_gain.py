"""Gains of graded documents, discounted by rank or cost, alone or relative to an ideal ranking."""

import numpy as np

from cranfield.arrays.judged import Judged, ratio
from cranfield.arrays.rankings import Floats, Ints
from cranfield.metrics.measure import Measure
from cranfield.metrics.measures.reading import share_of_best
from cranfield.metrics.options import EXPONENTIAL, Alias, Ideal, gain_of, gains_alias, ideal, running_sum


def discounted_gain(
    r: Judged, gains: str = "linear", cutoff: int | None = None, base: float = 2, discount: str = "burges"
) -> Floats:
    """The gains of the retrieved documents, each divided by the logarithm of its rank + 1.

    >>> from cranfield.metrics.examples import example
    >>> discounted_gain(example([2, None, 1, 0]))  # 2/1 + 1/2
    array([2.5])
    >>> discounted_gain(example([2, None, 1, 0]), gains="exp")  # 3/1 + 1/2
    array([3.5])
    >>> discounted_gain(example([3, 2, 1, 2, 3])).round(2)  # 3 + 2/1.58 + 1/2 + 2/2.32 + 3/2.58
    array([6.78])
    >>> discounted_gain(example([3, 2, 1, 2, 3]), discount="jarvelin").round(2)  # 3 + 2/1 + 1/1.58 + 2/2 + 3/2.32
    array([7.92])
    """
    hit = r.judged(cutoff)
    return r.sum(hit, gain_of(hit.grade, gains) / rank_discount(hit.rank, base, discount))


def rank_discount(rank: Ints, base: float, discount: str) -> Floats:
    """What gains are divided by: log(rank + 1) after Burges, or after Järvelin log(rank), where that is above 1.

    >>> rank_discount(np.arange(1, 5), 2, "jarvelin").round(2), rank_discount(np.arange(1, 4), 4, "burges").round(2)
    (array([1.  , 1.  , 1.58, 2.  ]), array([0.5 , 0.79, 1.  ]))
    """
    if discount == "jarvelin":
        return np.asarray(np.maximum(np.log2(rank) / np.log2(base), 1.0))
    return np.asarray(np.log2(rank + 1) / np.log2(base))


DCG = Measure(
    "DCG", discounted_gain, synonyms=("dcg",), range=(0.0, float("inf")),
    aliases=(gains_alias("dcg"), Alias("dcg_burges", options=EXPONENTIAL)), extremes="one way", difference="sum",
    explanation="""
DCG, discounted cumulative gain: the gain of a reader whose patience falls with the logarithm of the rank.

The sum behind nDCG, not normalised. It misleads in a mean, which topics with many relevant documents dominate. The gain
of a grade is the grade itself, 2^grade - 1 with gains="exp", or as listed: with gains="1=3,2=9" grades not in the list
keep their number. The discount is log2(rank + 1), so that rank 1 counts in full. The first paper does not discount
ranks up to the base of its logarithm, and divides by the logarithm of the rank from there on: DCG(discount="jarvelin"),
another number under the same name, where a larger base is a more patient reader; with the discount of rank + 1 the base
only changes the unit.

Source: Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, TOIS 20(4), 2002; exponential
gains: Burges et al., Learning to rank using gradient descent, ICML 2005.
""")  # fmt: skip


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
    return r.spread_topics(r.cached(_share_of_best, gains, cutoff, base, discount))


def _share_of_best(r: Judged, gains: str, cutoff: int | None, base: float, discount: str) -> Floats:
    best = ideal(r, gains)
    within = best.rank <= (len(best.rank) if cutoff is None else cutoff)
    return best.sum(within * best.gain / rank_discount(best.rank, base, discount))


IDCG = Measure(
    "IDCG", ideal_discounted_gain, synonyms=("ideal_dcg",), range=(0.0, float("inf")),
    aliases=(gains_alias("ideal_dcg"),), extremes="one way", explanation="""
IDCG, ideal discounted cumulative gain: the DCG of the best ranking that the judgments allow.

What nDCG divides by; a fact of the topic, the same for every run. It shows which topics dominate a mean of DCG, and
where nDCG depends on one document. It misleads as every ideal does: it is the best of what was judged, not of what
exists.

Source: Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, TOIS 20(4), 2002; trec_eval's
ideal_dcg. (trec_eval sorts gains that differ by less than 1 as if they were equal, and so finds less than the best.)
""")  # fmt: skip


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
    aliases=(gains_alias("ndcg"), Alias("ndcg_burges", options=EXPONENTIAL)), extremes="nDCG", explanation="""
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


def ndcg_at_relevant(r: Judged, gains: str = "linear") -> Floats:
    """The nDCG at the rank of each document with a gain, averaged over all such documents of the topic.

    >>> from cranfield.metrics.examples import example
    >>> ndcg_at_relevant(example([1, 0, 1])).round(4)  # 1, and (1/1 + 1/2) / (1/1 + 1/log2(3))
    array([0.9599])
    >>> ndcg_at_relevant(example([1, 0], unretrieved=[1])).round(4)  # 1, and (1/1) / (1/1 + 1/log2(3))
    array([0.8066])
    >>> ndcg_at_relevant(example([0]))
    array([0.])
    """
    hit, best = r.judged(), ideal(r, gains)
    gain = gain_of(hit.grade, gains)
    dcg = running_sum(hit.ranking, gain / np.log2(hit.rank + 1))
    best_gain = best.gain / np.log2(best.rank + 1)
    ndcg = ratio(dcg, best.first(best_gain, r.topic[hit.ranking], hit.rank))
    relevant = gain > 0
    final_gain = ratio(discounted_gain(r, gains), r.spread_topics(best.sum(best_gain)))
    missing = best.sizes[r.topic] - r.sum(hit, relevant)
    return ratio(r.sum(hit, np.where(relevant, ndcg, 0.0)) + missing * final_gain, best.sizes[r.topic])


NDCGREL = Measure(
    "nDCGrel", ndcg_at_relevant, synonyms=("ndcg_rel",), aliases=(gains_alias("ndcg_rel"),),
    extremes="best on top, equal gains", explanation="""
nDCGrel: nDCG at every relevant document, averaged over them.

To nDCG what AP is to precision: no cutoff has to be chosen, since each relevant document is one. It misleads as AP does
where judgments are few, and it favours short rankings: relevant documents that were not retrieved count with the nDCG
of the whole ranking, not with 0. As in nDCG, a document with a gain is relevant; there is no option rel. Not to be
confused with RnDCG.

Source: trec_eval's ndcg_rel.
""")  # fmt: skip


def ndcg_at_grades(r: Judged, gains: str = "linear") -> Floats:
    """The nDCG after the last document of each grade in the best ranking, averaged.

    >>> from cranfield.metrics.examples import example
    >>> ndcg_at_grades(example([1, 2])).round(4)  # at rank 1: 1/2; at rank 2: (1 + 2/log2(3)) / (2 + 1/log2(3))
    array([0.6799])
    >>> ndcg_at_grades(example([0, 1])).round(4)  # at rank 1: 0; the end is too near to count
    array([0.])
    >>> ndcg_at_grades(example([0, 1, 0])).round(4)  # at rank 1: 0; at the end: 1/log2(3)
    array([0.3155])
    """
    best = ideal(r, gains)
    size = best.sizes[r.topic]
    ends = [ranks[r.topic] for ranks in _last_gain_ranks(best)]
    values = np.array([np.where(end > 0, _ndcg(r, best, gains, end), 0.0) for end in ends]).reshape(-1, len(size))
    beyond = r.retrieved > size + 1
    total = values.sum(axis=0) + np.where(beyond, _ndcg(r, best, gains, r.retrieved), 0.0)
    count = np.sum([end > 0 for end in ends], axis=0) + beyond
    return ratio(total, count)


def _last_gain_ranks(best: Ideal) -> list[Ints]:
    """For the first, second, ... gain of each topic: the rank of its last document, 0 where there is no such gain."""
    last = np.append((np.diff(best.gain) != 0) | (np.diff(best.topic) != 0), True)[: len(best.gain)]
    topic, rank = best.topic[last], best.rank[last]
    nth = np.arange(len(topic)) - np.searchsorted(topic, topic)
    ends = np.zeros((int(nth.max(initial=-1)) + 1, len(best.sizes)), np.int64)
    ends[nth, topic] = rank
    return list(ends)


def _ndcg(r: Judged, best: Ideal, gains: str, cutoff: Ints) -> Floats:
    """nDCG with a cutoff for each ranking."""
    hit = r.judged()
    within = hit.rank <= cutoff[hit.ranking]
    dcg = r.sum(hit, within * gain_of(hit.grade, gains) / np.log2(hit.rank + 1))
    return ratio(dcg, best.first(best.gain / np.log2(best.rank + 1), r.topic, cutoff))


RNDCG = Measure(
    "RnDCG", ndcg_at_grades, synonyms=("Rndcg",), aliases=(gains_alias("Rndcg"),), extremes="best on top",
    explanation="""
RnDCG: nDCG at the ranks where the best ranking goes from one grade to the next, averaged.

To nDCG what Rprec is to precision: it is read where a perfect ranking would have all documents of the highest grade,
then all of the two highest, and so on; and at the end of the ranking, where that lies beyond. It misleads between
collections: the number of grades decides where it is read. Not to be confused with nDCG at rank R.

Source: trec_eval's Rndcg.
""")  # fmt: skip


def binary_gain(r: Judged, rel: int = 1) -> Floats:
    """1 / log2(2 + the others above it) of each relevant document, averaged over all relevant documents of the topic.

    >>> from cranfield.metrics.examples import example
    >>> binary_gain(example([1, 1])), binary_gain(example([None, 0, 1], unretrieved=[1]))  # 1/2 of one, 0 of the other
    (array([1.]), array([0.25]))
    """
    hit = r.relevant(rel)
    return ratio(r.sum(hit, 1 / np.log2(2 + hit.rank - hit.nth)), r.num_relevant(rel))


BING = Measure("binG", binary_gain, synonyms=(), extremes="best on top", explanation="""
binG: each relevant document is discounted by the number of other documents above it.

A discounted gain that is stable over topics: the discount is not of the rank but of the documents read in vain, so the
second of two relevant documents at the top counts as much as the first, and a perfect ranking scores 1 however many
there are. It misleads at late ranks, which it hardly distinguishes. Grades above rel count alike; see G for graded
gains. Not to be confused with nDCG of binary gains.

Source: trec_eval's binG.
""")  # fmt: skip


def gain_by_cost(r: Judged, gains: str = "linear") -> Floats:
    """The gains, each over log2(2 + what the best ranking had gained more), divided by all there is to gain.

    >>> from cranfield.metrics.examples import example
    >>> gain_by_cost(example([3, 1])), gain_by_cost(example([0, 1]))  # as good as it gets; 1 / log2(2 + 2 - 1)
    (array([1.]), array([0.63092975]))
    >>> gain_by_cost(example([1, 2, 3])).round(2), gain_by_cost(example([1, 3, 2])).round(2)
    (array([0.75]), array([0.73]))
    >>> gain_by_cost(example([0]))
    array([0.])
    """
    hit, best = r.judged(), ideal(r, gains)
    gain = gain_of(hit.grade, gains)
    topic = r.topic[hit.ranking]
    cost = best.first(np.maximum(best.gain, 1.0), topic, hit.rank) + np.maximum(hit.rank - best.sizes[topic], 0)
    total = running_sum(hit.ranking, gain)
    return ratio(r.sum(hit, gain / np.log2(2 + cost - total)), r.spread_topics(best.sum(best.gain)))


G = Measure("G", gain_by_cost, synonyms=(), aliases=(gains_alias("G"),), explanation="""
G: gains discounted by how much the best ranking had gained more by then.

The graded binG: the discount of a document is not of its rank but of its cost, the gain that the best ranking would
have had by then (at least 1 per rank), less the gain that this one has. Experimental in trec_eval, and it misleads:
moving a better document up can lower it (grades 1 2 3 score .75, grades 1 3 2 score .73), and the cost grows with the
scale of grades. Not to be confused with DCG.

Source: trec_eval's G.
""")  # fmt: skip


def cumulative_gain(r: Judged, gains: str = "linear", cutoff: int | None = None) -> Floats:
    """The gains of the retrieved documents, whatever their ranks.

    >>> from cranfield.metrics.examples import example
    >>> cumulative_gain(example([3, 2, None, -1, 1])), cumulative_gain(example([3, 2, None, -1, 1]), cutoff=2)
    (array([6.]), array([5.]))
    """
    hit = r.judged(cutoff)
    return r.sum(hit, gain_of(hit.grade, gains))


CG = Measure("CG", cumulative_gain, range=(0.0, float("inf")), extremes="one way", difference="sum", explanation="""
CG, cumulative gain: the grades of the first k documents, added up.

The gain of a reader who reads all k, whatever their order. It misleads wherever the order matters, and in a mean, which
topics with many relevant documents dominate. DCG discounts by rank, nDCG also divides by the best possible.

Source: Järvelin and Kekäläinen, IR evaluation methods for retrieving highly relevant documents, SIGIR 2000.
""")  # fmt: skip


BLOCK = 1 << 20  # ranks whose discounts are in memory at a time


def scaled_discounted_gain(r: Judged, cutoff: int, max_grade: int | None = None) -> Floats:
    """The discounted gains of the first k documents, divided by those of k documents of the best grade.

    >>> from cranfield.metrics.examples import example
    >>> scaled_discounted_gain(example([2, None, 1]), cutoff=3).round(4)  # (1 + 1/2 * 1/2) / (1 + 0.6309 + 1/2)
    array([0.5866])
    >>> scaled_discounted_gain(example([2, None, 1]), cutoff=3, max_grade=4).round(4)
    array([0.2933])
    """
    hit = r.relevant_hits(cutoff)
    gain = share_of_best(r, hit.grade, max_grade)
    best = sum(
        (1 / np.log2(np.arange(rank, min(rank + BLOCK, cutoff + 2)))).sum() for rank in range(2, cutoff + 2, BLOCK)
    )
    return np.asarray(r.sum(hit, gain / np.log2(hit.rank + 1)) / best)


SDCG = Measure("SDCG", scaled_discounted_gain, extremes="one way", explanation="""
SDCG@k, scaled discounted cumulative gain: DCG divided by that of k documents of the best grade.

nDCG without the ideal ranking of the topic: all topics share one scale, and their relevant documents need not be known.
It misleads as an absolute number, since a topic with fewer best documents than k cannot reach 1; and between
collections, since a gain is the grade divided by max_grade, by default the highest grade in the judgments. The discount
is log2(rank + 1). cwl_eval calls it NDCG.

Source: Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, TOIS 20(4), 2002; scaled as in
Azzopardi, Thomas and Moffat, cwl_eval: an evaluation tool for information retrieval, SIGIR 2019, and in ir_measures.
""")  # fmt: skip
