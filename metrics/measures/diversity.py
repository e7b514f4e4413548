"""Measures of diversity: novel subtopics that retrieved documents are relevant to.

A subtopic counts if any document was judged relevant to it; all count alike. A document that covers what earlier
ones have covered gains less, by the factor 1 - alpha each time, since the reader probably has enough of it.
"""

from typing import NamedTuple

import numpy as np

from cranfield.arrays.judged import Judged, ratio
from cranfield.arrays.rankings import Floats, Ints, Subtopics
from cranfield.errors import MeasureError
from cranfield.metrics.measure import Measure
from cranfield.metrics.options import Alias

NONE = (
    "the judgments have no subtopics; expected lines of qid subtopic docno grade, records with an iteration, or a "
    "column `subtopic`"
)


class CoveredSubtopics(NamedTuple):
    """Retrieved documents by subtopic: the ranking, the rank, its number within its subtopic, and of how many."""

    ranking: Ints
    rank: Ints
    nth: Ints
    of: Ints

    def sum(self, r: Judged, values: Floats) -> Floats:
        """Per ranking: the sum of the values."""
        return np.bincount(self.ranking, values, minlength=len(r.retrieved)).astype(float, copy=False)

    def sum_novelty(self, r: Judged, alpha: float, discount: Floats | Ints) -> Floats:
        """Per ranking: the subtopics, each less by 1 - alpha for every document before, divided by a discount."""
        return self.sum(r, (1 - alpha) ** (self.nth - 1.0) / discount)


def judged_subtopics(r: Judged) -> Subtopics:
    """The judgments of subtopics; an error where there are none.

    >>> from cranfield.metrics.examples import example
    >>> judged_subtopics(example([1]))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    cranfield.errors.MeasureError: the judgments have no subtopics; ...
    """
    if r.subtopics is None:
        raise MeasureError(NONE)
    return r.subtopics


def documents_by_subtopic(r: Judged, rel: int, cutoff: int | None = None) -> CoveredSubtopics:
    """The retrieved documents, once for each subtopic they are relevant to.

    >>> from cranfield.metrics.examples import example
    >>> documents_by_subtopic(example([1, 0, 1], subtopics=[{"a", "b"}, set(), {"a"}]), rel=1)
    CoveredSubtopics(ranking=array([0, 0, 0]), rank=array([1, 3, 1]), nth=array([1, 2, 1]), of=array([2, 2, 1]))
    """
    judgment, subtopic = _relevant_subtopic_labels(r, rel)
    first = np.searchsorted(judgment, np.arange(len(r.qrels_topic) + 1))
    rows = np.flatnonzero(r.is_within(cutoff))
    times = np.diff(first)[r.judgment[rows]]
    row = np.repeat(rows, times)
    at = np.arange(len(row)) - np.repeat(np.cumsum(times) - times, times) + first[r.judgment[row]]
    order = np.lexsort((r.rank[row], subtopic[at], r.ranking[row]))
    row, about = row[order], subtopic[at][order]
    new = (np.diff(r.ranking[row], prepend=-1) != 0) | (np.diff(about, prepend=-1) != 0)
    starts = np.flatnonzero(new)
    nth = np.arange(len(new)) - np.repeat(starts, np.diff(starts, append=len(new))) + 1
    sizes = _count_relevant_by_subtopic(r, judgment, subtopic)
    return CoveredSubtopics(r.ranking[row], r.rank[row], nth, sizes[r.topic[r.ranking[row]], about])


def _count_relevant_by_subtopic(r: Judged, judgment: Ints, subtopic: Ints) -> Ints:
    """Per topic and subtopic: how many documents are relevant to it."""
    shape = len(r.qids), len(judged_subtopics(r).names)
    place = r.qrels_topic[judgment] * shape[1] + subtopic
    return np.bincount(place, minlength=shape[0] * shape[1]).reshape(shape)


def _relevant_subtopic_labels(r: Judged, rel: int) -> tuple[Ints, Ints]:
    about = judged_subtopics(r)
    relevant = about.grade >= max(rel, 0)
    return about.judgment[relevant], about.subtopic[relevant]


def num_subtopics(r: Judged, rel: int) -> Ints:
    """Per ranking: how many subtopics of its topic have a relevant document."""
    return np.asarray(np.sum(_count_relevant_by_subtopic(r, *_relevant_subtopic_labels(r, rel)) > 0, axis=1)[r.topic])


