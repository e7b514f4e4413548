"""Measures for incomplete judgments: by judged documents alone, or estimated from a sample of the pool.

The pool of a stratified sample is divided into strata, and in each stratum a uniform random sample is judged. The
other documents have a negative grade in the qrels, so the size of each stratum is known.
"""

import numpy as np

from cranfield.arrays.judged import Judged, ratio
from cranfield.arrays.rankings import Floats, Ints, Mask
from cranfield.errors import MeasureError
from cranfield.metrics.measure import Measure
from cranfield.metrics.options import Alias, gain_of


def stratum_by_judgment(r: Judged) -> Ints:
    """The stratum of each judgment; judgments without strata are an error.

    >>> from cranfield.metrics.examples import example
    >>> stratum_by_judgment(example([1]))
    Traceback (most recent call last):
    ...
    cranfield.errors.MeasureError: the judgments have no strata; expected a stratified sample's qrels:
    qid iteration docno stratum grade
    """
    if r.qrels_stratum is None:
        columns = "qid iteration docno stratum grade"
        raise MeasureError(f"the judgments have no strata; expected a stratified sample's qrels: {columns}")
    return r.qrels_stratum


def weights(r: Judged) -> Floats:
    """Per judgment: how many documents of its topic's stratum a judged one stands for, 0 where none was judged.

    >>> from cranfield.metrics.examples import example
    >>> weights(example([1, -1, 0], unretrieved=[-1, 1], strata=[1, 1, 2, 2, 2]))  # 2 of 1 judged, 3 of 2 judged
    array([2. , 2. , 1.5, 1.5, 1.5])
    """
    key, pooled, judged = _stratum_sizes(r)
    return np.asarray(ratio(pooled, judged)[key])


