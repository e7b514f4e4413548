"""Accuracy, of pairs: the probability that a retrieved relevant document ranks above a retrieved other one."""

from __future__ import annotations

import numpy as np

from cranfield.arrays.judged import Judged, ratio
from cranfield.arrays.rankings import Floats
from cranfield.metrics.measure import Measure


def pairwise_accuracy(r: Judged, rel: int = 1, cutoff: int | None = None) -> Floats:
    """The share of the pairs of a relevant and another retrieved document that are in the right order.

    >>> from cranfield.metrics.examples import example
    >>> pairwise_accuracy(example([1, 0, 1, None]))  # 3 of the pairs (1,2), (1,4), (3,2), (3,4)
    array([0.75])
    >>> pairwise_accuracy(example([1, 1]))
    array([nan])
    """
    hit = r.relevant(rel, cutoff)
    found = r.sum(hit)
    shown = r.retrieved if cutoff is None else np.minimum(r.retrieved, cutoff)
    pairs = found * (shown - found)
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
