"""Which of the judged topics count in a mean."""

from __future__ import annotations

from enum import StrEnum


class WhichTopics(StrEnum):
    """The topics that count: all that were judged, or of these the ones that all runs answered."""

    all = "all"
    common = "common"
