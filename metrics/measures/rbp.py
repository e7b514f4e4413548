"""RBP, rank-biased precision: the gain per document read of a reader who continues with probability p."""

from __future__ import annotations

import numpy as np

from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats
from cranfield.metrics.aliases import PAIRS, Alias, persistence_and_gains
from cranfield.metrics.gains import gain_of
from cranfield.metrics.measure import Measure


def rank_biased_precision(
    r: Judged, p: float = 0.8, gains: str = "binary", rel: int = 1, cutoff: int | None = None, normalize: bool = True
) -> Floats:
    """The relevant documents per document read, for a reader who continues with probability p.

    >>> from cranfield.metrics.examples import example
    >>> rank_biased_precision(example([1, None, 1]), p=0.5)  # 1/2 * (1 + 1/4)
    array([0.625])
    >>> rank_biased_precision(example([1, None, 2]), p=0.5, gains="linear")  # 1/2 * (1/2 + 2/2 * 1/4)
    array([0.375])
    >>> rank_biased_precision(example([1, None, 2]), p=0.5, gains="linear", normalize=False)  # 1/2 * (1 + 2 * 1/4)
    array([0.75])
    """
    if gains == "binary":
        hit = r.relevant(rel, cutoff)
        return (1 - p) * r.sum(hit, p ** (hit.rank - 1.0))
    hit = r.judged(cutoff)
    highest = r.of_topics(_highest_gain(r, gains))[hit.ranking] if normalize else 1.0
    return (1 - p) * r.sum(hit, gain_of(hit.grade, gains) / highest * p ** (hit.rank - 1.0))


def _highest_gain(r: Judged, gains: str) -> Floats:
    """Per topic: the highest gain of its judgments, at least 1."""
    highest = np.ones(len(r.qids))
    np.maximum.at(highest, r.qrels_topic, gain_of(r.qrels_grade, gains))
    return highest


RBP = Measure(
    "RBP", rank_biased_precision, aliases=(Alias("rbp", PAIRS, persistence_and_gains),), extremes="rank-biased",
    difference="sum of binary gains", explanation="""
RBP, rank-biased precision: the gain per document read of a reader who continues with probability p.

It does not need the number of relevant documents, so topics and collections of unknown completeness can be compared,
and the effect of unjudged documents can be bounded. p=0.5 is an impatient reader, 0.95 a patient one: different values
of p are different measures. It misleads by never reaching 1 on a finite ranking. Gains are binary, by rel;
gains="linear", "exp" or a list make it graded: then each gain is divided by the topic's highest (or by 1, if that is
greater), and rel has no effect. With normalize=False gains count as they are, and values above 1 are possible: ranx's
rbp.80 is RBP(p=0.8,gains="linear",normalize=False). The score of a ranking with unjudged documents is a lower bound:
RBPresid is how much more it may be.

Source: Moffat and Zobel, Rank-biased precision for measurement of retrieval effectiveness, TOIS 27(1), 2008. (The rbp
of trec_eval 10.0, RBP(p=0.9,gains="linear") here, reads uninitialised memory and is no reference.)
""")  # fmt: skip
