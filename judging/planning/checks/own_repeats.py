"""Assessors whose second labels of the same documents differ often."""

from __future__ import annotations

from collections.abc import Iterator

from cranfield.judging.planning.progress import Progress
from cranfield.store.assignments import REPEAT

from .base import Check, Finding

LEAST, SHARE = 5, 0.8


def _find(progress: Progress) -> Iterator[Finding]:
    for name in progress.repeats:
        first, second = progress.labels(name), progress.labels(name + REPEAT)
        both, least = first.keys() & second.keys(), progress.min_relevant
        same = sum(((first[pair].grade or 0) >= least) == ((second[pair].grade or 0) >= least) for pair in both)
        if len(both) >= LEAST and same < SHARE * len(both):
            found = f"relevance the same for {same} of {len(both)} documents shown twice"
            yield Finding(name, "", found, same / len(both), len(both))


OWN_REPEATS = Check(
    "repeats",
    "Second labels that differ from the first",
    f"the relevance of fewer than {SHARE:.0%} of the documents shown twice is the same; from {LEAST} documents",
    "Borderline documents, a topic with unclear criteria, or criteria that changed.",
    _find,
)
