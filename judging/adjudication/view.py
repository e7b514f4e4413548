"""What an adjudicator sees of the labels of a case: no names, in an order drawn for each case."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from typing import NamedTuple

from cranfield.judging.adjudication.disputes import Dispute
from cranfield.judging.labels.evidence import Evidence, loaded
from cranfield.judging.session.view import LabelShown, in_words
from cranfield.store.chain import Event
from cranfield.text import visible, visible_line


class Lettered(NamedTuple):
    """A label and the letter that stands for its assessor."""

    letter: str
    vote: Event

    def marks(self, text: str) -> tuple[Evidence, ...]:
        """The passages of a text that the assessor marked; an import keeps something else there."""
        marked = loaded(self.vote) if self.vote.kind == "label" else ()
        return tuple(mark for mark in marked if text[mark.start : mark.end] == mark.quote)

    def shown(self, grades: Mapping[int, str]) -> LabelShown:
        """The label as it is shown."""
        marks = loaded(self.vote) if self.vote.kind == "label" else ()
        quotes = tuple(visible_line(mark.quote) for mark in marks)
        return LabelShown(self.letter, in_words(self.vote, grades), visible(self.vote.note).strip(), quotes)


def lettered(dispute: Dispute, seed: int) -> list[Lettered]:
    """The labels in an order set by the seed and the pair, so that A is not always the same person.

    >>> votes = tuple(Event("label", "q", "d", name, grade=grade) for grade, name in enumerate(["ada", "bob"]))
    >>> [(letter, vote.grade) for letter, vote in lettered(Dispute(("q", "d"), votes), 0)]
    [('A', 0), ('B', 1)]
    """
    key = hmac.digest(str(seed).encode(), "\0".join(dispute.pair).encode(), "sha256")
    votes = sorted(dispute.votes, key=lambda vote: hmac.digest(key, vote.assessor.encode(), "sha256"))
    return [Lettered(_letter(place), vote) for place, vote in enumerate(votes)]


def _letter(place: int) -> str:
    """A letter; after Z come numbers."""
    return chr(ord("A") + place) if place < 26 else str(place + 1)
