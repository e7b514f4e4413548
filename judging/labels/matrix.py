"""The current labels of a store, by pair and assessor."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cranfield.arrays.rankings import Floats
from cranfield.judging.agreement.label_matrix import LabelMatrix
from cranfield.judging.labels.pairs import Pair, PairLabels, counted_assessors, labels_by_pair
from cranfield.store.labelled_by import LabelledBy
from cranfield.store.store import Store


def matrix_of_store(
    store: Store, names: Sequence[str] | None = None, whose: LabelledBy = LabelledBy.all, pool: int | None = None
) -> LabelMatrix:
    """The current labels of a store: of the assessors named or of all, in one pool or on all documents.

    Adjudications do not count as labels.
    """
    collection = store.collection
    among = tuple(counted_assessors(store, names, whose))
    found = labels_by_pair(store, among, pool=pool)
    matrix = LabelMatrix(
        among, list(found), grades_by_assessor(found, among), tuple(collection.grades), collection.min_relevant
    )
    columns = zip(among, matrix.grades.T, strict=True)
    return matrix.between([name for name, column in columns if names or not np.isnan(column).all()])


def grades_by_assessor(found: dict[Pair, PairLabels], names: Sequence[str]) -> Floats:
    """The votes as an array (pairs, assessors), NaN where there is none."""
    place = {name: column for column, name in enumerate(names)}
    grades = np.full((len(found), len(names)), np.nan)
    for row, ballot in enumerate(found.values()):
        for vote in ballot.votes:
            grades[row, place[vote.assessor]] = np.nan if vote.grade is None else vote.grade
    return grades
