"""Finished topics without any relevant document, or with hardly another."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from cranfield.judging.planning.progress import Progress
from cranfield.text import counted

from .base import Check, Finding

LEAST, MOST = 10, 0.9


def _finished(progress: Progress) -> Iterator[tuple[str, str, int, int]]:
    """Each finished topic, by whom it was judged, how many of its documents are relevant, and how many have a label."""
    graded: dict[str, dict[str, int]] = {}
    judges: dict[str, dict[str, None]] = {}
    for name in progress.people:
        for (qid, docno), event in progress.labels(name).items():
            grades = graded.setdefault(qid, {})
            grades[docno] = max(grades.get(docno, 0), event.grade or 0)
            judges.setdefault(qid, {})[name] = None
    work = [(qid, docnos) for own in progress.work.values() for qid, docnos in own.items()]
    unfinished = {qid for qid, docnos in work if not graded.get(qid, {}).keys() >= set(docnos)}
    for qid in sorted(graded.keys() & dict(work).keys() - unfinished):
        grades = graded[qid]
        relevant = sum(grade >= progress.min_relevant for grade in grades.values())
        yield qid, ", ".join(judges[qid]), relevant, len(grades)


def _where(unusual: Callable[[int, int], bool]) -> Callable[[Progress], Iterator[Finding]]:
    def find(progress: Progress) -> Iterator[Finding]:
        for topic, who, relevant, labels in _finished(progress):
            if labels >= LEAST and unusual(relevant, labels):
                found = f"{relevant} of {counted(labels, 'document')} relevant"
                yield Finding(who, topic, found, relevant / labels, labels)

    return find


NONE_RELEVANT = Check(
    "none-relevant",
    "Topics without relevant documents",
    f"none of a finished topic's documents is relevant; from {LEAST} documents",
    "The collection may have no answer. A topic without relevant documents cannot be used to compare systems.",
    _where(lambda relevant, labels: relevant == 0),
)
MOST_RELEVANT = Check(
    "most-relevant",
    "Topics of which nearly everything is relevant",
    f"more than {MOST:.0%} of a finished topic's documents are relevant; from {LEAST} documents",
    "A broad topic: the pool probably misses many relevant documents.",
    _where(lambda relevant, labels: relevant > MOST * labels),
)
