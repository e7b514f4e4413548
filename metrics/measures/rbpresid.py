"""RBPresid: how much higher RBP would be if everything unknown were relevant."""

from __future__ import annotations

from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats
from cranfield.metrics.aliases import Alias, persistence
from cranfield.metrics.measure import Measure


def rank_biased_residual(r: Judged, p: float = 0.8, cutoff: int | None = None) -> Floats:
    """The weight of all ranks that are unjudged or empty.

    >>> from cranfield.metrics.examples import example
    >>> rank_biased_residual(example([1, None, 0]), p=0.5)  # 1/4 of the second, 1/8 of all after the third
    array([0.375])
    >>> rank_biased_residual(example([]))
    array([1.])
    """
    hit = r.judged(cutoff)
    return 1 - (1 - p) * r.sum(hit, p ** (hit.rank - 1.0))


RBPRESID = Measure(
    "RBPresid", rank_biased_residual, synonyms=("RBPResid",), tells_unjudged=True,
    aliases=(Alias("rbp_resid", r"(?:p=)?[\d.]+", persistence),), explanation="""
RBPresid: how much higher RBP would be if everything unknown were relevant.

RBP is a lower bound; RBP + RBPresid is the upper one. The residual counts the unjudged documents, at their ranks, and
everything below the end of the ranking (p^n). A grade of -1 counts as unjudged, a lower one (junk, spam) as judged.
Where the residual exceeds the difference between two systems, that difference is not established. It misleads if read
as a likely error: it is the greatest possible one. Not to be confused with a confidence interval.

Source: Moffat and Zobel, Rank-biased precision for measurement of retrieval effectiveness, TOIS 27(1), 2008, section 4.
(trec_eval 10.0's rbp_resid leaves p^n out where everything retrieved is judged, and takes all negative grades as
unjudged.)
""")  # fmt: skip