def ideal_gains(r: Judged, rel: int, alpha: float, depth: int) -> Floats:
    """Per topic and rank: the gain of the best document to show next, chosen greedily; ties go to the last docno.

    >>> from cranfield.metrics.examples import example
    >>> ideal_gains(example([1, 1, 1], subtopics=[{"a"}, {"a", "b"}, {"c"}]), rel=1, alpha=0.5, depth=3)
    array([[2. , 1. , 0.5]])
    """
    judgment, subtopic = _relevant_subtopic_labels(r, rel)
    gains = np.zeros((len(r.qids), depth))
    for topic in np.unique(r.qrels_topic[judgment]):
        here = r.qrels_topic[judgment] == topic
        _, document = np.unique(judgment[here], return_inverse=True)
        _, aspect = np.unique(subtopic[here], return_inverse=True)
        covers = np.zeros((document.max() + 1, aspect.max() + 1))
        covers[document, aspect] = 1
        gains[topic, : len(covers)] = _greedy_gains(covers, alpha, min(depth, len(covers)))
    return gains


def _greedy_gains(covers: Floats, alpha: float, depth: int) -> Floats:
    """The gain at each rank, if the document that adds most always comes next; `covers` is documents by subtopics."""
    worth, unranked, gains = np.ones(covers.shape[1]), np.ones(len(covers), bool), np.zeros(depth)
    for rank in range(depth):
        gain = np.where(unranked, (covers @ worth).round(12), -1.0)  # sums that differ only by rounding are ties
        best = len(gain) - 1 - int(np.argmax(gain[::-1]))
        gains[rank], unranked[best] = covers[best] @ worth, False
        worth[covers[best] > 0] *= 1 - alpha
    return gains


def diversity_gain(r: Judged, cutoff: int, alpha: float = 0.5, rel: int = 1) -> Floats:
    """Novel subtopics in the first k documents, discounted by rank, relative to a greedy ideal ranking.

    >>> from cranfield.metrics.examples import example
    >>> ranking = example([1, 1], unretrieved=[1], subtopics=[{"a"}, {"a"}, {"b"}])
    >>> diversity_gain(ranking, cutoff=2).round(4)  # (1 + 0.5/1.585) / (1 + 1/1.585)
    array([0.8066])
    >>> diversity_gain(example([0], subtopics=[set()]), cutoff=2)
    array([0.])
    """
    cover = documents_by_subtopic(r, rel, cutoff)
    gain = cover.sum_novelty(r, alpha, np.log2(cover.rank + 1))
    best = ideal_gains(r, rel, alpha, cutoff) @ (1 / np.log2(np.arange(2, cutoff + 2)))
    return ratio(gain, r.values_by_ranking(best))


ALPHA_NDCG = Measure(
    "alpha_nDCG", diversity_gain, synonyms=("alpha-nDCG",), range=(0.0, float("inf")), aliases=(Alias("\u03b1_nDCG"),),
    needs_subtopics=True, explanation="""
alpha_nDCG, nDCG for diversity: each subtopic that a document covers adds gain, but less if already covered.

Use it for topics with several meanings or aspects: a ranking that repeats itself scores low. The option alpha is the
share of the gain that a repetition loses. The measure needs judgments of subtopics. It misleads where subtopics were
judged unevenly, because a subtopic with one relevant document weighs as much as a subtopic with many. Its ideal ranking
is chosen greedily, because the exact ideal is too costly to compute, so values above 1 are possible. Ties in the ideal
ranking go to the later docno. All this follows ndeval, whose cutoffs end at 20; here any cutoff is possible. A document
covers a subtopic if its grade is at least rel; grades have no other effect.

Source: Clarke, Kolla, Cormack, Vechtomova, Ashkan, Büttcher and MacKinnon, Novelty and diversity in information
retrieval evaluation, SIGIR 2008; TREC's ndeval.
""")  # fmt: skip


def discounted_diversity(r: Judged, cutoff: int, alpha: float = 0.5, rel: int = 1) -> Floats:
    """Novel subtopics in the first k documents, discounted by rank, relative to the best conceivable ranking.

    >>> from cranfield.metrics.examples import example
    >>> ranking = example([1, 1], subtopics=[{"a"}, {"a", "b"}])
    >>> discounted_diversity(ranking, cutoff=2).round(4)  # (1 + 1.5/1.585) / (2 + 2 * 0.5/1.585)
    array([0.7398])
    >>> discounted_diversity(ranking, cutoff=1)  # 1 of 2 subtopics
    array([0.5])
    """
    cover = documents_by_subtopic(r, rel, cutoff)
    ranks = np.arange(1, cutoff + 1)
    best = ((1 - alpha) ** (ranks - 1.0) / np.log2(ranks + 1)).sum()
    return ratio(cover.sum_novelty(r, alpha, np.log2(cover.rank + 1)), best * num_subtopics(r, rel))


