"""Measures of the nuggets that an answer says."""

from cranfield.features.answers.measures.judged import JudgedAnswer, map_answers, mean_label, strictly
from cranfield.metrics.measure import Measure


def vital_nuggets_strict(answer: JudgedAnswer) -> float:
    """Share of the topic's vital nuggets that the answer supports in full.

    >>> answer = JudgedAnswer(vital=[1, 1, 1, 0, 0], nuggets=[1, 0.5, 0, 1, 0.5])
    >>> round(vital_nuggets_strict(answer), 4), vital_nuggets_strict(JudgedAnswer(vital=[0], nuggets=[1]))
    (0.3333, nan)
    """
    labels = strictly(answer.nuggets)
    return mean_label([label for label, vital in zip(labels, answer.vital, strict=True) if vital])


V_STRICT = Measure("V_strict", map_answers(vital_nuggets_strict), of="answers", needs="nuggets", explanation="""
V_strict, the share of the vital nuggets that the answer supports in full.

It is the main measure of the TREC 2024 RAG track. It misleads where topics have only one or two vital nuggets, and it
ignores partial support. It is undefined (NaN) on a topic without vital nuggets; a note gives the number of such topics.

Source: Pradeep et al., Initial nugget evaluation results for the TREC 2024 RAG track with the AutoNuggetizer
framework, arXiv 2411.09607, 2024.
""")  # fmt: skip


def vital_nuggets(answer: JudgedAnswer) -> float:
    """Mean support of the topic's vital nuggets: 1 in full, 0.5 in part, 0 if absent.

    >>> answer = JudgedAnswer(vital=[1, 1, 1, 0, 0], nuggets=[1, 0.5, 0, 1, 0.5])
    >>> vital_nuggets(answer), vital_nuggets(JudgedAnswer(vital=[0], nuggets=[1]))
    (0.5, nan)
    """
    return mean_label([label for label, vital in zip(answer.nuggets, answer.vital, strict=True) if vital])


V = Measure("V", map_answers(vital_nuggets), of="answers", needs="nuggets", explanation="""
V, the mean support of the vital nuggets: how much of the required content the answer contains.

Partial support counts half. It misleads where topics have only one or two vital nuggets, because it then takes few
values. It is undefined (NaN) on a topic without vital nuggets; a note gives the number of such topics. A failed label
of a vital nugget also makes it NaN.

Source: Pradeep et al., Initial nugget evaluation results for the TREC 2024 RAG track with the AutoNuggetizer
framework, arXiv 2411.09607, 2024.
""")  # fmt: skip


def all_nuggets_strict(answer: JudgedAnswer) -> float:
    """Share of the topic's nuggets that the answer supports in full.

    >>> answer = JudgedAnswer(vital=[1, 1, 1, 0, 0], nuggets=[1, 0.5, 0, 1, 0.5])
    >>> all_nuggets_strict(answer), all_nuggets_strict(JudgedAnswer())
    (0.4, nan)
    """
    return mean_label(strictly(answer.nuggets))


A_STRICT = Measure("A_strict", map_answers(all_nuggets_strict), of="answers", needs="nuggets", explanation="""
A_strict, the share of all nuggets that the answer supports in full.

Partial support does not count. It misleads in the same cases as A. It also misleads where assessors disagree about
partial support: that decision changes the score by a whole nugget (in A, by half a nugget).

Source: Pradeep et al., Initial nugget evaluation results for the TREC 2024 RAG track with the AutoNuggetizer
framework, arXiv 2411.09607, 2024.
""")  # fmt: skip


def all_nuggets(answer: JudgedAnswer) -> float:
    """Mean support of the topic's nuggets: 1 in full, 0.5 in part, 0 if absent.

    >>> answer = JudgedAnswer(vital=[1, 1, 1, 0, 0], nuggets=[1, 0.5, 0, 1, 0.5])
    >>> round(all_nuggets(answer), 4), all_nuggets(JudgedAnswer()), all_nuggets(JudgedAnswer([1], [float("nan")]))
    (0.6, nan, nan)
    """
    return mean_label(answer.nuggets)


A = Measure("A", map_answers(all_nuggets), of="answers", needs="nuggets", explanation="""
A, the mean support of all nuggets: how much of the desired content the answer contains.

Partial support counts half. It misleads where most nuggets are merely okay: an answer without any vital nugget can
still have a high score (see V). The score is NaN if a label failed or is missing, or if the topic has no nuggets.

Source: Pradeep et al., Initial nugget evaluation results for the TREC 2024 RAG track with the AutoNuggetizer
framework, arXiv 2411.09607, 2024.
""")  # fmt: skip


def weighted_nuggets_strict(answer: JudgedAnswer) -> float:
    """Share of the topic's nuggets that the answer supports in full; vital nuggets weigh 1, other nuggets 0.5.

    >>> answer = JudgedAnswer(vital=[1, 1, 1, 0, 0], nuggets=[1, 0.5, 0, 1, 0.5])
    >>> weighted_nuggets_strict(answer), weighted_nuggets_strict(JudgedAnswer())
    (0.375, nan)
    """
    return mean_label(strictly(answer.nuggets), [1.0 if vital else 0.5 for vital in answer.vital])


W_STRICT = Measure("W_strict", map_answers(weighted_nuggets_strict), of="answers", needs="nuggets", explanation="""
W_strict, the weighted share of the nuggets that the answer supports in full; an okay nugget counts half.

Unlike in W, partial support does not count. It misleads in the same cases as W. The score is NaN if a label failed or
is missing, or if the topic has no nuggets.

Source: Pradeep et al., Initial nugget evaluation results for the TREC 2024 RAG track with the AutoNuggetizer
framework, arXiv 2411.09607, 2024; weights as in open-rag-eval of Vectara.
""")  # fmt: skip


def weighted_nuggets(answer: JudgedAnswer) -> float:
    """Mean support of the topic's nuggets; vital nuggets weigh 1, other nuggets 0.5.

    >>> answer = JudgedAnswer(vital=[1, 1, 1, 0, 0], nuggets=[1, 0.5, 0, 1, 0.5])
    >>> weighted_nuggets(answer), weighted_nuggets(JudgedAnswer())
    (0.5625, nan)
    """
    return mean_label(answer.nuggets, [1.0 if vital else 0.5 for vital in answer.vital])


W = Measure("W", map_answers(weighted_nuggets), of="answers", needs="nuggets", explanation="""
W, the weighted mean support of all nuggets; an okay nugget counts half as much as a vital one.

W = sum(w s) / sum(w), where w is 1 for a vital nugget and 0.5 for an okay nugget, and s is 1, 0.5 or 0. It misleads
where the number of okay nuggets differs greatly between topics. The score is NaN if a label failed or is missing, or if
the topic has no nuggets.

Source: Pradeep et al., Initial nugget evaluation results for the TREC 2024 RAG track with the AutoNuggetizer
framework, arXiv 2411.09607, 2024; weights as in open-rag-eval of Vectara.
""")  # fmt: skip
