"""V_strict, the share of the vital nuggets that the answer supports in full."""

from __future__ import annotations

from cranfield.metrics.answers.judged import JudgedAnswer, for_each, mean_label, strictly
from cranfield.metrics.measure import Measure


def vital_nuggets_strict(answer: JudgedAnswer) -> float:
    """The share of the vital nuggets of a topic that an answer supports in full.

    >>> answer = JudgedAnswer(vital=[1, 1, 1, 0, 0], nuggets=[1, 0.5, 0, 1, 0.5])
    >>> round(vital_nuggets_strict(answer), 4), vital_nuggets_strict(JudgedAnswer(vital=[0], nuggets=[1]))
    (0.3333, nan)
    """
    labels = strictly(answer.nuggets)
    return mean_label([label for label, vital in zip(labels, answer.vital, strict=True) if vital])


V_STRICT = Measure("V_strict", for_each(vital_nuggets_strict), of="answers", needs="nuggets", explanation="""
V_strict, the share of the vital nuggets that the answer supports in full.

The main measure of the TREC 2024 RAG track. It misleads where topics have one or two vital nuggets, and hides what an
answer says half. A topic without a vital nugget is undefined, NaN, and counted.

Source: Pradeep et al., Initial nugget evaluation results for the TREC 2024 RAG track with the AutoNuggetizer
framework, arXiv 2411.09607, 2024.
""")  # fmt: skip
