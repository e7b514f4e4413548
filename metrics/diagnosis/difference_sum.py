"""Two runs on one topic, by a measure that adds up documents: P, CG, DCG, binary RBP."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from cranfield.arrays.rankings import Floats, Mask


@dataclass(frozen=True, eq=False)
class SumDifference:
    """What is known about two runs on a topic.

        difference = sum over documents of (worth at its rank in the first - worth at its rank in the second) x its gain

    Each label changes the difference independently, so the bounds are reached, and the shortest list that decides takes
    the documents by how much they change it: with the label that favours a run, each raises that run's worst case by
    just that.

    `worth` is how much each unjudged document would change the difference at best, `open` whether it still may.

    >>> known = SumDifference(0.5, np.array([0.25, -1.0]), np.array([True, True]))
    >>> known.least(), known.difference, known.most()
    (-0.5, 0.5, 0.75)
    >>> labelled, relevant = known.labelled_for_first(1)
    >>> relevant, labelled.least()
    (False, 0.5)
    """

    difference: float
    worth: Floats
    open: Mask

    def least(self) -> float:
        """The difference is never less, whatever the labels."""
        return self.difference + float(np.minimum(self.worth, 0.0)[self.open].sum())

    def most(self) -> float:
        """The difference is never more."""
        return self.difference + float(np.maximum(self.worth, 0.0)[self.open].sum())

    def weights(self) -> Floats:
        """Per document: how much its label may change the difference, -inf where it is known."""
        return np.where(self.open, np.abs(self.worth), -np.inf)

    def labelled_for_first(self, document: int) -> tuple[SumDifference, bool]:
        """What is known once this label favours the first run, and whether that means relevant."""
        relevant = bool(self.worth[document] > 0)
        known = self.open & (np.arange(len(self.open)) != document)
        return replace(self, difference=self.difference + relevant * float(self.worth[document]), open=known), relevant

    def turned(self) -> SumDifference:
        """The same with the runs exchanged."""
        return replace(self, difference=-self.difference, worth=-self.worth)

    def under(self, labels: Floats) -> Floats:
        """The difference under rows of labels of the open documents: their gains, divided by the best."""
        return np.asarray(self.difference + labels @ self.worth[self.open])
