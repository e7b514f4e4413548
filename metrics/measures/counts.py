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
    """Return the share of the first k documents that were judged, NaN where the qrels list relevant documents only.

    >>> from dataclasses import replace
    >>> from cranfield.metrics.examples import example
    >>> known_judged_share(replace(example([None, 1]), has_nonrelevant=False), cutoff=10)
    array([nan])
    """
    return judged_share(r, cutoff) if r.has_nonrelevant else np.full(len(r.retrieved), np.nan)


JUDGED = Measure("Judged", known_judged_share, synonyms=("judged_{}", "judged"), tells_unjudged=True, explanation="""
Judged@k: the share of the first k documents that were judged.

It says nothing about quality, but how far other scores can be trusted. Where it is low, the system was not in the pool,
and its P@k, AP and nDCG may be far too low. A short ranking divides by the documents it has; an empty ranking is
undefined (NaN), not 0. A grade of -1 counts as unjudged, a lower one (junk, spam) as judged. Where no topic
has a document of grade 0 or below, they list relevant documents only; what else was judged is unknown, so it is
undefined.

Source: ir_measures' Judged; its complement is trec_eval's unj, which divides by k always.
""")  # fmt: skip


def unjudged_share(r: Judged, cutoff: int) -> Floats:
    """The unjudged documents among the first k, over k.

    >>> from cranfield.metrics.examples import example
    >>> unjudged_share(example([0, None, -1]), cutoff=5), unjudged_share(example([]), cutoff=5)
    (array([0.4]), array([0.]))
    """
    return (np.minimum(r.retrieved, cutoff) - r.sum(r.judged(cutoff))) / cutoff


UNJUDGED = Measure("Unjudged", unjudged_share, synonyms=("unj_{}", "unj"), tells_unjudged=True, explanation="""
Unjudged@k: the share of the first k ranks that are unjudged.

Like Judged it shows how far other scores can be trusted, but it always divides by k: what a short ranking leaves empty
counts as judged, so Judged@k and Unjudged@k add up to 1 only for rankings of at least k documents. It misleads where
rankings are short, and says nothing of quality. A grade of -1 counts as unjudged, a lower one (junk, spam) as judged;
`cranfield trec-eval` takes both as unjudged, as trec_eval does.

Source: trec_eval's unj.
""")  # fmt: skip


def pairwise_accuracy(r: Judged, rel: int = 1, cutoff: int | None = None) -> Floats:
    """The share of the pairs of a relevant and another retrieved document that are in the right order.

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
Accuracy, of pairs: the probability that a retrieved relevant document ranks above a retrieved other one.

A diagnostic for learned rankers: the share of pairs in the right order, which is what pairwise training optimises; the
area under the ROC curve of what was retrieved. It misleads as a measure of retrieval, because it ignores what was not
retrieved, and the last ranks weigh as much as the first; with a cutoff, a relevant document that moves above it can
lower the score, since it makes new pairs. Unjudged documents count as not relevant. Where there is no such pair it is
undefined (NaN), and such topics are left out of the mean. Not the accuracy of classifiers.

Source: ir_measures' Accuracy; MacAvaney, Macdonald and Ounis, Streamlining evaluation with ir-measures, ECIR 2022.
""")  # fmt: skip


def num_topics(r: Judged) -> Floats:
    """The topics that count: 1 for each, their number in the summary.

    >>> from cranfield.metrics.examples import example
    >>> num_topics(example([]))
    array([1.])
    """
    return np.ones(len(r.retrieved))


NUMQ = Measure(
    "NumQ", num_topics, synonyms=("num_q",), range=(0.0, float("inf")), aggregate="sum", extremes="one way",
    difference="sum",
    explanation="""
NumQ: the number of topics that a mean is over.

Check it first: means over different topics cannot be compared. Every topic of the qrels counts, answered or not, unless
only retrieved topics are asked for.

Source: trec_eval's num_q with -c.
""")  # fmt: skip


