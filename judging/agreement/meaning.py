"""What a coefficient of agreement means for a collection: how often labels are the same, and what chance would give.

The bounds are Krippendorff's: labels are reliable from an alpha of 0.8, and allow tentative conclusions from 0.667
(Krippendorff, Content Analysis: An Introduction to Its Methodology, second edition, 2004, chapter 11).
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from cranfield.judging.agreement.agreement import Interval, LabelMatrix, overall_agreement
from cranfield.text import counted, join_words

ALPHA = "Krippendorff alpha ordinal"
RELIABLE, TENTATIVE = 0.8, 0.667


class AgreementMeaning(NamedTuple):
    """How often two labels of one unit are the same.

    `chance` is the share of pairs that labels drawn at random from all labels would agree on. `repeated` is the share
    of a second assessor's labels that are the same, by the grade of the first.
    """

    units: int  # with two labels or more
    same: float
    chance: float
    repeated: Mapping[float, float]
    alpha: Interval


def agreement_meaning(matrix: LabelMatrix, resamples: int = 1000) -> AgreementMeaning:
    """Return what the agreement of these assessors means.

    >>> grades = np.array([[0, 0], [0, 0], [0, 1], [1, 1], [0, np.nan]])
    >>> matrix = LabelMatrix(("ada", "bob"), [(f"q{n}", "d") for n in range(5)], grades, (0, 1))
    >>> meaning = agreement_meaning(matrix)
    >>> meaning.units, meaning.same, round(meaning.chance, 3), meaning.repeated, round(meaning.alpha.value, 3)
    (4, 0.75, 0.464, {0: 0.8, 1: 0.6666666666666666}, 0.533)
    """
    several = matrix.select_rows(matrix.has_two_labels)
    numbers = np.stack([(several.grades == grade).sum(axis=1) for grade in matrix.scale], axis=1)  # (units, grades)
    others = several.labels[:, None] - 1
    pairs, equal = (numbers * others).sum(axis=0), (numbers * (numbers - 1)).sum(axis=0)
    by_grade = numbers.sum(axis=0)
    whole = by_grade.sum()
    random_pairs = whole * (whole - 1)
    return AgreementMeaning(
        len(several.units),
        float(equal.sum() / pairs.sum()) if pairs.sum() else np.nan,
        float((by_grade * (by_grade - 1)).sum() / random_pairs) if random_pairs else np.nan,
        {grade: float(same / number) for grade, same, number in zip(matrix.scale, equal, pairs, strict=True) if number},
        overall_agreement(matrix, [ALPHA], resamples)[0].interval,
    )


def describe_agreement(
    meaning: AgreementMeaning,
    assessors: Sequence[str],
    noun: str = "document",
    names: Mapping[float, str] | None = None,
) -> list[str]:
    """Return the meaning in sentences, the first with the coefficient; `names` are those of the grades.

    >>> meaning = AgreementMeaning(40, 0.75, 0.5, {0: 0.8, 1: 0.6}, Interval(0.5, 0.4, 0.6))
    >>> for sentence in describe_agreement(meaning, ["ada", "bob"], names={0: "no", 1: "yes"}):
    ...     print(sentence)  # doctest: +NORMALIZE_WHITESPACE
    Krippendorff's alpha is 0.50 (95% interval 0.40 to 0.60): disagreement is 50% of the disagreement of random labels.
    Alpha counts a larger distance on the scale as a larger disagreement.
    Regardless of the distance, two assessors give a document the same label in 75% of cases, against 50% by chance.
    A second assessor repeats 80% of the labels no and 60% of the labels yes.
    The interval is below 0.667: single labels are not reliable, so let a second assessor check them or settle
    differences.
    This rests on 40 documents that both assessors labelled.
    """
    found_names = names or {}
    repeated = [
        f"{share:.0%} of the labels {found_names.get(grade, f'{grade:g}')}" for grade, share in meaning.repeated.items()
    ]
    alpha = meaning.alpha
    span = "" if alpha.why else f" (95% interval {alpha.low:.2f} to {alpha.high:.2f})"
    article = "an" if noun[0] in "aeiou" else "a"
    found = f"two assessors give {article} {noun} the same label in {meaning.same:.0%} of cases"
    if np.isnan(alpha.value):
        first = [f"Krippendorff's alpha is undefined, because all labels are the same: {found}."]
    else:
        first = [
            f"Krippendorff's alpha is {alpha.value:.2f}{span}: disagreement is {1 - alpha.value:.0%} of the"
            " disagreement of random labels.",
            "Alpha counts a larger distance on the scale as a larger disagreement.",
            f"Regardless of the distance, {found}, against {meaning.chance:.0%} by chance.",
        ]
    who = "both assessors" if len(assessors) == 2 else f"at least two of {len(assessors)} assessors"
    basis = f"This rests on {counted(meaning.units, noun)} that {who} labelled."
    return [*first, f"A second assessor repeats {join_words(repeated)}.", *_interpret_alpha(alpha), basis]


def _interpret_alpha(alpha: Interval) -> list[str]:
    if np.isnan(alpha.value):
        return []
    if alpha.why:
        return [f"There is no interval because {alpha.why}, so the value may be far off."]
    if alpha.low >= RELIABLE:
        return [f"The interval is above {RELIABLE}: single labels are reliable."]
    if alpha.high < TENTATIVE:
        advice = "let a second assessor check them or settle differences"
        return [f"The interval is below {TENTATIVE}: single labels are not reliable, so {advice}."]
    return [f"The interval includes values below {RELIABLE}: conclusions from single labels are tentative."]
