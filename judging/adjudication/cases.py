"""The cases of an adjudication: disagreements in their order, and the current answers to them, whoever gave them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from cranfield.judging.adjudication.disputes import Dispute
from cranfield.judging.labels.pairs import Pair, is_adjudication, pair_of
from cranfield.judging.session.worklist import Counts
from cranfield.store.chain import Event


class Cases:
    """The disputes that an adjudicator may settle: all but those they labelled themselves.

    >>> votes = tuple(Event("label", "q", "d", name, grade=grade) for grade, name in enumerate(["ada", "bob"]))
    >>> cases = Cases([Dispute(("q", "d"), votes)], "eve")
    >>> answer = Event("adjudicate", "q", "d", "fay", grade=1, id=7)
    >>> cases.add(answer), cases.settled, cases.is_others(("q", "d"))
    (True, {('q', 'd')}, True)
    >>> cases.add(Event("retract", "q", "d", "fay", supersedes=7)), cases.settled
    (True, set())
    """

    def __init__(self, several: Sequence[Dispute], adjudicator: str) -> None:
        self._adjudicator = adjudicator
        self.disputes = {it.pair: it for it in several if adjudicator not in {vote.assessor for vote in it.votes}}
        self.known = len(several) - len(self.disputes)
        self._places = {pair: number for number, pair in enumerate(self.disputes, 1)}
        self._answers: dict[int, Event] = {}  # current answers by their number in the log

    def __len__(self) -> int:
        return len(self.disputes)

    def place(self, pair: Pair) -> int:
        """The number of a case, from 1."""
        return self._places[pair]

    def add(self, event: Event) -> bool:
        """Take in an event; whether it is an answer to a case, or undoes one."""
        if event.kind == "retract":
            return self._answers.pop(event.supersedes or 0, None) is not None
        if not is_adjudication(event) or pair_of(event) not in self.disputes:
            return False
        self._answers[event.id or 0] = event
        return True

    @property
    def settled(self) -> set[Pair]:
        """The cases that somebody settled."""
        return {pair_of(event) for event in self._answers.values()}

    def answers(self, pair: Pair) -> list[Event]:
        """The last answer of each adjudicator to a case."""
        return [*{event.assessor: event for event in self._answers.values() if pair_of(event) == pair}.values()]

    def is_others(self, pair: Pair) -> bool:
        """Whether a case is settled, but not by this adjudicator."""
        names = {event.assessor for event in self.answers(pair)}
        return bool(names) and self._adjudicator not in names

    def next(self, focus: Pair | None, skipped: Collection[Pair]) -> Pair | None:
        """The case to settle now: the one undone last, then the open ones in their order, then the skipped ones."""
        settled = self.settled
        if focus in self.disputes and focus not in settled and focus not in skipped:
            return focus
        waiting = (pair for pair in self.disputes if pair not in settled and pair not in skipped)
        return next(waiting, next((pair for pair in skipped if pair in self.disputes and pair not in settled), None))

    def counts(self, skipped: Collection[Pair]) -> Counts:
        """How many cases are in each state."""
        settled = self.settled
        grades = {pair_of(event) for event in self._answers.values() if event.grade is not None}
        later = len([pair for pair in skipped if pair in self.disputes and pair not in settled])
        return Counts(len(grades), later, len(settled - grades), len(self) - len(settled) - later)
