"""Counts and shares of documents: judged, retrieved, relevant."""

import numpy as np

from cranfield.arrays.judged import Judged, ratio
from cranfield.arrays.rankings import Floats, is_judged
from cranfield.metrics.measure import Measure


def judged_share(r: Judged, cutoff: int) -> Floats:
    """The share of the first k retrieved documents that were judged, whatever their grade.

    >>> from cranfield.metrics.examples import example
    >>> judged_share(example([0, None, 1]), cutoff=10), judged_share(example([]), cutoff=10)
    (array([0.66666667]), array([nan]))
    >>> judged_share(example([-1, -2]), cutoff=10)  # -1 says that nobody judged it, -2 that it is junk
    array([0.5])
    """
    first = r.ranking[(r.rank <= cutoff) & is_judged(r.grade)]
    return ratio(np.bincount(first, minlength=len(r.retrieved)), np.minimum(r.retrieved, cutoff), undefined=np.nan)


def known_judged_share(r: Judged, cutoff: int) -> Floats:
    """Share of the first k documents that were judged; NaN if the qrels list only relevant documents.

    >>> from dataclasses import replace
    >>> from cranfield.metrics.examples import example
    >>> known_judged_share(replace(example([None, 1]), has_nonrelevant=False), cutoff=10)
    array([nan])
    """
    return judged_share(r, cutoff) if r.has_nonrelevant else np.full(len(r.retrieved), np.nan)


JUDGED = Measure("Judged", known_judged_share, synonyms=("judged_{}", "judged"), tells_unjudged=True, explanation="""
Judged@k: the share of the first k documents that were judged.

Where it is low, the system was not in the pool, and its P@k, AP and nDCG may be far too low. It does not measure
quality; it shows how far other scores can be trusted. For a short ranking, the divisor is the number of its documents;
for an empty ranking the measure is undefined (NaN), not 0. Grade -1 counts as unjudged, and lower grades (junk, spam)
count as judged. If no topic has a document of grade 0 or below, the judgments list only relevant documents, and the
measure is undefined.

Source: ir_measures' Judged; its complement is trec_eval's unj, which always divides by k.
""")  # fmt: skip


def unjudged_share(r: Judged, cutoff: int) -> Floats:
    """Number of unjudged documents among the first k, divided by k.

    >>> from cranfield.metrics.examples import example
    >>> unjudged_share(example([0, None, -1]), cutoff=5), unjudged_share(example([]), cutoff=5)
    (array([0.4]), array([0.]))
    """
    return (np.minimum(r.retrieved, cutoff) - r.sum(r.judged(cutoff))) / cutoff


UNJUDGED = Measure("Unjudged", unjudged_share, synonyms=("unj_{}", "unj"), tells_unjudged=True, explanation="""
Unjudged@k: the share of the first k ranks whose documents are unjudged.

Like Judged, it shows how far other scores can be trusted. It always divides by k, so the empty ranks of a short ranking
count as judged. Judged@k and Unjudged@k therefore add up to 1 only for rankings of at least k documents. It misleads
where rankings are short, and it does not measure quality. Grade -1 counts as unjudged, and lower grades (junk, spam)
count as judged. `cranfield trec-eval` treats both as unjudged, as trec_eval does.

Source: trec_eval's unj.
""")  # fmt: skip


def pairwise_accuracy(r: Judged, rel: int = 1, cutoff: int | None = None) -> Floats:
    """Share of the pairs of a relevant and another retrieved document that are in the right order.

    >>> from cranfield.metrics.examples import example
    >>> pairwise_accuracy(example([1, 0, 1, None]))  # 3 of the pairs (1,2), (1,4), (3,2), (3,4)
    array([0.75])
    >>> pairwise_accuracy(example([1, 1]))
    array([nan])
    """
    hit = r.relevant(rel, cutoff)
    relevant = r.sum(hit)
    depth = r.retrieved if cutoff is None else np.minimum(r.retrieved, cutoff)
    pairs = relevant * (depth - relevant)
    return ratio(pairs - r.sum(hit, hit.rank - hit.nth), pairs, undefined=np.nan)


ACCURACY = Measure("Accuracy", pairwise_accuracy, explanation="""
Accuracy of pairs: the probability that a retrieved relevant document ranks above a retrieved document that is not.

Use it to diagnose learned rankers: it is the share of document pairs in the right order, which pairwise training
optimises. It equals the area under the ROC curve of the retrieved documents. It misleads as a measure of retrieval: it
ignores relevant documents that were not retrieved, and it weighs all ranks equally. With a cutoff, a relevant document
that moves above the cutoff can lower the score, because it makes new pairs. Unjudged documents count as not relevant.
If a topic has no such pair, the measure is undefined (NaN), and the mean excludes the topic. Do not confuse it with
the accuracy of a classifier.

Source: ir_measures' Accuracy; MacAvaney, Macdonald and Ounis, Streamlining evaluation with ir-measures, ECIR 2022.
""")  # fmt: skip


