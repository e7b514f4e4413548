"""Measures of the nuggets that an answer says."""

from cranfield.features.answers.measures.judged import JudgedAnswer, map_answers, mean_label, strictly
from cranfield.metrics.measure import Measure


def vital_nuggets_strict(answer: JudgedAnswer) -> float:
    """The share of the vital nuggets of a topic that an answer supports in full.

    >>> answer = JudgedAnswer(vital=[1, 1, 1, 0, 0], nuggets=[1, 0.5, 0, 1, 0.5])
    >>> round(vital_nuggets_strict(answer), 4), vital_nuggets_strict(JudgedAnswer(vital=[0], nuggets=[1]))
    (0.3333, nan)
    """
    labels = strictly(answer.nuggets)
    return mean_label([label for label, vital in zip(labels, answer.vital, strict=True) if vital])


V_STRICT = Measure("V_strict", map_answers(vital_nuggets_strict), of="answers", needs="nuggets", explanation="""
V_strict, the share of the vital nuggets that the answer supports in full.

The main measure of the TREC 2024 RAG track. It misleads where topics have one or two vital nuggets, and hides what an
answer says half. A topic without a vital nugget is undefined, NaN, and counted.

Source: Pradeep et al., Initial nugget evaluation results for the TREC 2024 RAG track with the AutoNuggetizer
framework, arXiv 2411.09607, 2024.
""")  # fmt: skip


def vital_nuggets(answer: JudgedAnswer) -> float:
    """The mean over the vital nuggets of a topic of support, 1, partial support, .5, and no support, 0.

    >>> answer = JudgedAnswer(vital=[1, 1, 1, 0, 0], nuggets=[1, 0.5, 0, 1, 0.5])
    >>> vital_nuggets(answer), vital_nuggets(JudgedAnswer(vital=[0], nuggets=[1]))
    (0.5, nan)
    """
    return mean_label([label for label, vital in zip(answer.nuggets, answer.vital, strict=True) if vital])


V = Measure("V", map_answers(vital_nuggets), of="answers", needs="nuggets", explanation="""
V, the mean support of the vital nuggets: how much of what a good answer must say this one says.

Partial support counts half. It misleads where topics have one or two vital nuggets: it has hardly any values then. A
topic without a vital nugget is undefined, NaN, and counted; a label of a vital nugget that failed makes it NaN, too.

Source: Pradeep et al., Initial nugget evaluation results for the TREC 2024 RAG track with the AutoNuggetizer
framework, arXiv 2411.09607, 2024.
""")  # fmt: skip


def all_nuggets_strict(answer: JudgedAnswer) -> float:
    """The share of the nuggets of a topic that an answer supports in full.

    >>> answer = JudgedAnswer(vital=[1, 1, 1, 0, 0], nuggets=[1, 0.5, 0, 1, 0.5])
    >>> all_nuggets_strict(answer), all_nuggets_strict(JudgedAnswer())
    (0.4, nan)
    """
    return mean_label(strictly(answer.nuggets))


A_STRICT = Measure("A_strict", map_answers(all_nuggets_strict), of="answers", needs="nuggets", explanation="""
A_strict, the share of all nuggets that the answer supports in full.

Partial support counts nothing. It misleads as A does, and where assessors differ in what they call partial, which
decides here about a whole nugget, in A about half of one.

Source: Pradeep et al., Initial nugget evaluation results for the TREC 2024 RAG track with the AutoNuggetizer
framework, arXiv 2411.09607, 2024.
""")  # fmt: skip


def all_nuggets(answer: JudgedAnswer) -> float:
    """The mean over the nuggets of a topic of support, 1, partial support, .5, and no support, 0.

    >>> answer = JudgedAnswer(vital=[1, 1, 1, 0, 0], nuggets=[1, 0.5, 0, 1, 0.5])
    >>> round(all_nuggets(answer), 4), all_nuggets(JudgedAnswer()), all_nuggets(JudgedAnswer([1], [float("nan")]))
    (0.6, nan, nan)
    """
    return mean_label(answer.nuggets)


A = Measure("A", map_answers(all_nuggets), of="answers", needs="nuggets", explanation="""
A, the mean support of all nuggets: how much of what a good answer says this one says.

Partial support counts half. It misleads where most nuggets are merely okay: an answer that lacks all that is vital can
still have a high one (see V). A label that failed or is missing makes it NaN; so does a topic without nuggets.

Source: Pradeep et al., Initial nugget evaluation results for the TREC 2024 RAG track with the AutoNuggetizer
framework, arXiv 2411.09607, 2024.
""")  # fmt: skip


def weighted_nuggets_strict(answer: JudgedAnswer) -> float:
    """The share of the nuggets of a topic supported in full, the vital ones with weight 1, the others .5.

    >>> answer = JudgedAnswer(vital=[1, 1, 1, 0, 0], nuggets=[1, 0.5, 0, 1, 0.5])
    >>> weighted_nuggets_strict(answer), weighted_nuggets_strict(JudgedAnswer())
    (0.375, nan)
    """
    return mean_label(strictly(answer.nuggets), [1.0 if vital else 0.5 for vital in answer.vital])


W_STRICT = Measure("W_strict", map_answers(weighted_nuggets_strict), of="answers", needs="nuggets", explanation="""
W_strict, the weighted share of the nuggets that the answer supports in full; one that is okay counts half.

As W, but partial support counts nothing. It misleads as W does. A label that failed or is missing makes it NaN; so
does a topic without nuggets.

Source: Pradeep et al., Initial nugget evaluation results for the TREC 2024 RAG track with the AutoNuggetizer
framework, arXiv 2411.09607, 2024; as weighed by open-rag-eval of Vectara.
""")  # fmt: skip


def weighted_nuggets(answer: JudgedAnswer) -> float:
    """The mean support of the nuggets of a topic, the vital ones with weight 1, the others with .5.

    >>> answer = JudgedAnswer(vital=[1, 1, 1, 0, 0], nuggets=[1, 0.5, 0, 1, 0.5])
    >>> weighted_nuggets(answer), weighted_nuggets(JudgedAnswer())
    (0.5625, nan)
    """
    return mean_label(answer.nuggets, [1.0 if vital else 0.5 for vital in answer.vital])


W = Measure("W", map_answers(weighted_nuggets), of="answers", needs="nuggets", explanation="""
W, the weighted mean support of all nuggets, in which one that is okay counts half a vital one.

W = sum(w s) / sum(w), w 1 for a vital nugget and .5 for one that is okay; s 1, .5 or 0. It misleads where topics
differ much in how many nuggets are okay. A label that failed or is missing makes it NaN; so does a topic without
nuggets.

Source: Pradeep et al., Initial nugget evaluation results for the TREC 2024 RAG track with the AutoNuggetizer
framework, arXiv 2411.09607, 2024; as weighed by open-rag-eval of Vectara.
""")  # fmt: skip
