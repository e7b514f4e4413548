"""Runs, judgments, and the one place where they meet: arrays that know nothing else. Here is which topics count."""

from enum import StrEnum


class WhichTopics(StrEnum):
    """The topics that count: all that were judged, or of these the ones that all runs answered."""

    all = "all"
    common = "common"


NO_SETS: frozenset[str] = frozenset(WhichTopics)  # what no set of topics can be called
