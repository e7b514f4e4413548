"""Measures of answers as a whole: right by a reference answer, good by a rubric, better than others."""

from math import isnan, nan

from cranfield.features.answers.measures.judged import JudgedAnswer, map_answers, mean_label
from cranfield.metrics.measure import Measure


def correctness(answer: JudgedAnswer) -> float:
    """F measure of the answer's statements against the claims of the reference answer.

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
Correct, answer correctness: how far an answer and the reference answer agree.

It is TP / (TP + (FP + FN) / 2). TP is the number of the answer's statements that the reference supports, and FP is the
number of its other statements. FN is the number of reference claims that the answer does not contain. Partial support
counts as no support. It misleads where the reference is one of several good answers, because statements outside the
reference count as wrong. Unlike ragas, it does not add a quarter of the cosine of two embeddings. The score is NaN if a
label failed or is missing, and undefined without a reference answer. An answer that states nothing scores 0.

Source: Es, James, Espinosa-Anke and Schockaert, RAGAS: automated evaluation of retrieval augmented generation, EACL
2024, and the program ragas.
""")  # fmt: skip


def correctness_precision(answer: JudgedAnswer) -> float:
    """Share of the answer's statements that the reference answer supports.

    >>> correctness_precision(JudgedAnswer(claims=[1], right=[1, 0])), correctness_precision(JudgedAnswer(right=[1]))
    (0.5, nan)
    """
    return mean_label(answer.right) if answer.claims else nan


CORRECTP = Measure("CorrectP", map_answers(correctness_precision), of="answers", needs="correctness", explanation="""
CorrectP, precision of correctness: the share of an answer's statements that the reference answer supports.

It misleads when read without CorrectR: a single right statement scores 1. Partial support counts as no support. The
score is NaN if a label failed or is missing. It is undefined without a reference answer, or for an answer that states
nothing.

Source: the source of Correct.
""")  # fmt: skip


def correctness_recall(answer: JudgedAnswer) -> float:
    """Share of the reference answer's claims that the answer contains.

    >>> correctness_recall(JudgedAnswer(claims=[1, 0])), correctness_recall(JudgedAnswer())
    (0.5, nan)
    """
    return mean_label(answer.claims)


CORRECTR = Measure("CorrectR", map_answers(correctness_recall), of="answers", needs="correctness", explanation="""
CorrectR, recall of correctness: the share of the reference answer's claims that the answer contains.

It misleads when read without CorrectP: an answer that says everything scores 1. Partial support counts as no support.
The score is NaN if a label failed or is missing, and undefined without a reference answer.

Source: the source of Correct.
""")  # fmt: skip


def rubric(answer: JudgedAnswer) -> float:
    """Total weight of the rubric's questions that the answer meets, divided by the weight of all.

    >>> rubric(JudgedAnswer(rubric=[1, 0], weights=[3, 1])), rubric(JudgedAnswer())
    (0.75, nan)
    """
    return mean_label(answer.rubric, answer.weights)


RUBRIC = Measure("Rubric", map_answers(rubric), of="answers", needs="rubric", explanation="""
Rubric, the weighted share of the yes/no questions of a topic's rubric that an answer satisfies.

It is the weight of the questions that the answer satisfies, divided by the weight of all questions. By default, each
question has the weight 1. It misleads where questions repeat each other, or where a mandatory question has no higher
weight than the others. The score is NaN if a label failed or is missing, or if the topic has no rubric.

Source: the usual weighted share; Arora et al., HealthBench, arXiv 2505.08775, 2025, also has weights below 0.
""")  # fmt: skip


def rubric_share(answer: JudgedAnswer) -> float:
    """Share of the rubric's questions that the answer meets, regardless of their weights.

    >>> rubric_share(JudgedAnswer(rubric=[1, 0], weights=[3, 1])), rubric_share(JudgedAnswer())
    (0.5, nan)
    """
    return mean_label(answer.rubric)


RUBRICSHARE = Measure("RubricShare", map_answers(rubric_share), of="answers", needs="rubric", explanation="""
RubricShare, the unweighted share of the yes/no questions of a topic's rubric that an answer meets.

It is Rubric without weights. It misleads where some questions matter more than others. The score is NaN if a label
failed or is missing, or if the topic has no rubric.

Source: the usual share.
""")  # fmt: skip


def win_rate(answer: JudgedAnswer) -> float:
    """Share of comparisons with other answers that the answer wins; ties count half.

    >>> win_rate(JudgedAnswer(wins=[1, 0.5, 0, 0])), win_rate(JudgedAnswer())
    (0.375, nan)
    """
    return mean_label(answer.wins)


WINRATE = Measure("WinRate", map_answers(win_rate), of="answers", needs="comparisons", explanation="""
WinRate: how often an answer is better than the answers of other runs to the same topic.

It is the mean over all comparisons of the answer: 1 where it is better, 0.5 for a tie, 0 where it is worse. Each pair
is shown in both orders; if the two labels contradict each other, the result is a tie. It depends on the other runs, and
it does not measure by how much an answer is better. It misleads where judges prefer longer answers, or answers from
their own model. A run without an answer scores 0; the score is NaN if a pair lacks a label in both orders.

Source: Zheng et al., Judging LLM-as-a-judge with MT-Bench and Chatbot Arena, NeurIPS 2023, with ties.
""")  # fmt: skip