def num_topics(r: Judged) -> Floats:
    """1 for each topic that counts; the summary gives the number of topics.

    >>> from cranfield.metrics.examples import example
    >>> num_topics(example([]))
    array([1.])
    """
    return np.ones(len(r.retrieved))


NUMQ = Measure(
    "NumQ", num_topics, synonyms=("num_q",), range=(0.0, float("inf")), aggregate="sum", extremes="one way",
    difference="sum",
    explanation="""
NumQ: the number of topics over which a mean is computed.

Check it first: means over different topics cannot be compared. It counts every topic of the qrels, including topics
that the run did not answer, unless you ask for retrieved topics only.

Source: trec_eval's num_q with -c.
""")  # fmt: skip


def num_retrieved(r: Judged) -> Floats:
    """Number of retrieved documents.

    >>> from cranfield.metrics.examples import example
    >>> num_retrieved(example([1, None, 0], unretrieved=[1]))
    array([3.])
    """
    return r.retrieved.astype(float)


NUMRET = Measure(
    "NumRet", num_retrieved, synonyms=("num_ret",), range=(0.0, float("inf")), aggregate="sum", extremes="one way",
    difference="sum",
    explanation="""
NumRet: the number of retrieved documents, judged or not.

It shows which runs are shorter than others. If lengths differ, recall, AP and P without a cutoff are not comparable.

Source: trec_eval's num_ret.
""")  # fmt: skip


def num_relevant(r: Judged, rel: int = 1) -> Floats:
    """Number of relevant documents of the topic, retrieved or not.

    >>> from cranfield.metrics.examples import example
    >>> num_relevant(example([1, None, 0], unretrieved=[1]))
    array([2.])
    """
    return r.num_relevant(rel).astype(float)


NUMREL = Measure(
    "NumRel", num_relevant, synonyms=("num_rel",), range=(0.0, float("inf")), aggregate="sum", extremes="one way",
    explanation="""
NumRel: the number of known relevant documents.

It is a property of the topic and equal for all runs. Unlike this measure, trec_eval's summary with -c ignores its level
-l.

Source: trec_eval's num_rel.
""")  # fmt: skip


def num_relevant_retrieved(r: Judged, rel: int = 1, cutoff: int | None = None) -> Floats:
    """Number of relevant documents retrieved, or among the first k.

    >>> from cranfield.metrics.examples import example
    >>> num_relevant_retrieved(example([1, None, 0], unretrieved=[1]))
    array([1.])
    """
    return r.sum(r.relevant(rel, cutoff))


NUMRELRET = Measure(
    "NumRelRet", num_relevant_retrieved, synonyms=("num_rel_ret",), range=(0.0, float("inf")), aggregate="sum",
    extremes="one way", explanation="""
NumRelRet: the number of relevant documents that were retrieved.

It is the numerator of recall. In a sum over topics, the topics with the most relevant documents dominate.

Source: trec_eval's num_rel_ret.
""")  # fmt: skip


def hits(r: Judged, rel: int = 1, cutoff: int | None = None) -> Floats:
    """Number of relevant documents retrieved, or among the first k; averaged over topics.

    >>> from cranfield.metrics.examples import example
    >>> hits(example([1, None, 2, 0], unretrieved=[1])), hits(example([1, None, 2]), cutoff=2)
    (array([2.]), array([1.]))
    """
    return num_relevant_retrieved(r, rel, cutoff)


HITS = Measure("Hits", hits, synonyms=("hits",), range=(0.0, float("inf")), extremes="one way", explanation="""
Hits@k: the number of relevant documents that a reader finds, averaged over topics.

NumRelRet is the same count, summed over topics as in trec_eval. The name Hits comes from ranx. The mean of Hits is
misleading, because topics with many relevant documents dominate it. R divides the count by the number of relevant
documents, and P by the number of retrieved documents.

Source: ranx: Bassani, ranx: a blazing-fast Python library for ranking evaluation and comparison, ECIR 2022.
""")  # fmt: skip


def num_nonrelevant_retrieved(r: Judged, rel: int = 1) -> Floats:
    """Number of retrieved documents that were judged not relevant.

    >>> from cranfield.metrics.examples import example
    >>> num_nonrelevant_retrieved(example([1, None, -1, 0], unretrieved=[0]))
    array([1.])
    """
    return r.sum(r.drop_negative_grades().judged()) - r.sum(r.relevant(rel))


NUMNONRELRET = Measure(
    "NumNonrelRet", num_nonrelevant_retrieved, synonyms=("num_nonrel_judged_ret",), range=(0.0, float("inf")),
    aggregate="sum", tells_unjudged=True, explanation="""
NumNonrelRet: the number of retrieved documents that were judged not relevant.

NumRet minus NumRelRet minus NumNonrelRet is the number of unjudged documents. As in trec_eval, a negative grade is not
a judgment. It misleads as a sign of a bad run, because it grows with the length of the ranking and with the number of
judgments.

Source: trec_eval's num_nonrel_judged_ret.
""")  # fmt: skip