def estimate_count(r: Judged, such: Mask) -> Floats:
    """Per topic: the estimated number of documents like those found, summed by stratum as in NIST's sample_eval.

    Six of twelve judged in a stratum of thirteen stand for 6.5 documents, where six times 13/12 would be 6.4999...:

    >>> from cranfield.metrics.examples import example
    >>> some = example([1] * 6 + [0] * 6 + [-1], strata=[1] * 13)
    >>> estimate_count(some, some.qrels_grade > 0), weights(some)[:6].cumsum()[-1].item()
    (array([6.5]), 6.499999999999999)
    """
    key, pooled, judged = _stratum_sizes(r)
    judged_strata = np.bincount(key[such], minlength=len(pooled)) * pooled
    topic = np.repeat(np.arange(len(r.qids)), len(pooled) // max(len(r.qids), 1))
    return np.bincount(topic, ratio(judged_strata, judged), minlength=len(r.qids)).astype(float)


def strata_without_judgments_message(r: Judged) -> str | None:
    """What these measures miss, if anything: strata without any judged document.

    >>> from cranfield.metrics.examples import example
    >>> strata_without_judgments_message(example([1, 0, -1], unretrieved=[-1], strata=[1, 1, 2, 2]))
    '1 stratum with 2 documents contains no judged document, for example in topic topic; these documents count as not
    relevant'
    >>> strata_without_judgments_message(example([1, -1], strata=[1, 1]))
    """
    key, pooled, judged = _stratum_sizes(r)
    unseen = (pooled > 0) & (judged == 0)
    if not unseen.any():
        return None
    first = r.qids[r.qrels_topic[unseen[key]][0]]
    documents = pooled[unseen].sum()
    noun, contain = ("stratum", "contains") if unseen.sum() == 1 else ("strata", "contain")
    return (
        f"{unseen.sum()} {noun} with {documents} documents {contain} no judged document, for example in topic "
        f"{first}; these documents count as not relevant"
    )


def _stratum_sizes(r: Judged) -> tuple[Ints, Ints, Ints]:
    """Per judgment its stratum, topic by topic; per such stratum how many documents it has, and how many judged."""
    stratum = stratum_by_judgment(r)
    size = int(stratum.max(initial=0)) + 1
    key = r.qrels_topic * size + stratum
    pooled = np.bincount(key, minlength=len(r.qids) * size)
    return key, pooled, np.bincount(key[r.qrels_grade >= 0], minlength=len(pooled))


def binary_preference(r: Judged, rel: int = 1) -> Floats:
    """Share of the documents judged not relevant that a relevant document ranks above, averaged.

    >>> from cranfield.metrics.examples import example
    >>> binary_preference(example([0, None, 1, 1], unretrieved=[0]))  # one of two above each: (1/2 + 1/2) / 2
    array([0.5])
    >>> binary_preference(example([None, None, 1]))
    array([1.])
    """
    r = r.drop_negative_grades()
    hit, num_relevant = r.condensed().relevant(rel), r.num_relevant(rel)
    most = np.minimum(num_relevant, r.num_nonrelevant(rel))[hit.ranking]
    worse = ratio(np.minimum(hit.rank - hit.nth, num_relevant[hit.ranking]), most)
    return ratio(r.sum(hit, 1 - worse), num_relevant)


BPREF = Measure(
    "Bpref", binary_preference, synonyms=("bpref",), tells_unjudged=True, aliases=(Alias("BPref"),), condenses=True,
    explanation="""
Bpref, binary preference: how often a relevant document ranks above the documents judged not relevant.

It uses only judged documents, so it stays comparable if judgments are missing at random. It misleads where a system was
not pooled: that system benefits, because its high-ranked unjudged documents do not count against it. A relevant
document that was not retrieved counts as 0. The paper's first formula divides by R. This is the later formula
(trec_eval 8 and later), which divides by min(N, R), where N is the number of documents judged not relevant. As in
trec_eval, a negative grade is not a judgment.

Source: Buckley and Voorhees, Retrieval evaluation with incomplete information, SIGIR 2004; trec_eval's bpref.
""")  # fmt: skip


def geometric_binary_preference(r: Judged, rel: int = 1) -> Floats:
    """Binary preference; its mean over topics is geometric.

    >>> from cranfield.metrics.examples import example
    >>> geometric_binary_preference(example([None, 1, 0]))
    array([1.])
    """
    return binary_preference(r, rel)


GBPREF = Measure(
    "gBpref", geometric_binary_preference, synonyms=("gm_bpref",), aggregate="geometric mean", tells_unjudged=True,
    condenses=True, explanation="""
gBpref: the geometric mean of Bpref over topics.

It shows how a system performs on its worst topics, and uses only judged documents. Where few documents are judged, it
misleads in the same cases as Bpref. In addition, the floor of 0.00001 determines how much a topic with score 0 weighs.

Source: trec_eval's gm_bpref; Robertson, On GMAP - and other transformations, CIKM 2006, for the mean.
""")  # fmt: skip


SMOOTHING = 1e-5


def inferred_average_precision(r: Judged, rel: int = 1) -> Floats:
    """Average precision, with each precision estimated from the judged documents ranked above.

    >>> from cranfield.metrics.examples import example
    >>> inferred_average_precision(example([1, -1, 1])).round(4)  # rank 3: 1/3 + 2/3 * (2/2) * (1/1)
    array([1.])
    >>> inferred_average_precision(example([1, None, 1])).round(4)  # rank 3: 1/3 + 2/3 * (1/2) * (1/1)
    array([0.8333])
    """
    hit, relevant = r.relevant(rel), r.grade >= rel
    pooled_above = r.running_count(np.ones_like(relevant))[relevant] - 1
    judged_above = r.running_count(r.grade >= 0)[relevant] - 1
    share = (hit.nth - 1 + SMOOTHING) / (judged_above + 2 * SMOOTHING)
    return ratio(r.sum(hit, (1 + pooled_above * share) / hit.rank), r.num_relevant(rel))


INFAP = Measure("infAP", inferred_average_precision, tells_unjudged=True, explanation="""
infAP, inferred average precision: AP estimated from a random sample of the pool.

It misleads unless the judged documents are a uniform random sample of the pool; samples with two depths or rates need
other estimators. Unjudged documents of the pool have a negative grade in the qrels, as in trec_eval; any negative grade
has this meaning. Documents outside the pool count as not relevant. If everything is judged, it equals AP, except for
the smoothing of 0.00001.

Source: Yilmaz and Aslam, Estimating average precision with incomplete and imperfect judgments, CIKM 2006; trec_eval's
infAP.
""")  # fmt: skip


def extended_inferred_precision(r: Judged, rel: int = 1, smoothing: str = "paper") -> Floats:
    """Average precision, estimated from a random sample of each stratum of the pool.

    >>> from cranfield.metrics.examples import example
    >>> ranking = example([1, -1, 1, 0], unretrieved=[-1, -1], strata=[1, 2, 2, 2, 1, 2])
    >>> extended_inferred_precision(ranking).round(4)  # weights 2, 2; (2 * 1 + 2 * (1 + 1 + 1/2) / 3) / 4
    array([0.9167])
    >>> extended_inferred_precision(ranking, smoothing="nist").round(4)  # (2 * 1 + 2 * (1 + 1 + 1/3) / 3) / 4
    array([0.8889])
    """
    weight, relevant = weights(r), r.grade >= max(rel, 0)
    hit = r.relevant(rel)
    stands_for = weight[r.judgment[relevant]]
    total = estimate_count(r, r.qrels_grade >= max(rel, 0))
    precision = (1 + _relevant_above(r, relevant, 2 if smoothing == "paper" else 3)) / hit.rank
    return ratio(r.sum(hit, stands_for * precision), total[r.topic])


def _relevant_above(r: Judged, relevant: Mask, outcomes: int) -> Floats:
    """Per relevant row: how many relevant documents to expect above it, summed over the strata."""
    stratum, number = stratum_by_judgment(r)[r.judgment], np.zeros(int(relevant.sum()))
    for one in np.unique(stratum):
        here = stratum == one
        pooled, judged, hits = (
            (r.running_count(mask) - mask)[relevant] for mask in (here, here & (r.grade >= 0), here & relevant)
        )
        number += pooled * (hits + SMOOTHING) / (judged + outcomes * SMOOTHING)
    return number


XINFAP = Measure("xinfAP", extended_inferred_precision, tells_unjudged=True, needs_strata=True, explanation="""
xinfAP, extended inferred average precision: AP estimated from a stratified random sample of the pool.

Use it for collections whose pools were judged deep at the top and sampled below. Examples are TREC's Million Query,
Clinical Decision Support and Precision Medicine tracks, and TRECVID. It applies infAP stratum by stratum. Each judged
relevant document counts for as many documents as its stratum has per judged document. Like any estimate from few
judgments, it misleads on single topics: a topic's value may be far off, so trust only means over topics.

The qrels must contain strata. With one stratum it is infAP. If no document above is judged in a stratum, it assumes
that half of the stratum's documents there are relevant, as infAP does. NIST's sample_eval.pl calls this measure infAP
and assumes a third: smoothing="nist". That program stops at 1,000 documents.

Source: Yilmaz, Kanoulas and Aslam, A simple and efficient sampling method for estimating AP and NDCG, SIGIR 2008.
""")  # fmt: skip


def inferred_gain(r: Judged, gains: str = "linear", cutoff: int | None = None) -> Floats:
    """Discounted cumulative gain, divided by its value for the best ranking, both estimated from the sample.

    >>> from cranfield.metrics.examples import example
    >>> inferred_gain(example([1, 2, 0], strata=[1, 2, 2])) == [(1 + 2 / np.log2(3)) / (2 + 1 / np.log2(3))]
    array([ True])
    >>> inferred_gain(example([1, -1], strata=[1, 1])).round(4)  # 2 * 1/1, and the ideal has two: 1/1 + 1/1.585
    array([1.2263])
    >>> thirteen = example([1] * 6 + [0] * 6 + [-1], strata=[1] * 13)  # 6 of 12 judged: 6.5 of 13, and the ideal has 7
    >>> inferred_gain(thirteen).round(4)
    array([0.9841])
    """
    key, within = stratum_by_judgment(r)[r.judgment], r.is_within(cutoff)
    total = np.zeros(len(r.retrieved))
    for one in np.unique(key):
        here = within & (key == one)
        judged = r.hits(here & (r.grade >= 0))
        mean = ratio(r.sum(judged, gain_of(judged.grade, gains) / np.log2(judged.rank + 1)), r.sum(judged))
        total += r.sum(r.hits(here)) * mean
    return ratio(total, r.values_by_ranking(_ideal(r, gains, cutoff)))


def _ideal(r: Judged, gains: str, cutoff: int | None) -> Floats:
    """Per topic: the discounted gain of the estimated number of documents of each gain, best first."""
    gain = gain_of(r.qrels_grade, gains)
    best, before = np.zeros(len(r.qids)), np.zeros(len(r.qids), np.int64)
    for worth in np.unique(gain[gain > 0])[::-1]:
        end_rank = before + np.floor(estimate_count(r, gain == worth) + 0.5).astype(np.int64)
        discounts = np.concatenate([[0.0], np.cumsum(1 / np.log2(np.arange(2, end_rank.max() + 2)))])
        first, last = (at if cutoff is None else np.minimum(at, cutoff) for at in (before, end_rank))
        best += worth * (discounts[last] - discounts[first])
        before = end_rank
    return best


INFNDCG = Measure(
    "infNDCG", inferred_gain, range=(0.0, float("inf")), tells_unjudged=True, needs_strata=True, explanation="""
infNDCG, inferred nDCG: nDCG estimated from a stratified random sample of the pool.

It is xinfAP's companion for graded judgments, and the measure of TREC's Clinical Decision Support and Precision
Medicine tracks. It scales the gains of the judged documents retrieved from a stratum up to all documents retrieved from
that stratum. The ideal ranking has the estimated number of documents of each grade, with halves rounded up. It misleads
in the same cases as xinfAP. As a quotient of two estimates, it can exceed 1. The qrels must contain strata. If
everything is judged, it is nDCG. NIST's sample_eval.pl computes infNDCG@1000. It also scales by the documents retrieved
from a stratum, not by the whole stratum.

Source: Yilmaz, Kanoulas and Aslam, A simple and efficient sampling method for estimating AP and NDCG, SIGIR 2008; the
authors' program sample_eval.pl, as published by NIST.
""")  # fmt: skip
