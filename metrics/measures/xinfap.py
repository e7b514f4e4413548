"""xinfAP, extended inferred average precision: AP estimated from a stratified random sample of the pool."""

from __future__ import annotations

import numpy as np

from cranfield.arrays.judged import Judged, ratio
from cranfield.arrays.rankings import Floats, Mask
from cranfield.metrics.measure import Measure
from cranfield.metrics.measures.infap import SMOOTHING
from cranfield.metrics.stratified_sample import estimated, strata, weights


def extended_inferred_precision(r: Judged, rel: int = 1, smoothing: str = "paper") -> Floats:
    """Average precision, as expected from a random sample of each stratum of the pool.

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
    total = estimated(r, r.qrels_grade >= max(rel, 0))
    precision = (1 + _relevant_above(r, relevant, 2 if smoothing == "paper" else 3)) / hit.rank
    return ratio(r.sum(hit, stands_for * precision), total[r.topic])


def _relevant_above(r: Judged, relevant: Mask, outcomes: int) -> Floats:
    """Per relevant row: how many relevant documents to expect above it, summed over the strata."""
    stratum, expected = strata(r)[r.judgment], np.zeros(int(relevant.sum()))
    for one in np.unique(stratum):
        here = stratum == one
        pooled, judged, found = (
            (r.running(mask) - mask)[relevant] for mask in (here, here & (r.grade >= 0), here & relevant)
        )
        expected += pooled * (found + SMOOTHING) / (judged + outcomes * SMOOTHING)
    return expected


XINFAP = Measure("xinfAP", extended_inferred_precision, tells_unjudged=True, by_strata=True, explanation="""
xinfAP, extended inferred average precision: AP estimated from a stratified random sample of the pool.

For collections whose pools were judged deep at the top and sampled below (TREC's Million Query, Clinical Decision
Support, Precision Medicine; TRECVID): infAP stratum by stratum, each judged relevant document standing for as many
documents as its stratum has per judged one. It misleads as any estimate from few judgments does: a topic's value may be
far off, and only means over topics are to be trusted. Refused where the qrels have no strata; with one stratum it is
infAP. Where nothing above was judged in a stratum, half of its documents there are taken to be relevant, as in infAP;
NIST's sample_eval.pl, which calls this infAP, takes a third: smoothing="nist". That program stops at 1000 documents.

Source: Yilmaz, Kanoulas and Aslam, A simple and efficient sampling method for estimating AP and NDCG, SIGIR 2008.
""")  # fmt: skip
