"""W, the weighted mean support of all nuggets, in which one that is okay counts half a vital one."""

from __future__ import annotations

from cranfield.metrics.answers.judged import JudgedAnswer, for_each, mean_label
from cranfield.metrics.measure import Measure


def weighted_nuggets(answer: JudgedAnswer) -> float:
    """The mean support of the nuggets of a topic, the vital ones with weight 1, the others with .5.

    >>> answer = JudgedAnswer(vital=[1, 1, 1, 0, 0], nuggets=[1, 0.5, 0, 1, 0.5])
    >>> weighted_nuggets(answer), weighted_nuggets(JudgedAnswer())
    (0.5625, nan)
    """
    return mean_label(answer.nuggets, [1.0 if vital else 0.5 for vital in answer.vital])


W = Measure("W", for_each(weighted_nuggets), of="answers", needs="nuggets", explanation="""
W, the weighted mean support of all nuggets, in which one that is okay counts half a vital one.

W = sum(w s) / sum(w), w 1 for a vital nugget and .5 for one that is okay; s 1, .5 or 0. It misleads where topics
differ much in how many nuggets are okay. A label that failed or is missing makes it NaN; so does a topic without
nuggets.

Source: Pradeep et al., Initial nugget evaluation results for the TREC 2024 RAG track with the AutoNuggetizer
framework, arXiv 2411.09607, 2024; as weighed by open-rag-eval of Vectara.
""")  # fmt: skip
