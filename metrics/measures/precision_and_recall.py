"""Precision, recall and what is made of them: measures of how many relevant documents are among the first."""

import numpy as np

from cranfield.arrays.judged import Judged, ratio
from cranfield.arrays.rankings import Floats
from cranfield.metrics.measure import Measure
from cranfield.metrics.options import NUMBERS, Alias, weights


def precision(r: Judged, rel: int = 1, cutoff: int | None = None) -> Floats:
    """Share of relevant documents among the retrieved documents, or among the first k.

    >>> from cranfield.metrics.examples import example
    >>> short = example([1, None, 1])
    >>> precision(short, cutoff=5), precision(short)
    (array([0.4]), array([0.66666667]))
    """
    return ratio(r.sum(r.relevant(rel, cutoff)), r.retrieved if cutoff is None else cutoff)


P = Measure(
    "P", precision, synonyms=("P_{}", "set_P", "SetP", "precision", "Precision"), extremes="one way", difference="sum",
    explanation="""
P, precision: the share of the retrieved documents that are relevant.

P@k shows the result quality that a reader of the first k documents sees, and it is easy to explain. Its mean is
misleading: a high P@20 is hard to reach for a topic with 3 relevant documents and easy for a topic with 300. It ignores
the order within the first k. P@k always divides by k: a ranking of 4 documents has the same P@10 if 6 non-relevant
documents follow them. Without a cutoff it divides by the number of retrieved documents (trec_eval's set_P). P@1000 and
P therefore differ for rankings of fewer than 1,000 documents.

Source: Cleverdon, Mills and Keen, Factors determining the performance of indexing systems, 1966; trec_eval's P, set_P.
""")  # fmt: skip


def recall(r: Judged, rel: int = 1, cutoff: int | None = None) -> Floats:
    """Share of the topic's relevant documents that were retrieved, or that are among the first k.

    >>> from cranfield.metrics.examples import example
    >>> recall(example([1, 0, 1], unretrieved=[1, 1]), cutoff=2)
    array([0.25])
    >>> recall(example([1, 0, 1, 1, 0], unretrieved=[1] * 4), cutoff=5).round(2)  # 3 of 7; R_cap@5 is 3 of 5
    array([0.43])
    """
    return ratio(r.sum(r.relevant(rel, cutoff)), r.num_relevant(rel))


R = Measure(
    "R", recall, synonyms=("recall_{}", "set_recall", "SetR", "recall", "Recall"), extremes="one way", explanation="""
R, recall: the share of the relevant documents that were retrieved.

Use it for searches that must miss nothing, and for the first of several stages. It misleads where judgments are
incomplete: a relevant document that was never judged does not count, whether or not a system finds it. R@k cannot reach
1 if a topic has more than k relevant documents. A topic without relevant documents scores 0, as in trec_eval. Do not
confuse it with Rprec or with Success ("recall@k" in question answering is often Success@k).

Source: Cleverdon, Mills and Keen, Factors determining the performance of indexing systems, 1966; trec_eval's recall.
""")  # fmt: skip


def capped_recall(r: Judged, rel: int = 1, cutoff: int | None = None) -> Floats:
    """Relevant documents among the first k, divided by the smaller of k and the number of relevant documents.

    >>> from cranfield.metrics.examples import example
    >>> ranking = example([1, 0, 1, 1, 0], unretrieved=[1, 1, 1, 1])
    >>> capped_recall(ranking, cutoff=5)  # 3 of the 5 there could be; recall is 3/7
    array([0.6])
    >>> capped_recall(example([]))
    array([0.])
    """
    room = r.retrieved if cutoff is None else cutoff
    return ratio(r.sum(r.relevant(rel, cutoff)), np.minimum(r.num_relevant(rel), room))


R_CAP = Measure(
    "R_cap", capped_recall, synonyms=("RCap", "recall_cap", "relative_P_{}", "set_relative_P", "relative_P", "SetRelP"),
    extremes="one way", explanation="""
R_cap, capped recall: the relevant documents among the first k, relative to the largest possible number.

It is recall whose best value is 1 even if a topic has more than k relevant documents. In that case it is precision;
otherwise it is recall. Its mean is misleading, because it mixes the two. Without a cutoff, the ranking's length
replaces k. BEIR reports it as R_cap@100; trec_eval's relative_P and set_relative_P are the same.

Source: Thakur, Reimers, Rueckle, Srivastava and Gurevych, BEIR, NeurIPS Datasets and Benchmarks 2021; trec_eval's
relative_P.
""")  # fmt: skip


def f_measure(r: Judged, beta: float = 1.0, rel: int = 1, cutoff: int | None = None) -> Floats:
    """Weighted harmonic mean of precision and recall.

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

Use it for retrieval without ranks: Boolean search, filtering, classification. F(beta=2) makes recall twice as important
as precision. The formula squares beta; trec_eval's set_F takes the square as its parameter (set_F.4 is F(beta=2)). It
misleads for rankings, because it depends on the number of retrieved documents. The mean over topics is not the F of
mean precision and mean recall.

Source: van Rijsbergen, Information Retrieval, 2nd edition, 1979, chapter 7.
""")  # fmt: skip


