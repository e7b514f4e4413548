"""R, recall: the share of the relevant documents that were found."""

from __future__ import annotations

from cranfield.arrays.judged import Judged, ratio
from cranfield.arrays.rankings import Floats
from cranfield.metrics.measure import Measure


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
    "R", recall, synonyms=("recall_{}", "set_recall", "SetR", "recall", "Recall"), extremes="one way",
    difference="recall", explanation="""
R, recall: the share of the relevant documents that were found.

For searches that must miss nothing, and for the first stage of several. It misleads where judgments are incomplete: an
unjudged relevant document does not count as missed, and what only a new system finds does not count. R@k cannot reach 1
where a topic has more than k relevant documents; a topic without relevant documents scores 0, as in trec_eval. Not to
be confused with Rprec, nor with Success ("recall@k" in question answering is often Success@k).

Source: Cleverdon, Mills and Keen, Factors determining the performance of indexing systems, 1966; trec_eval's recall.
""")  # fmt: skip
