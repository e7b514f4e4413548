"""Answers about pairs: how a session sees an event of the log of preferences, and the other way round.

Inside a session two documents in the order shown are one item, whose docno is theirs, joined by a control character
that `visible` would show; an answer is its grade. So pairs are judged, put off and undone by the code of documents.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from cranfield.store.chain import Event
from cranfield.store.preferences import Choice, PreferenceEvent

ANSWERS: Mapping[int, str] = MappingProxyType(
    {1: "the first document is better", 2: "the second document is better", 0: "no difference"}
)
CHOICES: Mapping[int, Choice] = MappingProxyType({1: "first", 2: "second", 0: "equal"})
GRADES = {choice: grade for grade, choice in CHOICES.items()}
BETWEEN = "\x1f"
SHARED = ("reason", "note", "evidence", "seconds", "position", "order_seed", "document_sha256", "input", "fast",
          "supersedes", "event_id", "at", "id")  # fmt: skip


def joined(first: str, second: str) -> str:
    """Two documents in the order shown, as one docno."""
    return first + BETWEEN + second


def split(docno: str) -> tuple[str, str]:
    """The two documents of such a docno.

    >>> split(joined("d2", "d1"))
    ('d2', 'd1')
    """
    first, _, second = docno.partition(BETWEEN)
    return first, second


def inward(event: PreferenceEvent) -> Event:
    """An event as a session sees it.

    >>> inward(PreferenceEvent("prefer", "q", "d2", "d1", "ada", "second"))[:5]
    ('label', 'q', 'd2\\x1fd1', 'ada', 2)
    """
    shared: dict[str, Any] = {name: getattr(event, name) for name in SHARED}
    kind = "label" if event.choice else event.kind
    grade = GRADES[event.choice] if event.choice else None
    return Event(kind, event.qid, joined(event.first, event.second), event.assessor, grade, **shared)


def outward(event: Event) -> PreferenceEvent:
    """An event of a session as it is written to the log."""
    shared: dict[str, Any] = {name: getattr(event, name) for name in SHARED if name != "id"}
    kind = "prefer" if event.kind == "label" else event.kind
    choice = None if event.grade is None else CHOICES[event.grade]
    return PreferenceEvent(kind, event.qid, *split(event.docno), event.assessor, choice, **shared)