ALPHA_DCG = Measure(
    "alpha_DCG", discounted_diversity, synonyms=("alpha-DCG",), aliases=(Alias("\u03b1_DCG"),),
    needs_subtopics=True, explanation="""
alpha_DCG, DCG for diversity: alpha_nDCG relative to the best conceivable ranking, not to the topic's best.

It divides the sum of alpha_nDCG by the sum for k documents that all cover every subtopic of the topic. No ideal ranking
has to be found. It misleads as a share, because no collection has such documents. It needs judgments of subtopics.
Unlike this measure, ndeval omits the division at k=1.

Source: Clarke, Kolla, Cormack, Vechtomova, Ashkan, Büttcher and MacKinnon, Novelty and diversity in information
retrieval evaluation, SIGIR 2008; TREC's ndeval.
""")  # fmt: skip


def intent_aware_reciprocal_rank(r: Judged, cutoff: int, alpha: float = 0.5, rel: int = 1) -> Floats:
    """Novel subtopics in the first k documents, each divided by its rank, relative to the best conceivable ranking.

    >>> from cranfield.metrics.examples import example
    >>> ranking = example([1, 1], subtopics=[{"a"}, {"a", "b"}])
    >>> intent_aware_reciprocal_rank(ranking, cutoff=2)  # (1/1 + (0.5 + 1)/2) / (2/1 + 1/2)
    array([0.7])
    >>> intent_aware_reciprocal_rank(ranking, cutoff=1)  # 1 of 2 subtopics
    array([0.5])
    """
    cover = documents_by_subtopic(r, rel, cutoff)
    ranks = np.arange(1, cutoff + 1)
    best = ((1 - alpha) ** (ranks - 1.0) / ranks).sum()
    return ratio(cover.sum_novelty(r, alpha, cover.rank), best * num_subtopics(r, rel))


ERR_IA = Measure("ERR_IA", intent_aware_reciprocal_rank, synonyms=("ERR-IA",),
    needs_subtopics=True, explanation="""
ERR_IA, intent-aware expected reciprocal rank: ERR for each subtopic, averaged over the subtopics.

Use it for topics with several meanings where one good document is enough for each meaning. It needs judgments of
subtopics. It misleads where some meanings are wanted more often than others, because all subtopics count equally. As in
ndeval, a document satisfies the reader of each subtopic it covers with probability alpha, for every grade of at least
rel. The paper uses the grade's own probability instead. The value is divided by the value of the best conceivable
ranking, in which every document covers every subtopic. Unlike this measure, ndeval omits that division at k=1.

Source: Chapelle, Metzler, Zhang and Grinspan, Expected reciprocal rank for graded relevance, CIKM 2009; Chapelle, Ji,
Liao, Velipasaoglu, Lai and Wu, Intent-based diversification of web search results, Information Retrieval 14(6), 2011;
TREC's ndeval.
""")  # fmt: skip


def normalised_intent_aware_reciprocal_rank(r: Judged, cutoff: int, alpha: float = 0.5, rel: int = 1) -> Floats:
    """Novel subtopics in the first k documents, each divided by its rank, relative to a greedy ideal ranking.

    >>> from cranfield.metrics.examples import example
    >>> ranking = example([1, 1], unretrieved=[1], subtopics=[{"a"}, {"a"}, {"b"}])
    >>> normalised_intent_aware_reciprocal_rank(ranking, cutoff=2).round(4)  # (1 + 0.5/2) / (1 + 1/2)
    array([0.8333])
    >>> normalised_intent_aware_reciprocal_rank(example([0], subtopics=[set()]), cutoff=2)
    array([0.])
    """
    cover = documents_by_subtopic(r, rel, cutoff)
    best = ideal_gains(r, rel, alpha, cutoff) @ (1 / np.arange(1, cutoff + 1))
    return ratio(cover.sum_novelty(r, alpha, cover.rank), r.values_by_ranking(best))


