"""Assessors whose share of relevant documents changes from the first to the last third of their topics."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt

from cranfield.judging.planning.progress import Progress
from cranfield.judging.planning.thirds import thirds

from .base import FAR, Check, Finding

LEAST = 30


def _find(progress: Progress) -> Iterator[Finding]:
    for name in progress.people:
        blind = [event for event in progress.labels(name).values() if event.order_policy != "priority"]
        first, _, last = thirds(event for event in blind if event.order_policy != "adaptive")
        if min(len(first), len(last)) < LEAST:
            continue
        before, after = (sum((event.grade or 0) >= progress.min_relevant for event in part) for part in (first, last))
        if _far(before, len(first), after, len(last)):
            found = f"relevant: {before / len(first):.0%} of the first thirds, {after / len(last):.0%} of the last"
            yield Finding(name, "", found, after / len(last) - before / len(first), len(first) + len(last))


def _far(before: int, first: int, after: int, last: int) -> bool:
    """Whether two shares differ by more than chance explains (z-test of two proportions)."""
    share = (before + after) / (first + last)
    error = sqrt(share * (1 - share) * (1 / first + 1 / last))
    return abs(before / first - after / last) > FAR * error


DRIFT = Check(
    "drift",
    "Relevance that changes along the way",
    f"the shares of relevant documents in the first and last thirds of the topics differ by more than {FAR:g} standard"
    f" errors; from {LEAST} labels each, in a blind order",
    "Criteria that became clearer or laxer; a word about the criteria may help.",
    _find,
)
