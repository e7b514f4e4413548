"""Assessors who grade the same documents higher or lower than the others do."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import fmean

from cranfield.judging.planning.progress import Progress

from .base import FAR, Check, Finding, standard_errors

LEAST = 20


def _find(progress: Progress) -> Iterator[Finding]:
    for name in progress.people if len(progress.people) > 1 else ():
        own = progress.labels(name)
        others = [progress.labels(other) for other in progress.people if other != name]
        differences = [
            float((own[pair].grade or 0) - (labels[pair].grade or 0))
            for labels in others
            for pair in own.keys() & labels.keys()
        ]
        if len(differences) >= LEAST and standard_errors(differences) > FAR:
            mean = fmean(differences)
            found = f"{abs(mean):.2f} grades {'higher' if mean > 0 else 'lower'} on average"
            yield Finding(name, "", found, mean, len(differences))


SEVERITY = Check(
    "severity",
    "Grades above or below the others' on the same documents",
    f"the mean difference is more than {FAR:g} standard errors from zero; from {LEAST} shared labels",
    "Relevance is an opinion: a stricter or more generous reading of the topic or of the guidelines.",
    _find,
)
