"""StRecall, subtopic recall: the share of a topic's subtopics that the first k documents cover."""

from __future__ import annotations

from cranfield.arrays.judged import Judged, ratio
from cranfield.arrays.rankings import Floats
from cranfield.metrics.measure import Measure
from cranfield.metrics.subtopics import covered, num_subtopics


def subtopic_recall(r: Judged, cutoff: int, rel: int = 1) -> Floats:
    """The share of the subtopics with relevant documents that the first k documents cover.

    >>> from cranfield.metrics.examples import example
    >>> ranking = example([1, 0, 1], unretrieved=[1], subtopics=[{"a"}, set(), {"a", "b"}, {"c"}])
    >>> subtopic_recall(ranking, cutoff=2), subtopic_recall(ranking, cutoff=3)
    (array([0.33333333]), array([0.66666667]))
    """
    found = covered(r, rel, cutoff)
    return ratio(found.sum(r, (found.nth == 1).astype(float)), num_subtopics(r, rel))


STRECALL = Measure("StRecall", subtopic_recall, synonyms=("strec_{}", "strec"), explanation="""
StRecall, subtopic recall: the share of a topic's subtopics that the first k documents cover.

The simplest measure of diversity: are all meanings covered? It needs judgments of subtopics. It misleads by ignoring
the order within the first k and all repetition, and StRecall@k cannot reach 1 where a topic has more subtopics than k
documents can cover. Also called S-recall and I-rec; R@k counts documents instead. Subtopics without any relevant
document do not count, as in ndeval.

Source: Zhai, Cohen and Lafferty, Beyond independent relevance: methods and evaluation metrics for subtopic retrieval,
SIGIR 2003; TREC's ndeval (strec).
""")  # fmt: skip