def set_average_precision(r: Judged, rel: int = 1) -> Floats:
    """Squared number of relevant documents retrieved, divided by (retrieved times relevant documents).

    >>> from cranfield.metrics.examples import example
    >>> set_average_precision(example([0, 1], unretrieved=[1])), set_average_precision(example([]))
    (array([0.25]), array([0.]))
    """
    hits = r.sum(r.relevant(rel))
    return ratio(hits * hits, r.retrieved * r.num_relevant(rel))


SETAP = Measure("SetAP", set_average_precision, synonyms=("set_map",), extremes="one way", explanation="""
SetAP: precision times recall of a set.

Use it for retrieval without ranks: it is the expected AP of a set whose relevant documents are spread evenly over it.
It misleads for rankings, because it ignores the order. Do not confuse it with AP or with F, which is kinder to a set
that has only high precision or only high recall.

Source: trec_eval's set_map.
""")  # fmt: skip


def utility(
    r: Judged, *, p1: float = 1, p2: float = -1, p3: float = 0, p4: float = 0, size: int = 0, rel: int = 1
) -> Floats:
    """Total value of the retrieved and not retrieved documents, each with one of four values.

    >>> from cranfield.metrics.examples import example
    >>> utility(example([1, 0, None], unretrieved=[1]))  # 1 - 2
    array([-1.])
    >>> utility(example([1, 0, None], unretrieved=[1]), p1=2, p3=-1, p4=0.5, size=10)  # 2 - 2 - 1 + 6/2
    array([2.])
    """
    hits, num_relevant = r.sum(r.relevant(rel)), r.num_relevant(rel)
    others_left = size + hits - r.retrieved - num_relevant
    return p1 * hits + p2 * (r.retrieved - hits) + p3 * (num_relevant - hits) + p4 * others_left


UTILITY = Measure(
    "Utility", utility, synonyms=("utility",), range=(float("-inf"), float("inf")),
    aliases=(Alias("utility", NUMBERS, weights),), extremes="one way", explanation="""
Utility: the sum of fixed gains and costs for retrieved and missed documents.

Use it for filtering. It adds p1 for each retrieved relevant document, p2 for each other retrieved document and p3 for
each missed relevant document. It adds p4 for each other document that was not retrieved, where `size` is the number of
documents in the collection. By default it is the number of relevant minus the number of other retrieved documents. Its
mean is misleading: the measure has no bounds, and topics with many retrieved documents dominate. Unjudged documents
count as not relevant.

Source: Lewis, The TREC-4 filtering track, TREC 1995; trec_eval's utility, whose -N is the size.
""")  # fmt: skip


def success(r: Judged, cutoff: int, rel: int = 1) -> Floats:
    """1 if a relevant document is among the first k, otherwise 0.

    >>> from cranfield.metrics.examples import example
    >>> success(example([0, 1, 1]), cutoff=1), success(example([0, 1, 1]), cutoff=3)
    (array([0.]), array([1.]))
    """
    hit = r.relevant(rel, cutoff)
    return r.sum(hit, hit.nth == 1)


SUCCESS = Measure(
    "Success", success, synonyms=("success_{}", "success", "hit", "hit_rate"), extremes="one way",
    explanation="""
Success@k: 1 if the first k documents contain a relevant document, otherwise 0.

Use it for question answering and known-item search; its mean is the share of topics answered. It misleads if the number
or the order of relevant documents matters. It is often published as "recall@k", "hit rate" or "top-k accuracy".

Source: trec_eval's success.
""")  # fmt: skip


def r_precision(r: Judged, rel: int = 1) -> Floats:
    """Share of relevant documents among the first R, where R is the topic's number of relevant documents.

    >>> from cranfield.metrics.examples import example
    >>> r_precision(example([1, 0, 1, 1]))
    array([0.66666667])
    >>> r_precision(example([1], unretrieved=[1]))  # divides by R, not by the 1 retrieved
    array([0.5])
    """
    hit, num_relevant = r.relevant(rel), r.num_relevant(rel)
    return ratio(r.sum(hit, hit.rank <= num_relevant[hit.ranking]), num_relevant)


RPREC = Measure(
    "Rprec", r_precision, synonyms=("RPrec",), aliases=(Alias("r-precision"),), extremes="best on top", explanation="""
Rprec, R-precision: precision at rank R, where R is the topic's number of relevant documents.

The cutoff depends on the topic, so topics with few and with many relevant documents can be averaged. A perfect ranking
has found everything at rank R, and precision and recall are equal there. It misleads about early ranks if R is large,
and it cannot be computed if R is unknown. Do not confuse it with R, recall.

Source: Buckley and Voorhees, Evaluating evaluation measure stability, SIGIR 2000; trec_eval's Rprec.
""")  # fmt: skip


def r_precision_multiple(r: Judged, mult: float, rel: int = 1) -> Floats:
    """Share of relevant documents down to rank x R, where R is the topic's number of relevant documents.

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
RprecMult@x: precision at rank x R, where R is the topic's number of relevant documents.

RprecMult@1 is Rprec; a smaller x reads precision earlier. Several values of x give a precision curve in units of R, on
which topics with few and with many relevant documents share a scale. The rank is x times R, rounded up (trunc(x R +
0.9), as in trec_eval). It misleads above x = 1, where it cannot reach 1. It also misleads on topics with very few
relevant documents, where neighbouring points have the same rank. If the ranking is shorter, it still divides by that
rank.

Source: trec_eval's Rprec_mult.
""")  # fmt: skip
