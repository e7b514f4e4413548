"""What the answers about a pair in both orders amount to: a preference where they agree, else a tie."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cranfield.store.preferences import DocumentPair, PreferenceEvent, document_pair
from cranfield.text import counted


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
