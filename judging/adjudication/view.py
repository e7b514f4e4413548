"""What an adjudicator sees: records without behaviour, in which every text is safe to show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from cranfield.formats import Document, Topic


class SettledDispute(NamedTuple):
    """A settled case: its number and topic, how, by whom and why."""

    number: int
    qid: str
    words: str


@dataclass(frozen=True)
class DisputeShown:
    """A dispute on screen; without labels if it comes from a sample."""

    topic: Topic
    document: Document
    labels: tuple[str, ...]
    number: int
    of: int
    settled: tuple[str, ...] = ()  # how, by whom and why, where it is settled and shown again
