"""NRBP, novelty- and rank-biased precision: RBP for diversity."""

from __future__ import annotations

from cranfield.arrays.judged import Judged, ratio
from cranfield.arrays.rankings import Floats
from cranfield.errors import MeasureError
from cranfield.metrics.measure import Measure
from cranfield.metrics.subtopics import covered, num_subtopics


def novelty_biased_precision(r: Judged, alpha: float = 0.5, beta: float = 0.5, rel: int = 1) -> Floats:
    """The novel subtopics seen by a reader who continues with probability beta, relative to the best conceivable.

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
    found = covered(r, rel)
    return found.sum(r, (1 - alpha) ** (found.nth - 1.0) * beta ** (found.rank - 1.0))


NRBP = Measure("NRBP", novelty_biased_precision, explanation="""
NRBP, novelty- and rank-biased precision: RBP for diversity.

A reader who wants some of the subtopics continues to the next document with probability beta, and has enough of a
subtopic with probability alpha after each document that covers it. It needs judgments of subtopics. It misleads as RBP
does, since it never reaches 1 on a finite ranking, and as ERR_IA does, since all subtopics count alike. The score is
relative to the best conceivable ranking, as in ndeval.

Source: Clarke, Kolla and Vechtomova, An effectiveness measure for ambiguous and underspecified queries, ICTIR 2009;
TREC's ndeval.
""")  # fmt: skip