NERR_IA = Measure(
    "nERR_IA", normalised_intent_aware_reciprocal_rank, synonyms=("nERR-IA",), range=(0.0, float("inf")),
    needs_subtopics=True, explanation="""
nERR_IA, normalised intent-aware expected reciprocal rank: ERR_IA relative to the best ranking that the judgments allow.

A topic can score 1 even if each of its documents covers only one meaning. It needs judgments of subtopics. It misleads
because it hides that there was nothing better to find. Like the ideal ranking of alpha_nDCG, its ideal ranking is
chosen greedily, so values above 1 are possible. As in ndeval, a document satisfies the reader of each subtopic it
covers with probability alpha, for every grade of at least rel.

Source: Chapelle, Ji, Liao, Velipasaoglu, Lai and Wu, Intent-based diversification of web search results, Information
Retrieval 14(6), 2011; TREC's ndeval.
""")  # fmt: skip


def novelty_biased_precision(r: Judged, alpha: float = 0.5, beta: float = 0.5, rel: int = 1) -> Floats:
    """Novel subtopics seen by a reader who continues with probability beta, relative to the best conceivable ranking.

    >>> from cranfield.metrics.examples import example
    >>> ranking = example([1, 1], subtopics=[{"a"}, {"a", "b"}])
    >>> novelty_biased_precision(ranking)  # (1 + (0.5 + 1) * 0.5) * (1 - 0.5 * 0.5) / 2
    array([0.65625])
    """
    gain = novelty_and_rank_biased_gain(r, alpha, beta, rel)
    return ratio((1 - (1 - alpha) * beta) * gain, num_subtopics(r, rel))


def novelty_and_rank_biased_gain(r: Judged, alpha: float, beta: float, rel: int) -> Floats:
    """Per ranking: the novel subtopics, each by the probability that the reader gets so far."""
    if beta >= 1:
        raise MeasureError(f"NRBP, nNRBP: beta is {beta}; expected a number above 0 and below 1")
    cover = documents_by_subtopic(r, rel)
    return cover.sum(r, (1 - alpha) ** (cover.nth - 1.0) * beta ** (cover.rank - 1.0))


NRBP = Measure("NRBP", novelty_biased_precision,
    needs_subtopics=True, explanation="""
NRBP, novelty- and rank-biased precision: RBP for diversity.

The reader wants some of the subtopics and continues to the next document with probability beta. After each document
that covers a subtopic, the reader has enough of it with probability alpha. Like RBP, it misleads because it never
reaches 1 on a finite ranking. Like ERR_IA, it also misleads because all subtopics count equally. It needs judgments of
subtopics. The score is relative to the best conceivable ranking, as in ndeval.

Source: Clarke, Kolla and Vechtomova, An effectiveness measure for ambiguous and underspecified queries, ICTIR 2009;
TREC's ndeval.
""")  # fmt: skip


def normalised_novelty_biased_precision(r: Judged, alpha: float = 0.5, beta: float = 0.5, rel: int = 1) -> Floats:
    """Novel subtopics seen by a reader who continues with probability beta, relative to a greedy ideal ranking.

    >>> from cranfield.metrics.examples import example
    >>> ranking = example([1, 1], subtopics=[{"a"}, {"a", "b"}])
    >>> normalised_novelty_biased_precision(ranking).round(4)  # (1 + 1.5 * 0.5) / (2 + 0.5 * 0.5)
    array([0.7778])
    """
    covering = np.unique(_relevant_subtopic_labels(r, rel)[0])
    depth = int(np.bincount(r.qrels_topic[covering]).max(initial=0))
    best = ideal_gains(r, rel, alpha, depth) @ beta ** np.arange(depth)
    return ratio(novelty_and_rank_biased_gain(r, alpha, beta, rel), r.values_by_ranking(best))


NNRBP = Measure("nNRBP", normalised_novelty_biased_precision, range=(0.0, float("inf")),
    needs_subtopics=True, explanation="""
nNRBP, normalised novelty- and rank-biased precision: NRBP relative to the best ranking that the judgments allow.

Unlike NRBP, it can reach 1. It needs judgments of subtopics. It misleads because it hides that there was nothing better
to find. Like the ideal ranking of alpha_nDCG, its ideal ranking is chosen greedily, so values above 1 are possible.

Source: Clarke, Kolla and Vechtomova, An effectiveness measure for ambiguous and underspecified queries, ICTIR 2009;
TREC's ndeval.
""")  # fmt: skip


