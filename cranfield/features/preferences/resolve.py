"""What the answers about pairs amount to: a preference where both orders agree, else a tie; and Copeland's order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple

from cranfield.features.preferences.store import Choice, DocumentPair, PreferenceEvent, document_pair
from cranfield.store.chain import Event
from cranfield.text import counted

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


class Preference(NamedTuple):
    """What an assessor thinks of two documents: `better` is empty where they are tied.

    `consistent`: whether the answers in both orders were the same; where they were not, it is a tie.
    """

    assessor: str
    pair: DocumentPair
    better: str
    consistent: bool = True

    @property
    def worse(self) -> str:
        """The other document; empty where they are tied."""
        return {self.pair.first: self.pair.second, self.pair.second: self.pair.first}.get(self.better, "")


@dataclass(frozen=True)
class Resolved:
    """The preferences, and how many pairs have an answer in one order only, or cannot be compared.

    `shown_first` of the answers that the order changed chose the document that was shown first.
    """

    preferences: Sequence[Preference]
    once: int = 0
    cannot: int = 0
    shown_first: int = 0

    @property
    def different(self) -> int:
        """The pairs that got different answers in the two orders."""
        return sum(not one.consistent for one in self.preferences)

    @property
    def rate(self) -> float:
        """The share of pairs whose answers differ; NaN without pairs."""
        return self.different / len(self.preferences) if self.preferences else float("nan")

    def __str__(self) -> str:
        if not self.preferences:
            return "no pair has answers in both orders yet"
        rate = f"{self.different} with different answers ({self.rate:.0%})".replace("%", " %")
        return f"{counted(len(self.preferences), 'pair')} in both orders, {rate}"


def resolve(current: Iterable[PreferenceEvent]) -> Resolved:
    """The preferences of current answers; an imported one counts for both orders.

    >>> answers = [("d1", "d2", "first"), ("d2", "d1", "second"), ("d1", "d3", "first"), ("d3", "d1", "first")]
    >>> events = [PreferenceEvent("prefer", "q", a, b, "ada", choice) for a, b, choice in answers]
    >>> found = resolve(events)
    >>> [(one.pair.second, one.better) for one in found.preferences], found.rate, found.shown_first
    ([('d2', 'd1'), ('d3', '')], 0.5, 2)
    """
    answers: dict[tuple[str, DocumentPair], dict[str, PreferenceEvent]] = {}
    for event in current:
        pair = document_pair(event.qid, event.first, event.second)
        answers.setdefault((event.assessor, pair), {})[event.first] = event
    found, once, cannot, shown_first = list[Preference](), 0, 0, 0
    for (assessor, pair), by_first in answers.items():
        chosen = {first: _better(event) for first, event in by_first.items() if event.choice}
        imported = any(event.kind == "import" for event in by_first.values())
        if any(event.kind == "cannot-judge" for event in by_first.values()):
            cannot += 1
        elif len(chosen) == 2 or (chosen and imported):
            consistent = len(set(chosen.values())) == 1
            found.append(Preference(assessor, pair, next(iter(chosen.values())) if consistent else "", consistent))
            shown_first += 0 if consistent else sum(first == better for first, better in chosen.items())
        elif chosen:
            once += 1
    return Resolved(found, once, cannot, shown_first)


def _better(event: PreferenceEvent) -> str:
    return {"first": event.first, "second": event.second}.get(event.choice or "", "")


class CopelandLevel(NamedTuple):
    """The place of a document among those of its topic; 0 is the lowest level."""

    qid: str
    docno: str
    level: int
    score: float
    compared: int
    wins: int
    ties: int


def copeland(preferences: Iterable[Preference]) -> list[CopelandLevel]:
    """The levels of all documents that were compared; several assessors' preferences add up.

    >>> from cranfield.features.preferences.store import DocumentPair
    >>> pairs = [("d1", "d2", "d1"), ("d1", "d3", "d1"), ("d2", "d3", "")]
    >>> given = [Preference("ada", DocumentPair("q", a, b), better) for a, b, better in pairs]
    >>> [(one.docno, one.level, one.score) for one in copeland(given)]
    [('d1', 1, 2.0), ('d2', 0, 0.5), ('d3', 0, 0.5)]
    """
    counts: dict[str, dict[str, list[int]]] = {}
    for one in preferences:
        for docno in one.pair[1:]:
            compared = counts.setdefault(one.pair.qid, {}).setdefault(docno, [0, 0, 0])
            compared[0] += 1
            compared[1] += one.better == docno
            compared[2] += one.better == ""
    return [level for qid, documents in counts.items() for level in _levels(qid, documents)]


def _levels(qid: str, documents: dict[str, list[int]]) -> list[CopelandLevel]:
    score = {docno: wins + ties / 2 for docno, (_, wins, ties) in documents.items()}
    level = {value: number for number, value in enumerate(sorted(set(score.values())))}
    order = sorted(documents, key=lambda docno: (-score[docno], docno))
    return [
        CopelandLevel(qid, docno, level[score[docno]], score[docno], documents[docno][0], *documents[docno][1:])
        for docno in order
    ]


def incomplete(levels: Iterable[CopelandLevel]) -> list[str]:
    """The topics in which not every document was compared with every other."""
    topics: dict[str, list[int]] = {}
    for one in levels:
        topics.setdefault(one.qid, []).append(one.compared)
    return [qid for qid, compared in topics.items() if min(compared) < len(compared) - 1]
