"""Measures of answers as a whole: right by a reference answer, good by a rubric, better than others."""

from math import isnan, nan

from cranfield.features.answers.measures.judged import JudgedAnswer, map_answers, mean_label
from cranfield.metrics.measure import Measure


def correctness(answer: JudgedAnswer) -> float:
    """The F of the statements that the reference says, and of the reference's claims that the answer says.

    >>> correctness(JudgedAnswer(claims=[1, 0, 0], right=[1, 1, 0])), correctness(JudgedAnswer(claims=[0]))
    (0.5714285714285714, 0.0)
    >>> correctness(JudgedAnswer(right=[1])), correctness(JudgedAnswer(claims=[1], right=[float("nan")]))
    (nan, nan)
    """
    if not answer.claims or any(map(isnan, [*answer.claims, *answer.right])):
        return nan
    right, lacks = sum(answer.right), len(answer.claims) - sum(answer.claims)
    wrong = len(answer.right) - right
    return right / (right + (wrong + lacks) / 2) if right + wrong + lacks else nan


CORRECT = Measure("Correct", map_answers(correctness), of="answers", needs="correctness", explanation="""
Correct, answer correctness: how far the answer says what a reference answer says, and nothing else.

TP / (TP + (FP + FN) / 2): TP statements of the answer that the reference says, FP those that it does not say, FN claims
of the reference that the answer does not say; what is said in part counts as not said. It misleads where the reference
is one of several good answers: what it leaves out counts as wrong. ragas adds a quarter of the cosine of two
embeddings, which this does not. A label that failed or is missing makes it NaN; without a reference answer it is
undefined. An answer that states nothing has 0.

Source: Es, James, Espinosa-Anke and Schockaert, RAGAS: automated evaluation of retrieval augmented generation, EACL
2024, and the program ragas.
""")  # fmt: skip


def correctness_precision(answer: JudgedAnswer) -> float:
    """The share of the statements of an answer that the reference answer says.

    >>> correctness_precision(JudgedAnswer(claims=[1], right=[1, 0])), correctness_precision(JudgedAnswer(right=[1]))
    (0.5, nan)
    """
    return mean_label(answer.right) if answer.claims else nan


CORRECTP = Measure("CorrectP", map_answers(correctness_precision), of="answers", needs="correctness", explanation="""
CorrectP, precision of correctness: the share of the statements of an answer that the reference answer says.

It misleads alone: one right statement has 1 (see CorrectR). What is said in part counts as not said. A label that
failed or is missing makes it NaN; without a reference answer, or of an answer that states nothing, it is undefined.

Source: as Correct, taken apart.
""")  # fmt: skip


def correctness_recall(answer: JudgedAnswer) -> float:
    """The share of the claims of the reference answer that an answer says.

    >>> correctness_recall(JudgedAnswer(claims=[1, 0])), correctness_recall(JudgedAnswer())
    (0.5, nan)
    """
    return mean_label(answer.claims)


CORRECTR = Measure("CorrectR", map_answers(correctness_recall), of="answers", needs="correctness", explanation="""
CorrectR, recall of correctness: the share of the claims of the reference answer that the answer says.

It misleads alone: an answer that says everything has 1 (see CorrectP). What is said in part counts as not said. A label
that failed or is missing makes it NaN; without a reference answer it is undefined.

Source: as Correct, taken apart.
""")  # fmt: skip


def rubric(answer: JudgedAnswer) -> float:
    """The weight of the questions of a rubric that an answer meets, of the weight of all.

    >>> rubric(JudgedAnswer(rubric=[1, 0], weights=[3, 1])), rubric(JudgedAnswer())
    (0.75, nan)
    """
    return mean_label(answer.rubric, answer.weights)


RUBRIC = Measure("Rubric", map_answers(rubric), of="answers", needs="rubric", explanation="""
Rubric, the weighted share of the yes/no questions of a topic's rubric that an answer meets.

sum(w yes) / sum(w), w the weight of a question, 1 where the rubric gives none. It misleads where questions ask the same
thing twice, or where one that must be met weighs as little as others. A label that failed or is missing makes it NaN;
so does a topic without a rubric.

Source: the usual weighted share; Arora et al., HealthBench, arXiv 2505.08775, 2025, has weights below 0 as well.
""")  # fmt: skip


def rubric_share(answer: JudgedAnswer) -> float:
    """The share of the questions of a rubric that an answer meets, whatever their weights.

    >>> rubric_share(JudgedAnswer(rubric=[1, 0], weights=[3, 1])), rubric_share(JudgedAnswer())
    (0.5, nan)
    """
    return mean_label(answer.rubric)


RUBRICSHARE = Measure("RubricShare", map_answers(rubric_share), of="answers", needs="rubric", explanation="""
RubricShare, the share of the yes/no questions of a topic's rubric that an answer meets, all alike.

As Rubric without weights. It misleads where one question matters more than others. A label that failed or is missing
makes it NaN; so does a topic without a rubric.

Source: the usual share.
""")  # fmt: skip


def win_rate(answer: JudgedAnswer) -> float:
    """How often an answer is better than those that it was compared with; ties count half.

    >>> win_rate(JudgedAnswer(wins=[1, 0.5, 0, 0])), win_rate(JudgedAnswer())
    (0.375, nan)
    """
    return mean_label(answer.wins)


WINRATE = Measure("WinRate", map_answers(win_rate), of="answers", needs="comparisons", explanation="""
WinRate: how often an answer is better than the answers of other runs to the same topic.

The mean over the answers that it was compared with, 1 where it is better, .5 for a tie, 0 where it is worse. Each pair
is shown in both orders; where the two differ, it is a tie. It says nothing by itself: it depends on the other runs, and
by how much one is better it does not say. It misleads where judges take the longer answer, or their own. A run without
an answer has 0; a pair without a label in both orders makes it NaN.

Source: Zheng et al., Judging LLM-as-a-judge with MT-Bench and Chatbot Arena, NeurIPS 2023, with ties.
""")  # fmt: skip
