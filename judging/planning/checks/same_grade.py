"""Long runs of the same grade, longer than a shuffled order makes likely."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from math import prod

from cranfield.judging.planning.progress import Progress

from .base import Check, Finding

RARE = 0.001
SHUFFLED = "hash"  # the order in which neighbours have nothing to do with each other


def _find(progress: Progress) -> Iterator[Finding]:
    for name in progress.people:
        by_topic: dict[str, list[tuple[int, int]]] = {}
        for event in progress.labels(name).values():
            if event.order_policy == SHUFFLED and event.position is not None:
                by_topic.setdefault(event.qid, []).append((event.position, event.grade or 0))
        for qid, places in by_topic.items():
            yield from _in_topic(name, qid, [grade for _, grade in sorted(places)])


def _in_topic(name: str, qid: str, grades: Sequence[int]) -> Iterator[Finding]:
    """The longest run of each grade, where it is rare."""
    longest: Counter[int] = Counter()
    for grade, same in groupby(grades):
        longest[grade] = max(longest[grade], len(list(same)))
    given = Counter(grades)
    for grade, length in longest.items():
        if expected_runs(length, given[grade], len(grades)) < RARE:
            found = f"{length} documents in a row with grade {grade}"
            yield Finding(name, qid, found, length, len(grades))


def expected_runs(length: int, of_grade: int, labels: int) -> float:
    """How many runs at least so long to expect of a grade given so often, in a random order of the labels.

    >>> expected_runs(2, 2, 4), expected_runs(4, 4, 4), expected_runs(1, 1, 9)
    (0.5, 1.0, 1.0)
    """
    first = prod((of_grade - at) / (labels - at) for at in range(length))
    if labels == of_grade:
        return first
    later = prod((of_grade - at) / (labels - 1 - at) for at in range(length))
    return first + (labels - length) * (labels - of_grade) / labels * later


SAME_GRADE = Check(
    "same-grade",
    "The same grade many times in a row",
    f"a run that shuffled orders of the topic's labels have less than {RARE * 1000:g} time in 1,000; only in the"
    " shuffled order",
    "A changed view of what is relevant, a tired moment, or a key held down.",
    _find,
)
