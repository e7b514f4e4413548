"""AnsRel, answer relevance: how near the questions that an answer would answer are to the one that was asked."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan, nan, sqrt

from cranfield.metrics.answers.judged import JudgedAnswer, for_each
from cranfield.metrics.measure import Measure


def answer_relevance(answer: JudgedAnswer) -> float:
    """The mean cosine of the question and those generated from the answer; 0 if each time it was found evasive.

    >>> asked = JudgedAnswer(question=[1, 0], generated=[[2, 0], [0, 1]], noncommittal=[0, 1])
    >>> answer_relevance(asked), answer_relevance(asked._replace(noncommittal=[1, 1])), answer_relevance(JudgedAnswer())
    (0.5, 0.0, nan)
    """
    if not answer.generated or any(map(isnan, answer.noncommittal)):
        return nan
    evasive = bool(answer.noncommittal) and all(answer.noncommittal)
    cosines = [_cosine(answer.question, one) for one in answer.generated]
    return sum(cosines) / len(cosines) * (not evasive)


def _cosine(one: Sequence[float], other: Sequence[float]) -> float:
    size = sqrt(sum(x * x for x in one) * sum(x * x for x in other))
    return sum(x * y for x, y in zip(one, other, strict=True)) / size if size else nan


ANSREL = Measure(
    "AnsRel", for_each(answer_relevance), range=(-1.0, 1.0), of="answers", needs="questions", explanation="""
AnsRel, answer relevance: how near the questions that an answer would answer are to the one that was asked.

The mean cosine of the embeddings of the question and of each question that a model makes from the answer; 0 if the
model calls the answer evasive each time. It says whether an answer keeps to the question, and nothing of whether it is
right. It misleads where two embedding models are compared, whose cosines have other ranges. Questions and embeddings
come from `cranfield answers questions make`; without generated questions, or where an embedding is missing or has no
length, it is NaN.

Source: Es, James, Espinosa-Anke and Schockaert, RAGAS: automated evaluation of retrieval augmented generation, EACL
2024, and the program ragas.
""")  # fmt: skip
