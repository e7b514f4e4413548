"""The order in which pairs are shown: every pair once, and after all of them every pair again the other way round.

Pairs of a topic come in the order of a keyed hash, and so does which document of a pair is first: neither says where a
document came from. The second round has an order of its own, so that what was first said of a pair is no longer fresh.
"""

from __future__ import annotations

from collections.abc import Iterable

from cranfield.judging.labels.pairs import Pair
from cranfield.judging.preferences.answers import joined
from cranfield.judging.session.assessor_state import AssessorState
from cranfield.judging.session.order import by_hash
from cranfield.judging.session.worklist import Counts, Position
from cranfield.store.preferences import DocumentPair


def showings(pairs: Iterable[DocumentPair], seed: int) -> list[Pair]:
    """Both showings of each pair, in order.

    >>> shown = showings([DocumentPair("q", "d1", "d2"), DocumentPair("q", "d1", "d3")], 0)
    >>> [docno.split(chr(31)) for _, docno in shown]
    [['d2', 'd1'], ['d3', 'd1'], ['d1', 'd3'], ['d1', 'd2']]
    """
    topics: dict[str, list[DocumentPair]] = {}
    for pair in pairs:
        topics.setdefault(pair.qid, []).append(pair)
    rounds = [_round(several, seed, again) for again in (False, True) for several in topics.values()]
    return [shown for one in rounds for shown in one]


def _round(pairs: Iterable[DocumentPair], seed: int, again: bool) -> list[Pair]:
    named = {joined(pair.first, pair.second): pair for pair in pairs}
    order = by_hash(named, "pairs again" if again else "pairs", seed)
    return [(named[name].qid, _oriented(named[name], seed, again)) for name in order]


def _oriented(pair: DocumentPair, seed: int, again: bool) -> str:
    first, second = by_hash(pair[1:], f"first of {joined(pair.first, pair.second)}", seed)
    return joined(second, first) if again else joined(first, second)


class Showings:
    """The showings of an assessor, and what is still open among them."""

    def __init__(self, pairs: Iterable[DocumentPair], seed: int, state: AssessorState) -> None:
        self.all = showings(pairs, seed)
        self._state = state
        self._places = {shown: number for number, shown in enumerate(self.all, 1)}

    def __contains__(self, shown: object) -> bool:
        return shown in self._places

    def place(self, shown: Pair | None) -> Position:
        """The number of a showing, from 1, of all."""
        return Position(self._places[shown] if shown else 0, len(self.all))

    def next(self) -> Pair | None:
        """What undo restored, else the first undecided showing, else the one put off longest ago."""
        if self._state.focus in self._places:
            return self._state.focus
        decisions = [(shown, self._state.decision(shown)) for shown in self.all]
        undecided = next((shown for shown, decision in decisions if decision is None), None)
        later = [(decision.id or 0, shown) for shown, decision in decisions if decision and decision.kind == "later"]
        return undecided or min(later, default=(0, None))[1]

    def counts(self) -> Counts:
        """How many showings are in each state."""
        kinds = [decision.kind for shown in self.all if (decision := self._state.decision(shown))]
        judged, later, cannot = (kinds.count(kind) for kind in ("label", "later", "cannot-judge"))
        return Counts(judged, later, cannot, len(self.all) - judged - later - cannot)
