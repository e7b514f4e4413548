"""Labels given so soon after the document was shown that it cannot have been read."""

from __future__ import annotations

from collections.abc import Iterator

from cranfield.judging.planning.progress import Progress
from cranfield.judging.session.active_time import FAST
from cranfield.text import counted

from .base import Check, Finding

LEAST, SHARE = 3, 0.02


def _find(progress: Progress) -> Iterator[Finding]:
    for name in progress.people:
        timed = [event for event in progress.labels(name).values() if event.seconds is not None]
        fast = [event for event in timed if event.fast or (event.seconds or 0.0) < FAST]
        if len(fast) >= LEAST and len(fast) > SHARE * len(timed):
            found = f"{len(fast)} of {counted(len(timed), 'label')} in under {FAST} seconds"
            yield Finding(name, "", found, len(fast) / len(timed), len(timed))


FAST_LABELS = Check(
    "fast",
    "Very fast labels",
    f"{LEAST} or more labels of an assessor, and more than {SHARE:.0%}, took less than {FAST} seconds",
    "A key held down, a double click, or documents that the assessor had seen before.",
    _find,
)
