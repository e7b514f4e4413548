"""Gains of graded documents, discounted by rank or cost, alone or relative to an ideal ranking."""

import numpy as np

from cranfield.arrays.judged import Judged, ratio
from cranfield.arrays.rankings import Floats, Ints
from cranfield.metrics.measure import Measure
from cranfield.metrics.measures.reading import share_of_best
from cranfield.metrics.options import (
    EXPONENTIAL,
    Alias,
    Ideal,
    gain_of,
    ideal_rankings,
    running_sum,
    trec_eval_alias_with_gains,
)


def discounted_gain(
    r: Judged, gains: str = "linear", cutoff: int | None = None, base: float = 2, discount: str = "burges"
) -> Floats:
    """Sum of the retrieved documents' gains, each divided by log2(rank + 1).

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
    aliases=(trec_eval_alias_with_gains("dcg"), Alias("dcg_burges", options=EXPONENTIAL)),
    extremes="one way", difference="sum",
    explanation="""
DCG, discounted cumulative gain: the gain of a reader whose patience falls with the logarithm of the rank.

It is the sum behind nDCG, without normalisation. Its mean is misleading, because topics with many relevant documents
dominate it. The gain of a grade is the grade itself by default, and 2^grade - 1 with gains="exp". A list such as
gains="1=3,2=9" sets the gain of each grade; grades not in the list keep their number.

The discount is log2(rank + 1), so rank 1 counts in full. The first paper used another discount under the same name:
DCG(discount="jarvelin"). It does not discount ranks up to the base of its logarithm, and divides by the logarithm of
the rank from there on. With that discount, a larger base means a more patient reader. With the discount of rank + 1,
the base only changes the unit.

Source: Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, TOIS 20(4), 2002; exponential gains:
Burges et al., Learning to rank using gradient descent, ICML 2005.
""")  # fmt: skip


def ideal_discounted_gain(
    r: Judged, gains: str = "linear", cutoff: int | None = None, base: float = 2, discount: str = "burges"
) -> Floats:
    """Discounted cumulative gain of all judged documents, sorted by descending gain.

    >>> from cranfield.metrics.examples import example
    >>> ideal_discounted_gain(example([0, 1, None], unretrieved=[2]))  # 2/1 + 1/log2(3)
    array([2.63092975])
    >>> ideal_discounted_gain(example([1, 2, 3]), gains="1=0.5,2=0.9,3=0.2", cutoff=1)
    array([0.9])
    """
    return r.values_by_ranking(r.compute_once(_share_of_best, gains, cutoff, base, discount))


def _share_of_best(r: Judged, gains: str, cutoff: int | None, base: float, discount: str) -> Floats:
    best = ideal_rankings(r, gains)
    within = best.rank <= (len(best.rank) if cutoff is None else cutoff)
    return best.sum(within * best.gain / rank_discount(best.rank, base, discount))


IDCG = Measure(
    "IDCG", ideal_discounted_gain, synonyms=("ideal_dcg",), range=(0.0, float("inf")),
    aliases=(trec_eval_alias_with_gains("ideal_dcg"),), extremes="one way", explanation="""
IDCG, ideal discounted cumulative gain: the DCG of the best ranking that the judgments allow.

nDCG divides by it. It is a property of the topic and equal for all runs. It shows which topics dominate a mean of DCG,
and where nDCG depends on one document. Like every ideal, it misleads because it ranks only the judged documents, not
all documents.

Source: Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, TOIS 20(4), 2002; trec_eval's
ideal_dcg, which treats gains that differ by less than 1 as equal when sorting, and can miss the best ranking.
""")  # fmt: skip


def normalised_discounted_gain(
    r: Judged, gains: str = "linear", cutoff: int | None = None, base: float = 2, discount: str = "burges"
) -> Floats:
    """Discounted cumulative gain, divided by its value for the best ranking of the judged documents.

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
    aliases=(trec_eval_alias_with_gains("ndcg"), Alias("ndcg_burges", options=EXPONENTIAL)),
    extremes="nDCG", explanation="""
nDCG, normalised discounted cumulative gain: DCG relative to the best ranking that the judgments allow.

This is the most common measure for graded judgments. For example, nDCG@10 is a reader's gain from one result page,
relative to the best page that the judgments allow. Two different measures have this name. Linear gains are the grade
itself, as in trec_eval. Exponential gains are 2^grade - 1, as is common in machine learning, and nearly ignore grade 1
next to grade 3. The name of a measure shows its gains: nDCG@10 is linear and nDCG(gains="exp")@10 is exponential.
gains="1=3,2=9" sets the gain of each grade.

The grade scale determines the outcome. There is no option rel: any grade above 0 has a gain. It misleads on topics with
very few relevant documents, where one document changes the score a lot. A topic without relevant documents scores 0.
The ideal ranking is cut at the same k.

Source: Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, TOIS 20(4), 2002; trec_eval's ndcg
and ndcg_cut.
""")  # fmt: skip


