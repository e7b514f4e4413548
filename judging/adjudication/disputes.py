"""Disagreements: pairs whose labels differ, in the order in which settling them matters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from cranfield.judging.adjudication.effects import Effect
from cranfield.judging.labels.derive import Derived
from cranfield.judging.labels.pairs import Pair, PairLabels
from cranfield.store.chain import Event
from cranfield.text import counted


class Dispute(NamedTuple):
    """A pair to be settled, because its labels differ or it was drawn, and its effect on the system ranking."""

    pair: Pair
    votes: tuple[Event, ...]
    effect: Effect = Effect()

    @property
    def grades(self) -> list[int]:
        """The grades that were given, ascending."""
        return sorted({vote.grade for vote in self.votes if vote.grade is not None})


def disputes(found: Mapping[Pair, PairLabels]) -> list[Dispute]:
    """The pairs whose labels differ, adjudicated or not."""
    several = (Dispute(pair, tuple(ballot.votes)) for pair, ballot in found.items())
    return [dispute for dispute in several if len(dispute.grades) > 1]


def ranked(several: Sequence[Dispute]) -> list[Dispute]:
    """First those that can move the top, then by pairs of runs swapped, scores moved and distance of the grades."""

    def key(dispute: Dispute) -> tuple[bool, int, float, int]:
        effect = dispute.effect
        return not effect.moves_top, -effect.swaps, -effect.spread, dispute.grades[0] - dispute.grades[-1]

    return sorted(several, key=lambda dispute: (*key(dispute), dispute.pair))


def summary(several: Sequence[Dispute], top: int) -> str:
    """How many disagreements matter, in one sentence.

    >>> summary([Dispute(("q", "d"), (), Effect(True, 2, 0.1)), Dispute(("q", "e"), ())], 5)
    '1 of 2 disagreements can move the top 5, 1 the order of any two runs; each considered on its own.'
    """
    tops, any_ = sum(it.effect.moves_top for it in several), sum(it.effect.swaps > 0 for it in several)
    return (
        f"{tops} of {counted(len(several), 'disagreement')} can move the top {top}, {any_} the order of any two runs;"
        " each considered on its own."
    )


def share(done: int, of: int, derived: Derived) -> str:
    """How much is adjudicated, and what that means for the qrels, in a sentence or two.

    >>> from cranfield.judging.labels.derive import derive
    >>> from cranfield.store.store import Store
    >>> with Store.memory("empty") as store:
    ...     print(share(1, 4, derive(store)))
    1 of 4 disagreements adjudicated (25.0 %). The others stay as policy primary decides them. Those adjudicated are
    not a random sample, so they say nothing about the rest; --sample draws one that does.
    """
    percent = 100 * done / of if of else 100.0
    text = f"{done} of {counted(of, 'disagreement')} adjudicated ({percent:.1f} %)."
    if done == of:
        return text
    return (
        f"{text} The others stay as policy {derived.policy.name} decides them. Those adjudicated are not a random"
        " sample, so they say nothing about the rest; --sample draws one that does."
    )
