"""Answers with what was said of them: what the measures of answers are functions of."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from math import isnan, nan
from typing import Concatenate, NamedTuple, ParamSpec, cast

import numpy as np

from cranfield.arrays.rankings import Floats, Mask

P = ParamSpec("P")
Labels = Sequence[float]  # 1 yes, .5 partly, 0 no; NaN: failed, or not labelled


class JudgedAnswer(NamedTuple):
    """An answer and its labels. An answer that does not exist has nothing of anything, and supports no nugget."""

    vital: Sequence[bool] = ()  # of each nugget of the topic, whether it is vital; the others are okay
    nuggets: Labels = ()  # of each, whether the answer says it
    citations: Sequence[Sequence[str]] = ()  # of each sentence, the documents that it cites, in order
    support: Mapping[tuple[int, frozenset[str]], float] = {}  # whether such documents support a sentence, from 0
    contexts: Labels = ()  # of each document that the answer was made from, in order, whether it is relevant
    reference: Labels = ()  # of each sentence of a reference answer, whether the contexts say it
    statements: Labels = ()  # of each statement of the answer, whether the contexts say it
    question: Sequence[float] = ()  # the embedding of the topic's question
    questions: Sequence[Sequence[float]] = ()  # those of questions that a model made from the answer
    noncommittal: Labels = ()  # of each of these, whether the model found the answer evasive
    claims: Labels = ()  # of each claim of the reference answer, whether the answer says it
    right: Labels = ()  # of each statement of the answer, whether the reference answer says it
    rubric: Labels = ()  # of each question of the topic's rubric, whether the answer meets it
    weights: Sequence[float] = ()  # of each of these questions
    wins: Labels = ()  # against each answer that it was compared with in both orders: 1 better, .5 a tie, 0 worse

    def support_by(self, sentence: int, documents: Sequence[str]) -> float:
        """Whether these documents, taken together, support a sentence; NaN where that is not known."""
        return self.support.get((sentence, frozenset(documents)), nan)

    def entailment_by(self, sentence: int, documents: Sequence[str]) -> float:
        """The same where partly is not enough; nothing entails nothing."""
        support = self.support_by(sentence, documents) if documents else 0.0
        return support if isnan(support) else float(support == 1)


@dataclass(frozen=True, eq=False)
class JudgedAnswers:
    """The answers of every run to every topic, run by run, empty where there is none; which there are is `answered`."""

    tags: tuple[str, ...]
    qids: tuple[str, ...]
    answers: Sequence[JudgedAnswer]
    answered: Mask  # (runs, topics)

    @property
    def shape(self) -> tuple[int, int]:
        """How many runs and topics."""
        return len(self.tags), len(self.qids)

    def labelled(self) -> JudgedAnswers:
        """The same with no for every label that failed or is missing: what is still undefined has no definition."""
        return replace(self, answers=[_labelled(answer) for answer in self.answers])

    def keeping(self, nuggets: Mapping[str, Sequence[bool]]) -> JudgedAnswers:
        """The same with some of the nuggets of each topic."""
        masks = [nuggets[qid] for _ in self.tags for qid in self.qids]
        return replace(self, answers=[_keeping(answer, mask) for answer, mask in zip(self.answers, masks, strict=True)])


class _SupportOrNo(dict[tuple[int, frozenset[str]], float]):
    """Support labels, no where there is none."""

    def get(self, key: tuple[int, frozenset[str]], default: float = 0.0) -> float:  # type: ignore[override]
        return dict.get(self, key, 0.0)


def _labelled(answer: JudgedAnswer) -> JudgedAnswer:
    return answer._replace(
        support=_SupportOrNo({key: label for key, label in answer.support.items() if not isnan(label)}),
        nuggets=_zero_for_nan(answer.nuggets),
        contexts=_zero_for_nan(answer.contexts),
        reference=_zero_for_nan(answer.reference),
        statements=_zero_for_nan(answer.statements),
        noncommittal=_zero_for_nan(answer.noncommittal),
        claims=_zero_for_nan(answer.claims),
        right=_zero_for_nan(answer.right),
        rubric=_zero_for_nan(answer.rubric),
        wins=_zero_for_nan(answer.wins),
    )


def _zero_for_nan(labels: Labels) -> Labels:
    return [0.0 if isnan(label) else label for label in labels]


def _keeping(answer: JudgedAnswer, mask: Sequence[bool]) -> JudgedAnswer:
    vital = [one for one, stays in zip(answer.vital, mask, strict=True) if stays]
    return answer._replace(vital=vital, nuggets=[one for one, stays in zip(answer.nuggets, mask, strict=True) if stays])


def map_answers(
    value: Callable[Concatenate[JudgedAnswer, P], float],
) -> Callable[Concatenate[JudgedAnswers, P], Floats]:
    """A function of an answer as one of all answers."""

    @wraps(value)
    def values(answers: JudgedAnswers, *inputs: P.args, **options: P.kwargs) -> Floats:
        return np.array([value(answer, *inputs, **options) for answer in answers.answers], float)

    return cast("Callable[Concatenate[JudgedAnswers, P], Floats]", values)


def strictly(labels: Labels) -> list[float]:
    """Labels of which partly is no.

    >>> strictly([1, 0.5, 0, nan])
    [1.0, 0.0, 0.0, nan]
    """
    return [label if isnan(label) else float(label == 1) for label in labels]


def mean_label(labels: Labels, weights: Sequence[float] | None = None) -> float:
    """The mean of labels, NaN if any is, or if there is none.

    >>> mean_label([1, 0.5, 0]), mean_label([1, nan]), mean_label([]), mean_label([1, 0], [1, 0.5])
    (0.5, nan, nan, 0.6666666666666666)
    """
    weighing = [1.0] * len(labels) if weights is None else weights
    total = sum(weighing)
    return sum(weight * label for weight, label in zip(weighing, labels, strict=True)) / total if total else nan
