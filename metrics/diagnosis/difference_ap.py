"""Two runs on one topic: how much better the first may be in AP or R, at least and at most."""

from __future__ import annotations

import numpy as np

from cranfield.arrays.judged import ratio
from cranfield.arrays.rankings import Floats, Ints, Mask


class PrecisionDifference:
    """What is known about two runs on a topic; labels are added one by one.

        AP_s = (1/R) sum over i <= j of a_s(i, j) x_i x_j,  a_s(i, j) = 1 / max(r_s(i), r_s(j)),  x: relevant or not
        difference:    D = (1/R) sum of c(i, j) x_i x_j,    c = a_1 - a_2
        unjudged i:    w(i) = c(i, i) + sum of c(i, j) over j judged relevant: what it adds if relevant
        worst case:    a product x_i x_j of unjudged documents with c(i, j) < 0 is taken for (x_i + x_j) / 2, which it never
                       exceeds; then D >= min over m of (N + the sum of the m least w(i) + half the negative c(i, j)) /
                       (R + m)

    so that the bounds hold for all labels but are not always reached; with nothing unjudged left they meet. R counts
    all known relevant documents of the topic and the new ones. Recall is the same without products: its bounds are
    reached.

    Source: Carterette, Allan and Sitaraman, Minimal test collections for retrieval evaluation, SIGIR 2006, for the
    quadratic form and the weights; the bound on products is the usual one of pseudo-boolean optimisation (Boros and
    Hammer, Pseudo-boolean optimization, Discrete Applied Mathematics 123, 2002).

    Documents are 0..n-1, ranks 0 where a run does not retrieve one; `relevant` are those judged so, all others
    are unjudged, and documents judged not relevant are left out. `total` counts the topic's known relevant documents.

    >>> known = PrecisionDifference(np.array([1, 2]), np.array([2, 1]), np.array([False, False]), total=0)
    >>> known.least(), known.difference, known.most()  # 1/2 - 1/1 if the second alone is relevant
    (-0.5, 0.0, 0.5)
    >>> known.tell(0, True)
    >>> known.least(), known.difference, known.most()  # at worst the second is relevant, too, and AP is 1 for both
    (0.0, 0.5, 0.5)
    """

    def __init__(self, first: Ints, second: Ints, relevant: Mask, total: int) -> None:
        self.reciprocals = [np.where(rank > 0, 1 / np.maximum(rank, 1), 0.0) for rank in (first, second)]
        self.open, self.relevant = np.ones(len(first), bool), np.zeros(len(first), bool)
        self.total = total - int(relevant.sum())
        self.sum = 0.0
        self.worth = self.reciprocals[0] - self.reciprocals[1]
        self.harm, self.help = self._products()
        for document in np.flatnonzero(relevant):
            self.tell(int(document), True)

    def _row(self, document: int) -> Floats:
        """c(i, j) of a document with every one."""
        first, second = (np.minimum(reciprocal, reciprocal[document]) for reciprocal in self.reciprocals)
        return np.asarray(first - second)

    def _products(self) -> tuple[Floats, Floats]:
        """Per document: the negative and the positive c(i, j) over all other documents."""
        harm, more = np.zeros(len(self.open)), np.zeros(len(self.open))
        for document in range(len(self.open)):
            row = self._row(document)
            row[document] = 0.0
            harm[document], more[document] = row[row < 0].sum(), row[row > 0].sum()
        return harm, more

    def tell(self, document: int, relevant: bool) -> None:
        """Add a label."""
        self.open[document], self.relevant[document] = False, relevant
        row = self._row(document)
        row[document] = 0.0
        self.harm -= np.minimum(row, 0.0)
        self.help -= np.maximum(row, 0.0)
        if relevant:
            self.sum += self.worth[document]
            self.worth += row
            self.total += 1

    @property
    def difference(self) -> float:
        """AP of the first less AP of the second, with unjudged documents not relevant."""
        return float(ratio(self.sum, self.total))

    def least(self) -> float:
        """The difference is never less, whatever the labels."""
        return self._extreme(np.sort((self.worth + self.harm / 2)[self.open]), -1)

    def most(self) -> float:
        """The difference is never more."""
        return self._extreme(np.sort((self.worth + self.help / 2)[self.open])[::-1], 1)

    def _extreme(self, adds: Floats, sign: int) -> float:
        reached = ratio(self.sum + np.append(0.0, np.cumsum(adds)), self.total + np.arange(len(adds) + 1))
        return float(sign * (sign * reached).max())

    def weights(self) -> Floats:
        """Per document: how much its label could do for the first run, -inf where the label is known.

        MTC's weights, for one side and with R: if relevant it adds w, if not it ends the harm and help it could do, and
        a relevant document costs the difference as it is at worst, by being one more to find."""
        at_worst = self.least()
        lost = self.worth + self.harm + self.help
        weight = np.maximum(self.worth - at_worst, at_worst - lost) / max(self.total, 1)
        return np.where(self.open, weight, -np.inf)

    def under(self, labels: Floats) -> Floats:
        """The difference under rows of labels of the open documents: 1 is relevant, 0 is not."""
        known = np.tile(self.relevant.astype(float), (len(labels), 1))
        known[:, self.open] = labels
        first, second = (self._collected(reciprocal, known) for reciprocal in self.reciprocals)
        return ratio(first - second, self.total + labels.sum(axis=1))

    def _collected(self, reciprocal: Floats, labels: Floats) -> Floats:
        """The sum of a run's precisions at its relevant documents, for each row of labels."""
        order = np.argsort(-reciprocal)
        ranked = labels[:, order]
        return np.asarray((np.cumsum(ranked, axis=1) * ranked) @ reciprocal[order])

    def labelled_for_first(self, document: int) -> tuple[PrecisionDifference, bool]:
        """What is known once this label favours the first run, and whether that means relevant."""
        relevant, other = self.copy(), self.copy()
        relevant.tell(document, True)
        other.tell(document, False)
        return (relevant, True) if relevant.least() > other.least() else (other, False)

    def copy(self) -> PrecisionDifference:
        """A copy, to add other labels to."""
        return self._with(self.reciprocals, self.sum, self.worth, self.harm, self.help)

    def turned(self) -> PrecisionDifference:
        """The same with the runs exchanged."""
        return self._with(self.reciprocals[::-1], -self.sum, -self.worth, -self.help, -self.harm)

    def _with(
        self, reciprocals: list[Floats], known: float, worth: Floats, harm: Floats, more: Floats
    ) -> PrecisionDifference:
        other = object.__new__(type(self))
        other.reciprocals, other.total, other.sum = reciprocals, self.total, known
        other.open, other.relevant = self.open.copy(), self.relevant.copy()
        other.worth, other.harm, other.help = worth.copy(), harm.copy(), more.copy()
        return other


class RecallDifference(PrecisionDifference):
    """The same for R: with rank 1 for all that is retrieved, each relevant document counts 1, whatever the others.

    >>> known = RecallDifference(np.array([1, 0]), np.array([0, 1]), np.array([True, False]), total=2)
    >>> known.least(), known.difference  # 1/2; if the other is relevant, (1 - 1) / 3
    (0.0, 0.5)
    """

    def _row(self, document: int) -> Floats:
        return np.zeros(len(self.open))

    def _collected(self, reciprocal: Floats, labels: Floats) -> Floats:
        return np.asarray(labels @ reciprocal)
