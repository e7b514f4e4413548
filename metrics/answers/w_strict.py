"""W_strict, the weighted share of the nuggets that the answer supports in full; one that is okay counts half."""

from __future__ import annotations

from cranfield.metrics.answers.judged import JudgedAnswer, for_each, mean_label, strictly
from cranfield.metrics.measure import Measure


def weighted_nuggets_strict(answer: JudgedAnswer) -> float:
    """The share of the nuggets of a topic supported in full, the vital ones with weight 1, the others .5.

    >>> answer = JudgedAnswer(vital=[1, 1, 1, 0, 0], nuggets=[1, 0.5, 0, 1, 0.5])
    >>> weighted_nuggets_strict(answer), weighted_nuggets_strict(JudgedAnswer())
    (0.375, nan)
    """
    return mean_label(strictly(answer.nuggets), [1.0 if vital else 0.5 for vital in answer.vital])


W_STRICT = Measure("W_strict", for_each(weighted_nuggets_strict), of="answers", needs="nuggets", explanation="""
W_strict, the weighted share of the nuggets that the answer supports in full; one that is okay counts half.

As W, but partial support counts nothing. It misleads as W does. A label that failed or is missing makes it NaN; so
does a topic without nuggets.

Source: Pradeep et al., Initial nugget evaluation results for the TREC 2024 RAG track with the AutoNuggetizer
framework, arXiv 2411.09607, 2024; as weighed by open-rag-eval of Vectara.
""")  # fmt: skip
