"""The table of checks, in display order. To add one, write a file with a `Check` and add a line here."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from cranfield.judging.planning.progress import Progress

from .base import Check
from .doubts import CANNOT_JUDGE, UNSURE
from .drift import DRIFT
from .fast import FAST_LABELS
from .own_repeats import OWN_REPEATS
from .pace import PACE
from .same_grade import SAME_GRADE
from .severity import SEVERITY
from .topics import MOST_RELEVANT, NONE_RELEVANT

CHECKS: Mapping[str, Check] = MappingProxyType(
    {
        check.name: check
        for check in (
            FAST_LABELS,
            PACE,
            SAME_GRADE,
            OWN_REPEATS,
            SEVERITY,
            DRIFT,
            UNSURE,
            CANNOT_JUDGE,
            NONE_RELEVANT,
            MOST_RELEVANT,
        )
    }
)


def findings(progress: Progress) -> list[dict[str, Any]]:
    """What all checks find: one row each."""
    return [{"check": check.title, **found._asdict()} for check in CHECKS.values() for found in check.find(progress)]
