"""What an assessor sees: records without behaviour, in which every text is safe to show.

Nothing here tells which runs found a document, at what rank or score, how deep the pool is, or what others said.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from cranfield.formats import Document, Topic
from cranfield.store.events import Event
from cranfield.text import visible, visible_line


class Counts(NamedTuple):
    """How many documents are in each state; the four add up to all."""

    judged: int = 0
    later: int = 0
    cannot_judge: int = 0
    remaining: int = 0

    def __str__(self) -> str:
        return f"judged {self.judged}, later {self.later}, cannot judge {self.cannot_judge}, remaining {self.remaining}"


class Position(NamedTuple):
    """The place of a document in its order, from 1."""

    number: int
    of: int


class CriterionShown(NamedTuple):
    """A criterion of the assessor's, and the day she noted it."""

    day: str
    text: str


class PastDecision(NamedTuple):
    """A decision that stands: about which document of which topic, and what it was, in words."""

    qid: str
    number: int
    words: str


class RecentDecision(NamedTuple):
    """A decision, with the title of its document and the note that went with it."""

    decision: PastDecision
    title: str
    note: str


@dataclass(frozen=True)
class View:
    """All that is on the screen; `topic` and `document` are None when everything is done.

    `last` is None too where it is about the document on screen: an earlier grade is not shown while judging anew.
    """

    topic: Topic | None
    document: Document | None
    grades: Mapping[int, str]
    position: Position
    overall: Position
    counts: Counts  # of this topic
    total: Counts
    last: PastDecision | None
    can_undo: bool
    can_redo: bool
    note: str
    unsure: bool
    evidence: tuple[str, ...] = ()  # the quotations
    criteria: tuple[CriterionShown, ...] = ()  # of this topic, first things first
    terms: str = ""  # highlighted now
    docno_shown: bool = False
    eta: str = ""  # how long the rest will take; empty while nobody can know

    @property
    def done(self) -> bool:
        """Whether nothing is left to judge."""
        return self.document is None


def safe_document(document: Document) -> Document:
    r"""A document as it may be shown: without its address and metadata, which tell where it came from.

    >>> safe_document(Document("d1", "a\ntitle", "red: \x1b[31m", "https://example.org"))
    Document(docno='d1', title='a title', text='red: ␛[31m', url='', metadata={})
    """
    return Document(visible_line(document.docno), visible_line(document.title), visible(document.text))


def safe_topic(topic: Topic) -> Topic:
    """A topic as it may be shown."""
    return Topic(
        visible_line(topic.qid), visible_line(topic.title), visible(topic.description), visible(topic.narrative)
    )


def in_words(event: Event, grades: Mapping[int, str]) -> str:
    """A decision in words.

    >>> in_words(Event("label", "q", "d", "ada", grade=1, unsure=True), {1: "relevant"})
    'grade 1, relevant (unsure)'
    """
    words = event.kind
    if event.grade is not None:
        words = f"grade {event.grade}, {grades.get(event.grade, 'not on the scale')}"
    elif event.kind == "cannot-judge":
        words = f"cannot judge, {event.reason}"
    return visible_line(words + (" (unsure)" if event.unsure else ""))