def ndcg_at_relevant(r: Judged, gains: str = "linear") -> Floats:
    """nDCG at the rank of each document with a gain, averaged over all such documents of the topic.

    >>> from cranfield.metrics.examples import example
    >>> ndcg_at_relevant(example([1, 0, 1])).round(4)  # 1, and (1/1 + 1/2) / (1/1 + 1/log2(3))
    array([0.9599])
    >>> ndcg_at_relevant(example([1, 0], unretrieved=[1])).round(4)  # 1, and (1/1) / (1/1 + 1/log2(3))
    array([0.8066])
    >>> ndcg_at_relevant(example([0]))
    array([0.])
    """
    hit, best = r.judged(), ideal_rankings(r, gains)
    gain = gain_of(hit.grade, gains)
    dcg = running_sum(hit.ranking, gain / np.log2(hit.rank + 1))
    best_gain = best.gain / np.log2(best.rank + 1)
    ndcg = ratio(dcg, best.first(best_gain, r.topic[hit.ranking], hit.rank))
    relevant = gain > 0
    final_gain = ratio(discounted_gain(r, gains), r.values_by_ranking(best.sum(best_gain)))
    missing = best.sizes[r.topic] - r.sum(hit, relevant)
    return ratio(r.sum(hit, np.where(relevant, ndcg, 0.0)) + missing * final_gain, best.sizes[r.topic])


NDCGREL = Measure(
    "nDCGrel", ndcg_at_relevant, synonyms=("ndcg_rel",), aliases=(trec_eval_alias_with_gains("ndcg_rel"),),
    extremes="best on top, equal gains", explanation="""
nDCGrel: nDCG at each relevant document, averaged over the relevant documents.

It is to nDCG what AP is to precision: no cutoff has to be chosen, because each relevant document is a cutoff. Like AP,
it misleads where few documents are judged. It also favours short rankings: a relevant document that was not retrieved
counts with the nDCG of the whole ranking, not with 0. As in nDCG, a document with a gain is relevant, and there is no
option rel. Do not confuse it with RnDCG.

Source: trec_eval's ndcg_rel.
""")  # fmt: skip


def ndcg_at_grades(r: Judged, gains: str = "linear") -> Floats:
    """nDCG after the last document of each grade in the best ranking, averaged over the grades.

    >>> from cranfield.metrics.examples import example
    >>> ndcg_at_grades(example([1, 2])).round(4)  # at rank 1: 1/2; at rank 2: (1 + 2/log2(3)) / (2 + 1/log2(3))
    array([0.6799])
    >>> ndcg_at_grades(example([0, 1])).round(4)  # at rank 1: 0; the end is too near to count
    array([0.])
    >>> ndcg_at_grades(example([0, 1, 0])).round(4)  # at rank 1: 0; at the end: 1/log2(3)
    array([0.3155])
    """
    best = ideal_rankings(r, gains)
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
    "RnDCG", ndcg_at_grades, synonyms=("Rndcg",), aliases=(trec_eval_alias_with_gains("Rndcg"),),
    extremes="best on top", explanation="""
RnDCG: nDCG averaged over the ranks where the best ranking changes from one grade to the next.

It is to nDCG what Rprec is to precision. The first of these ranks is where a perfect ranking has listed all documents
with the highest grade. The next rank is where it has also listed all documents with the second highest grade, and so
on. The last rank of the ranking is included, if the ranking is longer. It misleads across collections, because the
number of grades determines these ranks. Do not confuse it with nDCG at rank R.

Source: trec_eval's Rndcg.
""")  # fmt: skip


def binary_gain(r: Judged, rel: int = 1) -> Floats:
    """1 / log2(2 + n), with n other documents above, averaged over the topic's relevant documents.

    >>> from cranfield.metrics.examples import example
    >>> binary_gain(example([1, 1])), binary_gain(example([None, 0, 1], unretrieved=[1]))  # 1/2 of one, 0 of the other
    (array([1.]), array([0.25]))
    """
    hit = r.relevant(rel)
    return ratio(r.sum(hit, 1 / np.log2(2 + hit.rank - hit.nth)), r.num_relevant(rel))


