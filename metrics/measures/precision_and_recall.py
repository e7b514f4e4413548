"""Precision, recall and what is made of them: measures of how many relevant documents are among the first."""

import numpy as np

from cranfield.arrays.judged import Judged, ratio
from cranfield.arrays.rankings import Floats
from cranfield.metrics.measure import Measure
from cranfield.metrics.options import NUMBERS, Alias, weights


def precision(r: Judged, rel: int = 1, cutoff: int | None = None) -> Floats:
    """The share of relevant documents among those retrieved, or among the first k.

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

P@k is what a reader of the first k documents sees, and easy to explain. It misleads in a mean: P@20 is hard to raise
where a topic has 3 relevant documents and easy where it has 300; it ignores the order within the first k. P@k always
divides by k: a ranking of 4 documents is as good as one with 6 bad ones after them. Without a cutoff it divides by the
number retrieved (trec_eval's set_P); so P@1000 and P differ as soon as a ranking is shorter.

Source: Cleverdon, Mills and Keen, Factors determining the performance of indexing systems, 1966; trec_eval's P, set_P.
""")  # fmt: skip


def recall(r: Judged, rel: int = 1, cutoff: int | None = None) -> Floats:
    """The share of the topic's relevant documents that were retrieved, or are among the first k.

    >>> from cranfield.metrics.examples import example
    >>> recall(example([1, 0, 1], unretrieved=[1, 1]), cutoff=2)
    array([0.25])
    >>> recall(example([1, 0, 1, 1, 0], unretrieved=[1] * 4), cutoff=5).round(2)  # 3 of 7; R_cap@5 is 3 of 5
    array([0.43])
    """
    return ratio(r.sum(r.relevant(rel, cutoff)), r.num_relevant(rel))


R = Measure(
    "R", recall, synonyms=("recall_{}", "set_recall", "SetR", "recall", "Recall"), extremes="one way", explanation="""
R, recall: the share of the relevant documents that were found.

For searches that must miss nothing, and for the first stage of several. It misleads where judgments are incomplete: an
unjudged relevant document does not count as missed, and what only a new system finds does not count. R@k cannot reach 1
where a topic has more than k relevant documents; a topic without relevant documents scores 0, as in trec_eval. Not to
be confused with Rprec, nor with Success ("recall@k" in question answering is often Success@k).

Source: Cleverdon, Mills and Keen, Factors determining the performance of indexing systems, 1966; trec_eval's recall.
""")  # fmt: skip


def capped_recall(r: Judged, rel: int = 1, cutoff: int | None = None) -> Floats:
    """The relevant documents among the first k, divided by k or by the number of relevant ones, whichever is less.

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
R_cap, capped recall: the relevant documents among the first k, relative to the most that k could hold.

Recall whose best value is 1 also where a topic has more than k relevant documents; then it is precision, and where k is
larger it is recall. It misleads in a mean, which mixes the two. Without a cutoff the ranking's length stands for k.
BEIR reports it as R_cap@100; trec_eval's relative_P and set_relative_P are the same.

Source: Thakur, Reimers, Rueckle, Srivastava and Gurevych, BEIR, NeurIPS Datasets and Benchmarks 2021; trec_eval's
relative_P.
""")  # fmt: skip


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


def set_average_precision(r: Judged, rel: int = 1) -> Floats:
    """The square of the relevant documents retrieved, over the retrieved times the relevant.

    >>> from cranfield.metrics.examples import example
    >>> set_average_precision(example([0, 1], unretrieved=[1])), set_average_precision(example([]))
    (array([0.25]), array([0.]))
    """
    hits = r.sum(r.relevant(rel))
    return ratio(hits * hits, r.retrieved * r.num_relevant(rel))


SETAP = Measure("SetAP", set_average_precision, synonyms=("set_map",), extremes="one way", explanation="""
SetAP: precision times recall of a set.

For retrieval without ranks: the AP that a set could expect if its relevant documents were spread evenly over it. It
misleads for rankings, whose order it ignores; not to be confused with AP, nor with F, which is kinder to a set that
does well in only one of the two.

Source: trec_eval's set_map.
""")  # fmt: skip


def utility(
    r: Judged, *, p1: float = 1, p2: float = -1, p3: float = 0, p4: float = 0, size: int = 0, rel: int = 1
) -> Floats:
    """The worth of what was retrieved and of what was not, at four prices.

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
Utility: what a set is worth, at a price per document.

For filtering: p1 for each relevant document retrieved, p2 for each other retrieved, p3 for each relevant one missed, p4
for each other not retrieved, where `size` is the number of documents in the collection. By default it is the relevant
less the others retrieved. It misleads in a mean: it has no bounds, and topics with many retrieved documents dominate
it. Unjudged documents count as not relevant.

Source: Lewis, The TREC-4 filtering track, TREC 1995; trec_eval's utility, whose -N is the size.
""")  # fmt: skip


def success(r: Judged, cutoff: int, rel: int = 1) -> Floats:
    """1 if there is a relevant document among the first k, else 0.

    >>> from cranfield.metrics.examples import example
    >>> success(example([0, 1, 1]), cutoff=1), success(example([0, 1, 1]), cutoff=3)
    (array([0.]), array([1.]))
    """
    hit = r.relevant(rel, cutoff)
    return r.sum(hit, hit.nth == 1)


SUCCESS = Measure(
    "Success", success, synonyms=("success_{}", "success", "hit", "hit_rate"), extremes="one way",
    explanation="""
Success@k: whether the reader finds anything at all.

For question answering and known-item search; its mean is the share of topics answered. It misleads as soon as the
number or the order of relevant documents matters. Often published as "recall@k", "hit rate" or "top-k accuracy".

Source: trec_eval's success.
""")  # fmt: skip


def r_precision(r: Judged, rel: int = 1) -> Floats:
    """The share of relevant documents among the first R, where R is how many the topic has.

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
Rprec, R-precision: precision at the rank by which a perfect ranking has found everything.

The cutoff is the topic's own number R of relevant documents, so that topics with few and with many can be averaged; at
that rank precision and recall are equal. It misleads about early ranks where R is large, and it cannot be computed
where R is not known. Not to be confused with R, recall.

Source: Buckley and Voorhees, Evaluating evaluation measure stability, SIGIR 2000; trec_eval's Rprec.
""")  # fmt: skip


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
