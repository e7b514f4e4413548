"""A_strict, the share of all nuggets that the answer supports in full."""

from __future__ import annotations

from cranfield.metrics.answers.judged import JudgedAnswer, for_each, mean_label, strictly
from cranfield.metrics.measure import Measure


def all_nuggets_strict(answer: JudgedAnswer) -> float:
    """The share of the nuggets of a topic that an answer supports in full.

    >>> answer = JudgedAnswer(vital=[1, 1, 1, 0, 0], nuggets=[1, 0.5, 0, 1, 0.5])
    >>> all_nuggets_strict(answer), all_nuggets_strict(JudgedAnswer())
    (0.4, nan)
    """
    return mean_label(strictly(answer.nuggets))


A_STRICT = Measure("A_strict", for_each(all_nuggets_strict), of="answers", needs="nuggets", explanation="""
A_strict, the share of all nuggets that the answer supports in full.

Partial support counts nothing. It misleads as A does, and where assessors differ in what they call partial, which
decides here about a whole nugget, in A about half of one.

Source: Pradeep et al., Initial nugget evaluation results for the TREC 2024 RAG track with the AutoNuggetizer
framework, arXiv 2411.09607, 2024.
""")  # fmt: skip