BING = Measure("binG", binary_gain, synonyms=(), extremes="best on top", explanation="""
binG: each relevant document is discounted by the number of other documents above it.

The discount depends on the number of documents read in vain, not on the rank. The second of two relevant documents at
the top therefore counts as much as the first. A perfect ranking scores 1 regardless of the number of relevant
documents. All grades of at least rel count equally; see G for graded gains. It misleads far down the ranking, where it
hardly distinguishes between ranks. Do not confuse it with nDCG with binary gains.

Source: trec_eval's binG.
""")  # fmt: skip


def gain_by_cost(r: Judged, gains: str = "linear") -> Floats:
    """Sum of the gains, each divided by log2(2 + the best ranking's lead), divided by the sum of all gains.

    >>> from cranfield.metrics.examples import example
    >>> gain_by_cost(example([3, 1])), gain_by_cost(example([0, 1]))  # as good as it gets; 1 / log2(2 + 2 - 1)
    (array([1.]), array([0.63092975]))
    >>> gain_by_cost(example([1, 2, 3])).round(2), gain_by_cost(example([1, 3, 2])).round(2)
    (array([0.75]), array([0.73]))
    >>> gain_by_cost(example([0]))
    array([0.])
    """
    hit, best = r.judged(), ideal_rankings(r, gains)
    gain = gain_of(hit.grade, gains)
    topic = r.topic[hit.ranking]
    cost = best.first(np.maximum(best.gain, 1.0), topic, hit.rank) + np.maximum(hit.rank - best.sizes[topic], 0)
    total = running_sum(hit.ranking, gain)
    return ratio(r.sum(hit, gain / np.log2(2 + cost - total)), r.values_by_ranking(best.sum(best.gain)))


G = Measure("G", gain_by_cost, synonyms=(), aliases=(trec_eval_alias_with_gains("G"),), explanation="""
G: gains discounted by how far the ranking lags behind the best ranking.

It is the graded form of binG. The discount of a document depends on its cost, not on its rank. The cost is the gain
that the best ranking would have had by then (at least 1 per rank), minus the gain of this ranking. The measure is
experimental in trec_eval, and it misleads: moving a better document up can lower the score. For example, the grades 1 2
3 score 0.75, and the grades 1 3 2 score 0.73. The cost also grows with the scale of the grades. Do not confuse it with
DCG.

Source: trec_eval's G.
""")  # fmt: skip


def cumulative_gain(r: Judged, gains: str = "linear", cutoff: int | None = None) -> Floats:
    """Sum of the retrieved documents' gains.

    >>> from cranfield.metrics.examples import example
    >>> cumulative_gain(example([3, 2, None, -1, 1])), cumulative_gain(example([3, 2, None, -1, 1]), cutoff=2)
    (array([6.]), array([5.]))
    """
    hit = r.judged(cutoff)
    return r.sum(hit, gain_of(hit.grade, gains))


CG = Measure("CG", cumulative_gain, range=(0.0, float("inf")), extremes="one way", difference="sum", explanation="""
CG, cumulative gain: the sum of the grades of the first k documents.

It is the gain of a reader who reads all k documents, in any order. It misleads wherever the order matters. Its mean is
also misleading, because topics with many relevant documents dominate it. DCG discounts by rank, and nDCG also divides
by the best possible DCG.

Source: Järvelin and Kekäläinen, IR evaluation methods for retrieving highly relevant documents, SIGIR 2000.
""")  # fmt: skip


BLOCK = 1 << 20  # ranks whose discounts are in memory at a time


def scaled_discounted_gain(r: Judged, cutoff: int, max_grade: int | None = None) -> Floats:
    """Sum of the first k documents' discounted gains, divided by the sum for k documents of the best grade.

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
SDCG@k, scaled discounted cumulative gain: DCG divided by the DCG of k documents of the best grade.

It is nDCG without the topic's ideal ranking: all topics share one scale, and their relevant documents need not be
known. It misleads as an absolute number, because a topic with fewer than k documents of the best grade cannot reach 1.
It also misleads across collections, because a gain is the grade divided by max_grade. max_grade is by default the
highest grade in the judgments. The discount is log2(rank + 1). cwl_eval calls the measure NDCG.

Source: Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, TOIS 20(4), 2002; scaled as in
Azzopardi, Thomas and Moffat, cwl_eval: an evaluation tool for information retrieval, SIGIR 2019, and in ir_measures.
""")  # fmt: skip
