"""Runs, judgments, and the one place where they meet: arrays that know nothing else. Here is which topics count."""

from enum import StrEnum


class WhichTopics(StrEnum):
    """The topics that count: all that were judged, or of these the ones that all runs answered."""

    all = "all"
    common = "common"


NO_SETS: frozenset[str] = frozenset(WhichTopics)  # what no set of topics can be called


def parse_topics(topics: str) -> WhichTopics:
    """Which topics count: all, also those of a set, or the common ones."""
    return WhichTopics(topics) if topics in NO_SETS else WhichTopics.all


def topic_set_of(topics: str) -> str:
    """The name of a topic set, or the file of a list; empty where all topics are meant, or the common ones."""
    return "" if topics in NO_SETS else topics
