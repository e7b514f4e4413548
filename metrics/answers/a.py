"""A, the mean support of all nuggets: how much of what a good answer says this one says."""

from __future__ import annotations

from cranfield.metrics.answers.judged import JudgedAnswer, for_each, mean_label
from cranfield.metrics.measure import Measure


def all_nuggets(answer: JudgedAnswer) -> float:
    """The mean over the nuggets of a topic of support, 1, partial support, .5, and no support, 0.

    >>> answer = JudgedAnswer(vital=[1, 1, 1, 0, 0], nuggets=[1, 0.5, 0, 1, 0.5])
    >>> round(all_nuggets(answer), 4), all_nuggets(JudgedAnswer()), all_nuggets(JudgedAnswer([1], [float("nan")]))
    (0.6, nan, nan)
    """
    return mean_label(answer.nuggets)


A = Measure("A", for_each(all_nuggets), of="answers", needs="nuggets", explanation="""
A, the mean support of all nuggets: how much of what a good answer says this one says.

Partial support counts half. It misleads where most nuggets are merely okay: an answer that lacks all that is vital can
still have a high one (see V). A label that failed or is missing makes it NaN; so does a topic without nuggets.

Source: Pradeep et al., Initial nugget evaluation results for the TREC 2024 RAG track with the AutoNuggetizer
framework, arXiv 2411.09607, 2024.
""")  # fmt: skip