def num_retrieved(r: Judged) -> Floats:
    """The documents retrieved.

    >>> from cranfield.metrics.examples import example
    >>> num_retrieved(example([1, None, 0], unretrieved=[1]))
    array([3.])
    """
    return r.retrieved.astype(float)


NUMRET = Measure(
    "NumRet", num_retrieved, synonyms=("num_ret",), range=(0.0, float("inf")), aggregate="sum", extremes="one way",
    difference="sum",
    explanation="""
NumRet: the number of documents retrieved, judged or not.

It shows which runs are shorter than others; their recall, AP and P without a cutoff are not comparable.

Source: trec_eval's num_ret.
""")  # fmt: skip


def num_relevant(r: Judged, rel: int = 1) -> Floats:
    """The relevant documents of the topic, retrieved or not.

    >>> from cranfield.metrics.examples import example
    >>> num_relevant(example([1, None, 0], unretrieved=[1]))
    array([2.])
    """
    return r.num_relevant(rel).astype(float)


NUMREL = Measure(
    "NumRel", num_relevant, synonyms=("num_rel",), range=(0.0, float("inf")), aggregate="sum", extremes="one way",
    explanation="""
NumRel: the number of known relevant documents.

A fact of the topic, the same for every run. (trec_eval's summary with -c ignores its level -l; this one does not.)

Source: trec_eval's num_rel.
""")  # fmt: skip


def num_relevant_retrieved(r: Judged, rel: int = 1, cutoff: int | None = None) -> Floats:
    """The relevant documents retrieved, or among the first k.

    >>> from cranfield.metrics.examples import example
    >>> num_relevant_retrieved(example([1, None, 0], unretrieved=[1]))
    array([1.])
    """
    return r.sum(r.relevant(rel, cutoff))


NUMRELRET = Measure(
    "NumRelRet", num_relevant_retrieved, synonyms=("num_rel_ret",), range=(0.0, float("inf")), aggregate="sum",
    extremes="one way", explanation="""
NumRelRet: the number of relevant documents retrieved.

The numerator of recall. In a sum over topics, those with most relevant documents dominate.

Source: trec_eval's num_rel_ret.
""")  # fmt: skip


def hits(r: Judged, rel: int = 1, cutoff: int | None = None) -> Floats:
    """The relevant documents retrieved, or among the first k; averaged over topics.

    >>> from cranfield.metrics.examples import example
    >>> hits(example([1, None, 2, 0], unretrieved=[1])), hits(example([1, None, 2]), cutoff=2)
    (array([2.]), array([1.]))
    """
    return num_relevant_retrieved(r, rel, cutoff)


HITS = Measure("Hits", hits, synonyms=("hits",), range=(0.0, float("inf")), extremes="one way", explanation="""
Hits@k: how many relevant documents a reader finds, on average over topics.

The name is ranx's. NumRelRet is the same count summed over topics, as in trec_eval. It misleads in a mean, which topics
with many relevant documents dominate; R divides it by what is relevant, P by what was retrieved.

Source: ranx: Bassani, ranx: a blazing-fast Python library for ranking evaluation and comparison, ECIR 2022.
""")  # fmt: skip


def num_nonrelevant_retrieved(r: Judged, rel: int = 1) -> Floats:
    """The retrieved documents that were judged, and judged not relevant.

    >>> from cranfield.metrics.examples import example
    >>> num_nonrelevant_retrieved(example([1, None, -1, 0], unretrieved=[0]))
    array([1.])
    """
    return r.sum(r.drop_negatives().judged()) - r.sum(r.relevant(rel))


NUMNONRELRET = Measure(
    "NumNonrelRet", num_nonrelevant_retrieved, synonyms=("num_nonrel_judged_ret",), range=(0.0, float("inf")),
    aggregate="sum", tells_unjudged=True, explanation="""
NumNonrelRet: the number of retrieved documents that were judged not relevant.

NumRet less NumRelRet and NumNonrelRet is the number of unjudged documents; as in trec_eval, no negative grade is a
judgment. It misleads as a sign of a bad run: it grows with the length of a ranking and with the number of judgments.

Source: trec_eval's num_nonrel_judged_ret.
""")  # fmt: skip
