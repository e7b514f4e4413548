"""Assessors who are often unsure or cannot judge."""

from __future__ import annotations

from collections.abc import Iterator

from cranfield.judging.planning.progress import Progress
from cranfield.text import counted

from .base import Check, Finding

LEAST, SHARE = 5, 0.2


def _unsure(progress: Progress) -> Iterator[Finding]:
    for name in progress.people:
        labels = progress.labels(name)
        unsure = sum(event.unsure for event in labels.values())
        if unsure >= LEAST and unsure > SHARE * len(labels):
            found = f"{unsure} of {counted(len(labels), 'label')} marked unsure"
            yield Finding(name, "", found, unsure / len(labels), len(labels))


def _cannot_judge(progress: Progress) -> Iterator[Finding]:
    for name in progress.people:
        decided = [event.kind for event in progress.standing.get(name, {}).values() if event.kind != "later"]
        without = decided.count("cannot-judge")
        if without >= LEAST and without > SHARE * len(decided):
            found = f"{without} of {counted(len(decided), 'document')} could not be judged"
            yield Finding(name, "", found, without / len(decided), len(decided))


UNSURE = Check(
    "unsure",
    "Many unsure labels",
    f"more than {SHARE:.0%} of an assessor's labels, and {LEAST} or more, are marked unsure",
    "Topics or guidelines that leave room, or a careful assessor.",
    _unsure,
)
CANNOT_JUDGE = Check(
    "cannot-judge",
    "Many documents that cannot be judged",
    f"more than {SHARE:.0%} of an assessor's decisions, and {LEAST} or more, are without a grade",
    "Documents that cannot be read, in another language, or outside the assessor's field.",
    _cannot_judge,
)
