"""The note on documents with one label, which count for chance agreement in some coefficients."""

from collections.abc import Sequence
from itertools import combinations
from math import isnan

from cranfield.judging.agreement.agreement import LabelMatrix, overall_agreement, select_coefficients
from cranfield.text import counted, join_words

MAX_SHARE = 0.1  # of the labelled documents: single labels that need no note


def single_labels_note(matrix: LabelMatrix, by: str = "overall", names: Sequence[str] | None = None) -> str:
    """Note how many documents have one label, and the coefficients with and without them.

    Parameters
    ----------
    matrix : LabelMatrix
        The labels that are compared.
    by : {"overall", "pair", "topic"}, optional
        The unit of the coefficients. With "pair", the note describes the pair with the largest share of such documents.
    names : sequence of str, optional
        The coefficients; all by default.

    Returns
    -------
    str
        The note; empty if at most a tenth of the labelled documents have one label.

    Notes
    -----
    Gwet (2014, chapter 5) estimates the shares of the grades from all labelled documents, including those with one
    label, and irrCAC does the same for Fleiss kappa. Fleiss (1971) has the same number of labels for each document.
    """
    if by == "pair":
        pairs = [matrix.select_assessors(pair) for pair in combinations(matrix.assessors, 2)]
        matrix = max((pair for pair in pairs if pair.has_two_labels.any()), key=_single_share, default=matrix)
    if _single_share(matrix) <= MAX_SHARE or not matrix.has_two_labels.any():
        return ""
    affected = [one.name for one in select_coefficients(names, len(matrix.assessors)) if one.counts_single_labels]
    if not affected:
        return ""
    n_single, several = int((~matrix.has_two_labels).sum()), matrix.select_rows(matrix.has_two_labels)
    values = [one.interval.value for one in overall_agreement(several, affected, resamples=0)]
    without = ["undefined" if isnan(value) else f"{value:.2f}" for value in values]
    whose = f" of {join_words(matrix.assessors)}" if by == "pair" else ""
    have = "has" if n_single == 1 else "have"
    return (
        f"{n_single:,} of the {counted(len(matrix.units), 'labelled document')}{whose} {have} one label and "
        f"{'counts' if n_single == 1 else 'count'} in the chance agreement of {join_words(affected)}. Without these"
        f" documents, the values are {join_words(without)}. Krippendorff alpha does not depend on these documents"
    )


def _single_share(matrix: LabelMatrix) -> float:
    return float((~matrix.has_two_labels).mean()) if len(matrix.units) else 0.0
