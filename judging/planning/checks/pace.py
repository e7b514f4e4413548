"""Assessors who take much less, or much more, time per document than the others."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

from cranfield.judging.planning.progress import Progress

from .base import Check, Finding

LEAST, TIMES = 20, 3.0


def _find(progress: Progress) -> Iterator[Finding]:
    seconds = {name: [event.seconds or 0.0 for event in progress.decisions(name)] for name in progress.people}
    usual = {name: median(found) for name, found in seconds.items() if len(found) >= LEAST}
    for name, own in usual.items():
        others = [each for other, each in usual.items() if other != name]
        if others and not median(others) / TIMES <= own <= median(others) * TIMES:
            found = f"median {own:.1f} seconds; the others {median(others):.1f}"
            yield Finding(name, "", found, own, len(seconds[name]))


PACE = Check(
    "pace",
    "A pace unlike the others'",
    f"the median time per document is less than a third of the others' median, or more than {TIMES:g} times as much;"
    f" from {LEAST} decisions each",
    "Shorter or easier documents, experience, or interruptions.",
    _find,
)
