"""V, the mean support of the vital nuggets: how much of what a good answer must say this one says."""

from __future__ import annotations

from cranfield.metrics.answers.judged import JudgedAnswer, for_each, mean_label
from cranfield.metrics.measure import Measure


def vital_nuggets(answer: JudgedAnswer) -> float:
    """The mean over the vital nuggets of a topic of support, 1, partial support, .5, and no support, 0.

    >>> answer = JudgedAnswer(vital=[1, 1, 1, 0, 0], nuggets=[1, 0.5, 0, 1, 0.5])
    >>> vital_nuggets(answer), vital_nuggets(JudgedAnswer(vital=[0], nuggets=[1]))
    (0.5, nan)
    """
    return mean_label([label for label, vital in zip(answer.nuggets, answer.vital, strict=True) if vital])


V = Measure("V", for_each(vital_nuggets), of="answers", needs="nuggets", explanation="""
V, the mean support of the vital nuggets: how much of what a good answer must say this one says.

Partial support counts half. It misleads where topics have one or two vital nuggets: it has hardly any values then. A
topic without a vital nugget is undefined, NaN, and counted; a label of a vital nugget that failed makes it NaN, too.

Source: Pradeep et al., Initial nugget evaluation results for the TREC 2024 RAG track with the AutoNuggetizer
framework, arXiv 2411.09607, 2024.
""")  # fmt: skip
