"""Silver labels from clicks: a click model's relevance as grades, by an assessor of kind model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from cranfield.analysis.online.click_fits import ClickFits, FittedModel
from cranfield.errors import InputError
from cranfield.formats import Vote, Votes
from cranfield.store.log import assessors
from cranfield.store.store import Store
from cranfield.store.votes import import_votes
from cranfield.text import counted

ENOUGH = 10  # impressions of a pair


def thresholds_of(grades: Sequence[int], given: Sequence[float] = ()) -> dict[int, float]:
    """The least relevance of each grade but the lowest: as given, or equal steps from 0 to 1.

    >>> thresholds_of([0, 1]), thresholds_of([0, 1, 2, 3], [0.1, 0.2, 0.4])
    ({1: 0.5}, {1: 0.1, 2: 0.2, 3: 0.4})
    """
    above = sorted(grades)[1:]
    steps = list(given) or [(place + 1) / len(grades) for place in range(len(above))]
    if len(steps) != len(above) or steps != sorted(set(steps)) or not all(0 < step < 1 for step in steps):
        raise InputError(
            f"thresholds {', '.join(f'{step:g}' for step in steps)}; expected {len(above)} rising numbers between 0 and"
            f" 1, one for each grade above {min(grades)}"
        )
    return dict(zip(above, steps, strict=True))


def store_labels(
    store: Store,
    found: ClickFits,
    fitted: FittedModel,
    thresholds: Mapping[int, float],
    enough: int = ENOUGH,
    assessor: str | None = None,
) -> tuple[str, int]:
    """Store the labels of all pairs of a topic with enough impressions; the assessor's name, and how many."""
    name = assessor or f"clicks-{fitted.model.name}"
    relevance = fitted.fit.relevance
    if relevance is None:
        raise InputError(f"{fitted.model.name} has no parameters of documents; choose another model")
    if name in assessors(store):
        raise InputError(f"assessor {name!r} already exists; choose another name for these labels")
    rows = np.flatnonzero((found.pairs.topic >= 0) & (found.impressions >= enough))
    if not len(rows):
        raise InputError(f"no document was shown {counted(enough, 'time')} or more for a topic of this store")
    lowest = min(store.collection.grades)
    place = np.searchsorted(list(thresholds.values()), relevance[rows], side="right")
    grades = [lowest, *thresholds]
    topics, documents = found.log.topics.names, found.log.documents.names
    votes = [
        Vote(record, name, topics[found.pairs.topic[row]], documents[found.pairs.document[row]], "label",
             str(grades[grade]))
        for record, (row, grade) in enumerate(zip(rows.tolist(), place.tolist(), strict=True), 1)
    ]  # fmt: skip
    import_votes(store, Votes("clicks", Path(f"{fitted.model.name} of the log"), votes), kind="model")
    return name, len(votes)
