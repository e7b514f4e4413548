"""AP_IA, intent-aware average precision: AP for each subtopic, averaged over the subtopics."""

from __future__ import annotations

from cranfield.arrays.judged import Judged, ratio
from cranfield.arrays.rankings import Floats
from cranfield.metrics.measure import Measure
from cranfield.metrics.subtopics import covered, num_subtopics


def intent_aware_average_precision(r: Judged, rel: int = 1) -> Floats:
    """The average precision for each subtopic, averaged over the subtopics that have relevant documents.

    >>> from cranfield.metrics.examples import example
    >>> ranking = example([1, 0, 1], unretrieved=[1], subtopics=[{"a"}, set(), {"a", "b"}, {"b"}])
    >>> intent_aware_average_precision(ranking).round(4)  # a: (1/1 + 2/3) / 2, b: (1/3) / 2
    array([0.5])
    >>> intent_aware_average_precision(example([0], subtopics=[set()]))
    array([0.])
    """
    found = covered(r, rel)
    return ratio(found.sum(r, found.nth / found.rank / found.of), num_subtopics(r, rel))


AP_IA = Measure("AP_IA", intent_aware_average_precision, synonyms=("MAP_IA", "MAP-IA", "AP-IA"), explanation="""
AP_IA, intent-aware average precision: AP for each subtopic, averaged over the subtopics.

For topics that mean several things, where readers want everything on each. It needs judgments of subtopics. It misleads
as AP does, and where some meanings are wanted more often than others: all subtopics count alike, one with a single
relevant document as much as one with a hundred. Repetition is not penalised. Subtopics without any relevant document do
not count.

Source: Agrawal, Gollapudi, Halverson and Ieong, Diversifying search results, WSDM 2009; TREC's ndeval (MAP-IA).
""")  # fmt: skip