def intent_aware_average_precision(r: Judged, rel: int = 1) -> Floats:
    """Average precision for each subtopic, averaged over the subtopics that have relevant documents.

    >>> from cranfield.metrics.examples import example
    >>> ranking = example([1, 0, 1], unretrieved=[1], subtopics=[{"a"}, set(), {"a", "b"}, {"b"}])
    >>> intent_aware_average_precision(ranking).round(4)  # a: (1/1 + 2/3) / 2, b: (1/3) / 2
    array([0.5])
    >>> intent_aware_average_precision(example([0], subtopics=[set()]))
    array([0.])
    """
    cover = documents_by_subtopic(r, rel)
    return ratio(cover.sum(r, cover.nth / cover.rank / cover.of), num_subtopics(r, rel))


AP_IA = Measure("AP_IA", intent_aware_average_precision, synonyms=("MAP_IA", "MAP-IA", "AP-IA"),
    needs_subtopics=True, explanation="""
AP_IA, intent-aware average precision: AP for each subtopic, averaged over the subtopics.

Use it for topics with several meanings where readers want every document on each meaning. It needs judgments of
subtopics. It misleads in the same cases as AP. It also misleads where some meanings are wanted more often than others.
A subtopic with one relevant document counts as much as a subtopic with a hundred. It does not penalise repetition.
Subtopics without relevant documents do not count.

Source: Agrawal, Gollapudi, Halverson and Ieong, Diversifying search results, WSDM 2009; TREC's ndeval (MAP-IA).
""")  # fmt: skip


def intent_aware_precision(r: Judged, cutoff: int, rel: int = 1) -> Floats:
    """Share of the first k documents that are relevant to a subtopic, averaged over the topic's subtopics.

    >>> from cranfield.metrics.examples import example
    >>> ranking = example([1, 0, 1], subtopics=[{"a"}, set(), {"a", "b"}])
    >>> intent_aware_precision(ranking, cutoff=2), intent_aware_precision(ranking, cutoff=5)  # 1 / (2 * 2), 3 / (2 * 5)
    (array([0.25]), array([0.3]))
    """
    cover = documents_by_subtopic(r, rel, cutoff)
    return ratio(cover.sum(r, np.ones(len(cover.rank))), cutoff * num_subtopics(r, rel))


P_IA = Measure("P_IA", intent_aware_precision, synonyms=("P-IA",),
    needs_subtopics=True, explanation="""
P_IA@k, intent-aware precision: the share of relevant documents among the first k, averaged over the subtopics.

It needs judgments of subtopics. It misleads in the same cases as P@k. In addition, a document that covers one of two
subtopics counts half, so P_IA@k reaches 1 only if every document covers every subtopic. It divides by k even if the
ranking has fewer than k documents. It does not penalise repetition. Subtopics without relevant documents do not count.

Source: Agrawal, Gollapudi, Halverson and Ieong, Diversifying search results, WSDM 2009; TREC's ndeval.
""")  # fmt: skip


def subtopic_recall(r: Judged, cutoff: int, rel: int = 1) -> Floats:
    """Share of the subtopics with relevant documents that the first k documents cover.

    >>> from cranfield.metrics.examples import example
    >>> ranking = example([1, 0, 1], unretrieved=[1], subtopics=[{"a"}, set(), {"a", "b"}, {"c"}])
    >>> subtopic_recall(ranking, cutoff=2), subtopic_recall(ranking, cutoff=3)
    (array([0.33333333]), array([0.66666667]))
    """
    cover = documents_by_subtopic(r, rel, cutoff)
    return ratio(cover.sum(r, (cover.nth == 1).astype(float)), num_subtopics(r, rel))


STRECALL = Measure("StRecall", subtopic_recall, synonyms=("strec_{}", "strec"),
    needs_subtopics=True, explanation="""
StRecall, subtopic recall: the share of a topic's subtopics that the first k documents cover.

It is the simplest measure of diversity: are all meanings covered? It needs judgments of subtopics. It misleads because
it ignores repetition and the order within the first k. StRecall@k cannot reach 1 if a topic has more subtopics than k
documents can cover. It is also called S-recall and I-rec. R@k counts documents instead. As in ndeval, subtopics without
relevant documents do not count.

Source: Zhai, Cohen and Lafferty, Beyond independent relevance: methods and evaluation metrics for subtopic retrieval,
SIGIR 2003; TREC's ndeval (strec).
""")  # fmt: skip
