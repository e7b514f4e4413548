"""Measures whose score is a sum over labels: what a document at a rank adds, whatever the other labels are.

Only for these can the score of a run be estimated from labels of single documents. AP and nDCG divide by what the topic
has; a label changes what all others are worth. Recall is a sum where it is known how many documents are relevant.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np

from cranfield.arrays.rankings import Floats, Mask
from cranfield.errors import InputError
from cranfield.metrics.examples import example
from cranfield.metrics.measure import Measure
from cranfield.metrics.reusability.judgment_subsets import Worlds, score_subsets

LINEAR = ("P", "CG", "DCG", "RBP")
RECALL = "R"


def check_linear(measure: Measure, recall: bool = False) -> None:
    """An error for a measure whose score is not a sum over labels; with `recall`, R is one.

    >>> from cranfield.metrics.notation.parse import parse
    >>> check_linear(parse("P@10"))
    >>> check_linear(parse("AP"))
    Traceback (most recent call last):
    cranfield.errors.InputError: AP is not a sum over labels of single documents; estimate it by topic: draw a sample
    with --unit topic (a sum are P, CG, DCG, RBP)
    """
    if measure.name == RECALL and not recall:
        raise InputError(f"{measure} needs the number of relevant documents of each topic: --relevant FILE")
    if measure.name not in (*LINEAR, RECALL) or measure.options["judged_only"]:
        raise InputError(
            f"{measure} is not a sum over labels of single documents; estimate it by topic: draw a sample with"
            f" --unit topic (a sum are {', '.join(LINEAR)})"
        )


def gains(measure: Measure, grades: Sequence[int], ranks: int) -> Floats:
    """What a document of each grade adds to the score at each rank: (grades, ranks).

    >>> from cranfield.metrics.notation.parse import parse
    >>> gains(parse("P@2"), [0, 1], 3)
    array([[0. , 0. , 0. ],
           [0.5, 0.5, 0. ]])
    >>> gains(parse("R@2"), [0, 1], 3)[1]  # before it is divided by the number of relevant documents
    array([1., 1., 0.])
    """
    if measure.name == RECALL:
        return _hits(measure, grades, ranks)
    alone: Mask = np.eye(ranks, dtype=np.bool_)
    return np.stack([_alone(measure, grade, alone) for grade in grades])


def _hits(measure: Measure, grades: Sequence[int], ranks: int) -> Floats:
    hit = np.array(grades)[:, None] >= relevant_grade(measure)
    cutoff = cast(int | None, measure.options["cutoff"])
    return np.asarray(hit & (np.arange(ranks) < (ranks if cutoff is None else cutoff)), float)


def relevant_grade(measure: Measure) -> int:
    """The lowest grade that a measure takes for relevant."""
    return cast(int, measure.options["rel"])


def _alone(measure: Measure, grade: int, alone: Mask) -> Floats:
    one = example([grade] * len(alone))
    scores = score_subsets(one, [measure], Worlds(alone)).under(np.arange(len(alone)))
    return np.asarray(scores[:, 0, 0, 0])
